"""The pictures of the hub: its board, its sockets and its case."""

from __future__ import annotations

from itertools import product

from hardware.prints import bought, housings
from hardware.prints.bought import moved
from hardware.prints.catalogue import solids
from hardware.prints.render import PRINTED, PRINTED_TOO, Scene, Thing, View
from hardware.prints.scenes.common import WIDE, sizes_of
from hardware.prints.solids import turned


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


ALL = (hub_open, hub_plug)
"""These pictures, in the order of the page."""
