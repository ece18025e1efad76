"""The SQLite file under the journal: its schema, its header, reading and writing rows.

It uses WAL with ``synchronous=FULL``: each append that must survive a power cut takes one forced
write, where a rollback journal needs three, and readers can work beside the writer. All errors of
SQLite and the operating system are turned into the exceptions of :mod:`jackspot.storage.errors`
here.
"""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from jackspot.files import NotRegular, open_regular
from jackspot.storage.entries import (
    Broken,
    Head,
    Kinds,
    Sealed,
    StoredEntry,
    unseal,
)
from jackspot.storage.errors import (
    JournalBusy,
    JournalDamaged,
    JournalError,
    JournalForeign,
    JournalUnwritable,
)

APPLICATION_ID = 0x4A4B5350  # "JKSP"
SCHEMA_VERSION = 1
BUSY_TIMEOUT_S = 0.25
"""How long an append waits for another program that holds the file."""
PAGE_BYTES = 512
"""The page size of a new file. An append writes whole pages to the log: pages of 4,096 bytes wear a
card out nearly twice as fast."""
PAGE_SIZES = (PAGE_BYTES, 4096)
"""Older files have the larger pages."""
LOG_PAGES = 1024
"""About the length that the log has when it is folded into the file (:func:`fold`). Afterwards it
is overwritten in place."""
FOLD_ENTRIES = 192
"""After so many entries the log is long enough to be folded; each takes two to three pages."""
FOLDED_BY_APPENDS = 64
"""At so many times this length an append folds it, in a program that never rests."""
LOG_BYTES = 32 + (LOG_PAGES + LOG_PAGES // 8) * (24 + PAGE_BYTES)
"""The length of the log from the start: a header, and frames of a page each. Forcing a file that
grows also costs a write of the file system's own journal, with five times as many bytes and twice
the time."""
ROOM_BYTES = 8 << 20
"""With less free space, entries need it more than a long log does."""
COMPANIONS = ("-wal", "-shm", "-journal")
"""The files that SQLite keeps beside a database: the log, its index in shared memory, and a
rollback journal, which it looks for before it knows that there is a log instead."""

REFUSE = "BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END"
SCHEMA = (
    "CREATE TABLE entries (seq INTEGER PRIMARY KEY, boot TEXT NOT NULL, at_ns INTEGER NOT NULL,"
    " wall_ns INTEGER NOT NULL, synchronised INTEGER NOT NULL, kind TEXT NOT NULL,"
    " body TEXT NOT NULL, chain BLOB NOT NULL) STRICT",
    f"CREATE TRIGGER no_update BEFORE UPDATE ON entries {REFUSE}",
    f"CREATE TRIGGER no_delete BEFORE DELETE ON entries {REFUSE}",
    "CREATE TRIGGER in_order BEFORE INSERT ON entries"
    " WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM entries)"
    " BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END",
)
INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
SELECT = (
    "SELECT seq, boot, at_ns, wall_ns, synchronised, kind, body, chain FROM entries ORDER BY seq"
)

HEADER_BYTES = 100
HEADER: tuple[tuple[int, bytes], ...] = (
    (0, b"SQLite format 3\0"),
    (18, bytes((2, 2, 0, 64, 32, 32))),  # WAL, nothing reserved, payload fractions
    (44, (4).to_bytes(4, "big") + bytes(8) + (1).to_bytes(4, "big")),  # format 4, UTF-8
    (60, SCHEMA_VERSION.to_bytes(4, "big") + bytes(4) + APPLICATION_ID.to_bytes(4, "big")),
    (72, bytes(20)),
)
"""The bytes that never change in the first page of a journal (sqlite.org/fileformat2.html, 1.3)."""
PAGE_SIZE_AT = 16

IN_USE = JournalBusy.short
_SHORT = {
    sqlite3.SQLITE_PERM: "no permission",
    sqlite3.SQLITE_BUSY: IN_USE,
    sqlite3.SQLITE_LOCKED: IN_USE,
    sqlite3.SQLITE_READONLY: "disk read-only",
    sqlite3.SQLITE_IOERR: "disk error",
    sqlite3.SQLITE_FULL: "disk full",
    sqlite3.SQLITE_CANTOPEN: "cannot open journal",
}
_DAMAGE_READ = {sqlite3.SQLITE_IOERR_SHORT_READ, sqlite3.SQLITE_IOERR_CORRUPTFS}
_ERRNO_SHORT = {
    errno.ENOSPC: "disk full",
    errno.EDQUOT: "disk full",
    errno.EROFS: "disk read-only",
    errno.EACCES: "no permission",
    errno.EPERM: "no permission",
    errno.ENOENT: "folder missing",
    errno.ENOTDIR: "folder missing",
}


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn exceptions of SQLite and the system raised inside into our own."""
    try:
        yield
    except sqlite3.Error as error:
        raise _of_sqlite(path, error) from error
    except (UnicodeError, OverflowError, MemoryError) as error:  # nonsense sizes and texts
        raise JournalDamaged(path, f"SQLite cannot read it: {error!r}") from error
    except OSError as error:
        short = _ERRNO_SHORT.get(error.errno or 0, "disk error")
        raise JournalUnwritable(path, str(error), short) from error


def _of_sqlite(path: Path, error: sqlite3.Error) -> JournalError:
    """Tell a disk that does not take a write from a file that is damaged."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    short = _SHORT.get(code & 0xFF)
    if short is None or code in _DAMAGE_READ:
        return JournalDamaged(path, f"SQLite cannot read it: {error}")
    return JournalUnwritable(path, str(error), _why_not(path) or short)


def _why_not(path: Path) -> str | None:
    """Find out from the folder why a file in it cannot be written; None without a reason."""
    try:
        if os.statvfs(path.parent).f_flag & os.ST_RDONLY:
            return "disk read-only"
        return None if os.access(path.parent, os.W_OK, effective_ids=True) else "no permission"
    except OSError:
        return None


def refuse_read_only(path: Path) -> None:
    """Raise OSError (EROFS) if a journal's file system is read-only now.

    Linux makes a file system read-only after a disk error. Open files can then still be written and
    forcing them to the disk reports no error (fs/ext4/fsync.c), but a power cut loses all of it.
    The check costs a microsecond or two.
    """
    if os.statvfs(path.parent).f_flag & os.ST_RDONLY:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path.parent))


