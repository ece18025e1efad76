"""The pictures of a pocket: what is in it, and what is done there."""

from __future__ import annotations

from collections.abc import Callable

from manifold3d import Manifold

from hardware.prints import bought, fits, pocket
from hardware.prints.catalogue import solids
from hardware.prints.parameters import Sizes
from hardware.prints.render import BEAM, PRINTED, PRINTED_TOO, RED, Scene, Thing, View
from hardware.prints.scenes.common import (
    CABLE,
    FELT,
    FRAME,
    HALF,
    WIDE,
    board_slab,
    cut,
    flipped,
    sizes_of,
)
from hardware.prints.solids import block, turned


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


ALL = (pocket_cut, pocket_below, pocket_board, pocket_slim, chute_cut, catch)
"""These pictures, in the order of the page."""
