"""The run's page: what one pass of the referee came to, as Markdown (the step summary of a workflow's run)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from nomic_git import locales
from nomic_git.game.state import standings
from nomic_git.law.provisions import VICTORY_POINTS
from nomic_git.referee.account import open_account
from nomic_git.referee.judgments import open_judgment

if TYPE_CHECKING:
    from nomic_git.game.position import Position
    from nomic_git.referee.account import Account
    from nomic_git.referee.sitting import Report

LARGEST = 1 << 20
"""How long a step summary may be, in bytes; GitHub shows nothing at all of a longer one."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One event of the pass: what it came to; the proposal and the commit are None where there is none."""

    words: str
    points: Sequence[tuple[str, int]]
    proposal: int | None
    commit: str | None


def run_page(
    report: Report,
    titles: Mapping[int, str],
    *,
    name: str,
    web: str | None,
    costs: str = "",
    troubles: Sequence[str] = (),
    dry: bool = False,
    largest: int = LARGEST,
) -> str:
    """Return the page of one pass, of at most `largest` bytes.

    `titles` are those of the proposals by the forge's number, `name` is the game's. `web` is the address of the
    repository's pages, to which the page links, None where it has none. `costs` says what the pass cost. What
    players have written stands in code spans. Strangers' proposals on which nothing is said are only counted,
    and where it would be too long, those at the end.
    """
    listed = [one for one in report.standings if one.proposal.forge not in report.silent]
    accounts = [open_account(report.position, one, titles.get(one.proposal.forge, "")) for one in listed]
    shown = len(accounts)
    while True:
        page = _page(report, accounts[:shown], len(accounts) - shown, name, web, costs, troubles, dry)
        if len(page.encode()) <= largest or not shown:
            return page.encode()[:largest].decode(errors="ignore")
        shown //= 2


def _page(
    report: Report,
    accounts: Sequence[Account],
    more: int,
    name: str,
    web: str | None,
    costs: str,
    troubles: Sequence[str],
    dry: bool,
) -> str:
    position = report.position
    happened = [
        Happened(locales.happened(one.event, position), one.event.points, one.event.proposal, one.commit)
        for one in report.done
    ]
    page: str = locales.template("summary.md.j2").render(
        name=name,
        dry=dry,
        happened=happened,
        judged=_judged(position),
        accounts=accounts,
        more=more,
        silent=len(report.silent),
        ranked=standings(position.state),
        winner=position.state.winner,
        target=position.law.value(VICTORY_POINTS),
        target_rule=position.law.rule(VICTORY_POINTS.name),
        comments=report.comments,
        web=web,
        costs=costs,
        troubles=troubles,
    )
    return page


def _judged(position: Position) -> str | None:
    """Return on which proposal judgment is open, what is awaited of whom, and who invoked it; None where none is."""
    told, question = open_judgment(position), position.state.judgment
    if told is None or question is None:
        return None
    return locales.case_text("open-asked", told=told, invoker=question.invoker)
