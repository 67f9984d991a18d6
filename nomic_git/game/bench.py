"""The bench: who judges, what comes next, and what does nothing (212, -102; design section 8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from nomic_git.game.event import Event, EventKind
from nomic_git.game.judgment import Judgment, Move, Plea, Refusal, Ruling, cited, on_record, read_ruling
from nomic_git.game.tally import Count, agreed
from nomic_git.law.provisions import (
    JUDGMENT_CONSENT,
    JUDGMENT_JUDGE,
    JUDGMENT_OVERRULING,
    VOTES_EACH,
    Judge,
)
from nomic_git.law.reason import Reason

if TYPE_CHECKING:
    from nomic_git.law.precedence import Law
    from nomic_git.law.provisions import Key
    from nomic_git.law.threshold import Threshold


@dataclass(frozen=True, slots=True)
class Court:
    """All that judging one proposal depends on. Instants in seconds since the epoch.

    `order` are the logins of the players in the order of play, and `teams` the team of each who has one. `mover` is
    the author of `proposal`, the forge's number, whose turn the question is about. `judgment` is the one that is open
    in the game, also where it is on another proposal. Judgment can be invoked from `since`, when voting opened, to
    before `until`, when the next turn began: None where that has not happened. `heard` is the instant of the game's
    last event, and `settled` that of the last settlement of any judgment, None where there was none. `following`
    is whose turn it is, before whom a mover who has left sat, None where turns have no order. `names` are
    those that a threshold's expression may use, without what the count itself gives.
    """

    law: Law
    order: tuple[str, ...]
    mover: str
    teams: Mapping[str, str]
    proposal: int
    judgment: Judgment | None
    since: int | None
    until: int | None
    heard: int
    settled: int | None = None
    following: str | None = None
    names: Mapping[str, int] = field(default_factory=dict)

    @property
    def question(self) -> Judgment | None:
        """The judgment that is open on this very proposal, None where none is."""
        return self.judgment if self.judgment is not None and self.judgment.proposal == self.proposal else None

    def seat(self, login: str) -> str | None:
        """Return the login of a player as the game writes it, None for who is no player."""
        return next((one for one in self.order if one.casefold() == login.casefold()), None)


def could_judge(court: Court) -> tuple[str, ...]:
    """Return who could be the next Judge, in the order in which the place falls to them (212).

    That is backwards in the order of play, from the last Judge of the question or, for the first, from the mover.
    Nobody is Judge in their own turn or in a team-mate's, nor twice for one question.
    """
    last = _last_or_mover(court) or court.following
    at = len(court.order) if last is None else court.order.index(last)
    backwards = (*reversed(court.order[:at]), *reversed(court.order[at:]))
    return tuple(one for one in backwards if _barred(court, one) is None)


def _last_or_mover(court: Court) -> str | None:
    """Return the last Judge of the question, or the mover where none was or that one has left; None where both have."""
    judges = court.question.judges if court.question is not None else ()
    return next((seat for one in (*judges[-1:], court.mover) if (seat := court.seat(one)) is not None), None)


def _barred(court: Court, login: str) -> Refusal | None:
    """Return why a player cannot be the next Judge, None where they can."""
    mover = court.seat(court.mover) or court.mover
    team = court.teams.get(mover)
    if login == mover:
        return Refusal.ASKED_MOVER
    if team is not None and court.teams.get(login) == team:
        return Refusal.ASKED_TEAM_MATE
    if court.question is not None and login in court.question.judges:
        return Refusal.ASKED_AGAIN
    return None


def present_judge(court: Court) -> str | None:
    """Return the Judge of the open question, None where none is open or a Judge is still sought.

    A Judge who leaves the game without a verdict makes room as one who is overruled does, by no vote: the player before
    takes the place, or the mover asks again. A verdict stands though its Judge has left.
    """
    question = court.question
    if question is None:
        return None
    judge = question.judge
    if judge is not None and (judge in court.order or question.ruling is not None):
        return judge
    return _next_in_order(court)


def _next_in_order(court: Court) -> str | None:
    """Return to whom the place of the Judge falls by the order of play, None where nobody or the Judge is chosen."""
    if court.law.value(JUDGMENT_JUDGE) is not Judge.PRECEDING_PLAYER:
        return None
    return next(iter(could_judge(court)), None)


def asker(court: Court) -> str | None:
    """Return who is to ask for a Judge: the overruled one, or the mover for the first and where that one has left.

    None where nobody is: no Judge is sought, the rules have none chosen, or the mover has left too.
    """
    if present_judge(court) is not None or court.law.value(JUDGMENT_JUDGE) is not Judge.CHOSEN_BY_MOVER:
        return None
    return _last_or_mover(court)


def next_step(court: Court, pleas: Iterable[Plea], now: int) -> Event | None:
    """Return the first step that is due by `now`, dated when it was made, None where none is.

    `pleas` are all that were ever made on the proposal; those of one instant count in the order given. Each leads to
    one step at most, and what was said before a step is used up by it: whoever overrules, overrules the verdict that
    stands, and whoever consents, consents to how things stand. A plea that comes to light late counts from the game's
    last event on.
    """
    return _hear(court, _unused(court, pleas, now))[0]


def refusals(court: Court, pleas: Iterable[Plea], now: int) -> tuple[tuple[Plea, Reason], ...]:
    """Return the pleas since the last step that do nothing, with the reasons, up to the next step that is due."""
    return _hear(court, _unused(court, pleas, now))[1]


def agreeing(court: Court, pleas: Iterable[Plea], now: int) -> Mapping[Move, tuple[str, ...]]:
    """Return who has said what several say together, an overruling or a consent, and has not led to a step yet."""
    found: dict[Move, tuple[str, ...]] = {Move.OVERRULE: (), Move.CONSENT: ()}
    for plea in _unused(court, pleas, now):
        player = court.seat(plea.player)
        if plea.move in found and player is not None and refused(court, plea) is None:
            found[plea.move] = _joined(found[plea.move], player)
    return found


def _joined(players: tuple[str, ...], player: str) -> tuple[str, ...]:
    return players if player in players else (*players, player)


def after_step(judgment: Judgment | None, event: Event) -> Judgment | None:
    """Return the judgment that is open after an event, None where none is. Other events leave it as it is."""
    if event.kind is EventKind.INVOKED:
        judges = () if event.judge is None else (event.judge,)
        invoker, mover = event.player or "", event.mover or ""
        last = _led(event, event.player, Move.INVOKE)
        asked = Judgment(event.proposal or 0, mover, invoker, event.time, judges, sought=not judges, last=last)
        return replace(asked, subject=event.text)
    if judgment is None or event.kind is EventKind.SETTLED:
        return None
    if event.kind is EventKind.ASKED:
        return replace(_with_judge(judgment, event.judge), last=_led(event, event.player, Move.ASK))
    if event.kind is EventKind.JUDGED:
        last = _led(event, event.player, Move.RULE)
        ruled = replace(_with_judge(judgment, event.player), ruling=event.ruling, ruled=event.time, last=last)
        return replace(ruled, text=event.text)
    if event.kind is EventKind.OVERRULED:
        last = _led(event, next(reversed(event.supporters), None), Move.OVERRULE)
        return replace(_with_judge(judgment, event.judge), last=last)
    return judgment


def _led(event: Event, player: str | None, move: Move) -> Plea:
    """Return the plea that led to an event, without its words."""
    return Plea(player or "", move, event.time if event.said is None else event.said)


def _with_judge(judgment: Judgment, judge: str | None) -> Judgment:
    """Return the judgment with this Judge, who has not ruled, or with one to be sought."""
    judges = judgment.judges
    if judge is not None and judges[-1:] != (judge,):
        judges = (*judges, judge)
    return replace(judgment, judges=judges, sought=judge is None, ruling=None, ruled=None, text=None)


def check_step(court: Court, event: Event) -> Reason | None:
    """Return why a recorded step of a judgment cannot have followed, None where it can.

    The pleas themselves are not in the history: what the event says was said is heard again. Which `text` the head had
    then is the record's to say; where nobody could read it, and once it was ruled on, it follows from what was said.
    """
    retold = _retold(event)
    due = [step for pleas in retold if (step := _hear(court, pleas)[0]) is not None]
    ruled_on = court.question is not None and court.question.text is not None
    if event.text is not None and not (ruled_on and event.kind is EventKind.SETTLED):
        due = [replace(one, text=event.text) for one in due]
    if event in due:
        return None
    refused_then = (refused(court, plea) for pleas in retold for plea in pleas[:1])
    return next((one for one in refused_then if one is not None), Reason(Refusal.OTHERWISE))


def _retold(event: Event) -> tuple[tuple[Plea, ...], ...]:
    """Return the pleas that may have led to a step, each way in which it may have come about."""
    words = event.words or ""
    if event.kind is EventKind.INVOKED:
        return ((replace(_led(event, event.player, Move.INVOKE), said=words),),)
    if event.kind is EventKind.ASKED:
        return ((replace(_led(event, event.player, Move.ASK), said=event.judge or ""),),)
    if event.kind is EventKind.JUDGED:
        said = words if event.ruling is Ruling.WORDS else f"{event.ruling} {words}"
        return ((replace(_led(event, event.player, Move.RULE), said=said),),)
    moves = {EventKind.OVERRULED: (Move.OVERRULE,), EventKind.SETTLED: (Move.UPHOLD, Move.CONSENT)}
    return tuple(tuple(_led(event, one, move) for one in event.supporters) for move in moves.get(event.kind, ()))


def _unused(court: Court, pleas: Iterable[Plea], now: int) -> Sequence[Plea]:
    """Return the pleas that no step has used up yet, in the order of time.

    Used up are the plea that led to the last step and all before, and what was said until a judgment was settled. Of
    what one player says with one word in one instant, the first counts: so player, move and instant name a plea.
    """
    ordered = sorted((one for one in pleas if one.time <= now), key=lambda one: one.time)
    named: dict[tuple[int, Move, str], Plea] = {}
    for one in ordered:
        if court.settled is None or one.time > court.settled:
            named.setdefault(_name(one), one)
    if court.judgment is None:
        return tuple(named.values())
    last = court.judgment.last or Plea(court.judgment.invoker, Move.INVOKE, court.judgment.invoked)
    if court.question is not None and _name(last) in named:
        return tuple(named.values())[list(named).index(_name(last)) + 1 :]
    return tuple(one for one in named.values() if one.time > last.time)


def _name(plea: Plea) -> tuple[int, Move, str]:
    return plea.time, plea.move, plea.player.casefold()


def _hear(court: Court, pleas: Iterable[Plea]) -> tuple[Event | None, tuple[tuple[Plea, Reason], ...]]:
    """Return the first step that these pleas lead to, and those before it that do nothing."""
    over = _over(court)
    if over is not None:
        return over, ()
    in_vain: list[tuple[Plea, Reason]] = []
    together: dict[Move, tuple[str, ...]] = {}
    for plea in pleas:
        reason = refused(court, plea)
        if reason is not None:
            in_vain.append((plea, reason))
            continue
        together[plea.move] = _joined(together.get(plea.move, ()), court.seat(plea.player) or plea.player)
        step = _STEPS[plea.move](court, plea, together[plea.move])
        if step is not None:
            return step, tuple(in_vain)
    return None, tuple(in_vain)


def _over(court: Court) -> Event | None:
    """Return the end of a judgment that nobody can bring to another: by itself, at once.

    Where nobody is left who could judge, the question is undecided (213). Where nobody is left who could ask, since
    the mover has gone or no rule provides a Judge any more, it lapses without a ruling; so it does where one player is
    left, who has not won by that (112).
    """
    if court.question is None or present_judge(court) is not None:
        return None
    over = _step(court, EventKind.SETTLED, JUDGMENT_JUDGE, court.heard)
    if court.law.value(JUDGMENT_JUDGE) is not None and not could_judge(court):
        return replace(over, ruling=Ruling.UNDECIDED) if len(court.order) > 1 else over
    return over if asker(court) is None else None


def _step(court: Court, kind: EventKind, key: Key[Judge | None] | Key[Threshold], time: int) -> Event:
    late = time if time < court.heard else None
    return Event(kind, max(time, court.heard), proposal=court.proposal, rule=court.law.rule(key.name), said=late)


def _invoke(court: Court, plea: Plea, said: Sequence[str]) -> Event:
    step = _step(court, EventKind.INVOKED, JUDGMENT_JUDGE, plea.time)
    mover = court.seat(court.mover) or court.mover
    words = on_record(plea.said)
    return replace(step, player=said[-1], mover=mover, words=words, judge=_next_in_order(court))


def _ask(court: Court, plea: Plea, said: Sequence[str]) -> Event:
    step = _step(court, EventKind.ASKED, JUDGMENT_JUDGE, plea.time)
    return replace(step, player=said[-1], judge=court.seat(_asked(plea)))


def _rule(court: Court, plea: Plea, said: Sequence[str]) -> Event:
    step = _step(court, EventKind.JUDGED, JUDGMENT_JUDGE, plea.time)
    ruling, reasons = read_ruling(plea.said) or (Ruling.WORDS, "")
    cites = cited(reasons, court.law.rulebook.rules)
    subject = court.question.subject if court.question is not None and ruling is Ruling.ILLEGAL else None
    return replace(step, player=said[-1], ruling=ruling, words=reasons or None, cites=cites, text=subject)


def _uphold(court: Court, plea: Plea, said: Sequence[str]) -> Event:
    return _settled(court, _step(court, EventKind.SETTLED, JUDGMENT_JUDGE, plea.time), said[-1:])


def _overrule(court: Court, plea: Plea, said: Sequence[str]) -> Event | None:
    """The other players are all but the Judge, the mover among them (design section 8)."""
    judge = present_judge(court)
    if not _agreed(court, JUDGMENT_OVERRULING, [one for one in court.order if one != judge], said):
        return None
    step = _step(court, EventKind.OVERRULED, JUDGMENT_OVERRULING, plea.time)
    return replace(step, player=judge, supporters=tuple(said), judge=_next_in_order(court))


def _consent(court: Court, plea: Plea, said: Sequence[str]) -> Event | None:
    """The other players are read as all but the mover of the turn that the question is about.

    The rules speak of the consent "of the other players" to the next turn; in games where anybody may be next,
    whose turn is over is the only one who is set apart.
    """
    mover = court.seat(court.mover)
    if not _agreed(court, JUDGMENT_CONSENT, [one for one in court.order if one != mover], said):
        return None
    return _settled(court, _step(court, EventKind.SETTLED, JUDGMENT_CONSENT, plea.time), said)


def _settled(court: Court, step: Event, said: Sequence[str]) -> Event:
    ruling, text = (None, None) if court.question is None else (court.question.ruling, court.question.text)
    return replace(step, player=present_judge(court), ruling=ruling, supporters=tuple(said), text=text)


def _agreed(court: Court, key: Key[Threshold], others: Sequence[str], said: Sequence[str]) -> bool:
    count = Count(tuple(others), tuple(said), (), court.law.value(VOTES_EACH))
    return agreed(court.law, key, count, court.names)


_STEPS: Mapping[Move, Callable[[Court, Plea, Sequence[str]], Event | None]] = {
    Move.INVOKE: _invoke,
    Move.ASK: _ask,
    Move.RULE: _rule,
    Move.UPHOLD: _uphold,
    Move.OVERRULE: _overrule,
    Move.CONSENT: _consent,
}


def refused(court: Court, plea: Plea) -> Reason | None:
    """Return why a plea can do nothing as things stand, with the provision it rests on; None where it can."""
    player = court.seat(plea.player)
    if player is None:
        return _no(plea, Refusal.NOT_A_PLAYER, player=plea.player)
    if plea.move is Move.INVOKE:
        return _no_invocation(court, plea)
    if court.question is None:
        return _none_open(court, plea)
    return _REFUSED[plea.move](court, plea, player)


_RESTS_ON: Mapping[Move, str] = {Move.OVERRULE: JUDGMENT_OVERRULING.name, Move.CONSENT: JUDGMENT_CONSENT.name}


def _no(plea: Plea, what: Refusal, **facts: str | int) -> Reason:
    return Reason(what, facts, _RESTS_ON.get(plea.move, JUDGMENT_JUDGE.name))


def _no_invocation(court: Court, plea: Plea) -> Reason | None:
    if court.law.value(JUDGMENT_JUDGE) is None:
        return _no(plea, Refusal.NOT_PROVIDED)
    if court.judgment is not None:
        return _no(plea, Refusal.OPEN, proposal=court.judgment.proposal)
    if court.since is None or plea.time < court.since:
        return _no(plea, Refusal.TOO_EARLY)
    if court.until is not None and max(plea.time, court.heard) >= court.until:
        return _no(plea, Refusal.TOO_LATE)
    if not on_record(plea.said):
        return _no(plea, Refusal.NO_QUESTION, player=plea.player)
    if not could_judge(court):
        return _no(plea, Refusal.NOBODY_CAN_JUDGE, mover=court.mover)
    chosen = court.law.value(JUDGMENT_JUDGE) is Judge.CHOSEN_BY_MOVER
    return _no(plea, Refusal.NOBODY_ASKS, mover=court.mover) if chosen and asker(court) is None else None


def _none_open(court: Court, plea: Plea) -> Reason:
    if court.judgment is not None:
        return _no(plea, Refusal.ELSEWHERE, proposal=court.judgment.proposal)
    return _no(plea, Refusal.NONE_OPEN)


def _asked(plea: Plea) -> str:
    """Return whom a plea asks: the login that it begins with, as people write one."""
    return next(iter(plea.said.split()), "").strip("@`.,:;!?")


def _no_asking(court: Court, plea: Plea, player: str) -> Reason | None:
    judge, by, login = present_judge(court), asker(court), _asked(plea)
    if court.law.value(JUDGMENT_JUDGE) is not Judge.CHOSEN_BY_MOVER:
        return _no(plea, Refusal.NOT_CHOSEN)
    if judge is not None:
        return _no(plea, Refusal.HAS_JUDGE, judge=judge)
    if by != player:
        return _no(plea, Refusal.NOT_THE_ASKER, player=player, asker=by or court.mover)
    if not login:
        return _no(plea, Refusal.ASKED_NOBODY, player=player)
    seat = court.seat(login)
    if seat is None:
        return _no(plea, Refusal.ASKED_STRANGER, words=login, players=", ".join(could_judge(court)))
    barred = _barred(court, seat)
    return None if barred is None else _no(plea, barred, judge=seat, mover=court.mover)


def _none_yet(court: Court, plea: Plea) -> Reason:
    return _no(plea, Refusal.NO_JUDGE_YET, asker=asker(court) or court.mover)


def _no_ruling(court: Court, plea: Plea, player: str) -> Reason | None:
    judge, question = present_judge(court), court.question
    if judge is None:
        return _none_yet(court, plea)
    if player != judge:
        return _no(plea, Refusal.NOT_THE_JUDGE, player=player, judge=judge)
    if question is not None and question.ruling is not None:
        return _no(plea, Refusal.RULED_ALREADY, judge=judge)
    return _no(plea, Refusal.NO_REASONS, player=player) if read_ruling(plea.said) is None else None


def _no_verdict(court: Court, plea: Plea, player: str, own: Refusal) -> Reason | None:
    judge, question = present_judge(court), court.question
    if judge is None:
        return _none_yet(court, plea)
    if player == judge:
        return _no(plea, own, judge=judge)
    return _no(plea, Refusal.NO_VERDICT, judge=judge) if question is None or question.ruling is None else None


def _no_upholding(court: Court, plea: Plea, player: str) -> Reason | None:
    return _no_verdict(court, plea, player, Refusal.OWN_VERDICT)


def _no_overruling(court: Court, plea: Plea, player: str) -> Reason | None:
    if len(court.order) <= 2:
        return _no(plea, Refusal.TWO_PLAYERS)
    return _no_verdict(court, plea, player, Refusal.JUDGE_OVERRULES)


def _no_consenting(court: Court, plea: Plea, player: str) -> Reason | None:
    return _no(plea, Refusal.MOVER_CONSENTS, player=player) if player == court.seat(court.mover) else None


_REFUSED: Mapping[Move, Callable[[Court, Plea, str], Reason | None]] = {
    Move.ASK: _no_asking,
    Move.RULE: _no_ruling,
    Move.UPHOLD: _no_upholding,
    Move.OVERRULE: _no_overruling,
    Move.CONSENT: _no_consenting,
}
