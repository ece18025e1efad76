"""What the journal, a record, a config and an export say once names are taken out. Pure.

Names have places of their own: the ``[names]`` of match headers and of what set-up shows, and
``[people] names``. There a name is removed, and the seat, which then has no name, is called by its
letter as usual. In text that people wrote (``event``, ``round``, ``place``), and in what a failure
quotes, the name is replaced, as a whole word.
"""

from __future__ import annotations

import csv
import io
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any
from unicodedata import normalize

from msgspec import Struct

from jackspot.core.agreement import TEXTS
from jackspot.core.figures import same_name
from jackspot.core.header import read_header, write_header
from jackspot.core.settings import MatchSettings
from jackspot.ops.support.names import NAMES, names_in, names_in_toml
from jackspot.values import changed

SOMEBODY = "somebody"
"""Replaces a name in text that people wrote."""
_TOLD = frozenset((*TEXTS, "detail", "why", "trace"))
"""Keys of the journal whose words people wrote, or which may quote them."""
_FAILURE = ("event", "trace")
"""What an entry of a failure quotes; no other entry has a ``trace``."""
_TOML_TEXT = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'')

_IN_WORD = (
    r"[\w\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0963\u0966-\u0dff]"
)
"""Letters, and the vowels and marks on them that are no letters to Python."""
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\ua4cf\uac00-\ufaff\uff66-\uffdc"
    r"\U00020000-\U0003ffff]"
)
"""Letters of Thailand, Laos, Burma, Cambodia, Japan, China and Korea."""


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
        left = self._plain(self._in_texts(body))
        if self.every and "trace" in left:
            left |= dict.fromkeys(_FAILURE, "-")
        return None if left == body else left

    def _in_texts(self, value: Any) -> Any:
        """Return plain data with the names replaced in text that people wrote."""
        if isinstance(value, Mapping):
            own = tuple(names_in({NAMES: value.get(NAMES)}))
            return {key: self._in_value(key, inner, own) for key, inner in value.items()}
        if isinstance(value, list | tuple):
            return [self._in_texts(inner) for inner in value]
        return value

    def _in_value(self, key: str, value: Any, own: Iterable[str]) -> Any:
        """Return the value under a key of data that has these names of its own."""
        if key not in _TOLD or not isinstance(value, str):
            return self._in_texts(value)
        return self._in_text(value, own if key in TEXTS else None)

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
        return self._plain(value)

    def record(self, text: str) -> str:
        """Return a match record, or its header, without the names; unchanged if none is in it.

        Raises NotTold if it holds a name and cannot be parsed.
        """
        head, line, rest = text.partition("\n---")
        settings, _, flaws = read_header(head + "\n", bounded=False)
        if settings is None or flaws:
            return (
                self.config(head) + line + rest if any(map(self.takes, _names_of(text))) else text
            )
        left = self.settings(settings)
        return text if left == settings else write_header(left).rstrip("\n") + line + rest

    def settings(self, settings: MatchSettings) -> MatchSettings:
        """Return the settings of a match without the names."""
        own = settings.names.values()
        names = {seat: name for seat, name in settings.names.items() if not self.takes(name)}
        return changed(
            settings,
            names=names,
            event=settings.event and self._in_text(settings.event, own),
            round=settings.round and self._in_text(settings.round, own),
            place=settings.place and self._in_text(settings.place, own),
        )

    def _in_text(self, text: str, own: Iterable[str] | None = None) -> str:
        """Replace names in text that people wrote.

        When all names go, one of another match may be a usual word: ``own`` are those of this one.
        """
        taken = map(same_name, own) if self.every and own is not None else self.names
        return _replaced(_words(frozenset(taken)), text)

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
        """Return an exported CSV file without the names in any column. Raises NotTold."""
        try:
            rows = list(csv.reader(io.StringIO(text, newline="")))
        except csv.Error as error:
            raise NotTold(f"it is no table: {error}") from error
        columns = rows[0] if rows and "event" in rows[0] else []  # elsewhere a place is pieces
        told = {at for at, column in enumerate(columns) if column in TEXTS}
        left = [
            [self._in_text(cell) if at in told else self._cell(cell) for at, cell in enumerate(row)]
            for row in rows
        ]
        stream = io.StringIO()
        csv.writer(stream).writerows(left)
        return text if left == rows else stream.getvalue()

    def _cell(self, cell: str) -> str:
        """Empty a cell that is a name; take it out of a list of partners."""
        parts = cell.removeprefix("'").split(" + ")
        left = [part for part in parts if not self.takes(part)]
        return cell if len(left) == len(parts) else " + ".join(left)

    def export(self, text: str) -> str:
        """Return an exported JSON file without the names. Raises NotTold."""
        try:
            said = json.loads(text)
            left = self._exported(self._in_texts(said))
        except (ValueError, RecursionError) as error:
            raise NotTold(f"it is no JSON: {error}") from error
        except (AttributeError, KeyError, TypeError) as error:
            raise NotTold(f"it is no export of a board: {error!r}") from error
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


@lru_cache(maxsize=16)
def _words(names: frozenset[str]) -> re.Pattern[str]:
    """Return what finds names in a text without capitals; both as :func:`same_name` folds them.

    A name is a whole word, in scripts without spaces between words also a part of one.
    """
    inside = frozenset(filter(_is_within_words, names))
    whole, part = _any_of(names - inside, r"\s+"), _any_of(inside, r"\s*")
    return re.compile(rf"(?<!{_IN_WORD})(?:{whole})(?!{_IN_WORD})|{part}")


def _any_of(names: Iterable[str], space: str) -> str:
    """Return the pattern of any of these names, umlauts as one character or two, longest first."""
    forms = {normalize(form, name) for form in ("NFC", "NFD") for name in names if name}
    longest_first = sorted(forms, key=len, reverse=True)
    return "|".join(space.join(map(re.escape, form.split())) for form in longest_first) or "(?!)"


def _is_within_words(name: str) -> bool:
    """Return whether a name is found within words too; one letter is always a whole word."""
    letters = [letter for letter in name if letter.isalpha()]
    return len(letters) > 1 and all(map(_UNSPACED.match, letters))


def _replaced(words: re.Pattern[str], text: str) -> str:
    """Return a text with names replaced, whether or not they have capitals."""
    found = tuple(words.finditer(text.casefold()))
    if not found:
        return text
    begins = [at for at, letter in enumerate(text) for _ in letter.casefold()]  # "ß" becomes two
    begins.append(len(text))
    left, end = "", 0
    for each in found:
        left += text[end : begins[each.start()]] + SOMEBODY
        end = begins[each.end()]
    return left + text[end:]


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
