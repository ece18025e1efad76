"""Read files within bounds, since anybody may have put them there, and write them whole.

Only regular files are read, and only up to a size.

A pipe in place of a file would block the process that opens it, and its signals, until something is
written to it; a device or an endless file would fill the memory. TOML and JSON allow more than
anybody writes (lines, keys, nestings and numbers of any length). That could keep a parser busy for
minutes, or crash the code that uses its result: a program prints no number of 5,000 digits.
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any

MIB = 1 << 20
Json = dict[str, Any]
"""A JSON object."""
MOST_IN_A_LINE = 4_096
"""The most characters in a line that people write."""
LONG_LINE = 1 << 16
"""The most characters in a line that this program wrote: all drops of a kind, a club's names."""
DEEPEST = 32
"""The most parts of a dotted key, and nestings; no file of this program has more than six."""
MOST_BITS = 1 << 10
"""The most bits of a whole number: a larger one has no float, a much larger one no decimal text."""


class NotRegular(OSError):
    """Something with a file's name that is not a file: a pipe, a device, a socket."""


class TooLong(OSError):
    """A file longer than any that this program expects."""


def open_regular(path: Path, flags: int = os.O_RDONLY, mode: int = 0o644) -> int:
    """Open a regular file without ever blocking; raise :class:`NotRegular` or another OSError."""
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


def is_there(path: Path) -> bool:
    """Return whether there is such a file; one in a folder that may not be entered counts too.

    Reading it then says what is wrong.
    """
    try:
        return path.exists()
    except OSError:
        return True


def read_bytes(path: Path, most: int) -> bytes:
    """Read a whole regular file of at most ``most`` bytes; OSError if it is not one, or longer."""
    with os.fdopen(open_regular(path), "rb") as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise TooLong(errno.EFBIG, f"has more than {most:,} bytes", str(path))
    return data


def read_text(path: Path, most: int, encoding: str = "utf-8") -> str:
    """Read a whole regular file as text; OSError like :func:`read_bytes`, UnicodeDecodeError."""
    return read_bytes(path, most).decode(encoding)


def atomic_write(path: Path, text: str, mode: int = 0o666) -> None:
    """Replace a file with new text. OSError if that fails; then the old file stays.

    ``mode`` has its permissions, less those in the process's umask.
    """
    part = path.with_name(path.name + ".part")
    try:
        part.unlink(missing_ok=True)  # whatever has the name, even a pipe
        made = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with os.fdopen(made, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Force the names of files to the disk, where the file system can do that for a folder."""
    at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(at)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:
            raise
    finally:
        os.close(at)


class UnfitFile(ValueError):
    """TOML or JSON that cannot be a file of this program; the message says where and why."""


def toml(text: str, line: int = MOST_IN_A_LINE) -> dict[str, Any]:
    """Read TOML with lines of at most ``line`` characters, in a time bounded by its length.

    Raises :class:`UnfitFile` if there is more in it than anybody writes, TOMLDecodeError if it is
    not TOML. Both are ValueErrors, and so is anything else that the parser raises.
    """
    lines = text.split("\n")
    for number, each in enumerate(lines, start=1):
        if each.count(".") >= DEEPEST and _DEEP_KEY.search(each):
            raise UnfitFile(f"line {number}: expected a key of at most {DEEPEST} parts, found more")
    try:
        said = tomllib.loads(text)
    except RecursionError:
        raise UnfitFile(_TOO_DEEP) from None
    _look_over(said)
    for number, each in enumerate(lines, start=1):
        if len(each) > line:
            raise UnfitFile(
                f"line {number}: expected at most {line:,} characters, found {len(each):,}"
            )
    return said


def toml_quoted(text: str) -> str:
    """Return a text quoted as in TOML."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def from_json(text: str) -> Any:
    """Read JSON; raises a ValueError like :func:`toml`."""
    try:
        said = json.loads(text)
    except RecursionError:
        raise UnfitFile(_TOO_DEEP) from None
    _look_over(said)
    return said


_DEEP_KEY = re.compile(
    r"""(?<![\w\\-])(?:(?:[\w-]++|"(?:[^"\\]|\\.)*+"|'[^']*+')[ \t]*+\.[ \t]*+){""" + f"{DEEPEST}}}"
)
""":data:`DEEPEST` parts, each followed by a dot. It visits no character more often than that."""
_TOO_DEEP = f"expected at most {DEEPEST} tables or lists in each other, found more"


def _look_over(said: object) -> None:
    """Raise UnfitFile for what is nested too deeply, and for whole numbers too large to use."""
    coming: list[tuple[tuple[object, ...], object]] = [((), said)]
    while coming:
        keys, value = coming.pop()
        if len(keys) > DEEPEST:
            raise UnfitFile(_TOO_DEEP)
        if isinstance(value, dict):
            coming += [((*keys, key), inner) for key, inner in value.items()]
        elif isinstance(value, list):
            coming += [((*keys, at), inner) for at, inner in enumerate(value, start=1)]
        elif isinstance(value, int) and value.bit_length() > MOST_BITS:
            *table, key = keys or ("",)
            place = f"[{'.'.join(map(str, table))}] {key}" if table else str(key)
            raise UnfitFile(
                f"{place}: expected a number within bounds, found a number beyond all bounds"
            )
