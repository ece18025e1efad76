"""Housings: for the display, for the computer below the board, clips, and the fit gauge."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from manifold3d import CrossSection, Manifold

from hardware.prints.boxes import Layout, lid, shell
from hardware.prints.parameters import Sizes
from hardware.prints.pocket import EAR_MM, Seat, light_path
from hardware.prints.solids import (
    EPS,
    PLASTIC_SCREW_FREE_MM,
    PLASTIC_SCREW_MM,
    WOOD_SCREW_MM,
    Point,
    block,
    bore,
    countersunk,
    cylinder,
    disc_at,
    joined,
    plate,
    rounded,
    turned,
    without,
)

LEDGE_MM = 2.0
"""What the display's board rests on, at its left and right."""

BEZEL_MM = 2.0
"""Thickness of the frame in front of the display."""

PI_HOLES_MM: dict[str, tuple[Point, ...]] = {
    "large": tuple(product((-29.0, 29.0), (-24.5, 24.5))),
    "zero": tuple(product((-29.0, 29.0), (1.5, 24.5))),
}
"""Where the holes are (58 by 49, and 58 by 23), the two rows at the header one above the other."""

ZERO_NUT_MM = 2.0
"""How high a nut of 2.5 mm is. So much lower are the posts that a Zero alone uses, each with such a
nut on it: above one of them a large one has the slot of its memory card, above the other parts."""

PI_SCREW_MM = 2.1
"""Hole that a screw of 2.5 mm cuts its thread into."""

HUB_PITCH_MM = 27.0
"""From socket to socket."""

SOCKET_ROOF_MM = 0.6
"""How far a socket's hole goes on above round, so that little of its roof hangs in the air."""

HUB_SOCKETS = 5
"""On each long side: four pockets, four seats, the box, and one to spare."""

# --- the display -------------------------------------------------------------------------


def _seat_size(sizes: Sizes) -> Point:
    fit = sizes.print.fit_mm
    return (sizes.oled.board_width_mm + 2 * fit, sizes.oled.board_height_mm + 2 * fit)


def bezel_size(sizes: Sizes) -> Point:
    """Return the outer size of the frame in front of the display."""
    width, height = _seat_size(sizes)
    return (width + 17.0, height + 6.0)


def bezel_screws(sizes: Sizes) -> tuple[Point, ...]:
    """Return where the frame is screwed on: at the left and right of the display's board."""
    x = _seat_size(sizes)[0] / 2 + 4.2
    y = _seat_size(sizes)[1] / 2 - 4.0
    return tuple(product((-x, x), (-y, y)))


def bezel(sizes: Sizes) -> Manifold:
    """Make the frame; it is printed face down, its window widening to the front."""
    width, height = bezel_size(sizes)
    oled, flare = sizes.oled, 0.8
    z = (0.0, BEZEL_MM)
    body = plate(rounded(width, height, 3.0), z)
    window = CrossSection.square((oled.window_width_mm, oled.window_height_mm), True)
    wide = CrossSection.square(
        (oled.window_width_mm + 2 * flare, oled.window_height_mm + 2 * flare), True
    )
    front = Manifold.batch_hull([plate(wide, (-EPS, 0.0)), plate(window, (flare, flare + EPS))])
    up = (0.0, oled.window_up_mm, 0.0)
    taken = [plate(window, (-1.0, BEZEL_MM + 1.0)).translate(up), front.translate(up)]
    taken += [cylinder(PLASTIC_SCREW_FREE_MM / 2, (-1.0, BEZEL_MM + 1.0), at)
              for at in bezel_screws(sizes)]  # fmt: skip
    return without(body, taken)


def oled_seat(sizes: Sizes, at: Point, base: float) -> tuple[Manifold, list[Manifold]]:
    """Make what carries the display on a plate whose top is at ``base``, and what it takes away.

    The display lies on two ledges; below it the plate is open for its pins and wires.
    """
    width, height = _seat_size(sizes)
    top = base + sizes.oled.board_depth_mm + 2.4
    outer = bezel_size(sizes)
    body = plate(rounded(*outer, 3.0), (base - EPS, top)).translate((*at, 0.0))
    rest = top - sizes.oled.board_depth_mm - 0.2
    pocket = CrossSection.square((width, height), True)
    through = CrossSection.square((width - 2 * LEDGE_MM, height), True)
    taken = [plate(pocket, (rest, top + 1.0)), plate(through, (-1.0, top + 1.0))]
    taken += [cylinder(PLASTIC_SCREW_MM / 2, (-1.0, top + 1.0), hole)
              for hole in bezel_screws(sizes)]  # fmt: skip
    return body, [each.translate((*at, 0.0)) for each in taken]


def lid_with_window(sizes: Sizes, layout: Layout) -> Manifold:
    """Make the referee's lid with the display above the buttons."""
    y = layout.depth / 2 - bezel_size(sizes)[1] / 2 - 3.0
    body, taken = oled_seat(sizes, (0.0, y), sizes.print.floor_mm)
    return without(joined([lid(sizes, layout), body]), taken)


