"""Read the matches of a journal, even while a board writes it, without making it wait.

Theory of operation. A list of matches would need the whole journal, so what was read once is kept
in an index beside it (``journal.sqlite3.history``): how far the journal was read, where each match
is in it, and a summary of each. The next query reads only what is new, and sums up only matches
that went on. The index can be deleted at any time. One that does not match this journal, because
that was restored or names were taken out of it, is rebuilt. So is one that does not match its own
checksum, as after a bit has flipped on a card.

The journal is opened read-only, on a separate connection and for a moment at a time. With a
write-ahead log, readers and the writer do not wait for each other, and no read lasts so long that
the log could not be folded into the file. If the index cannot be written (another user's folder, a
full disk), it is kept in memory this time.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from jackspot.dialogue.state.entries import EntryKind
from jackspot.history.chronicle import Chapters, Span
from jackspot.storage.database import connect, reading, refuse_pipes, told
from jackspot.storage.entries import Broken, Head, Kinds, Sealed, StoredEntry, unseal
from jackspot.storage.errors import JournalDamaged, JournalError

VERSION = 4
"""The version of the index and its summaries: an index of another version is rebuilt."""
LARGEST = (1 << 63) - 1
"""The largest number that SQLite has."""
ROWS_AT_ONCE = 20_000
BUSY_TIMEOUT_MS = 5_000
"""How long one reader waits for another that updates the index."""

Summary = Mapping[str, Any]
Summarise = Callable[[Sealed], Summary]
"""Returns the summary of a match from its entries, as plain JSON."""

SCHEMA = (
    "CREATE TABLE told (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    "CREATE TABLE matches (number INTEGER PRIMARY KEY, spans TEXT NOT NULL, summary TEXT) STRICT",
)
QUIET = frozenset(
    {
        EntryKind.DESK,
        EntryKind.CLOCK,
        EntryKind.FAULT,
        EntryKind.CLEARED,
        EntryKind.SWALLOWED,
        EntryKind.RESTORED,
    }
)
"""Kinds of entries that change nothing in a summary."""


def index_path(journal: Path) -> Path:
    """Return the path of the index of a journal's matches."""
    return journal.with_name(journal.name + ".history")


def kept_summaries(index: Path) -> tuple[str, ...]:
    """Return the summaries in an index as they stand there, as JSON, in date or not.

    Raises sqlite3.Error or OSError if it cannot be read, and UnicodeError for nonsense.
    """
    with closing(connect(index, "mode=ro")) as connection:
        rows = connection.execute("SELECT summary FROM matches WHERE summary IS NOT NULL")
        return tuple(text.decode() for (text,) in rows)


class NoSuchMatch(LookupError):
    """No match of this journal has this number."""


class _Read(Struct):
    """How far the journal was read, and the matches found so far."""

    chapters: Chapters
    head: Head


