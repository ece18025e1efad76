"""The pictures of the boxes for buttons and of the display."""

from __future__ import annotations

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
    Number,
    Scene,
    Thing,
    View,
)
from hardware.prints.scenes import tools
from hardware.prints.scenes.common import CABLE, HALF, LOW, WIDE, sizes_of
from hardware.prints.solids import block, cylinder


def panel(layout: boxes.Layout, sizes: Sizes) -> list[Thing]:
    """Return the buttons and lamps of a lid whose upper side is z = 0."""
    found = []
    for hole in layout.holes:
        things = bought.button(hole.name, hole.hole_mm, hole.rim_mm) if hole.mark else bought.lamp()
        found += moved(things, (*hole.at, sizes.print.floor_mm))
    return found


def cable_out(layout: boxes.Layout, sizes: Sizes, inside: float) -> Thing:
    """Return a box's cable, which begins so far inside its back."""
    y, z = layout.depth / 2, sizes.print.floor_mm + 4.0 + sizes.box.cable_mm / 2
    run = [(0.0, y - inside, z), (0.0, y + 14.0, z), (8.0, y + 34.0, 4.0), (24.0, y + 48.0, 3.0)]
    return Thing(bought.tube(run, sizes.box.cable_mm / 2), CABLE)


def seat_apart() -> Scene:
    """Draw a seat's box, taken apart."""
    sizes = sizes_of()
    layout = boxes.seat_layout(sizes)
    things = [Thing(solids()["seat_box"], PRINTED), cable_out(layout, sizes, 20.0)]
    things += moved([Thing(solids()["seat_lid"], PRINTED_TOO)], (0.0, 0.0, 66.0))
    things += moved(panel(layout, sizes), (0.0, 0.0, 96.0))
    return Scene(things, View(24.0, 28.0), HALF)


def referee_apart() -> Scene:
    """Draw the referee's box, taken apart."""
    sizes = sizes_of()
    layout = boxes.referee_layout(sizes)
    things = [Thing(solids()["referee_box"], PRINTED), cable_out(layout, sizes, 20.0)]
    things += moved([Thing(solids()["referee_lid"], PRINTED_TOO)], (0.0, 0.0, 72.0))
    things += moved(panel(layout, sizes), (0.0, 0.0, 104.0))
    for x, y in layout.posts:
        things += moved(tools.screw(13.0, pan=True), (x, y, 104.0))
        things.append(tools.thread((x, y, 44.0), (x, y, 92.0)))
    fix, ok = (next(h for h in layout.holes if h.name == name) for name in ("fix", "ok"))
    numbers = (
        Number((fix.at[0] - 12.0, fix.at[1], 98.0), (-190.0, -10.0)),
        Number((ok.at[0], ok.at[1] - 16.0, 76.0), (30.0, -70.0)),
        Number((layout.posts[0][0], layout.posts[0][1], 104.0), (40.0, 40.0)),
    )
    return Scene(things, View(22.0, 32.0), WIDE, numbers)


def referee_ready() -> Scene:
    """Draw the referee's box as a thumb finds it, its marks beside the buttons."""
    sizes = sizes_of()
    layout = boxes.referee_layout(sizes)
    things = [Thing(solids()["referee_box"], PRINTED), cable_out(layout, sizes, 0.0)]
    top = (0.0, 0.0, layout.height)
    things += moved([Thing(solids()["referee_lid"], PRINTED_TOO)], top)
    things += moved(panel(layout, sizes), top)
    return Scene(things, View(8.0, 52.0), WIDE)


def referee_oled() -> Scene:
    """Draw the referee's box that has the display in its lid."""
    sizes = sizes_of()
    layout = boxes.referee_layout(sizes, window=True)
    things = [Thing(solids()["referee_box_oled"], PRINTED), cable_out(layout, sizes, 0.0)]
    top = (0.0, 0.0, layout.height)
    things += moved([Thing(solids()["referee_lid_oled"], PRINTED_TOO)], top)
    things += moved(panel(layout, sizes), top)
    y = layout.depth / 2 - housings.bezel_size(sizes)[1] / 2 - 3.0
    z = layout.height + sizes.print.floor_mm + 2.2
    module = bought.oled_module(sizes.oled.board_width_mm, sizes.oled.board_height_mm)
    things += moved(module, (0.0, y, z + 22.0))
    bezel = Thing(solids()["oled_bezel"].rotate((180.0, 0.0, 180.0)), PRINTED)
    things += moved([bezel], (0.0, y, z + 52.0))
    return Scene(things, View(20.0, 34.0), WIDE)


