"""What fingers do to buttons, sentence by sentence."""

from __future__ import annotations

import pytest

from jackspot.sensing.events import (
    Button,
    ButtonDown,
    ButtonUp,
    Gesture,
    Key,
    Place,
    Press,
    Trouble,
)
from jackspot.sensing.limits import MS, Limits
from jackspot.sensing.pages import PageButtonState
from tests.sensing.signal_player import (
    N_FIX,
    N_OK,
    N_UNDO,
    PAGE_OK,
    POOR,
    REFEREE,
    SEAT,
    Input,
    faults,
    in_time,
    ms,
    play,
    pressed,
    presses,
    start,
)

SHORT, HOLD = Gesture.SHORT, Gesture.HOLD


def press(at: float, down: float, button: Button, gesture: Gesture = SHORT) -> Press:
    return Press(round(at * MS), round(down * MS), button, gesture)


def test_a_short_press_fires_when_the_button_is_let_go():
    signals, events = play(start(N_OK), [ms(100, N_OK, True)], until_ms=400)
    assert events == [ButtonDown(100 * MS, N_OK)]
    _, events = play(signals, [ms(400, N_OK, False)])
    assert events == [press(400, 100, N_OK), ButtonUp(400 * MS, N_OK)]


def test_a_hold_fires_once_at_one_second_while_the_button_is_still_down():
    signals, events = play(start(N_OK), [ms(0, N_OK, True)], until_ms=5000)
    assert events == [ButtonDown(0, N_OK), press(1000, 0, N_OK, HOLD)]
    _, events = play(signals, [ms(5000, N_OK, False)])
    assert events == [ButtonUp(5000 * MS, N_OK)], "the hold cancelled the short press"


def test_a_button_let_go_just_before_the_second_is_short_and_at_the_second_is_held():
    _, events = play(start(N_OK), pressed(N_OK, (0, 999.999999)))
    assert [p.gesture for p in presses(events)] == [SHORT]
    _, events = play(start(N_OK), pressed(N_OK, (0, 1000)))
    assert [p.gesture for p in presses(events)] == [HOLD]


@pytest.mark.parametrize("key", list(Key))
def test_each_button_of_the_referees_box_means_itself_let_go_or_held(key):
    button = Button(Place.REFEREE, key)
    _, events = play(start(*REFEREE), pressed(button, (0, 200), (1000, 2500)))
    assert presses(events) == [press(200, 0, button), press(2000, 1000, button, HOLD)]


def test_every_press_names_the_instant_its_button_went_down():
    inputs = in_time(pressed(N_OK, (0, 200), (900, 1300)), pressed(N_FIX, (1000, 1400)))
    _, events = play(start(*SEAT), inputs)
    downs = {e.at_ns for e in events if isinstance(e, ButtonDown)}
    assert presses(events) == [press(200, 0, N_OK), press(1400, 1000, N_UNDO)]
    assert {p.down_ns for p in presses(events)} <= downs


# bounce


def test_a_press_counts_from_its_first_edge_however_it_bounces():
    bounce = pressed(N_OK, (0, 0.4), (1, 1.3), (2, 50), (51, 52), (53, 54))
    _, events = play(start(N_OK), bounce)
    assert events == [ButtonDown(0, N_OK), press(54, 0, N_OK), ButtonUp(54 * MS, N_OK)]


def test_a_bounce_at_the_second_does_not_cost_the_hold():
    _, events = play(start(N_OK), pressed(N_OK, (0, 998), (1003, 1500)))
    assert presses(events) == [press(1000, 0, N_OK, HOLD)]


def test_presses_thirty_milliseconds_apart_are_two():
    _, events = play(start(N_OK), pressed(N_OK, (0, 30), (60, 90)))
    assert presses(events) == [press(30, 0, N_OK), press(90, 60, N_OK)]


def test_a_tap_shorter_than_the_debounce_time_is_a_press():
    _, events = play(start(N_OK), pressed(N_OK, (0, 5)))
    assert presses(events) == [press(5, 0, N_OK)]


