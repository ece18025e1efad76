"""The parts at a pocket: brackets for one beam and for two that cross, a chute, a sleeve.

All are drawn as they are printed, upside down: z = 0 is the underside of the board, and z grows
away from it. The beam of a bracket runs through the pocket's middle, ``Board.below_mm`` away
from the board. Holders stand on the flange, so that nothing hangs in the air.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from manifold3d import CrossSection, JoinType, Manifold
from msgspec import Struct

from hardware.prints.parameters import Beam, Board, Sizes
from hardware.prints.solids import (
    EPS,
    block,
    bore,
    corners,
    countersunk,
    cylinder,
    disc_at,
    joined,
    plate,
    turned,
    without,
)

EAR_MM = 6.0
"""Radius of the ears that the screws go through."""

TIE_MM = 3.4
"""Hole for a cable tie of 2.5 mm."""

BEYOND_BEAM_MM = 12.0
"""How far a chute goes on behind its beam."""

Point3 = tuple[float, float, float]


class Axis(Struct, frozen=True):
    """A beam: the two tips of the lenses, between which the light runs."""

    start: tuple[float, float, float]
    end: tuple[float, float, float]


def tube_radius(board: Board, beam: Beam) -> float:
    """Return the inner radius of a bracket's tube."""
    return board.pocket_diameter_mm / 2 + beam.pocket_gap_mm


def bracket(sizes: Sizes, board: Board, beams: int) -> Manifold:
    """Make the bracket for one beam or two that cross at right angles, at one height."""
    beam, below = sizes.beam, board.below_mm(beams)
    radius, recess = tube_radius(board, beam), beam.stands_back_mm(beams)
    body, taken = _tube(sizes, board, below, [45.0 + 90.0 * i for i in range(4)])
    for i in range(2 * beams):
        seat = Seat(recess, beam.opening_mm(beams))
        carrier, holes = holder(sizes, radius, seat, below, 0.0, foot=False)
        body.append(turned(carrier, 180 / beams * i))
        taken += [turned(hole, 180 / beams * i) for hole in holes]
    return without(joined(body), taken)


def _tube(
    sizes: Sizes, board: Board, below: float, ears_deg: Sequence[float]
) -> tuple[list[Manifold], list[Manifold]]:
    """Make a bracket's tube with its ears and holes for a net, and what is taken from it."""
    wall, ear_mm = sizes.print.wall_mm, sizes.print.ear_mm
    radius = tube_radius(board, sizes.beam)
    outer, height = radius + wall, below + sizes.beam.skirt_mm
    ears = [(outer + 5.0) * _unit(degrees) for degrees in ears_deg]
    outline = disc_at(radius + wall / 2, (0.0, 0.0))  # ends inside the tube's wall
    for ear in ears:
        outline += CrossSection.batch_hull([disc_at(EAR_MM, (ear.real, ear.imag)), _foot(ear)])
    ring, inside = _net_ring(sizes, radius, height)
    body = [plate(outline, (0.0, ear_mm)), cylinder(outer, (0.0, height)), ring]
    taken = [cylinder(radius, (-1.0, height + NET_RING_MM + 1.0)), *inside]
    taken += [countersunk((ear.real, ear.imag), ear_mm) for ear in ears]
    return body, taken


NET_RING_MM = 7.0
"""How far a tube goes on below its skirt, for the holes that a net is tied to."""

NET_HOLES = 12
NET_HOLE_MM = 3.0
"""Those holes: a cord or a cable tie of 2.5 mm goes through."""


def on_ring(number: float) -> complex:
    """Return the direction of one of a ring's holes."""
    return _unit(360.0 / NET_HOLES * (number + 0.5))


