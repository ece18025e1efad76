"""The page of the prints: every part with its picture, every size with its origin, what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from hardware.prints import corner, fits, sight
from hardware.prints.catalogue import (
    A_SOCKET,
    DENSITY_G_CM3,
    PRINTED,
    SCREWS,
    THREE_MM,
    Printed,
    solids,
)
from hardware.prints.checks import THINNEST_MM
from hardware.prints.parameters import Board, Origin, Parameter, Sizes, load
from hardware.prints.pocket import sleeve_drill_mm, tube_radius

EXPECTED_DEPTH_MM = 30.0
"""How far below the playing surface the firmware takes a beam to be that was not calibrated."""

_HEAD = """\
# Printed parts

`make hardware` makes the models in `stl/`, the pictures and this page from
[parameters.toml](parameters.toml). **None of it has been printed yet.** The models are checked as a
slicer reads them (closed, one body, no wall under {thinnest:g} mm, on the bed, nothing that hangs
in the air unless it is named here). But plastic shrinks, printers differ, and most sizes of bought
parts are from memory. So print the fit gauge first, measure your parts, and put your numbers in.

```
.ci/setup dev
.venv/bin/python -m hardware.prints --out build/prints --set carrom.pocket_diameter_mm=45.2
```

This makes all models anew with your sizes, and refuses sizes that do not go together. For emitters
and receivers of 3 mm: `{three}`.

[Plates](plates/) have all parts of a build laid out on beds of {bed:g} mm. The hub is on plates of
its own, and so is the `hub_plate`, for a bought hub case. Each plate is of one material; a slicer
opens it whole. Print the fit gauge before.

**STEP models**, for a CAD program, are too large to keep here. `make hardware` puts them into
`build/prints/`, a release into the file of its prints, and
`.venv/bin/python -m hardware.prints --step --out build/prints` writes one beside each STL, of your
sizes too. They are the same closed bodies, with all triangles of one plane made into one face, so
that a program can place, measure and cut them. Round surfaces are of flat facets there as well:
change a radius in the parameters, not in the model.

Print with layers of 0.2 mm, four walls, 20 % infill. No part needs supports. Use PETG, because a
black box in the sun softens PLA.

