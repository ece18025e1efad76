"""Each cell of the table of phases: what a press or a fall does, and what it leaves alone."""

from __future__ import annotations

from typing import get_type_hints

import pytest

from jackspot.core.pieces import Piece, Pocket, Side
from jackspot.dialogue.actions.guards import Action
from jackspot.dialogue.phases.table import FALLS, TABLE
from jackspot.dialogue.state.changes import DialogueChanges, GameChanges, TimingChanges
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.timing import Timing
from jackspot.dialogue.state.view import Phase, Sound
from tests.dialogue.dialogue_checks import without_instants
from tests.dialogue.in_phase import IN_PHASE, SAY, at_match_over, in_ready
from tests.dialogue.playing import Table

NOTHING = [
    (Phase.SETUP, Action.FOUL),
    (Phase.SETUP, Action.OFF),
    (Phase.PLACING, Action.FIX),
    (Phase.PLACING, Action.FOUL),
    (Phase.PLACING, Action.OFF),
    (Phase.PAUSED, Action.FOUL),
    (Phase.PAUSED, Action.OFF),
    (Phase.PAUSED, Action.UNDO),
    (Phase.BOARD_OVER, Action.FIX),
    (Phase.BOARD_OVER, Action.FOUL),
    (Phase.BOARD_OVER, Action.OFF),
    (Phase.MATCH_OVER, Action.FOUL),
    (Phase.MATCH_OVER, Action.OFF),
]
"""The empty cells of the table of phases, for Hikone carom."""

ASKED_IN_OTHER_SYSTEMS = {(Phase.PLACING, Action.FIX), (Phase.BOARD_OVER, Action.FIX)}
"""Cells in which other systems ask something: forgotten, waived, the extra point."""


def test_the_table_has_every_cell_that_is_not_empty_and_no_other() -> None:
    plain = [Action.OK, Action.FIX, Action.FIX_HELD, Action.FOUL, Action.OFF, Action.UNDO]
    cells = {(phase, action) for phase in Phase for action in plain} - set(NOTHING)
    held = {(Phase.REVIEW, Action.OK_HELD), (Phase.MATCH_OVER, Action.OK_HELD)}
    assert set(TABLE) == cells | held | ASKED_IN_OTHER_SYSTEMS
    assert set(FALLS) == set(Phase)


@pytest.mark.parametrize(("phase", "action"), NOTHING)
def test_a_press_that_means_nothing_beeps_and_changes_nothing(phase: Phase, action: Action) -> None:
    table = IN_PHASE[phase]()
    before, entries, heard = table.dialogue, len(table.records), len(table.sounds)
    SAY[action](table)
    assert without_instants(table.dialogue) == without_instants(before)
    assert table.dialogue.timing.asked == before.timing.asked
    assert table.sounds[heard:] == [Sound.REFUSED]
    assert str(table.view.detail) == "not now"
    written = table.records[entries:]
    assert [each.kind for each in written if each.kind != EntryKind.CLOCK] == [EntryKind.SWALLOWED]
    assert written[0].body["wire"].startswith("referee_")


@pytest.mark.parametrize("phase", list(Phase))
def test_every_phase_says_in_words_what_ok_does(phase: Phase) -> None:
    view = IN_PHASE[phase]().view
    assert view.phase is phase
    assert str(view.headline)
    assert str(view.ok)


# setup


def test_setup_the_seat_that_presses_ok_shoots_first_and_plays_red() -> None:
    table = Table().wait(1.0).ok("S").must_be(Phase.READY)
    assert table.shooter == "S"
    assert table.view.sides[0].side is Side.RED
    assert table.view.sides[0].seats == ("S",)
    assert table.last(EntryKind.MATCH)["header"].splitlines()[2] == 'seats = ["S", "N"]'


def test_setup_a_seat_that_does_not_play_cannot_start() -> None:
    table = Table(lineup="NS").wait(1.0).ok("E").must_be(Phase.SETUP)
    assert str(table.view.detail) == "E does not play"
    assert EntryKind.MATCH not in table.kinds()


def test_setup_with_a_box_alone_fix_picks_the_seat_and_ok_starts() -> None:
    table = Table("").wait(1.0)
    assert str(table.view.headline) == "N shoots first"
    table.fix("referee")
    assert str(table.view.headline) == "S shoots first"
    table.ok("referee").must_be(Phase.READY)
    assert table.shooter == "S"


def test_setup_fix_of_a_seat_goes_to_the_next_line_up() -> None:
    """Two, four, three players, and round again."""
    table = Table(box=False).wait(1.0)
    seats = [tuple(side.seats for side in table.view.sides)]
    for _ in range(7):
        table.fix("N").wait(0.5)
        seats.append(tuple(side.seats for side in table.view.sides))
    assert seats[1] == (("E",), ("W",))
    assert seats[2] == (("E", "W"), ("S", "N"))
    assert seats[3] == (("E",), ("S", "N")), "who has nobody opposite plays alone"
    assert [len(one) + len(other) for one, other in seats] == [2, 2, 4, 3, 3, 3, 3, 2]
    assert {frozenset((*one, *other)) for one, other in seats[3:7]} == {
        frozenset("NES"), frozenset("ESW"), frozenset("SWN"), frozenset("WNE"),
    }  # fmt: skip
    assert seats[7][0] in (("N",), ("S",))


