"""Pockets entered by hand: a dead beam, a blocked one, and a match that goes on regardless."""

from __future__ import annotations

from typing import Any

import pytest

from jackspot.core.pieces import Piece, Pocket
from jackspot.core.stroke import Departure
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import FaultCleared, FaultRaised, Trouble
from tests.dialogue.dialogue_checks import check_all, watch_the_evidence, watch_the_question
from tests.dialogue.playing import Table


def playing(**more: Any) -> Table:
    table = Table(**more)
    table.watchers += [watch_the_question, watch_the_evidence(table)]
    return table.started("N")


def by_hand(table: Table, what: str) -> Table:
    """Enter by hand something that no beam saw."""
    table.must_be(Phase.READY).fix("referee").must_be(Phase.REVIEW).choose(what)
    return table.wait(0.5).ok("referee").calm()


def in_pocket(table: Table, piece: int, pocket: str) -> Table:
    """Edit where a piece of the open proposal fell."""
    table.hold("referee", "fix").wait(0.5)
    for _ in range(6):
        where = table.lines_of(piece)[1]
        if where.endswith(f"in {pocket}"):
            return table.pick("done").wait(0.5)
        table.pick(where).wait(0.2)
    raise AssertionError(f"no place {pocket} in {table.items}")


def marked(pocket: str = "NW", **more: Any) -> Table:
    """A match in which two pieces entered by hand have led to a pocket being marked."""
    table = by_hand(by_hand(playing(**more), "RED"), "RED")
    return table.pick(f"{pocket} manual").calm()


def asked(table: Table) -> str:
    return str(table.view.menu.title) if table.view.menu else ""


def shown(table: Table) -> list[str]:
    return [str(each.what) for each in table.view.readings]


def test_two_entries_without_a_pocket_ask_which_beam_it_was() -> None:
    table = by_hand(playing(), "RED")
    assert asked(table) == ""
    table = by_hand(table, "RED")
    assert asked(table) == "which beam misses?"
    assert table.items == ["NE manual", "SE manual", "SW manual", "NW manual", "none of them"]
    check_all(table)
    table.pick("NW manual").must_be(Phase.READY)
    assert table.view.by_hand == (Pocket.NW,)
    assert table.counts == (2, 0)
    check_all(table)


def test_two_entries_for_one_pocket_offer_to_mark_it() -> None:
    table = playing()
    for _ in range(2):
        table.fix("referee").choose("RED")
        in_pocket(table, 1, "SW").ok("referee").calm()
    assert table.entries == ["N red@SW", "N red@SW"]
    assert asked(table) == "its beam misses pieces?"
    assert (str(table.view.ok), str(table.view.fix)) == ("yes", "no")
    assert table.items == ["SW manual"]
    check_all(table)
    table.ok("referee").must_be(Phase.READY)
    assert table.view.by_hand == (Pocket.SW,)


@pytest.mark.parametrize("how", ["undo", "history", "stroke before", "twice"])
@pytest.mark.parametrize("pocket", ["", "SW"])
def test_a_piece_entered_by_hand_counts_once_however_often_its_stroke_is_corrected(
    pocket: str, how: str
) -> None:
    table = playing().fix("referee").choose("RED")
    if pocket:
        in_pocket(table, 1, pocket)
    table.ok("referee").wait(3.2)
    if how == "stroke before":
        table.foul()
        assert table.proposed.startswith("replace N's last stroke")
    elif how == "history":
        table.hold("referee", "fix").wait(1.0).pick("history").wait(1.0).ok("referee").wait(1.0)
        table.foul()
    else:
        table.undo().wait(1.0).foul()
    table.wait(1.0).ok("referee").calm().must_be(Phase.PLACING)
    if how == "twice":
        table.undo().wait(1.0).foul().wait(1.0).ok("referee").calm()
    assert table.dialogue.unseen == (Pocket(pocket) if pocket else None,)
    assert asked(table) == ""


def test_a_pocket_that_was_wrong_counts_no_longer() -> None:
    table = in_pocket(playing().fix("referee").choose("RED"), 1, "SW").ok("referee").calm()
    for pocket in ("SE", "SW"):
        in_pocket(table.undo().wait(1.0), 1, pocket).wait(1.0).ok("referee").calm()
        assert table.dialogue.unseen == (Pocket(pocket),)
        assert asked(table) == ""


