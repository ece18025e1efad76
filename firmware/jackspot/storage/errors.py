"""What can go wrong with a journal, one exception a failure.

Only :class:`BadEntry` is a mistake of our own; the others answer the world.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jackspot.storage.entries import StoredEntry


class JournalError(Exception):
    """Something is wrong with a journal file; ``path`` names it.

    ``short`` says it in at most 21 characters, for one line of a small display.
    """

    short = "journal damaged"

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.path = path


class JournalBusy(JournalError):
    """Another process has the journal open for writing."""

    short = "journal in use"


class JournalUnwritable(JournalError):
    """The disk does not take it now: full, read-only, gone, not permitted."""

    def __init__(self, path: Path, message: str, short: str) -> None:
        super().__init__(path, message)
        self.short = short


class JournalDamaged(JournalError):
    """Something in the file is not as it was written, or is missing.

    ``good`` are the entries before the damage: their checksums prove them.
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
    """An entry that must not be written: unknown kind, invalid body, no JSON."""
