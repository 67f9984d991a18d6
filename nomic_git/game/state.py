"""Where the game stands: what all its events add up to, as `scores.json` has it (design section 2)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from nomic_git.game.change_record import ChangeRecord, read_change, write_change
from nomic_git.game.instant import read_instant, write_instant
from nomic_git.game.numbers import NONE, Numbers, numbers
from nomic_git.game.player import is_login
from nomic_git.law.errors import Unreadable

if TYPE_CHECKING:
    from nomic_git.game.judgment import Judgment, Plea

FORMAT = 2
"""The format of `scores.json`. It changes whenever an old referee could misread a new file."""

PLAIN = 1
"""The format of a file that says nothing of turns in an order, or of judgments."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place in the game.

    `points` and `turns` (had so far) are counts; `joined` is the instant of joining and `free` the instant
    since which no turn of the player is in progress, both in seconds since the epoch. `absences` are when the player
    went away and came back, None for not yet, oldest first; those on which nothing depends any more are left out.
    `account` is the id of the account at the forge that a former player had, None where none is known; of those who
    play, their files have it. `moved` is the circuit in which the last turn of the player's was, from 1; 0 where there
    was none, or turns have no order.
    """

    login: str
    points: int
    turns: int
    joined: int
    free: int
    moved: int = 0
    absences: tuple[tuple[int, int | None], ...] = ()
    account: int | None = None

    @property
    def is_away(self) -> bool:
        """Whether the player is away now (`players.leave`)."""
        return bool(self.absences) and self.absences[-1][1] is None

    def was_away(self, instant: int) -> bool:
        """Return whether the player was away at an instant, in seconds since the epoch."""
        return any(since <= instant and (until is None or instant < until) for since, until in self.absences)


@dataclass(frozen=True, slots=True)
class Turn:
    """The turn that ended last, as far as judging it needs (212): the proposal, its number, its author, the points.

    `change` is what was adopted, None where it was defeated. `illegal` says that it was found so, and is to be undone.
    """

    proposal: int
    number: int | None
    player: str
    change: ChangeRecord | None
    points: tuple[tuple[str, int], ...] = ()
    illegal: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """Where the game stands.

    `time` is the instant of the last event and `playing` the one since which there have been two players or
    more, None while there are fewer. `seats` stand in the order of joining, `former` are those who
    forfeited. `mover` is whose turn ended last. `resolved` has the forge's numbers of all that was resolved,
    `given` the rulebook's numbers that were ever given, `numbered` those given to proposals still open.
    `round` is which of the games that have been played one after another this is, from 1.

    Where turns have an order, `turn` is whose it is, None until the first has ended, and `circuits` how many circuits
    are complete (201). `ended` is when the last turn ended and `lately` which that was, None where it was passed.
    `judgment` is the open one, `held` from when until when those before kept turns from beginning, and `struck`
    what was found illegal of the open proposals: the forge's number and the text (212). `stuck` is who cannot complete
    a turn, None while play can go on (213).
    """

    time: int
    playing: int | None = None
    seats: tuple[Seat, ...] = ()
    former: tuple[Seat, ...] = ()
    mover: str | None = None
    winner: str | None = None
    resolved: Numbers = NONE
    given: Numbers = NONE
    numbered: tuple[tuple[int, int], ...] = ()
    round: int = 1
    turn: str | None = None
    circuits: int = 0
    ended: int | None = None
    lately: Turn | None = None
    judgment: Judgment | None = None
    held: tuple[tuple[int, int], ...] = ()
    struck: tuple[tuple[int, str], ...] = ()
    stuck: str | None = None

    def seat(self, login: str) -> Seat | None:
        """Return a player's seat; logins are compared without regard to case."""
        for seat in self.seats:  # Nearly always it is written as the seat has it.
            if seat.login == login:
                return seat
        folded = login.casefold()
        return next((seat for seat in self.seats if seat.login.casefold() == folded), None)

    def left(self, login: str, account: int | None = None) -> Seat | None:
        """Return the seat that a player had before forfeiting, of several the last.

        Where the id of the player's account is given, that decides, and the login only where no id is known of the
        one who left under it: a login can be somebody else's by now (section 2).
        """
        if not self.former:
            return None
        folded = login.casefold()
        own = [seat for seat in self.former if account is not None and seat.account == account]
        known = (None, account) if account is not None else {seat.account for seat in self.former}
        namesakes = [seat for seat in self.former if seat.login.casefold() == folded and seat.account in known]
        return next(iter(reversed(own or namesakes)), None)

    def number(self, proposal: int) -> int | None:
        """Return the rulebook's number of an open proposal of a series, None until it is given."""
        return next((number for forge, number in self.numbered if forge == proposal), None)

    @property
    def circuit(self) -> int:
        """The circuit that is being played, from 1; without an order, one more than the turns everybody has had."""
        if self.turn is not None:
            return 1 + self.circuits
        return 1 + min((seat.turns for seat in self.seats), default=0)

    def is_judged(self, proposal: int | None) -> bool:
        """Return whether judgment is open on a proposal, by the forge's number (212)."""
        return self.judgment is not None and self.judgment.proposal == proposal

    def seats_with(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats with one in place of that with the same login."""
        old = self.seat(seat.login)
        return tuple(seat if one is old else one for one in self.seats)

    def with_seat(self, seat: Seat) -> State:
        """Return the state with a seat in place of the one with the same login."""
        return replace(self, seats=self.seats_with(seat))

    def scoring(self, points: Mapping[str, int]) -> State:
        """Return the state with points added to those who are in the game."""
        if not points:
            return self
        seats = (
            replace(one, points=one.points + points[one.login]) if one.login in points else one for one in self.seats
        )
        return replace(self, seats=tuple(seats))


def standings(state: State) -> tuple[Seat, ...]:
    """Return the seats, best first; of equal points, whoever joined first."""
    return tuple(sorted(state.seats, key=lambda seat: -seat.points))


def write_state(state: State) -> bytes:
    """Return the bytes of `scores.json`, a line a player, the same for the same state."""
    later = _later(state)
    parts = [
        f'  "format": {FORMAT if later or any(seat.moved for seat in state.seats) else PLAIN}',
        *([f'  "round": {state.round}'] if state.round > 1 else []),
        f'  "time": "{write_instant(state.time)}"',
        f'  "playing": {_instant_or_null(state.playing)}',
        f'  "players": {_seats(state.seats)}',
        f'  "former": {_seats(state.former)}',
        f'  "circuit": {state.circuit}',
        f'  "mover": {json.dumps(state.mover)}',
        f'  "winner": {json.dumps(state.winner)}',
        f'  "resolved": {json.dumps(state.resolved.ranges)}',
        f'  "given": {json.dumps(state.given.ranges)}',
        f'  "numbered": {json.dumps({str(forge): number for forge, number in state.numbered})}',
        *(f'  "{key}": {json.dumps(value)}' for key, value in later.items()),
    ]
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode()


def _later(state: State) -> dict[str, Any]:
    """Return what only games with an order of turns, or with judgment, have to say."""
    judgment, ended = state.judgment, state.ended
    found = {
        "turn": None if state.turn is None else {"player": state.turn, "circuits": state.circuits},
        "ended": None if ended is None else write_instant(ended),
        "lately": None if state.lately is None else _turn(state.lately),
        "judgment": None if judgment is None else _judgment(judgment),
        "held": [[write_instant(one) for one in pair] for pair in state.held] or None,
        "struck": [list(one) for one in state.struck] or None,
        "stuck": state.stuck,
    }
    return {key: value for key, value in found.items() if value is not None}


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "proposal": turn.proposal,
        "number": turn.number,
        "player": turn.player,
        "change": None if turn.change is None else write_change(turn.change),
        "points": dict(turn.points),
        **({"illegal": True} if turn.illegal else {}),
    }


def _judgment(judgment: Judgment) -> dict[str, Any]:
    last = judgment.last
    return {
        "proposal": judgment.proposal,
        "mover": judgment.mover,
        "invoker": judgment.invoker,
        "invoked": write_instant(judgment.invoked),
        "judges": list(judgment.judges),
        "sought": judgment.sought,
        "ruling": judgment.ruling,
        "ruled": None if judgment.ruled is None else write_instant(judgment.ruled),
        "last": None if last is None else [last.player, last.move, write_instant(last.time)],
        **({} if judgment.text is None else {"text": judgment.text}),
        **({} if judgment.subject is None else {"subject": judgment.subject}),
    }


def _instant_or_null(seconds: int | None) -> str:
    return "null" if seconds is None else f'"{write_instant(seconds)}"'


def _seats(seats: Sequence[Seat]) -> str:
    lines = [
        f'    {{"login": "{seat.login}", "points": {seat.points}, "turns": {seat.turns}, '
        f'"joined": "{write_instant(seat.joined)}", "free": "{write_instant(seat.free)}"'
        f"{_moved(seat)}{_absences(seat)}{_account(seat)}}}"
        for seat in seats
    ]
    return "[\n" + ",\n".join(lines) + "\n  ]" if lines else "[]"


def _absences(seat: Seat) -> str:
    """Return the absences of a player as the end of the player's line, nothing where there were none."""
    pairs = (f"[{_instant_or_null(since)}, {_instant_or_null(until)}]" for since, until in seat.absences)
    return f', "away": [{", ".join(pairs)}]' if seat.absences else ""


def _account(seat: Seat) -> str:
    return "" if seat.account is None else f', "id": {seat.account}'


def _moved(seat: Seat) -> str:
    return f', "moved": {seat.moved}' if seat.moved else ""


def read_state(source: bytes) -> State:
    """Return the state that the bytes of `scores.json` write. Raises Unreadable where they write none."""
    try:
        plain = json.loads(source)
    except (ValueError, RecursionError):
        raise Unreadable("scores.json is no JSON; restore it from the last event's commit") from None
    if not isinstance(plain, dict) or plain.get("format") not in (PLAIN, FORMAT):
        raise Unreadable(f"scores.json is not of format {FORMAT}; use the nomic-git that wrote it, or a newer")
    try:
        return _state(plain)
    except (KeyError, TypeError, ValueError, AttributeError, Unreadable):
        raise Unreadable("scores.json is not as it was written; restore it from the last event's commit") from None


def _state(plain: dict[str, Any]) -> State:
    return State(
        time=read_instant(plain["time"]),
        playing=None if plain["playing"] is None else read_instant(plain["playing"]),
        seats=tuple(_seat(one) for one in plain["players"]),
        former=tuple(_seat(one) for one in plain["former"]),
        mover=_login_or_none(plain["mover"]),
        winner=_login_or_none(plain["winner"]),
        resolved=_numbers(plain["resolved"]),
        given=_numbers(plain["given"]),
        numbered=tuple((int(forge), _int(number)) for forge, number in plain["numbered"].items()),
        round=_int(plain.get("round", 1)),
        **_read_later(plain),
    )


def _read_later(plain: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if "turn" in plain:
        found.update(turn=_login(plain["turn"]["player"]), circuits=_int(plain["turn"]["circuits"]))
    if "ended" in plain:
        found["ended"] = read_instant(plain["ended"])
    if "lately" in plain:
        found["lately"] = _read_turn(plain["lately"])
    if "judgment" in plain:
        found["judgment"] = _read_judgment(plain["judgment"])
    if "held" in plain:
        found["held"] = tuple((read_instant(since), read_instant(until)) for since, until in plain["held"])
    if "struck" in plain:
        found["struck"] = tuple((_int(proposal), _text(text)) for proposal, text in plain["struck"])
    if "stuck" in plain:
        found["stuck"] = _login(plain["stuck"])
    return found


def _read_turn(plain: dict[str, Any]) -> Turn:
    return Turn(
        proposal=_int(plain["proposal"]),
        number=None if plain["number"] is None else _int(plain["number"]),
        player=_login(plain["player"]),
        change=None if plain["change"] is None else read_change(_text(plain["change"])),
        points=tuple((_login(login), _int(points)) for login, points in plain["points"].items()),
        illegal="illegal" in plain,
    )


def _read_judgment(plain: dict[str, Any]) -> Judgment:
    from nomic_git.game.judgment import Judgment, Ruling  # which take a while to load, and few scores have any

    return Judgment(
        proposal=_int(plain["proposal"]),
        mover=_login(plain["mover"]),
        invoker=_login(plain["invoker"]),
        invoked=read_instant(plain["invoked"]),
        judges=tuple(_login(login) for login in plain["judges"]),
        sought=bool(plain["sought"]),
        ruling=None if plain["ruling"] is None else Ruling(plain["ruling"]),
        ruled=None if plain["ruled"] is None else read_instant(plain["ruled"]),
        last=None if plain["last"] is None else _plea(*plain["last"]),
        text=_text(plain["text"]) if "text" in plain else None,
        subject=_text(plain["subject"]) if "subject" in plain else None,
    )


def _seat(plain: dict[str, Any]) -> Seat:
    return Seat(
        login=_login(plain["login"]),
        points=_int(plain["points"]),
        turns=_int(plain["turns"]),
        joined=read_instant(plain["joined"]),
        free=read_instant(plain["free"]),
        moved=_int(plain.get("moved", 0)),
        absences=tuple(_absence(*pair) for pair in plain.get("away", ())),
        account=None if plain.get("id") is None else _int(plain["id"]),
    )


def _absence(since: str, until: str | None) -> tuple[int, int | None]:
    return read_instant(since), None if until is None else read_instant(until)


def _plea(player: Any, move: Any, time: Any) -> Plea:
    from nomic_git.game.judgment import Move, Plea  # as above

    return Plea(_login(player), Move(move), read_instant(time))


def _numbers(plain: Sequence[Sequence[int]]) -> Numbers:
    ranges = [(_int(low), _int(high)) for low, high in plain]
    if any(low > high for low, high in ranges):
        raise ValueError(plain)
    return numbers(ranges)


def _int(value: Any) -> int:
    if type(value) is not int:
        raise TypeError(value)
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


def _login(value: Any) -> str:
    if not isinstance(value, str) or not is_login(value):
        raise ValueError(value)
    return value


def _login_or_none(value: Any) -> str | None:
    return None if value is None else _login(value)
