"""Report what is wrong with a config in words: one line for each mistake.

Each line names the file, the table, the key, what was found and what was expected, and for an
unknown name the nearest known one. This module reads no file.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

SECRETS = ("pin", "password", "key")
"""Keys whose values are in nobody's support bundle, capture, log or terminal."""
LEFT_OUT = "(left out)"
"""What stands in place of such a value."""
UNNAMED = "a name that may be a secret"
"""What stands in place of such a name."""
ALIKE = 0.8
"""From here on (as difflib measures it) a key was probably meant to be that of a secret."""


class Mistake(Struct, frozen=True, order=True):
    """One mistake: in which file and table, at which key (empty: the table), and the words.

    ``words`` continue ``[table] key`` and begin with ``=``, ``is``, ``:`` or the like.
    """

    file: str
    table: str
    key: str
    words: str

    def __str__(self) -> str:
        """Return the line that people read."""
        table = f"[{self.table}]" if self.table else ""
        parts = (f"{self.file}:", table, self.key, self.words)
        return " ".join(part for part in parts if part).replace(f"{self.key} : ", f"{self.key}: ")


class ConfigError(Exception):
    """The config cannot be used. ``mistakes`` has all that were found; the text lists them."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        super().__init__("\n".join(str(mistake) for mistake in mistakes))
        self.mistakes = tuple(mistakes)


def written(value: object) -> str:
    """Return a value as TOML would write it, without secrets; shortened if it is long."""
    text = json.dumps(without_secrets(value), ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


def without_secrets(value: object, known: Collection[str] = ()) -> object:
    """Return plain data without the values of secret keys, even of keys that were mistyped.

    A key whose value is the name of a secret is left out too, unless it is one of the ``known``:
    they were probably exchanged.
    """
    if isinstance(value, Mapping):
        return as_told(
            (
                told_key(key, inner, known),
                LEFT_OUT if _is_secret(key, inner) else without_secrets(inner, known),
            )
            for key, inner in value.items()
        )
    return [without_secrets(inner, known) for inner in value] if isinstance(value, list) else value


def as_told(told: Iterable[tuple[str, object]]) -> dict[str, object]:
    """Return a table of keys as they may be shown; those whose name is left out are counted."""
    found: dict[str, object] = {}
    for key, value in told:
        unnamed = sum(each.startswith(UNNAMED) for each in found) if key == UNNAMED else 0
        found[f"{key} ({unnamed + 1})" if unnamed else key] = value
    return found


def without_strings(value: object) -> object:
    """Return plain data without its strings; keys, numbers and true or false stay."""
    if isinstance(value, Mapping):
        return {key: without_strings(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [without_strings(inner) for inner in value]
    return LEFT_OUT if isinstance(value, str) else value


def _is_secret(key: str, value: object) -> bool:
    """Return whether a key is that of a secret, or probably meant to be; [pins] is no such key."""
    if key in SECRETS or isinstance(value, Mapping):
        return key in SECRETS
    typed = key.casefold()
    close = difflib.get_close_matches(typed, SECRETS, n=1, cutoff=ALIKE)
    return bool(close) or any(each in typed for each in SECRETS)


def told_key(key: str, value: object, known: Collection[str] = ()) -> str:
    """Return a key as it may be shown: an unknown one may be a secret that was typed as a name.

    So it is not shown if its value is the name of a secret, or if the ``known`` keys have one and
    it is like none of them.
    """
    if key in known:
        return key
    if isinstance(value, str) and value.casefold() in SECRETS:
        return UNNAMED
    if set(SECRETS).isdisjoint(known) or difflib.get_close_matches(key.casefold(), known, n=1):
        return key
    return UNNAMED


def told_table(name: str, found: object, tables: Iterable[str]) -> str:
    """Return the name of a table, or of a key that stands outside all tables, as it may be shown.

    ``tables`` are those that are known.
    """
    return name if isinstance(found, Mapping) else told_key(name, found, (*tables, *SECRETS))


def nearest(name: str, known: Iterable[str]) -> str:
    """Return which known name was probably meant, or list them all."""
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return f"did you mean {close[0]}?"
    return f"known are {', '.join(names)}"
