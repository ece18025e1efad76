"""Forgotten names: nothing of them is left and nothing else is lost, crash or not."""

from __future__ import annotations

import codecs
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
import threading
from contextlib import closing
from pathlib import Path
from typing import Any, Literal, NoReturn
from unicodedata import normalize

import pytest
from click.testing import CliRunner, Result

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
from jackspot.ops.forgetting import places, retention
from jackspot.ops.forgetting.names import NotTold, Taking
from jackspot.ops.forgetting.places import (
    BoardFiles,
    list_of_exports,
    look,
    note_export,
)
from jackspot.ops.forgetting.retention import Daily, forget_old
from jackspot.ops.forgetting.rewriting import DRAFT, copies
from jackspot.storage.backups import Backups
from jackspot.storage.database import build
from jackspot.storage.entries import Head, Sealed, reseal
from jackspot.storage.journal import Journal, read_checked
from tests.conftest import PATIENCE_S
from tests.history.journals import DAY, Book, StillWall

NAME = "Aiko"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite3"


def make_folder(path: Path) -> Path:
    path.parent.mkdir(exist_ok=True)
    return path


def write_matches(path: Path, days: int = 0, *, known: bool = True) -> None:
    """Write two matches, the second one ``days`` later and still on the board."""
    with Book(make_folder(path), StillWall(known=known)) as book:
        book.match(names={"N": "Aiko", "S": "Benno"})
        book.line("N red@NE")
        book.write(EntryKind.MATCH_END, winner=None)
        assert book.keeper.back_up() is not None
        book.shelve()
        book.wall.wall_ns += days * DAY
        book.match(names={"N": "Chika", "S": " aiko"})
        book.line("N -")


def run(path: Path, *arguments: str) -> Result:
    board_file = path.parent / "board.toml"
    given = [f"--journal={path}", f"--config={path.parent / 'none.toml'}"]
    if not board_file.exists():
        board_file.write_text("")
    (path.parent / "none.toml").touch()
    return CliRunner().invoke(main, ["forget", *arguments, *given, f"--board-file={board_file}"])


def holding(folder: Path, name: str = NAME) -> list[str]:
    """Return the files in a folder that contain a name, in upper or lower case."""
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and name.encode().lower() in path.read_bytes().lower()
    ]


def said(entries: Sealed) -> list[tuple[object, ...]]:
    return [(e.seq, e.boot, e.at_ns, e.wall_ns, e.synchronised, e.kind) for e in entries]


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


KILLED = """
    import os, shutil, signal, sys
    from itertools import count
    from pathlib import Path
    from jackspot.ops.forgetting.names import Taking
    from jackspot.ops.forgetting.rewriting import held, rewrite_copy, rewrite_journal, copies

    taking = Taking.of("Aiko")
    whole, moments = Path(sys.argv[1]), 0
    change = lambda entry: taking.body(entry.body)

    def forget(journal, die_at):
        def look(event, arguments):
            # Every change of the file system is a moment at which the power can fail.
            global moments
            if event in ("os.rename", "os.remove", "sqlite3.connect", "open"):
                moments += 1
                if moments == die_at:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(look)
        with held(journal):
            rewrite_journal(journal, change)
            for path in copies(journal):
                rewrite_copy(path, change)

    for die_at in count(1):
        folder = whole.parent.with_name(str(die_at))
        shutil.copytree(whole.parent, folder)
        if not os.fork():
            forget(folder / whole.name, die_at)
            break
        status = os.wait()[1]
        if not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL):
            print(die_at - 1)
            sys.exit(status != 0)
"""
"""Forgets in one process for each moment, which is killed then, in a copy of the folder that is
named after the moment. Prints how many were killed before one came to its end."""


def test_a_crash_at_any_moment_loses_nothing_and_is_finished_the_next_time(
    tmp_path: Path,
) -> None:
    first = tmp_path / "whole" / "journal.sqlite3"
    write_matches(first)
    whole = said(read_checked(first, KINDS))
    program = [sys.executable, "-c", textwrap.dedent(KILLED), str(first)]
    ended = subprocess.run(
        program, capture_output=True, text=True, timeout=PATIENCE_S, check=False, env=os.environ
    )
    assert ended.returncode == 0, ended.stderr
    moments = int(ended.stdout)
    assert moments > 8
    for moment in range(1, moments + 1):
        path = tmp_path / str(moment) / "journal.sqlite3"
        journal = Journal.open(path, KINDS, StillWall())  # as the next start of the board does
        journal.close()
        assert said(read_checked(path, KINDS)) == whole
        assert Backups(path).newest_good(KINDS) is not None
        done = run(path, NAME, "--yes")
        assert done.exit_code == 0, done.output
        assert holding(path.parent) == [], moment
        assert not list(path.parent.glob(f"*{DRAFT}*"))
        assert said(read_checked(path, KINDS)) == whole


