"""Journals that are not what they should be are set aside whole and named, and play goes on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import pytest

from jackspot.storage import database
from jackspot.storage.backups import Backups
from jackspot.storage.errors import JournalBusy, JournalDamaged
from jackspot.storage.high_water import mark_path
from jackspot.storage.journal import Journal, read_checked
from jackspot.storage.recovery import Notice, RecoveryCause, open_or_recover, restore
from tests.storage.support import KINDS, FixedWall, files, numbers, stroke, strokes


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def write(path: Path, first: int, last: int, *, backup: bool = False) -> None:
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        journal.append(strokes(first, last))
        if backup:
            Backups(path).make(journal)


def reopened(path: Path) -> tuple[list[int], tuple[Notice, ...]]:
    """Open, play one more stroke, close; return what was there before, and the notices."""
    opened = open_or_recover(path, KINDS, FixedWall())
    with closing(opened.journal) as journal:
        journal.append([stroke(99)])
        assert numbers(journal.load()) == [*numbers(opened.entries), 99]
    return numbers(opened.entries), opened.notices


def spoil(path: Path, text: bytes) -> None:
    """Change one byte of a text in a file."""
    data = path.read_bytes()
    place = data.index(text)
    path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])


def test_a_good_journal_is_opened_without_a_word(path: Path) -> None:
    write(path, 1, 3)
    assert reopened(path) == ([1, 2, 3], ())


def test_a_damaged_journal_is_set_aside_as_it_was_and_its_good_part_kept(path: Path) -> None:
    write(path, 1, 9)
    spoil(path, b'{"n":5}')
    before = path.read_bytes()
    entries, (notice,) = reopened(path)
    assert entries == [1, 2, 3, 4]
    assert (notice.cause, notice.kept, notice.backup) == (RecoveryCause.DAMAGED, 4, None)
    assert "entry 5 does not match its checksum" in notice.why
    assert notice.set_aside[0].name == "journal.db.aside-0001"
    assert notice.set_aside[0].read_bytes() == before
    assert str(notice.set_aside[0]) in str(notice)


def test_the_newest_good_backup_is_offered(path: Path) -> None:
    write(path, 1, 4, backup=True)
    write(path, 5, 6, backup=True)
    write(path, 7, 8, backup=True)
    spoil(Backups(path).paths()[0], b'{"n":5}')
    spoil(path, b'{"n":2}')
    entries, (notice,) = reopened(path)
    assert entries == [1]
    assert notice.backup is not None
    assert (notice.backup.path.name, notice.backup.entries) == ("000002.db", 6)
    assert str(notice.backup.path) in str(notice)


def test_a_backup_that_holds_no_more_than_was_kept_is_not_offered(path: Path) -> None:
    write(path, 1, 4, backup=True)
    write(path, 5, 6)
    spoil(path, b'{"n":6}')
    assert reopened(path)[1][0].backup is None


def test_an_offered_backup_can_be_put_in_place_and_nothing_is_deleted(path: Path) -> None:
    write(path, 1, 6, backup=True)
    spoil(path, b'{"n":2}')
    _, (notice,) = reopened(path)
    assert notice.backup is not None
    replaced = restore(path, notice.backup.path, KINDS, FixedWall())
    assert (replaced.cause, replaced.kept) == (RecoveryCause.REPLACED, 6)
    assert reopened(path) == ([1, 2, 3, 4, 5, 6], ())
    assert {p.name for p in path.parent.glob("*.aside-*[0-9]")} == {
        "journal.db.aside-0001",
        "journal.db.aside-0002",
    }


def test_a_bad_backup_or_a_running_board_leaves_the_journal_alone(path: Path) -> None:
    write(path, 1, 3, backup=True)
    backup = Backups(path).paths()[0]
    with closing(Journal.open(path, KINDS, FixedWall())), pytest.raises(JournalBusy):
        restore(path, backup, KINDS, FixedWall())
    spoil(backup, b'{"n":2}')
    before = files(path.parent)
    with pytest.raises(JournalDamaged):
        restore(path, backup, KINDS, FixedWall())
    assert files(path.parent).keys() == before.keys()
    assert reopened(path) == ([1, 2, 3], ())


def foreign(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA application_id=42")
        connection.execute("CREATE TABLE entries (seq INTEGER PRIMARY KEY)")
        connection.commit()


def newer(path: Path) -> None:
    write(path, 1, 2)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version=2")


def no_database(path: Path) -> None:
    path.write_text("shopping list\n" * 40)


def empty(path: Path) -> None:
    path.touch()


@pytest.mark.parametrize(
    ("make", "cause", "why"),
    [
        (foreign, RecoveryCause.FOREIGN, "belongs to another program"),
        (newer, RecoveryCause.NEWER, "was written by a newer version of jackspot"),
        (no_database, RecoveryCause.DAMAGED, "is no SQLite file"),
        (empty, RecoveryCause.DAMAGED, "is no SQLite file"),
    ],
)
def test_a_file_of_another_kind_is_set_aside_and_named(path, make, cause, why) -> None:
    make(path)
    before = path.read_bytes()
    entries, (notice,) = reopened(path)
    assert entries == []
    assert notice.cause is cause
    assert why in notice.why
    assert notice.set_aside[0].read_bytes() == before
    assert reopened(path) == ([99], ())


@pytest.mark.parametrize("page_bytes", database.PAGE_SIZES)
def test_a_journal_that_lost_only_its_header_loses_no_entry(
    path: Path, page_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as before:
        before.setattr(database, "PAGE_BYTES", page_bytes)
        write(path, 1, 7)
    data = path.read_bytes()
    path.write_bytes(bytes(100) + data[100:])
    entries, (notice,) = reopened(path)
    assert entries == [1, 2, 3, 4, 5, 6, 7]
    assert notice.cause is RecoveryCause.DAMAGED


def test_a_journal_that_vanished_is_said_to_be_missing(path: Path) -> None:
    write(path, 1, 3)
    path.unlink()
    entries, (notice,) = reopened(path)
    assert entries == []
    assert "missing, but entry 3 had been written" in notice.why
    assert reopened(path) == ([99], ())


def test_a_log_without_its_journal_is_set_aside_and_never_replayed(path: Path) -> None:
    journal = Journal.open(path, KINDS, FixedWall())
    journal.append(strokes(1, 3))
    left = files(path.parent)
    journal.close()
    for name in ("journal.db", "journal.db.mark"):
        (path.parent / name).unlink()
    path.with_name("journal.db-wal").write_bytes(left["journal.db-wal"])
    entries, (notice,) = reopened(path)
    assert entries == []
    assert [p.name for p in notice.set_aside] == ["journal.db.aside-0001-wal"]
    assert notice.set_aside[0].read_bytes() == left["journal.db-wal"]


def test_a_lost_end_of_the_log_is_noticed_though_the_file_looks_whole(path: Path) -> None:
    journal = Journal.open(path, KINDS, FixedWall())
    for number in range(1, 6):
        journal.append([stroke(number)])
    left = files(path.parent)
    journal.close()
    for name, data in left.items():
        (path.parent / name).write_bytes(data)
    log = path.with_name("journal.db-wal")
    log.write_bytes(log.read_bytes()[: 32 + 4 * (24 + database.PAGE_BYTES)])  # of five frames
    entries, (notice,) = reopened(path)
    assert entries == [1, 2, 3, 4]
    assert "ends with entry 4, but entry 5 had been written" in notice.why


def test_a_mark_that_lies_behind_after_a_power_cut_is_no_fault(path: Path) -> None:
    write(path, 1, 3)
    old = mark_path(path).read_bytes()
    write(path, 4, 6)
    mark_path(path).write_bytes(old)
    assert reopened(path) == ([1, 2, 3, 4, 5, 6], ())


def test_files_set_aside_get_the_next_free_number(path: Path) -> None:
    for _ in range(3):
        no_database(path)
        reopened(path)
    names = sorted(p.name for p in path.parent.glob("*.aside-*[0-9]"))
    assert names == [f"journal.db.aside-000{number}" for number in (1, 2, 3)]


class PowerCutError(Exception):
    """The power fails here."""


@pytest.mark.parametrize("after", range(6))
def test_a_power_cut_while_setting_aside_loses_nothing(path: Path, monkeypatch, after: int) -> None:
    """The power fails before the N-th rename; the next start continues from there."""
    write(path, 1, 9)
    spoil(path, b'{"n":5}')
    before = path.read_bytes()
    renamings = 0

    def failing(real):
        def rename(self: Path, target: Path) -> Path:
            nonlocal renamings
            renamings += 1
            if renamings > after:
                raise PowerCutError
            return real(self, target)

        return rename

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", failing(Path.rename))
        patch.setattr(Path, "replace", failing(Path.replace))
        with pytest.raises(PowerCutError):
            open_or_recover(path, KINDS, FixedWall())
    entries, (notice,) = reopened(path)
    assert entries == [1, 2, 3, 4]
    assert before in [aside.read_bytes() for aside in notice.set_aside]
    kept = [data for name, data in files(path.parent).items() if "aside" in name]
    assert before in kept
    assert reopened(path) == ([1, 2, 3, 4, 99], ())


def left_by_a_crash(path: Path) -> dict[str, bytes]:
    """Leave a journal with its last entries in its log, and return its files by their endings."""
    journal = Journal.open(path, KINDS, FixedWall())
    journal.append(strokes(1, 9))
    left = files(path.parent)
    journal.close()
    for name, data in left.items():
        path.with_name(name).write_bytes(data)
    whole = ("", "-wal", "-shm", ".mark")
    return {end: path.with_name(path.name + end).read_bytes() for end in whole}


@pytest.mark.parametrize("after", range(6))
@pytest.mark.parametrize("then", ["open", "restore"])
@pytest.mark.parametrize("earlier", [0, 2])
def test_a_power_cut_while_restoring_parts_no_journal_from_its_log(
    path: Path, tmp_path: Path, monkeypatch, after: int, then: str, earlier: int
) -> None:
    """The power fails before the N-th rename; a start or another restore goes on from there."""
    elsewhere = tmp_path / "elsewhere" / "backup.db"
    elsewhere.parent.mkdir()
    write(elsewhere, 1, 3)
    for _ in range(earlier):
        write(path, 1, 2)
        restore(path, elsewhere, KINDS, FixedWall())
        path.unlink()
    before = left_by_a_crash(path)
    renamings = 0

    def failing(real):
        def rename(self: Path, target: Path) -> Path:
            nonlocal renamings
            renamings += 1
            if renamings > after:
                raise PowerCutError
            return real(self, target)

        return rename

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", failing(Path.rename))
        patch.setattr(Path, "replace", failing(Path.replace))
        with pytest.raises(PowerCutError):
            restore(path, elsewhere, KINDS, FixedWall())
    if then == "restore":
        restore(path, elsewhere, KINDS, FixedWall())
    cut = after < 2 and then == "open"  # before the journal's own name
    assert reopened(path)[0] == (list(range(1, 10)) if cut else [1, 2, 3])
    kept = path if cut else path.with_name(f"{path.name}.aside-{earlier + 1:04d}")
    if not cut:
        found = {end: kept.with_name(kept.name + end) for end in before}
        assert {end: each.read_bytes() for end, each in found.items()} == before
    assert numbers(read_checked(kept, KINDS))[:9] == list(range(1, 10))


def test_a_log_does_not_join_a_journal_that_was_set_aside_earlier(path: Path, monkeypatch) -> None:
    """Its own journal is gone, and the power fails while it is being set aside."""
    write(path, 1, 9)
    spoil(path, b'{"n":5}')
    reopened(path)
    earlier = {name: data for name, data in files(path.parent).items() if "aside" in name}
    left_by_a_crash(path)
    path.unlink()
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", Mock(side_effect=PowerCutError))
        with pytest.raises(PowerCutError):
            open_or_recover(path, KINDS, FixedWall())
    reopened(path)
    found = {name: data for name, data in files(path.parent).items() if "aside" in name}
    assert earlier.items() <= found.items()
    assert path.with_name(f"{path.name}.aside-0002-wal").exists()


def test_a_draft_left_behind_by_a_power_cut_is_no_hindrance(path: Path) -> None:
    path.with_name("journal.db.tmp").write_bytes(b"half a jour")
    path.with_name("journal.db.tmp-journal").write_bytes(b"half")
    assert reopened(path) == ([], ())


def test_backups_keep_the_newest_few_and_are_whole_journals(path: Path) -> None:
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        backups = Backups(path, keep=3)
        for number in range(1, 8):
            journal.append([stroke(number)])
            made = backups.make(journal)
            assert numbers(database.read_backup(made, KINDS)) == list(range(1, number + 1))
    assert [p.name for p in backups.paths()] == ["000007.db", "000006.db", "000005.db"]
    assert {p.name for p in backups.paths()[0].parent.iterdir()} == {
        p.name for p in backups.paths()
    }


def test_a_backup_that_says_more_than_the_journal_outlives_newer_ones(path: Path) -> None:
    write(path, 1, 6, backup=True)
    spoil(path, b'{"n":3}')
    opened = open_or_recover(path, KINDS, FixedWall())
    backups = Backups(path, keep=2)
    with closing(opened.journal) as journal:
        for number in range(20, 26):
            journal.append([stroke(number)])
            backups.make(journal)
    assert [p.name for p in backups.paths()] == ["000007.db", "000006.db", "000001.db"]
