"""The backup file: a zip archive with the board's files and a list of what they must be.

``backup.json`` names the version of this form, the program that wrote it, and each file with
its size and SHA-256. What is not on the list is not taken out; a file that is not what the
list says makes the whole backup bad, before anything is changed by it.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from msgspec import Struct

from jackspot.files import MIB, from_json

FORM = "jackspot backup"
FORM_VERSION = 1
LIST = "backup.json"

JOURNAL = "journal.sqlite3"
SHARED = "jackspot.toml"
BOARD = "board.toml"
CALIBRATION = "calibration.toml"
MEMBERS = (JOURNAL, SHARED, BOARD, CALIBRATION)
"""What a backup can hold; the journal it always holds."""

MOST_IN_LIST = 1 << 16
"""Bytes of the list; a real one has a thousand."""
LARGEST_BYTES = 4 * 1024**3
"""No board's journal comes near; a file that claims more is no backup."""

_CHUNK_BYTES = 1 << 20
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Other compressions have bombs and mistakes of their own, and no backup has them."""
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,  # the compressed bytes themselves
    EOFError,  # they end too soon
    KeyError,  # a file that the list names is not there
    NotImplementedError,  # a compression or version of zip that there is none of
    RuntimeError,  # a bit that says a file is encrypted
)
"""What reading a damaged archive raises (docs of :mod:`zipfile`, and what its tests met)."""


class BackupError(Exception):
    """A backup that cannot be made or used; says where, what, and what to do."""


class Listed(Struct, frozen=True):
    """A file of a backup: its size and its SHA-256 as hex digits."""

    size: int
    digest: str


class Contents(Struct, frozen=True):
    """What a backup says of itself: which program wrote it, for which board, what it holds."""

    program: str
    board: str
    made: str
    entries: int
    files: Mapping[str, Listed]


@contextmanager
def new_file(target: Path) -> Iterator[Path]:
    """Return a name to write to; afterwards that file is ``target``, whole and on the disk.

    Raises BackupError where there is such a file already, or none can be made.
    """
    if target.exists():
        raise BackupError(f"{target} is there already; name a new file")
    draft = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        os.close(handle)
        draft = Path(name)
        yield draft
        fd = os.open(draft, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
        draft.rename(target)
    except OSError as error:
        raise BackupError(f"{target}: cannot be written: {error.strerror or error}") from error
    finally:
        if draft is not None:
            draft.unlink(missing_ok=True)


def write(target: Path, files: Mapping[str, Path], board: str, made: str, entries: int) -> None:
    """Write a backup of these files. Raises BackupError."""
    with new_file(target) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
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
        archive.writestr(LIST, json.dumps(said, indent=1, ensure_ascii=False) + "\n")


def look_at(path: Path) -> Listed:
    """Return the size and the checksum of a file."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return Listed(path.stat().st_size, digest)


def read(file: Path, folder: Path) -> Contents:
    """Take a backup's files out into a folder, each checked. Raises BackupError."""
    try:
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
        raise BackupError(f"{file}: expected a backup, found no archive or half of one") from error
    except OSError as error:
        raise BackupError(f"{file}: cannot be read: {error.strerror or error}") from error


def _read_list(file: Path, archive: zipfile.ZipFile) -> Contents:
    """Read what a backup says of itself, and refuse what this version cannot have written."""
    other = f"{file}: expected a backup made by `jackspot backup`, found another archive"
    try:
        with archive.open(LIST) as listed:  # its size is what the archive says, not what it is
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
    """Take one file out, never more of it than the list says there is; False where it differs.

    Raises OSError where it cannot be written.
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