class PowerCut(BaseException):
    """The power is gone at this point."""


def cut_off(*_arguments: object) -> NoReturn:
    raise PowerCut


def test_an_index_is_gone_before_the_journal_is_rewritten_and_whenever_it_has_the_name(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_matches(path)
    Archive(path).matches()
    index = index_path(path)
    with_names = index.read_bytes()
    act = look(BoardFiles(path), Taking.of(NAME), lambda: None).steps[0].act
    assert act is not None
    with monkeypatch.context() as cut:
        cut.setattr(places, "rewrite_journal", cut_off)
        with pytest.raises(PowerCut):
            act()
    assert not index.exists()
    assert run(path, NAME, "--yes").exit_code == 0
    index.write_bytes(with_names)  # somebody read the matches before the power was cut
    assert "the list of matches" in run(path, NAME, "--yes").stdout
    assert holding(path.parent) == []


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


def test_old_names_are_gone_from_the_index_before_they_go_from_the_journal(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_matches(path, days=40)
    now = StillWall(read_checked(path, None)[-1].wall_ns)
    Archive(path).matches()
    assert forget_old(path, now, 60) == 0
    assert index_path(path).exists()
    monkeypatch.setattr(retention, "rewrite_journal", cut_off)
    with pytest.raises(PowerCut):
        forget_old(path, now, 30)
    assert not index_path(path).exists()


@pytest.mark.parametrize("end", [".new", DRAFT, ".tmp"])
def test_what_a_power_cut_left_beside_a_journal_without_the_name_goes_too(
    end: str, path: Path
) -> None:
    write_matches(path)
    old = path.read_bytes()
    assert run(path, NAME, "--yes").exit_code == 0
    left_over = path.with_name(path.name + end)
    left_over.write_bytes(old)
    done = run(path, NAME, "--yes")
    assert done.exit_code == 0, done.output
    assert "left over" in done.stdout
    assert not left_over.exists()


def test_what_a_power_cut_left_is_no_name_that_was_found(path: Path) -> None:
    write_matches(path)
    Archive(path).matches()
    path.with_name(path.name + DRAFT).touch()
    done = run(path, "Aik", "--yes")
    assert done.exit_code == 0, done.output
    assert "nothing on this board names 'Aik'\ndid you mean Aiko, Chika?" in done.stdout
    assert index_path(path).exists()


def test_what_a_running_board_is_writing_was_not_left_by_a_power_cut(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_matches(path)
    draft = path.with_name(path.name + ".backups") / "9.db.tmp"
    draft.touch()
    with Book(path):
        done = run(path, "Nobody", "--yes")
    assert done.exit_code == 0, done.output
    assert "nothing on this board names 'Nobody'" in done.stdout
    assert draft.exists()
    forget_all = forget._forget

    def started_again(*given: Any, **options: Any) -> None:
        forget_all(*given, **options)
        draft.touch()

    monkeypatch.setattr(forget, "_forget", started_again)
    done = run(path, NAME, "--yes")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("end", [".new", DRAFT, ".tmp"])
def test_what_is_of_another_journal_stays(end: str, path: Path) -> None:
    write_matches(path)
    other = path.with_name(f"{path.name}-club.sqlite3{end}")
    other.touch()
    assert run(path, NAME, "--yes").exit_code == 0
    assert other.exists()


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


def write_failure(path: Path) -> None:
    """Write a failure whose event and traceback quote names, one of them as a match's player."""
    with Book(make_folder(path)) as book:
        book.match(names={"N": NAME, "S": "Benno"})
        book.write(EntryKind.MATCH_END, winner=None)
        book.write(EntryKind.FAULT, part="oled", trouble="gone", detail=f"{NAME} is unknown")
        book.write(
            EntryKind.FAILED,
            event=f"OrderTold(names={{N: '{NAME}', S: 'Chika'}})", phase="setup",
            trace=f"KeyError: '{NAME}'",
        )  # fmt: skip
        book.shelve()


@pytest.mark.fails_inside
def test_a_failure_of_the_program_does_not_quote_a_forgotten_name(path: Path) -> None:
    write_failure(path)
    assert run(path, NAME, "--yes").exit_code == 0
    assert holding(path.parent) == []
    assert len(holding(path.parent, "Chika")) == 1
    [failed] = [each for each in read_checked(path, KINDS) if each.kind == EntryKind.FAILED]
    assert failed.body["trace"] == "KeyError: 'somebody'"


@pytest.mark.fails_inside
def test_an_old_failure_of_the_program_quotes_nobody(path: Path) -> None:
    write_failure(path)
    now = StillWall(read_checked(path, None)[-1].wall_ns + 40 * DAY)
    assert forget_old(path, now, 30) == 4
    assert [holding(path.parent, name) for name in (NAME, "Benno", "Chika")] == [[], [], []]
    assert forget_old(path, now, 30) == 0


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


def test_old_names_go_and_young_ones_stay(path: Path) -> None:
    write_matches(path, days=40)
    now = StillWall(read_checked(path, None)[-1].wall_ns)
    assert forget_old(path, now, 60) == 0
    assert forget_old(path, now, 30) == 2
    first, second = Archive(path).matches()
    assert [seat["name"] for seat in first["seats"]] == ["", ""]
    assert [seat["name"] for seat in second["seats"]] == ["Chika", " aiko"]
    [backup] = Backups(path).paths()
    assert b"Benno" not in backup.read_bytes()
    assert forget_old(path, now, 30) == 0


def test_old_names_take_no_words_from_other_matches(path: Path) -> None:
    event = "Group A, round 1"
    with Book(make_folder(path), StillWall(known=True)) as book:
        for names in ({"N": "A", "S": "Round"}, {"N": "1"}, {"N": "Chika"}):
            book.match(names=names, event=event if "Chika" in names.values() else "")
            book.write(EntryKind.MATCH_END, winner=None)
        book.write(EntryKind.DESK, phase="ready", used_ns=0, plan={"event": event})
        book.write(EntryKind.FAULT, part="oled", trouble="gone", detail="A: Chika is no 1")
        book.shelve()
    now = StillWall(book.wall.wall_ns + 40 * DAY)
    forget_old(path, now, 30)
    assert [match["event"] for match in Archive(path).matches()] == ["", "", event]
    by_kind = {entry.kind: entry.body for entry in read_checked(path, KINDS)}
    assert by_kind[EntryKind.DESK]["plan"] == {"event": event}
    assert by_kind[EntryKind.FAULT]["detail"] == "A: somebody is no 1"


def test_the_match_on_the_board_keeps_its_names(path: Path) -> None:
    write_matches(path)
    later = StillWall(read_checked(path, None)[-1].wall_ns + 90 * DAY)
    forget_old(path, later, 30)
    assert [seat["name"] for seat in Archive(path).matches()[1]["seats"]] == ["Chika", " aiko"]


@pytest.mark.parametrize("writer_knows", [True, False])
def test_nothing_goes_while_nobody_knows_what_time_it_is(path: Path, writer_knows: bool) -> None:
    write_matches(path, known=writer_knows)
    now = read_checked(path, None)[-1].wall_ns + 900 * DAY
    assert forget_old(path, StillWall(now, known=not writer_knows), 30) == 0
    assert forget_old(path, StillWall(now, known=False), 30) == 0


def test_what_a_board_without_a_clock_wrote_is_as_old_as_what_follows_it(path: Path) -> None:
    write_matches(path, known=False)
    with Book(path, StillWall()) as book:
        book.shelve()
        now = StillWall(book.wall.wall_ns + 40 * DAY)
    assert forget_old(path, now, 30) == 4


def test_nothing_is_asked_where_names_are_kept_for_ever(path: Path) -> None:
    write_matches(path)
    assert forget_old(path, StillWall(known=True), 0) == 0
    assert forget_old(path.with_name("none"), StillWall(), 30) == 0


def test_a_board_that_nobody_plays_at_rests_for_it_and_no_other(path: Path) -> None:
    write_matches(path, days=40)
    last = read_checked(path, None)[-1].wall_ns
    rested: list[bool] = []
    played = Daily(path, StillWall(last + 1), 30, lambda: rested.append(True))
    assert played.look() == (True, False)
    quiet = Daily(path, StillWall(last + DAY), 30, lambda: rested.append(True))
    assert quiet.look() == (True, True)
    assert Daily(path, StillWall(last + DAY), 60, lambda: None).look()[0] is False
    assert rested == []
    over = threading.Event()
    Daily(path, StillWall(last + DAY), 30, over.set, every_s=0.01).start()
    assert over.wait(PATIENCE_S)


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
