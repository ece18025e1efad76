"""The pictures of a pocket: what is in it, and what is done there."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from manifold3d import CrossSection, Manifold

from hardware.prints import bought, fits, pocket
from hardware.prints.bought import moved
from hardware.prints.catalogue import solids
from hardware.prints.parameters import Board, Sizes
from hardware.prints.render import (
    BEAM,
    BLUE,
    DARK,
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
from hardware.prints.scenes.common import (
    CABLE,
    FELT,
    FRAME,
    HALF,
    LOW,
    WIDE,
    board_slab,
    cut,
    flipped,
    sizes_of,
)
from hardware.prints.solids import block, cylinder, disc_at, joined, plate, turned


def lenses(
    sizes: Sizes,
    axes: tuple[pocket.Axis, ...],
    made: Callable[..., list[Thing]] = bought.module,
) -> list[Thing]:
    """Return emitters, receivers and the light between them: ready-made, bare, or on boards."""
    found = []
    bare = made is bought.led
    for i, axis in enumerate(axes):
        x, y, z = axis.start
        aside = y if bare else 0.0
        far = x if bare else (x**2 + y**2) ** 0.5
        for turn, receiver in ((90.0 * i, False), (90.0 * i + 180, True)):
            for each in made(sizes.beam, receiver=receiver):
                solid = turned(each.solid.translate((far, 0.0, 0.0)), turn)
                found.append(Thing(solid.translate((0.0, aside, z)), each.colour, each.edges))
        found.append(Thing(bought.light(axis.start, axis.end), BEAM, edges=False))
    return found


def pocket_cut() -> Scene:
    """Draw a pocket cut open: board, bracket, lenses, beam, a puck on edge that breaks it."""
    sizes = sizes_of()
    board = sizes.carrom
    axes = pocket.bracket_axes(sizes, board, 1)
    body = [
        board_slab(sizes, 130.0, board.pocket_diameter_mm / 2),
        Thing(solids()["carrom_single"], PRINTED),
    ]
    puck = bought.disc(30.0, 8.0).rotate((0.0, 90.0, 25.0)).translate((-2.0, 3.0, 10.0))
    flat = bought.disc(30.0, 8.0).rotate((6.0, 0.0, 0.0)).translate((0.0, 4.0, -32.0))
    things = [*cut(body, 0.0), *lenses(sizes, axes), Thing(puck, RED), Thing(flat, RED)]
    return Scene(flipped(things), View(18.0 + 180.0, 22.0), WIDE)


def pocket_below() -> Scene:
    """Draw the crossed bracket under the board, which lies face down."""
    sizes = sizes_of()
    axes = pocket.bracket_axes(sizes, sizes.carrom, 2)
    things = [
        board_slab(sizes, 150.0, sizes.carrom.pocket_diameter_mm / 2),
        Thing(solids()["carrom_crossed"], PRINTED),
        *lenses(sizes, axes),
    ]
    return Scene(things, View(32.0, 38.0), WIDE)


def pocket_board() -> Scene:
    """Draw printed boards in a bracket's holders, the pad of one not yet in its place."""
    sizes = sizes_of()
    axes = pocket.bracket_axes(sizes, sizes.carrom, 1)
    things = [
        board_slab(sizes, 150.0, sizes.carrom.pocket_diameter_mm / 2),
        Thing(solids()["carrom_single"], PRINTED),
        *lenses(sizes, axes, bought.board),
    ]
    x, _y, z = axes[0].start
    for degrees, back in ((0.0, 14.0), (180.0, 0.0)):
        pad = pocket.pad_in_place(sizes, solids()["board_pad"]).translate((x + back, 0.0, z))
        things.append(Thing(turned(pad, degrees), PRINTED_TOO))
    return Scene(things, View(32.0, 38.0), WIDE)


