"""A KAGW match: "best of three", and the aggregate points that decide it (B-06)."""

from __future__ import annotations

from jackspot.core.options import text_option
from jackspot.core.rules.common import best_of_boards
from jackspot.core.rules.queen.carrom import SIDES, next_in_order
from jackspot.core.rules.system import FinishedBoard, Standing
from jackspot.core.settings import MatchSettings


def standing(settings: MatchSettings, boards: tuple[FinishedBoard, ...]) -> Standing:
    """Sum up a match.

    A majority before the last board wins: "the team which wins the first two games". Once
    the last is played "the team with the higher points in total" wins, level points go to
    the more boards won. With ``decider = "games"`` boards come first in any case.
    """
    return best_of_boards(
        settings,
        boards,
        sides=SIDES,
        next_opener=lambda agreed, board: next_in_order(agreed, board.opener),
        points_decide=text_option(settings, "decider") == "aggregate",
    )
