"""The pictures of a whole board: from below, and at a festival."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

from manifold3d import CrossSection

from hardware.prints import bought, boxes, housings
from hardware.prints.bought import moved
from hardware.prints.catalogue import solids
from hardware.prints.parameters import Sizes
from hardware.prints.render import (
    DARK,
    METAL,
    PRINTED,
    PRINTED_TOO,
    RED,
    WOOD,
    Number,
    Scene,
    Thing,
    View,
)
from hardware.prints.scenes import tools
from hardware.prints.scenes.box import panel
from hardware.prints.scenes.common import CABLE, FLOOR, FRAME, LOW, WIDE, flipped, sizes_of
from hardware.prints.solids import block, cylinder, disc_at, plate, turned


def table(sizes: Sizes) -> Iterator[Thing]:
    """Return a board that lies face down: its plywood, the frame on its other side."""
    t = sizes.carrom.board_thickness_mm
    wood = CrossSection.square((880.0, 880.0), True)
    for x, y in product((-1.0, 1.0), repeat=2):
        wood -= disc_at(sizes.carrom.pocket_diameter_mm / 2, (x * 346.0, y * 346.0))
    yield Thing(plate(wood, (-t, 0.0)), WOOD)
    frame = CrossSection.square((880.0, 880.0), True) - CrossSection.square((740.0, 740.0), True)
    yield Thing(plate(frame, (-t - 22.0, -t)), FRAME)


def below() -> Scene:
    """Draw a board from below: where everything goes, and the way of every cable."""
    sizes = sizes_of()
    things = list(table(sizes))
    bracket = solids()["carrom_single"]
    for x, y in product((-1.0, 1.0), repeat=2):
        solid = turned(bracket, 45.0 if x * y > 0 else 135.0)
        things.append(Thing(solid.translate((x * 346.0, y * 346.0, 0.0)), PRINTED))
    hub_y = -300.0
    things.append(Thing(solids()["hub_case"].translate((0.0, hub_y, 0.0)), PRINTED))
    lid = solids()["hub_lid"].translate((0.0, hub_y, housings.hub_layout(sizes).height))
    things.append(Thing(lid, PRINTED_TOO))
    z = 6.0
    out = hub_y + housings.hub_layout(sizes).depth / 2 - 2.0
    runs = [
        [(27.0, out, 26.0), (27.0, out + 40, z), (352.0, out + 40, z), (352.0, 300.0, z)],
        [(-27.0, out, 26.0), (-27.0, out + 40, z), (-352.0, out + 40, z), (-352.0, 300.0, z)],
        [(54.0, out, 26.0), (54.0, out + 26, z), (340.0, out + 26, z), (340.0, -300.0, z)],
        [(-54.0, out, 26.0), (-54.0, out + 26, z), (-340.0, out + 26, z), (-340.0, -300.0, z)],
    ]
    things += [Thing(bought.tube(run, 2.8), CABLE, edges=False) for run in runs]
    clip = solids()["cable_clip"].rotate((90.0, 0.0, 0.0))
    for x, y in ((352.0, 150.0), (352.0, -60.0), (-352.0, 150.0), (-352.0, -60.0)):
        turn = 0.0 if x > 0 else 180.0
        things.append(Thing(turned(clip, turn + 180.0).translate((x, y, 0.0)), PRINTED))
    layout = boxes.referee_layout(sizes)
    box = [Thing(solids()["referee_box"], PRINTED)]
    box += moved([Thing(solids()["referee_lid"], PRINTED_TOO)], (0.0, 0.0, layout.height))
    box += moved(panel(layout, sizes), (0.0, 0.0, layout.height))
    things += moved(box, (120.0, -560.0, -34.0))
    near = 2 * hub_y - out
    run = [(0.0, near, 26.0), (0.0, -410.0, 18.0), (0.0, -452.0, 12.0), (40.0, -470.0, -30.0),
           (120.0, -490.0, -28.0), (120.0, -511.0, -26.0)]  # fmt: skip
    things.append(Thing(bought.tube(run, 2.8), CABLE, edges=False))
    oled = turned(solids()["oled_case"], 180.0).rotate((90.0, 0.0, 0.0))
    things.append(Thing(oled.translate((-190.0, -440.0, -8.0)), PRINTED))
    run = [(-54.0, near, 26.0), (-54.0, -400.0, 18.0), (-160.0, -420.0, 17.0),
           (-190.0, -438.0, 16.0)]  # fmt: skip
    things.append(Thing(bought.tube(run, 2.0), CABLE, edges=False))
    return Scene(things, View(14.0, 48.0), (1080, 760))


def festival() -> Scene:
    """Draw a board at a festival: the cable down a leg, the strip off the ground, shade."""
    floor = block((-900.0, 1_150.0), (-620.0, 620.0), (-20.0, 0.0))
    things = [Thing(floor, FLOOR)]
    legs = [block((x - 22, x + 22), (y - 22, y + 22), (0.0, 620.0))
            for x, y in product((-380.0, 380.0), repeat=2)]  # fmt: skip
    things += [Thing(each, FRAME) for each in legs]
    top = CrossSection.square((880.0, 880.0), True)
    for x, y in product((-1.0, 1.0), repeat=2):
        top -= disc_at(22.0, (x * 346.0, y * 346.0))
    rim = CrossSection.square((880.0, 880.0), True) - CrossSection.square((740.0, 740.0), True)
    things += [Thing(plate(top, (640.0, 652.0)), WOOD), Thing(plate(rim, (620.0, 674.0)), FRAME)]
    hub = solids()["hub_case"].rotate((180.0, 0.0, 0.0)).translate((0.0, -290.0, 640.0))
    things.append(Thing(hub, PRINTED))
    run = [(70.0, -290.0, 600.0), (380.0, -300.0, 600.0), (412.0, -380.0, 560.0),
           (412.0, -380.0, 40.0), (440.0, -380.0, 8.0), (760.0, -300.0, 8.0),
           (900.0, -60.0, 8.0), (900.0, 60.0, 90.0)]  # fmt: skip
    things.append(Thing(bought.tube(run, 6.0), CABLE, edges=False))
    mat = block((470.0, 850.0), (-420.0, -180.0), (0.0, 10.0))
    things.append(Thing(turned(mat.translate((-660.0, 300.0, 0.0)), 30.0)
                        .translate((660.0, -300.0, 0.0)), (90, 90, 96)))  # fmt: skip
    stand = block((840.0, 960.0), (40.0, 260.0), (0.0, 60.0))
    strip = block((870.0, 930.0), (50.0, 250.0), (60.0, 100.0))
    sockets = [cylinder(18.0, (99.0, 103.0), (900.0, y)) for y in (90.0, 140.0, 190.0)]
    things += [Thing(stand, WOOD), Thing(strip, (235, 235, 232))]
    things += [Thing(each, DARK) for each in sockets]
    pole = cylinder(16.0, (0.0, 1_500.0), (-660.0, 420.0))
    roof = cylinder(760.0, (1_500.0, 1_680.0), (-660.0 + 340.0, 120.0), top=40.0)
    things += [Thing(pole, METAL), Thing(roof, (200, 92, 74))]
    return Scene(things, View(-24.0, 16.0), (1080, 760))


def under() -> Scene:
    """Draw the hub below the frame's side: its screws, a clip, cables that come in loops."""
    sizes = sizes_of()
    layout = housings.hub_layout(sizes)
    wood = block((-120.0, 190.0), (-90.0, 150.0), (-12.0, 0.0))
    things = [Thing(wood, WOOD), Thing(solids()["hub_case"], PRINTED)]
    lid = Thing(solids()["hub_lid"], PRINTED_TOO)
    things += moved([lid], (0.0, 0.0, layout.height))
    for x, y in product((-1.0, 1.0), repeat=2):
        at = (x * (layout.width / 2 + 5.0), y * layout.depth / 3)
        things += moved(tools.screw(), (*at, 22.0))
        things.append(tools.thread((*at, 5.0), (*at, 12.0)))
    z, wall = sizes.print.floor_mm + sizes.hub.room_mm / 2, layout.depth / 2
    plug = tools.placed(bought.din_plug(), (54.0, wall, z), (0.0, 0.0, 180.0))
    turns = [math.radians(120.0 - 20.0 * i) for i in range(22)]
    loop = [(108.0 + 24.0 * math.cos(t), wall + 34.0 + 24.0 * math.sin(t), 16.0 - 0.55 * i)
            for i, t in enumerate(turns)]  # fmt: skip
    run = [(54.0, wall + 33.0, z), (58.0, wall + 48.0, z - 3.0), *loop, (190.0, wall + 50.0, 3.0)]
    things += [*plug, Thing(bought.tube(run, 2.6), CABLE, edges=False)]
    clip = solids()["cable_clip"].rotate((90.0, 0.0, 0.0))
    things.append(Thing(turned(clip, 90.0).translate((158.0, wall + 50.0, 0.0)), PRINTED))
    hole = (163.0, wall + 63.4)
    things += moved(tools.screw(pan=True), (*hole, 26.0))
    things.append(tools.thread((*hole, 5.0), (*hole, 16.0)))
    numbers = (
        Number((layout.width / 2 + 5.0, -layout.depth / 3, 21.0), (50.0, 30.0)),
        Number((112.0, wall + 10.0, 9.0), (-20.0, -60.0)),
        Number((163.0, wall + 50.0, 8.4), (60.0, -50.0)),
        Number((54.0, wall + 20.0, z + 7.0), (-50.0, 60.0)),
    )
    return Scene(things, View(34.0, 40.0), WIDE, numbers)