def pocket_slim() -> Scene:
    """Draw the slim bracket between two walls below the board, with bare emitter and receiver."""
    sizes = sizes_of()
    board = sizes.carrom
    near = fits.beside_mm(solids()["carrom_slim"])
    things = [
        board_slab(sizes, 150.0, board.pocket_diameter_mm / 2),
        Thing(turned(solids()["carrom_slim"], 45.0), PRINTED),
    ]
    bare = lenses(sizes, (pocket.slim_axis(sizes, board),), bought.led)
    things += [Thing(turned(each.solid, 45.0), each.colour, each.edges) for each in bare]
    # Its corner (+y) is turned to where the two walls meet.
    walls = (
        block((-near - 14.0, -near), (-75.0, 75.0), (0.0, 26.0)),
        block((-near, 75.0), (near, near + 14.0), (0.0, 26.0)),
    )
    things += [Thing(wall, FRAME) for wall in walls]
    return Scene(things, View(35.0, 44.0), WIDE)


def catch() -> Scene:
    """Draw the tray that hangs by ties from a bracket's ring, a piece falling into it."""
    sizes = sizes_of()
    board = sizes.carrom
    axes = pocket.bracket_axes(sizes, board, 2)
    bracket = solids()["carrom_crossed"]
    ring = bracket.bounding_box()[5]
    body = [
        board_slab(sizes, 130.0, board.pocket_diameter_mm / 2),
        *lenses(sizes, axes),
        Thing(bracket, PRINTED),
    ]
    low = ring + fits.HAND_MM + pocket.TRAY_MM[1] + sizes.print.floor_mm
    hung = solids()["tray"].rotate((180.0, 0.0, 0.0)).translate((0.0, 0.0, low))
    body += cut([Thing(hung, PRINTED_TOO)], 0.0)
    reach = pocket.tube_radius(board, sizes.beam) + 1.2
    for i in range(4):
        # The holes lie half a step beside the axes of the bracket.
        at, to = reach * pocket.on_ring(3 * i), (pocket.TRAY_MM[0] + 1.2) * pocket.on_ring(3 * i)
        run = [(at.real, at.imag, ring - 3.5), (to.real, to.imag, ring + fits.HAND_MM + 5.0)]
        body.append(Thing(bought.tube(run, 0.9), CABLE, edges=False))
    piece = bought.disc(30.0, 8.0)
    top = low - sizes.print.floor_mm
    pieces = [(6.0, 8.0, top - 8.0), (-14.0, 4.0, top - 16.0), (12.0, -4.0, top - 17.0)]
    body += [Thing(piece.translate(at), RED) for at in pieces]
    falling = piece.rotate((28.0, 12.0, 0.0)).translate((0.0, 0.0, ring + 10.0))
    return Scene(flipped([*body, Thing(falling, RED)]), View(212.0, 12.0), HALF)


def chute_cut() -> Scene:
    """Draw the chute cut open, with felt and a puck that slides to the beam."""
    sizes = sizes_of()
    board = sizes.carrom
    shape = pocket.chute_shape(sizes, board)
    body = [
        board_slab(sizes, 130.0, board.pocket_diameter_mm / 2),
        Thing(solids()["carrom_chute"], PRINTED),
    ]
    start, end = shape.on_floor(6.0, 0.6), shape.on_floor(shape.end_along - 1.0, 0.6)
    felt = Manifold.batch_hull(
        [
            block((x - 0.5, x + 0.5), (-shape.half + 1, shape.half - 1), (z - 0.5, z + 0.5))
            for x, _y, z in (start, end)
        ]
    )
    slope = sizes.chute.slope_deg
    x, _y, z = shape.on_floor(shape.beam_along - 22.0, 1.2)
    puck = bought.disc(30.0, 8.0).rotate((180.0, -slope, 0.0)).translate((x, 4.0, z))
    axis = pocket.chute_axis(sizes, board)
    ray = bought.light(axis.start, axis.end, 1.0)
    falling = bought.disc(30.0, 8.0).rotate((70.0, 20.0, 0.0)).translate((0.0, 4.0, -26.0))
    things = [*cut([*body, Thing(felt, FELT)], 0.0)]
    things += [Thing(puck, RED), Thing(ray, BEAM, edges=False), Thing(falling, RED)]
    return Scene(flipped(things), View(14.0 + 180.0, 14.0), HALF)


def _wood_of(board: Board, side: float) -> Thing:
    return board_slab(sizes_of(), side, board.pocket_diameter_mm / 2)


