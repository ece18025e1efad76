"""The pictures of a closed box: a corner cut open, sawn, taken apart, and the whole from below."""

from __future__ import annotations

from collections.abc import Iterator

from manifold3d import CrossSection, Manifold

from hardware.prints import bought, corner, housings
from hardware.prints.bought import moved
from hardware.prints.catalogue import solids
from hardware.prints.parameters import Sizes, load
from hardware.prints.render import (
    BEAM,
    GREEN,
    METAL,
    PRINTED,
    PRINTED_TOO,
    RED,
    WOOD,
    Colour,
    Number,
    Scene,
    Thing,
    View,
)
from hardware.prints.scenes import tools
from hardware.prints.scenes.common import CABLE, FELT, FLOOR, FRAME, WIDE
from hardware.prints.solids import block, cylinder, joined, plate, turned

BOTTOM: Colour = (232, 214, 178)
RIM_MM = 12.0
"""How far the frame stands above the playing surface in the pictures."""


def under(sizes: Sizes) -> float:
    """Return where the underside of the box's floor is."""
    return sizes.closed.inside_mm + sizes.closed.bottom_mm


def walls(sizes: Sizes, long: float, *, down: float | None = None) -> Iterator[Thing]:
    """Return the two walls of the corner at the origin, drilled, down to the floor or as said."""
    low = down or under(sizes)
    thick, off = sizes.closed.wall_mm, corner.beam_off_wall_mm(sizes)
    top = -sizes.hikone.board_thickness_mm - RIM_MM
    hole = Manifold.cylinder(thick + 2.0, 5.5, 5.5, 48)
    z = sizes.hikone.below_mm(2)
    across = hole.rotate((0.0, 90.0, 0.0)).translate((-thick - 1.0, off, z))
    along = hole.rotate((-90.0, 0.0, 0.0)).translate((off, -thick - 1.0, z))
    yield Thing(block((-thick, 0.0), (-thick, long), (top, low)) - across, FRAME)
    yield Thing(block((0.0, long), (-thick, 0.0), (top, low)) - along, FRAME)


def surface(sizes: Sizes, long: float) -> Thing:
    """Return the playing board with its corner cut off."""
    leg = sizes.closed.leg_mm
    outline = CrossSection([[(leg, 0.0), (long, 0.0), (long, long), (0.0, long), (0.0, leg)]])
    return Thing(plate(outline, (-sizes.hikone.board_thickness_mm, 0.0)), WOOD)


def boards(sizes: Sizes, long: float, *, sawn: bool = True) -> Iterator[Thing]:
    """Return the playing board with its corner cut off, and the floor, opened."""
    yield surface(sizes, long)
    floor = CrossSection.square((long, long))
    if sawn:
        opening = corner.opening_mm(sizes)
        floor -= CrossSection.square((opening, opening))
    yield Thing(plate(floor, (sizes.closed.inside_mm, under(sizes))), BOTTOM)


def halves(sizes: Sizes, *, out: float = 0.0) -> Iterator[Thing]:
    """Return receivers, emitters with shrouds and caps (so far out of the frame), and the light."""
    z, off = sizes.hikone.below_mm(2), corner.beam_off_wall_mm(sizes)
    [one, _two] = corner.axes(sizes)
    receiver = [
        Thing(each.solid.translate((one.start[0], off, z)), each.colour, each.edges)
        for each in bought.module(sizes.beam, receiver=True)
    ]
    wall = -sizes.closed.wall_mm - out
    # The emitter's housing lies along the frame: upright in bought.module, here turned over.
    emitter = [
        Thing(
            each.solid.rotate((90.0, 0.0, 180.0)).translate(
                (wall + sizes.beam.led_length_mm - corner.COLLAR_MM, off, z)
            ),
            each.colour,
            each.edges,
        )
        for each in bought.module(sizes.beam, receiver=False)[:2]
    ]
    shroud = solids()["sleeve"].rotate((0.0, 90.0, 0.0)).translate((wall - 2.0 + out / 3, off, z))
    cap = solids()["closed_eye"].rotate((0.0, 90.0, 0.0)).rotate((90.0, 0.0, 0.0))
    cap = cap.translate((wall - cap.bounding_box()[3] - out, off, z))
    light = bought.light((one.start[0], off, z), (one.end[0], off, z))
    found = [*receiver, *emitter, Thing(shroud, PRINTED_TOO), Thing(cap, PRINTED)]
    found.append(Thing(light, BEAM, edges=False))
    for each in found:
        yield each
        yield Thing(each.solid.mirror((1.0, -1.0, 0.0)), each.colour, each.edges)


