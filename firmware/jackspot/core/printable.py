"""Text from elsewhere, so that it is only seen: it moves no cursor and turns no line round."""

from __future__ import annotations

import json
import unicodedata

_UNSEEN = frozenset(["Cc", "Cf", "Cs", "Zl", "Zp"])
"""Control and format characters, half pairs, line and paragraph separators."""
_JOINERS = "\u200c\u200d"
"""They join and part the letters of names in Persian, Bengali and other scripts."""


def visible(text: str) -> str:
    r"""Write what is not seen as ``\x1b`` or ``\u202e``: it must not act on a terminal."""
    if text.isprintable():
        return text
    return "".join(_spelt(each) if acts(each) else each for each in text)


def in_json(text: str) -> str:
    r"""Write them in JSON as JSON does, ``\u202e``: it says the same, and is only seen."""
    if text.isprintable():
        return text
    return "".join(
        json.dumps(each)[1:-1] if acts(each) and each not in "\n\r\t" else each for each in text
    )


MOST_MARKS = 5
"""So many marks stand above and below one letter in no language; more are piled up over others."""
_MARKS = frozenset(["Mn", "Me"])


def without_piles(text: str) -> str:
    """Leave out what is piled up on a letter beyond the marks that any language puts there."""
    kept, piled = [], 0
    for each in text:
        piled = piled + 1 if unicodedata.category(each) in _MARKS else 0
        if piled <= MOST_MARKS:
            kept.append(each)
    return "".join(kept)


def in_a_sentence(text: str) -> str:
    """Let a text begin small; what is written in capitals further on stays so."""
    return text[:1].lower() + text[1:]


def acts(character: str) -> bool:
    """Whether a character does something in place of being seen."""
    return unicodedata.category(character) in _UNSEEN and character not in _JOINERS


def _spelt(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def counted(n: int, what: str) -> str:
    """Write a number of things in English: ``1 drop``, ``2 drops``."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
