"""Where time, the referee's corrections and handicaps meet the rules of a stroke."""

from __future__ import annotations

from typing import Any

import pytest

from jackspot.core.record import read_record
from jackspot.core.scoring import score


def last_of(header: str, *lines: str) -> dict[str, Any]:
    text = f"{header}\n---\n" + "".join(f"{line}\n" for line in lines)
    entries: list[dict[str, Any]] = score(read_record(text))["entries"]
    return entries[-1]


@pytest.mark.parametrize(
    ("rules", "lines", "place"),
    [
        ("kagw", ["! set white owed=1", "! time", "N white black^"], ["white", "black"]),
        ("kagw", ["N white", "! time", "N queen white^ black^"], ["queen", "white", "black"]),
        ("icf", ["N white", "! time", "N queen white^"], ["queen", "white"]),
        ("grundregeln", ["N white", "! time", "N queen black^"], ["queen", "black"]),
        ("points", ["! time", "N queen black^ brown^"], ["queen", "black", "brown"]),
    ],
)
def test_what_time_sends_back_after_a_stroke_is_placed_in_the_one_order(
    rules: str, lines: list[str], place: list[str]
):
    entry = last_of(f'rules = "{rules}"', *lines)
    assert entry["board_over"]["how"] == "time"
    assert entry["place"] == place


@pytest.mark.parametrize("rules", ["icf", "grundregeln"])
def test_waived_dues_that_were_never_paid_leave_a_side_with_all_in_and_it_wins(rules: str):
    setting = ("! set white owed=2", "! set white pocketed=9", "! set queen=covered:black")
    entry = last_of(f'rules = "{rules}"', *setting, "! waive")
    assert entry["owed"] == {"white": 0, "black": 0}
    assert entry["board_over"] == {
        "winner": "white",
        "how": "pieces",
        "points": {"white": 9, "black": 0},
    }


@pytest.mark.parametrize("rules", ["kagw", "icf", "grundregeln"])
def test_a_missed_break_covers_no_queen(rules: str):
    entry = last_of(f'rules = "{rules}"', "! set queen=pending:white", "N nobreak")
    assert (entry["queen"], entry["place"], entry["keeps_turn"]) == ("board", ["queen"], True)


@pytest.mark.parametrize(
    ("handicap", "back"), [("no_striker_penalty = true", 5), ("weak_hand = true", 7)]
)
def test_a_striker_that_costs_nothing_adds_nothing_to_the_five_for_the_last_puck(
    handicap: str, back: int
):
    header = f'rules = "japan"\n[handicap.N]\n{handicap}'
    entry = last_of(header, "! set red pocketed=11", "N red jack striker")
    assert entry["place"] == ["red"] * back + ["jack"]
    assert (entry["foul"], entry["next"]) == (True, "S")


@pytest.mark.parametrize(
    ("options", "lines", "rulings"),
    [
        ("", ["! set red pocketed=5", "N red jack"], ["JP-06", "HC-3b"]),
        ("", ["! set red pocketed=5", "N red jack striker"], ["JP-06"]),
        ('last_puck_with_jack = "win"', ["N 6*red jack"], ["JP-06", "HC-3b", "LR-15"]),
        ('jack_one_shot = "loss"', ["N 6*red", "N -"], ["HK-01", "HC-3b", "LR-16b"]),
        ('jack_one_shot = "loss"', ["N 12*red", "N -"], ["HK-01", "LR-16b"]),
    ],
)
def test_fewer_pucks_needed_are_cited_where_they_changed_what_a_stroke_was(
    options: str, lines: list[str], rulings: list[str]
):
    header = f'rules = "japan"\n[options]\n{options}\n[handicap.N]\npucks_needed = 6'
    assert last_of(header, *lines)["rulings"] == rulings