def gauge() -> Scene:
    """Draw the fit gauge, an emitter before the hole that its dots count three for."""
    sizes = sizes_of()
    things = [Thing(solids()["fit_gauge"], PRINTED)]
    lens = tools.placed(
        bought.led(sizes.beam, receiver=False), (35.0, -9.0, 7.0), (0.0, 0.0, -90.0)
    )
    things += [*lens, tools.thread((35.0, -9.0, 7.0), (35.0, 1.0, 7.0))]
    numbers = (
        Number((35.0, -14.0, 9.0), (-70.0, -30.0)),
        Number((35.0, 5.0, 14.8), (-20.0, 70.0)),
        Number((84.0, 3.0, 14.0), (30.0, 60.0)),
    )
    return Scene(things, View(24.0, 34.0), LOW, numbers)


def see_through() -> Scene:
    """Draw a remote control, a printed wall before it, and the phone that looks through."""
    remote = block((-16.0, 16.0), (0.0, 110.0), (0.0, 16.0))
    keys = joined([cylinder(3.0, (16.0, 17.5), (x, y)) for x in (-8.0, 0.0, 8.0)
                   for y in (24.0, 38.0, 52.0, 66.0)])  # fmt: skip
    lamp = cylinder(2.5, (0.0, 2.0)).rotate((90.0, 0.0, 0.0)).translate((0.0, 0.5, 9.0))
    wall = block((-32.0, 32.0), (-34.0, -31.6), (-14.0, 40.0))
    phone = block((-34.0, 34.0), (-128.0, -119.0), (-50.0, 84.0))
    screen = block((-30.0, 30.0), (-128.4, -128.0), (-40.0, 74.0))
    shown = block((-18.0, 18.0), (-128.9, -128.4), (-8.0, 26.0))
    things = [Thing(remote, DARK), Thing(keys, tools.PALE), Thing(lamp, (150, 40, 60)),
              Thing(wall, PRINTED), Thing(phone, (70, 74, 82)), Thing(screen, (30, 34, 44)),
              Thing(shown, PRINTED)]  # fmt: skip
    things.append(Thing(bought.light((0.0, -1.0, 9.0), (0.0, -24.0, 9.0)), BEAM, edges=False))
    numbers = (
        Number((0.0, 60.0, 17.5), (-40.0, 80.0)),
        Number((-20.0, -34.0, 30.0), (-40.0, 80.0)),
        Number((20.0, -128.9, 50.0), (80.0, 60.0)),
    )
    return Scene(things, View(-52.0, 26.0), WIDE, numbers)


def holder_push() -> Scene:
    """Draw how a half of a beam goes into its holder: pushed in on one side, tied on the other."""
    sizes = sizes_of()
    axes = pocket.bracket_axes(sizes, sizes.carrom, 1)
    (x, _y, z) = axes[0].start
    things = [Thing(solids()["carrom_single"], PRINTED)]
    out = 26.0
    emitter = tools.placed(bought.module(sizes.beam, receiver=False), (x + out, 0.0, z))
    receiver = tools.placed(
        bought.module(sizes.beam, receiver=True), (-x, 0.0, z), (0.0, 0.0, 180.0)
    )
    things += [*emitter, *receiver, tools.thread((x, 0.0, z), (x + out, 0.0, z))]
    back = x + sizes.beam.led_length_mm + sizes.beam.module_depth_mm
    behind, half = -(back + 1.3), 9.0
    loop = [(behind, -half, z), (behind, half, z), (behind - 5.0, half, z),
            (behind - 5.0, -half, z), (behind, -half, z)]  # fmt: skip
    things += tools.tie(loop, head=(behind - 5.0, -half + 3.0, z))
    numbers = (
        Number((x + out + 1.0, -2.2, z + 1.0), (-10.0, -90.0)),
        Number((x + out + 12.7, -5.0, z + 6.0), (40.0, -90.0)),
        Number((behind - 5.0, -half + 3.0, z), (-60.0, -60.0)),
    )
    return Scene(things, View(28.0, 34.0), WIDE, numbers)


