"""What room a part at a pocket needs under a board: beside the pocket, and below the wood.

A net or tray hangs at every bracket and must hold :data:`PIECES` pieces and a striker without
reaching up into the beam; so what a part needs below is its own height and that of what catches.
Lengths are millimetres, measured on the models.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from manifold3d import Manifold

from hardware.prints.parameters import Board, Sizes
from hardware.prints.pocket import TRAY_MM, tube_radius

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


@dataclass(frozen=True, slots=True)
class Room:
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
