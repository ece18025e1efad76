"""The OLED's last picture: the board is being switched off, and when to unplug it.

It stays lit after the program has ended: a Raspberry Pi that is switched off still powers its
display. Pure.
"""

from __future__ import annotations

from PIL import Image

from jackspot.core.phrases import Translate
from jackspot.dialogue.state.view import BoardView
from jackspot.displays.help_words import OFF, UNPLUG
from jackspot.displays.oled import parts
from jackspot.displays.oled.parts import words
from jackspot.displays.oled.sheet import WIDTH, Sheet
from jackspot.displays.text import DARK, LIT, TINY, place_two

_WIDE = 40


def draw_farewell(view: BoardView, translate: Translate) -> Image.Image:
    """Draw an unplugged plug, and say when it is safe to pull it."""
    sheet = Sheet(view, translate, prompts=())
    off, unplug = words(OFF, translate), words(UNPLUG, translate)
    box = (_WIDE + 4, 0, WIDTH, sheet.bottom)
    _plug(sheet.image, (sheet.bottom - 20) // 2)
    place_two(sheet.image, box, off, unplug, proposal=True)
    return sheet.done((0, 0, WIDTH, sheet.bottom - TINY.height))


def _plug(image: Image.Image, top: int) -> None:
    """Draw a plug with its two prongs, and the socket it was pulled from."""
    parts.fill(image, (0, top + 9, 6, top + 11))
    for left, right, is_open in ((6, 16, False), (28, _WIDE, True)):
        box = (left, top, right, top + 20)
        parts.fill(image, box)
        parts.round_corners(image, box)
        for y in (top + 5, top + 13):
            start = left if is_open else right
            parts.fill(image, (start, y, start + 7, y + 2), DARK if is_open else LIT)