def oled_case(sizes: Sizes) -> Manifold:
    """Make the display's own case: it stands on its back, open to the front."""
    wall, floor = sizes.print.wall_mm, sizes.print.floor_mm
    width, height = bezel_size(sizes)
    room = 9.0
    base = floor + room
    seat, taken = oled_seat(sizes, (0.0, 0.0), base)
    outline = rounded(width, height, 3.0)
    inside = CrossSection.square(
        (_seat_size(sizes)[0] - 2 * LEDGE_MM, height - 2 * wall - 1.2), True
    )
    ears = [(-width / 2 - 4.0, 0.0), (width / 2 + 4.0, 0.0)]
    body = [plate(outline, (0.0, base)), seat]
    for x, y in ears:
        arm = CrossSection.batch_hull([disc_at(EAR_MM, (x, y)), disc_at(EAR_MM, (x * 0.7, y))])
        body.append(plate(arm, (0.0, sizes.print.ear_mm)))
    cable = 4.2 / 2 + sizes.print.fit_mm
    hole = bore(cable, (-10.0, 10.0), 0.0, 0.0).rotate((0.0, 0.0, 90.0))
    solid = without(joined(body), [plate(inside, (floor, base + 0.1))])
    posts = [each for each in taken if each is not taken[1]]
    through = taken[1].trim_by_plane((0.0, 0.0, 1.0), floor + EPS)
    cut = [each.trim_by_plane((0.0, 0.0, 1.0), floor + 1.0) for each in posts] + [through]
    cut.append(hole.translate((0.0, -height / 2, floor + cable + 1.2)))
    cut += [countersunk(at, sizes.print.ear_mm) for at in ears]
    return without(solid, cut)


# --- the computer ------------------------------------------------------------------------


def hub_layout(sizes: Sizes) -> Layout:
    """Lay out the hub's case: the computer in its middle, sockets along both long sides."""
    hub, wall = sizes.hub, sizes.print.wall_mm
    width = HUB_SOCKETS * HUB_PITCH_MM + 21.0
    depth = _PI_DEPTH_MM + max(hub.plug_mm, hub.socket_depth_mm) + hub.socket_depth_mm + 2 * wall
    return Layout(width, depth, sizes.print.floor_mm + hub.room_mm, ())


_PI_DEPTH_MM = 58.0
"""A Raspberry Pi of 56 mm, and a little."""


def computer_at(sizes: Sizes) -> Point:
    """Return where the middle of the computer's four holes is in the hub.

    Off the middle: there is room for straight plugs before the supply's socket, at -y below the
    cables' sockets, and at the large ones' USB sockets, at +x.
    """
    hub = sizes.hub
    return (-18.0, max(0.0, hub.plug_mm - hub.socket_depth_mm) / 2)


def hub_case(sizes: Sizes) -> Manifold:
    """Make the hub's case: it is screwed under the board by its ears, its lid below.

    It has posts for every Raspberry Pi with 40 pins, round holes for the cables' sockets, and a
    notch at each short end for the supply and for displays.
    """
    hub, floor, wall = sizes.hub, sizes.print.floor_mm, sizes.print.wall_mm
    layout = hub_layout(sizes)
    width, depth = layout.width, layout.depth
    ears = list(product((-width / 2 - 5.0, width / 2 + 5.0), (-depth / 3, depth / 3)))
    arms = [
        plate(CrossSection.batch_hull([disc_at(EAR_MM, at), disc_at(EAR_MM, (at[0] * 0.8, at[1]))]),
              (0.0, sizes.print.ear_mm))
        for at in ears
    ]  # fmt: skip
    posts, taken = _posts(sizes, computer_at(sizes))
    taken += [countersunk(at, sizes.print.ear_mm) for at in ears]
    z = floor + hub.room_mm / 2
    for i, side in product(range(HUB_SOCKETS), (-1.0, 1.0)):
        x = (i - (HUB_SOCKETS - 1) / 2) * HUB_PITCH_MM
        apart = hub.socket_screws_mm / 2
        through = (-2 * wall, 2 * wall)
        socket = bore(hub.socket_mm / 2, through, 0.0, 0.0)
        socket = socket.trim_by_plane((0.0, 0.0, -1.0), -hub.socket_mm / 2 - SOCKET_ROOF_MM)
        for hole, shift in (
            (socket, 0.0),
            *((bore(1.6, through, 0.0, 0.0), s * apart) for s in (-1, 1)),
        ):
            taken.append(turned(hole, 90.0).translate((x + shift, side * depth / 2, z)))
    notch = (floor + hub.room_mm - hub.notch_mm, layout.height + 1.0)
    for side in (-1.0, 1.0):
        at = side * width / 2
        taken.append(block((at - 2 * wall, at + 2 * wall), (-hub.notch_mm, hub.notch_mm), notch))
    return without(joined([shell(sizes, layout), *arms, *posts]), taken)


