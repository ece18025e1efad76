"""Choices on the OLED: a list with its chosen line, and a question.

A list shows as many lines as there is room for, and how far down they are: with a bar at the
right, and in a long list the chosen line's number in the title. A question is alone in a solid
frame beside a large question mark. Pure.
"""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image, ImageDraw

from jackspot.core.phrases import EMPTY, Translate
from jackspot.dialogue.state.view import BoardView, MenuView
from jackspot.displays.oled import parts
from jackspot.displays.oled.parts import words
from jackspot.displays.oled.sheet import WIDTH, Sheet
from jackspot.displays.text import (
    DARK,
    LIT,
    PLAIN,
    SMALL,
    TINY,
    Block,
    Choice,
    fit,
    measure,
    place,
    place_two,
    write,
    write_centred,
)

_TITLE: tuple[Choice, ...] = ((SMALL, 1), (TINY, 1), (TINY, 2))
_CHOSEN: tuple[Choice, ...] = ((PLAIN, 1), *_TITLE)
"""The chosen line is the largest: dark strokes of one dot would vanish in the light around them."""
_SHORTEST_BAR = 4
_ROW = 11


def draw_list(view: BoardView, translate: Translate) -> Image.Image:
    """Draw the list or the question that is open."""
    assert view.menu is not None
    if view.menu.question:
        return _question(view, view.menu, translate)
    return _list(view, view.menu, translate)


def _list(view: BoardView, menu: MenuView, translate: Translate) -> Image.Image:
    """Draw a list with the chosen line black on white and its neighbours around it."""
    sheet = Sheet(view, translate)
    image, bottom = sheet.image, sheet.bottom
    end = WIDTH - 4

    def row(index: int) -> Block:
        choices = _CHOSEN if index == menu.chosen else _TITLE
        return fit(words(menu.items[index], translate), end - 4, choices)

    title = words(menu.title if menu.note == EMPTY else menu.note, translate)
    count = len(menu.items)
    head = fit(title, WIDTH - 2, _TITLE)
    first, last = _window(row, count, menu.chosen, bottom - _first_row(head))
    if last - first < count:
        head = _numbered(image, title, f"{menu.chosen + 1}/{count}") or head
        first, last = _window(row, count, menu.chosen, bottom - _first_row(head))
    top = _first_row(head)
    place(image, (2, 0, WIDTH, top - 1), head, align=0.0)
    parts.fill(image, (0, top - 1, WIDTH, top))
    _bar(image, (top, bottom - 2), first, last, count)
    for index in range(first, last):
        block = row(index)
        box = (0, top, end, top + _row_height(block))
        is_chosen = index == menu.chosen
        if is_chosen:
            parts.fill(image, box)
        line = max(box[3] - top, block.height)  # what is below the base line may stick out
        place(image, (3, top, end, top + line), block, DARK if is_chosen else LIT, align=0.0)
        top = box[3]
    return sheet.done()


def _first_row(head: Block) -> int:
    """Return where a list begins below its title and the line under it."""
    return max(_ROW, head.height if head.face is TINY else 0) + 1


def _numbered(image: Image.Image, title: str, at: str) -> Block | None:
    """Write the position in the list at the right; return the title beside it, None: no room."""
    head = fit(title, WIDTH - 6 - measure(TINY, at), _TITLE)
    if not head.is_whole:
        return None
    write(image, WIDTH - measure(TINY, at), (_first_row(head) - TINY.height) // 2, at, TINY)
    return head


def _bar(image: Image.Image, rows: tuple[int, int], first: int, last: int, count: int) -> None:
    """Draw at the right which part of the list is shown."""
    top, bottom = rows
    room = bottom - top
    high = max(_SHORTEST_BAR, room * (last - first) // count)
    start = top + (room - high) * first // max(1, count - (last - first))
    parts.fill(image, (WIDTH - 2, start, WIDTH, start + high))


def _row_height(row: Block) -> int:
    """Return the height of a list's row: one dot of the middle face stays empty anyway."""
    return _ROW if row.face is SMALL else max(_ROW, row.height)


def _window(row: Callable[[int], Block], count: int, chosen: int, room: int) -> tuple[int, int]:
    """Return the first row to show and the one after the last, around the chosen one.

    Only rows that may be visible are measured: a history has hundreds.
    """
    first, last = chosen, chosen + 1
    used = _row_height(row(chosen))
    while True:
        below = last < count and used + _row_height(row(last)) <= room
        above = first > 0 and used + _row_height(row(first - 1)) <= room
        if above and (not below or chosen - first < last - 1 - chosen):
            first -= 1
            used += _row_height(row(first))
        elif below:
            used += _row_height(row(last))
            last += 1
        else:
            return first, last


def _question(view: BoardView, menu: MenuView, translate: Translate) -> Image.Image:
    """Draw a question as large as possible, beside a question mark."""
    sheet = Sheet(view, translate)
    image = sheet.image
    main = words(menu.title, translate)
    answer = words(menu.items[menu.chosen], translate) if menu.items else ""
    waits = {words(queued.what, translate) for queued in view.queue[:1]}
    second = "" if answer in {sheet.ok, main, *waits} else answer
    box = (0, sheet.header(_rows_of_question(main, second)), WIDTH, sheet.bottom - 1)
    left, top, right, bottom = box
    mark = min(22, bottom - top - 6)
    parts.frame(image, box)
    parts.round_corners(image, box)
    _question_mark(image, left + 4, (top + bottom - mark) // 2, mark)
    inside = (left + mark + 7, top + 1, right - 3, bottom - 1)
    place_two(image, inside, main, second, proposal=True)
    return sheet.done((left + 1, top + 1, right - 1, bottom - 1))


def _rows_of_question(main: str, second: str) -> int:
    """Return the fewest rows of dots that a question takes."""
    lines = sum(len(fit(text, WIDTH - 40, ((TINY, 9),)).lines) for text in (main, second))
    return 6 + TINY.height * lines


def _question_mark(image: Image.Image, left: int, top: int, size: int) -> None:
    """Draw a disc with a question mark cut out of it."""
    disc = parts.blank(size, size)
    ImageDraw.Draw(disc).ellipse((0, 0, size - 1, size - 1), fill=LIT)
    face = PLAIN if size >= 18 else TINY
    write_centred(disc, (0, 0, size, size), "?", face, DARK)
    image.paste(disc, (left, top))
