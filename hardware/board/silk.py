"""What is printed on a board: outlines, marks of pad 1, designators, names of sockets and cores.

Nothing is printed on a pad, in a hole or off the edge, and no text on another: each text takes the
first free place around its part. What a core of a cable is called stands right beside its hole, on
both sides of the board, because it may be soldered from either.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from msgspec import Struct

from hardware.board.design import BoardPart, Design, Place
from hardware.board.route import Land
from hardware.board.shapes import Box, Pad, body_of, outline_of, pads_of

_STEP_MM, _GAP_MM, LINE_MM = 0.1, 0.2, 0.15
_FAR_MM, _CLOSE_MM = 4.0, 0.3
_CORES = (1.2, 1.0, 0.8)
"""How high the letters at the holes for cores may be, the best first; all of a side are alike."""
_OUTLINED = {"buzzer", "lens", "photodiode"}
"""What has only two pads, and still an outline and a mark at pad 1."""
_ONE_SIDED = {"surge", "schottky", "amber"}


class Text(Struct, frozen=True):
    """A text around its middle, turned by 0 or 90 degrees; its letters are ``size`` mm high."""

    said: str
    x: float
    y: float
    turn: int
    size: float


Line = tuple[float, float, float, float]
"""From x and y to x and y."""


def turned(x: float, y: float, turn: int) -> tuple[float, float]:
    """Return where a place lies once its part is turned by so many degrees, counter-clockwise."""
    c, s = round(math.cos(math.radians(turn))), round(math.sin(math.radians(turn)))
    return x * c + y * s, -x * s + y * c


def placed(box: Box, place: Place) -> Box:
    """Return a part's box as it lies on the board."""
    x, y, turn = place
    (a, b), (c, d) = turned(box[0], box[1], turn), turned(box[2], box[3], turn)
    return x + min(a, c), y + min(b, d), x + max(a, c), y + max(b, d)


class _Side:
    """One side of a board, with what is taken there."""

    def __init__(self, taken: np.ndarray) -> None:
        self._taken = taken

    @classmethod
    def of(cls, design: Design, lands: Iterable[Land]) -> _Side:
        """Return a side of a board with these pads."""
        cells = [round(mm / _STEP_MM) for mm in (design.high_mm, design.wide_mm)]
        side = cls(np.zeros(cells, bool))
        for land in lands:
            wide, high = land.half_wide + _GAP_MM, land.half_high + _GAP_MM
            side.take((land.x - wide, land.y - high, land.x + wide, land.y + high))
        return side

    def _area(self, box: Box) -> np.ndarray | None:
        """Return the cells below a box, or None where it is not all on the board."""
        left, top, right, bottom = (round(each / _STEP_MM) for each in box)
        rows, columns = self._taken.shape
        if left < 2 or top < 2 or right > columns - 2 or bottom > rows - 2:
            return None
        cells: np.ndarray = self._taken[top : bottom + 1, left : right + 1]
        return cells

    def take(self, box: Box) -> None:
        """Let nothing else be printed in a box."""
        left, top, right, bottom = (max(round(each / _STEP_MM), 0) for each in box)
        self._taken[top : bottom + 1, left : right + 1] = True

    def is_free(self, box: Box) -> bool:
        """Return whether a box is on the board and nothing is in it."""
        cells = self._area(box)
        return cells is not None and not cells.any()

    def text(self, said: str, around: Box, sizes: Iterable[float], far: float = _FAR_MM) -> Text:
        """Return a text at the free place that is nearest to a box; ValueError: there is none.

        A place where it is not level counts as a little farther away.
        """
        middle_x, middle_y = (around[0] + around[2]) / 2, (around[1] + around[3]) / 2
        for size in sizes:
            long, high = size * (0.92 * len(said) + 0.2), size * 1.25
            found = [
                (math.hypot(x - middle_x, y - middle_y) + not_level, x, y, turn, wide, tall)
                for turn, not_level, wide, tall in ((0, 0.0, long, high), (90, 0.3, high, long))
                for x, y in _around(around, wide / 2, tall / 2, far)
            ]
            for _, x, y, turn, wide, tall in sorted(found):
                box = (x - wide / 2, y - tall / 2, x + wide / 2, y + tall / 2)
                if self.is_free(box):
                    self.take(box)
                    return Text(said, round(x, 2), round(y, 2), turn, size)
        raise ValueError(f"no room on the board for the text {said}, near {around}")

    def at_holes(self, rows: Sequence[Sequence[tuple[str, Box]]]) -> list[Text]:
        """Return the texts of rows of holes, each straight beside its own, a row all on one side.

        All are as high as those with the least room. ValueError: there is none.
        """
        for size in _CORES:
            there = _Side(self._taken.copy())
            texts = [text for row in rows for text in there._row(row, size)]
            if len(texts) == sum(map(len, rows)):
                self._taken = there._taken
                return texts
        raise ValueError(f"no room beside their holes for {rows}")

    def _row(self, row: Sequence[tuple[str, Box]], size: float) -> list[Text]:
        for x_way, y_way in ((0, -1), (0, 1), (-1, 0), (1, 0)):
            texts, boxes = [], []
            for said, (left, top, right, bottom) in row:
                wide, high = size * (0.92 * len(said) + 0.2) / 2, size * 1.25 / 2
                x = (left + right) / 2 + x_way * ((right - left) / 2 + wide + _CLOSE_MM)
                y = (top + bottom) / 2 + y_way * ((bottom - top) / 2 + high + _CLOSE_MM)
                texts.append(Text(said, round(x, 2), round(y, 2), 0, size))
                boxes.append((x - wide, y - high, x + wide, y + high))
            apart = all(a[2] < b[0] or a[3] < b[1] for a, b in pairwise(boxes))
            if apart and all(map(self.is_free, boxes)):
                lefts, tops, rights, bottoms = zip(*boxes, strict=True)
                self.take((min(lefts), min(tops), max(rights), max(bottoms)))
                return texts
        return []


