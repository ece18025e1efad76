"""What a hub learns of its boards' clocks: the error is never larger than it says."""

from __future__ import annotations

import random

from hypothesis import given, strategies as st

from jackspot_hub.desk.clocks import OFTEN, OPEN, SELDOM_MS, SOON_MS, BoardClocks

TRIPS = st.lists(st.tuples(st.integers(0, 400), st.integers(0, 400)), min_size=1, max_size=40)
AHEAD_MS = 7_000_000
"""How far the hub's clock is ahead of the board's."""


def asked(clocks: BoardClocks, at_ms: int, there: int, back: int, ahead_ms: int = AHEAD_MS) -> int:
    """Ask a board, with these delays there and back; return when its answer came."""
    question = clocks.question("b001", at_ms)
    board_ms = at_ms + there - ahead_ms
    answer = {
        "transaction": question["transaction"], "what": "clock", "boot": "a", "board_ms": board_ms,
    }  # fmt: skip
    clocks.learn("b001", answer, at_ms + there + back)
    return at_ms + there + back


@given(TRIPS)
def test_the_doubt_is_no_less_than_the_error(trips: list[tuple[int, int]]) -> None:
    clocks, now_ms = BoardClocks(), AHEAD_MS
    for there, back in trips:
        now_ms = asked(clocks, now_ms, there, back) + 100
    pair, doubt_ms = clocks.pair("b001"), clocks.doubt_ms("b001")
    assert pair is not None
    assert doubt_ms is not None
    assert abs(pair["hub_ms"] - pair["board_ms"] - AHEAD_MS) <= doubt_ms + 1
    assert doubt_ms <= min(there + back for there, back in trips) / 2
    assert clocks.hub_ms("b001", 5) == pair["hub_ms"] + 5 - pair["board_ms"]


def test_after_forty_answers_a_bad_network_leaves_a_hall_within_fifty_milliseconds() -> None:
    """Up to 200 ms each way; what is lost, one in fifty, comes 400 ms later."""
    chance, spreads_ms = random.Random(7), []

    def trip_ms() -> int:
        return chance.randrange(200) + 400 * (chance.random() < 0.02)

    for _ in range(20):  # halls of 100 boards
        offs_ms = []
        for _ in range(100):
            clocks, now_ms = BoardClocks(), AHEAD_MS
            for _ in range(40):
                now_ms = asked(clocks, now_ms, trip_ms(), trip_ms()) + 100
            pair = clocks.pair("b001")
            assert pair is not None
            offs_ms.append(pair["hub_ms"] - pair["board_ms"] - AHEAD_MS)
        spreads_ms.append(max(offs_ms) - min(offs_ms))
    assert 20 < max(spreads_ms) <= 50  # below, the network would not be bad enough


@given(TRIPS, st.integers(1_000, 10**9))
def test_a_clock_that_was_set_is_learnt_anew(trips: list[tuple[int, int]], jump_ms: int) -> None:
    clocks, now_ms = BoardClocks(), AHEAD_MS
    for there, back in trips:
        now_ms = asked(clocks, now_ms, there, back) + 100
    for there, back in (trips[0], *trips):  # the second answer that agrees is believed
        now_ms = asked(clocks, now_ms, there, back, AHEAD_MS - jump_ms) + 100
    pair, doubt_ms = clocks.pair("b001"), clocks.doubt_ms("b001")
    assert pair is not None
    assert doubt_ms is not None
    assert abs(pair["hub_ms"] - pair["board_ms"] - (AHEAD_MS - jump_ms)) <= doubt_ms + 1


@given(TRIPS, st.sampled_from([0.5, 2, 20]))
def test_of_a_table_that_runs_at_another_speed_no_instant_is_told(
    trips: list[tuple[int, int]], speed: float
) -> None:
    clocks, now_ms, since_ms = BoardClocks(), AHEAD_MS, 0
    for there, back in (*trips, trips[0]):
        since_ms += SELDOM_MS
        now_ms = AHEAD_MS + since_ms
        asked(clocks, now_ms, there, back, AHEAD_MS - round((speed - 1) * since_ms))
        if since_ms > SELDOM_MS:
            assert clocks.pair("b001") is None


def test_another_start_and_answers_that_nobody_asked_for() -> None:
    clocks = BoardClocks()
    clocks.learn("b001", {"transaction": 9, "what": "clock", "boot": "a", "board_ms": 5}, 10)
    assert clocks.pair("b001") is None
    asked(clocks, AHEAD_MS, 10, 10)
    question = clocks.question("b001", AHEAD_MS + 50)
    answer = {"transaction": question["transaction"], "boot": "b", "board_ms": 3}
    clocks.learn("b001", {**answer, "what": "doctor"}, AHEAD_MS + 60)
    assert question["pair"] == clocks.pair("b001")
    question = clocks.question("b001", AHEAD_MS + 70)
    answer["transaction"] = question["transaction"]
    clocks.learn("b001", {**answer, "what": "clock"}, AHEAD_MS + 80)
    pair = clocks.pair("b001")
    assert pair is not None
    assert (pair["boot"], pair["board_ms"], pair["hub_ms"]) == ("b", 3, AHEAD_MS + 75)


def test_who_never_answers_is_asked_now_and_then_and_costs_nothing() -> None:
    clocks, now_ms, asks = BoardClocks(), 0, 0
    for _ in range(20 * OPEN):
        now_ms += SOON_MS
        if clocks.due("b001", now_ms):
            clocks.question("b001", now_ms)
            asks += 1
    assert asks == OFTEN + (20 * OPEN - OFTEN) * SOON_MS // SELDOM_MS
    clocks, now_ms, asks = BoardClocks(), 0, 0
    for _ in range(OFTEN + 100):
        now_ms += SOON_MS
        if clocks.due("b001", now_ms):
            asked(clocks, now_ms, 0, 1)
            asks += 1
    assert asks == OFTEN + 100 * SOON_MS // SELDOM_MS
