"""A match of games: boards add up to games, games won decide (grundregeln, icf).

A game ends when a side reaches ``target`` ("Man spielt auf 25 Punkte oder 8 Breaks", law
29: "25 points or eight boards"), or when one leads after ``max_boards``; level after the
last, an extra board is played, and another, until one leads. A match ends with a majority
of ``best_of`` games, or when all are played.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from jackspot.core.options import number_option
from jackspot.core.pieces import Seat, Side
from jackspot.core.rules.common import ahead
from jackspot.core.rules.queen.carrom import SIDES, next_in_order
from jackspot.core.rules.system import FinishedBoard, Standing
from jackspot.core.settings import MatchSettings


@dataclass(slots=True)
class _Game:
    """One game while its boards are added up; sides are named as on board 1."""

    points: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    boards: int = 0

    def winner(self, target: int, max_boards: int) -> Side | None:
        """Return who has won the game; None while it goes on."""
        out_of_boards = 0 < max_boards <= self.boards
        if max(self.points.values()) >= target or out_of_boards:
            return ahead(self.points)
        return None


@dataclass(slots=True)
class _Tally:
    """All finished boards of a match, added up. The last of ``games`` is the running one."""

    points: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    boards_won: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    games_won: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(SIDES, 0))
    game_of_board: list[int] = field(default_factory=list)
    games: list[_Game] = field(default_factory=lambda: [_Game()])

    @property
    def games_over(self) -> int:
        """How many games have been won."""
        return len(self.games) - 1


def _add_up(settings: MatchSettings, boards: tuple[FinishedBoard, ...]) -> _Tally:
    target, max_boards = (number_option(settings, name) for name in ("target", "max_boards"))
    tally = _Tally()
    for board in boards:
        game = tally.games[-1]
        game.boards += 1
        for seat in {colour: seat for seat, colour in board.seat_sides.items()}.values():
            side, colour = settings.sides[seat], board.seat_sides[seat]
            points = board.result.points[colour]
            tally.points[side] += points
            game.points[side] += points
            tally.boards_won[side] += board.result.winner is colour
        tally.game_of_board.append(len(tally.games))
        winner = game.winner(target, max_boards)
        if winner is not None:
            tally.games_won[winner] += 1
            tally.games.append(_Game())
    return tally


def running_score(settings: MatchSettings, boards: tuple[FinishedBoard, ...]) -> Mapping[Side, int]:
    """Return the score of the running game after these boards, by side as on board 1."""
    return _add_up(settings, boards).games[-1].points


def standing(settings: MatchSettings, boards: tuple[FinishedBoard, ...]) -> Standing:
    """Sum up a match: more games decide, then more points."""
    tally = _add_up(settings, boards)
    best_of = number_option(settings, "best_of")
    over = tally.games_over >= best_of or max(tally.games_won.values()) > best_of // 2
    return Standing(
        points=MappingProxyType(tally.points),
        boards_won=MappingProxyType(tally.boards_won),
        opener=None if over else _next_opener(settings, boards, tally),
        over=over,
        winner=(ahead(tally.games_won) or ahead(tally.points)) if over else None,
        games=tuple(tally.game_of_board),
        games_won=MappingProxyType(tally.games_won),
    )


def _next_opener(settings: MatchSettings, boards: tuple[FinishedBoard, ...], tally: _Tally) -> Seat:
    """Law 22: "The turn to break shall pass alternately during the game".

    "In the second game the player who did not have the first turn to break shall have his
    turn first. In the third game, the turn to break passes on to the first player."
    """
    begins_a_game = tally.games[-1].boards == 0
    if begins_a_game:
        return settings.seats[tally.games_over % 2]
    return next_in_order(settings, boards[-1].opener)
