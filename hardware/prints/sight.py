"""What beams see and what they miss, what sun reaches them, how pieces pass: computed.

Pieces are discs. Lengths are millimetres, angles degrees. What is assumed stands with each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from manifold3d import Manifold
from msgspec import Struct
from numpy.typing import NDArray

from hardware.prints import corner
from hardware.prints.parameters import Beam, Board, Sizes
from hardware.prints.pocket import Axis, ChuteShape, chute_shape, tube_radius
from hardware.prints.solids import cylinder

GRAVITY_MM_S2 = 9_806.65
Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


# --- line of sight -----------------------------------------------------------------------


def blocked_rays(solid: Manifold, axis: Axis, radius: float) -> int:
    """Count the rays between two lenses that a part stands in the way of, of 17.

    One runs along the axis, the others beside it, ``radius`` away.
    """
    return sum(bool(solid.ray_cast(start, end)) for start, end in _rays(axis, radius))


Ray = tuple[tuple[float, float, float], tuple[float, float, float]]


def _rays(axis: Axis, radius: float) -> Iterator[Ray]:
    start, end = np.array(axis.start), np.array(axis.end)
    along = (end - start) / np.linalg.norm(end - start)
    up = np.array((0.0, 0.0, 1.0))
    side = np.cross(along, up)
    yield _ray(start, end)
    for i in range(16):
        angle = math.tau * i / 16
        shift = radius * (math.cos(angle) * side + math.sin(angle) * up)
        yield _ray(start + shift, end + shift)


def _ray(start: Floats, end: Floats) -> Ray:
    (a, b, c), (d, e, f) = start.tolist(), end.tolist()
    return (a, b, c), (d, e, f)


def light_share(solid: Manifold, axis: Axis, lens_mm: float, steps: int = 9) -> float:
    """Return which share of the rays from one lens to the other a part lets through.

    Rays go from points all over one lens, each as much of it as the others, to such points of the
    other: an even light, which emitters with a lens nearly give on their axis.
    """
    start, end = np.array(axis.start), np.array(axis.end)
    along = (end - start) / np.linalg.norm(end - start)
    up = np.array((0.0, 0.0, 1.0))
    places = list(_on_lens(lens_mm / 2, steps, np.cross(along, up), up))
    rays = [_ray(start + a, end + b) for a in places for b in places]
    return sum(not solid.ray_cast(*ray) for ray in rays) / len(rays)


def _on_lens(radius: float, steps: int, side: Floats, up: Floats) -> Iterator[Floats]:
    """Yield points that each stand for as much of a lens as the others (a sunflower's seeds)."""
    count = steps * steps
    for i in range(count):
        far, angle = radius * math.sqrt((i + 0.5) / count), i * math.pi * (3 - math.sqrt(5))
        yield far * (math.cos(angle) * side + math.sin(angle) * up)


# --- sun ---------------------------------------------------------------------------------


class Sun(Struct, frozen=True):
    """Direct sun through a pocket, onto an opening in the wall of a bracket's tube."""

    lowest_deg: float
    """Lower sun is hidden by the pocket's far edge; the frame would hide more."""
    recess_mm: float
    """How far back a lens's seat must be so that no such ray reaches its dome."""


def sun(board: Board, beam: Beam, beams: int) -> Sun:
    """Compute from where the sun reaches an opening, and how deep the lens must be for it.

    ``beams``: of the bracket for one, or for two that cross. A ray that just passes the far edge
    of the pocket enters at the top of the opening and falls by its slope on the way to the lens;
    the opening is round, with a tip below.
    """
    return _sun(board, beam, beams, board.pocket_diameter_mm / 2 + tube_radius(board, beam))


def _sun(board: Board, beam: Beam, beams: int, across: float) -> Sun:
    half = beam.opening_mm(beams) / 2
    slope = (board.depth_mm(beams) - half) / across
    reach = half * (1 + math.sqrt(2)) / slope + dome_mm(beam, beams)
    return Sun(math.degrees(math.atan(slope)), reach)


def dome_mm(beam: Beam, beams: int) -> float:
    """Return how far a lens's dome stands into the hole on whose edge it rests."""
    radius = beam.led_mm / 2
    return radius - math.sqrt(radius**2 - (beam.opening_mm(beams) / 2) ** 2)


# --- what passes unseen ------------------------------------------------------------------


def smallest_tube(diameter: float, thickness: float, half_beam: float, beams: int) -> float:
    """Return the radius from which on a disc on edge can pass beside one beam or two crossed ones.

    Seen from above it is a rectangle in a circle, and the beams run through the middle. It counts
    as seen when it covers all of a beam's width, ``half_beam`` to either side of its axis.
    """
    turn = np.linspace(0.0, math.pi, 721)
    c, s = np.cos(turn), np.sin(turn)
    reach_x = (diameter * np.abs(c) + thickness * np.abs(s)) / 2
    reach_y = (diameter * np.abs(s) + thickness * np.abs(c)) / 2
    # Its middle stands as near to the beams as it may without being seen, or a little farther:
    # the first beam lies along x, the second along y.
    shifts = np.linspace(0.0, 2 * half_beam, 9)
    y = (reach_y - half_beam)[:, None, None] + shifts[None, :, None]
    if beams == 2:
        x = (reach_x - half_beam)[:, None, None] + shifts[None, None, :]
    else:
        x = np.linspace(-diameter / 2, diameter / 2, 61)[None, None, :]
    c, s = c[:, None, None], s[:, None, None]
    along, across = np.abs(x * c + y * s), np.abs(y * c - x * s)
    return float(np.hypot(along + diameter / 2, across + thickness / 2).min())


def thickest_unseen(diameter: float, radius: float, half_beam: float, beams: int) -> float:
    """Return how thick a disc on edge may be and still pass unseen; 0 where nothing passes."""
    low, high = 0.0, 2 * radius
    while high - low > 0.01:
        middle = (low + high) / 2
        if smallest_tube(diameter, middle, half_beam, beams) <= radius:
            low = middle
        else:
            high = middle
    return low


def share_unseen(
    diameter: float, thickness: float, radius: float, half_beam: float, beams: int
) -> float:
    """Return which share of discs on edge passes unseen, all places and directions as likely.

    That is an assumption: how pieces really fall has not been looked at.
    """
    place = np.linspace(0.0, radius, 80)  # the other three quarters are its mirror images
    angle = np.linspace(0.0, math.pi, 72, endpoint=False)
    x, y, turn = np.meshgrid(place, place, angle, indexing="ij")
    c, s = np.cos(turn), np.sin(turn)
    along, across = np.abs(x * c + y * s), np.abs(y * c - x * s)
    fits = np.hypot(along + diameter / 2, across + thickness / 2) <= radius
    unseen = y - (diameter * np.abs(s) + thickness * np.abs(c)) / 2 > -half_beam
    if beams == 2:
        unseen &= x - (diameter * np.abs(c) + thickness * np.abs(s)) / 2 > -half_beam
    return float((unseen & fits).sum() / max(1, fits.sum()))


def flat_is_seen(board: Board, beam: Beam) -> bool:
    """Return whether the smallest piece that falls flat covers the beam wherever it falls."""
    aside = tube_radius(board, beam) - board.smallest_piece_mm / 2
    return aside + beam.aperture_mm / 2 < board.smallest_piece_mm / 2


# --- in the corner of a closed box -------------------------------------------------------


def _in_corner(sizes: Sizes, thick_mm: float, step_mm: float) -> tuple[Truths, Truths]:
    """Return whether a piece fits into a pocket's shaft at every place, and whether it is seen.

    The first index is its direction: of one that falls flat there is one, of one on edge many.
    """
    leg, off = corner.fence_mm(sizes), corner.beam_off_wall_mm(sizes)
    half, long = sizes.beam.crossed_aperture_mm / 2, sizes.hikone.smallest_piece_mm / 2
    place = np.arange(step_mm / 2, leg, step_mm)
    if thick_mm:
        turn = np.linspace(0.0, math.pi, 72, endpoint=False)[:, None, None]
        c, s = np.abs(np.cos(turn)), np.abs(np.sin(turn))
        reach_x, reach_y = long * c + thick_mm / 2 * s, long * s + thick_mm / 2 * c
        along, across = (np.abs(np.cos(turn + a)) for a in (-math.pi / 4, math.pi / 4))
        reach_edge = long * along + thick_mm / 2 * across
    else:
        reach_x = reach_y = reach_edge = np.full((1, 1, 1), long)
    x, y = place[None, :, None], place[None, None, :]
    fits = (
        (x >= reach_x)
        & (y >= reach_y)
        & ((x + y) / math.sqrt(2) + reach_edge <= leg / math.sqrt(2))
    )
    seen = (np.abs(x - off) + half <= reach_x) | (np.abs(y - off) + half <= reach_y)
    return fits, seen & fits


def flat_is_seen_in_corner(sizes: Sizes) -> bool:
    """Return whether the smallest piece that falls flat covers a beam wherever it falls."""
    fits, seen = _in_corner(sizes, 0.0, 0.25)
    return bool(fits.any() and (fits == seen).all())


def share_unseen_in_corner(sizes: Sizes) -> float:
    """Return which share of the smallest pieces on edge passes unseen; see ``share_unseen``."""
    fits, seen = _in_corner(sizes, sizes.hikone.thinnest_piece_mm, 0.75)
    return float(1 - seen.sum() / max(1, fits.sum()))


def sun_in_corner(sizes: Sizes) -> Sun:
    """Compute the same as ``sun`` for a receiver in the fence: the far edge is a wall."""
    across = corner.fence_mm(sizes) - corner.beam_off_wall_mm(sizes) + corner.GROOVE_MM
    return _sun(sizes.hikone, sizes.beam, 2, across)


def corner_way_mm(sizes: Sizes) -> float:
    """Return how far the light goes from lens to lens in a closed box."""
    [axis, _other] = corner.axes(sizes)
    return axis.start[0] - axis.end[0]


# --- how pieces pass ---------------------------------------------------------------------


def falling_column(board: Board, height: float, spare: float) -> Manifold:
    """Return what the largest piece sweeps that falls flat through the pocket's middle."""
    return cylinder(board.largest_piece_mm / 2 + spare, (-20.0, height))


def sliding_ball(sizes: Sizes, board: Board) -> Manifold:
    """Return what a ball as large as the largest piece sweeps on its way through the chute.

    A disc in any position lies within a ball of its diameter.
    """
    shape = chute_shape(sizes, board)
    radius = board.largest_piece_mm / 2 + sizes.chute.clearance_mm / 2
    spare = radius + sizes.chute.clearance_mm / 2
    ball = Manifold.sphere(radius, 32)
    turn = _along_when(shape, 0.0, spare)
    turning, out = shape.on_floor(turn, spare), shape.on_floor(shape.end_along + 30.0, spare)
    above = (0.0, 0.0, -radius)
    return _swept(ball, above, turning) + _swept(ball, turning, out)


def _along_when(shape: ChuteShape, x: float, above: float) -> float:
    """Return how far down the floor a point so high above it has reached ``x``."""
    return (x + shape.half - above * math.sin(shape.slope)) / math.cos(shape.slope)


def _swept(
    ball: Manifold, start: tuple[float, float, float], end: tuple[float, float, float]
) -> Manifold:
    return Manifold.batch_hull([ball.translate(start), ball.translate(end)])


def bounce_mm(sizes: Sizes, board: Board) -> float:
    """Return how far a piece leaves the chute's floor after it came down on it.

    It falls freely onto the floor under the pocket's middle and leaves it with ``chute.bounce``
    of the speed that it had towards it.
    """
    shape = chute_shape(sizes, board)
    fallen = board.board_thickness_mm + shape.floor_z + shape.half * math.tan(shape.slope)
    fallen -= board.thinnest_piece_mm
    towards = math.sqrt(2 * GRAVITY_MM_S2 * fallen) * math.cos(shape.slope) * sizes.chute.bounce
    return towards**2 / (2 * GRAVITY_MM_S2 * math.cos(shape.slope))


def room_to_bounce_mm(sizes: Sizes) -> float:
    """Return how far a piece may leave the felt and still cover all of the chute's beam."""
    return sizes.chute.beam_height_mm - sizes.beam.aperture_mm / 2 - sizes.chute.felt_mm


def chute_ms(sizes: Sizes, board: Board) -> float:
    """Return the least time that the smallest piece breaks the chute's beam: as if in free fall."""
    shape = chute_shape(sizes, board)
    _x, _y, z = shape.on_floor(shape.beam_along, sizes.chute.beam_height_mm)
    speed = math.sqrt(2 * GRAVITY_MM_S2 * (board.board_thickness_mm + z))
    return 1_000 * board.smallest_piece_mm / speed
