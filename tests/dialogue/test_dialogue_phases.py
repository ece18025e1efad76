"""The page on how people and the board talk, sentence by sentence: the table of phases.

There is one test for each filled cell, named after its phase and press, and then tests of what the
page says about faults. The empty cells are in ``test_phases``, the sentences below the table in
``test_dialogue_menus``.
"""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Piece, Pocket, Side
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.sensing.events import FaultRaised, Trouble
from tests.dialogue.in_phase import (
    IN_PHASE,
    JUST_ONE,
    at_board_over,
    at_match_over,
    board_won,
    in_falling,
    in_pause,
    in_placing,
    in_ready,
    in_review,
    in_setup,
)
from tests.dialogue.playing import Table


def question(table: Table) -> str:
    """Return the open question or list; empty if there is none."""
    return str(table.view.menu.title) if table.view.menu else ""


# --- setup -----------------------------------------------------------------------------


def test_setup_shows_rules_players_and_who_is_to_press() -> None:
    view = in_setup().view
    assert (view.rules.value, [side.seats for side in view.sides]) == ("hikone", [("N",), ("S",)])
    assert str(view.detail) == "won the toss? your OK"


def test_setup_ok_that_seat_shoots_first_and_plays_red() -> None:
    table = in_setup().ok("S").must_be(Phase.READY)
    assert table.shooter == "S"
    assert table.game.match.settings.sides[table.game.match.settings.seats[0]] is Side.RED


def test_setup_with_a_box_alone_fix_picks_the_seat_ok_starts() -> None:
    table = Table("").wait(1.0).fix("referee").ok("referee").must_be(Phase.READY)
    assert table.shooter == "S"


def test_setup_fix_next_setting() -> None:
    table = in_setup().fix("N")
    assert [side.seats for side in table.view.sides] == [("E",), ("W",)]


def test_setup_undo_last_match_back() -> None:
    table = at_match_over().hold("referee", "ok").must_be(Phase.SETUP).calm().undo()
    assert table.must_be(Phase.MATCH_OVER).entries == ["N red@NE", "N jack@SE"]


def test_setup_a_fall_sensor_test_tick() -> None:
    table = in_setup().fall("SW", 11)
    assert (table.sounds, str(table.view.detail)) == ([Sound.TICK], "SW sees 11 ms")


# --- ready -----------------------------------------------------------------------------


def test_ready_shows_counts_owed_whose_turn_and_clock() -> None:
    table = Table(options={"time_limit_s": 300}).started("N").foul().wait(0.5).ok("referee")
    table.calm().shot("GREEN NE", "NE")
    assert (table.counts, table.owed, table.shooter) == ((0, 1), (1, 0), "S")
    assert str(table.view.headline) == "GREEN S: shoot again"
    assert table.view.clock.running


def test_ready_ok_stroke_over_nothing_fell_recorded_turn_passes() -> None:
    table = in_ready().ok("N")
    assert (table.entries, table.shooter) == (["N -"], "S")


def test_ready_fix_manual_entry_something_fell_that_the_beam_missed() -> None:
    table = in_ready().fix("N").must_be(Phase.REVIEW).wait(0.5).ok("N")
    assert table.entries == ["N red"]


def test_ready_foul_review_with_a_foul() -> None:
    assert in_ready().foul().must_be(Phase.REVIEW).proposed == "foul"


def test_ready_off_review_with_a_piece_off_the_board() -> None:
    assert in_ready().off().must_be(Phase.REVIEW).proposed == "STRIKER off"


def test_ready_undo_take_the_last_entry_back() -> None:
    table = in_ready().shot("RED NE", "NE").undo().must_be(Phase.REVIEW)
    assert (table.entries, table.proposed) == ([], "RED NE")


def test_ready_a_fall_to_falling() -> None:
    assert in_ready().fall("NE").must_be(Phase.FALLING).entries == []


# --- falling ---------------------------------------------------------------------------


def test_falling_pockets_light_up_and_the_reading_so_far_is_shown() -> None:
    table = in_ready().falls_in("NE", "SW")
    assert table.view.lit == (Pocket.NE, Pocket.SW)
    assert table.proposed == "RED NE, RED SW"


def test_falling_ok_confirm_if_it_has_stood_unchanged_for_half_a_second() -> None:
    assert in_ready().fall("NE").wait(0.55).ok("N").entries == ["N red@NE"]


def test_falling_ok_else_settle_now() -> None:
    table = in_ready().fall("NE").wait(0.41).ok("N").must_be(Phase.REVIEW)
    assert table.entries == []


def test_falling_ok_confirms_nothing_that_ends_a_board() -> None:
    table = Table(handicap=JUST_ONE).started("N").shot("RED NE", "NE")
    for pocket in ("NE",) * 11:
        table.shot(f"RED {pocket}", pocket)
    table.fall("SE").wait(1.0)
    assert table.proposed == "JACK SE"
    table.ok("N").must_be(Phase.REVIEW)