def test_a_second_piece_in_the_corrected_stroke_is_one_more() -> None:
    table = by_hand(playing(), "RED").undo().wait(1.0).choose("RED, RED").wait(0.5)
    table.ok("referee").calm()
    assert table.entries == ["N 2*red"]
    assert asked(table) == "which beam misses?"


def test_who_says_no_is_asked_again_after_two_more() -> None:
    table = by_hand(by_hand(playing(), "RED"), "RED").pick("none of them").calm()
    assert not table.view.by_hand
    table = by_hand(table, "RED")
    assert asked(table) == ""
    assert asked(by_hand(table, "RED")) == "which beam misses?"


def test_a_question_that_nobody_answers_closes_and_marks_nothing() -> None:
    table = by_hand(by_hand(playing(), "RED"), "RED").wait(21.0).must_be(Phase.READY)
    assert asked(table) == ""
    assert not table.view.by_hand


def test_ready_shows_which_pocket_is_by_hand_and_nothing_fell_stays_one_press() -> None:
    table = marked()
    assert "NW manual" in str(table.view.detail)
    table.ok("referee").must_be(Phase.READY)
    assert table.entries[-1] == "N -"


def test_an_entry_by_hand_proposes_the_pocket_by_hand_first() -> None:
    table = marked().fix("referee").must_be(Phase.REVIEW)
    assert shown(table)[:4] == ["RED NW", "GREEN NW", "STRIKER NW", "JACK NW"]
    table.ok("referee").calm()
    assert table.entries[-1] == "N red@NW"
    assert asked(table) == "", "a pocket that is marked is not asked about again"


def test_readings_reckon_with_a_piece_in_the_pocket_by_hand() -> None:
    table = marked().review("NE")
    assert shown(table)[0] == "RED NE"
    table.choose("RED NE, RED NW").wait(0.5)
    proposal = table.dialogue.proposal
    assert proposal is not None
    unseen = [
        each for each in proposal.readings
        if any(piece.pocket is Pocket.NW for piece in each.departures)
    ]  # fmt: skip
    assert sum(each.probability for each in unseen) == pytest.approx(0.05, abs=0.01)
    assert sum(each.probability for each in proposal.readings) == pytest.approx(1.0)
    check_all(table)
    table.ok("referee").calm()
    assert table.entries[-1] == "N red@NE red@NW"


def test_without_a_pocket_by_hand_no_reading_has_an_unseen_piece() -> None:
    table = playing().review("NE")
    assert table.dialogue.proposal is not None
    for reading in table.dialogue.proposal.readings:
        assert all(piece.pocket is Pocket.NE for piece in reading.departures)


def test_a_fall_that_the_beam_sees_takes_the_mark_away_and_says_so() -> None:
    table = marked().fall("NW").wait(0.2)
    assert not table.view.by_hand
    table.wait(1.5).must_be(Phase.REVIEW)
    table = marked().review("NE").fall("NW").wait(2.0)
    assert str(table.view.detail) == "beam NW sees again"


def test_the_menu_marks_a_pocket_and_takes_the_mark_away() -> None:
    table = playing().hold("referee", "fix").wait(0.5).pick("manual pockets").wait(0.5)
    assert table.items == ["NE: beam", "SE: beam", "SW: beam", "NW: beam", "close"]
    table.pick("SE: beam").wait(0.5)
    assert table.items[1] == "SE: manual"
    assert table.view.by_hand == (Pocket.SE,)
    table.pick("SE: manual").pick("close").must_be(Phase.READY)
    assert not table.view.by_hand


def test_a_pocket_by_hand_outlasts_power_cuts_and_matches() -> None:
    table = marked().restart().must_be(Phase.PAUSED)
    assert table.view.by_hand == (Pocket.NW,)
    table.ok("N").calm().hold("referee", "fix").wait(0.5).pick("end this match", held=True)
    assert table.must_be(Phase.SETUP).view.by_hand == (Pocket.NW,)
    table.restart().must_be(Phase.SETUP)
    assert table.view.by_hand == (Pocket.NW,)


