"""The boxes for buttons: a seat's, the referee's, their lids, with marks for the thumb.

A box stands on its bottom, open above; its lid lies with the inside down. Screws of 3 mm go
through the lid into posts in the corners. Marks are shapes that a thumb tells apart: a ring
around OK, one bar for FIX, two for FOUL, three for OFF, an arrow for UNDO.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from manifold3d import CrossSection, Manifold
from msgspec import Struct

from hardware.prints.parameters import Sizes
from hardware.prints.solids import (
    EPS,
    PLASTIC_SCREW_FREE_MM,
    PLASTIC_SCREW_MM,
    Point,
    block,
    bore,
    countersunk,
    cylinder,
    disc_at,
    joined,
    plate,
    rounded,
    without,
)

CORNER_MM = 6.0
POST_MM = 4.5
"""Radius of the posts that the lid's screws go into."""

BAR_MM = (9.0, 1.8)
"""Length and width of a bar."""

BAR_PITCH_MM = 4.4
"""From bar to bar: the gap of 2.6 is what a fingertip still tells apart (braille's is 2.3)."""

GAP_MM = 6.0
"""Between the rims of two buttons: two thumbs, not one, press both."""


class Hole(Struct, frozen=True):
    """A button or lamp in a lid: where, how large its hole and its rim are, which mark."""

    name: str
    at: Point
    hole_mm: float
    rim_mm: float
    mark: str


MARKS: Mapping[str, str] = {
    "ok": "a ring around it",
    "fix": "one bar",
    "foul": "two bars",
    "off": "three bars",
    "undo": "an arrow to the left",
}
"""What a thumb feels beside each button."""


class Layout(Struct, frozen=True):
    """A box: its outer size, and what is in its lid."""

    width: float
    depth: float
    height: float
    holes: tuple[Hole, ...]

    @property
    def posts(self) -> tuple[Point, ...]:
        """Where the screws are."""
        x, y = self.width / 2 - POST_MM - 0.5, self.depth / 2 - POST_MM - 0.5
        return ((x, y), (-x, y), (-x, -y), (x, -y))


def _height(sizes: Sizes) -> float:
    return sizes.print.floor_mm + sizes.box.button_depth_mm + 4.0


def seat_layout(sizes: Sizes) -> Layout:
    """Lay out a seat's box: FIX at the left, the lamp above it, OK at the right."""
    box = sizes.box
    ok, fix = _ok_size(sizes), box.small_rim_mm
    width = ok + fix + GAP_MM + 2 * 13.0
    depth = max(ok + 12.0, fix + 2 * 14.0)
    ok_x = width / 2 - 13.0 - ok / 2
    fix_x = -width / 2 + 13.0 + fix / 2
    fix_y = -depth / 2 + 12.0 + fix / 2
    return Layout(
        width,
        depth,
        _height(sizes),
        (
            Hole("ok", (ok_x, 0.0), box.ok_hole_mm, box.ok_rim_mm, "ok"),
            Hole("fix", (fix_x, fix_y), box.small_hole_mm, fix, "fix"),
            Hole("lamp", (ok_x - ok / 2 - 3.0, depth / 2 - 9.0), box.lamp_hole_mm, 9.0, ""),
        ),
    )


def _ok_size(sizes: Sizes) -> float:
    """Return the diameter of OK with the ring around it."""
    return sizes.box.ok_rim_mm + 2 * 3.4


def referee_layout(sizes: Sizes, *, window: bool = False) -> Layout:
    """Lay out the referee's box: OK before the right thumb, FIX beside it, the three above.

    With a window the display is above the buttons.
    """
    box = sizes.box
    ok, small = _ok_size(sizes), box.small_rim_mm
    pitch = small + 2 * GAP_MM + 2.0
    width = 3 * pitch + 12.0
    lower, upper = ok + 2.0, small + 13.0
    extra = sizes.oled.board_height_mm + 13.0 if window else 0.0
    depth = lower + upper + extra + 14.0
    low_y = -depth / 2 + 7.0 + lower / 2
    high_y = low_y + lower / 2 + upper / 2 - 3.0
    left = -pitch
    holes = [
        Hole("ok", (pitch - 6.0, low_y), box.ok_hole_mm, box.ok_rim_mm, "ok"),
        Hole("fix", (-4.0, low_y), box.small_hole_mm, small, "fix"),
        Hole("foul", (left, high_y), box.small_hole_mm, small, "foul"),
        Hole("off", (0.0, high_y), box.small_hole_mm, small, "off"),
        Hole("undo", (pitch, high_y), box.small_hole_mm, small, "undo"),
    ]
    return Layout(width, depth, _height(sizes), tuple(holes))


