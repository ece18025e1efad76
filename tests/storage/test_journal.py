"""The journal itself: entries come out as they went in, in order, and none can be changed."""

from __future__ import annotations

import posix
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, strategies as st

from jackspot.assembly import KINDS as BOARD_KINDS
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.storage import database
from jackspot.storage.database import (
    FOLD_ENTRIES,
    LOG_BYTES,
    PAGE_BYTES,
    PAGE_SIZES,
    log_holds_anything,
    log_path,
    read_backup,
    reading,
)
from jackspot.storage.entries import (
    FEW_NESTINGS,
    Broken,
    Head,
    Kinds,
    link,
    seal,
    unseal,
    write_json,
)
from jackspot.storage.errors import BadEntry, JournalBusy, JournalDamaged, JournalUnwritable
from jackspot.storage.high_water import read_mark
from jackspot.storage.journal import Journal, read_checked
from jackspot.storage.wall_clock import SystemWall
from tests.storage.support import KINDS, Entry, FixedWall, numbers, stroke, strokes


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


def written(path: Path, count: int) -> None:
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        journal.append(strokes(1, count))


def opened_with(path: Path, at: int, then: Callable[[], None]) -> int:
    """Open a new journal and do something before or after a call of SQLite or the system.

    Returns how many such instants there were.
    """
    count = 0

    def look(_frame: object, event: str, called: Any) -> None:
        nonlocal count
        owner = getattr(called, "__self__", None)
        if event.startswith("c_") and (isinstance(owner, sqlite3.Connection) or owner is posix):
            count += 1
            if count == at:
                then()

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        Journal.open(path, KINDS, FixedWall()).close()
    finally:
        sys.setprofile(before)
    return count


def test_a_disk_that_fills_up_at_any_instant_leaves_a_journal_or_none(tmp_path: Path) -> None:
    count = opened_with(tmp_path / "whole", 0, lambda: None)
    limit = partial(resource.setrlimit, resource.RLIMIT_FSIZE)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    refused = 0
    for at in range(1, count + 1):
        path = tmp_path / str(at)
        try:
            opened_with(path, at, lambda: limit((1, hard)))
        except JournalUnwritable:
            refused += 1
        finally:
            limit((soft, hard))
        written(path, 3)
        assert numbers(read_checked(path, KINDS)) == [1, 2, 3]
    assert 0 < refused < count


def test_what_was_appended_is_loaded_in_order_after_a_restart(path: Path) -> None:
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        journal.append(strokes(1, 3))
        journal.append([stroke(4, names=["Aiko", "Jörg", "あいこ"], deep={"x": [None, 0.25]})])
    with closing(Journal.open(path, KINDS, FixedWall(name="boot-2"))) as journal:
        journal.append([stroke(5)])
        entries = journal.load()
    assert numbers(entries) == [1, 2, 3, 4, 5]
    assert [entry.seq for entry in entries] == [1, 2, 3, 4, 5]
    assert entries[3].body["names"] == ["Aiko", "Jörg", "あいこ"]
    assert entries[3].body["deep"] == {"x": [None, 0.25]}


def test_instants_of_different_boots_are_told_apart(path: Path) -> None:
    written(path, 1)
    with closing(Journal.open(path, KINDS, FixedWall(name="boot-2"))) as journal:
        journal.append([Entry("note", 5, {})])
        entries = journal.load()
    assert [(entry.boot, entry.at_ns) for entry in entries] == [("boot-1", 1_000), ("boot-2", 5)]


def test_wall_time_is_a_note_with_a_mark_that_it_is_not_synchronised(path: Path) -> None:
    wall = FixedWall(wall_ns=41)
    with closing(Journal.open(path, KINDS, wall)) as journal:
        journal.append([stroke(1)])
        wall.known = True
        journal.append([stroke(2)])
        entries = journal.load()
    assert [(entry.wall_ns, entry.synchronised) for entry in entries] == [(42, False), (43, True)]


def test_the_machines_own_clock_names_its_boot_and_goes_forward() -> None:
    wall = SystemWall()
    assert wall.boot() == SystemWall().boot()
    assert len(wall.boot()) == 36
    assert isinstance(wall.synchronised(), bool)
    assert wall.now_ns() > FixedWall().wall_ns


