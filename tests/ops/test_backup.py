"""Backup and restore of a whole board, on journals that the simulated table wrote."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import random
import shutil
import stat
import subprocess
import sys
import tempfile
import time
import tomllib
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner, Result

from jackspot.assembly import KINDS, dialogue_settings, plan
from jackspot.calibration import file as calibration
from jackspot.commands import import_match, main, restore as restore_command
from jackspot.config import Sources, load
from jackspot.core.record import read_record
from jackspot.dialogue.restart.restoring import restore
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.festival.results import lives_of
from jackspot.files import atomic_write
from jackspot.history.index import History
from jackspot.history.summary import summarise
from jackspot.ops.backup import restoring
from jackspot.ops.backup.archive import LIST, MEMBERS, BackupError, new_file, read
from jackspot.ops.install.steps import InstallStep, StepFailed
from jackspot.ops.install.system import System
from jackspot.ops.ownership import as_owner_of, give_to_caller
from jackspot.storage.entries import understood
from jackspot.storage.errors import JournalUnwritable
from jackspot.storage.journal import Journal, read_checked
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import SystemWall
from jackspot_sim.boards.rehearsal import rehearse
from jackspot_sim.people.habits import Habits

RECORD = Path(__file__).parents[1] / "records" / "debts_and_jack.carom"
NOBODY = 65534


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the journal of a match that was played."""
    journal = tmp_path_factory.mktemp("played") / "journal.sqlite3"
    record = read_record(RECORD.read_text(encoding="utf-8"))
    rehearse(record.settings, [step.entry for step in record.match.steps], journal, Habits())
    return journal


class Here:
    """A board's files in a folder, and the commands on them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = folder / "state" / "journal.sqlite3"
        self.shared, self.own = folder / "jackspot.toml", folder / "state" / "board.toml"
        self.calibration = folder / "state" / "calibration.toml"
        self.journal.parent.mkdir(parents=True)

    def set_up(self, name: str) -> None:
        """Give it settings."""
        path = json.dumps(str(self.calibration))
        self.shared.write_text(f"[calibration]\npath = {path}\n", encoding="utf-8")
        self.own.write_text(f'[board]\nname = "{name}"\n', encoding="utf-8")

    def run(self, command: str, *arguments: str | Path) -> Result:
        """Run a command on this board."""
        places = (
            f"--journal={self.journal}",
            f"--config={self.shared}",
            f"--board-file={self.own}",
        )
        return CliRunner().invoke(main, [command, *map(str, arguments), *places])

    def dump(self) -> list[str]:
        return [entry.canonical() for entry in read_checked(self.journal, KINDS)]

    def put_back(self) -> list[str]:
        """Return the journal's entries before the one that says it was restored."""
        *before, last = read_checked(self.journal, KINDS)
        assert (last.kind, last.body) == (EntryKind.RESTORED, {})
        return [entry.canonical() for entry in before]

    def contents(self) -> dict[str, bytes]:
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in sorted(files)}


@pytest.fixture
def board(tmp_path: Path, played: Path) -> Here:
    """Return a board with settings, a calibration and a match in its journal."""
    here = Here(tmp_path / "one")
    here.set_up("Board 1")
    board = calibration.CalibratedBoard("Board 1", "reference", {})
    made = datetime(2026, 5, 2, tzinfo=UTC)
    calibration.save(calibration.Calibration(board, made, ()), here.calibration)
    shutil.copy(played, here.journal)
    return here


@pytest.fixture
def other(tmp_path: Path) -> Here:
    """Return another board, with settings of its own and no match yet."""
    here = Here(tmp_path / "two")
    here.set_up("Board 2")
    return here


def backed_up(board: Here) -> Path:
    file = board.folder / "board.zip"
    result = board.run("backup", file)
    assert result.exit_code == 0, result.output
    return file


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


def test_each_restore_gives_the_journal_a_name_that_it_never_had(board: Here) -> None:
    file = backed_up(board)
    names = []
    for _ in range(3):
        assert board.run("restore", file, "--yes").exit_code == 0
        first, last = lives_of(History(board.journal, summarise).beginnings())
        assert (first.begins, last.begins) == (1, len(board.dump()))
        names += [first.name, last.name]
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


