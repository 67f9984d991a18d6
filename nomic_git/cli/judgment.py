"""Commands about judgments: invoking one, what each player can do in it, and all that there were (212, -102)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from nomic_git.cli.desk import (
    AsJson,
    AsPlayer,
    InRound,
    Misunderstood,
    ProposalNumber,
    as_typed,
    desk,
    now,
    outwait,
    plain_instant,
    reading,
    writing,
)
from nomic_git.cli.docket import account_of, catch_up, proposal_number, refuse_after_the_end
from nomic_git.cli.options import Commands
from nomic_git.cli.paper import Strong, say, say_json
from nomic_git.cli.prospect import foreseen
from nomic_git.game.judgment import Move, Plea

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nomic_git.cli.desk import Desk
    from nomic_git.game.bench import Court
    from nomic_git.game.event import Event
    from nomic_git.referee.sitting import Report
    from nomic_git.repository.cases import Case
    from nomic_git.repository.history import Recorded

Question = Annotated[list[str], typer.Argument(metavar="QUESTION", help="What the Judge is to decide.")]
Ruled = Annotated[
    list[str],
    typer.Argument(
        metavar="legal|illegal|undecided|WORDS",
        help="The verdict and its reasons, or the answer in words.",
    ),
]
Login = Annotated[str, typer.Argument(metavar="LOGIN", help="The player who is to be the Judge.")]

judgment = typer.Typer(cls=Commands, add_completion=False, rich_markup_mode=None, help="Take part in a judgment.")


@judgment.command("invoke")
def invoke(context: typer.Context, proposal: ProposalNumber, question: Question, login: AsPlayer = None) -> None:
    """Invoke judgment on a proposal, with a question: while it is voted on, or until the next turn begins."""
    _plead(context, proposal, login, Move.INVOKE, question)


@judgment.command("ask")
def ask(context: typer.Context, proposal: ProposalNumber, judge: Login, login: AsPlayer = None) -> None:
    """Ask a player to be the Judge, where the rules let the mover, or the overruled Judge, choose."""
    _plead(context, proposal, login, Move.ASK, [judge])


@judgment.command("rule")
def rule(context: typer.Context, proposal: ProposalNumber, ruled: Ruled, login: AsPlayer = None) -> None:
    """Rule as the Judge: legal, illegal or undecided, with reasons, or in words alone."""
    _refuse_slips(" ".join(map(as_typed, ruled)))
    _plead(context, proposal, login, Move.RULE, ruled)


def _refuse_slips(said: str) -> None:
    """Raise Misunderstood for what would be a ruling in words, and looks like a verdict that was mistyped."""
    from difflib import get_close_matches

    from nomic_git.game.judgment import Ruling, read_ruling

    ruling = read_ruling(said)
    if ruling is None or ruling[0] is not Ruling.WORDS:
        return
    first, *more = (one.strip(",.:;!?").casefold() for one in said.split())
    near = get_close_matches(first, ["legal", "illegal", "undecided"], 1, 0.75)
    if near or (not more and first in {"yes", "no"}):
        hint = f"did you mean {near[0]}? To" if near else "to"
        raise Misunderstood(
            f"{first!r} is no verdict, which is legal, illegal or undecided; {hint} answer in words, begin with others"
        )


@judgment.command("uphold")
def uphold(context: typer.Context, proposal: ProposalNumber, login: AsPlayer = None) -> None:
    """Uphold what the Judge ruled, which makes it final."""
    _plead(context, proposal, login, Move.UPHOLD)


@judgment.command("overrule")
def overrule(context: typer.Context, proposal: ProposalNumber, login: AsPlayer = None) -> None:
    """Be for overruling the Judge, together with the other players."""
    _plead(context, proposal, login, Move.OVERRULE)


@judgment.command("consent")
def consent(context: typer.Context, proposal: ProposalNumber, login: AsPlayer = None) -> None:
    """Consent that the game goes on although judgment is open."""
    _plead(context, proposal, login, Move.CONSENT)


def _plead(context: typer.Context, proposal: int, login: str | None, move: Move, words: Sequence[str] = ()) -> None:
    """Say something about a judgment, if it can do anything; nothing is written where it cannot."""
    from nomic_git.forges.forge import Deed
    from nomic_git.forges.plea import words_said
    from nomic_git.game.bench import refused
    from nomic_git.locales import reason_text

    at = writing(context)
    player = at.who(login)
    number = proposal_number(at, proposal)
    refuse_after_the_end(at)
    # What is said in one second is heard in an order of its own: questions, rulings, then the others.
    outwait(max((one.time for one in _pleas(at, number)), default=0))
    said = words_said(move, " ".join(map(as_typed, words)))
    report = foreseen(at)
    heard = at.forge.meant(said) if move is Move.ASK else said
    reason = refused(_court(at, report, number), Plea(player, move, at.now(), heard))
    if reason is not None:
        raise Misunderstood(reason_text(reason, report.position.law))
    at.forge.note(player, number, Deed.JUDGMENT, now(), word=move.value, words=said)
    if catch_up(at, number):
        _tell_after(at, number, _said_together(player, move, report))


def _said_together(player: str, move: Move, report: Report) -> str | None:
    """Return what a player has said that several say together; None for what is a step by itself."""
    from nomic_git.locales import case_text

    judged = report.position.state.judgment
    key = {Move.OVERRULE: "is-for-overruling", Move.CONSENT: "consents"}.get(move)
    if key is None or judged is None:
        return None
    judge = judged.judges[-1] if judged.judges else ""
    return f"{case_text(key, player=player, judge=judge, proposal=judged.proposal)}."


def _court(at: Desk, report: Report, number: int) -> Court:
    """Return the court on a proposal as the referee would find it. Raises Misunderstood where there can be none."""
    from nomic_git.game.judging import court, court_on
    from nomic_git.game.proposal import Stage
    from nomic_git.law.provisions import JUDGMENT_JUDGE
    from nomic_git.locales import rests_on
    from nomic_git.referee.account import ABOUT_SEATS

    position = report.position
    found = court_on(position, report.standings, number)
    if found is not None:
        return found
    account = account_of(at, number)
    if account.kind in ABOUT_SEATS:
        rule = rests_on(position.law.rule(JUDGMENT_JUDGE.name))
        raise Misunderstood(f"judgment is about turns, and proposal {number} changes no rule {rule}")
    if account.winner is not None:
        raise Misunderstood(
            f"proposal {number} was left behind when another round began, and nobody judges it any more"
        )
    if account.stage is Stage.VOIDED:
        raise Misunderstood(f"proposal {number} was illegal and has been voided; it is judged no more")
    over = number in position.state.resolved
    return court(position, account.author, number, 0 if over else None, 0 if over else None)


def _tell_after(at: Desk, number: int, said: str | None) -> None:
    """Say what a player said together with others, what comes of it, and who can do what next."""
    report = foreseen(at)
    due = [*_due(at, [one.event for one in report.done])]
    if said is not None:
        say(said)
    if due or said is None:
        say(*(due or [f"That is said, on proposal {number}."]))
    for sentence in _next(at, report, number):
        say(f"  {sentence}")


def _pleas(at: Desk, number: int) -> Sequence[Plea]:
    submission = at.forge.submission(number)
    return submission.pleas if submission is not None else ()


def judgments(context: typer.Context, in_round: InRound = None, as_json: AsJson = False) -> None:
    """Tell all judgments that there were, oldest first: what was asked, who ruled what, and what became of it."""
    found, waits = _with_what_is_due(context, in_round)
    if as_json:
        say_json([plain_case(one, waits if one is found[-1] else ()) for one in found])
        return
    if not found:
        say("Nobody has invoked judgment." if in_round is None else f"Nobody invoked judgment in round {in_round}.")
    for at, one in enumerate(found):
        if at:
            say()
        tell_case(one, waits if one is found[-1] else ())


def _with_what_is_due(context: typer.Context, in_round: int | None) -> tuple[Sequence[Case], Sequence[str]]:
    """Return the judgments, those invoked since the referee's last pass too, and what the last waits for if it is open.

    Such a one has no commit yet. Of a step that is due it is said that it waits for the referee's next pass.
    """
    from nomic_git.repository.cases import End, cases
    from nomic_git.repository.history import Recorded

    at = desk(context)
    state = at.position.state
    if in_round not in {None, state.round} or state.winner is not None:
        return cases_of(at, in_round), ()
    at = reading(context)
    report, history = foreseen(at), _recorded(at, in_round)
    due = [one.event for one in report.done]
    recorded, expected = cases(history), cases([*history, *(Recorded(one, "", ()) for one in due)])
    found = [*recorded, *expected[len(recorded) :]]
    if not found or found[-1].end is not End.OPEN:
        return found, ()
    said = _due(at, [one for one in due if one.proposal == found[-1].proposal])
    return found, [*said, *_next(at, report, found[-1].proposal)]


def _due(at: Desk, due: Sequence[Event]) -> Iterator[str]:
    """Yield the last step of judgment that is `due`, with who carries it out."""
    from nomic_git.game.event import OF_JUDGMENT
    from nomic_git.locales import told

    for one in [one for one in due if one.kind in OF_JUDGMENT][-1:]:
        yield f"{told(one)}. {at.next_record[:1].upper()}{at.next_record[1:]}."


def _next(at: Desk, report: Report, proposal: int) -> Iterator[str]:
    """Yield who can do what next about the judgment on a proposal, if one is open."""
    from nomic_git.game.judging import court_on
    from nomic_git.referee.judgments import next_moves

    found = court_on(report.position, report.standings, proposal)
    if found is not None and found.question is not None:
        for sentence in next_moves(found, _pleas(at, proposal), at.now(), at.forge.commands):
            yield sentence.replace("`", "")


def cases_of(at: Desk, in_round: int | None = None) -> Sequence[Case]:
    """Return the judgments of all rounds, or of one, oldest first."""
    from nomic_git.repository.cases import cases

    return cases(_recorded(at, in_round))


def _recorded(at: Desk, in_round: int | None) -> Sequence[Recorded]:
    """Return the events of all rounds, or of one, oldest first."""
    from nomic_git.repository.rounds import events_in

    return [*events_in(at.clone.needs_history(), in_round)][::-1]


def tell_case(case: Case, waits: Sequence[str] = ()) -> None:
    """Print one judgment; of an open one, first what it `waits` for."""
    from nomic_git.locales import numbers_text
    from nomic_git.referee.judgments import end_text, verdict_text, voided_text
    from nomic_git.repository.cases import End, Fate

    number = numbers_text(case.proposal, case.number)
    say(Strong(f"Proposal {number}, by {case.mover}: judgment invoked by {case.invoker}"))
    recorded = f"commit {case.commit[:12]}" if case.commit else "not in the history yet"
    say(f"  {plain_instant(case.invoked)}, {recorded}")
    for sentence in waits:
        say(f"  {sentence}")
    say(f"  Question: {case.question}")
    for one in case.verdicts:
        if one.fate is not Fate.PENDING:
            cites = f" (cites {', '.join(f'rule {number}' for number in one.cites)})" if one.cites else ""
            say(f"  {verdict_text(one).replace('`', '')}{cites}.")
    if case.end is not End.OPEN:
        say(f"  {end_text(case)}.")
    if case.voided is not None:
        say(f"  {voided_text(case)}" + (f", commit {case.voided[:12]}." if case.voided else "."))


def plain_case(case: Case, waits: Sequence[str] = ()) -> dict[str, Any]:
    """Return one judgment under the keys that docs/concepts.md tells of."""
    return {
        "proposal": case.proposal,
        "number": case.number,
        "mover": case.mover,
        "invoked_by": case.invoker,
        "question": case.question,
        "time": plain_instant(case.invoked),
        "commit": case.commit or None,
        "state": case.end.value,
        "waits_for": list(waits),
        "judges": [
            {
                "judge": one.judge,
                "verdict": None if one.ruling is None else one.ruling.value,
                "reasons": one.reasons,
                "cites": list(one.cites),
                "time": None if one.ruled is None else plain_instant(one.ruled),
                "became": one.fate.value,
                "overruled_by": list(one.by),
            }
            for one in case.verdicts
        ],
        "verdict": None if case.ruling is None else case.ruling.value,
        "settled_by": list(case.settled_by),
        "ended": None if case.ended is None else plain_instant(case.ended),
        "voided": case.voided or None,
    }
