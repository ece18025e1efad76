"""What the OLED shows while nobody plays: three drawn help pictures with few words.

Each has its drawing at the left, its words at the right, and at the bottom how to go on and which
of the three it is. The picture moves by a dot or two, and the three take turns, so that no dot of
the panel is lit all night. Pure.
"""

from __future__ import annotations

from typing import Final

from PIL import Image, ImageDraw

from jackspot.core.phrases import Translate
from jackspot.core.pieces import Seat
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.displays.help_words import HELP, WAKE, help_of
from jackspot.displays.oled import parts
from jackspot.displays.oled.parts import words
from jackspot.displays.oled.sheet import HEIGHT, WIDTH, Sheet, card_of, clock_text, result_cards
from jackspot.displays.text import (
    DARK,
    LIT,
    PLAIN,
    TINY,
    Box,
    Choice,
    fit,
    place,
    place_two,
    write_centred,
)

_ORBIT: Final = ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1))
"""How far the picture is moved, in dots: once round in eight rounds of the pictures."""
_ROOM: Final = 2
"""The dots that must stay free for that."""
_DOT: Final = 5
_ONE_LINE: tuple[Choice, ...] = ((TINY, 1),)


def draw_help(view: BoardView, translate: Translate) -> Image.Image:
    """Draw the help picture that a view asks for."""
    assert view.attract is not None
    sheet = Sheet(view, translate, prompts=())
    sheet.bottom -= _ROOM
    wide = WIDTH - _ROOM
    index = view.attract % len(HELP)
    _foot(sheet.image, (0, sheet.bottom - TINY.height, wide, sheet.bottom), index,
          words(WAKE, translate))  # fmt: skip
    sheet.bottom -= TINY.height + 1
    box = (0, 0, wide, sheet.bottom)
    first, second = (words(phrase, translate) for phrase in help_of(view))
    (_counting, _answering, _starting)[index](sheet, box, first, second)
    _wander(sheet.image, view)
    return sheet.done()


def _wander(image: Image.Image, view: BoardView) -> None:
    """Move the picture on its orbit, unless there is a banner: a fault's or a notice's."""
    right, down = _ORBIT[view.sequence // len(HELP) % len(_ORBIT)]
    high = HEIGHT if not view.faults and view.notice is None else 0
    if high and (right or down):
        moved = image.crop((0, 0, WIDTH - _ROOM, high - _ROOM))
        parts.fill(image, (0, 0, WIDTH, high), DARK)
        image.paste(moved, (right, down))


def _foot(image: Image.Image, box: Box, index: int, wake: str) -> None:
    """Write how to go on, and show which of the pictures this is."""
    left, top, right, bottom = box
    pen = ImageDraw.Draw(image)
    x = right - len(HELP) * (_DOT + 2) + 2
    place(image, (left, top, x - 2, bottom), fit(wake, x - 2 - left, _ONE_LINE), align=0.0)
    for number in range(len(HELP)):
        y = top + 1
        dot = (x, y, x + _DOT - 1, y + _DOT - 1)
        pen.ellipse(dot, fill=LIT if number == index else DARK, outline=LIT)
        x += _DOT + 2


# --- the drawings ----------------------------------------------------------------------


def _counting(sheet: Sheet, box: Box, first: str, second: str) -> None:
    """Draw a puck on its way into the pocket at the upper right."""
    image = sheet.image
    left, top, right, bottom = box
    size = min(bottom - top, 46)
    y = top + (bottom - top - size) // 2
    _board(image, left, y, size, lit=True)
    pen = ImageDraw.Draw(image)
    middle = size // 2
    for step in range(-middle // 2, size // 8, 3):  # where it came from
        image.putpixel((left + middle + step, y + middle - step), LIT)
    x, at = left + middle + size // 6, y + middle - size // 6
    pen.ellipse((x - 4, at - 4, x + 4, at + 4), fill=LIT, outline=DARK)
    place_two(image, (left + size + 4, top, right, bottom), first, second)


def _answering(sheet: Sheet, box: Box, first: str, second: str) -> None:
    """Draw the two buttons with what each means: the large one yes, the small one no."""
    image = sheet.image
    left, top, right, bottom = box
    half = (top + bottom) // 2
    for name, text, rows in (("OK", first, (top, half)), ("FIX", second, (half, bottom))):
        size = rows[1] - rows[0] - (0 if name == "OK" else 3)
        _button(image, left + (26 - size) // 2, rows[0] + (rows[1] - rows[0] - size) // 2, size,
                name)  # fmt: skip
        place_two(image, (left + 30, rows[0], right, rows[1]), text, "")


def _starting(sheet: Sheet, box: Box, first: str, second: str) -> None:
    """Draw a board with each seat's OK button, and above it what waits for people."""
    view, image = sheet.view, sheet.image
    left, top, right, bottom = box
    if view.phase is not Phase.SETUP and bottom - top >= 40:
        is_over = view.phase in {Phase.BOARD_OVER, Phase.MATCH_OVER}
        cards = [card_of(view, index, sheet.translate) for index in (0, 1)]
        if is_over:
            cards = result_cards(view, sheet.translate)
        head = parts.blank(right - left, 11)
        parts.header(head, cards, clock_text(view))
        image.paste(head, (left, top))
        top += 12
    size = min(bottom - top, 46)
    y = top + (bottom - top - size) // 2
    edge = max(5, size // 5)
    inner = size - 2 * edge
    _board(image, left + edge, y + edge, inner)
    pen = ImageDraw.Draw(image)
    middle = size // 2
    places = {Seat.N: (middle, edge // 2), Seat.E: (size - edge // 2 - 1, middle),
              Seat.S: (middle, size - edge // 2 - 1), Seat.W: (edge // 2, middle)}  # fmt: skip
    radius = edge // 2 - 1
    for seat, (x, down) in places.items():
        is_pressed = seat is (view.shooter or Seat.S)
        at = (left + x - radius, y + down - radius, left + x + radius, y + down + radius)
        pen.ellipse(at, fill=LIT if is_pressed else DARK, outline=LIT)
    middle = (top + bottom) // 2
    place_two(image, (left + size + 4, top, right, middle), first, "")
    place_two(image, (left + size + 4, middle, right, bottom), second, "")


def _board(image: Image.Image, left: int, top: int, size: int, *, lit: bool = False) -> None:
    """Draw a board from above, with pockets as in *falling*; ``lit``: the north-east one is lit."""
    board = parts.blank(size, size)
    pen = ImageDraw.Draw(board)
    hole = size // 4
    for x in (0, size - 1):
        for y in (0, size - 1):
            is_lit = lit and (x, y) == (size - 1, 0)
            pen.ellipse((x - hole, y - hole, x + hole, y + hole), fill=LIT if is_lit else DARK,
                        outline=LIT)  # fmt: skip
    parts.frame(board, (0, 0, size, size))
    if not lit:
        middle, ring = size // 2, max(2, size // 8)
        pen.ellipse((middle - ring, middle - ring, middle + ring, middle + ring), outline=LIT)
    image.paste(board, (left, top))


def _button(image: Image.Image, left: int, top: int, size: int, name: str) -> None:
    """Draw a button from above: OK filled, FIX outlined."""
    disc = parts.blank(size, size)
    is_filled = name == "OK"
    ImageDraw.Draw(disc).ellipse((0, 0, size - 1, size - 1), fill=LIT if is_filled else DARK,
                                 outline=LIT)  # fmt: skip
    face = PLAIN if is_filled and size >= 20 else TINY
    write_centred(disc, (0, 0, size, size), name, face, DARK if is_filled else LIT)
    image.paste(disc, (left, top))
