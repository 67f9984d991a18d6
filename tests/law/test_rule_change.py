"""Rule-changes: what a proposal's branch would change, and every way in which it is improper."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rule_files import crowded

from nomic_git.law.front_matter import LARGEST_FILE, LARGEST_MATTER
from nomic_git.law.kinds import ChangeKind
from nomic_git.law.provisions import KEYS
from nomic_git.law.reason import Reason
from nomic_git.law.rule import Status, read_rule, read_rule_path, renumbered, rule_path
from nomic_git.law.rule_change import (
    MOST_BYTES,
    MOST_COMMITS,
    ROOM,
    Blob,
    Branch,
    FileChange,
    Forfeit,
    Improper,
    Impropriety,
    JoinRequest,
    NoProposal,
    RuleChange,
    fold,
    read_change,
    voted_text,
)

FILE, EXECUTABLE, SYMLINK, SUBMODULE = 0o100644, 0o100755, 0o120000, 0o160000
OLD = b"---\ntitle: A\nformerly: [203]\n---\nOld words.\n"
NEW = b"---\ntitle: A\nformerly: [203]\n---\nNew words.\n"
FRESH = b"A new rule.\n"
PATHS = ("players/alice.md", "rules/immutable/101.md", "rules/mutable/203.md", "rules/mutable/204.md")
MUTABLE, OTHER, IMMUTABLE = "rules/mutable/203.md", "rules/mutable/204.md", "rules/immutable/101.md"
LONG = b"x" * (LARGEST_FILE - ROOM)
TOO_LONG = "there may be 253952 bytes in the file, 57344 of them front matter"


def blob(data, mode=FILE):
    return Blob(mode, f"id-of-{hash(data)}", data)


def added(path, data=FRESH, mode=FILE):
    return FileChange(path, None, blob(data, mode))


def changed(path, data=NEW, mode=FILE, before=OLD):
    return FileChange(path, blob(before), blob(data, mode))


def deleted(path, data=OLD):
    return FileChange(path, blob(data), None)


def branch(*changes, **also):
    return Branch(changes, also.pop("paths", PATHS), **also)


def read(*changes, author="alice", kinds=tuple(ChangeKind), **also):
    return read_change(branch(*changes, **also), author, kinds)


def test_an_added_file_under_mutable_enacts():
    expected = RuleChange(
        kind=ChangeKind.ENACT,
        rule=None,
        status=Status.MUTABLE,
        before=None,
        after=FRESH,
        new_id=blob(FRESH).id,
        new_path="rules/mutable/x.md",
    )
    assert read(added("rules/mutable/x.md")) == expected


@pytest.mark.parametrize("name", ["x", "my rule", "305", "-7", "0305", "規則", ".hidden", "a.b", "\uff12\uff10\uff15"])
def test_a_new_rules_file_may_have_any_name(name):
    change = read(added(f"rules/mutable/{name}.md"))
    assert isinstance(change, RuleChange)
    assert (change.kind, change.rule) == (ChangeKind.ENACT, None)


def test_a_changed_file_under_mutable_amends():
    expected = RuleChange(
        kind=ChangeKind.AMEND,
        rule=203,
        status=Status.MUTABLE,
        before=OLD,
        after=NEW,
        new_id=blob(NEW).id,
        new_path=MUTABLE,
    )
    assert read(changed(MUTABLE)) == expected


def test_a_deleted_file_under_mutable_repeals():
    expected = RuleChange(
        kind=ChangeKind.REPEAL,
        rule=203,
        status=Status.MUTABLE,
        before=OLD,
        after=None,
        new_id=None,
    )
    assert read(deleted(MUTABLE)) == expected


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        (IMMUTABLE, "rules/mutable/101.md", Status.IMMUTABLE),
        (MUTABLE, "rules/immutable/203.md", Status.MUTABLE),
        (IMMUTABLE, "rules/mutable/now-mutable.md", Status.IMMUTABLE),
        ("rules/immutable/-216.md", "rules/mutable/-216.md", Status.IMMUTABLE),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_file_moved_unchanged_between_the_two_folders_transmutes(old, new, status, turned):
    changes = [deleted(old), added(new, OLD)]
    expected = RuleChange(
        kind=ChangeKind.TRANSMUTE,
        rule=read_rule_path(old)[0],
        status=status,
        before=OLD,
        after=OLD,
        new_id=blob(OLD).id,
        new_path=new,
    )
    assert read(*(reversed(changes) if turned else changes)) == expected


def test_an_added_file_of_ones_own_under_players_asks_to_join():
    assert read(added("players/dave.md"), author="dave") == JoinRequest("dave", FRESH, blob(FRESH).id)
    assert read(added("players/Dave.md"), author="dAVE") == JoinRequest("Dave", FRESH, blob(FRESH).id)


def test_a_deleted_file_of_ones_own_under_players_forfeits():
    assert read(deleted("players/alice.md")) == Forfeit("alice")
    assert read(deleted("players/alice.md"), author="Alice") == Forfeit("alice")


@pytest.mark.parametrize(
    "path", ["README.md", "scores.json", ".github/workflows/x.yml", "rulesets/x.md", "rule", "a/rules/1"]
)
def test_a_branch_that_touches_neither_rules_nor_players_is_no_proposal(path):
    assert read(added(path)) == NoProposal()
    assert read(added(path), merge_bases=0, workflows=True, commits=1000, message="closes #1") == NoProposal()


def test_a_branch_without_a_difference_is_no_proposal():
    assert read() == NoProposal()


def test_a_written_change_of_the_formerly_line_that_says_the_same_is_none():
    again = OLD.replace(b"formerly: [203]", b"formerly:\n- 203")
    assert isinstance(read(changed(MUTABLE, again)), RuleChange)


def test_a_rule_that_could_not_be_read_can_be_mended():
    assert isinstance(read(changed(MUTABLE, FRESH, before=b"---\n")), RuleChange)


NO_WORDS = "a rule has words, and there are none in it"
UNREADABLE = "the front matter that line 1 opens is not closed; end it with a line ---"
IMPROPER = {
    "two rules amended": ([changed(MUTABLE), changed(OTHER)], [(Impropriety.TWO_RULES, {"count": 2})]),
    "two rules repealed": ([deleted(MUTABLE), deleted(OTHER)], [(Impropriety.TWO_RULES, {"count": 2})]),
    "two rules enacted": (
        [added("rules/mutable/x.md"), added("rules/mutable/y.md")],
        [(Impropriety.TWO_RULES, {"count": 2})],
    ),
    "one rule amended and one repealed": ([changed(MUTABLE), deleted(OTHER)], [(Impropriety.TWO_RULES, {"count": 2})]),
    "one rule amended and one enacted": (
        [changed(MUTABLE), added("rules/mutable/x.md")],
        [(Impropriety.TWO_RULES, {"count": 2})],
    ),
    "a rule transmuted and another amended": (
        [deleted(IMMUTABLE), added("rules/mutable/101.md", OLD), changed(MUTABLE)],
        [(Impropriety.TWO_RULES, {"count": 3})],
    ),
    "a rule amended under another name": (
        [deleted(MUTABLE), added("rules/mutable/x.md", NEW)],
        [(Impropriety.TWO_RULES, {"count": 2})],
    ),
    "something beside the rule": (
        [changed(MUTABLE), changed("README.md")],
        [(Impropriety.BESIDE_THE_RULE, {"path": "README.md"})],
    ),
    "the scores beside the rule": (
        [added("rules/mutable/x.md"), changed("scores.json")],
        [(Impropriety.BESIDE_THE_RULE, {"path": "scores.json"})],
    ),
    "a seat beside the rule": (
        [deleted(MUTABLE), deleted("players/alice.md")],
        [(Impropriety.BESIDE_THE_RULE, {"path": "players/alice.md"})],
    ),
    "something beside a rule that is improper by itself": (
        [changed(IMMUTABLE), added("x")],
        [(Impropriety.IMMUTABLE_AMENDED, {"rule": 101}), (Impropriety.BESIDE_THE_RULE, {"path": "x"})],
    ),
    "something beside a request to join": (
        [added("players/dave.md"), added("x")],
        [(Impropriety.BESIDE_THE_RULE, {"path": "x"})],
    ),
    "two seats": (
        [deleted("players/alice.md"), added("players/bob.md")],
        [(Impropriety.BESIDE_THE_RULE, {"path": "players/bob.md"})],
    ),
    "an immutable rule amended": ([changed(IMMUTABLE)], [(Impropriety.IMMUTABLE_AMENDED, {"rule": 101})]),
    "an immutable rule repealed": ([deleted(IMMUTABLE)], [(Impropriety.IMMUTABLE_REPEALED, {"rule": 101})]),
    "a rule enacted as immutable": (
        [added("rules/immutable/x.md")],
        [(Impropriety.IMMUTABLE_ENACTED, {"path": "rules/immutable/x.md"})],
    ),
    "a rule transmuted with a changed byte": (
        [deleted(IMMUTABLE), added("rules/mutable/101.md", OLD + b" ")],
        [(Impropriety.TRANSMUTED_WITH_CHANGES, {"rule": 101})],
    ),
    "a rule moved within its folder": (
        [deleted(MUTABLE), added("rules/mutable/305.md", OLD)],
        [(Impropriety.RENUMBERED_BY_HAND, {"rule": 203, "path": "rules/mutable/305.md"})],
    ),
    "an immutable rule moved within its folder": (
        [deleted(IMMUTABLE), added("rules/immutable/1.md", OLD)],
        [(Impropriety.RENUMBERED_BY_HAND, {"rule": 101, "path": "rules/immutable/1.md"})],
    ),
    "an earlier number added by hand": (
        [changed(MUTABLE, NEW.replace(b"[203]", b"[203, 204]"))],
        [(Impropriety.FORMERLY_BY_HAND, {"path": MUTABLE})],
    ),
    "the earlier numbers taken out by hand": (
        [changed(MUTABLE, NEW.replace(b"formerly: [203]\n", b""))],
        [(Impropriety.FORMERLY_BY_HAND, {"path": MUTABLE})],
    ),
    "a new rule with earlier numbers": (
        [added("rules/mutable/x.md", NEW)],
        [(Impropriety.FORMERLY_BY_HAND, {"path": "rules/mutable/x.md"})],
    ),
    "a symlink in place of a rule": (
        [FileChange(MUTABLE, blob(OLD), blob(None, SYMLINK))],
        [(Impropriety.NOT_A_FILE, {"path": MUTABLE})],
    ),
    "a symlink as a new rule": (
        [added("rules/mutable/x.md", None, SYMLINK)],
        [(Impropriety.NOT_A_FILE, {"path": "rules/mutable/x.md"})],
    ),
    "a submodule": (
        [added("rules/mutable/sub", None, SUBMODULE)],
        [
            (Impropriety.NOT_A_FILE, {"path": "rules/mutable/sub"}),
            (Impropriety.WRONG_PLACE, {"path": "rules/mutable/sub"}),
        ],
    ),
    "a link in place of the rules' folder": (
        [added("rules", None, SYMLINK)],
        [(Impropriety.NOT_A_FILE, {"path": "rules"}), (Impropriety.WRONG_PLACE, {"path": "rules"})],
    ),
    "a symlink as a seat": (
        [added("players/alice.md", None, SYMLINK)],
        [(Impropriety.NOT_A_FILE, {"path": "players/alice.md"})],
    ),
    "an executable rule": (
        [changed(MUTABLE, OLD, EXECUTABLE)],
        [(Impropriety.EXECUTABLE, {"path": MUTABLE})],
    ),
    "an executable seat": (
        [added("players/alice.md", mode=EXECUTABLE)],
        [(Impropriety.EXECUTABLE, {"path": "players/alice.md"})],
    ),
    "a file in no folder": ([added("rules/x.md")], [(Impropriety.WRONG_PLACE, {"path": "rules/x.md"})]),
    "a file in a folder of a folder": (
        [added("rules/mutable/sub/x.md")],
        [(Impropriety.WRONG_PLACE, {"path": "rules/mutable/sub/x.md"})],
    ),
    "a file in another folder": (
        [added("rules/secret/x.md")],
        [(Impropriety.WRONG_PLACE, {"path": "rules/secret/x.md"})],
    ),
    "another case of the folder": (
        [added("Rules/mutable/x.md")],
        [(Impropriety.WRONG_PLACE, {"path": "Rules/mutable/x.md"})],
    ),
    "another case of the ending": (
        [added("rules/mutable/x.MD")],
        [(Impropriety.WRONG_PLACE, {"path": "rules/mutable/x.MD"})],
    ),
    "another ending": ([added("rules/mutable/x.txt")], [(Impropriety.WRONG_PLACE, {"path": "rules/mutable/x.txt"})]),
    "a name of the ending alone": (
        [added("rules/mutable/.md")],
        [(Impropriety.WRONG_PLACE, {"path": "rules/mutable/.md"})],
    ),
    "a name with a character that nobody sees": (
        [added("rules/mutable/20\u200b3.md")],
        [(Impropriety.WRONG_PLACE, {"path": "rules/mutable/20\u200b3.md"})],
    ),
    "a file that stood at no rule's path deleted": (
        [deleted("rules/mutable/x.md")],
        [(Impropriety.WRONG_PLACE, {"path": "rules/mutable/x.md"})],
    ),
    "a file that stood at no rule's path changed": (
        [changed("rules/mutable/x.md")],
        [(Impropriety.WRONG_PLACE, {"path": "rules/mutable/x.md"})],
    ),
    "a name that NFKC makes another's": (
        [added("rules/mutable/\uff1203.md")],
        [(Impropriety.SAME_NAME, {"path": "rules/mutable/\uff1203.md", "other": MUTABLE})],
    ),
    "a folder whose case makes the name another's": (
        [added("rules/Mutable/203.md")],
        [
            (Impropriety.SAME_NAME, {"path": "rules/Mutable/203.md", "other": MUTABLE}),
            (Impropriety.WRONG_PLACE, {"path": "rules/Mutable/203.md"}),
        ],
    ),
    "an ending whose case makes the name another's": (
        [added("rules/mutable/203.MD")],
        [
            (Impropriety.SAME_NAME, {"path": "rules/mutable/203.MD", "other": MUTABLE}),
            (Impropriety.WRONG_PLACE, {"path": "rules/mutable/203.MD"}),
        ],
    ),
    "a rule moved to a name that is the same to some": (
        [deleted(MUTABLE), added("rules/mutable/\uff1203.md", OLD)],
        [(Impropriety.SAME_NAME, {"path": "rules/mutable/\uff1203.md", "other": MUTABLE})],
    ),
    "a seat whose name is another's but for the case": (
        [added("players/Alice.md")],
        [(Impropriety.SAME_NAME, {"path": "players/Alice.md", "other": "players/alice.md"})],
    ),
    "an amendment that cannot be read": (
        [changed(MUTABLE, b"---\n")],
        [(Impropriety.UNREADABLE, {"path": MUTABLE, "problem": UNREADABLE})],
    ),
    "an enactment that is not UTF-8": (
        [added("rules/mutable/x.md", b"\xff")],
        [
            (
                Impropriety.UNREADABLE,
                {"path": "rules/mutable/x.md", "problem": "byte 0 is not UTF-8; save the file as UTF-8"},
            )
        ],
    ),
    "an enactment by a file with nothing in it": (
        [added("rules/mutable/x.md", b"")],
        [(Impropriety.UNREADABLE, {"path": "rules/mutable/x.md", "problem": NO_WORDS})],
    ),
    "an enactment by front matter alone": (
        [added("rules/mutable/x.md", b"---\ntitle: A\n---\n\n \n")],
        [(Impropriety.UNREADABLE, {"path": "rules/mutable/x.md", "problem": NO_WORDS})],
    ),
    "an amendment that leaves no words": (
        [changed(MUTABLE, b"---\ntitle: A\nformerly: [203]\n---\n")],
        [(Impropriety.UNREADABLE, {"path": MUTABLE, "problem": NO_WORDS})],
    ),
    "a file that was too long to be read at all": (
        [added("rules/mutable/x.md", None)],
        [(Impropriety.UNREADABLE, {"path": "rules/mutable/x.md", "problem": TOO_LONG})],
    ),
    "a file that leaves no room for its numbers": (
        [changed(MUTABLE, LONG + b"x", before=FRESH)],
        [(Impropriety.UNREADABLE, {"path": MUTABLE, "problem": TOO_LONG})],
    ),
    "front matter that leaves no room for the numbers": (
        [changed(MUTABLE, b"---\n#" + LONG[: LARGEST_MATTER - ROOM] + b"\n---\n", before=FRESH)],
        [(Impropriety.UNREADABLE, {"path": MUTABLE, "problem": TOO_LONG})],
    ),
    "a transmuted file without room for its number": (
        [deleted(IMMUTABLE, b"x" * LARGEST_FILE), added("rules/mutable/101.md", b"x" * LARGEST_FILE)],
        [
            (
                Impropriety.UNREADABLE,
                {
                    "path": "rules/mutable/101.md",
                    "problem": "the file has 262168 bytes; 262144 are the most there may be",
                },
            )
        ],
    ),
    "a transmuted file too long to be read at all": (
        [deleted(IMMUTABLE, None), added("rules/mutable/101.md", None)],
        [(Impropriety.UNREADABLE, {"path": "rules/mutable/101.md", "problem": TOO_LONG})],
    ),
    "the seat of somebody else": (
        [added("players/bob.md")],
        [(Impropriety.SEAT_OF_ANOTHER, {"path": "players/bob.md", "author": "alice"})],
    ),
    "the seat of somebody else deleted": (
        [deleted("players/bob.md")],
        [(Impropriety.SEAT_OF_ANOTHER, {"path": "players/bob.md", "author": "alice"})],
    ),
    "another case of the players' folder": (
        [added("Players/alice.md")],
        [
            (Impropriety.SEAT_OF_ANOTHER, {"path": "Players/alice.md", "author": "alice"}),
        ],
    ),
    "a seat in a folder of a folder": (
        [added("players/x/alice.md")],
        [(Impropriety.SEAT_OF_ANOTHER, {"path": "players/x/alice.md", "author": "alice"})],
    ),
    "a seat with another ending": (
        [added("players/alice.txt")],
        [(Impropriety.SEAT_OF_ANOTHER, {"path": "players/alice.txt", "author": "alice"})],
    ),
    "a link in place of the players' folder": (
        [added("players", None, SYMLINK)],
        [(Impropriety.SEAT_OF_ANOTHER, {"path": "players", "author": "alice"})],
    ),
    "a seat changed by hand": (
        [changed("players/alice.md")],
        [(Impropriety.SEAT_EDITED, {"path": "players/alice.md"})],
    ),
    "a seat too long to be read": (
        [added("players/alice.md", None)],
        [(Impropriety.SEAT_UNREADABLE, {"path": "players/alice.md", "problem": TOO_LONG})],
    ),
    "a seat that leaves no room for the account's number": (
        [added("players/alice.md", LONG + b"x")],
        [(Impropriety.SEAT_UNREADABLE, {"path": "players/alice.md", "problem": TOO_LONG})],
    ),
}


def reasons_of(reading):
    assert isinstance(reading, Improper)
    return [(reason.what, dict(reason.facts)) for reason in reading.reasons]


@pytest.mark.parametrize(("changes", "reasons"), IMPROPER.values(), ids=IMPROPER)
def test_what_is_not_one_lawful_change_is_improper_with_its_reason(changes, reasons):
    paths = [path for path in PATHS if not (path == "players/alice.md" and changes[0].path == path)]
    assert reasons_of(read(*changes, paths=paths)) == reasons


HISTORY = {
    "an unrelated history": ({"merge_bases": 0}, (Impropriety.UNRELATED, {})),
    "more than one merge base": ({"merge_bases": 2}, (Impropriety.SEVERAL_MERGE_BASES, {})),
    "a merge base off the game branch": ({"on_game_branch": False}, (Impropriety.OFF_THE_GAME_BRANCH, {})),
    "what the game branch contains": ({"commits": 0, "on_game_branch": False}, (Impropriety.MERGED_UNADOPTED, {})),
    "another proposal's head": ({"contains": [7]}, (Impropriety.ANOTHER_PROPOSAL_INSIDE, {"other": 7})),
    "a commit that touches workflows": ({"workflows": True}, (Impropriety.TOUCHES_WORKFLOWS, {})),
    "too many commits": ({"commits": MOST_COMMITS + 1}, (Impropriety.TOO_MANY_COMMITS, {"most": 50})),
    "too many bytes": (
        {"size": MOST_BYTES + 1},
        (Impropriety.TOO_LARGE, {"size": MOST_BYTES + 1, "most": 1024 * 1024}),
    ),
    "too much to be read to its end": ({"cut": True}, (Impropriety.TOO_LARGE, {"size": 0, "most": 1024 * 1024})),
    "too much to see the game": (
        {"cut": True, "hidden": True},
        (Impropriety.TOO_LARGE, {"size": 0, "most": 1024 * 1024}),
    ),
    "a message in an encoding that is not read": (
        {"encoding": "utf-7"},
        (Impropriety.MESSAGE_ENCODING, {"encoding": "utf-7"}),
    ),
    "a message that a forge acts on": ({"message": "closes #1"}, (Impropriety.MESSAGE_ACTS, {"words": "closes #1"})),
}
LAWFUL = {
    "an enactment": [added("rules/mutable/x.md")],
    "an amendment": [changed(MUTABLE)],
    "a repeal": [deleted(MUTABLE)],
    "a transmutation": [deleted(IMMUTABLE), added("rules/mutable/101.md", OLD)],
    "a forfeit": [deleted("players/alice.md")],
}


@pytest.mark.parametrize("changes", LAWFUL.values(), ids=LAWFUL)
@pytest.mark.parametrize(("also", "reason"), HISTORY.values(), ids=HISTORY)
def test_a_lawful_change_on_a_branch_that_is_not_in_order_is_improper(also, reason, changes):
    assert reasons_of(read(*changes, **also)) == [reason]


@pytest.mark.parametrize("changes", LAWFUL.values(), ids=LAWFUL)
def test_a_branch_up_to_its_limits_is_in_order(changes):
    assert not isinstance(read(*changes, commits=MOST_COMMITS, size=MOST_BYTES), Improper)


def test_what_may_touch_the_game_unseen_is_improper_and_its_text_is_nobodys():
    assert reasons_of(read(added("x"), hidden=True))[0][0] is Impropriety.TOO_LARGE
    assert read(added("x"), cut=True) == NoProposal()
    assert voted_text(Branch([changed(MUTABLE)], hidden=True), "alice") is None


def test_a_joining_may_be_improper_for_its_branch():
    assert reasons_of(read(added("players/dave.md"), author="dave", workflows=True)) == [
        (Impropriety.TOUCHES_WORKFLOWS, {})
    ]


def test_every_reason_is_given_at_once():
    reading = read(changed(IMMUTABLE), added("x"), contains=[7, 8], commits=51)
    assert [what for what, _ in reasons_of(reading)] == [
        Impropriety.IMMUTABLE_AMENDED,
        Impropriety.BESIDE_THE_RULE,
        Impropriety.ANOTHER_PROPOSAL_INSIDE,
        Impropriety.ANOTHER_PROPOSAL_INSIDE,
        Impropriety.TOO_MANY_COMMITS,
    ]


@pytest.mark.parametrize(("name", "kind"), list(zip(list(LAWFUL)[:4], ChangeKind, strict=True)))
def test_a_kind_that_the_law_does_not_provide_is_improper(name, kind):
    others = [one for one in ChangeKind if one is not kind]
    assert reasons_of(read(*LAWFUL[name], kinds=others)) == [(Impropriety.KIND_NOT_PROVIDED, {"kind": kind})]
    assert read(*LAWFUL[name], kinds=[kind]).kind is kind


def test_joining_and_leaving_are_no_rule_changes():
    assert isinstance(read(deleted("players/alice.md"), kinds=[]), Forfeit)
    assert isinstance(read(added("players/dave.md"), author="dave", kinds=[]), JoinRequest)


def test_every_impropriety_has_a_row():
    shown = {what for _, reasons in IMPROPER.values() for what, _ in reasons}
    shown |= {what for _, (what, _) in HISTORY.values()} | {Impropriety.KIND_NOT_PROVIDED}
    assert shown == set(Impropriety)


def test_a_reason_rests_on_a_provision_where_a_rule_of_the_game_asks_for_it():
    rests_on = {}
    for changes, _ in IMPROPER.values():
        for reason in read(*changes).reasons:
            rests_on[reason.what] = reason.rests_on
    assert {what for what, key in rests_on.items() if key is None} == {
        Impropriety.NOT_A_FILE,
        Impropriety.EXECUTABLE,
        Impropriety.WRONG_PLACE,
        Impropriety.SAME_NAME,
        Impropriety.UNREADABLE,
    }
    assert {key for key in rests_on.values() if key is not None} <= KEYS.keys()


def test_a_great_heap_of_changes_is_answered_in_a_few_reasons():
    heap = [added(f"rules/mutable/{n}.MD") for n in range(3000)] + [added(f"x{n}") for n in range(3000)]
    assert len(read(*heap).reasons) <= 8


@pytest.mark.parametrize(
    "change", [added("players/alice.md"), changed("players/alice.md"), deleted("players/alice.md")]
)
@pytest.mark.parametrize("author", ["alice@12345", "alice[bot]", "ghost"])
def test_a_seat_is_not_touched_by_an_account_that_is_called_otherwise(change, author):
    facts = {"path": "players/alice.md", "author": author}
    assert read_change(branch(change), author) == Improper((Reason("seat-of-another", facts, "players.joining"),))


def test_a_renamed_player_leaves_by_the_seat_and_takes_no_second_one():
    """The author is the seat's login, whatever the account is called now (section 11)."""
    assert read_change(branch(deleted("players/alice.md")), "alice") == Forfeit("alice")
    second = read_change(branch(added("players/alicia.md")), "alice")
    assert isinstance(second, Improper)
    assert second.reasons[0].facts == {"path": "players/alicia.md", "author": "alice"}


