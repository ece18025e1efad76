"""Putting a backup in place, as steps that are shown first. The files it replaces are kept.

The whole backup is checked before the first step: its list, its journal to the last entry, and its
settings and calibration as a board would read them.

A journal that is put back says so in an entry of its own. The entries after it take numbers that
other entries had before, and a hall's hub may have results of those. So from there on the journal
has another name (:func:`jackspot.festival.results.lives_of`).
"""

from __future__ import annotations

import filecmp
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from jackspot.calibration import file as calibration
from jackspot.config import ConfigError, Sources, find, load
from jackspot.files import atomic_write, open_regular
from jackspot.ops.backup import archive
from jackspot.ops.backup.archive import (
    BOARD,
    CALIBRATION,
    JOURNAL,
    MEMBERS,
    SHARED,
    BackupError,
    Contents,
)
from jackspot.ops.backup.differences import differences, leave_commands_out
from jackspot.ops.backup.making import Places
from jackspot.ops.install.steps import InstallStep, StepFailed, done
from jackspot.ops.ownership import as_owner_of
from jackspot.storage.database import (
    HEADER,
    build,
    force_file,
    log_holds_anything,
    log_path,
    read_backup,
    sync_folder,
    told,
)
from jackspot.storage.entries import RESTORED, Kinds, Sealed
from jackspot.storage.errors import JournalBusy, JournalError
from jackspot.storage.high_water import mark_path
from jackspot.storage.journal import read_checked
from jackspot.storage.lock import WriterLock
from jackspot.storage.recovery import refuse_foreign, restore
from jackspot.storage.wall_clock import SystemWall
from jackspot.values import changed


def take_out(file: Path, folder: Path, kinds: Kinds, *, journal_only: bool) -> Contents:
    """Take a backup apart into a folder and check all that is wanted of it. Raises BackupError.

    A journal on its own, as a board leaves beside its own after each match, is a backup too.
    """
    bare = is_journal(file)
    contents = Contents("", "", "", 0, {}) if bare else archive.read(file, folder)
    try:
        if bare:
            _take_journal(file, folder, kinds)
        read_backup(folder / JOURNAL, kinds)
        paths = (folder / SHARED, folder / BOARD)
        if not journal_only:
            load(Sources(tuple(path for path in paths if path.exists())))
            calibration.read(folder / CALIBRATION)
    except JournalError as error:
        words = str(error).removeprefix(f"{error.path}: ")
        raise BackupError(f"{file}: its journal: {words}; nothing was changed") from error
    except ConfigError as error:
        raise BackupError(
            f"{file}: its settings do not fit this version:\n{error}\nnothing was changed; to "
            "take the journal alone add --journal-only"
        ) from error
    except calibration.CalibrationError as error:
        words = str(error).removeprefix(f"{folder / CALIBRATION}: ")
        raise BackupError(
            f"{file}: its calibration cannot be used: {words}\nnothing was changed; to take the "
            "journal alone add --journal-only"
        ) from error
    return contents


def _take_journal(file: Path, folder: Path, kinds: Kinds) -> None:
    """Copy a journal to a folder with the entries in its log, and leave nothing beside the journal.

    A journal whose log holds nothing is good as it is: of it there is never a second copy. Raises
    BackupError, or JournalError if it is not good.
    """
    file = file.resolve()  # its log and its mark are beside the journal, not beside a link to it
    with tempfile.TemporaryDirectory(dir=folder) as name:
        copy = Path(name) / JOURNAL
        files = {mark_path(file): mark_path(copy), file: copy, log_path(file): log_path(copy)}
        try:
            for path, target in files.items():
                if path.is_file():
                    shutil.copyfile(path, target)
        except OSError as error:
            raise BackupError(f"{file}: cannot be copied: {error.strerror}") from error
        entries = read_checked(copy, kinds)
        with told(folder):
            if log_holds_anything(copy):
                build(folder / JOURNAL, entries)
            else:
                copy.rename(folder / JOURNAL)


def is_journal(file: Path) -> bool:
    """Whether a file begins as a SQLite file does. Raises BackupError if it cannot be read."""
    begin = HEADER[0][1]
    try:
        with os.fdopen(open_regular(file), "rb") as opened:
            return opened.read(len(begin)) == begin
    except OSError as error:
        raise BackupError(f"{file}: cannot be read: {error.strerror}") from error


def is_in_use(journal: Path) -> bool:
    """Whether a running board has a journal open."""
    if not journal.with_name(f"{journal.name}.lock").exists():
        return False
    try:
        with as_owner_of(journal.parent):
            WriterLock(journal).release()
    except JournalBusy:
        return True
    except OSError:
        return False  # it is not writable: the step reports that
    return False


def without_commands(file: Path, folder: Path, places: Places) -> tuple[str, ...]:
    """Take out of a backup's settings the commands that are not here already; return which."""
    taken: tuple[str, ...] = ()
    for name in (SHARED, BOARD):
        if (folder / name).exists():
            taken += leave_commands_out(file, folder / name, places.by_name()[name])
    return taken


