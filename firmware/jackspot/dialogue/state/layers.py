"""Layers over the board while no match is played, as values: free play and pictures of help."""

from __future__ import annotations

from msgspec import Struct

from jackspot.core.pieces import Piece, Pocket


class FreeFall(Struct, frozen=True):
    """What was counted in free play for one fall, or by hand (``number`` 0).

    ``pieces`` are empty where it is taken for a hand. ``width_ns`` is its longest pulse.
    """

    number: int
    pocket: Pocket | None
    width_ns: int
    pieces: tuple[Piece, ...]


class FreePlay(Struct, frozen=True):
    """Free play: what was counted, oldest first; ``earlier`` are pieces of older falls.

    ``sure``: people have said that the newest is right, or what it was.
    """

    falls: tuple[FreeFall, ...] = ()
    earlier: tuple[Piece, ...] = ()
    sure: bool = True


class Attract(Struct, frozen=True):
    """Nobody plays: which picture of help is shown (from 0), and since when."""

    picture: int
    since_ns: int
