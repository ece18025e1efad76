"""The parts of a board that do not move, painted once: frame, wood, lines, pockets.

All lengths come from the physics' boards; only how wide the frame is drawn, and what a board has
for the eye alone, is set here.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable

from PIL import Image, ImageDraw, ImageFilter

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot_sim.film.colours import (
    CARROM_WOOD,
    GOLD,
    HIKONE_WOOD,
    LINE,
    PALE,
    PAPER,
    SPOT,
    Colour,
    Wood,
    mixed,
)
from jackspot_sim.physics.boards import HIKONE_BOARD, PhysicalBoard, disc_of

ROUND_MM = 22.0
"""The frame's rounded corners."""
INLAY_MM = 7.0
"""From the field to the gold leaf round it."""
TICKS = 24
"""Points a side of the grid on which the wood's light is computed; it is smooth between them."""
ARROW_MM, ARROW_ARC_MM = 267.0, 63.5
"""The arrows of a carrom board."""

Point = tuple[float, float]


def wood_of(board: PhysicalBoard) -> Wood:
    """Return what a board is made of."""
    return HIKONE_WOOD if board is HIKONE_BOARD else CARROM_WOOD


class Pen:
    """Draws in millimetres from the board's middle, x to the east and y to the north."""

    def __init__(self, image: Image.Image, extent_mm: float) -> None:
        self.image = image
        self.scale = image.width / extent_mm
        self._half = image.width / 2
        self._draw = ImageDraw.Draw(image, "RGBA")

    def at(self, x_mm: float, y_mm: float) -> Point:
        """Return the pixel of a place."""
        return self._half + x_mm * self.scale, self._half - y_mm * self.scale

    def disc(
        self, x_mm: float, y_mm: float, radius_mm: float, fill: Colour, part: float = 1
    ) -> None:
        """Fill a circle; ``part`` is how much of the colour covers what is there."""
        self._draw.ellipse(self._box(x_mm, y_mm, radius_mm), (*fill, round(255 * part)))

    def ring(
        self, x_mm: float, y_mm: float, radius_mm: float, width_mm: float, colour: Colour,
        part: float = 0.78,
    ) -> None:  # fmt: skip
        """Draw a circle's outline."""
        wide = max(1, round(width_mm * self.scale))
        box = self._box(x_mm, y_mm, radius_mm + width_mm / 2)
        self._draw.ellipse(box, outline=(*colour, round(255 * part)), width=wide)

    def line(
        self, points: Iterable[Point], width_mm: float, colour: Colour, part: float = 0.78
    ) -> None:
        """Draw a line through places."""
        wide = max(1, round(width_mm * self.scale))
        pixels = [self.at(*each) for each in points]
        self._draw.line(pixels, (*colour, round(255 * part)), wide, joint="curve")

    def polygon(self, points: Iterable[Point], fill: Colour) -> None:
        """Fill a polygon."""
        self._draw.polygon([self.at(*each) for each in points], fill)

    def arrow(self, start: Point, angle_rad: float, reach_mm: float) -> None:
        """Draw where a striker is aimed: a pale dotted line."""
        east, north = math.cos(angle_rad), math.sin(angle_rad)
        for along in range(24, round(reach_mm), 9):
            self.disc(start[0] + east * along, start[1] + north * along, 1.9, (255, 252, 240), 0.9)

    def arc(
        self, x_mm: float, y_mm: float, radius_mm: float, start_deg: float, end_deg: float,
        width_mm: float,
    ) -> None:  # fmt: skip
        """Draw a part of a circle in the colour of lines, clockwise from the east."""
        wide = max(1, round(width_mm * self.scale))
        box = self._box(x_mm, y_mm, radius_mm)
        self._draw.arc(box, start_deg, end_deg, (*LINE, 200), wide)

    def _box(self, x_mm: float, y_mm: float, radius_mm: float) -> tuple[float, float, float, float]:
        x, y = self.at(x_mm, y_mm)
        radius = radius_mm * self.scale
        return x - radius, y - radius, x + radius, y + radius


def extent_of(board: PhysicalBoard) -> float:
    """Return how wide a board is with its frame, in mm."""
    return board.field_mm + 2 * wood_of(board).frame_mm


