"""The lists (editing piece by piece, the menu of a match, set-up), with OK and FIX alone."""

from __future__ import annotations

import pytest

from jackspot.core.pieces import Side
from jackspot.core.stroke import Flag
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase, Sound
from tests.dialogue.playing import Table


def editing(by: str = "N", *pockets: str, lineup: str = "NS", **options: object) -> Table:
    """A review of pieces, opened for editing by a seat with OK and FIX alone."""
    table = Table(lineup=lineup, options=options, box=False).started("N")
    return table.review(*(pockets or ("NE",))).wait(0.5).hold(by, "fix").wait(1.0)


def test_editing_offers_shooter_pieces_flags_and_the_menu_last() -> None:
    table = editing()
    assert table.items == [
        "done", "called: nothing", "piece off the board", "shooter N", "piece 1: RED",
        "piece 1: in NE", "piece 1: remove", "add a piece", "menu",
    ]  # fmt: skip
    assert str(table.view.menu and table.view.menu.title) == "RED NE"


def test_editing_changes_a_piece_its_pocket_and_how_it_left() -> None:
    table = editing()
    for kind in ("GREEN", "JACK", "STRIKER", "RED", "GREEN"):
        table.pick(table.lines_of(1)[0], by="N")
        assert table.proposed == f"{kind} NE"
    for where in ("SE", "SW", "NW"):
        table.pick(table.lines_of(1)[1], by="N")
        assert table.proposed == f"GREEN {where}"
    assert table.pick("piece 1: in NW", by="N").proposed == "GREEN"
    assert table.pick("piece 1: pocket not known", by="N").proposed == "GREEN off"
    assert table.pick("piece 1: flew off", by="N").proposed == "GREEN NE"


def test_editing_adds_and_removes_pieces() -> None:
    table = editing().pick("add a piece", by="N")
    assert table.proposed == "RED NE, RED"
    assert table.item == "piece 2: RED", "the new piece is at hand"
    table.pick("piece 1: remove", by="N")
    assert table.proposed == "RED"
    table.pick("piece 1: remove", by="N")
    assert table.proposed == "MISSED"
    table.pick("done", by="N").must_be(Phase.REVIEW).wait(1.0).ok("N")
    assert table.entries == ["N -"]


def test_editing_changes_the_shooter_and_the_record_says_who_missed() -> None:
    table = editing().pick("shooter N", by="N")
    assert table.proposed == "S (N missed): GREEN NE"
    assert table.shooter == "S"
    table.pick("done", by="N").wait(1.0).ok("N")
    assert table.entries == ["N -", "S green@NE"]
    table.calm().undo("N")
    assert table.entries == [], "they are one line for UNDO"


def test_editing_gives_the_turn_where_nobody_missed_and_the_record_says_so() -> None:
    table = editing().pick("shooter N", by="N").pick("shooter S (N missed)", by="N")
    assert table.proposed == "GREEN NE"
    assert table.shooter == "S"
    table.pick("done", by="N").wait(1.0).ok("N")
    assert table.entries == ["! turn S", "S green@NE"]


@pytest.mark.parametrize(("lineup", "times", "flag"), [("NS", 1, Flag.FOUL),
                                                       ("NESW", 2, Flag.AREA)])  # fmt: skip
def test_editing_calls_a_foul_without_a_foul_button(lineup: str, times: int, flag: Flag) -> None:
    table = editing(lineup=lineup)
    for _ in range(times):
        table.pick("called", by="N")
    table.pick("done", by="N").wait(1.0).ok("N")
    assert table.strokes[0].flags == {flag}


def test_in_singles_an_area_hit_is_called_where_own_pucks_need_a_cushion() -> None:
    table = editing(own_by_cushion=True).pick("called", by="N").pick("called", by="N")
    table.pick("done", by="N").wait(1.0).ok("N")
    assert table.strokes[0].flags == {Flag.AREA}
    assert table.entries == ["N red@NE area"]


def test_editing_is_closed_by_undo_and_by_twenty_idle_seconds_and_keeps_what_was_edited() -> None:
    for close in (lambda table: table.undo("N"), lambda table: table.wait(21.0)):
        table = editing().pick("add a piece", by="N")
        close(table)
        table.must_be(Phase.REVIEW)
        assert table.view.menu is None
        assert table.proposed == "RED NE, RED"


def test_editing_from_falling_settles_first() -> None:
    table = Table().started("N")
    table.fall("NE").wait(0.6).hold("referee", "fix").must_be(Phase.REVIEW)
    assert table.item == "done"


def test_every_reading_can_be_edited_into_any_other() -> None:
    """Readings that FIX does not reach are reached piece by piece."""
    table = editing("N", "NE", "SW").pick("add a piece", by="N")
    table.pick("piece 3: RED", by="N").pick("piece 3: GREEN", by="N")
    table.pick("piece 3: pocket not known", by="N")
    assert table.proposed == "RED NE, RED SW, JACK off"
    table.pick("done", by="N").wait(1.0).ok("N").must_be(Phase.PLACING)
    assert table.entries == ["N red@NE red@SW jack^"]


def test_a_stroke_edited_by_people_is_recorded_without_a_probability() -> None:
    table = editing().pick("piece 1: RED", by="N").pick("done", by="N").wait(1.0).ok("N")
    assert table.last(EntryKind.LINE)["probability"] is None
    assert table.last(EntryKind.LINE)["falls"] == [1]


# the menu of a running match


def in_menu() -> Table:
    return Table(options={"best_of": 3}).started("N").hold("referee", "fix").wait(1.0)


