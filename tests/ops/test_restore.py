"""Restoring a whole board: from a backup, from a copy of its journal, from a dead board's card."""

from __future__ import annotations

import errno
import json
import os
import shutil
import stat
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner, Result

from jackspot.assembly import KINDS, dialogue_settings, plan
from jackspot.commands import import_match, main, restore as restore_command
from jackspot.config import Sources, find, load
from jackspot.dialogue.restart.restoring import restore
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.festival.results import lives_of
from jackspot.history.index import History
from jackspot.history.summary import summarise
from jackspot.ops.backup import restoring
from jackspot.ops.backup.archive import LIST
from jackspot.ops.install.steps import InstallStep, StepFailed
from jackspot.ops.install.system import System
from jackspot.ops.ownership import as_owner_of
from jackspot.storage.entries import understood
from jackspot.storage.errors import JournalUnwritable
from jackspot.storage.journal import Journal, read_checked
from jackspot.storage.keeper import Keeper
from jackspot.storage.recovery import restore as restore_journal
from jackspot.storage.wall_clock import SystemWall
from tests.ops.whole_board import NOBODY, Here, backed_up


def test_a_board_comes_back_whole_on_another_machine(board: Here, other: Here) -> None:
    file = backed_up(board)
    result = other.run("restore", file, "--yes")
    assert result.exit_code == 0, result.output
    assert other.put_back() == board.dump()
    assert len(other.dump()) > 50
    assert other.own.read_text(encoding="utf-8") == board.own.read_text(encoding="utf-8")
    kept = other.own.with_name("board.toml.before-restore-1")
    assert kept.read_text(encoding="utf-8") == '[board]\nname = "Board 2"\n'


def test_a_journal_that_was_there_is_kept_beside_the_restored_one(board: Here, other: Here) -> None:
    keeper = Keeper(other.journal, KINDS, SystemWall())
    keeper.append([JournalEntry(EntryKind.GONG, 5, {})])
    keeper.close()
    assert other.run("restore", backed_up(board), "--yes").exit_code == 0
    aside = other.journal.with_name("journal.sqlite3.aside-0001")
    assert [entry.kind for entry in read_checked(aside, KINDS)] == [EntryKind.GONG]
    assert other.put_back() == board.dump()


def written_to(board: Here) -> None:
    keeper = Keeper(board.journal, KINDS, SystemWall())
    keeper.append([JournalEntry(EntryKind.GONG, 5, {})])
    keeper.close()


# --- settings that name another place ----------------------------------------------------

OURS, THEIRS = "journal.sqlite3", "matches.sqlite3"


def naming(path: Path, folder: Path, name: str) -> None:
    """Have settings say that the journal is of this name, and the calibration beside it."""
    path.write_text(
        f'[journal]\npath = "{folder / name}"\n[calibration]\npath = "{folder / name}.toml"\n',
        encoding="utf-8",
    )


def run_as_set(board: Here, command: str, *arguments: str | Path) -> Result:
    """Run a command on this board with the journal that its settings name."""
    places = (f"--config={board.shared}", f"--board-file={board.own}")
    return CliRunner().invoke(main, [command, *map(str, arguments), *places])


def backed_up_elsewhere(board: Here, other: Here, which: str) -> Path:
    """Back up a board whose settings (``shared`` or ``own``) name another place.

    The one that it comes back to has settings of both files, and only the backup's may differ.
    """
    folder = other.journal.parent
    for here, name in ((board, THEIRS), (other, OURS)):
        for path in (here.shared, here.own):
            path.write_text("", encoding="utf-8")
        naming(getattr(here, which), folder, name)
    file, journal = board.folder / "board.zip", board.journal
    result = run_as_set(board, "backup", file, f"--journal={journal}")
    assert result.exit_code == 0, result.output
    return file


@pytest.mark.parametrize("which", ["shared", "own"])
@pytest.mark.parametrize("here", [True, False])
def test_the_journal_comes_to_where_the_restored_settings_have_it(
    board: Here, other: Here, which: str, here: bool
) -> None:
    file = backed_up_elsewhere(board, other, which)
    if here:
        written_to(other)
    before = other.dump() if here else None
    result = run_as_set(other, "restore", file, "--yes")
    assert result.exit_code == 0, result.output
    config = load(find(other.shared, other.own))
    assert config.journal.path == other.journal.with_name(THEIRS)
    *entries, last = read_checked(config.journal.path, KINDS)
    assert ([each.canonical() for each in entries], last.kind) == (board.dump(), "restored")
    assert (other.dump() if here else None) == before, "what is elsewhere stays"


