"""Every printed part: what it is for, how it is printed, and what it takes beside plastic."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType

from manifold3d import Manifold
from msgspec import Struct, field

from hardware.prints import boxes, corner, head, housings, pocket, revision
from hardware.prints.parameters import Board, Sizes, load

DENSITY_G_CM3 = 1.27
"""Of PETG."""

SLIVER_MM = 0.003
"""Edges shorter than this are drawn together: no printer sees them."""


class Screw(Struct, frozen=True):
    """A fastener that a maker buys."""

    id: str
    name: str


A_SOCKET = "screw_socket"
"""Counted for each socket that a build has in its hub's wall, where others are for a part."""

SCREWS: Mapping[str, Screw] = MappingProxyType(
    {
        each.id: each
        for each in (
            Screw("screw_wood", "wood screw 3 x 10 mm, countersunk"),
            Screw("screw_pan", "wood screw 3 x 10 mm, pan head"),
            Screw("screw_lid", "self-tapping screw 2.9 x 13 mm, pan head"),
            Screw("screw_oled", "self-tapping screw 2.9 x 6.5 mm, pan head"),
            Screw("screw_pi", "machine screw M2.5 x 5 mm, into the spacers"),
            Screw(A_SOCKET, "machine screw M3 x 8 mm with a nut, two for each socket"),
        )
    }
)


class Printed(Struct, frozen=True):
    """One printed part.

    ``made`` gives it in the position in which it is printed. ``overhang_mm2`` is how much of it
    hangs in the air, and ``overhang`` says what that is; without it nothing does.
    """

    id: str
    name: str
    purpose: str
    made: Callable[[Sizes], Manifold]
    stands: str
    material: str = "PETG"
    overhang_mm2: float = 0.0
    overhang: str = ""
    screws: Mapping[str, int] = field(default_factory=dict)
    turn_deg: float = 25.0
    """How it is turned in its picture."""
    revision: int = 2
    """Counted up with each change after which old and new parts do not go together."""

    @property
    def unmarked(self) -> str:
        """Why its revision is not engraved; "" where it is."""
        return revision.UNMARKED.get(self.id, "")

    def solid(self, sizes: Sizes) -> Manifold:
        """Make the part, with the number of its revision."""
        solid = self.made(sizes).simplify(SLIVER_MM)
        if self.unmarked:
            return solid
        return revision.engraved(solid, revision.PLACES[self.id](sizes), self.revision)


BLACK = "PETG, black inside (print it black, or paint it)"
"""Of what light must not bounce in."""


def _of_board(name: str, make: Callable[[Sizes, Board], Manifold]) -> Callable[[Sizes], Manifold]:
    return lambda sizes: make(sizes, sizes.boards[name])


def _pocket_parts(board: str) -> tuple[Printed, ...]:
    shown = board.capitalize()
    flange = "on its flange, the tube up"
    return (
        Printed(
            f"{board}_single",
            f"Pocket bracket, one beam ({shown})",
            "holds one beam below a pocket; for the first try",
            _of_board(board, lambda sizes, its: pocket.bracket(sizes, its, 1)),
            flange,
            BLACK,
            screws={"screw_wood": 4},
        ),
        Printed(
            f"{board}_slim",
            f"Pocket bracket, slim ({shown})",
            "holds one beam of bare parts where frame or batten stand near the pocket below",
            _of_board(board, pocket.slim),
            flange,
            BLACK,
            screws={"screw_wood": 3},
        ),
        Printed(
            f"{board}_crossed",
            f"Pocket bracket, crossed beams ({shown})",
            "holds two beams that cross: hardly a piece on edge passes unseen",
            _of_board(board, lambda sizes, its: pocket.bracket(sizes, its, 2)),
            flange,
            BLACK,
            screws={"screw_wood": 4},
        ),
        Printed(
            f"{board}_chute",
            f"Pocket chute ({shown})",
            "leads every piece over felt through one beam, and to one side",
            _of_board(board, pocket.chute),
            "on its flange, the mouth up",
            BLACK,
            screws={"screw_wood": 4},
        ),
        Printed(
            f"{board}_head",
            f"Holder of a colour head ({shown})",
            "holds a colour head's board at the tube of either bracket but the slim one",
            _of_board(board, head.holder),
            "on its closed end",
            BLACK,
            overhang_mm2=12.0,
            overhang="the roofs of the holes before photodiode and lights: bridges of 3 mm",
            turn_deg=215.0,
        ),
    )


CLOSED = "closed_"
"""What the ids of a closed box's own parts begin with."""


def _closed_parts() -> tuple[Printed, ...]:
    return (
        Printed(
            "closed_corner",
            "Corner bracket (closed box)",
            "fences a triangular pocket off inside the box, and holds the receivers of two beams "
            "that cross it",
            corner.bracket,
            "on its ears, the fence up",
            BLACK,
            screws={"screw_wood": 3},
            turn_deg=158.0,
        ),
        Printed(
            "closed_eye",
            "Emitter's cap (closed box)",
            "holds an emitter outside at the frame, its lens in a shroud in the drilled hole",
            corner.eye,
            "on its face, open above",
            screws={"screw_wood": 2},
        ),
        Printed(
            "closed_cover",
            "Cover (closed box)",
            "covers the opening sawn into the box's floor, and carries the drawer",
            corner.cover,
            "flat, the rails up",
            screws={"screw_wood": 5},
        ),
        Printed(
            "closed_drawer",
            "Drawer (closed box)",
            "catches ten pieces and a striker below the box, and is pulled out at the frame",
            corner.drawer,
            "on its floor",
        ),
        Printed(
            "closed_foot",
            "Foot (closed box)",
            "lifts the box so far that the drawers have room",
            corner.foot,
            "on the end that goes against the wood",
            screws={"screw_wood": 1},
        ),
    )