@pytest.mark.parametrize("rules", ["japan", "hikone"])
@pytest.mark.parametrize(
    ("handicap", "said", "rulings"),
    [
        ("called_pocket", "call@NE", ["HC-6"]),
        ("called_pocket", "call@SW", None),
        ("called_pocket", "", None),  # nobody said which: the line is taken as it stands
        ("must_bank", "unbanked", ["HC-7"]),
        ("must_bank", "banked", None),
        ("must_bank", "", None),
    ],
)
def test_the_last_puck_and_the_jack_win_only_as_the_handicap_asks(
    rules: str, handicap: str, said: str, rulings: list[str] | None
):
    header = (
        f'rules = "{rules}"\n[options]\nlast_puck_with_jack = "win"\n'
        f"[handicap.N]\n{handicap} = true"
    )
    entry = last_of(header, "! set red pocketed=11", f"N red@SW jack@SW {said}".strip())
    assert entry["rulings"][1:] == ["LR-15", *(rulings or [])]
    if rulings is None:
        assert entry["board_over"]["winner"] == "red"
        return
    assert (entry["place"], entry["pocketed"]["red"]) == (["jack"], 12)
    assert (entry["foul"], entry["next"]) == (False, "S")


@pytest.mark.parametrize(
    ("rules", "options", "lines", "points"),
    [
        # a lost board counts at least one, and so does one that is given up
        ("icf", "", ["! set white pocketed=9", "! set queen=covered:white"], 1),
        ("grundregeln", "", ["! set white pocketed=9", "! set queen=covered:white"], 1),
        ("icf", "queen_points = 0", ["! set white pocketed=9"], 1),
        ("grundregeln", "queen_points = 0", ["! set white pocketed=9"], 1),
        # kagw's sheet has no such sentence: nothing left counts nothing
        ("kagw", "", ["! set white pocketed=9", "! set queen=covered:white"], 0),
        ("kagw", "", ["! set white pocketed=9", "! set queen=covered:black"], 5),
        ("kagw", "queen_points = 7", ["! set queen=covered:black"], 16),
        # by the laws a queen still on the board goes to the winner, at the agreed value
        ("icf", "queen_points = 50", ["! set white pocketed=9"], 12),
        ("grundregeln", "queen_points = 50", ["! set white pocketed=9"], 50),
        ("grundregeln", "queen_points = 7", ["! set white pocketed=4"], 12),
    ],
)
def test_a_board_given_up_is_worth(rules: str, options: str, lines: list[str], points: int):
    entry = last_of(f'rules = "{rules}"\n[options]\n{options}', *lines, "! resign N")
    assert entry["board_over"] == {
        "winner": "black",
        "how": "resign",
        "points": {"white": 0, "black": points},
    }


AT_22 = ("! resign N", "! board", "! resign N", "! board")
"""By the laws 12 each: black has 24 in the running game. N is white on the third board."""


@pytest.mark.parametrize(
    ("rules", "options", "lines", "points"),
    [
        ("icf", "queen_cap = 22", ["N 9*white"], 1),
        ("icf", "queen_cap = 25", ["N 9*white"], 3),
        ("icf", "queen_cap = 0", ["N 9*white"], 3),
        ("grundregeln", "queen_cap = 22", ["N 9*white"], 3),
        ("grundregeln", "queen_cap = 22\nqueen_points = 5", ["N 9*white"], 5),
        ("grundregeln", "queen_cap = 22", ["N white", "N queen", "N 8*white striker 9*black"], 1),
        ("grundregeln", "queen_cap = 22", ["N 9*white striker 9*black"], 3),
        ("grundregeln", "queen_cap = 22", ["N white 9*black"], 8),
        ("grundregeln", "queen_cap = 22", ["! set white pocketed=8", "N white"], 3),
        ("grundregeln", "queen_cap = 22", ["! set white pocketed=9", "! resign N"], 1),
    ],
)
def test_from_the_cap_on_the_queen_counts_nothing_but_where_she_is_left(
    rules: str, options: str, lines: list[str], points: int
):
    header = f'rules = "{rules}"\n[options]\ntarget = 100\n{options}'
    entry = last_of(header, *AT_22, *lines)
    assert entry["board_over"]["points"] == {"white": 0, "black": points}
