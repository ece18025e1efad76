"""Plain functions that all families of rule systems call.

They cover the order of turns, what no stroke may hold, directives, matches and ties.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

from jackspot.core.directives import (
    Directive,
    GiveTurn,
    RedPlace,
    Resign,
    Say,
    Saying,
    SetOwed,
    SetPocketed,
    SetRed,
)
from jackspot.core.options import number_option, text_option
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.position import Position
from jackspot.core.rules.system import Effect, FinishedBoard, IllegalDirective, Standing
from jackspot.core.ruling import BoardResult, How, IllegalStroke
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Flag, Stroke


def single_player(seats: tuple[Seat, ...]) -> Seat | None:
    """Return the one of three who plays alone; None with two or four seats."""
    if len(seats) != 3:
        return None
    return next(seat for seat in seats if seat.opposite not in seats)


def order_of_turns(settings: MatchSettings) -> tuple[Seat, ...]:
    """Return the cycle of turns: the seats as listed, or the bounce of three players.

    ``bounce`` (``001:73-81``): the single player has every second turn; of the pair, the seat
    listed next after the single player, wrapping round, comes first.
    """
    seats = settings.seats
    alone = single_player(seats)
    if alone is None or text_option(settings, "order3") != "bounce":
        return seats
    at = seats.index(alone)
    first, second = (seats[(at + step) % 3] for step in (1, 2))
    return (alone, first, alone, second)


def index_of_turn(position: Position, seat: Seat) -> int:
    """Return the index of a seat's turn: this turn if it is the seat's, or its next one."""
    places = len(position.order)
    return next(
        index
        for index in ((position.turn + step) % places for step in range(places))
        if position.order[index] is seat
    )


# strokes


def check_flags(settings: MatchSettings, stroke: Stroke, flags: frozenset[Flag]) -> None:
    """Refuse flags other than these, a called pocket, and impossible departures."""
    for flag in sorted(stroke.flags - flags):
        known = ", ".join(sorted(flags))
        raise IllegalStroke(f"{settings.rules} has no flag '{flag}'; it has {known}", flag=flag)
    if stroke.called:
        raise IllegalStroke(f"nobody calls a pocket in {settings.rules}: no 'call@'", flag="call")
    check_departures(stroke)


def check_departures(stroke: Stroke, strikers: int = 1) -> None:
    """Refuse more strikers than shoot, and pieces that a missed break cannot have moved."""
    left = strikers
    for index, departure in enumerate(stroke.departures):
        left -= departure.piece is Piece.STRIKER
        if left < 0:
            words = "one striker" if strikers == 1 else f"{strikers} strikers at most"
            raise IllegalStroke(f"a stroke has {words}, this is one more", departure=index)
        if Flag.NOBREAK in stroke.flags and departure.piece is not Piece.STRIKER:
            raise IllegalStroke(
                f"a break that was missed moved no {departure.piece}: 'nobreak' stands alone or "
                "with the striker",
                departure=index,
            )


# beside the strokes


class Directives(Struct, frozen=True, kw_only=True):
    """What a system does at each directive; any function may raise :class:`IllegalDirective`.

    ``points``: those of a running board. ``says``: what this system does at directives without
    argument, except those that are alike in all systems; ``belongs_to`` names the systems of those
    that it does not know.
    """

    points: Callable[[Position], Mapping[Side, int]]
    says: Mapping[Saying, Callable[[Position], Effect]]
    belongs_to: Mapping[Saying, str]
    resigned: Callable[[Position, Side], Effect]
    turn_given: Callable[[Position, Seat], Effect]
    red_put: Callable[[Position, SetRed], Effect]
    corrected: Callable[[Position, SetPocketed | SetOwed], Effect]

    def direct(self, _settings: MatchSettings, position: Position, directive: Directive) -> Effect:
        """Carry out a directive; IllegalDirective if the system does not know it, or not here."""
        match directive:
            case Say(what):
                return self._said(position, what)
            case Resign(seat):
                return self.resigned(position, position.seat_sides[seat])
            case GiveTurn(seat):
                return self.turn_given(position, seat)
            case SetRed():
                return self.red_put(position, directive)
            case SetPocketed() | SetOwed():
                return self.corrected(position, directive)

    def _said(self, position: Position, what: Saying) -> Effect:
        if what in self.says:
            return self.says[what](position)
        if what is Saying.PLACED:
            return Effect(position)
        if what is Saying.DRAW:
            return end_at(position, None, How.DRAW, self.points(position))
        raise IllegalDirective(f"'! {what}' belongs to {self.belongs_to[what]}")


def resigned_at(
    points: Callable[[Position], Mapping[Side, int]], position: Position, side: Side
) -> Effect:
    """Give up a board at the points of the running board."""
    return end_at(position, position.other(side), How.RESIGN, points(position))


def end_at(
    position: Position,
    winner: Side | None,
    how: How,
    points: Mapping[Side, int],
    place: tuple[Piece, ...] = (),
) -> Effect:
    """End a board by a directive."""
    return Effect(position, place, BoardResult(winner, how, points))


def check_queen_put(position: Position, directive: SetRed) -> None:
    """Refuse a place where the queen cannot be (IllegalDirective)."""
    if directive.red is not Piece.QUEEN or directive.place is RedPlace.POCKETED:
        raise IllegalDirective(
            "expected queen=board, queen=pending:SIDE or queen=covered:SIDE", argument=True
        )
    if directive.place is RedPlace.PENDING and directive.side is not position.side:
        raise IllegalDirective(
            f"only the side in turn can have the queen to cover: pending:{position.side}",
            argument=True,
        )


# matches


def by_side(sides: tuple[Side, Side], first: int, second: int) -> Mapping[Side, int]:
    """Return a mapping for two sides."""
    return MappingProxyType({sides[0]: first, sides[1]: second})


def ahead(points: Mapping[Side, int]) -> Side | None:
    """Return the side with more points, None when tied."""
    (one, ones), (two, twos) = points.items()
    return None if ones == twos else one if ones > twos else two


def losers_first_seat(settings: MatchSettings, board: FinishedBoard) -> Seat:
    """Return who opens after a board: the loser, or after a draw the side that did not open."""
    winner = board.result.winner
    yields = board.seat_sides[board.opener] if winner is None else winner
    return next(seat for seat in settings.seats if board.seat_sides[seat] is not yields)


def colours_of(settings: MatchSettings, board: FinishedBoard) -> Iterator[tuple[Side, Side]]:
    """Yield each side, as on board 1, with its colour on this board."""
    for colour, seat in {side: seat for seat, side in board.seat_sides.items()}.items():
        yield settings.sides[seat], colour


def sum_up(
    settings: MatchSettings, boards: tuple[FinishedBoard, ...], sides: tuple[Side, Side]
) -> tuple[dict[Side, int], dict[Side, int]]:
    """Add up the points of finished boards and the boards won, by side as on board 1."""
    points, won = dict.fromkeys(sides, 0), dict.fromkeys(sides, 0)
    for board in boards:
        for side, colour in colours_of(settings, board):
            points[side] += board.result.points[colour]
            won[side] += board.result.winner is colour
    return points, won


def best_of_boards(
    settings: MatchSettings,
    boards: tuple[FinishedBoard, ...],
    *,
    sides: tuple[Side, Side],
    next_opener: Callable[[MatchSettings, FinishedBoard], Seat] = losers_first_seat,
    points_decide: bool = False,
) -> Standing:
    """Sum up a match of ``best_of`` boards.

    It ends with a majority or when all are played. Then more boards decide, then more points;
    otherwise it is drawn. ``points_decide``: once all are played, points come first.
    """
    points, won = sum_up(settings, boards, sides)
    best_of = number_option(settings, "best_of")
    all_played = len(boards) >= best_of
    over = all_played or max(won.values()) > best_of // 2
    first, then = (points, won) if all_played and points_decide else (won, points)
    opener = next_opener(settings, boards[-1]) if boards else settings.seats[0]
    return Standing(
        points=MappingProxyType(points),
        boards_won=MappingProxyType(won),
        opener=None if over else opener,
        over=over,
        winner=(ahead(first) or ahead(then)) if over else None,
    )