def _net_ring(sizes: Sizes, radius: float, height: float) -> tuple[Manifold, list[Manifold]]:
    """Make the end of a tube that a net is tied to, and what is taken from it.

    It has as many flat sides as holes, so that each goes straight through its wall.
    """
    outer, end = radius + sizes.print.wall_mm, height + NET_RING_MM
    ring = Manifold.cylinder(end - height + EPS, outer, outer, NET_HOLES)
    wide = radius / math.cos(math.pi / NET_HOLES)
    inside = Manifold.cylinder(end - height + 1.0, wide, wide, NET_HOLES)
    taken = [inside.translate((0.0, 0.0, height))]
    for i in range(NET_HOLES):
        hole = bore(NET_HOLE_MM / 2, (radius - 3.0, outer + 1.0), 0.0, height + NET_RING_MM / 2)
        taken.append(turned(hole, 360.0 / NET_HOLES * (i + 0.5)))
    return ring.translate((0.0, 0.0, height - EPS)), taken


SLIM_ASIDE_MM = 5.0
"""How far the slim bracket's beam may lie beside the pocket's middle, away from the corner."""


def slim_aside_mm(sizes: Sizes, board: Board) -> float:
    """Return how far it does: no farther than a piece that falls flat still covers it."""
    half = sizes.beam.opening_mm(1) / 2
    loose = tube_radius(board, sizes.beam) - board.smallest_piece_mm / 2
    return max(0.0, min(SLIM_ASIDE_MM, board.smallest_piece_mm / 2 - loose - half - 0.4))


def slim(sizes: Sizes, board: Board) -> Manifold:
    """Make the bracket for a pocket between two near walls, for a bare emitter and receiver.

    Its +y goes into the board's corner. The one beam runs across that, beside the middle, and the
    holders end at the lenses' backs.
    """
    beam, below = sizes.beam, board.below_mm(1)
    body, taken = _tube(sizes, board, below, [90.0, 220.0, 320.0])
    wall_x, aside = _slim_wall(sizes, board)
    rim = (beam.rim_mm + sizes.print.fit_mm) / 2
    half, top = rim + sizes.print.wall_mm, below + rim * math.sqrt(2) + sizes.print.wall_mm
    back = wall_x + beam.recess_mm + beam.led_length_mm
    seat = Seat(beam.recess_mm, beam.opening_mm(1))
    solid = block((wall_x + sizes.print.wall_mm / 2, back), (-half, half), (0.0, top))
    for degrees in (0.0, 180.0):
        body.append(turned(solid, degrees).translate((0.0, -aside, 0.0)))
        way = light_path(sizes, wall_x, seat, (0.0, below))
        taken += [turned(each, degrees).translate((0.0, -aside, 0.0)) for each in way]
    return without(joined(body), taken)


def _slim_wall(sizes: Sizes, board: Board) -> tuple[float, float]:
    """Return where the slim bracket's beam meets the tube's wall, and how far it lies aside."""
    aside = slim_aside_mm(sizes, board)
    return math.sqrt(tube_radius(board, sizes.beam) ** 2 - aside**2), aside


def slim_axis(sizes: Sizes, board: Board) -> Axis:
    """Return the beam of the slim bracket."""
    wall_x, aside = _slim_wall(sizes, board)
    far, z = wall_x + sizes.beam.recess_mm, board.below_mm(1)
    return Axis((far, -aside, z), (-far, -aside, z))


def _unit(degrees: float) -> complex:
    angle = math.radians(degrees)
    return complex(math.cos(angle), math.sin(angle))


def _foot(ear: complex) -> CrossSection:
    """Return where an ear's arm begins, inside the tube's wall."""
    inner = ear * 0.75
    return disc_at(EAR_MM, (inner.real, inner.imag))


def bracket_axes(sizes: Sizes, board: Board, beams: int) -> tuple[Axis, ...]:
    """Return the beams of a bracket."""
    far = tube_radius(board, sizes.beam) + sizes.beam.stands_back_mm(beams)
    z = board.below_mm(beams)
    found = []
    for i in range(beams):
        end = far * _unit(90 * i)
        found.append(Axis((end.real, end.imag, z), (-end.real, -end.imag, z)))
    return tuple(found)