def oled_apart() -> Scene:
    """Draw the display's case, taken apart."""
    sizes = sizes_of()
    things = [Thing(solids()["oled_case"], PRINTED)]
    module = bought.oled_module(sizes.oled.board_width_mm, sizes.oled.board_height_mm)
    things += moved(module, (0.0, 0.0, 34.0))
    bezel = Thing(solids()["oled_bezel"].rotate((180.0, 0.0, 180.0)), PRINTED_TOO)
    things += moved([bezel], (0.0, 0.0, 58.0))
    run = [(0.0, -14.0, 6.5), (0.0, -30.0, 6.5), (8.0, -44.0, 3.0)]
    things.append(Thing(bought.tube(run, 2.0), CABLE))
    for x, y in housings.bezel_screws(sizes):
        things += moved(tools.screw(6.5, pan=True), (x, y, 74.0))
        things.append(tools.thread((x, y, 17.0), (x, y, 68.0)))
    numbers = (
        Number((-17.0, -15.0, 35.2), (-90.0, 10.0)),
        Number((-26.0, -16.0, 58.0), (-60.0, 10.0)),
        Number((housings.bezel_screws(sizes)[2][0], -13.0, 74.0), (-50.0, 60.0)),
    )
    return Scene(things, View(28.0, 28.0), HALF, numbers)


def box_cable() -> Scene:
    """Draw the cable in the referee's box, tied to its bridge."""
    sizes = sizes_of()
    layout = boxes.referee_layout(sizes)
    near = block((-40.0, 40.0), (4.0, 120.0), (-1.0, 60.0))
    y, z = layout.depth / 2 - sizes.print.wall_mm - 12.0, sizes.print.floor_mm + 8.0
    radius = sizes.box.cable_mm / 2
    run = [(0.0, y + 60.0, z + radius), (0.0, y - 12.0, z + radius)]
    things = [Thing(solids()["referee_box"] ^ near, PRINTED)]
    things.append(Thing(bought.tube(run, radius), CABLE, edges=False))
    things += _cores((0.0, y - 11.0, z + radius), 6, 14.0)
    side = radius + 1.0
    loop = [(-side, y, z - 5.0), (-side, y, z + 2 * side), (side, y, z + 2 * side),
            (side, y, z - 5.0), (-side, y, z - 5.0)]  # fmt: skip
    end = [(side, y, z + 2 * side), (side + 12.0, y, z + 2 * side + 6.0)]
    things += tools.tie(loop, head=(side, y, z + 2 * side))
    things.append(Thing(bought.tube(end, 0.9), tools.TIE, edges=False))
    numbers = (
        Number((3.2, y + 12.0, z + 2 * radius - 1.0), (60.0, 60.0)),
        Number((7.0, y - 2.5, z - 3.0), (90.0, -30.0)),
        Number((side, y, z + 2 * side + 1.0), (-60.0, 70.0)),
    )
    return Scene(things, View(36.0, 38.0), HALF, numbers)


def _cores(start: bought.Vector, count: int, long: float) -> list[Thing]:
    """Return the first so many cores of a cable that ends at a place towards -y."""
    x, y, z = start
    found = []
    for i, core in enumerate(list(CORES)[:count]):
        aside = i - (count - 1) / 2
        run = [start, (x + aside, y - 3.0, z), (x + 3.0 * aside, y - long, z + 0.5)]
        found.append(Thing(bought.tube(run, 0.8), bought.WIRES[core], edges=False))
    return found


CORES = ("white", "brown", "green", "yellow", "grey", "pink")
"""The cores of the box's cable in the order of its contacts."""


