"""Whatever the disk does, the game goes on, and everything is written in the end."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from jackspot.sensing.events import FaultCleared, FaultRaised, Trouble
from jackspot.storage.backups import Backups
from jackspot.storage.database import PAGE_BYTES, log_holds_anything
from jackspot.storage.errors import BadEntry, JournalBusy
from jackspot.storage.high_water import read_mark
from jackspot.storage.journal import Journal, read_checked
from jackspot.storage.keeper import Keeper
from tests.storage.support import KINDS, Entry, FixedWall, numbers, stroke, strokes, weak_disk


@pytest.fixture(params=["mounted", "limited"])
def disk(request):
    with weak_disk(mounting=request.param == "mounted") as disk:
        yield disk


def raised(at_ns: int, detail: str) -> tuple[FaultRaised]:
    return (FaultRaised(at_ns, "journal", Trouble.DISK, detail),)


def cleared(at_ns: int) -> tuple[FaultCleared]:
    return (FaultCleared(at_ns, "journal", Trouble.DISK),)


def keeper_of(path: Path) -> Keeper:
    return Keeper(path, KINDS, FixedWall())


def test_a_keeper_keeps_over_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    keeper = keeper_of(path)
    assert keeper.append(strokes(1, 3)) == ()
    assert keeper.close() == 0
    keeper = keeper_of(path)
    assert (numbers(keeper.entries), keeper.notices, keeper.waiting) == ([1, 2, 3], (), 0)
    assert keeper.retry(5) == ()
    keeper.close()


def test_starts_that_fail_are_counted_from_the_last_entry_of_a_kind(tmp_path: Path) -> None:
    keeper = keeper_of(tmp_path / "journal.db")
    keeper.append([stroke(1), Entry("note", 2_000, {}), stroke(3)])
    keeper.close()
    for failed in range(3):
        keeper = keeper_of(tmp_path / "journal.db")
        assert keeper.begin("note") == failed
        keeper.append([stroke(4 + failed)])  # no note, so the count goes on
        assert keeper._journal is not None
        keeper._journal.close()  # as if the process had been killed
    keeper = keeper_of(tmp_path / "journal.db")
    assert keeper.begin("stroke") == 0, "from another entry"
    keeper.survived()
    assert keeper.begin("stroke") == 0
    assert keeper.begin("stroke") == 1
    keeper.close()


def test_where_there_is_no_journal_nothing_waits_to_be_forced(tmp_path: Path) -> None:
    (tmp_path / "journal.db").mkdir()
    keeper = keeper_of(tmp_path / "journal.db")
    assert keeper.append(strokes(1, 2), forced=False)
    assert keeper.waiting == 2
    assert keeper.is_settled is True
    keeper.close()


def test_a_full_disk_is_told_once_and_everything_written_in_order_when_it_is_free(disk) -> None:
    keeper = keeper_of(disk.folder / "journal.db")
    keeper.append(strokes(1, 2))
    disk.fill()
    told: list[FaultRaised | FaultCleared] = []
    number = 2
    while not told:
        number += 1
        told += keeper.append([stroke(number, text="x" * 30_000)])
    (fault,) = told
    assert isinstance(fault, FaultRaised)
    assert fault.at_ns == number * 1_000
    assert fault.trouble is Trouble.DISK
    assert fault.detail in {"disk full", "disk error"}
    first_waiting = number
    assert keeper.append(strokes(number + 1, number + 5)) == ()
    assert keeper.waiting == 6
    disk.free()
    assert numbers(read_checked(disk.folder / "journal.db", KINDS)) == list(range(1, first_waiting))
    assert keeper.append([stroke(number + 6)]) == cleared((number + 6) * 1_000)
    assert keeper.waiting == 0
    assert keeper.close() == 0
    again = keeper_of(disk.folder / "journal.db")
    assert numbers(again.entries) == list(range(1, number + 7))
    assert again.notices == ()
    again.close()


def test_a_full_disk_is_tried_again_on_request(disk) -> None:
    keeper = keeper_of(disk.folder / "journal.db")
    disk.fill()
    while not keeper.append([stroke(1, text="x" * 3000)]):
        pass
    assert keeper.retry(70) == ()
    disk.free()
    assert keeper.retry(71) == cleared(71)
    assert keeper.waiting == 0
    keeper.close()


def test_a_disk_that_is_read_only_at_the_start_shows_the_match_and_takes_it_later(disk) -> None:
    path = disk.folder / "journal.db"
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        journal.append(strokes(1, 4))
    disk.lock()
    with pytest.raises(OSError, match=r"Read-only|Permission denied"):
        (disk.folder / "probe").touch()
    keeper = keeper_of(path)
    assert numbers(keeper.entries) == [1, 2, 3, 4]
    (fault,) = keeper.retry(9)
    assert isinstance(fault, FaultRaised)
    assert (fault.part, fault.at_ns, fault.trouble) == ("journal", 9, Trouble.DISK)
    assert fault.detail in {"disk read-only", "no permission"}
    assert keeper.append(strokes(5, 6)) == ()
    assert keeper.back_up() is None
    assert keeper.waiting == 2
    disk.unlock()
    assert keeper.append([stroke(7)]) == cleared(7_000)
    assert keeper.notices == ()
    keeper.close()
    assert numbers(read_checked(path, KINDS)) == [1, 2, 3, 4, 5, 6, 7]


def test_a_match_left_in_the_log_is_read_from_a_read_only_disk(disk) -> None:
    path = disk.folder / "journal.db"
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        journal.append(strokes(1, 4))
        left = {p.name: p.read_bytes() for p in disk.folder.iterdir() if "-shm" not in p.name}
    for name, data in left.items():
        (disk.folder / name).write_bytes(data)
    disk.lock()
    keeper = keeper_of(path)
    assert numbers(keeper.entries) == [1, 2, 3, 4]
    disk.unlock()
    assert keeper.append([stroke(5)]) == ()
    keeper.close()
    assert numbers(read_checked(path, KINDS)) == [1, 2, 3, 4, 5]


def test_a_damaged_journal_on_a_full_disk_waits_to_be_set_aside(disk) -> None:
    path = disk.folder / "journal.db"
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        journal.append(strokes(1, 9))
    path.write_bytes(path.read_bytes().replace(b'{"n":5}', b'{"n":6}'))
    before = path.read_bytes()
    disk.fill()
    keeper = keeper_of(path)
    assert numbers(keeper.entries) == [1, 2, 3, 4]
    assert isinstance(keeper.retry(1)[0], FaultRaised)
    assert keeper.append([stroke(10)]) == ()
    assert path.read_bytes() == before
    disk.free()
    assert keeper.append([stroke(11)]) == cleared(11_000)
    (notice,) = keeper.notices
    assert notice.set_aside[0].read_bytes() == before
    keeper.close()
    assert numbers(read_checked(path, KINDS)) == [1, 2, 3, 4, 10, 11]


def test_somebody_who_reads_or_holds_the_file_by_hand_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    keeper = keeper_of(path)
    keeper.append([stroke(1)])
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert keeper.append([stroke(2)]) == raised(2_000, "journal in use")
        assert keeper.append([stroke(3)]) == ()
        other.execute("ROLLBACK")
        assert keeper.append([stroke(4)]) == cleared(4_000)
        other.execute("BEGIN")
        other.execute("SELECT * FROM entries").fetchone()
        assert keeper.append([stroke(5)]) == ()
    keeper.close()
    assert keeper.notices == ()
    assert numbers(read_checked(path, KINDS)) == [1, 2, 3, 4, 5]


def test_a_folder_that_comes_later_gets_everything(tmp_path: Path) -> None:
    path = tmp_path / "card" / "journal.db"
    keeper = keeper_of(path)
    assert keeper.append([stroke(1)]) == raised(1_000, "folder missing")
    assert keeper.append([stroke(2)]) == ()
    path.parent.mkdir()
    assert keeper.retry(8) == cleared(8)
    keeper.close()
    assert numbers(read_checked(path, KINDS)) == [1, 2]


def test_entries_kept_in_memory_follow_a_journal_that_appears_later(tmp_path: Path) -> None:
    card, path = tmp_path / "card", tmp_path / "slot" / "journal.db"
    card.mkdir()
    with closing(Journal.open(card / "journal.db", KINDS, FixedWall())) as journal:
        journal.append(strokes(1, 3))
    keeper = keeper_of(path)
    keeper.append(strokes(4, 5))
    card.rename(path.parent)
    assert keeper.append([stroke(6)]) == cleared(6_000)
    assert keeper.append([stroke(7)]) == ()
    keeper.close()
    assert numbers(read_checked(path, KINDS)) == [1, 2, 3, 4, 5, 6, 7]


def test_what_could_not_be_written_is_counted_when_closing(tmp_path: Path) -> None:
    keeper = keeper_of(tmp_path / "nowhere" / "journal.db")
    keeper.append(strokes(1, 3))
    assert keeper.close() == 3


def test_a_write_that_failed_after_it_reached_the_disk_is_not_doubled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    keeper = keeper_of(path)
    keeper.append([stroke(1)])
    journal = keeper._journal
    assert journal is not None
    whole = journal.write

    def write_and_report_failure(sealed) -> None:
        monkeypatch.setattr(journal, "write", whole)
        head = journal._head
        whole(sealed)
        journal._head = head
        raise OSError(5, "the card was pulled just then")

    from jackspot.storage.database import told

    def failing(sealed, *, forced) -> None:
        assert forced
        with told(path):
            write_and_report_failure(sealed)

    monkeypatch.setattr(journal, "write", failing)
    assert keeper.append(strokes(2, 3)) == raised(3_000, "disk error")
    assert keeper.append([stroke(4)]) == cleared(4_000)
    keeper.close()
    assert numbers(read_checked(path, KINDS)) == [1, 2, 3, 4]


def test_a_disk_that_failed_gets_again_what_was_not_forced_to_it_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system may have tried to write it, failed and given it up."""
    path = tmp_path / "journal.db"
    keeper = keeper_of(path)
    keeper.append([stroke(1)])
    keeper.append(strokes(2, 3), forced=False)
    with monkeypatch.context() as patch:
        patch.setattr("jackspot.storage.journal.insert", refuse)
        assert keeper.append([stroke(4)], forced=False) == raised(4_000, "disk error")
    assert log_holds_anything(path)
    monkeypatch.setattr("jackspot.storage.journal.insert", refuse)
    keeper.retry(5_000)
    assert not log_holds_anything(path), "all of it was brought into the file, by force"
    assert numbers(read_checked(path, KINDS)) == [1, 2, 3]
    monkeypatch.undo()
    assert keeper.retry(6_000) == cleared(6_000)
    assert numbers(read_checked(path, KINDS)) == [1, 2, 3, 4]
    keeper.close()


