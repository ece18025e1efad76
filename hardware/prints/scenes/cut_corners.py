"""The pictures of corners that are cut off over no floor: a plate of plywood takes its place."""

from __future__ import annotations

from manifold3d import CrossSection, Manifold

from hardware.prints import corner, housings
from hardware.prints.bought import moved
from hardware.prints.catalogue import solids
from hardware.prints.parameters import Sizes, load
from hardware.prints.render import (
    DARK,
    METAL,
    PRINTED,
    PRINTED_TOO,
    WOOD,
    Colour,
    Number,
    Scene,
    Thing,
    View,
)
from hardware.prints.scenes import tools
from hardware.prints.scenes.closed_box import (
    BOTTOM,
    RIM_MM,
    corner_cut,
    drawer_at,
    halves,
    surface,
    under,
    walls,
)
from hardware.prints.scenes.common import FRAME, WIDE
from hardware.prints.solids import block, cylinder, joined, plate, turned

SPARE: Colour = (236, 222, 196)
"""Of a piece of waste wood."""


def _plate(sizes: Sizes) -> Manifold:
    """Return the plate where it is under the frame."""
    thick = sizes.closed.inside_mm, under(sizes)
    holes = [cylinder(1.6, (thick[0] - 1.0, thick[1] + 1.0), at)
             for at in corner.plate_screws(sizes)]  # fmt: skip
    return plate(corner.plate_outline(sizes), thick) - joined(holes)


def _board(sizes: Sizes, long: float) -> list[Thing]:
    return [*walls(sizes, long, down=sizes.closed.inside_mm), surface(sizes, long)]


def cut_open() -> Scene:
    """Draw such a corner cut open along a wall, as it is played on."""
    sizes = load()[1]
    wood = [*_board(sizes, 190.0), Thing(_plate(sizes), BOTTOM)]
    return Scene(corner_cut(wood, drawer_at(sizes)), View(196.0, 16.0), WIDE)


def cut_drawer() -> Scene:
    """Draw the same corner with its drawer pulled out a little."""
    sizes = load()[1]
    wood = [*_board(sizes, 190.0), Thing(_plate(sizes), BOTTOM)]
    things = corner_cut(wood, drawer_at(sizes, pulled=56.0), falls=False)
    return Scene(things, View(210.0, 26.0), WIDE)


def cut_saw() -> Scene:
    """Draw a plate that is sawn, on the edge of a table."""
    sizes = load()[1]
    opening, high = corner.opening_mm(sizes), sizes.closed.bottom_mm
    outer = corner.plate_mm(sizes) - sizes.closed.wall_mm
    holes = [cylinder(5.0, (-1.0, high + 1.0), at)
             for at in ((opening - 5.0, 5.0), (5.0, opening - 5.0))]  # fmt: skip
    slit = block((opening - 1.2, opening), (5.0, 62.0), (-1.0, high + 1.0))
    ahead = [block((0.0, opening), (y, y + 0.8), (high, high + 0.15)) for y in (0.0, opening - 0.8)]
    ahead += [
        block((x, x + 0.8), (0.0, opening), (high, high + 0.15)) for x in (0.0, opening - 0.8)
    ]
    whole = CrossSection.square((corner.plate_mm(sizes), corner.plate_mm(sizes)))
    whole = whole.translate((-sizes.closed.wall_mm, -sizes.closed.wall_mm))
    bite = joined([*holes, slit])
    things = [Thing(plate(whole, (0.0, high)) - bite, BOTTOM)]
    things.append(Thing(joined(ahead) - bite, DARK, edges=False))
    blade = plate(CrossSection([[(0.0, 0.0), (96.0, 6.0), (96.0, 22.0), (0.0, 12.0)]]), (0.0, 1.2))
    grip = block((92.0, 130.0), (0.0, 26.0), (-7.0, 8.0))
    for solid, colour in ((blade, METAL), (grip, tools.HANDLE)):
        upright = solid.rotate((90.0, 0.0, 0.0)).rotate((0.0, -52.0, 0.0)).rotate((0.0, 0.0, 90.0))
        things.append(Thing(upright.translate((opening - 1.2, 40.0, high - 14.0)), colour))
    numbers = (
        Number((opening - 5.0, 5.0, high), (60.0, -60.0)),
        Number((opening, 20.0, high), (110.0, 30.0)),
        Number((-sizes.closed.wall_mm / 2, outer / 2, high), (-70.0, -60.0)),
    )
    return Scene(things, View(-32.0, 46.0), WIDE, numbers)