def test_a_seat_is_not_joined_by_a_letter_that_only_looks_the_same():
    path = "players/\u212aate.md"
    assert "\u212a".casefold() == "k"
    assert reasons_of(read(added(path), author="kate")) == [
        (Impropriety.SEAT_OF_ANOTHER, {"path": path, "author": "kate"})
    ]


@pytest.mark.parametrize("data", [LONG, b"---\n#" + LONG[: LARGEST_MATTER - ROOM - 2] + b"\n---\nWords.\n"])
def test_a_file_as_long_as_may_be_can_be_renumbered_time_and_again(data):
    change = read(changed(MUTABLE, data, before=FRESH))
    assert isinstance(change, RuleChange)
    rule = read_rule(203, Status.MUTABLE, change.after)
    for number in range(-(10**17), 60 - 10**17):
        rule = renumbered(rule, number)
    assert len(rule.formerly) == 60


TEXTS = [
    read(added("rules/mutable/x.md")),
    read(added("rules/mutable/x.md", NEW.replace(b"formerly: [203]\n", b""))),
    read(changed(MUTABLE)),
    read(changed(MUTABLE, NEW + b" ")),
    read(changed(OTHER)),
    read(deleted(MUTABLE)),
    read(deleted(OTHER)),
    read(deleted(IMMUTABLE), added("rules/mutable/101.md", OLD)),
    read(deleted(MUTABLE), added("rules/immutable/203.md", OLD)),
    read(added("players/dave.md"), author="dave"),
    read(added("players/dave.md", NEW), author="dave"),
    read(added("players/erin.md"), author="erin"),
    read(deleted("players/alice.md")),
]


