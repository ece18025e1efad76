"""The help pictures that cover everything when nobody plays."""

from __future__ import annotations

from itertools import product

import pytest

from jackspot.dialogue.phases.deadlines import next_wake_ns
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.sensing.events import FaultCleared, FaultRaised, Trouble
from jackspot.sensing.limits import SECOND
from tests.conftest import thinned
from tests.dialogue.dialogue_checks import check_all, watch_the_evidence, watch_the_question
from tests.dialogue.in_phase import IN_PHASE
from tests.dialogue.playing import Table

BETWEEN = [Phase.SETUP, Phase.BOARD_OVER, Phase.MATCH_OVER]
IN_PLAY = [Phase.READY, Phase.REVIEW, Phase.PLACING, Phase.PAUSED]


def in_phase(phase: Phase) -> Table:
    table = IN_PHASE[phase]()
    table.watchers += [watch_the_question, watch_the_evidence(table)]
    return table


def asleep(phase: Phase) -> Table:
    table = in_phase(phase).wait(700.0)
    assert table.view.attract is not None
    return table


@pytest.mark.parametrize("phase", BETWEEN)
def test_between_matches_pictures_come_after_two_minutes(phase: Phase) -> None:
    table = in_phase(phase)
    left_s = 120 - (table.now_ns - table.dialogue.timing.touched_ns) / SECOND
    table.wait(left_s - 0.5)
    assert table.view.attract is None
    table.wait(1.0)
    assert table.view.attract == 0


@pytest.mark.parametrize("phase", IN_PLAY)
def test_an_abandoned_match_is_covered_after_ten_minutes(phase: Phase) -> None:
    table = in_phase(phase).wait(580.0)
    assert table.view.attract is None
    table.wait(30.0).must_be(phase)
    assert table.view.attract is not None


def test_there_are_three_pictures_in_turn_each_for_six_seconds() -> None:
    table = Table().wait(120.5)
    seen = []
    for _ in range(7):
        seen.append(table.view.attract)
        table.wait(6.0)
    assert seen == [0, 1, 2, 0, 1, 2, 0]


def test_a_sleeping_board_is_woken_only_for_the_next_picture() -> None:
    table = Table().wait(121.0)
    wake_ns = next_wake_ns(table.dialogue)
    assert wake_ns is not None
    assert wake_ns == 1_000 * SECOND + 126 * SECOND


@pytest.mark.parametrize("phase", [*BETWEEN, *IN_PLAY])
@pytest.mark.parametrize(
    ("place", "key"), [("referee", "ok"), ("N", "fix"), ("page", "undo"), ("referee", "foul")]
)
def test_the_press_that_wakes_the_board_does_nothing_else(
    phase: Phase, place: str, key: str
) -> None:
    table = asleep(phase)
    before, noted = table.dialogue, len(table.records)
    table.press(place, key)
    assert table.view.attract is None
    assert table.phase is phase
    now = table.dialogue
    assert (now.game, now.menu, now.proposal, now.plan) == (
        before.game, before.menu, before.proposal, before.plan,
    )  # fmt: skip
    assert table.kinds(noted) == [EntryKind.SWALLOWED]
    assert table.last(EntryKind.SWALLOWED)["why"] == "only woke the board"
    assert Sound.REFUSED not in table.sounds
    check_all(table)


@pytest.mark.parametrize("seconds", [0.06, 1.5])
def test_a_hold_or_two_buttons_together_wake_the_board_and_do_nothing_else(seconds: float) -> None:
    table = asleep(Phase.REVIEW)
    entries = table.entries
    table.hold("referee", "ok", seconds).wait(1.0).must_be(Phase.REVIEW)
    assert table.view.hold is None
    table = asleep(Phase.READY)
    table.down("N", "ok").wait(0.02).down("N", "fix").wait(seconds)
    assert table.view.hold is None, "no bar grows for a press that only wakes"
    table.up("N", "ok").up("N", "fix").must_be(Phase.READY)
    assert table.entries == entries == []
    assert table.dialogue.menu is None


def test_a_page_that_sends_a_whole_press_wakes_the_board_too() -> None:
    table = asleep(Phase.READY).short("ok").must_be(Phase.READY)
    assert table.view.attract is None
    assert table.entries == []


def test_the_next_press_counts_as_always() -> None:
    table = asleep(Phase.READY).ok("N").wait(0.5).ok("N")
    assert table.entries == ["N -"]


def test_a_fall_wakes_the_board_and_counts_as_always() -> None:
    table = asleep(Phase.READY).fall("NE").must_be(Phase.FALLING)
    assert table.view.attract is None
    table = asleep(Phase.REVIEW).fall("SW").wait(2.0)
    assert (table.view.attract, table.view.waiting) == (None, 1)
    table = asleep(Phase.SETUP).fall("SW", 12.0)
    assert str(table.view.detail) == "SW sees 12 ms"


def test_while_it_sleeps_the_board_says_what_a_press_does() -> None:
    table = asleep(Phase.READY)
    assert (str(table.view.ok), str(table.view.fix)) == ("wake up", "wake up")
    assert not table.view.lamps


def test_a_fault_is_shown_over_the_picture_and_wakes_nobody() -> None:
    table = asleep(Phase.READY)
    table.fault(FaultRaised(table.now_ns, "oled", Trouble.GONE))
    assert table.view.attract is not None
    assert table.view.faults
    table.fault(FaultCleared(table.now_ns, "oled", Trouble.GONE))
    assert table.view.attract is not None


def test_no_picture_comes_while_a_clock_runs_down() -> None:
    table = Table(options={"time_limit_s": 900}).started("N").wait(880.0)
    assert table.view.attract is None
    table.wait(700.0)
    assert table.view.attract is not None, "0:00 is past, and nobody came"


def test_pictures_never_come_where_the_owner_wants_none() -> None:
    table = Table(dialogue_settings=DialogueSettings(attract_ns=0)).wait(10_000.0)
    assert table.view.attract is None
    assert next_wake_ns(table.dialogue) is None


def test_a_board_that_slept_through_a_power_cut_is_awake_afterwards() -> None:
    table = asleep(Phase.REVIEW).restart().must_be(Phase.REVIEW)
    assert table.view.attract is None
    table.wait(610.0)
    assert table.view.attract is not None


@pytest.mark.parametrize(
    ("phase", "place"),
    thinned(
        product((each for each in Phase if each is not Phase.SETUP), ("referee", "N", "page")),
        {(each, "N" if at % 2 else "referee") for at, each in enumerate(Phase)}
        | {(Phase.REVIEW, "page")},
    ),
)
def test_an_abandoned_match_is_ended_unfinished_from_the_menu(phase: Phase, place: str) -> None:
    table = in_phase(phase).wait(3.1).wait(3_600.0)
    table.press(place, "ok").calm().hold(place, "fix").wait(0.5)
    if table.phase is Phase.REVIEW:
        table.pick("menu", by=place).wait(1.0)
    table.pick("end this match", by=place, held=True).must_be(Phase.SETUP)
    assert table.last(EntryKind.SHELVE)["why"] == "ended from the menu"
    check_all(table)


def test_an_abandoned_match_that_waits_for_a_glance_is_ended_too() -> None:
    table = in_phase(Phase.READY).restart().must_be(Phase.PAUSED).wait(3_600.0).ok("N").calm()
    table.hold("N", "fix").wait(0.5).pick("end this match", by="N", held=True)
    table.must_be(Phase.SETUP)
