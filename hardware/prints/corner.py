"""The parts of a closed box: a board with a second floor, whose corners are cut off as pockets.

Such a pocket is a triangle of two walls and the playing board's edge. Below it a shaft leads
through the box: the two walls, and a fence behind the edge, which carries two receivers. Their
emitters look in through holes in the walls, so the two beams cross at right angles, each along a
wall. Pieces fall through the box's floor into a drawer that hangs under it, and feet give the
drawer its room.

A board whose corners are cut off and which is open below has no such floor. A plate of plywood with
the same opening, screwed under its frame at each corner, takes the floor's place: then its height
inside is how far the frame goes below the playing board, and its floor's thickness the plate's.

All are drawn as they are printed, upside down: z = 0 is the underside of the playing board, or
for what is screwed to the box's floor or frame the wood there. x and y run along the two walls
from their corner. Lengths are millimetres.
"""

from __future__ import annotations

import math
from itertools import pairwise

from manifold3d import CrossSection, Manifold

from hardware.prints.parameters import Sizes
from hardware.prints.pocket import EAR_MM, Axis, Seat, holder
from hardware.prints.solids import (
    EPS,
    WOOD_SCREW_HEAD_MM,
    WOOD_SCREW_MM,
    Point,
    block,
    corners,
    countersunk,
    cylinder,
    disc_at,
    joined,
    plate,
    rounded,
    without,
)

BESIDE_WALL_MM = 0.5
"""Between a part in the box and a wall."""

RIM_MM = 4.0
"""How far the drawer's rim leans outwards, and the rails inwards under it: a dovetail."""

LIP_MM = 1.5
"""How thick rails and rim are at their tips."""

UNDER_WALL_MM = 14.0
BEYOND_MM = 10.0
"""How far cover and drawer begin under the frame, and end beyond the sawn opening."""

TAB_MM = 16.0
"""The drawer's tab, to pull at."""

FOOT_MM = 28.0
"""A foot's diameter."""

SCREWDRIVER_MM = 12.0
"""Hole in a foot that the screw's head and a screwdriver pass."""


# --- where things are --------------------------------------------------------------------


def beam_off_wall_mm(sizes: Sizes) -> float:
    """Return how far each beam runs from the wall beside it.

    A little farther than the pocket's middle, where fewest pieces on edge pass unseen (computed),
    but not so far that one which lies flat along the wall would.
    """
    farthest = sizes.hikone.smallest_piece_mm - sizes.beam.crossed_aperture_mm / 2 - 0.5
    return min(0.35 * sizes.closed.leg_mm, farthest)


def fence_mm(sizes: Sizes) -> float:
    """Return where the fence's face meets either wall, from the corner."""
    return sizes.closed.leg_mm + sizes.beam.pocket_gap_mm * math.sqrt(2)


def _seat(sizes: Sizes) -> Seat:
    return Seat(sizes.beam.crossed_recess_mm, sizes.beam.crossed_aperture_mm)


def _crossing(sizes: Sizes) -> float:
    """Return how far from one wall a beam meets the fence's face."""
    return fence_mm(sizes) - beam_off_wall_mm(sizes)


def _opens_at(sizes: Sizes) -> float:
    """Return how far from one wall a beam's hole in the fence opens: in a groove square to it."""
    return _crossing(sizes) + GROOVE_MM


GROOVE_MM = 3.0
"""Half the width of that groove, so that the hole has no edge that is too thin to print."""


def opening_mm(sizes: Sizes) -> float:
    """Return the side of the square that is sawn into the box's floor at each corner."""
    beam = sizes.beam
    back = _opens_at(sizes) + beam.crossed_recess_mm + beam.led_length_mm
    return 5.0 * math.ceil((back + beam.module_depth_mm + 3.0 + 5.0) / 5.0)


def sleeve_reach_mm(sizes: Sizes) -> float:
    """Return how deep the shroud goes into the frame, from outside: its length, less its collar."""
    return sizes.beam.recess_mm + sizes.beam.led_length_mm - COLLAR_MM


COLLAR_MM = 2.0
"""Thickness of the shroud's collar, which stays outside."""


def drill_mm(sizes: Sizes) -> Point:
    """Return where the frame is drilled from outside: from its corner, and up from its lower edge.

    The lower edge is the underside of the box's floor.
    """
    closed, board = sizes.closed, sizes.hikone
    up = closed.bottom_mm + closed.inside_mm - board.below_mm(2)
    return closed.wall_mm + beam_off_wall_mm(sizes), up


def axes(sizes: Sizes) -> tuple[Axis, ...]:
    """Return the two beams, from the receiver's lens in the fence to the emitter's in a wall."""
    z, off = sizes.hikone.below_mm(2), beam_off_wall_mm(sizes)
    far = _opens_at(sizes) + sizes.beam.crossed_recess_mm
    lens = -(sizes.closed.wall_mm - (sizes.beam.led_length_mm - COLLAR_MM))
    return (Axis((far, off, z), (lens, off, z)), Axis((off, far, z), (off, lens, z)))


