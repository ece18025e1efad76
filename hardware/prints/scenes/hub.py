"""The pictures of the hub: its board, its sockets and its case."""

from __future__ import annotations

from itertools import product

from manifold3d import Manifold

from hardware.board import perfboard
from hardware.prints import bought, housings
from hardware.prints.bought import moved
from hardware.prints.catalogue import solids
from hardware.prints.render import (
    DARK,
    METAL,
    PRINTED,
    PRINTED_TOO,
    RED,
    Number,
    Scene,
    Thing,
    View,
)
from hardware.prints.scenes import tools
from hardware.prints.scenes.common import CABLE, HALF, WIDE, sizes_of
from hardware.prints.solids import block, cylinder, joined, turned


def hub_open() -> Scene:
    """Draw the hub with its computer, sockets and plugs; its lid lifted."""
    sizes = sizes_of()
    layout = housings.hub_layout(sizes)
    floor = sizes.print.floor_mm
    things = [Thing(solids()["hub_case"], PRINTED)]
    at = housings.computer_at(sizes)
    things += moved(bought.computer(), (*at, floor + sizes.hub.post_mm))
    z = floor + sizes.hub.room_mm / 2
    for i, (side, turn) in product(range(housings.HUB_SOCKETS), ((-1.0, 0.0), (1.0, 180.0))):
        x = (i - (housings.HUB_SOCKETS - 1) / 2) * housings.HUB_PITCH_MM
        parts = bought.din_socket()
        if side < 0 and i in (0, 1, 3):
            parts += bought.din_plug()
        for each in parts:
            solid = turned(each.solid, turn).translate((x, side * layout.depth / 2, z))
            things.append(Thing(solid, each.colour))
    things += moved([Thing(solids()["hub_lid"], PRINTED_TOO)], (0.0, 36.0, layout.height + 52.0))
    return Scene(things, View(26.0, 34.0), WIDE)


def hub_plug() -> Scene:
    """Draw the hub from above with a straight plug in its Pi 4, below the cables' sockets."""
    sizes = sizes_of()
    floor = sizes.print.floor_mm
    things = [Thing(solids()["hub_case"], PRINTED)]
    at = housings.computer_at(sizes)
    things += moved(bought.large_computer(sizes.hub.plug_mm), (*at, floor + sizes.hub.post_mm))
    return Scene(things, View(8.0, 80.0), WIDE)


def board_stack() -> Scene:
    """Draw what goes onto a Pi, one over the other, and the iron that solders the strip."""
    things = bought.pi_zero()
    for x, y in bought.PI_SCREWS:
        things += moved(bought.spacer(), (x, y, 18.0))
        things.append(tools.thread((x, y, 1.4), (x, y, 62.0)))
    things += moved(bought.strip(), (0.0, 0.0, 26.0))
    things += moved(_board(), (0.0, 0.0, 56.0))
    x, y = bought.hole_at(9, 1)
    things += tools.placed(tools.iron(), (x, y, 58.0), (-30.0, -26.0, 0.0))
    numbers = (
        Number((29.0, 24.5, 24.0), (-80.0, -20.0)),
        Number((25.4, 27.0, 30.0), (-110.0, 40.0)),
        Number((35.0, 29.0, 57.0), (-60.0, 30.0)),
        Number((x, y, 58.0), (-50.0, 60.0)),
    )
    return Scene(things, View(200.0, 20.0), WIDE, numbers)


def _board() -> list[Thing]:
    return bought.hub_board(perfboard.layout(bought.LEAST))


def board_leads() -> Scene:
    """Draw the board with its leads for the sockets, one colour for ground, a label at each."""
    things = _board()
    made = perfboard.layout(bought.LEAST)
    ends = []
    for i, ((_cable, contact), at) in enumerate(sorted(made.leads.items(), key=lambda it: it[1])):
        x, y = bought.hole_at(*at)
        colour = "brown" if contact == "2" else "red" if at[0] == 1 else "grey"
        high, out = 12.0 + 3.0 * (i % 4), -46.0 - 6.0 * (i % 3)
        end = (x * 1.5, out, 6.0) if at[0] > 1 else (x - 40.0, 9.0 * (i - 1) - 6.0, 6.0)
        run = [(x, y, 1.6), (x, y, high), ((x + end[0]) / 2, (y + end[1]) / 2, high + 4.0), end]
        things.append(Thing(bought.tube(run, 0.65), bought.WIRES[colour], edges=False))
        if contact != "2":
            flag = block((-4.0, 4.0), (-0.3, 0.3), (-2.6, 2.6))
            things.append(Thing(flag.translate(end), tools.PALE))
        ends.append((contact, end))
    ground = next(end for contact, end in ends if contact == "2")
    tagged = max(end for contact, end in ends if contact != "2")
    corner = min(end for contact, end in ends)
    numbers = (
        Number(ground, (-40.0, -40.0)),
        Number(tagged, (50.0, 30.0)),
        Number(corner, (0.0, 60.0)),
        Number((*bought.hole_at(1.3, 18), 6.0), (-60.0, -20.0)),
    )
    return Scene(things, View(16.0, 44.0), WIDE, numbers)


