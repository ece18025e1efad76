"""The steward lays the pieces out: for the rules of set-up, for each board, and back with UNDO."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Piece, Pocket
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.values import changed
from jackspot_sim.clock import SimClock
from jackspot_sim.devices.pins import SimFactory
from jackspot_sim.table.steward import Steward
from jackspot_sim.table.table import PIECES, CannotHappen, SimTable
from tests.web.samples import READY, RED_NE

WHOLE = {Piece.RED: 12, Piece.GREEN: 12, Piece.JACK: 1}
SETUP = changed(READY, phase=Phase.SETUP, on_board=())
BEGUN = changed(READY, on_board=tuple(WHOLE.items()))
OVER = changed(BEGUN, phase=Phase.BOARD_OVER, best_of=3)


class House:
    """A table with its steward."""

    def __init__(self) -> None:
        clock = SimClock(None)
        self.table = SimTable(clock, SimFactory(clock.now_ns), [])
        self.steward = Steward(self.table)

    def see(self, *views: BoardView) -> None:
        for view in views:
            self.steward.post(view)

    @property
    def on_board(self) -> dict[Piece, int]:
        truth = self.table.truth().on_board
        return {piece: n for piece, n in truth.items() if piece is not Piece.STRIKER}


@pytest.fixture
def house() -> House:
    return House()


@pytest.mark.parametrize("rules", RuleSystem)
def test_set_up_of_other_rules_brings_other_pieces(house: House, rules: RuleSystem) -> None:
    house.see(SETUP, changed(SETUP, rules=rules))
    assert house.table.rules is rules
    assert house.table.truth().on_board == PIECES[rules]


def test_what_fell_in_set_up_stays_until_the_match_begins(house: House) -> None:
    house.see(SETUP)
    house.table.drop(Pocket.NE, [Piece.RED])
    house.see(changed(SETUP, sequence=8))
    assert house.on_board[Piece.RED] == 11
    house.see(BEGUN)
    assert house.on_board == WHOLE


def test_during_a_board_nothing_is_touched_right_or_wrong(house: House) -> None:
    house.see(SETUP, BEGUN)
    house.table.drop(Pocket.NE, [Piece.GREEN])
    house.see(changed(BEGUN, on_board=((Piece.RED, 11), (Piece.GREEN, 12), (Piece.JACK, 1))))
    assert house.on_board == {**WHOLE, Piece.GREEN: 11}


def test_the_next_board_begins_with_every_piece(house: House) -> None:
    house.see(SETUP, BEGUN, OVER)
    house.table.drop(Pocket.NE, [Piece.RED] * 12)
    house.see(changed(BEGUN, board=2, best_of=3))
    assert house.on_board == WHOLE


def test_a_board_that_is_taken_back_lies_as_it_lay(house: House) -> None:
    end = ((Piece.RED, 1), (Piece.GREEN, 4), (Piece.JACK, 1))
    last = changed(RED_NE, departures=(Departure(Piece.RED, Pocket.NE), Departure(Piece.JACK)))
    house.see(SETUP, BEGUN, OVER, changed(BEGUN, board=2))
    house.see(changed(BEGUN, phase=Phase.REVIEW, proposal=last, on_board=end))
    assert house.on_board == {Piece.GREEN: 4}


def test_what_is_still_to_be_put_back_lies_beside_the_board(house: House) -> None:
    place = (Piece.RED, Piece.JACK)
    house.see(SETUP, BEGUN, changed(BEGUN, board=2))
    house.see(changed(BEGUN, phase=Phase.PLACING, place=place))
    assert house.on_board == {Piece.RED: 11, Piece.GREEN: 12}
    assert house.table.truth().on_floor == {Piece.RED: 1, Piece.JACK: 1}


def test_a_match_that_begins_again_has_every_piece(house: House) -> None:
    house.see(SETUP, BEGUN, changed(OVER, phase=Phase.MATCH_OVER))
    house.table.drop(Pocket.NE, [Piece.RED] * 12)
    house.see(changed(BEGUN, sequence=9))
    assert house.on_board == WHOLE


def test_more_pieces_than_there_are_cannot_be_laid_out(house: House) -> None:
    with pytest.raises(CannotHappen, match="expected 13 red in the box, found 12"):
        house.table.lay(RuleSystem.HIKONE, {Piece.RED: 13})
