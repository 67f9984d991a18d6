"""Trees rebuilt from bytes: they are what git itself would have written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pygit2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nomic_git.law.errors import Unreadable
from nomic_git.repository.errors import Refused
from nomic_git.repository.tree import FILE, Entry, Trees, graft, parse, write_object

Files = dict[str, bytes]
AROUND_A_SLASH = {"a-b": b"", "a.b": b"", "a/x": b"", "a0": b""}
ODD = dict.fromkeys(["-110.md", "ä", "日本", " ", "a\nb", '"', "\\"], b"x")
EMPTY = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def git(folder: Path, *arguments: str, given: bytes = b"") -> str:
    """What git prints, given something to read."""
    done = subprocess.run(["git", *arguments], cwd=folder, input=given, check=True, capture_output=True)
    return done.stdout.decode().strip()


def repository(folder: Path) -> pygit2.Repository:
    folder.mkdir(exist_ok=True)
    git(folder, "init", "-q")
    return pygit2.Repository(str(folder))


def gits_own(folder: Path, files: Files) -> str:
    """The tree that `git write-tree` makes of an index with these files."""
    git(folder, "read-tree", "--empty")
    for path, data in files.items():
        blob = git(folder, "hash-object", "-w", "--stdin", given=data)
        git(folder, "update-index", "-z", "--index-info", given=f"100644 {blob}\t{path}\0".encode())
    return git(folder, "write-tree")


def grafted(repo: pygit2.Repository, old: Files, changes: dict[str, bytes | None]) -> str:
    trees = Trees(repo)
    before = graft(trees, None, old).write(repo)
    return str(graft(trees, before.raw, changes).write(repo))


CASES: dict[str, tuple[Files, dict[str, bytes | None], Files]] = {
    "a first file": ({}, {"a": b"1"}, {"a": b"1"}),
    "nothing at all": ({}, {}, {}),
    "a file in a folder in a folder": ({"a": b"1"}, {"b/c/d.md": b"2"}, {"a": b"1", "b/c/d.md": b"2"}),
    "a changed file beside others": ({"a/b": b"1", "a/c": b"2"}, {"a/b": b"3"}, {"a/b": b"3", "a/c": b"2"}),
    "a deletion": ({"a/b": b"1", "a/c": b"2"}, {"a/b": None}, {"a/c": b"2"}),
    "a folder that is left empty": ({"a/b/c": b"1", "d": b"2"}, {"a/b/c": None}, {"d": b"2"}),
    "everything taken away": ({"a/b": b"1"}, {"a/b": None}, {}),
    "what is not there taken away": ({"a": b"1"}, {"b": None, "c/d": None}, {"a": b"1"}),
    "what would be in a file taken away": ({"a": b"1"}, {"a/b": None}, {"a": b"1"}),
    "a file where a folder was": ({"a/b": b"1"}, {"a": b"2"}, {"a": b"2"}),
    "a folder where a file was": ({"a": b"1"}, {"a/b": b"2"}, {"a/b": b"2"}),
    "a move": ({"r/i/1.md": b"1"}, {"r/i/1.md": None, "r/m/2.md": b"1"}, {"r/m/2.md": b"1"}),
    # Git sorts a folder as if its name ended in a slash.
    "names around a slash": ({"a-b": b"", "a.b": b""}, {"a/x": b"", "a0": b""}, AROUND_A_SLASH),
    "odd names": ({}, {**ODD}, ODD),
    "an empty file": ({}, {"a": b""}, {"a": b""}),
}


@pytest.mark.parametrize("case", CASES)
def test_a_graft_is_the_tree_that_git_writes(tmp_path, case):
    old, changes, new = CASES[case]
    repo = repository(tmp_path)
    assert grafted(repo, old, changes) == gits_own(tmp_path, new)
    assert git(tmp_path, "fsck", "--strict") == "" or "dangling" in git(tmp_path, "fsck", "--strict")


def test_an_empty_tree_is_gits_empty_tree(tmp_path):
    assert grafted(repository(tmp_path), {"a": b"1"}, {"a": None}) == EMPTY


NAMES = st.sampled_from(["a", "b", "a.b", "a-b", "-1.md", "ü"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)


def without_clashes(files: Files) -> Files:
    """Those of the files that can stand together: none in the way of another's folder."""
    return {path: data for path, data in files.items() if not any(one.startswith(f"{path}/") for one in files)}


