"""Properties of the laws and of the German basic rules, whatever is shot."""

from __future__ import annotations

from hypothesis import assume, given, settings, strategies as st

from jackspot.core.agreement import agree, number_option, option
from jackspot.core.directives import RedPlace, Say, Saying
from jackspot.core.pieces import Piece, Side
from jackspot.core.position import Position
from jackspot.core.record import read_record, write_record
from jackspot.core.rules import rules_for
from jackspot.core.rules.queen.icf_terms import memo_of
from jackspot.core.ruling import BoardResult, How
from jackspot.core.scoring import score
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Flag, Stroke
from jackspot.values import changed
from tests.core.rules.carrom_shots import CORRECTED, NINE, SAID, SHOTS, play, strokes

MOSTLY_SHOTS = st.lists(st.one_of(SHOTS, SHOTS, SHOTS, SHOTS, SAID), max_size=50)
WITH_CORRECTIONS = st.lists(st.one_of(SHOTS, SHOTS, SHOTS, SAID, CORRECTED), max_size=50)
OPTIONS = st.fixed_dictionaries(
    {"best_of": st.sampled_from((1, 3, 9))},
    optional={
        "break_attempts": st.sampled_from((1, 2, 3)),
        "target": st.sampled_from((10, 25)),
        "max_boards": st.sampled_from((0, 1, 2, 8)),
        "queen_cap": st.sampled_from((0, 5, 22)),
        "early_queen": st.sampled_from(("keep", "pass")),
        "queen_with_striker": st.sampled_from(("keep", "pass")),
        "time_end": st.sampled_from(("finish_stroke", "stop", "finish_turn", "finish_round")),
    },
)
SEATS = st.sampled_from((["N", "S"], ["W", "E"], ["N", "W", "S", "E"], ["S", "W", "N", "E"]))
LAWS = st.builds(
    lambda seats, options: agree({"rules": "icf", "seats": seats, "options": options}),
    SEATS,
    OPTIONS,
)
GERMAN = st.builds(
    lambda seats, options, own: agree(
        {"rules": "grundregeln", "seats": seats, "options": options | own}
    ),
    SEATS,
    OPTIONS,
    st.fixed_dictionaries(
        {},
        optional={
            "queen_points": st.sampled_from((0, 1, 3, 7)),
            "cover_with_striker": st.sampled_from(("back", "pending")),
            "queen_with_own": st.sampled_from(("covered", "pending")),
        },
    ),
)
AGREEMENTS = st.one_of(LAWS, GERMAN)


def queens_out(position: Position) -> int:
    return int(position.red is not RedPlace.BOARD)


@given(AGREEMENTS, WITH_CORRECTIONS)
def test_no_piece_is_made_or_lost(agreed, actions):
    for before, step in strokes(play(agreed, actions)):
        stroke, ruling = step.entry, step.ruling
        assert isinstance(stroke, Stroke)
        assert ruling is not None
        after = ruling.after
        there = rules_for(agreed.rules).on_board(after)
        assert Piece.STRIKER not in ruling.place
        if ruling.result is not None:
            assert not ruling.place
        for side in before.sides:
            fell, flew = stroke.pocketed(side.piece), stroke.flown(side.piece)
            paid = ruling.paid[before.sides.index(side)]
            pocketed = after.count(side).pocketed
            assert before.count(side).pocketed + fell - paid == pocketed
            assert 0 <= pocketed <= NINE
            assert there[side.piece] == NINE - pocketed
            if ruling.result is None:
                assert ruling.place.count(side.piece) == flew + paid
        assert there[Piece.QUEEN] == 1 - queens_out(after)
        if ruling.result is None:
            left = stroke.pocketed(Piece.QUEEN) + stroke.flown(Piece.QUEEN)
            back = ruling.place.count(Piece.QUEEN)
            assert queens_out(before) + left - back == queens_out(after)


@given(AGREEMENTS, MOSTLY_SHOTS)
def test_nobody_owes_while_a_piece_of_his_is_in_a_pocket(agreed, actions):
    for step in play(agreed, actions).steps:
        if step.state.result is None:
            for count in step.state.position.counts:
                assert count.owed >= 0
                assert not (count.owed and count.pocketed)


@given(AGREEMENTS, WITH_CORRECTIONS)
def test_only_a_foul_makes_a_debt_and_only_paying_ends_it(agreed, actions):
    for before, step in strokes(play(agreed, actions)):
        ruling = step.ruling
        assert ruling is not None
        for index, side in enumerate(before.sides):
            owed_before, owed_after = before.count(side).owed, ruling.after.count(side).owed
            due = owed_after + ruling.paid[index] - owed_before
            if due:
                assert ruling.foul
                assert side is before.side
                assert due > 0


