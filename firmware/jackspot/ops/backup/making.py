"""Making a backup, even while the board plays: the journal as it is now, read and checked."""

from __future__ import annotations

import datetime
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path

from msgspec import Struct

from jackspot.calibration import file as calibration
from jackspot.ops.backup import archive
from jackspot.ops.backup.archive import (
    BOARD,
    CALIBRATION,
    JOURNAL,
    MEMBERS,
    SHARED,
    BackupError,
)
from jackspot.ops.ownership import RUN_AS, refused
from jackspot.storage.database import build, told
from jackspot.storage.errors import JournalDamaged, JournalError
from jackspot.storage.journal import read_checked


class Places(Struct, frozen=True):
    """Where a board's files are; missing ones are left out of a backup."""

    journal: Path
    shared: Path
    board: Path
    calibration: Path

    def by_name(self) -> Mapping[str, Path]:
        """Return each file by its name in a backup."""
        return {
            JOURNAL: self.journal,
            SHARED: self.shared,
            BOARD: self.board,
            CALIBRATION: self.calibration,
        }

    def refuse_unreadable(self, names: Collection[str] = MEMBERS) -> None:
        """Raise BackupError if this user may not read one of these files that is there."""
        for name, path in self.by_name().items():
            if name in names and (words := refused(path)):
                raise BackupError(f"{words}; {RUN_AS}")


class Made(Struct, frozen=True):
    """A backup that was made: how many entries, which files, and what is wrong with them.

    Of a damaged journal the backup holds what its checksums prove good.
    """

    entries: int
    files: tuple[str, ...]
    faults: tuple[str, ...] = ()


def make(target: Path, places: Places, board: str) -> Made:
    """Write a backup of the board's files. Raises BackupError if there is nothing to back up.

    The journal is read in one transaction, so a board that is writing does not interfere. It is
    written as a file of its own.
    """
    places.refuse_unreadable()
    if not places.journal.exists():
        raise BackupError(f"{places.journal}: no journal here; name one with --journal")
    faults: list[str] = []
    try:
        entries = read_checked(places.journal, None)
    except JournalDamaged as damage:
        entries = damage.good
        faults.append(f"{damage}; only the entries before that are in the backup")
    except JournalError as error:
        raise BackupError(f"{error}; {RUN_AS}") from error
    try:
        calibration.read(places.calibration)
    except calibration.CalibrationError as error:
        faults.append(f"{error}; it is in the backup as it is, and restore does not take it")
    with tempfile.TemporaryDirectory(prefix="jackspot-") as name:
        copy = Path(name) / JOURNAL
        try:
            with told(copy):
                build(copy, entries)
        except JournalError as error:
            raise BackupError(f"no room to put the backup together: {error}") from error
        files = {name: path for name, path in places.by_name().items() if path.is_file()}
        files[JOURNAL] = copy
        made = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        archive.write(target, files, board, made, len(entries))
    return Made(len(entries), tuple(files), tuple(faults))
