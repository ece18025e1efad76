"""Handle a journal that is not what it should be: it is set aside, never deleted.

The file is renamed, with its log, shared memory and mark, to the next free numbered name. The part
that its checksums prove good goes into a new journal, which says that numbers are used again. The
newest good backup is offered if it holds more, and the board goes on. Every step leaves names from
which the next start can continue if the power fails in between.
"""

from __future__ import annotations

import errno
import glob
import os
import re
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from jackspot.storage.backups import Backup, Backups
from jackspot.storage.database import (
    COMPANIONS,
    build,
    check_header,
    log_holds_anything,
    read_backup,
    refuse_read_only,
    salvage,
    sync_folder,
    told,
)
from jackspot.storage.entries import Kinds, Sealed, restored
from jackspot.storage.errors import (
    JournalDamaged,
    JournalError,
    JournalForeign,
    JournalUnwritable,
)
from jackspot.storage.high_water import mark_path
from jackspot.storage.journal import Journal, read_checked
from jackspot.storage.lock import WriterLock
from jackspot.storage.wall_clock import Wall
from jackspot.values import changed


class RecoveryCause(StrEnum):
    """Why a journal was set aside."""

    DAMAGED = "damaged"
    """Something in it is not as it was written, or is missing."""
    FOREIGN = "foreign"
    """It belongs to another program."""
    NEWER = "newer"
    """A newer version of this program wrote it."""
    REPLACED = "replaced"
    """Somebody asked for a backup to replace it."""


class Notice(Struct, frozen=True):
    """What was done about a journal, for people to read.

    ``set_aside`` are the files' new names. ``kept`` is how many entries the new journal begins
    with. ``backup`` is the one offered: it is good, and holds more than was kept.
    """

    cause: RecoveryCause
    why: str
    set_aside: tuple[Path, ...]
    kept: int
    backup: Backup | None = None

    def __str__(self) -> str:
        """Return it in one line."""
        names = ", ".join(str(path) for path in self.set_aside) or "nothing was left of it"
        offer = f"; backup {self.backup.path} holds {self.backup.entries}" if self.backup else ""
        return f"{self.why}; set aside as {names}; {self.kept} entries kept{offer}"


class Opened(Struct, frozen=True):
    """A journal that is good now, its entries, and what had to be done to it."""

    journal: Journal
    entries: Sealed
    notices: tuple[Notice, ...]


def open_or_recover(path: Path, kinds: Kinds, wall: Wall) -> Opened:
    """Open a journal, whatever has become of its file.

    Raises JournalBusy if another process writes it and JournalUnwritable if the disk does not let
    it be opened, made or set aside; nothing else.
    """
    with told(path):
        lock = WriterLock(path)
    try:
        return _open_locked(path, kinds, wall, lock)
    except BaseException:
        lock.release()
        raise


def refuse_unfit(path: Path) -> None:
    """Refuse a journal that was named by mistake, before anything is done with it.

    Raises JournalUnwritable if it could not be written, JournalBusy if another process writes it,
    and JournalForeign as :func:`refuse_foreign` does. SQLite opens only paths in UTF-8.
    """
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError as error:
        message = "its path is not UTF-8; name another"
        raise JournalUnwritable(path, message, "disk error") from error
    refuse_foreign(path)
    try:
        with told(path):
            refuse_read_only(path)
            WriterLock(path).release()
            if path.exists() and not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    except JournalUnwritable as error:
        todo = "name a journal in a folder that is there and can be written"
        raise JournalUnwritable(path, f"{error.short}; {todo}", error.short) from error


def refuse_foreign(path: Path) -> None:
    """Raise JournalForeign for a file that no board ever wrote; a damaged journal passes."""
    if not path.exists():
        return
    try:
        check_header(path)
    except JournalForeign:
        raise
    except JournalError as fault:
        is_ours = mark_path(path).exists() or log_holds_anything(path)
        if is_ours or _is_empty(path) or salvage(path, None):
            return
        raise JournalForeign(path, "is no journal; name another file, or a new one") from fault


def _is_empty(path: Path) -> bool:
    """Whether it is an empty file: a power cut can leave one."""
    return path.is_file() and path.stat().st_size == 0


def recover(journal: Journal, damage: JournalError, kinds: Kinds, wall: Wall) -> Opened:
    """Close and recover an open journal that turned out to be damaged."""
    lock = journal.hand_over()
    try:
        notice = _set_right(journal.path, damage, kinds, wall)
        return _opened(journal.path, kinds, wall, lock, (notice,))
    except BaseException:
        lock.release()
        raise


