"""A match of games: boards add up to games, games won decide (grundregeln, icf).

A game ends when a side reaches ``target`` ("Man spielt auf 25 Punkte oder 8 Breaks", law 29: "25
points or eight boards"), or when one leads after ``max_boards``; if it is tied after the last,
extra boards are played until one leads. A match ends with a majority of ``best_of`` games, or when
all are played.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct, field

from jackspot.core.options import number_option
from jackspot.core.pieces import Seat, Side
from jackspot.core.rules.common import ahead, colours_of, sum_up
from jackspot.core.rules.queen.carrom import SIDES, next_in_order
from jackspot.core.rules.system import FinishedBoard, Standing
from jackspot.core.settings import MatchSettings


class _Game(Struct):
    """One game while its boards are added up; sides are named as on board 1."""

    points: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    boards: int = 0
    winner: Side | None = None


def _games(settings: MatchSettings, boards: tuple[FinishedBoard, ...]) -> list[_Game]:
    """Divide boards into games; the last is the running one, which nobody has won."""
    target, max_boards = (number_option(settings, name) for name in ("target", "max_boards"))
    games = [_Game()]
    for board in boards:
        game = games[-1]
        game.boards += 1
        for side, colour in colours_of(settings, board):
            game.points[side] += board.result.points[colour]
        if max(game.points.values()) >= target or 0 < max_boards <= game.boards:
            game.winner = ahead(game.points)
        if game.winner is not None:
            games.append(_Game())
    return games


def running_score(settings: MatchSettings, boards: tuple[FinishedBoard, ...]) -> Mapping[Side, int]:
    """Return the score of the running game after these boards, by side as on board 1."""
    return _games(settings, boards)[-1].points


def standing(settings: MatchSettings, boards: tuple[FinishedBoard, ...]) -> Standing:
    """Sum up a match: more games decide, then more points."""
    games = _games(settings, boards)
    points, boards_won = sum_up(settings, boards, SIDES)
    games_won = {side: sum(game.winner is side for game in games) for side in SIDES}
    best_of, games_over = number_option(settings, "best_of"), len(games) - 1
    over = games_over >= best_of or max(games_won.values()) > best_of // 2
    return Standing(
        points=MappingProxyType(points),
        boards_won=MappingProxyType(boards_won),
        opener=None if over else _next_opener(settings, boards, games),
        over=over,
        winner=(ahead(games_won) or ahead(points)) if over else None,
        games=tuple(number for number, game in enumerate(games, 1) for _ in range(game.boards)),
        games_won=MappingProxyType(games_won),
    )


def _next_opener(
    settings: MatchSettings, boards: tuple[FinishedBoard, ...], games: list[_Game]
) -> Seat:
    """Law 22: "The turn to break shall pass alternately during the game".

    "In the second game the player who did not have the first turn to break shall have his
    turn first. In the third game, the turn to break passes on to the first player."
    """
    if games[-1].boards == 0:
        return settings.seats[(len(games) - 1) % 2]
    return next_in_order(settings, boards[-1])
