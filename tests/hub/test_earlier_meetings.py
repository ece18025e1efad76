"""A final of a Swiss in which an earlier meeting of the two counts as the first game."""

from __future__ import annotations

from random import Random

import pytest

from jackspot.core.record import read_record
from jackspot.values import changed
from jackspot_hub.desk.revising import correct
from jackspot_hub.desk.state import GivenOrder
from jackspot_hub.desk.step import first_game
from jackspot_hub.event.contest import Absence, Contest, Swiss, draw, forfeits
from jackspot_hub.event.fixtures import Outcome, PlayedMatch
from tests.hub.halls import PlayedHall, programme


def played_rounds(*, boards: int = 4, winner: str = "N") -> PlayedHall:
    """Return a Swiss of eight in which all have met, with its final, best of three, called."""
    event = programme(boards, s=Swiss(7, upper=2, earlier=True))
    whole = changed(event.classes["s"], knockout_header={"options": {"best_of": 3}})
    played = PlayedHall(changed(event, classes={"s": whole}), Random(1))
    for _minute in range(60):
        played.tick()
        for board in list(played.desk.open_orders):
            order = played.desk.order_of(board)
            assert order is not None
            if "-ko-" in order.key:
                return played
            played.sit_down(board)
            best = min(order.sides)  # the better seed wins
            seat, colour = ("N", "red") if order.sides[0] == best else ("S", "green")
            lines = "N -\nS 12*green\nS jack\n" if seat == "S" else f"N 12*{colour}\nN jack\n"
            played.result(board, lines)
    raise AssertionError("no final")


def final_of_swiss(played: PlayedHall) -> GivenOrder:
    return next(each for each in played.desk.orders.values() if "-ko-" in each.key)


def test_an_earlier_meeting_in_a_swiss_is_the_first_game_of_its_final() -> None:
    played = played_rounds()
    order = final_of_swiss(played)
    first = {each.entrant for each in played.desk.drawn("s").tables["s"][:2]}
    assert set(order.sides) == first
    assert order.resume is not None
    state = read_record(order.resume).match.state
    assert (sum(state.boards_won.values()), state.over) == (1, False)
    assert (state.settings.round, len(state.boards)) == ("s knockout 1-1", 1)
    played.sit_down(order.board)
    played.result(order.board, "S -\nN 12*red\nN jack\n")
    drawn = played.desk.drawn("s")
    assert drawn.final is not None
    assert drawn.final.winner == 0
    assert played.desk.results["s"][order.key].outcome.boards in {(2, 0), (0, 2)}  # type: ignore[union-attr]


def test_an_earlier_meeting_that_was_corrected_is_no_game_of_the_final() -> None:
    played = played_rounds()
    order = final_of_swiss(played)
    met = next(
        (key, each) for key, each in played.desk.results["s"].items()
        if set(each.sides) == set(order.sides) and key != order.key
    )  # fmt: skip
    assert met[1].outcome is not None
    played.write(correct(played.desk, met[0], changed(met[1].outcome, points=(3, 3)), "desk"))
    assert first_game(played.desk, "s", order.key, order.sides) is None


@pytest.mark.parametrize("begun", [False, True])
def test_a_final_that_has_not_begun_is_given_anew_where_its_first_game_counts_otherwise(
    begun: bool,
) -> None:
    played = played_rounds()
    order = final_of_swiss(played)
    key, met = next(
        (key, each) for key, each in played.desk.results["s"].items()
        if set(each.sides) == set(order.sides) and key != order.key
    )  # fmt: skip
    if begun:
        played.sit_down(order.board)
    played.tick()
    assert played.desk.order_of(order.board) is order, "nothing has changed"
    assert met.outcome is not None
    played.write(correct(played.desk, key, changed(met.outcome, points=(3, 3)), "desk"))
    played.tick()
    now = played.desk.order_of(order.board)
    assert now is not None
    if begun:
        assert now is order
        return
    assert (now.key, set(now.sides), now.resume) == (order.key, set(order.sides), None)
    assert now.number > order.number
    played.tick()
    assert played.desk.order_of(order.board) is now
    played.sit_down(order.board)
    played.result(order.board)
    assert played.desk.results["s"][order.key].outcome is not None


def test_of_two_who_met_more_than_once_the_first_meeting_counts_whenever_it_was_entered() -> None:
    played = played_rounds()
    order = final_of_swiss(played)
    known = played.desk.results["s"]
    first = next(at for at, each in known.items() if set(each.sides) == set(order.sides))
    later = "s-7-9"
    assert first < later
    record = played.desk.records[first].replace("---\n", "---\n# later\n")
    again = {later: known[first], **known}
    desk = changed(
        played.desk, results={"s": again}, records={**played.desk.records, later: record},
        newest_orders={**played.desk.newest_orders, later: played.desk.newest_orders[first]},
    )  # fmt: skip
    found = first_game(desk, "s", order.key, order.sides)
    assert found == first_game(played.desk, "s", order.key, order.sides)


def test_who_went_home_in_the_rounds_plays_no_final_and_who_goes_after_them_forfeits_it() -> None:
    form = Swiss(2, upper=2)
    went = Contest("s", (1, 2, 3, 4), form, away=(Absence(1, 2),))
    results = {
        "s-1-1": PlayedMatch((1, 3), Outcome(0)), "s-1-2": PlayedMatch((2, 4), Outcome(0)),
        "s-2-1": PlayedMatch((2, 3), Outcome(0)),
    }  # fmt: skip
    final = next(each for each in draw(went, results).fixtures if "-ko-" in each.key)
    assert 1 not in final.sides
    stays = changed(went, away=(Absence(2, 3),))
    results |= {"s-2-1": PlayedMatch((1, 2), Outcome(1)), "s-2-2": PlayedMatch((3, 4), Outcome(0))}
    assert 2 in next(each for each in draw(stays, results).fixtures if "-ko-" in each.key).sides
    found = forfeits(stays, results, [Absence(2, 0)])
    assert found["s-ko-1-1"].winner() != 2