def referee_wired() -> Scene:
    """Draw the referee's lid from behind: ground from button to button, a core to each."""
    sizes = sizes_of()
    layout = boxes.referee_layout(sizes)
    lid = [Thing(solids()["referee_lid"], PRINTED_TOO), *panel(layout, sizes)]
    things = tools.placed(lid, (0.0, 0.0, 0.0), (0.0, 180.0, 0.0))
    tab = 25.0 - sizes.print.floor_mm
    holes = {hole.name: (-hole.at[0], hole.at[1]) for hole in layout.holes}
    order = ("foul", "off", "undo", "ok", "fix")
    tabs = [(*holes[name], tab) for name in order]
    ground = [(x + 5.0, y, z) for x, y, z in tabs]
    end = (0.0, layout.depth / 2 + 22.0, tab + 4.0)
    chain = [(0.0, end[1] - 2.0, end[2])]
    for x, y, z in ground:
        chain += [(x, y + 4.0, z + 5.0), (x, y, z)]
    things.append(Thing(bought.tube(chain, 0.8), bought.WIRES["brown"], edges=False))
    for name, core in zip(("ok", "fix", "foul", "off", "undo"),
                          ("white", "green", "yellow", "grey", "pink"), strict=True):  # fmt: skip
        x, y = holes[name]
        run = [(0.0, end[1] - 2.0, end[2]), (x * 0.6 - 5.0, end[1] - 22.0, tab + 14.0),
               (x - 5.0, y + 5.0, tab + 10.0), (x - 5.0, y, tab)]  # fmt: skip
        things.append(Thing(bought.tube(run, 0.8), bought.WIRES[core], edges=False))
    cable = [end, (0.0, end[1] + 34.0, end[2])]
    things.append(Thing(bought.tube(cable, sizes.box.cable_mm / 2), CABLE, edges=False))
    first, last = ground[0], (holes["fix"][0] - 5.0, holes["fix"][1], tab)
    numbers = (
        Number(first, (90.0, 40.0)),
        Number(last, (-90.0, -50.0)),
        Number((0.0, end[1] + 20.0, end[2] + 2.0), (60.0, 20.0)),
    )
    return Scene(things, View(12.0, 52.0), WIDE, numbers)


def plug_apart() -> Scene:
    """Draw a plug taken apart on its cable: cap, sleeves, cores in their cups."""
    things = [*bought.din_insert()]
    cores = []
    for core, (y, z) in bought.din_cups():
        run = [(6.0, y, z), (12.0, y, z), (30.0, y * 0.5, z * 0.5), (36.0, 0.0, 0.0)]
        cores.append(Thing(bought.tube(run, 0.7), bought.WIRES[core], edges=False))
        shrink = [(9.0, y, z), (15.0, y * 0.9, z * 0.9)] if core != "white" else run[1:3]
        things.append(Thing(bought.tube(shrink, 1.1), tools.SHRINK, edges=False))
    things += cores
    things.append(
        Thing(bought.tube([(34.0, 0.0, 0.0), (120.0, 0.0, 0.0)], 2.3), CABLE, edges=False)
    )
    half = cylinder(6.4, (0.0, 20.0)) - cylinder(5.6, (2.5, 21.0))
    half = half.trim_by_plane((-1.0, 0.0, 0.0), 0.5).rotate((0.0, 90.0, 0.0))
    things.append(Thing(half.translate((0.0, 0.0, 20.0)), METAL))
    cap = cylinder(7.4, (0.0, 22.0)) + cylinder(7.4, (22.0, 36.0), top=3.6)
    cap = cap - cylinder(6.6, (-1.0, 21.0)) - cylinder(2.6, (20.0, 40.0))
    things.append(Thing(cap.rotate((0.0, 90.0, 0.0)).translate((66.0, 0.0, 0.0)), DARK))
    numbers = (
        Number((84.0, 0.0, 7.0), (20.0, 70.0)),
        Number((20.0, -2.4, 0.6), (10.0, -90.0)),
        Number((7.0, -3.5, 0.4), (-50.0, -80.0)),
        Number((12.0, 0.0, 26.0), (-50.0, 40.0)),
    )
    return Scene(things, View(24.0, 26.0), LOW, numbers)