def paint_ground(board: PhysicalBoard, size: int) -> Image.Image:
    """Paint a board without pieces, ``size`` pixels square."""
    ground = Image.new("RGB", (size, size), PAPER)
    pen = Pen(ground, extent_of(board))
    _frame(pen, board)
    _field(pen, board)
    if board is HIKONE_BOARD:
        _area_lines(pen, board)
    else:
        _base_lines(pen, board)
    for pocket in Pocket:
        _pocket(pen, board, *board.pocket_at(pocket))
    return _rounded(ground, ROUND_MM * pen.scale)


def _rounded(ground: Image.Image, radius: float) -> Image.Image:
    mask = Image.new("L", ground.size, 0)
    box = (0, 0, ground.width - 1, ground.height - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, radius, 255)
    return Image.composite(ground, Image.new("RGB", ground.size, PAPER), mask)


_SIDES: tuple[tuple[Seat, Point], ...] = (
    (Seat.N, (0, 1)), (Seat.E, (1, 0)), (Seat.S, (0, -1)), (Seat.W, (-1, 0)),
)  # fmt: skip


def _turned(side: Point, along_mm: float, out_mm: float) -> Point:
    """Turn a place on the north side to where it is on another side."""
    east, north = side
    return along_mm * north + out_mm * east, out_mm * north - along_mm * east


def _frame(pen: Pen, board: PhysicalBoard) -> None:
    """Paint four mitred sides, with light along their outer edge and shade along the inner one."""
    wood, half = wood_of(board), board.half_mm
    steps = 16
    for seat, side in _SIDES:
        for step in range(steps):
            part = step / (steps - 1)
            outer = half + wood.frame_mm * (1 - step / steps)
            light, shade = max(0.22 - part * 1.1, 0.03), max(part - 0.55, 0.0) * 0.8
            body = mixed(wood.frame[seat], (255, 220, 180), light)
            mitred = ((-outer, outer), (outer, outer), (half, half), (-half, half))
            pen.polygon([_turned(side, *each) for each in mitred], mixed(body, (0, 0, 0), shade))
    reach = half + INLAY_MM
    corners = [(-reach, reach), (reach, reach), (reach, -reach), (-reach, -reach), (-reach, reach)]
    pen.line(corners, 1.5, GOLD, 0.95)


