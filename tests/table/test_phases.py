"""Each cell of the table of phases: what a press or a fall does, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackspot.core.pieces import Piece, Pocket, Side
from jackspot.core.stroke import Flag
from jackspot.table.desk import Desk
from jackspot.table.entries import Kind
from jackspot.table.guards import Action
from jackspot.table.presses import TABLE
from jackspot.table.sensed import FALLS
from jackspot.table.view import Phase, Sound
from tests.table.desk_checks import without_instants
from tests.table.playing import Table

JUST_ONE = {"N": {"pucks_needed": 1}, "S": {"pucks_needed": 1}}
"""One puck in, and the jack may be played: boards that end soon."""


def in_setup() -> Table:
    return Table().wait(1.0)


def in_ready() -> Table:
    return Table().started("N")


def in_falling() -> Table:
    table = in_ready()
    table.fall("NE").wait(0.6)
    return table.must_be(Phase.FALLING)


def in_review() -> Table:
    return in_ready().review("NE").wait(0.5)


def in_placing() -> Table:
    """N has pocketed one and then the striker: the puck goes back."""
    table = in_ready().shot("RED NE", "NE")
    table.review("SW").choose("STRIKER SW").wait(0.5).ok("referee").calm()
    return table.must_be(Phase.PLACING)


def in_pause() -> Table:
    table = in_ready().hold("referee", "fix")
    return table.pick("pause").calm().must_be(Phase.PAUSED)


def board_won(best_of: int) -> Table:
    table = Table(options={"best_of": best_of}, handicap=JUST_ONE).started("N")
    return table.shot("RED NE", "NE").shot("JACK SE", "SE")


def at_board_over() -> Table:
    return board_won(3).wait(6.0).must_be(Phase.BOARD_OVER)


def at_match_over() -> Table:
    return board_won(1).wait(6.0).must_be(Phase.MATCH_OVER)


IN_PHASE: dict[Phase, Callable[[], Table]] = {
    Phase.SETUP: in_setup,
    Phase.READY: in_ready,
    Phase.FALLING: in_falling,
    Phase.REVIEW: in_review,
    Phase.PLACING: in_placing,
    Phase.PAUSED: in_pause,
    Phase.BOARD_OVER: at_board_over,
    Phase.MATCH_OVER: at_match_over,
}

SAY: dict[Action, Callable[[Table], Table]] = {
    Action.OK: lambda table: table.ok("referee"),
    Action.OK_HELD: lambda table: table.hold("referee", "ok"),
    Action.FIX: lambda table: table.fix("referee"),
    Action.FIX_HELD: lambda table: table.hold("referee", "fix"),
    Action.FOUL: lambda table: table.foul(),
    Action.OFF: lambda table: table.off(),
    Action.UNDO: lambda table: table.undo(),
}

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
"""Cells in which other systems ask: forgotten, waived, the extra point."""


def test_the_table_has_every_cell_that_is_not_empty_and_no_other() -> None:
    plain = [Action.OK, Action.FIX, Action.FIX_HELD, Action.FOUL, Action.OFF, Action.UNDO]
    cells = {(phase, action) for phase in Phase for action in plain} - set(NOTHING)
    held = {(Phase.REVIEW, Action.OK_HELD), (Phase.MATCH_OVER, Action.OK_HELD)}
    assert set(TABLE) == cells | held | ASKED_IN_OTHER_SYSTEMS
    assert set(FALLS) == set(Phase)


@pytest.mark.parametrize(("phase", "action"), NOTHING)
def test_a_press_that_means_nothing_beeps_and_changes_nothing(phase: Phase, action: Action) -> None:
    table = IN_PHASE[phase]()
    before, entries, heard = table.desk, len(table.records), len(table.sounds)
    SAY[action](table)
    assert without_instants(table.desk) == without_instants(before)
    assert table.desk.asked == before.asked
    assert table.sounds[heard:] == [Sound.REFUSED]
    assert str(table.view.detail) == "not now"
    written = table.records[entries:]
    assert [each.kind for each in written if each.kind != Kind.CLOCK] == [Kind.SWALLOWED]
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
    assert table.last(Kind.MATCH)["header"].splitlines()[2] == 'seats = ["S", "N"]'


def test_setup_a_seat_that_does_not_play_cannot_start() -> None:
    table = Table(lineup="NS").wait(1.0).ok("E").must_be(Phase.SETUP)
    assert str(table.view.detail) == "E does not play"
    assert Kind.MATCH not in table.kinds()


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
    assert shown == ["STRIKER off", "RED off", "GREEN off", "JACK off", "NOTHING IN", "STRIKER off"]


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
    assert [str(fault.what) for fault in table.view.faults] == ["pocket ne blocked"]
    table.ok("referee")
    assert table.entries == ["N -"]


# falling


def test_falling_ends_after_a_second_and_a_half_of_quiet() -> None:
    table = in_ready()
    table.fall("NE").wait(1.4).must_be(Phase.FALLING).wait(0.15).must_be(Phase.REVIEW)


def test_falling_ends_after_six_seconds_at_the_latest() -> None:
    table = in_ready()
    for pocket in ("NE", "SE", "SW", "NW", "NE"):
        table.fall(pocket).wait(1.2)
    table.must_be(Phase.REVIEW)
    table.fall("SE")
    assert table.view.waiting == 1


def test_falling_stays_while_a_beam_is_broken() -> None:
    table = in_ready()
    table.fall("NE").wait(1.0).edge(Pocket.SE, True).wait(1.2).must_be(Phase.FALLING)
    table.edge(Pocket.SE, False).wait(1.6).must_be(Phase.REVIEW)
    assert [len(each.falls) for each in (table.desk.proposal,) if each] == [2]


def test_falling_ok_confirms_what_has_stood_for_half_a_second() -> None:
    table = in_ready()
    table.fall("NE").wait(0.55).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE"]


def test_falling_ok_settles_what_has_not_stood_for_half_a_second() -> None:
    table = in_ready()
    table.fall("NE").wait(0.41).ok("referee").must_be(Phase.REVIEW)
    assert table.entries == []


def test_falling_ok_settles_while_a_further_piece_breaks_a_beam() -> None:
    table = in_falling().edge(Pocket.SE, True).wait(0.1).ok("referee").must_be(Phase.REVIEW)
    assert table.entries == []


def test_falling_ok_does_not_end_a_board() -> None:
    table = in_ready()
    for pocket in ("NE", "SE", "SW", "NW") * 3:
        table.shot(f"RED {pocket}", pocket)
    table.fall("SE").wait(1.0)
    assert table.proposed == "JACK SE"
    table.ok("referee").must_be(Phase.REVIEW)
    assert len(table.entries) == 12


def test_falling_fix_settles_and_shows_the_next_reading() -> None:
    table = in_falling().fix("referee").must_be(Phase.REVIEW)
    assert table.proposed == "GREEN NE"


@pytest.mark.parametrize(("say", "shown"), [(Action.FOUL, "foul, RED NE"),
                                            (Action.OFF, "RED NE, STRIKER off")])  # fmt: skip
def test_falling_foul_and_off_mark_the_stroke(say: Action, shown: str) -> None:
    table = in_falling()
    SAY[say](table).must_be(Phase.FALLING)
    assert table.proposed == shown
    table.fall("SW").wait(1.6).must_be(Phase.REVIEW)
    assert table.proposed.count(",") == 2, "what was marked stays when a piece joins"


def test_falling_undo_goes_to_the_review_of_the_entry_before_and_parks_the_fall() -> None:
    table = in_ready().shot("RED NE", "NE")
    table.fall("SW").wait(0.6).undo().must_be(Phase.REVIEW)
    assert table.proposed == "RED NE"
    assert table.view.waiting == 1


def test_falling_a_fall_joins() -> None:
    table = in_ready().falls_in("NE", "SW")
    assert table.proposed == "RED NE, RED SW"
    assert table.view.waiting == 0


# review


def test_review_ok_confirms_and_says_what_follows() -> None:
    table = in_review()
    assert (table.proposed, str(table.view.detail)) == ("RED NE", "shoot again")
    table.ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE"]
    assert Sound.AGAIN in table.sounds
    assert table.view.last is not None
    assert table.view.last.rows == ("HK-02",)


def test_review_a_stroke_that_ends_the_board_wants_ok_held() -> None:
    table = Table(handicap=JUST_ONE).started("N").shot("RED NE", "NE")
    table.review("SE").choose("JACK SE").wait(0.5)
    assert table.view.proposal is not None
    assert table.view.proposal.ends_board
    table.ok("referee").must_be(Phase.REVIEW)
    assert str(table.view.detail) == "hold OK: it ends the board"
    table.hold("referee", "ok").must_be(Phase.MATCH_OVER)


def test_review_ok_held_confirms_also_what_ends_nothing() -> None:
    table = in_review().hold("referee", "ok")
    assert table.entries == ["N red@NE"]


def test_review_fix_goes_through_six_readings_and_round_again() -> None:
    table = in_review()
    seen = []
    for _ in range(6):
        seen.append(table.proposed)
        table.fix("referee")
    assert len(set(seen)) == 6
    assert table.proposed == seen[0]
    assert seen[:4] == ["RED NE", "GREEN NE", "STRIKER NE", "JACK NE"]


def test_review_foul_goes_through_the_flags_this_match_knows() -> None:
    table = in_review().foul()
    assert table.proposed == "foul, RED NE"
    assert table.foul().proposed == "RED NE"
    pairs = Table(lineup="NESW").started("N").review("NE").foul()
    assert pairs.proposed == "foul, RED NE"
    assert pairs.foul().proposed == "area hit, RED NE"
    assert pairs.foul().proposed == "area hit, foul, RED NE"
    assert pairs.foul().proposed == "RED NE"
    assert pairs.foul().foul().proposed == "area hit, RED NE"
    pairs.wait(0.5).ok("referee")
    assert pairs.strokes[0].flags == {Flag.AREA}


def test_review_off_goes_through_the_pieces_that_can_fly_off() -> None:
    table = in_review()
    seen = [table.off().proposed for _ in range(5)]
    assert seen == [
        "RED NE, STRIKER off", "RED NE, RED off", "RED NE, GREEN off", "RED NE, JACK off", "RED NE",
    ]  # fmt: skip


def test_review_a_fall_is_a_further_proposal() -> None:
    table = in_review()
    table.fall("SW").wait(3.0)
    assert table.proposed == "RED NE"
    assert table.view.waiting == 1
    table.fall("SE")
    assert table.view.waiting == 2


def test_review_what_cannot_have_happened_is_refused_and_stays_open() -> None:
    table = in_ready()
    for index in range(11):
        table.shot(f"RED {('NE', 'SE', 'SW')[index % 3]}", ("NE", "SE", "SW")[index % 3])
    table.review("NE").hold("referee", "fix").pick("add a piece").wait(1.0)
    assert str(table.view.proposal and table.view.proposal.follows) == "RED: 1 too many"
    table.undo().wait(1.0).ok("referee").must_be(Phase.REVIEW)
    assert table.item == "1 N RED NE?", "the mistake: beside the seat, by nobody known yet"
    assert table.counts == (11, 0)


# placing


def test_placing_shows_what_goes_back_and_ok_says_done() -> None:
    table = in_placing()
    assert table.view.place == (Piece.RED,)
    assert str(table.view.detail) == "RED"
    table.ok("referee").must_be(Phase.READY)
    assert table.entries[-1] == "! placed"
    assert str(table.view.detail) == "striker in SW", "the striker is still to be fetched"


def test_placing_undo_goes_back_to_the_review() -> None:
    table = in_placing().undo().must_be(Phase.REVIEW)
    assert table.proposed == "STRIKER SW"
    assert table.counts == (1, 0)


def test_placing_a_fall_is_a_further_proposal() -> None:
    table = in_placing()
    table.fall("SE").must_be(Phase.PLACING)
    assert table.view.waiting == 1


# paused


def test_paused_the_clock_stands_and_ok_goes_on() -> None:
    table = Table(options={"time_limit_s": 300}).started("N").hold("referee", "fix")
    table.pick("pause").must_be(Phase.PAUSED)
    stood = table.view.clock.remaining_ns
    table.wait(30.0)
    assert table.view.clock.remaining_ns == stood
    assert not table.view.clock.running
    table.ok("referee").must_be(Phase.READY)
    assert table.view.clock.running


def test_paused_fix_opens_the_menu() -> None:
    table = in_pause().fix("referee").must_be(Phase.PAUSED)
    assert table.item == "correct the counts"


def test_paused_a_fall_waits_as_a_proposal() -> None:
    table = in_pause()
    table.fall("NE").wait(2.0).must_be(Phase.PAUSED)
    assert table.view.waiting == 1
    table.ok("referee").must_be(Phase.REVIEW)
    assert table.proposed == "RED NE"


def test_a_pause_while_placing_comes_back_to_placing() -> None:
    table = in_placing().hold("referee", "fix").pick("pause").calm().must_be(Phase.PAUSED)
    table.ok("referee").must_be(Phase.PLACING)
    assert table.view.place == (Piece.RED,)


def test_counts_corrected_in_a_pause_leave_it_a_pause() -> None:
    table = in_pause().fix("referee").pick("correct the counts").pick("RED in: 0")
    table.must_be(Phase.PAUSED)
    assert table.counts == (1, 0)
    table.calm().pick("the table is right").must_be(Phase.PAUSED)


# board over, match over


def test_board_over_shows_the_result_and_ok_begins_the_next_board() -> None:
    table = at_board_over()
    assert str(table.view.headline) == "RED wins"
    assert table.view.winner is Side.RED
    assert table.view.result_points == (1, 0)
    table.ok("referee").must_be(Phase.READY)
    assert table.view.board == 2
    assert table.shooter == "S", "the loser opens"


def test_board_over_undo_goes_back_to_the_review() -> None:
    table = at_board_over().undo().must_be(Phase.REVIEW)
    assert table.proposed == "JACK SE"
    assert table.view.board == 1


@pytest.mark.parametrize("best_of", [1, 3])
def test_a_fall_within_five_seconds_of_the_end_is_asked_about(best_of: int) -> None:
    table = board_won(best_of)
    table.fall("SW")
    assert str(table.view.menu and table.view.menu.title) == "a fall after the end"
    assert (str(table.view.ok), str(table.view.fix)) == ("yes", "no")


def test_a_late_fall_that_was_part_of_the_stroke_joins_its_review() -> None:
    table = board_won(3)
    table.fall("SW").wait(1.0).ok("referee").must_be(Phase.REVIEW)
    assert table.proposed == "JACK SE, STRIKER SW"
    table.wait(0.5).ok("referee").calm()
    assert table.entries[-1] == "N jack@SE striker@SW"
    table.must_be(Phase.PLACING)
    assert table.view.winner is None, "with the striker the jack wins nothing"


def test_a_late_fall_that_was_not_part_of_it_is_cleared_away() -> None:
    table = board_won(3)
    table.fall("SW").wait(1.0).fix("referee").must_be(Phase.BOARD_OVER)
    assert table.view.menu is None
    assert table.last(Kind.CLEARING)["falls"] == [3]
    assert table.entries[-1] == "N jack@SE"


def test_a_fall_later_than_that_is_clearing_and_logged() -> None:
    table = at_board_over()
    table.fall("SW").must_be(Phase.BOARD_OVER)
    assert table.view.menu is None
    assert table.last(Kind.CLEARING)["falls"] == [3]


def test_match_over_shows_the_winner_the_points_and_the_record() -> None:
    table = at_match_over()
    assert table.view.winner is Side.RED
    assert table.view.result_points == (1, 0)
    assert table.view.record == table.record
    assert table.view.record.endswith("N red@NE\nN jack@SE\n")


def test_match_over_ok_held_plays_again_with_the_same_settings() -> None:
    table = at_match_over().ok("referee").must_be(Phase.MATCH_OVER)
    assert str(table.view.detail) == "hold OK to play again"
    table.hold("referee", "ok").must_be(Phase.SETUP).calm()
    table.ok("S").must_be(Phase.READY)
    assert table.game.match.settings.handicaps[Side.RED].pucks_needed == 1


def test_match_over_fix_opens_the_menu() -> None:
    table = at_match_over().fix("referee")
    assert table.item == "end this match"


def test_match_over_undo_goes_back_to_the_review() -> None:
    table = at_match_over().undo().must_be(Phase.REVIEW)
    assert table.proposed == "JACK SE"
    table.choose("RED SE").wait(0.5).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE", "N red@SE"]


def test_a_board_over_without_falls_cannot_be_left_by_looking_at_it() -> None:
    """Nothing happens by itself at the end: people read the result for as long as they like."""
    table = at_board_over()
    before: Desk = table.desk
    table.wait(3600.0)
    assert without_instants(table.desk) == without_instants(before)


def test_a_late_fall_in_a_reopened_review_waits_when_undo_goes_further() -> None:
    table = board_won(3)
    table.fall("SW").wait(1.0).ok("referee").must_be(Phase.REVIEW)
    table.wait(1.0).undo("referee").must_be(Phase.REVIEW)
    assert table.proposed == "RED NE", "the stroke before"
    assert [[fall.number for fall in each.falls] for each in table.desk.waiting] == [[3]]