def cut_drill() -> Scene:
    """Draw the corner face down, one wall drilled, the drill at the other."""
    sizes = load()[1]
    thick, off = sizes.closed.wall_mm, corner.beam_off_wall_mm(sizes)
    z = sizes.hikone.below_mm(2)
    things = _board(sizes, 150.0)
    things += tools.placed(
        tools.drill(5.5, 0.0, stop=False), (-thick - 16.0, off, z), (0.0, -90.0, 0.0)
    )
    things.append(Thing(block((1.0, 13.0), (off - 18.0, off + 18.0), (3.0, 38.0)), SPARE))
    numbers = (
        Number((-thick - 30.0, off, z + 5.5), (-20.0, 90.0)),
        Number((8.0, off + 10.0, 38.0), (-40.0, 130.0)),
    )
    return Scene(things, View(-32.0, 42.0), WIDE, numbers)


def cut_apart() -> Scene:
    """Draw bracket, plate, cover and drawer over the corner, each where it goes next."""
    sizes = load()[1]
    things = [*_board(sizes, 180.0), Thing(solids()["closed_corner"], PRINTED), *halves(sizes)]
    up, low = 60.0, under(sizes)
    things.append(Thing(_plate(sizes).translate((0.0, 0.0, up)), BOTTOM))
    for x, y in corner.plate_screws(sizes):
        things += tools.placed(tools.screw(25.0), (x, y, low + up + 34.0))
        things.append(tools.thread((x, y, low + up + 10.0), (x, y, sizes.closed.inside_mm)))
    things.append(Thing(solids()["closed_cover"].translate((0.0, 0.0, low + 140.0)), PRINTED))
    things.append(Thing(drawer_at(sizes, pulled=46.0, down=176.0), PRINTED_TOO))
    foot = corner.foot_at_mm(sizes) - sizes.closed.wall_mm
    for at in ((foot, -sizes.closed.wall_mm / 2), (-sizes.closed.wall_mm / 2, foot)):
        things.append(Thing(solids()["closed_foot"].translate((*at, low + up + 66.0)), PRINTED))
    plate_at = corner.plate_mm(sizes) - sizes.closed.wall_mm
    far = corner.plate_screws(sizes)[2]
    face = corner.fence_mm(sizes)
    numbers = (
        Number((face / 2 + 8.0, face / 2 + 8.0, sizes.closed.inside_mm), (34.0, 40.0)),
        Number((plate_at - 8.0, -6.0, low + up), (70.0, -50.0)),
        Number((far[0], far[1], low + up + 34.0), (60.0, 40.0)),
        Number((corner.opening_mm(sizes) + 8.0, 60.0, low + 146.0), (110.0, 20.0)),
        Number((20.0, 60.0, low + 214.0), (-130.0, 50.0)),
        Number((foot, -sizes.closed.wall_mm / 2 - 12.0, low + up + 86.0), (70.0, -40.0)),
    )
    return Scene(things, View(-34.0, 24.0), (960, 860), numbers)


def cut_below() -> Scene:
    """Draw the whole board from below: plates, drawers, feet, and the hub."""
    sizes = load()[1]
    side, thick = 620.0, sizes.closed.wall_mm
    inner = side - 2 * thick
    top = -sizes.hikone.board_thickness_mm - RIM_MM
    frame = CrossSection.square((side, side), True) - CrossSection.square((inner, inner), True)
    field = CrossSection.square((inner, inner), True)
    leg = sizes.closed.leg_mm
    pocket = CrossSection([[(0.0, 0.0), (leg, 0.0), (0.0, leg)]]).translate((-inner / 2,) * 2)
    for i in range(4):
        field -= pocket.rotate(90.0 * i)
    things = [Thing(plate(frame, (top, sizes.closed.inside_mm)), FRAME),
              Thing(plate(field, (-sizes.hikone.board_thickness_mm, 0.0)), WOOD)]  # fmt: skip
    low, foot = under(sizes), corner.foot_at_mm(sizes) - side / 2
    for i in range(4):
        at_corner = [
            Thing(solids()["closed_corner"], PRINTED),
            Thing(_plate(sizes), BOTTOM),
            Thing(solids()["closed_cover"].translate((0.0, 0.0, low)), PRINTED),
            Thing(drawer_at(sizes, pulled=70.0 if i == 1 else 0.0), PRINTED_TOO),
        ]
        things += [
            Thing(turned(each.solid, 90.0 * i), each.colour)
            for each in moved(at_corner, (-inner / 2, -inner / 2, 0.0))
        ]
        for x in (foot, -foot):
            stand = solids()["closed_foot"].translate((x, -(side - thick) / 2, low))
            things.append(Thing(turned(stand, 90.0 * i), PRINTED))
    layout = housings.hub_layout(sizes)
    hub = [Thing(solids()["hub_case"], PRINTED)]
    hub += moved([Thing(solids()["hub_lid"], PRINTED_TOO)], (0.0, 0.0, layout.height))
    hub = [Thing(turned(each.solid, 180.0), each.colour) for each in hub]
    things += moved(hub, (0.0, -inner / 2 + layout.depth / 2 + 40.0, 0.0))
    return Scene(things, View(14.0, 46.0), (1080, 760))


ALL = (cut_open, cut_saw, cut_drill, cut_apart, cut_below, cut_drawer)
"""These pictures, in the order of the page."""
