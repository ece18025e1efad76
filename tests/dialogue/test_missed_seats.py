"""When seats miss and nobody presses, the next fall is read as a later seat's."""

from __future__ import annotations

import itertools

import pytest

from jackspot.core.pieces import Seat
from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.view import Phase
from jackspot.dialogue.words.line_words import line_word
from jackspot.readings.spans import Spans
from tests.dialogue.dialogue_checks import check_a_restart
from tests.dialogue.playing import Table


def fell_after(seconds: float, lineup: str = "NS", box: bool = True) -> Table:
    """Something falls this long after the match started, and nobody has pressed since."""
    table = Table(lineup=lineup, box=box).ok("N").wait(seconds)
    return table.fall("NE").wait(1.6).must_be(Phase.REVIEW)


def chance_of_missed(table: Table) -> float:
    assert table.dialogue.proposal is not None
    return sum(each.probability for each in table.dialogue.proposal.readings if each.missed)


def test_the_longer_nobody_pressed_the_likelier_a_seat_has_missed() -> None:
    soon, later, long = (chance_of_missed(fell_after(each)) for each in (3.0, 15.0, 40.0))
    assert soon < 0.02
    assert soon < later < long


def test_a_reading_says_in_words_who_missed() -> None:
    table = fell_after(20.0)
    table.choose("S (N missed): GREEN NE")
    assert table.view.proposal is not None
    assert (table.view.proposal.seat, table.view.proposal.missed) == (Seat.S, (Seat.N,))
    assert table.shooter == "S"


def test_confirming_it_records_the_misses_and_undo_takes_them_back_together() -> None:
    table = fell_after(20.0).choose("S (N missed): GREEN NE").wait(1.0).ok("referee")
    assert table.entries == ["N -", "S green@NE"]
    assert table.shooter == "S", "an own puck: S shoots again"
    table.calm().undo().must_be(Phase.REVIEW)
    assert table.entries == []
    assert table.proposed == "S (N missed): GREEN NE", "what had been confirmed comes first"
    table.wait(1.0).ok("referee")
    assert table.entries == ["N -", "S green@NE"], "OK without a change puts it back"


def test_a_wrong_missed_seat_is_mended_by_undo_fix_ok() -> None:
    table = fell_after(20.0).choose("S (N missed): GREEN NE").wait(1.0).ok("referee").calm()
    table.undo().choose("RED NE").wait(1.0).ok("referee")
    assert table.entries == ["N red@NE"]


def test_fix_at_a_seats_own_buttons_says_that_this_seat_shot() -> None:
    table = fell_after(15.0, box=False)
    assert table.proposed == "RED NE"
    table.fix("S")
    assert table.proposed == "S (N missed): GREEN NE"
    table.wait(1.0).ok("S")
    assert table.entries == ["N -", "S green@NE"]


def test_fix_at_the_box_says_nothing_about_who_shot() -> None:
    assert fell_after(15.0).fix("referee").proposed == "GREEN NE"


def test_fix_at_the_shooters_own_buttons_is_the_next_reading_of_its_stroke() -> None:
    assert fell_after(15.0, box=False).fix("N").proposed == "GREEN NE"


def test_where_the_opponent_confirms_fix_says_nothing_about_who_shot() -> None:
    table = (
        Table(box=False, dialogue_settings=DialogueSettings(confirm=Confirm.OPPONENT))
        .ok("N")
        .wait(15.0)
    )
    table.fall("NE").wait(1.6).fix("S")
    assert table.proposed == "GREEN NE"


def test_up_to_one_round_of_seats_may_have_missed() -> None:
    table = fell_after(60.0, lineup="NESW", box=False)
    assert table.dialogue.proposal is not None
    found = {each.missed for each in table.dialogue.proposal.readings}
    assert {(Seat.N,), (Seat.N, Seat.E)} <= found
    assert all(len(each) <= 4 for each in found)
    table.choose("S (N E missed): RED NE", by="S").wait(1.0).ok("N")
    assert table.entries == ["N -", "E -", "S red@NE"]


def test_of_two_players_both_may_have_missed_before_the_first_shoots_again() -> None:
    table = fell_after(30.0, box=False)
    table.choose("N (N S missed): RED NE", by="N").wait(1.0).ok("N")
    assert table.entries == ["N -", "S -", "N red@NE"]
    assert table.shooter == "N"
    table.calm().undo("N").must_be(Phase.REVIEW)
    assert table.entries == []
    assert table.proposed == "N (N S missed): RED NE"
    table.restart()
    assert table.proposed == "N (N S missed): RED NE"


def test_editing_at_the_box_says_that_both_of_two_players_missed() -> None:
    table = fell_after(5.0).hold("referee", "fix").wait(1.0)
    table.pick("shooter N").pick("shooter S (N missed)").pick("shooter S")
    assert table.item == "shooter N (N S missed)"
    table.pick("done").wait(1.0).ok("referee")
    assert table.entries == ["N -", "S -", "N red@NE"]


def test_every_seat_of_the_round_is_reached_by_editing() -> None:
    table = fell_after(5.0, lineup="NESW").hold("referee", "fix").wait(1.0)
    for who in ("shooter N", "shooter E (N missed)", "shooter S (N E missed)"):
        table.pick(who)
    assert table.item == "shooter W (N E S missed)"
    table.pick("done").wait(1.0).ok("referee")
    assert table.entries == ["N -", "E -", "S -", "W green@NE"]


