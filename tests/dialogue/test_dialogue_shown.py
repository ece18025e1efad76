"""The page on how people and the board talk, sentence by sentence: sounds and displays.

What each display does with it is tested with the displays; this file tests what reaches them all.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackspot.core.pieces import Side
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.displays.oled.layout import draw
from tests.dialogue.in_phase import IN_PHASE, in_falling, in_ready, in_review
from tests.dialogue.playing import Table

# --- sounds ----------------------------------------------------------------------------


def heard(table: Table, act: Callable[[Table], object]) -> list[Sound]:
    """Return the sounds made while somebody does something."""
    before = len(table.sounds)
    act(table)
    return table.sounds[before:]


def test_a_tick_for_a_fall() -> None:
    assert heard(in_ready(), lambda table: table.fall("NE")) == [Sound.TICK]


def test_a_rising_pair_for_shoot_again() -> None:
    assert heard(in_review(), lambda table: table.ok("N")) == [Sound.AGAIN]


def test_a_falling_pair_for_turn_passes() -> None:
    assert heard(in_ready(), lambda table: table.ok("N")) == [Sound.PASS]


def test_two_low_notes_for_a_foul() -> None:
    table = in_ready().foul().wait(0.5)
    assert heard(table, lambda table: table.ok("referee")) == [Sound.FOUL]
    assert table.view.last is not None
    assert table.view.last.foul


def test_a_striker_that_the_rules_punish_is_shown_as_a_foul_and_a_miss_is_not() -> None:
    table = in_ready().ok("N")
    assert table.view.last is not None
    assert not table.view.last.foul
    table.calm().review("NE").choose("STRIKER NE").wait(0.5).ok("referee")
    assert table.view.last.foul


@pytest.mark.parametrize(("left_s", "sound"), [(60, Sound.MINUTE), (10, Sound.TEN_SECONDS)])
def test_a_warning_at_one_minute_and_at_ten_seconds(left_s: int, sound: Sound) -> None:
    table = Table(options={"time_limit_s": 120}).started("N")
    table.wait(120 - left_s - 4.0)
    assert heard(table, lambda table: table.wait(2.0)) == [sound]


def test_a_horn_at_time() -> None:
    table = Table(options={"time_limit_s": 20}).started("N").wait(16.0)
    assert heard(table, lambda table: table.wait(2.0)) == [Sound.HORN]


def test_volume_and_silence_are_settings() -> None:
    table = Table().wait(1.0).hold("N", "fix").wait(1.0).pick("the board itself", "N")
    for _ in range(6):
        if "silent" in table.items:
            break
        table.pick("volume", "N")
    assert table.view.preferences.volume == 0


# --- on every display ------------------------------------------------------------------


def test_red_and_green_are_told_apart_without_colour_by_letters_and_sides() -> None:
    first, second = in_ready().view.sides
    assert (first.side, first.seats) == (Side.RED, ("N",))
    assert (second.side, second.seats) == (Side.GREEN, ("S",))


def test_what_is_confirmed_and_what_is_only_proposed_stand_apart() -> None:
    table = in_falling()
    assert (table.counts, table.proposed) == ((0, 0), "RED NE")
    table.ok("N")
    assert table.counts == (1, 0)
    assert table.view.proposal is None


@pytest.mark.parametrize("phase", list(Phase))
def test_what_to_do_next_is_always_on_the_display_in_words(phase: Phase) -> None:
    view = IN_PHASE[phase]().view
    said = [str(view.headline), str(view.ok)]
    assert all(said), said
    drawn = draw(view, lambda text: text).convert("1").tobytes()
    assert drawn != draw(view, lambda _text: "").convert("1").tobytes(), "the words are drawn"


@pytest.mark.parametrize("what", ["menu", "editing", "asleep", "free play", "power was off"])
def test_what_to_do_next_is_said_where_something_lies_over_a_phase_too(what: str) -> None:
    makers: dict[str, Callable[[], Table]] = {
        "menu": lambda: in_ready().hold("N", "fix"),
        "editing": lambda: in_review().hold("N", "fix"),
        "asleep": lambda: in_ready().wait(700.0),
        "free play": lambda: Table().wait(1.0).hold("N", "fix").wait(1.0).pick("free play", "N"),
        "power was off": lambda: in_ready().restart(),
    }
    view = makers[what]().view
    assert str(view.ok)
    assert str(view.fix)
