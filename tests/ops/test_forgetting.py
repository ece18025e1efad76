"""Forgotten names: nothing of them is left and nothing else is lost."""

from __future__ import annotations

import codecs
import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Literal
from unicodedata import normalize

import pytest
from click.testing import CliRunner

from jackspot.assembly import KINDS
from jackspot.capture.vcd_file import CaptureWriter, Opening, read_capture
from jackspot.commands import forget, main
from jackspot.core.pieces import Pocket
from jackspot.dialogue.state.entries import EntryKind
from jackspot.festival.results import lives_of
from jackspot.history.archive import Archive
from jackspot.history.export import CsvTable
from jackspot.history.index import History, index_path
from jackspot.history.summary import summarise
from jackspot.ops.forgetting.names import NotTold, Taking
from jackspot.ops.forgetting.places import (
    list_of_exports,
    note_export,
)
from jackspot.ops.forgetting.rewriting import copies
from jackspot.ops.install.steps import InstallStep, StepFailed
from jackspot.ops.install.system import System
from jackspot.storage.backups import Backups
from jackspot.storage.database import build
from jackspot.storage.entries import Head, reseal
from jackspot.storage.journal import Journal, read_checked
from tests.history.journals import DAY, Book, StillWall
from tests.ops.forgetting_bench import (
    NAME,
    holding,
    make_folder,
    run,
    said,
    write_failure,
    write_matches,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite3"


def test_a_name_is_gone_from_every_file_and_all_else_is_as_it_was(path: Path) -> None:
    write_matches(path)
    Archive(path).matches()
    before = read_checked(path, KINDS)
    assert len(holding(path.parent)) == 3  # journal, backup, index
    done = run(path, "AIKO", "--yes")
    assert done.exit_code == 0, done.output
    assert holding(path.parent) == []
    after = read_checked(path, KINDS)
    assert said(after) == said(before)
    lines = [entry for entry in before if entry.kind == EntryKind.LINE]
    assert [entry.text for entry in after if entry.kind == EntryKind.LINE] == [
        entry.text for entry in lines
    ]
    first, second = Archive(path).matches()
    assert [seat["name"] for seat in first["seats"]] == ["", "Benno"]
    assert [seat["name"] for seat in second["seats"]] == ["Chika", ""]
    assert len(holding(path.parent, "Benno")) >= 2


def test_a_journal_that_was_restored_keeps_all_its_names(path: Path) -> None:
    write_matches(path)
    with Book(path, StillWall(), at_ns=DAY) as book:
        book.write(EntryKind.RESTORED)
        book.match(names={"N": "Aiko"})
        book.write(EntryKind.RESTORED)
    before = lives_of(History(path, summarise).beginnings())
    assert run(path, NAME, "--yes").exit_code == 0
    assert holding(path.parent) == []
    assert lives_of(History(path, summarise).beginnings()) == before
    assert len({life.name for life in before}) == 3


def test_the_journal_and_its_backups_still_belong_together(path: Path) -> None:
    write_matches(path)
    run(path, NAME, "--yes")
    [backup] = Backups(path).paths()
    found = Backups(path).newest_good(KINDS)
    assert found is not None
    assert found[0].path == backup
    journal = Journal.open(path, KINDS, StillWall())
    assert journal.holds(found[1][-1])
    journal.close()


def test_a_dry_run_says_what_it_would_do_and_does_nothing(path: Path) -> None:
    write_matches(path)
    run(path, "nobody at all", "--dry-run")
    before = {each: each.read_bytes() for each in path.parent.rglob("*") if each.is_file()}
    done = run(path, NAME, "--dry-run")
    assert done.exit_code == 0, done.output
    assert "4 entries" in done.stdout
    assert "Nothing was done" in done.stdout
    assert {each: each.read_bytes() for each in before} == before


def test_nothing_is_done_where_nobody_agreed(path: Path) -> None:
    write_matches(path)
    refused = run(path, NAME)
    assert refused.exit_code == 1
    assert "--yes" in refused.stderr
    assert holding(path.parent)


def test_a_name_that_is_nowhere_is_said_to_be_and_the_nearest_are_named(path: Path) -> None:
    write_matches(path)
    done = run(path, "Aik", "--yes")
    assert done.exit_code == 0
    assert "nothing on this board names 'Aik'" in done.stdout
    assert "Aiko" in done.stdout
    assert holding(path.parent)


def test_forgetting_twice_is_forgetting_once(path: Path) -> None:
    write_matches(path)
    run(path, NAME, "--yes")
    before = path.read_bytes()
    assert "nothing on this board names" in run(path, NAME, "--yes").stdout
    assert path.read_bytes() == before


@pytest.mark.parametrize("what", ["nothing", "a step", "the list of exports"])
def test_a_board_that_does_not_start_again_is_said_to_be_stopped_at_last(
    path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    def run_program(_system: System, *words: str) -> None:
        raise StepFailed(f"{' '.join(words)}: ended with status 1")

    def fails() -> None:
        if what == "a step":
            raise StepFailed("is not stopped")

    write_matches(path)
    if what == "the list of exports":
        note_export(path, path.with_name("gone.csv"))
    runs = [True]
    monkeypatch.setattr(forget, "is_in_use", lambda _journal: bool(runs and runs.pop()))
    monkeypatch.setattr(forget, "stop_step", lambda *_, **__: InstallStep("stop", "it", fails))
    monkeypatch.setattr(System, "run", run_program)
    done = run(path, NAME, "--yes", "--restart")
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code == 1
    last = done.stderr.splitlines()[-1]
    assert last == "the board is stopped: systemctl start jackspot.service: ended with status 1"
    assert ("not reached: " in done.stdout) is (what != "a step")
    assert bool(holding(path.parent)) is (what == "a step")


def test_a_board_that_runs_is_not_written_behind(path: Path) -> None:
    write_matches(path)
    with Book(path):
        refused = run(path, NAME, "--yes")
    assert refused.exit_code == 1
    assert "a board is running" in refused.stderr
    assert holding(path.parent)


def test_settings_captures_and_exports_are_reached(path: Path, tmp_path: Path) -> None:
    write_matches(path)
    settings = path.parent / "board.toml"
    settings.write_text(
        '# Aikonen is another\n[people]\nnames = ["Benno", "Aiko"]  # the club\n'
        '[match]\nrules = "hikone"\n[match.names]\nN = "Aiko"\nS = "Benno"\n'
    )
    export = tmp_path / "taken"
    for option in ("--csv", "--json"):
        target = f"{export}.{option[2:]}"
        done = CliRunner().invoke(main, ["history", f"--journal={path}", "export", option, target])
        assert done.exit_code == 0, done.output
    done = CliRunner().invoke(
        main, ["history", f"--journal={path}", "export", "--carom", str(export)]
    )
    assert done.exit_code == 0, done.output
    capture = path.parent / "seen.vcd"
    with capture.open("w") as stream:
        entries = tuple(entry.canonical() for entry in read_checked(path, None))
        writer = CaptureWriter(
            stream, Opening('[people]\nnames = ["Aiko", "Benno"]\n', entries), (Pocket.NE,), ()
        )
        writer.close(5)
    assert len(holding(tmp_path)) == 9
    done = run(path, NAME, "--yes")
    assert done.exit_code == 0, done.output
    assert holding(tmp_path) == ["state/board.toml"]
    assert settings.read_text() == (
        '# Aikonen is another\n[people]\nnames = ["Benno"]  # the club\n'
        '[match]\nrules = "hikone"\n[match.names]\nS = "Benno"\n'
    )
    with capture.open("rb") as stream:
        seen = read_capture(stream)
    opening = seen.opening
    assert opening is not None
    assert seen.wires == (Pocket.NE,)
    assert len(opening.journal) == len(entries)
    assert "Chika" in Path(f"{export}.csv").read_text()
    assert json.loads(Path(f"{export}.json").read_text())["matches"][0]["strokes"] == 1


def test_a_capture_elsewhere_is_reached_once_it_was_noted(path: Path, tmp_path: Path) -> None:
    write_matches(path)
    captures = [path.parent / "here.vcd", tmp_path / "there.vcd"]
    for each in captures:
        with each.open("w") as stream:
            entries = tuple(entry.canonical() for entry in read_checked(path, None))
            CaptureWriter(stream, Opening("", entries), (Pocket.NE,), ()).close(5)
        note_export(path, each)
    planned = "".join(run(path, NAME, "--dry-run").stdout.split())  # long lines are wrapped
    assert planned.count(".vcd") == 2
    assert run(path, NAME, "--yes").exit_code == 0
    assert holding(tmp_path) == []
    captures[1].unlink()
    assert f"{captures[1]}: written by an export, not there now" in run(path, NAME, "--yes").stdout


def test_what_is_written_where_it_cannot_be_noted_is_told(path: Path, tmp_path: Path) -> None:
    write_matches(path)
    list_of_exports(path).mkdir()
    csv, backup = tmp_path / "all.csv", tmp_path / "board.zip"
    for words in (["history", "export", "--csv", csv], ["backup", backup]):
        done = CliRunner().invoke(main, [*map(str, words), f"--journal={path}"])
        assert done.exit_code == 0, done.output
        assert f"{words[-1]}: names are in it, and `forget` will not find it" in done.stderr


def test_an_export_is_reached_in_a_folder_whose_name_is_no_text(path: Path, tmp_path: Path) -> None:
    write_matches(path)
    folder = tmp_path / os.fsdecode(b"st\xffick")
    folder.mkdir()
    done = CliRunner().invoke(main, ["stick", str(folder), f"--journal={path}"])
    assert done.exit_code == 0, done.output
    assert holding(folder)
    done = run(path, NAME, "--yes")
    assert done.exit_code == 0, done.output
    assert holding(folder) == []
    shutil.rmtree(folder)
    assert "not there now" in run(path, NAME, "--yes").stdout


def test_a_stick_of_many_files_is_told_of_in_one_line(path: Path, tmp_path: Path) -> None:
    write_matches(path)
    stick = tmp_path / "stick"
    list_of_exports(path).mkdir()
    done = CliRunner().invoke(main, ["stick", str(stick), f"--journal={path}"])
    assert done.stderr.count("`forget` will not find it") == 1
    assert f"{stick}: names are in it" in done.stderr
    list_of_exports(path).rmdir()
    shutil.rmtree(stick)
    CliRunner().invoke(main, ["stick", str(stick), f"--journal={path}"])
    [folder] = stick.iterdir()
    files = len(list(folder.iterdir()))
    shutil.rmtree(stick)
    said = run(path, NAME, "--yes").stdout
    assert said.count("not there now") == 1
    assert f"{folder}: {files} files written by exports, not there now" in said


def test_what_cannot_be_reached_is_named(path: Path, tmp_path: Path) -> None:
    write_matches(path)
    archive = tmp_path / "board.zip"
    done = CliRunner().invoke(main, ["backup", str(archive), f"--journal={path}"])
    assert done.exit_code == 0, done.output
    damaged = path.with_name(f"{path.name}.aside-0001")
    damaged.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    good = path.with_name(f"{path.name}.aside-0002")
    build(good, reseal(Head(), read_checked(path, None)))
    done = run(path, NAME, "--yes")
    assert done.exit_code == 0, done.output
    told = [line for line in done.stdout.splitlines() if line.startswith("not reached")]
    assert any(str(archive) in line for line in told)
    assert any(str(damaged) in line and "--delete-damaged" in line for line in told)
    assert any("memory card" in line for line in told)
    assert not any(str(good) in line for line in told)
    assert NAME.encode() not in good.read_bytes()
    run(path, "Benno", "--yes", "--delete-damaged")
    assert not damaged.exists()


def test_a_damaged_journal_is_not_touched(path: Path) -> None:
    write_matches(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER no_update")
        connection.execute("UPDATE entries SET at_ns = 1 WHERE seq = 3")
        connection.commit()
    before = path.read_bytes()
    refused = run(path, NAME, "--yes")
    assert refused.exit_code == 1
    assert "nothing was changed" in refused.stderr
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["Jack", "Red", "Winner", "Integer"])
def test_words_of_the_program_in_the_list_of_matches_are_no_names(name: str, path: Path) -> None:
    with Book(make_folder(path)) as book:
        book.match(names={"N": name, "S": "Benno"})
        book.line("N red@NE")
        book.write(EntryKind.MATCH_END, winner=None)
    assert run(path, name, "--yes").exit_code == 0
    Archive(path).matches()  # the board was started again
    assert f"nothing on this board names '{name}'" in run(path, name, "--dry-run").stdout


def test_a_list_of_matches_that_cannot_be_read_is_made_again(path: Path) -> None:
    write_matches(path)
    index_path(path).write_bytes(b"no database")
    assert "the list of matches" in run(path, "Nobody", "--dry-run").stdout


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('[people]\nnames = ["Aiko"]\n', "[people]\nnames = []\n"),
        ('[people]\nnames = ["Aiko", "Benno"]\n', '[people]\nnames = ["Benno"]\n'),
        (
            "[people]\nnames = [\n  'Benno',\n  \"Aiko\",\n]\n",
            "[people]\nnames = [\n  'Benno',\n  \n]\n",
        ),
        ('[match]\nnames = { N = "Aiko", S = "Benno" }\n', None),
        ('[board]\nname = "Aiko"\n', '[board]\nname = "Aiko"\n'),
    ],
)
def test_names_go_from_settings_to_the_letter_or_not_at_all(text: str, left: str | None) -> None:
    if left is None:
        with pytest.raises(NotTold, match="by hand"):
            Taking.of("aiko").config(text)
    else:
        assert Taking.of("aiko").config(text) == left