def test_a_backup_is_made_while_the_board_writes_and_ends_with_a_whole_entry(
    board: Here,
) -> None:
    keeper = Keeper(board.journal, KINDS, SystemWall())
    try:
        for number in range(3):
            keeper.append([JournalEntry(EntryKind.CLOCK, number, {"used_ns": number})])
            file = board.folder / f"{number}.zip"
            assert board.run("backup", file).exit_code == 0
    finally:
        keeper.close()
    counts = []
    for number in range(3):
        with zipfile.ZipFile(board.folder / f"{number}.zip") as archive:
            counts.append(json.loads(archive.read(LIST))["entries"])
    assert counts == [len(board.dump()) - 2, len(board.dump()) - 1, len(board.dump())]


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


def test_of_a_damaged_journal_the_good_entries_are_backed_up_and_the_damage_is_told(
    board: Here, other: Here
) -> None:
    whole = len(board.dump())
    subprocess.run([sys.executable, "-c", DAMAGE, str(board.journal), str(whole - 3)], check=True)
    file = board.folder / "board.zip"
    result = board.run("backup", file)
    assert result.exit_code == 1
    assert "does not match its checksum" in result.stderr
    assert other.run("restore", file, "--yes").exit_code == 0
    assert len(other.put_back()) == whole - 4


DAMAGE = """
import sqlite3, sys
journal = sqlite3.connect(sys.argv[1])
journal.execute("PRAGMA writable_schema=ON")
journal.execute("DROP TRIGGER no_update")
journal.execute("UPDATE entries SET wall_ns = wall_ns + 1 WHERE seq = ?", (int(sys.argv[2]),))
journal.execute("CREATE TRIGGER no_update BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT,"
                " 'the journal is append-only'); END")
journal.commit()
"""


SAID: dict[str, dict[str, object]] = {
    "newer": {"version": 2},
    "other": {"form": "somebody's backup"},
    "endless": {"version": float("inf")},
    "long list": {"more": "x" * 100_000_000},  # a few kilobytes of archive
    "list": {"files": ["journal.sqlite3"]},
}


CALIBRATIONS = {
    "calibration": b"schema = 1\n",
    "calibration number": b"schema = 0x" + b"f" * 5_000,
    "calibration bytes": b"\xff\0",
}


def spoilt(file: Path, change: str) -> None:
    """Change a backup in one way."""
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    said = json.loads(members[LIST])
    said |= SAID.get(change, {})
    if change == "no size":
        said["files"]["journal.sqlite3"]["size"] = float("inf")
    elif change == "large settings":
        said["files"]["board.toml"]["size"] = 2 << 20
    elif change == "more":
        said["files"]["../../etc/passwd"] = {"size": 1, "sha256": ""}
    elif change == "journal":
        data = members["journal.sqlite3"]
        members["journal.sqlite3"] = data[:-1] + bytes([data[-1] ^ 1])
    elif change == "short":
        members["journal.sqlite3"] = members["journal.sqlite3"][:-512]
    elif change == "without":
        del members["journal.sqlite3"]
    elif change in CALIBRATIONS:
        members["calibration.toml"] = data = CALIBRATIONS[change]
        digest = hashlib.sha256(data).hexdigest()
        said["files"]["calibration.toml"] = {"size": len(data), "sha256": digest}
    members[LIST] = json.dumps(said).replace("Infinity", "1e999").encode()
    packed = zipfile.ZIP_LZMA if change == "packed otherwise" else zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(file, "w", packed) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("packed otherwise", "expected files packed as `jackspot backup` packs them"),
        ("calibration", "its calibration cannot be used: is no calibration: expected schema"),
        ("calibration number", "its calibration cannot be used: schema: expected a number within"),
        ("calibration bytes", "its calibration cannot be used: is not UTF-8 at byte 1"),
        ("newer", "is of form 2, known up to 1; it was made by jackspot"),
        ("other", "found another archive"),
        ("list", "its list backup.json is damaged"),
        ("endless", "found another archive"),
        ("long list", "its list backup.json has more than 65,536 bytes"),
        ("no size", "its list backup.json is damaged"),
        ("large settings", "says that a file in it is larger than any board's"),
        ("more", "expected journal.sqlite3 and nothing but"),
        ("journal", "journal.sqlite3 in it is not what was put in"),
        ("short", "journal.sqlite3 in it is not what was put in"),
        ("without", "journal.sqlite3 in it is not what was put in"),
    ],
)
def test_a_backup_that_is_not_what_it_should_be_is_refused_and_changes_nothing(
    change: str, words: str, board: Here, other: Here
) -> None:
    file = backed_up(board)
    spoilt(file, change)
    before = other.contents()
    result = other.run("restore", file, "--yes")
    assert result.exit_code == 1
    assert words in result.stderr
    assert str(file) in result.stderr
    assert other.contents() == before


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "is empty: it was never written whole; use another backup"),
        (b"no archive", "found no archive or half of one; use another backup"),
        (b"PK\x03\x04 half of one", "found no archive or half of one; use another backup"),
        (b"SQLite format 3\0", "its journal: is no SQLite file"),
    ],
)
def test_a_file_that_is_no_backup_is_refused(data: bytes, says: str, other: Here) -> None:
    file = other.folder / "file"
    file.write_bytes(data)
    before = other.contents()
    result = other.run("restore", file, "--yes")
    assert result.exit_code == 1
    assert f"{file}: " in result.stderr
    assert says in result.stderr
    assert other.contents() == before


