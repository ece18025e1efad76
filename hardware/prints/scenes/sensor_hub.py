"""The pictures of the sensor hub's page: a colour head at a pocket, taken apart, and the discs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import product
from types import MappingProxyType

from manifold3d import Manifold

from hardware.board.head_board import EDGE_MM, HEAD
from hardware.board.shapes import body_of, pads_of
from hardware.board.silk import placed
from hardware.generate.harness import DIN_47100
from hardware.prints import bought, head, housings, pocket
from hardware.prints.bought import CIRCUIT, moved
from hardware.prints.catalogue import solids
from hardware.prints.render import (
    DARK,
    METAL,
    PRINTED,
    PRINTED_TOO,
    Colour,
    Number,
    Scene,
    Thing,
    View,
)
from hardware.prints.scenes import tools
from hardware.prints.scenes.common import CABLE, LOW, WIDE, board_slab, sizes_of
from hardware.prints.scenes.pockets import lenses
from hardware.prints.scenes.table import table
from hardware.prints.solids import block, cylinder, joined, turned

BRASS: Colour = (206, 170, 92)
PAD: Colour = (226, 196, 70)
CERAMIC: Colour = (236, 234, 228)
OFF_MM = 30.0
"""How far a head is drawn off its bracket."""
_HIGH: Mapping[str, tuple[float, Colour]] = MappingProxyType(
    {"photodiode": (1.2, DARK), "rgb": (1.9, (225, 228, 232)), "amplifier": (1.2, DARK)}
)


def board() -> list[Thing]:
    """Return a head's board in its holder's place as that is printed, for carrom."""
    sizes = sizes_of()
    inner = pocket.tube_radius(sizes.carrom, sizes.beam)
    face, low = inner + head.BEHIND_MM + head.CHIP_MM, head.window_z(sizes) + EDGE_MM
    half = HEAD.wide_mm / 2

    def on(left: float, top: float, right: float, bottom: float, high: float) -> Manifold:
        return block((face - high, face), (half - right, half - left), (low - bottom, low - top))

    whole = on(0.0, 0.0, HEAD.wide_mm, HEAD.high_mm, pocket.BOARD_MM)
    things = [Thing(whole.translate((pocket.BOARD_MM, 0.0, 0.0)), CIRCUIT)]
    for part in HEAD.parts:
        if part.part == "cores":
            x, y, _turn = HEAD.places[part.ref]
            for pad in pads_of(part.part):
                at = (half - x - pad.x, low - y)
                run = [(face, *at), (face + 5.0, *at), (face + 12.0, 0.6 * at[0], at[1] - 8.0)]
                things.append(Thing(bought.tube(run, 0.6), CABLE, edges=False))
            continue
        high, colour = _HIGH.get(part.part, (0.6, METAL))
        things.append(Thing(on(*placed(body_of(part.part), HEAD.places[part.ref]), high), colour))
    return things


def head_cores() -> Scene:
    """Draw a head's board from behind, a core of the cable before each of its holes."""
    half, places = HEAD.wide_mm / 2, HEAD.places
    board = block((0.0, pocket.BOARD_MM), (-half, half), (-HEAD.high_mm, 0.0))
    holes = [
        (half - places[part.ref][0] - pad.x, -places[part.ref][1] - pad.y, pad.name == "1")
        for part in HEAD.parts if part.part == "cores" for pad in pads_of(part.part)
    ]  # fmt: skip
    x, things, numbers = pocket.BOARD_MM, list[Thing](), list[Number]()
    for (y, z, is_square), colour in zip(holes, DIN_47100, strict=False):
        ring = cylinder(0.85, (0.0, 0.1))
        land = block((-0.85, 0.85), (-0.85, 0.85), (0.0, 0.1)) if is_square else ring
        things.append(Thing(land.rotate((0.0, 90.0, 0.0)).translate((x, y, z)), PAD))
        board -= cylinder(0.5, (-1.0, 3.0)).rotate((0.0, 90.0, 0.0)).translate((0.0, y, z))
        bare = bought.tube([(x - 1.0, y, z), (x + 5.0, y, z)], 0.25)
        run = [(x + 3.5, y, z), (x + 9.0, y, z - 0.8), (x + 15.0, 0.7 * y, z - 9.0)]
        things += [
            Thing(bare, METAL, edges=False),
            Thing(bought.tube(run, 0.55), bought.WIRES[colour], edges=False),
        ]
        numbers.append(Number((x, y, z + 0.85), (0.0, 56.0)))
    return Scene([Thing(board, CIRCUIT), *things], View(84.0, 24.0), LOW, numbers)


