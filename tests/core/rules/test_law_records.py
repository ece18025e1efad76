"""Whole matches by the laws and by the German basic rules, worked out by hand.

The record itself says what each stroke comes to, in a comment after it such as
``# IC-04! 0:0 back white white > N . words``. It gives the ruling (``!``: a foul), the pieces
in, the queen where it is not as before, debts if there are any, what goes back, and who is next.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from jackspot.core.record import read_record
from jackspot.core.scoring import score

RECORDS = Path(__file__).parents[2] / "records"
WORKED_OUT = re.compile(
    r"# (?P<row>[A-Z]{2}-\d\d)(?P<foul>!?) (?P<white>\d):(?P<black>\d)"
    r"(?: owe (?P<white_owes>\d):(?P<black_owes>\d))?"
    r"(?: queen (?P<queen>\S+))?(?: back (?P<back>[a-z ]+))? > (?P<next>[NESW-])(?: \. .+)?"
)

# winner, how, points of white and black, the game it belongs to
BOARDS = {
    "icf_best_of_three": [
        ("white", "pieces", (8, 0), 1),
        ("black", "foul", (0, 4), 1),
        ("white", "pieces", (12, 0), 1),
        ("black", "pieces", (0, 7), 1),
        ("white", "resign", (12, 0), 2),
        ("black", "foul", (0, 9), 2),
        ("white", "pieces", (12, 0), 2),
        ("white", "pieces", (1, 0), 3),
        ("white", "pieces", (12, 0), 3),
        ("white", "pieces", (12, 0), 3),
        ("black", "foul", (0, 4), 3),
        ("white", "pieces", (10, 0), 3),
    ],
    "icf_doubles": [
        ("white", "pieces", (7, 0), 1),
        ("white", "pieces", (7, 0), 1),
        ("white", "resign", (12, 0), 1),
    ],
    "grundregeln_25": [
        ("black", "pieces", (0, 8), 1),
        ("black", "pieces", (0, 8), 1),
        ("black", "foul", (0, 3), 1),
        ("white", "pieces", (11, 0), 1),
        ("black", "pieces", (0, 5), 1),
    ],
}

# by side as named on board 1: points, boards won, games won
MATCHES = {
    "icf_best_of_three": ("white", (58, 45), (8, 4), (2, 1)),
    "icf_doubles": ("white", (19, 7), (2, 1), (1, 0)),
    "grundregeln_25": ("black", (8, 27), (1, 4), (0, 1)),
}


def scored(name: str) -> tuple[list[str], dict[str, Any]]:
    """Return the lines of a record, and its score."""
    text = (RECORDS / f"{name}.carom").read_text(encoding="utf-8")
    return text.splitlines(), score(read_record(text))


def both(pair: tuple[int, int]) -> dict[str, int]:
    return {"white": pair[0], "black": pair[1]}


@pytest.mark.parametrize("name", BOARDS)
def test_each_stroke_comes_to_what_is_written_behind_it(name):
    lines, result = scored(name)
    queen, board = "board", 1
    for entry in result["entries"]:
        if "directive" in entry:
            continue
        said = WORKED_OUT.search(lines[entry["line"] - 1])
        assert said is not None, lines[entry["line"] - 1]
        queen = said["queen"] or (queen if entry["board"] == board else "board")
        board = entry["board"]
        assert entry["rulings"] == [said["row"]], entry
        assert entry["foul"] == bool(said["foul"]), entry
        assert entry["pocketed"] == both((int(said["white"]), int(said["black"]))), entry
        assert entry["owed"] == both((int(said["white_owes"] or 0), int(said["black_owes"] or 0)))
        assert entry["queen"] == queen, entry
        assert entry["place"] == (said["back"] or "").split(), entry
        assert entry["next"] == (None if said["next"] == "-" else said["next"]), entry
        goes_on = entry["board_over"] is None and entry["next"] == entry["seat"]
        assert entry["keeps_turn"] == goes_on, entry


@pytest.mark.parametrize("name", BOARDS)
def test_each_board_counts_what_was_worked_out(name):
    _, result = scored(name)
    assert result["boards"] == [
        {"winner": winner, "how": how, "points": both(points), "game": game}
        for winner, how, points, game in BOARDS[name]
    ]


@pytest.mark.parametrize("name", MATCHES)
def test_the_match_ends_as_was_worked_out(name):
    _, result = scored(name)
    winner, points, boards, games = MATCHES[name]
    assert result["match"] == {
        "over": True,
        "winner": winner,
        "points": both(points),
        "boards_won": both(boards),
        "games_won": both(games),
    }


def test_directives_show_the_state_they_make():
    _, result = scored("icf_best_of_three")
    said = [entry for entry in result["entries"] if "directive" in entry]
    assert [entry["directive"] for entry in said] == [
        *("demand", "waive", "waive", "resign", "board", "demand")
    ]
    first_demand, waived_debt, waived_pieces, _, void, last_demand = said
    assert first_demand["board_over"]["points"] == both((0, 4))
    assert (waived_debt["owed"], waived_debt["next"]) == (both((0, 0)), "N")
    assert (waived_pieces["pocketed"], waived_pieces["next"]) == (both((2, 8)), "N")
    assert (void["board"], void["next"], void["board_over"]) == (9, "N", None)
    assert last_demand["board_over"]["points"] == both((0, 4))