def test_a_name_in_text_that_people_wrote_goes_as_a_whole_word() -> None:
    header = 'rules = "hikone"\nevent = "Aiko and Aikonen"\n[names]\nN = "Aiko"\n---\nN red\n'
    left = Taking.of("AIKO").record(header)
    assert 'event = "somebody and Aikonen"' in left
    assert "[names]" not in left
    assert left.endswith("---\nN red\n")


@pytest.mark.parametrize(
    ("name", "event", "left"),
    [
        ("愛子", "第3回愛子杯", "第3回somebody杯"),
        ("山田 花子", "山田花子記念", "somebody記念"),
        ("愛", "愛知杯", "愛知杯"),
        ("Strauß", "Strauß-Pokal, STRAUSS-Pokal", "somebody-Pokal, somebody-Pokal"),
        ("Aiko Sato", "Cup of Aiko Sato", "Cup of somebody"),
        ("İlker", "İlker Cup, i̇lker", "somebody Cup, somebody"),
        ("Sofi", "Soﬁ-Pokal, SOFI-Pokal", "somebody-Pokal, somebody-Pokal"),
        ("Τᾳ", "Τᾳ, ΤΑΙ, τᾼ", "somebody, somebody, somebody"),
        ("ส้มโอ", "ถ้วยส้มโอ2569", "ถ้วยsomebody2569"),
        ("رام", "مرامي رام", "مرامي somebody"),
        ("राम", "आराम राम", "आराम somebody"),
        pytest.param("Ai" * 40, f"Cup of {'Ai' * 40}", "Cup of somebody", id="longer than allowed"),
    ],
)
def test_a_name_is_found_in_an_event_as_its_language_writes_it(
    name: str, event: str, left: str
) -> None:
    header = f'rules = "hikone"\nevent = "{event}"\n[names]\nN = "{name}"\n---\n'
    for taking in (Taking.of(name, "Aiko"), Taking(every=True)):
        assert f'event = "{left}"' in taking.record(header)
        assert taking.body({"plan": {"event": event, "names": {"N": name}}}) == {
            "plan": {"event": left, "names": {}}
        }