def shell(sizes: Sizes, layout: Layout) -> Manifold:
    """Make floor, walls, and the posts that the lid is screwed to."""
    wall, floor = sizes.print.wall_mm, sizes.print.floor_mm
    z = (0.0, layout.height)
    outer = plate(rounded(layout.width, layout.depth, CORNER_MM), z)
    inner = plate(
        rounded(layout.width - 2 * wall, layout.depth - 2 * wall, CORNER_MM - wall),
        (floor, layout.height + 1.0),
    )
    posts = joined([cylinder(POST_MM, z, at) + _corner(layout, at, z) for at in layout.posts])
    screws = [cylinder(PLASTIC_SCREW_MM / 2, (layout.height - 14.0, layout.height + 1.0), at)
              for at in layout.posts]  # fmt: skip
    return without(without(outer, [inner]) + (posts ^ outer), screws)


def box(sizes: Sizes, layout: Layout) -> Manifold:
    """Make a box: a hole for the cable at its back, a bridge to tie it to, two screw holes."""
    wall, floor = sizes.print.wall_mm, sizes.print.floor_mm
    cable = sizes.box.cable_mm / 2 + sizes.print.fit_mm
    hole = bore(cable, (-wall * 2, wall * 2), 0.0, 0.0).rotate((0.0, 0.0, 90.0))
    taken = [hole.translate((0.0, layout.depth / 2, floor + 4.0 + cable))]
    screws = [(x, 0.0) for x in (-layout.width / 4, layout.width / 4)]
    taken += [countersunk(at, sizes.print.ear_mm) for at in screws]
    bosses = [cylinder(BOSS_MM, (0.0, sizes.print.ear_mm), at) for at in screws]
    return without(joined([shell(sizes, layout), _tie_anchor(sizes, layout), *bosses]), taken)


BOSS_MM = 6.0
"""Radius of what wood screws go through in a box's floor."""


def _corner(layout: Layout, at: Point, z: Point) -> Manifold:
    """Fill what is between a post and its corner, so that no gap is left that does not print."""
    x = (at[0], math.copysign(layout.width / 2, at[0]))
    y = (at[1], math.copysign(layout.depth / 2, at[1]))
    return block((min(x), max(x)), (min(y), max(y)), z)


def _tie_anchor(sizes: Sizes, layout: Layout) -> Manifold:
    """Make the bridge on the floor that a cable tie holds the cable to."""
    floor, y = sizes.print.floor_mm, layout.depth / 2 - sizes.print.wall_mm - 12.0
    bridge = block((-7.0, 7.0), (y - 2.5, y + 2.5), (floor - EPS, floor + 8.0))
    hole = bore(1.8, (-3.0, 3.0), 0.0, 0.0).rotate((0.0, 0.0, 90.0))
    return without(bridge, [hole.translate((0.0, y, floor + 3.0))])


def lid(sizes: Sizes, layout: Layout, seat_for_oled: Sequence[Manifold] = ()) -> Manifold:
    """Make a lid with its marks; the last argument is what a display's seat takes away."""
    floor = sizes.print.floor_mm
    outline = rounded(layout.width, layout.depth, CORNER_MM)
    for hole in layout.holes:
        outline -= disc_at(hole.hole_mm / 2 + sizes.print.fit_mm / 2, hole.at)
    for at in layout.posts:
        outline -= disc_at(PLASTIC_SCREW_FREE_MM / 2, at)
    top = (floor - EPS, floor + sizes.box.mark_height_mm)
    marks = [plate(mark, top) for hole in layout.holes for mark in marks_of(hole)]
    return without(joined([plate(outline, (0.0, floor)), *marks]), list(seat_for_oled))


def marks_of(hole: Hole) -> Iterable[CrossSection]:
    """Return the outlines of a button's mark: all of it, above the button but for OK's ring."""
    x, y = hole.at
    above = y + hole.rim_mm / 2 + 4.6
    length, width = BAR_MM
    match hole.mark:
        case "ok":
            inner = hole.rim_mm / 2 + 1.4
            yield disc_at(inner + 2.0, hole.at) - disc_at(inner, hole.at)
        case "fix" | "foul" | "off":
            count = ("fix", "foul", "off").index(hole.mark) + 1
            for i in range(count):
                shift = (i - (count - 1) / 2) * BAR_PITCH_MM
                bar = CrossSection.square((width, length * 0.66), True)
                yield bar.translate((x + shift, above))
        case "undo":
            yield CrossSection.square((length, width), True).translate((x + 0.4, above))
            for side in (-1.0, 1.0):  # the two halves of a head of 90 degrees
                half = CrossSection.square((6.0, width)).translate((-width / 2, -width / 2))
                yield half.rotate(side * 45.0).translate((x - length / 2, above))
