"""What can go wrong with a journal: one exception for each failure.

Only :class:`BadEntry` is our own mistake; the others come from outside.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jackspot.storage.entries import StoredEntry


class JournalError(Exception):
    """Something is wrong with the journal file at ``path``.

    ``short`` is the message in at most 21 characters, for one line of a small display.
    """

    short = "journal damaged"

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path


class JournalBusy(JournalError):
    """Another process has the journal open for writing."""

    short = "journal in use"


class JournalUnwritable(JournalError):
    """The disk does not take writes now: it is full, read-only, gone, or not permitted."""

    def __init__(self, path: Path, message: str, short: str) -> None:
        super().__init__(path, message)
        self.short = short


class JournalDamaged(JournalError):
    """Something in the file is not as it was written, or is missing.

    ``good`` has the entries before the damage, as proven by their checksums.
    """

    def __init__(self, path: Path, message: str, good: tuple[StoredEntry, ...] = ()) -> None:
        super().__init__(path, message)
        self.good = good


class JournalForeign(JournalError):
    """The file belongs to another program, or to a newer version of this one (``newer``)."""

    def __init__(self, path: Path, message: str, *, newer: bool = False) -> None:
        super().__init__(path, message)
        self.newer = newer


class BadEntry(ValueError):
    """An entry that must not be written: unknown kind, invalid body, not JSON."""