def hub_mount() -> Scene:
    """Draw the hub's case with what stands in it, one over the other."""
    sizes = sizes_of()
    (x, y), floor = housings.computer_at(sizes), sizes.print.floor_mm
    post = floor + sizes.hub.post_mm
    keep = block((-89.0, 60.0), (-30.0, 70.0), (-1.0, 17.0))
    things = [Thing(solids()["hub_case"] ^ keep, PRINTED)]
    things += moved(bought.pi_zero(), (x, y, post + 16.0))
    things += moved(_board(), (x, y, post + 66.0))
    nut = Manifold.cylinder(housings.ZERO_NUT_MM, 2.9, 2.9, 6)
    things += [Thing(nut.translate((x + dx, y + 1.5, post + 6.0)), METAL) for dx in (-29.0, 29.0)]
    for dx, dy in bought.PI_SCREWS:
        things += moved(bought.spacer(), (x + dx, y + dy, post + 40.0))
        things += moved(tools.screw(5.0, 1.2, pan=True), (x + dx, y + dy, post + 82.0))
        things.append(tools.thread((x + dx, y + dy, post), (x + dx, y + dy, post + 78.0)))
    numbers = (
        Number((x - 32.5, y, post + 17.0), (-60.0, 10.0)),
        Number((x - 29.0, y + 1.5, post + 48.0), (-70.0, 0.0)),
        Number((x - 35.0, y - 10.0, post + 67.0), (-60.0, 10.0)),
        Number((x - 29.0, y + 1.5, post + 81.0), (-60.0, 40.0)),
        Number((x - 31.0, y + 1.5, post + 7.0), (-80.0, -20.0)),
    )
    return Scene(things, View(24.0, 24.0), WIDE, numbers)


def socket_in() -> Scene:
    """Draw a socket before its hole in the hub's wall, with its two screws and nuts."""
    sizes = sizes_of()
    layout = housings.hub_layout(sizes)
    wall, z = -layout.depth / 2, sizes.print.floor_mm + sizes.hub.room_mm / 2
    piece = block((-29.0, 29.0), (wall - 1.0, wall + 24.0), (-1.0, 60.0))
    things = [Thing(solids()["hub_case"] ^ piece, PRINTED)]
    things += moved(bought.din_socket(), (0.0, wall - 26.0, z))
    nut = Manifold.cylinder(2.4, 3.1, 3.1, 6).rotate((90.0, 0.0, 0.0))
    for x in (-11.15, 11.15):
        screw = tools.placed(tools.screw(8.0, pan=True), (x, wall - 38.0, z), (90.0, 0.0, 0.0))
        things += [*screw, Thing(nut.translate((x, wall + 14.0, z)), METAL)]
        things.append(tools.thread((x, wall - 36.0, z), (x, wall + 14.0, z)))
    numbers = (
        Number((0.0, wall - 27.4, z + 7.0), (-20.0, 90.0)),
        Number((-11.15, wall - 38.5, z), (-50.0, -40.0)),
        Number((-11.15, wall + 12.0, z + 2.0), (70.0, 110.0)),
    )
    return Scene(things, View(38.0, 26.0), HALF, numbers)