@given(AGREEMENTS, WITH_CORRECTIONS)
def test_the_queen_is_covered_only_by_an_own_piece_in_a_clean_stroke(agreed, actions):
    for before, step in strokes(play(agreed, actions)):
        stroke, ruling = step.entry, step.ruling
        assert isinstance(stroke, Stroke)
        assert ruling is not None
        after = ruling.after
        if before.red is RedPlace.COVERED:
            assert (after.red, after.red_side) == (before.red, before.red_side)
        elif after.red is RedPlace.COVERED:
            assert after.red_side is before.side
            assert stroke.pocketed(before.side.piece)
            assert not ruling.foul
        assert (after.red_side is None) == (after.red is RedPlace.BOARD)
        if after.red is RedPlace.PENDING and ruling.result is None:
            assert (after.red_side, ruling.keeps_turn) == (before.side, True)


def check_result(result: BoardResult) -> None:
    winner = result.winner
    if winner is None:
        assert set(result.points.values()) == {0}
        assert result.how in (How.TIME, How.DRAW)
        return
    loser = next(side for side in result.points if side is not winner)
    assert result.points[loser] == 0
    assert 1 <= result.points[winner] <= 16, "nine pieces, and a queen of seven"


@given(AGREEMENTS, WITH_CORRECTIONS)
def test_a_board_counts_1_at_least_for_its_winner_and_nothing_for_the_loser(agreed, actions):
    match = play(agreed, actions)
    for board in match.state.boards:
        check_result(board.result)
    for before, step in strokes(match):
        ruling = step.ruling
        assert ruling is not None
        if ruling.result is not None:
            lost = ruling.result.winner is not before.side
            assert (ruling.result.how is How.FOUL) <= (lost and ruling.foul)
            assert memo_of(ruling.after).extra <= 2 * lost


@given(AGREEMENTS, MOSTLY_SHOTS)
def test_what_is_demanded_is_at_most_two_points_and_comes_once(agreed, actions):
    match = play(agreed, actions)
    for step in match.steps:
        if step.entry == Say(Saying.DEMAND):
            assert agreed.rules is RuleSystem.ICF
    for board, demanded in ((s.state, s.state.position) for s in match.steps if s.state.result):
        try:
            effect = rules_for(agreed.rules).direct(agreed, demanded, Say(Saying.DEMAND))
        except ValueError:
            continue
        assert board.result is not None
        assert effect.result is not None
        winner = board.result.winner
        assert effect.result.winner is winner
        assert winner is not None
        gained = effect.result.points[winner] - board.result.points[winner]
        assert 0 <= gained <= 2


@given(AGREEMENTS, MOSTLY_SHOTS)
def test_waiving_gives_back_exactly_what_the_last_stroke_took_out(agreed, actions):
    waive = Say(Saying.WAIVE)
    for _, step in strokes(play(agreed, actions)):
        ruling = step.ruling
        assert ruling is not None
        if ruling.result is not None:
            continue
        counts = ruling.after.counts
        due = any(ruling.paid) or any(count.owed for count in counts)
        try:
            effect = rules_for(agreed.rules).direct(agreed, ruling.after, waive)
        except ValueError:
            assert not due
            continue
        assert due
        for was, count, paid in zip(counts, effect.after.counts, ruling.paid, strict=True):
            assert (count.pocketed, count.owed) == (was.pocketed + paid, 0)
        assert (effect.after.turn, effect.after.red) == (ruling.after.turn, ruling.after.red)


@given(AGREEMENTS, WITH_CORRECTIONS)
def test_undo_is_exact(agreed, actions):
    match = play(agreed, actions)
    states = [match.opened, *(step.state for step in match.steps)]
    back = match
    while back.steps:
        later = back
        back = back.undo()
        assert back.state == states[len(back.steps)]
        assert back.redo().state == later.state
    while back.undone:
        back = back.redo()
    assert back == match


MIRROR = {Side.WHITE: Side.BLACK, Side.BLACK: Side.WHITE}


@given(AGREEMENTS, MOSTLY_SHOTS)
def test_white_and_black_are_treated_alike(agreed, actions):
    """The same shots on a board whose first seat plays black come to the same."""
    swapped = changed(agreed, sides={seat: MIRROR[side] for seat, side in agreed.sides.items()})
    one, two = play(agreed, actions), play(swapped, actions)
    for step, mirrored in zip(one.steps, two.steps, strict=True):
        if step.state.boards or step.ruling is None:
            break  # from the second board on the opener plays white in both
        assert mirrored.ruling is not None
        assert mirrored.ruling.rows == step.ruling.rows
        assert mirrored.ruling.keeps_turn == step.ruling.keeps_turn
        assert mirrored.ruling.foul == step.ruling.foul
        for side, other in MIRROR.items():
            assert mirrored.ruling.after.count(other) == step.ruling.after.count(side)


