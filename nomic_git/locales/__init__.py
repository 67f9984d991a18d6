"""What the program says: the sentences of the catalogue and the templates, filled in."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from nomic_git.game.instant import LATEST, write_instant
from nomic_git.law.duration import SECONDS
from nomic_git.law.provisions import ADOPTION_THRESHOLD, STALEMATE_WINNER
from nomic_git.law.threshold import write_threshold
from nomic_git.locales.sentences import (
    ABSENT,
    ADVICE,
    AGAIN,
    ASKS,
    BOTH_NUMBERS,
    BY_DIE,
    CASES,
    CHANGES,
    COMMANDS,
    COMPLETED,
    CONSULTING,
    COUNTDOWNS,
    DIE,
    ENDED,
    ENDINGS,
    HAPPENED,
    IRREGULAR,
    LEFT,
    LOOKS,
    MADE_FINAL,
    NEEDS,
    NEXT_JUDGE,
    NO_RULE,
    NOT_IN_TIME,
    NOTICES,
    OVER,
    REASONED,
    REASONS,
    RESTS_ON,
    RESTS_ON_SEVERAL,
    STAGES,
    SUBJECTS,
    SUMMARIES,
    THROW,
    WERE_ABSENT,
    WHYS,
)

__all__ = [
    "ABSENT",
    "ADVICE",
    "COMPLETED",
    "CONSULTING",
    "COUNTDOWNS",
    "ENDED",
    "ENDINGS",
    "LOOKS",
    "NOT_IN_TIME",
    "NO_RULE",
    "OVER",
    "REASONS",
    "RESTS_ON",
    "STAGES",
    "WERE_ABSENT",
    "again_text",
    "asks_text",
    "case_text",
    "change_text",
    "command_text",
    "die_text",
    "happened",
    "instant_text",
    "irregular_text",
    "left_text",
    "names_text",
    "needs_text",
    "numbers_text",
    "overridden_text",
    "points_text",
    "reason_text",
    "rests_on",
    "scores_page",
    "subject",
    "summary",
    "template",
    "throw_text",
    "told",
    "void_text",
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
    return RESTS_ON_SEVERAL.format(rules=" and ".join(map(str, agreed))) if len(agreed) > 1 else rests_on(found.rule)


def irregular_text(reason: Reason) -> str:
    """Return why a commit is irregular; a reason that stood in its proposal's way is one too."""
    if reason.what not in IRREGULAR:
        return IRREGULAR["not-in-order"].format(reason=reason_text(reason))
    return IRREGULAR[reason.what].format(**{key: _quiet(value) for key, value in reason.facts.items()})


def change_text(kind: str | None, rule: int | None, author: str) -> str:
    """Return what a proposal would do, as in `amend rule 203`."""
    return CHANGES[kind].format(rule=rule, author=author) if kind is not None else "no lawful rule-change"


def numbers_text(proposal: int | None, number: int | None) -> str:
    """Return the number of a proposal at the forge, with the one that the rulebook gave it where that is another."""
    if number is None or number == proposal:
        return str(proposal)
    return BOTH_NUMBERS.format(proposal=proposal, number=number)


def again_text(kind: str | None) -> str:
    """Return what one does about a proposal of this kind that another round has left behind."""
    return AGAIN.get(kind or "", "propose it again")


def summary(stage: str, supporters: int, opponents: int, waiting: int) -> str:
    """Return how a proposal stands on one line, with how many voted for and against and how many still may."""
    return SUMMARIES[stage].format(supporters=supporters, opponents=opponents, waiting=waiting)


def points_text(player: str, parts: Iterable[tuple[int, int | None]]) -> str:
    """Return the points that a player got in parts, each with its rule: `dave -10 (rule -107) and +7 (rule -111)`."""
    said = (f"{points:+d}" + (f" {RESTS_ON.format(rule=rule)}" if rule is not None else "") for points, rule in parts)
    return f"{player} {' and '.join(said)}"


def stakes_text(points: int | None) -> str:
    """Return points that something would bring: `+7`, or what a die shows, where they are None."""
    return BY_DIE if points is None else f"{points:+d}"


def happened(event: Event, position: Position) -> str:
    """Return what an event came to, in a sentence with its rule where it rests on one; `position` is one after it."""
    if event.kind == "won" and event.player is not None:
        if event.rule is not None and event.rule == position.law.rule(STALEMATE_WINNER.name):
            return f"{HAPPENED['stalemate'].format(player=event.player)} {rests_on(event.rule)}"
        seat = position.state.seat(event.player)
        points = seat.points if seat is not None else 0
        return f"{HAPPENED['won'].format(player=event.player, points=points)} {rests_on(event.rule)}"
    if event.kind == "passed":
        return f"{HAPPENED['passed'].format(player=event.player)} {rests_on(event.rule)}"
    rule = position.law.rulebook.rules.get(event.rule) if event.rule is not None else None
    if event.kind == "relaxed" and rule is not None and ADOPTION_THRESHOLD.name in rule.provisions:
        asks = asks_text(write_threshold(rule.provisions[ADOPTION_THRESHOLD.name]))
        return HAPPENED["relaxed"].format(rule=rule.number, asks=asks)
    return told(event)


