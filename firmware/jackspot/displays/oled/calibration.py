"""A calibration on the OLED: what to drop where, how many drops there are, and their spread.

Each counted drop is a dot over its width, from 4 to 64 ms on a logarithmic scale. The last one
has a line of its own, dashed if it was not counted. A flick is shown as a bar for each disc,
hollow if it was not counted. Pure.
"""

from __future__ import annotations

import math

from PIL import Image

from jackspot.core.phrases import Translate
from jackspot.core.pieces import Seat
from jackspot.dialogue.state.view import BoardView, CalibrationView
from jackspot.displays.oled import parts
from jackspot.displays.oled.sheet import WIDTH, Sheet
from jackspot.displays.text import (
    PLAIN,
    SMALL,
    TINY,
    Box,
    Choice,
    boxed,
    fit,
    measure,
    place,
    place_two,
    write,
)

_ASKED: tuple[Choice, ...] = ((PLAIN, 1), (SMALL, 1), (TINY, 1), (TINY, 2))
_TOLD: tuple[Choice, ...] = ((SMALL, 1), (TINY, 1), (TINY, 2))
_SHORTEST_MS, _LONGEST_MS = 4.0, 64.0
_MARKS_MS = (4, 8, 16, 32, 64)
_HEAD = 16
_LEAST_PLOT = 16
_LABEL = 9


def draw_calibration(view: BoardView, translate: Translate) -> Image.Image:
    """Draw a running calibration."""
    assert view.calibration is not None
    sheet = Sheet(view, translate)
    numbers = view.calibration
    if not numbers.of:
        _progress(sheet.image, (0, sheet.bottom - 5, WIDTH, sheet.bottom - 1), numbers.progress)
        place_two(sheet.image, (0, 0, WIDTH, sheet.bottom - 6), sheet.headline, sheet.detail)
        return sheet.done()
    count = f"{numbers.count}/{numbers.of}"
    wide = measure(PLAIN, count)
    box = (WIDTH - wide - 4, 0, WIDTH, _HEAD)
    parts.fill(sheet.image, box)
    parts.round_corners(sheet.image, box)
    write(sheet.image, WIDTH - wide - 2, 0, count, PLAIN, 0)
    place(sheet.image, (0, 0, box[0] - 2, _HEAD), fit(sheet.headline, box[0] - 2, _ASKED), align=0)
    told = fit(sheet.detail, WIDTH, _TOLD)
    top = sheet.bottom - told.height
    if numbers.side is not None:
        _felt(sheet.image, (0, _HEAD + 2, WIDTH, top), numbers)
    elif top - _HEAD >= _LEAST_PLOT:
        _plot(sheet.image, (0, _HEAD + 2, WIDTH, top), numbers)
    place(sheet.image, (0, top, WIDTH, sheet.bottom), told)
    return sheet.done()


def _progress(image: Image.Image, box: Box, progress: float) -> None:
    left, top, right, bottom = box
    parts.frame(image, box)
    filled = left + 2 + round((right - left - 4) * max(0.0, min(1.0, progress)))
    if filled > left + 2:
        parts.fill(image, (left + 2, top + 1, filled, bottom - 1))


def _plot(image: Image.Image, box: Box, numbers: CalibrationView) -> None:
    left, top, right, bottom = box
    line = bottom - 2
    parts.fill(image, (left, line, right, line + 1))
    for mark in _MARKS_MS:
        x = _x(mark * 1_000_000, left, right)
        parts.fill(image, (x, line - 1, x + 1, line + 2))
    heights: dict[int, int] = {}
    for width_ns in numbers.widths_ns:
        x = _x(width_ns, left, right) // 2 * 2
        high = heights[x] = heights.get(x, 0) + 1
        y = line - 1 - 3 * high
        if y >= top:
            parts.fill(image, (x, y, x + 2, y + 2))
    if numbers.last_ns is not None:
        x = _x(numbers.last_ns, left, right)
        for y in range(top, line, 4 if numbers.refused else 1):
            parts.fill(image, (x, y, x + 1, min(line, y + 2)))


def _felt(image: Image.Image, box: Box, numbers: CalibrationView) -> None:
    """Draw what each disc felt, relative to the one that felt it most."""
    left, top, right, bottom = box
    wide, most = (right - left) // len(Seat), max(numbers.felt, default=1) or 1
    for column, side in enumerate(Seat):
        x = left + column * wide
        write(image, x + 1, bottom - _LABEL, boxed(side.value), TINY)
        if numbers.felt and bottom - top > 1:
            high = max(1, round((bottom - top - 1) * numbers.felt[column] / most))
            bar = (x + 12, bottom - 1 - high, x + wide - 4, bottom - 1)
            (parts.frame if numbers.refused else parts.fill)(image, bar)


def _x(width_ns: int, left: int, right: int) -> int:
    """Return the position of a width; widths beyond the ends are at the end."""
    share = math.log(max(1, width_ns) / 1e6 / _SHORTEST_MS) / math.log(_LONGEST_MS / _SHORTEST_MS)
    return left + round((right - left - 2) * max(0.0, min(1.0, share)))