def test_a_calibration_comes_to_where_the_restored_settings_have_it(
    board: Here, other: Here
) -> None:
    naming(board.own, other.journal.parent, THEIRS)
    calibration = other.journal.with_name(f"{THEIRS}.toml")
    board.calibration.rename(calibration)
    file = backed_up(board)
    calibration.unlink()
    result = run_as_set(other, "restore", file, "--yes")
    assert result.exit_code == 0, result.output
    assert calibration.exists()
    assert not other.calibration.exists()


@pytest.mark.parametrize("named", [(), ("--journal-only",), ("--journal",)])
def test_what_is_asked_for_goes_before_what_settings_say(
    board: Here, other: Here, named: tuple[str, ...]
) -> None:
    file = backed_up_elsewhere(board, other, "own")
    more = [f"--journal={other.journal}"] if "--journal" in named else list(named)
    result = run_as_set(other, "restore", file, "--yes", *more)
    assert result.exit_code == 0, result.output
    assert other.journal.exists() is bool(named)
    assert other.journal.with_name(THEIRS).exists() is not bool(named)


@pytest.mark.parametrize("name", [OURS, THEIRS])
def test_neither_the_journal_that_was_nor_the_one_to_be_is_taken_from_a_board(
    board: Here, other: Here, name: str
) -> None:
    file = backed_up_elsewhere(board, other, "shared")
    keeper = Keeper(other.journal.with_name(name), KINDS, SystemWall())
    before = other.contents()
    result = run_as_set(other, "restore", file, "--yes")
    unchanged = before.items() <= other.contents().items()
    keeper.close()
    assert (result.exit_code, unchanged) == (1, True)
    assert f"{name}: a board is running with this journal; stop it" in result.stderr


@pytest.mark.parametrize("end", ["", ".toml"], ids=["journal", "calibration"])
def test_a_file_of_another_program_is_not_replaced_because_a_backup_names_it(
    board: Here, other: Here, end: str
) -> None:
    file = backed_up_elsewhere(board, other, "own")
    other.journal.with_name(THEIRS + end).write_text("root:x:0:0\n", encoding="utf-8")
    before = other.contents()
    result = run_as_set(other, "restore", file, "--yes")
    assert (result.exit_code, other.contents()) == (1, before)
    assert f"{file}: its settings name a place with another file: {other.journal.parent}" in (
        result.stderr
    )


@pytest.mark.parametrize("setting", ["journal", "calibration"])
@pytest.mark.parametrize("there", [True, False], ids=["there", "missing"])
def test_nothing_is_put_into_another_folder_because_a_backup_names_it(
    board: Here, other: Here, setting: str, there: bool
) -> None:
    folder = other.folder / "elsewhere"
    settings = f'[{setting}]\npath = "{folder / "x.sh"}"\n'
    if setting == "calibration":
        settings += f'[journal]\npath = "{other.journal}"\n'
    board.own.write_text(settings, encoding="utf-8")
    file = backed_up(board)
    naming(other.shared, other.journal.parent, OURS)
    before = other.contents()
    if there:
        folder.mkdir()
    for manner in ("--dry-run", "--yes"):
        result = run_as_set(other, "restore", file, manner)
        assert str(folder / "x.sh") in result.output
        if setting == "journal":
            assert (result.exit_code, other.contents()) == (1, before)
        else:
            assert result.exit_code == 0, result.output
        assert not folder.exists() or not list(folder.iterdir())
    assert other.run("restore", file, "--yes", "--journal-only").exit_code == 0


@pytest.mark.parametrize("which", ["shared", "own"])
def test_a_mistake_in_settings_that_stay_is_told_with_where_the_journal_goes(
    board: Here, other: Here, which: str
) -> None:
    file = backed_up(board)
    getattr(other, which).write_text("[journal]\npath = 7\n", encoding="utf-8")
    result = other.run("restore", file, "--yes", "--journal-only")
    assert result.exit_code == 0, result.output
    assert f"{getattr(other, which)}" in result.stderr
    assert f"so the journal is {other.journal}" in result.stderr
    assert other.run("restore", file, "--dry-run").stderr == "", "these do not stay"


