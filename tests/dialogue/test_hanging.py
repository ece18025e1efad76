"""The last piece hangs at a pocket's edge and falls long after its stroke was entered."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, strategies as st

from jackspot.core.match import IllegalEntry, Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.rules import rules_for
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.proposals.proposing import propose
from jackspot.dialogue.proposals.spanning import READINGS_BY_FIX
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.transition import taken_back
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Fall, Pulse
from jackspot.sensing.limits import MS, SECOND
from tests.dialogue.dialogue_checks import check_all, falls_on
from tests.dialogue.playing import Table

CLEARS = {
    "hikone": ["RED"] * 12,
    "japan": ["RED"] * 12,
    "kagw": [*["WHITE"] * 7, "QUEEN", "WHITE"],
    "icf": [*["WHITE"] * 7, "QUEEN", "WHITE"],
}
"""What N pockets until one piece of its own is left."""


def one_left(rules: str = "hikone", but: int = 0) -> Table:
    """N has missed with only its last piece left, or ``but`` more; S is to shoot."""
    table = Table(rules=rules).started("N")
    pieces = CLEARS[rules]
    for piece in pieces[: len(pieces) - but]:
        table.shot(f"{piece} NE", "NE")
    return table.miss()


def shown(table: Table) -> list[str]:
    return [str(each.what) for each in table.view.readings]


@pytest.mark.parametrize("after_s", [6.0, 20.0, 100.0, 3_600.0])
def test_the_last_piece_may_be_of_the_stroke_before_however_late_it_falls(after_s: float) -> None:
    table = one_left().wait(after_s).fall("SW").wait(1.6).must_be(Phase.REVIEW)
    assert table.shooter == "S", "first it is the next seat's stroke"
    table.choose("replace N's last stroke: JACK SW")
    assert table.view.proposal is not None
    assert table.view.proposal.ends_board
    assert table.view.proposal.probability < 0.01
    table.hold("referee", "ok").must_be(Phase.MATCH_OVER)
    assert table.entries[-1] == "N jack@SW"
    table.calm().undo().must_be(Phase.REVIEW)
    assert table.proposed == "JACK SW", "what had been confirmed comes first"


def test_what_was_entered_as_the_next_stroke_is_mended_to_be_of_the_one_before() -> None:
    table = one_left().wait(20.0).fall("SW").wait(1.6).choose("GREEN SW").wait(0.5).ok("referee")
    table.calm().undo().wait(1.0).hold("referee", "fix").wait(0.5).pick("shooter")
    table.hold("referee", "fix").wait(0.5).choose("replace N's last stroke: JACK SW").wait(0.5)
    check_all(table)
    table.hold("referee", "ok").calm().must_be(Phase.MATCH_OVER)
    assert table.entries[-2:] == ["N red@NE", "N jack@SW"], "S has not shot at all"
    assert sorted(falls_on(table.dialogue)) == list(range(1, 14))
    check_all(table)


def test_the_stroke_before_keeps_what_it_pocketed_in_time() -> None:
    table = Table(rules="icf").started("N")
    for piece in CLEARS["icf"]:
        table.shot(f"{piece} NE", "NE")
    table.wait(20.0).fall("SW").wait(1.6).must_be(Phase.REVIEW)
    assert table.proposed == "WHITE SW", "N shoots again"
    table.choose("replace N's last stroke: WHITE NE, WHITE SW").hold("referee", "ok")
    assert table.entries[-1] == "N white@NE white@SW"
    assert table.game.match.state.result is not None


def test_a_board_that_goes_on_is_not_asked_of_the_stroke_before() -> None:
    table = one_left(but=1).wait(20.0).fall("SW").wait(1.6)
    assert not any(each.before for each in table.view.readings)


def test_once_the_next_seat_has_shot_it_is_no_longer_the_stroke_before() -> None:
    table = one_left().wait(10.0).miss().wait(20.0).fall("SW").wait(1.6)
    assert not any(each.before and each.seat is Seat.N for each in table.view.readings)


def test_the_striker_hangs_for_nobody() -> None:
    table = one_left().wait(20.0).fall("SW").wait(1.6)
    before = [each for each in table.view.readings if each.before]
    assert before
    assert not any(one.piece is Piece.STRIKER for each in before for one in each.departures)


def test_what_waited_behind_a_pause_may_have_hung_too() -> None:
    table = one_left().wait(10.0).hold("referee", "fix").pick("pause").must_be(Phase.PAUSED)
    table.fall("SW").wait(10.0).ok("referee").must_be(Phase.REVIEW)
    assert "replace N's last stroke: JACK SW" in shown(table)


def test_it_comes_back_after_a_power_cut_with_what_was_chosen() -> None:
    table = one_left().wait(20.0).fall("SW").wait(1.6).choose("replace N's last stroke: JACK SW")
    before = shown(table)
    table.restart()
    assert (table.proposed, shown(table)) == ("replace N's last stroke: JACK SW", before)


@cache
def dialogue_with(rules: str, but: int) -> InMatch:
    return one_left(rules, but).in_match


def ends(match: Match, piece: Piece, pocket: Pocket) -> bool:
    """Return whether N's stroke ends the board with this piece."""
    try:
        return match.enter(Stroke(Seat.N, (Departure(piece, pocket),))).state.result is not None
    except IllegalEntry:
        return False


@given(
    rules=st.sampled_from(sorted(CLEARS)),
    but=st.integers(0, 1),
    pocket=st.sampled_from(Pocket),
    after_ms=st.integers(5_000, 3_600_000),
    width_ms=st.integers(3, 40),
)
def test_what_ends_the_board_is_among_the_first_six_whenever_the_rules_allow_it(
    rules: str, but: int, pocket: Pocket, after_ms: int, width_ms: int
) -> None:
    dialogue = dialogue_with(rules, but)
    start_ns = dialogue.timing.now_ns + after_ms * MS
    fall = Fall(10_000, pocket, (Pulse(pocket, start_ns, start_ns + width_ms * MS),))
    seat = dialogue.game.match.state.position.seat
    like = Proposal(seat, (fall,), (), opened_ns=start_ns, gap_ns=after_ms * MS)
    readings = propose(dialogue, (fall,), start_ns + SECOND, like=like).readings
    reached = readings[:READINGS_BY_FIX]
    match = taken_back(dialogue.game.match, dialogue.game.lines[-1])
    lies = rules_for(match.settings.rules).on_board(match.state.position)
    could = any(ends(match, piece, pocket) for piece, count in lies.items() if count)
    assert any(each.joins for each in reached) == could
    for each in readings:
        if each.joins:
            assert match.enter(Stroke(Seat.N, each.departures)).state.result is not None
    assert not readings[0].joins, "it is seldom"
    assert any(not each.stroke for each in reached)
    assert sum(each.probability for each in readings) == pytest.approx(1.0)
