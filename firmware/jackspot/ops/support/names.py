"""Players' names, found where people write them and replaced wherever they appear.

Names are known from the places that are made for them: ``[people] names``, ``[match.names]`` and
the ``[names]`` of match headers, in the config, the journal and captures. There each is replaced by
its first letter and a number, the same in every file; a name in the scripts of East Asia, where one
sign can be the whole of it, by P and a number. Elsewhere (a log, a remark, the name of an
event) they are replaced wherever they are found, whole or in part, except a name that is also a
word of the program: a player called Red must not turn a side into somebody else. Pure: text in,
text out.
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from jackspot.files import LONG_LINE, toml

SHORTEST = 2
"""A name of one letter is an initial already; of one character in :func:`_is_signs` it is not."""
SHORTEST_PART = 3
SHORTEST_INSIDE = 4
"""A name at least this long is replaced inside longer words too."""
FIRST_SIGN = "\u2e80"
"""From here on Unicode has the scripts of East Asia."""

NAMES = "names"
_SECTION = re.compile(r"\s*\[+\s*([^\]]*?)\s*\]+\s*(?:#.*)?$")
_OWN_SECTION = re.compile(r"(?:.*\.)?names")
_NAMES_KEY = re.compile(r"\s*[\"']?(?:[\w.]+\.)?names[\"']?\s*=")
_TOML_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|\'[^\']*\'')


def _composed(name: str) -> str:
    """Return a name in the one form in which its letters have their marks."""
    return unicodedata.normalize("NFC", name.strip())


def _is_signs(name: str) -> bool:
    """Return whether a name is written as in Japan, China or Korea: one sign can be all of it."""
    return all(sign >= FIRST_SIGN or sign.isspace() for sign in name) and bool(name)


def _is_part(part: str) -> bool:
    return len(part) >= SHORTEST_PART or _is_signs(part)


def names_in(value: object) -> Iterator[str]:
    """Return every name under a key ``names``, at any depth of plain data."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if key == NAMES:
                yield from _texts(inner)
            else:
                yield from names_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from names_in(inner)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def names_in_toml(text: str) -> Iterator[str]:
    """Return the names in a config or in a match header; ValueError if it is no TOML."""
    yield from names_in(toml(text.partition("\n---")[0], LONG_LINE))


class Hiding:
    """Replaces these names; ``own_words`` are words of the program, which may also be names."""

    def __init__(self, names: Iterable[str], own_words: Iterable[str]) -> None:
        known = dict.fromkeys(_composed(name) for name in names)
        self.names = tuple(name for name in known if len(name) >= SHORTEST or _is_signs(name))
        self._labels = {
            name: f"{'P' if _is_signs(name) else name[0]}{at}"
            for at, name in enumerate(self.names, start=1)
        }
        self._own = {word.casefold() for word in own_words}

    @property
    def kept_as_words(self) -> int:
        """How many names are words of the program, and stay where they are not used as names."""
        return sum(name.casefold() in self._own for name in self.names)

    def name(self, text: str) -> str:
        """Return the replacement of a name, if it is known to be one."""
        return self._labels.get(_composed(text), text)

    def text(self, text: str) -> str:
        """Replace names in text that anybody wrote."""
        if not self._labels:
            return text
        return self._pattern.sub(lambda at: self._by_part.get(at[0].casefold(), "?"), text)

    @cached_property
    def _by_part(self) -> Mapping[str, str]:
        """Return the replacement of each name and each part of one, in lower case."""
        found: dict[str, str] = {}
        for name, label in self._labels.items():
            for part in (name, *filter(_is_part, name.split())):
                if part.casefold() in self._own:
                    continue
                for form in (part, unicodedata.normalize("NFD", part)):
                    found.setdefault(form.casefold(), label)
                    found.setdefault(json.dumps(form)[1:-1].casefold(), label)  # as JSON escapes it
        return found

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        parts = sorted(self._by_part, key=len, reverse=True)
        return re.compile("|".join(map(self._found_as, parts)) or r"(?!)", re.IGNORECASE)

    def _found_as(self, part: str) -> str:
        """Return a name's pattern: a short one, or one within our words, must be a whole word."""
        pattern = re.escape(part)
        if not part.isascii():
            return pattern
        if len(part) >= SHORTEST_INSIDE and not any(part in word for word in self._own):
            return pattern
        return rf"(?<!\w){pattern}(?!\w)"

    def json(self, value: Any) -> Any:
        """Replace names in plain data: every text under ``names``; elsewhere as in any text."""
        if isinstance(value, Mapping):
            return {
                key: self._all(inner) if key == NAMES else self.json(inner)
                for key, inner in value.items()
            }
        if isinstance(value, list | tuple):
            return [self.json(inner) for inner in value]
        if not isinstance(value, str):
            return value
        return self.toml(value) if "\n" in value else self.text(value)

    def _all(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: self._all(inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self._all(inner) for inner in value]
        return self.name(value) if isinstance(value, str) else value

    def toml(self, text: str) -> str:
        """Replace names in a config or match header, and keep it valid."""
        lines = []
        inside = False
        for line in text.splitlines(keepends=True):
            if section := _SECTION.match(line):
                inside = _OWN_SECTION.fullmatch(section[1]) is not None
            named = inside or _NAMES_KEY.match(line)
            lines.append(self.text(_TOML_TEXT.sub(self._quoted, line) if named else line))
        return "".join(lines)

    def _quoted(self, found: re.Match[str]) -> str:
        """Replace a TOML text that is a name."""
        try:
            name = str(tomllib.loads(f"x = {found[0]}")["x"])
        except tomllib.TOMLDecodeError:
            return found[0]  # not TOML: any name in it is found as in any text
        hidden = self.name(name)
        return found[0] if hidden == name else json.dumps(hidden, ensure_ascii=False)
