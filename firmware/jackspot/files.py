"""Reading files that somebody else may have put there: regular ones only, and so much of them.

A pipe in the place of a file would hold whoever opens it until something is written to it, and
signals with it; a device or a file without an end would fill the memory.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MIB = 1 << 20


class NotRegular(OSError):
    """Something that has a file's name and is none: a pipe, a device, a socket."""


class TooLong(OSError):
    """A file that has more in it than anybody wrote there."""


def open_regular(path: Path, flags: int = os.O_RDONLY, mode: int = 0o644) -> int:
    """Open a regular file without ever waiting; :class:`NotRegular`, or another OSError."""
    handle = os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC, mode)
    kind = os.fstat(handle).st_mode
    if stat.S_ISREG(kind):
        return handle
    os.close(handle)
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    what = next((words for is_so, words in _KINDS if is_so(kind)), "a device")
    raise NotRegular(errno.EINVAL, f"expected a file, found {what}", str(path))


_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


def read_bytes(path: Path, most: int) -> bytes:
    """Read a whole regular file of at most ``most`` bytes; OSError where it is none, or longer."""
    with os.fdopen(open_regular(path), "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise TooLong(errno.EFBIG, f"has more than {most:,} bytes", str(path))
    return data


def read_text(path: Path, most: int, encoding: str = "utf-8") -> str:
    """Read a whole regular file as text; OSError as :func:`read_bytes`, UnicodeDecodeError."""
    return read_bytes(path, most).decode(encoding)
