"""Plain functions that several rule systems call: order of turns, matches, ties."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from jackspot.core.options import number_option, text_option
from jackspot.core.pieces import Seat, Side
from jackspot.core.position import Count, Position
from jackspot.core.rules.system import FinishedBoard, Standing
from jackspot.core.settings import MatchSettings


def single_player(seats: tuple[Seat, ...]) -> Seat | None:
    """Return the one of three who plays alone; None with two or four seats."""
    if len(seats) != 3:
        return None
    return next(seat for seat in seats if seat.opposite not in seats)


def order_of_turns(settings: MatchSettings) -> tuple[Seat, ...]:
    """Return the cycle of turns: the seats as listed, or the bounce of three players.

    ``bounce`` (``001:73-81``): the single player has every second turn; the pair's seat
    listed first after the single player, wrapping round, comes first.
    """
    seats = settings.seats
    alone = single_player(seats)
    if alone is None or text_option(settings, "order3") != "bounce":
        return seats
    at = seats.index(alone)
    first, second = (seats[(at + step) % 3] for step in (1, 2))
    return (alone, first, alone, second)


def index_of_turn(position: Position, seat: Seat) -> int:
    """Find a seat's turn in the order: this turn if it is the seat's, else its next one."""
    places = len(position.order)
    return next(
        index
        for index in ((position.turn + step) % places for step in range(places))
        if position.order[index] is seat
    )


def with_count(position: Position, side: Side, count: Count) -> tuple[Count, Count]:
    """Return both counts with one side's replaced."""
    first, second = position.counts
    return (count, second) if position.sides[0] is side else (first, count)


def by_side(sides: tuple[Side, Side], first: int, second: int) -> Mapping[Side, int]:
    """Make a table of two sides."""
    return MappingProxyType({sides[0]: first, sides[1]: second})


def ahead(points: Mapping[Side, int]) -> Side | None:
    """Return the side with more points, None when level."""
    (one, ones), (two, twos) = points.items()
    return None if ones == twos else one if ones > twos else two


def losers_first_seat(settings: MatchSettings, board: FinishedBoard) -> Seat:
    """Say who opens after a board: the loser; after a draw the side that did not open."""
    winner = board.result.winner
    yields = board.seat_sides[board.opener] if winner is None else winner
    return next(seat for seat in settings.seats if board.seat_sides[seat] is not yields)


def sum_up(
    settings: MatchSettings, boards: tuple[FinishedBoard, ...], sides: tuple[Side, Side]
) -> tuple[dict[Side, int], dict[Side, int]]:
    """Add up the points of finished boards and the boards won, by side as on board 1."""
    points, won = dict.fromkeys(sides, 0), dict.fromkeys(sides, 0)
    for board in boards:
        result = board.result
        for seat in {side: seat for seat, side in board.seat_sides.items()}.values():
            side, colour = settings.sides[seat], board.seat_sides[seat]
            points[side] += result.points[colour]
            won[side] += result.winner is colour
    return points, won


def best_of_boards(
    settings: MatchSettings,
    boards: tuple[FinishedBoard, ...],
    sides: tuple[Side, Side],
    next_opener: Callable[[MatchSettings, FinishedBoard], Seat],
) -> Standing:
    """Sum up a match of ``best_of`` boards.

    It ends with a majority or when all are played; then more boards, then more points
    decide, else it is drawn.
    """
    points, won = sum_up(settings, boards, sides)
    best_of = number_option(settings, "best_of")
    over = len(boards) >= best_of or max(won.values()) > best_of // 2
    opener = next_opener(settings, boards[-1]) if boards else settings.seats[0]
    return Standing(
        points=MappingProxyType(points),
        boards_won=MappingProxyType(won),
        opener=None if over else opener,
        over=over,
        winner=(ahead(won) or ahead(points)) if over else None,
    )
