"""Files beside the journal: its high-water mark, and how often a start from it failed.

A log that lost its end looks like a log that ended earlier. The mark tells the two apart: it is
written after each forced append, so a journal that ends before its mark has lost something. The
mark itself is not forced to the disk (that would double the cost of an append). After a power cut
it may be behind the journal, which is no fault, but never ahead of it.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from pathlib import Path

from jackspot.files import open_regular, read_bytes
from jackspot.storage.entries import CHAIN_BYTES, Head

SEQ_DIGITS = 20
MOST_BYTES = 1_024


def mark_path(journal: Path) -> Path:
    """Return the path of a journal's mark."""
    return journal.with_name(journal.name + ".mark")


def read_mark(journal: Path) -> Head | None:
    """Read a journal's mark; None if there is none or it is damaged itself."""
    try:
        data = read_bytes(mark_path(journal), MOST_BYTES)
    except OSError:
        return None
    parts = data.split()
    if len(parts) != 3 or parts[2] != _checksum(b" ".join(parts[:2])):
        return None
    return Head(int(parts[0]), bytes.fromhex(parts[1].decode("ascii")))


class Mark:
    """The mark, open for writing. All errors are ignored: it is an aid, not a record."""

    def __init__(self, journal: Path) -> None:
        try:
            self._fd = open_regular(mark_path(journal), os.O_RDWR | os.O_CREAT)
        except OSError:
            self._fd = -1

    def write(self, head: Head) -> None:
        """Record that everything up to ``head`` is acknowledged."""
        if self._fd < 0:
            return
        data = f"{head.seq:0{SEQ_DIGITS}d} {head.chain.hex():0>{2 * CHAIN_BYTES}}".encode()
        try:
            os.pwrite(self._fd, data + b" " + _checksum(data) + b"\n", 0)
        except OSError:
            return

    def close(self) -> None:
        """Close the file; a second call does nothing."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _checksum(data: bytes) -> bytes:
    """Return eight hex digits over the mark's text."""
    return f"{zlib.crc32(data):08x}".encode()


# --- starts that failed ----------------------------------------------------------------


def starts_path(journal: Path) -> Path:
    """Return the path of the note that exists until a start has succeeded."""
    return journal.with_name(journal.name + ".starts")


def count_start(journal: Path, seq: int) -> int:
    """Record that a start begins from entry ``seq``; return how many from it failed before.

    :func:`start_succeeded` removes the note. One that cannot be read or written counts as none: it
    is an aid, like the mark.
    """
    path, failed = starts_path(journal), 0
    try:
        parts = read_bytes(path, MOST_BYTES).split()
        if len(parts) == 2 and int(parts[0]) == seq:
            failed = int(parts[1])
    except (OSError, ValueError):
        failed = 0
    with suppress(OSError), os.fdopen(open_regular(path, os.O_WRONLY | os.O_CREAT), "wb") as note:
        note.truncate()
        note.write(f"{seq} {failed + 1}\n".encode("ascii"))
    return failed


def start_succeeded(journal: Path) -> None:
    """Record that the board came up or stopped in order: the next start counts anew."""
    with suppress(OSError):
        starts_path(journal).unlink(missing_ok=True)