class History:
    """The matches of one journal. ``pause`` is called now and then during long work.

    All methods open what they need and close it again; they raise JournalError if the journal
    cannot be read. Use it from one thread at a time.
    """

    def __init__(
        self,
        journal: Path,
        summarise: Summarise,
        kinds: Kinds | None = None,
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        self._journal = journal
        self._summarise = summarise
        self._kinds = kinds
        self._pause = pause

    def summaries(self) -> tuple[Summary, ...]:
        """Return a summary of each match with its ``number``, oldest first."""
        with self._index() as index:
            rows = index.execute("SELECT number, summary FROM matches ORDER BY number")
            return tuple({"number": number, **json.loads(text)} for number, text in rows)

    def after(self, seq: int) -> tuple[int, ...]:
        """Return the numbers of the matches that have entries after this one, oldest first."""
        with self._index() as index:
            rows = index.execute("SELECT number, spans FROM matches ORDER BY number")
            spans = [(number, json.loads(text)) for number, text in rows]
        return tuple(number for number, each in spans if each[-1][1] > seq)

    def beginnings(self) -> Sealed:
        """Return, checked, the journal's first entry and every one that says it was restored."""
        with told(self._journal), reading(self._journal) as journal:
            rows = journal.execute(
                "SELECT seq FROM entries WHERE seq = 1 OR kind = ? ORDER BY seq",
                (EntryKind.RESTORED.value,),
            ).fetchall()
            return self._read(journal, [(seq, seq) for (seq,) in rows])

    def entries(self, number: int) -> Sealed:
        """Return the entries of one match, checked. Raises NoSuchMatch."""
        if number > LARGEST:
            raise NoSuchMatch(f"there is no match {number}")
        with self._index() as index:
            row = index.execute("SELECT spans FROM matches WHERE number = ?", (number,)).fetchone()
        if row is None:
            raise NoSuchMatch(f"there is no match {number}")
        with told(self._journal), reading(self._journal) as journal:
            return self._read(journal, [(first, last) for first, last in json.loads(row[0])])

    @contextmanager
    def _index(self) -> Iterator[sqlite3.Connection]:
        """Open the index, up to date; keep it in memory if it cannot be written."""
        path = index_path(self._journal)
        try:
            index = self._brought_up_to_date(_opened(path))
        except (sqlite3.Error, JournalError) as error:
            if isinstance(error, JournalDamaged):  # perhaps by its index, which only repeats it
                _forget(path)
            with told(self._journal):  # also where a disk is full, which shows only in writing
                index = self._brought_up_to_date(_in_memory(path))
        with closing(index):
            try:
                with told(self._journal):
                    yield index
            except JournalDamaged:
                _forget(path)
                raise
            with suppress(sqlite3.Error):  # what cannot be saved is read again the next time
                index.execute("COMMIT")

    def _brought_up_to_date(self, index: sqlite3.Connection) -> sqlite3.Connection:
        """Read into an index what is new in the journal; close it if that fails."""
        try:
            self._bring_up_to_date(index)
        except BaseException:
            index.close()
            raise
        return index

    def _bring_up_to_date(self, index: sqlite3.Connection) -> None:
        """Read what is new in the journal, and sum up the matches that continued."""
        with reading(self._journal) as journal:
            read = _left_off(index, journal)
            began = read.head
            changed: set[int] = set()
            (end,) = journal.execute("SELECT coalesce(max(seq), 0) FROM entries").fetchone()
            while rows := journal.execute(
                "SELECT seq, kind, chain FROM entries WHERE seq > ? AND seq <= ? ORDER BY seq"
                " LIMIT ?",
                (read.head.seq, end, ROWS_AT_ONCE),
            ).fetchall():
                for seq, kind_b, _chain in rows:
                    kind = kind_b.decode("utf-8", "replace")
                    number = read.chapters.read_on(seq, kind)
                    if number is not None and kind not in QUIET:
                        changed.add(number)
                read.head = Head(rows[-1][0], rows[-1][2])
                self._pause()
            for number in changed & read.chapters.spans.keys():
                entries = self._read(journal, read.chapters.spans[number])
                _keep_match(index, number, read.chapters.spans[number], self._summarise(entries))
                self._pause()
            if read.head != began or not read.head.seq:
                _keep_place(index, read)

    def _read(self, journal: sqlite3.Connection, spans: Sequence[Span]) -> Sealed:
        """Read pieces of the journal, each checked against the entry before it."""
        found: list[StoredEntry] = []
        for first, last in spans:
            before = journal.execute(
                "SELECT seq, chain FROM entries WHERE seq = ?", (first - 1,)
            ).fetchone()
            rows = journal.execute(
                "SELECT seq, boot, at_ns, wall_ns, synchronised, kind, body, chain FROM entries"
                " WHERE seq BETWEEN ? AND ? ORDER BY seq",
                (first, last),
            )
            try:
                found += unseal(rows, self._kinds, Head(*before) if before else None)
            except Broken as error:
                raise JournalDamaged(self._journal, str(error), tuple(found)) from error
        return tuple(found)


def _opened(path: Path) -> sqlite3.Connection:
    """Open the index's file, or make one; sqlite3.Error if it cannot be written."""
    try:
        refuse_pipes(path)
    except OSError as error:
        raise sqlite3.OperationalError(str(error)) from error
    index = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        index.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        _begin(index)
    except sqlite3.DatabaseError as error:
        index.close()
        if isinstance(error, sqlite3.OperationalError):
            raise
        try:
            path.unlink(missing_ok=True)  # no longer a database: it only repeats the journal
        except OSError as stays:
            raise sqlite3.OperationalError(str(stays)) from error
        return _opened(path)
    return index


def _forget(path: Path) -> None:
    """Delete an index, if that is possible: it is made again from the journal."""
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _begin(index: sqlite3.Connection) -> None:
    """Begin a change, and make the tables if there are none of this version."""
    index.execute("BEGIN IMMEDIATE")
    (version,) = index.execute("PRAGMA user_version").fetchone()
    if version != VERSION:
        for (name,) in index.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table'"
        ).fetchall():
            index.execute(f'DROP TABLE "{name}"')
        for statement in SCHEMA:
            index.execute(statement)
        index.execute(f"PRAGMA user_version={VERSION}")


