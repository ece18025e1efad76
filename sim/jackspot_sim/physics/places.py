"""Where pieces and strikers go by the rules: openings, lines to shoot from, places to go back to.

In seat coordinates *along* runs to a player's right hand and *out* from the middle of the board
towards the player; :func:`seen_from` turns them to the board's own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from msgspec import Struct

from jackspot.core.options import is_agreed
from jackspot.core.pieces import Piece, Seat
from jackspot.core.rules import facts_of, has_jack, rules_for
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot_sim.physics.boards import HIKONE_BOARD, PhysicalBoard, board_of, disc_of
from jackspot_sim.physics.values import Lying

APART_MM = 0.05
"""How far apart pieces are that are laid side by side: hands lay them no closer."""

_OUTWARDS: Mapping[Seat, tuple[int, int]] = {
    Seat.N: (0, 1), Seat.E: (1, 0), Seat.S: (0, -1), Seat.W: (-1, 0),
}  # fmt: skip


def seen_from(seat: Seat, along_mm: float, out_mm: float) -> tuple[float, float]:
    """Turn a place as a player sees it into x and y on the board."""
    x, y = _OUTWARDS[seat]
    return x * out_mm - y * along_mm, y * out_mm + x * along_mm


def as_seen(seat: Seat, x_mm: float, y_mm: float) -> tuple[float, float]:
    """Turn x and y into along and out, as a player sees them."""
    x, y = _OUTWARDS[seat]
    return x * y_mm - y * x_mm, x * x_mm + y * y_mm


# --- openings ------------------------------------------------------------------------------


def opening(
    system: RuleSystem, opener: Seat = Seat.S, without: Mapping[Piece, int] | None = None
) -> tuple[Lying, ...]:
    """Lay out the pieces that a board begins with, as the opener sees them.

    ``without`` are pieces that are in pockets from the start (a head start). Numbers run from 1,
    the jack or queen first.
    """
    board = board_of(system)
    first, second, centre = _kinds(system)
    missing = dict(without or {})
    lying = [Lying(1, centre, 0.0, 0.0)]
    places = _ring(board) if board is HIKONE_BOARD else _rosette(board, first)
    for number, (place, (along, out)) in enumerate(places, start=2):
        piece = first if place % 2 == 0 else second
        if missing.get(piece, 0) > 0:
            missing[piece] -= 1
        else:
            lying.append(Lying(number, piece, *seen_from(opener, along, out)))
    return tuple(lying)


def _kinds(system: RuleSystem) -> tuple[Piece, Piece, Piece]:
    """Return the two kinds that alternate, the first for the arms of a carrom Y; and the middle."""
    rules = rules_for(system)
    first, second = rules.facts.shared[::-1] or (side.piece for side in rules.sides)
    return first, second, rules.red


def _ring(board: PhysicalBoard) -> Iterator[tuple[int, tuple[float, float]]]:
    """Return the 24 dots of a Hikone board's centre circle."""
    for place in range(24):
        yield place, _polar(board.circle_mm / 2, (place + 0.5) / 24)


def _rosette(board: PhysicalBoard, man: Piece) -> Iterator[tuple[int, tuple[float, float]]]:
    """Return six places round the queen and twelve round those, all touching their neighbours.

    An even place is one of the first kind: three of these lie next to the queen, each with
    another behind it, and make a Y whose lower arms point at the opener's corners.
    """
    apart = disc_of(board, man).diameter_mm + APART_MM
    for place in range(6):
        yield place, _polar(apart, (place + 3) / 6)
    for place in range(12):
        radius = 2 * apart if place % 2 == 0 else math.sqrt(3) * apart
        yield place, _polar(radius, (place + 6) / 12)


def _polar(radius_mm: float, turn: float) -> tuple[float, float]:
    """Return along and out at a part of a turn; 0 points at the player, half a turn away."""
    return radius_mm * math.sin(turn * math.tau), radius_mm * math.cos(turn * math.tau)


# --- where strikers stand --------------------------------------------------------------------


class Placing(Struct, frozen=True):
    """Where the middle of a striker may be, as a player sees it.

    Anywhere from ``-along_mm`` to ``along_mm`` while it is from ``out_least_mm`` to
    ``out_most_mm`` away from the board's middle; or on one of ``spots`` (the circles at a base
    line's ends). ``usual_mm`` is the line itself. ``tee``: only the spot in the middle of the
    line, or as near to it as pieces allow. ``backwards``: may leave towards the player.
    """

    along_mm: float
    out_least_mm: float
    out_most_mm: float
    usual_mm: float
    spots: tuple[tuple[float, float], ...] = ()
    tee: bool = False
    backwards: bool = True

    def nearest(self, along_mm: float, out_mm: float) -> tuple[float, float]:
        """Return the allowed place nearest to the one that somebody points at."""
        if self.tee:
            return 0.0, self.usual_mm
        on_line = (
            min(max(along_mm, -self.along_mm), self.along_mm),
            min(max(out_mm, self.out_least_mm), self.out_most_mm),
        )
        every = (on_line, *self.spots)
        return min(every, key=lambda at: math.hypot(at[0] - along_mm, at[1] - out_mm))


