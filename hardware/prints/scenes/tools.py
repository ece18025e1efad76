"""Tools, fasteners and a hand, in rough shape: each with its tip or head at the origin.

What has a tip points down to it, from +z.
"""

from __future__ import annotations

from collections.abc import Sequence

from manifold3d import Manifold

from hardware.prints.bought import Vector, tube
from hardware.prints.render import DARK, METAL, RED, Colour, Thing
from hardware.prints.solids import block, cylinder, joined

SKIN: Colour = (226, 178, 148)
HANDLE: Colour = (60, 96, 140)
SHRINK: Colour = (40, 44, 52)
TIE: Colour = (236, 236, 230)
PALE: Colour = (232, 232, 228)


def placed(
    things: Sequence[Thing], by: Vector, turn: Vector = (0.0, 0.0, 0.0), *, wide: float = 1.0
) -> list[Thing]:
    """Return things ``wide`` times as large, turned by degrees around x, y and z, and moved."""
    return [
        Thing(each.solid.scale((wide, wide, wide)).rotate(turn).translate(by), each.colour,
              each.edges)
        for each in things
    ]  # fmt: skip


def iron() -> list[Thing]:
    """Return a soldering iron."""
    return [
        Thing(cylinder(0.4, (0.0, 9.0), top=2.2) + cylinder(2.2, (9.0, 30.0)), METAL),
        Thing(cylinder(5.5, (30.0, 32.0)) + cylinder(4.2, (32.0, 76.0), top=5.5), HANDLE),
    ]


def drill(radius: float, free: float, *, stop: bool = True) -> list[Thing]:
    """Return a drill with its chuck; a stop leaves so much of it free."""
    found = [
        Thing(cylinder(0.1, (0.0, radius), top=radius) + cylinder(radius, (radius, 42.0)), METAL),
        Thing(cylinder(7.0, (42.0, 50.0), top=11.0) + cylinder(11.0, (50.0, 78.0)), DARK),
    ]
    if stop:
        found.append(Thing(cylinder(radius + 3.0, (free, free + 7.0)), RED))
    return found


def screw(long: float = 10.0, radius: float = 1.5, *, pan: bool = False) -> list[Thing]:
    """Return a screw whose head has its upper face at z = 0; it points down."""
    head = cylinder(2 * radius, (-1.6, 0.0)) if pan else cylinder(radius, (-1.6, 0.0), top=3.2)
    shaft = cylinder(radius, (3.0 - long, -1.5)) + cylinder(0.2, (-long, 3.0 - long), top=radius)
    slot = block((-2.0, 2.0), (-0.35, 0.35), (-0.7, 0.1))
    return [Thing((head + shaft) - slot, METAL)]


def tie(points: Sequence[Vector], *, head: Vector, thick: float = 0.9) -> list[Thing]:
    """Return a cable tie along points, with its head."""
    x, y, z = head
    lock = block((x - 2.2, x + 2.2), (y - 2.2, y + 2.2), (z - 1.8, z + 1.8))
    return [Thing(tube(points, thick) + lock, TIE)]


def finger(long: float = 60.0, radius: float = 7.5) -> list[Thing]:
    """Return a finger that points down."""
    tip = Manifold.sphere(radius, 40).translate((0.0, 0.0, radius))
    end = Manifold.sphere(radius + 1.5, 40).translate((0.0, 0.0, long))
    nail = Manifold.sphere(4.6, 32).scale((1.0, 0.35, 1.3))
    nail = nail.translate((0.0, -radius + 0.4, 9.0))
    body = Manifold.batch_hull([tip, end])
    return [Thing(body, SKIN, edges=False), Thing(nail, (244, 214, 200), edges=False)]


def probe(colour: Colour) -> list[Thing]:
    """Return a multimeter's probe."""
    return [
        Thing(cylinder(0.2, (0.0, 4.0), top=1.0) + cylinder(1.0, (4.0, 14.0)), METAL),
        Thing(cylinder(4.0, (14.0, 16.0)) + cylinder(3.0, (16.0, 52.0), top=2.2), colour),
    ]


def meter() -> list[Thing]:
    """Return a multimeter that lies on its back, its lower edge towards -y."""
    body = block((-32.0, 32.0), (-60.0, 60.0), (0.0, 22.0))
    dial = cylinder(15.0, (22.0, 25.0), (0.0, -6.0))
    hand = block((-1.5, 1.5), (-6.0, 8.0), (25.0, 27.0))
    sockets = joined([cylinder(4.0, (22.0, 23.5), (x, -46.0)) for x in (-14.0, 14.0)])
    return [
        Thing(body, (214, 176, 60)), Thing(dial, DARK), Thing(hand, PALE), Thing(sockets, DARK),
        Thing(block((-24.0, 24.0), (24.0, 50.0), (22.0, 23.0)), (190, 204, 186)),
    ]  # fmt: skip


def thread(start: Vector, end: Vector, thick: float = 0.35) -> Thing:
    """Return the thin line along which a part goes to its place."""
    return Thing(tube([start, end], thick), (120, 116, 110), edges=False)
