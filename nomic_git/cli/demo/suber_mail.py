"""The demo of `suber-mail`: turns go by surname, and a Judge cannot decide, so that play cannot go on."""

from nomic_git.cli.demo.script import (
    ITS_COMMITS,
    REFEREE,
    Chapter,
    Says,
    Script,
    Types,
    agree,
    enacts,
    founding,
    judges,
)

SCRIPT = Script(
    "suber-mail",
    (
        Chapter(
            "The game is founded",
            "Nomic is the game in which changing the rules is the move. Three players play it by mail, where nobody\n"
            "sits to anybody's left: turns go by surname (201), Archer, Miller, Winter.",
        ),
        founding("suber-mail", {"alice": "Winter, Alice", "bob": "Miller, Bob", "carol": "Archer, Carol"}),
        Chapter(
            "A proposal out of turn waits",
            "Alice Winter has had an idea. She is the last of the three, and may have it read already.",
        ),
        enacts(
            "alice",
            "The illegal rule",
            "The move that enacted this rule was legal if, and only if, the Judge finds otherwise.",
        ),
        Chapter(
            "The first turn is Carol Archer's",
            "Nobody throws a die by mail. A turn brings the proposal's number less 291, times the part of the votes\n"
            "that were for it (202): ten points at most for the first proposal, which is 301, and one more each time.",
        ),
        enacts("carol", "Postage", "Whoever proposes a rule-change pays the postage."),
        agree(2, "alice bob", counted=True),
        REFEREE,
        Chapter(
            "The second turn is Bob Miller's", "By mail, anybody may talk with anybody about what to propose (210)."
        ),
        enacts("bob", "Answers", "Letters are answered within a week.", silent=True),
        Types("comment 3 'Within a week of what? But I am for it.' --as carol"),
        agree(3, "alice carol"),
        REFEREE,
        Chapter(
            "What waited is taken up by itself",
            "Now it is Alice Winter's turn, and the vote on her proposal is open.",
        ),
        Types("tally 1"),
        Chapter(
            "Carol invokes Judgment",
            "Any player may do so, by insisting (212). The Judge is the player before the one who moves: Bob.",
        ),
        judges("carol", 1, "invoke", "Is it legal to propose this?"),
        REFEREE,
        Chapter(
            "The Judge cannot decide",
            "Bob thinks for a week. What is not forbidden is permitted (116), and a rule may speak of itself (115),\n"
            "but whichever way he decides, the rule says that it is the other.",
        ),
        judges(
            "bob",
            1,
            "rule",
            "undecided: found legal it is illegal, found illegal it is legal, by rules 115 and 116.",
        ),
        judges("carol", 1, "uphold", silent=True),
        Says(
            "Carol upholds that. So the best reasoning of a Judge who is not overruled finds the move as legal as\n"
            "illegal, and Alice cannot complete her turn. Rule 213 says what follows, and it stands over rule 208:"
        ),
        REFEREE,
        Chapter("What it came to", "Alice has won without a single point. In Nomic that is an honourable victory."),
        Types("scores"),
        *ITS_COMMITS,
    ),
    (
        ("nomic-git rules", "the rules in force, with the numbers they have now"),
        ("nomic-git show 213", "the rule by which Alice has won"),
        ("nomic-git law", "what the rules tell the referee, and which rule prevails"),
        ("nomic-git judgments", "what the Judge decided, with the rules that he cites"),
    ),
)