def head_at_pocket() -> Scene:
    """Draw a head in its holder between crossed beams, the board lying face down."""
    sizes = sizes_of()
    carrom = sizes.carrom
    bracket = solids()["carrom_crossed"] - head.drilled(sizes, carrom, 2)
    things = [
        board_slab(sizes, 150.0, carrom.pocket_diameter_mm / 2),
        Thing(bracket, PRINTED),
        *lenses(sizes, pocket.bracket_axes(sizes, carrom, 2)),
    ]
    for each in (Thing(solids()["carrom_head"], PRINTED_TOO), *board()):
        solid = head.in_place(sizes, carrom, 2, each.solid)
        things.append(Thing(solid, each.colour, each.edges))
    radius = pocket.tube_radius(carrom, sizes.beam)
    at, turn = radius + head.BEHIND_MM + head.CHIP_MM, math.radians(head.angle_deg(2))
    x, y, z = math.cos(turn), math.sin(turn), carrom.below_mm(2)
    end = z + sizes.beam.skirt_mm + pocket.NET_RING_MM
    back = at + pocket.BOARD_MM
    numbers = (
        Number((back * x, back * y, z - 3.0), (90.0, -40.0)),
        Number(((at - 3.0) * x - 9.0 * y, (at - 3.0) * y + 9.0 * x, z + 6.0), (20.0, 100.0)),
        Number((-radius, 0.0, end), (-90.0, 40.0)),
    )
    return Scene(things, View(72.0, 40.0), WIDE, numbers)


def head_single() -> Scene:
    """Draw a bracket for one beam, its tube drilled, and the head drawn off its place."""
    sizes = sizes_of()
    carrom = sizes.carrom
    bracket = solids()["carrom_single"] - head.drilled(sizes, carrom, 1)
    [axis] = pocket.bracket_axes(sizes, carrom, 1)
    things = [
        board_slab(sizes, 150.0, carrom.pocket_diameter_mm / 2),
        Thing(bracket, PRINTED),
        *lenses(sizes, (axis,)),
    ]
    aside = math.radians(head.angle_deg(1))
    out = (math.cos(aside), math.sin(aside))
    for each in (Thing(solids()["carrom_head"], PRINTED_TOO), *board()):
        solid = head.in_place(sizes, carrom, 1, each.solid)
        solid = solid.translate((OFF_MM * out[0], OFF_MM * out[1], 0.0))
        things.append(Thing(solid, each.colour, each.edges))
    far = pocket.tube_radius(carrom, sizes.beam) + sizes.print.wall_mm
    z = carrom.below_mm(1)
    ring = z + sizes.beam.skirt_mm + pocket.NET_RING_MM / 2

    def at(x: float, y: float, z: float) -> tuple[float, float, float]:
        return out[0] * x - out[1] * y, out[1] * x + out[0] * y, z

    eyes = head.eyes_mm()
    things += [tools.thread(at(far, -y, z), at(far + OFF_MM, -y, z)) for y in eyes]
    x, y, _z = axis.start
    numbers = (
        Number(at(far, -eyes[1], z), (190.0, 14.0)),
        Number(at(far, 0.0, ring), (-60.0, 80.0)),
        Number((x + 12.0, y, z + 18.0), (-60.0, 40.0)),
        Number((-x - 12.0, y, z + 18.0), (100.0, -30.0)),
        Number(at(far + OFF_MM + 9.0, 8.0, z), (110.0, -20.0)),
    )
    return Scene(things, View(150.0, 34.0), WIDE, numbers)