def settings_to_be(
    folder: Path, places: Places, config_file: Path | None, board_file: Path | None
) -> Sources:
    """Return a board's settings as restoring these in a folder leaves them."""
    names = places.by_name()
    new = {names[name]: folder / name for name in (SHARED, BOARD) if (folder / name).exists()}
    shared = places.shared if places.shared in new else config_file
    board = places.board if places.board in new else board_file
    return Sources(tuple(new.get(path, path) for path in find(shared, board).paths))


def permitted(file: Path, here: Places, named: Places) -> Places:
    """Return where a backup's files come to, of the places that its settings name.

    Nothing is put into another folder, nor in the place of another program's file, because a file
    from somewhere says so: BackupError for a journal, and the calibration stays where it is here.
    """
    own = {path.parent.resolve() for path in (here.journal, here.calibration)}
    if named.journal != here.journal and named.journal.parent.resolve() not in own:
        raise BackupError(
            f"{file}: its settings name {named.journal}, and this board's files are in "
            f"{here.journal.parent}\nnothing was changed; make that setting here first, or take "
            "the journal alone: --journal-only"
        )
    if named.calibration.parent.resolve() not in own:
        named = changed(named, calibration=here.calibration)
    named.refuse_unreadable()
    try:
        if named.journal != here.journal:
            refuse_foreign(named.journal)
        if named.calibration != here.calibration:
            calibration.read(named.calibration)
    except (JournalError, calibration.CalibrationError) as error:
        raise BackupError(
            f"{file}: its settings name a place with another file: {error}\nnothing was changed; "
            "to take the journal alone add --journal-only"
        ) from error
    return named


def steps(
    folder: Path, places: Places, kinds: Kinds, *, journal_only: bool
) -> Iterator[InstallStep]:
    """Return the steps that put the files of a folder in their places. Raises BackupError."""
    places.refuse_unreadable((JOURNAL,) if journal_only else MEMBERS)
    yield _journal(folder / JOURNAL, places.journal, kinds)
    for name, place in places.by_name().items():
        if name == JOURNAL:
            continue
        if journal_only or not (folder / name).exists():
            yield done(name, f"{place} stays as it is")
        else:
            yield _file(name, folder / name, place)


def _journal(copy: Path, place: Path, kinds: Kinds) -> InstallStep:
    entries = read_backup(copy, kinds)
    if _is_restored(place, entries):
        return done("journal", f"{place} has these {len(entries):,} entries")

    def act() -> None:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(prefix="jackspot-") as name:
                own = copy.rename(Path(name) / JOURNAL)
                _give(place.parent, own.parent, own)  # who has nothing else of the backup
                with as_owner_of(place.parent):
                    restore(place, own, kinds, SystemWall())
        except JournalError as error:
            raise StepFailed(str(error)) from error
        except OSError as error:
            raise StepFailed(f"{place}: {error.strerror}") from error

    kept = "; the one that is there is kept beside it, as .aside" if place.exists() else ""
    return InstallStep("journal", f"{len(entries):,} entries to {place}{kept}", act)


def _is_restored(place: Path, entries: Sealed) -> bool:
    """Whether a journal has these entries, one that says it was restored, and none since."""
    try:
        with as_owner_of(place.parent):
            there = read_checked(place, None)
    except JournalError:
        return False
    if not entries or len(there) != len(entries) + 1:
        return False
    return there[-1].kind == RESTORED and there[-2].chain == entries[-1].chain


def _file(name: str, copy: Path, place: Path) -> InstallStep:
    if place.is_file() and filecmp.cmp(copy, place, shallow=False):
        return done(name, f"{place} is the same")
    kept = _free_name(place) if place.exists() else None

    def act() -> None:
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            with as_owner_of(place.parent):
                if kept is None:
                    atomic_write(place, copy.read_bytes().decode())
                else:
                    _replace(place, copy, kept)
        except OSError as error:
            raise StepFailed(f"{place}: cannot be written: {error.strerror}") from error

    words = f"replace {place}; the one that is there is kept as {kept.name}" if kept else f"{place}"
    if name in (SHARED, BOARD):
        words = "\n".join((words, *differences(copy, place)))
    return InstallStep(name, words, act)


def _replace(place: Path, copy: Path, kept: Path) -> None:
    """Replace a file, which is kept under another name; whoever could read it can still do so."""
    kept.touch(mode=0o600, exist_ok=False)
    shutil.copyfile(place, kept)
    force_file(kept)
    draft = place.with_name(place.name + ".new")
    atomic_write(draft, copy.read_bytes().decode(), 0o600)
    _give(place, kept, draft)
    for each in (kept, draft):
        each.chmod(stat.S_IMODE(place.stat().st_mode))
    draft.replace(place)
    sync_folder(place)


def _give(whose: Path, *paths: Path) -> None:
    """Give files to another one's owner, as far as this user can."""
    was = whose.stat()
    for path in paths:
        with suppress(PermissionError):
            os.chown(path, was.st_uid, was.st_gid)


def _free_name(place: Path) -> Path:
    """Return the next free name to keep a file under."""
    pattern = re.compile(re.escape(place.name) + r"\.before-restore-(\d+)")
    taken = [int(m[1]) for path in place.parent.iterdir() if (m := pattern.fullmatch(path.name))]
    return place.with_name(f"{place.name}.before-restore-{max(taken, default=0) + 1}")