def restore(path: Path, backup: Path, kinds: Kinds, wall: Wall) -> Notice:
    """Replace a journal that nobody has open with a backup; the journal is set aside.

    The new journal's last entry says so. Raises JournalBusy, JournalUnwritable, or JournalDamaged /
    JournalForeign if the backup is not good; then nothing has changed.
    """
    with told(path):
        lock = WriterLock(path)
    try:
        entries = read_backup(backup, kinds)
        finish_exchange(path)
        aside = _exchange(path, restored(entries, kinds, wall))
    finally:
        lock.release()
    return Notice(RecoveryCause.REPLACED, f"{path}: replaced by {backup}", aside, len(entries))


def _open_locked(path: Path, kinds: Kinds, wall: Wall, lock: WriterLock) -> Opened:
    aside = finish_exchange(path)
    try:
        opened = _opened(path, kinds, wall, lock, ())
    except (JournalDamaged, JournalForeign) as fault:
        notice = _set_right(path, fault, kinds, wall)
        return _opened(path, kinds, wall, lock, (notice,))
    if not aside:
        return opened
    why = f"{path}: the power failed while it was being set aside"
    finished = Notice(RecoveryCause.DAMAGED, why, aside, len(opened.entries))
    return changed(opened, notices=(finished,))


def _opened(
    path: Path, kinds: Kinds, wall: Wall, lock: WriterLock, notices: tuple[Notice, ...]
) -> Opened:
    journal = Journal.open_locked(path, kinds, wall, lock)
    return Opened(journal, journal.load(), notices)


def _set_right(path: Path, fault: JournalError, kinds: Kinds, wall: Wall) -> Notice:
    """Set a bad journal aside and put a good one in its place."""
    cause, good = _judge(path, fault, kinds)
    found = Backups(path).newest_good(kinds)
    offer = found[0] if found and found[0].entries > len(good) else None
    aside = _exchange(path, restored(good, kinds, wall))
    return Notice(cause, str(fault), aside, len(good), offer)


def _judge(path: Path, fault: JournalError, kinds: Kinds) -> tuple[RecoveryCause, Sealed]:
    """Return what is wrong, and which entries can be kept."""
    if isinstance(fault, JournalForeign) and fault.newer:
        return RecoveryCause.NEWER, ()
    good = fault.good if isinstance(fault, JournalDamaged) else ()
    if not good:
        with suppress(JournalDamaged, JournalForeign):
            good = read_checked(path, kinds)
        good = good or salvage(path, kinds)
    foreign = isinstance(fault, JournalForeign) and not good
    return (RecoveryCause.FOREIGN if foreign else RecoveryCause.DAMAGED), good


def _exchange(path: Path, entries: Sealed) -> tuple[Path, ...]:
    """Set a journal aside and put a new one with these entries in its place.

    The new one is complete on the disk under ``.new`` before the old one loses its name. The old
    file is renamed before its log, so that a log never meets a file it does not belong to.
    """
    with told(path):
        ready = path.with_name(path.name + ".new")
        build(ready, entries)
        aside = _set_aside(path)
        ready.replace(path)
        sync_folder(path)
    return aside


def finish_exchange(path: Path) -> tuple[Path, ...]:
    """Finish setting a journal aside after a power cut; return the files set aside."""
    with told(path):
        ready = path.with_name(path.name + ".new")
        if not ready.exists():
            return ()
        if path.exists():
            ready.unlink()  # the old journal still has its name: judge it again
            return ()
        _set_aside(path, begun=True)
        ready.replace(path)
        sync_folder(path)
        return tuple(sorted(path.parent.glob(f"{glob.escape(path.name)}.aside-*")))


def _set_aside(path: Path, *, begun: bool = False) -> tuple[Path, ...]:
    """Rename a journal and its companions to the next free number.

    ``begun``: the journal itself may have its new name already; then the others follow it.
    """
    pattern = re.compile(re.escape(path.name) + r"\.aside-(\d+)")
    taken = [int(m[1]) for p in path.parent.iterdir() if (m := pattern.match(p.name))]
    last, free = (_aside(path, max(taken, default=0) + more) for more in (0, 1))
    ends = [end for end in ("", *COMPANIONS, ".mark") if _beside(path, end).exists()]
    follow = begun and last.exists() and not any(_beside(last, end).exists() for end in ends)
    name = last if follow else free
    for end in ends:
        _beside(path, end).rename(_beside(name, end))
    sync_folder(path)
    return tuple(_beside(name, end) for end in ends)


def _aside(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.aside-{number:04d}")


def _beside(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)
