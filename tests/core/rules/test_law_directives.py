"""What people say besides the strokes, by the laws and by the German basic rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from jackspot.core.agreement import agree
from jackspot.core.match import IllegalEntry, Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.record import RecordError, read_record
from jackspot.core.scoring import score
from jackspot.core.stroke import Departure, Flag, Stroke

ICF, GRUNDREGELN = "icf", "grundregeln"
BOTH = pytest.mark.parametrize("rules", [ICF, GRUNDREGELN])


def entries(rules: str, *lines: str, options: str = "") -> list[Mapping[str, Any]]:
    """Score a record of these lines, N with white and S with black."""
    text = "\n".join([f'rules = "{rules}"', "[options]", options, "---", *lines])
    found: list[Mapping[str, Any]] = score(read_record(text))["entries"]
    return found


def last(rules: str, *lines: str, options: str = "") -> Mapping[str, Any]:
    return entries(rules, *lines, options=options)[-1]


def refused(rules: str, *lines: str, options: str = "") -> str:
    """Return the one error of a record, and check that the lines before it are fine."""
    if len(lines) > 1:
        entries(rules, *lines[:-1], options=options)
    with pytest.raises(RecordError) as error:
        entries(rules, *lines, options=options)
    assert [flaw.line for flaw in error.value.errors] == [4 + len(lines)]
    return error.value.errors[0].message


def counts(entry: Mapping[str, Any]) -> tuple[int, int, int, int]:
    """Return pocketed and owed of white, then of black."""
    pocketed, owed = entry["pocketed"], entry["owed"]
    return pocketed["white"], owed["white"], pocketed["black"], owed["black"]


def over(entry: Mapping[str, Any]) -> tuple[str | None, str, int, int]:
    """Return the winner, how, and the points of white and of black."""
    result = entry["board_over"]
    return result["winner"], result["how"], result["points"]["white"], result["points"]["black"]


ALL_WHITE_BUT_ONE = ("N 2*white queen", "N 3*white", "N 3*white")
"""White has eight in and has covered the queen."""


# waived dues


@BOTH
def test_a_waived_due_stays_in_the_pocket_and_the_turn_stays_where_it_was(rules):
    entry = last(rules, "N 3*white", "N striker", "! waive")
    assert counts(entry) == (3, 0, 0, 0)
    assert (entry["next"], entry["place"]) == ("S", [])
    entry = last(rules, "N 3*white", "N striker white", "! waive")
    assert counts(entry) == (4, 0, 0, 0)
    assert entry["next"] == "N"


@BOTH
def test_waiving_cancels_what_was_outstanding_before_as_well(rules):
    assert counts(last(rules, "N striker", "S striker", "! waive")) == (0, 0, 0, 0)
    entry = last(rules, "N striker", "S striker", "N striker white", "! waive")
    assert counts(entry) == (1, 0, 0, 0)


@BOTH
def test_waiving_is_for_both_sides(rules):
    lines = ("N striker", "S striker black white", "! waive")
    assert counts(entries(rules, *lines)[-2]) == (0, 0, 0, 1)
    assert counts(last(rules, *lines)) == (1, 0, 1, 0)


@BOTH
def test_the_queen_and_flown_pieces_are_not_waived(rules):
    lines = ("N 3*white", "N queen white striker white^", "! waive")
    ruled, waived = entries(rules, *lines)[-2:]
    assert ruled["place"] == ["queen", "white", "white", "white"]
    assert counts(waived) == (4, 0, 0, 0)
    assert waived["queen"] == "board"


@pytest.mark.parametrize(("rules", "queen"), [("icf", "pending:white"), ("grundregeln", "board")])
def test_a_waiver_leaves_the_queen_where_the_stroke_put_her(rules, queen):
    entry = last(rules, "N 3*white", "N queen", "N striker white", "! waive")
    assert (counts(entry), entry["queen"]) == ((4, 0, 0, 0), queen)


@BOTH
def test_a_side_that_has_all_in_by_a_waiver_has_won(rules):
    lines = (*ALL_WHITE_BUT_ONE, "N striker white")
    assert counts(last(rules, *lines)) == (7, 0, 0, 0)
    won = last(rules, *lines, "! waive")
    assert over(won) == ("white", "pieces", 12, 0)
    assert (counts(won), won["queen"]) == ((9, 0, 0, 0), "covered:white")


ALL_WHITE_WITHOUT_QUEEN = (
    "! set white pocketed=8",
    "N queen",
    "N white striker",
    "! waive",
    "! turn S",
)
"""White has all nine in, by a waiver; the queen went back, and it is black's turn."""


