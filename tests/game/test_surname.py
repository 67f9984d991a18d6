from __future__ import annotations

import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import join, law, proposal, seated, standing

from nomic_git.game.docket import Hindrance
from nomic_git.game.event import Event, EventKind
from nomic_git.game.player import read_player
from nomic_git.game.proposal import Stage
from nomic_git.game.replay import follow
from nomic_git.game.surname import by_surname, read_name, seats_by_surname, spoken, surname_of
from nomic_git.game.transition import after, founded
from nomic_git.law.reason import Reason

SORTED = {
    "en": ["Åberg", "Adams", "de Vries", "O'Neill", "Öberg", "Young", "Zimmer"],
    "hu": [
        *("Ács", "Adler", "Ágh", "Cukor", "Czakó", "Csaba", "Dudás", "Guba", "Gyarmati", "Nagy", "Nyíri"),
        *("Ország", "Őry", "Ötvös", "Suba", "Szabó", "Zwack", "Zsoldos"),
    ],
    "sv": ["Andersson", "Vall", "Wik", "Zetterberg", "Åberg", "Ärlig", "Öberg"],
    "fi": ["Aalto", "Virtanen", "Väisänen", "Åkerman", "Öhman"],
    "da": ["Andersen", "Zeuthen", "Ærø", "Østergaard", "Aaberg", "Ågård"],
    "nb": ["Andersen", "Zachariassen", "Ødegård", "Ås", "Aasen"],
    "is": ["Daníel", "Zoëga", "Þór", "Æsa", "Örn"],
    "de": ["Mueller", "Muffin", "Muller", "Müller", "Ober", "Öber", "Of"],
    "de-u-co-phonebk": ["Mueller", "Müller", "Muffin", "Muller", "Ober", "Öber", "Of"],
    "cs": ["Cibulka", "Čapek", "Hájek", "Chalupa", "Ivan"],
    "es": ["Chávez", "Cortés", "Llosa", "López", "Núñez", "Ñíguez"],
    "es-u-co-trad": ["Cortés", "Chávez", "López", "Llosa"],
    "zh": ["陈", "丁", "黄", "李", "林", "欧阳", "王", "张"],
    "zh-Hans": ["陈", "丁", "黄", "李", "林", "王", "张"],
    "zh-Hant": ["丁", "王", "李", "林", "張", "陳", "黃"],
    "zh-TW": ["丁", "王", "李", "林", "張", "陳", "黃"],
    "zh-u-co-stroke": ["丁", "王", "张", "李", "林", "陈", "黄"],
    "zh-Hant-u-co-pinyin": ["陳", "丁", "黃", "李", "林", "王", "張"],
    "tlh": ["Åberg", "Öberg", "Zetterberg"],
}
NO_TAGS = ("", "x", "hu_HU", "hu-", "zz-zz-zz", "de-u-co-bogus", "é", "\0", "\ud800", "a" * 500, "en-" + "u-" * 300)

SURNAMES = [one for surnames in SORTED.values() for one in surnames]

logins = st.sampled_from(["a", "B", "b", "C-3", "c_3", "Zoe", "zoe", "0"])
rolls = st.dictionaries(logins, st.one_of(st.text(max_size=4), st.sampled_from(SURNAMES)), max_size=8)
languages = st.sampled_from([*SORTED, *NO_TAGS])


@pytest.mark.parametrize(("language", "surnames"), SORTED.items(), ids=SORTED)
def test_surnames_stand_where_the_language_has_them(language: str, surnames: list[str]) -> None:
    roll = {f"p{len(surnames) - at}": surname for at, surname in enumerate(surnames)}
    assert [roll[login] for login in by_surname(roll, language)] == surnames


@given(rolls, languages, st.data())
def test_the_order_does_not_depend_on_who_is_named_first(
    roll: dict[str, str], language: str, data: st.DataObject
) -> None:
    order = by_surname(roll, language)
    assert sorted(order) == sorted(roll)
    assert by_surname(dict(data.draw(st.permutations(list(roll.items())))), language) == order


@given(rolls, languages)
def test_the_order_of_some_is_their_order_among_all(roll: dict[str, str], language: str) -> None:
    order = by_surname(roll, language)
    some = {login: roll[login] for login in order[::2]}
    assert by_surname(some, language) == order[::2]


def test_equal_surnames_go_by_login_without_regard_to_case() -> None:
    roll = {"zoe": "Nagy", "Bela": "Nagy", "adam": "Nagy", "Cili": "Nagy", "ada": "Ács"}
    assert by_surname(roll, "hu") == ("ada", "adam", "Bela", "Cili", "zoe")


def test_a_letter_is_the_same_however_its_accent_is_written() -> None:
    roll = {"b": unicodedata.normalize("NFC", "Åberg"), "a": unicodedata.normalize("NFD", "Åberg"), "c": "Zorn"}
    assert by_surname(roll, "sv") == ("c", "a", "b")


@pytest.mark.parametrize("language", NO_TAGS)
def test_a_tag_that_is_none_gives_the_root_collation(language: str) -> None:
    roll = {"c": "Zetterberg", "b": "Öberg", "a": "Åberg"}
    if not language.startswith("hu"):
        assert by_surname(roll, language) == ("a", "b", "c")
    assert sorted(by_surname(roll, language)) == ["a", "b", "c"]


