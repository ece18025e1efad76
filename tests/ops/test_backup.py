"""Backups of a whole board as files: what is in them, how they are written, and damaged ones."""

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
import time
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jackspot.assembly import KINDS
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.files import atomic_write
from jackspot.ops.backup.archive import LIST, MEMBERS, BackupError, new_file, read
from jackspot.ops.ownership import give_to_caller
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import SystemWall
from tests.ops.whole_board import NOBODY, Here, backed_up


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


def write_new(target: Path) -> None:
    with new_file(target) as draft:
        draft.write_text("whole")


@pytest.mark.parametrize("of_folder", [True, False])
@pytest.mark.parametrize(
    ("number", "refuses"),
    [(errno.EINVAL, False), (errno.ENOTSUP, False), (errno.EIO, True), (errno.ENOSPC, True)],
)
@pytest.mark.parametrize("write", [write_new, lambda target: atomic_write(target, "whole")])
def test_a_folder_that_cannot_force_its_names_to_the_disk_holds_the_file_all_the_same(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    write: Callable[[Path], None],
    number: int,
    refuses: bool,
    of_folder: bool,
) -> None:
    force = os.fsync

    def fsync(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode) is of_folder:
            raise OSError(number, os.strerror(number))
        force(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    file = tmp_path / "board.zip"
    if refuses or not of_folder:
        with pytest.raises((OSError, BackupError), match=os.strerror(number)):
            write(file)
    else:
        write(file)
    assert file.exists() is of_folder
    assert not of_folder or file.read_text() == "whole"


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