def _all() -> tuple[Printed, ...]:
    lid_down = "with its inside on the bed, the marks up"
    return (
        Printed(
            "fit_gauge",
            "Fit gauge",
            "print it first: it says which `print.fit_mm` your printer wants",
            housings.fit_gauge,
            "on its flat side, the dots up",
        ),
        *_pocket_parts("carrom"),
        *_pocket_parts("hikone"),
        *_closed_parts(),
        Printed(
            "tray",
            "Tray",
            "catches ten pieces and a striker where there is no net; hangs by ties from a bracket",
            pocket.tray,
            "on its bottom",
        ),
        Printed(
            "sleeve",
            "Shroud",
            "keeps sun from an emitter or receiver in a hole drilled into the board's own wood",
            pocket.sleeve,
            "on its collar",
            BLACK,
        ),
        Printed(
            "board_pad",
            "Pad for a pocket board",
            "holds a printed pocket board in its holder, under the cable tie; one for each board",
            pocket.board_pad,
            "on its back, the channel up",
        ),
        Printed(
            "seat_box",
            "Seat box",
            "two buttons and a lamp at a seat; or OK and FIX alone as the referee's box",
            lambda sizes: boxes.box(sizes, boxes.seat_layout(sizes)),
            "on its bottom",
            screws={"screw_lid": 4, "screw_wood": 2},
        ),
        Printed(
            "seat_lid",
            "Lid of the seat box",
            "holds OK, FIX and the lamp",
            lambda sizes: boxes.lid(sizes, boxes.seat_layout(sizes)),
            lid_down,
        ),
        Printed(
            "referee_box",
            "Referee's box",
            "five buttons",
            lambda sizes: boxes.box(sizes, boxes.referee_layout(sizes)),
            "on its bottom",
            screws={"screw_lid": 4, "screw_wood": 2},
        ),
        Printed(
            "referee_lid",
            "Lid of the referee's box",
            "holds OK, FIX, FOUL, OFF and UNDO",
            lambda sizes: boxes.lid(sizes, boxes.referee_layout(sizes)),
            lid_down,
        ),
        Printed(
            "referee_box_oled",
            "Referee's box with a display",
            "five buttons and the OLED",
            lambda sizes: boxes.box(sizes, boxes.referee_layout(sizes, window=True)),
            "on its bottom",
            screws={"screw_lid": 4, "screw_wood": 2},
        ),
        Printed(
            "referee_lid_oled",
            "Lid of the referee's box with a display",
            "holds the five buttons and the OLED, with the bezel before it",
            lambda sizes: housings.lid_with_window(sizes, boxes.referee_layout(sizes, window=True)),
            lid_down,
            screws={"screw_oled": 4},
        ),
        Printed(
            "oled_case",
            "Display case",
            "the OLED by itself, on the board's frame",
            housings.oled_case,
            "on its back",
            screws={"screw_oled": 4, "screw_wood": 2},
        ),
        Printed(
            "oled_bezel",
            "Bezel",
            "holds the OLED in its case or in the referee's lid",
            housings.bezel,
            "on its face",
        ),
        Printed(
            "hub_case",
            "Case of the hub",
            "the computer, the board beside it and the cables' sockets, under the board; in place "
            "of one that is bought",
            housings.hub_case,
            "on its back, open above",
            overhang_mm2=10 * 14.5,
            overhang="the roofs of the ten sockets' holes: bridges of 6 mm in the wall",
            screws={"screw_wood": 4, "screw_pi": 4, "screw_lid": 4, A_SOCKET: 2},
            revision=3,
        ),
        Printed(
            "hub_plate",
            "Plate for a bought case",
            "the computer's posts, screwed through the floor of the case that is bought, in "
            "place of hub_case and hub_lid",
            housings.hub_plate,
            "flat",
            screws={"screw_wood": 4, "screw_pi": 4},
            revision=3,
        ),
        Printed(
            "hub_lid",
            "Lid of the hub",
            "closes the hub; air goes through",
            housings.hub_lid,
            "flat",
        ),
        Printed(
            "cable_clip",
            "Cable clip",
            "holds a cable to the board's underside",
            housings.cable_clip,
            "on its side",
            screws={"screw_pan": 1},
        ),
    )


PRINTED: Mapping[str, Printed] = MappingProxyType({each.id: each for each in _all()})
"""Every printed part, in the order of the page."""

THREE_MM = (
    "beam.led_mm=3",
    "beam.led_length_mm=5.3",
    "beam.rim_mm=3.8",
    "beam.aperture_mm=2.2",
    "beam.crossed_aperture_mm=2.2",
)
"""The settings for emitters and receivers of 3 mm."""


@cache
def solids() -> Mapping[str, Manifold]:
    """Make all parts as the table has them, once."""
    _parameters, sizes = load()
    return MappingProxyType({each.id: each.solid(sizes) for each in PRINTED.values()})
