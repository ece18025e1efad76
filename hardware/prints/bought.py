"""What is not printed, in rough shape: for pictures only, nothing is measured from it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from manifold3d import Manifold

from hardware.prints.parameters import Beam
from hardware.prints.render import BLUE, DARK, GREEN, METAL, RED, YELLOW, Colour, Thing
from hardware.prints.solids import block, cylinder, joined

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


WIRES: dict[str, Colour] = {"red": (196, 44, 40), "black": (44, 44, 48), "white": (244, 244, 240)}
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
    """Return a Raspberry Pi Zero with the board on its header, lying on z = 0."""
    pi = block((-32.5, 32.5), (-1.5, 28.5), (0.0, 1.4))
    chip = block((-8.0, 4.0), (6.0, 18.0), (1.4, 2.6))
    header = block((-25.5, 25.5), (22.0, 27.0), (1.4, 11.0))
    plugs = joined([block((x - 3.8, x + 3.8), (-2.6, 3.0), (1.4, 4.2)) for x in (8.9, 21.5)])
    upper = block((-32.5, 32.5), (-27.0, 29.0), (11.0, 12.6))
    parts = joined([block((x, x + 6.5), (-12.0, -9.6), (12.6, 15.0)) for x in range(-28, 24, 8)])
    return [
        Thing(pi, CIRCUIT), Thing(chip, DARK), Thing(header, DARK), Thing(plugs, METAL),
        Thing(upper, (60, 140, 100)), Thing(parts, (196, 164, 120)),
    ]  # fmt: skip


def large_computer(plug_mm: float) -> list[Thing]:
    """Return a Raspberry Pi 4 with a straight USB-C plug in its supply's socket, on z = 0.

    Around the middle of its four holes; the plug is as long as it is given room.
    """
    pi = block((-32.5, 52.5), (-28.0, 28.0), (0.0, 1.4))
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
        Thing(pi, CIRCUIT), Thing(chip, METAL), Thing(header, DARK), Thing(usb, METAL),
        Thing(socket, METAL), Thing(plug, (235, 235, 232)),
    ]  # fmt: skip


PLUG_AT = (-21.3, 3.0)
"""Where a Pi 4's supply socket has its middle, along its edge and above its underside."""


def din_socket() -> list[Thing]:
    """Return a socket in a wall: its face at y = 0, outwards to -y."""
    face = cylinder(9.5, (0.0, 1.2)) + cylinder(7.6, (-14.0, 0.1))
    ring = cylinder(6.4, (1.1, 1.5))
    turn = (90.0, 0.0, 0.0)
    return [Thing(face.rotate(turn), METAL), Thing(ring.rotate(turn), DARK)]


def din_plug() -> list[Thing]:
    """Return a plug in that socket."""
    body = cylinder(7.4, (1.4, 22.0)) + cylinder(7.4, (22.0, 34.0), top=3.4)
    return [Thing(body.rotate((90.0, 0.0, 0.0)), (50, 50, 54))]


def disc(diameter: float, thickness: float) -> Manifold:
    """Return a piece that lies on z = 0."""
    return cylinder(diameter / 2, (0.0, thickness))
