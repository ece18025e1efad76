"""Properties of KAGW carroms, whatever is shot: pieces, debts, the queen, results, records."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.core.agreement import agree
from jackspot.core.directives import Directive, GiveTurn, RedPlace, Resign, Say, Saying
from jackspot.core.match import Match, Step
from jackspot.core.pieces import Piece, Seat
from jackspot.core.position import Position
from jackspot.core.record import read_record, write_record
from jackspot.core.rules import RULES, IllegalDirective
from jackspot.core.ruling import How, Ruling
from jackspot.core.scoring import score
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Flag, Stroke
from tests.core.rules.carrom_shots import CORRECTED, NINE, SHOTS, play, strokes

KAGW = RULES[RuleSystem.KAGW]
DIRECTIVES: st.SearchStrategy[Directive] = st.one_of(
    st.just(Say(Saying.FORGOT)),
    st.builds(Say, st.sampled_from(Saying)),
    st.builds(GiveTurn, st.sampled_from(Seat)),
    st.builds(Resign, st.sampled_from(Seat)),
    CORRECTED,
)
ACTIONS = st.lists(st.one_of(SHOTS, SHOTS, SHOTS, SHOTS, DIRECTIVES), max_size=40)
SHOTS_ONLY = st.lists(st.one_of(SHOTS, SHOTS, SHOTS, st.just(Say(Saying.FORGOT))), max_size=60)
AGREEMENTS = st.builds(
    lambda seats, options: agree({"rules": "kagw", "seats": seats, "options": options}),
    st.sampled_from((["N", "S"], ["W", "E"], ["N", "E", "S", "W"], ["S", "E", "N", "W"])),
    st.fixed_dictionaries(
        {"best_of": st.sampled_from((3, 5, 9))},
        optional={
            "break_attempts": st.sampled_from((1, 2, 3)),
            "off_board_is_foul": st.booleans(),
            "cover": st.sampled_from(("next", "turn")),
            "decider": st.sampled_from(("aggregate", "games")),
            "queen_points": st.sampled_from((0, 3, 5)),
            "time_end": st.sampled_from(("finish_stroke", "stop", "finish_turn", "finish_round")),
        },
    ),
)


def queens_out(position: Position) -> int:
    return int(position.red is not RedPlace.BOARD)


def put_back(stroke: Stroke, ruling: Ruling, piece: Piece) -> int:
    """Count what is back on the board; after a board's end nobody is told to place anything."""
    return stroke.flown(piece) if ruling.result else ruling.place.count(piece)


@given(AGREEMENTS, ACTIONS)
def test_no_piece_is_made_or_lost(agreed, actions):
    for before, step in strokes(play(agreed, actions)):
        stroke, after, ruling = step.entry, step.state.position, step.ruling
        assert isinstance(stroke, Stroke)
        assert ruling is not None
        there = KAGW.on_board(ruling.after)
        for side in before.sides:
            left = stroke.pocketed(side.piece) + stroke.flown(side.piece)
            back = put_back(stroke, ruling, side.piece)
            pocketed = ruling.after.count(side).pocketed
            assert before.count(side).pocketed + left - back == pocketed
            assert 0 <= pocketed <= NINE
            assert there[side.piece] == NINE - pocketed
            assert 0 <= after.count(side).pocketed <= NINE
        left = stroke.pocketed(Piece.QUEEN) + stroke.flown(Piece.QUEEN)
        back = put_back(stroke, ruling, Piece.QUEEN)
        assert queens_out(before) + left - back == queens_out(ruling.after)
        assert there[Piece.QUEEN] == 1 - queens_out(ruling.after)
        assert Piece.STRIKER not in ruling.place


@given(AGREEMENTS, ACTIONS)
def test_a_foul_costs_one_piece_and_nothing_else_costs_any(agreed, actions):
    for before, step in strokes(play(agreed, actions)):
        ruling = step.ruling
        assert ruling is not None
        if ruling.result is not None:
            assert not ruling.place
            continue
        for index, side in enumerate(before.sides):
            due = ruling.foul and side is before.side
            owed = ruling.after.count(side).owed
            assert owed + ruling.paid[index] == before.count(side).owed + due
            assert owed >= 0
            if ruling.keeps_turn:
                assert ruling.paid[index] == 0, "nothing is paid before the turn ends"
            else:
                assert not (owed and ruling.after.count(side).pocketed), "what is there pays"


@given(AGREEMENTS, ACTIONS)
def test_the_turn_is_kept_by_an_own_piece_the_queen_or_an_early_missed_break(agreed, actions):
    for before, step in strokes(play(agreed, actions)):
        stroke, ruling = step.entry, step.ruling
        assert isinstance(stroke, Stroke)
        assert ruling is not None
        own = stroke.pocketed(before.side.piece)
        opponents = stroke.pocketed(before.other(before.side).piece)
        queen = stroke.pocketed(Piece.QUEEN)
        if ruling.foul:
            assert not ruling.keeps_turn
        if ruling.keeps_turn:
            assert own or (queen and not opponents) or Flag.NOBREAK in stroke.flags
            assert ruling.next is before.seat
        elif ruling.result is None:
            assert ruling.after.turn == before.following
            assert ruling.after.red in (RedPlace.BOARD, RedPlace.COVERED)


