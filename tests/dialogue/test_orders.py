"""A hall's order at the board: offered before a match, answered by people, never in a match."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given, strategies as st

from jackspot.core.agreement import agree
from jackspot.core.clock import SECOND_NS
from jackspot.core.order import Begins, MatchOrder, MovedAway
from jackspot.core.record import read_record
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.plans import ordered, planned, rules_of
from jackspot.dialogue.state.preferences import Lock
from jackspot.dialogue.state.view import HallView, OrderState, Phase
from jackspot.sensing.events import DeskTold, HallPlace, OrderTold, PlaceTold
from jackspot.values import changed
from tests.core.play import draw_record
from tests.dialogue.dialogue_checks import check_all
from tests.dialogue.playing import Table, order


def told(table: Table, given: MatchOrder | None) -> Table:
    return table.give(OrderTold(table.now_ns, given)).wait(1.0)


def reported(table: Table) -> tuple[int | None, OrderState]:
    assert table.view.hall is not None
    return table.view.hall.order, table.view.hall.state


def said(table: Table) -> tuple[str, str, str, str]:
    view = table.view
    return str(view.headline), str(view.detail), str(view.ok), str(view.fix)


def over(table: Table, loser: str = "S") -> Table:
    table.hold("referee", "fix").wait(1.0).pick("resign").wait(0.5).pick(
        f"{loser} resigns", held=True
    ).calm()
    return table.must_be(Phase.MATCH_OVER)


def test_an_order_is_offered_in_set_up_and_its_players_say_that_they_are_here() -> None:
    table = told(Table(), order())
    assert said(table) == ("next: Aiko - Ben", "quarter-final, at N S", "we are here", "not us")
    assert reported(table) == (17, OrderState.OFFERED)
    check_all(table)
    table.ok("N").calm().must_be(Phase.SETUP)
    assert said(table)[:1] == ("N shoots first",)
    assert table.view.sides[0].names == ("Aiko",)
    assert reported(table) == (17, OrderState.SEATED)
    check_all(table)
    table.ok("S").calm().must_be(Phase.READY)
    assert table.shooter == "S"
    assert 'round = "quarter-final"' in table.record
    assert reported(table) == (17, OrderState.PLAYING)
    assert table.last(EntryKind.MATCH)["order"] == 17
    check_all(table)
    assert reported(over(table)) == (17, OrderState.OVER)
    check_all(table)


def test_others_who_sit_there_leave_it_to_the_desk() -> None:
    table = told(Table(lineup="EW"), order()).fix("referee").wait(1.0)
    assert reported(table) == (17, OrderState.DECLINED)
    assert str(table.view.detail) == "the desk is told"
    check_all(table)
    table.ok("W").calm().must_be(Phase.READY)
    assert reported(table) == (None, OrderState.PLAYING)
    assert "order" not in table.last(EntryKind.MATCH)
    assert "Aiko" not in table.record


def test_once_a_match_is_over_the_desk_hears_that_others_are_there_until_it_takes_it_back() -> None:
    table = over(told(Table().started(), order())).fix("referee").wait(1.0)
    assert reported(table) == (17, OrderState.DECLINED)
    assert str(table.view.detail) == "the desk is told"
    check_all(table)
    told(table, order(18))
    assert reported(table) == (18, OrderState.OFFERED)
    told(table, None)
    assert reported(table) == (None, OrderState.OVER)


@pytest.mark.parametrize("press", ["undo", "fix held"])
def test_an_order_gives_a_seat_its_two_answers_and_nothing_else(press: str) -> None:
    referee = DialogueSettings(confirm=Confirm.REFEREE)
    table = told(over(Table(dialogue_settings=referee).started()), order())
    if press == "undo":
        table.undo("S")
    else:
        table.hold("S", "fix")
    table.must_be(Phase.MATCH_OVER)
    assert table.last(EntryKind.SWALLOWED)["why"] == "the referee decides, not S"
    assert table.dialogue.menu is None
    table.wait(1.0).ok("N").calm()
    assert reported(table) == (17, OrderState.SEATED)


def test_an_answer_to_an_order_that_was_taken_back_is_told_no_more() -> None:
    table = told(told(Table(), order()).fix("referee").wait(1.0), order(18))
    assert reported(table) == (18, OrderState.OFFERED)
    told(table, None)
    assert reported(table) == (None, OrderState.NONE)


@pytest.mark.parametrize("is_over", [False, True])
def test_nothing_that_was_remarked_hides_whom_a_new_order_calls(is_over: bool) -> None:
    table = told(over(Table().started()) if is_over else Table(), order())
    table.fix("referee").wait(1.0)
    assert str(table.view.detail) == "the desk is told"
    told(table, order(18, "EW"))
    assert said(table)[1] == ("next: Aiko - Ben" if is_over else "quarter-final, at E W")


def test_a_seat_that_does_not_play_is_refused_and_an_order_with_another_number_asks_anew() -> None:
    table = told(Table(), order()).ok("E").wait(1.0)
    assert reported(table) == (17, OrderState.OFFERED)
    assert str(table.view.detail) == "E does not play"
    table.ok("N").calm()
    told(table, order())
    assert reported(table) == (17, OrderState.SEATED)
    told(table, order(18, "EW"))
    assert said(table)[1] == "quarter-final, at E W"
    table.ok("W").calm().ok("W").calm().must_be(Phase.READY)
    assert reported(table) == (18, OrderState.PLAYING)


def test_where_none_of_its_seats_has_buttons_whoever_has_answers() -> None:
    table = told(Table("NS", box=False, page=False), order(seats="EW")).ok("S").calm()
    assert reported(table) == (17, OrderState.SEATED)


def test_an_order_interrupts_no_match_and_is_offered_once_it_is_over() -> None:
    table = Table().started()
    table.fall("NE").wait(1.6).must_be(Phase.REVIEW)
    before = (said(table), table.view.ask)
    told(table, order())
    assert (said(table), table.view.ask) == before
    assert reported(table) == (None, OrderState.PLAYING)
    table.ok("referee").calm()
    over(table)
    assert said(table) == ("RED wins", "next: Aiko - Ben", "we are here", "not us")
    assert reported(table) == (17, OrderState.OFFERED)
    check_all(table)
    table.ok("S").calm().must_be(Phase.SETUP)
    assert reported(table) == (17, OrderState.SEATED)
    check_all(table)
    table.undo().calm().must_be(Phase.MATCH_OVER)
    check_all(table)


def test_an_order_that_comes_just_before_a_press_does_not_take_it() -> None:
    """A press answers what was asked when the finger went down."""
    table = Table().down("N", "ok").wait(0.02)
    table.give(OrderTold(table.now_ns, order())).up("N", "ok").wait(1.0)
    assert table.phase is Phase.SETUP
    assert reported(table) == (17, OrderState.OFFERED)


@pytest.mark.parametrize("ended", [False, True], ids=["set-up", "match over"])
def test_one_that_begins_at_once_is_started_by_its_players_word(ended: bool) -> None:
    table = over(Table().started()) if ended else Table()
    told(table, order(seats="SN", begins=Begins.NOW)).ok("N").calm().must_be(Phase.READY)
    assert table.shooter == "S"
    assert table.view.clock.running
    check_all(table)


def test_one_that_begins_by_the_gong_waits_for_it() -> None:
    table = told(Table(), order(begins=Begins.GONG)).ok("N").calm().ok("N").calm()
    assert str(table.view.headline) == "waiting for the gong"
    assert not table.view.clock.running
    check_all(table)


def test_a_start_that_is_taken_back_seats_its_players_again() -> None:
    table = told(Table(), order()).ok("N").calm().ok("N").calm().undo().calm()
    table.must_be(Phase.SETUP)
    assert reported(table) == (17, OrderState.SEATED)
    check_all(table)
    table.ok("S").calm()
    assert reported(table) == (17, OrderState.PLAYING)


# --- with all that was agreed for it -----------------------------------------------------


def with_handicap(number: int = 17, begins: Begins = Begins.PLAYERS, boards: int = 1) -> MatchOrder:
    """An order in which the first side has five pucks in already."""
    settings = agree(
        {
            "rules": "hikone", "seats": ["E", "W"], "round": "quarter-final",
            "names": {"E": "Aiko", "W": "Ben"}, "handicap": {"E": {"head_start": 5}},
            "options": {"time_limit_s": 300, "best_of": boards},
        }
    )  # fmt: skip
    return MatchOrder(number, settings, begins)


def ended(table: Table) -> Table:
    """End the match from the menu."""
    table.hold("referee", "fix").wait(1.0).pick("end this match", held=True).calm()
    return table.must_be(Phase.SETUP)


def begins_as_agreed(table: Table) -> Table:
    """Start, and check that it is the match of :func:`with_handicap` with nothing left out."""
    table.must_be(Phase.SETUP)
    assert reported(table) == (17, OrderState.SEATED)
    assert {(side.seats, side.names, side.pocketed) for side in table.view.sides} == {
        (("E",), ("Aiko",), 5), (("W",), ("Ben",), 0),
    }  # fmt: skip
    check_all(table)
    table.ok("E").calm().must_be(Phase.READY)
    assert reported(table) == (17, OrderState.PLAYING)
    assert table.last(EntryKind.MATCH)["order"] == 17
    assert table.game.match.settings == with_handicap().settings
    return table


def restarted(table: Table, cut: bool) -> Table:
    """Cut the power, or do not; the hall says again what it has ordered."""
    return told(table.restart(), with_handicap()) if cut else table


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize("then", ["play again", "end", "take back"])
@pytest.mark.parametrize("before", [None, 16], ids=["plain", "ordered"])
def test_people_who_are_seated_keep_what_was_agreed_whatever_becomes_of_the_match_before(
    before: int | None, then: str, cut: bool
) -> None:
    table = Table() if before is None else told(Table(), order(before)).ok("N").calm()
    over(table.ok("N").calm())
    told(table, with_handicap()).ok("E").calm()
    restarted(table, cut).undo().calm().must_be(Phase.MATCH_OVER)
    if then == "play again":
        table.hold("referee", "ok").calm()
    elif then == "end":
        ended(table)
    else:
        table.undo().calm().undo().calm()
    begins_as_agreed(restarted(table, cut))


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize("first", ["E", "W"])
@pytest.mark.parametrize("how", ["at once", "ended and brought back", "with a stroke", "twice"])
def test_a_start_that_is_taken_back_seats_them_with_all_that_was_agreed(
    how: str, first: str, cut: bool
) -> None:
    table = told(Table(), with_handicap()).ok("E").calm().ok(first).calm()
    if how == "ended and brought back":
        ended(table).undo().calm().must_be(Phase.PAUSED).ok("referee").calm()
    elif how != "at once":
        table.shot("GREEN NE", "NE").undo().calm()
    restarted(table, cut)
    if table.phase is Phase.PAUSED:
        table.ok("referee").calm()
    table.undo().calm().must_be(Phase.SETUP)
    if how == "twice":
        table.undo().calm().must_be(Phase.PAUSED)
        assert reported(table) == (17, OrderState.PLAYING)
        check_all(table)
        table.ok("referee").calm().undo().calm()
    over(begins_as_agreed(restarted(table, cut)), "W")
    table.hold("referee", "ok").calm().must_be(Phase.SETUP)
    assert reported(table) == (None, OrderState.NONE)
    assert table.view.sides[0].names == ("",)


def test_a_match_that_is_brought_back_from_a_start_taken_back_is_the_call_s_one_match() -> None:
    table = told(Table(), with_handicap()).ok("E").calm().ok("E").calm()
    table.shot("RED NE", "NE").undo().calm().undo().calm().must_be(Phase.SETUP)
    table.undo().calm().must_be(Phase.PAUSED).ok("referee").calm()
    over(table.ok("referee").calm(), "W").hold("referee", "ok").calm()
    assert reported(table) == (None, OrderState.NONE)
    assert table.view.sides[0].names == ("",)


@pytest.mark.parametrize("further", [(), ("N", "referee"), ("N", "N")], ids=str)
def test_who_is_brought_back_from_a_start_taken_back_plays_the_call_whatever_was_said_since(
    further: tuple[str, ...],
) -> None:
    """FIX says that others are to play, and FIX again that those called are not here."""
    table = told(Table(), order()).ok("N").calm().ok("N").calm().shot("RED NE", "NE")
    table.undo().calm().undo().calm()
    for by in further:
        table.fix(by).calm()
    table.undo().calm().must_be(Phase.PAUSED)
    over(table.ok("referee").calm().ok("referee").calm())
    assert reported(table) == (17, OrderState.OVER)


def test_a_match_of_another_hall_that_is_brought_back_answers_no_call_of_the_same_number() -> None:
    table = told(Table(), None).give(PlaceTold(0, HallPlace("hikone", 7)))
    over(told(table, order()).ok("N").calm().ok("N").calm()).calm().hold("referee", "ok").calm()
    table.give(PlaceTold(table.now_ns, HallPlace("kyoto", 7)))
    told(table, with_handicap()).ok("E").calm()
    assert reported(table) == (17, OrderState.SEATED)
    table.undo().calm().must_be(Phase.MATCH_OVER).calm().hold("referee", "ok").calm()
    assert reported(table.must_be(Phase.SETUP)) == (17, OrderState.SEATED)


@pytest.mark.parametrize("what", ["match", "locked"])
def test_where_the_config_changed_while_the_board_was_off_the_call_is_asked_about_again(
    what: str,
) -> None:
    table = told(Table(), order()).ok("N").calm()
    if what == "match":
        table.plan = changed(
            table.plan, header={**table.plan.header, "options": {"time_limit_s": 600}}
        )
    else:
        locked = frozenset({Lock.BOARDS})
        table.dialogue_settings = changed(table.dialogue_settings, locked=locked)
    told(table.restart(), order())
    assert reported(table) == (17, OrderState.OFFERED)
    begun = table.wait(3).ok("N").calm().ok("N").calm().must_be(Phase.READY)
    assert begun.game.match.settings.names


def no_longer_seated(table: Table, how: str) -> Table:
    """Seat the people of order 17, and then let them be called no longer."""
    told(table, with_handicap()).ok("E").calm()
    if how == "withdrawn":
        return told(table, None)
    if how == "another is called":
        return told(table, order(18)).fix("referee").calm()
    table.give(PlaceTold(table.now_ns, HallPlace("hikone", 7))).wait(1.0)
    return table.give(PlaceTold(table.now_ns, HallPlace("hikone", 7, left=True))).wait(1.0)


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize("how", ["withdrawn", "another is called", "the hall is left"])
def test_of_people_who_are_called_no_longer_nothing_stays(how: str, cut: bool) -> None:
    table = no_longer_seated(Table(armed=True), how)
    table = table.restart() if cut else table
    assert [(side.names, side.pocketed) for side in table.view.sides] == [
        (("",), 0), (("",), 0),
    ]  # fmt: skip
    assert table.view.clock.armed
    check_all(table)
    table.ok("E").calm().must_be(Phase.READY)
    assert "order" not in table.last(EntryKind.MATCH)
    assert "quarter-final" not in table.record


@pytest.mark.parametrize("how", ["left", "another declined"])
def test_a_start_that_is_taken_back_once_its_order_is_gone_is_of_nobody(how: str) -> None:
    table = told(Table(), with_handicap()).ok("E").calm().ok("E").calm()
    if how == "left":
        table.give(PlaceTold(table.now_ns, HallPlace("hikone", 7))).wait(1.0)
        table.give(PlaceTold(table.now_ns, HallPlace("hikone", 7, left=True))).wait(1.0)
    else:
        over(told(table, order(18)), "W").fix("referee").calm().undo().calm()
    table.undo().calm().must_be(Phase.SETUP).ok("E").calm()
    assert "order" not in table.last(EntryKind.MATCH)
    assert "Aiko" not in table.record


LOCKS = (Lock.RULES, Lock.PLAYERS, Lock.TIME, Lock.BOARDS)


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize("after", ["played", "withdrawn", "another is called", "the hall is left"])
@pytest.mark.parametrize("locked", [*((each,) for each in LOCKS), LOCKS, ()])
def test_after_an_order_what_is_locked_is_the_config_s_again(
    locked: tuple[Lock, ...], after: str, cut: bool
) -> None:
    config = {"time_limit_s": 600, "best_of": 5, "time_end": "finish_turn", "striker_penalty": 2}
    settings = DialogueSettings(locked=frozenset(locked))
    table = Table(dialogue_settings=settings, options=config, armed=True)
    if after == "played":
        over(told(table, with_handicap()).ok("E").calm().ok("E").calm(), "W")
        table.hold("referee", "ok").calm()
    else:
        no_longer_seated(table, after)
    table = table.restart() if cut else table
    plan = table.dialogue.plan
    assert plan.armed, "the gong is the config's, unless people say otherwise"
    assert (planned(plan, "time_limit_s") == 600) is (Lock.TIME in locked)
    assert (planned(plan, "time_end") == "finish_turn") is (Lock.TIME in locked)
    assert (planned(plan, "best_of") == 5) is (Lock.BOARDS in locked)
    assert (planned(plan, "striker_penalty") == 2) is (Lock.RULES in locked)
    assert (plan.lineup == ("N", "S")) is (Lock.PLAYERS in locked)
    table.ok("N" if Lock.PLAYERS in locked else "E").calm().must_be(Phase.READY)


@pytest.mark.parametrize("theirs", RuleSystem)
@pytest.mark.parametrize("ours", RuleSystem)
def test_whatever_the_rules_of_an_order_the_next_match_can_be_played(
    ours: RuleSystem, theirs: RuleSystem
) -> None:
    seats = ["N", "W", "S", "E"] if theirs is RuleSystem.ICF else ["N", "E", "S", "W"]
    given = MatchOrder(17, agree({"rules": theirs, "seats": seats}))
    for locked in (*((each,) for each in LOCKS), LOCKS, ()):
        settings = DialogueSettings(locked=frozenset(locked))
        table = Table(dialogue_settings=settings, rules=ours.value, options={"time_limit_s": 600})
        told(told(table, given).ok("N").calm(), None)
        plan = table.dialogue.plan
        assert rules_of(plan) is (ours if Lock.RULES in locked else theirs)
        limit_s = 600 if Lock.TIME in locked else planned(ordered(given), "time_limit_s")
        assert planned(plan, "time_limit_s") == limit_s or Lock.RULES in locked
        assert len(plan.lineup) == (2 if Lock.PLAYERS in locked else 4)
        table.ok("N").calm().must_be(Phase.READY)


def test_names_that_the_config_gives_and_locks_are_there_again_after_an_order() -> None:
    table = Table(handicap={"S": {"head_start": 2}})
    table.plan = changed(table.plan, header={**table.plan.header, "names": {"N": "Chie"}})
    over(told(table.restart(), order()).ok("N").calm().ok("N").calm())
    table.hold("referee", "ok").calm()
    assert [(side.names, side.pocketed) for side in table.view.sides] == [
        (("Chie",), 0), (("",), 2),
    ]  # fmt: skip


# --- its gong ----------------------------------------------------------------------------


def after_board_one(table: Table) -> Table:
    """Play on, end the first board, and begin the second."""
    if table.phase is Phase.PAUSED:
        table.ok("referee").calm()
    if str(table.view.headline) == "waiting for the gong":
        table.ok("referee").calm()
    table.hold("referee", "fix").wait(1.0).pick("void the board", held=True).calm()
    if table.phase is Phase.BOARD_OVER:
        table.ok("referee").calm()
    return table.must_be(Phase.READY)


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize("way", ["straight", "brought back", "seated meanwhile"])
@pytest.mark.parametrize("begins", [Begins.GONG, Begins.PLAYERS])
def test_each_board_of_a_match_waits_for_the_gong_if_its_first_one_did(
    begins: Begins, way: str, cut: bool
) -> None:
    other = Begins.PLAYERS if begins is Begins.GONG else Begins.GONG
    table = told(Table(), with_handicap(begins=begins, boards=3)).ok("E").calm().ok("E").calm()
    if way != "straight":
        ended(table)
        if way == "seated meanwhile":
            told(table, with_handicap(18, other, boards=3)).ok("E").calm()
        table = table.restart() if cut else table
        table.undo().calm().must_be(Phase.PAUSED)
    table = table.restart() if cut else table
    after_board_one(table)
    assert table.view.board == 2
    assert table.view.clock.armed is (begins is Begins.GONG)
    assert table.view.clock.running is (begins is not Begins.GONG)
    check_all(table)


def test_who_was_called_plays_once() -> None:
    """When people play on at the board, it is not another match of those who were called."""
    table = over(told(Table(), order(begins=Begins.GONG)).ok("N").calm().ok("N").calm())
    table.hold("referee", "ok").calm().must_be(Phase.SETUP)
    assert table.view.sides[0].names == ("",)
    assert not table.view.clock.armed
    table.ok("N").calm()
    assert "quarter-final" not in table.record
    assert reported(table) == (None, OrderState.PLAYING)


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize("how", ["FIX", "a list"])
def test_where_others_are_to_play_the_order_is_asked_about_again(how: str, cut: bool) -> None:
    """What others play is not its match, with its number and without its names."""
    table = told(Table(), order()).ok("N").calm()
    table = told(table.restart(), order()) if cut else table
    if how == "FIX":
        table.fix("N").calm()
    else:
        table.hold("referee", "fix").wait(1.0).pick("seats N S").wait(0.5).undo().calm()
    assert reported(table) == (17, OrderState.OFFERED)
    assert said(table)[2:] == ("we are here", "not us")
    check_all(table)
    other = table.another().ok("S").calm().ok("N").calm()
    assert reported(other) == (17, OrderState.PLAYING)
    assert other.view.sides[0].names == ("Aiko",)
    table.fix("referee").calm()
    assert reported(table) == (17, OrderState.DECLINED)
    table.ok(table.dialogue.plan.first.value).calm().must_be(Phase.READY)
    assert "order" not in table.last(EntryKind.MATCH)
    assert "quarter-final" not in table.record


def test_an_order_that_is_withdrawn_is_gone() -> None:
    table = told(told(Table(), order()), None)
    assert reported(table) == (None, OrderState.NONE)
    assert said(table)[2] == "start"
    told(table, order(18)).ok("N").calm()
    told(table, None)
    assert table.view.sides[0].names == ("",)
    assert reported(table) == (None, OrderState.NONE)


def test_free_play_and_pictures_of_help_make_room_for_an_order() -> None:
    table = Table().hold("referee", "fix").wait(1.0).pick("free play").wait(600.0)
    assert said(table)[2] == "wake up"
    told(table, order())
    assert table.view.free is None
    assert said(table)[0] == "next: Aiko - Ben"
    assert said(table.wait(3_600.0))[2:] == ("we are here", "not us")


@pytest.mark.parametrize("reboot", [False, True])
def test_a_power_cut_forgets_neither_who_sits_there_nor_whose_match_it_is(reboot: bool) -> None:
    table = told(Table(), order()).ok("N").calm().restart(reboot=reboot)
    assert reported(table) == (17, OrderState.SEATED)
    assert table.view.sides[0].names == ("Aiko",)
    told(table, order())
    assert reported(table) == (17, OrderState.SEATED)
    table.ok("N").calm().restart(reboot=reboot).ok("referee").calm()
    told(table, order())
    assert reported(table) == (17, OrderState.PLAYING)
    assert 'round = "quarter-final"' in table.record


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize(("away", "unsent"), [(False, 0), (True, 0), (True, 1)])
def test_whether_the_desk_has_a_result_is_said_only_once_the_hall_has_told(
    away: bool, unsent: int, cut: bool
) -> None:
    table = told(Table(), order()).ok("N").calm().ok("N").calm()
    over(table.give(DeskTold(table.now_ns, away, unsent)))
    assert str(table.view.detail) == "resigned", "what was told before is not about this result"
    table.give(DeskTold(table.now_ns, True, unsent + 1))
    kept = f"resigned, kept, {unsent + 1} to send"
    assert str(table.view.detail) == kept
    table.undo().calm().ok("referee").calm().must_be(Phase.MATCH_OVER)
    assert str(table.view.detail) == "resigned", "it may have been corrected"
    if cut:
        table.restart().give(PlaceTold(table.now_ns, HallPlace("hikone", 7))).wait(1.0)
        table.fix("referee").wait(1.0).fix("referee").wait(1.0).undo().calm()
        assert "sent" not in str(table.view.detail)
    table.give(DeskTold(table.now_ns, True, unsent + 1))
    assert kept in str(table.view.detail)


def test_a_desk_that_is_away_is_told_and_so_is_what_it_does_not_have() -> None:
    table = over(Table().started())
    assert str(table.view.detail) == "resigned"
    for away, unsent, detail in ((False, 0, "resigned, sent"), (True, 0, "resigned"),
                                 (True, 2, "resigned, kept, 2 to send")):  # fmt: skip
        table.give(DeskTold(table.now_ns, away, unsent))
        assert str(table.view.detail) == detail
        assert table.view.hall == HallView(None, OrderState.OVER, away, unsent)


# --- a match that moves ------------------------------------------------------------------

LINES = "N 2*red t=30.5\nN - t=41\nS green t=52\n"


def moved(table: Table, number: int = 17, then: MatchOrder | None = None) -> Table:
    return table.give(OrderTold(table.now_ns, then, MovedAway(number, 9))).wait(1.0)


def test_a_match_that_began_elsewhere_goes_on_with_counts_turn_clock_and_undo() -> None:
    table = told(Table(), order(23, lines=LINES, used_ns=60 * SECOND_NS))
    assert said(table) == ("go on: Aiko - Ben", "quarter-final, at N S", "we are here", "not us")
    check_all(table)
    table.ok("N").calm().must_be(Phase.PAUSED)
    assert said(table) == ("goes on here", "in: RED 2, GREEN 1?", "right", "correct")
    assert table.view.clock.remaining_ns == 240 * SECOND_NS
    assert reported(table) == (23, OrderState.PLAYING)
    assert table.record.endswith(LINES)
    check_all(table)
    table.restart().must_be(Phase.PAUSED)
    assert said(table)[1:] == ("in: RED 2, GREEN 1?", "right", "correct")
    assert table.view.clock.remaining_ns == 240 * SECOND_NS
    table.ok("referee").calm().must_be(Phase.READY)
    assert table.shooter == "S"
    assert table.view.clock.running
    table.undo().calm().must_be(Phase.REVIEW)
    table.ok("referee").calm().must_be(Phase.READY)
    check_all(table)


def test_a_match_between_two_boards_goes_on_there() -> None:
    ended = "N 12*red t=200\nN jack t=210\n"
    table = told(Table(), order(lines=ended)).ok("N").calm().must_be(Phase.BOARD_OVER)
    assert str(table.view.detail) == "goes on here"
    table.ok("referee").calm().must_be(Phase.READY)
    assert table.view.board == 2
    table.undo().calm().must_be(Phase.BOARD_OVER)
    assert table.view.clock.remaining_ns == 90 * SECOND_NS
    check_all(table)


ONE_BOARD, NEXT = "", "! resign N\n! board\n"


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize("before", [ONE_BOARD, NEXT], ids=["first board", "second board"])
@pytest.mark.parametrize(
    ("lines", "used_s", "waits"),
    [
        ("! turn S\n", 0, True),
        ("! turn S\n", None, True),
        ("N -\nS -\n", 0, True),
        ("N -\nS -\n", 90, False),
        ("N - t=30\nS - t=60\n", None, False),
        ("N - t=30\nS - t=60\n", 90, False),
    ],
)
def test_a_match_by_gong_waits_for_it_where_it_goes_on_if_its_clock_never_ran(
    lines: str, used_s: int | None, waits: bool, before: str, cut: bool
) -> None:
    used_ns = None if used_s is None else used_s * SECOND_NS
    moving = order(begins=Begins.GONG, lines=before + lines, used_ns=used_ns)
    table = told(Table(), moving).ok("N").calm().must_be(Phase.PAUSED)
    assert table.dialogue.waits_for_gong is waits
    if cut:
        table.restart().must_be(Phase.PAUSED)
    table.ok("referee").calm().must_be(Phase.READY)
    assert (table.view.clock.armed, table.view.clock.running) == (waits, not waits)
    check_all(table)
    if waits:
        table.ok("referee").calm()
        assert table.view.clock.running


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize("begins", [Begins.GONG, Begins.PLAYERS])
def test_its_next_board_waits_for_the_gong_too(begins: Begins, cut: bool) -> None:
    moving = order(begins=begins, lines="N - t=30\n! resign N\n", used_ns=90 * SECOND_NS)
    table = told(Table(), moving).ok("N").calm().must_be(Phase.BOARD_OVER)
    if cut:
        table.restart().calm()
    table.ok("referee").calm().must_be(Phase.READY)
    assert table.view.clock.armed is (begins is Begins.GONG)


def test_what_its_last_stroke_sends_back_is_put_back_first() -> None:
    lines = LINES.replace("S green t", "S green striker t")
    table = told(Table(), order(lines=lines)).ok("N").calm().must_be(Phase.PLACING)
    table.ok("referee").calm().must_be(Phase.PAUSED)
    assert said(table)[0] == "goes on here"
    table.ok("referee").calm().must_be(Phase.READY)


def test_a_clock_that_was_up_elsewhere_comes_to_its_end_once_people_go_on() -> None:
    table = told(Table(), order(23, lines=LINES, used_ns=400 * SECOND_NS)).ok("N").calm()
    table.must_be(Phase.PAUSED).ok("referee").wait(1.0)
    assert table.last(EntryKind.TIME_UP) is not None


def test_a_match_that_went_on_elsewhere_is_put_aside_here() -> None:
    table = told(Table(), order()).ok("N").calm().ok("N").calm().restart().must_be(Phase.PAUSED)
    told(table, order())
    moved(table, then=order(24))
    assert said(table) == ("went on at board 9", "put it aside here?", "yes", "no")
    check_all(table)
    table.ok("referee").calm().must_be(Phase.SETUP)
    assert reported(table) == (24, OrderState.OFFERED)
    check_all(table)


def test_people_who_play_on_are_not_interrupted_and_may_stay() -> None:
    table = told(Table(), order()).ok("N").calm().ok("N").calm().must_be(Phase.READY)
    moved(table)
    assert said(table)[2:] == ("missed", "enter it")
    assert "went on at board 9" in str(table.view.detail)
    check_all(table)
    table.restart().must_be(Phase.PAUSED)
    moved(table).fix("referee").calm()
    assert said(table)[0] == "power was off"
    moved(table)
    assert said(table)[0] == "power was off"
    table.ok("referee").calm().must_be(Phase.READY)
    assert "board 9" not in str(table.view.detail)


@pytest.mark.parametrize("reboot", [False, True])
@pytest.mark.parametrize("in_pause", [False, True])
def test_a_match_that_stays_is_asked_about_no_more_by_a_power_cut(
    in_pause: bool, reboot: bool
) -> None:
    table = told(Table(), order()).ok("N").calm().ok("N").calm()
    moved(table).restart()
    moved(table).fix("referee").calm()
    for _cut in range(3):
        if not in_pause:
            table.ok("referee").calm().must_be(Phase.READY)
        check_all(table)
        moved(table.restart(reboot=reboot))
        assert said(table)[0] == "power was off"
    table.ok("referee").calm().must_be(Phase.READY)
    moved(table, number=18)
    assert "board 9" not in str(table.view.detail)


@pytest.mark.parametrize("cut", [False, True])
def test_a_match_that_comes_back_before_anybody_has_answered_just_goes_on(cut: bool) -> None:
    table = told(Table(), order()).ok("N").calm().ok("N").calm().must_be(Phase.READY)
    moved(table)
    told(table, order(lines=LINES))
    assert "board 9" not in str(table.view.detail)
    if cut:
        told(table.restart(), order(lines=LINES)).must_be(Phase.PAUSED)
        assert said(table)[0] == "power was off"
        table.ok("referee").calm().must_be(Phase.READY)
    assert reported(table) == (17, OrderState.PLAYING)
    check_all(table)


def test_a_match_of_another_order_is_not_the_one_that_moved() -> None:
    table = moved(told(Table(), order()).ok("N").calm().ok("N").calm(), number=16)
    assert "board 9" not in str(table.view.detail)


@pytest.mark.parametrize("system", RuleSystem)
@given(st.integers(0, 1 << 30), st.integers(0, 25))
def test_any_match_moves_with_all_that_was_played(system: RuleSystem, seed: int, n: int) -> None:
    """At the other board it is as it was, also after a restart, and each UNDO fits."""
    drawn = read_record(draw_record(Random(seed), system, n).text).match
    assume(not drawn.state.over and drawn.steps)
    entries = tuple(step.entry for step in drawn.steps)
    table = Table(lineup="".join(drawn.settings.seats))
    told(table, MatchOrder(23, drawn.settings, Begins.PLAYERS, entries)).ok("referee").calm()
    for each in (table, table.restart()):
        game = each.dialogue.game
        assert game is not None
        assert game.match.state == drawn.state
        check_all(each)
    for _line in range(len(entries) + 1):
        table.undo().calm()
