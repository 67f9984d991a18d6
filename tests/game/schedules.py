"""Whole fates of proposals, drawn for games of every order of turns, with deadlines, dice and judgment."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha1
from typing import TYPE_CHECKING

from hypothesis import strategies as st
from table import AGAINST, BACK, FOR, SHIPPED, amend, enact, join, law, leave, proposal, repeal, shipped, transmute
from table import rule as written

from nomic_git.game import turns
from nomic_git.game.docket import docket
from nomic_git.game.event import EventKind, write_trailers
from nomic_git.game.judgment import Move, Plea
from nomic_git.game.player import read_player
from nomic_git.game.replay import follow
from nomic_git.game.resolution import next_event
from nomic_git.game.state import read_state, write_state
from nomic_git.game.transition import after, founded
from nomic_git.law.precedence import read_law
from nomic_git.law.rule import Status
from nomic_git.law.rule_change import Absence, Improper, Impropriety, NewSurname, NoProposal, improper

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from nomic_git.game.event import Event
    from nomic_git.game.position import Position
    from nomic_git.game.proposal import Proposal
    from nomic_git.law.precedence import Law
    from nomic_git.law.rule import Rule
    from nomic_git.law.rule_change import Reading

PEOPLE = ("alice", "bob", "carol", "dave")
SURNAMES = {"alice": "Zeller", "bob": "Young", "carol": "Ark", "dave": "Berg", "erin": "Moss"}
END = 1200
"""The last second of a schedule."""

IMPROPER = Improper((improper(Impropriety.TWO_RULES, count=2),))
PROVISIONS: dict[str, tuple[str, ...]] = {
    "turns.order": ("clockwise", "clockwise", "by-surname", "open"),
    "turns.deadline": ("none", "2m", "5m"),
    "turns.pause": ("none", "1m", "3m"),
    "turns.points": ("die", "die", '"(proposal + 9) * votes_for / votes_cast"', "0"),
    "votes.deadline": ("none", "2m", "4m"),
    "votes.absent": ("abstain", "against", "for"),
    "votes.closing": ("all-voted", "decided"),
    "votes.participation": ("optional", "required"),
    "debate.minimum": ("2m", "4m"),
    "adoption.threshold": ("unanimous", "simple-majority", '"2/3"'),
    "adoption.relaxation": (
        "{after-circuits: 1, threshold: simple-majority}",
        "{after-turns-each: 1, threshold: simple-majority}",
    ),
    "players.joining": ("open", "vote"),
    "victory.points": ("25", "none", "8"),
    "dissent.points": ("10",),
    "defeat.points": ("-10",),
    "judgment.judge": ("preceding-player", "preceding-player", "chosen-by-mover", "none"),
    "judgment.overruling": ("unanimous", "simple-majority"),
    "judgment.consent": ("simple-majority", "unanimous"),
    "stalemate.winner": ("first-unable-to-complete-a-turn", "none"),
    "changes.kinds": ("[amend]",),
    "players.leave": ("allowed",),
}
LINES = st.sampled_from([f"{key}: {value}" for key, values in PROVISIONS.items() for value in values])
ALWAYS = ("turns.order", "judgment.judge", "adoption.threshold", "turns.points")
AMENDED = ("turns.order: open", "turns.order: clockwise", "turns.pause: 1m", "judgment.judge: none", "turns.points: 3")


Drawn = tuple[str | None, tuple[str, ...]]
"""A law in a line: the rulebook that it is of, None for its own, and provisions."""


@st.composite
def laws(draw: st.DrawFn) -> Drawn:
    """Provisions of a law of its own, or a rulebook that ships with a few provisions that prevail in it."""
    if draw(st.integers(0, 3)) == 0:
        more = draw(st.lists(LINES, max_size=3, unique_by=lambda one: one.partition(":")[0]))
        return draw(st.sampled_from(SHIPPED)), tuple(more)
    given = {key: draw(st.sampled_from(PROVISIONS[key])) for key in ALWAYS}
    more = draw(st.lists(st.sampled_from([key for key in PROVISIONS if key not in ALWAYS]), unique=True))
    given |= {key: draw(st.sampled_from(PROVISIONS[key])) for key in more}
    return None, tuple(f"{key}: {value}" for key, value in given.items())


def law_of(drawn: Drawn, *more: str) -> Law:
    book, lines = drawn
    lines = (*more, *lines)
    if book is None:
        return law(*lines)
    made = shipped(book).rulebook
    for at, line in enumerate(lines):
        made = made.with_rule(written(-900 - at, line, status=Status.IMMUTABLE))
    return read_law(made)


def table_of(under: Law, players: int, nameless: Collection[str] = ()) -> Position:
    """A game just founded; the `nameless` were seated when turns did not go by surname."""
    having = [login for login in PEOPLE if login not in nameless]
    files = {login: read_player(login, b"") for login in nameless}
    files |= {login: read_player(login, f"---\nsurname: {SURNAMES[login]}\n---\n".encode()) for login in having}
    return founded(under, {login: files[login] for login in PEOPLE[:players]}, 0)


@st.composite
def readings(draw: st.DrawFn, under: Law) -> Reading:
    mutable = under.rulebook.of(Status.MUTABLE)
    what = draw(st.sampled_from(["enact", "enact", "enact", "amend", "amend", "repeal", "transmute", "nonsense"]))
    line = draw(st.one_of(LINES, st.sampled_from(AMENDED)))
    provisions = (line,) if draw(st.booleans()) else ()
    if what == "nonsense":
        return IMPROPER
    if what == "enact" or not mutable:
        return enact(*provisions, words=draw(st.sampled_from(["Some words.", "Other words."])))
    number = draw(st.sampled_from([one.number for one in mutable]))
    return {"amend": lambda: amend(under, number, *provisions)}.get(
        what, lambda: (repeal if what == "repeal" else transmute)(under, number)
    )()


MOMENTS = st.integers(1, END // 30).map(lambda at: 30 * at)
EARLY = st.integers(1, 12).map(lambda at: 30 * at)
WHO = st.sampled_from(PEOPLE)
RULINGS = st.sampled_from(["legal", "illegal", "illegal", "undecided", "legal: see 105", "As 201 says."])


LATER = st.sampled_from([0, 0, 30, 30, 60])


@st.composite
def talks(draw: st.DrawFn, since: int) -> list[Plea]:
    """What is said of judgments on a proposal: mostly what leads on, said by all who may be asked, sometimes not."""
    at = since + draw(st.sampled_from([0, 30, 60, 60, 60, 90, 300]))
    found = [Plea(one, Move.INVOKE, at, "Is it legal?") for one in draw(st.sampled_from([PEOPLE, PEOPLE[1:]]))]
    for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2, 3]))):
        at += draw(LATER)
        if draw(st.integers(0, 4)):
            found += _course(draw, at)
        else:
            move = draw(st.sampled_from(Move))
            said = {Move.INVOKE: "And now?", Move.ASK: draw(WHO), Move.RULE: draw(RULINGS)}.get(move, "")
            found += [Plea(one, move, at, said) for one in draw(st.lists(WHO, max_size=3))]
        at = found[-1].time
    return [one for one in found if one.time <= END]


def _course(draw: st.DrawFn, at: int) -> list[Plea]:
    """One Judge's question from the asking on: everybody asks, rules and answers, and who may is heard."""
    found, asked, ruling = [], draw(WHO), draw(RULINGS)
    answer = draw(st.sampled_from([Move.UPHOLD, Move.UPHOLD, Move.OVERRULE, Move.CONSENT]))
    for move, said in ((Move.ASK, asked), (Move.RULE, ruling), (answer, "")):
        found += [Plea(one, move, at, said) for one in PEOPLE]
        at += draw(LATER)
    return found