class Seat(Struct, frozen=True):
    """How a lens sits: so far behind the wall, behind a hole so wide."""

    recess_mm: float
    opening_mm: float


def holder(
    sizes: Sizes, wall_x: float, seat: Seat, z: float, low: float, *, foot: bool
) -> tuple[Manifold, list[Manifold]]:
    """Make a holder at the +x side of a wall, from ``low`` up, and what is taken from it.

    A lens goes into its bore from behind, as far behind the wall's inside as its seat; a module
    stands between the cheeks, its lens in the bore, and a cable tie holds it. ``foot``: a wedge of
    45 degrees carries it, not the bed.
    """
    beam = sizes.beam
    half = _holder_half(sizes)
    cheek = half - sizes.print.wall_mm
    top = z + beam.module_width_mm / 2 + 1.0
    back = wall_x + seat.recess_mm + beam.led_length_mm
    end = back + beam.module_depth_mm + 3.0
    start = wall_x + sizes.print.wall_mm / 2
    profile = [(end, low), (end, top), (start, top), (start, low)]
    if foot:
        shelf = low - sizes.print.wall_mm
        profile = [(end, shelf), *profile[1:3], (start, shelf - (end - start))]
    slot = block((back, end + 1.0), (-cheek, cheek), (low if foot else -1.0, top + 1.0))
    solid = without(_across(CrossSection([profile]), half), [slot])
    tie = bore(TIE_MM / 2, (-half - 1.0, half + 1.0), 0.0, 0.0)
    tie = turned(tie, 90.0).translate((end - 1.6 - TIE_MM / 2, 0.0, z))
    return solid, [*light_path(sizes, wall_x, seat, (0.0, z)), tie]


def _holder_half(sizes: Sizes) -> float:
    return sizes.beam.module_width_mm / 2 + sizes.print.fit_mm + sizes.print.wall_mm


BOARD_MM = 1.6
"""Thickness of the printed board that may stand in a ready-made housing's place."""

RAIL_MM = 1.2
"""What lies on that board along both its long sides."""

JOINTS_MM = 2.5
"""How high its parts and joints stand behind it, at the most."""


def board_pad(sizes: Sizes) -> Manifold:
    """Make the pad behind a pocket board: with it the board is as deep as the housing was.

    So the cable tie that goes through the holder presses on it. Lies on its back.
    """
    beam, half = sizes.beam, sizes.beam.module_width_mm / 2
    high = beam.module_depth_mm - BOARD_MM - sizes.print.fit_mm
    channel = block((RAIL_MM - half, half - RAIL_MM), (-half - 1, half + 1), (high - JOINTS_MM, 99))
    return without(block((-half, half), (-half, half), (0.0, high)), [channel])


def pad_in_place(sizes: Sizes, pad: Manifold) -> Manifold:
    """Return that pad behind its board, where the lens's tip is at the origin and looks to -x."""
    back = sizes.beam.led_length_mm + sizes.beam.module_depth_mm - sizes.print.fit_mm
    return turned(pad, 90.0).rotate((0.0, -90.0, 0.0)).translate((back, 0.0, 0.0))


def light_path(sizes: Sizes, wall_x: float, seat: Seat, at: tuple[float, float]) -> list[Manifold]:
    """Make what light and lens take from a holder whose inner wall is at ``wall_x``, to +x.

    ``at`` is where y and z are.
    """
    beam, fit = sizes.beam, sizes.print.fit_mm
    (y, z), lens = at, wall_x + seat.recess_mm
    back = lens + beam.led_length_mm
    return [
        bore(seat.opening_mm / 2, (wall_x - 3.0, lens + EPS), y, z),
        bore((beam.led_mm + fit) / 2, (lens, back + EPS), y, z),
        bore((beam.rim_mm + fit) / 2, (back - beam.rim_length_mm, back + 1.0), y, z),
    ]


# --- the tray ----------------------------------------------------------------------------

TRAY_MM = (42.0, 40.0)
"""Inner radius of the tray's flat sides, and its inner depth."""