def refuse_pipes(path: Path) -> None:
    """Raise NotRegular if SQLite would open something other than a file: it would block."""
    for each in (path, *(path.with_name(path.name + end) for end in COMPANIONS)):
        try:
            kind = each.stat().st_mode
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(kind):
            raise NotRegular(errno.EINVAL, f"{each.name} is no file", str(each))


def connect(path: Path, query: str) -> sqlite3.Connection:
    """Open a connection; ``query`` is that of the URI (``mode=rw``), texts come as bytes.

    Raises NotRegular, like :func:`refuse_pipes`.
    """
    refuse_pipes(path)
    connection = sqlite3.connect(
        f"file:{quote(str(path.absolute()))}?{query}",
        uri=True,
        timeout=BUSY_TIMEOUT_S,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.text_factory = bytes
    return connection


def connect_writer(path: Path) -> sqlite3.Connection:
    """Open a checked journal for appending."""
    connection = connect(path, "mode=rw")
    try:
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA journal_mode=WAL")
        ((page_bytes,),) = connection.execute("PRAGMA page_size")
        pages = FOLDED_BY_APPENDS * LOG_PAGES * PAGE_BYTES // page_bytes
        connection.execute(f"PRAGMA wal_autocheckpoint={pages}")
        _lengthen(log_path(path))
    except BaseException:
        connection.close()
        raise
    return connection


def fold(connection: sqlite3.Connection) -> None:
    """Fold the log into the file, as far as nobody reads in it.

    It takes several forced writes, one after the other. Use the connection that appends: in SQLite
    before 3.51.3, a log that one connection folds while another appends can lose entries
    (sqlite.org/wal.html#walresetbug).
    """
    connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()


def _lengthen(log: Path) -> None:
    """Fill the log up with zeros if the disk has room.

    SQLite reads up to the first frame whose checksum is wrong, and overwrites the others
    (sqlite.org/fileformat2.html, 4.1).
    """
    with suppress(OSError), log.open("ab") as file:
        disk = os.fstatvfs(file.fileno())
        if disk.f_bavail * disk.f_frsize > ROOM_BYTES:
            file.write(bytes(max(0, LOG_BYTES - file.tell())))


def insert(
    connection: sqlite3.Connection, sealed: Sequence[StoredEntry], *, forced: bool = True
) -> None:
    """Write entries in one transaction; when this returns, they are on the disk.

    Entries that are not ``forced`` are then only with the operating system, which outlives this
    process: they reach the disk with the next forced ones, or when the system writes them on its
    own.
    """
    if not forced:
        connection.execute("PRAGMA synchronous=NORMAL")
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(INSERT, map(_row, sealed))
        connection.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    finally:
        if not forced:
            connection.execute("PRAGMA synchronous=FULL")


def _row(entry: StoredEntry) -> tuple[object, ...]:
    return (
        entry.seq,
        entry.boot,
        entry.at_ns,
        entry.wall_ns,
        int(entry.synchronised),
        entry.kind,
        entry.text,
        entry.chain,
    )


def last_head(connection: sqlite3.Connection) -> Head:
    """Read the number and checksum of the last row, without checking the others."""
    row = connection.execute("SELECT seq, chain FROM entries ORDER BY seq DESC LIMIT 1").fetchone()
    return Head(*row) if row else Head()


def build(path: Path, sealed: Sequence[StoredEntry]) -> None:
    """Make a new journal file at ``path``, complete and on the disk, or none at all.

    It is built under another name, which an earlier attempt may have left behind.
    """
    draft = path.with_name(path.name + ".tmp")
    for name in (draft, *(draft.with_name(f"{draft.name}{end}") for end in ("-journal", "-wal"))):
        name.unlink(missing_ok=True)
    with closing(connect(draft, "mode=rwc")) as connection:
        connection.execute(f"PRAGMA page_size={PAGE_BYTES}")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        for statement in SCHEMA:
            connection.execute(statement)
        connection.executemany(INSERT, map(_row, sealed))
        connection.execute("COMMIT")
        mode = connection.execute("PRAGMA journal_mode=WAL").fetchone()  # only fetching commits it
        if mode != (b"wal",):
            raise OSError(errno.ENOTSUP, "this file system takes no write-ahead log", str(path))
    draft.replace(path)
    sync_folder(path)


def force_file(path: Path) -> None:
    """Force a file's content to the disk."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fdatasync(fd)
    finally:
        os.close(fd)


def sync_folder(path: Path) -> None:
    """Force the names in a file's folder to the disk."""
    fd = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def check_header(path: Path) -> None:
    """Check the first hundred bytes; raise JournalForeign or JournalDamaged."""
    try:
        with told(path), os.fdopen(open_regular(path), "rb") as file:
            header = file.read(HEADER_BYTES)
            refuse_pipes(path)
    except JournalUnwritable as error:
        if isinstance(error.__cause__, NotRegular):
            raise JournalDamaged(path, str(error.__cause__.strerror)) from error
        raise
    if len(header) < HEADER_BYTES or not header.startswith(HEADER[0][1]):
        raise JournalDamaged(path, f"is no SQLite file (begins with {header[:16]!r})")
    _check_ids(path, int.from_bytes(header[68:72], "big"), int.from_bytes(header[60:64], "big"))
    for offset, expected in HEADER:
        found = header[offset : offset + len(expected)]
        if found != expected:
            raise JournalDamaged(
                path, f"header byte {offset}: {found.hex()} instead of {expected.hex()}"
            )
    page_bytes = int.from_bytes(header[PAGE_SIZE_AT : PAGE_SIZE_AT + 2], "big")
    if page_bytes not in PAGE_SIZES:
        known = " or ".join(map(str, PAGE_SIZES))
        raise JournalDamaged(
            path, f"header byte {PAGE_SIZE_AT}: pages of {page_bytes} bytes instead of {known}"
        )


def _ids(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return a file's application id and schema version."""
    ((application,),) = connection.execute("PRAGMA application_id")
    ((version,),) = connection.execute("PRAGMA user_version")
    return application, version


def _check_ids(path: Path, application: int, version: int) -> None:
    """Raise JournalForeign if a file is another program's, or a newer version's."""
    if application != APPLICATION_ID:
        raise JournalForeign(
            path, f"belongs to another program (application id {application:#010x}, not JKSP)"
        )
    if version > SCHEMA_VERSION:
        raise JournalForeign(
            path,
            f"was written by a newer version of jackspot (schema {version}, known up to "
            f"{SCHEMA_VERSION}); install that version to read it",
            newer=True,
        )


def read_file(path: Path, kinds: Kinds | None) -> Sealed:
    """Read and check a whole journal without changing it, even beside its writer.

    Raises JournalForeign; JournalDamaged with the good entries before the damage; JournalUnwritable
    if the file cannot be read at all.
    """
    check_header(path)
    try:
        return _read_rows(path, "mode=ro", kinds)
    except JournalUnwritable as error:
        if error.short == IN_USE:
            raise
        # In a folder that cannot be written SQLite finds no room for its shared memory.
        if not log_holds_anything(path):
            return _read_rows(path, "mode=ro&immutable=1", kinds)
        return _read_copy(path, kinds)


def read_backup(path: Path, kinds: Kinds | None) -> Sealed:
    """Read and check a file that nobody writes to, leaving nothing beside it."""
    check_header(path)
    return _read_rows(path, "mode=ro&immutable=1", kinds)


def salvage(path: Path, kinds: Kinds | None) -> Sealed:
    """Return the entries that are proven good in a file whose header is damaged.

    It works on copies with a repaired header, once for each page size; a file with another schema
    gives nothing.
    """
    return max((_salvage(path, kinds, page_bytes) for page_bytes in PAGE_SIZES), key=len)


def _salvage(path: Path, kinds: Kinds | None, page_bytes: int) -> Sealed:
    try:
        with told(path), tempfile.TemporaryDirectory(prefix="jackspot-") as folder:
            copy = _copy(path, Path(folder))
            with copy.open("r+b") as file:
                for offset, expected in (*HEADER, (PAGE_SIZE_AT, page_bytes.to_bytes(2, "big"))):
                    file.seek(offset)
                    file.write(expected)
            return _read_rows(copy, "mode=rw", kinds)
    except JournalDamaged as damage:
        return damage.good
    except JournalError:
        return ()


def log_path(path: Path) -> Path:
    """Return the path of a file's write-ahead log."""
    return path.with_name(path.name + "-wal")


def log_holds_anything(path: Path) -> bool:
    """Return whether there is a write-ahead log with content beside the file."""
    try:
        with os.fdopen(open_regular(log_path(path)), "rb") as file:
            return any(file.read(4))  # its magic number, or zeros
    except OSError:
        return False


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a journal to read parts of it, even beside its writer; only whose it is is checked.

    Raises JournalForeign, JournalDamaged, or JournalUnwritable if it cannot be read. The file is
    opened by SQLite alone: if the writer is in this process, closing any other descriptor of it
    would take the writer's locks away (fcntl(2), "Advisory record locking").
    """
    with ExitStack() as stack:
        stack.enter_context(told(path))
        connection = stack.enter_context(closing(connect(path, "mode=ro")))
        try:
            _check_ids(path, *_ids(connection))
        except sqlite3.OperationalError:
            # In a folder that cannot be written SQLite finds no room for its shared memory.
            if not log_holds_anything(path):
                connection = stack.enter_context(closing(connect(path, "mode=ro&immutable=1")))
            else:
                folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="jackspot-"))
                copy = _copy(path, Path(folder))
                connection = stack.enter_context(closing(connect(copy, "mode=rw")))
        yield connection


def _read_copy(path: Path, kinds: Kinds | None) -> Sealed:
    """Read a journal with its log from a copy in the folder for temporary files."""
    with told(path), tempfile.TemporaryDirectory(prefix="jackspot-") as folder:
        return _read_rows(_copy(path, Path(folder)), "mode=rw", kinds)


def _copy(path: Path, folder: Path) -> Path:
    copy = folder / path.name
    shutil.copyfile(path, copy)
    if log_holds_anything(path):
        shutil.copyfile(log_path(path), folder / f"{path.name}-wal")
    return copy


def _read_rows(path: Path, query: str, kinds: Kinds | None) -> Sealed:
    """Read every row, then have SQLite check the whole file."""
    good: list[StoredEntry] = []
    try:
        with told(path), closing(connect(path, query)) as connection:
            _check_schema(connection)
            good.extend(unseal(connection.execute(SELECT), kinds))  # keeps those before a fault
            _check_pages(connection)
    except (Broken, JournalDamaged) as error:
        message = str(error).removeprefix(f"{path}: ")
        raise JournalDamaged(path, message, tuple(good)) from error
    return tuple(good)


def _check_pages(connection: sqlite3.Connection) -> None:
    """Have SQLite check the structure of the whole file."""
    (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if verdict != b"ok":
        raise Broken(verdict.decode("utf-8", "replace"))


def _check_schema(connection: sqlite3.Connection) -> None:
    """Compare the tables and triggers with those that this version makes."""
    found = {sql for (sql,) in connection.execute("SELECT sql FROM sqlite_schema")}
    if found != {statement.encode() for statement in SCHEMA}:
        raise Broken("its tables or triggers are not those of a journal")
