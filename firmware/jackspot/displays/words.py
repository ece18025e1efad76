"""The board's language: finds the translation that a display renders its phrases with.

English needs no catalogue: its sentences are the msgids. Catalogues are in
``jackspot/locale/LANGUAGE/LC_MESSAGES/jackspot.mo``; :mod:`jackspot.locale` says how to make one.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from jackspot.core.phrases import Translate
from jackspot.dialogue.state.preferences import LANGUAGES as NAMES_OF_LANGUAGES

DOMAIN: Final = "jackspot"
LANGUAGES: Final = tuple(NAMES_OF_LANGUAGES)
LOCALE: Final = Path(__file__).resolve().parent.parent / "locale"

PLAIN_LETTERS: Final = MappingProxyType(
    dict(zip("ŁłĐđØøÆæŒœıÞþÐðĦħŦŧ×·⁄", "LlDdOoAaOoiTtDdHhTtx./", strict=True))
    | dict.fromkeys("–—‐‑‒―−•〜", "-")
    | dict.fromkeys("’‘‚‹›´′", "'")
    | dict.fromkeys("“”„«»", '"')
)
"""Replacements for letters, and marks that people's keyboards write, which decomposition does not
reduce to what small faces and signs have."""

Speak = Callable[[str], Translate]
"""Returns the translation into a language; a display asks for the language that people have set."""


@cache
def translator(language: str, folder: Path = LOCALE) -> Translate:
    """Return the function that translates English sentences; one without a translation stays.

    ``language`` is one of :data:`LANGUAGES`, else ValueError is raised. A language without a
    catalogue yet is shown in English. Each is opened once, as displays ask with every view.
    """
    if language not in LANGUAGES:
        raise ValueError(f"the languages are {', '.join(LANGUAGES)}, not {language!r}")
    return Words(gettext.translation(DOMAIN, str(folder), [language], fallback=True))


class Words:
    """One language's translations: from an English sentence to that language's."""

    def __init__(self, catalogue: gettext.NullTranslations) -> None:
        self._catalogue = catalogue

    def __call__(self, text: str) -> str:
        """Translate a sentence, but not an empty one, for which gettext returns the header."""
        return self._catalogue.gettext(text) if text else text

    def counted(self, one: str, many: str, n: int) -> str:
        """Return the plural form that goes with a number."""
        return self._catalogue.ngettext(one, many, n)
