"""The effective settings as a TOML file that says the same: what ``check-config`` prints."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from textwrap import wrap

from jackspot.config.model import (
    KNOWN_IN_MATCH,
    MATCH_TABLE,
    SECTIONS,
    TABLES,
    Config,
    has_secret,
)
from jackspot.config.pins import PinsChoices
from jackspot.files import toml_quoted
from jackspot.inputs.pins import PROFILES, WIRE_NAMES, Wire
from jackspot.sensing.limits import SECOND
from jackspot.settings.help import help_of
from jackspot.settings.mistakes import (
    LEFT_OUT,
    SECRETS,
    as_told,
    told_key,
    told_table,
    without_secrets,
    without_strings,
)
from jackspot.settings.section import Section, keys_of, write_section

WIDTH = 100
"""The longest line of help."""


def as_toml(config: Config, *, explained: bool = False) -> str:
    """Return every setting with its value, defaults included; unset ones as a comment.

    ``explained``: a comment above each says what it is for, and which values it may have.
    """
    blocks = []
    for table in TABLES:
        if table == MATCH_TABLE:
            lines = list(_tables(MATCH_TABLE, config.match))
        elif table == "pins":
            helps = help_of(PinsChoices) if explained else {}
            lines = ["[pins]", *_explained(_pins(config), helps)]
        else:
            section: Section = config.displays.get(table) or getattr(config, table)
            helps = help_of(type(section)) if explained else {}
            keys = _keys(dict(write_section(section)))
            lines = [f"[{table}]", *_explained(keys, helps)]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def as_said(said: Mapping[str, object]) -> str:
    """Return settings that may have mistakes, as they were read, as TOML without secrets."""
    plain = plainly(said)
    lines = [*_keys({key: value for key, value in plain.items() if not isinstance(value, Mapping)})]
    for key, value in plain.items():
        if isinstance(value, Mapping):
            lines += ["", *_tables(_key(key), value)]
    return "\n".join(lines) + "\n"


def plainly(said: Mapping[str, object]) -> dict[str, object]:
    """Return settings that may have mistakes, as they were read, without secrets."""
    return as_told(
        (told_table(name, table, TABLES), _as_known(name, table)) for name, table in said.items()
    )


def _as_known(name: str, said: object) -> object:
    """Leave out of a table its secrets, and what may be one under a key or in a form nobody knows.

    These are strings, and in a table that has a secret everything; and names that may be one.
    """
    known: Collection[str] = keys_of(SECTIONS[name]) if name in SECTIONS else ()
    known = KNOWN_IN_MATCH if name == MATCH_TABLE else known
    like = known or tuple(chain.from_iterable(map(keys_of, SECTIONS.values())))

    def left(value: object) -> object:
        if name == MATCH_TABLE:
            return value
        return LEFT_OUT if has_secret(name) else without_strings(value)

    plain = _without_secrets(name, said, known)
    if not isinstance(said, Mapping) or not isinstance(plain, Mapping):
        return left(plain)
    found = []
    for key, value in said.items():
        inner = _without_secrets(key, value, known)
        found.append((told_key(key, value, like), inner if key in known else left(inner)))
    return as_told(found)


def _without_secrets(key: str, value: object, known: Collection[str]) -> object:
    """Return the value of a key without secrets."""
    plain = without_secrets({key: value}, known)
    assert isinstance(plain, Mapping)
    (found,) = plain.values()
    return found


def _explained(lines: Iterable[str], helps: Mapping[str, str]) -> Iterator[str]:
    """Put a comment above each line that says what its key is for."""
    for line in lines:
        key = line.removeprefix("# ").partition(" ")[0]
        yield from wrap(helps.get(key, ""), WIDTH, initial_indent="# ", subsequent_indent="#   ")
        yield line


def _pins(config: Config) -> Iterator[str]:
    yield f'profile = "{config.pins.profile}"'
    yield f'lamp_active = "{config.pins.lamp_active}"'
    for name in WIRE_NAMES:
        wire = config.wire(name)
        if wire is not None:
            yield f"{name} = {_wire(wire)}"
        elif name in PROFILES[config.pins.profile].gpios:
            yield f"{name} = false"


def _wire(wire: Wire) -> str:
    if wire.source is None:
        return str(wire.gpio)
    return (
        f'{{ gpio = {wire.gpio}, active = "{wire.active}", pull = "{wire.pull}", '
        f"hold_off_s = {_value(wire.hold_off_ns / SECOND)} }}"
    )


def _keys(values: Mapping[str, object]) -> Iterator[str]:
    for key, value in values.items():
        if value is None:
            yield f"# {key} is not set"
        elif key in SECRETS and value:
            yield f"# {key} is set, and not shown"
        else:
            yield f"{_key(key)} = {_value(value)}"


def _tables(name: str, values: Mapping[str, object]) -> Iterator[str]:
    """Return the lines of a table and of the tables in it."""
    yield f"[{name}]"
    yield from _keys({k: v for k, v in values.items() if not isinstance(v, Mapping)})
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _tables(f"{name}.{_key(key)}", value)


def _key(key: str) -> str:
    bare = key.replace("-", "").replace("_", "")
    return key if bare.isascii() and bare.isalnum() else _value(key)


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(_value(item) for item in value)}]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(it)}" for key, it in value.items()) + " }"
    if isinstance(value, str | Path):
        return toml_quoted(str(value))
    return json.dumps(value) if isinstance(value, bool) else str(value)