def tray(sizes: Sizes) -> Manifold:
    """Make the tray that catches pieces: it hangs by ties from a bracket's ring, or stands.

    It has as many flat sides as the ring, and a hole in each.
    """
    (radius, deep), floor = TRAY_MM, sizes.print.floor_mm
    corner = math.cos(math.pi / NET_HOLES)
    inner, outer = radius / corner, (radius + sizes.print.wall_mm) / corner
    body = Manifold.cylinder(floor + deep, outer, outer, NET_HOLES)
    taken = [Manifold.cylinder(deep + 1.0, inner, inner, NET_HOLES).translate((0.0, 0.0, floor))]
    for i in range(NET_HOLES):
        hole = bore(NET_HOLE_MM / 2, (radius - 3.0, outer + 1.0), 0.0, floor + deep - 5.0)
        taken.append(turned(hole, 360.0 / NET_HOLES * (i + 0.5)))
    return without(body, taken)


# --- the chute ---------------------------------------------------------------------------


class ChuteShape(Struct, frozen=True):
    """The chute's inside, seen from the side: x to where it leads, z down from the board.

    The floor goes from (-half, floor_z) down the slope, the roof from (half, roof_z) beside it.
    """

    half: float
    slope: float
    floor_z: float
    roof_z: float
    beam_along: float
    """How far down the floor the beam crosses it: where the pocket's column ends."""

    def on_floor(self, along: float, above: float = 0.0) -> Point3:
        """Return the point so far down the floor and so high above it, in the middle."""
        c, s = math.cos(self.slope), math.sin(self.slope)
        return (-self.half + along * c + above * s, 0.0, self.floor_z + along * s - above * c)

    @property
    def down(self) -> Point3:
        """The direction down the floor."""
        return (math.cos(self.slope), 0.0, math.sin(self.slope))

    @property
    def end_along(self) -> float:
        """How far down the floor it ends."""
        return self.beam_along + BEYOND_BEAM_MM

    @property
    def gap(self) -> float:
        """How far the roof is from the floor."""
        drop = self.roof_z - self.floor_z
        return 2 * self.half * math.sin(self.slope) - drop * math.cos(self.slope)


def chute_shape(sizes: Sizes, board: Board) -> ChuteShape:
    """Compute a chute for a board: as low as its largest piece allows in any position."""
    slope = math.radians(sizes.chute.slope_deg)
    half = tube_radius(board, sizes.beam)
    gap = board.largest_piece_mm + 2 * sizes.chute.clearance_mm
    roof_z = sizes.print.floor_mm + 2.0
    floor_z = roof_z + (gap - 2 * half * math.sin(slope)) / math.cos(slope)
    floor_z = max(floor_z, sizes.print.floor_mm + 2.0)
    return ChuteShape(half, slope, floor_z, roof_z, 2 * half / math.cos(slope))


def chute(sizes: Sizes, board: Board) -> Manifold:
    """Make the chute: a piece comes down upright, slides on the slope and crosses one beam."""
    shape, wall, floor = chute_shape(sizes, board), sizes.print.wall_mm, sizes.print.floor_mm
    inner = _side(shape, 0.0)
    outer = _side(shape, wall)
    half = shape.half
    c, _zero, s = shape.down
    x, _y, z = shape.on_floor(shape.end_along)
    shell = _across(outer, half + wall).trim_by_plane((-c, 0.0, -s), -(c * x + s * z))
    shell = shell.trim_by_plane((0.0, 0.0, 1.0), 0.0)
    reach = half + wall + 2.0
    ears = [(x, y) for x in (6.0 - reach, 2.0) for y in (-reach - 4, reach + 4)]
    flange = CrossSection.square((2 * half + wall, 2 * half + wall), True)  # inside the walls
    body = [shell, plate(flange, (0.0, floor))]
    for x, y in ears:
        foot = disc_at(EAR_MM, (x, y * 0.75))
        arm = CrossSection.batch_hull([disc_at(EAR_MM, (x, y)), foot])
        body.append(plate(arm, (0.0, sizes.print.ear_mm)))
    taken = [_across(inner, half), *_mouth_holes(shape, half + wall)]
    taken += [countersunk(ear, sizes.print.ear_mm) for ear in ears]
    x, _y, z = shape.on_floor(shape.beam_along, sizes.chute.beam_height_mm)
    for degrees in (90.0, -90.0):
        low = z - sizes.beam.module_width_mm / 2 - 1.0
        seat = Seat(sizes.beam.recess_mm, sizes.beam.opening_mm(1))
        carrier, holes = holder(sizes, half, seat, z, low, foot=True)
        move = (x, 0.0, 0.0)
        body.append(turned(carrier, degrees).translate(move))
        taken += [turned(hole, degrees).translate(move) for hole in holes]
    return without(joined(body), taken)


