"""What room a part at a pocket needs under a board: beside the pocket, and below the wood.

A closed box has its own questions, at the end: see :mod:`hardware.prints.corner`.

A net or tray hangs at every bracket and must hold :data:`PIECES` pieces and a striker without
reaching up into the beam; so what a part needs below is its own height and that of what catches.
Lengths are millimetres, measured on the models.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from types import MappingProxyType

import numpy as np
from manifold3d import Manifold
from msgspec import Struct

from hardware.prints import corner, sight
from hardware.prints.parameters import HOLDS_MM, Board, Sizes
from hardware.prints.pocket import TRAY_MM, sleeve_drill_mm, tube_radius

PIECES = 10
"""How many pieces a net or tray must hold, beside one striker."""

PACKED = 0.55
"""Which share of a heap of discs is disc (a guess; discs poured in lie between 0.53 and 0.63)."""

STRIKER_MM = 15.0
THICKER_MM = 2.0
WIDER_MM = 1.6
"""How thick a striker may be, and how much thicker and wider than the smallest pieces are."""

HAND_MM = 45.0
"""Between a bracket and the tray that hangs from it: a hand takes pieces out."""

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "single": "bracket for one beam",
        "slim": "slim bracket, one beam of bare parts",
        "crossed": "bracket for crossed beams",
        "chute": "chute",
    }
)
"""What may hang at a pocket, by the ends of the parts' ids."""


class Room(Struct, frozen=True):
    """What a part needs. ``beside_mm`` is from the pocket's centre to each of a corner's walls."""

    beside_mm: float
    height_mm: float
    below_mm: float
    """With the shallower of net and tray, from the underside of the wood."""


def room(sizes: Sizes, board: Board, kind: str, solid: Manifold) -> Room:
    """Return the room that a part needs; ``kind`` is one of :data:`KINDS`."""
    height = float(solid.bounding_box()[5])
    if kind == "chute":
        catch = TRAY_MM[1] + sizes.print.floor_mm
    else:
        hung = HAND_MM + TRAY_MM[1] + sizes.print.floor_mm
        catch = min(net_mm(sizes, board), hung)
    return Room(beside_mm(solid), height, height + catch)


def beside_mm(solid: Manifold) -> float:
    """Return how near a corner's two walls may be, with the part turned as suits it best."""
    corners = np.asarray(solid.to_mesh().vert_properties)[:, :2]
    least = math.inf
    for degrees in range(0, 360, 3):
        turn = math.radians(degrees)
        x = corners @ np.array((math.cos(turn), -math.sin(turn)))
        y = corners @ np.array((math.sin(turn), math.cos(turn)))
        least = min(least, float(max(x.max(), y.max())))
    return least


def heap_mm3(board: Board) -> float:
    """Return what ten pieces and a striker take up, heaped."""
    piece = _disc(board.smallest_piece_mm + WIDER_MM, board.thinnest_piece_mm + THICKER_MM)
    return (PIECES * piece + _disc(board.largest_piece_mm, STRIKER_MM)) / PACKED


def _disc(diameter: float, thickness: float) -> float:
    return math.pi / 4 * diameter**2 * thickness


def net_mm(sizes: Sizes, board: Board) -> float:
    """Return how deep a net must be that is as wide as the bracket's tube, to hold them."""
    return heap_mm3(board) / (math.pi * tube_radius(board, sizes.beam) ** 2)


def hub_mm(sizes: Sizes, case: Manifold) -> float:
    """Return the height below the wood that the printed hub needs with its lid."""
    return float(case.bounding_box()[5]) + sizes.print.floor_mm


