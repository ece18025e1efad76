"""The board in two numbers and one line, for small signs that are read from afar.

Pure: a view in, text out. The numbers are confirmed ones only. A proposal is between question
marks, so that it never looks like a confirmed line, even on a sign with one colour.

A sign has no clock of its own and is not written every second: it shows the minutes that are
left, and in the last minute every tenth second.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from jackspot.core.directives import RedPlace
from jackspot.core.phrases import EMPTY, Phrase, Translate, _
from jackspot.core.pieces import Piece
from jackspot.dialogue.state.view import BoardView, ClockView, FreeView, Phase
from jackspot.dialogue.words.tally import OVER, score, standing_words
from jackspot.dialogue.words.wording import piece_letter, side_letter, side_word
from jackspot.displays.help_words import OFF, help_of
from jackspot.displays.words import PLAIN_LETTERS

_SECOND_NS = 1_000_000_000
_LATIN = str.maketrans(
    {
        **PLAIN_LETTERS, "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue",
        "ß": "ss", "ẞ": "SS", "→": ">",
    }
)  # fmt: skip
_AMONG_CAPITALS = re.compile("(?<=[A-ZÄÖÜ])[ÄÖÜ]|[ÄÖÜ](?=[A-ZÄÖÜ])")
_AS_WINDOWS = str.maketrans("〜−‖—¢£¬¥‾", "～－∥―￠￡￢\\~")
"""Letters that cp932 has under another name."""
_UNWRITTEN = frozenset(["Mn", "Me", "Cf"])
"""Marks on letters, and what has no shape."""
UNKNOWN = "*"
"""Replaces a letter that a sign does not have."""
_MISSING = "\ufffd"
"""Stands for it until then: a star may also be meant."""


class SignText(Struct, frozen=True):
    """What a one-line sign shows: the left and right sides, then a line that says what is next."""

    left: str
    """``>(R) 7``: a mark if this side shoots, its letter in a disc, its count."""
    right: str
    """``  (G) 5``: with the gap before it and its mark behind it."""
    prompt: str
    """Empty when there is nothing to say."""
    proposed: bool
    """The prompt is about something that nobody has confirmed."""
    parts: tuple[str, ...] = ()
    """What the prompt is made of: what is next, what all are told, a fault."""


def sign_text(view: BoardView, translate: Translate, encoding: str = "ascii") -> SignText:
    """Return a view in the words of a sign: printable, upper case; the numbers are in ASCII."""
    if is_dark(view):
        return SignText("", "", "", proposed=False)
    if view.farewell:
        off = _upper(plain(OFF, translate, encoding), encoding)
        return SignText("", "", off, proposed=False, parts=(off,))
    next_up, proposed = _next_up(view, translate, encoding)
    said = (next_up, _told(view, translate, encoding), _fault(view, translate, encoding))
    parts = tuple(_upper(each, encoding) for each in said)
    prompt = "".join(parts).strip()
    return SignText(*_numbers(view, translate), prompt=prompt, proposed=proposed, parts=parts)


def _upper(text: str, encoding: str) -> str:
    """Return capitals; a letter whose capital the sign lacks stays."""
    capitals = ((each, each.upper()) for each in text)
    return "".join(
        capital if all(_has(one, encoding) for one in capital) else each
        for each, capital in capitals
    )


def is_dark(view: BoardView) -> bool:
    """Return whether people want the displays dark; an open list is shown all the same."""
    return not view.preferences.brightness and view.menu is None


def _numbers(view: BoardView, translate: Translate) -> tuple[str, str]:
    """Return the left and the right number with their letters and marks."""
    if view.free is not None:
        first, second = (
            f"({plain(piece_letter(kind), translate)}){n:2d}" for kind, n in first_two(view.free)
        )
        return f" {first}", f"  {second} "
    if view.attract is not None and view.phase is Phase.SETUP:
        return "", ""
    left, right = (plain(side_letter(side.side), translate) for side in view.sides)
    return (
        f"{'>' if is_marked(view, 0) else ' '}({left}){_count(view, 0)}",
        f"  ({right}){_count(view, 1)}{'<' if is_marked(view, 1) else ' '}",
    )


def first_two(free: FreeView) -> tuple[tuple[Piece, int], tuple[Piece, int]]:
    """Return the two counts of free play that have their own place: the pucks'."""
    first, second, *_further = free.counts
    return first, second


def is_marked(view: BoardView, index: int) -> bool:
    """Return whether a side is marked: it shoots, or it has won what is over."""
    side = view.sides[index]
    if view.phase in OVER:
        return view.winner is side.side
    return side.shoots


def _count(view: BoardView, index: int) -> str:
    """Return ``' 7'``, with ``Q`` for a side that has the queen, ``Q?`` before it covers her."""
    side = view.sides[index]
    number = f"{score(view, index):2d}"
    if view.phase in OVER:
        return number
    has_queen = view.red_side is side.side
    queen = "" if not has_queen else "Q" if view.red is RedPlace.COVERED else "Q?"
    return number + queen


