"""The menu's words for a stroke (fouls, pieces off, called pockets, cushions), and time-outs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from jackspot.core.pieces import Pocket, Side
from jackspot.core.rules import RULES
from jackspot.core.stroke import Flag
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.question import Paused
from jackspot.dialogue.state.view import Phase
from tests.dialogue.dialogue_checks import check_a_restart, watch_the_question
from tests.dialogue.playing import Table

ONE_TO_GO = {"pucks_needed": 1}


def seats_alone(handicap: Mapping[str, object] | None = None, **options: object) -> Table:
    """A match of N and S, on seat buttons alone."""
    given = {"N": handicap, "S": handicap} if handicap else None
    table = Table("NS", box=False, handicap=given, options=options or None)
    table.watchers.append(watch_the_question)
    return table.started("N")


def asked(table: Table) -> str:
    """Return the open question or list."""
    menu = table.view.menu
    return "" if menu is None else str(menu.title)


def in_menu(table: Table, by: str = "N") -> Table:
    return table.calm().hold(by, "fix").wait(1.0)


# --- fouls and pieces off, without the box ---------------------------------------------


def test_a_foul_is_called_from_the_menu_by_ok_and_fix_alone() -> None:
    table = in_menu(seats_alone()).pick("foul", by="N").must_be(Phase.REVIEW)
    assert table.proposed == "foul"
    table.wait(1.0).ok("N")
    assert table.entries == ["N foul"]


def test_a_piece_off_the_board_is_called_from_the_menu() -> None:
    table = in_menu(seats_alone()).pick("piece off the board", by="N").must_be(Phase.REVIEW)
    assert table.proposed == "STRIKER off"
    table.wait(1.0).ok("N").must_be(Phase.READY)
    assert table.entries == ["N striker^"]


def test_a_foul_called_while_a_piece_falls_is_called_of_that_stroke() -> None:
    table = in_menu(seats_alone()).fall("NE").pick("foul", by="N").must_be(Phase.REVIEW)
    assert table.proposed == "foul, RED NE"
    table.wait(1.0).ok("N")
    assert table.entries == ["N red@NE foul"]


def test_the_menu_of_a_review_marks_the_stroke_that_is_open() -> None:
    table = seats_alone().review("NE").wait(0.5).hold("N", "fix").pick("menu", by="N")
    table.pick("foul", by="N").must_be(Phase.REVIEW)
    assert table.proposed == "foul, RED NE"
    table.wait(0.5).hold("N", "fix").pick("menu", by="N").pick("piece off the board", by="N")
    assert table.proposed == "foul, RED NE, STRIKER off"


def test_off_goes_on_from_the_piece_that_was_edited_to_have_flown_off() -> None:
    """Editing, which shows the striker off beside a puck, does not begin the round anew."""
    table = seats_alone().review("NE").wait(0.5).hold("N", "fix").wait(0.5)
    table.pick("piece off the board", by="N").pick("piece 1: in NE", by="N")
    assert table.proposed == "RED SE, STRIKER off"
    marked = [table.pick("piece off the board", by="N").proposed for _ in range(4)]
    assert marked == [f"RED SE{off}" for off in (", RED off", ", GREEN off", ", JACK off", "")]


def foul_is_taken(table: Table) -> bool:
    """Return whether FOUL of the box does anything here."""
    before = table.dialogue.proposal
    return table.foul().dialogue.proposal is not before


MASS_BREAK = {"options": {"opening": "mass_break"}}


@pytest.mark.parametrize("seats", ["NS", "NESW"])
@pytest.mark.parametrize("falls", [(), ("NE",)], ids=["ready", "review"])
@pytest.mark.parametrize("again", [False, True], ids=["first stroke", "a later stroke"])
@pytest.mark.parametrize(
    ("rules", "more"), [*((each.value, {}) for each in RULES), ("hikone", MASS_BREAK)]
)
def test_a_foul_is_a_line_exactly_where_foul_is_taken(
    rules: str, more: dict[str, Any], again: bool, falls: tuple[str, ...], seats: str
) -> None:
    def board(box: bool) -> Table:
        table = Table(seats, box=box, lineup=seats, rules=rules, **more).started("N")
        if again:
            table.miss("N").calm()
            if asked(table):  # was the group touched?
                table.ok("N").calm()
        return table.review(*falls).wait(0.5) if falls else table

    listed = in_menu(board(box=False))
    if falls:
        listed.pick("menu", by="N")
    assert ("foul" in listed.items) is foul_is_taken(board(box=True))
    foul = ["foul"] if "foul" in listed.items else []
    assert listed.items[: len(foul) + 2] == [*foul, "piece off the board", "correct the counts"]


# --- the called pocket -----------------------------------------------------------------

CALLS = {"pucks_needed": 1, "called_pocket": True}


def ready_to_win(handicap: Mapping[str, object]) -> Table:
    """N has all it needs: the jack wins the board."""
    return seats_alone(handicap).shot("RED NE", "NE", by="N")


def test_a_pocket_is_called_before_the_stroke_and_stands_in_the_record() -> None:
    table = in_menu(ready_to_win(CALLS)).pick("call a pocket", by="N").pick("called SW", by="N")
    table.must_be(Phase.READY)
    assert str(table.view.detail) == "called SW"
    table.review("SW").choose("called SW, JACK SW", "N").wait(0.5)
    assert str(table.view.ok) == "hold: yes"
    table.hold("N", "ok").must_be(Phase.MATCH_OVER)
    assert table.entries[-1] == "N jack@SW call@SW"
    assert table.view.winner is Side.RED


def test_a_jack_in_another_pocket_than_called_comes_back() -> None:
    table = in_menu(ready_to_win(CALLS)).pick("call a pocket", by="N").pick("called SW", by="N")
    table.review("NW").choose("called SW, JACK NW", "N").wait(0.5).ok("N").must_be(Phase.PLACING)
    assert table.entries[-1] == "N jack@NW call@SW"
    table.calm().ok("N").calm()
    assert table.shooter == "S"


def test_a_jack_without_a_called_pocket_asks_for_it() -> None:
    table = ready_to_win(CALLS).review("SE").choose("JACK SE", "N").wait(0.5)
    assert str(table.view.detail) == "OK: pocket called?"
    assert str(table.view.ok) == "answer"
    table.ok("N")
    assert asked(table) == "which pocket called?"
    table.pick("called SE", by="N").must_be(Phase.REVIEW)
    assert table.proposed == "called SE, JACK SE"
    table.wait(0.5).hold("N", "ok").must_be(Phase.MATCH_OVER)
    assert table.entries[-1] == "N jack@SE call@SE"


def test_a_call_belongs_to_its_seat_and_its_stroke() -> None:
    table = in_menu(ready_to_win(CALLS)).pick("call a pocket", by="N").pick("called SW", by="N")
    table.calm().miss("N")
    assert str(table.view.detail) == "", "S has called nothing"
    table.miss("S")
    assert str(table.view.detail) == "jack may be played, call a pocket"


def test_a_call_outlasts_undo_redo_corrections_and_a_power_cut() -> None:
    table = in_menu(ready_to_win(CALLS)).pick("call a pocket", by="N").pick("called SW", by="N")
    table.calm().undo("N").wait(1.0).ok("N").calm().must_be(Phase.READY)
    assert str(table.view.detail) == "called SW"
    table.hold("N", "fix").wait(1.0).pick("correct the counts", by="N").pick("GREEN in", by="N")
    table.pick("the table is right", by="N")
    check_a_restart(table)
    table.restart().ok("N").calm().must_be(Phase.READY)
    assert str(table.view.detail) == "called SW"


def test_a_call_is_taken_away_again() -> None:
    table = in_menu(ready_to_win(CALLS)).pick("call a pocket", by="N").pick("called SW", by="N")
    in_menu(table).pick("call a pocket", by="N").pick("no pocket called", by="N")
    assert str(table.view.detail) == "jack may be played, call a pocket"


def test_only_a_side_that_has_to_call_is_offered_it() -> None:
    table = in_menu(seats_alone())
    assert "call a pocket" not in table.items
    one = Table("NS", box=False, handicap={"S": CALLS}).started("N")
    assert "call a pocket" not in in_menu(one).items
    assert "call a pocket" in in_menu(one.undo("N").calm().miss("N"), "S").items


def test_a_wrong_call_is_mended_by_editing() -> None:
    table = in_menu(ready_to_win(CALLS)).pick("call a pocket", by="N").pick("called SW", by="N")
    table.review("SE").choose("called SW, JACK SE", "N").wait(0.5).hold("N", "fix")
    table.pick("called SW", by="N").pick("called SE", by="N").must_be(Phase.REVIEW)
    assert table.proposed == "called SE, JACK SE"


# --- by the cushion --------------------------------------------------------------------

BANKS = {"pucks_needed": 1, "must_bank": True}


def asked_for_the_cushion() -> Table:
    table = ready_to_win(BANKS).review("SE").choose("JACK SE", "N").wait(0.5)
    assert str(table.view.detail) == "OK: by the cushion?"
    return table.ok("N").wait(0.5)


def test_the_jack_of_a_side_that_must_bank_asks_and_ok_says_yes() -> None:
    table = asked_for_the_cushion()
    assert asked(table) == "by the cushion?"
    assert (str(table.view.ok), str(table.view.fix)) == ("yes", "no")
    table.ok("N").must_be(Phase.REVIEW)
    assert table.proposed == "banked, JACK SE"
    table.wait(0.5).hold("N", "ok").must_be(Phase.MATCH_OVER)
    assert table.entries[-1] == "N jack@SE banked"


def test_fix_says_that_the_jack_came_without_a_cushion() -> None:
    table = asked_for_the_cushion().fix("N").must_be(Phase.REVIEW)
    assert table.proposed == "not banked, JACK SE"
    table.wait(0.5).ok("N").must_be(Phase.PLACING)
    assert table.entries[-1] == "N jack@SE unbanked"


def test_idle_hands_answer_nothing_and_it_is_asked_again() -> None:
    table = asked_for_the_cushion().wait(21.0).must_be(Phase.REVIEW)
    assert asked(table) == ""
    assert table.dialogue.proposal is not None
    assert not table.dialogue.proposal.flags
    table.ok("N")
    assert asked(table) == "by the cushion?"


def test_what_is_asked_of_the_jack_outlasts_a_power_cut() -> None:
    table = asked_for_the_cushion()
    check_a_restart(table)
    table.restart().wait(1.0)
    assert asked(table) == "by the cushion?"
    table.fix("N").wait(0.5)
    check_a_restart(table)
    table.restart().wait(1.0)
    assert table.proposed == "not banked, JACK SE"


def test_both_are_asked_one_after_the_other() -> None:
    table = ready_to_win({**CALLS, **BANKS}).review("SE").choose("JACK SE", "N").wait(0.5)
    table.ok("N").pick("called SE", by="N").wait(0.5).ok("N").wait(0.5).ok("N").wait(0.5)
    assert table.proposed == "banked, called SE, JACK SE"
    table.hold("N", "ok").must_be(Phase.MATCH_OVER)
    assert table.entries[-1] == "N jack@SE banked call@SE"


@pytest.mark.parametrize(
    ("handicap", "said"),
    [(CALLS, "call@NE"), (CALLS, "call@SW"), (BANKS, "banked"), (BANKS, "unbanked")],
)
def test_a_jack_that_wins_with_the_last_puck_is_asked_about_as_well(
    handicap: dict[str, object], said: str
) -> None:
    table = seats_alone(handicap, last_puck_with_jack="win").review("NE", "SE")
    table.choose("JACK NE, RED SE", "N").wait(0.5).ok("N")
    if handicap is CALLS:
        assert asked(table) == "which pocket called?"
        table.pick(said.replace("call@", "called "), by="N")
    else:
        assert asked(table) == "by the cushion?"
        (table.ok if said == "banked" else table.fix)("N")
    check_a_restart(table)
    table.must_be(Phase.REVIEW).wait(0.5).hold("N", "ok")
    assert table.entries[-1] == f"N jack@NE red@SE {said}"
    assert (table.view.winner is Side.RED) is (said in ("call@NE", "banked"))


def test_a_jack_entered_by_hand_asks_its_pocket_where_the_rules_need_it() -> None:
    table = ready_to_win(CALLS).calm().fix("N").must_be(Phase.REVIEW).choose("JACK", "N").wait(0.5)
    assert str(table.view.detail) == "OK: which pocket?"
    table.ok("N").pick("in NW", by="N").wait(0.5)
    assert table.proposed == "JACK NW"
    table.ok("N").pick("called NW", by="N").wait(0.5).hold("N", "ok").must_be(Phase.MATCH_OVER)
    assert table.entries[-1] == "N jack@NW call@NW"


@pytest.mark.parametrize("flag", [Flag.BANKED, Flag.UNBANKED])
def test_the_cushion_can_be_said_by_editing_too(flag: Flag) -> None:
    table = ready_to_win(BANKS).review("SE").choose("JACK SE", "N").wait(0.5).hold("N", "fix")
    table.pick("cushion: not said", by="N")
    if flag is Flag.UNBANKED:
        table.pick("banked", by="N")
    assert table.dialogue.proposal is not None
    assert table.dialogue.proposal.flags == {flag}
    table.pick("called: nothing", by="N")
    assert table.dialogue.proposal is not None
    assert table.dialogue.proposal.flags == {flag, Flag.FOUL}, "a foul is another thing"


def test_answers_are_dropped_when_another_seat_turns_out_to_have_shot() -> None:
    table = Table("NS", box=False, handicap={"N": BANKS, "S": {}}).started("N")
    table.shot("RED NE", "NE", by="N").review("SE").choose("JACK SE", "N").wait(0.5).ok("N")
    table.wait(0.5).ok("N").wait(0.5).hold("N", "fix").pick("shooter N", by="N")
    table.pick("done", by="N")
    assert "banked" not in table.proposed


def running(table: Table) -> bool:
    return table.view.clock.running


# --- time-outs -------------------------------------------------------------------------


def test_a_time_out_stops_the_clock_says_whose_it_is_and_is_written_down() -> None:
    table = in_menu(seats_alone(time_limit_s=300)).pick("time-out", by="N")
    table.pick("time-out of GREEN", by="N").must_be(Phase.PAUSED)
    assert str(table.view.headline) == "time-out of GREEN"
    assert not running(table)
    assert table.last(EntryKind.TIME_OUT)["side"] == "green"
    left_ns = table.view.clock.remaining_ns
    table.wait(60.0)
    assert table.view.clock.remaining_ns == left_ns
    check_a_restart(table)
    table.ok("N").must_be(Phase.READY)
    assert running(table)
    in_menu(table).pick("pause", by="N")
    assert str(table.view.headline) == "paused", "the time-out is over"


def test_a_time_out_outlasts_a_power_cut() -> None:
    table = in_menu(seats_alone(time_limit_s=300)).pick("time-out", by="N")
    table.pick("time-out of RED", by="N").restart().must_be(Phase.PAUSED)
    assert table.dialogue.question == Paused(Side.RED)
    table.ok("N").must_be(Phase.READY)


def test_a_placed_stack_waits_behind_a_time_out() -> None:
    table = seats_alone().shot("RED NE", "NE", by="N").review("SW").choose("STRIKER SW", "N")
    table.wait(0.5).ok("N").must_be(Phase.PLACING).calm().hold("N", "fix").wait(1.0)
    table.pick("time-out", by="N").pick("time-out of RED", by="N").wait(3.1).ok("N")
    table.must_be(Phase.PLACING)


def test_pockets_of_a_call_are_those_of_the_board() -> None:
    table = in_menu(ready_to_win(CALLS)).pick("call a pocket", by="N")
    named = [f"called {pocket.value}" for pocket in Pocket]
    assert table.items == [*named, "no pocket called", "close"]


def test_zero_changes_nothing_about_a_jack_of_which_the_cushion_is_asked_first() -> None:
    both = {"pucks_needed": 1, "must_bank": True, "called_pocket": True}
    table = seats_alone(both, time_limit_s=60, time_end="stop").shot("RED NE", "NE", by="N")
    in_menu(table).pick("call a pocket", by="N").pick("called NE", by="N")
    table.review("NW").choose("called NE, JACK NW", "N")
    ask = table.view.ask
    table.wait(60.0)
    assert table.view.clock.remaining_ns == 0
    assert table.view.ask == ask, "OK still asks about the cushion; nothing else has changed"
