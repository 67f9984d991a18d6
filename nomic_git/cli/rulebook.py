"""Commands that read the rulebook: `rules`, `show`, `history`, `law`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from nomic_git.cli.desk import AsJson, InRound, Misunderstood, RuleNumber, as_text, desk, plain_instant
from nomic_git.cli.paper import Strong, say, say_json, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from nomic_git.law.rule import Rule
    from nomic_git.repository.cases import Case
    from nomic_git.repository.clone import Clone
    from nomic_git.repository.lives import Turning
    from nomic_git.repository.rounds import Round


def rules(context: typer.Context, as_json: AsJson = False) -> None:
    """List the rules in force."""
    from nomic_git.repository.rulebook import rulebook_at

    clone = desk(context).clone
    rulebook = rulebook_at(clone.trees, clone.tip.tree_id.raw)
    if as_json:
        say_json([_plain_rule(rule) for rule in rulebook])
        return
    table(
        ("Rule", "Status", "Title", "Formerly"),
        [(rule.number, rule.status, rule.title or "", ", ".join(map(str, rule.formerly))) for rule in rulebook],
        right=(0,),
    )


def _plain_rule(rule: Any) -> dict[str, Any]:
    from nomic_git.law.provisions import KEYS

    return {
        "number": rule.number,
        "status": rule.status.value,
        "title": rule.title,
        "provisions": {name: KEYS[name].plain(value) for name, value in rule.provisions.items()},
        "formerly": list(rule.formerly),
    }


def show(context: typer.Context, number: RuleNumber, as_json: AsJson = False) -> None:
    """Show one rule: its words, and what it tells the referee."""
    from nomic_git.law.precedence import read_law
    from nomic_git.referee.effect import value_text
    from nomic_git.repository.rulebook import rulebook_at

    clone = desk(context).clone
    rulebook = rulebook_at(clone.trees, clone.tip.tree_id.raw)
    rule = rulebook.named(number)
    if rule is None:
        raise Misunderstood(f"there is no rule {number} in force; nomic-git history {number} tells if there ever was")
    cited = _judgments_on(context, rule)
    if as_json:
        from nomic_git.cli.judgment import plain_case

        say_json({**_plain_rule(rule), "words": rule.words, "judgments": [plain_case(one) for one in cited]})
        return
    say(Strong(f"Rule {rule.number}" + (f": {rule.title}" if rule.title else "")))
    say(f"{rule.status}" + (f", formerly {', '.join(map(str, rule.formerly))}" if rule.formerly else ""))
    say()
    say(rule.words.strip("\n"))
    if rule.provisions:
        found = read_law(rulebook)
        say()
        say("It tells the referee:")
        for name, value in rule.provisions.items():
            held = "" if found.rule(name) == rule.number else f"  (not in effect: {_why_not(found, rule, name)})"
            say(f"  {name}: {value_text(name, value)}{held}")
    if cited:
        say()
        say("Judges have cited it:")
        _tell_citing(cited, rule)


def _judgments_on(context: typer.Context, rule: Rule) -> Sequence[Case]:
    """Return the judgments in which a Judge cited a rule, by any of its numbers.

    Where none was ever settled or is open, and in a clone without the history, nobody looks for any.
    """
    from nomic_git.cli.judgment import cases_of
    from nomic_git.repository.position import state_at

    at = desk(context)
    state = state_at(at.clone.trees, at.clone.tip.tree_id.raw)
    if (not state.held and state.judgment is None) or at.clone.repository.is_shallow:
        return ()
    return [one for one in cases_of(at, state.round) if not one.cites.isdisjoint(rule.numbers)]


def _tell_citing(cited: Sequence[Case], rule: Rule) -> None:
    from nomic_git.referee.judgments import verdict_text

    for case in cited:
        for one in case.verdicts:
            if not {*rule.numbers}.isdisjoint(one.cites):
                say(f"  Proposal {case.proposal}: {verdict_text(one).replace('`', '')}")


def _why_not(found: Any, rule: Any, name: str) -> str:
    if rule.number in found.void:
        return f"the rule conflicts with immutable rule {found.void[rule.number][0]} and is void"
    return f"rule {found.rule(name)} prevails"


def history(context: typer.Context, number: RuleNumber, in_round: InRound = None, as_json: AsJson = False) -> None:
    """Tell the life of a rule in a round, the last one if none is named, through all the numbers that it has had."""
    from nomic_git.repository.lives import life

    clone = desk(context).clone.needs_history()
    one = _round_of(clone, in_round) if in_round is not None or _is_another_round(clone) else None
    lived = life(clone, number, one) or _by_former_number(clone, number, one)
    if not lived:
        raise Misunderstood(_no_life(clone, number, one))
    if as_json:
        say_json(
            [
                {
                    "number": one.number,
                    "proposal": one.proposal,
                    "kind": one.kind,
                    "commit": one.commit,
                    "time": plain_instant(one.time),
                }
                for one in lived
            ]
        )
        return
    is_later = one is not None and one.number > 1
    past = {**_PAST, "founded": f"in force when round {one.number} began"} if one is not None and is_later else _PAST
    table(
        ("Number", "Proposal", "What happened", "When", "Commit"),
        [
            (each.number, as_text(each.proposal), past[each.kind], plain_instant(each.time), each.commit[:12])
            for each in lived
        ],
        right=(0, 1),
    )


def _by_former_number(clone: Clone, number: int, one: Round | None) -> Sequence[Turning]:
    """Return the life, in a later round, of the rule that had this number in an earlier one, as `show` finds it too."""
    from nomic_git.repository.lives import life
    from nomic_git.repository.rulebook import rulebook_at

    rule = None if one is None else rulebook_at(clone.trees, one.end.tree_id.raw).named(number)
    return () if rule is None else life(clone, rule.number, one)


def _is_another_round(clone: Clone) -> bool:
    """Return whether there have been rounds before this one, by the scores alone."""
    from nomic_git.repository.scores import state_at

    return state_at(clone.trees, clone.tip.tree_id.raw).round > 1


def _round_of(clone: Clone, number: int | None) -> Round:
    from nomic_git.repository.rounds import round_of

    return round_of(clone, number)


def _no_life(clone: Clone, number: int, one: Round | None) -> str:
    """Return that no rule ever had a number in a round, with the last other round in which one had."""
    from nomic_git.repository.lives import life
    from nomic_git.repository.rounds import rounds

    if one is None:
        return f"there is no rule {number}, and never was"
    other = next((each.number for each in reversed(rounds(clone)) if life(clone, number, each)), None)
    hint = "" if other is None else f"; there was one in round {other}: nomic-git history {number} --round {other}"
    return f"there is no rule {number} in round {one.number}, and never was{hint}"


_PAST = {
    "founded": "in force from the founding",
    "enact": "enacted",
    "amend": "amended",
    "repeal": "repealed",
    "transmute": "transmuted",
    "relax": "relaxed, as it provided",
    "voided": "voided, since it was illegal",
}


def law(context: typer.Context, as_json: AsJson = False) -> None:
    """Show what the rules tell the referee. To each provision: the rule that prevails, those it overrides, why."""
    from nomic_git.law.precedence import read_law
    from nomic_git.law.provisions import KEYS
    from nomic_git.locales import why_text
    from nomic_git.referee.effect import value_text
    from nomic_git.repository.rulebook import rulebook_at

    clone = desk(context).clone
    found = read_law(rulebook_at(clone.trees, clone.tip.tree_id.raw))
    if as_json:
        say_json(
            {
                name: {
                    "value": KEYS[name].plain(one.value),
                    "rule": one.rule,
                    "overrides": list(one.overrides),
                    "why": why_text(one, found),
                }
                for name, one in found.findings.items()
            }
        )
        return
    table(
        ("Provision", "Value", "Rule", "Overrides", "Why"),
        [
            (
                name,
                value_text(name, one.value),
                as_text(one.rule),
                ", ".join(map(str, one.overrides)),
                why_text(one, found),
            )
            for name, one in found.findings.items()
        ],
        right=(2,),
    )
