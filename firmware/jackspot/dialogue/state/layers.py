"""Layers over the board while no match is played, as values: free play and pictures of help."""

from __future__ import annotations

from dataclasses import dataclass

from jackspot.core.pieces import Piece, Pocket


@dataclass(frozen=True, slots=True)
class FreeFall:
    """What was counted in free play for one fall, or by hand (``number`` 0).

    ``pieces`` are empty where it is taken for a hand. ``width_ns`` is its longest pulse.
    """

    number: int
    pocket: Pocket | None
    width_ns: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class FreePlay:
    """Free play: what was counted, oldest first; ``earlier`` are pieces of older falls.

    ``sure``: people have said that the newest is right, or what it was.
    """

    falls: tuple[FreeFall, ...] = ()
    earlier: tuple[Piece, ...] = ()
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Attract:
    """Nobody plays: which picture of help is shown (from 0), and since when."""

    picture: int
    since_ns: int
