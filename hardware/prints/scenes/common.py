"""What several pictures share: sizes of pictures, colours, and things cut open or turned over."""

from __future__ import annotations

from functools import cache

from manifold3d import CrossSection

from hardware.prints.parameters import Sizes, load
from hardware.prints.render import WOOD, Colour, Thing
from hardware.prints.solids import disc_at, plate

WIDE = (960, 640)
HALF = (720, 560)
LOW = (720, 400)
FRAME: Colour = (138, 94, 58)
CABLE: Colour = (60, 60, 66)
FELT: Colour = (120, 60, 70)
FLOOR: Colour = (205, 205, 200)


@cache
def sizes_of() -> Sizes:
    """Return the sizes of the table."""
    return load()[1]


def flipped(things: list[Thing]) -> list[Thing]:
    """Turn things over, from how they are printed to how they hang."""
    return [Thing(each.solid.rotate((180.0, 0.0, 0.0)), each.colour, each.edges) for each in things]


def cut(things: list[Thing], y: float) -> list[Thing]:
    """Cut everything open that lies before a plane."""
    kept = [
        Thing(each.solid.trim_by_plane((0.0, 1.0, 0.0), y), each.colour, each.edges)
        for each in things
    ]
    return [each for each in kept if not each.solid.is_empty()]


def board_slab(sizes: Sizes, side: float, radius: float) -> Thing:
    """Return a square of a board's wood around a pocket, below z = 0 as it lies face down."""
    board = sizes.carrom
    outline = CrossSection.square((side, side), True) - disc_at(radius, (0.0, 0.0))
    return Thing(plate(outline, (-board.board_thickness_mm, 0.0)), WOOD)
