"""The page on how people and the board talk, sentence by sentence: buttons, presses, who may.

Each test is one sentence, in order, and as short as is readable. Longer stories about the same
things are in the files named after them (``test_presses``, ``test_any_buttons``, ...).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackspot.core.pieces import Pocket
from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.sensing.events import Button, Key, Place
from jackspot.settings.mistakes import ConfigError
from tests.dialogue.playing import Table
from tests.dialogue.test_any_buttons import configured, named


def swallowed(table: Table) -> str:
    """Return why the last press did nothing, as journaled and shown, with a low beep."""
    assert table.sounds[-1] is Sound.REFUSED
    assert str(table.view.detail) == table.last(EntryKind.SWALLOWED)["why"]
    return str(table.view.detail)


def deciding(confirm: Confirm, lineup: str = "NS") -> Table:
    """A match in which ``confirm`` says who decides."""
    return Table(dialogue_settings=DialogueSettings(confirm=confirm), lineup=lineup).started(
        "referee"
    )


# --- who has what ----------------------------------------------------------------------


@pytest.mark.parametrize("seat", ["N", "E", "S", "W"])
def test_each_seat_has_ok_done_yes_and_fix_no_the_next_one(seat: str) -> None:
    table = Table(box=False, lineup="NESW").started("N").review("NE").wait(0.5)
    table.fix(seat).wait(0.5)
    assert table.proposed == "GREEN NE"
    table.ok(seat).must_be(Phase.READY)
    assert table.entries == ["N green@NE"]


@pytest.mark.parametrize("seat", ["N", "S"])
def test_the_turn_lamp_of_the_seat_that_shoots_is_lit(seat: str) -> None:
    table = Table().started(seat)
    assert [lamp.value for lamp in table.view.lamps] == [seat]


def test_the_referees_box_has_ok_fix_foul_off_and_undo() -> None:
    table = Table("").started("referee").review("NE").wait(0.5).fix("referee").foul().off()
    assert table.proposed == "foul, GREEN NE, STRIKER off"
    table.wait(0.5).ok("referee").calm().undo().must_be(Phase.REVIEW)
    assert table.entries == []


@pytest.mark.parametrize(
    ("board", "by"),
    [
        (lambda: Table("", page=False), "referee"),
        (lambda: Table(box=False, page=False), "N"),
        (lambda: Table("", box=False), "page"),
    ],
    ids=["only the box", "only seat buttons", "only the page"],
)
def test_a_board_with_only_one_of_them_works(board: Callable[[], Table], by: str) -> None:
    playing = board().started(by).shot("GREEN NE", "NE", by=by).miss(by)
    playing.hold(by, "fix").wait(1.0).pick("end this match", by=by, held=True)
    assert playing.must_be(Phase.SETUP).kinds().count(EntryKind.LINE) == 2


def test_with_seat_buttons_alone_ok_and_fix_of_one_seat_held_together_are_undo() -> None:
    table = Table("NS", box=False).started("N").miss("N")
    table.down("S", "ok").wait(0.05).down("S", "fix").wait(1.5).up("S", "ok").up("S", "fix")
    assert table.kinds().count(EntryKind.UNDO) == 1
    assert table.entries == []


def test_with_no_fix_at_all_undo_let_go_is_fix() -> None:
    table = Table("N", box=False, fix=False).started("N").review("NE").wait(0.5)
    table.press("N", "undo")
    assert table.proposed == "GREEN NE"


def test_with_no_fix_at_all_undo_held_is_undo() -> None:
    table = Table("N", box=False, fix=False).started("N").miss("N").hold("N", "undo")
    assert table.entries == []


def test_with_no_fix_at_all_ok_and_undo_held_together_are_the_menu() -> None:
    table = Table("N", box=False, fix=False).started("N")
    table.down("N", "ok").wait(0.05).down("N", "undo").wait(1.1)
    assert str(table.view.menu and table.view.menu.title) == "menu"


def test_fewer_than_two_buttons_and_no_page_is_refused_by_the_config() -> None:
    with pytest.raises(ConfigError):
        configured(named("seat_n_ok"))
    configured(named("seat_n_ok seat_n_fix"))


# --- how a press counts ----------------------------------------------------------------


def test_short_actions_fire_when_the_button_is_let_go() -> None:
    table = Table().started("N").down("N", "ok").wait(0.3)
    assert table.entries == []
    assert table.up("N", "ok").entries == ["N -"]


def test_a_hold_fires_once_at_one_second() -> None:
    table = Table().started("N").down("N", "fix").wait(0.95)
    assert table.view.menu is None
    table.wait(0.1)
    assert table.item == "foul"
    assert table.wait(3.0).up("N", "fix").item == "foul"


def test_from_a_fifth_of_a_second_a_bar_grows() -> None:
    table = Table().started("N").down("N", "fix").wait(0.19)
    assert table.view.hold is None
    grown = [hold.progress for hold in (table.wait(0.3).view.hold for _ in (1, 2)) if hold]
    assert grown == pytest.approx([0.49, 0.79])


def test_a_hold_cancels_the_short_action() -> None:
    table = Table().started("N").hold("N", "fix", 1.5).must_be(Phase.READY)
    assert table.item == "foul", "the menu, and no entry by hand beneath it"


def test_a_chord_cancels_the_short_actions() -> None:
    table = Table("NS", box=False).started("N").miss("N").chord("S").must_be(Phase.READY)
    assert (table.entries, table.dialogue.proposal) == ([], None)


def test_a_press_means_what_was_asked_when_it_went_down() -> None:
    table = Table().started("N").down("N", "ok").fall("NE").wait(0.6).up("N", "ok")
    assert table.must_be(Phase.FALLING).entries == []


def test_if_what_it_answered_has_ended_it_does_nothing_but_a_low_beep() -> None:
    table = Table().started("N").review("NE").wait(0.5).down("S", "ok").ok("N").up("S", "ok")
    assert swallowed(table) == "already settled"
    assert table.entries == ["N red@NE"]


@pytest.mark.parametrize("changed_by", ["another hand", "a sensor"])
def test_if_it_was_changed_less_than_0_4_s_before_it_does_nothing(changed_by: str) -> None:
    table = Table().started("N").fall("NE").wait(1.2)
    if changed_by == "a sensor":
        table.fall("SE").wait(0.3).ok("N").must_be(Phase.FALLING)
    else:
        table.fix("S").wait(0.3).ok("N").must_be(Phase.REVIEW)
    assert swallowed(table) == "it just changed"
    assert table.wait(0.3).ok("N").entries


def test_after_an_entry_across_phases_the_same_buttons_ok_is_deaf_for_0_8_s() -> None:
    table = Table().started("N").review("NE").wait(0.5).ok("N").must_be(Phase.READY)
    table.wait(0.6).ok("N")
    assert swallowed(table) == "just confirmed"
    assert table.wait(0.3).ok("N").entries == ["N red@NE", "N -"]


def over_a_board(best_of: int) -> Table:
    """S has just resigned, at the box."""
    table = Table(options={"best_of": best_of}).started("N").hold("referee", "fix")
    return table.pick("resign").pick("S resigns", held=True)


@pytest.mark.parametrize("phase", [Phase.READY, Phase.BOARD_OVER, Phase.MATCH_OVER])
def test_other_buttons_ok_is_deaf_for_3_s_in_ready_board_over_and_match_over(phase: Phase) -> None:
    if phase is Phase.READY:
        table = Table().started("N").ok("N")
    else:
        table = over_a_board(1 if phase is Phase.MATCH_OVER else 3)
    asked = table.must_be(phase).view.ask
    table.wait(1.5).hold("S", "ok")
    assert swallowed(table) == "just confirmed"
    assert table.view.ask == asked
    assert table.wait(1.0).hold("S", "ok").view.ask != asked


def test_two_people_who_acknowledge_the_same_thing_make_one_entry() -> None:
    table = Table().started("N").ok("N").wait(0.4).ok("S").wait(0.4).ok("referee")
    assert table.entries == ["N -"]


def test_undo_from_two_hands_within_a_second_is_one() -> None:
    table = Table().started("N").miss().miss().undo("N").wait(0.4).undo("S")
    assert table.entries == ["N -"]


def test_swallowed_presses_are_journaled_and_shown() -> None:
    table = Table().started("N").ok("N").wait(0.3).ok("S")
    assert table.last(EntryKind.SWALLOWED) == {"wire": "seat_s_ok", "why": swallowed(table)}


def test_a_button_that_is_down_when_the_board_starts_is_ignored_and_named_as_a_fault() -> None:
    table = Table().started("N")
    table.edge(Button(Place.N, Key.OK), True).wait(0.1)
    table.signals = type(table.signals).at_start(
        table.signals.limits, table.wires, table.now_ns, active=[Button(Place.N, Key.OK)]
    )
    table.wait(0.1)
    assert [str(fault.what) for fault in table.view.faults] == ["N OK is stuck"]
    assert table.up("N", "ok").entries == []


def test_a_button_that_stays_down_for_a_minute_is_ignored_and_named_as_a_fault() -> None:
    table = Table().started("N").down("referee", "foul").wait(61.0)
    assert [str(fault.what) for fault in table.view.faults] == ["referee FOUL is stuck"]
    assert table.up("referee", "foul").view.faults == ()


# --- who may ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("confirm", "who"),
    [
        (Confirm.REFEREE, {"referee"}),
        (Confirm.ANYONE, {"referee", "N", "S"}),
        (Confirm.OPPONENT, {"referee", "S"}),
    ],
)
def test_confirm_says_whose_ok_fix_undo_and_menu_count(confirm: Confirm, who: set[str]) -> None:
    for place in ("referee", "N", "S"):
        ok = deciding(confirm).review("NE").wait(0.5).ok(place)
        fix = deciding(confirm).review("NE").wait(0.5).fix(place)
        undo = deciding(confirm).shot("RED NE", "NE").undo(place)
        menu = deciding(confirm).review("NE").wait(0.5).hold(place, "fix")
        done = (
            ok.entries == ["N red@NE"],
            fix.proposed == "GREEN NE",
            undo.entries == [],
            menu.view.menu is not None,
        )
        assert set(done) == {place in who}, (place, done)


def test_the_default_is_the_referee_where_there_is_a_box_else_anyone() -> None:
    box = named("referee_ok referee_fix")
    seats = named("seat_n_ok seat_n_fix")
    assert [configured(each).confirm for each in (box | seats, seats)] == ["referee", "anyone"]


def test_another_seats_fix_shows_s_objects() -> None:
    table = deciding(Confirm.REFEREE).review("NE").wait(0.5).fix("S")
    assert swallowed(table) == "S objects"
    assert table.proposed == "RED NE"


@pytest.mark.parametrize("confirm", list(Confirm))
@pytest.mark.parametrize("who", ["N", "E", "referee"])
def test_passing_the_turn_is_open_to_the_shooter_the_next_seat_and_the_referee(
    confirm: Confirm, who: str
) -> None:
    assert deciding(confirm, "NESW").ok(who).entries == ["N -"]


def test_when_nobody_who_may_answers_for_10_s_any_playing_seat_settles_by_holding_ok() -> None:
    table = deciding(Confirm.REFEREE).review("NE").wait(5.0).hold("S", "ok").must_be(Phase.REVIEW)
    table.wait(5.0).ok("S").must_be(Phase.REVIEW)
    table.wait(1.0).hold("W", "ok").must_be(Phase.REVIEW)
    assert table.wait(1.0).hold("S", "ok").entries == ["N red@NE"]
    assert table.last(EntryKind.STOOD_IN) == {"wire": "seat_s_ok"}


def test_who_opened_a_menu_operates_it() -> None:
    table = Table().started("N").hold("N", "fix").wait(1.0).fix("S")
    assert swallowed(table) == "N has the list open"
    assert table.wait(0.5).fix("N").item == "piece off the board"


def test_20_s_idle_closes_it_unchanged() -> None:
    table = Table().started("N").hold("N", "fix").wait(1.0).fix("N").wait(19.5)
    assert table.view.menu is not None
    assert table.wait(1.0).must_be(Phase.READY).view.menu is None
    assert table.entries == []


def test_a_press_while_a_beam_is_broken_says_no_miss() -> None:
    table = Table().started("N").edge(Pocket.NE, True).wait(0.5).ok("N")
    assert swallowed(table) == "something falls just now"
