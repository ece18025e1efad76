"""A stroke of the games with a queen, before and after it is judged.

A :class:`QueenCase` has what fell and the board before it, :func:`facts` gives the same as facts of
the decision tables, and a :class:`QueenVerdict` is filled in while a system applies its rules. When
a debt is paid, and what ends a board, is up to each system.
"""

from __future__ import annotations

from functools import partial
from typing import Generic, NamedTuple, TypeVar

from msgspec import Struct, field

from jackspot.core.directives import RedPlace
from jackspot.core.pieces import Piece, Side
from jackspot.core.position import Count, Position
from jackspot.core.rules.common import check_flags
from jackspot.core.rules.own_colours import NOTHING, Fell, after_stroke, count_fallen, take_in
from jackspot.core.ruling import IllegalStroke
from jackspot.core.stroke import Flag, Stroke

FLAGS = frozenset({Flag.FOUL, Flag.NOBREAK})
check = partial(check_flags, flags=FLAGS)
Memo = TypeVar("Memo")

(
    OWN,  # an own piece pocketed
    NO_OWN,
    ONE_OWN,  # exactly one
    OPP,  # an opponent's piece pocketed
    OPPONENT_LAST,  # with it all of the opponent's are in
    QUEEN,  # queen pocketed
    STRIKER,  # striker pocketed
    PIECE_OFF,  # a piece of either colour or the queen left the board
    STRIKER_OFF,  # the striker left the board
    PENDING,  # the queen was pocketed with the stroke before and is to be covered
    COVERED,  # the queen was covered before the stroke
    UNCOVERED,  # it was not
    NINE,  # all own pieces on the board before the stroke
    SOME,  # at least one was pocketed
    OWING,  # something was owed
    IMPROPER,  # a foul was called: an improper stroke
    MISSED,  # the break was missed
    LAST,  # all own pieces are in; from here on each system adds its own
    LAST_TRY,  # the break was missed at the last attempt
    TECHNICAL,  # a technical foul
    COVERING,  # an own piece fell with the queen, or right after it
    BEING_COVERED,  # the queen was pending, or fell in this stroke
    ON_BOARD,  # neither covered nor being covered
    EVER,  # an own piece was pocketed before, whatever came back
    NEVER,
    FOUL,  # the stroke is a foul, for whatever reason
    WON,  # the stroke wins the board for the shooter
    ENDS,  # the stroke ends the board
) = (1 << bit for bit in range(28))


class QueenCase(NamedTuple, Generic[Memo]):
    """A stroke, and the state of its side before it.

    ``me``: the index of the shooter's side. ``queen``: where the queen was; ``mine``: it
    was covered by the shooter's side. ``left``, ``opponent_left``: pieces on the board after
    the stroke. ``improper``: a foul was called. ``missed``: the number of the attempt at the
    break that this stroke missed, else 0. ``first``: nothing has been shot in this turn.
    """

    fell: Fell
    memo: Memo
    me: int
    before: Count
    queen: RedPlace
    mine: bool
    left: int
    opponent_left: int
    improper: bool
    missed: int
    first: bool

    @property
    def nine(self) -> bool:
        """Whether all own pieces were on the board."""
        return self.before.pocketed == 0

    @property
    def owing(self) -> bool:
        """Whether something was owed: by the laws, a due outstanding."""
        return self.before.owed > 0

    @property
    def pending(self) -> bool:
        """Whether the queen was to be covered."""
        return self.queen is RedPlace.PENDING

    @property
    def covered(self) -> bool:
        """Whether the queen had been covered, by whomever."""
        return self.queen is RedPlace.COVERED

    @property
    def being_covered(self) -> bool:
        """Whether the queen was pocketed just before, or is in this stroke."""
        return self.pending or self.fell.red > 0

    @property
    def last(self) -> bool:
        """Whether the last own piece fell."""
        return self.fell.own > 0 and not self.left

    @property
    def opponent_last(self) -> bool:
        """Whether the last piece of the opponent fell."""
        return self.fell.opp > 0 and not self.opponent_left