def drawer_at(sizes: Sizes, *, pulled: float = 0.0, down: float = 0.0) -> Manifold:
    """Return the drawer as it hangs, pulled out so far and hung so much lower."""
    high = sizes.print.floor_mm + sizes.closed.drawer_mm
    z = under(sizes) + sizes.print.floor_mm + sizes.closed.drawer_gap_mm + high + down
    hung = solids()["closed_drawer"].rotate((180.0, 0.0, 0.0))  # alike at both its sides
    y0, y1 = corner.drawer_inside(sizes)[1]
    return hung.translate((-pulled, y0 + y1, z))


def pieces(sizes: Sizes) -> Iterator[Thing]:
    """Return a puck that falls, and some that lie in the drawer."""
    low = under(sizes) + corner.hangs_mm(sizes) - sizes.print.floor_mm
    falling = bought.disc(30.0, 8.0).rotate((24.0, -12.0, 0.0)).translate((26.0, 30.0, 3.0))
    yield Thing(falling, RED)
    lying = ((20.0, 24.0, 8.0), (54.0, 18.0, 8.0), (24.0, 58.0, 8.0), (60.0, 52.0, 8.0),
             (34.0, 36.0, 16.0), (64.0, 30.0, 16.0))  # fmt: skip
    for i, (x, y, high) in enumerate(lying):
        disc = bought.disc(30.0, 8.0).translate((x, y, low - high))
        yield Thing(disc, GREEN if i % 2 else RED)


def upright(things: list[Thing]) -> list[Thing]:
    """Turn things over, as they are played on."""
    return [Thing(each.solid.rotate((180.0, 0.0, 0.0)), each.colour, each.edges) for each in things]


def closed_cut() -> Scene:
    """Draw a corner cut open along a wall, as it is played on."""
    return Scene(corner_cut(_shell(load()[1]), drawer_at(load()[1])), View(196.0, 16.0), WIDE)


def closed_drawer() -> Scene:
    """Draw the same corner with its drawer pulled out a little."""
    things = corner_cut(_shell(load()[1]), drawer_at(load()[1], pulled=56.0), falls=False)
    return Scene(things, View(210.0, 26.0), WIDE)


def _shell(sizes: Sizes) -> list[Thing]:
    return [*walls(sizes, 190.0), *boards(sizes, 190.0)]


def corner_cut(wood: list[Thing], drawer: Manifold, *, falls: bool = True) -> list[Thing]:
    """Return a corner with its parts, cut open, as it is played on."""
    sizes = load()[1]
    low = under(sizes) + corner.foot_mm(sizes)
    shell = [
        *wood,
        Thing(solids()["closed_cover"].translate((0.0, 0.0, under(sizes))), PRINTED),
        Thing(drawer, PRINTED_TOO),
        Thing(solids()["closed_corner"], PRINTED),
    ]  # fmt: skip
    y = 14.0
    things = [
        Thing(each.solid.trim_by_plane((0.0, 1.0, 0.0), y), each.colour, each.edges)
        for each in shell
    ]
    table = block((-70.0, 190.0), (y - 10.0, 190.0), (low, low + 8.0))
    foot = solids()["closed_foot"].translate((150.0, 170.0, under(sizes)))
    things += [Thing(table, FLOOR), Thing(foot, PRINTED)]
    things += [each for each in halves(sizes) if each.solid.bounding_box()[4] > y]
    discs = list(pieces(sizes))
    out = drawer.bounding_box()[0] - drawer_at(sizes).bounding_box()[0]
    things += discs if falls else moved(discs[1:], (out, 0.0, 0.0))
    return upright([each for each in things if not each.solid.is_empty()])