def test_falling_fix_settle_next_reading() -> None:
    assert in_falling().fix("N").must_be(Phase.REVIEW).proposed == "GREEN NE"


def test_falling_foul_mark() -> None:
    assert in_falling().foul().must_be(Phase.FALLING).proposed == "foul, RED NE"


def test_falling_off_mark() -> None:
    assert in_falling().off().must_be(Phase.FALLING).proposed == "RED NE, STRIKER off"


def test_falling_undo_to_review_then_as_there() -> None:
    table = in_ready().shot("RED NE", "NE").fall("SW").wait(0.6).undo().must_be(Phase.REVIEW)
    assert (table.proposed, table.view.waiting) == ("RED NE", 1)


def test_falling_a_fall_joins() -> None:
    table = in_falling().fall("SW")
    assert (table.proposed, table.view.waiting) == ("RED NE, RED SW", 0)


def test_falling_ends_after_1_5_s_of_quiet() -> None:
    in_ready().fall("NE").wait(1.45).must_be(Phase.FALLING).wait(0.1).must_be(Phase.REVIEW)


def test_falling_ends_after_6_s_at_the_latest() -> None:
    table = in_ready()
    for _ in range(5):
        table.fall("NE").wait(1.15)
    table.must_be(Phase.FALLING).wait(0.3).must_be(Phase.REVIEW)


# --- review ----------------------------------------------------------------------------


def test_review_shows_the_likeliest_reading_and_what_follows_from_it() -> None:
    view = in_review().view
    assert (str(view.headline), str(view.detail)) == ("RED NE", "shoot again")


def test_review_ok_confirm() -> None:
    assert in_review().ok("N").must_be(Phase.READY).entries == ["N red@NE"]


def test_review_ok_hold_when_it_ends_the_board() -> None:
    table = Table(handicap=JUST_ONE).started("N").shot("RED NE", "NE")
    table.review("SE").choose("JACK SE").wait(0.5).ok("N").must_be(Phase.REVIEW)
    table.wait(1.0).hold("N", "ok").must_be(Phase.MATCH_OVER)


def test_review_fix_next_reading() -> None:
    assert in_review().fix("N").proposed == "GREEN NE"


def test_review_foul_next_flag_this_system_knows() -> None:
    table = Table(lineup="NESW").started("N").review("NE")
    said = [table.foul().proposed for _ in range(4)]
    assert said == ["foul, RED NE", "area hit, RED NE", "area hit, foul, RED NE", "RED NE"]


def test_review_off_next_piece_off_the_board() -> None:
    table = in_review()
    said = [table.off().proposed.removeprefix("RED NE") for _ in range(5)]
    assert said == [", STRIKER off", ", RED off", ", GREEN off", ", JACK off", ""]


def test_review_undo_takes_the_last_entry_back_and_parks_what_is_fresh() -> None:
    table = in_ready().shot("RED NE", "NE").review("SW").undo().must_be(Phase.REVIEW)
    assert (table.proposed, table.view.waiting) == ("RED NE", 1)


def test_review_a_fall_a_further_proposal() -> None:
    table = in_review().fall("SW").wait(2.0)
    assert (table.proposed, table.view.waiting) == ("RED NE", 1)


# --- placing ---------------------------------------------------------------------------


def test_placing_shows_what_must_be_put_back_bottom_to_top() -> None:
    table = in_ready().shot("RED NE", "NE").review("NW").choose("JACK NW").wait(0.5).ok("N")
    assert table.must_be(Phase.PLACING).view.place == (Piece.RED, Piece.JACK)


def test_placing_ok_done() -> None:
    assert in_placing().ok("N").must_be(Phase.READY).entries[-1] == "! placed"


def test_placing_fix_asks_nothing_in_hikone_whose_record_knows_no_forgetting() -> None:
    table = in_placing().fix("N").must_be(Phase.PLACING)
    assert table.last(EntryKind.SWALLOWED)["why"] == "not now"


def test_placing_undo_back_to_review() -> None:
    table = in_placing().undo().must_be(Phase.REVIEW)
    assert (table.proposed, table.view.place) == ("STRIKER SW", ())


def test_placing_a_fall_a_further_proposal() -> None:
    assert in_placing().fall("NW").wait(2.0).must_be(Phase.PLACING).view.waiting == 1


# --- paused ----------------------------------------------------------------------------


def test_paused_shows_counts_and_the_clock_stopped() -> None:
    table = Table(options={"time_limit_s": 300}).started("N").hold("N", "fix").pick("pause", "N")
    left = table.must_be(Phase.PAUSED).view.clock.remaining_ns
    assert table.wait(60.0).view.clock.remaining_ns == left
    assert table.counts == (0, 0)


def test_paused_ok_go_on() -> None:
    in_pause().ok("N").must_be(Phase.READY)


def test_paused_fix_menu() -> None:
    assert question(in_pause().fix("N")) == "menu"


