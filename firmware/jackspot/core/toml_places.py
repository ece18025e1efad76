"""Find where the keys and values of a TOML text are, so that an error can point at them.

The standard library's parser checks a text and gives its values, but not their places. This scanner
runs only over text which that parser has accepted, so it need not validate.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping

from msgspec import Struct

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}\n#]+")
_STRINGS = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r'"""(?:\\.|[^\\])*?"{3,5}',
        r"'''.*?'{3,5}",
        r'"(?:\\.|[^"\\])*"',
        r"'[^']*'",
    )
)


DEEPEST = 8
"""How many parts of a path are recorded; nothing in this program nests deeper than three."""


class TextPlace(Struct, frozen=True):
    """A line and a column, both from 1; columns count code points."""

    line: int
    column: int


class FoundKey(Struct, frozen=True):
    """Where a key occurs first, and its value; a ``[table]`` has no value of its own."""

    key: TextPlace
    value: TextPlace | None = None


def find_places(text: str) -> Mapping[tuple[str, ...], FoundKey]:
    """Return the place of every key of a valid TOML text, by its path."""
    return _Scanner(text).scan()


class _Scanner:
    """Walk over the text once; ``at`` is the index of the next character.

    ``line`` is the line of the character at ``counted``, up to which line ends were counted.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line, self.counted = 1, 0
        self.found: dict[tuple[str, ...], FoundKey] = {}

    def scan(self) -> Mapping[tuple[str, ...], FoundKey]:
        table: tuple[str, ...] = ()
        while self.skip_blank() < len(self.text):
            if self.text[self.at] == "[":
                while self.text[self.at] in "[ \t":
                    self.at += 1
                table = self.key(())
                while self.at < len(self.text) and self.text[self.at] in "] \t":
                    self.at += 1
            else:
                self.pair(table)
        return self.found

    def place(self) -> TextPlace:
        """Return the place of the next character."""
        self.line += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        line_start = self.text.rfind("\n", 0, self.at) + 1
        return TextPlace(self.line, self.at - line_start + 1)

    def skip_blank(self) -> int:
        """Skip blanks, line ends and comments."""
        blank = _BLANK.match(self.text, self.at)
        assert blank is not None
        self.at = blank.end()
        return self.at

    def pair(self, table: tuple[str, ...]) -> None:
        """Read ``key = value``."""
        path = self.key(table)
        while self.text[self.at] in "= \t":
            self.at += 1
        if path in self.found:
            self.found[path] = FoundKey(self.found[path].key, self.place())
        self.value(path)

    def key(self, table: tuple[str, ...]) -> tuple[str, ...]:
        """Read a key, which may be dotted, and record the place of each of its parts."""
        path = table
        while True:
            path = (*path, self.key_part(path))
            while self.at < len(self.text) and self.text[self.at] in " \t":
                self.at += 1
            if self.at >= len(self.text) or self.text[self.at] != ".":
                return path
            self.at += 1

    def key_part(self, before: tuple[str, ...]) -> str:
        while self.text[self.at] in " \t":
            self.at += 1
        place = self.place()
        bare = _BARE_KEY.match(self.text, self.at)
        if bare:
            part = bare.group()
            self.at = bare.end()
        else:
            part = next(iter(tomllib.loads(f"{self.string()} = 0")))  # it may hold escapes
        if len(before) < DEEPEST:
            self.found.setdefault((*before, part), FoundKey(place))
        return part

    def string(self) -> str:
        for pattern in _STRINGS:
            found = pattern.match(self.text, self.at)
            if found:
                self.at = found.end()
                return found.group()
        raise AssertionError("no string here: the text is not valid TOML")

    def value(self, path: tuple[str, ...]) -> None:
        """Skip a value; the keys of an inline table are recorded."""
        start = self.text[self.at]
        if start in "\"'":
            self.string()
        elif start in "[{":
            self.collection(path, "]" if start == "[" else "}")
        else:
            scalar = _SCALAR.match(self.text, self.at)
            assert scalar is not None
            self.at = scalar.end()

    def collection(self, path: tuple[str, ...], end: str) -> None:
        self.at += 1
        while self.text[self.skip_blank()] != end:
            if self.text[self.at] == ",":
                self.at += 1
            elif end == "}":
                self.pair(path)
            else:
                self.value(path)
        self.at += 1
