"""Convert the header of a match record between TOML and settings; mistakes have places."""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from jackspot.core.agreement import AgreementMistake, At, Disagreement, agree
from jackspot.core.printable import acts
from jackspot.core.rules import NotPlayed, rules_for
from jackspot.core.settings import Handicap, MatchSettings
from jackspot.core.toml_places import FoundKey, TextPlace, find_places

VERSION = 1
_VERSION_LINE = re.compile(r"#\s*jackspot\s+record\s+(?P<number>[0-9]\S*)\s*$")
_TOML_ERROR = re.compile(r"(?P<what>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)$")
_INSIDE_A_VALUE = ("Illegal", "Unterminated", "Unescaped", "Invalid", "Found", "Escaped")
_KEY_AND_EQUALS = re.compile(r"\s*[^=#\[\"']+=\s*(?=\S)")

MOST_DOTS = 1000
"""The most dots in one line, far more than anybody writes. TOML allows a key of many thousand parts
(``a.a.a.a = 1``), which takes memory by the square of its length."""

Flaw = tuple[TextPlace, str]
"""A place in the file and what is wrong there."""
_FAR_TOO_LONG: Flaw = (
    TextPlace(1, 1),
    "the header is no TOML that can be read: a number or a nesting is far too long",
)


def read_header(
    text: str, *, bounded: bool = True
) -> tuple[MatchSettings | None, Mapping[str, Any], list[Flaw]]:
    """Read a header: its settings, its plain data, and the flaws.

    If there are flaws, the settings are those without the mistakes, or None if a mistake decides
    which strokes are allowed. The data is empty if the text is not TOML. Texts that are not
    ``bounded`` may have any length.
    """
    flaws = _check_version(text)
    dotted = list(_too_many_dots(text))
    if dotted:
        return None, {}, [*flaws, *dotted]
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return None, {}, [*flaws, _toml_flaw(text, str(error))]
    except (ValueError, RecursionError):  # thousands of digits, thousands of brackets
        return None, {}, [*flaws, _FAR_TOO_LONG]
    settings = None
    try:
        settings = agree(data, bounded=bounded)
        rules_for(settings.rules)
    except Disagreement as error:
        settings, mistakes = error.sound, error.mistakes
    except NotPlayed as error:
        settings, mistakes = None, (AgreementMistake(("rules",), str(error)),)
    else:
        return settings, data, flaws
    try:
        places = find_places(text)
    except RecursionError:
        return None, {}, [*flaws, _FAR_TOO_LONG]
    return settings, data, [*flaws, *((_place_of(each, places), each.message) for each in mistakes)]


def _too_many_dots(text: str) -> Iterator[Flaw]:
    """Find lines with too many dots for a header."""
    for number, line in enumerate(text.split("\n"), start=1):
        dots = line.count(".")
        if dots > MOST_DOTS:
            message = f"a line of the header has {MOST_DOTS} dots at most, found {dots}"
            yield TextPlace(number, 1), message


def _check_version(text: str) -> list[Flaw]:
    """Check a first line ``# jackspot record N``; without one the record is version 1."""
    first = text.split("\n", 1)[0].rstrip("\r")
    said = _VERSION_LINE.match(first)
    if said is None or said["number"] == str(VERSION):
        return []
    place = TextPlace(1, said.start("number") + 1)
    return [
        (place, f"expected record version {VERSION}, found {said['number']}: a newer jackspot?")
    ]


def _place_of(mistake: AgreementMistake, places: Mapping[tuple[str, ...], FoundKey]) -> TextPlace:
    """Return the place of the key or value at fault; that of a missing key is 1:1."""
    found = places.get(mistake.path)
    if found is None:
        parents = (places.get(mistake.path[:end]) for end in range(len(mistake.path) - 1, 0, -1))
        found = next((parent for parent in parents if parent), FoundKey(TextPlace(1, 1)))
    if mistake.at is At.KEY or found.value is None:
        return found.key
    return found.value


def _toml_flaw(text: str, message: str) -> Flaw:
    """Place a TOML error at its key or value rather than after it."""
    said = _TOML_ERROR.match(message)
    if said is None:
        lines = text.rstrip().split("\n")
        what = message.removesuffix(" (at end of document)")
        return TextPlace(
            len(lines), len(lines[-1]) + 1
        ), f"the header is no TOML: {what} at its end"
    line, column, what = int(said["line"]), int(said["column"]), said["what"]
    source = text.split("\n")[line - 1]
    if what.startswith("Cannot"):
        column = len(source) - len(source.lstrip(" \t[")) + 1
    elif what.startswith(_INSIDE_A_VALUE):
        before_value = _KEY_AND_EQUALS.match(source)
        if before_value and before_value.end() < column:
            column = before_value.end() + 1
    return TextPlace(line, column), f"the header is no TOML: {what}"


def write_header(settings: MatchSettings) -> str:
    """Return settings as a header in canonical form, without the closing ``---``."""
    lines = [
        f"# jackspot record {VERSION}",
        f"rules = {_toml(settings.rules)}",
        f"seats = [{', '.join(_toml(seat) for seat in settings.seats)}]",
    ]
    if settings.sides[settings.seats[0]] is not rules_for(settings.rules).sides[0]:
        pairs = ", ".join(f"{seat} = {_toml(settings.sides[seat])}" for seat in settings.seats)
        lines.append(f"colours = {{ {pairs} }}")
    for key in ("event", "date", "round", "place"):
        value = getattr(settings, key)
        if value is not None:
            lines.append(f"{key} = {_toml(value)}")
    lines += _table("names", {seat.value: name for seat, name in settings.names.items()})
    lines += _table("options", settings.options)
    usual = Handicap()
    for side, handicap in settings.handicaps.items():
        seat = next(seat for seat in settings.seats if settings.sides[seat] is side)
        given = {
            name: getattr(handicap, name)
            for name in Handicap.__struct_fields__
            if getattr(handicap, name) != getattr(usual, name)
        }
        lines += _table(f"handicap.{seat}", given)
    return "\n".join(lines) + "\n"


def _table(name: str, values: Mapping[str, Any]) -> list[str]:
    if not values:
        return []
    return [f"[{name}]", *(f"{key} = {_toml(value)}" for key, value in values.items())]


def _toml(value: str | int | bool | datetime.date) -> str:
    """Return one value as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + "".join(_escaped(character) for character in value) + '"'
    return str(value)


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if acts(character):  # the same text, but only visible
        code = ord(character)
        return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return character
