"""The pictures of the boxes for buttons and of the display."""

from __future__ import annotations

from hardware.prints import bought, boxes, housings
from hardware.prints.bought import moved
from hardware.prints.catalogue import solids
from hardware.prints.parameters import Sizes
from hardware.prints.render import PRINTED, PRINTED_TOO, Scene, Thing, View
from hardware.prints.scenes.common import CABLE, HALF, WIDE, sizes_of


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
    return Scene(things, View(22.0, 32.0), WIDE)


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
    return Scene(things, View(28.0, 28.0), HALF)


ALL = (seat_apart, referee_apart, referee_ready, referee_oled, oled_apart)
"""These pictures, in the order of the page."""