def test_that_the_whole_round_missed_is_the_last_thing_editing_offers() -> None:
    table = fell_after(5.0, lineup="NESW").hold("referee", "fix").wait(1.0)
    shown = [str(table.pick(table.items[1]).item) for _ in range(7)]
    assert shown[-4:] == ["shooter E", "shooter S", "shooter W", "shooter N (N E S W missed)"]
    table.pick("done").wait(1.0).ok("referee")
    assert table.entries == ["N -", "E -", "S -", "W -", "N red@NE"]


def test_who_names_the_shooter_of_no_stroke_says_that_it_was_one() -> None:
    table = Table().ok("N").wait(15.0).fall("NE", 700).wait(3.0).must_be(Phase.READY)
    table.fix("referee").choose("NOT A STROKE").hold("referee", "fix").wait(1.0)
    shown = [str(table.pick(table.items[1]).item) for _ in range(4)]
    assert shown == ["shooter S (N missed)", "shooter S", "shooter N (N S missed)", "shooter N"]
    assert table.proposed == "RED NE"
    table.pick("shooter N").pick("done").wait(1.0).ok("referee")
    assert table.entries == ["N -", "S green@NE"]


def test_a_fall_that_waited_is_read_for_later_seats_too() -> None:
    table = Table().started("N").review("NE").choose("GREEN NE").wait(18.0)
    table.fall("SE").wait(2.0).ok("referee").must_be(Phase.REVIEW)
    table.choose("N (S missed): RED SE").wait(1.0).ok("referee")
    assert table.entries == ["N green@NE", "S -", "N red@SE"]


def test_a_miss_that_would_end_the_board_cannot_have_come_before() -> None:
    options = {"time_limit_s": 25, "time_end": "finish_stroke"}
    table = Table(options=options).ok("N").wait(40.0).fall("NE").wait(1.6)
    assert chance_of_missed(table) == 0.0


def test_editing_offers_no_miss_that_would_have_ended_the_board() -> None:
    options = {"time_limit_s": 25, "time_end": "finish_stroke"}
    table = Table(options=options).ok("N").wait(30.0).fix("referee").hold("referee", "fix")
    table.wait(1.0).pick("shooter N")
    assert table.item == "shooter S"
    table.pick("done").wait(1.0).hold("referee", "ok")
    assert table.entries[:2] == ["! time", "! turn S"]


def test_who_missed_outlasts_a_power_cut() -> None:
    table = fell_after(15.0, box=False).fix("S").restart()
    assert table.proposed == "S (N missed): GREEN NE"
    table = fell_after(5.0).hold("referee", "fix").wait(1.0).pick("shooter N").restart()
    assert table.proposed == "S (N missed): GREEN NE"


@pytest.mark.parametrize("forgotten", [0.001, 0.3])
def test_how_often_a_press_is_forgotten_is_one_number(forgotten: float) -> None:
    dialogue_settings = DialogueSettings(spans=Spans(forgotten=forgotten))
    table = Table(dialogue_settings=dialogue_settings).ok("N").wait(15.0).fall("NE").wait(1.6)
    assert (chance_of_missed(table) > 0.2) == (forgotten > 0.1)


def after(found_out: int, pressed: int) -> float:
    """Return how likely a seat is to have missed, after these misses of the match."""
    table = Table().ok("N").wait(4.0)
    for _ in range(pressed):
        table.ok("referee").wait(4.0)
    missed = itertools.cycle(("S (N missed): GREEN NE", "N (S missed): RED NE"))
    for _ in range(found_out):
        table.wait(16.0).fall("NE").wait(1.6)
        table.choose(next(missed)).wait(1.0).ok("referee").calm()
    return chance_of_missed(table.wait(12.0).fall("SE").wait(1.6).must_be(Phase.REVIEW))


def test_where_misses_are_forgotten_more_are_expected_and_fewer_where_none_is() -> None:
    nothing_known = after(found_out=0, pressed=0)
    assert after(found_out=0, pressed=30) < 0.8 * nothing_known
    assert after(found_out=3, pressed=0) > 2 * nothing_known


def test_what_is_known_of_forgotten_misses_outlasts_a_power_cut() -> None:
    table = Table().ok("N").wait(20.0).fall("NE").wait(1.6).choose("S (N missed): GREEN NE")
    table.wait(1.0).ok("referee").calm().wait(12.0).fall("SE").wait(1.6)
    check_a_restart(table)


def test_who_missed_before_a_proposal_that_undo_parked_outlasts_a_power_cut() -> None:
    table = Table().started("N").shot("GREEN NE", "NE").review("SE")
    table.hold("referee", "fix").wait(1.0).pick("shooter ").wait(0.3)
    table.pick("done").wait(1.0)
    assert table.dialogue.proposal is not None
    assert table.dialogue.proposal.misses == (Seat.S,), "N shot again, and S missed before"
    table.undo().must_be(Phase.REVIEW)
    assert table.dialogue.parked[0].misses == (Seat.S,)
    check_a_restart(table)


def test_the_history_says_what_followed_from_the_stroke_not_from_the_miss_before_it() -> None:
    """As it does where the miss was entered on its own."""
    table = fell_after(20.0).choose("S (N missed): GREEN NE").ok("referee").calm()
    assert str(line_word(table.game, 0)) == "1 S GREEN NE, again"
    table = fell_after(20.0).choose("S (N missed): GREEN NE").foul().ok("referee").calm()
    assert str(line_word(table.game, 0)) == "1 S foul, GREEN NE, fault"
    needed = {"N": {"pucks_needed": 1}, "S": {"pucks_needed": 1}}
    table = Table(handicap=needed).started("N").miss().shot("GREEN NE", "NE").miss().wait(25)
    table.review("SE").choose("S (N missed): JACK SE").hold("referee", "ok").calm()
    table.must_be(Phase.MATCH_OVER)
    assert str(line_word(table.game, 3)) == "4 S JACK SE, by the jack"
