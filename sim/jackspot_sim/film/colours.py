"""The colours of the simulated table, as its page has them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from jackspot.core.pieces import Piece, Seat
from jackspot.sensing.events import Key

Colour = tuple[int, int, int]


def colour(text: str) -> Colour:
    """Read ``#rrggbb``."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return a colour between two; share 0 is the first, 1 the other."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


class Wood(Struct, frozen=True):
    """What a board is made of: its field from corner to corner, its frame by side, its planks.

    ``frame_mm`` is how wide the frame is.
    """

    field: tuple[Colour, Colour, Colour]
    frame: Mapping[Seat, Colour]
    frame_mm: float
    planks: int


HIKONE_WOOD = Wood(
    (colour("#f0d5a3"), colour("#e6c48b"), colour("#d8b075")),
    MappingProxyType(
        {
            Seat.N: colour("#4a2415"), Seat.W: colour("#421f12"),
            Seat.E: colour("#35170d"), Seat.S: colour("#2c120a"),
        }
    ),
    46, 5,
)  # fmt: skip
CARROM_WOOD = Wood(
    (colour("#f6e3bb"), colour("#efd6a5"), colour("#e4c58d")),
    MappingProxyType(
        {
            Seat.N: colour("#5a2f1c"), Seat.W: colour("#512818"),
            Seat.E: colour("#421f12"), Seat.S: colour("#371a0f"),
        }
    ),
    62, 1,
)  # fmt: skip

TURNED: Mapping[Piece, tuple[Colour, Colour, Colour]] = MappingProxyType(
    {
        Piece.RED: (colour("#f07a62"), colour("#c93321"), colour("#7e150b")),
        Piece.GREEN: (colour("#57b184"), colour("#1d7a50"), colour("#0b4128")),
        Piece.JACK: (colour("#5a4b44"), colour("#241b18"), colour("#070504")),
        Piece.STRIKER: (colour("#fffdf6"), colour("#efe4cf"), colour("#b9a888")),
        Piece.WHITE: (colour("#ffffff"), colour("#fbf6ea"), colour("#d9cdb4")),
        Piece.BLACK: (colour("#59514b"), colour("#2b2623"), colour("#0b0908")),
        Piece.BROWN: (colour("#b98250"), colour("#8a5427"), colour("#4c2a10")),
        Piece.QUEEN: (colour("#f4837a"), colour("#cf2a3c"), colour("#7c0d1e")),
    }
)
"""A turned and lacquered piece: where the light falls, its body, its dark side."""

LINE = (74, 42, 18)
SPOT = (158, 42, 26)
PALE = (240, 213, 163)
GOLD = colour("#e3bd67")
IVORY = colour("#6a5a44")
INLAY = colour("#ecd9ae")
PAPER = colour("#f2eae0")
INK = colour("#2a1d14")
LIT, DARK = (206, 234, 255), (6, 9, 13)
"""The OLED's pixels."""

BUTTONS: Mapping[Key, tuple[Colour, Colour]] = MappingProxyType(
    {
        Key.OK: (colour("#1f8a55"), (255, 255, 255)),
        Key.FIX: (colour("#e9b822"), INK),
        Key.FOUL: (colour("#c5301f"), (255, 255, 255)),
        Key.OFF: (colour("#2f6bb3"), (255, 255, 255)),
        Key.UNDO: (colour("#ece3d3"), INK),
    }
)
"""The referee's buttons: a dome and what is written on it."""