def test_paused_a_fall_waits_as_a_proposal() -> None:
    table = in_pause().fall("NE").wait(2.0).must_be(Phase.PAUSED)
    assert table.view.waiting == 1
    assert table.ok("N").must_be(Phase.REVIEW).proposed == "RED NE"


# --- board over ------------------------------------------------------------------------


def test_board_over_shows_result_points_and_who_opens_next() -> None:
    table = at_board_over()
    assert str(table.view.headline) == "RED wins"
    assert table.view.result_points == (1, 0)
    assert str(table.view.detail) == "by the jack, S opens"


def test_board_over_ok_next_board() -> None:
    table = at_board_over().ok("N").must_be(Phase.READY)
    assert (table.view.board, table.shooter) == (2, "S")


def test_board_over_fix_demands_nothing_in_hikone_which_knows_no_extra_point() -> None:
    table = at_board_over().fix("N").must_be(Phase.BOARD_OVER)
    assert table.last(EntryKind.SWALLOWED)["why"] == "not now"


def test_board_over_undo_back_to_review() -> None:
    assert at_board_over().undo().must_be(Phase.REVIEW).proposed == "JACK SE"


def test_board_over_a_fall_within_5_s_part_of_the_last_stroke() -> None:
    table = board_won(3).fall("SW")
    assert question(table) == "a fall after the end"
    table.wait(1.0).ok("N").must_be(Phase.REVIEW)
    assert {str(each.what) for each in table.view.readings} > {"JACK SE, RED SW"}


def test_board_over_a_fall_later_clearing_logged() -> None:
    table = at_board_over().fall("SW").must_be(Phase.BOARD_OVER)
    assert (question(table), table.last(EntryKind.CLEARING)["falls"]) == ("", [3])


# --- match over ------------------------------------------------------------------------


def test_match_over_shows_winner_points_and_the_record_for_the_qr_code() -> None:
    view = at_match_over().view
    assert (view.winner, view.result_points) == (Side.RED, (1, 0))
    assert view.record.endswith("N red@NE\nN jack@SE\n")


def test_match_over_ok_held_again_with_the_same_settings() -> None:
    table = at_match_over().ok("N").must_be(Phase.MATCH_OVER)
    table.wait(1.0).hold("N", "ok").must_be(Phase.SETUP).calm().ok("N")
    assert table.game.match.settings.handicaps[Side.RED].pucks_needed == 1


def test_match_over_fix_menu() -> None:
    assert question(at_match_over().fix("N")) == "menu"


def test_match_over_undo_back_to_review() -> None:
    assert at_match_over().undo().must_be(Phase.REVIEW).proposed == "JACK SE"


# --- faults ----------------------------------------------------------------------------


@pytest.mark.parametrize("phase", list(Phase))
def test_a_fault_is_no_phase_but_a_banner_over_any_of_them(phase: Phase) -> None:
    table = IN_PHASE[phase]()
    table.fault(FaultRaised(table.now_ns, "pocket_ne", Trouble.BLOCKED)).must_be(phase)
    banner = table.view.faults[-1]
    assert (str(banner.what), str(banner.remedy)) == ("pocket NE blocked", "clear it, FIX: enter")


def test_play_goes_on_by_manual_entry() -> None:
    table = in_ready().edge(Pocket.NE, True).wait(3.0)
    assert table.fix("N").wait(0.5).ok("N").entries == ["N red@NE"]


def test_a_pocket_whose_beam_is_dead_is_marked_by_hand() -> None:
    table = in_ready().hold("N", "fix").wait(1.0).pick("manual pockets", "N").pick("SE: beam", "N")
    table.pick("close", "N").must_be(Phase.READY)
    assert str(table.view.detail) == "SE manual"


@pytest.mark.parametrize("dead", list(Pocket))
def test_with_any_one_beam_dead_a_match_can_be_played_to_its_end(dead: Pocket) -> None:
    """The beam is broken for good: FIX enters what falls there, and the other beams still see."""
    table = Table(handicap=JUST_ONE).started("N").edge(dead, True).wait(3.0)
    table.fix("N").choose(f"RED {dead}", "N").wait(0.5).ok("N").calm()
    other = next(pocket for pocket in Pocket if pocket is not dead)
    table.shot(f"JACK {other}", other, by="N").must_be(Phase.MATCH_OVER)
    assert table.entries == [f"N red@{dead}", f"N jack@{other}"]


@pytest.mark.parametrize("dead", ["N", "S", "referee"])
def test_with_any_one_button_dead_a_match_can_be_played_to_its_end(dead: str) -> None:
    """If any button of a place is dead, everything can be said from another place."""
    by = "S" if dead == "N" else "N"
    table = Table("NS", page=False, handicap=JUST_ONE).started(by).shot("RED NE", "NE", by=by)
    table.undo(by).wait(0.5).ok(by).calm().fix(by).wait(0.5).undo(by).calm()
    table.shot("JACK SE", "SE", by=by).must_be(Phase.MATCH_OVER)
    assert table.entries == [f"{by} red@NE", f"{by} jack@SE"]