# --- a restore that was cut short --------------------------------------------------------


def test_after_a_step_that_failed_restore_goes_on_from_there(
    board: Here, other: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = backed_up(board)
    with monkeypatch.context() as now:
        now.setattr(restoring, "atomic_write", full)
        result = other.run("restore", file, "--yes")
    assert (result.exit_code, "it goes on from here" in result.stderr) == (1, True)
    restored = other.dump()
    result = other.run("restore", file, "--yes")
    assert result.exit_code == 0, result.output
    assert (other.dump(), other.put_back()) == (restored, board.dump())
    assert "Board 1" in other.own.read_text(encoding="utf-8")
    assert not list(other.journal.parent.glob("*.aside-*"))
    assert "Nothing to do" in other.run("restore", file, "--yes").stdout


def test_a_journal_that_was_written_to_since_is_replaced_again(board: Here, other: Here) -> None:
    file = backed_up(board)
    for asides in range(3):
        assert other.run("restore", file, "--yes").exit_code == 0
        assert other.put_back() == board.dump()
        assert len(list(other.journal.parent.glob("*.aside-*[0-9]"))) == asides
        written_to(other)


@pytest.mark.parametrize("only", [(), ("--journal-only",)])
def test_while_it_is_restored_nobody_else_reads_a_backup(
    board: Here, other: Here, only: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    modes: list[int] = []

    def look(place: Path, copy: Path, *more: Any) -> object:
        modes.extend(path.stat().st_mode & 0o077 for path in places if path.is_dir())
        assert list(copy.parent.iterdir()) == [copy], "who has the board's folder reads only this"
        return restore_journal(place, copy, *more)

    made, places = tempfile.TemporaryDirectory, list[Path]()

    def note(**how: Any) -> tempfile.TemporaryDirectory[str]:
        found = made(**how)
        places.append(Path(found.name))
        return found

    file = backed_up(board)
    monkeypatch.setattr(restoring, "restore", look)
    monkeypatch.setattr(tempfile, "TemporaryDirectory", note)
    assert other.run("restore", file, "--yes", *only).exit_code == 0
    assert len(modes) >= 2
    assert set(modes) == {0}


def test_each_restore_gives_the_journal_a_name_that_it_never_had(board: Here) -> None:
    file = backed_up(board)
    names = []
    for _ in range(3):
        assert board.run("restore", file, "--yes").exit_code == 0
        first, last = lives_of(History(board.journal, summarise).beginnings())
        assert (first.begins, last.begins) == (1, len(board.dump()))
        names += [first.name, last.name]
        written_to(board)
    assert len(set(names)) == 4
    assert board.run("restore", shutil.copy(board.journal, file), "--yes").exit_code == 0
    assert len(lives_of(History(board.journal, summarise).beginnings())) == 3


def test_that_it_was_restored_changes_nothing_at_a_board_of_this_version_or_an_older_one(
    board: Here,
) -> None:
    before = read_checked(board.journal, KINDS)
    assert board.run("restore", backed_up(board), "--yes").exit_code == 0
    older = {kind: check for kind, check in KINDS.items() if kind != EntryKind.RESTORED}
    found = read_checked(board.journal, older)
    assert found[-1].unknown == "this version does not know this kind"
    assert understood(found) == before
    config = load(Sources(()))
    entries = read_checked(board.journal, KINDS)
    once, again = (
        restore(each, dialogue_settings(config), plan(config), 0) for each in (before, entries)
    )
    assert (again, again.troubles) == (once, ())


def test_a_running_board_is_not_restored_under_its_hands(board: Here) -> None:
    file = backed_up(board)
    keeper = Keeper(board.journal, KINDS, SystemWall())
    before = board.contents()
    try:
        result = board.run("restore", file, "--yes")
    finally:
        unchanged = board.contents() == before
        keeper.close()
    assert result.exit_code == 1
    assert "a board is running with this journal; stop it" in result.stderr
    assert unchanged


def test_a_dry_run_and_a_refusal_to_agree_change_nothing(board: Here, other: Here) -> None:
    file = backed_up(board)
    before = other.contents()
    told = other.run("restore", file, "--dry-run")
    assert told.exit_code == 0
    assert "entries to" in told.stdout
    asked = other.run("restore", file)
    assert asked.exit_code == 1
    assert "add --yes" in asked.stderr
    after = other.contents()
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) <= {"state/journal.sqlite3.lock"}


def test_the_journal_alone_leaves_settings_as_they_are(board: Here, other: Here) -> None:
    result = other.run("restore", backed_up(board), "--yes", "--journal-only")
    assert result.exit_code == 0
    assert other.put_back() == board.dump()
    assert "Board 2" in other.own.read_text(encoding="utf-8")
    assert not other.calibration.exists()


def test_the_journal_alone_needs_no_look_at_settings_that_are_closed(
    board: Here, other: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, access = backed_up(board), os.access
    closed = (other.shared, other.own)
    monkeypatch.setattr(
        os, "access", lambda path, *mode, **how: path not in closed and access(path, *mode, **how)
    )
    result = other.run("restore", file, "--yes")
    assert (result.exit_code, "may not be read" in result.stderr) == (1, True)
    result = other.run("restore", file, "--yes", "--journal-only")
    assert result.exit_code == 0, result.output
    assert other.put_back() == board.dump()


def test_a_copy_that_a_board_left_beside_its_journal_is_restored_too(
    board: Here, other: Here
) -> None:
    journal = Journal.open(board.journal, KINDS, SystemWall())
    copy = board.folder / "000001.db"
    journal.copy_to(copy)
    journal.close()
    assert other.run("restore", copy, "--yes").exit_code == 0
    assert other.put_back() == board.dump()


def test_a_journal_whose_log_holds_nothing_needs_room_for_one_copy(
    board: Here, other: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, _entries: object) -> None:
        raise JournalUnwritable(path, "no room for a second copy", "disk full")

    monkeypatch.setattr(restoring, "build", full)
    result = other.run("restore", board.journal, "--yes")
    assert result.exit_code == 0, result.output
    assert other.put_back() == board.dump()


def card_of_a_dead_board(board: Here, folder: Path) -> Path:
    """Return the journal on a board's card after a power cut: its last entries are in the log."""
    keeper = Keeper(board.journal, KINDS, SystemWall())
    keeper.append([JournalEntry(EntryKind.CLOCK, 1, {"used_ns": 1})])
    folder.mkdir()
    for end in ("", "-wal", ".mark"):
        name = board.journal.name + end
        shutil.copy(board.journal.with_name(name), folder / name)
    keeper.close()
    return folder / board.journal.name


def test_of_a_board_that_lost_power_all_is_restored_and_its_card_stays_as_it_is(
    board: Here, other: Here, tmp_path: Path
) -> None:
    journal = card_of_a_dead_board(board, tmp_path / "card")
    before = {path.name: path.read_bytes() for path in journal.parent.iterdir()}
    result = other.run("restore", journal, "--yes")
    assert result.exit_code == 0, result.output
    assert other.put_back() == board.dump()
    assert {path.name: path.read_bytes() for path in journal.parent.iterdir()} == before


def test_a_link_to_a_journal_restores_what_is_in_its_log_too(
    board: Here, other: Here, tmp_path: Path
) -> None:
    link = tmp_path / "link.sqlite3"
    link.symlink_to(card_of_a_dead_board(board, tmp_path / "card"))
    result = other.run("restore", link, "--yes")
    assert result.exit_code == 0, result.output
    assert other.put_back() == board.dump()


def test_a_journal_that_came_without_the_log_of_its_last_entries_is_refused(
    board: Here, other: Here, tmp_path: Path
) -> None:
    journal = card_of_a_dead_board(board, tmp_path / "card")
    journal.with_name(journal.name + "-wal").unlink()
    before = other.contents()
    result = other.run("restore", journal, "--yes")
    assert result.exit_code == 1
    written = len(board.dump())
    assert f"its journal: ends with entry {written - 1}, but entry {written} had" in result.stderr
    assert other.contents() == before


@pytest.fixture
def nobodys_folder() -> Iterator[Path]:
    """Return a folder that everybody can reach; if root runs this, it belongs to ``nobody``."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        if os.geteuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        yield folder


def test_what_root_restores_belongs_to_the_boards_own_user(
    board: Here, nobodys_folder: Path
) -> None:
    file = backed_up(board)
    there = Here(nobodys_folder / "board")
    owner = nobodys_folder.stat()
    for path in (there.folder, there.journal.parent):
        os.chown(path, owner.st_uid, owner.st_gid)
    assert there.run("restore", file, "--yes", "--journal-only").exit_code == 0
    found = {path.name: path.stat().st_uid for path in there.journal.parent.iterdir()}
    assert found.keys() >= {"journal.sqlite3"}
    assert set(found.values()) == {owner.st_uid}
    assert os.geteuid() == os.getuid(), "and who restored is who they were"


def test_acting_as_an_owner_ends_also_with_an_error(nobodys_folder: Path) -> None:
    def fail() -> None:
        with as_owner_of(nobodys_folder):
            assert os.geteuid() == nobodys_folder.stat().st_uid
            raise RuntimeError

    before = (os.geteuid(), os.getegid(), os.getgroups())
    with pytest.raises(RuntimeError):
        fail()
    assert (os.geteuid(), os.getegid(), os.getgroups()) == before


def with_settings(board: Here, own: str, program: str = "") -> Path:
    """Back up a board with these as its own settings."""
    kept = board.own.read_text(encoding="utf-8")
    board.own.write_text(own, encoding="utf-8")
    file = backed_up(board)
    board.own.write_text(kept, encoding="utf-8")
    if program:
        with zipfile.ZipFile(file) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        said = json.loads(members[LIST])
        members[LIST] = json.dumps(said | {"program": program, "version": 2}).encode()
        with zipfile.ZipFile(file, "w") as archive:
            for name, data in members.items():
                archive.writestr(name, data)
    return file


FOREIGN = """\
[board]
name = "Board 9"
shutdown = [
    "rm", "-rf",
    "/",
]  # theirs
[web]
host = "0.0.0.0"
"""


def test_what_a_backup_changes_is_shown_and_its_programs_are_left_out(
    board: Here, other: Here
) -> None:
    file = with_settings(board, FOREIGN)
    result = other.run("restore", file, "--yes")
    assert result.exit_code == 0
    shown = " ".join(result.stdout.split())
    assert '[web] host: not set -> "0.0.0.0"' in shown
    assert "[board] name: " in shown
    assert 'left out, because it runs a program: [board] shutdown = ["rm", "-rf", "/"]' in shown
    kept = tomllib.loads(other.own.read_text(encoding="utf-8"))
    assert kept == {"board": {"name": "Board 9"}, "web": {"host": "0.0.0.0"}}


def test_a_secret_that_a_backup_changes_is_said_to_change_and_not_shown(
    board: Here, other: Here
) -> None:
    theirs = '[web]\npin = "864209"\n[hotspot]\npassword = "sesame of theirs"\n'
    ours = '[web]\npni = "135791"\n[hotspot]\npassword = "sesame of ours"\n135791 = "pin"\n'
    file = with_settings(board, f'{theirs}[board]\nname = "Key"\n[festival]\nkey = "{"c0" * 16}"\n')
    other.own.write_text(f'{ours}[festival]\nkey = ""\n', encoding="utf-8")
    result = other.run("restore", file, "--dry-run")
    assert "\\x0a" not in result.output
    assert "jackspot.toml " in result.output, "file names are not cut off"
    shown = " ".join(result.output.split())
    assert "[web] pin: not set -> set, and not shown" in shown
    assert "[hotspot] password: changed, and not shown" in shown
    assert '[festival] key: "" -> set, and not shown' in shown
    assert '[board] name: not set -> "Key"' in shown
    assert not [each for each in ("864209", "sesame", "c0c0", "135791") if each in shown]


@pytest.mark.parametrize("called", ["Key", "PIN", "password"])
@pytest.mark.parametrize("theirs", [False, True])
def test_a_player_called_as_a_secret_is_keeps_the_seat_in_what_changes(
    board: Here, other: Here, called: str, theirs: bool
) -> None:
    was, now = ("Ben", called) if theirs else (called, "Ben")
    file = with_settings(board, f'[match.names]\nN = "{now}"\nS = "{now}"\n')
    other.own.write_text(f'[match.names]\nN = "{was}"\nS = "{was}"\n', encoding="utf-8")
    shown = " ".join(other.run("restore", file, "--dry-run").output.split())
    for seat in "NS":
        assert f'[match.names] {seat}: "{was}" -> "{now}"' in shown


def test_programs_are_taken_over_where_that_is_asked_for_or_they_are_here_already(
    board: Here, other: Here
) -> None:
    file = with_settings(board, FOREIGN)
    assert other.run("restore", file, "--yes", "--with-commands").exit_code == 0
    assert other.own.read_text(encoding="utf-8") == FOREIGN
    result = other.run("restore", file, "--yes")
    assert "left out" not in result.stdout
    assert other.own.read_text(encoding="utf-8") == FOREIGN


@pytest.mark.parametrize(
    "own",
    [
        '["board"]\nname = "Board 9"\n"shut\\u0064own" = ["reboot"]\n',
        '["bo\\u0061rd"]\nname = "Board 9"\nshutdown = ["reboot"]\n',
        'board.name = "Board 9"\nboard . "shutdown" = ["reboot"]\n',
    ],
)
def test_a_program_is_left_out_however_its_key_is_spelt(own: str, board: Here, other: Here) -> None:
    result = other.run("restore", with_settings(board, own), "--yes")
    assert result.exit_code == 0, result.output
    assert "left out, because it runs a program" in " ".join(result.stdout.split())
    kept = tomllib.loads(other.own.read_text(encoding="utf-8"))
    assert kept == {"board": {"name": "Board 9"}}


@pytest.mark.parametrize(
    "own",
    [
        'board = { name = "Board 9", shutdown = ["reboot"] }\n',
        f"[board]\nshutdown = ['reboot',{chr(10) * 9_000}]\n",
    ],
)
def test_a_program_that_cannot_be_left_out_is_refused(own: str, board: Here, other: Here) -> None:
    file = with_settings(board, own)
    before = other.contents()
    result = other.run("restore", file, "--yes")
    assert result.exit_code == 1
    assert "--with-commands" in result.stderr
    assert other.contents() == before


def test_what_a_backup_says_of_itself_acts_on_no_terminal(board: Here, other: Here) -> None:
    file = with_settings(board, "", program="\x1b[2J9.9\u202e")
    result = other.run("restore", file, "--yes")
    assert result.exit_code == 1
    assert r"made by jackspot \x1b[2J9.9\u202e" in result.stderr


def test_settings_that_few_may_read_stay_so_and_are_on_the_disk(
    board: Here, other: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = backed_up(board)
    forced, force, force_data = [], os.fsync, os.fdatasync
    other.own.chmod(0o640)
    owner = (NOBODY, NOBODY) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
    os.chown(other.own, *owner)

    def fsync(handle: int) -> None:
        forced.append(str(Path(f"/proc/self/fd/{handle}").readlink()))
        force(handle)

    def fdatasync(handle: int) -> None:
        forced.append(str(Path(f"/proc/self/fd/{handle}").readlink()))
        force_data(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "fdatasync", fdatasync)
    assert other.run("restore", file, "--yes").exit_code == 0
    kept = other.own.with_name("board.toml.before-restore-1")
    for path in (other.own, kept):
        found = path.stat()
        assert (stat.S_IMODE(found.st_mode), found.st_uid, found.st_gid) == (0o640, *owner)
    assert "Board 1" in other.own.read_text(encoding="utf-8")
    assert {str(kept), str(other.own.with_name("board.toml.new.part"))} <= set(forced)
    assert str(other.own.parent) in forced


def test_no_room_to_look_at_a_journal_is_said_and_changes_nothing(
    board: Here, other: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    before = other.contents()
    monkeypatch.setattr(shutil, "copyfile", full)
    result = other.run("restore", board.journal, "--yes")
    assert result.exit_code == 1
    assert f"{board.journal}: cannot be copied: No space left" in result.stderr
    assert other.contents() == before


@pytest.mark.parametrize("by", [restore_command, import_match])
def test_a_board_that_does_not_start_again_is_said_to_be_stopped(
    by: ModuleType, board: Here, other: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(_system: System, *words: str) -> None:
        raise StepFailed(f"{' '.join(words)}: ended with status 1")

    runs = [True]
    monkeypatch.setattr(by, "is_in_use", lambda _journal: runs and runs.pop())
    monkeypatch.setattr(by, "stop_step", lambda *_, **__: InstallStep("stop", "it", lambda: None))
    monkeypatch.setattr(System, "run", run)
    name = "restore" if by is restore_command else "import"
    record = board.folder / "begun.carom"
    record.write_text('# jackspot record 1\nrules = "hikone"\n---\n', encoding="utf-8")
    result = other.run(name, backed_up(board) if name == "restore" else record, "--yes")
    assert result.exit_code == 1
    assert "the board is stopped: systemctl start jackspot.service: ended" in result.stderr
    assert other.journal.exists()
