"""The history in the menu opens any entry directly, during a board too."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Piece, Side
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.question import Paused
from jackspot.dialogue.state.view import Phase
from tests.dialogue.dialogue_checks import check_a_restart
from tests.dialogue.playing import Table


def played() -> Table:
    """N red, N misses, S green, S striker (a green goes back), N misses."""
    table = Table(options={"best_of": 3}).started("N").shot("RED NE", "NE").miss()
    return table.shot("GREEN SE", "SE").shot("STRIKER SW", "SW").miss()


def history(table: Table, by: str = "referee") -> Table:
    """Open the history."""
    return table.hold(by, "fix").pick("history", by)


def test_each_line_is_readable_newest_first() -> None:
    assert history(played()).items == [
        "5 N MISSED", "4 S STRIKER SW, fault", "3 S GREEN SE, again", "2 N MISSED",
        "1 N RED NE, again", "close",
    ]  # fmt: skip


def test_what_is_no_stroke_is_readable_too() -> None:
    table = Table(options={"best_of": 3}).started("N").hold("referee", "fix")
    table.pick("correct the counts").pick("RED in: 0").pick("the table is right").calm()
    table.hold("referee", "fix").pick("whose turn").pick("turn to S").calm()
    table.review("NE").choose("NOT A STROKE").wait(1.0).ok("referee").calm()
    table.hold("referee", "fix").pick("draw", held=True).calm().ok("referee").calm()
    assert history(table).items == [
        "5 next board", "4 draw, agreed", "3 no stroke", "2 turn to S", "1 RED in: 1", "close",
    ]  # fmt: skip


def test_opening_an_entry_takes_back_to_there_and_opens_its_review() -> None:
    table = history(played()).pick("3 S GREEN").must_be(Phase.REVIEW)
    assert table.proposed == "GREEN SE"
    assert table.shooter == "S"
    assert table.entries == ["N red@NE", "N -"]
    assert table.dialogue.proposal is not None
    assert [fall.number for fall in table.dialogue.proposal.falls] == [2]


def test_a_miss_opens_in_review_as_well_so_that_it_can_be_turned_into_something_else() -> None:
    table = history(played()).pick("2 N MISSED").must_be(Phase.REVIEW)
    assert table.proposed == "MISSED"
    table.choose("RED").wait(1.0).ok("referee").wait(1.0)
    assert str(table.view.menu and table.view.menu.title) == "keep 3 later strokes?"
    table.ok("referee")
    assert table.entries == [
        "N red@NE", "N red", "! turn S", "S green@SE", "S striker@SW", "! placed", "N -"
    ]  # fmt: skip


@pytest.mark.parametrize("how", ["undo", "ok", "seat"])
def test_undo_and_ok_without_a_change_put_everything_back(how: str) -> None:
    table = played()
    entries, state = table.entries, table.game.match.state
    history(table).pick("1 N RED").must_be(Phase.REVIEW).calm()
    if how == "ok":
        table.ok("referee")
    else:
        table.fix("referee").wait(1.0).undo("referee" if how == "undo" else "S")
    table.must_be(Phase.READY)
    assert (table.entries, table.game.match.state) == (entries, state)
    assert table.game.undone == ()


def test_the_history_opens_on_the_buttons_of_one_seat() -> None:
    table = Table("NS", box=False).started("N").shot("RED NE", "NE", by="N").miss("N")
    history(table, "S").pick("1 N RED", "S").must_be(Phase.REVIEW).wait(1.0)
    table.choose("GREEN NE", "S").wait(1.0).ok("S").wait(1.0).ok("S")
    assert table.entries == ["N green@NE", "! turn N", "N -"]


def test_what_lay_open_comes_back_after_the_history() -> None:
    table = played().review("NW").choose("GREEN NW").hold("referee", "fix").pick("menu")
    table.wait(1.0).pick("history").pick("3 S GREEN").must_be(Phase.REVIEW)
    assert table.proposed == "GREEN SE"
    table.calm().undo().must_be(Phase.REVIEW)
    assert table.proposed == "GREEN NW"
    assert table.game.undone == ()


def test_a_piece_falls_while_an_entry_by_hand_waits_behind_the_history() -> None:
    table = played().wait(7.0).press("referee", "foul").wait(1.0).hold("referee", "fix")
    table.pick("menu").wait(1.0).pick("history").pick("2 N MISSED").must_be(Phase.REVIEW)
    table.fall("NE").wait(9.0).calm().undo().must_be(Phase.REVIEW)
    assert table.game.undone == ()


def test_the_history_opened_in_a_pause_leaves_it_a_pause() -> None:
    table = played().hold("referee", "fix").pick("pause").calm().must_be(Phase.PAUSED)
    table.fix("referee").pick("history").pick("3 S GREEN").must_be(Phase.REVIEW).calm()
    table.undo().must_be(Phase.PAUSED)
    assert not table.view.clock.running


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
@pytest.mark.parametrize("how", ["undo", "ok"])
def test_the_history_opened_in_a_time_out_leaves_it_that_sides_time_out(
    how: str, *, cut: bool
) -> None:
    table = played().hold("referee", "fix").pick("time-out").wait(1.0).ok("referee").calm()
    assert str(table.must_be(Phase.PAUSED).view.headline) == "time-out of RED"
    table.fix("referee").pick("history").pick("3 S GREEN").must_be(Phase.REVIEW).calm()
    check_a_restart(table)
    if cut:
        table.restart().calm()
    (table.undo() if how == "undo" else table.ok("referee")).must_be(Phase.PAUSED)
    assert table.dialogue.question == Paused(Side.RED)
    check_a_restart(table)


@pytest.mark.parametrize("cut", [False, True], ids=["", "power cut"])
def test_the_history_opened_in_a_pause_over_placing_leaves_it_a_pause(*, cut: bool) -> None:
    table = Table(options={"time_limit_s": 600}).started("N").shot("RED NE", "NE").review("SE")
    table.choose("STRIKER SE").wait(1.0).ok("referee").must_be(Phase.PLACING).calm()
    table.hold("referee", "fix").pick("pause").calm()
    table.fix("referee").pick("history").pick("1 N RED").must_be(Phase.REVIEW).calm()
    if cut:
        table.restart().calm()
    table.undo().calm().must_be(Phase.PAUSED)
    assert not table.view.clock.running
    check_a_restart(table)
    table.ok("referee").must_be(Phase.PLACING)
    assert (table.view.place, table.view.clock.running) == ((Piece.RED,), True)


def test_the_history_opened_while_placing_comes_back_to_placing() -> None:
    table = Table().started("N").shot("RED NE", "NE").review("SE").choose("STRIKER SE")
    table.wait(1.0).ok("referee").must_be(Phase.PLACING).calm()
    history(table).pick("1 N RED").calm().undo().must_be(Phase.PLACING)
    assert len(table.view.place) == 1


def test_an_entry_of_an_earlier_board_is_opened_from_the_end_of_the_match() -> None:
    table = Table(handicap={"N": {"pucks_needed": 1}}).started("N").shot("RED NE", "NE").miss()
    table.miss().shot("JACK SE", "SE").must_be(Phase.MATCH_OVER).calm()
    history(table).pick("2 N MISSED").must_be(Phase.REVIEW).calm().undo()
    table.must_be(Phase.MATCH_OVER)


def test_a_count_or_a_turn_given_by_mistake_is_left_out() -> None:
    table = Table().started("N").hold("referee", "fix").pick("whose turn").pick("turn to S")
    table.calm().shot("GREEN SE", "SE")
    history(table).pick("1 turn to S")
    assert str(table.view.menu and table.view.menu.title) == "without turn to S?"
    check_a_restart(table)
    table.calm().ok("referee")
    assert str(table.view.menu and table.view.menu.title) == "keep 1 later stroke?"
    check_a_restart(table)
    table.calm().ok("referee")
    assert table.entries == ["! turn S", "S green@SE"], "the stroke itself needs the turn"
    assert len(table.game.lines) == 1
    assert table.last(EntryKind.LEFT_OUT)["entries"] == ["! turn S"]


@pytest.mark.parametrize("how", ["fix", "undo", "silence"])
def test_what_is_not_left_out_is_put_back(how: str) -> None:
    table = Table().started("N").hold("referee", "fix").pick("whose turn").pick("turn to S")
    table.calm().shot("GREEN SE", "SE")
    entries = table.entries
    history(table).pick("1 turn to S").calm()
    if how == "fix":
        table.fix("referee")
    elif how == "undo":
        table.undo()
    else:
        table.wait(21.0)
    table.must_be(Phase.READY)
    assert table.entries == entries


def test_a_review_opened_by_the_history_outlasts_a_power_cut() -> None:
    table = history(played()).pick("2 N MISSED").must_be(Phase.REVIEW)
    entries = [*played().entries]
    check_a_restart(table)
    table.restart().must_be(Phase.REVIEW)
    assert table.proposed == "MISSED"
    table.wait(1.0).undo().must_be(Phase.PAUSED)
    assert table.entries == entries


def test_the_history_closes_by_itself_and_changes_nothing() -> None:
    table = history(played())
    entries = table.entries
    assert table.dialogue.menu is not None
    assert table.dialogue.menu.kind is MenuKind.HISTORY
    table.wait(21.0)
    assert (table.view.menu, table.entries) == (None, entries)


def test_redo_in_the_menu_puts_back_what_the_history_opened() -> None:
    table = played()
    entries = table.entries
    history(table).pick("3 S GREEN").calm().hold("referee", "fix").pick("menu").wait(1.0)
    table.pick("put back what was undone")
    assert table.entries == entries
