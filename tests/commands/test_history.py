"""``jackspot history`` on the terminal, on the journals of matches that were played."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from jackspot.commands import main
from jackspot.core.record import read_record, write_entry
from jackspot.core.scoring import score
from jackspot.dialogue.state.entries import EntryKind
from jackspot.history import export
from jackspot.history.slip import WIDTH
from tests.history.journals import Book

RECORDS = Path(__file__).parents[1] / "records"
NAMES = '[names]\nN = "Aiko"\nS = "=Ben"\n'


def record(name: str) -> str:
    text = (RECORDS / f"{name}.carom").read_text(encoding="utf-8")
    return text if "[names]" in text else text.replace("---\n", f"{NAMES}---\n", 1)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a journal with three matches, the last one unfinished and corrected."""
    path = tmp_path_factory.mktemp("history") / "journal.sqlite3"
    with Book(path) as book:
        book.play(record("whole_match"))
        book.shelve()
        book.play(record("kagw_told"))
        book.shelve()
        book.match(names={"N": "Chika", "S": "aiko"})
        fall = book.fall("NE")
        book.line("N red@NE", falls=(fall,))
        book.write(EntryKind.UNDO)
        book.line("N green@NE", falls=(fall,))
    return path


def run(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["history", f"--journal={path}", *arguments])


def test_without_a_command_the_matches_are_listed(played: Path) -> None:
    shown = run(played)
    assert shown.exit_code == 0, shown.output
    lines = shown.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["1", "2", "3"]
    assert "12 : 1, Aiko won" in lines[1]
    assert "not over" in lines[3]
    assert run(played, "list").stdout == shown.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["list"], ["show", "1"], ["slip", "1"], ["figures"], ["export", "1", "--csv", "-"],
    ],
    ids=lambda words: words[0],
)  # fmt: skip
def test_which_board_is_meant_may_stand_before_the_command_or_behind_it(
    played: Path, tmp_path: Path, words: list[str]
) -> None:
    meant = [f"--journal={played}", "--lang=de"]
    before = CliRunner().invoke(main, ["history", *meant, *words])
    behind = CliRunner().invoke(main, ["history", *words, *meant])
    assert before.exit_code == 0, before.output
    assert behind.output == before.output
    none = f"--journal={tmp_path / 'none'}"
    assert CliRunner().invoke(main, ["history", none, *words, *meant]).output == before.output


def test_the_list_is_narrowed_to_a_player(played: Path) -> None:
    shown = run(played, "list", "--player", "chika")
    assert "Chika - aiko" in shown.stdout
    assert "Aiko won" not in shown.stdout
    assert "No matches." in run(played, "list", "--since", "2031-01-01").stdout


def test_a_match_is_shown_with_its_rulings_and_what_was_corrected(played: Path) -> None:
    shown = run(played, "show", "3").stdout
    rows = [line.split() for line in shown.splitlines()]
    assert ["x", "1", "0:02", "N", "red@NE", "taken", "back", "at", "0:03"] in rows
    [stands] = [row for row in rows if "green@NE" in row]
    assert stands[:5] == ["2", "0:04", "N", "green@NE", "HK-03"]


def test_a_slip_of_a_game_without_points_has_the_jack_and_the_pucks(played: Path) -> None:
    shown = run(played, "slip", "1").stdout
    rows = [line.split() for line in shown.splitlines()]
    assert ["1", "1", "12", "*", "-", "1"] in rows
    assert ["won", "1", "0"] in rows
    assert "112" not in shown
    assert ["Aiko", "won."] in rows


def test_a_slip_of_boards_adds_them_up(played: Path) -> None:
    scored = score(read_record(record("kagw_told")))
    shown = run(played, "slip", "2").stdout
    points = scored["match"]["points"].values()
    rows = [line.split() for line in shown.splitlines()]
    assert ["total", *map(str, points)] in rows


@pytest.mark.parametrize("language", ["en", "de", "ja"])
@pytest.mark.parametrize(
    ("names", "end"),
    [
        ({"N": "Aiko", "S": "Ben"}, "! resign S"),
        ({"N": "x" * 64, "S": "Ben"}, "! resign S"),
        ({"N": "愛" * 64, "S": "Ben"}, "! resign S"),
        ({"N": "x" * 64, "S": "愛" * 64}, "! draw"),
        ({"N": "x" * 64, "S": "愛" * 64}, "N -"),
    ],
    ids=["short", "long", "wide", "drawn", "not over"],
)
def test_no_line_of_a_slip_is_wider_than_the_card_and_the_winner_is_said(
    tmp_path: Path, names: dict[str, str], end: str, language: str
) -> None:
    with Book(tmp_path / "journal.sqlite3") as book:
        book.match(names=names)
        book.line(end)
    shown = run(book.path, f"--lang={language}", "slip", "1").stdout
    assert max(map(cell_len, shown.splitlines())) <= WIDTH
    won = {"en": " won.", "de": " hat gewonnen.", "ja": "の勝ち。"}[language]
    [said] = [line for line in shown.splitlines() if line.endswith(won)] or [""]
    assert said.startswith(names["N"][:20]) == (end == "! resign S")


