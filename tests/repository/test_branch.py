"""A proposal's branch read from a real repository, and what is improper about its history (section 3)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pygit2
import pytest
from scene import Scene, game

from nomic_git.law.rule_change import (
    MOST_BYTES,
    MOST_COMMITS,
    Branch,
    Improper,
    Impropriety,
    NoProposal,
    RuleChange,
    read_change,
)
from nomic_git.repository.branch import (
    LONGEST_MESSAGE,
    MOST_CHANGES,
    MOST_ENTRIES,
    MOST_PARENTS,
    GameBranch,
    different,
    read_branch,
)
from nomic_git.repository.clone import NotHere
from nomic_git.repository.tree import FOLDER, LONGEST_PATH, Entry, Trees

RULE = "rules/mutable/new.md"
NEW: dict[str, bytes | None] = {RULE: b"Be kind.\n"}
WORKFLOW = ".github/workflows/x.yml"


def read(scene: Scene, head: str, heads: dict[str, list[int]] | None = None) -> Branch:
    game_branch = GameBranch(scene.clone.repository, scene.clone.trees, scene.tip)
    return read_branch(game_branch, head, heads or {})


def reasons(branch: Branch) -> list[str]:
    reading = read_change(branch, "alice")
    return [reason.what for reason in reading.reasons] if isinstance(reading, Improper) else []


def advance(scene: Scene, *parents: str, files: dict[str, bytes | None] | None = None) -> str:
    """Another commit on the game branch, which may merge others."""
    head = scene.commit(files or {"README.md": str(scene.tick()).encode()}, more=parents)
    scene.clone.git("update-ref", scene.clone.branch, head)
    return head


def with_entries(scene: Scene, on: str, folder: str, entries: list[tuple[str | bytes, int, bytes]]) -> str:
    """A commit whose tree has in a folder of the rules what no index would take: names in bytes, odd modes."""
    repository, trees = scene.clone.repository, scene.clone.trees
    root = repository[on].peel(pygit2.Tree)
    rules = repository[root["rules"].id]
    below = {one.name: one for one in rules}
    raw = dict(trees.entries(below[folder].id.raw))
    for name, mode, id_ in entries:
        as_bytes = name if isinstance(name, bytes) else name.encode()
        raw[as_bytes] = Entry(mode, as_bytes, id_)
    for path in ("mutable", "rules"):
        made = b"".join(b"%o %s\0%s" % (one.mode, one.name, one.id) for _, one in sorted(raw.items()))
        id_ = repository.odb.write(pygit2.enums.ObjectType.TREE, made)
        above = trees.entries(rules.id.raw if path == "mutable" else root.id.raw)
        name = (folder if path == "mutable" else "rules").encode()
        raw = {**above, name: Entry(0o40000, name, id_.raw)}
    order = sorted(raw.values(), key=lambda one: one.name + b"/" if one.mode == 0o40000 else one.name)
    made = b"".join(b"%o %s\0%s" % (one.mode, one.name, one.id) for one in order)
    tree = repository.odb.write(pygit2.enums.ObjectType.TREE, made)
    who = pygit2.Signature("alice", "a@example.org", scene.now, 0)
    return str(repository.create_commit(None, who, who, "Odd", tree, [pygit2.Oid(hex=on)]))


def test_one_fresh_commit_is_in_order(tmp_path):
    scene = game(tmp_path / "game")
    branch = read(scene, scene.commit(NEW))
    assert (branch.merge_bases, branch.on_game_branch, branch.commits) == (1, True, 1)
    assert [one.path for one in branch.changes] == [RULE]
    assert isinstance(read_change(branch, "alice"), RuleChange)


def test_a_branch_behind_the_tip_is_compared_with_its_merge_base(tmp_path):
    scene = game(tmp_path / "game")
    head = scene.commit(NEW)
    for _ in range(3):
        advance(scene)
    assert reasons(read(scene, head)) == []
    assert [one.path for one in read(scene, head).changes] == [RULE]


def test_a_merge_of_the_game_branch_into_it_is_in_order(tmp_path):
    scene = game(tmp_path / "game")
    first = scene.commit(NEW)
    tip = advance(scene)
    head = scene.commit({**NEW, "README.md": scene.file("README.md")}, on=first, more=(tip,))
    branch = read(scene, head)
    assert (branch.merge_bases, branch.commits) == (1, 2)
    assert [one.path for one in branch.changes] == [RULE]
    assert reasons(branch) == []


def test_a_criss_cross_has_two_merge_bases(tmp_path):
    scene = game(tmp_path / "game")
    root = scene.tip
    aside = scene.commit({"docs/a": b"1"}, on=root)
    below = advance(scene)
    crossed = scene.commit({"docs/a": b"1"}, on=below, more=(aside,))
    head = scene.commit(NEW, on=scene.commit({"docs/a": b"1"}, on=aside, more=(below,)))
    scene.clone.git("update-ref", scene.clone.branch, crossed)
    branch = read(scene, head)
    assert branch.merge_bases == 2
    assert Impropriety.SEVERAL_MERGE_BASES in reasons(branch)


def test_a_branch_that_begins_beside_the_first_parent_line_is_off_it(tmp_path):
    scene = game(tmp_path / "game")
    aside = scene.commit({"docs/a": b"1"})
    advance(scene, aside)
    branch = read(scene, scene.commit(NEW, on=aside))
    assert (branch.merge_bases, branch.on_game_branch) == (1, False)
    assert reasons(branch) == [Impropriety.OFF_THE_GAME_BRANCH]


def test_an_unrelated_history_has_no_merge_base(tmp_path):
    scene = game(tmp_path / "game")
    repository = scene.clone.repository
    who = pygit2.Signature("alice", "a@example.org", scene.now, 0)
    tree = repository[scene.commit(NEW)].peel(pygit2.Tree).id
    branch = read(scene, str(repository.create_commit(None, who, who, "Root", tree, [])))
    assert branch.merge_bases == 0
    assert Impropriety.UNRELATED in reasons(branch)


def test_another_proposals_head_inside_is_named_and_an_adopted_one_is_not(tmp_path):
    scene = game(tmp_path / "game")
    other = scene.commit({"rules/mutable/other.md": b"Other.\n"})
    head = scene.commit({"rules/mutable/other.md": None, **NEW}, on=other)
    assert reasons(read(scene, head, {other: [7]})) == [Impropriety.ANOTHER_PROPOSAL_INSIDE]
    assert list(read(scene, head, {other: [7]}).contains) == [7]
    assert read(scene, head, {scene.tip: [7]}).contains == []


def test_of_two_proposals_with_the_same_head_the_earlier_is_the_original(tmp_path):
    scene = game(tmp_path / "game")
    head = scene.commit(NEW)
    one, two = scene.propose("alice", head), scene.propose("bob", head)
    scene.sit()
    assert "Its branch contains proposal" not in scene.said(one)
    assert f"Its branch contains proposal {one}" in scene.said(two)


def test_fifty_commits_are_in_order_and_one_more_is_not(tmp_path):
    scene = game(tmp_path / "game")
    head = scene.commit(NEW)
    for _ in range(MOST_COMMITS - 1):
        head = scene.commit(NEW, on=head)
    assert reasons(read(scene, head)) == []
    longer = read(scene, scene.commit(NEW, on=head))
    assert longer.commits == MOST_COMMITS + 1
    assert reasons(longer) == [Impropriety.TOO_MANY_COMMITS]


def test_a_large_file_counts_though_a_later_commit_removes_it(tmp_path):
    scene = game(tmp_path / "game")
    large = scene.commit({**NEW, "docs/large": os.urandom(MOST_BYTES + 1)})
    branch = read(scene, scene.commit({"docs/large": None}, on=large))
    assert [one.path for one in branch.changes] == [RULE]
    assert branch.size > MOST_BYTES
    assert reasons(branch) == [Impropriety.TOO_LARGE]


def test_what_the_game_branch_has_already_is_no_new_object(tmp_path):
    scene = game(tmp_path / "game")
    advance(scene, files={"docs/large": os.urandom(MOST_BYTES + 1)})
    branch = read(scene, scene.commit(NEW, on=scene.commit({"docs/large": None})))
    assert branch.size < 10_000


@pytest.mark.parametrize("touch", [b"on: push\n", None])
def test_a_workflow_that_is_touched_and_taken_back_is_found(tmp_path, touch):
    scene = game(tmp_path / "game")
    advance(scene, files={WORKFLOW: b"on: issues\n", ".github/a.md": b""})
    touched = scene.commit({**NEW, WORKFLOW: touch})
    branch = read(scene, scene.commit({WORKFLOW: b"on: issues\n"}, on=touched))
    assert [one.path for one in branch.changes] == [RULE]
    assert reasons(branch) == [Impropriety.TOUCHES_WORKFLOWS]


@pytest.mark.parametrize("instead", [None, b"a file"])
def test_so_is_the_folder_above_it_taken_away_and_merged_back(tmp_path, instead):
    scene = game(tmp_path / "game")
    tip = advance(scene, files={WORKFLOW: b"on: issues\n"})
    gone = scene.commit({**NEW, WORKFLOW: None, **({".github": instead} if instead else {})})
    back: dict[str, bytes | None] = {".github": None, WORKFLOW: b"on: issues\n"}
    branch = read(scene, scene.commit(back, on=gone, more=(tip,)))
    assert branch.workflows


def test_what_stands_beside_the_workflows_is_none(tmp_path):
    scene = game(tmp_path / "game")
    head = scene.commit({**NEW, ".github/workflows.md": b"", ".github/dependabot.yml": b""})
    assert not read(scene, head).workflows


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Closes #1", "Closes #1"),
        ("A\n\nfixes: nomic/game#12", "fixes: nomic/game#12"),
        ("resolved GH-3", "resolved GH-3"),
        ("close https://example.org/issues/1", "close https://example.org/issues/1"),
        ("Add a rule [skip ci]", "[skip ci]"),
        ("Add a rule\n\nskip-checks: true", "skip-checks: true"),
        ("Add a rule\n\nNomic-Event: adopted", "Nomic-Event:"),
        ("Add a rule\r\rNomic-Points: alice +99", "Nomic-Points:"),
        ("Close the door, fix the roof, see #3", None),
        ("An unclosed #1 debate", None),
    ],
)
def test_a_message_that_a_forge_would_act_upon_is_found(tmp_path, message, words):
    scene = game(tmp_path / "game")
    branch = read(scene, scene.commit(NEW, on=scene.commit({"docs/a": b""}, message=message)))
    assert branch.message == words


def test_so_is_one_hidden_in_an_encoding_or_behind_bytes_that_are_no_text(tmp_path):
    scene = game(tmp_path / "game")
    repository = scene.clone.repository
    raw = repository[scene.commit(NEW, message="x")].read_raw()
    for header, words in (
        (b"\nencoding KOI8-R", b"\xc0 closes #1"),
        (b"", b"\xff\xfe closes #1"),
        (b"\nencoding no", b"closes #1"),
    ):
        text = raw.replace(b"\n\nx", header + b"\n\n" + words)
        head = repository.odb.write(pygit2.enums.ObjectType.COMMIT, text)
        assert read(scene, str(head)).message == "closes #1"


@pytest.mark.parametrize(
    "named",
    ["UTF-8", "utf8", "ISO-8859-1", "latin1", "Windows-1252", "CP1251", "KOI8-R", "US-ASCII", "utf_16", "UTF-32"],
)
def test_a_message_in_a_common_encoding_is_in_order(tmp_path, named):
    assert reasons(read(*with_header(tmp_path, f"encoding {named}"))) == []


@pytest.mark.parametrize(
    "header",
    [
        *("encoding punycode", "encoding utf-7", "encoding idna", "encoding unicode_escape", "encoding undefined"),
        *("encoding ", "encoding no", "encoding zlib", "encoding ../x", "encoding utf-8\nencoding utf-7"),
        *("encoding utf-7\nencoding utf-8", "encoding \xe4", "encoding " + "utf-8" * 1000),
    ],
    ids=lambda header: ascii(header[9:40]),
)
def test_a_message_in_any_other_encoding_is_improper_unread(tmp_path, header):
    scene, head = with_header(tmp_path, header, b"x-" + b"a" * (LONGEST_MESSAGE - 2))
    branch = read(scene, head)
    assert reasons(branch) == [Impropriety.MESSAGE_ENCODING]
    assert branch.encoding is not None
    assert len(branch.encoding) <= 32


def test_a_message_is_read_up_to_its_longest_and_none_beyond(tmp_path):
    scene, head = with_header(tmp_path, "encoding utf-8", b"." * (LONGEST_MESSAGE - 10) + b" " + b"closes #1")
    assert reasons(read(scene, head)) == [Impropriety.MESSAGE_ACTS]
    scene, head = with_header(tmp_path, "encoding utf-8", b"." * (LONGEST_MESSAGE - 9) + b" " + b"closes #1")
    assert reasons(read(scene, head)) == [Impropriety.TOO_LARGE]


def with_header(tmp_path: Path, header: str, message: bytes = b"A rule") -> tuple[Scene, str]:
    """A commit of a new rule with this header more, and these words for its message."""
    scene = game(tmp_path / f"game-{len(list(tmp_path.iterdir()))}")
    raw = scene.clone.repository[scene.commit(NEW, message="x")].read_raw()
    text = raw.replace(b"\n\nx", b"\n" + header.encode("latin-1") + b"\n\n" + message)
    return scene, str(scene.clone.repository.odb.write(pygit2.enums.ObjectType.COMMIT, text))


def test_a_message_with_a_nul_is_read_as_far_as_git_reads_it(tmp_path):
    scene = game(tmp_path / "game")
    raw = scene.clone.repository[scene.commit(NEW, message="x")].read_raw()
    head = scene.clone.repository.odb.write(pygit2.enums.ObjectType.COMMIT, raw.replace(b"\n\nx", b"\n\nx\0closes #1"))
    assert reasons(read(scene, str(head))) == []


@pytest.mark.parametrize(
    ("mode", "reason"),
    [(0o120000, Impropriety.NOT_A_FILE), (0o160000, Impropriety.NOT_A_FILE), (0o100755, Impropriety.EXECUTABLE)],
    ids=["symlink", "submodule", "executable"],
)
def test_what_is_no_plain_file_is_improper(tmp_path, mode, reason):
    scene = game(tmp_path / "game")
    blob = scene.clone.repository.create_blob(b"../../scores.json")
    id_ = scene.tip if mode == 0o160000 else str(blob)
    head = with_entries(scene, scene.tip, "mutable", [("new.md", mode, bytes.fromhex(id_))])
    assert reason in reasons(read(scene, head))


def test_a_rule_marked_executable_and_nothing_else_is_improper(tmp_path):
    scene = game(tmp_path / "game")
    entry = scene.clone.trees.entry(scene.clone.tip.tree_id.raw, "rules/mutable/-104.md")
    assert entry is not None
    head = with_entries(scene, scene.tip, "mutable", [("-104.md", 0o100755, entry.id)])
    assert reasons(read(scene, head)) == [Impropriety.EXECUTABLE]


@pytest.mark.parametrize("name", ["-104.MD.md", "\N{FULLWIDTH HYPHEN-MINUS}104.md"])
def test_names_that_a_file_system_could_confuse_are_improper(tmp_path, name):
    scene = game(tmp_path / "game")
    advance(scene, files={"rules/mutable/-104.md.md": b"x"}) if "MD" in name else None
    branch = read(scene, scene.commit({f"rules/mutable/{name}": b"Be kind.\n"}))
    assert Impropriety.SAME_NAME in reasons(branch)


@pytest.mark.parametrize("name", [b"\xff\xfe.md", b"a\nb.md", b"\x1b[2J.md"])
def test_names_that_are_no_text_are_improper_and_named_in_one_line(tmp_path, name):
    scene = game(tmp_path / "game")
    blob = scene.clone.repository.create_blob(b"Be kind.\n")
    branch = read(scene, with_entries(scene, scene.tip, "mutable", [(name, 0o100644, blob.raw)]))
    assert [one.after.id for one in branch.changes if one.after] == [str(blob)]
    if name.startswith(b"\xff"):
        assert branch.changes[0].path == "rules/mutable/\\xff\\xfe.md"
    else:
        assert Impropriety.WRONG_PLACE in reasons(branch)


def test_what_touches_nothing_of_the_games_is_no_proposal(tmp_path):
    scene = game(tmp_path / "game")
    assert isinstance(read_change(read(scene, scene.commit({"docs/a": b""})), "alice"), NoProposal)
    assert isinstance(read_change(read(scene, scene.tip), "alice"), NoProposal)


def test_a_rule_is_not_lost_among_ever_so_many_other_files(tmp_path):
    scene = game(tmp_path / "game")
    many: dict[str, bytes | None] = {f"zzz/{one}": b"" for one in range(MOST_CHANGES + 5)}
    tops: dict[str, bytes | None] = {f"top-{one}": b"" for one in range(MOST_CHANGES + 5)}
    for files in (many, tops, {**many, **tops}):
        assert Impropriety.BESIDE_THE_RULE in reasons(read(scene, scene.commit({**files, **NEW})))


def test_a_head_that_is_not_here_is_one_clear_line(tmp_path):
    scene = game(tmp_path / "game")
    with pytest.raises(NotHere, match="is not in this clone; run: git fetch"):
        read(scene, "a" * 40)
    with pytest.raises(NotHere, match="is no commit"):
        read(scene, str(scene.clone.repository.create_blob(b"x")))


def test_a_branch_reads_the_same_whether_or_not_its_trees_were_read_before(tmp_path):
    scene = game(tmp_path / "game")
    head = scene.commit(NEW)
    fresh = GameBranch(scene.clone.repository, Trees(scene.clone.repository), scene.tip)
    assert read_branch(fresh, head, {}) == read(scene, head)


@dataclass(slots=True)
class Counted(Trees):
    """Trees that count how often one is opened and how often the size of an object is asked for."""

    opened: int = 0
    sized: int = 0

    def entries(self, tree: bytes | None) -> Mapping[bytes, Entry]:
        self.opened += tree is not None
        return Trees.entries(self, tree)

    def size(self, id_: bytes) -> int:
        self.sized += 1
        return Trees.size(self, id_)

    @property
    def visits(self) -> int:
        return self.opened + self.sized


def made_of(scene: Scene, entries: dict[str, tuple[int, bytes]]) -> bytes:
    """A tree of these modes and ids by name, written as it is."""
    order = sorted(entries.items(), key=lambda one: one[0] + "/" if one[1][0] == FOLDER else one[0])
    raw = b"".join(b"%o %s\0%s" % (mode, name.encode(), id_) for name, (mode, id_) in order)
    return scene.clone.repository.odb.write(pygit2.enums.ObjectType.TREE, raw).raw


def bomb(scene: Scene, width: int, depth: int, inside: bytes | None = None) -> bytes:
    """A tree that names another ever so often, which names another, down to the empty one or a file."""
    empty = scene.clone.repository.TreeBuilder().write().raw
    at = (FOLDER, empty) if inside is None else (0o100644, scene.clone.repository.create_blob(inside).raw)
    for _ in range(depth):
        at = (FOLDER, made_of(scene, {f"d{one}": at for one in range(width)}))
    return at[1]


def committed(
    scene: Scene, entries: dict[str, tuple[int, bytes]], files: dict[str, bytes | None], *on: str, words: str = "Odd"
) -> str:
    """A commit with these files changed, and these entries at the top of its tree."""
    below = scene.clone.repository[scene.commit(files, on=on[0] if on else None)].peel(pygit2.Tree)
    tree = made_of(scene, {**{one.name: (one.filemode, one.id.raw) for one in below}, **entries})
    who = pygit2.Signature("alice", "a@example.org", scene.now, 0)
    parents = [pygit2.Oid(hex=one) for one in on or (scene.tip,)]
    return str(scene.clone.repository.create_commit(None, who, who, words, pygit2.Oid(raw=tree), parents))


def counted(scene: Scene, head: str) -> tuple[Branch, int]:
    trees = Counted(scene.clone.repository)
    branch = read_branch(GameBranch(scene.clone.repository, trees, scene.tip), head, {})
    return branch, trees.visits


@pytest.mark.parametrize("inside", [None, b"", b"x"], ids=["empty", "empty-file", "file"])
@pytest.mark.parametrize(("width", "depth"), [(10, 8), (2, 40), (1000, 4)])
def test_a_tree_of_trees_without_end_is_not_followed(tmp_path, width, depth, inside):
    scene = game(tmp_path / "game")
    tree = bomb(scene, width, depth, inside)
    for files, entries, expected in (
        ({}, {"bomb": tree}, []),
        (NEW, {"bomb": tree}, [Impropriety.TOO_LARGE] if inside is None else [Impropriety.BESIDE_THE_RULE]),
        ({}, {"rules": tree}, [Impropriety.TOO_LARGE] if inside is None else [Impropriety.WRONG_PLACE]),
        ({}, {"PLAYERS": tree}, [Impropriety.TOO_LARGE] if inside is None else [Impropriety.BESIDE_THE_RULE]),
    ):
        head = committed(scene, {name: (FOLDER, id_) for name, id_ in entries.items()}, dict(files))
        branch, visits = counted(scene, head)
        assert set(expected) <= set(reasons(branch))
        assert isinstance(read_change(branch, "alice"), NoProposal) == (not expected)
        assert visits < 4 * MOST_ENTRIES


def test_a_tree_of_trees_that_comes_and_goes_is_looked_at_once(tmp_path):
    scene = game(tmp_path / "game")
    head = scene.tip
    for one in range(15):
        tree = (FOLDER, bomb(scene, 10, 8, str(one).encode()))
        head = committed(scene, {"a": tree, "b": tree}, dict(NEW), head)
        head = scene.commit({"a": None, "b": None}, on=head)
    branch, visits = counted(scene, head)
    assert (branch.cut, [one.path for one in branch.changes]) == (False, [RULE])
    assert visits < 2000


def test_very_many_files_at_the_top_do_not_hide_a_rule_and_are_not_read(tmp_path):
    scene = game(tmp_path / "game")
    blob = scene.clone.repository.create_blob(b"").raw
    for many, most in ((25_000, 4 * MOST_ENTRIES), (100_000, 100)):
        entries = {f"top-{one:06}": (0o100644, blob) for one in range(many)}
        branch, visits = counted(scene, committed(scene, entries, dict(NEW)))
        assert Impropriety.TOO_LARGE in reasons(branch)
        assert len(branch.changes) <= MOST_CHANGES
        assert visits < most
        assert branch.hidden == (many == 100_000)


@pytest.mark.long
def test_a_game_among_very_many_files_is_played_as_any_other(tmp_path):
    scene = game(tmp_path / "game")
    blob = scene.clone.repository.create_blob(b"").raw
    folder = made_of(scene, {f"{one:06}": (0o100644, blob) for one in range(60_000)})
    tops = {f"top-{one:06}": (0o100644, blob) for one in range(60_000)}
    scene.clone.git("update-ref", scene.clone.branch, committed(scene, {**tops, "folder": (FOLDER, folder)}, {}))
    head = scene.tip
    for words in (b"1", b"2", b"3"):
        head = scene.commit({RULE: words}, on=head)
    branch, visits = counted(scene, head)
    assert reasons(branch) == []
    assert branch.size < 10_000
    assert visits < 500
    removed, _ = counted(scene, scene.commit({"folder/000001": None, "top-000001": None, **NEW}))
    assert reasons(removed) == [Impropriety.BESIDE_THE_RULE] * 2


@pytest.mark.parametrize("length", [1, 200])
def test_a_path_without_end_is_too_large(tmp_path, length):
    scene = game(tmp_path / "game")
    tree = bomb(scene, 1, 1, b"x")
    for _ in range(LONGEST_PATH // length + 10):
        tree = made_of(scene, {"d" * length: (FOLDER, tree)})
    branch, visits = counted(scene, committed(scene, {"deep": (FOLDER, tree)}, dict(NEW)))
    assert Impropriety.TOO_LARGE in reasons(branch)
    assert visits < 2 * LONGEST_PATH


@pytest.mark.parametrize("what", ["gpgsig", "root trees", "messages"])
def test_what_commits_bring_besides_files_counts(tmp_path, what):
    scene = game(tmp_path / "game")
    blob = scene.clone.repository.create_blob(b"").raw
    head = scene.commit(NEW)
    for one in range(20):
        if what == "root trees":
            entries = {f"{one}-{other}" + "n" * 200: (0o100644, blob) for other in range(300)}
            head = scene.commit(dict.fromkeys(entries), on=committed(scene, entries, {}, head))
        else:
            raw = scene.clone.repository[scene.commit(NEW, on=head, message="x")].read_raw()
            more = b"\n\n" + b"x" * 60_000 if what == "messages" else b"\ngpgsig " + b"x" * 60_000 + b"\n\nx"
            text = raw.replace(b"\n\nx", more)
            head = str(scene.clone.repository.odb.write(pygit2.enums.ObjectType.COMMIT, text))
    branch = read(scene, head)
    assert MOST_BYTES < branch.size < 2 * MOST_BYTES
    assert reasons(branch) == [Impropriety.TOO_LARGE]


def test_a_huge_tree_that_a_later_commit_removes_is_not_opened(tmp_path):
    scene = game(tmp_path / "game")
    blob = scene.clone.repository.create_blob(b"").raw
    huge = made_of(scene, {f"{one:06}": (0o100644, blob) for one in range(50_000)})
    head = scene.commit({"huge": None, **NEW}, on=committed(scene, {"huge": (FOLDER, huge)}, {}))
    trees = Counted(scene.clone.repository)
    branch = read_branch(GameBranch(scene.clone.repository, trees, scene.tip), head, {})
    assert reasons(branch) == [Impropriety.TOO_LARGE]
    assert huge not in trees._read


def test_a_commit_of_very_many_parents_is_too_large(tmp_path):
    scene = game(tmp_path / "game")
    line = [scene.tip, *(advance(scene) for _ in range(MOST_PARENTS))]
    few = read(scene, committed(scene, {}, {**NEW, "README.md": scene.file("README.md")}, *line[:0:-1]))
    assert (few.merge_bases, reasons(few)) == (1, [])
    many = read(scene, committed(scene, {}, {**NEW, "README.md": scene.file("README.md")}, *line[::-1]))
    assert (many.merge_bases, reasons(many)) == (1, [Impropriety.TOO_LARGE])


def test_two_trees_that_differ_without_end_are_compared_as_far_as_anybody_reads(tmp_path):
    scene = game(tmp_path / "game")
    head = committed(scene, {"a": (FOLDER, bomb(scene, 10, 8, b"x")), "b": (FOLDER, bomb(scene, 10, 8))}, dict(NEW))
    trees = Counted(scene.clone.repository)
    new = scene.clone.repository[head].peel(pygit2.Tree).id.raw
    found = [path for path, _, _ in different(trees, scene.clone.tip.tree_id.raw, new)]
    assert found[0] == RULE
    assert len(found) < MOST_ENTRIES
    assert trees.visits < 4 * MOST_ENTRIES


def test_a_branch_that_begins_where_nobody_can_list_the_game_is_too_large(tmp_path):
    scene = game(tmp_path / "game")
    rules = scene.clone.tip.tree["rules"].id.raw
    base = committed(scene, {"rules": (FOLDER, bomb(scene, 10, 8))}, {})
    scene.clone.git("update-ref", scene.clone.branch, base)
    scene.clone.git("update-ref", scene.clone.branch, committed(scene, {"rules": (FOLDER, rules)}, {}))
    branch, visits = counted(scene, committed(scene, {}, {"players/erin.md": b"x"}, base))
    assert reasons(branch) == [Impropriety.SEAT_OF_ANOTHER, Impropriety.TOO_LARGE]
    assert visits < 150_000