@given(st.lists(SHOTS, max_size=40), SHOTS)
def test_the_german_rules_agreed_like_the_laws_judge_like_the_laws(actions, shot):
    """Except for a queen after all own pieces have come back, and a foul before the first stroke.

    Neither has a cap on the queen: a board lost with her left on it counts her at every score.
    """
    laws = agree({"rules": "icf", "options": {"queen_cap": 0}})
    options = {"early_queen": "pass", "queen_with_striker": "keep", "best_of": 3}
    options |= {"queen_cap": 0, "cover_with_striker": "pending"}
    german = agree({"rules": "grundregeln", "options": options})
    for before, step in strokes(play(laws, [*actions, shot])):
        stroke, ruling = step.entry, step.ruling
        assert isinstance(stroke, Stroke)
        assert ruling is not None
        if ruling.rows[0] in ("IC-10", "IC-21"):
            continue
        same = rules_for(german.rules).judge(german, before, stroke)
        assert (same.after.counts, same.after.red) == (ruling.after.counts, ruling.after.red)
        assert (same.keeps_turn, same.foul) == (ruling.keeps_turn, ruling.foul)
        assert (same.place, same.paid, same.result) == (ruling.place, ruling.paid, ruling.result)


@given(GERMAN, WITH_CORRECTIONS)
def test_in_the_german_rules_the_next_clean_own_piece_confirms_the_queen_or_she_goes_back(
    agreed, actions
):
    for before, step in strokes(play(agreed, actions)):
        stroke, ruling = step.entry, step.ruling
        assert isinstance(stroke, Stroke)
        assert ruling is not None
        if before.red is not RedPlace.PENDING or ruling.result is not None:
            continue
        own, striker = stroke.pocketed(before.side.piece), stroke.pocketed(Piece.STRIKER)
        waits = option(agreed, "cover_with_striker") == "pending"
        if own and not striker and Flag.FOUL not in stroke.flags:
            expected = RedPlace.COVERED
        elif own and striker and waits and Flag.FOUL not in stroke.flags:
            expected = RedPlace.PENDING
        else:
            expected = RedPlace.BOARD
        assert ruling.after.red is expected
        assert ruling.place.count(Piece.QUEEN) == (expected is RedPlace.BOARD)


@given(GERMAN, WITH_CORRECTIONS)
def test_in_the_german_rules_the_own_last_with_the_queen_left_costs_her_worth_at_every_score(
    agreed, actions
):
    for before, step in strokes(play(agreed, actions)):
        stroke, ruling = step.entry, step.ruling
        assert isinstance(stroke, Stroke)
        assert ruling is not None
        own = stroke.pocketed(before.side.piece)
        left = before.red is RedPlace.BOARD and not stroke.pocketed(Piece.QUEEN)
        if own and own == before.left(before.side) and left:
            assert ruling.result is not None
            winner = before.other(before.side)
            assert ruling.result.winner is winner
            assert ruling.result.points[winner] == max(1, number_option(agreed, "queen_points"))


@given(AGREEMENTS, WITH_CORRECTIONS)
def test_games_follow_each_other_and_each_is_won_as_agreed(agreed, actions):
    match = play(agreed, actions)
    standing, boards = match.state.standing, match.state.boards
    assert len(standing.games) == len(boards)
    assert standing.games == tuple(sorted(standing.games))
    assert standing.games_won is not None
    finished = sum(standing.games_won.values())
    assert set(standing.games) <= set(range(1, finished + 2))
    assert sum(standing.points.values()) == sum(
        sum(board.result.points.values()) for board in boards
    )
    assert (standing.opener is None) == standing.over


@settings(max_examples=60)
@given(AGREEMENTS, WITH_CORRECTIONS)
def test_the_record_of_a_random_match_scores_to_the_same(agreed, actions):
    match = play(agreed, actions)
    text = write_record(agreed, [step.entry for step in match.steps])
    record = read_record(text)
    assert record.match.steps == match.steps
    assert write_record(record.settings, [step.entry for step in record.match.steps]) == text
    result = score(record)
    assert result["match"]["points"] == dict(match.state.points)
    assert [board["game"] for board in result["boards"]] == list(match.state.standing.games)


@given(AGREEMENTS, st.lists(st.one_of(SHOTS, SAID, CORRECTED), max_size=30), SHOTS)
def test_after_anything_a_miss_can_be_entered_unless_the_match_is_over(agreed, actions, shot):
    match = play(agreed, [*actions, shot])
    assume(not match.state.over)
    assert match.state.next is not None
    missed = match.enter(Stroke(match.state.next))
    assert len(missed.steps) == len(match.steps) + 1
