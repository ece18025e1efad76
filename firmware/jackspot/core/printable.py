"""Make text from elsewhere harmless: it moves no cursor and reverses no line."""

from __future__ import annotations

import json
import unicodedata

_UNSEEN = frozenset(["Cc", "Cf", "Cs", "Zl", "Zp"])
"""Control and format characters, half pairs, line and paragraph separators."""
_JOINERS = "\u200c\u200d"
"""They join and separate the letters of names in Persian, Bengali and other scripts."""


def visible(text: str) -> str:
    r"""Spell invisible characters as ``\x1b``, ``\u202e``: they must not act on a terminal."""
    if text.isprintable():
        return text
    return "".join(_spelt(each) if acts(each) else each for each in text)


def visible_lines(text: str) -> str:
    """Do the same with each line of a text that has several."""
    return "\n".join(map(visible, text.split("\n")))


def in_json(text: str) -> str:
    r"""Escape them in JSON as ``\u202e``: the meaning is the same, and they do not act."""
    if text.isprintable():
        return text
    return "".join(
        json.dumps(each)[1:-1] if acts(each) and each not in "\n\r\t" else each for each in text
    )


MOST_MARKS = 5
"""No language puts this many marks above and below one letter; more would pile up over other
text."""
_MARKS = frozenset(["Mn", "Me"])


def without_piles(text: str) -> str:
    """Remove marks piled up on a letter beyond those that any language puts there."""
    kept, piled = [], 0
    for each in text:
        piled = piled + 1 if unicodedata.category(each) in _MARKS else 0
        if piled <= MOST_MARKS:
            kept.append(each)
    return "".join(kept)


def in_a_sentence(text: str) -> str:
    """Return a text with its first letter in lower case; the rest stays as it is."""
    return text[:1].lower() + text[1:]


def acts(character: str) -> bool:
    """Whether a character does something instead of being visible."""
    return unicodedata.category(character) in _UNSEEN and character not in _JOINERS


def _spelt(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def counted(n: int, what: str) -> str:
    """Return a number of things in English: ``1 drop``, ``2 drops``."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
