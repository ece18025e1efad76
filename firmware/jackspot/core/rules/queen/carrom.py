"""Plain functions that the systems with a queen and two colours share: kagw, grundregeln, icf.

Nine white and nine black pieces and one queen; who opens a board plays white. What a
stroke is worth, and when a debt is paid, is each system's own business.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple

from jackspot.core.directives import RedPlace, SetRed
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.position import Count, Position
from jackspot.core.rules.common import by_side
from jackspot.core.rules.system import FinishedBoard, IllegalDirective
from jackspot.core.ruling import IllegalStroke
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Flag, Stroke

PIECES_EACH = 9
SIDES = (Side.WHITE, Side.BLACK)
PIECES = (Piece.WHITE, Piece.BLACK, Piece.QUEEN, Piece.STRIKER)
FLAGS = frozenset({Flag.FOUL, Flag.NOBREAK})


def set_up(
    settings: MatchSettings, boards: tuple[FinishedBoard, ...], opener: Seat, memo: object
) -> Position:
    """Return the position a board starts from; ``opener`` breaks."""
    return Position(
        order=settings.seats,
        turn=settings.seats.index(opener),
        seat_sides=colours(settings, boards, opener),
        sides=SIDES,
        counts=(Count(), Count()),
        pieces_each=PIECES_EACH,
        memo=memo,
    )


def colours(
    settings: MatchSettings, boards: tuple[FinishedBoard, ...], opener: Seat
) -> Mapping[Seat, Side]:
    """Return the colours of a board: as agreed on the first, then white for the opener's side."""
    if not boards:
        return settings.sides
    opens = settings.sides[opener]
    return MappingProxyType(
        {seat: SIDES[0] if side is opens else SIDES[1] for seat, side in settings.sides.items()}
    )


def next_in_order(settings: MatchSettings, opener: Seat) -> Seat:
    """Say who opens the board after the one that ``opener`` opened."""
    seats = settings.seats
    return seats[(seats.index(opener) + 1) % len(seats)]


# strokes


class CarromFell(NamedTuple):
    """What left the board in one stroke; ``off``: flew off it instead of falling."""

    own: int = 0
    opp: int = 0
    queen: int = 0
    striker: int = 0
    own_off: int = 0
    opp_off: int = 0
    queen_off: int = 0
    striker_off: int = 0

    @property
    def any_off(self) -> bool:
        """Whether the striker or any other piece left the board."""
        return bool(self.own_off or self.opp_off or self.queen_off or self.striker_off)


NOTHING = CarromFell()


def check(settings: MatchSettings, stroke: Stroke) -> None:
    """Refuse what these rules never know, wherever it stands (IllegalStroke)."""
    for flag in sorted(stroke.flags - FLAGS):
        raise IllegalStroke(
            f"{settings.rules} has no flag '{flag}'; it has foul, nobreak", flag=flag
        )
    if stroke.called:
        raise IllegalStroke(f"nobody calls a pocket in {settings.rules}: no 'call@'", flag="call")
    strikers = 0
    for index, departure in enumerate(stroke.departures):
        strikers += departure.piece is Piece.STRIKER
        if strikers > 1:
            raise IllegalStroke("a stroke has one striker, this is one more", departure=index)
        if Flag.NOBREAK in stroke.flags and departure.piece is not Piece.STRIKER:
            raise IllegalStroke(
                f"a break that was missed moved no {departure.piece}: 'nobreak' stands alone or "
                "with the striker",
                departure=index,
            )


def check_break(stroke: Stroke, *, broken: bool) -> bool:
    """Return whether the stroke missed the break; refuse that once the break was made."""
    missed = Flag.NOBREAK in stroke.flags
    if missed and broken:
        raise IllegalStroke("the break was made: it cannot be missed", flag=Flag.NOBREAK)
    return missed


def count_fallen(position: Position, stroke: Stroke) -> CarromFell:
    """Count what fell, and refuse what is not there to fall (IllegalStroke)."""
    if not stroke.departures:
        return NOTHING
    side = position.side
    other = position.other(side)
    kinds = (side.piece, other.piece, Piece.QUEEN, Piece.STRIKER)
    queens = int(position.red is RedPlace.BOARD)
    left = (position.left(side), position.left(other), queens, 1)
    fell, flown = [0, 0, 0, 0], [0, 0, 0, 0]
    for index, departure in enumerate(stroke.departures):
        if departure.piece not in kinds:
            raise IllegalStroke(f"there is no {departure.piece} in carrom", departure=index)
        kind = kinds.index(departure.piece)
        (flown if departure.flew_off else fell)[kind] += 1
        if fell[kind] + flown[kind] > left[kind]:
            raise _too_many(position, departure.piece, left[kind], index)
    return CarromFell(*fell, *flown)


def _too_many(position: Position, piece: Piece, left: int, index: int) -> IllegalStroke:
    """Refuse a piece that is not on the board."""
    if piece is Piece.STRIKER:
        message = "a stroke has one striker, this is one more"
    elif piece is not Piece.QUEEN:
        there = f"{left} on the board" if left else "none is on the board"
        message = f"too many {piece} pieces: {there}"
    elif left:
        message = "there is one queen, this is one more"
    elif position.red is RedPlace.POCKETED:
        message = "the queen is not on the board: it was pocketed too early in this turn"
    else:
        message = f"the queen is not on the board: {position.red} ({position.red_side})"
    return IllegalStroke(message, departure=index)


def put_back(position: Position, queens: int, own: int, others: int) -> tuple[Piece, ...]:
    """List what goes back on the board: the queen, the shooter's pieces, the other's."""
    side = position.side
    return (Piece.QUEEN,) * queens + (side.piece,) * own + (position.other(side).piece,) * others


# beside the strokes


def on_board(position: Position) -> Mapping[Piece, int]:
    """Count what lies on the board."""
    left = {side.piece: position.left(side) for side in position.sides}
    return MappingProxyType(left | {Piece.QUEEN: int(position.red is RedPlace.BOARD)})


def own(position: Position) -> frozenset[Piece]:
    """Return the colour that is the shooter's."""
    return frozenset((position.side.piece,))


def no_points(position: Position) -> Mapping[Side, int]:
    """Count the points of a running board: there are none before it ends."""
    return by_side(position.sides, 0, 0)


def has_covered(position: Position, side: Side) -> bool:
    """Return whether this side has pocketed and covered the queen."""
    return position.red is RedPlace.COVERED and position.red_side is side


def queen_put(position: Position, directive: SetRed) -> Position:
    """Put the queen where the referee says it is (IllegalDirective)."""
    if directive.red is not Piece.QUEEN or directive.place is RedPlace.POCKETED:
        raise IllegalDirective(
            "expected queen=board, queen=pending:SIDE or queen=covered:SIDE", argument=True
        )
    if directive.place is RedPlace.PENDING and directive.side is not position.side:
        raise IllegalDirective(
            f"only the side in turn can have the queen to cover: pending:{position.side}",
            argument=True,
        )
    return replace(position, red=directive.place, red_side=directive.side)
