"""How a press counts: when it fires, what it means, and when it does nothing but beep."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Flag
from jackspot.dialogue.proposals.proposing import read_anew
from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.question import Review
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.dialogue.words.fault_words import place_word
from jackspot.displays.words import LANGUAGES, translator
from jackspot.sensing.events import Button, FaultCleared, FaultRaised, Key, Place, Trouble
from jackspot.values import changed
from tests.dialogue.dialogue_checks import check_all
from tests.dialogue.playing import Table, wires


def swallowed(table: Table) -> str:
    """Return why the last press did nothing, as journaled, heard and shown."""
    assert table.sounds[-1] is Sound.REFUSED
    why = table.last(EntryKind.SWALLOWED)["why"]
    assert str(table.view.detail) == why
    return str(why)


def test_a_short_press_fires_when_the_button_is_let_go() -> None:
    table = Table().started("N").down("referee", "ok").wait(0.5)
    assert table.entries == []
    table.up("referee", "ok")
    assert table.entries == ["N -"]


def test_a_hold_fires_once_after_a_second_while_still_down() -> None:
    table = Table().started("N").down("referee", "fix").wait(0.95)
    assert table.view.menu is None
    table.wait(0.1)
    assert table.item == "correct the counts"
    table.wait(5.0).up("referee", "fix")
    assert table.item == "correct the counts", "letting go adds nothing to a hold"


def test_a_bar_grows_from_a_fifth_of_a_second_to_a_second() -> None:
    table = Table().started("N").down("referee", "fix").wait(0.15)
    young = table.view.hold
    assert young is None
    shown = table.wait(0.15).view.hold
    assert shown is not None
    assert shown.button == Button(Place.REFEREE, Key.FIX)
    assert shown.progress == pytest.approx(0.3)
    table.wait(0.9)
    assert table.view.hold is None
    table.up("referee", "fix")


def test_a_chord_is_undo_and_cancels_both_short_presses() -> None:
    table = Table("NS", box=False).started("N").miss("N").chord("S").must_be(Phase.READY)
    assert table.shooter == "N"
    assert table.kinds().count(EntryKind.UNDO) == 1
    assert EntryKind.SWALLOWED not in table.kinds()


def test_a_press_means_what_was_asked_when_it_went_down() -> None:
    table = Table().started("N").down("referee", "ok").wait(0.1)
    table.fall("NE").wait(0.1).up("referee", "ok").must_be(Phase.FALLING)
    assert swallowed(table) == "already settled"
    assert table.entries == []


def test_a_hold_whose_question_has_passed_does_nothing() -> None:
    table = Table().started("N").review("NE").wait(1.0).down("referee", "ok").wait(0.3)
    table.fix("S").wait(0.8)
    assert swallowed(table) == "already settled"
    assert table.entries == []
    table.up("referee", "ok")


def test_ok_does_nothing_within_0_4_s_of_a_sensors_change() -> None:
    table = Table().started("N")
    table.fall("NE").wait(0.35).ok("referee").must_be(Phase.FALLING)
    assert swallowed(table) == "it just changed"
    table.wait(0.3).ok("referee")
    assert table.entries == ["N red@NE"]


def test_ok_does_nothing_within_0_4_s_of_another_hands_change() -> None:
    table = Table().started("N").review("NE").wait(1.0).fix("S").wait(0.2).ok("N")
    assert swallowed(table) == "it just changed"
    assert table.proposed == "GREEN NE"


def test_ones_own_hand_may_be_as_quick_as_it_likes() -> None:
    table = Table().started("N").review("NE").wait(1.0).fix("N").ok("N")
    assert table.entries == ["N green@NE"]


def test_the_same_ok_is_deaf_for_0_8_s_after_an_entry_whatever_the_phase() -> None:
    table = Table().started("N").review("NE").wait(1.0).ok("N").wait(0.5).ok("N")
    assert swallowed(table) == "just confirmed"
    assert table.entries == ["N red@NE"]
    table.wait(0.5).ok("N")
    assert table.entries == ["N red@NE", "N -"]


def test_the_ok_of_a_page_is_deaf_after_an_entry_as_a_buttons() -> None:
    table = Table("", box=False).started("page").review("NE").wait(1.0).ok("page").wait(0.5)
    assert swallowed(table.ok("page")) == "just confirmed"
    assert table.entries == ["N red@NE"]


def test_a_double_press_on_a_foul_does_not_skip_placing() -> None:
    table = Table().started("N").shot("RED NE", "NE").review("SW").choose("STRIKER SW")
    table.wait(1.0).ok("referee").must_be(Phase.PLACING).wait(0.4).ok("referee")
    table.must_be(Phase.PLACING).wait(0.5).ok("referee").must_be(Phase.READY)


def test_two_people_who_acknowledge_the_same_miss_pass_one_turn() -> None:
    table = Table().started("N").ok("N").wait(2.7).ok("S")
    assert swallowed(table) == "just confirmed"
    assert table.entries == ["N -"]
    table.wait(0.4).ok("S")
    assert table.entries == ["N -", "S -"]


def test_two_who_press_ok_on_the_same_reading_at_once_confirm_it_once() -> None:
    table = Table().started("N").review("NE").wait(1.0)
    table.down("N", "ok").wait(0.05).down("S", "ok").wait(0.05).up("N", "ok").up("S", "ok")
    assert swallowed(table) == "already settled"
    assert table.entries == ["N red@NE"]


def test_two_who_acknowledge_the_end_of_a_board_begin_one() -> None:
    table = Table(options={"best_of": 3}).started("N").hold("referee", "fix").pick("resign")
    table.pick("S resigns", held=True).must_be(Phase.BOARD_OVER)
    table.wait(1.0).ok("N").must_be(Phase.BOARD_OVER)
    assert swallowed(table) == "just confirmed"
    table.calm().ok("N").must_be(Phase.READY).wait(1.0).ok("S")
    assert swallowed(table) == "just confirmed"
    assert table.view.board == 2


def test_the_start_of_a_match_is_not_passed_on_as_a_miss() -> None:
    table = Table().wait(1.0).ok("N").wait(1.0).ok("referee")
    assert swallowed(table) == "just confirmed"
    assert table.entries == []


def test_the_start_of_a_later_board_is_not_passed_on_as_a_miss() -> None:
    table = Table(options={"best_of": 3}).started("N").shot("RED NE", "NE")
    table.hold("referee", "fix").pick("resign").wait(1.0).pick("S resigns", held=True).calm()
    entries = table.ok("referee").must_be(Phase.READY).entries
    table.wait(1.2).ok("referee")
    assert swallowed(table) == "just confirmed"
    assert table.entries == entries
    table.calm().shot("RED NE", "NE").wait(1.2).ok("referee")
    assert table.entries[-1].endswith(" -"), "something was shot: now it is a miss"


def test_undo_from_two_hands_within_a_second_is_one() -> None:
    table = Table().started("N").miss().miss().undo("referee").wait(0.5).undo("N")
    assert swallowed(table) == "just taken back"
    assert table.entries == ["N -"]
    table.wait(0.6).undo("N")
    assert table.entries == []


def test_undo_again_by_the_same_hand_goes_one_further_at_once() -> None:
    table = Table().started("N").miss().miss().undo("referee").undo("referee")
    assert table.entries == []


def test_a_button_down_when_the_board_starts_is_ignored_and_named() -> None:
    table = Table().wait(1.0)
    table.fault(FaultRaised(table.now_ns, "seat_n_ok", Trouble.STUCK))
    assert [str(fault.what) for fault in table.view.faults] == ["N OK is stuck"]
    table.fault(FaultCleared(table.now_ns, "seat_n_ok", Trouble.STUCK))
    assert table.view.faults == ()


def test_a_button_down_for_a_minute_is_a_fault_and_its_release_does_nothing() -> None:
    table = Table().started("N").down("N", "ok").wait(61.0)
    held = list(table.entries)
    assert [str(fault.what) for fault in table.view.faults] == ["N OK is stuck"]
    table.up("N", "ok")
    assert table.entries == held
    assert table.view.faults == ()


def test_a_page_that_answers_an_old_question_is_refused() -> None:
    table = Table().started("N")
    asked = table.view.ask
    table.review("NE").wait(1.0).short("ok", asked)
    assert swallowed(table) == "already settled"
    table.short("ok")
    assert table.entries == ["N red@NE"]


def test_a_page_held_ok_is_a_hold() -> None:
    table = Table("", box=False).started("page").review("NE").wait(1.0).hold("page", "ok")
    assert table.entries == ["N red@NE"]


# who may


def strict(confirm: Confirm) -> Table:
    return Table(lineup="NESW", dialogue_settings=DialogueSettings(confirm=confirm)).started(
        "referee"
    )


def test_when_the_referee_decides_a_seats_fix_is_an_objection() -> None:
    table = strict(Confirm.REFEREE).review("NE").wait(1.0).fix("S")
    assert table.proposed == "RED NE"
    assert swallowed(table) == "S objects"
    assert table.last(EntryKind.OBJECTION) == {"wire": "seat_s_fix"}


def test_when_the_referee_decides_a_seats_ok_and_undo_do_nothing() -> None:
    table = strict(Confirm.REFEREE).review("NE").wait(1.0).ok("N").must_be(Phase.REVIEW)
    assert swallowed(table) == "the referee decides, not N"
    table.undo("E").must_be(Phase.REVIEW)
    assert swallowed(table) == "the referee decides, not E"
    table.ok("referee")
    assert table.entries == ["N red@NE"]


@pytest.mark.parametrize("confirm", list(Confirm))
def test_passing_the_turn_is_open_to_shooter_next_seat_and_referee_whatever_is_agreed(
    confirm: Confirm,
) -> None:
    table = strict(confirm)
    for who in ("N", "S", "referee"):  # the shooter N, then E's next seat S, then the box
        before = len(table.entries)
        table.miss(who)
        assert len(table.entries) == before + 1, who


def test_a_held_ok_passes_the_turn_as_a_short_one_whoever_confirms() -> None:
    for seat in ("N", "S"):
        table = (
            Table(dialogue_settings=DialogueSettings(confirm=Confirm.REFEREE))
            .started()
            .hold(seat, "ok")
        )
        assert table.entries == ["N -"], seat


def test_fix_without_another_reading_is_swallowed_and_says_so() -> None:
    table = Table().started("N").foul()
    assert table.dialogue.proposal is not None
    one = changed(table.dialogue.proposal, readings=table.dialogue.proposal.readings[:1])
    table.dialogue = changed(table.dialogue, question=Review(one))
    table.wait(1.0).fix("referee").must_be(Phase.REVIEW)
    assert swallowed(table) == "no other reading"


@pytest.mark.parametrize("marks", [{"flown": (Piece.RED,)}, {"flags": frozenset({Flag.FOUL})}])
def test_fix_lets_go_of_what_was_marked_where_nothing_is_possible_with_it(marks) -> None:
    """After 0:00 a turn is played to its end: another seat's stroke is impossible."""
    table = Table(options={"time_limit_s": 60, "time_end": "finish_turn"}).started("N")
    table.fall("NE").wait(2.0).ok("referee").wait(61.0).fall("NE").wait(2.0)
    shown = table.must_be(Phase.REVIEW).dialogue.proposal
    assert shown is not None
    assert isinstance(table.dialogue, InMatch)
    marked = read_anew(table.dialogue, changed(shown, seat=Seat.S, **marks), table.now_ns)
    table.dialogue = changed(table.dialogue, question=Review(marked))
    assert str(table.view.detail) == "not possible here"
    table.wait(1.0).fix("referee").must_be(Phase.REVIEW)
    bare = table.dialogue.proposal
    assert bare is not None
    check_all(table)
    assert (bare.flown, bare.flags, table.proposed) == ((), frozenset(), "NOT A STROKE")


