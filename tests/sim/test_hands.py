"""Pieces on the simulated board moved by hand, and put back where they lay."""

from __future__ import annotations

import pytest

from jackspot.config.load import Sources, load
from jackspot.core.pieces import Piece, Pocket
from jackspot.core.settings import RuleSystem
from jackspot.values import changed
from jackspot_sim.clock import SimClock
from jackspot_sim.devices.pins import SimFactory
from jackspot_sim.physics.boards import board_of
from jackspot_sim.table.table import CannotHappen, SimTable


def table_of(rules: RuleSystem) -> SimTable:
    clock = SimClock()
    return SimTable(clock, SimFactory(clock.now_ns), load(Sources(())).wires, rules)


def at(table: SimTable, number: int) -> tuple[float, float, int]:
    """Return where a piece lies, and on which level."""
    [found] = [each for each in table.lying() if each.number == number]
    return found.x_mm, found.y_mm, found.level


def test_a_piece_is_moved_and_the_last_moves_are_taken_back_one_by_one() -> None:
    table = table_of(RuleSystem.HIKONE)
    first, second = at(table, 4), at(table, 5)
    table.move(4, 180.0, -150.0)
    table.move(5, -180.0, -150.0)
    table.move(4, 170.0, -140.0)
    assert (at(table, 4), at(table, 5)) == ((170, -140, 0), (-180, -150, 0))
    for left in (2, 1, 0):
        table.move_back()
        assert table.moved == left
    assert (at(table, 4), at(table, 5)) == (first, second)
    with pytest.raises(CannotHappen, match="no piece was moved"):
        table.move_back()


@pytest.mark.parametrize("gone", [4, 5])
def test_the_move_of_a_piece_that_is_gone_does_not_stand_in_the_way_of_others(gone: int) -> None:
    table = table_of(RuleSystem.HIKONE)
    stays = 9 - gone
    before = at(table, stays)
    table.move(4, 180.0, -150.0)
    table.move(5, -180.0, -150.0)
    table.sink(gone, Pocket.SE)
    assert table.moved == 1
    table.move_back()
    assert (at(table, stays), table.moved) == (before, 0)


@pytest.mark.parametrize("rules", [RuleSystem.HIKONE, RuleSystem.ICF])
def test_every_piece_of_an_opening_can_be_moved_away_and_back(rules: RuleSystem) -> None:
    table = table_of(rules)
    before = table.lying()
    for each in before:
        table.move(each.number, 180.0, -150.0)
        table.move_back()
    assert table.lying() == before


@pytest.mark.parametrize("over", [False, True])
def test_a_piece_goes_back_over_a_pocket_but_not_onto_another(over: bool) -> None:
    rules = RuleSystem.ICF
    table, (x, y) = table_of(rules), board_of(rules).pocket_at(Pocket.NE)
    at_x, at_y = (x - 12.0, y - 12.0) if over else (x - 60.0, y - 60.0)
    [lying] = [each for each in table.lying() if each.number == 4]
    table.rest([changed(lying, x_mm=at_x, y_mm=at_y)])
    table.move(4, 180.0, -150.0)
    [other] = [each for each in table.lying() if each.number == 5]
    table._positions.rest([changed(other, x_mm=at_x - 14.0, y_mm=at_y - 14.0)])
    with pytest.raises(CannotHappen, match="another piece lies there"):
        table.move_back()
    table._positions.rest([other])
    table.move_back()
    assert at(table, 4) == (at_x, at_y, 0)


def test_moves_before_a_shot_or_another_board_are_not_taken_back() -> None:
    table = table_of(RuleSystem.HIKONE)
    table.move(4, 180.0, -150.0)
    table.rest(table.lying())
    assert table.moved == 0
    table.move(4, 170.0, -150.0)
    table.set_up(RuleSystem.HIKONE)
    assert table.moved == 0


def test_a_puck_is_laid_on_the_pile_and_the_lowest_is_not_pulled_out() -> None:
    table = table_of(RuleSystem.HIKONE)
    table.move(4, 3.0, -2.0)
    assert at(table, 4) == (0, 0, 1)
    jack = next(each.number for each in table.lying() if each.piece is Piece.JACK)
    with pytest.raises(CannotHappen, match="lies on it"):
        table.move(jack, 100.0, 100.0)
    table.move(4, 60.0, 30.0)
    table.move(jack, 6.0, 6.0)
    assert at(table, jack) == (0, 0, 0)


@pytest.mark.parametrize("rules", [RuleSystem.HIKONE, RuleSystem.ICF])
def test_where_no_piece_can_lie_none_is_moved(rules: RuleSystem) -> None:
    table, board = table_of(rules), board_of(rules)
    before = table.lying()
    for x_mm, y_mm in (board.pocket_at(Pocket.NE), (board.half_mm, 0.0)):
        with pytest.raises(CannotHappen, match="on the wood"):
            table.move(4, x_mm, y_mm)
    if rules is RuleSystem.ICF:
        [other] = [each for each in before if each.number == 5]
        with pytest.raises(CannotHappen, match="another piece lies there"):
            table.move(4, other.x_mm + 5, other.y_mm)
    with pytest.raises(CannotHappen, match="not on the board any more"):
        table.move(99, 10.0, 10.0)
    assert (table.lying(), table.moved) == (before, 0)
