"""Rounds by one gong: called together, struck for those present, the next when all is over."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from jackspot.festival.messages import What
from jackspot.values import changed
from jackspot_hub.desk.entering import set_board
from jackspot_hub.desk.revising import undo
from jackspot_hub.desk.state import AHEAD_MS, DeskEntry, StruckGong
from jackspot_hub.desk.step import call_round, move, strike, told, waiting_for_gong
from jackspot_hub.event.contest import AllAgainstAll
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.web.organising import day_part
from tests.hub.halls import MINUTE_MS, PlayedHall, hall, programme


def by_gong(boards: int = 2) -> PlayedHall:
    event = changed(programme(boards, singles=AllAgainstAll()), by_gong=True)
    return PlayedHall(event, Random(1))


def struck(played: PlayedHall) -> tuple[DeskEntry, ...]:
    """Let all who are called arrive, and strike the gong."""
    for board, number in played.desk.open_orders.items():
        played.match_says(board, number, "playing")
        played.say(board, What.RECORD, {"record": played.desk.orders[number].header})
        played.say(board, What.STATE, {"clock": {"running": False}})
    return strike(played.desk, "Mika")


def score(left_ms: int, running: bool = True, phase: str = "ready") -> dict[str, Any]:
    """Return the parts of a board's score that are read here."""
    return {"phase": phase, "clock": {"running": running, "remaining_ms": left_ms}}


@pytest.mark.parametrize("after_s", [1, 7, 600])
def test_a_clock_that_only_runs_on_is_no_news_of_a_board(after_s: int) -> None:
    played = hall(boards=1)
    played.say(1, What.STATE, score(900_000))
    before = played.desk
    played.now_ms += after_s * 1_000
    left_ms = 900_000 - after_s * 1_000
    played.say(1, What.STATE, score(left_ms + 100))
    assert played.desk.seen[1] == before.seen[1]
    for news in (
        score(left_ms - 1_000),
        score(left_ms, running=False),
        score(left_ms, phase="over"),
    ):
        played.desk = before
        played.say(1, What.STATE, news)
        assert (played.desk.seen[1].score, played.desk.seen[1].score_ms) == (news, played.now_ms)


def test_who_plays_by_no_gong_calls_no_round() -> None:
    with pytest.raises(CannotBe, match='no start = "gong"'):
        call_round(hall().desk)


def test_a_round_is_called_at_once_and_the_next_one_when_it_is_over() -> None:
    played = by_gong()
    played.tick()
    assert not played.desk.open_orders
    played.write(call_round(played.desk))
    assert len(played.desk.open_orders) == 2
    with pytest.raises(CannotBe, match="2 matches of this round are not over"):
        call_round(played.desk)
    for board in (1, 2):
        assert told(played.desk, board)[What.ORDER]["begins"] == "gong"
    played.write(struck(played))
    played.sit_down(1)
    played.result(1)
    played.tick()
    assert len(played.desk.open_orders) == 1, "board 1 waits for the other one"
    played.sit_down(2)
    played.result(2)
    played.tick()
    assert len(played.desk.open_orders) == 2


@pytest.mark.parametrize("own", range(5))
def test_a_round_is_called_whole_also_where_people_play_matches_of_their_own(own: int) -> None:
    played = by_gong(4)
    for board in range(1, own + 1):
        played.match_says(board, None, "playing")
    assert day_part(played.desk)["free"] == 4 - own
    played.write(call_round(played.desk))
    assert sorted(played.desk.open_orders) == [1, 2, 3, 4]
    assert day_part(played.desk)["free"] == 0


def test_the_next_round_is_called_whole_also_where_some_have_rested_before_others() -> None:
    played = by_gong(4)
    played.desk = changed(
        played.desk, programme=changed(played.desk.programme, rest_ms=2 * MINUTE_MS)
    )
    played.write(call_round(played.desk))
    played.write(struck(played))
    for board in (1, 2, 3, 4):
        played.tick(3)
        played.sit_down(board)
        played.result(board)
    called = []
    for _ in range(3):
        played.tick()
        called.append(len(played.desk.open_orders))
    assert called == [0, 4, 4]


@pytest.mark.parametrize("boards", [1, 3])
def test_boards_that_are_locked_or_away_or_play_are_not_free(boards: int) -> None:
    played = hall(boards=boards + 3)
    assert day_part(played.desk)["free"] == boards + 3
    played.write(set_board(played.desk, 1, "Mika", locked=True))
    played.match_says(2, None, "playing")
    played.say(3, What.STATUS, {"v": 1, "state": "gone"})
    assert day_part(played.desk)["free"] == boards
    played.tick()
    assert day_part(played.desk)["free"] == max(boards - 4, 0)


def test_the_gong_is_struck_for_who_is_there_and_is_in_the_journal() -> None:
    played = by_gong()
    with pytest.raises(CannotBe, match="no board waits for the gong"):
        strike(played.desk, "Mika")
    played.write(call_round(played.desk))
    for board, number in played.desk.open_orders.items():
        played.match_says(board, number, "seated")
        assert board not in waiting_for_gong(played.desk)
        played.match_says(board, number, "playing")
        played.say(board, What.RECORD, {"record": played.desk.orders[number].header})
        played.say(board, What.STATE, {"clock": {"running": False}})
    assert waiting_for_gong(played.desk) == [1, 2]
    played.say(2, What.STATE, {"clock": {"running": True}})
    assert waiting_for_gong(played.desk) == [1]
    for number in (1, 2):
        played.write(strike(played.desk, "Mika"))
        assert played.desk.gong == StruckGong(number, played.now_ms + AHEAD_MS)
    assert played.restarted() == played.desk
    with pytest.raises(CannotBe, match="what boards have played or were told"):
        undo(played.desk, len(played.desk.past), "Mika")


@pytest.mark.parametrize("lines", ["", "N red\n"])
def test_a_match_that_moves_is_by_gong_there_too(lines: str) -> None:
    """The board waits for it if its clock has not run yet, and at each later board."""
    played = by_gong(5)
    played.write(call_round(played.desk))
    (board, *_) = played.desk.open_orders
    number = played.desk.open_orders[board]
    header = played.desk.orders[number].header
    played.match_says(board, number, "playing")
    played.say(board, What.RECORD, {"record": header + lines})
    (other,) = {1, 2, 3, 4, 5} - set(played.desk.open_orders)
    played.write(move(played.desk, board, other))
    order = told(played.desk, other)[What.ORDER]
    assert order["resume"] == {"record": header + lines}
    assert order["begins"] == "gong"
    assert played.restarted().orders[order["order"]].begins == "gong"
    played.match_says(other, order["order"], "playing")
    played.say(other, What.RECORD, {"record": header + lines})
    played.say(other, What.STATE, {"clock": {"running": False}})
    assert (other in waiting_for_gong(played.desk)) is not bool(lines)
