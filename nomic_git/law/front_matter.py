"""Front matter: the lines between two `---` at the head of a file, and the words below them.

The words are kept byte for byte (design section 2). The referee changes single keys of the front matter
and leaves every other line of it as its writer wrote it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from nomic_git.law.errors import Unreadable
from nomic_git.law.plain_lines import MISSING, Entry, read_lines, scalar
from nomic_git.law.values import shown

if TYPE_CHECKING:
    from nomic_git.law.plain import Plain

LARGEST_FILE = 256 * 1024
"""Bytes that a rule or a player file may have."""

LARGEST_MATTER = 64 * 1024
"""Bytes of those that may be front matter."""

_DEEPEST = 8
_BOM = b"\xef\xbb\xbf"
_FENCE = re.compile(rb"---[ \t]*(\r\n|\n|\r|\Z)")
_CLOSING = re.compile(rb"(?<=[\r\n])---[ \t]*(?:\r\n|\n|\r|\Z)")
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+\Z")
_UNPRINTABLE = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]"
_BARE = r"[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*"
_ONE_KEY_A_LINE = "the front matter is to be one key a line, `key: value`, not indented"
_OPENING_YAML = frozenset("@`%-?")
_QUOTED = frozenset("\"'[{|>")
_WORDS_OF_YAML = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


@dataclass(frozen=True, slots=True)
class Document:
    """A file in two parts. `opening + matter + closing + words` are its bytes, none lost."""

    opening: bytes
    matter: bytes
    closing: bytes
    words: bytes

    @property
    def source(self) -> bytes:
        """The bytes of the whole file."""
        return self.opening + self.matter + self.closing + self.words


def split(data: bytes) -> Document:
    """Return the two parts of a file's bytes.

    A file that does not begin with a line `---` has no front matter and is words throughout. Raises
    Unreadable where the file is too long, is not UTF-8, holds a NUL, or does not close its front matter.
    """
    if len(data) > LARGEST_FILE:
        raise Unreadable(f"the file has {len(data)} bytes; {LARGEST_FILE} are the most there may be")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Unreadable(f"byte {error.start} is not UTF-8; save the file as UTF-8") from None
    if b"\0" in data:
        raise Unreadable("there is a NUL byte in it; save the file as plain text")
    start = len(_BOM) if data.startswith(_BOM) else 0
    fence = _FENCE.match(data, start)
    if fence is None or not fence.group(1):
        return Document(b"", b"", b"", data)
    return _close(data, fence.end())


def _close(data: bytes, start: int) -> Document:
    fence = _CLOSING.search(data, start)
    if fence is not None:
        at, end = fence.span()
        return Document(data[:start], data[start:at], data[at:end], data[end:])
    raise Unreadable("the front matter that line 1 opens is not closed; end it with a line ---")


def entries(document: Document) -> Mapping[str, Entry]:
    """Return the keys of a document's front matter in their order, each with its value and its lines.

    Raises Unreadable where it is not a YAML mapping of plain values: a key twice, an anchor, an alias, a
    tag, a list at the top, an indented top, something nested deeper than eight levels, more than 64 KiB.
    """
    return _entries(document.matter)


# One front matter is read several times on its way through a proposal, and again at every later look.
@lru_cache(maxsize=128)
def _entries(matter: bytes) -> Mapping[str, Entry]:
    if not matter.strip():
        return MappingProxyType({})
    if len(matter) > LARGEST_MATTER:
        raise Unreadable(f"the front matter is longer than {LARGEST_MATTER} bytes")
    text = matter.decode("utf-8")
    return MappingProxyType(read_lines(text) or _read_by_yaml(text))


def _read_by_yaml(text: str) -> dict[str, Entry]:
    odd = re.search(_UNPRINTABLE, text)
    if odd is not None:
        raise Unreadable(f"the front matter holds the character U+{ord(odd.group()):04X}; take it out")
    return _mapping_at_the_top(_events(text))


def _events(text: str) -> Iterator[Any]:
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"line {mark.line + 2}: " if mark is not None else ""
        remedy = _remedy(text.splitlines()[mark.line :][:1]) if mark is not None else ""
        raise Unreadable(f"{where}{error.problem or error.context} (the front matter is no YAML){remedy}") from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        # PyYAML without libyaml lets what chr() says of an escape such as "\UFFFFFFFF" through.
        raise Unreadable(f"the front matter is no YAML: {str(error).splitlines()[0]}") from None


def _remedy(lines: Sequence[str]) -> str:
    """Return what to do about the line that YAML stopped at, for the two mistakes that everybody makes."""
    line = lines[0] if lines else ""
    if "\t" in line[: len(line) - len(line.lstrip())]:
        return "; indent by two spaces, not by a tab"
    key, _, value = (part.strip() for part in line.partition(": "))
    if value[:1] in _OPENING_YAML or (": " in value and value[:1] not in _QUOTED):
        return f"; put quotes around what follows {shown(key + ':')}"
    return ""


@dataclass(slots=True)
class _Open:
    """A mapping or a list that is being read, and the key that waits for its value."""

    mapping: dict[str, Plain] | None
    items: list[Plain] = field(default_factory=list)
    key: str | None = None
    key_line: int = 0

    @property
    def value(self) -> Plain:
        return self.items if self.mapping is None else self.mapping

    def take(self, value: Plain, line: int) -> None:
        if self.mapping is None:
            self.items.append(value)
        elif self.key is None:
            key = str(value).lower() if isinstance(value, bool) else str(value)
            if key in self.mapping:
                raise Unreadable(f"line {line + 2}: the key {shown(key)} stands there twice")
            self.key, self.key_line = key, line
        else:
            self.mapping[self.key] = value
            self.key = None


@dataclass(slots=True)
class _Reading:
    """The events of one front matter, taken one by one without recursion, however deep they nest."""

    found: dict[str, Entry] = field(default_factory=dict)
    stack: list[_Open] = field(default_factory=list)
    documents: int = 0
    last: int = 0

    def document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1 or event.explicit:
            raise Unreadable(f"line {event.start_mark.line + 2}: a second document begins in the front matter")

    def begin(self, event: Any, mapping: dict[str, Plain] | None) -> None:
        line = event.start_mark.line
        if not self.stack and (mapping is None or event.flow_style):
            raise Unreadable(f"line {line + 2}: {_ONE_KEY_A_LINE}")
        if self.stack and self.stack[-1].mapping is not None and self.stack[-1].key is None:
            raise Unreadable(f"line {line + 2}: a key is to be a word, not a list or a mapping")
        if len(self.stack) == _DEEPEST:
            raise Unreadable(f"line {line + 2}: nested more than {_DEEPEST} levels deep")
        self.stack.append(_Open(mapping))

    def end(self, event: Any) -> None:
        closed = self.stack.pop()
        if self.stack:
            self._take(closed.value, event)

    def scalar(self, event: Any) -> None:
        at_the_top = len(self.stack) == 1 and self.stack[0].key is None
        # A key that does not begin its line (`? key`, or all indented) would not be rewritten by its lines.
        if not self.stack or (at_the_top and event.start_mark.column > 0):
            raise Unreadable(f"line {event.start_mark.line + 2}: {_ONE_KEY_A_LINE}")
        self._take(_scalar(event, event.start_mark.line), event)

    def _take(self, value: Plain, event: Any) -> None:
        line, end = event.start_mark.line, event.end_mark
        if end.column > 0:
            self.last = max(self.last, end.line + 1)
        elif end.line > line:
            self.last = max(self.last, end.line)
        top = self.stack[0]
        key, key_line = top.key, top.key_line
        self.stack[-1].take(value, line)
        if len(self.stack) == 1 and key is not None:
            self.found[key] = Entry(value, key_line, max(self.last, key_line + 1))


def _mapping_at_the_top(events: Iterator[Any]) -> dict[str, Entry]:
    reading = _Reading()
    for event in events:
        kind = type(event).__name__
        _refuse_cleverness(event, kind)
        match kind:
            case "DocumentStartEvent":
                reading.document(event)
            case "MappingStartEvent":
                reading.begin(event, {})
            case "SequenceStartEvent":
                reading.begin(event, None)
            case "MappingEndEvent" | "SequenceEndEvent":
                reading.end(event)
            case "ScalarEvent":
                reading.scalar(event)
    return reading.found


def _refuse_cleverness(event: Any, kind: str) -> None:
    line = event.start_mark.line
    if kind == "AliasEvent" or getattr(event, "anchor", None) is not None:
        raise Unreadable(f"line {line + 2}: anchors and aliases (& and *) are not read here; quote the text")
    if getattr(event, "tag", None) is not None:
        raise Unreadable(f"line {line + 2}: tags (!) are not read here; quote the text")


def _scalar(event: Any, line: int) -> Plain:
    text: str = event.value
    if re.search(_UNPRINTABLE, text):
        raise Unreadable(f"line {line + 2}: a control character stands there in disguise; take it out")
    if not event.implicit[0]:
        return text
    if text in MISSING:
        raise Unreadable(f"line {line + 2}: a value is missing; for the value none write the word none")
    return scalar(text)


def written(document: Document, key: str, value: Plain | None, *, after: Sequence[str] = ()) -> Document:
    """Return the document with `key` set to `value`, or without the key where the value is None.

    Only that key's lines change, and no other key's value. A new key is put behind the first of the keys
    `after` that is there, or first of all. A document without front matter gets one where there is something
    to write; its words stay byte for byte what they are.
    Raises Unreadable where the front matter cannot be read, or the key cannot be written into it.
    """
    standing = entries(document)
    if value is None and key not in standing:
        return document
    newline = _newline(document)
    lines = [bytes(line) for line in _LINE.findall(document.matter)]
    new = [] if value is None else [line.encode() + newline for line in _lines_of(key, value)]
    if key in standing:
        start, end = standing[key].start, standing[key].end
    else:
        start = end = next((standing[one].end for one in after if one in standing), 0)
    others = {name: entry.value for name, entry in standing.items() if name != key}
    # Blank and indented lines behind a key that goes would become part of a block scalar before it.
    for last in dict.fromkeys((end, _end_of_loose(lines, end) if key in standing else end)):
        matter = b"".join((*lines[:start], *new, *lines[last:]))
        if _others(matter, key, there=value is not None) == others:
            return _with_matter(document, matter, newline)
    raise Unreadable(f"the key {shown(key)} cannot be rewritten without changing another; write one key a line")


def _end_of_loose(lines: Sequence[bytes], start: int) -> int:
    """Return the end of the lines from `start` on that belong to no key: blank ones, and indented comments."""
    end = start
    while end < len(lines) and (not lines[end].strip() or lines[end][:1] in b" \t"):
        end += 1
    return end


def _others(matter: bytes, key: str, *, there: bool) -> Mapping[str, Plain] | None:
    """Return the values of all keys but one, None where the matter is none or has that one wrongly or not."""
    try:
        found = _entries(matter)
    except Unreadable:
        if len(matter) > LARGEST_MATTER:
            raise
        return None
    return {name: entry.value for name, entry in found.items() if name != key} if (key in found) is there else None


def _with_matter(document: Document, matter: bytes, newline: bytes) -> Document:
    if document.opening:
        return replace(document, matter=matter)
    return replace(document, opening=b"---" + newline, matter=matter, closing=b"---" + newline)


def _newline(document: Document) -> bytes:
    found = re.search(rb"\r\n|\n|\r", document.opening or document.words)
    return found.group() if found else b"\n"


def _lines_of(key: str, value: Plain) -> list[str]:
    if isinstance(value, Mapping) and value:
        return [f"{key}:", *(f"  {_flow(one)}: {_flow(item)}" for one, item in value.items())]
    return [f"{key}: {_flow(value)}"]


def _flow(value: Plain) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        bare = re.fullmatch(_BARE, value) and value.lower() not in _WORDS_OF_YAML
        return value if bare else json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join([str(item) if type(item) is int else _flow(item) for item in value]) + "]"