@BOTH
@pytest.mark.parametrize(
    "cover", [("S 2*black", "S queen", "S black"), ("S 2*black", "S black queen")]
)
def test_who_has_all_in_by_a_waiver_wins_once_the_opponent_covers_the_queen(rules, cover):
    lines = (*ALL_WHITE_WITHOUT_QUEEN, *cover)
    before, won = entries(rules, *lines)[-2:]
    assert before["board_over"] is None
    assert over(won) == ("white", "pieces", 6, 0)
    assert (won["queen"], won["place"]) == ("covered:black", [])


@BOTH
def test_nothing_due_cannot_be_waived(rules):
    assert "nothing is due" in refused(rules, "! waive")
    assert "nothing is due" in refused(rules, "N white", "! waive")
    assert "nothing is due" in refused(rules, "N 3*white", "N striker", "! waive", "! waive")


@BOTH
def test_dues_are_waived_before_the_next_stroke_only(rules):
    assert "nothing is due" in refused(rules, "N 3*white", "N striker", "S -", "! waive")


@BOTH
def test_a_corrected_count_is_not_waived_away(rules):
    lines = ("N 3*white", "N striker", "! set white pocketed=9")
    assert "nothing is due" in refused(rules, *lines, "! waive")
    entry = last(rules, *lines, "! set black owed=2", "! waive")
    assert counts(entry) == (9, 0, 0, 0)


# the extra point

LOST_WITH_THE_STRIKER = ("N 8*white", "N striker white")


def test_one_point_more_for_the_striker_and_one_for_an_improper_stroke():
    assert over(last(ICF, *LOST_WITH_THE_STRIKER, "! demand")) == ("black", "foul", 0, 4)
    assert over(last(ICF, "N 8*white", "N foul white", "! demand")) == ("black", "foul", 0, 4)
    both = last(ICF, "N 8*white", "N foul striker white", "! demand")
    assert over(both) == ("black", "foul", 0, 5)
    assert (both["next"], both["keeps_turn"], both["foul"]) == ("S", False, False)


def test_a_board_counts_12_at_most_also_with_the_point_demanded():
    lines = ("N -", "S 8*black", "S -", "N striker black")
    assert over(last(ICF, *lines)) == ("black", "foul", 0, 12)
    assert over(last(ICF, *lines, "! demand")) == ("black", "foul", 0, 12)


def test_a_demand_can_win_the_game():
    four = ("! resign N", "! board", "! resign N", "! board")
    lines = (*four, "N 8*white", "N striker white")
    before = read_record('rules = "icf"\n[options]\nbest_of = 1\n---\n' + "\n".join(lines))
    assert score(before)["match"]["points"] == {"white": 0, "black": 25}
    text = 'rules = "icf"\n[options]\nbest_of = 1\ntarget = 26\n---\n' + "\n".join(lines)
    assert not score(read_record(text))["match"]["over"]
    demanded = score(read_record(f"{text}\n! demand"))["match"]
    assert demanded["over"]
    assert demanded["points"] == {"white": 0, "black": 26}


def test_a_demand_comes_once_and_right_after_the_board():
    assert "once" in refused(ICF, *LOST_WITH_THE_STRIKER, "! demand", "! demand")
    assert "once" in refused(ICF, *LOST_WITH_THE_STRIKER, "! board", "! demand")
    assert "once" in refused(ICF, *LOST_WITH_THE_STRIKER, "S white", "! demand")
    assert "once" in refused(ICF, "N white", "! demand")


def test_nothing_can_be_demanded_for_a_board_that_ended_otherwise():
    for end in ("! resign N", "! draw", "! time"):
        assert "laws 75 to 85" in refused(
            ICF, "N white", end, "! demand", options='time_end = "stop"'
        )
    assert "laws 75 to 85" in refused(ICF, "N 8*white", "N white", "! demand")


def test_a_demand_is_taken_back_alone():
    text = (*LOST_WITH_THE_STRIKER, "! demand", "! undo")
    assert over(last(ICF, *text)) == ("black", "foul", 0, 3)


def test_the_german_rules_know_no_extra_point():
    assert "belongs to icf" in refused(GRUNDREGELN, *LOST_WITH_THE_STRIKER, "! demand")
    assert "belongs to icf" in refused(GRUNDREGELN, "N white", "! demand")


@BOTH
def test_pieces_told_to_be_placed_change_nothing_and_may_still_be_waived(rules):
    lines = ("N 3*white", "N striker", "! placed")
    assert counts(last(rules, *lines, "S -")) == (2, 0, 0, 0)
    assert counts(last(rules, *lines, "! waive")) == (3, 0, 0, 0)


@BOTH
def test_nothing_is_forgotten_here(rules):
    assert "belongs to kagw" in refused(rules, "N striker", "! forgot")


