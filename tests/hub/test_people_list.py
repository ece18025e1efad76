"""People as a table: who is meant, what is entered, and every mistake with its line."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from types import FrameType
from typing import Any, Literal
from unicodedata import normalize

import pytest
from click.testing import CliRunner

from jackspot_hub.command import enter_command, opened
from jackspot_hub.desk.entering import known_or_new, register, reword
from jackspot_hub.desk.people_list import BadPeople, people_entries
from jackspot_hub.desk.state import DeskKind, DeskState, fold
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.programme import Person
from jackspot_hub.event_file import programme_of

EVENT = """\
name = "Small cup"
hall = "hikone"
boards = 2

[[contest]]
name = "singles"
format = "knockout"
draw = "later"

[[contest]]
name = "pairs"
format = "swiss"
draw = "later"
pairs = true

[[contest]]
name = "youth"
format = "all"
draw = "later"
born = [2010, 0]
"""


def desk() -> DeskState:
    def contest(name: str, **more: Any) -> dict[str, Any]:
        return {"name": name, "format": "all", "draw": "later", **more}

    return DeskState(programme_of({"name": "A", "hall": "a", "boards": 1, "contest": [
        contest("singles"), contest("pairs", pairs=True), contest("youth", born=[2010, None]),
        {"name": "cup", "format": "all", "entrants": ["Zoe", "Yui"]},
    ]}))  # fmt: skip


def entered(text: str) -> DeskState:
    state = desk()
    for entry in people_entries(state, text, "desk"):
        state = fold(state, entry.kind, entry.body, 0)
    return state


def people(state: DeskState) -> list[tuple[str, str, str, int | None]]:
    return [(e.name, e.kana, e.club, e.born) for e in list(state.programme.people.values())[2:]]


def names(state: DeskState, contest: str) -> set[tuple[str, ...]]:
    return {
        state.programme.names(contest, each) for each in state.programme.classes[contest].people
    }


@pytest.mark.parametrize("name", ["Jürgen", "がく", "Ngọc"])
@pytest.mark.parametrize("forms", [("NFC", "NFD"), ("NFD", "NFC"), ("NFD", "NFD")])
def test_letters_and_their_marks_are_one_name_however_they_are_written(
    name: str, forms: tuple[Literal["NFC", "NFD"], Literal["NFC", "NFD"]]
) -> None:
    one, two = (normalize(form, name) for form in forms)
    lines = [f"{each},{each},{each}\n" for each in (one, two)]
    state = entered("name,kana,club\n" + "".join(lines))
    composed = normalize("NFC", name)
    assert people(state) == [(composed, composed, composed, None)]
    assert people_entries(state, "name,kana,club\n" + lines[1], "desk") == ()
    assert known_or_new(state, two, "desk", kana=one, club=two) == (3, ())


def test_people_whom_an_older_version_has_entered_are_known_too() -> None:
    written = normalize("NFD", "Jürgen")
    body = {"person": 3, "name": written, "kana": "", "club": "", "born": None, "by": "desk"}
    state = fold(desk(), DeskKind.REGISTERED, body, 0)
    for name in (written, "Jürgen"):
        assert known_or_new(state, name, "desk") == (3, ())
        assert people_entries(state, f"name\n{name}\n", "desk") == ()
        with pytest.raises(CannotBe, match="is registered already"):
            register(state, name, "desk")
    (entry,) = reword(state, Person(3, written, club="Otsu"), "desk")
    assert entry.body["name"] == "Jürgen"


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("comma", [",", ";"])
def test_a_table_of_any_spreadsheet_is_entered(mark: str, comma: str) -> None:
    rows = ("Name,Kana,Club,Born,Class,Partner", '"Ito, Aiko",いとう あいこ,Otsu,1984,singles,',
            "Ben,,,,singles,", ",,,,,", "Ben,,,,pairs,Chie")  # fmt: skip
    text = mark + "\r\n".join(row.replace(",", comma) for row in rows).replace("Ito;", "Ito,")
    state = entered(text)
    assert people(state) == [
        ("Ito, Aiko", "いとう あいこ", "Otsu", 1984), ("Ben", "", "", None), ("Chie", "", "", None),
    ]  # fmt: skip
    assert names(state, "singles") == {("Ito, Aiko",), ("Ben",)}
    assert names(state, "pairs") == {("Ben", "Chie")}


def test_a_pair_may_stand_on_the_lines_of_both() -> None:
    state = entered("name,class,partner,born\nBen,pairs,Chie,\nChie,pairs,Ben,1990\n")
    assert names(state, "pairs") == {("Ben", "Chie")}
    assert people(state) == [("Ben", "", "", None), ("Chie", "", "", 1990)]


def test_two_people_of_one_name_are_told_apart_by_what_their_lines_say() -> None:
    state = entered("name,club,class\nAiko,Otsu,singles\nAiko,Kyoto,singles\nZoe,,singles\n")
    assert people(state) == [("Aiko", "", "Otsu", None), ("Aiko", "", "Kyoto", None)]
    assert names(state, "singles") == {("Aiko",), ("Zoe",)}
    assert len(state.programme.classes["singles"].people) == 3


def test_a_line_that_says_less_is_the_same_person_wherever_it_stands() -> None:
    state = entered("name,club,class\nAiko,,singles\nAiko,Otsu,\n")
    assert people(state) == [("Aiko", "", "Otsu", None)]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "expected columns of name, kana"),
        ("name,shoe\nBen,42\n", 1, "expected columns of name, kana"),
        ("club,class\nOtsu,singles\n", 1, "name among them"),
        ("name\nBen\n\n,\n Chie , x\n", 5, "expected 1 column, found 2"),
        ("name,class\n,singles\n", 2, "expected a name, found none"),
        ("name,born\nBen,'84\n", 2, 'expected a year of birth such as 1984, found "\'84"'),
        ("name,born\nBen,84\n", 2, "expected a year of birth such as 1984, found 84"),
        ("name,class\nBen,solo\n", 2, "there is no contest 'solo'; there are cup, pairs"),
        ("name,class\nBen,pairs\n", 2, "pairs: expected two people to enter, found 1"),
        ("name,class,partner\nBen,singles,Chie\n", 2, "expected one person to enter, found 2"),
        ("name,partner\nBen,Chie\n", 2, "a partner, 'Chie', and no class"),
        ("name,class,partner\nBen,pairs,Ben\n", 2, "expected two people to enter, found 1"),
        ("name,class\nBen,singles\nBen,singles\n", 3, "Ben (3) is entered in singles already"),
        ("name,club,class\nA,x,\nA,y,\nA,,singles\n", 4, "there are 2 people named 'A'"),
        ("name,born,class\nBen,2009,youth\n", 2, "born 2010 or later: Ben was born in 2009"),
        ("name,class\nBen,youth\n", 2, "the year in which Ben was born is not known"),
        ("name,class\nBen,cup\n", 2, "cup: it is drawn: undo its draw first"),
        (f"name\n{'x' * 65}\n", 2, "name: expected at most 64 characters"),
        ('name\n"Ben', 2, "no CSV"),
    ],
)
def test_each_mistake_is_named_with_its_line(text: str, line: int, says: str) -> None:
    with pytest.raises(BadPeople) as found:
        people_entries(desk(), text, "desk")
    ((where, what),) = found.value.mistakes
    assert where == line
    assert says in str(what)


@pytest.mark.parametrize("code", ["shift_jis", "euc_jp", "utf-16"])
@pytest.mark.parametrize(
    ("text", "line"),
    [("name,class\nBen,singles\n愛子,singles\n", 3), ("name,club\nBen,彦根\n", 2),
     ("name,class,partner\nBen,pairs,愛子\n", 2), ("name,class\nBen,組\n", 2)],
)  # fmt: skip
def test_a_table_that_is_not_in_utf_8_is_refused_as_one(text: str, line: int, code: str) -> None:
    read = text.encode(code).decode("utf-8", errors="replace")  # as a page reads a file
    with pytest.raises(BadPeople) as found:
        people_entries(desk(), read, "desk")
    ((where, what),) = found.value.mistakes
    assert where == (1 if code == "utf-16" else line)
    assert "expected text in UTF-8" in str(what)


@pytest.mark.parametrize("column", ["name", "kana", "club"])
@pytest.mark.parametrize("bytes_", ["Jürgen".encode("cp1252"), "愛子".encode("shift_jis")])
def test_nobody_is_entered_by_hand_with_letters_lost(column: str, bytes_: bytes) -> None:
    lost = bytes_.decode("utf-8", errors="replace")
    words: dict[str, Any] = {"name": "Ben", "kana": "", "club": "", column: lost}
    with pytest.raises(CannotBe, match=f"{column}: expected text in UTF-8"):
        register(desk(), words.pop("name"), "desk", **words)
    with pytest.raises(CannotBe, match=f"{column}: expected text in UTF-8"):
        reword(desk(), Person(1, **{"name": "Ben", **words, column: lost}), "desk")


def test_all_mistakes_are_named_in_the_order_of_their_lines() -> None:
    with pytest.raises(BadPeople) as found:
        people_entries(desk(), "name,class\nBen,x\n,\n,singles\nChie,y\n", "desk")
    assert [line for line, _text in found.value.mistakes] == [2, 4, 5]


def steps_for(text: str) -> int:
    """Count the interpreter's steps from a table to the desk with all of its people."""
    steps = 0

    def look(frame: FrameType, event: str, _arg: object) -> Any:
        nonlocal steps
        frame.f_trace_opcodes = True
        steps += event == "opcode"
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        entered(text)
    except BadPeople:
        pass
    finally:
        sys.settrace(before)
    return steps