def test_a_spike_shorter_than_two_milliseconds_is_no_press():
    assert play(start(N_OK), pressed(N_OK, (0, 1.9), (100, 100.01)))[1] == []


# chords


def test_ok_and_fix_of_one_seat_let_go_together_are_undo():
    inputs = in_time(pressed(N_OK, (0, 300)), pressed(N_FIX, (50, 320)))
    _, events = play(start(*SEAT), inputs)
    assert presses(events) == [press(320, 50, N_UNDO)]


def test_the_order_of_the_two_buttons_of_a_chord_does_not_matter():
    inputs = in_time(pressed(N_FIX, (0, 400)), pressed(N_OK, (50, 320)))
    assert presses(play(start(*SEAT), inputs)[1]) == [press(400, 50, N_UNDO)]


def test_ok_and_fix_of_one_seat_held_together_are_a_held_undo_once():
    inputs = in_time(pressed(N_OK, (0, 2300)), pressed(N_FIX, (50, 2320)))
    _, events = play(start(*SEAT), inputs)
    assert presses(events) == [press(1050, 50, N_UNDO, HOLD)]


def test_a_chord_cancels_the_short_press_of_both_its_buttons():
    inputs = in_time(pressed(N_OK, (0, 500)), pressed(N_FIX, (400, 600)))
    keys = {p.button.key for p in presses(play(start(*SEAT), inputs)[1])}
    assert keys == {Key.UNDO}


def test_fingers_that_roll_before_both_are_up_make_one_chord():
    inputs = in_time(pressed(N_OK, (0, 600)), pressed(N_FIX, (100, 200), (300, 400)))
    assert presses(play(start(*SEAT), inputs)[1]) == [press(600, 100, N_UNDO)]


def test_a_chord_that_one_finger_has_left_is_not_held_by_the_other():
    inputs = in_time(pressed(N_OK, (0, 3000)), pressed(N_FIX, (100, 200)))
    assert presses(play(start(*SEAT), inputs)[1]) == [press(3000, 100, N_UNDO)]


def test_a_button_that_has_fired_its_hold_makes_no_chord_any_more():
    inputs = in_time(pressed(N_OK, (0, 2000)), pressed(N_FIX, (1500, 1700)))
    _, events = play(start(*SEAT), inputs)
    assert presses(events) == [press(1000, 0, N_OK, HOLD), press(1700, 1500, N_FIX)]


def test_buttons_that_were_never_down_at_the_same_time_are_two_presses():
    inputs = in_time(pressed(N_OK, (0, 100)), pressed(N_FIX, (101, 200)))
    _, events = play(start(*SEAT), inputs)
    assert presses(events) == [press(100, 0, N_OK), press(200, 101, N_FIX)]


def test_ok_and_fix_of_two_seats_are_no_chord():
    e_fix = Button(Place.E, Key.FIX)
    wires = (*SEAT, Button(Place.E, Key.OK), e_fix)
    inputs = in_time(pressed(N_OK, (0, 300)), pressed(e_fix, (50, 320)))
    assert presses(play(start(*wires), inputs)[1]) == [
        press(300, 0, N_OK),
        press(320, 50, e_fix),
    ]


def test_where_an_undo_exists_ok_and_fix_together_are_each_themselves():
    ok, fix = Button(Place.REFEREE, Key.OK), Button(Place.REFEREE, Key.FIX)
    inputs = in_time(pressed(ok, (0, 300)), pressed(fix, (50, 320)))
    assert presses(play(start(*REFEREE), inputs)[1]) == [press(300, 0, ok), press(320, 50, fix)]


# a board without FIX


def test_without_fix_undo_let_go_is_fix():
    _, events = play(start(*POOR), pressed(N_UNDO, (0, 300)))
    assert presses(events) == [press(300, 0, N_FIX)]


def test_without_fix_undo_held_is_undo_once():
    _, events = play(start(*POOR), pressed(N_UNDO, (0, 3000)))
    assert presses(events) == [press(1000, 0, N_UNDO)]


def test_without_fix_ok_and_undo_held_together_are_the_menu():
    inputs = in_time(pressed(N_OK, (0, 1300)), pressed(N_UNDO, (100, 1400)))
    assert presses(play(start(*POOR), inputs)[1]) == [press(1100, 100, N_FIX, HOLD)]