def test_figures_name_players_and_pockets(played: Path) -> None:
    shown = run(played, "figures").stdout
    rows = [line.split() for line in shown.splitlines()]
    [aiko] = [row for row in rows if row[:1] == ["Aiko"]]
    assert aiko[1] == "3"  # under both spellings of the name
    assert any(row[:2] == ["NE", "1"] for row in rows)
    alone = run(played, "figures", "--player", "Chika").stdout
    assert "Aiko" not in alone
    assert "1 match" in alone


def test_strokes_are_exported_as_csv_that_no_spreadsheet_calculates_with(played: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run(played, "export", "--csv", "-").stdout)))
    first = rows[0]
    assert (first["match"], first["entry"], first["player"]) == ("1", "N striker@NE", "Aiko")
    assert {row["player"] for row in rows if row["match"] == "1"} == {"Aiko", "'=Ben"}
    last = [row for row in rows if row["match"] == "3"]
    assert [(row["entry"], row["stands"]) for row in last] == [
        ("N red@NE", "no"), ("N green@NE", "yes"),
    ]  # fmt: skip


def test_a_cell_acts_on_no_terminal_and_breaks_no_row() -> None:
    assert export._cell("a\r\nb\x1b[2J\u202e") == r"a\x0d\x0ab\x1b[2J\u202e"
    assert export._cell("\r=1+1") == r"\x0d=1+1"


@pytest.mark.parametrize("sign", [*"=+-@", "\uff1d", "\uff0b", "\uff0d", "\uff20"], ids=ascii)
def test_no_cell_is_a_formula_in_letters_of_any_width(sign: str) -> None:
    assert export._cell(f"{sign}1+1") == f"'{sign}1+1"
    assert export._cell(f"1{sign}1") == f"1{sign}1"


@pytest.mark.parametrize(
    ("table", "rows"), [("matches", 3), ("players", 3), ("pockets", 4), ("strokes", None)]
)
def test_each_table_has_its_rows(played: Path, table: str, rows: int | None) -> None:
    text = run(played, "export", "--csv", "-", "--table", table).stdout
    found = list(csv.DictReader(io.StringIO(text)))
    assert found
    assert rows in (None, len(found))
    assert all(None not in row and None not in row.values() for row in found)


def test_json_has_every_match_with_its_lines(played: Path) -> None:
    said = json.loads(run(played, "export", "--json", "-").stdout)
    assert said["history"] == 1
    assert [match["number"] for match in said["matches"]] == [1, 2, 3]
    whole = said["matches"][0]
    assert whole["points"] == {"red": 12, "green": 1}
    rulings = [step["rulings"] for line in whole["lines"] for step in line["steps"]]
    scored = score(read_record(record("whole_match")))
    assert rulings == [entry["rulings"] for entry in scored["entries"]]


