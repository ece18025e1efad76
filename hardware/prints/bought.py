"""What is not printed, in rough shape: for pictures only, nothing is measured from it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, product

from manifold3d import CrossSection, Manifold, OpType

from hardware.board import perfboard
from hardware.generate.builds import BUILDS
from hardware.prints.parameters import Beam
from hardware.prints.render import BLUE, DARK, GREEN, METAL, RED, YELLOW, Colour, Thing
from hardware.prints.solids import block, cylinder, disc_at, joined, plate

LEAST = next(build for build in BUILDS if build.name == "least")
BUTTON_COLOURS: dict[str, Colour] = {
    "ok": GREEN,
    "fix": YELLOW,
    "foul": RED,
    "off": BLUE,
    "undo": (240, 240, 238),
}
CIRCUIT: Colour = (44, 120, 84)
LAMP: Colour = (255, 214, 90)
Vector = tuple[float, float, float]


def moved(things: Sequence[Thing], by: Vector) -> list[Thing]:
    """Return the same things somewhere else."""
    return [Thing(each.solid.translate(by), each.colour, each.edges) for each in things]


def button(key: str, hole_mm: float, rim_mm: float) -> list[Thing]:
    """Return a snap-in arcade button whose rim lies on z = 0."""
    rim = cylinder(rim_mm / 2, (0.0, 2.5)) + cylinder(hole_mm / 2, (-18.0, 0.1))
    contacts = joined([block((x - 0.4, x + 0.4), (-3.0, 3.0), (-26.0, -17.0)) for x in (-5.0, 5.0)])
    cap = cylinder(hole_mm / 2 - 2.2, (2.4, 5.5))
    return [
        Thing(rim, BUTTON_COLOURS[key]),
        Thing(cap, BUTTON_COLOURS[key]),
        Thing(contacts, METAL),
    ]


def lamp() -> list[Thing]:
    """Return a lamp of 10 mm whose rim lies on z = 0."""
    body = cylinder(4.9, (-6.0, 4.0)) + Manifold.sphere(4.9, 24).translate((0.0, 0.0, 4.0))
    return [Thing(body, LAMP)]


def led(beam: Beam, *, receiver: bool) -> list[Thing]:
    """Return an emitter or receiver whose tip is at x = 0 and whose legs go to +x."""
    radius = beam.led_mm / 2
    straight = beam.led_length_mm - radius
    body = cylinder(radius, (0.0, straight)) + Manifold.sphere(radius, 24).translate(
        (0.0, 0.0, straight)
    )
    body = body + cylinder(beam.rim_mm / 2, (0.0, beam.rim_length_mm))
    legs = joined([block((y - 0.25, y + 0.25), (-0.25, 0.25), (-16.0, 0.1)) for y in (-1.3, 1.3)])
    turn = (0.0, -90.0, 0.0)
    colour = DARK if receiver else (150, 170, 210)
    return [
        Thing(each.translate((0, 0, -beam.led_length_mm)).rotate(turn), shade)
        for each, shade in ((body, colour), (legs, METAL))
    ]


WIRES: dict[str, Colour] = {
    "red": (196, 44, 40), "black": (44, 44, 48), "white": (244, 244, 240), "brown": (124, 82, 48),
    "green": (58, 150, 92), "yellow": (232, 200, 70), "grey": (160, 160, 164),
    "pink": (232, 150, 170),
}  # fmt: skip
MODULE_HIGH_MM = 20.0
"""The longest side of a ready-made emitter's or receiver's housing."""


def module(beam: Beam, *, receiver: bool) -> list[Thing]:
    """Return a ready-made half of a beam, its tip at x = 0, its housing upright at +x.

    It stands with the end that has the lens to the wood (-z); a receiver has three wires, an
    emitter two.
    """
    lens, _legs = led(beam, receiver=receiver)
    half, back = beam.module_width_mm / 2, beam.led_length_mm
    low = -half
    body = block((back, back + beam.module_depth_mm), (-half, half), (low, low + MODULE_HIGH_MM))
    found = [lens, Thing(body, DARK)]
    names = ("red", "black", "white") if receiver else ("red", "black")
    for i, name in enumerate(names):
        y = (i - (len(names) - 1) / 2) * 2.2
        x, top = back + beam.module_depth_mm / 2, low + MODULE_HIGH_MM
        run = [(x, y, top - 1.0), (x + 2.0, y, top + 7.0), (x + 13.0, 1.4 * y, top + 9.0)]
        found.append(Thing(tube(run, 0.9), WIRES[name], edges=False))
    return found


def board(beam: Beam, *, receiver: bool) -> list[Thing]:
    """Return a pocket board where a ready-made half of a beam would be, with its cables."""
    lens, _legs = led(beam, receiver=receiver)
    half, back = beam.module_width_mm / 2, beam.led_length_mm
    front, end = back + 1.6, MODULE_HIGH_MM - half
    body = block((back, front), (-half, half), (-half, end))
    joints = joined([block((front, front + 1.2), (y - 0.6, y + 0.6), (-0.6, 0.6))
                     for y in (-1.3, 1.3)])  # fmt: skip
    found = [lens, Thing(body, CIRCUIT), Thing(joints, METAL)]
    for z, out in ((end - 1.6, 8.0), (end - 6.4, 12.0)):
        for y, colour in ((-2.54, "white"), (0.0, "black"), (2.54, "red")):
            run = [(front, y, z), (front + 4.0, y, z + 1.0), (front + out, 0.4 * y, z + 9.0)]
            found.append(Thing(tube(run, 0.6), WIRES[colour], edges=False))
    return found


def light(start: Vector, end: Vector, radius: float = 0.8) -> Manifold:
    """Return a beam of light between two points."""
    return tube([start, end], radius)


def tube(points: Sequence[Vector], radius: float) -> Manifold:
    """Return a cable along points."""
    ball = Manifold.sphere(radius, 12)
    return joined(
        Manifold.batch_hull([ball.translate(a), ball.translate(b)]) for a, b in pairwise(points)
    )


def oled_module(width: float, height: float) -> list[Thing]:
    """Return a display whose circuit board lies on z = 0, its picture up."""
    board = block((-width / 2, width / 2), (-height / 2, height / 2), (0.0, 1.2))
    glass = block((-width / 2, width / 2), (-10.0, 13.0), (1.2, 2.8))
    lit = block((-14.7, 14.7), (-5.8, 8.9), (2.8, 2.9))
    return [Thing(board, BLUE), Thing(glass, DARK), Thing(lit, (20, 26, 40))]


def computer() -> list[Thing]:
    """Return a Raspberry Pi Zero with the hub's board of the build least on it, on z = 0."""
    return [*pi_zero(), *moved(strip(), (0.0, 0.0, BOARD_AT_MM - STRIP_MM)),
            *moved(hub_board(perfboard.layout(LEAST)), (0.0, 0.0, BOARD_AT_MM))]  # fmt: skip


