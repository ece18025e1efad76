"""KAGW carroms beyond one stroke: a whole match worked out by hand, directives, matches."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jackspot.core.agreement import agree
from jackspot.core.match import IllegalEntry, Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.record import RecordError, read_record
from jackspot.core.rules import RULES
from jackspot.core.scoring import score
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Flag, Stroke

RECORD = Path(__file__).parents[2] / "records/kagw_aggregate.carom"

# line, ruling, next seat, pocketed and owed of white and black, queen, what goes back; a line
# that is a foul has "!" before its ruling
MATCH = [
    # board 1: N white, S black
    (14, "KG-27", "N", (0, 0), (0, 0), "board", ""),
    (15, "KG-01", "N", (1, 0), (0, 0), "board", ""),
    (16, "KG-04", "S", (1, 0), (0, 0), "board", ""),
    (17, "!KG-06", "N", (1, 0), (0, 1), "board", ""),
    (18, "KG-12", "N", (1, 0), (0, 1), "pending:white", ""),
    (19, "KG-17", "S", (1, 0), (0, 1), "board", "queen"),
    (20, "KG-29", "S", (1, 1), (0, 1), "board", ""),
    (21, "KG-04", "N", (1, 0), (0, 0), "board", "black"),
    (23, "KG-01", "N", (3, 1), (0, 0), "board", ""),  # the one that was forgotten is in again
    (24, "KG-02", "S", (3, 2), (0, 0), "board", ""),
    (25, "KG-13", "S", (3, 3), (0, 0), "covered:black", ""),
    (26, "KG-01", "S", (3, 5), (0, 0), "covered:black", ""),
    (27, "KG-25", "N", (3, 5), (0, 0), "covered:black", "black"),
    (28, "KG-01", "N", (6, 5), (0, 0), "covered:black", ""),
    (29, "!KG-07", "S", (6, 5), (0, 0), "covered:black", "white"),
    (30, "KG-01", "S", (6, 6), (0, 0), "covered:black", ""),
    (31, "KG-01", "S", (6, 8), (0, 0), "covered:black", ""),
    (32, "KG-04", "N", (6, 8), (0, 0), "covered:black", ""),
    (33, "KG-01", "N", (7, 8), (0, 0), "covered:black", ""),
    (34, "!KG-22", "S", (6, 8), (0, 0), "covered:black", "white black"),
    (35, "KG-19", "S", (6, 9), (0, 0), "covered:black", ""),  # S opens the next board
    # board 2: S white, N black
    (38, "KG-01", "S", (2, 0), (0, 0), "board", ""),
    (39, "KG-12", "S", (2, 0), (0, 0), "pending:white", ""),
    (40, "!KG-18", "N", (2, 0), (0, 0), "board", "queen white"),
    (41, "KG-10", "N", (2, 0), (0, 0), "pocketed", ""),
    (42, "KG-01", "N", (2, 2), (0, 0), "pocketed", ""),
    (43, "KG-04", "S", (2, 2), (0, 0), "board", "queen"),
    (44, "KG-04", "N", (2, 2), (0, 0), "board", ""),
    (45, "KG-13", "N", (2, 3), (0, 0), "covered:black", ""),
    (46, "KG-01", "N", (2, 5), (0, 0), "covered:black", ""),
    (47, "KG-02", "S", (3, 5), (0, 0), "covered:black", ""),
    (48, "!KG-26", "N", (3, 5), (0, 0), "covered:black", "white"),
    (49, "KG-01", "N", (3, 7), (0, 0), "covered:black", ""),
    (50, "KG-01", "N", (3, 8), (0, 0), "covered:black", ""),
    (51, "KG-19", "N", (3, 9), (0, 0), "covered:black", ""),
    # board 3: N white, S black
    (54, "KG-27", "N", (0, 0), (0, 0), "board", ""),
    (55, "KG-27", "N", (0, 0), (0, 0), "board", ""),
    (56, "!KG-28", "S", (0, 0), (1, 0), "board", ""),
    (57, "KG-03", "S", (1, 1), (1, 0), "board", ""),
    (58, "KG-04", "N", (0, 1), (0, 0), "board", "white"),
    (60, "KG-01", "N", (3, 1), (0, 0), "board", ""),
    (61, "KG-12", "N", (3, 1), (0, 0), "pending:white", ""),
    (62, "KG-16", "N", (5, 1), (0, 0), "covered:white", ""),
    (63, "KG-04", "S", (5, 1), (0, 0), "covered:white", ""),
    (64, "KG-01", "S", (5, 5), (0, 0), "covered:white", ""),
    (65, "KG-01", "S", (5, 8), (0, 0), "covered:white", ""),
    (66, "KG-04", "N", (5, 8), (0, 0), "covered:white", ""),
    (67, "KG-01", "N", (7, 8), (0, 0), "covered:white", ""),
    (68, "KG-04", "S", (7, 8), (0, 0), "covered:white", ""),
    (69, "KG-19", None, (7, 9), (0, 0), "covered:white", ""),
]


def colours(white: int, black: int) -> dict[str, int]:
    return {"white": white, "black": black}


def over(winner: str | None, how: str, white: int, black: int) -> dict[str, Any]:
    return {"winner": winner, "how": how, "points": colours(white, black)}


def scored(text: str) -> dict[str, Any]:
    return score(read_record(text))


def test_a_match_worked_out_by_hand_line_by_line():
    result = scored(RECORD.read_text(encoding="utf-8"))
    entries = result["entries"]
    assert [entry["line"] for entry in entries] == [row[0] for row in MATCH]
    for entry, (_, ruling, following, pocketed, owed, queen, place) in zip(
        entries, MATCH, strict=True
    ):
        found = (entry["rulings"], entry["foul"], entry["next"], entry["queen"], entry["place"])
        assert found == (
            [ruling.lstrip("!")],
            ruling.startswith("!"),
            following,
            queen,
            place.split(),
        ), entry
        assert (entry["pocketed"], entry["owed"]) == (colours(*pocketed), colours(*owed))
        assert entry["keeps_turn"] == (entry["next"] == entry["seat"] and not entry["board_over"])
    assert result["boards"] == [
        over("black", "pieces", 0, 8),  # S: 3 white left and the queen
        over("black", "pieces", 0, 11),  # N: 6 white left and the queen
        over("black", "pieces", 0, 2),  # S: 2 white left
    ]
    assert result["match"] == {
        "over": True,
        "winner": "white",
        "points": colours(11, 10),
        "boards_won": colours(1, 2),
    }


def played(lines: str, *, header: str = "") -> dict[str, Any]:
    """Score some lines of N, white, and S, black."""
    return scored(f'rules = "kagw"\n{header}\n---\n{lines}')


def last(lines: str, *, header: str = "") -> dict[str, Any]:
    entry: dict[str, Any] = played(lines, header=header)["entries"][-1]
    return entry


def refused(lines: str, *, header: str = "") -> tuple[int, int, str]:
    """Return the line (of the body), the column and the words of the one error."""
    with pytest.raises(RecordError) as error:
        played(lines, header=header)
    (flaw,) = error.value.errors
    return flaw.line - 3 - header.count("\n"), flaw.column, flaw.message


# the break


def test_attempts_at_the_break_start_anew_with_each_turn_and_end_when_it_is_made():
    entries = played("N nobreak\n! turn N\nN nobreak\nN nobreak\nN nobreak\n")["entries"]
    rows = [entry["rulings"] for entry in entries]
    assert rows == [["KG-27"], [], ["KG-27"], ["KG-27"], ["KG-28"]]
    assert last("N striker nobreak\nS nobreak\nS nobreak\n")["rulings"] == ["KG-27"]
    assert refused("N -\nS nobreak\n")[:2] == (2, 3)
    assert refused("N foul\nS nobreak\n")[:2] == (2, 3)
    assert last("N -\n! board\nN nobreak\n")["rulings"] == ["KG-27"]


def test_nothing_falls_with_a_missed_break_but_the_striker():
    for piece in ("white", "black", "queen", "white^"):
        line, column, message = refused(f"N nobreak {piece}\n")
        assert (line, column) == (1, 11)
        assert "nobreak" in message


# forgotten


def test_forgot_stands_right_after_the_stroke_that_ended_the_turn_and_paid_old_debt():
    owing = "N striker\nS -\nN 2*white\nN -\n"
    assert last(owing)["place"] == ["white"]
    assert last(owing + "! forgot\nS -\n")["pocketed"] == colours(2, 0)
    for between in ("! placed", "! forgot", "! turn S", "! set black owed=0", "S -"):
        assert refused(f"{owing}{between}\n! forgot\n")[:2] == (6, 1), between
    assert refused("! forgot\n")[:2] == (1, 1)
    assert refused("N striker\n! forgot\n")[:2] == (2, 1)
    assert refused("N white striker\n! forgot\n")[:2] == (2, 1)  # a fresh penalty is never lost
    assert refused("N white\n! turn S\n! forgot\n")[:2] == (3, 1)
    assert last(f"{owing}! placed\n! undo\n! forgot\nS -\n")["pocketed"] == colours(2, 0)


def test_a_turn_that_the_referee_ends_pays_and_cannot_be_forgotten():
    given = "N striker\nS -\nN white\n! turn N\n"
    assert last(given)["place"] == ["white"]
    assert last(given)["owed"] == colours(0, 0)
    assert refused(f"{given}! forgot\n")[:2] == (5, 1)


def test_a_debt_of_which_nothing_could_be_paid_is_not_forgotten_with_the_other_sides():
    lines = "N striker\nS striker\nN black\n"  # white owes 1 and has none, black pays
    assert last(lines)["owed"] == colours(1, 0)
    assert last(f"{lines}! forgot\nS -\n")["owed"] == colours(1, 0)
    assert last(f"{lines}! forgot\nS -\n")["pocketed"] == colours(0, 1)


ALL_IN_BUT_OWING = """N white
N queen white
! set white owed=1
N 7*white
"""


def test_who_has_all_in_when_the_debt_is_forgotten_wins_at_that_line():
    assert last(ALL_IN_BUT_OWING)["rulings"] == ["KG-31"]
    assert last(ALL_IN_BUT_OWING)["pocketed"] == colours(8, 0)
    result = played(f"{ALL_IN_BUT_OWING}! forgot\n")
    assert result["boards"] == [over("white", "pieces", 14, 0)]
    following = last(f"{ALL_IN_BUT_OWING}! forgot\nS white\n")
    assert (following["board"], following["side"], following["keeps_turn"]) == (2, "white", True)
    assert refused(f"{ALL_IN_BUT_OWING}! forgot\n! resign N\n")[:2] == (6, 10)


def test_nobody_wins_by_what_the_other_side_forgot():
    corrected = "! set queen=covered:black\n! set black pocketed=9\n"
    lines = f"N striker\nS -\nN white\n{corrected}N -\n! forgot\nS -\n"
    assert last(lines)["pocketed"] == colours(1, 9)
    assert last(lines)["board_over"] is None


# directives


def test_what_belongs_to_other_rules_is_refused_by_name():
    line, column, message = refused("N -\n! waive\n")
    assert (line, column) == (2, 1)
    assert "icf and grundregeln" in message
    assert "belongs to icf" in refused("N -\n! demand\n")[2]
    assert "belongs to icf" in refused("N 9*white\n! resign N\n! demand\n")[2]
    assert refused("N area\n")[1] == 3
    assert refused("N banked\n")[1] == 3
    assert refused("N white call@NE\n")[1] == 9
    assert refused("N red\n")[1] == 3
    assert refused("! set jack=board\n")[1] == 7


REFUSED = [
    (Stroke(Seat.N, flags=frozenset({Flag.AREA})), "no flag 'area'"),
    (Stroke(Seat.N, flags=frozenset({Flag.FOUL, Flag.BANKED})), "no flag 'banked'"),
    (Stroke(Seat.N, called=Pocket.NE), "nobody calls a pocket"),
    (Stroke(Seat.N, (Departure(Piece.WHITE),), frozenset({Flag.NOBREAK})), "moved no white"),
    (Stroke(Seat.N, (Departure(Piece.GREEN),)), "there is no green in carrom"),
    (Stroke(Seat.N, (Departure(Piece.QUEEN), Departure(Piece.QUEEN))), "one queen"),
    (Stroke(Seat.N, (Departure(Piece.STRIKER), Departure(Piece.STRIKER))), "one striker"),
    (Stroke(Seat.N, (Departure(Piece.BLACK),) * 10), "too many black pieces: 9"),
]


@pytest.mark.parametrize(("stroke", "why"), REFUSED)
def test_a_stroke_that_cannot_have_happened_is_refused_by_the_match_itself(stroke, why):
    with pytest.raises(IllegalEntry, match=why):
        Match.begin(agree({"rules": "kagw"})).enter(stroke)


def test_the_referee_puts_the_queen_and_the_counts():
    assert last("N white\n! set queen=covered:black\n")["queen"] == "covered:black"
    assert last("N white\n! set queen=pending:white\nN white\n")["queen"] == "covered:white"
    assert last("N white\nN queen white\n! set queen=board\n")["queen"] == "board"
    assert refused("N white\n! set queen=pending:black\n")[:2] == (2, 7)
    assert refused("! set white pocketed=10\n")[:2] == (1, 13)
    assert refused("! set queen=pocketed\n")[:2] == (1, 7)
    assert refused("! set queen=covered\n")[:2] == (1, 7)


def test_a_correction_pays_nothing_and_wins_nothing():
    lines = "! set queen=covered:white\n! set white pocketed=9\n! set white owed=2\n"
    entry = last(lines)
    assert (entry["pocketed"], entry["owed"]) == (colours(9, 0), colours(2, 0))
    assert entry["board_over"] is None
    assert last(f"{lines}N -\n")["pocketed"] == colours(7, 0)
    nine = "! set queen=covered:white\n! set white pocketed=9\nN -\nS -\nN black\n"
    assert [entry["board_over"] for entry in played(nine)["entries"]] == [None] * 5
    assert refused("! set white pocketed=9\nN white\n")[:2] == (2, 3)


def test_the_turn_that_is_given_away_is_settled_like_a_pass():
    entry = last("N striker\nS queen\nS black white\n! turn S\n")
    assert entry["place"] == ["queen", "white"]
    assert (entry["queen"], entry["next"], entry["seat"]) == ("board", "S", "S")
    assert entry["pocketed"] == colours(0, 1)


TURN = '[options]\ncover = "turn"'


@pytest.mark.parametrize(
    ("lines", "queen"),
    [
        ("N white\nN queen\n", "covered:white"),
        ("N white\nN queen\nN -\n", "covered:white"),
        ("N white\nN -\nS -\nN queen\n", "pending:white"),  # in another turn
        ("N white\nN -\nS black\nS queen\n", "covered:black"),
        ("N white\nN -\nS white\nN queen\n", "pending:white"),  # it was S who shot
        ("N white\n! turn N\nN queen\n", "pending:white"),  # a fresh turn
        ("N queen\nN white\n", "pocketed"),  # too early is too early
        ("N white\n! set queen=pending:white\nN -\n", "board"),
        ("N white striker\nS -\nN queen\n", "pocketed"),
        ("N white\n! undo\nN -\nS -\n! set white pocketed=1\nN queen\n", "pending:white"),
    ],
)
def test_an_own_piece_of_the_same_turn_covers_the_queen_where_that_was_agreed(lines, queen):
    assert last(lines, header=TURN)["queen"] == queen


def test_a_turn_that_covered_the_queen_may_win_the_board():
    lines = "N 7*white\nN queen\nN 2*white\n"
    assert last(lines, header=TURN)["board_over"] == over("white", "pieces", 14, 0)
    assert last(lines)["board_over"] == over("white", "pieces", 14, 0)
    before = "N 8*white\nN queen black\nS -\nN white\n"
    assert last(before, header=TURN)["board_over"] == over("white", "pieces", 13, 0)
    assert last(before)["rulings"] == ["KG-21"]


def test_resigning_gives_the_pieces_left_and_the_queen_to_a_winner_who_covered_it():
    covered = "N white\nN queen white\n"
    assert last(f"{covered}! resign S\n")["board_over"] == over("white", "resign", 14, 0)
    assert last(f"{covered}! resign N\n")["board_over"] == over("black", "resign", 0, 7)
    assert last("N queen\n! resign N\n")["queen"] == "pocketed"
    assert last(f"{covered}! draw\n")["board_over"] == over(None, "draw", 0, 0)


# time


STOP = '[options]\ntime_end = "stop"'


@pytest.mark.parametrize(
    ("lines", "result", "place"),
    [
        ("N 3*white\n! time\n", over("white", "time", 3, 0), []),
        ("N white\nN queen white\n! time\n", over("white", "time", 7, 0), []),
        # only the winner gets the queen
        ("N white\nN queen white\nN -\nS 5*black\n! time\n", over("black", "time", 0, 3), []),
        ("N white\nN -\nS black\n! time\n", over(None, "time", 0, 0), []),
        # what is pending is settled as if the turn passed
        ("N white\nN queen\n! time\n", over("white", "time", 1, 0), ["queen"]),
        ("N striker\nS white\nN -\nS black\n! time\n", over("black", "time", 0, 1), []),
        ("N striker\nS -\nN 2*white\n! time\n", over("white", "time", 1, 0), ["white"]),
    ],
)
def test_when_time_is_up_fewer_own_pieces_left_wins_by_the_difference(lines, result, place):
    entry = last(lines, header=STOP)
    assert entry["board_over"] == result
    assert entry["place"] == place


# matches


def boards(*lines: str, header: str = "") -> Mapping[str, Any]:
    """Play boards: each string is one, ended by resigning or a draw."""
    return played("".join(lines), header=header)


def opened(seat: str) -> str:
    return f"{seat} -\n"


def test_two_straight_wins_decide_whatever_the_points():
    result = boards("! resign S\n", opened("S"), "! resign S\n")
    assert result["match"]["over"]
    assert result["match"]["winner"] == "white"
    assert result["match"]["points"] == colours(18, 0)


FEW = "N white\nN queen white\nN 6*white\nN -\nS 8*black\nS -\nN white\n"
"""N wins board 1 by one piece and the queen: 6 points."""


def test_at_one_board_each_the_points_of_all_three_decide():
    result = boards(FEW, opened("S"), "! resign N\n", opened("N"), "! resign S\n")
    assert result["match"]["points"] == colours(6 + 9, 9)
    assert result["match"]["winner"] == "white"
    few_last = opened("S") + "! resign N\n" + "N white\nN 7*white\nN -\nS 7*black\nS -\n"
    result = boards(FEW, few_last, "! draw\n")
    assert result["match"]["over"]
    assert result["match"]["points"] == colours(6, 9)
    assert result["match"]["winner"] == "black"


def test_a_draw_is_a_board_played_and_level_points_go_to_more_boards():
    result = boards("! draw\n", opened("S"), "! draw\n", opened("N"), "! resign S\n")
    assert result["match"]["winner"] == "white"
    result = boards("! draw\n", opened("S"), "! draw\n", opened("N"), "! draw\n")
    assert (result["match"]["over"], result["match"]["winner"]) == (True, None)


BY_ONE = "N white\n! set queen=covered:black\nN 7*white\nN -\nS 8*black\nS -\nN white\n"


def test_with_decider_games_the_boards_go_first():
    lines = [BY_ONE, opened("S"), "! resign N\n", BY_ONE]  # N wins twice by one, S once by nine
    aggregate = boards(*lines)
    assert aggregate["match"]["boards_won"] == colours(2, 1)
    assert aggregate["match"]["points"] == colours(2, 9)
    assert aggregate["match"]["winner"] == "black"
    games = boards(*lines, header='[options]\ndecider = "games"')
    assert games["match"]["winner"] == "white"


def test_level_points_go_to_more_boards_won():
    by_two = opened("S") + "! set black pocketed=7\n! resign N\n"  # S opens board 2 and is white
    match = boards(BY_ONE, by_two, BY_ONE)["match"]
    assert (match["points"], match["boards_won"]) == (colours(2, 2), colours(2, 1))
    assert (match["over"], match["winner"]) == (True, "white")


def test_with_decider_games_level_boards_go_to_more_points():
    lines = [BY_ONE, opened("S"), "! resign N\n", opened("N"), "! draw\n"]
    match = boards(*lines, header='[options]\ndecider = "games"')["match"]
    assert (match["points"], match["boards_won"]) == (colours(1, 9), colours(1, 1))
    assert (match["over"], match["winner"]) == (True, "black")


def test_before_the_first_board_the_first_seat_is_to_open():
    agreed = agree({"rules": "kagw", "seats": ["E", "W"]})
    assert RULES[RuleSystem.KAGW].standing(agreed, ()).opener is Seat.E


def test_a_majority_before_the_last_board_wins_whatever_the_points():
    by_one = opened("S") + "! set white pocketed=8\n! resign S\n"  # S opens board 4 and is white
    lines = [BY_ONE, opened("S"), "! resign N\n", BY_ONE, by_one]
    match = boards(*lines, header="[options]\nbest_of = 5")["match"]
    assert (match["points"], match["boards_won"]) == (colours(3, 9), colours(3, 1))
    assert (match["over"], match["winner"]) == (True, "white")


def test_the_next_seat_opens_and_its_side_plays_white():
    four = 'seats = ["N", "E", "S", "W"]\n[options]\nbest_of = 5'
    lines = "N -\n! draw\nE white\n! draw\nS white\n! draw\nW black\n! draw\nN white\n"
    entries = [each for each in played(lines, header=four)["entries"] if "directive" not in each]
    assert [each["side"] for each in entries] == ["white"] * 5
    assert [each["keeps_turn"] for each in entries] == [False, True, True, False, True]


def test_agreed_colours_hold_on_board_1_and_where_it_is_void_and_played_again():
    header = 'colours = { N = "black", S = "white" }'
    entries = played("N -\n! board\nN -\n! draw\nS -\n! board\nS -\n", header=header)["entries"]
    sides = [each["side"] for each in entries if "directive" not in each]
    assert sides == ["black", "black", "white", "white"]
    result = played("N -\n! resign S\nS -\n! resign N\n", header=header)
    assert result["boards"][0]["winner"] == "black"
    assert result["match"]["points"] == {"white": 9, "black": 9}
