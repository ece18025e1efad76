"""Replacing a journal by one that says less: how names are taken out of it.

A journal is append-only and each entry is chained to those before it, so nothing can be struck out
in place. A new file is written with all entries, changed where necessary and chained anew, each
with its number and its instants. It replaces the old one in one step. The old file is then gone,
with whatever its free pages and its log may still have held.

If the power fails at any point, one complete journal has the name: the old one until that step, the
new one after it. Before the step the old log is folded into the old file and removed, so that
neither file ever meets the other's log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jackspot.history.index import index_path
from jackspot.storage.backups import Backups
from jackspot.storage.database import (
    COMPANIONS,
    IN_USE,
    build,
    connect_writer,
    log_holds_anything,
    read_backup,
    sync_folder,
    told,
)
from jackspot.storage.entries import Head, Sealed, StoredEntry, reseal, write_json
from jackspot.storage.errors import JournalDamaged, JournalUnwritable
from jackspot.storage.journal import read_checked
from jackspot.storage.lock import WriterLock
from jackspot.storage.recovery import finish_exchange
from jackspot.values import changed

Rewrite = Callable[[StoredEntry], Mapping[str, Any] | None]
"""Returns what an entry is to say; None if it stays as it is."""
DRAFT = ".rewritten"
"""Name ending of a journal that is being rewritten; one that is left over is of no use."""


def rewritten(entries: Sealed, rewrite: Rewrite) -> tuple[Sealed, int]:
    """Return the entries as they are to be, in a chain of their own, and how many changed."""
    said, touched = [], 0
    for entry in entries:
        body = rewrite(entry)
        if body is None:
            said.append(entry)
            continue
        plain = MappingProxyType(dict(body))
        said.append(changed(entry, body=plain, text=write_json(plain)))
        touched += 1
    return (reseal(Head(), said), touched) if touched else (entries, 0)


@contextmanager
def held(journal: Path) -> Iterator[None]:
    """Keep boards from writing a journal for this time. Raises JournalBusy."""
    with told(journal):
        lock = WriterLock(journal)
    try:
        finish_exchange(journal)
        yield
    finally:
        lock.release()


def rewrite_journal(journal: Path, rewrite: Rewrite) -> int:
    """Rewrite a journal that is held; return how many entries changed.

    Raises JournalDamaged, with nothing changed, if it is not good, and JournalUnwritable if it
    cannot be written to the disk or somebody reads it for long.
    """
    draft = journal.with_name(journal.name + DRAFT)
    with told(journal):
        draft.unlink(missing_ok=True)
    entries, count = rewritten(read_checked(journal, None), rewrite)
    if count:
        with told(journal):
            _fold_log(journal)
            build(draft, entries)
            if read_backup(draft, None) != entries:
                raise JournalDamaged(draft, "is not what was written")
            for end in COMPANIONS:
                journal.with_name(journal.name + end).unlink(missing_ok=True)
            sync_folder(journal)
            draft.replace(journal)
            sync_folder(journal)
    return count


def rewrite_copy(path: Path, rewrite: Rewrite) -> int:
    """Rewrite a backup, or a good journal that was set aside; return how many entries changed."""
    if log_holds_anything(path):
        return rewrite_journal(path, rewrite)
    entries, count = rewritten(read_backup(path, None), rewrite)
    if count:
        with told(path):
            build(path, entries)
    return count


def count_changes(journal: Path, rewrite: Rewrite) -> int:
    """Return how many entries of a journal would change."""
    return sum(rewrite(entry) is not None for entry in read_checked(journal, None))


def count_in_copy(path: Path, rewrite: Rewrite) -> int:
    """Return how many entries of a backup, or of a journal that was set aside, would change."""
    if log_holds_anything(path):
        return count_changes(path, rewrite)
    return sum(rewrite(entry) is not None for entry in read_backup(path, None))


def copies(journal: Path) -> tuple[Path, ...]:
    """Return all copies beside a journal: backups, and journals that were set aside."""
    try:
        aside = [
            path
            for path in journal.parent.iterdir()
            if path.name.startswith(f"{journal.name}.aside-")
            and path.suffix not in {".mark", ".db-wal"}
            and not path.name.endswith(COMPANIONS)
        ]
    except OSError:
        aside = []
    return (*sorted(aside), *Backups(journal).paths())


def drop_index(journal: Path) -> None:
    """Remove the index of a journal's matches: it is rebuilt when it is next needed."""
    index = index_path(journal)
    with told(index):
        for path in (index, index.with_name(index.name + "-journal")):
            path.unlink(missing_ok=True)


def _fold_log(journal: Path) -> None:
    """Fold the journal's log into its file, and leave the log empty."""
    with closing(connect_writer(journal)) as connection:
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise JournalUnwritable(journal, "its log is being read; try again", IN_USE)


def drafts(journal: Path) -> tuple[Path, ...]:
    """Return what a power cut left of journals and backups that were being written.

    A new journal counts once the old one is there too, see :func:`held`.
    """
    backups = journal.with_name(journal.name + ".backups")
    within = ((journal.parent, f"{journal.name}.*"), (backups, "*.db*"))
    found = (path for folder, pattern in within for path in folder.glob(pattern))
    left = [path for path in found if path.name.endswith((".tmp", DRAFT))]
    new = journal.with_name(journal.name + ".new")
    return tuple(sorted([*left, new] if journal.exists() and new.exists() else left))


def remove_drafts(journal: Path) -> None:
    """Remove what a power cut left of journals and backups that were being written."""
    with told(journal):
        for path in drafts(journal):
            path.unlink(missing_ok=True)