def _joint(at: bought.Vector, lead: str, core: str, *, state: int) -> list[Thing]:
    """Return a lead (from -x) joined to a core (to +x): 0 apart, 1 soldered, 2 under its tube."""
    x, y, z = at
    gap = 6.0 if state == 0 else 0.0
    left, right = x - 6.0 - gap, x + 6.0 + gap
    wires = [
        ([(x - 46.0, y, z), (left, y, z)], 0.9, bought.WIRES[lead]),
        ([(right, y, z), (x + 46.0, y, z)], 0.8, bought.WIRES[core]),
        ([(left, y, z), (left + 10.0, y, z)], 0.5, METAL),
        ([(right - 10.0, y + 0.5, z), (right, y, z)], 0.5, METAL),
    ]
    if state == 1:
        wires.append(([(x - 4.0, y, z), (x + 4.0, y, z)], 1.1, METAL))
    found = [Thing(bought.tube(run, thick), colour, edges=False) for run, thick, colour in wires]
    middle = x if state == 2 else x + 28.0
    sleeve = bought.tube([(middle - 10.0, y, z), (middle + 10.0, y, z)], 1.5 if state == 2 else 1.9)
    return [*found, Thing(sleeve, tools.SHRINK, edges=False)]


def lens_bare() -> Scene:
    """Draw a bare emitter before a slim bracket's holder, its legs sleeved, the resistor on one."""
    sizes = sizes_of()
    axis = pocket.slim_axis(sizes, sizes.carrom)
    x, y, z = axis.start
    things = [Thing(solids()["carrom_slim"].trim_by_plane((1.0, 0.0, 0.0), -4.0), PRINTED)]
    out, back = x + 24.0, x + 24.0 + sizes.beam.led_length_mm
    things += tools.placed(bought.led(sizes.beam, receiver=False), (out, y, z))
    things.append(tools.thread((x, y, z), (out, y, z)))
    for side, colour in ((-1.3, "red"), (1.3, "black")):
        sleeve = bought.tube([(back + 4.0, y + side, z), (back + 13.0, y + side, z)], 0.8)
        lead = bought.tube([(back + 16.0, y + side, z), (back + 46.0, y + 4 * side, z)], 0.7)
        things += [Thing(sleeve, tools.SHRINK, edges=False),
                   Thing(lead, bought.WIRES[colour], edges=False)]  # fmt: skip
    resistor = cylinder(1.2, (0.0, 6.3)).rotate((0.0, 90.0, -5.0))
    things.append(Thing(resistor.translate((back + 22.0, y - 2.2, z)), (206, 178, 134)))
    numbers = (
        Number((out + 1.0, y - 2.0, z + 1.0), (-20.0, 80.0)),
        Number((back + 8.0, y - 2.0, z), (0.0, -80.0)),
        Number((back + 25.0, y - 3.4, z + 0.6), (20.0, 80.0)),
        Number((x + sizes.beam.led_length_mm, y - 3.0, z + 3.0), (-30.0, 100.0)),
    )
    return Scene(things, View(24.0, 30.0), LOW, numbers)


def splice() -> Scene:
    """Draw the three leads of a receiver on the cores of its cable, at three stages."""
    things = []
    rows = (("white", "white"), ("black", "brown"), ("red", "green"))
    for i, (lead, core) in enumerate(rows):
        things += _joint((0.0, -9.0 * i, 0.0), lead, core, state=(1, 0, 2)[i])
    things.append(
        Thing(bought.tube([(44.0, -9.0, 0.0), (80.0, -9.0, 0.0)], 2.3), CABLE, edges=False)
    )
    for i in (0, 2):
        run = [(46.0, -9.0 * i, 0.0), (56.0, -9.0, 0.0)]
        things.append(Thing(bought.tube(run, 0.8), bought.WIRES[rows[i][1]], edges=False))
    things += tools.placed(tools.iron(), (0.0, 0.0, 1.2), (-40.0, -24.0, 0.0))
    numbers = (
        Number((28.0, -9.0, 1.9), (50.0, 80.0)),
        Number((2.0, 0.0, 1.1), (90.0, 90.0)),
        Number((-3.0, -18.0, 1.5), (-20.0, -60.0)),
    )
    return Scene(things, View(10.0, 42.0), LOW, numbers)