def test_fix_keeps_what_flew_off_where_what_is_shown_is_possible() -> None:
    table = Table().started("N").fall("NE").wait(2.0).off().must_be(Phase.REVIEW)
    shown = table.dialogue.proposal
    assert shown is not None
    one = changed(shown, readings=shown.readings[:1])
    table.dialogue = changed(table.dialogue, question=Review(one))
    table.wait(1.0).fix("referee").must_be(Phase.REVIEW)
    assert swallowed(table) == "no other reading"


def test_the_seat_across_may_not_pass_the_turn_when_the_referee_decides() -> None:
    table = strict(Confirm.REFEREE).ok("S")
    assert swallowed(table) == "N or E decides, not S"


def test_putting_back_is_no_passing_of_the_turn() -> None:
    table = strict(Confirm.REFEREE).miss().undo().calm().ok("N")
    assert swallowed(table) == "the referee decides, not N"


def test_when_the_opponent_decides_the_shooters_own_ok_does_nothing() -> None:
    table = strict(Confirm.OPPONENT).review("NE").wait(1.0).ok("N")
    assert swallowed(table) == "E or W decides, not N"
    table.ok("S")
    assert swallowed(table) == "E or W decides, not S"
    table.ok("E")
    assert table.entries == ["N red@NE"]