def test_what_the_machine_is_set_to_is_not_asked() -> None:
    asked = "from nomic_git.game.surname import by_surname; print(by_surname({'c': 'Zorn', 'a': 'Åberg'}, 'tlh'))"
    env = {"LANG": "sv_SE.UTF-8", "LC_ALL": "sv_SE.UTF-8", "PYTHONUTF8": "1"}
    told = subprocess.run([sys.executable, "-c", asked], env=env, capture_output=True, text=True, check=True)
    assert told.stdout == "('a', 'c')\n"


def test_nobody_is_nobody() -> None:
    assert by_surname({}, "hu") == ()


def test_icu_is_not_loaded_before_anybody_is_sorted() -> None:
    asked = "import sys, nomic_git.game.surname; print('icu4py' in sys.modules, 'ctypes' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout == "False False\n"


def test_the_login_stands_in_for_a_surname_that_nobody_gave() -> None:
    assert surname_of(read_player("anna", b"---\nname: Anna Berg\nsurname: Berg\n---\n")) == "Berg"
    assert surname_of(read_player("anna", b"---\nname: Anna Berg\n---\n")) == "anna"


@pytest.mark.parametrize(
    ("surname", "given_name", "language", "name"),
    [
        ("Åberg", "Anna", "sv", "Anna Åberg"),
        ("Kovács", "Anna", "hu", "Kovács Anna"),
        ("Kovács", "Anna", "hu-HU", "Kovács Anna"),
        ("Kovács", "Anna", "en", "Anna Kovács"),
        ("陳", "大文", "zh-Hant", "陳大文"),
        ("Chen", "Dawen", "zh", "Chen Dawen"),
        ("김", "민수", "ko", "김민수"),
    ],
)
def test_a_name_is_written_in_the_languages_order(surname: str, given_name: str, language: str, name: str) -> None:
    assert spoken(surname, given_name, language) == name


@pytest.mark.parametrize(
    ("text", "language", "name", "surname"),
    [
        ("Åberg, Anna", "sv", "Anna Åberg", "Åberg"),
        ("Kovács,Anna", "hu", "Kovács Anna", "Kovács"),
        ("van der Berg, Jan", "nl", "Jan van der Berg", "van der Berg"),
        ("Sukarno,", "id", "Sukarno", "Sukarno"),
        ("Anna Åberg", "sv", "Anna Åberg", None),
        (", Anna", "sv", ", Anna", None),
        ("King, Martin Luther, Jr.", "en", "King, Martin Luther, Jr.", None),
        ("", "en", "", None),
    ],
)
def test_a_comma_parts_the_surname_from_the_rest(text: str, language: str, name: str, surname: str | None) -> None:
    assert read_name(text, language) == (name, surname)


BY_SURNAME = "turns.order: by-surname"
ZORN = b"---\nname: Eve Zorn\nsurname: Zorn\n---\n"


@pytest.mark.parametrize("joining", ["open", "vote"])
@pytest.mark.parametrize("source", [b"", b"---\nname: Eve Zorn\n---\n"])
def test_nobody_joins_a_game_by_surname_without_one(joining: str, source: bytes) -> None:
    position = seated(law(BY_SURNAME, f"players.joining: {joining}"), "alice", "bob")
    found = standing(position, [proposal(1, "eve", join("eve", source))])[1]
    assert found.stage is Stage.IMPROPER
    assert found.reasons == (Reason(Hindrance.SURNAME_MISSING, {"player": "eve"}, "turns.order"),)
    assert standing(position, [proposal(1, "eve", join("eve", ZORN))])[1].stage is Stage.VOTING


@pytest.mark.parametrize("order", ["open", "clockwise"])
def test_games_of_another_order_ask_for_no_surname(order: str) -> None:
    position = seated(law(f"turns.order: {order}"), "alice", "bob")
    assert standing(position, [proposal(1, "eve", join("eve"))])[1].reasons == ()


def test_a_joining_without_a_surname_cannot_have_happened() -> None:
    position = seated(law(BY_SURNAME, "players.joining: open"), "alice", "bob")
    event = Event(EventKind.JOINED, 5, proposal=1, player="eve", head="0" * 40)
    refused = follow(position, event, join("eve"))
    assert isinstance(refused, Reason)
    assert refused.what == Hindrance.SURNAME_MISSING
    assert follow(position, event, join("eve", ZORN)) == after(position, event, join("eve", ZORN))


def test_seats_stand_by_surname_with_logins_where_a_rule_came_later_than_the_players() -> None:
    files = {"alice": b"---\nsurname: \xc3\x96berg\n---\n", "Mallory": b"", "bob": ZORN}
    players = {login: read_player(login, source) for login, source in files.items()}
    for language, order in (("sv", ["Mallory", "bob", "alice"]), ("en", ["Mallory", "alice", "bob"])):
        position = founded(law(BY_SURNAME), players, 0, language)
        assert [seat.login for seat in seats_by_surname(position)] == order


def test_the_language_stays_from_event_to_event() -> None:
    position = founded(law(BY_SURNAME), {}, 0, "hu")
    event = Event(EventKind.JOINED, 5, proposal=1, player="eve", head="0" * 40)
    assert after(position, event, join("eve", ZORN)).language == "hu"
