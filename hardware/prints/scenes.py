"""The pictures of the guide: parts put together, cut open, and in their places at a board.

A board lies face down in all pictures where it is worked on, as it does on a maker's table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from types import MappingProxyType

from manifold3d import CrossSection, Manifold
from PIL import Image

from hardware.prints import bought, boxes, closed_scenes, fits, housings, pocket
from hardware.prints.bought import moved
from hardware.prints.catalogue import solids
from hardware.prints.parameters import Sizes, load
from hardware.prints.render import (
    BEAM,
    DARK,
    METAL,
    PRINTED,
    PRINTED_TOO,
    RED,
    WOOD,
    Colour,
    Thing,
    View,
    picture,
)
from hardware.prints.solids import block, cylinder, disc_at, plate, turned

WIDE = (960, 640)
HALF = (720, 560)
FRAME: Colour = (138, 94, 58)
CABLE: Colour = (60, 60, 66)
FELT: Colour = (120, 60, 70)
FLOOR: Colour = (205, 205, 200)


def _sizes() -> Sizes:
    return load()[1]


def _flipped(things: list[Thing]) -> list[Thing]:
    """Turn things over, from how they are printed to how they hang."""
    return [Thing(each.solid.rotate((180.0, 0.0, 0.0)), each.colour, each.edges) for each in things]


def _cut(things: list[Thing], y: float) -> list[Thing]:
    """Cut everything open that lies before a plane."""
    kept = [
        Thing(each.solid.trim_by_plane((0.0, 1.0, 0.0), y), each.colour, each.edges)
        for each in things
    ]
    return [each for each in kept if not each.solid.is_empty()]


def _board_slab(sizes: Sizes, side: float, radius: float) -> Thing:
    board = sizes.carrom
    outline = CrossSection.square((side, side), True) - disc_at(radius, (0.0, 0.0))
    return Thing(plate(outline, (-board.board_thickness_mm, 0.0)), WOOD)


def _lenses(
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


def pocket_cut() -> Image.Image:
    """Draw a pocket cut open: board, bracket, lenses, beam, a puck on edge that breaks it."""
    sizes = _sizes()
    board = sizes.carrom
    axes = pocket.bracket_axes(sizes, board, 1)
    body = [
        _board_slab(sizes, 130.0, board.pocket_diameter_mm / 2),
        Thing(solids()["carrom_single"], PRINTED),
    ]
    puck = bought.disc(30.0, 8.0).rotate((0.0, 90.0, 25.0)).translate((-2.0, 3.0, 10.0))
    flat = bought.disc(30.0, 8.0).rotate((6.0, 0.0, 0.0)).translate((0.0, 4.0, -32.0))
    things = [*_cut(body, 0.0), *_lenses(sizes, axes), Thing(puck, RED), Thing(flat, RED)]
    return picture(_flipped(things), View(18.0 + 180.0, 22.0), WIDE)


def pocket_below() -> Image.Image:
    """Draw the crossed bracket under the board, which lies face down."""
    sizes = _sizes()
    axes = pocket.bracket_axes(sizes, sizes.carrom, 2)
    things = [
        _board_slab(sizes, 150.0, sizes.carrom.pocket_diameter_mm / 2),
        Thing(solids()["carrom_crossed"], PRINTED),
        *_lenses(sizes, axes),
    ]
    return picture(things, View(32.0, 38.0), WIDE)


def pocket_board() -> Image.Image:
    """Draw printed boards in a bracket's holders, the pad of one not yet in its place."""
    sizes = _sizes()
    axes = pocket.bracket_axes(sizes, sizes.carrom, 1)
    things = [
        _board_slab(sizes, 150.0, sizes.carrom.pocket_diameter_mm / 2),
        Thing(solids()["carrom_single"], PRINTED),
        *_lenses(sizes, axes, bought.board),
    ]
    x, _y, z = axes[0].start
    for degrees, back in ((0.0, 14.0), (180.0, 0.0)):
        pad = pocket.pad_in_place(sizes, solids()["board_pad"]).translate((x + back, 0.0, z))
        things.append(Thing(turned(pad, degrees), PRINTED_TOO))
    return picture(things, View(32.0, 38.0), WIDE)