def test_what_was_not_forced_can_be_and_a_disk_that_cannot_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "journal.db"
    keeper = keeper_of(path)
    keeper.append([stroke(1)], forced=False)
    assert not keeper.is_settled
    assert keeper.settle(1_500, at_rest=True) == ()
    assert read_mark(path) == keeper._head
    keeper.append([stroke(2)], forced=False)
    with monkeypatch.context() as patch:
        patch.setattr("jackspot.storage.journal.force_file", refuse)
        assert keeper.settle(2_500, at_rest=True) == raised(2_500, "disk error")
    assert keeper.retry(9_000) == cleared(9_000)
    assert read_mark(path) == keeper._head
    keeper.close()
    assert numbers(read_checked(path, KINDS)) == [1, 2]


def refuse(*_args: object, **_how: object) -> None:
    raise OSError(5, "the card does not answer")


def test_damage_met_while_playing_is_set_aside_and_play_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    keeper = keeper_of(path)
    keeper.append(strokes(1, 3))
    journal = keeper._journal
    assert journal is not None
    journal._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    journal._connection.close()
    with closing(sqlite3.connect(path)) as file:
        ((page,),) = file.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'entries'")
    data, begins = bytearray(path.read_bytes()), (page - 1) * PAGE_BYTES
    data[begins : begins + 8] = bytes(8)  # the header of the page that holds the entries
    path.write_bytes(data)
    keeper._failed = True
    assert keeper.append([stroke(4)]) == ()
    (notice,) = keeper.notices
    assert notice.set_aside[0].read_bytes() == bytes(data)
    assert keeper.append([stroke(5)]) == ()
    keeper.close()
    assert numbers(read_checked(path, KINDS))[-2:] == [4, 5]