def shared() -> Scene:
    """Draw two emitters and two receivers of crossed beams on the three cores of one cable."""
    sizes = sizes_of()
    things = []
    places = ((-60.0, 24.0, True), (-60.0, 0.0, True), (-60.0, -26.0, False), (-60.0, -50.0, False))
    join = {"white": 12.0, "black": -12.0, "red": -36.0}
    cores = {"white": "white", "black": "brown", "red": "green"}
    for x, y, receiver in places:
        module = bought.module(sizes.beam, receiver=receiver)[:2]
        things += tools.placed(module, (x, y, 24.0), (0.0, 90.0, 0.0))
        for i, name in enumerate(("white", "black", "red") if receiver else ("black", "red")):
            start = (x + 14.0, y + 2.4 - 2.4 * i, 11.0)
            run = [start, (x + 26.0, start[1], 12.0), (2.0, join[name], 12.0)]
            things.append(Thing(bought.tube(run, 0.8), bought.WIRES[name], edges=False))
    for name, y in join.items():
        sleeve = bought.tube([(0.0, y, 12.0), (18.0, y, 12.0)], 2.2)
        run = [(18.0, y, 12.0), (34.0, y, 12.0), (52.0, -12.0, 12.0)]
        things.append(Thing(sleeve, tools.SHRINK, edges=False))
        things.append(Thing(bought.tube(run, 0.8), bought.WIRES[cores[name]], edges=False))
    things.append(
        Thing(bought.tube([(50.0, -12.0, 12.0), (90.0, -12.0, 12.0)], 2.3), CABLE, edges=False)
    )
    asides = ((40.0, 60.0), (90.0, 40.0), (40.0, -60.0))
    numbers = [
        Number((10.0, y, 14.2), aside) for y, aside in zip(join.values(), asides, strict=True)
    ]
    return Scene(things, View(8.0, 52.0), LOW, numbers)


def mount() -> Scene:
    """Draw the bracket over its pocket, a drill with a stop over one of its holes, and screws."""
    sizes = sizes_of()
    bracket = solids()["carrom_single"]
    things = [_wood_of(sizes.carrom, 150.0), Thing(bracket, PRINTED)]
    things += lenses(sizes, pocket.bracket_axes(sizes, sizes.carrom, 1))[:-1]
    far = (pocket.tube_radius(sizes.carrom, sizes.beam) + sizes.print.wall_mm + 5.0) * 0.5**0.5
    ear = sizes.print.ear_mm
    things += tools.placed(tools.drill(1.0, ear + 6.0), (far, -far, 6.0))
    for x, y in ((-far, -far), (far, far)):
        things += moved(tools.screw(), (x, y, 32.0))
        things.append(tools.thread((x, y, ear), (x, y, 24.0)))
    numbers = (
        Number((-6.0, 19.5, 2.0), (-100.0, 160.0)),
        Number((far + 4.0, -far, 6.0 + ear + 9.0), (60.0, 20.0)),
        Number((-far, -far, 31.0), (-60.0, 40.0)),
    )
    return Scene(things, View(20.0, 44.0), WIDE, numbers)


def net() -> Scene:
    """Draw a net tied to a bracket's ring, some pieces in it."""
    sizes = sizes_of()
    bracket = solids()["carrom_single"]
    ring = bracket.bounding_box()[5]
    radius = pocket.tube_radius(sizes.carrom, sizes.beam)
    things = [_wood_of(sizes.carrom, 130.0), Thing(bracket, PRINTED)]
    levels = ((radius + 3.0, ring - 3.5), (radius + 7.0, ring + 20.0), (radius + 5.0, ring + 42.0),
              (radius - 8.0, ring + 58.0))  # fmt: skip
    for hole, side in product(range(pocket.NET_HOLES), (-1, 1)):
        places = [
            out * pocket.on_ring(hole + side * (j % 2) / 2) for j, (out, _z) in enumerate(levels)
        ]
        run = [(at.real, at.imag, z) for at, (_out, z) in zip(places, levels, strict=True)]
        things.append(Thing(bought.tube(run, 0.55), CORD, edges=False))
    bottom = cylinder(radius - 8.0, (ring + 57.4, ring + 58.4))
    things.append(Thing(bottom, CORD, edges=False))
    for x, y, z in ((5.0, 2.0, 48.0), (-4.0, -3.0, 39.0)):
        things.append(Thing(bought.disc(30.0, 8.0).translate((x, y, ring + z)), RED))
    loop = pocket.on_ring(10) * (radius + 3.5)
    numbers = (
        Number((loop.real, loop.imag, ring - 3.5), (80.0, 30.0)),
        Number((-4.0, -16.0, ring + 44.0), (-110.0, -20.0)),
    )
    turned_over = [Number((n.at[0], -n.at[1], -n.at[2]), n.aside) for n in numbers]
    return Scene(flipped(things), View(200.0, 8.0), HALF, turned_over)