def _in_memory(path: Path) -> sqlite3.Connection:
    """Return an index in memory, with what can be read of the one in the file."""
    index = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with suppress(sqlite3.Error, OSError), closing(connect(path, "mode=ro")) as there:
        there.backup(index)
    try:
        _begin(index)
    except sqlite3.Error:
        index.close()
        index = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        _begin(index)
    return index


def _left_off(index: sqlite3.Connection, journal: sqlite3.Connection) -> _Read:
    """Return how far this journal was read; its beginning if the index is of another one."""
    rows = dict(index.execute("SELECT name, value FROM told"))
    try:
        return _as_told(rows, index, journal)
    except (KeyError, TypeError, ValueError) as error:
        raise sqlite3.DatabaseError(f"the index is not what was written: {error}") from error


def _as_told(
    rows: Mapping[str, str], index: sqlite3.Connection, journal: sqlite3.Connection
) -> _Read:
    """Return it by what the index says; KeyError, TypeError, ValueError if that is nonsense."""
    seq = int(rows.get("seq", 0))
    found = journal.execute("SELECT chain FROM entries WHERE seq = ?", (seq,)).fetchone()
    if found is None or found[0].hex() != rows.get("chain"):
        index.execute("DELETE FROM matches")
        return _Read(Chapters(), Head())
    if rows["checksum"] != _checksum(index):
        raise ValueError("its checksum does not match")
    spans = {
        number: [(first, last) for first, last in json.loads(text)]
        for number, text in index.execute("SELECT number, spans FROM matches")
    }
    current, previous = json.loads(rows["open"])
    return _Read(Chapters(spans, current, previous, seq), Head(seq, found[0]))


def _keep_match(
    index: sqlite3.Connection, number: int, spans: Sequence[Span], summary: Summary
) -> None:
    index.execute(
        "INSERT OR REPLACE INTO matches VALUES (?, ?, ?)",
        (number, json.dumps(spans), json.dumps(summary, ensure_ascii=False)),
    )


def _keep_place(index: sqlite3.Connection, read: _Read) -> None:
    """Save how far the journal was read, and where matches with only quiet new entries are."""
    chapters = read.chapters
    for (number,) in index.execute("SELECT number FROM matches").fetchall():
        if number not in chapters.spans:
            index.execute("DELETE FROM matches WHERE number = ?", (number,))
    for number in (chapters.current, chapters.previous):
        if number is None:
            continue
        index.execute(
            "UPDATE matches SET spans = ? WHERE number = ?",
            (json.dumps(chapters.spans[number]), number),
        )
    told_now = {
        "seq": str(read.head.seq),
        "chain": read.head.chain.hex(),
        "open": json.dumps([chapters.current, chapters.previous]),
    }
    index.executemany("INSERT OR REPLACE INTO told VALUES (?, ?)", told_now.items())
    index.execute("INSERT OR REPLACE INTO told VALUES ('checksum', ?)", (_checksum(index),))


def _checksum(index: sqlite3.Connection) -> str:
    """Return the CRC-32 of all that an index says."""
    checksum = 0
    for query in (
        "SELECT number, spans, summary FROM matches ORDER BY number",
        "SELECT name, value FROM told WHERE name != 'checksum' ORDER BY name",
    ):
        for row in index.execute(query):
            checksum = zlib.crc32("\t".join(map(str, row)).encode(), checksum)
    return f"{checksum:08x}"