def large_computer(plug_mm: float) -> list[Thing]:
    """Return a Raspberry Pi 4 with a straight USB-C plug in its supply's socket, on z = 0.

    Around the middle of its four holes; the plug is as long as it is given room. Below it are
    the slot of its memory card, and small parts.
    """
    pi = block((-32.5, 52.5), (-28.0, 28.0), (0.0, 1.4))
    below = block((-32.5, -20.5), (-6.0, 6.0), (-SLOT_MM, 0.0))
    below += block((-18.0, 34.0), (-14.0, 14.0), (-1.0, 0.0))
    chip = block((-8.0, 7.0), (-4.0, 11.0), (1.4, 3.8))
    header = block((-25.5, 25.5), (22.0, 27.0), (1.4, 10.0))
    usb = joined([block((38.0, 55.5), (y, y + 14.0), (1.4, 17.0)) for y in (-27.0, -9.0, 9.0)])
    socket = block((-25.8, -16.8), (-29.0, -22.0), (1.4, 4.6))
    x, z = PLUG_AT
    plug = block((x - 6.0, x + 6.0), (-29.0 - 24.0, -29.0), (z - 3.5, z + 3.5))
    plug += (
        cylinder(3.5, (0.0, plug_mm - 26.0), top=2.0)
        .rotate((90.0, 0.0, 0.0))
        .translate((x, -52.5, z))
    )
    return [
        Thing(pi, CIRCUIT), Thing(below, METAL), Thing(chip, METAL), Thing(header, DARK),
        Thing(usb, METAL), Thing(socket, METAL), Thing(plug, (235, 235, 232)),
    ]  # fmt: skip