CORD: Colour = (150, 132, 104)


def finger() -> Scene:
    """Draw a finger that breaks the beam of a pocket cut open."""
    sizes = sizes_of()
    board = sizes.carrom
    axes = pocket.bracket_axes(sizes, board, 1)
    body = [_wood_of(board, 130.0), Thing(solids()["carrom_single"], PRINTED)]
    hand = tools.placed(tools.finger(90.0), (-4.0, 3.0, 25.0), (180.0, 0.0, 0.0))
    things = [*cut(body, 0.0), *lenses(sizes, axes), *hand]
    return Scene(flipped(things), View(198.0, 22.0), HALF)


def drop() -> Scene:
    """Draw the kinds of pieces over a pocket of the board, each falling by itself."""
    sizes = sizes_of()
    outline = CrossSection.square((200.0, 150.0), True).translate((60.0, 35.0))
    outline -= disc_at(sizes.hikone.pocket_diameter_mm / 2, (0.0, 0.0))
    wood = plate(outline, (-12.0, 0.0))
    frame = block((-60.0, 160.0), (-62.0, -40.0), (-12.0, 12.0))
    frame += block((-62.0, -40.0), (-62.0, 110.0), (-12.0, 12.0))
    things = [Thing(wood, WOOD), Thing(frame, FRAME)]
    falling = bought.disc(30.0, 8.0).rotate((20.0, 10.0, 0.0)).translate((0.0, 0.0, 24.0))
    jack = bought.disc(34.0, 9.0).translate((70.0, 0.0, 0.1))
    striker = bought.disc(34.0, 12.0).translate((120.0, 0.0, 0.1))
    things += [Thing(falling, RED), Thing(jack, (240, 238, 230)), Thing(striker, BLUE)]
    things.append(tools.thread((0.0, 0.0, 22.0), (0.0, 0.0, -10.0), 0.6))
    numbers = (
        Number((0.0, -10.0, 34.0), (-40.0, 70.0)),
        Number((70.0, 0.0, 9.0), (0.0, 90.0)),
        Number((120.0, 0.0, 12.0), (30.0, 90.0)),
    )
    return Scene(things, View(14.0, 34.0), HALF, numbers)


def clean() -> Scene:
    """Draw a cotton bud in an aperture of a pocket cut open."""
    sizes = sizes_of()
    board = sizes.carrom
    axes = pocket.bracket_axes(sizes, board, 1)
    body = [_wood_of(board, 130.0), Thing(solids()["carrom_single"], PRINTED)]
    x, z = axes[0].start[0], axes[0].start[2]
    tip = Manifold.sphere(1.9, 24).scale((2.2, 1.0, 1.0)).translate((x - 9.0, 0.0, z))
    stick = bought.tube([(x - 12.0, 0.0, z), (x - 34.0, 0.0, z - 26.0), (-36.0, 0.0, -74.0)], 1.0)
    things = [*cut(body, 0.0), *lenses(sizes, axes)[:-1], Thing(tip, (250, 250, 248)),
              Thing(stick, BLUE, edges=False)]  # fmt: skip
    return Scene(flipped(things), View(198.0, 22.0), HALF)


ALL = (
    gauge, see_through, pocket_cut, pocket_below, holder_push, pocket_board, lens_bare, pocket_slim,
    splice, shared, mount, chute_cut, net, catch, finger, drop, clean,
)  # fmt: skip
"""These pictures, in the order of the page."""
