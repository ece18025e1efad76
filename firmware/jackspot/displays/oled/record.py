"""The match record as QR codes on the OLED, for a referee's phone: shown in turn.

The code is at the right, and which of how many it is at the left. Pure; segno is imported when
a code is shown.
"""

from __future__ import annotations

from PIL import Image

from jackspot.core.phrases import EMPTY, Translate
from jackspot.dialogue.state.view import BoardView
from jackspot.displays.oled.parts import words
from jackspot.displays.oled.sheet import HEIGHT, WIDTH, Sheet
from jackspot.displays.oled.sign_in import qr_code
from jackspot.displays.text import LARGE, PLAIN, SMALL, TINY, Choice, fit, measure, place, write
from jackspot.values import changed

_TITLE: tuple[Choice, ...] = ((SMALL, 1), (TINY, 1), (TINY, 2))
_NUMBERS: tuple[Choice, ...] = ((LARGE, 1), (PLAIN, 1), (SMALL, 1))
_TITLE_HIGH = 17


def code_now(view: BoardView) -> Image.Image | None:
    """Return the picture of the current code; None: there is none."""
    return qr_code(view.codes[view.code]) if view.codes else None


def place_code(image: Image.Image, code: Image.Image) -> None:
    """Draw a code at the right."""
    image.paste(code, (WIDTH - code.width, (HEIGHT - code.height) // 2))


def draw_codes(view: BoardView, translate: Translate) -> Image.Image:
    """Draw the list of codes: the current code, which one it is, and what OK and FIX do.

    Faults and what waits have no room beside it, and are shown again once the list is closed.
    """
    assert view.menu is not None, "the list of codes is open"
    code = qr_code(view.codes[view.code])
    free = WIDTH - code.width - 2
    alone = changed(view, faults=(), notice=None, queue=(), waiting=0)
    sheet = Sheet(alone, translate, free)
    place_code(sheet.image, code)
    title = words(view.menu.title if view.menu.note == EMPTY else view.menu.note, translate)
    end = _TITLE_HIGH if len(view.codes) > 1 else sheet.bottom
    place(sheet.image, (0, 0, free, end), fit(title, free, _TITLE))
    if len(view.codes) > 1:
        place(sheet.image, (0, end, free, sheet.bottom), fit(_which(view), free, _NUMBERS))
    return sheet.done()


def write_which(image: Image.Image, view: BoardView, right: int) -> None:
    """Write in the first row, left of ``right``, which of several codes is shown."""
    if len(view.codes) > 1:
        write(image, right - measure(TINY, _which(view)), 1, _which(view), TINY)


def _which(view: BoardView) -> str:
    """Return which of how many codes is shown: ``2/7``."""
    return f"{view.code + 1}/{len(view.codes)}"
