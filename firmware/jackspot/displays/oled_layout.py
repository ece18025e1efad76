"""Draws the board's view for the OLED: 128x64 dots, one picture for each phase.

Pure: a view and a translation in, a picture out. It may not know any device or clock. The
parts and what they mean are in :mod:`jackspot.displays.oled_parts`.

::

    ready, paused, board over        everything else
    +-------+-+-------+  0           +---+-----------+---+  0   counts, clock
    | R  7  |J|  G  5 |              +---+-----------+---+ 10
    |       | |       |              |                   |      the proposal, the stack,
    +-------+-+-------+ 32           |                   |      the pockets, the list
    | owes 2  4:32    | 44           |                   |
    | RED N to shoot  | 56           |                   | 56
    | OK nothing FIX..| 64           | OK yes    FIX next| 64

A fault's banner takes 17 rows above the prompts; what was there is drawn smaller, not left out.
Where words would be lost to it, it shrinks to what is wrong, without what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw

from jackspot.core.pieces import Pocket
from jackspot.core.settings import RuleSystem
from jackspot.displays import oled_parts as parts
from jackspot.displays.oled_parts import Card, words
from jackspot.displays.oled_record import record_code
from jackspot.displays.oled_sheet import (
    HEIGHT,
    WIDTH,
    Sheet,
    card_of,
    clock_text,
    red_letter,
    rows_of,
)
from jackspot.displays.oled_text import (
    DARK,
    LIT,
    PLAIN,
    SMALL,
    TINY,
    Block,
    Box,
    Choice,
    fit,
    measure,
    place,
    place_two,
    write,
)
from jackspot.table.phrases import EMPTY, Translate
from jackspot.table.view import BoardView, Phase, SideView

_PAUSE_SIGN = 12
_NAMES: tuple[Choice, ...] = ((SMALL, 1), (TINY, 1), (TINY, 2))
_TALLEST_CARD = 32
_LOWEST_CARD = 22
"""With less room than this the counts stand in the header."""


def draw(view: BoardView, translate: Translate) -> Image.Image:
    """Draw a view as 128x64 dots of mode ``1``."""
    if view.menu is not None:
        return _menu(view, translate)
    if view.proposal is not None and view.phase is not Phase.FALLING:
        return _review(view, translate)
    return _PHASES[view.phase](view, translate)


# --- the phases ------------------------------------------------------------------------


def _setup(view: BoardView, translate: Translate) -> Image.Image:
    """Say who plays what, and how the match begins; the title gives way to long names."""
    sheet = Sheet(view, translate)
    image, bottom = sheet.image, sheet.bottom
    words_high = sheet.rows(WIDTH)
    named = [fit(_names(side), WIDTH - 14, _NAMES) for side in view.sides]
    if sum(map(_name_height, named)) + words_high > bottom:
        named = [fit(_names(side), WIDTH - 14, _NAMES[:2]) for side in view.sides]
    top = 13
    if top + sum(map(_name_height, named)) + words_high <= bottom:
        write(image, 2, -1, _rules_title(view), SMALL)
        length = clock_text(view) or (f"1/{view.best_of}" if view.best_of > 1 else "")
        write(image, WIDTH - 2 - measure(SMALL, length), -1, length, SMALL)
        parts.fill(image, (0, 11, WIDTH, 12))
    else:
        top = 0
    for index, (side, block) in enumerate(zip(view.sides, named, strict=True)):
        high = _name_height(block)
        parts.puck(image, 1, top + (high - 11) // 2, side.letter, filled=index == 0, small=True)
        place(image, (14, top, WIDTH, top + high), block, align=0.0)
        top += high
    place_two(image, (0, top, WIDTH, bottom), sheet.headline, sheet.detail)
    return sheet.done()


def _ready(view: BoardView, translate: Translate) -> Image.Image:
    """Show both counts as large as they get, whose turn, debts and the clock."""
    sheet = Sheet(view, translate)
    image, bottom = sheet.image, sheet.bottom
    detail = sheet.detail
    if view.detail.msgid == "{side} owes {n}":
        detail = ""  # said beside the clock
    is_paused = view.phase is Phase.PAUSED
    width = WIDTH - (2 * _PAUSE_SIGN if is_paused else 0)
    free = bottom - is_paused - rows_of((sheet.headline, detail), width)
    tall = min(_TALLEST_CARD, free - (TINY.height if _has_standing(view) else 0))
    if tall < _LOWEST_CARD:
        top = sheet.header(sheet.rows(WIDTH))
    else:
        _cards(sheet, tall, [card_of(view, index) for index in (0, 1)])
        top = tall + _standing(sheet, tall, free - tall)
    box = (0, top, WIDTH, bottom)
    if is_paused:
        _paused_bar(sheet, box, detail)
        return sheet.done()
    last = view.last.words if view.last and not detail else EMPTY
    place_two(image, box, sheet.headline, detail, words(last, translate))
    return sheet.done()


def _paused_bar(sheet: Sheet, box: Box, detail: str) -> None:
    """Say that the clock is stopped: two bars, and the headline black on white."""
    left, top, right, bottom = box
    bottom -= 1  # a dark row before the prompts
    inside = (left + _PAUSE_SIGN, top, right - _PAUSE_SIGN, bottom)
    place_two(sheet.image, inside, sheet.headline, detail)
    for x in (3, 7):
        for shift in (0, WIDTH - 13):
            middle = (top + bottom) // 2
            parts.fill(sheet.image, (x + shift, middle - 4, x + shift + 2, middle + 4))
    parts.invert(sheet.image, (left, top, right, bottom))
    parts.round_corners(sheet.image, (left, top, right, bottom))


def _falling(view: BoardView, translate: Translate) -> Image.Image:
    """Show the board's four corners: a pocket that something falls into is lit."""
    sheet = Sheet(view, translate)
    image = sheet.image
    top = sheet.header(sheet.rows(WIDTH - 30) + 4)
    box = (0, top, WIDTH, sheet.bottom - 1)
    left, top, right, bottom = box
    parts.frame(image, box, dashed=True)
    is_roomy = bottom - top - 2 >= sheet.rows(WIDTH - 34)
    radius = min(14 if is_roomy else 8, (bottom - top - 2) // 2)
    corners = {
        Pocket.NW: (left, top),
        Pocket.NE: (right - 1, top),
        Pocket.SE: (right - 1, bottom - 1),
        Pocket.SW: (left, bottom - 1),
    }
    for pocket, (x, y) in corners.items():
        shape = (x - radius, y - radius, x + radius, y + radius)
        inside = parts.blank(WIDTH, HEIGHT)
        lit = pocket in view.lit
        ImageDraw.Draw(inside).ellipse(shape, fill=LIT if lit else DARK, outline=LIT)
        cut = (max(left, x - radius), max(top, y - radius), min(right, x + radius + 1),
               min(bottom, y + radius + 1))  # fmt: skip
        image.paste(inside.crop(cut), cut[:2])
        at_x = x + 1 if x == left else x - 10
        at_y = y + 1 if y == top else y - 8
        if is_roomy:
            write(image, at_x, at_y, pocket.value, TINY, DARK if lit else LIT)
    middle = (left + radius + 3, top + 1, right - radius - 3, bottom - 1)
    place_two(image, middle, sheet.headline, sheet.detail, proposal=True)
    return image


def _review(view: BoardView, translate: Translate) -> Image.Image:
    """Show the reading in a dashed frame, what would follow, and how many others there are."""
    assert view.proposal is not None
    sheet = Sheet(view, translate)
    image = sheet.image
    top = sheet.header(sheet.rows(WIDTH - 20) + 4)
    box = (0, top, WIDTH, sheet.bottom - 1)
    left, top, right, bottom = box
    inside = (left + 1, top + 1, right - 1, bottom - 1)
    parts.frame(image, box, dashed=True)
    if view.proposal.doubtful:
        parts.fill(image, (left + 2, top + 2, left + 14, bottom - 2))
        parts.round_corners(image, (left + 2, top + 2, left + 14, bottom - 2))
        middle = (top + bottom) // 2
        write(image, left + 4, middle - 8, "?", PLAIN, DARK)
        left += 14
    follows = sheet.detail or words(view.proposal.follows, translate)
    place_two(
        image, (left + 3, top + 1, right - 3, bottom - 1),
        words(view.proposal.what, translate), follows, proposal=True,
    )  # fmt: skip
    return sheet.done(inside)


def _placing(view: BoardView, translate: Translate) -> Image.Image:
    """Show what must be put back as the stack that it will be."""
    sheet = Sheet(view, translate)
    image, bottom = sheet.image, sheet.bottom
    wide = 52
    top = sheet.header(sheet.rows(WIDTH - wide - 4))
    parts.stack(image, (0, top + 1, wide, bottom - 1), view.place)
    place_two(image, (wide + 4, top, WIDTH, bottom), sheet.headline, sheet.detail)
    return sheet.done()


def _over(view: BoardView, translate: Translate) -> Image.Image:
    """Show the result: the winner's card is lit. A match's record is a code to photograph."""
    code = record_code(view.record) if view.phase is Phase.MATCH_OVER and view.record else None
    if code is not None:
        return _over_with_code(view, translate, code)
    sheet = Sheet(view, translate)
    tall = min(_TALLEST_CARD, sheet.bottom - sheet.rows(WIDTH))
    if tall < _LOWEST_CARD:
        tall = 10
        parts.header(sheet.image, _result_cards(view), "")
    else:
        _cards(sheet, tall, _result_cards(view))
    place_two(sheet.image, (0, tall, WIDTH, sheet.bottom), sheet.headline, sheet.detail)
    return sheet.done()


def _over_with_code(view: BoardView, translate: Translate, code: Image.Image) -> Image.Image:
    free = WIDTH - code.width - 2
    sheet = Sheet(view, translate, free)
    image = sheet.image
    image.paste(code, (WIDTH - code.width, (HEIGHT - code.height) // 2))
    for index, card in enumerate(_result_cards(view)):
        line = parts.small_card(card)
        image.paste(line, (0, 11 * index))
    place_two(image, (0, 22, free, sheet.bottom), sheet.headline, sheet.detail)
    return sheet.done()


def _menu(view: BoardView, translate: Translate) -> Image.Image:
    """Show a list with the chosen line black on white and its neighbours around it."""
    assert view.menu is not None
    sheet = Sheet(view, translate)
    image, bottom = sheet.image, sheet.bottom
    title = words(view.menu.title, translate)
    head = fit(title, WIDTH - 2, ((SMALL, 1), (TINY, 1), (TINY, 2)))
    line = max(11, head.height)
    place(image, (2, 0, WIDTH, line), head, align=0.0)
    parts.fill(image, (0, line, WIDTH, line + 1))
    top = line + 2
    end = WIDTH - 4
    items = [words(item, translate) for item in view.menu.items]
    rows = [fit(text, end - 4, ((SMALL, 1), (TINY, 1), (TINY, 2))) for text in items]
    first, last = _window([_row_height(row) for row in rows], view.menu.chosen, bottom - top)
    thumb = bottom - top - 2
    parts.fill(image, (WIDTH - 2, top + thumb * first // len(rows),
                       WIDTH, top + thumb * last // len(rows)))  # fmt: skip
    for index in range(first, last):
        box = (0, top, end, top + _row_height(rows[index]))
        is_chosen = index == view.menu.chosen
        parts.fill(image, box, LIT if is_chosen else DARK)
        place(image, (3, *box[1:]), rows[index], DARK if is_chosen else LIT, align=0.0)
        top = box[3]
    return sheet.done()


def _row_height(row: Block) -> int:
    """Give the height of a list's row: two dots of the taller face stay empty anyway."""
    return max(10, row.height) if row.face is TINY else 10


def _window(heights: Sequence[int], chosen: int, room: int) -> tuple[int, int]:
    """Give the first row to show and the one after the last, around the chosen one."""
    first, last = chosen, chosen + 1
    used = heights[chosen]
    while True:
        below = last < len(heights) and used + heights[last] <= room
        above = first > 0 and used + heights[first - 1] <= room
        if above and (not below or chosen - first < last - 1 - chosen):
            first -= 1
            used += heights[first]
        elif below:
            used += heights[last]
            last += 1
        else:
            return first, last


_PHASES: dict[Phase, Callable[[BoardView, Translate], Image.Image]] = {
    Phase.SETUP: _setup,
    Phase.READY: _ready,
    Phase.FALLING: _falling,
    Phase.REVIEW: _ready,
    Phase.PLACING: _placing,
    Phase.PAUSED: _ready,
    Phase.BOARD_OVER: _over,
    Phase.MATCH_OVER: _over,
}
"""A *review* without a proposal has nothing to ask: it looks like *ready*."""


# --- what they share -------------------------------------------------------------------


def _has_standing(view: BoardView) -> bool:
    """Say whether there is a clock, a debt or a side that has all its pucks in."""
    return bool(clock_text(view)) or any(side.owed or side.all_in for side in view.sides)


def _cards(sheet: Sheet, tall: int, cards: Sequence[Card]) -> None:
    """Draw both big cards with the jack and the boards won between them."""
    image, view = sheet.image, sheet.view
    wide = 58
    parts.big_card(image, (0, 0, wide, tall - 1), cards[0])
    parts.big_card(image, (WIDTH - wide, 0, WIDTH, tall - 1), cards[1])
    parts.jack_mark(image, wide + 1, (tall - 11) // 2, red_letter(view), view.red)
    if view.best_of > 1 and tall >= 32:
        needed = view.best_of // 2 + 1
        parts.pips(image, wide + 1, 0, view.sides[0].boards_won, needed)
        parts.pips(image, WIDTH - wide - 5, 0, view.sides[1].boards_won, needed)


def _standing(sheet: Sheet, top: int, room: int) -> int:
    """Draw debts and the clock in one row; give the row's height, 0 when there is nothing."""
    view, image = sheet.view, sheet.image
    clock = clock_text(view)
    sides = [_side_remark(side, sheet.translate) for side in view.sides]
    if not _has_standing(view):
        return 0
    tall = 12 if room >= 12 else 8
    faces: tuple[Choice, ...] = ((SMALL, 1), (TINY, 1)) if tall == 12 else ((TINY, 1),)
    clock_wide = 0
    if clock:
        block = fit(clock, 50, ((PLAIN, 1), *faces) if tall == 12 and not all(sides) else faces)
        place(image, (0, top, WIDTH, top + tall), block)
        clock_wide = block.width + 4
    for index, text in enumerate(sides):
        room = (WIDTH - clock_wide) // 2
        owed = view.sides[index].owed
        short = text if parts.tag_width(text) <= room else f"-{owed}" if owed else ""
        if short:
            left = 0 if index == 0 else WIDTH - parts.tag_width(short)
            parts.tag(image, left, top + (tall - 8) // 2, short)
    return tall


def _side_remark(side: SideView, translate: Translate) -> str:
    """Say what a side owes, or that it has all its pucks in."""
    if side.owed:
        return words(parts.owes(side.owed), translate)
    return words(parts.ALL_IN, translate) if side.all_in else ""


def _result_cards(view: BoardView) -> list[Card]:
    points = view.result_points or (view.sides[0].points, view.sides[1].points)
    return [
        Card(side.letter, index == 0, points[index], lit=view.winner is side.side)
        for index, side in enumerate(view.sides)
    ]


def _names(side: SideView) -> str:
    """Give a side's seats with the names of who sits there."""
    return " ".join(
        f"{seat.value} {name}" if name else seat.value
        for seat, name in zip(side.seats, side.names, strict=True)
    )


def _name_height(block: Block) -> int:
    """Give the height of a side's names; one line takes what its puck takes."""
    return block.height if len(block.lines) > 1 else 11


def _rules_title(view: BoardView) -> str:
    name = view.rules.value
    return name.upper() if view.rules in {RuleSystem.ICF, RuleSystem.KAGW} else name.capitalize()