def shaft(sizes: Sizes, spare: float = 0.0) -> CrossSection:
    """Return the pocket seen from above, its sides moved inwards by ``spare``."""
    leg = fence_mm(sizes) - spare * (2 + math.sqrt(2))
    return CrossSection([[(0.0, 0.0), (leg, 0.0), (0.0, leg)]]).translate((spare, spare))


def hangs_mm(sizes: Sizes) -> float:
    """Return how far the drawer reaches below the underside of the box's floor."""
    printed, closed = sizes.print, sizes.closed
    return printed.floor_mm + closed.drawer_gap_mm + closed.drawer_mm + printed.floor_mm


def foot_mm(sizes: Sizes) -> float:
    """Return the height of the feet: what hangs, and a little air."""
    return math.ceil(hangs_mm(sizes) + AIR_MM)


def foot_at_mm(sizes: Sizes) -> float:
    """Return how far from the frame's outer corner a foot's middle is, along either side."""
    beyond = opening_mm(sizes) + BEYOND_MM + 2 * EAR_MM
    return sizes.closed.wall_mm + beyond + FOOT_MM


def inside_needed_mm(sizes: Sizes) -> float:
    """Return the height inside that the bracket takes: a module upright, its wires bent over it."""
    low = sizes.hikone.below_mm(2) - sizes.beam.module_width_mm / 2
    return low + MODULE_LONG_MM + WIRES_MM


MODULE_LONG_MM = 20.0
WIRES_MM = 8.0
"""The longest side of a ready-made half of a beam, and the bend of its wires beyond."""


# --- the plate, where there is no floor --------------------------------------------------


def plate_mm(sizes: Sizes) -> float:
    """Return the side of the plate: from the frame's outer corner as far as a foot reaches."""
    return 5.0 * math.ceil((foot_at_mm(sizes) + FOOT_MM / 2) / 5.0)


def plate_outline(sizes: Sizes) -> CrossSection:
    """Return the plate from above, its opening as in a box's floor."""
    side, thick, opening = plate_mm(sizes), sizes.closed.wall_mm, opening_mm(sizes)
    whole = CrossSection.square((side, side)).translate((-thick, -thick))
    return whole - CrossSection.square((opening, opening))


def plate_screws(sizes: Sizes) -> tuple[Point, ...]:
    """Return where the plate's screws are: in the middle of the frame, one at its corner."""
    middle = -sizes.closed.wall_mm / 2
    near, far = PLATE_SCREWS_MM
    inner = [opening_mm(sizes) + each for each in (-near, far)]
    return ((middle, middle), *((x, middle) for x in inner), *((middle, y) for y in inner))


PLATE_SCREWS_MM = (40.0, 35.0)
"""How far before the opening's end, and beyond it, the plate's screws are along a side."""

AIR_MM = 2.0
"""Between what hangs lowest and the table, at the least."""


def below_board_mm(sizes: Sizes) -> float:
    """Return the room below the playing board that frame, plate and drawer need."""
    return sizes.closed.inside_mm + sizes.closed.bottom_mm + hangs_mm(sizes) + AIR_MM


# --- the bracket -------------------------------------------------------------------------


def bracket(sizes: Sizes) -> Manifold:
    """Make the fence behind the pocket's edge, with a receiver's holder for each beam."""
    closed, printed = sizes.closed, sizes.print
    face, z = fence_mm(sizes), sizes.hikone.below_mm(2)
    off, high = beam_off_wall_mm(sizes), closed.inside_mm + closed.bottom_mm - 1.0
    back = face + printed.wall_mm * math.sqrt(2)
    body = [plate(_strip(face, back), (0.0, high))]
    taken: list[Manifold] = []
    for mirrored in (False, True):
        solid, holes = holder(sizes, _opens_at(sizes), _seat(sizes), z, 0.0, foot=False)
        holes.append(_groove(sizes))
        half = sizes.beam.module_width_mm / 2 + printed.fit_mm + printed.wall_mm
        start = _crossing(sizes) - half
        top = z + sizes.beam.module_width_mm / 2 + 1.0
        solid = solid + block((start, _opens_at(sizes) + 2.0), (-half, half), (0.0, top))
        for each, group in ((solid, body), *((hole, taken) for hole in holes)):
            group.append(_beside(each.translate((0.0, off, 0.0)), mirrored=mirrored))
    ear = printed.ear_mm
    for at in ears(sizes):
        foot = _foot(at, face + 1.0)
        body.append(plate(CrossSection.batch_hull([disc_at(EAR_MM, at), foot]), (0.0, ear)))
        taken.append(countersunk(at, ear))
    solid = without(joined(body), taken)
    # What reaches into the shaft or a wall is cut off.
    normal = (1 / math.sqrt(2), 1 / math.sqrt(2), 0.0)
    solid = solid.trim_by_plane(normal, face / math.sqrt(2))
    for wall in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)):
        solid = solid.trim_by_plane(wall, BESIDE_WALL_MM)
    return solid


