"""The hub's clock against the board's: the fastest line gives the offset between them."""

from __future__ import annotations

from random import Random

import pytest

from jackspot.sensing.limits import MS, SECOND
from jackspot.sensor_link.protocol.clock import TOLERANCE_NS, WINDOW_NS, HubClock, WrongClock


def told(seconds: int, *, drift: float, seed: int, off_ns: int = 7 * SECOND):
    """Let a hub whose clock drifts report its time ten times a second, 1 to 30 ms late."""
    chance, clock = Random(seed), None
    for tenth in range(seconds * 10):
        real_ns = off_ns + tenth * SECOND // 10
        ticks_us = int((real_ns - off_ns) * (1 + drift)) // 1_000
        arrived_ns = real_ns + MS + chance.randrange(29 * MS)
        clock = (
            clock.hear(ticks_us, arrived_ns) if clock else HubClock.at_first(ticks_us, arrived_ns)
        )
        yield real_ns, ticks_us, clock


@pytest.mark.parametrize("drift", [0.0, 1e-4, -1e-4])
@pytest.mark.parametrize("seed", range(5))
def test_after_a_window_the_hubs_time_is_known_to_a_few_milliseconds(drift, seed) -> None:
    for real_ns, ticks_us, clock in told(120, drift=drift, seed=seed):
        if real_ns > 7 * SECOND + WINDOW_NS:
            assert 0 <= clock.at_ns(ticks_us) - real_ns + MS <= 8 * MS


def test_a_clock_that_goes_back_leaps_or_stands_is_no_clock() -> None:
    *_, (_real_ns, ticks_us, clock) = told(12, drift=0.0, seed=1)
    arrived_ns = ticks_us * 1_000 + clock.offset_ns + MS
    with pytest.raises(WrongClock, match="went back by 5 us"):
        clock.hear(ticks_us - 5, arrived_ns)
    with pytest.raises(WrongClock, match="leapt ahead"):
        clock.hear(ticks_us + 2 * TOLERANCE_NS // 1_000, arrived_ns)
    with pytest.raises(WrongClock, match="lost"):
        counting_nine_tenths_of_each_second(clock, ticks_us, arrived_ns)


def counting_nine_tenths_of_each_second(clock: HubClock, ticks_us: int, at_ns: int) -> None:
    for second in range(1, 30):
        clock = clock.hear(ticks_us + second * 900_000, at_ns + second * SECOND)


def test_what_waited_before_the_line_was_opened_spoils_nothing() -> None:
    clock = HubClock.at_first(1_000_000, 100 * SECOND)
    for number in range(20):
        clock = clock.hear(50_000_000 + number * 1_000, 100 * SECOND + number * MS + 1)
    assert clock.offset_ns == 50 * SECOND + 1