def test_exports_and_what_set_up_shows_lose_a_name_in_the_events_name_too(
    path: Path, tmp_path: Path
) -> None:
    with Book(make_folder(path)) as book:
        book.match(names={"N": NAME, "S": "Benno"}, event=f"{NAME}'s cup")
        book.line("N red@NE")
        book.write(EntryKind.DESK, phase="ready", used_ns=0, plan={"event": f"{NAME}'s cup"})
    options = [["--csv", f"{tmp_path}/{table}.csv", f"--table={table}"] for table in CsvTable]
    for each in (*options, ["--json", f"{tmp_path}/all.json"]):
        done = CliRunner().invoke(main, ["history", f"--journal={path}", "export", *each])
        assert done.exit_code == 0, done.output
    assert run(path, NAME, "--yes").exit_code == 0
    assert holding(tmp_path) == []
    assert "somebody's cup" in (tmp_path / "matches.csv").read_text()
    assert "N red@NE" in (tmp_path / "strokes.csv").read_text()


@pytest.mark.fails_inside
def test_a_failure_of_the_program_does_not_quote_a_forgotten_name(path: Path) -> None:
    write_failure(path)
    assert run(path, NAME, "--yes").exit_code == 0
    assert holding(path.parent) == []
    assert len(holding(path.parent, "Chika")) == 1
    [failed] = [each for each in read_checked(path, KINDS) if each.kind == EntryKind.FAILED]
    assert failed.body["trace"] == "KeyError: 'somebody'"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("odd.csv", f"a,{'b' * 200_000}\n"),
        ("odd.json", '{"players": ["Aiko"]}'),
        ("odd.json", '{"players": [{}]}'),
        ("odd.json", '{"players": [{"name": 1}]}'),
        ("odd.json", "[" * 100_000),
    ],
    ids=["long field", "no people", "no name", "number as name", "deep"],
)
def test_an_odd_file_among_the_exports_is_named_and_stops_nothing(
    name: str, text: str, path: Path, tmp_path: Path
) -> None:
    write_matches(path)
    odd = tmp_path / name
    odd.write_text(text)
    note_export(path, odd)
    done = run(path, NAME, "--yes")
    assert done.exit_code == 1
    assert f"not reached: {odd}: it is no " in done.stdout
    assert holding(path.parent) == []