def test_a_bad_entry_is_our_own_mistake_and_nothing_of_it_is_kept(tmp_path: Path) -> None:
    keeper = keeper_of(tmp_path / "journal.db")
    with pytest.raises(BadEntry):
        keeper.append([stroke(1), Entry("nonsense", 2, {})])
    assert keeper.append([stroke(1)]) == ()
    keeper.close()
    assert numbers(read_checked(tmp_path / "journal.db", KINDS)) == [1]


def test_a_second_keeper_of_the_same_journal_is_refused(tmp_path: Path) -> None:
    keeper = keeper_of(tmp_path / "journal.db")
    with pytest.raises(JournalBusy):
        keeper_of(tmp_path / "journal.db")
    keeper.close()


def test_a_backup_is_made_when_asked(tmp_path: Path) -> None:
    keeper = keeper_of(tmp_path / "journal.db")
    keeper.append(strokes(1, 3))
    made = keeper.back_up()
    keeper.close()
    found = Backups(tmp_path / "journal.db").newest_good(KINDS)
    assert found is not None
    backup, entries = found
    assert (backup.path, backup.entries, numbers(entries)) == (made, 3, [1, 2, 3])


@pytest.mark.parametrize("looks_before", [0, 1], ids=["before it is written", "as it is written"])
def test_a_disk_that_becomes_read_only_under_an_open_journal_has_not_taken_what_it_accepts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, looks_before: int
) -> None:
    """Such a disk still takes writes and reports them as forced, so SQLite sees no error."""
    path = tmp_path / "journal.db"
    keeper = keeper_of(path)
    assert keeper.append([stroke(1)]) == ()
    looks = 0
    real = os.statvfs

    def becomes_read_only(folder: Path) -> os.statvfs_result:
        nonlocal looks
        looks += 1
        values = list(real(folder))
        if looks > looks_before:
            values[8] |= os.ST_RDONLY  # f_flag
        return os.statvfs_result(values)

    monkeypatch.setattr(os, "statvfs", becomes_read_only)
    (fault,) = keeper.append([stroke(2)])
    assert isinstance(fault, FaultRaised)
    assert (fault.trouble, fault.detail) == (Trouble.DISK, "disk read-only")
    assert keeper.append([stroke(3)]) == ()
    assert keeper.waiting == 2
    monkeypatch.undo()
    assert keeper.append([stroke(4)]) == cleared(4_000)
    assert (keeper.waiting, keeper.notices) == (0, ())
    keeper.close()
    assert numbers(read_checked(path, KINDS)) == [1, 2, 3, 4]
