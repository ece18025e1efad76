"""The ledger of points carrom: who is credited with which pieces, in the order they fell.

Each side has a ledger. A piece in it is out of play and counts; a counter that is credited to
nobody (its turn was void) is out of play and counts nothing; everything else is on the board. What
is on the board is never stored separately, so nothing can be lost. A :class:`PointsShot` is a
stroke seen against the ledger.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct

from jackspot.core.directives import RedPlace
from jackspot.core.options import number_option, text_option, yes_no_option
from jackspot.core.pieces import Piece, Side
from jackspot.core.position import Count, Position
from jackspot.core.rules.common import by_side
from jackspot.core.ruling import IllegalStroke
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Flag, Stroke
from jackspot.values import changed

COUNTERS_EACH = 9
"""Black counters, and brown ones."""
SIDES = (Side.ONE, Side.TWO)
COUNTERS = (Piece.BLACK, Piece.BROWN)
"""With two colours side one owns the first and side two the second (D-03)."""
PIECES = (*COUNTERS, Piece.QUEEN, Piece.STRIKER)

Ledger = tuple[Piece, ...]
"""Pieces in the order they fell."""


class PointsTerms(Struct, frozen=True):
    """The options of one match. ``worth`` is the points of each kind.

    ``cover_after``: of the stroke that pockets the queen, only a counter that falls after
    her covers her.
    """

    worth: Mapping[Piece, int]
    void_returns_counters: bool
    cover_after: bool
    two_colours: bool


def read_terms(settings: MatchSettings) -> PointsTerms:
    """Look up all options."""
    queen = number_option(settings, "queen_points")
    return PointsTerms(
        worth=MappingProxyType({Piece.BLACK: 5, Piece.BROWN: 10, Piece.QUEEN: queen}),
        void_returns_counters=yes_no_option(settings, "void_returns_counters"),
        cover_after=text_option(settings, "cover_order") == "after",
        two_colours=yes_no_option(settings, "two_colours"),
    )


class PointsMemo(Struct, frozen=True):
    """What points carrom remembers.

    ``ledgers`` are in the order of the sides. ``began`` is how many pieces the ledger of the side
    in turn held when the turn began: what follows was pocketed in this turn. ``nobodys`` are the
    counters of void turns. ``broken``: the break has been made.
    """

    terms: PointsTerms
    ledgers: tuple[Ledger, Ledger] = ((), ())
    began: int = 0
    nobodys: Ledger = ()
    broken: bool = False


def memo_of(position: Position) -> PointsMemo:
    """Return the memo of a position of points carrom."""
    memo = position.memo
    assert isinstance(memo, PointsMemo)
    return memo


def with_ledgers(position: Position, memo: PointsMemo) -> Position:
    """Return the position with this memo and the counts of its ledgers."""
    one, two = memo.ledgers
    return changed(position, counts=(Count(len(one)), Count(len(two))), memo=memo)


def with_ledger(memo: PointsMemo, index: int, ledger: Ledger) -> PointsMemo:
    """Return the memo with one side's ledger replaced."""
    one, two = memo.ledgers
    return changed(memo, ledgers=(ledger, two) if index == 0 else (one, ledger))


def worth(terms: PointsTerms, pieces: Ledger) -> int:
    """Add up the points of some pieces."""
    return sum(terms.worth[piece] for piece in pieces)


def totals(position: Position) -> Mapping[Side, int]:
    """Return the running totals; an uncovered queen counts until it goes back."""
    memo = memo_of(position)
    one, two = (worth(memo.terms, ledger) for ledger in memo.ledgers)
    return by_side(position.sides, one, two)


def on_board(position: Position) -> Mapping[Piece, int]:
    """Count what is on the board."""
    memo = memo_of(position)
    out = (*memo.ledgers[0], *memo.ledgers[1], *memo.nobodys)
    left = {counter: COUNTERS_EACH - out.count(counter) for counter in COUNTERS}
    return MappingProxyType(left | {Piece.QUEEN: int(position.red is RedPlace.BOARD)})


def own(position: Position) -> frozenset[Piece]:
    """Return the counters that let the shooter go on: all, or his colour (D-03)."""
    return frozenset(own_counters(memo_of(position).terms, position.sides.index(position.side)))


def own_counters(terms: PointsTerms, index: int) -> tuple[Piece, ...]:
    """Return the counters that are a side's own."""
    return (COUNTERS[index],) if terms.two_colours else COUNTERS


def without_last(pieces: Ledger, kind: Piece) -> Ledger:
    """Return the pieces without the last one of a kind."""
    at = len(pieces) - 1 - pieces[::-1].index(kind)
    return pieces[:at] + pieces[at + 1 :]


def take_back(position: Position, index: int, piece: Piece) -> Position:
    """Take a side's last piece of a kind out of its ledger: it goes back on the board."""
    memo = memo_of(position)
    left = without_last(memo.ledgers[index], piece)
    position = with_ledgers(position, with_ledger(memo, index, left))
    return _queen_on_board(position) if piece is Piece.QUEEN else position


def void_turn(position: Position) -> tuple[Position, Ledger]:
    """Take away the points of the running turn; return also what goes back on the board.

    "If you fail to cover the Queen, all points scored on that turn are void, and the Queen
    must return to the centre of the board": the counters stay out, unless agreed (D-05).
    """
    memo, me = memo_of(position), position.sides.index(position.side)
    lost = memo.ledgers[me][memo.began :]
    if memo.terms.void_returns_counters:
        after = with_ledgers(position, with_ledger(memo, me, memo.ledgers[me][: memo.began]))
        return _queen_on_board(after), lost
    return _queen_on_board(without_turn(position)), (Piece.QUEEN,)


def without_turn(position: Position) -> Position:
    """Take away the points of the running turn: its counters become nobody's."""
    memo, me = memo_of(position), position.sides.index(position.side)
    kept, lost = memo.ledgers[me][: memo.began], memo.ledgers[me][memo.began :]
    counters = tuple(piece for piece in lost if piece is not Piece.QUEEN)
    memo = with_ledger(memo, me, kept)
    return with_ledgers(position, changed(memo, nobodys=memo.nobodys + counters))


def _queen_on_board(position: Position) -> Position:
    return changed(position, red=RedPlace.BOARD, red_side=None)


def pass_on(position: Position, turn: int) -> Position:
    """Begin the turn with this index in the order."""
    memo = memo_of(position)
    side = position.seat_sides[position.order[turn]]
    began = len(memo.ledgers[position.sides.index(side)])
    if began != memo.began:
        memo = PointsMemo(memo.terms, memo.ledgers, began, memo.nobodys, memo.broken)
    return changed(position, turn=turn, strokes_in_turn=0, memo=memo)


def in_place_order(pieces: Ledger) -> tuple[Piece, ...]:
    """Sort what goes back to the centre: queen, black, brown."""
    order = (Piece.QUEEN, *COUNTERS)
    return tuple(sorted(pieces, key=order.index))


# strokes


class PointsShot(NamedTuple):
    """A stroke before it is judged, seen from its side.

    ``pocketed`` and ``flown`` are in the order the pieces left, without strikers; a striker that
    flew off goes back to its player and has no effect. ``own`` and ``others`` count the counters
    pocketed that are the shooter's to score and, with two colours, the opponent's. ``pending``: the
    queen waited to be covered. ``opens``: it is the break.
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
        """Whether there is a queen to be covered."""
        return self.queen or self.pending


def look_at(position: Position, stroke: Stroke) -> PointsShot:
    """Return what fell; raise IllegalStroke for what was not on the board."""
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