def make_case(
    position: Position, stroke: Stroke, memo: Memo, *, broken: bool, missed: int
) -> QueenCase[Memo]:
    """Examine a stroke; IllegalStroke if it cannot have happened.

    ``broken``: the break has been made; ``missed``: how often it was missed in this turn.
    """
    misses = Flag.NOBREAK in stroke.flags
    if misses and broken:
        raise IllegalStroke("the break was made: it cannot be missed", flag=Flag.NOBREAK)
    side = position.side
    me = position.sides.index(side)
    fell = count_fallen(position, me, stroke, Piece.QUEEN, _too_many)
    before = position.counts[me]
    return QueenCase(
        fell=fell,
        memo=memo,
        me=me,
        before=before,
        queen=position.red,
        mine=position.red_side is side,
        left=position.pieces_each - before.pocketed - fell.own,
        opponent_left=position.pieces_each - position.counts[1 - me].pocketed - fell.opp,
        improper=Flag.FOUL in stroke.flags,
        missed=missed + 1 if misses else 0,
        first=position.strokes_in_turn == 0,
    )


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


def facts(case: QueenCase[Memo]) -> int:
    """Return what happened as those facts of the decision tables that all systems share."""
    fell = case.fell
    said = (
        (OWN if fell.own else NO_OWN)
        | (NINE if case.nine else SOME)
        | (COVERED if case.covered else UNCOVERED)
        | (PENDING if case.pending else 0)
        | (OWING if case.owing else 0)
        | (IMPROPER if case.improper else 0)
        | (MISSED if case.missed else 0)
    )
    if fell is NOTHING:
        return said
    return (
        said
        | (ONE_OWN if fell.own == 1 else 0)
        | (OPP if fell.opp else 0)
        | (OPPONENT_LAST if case.opponent_last else 0)
        | (QUEEN if fell.red else 0)
        | (STRIKER if fell.striker else 0)
        | (PIECE_OFF if fell.own_off or fell.opp_off or fell.red_off else 0)
        | (STRIKER_OFF if fell.striker_off else 0)
    )


class QueenVerdict(Struct):
    """What becomes of one stroke, filled in while the rules are applied.

    ``queen``: where it is after the stroke; ``queen_back``: it is placed again. ``own_back``,
    ``opp_back``: pieces of the stroke that come back, in addition to what is ``due``.
    """

    queen: RedPlace
    queen_back: bool
    own_back: int
    opp_back: int
    due: int = 0
    foul: bool = False
    keeps: bool = False
    won: bool = False
    because: list[str] = field(default_factory=list)

    def take_queen_out(self) -> None:
        """Put the queen back in the centre."""
        self.queen, self.queen_back = RedPlace.BOARD, True


def verdict_on(case: QueenCase[Memo], *, foul: bool = False, keeps: bool = False) -> QueenVerdict:
    """Begin a verdict: what flew off comes back without a penalty, the queen is as it was."""
    fell = case.fell
    return QueenVerdict(
        case.queen, fell.red_off > 0, fell.own_off, fell.opp_off, foul=foul, keeps=keeps
    )


def counted(
    position: Position, case: QueenCase[Memo], verdict: QueenVerdict
) -> tuple[Count, Count]:
    """Return the counts after what fell and stays in, the shooter's first; nothing is paid."""
    fell = case.fell
    mine = take_in(case.before, fell.own + fell.own_off - verdict.own_back)
    theirs = position.counts[1 - case.me]
    return mine, take_in(theirs, fell.opp + fell.opp_off - verdict.opp_back)


def after_verdict(
    position: Position,
    case: QueenCase[Memo],
    verdict: QueenVerdict,
    counts: tuple[Count, Count],
    memo: object,
    *,
    passes_to: int | None = None,
) -> Position:
    """Return the position after a stroke, with the queen where the verdict puts it."""
    queen = verdict.queen
    whose: Side | None = None
    if queen in (RedPlace.PENDING, RedPlace.COVERED):
        whose = position.red_side if case.covered else position.side
    return after_stroke(position, counts, memo, passes_to=passes_to, red=queen, red_side=whose)