## The parts
"""


def page() -> str:
    """Write the page as Markdown."""
    parameters, sizes = load()
    parts = [
        _HEAD.format(
            thinnest=THINNEST_MM,
            bed=sizes.print.bed_mm,
            three=" ".join(f"--set {each}" for each in THREE_MM),
        ),
        *_parts(),
        "## Screws\n",
        *_screws(),
        "\n## What follows from the sizes\n",
        *_follows(sizes),
        "\n## Sizes\n",
        *_origins(parameters),
        *_sizes(parameters),
    ]
    return "\n".join(parts) + "\n"


def _parts() -> Iterator[str]:
    yield "| part | | for | printed | material | size, mm | plastic | screws | revision |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for part in PRINTED.values():
        box = np.array(solids()[part.id].bounding_box())
        size = " x ".join(f"{each:.0f}" for each in box[3:] - box[:3])
        grams = solids()[part.id].volume() / 1_000 * DENSITY_G_CM3
        link = f"[`{part.id}`](stl/{part.id}.stl)"
        shown = f"![{part.name}](pictures/{part.id}.png)"
        screws = ", ".join(_screwed(each, count) for each, count in part.screws.items()) or "-"
        yield (
            f"| {link} {part.name} | {shown} | {part.purpose} | {_stands(part)} | {part.material} "
            f"| {size} | {grams:.0f} g | {screws} | {_revision(part)} |"
        )
    yield "\n*Plastic* is the weight of a solid part; infill makes it less."
    yield (
        "\nThe number of its *revision* is engraved into a part: on top of a holder of brackets "
        "and chutes, where you read it from below; in a corner of lids, and of the floor inside "
        "boxes; otherwise on the floor or the largest flat face. Parts of one number go together, "
        "and so do the hub's case of 3 and its lid of 2. A hub's case or plate of 2 has six posts "
        "of one height: it takes no `nut_zero`, and for a larger Pi its two inner posts are cut "
        "off. "
        "A part that should have a number and has none is of the first revision, and its beams "
        "may be at another depth.\n"
    )


def _screwed(screw: str, count: int) -> str:
    return f"{count} `{screw}`" + (" a cable's socket" if screw == A_SOCKET else "")


def _stands(part: Printed) -> str:
    return f"{part.stands}; hangs: {part.overhang}" if part.overhang else part.stands


def _revision(part: Printed) -> str:
    told = f"; not engraved: {part.unmarked}" if part.unmarked else ""
    return f"{part.revision}{told}"


def _screws() -> Iterator[str]:
    yield "| screw | what |"
    yield "|---|---|"
    for each in SCREWS.values():
        yield f"| `{each.id}` | {each.name} |"


def _follows(sizes: Sizes) -> Iterator[str]:
    yield (
        "All of this is computed, nothing measured. A piece *on edge* falls standing; seen from "
        "above it is a narrow rectangle, and a beam sees it when it covers the beam's whole width. "
        "*Share unseen* assumes that every place and direction in the pocket is equally likely; "
        "nobody has checked that.\n"
    )
    boards = sizes.boards
    yield f"| | {' | '.join(boards)} |"
    yield f"|---|{'---|' * len(boards)}"
    rows: dict[str, Callable[[Board], str]] = {
        "one beam: thickest piece on edge that passes unseen, in mm": (
            lambda board: f"{_unseen(board, sizes, 1):.1f}"
        ),
        "one beam: share unseen of the pieces that fall on edge": (
            lambda board: f"{_share(board, sizes, 1):.0%}"
        ),
        "crossed beams: thickest piece on edge that passes unseen, in mm": (
            lambda board: f"{_unseen(board, sizes, 2):.1f}"
        ),
        "the thinnest piece": lambda board: f"{board.thinnest_piece_mm:g} mm",
        "a piece that falls flat is seen wherever it falls": (
            lambda board: "yes" if sight.flat_is_seen(board, sizes.beam) else "no"
        ),
        **_sun(sizes, 1, "one beam"),
        **_sun(sizes, 2, "crossed beams"),
        "chute: least time that a piece breaks the beam": (
            lambda board: f"{sight.chute_ms(sizes, board):.0f} ms"
        ),
        "chute: a piece leaves the felt by": (
            lambda board: f"{sight.bounce_mm(sizes, board):.1f} mm"
        ),
        "and is seen in full up to": (lambda _board: f"{sight.room_to_bounce_mm(sizes):.1f} mm"),
        "chute: height below the board": (lambda board: f"{_chute_height(sizes, board):.0f} mm"),
        "a bracket for one beam needs flat wood around the pocket, in diameter": (
            lambda board: f"{_footprint(sizes, board, 'single'):.0f} mm"
        ),
        "a bracket for crossed beams": (
            lambda board: f"{_footprint(sizes, board, 'crossed'):.0f} mm"
        ),
        "wood screws reach into the wood by": (lambda _board: f"{sizes.print.reach_mm:g} mm"),
        "of a wood this thick": (lambda board: f"{board.board_thickness_mm:g} mm"),
        f"a net as wide as the tube holds {fits.PIECES} pieces and a striker from a depth of": (
            lambda board: f"{fits.net_mm(sizes, board):.0f} mm"
        ),
    }
    for name, value in rows.items():
        yield f"| {name} | {' | '.join(value(board) for board in boards.values())} |"
    yield (
        f"\nSo use one beam for a first try, and crossed beams or the chute for play. If you "
        f"have a chute, calibrate: a piece takes longer there than in free fall. Calibrate crossed "
        f"beams, too: they are higher than the {EXPECTED_DEPTH_MM:g} mm below the surface that the "
        f"firmware expects. The shroud goes into a hole of {sleeve_drill_mm(sizes):g} mm.\n"
    )
    yield _largest_pocket(sizes)
    yield from _room(sizes)
    yield from _closed(sizes)
    yield from _cut(sizes)


def _room(sizes: Sizes) -> Iterator[str]:
    """Say what room each part needs beside its pocket and below the wood, and whether it has it."""
    yield "\n### Room under the board\n"
    yield (
        "*Beside* is from the pocket's centre to each of a corner's two walls (frame, batten, "
        "brace), with the part turned as suits it best; *below* is from the underside of the "
        f"wood, with a net or tray that holds {fits.PIECES} pieces and a striker. Measure both on "
        "your board: on some the frame goes below the plywood. When you make the parts with your "
        "own sizes, those that do not fit are named.\n"
    )
    yield "| part | beside | its own height | below, with net or tray | fits the table's board |"
    yield "|---|---|---|---|---|"
    for name, board in sizes.boards.items():
        for kind, said in fits.KINDS.items():
            solid = solids()[f"{name}_{kind}"]
            needed = fits.room(sizes, board, kind, solid)
            wrong = "; ".join(fits.misfits(sizes, board, kind, solid)) or "yes"
            yield (
                f"| `{name}_{kind}`, {said} | {needed.beside_mm:.0f} mm "
                f"| {needed.height_mm:.0f} mm | {needed.below_mm:.0f} mm | {wrong} |"
            )
    yield (
        f"\nA tray that hangs leaves {fits.HAND_MM:g} mm for a hand below the bracket. The hub "
        f"needs {fits.hub_mm(sizes, solids()['hub_case']):.0f} mm below the wood."
    )


def _closed(sizes: Sizes) -> Iterator[str]:
    """Say what a closed box takes inside and below, and what its beams see."""
    closed, board = sizes.closed, sizes.hikone
    along, up = corner.drill_mm(sizes)
    yield "\n### A closed box\n"
    yield (
        "Many Hikone boards have a second floor, and triangles for pockets: their playing surface "
        "is cut off at the corners. A bracket with its net does not fit in there, and pieces would "
        "pile up into the beam. So such a box is opened below each corner, and pieces fall through "
        "it into a drawer that hangs under it; feet make room for the drawer. How to build it: "
        "[the guide](../guide/closed-box.md). When you make the parts with your own sizes, these "
        "figures are printed, and parts that do not fit are left out and named. The sizes of the "
        "board are guesses and inferences, and nobody has built one.\n"
    )
    yield "| | |"
    yield "|---|---|"
    rows = {
        "needed inside, from the playing board down to the box's floor": (
            f"{corner.inside_needed_mm(sizes):g} mm"
        ),
        "available": f"{closed.inside_mm:g} mm",
        "the drawers hang below the box's underside by": f"{corner.hangs_mm(sizes):g} mm",
        "feet": f"{corner.foot_mm(sizes):g} mm",
        "opening to saw into the box's floor, a square from the inner walls": (
            f"{corner.opening_mm(sizes):g} mm"
        ),
        "drill through the frame, for the shrouds": f"{sleeve_drill_mm(sizes):g} mm",
        "distance from the frame's outer corner, along both sides": f"{along:.4g} mm",
        "distance above the box's underside": f"{up:g} mm",
        f"heap of {fits.PIECES} pieces and a striker": f"{fits.heap_mm3(board) / 1000:.0f} cm³",
        "what the drawer holds below its rim, heaped under the pocket at "
        f"{fits.STEEP_DEG:g} degrees (a guess)": f"{fits.drawer_mm3(sizes) / 1000:.0f} cm³",
        "a piece that falls flat is seen wherever it falls": (
            "yes" if sight.flat_is_seen_in_corner(sizes) else "no"
        ),
        "share unseen of the pieces that fall on edge": (
            f"{sight.share_unseen_in_corner(sizes):.0%}"
        ),
        "direct sun reaches a receiver's opening from": (
            f"{sight.sun_in_corner(sizes).lowest_deg:.0f} degrees up"
        ),
        "and no lens set back by": f"{sight.sun_in_corner(sizes).recess_mm:.1f} mm",
        "the lens is set back by": f"{sizes.beam.crossed_recess_mm:g} mm",
    }
    for name, value in rows.items():
        yield f"| {name} | {value} |"


def _cut(sizes: Sizes) -> Iterator[str]:
    """Say what cut-off corners take below the board where there is no floor."""
    closed, board = sizes.closed, sizes.hikone
    along, up = corner.drill_mm(sizes)
    yield "\n### Cut-off corners without a second floor\n"
    yield (
        "Older boards have the same triangles and are open below. Each corner then gets a plate of "
        "plywood under the frame, with the opening of a closed box's floor, and the parts of a "
        "closed box; the table above has what its beams see. How to build it: "
        "[the guide](../guide/cut-corners.md). Nobody has built or measured one.\n"
    )
    yield "| | |"
    yield "|---|---|"
    serve = fits.legs_serve(sizes, corner.plate_mm(sizes))
    rows = {
        "needed from the playing board down to the frame's lower edge": (
            f"{corner.inside_needed_mm(sizes):g} mm"
        ),
        "available (a guess)": f"{closed.inside_mm:g} mm",
        "plate, a square": f"{corner.plate_mm(sizes):g} mm",
        "its thickness": f"{closed.bottom_mm:g} mm",
        "opening in it, as far from two sides as the frame is thick": (
            f"{corner.opening_mm(sizes):g} mm"
        ),
        "drill through the frame, from its outer corner along both sides": f"{along:.4g} mm",
        "above its lower edge": f"{up - closed.bottom_mm:g} mm",
        "needed from the playing board down to the table": (f"{corner.below_board_mm(sizes):g} mm"),
        f"so legs that leave {board.room_below_mm:g} mm and are out of the plates' way stay": (
            "yes" if serve else "no"
        ),
        "otherwise feet under the plates": f"{corner.foot_mm(sizes):g} mm",
    }
    for name, value in rows.items():
        yield f"| {name} | {value} |"


def _sun(sizes: Sizes, beams: int, bracket: str) -> dict[str, Callable[[Board], str]]:
    """Return the rows of what sun reaches in the bracket for one beam, or for two that cross."""
    return {
        f"{bracket}: direct sun reaches the tube's opening from": (
            lambda board: f"{sight.sun(board, sizes.beam, beams).lowest_deg:.0f} degrees up"
        ),
        f"{bracket}: and no lens set back by": (
            lambda board: f"{sight.sun(board, sizes.beam, beams).recess_mm:.1f} mm"
        ),
        f"{bracket}: the lens is set back by": (
            lambda _board: f"{sizes.beam.stands_back_mm(beams):g} mm"
        ),
    }


def _unseen(board: Board, sizes: Sizes, beams: int) -> float:
    radius, half = tube_radius(board, sizes.beam), sizes.beam.opening_mm(beams) / 2
    return sight.thickest_unseen(board.smallest_piece_mm, radius, half, beams)


def _share(board: Board, sizes: Sizes, beams: int) -> float:
    radius, half = tube_radius(board, sizes.beam), sizes.beam.opening_mm(beams) / 2
    return sight.share_unseen(board.smallest_piece_mm, board.thinnest_piece_mm, radius, half, beams)


def _chute_height(sizes: Sizes, board: Board) -> float:
    box = solids()[f"{_name(sizes, board)}_chute"].bounding_box()
    return float(box[5])


def _footprint(sizes: Sizes, board: Board, kind: str) -> float:
    box = solids()[f"{_name(sizes, board)}_{kind}"].bounding_box()
    return float(box[3] - box[0])


def _name(sizes: Sizes, board: Board) -> str:
    return next(name for name, each in sizes.boards.items() if each is board)


def _largest_pocket(sizes: Sizes) -> str:
    """Say up to which pocket crossed beams see every piece on edge."""
    half, gap = sizes.beam.opening_mm(2) / 2, sizes.beam.pocket_gap_mm
    said = []
    for name, board in sizes.boards.items():
        piece = (board.smallest_piece_mm, board.thinnest_piece_mm)
        largest = 2 * (sight.smallest_tube(*piece, half, 2) - gap)
        said.append(f"{name}'s ({piece[0]:g} by {piece[1]:g} mm) up to {largest:.1f} mm")
    return (
        "Crossed beams see every piece on edge up to a certain pocket size: "
        f"{', '.join(said)}. For a larger pocket take the chute."
    )


def _origins(parameters: tuple[Parameter, ...]) -> Iterator[str]:
    counts = {origin: sum(each.origin is origin for each in parameters) for origin in Origin}
    said = ", ".join(f"{count} {origin}" for origin, count in counts.items())
    yield f"Of {len(parameters)} sizes: {said}.\n"


def _sizes(parameters: tuple[Parameter, ...]) -> Iterator[str]:
    yield "| size | value | can be | from | why, and how to know better |"
    yield "|---|---|---|---|---|"
    for each in parameters:
        bounds = f"{each.least:g} to {each.most:g}"
        yield f"| `{each.name}` | {each.value:g} | {bounds} | {each.origin} | {each.why} |"