def computer_holes(middle: Point) -> list[Point]:
    """Return where the screws of any Raspberry Pi are, around a middle."""
    found = sorted({at for each in PI_HOLES_MM.values() for at in each})
    return [(x + middle[0], y + middle[1]) for x, y in found]


def _posts(sizes: Sizes, middle: Point) -> tuple[list[Manifold], list[Manifold]]:
    """Make the computer's posts around a middle, and what their screws take away."""
    floor, (x, y) = sizes.print.floor_mm, middle
    top = dict.fromkeys(computer_holes(middle), floor + sizes.hub.post_mm - ZERO_NUT_MM)
    top |= {(x + dx, y + dy): floor + sizes.hub.post_mm for dx, dy in PI_HOLES_MM["large"]}
    posts = [cylinder(3.2, (floor - EPS, high), at) for at, high in top.items()]
    return posts, [cylinder(PI_SCREW_MM / 2, (floor, high + 1.0), at) for at, high in top.items()]


def hub_plate(sizes: Sizes) -> Manifold:
    """Make the plate with the computer's posts for a case that is bought.

    Its screws go through the case's floor into the wood; so much thinner are its ears.
    """
    floor = sizes.print.floor_mm
    ear = max(floor, sizes.print.ear_mm - sizes.hub.case_floor_mm)
    posts, taken = _posts(sizes, (0.0, 0.0))
    ears = plate_screws()
    body = [plate(rounded(70.0, 61.0, 4.0), (0.0, floor))]
    body += [cylinder(6.0, (0.0, ear), at) for at in ears]
    taken += [countersunk(at, ear) for at in ears]
    return without(joined([*body, *posts]), taken)


def plate_screws() -> tuple[Point, ...]:
    """Return where the wood screws of that plate are."""
    return tuple(product((-17.0, 17.0), (-20.0, 12.0)))


def hub_lid(sizes: Sizes) -> Manifold:
    """Make the hub's lid, with slots for air."""
    layout = hub_layout(sizes)
    slots = [plate(rounded(44.0, 3.0, 1.4).translate((x, y)), (-1.0, 9.0))
             for x, y in product((-26.0, 26.0), range(-24, 25, 8))]  # fmt: skip
    return without(lid(sizes, layout), slots)


# --- small things ------------------------------------------------------------------------


def cable_clip(sizes: Sizes) -> Manifold:
    """Make a clip that holds a cable to the board's underside; it is printed on its side."""
    cable, wall, floor = sizes.box.cable_mm + 0.5, sizes.print.wall_mm, sizes.print.ear_mm
    width, outer = 10.0, cable / 2 + wall
    upper = CrossSection.square((80.0, 40.0)).translate((-40.0, 0.0))
    arch = CrossSection.batch_hull([disc_at(outer, (0.0, cable / 2)), disc_at(outer, (0.0, 0.0))])
    foot = CrossSection.square((14.0 + wall / 2, floor)).translate((outer - wall / 2, 0.0))
    hollow = CrossSection.batch_hull(
        [disc_at(cable / 2, (0.0, cable / 2)), disc_at(cable / 2, (0.0, -1.0))]
    )
    solid = (((arch ^ upper) + foot) - hollow).extrude(width)
    screw = bore(WOOD_SCREW_MM / 2, (-1.0, floor + 1.0), 0.0, 0.0).rotate((0.0, 0.0, 90.0))
    return without(solid, [screw.translate((outer + 8.0, 0.0, width / 2))])


GAUGE_FITS_MM = (0.1, 0.2, 0.3, 0.4, 0.5)


def fit_gauge(sizes: Sizes) -> Manifold:
    """Make the gauge to print first: holes of five fits, lying as in the brackets.

    Dots count the tenths of a millimetre; at the end is a lens's way as in a bracket.
    """
    return joined(_gauge(sizes))


def _gauge(sizes: Sizes) -> Iterator[Manifold]:
    pitch, depth, height = 14.0, 10.0, 14.0
    count = len(GAUGE_FITS_MM)
    body = block((0.0, pitch * count), (0.0, depth), (0.0, height))
    taken = []
    for i, fit in enumerate(GAUGE_FITS_MM):
        hole = bore((sizes.beam.led_mm + fit) / 2, (-1.0, depth + 1.0), 0.0, 0.0)
        x = pitch * (i + 0.5)
        taken.append(hole.rotate((0.0, 0.0, 90.0)).translate((x, 0.0, height / 2)))
        for dot in range(i + 1):
            yield cylinder(0.8, (height - EPS, height + 0.8), (x - 4.4 + 2.2 * dot, depth / 2))
    yield without(body, taken)
    long = sizes.beam.recess_mm + sizes.beam.led_length_mm
    start = pitch * count - EPS
    seat = Seat(sizes.beam.recess_mm, sizes.beam.opening_mm(1))
    way = light_path(sizes, start, seat, (depth / 2, height / 2))
    yield without(block((start, start + long), (0.0, depth), (0.0, height)), way)
