"""A stroke before the laws: what fell, and how the board stood before it."""

from __future__ import annotations

from typing import NamedTuple

from jackspot.core.directives import RedPlace
from jackspot.core.position import Count, Position
from jackspot.core.rules.queen import icf_rows as row
from jackspot.core.rules.queen.carrom import CarromFell, check_break, count_fallen
from jackspot.core.rules.queen.icf_terms import IcfTerms, memo_of
from jackspot.core.stroke import Flag, Stroke


class IcfCase(NamedTuple):
    """A stroke, and how its side stood before it.

    ``me``: the index of the shooter's side. ``queen``: where the queen was; ``mine``: it
    was covered by the shooter's side. ``ever``: an own piece has been pocketed before.
    ``left``, ``opponent_left``: pieces on the board after the stroke. ``missed``: the number of
    the attempt at the break that this stroke missed, else 0. ``first``: nothing has been
    shot in this turn.
    """

    fell: CarromFell
    terms: IcfTerms
    me: int
    before: Count
    queen: RedPlace
    mine: bool
    ever: bool
    left: int
    opponent_left: int
    improper: bool
    missed: int
    first: bool

    @property
    def nine(self) -> bool:
        """Whether all own pieces lay on the board."""
        return self.before.pocketed == 0

    @property
    def outstanding(self) -> bool:
        """Whether a due was outstanding."""
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
        return self.pending or self.fell.queen > 0

    @property
    def last(self) -> bool:
        """Whether the last own piece fell, and stays in.

        With a due outstanding a queen brings the turn to an end, and the piece pays.
        """
        return self.fell.own > 0 and not self.left and not (self.fell.queen and self.outstanding)

    @property
    def opponent_last(self) -> bool:
        """Whether the last piece of the opponent fell."""
        return self.fell.opp > 0 and not self.opponent_left


def make_case(position: Position, stroke: Stroke) -> IcfCase:
    """Look a stroke over; IllegalStroke if it cannot have happened."""
    memo = memo_of(position)
    missed = check_break(stroke, broken=memo.broken)
    fell = count_fallen(position, stroke)
    side = position.side
    me = position.sides.index(side)
    before = position.counts[me]
    return IcfCase(
        fell=fell,
        terms=memo.terms,
        me=me,
        before=before,
        queen=position.red,
        mine=position.red_side is side,
        ever=memo.ever[me] or before.pocketed > 0,
        left=position.pieces_each - before.pocketed - fell.own,
        opponent_left=position.pieces_each - position.counts[1 - me].pocketed - fell.opp,
        improper=Flag.FOUL in stroke.flags,
        missed=memo.missed + 1 if missed else 0,
        first=position.strokes_in_turn == 0,
    )


def facts(case: IcfCase) -> int:
    """Say what happened in the words of the decision tables."""
    fell = case.fell
    said = 0
    for fact, holds in (
        (row.OWN, fell.own),
        (row.NO_OWN, not fell.own),
        (row.ONE_OWN, fell.own == 1),
        (row.LAST, case.last),
        (row.OPP, fell.opp),
        (row.OPPONENT_LAST, case.opponent_last),
        (row.QUEEN, fell.queen),
        (row.STRIKER, fell.striker),
        (row.PIECE_OFF, fell.own_off or fell.opp_off or fell.queen_off),
        (row.STRIKER_OFF, fell.striker_off),
        (row.PENDING, case.pending),
        (row.COVERED, case.covered),
        (row.UNCOVERED, not case.covered),
        (row.BEING_COVERED, case.being_covered),
        (row.ON_BOARD, not (case.covered or case.being_covered)),
        (row.NINE, case.nine),
        (row.EVER, case.ever),
        (row.NEVER, not case.ever),
        (row.OUTSTANDING, case.outstanding),
        (row.IMPROPER, case.improper),
        (row.MISSED, case.missed),
    ):
        if holds:
            said |= fact
    return said
