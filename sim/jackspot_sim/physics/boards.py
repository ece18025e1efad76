"""The two boards and their pieces: every size and friction that the physics uses.

Lengths are in millimetres, masses in grams, speeds in millimetres a second. The origin is the
middle of the field, x runs to the east and y to the north. ``BOARDS`` are the values; ``FIGURES``
give the source of each.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from jackspot.core.pieces import Piece, Pocket
from jackspot.core.rules import has_jack
from jackspot.core.settings import RuleSystem
from jackspot_sim.physics.figures import Figure, Figures, Source, values

GRAVITY_MM_S2 = 9_806.65

_MEASURED, _BOOK, _COMPUTED, _GUESS = (
    Source.MEASURED, Source.RULE_BOOK, Source.COMPUTED, Source.GUESS,
)  # fmt: skip


class Disc(Struct, frozen=True):
    """One kind of piece: a flat disc of even weight."""

    diameter_mm: float
    thickness_mm: float
    mass_g: float

    @property
    def radius_mm(self) -> float:
        """Half its diameter."""
        return self.diameter_mm / 2


class PhysicalBoard(Struct, frozen=True, eq=False):
    """A board's sizes, and how things slide and bounce on it; see the module for units.

    There is one of each kind, so it is compared and hashed by identity.

    ``line_mm`` is how far the line on which strikers are placed is from the frame (the middle
    between two lines on a carrom board), ``line_width_mm`` how far those two are apart,
    ``line_reach_mm`` how far from its middle a striker's middle may stand along it.
    ``end_circle_mm`` is where the circles at its ends are, 0 where there are none.
    ``board_friction`` is the coefficient of sliding; a ``bounce`` is a coefficient of
    restitution.
    """

    field_mm: float
    frame_height_mm: float
    pocket_mm: float
    pocket_inset_mm: float
    circle_mm: float
    line_mm: float
    line_width_mm: float
    line_reach_mm: float
    end_circle_mm: float
    board_friction: float
    piece_friction: float
    frame_friction: float
    piece_bounce: float
    frame_bounce: float
    fastest_mm_s: float

    @property
    def half_mm(self) -> float:
        """From the middle to the frame."""
        return self.field_mm / 2

    @property
    def pocket_radius_mm(self) -> float:
        """Half a pocket's width."""
        return self.pocket_mm / 2

    @property
    def line_from_middle_mm(self) -> float:
        """From the middle of the board to the line that strikers are placed on."""
        return self.half_mm - self.line_mm

    def pocket_at(self, pocket: Pocket) -> tuple[float, float]:
        """Return the middle of a pocket."""
        at = self.half_mm - self.pocket_inset_mm
        east, north = _CORNERS[pocket]
        return east * at, north * at


_CORNERS: Mapping[Pocket, tuple[int, int]] = {
    Pocket.NE: (1, 1), Pocket.SE: (1, -1), Pocket.SW: (-1, -1), Pocket.NW: (-1, 1),
}  # fmt: skip

HIKONE: Figures = {
    "field_mm": Figure(600, "mm", _MEASURED, "60 cm inside the frame, as makers give it."),
    "frame_height_mm": Figure(20, "mm", _GUESS, "As a carrom board's: both keep pieces in."),
    "pocket_mm": Figure(52, "mm", _GUESS, "Not published; wide enough for one puck, not for two."),
    "pocket_inset_mm": Figure(
        28, "mm", _GUESS, "Frame to a pocket's middle: the hole just misses the frame."
    ),
    "circle_mm": Figure(
        244,
        "mm",
        _COMPUTED,
        "The narrowest circle on which 24 pucks lie side by "
        "side is 230 mm; here they nearly touch.",
    ),
    "line_mm": Figure(96, "mm", _GUESS, "Area line to frame: not published; as the page draws it."),
    "line_width_mm": Figure(0, "mm", _BOOK, "A single line; a striker may stand on it anyhow."),
    "line_reach_mm": Figure(
        186, "mm", _GUESS, "Half the area line: not published; as the page draws it."
    ),
    "end_circle_mm": Figure(0, "mm", _BOOK, "There are none."),
    "board_friction": Figure(
        0.16,
        "",
        _GUESS,
        "Lacquered wood on wood without powder: more than "
        "carrom's, less than the 0.2 to 0.4 of raw wood.",
    ),
    "piece_friction": Figure(0.15, "", _GUESS, "Wood on wood at the rim."),
    "frame_friction": Figure(0.15, "", _GUESS, "As between pieces."),
    "piece_bounce": Figure(
        0.80,
        "",
        _GUESS,
        "Hard turned wood; a struck puck leaves with nine tenths of the striker's speed.",
    ),
    "frame_bounce": Figure(0.70, "", _GUESS, "A wooden frame gives a little."),
    "fastest_mm_s": Figure(
        5_000,
        "mm/s",
        _GUESS,
        "The hardest flick of a finger. How far a break spreads the ring rests on this and on the "
        "board's friction: pulled back by 86 %, 1 to 8 of the 24 pucks move by more than 5 cm. "
        "Descriptions of play give no number.",
    ),
}
"""The Hikone board (hikone, japan)."""

