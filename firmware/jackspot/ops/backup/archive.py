"""The backup file: a zip archive of the board's files, with a list of what they must be.

``backup.json`` names the version of this format, the program that wrote it, and each file with its
size and SHA-256. Only files on the list are extracted. A file that does not match the list makes
the whole backup bad, before it changes anything.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from msgspec import Struct

from jackspot.files import MIB, from_json, sync_folder

FORM = "jackspot backup"
FORM_VERSION = 1
LIST = "backup.json"

JOURNAL = "journal.sqlite3"
SHARED = "jackspot.toml"
BOARD = "board.toml"
CALIBRATION = "calibration.toml"
MEMBERS = (JOURNAL, SHARED, BOARD, CALIBRATION)
"""What a backup can hold. The journal is always in it."""

MOST_IN_LIST = 1 << 16
"""Most bytes of the list; a real one has a thousand."""
LARGEST_BYTES = 4 * 1024**3
"""No board's journal comes near this; a file that claims more is no backup."""

OLDEST_DATE = (1980, 1, 1, 0, 0, 0)
"""An archive has no earlier date; a machine whose clock was never set is in 1970."""
LATEST_DATE = (2107, 12, 31, 23, 59, 58)
"""An archive has no later date."""

_CHUNK_BYTES = 1 << 20
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Other compressions have bombs and bugs of their own, and no backup uses them."""
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,  # the compressed bytes themselves
    EOFError,  # they end too early
    KeyError,  # a listed file is missing
    NotImplementedError,  # an unknown compression or zip version
    RuntimeError,  # a flag that says a file is encrypted
)
"""What reading a damaged archive raises (docs of :mod:`zipfile`, and what its tests found)."""


class BackupError(Exception):
    """A backup that cannot be made or used; says where, what, and what to do."""


class Listed(Struct, frozen=True):
    """A file of a backup: its size and its SHA-256 as hex digits."""

    size: int
    digest: str


class Contents(Struct, frozen=True):
    """A backup's own list: which program wrote it, for which board, and what it holds."""

    program: str
    board: str
    made: str
    entries: int
    files: Mapping[str, Listed]


@contextmanager
def new_file(target: Path) -> Iterator[Path]:
    """Yield a name to write to; afterwards that file is ``target``, complete and on disk.

    Raises BackupError if such a file exists already or none can be made.
    """
    draft = None
    try:
        _refuse_existing(target)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        os.close(handle)
        draft = Path(name)
        yield draft
        fd = os.open(draft, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
        _name(draft, target)
    except OSError as error:
        raise BackupError(f"{target}: cannot be written: {error.strerror or error}") from error
    finally:
        if draft is not None:
            draft.unlink(missing_ok=True)


def _refuse_existing(target: Path) -> None:
    if target.exists():
        raise _there_already(target)


def _there_already(target: Path) -> BackupError:
    return BackupError(f"{target} is there already; name a new file")


def _name(draft: Path, target: Path) -> None:
    """Give a whole file its name, on the disk too; of two who want the name one is refused."""
    folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            os.link(draft, target)
        except FileExistsError:
            raise _there_already(target) from None
        except OSError:  # a FAT stick has no links; an empty file to hold the name might stay
            fcntl.flock(folder, fcntl.LOCK_EX)
            _refuse_existing(target)
            draft.rename(target)
        sync_folder(target.parent)
    finally:
        os.close(folder)


def write(target: Path, files: Mapping[str, Path], board: str, made: str, entries: int) -> None:
    """Write a backup of these files. Raises BackupError."""
    with new_file(target) as draft, new_archive(draft) as archive:
        for name, path in files.items():
            archive.write(path, name)
        listed = {name: look_at(path) for name, path in files.items()}
        said = {
            "form": FORM,
            "version": FORM_VERSION,
            "program": version("jackspot"),
            "board": board,
            "made": made,
            "entries": entries,
            "files": {
                name: {"size": each.size, "sha256": each.digest} for name, each in listed.items()
            },
        }
        put(archive, LIST, json.dumps(said, indent=1, ensure_ascii=False) + "\n")


def new_archive(path: Path) -> zipfile.ZipFile:
    """Open a new archive, in which files may be of any date."""
    return zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False)