def test_the_questions_outlast_a_power_cut() -> None:
    table = by_hand(by_hand(playing(), "RED"), "RED").restart()
    assert asked(table) == "which beam misses?"


@pytest.mark.parametrize("trouble", [Trouble.BLOCKED, Trouble.CHATTER])
def test_a_pocket_with_a_fault_is_by_hand_as_long_as_the_fault_lasts(trouble: Trouble) -> None:
    table = playing().fault(FaultRaised(1, "pocket_se", trouble))
    assert table.view.by_hand == (Pocket.SE,)
    table.fix("referee")
    assert table.proposed == "RED SE"
    check_all(table)
    table.ok("referee").calm().fault(FaultCleared(1, "pocket_se", trouble))
    assert not table.view.by_hand


def test_a_pocket_with_something_in_its_beam_is_not_asked_about() -> None:
    table = playing().fault(FaultRaised(1, "pocket_se", Trouble.BLOCKED))
    for _ in range(3):
        table = by_hand(table, "RED SE")
    assert asked(table) == ""


def test_a_pocket_whose_beam_flickers_is_offered_after_two_entries() -> None:
    table = playing().fault(FaultRaised(1, "pocket_se", Trouble.CHATTER))
    table = by_hand(by_hand(table, "RED SE"), "RED SE")
    assert asked(table) == "its beam misses pieces?"
    table.ok("referee").calm().fault(FaultCleared(1, "pocket_se", Trouble.CHATTER))
    assert table.view.by_hand == (Pocket.SE,), "it stays by hand between two storms"


# where the rules need the pocket


def home_counts(**more: Any) -> Table:
    return playing(options={"own_side_pockets": False}, **more)


def test_where_the_rules_need_the_pocket_an_entry_by_hand_asks_for_it() -> None:
    table = home_counts().fix("referee").choose("RED").wait(0.5)
    assert str(table.view.detail) == "OK: which pocket?"
    table.ok("referee").must_be(Phase.REVIEW)
    assert asked(table) == "into which pocket?"
    assert table.items == ["in NE", "in SE", "in SW", "in NW", "close"]
    check_all(table)
    table.wait(1.0).pick("in SW").calm()
    assert table.entries == ["N red@SW"]


def test_each_piece_is_asked_about_and_the_pocket_by_hand_comes_first() -> None:
    table = home_counts().hold("referee", "fix").wait(0.5).pick("manual pockets").wait(0.5)
    table.pick("NW: beam").wait(0.5).pick("close").wait(0.5).fix("referee").choose("RED NW")
    table.hold("referee", "fix").wait(0.5).pick("add a piece").pick("done").wait(0.5)
    assert table.proposed == "RED NW, RED"
    table.ok("referee").wait(1.0)
    assert table.items[0] == "in NW"
    table.pick("in SE").calm()
    assert table.entries == ["N red@NW red@SE"]


def test_a_list_of_pockets_that_is_closed_leaves_the_review_open() -> None:
    table = home_counts().fix("referee").choose("RED").wait(0.5).ok("referee").wait(1.0)
    table.hold("referee", "fix").must_be(Phase.REVIEW)
    assert table.view.menu is None
    assert table.proposed == "RED"
    assert table.entries == []


def test_naming_the_pocket_of_a_piece_that_ends_the_board_still_wants_ok_held() -> None:
    table = home_counts(handicap={"N": {"pucks_needed": 1}, "S": {"pucks_needed": 1}})
    table.shot("RED SW", "SW").fix("referee").choose("RED").wait(0.5)
    table.hold("referee", "fix").wait(0.5).pick("add a piece").pick("done").wait(0.5)
    for _ in range(3):
        if table.proposed == "RED, JACK":
            break
        table.hold("referee", "fix").wait(0.5).pick(table.lines_of(2)[0])
        table.pick("done").wait(0.5)
    table.ok("referee").wait(1.0)
    if table.view.menu is not None:
        table.pick("in SW").wait(1.0)
    assert Piece.JACK in {each.piece for each in _departures(table)}
    table.must_be(Phase.REVIEW).hold("referee", "ok").must_be(Phase.MATCH_OVER)


def _departures(table: Table) -> tuple[Departure, ...]:
    assert table.dialogue.proposal is not None
    return table.dialogue.proposal.departures
