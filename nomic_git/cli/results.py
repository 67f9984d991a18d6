"""Commands that tell how the game goes: `referee`, `scores`, `log`, `audit`."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Annotated, Any

import typer

from nomic_git.cli.court import tell_open_now
from nomic_git.cli.desk import AsJson, InRound, Misunderstood, desk, now, plain_instant
from nomic_git.cli.paper import Strong, say, say_json, table
from nomic_git.cli.progress import progress
from nomic_git.cli.turn import tell_nameless, tell_turn

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nomic_git.cli.desk import Desk
    from nomic_git.forges.github_table import GitHubTable
    from nomic_git.game.event import Event
    from nomic_git.game.position import Position
    from nomic_git.referee.sitting import Report
    from nomic_git.repository.history import Recorded


def referee(
    context: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done; write nothing anywhere.")] = False,
    as_json: AsJson = False,
) -> None:
    """Count the votes and carry out what is decided. What was counted, and why, is said on each proposal."""
    from nomic_git.cli import runner

    at = desk(context)
    with runner.unheeded(as_json=as_json):
        report = _pass(at, dry_run=dry_run)
        if as_json:
            say_json(_plain_report(report))
        else:
            _tell_pass(at, report, dry_run=dry_run)
        page = runner.page()
        if page is not None:
            with page.open("a", encoding="utf-8") as file:
                file.write(_run_page(at, report, dry_run=dry_run))
        if report.failure is not None:
            raise report.failure
    for trouble in at.forge.troubles:
        runner.annotate("warning", trouble, as_json=as_json)


def _pass(at: Desk, *, dry_run: bool) -> Report:
    from nomic_git.cli import runner
    from nomic_git.referee.sitting import sit

    clone = at.clone.needs_history().needs_work_tree()
    if not dry_run and not runner.is_here():
        _refuse_who_may_not_write(at)
    count = itertools.count(1)
    if dry_run and at.is_on_github:
        at.forge.fetch()
    with progress("Resolving", long=5) as tell:
        return sit(clone, at.forge, now(), dry_run=dry_run, progress=lambda _: tell(next(count), None))


def _refuse_who_may_not_write(at: Desk) -> None:
    """Raise Misunderstood where the user's account could not carry out anything; the workflow's token is not asked."""
    if at.github is not None and at.github.may_only_read:
        raise Misunderstood(
            f"{at.github.me().login} may not write to {at.github.connection.repository} and need not run this: "
            "the workflow there does, within minutes of whatever happens; to look: nomic-git referee --dry-run"
        )


def _plain_report(report: Report) -> dict[str, Any]:
    from nomic_git.game.event import OF_JUDGMENT, EventKind

    return {
        "resolved": [
            {"proposal": one.event.proposal, "outcome": one.event.kind.value, "commit": one.commit}
            for one in report.done
            if one.event.proposal is not None and one.event.kind not in {EventKind.PROPOSED, *OF_JUDGMENT}
        ],
        "comments": report.comments,
        "requests": report.requests,
    }


def _tell_pass(at: Desk, report: Report, *, dry_run: bool) -> None:
    from nomic_git.locales import happened

    for one in report.done:
        say(
            happened(one.event, report.position) + _points(one.event) + (f"  [{one.commit[:12]}]" if one.commit else "")
        )
    for trouble in at.forge.troubles:
        say(trouble)
    _say_who_is_waited_for(at, report)
    if report.done:
        tell_nameless(report.position)
    verb = "would be brought" if dry_run else "brought"
    if report.comments:
        say(f"The referee's comments {verb} up to date: {report.comments}. To read one: nomic-git read P")
    if at.github is not None:
        say(_costs(at.github))


def _costs(github: GitHubTable) -> str:
    """Return how many requests the pass made, and what GitHub still allows in this hour, as far as it has said."""
    made, left, left_rest = github.requests, github.connection.left, github.connection.left_rest
    said = [f"{left} points"] if left is not None else []
    said += [f"{left_rest} other requests"] if left_rest is not None else []
    allows = f"; in this hour it still allows {' and '.join(said)}" if said else ""
    return f"GitHub was asked {'once' if made == 1 else f'{made} times'}{allows}."


def _run_page(at: Desk, report: Report, *, dry_run: bool) -> str:
    from nomic_git.cli import runner
    from nomic_git.referee.summary import run_page

    submissions = at.forge.submissions(report.position.state.resolved)
    return run_page(
        report,
        {one.number: one.title for one in submissions},
        name=at.clone.settings.name,
        web=runner.web() if at.is_on_github else None,
        costs=_costs(at.github) if at.github is not None else "",
        troubles=at.forge.troubles,
        dry=dry_run,
    )


def _say_who_is_waited_for(at: Desk, report: Report) -> None:
    """Say what is open and whom it waits for, or that there is nothing."""
    from nomic_git.game.proposal import Stage
    from nomic_git.locales import numbers_text
    from nomic_git.referee.clock import clock
    from nomic_git.referee.judgments import open_judgment

    judged = open_judgment(report.position)
    if judged is not None:
        say(judged)
    voting = [one for one in report.standings if one.stage is Stage.VOTING and one.result is not None]
    for one in voting:
        assert one.result is not None, "those without a vote were left out"
        waiting = ", ".join(one.result.count.waiting_for)
        number = numbers_text(one.proposal.forge, one.number)
        if report.position.state.is_judged(one.proposal.forge):
            say(f"Meanwhile {waiting} can vote on it." if waiting else "All have voted on it.")
        elif waiting:
            say(f"Proposal {number} waits for the vote of {waiting}.")
        else:
            left = clock(report.position, one, report.standings, at.now(), at.forge.next_look)
            say(" ".join([f"All have voted on proposal {number}.", *left]))
    if not report.done and not voting and judged is None:
        say("Nothing is due.")


def _points(event: Event) -> str:
    return "  (" + ", ".join(f"{login} {points:+d}" for login, points in event.points) + ")" if event.points else ""


def scores(context: typer.Context, in_round: InRound = None, as_json: AsJson = False) -> None:
    """Show the standings, or those at the end of a round."""
    from nomic_git.game.state import standings
    from nomic_git.game.turns import mover
    from nomic_git.law.provisions import VICTORY_POINTS

    position = _position(desk(context), in_round)
    state = position.state
    ranked = standings(state)
    names = {login.casefold(): player.called for login, player in position.players.items()}
    target = position.law.value(VICTORY_POINTS)
    if as_json:
        say_json(
            {
                "players": [
                    {
                        "login": one.login,
                        "name": names.get(one.login.casefold(), one.login),
                        "points": one.points,
                        "turns": one.turns,
                    }
                    for one in ranked
                ],
                "target": target,
                "winner": state.winner,
                "turn": {"player": mover(position), "circuit": state.circuit},
            }
        )
        return
    table(
        ("Player", "Name", "Points", "Turns"),
        [(one.login, names.get(one.login.casefold(), ""), one.points, one.turns) for one in ranked],
        right=(2, 3),
    )
    say()
    if state.winner is not None:
        say(Strong(state.winner), " has won.")
        if in_round is None:
            _tell_what_now(position)
    elif target is not None:
        say(
            f"{target} {'point wins' if target == 1 else 'points win'} (rule {position.law.rule(VICTORY_POINTS.name)})."
        )
    else:
        say("No rule says how many points win.")
    tell_turn(desk(context), position)
    if in_round is None:
        tell_open_now(desk(context), position)


def _tell_what_now(position: Position) -> None:
    """Print by which rule the game was won, and how the next round begins."""
    from nomic_git.game.victory import won_by
    from nomic_git.locales import rests_on

    rule = rests_on(position.law.rule(won_by(position.state).name))
    say(f"The game is over {rule}; another round begins with: nomic-git new-round")


def _position(at: Desk, in_round: int | None) -> Position:
    """Return where the game stands, or where it stood at the end of a round."""
    if in_round is None:
        return at.position
    from nomic_git.repository.position import position_at
    from nomic_git.repository.rounds import round_of

    clone = at.clone.needs_history()
    return position_at(clone.trees, round_of(clone, in_round).end.tree_id.raw)


def log(context: typer.Context, in_round: InRound = None, as_json: AsJson = False) -> None:
    """Tell what happened, event by event, oldest first, in all rounds or in one."""
    from nomic_git.repository.rounds import events_in

    clone = desk(context).clone.needs_history()
    recorded = list(events_in(clone, in_round))[::-1]
    before = _turn_before(recorded)
    if as_json:
        say_json([_plain_event(one, last) for one, last in zip(recorded, before, strict=True)])
        return
    rows = (row for one, last in zip(recorded, before, strict=True) for row in _rows(one, last))
    table(("When", "Commit", "Points", "What happened"), list(rows))


def _turn_before(recorded: Sequence[Recorded]) -> Iterator[str]:
    """Yield for each event the commit of the one before it that ended a turn, empty where there is none."""
    from nomic_git.game.die import thrown_from

    last = ""
    for one in recorded:
        yield last
        last = thrown_from(last, one.event, one.commit)


def _rows(recorded: Recorded, last: str) -> Iterator[Sequence[str]]:
    """Yield the lines of the log about one event; `last` is the commit that ended the turn before."""
    from nomic_git.locales import die_text, told

    event = recorded.event
    # What happened comes last: it is as long as a Judge's reasons are.
    yield plain_instant(event.time), recorded.commit[:12], _points(event).strip(" ()"), told(event).replace("`", "")
    if event.die is not None:
        yield "", "", "", die_text(event.die, _cast(event, last))


def _cast(event: Event, last: str) -> str:
    """Return the text from which the die of a resolution was thrown."""
    from nomic_git.game.die import cast

    return cast(last, event.proposal or 0, event.ballots)


def _plain_event(recorded: Recorded, last: str) -> dict[str, Any]:
    event = recorded.event
    change = event.change
    return {
        "event": event.kind.value,
        "proposal": event.proposal,
        "number": event.number,
        "player": event.player,
        "change": None if change is None else {"kind": change.kind.value, "rule": change.rule},
        "for": list(event.supporters),
        "against": list(event.opponents),
        "points": dict(event.points),
        "die": None if event.die is None else {"shows": event.die, "cast": _cast(event, last)},
        "judge": event.judge,
        "verdict": None if event.ruling is None else event.ruling.value,
        "words": event.words,
        "cites": list(event.cites),
        "commit": recorded.commit,
        "time": plain_instant(event.time),
    }


def audit(context: typer.Context, in_round: InRound = None, as_json: AsJson = False) -> None:
    """Replay the history from its founding, or one round. Every commit that is not what the rules led to is listed."""
    from nomic_git.repository.audit import audit as replay
    from nomic_git.repository.clone import open_clone
    from nomic_git.repository.rounds import round_of

    clone = open_clone(desk(context).folder, settled=False).needs_history()
    with progress("Replaying") as tell:
        found = replay(clone, tell, only=None if in_round is None else round_of(clone, in_round))
    if as_json:
        say_json(
            {
                "events": found.events,
                "irregular": [{"commit": one.commit, "what": one.what} for one in found.irregular],
                "scores_match": found.scores_match,
            }
        )
    else:
        for one in found.irregular:
            say(f"{one.commit[:12]}  {one.what}")
        matching = "the scores are what they add up to" if found.scores_match else "the scores are NOT their sum"
        verdict = "everything is in order" if not found.irregular else f"{len(found.irregular)} irregular"
        say(f"{found.events} event{'' if found.events == 1 else 's'} replayed: {verdict}; {matching}.")
    if found.irregular or not found.scores_match:
        raise typer.Exit(1)
