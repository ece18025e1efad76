"""What holds in KAGW carroms whatever is shot: pieces, debts, the queen, results, records."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.core.agreement import agree
from jackspot.core.directives import (
    Directive,
    GiveTurn,
    RedPlace,
    Resign,
    Say,
    Saying,
    SetOwed,
    SetPocketed,
    SetRed,
)
from jackspot.core.match import IllegalEntry, Match, MatchState, Step
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.position import Position
from jackspot.core.record import read_record, write_record
from jackspot.core.rules import RULES, IllegalDirective
from jackspot.core.ruling import How, Ruling
from jackspot.core.scoring import score
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Departure, Flag, Stroke

KAGW = RULES[RuleSystem.KAGW]
NINE = 9


class Shot(NamedTuple):
    """A stroke before it is known what lies on the board: as much of it as there is."""

    own: int
    opp: int
    queen: bool
    striker: bool
    own_off: int
    opp_off: int
    queen_off: bool
    striker_off: bool
    foul: bool
    missed: bool


RARELY = st.sampled_from((False,) * 7 + (True,))
FEW_OFF = st.sampled_from((0,) * 8 + (1, 2))
SHOTS = st.builds(
    Shot,
    st.sampled_from((0, 0, 0, 1, 1, 1, 2, 3, 9)),
    st.sampled_from((0, 0, 0, 0, 1, 2, 9)),
    st.booleans(),
    RARELY,
    FEW_OFF,
    FEW_OFF,
    RARELY,
    RARELY,
    RARELY,
    RARELY,
)
SIDES = st.sampled_from((Side.WHITE, Side.BLACK))
DIRECTIVES: st.SearchStrategy[Directive] = st.one_of(
    st.just(Say(Saying.FORGOT)),
    st.builds(Say, st.sampled_from(Saying)),
    st.builds(GiveTurn, st.sampled_from(Seat)),
    st.builds(Resign, st.sampled_from(Seat)),
    st.builds(SetPocketed, SIDES, st.integers(0, NINE)),
    st.builds(SetOwed, SIDES, st.integers(0, 3)),
    st.builds(
        SetRed,
        st.sampled_from((RedPlace.PENDING, RedPlace.COVERED)),
        SIDES,
        st.just(Piece.QUEEN),
    ),
    st.just(SetRed(RedPlace.BOARD, None, Piece.QUEEN)),
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


def stroke_of(state: MatchState, shot: Shot) -> Stroke:
    """Make a stroke that can have happened of a shot."""
    assert state.next is not None
    position = state.position
    if state.result is not None:  # it opens the next board, where everything lies there
        own, other, left = position.sides[0].piece, position.sides[1].piece, (NINE, NINE, 1)
    else:
        own, other = position.side.piece, position.other(position.side).piece
        there = KAGW.on_board(position)
        left = (there[own], there[other], there[Piece.QUEEN])
    if shot.missed:
        shot = Shot(0, 0, False, shot.striker, 0, 0, False, shot.striker_off, shot.foul, True)
    departures: list[Departure] = []
    for piece, there_are, fell, flew in (
        (own, left[0], shot.own, shot.own_off),
        (other, left[1], shot.opp, shot.opp_off),
        (Piece.QUEEN, left[2], int(shot.queen), int(shot.queen_off)),
        (Piece.STRIKER, 1, int(shot.striker), int(shot.striker_off)),
    ):
        fallen = min(fell, there_are)
        flown = min(flew, there_are - fallen)
        departures += [Departure(piece)] * fallen + [Departure(piece, flew_off=True)] * flown
    flags = frozenset({Flag.FOUL} if shot.foul else ()) | ({Flag.NOBREAK} if shot.missed else set())
    return Stroke(state.next, tuple(departures), flags)


def play(agreed: MatchSettings, actions: list[Shot | Directive]) -> Match:
    """Play what can have happened; the rest is refused and changes nothing."""
    match = Match.begin(agreed)
    for action in actions:
        if match.state.over:
            break
        entry = stroke_of(match.state, action) if isinstance(action, Shot) else action
        try:
            match = match.enter(entry)
        except IllegalEntry:
            assert not isinstance(action, Shot) or action.missed, "a stroke of what lies there"
    return match


def strokes(match: Match) -> list[tuple[Position, Step]]:
    """Every stroke with the position before it, on a board that it did not open."""
    states = [match.opened, *(step.state for step in match.steps)]
    return [
        (before.position, step)
        for before, step in zip(states, match.steps, strict=False)
        if isinstance(step.entry, Stroke) and before.result is None
    ]


def queens_out(position: Position) -> int:
    return int(position.red is not RedPlace.BOARD)


def put_back(stroke: Stroke, ruling: Ruling, piece: Piece) -> int:
    """Count what lies on the board again; after a board's end nobody is told to place anything."""
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
    """Whether an own piece fell earlier in the turn that a step belongs to."""
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
