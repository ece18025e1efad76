"""``jackspot sim``: records played at full speed, and calls that are wrong."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from jackspot.commands import main
from jackspot.config.load import Sources, load
from jackspot.config.model import Origin, check
from jackspot.core.agreement import agree
from jackspot.core.pieces import Seat
from jackspot.core.record import read_record
from jackspot.core.rules import RULES
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.show.showing import show
from jackspot.dialogue.state.view import Phase
from jackspot_sim.boards.rig import Rig
from jackspot_sim.browser.orders import with_rules, with_seats
from jackspot_sim.clock import SimClock
from jackspot_sim.table.table import PIECES
from tests.conftest import PATIENCE_S, thinned

RECORDS = Path(__file__).parents[1] / "records"


PLAYED = sorted(path.stem for path in RECORDS.glob("*.carom"))


@pytest.mark.parametrize(
    "name",
    thinned(PLAYED, {"four_seats", "icf_told"}),  # test_every_system.py plays the short ones
)
def test_a_record_played_at_full_speed_ends_with_the_record_that_the_board_exports(
    name: str,
) -> None:
    record = RECORDS / f"{name}.carom"
    result = CliRunner().invoke(main, ["sim", "--fast", "--play", str(record)])
    assert result.exit_code == 0, result.output
    played = read_record(result.output).match.state
    meant = read_record(record.read_text(encoding="utf-8")).match.state
    assert (played.points, played.winner) == (meant.points, meant.winner)


@pytest.mark.parametrize("rules", RULES)
def test_the_board_of_any_rules_can_be_started_and_shows_them(rules: str) -> None:
    config = with_rules(load(Sources(())), RuleSystem(rules))
    with tempfile.TemporaryDirectory() as folder:
        rig = Rig(config, Path(folder) / "journal.sqlite3", SimClock(None))
        view = show(rig.board.dialogue, 0)
        rig.lay_out()
        rig.keeper.close()
    assert (view.rules, view.phase) == (rules, Phase.SETUP)
    assert rig.table.truth().on_board == PIECES[RuleSystem(rules)]


def test_other_rules_keep_the_players_and_drop_the_options_of_the_rules_before() -> None:
    match = {
        "rules": "hikone", "seats": ["E", "W"], "names": {"E": "Aiko"},
        "options": {"jack_penalty": 3}, "handicap": {"W": {"head_start": 2}},
    }  # fmt: skip
    config = check({"match": match}, Origin("test", {}))
    assert with_rules(config, RuleSystem.HIKONE).match == config.match
    assert with_rules(config, RuleSystem.ICF).match == {
        "rules": "icf", "seats": ["E", "W"], "names": {"E": "Aiko"},
    }  # fmt: skip


def test_other_seats_keep_the_rules_and_the_names_and_of_three_the_one_alone_begins() -> None:
    match = {
        "rules": "hikone", "seats": ["E", "W"], "names": {"E": "Aiko", "W": "Ken"},
        "colours": {"E": "green", "W": "red"}, "options": {"jack_penalty": 3},
    }  # fmt: skip
    config = check({"match": match}, Origin("test", {}))
    assert with_seats(config, (Seat.N, Seat.E, Seat.S)).match == {
        "rules": "hikone", "seats": ["E", "S", "N"], "names": {"E": "Aiko"},
        "options": {"jack_penalty": 3},
    }  # fmt: skip


def test_rules_that_three_cannot_play_seat_two_of_them() -> None:
    match = {
        "rules": "hikone", "seats": ["E", "S", "N"], "names": {"E": "Aiko", "S": "Ken"},
    }  # fmt: skip
    config = check({"match": match}, Origin("test", {}))
    assert with_rules(config, RuleSystem.KAGW).match == {
        "rules": "kagw", "seats": ["N", "S"], "names": {"S": "Ken"},
    }  # fmt: skip
    japan = {**match, "rules": "japan"}
    assert with_rules(config, RuleSystem.JAPAN).match == japan


def test_pairs_play_round_the_table_in_the_direction_that_was_agreed() -> None:
    match = {"rules": "hikone", "options": {"direction": "ccw"}}
    config = check({"match": match}, Origin("test", {}))
    pairs = with_seats(config, (Seat.N, Seat.E, Seat.S, Seat.W)).match
    assert agree(pairs).seats == (Seat.N, Seat.W, Seat.S, Seat.E)


def test_rules_are_the_records_own_where_one_is_played() -> None:
    call = ["sim", "--rules", "kagw", "--play", str(RECORDS / "whole_match.carom")]
    result = CliRunner().invoke(main, call)
    assert result.exit_code == 2
    assert "leave --rules out" in result.output


def test_unknown_rules_are_refused_with_those_there_are() -> None:
    result = CliRunner().invoke(main, ["sim", "--rules", "chess"])
    assert result.exit_code == 2
    assert "grundregeln" in result.output


def test_what_the_players_agreed_is_on_the_board_that_plays_their_record(tmp_path: Path) -> None:
    record = tmp_path / "agreed.carom"
    record.write_text(
        'rules = "hikone"\nseats = ["E", "W"]\n[names]\nE = "Aiko"\n'
        "[handicap.W]\nhead_start = 2\n---\nE red@NE\nE -\n",
        encoding="utf-8",
    )
    result = CliRunner().invoke(main, ["sim", "--fast", "--play", str(record)])
    assert result.exit_code == 0, result.output
    settings = read_record(result.output).settings
    assert settings == read_record(record.read_text(encoding="utf-8")).settings


def test_a_journal_that_is_kept_is_gone_on_with(tmp_path: Path) -> None:
    record = str(RECORDS / "debts_and_jack.carom")
    journal = str(tmp_path / "journal.sqlite3")
    calls = [["sim", "--fast", "--play", record, "--journal", journal]] * 2
    first, second = (CliRunner().invoke(main, call) for call in calls)
    assert first.exit_code == second.exit_code == 0, first.output + second.output
    assert first.output == second.output, "the second finds the match over and plays nothing"


def test_a_bad_record_is_told_by_file_line_and_column(tmp_path: Path) -> None:
    record = tmp_path / "bad.carom"
    record.write_text('rules = "hikone"\n---\nN rad\n', encoding="utf-8")
    result = CliRunner().invoke(main, ["sim", "--fast", "--play", str(record)])
    assert result.exit_code == 1
    assert f"{record}:3:3:" in result.output


@pytest.mark.parametrize(
    "call", [["--fast"], ["--speed", "0"], ["--speed", "nan"], ["--port", "70000"], ["--wat"]]
)
def test_a_call_that_is_wrong_ends_with_two(call: list[str]) -> None:
    assert CliRunner().invoke(main, ["sim", *call]).exit_code == 2


@pytest.mark.parametrize(
    "call", [["--seed", "3"], ["--size", "small"], ["--seconds", "9", "--sensors", "dead"]]
)
def test_what_would_count_for_nothing_is_refused(call: list[str]) -> None:
    result = CliRunner().invoke(main, ["sim", *call])
    assert result.exit_code == 2
    assert f"{call[0]} counts only with --record: add --record, or leave" in result.output


def test_a_record_that_is_played_says_itself_how_its_pieces_fall() -> None:
    call = ["sim", "--sensors", "dead", "--play", str(RECORDS / "whole_match.carom")]
    result = CliRunner().invoke(main, call)
    assert result.exit_code == 2
    assert "leave --sensors out" in result.output


def test_a_record_that_is_not_there_is_told(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["sim", "--fast", "--play", str(tmp_path / "none.carom")])
    assert result.exit_code == 1
    assert "none.carom" in result.output


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGHUP])
def test_the_command_prints_addresses_of_pages_that_answer_and_ends_when_told(
    tmp_path: Path, by: signal.Signals
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", "from jackspot.commands import main; main()", "sim", "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        url = next(word for word in line.split() if word.startswith("http"))
        with urllib.request.urlopen(url, timeout=PATIENCE_S) as page:
            assert b"Jackspot" in page.read()
        for name in ("score", "kiosk", "overlay", "referee", "matches"):
            said, address = process.stdout.readline().split()
            assert said == name
            with urllib.request.urlopen(address, timeout=PATIENCE_S) as page:
                assert page.status == 200
        process.send_signal(by)
        assert process.wait(PATIENCE_S) == 0
        assert not [*tmp_path.iterdir()], "the journal of this run is gone"
    finally:
        process.kill()
        process.communicate()


def test_a_machine_without_pseudo_terminals_plays_without_the_sign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def none() -> tuple[int, int]:
        raise OSError(19, "No such device")

    monkeypatch.setattr(os, "openpty", none)
    config = check({"sign": {"kind": "alpha", "port": "/dev/ttyS9"}}, Origin("test", {}))
    rig = Rig(config, tmp_path / "journal.sqlite3", SimClock(None))
    rig.keeper.close()
    assert rig.sign is None
    assert "/dev/pts" in caplog.text


def no_folder(path: Path) -> Path:
    return path.parent / "none" / "k.db"


def a_text(path: Path) -> Path:
    path.write_text("to do: buy wax\n", encoding="utf-8")
    return path


def a_long_text(path: Path) -> Path:
    path.write_text("to do: buy wax\n" * 1_000, encoding="utf-8")
    return path


def not_in_utf8(path: Path) -> Path:
    return path.with_name(os.fsdecode(b"m\xf6.db"))


def another_programs(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE songs (name TEXT)")
    return path


def below_a_file(path: Path) -> Path:
    path.write_text("", encoding="utf-8")
    return path / "k.db"


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize(
    ("make", "why"),
    [
        (no_folder, "folder missing; name a journal in a folder that is there"),
        (below_a_file, "folder missing; name a journal in a folder that is there"),
        (a_text, "is no journal; name another file"),
        (a_long_text, "is no journal; name another file"),
        (not_in_utf8, "its path is not UTF-8; name another"),
        (another_programs, "belongs to another program"),
    ],
)
def test_a_journal_that_cannot_be_kept_is_refused_at_once_and_left_alone(
    tmp_path: Path, make: Callable[[Path], Path], why: str, *, fast: bool
) -> None:
    named = make(tmp_path / "k.db")
    before = named.read_bytes() if named.is_file() else None
    there = sorted(tmp_path.iterdir())
    play = ["--fast", "--play", str(RECORDS / "whole_match.carom")] if fast else ["--port", "0"]
    result = CliRunner().invoke(main, ["sim", *play, "--journal", str(named)])
    assert result.exit_code == 1, result.output
    shown = str(named).encode("utf-8", "backslashreplace").decode()
    assert f"{shown}: {why}" in result.output
    assert sorted(tmp_path.iterdir()) == there
    assert before is None or named.read_bytes() == before


@pytest.mark.parametrize("spoilt", [b"", b"\0" * 512])
def test_a_damaged_journal_is_set_aside_and_played_on(tmp_path: Path, spoilt: bytes) -> None:
    record, journal = str(RECORDS / "short_points.carom"), tmp_path / "k.db"
    call = ["sim", "--fast", "--play", record, "--journal", str(journal)]
    first = CliRunner().invoke(main, call)
    journal.write_bytes(spoilt + journal.read_bytes()[len(spoilt) :])
    second = CliRunner().invoke(main, call)
    assert second.exit_code == 0, second.output
    assert second.stdout == first.stdout
    assert bool(list(tmp_path.glob("k.db.aside-*"))) is bool(spoilt)
