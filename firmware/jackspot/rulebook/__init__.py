"""The rules in words for people: what ``jackspot rules`` prints.

Each language has a folder with one page for each system and the words they share; a missing page is
read in English. Nothing here plays: the effect of a stroke is in :mod:`jackspot.core.rules`, row by
row in the page beside each system. These pages tell players at a table how the game goes, and cite
the rows so that both can be compared. They are read with the standard library's TOML.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from jackspot.core.options import OPTIONS, Option
from jackspot.core.rules import facts_of, rules_for
from jackspot.core.settings import OptionValue, RuleSystem

CHAPTERS = (
    *("pieces", "players", "turn", "red", "penalties"),
    *("end", "match", "watched"),
)
"""The chapters of a page in their order; ``red`` is the jack or the queen."""


class Page(Struct, frozen=True):
    """One system in one language. ``chapters`` has headings, each with its lines."""

    system: RuleSystem
    title: str
    short: str
    source: str
    chapters: tuple[tuple[str, tuple[str, ...]], ...]


@cache
def read_page(system: RuleSystem, language: str) -> Page:
    """Read a system's page, in English if the language has none."""
    text = _read(language, system.value)
    headings = _read(language, "words")["headings"]
    red = _red(system)
    chapters = tuple(
        (str(headings[name]), tuple(text[name]))
        for name in (red if chapter == "red" else chapter for chapter in CHAPTERS)
    )
    return Page(system, text["title"], text["short"], text["source"], chapters)


def read_words(language: str) -> Mapping[str, Any]:
    """Read the words that all systems share, in English if the language has none."""
    return _read(language, "words")


def options_of(system: RuleSystem) -> tuple[Option, ...]:
    """Return the options a system knows, in the order of the table of options."""
    return tuple(option for option in OPTIONS.values() if system in option.defaults)


def other_values(option: Option, system: RuleSystem) -> tuple[OptionValue, ...] | range:
    """Return the values besides the usual one; for numbers the whole range."""
    if isinstance(option.allowed, range):
        return option.allowed
    usual = option.defaults[system]
    return tuple(value for value in option.allowed if value is not usual)


def has_handicaps(system: RuleSystem) -> bool:
    """Return whether sides can be given handicaps, as in the systems with a jack."""
    return facts_of(system).handicaps


def _red(system: RuleSystem) -> str:
    return rules_for(system).red.value


@cache
def _read(language: str, name: str) -> Mapping[str, Any]:
    page = files(__name__).joinpath(language, f"{name}.toml")
    if not page.is_file():
        page = files(__name__).joinpath("en", page.name)
    return MappingProxyType(tomllib.loads(page.read_text(encoding="utf-8")))
