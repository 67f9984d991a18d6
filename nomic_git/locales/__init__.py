"""What the program says: the sentences of the catalogue and the templates, filled in."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from nomic_git.locales.sentences import (
    CHANGES,
    ENDED,
    ENDINGS,
    IRREGULAR,
    NEEDS,
    NO_RULE,
    NOT_YET,
    NOTICES,
    REASONS,
    RESTS_ON,
    STAGES,
    SUBJECTS,
    WHYS,
)

__all__ = [
    "ENDED",
    "ENDINGS",
    "NO_RULE",
    "REASONS",
    "RESTS_ON",
    "STAGES",
    "change_text",
    "irregular_text",
    "needs_text",
    "reason_text",
    "scores_page",
    "subject",
    "template",
    "unrefereed_text",
    "why_text",
]

if TYPE_CHECKING:
    import jinja2

    from nomic_git.game.event import Event
    from nomic_git.game.state import State
    from nomic_git.law.precedence import Finding, Law
    from nomic_git.law.reason import Reason


def reason_text(reason: Reason, law: Law | None = None) -> str:
    """Return a reason as a sentence or two, with the rule that it rests on where a law is given."""
    text = REASONS[reason.what].format(**{key: _quiet(value) for key, value in reason.facts.items()})
    if law is None or reason.rests_on is None:
        return text
    rule = law.rule(reason.rests_on)
    return f"{text} {RESTS_ON.format(rule=rule) if rule is not None else NO_RULE}"


def irregular_text(reason: Reason) -> str:
    """Return why a commit is irregular; a reason that stood in its proposal's way is one too."""
    if reason.what not in IRREGULAR:
        return IRREGULAR["not-in-order"].format(reason=reason_text(reason))
    return IRREGULAR[reason.what].format(**{key: _quiet(value) for key, value in reason.facts.items()})


def change_text(kind: str | None, rule: int | None, author: str) -> str:
    """Return what a proposal would do, as in `amend rule 203`."""
    return CHANGES[kind].format(rule=rule, author=author) if kind is not None else "no lawful rule-change"


def needs_text(threshold: str, eligible: int) -> str:
    """Return what a threshold, as a rule would write it, asks of those who may vote."""
    key = threshold if threshold in NEEDS else "fraction" if set(threshold) <= set("0123456789/") else "expression"
    return NEEDS[key].format(threshold=_quiet(threshold), eligible=eligible)


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


def unrefereed_text(law: Law) -> str:
    """Return which provisions of the law this version leaves to the players, empty where it leaves none."""
    from nomic_git.game.unrefereed import unrefereed

    left = unrefereed(law)
    listed = ", ".join(f"{key} ({'no rule' if rule is None else f'rule {rule}'})" for key, rule in left.items())
    return NOT_YET.format(listed=listed) if left else ""


def subject(event: Event) -> str:
    """Return the first line of an event's commit message, made of numbers, kinds and logins alone."""
    key: str = event.kind
    if event.change is not None:
        key = f"{event.kind}-{event.change.kind}"
    elif event.kind in {"defeated"}:
        key = "declined"
    change = event.change
    return SUBJECTS[key].format(
        proposal=event.proposal,
        number=event.number,
        player=event.player,
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
