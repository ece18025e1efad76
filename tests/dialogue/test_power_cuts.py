"""The power fails at the worst moment: the board comes back where it was, and says so."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackspot.core.pieces import Piece
from jackspot.dialogue.restart.restoring import restore
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.limits import SECOND
from jackspot.values import changed
from tests.dialogue.dialogue_checks import check_a_restart
from tests.dialogue.in_phase import IN_PHASE
from tests.dialogue.playing import Kept, Table


@pytest.mark.parametrize("phase", list(Phase))
def test_every_phase_comes_back_with_its_content_and_the_clock_stopped(phase: Phase) -> None:
    table = IN_PHASE[phase]()
    check_a_restart(table)
    before = table.view
    table.restart()
    after = table.view
    assert after.phase is (Phase.PAUSED if phase is Phase.READY else phase)
    assert not after.clock.running
    assert (after.sides, after.board, after.place, after.waiting) == (
        before.sides, before.board, before.place, before.waiting,
    )  # fmt: skip
    said = f"{after.headline} {after.detail}"
    assert ("power was off" in said) == (phase is not Phase.SETUP)


def test_before_play_goes_on_people_compare_table_and_counts() -> None:
    table = Table(options={"time_limit_s": 300}).started("N").shot("RED NE", "NE").restart()
    table.must_be(Phase.PAUSED)
    assert str(table.view.detail) == "in: RED 1, GREEN 0?"
    table.wait(10.0)
    assert not table.view.clock.running
    table.ok("referee").must_be(Phase.READY)
    assert table.view.clock.running


def test_fix_at_the_glance_corrects_the_counts_and_then_play_goes_on() -> None:
    table = Table().started("N").shot("RED NE", "NE").restart().wait(1.0).fix("referee")
    table.pick("RED in: 1").wait(1.0)
    assert table.counts == (2, 0)
    table.pick("the table is right").must_be(Phase.READY)
    assert table.entries == ["N red@NE", "! set red pocketed=2"]


def test_what_was_open_is_settled_first_then_placing_and_last_the_glance() -> None:
    table = Table().started("N").shot("RED NE", "NE").review("SW").choose("STRIKER SW").restart()
    table.must_be(Phase.REVIEW).wait(1.0)
    assert table.proposed == "STRIKER SW"
    assert "power was off" in str(table.view.detail)
    table.ok("referee").must_be(Phase.PLACING).wait(1.0).ok("referee").must_be(Phase.PAUSED)
    table.wait(1.0).ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE", "N striker@SW", "! placed"]


def test_a_fall_whose_pieces_were_still_falling_is_settled_after_the_cut() -> None:
    table = Table().started("N")
    table.fall("NE").restart().must_be(Phase.FALLING).wait(2.0).must_be(Phase.REVIEW)
    table.ok("referee").must_be(Phase.PAUSED)
    assert table.entries == ["N red@NE"]


def test_editing_comes_back_with_every_piece_where_it_was_put() -> None:
    table = Table().started("N").review("NE").hold("referee", "fix").pick("add a piece")
    menu = table.view.menu
    table.restart().must_be(Phase.REVIEW)
    assert table.view.menu == menu
    assert table.dialogue.menu is not None
    assert table.dialogue.menu.kind is MenuKind.EDIT
    assert table.proposed == "RED NE, RED"


def test_a_chosen_reading_its_flags_and_what_flew_off_come_back() -> None:
    table = Table().started("N").review("NE").fix("referee", 2).foul().off()
    shown = table.proposed
    table.restart()
    assert table.proposed == shown == "foul, STRIKER NE, RED off"


def test_undo_reaches_behind_a_power_cut() -> None:
    table = Table().started("N").shot("RED NE", "NE").miss().restart().wait(1.0).ok("referee")
    table.calm().undo().must_be(Phase.READY).wait(0.1).undo().must_be(Phase.REVIEW)
    assert table.proposed == "RED NE"


def test_a_line_that_was_taken_back_is_still_open_after_the_cut() -> None:
    table = Table().started("N").shot("STRIKER NE", "NE").miss().undo().undo().restart()
    table.must_be(Phase.REVIEW).wait(1.0)
    assert table.proposed == "STRIKER NE"
    assert str(table.view.proposal and table.view.proposal.why) == "was confirmed"
    table.ok("referee").must_be(Phase.PAUSED)
    assert table.entries == ["N striker@NE", "S -"], "OK without a change is redo of all"


def test_what_waits_and_what_is_parked_comes_back() -> None:
    table = Table().started("N").miss().review("SE")
    table.fall("SW").wait(2.0).undo().restart().must_be(Phase.PAUSED)
    assert table.view.waiting == 2
    table.wait(1.0).ok("referee").must_be(Phase.READY)
    assert str(table.view.headline) == "taken back: 1"
    table.calm().ok("referee").must_be(Phase.REVIEW)
    assert table.proposed in ("RED SE", "GREEN SE")


@pytest.mark.parametrize("end", ["stop", "finish_stroke"])
def test_at_zero_with_undo_behind_it(end: str) -> None:
    table = Table(options={"time_limit_s": 30, "time_end": end}).started("N")
    table.shot("RED NE", "NE").wait(12.0).review("SE").wait(20.0)
    table.restart().must_be(Phase.REVIEW).wait(1.0).hold("referee", "ok")
    assert table.entries == ["N red@NE", "N red@SE", "! time"]
    table.restart().wait(1.0)
    if end == "finish_stroke":
        table.ok("referee").must_be(Phase.READY).calm()
    table.undo().must_be(Phase.REVIEW)
    assert table.entries == ["N red@NE"]
    table.restart().must_be(Phase.REVIEW).wait(1.0).hold("referee", "ok")
    assert table.entries == ["N red@NE", "N red@SE", "! time"]
    assert table.view.clock.remaining_ns == 0


def test_the_striker_to_be_fetched_is_remembered() -> None:
    table = Table().started("N").shot("STRIKER SW", "SW").restart().wait(1.0).ok("referee")
    assert str(table.view.detail) == "striker in SW"


def test_at_most_five_seconds_of_the_clock_are_lost() -> None:
    table = Table(options={"time_limit_s": 300}).started("N").wait(103.0)
    left_ns = table.view.clock.remaining_ns
    table.restart()
    assert 0 <= table.view.clock.remaining_ns - left_ns <= 5 * SECOND


def test_a_second_cut_on_top_of_the_first_changes_nothing_more() -> None:
    table = Table().started("N").shot("RED NE", "NE").restart()
    once = table.view
    table.restart()
    assert table.view == once


def test_the_last_match_comes_back_after_a_cut_in_setup() -> None:
    table = IN_PHASE[Phase.MATCH_OVER]().hold("referee", "ok").must_be(Phase.SETUP).restart()
    table.wait(1.0).undo().must_be(Phase.MATCH_OVER)
    assert table.entries == ["N red@NE", "N jack@SE"]


def test_what_people_set_in_setup_is_still_set() -> None:
    table = Table().wait(1.0).hold("N", "fix").pick("seats N S", by="N").wait(0.5)
    table.pick("no time limit", by="N").wait(0.5).restart()
    items = table.items
    assert items[:2] == ["seats E W", "time 3 min"]


def test_a_journal_that_does_not_fit_is_named_and_play_goes_on_with_the_rest() -> None:
    table = Table().started("N").shot("RED NE", "NE").miss()
    broken = [*table.records, Kept("line", 0, {"entries": ["S red red red"], "falls": [99]})]
    restored = restore(broken, table.dialogue_settings, table.plan, 5)
    assert any("line" in trouble for trouble in restored.troubles)
    assert restored.dialogue.game is not None
    assert len(restored.dialogue.game.lines) == 2
    assert restored.dialogue.phase is Phase.PAUSED


def test_only_the_last_two_matches_of_a_long_season_are_folded() -> None:
    table = Table()
    for _ in range(3):
        table.calm().ok("N").calm().miss().hold("referee", "fix")
        table.pick("end this match", held=True).must_be(Phase.SETUP)
    spoiled = [
        Kept(each.kind, each.at_ns, {**each.body, "entries": ["nonsense"]})
        if each.kind == "line" and index < len(table.records) // 2
        else each
        for index, each in enumerate(table.records)
    ]
    assert restore(spoiled, table.dialogue_settings, table.plan, 5).troubles == ()


def test_placing_comes_back_in_the_order_bottom_to_top() -> None:
    table = Table().started("N")
    for pocket in ("NE", "SE", "SW"):
        table.shot(f"RED {pocket}", pocket)
    table.review("NW").choose("JACK NW").wait(0.5).ok("referee").restart()
    assert table.view.place == (Piece.RED, Piece.RED, Piece.RED, Piece.JACK)


def test_every_phase_is_made_by_the_tests() -> None:
    makers: dict[Phase, Callable[[], Table]] = IN_PHASE
    assert set(makers) == set(Phase)


def test_a_choice_parked_with_its_stroke_comes_back_from_a_power_cut() -> None:
    table = Table().started("referee").falls_in("NE", "NE").wait(2.0)
    table.down("referee", "ok").fall("NE", 9.0).wait(0.05).up("referee", "ok")
    table.hold("referee", "ok")
    parked = shown(table)
    for _ in range(6):
        if not parked.reading.joins:
            table.wait(0.5).fix("referee")
            parked = shown(table)
    assert parked.reading.joins
    table.wait(1.0).undo("referee")
    check_a_restart(table)
    table.restart().wait(1.0).hold("referee", "ok")
    back = shown(table)
    assert (back.departures, back.reading.joins) == (parked.departures, True)


def shown(table: Table) -> Proposal:
    """Return what is proposed now."""
    proposal = table.dialogue.proposal
    assert proposal is not None, f"nothing is proposed in {table.phase}"
    return proposal


def test_a_list_that_lay_open_when_the_power_failed_is_worked_by_anybody() -> None:
    table = Table(box=False).started()
    table.hold("N", "fix").wait(1.0).fix("N", 2).restart().wait(1.0)
    assert table.item == "correct the counts"
    table.fix("S")
    assert table.item == "whose turn"


@pytest.mark.parametrize("letters", [64, 65, 5_000])
def test_a_match_that_was_begun_with_a_long_name_is_taken_up_again(letters: int) -> None:
    """A journal of an earlier version may hold names that records from elsewhere may not."""
    table = Table().started("N").shot("RED NE", "NE")
    begun = next(each for each in table.records if each.kind == EntryKind.MATCH)
    header = begun.body["header"].replace("---", f'[names]\nN = "{"ä" * letters}"\n---')
    table.records[table.records.index(begun)] = changed(begun, body={"header": header})
    table.restart()
    assert table.entries == ["N red@NE"]
    assert [len(each.names[0]) for each in table.view.sides[:1]] == [letters]


def test_a_power_cut_and_what_to_do_next_do_not_read_as_one_sentence() -> None:
    table = Table().started("N").review("NE").calm().restart().wait(0.5)
    assert str(table.view.detail).startswith("power was off - ")


def test_a_board_that_begins_after_one_that_was_ended_by_word_is_not_asked_about() -> None:
    table = Table(options={"best_of": 3, "time_limit_s": 300}).started("N").shot("RED NE", "NE")
    table.restart().wait(1.0).must_be(Phase.PAUSED)
    table.hold("referee", "fix").wait(1.0).pick("resign").wait(1.0).pick("N resigns", held=True)
    table.calm().must_be(Phase.BOARD_OVER).ok("referee").calm().must_be(Phase.READY)
    assert table.view.board == 2
    assert "power" not in f"{table.view.headline} {table.view.detail}"
    assert table.game.clock.running