def test_two_changes_have_one_text_only_if_they_are_the_same():
    assert len({change.text for change in TEXTS}) == len(TEXTS)


def test_the_text_is_the_kind_the_rule_and_the_resulting_file_and_not_where_it_started():
    start, later = read(changed(MUTABLE)), read(changed(MUTABLE, before=OLD + b"\n"))
    assert start.before != later.before
    assert start.text == later.text == f"amend 203 {blob(NEW).id}"


def test_the_name_of_a_new_rules_file_is_no_part_of_its_text():
    assert read(added("rules/mutable/x.md")).text == read(added("rules/mutable/y.md")).text


def test_a_repeal_has_the_same_text_whatever_stood_in_the_rule():
    assert read(deleted(MUTABLE)).text == read(deleted(MUTABLE, NEW)).text == "repeal 203 -"


def test_logins_in_texts_are_compared_without_regard_to_case():
    assert read(added("players/Dave.md"), author="dave").text == read(added("players/dave.md"), author="dave").text
    assert read(deleted("players/alice.md"), author="Alice").text == "forfeit alice"


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_two_amendments_of_a_rule_have_one_text_exactly_if_they_end_in_one_file(one, other):
    readings = [read(changed(MUTABLE, data, before=FRESH)) for data in (one, other)]
    if all(isinstance(reading, RuleChange) for reading in readings):
        assert (readings[0].text == readings[1].text) == (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("rules/mutable/x.md", "Rules/MUTABLE/X.md"),
        ("rules/mutable/203.md", "rules/mutable/\uff12\uff10\uff13.md"),
        ("rules/mutable/stra\u00dfe.md", "rules/mutable/STRASSE.md"),
        ("rules/mutable/\ufb01.md", "rules/mutable/fi.md"),
        ("rules/mutable/e\u0301.md", "rules/mutable/\u00c9.md"),
    ],
)
def test_paths_that_some_file_system_takes_for_one_fold_alike(one, other):
    assert fold(one) == fold(other)


