"""Backups of the journal: whole copies, numbered, the newest few kept.

A copy is made at the end of a match. Old copies are removed when newer ones say everything that
they say; one that holds entries the journal no longer has is never removed.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from jackspot.storage.database import read_backup, told
from jackspot.storage.entries import Kinds, Sealed
from jackspot.storage.errors import JournalError
from jackspot.storage.journal import Journal

KEEP = 5


class Backup(Struct, frozen=True):
    """A backup that was read and found good: where it is, and how much it holds."""

    path: Path
    entries: int
    wall_ns: int
    """The wall time noted with its last entry; 0 if it is empty."""


class Backups:
    """The backups of one journal, in their own folder beside it."""

    def __init__(self, journal: Path, keep: int = KEEP) -> None:
        self._folder = journal.with_name(journal.name + ".backups")
        self._keep = keep

    def paths(self) -> tuple[Path, ...]:
        """Return all backups, newest first; none if the folder cannot be read."""
        try:
            found = [path for path in self._folder.iterdir() if _number(path)]
        except OSError:
            return ()
        return tuple(sorted(found, key=_number, reverse=True))

    def make(self, journal: Journal) -> Path:
        """Copy the journal, and remove backups beyond the newest few that it fully contains.

        Raises JournalUnwritable if the disk does not take it.
        """
        with told(self._folder):
            self._folder.mkdir(exist_ok=True)
        number = max((_number(path) for path in self.paths()), default=0) + 1
        target = self._folder / f"{number:06d}.db"
        journal.copy_to(target)
        self._prune(journal)
        return target

    def _prune(self, journal: Journal) -> None:
        """Remove old backups that the journal contains."""
        for path in self.paths()[self._keep :]:
            with suppress(JournalError, OSError):
                entries = read_backup(path, None)
                if not entries or journal.holds(entries[-1]):
                    path.unlink()

    def newest_good(self, kinds: Kinds | None) -> tuple[Backup, Sealed] | None:
        """Read backups, newest first, until one is good; return it with its entries."""
        for path in self.paths():
            with suppress(JournalError):
                entries = read_backup(path, kinds)
                wall_ns = entries[-1].wall_ns if entries else 0
                return Backup(path, len(entries), wall_ns), entries
        return None


def _number(path: Path) -> int:
    """Return a backup's number from its name; 0 for any other file."""
    return int(path.stem) if path.suffix == ".db" and path.stem.isdecimal() else 0