# a board given up, agreed drawn, out of time


@BOTH
@pytest.mark.parametrize(
    ("lines", "points"),
    [
        ((), 12),
        (("N 3*white", "N queen"), 9),  # still to be covered: it is the other's
        (("N 3*white", "N queen", "N white"), 5),  # covered by the side that gives up
        (("N -", "S 3*black", "S queen black"), 12),
    ],
)
def test_who_resigns_loses_the_pieces_left_and_the_queen_unless_he_covered_it(rules, lines, points):
    entry = last(rules, *lines, "! resign N")
    assert over(entry) == ("black", "resign", 0, points)
    assert (entry["seat"], entry["side"], entry["next"]) == ("N", None, "S")


@BOTH
def test_who_resigns_with_22_against_him_loses_the_pieces_only(rules):
    lines = ("! resign N", "! board", "! resign N", "! board")
    entry = last(rules, *lines, "N white", "! resign N")
    assert over(entry) == ("black", "resign", 0, 8)


@BOTH
def test_a_board_resigned_with_all_pieces_in_is_worth_one(rules):
    lines = ("! set white pocketed=9", "! set queen=covered:white", "! resign N")
    assert over(last(rules, *lines)) == ("black", "resign", 0, 1)


@BOTH
def test_a_draw_counts_nothing(rules):
    assert over(last(rules, "N 3*white", "! draw")) == (None, "draw", 0, 0)


@BOTH
@pytest.mark.parametrize(
    ("lines", "result"),
    [
        (("N 3*white", "N -"), ("white", "time", 3, 0)),
        (("N 3*white", "N queen white", "N -"), ("white", "time", 7, 0)),
        (("N 3*white", "N queen white", "N -", "S 6*black"), ("black", "time", 0, 2)),
        (("N 3*white", "N queen"), ("white", "time", 3, 0)),
        (("N 3*white", "N queen white", "N -", "S 4*black"), (None, "time", 0, 0)),
        (("N -", "S striker"), (None, "time", 0, 0)),
    ],
)
def test_on_time_fewer_pieces_left_win_by_the_difference_and_the_winners_queen(
    rules, lines, result
):
    entry = last(rules, *lines, "! time", options='time_end = "stop"')
    assert over(entry) == result
    pending = lines[-1] == "N queen"
    assert entry["place"] == (["queen"] if pending else [])


@BOTH
def test_on_time_the_queen_counts_nothing_from_22_on(rules):
    lines = ("! resign S", "! board", "! resign S", "! board", "N 3*white", "N queen white")
    entry = last(rules, *lines, "! time", options='time_end = "stop"')
    assert over(entry) == ("white", "time", 4, 0)


@BOTH
def test_time_after_one_more_stroke_settles_that_stroke_as_if_the_turn_passed(rules):
    ended = last(rules, "N 3*white", "! time", "N queen")
    assert over(ended) == ("white", "time", 3, 0)
    assert (ended["queen"], ended["place"]) == ("board", ["queen"])


# the referee's corrections


@BOTH
def test_a_turn_given_away_sends_an_uncovered_queen_back(rules):
    given = last(rules, "N 3*white", "N queen", "! turn N")
    assert (given["queen"], given["place"], given["next"]) == ("board", ["queen"], "N")


@BOTH
def test_a_turn_given_begins_the_attempts_at_the_break_anew(rules):
    missed = ("N nobreak", "N nobreak")
    assert last(rules, *missed, "N nobreak")["next"] == "S"
    assert last(rules, *missed, "! turn N", "N nobreak", "N nobreak")["next"] == "N"


@BOTH
def test_the_next_to_break_has_all_attempts_and_the_colours_stay(rules):
    missed = ("N nobreak",) * 3 + ("S nobreak",) * 2
    entry = last(rules, *missed, "S black")
    assert (entry["side"], entry["next"]) == ("black", "S")


@BOTH
def test_a_break_once_made_cannot_be_missed(rules):
    assert "break was made" in refused(rules, "N -", "S nobreak")
    assert "moved no white" in refused(rules, "N nobreak white")


@BOTH
def test_a_correction_is_taken_as_it_is(rules):
    lines = ("! set white owed=2", "! set white pocketed=5")
    assert counts(last(rules, *lines)) == (5, 2, 0, 0)
    paid = last(rules, *lines, "N -")  # and paid with the next stroke
    assert (counts(paid), paid["place"]) == ((3, 0, 0, 0), ["white", "white"])
    assert "9 pieces" in refused(rules, "! set white pocketed=10")


