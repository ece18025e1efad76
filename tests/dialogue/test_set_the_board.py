"""The board itself in its menu: language, light and sound, calibration, shutdown, sensor test."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Pocket
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase, PreferencesView
from jackspot.sensing.events import Button, Key, Place
from jackspot.values import changed
from tests.dialogue.dialogue_checks import check_a_restart
from tests.dialogue.playing import Table
from tests.dialogue.set_up_menu import PREFERENCES, labels, preferences


def test_language_brightness_and_volume_are_set_and_shown() -> None:
    table = preferences()
    assert labels(table, "language", 3) == [
        "language English", "language Deutsch", "language 日本語",
    ]  # fmt: skip
    assert labels(table, "brightness", 5)[:2] == ["brightness 100 %", "brightness 75 %"]
    assert labels(table, "volume", 2) == ["volume 50 %", "volume 25 %"]
    assert table.items[2] == "silent"
    assert table.view.preferences == PreferencesView("en", 100, 0)
    table.pick("silent", by="N").pick("language", by="N")
    assert table.view.preferences == PreferencesView("de", 100, 100)


def test_what_is_set_of_the_board_outlasts_a_power_cut_and_a_new_match() -> None:
    table = preferences().pick("language", by="N").pick("volume", by="N").pick("back", by="N")
    table.pick("close", by="N").calm().ok("N").must_be(Phase.READY)
    table.hold("N", "fix").wait(1.0).pick("end this match", by="N", held=True)
    table.must_be(Phase.SETUP)
    assert table.view.preferences == PreferencesView("de", 100, 25)
    table.restart()
    assert table.view.preferences == PreferencesView("de", 100, 25)


def test_a_value_that_the_configuration_changed_wins_over_what_was_set() -> None:
    table = preferences().pick("language", by="N").pick("volume", by="N")
    table.dialogue_settings = changed(
        table.dialogue_settings, preferences=PreferencesView("ja", 100, 50)
    )
    table.restart()
    assert table.view.preferences == PreferencesView("ja", 100, 25)


def test_the_board_itself_can_be_set_during_a_match() -> None:
    table = (
        Table(dialogue_settings=DialogueSettings(preferences=PREFERENCES))
        .started("N")
        .hold("referee", "fix")
        .wait(1.0)
    )
    table.pick("the board itself")
    assert "sensor test" not in table.items, "what falls now is a stroke"
    table.pick("volume 50 %")
    assert table.view.preferences.volume == 25
    table.pick("back").pick("close").must_be(Phase.READY)


def test_a_board_that_can_be_calibrated_offers_it_and_wants_ok_held() -> None:
    table = (
        Table(dialogue_settings=DialogueSettings(calibrates=True)).hold("referee", "fix").wait(1.0)
    )
    table.pick("the board itself").pick("calibration")
    assert EntryKind.CALIBRATION not in table.kinds()
    table.wait(1.0).hold("referee", "ok")
    assert table.kinds()[-2:] == [EntryKind.CALIBRATION, EntryKind.DESK]
    table.restart().must_be(Phase.SETUP)


def test_a_calibration_is_not_offered_while_a_fall_would_be_a_stroke_nor_where_it_cannot_be() -> (
    None
):
    table = (
        Table(dialogue_settings=DialogueSettings(calibrates=True))
        .started("N")
        .hold("referee", "fix")
        .wait(1.0)
    )
    assert "calibration" not in table.pick("the board itself").items
    table = Table().hold("referee", "fix").wait(1.0)
    assert "calibration" not in table.pick("the board itself").items


def test_safe_shutdown_wants_ok_held_and_is_written_down() -> None:
    table = Table(options={"time_limit_s": 300}).started("N").hold("referee", "fix").wait(1.0)
    table.pick("the board itself").pick("safe shutdown")
    assert EntryKind.SHUTDOWN not in table.kinds()
    used_ns = table.wait(1.0).game.clock.used_at(table.now_ns)
    table.hold("referee", "ok")
    assert table.kinds()[-2:] == [EntryKind.SHUTDOWN, EntryKind.DESK]
    table.restart().must_be(Phase.PAUSED)
    assert not table.game.clock.running
    assert table.game.clock.used_ns > used_ns, "up to the press"
    table.ok("referee").must_be(Phase.READY)


def test_a_board_that_cannot_shut_down_goes_on_with_its_clock_and_what_fell_meanwhile() -> None:
    """The disk cannot be written: the program lets the board stay on."""
    table = Table(options={"time_limit_s": 600}).started("N").hold("referee", "fix").wait(1.0)
    table.pick("the board itself").wait(1.0).fall("NW").wait(2.0)
    table.pick("safe shutdown", held=True).calm().must_be(Phase.REVIEW)
    assert (table.view.waiting, table.view.clock.running) == (0, True)
    check_a_restart(table)


# --- the sensor test -------------------------------------------------------------------


def sensors() -> Table:
    return preferences().pick("sensor test", by="N")


def test_the_sensor_test_shows_each_beam_live_and_the_last_width() -> None:
    table = sensors()
    assert table.items == ["back", "NW -, NE -", "SW -, SE -", "press any button"]
    table.fall("SE", 9.0).wait(0.1).fall("NW", 14.0).wait(0.1)
    assert table.items[1:3] == ["NW 14 ms, NE -", "SW -, SE 9 ms"]
    table.edge(next(each for each in table.wires if each == "SW"), True).wait(0.5)
    assert table.items[2] == "SW broken, SE 9 ms"
    table.undo("N").hold("N", "fix").wait(1.0).pick("the board itself", by="N")
    assert table.pick("sensor test", by="N").items[1] == "NW -, NE -", "a new test begins afresh"


def test_the_sensor_test_shows_which_button_was_pressed_and_it_does_nothing_else() -> None:
    table = sensors()
    before = table.dialogue.plan
    assert table.items[3] == "press any button"
    table.fix("E")
    assert table.items[3] == "button E FIX"
    assert table.last(EntryKind.SWALLOWED)["wire"] == "seat_e_fix"
    table.fix("N")
    assert table.items[3] == "button N FIX"
    assert (table.dialogue.plan, table.phase) == (before, Phase.SETUP)


def test_trying_sensors_keeps_the_test_open_and_idle_hands_close_it() -> None:
    table = sensors()
    for _ in range(4):
        table.wait(12.0).fall("NE")
    table.wait(12.0).ok("E").wait(12.0)
    assert table.view.menu is not None
    table.wait(21.0)
    assert table.view.menu is None


@pytest.mark.parametrize("leave", ["undo", "back", "held"])
def test_the_sensor_test_is_left_at_the_place_that_opened_it(leave: str) -> None:
    table = sensors().fix("N", times=2)
    if leave == "undo":
        table.undo("N")
    elif leave == "held":
        table.hold("N", "fix")
    else:
        table.pick("back", by="N")
        assert table.item == "language English"
        return
    assert table.view.menu is None


def test_a_place_with_ok_alone_locks_nobody_into_the_sensor_test() -> None:
    """Its list is open again after a power cut, and then anybody's OK opens the chosen line."""
    places = [("N", "ok"), ("N", "fix"), ("S", "ok"), ("referee", "ok"), ("referee", "undo")]
    wired = [*Pocket, *(Button(Place(place), Key(key)) for place, key in places)]
    table = Table(dialogue_settings=DialogueSettings(preferences=PREFERENCES), wired=wired)
    table.hold("N", "fix").wait(1.0).pick("the board itself", by="N")
    while table.item != "sensor test":
        table.fix("N")
    table.restart(reboot=True).wait(1.0)
    assert table.ok("S").wait(4.0).item == "back", "the sensor test is open"
    table.hold("N", "fix").wait(0.5)
    assert table.view.menu is None


def test_falls_of_the_sensor_test_belong_to_no_stroke() -> None:
    table = (
        Table(dialogue_settings=DialogueSettings(preferences=PREFERENCES))
        .started("N")
        .hold("referee", "fix")
        .wait(1.0)
    )
    table.pick("draw", held=True).must_be(Phase.MATCH_OVER).wait(6.0)
    table.hold("referee", "fix").wait(1.0).pick("the board itself").pick("sensor test")
    table.fall("NE", 9.0).wait(0.1)
    assert table.items[1] == "NW -, NE 9 ms"
    assert table.last(EntryKind.CLEARING)["falls"] == [1]
    assert table.entries == ["! draw"]