def test_copies_are_backups_and_journals_set_aside_and_nothing_beside_them(path: Path) -> None:
    write_matches(path)
    for name in ("aside-0001", "aside-0001-wal", "aside-0001-shm", "aside-0001.mark", "lock"):
        path.with_name(f"{path.name}.{name}").touch()
    names = [each.name for each in copies(path)]
    assert names == [f"{path.name}.aside-0001", "000001.db"]


MARKED = codecs.BOM_UTF8 + f'[match.names]\nN = "{NAME}"\n'.encode()


def test_a_config_with_a_byte_order_mark_is_read_as_the_board_reads_it(path: Path) -> None:
    write_matches(path)
    config = path.parent / "none.toml"
    config.write_bytes(MARKED)
    done = run(path, NAME, "--yes")
    assert done.exit_code == 0, done.output
    assert config.read_bytes().startswith(codecs.BOM_UTF8)
    assert holding(path.parent) == []


def test_a_config_that_cannot_be_read_is_not_passed_over(path: Path) -> None:
    write_matches(path)
    config = path.parent / "none.toml"
    config.write_bytes(b"\xff" + MARKED)
    done = run(path, "Somebody else", "--yes")
    assert done.exit_code == 1
    assert "nothing on this board names" not in done.stdout


Form = Literal["NFC", "NFD"]


@pytest.mark.parametrize("kept", ["NFC", "NFD"])
@pytest.mark.parametrize("typed", ["NFC", "NFD"])
def test_a_name_is_the_same_with_an_umlaut_of_one_letter_or_two(
    kept: Form, typed: Form, path: Path
) -> None:
    name = normalize(kept, "Jörg Müller")
    with Book(make_folder(path)) as book:
        book.match(names={"N": name, "S": "Benno"}, event=f"{name} Cup")
        book.line("N -")
    done = run(path, normalize(typed, "jörg müller"), "--yes")
    assert done.exit_code == 0, done.output
    assert holding(path.parent, name) == []


@pytest.mark.parametrize("where", ["seen.vcd", "journal.sqlite3.exports"])
def test_a_pipe_where_a_file_should_be_holds_nobody(where: str, path: Path) -> None:
    write_matches(path)
    os.mkfifo(path.with_name(where))
    done = run(path, NAME, "--yes")
    assert holding(path.parent) == []
    assert done.exit_code == 1
    assert f"{path.with_name(where)}: [Errno 22] expected a file, found a pipe" in done.stdout