def own_in_turn(match: Match, until: Step) -> bool:
    """Return whether an own piece fell earlier in the turn that a step belongs to."""
    own, states = False, [match.opened, *(step.state for step in match.steps)]
    for before, step in zip(states, match.steps, strict=False):
        if before.result is not None or before.position.strokes_in_turn == 0:
            own = False
        if step is until:
            return own
        if isinstance(step.entry, Stroke) and step.ruling is not None:
            side = step.ruling.after.seat_sides[step.entry.seat]
            own = own or step.entry.pocketed(side.piece) > 0
    raise AssertionError("no such step")


@given(AGREEMENTS, ACTIONS)
def test_the_queen_is_covered_only_by_who_may(agreed, actions):
    match = play(agreed, actions)
    for before, step in strokes(match):
        stroke, ruling = step.entry, step.ruling
        assert isinstance(stroke, Stroke)
        assert ruling is not None
        after, own = ruling.after, stroke.pocketed(before.side.piece) > 0
        may = before.red is RedPlace.BOARD and before.count(before.side).pocketed
        if agreed.options.get("cover") == "turn" and may and stroke.pocketed(Piece.QUEEN):
            own = own or own_in_turn(match, step)
            assert (after.red is RedPlace.COVERED) == (own and not ruling.foul)
        if after.red is RedPlace.COVERED and before.red is not RedPlace.COVERED:
            assert after.red_side is before.side
            assert own
            assert before.red is RedPlace.PENDING or before.count(before.side).pocketed
            assert not ruling.foul
        if before.red is RedPlace.COVERED:
            assert (after.red, after.red_side) == (before.red, before.red_side)
        if after.red is RedPlace.PENDING:
            assert (after.red_side, ruling.keeps_turn) == (before.side, True)
        assert (after.red_side is None) == (after.red in (RedPlace.BOARD, RedPlace.POCKETED))


def queen_points(agreed: MatchSettings) -> int:
    value = agreed.options.get("queen_points", 5)
    assert isinstance(value, int)
    return value


@given(AGREEMENTS, SHOTS_ONLY)
def test_a_board_is_won_by_who_has_all_in_owes_nothing_and_has_a_covered_queen(agreed, actions):
    match = play(agreed, actions)
    for step in match.steps:
        result, position = step.state.result, step.state.position
        all_in = [side for side in position.sides if not position.left(side)]
        if result is None:
            assert not all_in
            continue
        assert [result.winner] == all_in
        assert result.how is How.PIECES
        winner = all_in[0]
        assert position.count(winner).owed == 0
        assert position.red is RedPlace.COVERED
        queen = queen_points(agreed) if position.red_side is winner else 0
        loser = position.other(winner)
        assert result.points == {winner: position.left(loser) + queen, loser: 0}
        assert step.ruling is None or not step.ruling.foul


@given(AGREEMENTS, ACTIONS)
def test_forgot_gives_back_what_was_paid_late_and_is_refused_everywhere_else(agreed, actions):
    for before, step in strokes(play(agreed, actions)):
        stroke, ruling, me = step.entry, step.ruling, before.side
        assert isinstance(stroke, Stroke)
        assert ruling is not None
        to_pay_with = before.count(me).pocketed + stroke.pocketed(me.piece)
        fresh = int(ruling.foul and to_pay_with > 0)
        late = {
            side: 0 if ruling.result else paid - (fresh if side is me else 0)
            for side, paid in zip(before.sides, ruling.paid, strict=True)
        }
        forgot = Say(Saying.FORGOT)
        if not any(late.values()):
            with pytest.raises(IllegalDirective):
                KAGW.direct(agreed, ruling.after, forgot)
            continue
        after = KAGW.direct(agreed, ruling.after, forgot).after
        for side in after.sides:
            count, was = after.count(side), ruling.after.count(side)
            assert count.pocketed == was.pocketed + late[side]
            assert count.owed == (0 if late[side] else was.owed)
        with pytest.raises(IllegalDirective):
            KAGW.direct(agreed, after, forgot)


@settings(max_examples=60)
@given(AGREEMENTS, ACTIONS)
def test_the_record_of_a_random_match_scores_to_the_same(agreed, actions):
    match = play(agreed, actions)
    text = write_record(agreed, [step.entry for step in match.steps])
    record = read_record(text)
    assert record.match.steps == match.steps
    assert write_record(record.settings, [step.entry for step in record.match.steps]) == text
    result = score(record)
    assert result["match"]["points"] == dict(match.state.points)
    assert [board["winner"] for board in result["boards"]] == [
        board.result.winner for board in match.state.boards
    ]