def test_every_kind_of_the_boards_entries_has_its_check(path: Path) -> None:
    assert set(BOARD_KINDS) == {kind.value for kind in EntryKind}
    with closing(Journal.open(path, BOARD_KINDS, FixedWall())) as journal:
        journal.append([JournalEntry(EntryKind.CLOCK, 7, {"used_ns": 5})])
        with pytest.raises(BadEntry, match="used_ns"):
            journal.append([JournalEntry(EntryKind.CLOCK, 8, {})])
        (entry,) = journal.load()
    assert (entry.kind, dict(entry.body)) == ("clock", {"used_ns": 5})


NO_INTEGER: Any = 1.0
NO_MAPPING: Any = [1]


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (Entry("strike", 1, {}), "unknown kind of entry 'strike'; known: note, stroke"),
        (Entry("stroke", 1, {"n": "seven"}), "stroke: needs a whole number n, found 'seven'"),
        (Entry("note", 1, {"x": float("nan")}), "note: the body is no JSON"),
        (Entry("note", 1, {"x": {1, 2}}), "note: the body is no JSON"),
        (Entry("note", 1, {"x": "\ud800"}), "note: the body is no JSON"),
        (Entry("note", 1, {"x": {5: 1}}), "note: the body is no JSON"),
        (Entry("note", 2**63, {}), "note: at_ns must be a 64-bit integer"),
        (Entry("note", NO_INTEGER, {}), "note: at_ns must be a 64-bit integer"),
        (Entry("note", 1, NO_MAPPING), "note: the body must be a mapping"),
    ],
)
def test_one_bad_entry_refuses_the_whole_append(path: Path, bad: Entry, says: str) -> None:
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        journal.append([stroke(1)])
        with pytest.raises(BadEntry, match=says):
            journal.append([stroke(2), bad, stroke(3)])
        journal.append([stroke(4)])
        assert numbers(journal.load()) == [1, 4]


def test_an_append_of_nothing_writes_nothing(path: Path) -> None:
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        assert journal.append([]) == ()
        assert journal.load() == ()


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("aé漢b"), inner),
    max_leaves=12,
)


@given(JSON_VALUES)
def test_canonical_json_is_read_back_to_the_same_value_and_text(value: Any) -> None:
    import json

    text = write_json(value)
    assert json.loads(text) == value
    assert write_json(json.loads(text)) == text


def test_read_only_mappings_and_tuples_are_json_too() -> None:
    assert write_json(MappingProxyType({"b": (1, 2), "a": None})) == '{"a":null,"b":[1,2]}'


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET body = '{}'",
        "DELETE FROM entries WHERE seq = 3",
        "INSERT OR REPLACE INTO entries SELECT seq, boot, at_ns, wall_ns, 1, kind, body, chain"
        " FROM entries WHERE seq = 2",
        "INSERT INTO entries SELECT 9, boot, at_ns, wall_ns, 1, kind, body, chain"
        " FROM entries WHERE seq = 3",
    ],
)
def test_the_file_itself_refuses_to_change_or_reorder(path: Path, statement: str) -> None:
    written(path, 3)
    with closing(sqlite3.connect(path)) as connection:
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            connection.execute(statement)
        connection.rollback()
    assert numbers(read_checked(path, KINDS)) == [1, 2, 3]


