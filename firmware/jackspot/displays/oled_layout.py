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
from jackspot.displays.oled_parts import Card, Prompt, words
from jackspot.displays.oled_record import record_code
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
from jackspot.table.events import Key
from jackspot.table.phrases import EMPTY, Translate
from jackspot.table.view import BoardView, Phase, SideView

WIDTH = 128
HEIGHT = 64
_BANNER = 17
_ONE_LINE_BANNER = 9
_PAUSE_SIGN = 12
_TALLEST_CARD = 32
_LOWEST_CARD = 22
"""With less room than this the counts stand in the header."""
_QUEEN_SYSTEMS = frozenset(
    {RuleSystem.KAGW, RuleSystem.GRUNDREGELN, RuleSystem.POINTS, RuleSystem.ICF}
)


class Sheet:
    """A view on its way to a picture: the picture, and where its free box ends below."""

    def __init__(self, view: BoardView, translate: Translate, right: int = WIDTH) -> None:
        self.view = view
        self.translate = translate
        self.image = parts.blank(WIDTH, HEIGHT)
        self.right = right
        prompts = _prompts(view, translate)
        waiting = f"+{view.waiting}" if view.waiting else ""
        rows = parts.prompt_rows(prompts, right, waiting)
        self.bottom = parts.draw_prompts(self.image, right, rows, waiting)
        if view.faults:
            is_crowded = self.bottom - _BANNER < self.rows(WIDTH - 20) + 4
            high = _ONE_LINE_BANNER if is_crowded else _BANNER
            box = (0, self.bottom - high, right, self.bottom - 1)
            fault = view.faults[0]
            what, remedy = words(fault.what, translate), words(fault.remedy, translate)
            parts.banner(self.image, box, what, remedy, len(view.faults) - 1)
            self.bottom -= high

    @property
    def headline(self) -> str:
        """The one thing to know."""
        return words(self.view.headline, self.translate)

    @property
    def detail(self) -> str:
        """The second line."""
        return words(self.view.detail, self.translate)

    def header(self, rows: int = 0) -> int:
        """Draw counts, clock and the jack in the top ten rows; give the first free row.

        Where less than ``rows`` would be left below, nothing is drawn: words come first.
        """
        if self.bottom - 11 < rows:
            return 0
        cards = [_card(self.view, index) for index in (0, 1)]
        left, _top, right, _bottom = parts.header(self.image, cards, _clock(self.view))
        if not _clock(self.view):
            letter = _red_letter(self.view)
            parts.jack_mark(self.image, (left + right - 11) // 2, 0, letter, self.view.red)
        return 11

    def rows(self, width: int) -> int:
        """Give the rows of dots that headline and detail take at least."""
        return _rows((self.headline, self.detail), width)


def draw(view: BoardView, translate: Translate) -> Image.Image:
    """Draw a view as 128x64 dots of mode ``1``."""
    if view.menu is not None:
        return _menu(view, translate)
    if view.proposal is not None and view.phase is not Phase.FALLING:
        return _review(view, translate)
    return _PHASES[view.phase](view, translate)


# --- the phases ------------------------------------------------------------------------


def _setup(view: BoardView, translate: Translate) -> Image.Image:
    """Say who plays what, and how the match begins."""
    sheet = Sheet(view, translate)
    image, bottom = sheet.image, sheet.bottom
    top = 0
    if bottom - 35 >= sheet.rows(WIDTH):
        top = 13
        write(image, 2, -1, _rules_title(view), SMALL)
        length = _clock(view) or (f"1/{view.best_of}" if view.best_of > 1 else "")
        write(image, WIDTH - 2 - measure(SMALL, length), -1, length, SMALL)
        parts.fill(image, (0, 11, WIDTH, 12))
    for index, side in enumerate(view.sides):
        parts.puck(image, 1, top, side.letter, filled=index == 0, small=True)
        names = " ".join(
            f"{seat.value} {name}" if name else seat.value
            for seat, name in zip(side.seats, side.names, strict=True)
        )
        block = fit(names, WIDTH - 14, ((SMALL, 1), (TINY, 1)))
        place(image, (14, top - 1, WIDTH, top + 11), block, align=0.0)
        top += 11
    place_two(image, (0, top, WIDTH, bottom), sheet.headline, sheet.detail)
    return image


def _ready(view: BoardView, translate: Translate) -> Image.Image:
    """Show both counts as large as they get, whose turn, debts and the clock."""
    sheet = Sheet(view, translate)
    image, bottom = sheet.image, sheet.bottom
    detail = sheet.detail
    if view.detail.msgid == "{side} owes {n}":
        detail = ""  # said beside the clock
    is_paused = view.phase is Phase.PAUSED
    width = WIDTH - (2 * _PAUSE_SIGN if is_paused else 0)
    free = bottom - is_paused - _rows((sheet.headline, detail), width)
    tall = min(_TALLEST_CARD, free - (TINY.height if _has_standing(view) else 0))
    if tall < _LOWEST_CARD:
        top = sheet.header(sheet.rows(WIDTH))
    else:
        _cards(sheet, tall, [_card(view, index) for index in (0, 1)])
        top = tall + _standing(sheet, tall, free - tall)
    box = (0, top, WIDTH, bottom)
    if is_paused:
        _paused_bar(sheet, box, detail)
        return image
    last = view.last.words if view.last and not detail else EMPTY
    place_two(image, box, sheet.headline, detail, words(last, translate))
    return image


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
    parts.frame(image, box, dashed=True)
    if view.proposal.doubtful:
        parts.fill(image, (left + 2, top + 2, left + 14, bottom - 2))
        parts.round_corners(image, (left + 2, top + 2, left + 14, bottom - 2))
        middle = (top + bottom) // 2
        write(image, left + 4, middle - 8, "?", PLAIN, DARK)
        left += 14
    follows = sheet.detail or words(view.proposal.follows, translate)
    place_two(
        image, (left + 3, top + 2, right - 3, bottom - 2),
        words(view.proposal.what, translate), follows, proposal=True,
    )  # fmt: skip
    return image


def _placing(view: BoardView, translate: Translate) -> Image.Image:
    """Show what must be put back as the stack that it will be."""
    sheet = Sheet(view, translate)
    image, bottom = sheet.image, sheet.bottom
    wide = 52
    top = sheet.header(sheet.rows(WIDTH - wide - 4))
    parts.stack(image, (0, top + 1, wide, bottom - 1), view.place)
    place_two(image, (wide + 4, top, WIDTH, bottom), sheet.headline, sheet.detail)
    return image


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
    return sheet.image


def _over_with_code(view: BoardView, translate: Translate, code: Image.Image) -> Image.Image:
    free = WIDTH - code.width - 2
    sheet = Sheet(view, translate, free)
    image = sheet.image
    image.paste(code, (WIDTH - code.width, (HEIGHT - code.height) // 2))
    for index, card in enumerate(_result_cards(view)):
        line = parts.small_card(card)
        image.paste(line, (0, 11 * index))
    place_two(image, (0, 22, free, sheet.bottom), sheet.headline, sheet.detail)
    return image


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
    return image


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


def _prompts(view: BoardView, translate: Translate) -> list[Prompt]:
    """Give what OK and FIX do, with a bar for the one that is held, or for another key.

    Where FIX goes through readings it says which of how many is shown.
    """
    fix = words(view.fix, translate)
    if fix and view.proposal in view.readings and len(view.readings) > 1:
        fix += f" {view.readings.index(view.proposal) + 1}/{len(view.readings)}"
    held = view.hold.button.key if view.hold else None
    progress = view.hold.progress if view.hold else None
    prompts = [
        Prompt(key.value.upper(), text, progress if held is key else None)
        for key, text in (
            (Key.OK, words(view.ok, translate)),
            (Key.FIX, fix),
        )
        if text or held is key
    ]
    if held not in {None, Key.OK, Key.FIX} and held is not None:
        prompts = [Prompt(held.value.upper(), words(parts.HOLD_ON, translate), progress)]
    return prompts


def _rows(texts: Sequence[str], width: int) -> int:
    """Give the rows of dots that texts take at least."""
    return TINY.height * sum(len(fit(text, width, ((TINY, 9),)).lines) for text in texts)


def _has_standing(view: BoardView) -> bool:
    """Say whether there is a clock, a debt or a side that has all its pucks in."""
    return bool(_clock(view)) or any(side.owed or side.all_in for side in view.sides)


def _cards(sheet: Sheet, tall: int, cards: Sequence[Card]) -> None:
    """Draw both big cards with the jack and the boards won between them."""
    image, view = sheet.image, sheet.view
    wide = 58
    parts.big_card(image, (0, 0, wide, tall - 1), cards[0])
    parts.big_card(image, (WIDTH - wide, 0, WIDTH, tall - 1), cards[1])
    parts.jack_mark(image, wide + 1, (tall - 11) // 2, _red_letter(view), view.red)
    if view.best_of > 1 and tall >= 32:
        needed = view.best_of // 2 + 1
        parts.pips(image, wide + 1, 0, view.sides[0].boards_won, needed)
        parts.pips(image, WIDTH - wide - 5, 0, view.sides[1].boards_won, needed)


def _standing(sheet: Sheet, top: int, room: int) -> int:
    """Draw debts and the clock in one row; give the row's height, 0 when there is nothing."""
    view, image = sheet.view, sheet.image
    clock = _clock(view)
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


def _card(view: BoardView, index: int) -> Card:
    side = view.sides[index]
    return Card(
        letter=side.letter,
        filled=index == 0,
        number=side.pocketed,
        owed=side.owed,
        lit=side.shoots,
        seat=view.shooter if side.shoots else None,
    )


def _result_cards(view: BoardView) -> list[Card]:
    points = view.result_points or (view.sides[0].points, view.sides[1].points)
    return [
        Card(side.letter, index == 0, points[index], lit=view.winner is side.side)
        for index, side in enumerate(view.sides)
    ]


def _red_letter(view: BoardView) -> str:
    return "Q" if view.rules in _QUEEN_SYSTEMS else "J"


def _clock(view: BoardView) -> str:
    """Give the time that remains, rounded up to a second as clocks that count down are."""
    if not view.clock.limit_ns:
        return ""
    seconds = -(-max(0, view.clock.remaining_ns) // 1_000_000_000)
    return f"{seconds // 60}:{seconds % 60:02}"


def _rules_title(view: BoardView) -> str:
    name = view.rules.value
    return name.upper() if view.rules in {RuleSystem.ICF, RuleSystem.KAGW} else name.capitalize()
