"""What the referee says, word for word: one golden file a situation, read as a player would read it.

After a change of the words: `pytest tests/referee/test_comments.py --renew-golden`, then read `git diff`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from scene import Scene, game, rules

from nomic_git.forges.log import Deed

GOLDEN = Path(__file__).parent / "golden"
MAJORITY = (
    -110,
    b"---\nprovisions:\n  adoption.threshold: simple-majority\n  votes.closing: decided\n---\n\nMost decide.\n",
)
SERIES = (-209, b"---\nprovisions:\n  proposals.numbering: {successive: 301}\n---\n\nFrom 301 on.\n")
BY_SURNAME = (-112, b"---\nprovisions:\n  turns.order: by-surname\n---\n\nTurns go by surname.\n")
CLOCKWISE = (-112, b"---\nprovisions:\n  turns.order: clockwise\n---\n\nOne after the other.\n")
DEADLINE = (-301, b"---\nprovisions:\n  votes.deadline: 7d\n---\n\nA week is enough.\n")
AGAINST = (-302, b"---\nprovisions:\n  votes.absent: against\n---\n\nSilence is dissent.\n")
DEBATE = (-303, b"---\nprovisions:\n  debate.minimum: 36h\n---\n\nThink first.\n")
IN_TIME = (-304, b"---\nprovisions:\n  turns.deadline: 2d\n---\n\nTwo days each.\n")
PAUSE = (-305, b"---\nprovisions:\n  turns.pause: 3h\n---\n\nDraw breath.\n")
MUST = (-306, b"---\nprovisions:\n  votes.participation: required\n---\n\nEverybody votes.\n")
DIE = (-111, b"---\nprovisions:\n  turns.points: die\n---\n\nThrow.\n")
LEAVE = (-307, b"---\nprovisions:\n  players.leave: allowed\n---\n\nGo if you must.\n")
VOTED = (-113, b"---\nprovisions:\n  players.joining: vote\n---\n\nVote on whoever comes.\n")

Play = Callable[[Path], tuple[Scene, int]]


def majority(folder: Path, *more: tuple[int, bytes]) -> Scene:
    return game(folder, "alice", "bob", "carol", "dave", "erin", book=rules(MAJORITY, *more))


def unanimity(folder: Path) -> Scene:
    return game(folder)


def debate(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    return it, it.enact("alice", "Be brief.", draft=True)


def waiting(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    it.enact("alice", name="first")
    return it, it.enact("alice", name="second")


def waiting_for_players(folder: Path) -> tuple[Scene, int]:
    it = game(folder, "alice")
    return it, it.enact("alice")


def voting_under_unanimity(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    number = it.amend("bob", -105, b"200", b"100")
    it.vote(number, "for", "alice")
    return it, number


def voting_on_what_would_be_void(folder: Path) -> tuple[Scene, int]:
    """A mutable rule that conflicts with an immutable one over one provision, and with a mutable one over another."""
    it = unanimity(folder)
    words = "---\nprovisions:\n  changes.kinds: [enact]\n  victory.points: 7\n---\n\nEnact alone."
    return it, it.enact("alice", words)


def voting_on_what_another_rule_overrides(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    return it, it.enact("alice", "---\nprovisions:\n  victory.points: 7\n---\n\nSeven points win.")


def voting_under_a_majority(folder: Path) -> tuple[Scene, int]:
    """Votes of every kind that does not count."""
    it = majority(folder)
    seat = it.propose("frank", {"players/frank.md": b"---\nname: Frank\n---\n"})
    number = it.enact("alice", "Be brief.")
    it.vote(seat, "for", "alice", "bob", "carol")
    it.vote(number, "for", "bob")
    head = it.commit({"rules/mutable/new.md": b"Be very brief.\n"}, on=it.heard(number).head)
    it.forge.push("alice", number, head, it.tick())
    it.vote(number, "for", "frank", "mallory")
    it.vote(number, "for", "erin")
    it.vote(number, "none", "erin")
    it.vote(number, "against", "carol")
    it.forge.note("dave", number, Deed.VOTE, it.now + 1_000_000, word="for", head=head)
    return it, number


def voting_by_an_expression(folder: Path) -> tuple[Scene, int]:
    odd = b'---\nprovisions:\n  adoption.threshold: "votes_for > votes_against"\n---\n\nMore for than against.\n'
    it = game(folder, book=rules((-110, odd)))
    number = it.propose("alice", {"rules/mutable/-106.md": None})
    it.vote(number, "against", "bob")
    return it, number


def voting_by_an_expression_that_fails(folder: Path) -> tuple[Scene, int]:
    odd = b'---\nprovisions:\n  adoption.threshold: "1 / (turn - 1)"\n---\n\nA puzzle.\n'
    it = game(folder, book=rules((-110, odd)))
    return it, it.enact("alice")


def voting_on_a_transmutation(folder: Path) -> tuple[Scene, int]:
    it = majority(folder)
    file = it.file("rules/immutable/-208.md")
    return it, it.propose("alice", {"rules/immutable/-208.md": None, "rules/mutable/-208.md": file})


def voting_on_a_repeal(folder: Path) -> tuple[Scene, int]:
    it = majority(folder)
    number = it.propose("alice", {"rules/mutable/-109.md": None})
    it.vote(number, "against", "bob")
    return it, number


def voting_on_joining(folder: Path) -> tuple[Scene, int]:
    it = game(folder, book=rules(VOTED))
    number = it.propose("erin", {"players/erin.md": b"---\nname: Erin\n---\n"})
    it.vote(number, "for", "bob")
    return it, number


def words_without_provisions(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    return it, it.amend("alice", -107, b"loses 10 points", b"loses 20 points")


def provisions_without_words(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    return it, it.amend("alice", -107, b"defeat.points: -10", b"defeat.points: -20")


def invisible_characters(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    words = "Points go to \u202eecila\u202c, pl\u200bain\u00a0and si\u00admple.\r"
    return it, it.enact("alice", words)


def words_that_would_act(folder: Path) -> tuple[Scene, int]:
    """Fences, mentions, links and tags, in the words and in what a rule provides."""
    it = unanimity(folder)
    words = "```\n@alice, see #1 and [here](https://example.org) <img src=x>\n````\n</details>\n</pre>\n~~~"
    return it, it.propose("alice", {"rules/mutable/new.md": f"{words}\n".encode()})


def number_of_a_series_in_debate(folder: Path) -> tuple[Scene, int]:
    it = game(folder, book=rules(SERIES))
    path = "rules/mutable/-105.md"
    return it, it.propose("alice", {path: it.file(path).replace(b"200", b"100")}, draft=True)


def number_of_a_series(folder: Path) -> tuple[Scene, int]:
    it = game(folder, book=rules(SERIES))
    return it, it.amend("alice", -105, b"200", b"100")


def stale(folder: Path) -> tuple[Scene, int]:
    it = majority(folder)
    first = it.amend("alice", -105, b"200", b"150")
    number = it.amend("bob", -105, b"200", b"100")
    it.vote(first, "for", "bob", "carol")
    return it, number


def stale_in_debate(folder: Path) -> tuple[Scene, int]:
    it = majority(folder)
    first = it.amend("alice", -105, b"200", b"150")
    path = "rules/mutable/-105.md"
    number = it.propose("bob", {path: it.file(path).replace(b"200", b"100")}, draft=True)
    it.vote(first, "for", "bob", "carol")
    return it, number


def blocked_by_a_repeal(folder: Path) -> tuple[Scene, int]:
    it = majority(folder)
    first = it.propose("alice", {"rules/mutable/-107.md": None})
    number = it.amend("bob", -107, b"10", b"5")
    it.vote(first, "for", "bob", "carol")
    return it, number


def blocked_by_relaxation(folder: Path) -> tuple[Scene, int]:
    it = game(folder, "alice", "bob", book=rules((-110, rules().rules[-110].source.replace(b"each: 2", b"each: 1"))))
    first, second = it.enact("alice", name="a"), it.enact("bob", name="b")
    number = it.amend("alice", -110, b"adoption.threshold: unanimous", b"adoption.threshold: 2/3")
    it.vote(first, "for", "bob")
    it.vote(second, "for", "alice")
    return it, number


def blocked_by_a_limit(folder: Path) -> tuple[Scene, int]:
    full = rules().rules[-104].source.replace(b"maximum: 25", b"maximum: 12")
    it = game(folder, book=rules((-104, full)))
    return it, it.enact("alice")


def blocked_by_a_safeguard(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    number = it.propose("alice", {"rules/mutable/-105.md": None})
    it.vote(number, "for", "bob")
    return it, number


def blocked_by_another_safeguard(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    odd = '---\nprovisions:\n  adoption.threshold: "votes_for > 9"\nprecedence: {over: [all]}\n---\n\nMany.\n'
    return it, it.propose("alice", {"rules/mutable/new.md": odd.encode()})


def blocked_by_a_winner(folder: Path) -> tuple[Scene, int]:
    it = majority(folder)
    first, number = it.amend("alice", -105, b"200", b"5"), it.enact("bob")
    it.vote(first, "for", "bob", "carol")
    return it, number


def improper(files: dict[str, bytes | None]) -> Play:
    def play(folder: Path) -> tuple[Scene, int]:
        it = unanimity(folder)
        return it, it.propose("alice", files)

    return play


def improper_unreadable_names(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    return it, it.propose("alice", {"rules/mutable/`@bob` <b> #1.txt": b"Hello.\n", "README.md": b"Hello.\n"})


def improper_message(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    head = it.commit({"rules/mutable/new.md": b"Hello.\n"}, message="Fixes #1, @bob\n\nNomic-Event: won")
    return it, it.propose("alice", head)


def improper_transmuted_and_changed(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    file = it.file("rules/immutable/-201.md").replace(b"free", b"loose")
    return it, it.propose("alice", {"rules/immutable/-201.md": None, "rules/mutable/-201.md": file})


def improper_with_another_inside(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    first = it.enact("alice", name="first")
    head = it.commit({"rules/mutable/second.md": b"Hello.\n"}, on=it.heard(first).head, who="bob")
    return it, it.propose("bob", head)


def improper_log(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    head = it.commit({"rules/mutable/new.md": b"Be kind.\n"}, email="alice@players.invalid")
    number = it.propose("alice", head)
    it.vote(number, "for", "bob", "carol", "dave")
    spoil(it, number, "alice")
    return it, number


def voting_with_logs_that_cannot_be_read(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    number = it.enact("alice")
    it.vote(number, "for", "bob", "dave")
    for login in ("dave", "mallory"):
        spoil(it, number, login)
    return it, number


def spoil(it: Scene, number: int, login: str) -> None:
    blob = it.clone.repository.create_blob(b"no log")
    it.clone.repository.references.create(f"refs/nomic/proposals/{number}/log/{login}", blob, force=True)


def improper_branch(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    number = it.enact("alice")
    it.clone.repository.references.create(f"refs/nomic/proposals/{number}/head", it.clone.tip.tree_id, force=True)
    return it, number


def adopted(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    number = it.enact("alice")
    it.vote(number, "for", "bob", "carol", "dave")
    return it, number


def adopted_with_dissent(folder: Path) -> tuple[Scene, int]:
    it = majority(folder, SERIES)
    number = it.amend("alice", -107, b"10", b"5")
    it.vote(number, "against", "dave")
    it.vote(number, "for", "bob", "carol")
    return it, number


def adopted_repeal(folder: Path) -> tuple[Scene, int]:
    it = majority(folder)
    number = it.propose("alice", {"rules/mutable/-111.md": None})
    it.vote(number, "for", "bob", "carol")
    return it, number


def adopted_transmutation(folder: Path) -> tuple[Scene, int]:
    it = game(folder, "alice", "bob")
    file = it.file("rules/mutable/-106.md")
    number = it.propose("alice", {"rules/mutable/-106.md": None, "rules/immutable/-106.md": file})
    it.vote(number, "for", "bob")
    return it, number


def defeated(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    number = it.amend("bob", -105, b"200", b"100")
    it.vote(number, "against", "carol")
    return it, number


def withdrawn(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    number = it.enact("alice")
    it.do("alice", number, Deed.WITHDRAWN)
    return it, number


def conceded(folder: Path) -> tuple[Scene, int]:
    """Others have voted, and the votes alone would not have ended it yet."""
    it = unanimity(folder)
    number = it.enact("alice")
    it.vote(number, "for", "bob", "carol")
    it.do("alice", number, Deed.WITHDRAWN)
    return it, number


def conceded_as_a_draft(folder: Path) -> tuple[Scene, int]:
    it = majority(folder)
    number = it.enact("alice")
    it.vote(number, "against", "bob")
    it.do("alice", number, Deed.DRAFT)
    return it, number


def lapsed(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    number = it.enact("dave")
    it.vote(number, "for", "alice")
    it.propose("dave", {"players/dave.md": None})
    return it, number


def debate_with_votes(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    number = it.enact("alice", "Be brief.", draft=True)
    it.vote(number, "for", "bob")
    head = it.commit({"rules/mutable/new.md": b"Be very brief.\n"}, on=it.heard(number).head)
    it.forge.push("alice", number, head, it.tick())
    it.vote(number, "for", "dave", "mallory")
    it.vote(number, "against", "carol")
    return it, number


def waiting_with_votes(folder: Path) -> tuple[Scene, int]:
    it, number = waiting(folder)
    it.vote(number, "for", "bob")
    return it, number


def improper_after_the_end(folder: Path) -> tuple[Scene, int]:
    it, _ = blocked_by_a_winner(folder)
    return it, it.propose("carol", {"rules/immutable/-201.md": b"Nothing is free.\n"})


def withdrawn_after_the_end(folder: Path) -> tuple[Scene, int]:
    it, number = blocked_by_a_winner(folder)
    it.vote(number, "for", "erin")
    it.sit()
    it.do("bob", number, Deed.WITHDRAWN)
    return it, number


def joined(folder: Path) -> tuple[Scene, int]:
    it, number = voting_on_joining(folder)
    it.vote(number, "for", "alice", "carol", "dave")
    return it, number


def not_joined(folder: Path) -> tuple[Scene, int]:
    it, number = voting_on_joining(folder)
    it.vote(number, "against", "alice", "carol", "dave")
    return it, number


def joined_at_once(folder: Path) -> tuple[Scene, int]:
    it = game(folder, "alice")
    return it, it.propose("bob", {"players/bob.md": b"---\nname: Bob\n---\n"})


def forfeited(folder: Path) -> tuple[Scene, int]:
    it = unanimity(folder)
    return it, it.propose("dave", {"players/dave.md": None})


def voting_with_a_deadline(folder: Path) -> tuple[Scene, int]:
    it = majority(folder, DEADLINE)
    number = it.enact("alice")
    it.vote(number, "for", "bob")
    return it, number


def voting_with_a_deadline_against_the_absent(folder: Path) -> tuple[Scene, int]:
    it = majority(folder, DEADLINE, AGAINST)
    number = it.enact("alice")
    it.vote(number, "for", "bob")
    it.now += 6 * 86_400 + 20 * 3600
    return it, number


def voting_with_a_minimum_debate(folder: Path) -> tuple[Scene, int]:
    it = majority(folder, DEADLINE, DEBATE)
    number = it.enact("alice")
    it.vote(number, "for", "bob", "carol", "dave")
    return it, number


def voting_where_everybody_must(folder: Path) -> tuple[Scene, int]:
    it = majority(folder, MUST)
    number = it.enact("alice")
    it.vote(number, "for", "bob", "carol")
    return it, number


def voting_for_what_a_die_shows(folder: Path) -> tuple[Scene, int]:
    it = majority(folder, DIE)
    number = it.enact("alice")
    it.vote(number, "against", "bob")
    return it, number


def voting_on_another_way_to_score(folder: Path) -> tuple[Scene, int]:
    it = majority(folder)
    return it, it.propose("alice", {"rules/mutable/-111.md": DIE[1]})


def waiting_for_the_turn(folder: Path) -> tuple[Scene, int]:
    it = majority(folder, CLOCKWISE)
    return it, it.enact("carol")


def waiting_for_the_turn_of_somebody_away(folder: Path) -> tuple[Scene, int]:
    it = majority(folder, CLOCKWISE, LEAVE, IN_TIME)
    it.propose("alice", {"players/alice.md": b"---\nname: Alice\naway: true\n---\n"})
    it.sit()
    return it, it.enact("carol")


def waiting_for_the_turn_to_pass(folder: Path) -> tuple[Scene, int]:
    it = majority(folder, CLOCKWISE, IN_TIME)
    return it, it.enact("bob")


def debate_while_the_turn_runs_out(folder: Path) -> tuple[Scene, int]:
    it = majority(folder, CLOCKWISE, IN_TIME)
    number = it.enact("alice", draft=True)
    it.now += 86_400
    return it, number


def waiting_for_the_pause(folder: Path) -> tuple[Scene, int]:
    it = majority(folder, CLOCKWISE, PAUSE, IN_TIME)
    first = it.enact("alice")
    it.vote(first, "for", "bob", "carol")
    it.sit()
    return it, it.enact("bob", "Be quiet.", name="quiet")


def waiting_for_a_pause_between_any_turns(folder: Path) -> tuple[Scene, int]:
    it = majority(folder, PAUSE)
    first = it.enact("alice")
    it.vote(first, "for", "bob", "carol")
    it.sit()
    return it, it.enact("bob", "Be quiet.", name="quiet")


def adopted_with_a_die(folder: Path) -> tuple[Scene, int]:
    it = majority(folder, DIE)
    number = it.enact("alice")
    it.vote(number, "for", "bob", "carol")
    return it, number


def defeated_by_a_deadline(folder: Path) -> tuple[Scene, int]:
    it = majority(folder, DEADLINE)
    number = it.enact("alice")
    it.vote(number, "for", "bob")
    it.now += 8 * 86_400
    return it, number


def adopted_by_a_deadline(folder: Path) -> tuple[Scene, int]:
    silence = AGAINST[1].replace(b"against", b"for").replace(b"dissent", b"consent")
    it = majority(folder, DEADLINE, (-302, silence))
    number = it.enact("alice")
    it.vote(number, "against", "bob")
    it.now += 8 * 86_400
    return it, number


def pleads(it: Scene, number: int, *said: str) -> None:
    """What players say about a judgment, each as `login word words`, one after another."""
    for one in said:
        login, word, *words = one.split(" ", 2)
        it.forge.note(login, number, Deed.JUDGMENT, it.tick(), word=word, words="".join(words))


def judged(folder: Path) -> tuple[Scene, int]:
    it = majority(folder)
    number = it.enact("alice")
    it.sit()
    pleads(it, number, "bob judgment Is this *one* rule, @carol?", "alice ask carol", "carol rule legal, by rule -110")
    pleads(it, number, "dave overrule", "bob rule illegal", "erin consent")
    return it, number


def judged_at_last(folder: Path) -> tuple[Scene, int]:
    it, number = judged(folder)
    pleads(it, number, "alice overrule", "bob overrule", "erin overrule", "carol ask dave", "dave rule undecided?")
    pleads(it, number, "carol uphold")
    return it, number


def said_after_the_turn(folder: Path) -> tuple[Scene, int]:
    it = majority(folder)
    number = it.enact("alice")
    it.vote(number, "for", "bob", "carol")
    it.sit()
    it.enact("bob", name="other")
    pleads(it, number, "carol judgment Was that a rule?", "carol overrule")
    return it, number


def voided(folder: Path) -> tuple[Scene, int]:
    it = majority(folder)
    number = it.amend("alice", -105, b"200", b"100")
    it.vote(number, "for", "bob", "carol")
    it.sit()
    pleads(it, number, "erin judgment Was that legal?", "alice ask bob", "bob rule illegal: not by -101", "dave uphold")
    return it, number


SITUATIONS: dict[str, Play] = {
    one.__name__.replace("_", "-"): one
    for one in (
        judged,
        judged_at_last,
        said_after_the_turn,
        voided,
        debate,
        waiting,
        waiting_for_players,
        voting_under_unanimity,
        voting_on_what_would_be_void,
        voting_on_what_another_rule_overrides,
        voting_under_a_majority,
        voting_by_an_expression,
        voting_by_an_expression_that_fails,
        voting_on_a_transmutation,
        voting_on_a_repeal,
        voting_on_joining,
        words_without_provisions,
        provisions_without_words,
        invisible_characters,
        words_that_would_act,
        number_of_a_series_in_debate,
        number_of_a_series,
        stale,
        stale_in_debate,
        blocked_by_a_repeal,
        blocked_by_relaxation,
        blocked_by_a_limit,
        blocked_by_a_safeguard,
        blocked_by_another_safeguard,
        blocked_by_a_winner,
        improper_unreadable_names,
        improper_message,
        improper_transmuted_and_changed,
        improper_with_another_inside,
        improper_log,
        voting_with_logs_that_cannot_be_read,
        improper_branch,
        adopted,
        adopted_with_dissent,
        adopted_repeal,
        adopted_transmutation,
        defeated,
        withdrawn,
        conceded,
        conceded_as_a_draft,
        lapsed,
        debate_with_votes,
        waiting_with_votes,
        improper_after_the_end,
        withdrawn_after_the_end,
        joined,
        not_joined,
        joined_at_once,
        forfeited,
        voting_with_a_deadline,
        voting_with_a_deadline_against_the_absent,
        voting_with_a_minimum_debate,
        voting_where_everybody_must,
        voting_for_what_a_die_shows,
        voting_on_another_way_to_score,
        waiting_for_the_turn,
        waiting_for_the_turn_of_somebody_away,
        waiting_for_the_turn_to_pass,
        debate_while_the_turn_runs_out,
        waiting_for_the_pause,
        waiting_for_a_pause_between_any_turns,
        adopted_with_a_die,
        defeated_by_a_deadline,
        adopted_by_a_deadline,
    )
} | {
    "improper-immutable": improper({"rules/immutable/-201.md": b"Nothing is free.\n"}),
    "improper-two-rules": improper({"rules/mutable/a.md": b"One.\n", "rules/mutable/b.md": b"Another.\n"}),
    "improper-without-words": improper({"rules/mutable/a.md": b"---\ntitle: Tea\n---\n"}),
    "improper-unknown-key": improper({"rules/mutable/a.md": b"---\n'@bob `x` <b>': 1\n---\n\nWords.\n"}),
    "improper-seat-of-another": improper({"players/bob.md": None}),
    "improper-formerly": improper({"rules/mutable/a.md": b"---\nformerly: [3]\n---\n\nWords.\n"}),
}


@pytest.mark.parametrize("name", sorted(SITUATIONS))
def test_the_referee_says_what_its_golden_file_says(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    it, number = SITUATIONS[name](tmp_path / "game")
    it.sit()
    said = it.said(number)
    golden = GOLDEN / f"{name}.md"
    if request.config.getoption("--renew-golden"):
        golden.write_text(said, newline="")
    assert said == golden.read_bytes().decode()


def test_every_golden_file_belongs_to_a_situation() -> None:
    assert {path.stem for path in GOLDEN.glob("*.md")} == set(SITUATIONS)


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.md")), ids=lambda path: path.stem)
def test_what_the_referee_says_is_well_formed(path: Path) -> None:
    said = path.read_bytes().decode()
    prose = re.sub(r"(`{3,})diff\n.*?\n\1\n", "(the difference)\n", said, flags=re.DOTALL)
    assert "\n\n\n" not in prose
    assert re.match(
        r"<!-- nomic-git: tally -->\n### Proposal [^\n]*\n\nProposed by [a-z]+\. It (is|was) \*\*[a-z ]+\*\*", said
    )
    assert not re.search(r"[ \t]\n", prose)
    assert said.endswith("\n")
    assert not said.endswith("\n\n")
    plain = re.sub(r"`[^`\n]*`", "", prose)
    assert "@" not in plain
    assert not re.search(r"<(?!!-- nomic-git|/?details|/?summary)", plain)
    assert not re.search(r"#\d|https?:", plain)
    assert all(one.isprintable() or one == "\n" for one in said)


def test_a_pull_request_that_touches_no_rule_is_left_alone(tmp_path: Path) -> None:
    it = game(tmp_path / "game")
    number = it.propose("alice", {"README.md": b"Hello.\n"})
    report = it.sit()
    assert (report.done, report.comments, it.forge.comment(number)) == ((), 0, None)


def test_nothing_is_written_for_a_stranger_but_on_joining_in_order(tmp_path: Path) -> None:
    it = game(tmp_path / "game")
    rule = it.enact("mallory")
    seat = it.propose("trent", {"players/trent.md": b"---\nname: Trent\n---\n"})
    bad = it.propose("oscar", {"players/oscar.md": b"---\nunknown: 1\n---\n"})
    assert it.sit().comments == 1
    assert "Proposed by trent. It is **being voted on**." in it.said(seat)
    assert [it.forge.comment(number) for number in (rule, bad)] == [None, None]


def test_a_stranger_who_would_join_without_a_surname_is_told_once_what_is_missing(tmp_path: Path) -> None:
    it = game(tmp_path / "game", book=rules(BY_SURNAME))
    number = it.propose("trent", {"players/trent.md": b"---\nname: Trent Reed\n---\n"})
    assert [it.sit().comments for _ in range(2)] == [1, 0]
    assert (
        "Turns in this game go by surname, and the file of trent gives none. Write it at the head of the file: a line "
        "`---`, a line `surname: ` with the surname, and again a line `---`. (rule -112)"
    ) in it.said(number)


def test_a_difference_that_is_very_long_is_cut_and_says_so(tmp_path: Path) -> None:
    it = game(tmp_path / "game")
    number = it.enact("alice", "A long line of words.\n" * 2000)
    it.sit()
    assert len(it.said(number)) < 25_000
    assert "... (cut here; see the branch for the rest)" in it.said(number)