@pytest.mark.parametrize(
    ("statement", "good"),
    [
        ("UPDATE entries SET body = '{\"n\":7}' WHERE seq = 3", 2),
        ("UPDATE entries SET at_ns = at_ns + 1 WHERE seq = 2", 1),
        ("UPDATE entries SET wall_ns = 0 WHERE seq = 4", 3),
        ("UPDATE entries SET boot = 'other' WHERE seq = 1", 0),
        ("UPDATE entries SET synchronised = 1 WHERE seq = 5", 4),
        ("UPDATE entries SET kind = 'note' WHERE seq = 3", 2),
        ("DELETE FROM entries WHERE seq = 3", 2),
        ("DELETE FROM entries WHERE seq = 5", 4),
        ("DELETE FROM entries", 0),
        ("UPDATE entries SET seq = CASE seq WHEN 2 THEN -3 WHEN 3 THEN -2 ELSE seq END", 0),
    ],
)
def test_a_changed_missing_or_reordered_row_is_noticed(
    path: Path, statement: str, good: int
) -> None:
    written(path, 5)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type='trigger'")
        found = triggers.fetchall()
        for name, _ in found:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(statement)
        for _, sql in found:
            connection.execute(sql)
    with pytest.raises(JournalDamaged) as damage:
        Journal.open(path, KINDS, FixedWall())
    assert numbers(damage.value.good) == list(range(1, good + 1))


def test_a_dropped_trigger_is_noticed(path: Path) -> None:
    written(path, 2)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER no_delete")
    with pytest.raises(JournalDamaged, match="tables or triggers"):
        Journal.open(path, KINDS, FixedWall())


def test_an_entry_that_this_version_does_not_know_stays_and_is_written_after(path: Path) -> None:
    written(path, 2)
    older: Kinds = {"note": KINDS["note"]}
    with closing(Journal.open(path, older, FixedWall())) as journal:
        assert [entry.unknown for entry in journal.load()] == [
            "this version does not know this kind"
        ] * 2
        journal.append([Entry("note", 9, {})])
    known = read_checked(path, KINDS)
    assert numbers(known[:2]) == [1, 2]
    assert [entry.unknown for entry in known] == ["", "", ""]


def test_a_second_process_is_refused_and_told_who_has_the_journal(path: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from jackspot.storage.journal import Journal\n"
        "from tests.storage.support import KINDS, FixedWall\n"
        "journal = Journal.open(Path(sys.argv[1]), KINDS, FixedWall())\n"
        "print('open', flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={"PYTHONPATH": ":".join(sys.path)},
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == b"open\n"
        with pytest.raises(JournalBusy, match=rf"process {first.pid}\b.*stop it first"):
            Journal.open(path, KINDS, FixedWall())
        first.kill()
    Journal.open(path, KINDS, FixedWall()).close()


def test_a_refused_second_opening_leaves_the_first_one_working(path: Path) -> None:
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        with pytest.raises(JournalBusy):
            Journal.open(path, KINDS, FixedWall())
        journal.append([stroke(1)])
        assert numbers(journal.load()) == [1]


def test_every_append_is_forced_to_the_disk(path: Path) -> None:
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        connection = journal._connection
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == (b"wal",)
        assert connection.execute("PRAGMA application_id").fetchone() == (0x4A4B5350,)


def test_what_need_not_be_forced_can_be_read_at_once_and_its_mark_waits(path: Path) -> None:
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        journal.append([stroke(1)])
        first = journal.head
        for number in (2, 3):
            journal.write(seal(journal.head, [stroke(number)], KINDS, FixedWall()), forced=False)
            assert numbers(read_checked(path, KINDS)) == list(range(1, number + 1))
        assert read_mark(path) == first
        journal.append([stroke(4)])
        assert read_mark(path) == journal.head
        assert journal._connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_where_what_need_not_be_forced_is_refused_the_next_is_forced_all_the_same(
    path: Path,
) -> None:
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        sealed = seal(journal.head, [stroke(1)], KINDS, FixedWall())
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(JournalUnwritable):
                journal.write(sealed, forced=False)
            other.execute("ROLLBACK")
        assert journal._connection.execute("PRAGMA synchronous").fetchone() == (2,)
        journal.write(sealed)
    assert numbers(read_checked(path, KINDS)) == [1]


@pytest.mark.parametrize("kept", [1, 2, 3])
def test_what_the_power_takes_of_entries_that_were_not_forced_is_missed_by_nobody(
    path: Path, kept: int
) -> None:
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        journal.append([stroke(1)])
        for number in (2, 3):
            journal.write(seal(journal.head, [stroke(number)], KINDS, FixedWall()), forced=False)
        left = {each: each.read_bytes() for each in path.parent.iterdir()}
    for each, data in left.items():
        each.write_bytes(data)
    log = log_path(path)
    log.write_bytes(log.read_bytes()[: 32 + kept * (24 + PAGE_BYTES)])  # a frame for each
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        assert numbers(journal.load()) == list(range(1, kept + 1))
        journal.append([stroke(9)])
    assert numbers(read_checked(path, KINDS))[-1] == 9


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"n": 1}', "is not written as this program writes it"),
        ('{"z":1,"n":1}', "is not written as this program writes it"),
        ("[1]", "is not written as this program writes it"),
        ("7", "is not written as this program writes it"),
        ("{", "is no JSON"),
        ('{"n":NaN}', "is no JSON"),
    ],
)
def test_a_body_whose_checksum_is_right_is_refused_where_it_is_not_canonical(text, why) -> None:
    chain = link(Head().chain, (1, "boot-1", 2, 3, True, "note", text))
    row = (1, b"boot-1", 2, 3, 1, b"note", text.encode(), chain)
    with pytest.raises(Broken, match=f"entry 1: the body {why}"):
        list(unseal([row], KINDS))


