"""The history of a journal: read in pieces beside its writer, with an index that may be lost."""

from __future__ import annotations

import resource
import sqlite3
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from jackspot.assembly import KINDS
from jackspot.dialogue.state.entries import EntryKind
from jackspot.history import index as history
from jackspot.history.archive import Archive, Wanted, figures
from jackspot.history.index import History, NoSuchMatch, index_path
from jackspot.storage.entries import Sealed
from jackspot.storage.errors import JournalDamaged
from jackspot.storage.journal import Journal
from jackspot.storage.wall_clock import SystemWall
from tests.history.journals import DAY, Book

PAIR = {"N": "Aiko", "S": "Ben"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


def one_match(book: Book, *entries: str, names: dict[str, str] | None = None) -> None:
    book.match(names=PAIR if names is None else names)
    for entry in entries or ("N red@NE", "N -"):
        book.line(entry)


def test_a_match_is_listed_while_it_is_played(path: Path) -> None:
    archive = Archive(path)
    assert archive.matches() == []
    with Book(path) as book:
        one_match(book)
        [match] = archive.matches()
        assert (match["number"], match["strokes"], match["over"]) == (1, 2, False)
        assert [seat["name"] for seat in match["seats"]] == ["Aiko", "Ben"]
        book.line("S green@SE")
        assert archive.matches()[0]["strokes"] == 3
        assert archive.match(1)["record"].endswith("N red@NE\nN -\nS green@SE\n")


def test_only_what_is_new_is_read_again(path: Path) -> None:
    summed: list[int] = []

    def summarise(entries: Sealed) -> dict[str, int]:
        summed.append(entries[0].seq)
        return {"entries": len(entries)}

    plain = History(path, summarise)
    with Book(path) as book:
        for _ in range(3):
            one_match(book)
            book.shelve()
        plain.summaries()
        assert sorted(summed) == [1, 6, 11]
        summed.clear()
        plain.summaries()
        assert summed == []
        one_match(book)
        plain.summaries()
        assert summed == [16]
        summed.clear()
        book.dialogue(PAIR)
        plain.summaries()
        assert summed == []  # what is open changes no summary
        assert plain.entries(4)[-1].kind == EntryKind.DESK  # but it is read with its match
        assert [each.seq for each in plain.beginnings()] == [1]
        book.write(EntryKind.RESTORED)
        plain.summaries()
        assert summed == []  # nor does the entry of a restored journal
        assert [each.kind for each in plain.beginnings()] == [EntryKind.MATCH, EntryKind.RESTORED]


def test_a_journal_without_an_entry_has_no_beginnings(path: Path) -> None:
    with Book(path):
        assert History(path, lambda _entries: {}).beginnings() == ()


def test_a_match_that_comes_back_is_one_match(path: Path) -> None:
    with Book(path) as book:
        one_match(book)
        book.shelve()
        book.match()
        archive = Archive(path)
        assert len(archive.matches()) == 2
        book.write(EntryKind.DISCARD)
        book.write(EntryKind.BACK)
        book.line("S -")
        [match] = archive.matches()
        assert match["strokes"] == 3
        assert [line["entries"] for line in archive.match(1)["lines"]] == [
            ["N red@NE"], ["N -"], ["S -"],
        ]  # fmt: skip


@pytest.mark.parametrize("harm", ["missing", "garbage", "other version", "cut off"])
def test_an_index_that_is_not_good_is_made_anew(path: Path, harm: str) -> None:
    with Book(path) as book:
        one_match(book)
    before = Archive(path).matches()
    index = index_path(path)
    if harm == "missing":
        index.unlink()
    elif harm == "garbage":
        index.write_bytes(b"no database at all" * 100)
    elif harm == "cut off":
        index.write_bytes(index.read_bytes()[:5000])
    else:
        with closing(sqlite3.connect(index)) as connection:
            connection.execute("PRAGMA user_version=99")
    assert Archive(path).matches() == before


def test_an_index_with_a_bad_page_is_made_anew_and_not_taken_for_a_damaged_journal(
    path: Path,
) -> None:
    with Book(path) as book:
        for _ in range(12):
            one_match(book)
    before = Archive(path).matches()
    index, page = index_path(path), 4_096
    good = index.read_bytes()
    for at in range(page, len(good), page):
        index.write_bytes(good[:at] + b"\xff" * page + good[at + page :])
        assert Archive(path).matches() == before


@pytest.mark.parametrize(
    ("name", "value"), [("open", "[1,"), ("open", "7"), ("seq", "many"), ("chain", "x")]
)
def test_an_index_that_says_nonsense_is_made_anew(path: Path, name: str, value: str) -> None:
    with Book(path) as book:
        one_match(book)
    before = Archive(path).matches()
    with closing(sqlite3.connect(index_path(path), isolation_level=None)) as index:
        index.execute("UPDATE told SET value = ? WHERE name = ?", (value, name))
    for _ in range(2):
        assert Archive(path).matches() == before


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE matches SET summary = substr(summary, 1, 40)",
        "UPDATE matches SET summary = replace(summary, '\"seats\"', '\"seavs\"')",
        "UPDATE matches SET summary = replace(summary, 'Aiko', 'Aiku')",
        "UPDATE matches SET summary = NULL",
        "UPDATE matches SET spans = '[[1,2]]'",
        "UPDATE matches SET number = 8",
        "UPDATE told SET value = '[null, null]' WHERE name = 'open'",
        "DELETE FROM matches",
    ],
)
def test_an_index_that_is_not_what_was_written_is_made_anew(path: Path, harm: str) -> None:
    """As after a bit has flipped on the card: SQLite has no checksums of its own."""
    with Book(path) as book:
        one_match(book)
        before = Archive(path).matches()
        with closing(sqlite3.connect(index_path(path), isolation_level=None)) as index:
            index.execute(harm)
        for _ in range(2):
            assert Archive(path).matches() == before
        with closing(sqlite3.connect(index_path(path))) as index:
            assert len(index.execute("SELECT summary FROM matches").fetchall()) == 1
        book.line("S green@SE")
        assert [match["strokes"] for match in Archive(path).matches()] == [3]


