"""The journal as the loop uses it: it keeps what it is given, whatever the disk does.

While the disk is full or read-only, entries wait in memory, in order, and the fault is a value that
the loop passes on. They are written, in order and once, as soon as the disk takes them. An append
only ever raises :class:`BadEntry`, for a mistake of our own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from jackspot.sensing.events import FaultCleared, FaultRaised, Trouble
from jackspot.storage.backups import Backups
from jackspot.storage.entries import (
    EntryToKeep,
    Head,
    Kinds,
    Sealed,
    StoredEntry,
    reseal,
    seal,
    understood,
)
from jackspot.storage.errors import (
    JournalBusy,
    JournalDamaged,
    JournalError,
    JournalUnwritable,
)
from jackspot.storage.high_water import count_start, start_succeeded
from jackspot.storage.journal import Journal, read_checked
from jackspot.storage.recovery import Notice, Opened, open_or_recover, recover
from jackspot.storage.wall_clock import Wall

PART = "journal"
"""The name of the journal among the parts that can be at fault."""
Change = FaultRaised | FaultCleared


class Keeper:
    """Keep entries. ``entries`` are those found at the start; ``notices`` says what was repaired.

    ``skipped`` are those that another version wrote and this one does not understand: they stay in
    the journal but are not among ``entries``.

    Opening raises JournalBusy if another process has this journal, and nothing else.
    """

    def __init__(self, path: Path, kinds: Kinds, wall: Wall) -> None:
        self.path = path
        self.entries: Sealed = ()
        self.skipped: Sealed = ()
        self.notices: tuple[Notice, ...] = ()
        self._kinds = kinds
        self._wall = wall
        self._head = Head()
        self._journal: Journal | None = None
        self._failed = False
        self._pending: list[StoredEntry] = []
        self._trouble: str | None = None
        self._told: str | None = None
        try:
            self._adopt(open_or_recover(path, kinds, wall))
        except JournalBusy:
            raise
        except JournalError as error:
            self._trouble = error.short
            self._read_only()

    def _adopt(self, opened: Opened) -> None:
        """Take a journal that has just been opened as the one to write to."""
        self._journal = opened.journal
        self._failed = False
        self.notices += opened.notices
        if self._head == Head():
            self._take(opened.entries)
        there = {(entry.seq, entry.chain) for entry in opened.entries}
        waiting = [entry for entry in self._pending if (entry.seq, entry.chain) not in there]
        self._pending = list(reseal(opened.journal.head, waiting))
        self._head = _end(self._pending, opened.journal.head)

    def _read_only(self) -> None:
        """Take what can be read of a journal that cannot be written."""
        try:
            found = read_checked(self.path, self._kinds)
        except JournalDamaged as damage:
            found = damage.good
        except JournalError:
            return
        self._take(found)
        self._head = _end(found, Head())

    def _take(self, found: Sealed) -> None:
        """Take what was found at the start, without what this version does not understand."""
        self.entries = understood(found)
        self.skipped = tuple(entry for entry in found if entry.unknown)

    def begin(self, kind: str) -> int:
        """Record that a start begins; return how many failed since the last entry of a kind."""
        last = next((each.seq for each in reversed(self.entries) if each.kind == kind), 0)
        return count_start(self.path, last)

    def survived(self) -> None:
        """Record that the start succeeded."""
        start_succeeded(self.path)

    @property
    def last(self) -> int:
        """The number of the last entry, including those that are skipped or wait."""
        return self._head.seq

    @property
    def is_settled(self) -> bool:
        """Whether everything written would survive a power cut, and :meth:`settle` has no work."""
        return self._journal is None or self._journal.is_settled

    @property
    def waiting(self) -> int:
        """How many entries wait in memory for the disk."""
        return len(self._pending)

    @property
    def in_trouble(self) -> bool:
        """Whether writing entries or opening the journal failed when last tried."""
        return self._trouble is not None

    def append(self, entries: Sequence[EntryToKeep], *, forced: bool = True) -> tuple[Change, ...]:
        """Keep entries: on the disk when this returns, or in memory until they can be written.

        One transaction and one forced write take all of them. Those that need not be ``forced``
        survive the end of this process, and a power cut only after :meth:`settle` or a later forced
        append. Returns the fault that began or ended, if any, at the instant of the last entry.
        Raises BadEntry, with nothing kept, for an entry that must not be written.
        """
        if not entries:
            return ()
        sealed = seal(self._head, entries, self._kinds, self._wall)
        forced = forced or bool(self._pending)
        self._pending.extend(sealed)
        self._head = _end(sealed, self._head)
        return self.retry(entries[-1].at_ns, forced=forced)

    def retry(self, at_ns: int, *, forced: bool = True) -> tuple[Change, ...]:
        """Try to write what waits; return the fault that began or ended, if any.

        Called at the start, it also returns a fault met when opening.
        """
        if self._pending or self._trouble is not None:
            try:
                self._write(forced=forced)
            except JournalError as error:
                self._failed, self._trouble = True, error.short
            else:
                self._trouble = None
        return self._changes(at_ns)

    def settle(self, at_ns: int, *, at_rest: bool) -> tuple[Change, ...]:
        """Do what no entry should wait for; return the fault that began, if any.

        Force to the disk what was not forced. If nothing happens at the table (``at_rest``), also
        shorten the journal's log if it is long.
        """
        if self._journal is not None and not self._failed:
            try:
                self._journal.settle(at_rest=at_rest)
            except JournalError as error:
                self._failed, self._trouble = True, error.short
        return self._changes(at_ns)

    def _changes(self, at_ns: int) -> tuple[Change, ...]:
        """Return what has changed since the last reported fault."""
        if self._told == self._trouble:
            return ()
        self._told = self._trouble
        if self._trouble is None:
            return (FaultCleared(at_ns, PART, Trouble.DISK),)
        return (FaultRaised(at_ns, PART, Trouble.DISK, self._trouble),)

    def _write(self, *, forced: bool) -> None:
        """Write what waits; reopen the journal first if the last attempt failed."""
        journal = self._journal or self._open()
        try:
            if self._failed:
                self._pending = list(journal.reopen(tuple(self._pending)))
            journal.write(tuple(self._pending), forced=forced)
        except JournalDamaged as damage:
            self._journal = None
            opened = recover(journal, damage, self._kinds, self._wall)
            self._adopt(opened)
            opened.journal.write(tuple(self._pending))
        self._pending.clear()
        self._failed = False

    def _open(self) -> Journal:
        """Open the journal that could not be opened before."""
        opened = open_or_recover(self.path, self._kinds, self._wall)
        self._adopt(opened)
        return opened.journal

    def back_up(self) -> Path | None:
        """Make a backup at the end of a match; None if the disk does not take it."""
        if self._journal is None or self._failed:
            return None
        try:
            return Backups(self.path).make(self._journal)
        except JournalError:
            return None

    def close(self, at_ns: int = 0) -> int:
        """Try once more to write what waits, then close; return how many entries are lost."""
        self.retry(at_ns)
        self.survived()
        if self._journal is not None:
            self._journal.close()
            self._journal = None
        return len(self._pending)

    def refuse_loss(self) -> None:
        """Raise JournalUnwritable if entries still wait for the disk."""
        if self._pending:
            short = self._trouble or "disk error"
            raise JournalUnwritable(
                self.path, f"{len(self._pending)} entries could not be written: {short}", short
            )


def _end(entries: Sequence[StoredEntry], otherwise: Head) -> Head:
    """Return the head after entries, or ``otherwise`` if there are none."""
    return Head(entries[-1].seq, entries[-1].chain) if entries else otherwise