SLOT_MM = 1.4
"""How far a large Raspberry Pi's slot for its memory card stands out below it."""

PLUG_AT = (-21.3, 3.0)
"""Where a Pi 4's supply socket has its middle, along its edge and above its underside."""


def din_socket() -> list[Thing]:
    """Return a socket in a wall: its face at y = 0, outwards to -y."""
    ears = [disc_at(2.3, (x, 0.0)) for x in (-11.15, 11.15)]
    flange = CrossSection.batch_hull([disc_at(9.5, (0.0, 0.0)), *ears])
    flange -= disc_at(1.6, (-11.15, 0.0)) + disc_at(1.6, (11.15, 0.0))
    face = plate(flange, (0.0, 1.2)) + cylinder(7.6, (-14.0, 0.1))
    ring = cylinder(6.4, (1.1, 1.5))
    turn = (90.0, 0.0, 0.0)
    return [Thing(face.rotate(turn), METAL), Thing(ring.rotate(turn), DARK)]


def din_plug() -> list[Thing]:
    """Return a plug in that socket."""
    body = cylinder(7.4, (1.4, 22.0)) + cylinder(7.4, (22.0, 34.0), top=3.4)
    return [Thing(body.rotate((90.0, 0.0, 0.0)), (50, 50, 54))]


def din_insert(contacts: int = 3) -> list[Thing]:
    """Return a plug without its cap, its pins to -x, its cups to +x; contact 2 is in the middle."""
    turn = (0.0, 90.0, 0.0)
    collar = cylinder(6.6, (-8.0, 0.0)) - cylinder(6.0, (-9.0, -1.0))
    half = cylinder(6.4, (0.0, 20.0)) - cylinder(5.6, (2.5, 21.0))
    half = half.trim_by_plane((1.0, 0.0, 0.0), -0.5).trim_by_plane((-1.0, 0.0, 0.0), -20.0)
    found = [Thing(collar.rotate(turn), METAL), Thing(half.rotate(turn), METAL)]
    found.append(Thing(cylinder(5.5, (0.0, 3.0)).rotate(turn), DARK))
    for _core, (y, z) in din_cups(contacts):
        pin = cylinder(0.7, (-7.0, 7.0)).rotate(turn)
        found.append(Thing(pin.translate((0.0, y, z)), PIN_GOLD))
    return found


def din_cups(contacts: int = 3) -> list[tuple[str, tuple[float, float]]]:
    """Return the colour of each core, and where its contact is in y and z, contact 1 first."""
    cores = ("white", "brown", "green", "yellow", "grey", "pink")[:contacts]
    step = 90.0 if contacts == 3 else 60.0
    angles = [math.radians(180.0 - step * i) for i in range(contacts)]
    return [(core, (3.5 * math.cos(a), 3.5 * math.sin(a)))
            for core, a in zip(cores, angles, strict=True)]  # fmt: skip


def disc(diameter: float, thickness: float) -> Manifold:
    """Return a piece that lies on z = 0."""
    return cylinder(diameter / 2, (0.0, thickness))


# --- the hub's board ---------------------------------------------------------------------

PIN_GOLD: Colour = (214, 178, 82)
STRIP_MM = 8.5
"""How high the socket strip below the hub's board is."""

BOARD_AT_MM = 12.4
"""How high above a Pi's underside the hub's board lies: on spacers of 11 mm."""


def pi_zero() -> list[Thing]:
    """Return a Raspberry Pi Zero with its header, lying on z = 0, as :func:`computer` has it."""
    pi = block((-32.5, 32.5), (-1.5, 28.5), (0.0, 1.4)) - joined(_pi_holes(-1.0, 3.0))
    pins = joined(_pins(0.32, (1.4, 9.8)))
    plugs = joined([block((x - 3.8, x + 3.8), (-2.6, 3.0), (1.4, 4.2)) for x in (8.9, 21.5)])
    return [
        Thing(pi, CIRCUIT), Thing(block((-8.0, 4.0), (6.0, 18.0), (1.4, 2.6)), DARK),
        Thing(block((-25.4, 25.4), (22.0, 27.0), (1.4, 3.9)), DARK), Thing(pins, PIN_GOLD),
        Thing(plugs + block((-26.0, -14.0), (-2.6, 4.0), (1.4, 4.4)), METAL),
        Thing(block((-33.0, -20.0), (7.0, 19.0), (1.4, 2.8)), METAL),
    ]  # fmt: skip