def told(event: Event) -> str:
    """Return what happened in a sentence, of a judgment with what was asked, ruled and said by whom."""
    key = _judgment_key(event)
    if key is None:
        return _line(event, numbers_text(event.proposal, event.number) if event.change is not None else event.number)
    by = ", ".join(event.supporters)
    text = HAPPENED[key].format(
        player=event.player, proposal=event.proposal, judge=event.judge, words=event.words, supporters=by
    )
    if event.kind == "judged" and event.words:
        return REASONED.format(told=text, words=event.words)
    if event.kind == "settled" and by:
        return MADE_FINAL.format(told=text, supporters=by)
    if event.kind in {"invoked", "overruled"} and event.judge:
        return NEXT_JUDGE.format(told=text, judge=event.judge)
    return text


def _judgment_key(event: Event) -> str | None:
    key = str(event.kind) if event.ruling is None else f"{event.kind}-{event.ruling}"
    return key if key in HAPPENED and event.kind not in {"won", "relaxed"} else None


def case_text(key: str, rule: int | None = None, **facts: str | int) -> str:
    """Return a sentence about a judgment, with the rule that it rests on where one is given."""
    text = CASES[key].format(**facts)
    return text if rule is None else f"{text} {RESTS_ON.format(rule=rule)}"


def command_text(forge: str, move: str, proposal: int) -> str:
    """Return the words of a command about a judgment, as players of this forge say it (`Forge.commands`)."""
    return COMMANDS[forge][move].format(proposal=proposal)


def die_text(die: int, cast: str) -> str:
    """Return what a die showed and how it can be thrown again, from the text whose SHA-256 decided."""
    return DIE.format(die=die, command=throw_text(cast))


def throw_text(cast: str) -> str:
    """Return one line for any shell that throws a die again; of Python, since shells do not divide such numbers."""
    from nomic_git.game.die import FACES  # only where a die is thrown

    return THROW.format(cast=cast, faces=FACES)


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


def instant_text(seconds: int) -> str:
    """Return an instant, in seconds since the epoch, for people: `2026-11-21 10:06 UTC`, with seconds if there are.

    What would be after the last one that can be written, as a deadline may, is said to be then.
    """
    text = write_instant(min(seconds, LATEST)).replace("T", " ").removesuffix("Z").removesuffix(":00")
    return f"{text} UTC"


def left_text(now: int, until: int) -> str:
    """Return how long it is from one instant to another, both in seconds, so roughly that it seldom changes.

    In the hours of the clock: what is said is the same throughout an hour, and throughout a day while days are left.
    """
    hours = until // SECONDS["h"] - now // SECONDS["h"]
    days = (hours + 12) // 24
    if hours >= 24:
        return LEFT["days" if days > 1 else "day"].format(count=days)
    return LEFT["hours" if hours > 1 else "hour" if hours == 1 else "soon"].format(count=hours)


def names_text(logins: Sequence[str]) -> str:
    """Return logins as a sentence names them: `alice`, `alice and bob`, `alice, bob and carol`."""
    return " and ".join((", ".join(logins[:-1]), logins[-1])) if len(logins) > 1 else "".join(logins)


def why_text(finding: Finding, law: Law) -> str:
    """Return why a rule prevails for a provision, with the rules that are void for it (110, 211)."""
    text = WHYS[finding.why]
    void = [str(number) for number in finding.overrides if number in law.void]
    return f"{text}; void: {', '.join(void)}" if void else text


def void_text(rule: int, keys: Sequence[str]) -> str:
    """Return that a rule would be void, for its conflict over these provisions with an immutable rule (110)."""
    quoted = names_text([code(key) for key in keys])
    return NOTICES["void"].format(rule=rule, keys=quoted, why=WHYS["immutable"])


def overridden_text(provision: str, finding: Finding) -> str:
    """Return that a provision, as a rule would write it, would have no effect beside what the law finds (211)."""
    return NOTICES["overridden"].format(provision=_quiet(provision), rule=finding.rule, why=WHYS[finding.why])


def subject(event: Event) -> str:
    """Return the first line of an event's commit message, made of numbers, kinds and logins alone."""
    return _line(event, event.number)


def _line(event: Event, number: int | str | None) -> str:
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
        number=number,
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
        numbers_text=numbers_text,
        points_text=points_text,
        stakes_text=stakes_text,
        rests_on=rests_on,
    )
    return environment


def rests_on(rule: int | None) -> str:
    """Return the rule that something rests on, in brackets, or that it rests on none."""
    return NO_RULE if rule is None else RESTS_ON.format(rule=rule)


def code(text: str) -> str:
    """Return a player's words as a Markdown code span on one line, in which nothing is acted upon."""
    return f"`{_quiet(text)}`"


@lru_cache
def template(name: str) -> Any:
    """Return a template of the catalogue by its file's name."""
    return _environment().get_template(name)