def test_without_fix_ok_and_undo_let_go_before_the_second_are_nothing():
    inputs = in_time(pressed(N_OK, (0, 900)), pressed(N_UNDO, (100, 950)))
    assert presses(play(start(*POOR), inputs)[1]) == []


def test_without_fix_ok_keeps_both_its_gestures():
    _, events = play(start(*POOR), pressed(N_OK, (0, 300), (1000, 2500)))
    assert presses(events) == [press(300, 0, N_OK), press(2000, 1000, N_OK, HOLD)]


# stuck


def test_a_button_that_is_down_at_the_start_is_ignored_and_named_until_it_comes_up():
    signals, events = play(start(N_OK, active=[N_OK]), [], until_ms=5000)
    assert [(f.part, f.trouble) for f in faults(events)] == [("seat_n_ok", Trouble.STUCK)]
    signals, after = play(signals, pressed(N_OK, (5000, 5000))[1:])
    assert [type(f).__name__ for f in faults(after)] == ["FaultCleared"]
    assert presses(events) == presses(after) == []
    assert presses(play(signals, pressed(N_OK, (6000, 6100)))[1]) == [press(6100, 6000, N_OK)]


def test_an_active_edge_stamped_at_the_start_is_a_button_that_was_down_already():
    signals = start(N_OK)
    _, events = play(signals, [ms(-1e-6, N_OK, True), ms(300, N_OK, False)])
    assert presses(events) == []
    assert [f.trouble for f in faults(events)] == [Trouble.STUCK, Trouble.STUCK]