@cache
def placing(system: RuleSystem, *, first: bool = False) -> Placing:
    """Return where a striker may be placed; ``first``: the player's first shot of a board."""
    board = board_of(system)
    radius = disc_of(board, Piece.STRIKER).radius_mm
    line = board.line_from_middle_mm
    if has_jack(system):
        return Placing(board.line_reach_mm, line - radius, line + radius, line, tee=first)
    play = radius - board.line_width_mm / 2
    ends = ((-board.end_circle_mm, line), (board.end_circle_mm, line))
    backwards = facts_of(system).backwards
    return Placing(
        board.line_reach_mm, line - play, line + play, line, ends, backwards=backwards
    )  # fmt: skip


def place_striker(
    system: RuleSystem, seat: Seat, lying: Sequence[Lying], wish: tuple[float, float], *,
    first: bool = False,
) -> tuple[float, float] | None:  # fmt: skip
    """Return x and y of the free place that is nearest to a wish (x and y too), by the rules.

    None if pieces leave no room at all.
    """
    board, where = board_of(system), placing(system, first=first)
    along, out = as_seen(seat, *wish)
    if first and where.tee:
        along, out = 0.0, where.usual_mm
        where = placing(system)
    radius = disc_of(board, Piece.STRIKER).radius_mm
    for candidate in _around(where, where.nearest(along, out)):
        at = seen_from(seat, *candidate)
        if is_free(board, lying, at, radius):
            return at
    return None


def _around(where: Placing, wish: tuple[float, float]) -> Iterator[tuple[float, float]]:
    """Return allowed places, the nearest to a wish first."""
    if wish in where.spots:
        yield wish
    steps = 61
    outs = [
        where.out_least_mm + (where.out_most_mm - where.out_least_mm) * part / 6
        for part in range(7)
    ]
    line = [
        (where.along_mm * (2 * part / (steps - 1) - 1), out)
        for part in range(steps)
        for out in (*outs, where.usual_mm, wish[1])
    ]
    line += [(wish[0], out) for out in outs] if abs(wish[0]) <= where.along_mm else []
    yield wish
    yield from sorted(
        {*line, *where.spots}, key=lambda at: (math.hypot(at[0] - wish[0], at[1] - wish[1]), at)
    )


def is_free(
    board: PhysicalBoard, lying: Iterable[Lying], at: tuple[float, float], radius_mm: float
) -> bool:
    """Return whether a disc has room on the wood there, clear of the pieces and of the frame."""
    if max(abs(at[0]), abs(at[1])) > board.half_mm - radius_mm:
        return False
    return all(
        math.hypot(each.x_mm - at[0], each.y_mm - at[1])
        >= radius_mm + disc_of(board, each.piece).radius_mm
        for each in lying
    )


# --- areas in doubles ------------------------------------------------------------------------


def bound_by_area(settings: MatchSettings, seat: Seat) -> bool:
    """Whether a seat may not strike pieces in its own area: one of a pair, if that rule holds."""
    partners = sum(side is settings.sides[seat] for side in settings.sides.values())
    return partners > 1 and is_agreed(settings, "area_rule", value=True)


def out_of_bounds(seat: Seat, lying: Iterable[Lying]) -> tuple[Lying, ...]:
    """Return the pieces that a seat of a pair may not strike directly (hikone, japan).

    They are wholly behind the seat's own area line; a piece that reaches over it may be struck.
    """
    line = HIKONE_BOARD.line_from_middle_mm
    return tuple(
        each
        for each in lying
        if as_seen(seat, each.x_mm, each.y_mm)[1] - disc_of(HIKONE_BOARD, each.piece).radius_mm
        > line
    )


# --- pieces that come back -------------------------------------------------------------------


def put_back(
    system: RuleSystem, lying: Sequence[Lying], pieces: Sequence[tuple[int, Piece]]
) -> tuple[Lying, ...]:
    """Put pieces (number and kind) back, the first of them lowest; return all pieces on the board.

    Hikone and japan: on the jack spot, each on what is there already. The carrom systems: free
    on the wood, as near to the middle as they can be; where the opponent may choose (kagw,
    grundregeln, icf) that is one of the places that can be chosen.
    """
    board = board_of(system)
    found = list(lying)
    for number, piece in pieces:
        if has_jack(system):
            found.append(Lying(number, piece, 0.0, 0.0, level_at(board, found, piece)))
        else:
            found.append(Lying(number, piece, *_near_middle(board, found, piece)))
    return tuple(found)


def level_at(
    board: PhysicalBoard, lying: Iterable[Lying], piece: Piece, at: tuple[float, float] = (0.0, 0.0)
) -> int:
    """Return the level at which a piece that is put down there comes to lie."""
    radius = disc_of(board, piece).radius_mm
    under = [
        each.level
        for each in lying
        if math.hypot(each.x_mm - at[0], each.y_mm - at[1])
        < radius + disc_of(board, each.piece).radius_mm
    ]
    return max(under, default=-1) + 1


def _near_middle(board: PhysicalBoard, lying: Sequence[Lying], piece: Piece) -> tuple[float, float]:
    radius = disc_of(board, piece).radius_mm
    for ring in range(0, round(board.half_mm), 2):
        for part in range(max(6 * ring // 4, 1)):
            angle = math.tau * part / max(6 * ring // 4, 1)
            at = (ring * math.cos(angle), ring * math.sin(angle))
            if is_free(board, lying, at, radius):
                return at
    raise ValueError(f"expected room for {piece} on the board, found none")