def oled_cable() -> Scene:
    """Draw the display from behind, its cable, and the plug with a contact not yet pushed in."""
    sizes = sizes_of()
    high = sizes.oled.board_height_mm / 2
    module = bought.oled_module(sizes.oled.board_width_mm, sizes.oled.board_height_mm)
    things = tools.placed(module, (0.0, 0.0, 0.0), (0.0, 180.0, 0.0))
    for i, core in enumerate(CORES[:4]):
        x = 2.54 * (i - 1.5)
        joint = cylinder(1.0, (-0.2, 0.8), (x, high - 2.0))
        things.append(Thing(joint, METAL))
        run = [(x, high - 2.0, 0.6), (x, high + 3.0, 3.0), (x * 0.5, high + 10.0, 3.0),
               (0.0, high + 14.0, 3.0)]  # fmt: skip
        things.append(Thing(bought.tube(run, 0.6), bought.WIRES[core], edges=False))
        y = high + 58.0
        run = [(0.0, y, 3.0), (x * 0.5, y + 4.0, 3.0), (x, y + 10.0, 3.0)]
        out = 16.0 if i == 3 else 0.0
        run.append((x, y + 30.0 - out, 3.0))
        things.append(Thing(bought.tube(run, 0.6), bought.WIRES[core], edges=False))
        contact = block((x - 0.9, x + 0.9), (y + 28.0 - out, y + 38.0 - out), (2.0, 4.0))
        things.append(Thing(contact, bought.PIN_GOLD))
    y = high + 12.0
    things.append(
        Thing(bought.tube([(0.0, y, 3.0), (0.0, y + 48.0, 3.0)], 2.1), CABLE, edges=False)
    )
    y += 72.0
    body = block((-5.3, 5.3), (y, y + 12.0), (-0.5, 6.0))
    body += block((-4.0, 4.0), (y + 2.0, y + 13.0), (6.0, 7.6))
    things.append(Thing(body, (240, 238, 230)))
    numbers = (
        Number((3.8, high - 2.0, 0.8), (-10.0, 80.0)),
        Number((3.8, y - 6.0, 4.0), (0.0, -80.0)),
        Number((3.0, y + 8.0, 7.6), (40.0, 60.0)),
    )
    return Scene(things, View(66.0, 36.0), LOW, numbers)


def measure_box() -> Scene:
    """Draw a finger on a button, and both probes on the contacts of the box's plug."""
    sizes = sizes_of()
    layout = boxes.referee_layout(sizes)
    body = [Thing(solids()["referee_box"], PRINTED)]
    body += moved([Thing(solids()["referee_lid"], PRINTED_TOO)], (0.0, 0.0, layout.height))
    body += moved(panel(layout, sizes), (0.0, 0.0, layout.height))
    things = list(body)
    ok = next(hole for hole in layout.holes if hole.name == "ok")
    top = layout.height + sizes.print.floor_mm + 5.5
    things += tools.placed(tools.finger(), (*ok.at, top), (-34.0, 16.0, 0.0))
    y = layout.depth / 2
    run = [(0.0, y - 4.0, 10.0), (0.0, y + 20.0, 10.0), (-60.0, y + 40.0, 4.0),
           (-110.0, y + 10.0, 6.0), (-110.0, -14.0, 8.0)]  # fmt: skip
    things.append(Thing(bought.tube(run, 2.8), CABLE, edges=False))
    at = (-110.0, -50.0, 8.0)
    insert = tools.placed(bought.din_insert(6), (0.0, 0.0, 0.0), (0.0, 0.0, -90.0))
    plug = [*bought.din_plug(), *(each for each in insert if each.colour != METAL), insert[0]]
    things += tools.placed(plug, at, (0.0, 0.0, 180.0))
    two, three = ((at[0] - y, at[1] - 7.5, at[2] + z) for _core, (y, z) in bought.din_cups(6)[1:3])
    things += tools.placed(tools.probe(DARK), two, (62.0, 0.0, 34.0))
    things += tools.placed(tools.probe(RED), three, (62.0, 0.0, -24.0))
    numbers = (
        Number((ok.at[0], ok.at[1] - 10.0, top - 3.0), (80.0, -60.0)),
        Number(two, (70.0, 40.0)),
        Number(three, (-60.0, 30.0)),
    )
    return Scene(things, View(12.0, 40.0), WIDE, numbers)


ALL = (
    referee_apart, box_cable, referee_wired, plug_apart, referee_ready, referee_oled, seat_apart,
    oled_cable, oled_apart, measure_box,
)  # fmt: skip
"""These pictures, in the order of the page."""