@given(st.text(max_size=30))
def test_folding_again_changes_nothing(path):
    assert fold(fold(path)) == fold(path)


SOME_PATHS = st.sampled_from(
    [
        *PATHS,
        "rules/mutable/x.md",
        "rules/immutable/203.md",
        "rules/mutable/101.md",
        "rules/mutable/\uff1203.md",
        "RULES/mutable/x.md",
        "rules/mutable/sub/x.md",
        "rules",
        "players",
        "players/bob.md",
        "Players/alice.md",
        "README.md",
        "scores.json",
        ".github/workflows/x.yml",
    ]
) | st.text(alphabet="rulesmtab/.d12\u200b", min_size=1, max_size=20)
SIDES = st.none() | st.builds(
    blob,
    st.sampled_from([OLD, NEW, FRESH, b"---\n", None]),
    st.sampled_from([FILE, FILE, EXECUTABLE, SYMLINK, SUBMODULE]),
)
CHANGES = st.lists(
    st.builds(FileChange, SOME_PATHS, SIDES, SIDES).filter(lambda one: (one.before, one.after) != (None, None)),
    max_size=4,
    unique_by=lambda one: one.path,
)
BRANCHES = st.builds(
    Branch,
    CHANGES,
    st.just(PATHS),
    merge_bases=st.sampled_from([1, 1, 0, 2]),
    on_game_branch=st.booleans(),
    contains=st.lists(st.integers(1, 9), max_size=1),
    workflows=st.booleans(),
)


