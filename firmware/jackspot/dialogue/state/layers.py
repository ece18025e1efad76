"""Layers over the board while no match is played, as values: free play and help pictures."""

from __future__ import annotations

from msgspec import Struct

from jackspot.core.pieces import Piece, Pocket


class FreeFall(Struct, frozen=True):
    """What was counted in free play for one fall, or by hand (``number`` 0).

    ``pieces`` is empty where the fall is taken for a hand. ``width_ns`` is its longest pulse.
    """

    number: int
    pocket: Pocket | None
    width_ns: int
    pieces: tuple[Piece, ...]


class FreePlay(Struct, frozen=True):
    """Free play: what was counted, oldest first; ``earlier`` are pieces of older falls.

    ``sure``: people have said that the newest count is right, or what it was.
    """

    falls: tuple[FreeFall, ...] = ()
    earlier: tuple[Piece, ...] = ()
    sure: bool = True


class Attract(Struct, frozen=True):
    """Nobody plays: which help picture is shown (from 0), and since when."""

    picture: int
    since_ns: int
