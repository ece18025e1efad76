"""A KAGW match: "best of three", and the aggregate points that decide it (B-06)."""

from __future__ import annotations

from types import MappingProxyType

from jackspot.core.options import number_option, text_option
from jackspot.core.rules.common import ahead, sum_up
from jackspot.core.rules.queen.carrom import SIDES, next_in_order
from jackspot.core.rules.system import FinishedBoard, Standing
from jackspot.core.settings import MatchSettings


def standing(settings: MatchSettings, boards: tuple[FinishedBoard, ...]) -> Standing:
    """Sum up a match.

    A majority before the last board wins: "the team which wins the first two games". Once
    the last is played "the team with the higher points in total" wins, level points go to
    the more boards won. With ``decider = "games"`` boards come first in any case.
    """
    points, won = sum_up(settings, boards, SIDES)
    best_of = number_option(settings, "best_of")
    all_played = len(boards) >= best_of
    opener = next_in_order(settings, boards[-1].opener) if boards else settings.seats[0]
    over = all_played or max(won.values()) > best_of // 2
    if all_played and text_option(settings, "decider") == "aggregate":
        winner = ahead(points) or ahead(won)
    else:
        winner = ahead(won) or ahead(points)
    return Standing(
        points=MappingProxyType(points),
        boards_won=MappingProxyType(won),
        opener=None if over else opener,
        over=over,
        winner=winner if over else None,
    )