def pocket_slim() -> Image.Image:
    """Draw the slim bracket between two walls below the board, with bare emitter and receiver."""
    sizes = _sizes()
    board = sizes.carrom
    near = fits.beside_mm(solids()["carrom_slim"])
    things = [
        _board_slab(sizes, 150.0, board.pocket_diameter_mm / 2),
        Thing(turned(solids()["carrom_slim"], 45.0), PRINTED),
    ]
    lenses = _lenses(sizes, (pocket.slim_axis(sizes, board),), bought.led)
    things += [Thing(turned(each.solid, 45.0), each.colour, each.edges) for each in lenses]
    # Its corner (+y) is turned to where the two walls meet.
    walls = (
        block((-near - 14.0, -near), (-75.0, 75.0), (0.0, 26.0)),
        block((-near, 75.0), (near, near + 14.0), (0.0, 26.0)),
    )
    things += [Thing(wall, FRAME) for wall in walls]
    return picture(things, View(35.0, 44.0), WIDE)


def catch() -> Image.Image:
    """Draw the tray that hangs by ties from a bracket's ring, a piece falling into it."""
    sizes = _sizes()
    board = sizes.carrom
    axes = pocket.bracket_axes(sizes, board, 2)
    bracket = solids()["carrom_crossed"]
    ring = bracket.bounding_box()[5]
    body = [
        _board_slab(sizes, 130.0, board.pocket_diameter_mm / 2),
        *_lenses(sizes, axes),
        Thing(bracket, PRINTED),
    ]
    low = ring + fits.HAND_MM + pocket.TRAY_MM[1] + sizes.print.floor_mm
    hung = solids()["tray"].rotate((180.0, 0.0, 0.0)).translate((0.0, 0.0, low))
    body += _cut([Thing(hung, PRINTED_TOO)], 0.0)
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
    return picture(_flipped([*body, Thing(falling, RED)]), View(212.0, 12.0), HALF)


def hub_plug() -> Image.Image:
    """Draw the hub from above with a straight plug in its Pi 4, below the cables' sockets."""
    sizes = _sizes()
    floor = sizes.print.floor_mm
    things = [Thing(solids()["hub_case"], PRINTED)]
    at = housings.computer_at(sizes)
    things += moved(bought.large_computer(sizes.hub.plug_mm), (*at, floor + sizes.hub.post_mm))
    return picture(things, View(8.0, 80.0), WIDE)


