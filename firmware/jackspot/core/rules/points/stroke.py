"""What left the board in a stroke of points carrom, and what cannot have happened."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from jackspot.core.directives import RedPlace
from jackspot.core.pieces import Piece
from jackspot.core.position import Position
from jackspot.core.rules.points.ledger import COUNTERS, Ledger, memo_of, on_board, own_counters
from jackspot.core.ruling import IllegalStroke
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Flag, Stroke

FLAGS = frozenset({Flag.FOUL})


class PointsShot(NamedTuple):
    """A stroke before the rules, seen from its side.

    ``pocketed`` and ``flown`` are in the order the pieces went, strikers left out; a
    striker that flew off goes back to its player and means nothing. ``own`` and ``others``
    count the counters pocketed that are the shooter's to score and, with two colours, the
    opponent's. ``pending``: the queen waited to be covered. ``opens``: it is the break.
    """

    me: int
    pocketed: Ledger
    flown: Ledger
    own: int
    others: int
    queen: bool
    striker: bool
    called: bool
    pending: bool
    opens: bool

    @property
    def fault(self) -> bool:
        """Whether the striker was pocketed, or a foul called."""
        return self.striker or self.called

    @property
    def queen_at_stake(self) -> bool:
        """Whether the queen is one to be covered."""
        return self.queen or self.pending


def check(settings: MatchSettings, stroke: Stroke) -> None:
    """Refuse what these rules never know, wherever it stands (IllegalStroke)."""
    for flag in sorted(stroke.flags - FLAGS):
        raise IllegalStroke(f"{settings.rules} has no flag '{flag}'; it has foul", flag=flag)
    if stroke.called:
        raise IllegalStroke(f"nobody calls a pocket in {settings.rules}: no 'call@'", flag="call")
    strikers = 0
    for index, departure in enumerate(stroke.departures):
        strikers += departure.piece is Piece.STRIKER
        if strikers > 1:
            raise IllegalStroke("a stroke has one striker, this is one more", departure=index)


def look_at(position: Position, stroke: Stroke) -> PointsShot:
    """Say what fell, and refuse what is not there to fall (IllegalStroke)."""
    left = on_board(position) if stroke.departures else {}
    gone = Counter[Piece]()
    pocketed: list[Piece] = []
    flown: list[Piece] = []
    striker = False
    for index, departure in enumerate(stroke.departures):
        piece = departure.piece
        if piece is Piece.STRIKER:
            striker = not departure.flew_off
            continue
        if piece not in left:
            raise IllegalStroke(f"there is no {piece} in points carrom", departure=index)
        gone[piece] += 1
        if gone[piece] > left[piece]:
            raise _too_many(position, piece, left[piece], index)
        (flown if departure.flew_off else pocketed).append(piece)
    memo, me = memo_of(position), position.sides.index(position.side)
    mine = own_counters(memo.terms, me)
    return PointsShot(
        me=me,
        pocketed=tuple(pocketed),
        flown=tuple(flown),
        own=sum(piece in mine for piece in pocketed),
        others=sum(piece in COUNTERS and piece not in mine for piece in pocketed),
        queen=Piece.QUEEN in pocketed,
        striker=striker,
        called=Flag.FOUL in stroke.flags,
        pending=position.red is RedPlace.PENDING,
        opens=not memo.broken,
    )


def _too_many(position: Position, piece: Piece, left: int, index: int) -> IllegalStroke:
    """Refuse a piece that is not on the board."""
    if piece is not Piece.QUEEN:
        there = f"{left} on the board" if left else "none is on the board"
        message = f"too many {piece} counters: {there}"
    elif position.red is RedPlace.BOARD:
        message = "there is one queen, this is one more"
    else:
        message = f"the queen is not on the board: {position.red} ({position.red_side})"
    return IllegalStroke(message, departure=index)
