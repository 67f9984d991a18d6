"""What is to be told of judgments on a proposal: the question, the Judges, who can do what next (section 8)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING

from nomic_git import locales
from nomic_git.game.bench import agreeing, asker, could_judge, present_judge
from nomic_git.game.judging import court, court_on, in_vain, in_vain_lately
from nomic_git.game.judgment import Move
from nomic_git.law.provisions import JUDGMENT_CONSENT, JUDGMENT_JUDGE, JUDGMENT_OVERRULING, STALEMATE_WINNER
from nomic_git.law.threshold import write_threshold
from nomic_git.repository.cases import Case, End, Fate, Verdict, cases
from nomic_git.repository.history import Recorded, events

if TYPE_CHECKING:
    from nomic_git.game.bench import Court
    from nomic_git.game.docket import Standing
    from nomic_git.game.judgment import Plea
    from nomic_git.game.position import Position
    from nomic_git.law.provisions import Key
    from nomic_git.law.reason import Reason
    from nomic_git.law.threshold import Threshold
    from nomic_git.repository.clone import Clone


@dataclass(frozen=True, slots=True)
class Proceedings:
    """The judgments as one look finds them.

    `pleas` are what was said on proposals, by the forge's number, as far as that is known. `forge` is how its players
    give commands (`Forge.commands`), `imagined` the events that are due and not in the history, oldest first. `now` is
    in seconds since the epoch.
    """

    clone: Clone
    position: Position
    standings: tuple[Standing, ...]
    pleas: Mapping[int, Sequence[Plea]]
    now: int
    forge: str
    imagined: Sequence[Recorded] = ()

    def told(self, proposal: int, since: int | None) -> tuple[str, ...]:
        """Return what there is to tell of the judgments on a proposal, by the forge's number, a sentence or two each.

        `since` is when voting on it opened, before which there can have been none; None where it has not.
        """
        found: list[str] = []
        for case in self._cases(proposal, since) if since is not None else ():
            if case.end is End.OPEN:
                found += self._open(case)
            else:
                found.append(closed_case(case))
        return tuple(found)

    def told_of(self, standing: Standing) -> tuple[str, ...]:
        """Return what there is to tell of the judgments on an open proposal, also once one has made it improper."""
        number, state = standing.proposal.forge, self.position.state
        found_illegal = any(proposal == number for proposal, _ in state.struck)
        if standing.opened is None and (found_illegal or state.is_judged(number)):
            return self.told(number, standing.proposal.submitted)
        return self.told(number, standing.opened)

    def in_vain(self, proposal: int) -> tuple[Reason, ...]:
        """Return why what was said of judgments on a proposal does nothing."""
        if self.position.state.winner is not None:
            return ()
        lately = self.position.state.lately
        if lately is not None and lately.proposal == proposal:
            return in_vain_lately(self.position, self.standings, self.pleas.get(proposal, ()), self.now)
        standing = next((one for one in self.standings if one.proposal.forge == proposal), None)
        return () if standing is None else in_vain(self.position, standing, self.now)

    def _cases(self, proposal: int, since: int) -> Sequence[Case]:
        """Return the judgments on a proposal; where none can have been, without reading the history."""
        state = self.position.state
        if state.judgment is None and (not state.held or state.held[-1][1] < since):
            return ()
        recent = [*takewhile(lambda one: one.event.time >= since, events(self.clone))]
        found = cases([*reversed(recent), *self.imagined])
        return [one for one in found if one.proposal == proposal]

    def _open(self, case: Case) -> Iterator[str]:
        court = court_on(self.position, self.standings, case.proposal)
        rule = self.position.law.rule(JUDGMENT_JUDGE.name)
        holds = "holds-a-turn" if case.proposal in self.position.state.resolved else "holds-a-vote"
        yield locales.case_text("invoked", invoker=case.invoker, question=case.question) + "."
        yield locales.case_text(holds, rule) + "."
        yield from (f"{verdict_text(one)}." for one in case.verdicts if one.fate is not Fate.PENDING)
        if court is not None and self.position.state.winner is None:
            yield from next_moves(court, self.pleas.get(case.proposal, ()), self.now, self.forge)


def open_judgment(position: Position) -> str | None:
    """Return that judgment is open, on what, and who is to do what next, in a sentence; None where none is."""
    question = position.state.judgment
    if question is None or position.state.winner is not None:
        return None
    bench = court(position, question.mover, question.proposal, None)
    judge, by = present_judge(bench), asker(bench)
    key = "open-to-rule" if judge is not None else "open-seeks" if by is not None else "open-alone"
    if judge is not None and question.ruling is not None:
        key = "open-ruled-or-overruled" if len(bench.order) > 2 else "open-ruled"
    rule, facts = position.law.rule(JUDGMENT_JUDGE.name), {"judge": judge or "", "asker": by or ""}
    return locales.case_text(key, rule, proposal=question.proposal, **facts) + "."


def next_moves(court: Court, pleas: Sequence[Plea], now: int, forge: str) -> Iterator[str]:
    """Yield what can be done next about the open judgment of a court, in sentences with the command to each."""
    judge, by, ruled = present_judge(court), asker(court), court.question is not None and court.question.ruling
    rule, said = court.law.rule(JUDGMENT_JUDGE.name), agreeing(court, pleas, now)
    if judge is None:
        if by is not None:
            yield _with_command("seeks-a-judge", court, Move.ASK, forge, rule, asker=by)
    elif not ruled:
        yield _with_command("to-rule", court, Move.RULE, forge, rule, judge=judge)
    else:
        yield _with_command("uphold", court, Move.UPHOLD, forge, rule, judge=judge)
        if len(court.order) > 2:
            overruling = _together("overrule", court, Move.OVERRULE, forge, JUDGMENT_OVERRULING, judge=judge)
            yield f"{overruling}{_said_so(said[Move.OVERRULE])}."
            if judge in court.order and not could_judge(court):
                yield locales.case_text("nobody-left", court.law.rule(STALEMATE_WINNER.name), judge=judge) + "."
    consent = _together("consent", court, Move.CONSENT, forge, JUDGMENT_CONSENT, mover=court.mover)
    then = locales.case_text("consent-final" if ruled else "consent-drops")
    yield f"{consent}; {then}{_said_so(said[Move.CONSENT])}."


def _with_command(key: str, court: Court, move: Move, forge: str, rule: int | None, **facts: str) -> str:
    command = locales.command_text(forge, move, court.proposal)
    return locales.case_text(key, rule, command=command, **facts) + "."


def _together(key: str, court: Court, move: Move, forge: str, threshold: Key[Threshold], **facts: str) -> str:
    asks = locales.asks_text(write_threshold(court.law.value(threshold)))
    command = locales.command_text(forge, move, court.proposal)
    alone = facts.get("judge", court.mover)
    players = locales.names_text([one for one in court.order if one != alone])
    rule = court.law.rule(threshold.name)
    return locales.case_text(key, rule, command=command, asks=asks, players=players, **facts)


def _said_so(players: Sequence[str]) -> str:
    return f"; {locales.case_text('said-so', players=', '.join(players))}" if players else ""


def verdict_text(verdict: Verdict) -> str:
    """Return what a Judge did in a case, and what became of it, as a sentence without its full stop."""
    told = locales.case_text(f"ruled-{verdict.ruling or 'none'}", judge=verdict.judge)
    if verdict.reasons:
        told = locales.case_text("for-reasons", told=told, reasons=verdict.reasons)
    if verdict.fate is Fate.OVERRULED:
        return locales.case_text("overruled", told=told, players=", ".join(verdict.by))
    return locales.case_text("left", told=told) if verdict.ruling is None else told


def end_text(case: Case) -> str:
    """Return how a case ended, as a sentence without its full stop."""
    key: str = case.end
    if case.end is End.CONSENTED and case.ruling is None:
        key = "consented-without"
    text = locales.case_text(key, players=", ".join(case.settled_by))
    return text[:1].upper() + text[1:] if not case.settled_by else text


def voided_text(case: Case) -> str:
    """Return that the move has been taken back, or will be, as a sentence without its full stop."""
    return locales.case_text("voided" if case.voided else "to-be-voided")


def closed_case(case: Case) -> str:
    """Return all of a case that is over, in sentences on one line."""
    parts = [locales.case_text("asked", invoker=case.invoker, question=case.question)]
    parts += [verdict_text(one) for one in case.verdicts]
    parts.append(end_text(case))
    if case.voided is not None:
        parts.append(voided_text(case))
    return ". ".join(parts) + "."
