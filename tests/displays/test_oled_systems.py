"""What the OLED shows for the systems with a queen; their pictures are in test_oled_layout."""

from __future__ import annotations

import itertools

import pytest

from jackspot.core.directives import RedPlace
from jackspot.core.phrases import EMPTY, _
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import BoardView, FaultView, Phase
from jackspot.displays.oled.layout import draw
from jackspot.displays.text import Block
from jackspot.values import changed
from tests.displays.oled_drawing import dots, english, lit_share
from tests.displays.oled_systems import ICF, KAGW, POINTS, SYSTEMS, player
from tests.displays.oled_views import BLOCKED, GONE, clock


@pytest.mark.parametrize("faults", [(), (BLOCKED, GONE)])
@pytest.mark.parametrize("name", SYSTEMS)
def test_extreme_numbers_of_every_system_fit(
    name: str, faults: tuple[FaultView, ...], cut_off: list[Block]
) -> None:
    view = SYSTEMS[name]
    debts = (0,) if view.rules is RuleSystem.POINTS else (0, 12)
    for points, owed, best_of in itertools.product((-99, 185), debts, (1, 15)):
        sides = tuple(
            changed(
                each, owed=owed, board_points=points, points=points, game_points=99,
                games_won=9, boards_won=9, seats=(Seat.N, Seat.S), names=("", ""),
            )
            for each in view.sides
        )  # fmt: skip
        full = changed(
            view,
            sides=(sides[0], sides[1]),
            clock=clock(5999, 6000),
            best_of=best_of,
            waiting=99,
            faults=faults,
            place=(Piece.QUEEN,) + (Piece.BLACK,) * 9 + (Piece.BROWN,) * 9 if view.place else (),
            red=RedPlace.COVERED,
            red_side=sides[0].side,
            result_points=(points, 185) if view.result_points else None,
        )
        draw(full, english)
    assert cut_off == []


def test_a_board_of_points_that_is_over_shows_the_points_of_the_match() -> None:
    over = changed(
        POINTS, phase=Phase.BOARD_OVER, best_of=3, board=2, result_points=(5, 0), winner=Side.ONE,
        headline=_("{side} wins", side=_("SIDE 1")),
    )  # fmt: skip

    def drawn(points: int, pieces: int) -> bytes:
        won = player(Side.ONE, pieces, board_points=5, points=points, boards_won=1)
        sides = (won, player(Side.TWO, 0, board_points=0, points=0, boards_won=1))
        return draw(changed(over, sides=sides), english).tobytes()

    assert drawn(15, 1) != drawn(25, 1)
    assert drawn(15, 1) == drawn(15, 2)


def is_light(view: BoardView, index: int) -> bool:
    """Return whether a card's puck is light between its rim and its letter."""
    left = 5 if index == 0 else 75
    return lit_share(draw(view, english), (left, 7, left + 2, 11)) > 0.5


@pytest.mark.parametrize("shoots", [0, 1])
@pytest.mark.parametrize("white", [0, 1])
def test_white_is_light_and_black_is_dark_whoever_shoots_wherever_they_sit(
    shoots: int, white: int
) -> None:
    kinds = (Side.WHITE, Side.BLACK) if white == 0 else (Side.BLACK, Side.WHITE)
    first, second = (player(kind, 5, shoots=index == shoots) for index, kind in enumerate(kinds))
    view = changed(KAGW, sides=(first, second))
    assert is_light(view, white)
    assert not is_light(view, 1 - white)


def test_where_the_queen_is_and_whose_shows_without_words() -> None:
    still = changed(KAGW, detail=EMPTY)
    places = [
        (RedPlace.BOARD, None), (RedPlace.POCKETED, None),
        *((place, side) for place in (RedPlace.PENDING, RedPlace.COVERED)
          for side in (Side.WHITE, Side.BLACK)),
    ]  # fmt: skip
    seen = [dots(changed(still, red=place, red_side=side)) for place, side in places]
    assert len(set(seen)) == len(seen)


def test_the_queen_is_told_of_in_the_header_too_where_the_clock_has_her_place() -> None:
    timed = changed(SYSTEMS["kagw_review_cover"])
    others = [changed(timed, red=RedPlace.BOARD, red_side=None),
              changed(timed, red=RedPlace.COVERED)]  # fmt: skip
    assert len({dots(view) for view in (timed, *others)}) == 3


@pytest.mark.parametrize("view", [ICF, POINTS])
def test_points_of_the_game_and_pieces_beside_points_are_shown(view: BoardView) -> None:
    first = changed(view.sides[0], game_points=18, pocketed=6)
    assert dots(view) != dots(changed(view, sides=(first, view.sides[1])))