def _next_up(view: BoardView, translate: Translate, encoding: str) -> tuple[str, bool]:
    """Return what is next, and whether it is only proposed."""

    def said(phrase: Phrase) -> str:
        return plain(phrase, translate, encoding)

    proposed = False
    if view.menu is not None and view.menu.question:
        text = said(view.menu.title)
    elif view.menu is not None and view.menu.items:
        text = f"{said(view.menu.title)}: {said(view.menu.items[view.menu.chosen])}"
    elif view.proposal is not None:
        proposed = True
        doubt = "??" if view.proposal.doubtful else "?"
        waiting = f" +{view.waiting}" if view.waiting else ""
        text = f"{doubt} {said(view.proposal.what)} {doubt}{waiting}"
    elif view.attract is not None:
        text = ". ".join(said(phrase) for phrase in help_of(view))
    elif view.free is not None and view.free.last != EMPTY:
        proposed = not view.free.sure
        text = said(view.free.last) + _further(view.free, said)
    else:
        text = said(view.headline) or said(view.detail)
        time = said(time_word(view.clock)) if view.phase not in OVER else ""
        told = map(said, (*_debts(view), *standing_words(view)))
        text = "  ".join(part for part in (text, *told, time) if part)
    return text, proposed


def _told(view: BoardView, translate: Translate, encoding: str) -> str:
    """Return what all are told, if it can be read."""
    if view.notice is None or not view.notice.everywhere:
        return ""
    notice = _nearest_of(view.notice.what, translate, encoding)
    is_readable = notice.count(_MISSING) <= len(notice) / 4
    return f"  {_starred(notice)}" if is_readable else ""


def _fault(view: BoardView, translate: Translate, encoding: str) -> str:
    return f" ! {plain(view.faults[0].what, translate, encoding)}" if view.faults else ""


def _debts(view: BoardView) -> list[Phrase]:
    """Return in words what sides owe: a number beside the count would read as a minus."""
    return [
        _("{side} owes {n}", side=side_word(side.side), n=side.owed)
        for side in view.sides
        if side.owed and view.phase not in OVER
    ]


def _further(free: FreeView, said: Callable[[Phrase], str]) -> str:
    """Return the counts without a place of their own: ``  J 1``."""
    named = ((said(piece_letter(kind)), n) for kind, n in free.counts[2:] if n)
    return "".join(f"  {letter} {n}" for letter, n in named)


def time_word(clock: ClockView) -> Phrase:
    """Return how much time is left, as coarsely as a sign may: it changes once a minute.

    In the last minute it changes every ten seconds.
    """
    if not clock.limit_ns:
        return EMPTY
    seconds = -(-max(0, clock.remaining_ns) // _SECOND_NS)
    if not seconds:
        return _("time!")
    if seconds > 60:
        return _("{n} min", n=-(-seconds // 60))
    return _("{n} s", n=-(-seconds // 10) * 10)


def encoded(text: str, encoding: str, errors: str = "strict") -> bytes:
    """Return text as bytes.

    ``shift_jis`` is the one of Windows (cp932), as real signs have it: with 髙, ① and ～.
    """
    if encoding == "shift_jis":
        return text.translate(_AS_WINDOWS).encode("cp932", errors)
    return text.encode(encoding, errors)


def plain(phrase: Phrase, translate: Translate, encoding: str = "ascii") -> str:
    """Render a phrase in printable letters that an encoding has.

    Umlauts that it lacks are spelt out. If a translation cannot be written, as Japanese in ASCII,
    it is replaced by the English sentence; what still cannot, such as a name, becomes stars.
    """
    return _starred(_nearest_of(phrase, translate, encoding))


def spelt(text: str, encoding: str) -> str:
    """Return a text in the same way, letter by letter."""
    return _starred(_nearest(text, encoding))


def _starred(letters: str) -> str:
    return letters.replace(_MISSING, UNKNOWN)


def _nearest_of(phrase: Phrase, translate: Translate, encoding: str) -> str:
    """Return a phrase in the language in which fewer letters are missing."""
    both = (_nearest(text, encoding) for text in (phrase.render(translate), str(phrase)))
    return min(both, key=lambda letters: letters.count(_MISSING))


def _nearest(text: str, encoding: str) -> str:
    """Return a text whose letters a sign has: others are spelt out, lose their marks or miss."""

    def capitals(found: re.Match[str]) -> str:
        letter = found[0]
        return letter if _has(letter, encoding) else _LATIN[ord(letter)].upper()

    letters = _AMONG_CAPITALS.sub(capitals, unicodedata.normalize("NFC", text))
    return "".join(each if _has(each, encoding) else _bare(each, encoding) for each in letters)


def _bare(letter: str, encoding: str) -> str:
    decomposed = unicodedata.normalize("NFKD", letter.translate(_LATIN)).translate(_LATIN)
    bare = "".join(each for each in decomposed if unicodedata.category(each) not in _UNWRITTEN)
    return bare if all(_has(each, encoding) for each in bare) else _MISSING


@lru_cache(maxsize=4096)
def _has(letter: str, encoding: str) -> bool:
    if not letter.isprintable():
        return False
    try:
        encoded(letter, encoding)
    except UnicodeEncodeError:
        return False
    return True
