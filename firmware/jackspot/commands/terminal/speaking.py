"""The language in which a command prints for referees and players: ``--lang``, else the terminal's.

Text for makers and programs (errors of the configuration, JSON) stays English.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

import click

from jackspot.core.phrases import Phrase
from jackspot.displays.words import LANGUAGES, translator

SPOKEN: Final = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Variables that set a terminal's language, the strongest first."""

Say = Callable[[Phrase], str]
"""Puts a phrase into the language of a command."""

CommandT = TypeVar("CommandT", bound=Callable[..., Any])


def lang_option(command: CommandT) -> CommandT:
    """Add ``--lang``; the command receives the language as ``lang``."""
    return click.option(
        "--lang",
        type=click.Choice(LANGUAGES),
        default=language_of_the_terminal,
        help="The language; without it the terminal's own, else English.",
    )(command)


def language_of_the_terminal(environment: Mapping[str, str] | None = None) -> str:
    """Return the terminal's language if it is one that Jackspot speaks, else English."""
    known = os.environ if environment is None else environment
    spoken = next((known[name] for name in SPOKEN if known.get(name)), "")
    language = spoken[:2].lower()
    return language if language in LANGUAGES else LANGUAGES[0]


def saying(language: str) -> Say:
    """Return the function that puts phrases into a language."""
    translate = translator(language)
    return lambda phrase: phrase.render(translate)
