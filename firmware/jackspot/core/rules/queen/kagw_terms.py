"""What was agreed, as the KAGW resolver reads it, and what it must remember between strokes.

Options are looked up once, when a board begins, and travel in the position's memo.
"""

from __future__ import annotations

from dataclasses import dataclass

from jackspot.core.options import number_option, text_option, yes_no_option
from jackspot.core.position import Position
from jackspot.core.settings import MatchSettings


@dataclass(frozen=True, slots=True)
class KagwTerms:
    """Options of one match that touch a stroke.

    ``cover_in_turn``: an own piece pocketed earlier in the turn covers the queen (B-04).
    """

    break_attempts: int
    off_board_is_foul: bool
    cover_in_turn: bool
    queen_points: int


def read_terms(settings: MatchSettings) -> KagwTerms:
    """Look all options up."""
    return KagwTerms(
        break_attempts=number_option(settings, "break_attempts"),
        off_board_is_foul=yes_no_option(settings, "off_board_is_foul"),
        cover_in_turn=text_option(settings, "cover") == "turn",
        queen_points=number_option(settings, "queen_points"),
    )


@dataclass(frozen=True, slots=True)
class KagwMemo:
    """What KAGW remembers beside the counts.

    ``broken``: the break has been made on this board. ``misses``: breaks missed in this
    turn. ``late``: by side, the pieces that the stroke just made gave back for *old* debts
    when it ended the turn; only these can be forgotten (KG-30), and only until the next
    entry. ``own_in_turn``: an own piece was pocketed in this turn, where that covers the queen.
    """

    terms: KagwTerms
    broken: bool = False
    misses: int = 0
    late: tuple[int, int] = (0, 0)
    own_in_turn: bool = False


def memo_of(position: Position) -> KagwMemo:
    """Return the memo of a KAGW position."""
    memo = position.memo
    assert isinstance(memo, KagwMemo)
    return memo