def _groove(sizes: Sizes) -> Manifold:
    """Make the groove in the fence's face before a hole along x at y = 0; its roof is steep."""
    at, half, z = _crossing(sizes), GROOVE_MM, sizes.hikone.below_mm(2)
    out = half + 1.0  # into the shaft
    corner = CrossSection([[(at + half, -out), (at + half, half), (at - out, half)]])
    top = z + sizes.beam.crossed_aperture_mm / 2 * math.sqrt(2)
    edge = CrossSection([[(at + half, -out), (at + half, 0.1 - out), (at - out, half)]])
    high = top + (half + out) / math.sqrt(2)
    return Manifold.batch_hull([plate(corner, (z - half, top)), plate(edge, (high, high + EPS))])


def ears(sizes: Sizes) -> tuple[Point, ...]:
    """Return where the bracket's screws are: at both walls, and in the middle."""
    face = fence_mm(sizes)
    near, middle = BESIDE_WALL_MM + EAR_MM + 0.5, face / 2 + 12.0
    return ((face + 6.0, near), (middle, middle), (near, face + 6.0))


def _strip(face: float, back: float) -> CrossSection:
    """Return the fence from above, its ends square, and reaching into the shaft."""
    long = math.sqrt(2) * (face - 2 * BESIDE_WALL_MM)
    deep = (back - face) / math.sqrt(2) + 2.0
    bar = CrossSection.square((deep, long), True).translate((deep / 2 - 2.0, 0.0))
    return bar.rotate(45.0).translate((face / 2, face / 2))


def _foot(at: Point, face: float) -> CrossSection:
    """Return where an ear begins: in the fence, straight before it."""
    shift = (face - at[0] - at[1]) / 2
    return disc_at(EAR_MM - 2.0, (at[0] + shift, at[1] + shift))


def _beside(solid: Manifold, *, mirrored: bool) -> Manifold:
    """Return a solid, or its mirror image across the corner's diagonal."""
    return solid.mirror((1.0, -1.0, 0.0)) if mirrored else solid


# --- below the floor ---------------------------------------------------------------------


def _loose(sizes: Sizes) -> float:
    """Return how much narrower the drawer is than its rails, on each side."""
    return sizes.print.fit_mm + 0.3


def drawer_inside(sizes: Sizes) -> tuple[Point, Point]:
    """Return where the drawer's inside is, in x (it is pulled to -x) and in y."""
    wall, end = sizes.print.wall_mm, opening_mm(sizes) + BEYOND_MM
    rail = RIM_MM + 1.0 + wall + _loose(sizes)
    return (-UNDER_WALL_MM + wall, end - 5.0 - wall), (-0.8, end - rail - wall)


def _rail_top(sizes: Sizes) -> float:
    return sizes.print.floor_mm + sizes.closed.drawer_gap_mm + 2 * LIP_MM + RIM_MM - 0.1


def cover(sizes: Sizes) -> Manifold:
    """Make the cover of the sawn opening, with the shaft's hole and the drawer's two rails."""
    floor, wall, loose = sizes.print.floor_mm, sizes.print.wall_mm, _loose(sizes)
    low, end, top = -UNDER_WALL_MM, opening_mm(sizes) + BEYOND_MM, _rail_top(sizes)
    _x, (y0, y1) = drawer_inside(sizes)
    rails = []
    for inner, out in ((y0 - wall - loose, -1.0), (y1 + wall + loose, 1.0)):
        under = inner + out * (RIM_MM + 1.0)
        profile = [
            (under + out * wall, 0.0), (under + out * wall, top), (inner, top),
            (inner, top - LIP_MM), (under, top - LIP_MM - RIM_MM - 1.0), (under, 0.0),
        ]  # fmt: skip
        rails.append(_along_x(profile, (low, end)))
    outer = float(rails[0].bounding_box()[1])
    body = [block((low, end), (outer, end), (0.0, floor)), *rails]
    body.append(block((end - 4.0, end), (outer, end), (0.0, top)))
    taken = [plate(shaft(sizes, -1.0), (-1.0, floor + 1.0))]
    for at, (x, y) in cover_screws(sizes):
        arm = CrossSection.batch_hull([disc_at(EAR_MM, at), disc_at(1.0, (x, y))])
        body.append(plate(arm, (0.0, sizes.print.ear_mm)))
        taken.append(countersunk(at, sizes.print.ear_mm))
    return without(joined(body), taken)


