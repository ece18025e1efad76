"""Read, check and write the catalogues, and make the files that a board reads.

The files are gettext's, written by Babel without the lines that only say when and with what
they were made: the same sentences give the same files, whoever writes them.
"""

from __future__ import annotations

import gettext
import json
import re
import string
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Final, TextIO

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, PoFileParser, write_po

from jackspot.locale.extraction import BadCatalogue

HEADER: Final = "# Jackspot's sentences. How to translate them: firmware/TRANSLATING.md"
_NO_DATE: Final = datetime(2000, 1, 1, tzinfo=UTC)
_LEFT_OUT: Final = (
    b'"Project-Id-Version:',
    b'"Report-Msgid-Bugs-To:',
    b'"POT-Creation-Date:',
    b'"PO-Revision-Date:',
    b'"Last-Translator:',
    b'"Language-Team:',
    b'"Generated-By:',
)
"""Lines of a header that say only when, by whom and with what it was made."""
PAGE_FILES: Final = {
    "pages.json": "jackspot/", "hub.json": "jackspot_hub/", "sim.json": "jackspot_sim/",
}  # fmt: skip
"""The files made beside each catalogue for the pages of the board, the hub and the simulated table;
and where the sentences of each are."""
_PAGES: Final = (".js", ".html")


def po_text(catalogue: Catalog) -> bytes:
    """Return a catalogue as gettext's .po, or .pot if it has no language.

    Translations of sentences that are absent stand at its end, each line after ``#~``.
    """
    catalogue.header_comment, catalogue.fuzzy = HEADER, False
    header, _, live = _written(catalogue).partition(b"\n\n")
    lines = (line for line in header.splitlines() if not line.startswith(_LEFT_OUT))
    absent = Catalog()
    absent.mime_headers = catalogue.mime_headers
    for message in catalogue.obsolete.values():
        if any(forms(message.string)):
            absent[message.id] = message
    old = _written(absent, omit_header=True, no_location=True)
    old = re.sub(rb'^(?=msg|")', b"#~ ", old, flags=re.MULTILINE)
    return b"\n".join((*lines, b"", live + old)).rstrip(b"\n") + b"\n"


def _written(catalogue: Catalog, **options: bool) -> bytes:
    file = BytesIO()
    write_po(
        file, catalogue, width=0, sort_output=True, include_lineno=False, ignore_obsolete=True,
        **options,
    )  # fmt: skip
    return file.getvalue()


def read(path: Path, language: str, *, revive: bool = False) -> Catalog:
    """Read a .po file; BadCatalogue says where it cannot be understood.

    ``revive`` reads translations of absent sentences as if these were there.
    """
    catalogue = _Read(locale=language)
    try:
        with path.open(encoding="utf-8-sig") as file:
            lines = _lines(file)
            if revive:
                lines = (line.removeprefix("#~").lstrip() for line in lines)
            PoFileParser(catalogue, abort_invalid=True).parse(lines)
    except PoFileError as error:
        raise BadCatalogue(f"{path}:{error.lineno + 1}: {error}: {error.line!r}") from error
    except BadCatalogue as error:
        raise BadCatalogue(f"{path}:{error}") from error
    except ValueError as error:
        raise BadCatalogue(f"{path}: not UTF-8, or a bad header: {error}") from error
    catalogue.locale, catalogue.charset = language, "utf-8"
    return catalogue


class _Read(Catalog):
    """A catalogue that refuses a sentence's second translation, which Babel drops."""

    def __setitem__(self, key: Any, message: Message) -> None:
        if self.get(key, message.context) is not None:
            raise BadCatalogue(f"{message.lineno}: {forms(key)[0]!r} is here a second time")
        super().__setitem__(key, message)


_LINE = re.compile(
    r"(?:#(?!~).*|(?:#~ *)?(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d\])?) +)?"
    r'"(?:[^"\\]|\\[\\nrt"])*")?'
)
"""A line of a .po file: a comment, or a text in quotes, after its keyword if it begins there."""


def _lines(file: TextIO) -> Iterator[str]:
    """Return the lines of a .po file; BadCatalogue for one that Babel would cut or drop.

    What a sentence was before (``#|``, or ``#~|`` where it is absent) is left out.
    """
    keywords: set[str] = set()
    for number, line in enumerate(file, 1):
        text = "" if line.lstrip().startswith(("#|", "#~|")) else line.strip()
        match = _LINE.fullmatch(text)
        if match is None:
            raise BadCatalogue(
                f'{number}: a text stands between two quotes, and in it \\" is written for a '
                f"quote and \\\\ for \\: {text!r}"
            )
        if keyword := match[1]:
            if keyword == "msgid":
                keywords.clear()
            elif keyword in keywords:
                raise BadCatalogue(f"{number}: a second {keyword} of one sentence: {text!r}")
            keywords.add(keyword)
        yield text


