"""The demo of `suber`: a Judge is overruled, unanimity relaxes after two circuits, and dissent wins."""

from nomic_git.cli.demo.script import (
    REFEREE,
    Chapter,
    Edits,
    PlayOn,
    Says,
    Script,
    Types,
    agree,
    enacts,
    founding,
    judges,
)

SCRIPT = Script(
    "suber",
    (
        Chapter(
            "The game is founded",
            "Nomic is the game in which changing the rules is the move. Three players sit at one table, and turns go\n"
            "clockwise (201): Alice, Bob, Carol. A turn is a proposal, the vote on it, and the throw of a die (202).",
        ),
        founding("suber", {"alice": "Alice", "bob": "Bob", "carol": "Carol"}),
        Chapter("Alice has the first turn", "Until two circuits are over, all must agree (203)."),
        enacts("alice", "Refreshments", "At the table there is tea.", silent=True),
        agree(1, "bob carol", counted=True),
        REFEREE,
        Says(
            "The proposal was the first, so that it and its rule have the number 301 (108). Alice has as many points\n"
            "as the die shows."
        ),
        Chapter("Bob wants a shorter game", "He copies rule 208, which says how many points win."),
        Edits("rules/mutable/208.md", "victory.md", "100", "20", "In victory.md, a hundred becomes twenty."),
        Types("propose amend 208 victory.md --title 'A shorter game' --as bob", silent=True),
        Chapter(
            "Carol invokes Judgment",
            "She doubts that this move is legal, and that she insists is enough (212). The Judge is the player before\n"
            "the one who moves: Alice. Until it is settled, nothing is decided about the proposal.",
        ),
        judges("carol", 2, "invoke", "By rule 112 winning is reaching n points and nothing else. May n be 20?"),
        Chapter("The Judge decides, and is overruled", "Alice is strict, and all the others disagree with her (212)."),
        judges("alice", 2, "rule", "illegal: by rule 112 nothing may take the place of the hundred points."),
        judges("bob", 2, "overrule", silent=True),
        judges("carol", 2, "overrule", silent=True),
        REFEREE,
        Chapter(
            "The next Judge decides, and is upheld",
            "The question goes to the player before Alice: Carol. She has read rule 112 to its end by now. What she\n"
            "decides is final as soon as another player upholds it.",
        ),
        judges("carol", 2, "rule", "legal: rule 112 itself says that the size of n may be changed.", silent=True),
        judges("bob", 2, "uphold", silent=True),
        REFEREE,
        Says("So the vote goes on, where everybody may still vote as they like."),
        agree(2, "alice carol"),
        REFEREE,
        Chapter("The rest of two circuits", "Everybody takes the turn that is theirs. All have to agree, so all do."),
        enacts("carol", "Minutes", "Whoever moved last writes the minutes.", silent=True),
        agree(3, "alice bob"),
        REFEREE,
        enacts("alice", "Birthdays", "Nobody loses points on a birthday.", silent=True),
        agree(4, "bob carol"),
        REFEREE,
        enacts("bob", "Music", "Whoever is the Judge chooses the music.", silent=True),
        agree(5, "alice carol"),
        REFEREE,
        enacts("carol", "Silence", "There is no music during Judgment.", silent=True),
        agree(6, "alice bob"),
        REFEREE,
        Chapter(
            "Dissent wins",
            "Two circuits are over and nobody has amended rule 203, so it has relaxed: more than half are enough.\n"
            "From now on, whoever votes against what is adopted gets ten points for it (204). Carol has seen that.\n"
            "Winning takes twenty points (rule 302).",
        ),
        PlayOn(301, "Refreshments", "At the table there is {served}.", ("coffee", "cake", "soup", "tea"), "carol"),
        Types("scores"),
        Chapter("Every event is one commit, and anybody can check them all"),
        Types("audit"),
    ),
    (
        ("nomic-git rules", "the rules in force, with the numbers they have now"),
        ("nomic-git show 203", "the rule that was relaxed"),
        ("nomic-git history 208", "how many points it took to win"),
        ("nomic-git judgments", "what the Judges decided, with the rules that they cite"),
    ),
)