class Silk:
    """What is printed; ``names`` are the designators' texts, ``texts`` all others above.

    ``below`` are the texts of the lower side.
    """

    def __init__(self, design: Design, lands: Iterable[Land]) -> None:
        self.lines: list[Line] = []
        self.dots: list[tuple[float, float]] = []
        self.names: dict[str, Text] = {}
        there, parts, lands = design.places, design.parts, tuple(lands)
        self._above = _Side.of(design, (land for land in lands if 0 in land.layers))
        lower = _Side.of(design, (land for land in lands if 1 in land.layers))
        cores = [
            [(names[pad.name], placed(_pad_box(pad), there[part.ref]))
             for pad in pads_of(part.part)]
            for part in parts if (names := design.cores(part))
        ]  # fmt: skip
        self.texts = self._above.at_holes(cores)
        self.below = lower.at_holes(cores)
        drawn = [part for part in parts if len(pads_of(part.part)) > 2 or part.part in _OUTLINED]
        for part in drawn:
            self._draw(placed(body_of(part.part), there[part.ref]))
        for part in drawn:
            self._dot(part, there[part.ref])
        for part in parts:
            if part.part in _ONE_SIDED:
                self._bar(part, there[part.ref])
        for part in parts:
            said, sizes = design.purpose(part)
            if said:
                box = placed(outline_of(part.part), there[part.ref])
                self.texts.append(self._above.text(said, box, sizes))
        said, sizes = design.title
        self.texts.append(self._above.text(said, design.title_at, sizes, 40.0))
        for part in sorted(parts, key=lambda part: len(pads_of(part.part))):
            box = placed(outline_of(part.part), there[part.ref])
            small = len(pads_of(part.part)) == 2
            sizes = (0.8,) if small else (1.0, 0.8)
            self.names[part.ref] = self._above.text(part.ref, box, sizes)

    def _draw(self, box: Box) -> None:
        """Draw a part's outline, but where it would lie on a pad or off the edge."""
        left, top, right, bottom = box
        for line in ((left, top, right, top), (left, bottom, right, bottom),
                     (left, top, left, bottom), (right, top, right, bottom)):  # fmt: skip
            self._draw_line(line)

    def _draw_line(self, line: Line) -> None:
        x, y, x2, y2 = line
        count = round(max(abs(x2 - x), abs(y2 - y)) / _STEP_MM)
        spots = [(x + (x2 - x) * i / count, y + (y2 - y) * i / count) for i in range(count + 1)]
        free = [self._above.is_free((a, b, a, b)) for a, b in spots]
        start, before = None, len(self.lines)
        for i, yes in enumerate([*free, False]):
            if yes and start is None:
                start = i
            elif not yes and start is not None:
                if i - start > 3:
                    self.lines.append((*spots[start], *spots[i - 1]))
                start = None
        for a, b, c, d in self.lines[before:]:
            self._above.take((min(a, c) - _GAP_MM, min(b, d) - _GAP_MM,
                        max(a, c) + _GAP_MM, max(b, d) + _GAP_MM))  # fmt: skip

    def _dot(self, part: BoardPart, place: Place) -> None:
        """Mark pad 1 with a dot beside it."""
        box = placed(_pad_box(pads_of(part.part)[0]), place)
        for x, y in _around(box, 0.5, 0.5, 1.0):
            if self._above.is_free((x - 0.3, y - 0.3, x + 0.3, y + 0.3)):
                self.dots.append((x, y))
                self._above.take((x - 0.4, y - 0.4, x + 0.4, y + 0.4))
                return

    def _bar(self, part: BoardPart, place: Place) -> None:
        """Mark a diode's cathode with a bar beyond its pad 1."""
        pad = pads_of(part.part)[0]
        beyond = pad.x - pad.wide / 2 - 0.4
        x, y, turn = place
        (a, b), (c, d) = (turned(beyond, side * pad.high / 2, turn) for side in (-1, 1))
        self._draw_line((x + a, y + b, x + c, y + d))


def _around(box: Box, wide: float, high: float, far: float) -> Iterator[tuple[float, float]]:
    """Yield middles for a thing of these half sizes beside a box, within some distance of it."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    for ring in range(int(far / 0.2) + 1):
        across, down = x - box[0] + wide + 0.2 * ring, y - box[1] + high + 0.2 * ring
        for i in range(-int(across / 0.2), int(across / 0.2) + 1):
            yield x + 0.2 * i, y - down
            yield x + 0.2 * i, y + down
        for i in range(-int(down / 0.2), int(down / 0.2) + 1):
            yield x - across, y + 0.2 * i
            yield x + across, y + 0.2 * i


def _pad_box(pad: Pad) -> Box:
    return (pad.x - pad.wide / 2, pad.y - pad.high / 2, pad.x + pad.wide / 2, pad.y + pad.high / 2)
