"""The demo of `github`: all that can become of a proposal, votes that belong to words, and a player who leaves."""

from nomic_git.cli.demo.script import (
    ITS_COMMITS,
    REFEREE,
    Chapter,
    Edits,
    OpensByHand,
    Says,
    Script,
    Types,
    Votes,
    agree,
    enacts,
    founding,
)

_DEBATE = "rules/mutable/3.md"
_DAY, _HOUR = "\nOne day is a reasonable time.\n", "\nOne hour is a reasonable time.\n"

SCRIPT = Script(
    "github",
    (
        Chapter(
            "The game is founded",
            "Nomic is the game in which changing the rules is the move. Four players start from the `github`\n"
            "rulebook: every rule a file, every proposal a branch, every event of the game one commit.",
        ),
        founding("github", {"alice": "Alice", "bob": "Bob", "carol": "Carol", "dave": "Dave"}),
        Chapter("A rule is enacted", "Alice writes the words of a new rule and proposes it."),
        enacts("alice", "Tea", "Whoever proposes a rule-change should offer the other players tea."),
        agree(1, "bob carol dave", counted=True),
        Says("Everybody has voted, so the vote is complete. The referee makes a pass and carries it out:"),
        REFEREE,
        Chapter(
            "A rule is amended, and gets a new number",
            "Two hundred points are many. Bob copies rule -105 and changes its words AND its provision: the words\n"
            "are for the players, the provision tells the referee. Amending the rule amends the machine.",
        ),
        Edits("rules/mutable/-105.md", "victory.md", "200", "60"),
        Types("propose amend -105 victory.md --title 'A shorter game' --as bob", silent=True),
        agree(2, "alice carol dave"),
        REFEREE,
        Chapter(
            "An immutable rule is transmuted",
            "Rule -206, on debate, is immutable: it can neither be amended nor repealed, only made mutable first.",
        ),
        Types("propose transmute -206 --title 'Let us be able to change how we debate' --as carol", silent=True),
        agree(3, "alice bob dave"),
        REFEREE,
        Chapter(
            "A proposal is defeated",
            "Dave wants to be rid of the tea. While unanimity is needed, one vote against ends the vote at once,\n"
            "and whoever proposes in vain loses ten points (rule -107).",
        ),
        Types("propose repeal 1 --title 'No tea' --as dave", silent=True),
        Votes(4, {"bob": "against"}),
        REFEREE,
        Chapter("A proposal is withdrawn", "Alice opens a draft, listens, and takes it back. That costs nothing."),
        enacts("alice", "Silence", "Players keep silent on Sundays.", "--draft"),
        Types("comment 5 'Not on Sundays, please!' --as bob", silent=True),
        Types("withdraw 5 --as alice", silent=True),
        REFEREE,
        Chapter(
            "A proposal is improper",
            "Bob edits an immutable rule on a branch of his own, with git alone, and opens it as a proposal.",
        ),
        OpensByHand("bob", "rules/immutable/-213.md", "rule-change", "whim"),
        Types("tally 6"),
        Types("withdraw 6 --as bob", silent=True),
        REFEREE,
        Chapter(
            "A vote belongs to the words that it was given to",
            "Carol amends rule 3, and two players agree. Then she changes a word.",
        ),
        Edits(_DEBATE, "debate.md", "", _DAY, "In debate.md, she adds a last line: One day is a reasonable time."),
        Types("propose amend 3 debate.md --title 'How long we debate' --as carol", silent=True),
        agree(7, "alice bob"),
        Edits(_DEBATE, "debate.md", "", _HOUR, "In debate.md, the last line becomes: One hour is a reasonable time."),
        Types("propose amend 3 debate.md --update 7 --as carol"),
        Says("The two votes were for other words, and count no longer. All three read again, and vote again."),
        agree(7, "alice bob dave"),
        REFEREE,
        Chapter("A rule is repealed", "Dave tries again to be rid of the tea, and this time has argued for it."),
        Types("propose repeal 1 --title 'No tea, again' --as dave", silent=True),
        agree(8, "alice bob carol"),
        REFEREE,
        Chapter(
            "Unanimity is relaxed",
            "Rule -110 says: if it is not amended before each player has had two turns, a simple majority is enough.\n"
            "Alice and Bob take their second turns.",
        ),
        enacts("alice", "Coffee", "Whoever proposes a rule-change should offer the other players coffee.", silent=True),
        agree(9, "bob carol dave"),
        enacts("bob", "Biscuits", "There should be biscuits.", silent=True),
        agree(10, "alice carol dave"),
        REFEREE,
        Types("scores"),
        Chapter(
            "Dissent is worth something",
            "Three of four are a majority, so one vote against no longer ends anything. Whoever votes against a\n"
            "proposal that is adopted without unanimity gets ten points for it (rule -109).",
        ),
        enacts("carol", "Minutes", "Somebody keeps minutes of every debate.", silent=True),
        Votes(11, {"dave": "against", "alice": "for", "bob": "for"}),
        REFEREE,
        Chapter("A player leaves", "A player may always forfeit (rule -204)."),
        Types("forfeit --as dave", silent=True),
        REFEREE,
        Chapter("Somebody wins", "Carol is close to the sixty points that rule 2 now asks for."),
        enacts("carol", "Cake", "Whoever wins brings cake.", silent=True),
        agree(13, "alice"),
        REFEREE,
        Types("scores"),
        *ITS_COMMITS,
    ),
    (
        ("nomic-git rules", "the rules in force, with the numbers they have now"),
        ("nomic-git show -110", "the rule that was relaxed"),
        ("nomic-git history 7", "the life of the rule on debate, through its numbers"),
        ("nomic-git law", "what the rules tell the referee, and which rule prevails"),
        ("nomic-git tally 11", "how a vote went"),
    ),
)
