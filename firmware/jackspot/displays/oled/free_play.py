"""Free play on the OLED: both counts as large as possible, and what the newest fall was.

The newest fall has a dashed frame until somebody has said that it is right. Pure.
"""

from __future__ import annotations

from PIL import Image

from jackspot.core.directives import RedPlace
from jackspot.core.phrases import EMPTY, Translate, _c
from jackspot.dialogue.state.view import BoardView, FreeView
from jackspot.dialogue.words.wording import piece_letter
from jackspot.displays.oled import parts
from jackspot.displays.oled.parts import Card, Centre, words
from jackspot.displays.oled.pieces import FILLED_PIECES
from jackspot.displays.oled.sheet import WIDTH, Sheet, rows_of
from jackspot.displays.text import (
    PLAIN,
    SMALL,
    TINY,
    Box,
    Choice,
    fit,
    measure,
    place,
    place_two,
    write,
)
from jackspot.sensing.events import Key

_CARD = 58
_TALL = 31
_LOW = 22
_FRAMED = 17
_UNDO = Key.UNDO.value.upper()
_NEWEST: tuple[Choice, ...] = ((PLAIN, 1), (SMALL, 1), (TINY, 1), (TINY, 2))


def draw_free(view: BoardView, translate: Translate) -> Image.Image:
    """Draw free play."""
    assert view.free is not None
    sheet = Sheet(view, translate)
    image, bottom = sheet.image, sheet.bottom
    newest = words(view.free.last, translate) if view.free.last != EMPTY else ""
    has_note = newest and sheet.detail not in {"", newest}
    line = sheet.detail if has_note else sheet.headline
    said = rows_of((line, "" if newest else sheet.detail), WIDTH)
    tall = min(_TALL, bottom - said - (_FRAMED if newest else 0))
    if tall < _LOW:
        top = sheet.header(said + 10)
    else:
        _cards(image, view.free, tall, translate)
        top = tall
    if not newest:
        place_two(image, (0, top, WIDTH, bottom), sheet.headline, sheet.detail)
        return sheet.done()
    low = max(top + 10, bottom - said)
    _newest(sheet, (0, top + 1, WIDTH, low - 1), newest, sure=view.free.sure)
    place_two(image, (0, low, WIDTH, bottom), line, "")
    return sheet.done()


def _newest(sheet: Sheet, box: Box, newest: str, *, sure: bool) -> None:
    """Write what the newest fall is taken for, and what takes it back beside it."""
    left, top, right, bottom = box
    image = sheet.image
    back = words(_c("UNDO takes it back", "back"), sheet.translate)
    start = right - parts.tag_width(_UNDO) - 2 - measure(TINY, back)
    y = (top + bottom - TINY.height) // 2
    parts.tag(image, start, y, _UNDO)
    write(image, right - measure(TINY, back), y, back, TINY)
    framed = (left, top, start - 3, bottom)
    if not sure:
        parts.frame(image, framed, dashed=True)
    inside = (left + 3, top + 1, start - 6, bottom - 1)
    faces = tuple(choice for choice in _NEWEST if choice[0].height * choice[1] <= bottom - top)
    place(image, inside, fit(newest, inside[2] - inside[0], faces or _NEWEST[2:3]))


def _cards(image: Image.Image, free: FreeView, tall: int, translate: Translate) -> None:
    """Draw the pucks' counts as cards without a turn, and the centre piece between them."""
    for index, (piece, n) in enumerate(free.counts[:2]):
        left = 0 if index == 0 else WIDTH - _CARD
        card = Card(piece_letter(piece).render(translate), piece in FILLED_PIECES, n)
        parts.big_card(image, (left, 0, left + _CARD, tall - 1), card)
    for piece, n in free.counts[2:3]:
        place_of = RedPlace.COVERED if n else RedPlace.BOARD
        centre = Centre(piece_letter(piece).render(translate), place_of)
        parts.jack_mark(image, _CARD + 1, (tall - 11) // 2, centre)