def put(archive: zipfile.ZipFile, name: str, data: str | bytes) -> None:
    """Add a file that was made now, whatever year the machine's clock shows."""
    member = zipfile.ZipInfo(name, min(max(time.localtime()[:6], OLDEST_DATE), LATEST_DATE))
    member.external_attr = 0o600 << 16
    archive.writestr(member, data, zipfile.ZIP_DEFLATED)


def look_at(path: Path) -> Listed:
    """Return the size and the checksum of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Listed(path.stat().st_size, digest)


def read(file: Path, folder: Path) -> Contents:
    """Extract a backup's files into a folder, checking each. Raises BackupError."""
    try:
        if not file.stat().st_size:
            raise BackupError(f"{file}: is empty: it was never written whole; use another backup")
        with zipfile.ZipFile(file) as archive:
            if any(each.compress_type not in PACKED for each in archive.infolist()):
                raise BackupError(
                    f"{file}: expected files packed as `jackspot backup` packs them (deflated), "
                    "found them packed otherwise; use the backup as it was made"
                )
            contents = _read_list(file, archive)
            for name, listed in contents.files.items():
                if not take_out(archive, name, listed, folder / name):
                    raise BackupError(
                        f"{file}: {name} in it is not what was put in; use another backup"
                    )
            return contents
    except (*DAMAGE, ValueError) as error:
        raise BackupError(
            f"{file}: expected a backup, found no archive or half of one; use another backup"
        ) from error
    except OSError as error:
        raise BackupError(f"{file}: cannot be read: {error.strerror or error}") from error


def _read_list(file: Path, archive: zipfile.ZipFile) -> Contents:
    """Read a backup's own list; refuse one that this version cannot have written."""
    other = f"{file}: expected a backup made by `jackspot backup`, found another archive"
    try:
        with archive.open(LIST) as listed:  # the archive may state a wrong size
            text = listed.read(MOST_IN_LIST + 1)
        if len(text) > MOST_IN_LIST:
            raise BackupError(f"{file}: its list {LIST} has more than {MOST_IN_LIST:,} bytes")
        said = from_json(text.decode())
        ours, form, program = said["form"] == FORM, int(said["version"]), str(said["program"])
    except (*DAMAGE, ValueError, TypeError, OverflowError) as error:
        raise BackupError(other) from error
    if not ours:
        raise BackupError(other)
    if form > FORM_VERSION:
        raise BackupError(
            f"{file}: is of form {form}, known up to {FORM_VERSION}; it was made by jackspot "
            f"{program}: install that or a later one"
        )
    try:
        files = {
            str(name): Listed(int(each["size"]), str(each["sha256"]))
            for name, each in said["files"].items()
        }
        contents = Contents(
            program, str(said["board"]), str(said["made"]), int(said["entries"]), files
        )
    except (KeyError, ValueError, TypeError, AttributeError, OverflowError) as error:
        raise BackupError(f"{file}: its list {LIST} is damaged; use another backup") from error
    if JOURNAL not in files or not set(files) <= set(MEMBERS):
        raise BackupError(
            f"{file}: expected {JOURNAL} and nothing but {', '.join(MEMBERS)}, "
            f"found {', '.join(files) or 'nothing'}"
        )
    if any(
        each.size not in range((LARGEST_BYTES if name == JOURNAL else MIB) + 1)
        for name, each in files.items()
    ):
        raise BackupError(f"{file}: says that a file in it is larger than any board's")
    return contents


def take_out(archive: zipfile.ZipFile, name: str, listed: Listed, target: Path) -> bool:
    """Extract one file, never more of it than the list says; return False if it differs.

    Raises OSError if it cannot be written.
    """
    left = listed.size
    try:
        with archive.open(name) as source, target.open("wb") as copy:
            while left > 0 and (part := source.read(min(_CHUNK_BYTES, left))):
                left -= copy.write(part)
            rest = source.read(1)
    except DAMAGE:
        return False
    return not left and not rest and look_at(target) == listed