CARROM: Figures = {
    "field_mm": Figure(740, "mm", _BOOK, "73.5 to 74 cm square."),
    "frame_height_mm": Figure(22, "mm", _BOOK, "1.90 to 2.54 cm above the playing surface."),
    "pocket_mm": Figure(44.5, "mm", _BOOK, "4.45 cm, 0.15 cm more or less."),
    "pocket_inset_mm": Figure(
        24, "mm", _GUESS, "Frame to a pocket's middle: the hole just misses the frame."
    ),
    "circle_mm": Figure(170, "mm", _BOOK, "The outer circle."),
    "line_mm": Figure(117.4, "mm", _BOOK, "Base lines 101.5 mm and 133.3 mm from the frame."),
    "line_width_mm": Figure(31.8, "mm", _BOOK, "Between the two lines; a striker touches both."),
    "line_reach_mm": Figure(
        182.5, "mm", _COMPUTED, "Out to here a striker is clear of the circle at the line's end."
    ),
    "end_circle_mm": Figure(
        219.1, "mm", _BOOK, "A line of 470 mm with a circle of 31.8 mm at each end."
    ),
    "board_friction": Figure(
        0.09,
        "",
        _GUESS,
        "Powdered plywood. The laws ask for at least three and a half runs across the board from "
        "the hardest flick; here it makes five.",
    ),
    "piece_friction": Figure(0.12, "", _GUESS, "Polished rims, powdered."),
    "frame_friction": Figure(0.12, "", _GUESS, "As between pieces."),
    "piece_bounce": Figure(0.82, "", _GUESS, "A hard striker on hard wood."),
    "frame_bounce": Figure(
        0.75,
        "",
        _GUESS,
        "Rosewood of good resistance, as the laws ask for; fits at least three and a half runs.",
    ),
    "fastest_mm_s": Figure(6_000, "mm/s", _GUESS, "The hardest flick of a trained finger."),
}
"""A carrom board by the international laws (kagw, grundregeln, points, icf)."""

_MAN = {
    "diameter_mm": Figure(31, "mm", _BOOK, "3.02 to 3.18 cm."),
    "thickness_mm": Figure(8, "mm", _BOOK, "0.70 to 0.90 cm."),
    "mass_g": Figure(5.4, "g", _BOOK, "5.25 to 5.50 g."),
}
_PUCK = {
    "diameter_mm": Figure(30, "mm", _MEASURED, "About 3 cm, as newspapers and makers give it."),
    "thickness_mm": Figure(8, "mm", _GUESS, "Not published; as a carrom man's."),
    "mass_g": Figure(4.2, "g", _COMPUTED, "A disc of beech, 0.74 g a cubic centimetre."),
}

HIKONE_PIECES: Mapping[str, Figures] = {
    "puck": _PUCK,
    "jack": {
        "diameter_mm": Figure(34, "mm", _MEASURED, "Slightly larger than a puck."),
        "thickness_mm": Figure(8, "mm", _GUESS, "As a puck's."),
        "mass_g": Figure(5.4, "g", _COMPUTED, "Of the same wood."),
    },
    "striker": _PUCK,
}
CARROM_PIECES: Mapping[str, Figures] = {
    "man": _MAN,
    "queen": _MAN,
    "striker": {
        "diameter_mm": Figure(41.3, "mm", _BOOK, "At most 4.13 cm: everybody's striker is that."),
        "thickness_mm": Figure(
            8,
            "mm",
            _MEASURED,
            "6.5 to 8.0 mm, by the plastic. Generated traffic and the widths that a board starts "
            "with assume 9.",
        ),
        "mass_g": Figure(15, "g", _BOOK, "At most 15 g: everybody's striker is that."),
    },
}

HIKONE_BOARD = PhysicalBoard(**values(HIKONE))
CARROM_BOARD = PhysicalBoard(**values(CARROM))

_DISCS: Mapping[PhysicalBoard, Mapping[Piece, Disc]] = MappingProxyType(
    {
        HIKONE_BOARD: MappingProxyType(
            {
                Piece.RED: Disc(**values(HIKONE_PIECES["puck"])),
                Piece.GREEN: Disc(**values(HIKONE_PIECES["puck"])),
                Piece.JACK: Disc(**values(HIKONE_PIECES["jack"])),
                Piece.STRIKER: Disc(**values(HIKONE_PIECES["striker"])),
            }
        ),
        CARROM_BOARD: MappingProxyType(
            {
                Piece.WHITE: Disc(**values(CARROM_PIECES["man"])),
                Piece.BLACK: Disc(**values(CARROM_PIECES["man"])),
                Piece.BROWN: Disc(**values(CARROM_PIECES["man"])),
                Piece.QUEEN: Disc(**values(CARROM_PIECES["queen"])),
                Piece.STRIKER: Disc(**values(CARROM_PIECES["striker"])),
            }
        ),
    }
)


def board_of(system: RuleSystem) -> PhysicalBoard:
    """Return the board that a rule system is played on."""
    return HIKONE_BOARD if has_jack(system) else CARROM_BOARD


def disc_of(board: PhysicalBoard, piece: Piece) -> Disc:
    """Return a piece's sizes; KeyError if the board has no such piece."""
    return _DISCS[board][piece]


def tips_within_mm(board: PhysicalBoard, disc: Disc) -> float:
    """Compute how near a pocket's middle a disc's middle must be for it to tip in.

    A disc over the edge of a round hole rests on a crescent and is held while its middle is
    between the crescent's horns. These are ``sqrt(R² - r²)`` from the hole's middle when the
    disc's middle is on the line between them.
    """
    hole, radius = board.pocket_radius_mm, disc.radius_mm
    return math.sqrt(max(hole * hole - radius * radius, 0.0))
