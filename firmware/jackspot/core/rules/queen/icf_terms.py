"""What was agreed, as the laws read it, and what a board remembers between strokes.

Options are looked up once, when a board begins, and are kept in the position's memo. The German
basic rules, which fall back on the laws, use the same terms and the same memo.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from jackspot.core.options import OPTIONS, is_agreed, number_option, option, text_option
from jackspot.core.pieces import Seat, Side
from jackspot.core.position import Position
from jackspot.core.rules.queen.carrom import SIDES
from jackspot.core.rules.queen.games import running_score
from jackspot.core.rules.queen.stroke import QueenCase
from jackspot.core.rules.system import FinishedBoard
from jackspot.core.ruling import BoardResult
from jackspot.core.settings import MatchSettings

MOST_POINTS = 12
""""The maximum number of points that can be scored in a board is 12 only" (28)."""
_READINGS = {
    "C-01": "early_queen",
    "C-02": "queen_with_striker",
    "C-05": "cover_with_striker",
    "C-06": "queen_with_own",
}
"""The option of each reading that a ruling names if it is not the system's usual one."""


class IcfTerms(Struct, frozen=True):
    """Options of one match that touch a board.

    ``german``: the German basic rules take precedence over the laws. ``queen_for``: by side of this
    board, what the queen counts if it gets the points: nothing from ``queen_cap`` on (law 27).
    ``queen_left_for``: the same for a board lost with the queen left on it (law 80, GR-17).
    ``early_keeps``: a queen pocketed too early keeps the turn (C-01). ``queen_with_striker_keeps``:
    queen and striker in one stroke keep it (C-02). ``cover_with_striker_waits``: own piece and
    striker in the stroke to cover the queen leave her pending (law 74, C-05).
    ``queen_with_own_waits``: she is covered by the next stroke only (C-06). ``agreed``: the
    readings that are not the usual ones.
    """

    german: bool
    break_attempts: int
    queen_for: tuple[int, int]
    queen_left_for: tuple[int, int]
    early_keeps: bool
    queen_with_striker_keeps: bool
    cover_with_striker_waits: bool
    queen_with_own_waits: bool
    agreed: frozenset[str]

    def worth(self, points: int) -> int:
        """Return what a board counts: at least 1, and at most 12 where the laws apply (28)."""
        return max(1, points if self.german else min(points, MOST_POINTS))


def read_terms(
    settings: MatchSettings,
    boards: tuple[FinishedBoard, ...],
    seat_sides: Mapping[Seat, Side],
    *,
    german: bool,
) -> IcfTerms:
    """Look up all options for the board after these, played with these colours."""
    score = running_score(settings, boards)
    cap = number_option(settings, "queen_cap")
    queen = number_option(settings, "queen_points")
    has = {colour: score[settings.sides[seat]] for seat, colour in seat_sides.items()}
    white, black = (0 if 0 < cap <= has[side] else queen for side in SIDES)
    usual = {name: OPTIONS[name].defaults.get(settings.rules) for name in _READINGS.values()}
    return IcfTerms(
        german=german,
        break_attempts=number_option(settings, "break_attempts"),
        queen_for=(white, black),
        # "verliert das Spiel mit 3 Punkten": it does not mention the score; law 80 does
        queen_left_for=(queen, queen) if german else (white, black),
        early_keeps=text_option(settings, "early_queen") == "keep",
        queen_with_striker_keeps=text_option(settings, "queen_with_striker") == "keep",
        cover_with_striker_waits=not is_agreed(settings, "cover_with_striker", "back"),
        queen_with_own_waits=is_agreed(settings, "queen_with_own", "pending"),
        agreed=frozenset(
            reading
            for reading, name in _READINGS.items()
            if usual[name] is not None and option(settings, name) != usual[name]
        ),
    )


class IcfMemo(Struct, frozen=True):
    """What a board remembers besides the counts.

    ``ever``: by side, whether a piece of it has ever been pocketed on this board (law 68).
    ``broken``: the break has been made; ``missed``: breaks missed in this turn. ``paid``:
    by side, the pieces that the last stroke took out for dues, which the opponents may still
    waive (law 60). ``ended`` and ``extra``: how the board ended, and the points that may
    still be demanded for it (laws 75 to 85).
    """

    terms: IcfTerms
    ever: tuple[bool, bool] = (False, False)
    broken: bool = False
    missed: int = 0
    paid: tuple[int, int] = (0, 0)
    ended: BoardResult | None = None
    extra: int = 0


IcfCase = QueenCase[IcfMemo]


def memo_of(position: Position) -> IcfMemo:
    """Return the memo of a position of icf or grundregeln."""
    memo = position.memo
    assert isinstance(memo, IcfMemo)
    return memo


def last_stays_in(case: IcfCase) -> bool:
    """Return whether the last own piece fell and stays in.

    With a due outstanding a queen brings the turn to an end, and the piece pays.
    """
    return case.last and not (case.fell.red and case.owing)