def test_the_menu_of_a_running_match() -> None:
    assert in_menu().items == [
        "correct the counts", "whose turn", "foul", "piece off the board", "pause", "time-out",
        "resign", "draw", "void the board", "end this match", "record by code", "manual pockets",
        "the board itself", "close",
    ]  # fmt: skip


def test_the_menu_offers_redo_when_something_was_undone() -> None:
    table = Table().started("N").shot("RED NE", "NE").undo().hold("referee", "fix").pick("menu")
    table.pick("put back what was undone").must_be(Phase.READY)
    assert table.entries == ["N red@NE"]


def test_counts_are_corrected_and_one_undo_takes_it_back() -> None:
    table = in_menu().pick("correct the counts").pick("RED in: 0").wait(1.0).ok("referee")
    assert table.counts == (2, 0)
    table.pick("what is owed").pick("RED owes: 0").pick("the table is right").must_be(Phase.READY)
    assert table.owed == (1, 0)
    assert table.entries == ["! set red pocketed=1", "! set red pocketed=2", "! set red owed=1"]
    table.calm().undo()
    assert table.entries == []


def test_a_count_never_leaves_what_there_is() -> None:
    table = in_menu().pick("correct the counts").pick("RED in: 0", held=True)
    assert str(table.view.detail) == "not possible"
    assert table.entries == []


def test_the_turn_is_given_to_a_seat() -> None:
    table = in_menu().pick("whose turn").pick("turn to S").must_be(Phase.READY)
    assert (table.shooter, table.entries) == ("S", ["! turn S"])


@pytest.mark.parametrize(
    ("item", "entry", "phase"),
    [
        ("draw", "! draw", Phase.BOARD_OVER),
        ("void the board", "! board", Phase.READY),
    ],
)
def test_what_ends_a_board_by_word_of_mouth_wants_ok_held(
    item: str, entry: str, phase: Phase
) -> None:
    table = in_menu().pick(item).must_be(Phase.READY)
    assert table.entries == []
    assert str(table.view.detail) == "hold OK for this"
    assert str(table.view.ok) == "hold: confirm"
    table.wait(1.0).hold("referee", "ok").must_be(phase)
    assert table.entries == [entry]


def test_a_side_resigns_by_a_held_ok() -> None:
    table = in_menu().pick("resign").pick("N resigns").must_be(Phase.READY)
    assert table.entries == []
    table.wait(1.0).hold("referee", "ok").must_be(Phase.BOARD_OVER)
    assert table.entries == ["! resign N"]
    assert table.view.winner is Side.GREEN
    assert Sound.WIN not in table.sounds or table.view.winner is not None


def test_a_match_is_ended_unfinished_from_the_menu_and_can_be_taken_up_again() -> None:
    table = Table().started("N").shot("RED NE", "NE").hold("referee", "fix")
    table.pick("end this match").must_be(Phase.READY).wait(1.0).hold("referee", "ok")
    table.must_be(Phase.SETUP).calm().undo().must_be(Phase.PAUSED)
    assert table.entries == ["N red@NE"]
    assert table.counts == (1, 0)


def test_a_list_over_placing_leaves_it_to_be_placed() -> None:
    table = Table().started("N").shot("RED NE", "NE").review("SW").choose("STRIKER SW")
    table.wait(0.5).ok("referee").must_be(Phase.PLACING).calm().hold("referee", "fix")
    table.pick("correct the counts").pick("GREEN in: 0").pick("the table is right")
    table.must_be(Phase.PLACING)
    assert len(table.view.place) == 1


def test_foul_and_off_do_nothing_in_a_list() -> None:
    table = in_menu().foul()
    assert str(table.view.detail) == "close the list first"
    assert table.item == "correct the counts"


def test_a_list_says_what_ok_and_fix_do() -> None:
    table = in_menu().fix("referee")
    assert (str(table.view.ok), str(table.view.fix)) == ("select", "next")


# set-up


def test_setup_sets_seats_time_and_boards_on_one_seats_buttons() -> None:
    table = Table("NS", box=False).wait(1.0).hold("N", "fix").wait(1.0)
    table.pick("seats N S", by="N").pick("seats E W", by="N").pick("no time limit", by="N")
    table.pick("time 3 min", by="N").pick("boards: best of 1", by="N").pick("close", by="N")
    table.calm().fix("N", 3).wait(1.0)
    assert table.shooter == "N", "E and W have no buttons: FIX picks who is first"
    table.ok("N").must_be(Phase.READY)
    settings = table.game.match.settings
    assert settings.seats == ("N", "E", "S", "W")
    assert dict(settings.options) == {"time_limit_s": 300, "best_of": 3}


def test_the_lists_of_setup_come_round_to_where_they_began() -> None:
    table = Table().wait(1.0).hold("N", "fix").wait(1.0)
    times, boards = [], []
    for _ in range(4):
        times.append(table.items[1])
        table.pick(table.items[1], by="N")
    for _ in range(3):
        boards.append(table.items[2])
        table.pick(table.items[2], by="N")
    assert times == ["no time limit", "time 3 min", "time 5 min", "time 10 min"]
    assert boards == ["boards: best of 1", "boards: best of 3", "boards: best of 5"]
    assert table.items[1:3] == [times[0], boards[0]]


def test_settings_that_cannot_be_played_are_refused_in_words() -> None:
    table = Table(options={"best_of": 0}).wait(1.0).ok("N").must_be(Phase.SETUP)
    assert str(table.view.detail) == "not possible: best of"