def alone(count: int) -> str:
    return "name,class\n" + "".join(f"P{at},singles\n" for at in range(count))


def in_pairs(count: int) -> str:
    lines = (f"P{at},pairs,P{at ^ 1}\n" for at in range(count))
    return "name,class,partner\n" + "".join(lines)


def wrong(count: int) -> str:
    return "name,class\n" + "".join(f"P{at},nothing\n" for at in range(count))


@pytest.mark.parametrize("table", [alone, in_pairs, wrong])
def test_twice_as_many_people_are_twice_the_work(table: Any) -> None:
    assert steps_for(table(60)) < 2.1 * steps_for(table(30))


def test_a_file_is_entered_and_one_with_a_mistake_changes_nothing(tmp_path: Path) -> None:
    event, table = tmp_path / "cup.toml", tmp_path / "people.csv"
    event.write_text(EVENT, encoding="utf-8")

    def run(text: bytes) -> Any:
        table.write_bytes(text)
        return CliRunner().invoke(enter_command, [str(event), str(table)])

    wrong = run(b"name,class\nBen,singles\nBen,singles\n")
    assert wrong.exit_code == 1
    assert "nobody is entered\nline 3: Ben (1) is entered in singles already" in wrong.output
    assert "expected UTF-8" in run("name\nJürgen\n".encode("latin-1")).output
    done = run("\ufeffname;class\nBen;singles\n愛子;singles\n".encode())
    assert (done.exit_code, done.output) == (0, "2 people are new, 2 entries\n")
    again = run(b"name,class\nBen,singles\nCem,singles\n")
    assert (again.exit_code, again.output) == (0, "1 people are new, 1 entries\n")


def test_while_the_hub_runs_a_table_is_entered_on_its_page(tmp_path: Path) -> None:
    event, table = tmp_path / "cup.toml", tmp_path / "people.csv"
    event.write_text(EVENT, encoding="utf-8")
    table.write_text("name,class\nBen,singles\n", encoding="utf-8")
    with closing(opened(event, event.with_suffix(".sqlite3"), lambda _desk, _entry: None)):
        done = CliRunner().invoke(enter_command, [str(event), str(table)])
    assert done.exit_code == 1
    assert "while the hub runs, enter and correct on its pages /people and /desk" in done.output
