"""What the program says: the sentences of the catalogue and the templates, filled in."""

from __future__ import annotations

from collections.abc import Container, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from nomic_git.law.provisions import ADOPTION_THRESHOLD
from nomic_git.law.threshold import write_threshold
from nomic_git.locales.sentences import (
    ADVICE,
    ASKS,
    CHANGES,
    CONSULTING,
    ENDED,
    ENDINGS,
    HAPPENED,
    IRREGULAR,
    NEEDS,
    NO_RULE,
    NOTICES,
    OVER,
    REASONS,
    RESTS_ON,
    RESTS_ON_SEVERAL,
    STAGES,
    SUBJECTS,
    SUMMARIES,
    WHYS,
)

__all__ = [
    "ADVICE",
    "CONSULTING",
    "ENDED",
    "ENDINGS",
    "NO_RULE",
    "OVER",
    "REASONS",
    "RESTS_ON",
    "STAGES",
    "asks_text",
    "change_text",
    "happened",
    "irregular_text",
    "needs_text",
    "points_text",
    "reason_text",
    "scores_page",
    "subject",
    "summary",
    "template",
    "why_text",
]

if TYPE_CHECKING:
    import jinja2

    from nomic_git.game.event import Event
    from nomic_git.game.position import Position
    from nomic_git.game.state import State
    from nomic_git.law.precedence import Finding, Law
    from nomic_git.law.reason import Reason


def reason_text(reason: Reason, law: Law | None = None) -> str:
    """Return a reason as a sentence or two, with the rule that it rests on where a law is given."""
    text = REASONS[reason.what].format(**{key: _quiet(value) for key, value in reason.facts.items()})
    if law is None or reason.rests_on is None:
        return text
    return f"{text} {_cited(law, reason.rests_on)}"


def _cited(law: Law, key: str) -> str:
    """Return the rules that a provision rests on: the one that prevails, and those that agree with it."""
    found = law.findings[key]
    agreed = sorted(number for number in found.standing if number not in found.overrides)
    return RESTS_ON_SEVERAL.format(rules=" and ".join(map(str, agreed))) if len(agreed) > 1 else _rests_on(found.rule)


def irregular_text(reason: Reason) -> str:
    """Return why a commit is irregular; a reason that stood in its proposal's way is one too."""
    if reason.what not in IRREGULAR:
        return IRREGULAR["not-in-order"].format(reason=reason_text(reason))
    return IRREGULAR[reason.what].format(**{key: _quiet(value) for key, value in reason.facts.items()})


def change_text(kind: str | None, rule: int | None, author: str) -> str:
    """Return what a proposal would do, as in `amend rule 203`."""
    return CHANGES[kind].format(rule=rule, author=author) if kind is not None else "no lawful rule-change"


def summary(stage: str, supporters: int, opponents: int, waiting: int) -> str:
    """Return how a proposal stands on one line, with how many voted for and against and how many still may."""
    return SUMMARIES[stage].format(supporters=supporters, opponents=opponents, waiting=waiting)


def points_text(player: str, parts: Iterable[tuple[int, int | None]]) -> str:
    """Return the points that a player got in parts, each with its rule: `dave -10 (rule -107) and +7 (rule -111)`."""
    said = (f"{points:+d}" + (f" {RESTS_ON.format(rule=rule)}" if rule is not None else "") for points, rule in parts)
    return f"{player} {' and '.join(said)}"


def happened(event: Event, position: Position) -> str:
    """Return what an event came to, in a sentence with its rule where it rests on one; `position` is one after it."""
    if event.kind == "won" and event.player is not None:
        seat = position.state.seat(event.player)
        points = seat.points if seat is not None else 0
        return f"{HAPPENED['won'].format(player=event.player, points=points)} {_rests_on(event.rule)}"
    rule = position.law.rulebook.rules.get(event.rule) if event.rule is not None else None
    if event.kind == "relaxed" and rule is not None and ADOPTION_THRESHOLD.name in rule.provisions:
        asks = asks_text(write_threshold(rule.provisions[ADOPTION_THRESHOLD.name]))
        return HAPPENED["relaxed"].format(rule=rule.number, asks=asks)
    return subject(event)


def asks_text(threshold: str) -> str:
    """Return what a threshold, as a rule would write it, asks for."""
    return ASKS[_sort(threshold, ASKS)].format(threshold=_quiet(threshold))


def _sort(threshold: str, named: Container[str]) -> str:
    if threshold in named:
        return threshold
    return "fraction" if set(threshold) <= set("0123456789/") else "expression"


def needs_text(threshold: str, eligible: int) -> str:
    """Return what a threshold, as a rule would write it, asks of those who may vote."""
    return NEEDS[_sort(threshold, NEEDS)].format(threshold=_quiet(threshold), eligible=eligible)


def _quiet(value: str | int) -> str:
    """Return a fact as text on one line that no forge and no terminal acts upon."""
    text = "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in str(value))
    # The sentences put players' words between backticks, in which no mention, link or tag acts.
    text = text.replace("`", "'")
    return text if len(text) <= 300 else text[:299] + "\N{HORIZONTAL ELLIPSIS}"


def why_text(finding: Finding, law: Law) -> str:
    """Return why a rule prevails for a provision, with the rules that are void for it (110, 211)."""
    text = WHYS[finding.why]
    void = [str(number) for number in finding.overrides if number in law.void]
    return f"{text}; void: {', '.join(void)}" if void else text


def subject(event: Event) -> str:
    """Return the first line of an event's commit message, made of numbers, kinds and logins alone."""
    key: str = event.kind
    if event.kind != "voided" and event.change is not None:
        key = f"{event.kind}-{event.change.kind}"
    elif event.kind in {"defeated"}:
        key = "declined"
    elif event.round is not None:
        key = "begun"
    elif event.ruling is not None:
        key = f"{event.kind}-{event.ruling}"
    change = event.change
    return SUBJECTS[key].format(
        proposal=event.proposal,
        judge=event.judge,
        number=event.number,
        player=event.player,
        round=event.round,
        rule=event.rule if change is None else change.rule,
        becomes=None if change is None else change.becomes,
    )


def scores_page(state: State) -> bytes:
    """Return the bytes of `SCORES.md`: what `scores.json` says, for people."""
    from nomic_git.game.state import standings

    text: str = template("scores.md.j2").render(state=state, standings=standings(state))
    return text.encode()


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    import jinja2  # only where something is rendered

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("nomic_git.locales"),
        autoescape=False,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["code"] = code
    environment.globals.update(
        stages=STAGES,
        reasons=REASONS,
        notices=NOTICES,
        change_text=change_text,
        needs_text=needs_text,
        points_text=points_text,
        rests_on=_rests_on,
    )
    return environment


def _rests_on(rule: int | None) -> str:
    return NO_RULE if rule is None else RESTS_ON.format(rule=rule)


def code(text: str) -> str:
    """Return a player's words as a Markdown code span on one line, in which nothing is acted upon."""
    return f"`{_quiet(text)}`"


@lru_cache
def template(name: str) -> Any:
    """Return a template of the catalogue by its file's name."""
    return _environment().get_template(name)
