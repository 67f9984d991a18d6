"""What a resolved proposal would have changed, read again from the head that its event names (106)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nomic_git.game.opening import numbered
from nomic_git.game.proposal import Stage
from nomic_git.law.rule_change import JoinRequest, RuleChange, read_change
from nomic_git.referee.account import kind_of, position_before
from nomic_git.referee.comment import law_after
from nomic_git.referee.difference import added, difference
from nomic_git.repository.branch import GameBranch
from nomic_git.repository.clone import NotHere
from nomic_git.repository.wording import Illegible, legible_branch

if TYPE_CHECKING:
    from nomic_git.law.rule_change import Reading
    from nomic_git.referee.account import Account
    from nomic_git.repository.clone import Clone
    from nomic_git.repository.history import Recorded


def proposed(clone: Clone, recorded: Recorded) -> str | None:
    """Return the difference that a resolved proposal made, or would have made, against the rule as it was then.

    None where it asked for no rule-change and for no seat, or for none that was lawful. Raises NotHere where this clone
    has its head no more, which nothing but an adoption keeps in the history.
    """
    change = _change(clone, recorded)
    if isinstance(change, JoinRequest):
        return added(f"players/{change.login}.md", change.source)
    if not isinstance(change, RuleChange):
        return None
    before = position_before(clone, recorded)
    number = recorded.event.number or numbered(before, recorded.event.proposal or 0)
    after = law_after(before.law, change, number) if number is not None else None
    return difference(change, before.law, after, number)


def retold(clone: Clone, recorded: Recorded, account: Account) -> Account:
    """Return the account of a proposal with what its record leaves out where it was withdrawn: kind, rule, number.

    As they were then. The kind and the rule stay unknown where this clone has its head no more.
    """
    if account.stage is not Stage.WITHDRAWN:
        return account
    before = position_before(clone, recorded)
    try:
        change = _change(clone, recorded)
    except NotHere:
        return replace(account, number=before.state.number(account.proposal))
    if not isinstance(change, RuleChange):
        return replace(account, kind=kind_of(change))
    return replace(account, kind=kind_of(change), rule=change.rule, number=numbered(before, account.proposal))


def _change(clone: Clone, recorded: Recorded) -> Reading | None:
    event = recorded.event
    if event.head is None:
        return None
    game = GameBranch(clone.repository, clone.trees, recorded.parents[0])
    try:
        return read_change(legible_branch(game, event.head, {}), event.player or "")
    except (Illegible, KeyError) as error:
        raise NotHere(f"commit {event.head} cannot be read: {error}") from None
