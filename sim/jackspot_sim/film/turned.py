"""The pieces, turned and lacquered, each painted once in the size it has in a picture."""

from __future__ import annotations

import math
from functools import cache

from PIL import Image, ImageDraw, ImageFilter

from jackspot.core.pieces import Piece
from jackspot_sim.film.colours import GOLD, INLAY, IVORY, TURNED, Colour, mixed

FINER = 4
"""A sprite is painted this many times larger, for smooth edges."""
SHADES = 28
"""How many rings lead from a piece's light side to its dark side."""


@cache
def sprite(piece: Piece, diameter: int) -> Image.Image:
    """Paint a piece of this many pixels, on a transparent ground."""
    size = diameter * FINER
    image = Image.new("RGBA", (size, size), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    light, body, dark = TURNED[piece]
    for step in range(SHADES):
        part = 1 - step / SHADES
        shade = (
            mixed(body, dark, (part - 0.55) / 0.45)
            if part > 0.55
            else mixed(light, body, part / 0.55)
        )
        _disc(draw, size, part, shade, aside=1 - part)
    _marks(draw, size, piece)
    gloss = Image.new("L", (size, size), 0)
    ImageDraw.Draw(gloss).ellipse((size * 0.15, size * 0.06, size * 0.74, size * 0.44), 92)
    soft = gloss.filter(ImageFilter.GaussianBlur(size * 0.05))
    white = Image.new("RGBA", (size, size), (255, 255, 255, 0))
    white.putalpha(soft)
    image.alpha_composite(white)
    mask = Image.new("L", (size, size), 0)
    ImageDraw.Draw(mask).ellipse((0, 0, size - 1, size - 1), 255)
    image.putalpha(mask)
    return image.resize((diameter, diameter), Image.Resampling.BOX)


@cache
def shadow(diameter: int) -> Image.Image:
    """Paint the soft shadow of a piece, a third wider than it, as a mask."""
    size = round(diameter * 1.4)
    mask = Image.new("L", (size, size), 0)
    edge = (size - diameter) / 2
    ImageDraw.Draw(mask).ellipse((edge, edge, size - edge, size - edge), 120)
    return mask.filter(ImageFilter.GaussianBlur(diameter * 0.08))


def _marks(draw: ImageDraw.ImageDraw, size: int, piece: Piece) -> None:
    """Paint the grooves and rings by which kinds differ in shape as well as in colour."""
    pale = piece in (Piece.STRIKER, Piece.WHITE)
    groove = (120, 96, 60) if pale else mixed(TURNED[piece][1], (0, 0, 0), 0.4)
    _ring(draw, size, 0.8, 0.05, groove)
    match piece:
        case Piece.GREEN:
            _disc(draw, size, 0.52, INLAY)
            _ring(draw, size, 0.52, 0.06, (10, 50, 28))
        case Piece.RED:
            _ring(draw, size, 0.42, 0.06, (110, 16, 6))
        case Piece.WHITE:
            _ring(draw, size, 0.62, 0.05, groove)
            _ring(draw, size, 0.34, 0.05, groove)
        case Piece.BLACK:
            _ring(draw, size, 0.55, 0.05, (84, 77, 70))
        case Piece.BROWN:
            _ring(draw, size, 0.5, 0.14, (236, 211, 172))
        case Piece.QUEEN:
            for dot in range(6):
                angle = dot * math.pi / 3
                at = (0.55 * math.cos(angle), 0.55 * math.sin(angle))
                _disc(draw, size, 0.11, (247, 223, 160), at=at)
            _disc(draw, size, 0.17, (247, 223, 160))
        case Piece.JACK:
            _ring(draw, size, 0.58, 0.13, GOLD)
            _disc(draw, size, 0.2, (242, 212, 138))
        case Piece.STRIKER:
            _ring(draw, size, 0.5, 0.09, IVORY)
            _disc(draw, size, 0.13, IVORY)


def _disc(
    draw: ImageDraw.ImageDraw, size: int, radius: float, fill: Colour, aside: float = 0.0,
    at: tuple[float, float] = (0.0, 0.0),
) -> None:  # fmt: skip
    """Fill a circle of a share of the piece's radius, ``aside`` towards the light."""
    x = size / 2 * (1 + at[0] - 0.35 * aside)
    y = size / 2 * (1 + at[1] - 0.45 * aside)
    reach = size / 2 * radius
    draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill)


def _ring(
    draw: ImageDraw.ImageDraw, size: int, radius: float, width: float, colour: Colour
) -> None:
    reach, wide = size / 2 * (radius + width / 2), max(1, round(size / 2 * width))
    box = (size / 2 - reach, size / 2 - reach, size / 2 + reach, size / 2 + reach)
    draw.ellipse(box, outline=colour, width=wide)