def chute_cut() -> Image.Image:
    """Draw the chute cut open, with felt and a puck that slides to the beam."""
    sizes = _sizes()
    board = sizes.carrom
    shape = pocket.chute_shape(sizes, board)
    body = [
        _board_slab(sizes, 130.0, board.pocket_diameter_mm / 2),
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
    things = [*_cut([*body, Thing(felt, FELT)], 0.0)]
    things += [Thing(puck, RED), Thing(ray, BEAM, edges=False), Thing(falling, RED)]
    return picture(_flipped(things), View(14.0 + 180.0, 14.0), HALF)


def _panel(layout: boxes.Layout, sizes: Sizes) -> list[Thing]:
    """Return the buttons and lamps of a lid whose upper side is z = 0."""
    found = []
    for hole in layout.holes:
        things = bought.button(hole.name, hole.hole_mm, hole.rim_mm) if hole.mark else bought.lamp()
        found += moved(things, (*hole.at, sizes.print.floor_mm))
    return found


def _cable_out(layout: boxes.Layout, sizes: Sizes, inside: float) -> Thing:
    y, z = layout.depth / 2, sizes.print.floor_mm + 4.0 + sizes.box.cable_mm / 2
    run = [(0.0, y - inside, z), (0.0, y + 14.0, z), (8.0, y + 34.0, 4.0), (24.0, y + 48.0, 3.0)]
    return Thing(bought.tube(run, sizes.box.cable_mm / 2), CABLE)


def seat_apart() -> Image.Image:
    """Draw a seat's box, taken apart."""
    sizes = _sizes()
    layout = boxes.seat_layout(sizes)
    things = [Thing(solids()["seat_box"], PRINTED), _cable_out(layout, sizes, 20.0)]
    things += moved([Thing(solids()["seat_lid"], PRINTED_TOO)], (0.0, 0.0, 66.0))
    things += moved(_panel(layout, sizes), (0.0, 0.0, 96.0))
    return picture(things, View(24.0, 28.0), HALF)


def referee_apart() -> Image.Image:
    """Draw the referee's box, taken apart."""
    sizes = _sizes()
    layout = boxes.referee_layout(sizes)
    things = [Thing(solids()["referee_box"], PRINTED), _cable_out(layout, sizes, 20.0)]
    things += moved([Thing(solids()["referee_lid"], PRINTED_TOO)], (0.0, 0.0, 72.0))
    things += moved(_panel(layout, sizes), (0.0, 0.0, 104.0))
    return picture(things, View(22.0, 32.0), WIDE)


def referee_ready() -> Image.Image:
    """Draw the referee's box as a thumb finds it, its marks beside the buttons."""
    sizes = _sizes()
    layout = boxes.referee_layout(sizes)
    things = [Thing(solids()["referee_box"], PRINTED), _cable_out(layout, sizes, 0.0)]
    top = (0.0, 0.0, layout.height)
    things += moved([Thing(solids()["referee_lid"], PRINTED_TOO)], top)
    things += moved(_panel(layout, sizes), top)
    return picture(things, View(8.0, 52.0), WIDE)


def referee_oled() -> Image.Image:
    """Draw the referee's box that has the display in its lid."""
    sizes = _sizes()
    layout = boxes.referee_layout(sizes, window=True)
    things = [Thing(solids()["referee_box_oled"], PRINTED), _cable_out(layout, sizes, 0.0)]
    top = (0.0, 0.0, layout.height)
    things += moved([Thing(solids()["referee_lid_oled"], PRINTED_TOO)], top)
    things += moved(_panel(layout, sizes), top)
    y = layout.depth / 2 - housings.bezel_size(sizes)[1] / 2 - 3.0
    z = layout.height + sizes.print.floor_mm + 2.2
    module = bought.oled_module(sizes.oled.board_width_mm, sizes.oled.board_height_mm)
    things += moved(module, (0.0, y, z + 22.0))
    bezel = Thing(solids()["oled_bezel"].rotate((180.0, 0.0, 180.0)), PRINTED)
    things += moved([bezel], (0.0, y, z + 52.0))
    return picture(things, View(20.0, 34.0), WIDE)


def oled_apart() -> Image.Image:
    """Draw the display's case, taken apart."""
    sizes = _sizes()
    things = [Thing(solids()["oled_case"], PRINTED)]
    module = bought.oled_module(sizes.oled.board_width_mm, sizes.oled.board_height_mm)
    things += moved(module, (0.0, 0.0, 34.0))
    bezel = Thing(solids()["oled_bezel"].rotate((180.0, 0.0, 180.0)), PRINTED_TOO)
    things += moved([bezel], (0.0, 0.0, 58.0))
    run = [(0.0, -14.0, 6.5), (0.0, -30.0, 6.5), (8.0, -44.0, 3.0)]
    things.append(Thing(bought.tube(run, 2.0), CABLE))
    return picture(things, View(28.0, 28.0), HALF)


def hub_open() -> Image.Image:
    """Draw the hub with its computer, sockets and plugs; its lid lifted."""
    sizes = _sizes()
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
    return picture(things, View(26.0, 34.0), WIDE)


# --- the whole board ---------------------------------------------------------------------


def _table(sizes: Sizes) -> Iterator[Thing]:
    """Return a board that lies face down: its plywood, the frame on its other side."""
    t = sizes.carrom.board_thickness_mm
    wood = CrossSection.square((880.0, 880.0), True)
    for x, y in product((-1.0, 1.0), repeat=2):
        wood -= disc_at(sizes.carrom.pocket_diameter_mm / 2, (x * 346.0, y * 346.0))
    yield Thing(plate(wood, (-t, 0.0)), WOOD)
    frame = CrossSection.square((880.0, 880.0), True) - CrossSection.square((740.0, 740.0), True)
    yield Thing(plate(frame, (-t - 22.0, -t)), FRAME)


def below() -> Image.Image:
    """Draw a board from below: where everything goes, and the way of every cable."""
    sizes = _sizes()
    things = list(_table(sizes))
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
    box += moved(_panel(layout, sizes), (0.0, 0.0, layout.height))
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
    return picture(things, View(14.0, 48.0), (1080, 760))


def festival() -> Image.Image:
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
    return picture(things, View(-24.0, 16.0), (1080, 760))


SCENES: Mapping[str, Callable[[], Image.Image]] = MappingProxyType(
    {
        each.__name__: each
        for each in (
            pocket_cut, pocket_below, pocket_board, pocket_slim, chute_cut, catch, seat_apart,
            referee_apart, referee_ready, referee_oled, oled_apart, hub_open, hub_plug, below,
            festival, *closed_scenes.ALL,
        )
    }
)  # fmt: skip
"""The guide's pictures by name."""
