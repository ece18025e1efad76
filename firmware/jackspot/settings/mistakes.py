"""What is wrong with a config, in words: one line for each mistake.

Turns pydantic's findings into sentences that name the file, the table, the key, what was
found and what was expected, and for an unknown name the nearest known one. Reads no file.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from pydantic_core import ErrorDetails


class Mistake(Struct, frozen=True, order=True):
    """One mistake: in which file and table, at which key (empty: the table), and the words.

    ``words`` continue ``[table] key`` and begin with ``=``, ``is``, ``:`` or the like.
    """

    file: str
    table: str
    key: str
    words: str

    def __str__(self) -> str:
        """Write the line that people read."""
        table = f"[{self.table}]" if self.table else ""
        parts = (f"{self.file}:", table, self.key, self.words)
        return " ".join(part for part in parts if part).replace(f"{self.key} : ", f"{self.key}: ")


class ConfigError(Exception):
    """The config cannot be used. ``mistakes`` are all that were found; the text lists them."""

    def __init__(self, mistakes: Sequence[Mistake]) -> None:
        super().__init__("\n".join(str(mistake) for mistake in mistakes))
        self.mistakes = tuple(mistakes)


def written(value: object) -> str:
    """Write a value as TOML would, shortened when it is long."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


def nearest(name: str, known: Iterable[str]) -> str:
    """Say which known name was probably meant, or list them all."""
    names = list(known)
    close = difflib.get_close_matches(name, names, n=1)
    if close:
        return f"did you mean {close[0]}?"
    return f"known are {', '.join(names)}"


def explain(error: ErrorDetails, known: Iterable[str]) -> str:
    """Put one of pydantic's findings into words that follow the key's name."""
    key, found = str(error["loc"][-1]), written(error["input"])
    context: Mapping[str, Any] = error.get("ctx", {})
    match error["type"]:
        case "extra_forbidden":
            return f"is not a key of this table; {nearest(key, known)}"
        case "enum" | "literal_error":
            expected = str(context["expected"]).replace("'", '"')
        case "bool_type":
            expected = "true or false"
        case "string_type":
            expected = "a text in quotes"
        case "value_error":
            expected = str(context["error"])
        case _:
            expected = error["msg"]
    return f"= {found}: expected {expected}"
