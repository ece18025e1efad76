"""The numbers of a view that a display shows: the large one of each side, and the match's.

Every display shows the same numbers, each in its own way. Pure: a view in, numbers out.
"""

from __future__ import annotations

from enum import StrEnum

from jackspot.core.phrases import Phrase, _
from jackspot.core.rules import facts_of
from jackspot.dialogue.state.view import BoardView, Phase

OVER = frozenset({Phase.BOARD_OVER, Phase.MATCH_OVER})
"""The phases that show a result."""


class Tally(StrEnum):
    """What a match is counted in."""

    GAMES = "games"
    BOARDS = "boards"
    POINTS = "points"


def score(view: BoardView, index: int) -> int:
    """Return the number to show large for a side.

    It is the side's pieces in, or its running total where only points count. When a board is over
    it is the board's points; when the match is over, the games won, or else the points.
    """
    side = view.sides[index]
    if view.phase is Phase.MATCH_OVER and view.game and view.best_of > 1:
        return side.games_won
    if view.phase in OVER and view.result_points is not None:
        return view.result_points[index]
    return side.board_points if facts_of(view.rules).counts_points else side.pocketed


def match_score(view: BoardView) -> tuple[tuple[Tally, int, int], ...]:
    """Return the match's counts beyond the running board, the deciding one first.

    Empty in a match of one board. Points are left out where a match is not counted in them.
    """
    first, second = view.sides
    if view.game:
        points = (Tally.POINTS, first.game_points, second.game_points)
        games = (Tally.GAMES, first.games_won, second.games_won)
        return (games, points) if view.best_of > 1 else (points,)
    if view.best_of <= 1:
        return ()
    boards = (Tally.BOARDS, first.boards_won, second.boards_won)
    points = (Tally.POINTS, first.points, second.points)
    return (boards, points) if facts_of(view.rules).match_points else (boards,)


def standing_words(view: BoardView) -> list[Phrase]:
    """Say how the match stands, once there is something to say."""
    return [tally_word(*each) for each in match_score(view) if any(each[1:])]


def tally_word(tally: Tally, n: int, m: int) -> Phrase:
    """Say the match's score by one way of counting: ``games 1:0``."""
    match tally:
        case Tally.GAMES:
            return _("games {n}:{m}", n=n, m=m)
        case Tally.BOARDS:
            return _("boards {n}:{m}", n=n, m=m)
        case Tally.POINTS:
            return _("points {n}:{m}", n=n, m=m)