def test_who_opened_a_list_operates_it() -> None:
    table = Table().started("N").hold("N", "fix").wait(1.0).fix("S")
    assert swallowed(table) == "N has the list open"
    assert table.item == "foul"
    table.fix("N")
    assert table.item == "piece off the board"


@pytest.mark.parametrize("confirm", [Confirm.REFEREE, Confirm.ANYONE])
@pytest.mark.parametrize("whose", ["cut", "broken"])
def test_a_list_that_is_nobodys_is_used_by_anyone_whose_presses_count(
    confirm: Confirm, whose: str
) -> None:
    """The power was cut, or the place that opened it has no OK."""
    known = DialogueSettings(confirm=confirm)
    if whose == "cut":
        table = Table(dialogue_settings=known).started().hold("referee", "fix").restart()
    else:
        wired = [each for each in wires("NS", box=True) if each != Button(Place.REFEREE, Key.OK)]
        table = Table(wired=wired, dialogue_settings=known).started().hold("referee", "fix")
    marked = table.wait(1.0).item
    table.fix("N")
    assert (table.item != marked) is (confirm is Confirm.ANYONE)
    if confirm is Confirm.REFEREE:
        assert str(table.view.detail) == "N objects"
    table.fix("page")
    assert table.item != marked


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("opener", Place)
def test_who_has_a_list_open_is_said_in_everybodys_language(opener: Place, language: str) -> None:
    other = "S" if opener is not Place.S else "N"
    table = Table("NESW").started("N").hold(opener.value, "fix").wait(1.0).fix(other)
    said = table.view.detail.render(translator(language))
    assert place_word(opener) in dict(table.view.detail.blanks).values()
    assert opener.seat or language == "en" or opener.value not in said


def test_a_list_nobody_works_for_twenty_seconds_closes_unchanged() -> None:
    table = Table().started("N").hold("N", "fix").wait(15.0).fix("N").wait(19.5)
    assert table.item == "piece off the board"
    table.wait(1.0).must_be(Phase.READY)
    assert table.view.menu is None
    assert table.entries == []


def test_a_fall_under_an_open_list_waits_and_opens_when_it_closes() -> None:
    table = Table().started("N").hold("N", "fix").wait(1.0)
    table.fall("NE").wait(3.0)
    assert table.view.waiting == 1
    table.undo("N").must_be(Phase.REVIEW)
    assert table.proposed == "RED NE"


def test_presses_on_wires_that_flicker_do_not_reach_the_talk() -> None:
    table = Table().started("N")
    for _ in range(200):
        table.edge(Pocket.NE, True).wait(0.001).edge(Pocket.NE, False).wait(0.001)
    table.must_be(Phase.READY)
    assert table.dialogue.broken == ()
    assert [str(fault.what) for fault in table.view.faults] == ["pocket NE flickers"]