def socket_behind() -> Scene:
    """Draw a pocket's socket from behind, its leads soldered, a sleeve not yet pushed on."""
    things = tools.placed(bought.din_socket(), (0.0, 0.0, 0.0), (0.0, 0.0, 180.0))
    numbers = []
    for i, (core, (x, z)) in enumerate(bought.din_cups()):
        cup = cylinder(0.9, (0.0, 6.0)).rotate((90.0, 0.0, 0.0)).translate((x, -14.0, z))
        bow = (x * 2.4, -32.0, z + 2.0)
        run = [(x, -18.0, z), (x, -23.0, z), bow, (x * 3.4, -50.0, z + 1.0)]
        colour = bought.WIRES["grey" if core == "green" else core]
        things += [Thing(cup, bought.PIN_GOLD), Thing(bought.tube(run, 0.8), colour, edges=False)]
        pushed = [run[0], run[1]] if i else [bow, (x * 3.0, -42.0, z + 1.4)]
        things.append(Thing(bought.tube(pushed, 1.3), tools.SHRINK, edges=False))
        numbers.append(Number((x, -16.0, z), ((i - 1) * 130.0, 70.0 if i == 1 else 50.0)))
    numbers.append(Number((-8.9, -36.0, 2.6), (-60.0, 40.0)))
    return Scene(things, View(-24.0, 40.0), HALF, numbers)


def case_drill() -> Scene:
    """Draw the bought case with the template on its long side, a drill before it, the plate in."""
    sizes = sizes_of()
    hub = sizes.hub
    w, d, h = hub.case_width_mm / 2, hub.case_depth_mm / 2, hub.case_height_mm
    floor = hub.case_floor_mm
    shell = block((-w, w), (-d, d), (0.0, h)) - block(
        (floor - w, w - floor), (floor - d, d - floor), (floor, h + 1.0)
    )
    paper = block((-w + 1.0, w - 1.0), (-d - 0.4, -d), (0.5, h - 0.5))
    marks, holes = [], []
    for i in range(housings.HUB_SOCKETS):
        x = (i - (housings.HUB_SOCKETS - 1) / 2) * housings.HUB_PITCH_MM
        turn = (90.0, 0.0, 0.0)
        ring = cylinder(hub.socket_mm / 2, (0.0, 0.6))
        if i < 2:
            holes.append(cylinder(hub.socket_mm / 2, (-9.0, 9.0)).rotate(turn)
                         .translate((x, -d, h / 2)))  # fmt: skip
        else:
            ring = ring - cylinder(hub.socket_mm / 2 - 0.6, (-1.0, 2.0))
            marks.append(ring.rotate(turn).translate((x, -d - 0.3, h / 2)))
        marks += [cylinder(1.6, (0.0, 0.6)).rotate(turn).translate((x + s, -d - 0.3, h / 2))
                  for s in (-11.15, 11.15)]  # fmt: skip
    cut = joined(holes)
    things = [Thing(shell - cut, (176, 180, 186)), Thing(paper - cut, tools.PALE)]
    things += [Thing(each, DARK, edges=False) for each in marks]
    things.append(Thing(solids()["hub_plate"].translate((0.0, 0.0, floor)), PRINTED))
    things += moved(bought.pi_zero(), (0.0, 0.0, floor + sizes.print.floor_mm + hub.post_mm + 24.0))
    x = housings.HUB_PITCH_MM * 0
    things += tools.placed(
        tools.drill(8.0, 0.0, stop=False), (x, -d - 6.0, h / 2), (90.0, 0.0, 0.0)
    )
    numbers = (
        Number((-w + 6.0, -d - 0.4, h - 6.0), (-30.0, 70.0)),
        Number((x, -d - 40.0, h / 2 - 7.0), (-70.0, -30.0)),
        Number((33.0, 14.0, floor + 3.0), (150.0, 0.0)),
        Number((30.0, 20.0, floor + 33.4), (90.0, 60.0)),
    )
    return Scene(things, View(28.0, 36.0), WIDE, numbers)


def board_on() -> Scene:
    """Draw the board over a Pi with its spacers, pin 1 over pin 1."""
    things = bought.pi_zero()
    for x, y in bought.PI_SCREWS:
        things += moved(bought.spacer(), (x, y, 1.4))
        things.append(tools.thread((x, y, 12.4), (x, y, 40.0)))
    things += moved(bought.strip(), (0.0, 0.0, 40.0 - bought.STRIP_MM))
    things += moved(_board(), (0.0, 0.0, 40.0))
    one = (-24.13, 23.23)
    things.append(Thing(bought.tube([(*one, 9.8), (*one, 32.0)], 0.3), RED, edges=False))
    numbers = (
        Number((*one, 9.0), (120.0, -20.0)),
        Number((-25.4, 24.5, 33.0), (90.0, -6.0)),
        Number((29.0, 24.5, 8.0), (-70.0, 20.0)),
    )
    return Scene(things, View(206.0, 16.0), WIDE, numbers)