@st.composite
def votes(draw: st.DrawFn, since: int) -> list[tuple]:
    if draw(st.integers(0, 3)):
        at = min(END, since + draw(st.sampled_from([0, 0, 30, 60, 90, 300])))
        against = draw(st.lists(WHO, max_size=2)) if draw(st.booleans()) else []
        return [(one, AGAINST if one in against else FOR, at) for one in PEOPLE]
    one = st.tuples(WHO, st.sampled_from([FOR, FOR, AGAINST, BACK]), MOMENTS)
    return draw(st.lists(one, max_size=6))


@st.composite
def schedules(draw: st.DrawFn, under: Law, *, steady: bool = False, judged_too: bool = False) -> list[Proposal]:
    """Proposals whose whole fate at the forge is known, up to the end.

    `steady` ones stay ready once they are, and so do those of which judgment is spoken unless `judged_too`.
    """
    made = []
    for at in range(draw(st.integers(1, 7))):
        author = draw(st.sampled_from([*PEOPLE, *[PEOPLE[at % 3]] * 4]))
        what = draw(st.sampled_from(["change"] * 14 + ["join", "leave", "away", "back", "surname"]))
        author = "erin" if what == "join" else author
        change = draw(readings(under)) if what == "change" else request(what, author)
        judged = what == "change" and draw(st.booleans())
        stays = steady or what != "change" or (judged and not judged_too)
        most = 1 if stays else draw(st.sampled_from([1, 1, 1, 4]))
        moments = sorted(draw(st.sets(EARLY, min_size=1, max_size=most)))
        periods = [(since, until) for since, until in zip(moments[::2], [*moments[1::2], None], strict=False)]
        withdrawn = moments[-1] if len(moments) % 2 == 0 and draw(st.booleans()) else None
        cast = draw(votes(moments[0]))
        said = draw(talks(moments[0])) if judged else []
        made.append((author, change, cast, periods, withdrawn, said))
    # Numbers are given in the order in which proposals are made.
    made.sort(key=lambda one: one[3][0][0])
    return [
        with_ids(
            replace(
                proposal(forge, author, change, *cast, ready=periods, withdrawn=withdrawn),
                pleas=tuple(sorted(said, key=lambda one: one.time)),
            )
        )
        for forge, (author, change, cast, periods, withdrawn, said) in enumerate(made, 1)
    ]


