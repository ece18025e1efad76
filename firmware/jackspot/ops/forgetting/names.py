"""What the journal, a record, a config and an export say once names are taken out. Pure.

Names have places of their own: the ``[names]`` of match headers and of what set-up shows, and
``[people] names``. There a name is removed, and the seat, which then has no name, is called by its
letter as usual. In text that people wrote (``event``, ``round``, ``place``) the name is replaced,
as a whole word.
"""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from unicodedata import normalize

from msgspec import Struct

from jackspot.core.figures import same_name
from jackspot.core.header import read_header, write_header
from jackspot.core.settings import MatchSettings
from jackspot.ops.support.names import NAMES, names_in, names_in_toml
from jackspot.values import changed

SOMEBODY = "somebody"
"""Replaces a name in text that people wrote."""
_TOLD = ("detail", "why")
"""Keys of the journal whose words may quote what people wrote."""
_TOML_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'')


class NotTold(ValueError):
    """A text in which names cannot be told from the rest; says why."""


class Taking(Struct, frozen=True):
    """Which names are removed: those in ``names``, as :func:`same_name` writes them; or all."""

    names: frozenset[str] = frozenset()
    every: bool = False

    @classmethod
    def of(cls, *names: str) -> Taking:
        """Take these names out, however they are written."""
        return cls(frozenset(same_name(name) for name in names))

    def takes(self, name: str) -> bool:
        """Return whether a name is removed."""
        return self.every or same_name(name) in self.names

    def body(self, body: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return what is left of an entry's body; None if nothing is removed from it."""
        left = self._plain(body)
        return None if left == body else left

    def _plain(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: self._under(key, inner) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self._plain(inner) for inner in value]
        return value

    def _under(self, key: str, value: Any) -> Any:
        """Return what is left of the value under a key."""
        if key == NAMES and isinstance(value, Mapping):
            return {
                seat: name
                for seat, name in value.items()
                if not (isinstance(name, str) and self.takes(name))
            }
        if key == NAMES and isinstance(value, list | tuple):
            return [name for name in value if not (isinstance(name, str) and self.takes(name))]
        if key in ("header", "record") and isinstance(value, str):
            return self.record(value)
        if key in _TOLD and isinstance(value, str):
            return self._in_text(value, ())
        return self._plain(value)

    def record(self, text: str) -> str:
        """Return a match record, or its header, without the names; unchanged if none is in it.

        Raises NotTold if it holds a name and cannot be parsed.
        """
        head, line, rest = text.partition("\n---")
        settings, _, flaws = read_header(head + "\n")
        if settings is None or flaws:
            return (
                self.config(head) + line + rest if any(map(self.takes, _names_of(text))) else text
            )
        left = self.settings(settings)
        return text if left == settings else write_header(left).rstrip("\n") + line + rest

    def settings(self, settings: MatchSettings) -> MatchSettings:
        """Return the settings of a match without the names."""
        names = {seat: name for seat, name in settings.names.items() if not self.takes(name)}
        gone = [name for name in settings.names.values() if self.takes(name)]
        return changed(
            settings,
            names=names if gone else settings.names,
            event=self._in_text(settings.event, gone),
            round=self._in_text(settings.round, gone),
            place=self._in_text(settings.place, gone),
        )

    def _in_text(self, text: str | None, gone: Iterable[str]) -> str | None:
        """Replace names in text that people wrote; when all names go, those of this match."""
        if text is None:
            return None
        for name in {*gone, *self.names}:
            for form in ("NFC", "NFD"):  # umlauts as one character, and as two
                parts = normalize(form, name).split()
                spaced = r"\s+".join(map(re.escape, parts))
                text = re.sub(rf"(?<!\w){spaced}(?!\w)", SOMEBODY, text, flags=re.IGNORECASE)
        return text

    def config(self, text: str) -> str:
        """Return a config without the names, otherwise unchanged to the letter. Raises NotTold."""
        try:
            said = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise NotTold(f"it is no TOML: {error}") from error
        wanted = self._plain(said)
        if wanted == said:
            return text
        for taken_out in (_without_items, _without_lines):
            left = taken_out(text, self.takes)
            try:
                if tomllib.loads(left) == wanted:
                    return left
            except tomllib.TOMLDecodeError:
                continue
        raise NotTold("take the name out by hand: it stands where other text depends on it")

    def table(self, text: str) -> str:
        """Return an exported CSV file without the names, whatever column they are in."""
        rows = list(csv.reader(io.StringIO(text, newline="")))
        stream = io.StringIO()
        csv.writer(stream).writerows([self._cell(cell) for cell in row] for row in rows)
        return stream.getvalue() if any(_differ(rows, self._cell)) else text

    def _cell(self, cell: str) -> str:
        """Empty a cell that is a name; take it out of a list of partners."""
        parts = cell.removeprefix("'").split(" + ")
        left = [part for part in parts if not self.takes(part)]
        return cell if len(left) == len(parts) else " + ".join(left)

    def export(self, text: str) -> str:
        """Return an exported JSON file without the names. Raises NotTold."""
        try:
            said = json.loads(text)
        except ValueError as error:
            raise NotTold(f"it is no JSON: {error}") from error
        left = self._exported(said)
        return text if left == said else json.dumps(left, ensure_ascii=False, indent=1) + "\n"

    def _exported(self, value: Any) -> Any:
        if isinstance(value, dict):
            players = value.get("players")
            said = {key: self._exported(inner) for key, inner in value.items()}
            if isinstance(players, list):
                said["players"] = [each for each in players if not self.takes(each["name"])]
            if isinstance(name := said.get("name"), str) and self.takes(name):
                said["name"] = ""
            return {key: self._under(key, inner) for key, inner in said.items()}
        return [self._exported(inner) for inner in value] if isinstance(value, list) else value


def _differ(rows: Iterable[Iterable[str]], change: Callable[[str], str]) -> Iterator[bool]:
    return (change(cell) != cell for row in rows for cell in row)


def _names_of(text: str) -> list[str]:
    try:
        return list(names_in_toml(text))
    except ValueError:
        return re.findall(r'"([^"\n]*)"', text)


def _without_items(text: str, takes: Callable[[str], bool]) -> str:
    """Take names out of lists: ``"Aiko", "Ben"`` becomes ``"Ben"``."""

    def gone(found: re.Match[str]) -> str:
        return "" if takes(_toml_value(found[1])) else found[0]

    items = re.compile(rf"({_TOML_TEXT.pattern})[ \t]*,[ \t]*")
    return re.sub(rf"(?:,[ \t]*)?({_TOML_TEXT.pattern})(?=\s*\])", gone, items.sub(gone, text))


def _without_lines(text: str, takes: Callable[[str], bool]) -> str:
    """Take out of tables the lines that give a seat this name, then names out of lists."""
    line = re.compile(
        rf'^[ \t]*["\']?[NESW]["\']?[ \t]*=[ \t]*({_TOML_TEXT.pattern})[^\n]*\n?', re.MULTILINE
    )
    kept = line.sub(lambda found: "" if takes(_toml_value(found[1])) else found[0], text)
    return _without_items(kept, takes)


def _toml_value(text: str) -> str:
    try:
        return str(tomllib.loads(f"x = {text}")["x"])
    except tomllib.TOMLDecodeError:
        return ""


def known_names(bodies: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return all names in journal entries, as first written, by what their spellings share."""
    found: dict[str, str] = {}
    for body in bodies:
        names = list(names_in(body))
        if isinstance(header := body.get("header"), str):
            names += _names_of(header)
        for name in names:
            if key := same_name(name):
                found.setdefault(key, name.strip())
    return found