@given(BRANCHES)
def test_any_branch_has_a_reading_and_an_improper_one_has_reasons(some):
    reading = read_change(some, "alice")
    if isinstance(reading, Improper):
        assert reading.reasons
        assert all(isinstance(reason, Reason) and isinstance(reason.what, Impropriety) for reason in reading.reasons)


@given(CHANGES)
def test_a_lawful_rule_change_is_of_one_rule_by_its_kind_and_of_nothing_else(changes):
    reading = read(*changes)
    if not isinstance(reading, RuleChange):
        return
    old_path = None if reading.rule is None else rule_path(reading.rule, reading.status)
    assert {old_path, reading.new_path} - {None} == {one.path for one in changes}
    assert all(one.after is None or one.after.mode == FILE for one in changes)
    if reading.kind is not ChangeKind.TRANSMUTE:
        assert reading.status is Status.MUTABLE
    else:
        assert reading.before == reading.after
        assert reading.new_path.startswith(f"rules/{reading.status.other}/")
    if reading.after is not None:
        read_rule(0, Status.MUTABLE, reading.after)


@given(BRANCHES)
def test_the_order_of_the_changes_does_not_matter_to_whether_they_are_lawful(some):
    turned = replace(some, changes=tuple(reversed(some.changes)))
    one, other = read_change(some, "alice"), read_change(turned, "alice")
    assert type(one) is type(other)
    if not isinstance(one, Improper):
        assert one == other


def test_a_file_that_the_referee_could_not_rewrite_is_unreadable():
    fits = crowded().replace(b"x" * (ROOM + 1), b"")
    assert isinstance(read(changed(MUTABLE, fits, before=FRESH)), RuleChange)
    moved = deleted(IMMUTABLE, crowded()), added("rules/mutable/101.md", crowded())
    assert [what for what, _ in reasons_of(read(*moved))] == [Impropriety.UNREADABLE]