def closed_corner() -> Scene:
    """Draw a corner face down: the floor sawn open, the frame drilled, the bracket in its place."""
    sizes = load()[1]
    things = [
        *walls(sizes, 190.0), *boards(sizes, 190.0),
        Thing(solids()["closed_corner"], PRINTED), *halves(sizes, out=26.0),
    ]  # fmt: skip
    return Scene(things, View(-38.0, 50.0), WIDE)


def closed_apart() -> Scene:
    """Draw what belongs to a corner, taken apart, the box lying face down."""
    sizes = load()[1]
    things = [*walls(sizes, 150.0), *boards(sizes, 150.0)]
    things.append(Thing(solids()["closed_corner"].translate((0.0, 0.0, 62.0)), PRINTED))
    things.append(
        Thing(solids()["closed_cover"].translate((0.0, 0.0, under(sizes) + 78.0)), PRINTED)
    )
    things.append(Thing(drawer_at(sizes, pulled=46.0, down=112.0), PRINTED_TOO))
    return Scene(things, View(-34.0, 24.0), (840, 760))


def closed_below() -> Scene:
    """Draw the whole box from below: drawers, feet, and the hub on its laths."""
    sizes = load()[1]
    side, thick = 620.0, sizes.closed.wall_mm
    inner = side - 2 * thick
    low, top = under(sizes), -sizes.hikone.board_thickness_mm - RIM_MM
    frame = CrossSection.square((side, side), True) - CrossSection.square((inner, inner), True)
    floor = CrossSection.square((inner, inner), True)
    things = [Thing(plate(frame, (top, low)), FRAME),
              Thing(plate(floor, (low - sizes.closed.bottom_mm, low)), BOTTOM)]  # fmt: skip
    at = inner / 2
    foot = side / 2 - corner.foot_at_mm(sizes)
    for i in range(4):
        corner_things = [
            Thing(solids()["closed_cover"].translate((0.0, 0.0, low)), PRINTED),
            Thing(drawer_at(sizes, pulled=70.0 if i == 1 else 0.0), PRINTED_TOO),
        ]
        for each in corner_things:
            solid = each.solid.translate((-at, -at, 0.0))
            things.append(Thing(turned(solid, 90.0 * i), each.colour))
        for x in (-foot, foot):
            leg = solids()["closed_foot"].translate((x, -(side - thick) / 2, low))
            things.append(Thing(turned(leg, 90.0 * i), PRINTED))
    layout = housings.hub_layout(sizes)
    hub_y = -side / 2 - layout.depth / 2 - 22.0
    for x in (-layout.width / 2 - 5.0, layout.width / 2 + 5.0):
        lath = block(
            (x - 15.0, x + 15.0), (hub_y - layout.depth / 2, -side / 2 + 70.0), (low, low + 12.0)
        )
        things.append(Thing(lath, WOOD))
    hub = [Thing(solids()["hub_case"], PRINTED)]
    hub += moved([Thing(solids()["hub_lid"], PRINTED_TOO)], (0.0, 0.0, layout.height))
    hub = [Thing(each.solid.rotate((180.0, 0.0, 0.0)), each.colour) for each in hub]
    things += moved(hub, (0.0, hub_y, low))
    run = [(0.0, -side / 2 + 4.0, 30.0), (0.0, -side / 2 - 12.0, 24.0),
           (-16.0, hub_y + layout.depth / 2 + 2.0, low - 26.0)]  # fmt: skip
    things.append(Thing(bought.tube(run, 4.0), CABLE, edges=False))
    return Scene(things, View(14.0, 46.0), (1080, 760))


