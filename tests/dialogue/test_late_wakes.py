"""A board that is woken late does what it would have done in time."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackspot.dialogue.phases.deadlines import next_wake_ns
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.sensing.events import Tick
from jackspot.sensing.limits import SECOND
from tests.dialogue.dialogue_checks import without_instants
from tests.dialogue.in_phase import in_falling, in_ready
from tests.dialogue.playing import Table


def near_zero() -> Table:
    table = Table(options={"time_limit_s": 30, "time_end": "stop"}).started("N").wait(20.0)
    return table.review("NE")


def in_a_list() -> Table:
    return in_ready().hold("referee", "fix")


@pytest.mark.parametrize("begin", [in_falling, near_zero, in_a_list, in_ready])
@pytest.mark.parametrize("seconds", [0.3, 2.0, 25.0])
def test_one_late_tick_comes_to_the_same_as_every_tick_in_time(
    begin: Callable[[], Table], seconds: float
) -> None:
    in_time, late = begin(), begin()
    in_time.wait(seconds)
    late.now_ns += round(seconds * SECOND)
    late.give(Tick(late.now_ns))
    assert without_instants(late.dialogue) == without_instants(in_time.dialogue)
    assert late.dialogue.timing.asked == in_time.dialogue.timing.asked
    assert late.game.clock.used_at(late.now_ns) == in_time.game.clock.used_at(in_time.now_ns)
    assert set(late.sounds) == set(in_time.sounds)
    entered = [(each.kind, each.at_ns) for each in late.records if each.kind != "desk"]
    assert entered == [(each.kind, each.at_ns) for each in in_time.records if each.kind != "desk"]


def test_an_idle_board_without_a_clock_need_not_be_woken_before_its_pictures_of_help() -> None:
    for table, idle_s in ((Table(), 120), (in_ready().wait(30.0), 600)):
        assert next_wake_ns(table.dialogue) == table.dialogue.timing.touched_ns + idle_s * SECOND


def test_an_idle_board_that_shows_no_pictures_need_not_be_woken() -> None:
    asleep = DialogueSettings(attract_ns=0)
    for table in (Table(dialogue_settings=asleep),
                  Table(dialogue_settings=asleep).started("N").wait(30.0)):  # fmt: skip
        assert next_wake_ns(table.dialogue) is None
