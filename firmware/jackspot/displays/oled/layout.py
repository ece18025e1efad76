"""Draws the board's view for the OLED: 128x64 dots, one picture for each phase.

Pure: a view and a translation in, a picture out. It may not know any device or clock.
:mod:`jackspot.displays.oled.parts` has the parts of pictures and what they mean.

::

    ready, paused, board over        everything else
    +-------+-+-------+  0           +---+-----------+---+  0   counts, clock
    | R  7  |J|  G  5 |              +---+-----------+---+ 10
    |       | |       |              |                   |      the proposal, the stack,
    +-------+-+-------+ 32           |                   |      the pockets, the list
    | owes 2  4:32    | 44           |                   |
    | RED N to shoot  | 56           |                   | 56
    | OK nothing FIX..| 64           | OK yes    FIX next| 64

Lists and questions are in :mod:`jackspot.displays.oled.lists`, help while nobody plays in
:mod:`jackspot.displays.oled.help`, free play in :mod:`jackspot.displays.oled.free_play`, the
last picture in :mod:`jackspot.displays.oled.farewell`, a calibration in
:mod:`jackspot.displays.oled.calibration`.

A fault's banner takes 17 rows above the prompts; what was there is drawn smaller, not left out.
Where it would displace words, it shrinks and says what is wrong, but not what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from PIL import Image, ImageDraw

from jackspot.core.phrases import EMPTY, Translate, _
from jackspot.core.pieces import Pocket
from jackspot.core.rules import facts_of
from jackspot.dialogue.state.view import BoardView, Phase, ReadingView, SideView
from jackspot.displays.oled import parts
from jackspot.displays.oled.calibration import draw_calibration
from jackspot.displays.oled.farewell import draw_farewell
from jackspot.displays.oled.free_play import draw_free
from jackspot.displays.oled.help import draw_help
from jackspot.displays.oled.lists import draw_list
from jackspot.displays.oled.parts import Card, words
from jackspot.displays.oled.pieces import spread, stack
from jackspot.displays.oled.record import code_now, draw_codes, place_code, write_which
from jackspot.displays.oled.sheet import (
    WIDTH,
    Sheet,
    card_of,
    centre_of,
    clock_text,
    red_letter,
    result_cards,
    rows_of,
)
from jackspot.displays.oled.standing import (
    draw_result,
    draw_standing,
    has_result,
    has_standing,
    result_words,
    with_by_hand,
)
from jackspot.displays.text import (
    DARK,
    LIT,
    PLAIN,
    SMALL,
    TINY,
    Block,
    Box,
    Choice,
    boxed,
    fit,
    holds_two,
    measure,
    place,
    place_led,
    place_two,
    write,
)
from jackspot.values import changed

_PAUSE_SIGN = 12
_NAMES: tuple[Choice, ...] = ((SMALL, 1), (TINY, 1), (TINY, 2))
_NAMES_LEFT = 16
_NAME_ROOM = 24
"""Dots in which a shortened board name can still be told from others."""
_TALLEST_CARD = 32
_PILES = (52, 24)
"""How wide what must be put back may be drawn, widest first."""
_LOW_CARD = 24
"""The card height of a result that needs a row for how the match stands."""
_LOWEST_CARD = 22
"""With less room than this the counts are in the header."""

Draw = Callable[[BoardView, Translate], Image.Image]
"""Draws a whole view."""


def draw(view: BoardView, translate: Translate) -> Image.Image:
    """Draw a view as 128x64 dots in mode ``1``."""
    instead = _instead_of_a_phase(view)
    if instead is not None:
        return instead(view, translate)
    if view.proposal is not None and view.phase is not Phase.FALLING:
        return _review(view, translate)
    return _PHASES[view.phase](view, translate)


def _instead_of_a_phase(view: BoardView) -> Draw | None:
    """Return the function that draws what covers any phase; None: nothing covers it."""
    over: tuple[tuple[bool, Draw], ...] = (
        (view.farewell, draw_farewell),
        (view.calibration is not None, draw_calibration),
        (view.menu is not None and bool(view.codes), draw_codes),
        (view.menu is not None, draw_list),
        (_is_looked_for(view), _which_board),
        (view.attract is not None, draw_help),
        (view.free is not None, draw_free),
    )
    return next((draws for lies, draws in over if lies), None)


def _is_looked_for(view: BoardView) -> bool:
    return view.hall is not None and view.hall.identified is not None and view.hall.alone


def _which_board(view: BoardView, translate: Translate) -> Image.Image:
    """Draw the board's number in its hall as large as possible, above what OK and FIX do."""
    assert view.hall is not None
    assert view.hall.identified is not None
    sheet = Sheet(changed(view, faults=(), notice=None), translate)
    half = parts.blank(WIDTH // 2, (sheet.bottom - 2) // 2)
    parts.big_number(half, (0, 0, *half.size), view.hall.identified)
    sheet.image.paste(half.resize((2 * half.width, 2 * half.height)))
    return sheet.done()


# --- the phases ------------------------------------------------------------------------


def _setup(view: BoardView, translate: Translate) -> Image.Image:
    """Draw who plays what, and how the match begins; the title gives way to long names."""
    sheet = Sheet(view, translate)
    image, bottom = sheet.image, sheet.bottom
    words_high = sheet.rows(WIDTH)
    named = [fit(_names(side), WIDTH - _NAMES_LEFT, _NAMES) for side in view.sides]
    if sum(map(_name_height, named)) + words_high > bottom:
        named = [fit(_names(side), WIDTH - _NAMES_LEFT, _NAMES[:2]) for side in view.sides]
    top = 13
    if top + sum(map(_name_height, named)) + words_high <= bottom:
        end = write(image, 2, -1, facts_of(view.rules).title, SMALL)
        length = _length(view, translate)
        left = WIDTH - 2 - measure(SMALL, length)
        write(image, left, -1, length, SMALL)
        end = _number(view, image, end + 4, left - 2)
        _board_name(view, image, end + 4, left - 4)
        parts.fill(image, (0, 11, WIDTH, 12))
    else:
        top = 0
    for index, block in enumerate(named):
        high = _name_height(block)
        card, middle = card_of(view, index, translate), top + (high - 10) // 2
        parts.puck(image, 1, middle, card.letter, filled=card.filled, small=True)
        place(image, (_NAMES_LEFT, top, WIDTH, top + high), block, align=0.0)
        top += high
    place_two(image, (0, top, WIDTH, bottom), sheet.headline, sheet.detail)
    return sheet.done()


def _number(view: BoardView, image: Image.Image, left: int, right: int) -> int:
    """Draw the board's number in its hall, if it has one and there is room; return its end."""
    number = "" if view.hall is None else str(view.hall.place.number or "")
    if not number or left + parts.tag_width(number) > right:
        return left
    parts.tag(image, left, 1, number)
    return left + parts.tag_width(number)


def _board_name(view: BoardView, image: Image.Image, left: int, right: int) -> None:
    """Draw the board's name, if somebody has given it one and there is room."""
    if view.name and right - left >= _NAME_ROOM:
        place(image, (left, 0, right, 10), fit(view.name, right - left, _NAMES[:2]))


def _length(view: BoardView, translate: Translate) -> str:
    """Return how long a match will be: its time, and what starts it, or its boards."""
    clock = clock_text(view)
    if not clock:
        return f"1/{view.best_of}" if view.best_of > 1 else ""
    gong = words(_("gong {time}", time=clock), translate) if view.clock.armed else clock
    has_room = measure(SMALL, facts_of(view.rules).title + gong) <= WIDTH - 10
    return gong if has_room else clock


def _ready(view: BoardView, translate: Translate) -> Image.Image:
    """Draw both counts as large as possible, whose turn it is, debts and the clock."""
    sheet = Sheet(view, translate)
    image, bottom = sheet.image, sheet.bottom
    detail = sheet.detail
    if view.detail.msgid == "{side} owes {n}":
        detail = ""  # it is beside the clock
    detail = with_by_hand(view, detail, translate)
    is_paused = view.phase is Phase.PAUSED
    width = WIDTH - (2 * _PAUSE_SIGN if is_paused else 0)
    rows = rows_of((sheet.headline, detail), width) + is_paused
    free = bottom - rows
    tall = min(_TALLEST_CARD, free - (TINY.height if has_standing(view) else 0))
    if tall < _LOWEST_CARD:
        top = sheet.header(rows)
    else:
        _cards(sheet, tall, [card_of(view, index, translate) for index in (0, 1)])
        top = tall + draw_standing(sheet, tall, free - tall)
    box = (0, top, WIDTH, bottom)
    if is_paused:
        _paused_bar(sheet, box, detail)
        return sheet.done()
    last = view.last.words if view.last and not detail else EMPTY
    place_two(image, box, sheet.headline, detail, words(last, translate))
    return sheet.done()


def _paused_bar(sheet: Sheet, box: Box, detail: str) -> None:
    """Draw that the clock is stopped: two bars, and the headline black on white."""
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
    """Draw the board's four corners: a pocket that something falls into is lit."""
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
        lit = pocket in view.lit
        cut = (max(left, x - radius), max(top, y - radius), min(right, x + radius + 1),
               min(bottom, y + radius + 1))  # fmt: skip
        x_cut, y_cut = x - radius, y - radius
        part = (cut[0] - x_cut, cut[1] - y_cut, cut[2] - x_cut, cut[3] - y_cut)
        image.paste(_pocket(radius, lit).crop(part), cut[:2])
        if pocket in view.by_hand and not lit:
            _cross(image, cut)
            continue
        at_x = x + 1 if x == left else x - 10
        at_y = y + 1 if y == top else y - 8
        if is_roomy:
            write(image, at_x, at_y, pocket.value, TINY, DARK if lit else LIT)
    middle = (left + radius + 3, top + 1, right - radius - 3, bottom - 1)
    place_two(image, middle, sheet.headline, sheet.detail, proposal=True)
    return image


@cache
def _pocket(radius: int, lit: bool) -> Image.Image:
    whole = parts.blank(2 * radius + 1, 2 * radius + 1)
    shape = (0, 0, 2 * radius, 2 * radius)
    ImageDraw.Draw(whole).ellipse(shape, fill=LIT if lit else DARK, outline=LIT)
    return whole


def _cross(image: Image.Image, box: Box) -> None:
    """Cross out a pocket whose beam is not to be trusted."""
    left, top, right, bottom = box
    middle_x, middle_y, arm = (left + right) // 2, (top + bottom) // 2, 3
    for x in (-arm, arm):
        line = (middle_x - x, middle_y - arm, middle_x + x, middle_y + arm)
        ImageDraw.Draw(image).line(line, fill=LIT)


def _review(view: BoardView, translate: Translate) -> Image.Image:
    """Draw the reading in a dashed frame, what would follow, and how many others there are."""
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
    follows, note = _follows_and_note(sheet, view.proposal)
    if note is not None:
        bottom -= TINY.height + 1
        _note(image, (left + 3, bottom - 1, right - 2, bottom + TINY.height - 1), note)
    lead, what = _lead(words(view.proposal.what, translate))
    place_led(image, (left + 3, top + 1, right - 3, bottom - 1), lead, what, follows)
    return sheet.done(inside)


def _follows_and_note(sheet: Sheet, shown: ReadingView) -> tuple[str, Block | None]:
    """Return what would follow, and what else there is to say, such as an objection.

    What does not fit on one line beside what follows replaces it.
    """
    follows = words(shown.follows, sheet.translate)
    if follows in sheet.detail or not follows:
        return sheet.detail, None
    note = fit(sheet.detail, WIDTH - 10, ((TINY, 1),))
    is_roomy = sheet.bottom - sheet.top >= rows_of((follows, sheet.headline), WIDTH - 20) + 14
    if not note.is_whole or not is_roomy:
        return sheet.detail, None
    return follows, note if sheet.detail else None


def _note(image: Image.Image, box: Box, note: Block) -> None:
    """Write a note black on white into a row."""
    parts.fill(image, box)
    parts.round_corners(image, box)
    place(image, box, note, DARK)


def _lead(what: str) -> tuple[str, str]:
    """Split ``N before: RED NE`` into what it is about and what happened."""
    lead, colon, rest = what.rpartition(": ")
    return lead + colon.strip(), rest


def _placing(view: BoardView, translate: Translate) -> Image.Image:
    """Draw what must be put back as it will lie; what comes off has no picture.

    The picture is narrower, or left out, where words would be cut beside it.
    """
    sheet = Sheet(view, translate)
    draw_pieces = spread if red_letter(view) == "Q" else stack
    for wide in _PILES if view.place else ():
        left, top = wide + 4, sheet.below_header(sheet.rows(WIDTH - wide - 4))
        if holds_two((left, top, WIDTH, sheet.bottom), sheet.headline, sheet.detail):
            draw_pieces(sheet.image, (0, top + 1, wide, sheet.bottom - 1), view.place, translate)
            break
    else:
        left = 0
    top = sheet.header(sheet.rows(WIDTH - left))
    place_two(sheet.image, (left, top, WIDTH, sheet.bottom), sheet.headline, sheet.detail)
    return sheet.done()


def _over(view: BoardView, translate: Translate) -> Image.Image:
    """Draw the result, with the winner's card lit, and a match's record as a code to photograph.

    A fault, a notice or words that would be cut beside it replace the code.
    """
    has_code = view.phase is Phase.MATCH_OVER and view.notice is None and not view.faults
    if has_code and (beside_code := _over_with_code(view, translate)):
        return beside_code
    sheet = Sheet(view, translate)
    free = sheet.bottom - sheet.rows(WIDTH)
    stands = has_result(view) and free >= _LOWEST_CARD + TINY.height
    tall = min(_LOW_CARD, free - TINY.height) if stands else min(_TALLEST_CARD, free)
    if tall < _LOWEST_CARD:
        tall = 10
        parts.header(sheet.image, result_cards(view, translate), "")
    else:
        _cards(sheet, tall, result_cards(view, translate))
        tall += draw_result(sheet, tall) if stands else 0
    place_two(sheet.image, (0, tall, WIDTH, sheet.bottom), sheet.headline, sheet.detail)
    return sheet.done()


def _over_with_code(view: BoardView, translate: Translate) -> Image.Image | None:
    """Draw the result beside the code; return None without one, or if words would not fit."""
    code = code_now(view)
    if code is None:
        return None
    free = WIDTH - code.width - 2
    sheet = Sheet(view, translate, free)
    box = (0, 24, free, sheet.bottom)
    if not holds_two(box, sheet.headline, sheet.detail):
        return None
    image = sheet.image
    place_code(image, code)
    for index, card in enumerate(result_cards(view, translate)):
        line = parts.small_card(card)
        image.paste(line, (0, 12 * index))
    write_which(image, view, free)
    said = ", ".join(words(each, translate) for each in result_words(view))
    place_two(image, box, sheet.headline, sheet.detail, said)
    return sheet.done()


_PHASES: dict[Phase, Draw] = {
    Phase.SETUP: _setup,
    Phase.READY: _ready,
    Phase.FALLING: _falling,
    Phase.REVIEW: _ready,
    Phase.PLACING: _placing,
    Phase.PAUSED: _ready,
    Phase.BOARD_OVER: _over,
    Phase.MATCH_OVER: _over,
}
"""A *review* without a proposal has nothing to ask, so it looks like *ready*."""


# --- what they share -------------------------------------------------------------------


def _cards(sheet: Sheet, tall: int, cards: Sequence[Card]) -> None:
    """Draw both big cards with the jack and the boards or games won between them."""
    image, view = sheet.image, sheet.view
    wide = 58
    parts.big_card(image, (0, 0, wide, tall - 1), cards[0])
    parts.big_card(image, (WIDTH - wide, 0, WIDTH, tall - 1), cards[1])
    parts.jack_mark(image, wide + 1, (tall - 11) // 2, centre_of(view))
    if view.best_of > 1 and tall >= 32:
        needed = view.best_of // 2 + 1
        won = [side.games_won if view.game else side.boards_won for side in view.sides]
        parts.pips(image, wide + 1, 0, won[0], needed)
        parts.pips(image, WIDTH - wide - 5, 0, won[1], needed)


def _names(side: SideView) -> str:
    """Return a side's seats with their players' names."""
    return " ".join(
        f"{boxed(seat.value)} {name}" if name else boxed(seat.value)
        for seat, name in zip(side.seats, side.names, strict=True)
    )


def _name_height(block: Block) -> int:
    """Return the height of a side's names; one line takes as much as its puck."""
    return block.height if len(block.lines) > 1 else 11
