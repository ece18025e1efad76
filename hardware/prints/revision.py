"""The number of a printed part's revision, engraved into a face that is printed upwards.

Parts without a number are of the first revision; the count began with the second. Digits are of
straight strokes that a 0.4 mm nozzle still draws, with walls between them that it does, too.
Lengths are millimetres.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from manifold3d import CrossSection, Manifold, OpType
from msgspec import Struct

from hardware.prints import boxes, corner, housings, pocket
from hardware.prints.parameters import Sizes
from hardware.prints.solids import EPS, Point, plate

DIGIT_MM = (3.0, 5.2)
"""Width and height of a digit."""

STROKE_MM = 0.8
DEEP_MM = 0.6
"""Two lines of the nozzle wide, three layers deep."""

APART_MM = 4.4
"""From digit to digit."""

_LIT = ("abcdef", "bc", "abdeg", "abcdg", "bcfg", "acdfg", "acdefg", "abc", "abcdefg", "abcdfg")
"""Which of the seven strokes each digit has: a above, then clockwise, g in the middle."""


class Place(Struct, frozen=True):
    """Where a part's number is engraved: its middle, and how it is turned."""

    at: Point
    turn_deg: float = 0.0


def strokes(revision: int) -> CrossSection:
    """Return the outline of a number around the origin."""
    digits = str(revision)
    first = -APART_MM * (len(digits) - 1) / 2
    return CrossSection.batch_boolean(
        [_digit(int(each)).translate((first + APART_MM * i, 0.0)) for i, each in enumerate(digits)],
        OpType.Add,
    )


def _digit(digit: int) -> CrossSection:
    (width, height), half = DIGIT_MM, STROKE_MM / 2
    x, y = width / 2 - half, height / 2 - half
    ends = {
        "a": ((-x, y), (x, y)), "b": ((x, 0.0), (x, y)), "c": ((x, -y), (x, 0.0)),
        "d": ((-x, -y), (x, -y)), "e": ((-x, -y), (-x, 0.0)), "f": ((-x, 0.0), (-x, y)),
        "g": ((-x, 0.0), (x, 0.0)),
    }  # fmt: skip
    lines = [
        CrossSection.square((x1 - x0 + STROKE_MM, y1 - y0 + STROKE_MM)).translate(
            (x0 - half, y0 - half)
        )
        for (x0, y0), (x1, y1) in (ends[each] for each in _LIT[digit])
    ]
    return CrossSection.batch_boolean(lines, OpType.Add)


def groove(solid: Manifold, place: Place, revision: int) -> Manifold:
    """Return what a number takes from the uppermost face of a solid at a place.

    Raise :class:`ValueError` where nothing is there.
    """
    x, y = place.at
    low, high = solid.bounding_box()[2] - 1.0, solid.bounding_box()[5] + 1.0
    hits = solid.ray_cast((x + OFF_MM, y + OFF_MM, high), (x + OFF_MM, y + OFF_MM, low))
    if not hits:
        raise ValueError(f"no part at {x:.1f}, {y:.1f} to engrave")
    top = high - hits[0].distance * (high - low)
    outline = strokes(revision).rotate(place.turn_deg).translate(place.at)
    return plate(outline, (top - DEEP_MM, top + EPS))


OFF_MM = 0.01
"""How far beside the middle the face is looked for, so that no edge of a triangle is hit."""


def engraved(solid: Manifold, place: Place, revision: int) -> Manifold:
    """Return a part with its number."""
    return solid - groove(solid, place, revision)


# --- where -------------------------------------------------------------------------------

HELD_MM = 9.0
"""How far behind a tube's inside a holder carries its number: before the rim of the lens."""


def _of_pocket(board: str, kind: str) -> Callable[[Sizes], Place]:
    """Return the place on top of a holder, as the part hangs: it is read from below."""

    def place(sizes: Sizes) -> Place:
        its = sizes.boards[board]
        far = pocket.tube_radius(its, sizes.beam) + HELD_MM
        match kind:
            case "slim":
                axis = pocket.slim_axis(sizes, its)
                return Place((axis.start[0] - sizes.beam.recess_mm + HELD_MM, axis.start[1]))
            case "chute":
                return Place((pocket.chute_axis(sizes, its).start[0], far), 90.0)
        return Place((far, 0.0))

    return place


def _in_corner(layout: Callable[[Sizes], boxes.Layout]) -> Callable[[Sizes], Place]:
    """Return the place in the corner of a lid, or of a box's floor inside."""

    def place(sizes: Sizes) -> Place:
        return Place((14.0 - layout(sizes).width / 2, 8.0 - layout(sizes).depth / 2))

    return place


def _with_window(sizes: Sizes) -> boxes.Layout:
    return boxes.referee_layout(sizes, window=True)


def _at(x: float, y: float, turn_deg: float = 0.0) -> Callable[[Sizes], Place]:
    """Return a place that is the same whatever the sizes are."""
    return lambda _sizes: Place((x, y), turn_deg)


def _below_window(sizes: Sizes) -> Place:
    edge = housings.bezel_size(sizes)[1] / 2
    window = sizes.oled.window_height_mm / 2 - sizes.oled.window_up_mm
    return Place((0.0, -(edge + window) / 2))


def _on_cover(sizes: Sizes) -> Place:
    at = corner.opening_mm(sizes) - 8.0
    return Place((at, at))


def _on_tab(sizes: Sizes) -> Place:
    (x, _x1), (y0, y1) = corner.drawer_inside(sizes)
    return Place((x - sizes.print.wall_mm - corner.TAB_MM / 2, (y0 + y1) / 2), 90.0)


def _on_corner(sizes: Sizes) -> Place:
    [one, _two] = corner.axes(sizes)
    return Place((one.start[0] - 4.0, one.start[1]))


PLACES: Mapping[str, Callable[[Sizes], Place]] = MappingProxyType(
    {
        **{
            f"{board}_{kind}": _of_pocket(board, kind)
            for board in ("carrom", "hikone")
            for kind in ("single", "slim", "crossed", "chute")
        },
        "fit_gauge": _at(79.0, 5.0),
        "closed_corner": _on_corner,
        "closed_eye": _at(18.0, 0.0, 90.0),
        "closed_cover": _on_cover,
        "closed_drawer": _on_tab,
        "closed_foot": _at((corner.FOOT_MM + corner.SCREWDRIVER_MM) / 4, 0.0),
        "tray": _at(0.0, 0.0),
        "board_pad": _at(0.0, 0.0),
        **{f"seat_{what}": _in_corner(boxes.seat_layout) for what in ("box", "lid")},
        **{f"referee_{what}": _in_corner(boxes.referee_layout) for what in ("box", "lid")},
        **{f"referee_{what}_oled": _in_corner(_with_window) for what in ("box", "lid")},
        **{f"hub_{what}": _in_corner(housings.hub_layout) for what in ("case", "lid")},
        "hub_plate": _at(0.0, 0.0),
        "oled_case": _at(0.0, 0.0),
        "oled_bezel": _below_window,
    }
)
"""Where each part carries its number: on no face that light, a screw or a seam needs."""

UNMARKED: Mapping[str, str] = MappingProxyType(
    {
        "sleeve": "its only free face is the ring around the light",
        "cable_clip": "its faces are smaller than the number",
        "carrom_head": "its upper end is the open one, of walls thinner than the number",
        "hikone_head": "its upper end is the open one, of walls thinner than the number",
    }
)
"""The parts that carry none, and why."""
