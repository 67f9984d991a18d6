"""What GitHub says to a push that it does not take, and what that means for the game (docs/github.md).

The words are those that GitHub was seen to use. A refusal for what is in the commits blocks one proposal; one for
who pushes, or for the branch itself, stops the referee, and its line says how to give it what it needs.
"""

from __future__ import annotations

import re
from enum import Enum


class Meaning(Enum):
    """What the refusal of a push means."""

    OTHERS_FIRST = "the branch has moved"
    PROTECTED = "a rule of the branch, whatever is pushed"
    FORBIDDEN = "who pushes may not"
    CONTENT = "what is in the commits"
    BROKEN = "nobody knows whether it was done"


_CONTENT = re.compile(
    r"without `?workflows?`? (?:permission|scope)"
    r"|Push cannot contain|PUSH PROTECTION|[Ss]ecrets? detected|GH009"
    r"|GH001|Large files detected|exceeds GitHub's file size limit"
    r"|GH007|publish a private email address"
    r"|GH008|unknown (?:Git )?LFS object"
    r"|file (?:path|extension|size|name)[^\n]*(?:restricted|not allowed|exceeds|too long)|[Pp]ush rule violation"
    r"|(?:commit message|author email|committer email)s? must (?:not )?match",
    re.IGNORECASE,
)
_PROTECTED = re.compile(
    r"GH006|GH013|protected branch|protected ref|repository rule violations|through a pull request"
    r"|required status check|not authorized to push to this branch|must have verified signatures"
    r"|must not contain merge commits|required deployment|required workflow|review is required",
    re.IGNORECASE,
)
_FORBIDDEN = re.compile(
    r"Permission to \S+ denied|returned error: 40[13]|Write access to repository not granted|Permission denied"
    r"|Resource not accessible|marked as read only|archived so it is read-only|Authentication failed"
    r"|Invalid username or (?:password|token)|could not read (?:Username|Password)|Repository not found"
    r"|returned error: 404|Password authentication",
    re.IGNORECASE,
)
_OTHERS_FIRST = re.compile(
    r"! \[rejected\]|\((?:fetch first|non-fast-forward|stale info)\)"
    r"|! \[remote rejected\][^!]*\((?:failed to update ref|cannot lock ref|incorrect old value|reference already)"
)
_REFUSED = re.compile(
    r"! \[remote rejected\](?![^!]*\((?:atomic|Internal Server Error|unpacker error"
    r"|fail(?:ed)? to (?:run|report|write)))"
)


def meaning(words: str) -> Meaning:
    """Return what all that git printed about a failed push means.

    A refusal that is not known is taken for one of the content: then the game goes on with everything else.
    """
    if _CONTENT.search(words):
        return Meaning.CONTENT
    if _PROTECTED.search(words):
        return Meaning.PROTECTED
    if _FORBIDDEN.search(words):
        return Meaning.FORBIDDEN
    if _OTHERS_FIRST.search(words):
        return Meaning.OTHERS_FIRST
    return Meaning.CONTENT if _REFUSED.search(words) else Meaning.BROKEN


_CHANGES = re.compile(
    r"(?<!')https?://\S+|\b[0-9a-f]{7,64}\b|\b[A-Z0-9]{4}:[0-9A-F:]{8,}\S*|\bTrace:|\(\?\)|[\u2014\u2500]{2,}"
    r"|\bcommits?:(?=\s|$)|Review all repository rules at|Learn how to resolve a blocked push"
)
"""What differs from try to try, or only a browser could use."""

_CREDENTIALS = re.compile(r"(https?://)[^\s/@']*@")
"""What some have before the host of an address; an address itself stands in quotes where git says it."""

_REASON = re.compile(r"! \[remote rejected\][^(]*\((.*)\)")
_LONGEST = 500


def words_of(words: str) -> str:
    """Return GitHub's own words for a refusal on one line, without what differs from try to try."""
    words = _CREDENTIALS.sub(r"\1", words)
    said = [line.removeprefix("remote:") for line in words.splitlines() if line.startswith("remote:")]
    reasons = [match[1] for match in _REASON.finditer(words) if not match[1].startswith("atomic")]
    plain = (_CHANGES.sub(" ", "".join(one if one.isprintable() else " " for one in line)) for line in said + reasons)
    kept = [" ".join(line.split()).removeprefix("error: ") for line in plain]
    text = " ".join(dict.fromkeys(line for line in kept if line.strip(" .:-")))
    return (text or " ".join(_CHANGES.sub(" ", words).split()))[:_LONGEST]
