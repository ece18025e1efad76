"""What a backup's settings would change on a board, and the commands in them.

Settings of another board may change what this one listens on, and which command is run when people
shut it down. So the differences are shown before anything is put in place, and a command that the
board does not have already is left out unless it was asked for.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jackspot.config.load import read
from jackspot.config.show import plainly
from jackspot.core.printable import visible
from jackspot.core.toml_places import find_places
from jackspot.ops.backup.archive import BackupError
from jackspot.settings.mistakes import ConfigError

Keys = tuple[str, ...]
"""The path of a setting."""
COMMANDS: tuple[Keys, ...] = (("board", "shutdown"),)
"""The settings that name a program to run."""
MOST_LINES = 100
"""At most this many lines of a command are left out; each needs a look at the whole text."""
MOST_SHOWN = 60
"""At most this many characters of a value are shown."""

NOT_SHOWN = "and not shown"
"""What is said in place of a secret."""


def differences(copy: Path, place: Path) -> Iterator[str]:
    """Say in one line each how the settings of the two files differ."""
    new, old = _flat(_read(copy)), _flat(_read(place))
    for path in sorted(new.keys() | old.keys()):
        if new.get(path) != old.get(path):
            *tables, key = _plain(path, old.get(path, new.get(path)))[0]
            where = f"[{'.'.join(tables)}] {key}" if tables else key
            was, now = (_plain(path, each.get(path))[1] for each in (old, new))
            said = f"changed, {NOT_SHOWN}" if was == now else f"{was} -> {now}"
            yield visible(f"{where}: {said}")


def leave_commands_out(file: Path, copy: Path, place: Path) -> tuple[str, ...]:
    """Take out of a backup's settings each command that is not there already; return which.

    Raises BackupError if the text cannot be had without it.
    """
    old, taken = _flat(_read(place)), []
    for path in COMMANDS:
        found = _flat(_read(copy)).get(path)
        if found is not None and found != old.get(path):
            text = _without(copy.read_text(encoding="utf-8-sig"), path)
            if text is None:
                raise BackupError(
                    f"{file}: its [{path[0]}] {path[1]} runs a program, and is written in a way "
                    "that it cannot be left out; take it with --with-commands, or leave all "
                    "settings with --journal-only"
                )
            copy.write_text(text, encoding="utf-8")
            taken.append(visible(f"[{path[0]}] {path[1]} = {_shown(found)}"))
    return tuple(taken)


def _without(text: str, path: Keys) -> str | None:
    """Return a TOML text without the lines of one key; None if they hold more than that."""
    found = find_places(text).get(path)
    if found is None:
        return None
    whole = tomllib.loads(text)
    table: dict[str, Any] = whole
    for key in path[:-1]:
        table = table[key]
    del table[path[-1]]
    lines = text.split("\n")
    first = found.key.line - 1
    for end in range(first + 1, min(first + MOST_LINES, len(lines)) + 1):
        left = "\n".join(lines[:first] + lines[end:])
        try:
            if tomllib.loads(left) == whole:
                return left
        except tomllib.TOMLDecodeError:
            continue
    return None


def _read(path: Path) -> Mapping[str, Any]:
    """Read settings; a file that is missing or empty has none."""
    try:
        return read(path)
    except ConfigError:
        return {}


def _flat(table: Mapping[str, Any], path: Keys = ()) -> dict[Keys, Any]:
    """Return every value by its path."""
    found: dict[Keys, Any] = {}
    for key, value in table.items():
        found |= _flat(value, (*path, key)) if isinstance(value, dict) else {(*path, key): value}
    return found


def _plain(path: Keys, value: object) -> tuple[Keys, str]:
    """Return a setting's path and value as they may be shown; of a secret only that it is set."""
    said = value
    for key in reversed(path):
        said = {key: said}
    assert isinstance(said, dict)
    [(told, plain)] = _flat(plainly(said)).items()
    return told, f"set, {NOT_SHOWN}" if value and plain != value else _shown(value)


def _shown(value: object) -> str:
    if value is None:
        return "not set"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}..."
