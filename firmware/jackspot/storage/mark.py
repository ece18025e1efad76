"""The high-water mark: which entry was acknowledged last, beside the journal.

A log that lost its end looks like a log that ended earlier. The mark tells the two apart: it
is written after each durable append, so a journal that ends before its mark has lost
something. The mark itself is not forced to the disk (that would double the cost of an
append): after a power cut it may lie behind the journal, which is no fault, and never before
it.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path

from jackspot.storage.entries import CHAIN_BYTES, Head

SEQ_DIGITS = 20


def mark_path(journal: Path) -> Path:
    """Give the path of a journal's mark."""
    return journal.with_name(journal.name + ".mark")


def read_mark(journal: Path) -> Head | None:
    """Read a journal's mark; None where there is none or it is damaged itself."""
    try:
        data = mark_path(journal).read_bytes()
    except OSError:
        return None
    parts = data.split()
    if len(parts) != 3 or parts[2] != _checksum(b" ".join(parts[:2])):
        return None
    return Head(int(parts[0]), bytes.fromhex(parts[1].decode("ascii")))


class Mark:
    """The mark, open for writing. All errors are swallowed: it is a help, not a record."""

    def __init__(self, journal: Path) -> None:
        try:
            self._fd = os.open(mark_path(journal), os.O_RDWR | os.O_CREAT, 0o644)
        except OSError:
            self._fd = -1

    def write(self, head: Head) -> None:
        """Note that everything up to ``head`` is acknowledged."""
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
    """Give eight hex digits over the mark's text."""
    return f"{zlib.crc32(data):08x}".encode()