def cover_screws(sizes: Sizes) -> tuple[tuple[Point, Point], ...]:
    """Return where the cover's screws are, and where the arm of each begins."""
    end = opening_mm(sizes) + BEYOND_MM
    beside, beyond = -14.6, end + EAR_MM
    return (
        ((8.0, beside), (8.0, -9.0)),
        ((end - 8.0, beside), (end - 8.0, -9.0)),
        ((-6.0, beyond), (-6.0, end - 1.0)),
        ((end - 8.0, beyond), (end - 8.0, end - 1.0)),
        ((beyond, end / 2), (end - 1.0, end / 2)),
    )


def _along_x(profile: list[Point], x: Point) -> Manifold:
    """Make a solid of a section across x, given in (y, z)."""
    area = sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*profile, profile[0]]))
    section = CrossSection([profile if area > 0 else profile[::-1]])
    return section.extrude(x[1] - x[0]).rotate((90.0, 0.0, 90.0)).translate((x[0], 0.0, 0.0))


def drawer(sizes: Sizes) -> Manifold:
    """Make the drawer; it stands on its floor, its rim leaning out over the rails."""
    wall, floor = sizes.print.wall_mm, sizes.print.floor_mm
    (x0, x1), (y0, y1) = drawer_inside(sizes)
    high = floor + sizes.closed.drawer_mm
    body = [block((x0 - wall, x1 + wall), (y0 - wall, y1 + wall), (0.0, high))]
    for inner, out in ((y0 - wall, -1.0), (y1 + wall, 1.0)):
        profile = [
            (inner - out * wall / 2, high), (inner + out * RIM_MM, high),
            (inner + out * RIM_MM, high - LIP_MM),
            (inner - out * wall / 2, high - LIP_MM - RIM_MM - wall / 2),
        ]  # fmt: skip
        body.append(_along_x(profile, (x0 - wall, x1 + wall)))
    tab = rounded(2 * TAB_MM, 30.0, 6.0).translate((x0 - wall, (y0 + y1) / 2))
    body.append(plate(tab, (0.0, floor)))
    return without(joined(body), [block((x0, x1), (y0, y1), (floor, high + 1.0))])


def foot(sizes: Sizes) -> Manifold:
    """Make a foot; it stands on the end that goes against the wood, hollow for a screwdriver."""
    ear, high = sizes.print.ear_mm, foot_mm(sizes)
    body = cylinder(FOOT_MM / 2, (0.0, high))
    hole = cylinder(SCREWDRIVER_MM / 2, (ear, high + 1.0))
    return without(body, [hole, countersunk((0.0, 0.0), ear)])


# --- outside at the frame ----------------------------------------------------------------


def eye(sizes: Sizes) -> Manifold:
    """Make the cap over an emitter outside at the frame; it stands on its face, open to the wood.

    The lens goes into the shroud in the frame at (0, 0), the housing lies along x.
    """
    beam, printed = sizes.beam, sizes.print
    half = (beam.rim_mm + printed.fit_mm) / 2 + printed.wall_mm + 2.0 + 0.5  # of the collar
    wide = max(half, beam.module_width_mm / 2 + printed.fit_mm)
    deep = COLLAR_MM + beam.module_depth_mm + 0.5
    end = MODULE_LONG_MM - beam.module_width_mm / 2 + WIRES_MM
    high, ear_at = printed.wall_mm + deep, printed.wall_mm + EAR_MM
    ears = ((-wide - ear_at, 0.0), (end + ear_at, 0.0))
    shape = rounded(end + wide + 2 * printed.wall_mm, 2 * (wide + printed.wall_mm), 3.0)
    shape = shape.translate(((end - wide) / 2, 0.0))
    body = [plate(shape, (0.0, high))]
    taken = [block((-wide, end), (-wide, wide), (printed.wall_mm, high + 1.0))]
    out = wide + 9.0  # the wires leave at either side, whichever is below
    taken.append(block((end - 6.0, end - 1.0), (-out, out), (high - 4.0, high + 1.0)))
    ear = printed.ear_mm
    for at in ears:
        arm = CrossSection.batch_hull([disc_at(EAR_MM, at), disc_at(EAR_MM, (at[0] * 0.7, 0.0))])
        body.append(plate(arm, (0.0, high)))
    solid = without(joined(body), taken)
    head, hole = WOOD_SCREW_HEAD_MM / 2, WOOD_SCREW_MM / 2
    outline = [
        (0.0, -1.0), (head, -1.0), (head, high - ear), (hole, high - ear + head - hole),
        (hole, high + 1.0), (0.0, high + 1.0),
    ]  # fmt: skip
    drilled = CrossSection([outline]).revolve(corners(head))
    return without(solid, [drilled.translate((x, y, 0.0)) for x, y in ears])
