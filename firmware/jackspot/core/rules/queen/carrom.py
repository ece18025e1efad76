"""A board of carrom with a queen: how it is set up, and its directives.

This is what kagw, grundregeln and icf share: nine white and nine black pieces and one queen; the
opener of a board plays white.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

from jackspot.core.directives import RedPlace, SetOwed, SetPocketed, SetRed
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.position import Count, Position
from jackspot.core.rules.common import by_side, check_queen_put, end_at
from jackspot.core.rules.own_colours import corrected, on_board, own
from jackspot.core.rules.queen.stroke import FLAGS, check
from jackspot.core.rules.system import Effect, FinishedBoard, Rules
from jackspot.core.ruling import How
from jackspot.core.settings import MatchSettings
from jackspot.values import changed

PIECES_EACH = 9
SIDES = (Side.WHITE, Side.BLACK)


def set_up(
    settings: MatchSettings, boards: tuple[FinishedBoard, ...], opener: Seat, memo: object
) -> Position:
    """Return the position from which a board starts; ``opener`` breaks."""
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
    """Return the colours of a board: as agreed for the first, then white for the opener's side."""
    if not boards:
        return settings.sides
    opens = settings.sides[opener]
    return MappingProxyType(
        {seat: SIDES[0] if side is opens else SIDES[1] for seat, side in settings.sides.items()}
    )


def next_in_order(settings: MatchSettings, board: FinishedBoard) -> Seat:
    """Return who opens the board after one: the seat after its opener."""
    seats = settings.seats
    return seats[(seats.index(board.opener) + 1) % len(seats)]


def put_back(position: Position, queens: int, own: int, others: int) -> tuple[Piece, ...]:
    """List what goes back on the board: the queen, the shooter's pieces, the other's."""
    side = position.side
    return (Piece.QUEEN,) * queens + (side.piece,) * own + (position.other(side).piece,) * others


def no_points(position: Position) -> Mapping[Side, int]:
    """Return the points of a running board: there are none before it ends."""
    return by_side(position.sides, 0, 0)


def points_for(position: Position, winner: Side, points: int) -> Mapping[Side, int]:
    """Return the points of a finished board, which are all the winner's."""
    first, second = (points * (winner is side) for side in position.sides)
    return by_side(position.sides, first, second)


def has_covered(position: Position, side: Side) -> bool:
    """Return whether this side has pocketed and covered the queen."""
    return position.red is RedPlace.COVERED and position.red_side is side


def queen_put(position: Position, directive: SetRed) -> Effect:
    """Put the queen where the referee says it is (IllegalDirective)."""
    check_queen_put(position, directive)
    return Effect(changed(position, red=directive.place, red_side=directive.side))


def corrected_pieces(position: Position, directive: SetPocketed | SetOwed) -> Effect:
    """Assign the count that the referee gives (IllegalDirective)."""
    return Effect(corrected(position, directive, "pieces"))


def out_of_time(
    position: Position,
    place: tuple[Piece, ...],
    board_points: Callable[[Position, Side, int], Mapping[Side, int]],
) -> Effect:
    """Let fewer own pieces left win by the difference; ``board_points`` adds the queen."""
    one, two = (position.left(side) for side in position.sides)
    if one == two:
        return end_at(position, None, How.TIME, no_points(position), place)
    winner = position.sides[one > two]
    points = board_points(position, winner, abs(one - two))
    return end_at(position, winner, How.TIME, points, place)


queen_rules = partial(
    Rules,
    sides=SIDES,
    pieces=(Piece.WHITE, Piece.BLACK, Piece.QUEEN, Piece.STRIKER),
    red=Piece.QUEEN,
    flags=FLAGS,
    check=check,
    points=no_points,
    on_board=partial(on_board, Piece.QUEEN),
    own=own,
)
"""What the three have in common as a :class:`Rules`."""
