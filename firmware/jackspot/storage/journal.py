"""The journal: one append-only table of entries that survive a power cut.

:class:`Journal` is strict: whatever is wrong is raised. The loop uses a
:class:`jackspot.storage.keeper.Keeper`, which continues when the disk does not;
:mod:`jackspot.storage.recovery` deals with files that are not what they should be.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from jackspot.files import is_there
from jackspot.storage.database import (
    FOLD_ENTRIES,
    IN_USE,
    build,
    connect,
    connect_writer,
    fold,
    force_file,
    insert,
    last_head,
    log_holds_anything,
    log_path,
    read_file,
    refuse_read_only,
    sync_folder,
    told,
)
from jackspot.storage.entries import EntryToKeep, Head, Kinds, Sealed, StoredEntry, seal
from jackspot.storage.errors import JournalDamaged, JournalUnwritable
from jackspot.storage.high_water import Mark, read_mark
from jackspot.storage.lock import WriterLock
from jackspot.storage.wall_clock import Wall


class Journal:
    """An open journal, with the sole right to write to its file.

    It may be used from any thread, but only one at a time.
    """

    def __init__(
        self, path: Path, entries: Sealed, kinds: Kinds, wall: Wall, lock: WriterLock
    ) -> None:
        """Take over a file that was read and checked; callers use :meth:`open`."""
        self.path = path
        self._entries: Sealed | None = entries
        self._head = Head(entries[-1].seq, entries[-1].chain) if entries else Head()
        self._kinds = kinds
        self._wall = wall
        self._lock = lock
        with told(path):
            refuse_read_only(path)
            self._connection = connect_writer(path)
            if log_holds_anything(path):  # it may have entries that were not forced
                force_file(log_path(path))
        self._mark = Mark(path)
        self._mark.write(self._head)
        self._is_forced = True
        self._unfolded = 0

    @classmethod
    def open(cls, path: Path, kinds: Kinds, wall: Wall) -> Journal:
        """Open a journal and check every entry; create the journal if it is missing.

        Raises JournalBusy, JournalUnwritable, JournalForeign or JournalDamaged. A file that is not
        good is left unchanged.
        """
        with told(path):
            lock = WriterLock(path)
        try:
            return cls.open_locked(path, kinds, wall, lock)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def open_locked(cls, path: Path, kinds: Kinds, wall: Wall, lock: WriterLock) -> Journal:
        """Open as :meth:`open` does, with the lock already held."""
        with told(path):
            mark = read_mark(path)
            if not path.exists() and not log_holds_anything(path) and not (mark and mark.seq):
                build(path, ())
        return cls(path, read_checked(path, kinds), kinds, wall, lock)

    @property
    def head(self) -> Head:
        """The end of what is on the disk."""
        return self._head

    @property
    def is_settled(self) -> bool:
        """Whether everything written would survive a power cut, and the log is short."""
        return self._is_forced and self._unfolded < FOLD_ENTRIES

    def load(self) -> Sealed:
        """Return all entries, checked, oldest first. Those read at opening are released."""
        entries, self._entries = self._entries, None
        return entries if entries is not None else read_checked(self.path, self._kinds)

    def append(self, entries: Sequence[EntryToKeep]) -> Sealed:
        """Check, stamp and write entries, all or none; they are on the disk when this returns.

        Raises BadEntry before anything is written, JournalUnwritable if the disk does not take it.
        """
        sealed = seal(self._head, entries, self._kinds, self._wall)
        self.write(sealed)
        return sealed

    def write(self, sealed: Sealed, *, forced: bool = True) -> None:
        """Write entries sealed to this journal's head; they are on the disk when this returns.

        A power cut may lose those that are not ``forced``, until :meth:`settle` or a later forced
        write.
        """
        if not sealed:
            return
        assert sealed[0].seq == self._head.seq + 1, "entries must follow the journal's last one"
        with told(self.path):
            refuse_read_only(self.path)
            insert(self._connection, sealed, forced=forced)
            refuse_read_only(self.path)  # unknown since when: it counts as not written
        self._entries = None
        self._head = Head(sealed[-1].seq, sealed[-1].chain)
        self._unfolded += len(sealed)
        self._is_forced = forced
        if forced:
            self._mark.write(self._head)

    def settle(self, *, at_rest: bool) -> None:
        """Force to the disk what was written without being forced; fold a long log if ``at_rest``.

        Folding takes so long that no stroke should wait for it. If it fails, the log goes on: it
        takes entries even where the file cannot grow, and is folded later.
        """
        with told(self.path):
            refuse_read_only(self.path)
            force_file(log_path(self.path))
            refuse_read_only(self.path)
        self._is_forced = True
        self._mark.write(self._head)
        if at_rest and self._unfolded >= FOLD_ENTRIES:
            self._unfolded = 0
            with suppress(sqlite3.Error):
                fold(self._connection)

    def reopen(self, pending: Sealed) -> Sealed:
        """Open the file again after a failed write; return what is still to be written.

        A write that failed may still have reached the disk: then it is forced once more and not
        written twice. Raises JournalDamaged if the file's last entry is neither the last
        acknowledged one nor one of ``pending``.
        """
        with told(self.path):
            refuse_read_only(self.path)
            self._connection.close()
            self._connection = connect_writer(self.path)
            found = last_head(self._connection)
            if found == self._head:
                if not self._is_forced:
                    self._force_log()
                    self._mark.write(found)
                return pending
            for written, entry in enumerate(pending, 1):
                if found == Head(entry.seq, entry.chain):
                    self._force_log()
                    self._head = found
                    self._mark.write(found)
                    return pending[written:]
        raise JournalDamaged(
            self.path, f"ends with entry {found.seq}, not with entry {self._head.seq}"
        )

    def _force_log(self) -> None:
        """Fold the log into the file, and force that to the disk."""
        busy, *_ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            raise JournalUnwritable(self.path, "its log is being read", IN_USE)
        self._is_forced = True

    def holds(self, entry: StoredEntry) -> bool:
        """Return whether this journal has exactly this entry, and so all that came before it."""
        with told(self.path):
            row = self._connection.execute(
                "SELECT chain FROM entries WHERE seq = ?", (entry.seq,)
            ).fetchone()
        return row is not None and bytes(row[0]) == entry.chain

    def copy_to(self, target: Path) -> None:
        """Copy the whole journal as it is now, with SQLite's backup interface.

        ``target`` appears complete and on the disk, or not at all.
        """
        with told(target):
            _copy(self._connection, target)

    def hand_over(self) -> WriterLock:
        """Close the file and return the lock, which is still held."""
        self._connection.close()
        self._mark.close()
        return self._lock

    def close(self) -> None:
        """Fold the log into the file and release it for other processes."""
        self._connection.close()
        self._mark.close()
        self._lock.release()


def copy_journal(path: Path, target: Path) -> None:
    """Copy the whole journal of another thread or process, like :meth:`Journal.copy_to`.

    Raises JournalUnwritable if the disk does not take it.
    """
    with told(target), closing(connect(path, "mode=ro")) as connection:
        _copy(connection, target)


def _copy(connection: sqlite3.Connection, target: Path) -> None:
    draft = target.with_name(target.name + ".tmp")
    draft.unlink(missing_ok=True)
    with closing(connect(draft, "mode=rwc")) as copy:
        connection.backup(copy)
    force_file(draft)
    draft.replace(target)
    sync_folder(target)


def read_checked(path: Path, kinds: Kinds | None) -> Sealed:
    """Read a journal and compare it with its mark, so that a lost end is noticed."""
    mark = read_mark(path)  # before the file: its writer may continue meanwhile
    marked = mark.seq if mark else 0
    if not is_there(path) and (marked or log_holds_anything(path)):
        last = f"entry {marked} had been written" if marked else "its log is there"
        raise JournalDamaged(path, f"the file is missing, but {last}")
    entries = read_file(path, kinds)
    if marked > len(entries):
        raise JournalDamaged(
            path, f"ends with entry {len(entries)}, but entry {marked} had been written", entries
        )
    return entries