def card() -> Scene:
    """Draw a Pi with the memory card before its slot and the supply's plug before its socket."""
    things = bought.pi_zero()
    chip = block((-52.0, -37.0), (7.5, 18.5), (1.6, 2.6))
    plug = block((18.0, 25.0), (-30.0, -12.0), (0.6, 5.4)) + block(
        (19.0, 24.0), (-13.0, -7.0), (1.6, 4.0)
    )
    cord = bought.tube([(21.5, -30.0, 3.0), (21.5, -44.0, 1.6)], 1.6)
    things += [Thing(chip, DARK), Thing(plug, DARK), Thing(cord, CABLE, edges=False)]
    things.append(tools.thread((-37.0, 13.0, 2.1), (-33.0, 13.0, 2.1), 0.3))
    numbers = (
        Number((-46.0, 13.0, 2.6), (-40.0, 60.0)),
        Number((21.5, -20.0, 5.4), (60.0, -20.0)),
    )
    return Scene(things, View(22.0, 40.0), LOW, numbers)


def ready() -> Scene:
    """Draw a board that is ready to be played on: card, box and display at its south side."""
    sizes = sizes_of()
    things = flipped(list(table(sizes)))
    top = sizes.carrom.board_thickness_mm
    layout = boxes.referee_layout(sizes)
    box = [Thing(solids()["referee_box"], PRINTED)]
    box += moved([Thing(solids()["referee_lid"], PRINTED_TOO)], (0.0, 0.0, layout.height))
    box += moved(panel(layout, sizes), (0.0, 0.0, layout.height))
    things += moved(box, (170.0, -540.0, -40.0))
    run = [(170.0, -496.0, -30.0), (150.0, -470.0, -34.0), (100.0, -430.0, -20.0)]
    things.append(Thing(bought.tube(run, 3.0), CABLE, edges=False))
    oled = solids()["oled_case"].rotate((90.0, 0.0, 0.0)).translate((-60.0, -441.0, top - 2.0))
    things.append(Thing(oled, PRINTED))
    lit = block((-75.0, -45.0), (-459.0, -458.0), (top - 10.0, top + 8.0))
    things.append(Thing(lit, (20, 26, 40)))
    card = block((-360.0, -150.0), (-443.0, -441.0), (top - 277.0, top + 20.0))
    things.append(Thing(card, tools.PALE))
    men = [(0.0, 0.0), (34.0, 0.0), (-34.0, 0.0), (17.0, 30.0), (-17.0, 30.0), (17.0, -30.0),
           (-17.0, -30.0)]  # fmt: skip
    for i, at in enumerate(men):
        disc = bought.disc(31.0, 9.0).translate((*at, top))
        things.append(Thing(disc, RED if i == 0 else (DARK, (236, 214, 170))[i % 2]))
    numbers = (
        Number((-250.0, -443.0, -80.0), (-90.0, -20.0)),
        Number((215.0, -560.0, layout.height - 36.0), (80.0, -30.0)),
        Number((-60.0, -459.0, top - 2.0), (-40.0, -80.0)),
    )
    return Scene(things, View(12.0, 34.0), WIDE, numbers)


ALL = (card, under, below, ready, festival)
"""These pictures, in the order of the page."""
