"""What commands that read a match record share: from a file, standard input or QR codes."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

from jackspot.core.record import MOST_BYTES, Flaw, Record, RecordError, read_record
from jackspot.core.record_codes import record_from


def record_in(file: Path) -> Record:
    """Read the record in a file, or in the texts of its QR codes; a dash is standard input.

    Raises RecordError, also for what cannot be read or is not UTF-8.
    """
    return read_record(record_from(_text(file)))


def _text(file: Path) -> str:
    """Read a file as UTF-8; if it cannot be read, that is an error of the record."""
    try:
        data = _standard_input() if str(file) == "-" else _file(file)
    except OSError as error:
        raise RecordError([Flaw(1, 1, f"cannot be read: {error.strerror}")]) from error
    if len(data) > MOST_BYTES:
        raise RecordError([Flaw(1, 1, f"a record has at most {MOST_BYTES:,} bytes")])
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        message = f"expected UTF-8, found byte 0x{data[error.start]:02x}; save the file as UTF-8"
        raise RecordError([Flaw(line, column, message)]) from error


def _file(file: Path) -> bytes:
    """Read a file, or a pipe that a shell names, up to one byte more than a record may have."""
    with file.open("rb") as opened:
        return opened.read(MOST_BYTES + 1)


def _standard_input() -> bytes:
    """Read standard input; OSError if it is closed, when Python has none."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is closed")
    return sys.stdin.buffer.read(MOST_BYTES + 1)