def test_setup_four_players_sit_round_the_table_from_who_shoots_first() -> None:
    table = Table(lineup="NESW").started("W")
    order = [table.shooter, *(table.miss().shooter for _ in range(4))]
    assert order == ["W", "N", "E", "S", "W"]


def test_setup_a_fall_is_a_sensor_test() -> None:
    table = Table().wait(1.0)
    table.fall("SW", 11)
    assert table.phase is Phase.SETUP
    assert table.sounds == [Sound.TICK]
    assert str(table.view.detail) == "SW sees 11 ms"


def test_setup_undo_brings_the_last_match_back_as_it_ended() -> None:
    table = at_match_over()
    before = table.game
    table.hold("referee", "ok").must_be(Phase.SETUP).calm()
    table.undo().must_be(Phase.MATCH_OVER)
    assert table.game.lines == before.lines
    assert table.view.winner is Side.RED


def test_setup_undo_without_a_match_before_does_nothing() -> None:
    table = Table().wait(1.0).undo().must_be(Phase.SETUP)
    assert str(table.view.detail) == "no match before this"


# ready


def test_ready_ok_says_that_nothing_fell_and_passes_the_turn() -> None:
    table = in_ready().ok("referee")
    assert table.entries == ["N -"]
    assert table.shooter == "S"
    assert Sound.PASS in table.sounds


def test_ready_fix_enters_by_hand_what_the_beam_missed() -> None:
    table = in_ready().fix("referee").must_be(Phase.REVIEW)
    assert table.proposed == "RED"
    assert [str(each.what) for each in table.view.readings][:4] == [
        "RED", "GREEN", "STRIKER", "JACK",
    ]  # fmt: skip
    table.wait(0.5).ok("referee")
    assert table.entries == ["N red"]


def test_ready_foul_opens_a_review_with_a_foul() -> None:
    table = in_ready().foul().must_be(Phase.REVIEW)
    assert table.proposed == "foul"
    table.wait(0.5).ok("referee")
    assert table.entries == ["N foul"]
    assert table.owed == (1, 0)
    assert Sound.FOUL in table.sounds


def test_ready_off_opens_a_review_with_a_piece_off_the_board() -> None:
    table = in_ready().off().must_be(Phase.REVIEW)
    assert table.proposed == "STRIKER off"
    table.off()
    assert table.proposed == "RED off"
    table.wait(0.5).ok("referee").must_be(Phase.PLACING)
    assert table.entries == ["N red^"]
    assert table.view.place == (Piece.RED,)


def test_off_names_first_what_flies_most_often_and_after_the_jack_nothing() -> None:
    table = in_ready().off()
    shown = [table.proposed]
    while len(shown) < 6:
        shown.append(table.off().proposed)
    assert shown == ["STRIKER off", "RED off", "GREEN off", "JACK off", "MISSED", "STRIKER off"]


def test_what_lies_in_a_pocket_has_not_flown_off_as_well() -> None:
    table = in_ready().review("NE").choose("STRIKER NE")
    shown = [table.off().wait(0.4).proposed for _ in range(4)]
    ends = ["STRIKER NE, RED off", "STRIKER NE, GREEN off", "STRIKER NE, JACK off", "STRIKER NE"]
    assert shown == ends


def test_ready_undo_takes_the_last_entry_back() -> None:
    table = in_ready().shot("RED NE", "NE").undo().must_be(Phase.REVIEW)
    assert table.counts == (0, 0)
    assert table.proposed == "RED NE"


def test_ready_a_fall_leads_to_falling() -> None:
    table = in_ready()
    table.fall("NE").must_be(Phase.FALLING)
    assert table.view.lit == (Pocket.NE,)
    assert table.proposed == "RED NE"
    assert table.counts == (0, 0)


def test_ready_ok_is_refused_while_a_piece_breaks_a_beam() -> None:
    table = in_ready().edge(Pocket.NE, True).wait(0.5).ok("referee").must_be(Phase.READY)
    assert table.entries == []
    assert str(table.view.detail) == "something falls just now"


def test_ready_ok_is_right_again_once_a_beam_is_known_to_be_blocked() -> None:
    table = in_ready().edge(Pocket.NE, True).wait(2.5)
    assert [str(fault.what) for fault in table.view.faults] == ["pocket NE blocked"]
    table.ok("referee")
    assert table.entries == ["N -"]


@pytest.mark.parametrize(
    ("changes", "of"),
    [(DialogueChanges, DialogueState), (TimingChanges, Timing), (GameChanges, Game)],
    ids=["state", "timing", "game"],
)
def test_a_step_may_change_each_field_by_its_type_and_nothing_else(changes: type, of: type) -> None:
    assert get_type_hints(changes) == get_type_hints(of)
