"""``jackspot score``: output for people and machines, exit statuses, errors, many files."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import EntryPoint
from multiprocessing.context import BaseContext
from pathlib import Path
from typing import NoReturn

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len
from rich.console import Console

from jackspot.commands import main, score as score_command
from jackspot.core.record import read_record
from jackspot.core.record_codes import codes_of
from jackspot.core.rules import RULES, facts_of
from jackspot.core.scoring import score
from jackspot.core.settings import RuleSystem

RECORDS = Path(__file__).parents[1] / "records"
GOOD = RECORDS / "debts_and_jack.carom"


def run(*arguments: object, given: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["score", *map(str, arguments)], input=given)


def written(folder: Path, name: str, text: str | bytes) -> Path:
    file = folder / name
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def test_json_is_one_object_on_one_line():
    result = run("--json", GOOD)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.count("\n") == 1
    assert json.loads(result.stdout) == score(read_record(GOOD.read_text(encoding="utf-8")))


def test_scanned_codes_are_scored_as_the_record_they_are_of(tmp_path):
    text = GOOD.read_text(encoding="utf-8")
    codes = codes_of(text, 77, 0)
    lines = "\n".join(reversed(codes))
    assert json.loads(run("--json", "-", given=lines.encode()).stdout) == score(read_record(text))
    file = written(tmp_path, "scanned.txt", "\n".join(codes[:-1]))
    result = run(file)
    assert result.exit_code == 1
    count = len(codes)
    assert result.stderr == f"{file}:{count - 1}:1: missing: code {count} of {count}\n"


def test_for_people_every_stroke_has_its_ruling_and_the_match_its_result():
    result = run(GOOD)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "HK-16" in result.stdout
    assert "foul; place 4 green, jack; N is next" in result.stdout
    assert "red wins by the jack" in result.stdout
    assert "match Aiko (red) won; 12 : 2" in result.stdout


def test_in_a_pipe_there_is_no_colour_and_no_line_is_broken():
    lines = run(GOOD).stdout.splitlines()
    assert not any("\x1b" in line for line in lines)
    entries = 12
    assert sum(line.lstrip()[:2].strip().isdigit() for line in lines) == entries
    # title, headings, one board, the entries, the result
    assert len([line for line in lines if line.strip()]) == entries + 4


def test_a_match_that_is_not_over_says_how_it_stands(tmp_path):
    file = written(tmp_path, "a.carom", 'rules = "hikone"\n---\nN red\nN -\nS striker\n')
    stdout = run(file).stdout
    assert "0 (owes 1)" in stdout
    assert "not over; board 1 stands 1 : 0, N is next" in stdout


def test_boards_and_a_drawn_match_are_told():
    stdout = run(RECORDS / "four_seats.carom").stdout
    for words in ("board 4", "tied by agreement", "green wins by resignation"):
        assert words in stdout
    assert "match drawn; 2 : 2, boards 1 : 1" in stdout


def test_errors_stand_on_standard_error_with_file_line_and_column(tmp_path):
    file = written(tmp_path, "b.carom", 'rules = "hikone"\n---\nN rad\nS red\nN green foul foul\n')
    result = run("--json", file)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.splitlines() == [
        f"{file}:3:3: expected a piece or a flag, found 'rad'; did you mean 'red'?",
        f"{file}:5:14: 'foul' stands twice",
    ]


def test_rules_that_are_not_played_say_which_are(tmp_path, monkeypatch):
    hikone = RuleSystem.HIKONE
    monkeypatch.setattr("jackspot.core.rules.RULES", {hikone: RULES[hikone]})
    file = written(tmp_path, "c.carom", 'rules = "icf"\n---\n')
    result = run(file)
    assert result.exit_code == 1
    assert (
        f"{file}:1:9: rules 'icf' are not played by this version; it plays: hikone\n"
        == result.stderr
    )


def test_several_files_are_json_lines_and_a_bad_one_stops_nothing(tmp_path):
    bad = written(tmp_path, "bad.carom", 'rules = "hikone"\n---\nS red\n')
    result = run("--json", GOOD, bad, GOOD)
    assert result.exit_code == 1
    first, second, third = (json.loads(line) for line in result.stdout.splitlines())
    assert first["file"] == str(GOOD)
    assert first == third
    assert second == {
        "file": str(bad),
        "errors": [{"line": 3, "column": 1, "message": "it is N's turn, not S's"}],
    }
    assert result.stderr == f"{bad}:3:1: it is N's turn, not S's\n"


def test_several_good_files_exit_with_success():
    assert run(GOOD, RECORDS / "sudden_death.carom").exit_code == 0


def test_text_that_is_not_utf8_is_told_with_its_place(tmp_path):
    file = written(tmp_path, "d.carom", b'rules = "hikone"\n[names]\nN = "J\xfcrg"\n---\n')
    result = run(file)
    assert result.exit_code == 1
    assert result.stderr.startswith(f"{file}:3:7: expected UTF-8, found byte 0xfc")


def test_a_wrong_call_exits_with_two(tmp_path):
    assert run().exit_code == 2
    assert run("--jsn", GOOD).exit_code == 2
    missing = run(tmp_path / "nowhere.carom")
    assert missing.exit_code == 2
    assert "does not exist" in missing.stderr
    folder = run(tmp_path)
    assert folder.exit_code == 2
    assert "is a directory" in folder.stderr


def test_a_dash_reads_standard_input():
    result = run("--json", "-", given=b'rules = "hikone"\n---\nN red\n')
    assert json.loads(result.stdout)["entries"][0]["rulings"] == ["HK-02"]


def test_a_file_that_cannot_be_read_is_an_error_like_others(tmp_path, monkeypatch):
    file = written(tmp_path, "e.carom", "")

    def broken(_self: Path, _mode: str) -> NoReturn:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(Path, "open", broken)
    result = run(file)
    assert result.exit_code == 1
    assert result.stderr == f"{file}:1:1: cannot be read: Input/output error\n"


@pytest.mark.parametrize(("files", "terminal", "bar"), [(20, True, True), (19, True, False)])
def test_many_files_show_a_bar_on_a_terminal(files, terminal, bar, monkeypatch):
    shown = []

    def track(all_scored, *, total, **_how):
        shown.append(total)
        return all_scored

    monkeypatch.setattr(score_command, "track", track)
    monkeypatch.setattr(Console, "is_terminal", property(lambda _self: terminal))
    assert run(*[GOOD] * files).exit_code == 0
    assert bool(shown) == bar


def test_no_bar_where_there_is_no_terminal():
    assert run("--json", *[GOOD] * 25).stderr == ""


@pytest.mark.parametrize("form", [["--json"], []])
def test_very_many_files_are_scored_by_several_processes_in_their_order(
    form, tmp_path, monkeypatch
):
    bad = written(tmp_path, "bad.carom", 'rules = "hikone"\n---\nS red\n')
    good = [
        written(tmp_path, f"{seat}.carom", f'rules = "hikone"\n---\nN red@NE\n! resign {seat}\n')
        for seat in "NS"
    ]
    files = [*good * 100, bad]
    monkeypatch.setattr(score_command, "_processors", lambda: 1)
    alone = run(*form, *files)
    monkeypatch.setattr(score_command, "_processors", lambda: 2)
    pools = []

    class Pool(ProcessPoolExecutor):
        def __init__(self, processes: int, *, mp_context: BaseContext) -> None:
            pools.append(processes)
            super().__init__(processes, mp_context=mp_context)

    monkeypatch.setattr(score_command, "ProcessPoolExecutor", Pool)
    together = run(*form, *files)
    assert pools == [2]
    assert (together.exit_code, together.stdout, together.stderr) == (
        alone.exit_code,
        alone.stdout,
        alone.stderr,
    )
    assert alone.exit_code == 1


def test_the_command_line_names_its_commands_and_its_version():
    result = CliRunner().invoke(main, ["--help"])
    assert result.exit_code == 0
    assert "score" in result.stdout
    assert CliRunner().invoke(main, ["--version"]).stdout.startswith("jackspot ")
    unknown = CliRunner().invoke(main, ["scroe"])
    assert unknown.exit_code == 2
    assert "No such command" in unknown.stderr


def test_other_packages_add_commands_by_an_entry_point(monkeypatch):
    extra = EntryPoint("extra", "jackspot.commands.score:command", "jackspot.commands")

    def entries(*, group: str, name: str | None = None):
        return [extra] if group == "jackspot.commands" and name in {None, "extra"} else []

    monkeypatch.setattr("importlib.metadata.entry_points", entries)
    assert "extra" in CliRunner().invoke(main, ["--help"]).stdout
    assert CliRunner().invoke(main, ["extra", "--help"]).exit_code == 0


def test_a_command_whose_library_is_missing_stops_no_other(monkeypatch):
    extra = EntryPoint("extra", "extra:command", "jackspot.commands")
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_which: [extra])
    assert "score" in CliRunner().invoke(main, ["--help"]).stdout
    called = CliRunner().invoke(main, ["extra", "--loud", "more"])
    assert called.exit_code == 1
    assert called.stderr == "Error: extra cannot be opened: No module named 'extra'\n"


def test_where_points_come_at_the_end_the_pieces_in_and_the_queen_are_told():
    stdout = run(RECORDS / "kagw_aggregate.carom").stdout
    assert "N queen@NE" in stdout
    assert "white must cover; N shoots again" in stdout
    assert "white covered the queen; N shoots again" in stdout
    assert stdout.count("covered the queen") < 6  # reported once each time, not in every line
    assert "5 in" in stdout


def test_games_are_told_where_there_are_some():
    assert "games 0 : 1" in run(RECORDS / "grundregeln_25.carom").stdout
    assert "games" not in run(RECORDS / "kagw_aggregate.carom").stdout


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "de",
            (
                "Foul; zurück: 4 Grün, Jack; N ist dran",
                "Partie: Aiko (Rot) hat gewonnen; 12 : 2",
            ),
        ),
        ("ja", ("反則; 戻す: 緑4個、ジャック; 次は N", "試合: Aiko(赤)の勝ち; 12 : 2")),
    ],
)
def test_people_are_told_in_the_language_they_ask_for_or_their_terminal_speaks(language, words):
    asked = run("--lang", language, GOOD)
    spoken = CliRunner().invoke(
        main, ["score", str(GOOD)], env={"LC_ALL": "", "LANG": f"{language}_XX.UTF-8"}
    )
    assert all(each in asked.stdout for each in words)
    assert spoken.stdout == asked.stdout


def test_programs_are_told_the_same_in_every_language():
    assert run("--json", "--lang", "ja", GOOD).stdout == run("--json", GOOD).stdout


# sums


WON = 'rules = "japan"\nnames = {{ N = "{}", S = "{}" }}\n---\n! set red pocketed=12\nN jack\n'


def test_a_sum_is_a_table_by_player_with_the_most_points_first(tmp_path):
    one = written(tmp_path, "1.carom", WON.format("Aiko", "藤原 愛子"))
    two = written(tmp_path, "2.carom", WON.format("Aiko", "Ben"))
    result = run("--sum", one, two)
    assert (result.exit_code, result.stderr) == (0, "")
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["players", "rules", "matches", "won", "boards", "won", "points"],
        ["Aiko", "japan", "2", "2", "2", "224"],
        ["Ben", "japan", "1", "0", "0", "0"],
        ["藤原", "愛子", "japan", "1", "0", "0", "0"],
    ]
    columns = [cell_len(line[: line.index("japan")]) for line in result.stdout.splitlines()[1:]]
    assert len(set(columns)) == 1, "as wide as they are shown"


@pytest.mark.parametrize("rules", RuleSystem)
def test_points_are_told_where_a_match_has_some(rules, tmp_path):
    """Hikone counts pucks and boards, so the command reports no points in any language."""
    names = 'names = { N = "Aiko", S = "Ben" }'
    file = written(tmp_path, "m.carom", f'rules = "{rules}"\n{names}\n---\n! resign S\n')
    shown, summed = run(file).stdout, run("--sum", file).stdout.splitlines()[1:]
    has_points = facts_of(rules).match_points
    assert "match Aiko" not in shown or ("won; points" in shown) == has_points
    assert [line.split()[-1] != "-" for line in summed] == [has_points] * 2
    told = json.loads(run("--sum", "--json", file).stdout)["sums"]
    assert all(isinstance(each["points"], int) for each in told)


def test_a_sum_as_json_is_one_object_with_both_names_of_a_pair():
    file = RECORDS / "icf_doubles.carom"
    result = run("--sum", "--json", file, file)
    assert result.exit_code == 0
    assert json.loads(result.stdout) == {
        "sum": 1,
        "sums": [
            {"rules": "icf", "players": ["Ann", "Cem"], "matches": 2, "won": 2, "boards_won": 4,
             "points": 38},
            {"rules": "icf", "players": ["Ben", "Dora"], "matches": 2, "won": 0, "boards_won": 2,
             "points": 14},
        ],
        "errors": [],
    }  # fmt: skip


def test_a_record_that_is_not_valid_is_told_and_left_out_of_the_sum(tmp_path):
    bad = written(tmp_path, "bad.carom", 'rules = "hikone"\n---\nS red\n')
    good = written(tmp_path, "good.carom", WON.format("Aiko", "Ben"))
    for arguments in ((bad, good), (bad,)):
        result = run("--sum", *arguments)
        assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
        assert result.stderr.startswith(f"{bad}:3:1: ")
    told = run("--sum", "--json", bad, good)
    assert told.exit_code == 1
    summed = json.loads(told.stdout)
    assert [each["players"] for each in summed["sums"]] == [["Aiko"], ["Ben"]]
    assert [each["file"] for each in summed["errors"]] == [str(bad)]
    assert summed["errors"][0]["errors"][0]["line"] == 3


def test_a_sum_speaks_the_language_of_the_terminal(tmp_path):
    good = written(tmp_path, "good.carom", WON.format("Aiko", "Ben"))
    assert "Punkte" in run("--sum", "--lang", "de", good).stdout.splitlines()[0]


def test_an_error_of_the_header_hides_none_of_the_strokes(tmp_path):
    text = (
        'rules = "hikone"\n[options]\njack_penalty = 77\n[names]\nS = 5\n---\n'
        "N striker striker\nS red banked\nN red area\n"
    )
    file = written(tmp_path, "wrong.carom", text)
    assert run(file).stderr.splitlines() == [
        f"{file}:3:16: expected 0 to 12, found 77",
        f"{file}:5:5: expected text in quotes, found 5",
        f"{file}:7:11: a stroke has one striker, this is one more",
        f"{file}:8:7: 'banked' goes with the handicap must_bank only",
        f"{file}:9:7: the area rule is for doubles: who plays alone may hit every piece",
    ]


@pytest.mark.parametrize("left_open", ["[handicap.N]\nmust_bank = 1", '[options]\nopening = "?"'])
def test_nothing_is_said_of_strokes_that_an_error_of_the_header_may_allow(tmp_path, left_open):
    stroke = "N red banked" if "bank" in left_open else "N striker striker"
    file = written(tmp_path, "wrong.carom", f'rules = "hikone"\n{left_open}\n---\n{stroke}\n')
    assert len(run(file).stderr.splitlines()) == 1
