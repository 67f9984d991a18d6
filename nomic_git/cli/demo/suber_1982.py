"""The demo of `suber-1982`: turns go clockwise, a die is thrown, and unanimity never relaxes."""

from nomic_git.cli.demo.script import (
    REFEREE,
    Chapter,
    Edits,
    PlayOn,
    Says,
    Script,
    ThrowsAgain,
    Types,
    Votes,
    agree,
    enacts,
    founding,
)

SCRIPT = Script(
    "suber-1982",
    (
        Chapter(
            "The game is founded",
            "Nomic is the game in which changing the rules is the move. Three players sit down to it with the rules\n"
            "as first published in 1982. Turns go clockwise (201), in the order in which the players sat down.",
        ),
        founding("suber-1982", {"alice": "Alice", "bob": "Bob", "carol": "Carol"}),
        Chapter(
            "The first turn is Alice's",
            "A hundred points, by one die a turn, are a long evening. Alice copies rule 208 and changes the number in\n"
            "the words, which are for the players, and in the provision, which is for the referee.",
        ),
        Edits("rules/mutable/208.md", "victory.md", "100", "7"),
        Types("propose amend 208 victory.md --title 'A short game' --as alice"),
        Chapter(
            "A proposal out of turn waits",
            "Carol cannot wait. She may propose already, but nobody skips a turn and nobody is skipped (201).",
        ),
        enacts("carol", "Refreshments", "At the table there is tea."),
        Chapter(
            "Everybody votes, and the die is thrown",
            "All must vote (105), and all must agree (203). Then the referee throws the die for Alice (202).",
        ),
        agree(1, "bob carol", counted=True),
        REFEREE,
        Says(
            "The first rule-change has the number 301 (108), and so has the rule that it amended. Nobody could choose\n"
            "what the die shows, and anybody can throw it again: it is made of the commit that ended the turn\n"
            "before (here the founding), the proposal, and the votes of the others, as the log tells:"
        ),
        ThrowsAgain(),
        Chapter(
            "A defeat costs ten points",
            "Bob, whose turn it is, liked the long game better. One vote against is enough (203). He loses ten points\n"
            "(206); the die is thrown all the same, since it belongs to the turn (202).",
        ),
        Edits("rules/mutable/301.md", "long.md", "7", "100", "In long.md, Bob puts the hundred points back."),
        Types("propose amend 301 long.md --title 'The long game after all' --as bob", silent=True),
        Votes(3, {"alice": "against", "carol": "for"}),
        REFEREE,
        Chapter(
            "What waited is taken up by itself",
            "The referee has opened the vote on Carol's proposal in the same pass: it is her turn now.",
        ),
        agree(2, "alice bob"),
        REFEREE,
        Chapter(
            "Round the table, until somebody wins",
            "From now on they talk of nothing but what is on the table. The rule about it takes the number of each\n"
            "proposal that amends it (108). Whoever has seven points first wins (rule 301).",
        ),
        PlayOn(303, "Refreshments", "At the table there is {served}.", ("coffee", "cake", "soup", "tea")),
        Types("scores"),
        Chapter("Every event is one commit, and anybody can check them all"),
        Types("audit"),
    ),
    (
        ("nomic-git rules", "the rules in force, with the numbers they have now"),
        ("nomic-git show 201", "the rule on whose turn it is"),
        ("nomic-git history 208", "how many points it took to win"),
        ("nomic-git tally 3", "how a vote went"),
    ),
)