def misfits(sizes: Sizes, board: Board, kind: str, solid: Manifold) -> Iterator[str]:
    """Say why a part does not go under a board, if it does not."""
    needed = room(sizes, board, kind, solid)
    if needed.beside_mm > board.room_beside_mm:
        yield (
            f"needs {needed.beside_mm:.0f} mm from the pocket's centre to the walls below the "
            f"board, which has {board.room_beside_mm:g}"
        )
    if needed.below_mm > board.room_below_mm:
        yield (
            f"needs {needed.below_mm:.0f} mm below the wood ({needed.height_mm:.0f} of its own, "
            f"the rest to catch {PIECES} pieces and a striker), and has {board.room_below_mm:g}"
        )


# --- a closed box ------------------------------------------------------------------------

STEEP_DEG = 30.0
"""How steeply discs lie that fell on one heap (a guess)."""

BELOW_RIM_MM = 2.0
"""How far a heap must stay below the drawer's rim, so that it can be pulled out."""


def drawer_mm3(sizes: Sizes, step_mm: float = 1.0) -> float:
    """Return how large a heap goes into a closed box's drawer below its pocket.

    It is as high as it may be under the shaft, and falls off around it.
    """
    (x0, x1), (y0, y1) = corner.drawer_inside(sizes)
    x, y = np.meshgrid(
        np.arange(x0 + step_mm / 2, x1, step_mm), np.arange(y0 + step_mm / 2, y1, step_mm)
    )
    aside = np.hypot(np.minimum(x, 0), np.minimum(y, 0))
    aside = np.maximum(aside, (x + y - corner.fence_mm(sizes)) / math.sqrt(2))
    top = sizes.closed.drawer_mm - BELOW_RIM_MM
    high = np.clip(top - np.maximum(aside, 0) * math.tan(math.radians(STEEP_DEG)), 0, None)
    return float(high.sum() * step_mm**2)


def closed_misfits(sizes: Sizes) -> Iterator[str]:
    """Say why the parts of a closed box do not go into a board, or would not serve."""
    yield from _corner_misfits(sizes)
    if (needed := corner.inside_needed_mm(sizes)) > sizes.closed.inside_mm:
        yield (
            f"the bracket with its modules needs {needed:g} mm inside the box, which has "
            f"{sizes.closed.inside_mm:g}"
        )
    if (reach := sizes.print.reach_mm) > sizes.closed.bottom_mm:
        yield (
            f"screws go {reach:g} mm into a floor of {sizes.closed.bottom_mm:g} mm and come out "
            f"inside; glue plywood below it and measure bottom_mm again{_or_a_thicker_ear(sizes)}"
        )


def _or_a_thicker_ear(sizes: Sizes) -> str:
    if sizes.closed.bottom_mm < HOLDS_MM:
        return ""
    return f", or make print.ear_mm at least {sizes.print.screw_mm - sizes.closed.bottom_mm:g}"


def _corner_misfits(sizes: Sizes) -> Iterator[str]:
    closed, board = sizes.closed, sizes.hikone
    inner = closed.leg_mm * (2 - math.sqrt(2))
    if inner < board.largest_piece_mm + 1:
        yield (
            f"a pocket with legs of {closed.leg_mm:g} mm lets discs of {inner:.1f} mm through, and "
            f"the largest piece has {board.largest_piece_mm:g}"
        )
    if (reach := corner.sleeve_reach_mm(sizes)) > closed.wall_mm:
        yield (
            f"the shroud goes {reach:g} mm into a frame of {closed.wall_mm:g} and would stand in "
            f"the pocket; make beam.recess_mm smaller"
        )
    if not sight.flat_is_seen_in_corner(sizes):
        yield (
            f"in a pocket with legs of {closed.leg_mm:g} mm a piece of "
            f"{board.smallest_piece_mm:g} could fall flat beside both beams"
        )
    deep = sight.sun_in_corner(sizes).recess_mm
    if deep > sizes.beam.crossed_recess_mm:
        yield f"sun reaches the receivers; make beam.crossed_recess_mm at least {deep + 0.05:.1f}"
    if (holds := drawer_mm3(sizes)) < heap_mm3(board):
        yield (
            f"the drawer holds {holds / 1000:.0f} cm³ below its rim, and {PIECES} pieces and a "
            f"striker need {heap_mm3(board) / 1000:.0f}; make closed.drawer_mm larger"
        )