@pytest.mark.parametrize("path", sorted(RECORDS.rglob("*.carom")), ids=lambda path: path.stem)
def test_steps_in_json_are_the_entries_that_score_prints(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8-sig")
    with Book(tmp_path / "journal.sqlite3") as book:
        book.play(text)
    said = json.loads(run(book.path, "export", "--json", "-").stdout)
    steps = [step for line in said["matches"][0]["lines"] for step in line["steps"]]
    read = read_record(text)
    assert [step.pop("entry") for step in steps] == [write_entry(e.entry) for e in read.match.steps]
    assert {type(step.pop("took_s")) for step in steps} <= {float, type(None)}
    silent = [step for step in steps if step.get("directive") in ("placed", "forgot")]
    told = [step for step in steps if step not in silent]
    scored = score(read)["entries"]
    assert told == [{k: v for k, v in each.items() if k != "line"} for each in scored]
    assert all(each.keys() == scored[0].keys() - {"line"} | {"directive"} for each in silent)


def test_a_seat_that_a_word_names_has_no_stroke_in_the_table(tmp_path: Path) -> None:
    with Book(tmp_path / "journal.sqlite3") as book:
        said = "N -\n! turn N\n! set red pocketed=2\n! resign N\n"
        book.play(f'rules = "hikone"\n{NAMES}---\n{said}')
    rows = csv.DictReader(io.StringIO(run(book.path, "export", "--csv", "-").stdout))
    assert [(row["seat"], row["player"], row["side"]) for row in rows] == [
        ("N", "Aiko", "red"), *[("", "", "")] * 3,
    ]  # fmt: skip


@pytest.fixture
def later(tmp_path: Path) -> Path:
    """Return a journal whose first match was played by a version with another key."""
    path = tmp_path / "journal.sqlite3"
    with Book(path) as book:
        book.write(EntryKind.MATCH, header='rules = "hikone"\nnew_key = 1\n---\n')
        book.shelve()
        book.match(names={"N": "Aiko"})
        book.line("N -")
    return path


@pytest.mark.parametrize(
    ("numbers", "told"),
    [([], [1, 2]), (["1"], [1]), (["2", "1"], [2, 1]), (["2"], [2]), (["--player=Aiko"], [2])],
    ids=str,
)
def test_json_names_a_match_that_cannot_be_read_and_why(
    later: Path, numbers: list[str], told: list[int]
) -> None:
    done = run(later, "export", *numbers, "--json", "-")
    assert done.exit_code == 0
    assert done.stderr.startswith("match 1: ") == (1 in told)
    matches = json.loads(done.stdout)["matches"]
    assert [match["number"] for match in matches] == told
    for match in matches:
        assert (match.keys() == {"number", "unreadable"}) == (match["number"] == 1)
        assert "new_key" in match.get("unreadable", "new_key")


@pytest.mark.parametrize("form", ["--csv=-", "--carom=-"])
def test_a_match_that_cannot_be_read_is_left_out_of_tables_and_records_with_a_word(
    later: Path, form: str
) -> None:
    for more in ([], [f"--json={later.parent / 'all.json'}"]):
        done = run(later, "export", form, *more)
        assert done.exit_code == 0
        assert done.stdout.count("N -") == 1
        [told] = done.stderr.splitlines()
        assert told.startswith("match 1: ")
        assert "new_key" in told
    alone = run(later, "export", "1", form)
    assert (alone.exit_code, alone.stdout) == (1, "")
    assert "new_key" in alone.stderr


def test_records_are_exported_that_score_as_they_were_played(played: Path, tmp_path: Path) -> None:
    folder = tmp_path / "records"
    done = run(played, "export", "1", "2", "--carom", str(folder))
    assert done.exit_code == 0, done.output
    files = sorted(folder.iterdir())
    assert [path.name.partition("-match-")[2] for path in files] == ["0001.carom", "0002.carom"]
    for path, name in zip(files, ("whole_match", "kagw_told"), strict=True):
        ours, played_as = read_record(path.read_text(encoding="utf-8")), read_record(record(name))
        assert score(ours)["match"] == score(played_as)["match"]
        assert ours.settings == played_as.settings


def test_a_file_that_is_there_is_not_written_over(played: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("mine")
    refused = run(played, "export", "--csv", str(target))
    assert refused.exit_code == 1
    assert "is there already" in refused.stderr
    assert target.read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["show", "9"], 1, "no match 9"),
        (["export"], 2, "say what to write"),
        (["list", "--since", "yesterday"], 2, "yesterday"),
        (["show", "0"], 2, "0"),
    ],
)
def test_a_call_that_cannot_be_answered_says_why(
    played: Path, arguments: list[str], status: int, words: str
) -> None:
    refused = run(played, *arguments)
    assert refused.exit_code == status
    assert words in refused.stderr


def test_a_journal_that_is_not_there_is_named(tmp_path: Path) -> None:
    refused = run(tmp_path / "none.sqlite3")
    assert refused.exit_code == 1
    assert "no journal here" in refused.stderr


@pytest.mark.parametrize(
    ("language", "arguments", "words"),
    [
        ("de", ["list"], ["Ergebnis", "hat gewonnen"]),
        ("de", ["show", "1"], ["Partie 1", "was folgt", "ist dran"]),
        ("de", ["slip", "1"], ["Signatur", "hat gewonnen."]),
        ("de", ["figures"], ["Loch", "gefallen"]),
        ("ja", ["list"], ["選手", "の勝ち"]),
        ("ja", ["show", "1"], ["試合 1", "次は"]),
        ("ja", ["slip", "1"], ["署名", "の勝ち。"]),
        ("ja", ["figures"], ["ポケット", "落ちた数"]),
    ],
)
def test_people_are_told_in_their_language(
    played: Path, language: str, arguments: list[str], words: list[str]
) -> None:
    told = run(played, "--lang", language, *arguments)
    assert told.exit_code == 0, told.output
    assert [each for each in words if each not in told.stdout] == []