@settings(deadline=None, max_examples=60)
@given(st.dictionaries(PATHS, st.binary(max_size=3), max_size=6), st.data())
def test_grafting_part_by_part_is_grafting_at_once(tmp_path_factory, files, data):
    files = without_clashes(files)
    repo = pygit2.init_repository(str(tmp_path_factory.mktemp("graft")))
    gone = data.draw(st.sets(st.sampled_from(sorted(files)))) if files else set()
    kept = {path: one for path, one in files.items() if path not in gone}
    taken: dict[str, bytes | None] = dict.fromkeys(gone)
    assert grafted(repo, files, taken) == str(graft(Trees(repo), None, kept).write(repo))


def test_nothing_is_written_before_it_is_asked_for_and_it_can_be_grafted_upon(tmp_path):
    repo = repository(tmp_path)
    trees = Trees(repo)
    first = graft(trees, None, {"a/b": b"1"})
    second = graft(trees, first.tree, {"a/c": b"2"})
    assert list(repo.odb) == []
    assert str(second.write(repo)) == gits_own(tmp_path, {"a/b": b"1", "a/c": b"2"})


def test_what_stands_where_is_read_without_a_checkout(tmp_path):
    repo = repository(tmp_path)
    trees = Trees(repo)
    tree = graft(trees, None, {"rules/mutable/1.md": b"one", "rules/immutable/2.md": b"two", "x": b""}).write(repo).raw
    fresh = Trees(repo)
    assert [path for path, _ in fresh.files(tree, "rules")] == ["rules/immutable/2.md", "rules/mutable/1.md"]
    assert [path for path, _ in trees.files(tree, "rules")] == ["rules/immutable/2.md", "rules/mutable/1.md"]
    assert fresh.file(tree, "rules/mutable/1.md") == b"one"
    assert fresh.file(tree, "rules/mutable") is None
    assert fresh.file(tree, "x/y") is None
    assert fresh.entry(tree, "x") == (FILE, b"x", repo.create_blob(b"").raw)
    assert list(fresh.files(tree, "players")) == []


def test_a_tree_is_parsed_as_git_stores_it(tmp_path):
    repo = repository(tmp_path)
    gits_own(tmp_path, {"a/b": b"1", "ä": b"2"})
    raw = repo[git(tmp_path, "write-tree")].read_raw()
    assert [(one.mode, one.name) for one in parse(raw).values()] == [(0o40000, b"a"), (0o100644, "ä".encode())]


def test_an_object_store_that_cannot_be_written_to_is_one_clear_line(tmp_path):
    repo = repository(tmp_path)
    objects = tmp_path / ".git" / "objects"
    for folder in objects.iterdir():
        folder.rmdir()
    objects.rmdir()
    objects.write_text("in the way")
    with pytest.raises(Refused, match=r"the object store cannot be written to .*try again"):
        write_object(repo, pygit2.enums.ObjectType.BLOB, b"x")


def test_a_folder_with_more_than_can_be_listed_is_unreadable(tmp_path):
    repo = repository(tmp_path)
    at = repo.TreeBuilder().write().raw
    for _ in range(8):
        made = b"".join(b"40000 %d\0%s" % (one, at) for one in range(10))
        at = repo.odb.write(pygit2.enums.ObjectType.TREE, made).raw
    tree = repo.odb.write(pygit2.enums.ObjectType.TREE, b"40000 rules\0" + at).raw
    with pytest.raises(Unreadable, match="there is more in rules than can be read"):
        list(Trees(repo).files(tree, "rules"))


def test_what_is_named_a_file_and_is_none_is_no_file(tmp_path):
    repo = repository(tmp_path)
    with pytest.raises(ValueError, match="is no file"):
        Trees(repo).blob(repo.TreeBuilder().write().raw)


def test_trees_with_very_many_entries_are_forgotten_and_the_newest_are_not(tmp_path):
    repo = repository(tmp_path)
    trees = Trees(repo)
    many = {str(one).encode(): Entry(FILE, str(one).encode(), bytes(20)) for one in range(30_000)}
    ids = [one.to_bytes(20, "big") for one in range(100)]
    for id_ in ids:
        trees.remember(id_, many)
    assert all(trees.entries(id_) is many for id_ in ids[-30:])
    assert sum(id_ in trees._read for id_ in ids) < 50