def test_a_backup_with_one_byte_damaged_is_refused_or_gives_what_was_put_in(
    board: Here, tmp_path: Path
) -> None:
    good = backed_up(board).read_bytes()
    whole = taken(good, tmp_path / "whole")
    chance = random.Random(20_261_122)
    everywhere = {*range(120), *range(len(good) - 700, len(good)), *_some(chance, len(good), 400)}
    told = []
    for at in sorted(everywhere):
        bad = bytearray(good)
        bad[at] ^= chance.randrange(1, 256)
        try:
            assert taken(bytes(bad), tmp_path / "taken") == whole, at
        except BackupError as error:
            told.append(str(error))
    assert len(told) > len(everywhere) // 2
    assert all("file.zip" in each for each in told)


def _some(chance: random.Random, below: int, count: int) -> list[int]:
    return [chance.randrange(below) for _ in range(count)]


def taken(data: bytes, folder: Path) -> dict[str, bytes]:
    """Return the files in a backup that has these bytes."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    file = folder / "file.zip"
    file.write_bytes(data)
    return {name: (folder / name).read_bytes() for name in read(file, folder).files}


def test_settings_that_this_version_does_not_take_are_refused_but_the_journal_can_be_had(
    board: Here, other: Here
) -> None:
    file = backed_up(board)
    with zipfile.ZipFile(file) as archive:
        folder = board.folder / "taken"
        archive.extractall(folder)
    from jackspot.ops.backup import archive as form

    (folder / "board.toml").write_text("[board]\nnam = 1\n", encoding="utf-8")
    file.unlink()
    names = [name for name in MEMBERS if (folder / name).exists()]
    form.write(file, {name: folder / name for name in names}, "", "", 0)
    result = other.run("restore", file, "--yes")
    assert result.exit_code == 1
    assert "--journal-only" in result.stderr
    assert other.run("restore", file, "--yes", "--journal-only").exit_code == 0
    assert other.put_back() == board.dump()


def test_a_backup_never_goes_over_a_file_and_needs_a_journal(board: Here, other: Here) -> None:
    file = backed_up(board)
    before = file.read_bytes()
    result = board.run("backup", file)
    assert (result.exit_code, file.read_bytes()) == (1, before)
    assert "is there already; name a new file" in result.stderr
    result = other.run("backup", other.folder / "new.zip")
    assert result.exit_code == 1
    assert "no journal here" in result.stderr
    assert not (other.folder / "new.zip").exists()
    result = board.run("backup", board.folder / "no" / "such" / "folder.zip")
    assert result.exit_code == 1
    assert "cannot be written" in result.stderr


def no_links(*_: object) -> None:
    """Fail as a FAT stick does."""
    raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))


@pytest.mark.parametrize("links", [True, False])
def test_of_two_who_write_one_new_file_the_first_to_finish_has_it(
    links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write_both(target: Path) -> None:
        with new_file(target) as late:
            late.write_text("late")
            with new_file(target) as early:
                early.write_text("early")

    if not links:
        monkeypatch.setattr(os, "link", no_links)
    with pytest.raises(BackupError, match="is there already"):
        write_both(tmp_path / "board.zip")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"board.zip": "early"}


@pytest.mark.parametrize("links", [True, False])
def test_a_new_file_has_its_name_when_it_is_whole_and_not_before(
    links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, opened, force = tmp_path / "board.zip", os.open, os.fsync
    made_empty: list[Path] = []
    forced: list[tuple[Path, bool]] = []

    def spy(path: Path, flags: int, mode: int = 0o777) -> int:
        if flags & os.O_CREAT and Path(path) == target:
            made_empty.append(target)
        return opened(path, flags, mode)

    def fsync(handle: int) -> None:
        forced.append((Path(f"/proc/self/fd/{handle}").readlink(), target.exists()))
        force(handle)

    monkeypatch.setattr(os, "open", spy)
    monkeypatch.setattr(os, "fsync", fsync)
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    with new_file(target) as draft:
        draft.write_text("whole")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"board.zip": "whole"}
    assert not made_empty, "a power cut would leave it as it is"
    assert forced == [(draft, False), (tmp_path, True)]


def test_a_new_file_that_cannot_have_its_name_leaves_nothing_under_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr(Path, "rename", full)
    with (
        pytest.raises(BackupError, match="cannot be written: No space left"),
        new_file(tmp_path / "board.zip") as draft,
    ):
        draft.write_text("whole")
    assert not [*tmp_path.iterdir()]


LATEST = datetime(2200, 1, 1, tzinfo=UTC).timestamp()


@pytest.mark.parametrize("shown", [0, LATEST], ids=["1970", "2200"])
def test_a_clock_that_is_wrong_by_many_years_prevents_no_backup(
    shown: float, board: Here, other: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.utime(board.own, (shown, shown))
    monkeypatch.setattr(time, "localtime", lambda *_: time.gmtime(shown))
    assert other.run("restore", backed_up(board), "--yes").exit_code == 0
    assert other.put_back() == board.dump()


def test_a_backup_can_be_read_by_its_maker_alone(board: Here) -> None:
    assert stat.S_IMODE(backed_up(board).stat().st_mode) == 0o600


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


def test_what_sudo_makes_is_given_to_whoever_called_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    caller = NOBODY if os.geteuid() == 0 else os.geteuid()
    monkeypatch.setenv("SUDO_UID", str(caller))
    monkeypatch.setenv("SUDO_GID", str(caller))
    give_to_caller(file)
    assert file.stat().st_uid == caller


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
    shown = " ".join(result.output.split())
    assert "[web] pin: not set -> set, and not shown" in shown
    assert "[hotspot] password: changed, and not shown" in shown
    assert '[festival] key: "" -> set, and not shown' in shown
    assert '[board] name: not set -> "Key"' in shown
    assert not [each for each in ("864209", "sesame", "c0c0", "135791") if each in shown]


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


def test_a_pipe_is_no_backup_and_holds_nobody(tmp_path: Path, other: Here) -> None:
    os.mkfifo(tmp_path / "pipe.zip")
    result = other.run("restore", tmp_path / "pipe.zip", "--yes")
    assert result.exit_code == 1
    assert "found a pipe" in result.stderr


def test_a_damaged_calibration_is_backed_up_and_told(board: Here, other: Here) -> None:
    board.calibration.write_text("schema = 1\n", encoding="utf-8")
    file = board.folder / "board.zip"
    result = board.run("backup", file)
    assert result.exit_code == 1
    assert f"{board.calibration}: is no calibration" in result.stderr
    assert other.run("restore", file, "--yes", "--journal-only").exit_code == 0


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


def test_a_backup_on_a_stick_where_nobody_owns_a_file_is_made(
    board: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("SUDO_UID", "1000")
    monkeypatch.setenv("SUDO_GID", "1000")
    monkeypatch.setattr(os, "chown", refused)
    assert backed_up(board).exists()


def test_a_board_with_a_mistake_in_its_settings_is_backed_up_and_the_mistake_is_told(
    board: Here, other: Here
) -> None:
    board.own.write_text("[board]\nnam = 'x'\n", encoding="utf-8")
    file = board.folder / "board.zip"
    result = board.run("backup", file)
    assert result.exit_code == 1
    assert "[board] nam" in result.stderr
    assert f"so the journal is {board.journal}" in result.stderr
    assert other.run("restore", file, "--yes", "--journal-only").exit_code == 0
    assert other.put_back() == board.dump()


@pytest.mark.parametrize("missing", ["write", "replace"])
def test_a_file_that_cannot_be_written_whole_leaves_the_one_before_and_nothing_else(
    missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    file = tmp_path / "settings.toml"
    atomic_write(file, "before\n")
    if missing == "write":
        monkeypatch.setattr(os, "fsync", full)
    else:
        monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        atomic_write(file, "after\n")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "settings.toml": "before\n"
    }