def head_apart() -> Scene:
    """Draw a holder with its board drawn out, and the tube drilled for its window, upside down."""
    sizes = sizes_of()
    carrom = sizes.carrom
    tube = solids()["carrom_crossed"] - head.drilled(sizes, carrom, 2)
    hung = turned(tube, -45.0).rotate((180.0, 0.0, 0.0))
    things = [Thing(hung.translate((20.0, 78.0, carrom.below_mm(2) + 6.0)), PRINTED)]
    things.append(Thing(solids()["carrom_head"], PRINTED_TOO))
    things += moved(board(), (0.0, 0.0, 24.0))
    inner = pocket.tube_radius(carrom, sizes.beam)
    face, low = inner + head.BEHIND_MM + head.CHIP_MM, head.window_z(sizes)
    ring = sizes.beam.skirt_mm + pocket.NET_RING_MM / 2
    one, far = math.radians(360.0 / pocket.NET_HOLES), inner + sizes.print.wall_mm
    tie = inner + 8.0
    half = math.radians(45.0) - 6.5 * one  # a hole that looks to the eye
    numbers = (
        Number((face, 6.0, 24.0 + low + 2.0), (-60.0, 70.0)),
        Number((tie * math.cos(one), -tie * math.sin(one), low - ring), (20.0, -60.0)),
        Number(
            (20.0 + far * math.cos(half), 78.0 + far * math.sin(half), 6.0 - ring), (-40.0, -70.0)
        ),
    )
    return Scene(things, View(-62.0, 22.0), WIDE, numbers)


def _discs() -> Iterator[Thing]:
    """Return a disc under each side of a board that lies face down, with the way of its cable."""
    hub = (0.0, -250.0)
    for (x, y), bend in (
        ((0.0, 330.0), (-300.0, 330.0)), ((330.0, 0.0), (330.0, -190.0)),
        ((110.0, -330.0), (110.0, -250.0)), ((-330.0, 0.0), (-330.0, -190.0)),
    ):  # fmt: skip
        yield Thing(cylinder(13.5, (0.0, 0.6), (x, y)), BRASS)
        yield Thing(cylinder(9.0, (0.6, 1.0), (x, y)), CERAMIC)
        run = [(x, y, 3.0), (*bend, 5.0), (*(bend if y < 0 else (-300.0, -190.0)), 5.0)]
        end = (hub[0] + (40.0 if x > 0 else -40.0), -190.0 if y > -300 else -250.0, 8.0)
        yield Thing(bought.tube([*run, end], 2.2), CABLE, edges=False)


def discs_below() -> Scene:
    """Draw a board from below with hub, sensor hub, and a disc under each side."""
    sizes = sizes_of()
    things = list(table(sizes))
    for x, y in product((-1.0, 1.0), repeat=2):
        solid = turned(solids()["carrom_crossed"], 45.0)
        things.append(Thing(solid.translate((x * 346.0, y * 346.0, 0.0)), PRINTED))
    things.append(Thing(solids()["hub_case"].translate((0.0, -320.0, 0.0)), PRINTED))
    lid = solids()["hub_lid"].translate((0.0, -320.0, housings.hub_layout(sizes).height))
    things.append(Thing(lid, PRINTED_TOO))
    things += _discs()
    holes = block((-35.0, 35.0), (-225.0, -175.0), (4.0, 5.6))
    pico = block((-25.5, 25.5), (-198.0, -177.0), (16.0, 17.0))
    strips = joined([block((-25.5, 25.5), (y, y + 2.5), (5.6, 16.0)) for y in (-198.0, -179.5)])
    things += [Thing(holes, CIRCUIT), Thing(strips, DARK), Thing(pico, (60, 140, 92))]
    run = [(25.5, -187.5, 18.0), (60.0, -187.5, 18.0), (70.0, -230.0, 14.0), (62.0, -262.0, 20.0)]
    things.append(Thing(bought.tube(run, 2.4), (230, 230, 226), edges=False))
    numbers = (
        Number((0.0, 330.0, 1.0), (50.0, 40.0)),
        Number((-330.0, 0.0, 1.0), (-50.0, 40.0)),
        Number((110.0, -330.0, 1.0), (60.0, -30.0)),
        Number((330.0, 0.0, 1.0), (50.0, 40.0)),
        Number((-40.0, -340.0, housings.hub_layout(sizes).height), (-110.0, 20.0)),
        Number((-20.0, -187.5, 17.0), (-60.0, 60.0)),
        Number((70.0, -230.0, 14.0), (60.0, 60.0)),
    )
    return Scene(things, View(12.0, 54.0), (1080, 760), numbers)


ALL = (head_at_pocket, head_single, head_cores, head_apart, discs_below)
"""These pictures, in the order of the page."""