@pytest.mark.parametrize(
    ("place", "value", "why"),
    [
        (0, 2, "entry 1 is missing"),
        (1, None, "wrong type"),
        (2, "2", "wrong type"),
        (3, 3.0, "wrong type"),
        (5, "note", "wrong type"),
        (6, 7, "wrong type"),
        (7, None, "wrong type"),
        (5, b"\xff", "no UTF-8"),
        (2, 4, "checksum"),
        (4, 0, "checksum"),
    ],
)
def test_a_row_that_is_not_what_was_written_is_refused(place: int, value: object, why) -> None:
    chain = link(Head().chain, (1, "boot-1", 2, 3, True, "note", "{}"))
    row: list[object] = [1, b"boot-1", 2, 3, 1, b"note", b"{}", chain]
    assert list(unseal([row], KINDS))
    row[place] = value
    with pytest.raises(Broken, match=why):
        list(unseal([row], KINDS))


def test_the_log_is_as_long_from_the_start_as_it_ever_gets(path: Path) -> None:
    """Forcing a growing file to the disk also makes the file system write its own journal."""
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        assert not log_holds_anything(path)
        sizes = set()
        for number in range(1, 5 * FOLD_ENTRIES):
            journal.append([stroke(number, names=["x" * (PAGE_BYTES // 2)])])
            if not journal.is_settled:
                journal.settle(at_rest=True)
            sizes.add(log_path(path).stat().st_size)
        assert sizes == {LOG_BYTES}
        assert log_holds_anything(path)
    assert not log_path(path).exists()


def test_at_rest_a_long_log_is_folded_so_that_no_append_has_to(path: Path) -> None:
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        for number in range(1, FOLD_ENTRIES):
            journal.append([stroke(number)])
        settled = [journal.is_settled]
        short = path.stat().st_size
        journal.append([stroke(FOLD_ENTRIES)])
        settled.append(journal.is_settled)
        assert path.stat().st_size == short, "nothing is in the file yet"
        journal.settle(at_rest=True)
        assert [*settled, journal.is_settled] == [True, False, True]
        log_path(path).write_bytes(b"")  # all of it is in the file now
        assert numbers(read_backup(path, KINDS)) == list(range(1, FOLD_ENTRIES + 1))


def test_a_log_that_is_being_read_is_folded_as_far_as_it_may_be_and_later_whole(
    path: Path,
) -> None:
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        journal.append([stroke(1)])
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            assert reader.execute("SELECT count(*) FROM entries").fetchone() == (1,)
            journal.append(strokes(2, FOLD_ENTRIES))
            journal.settle(at_rest=True)
            assert reader.execute("SELECT count(*) FROM entries").fetchone() == (1,)
            assert numbers(read_checked(path, KINDS)) == list(range(1, FOLD_ENTRIES + 1))
        journal.append(strokes(FOLD_ENTRIES + 1, 2 * FOLD_ENTRIES))
        journal.settle(at_rest=True)
    assert numbers(read_checked(path, KINDS)) == list(range(1, 2 * FOLD_ENTRIES + 1))


def test_a_file_with_large_pages_keeps_them_and_goes_on(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New files used to have pages of 4,096 bytes."""
    _, large = PAGE_SIZES
    with monkeypatch.context() as before:
        before.setattr(database, "PAGE_BYTES", large)
        written(path, 2)
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        for number in range(3, 3 * FOLD_ENTRIES):
            journal.append([stroke(number)])
            if not journal.is_settled:
                journal.settle(at_rest=True)
        known = journal.head.seq
    assert numbers(read_checked(path, KINDS)) == list(range(1, known + 1))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA page_size").fetchone() == (large,)


def test_where_little_room_is_left_the_log_takes_none_of_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "ROOM_BYTES", 1 << 60)
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        assert log_path(path).stat().st_size == 0
        journal.append([stroke(1)])
        assert numbers(journal.load()) == [1]


def test_a_folder_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(JournalUnwritable, match="nowhere") as error:
        Journal.open(tmp_path / "nowhere" / "journal.db", KINDS, FixedWall())
    assert error.value.short == "folder missing"


def test_a_reader_sees_the_journal_while_it_is_being_written(path: Path) -> None:
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        for number in range(1, 4):
            journal.append([stroke(number)])
            assert numbers(read_checked(path, KINDS)) == list(range(1, number + 1))


@pytest.mark.parametrize("nested", [40, 300])
def test_a_body_that_is_nested_too_deeply_is_refused_and_is_damage_where_it_stands(
    nested: int, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code that walks through a body may do so by recursion."""
    lists: Any = []
    for _ in range(nested):
        lists = [lists]
    wide = [[each] for each in range(200)]
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        journal.append([stroke(1, many=wide)])
        if nested < FEW_NESTINGS:
            journal.append([stroke(2, deep=lists)])
            assert len(journal.load()) == 2
            return
        with pytest.raises(BadEntry, match="in each other"):
            journal.append([stroke(2, deep=lists)])
        with monkeypatch.context() as patched:
            patched.setattr("jackspot.storage.entries.FEW_NESTINGS", 1_000)
            journal.append([stroke(2, deep=lists)])
        with pytest.raises(JournalDamaged, match="in each other"):
            journal.load()


def test_a_log_grows_where_nobody_rests_and_a_fold_that_fails_loses_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_connection: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("jackspot.storage.journal.fold", refuse)
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        for number in range(1, 3 * FOLD_ENTRIES):
            sealed = seal(journal.head, [stroke(number)], KINDS, FixedWall())
            journal.write(sealed, forced=False)
            journal.settle(at_rest=number % 7 == 0)
            assert read_mark(path) == journal.head, "it is forced all the same"
    assert numbers(read_checked(path, KINDS)) == list(range(1, 3 * FOLD_ENTRIES))


def test_what_a_killed_process_did_not_force_is_forced_before_the_mark_says_so(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        journal.write(seal(journal.head, strokes(1, 3), KINDS, FixedWall()), forced=False)
        killed = {each: each.read_bytes() for each in path.parent.iterdir()}
    for each, data in killed.items():
        each.write_bytes(data)
    marks: list[Head | None] = []
    monkeypatch.setattr(
        "jackspot.storage.journal.force_file", lambda _file: marks.append(read_mark(path))
    )
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        assert [mark.seq for mark in marks if mark] == [0]
        assert read_mark(path) == journal.head


def test_reading_in_the_writers_own_process_leaves_its_log_to_it(path: Path) -> None:
    """A program that takes itself for the last one with the file would delete its log."""
    other = f"import sqlite3; sqlite3.connect({str(path)!r}).execute('SELECT * FROM entries')"
    with closing(Journal.open(path, KINDS, FixedWall())) as journal:
        journal.append([stroke(1)])
        with reading(path) as there:
            assert there.execute("SELECT count(*) FROM entries").fetchone() == (1,)
        subprocess.run([sys.executable, "-c", other], check=True)
        assert log_path(path).exists()
        journal.append([stroke(2)])
        assert numbers(read_checked(path, KINDS)) == [1, 2]