@BOTH
def test_the_queen_is_put_where_the_referee_says(rules):
    assert last(rules, "! set queen=covered:black")["queen"] == "covered:black"
    assert last(rules, "! set queen=covered:black", "! set queen=board")["queen"] == "board"
    covered = last(rules, "N 3*white", "! set queen=pending:white", "N white")
    assert covered["queen"] == "covered:white"
    assert "side in turn" in refused(rules, "! set queen=pending:black")


def test_a_piece_that_was_corrected_in_has_been_in():
    """Law 68c: with all nine back on the board the queen may be taken, if one had been in."""
    lines = ("! set white pocketed=1", "N striker", "S -")
    assert last(ICF, *lines, "N queen")["queen"] == "pending:white"
    assert last(ICF, "N -", "S -", "N queen")["queen"] == "board"


def test_a_piece_that_the_opponent_pocketed_has_been_in_as_well():
    """Law 68a: "before any C/m of the player is pocketed", by whomever."""
    lines = ("N -", "S white black", "S -", "N striker", "S -")
    assert last(ICF, *lines, "N queen")["rulings"] == ["IC-10"]


def test_black_is_remembered_to_have_had_a_piece_in_as_white_is():
    lines = ("N -", "S black", "S striker", "N -")
    assert last(ICF, *lines, "S queen")["rulings"] == ["IC-10"]
    assert last(ICF, *lines, "S -", "N -", "S queen")["rulings"] == ["IC-10"]
    assert last(ICF, "N black", "S striker", "N -", "S queen")["rulings"] == ["IC-10"]
    assert last(ICF, "N white", "N -", "S queen")["rulings"] == ["IC-08"]


@BOTH
def test_a_missed_break_pays_nothing_and_costs_nothing(rules):
    entry = last(rules, "N nobreak striker")
    assert counts(entry) == (0, 0, 0, 0)
    assert (entry["next"], entry["foul"], entry["rulings"]) == ("S", False, ["IC-34"])


def test_a_technical_foul_is_no_stroke_and_does_not_make_the_break():
    lines = ("N foul", "N nobreak", "N nobreak")
    assert [each["next"] for each in entries(ICF, *lines)] == ["N", "N", "N"]
    again = entries(ICF, "N white", "N -", "S foul", "S foul", "S -")
    assert [each["rulings"] for each in again[2:]] == [["IC-21"], ["IC-21"], ["IC-02"]]
    assert last(ICF, "N white", "N foul")["rulings"] == ["IC-22"]
    assert "break was made" in refused(ICF, "N -", "S foul", "S nobreak")


def test_the_german_rules_end_the_turn_for_every_foul():
    assert last(GRUNDREGELN, "N foul")["next"] == "S"


@BOTH
def test_flags_of_other_games_are_refused(rules):
    for flag in ("area", "banked", "call@NE"):
        with pytest.raises(RecordError):
            entries(rules, f"N white {flag}")


REFUSED_STROKES = [
    (Stroke(Seat.N, flags=frozenset({Flag.AREA})), "no flag 'area'"),
    (Stroke(Seat.N, called=Pocket.NE), "nobody calls a pocket"),
    (Stroke(Seat.N, (Departure(Piece.WHITE),), frozenset({Flag.NOBREAK})), "moved no white"),
    (Stroke(Seat.N, (Departure(Piece.RED),)), "there is no red in carrom"),
    (Stroke(Seat.N, (Departure(Piece.QUEEN), Departure(Piece.QUEEN))), "one queen"),
    (Stroke(Seat.N, (Departure(Piece.STRIKER), Departure(Piece.STRIKER))), "one striker"),
    (Stroke(Seat.N, (Departure(Piece.BLACK),) * 10), "too many black pieces: 9"),
]


@BOTH
@pytest.mark.parametrize(("stroke", "why"), REFUSED_STROKES)
def test_a_stroke_that_cannot_have_happened_is_refused_by_the_match_itself(rules, stroke, why):
    match = Match.begin(agree({"rules": rules}))
    with pytest.raises(IllegalEntry, match=why):
        match.enter(stroke)


@BOTH
def test_a_side_corrected_to_have_all_in_wins_by_a_waiver_with_the_queen_covered(rules):
    lines = ("N striker", "! set black pocketed=9", "! set queen=covered:white")
    assert over(last(rules, *lines, "! waive")) == ("black", "pieces", 0, 9)


@BOTH
def test_a_side_corrected_to_have_all_in_has_not_finished_by_it(rules):
    for line in ("N -", "N white", "N striker"):
        assert last(rules, "! set black pocketed=9", line)["board_over"] is None


@BOTH
def test_a_missed_break_does_not_cover_a_queen_that_was_put_to_be_covered(rules):
    entry = last(rules, "! set queen=pending:white", "N nobreak")
    assert (entry["queen"], entry["place"], entry["next"]) == ("board", ["queen"], "N")