def closed_says(sizes: Sizes) -> Iterator[str]:
    """Say what a maker must know of a closed box before sawing and drilling."""
    along, up = corner.drill_mm(sizes)
    opening, drill = corner.opening_mm(sizes), sleeve_drill_mm(sizes)
    yield (
        f"saw at each corner a square of {opening:g} mm into the box's floor, from the frame's "
        "inner walls"
    )
    yield (
        f"drill {drill:g} mm through both walls of each corner, {along:.1f} mm from the frame's "
        f"outer corner and {up:.1f} mm above the underside of the box"
    )
    yield (
        f"inside the bracket takes {corner.inside_needed_mm(sizes):g} of "
        f"{sizes.closed.inside_mm:g} mm; the drawers hang {corner.hangs_mm(sizes):g} mm "
        f"below the box, on feet of {corner.foot_mm(sizes):g} mm"
    )


# --- corners cut off over no floor -------------------------------------------------------


def cut_misfits(sizes: Sizes) -> Iterator[str]:
    """Say the same of a board with such corners, each of which gets a plate under its frame."""
    yield from _corner_misfits(sizes)
    closed, printed = sizes.closed, sizes.print
    if (needed := corner.inside_needed_mm(sizes)) > closed.inside_mm:
        yield (
            f"the bracket with its modules needs {needed:g} mm between the playing board and the "
            f"plate, and the frame goes {closed.inside_mm:g} mm below the playing board"
        )
    if printed.reach_mm > closed.bottom_mm:
        yield (
            f"screws go {printed.reach_mm:g} mm into a plate of {closed.bottom_mm:g} mm; make "
            "closed.bottom_mm larger"
        )


def legs_serve(sizes: Sizes, legs_at_mm: float) -> bool:
    """Return whether a board with plates stays on the legs that it has."""
    has_room = corner.below_board_mm(sizes) <= sizes.hikone.room_below_mm
    return has_room and legs_at_mm >= corner.plate_mm(sizes)


def below_cut_mm(sizes: Sizes, legs_at_mm: float) -> float:
    """Return the room below the playing board once it stands on its legs, or on feet."""
    if legs_serve(sizes, legs_at_mm):
        return sizes.hikone.room_below_mm
    return sizes.closed.inside_mm + sizes.closed.bottom_mm + corner.foot_mm(sizes)


def cut_says(sizes: Sizes, legs_at_mm: float) -> Iterator[str]:
    """Say what a maker must know of the plates before sawing and drilling."""
    closed, board = sizes.closed, sizes.hikone
    along, up = corner.drill_mm(sizes)
    side = corner.plate_mm(sizes)
    yield (
        f"saw four plates of {closed.bottom_mm:g} mm, {side:g} mm square, and into each a square "
        f"opening of {corner.opening_mm(sizes):g} mm, {closed.wall_mm:g} mm from two of its sides"
    )
    yield (
        f"drill {sleeve_drill_mm(sizes):g} mm through both walls of each corner, {along:.1f} mm "
        f"from the frame's outer corner and {up - closed.bottom_mm:.1f} mm above its lower edge"
    )
    yield (
        f"the bracket takes {corner.inside_needed_mm(sizes):g} of {closed.inside_mm:g} mm; the "
        f"drawers need {corner.below_board_mm(sizes):g} mm below the playing board, which has "
        f"{board.room_below_mm:g}, and the plates {side:g} mm at each corner without a leg"
    )
    if legs_serve(sizes, legs_at_mm):
        yield "so it stays on its legs, without feet"
    else:
        yield (
            f"so it stands on eight feet of {corner.foot_mm(sizes):g} mm under the plates, in the "
            "place of legs"
        )
