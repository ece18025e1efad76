"""The shapes that parts are made of: blocks, bores, screw holes, all printable as they stand.

A part is a closed solid of the library manifold3d, in millimetres, in the position in which it
is printed: the bed is z = 0. A horizontal bore has a roof of 45 degrees, so that no part of it
hangs in the air.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from manifold3d import CrossSection, Manifold, OpType

CHORD_MM = 0.03
"""How far a circle's sides may lie from round: finer than a nozzle draws, small as a file."""

EPS = 0.01
"""How far one solid reaches into the next, so that no two faces only touch."""

WOOD_SCREW_MM = 3.4
WOOD_SCREW_HEAD_MM = 6.6
"""Hole and countersink for a wood screw of 3 mm."""

PLASTIC_SCREW_MM = 2.5
"""Hole that a screw of 3 mm cuts its own thread into."""

PLASTIC_SCREW_FREE_MM = 3.4
"""Hole that the same screw passes freely."""

Point = tuple[float, float]


def corners(radius: float) -> int:
    """Return how many corners a circle has, a multiple of four."""
    step = math.acos(max(0.5, 1 - CHORD_MM / radius))
    return 4 * max(4, math.ceil(math.pi / step / 4))


def circle(radius: float) -> CrossSection:
    """Return a circle around the origin."""
    return CrossSection.circle(radius, corners(radius))


def block(x: Point, y: Point, z: Point) -> Manifold:
    """Make a block between two corners."""
    size = (x[1] - x[0], y[1] - y[0], z[1] - z[0])
    return Manifold.cube(size).translate((x[0], y[0], z[0]))


def cylinder(radius: float, z: Point, at: Point = (0.0, 0.0), top: float | None = None) -> Manifold:
    """Make an upright cylinder, or a cone with another radius at its top."""
    high = radius if top is None else top
    solid = Manifold.cylinder(z[1] - z[0], radius, high, corners(max(radius, high)))
    return solid.translate((at[0], at[1], z[0]))


def plate(outline: CrossSection, z: Point) -> Manifold:
    """Make an upright solid of an outline."""
    return outline.extrude(z[1] - z[0]).translate((0.0, 0.0, z[0]))


def rounded(width: float, depth: float, radius: float) -> CrossSection:
    """Return a rectangle around the origin with round corners."""
    inner = CrossSection.square((width - 2 * radius, depth - 2 * radius), True)
    corner = circle(radius)
    half_w, half_d = width / 2 - radius, depth / 2 - radius
    corners = [corner.translate((x, y)) for x in (-half_w, half_w) for y in (-half_d, half_d)]
    assert not inner.is_empty(), "the radius is smaller than half of either side"
    return CrossSection.batch_hull(corners)


def disc_at(radius: float, at: Point) -> CrossSection:
    """Return a circle somewhere."""
    return circle(radius).translate(at)


def bore(radius: float, x: Point, y: float, z: float) -> Manifold:
    """Make what a horizontal hole along x takes away: round, with a roof of 45 degrees."""
    # The outline lies in (y, z): it is extruded along z, then z is turned to x.
    return _drop(radius).extrude(x[1] - x[0]).rotate((90.0, 0.0, 90.0)).translate((x[0], y, z))


def _drop(radius: float) -> CrossSection:
    """Return a circle whose upper part runs out into a tip of 90 degrees."""
    tip = (0.0, radius * math.sqrt(2))
    return CrossSection.hull_points([*map(tuple, circle(radius).to_polygons()[0]), tip])


def countersunk(at: Point, floor: float) -> Manifold:
    """Make what a wood screw takes away, its head in the plane z = ``floor``."""
    deep = (WOOD_SCREW_HEAD_MM - WOOD_SCREW_MM) / 2
    hole = cylinder(WOOD_SCREW_MM / 2, (-1.0, floor + 1.0), at)
    head = cylinder(WOOD_SCREW_MM / 2, (floor - deep, floor + EPS), at, WOOD_SCREW_HEAD_MM / 2)
    return hole + head


def joined(solids: Iterable[Manifold]) -> Manifold:
    """Join solids into one."""
    return Manifold.batch_boolean(list(solids), OpType.Add)


def without(solid: Manifold, taken: Sequence[Manifold]) -> Manifold:
    """Take solids away from one."""
    return Manifold.batch_boolean([solid, *taken], OpType.Subtract) if taken else solid


def turned(solid: Manifold, degrees: float) -> Manifold:
    """Turn a solid around the vertical axis."""
    return solid.rotate((0.0, 0.0, degrees))