def _pins(half: float, z: tuple[float, float]) -> list[Manifold]:
    places = product((2.54 * i - 24.13 for i in range(20)), (23.23, 25.77))
    return [block((x - half, x + half), (y - half, y + half), z) for x, y in places]


def _pi_holes(low: float, high: float, radius: float = 1.4) -> list[Manifold]:
    return [cylinder(radius, (low, high), at) for at in PI_SCREWS]


PI_SCREWS = tuple((x, y) for x in (-29.0, 29.0) for y in (1.5, 24.5))
"""Where a Zero's holes are, as it lies in :func:`pi_zero`."""


def spacer() -> list[Thing]:
    """Return a spacer that stands on z = 0, its stud below."""
    body = Manifold.cylinder(11.0, 2.5, 2.5, 6)
    return [Thing(body + cylinder(1.2, (-6.0, 0.1)), PIN_GOLD)]


def strip() -> list[Thing]:
    """Return the socket strip above the header of :func:`pi_zero`, its lower face at z = 0."""
    body = block((-25.4, 25.4), (22.0, 27.0), (0.0, STRIP_MM))
    tails = joined(_pins(0.3, (STRIP_MM, STRIP_MM + 3.2)))
    return [Thing(body, DARK), Thing(tails, PIN_GOLD)]


def hole_at(column: float, row: float) -> tuple[float, float]:
    """Return where a hole of the board of holes is, above :func:`pi_zero`."""
    return (perfboard.PITCH_MM * (column - 12.5), 25.77 - perfboard.PITCH_MM * (row - 1))


BODY_COLOURS: dict[str, Colour] = {
    "r_1k": (206, 178, 134), "r_10k": (120, 160, 196), "fuse": YELLOW, "fuse_3v3": YELLOW,
    "kk4_socket": (240, 238, 230),
}  # fmt: skip


def hub_board(made: perfboard.Layout) -> list[Thing]:
    """Return a soldered board of holes above :func:`pi_zero`, its lower face at z = 0."""
    thick, half = 1.6, perfboard.WIDE_MM / 2
    low, high = hole_at(1, perfboard.ROWS)[1] - 3.4, hole_at(1, 1)[1] + 3.4
    outline = CrossSection.square((2 * half, high - low)).translate((-half, low))
    screws = [disc_at(1.6, at) for at in PI_SCREWS]
    places = product(range(1, perfboard.COLUMNS + 1), range(1, perfboard.ROWS + 1))
    holes = [CrossSection.square((0.9, 0.9), True).translate(hole_at(*at)) for at in places]
    solid = plate(CrossSection.batch_boolean([outline, *screws, *holes], OpType.Subtract),
                  (0.0, thick))  # fmt: skip
    found = [Thing(solid, (60, 140, 100), edges=False)]
    rim = outline.offset(0.02) - outline.offset(-0.5)
    found.append(Thing(plate(rim, (-0.02, thick + 0.02)), (60, 140, 100)))
    for part in made.parts:
        left, top, right, bottom = part.body
        (x0, y1), (x1, y0) = hole_at(left, top), hole_at(right, bottom)
        tall = {"kk4_socket": 8.0, "fuse": 9.0, "fuse_3v3": 7.0}.get(part.kind, 2.6)
        body = block((x0, x1), (y0, y1), (thick, thick + tall))
        found.append(Thing(body, BODY_COLOURS[part.kind]))
    wires = [
        tube([(*hole_at(*wire.start), thick + 0.6), (*hole_at(*wire.end), thick + 0.6)], 0.5)
        for wire in made.wires
        if wire.above
    ]
    found.append(Thing(joined(wires), (120, 130, 160), edges=False))
    return found
