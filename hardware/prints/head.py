"""The holder of a colour head: it lies against a bracket's tube and is tied to its ring.

It stands beside the beams, its window at their depth, and fits the brackets for one beam and for
two of its board alike: from the beam to the ring's end is the same in both. The board slides in
from the open end, its parts to the pocket. Drawn as it is printed, on its closed end, which hangs
lowest under the board; +x is away from the pocket's middle, and the window's height is
:func:`window_z`.
"""

from __future__ import annotations

import math

from manifold3d import CrossSection, Manifold

from hardware.board.head_board import DIODE_X_MM, EDGE_MM, HIGH_MM, LIGHTS_X_MM, WIDE_MM
from hardware.prints.parameters import Board, Sizes
from hardware.prints.pocket import BOARD_MM, NET_HOLES, NET_RING_MM, TIE_MM, tube_radius
from hardware.prints.solids import EPS, block, bore, corners, joined, plate, turned, without

BEHIND_MM, CHIP_MM = 6.0, 0.7
"""From the tube's inside back to the photodiode's chip, and from this to the board."""
ROOM_MM = 2.2
"""For parts before the board: the lights are 1.9 high."""
DIODE_MM, LIGHTS_MM = 3.0, 4.4
"""The holes before photodiode and lights; that of the lights is open to the wood."""
DRILL_MM = 6.0
"""The two holes in the tube's wall before them; they run together."""
_RAIL_MM, _LIP_MM, _FLAT_MM = 1.2, 1.6, 6.0


def window_z(sizes: Sizes) -> float:
    """Return how high the window is above the closed end, as it is printed."""
    return HIGH_MM - EDGE_MM + sizes.print.fit_mm + sizes.print.wall_mm


def eyes_mm() -> tuple[float, float]:
    """Return how far aside of the middle photodiode and lights are, as it is printed."""
    return WIDE_MM / 2 - DIODE_X_MM, WIDE_MM / 2 - LIGHTS_X_MM


def angle_deg(beams: int) -> float:
    """Return where it is tied: between two beams, or as far across one as the ring's holes let."""
    return 45.0 if beams == 2 else 75.0


def holder(sizes: Sizes, board: Board) -> Manifold:
    """Make the holder for a board's brackets."""
    fit, wall, top = sizes.print.fit_mm, sizes.print.wall_mm, window_z(sizes)
    inner = tube_radius(board, sizes.beam)
    outer, face = inner + wall + fit, inner + BEHIND_MM + CHIP_MM
    half, end = (WIDE_MM + fit) / 2, top + EDGE_MM
    back = face + BOARD_MM + fit
    free = _free_mm(sizes, outer)
    flat = min(free, half + wall) - 1.2
    front = math.sqrt(outer**2 - flat**2)
    tube = CrossSection([[(0.0, -flat), (front, -flat), (outer, -_FLAT_MM), (outer, _FLAT_MM),
                          (front, flat), (0.0, flat)]])  # fmt: skip
    body = block((front, back + _LIP_MM), (-half - wall, half + wall), (0.0, end))
    room = block((face - ROOM_MM, face + EPS), (-half + _RAIL_MM, half - _RAIL_MM), (wall, 99.0))
    slot = block((face, back), (-half, half), (wall, 99.0))
    rear = block((back - EPS, 99.0), (-half + _RAIL_MM, half - _RAIL_MM), (wall, 99.0))
    taken = [plate(tube, (-1.0, end + 1.0)), room, slot, rear]
    if front - _aside_mm(sizes) < half + wall:
        taken += _beside_beams(sizes, free)
    ring = top - sizes.beam.skirt_mm - NET_RING_MM / 2
    hole = bore(TIE_MM / 2, (inner, inner + 20.0), 0.0, ring)
    taken += [turned(hole, side * 360.0 / NET_HOLES) for side in (-1, 1)]
    (diode_y, lights_y), half_lit = eyes_mm(), LIGHTS_MM / 2
    collar = _level(EDGE_MM, (face - ROOM_MM - EPS, face - 1.4), diode_y, top)
    holes = [
        _level(DIODE_MM / 2, (inner, face), diode_y, top),
        _level(half_lit, (inner, face), lights_y, top),
        block((inner, face), (lights_y - half_lit, lights_y + half_lit), (top, 99.0)),
    ]
    return without(without(body, taken) + collar, holes)


def _level(radius: float, x: tuple[float, float], y: float, z: float) -> Manifold:
    """Make a round bar along x."""
    bar = Manifold.cylinder(x[1] - x[0], radius, radius, corners(radius))
    return bar.rotate((0.0, 90.0, 0.0)).translate((x[0], y, z))


def _aside_mm(sizes: Sizes) -> float:
    """Return by how much less than x must be aside what keeps clear of a beam's holder."""
    beam = sizes.beam
    half = beam.module_width_mm / 2 + 2 * sizes.print.fit_mm + sizes.print.wall_mm
    return math.sqrt(2) * half


def _free_mm(sizes: Sizes, outer: float) -> float:
    """Return how far aside the beams' holders, 45 degrees away, leave the tube's outside free."""
    aside = _aside_mm(sizes)
    return (math.sqrt(2 * outer**2 - aside**2) - aside) / 2


def _beside_beams(sizes: Sizes, free: float) -> list[Manifold]:
    """Return what would be in the way of those holders, on either side."""
    low = window_z(sizes) - sizes.beam.module_width_mm / 2 - 1.0 - sizes.print.fit_mm
    far = (WIDE_MM + sizes.print.fit_mm) / 2 + sizes.print.wall_mm + _aside_mm(sizes)
    room = block((0.0, far), (free, 99.0), (low, 99.0))
    return [room, room.mirror((0.0, 1.0, 0.0))]


def in_place(sizes: Sizes, board: Board, beams: int, solid: Manifold) -> Manifold:
    """Return a holder, or what is in it, at its bracket."""
    hung = solid.translate((0.0, 0.0, -window_z(sizes))).rotate((180.0, 0.0, 0.0))
    return turned(hung, angle_deg(beams)).translate((0.0, 0.0, board.below_mm(beams)))


def drilled(sizes: Sizes, board: Board, beams: int) -> Manifold:
    """Return what the drill takes from a bracket's tube."""
    inner, wall = tube_radius(board, sizes.beam), sizes.print.wall_mm
    ends, top = (inner - 3.0, inner + wall + 1.0), window_z(sizes)
    holes = [_level(DRILL_MM / 2, ends, y, top) for y in eyes_mm()]
    return in_place(sizes, board, beams, joined(holes))


def looks_up_deg(sizes: Sizes, board: Board, beams: int) -> float:
    """Return how steeply the window sees up to the pocket's far edge: a lower sun is hidden."""
    across = tube_radius(board, sizes.beam) + board.pocket_diameter_mm / 2
    return math.degrees(math.atan2(board.depth_mm(beams), across))