def _field(pen: Pen, board: PhysicalBoard) -> None:
    half = board.half_mm
    (left, top), (right, bottom) = (map(round, pen.at(x, -x)) for x in (-half, half))
    size = (right - left, bottom - top)
    light = Image.new("RGB", (TICKS, TICKS))
    first, middle, last = wood_of(board).field
    for place in range(TICKS * TICKS):
        row, column = divmod(place, TICKS)
        x, y = column / (TICKS - 1), row / (TICKS - 1)
        along = x + y
        body = mixed(first, middle, along) if along < 1 else mixed(middle, last, along - 1)
        far = min(math.hypot(x - 0.28, y - 0.22), 1.1)
        lit = mixed(body, (255, 247, 222), max(0.3 - far * 0.6, 0.0))
        light.putpixel((column, row), mixed(lit, (80, 42, 10), max(far - 0.5, 0.0) * 0.3))
    pen.image.paste(light.resize(size, Image.Resampling.BICUBIC), (left, top))
    _grain(pen, board)
    shade = Image.new("L", pen.image.size, 0)
    edge = round(7 * pen.scale)
    ImageDraw.Draw(shade).rectangle((left, top, right, top + edge), 190)
    ImageDraw.Draw(shade).rectangle((left, top, left + edge // 2, bottom), 150)
    soft = shade.filter(ImageFilter.GaussianBlur(5 * pen.scale))
    box = (left, top, right, bottom)
    pen.image.paste(Image.new("RGB", size, (48, 22, 6)), box, soft.crop(box))


def _grain(pen: Pen, board: PhysicalBoard) -> None:
    """Paint planks with their grain: long wavering lines, the same each time."""
    chance, half = random.Random(20200625), board.half_mm
    planks = wood_of(board).planks
    width = 2 * half / planks
    for plank in range(planks):
        foot = -half + plank * width
        heart, phase = foot + width * chance.uniform(0.2, 0.8), chance.uniform(0, 6)
        for line in range(round(70 / planks)):
            y = foot + width * chance.random()
            bend = (y - heart) * chance.uniform(0.06, 0.1)
            points = [
                (x, min(max(y + math.sin(x / 90 + phase) * bend + math.sin(x / 23 + line) * 0.5,
                            foot), foot + width))
                for x in range(round(-half), round(half) + 1, 20)
            ]  # fmt: skip
            pen.line(points, chance.uniform(0.5, 1.4), (132, 82, 32), chance.uniform(0.05, 0.15))
        if plank:
            pen.line([(-half, foot), (half, foot)], 0.6, (78, 44, 14), 0.3)


def _area_lines(pen: Pen, board: PhysicalBoard) -> None:
    jack, striker = (disc_of(board, piece).radius_mm for piece in (Piece.JACK, Piece.STRIKER))
    at, reach = board.line_from_middle_mm, board.line_reach_mm
    pen.ring(0, 0, board.circle_mm / 2, 1.3, LINE)
    pen.ring(0, 0, board.circle_mm / 2 - 4, 0.7, LINE)
    for _seat, side in _SIDES:
        pen.line([_turned(side, -reach, at), _turned(side, -striker, at)], 1.3, LINE)
        pen.line([_turned(side, striker, at), _turned(side, reach, at)], 1.3, LINE)
        pen.ring(*_turned(side, 0, at), striker, 1.3, LINE)
        for x, radius in ((0, 2.2), (-reach, 3.2), (reach, 3.2)):
            pen.disc(*_turned(side, x, at), radius, LINE)
    pen.disc(0, 0, jack, SPOT, 0.82)
    pen.ring(0, 0, jack - 4, 1.1, PALE, 0.85)


def _base_lines(pen: Pen, board: PhysicalBoard) -> None:
    """Paint the lines of a carrom board: circle, double base lines with their discs, arrows."""
    circle = board.line_width_mm / 2
    pen.ring(0, 0, board.circle_mm / 2, 1.3, LINE)
    pen.ring(0, 0, board.circle_mm / 2 - 4, 0.7, LINE)
    pen.disc(0, 0, circle, SPOT, 0.82)
    reach, at = board.end_circle_mm, board.line_from_middle_mm
    for _seat, side in _SIDES:
        for y, width in ((at + circle, 2.6), (at - circle, 1.1)):
            pen.line([_turned(side, -reach, y), _turned(side, reach, y)], width, LINE)
        for x in (-reach, reach):
            pen.disc(*_turned(side, x, at), circle, (246, 227, 187))
            pen.disc(*_turned(side, x, at), circle - 3.2, SPOT, 0.82)
            pen.ring(*_turned(side, x, at), circle, 1.3, LINE)
    for pocket in Pocket:
        _arrow(pen, board, *board.pocket_at(pocket))


def _arrow(pen: Pen, board: PhysicalBoard, x_mm: float, y_mm: float) -> None:
    """Paint an arrow along a diagonal that points at its pocket, with an arc round its end."""
    east, north = math.copysign(1, x_mm), math.copysign(1, y_mm)
    tip = (board.half_mm - 50) * math.sqrt(2)

    def on(along: float, aside: float = 0.0) -> Point:
        part = math.sqrt(0.5)
        return (along * part - aside * part) * east, (along * part + aside * part) * north

    pen.line([on(tip - ARROW_MM), on(tip - 4)], 1.3, LINE)
    pen.line([on(tip - 16, -5), on(tip - 4), on(tip - 16, 5)], 1.3, LINE)
    middle = math.degrees(math.atan2(-north, east))
    arc = on(tip - ARROW_MM - 6)
    pen.arc(*arc, ARROW_ARC_MM / 2, middle + 56, middle + 304, 1.3)


def _pocket(pen: Pen, board: PhysicalBoard, x_mm: float, y_mm: float) -> None:
    radius = board.pocket_radius_mm
    pen.disc(x_mm, y_mm, radius + 2.6, (92, 54, 22), 0.88)
    pen.disc(x_mm + 0.6, y_mm - 0.8, radius + 1.4, (233, 200, 141))
    pen.disc(x_mm - 0.4, y_mm + 0.5, radius + 0.9, (58, 31, 13))
    pen.disc(x_mm, y_mm, radius, (9, 5, 3))
    pen.disc(x_mm + 2, y_mm - 3, radius * 0.72, (20, 12, 7))
