"""Names of old matches, which the board forgets on its own."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from jackspot.assembly import KINDS
from jackspot.dialogue.state.entries import EntryKind
from jackspot.history.archive import Archive
from jackspot.ops.forgetting.retention import Daily, forget_old
from jackspot.storage.backups import Backups
from jackspot.storage.journal import read_checked
from tests.conftest import PATIENCE_S
from tests.history.journals import DAY, Book, StillWall
from tests.ops.forgetting_bench import (
    NAME,
    holding,
    make_folder,
    write_failure,
    write_matches,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite3"


@pytest.mark.fails_inside
def test_an_old_failure_of_the_program_quotes_nobody(path: Path) -> None:
    write_failure(path)
    now = StillWall(read_checked(path, None)[-1].wall_ns + 40 * DAY)
    assert forget_old(path, now, 30) == 4
    assert [holding(path.parent, name) for name in (NAME, "Benno", "Chika")] == [[], [], []]
    assert forget_old(path, now, 30) == 0


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


YEAR = 365 * DAY


@pytest.mark.parametrize("wrong", [-20 * YEAR, -YEAR, -100 * DAY])
def test_a_time_that_goes_back_makes_no_name_old(path: Path, wrong: int) -> None:
    """As where a phone in a hall without a network gives the board a wrong year."""
    write_matches(path)
    with Book(path, StillWall()) as book:
        now = StillWall(book.wall.wall_ns + 2 * DAY)
        book.wall.wall_ns += wrong
        book.match(names={"N": NAME})
        assert book.keeper.back_up() is not None
        book.shelve()
    before = holding(path.parent)
    assert forget_old(path, now, 30) == 0
    assert holding(path.parent) == before
    later = StillWall(now.wall_ns + 40 * DAY)
    assert forget_old(path, later, 30) > 0, "by then what was written before is old"
    assert holding(path.parent) == []


@pytest.mark.parametrize("wrong", [YEAR, 20 * YEAR])
def test_a_time_that_is_still_to_come_keeps_no_name_for_ever(path: Path, wrong: int) -> None:
    write_matches(path)
    with Book(path, StillWall()) as book:
        right = book.wall.wall_ns
        book.wall.wall_ns += wrong
        book.shelve()
        book.wall.wall_ns = right + DAY
        book.shelve()
    assert forget_old(path, StillWall(right + 2 * DAY), 30) == 0
    assert forget_old(path, StillWall(right + 40 * DAY), 30) > 0
    assert holding(path.parent) == []


@pytest.mark.parametrize("back", [0, YEAR])
def test_what_only_a_copy_still_has_is_as_old_as_the_newest_before_it(
    path: Path, back: int
) -> None:
    write_matches(path)
    with Book(path, StillWall()) as book:
        now = StillWall(book.wall.wall_ns + 40 * DAY)
        if back:
            book.wall.wall_ns = now.wall_ns - DAY
            book.shelve()
        book.wall.wall_ns -= back
        book.match(names={"N": "Dora"})
        book.shelve()
        assert book.keeper.back_up() is not None
    for each in (path, path.with_name(f"{path.name}.mark")):
        each.unlink()
    with Book(path, StillWall(name="boot-2")) as book:
        book.shelve()
    forget_old(path, now, 30)
    assert bool(holding(path.parent, "Dora")) is bool(back)


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
