"""Drafting: the commit that a proposal consists of, made from bytes on top of the game branch (section 3)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2

from nomic_git.law import front_matter
from nomic_git.law.errors import NomicError
from nomic_git.law.rule import Rule, Status, check_words, read_rule, reworded
from nomic_git.repository.rulebook import rulebook_at
from nomic_git.repository.tree import graft

if TYPE_CHECKING:
    from nomic_git.repository.clone import Clone

_NOT_IN_A_NAME = re.compile(r"[^a-z0-9]+")


class CannotDraft(NomicError):
    """A change that cannot be drafted: there is no such rule, or nothing would change."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A change as files of the game's tree, None for one that goes, and a line that says what it is."""

    files: Mapping[str, bytes | None]
    line: str


def enactment(source: bytes, title: str = "") -> Draft:
    """Return the draft of a new rule with these bytes as its file.

    Where they are words alone, `title` becomes the rule's. Raises Unreadable where they are no rule, or one
    without words.
    """
    given = front_matter.split(source)
    if title and not given.opening:
        source = front_matter.written(given, "title", title).source
    rule = read_rule(0, Status.MUTABLE, source)
    check_words(rule)
    name = _NOT_IN_A_NAME.sub("-", (rule.title or "").lower()).strip("-")[:40] or "new-rule"
    if re.fullmatch("[0-9-]+", name):
        name = "new-rule"
    return Draft({f"rules/mutable/{name}.md": source}, "Enact a rule")


def amendment(clone: Clone, number: int, source: bytes) -> Draft:
    """Return the draft of an amendment.

    Bytes without front matter are the rule's new words, and it keeps its provisions; bytes with front matter
    are its new file, in which `formerly` is put as it stands. Raises CannotDraft where there is no such rule
    or nothing would change, Unreadable where the bytes are no rule, or leave it without words.
    """
    rule = _rule(clone, number)
    given = front_matter.split(source)
    if not given.opening:
        new = reworded(rule, _below(rule, source))
    elif rule.formerly:
        new = front_matter.written(given, "formerly", rule.formerly, after=("title",)).source
    else:
        new = source
    check_words(read_rule(rule.number, rule.status, new))
    if new.replace(b"\r\n", b"\n") == rule.source.replace(b"\r\n", b"\n"):
        raise CannotDraft(f"that is rule {rule.number} as it stands; nothing would change")
    return Draft({rule.path: new}, f"Amend rule {rule.number}")


def _below(rule: Rule, words: bytes) -> bytes:
    """Return words with the blank line above them that the rule's words have."""
    old = front_matter.split(rule.source)
    blank = re.match(rb"(?:\r\n|\n|\r)?", old.words)
    lead = blank.group() if blank is not None and old.opening else b""
    return words if words.startswith((b"\n", b"\r")) else lead + words


def repeal(clone: Clone, number: int) -> Draft:
    """Return the draft of a repeal. Raises CannotDraft where there is no such rule."""
    rule = _rule(clone, number)
    return Draft({rule.path: None}, f"Repeal rule {rule.number}")


def transmutation(clone: Clone, number: int) -> Draft:
    """Return the draft of a transmutation (109). Raises CannotDraft where there is no such rule."""
    rule = _rule(clone, number)
    other = f"rules/{rule.status.other}/{rule.number}.md"
    return Draft({rule.path: None, other: rule.source}, f"Transmute rule {rule.number}")


def _rule(clone: Clone, number: int) -> Rule:
    rulebook = rulebook_at(clone.trees, clone.tip.tree_id.raw)
    rule = rulebook.rules.get(number)
    if rule is not None:
        return rule
    now = rulebook.named(number)
    if now is not None:
        raise CannotDraft(f"rule {number} is rule {now.number} now; name it so")
    meant = f"; did you mean {-number}?" if -number in rulebook.rules else "; nomic-git rules lists those in force"
    raise CannotDraft(f"there is no rule {number}{meant}")


def commit(clone: Clone, draft: Draft, name: str, email: str, time: int, *, instead_of: str | None = None) -> str:
    """Write a draft as one commit on the tip of the game branch and return its id; no ref is moved.

    `instead_of` is the head that it replaces: it becomes a parent too, so that the new head stands on the
    old one and can be pushed unforced.
    """
    tip = clone.tip
    tree = graft(clone.trees, tip.tree_id.raw, draft.files).write(clone.repository)
    signature = pygit2.Signature(name, email, time, 0)
    parents = [tip.id]
    if instead_of is not None:
        parents.append(pygit2.Oid(hex=instead_of))
    return str(clone.repository.create_commit(None, signature, signature, f"{draft.line}\n", tree, parents))


def commit_named(clone: Clone, revision: str) -> str:
    """Return the id of the commit that a branch's name or any other revision means. Raises CannotDraft."""
    try:
        found = clone.repository.revparse_single(revision).peel(pygit2.Commit)
    except (KeyError, ValueError, pygit2.GitError):
        raise CannotDraft(f"there is no branch {revision!r} here, and no such commit; see: git branch") from None
    return str(found.id)