def closed_saw() -> Scene:
    """Draw a corner while it is worked on: sawn, one wall drilled, the drill at the other."""
    sizes = load()[1]
    opening, thick = corner.opening_mm(sizes), sizes.closed.wall_mm
    low, z = under(sizes), sizes.hikone.below_mm(2)
    off = corner.beam_off_wall_mm(sizes)
    things = [*walls(sizes, 150.0), *boards(sizes, 150.0)]
    bite = joined([cylinder(5.0, (low - 6.0, low + 1.0), at)
                   for at in ((opening - 4.0, 5.0), (5.0, opening - 4.0))])  # fmt: skip
    things = [Thing(each.solid - bite, each.colour) for each in things]
    drill = tools.drill(5.5, 0.0, stop=False)
    things += tools.placed(drill, (-thick - 16.0, off, z), (0.0, -90.0, 0.0))
    things.append(Thing(block((1.0, 13.0), (off - 18.0, off + 18.0), (3.0, 38.0)), (236, 222, 196)))
    saw = plate(CrossSection([[(0.0, 0.0), (96.0, 6.0), (96.0, 22.0), (0.0, 12.0)]]), (0.0, 1.2))
    saw = saw.rotate((90.0, -50.0, 0.0)).translate((opening - 40.0, opening + 0.6, low - 8.0))
    grip = block((92.0, 130.0), (0.0, 26.0), (-7.0, 8.0))
    grip = grip.rotate((90.0, -50.0, 0.0)).translate((opening - 40.0, opening + 0.6, low - 8.0))
    things += [Thing(saw, METAL), Thing(grip, tools.HANDLE)]
    numbers = (
        Number((opening - 2.0, 5.0, low), (60.0, -60.0)),
        Number((opening - 22.0, opening, low), (90.0, 20.0)),
        Number((-thick - 30.0, off, z + 5.5), (-20.0, 90.0)),
        Number((8.0, off + 10.0, 38.0), (-110.0, 120.0)),
    )
    return Scene(things, View(-32.0, 42.0), WIDE, numbers)


def closed_emitter() -> Scene:
    """Draw what goes into a hole of the frame from outside, one behind the other."""
    sizes = load()[1]
    off, z = corner.beam_off_wall_mm(sizes), sizes.hikone.below_mm(2)
    wall = next(iter(walls(sizes, 120.0)))
    things = [Thing(wall.solid, FRAME)]
    face = -sizes.closed.wall_mm
    sleeve = solids()["sleeve"].rotate((0.0, 90.0, 0.0)).translate((face - 32.0, off, z))
    lens = [
        Thing(each.solid.rotate((90.0, 0.0, 180.0)).translate((face - 40.0, off, z)), each.colour)
        for each in bought.module(sizes.beam, receiver=False)[:2]
    ]
    felt = block((face - 68.0, face - 66.0), (off - 4.5, off + 14.0), (z - 4.5, z + 4.5))
    cap = solids()["closed_eye"].rotate((0.0, 90.0, 0.0)).rotate((90.0, 0.0, 0.0))
    cap = cap.translate((face - 82.0 - cap.bounding_box()[3], off, z))
    things += [Thing(sleeve, PRINTED_TOO), *lens, Thing(felt, FELT), Thing(cap, PRINTED)]
    half = solids()["closed_eye"].bounding_box()
    for y in (half[0] + 6.0, half[3] - 6.0):
        at = (face - 104.0, off + y, z)
        things += tools.placed(tools.screw(), at, (0.0, -90.0, 0.0))
        things.append(tools.thread(at, (face, off + y, z)))
    things.append(tools.thread((face - 82.0, off, z), (face, off, z)))
    numbers = (
        Number((face - 24.0, off, z + 5.0), (0.0, 90.0)),
        Number((face - 52.0, off + 8.0, z + 5.0), (0.0, 90.0)),
        Number((face - 67.0, off + 6.0, z + 4.5), (-10.0, 100.0)),
        Number((face - 90.0, off, z + 8.0), (-50.0, 80.0)),
        Number((face - 104.0, off + half[0] + 6.0, z), (-40.0, -50.0)),
    )
    return Scene(things, View(-24.0, 32.0), WIDE, numbers)


ALL = (
    closed_cut,
    closed_saw,
    closed_corner,
    closed_apart,
    closed_emitter,
    closed_below,
    closed_drawer,
)
"""These pictures, in the order of the page."""