def test_on_a_full_disk_history_is_read_all_the_same(path: Path) -> None:
    with Book(path) as book:
        one_match(book)
        Archive(path).matches()
        one_match(book)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
        try:
            assert len(Archive(path).matches()) == 2
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_the_index_of_another_journal_is_not_believed(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite3"
    with Book(path) as book, Book(other) as another:
        one_match(book)
        one_match(another, "N green@NE", names={"N": "Chika"})
    Archive(path).matches()
    index_path(other).write_bytes(index_path(path).read_bytes())
    [match] = Archive(other).matches()
    assert match["seats"][0]["name"] == "Chika"


def test_where_no_index_can_be_written_history_is_read_all_the_same(path: Path) -> None:
    with Book(path) as book:
        one_match(book)
    index_path(path).mkdir()
    assert len(Archive(path).matches()) == 1


def test_a_reader_does_not_keep_the_writer_waiting(path: Path) -> None:
    """Entries are written durably in the middle of a read, without any wait for the reader."""
    written = []

    def write_meanwhile() -> None:
        written.append(book.keeper.waiting)
        book.line("S -" if len(written) % 2 else "N -")
        assert book.keeper.waiting == 0

    with Book(path) as book:
        one_match(book)
        book.line("S -")
        reader = Archive(path, pause=write_meanwhile)
        reader.matches()
        assert written
        assert reader.matches()[0]["strokes"] > 3
        assert book.keeper.notices == ()


def test_an_entry_that_was_changed_on_the_disk_is_found(path: Path) -> None:
    with Book(path) as book:
        one_match(book)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TRIGGER no_update")
        connection.execute("UPDATE entries SET body = replace(body, 'red', 'green') WHERE seq = 3")
        connection.commit()
    with pytest.raises(JournalDamaged, match="entry 3"):
        Archive(path).matches()


def test_no_other_number_than_those_listed_is_a_match(path: Path) -> None:
    with Book(path) as book:
        one_match(book)
    with pytest.raises(NoSuchMatch, match="no match 2"):
        Archive(path).match(2)


def test_a_header_that_cannot_be_read_is_listed_and_hides_no_other(path: Path) -> None:
    with Book(path) as book:
        book.write(EntryKind.MATCH, header='rules = "whist"\n---\n')
        one_match(book)
    first, second = Archive(path).matches()
    assert "whist" in first["unreadable"]
    assert second["strokes"] == 2
    assert [each["name"] for each in figures([first, second])["players"]] == ["Aiko", "Ben"]


def test_matches_are_chosen_by_player_and_by_day(path: Path) -> None:
    with Book(path) as book:
        for name, days in (("Aiko", 0), ("Ben", 1), ("Aiko", 1)):
            book.wall.wall_ns += days * DAY
            one_match(book, names={"N": name})
    archive = Archive(path)

    def numbers(**wanted: Any) -> list[int]:
        return [match["number"] for match in archive.matches(Wanted(**wanted))]

    assert numbers(player=" AIKO ") == [1, 3]
    assert numbers(player="Ai") == []
    assert numbers(since=date(2026, 5, 3)) == [2, 3]
    assert numbers(until=date(2026, 5, 3)) == [1, 2]
    assert numbers(player="Aiko", since=date(2026, 5, 3), until=date(2026, 5, 4)) == [3]


def test_a_long_journal_is_read_in_pieces(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "ROWS_AT_ONCE", 3)
    with Book(path) as book:
        one_match(book)
        one_match(book)
    assert [match["strokes"] for match in Archive(path).matches()] == [2, 2]


def test_reading_leaves_the_journal_as_it_was(path: Path) -> None:
    with Book(path) as book:
        one_match(book)
    before = path.read_bytes()
    Archive(path).matches()
    assert path.read_bytes() == before
    journal = Journal.open(path, KINDS, SystemWall())
    assert len(journal.load()) == 4
    journal.close()
