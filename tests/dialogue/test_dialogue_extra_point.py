"""The extra point that the winner of a board may demand in icf."""

from __future__ import annotations

import pytest

from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.dialogue_checks import check_all
from tests.dialogue.queen_tables import kind, lost_improperly, playing


def test_the_winner_of_a_board_may_demand_a_point_more() -> None:
    table = lost_improperly().must_be(Phase.BOARD_OVER)
    assert table.view.result_points == (0, 9)
    assert str(table.view.fix) == "extra point?"
    table.fix("referee").wait(1.0)
    assert kind(table) is MenuKind.DEMAND
    check_all(table)
    table.ok("referee").calm().must_be(Phase.BOARD_OVER)
    assert table.entries[-1] == "! demand"
    assert table.view.result_points == (0, 10)
    assert str(table.view.fix) == "", "only once"


def test_a_demand_that_was_taken_back_can_be_left_out() -> None:
    table = lost_improperly().fix("referee").wait(1.0).ok("referee").calm()
    table.undo().calm().must_be(Phase.BOARD_OVER)
    assert "! demand" not in table.entries
    assert str(table.view.ok) == "put back"
    check_all(table)
    table.fix("referee").wait(1.0).fix("referee").calm()
    assert str(table.view.ok) == "next board"
    check_all(table)
    table.ok("referee").calm().must_be(Phase.READY)
    assert table.entries[-1] == "! board"


def test_a_demand_taken_back_and_put_back_stands() -> None:
    table = lost_improperly().fix("referee").wait(1.0).ok("referee").calm()
    table.undo().calm().ok("referee").calm().must_be(Phase.BOARD_OVER)
    assert table.entries[-1] == "! demand"
    table.ok("referee").calm().must_be(Phase.READY)
    assert table.entries[-2:] == ["! demand", "! board"]


def test_a_demand_may_end_the_match() -> None:
    table = lost_improperly(options={"target": 10, "best_of": 1}).must_be(Phase.BOARD_OVER)
    table.fix("referee").wait(1.0).ok("referee").calm().must_be(Phase.MATCH_OVER)
    assert table.entries[-1] == "! demand"
    check_all(table)
    table.undo().calm().must_be(Phase.BOARD_OVER)
    check_all(table)


def test_after_the_match_the_menu_still_asks_for_the_extra_point() -> None:
    table = lost_improperly(options={"target": 9, "best_of": 1}).must_be(Phase.MATCH_OVER)
    table.hold("referee", "fix").wait(1.0).pick("extra point?").wait(1.0).ok("referee").calm()
    table.must_be(Phase.MATCH_OVER)
    assert table.entries[-1] == "! demand"
    assert table.view.result_points == (0, 10)
    check_all(table)


def test_a_kept_demand_follows_its_board_again() -> None:
    """The stroke before the last is changed: the demand after it is kept."""
    table = lost_improperly().fix("referee").wait(1.0).ok("referee").calm()
    table.undo().undo().calm().must_be(Phase.REVIEW)
    table.undo().calm()
    check_all(table)
    while table.game.undone:
        table.ok("referee").calm()
    assert table.entries[-1] == "! demand"


@pytest.mark.parametrize("rules", ["kagw", "grundregeln", "points", "hikone"])
def test_elsewhere_nothing_is_demanded(rules: str) -> None:
    table = playing(rules, options={"best_of": 3}).hold("N", "fix").wait(1.0)
    table.pick("draw", by="N", held=True).calm().must_be(Phase.BOARD_OVER).fix("N")
    assert str(table.view.detail) == "not now"
