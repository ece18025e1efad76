"""What was agreed, as the laws' resolver reads it, and what it must remember between strokes.

Options are looked up once, when a board begins, and travel in the position's memo. The
German basic rules, which fall back on the laws, use the same terms and the same memo.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from jackspot.core.options import is_agreed, number_option, text_option
from jackspot.core.pieces import Seat, Side
from jackspot.core.position import Position
from jackspot.core.rules.queen.carrom import SIDES
from jackspot.core.rules.queen.games import running_score
from jackspot.core.rules.system import FinishedBoard
from jackspot.core.ruling import BoardResult
from jackspot.core.settings import MatchSettings, RuleSystem


@dataclass(frozen=True, slots=True)
class IcfTerms:
    """Options of one match that touch a board.

    ``queen_for``: by side of this board, what the queen counts for it should it receive the
    points: nothing from ``queen_cap`` on (law 27). ``queen_left_for``: the same for a board
    lost with the queen left on it (law 80, GR-17). ``most``: points of a board at most (law
    28); None: no limit. ``early_keeps``: a queen pocketed too early keeps the turn (C-01).
    ``queen_with_striker_keeps``: queen and striker in one stroke keep it (C-02).
    ``cover_with_striker_waits``: own piece and striker in the stroke to cover the queen leave
    her pending (law 74, C-05). ``queen_with_own_waits``: she is covered by the next stroke
    only (C-06).
    """

    break_attempts: int
    queen_for: tuple[int, int]
    queen_left_for: tuple[int, int]
    most: int | None
    early_keeps: bool
    queen_with_striker_keeps: bool
    cover_with_striker_waits: bool
    queen_with_own_waits: bool


def read_terms(
    settings: MatchSettings,
    boards: tuple[FinishedBoard, ...],
    seat_sides: Mapping[Seat, Side],
    *,
    most: int | None,
) -> IcfTerms:
    """Look all options up, for the board after these, played with these colours."""
    score = running_score(settings, boards)
    cap = number_option(settings, "queen_cap")
    queen = number_option(settings, "queen_points")
    has = {colour: score[settings.sides[seat]] for seat, colour in seat_sides.items()}
    white, black = (0 if 0 < cap <= has[side] else queen for side in SIDES)
    german = settings.rules is RuleSystem.GRUNDREGELN
    return IcfTerms(
        break_attempts=number_option(settings, "break_attempts"),
        queen_for=(white, black),
        # "verliert das Spiel mit 3 Punkten": no word of the score; law 80 has one
        queen_left_for=(queen, queen) if german else (white, black),
        most=most,
        early_keeps=text_option(settings, "early_queen") == "keep",
        queen_with_striker_keeps=text_option(settings, "queen_with_striker") == "keep",
        cover_with_striker_waits=not is_agreed(settings, "cover_with_striker", "back"),
        queen_with_own_waits=is_agreed(settings, "queen_with_own", "pending"),
    )


@dataclass(frozen=True, slots=True)
class IcfMemo:
    """What a board remembers beside the counts.

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


def memo_of(position: Position) -> IcfMemo:
    """Return the memo of a position of icf or grundregeln."""
    memo = position.memo
    assert isinstance(memo, IcfMemo)
    return memo
