"""Free play: counts only, no turns, for visitors who just want to try it."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Piece
from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.sensing.limits import SECOND
from tests.dialogue.dialogue_checks import check_all, watch_the_evidence, watch_the_question
from tests.dialogue.playing import Table

POCKETS = ("NE", "SE", "SW", "NW")


def watched(table: Table) -> Table:
    table.watchers += [watch_the_question, watch_the_evidence(table)]
    return table


def in_free_play() -> Table:
    table = watched(Table()).wait(1.0).hold("N", "fix").wait(1.0)
    return table.pick("free play", by="N").wait(1.0)


def resting() -> Table:
    return watched(Table(dialogue_settings=DialogueSettings(free_rest=True))).wait(1.0)


def tallied(table: Table) -> dict[Piece, int]:
    assert table.view.free is not None, f"no free play in {table.phase}"
    return {piece: n for piece, n in table.view.free.counts if n}


def is_sure(table: Table) -> bool:
    """Return whether the view says that people have confirmed the newest."""
    assert table.view.free is not None
    return table.view.free.sure


def newest(table: Table) -> str:
    assert table.view.free is not None
    return str(table.view.free.last)


def as_kind(table: Table, piece: str, by: str = "N") -> Table:
    for _ in range(6):
        if newest(table).startswith(piece):
            return table
        table.fix(by).wait(0.5)
    raise AssertionError(f"FIX never comes to {piece}")


def test_free_play_is_reached_from_the_menu_of_setup() -> None:
    table = in_free_play().must_be(Phase.SETUP)
    assert table.view.free is not None
    assert str(table.view.headline) == "free play"
    assert table.view.shooter is None
    assert not table.view.lamps
    check_all(table)


def test_a_board_may_rest_in_free_play() -> None:
    table = resting()
    assert tallied(table) == {}
    table.hold("N", "fix").wait(1.0).pick("play a match", by="N").calm()
    assert table.view.free is None
    table.started("N").hold("referee", "fix").wait(1.0)
    table.pick("end this match", held=True).must_be(Phase.SETUP)
    assert table.view.free is not None, "after a match it rests there again"


def test_a_fall_is_counted_by_itself() -> None:
    table = in_free_play().fall("NE").wait(0.1)
    assert tallied(table) == {Piece.RED: 1}
    assert newest(table) == "RED? NE"
    assert table.sounds[-1] is Sound.TICK
    table.wait(5.0).fall("SW").wait(5.0).fall("NW").wait(5.0)
    assert sum(tallied(table).values()) == 3
    assert [side.pocketed for side in table.view.sides] == [2, 1]
    check_all(table)


def test_a_piece_that_tumbles_is_counted_once() -> None:
    table = in_free_play().fall("NE", 6.0).wait(0.006).fall("NE", 5.0).wait(1.0)
    assert sum(tallied(table).values()) == 1


def test_a_hand_is_shown_and_not_counted() -> None:
    table = in_free_play().fall("NE", 900.0).wait(1.0)
    assert tallied(table) == {}
    assert newest(table) == "hand in NE"


def test_fix_changes_the_newest_to_the_next_kind_and_comes_round() -> None:
    table = in_free_play().fall("NE").wait(1.0)
    shown = []
    for _ in range(6):
        shown.append(newest(table))
        table.fix("N").wait(0.5)
    assert shown == ["RED? NE", "GREEN NE", "JACK NE", "STRIKER NE", "hand in NE", "RED NE"]
    assert tallied(table) == {Piece.GREEN: 1}


def test_ok_says_that_the_newest_is_right() -> None:
    table = in_free_play().fall("NE").wait(1.0)
    assert str(table.view.ok) == "right"
    assert not is_sure(table)
    table.ok("S").wait(1.0)
    assert newest(table) == "RED NE"
    assert is_sure(table)
    assert str(table.view.ok) == "hold: reset"


def test_undo_takes_the_newest_away_and_then_the_one_before() -> None:
    table = in_free_play().fall("NE").wait(1.0).fall("SW").wait(1.0)
    table.undo("N").wait(1.5)
    assert tallied(table) == {Piece.RED: 1}
    table.undo("N").wait(1.5)
    assert tallied(table) == {}
    table.undo("N")
    assert str(table.view.detail) == "nothing to take back"
    assert len([each for each in table.records if each.kind == EntryKind.FALL]) == 2, (
        "the falls stay"
    )


def test_what_no_beam_saw_is_added_by_hand() -> None:
    table = in_free_play().fix("N").wait(1.0)
    assert tallied(table) == {Piece.RED: 1}
    table.hold("N", "fix").wait(1.0).pick("add a piece", by="N").wait(1.0)
    assert tallied(table) == {Piece.RED: 2}
    as_kind(table, "JACK")
    assert tallied(table) == {Piece.RED: 1, Piece.JACK: 1}


def test_all_red_are_in_is_celebrated() -> None:
    table = in_free_play()
    for index in range(12):
        assert "are in" not in str(table.view.headline)
        table.fall(POCKETS[index % 4]).wait(1.0)
        as_kind(table, "RED")
    assert str(table.view.headline) == "all RED are in!"
    assert table.sounds[-1] is Sound.WIN
    check_all(table)


def test_there_is_no_thirteenth_puck_and_after_everything_a_new_round_begins() -> None:
    table = in_free_play()
    for index in range(60):
        table.fall(POCKETS[index % 4]).wait(1.0)
        if newest(table).startswith("STRIKER"):
            as_kind(table, "JACK")
        check_all(table)
        if sum(tallied(table).values()) == 25:
            break
    assert tallied(table) == {Piece.RED: 12, Piece.GREEN: 12, Piece.JACK: 1}
    assert str(table.view.headline) == "all RED, GREEN are in!"
    table.fall("NE").wait(1.0)
    assert tallied(table) == {Piece.RED: 1}


def test_ok_held_counts_anew() -> None:
    table = in_free_play().fall("NE").wait(1.0).hold("N", "ok")
    assert tallied(table) == {}


def test_play_goes_on_longer_than_can_be_taken_away() -> None:
    table = in_free_play()
    for index in range(45):
        table.fall(POCKETS[index % 4]).wait(0.5)
        as_kind(table, "STRIKER" if index % 2 else "GREEN" if index < 24 else "hand")
    assert tallied(table) == {Piece.GREEN: 12}
    assert table.dialogue.free is not None
    assert len(table.dialogue.free.falls) == 40


def test_free_play_outlasts_a_power_cut() -> None:
    table = in_free_play().fall("NE").wait(1.0).fix("N").wait(1.0).fall("SW").wait(1.0)
    before = (tallied(table), newest(table))
    table.restart().wait(1.0)
    assert (tallied(table), newest(table)) == before
    table.undo("N").wait(1.0)
    assert tallied(table) == {Piece.GREEN: 1}


def test_free_play_ends_by_itself_when_nobody_plays() -> None:
    table = in_free_play().fall("NE").wait(119.0)
    assert tallied(table) == {Piece.RED: 1}
    table.wait(2.0)
    assert table.view.free is None
    assert table.view.attract == 0
    again = resting().fall("NE").wait(121.0)
    assert tallied(again) == {}, "the next visitors count from nothing"


def test_in_free_play_everybodys_buttons_count() -> None:
    table = watched(
        Table(dialogue_settings=DialogueSettings(free_rest=True, confirm=Confirm.REFEREE))
    ).wait(1.0)
    table.fall("NE").wait(1.0).fix("W").wait(1.0)
    assert tallied(table) == {Piece.GREEN: 1}


def test_a_press_that_a_fall_has_overtaken_does_nothing() -> None:
    table = in_free_play().fall("NE").wait(3.0).down("N", "fix").fall("SW").wait(0.05)
    table.up("N", "fix")
    assert newest(table) == "GREEN? SW"
    assert table.last(EntryKind.SWALLOWED)["why"] == "it just changed"


def test_undo_on_a_board_at_rest_brings_the_last_match_back() -> None:
    table = resting().hold("N", "fix").wait(1.0).pick("play a match", by="N").calm()
    table.started("N").shot("RED NE", "NE").hold("referee", "fix").wait(1.0)
    table.pick("end this match", held=True).calm().fall("NE").wait(1.0)
    table.undo().wait(1.5)
    assert tallied(table) == {}, "first what was counted"
    table.undo().must_be(Phase.PAUSED)
    assert table.view.free is None
    assert table.entries == ["N red@NE"]
    check_all(table)


@pytest.mark.parametrize("idle_s", [0, 60])
def test_without_pictures_of_help_free_play_goes_on(idle_s: int) -> None:
    table = watched(
        Table(dialogue_settings=DialogueSettings(free_rest=True, attract_ns=idle_s * SECOND))
    )
    table.fall("NE").wait(1.0).wait(7_200.0)
    assert tallied(table) == ({Piece.RED: 1} if not idle_s else {})
