"""Finds and reads the config: one file that may serve twenty boards, and each board's own.

The shared file is ``--config PATH``, else ``/etc/jackspot/jackspot.toml``, else the built-in
reference board. The board's own file overrides it, if there is one: ``--board-file PATH``, else
``/var/lib/jackspot/board.toml``; it holds what differs from board to board (its name, its sensing
limits) and may hold any key of the shared one. Between the two comes ``festival.toml`` beside the
shared file, if there is one: what a hall's organiser hands out. This module reads files and opens
nothing else.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from jackspot.config.model import Config, Origin, check
from jackspot.festival.joining import NAME, is_file_name
from jackspot.files import MIB, is_there, read_text, toml
from jackspot.settings.mistakes import ConfigError, Mistake

SHARED_PLACE = Path("/etc/jackspot/jackspot.toml")
BOARD_PLACE = Path("/var/lib/jackspot/board.toml")

BUILT_IN = "built-in"
"""The name to show where there is no file."""


class Sources(Struct, frozen=True):
    """The files that were read, in order; a later one overrides an earlier one."""

    paths: tuple[Path, ...]

    def __str__(self) -> str:
        """Name them for people."""
        names = " + ".join(str(path) for path in self.paths)
        return names or f"{BUILT_IN} reference board"


def find(
    config: Path | None = None,
    board_file: Path | None = None,
    *,
    shared_place: Path = SHARED_PLACE,
    board_place: Path = BOARD_PLACE,
) -> Sources:
    """Return the files that count. A file that was asked for counts even when it is missing."""
    shared = config or (shared_place if is_there(shared_place) else None)
    board = board_file or (board_place if is_there(board_place) else None)
    handed = (config or shared_place).parent / NAME
    hall = handed if handed != config and is_there(handed) else None
    return Sources(tuple(path for path in (shared, hall, board) if path is not None))


def load(sources: Sources | None = None) -> Config:
    """Read and check the config; None: the files in their usual places.

    Raises ConfigError with every mistake of every file. A missing file hides no mistake of the
    others; if a file that is there cannot be read or parsed, the merged config is not checked.
    """
    sources = find() if sources is None else sources
    mistakes: list[Mistake] = []
    understood = True
    merged: dict[str, object] = {}
    origins: dict[tuple[str, str], str] = {}
    for path in sources.paths:
        try:
            _lay_over(merged, read(path), str(path), origins)
        except ConfigError as failure:
            mistakes += failure.mistakes
            understood = understood and not is_there(path)
    default = str(sources.paths[0]) if sources.paths else BUILT_IN
    if understood:
        try:
            config = check(merged, Origin(default, origins))
        except ConfigError as failure:
            mistakes += failure.mistakes
        else:
            if not mistakes:
                return config
    raise ConfigError(mistakes)


RETIRED: Mapping[str, tuple[str, ...]] = MappingProxyType({"sensing": ("wide_s",)})
"""Keys of earlier versions that nothing reads any more; a config may still have them."""


def read(path: Path) -> dict[str, object]:
    """Read one TOML file; raises ConfigError when it is missing, not text or not TOML.

    A hall's certificate that it names is beside it.
    """
    said = _read(path)
    festival = said.get("festival")
    ca = festival.get("ca") if isinstance(festival, dict) else None
    if isinstance(festival, dict) and path.name == NAME and is_file_name(ca):
        festival["ca"] = str(path.parent / str(ca))
    return said


def _read(path: Path) -> dict[str, object]:
    try:
        return toml(read_text(path, MIB, "utf-8-sig"))
    except FileNotFoundError:
        words = "does not exist; name another file, or leave it out for the defaults"
        raise _unreadable(str(path), words) from None
    except OSError as failure:
        raise _unreadable(str(path), f"cannot be read: {failure.strerror}") from None
    except UnicodeDecodeError as failure:
        words = f"is not UTF-8 at byte {failure.start + 1}; save it as UTF-8"
        raise _unreadable(str(path), words) from None
    except tomllib.TOMLDecodeError as failure:
        place, words = _syntax(str(failure))
        raise _unreadable(f"{path}{place}", f"is not TOML: {words}") from None
    except ValueError as failure:
        raise _unreadable(str(path), f"cannot be understood: {failure}") from None


def _unreadable(place: str, words: str) -> ConfigError:
    return ConfigError([Mistake(place, "", "", words)])


def _syntax(message: str) -> tuple[str, str]:
    """Split tomllib's message into line and column (``:3:7``) and what is wrong."""
    found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message, re.DOTALL)
    if not found:
        return "", message
    words, line, column = found.groups()
    return f":{line}:{column}", words


def _lay_over(
    under: dict[str, object],
    over: Mapping[str, object],
    file: str,
    origins: dict[tuple[str, str], str],
) -> None:
    """Merge one file's keys over the others, and remember which file each came from."""
    for table, keys in over.items():
        if isinstance(keys, dict):
            for retired in RETIRED.get(table, ()):
                keys.pop(retired, None)
        origins[table, ""] = file
        below = under.get(table)
        if isinstance(keys, Mapping) and isinstance(below, Mapping):
            under[table] = _merged(below, keys)
        else:
            under[table] = keys
        if isinstance(keys, Mapping):
            origins.update({(table, key): file for key in keys})


def _merged(below: Mapping[str, object], above: Mapping[str, object]) -> dict[str, object]:
    merged = dict(below)
    for key, value in above.items():
        old = merged.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            merged[key] = _merged(old, value)
        else:
            merged[key] = value
    return merged