def blanks(sentence: str) -> set[str]:
    """Return what stands in a sentence's braces; BadCatalogue if they do not match."""
    try:
        list(string.Formatter().parse(sentence))
    except ValueError as error:
        raise BadCatalogue(f"{sentence!r}: {error}") from error
    return set(re.findall(r"\{(.*?)\}", sentence, re.DOTALL))


def forms(text: str | tuple[str, ...] | list[str] | None) -> tuple[str, ...]:
    """Return a message's sentence or translation, or all its plural forms."""
    return (text or "",) if isinstance(text, str | None) else tuple(text)


def sentences(catalogue: Catalog) -> Iterator[Message]:
    """Return every message except the header."""
    return (message for message in catalogue if message.id)


def check(catalogue: Catalog, where: str) -> None:
    """Raise BadCatalogue if a translation cannot stand for its sentence, or the header is wrong."""
    right = Catalog(locale=catalogue.locale)
    try:
        same = _plurals(catalogue) == _plurals(right)
    except (ValueError, ArithmeticError):
        same = False
    if not same:
        raise BadCatalogue(
            f"{where}: Plural-Forms must be {right.plural_forms!r}, not {catalogue.plural_forms!r}"
        )
    for message in sentences(catalogue):
        try:
            _check(message)
        except BadCatalogue as error:
            raise BadCatalogue(f"{where}:{message.lineno}: {error}") from error


def _plurals(catalogue: Catalog) -> list[int]:
    """Return how many plural forms there are, and that of each number."""
    return [catalogue.num_plurals, *map(gettext.c2py(catalogue.plural_expr), range(200))]


def _check(message: Message) -> None:
    """Check that a translation says something and has its sentence's blanks.

    A plural form may leave out the number: "one piece", "{n} pieces".
    """
    wanted = set[str]().union(*(blanks(one) for one in forms(message.id)))
    plural = len(forms(message.id)) > 1
    for translation in filter(None, forms(message.string)):
        found = blanks(translation)
        if found - wanted or wanted - found - ({"n"} if plural else set()):
            raise BadCatalogue(
                f"{translation!r} must have the blanks of {forms(message.id)[-1]!r}: "
                f"{sorted(wanted)}, not {sorted(found)}"
            )
        if not translation.strip():
            raise BadCatalogue(f"{forms(message.id)[0]!r} is translated by only space")


def missing(catalogue: Catalog) -> list[str]:
    """Return each sentence that is not translated, or only by a guess (fuzzy)."""
    return [
        forms(message.id)[0]
        for message in sentences(catalogue)
        if message.fuzzy or not all(one.strip() for one in forms(message.string))
    ]


def mo_bytes(catalogue: Catalog) -> bytes:
    """Return the .mo file that Python's gettext reads; untranslated sentences are left out."""
    catalogue.creation_date = catalogue.revision_date = _NO_DATE
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def pages_json(catalogue: Catalog, package: str) -> bytes:
    """Return what a package's pages are sent: their sentences, and the plural form of each number.

    ``plural`` maps each name that a browser gives a number's form (``Intl.PluralRules``) to the
    index of that form among the translations.
    """
    words: dict[str, str | list[str]] = {}
    for message in sentences(catalogue):
        on_page = any(
            file.startswith(package) and file.endswith(_PAGES) for file, _ in message.locations
        )
        if on_page and all(forms(message.string)) and not message.fuzzy:
            texts = forms(message.string)
            words[forms(message.id)[0]] = texts[0] if isinstance(message.id, str) else list(texts)
    made: dict[str, Any] = {"plural": _plural_forms(catalogue), "words": words}
    text = json.dumps(made, ensure_ascii=False, sort_keys=True, indent=0)
    return text.encode() + b"\n"


def _plural_forms(catalogue: Catalog) -> dict[str, int]:
    assert catalogue.locale is not None, "a catalogue of translations has a language"
    named, form = catalogue.locale.plural_form, gettext.c2py(catalogue.plural_expr)
    return {named(n): form(n) for n in reversed(range(200))}