def _mouth_holes(shape: ChuteShape, outside: float) -> Iterator[Manifold]:
    """Yield the holes near the chute's mouth that a net or bag is tied to, in both side walls."""
    for above in (shape.gap / 2, shape.gap - 6.0):
        x, _y, z = shape.on_floor(shape.end_along - 5.0, above)
        hole = bore(NET_HOLE_MM / 2, (-outside - 1.0, outside + 1.0), 0.0, 0.0)
        yield turned(hole, 90.0).translate((x, 0.0, z))


def _side(shape: ChuteShape, wall: float) -> CrossSection:
    """Return the chute from the side, grown by a wall."""
    c, s = math.cos(shape.slope), math.sin(shape.slope)
    long = 3 * shape.end_along
    half = shape.half
    points = [(-half, -10.0), (half, -10.0), (half, shape.roof_z)]
    points += [(half + long * c, shape.roof_z + long * s)]
    points += [(-half + long * c, shape.floor_z + long * s), (-half, shape.floor_z)]
    outline = CrossSection([points])
    return outline.offset(wall, JoinType.Miter, 4.0) if wall else outline


def _across(side: CrossSection, half: float) -> Manifold:
    """Make a solid of the view from the side: (x, z) stays, y from -half to half."""
    return side.extrude(2 * half).rotate((90.0, 0.0, 0.0)).translate((0.0, half, 0.0))


def chute_axis(sizes: Sizes, board: Board) -> Axis:
    """Return the chute's beam."""
    shape = chute_shape(sizes, board)
    x, _y, z = shape.on_floor(shape.beam_along, sizes.chute.beam_height_mm)
    far = shape.half + sizes.beam.recess_mm
    return Axis((x, far, z), (x, -far, z))


# --- the sleeve --------------------------------------------------------------------------


def sleeve(sizes: Sizes) -> Manifold:
    """Make the sleeve that shades an emitter or receiver in a hole drilled into the board's wood.

    It stands on its collar; the lens goes in from the collar's side.
    """
    beam, fit, wall = sizes.beam, sizes.print.fit_mm, sizes.print.wall_mm
    outer = (beam.rim_mm + fit) / 2 + wall
    length = beam.recess_mm + beam.led_length_mm
    narrow, wide, rim = beam.aperture_mm / 2, (beam.led_mm + fit) / 2, (beam.rim_mm + fit) / 2
    lens, step = beam.led_length_mm, beam.rim_length_mm
    outline = [
        (rim, 0.0), (outer + 2.0, 0.0), (outer + 2.0, 2.0), (outer, 2.0), (outer, length),
        (narrow, length), (narrow, lens + wide - narrow), (wide, lens),
        (wide, step + rim - wide), (rim, step),
    ]  # fmt: skip
    return CrossSection([outline]).revolve(corners(outer))


def sleeve_drill_mm(sizes: Sizes) -> float:
    """Return the drill for the sleeve's hole."""
    return math.ceil(2 * ((sizes.beam.rim_mm + sizes.print.fit_mm) / 2 + sizes.print.wall_mm))