def measure_hub() -> Scene:
    """Draw the board off the Pi, one pocket's socket on its leads, and the multimeter."""
    things = [*_board(), *bought.moved(bought.strip(), (0.0, 0.0, -bought.STRIP_MM))]
    at = (58.0, -50.0, 12.0)
    things += tools.placed(bought.din_socket(), at, (0.0, 0.0, 180.0))
    made = perfboard.layout(bought.LEAST)
    for i, (core, (x, z)) in enumerate(bought.din_cups()):
        start = bought.hole_at(*made.leads["pocket_ne", str(i + 1)])
        end = (at[0] + x, at[1] - 15.0, at[2] + z)
        colour = {"green": "red", "white": "grey"}.get(core, core)
        run = [(*start, 1.6), (*start, 12.0), (30.0 + 4 * i, -40.0 - 4 * i, 14.0),
               (end[0] - 6.0, end[1] - 8.0, end[2]), end]  # fmt: skip
        things.append(Thing(bought.tube(run, 0.65), bought.WIRES[colour], edges=False))
    things += tools.placed(tools.meter(), (-20.0, -84.0, -8.0), (0.0, 0.0, 90.0), wide=0.7)
    red, black = (at[0] + 3.5, at[1] - 15.0, at[2] + 1.0), (*bought.hole_at(1, 7), 1.8)
    things += tools.placed(tools.probe(RED), red, (36.0, 0.0, 0.0))
    things += tools.placed(tools.probe(DARK), black, (-10.0, -36.0, 0.0))
    for sign, cord, run in (
        (-1.0, RED, [(34.0, -96.0, 16.0), (red[0], red[1] - 44.0, red[2] + 36.0),
                     (red[0], red[1] - 30.6, red[2] + 42.1)]),
        (1.0, DARK, [(8.0, -52.0, 12.0), (-56.0, -40.0, 12.0), (-82.0, -6.0, 34.0),
                     (black[0] - 30.1, black[1] + 9.0, black[2] + 41.4)]),
    ):  # fmt: skip
        socket = (12.2, -84.0 + 9.8 * sign, 8.0)
        things.append(Thing(bought.tube([socket, *run], 1.4), cord, edges=False))
    numbers = (
        Number(red, (90.0, -30.0)),
        Number(black, (-60.0, -30.0)),
        Number((-16.0, -84.0, 10.0), (-30.0, 60.0)),
    )
    return Scene(things, View(14.0, 40.0), WIDE, numbers)


def plug_order() -> Scene:
    """Draw the closed hub, its plugs before it in the order in which they go in."""
    sizes = sizes_of()
    layout = housings.hub_layout(sizes)
    things = [Thing(solids()["hub_case"], PRINTED)]
    things += moved([Thing(solids()["hub_lid"], PRINTED_TOO)], (0.0, 0.0, layout.height))
    z, wall = sizes.print.floor_mm + sizes.hub.room_mm / 2, -layout.depth / 2
    for i in range(housings.HUB_SOCKETS):
        x = (i - (housings.HUB_SOCKETS - 1) / 2) * housings.HUB_PITCH_MM
        things += moved(bought.din_socket(), (x, wall, z))
        plug = moved(bought.din_plug(), (x, wall - 26.0, z))
        cord = bought.tube([(x, wall - 58.0, z), (x, wall - 82.0, z - 12.0)], 2.4)
        things += [*plug, Thing(cord, CABLE, edges=False)]
    top, side = sizes.print.floor_mm + sizes.hub.room_mm - 5.0, -layout.width / 2
    for y, thick in ((-4.0, 2.6), (4.5, 1.8)):
        run = [(side + 16.0, y, top), (side - 16.0, y, top), (side - 60.0, y * 6, top - 26.0)]
        things.append(Thing(bought.tube(run, thick), CABLE, edges=False))
    numbers = (
        Number((side - 40.0, -14.0, top - 14.0), (-50.0, -40.0)),
        Number((side - 40.0, 15.0, top - 14.0), (-50.0, 50.0)),
        Number((-54.0, wall - 50.0, z + 6.0), (-60.0, -20.0)),
        Number((-27.0, wall - 54.0, z - 4.0), (-10.0, -80.0)),
    )
    return Scene(things, View(26.0, 34.0), WIDE, numbers)


ALL = (
    board_stack, board_leads, hub_open, hub_mount, hub_plug, case_drill, socket_in,
    socket_behind, measure_hub, board_on, plug_order,
)  # fmt: skip
"""These pictures, in the order of the page."""
