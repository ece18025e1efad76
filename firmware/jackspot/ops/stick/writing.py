"""The results of a board as files below a folder; no existing file is overwritten.

If a name is taken by a file with other contents, the next number is used: ``matches.csv``,
``matches-2.csv``. So boards of one name can share a stick, and files from another day stay. A file
with the same contents is left as it is. A stick may come from anybody: links on it are not
followed.
"""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from jackspot.files import sync_folder
from jackspot.history.archive import Archive
from jackspot.history.export import CsvTable, as_csv, file_name
from jackspot.ops.ownership import as_owner_of

DRAFT = ".jackspot-draft"
"""Name of a file until it is complete; one left by a pulled stick is begun anew."""
LONGEST_NAME = 60

_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]+')
_DEVICES = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")


class Wrote(Struct, frozen=True):
    """How many matches there were, how many files were written, and how many existed already."""

    folder: Path
    matches: int
    new: int
    same: int


def folder_name(board: str) -> str:
    """Return a board's folder name in a form that every file system takes, Windows' too."""
    name = _FORBIDDEN.sub("-", board)[:LONGEST_NAME].strip(" .")
    return f"{name}-board" if _DEVICES.fullmatch(name) else name or "Jackspot"


def write_results(
    archive: Archive, board: str, place: Path, note: Callable[[Path], object] = lambda _file: None
) -> Wrote:
    """Write the results of all matches into the board's folder below ``place``, creating it.

    ``note`` is told of each new file. Raises OSError if one cannot be written, leaving there what
    was complete; JournalError if the journal cannot be read.
    """
    with as_owner_of(archive.journal.parent):
        readable = [match for match in archive.matches() if "unreadable" not in match]
        matches = [archive.match(match["number"]) for match in readable]
    folder = place / folder_name(board)
    if not matches:
        return Wrote(folder, 0, 0, 0)
    if folder.is_symlink():
        raise NotADirectoryError(20, "is a link, and links are not followed", str(folder))
    if not place.exists():
        place.mkdir()
    folder.mkdir(exist_ok=True)
    new = same = 0
    for name, text in _files(matches):
        target = _put(folder, name, text.encode())
        if target is None:
            same += 1
        else:
            note(target)
            new += 1
    sync_folder(folder)
    return Wrote(folder, len(matches), new, same)


def _files(matches: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Return the names of all files with their contents."""
    for match in matches:
        yield file_name(match), match["record"]
    for table in CsvTable:
        yield f"{table.value}.csv", as_csv(table, matches)


def _put(folder: Path, name: str, data: bytes) -> Path | None:
    """Write a file under the first free name, and return it; None if it is there already."""
    stem, dot, ending = name.rpartition(".")
    for number in itertools.count(2):
        target = folder / name
        if not os.path.lexists(target):
            _write(folder / DRAFT, target, data)
            return target
        if _has(target, data):
            return None
        name = f"{stem}-{number}{dot}{ending}"
    raise AssertionError("numbers do not end")


def _has(path: Path, data: bytes) -> bool:
    """Whether a file has these contents."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size != len(data):
        return False
    return path.read_bytes() == data


def _write(draft: Path, target: Path, data: bytes) -> None:
    """Write a file so that it is complete or absent."""
    with suppress(FileNotFoundError):
        draft.unlink()
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.rename(target)
    except OSError:
        with suppress(OSError):
            draft.unlink()
        raise