def request(what: str, login: str) -> Reading:
    """What a player asks that is no rule-change: to join, to leave, to be away or back, to be seated by surname."""
    away = "away: true\n" if what == "away" else ""
    source = f"---\nsurname: {SURNAMES[login]}\n{away}---\n".encode()
    if what in {"away", "back"}:
        return Absence(login, source, away=what == "away")
    if what == "surname":
        return NewSurname(login, source)
    return join(login, source) if what == "join" else leave(login)


@st.composite
def circuits(draw: st.DrawFn, under: Law, players: int) -> list[Proposal]:
    """Turns in the order of joining, voted on at once, of which judgment is spoken before or after."""
    made, at = [], 30
    for forge in range(1, draw(st.integers(2, 6))):
        author = PEOPLE[(forge - 1) % players]
        at += draw(st.sampled_from([120, 120, 180, 30]))
        against = draw(st.lists(WHO, max_size=1))
        cast = [(one, AGAINST if one in against else FOR, at + 30) for one in PEOPLE]
        said = draw(talks(at)) if draw(st.integers(0, 2)) else []
        one = proposal(forge, author, draw(readings(under)), *cast, ready=at)
        made.append(with_ids(replace(one, pleas=tuple(sorted(said, key=lambda one: one.time)))))
    return made


def with_ids(one: Proposal) -> Proposal:
    named = (replace(vote, id=f"{one.forge}v{at}") for at, vote in enumerate(one.ballots))
    return replace(one, ballots=tuple(named))


def undoing(law_before: dict[int, Law], event: Event) -> Rule | None:
    rule = event.change.rule if event.kind is EventKind.VOIDED and event.change is not None else None
    return None if rule is None else law_before[event.proposal or 0].rulebook.rules.get(rule)


def look(
    position: Position, proposals: Sequence[Proposal], now: int, before: dict[int, Law] | None = None
) -> tuple[Position, list[Event]]:
    """What a pass of the referee comes to, each event followed as the audit follows it, each state written and read."""
    laws_before = {} if before is None else before
    events: list[Event] = []
    while True:
        lately = position.state.lately
        said = next((one.pleas for one in proposals if lately is not None and one.forge == lately.proposal), ())
        due = next_event(position, docket(position, proposals, now), now, said)
        if due is None:
            return position, events
        event, about = due
        reading = None if about is None else about.proposal.reading
        change = None if isinstance(reading, Improper | NoProposal) else reading
        if event.kind is EventKind.ADOPTED:
            laws_before[event.proposal or 0] = position.law
        undone = undoing(laws_before, event)
        there = after(position, event, change, undone)
        found = follow(position, event, change, undone)
        assert not hasattr(found, "what"), f"{found.what} {found.facts} in {write_trailers(event)}"
        assert found.state == there.state
        assert found.law.rulebook == there.law.rulebook
        assert read_state(write_state(there.state)) == there.state
        assert position.state.time <= event.time <= now
        assert {one.login for one in there.state.seats} == {*there.players}
        in_turn(position, event)
        position = replace(there, last=identity_of(position.last, event))
        events.append(event)
        assert len(events) < 300, "the game comes to rest"


def in_turn(position: Position, event: Event) -> None:
    """Hold that who moves has the turn, and has had none in this circuit."""
    ends = event.kind in {EventKind.ADOPTED, EventKind.DEFEATED} and event.change is not None
    if not (ends or event.kind is EventKind.PASSED) or not turns.is_ordered(position.law):
        return
    seat = position.state.seat(event.player or "")
    assert seat is not None
    assert turns.mover(position) == seat.login
    assert seat.moved < position.state.circuit


def identity_of(last: str, event: Event) -> str:
    return sha1(f"{last} {line(event)}".encode(), usedforsecurity=False).hexdigest()


def line(event: Event) -> str:
    """An event in a line; when voting on something that was taken back had opened may have gone unseen."""
    unseen = {"Nomic-Opened", "Nomic-Number"} if event.kind is EventKind.WITHDRAWN else set()
    return " ".join([str(event.time), *(value for key, value in write_trailers(event) if key not in unseen)])


def looks(position: Position, proposals: Sequence[Proposal], moments: Iterable[int]) -> tuple[Position, list[Event]]:
    events: list[Event] = []
    before: dict[int, Law] = {}
    for now in moments:
        position, more = look(position, proposals, now, before)
        events += more
    return position, events