def test_a_button_that_stays_down_for_a_minute_is_ignored_and_named():
    _, events = play(start(N_OK), pressed(N_OK, (0, 61_000), (70_000, 70_100)))
    assert [(f.at_ns // MS, type(f).__name__) for f in faults(events)] == [
        (60_000, "FaultRaised"),
        (61_000, "FaultCleared"),
    ]
    assert presses(events) == [press(1000, 0, N_OK, HOLD), press(70_100, 70_000, N_OK)]


def test_a_stuck_button_leaves_the_other_one_of_its_seat_working():
    signals, _ = play(start(*SEAT, active=[N_OK]), [], until_ms=100)
    assert presses(play(signals, pressed(N_FIX, (200, 300)), until_ms=900)[1]) == [
        press(300, 200, N_FIX)
    ]


# chatter


def test_a_button_that_storms_is_named_and_silent_until_it_has_been_quiet():
    storm = [ms(i * 0.5, N_OK, i % 2 == 0) for i in range(2000)]
    signals, events = play(start(N_OK), storm)
    assert [(f.trouble, type(f).__name__) for f in faults(events)] == [
        (Trouble.CHATTER, "FaultRaised"),
        (Trouble.CHATTER, "FaultCleared"),
    ]
    assert presses(events) == []
    assert presses(play(signals, pressed(N_OK, (9000, 9100)))[1]) == [press(9100, 9000, N_OK)]


def test_a_button_left_down_by_a_storm_is_stuck_until_it_comes_up():
    storm = [ms(i * 0.5, N_OK, i % 2 == 0) for i in range(2001)]
    signals, events = play(start(N_OK), storm)
    assert [f.trouble for f in faults(events)] == [
        Trouble.CHATTER,
        Trouble.CHATTER,
        Trouble.STUCK,
    ]
    assert presses(play(signals, [ms(9000, N_OK, False)])[1]) == []


def test_a_storm_on_one_button_of_a_chord_costs_the_chord_and_fires_nothing():
    rattle = [ms(300 + i * 0.5, N_OK, i % 2 == 1) for i in range(400)]
    inputs = in_time([ms(0, N_OK, True)], pressed(N_FIX, (100, 600)), rattle)
    assert presses(play(start(*SEAT), inputs)[1]) == []


def test_a_finger_as_fast_as_fingers_are_is_no_storm():
    taps: list[tuple[float, float]] = []
    for i in range(120):  # ten taps a second for twelve seconds, each bouncing twice
        taps += [(i * 100, i * 100 + 0.3), (i * 100 + 1, i * 100 + 50)]
        taps += [(i * 100 + 51, i * 100 + 52)]
    _, events = play(start(N_OK), pressed(N_OK, *taps))
    assert len(presses(events)) == 120
    assert faults(events) == []


# pages


def test_a_press_on_a_page_keeps_the_ask_it_answers():
    inputs: list[Input] = [ButtonDown(0, PAGE_OK, ask=7), ButtonUp(200 * MS, PAGE_OK, ask=7)]
    _, events = play(start(), inputs)
    assert events == [inputs[0], Press(200 * MS, 0, PAGE_OK, SHORT, ask=7), inputs[1]]


def test_a_button_of_a_page_is_held_as_one_on_a_wire_is():
    inputs: list[Input] = [ButtonDown(0, PAGE_OK, ask=7), ButtonUp(2000 * MS, PAGE_OK, ask=7)]
    assert presses(play(start(), inputs)[1]) == [Press(1000 * MS, 0, PAGE_OK, HOLD, ask=7)]


def test_a_hold_on_a_page_counts_while_the_finger_is_still_down():
    inputs: list[Input] = [ButtonDown(0, PAGE_OK, ask=7)]
    _, events = play(start(), inputs, until_ms=1_500)
    assert events == [inputs[0], Press(1000 * MS, 0, PAGE_OK, HOLD, ask=7)]


def test_two_people_on_pages_press_the_same_button_at_once_and_both_count():
    inputs: list[Input] = [
        ButtonDown(0, PAGE_OK, ask=7),
        ButtonDown(100 * MS, PAGE_OK, ask=8),
        ButtonUp(200 * MS, PAGE_OK, ask=8),
        ButtonUp(1500 * MS, PAGE_OK, ask=7),
    ]
    assert presses(play(start(), inputs)[1]) == [
        Press(200 * MS, 100 * MS, PAGE_OK, SHORT, ask=8),
        Press(1000 * MS, 0, PAGE_OK, HOLD, ask=7),
    ]


def test_ok_and_fix_together_on_pages_may_be_two_people_and_are_no_chord():
    page_fix = Button(Place.PAGE, Key.FIX)
    inputs: list[Input] = [
        ButtonDown(0, PAGE_OK),
        ButtonDown(10 * MS, page_fix),
        ButtonUp(200 * MS, PAGE_OK),
        ButtonUp(210 * MS, page_fix),
    ]
    assert [p.button for p in presses(play(start(), inputs)[1])] == [PAGE_OK, page_fix]


def test_a_page_that_vanishes_with_a_finger_down_is_forgotten_after_a_minute():
    signals, events = play(start(), [ButtonDown(0, PAGE_OK, ask=7)])
    assert signals.next_wake_ns() is None
    assert events[-1] == ButtonUp(60_000 * MS, PAGE_OK, ask=7)
    assert faults(events) == []


def test_a_page_that_never_lets_go_cannot_fill_the_memory():
    signals, _ = play(start(), [ButtonDown(i, PAGE_OK, ask=i) for i in range(10_000)], until_ms=1)
    fingers = [len(unit.fingers) for unit in signals.units if isinstance(unit, PageButtonState)]
    assert max(fingers) == 16


def test_an_up_on_a_page_without_a_down_is_nothing():
    assert play(start(), [ButtonUp(0, PAGE_OK, ask=1)])[1] == []


def test_a_ready_made_down_of_a_button_with_a_wire_is_refused():
    with pytest.raises(ValueError, match="seat_n_ok"):
        start(N_OK).step(ButtonDown(0, N_OK))


# limits


def test_the_hold_is_what_the_limits_say():
    signals = start(N_OK, limits=Limits(hold_ns=500 * MS))
    assert presses(play(signals, pressed(N_OK, (0, 600)))[1]) == [press(500, 0, N_OK, HOLD)]


def test_an_edge_of_a_wire_the_board_does_not_have_is_ignored():
    assert play(start(N_OK), pressed(N_FIX, (0, 100)))[1] == []
