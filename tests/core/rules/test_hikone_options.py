"""What people may agree on besides the town's rules: options, handicaps, old local rules.

Each case is a line of a record in a state set by hand. The expected result was worked out from
the rules page, sections 2, 10 and 11. N plays red and shoots, S plays green.
"""

from __future__ import annotations

import pytest

from jackspot.core.record import read_record
from tests.conftest import each_of
from tests.core.rules.agreed_cases import Case, check_case, read_lines, shot

CASES = [Case.read(line) for line in read_lines("hikone_options.txt")]


@each_of(CASES)
def test_what_was_agreed_decides_the_stroke(case):
    check_case("hikone", case)


# refused strokes: what was agreed, pucks in, stroke, words
REFUSED = [
    ("area_rule=false", "3 0", "area", "area_rule = false"),
    ("own_side_pockets=false", "3 0", "red", "the pocket must be named"),
    ("own_side_pockets=false", "3 0", "green", "the pocket must be named"),
    ("N.called_pocket=true", "12 0", "jack@NE", "'call@' and the pocket named is missing"),
    ("N.called_pocket=true", "12 0", "jack call@NE", "the pocket the jack fell in is missing"),
    ("N.must_bank=true", "12 0", "jack", "'banked' or 'unbanked' is missing"),
    ("N.must_bank=true", "12 0", "jack banked unbanked", "exclude each other"),
    ("opening=mass_break", "0 0", "foul", "no 'foul' in a mass break"),
    ("opening=mass_break", "0 0", "5*striker", "4 strikers at most"),
    ("opening=mass_break", "4 0", "8*red red^", "too many red pucks: 8 on the board"),
    ("opening=mass_break", "0 4", "12*red 9*green", "too many green pucks: 8 on the board"),
    ("opening=mass_break", "0 0", "jack jack^", "too many jack pieces"),
]


@pytest.mark.parametrize(("agreed", "before", "stroke", "words"), REFUSED)
def test_what_was_agreed_forbids(agreed, before, stroke, words):
    with pytest.raises(ValueError, match=words):
        shot("hikone", Case(f"{agreed} pairs", before, stroke))


@pytest.mark.parametrize("flag", ["area", "banked", "call@NE"])
def test_the_single_player_of_three_and_the_other_side_have_no_such_flag(flag):
    text = (
        'rules = "hikone"\nseats = ["E", "N", "S"]\n[handicap.N]\nmust_bank = true\n'
        f"called_pocket = true\n---\nE {flag}\n"
    )
    with pytest.raises(ValueError, match=r"doubles|goes with the handicap"):
        read_record(text)


def test_the_pair_of_three_has_the_area_rule():
    text = 'rules = "hikone"\nseats = ["N", "E", "S"]\n---\nN area\n'
    ruling = read_record(text).match.steps[0].ruling
    assert ruling is not None
    assert ruling.rows == ("HK-43",)


# over several strokes


def rows_and_turns(lines: str, options: str = "", handicap: str = "") -> list[str]:
    text = f'rules = "hikone"\n[options]\n{options}\n[handicap.N]\n{handicap}\n---\n' + "\n".join(
        lines.split(";")
    )
    return [
        " ".join((*step.ruling.rows, "keep" if step.ruling.keeps_turn else "pass"))
        for step in read_record(text).match.steps
        if step.ruling
    ]


def test_a_second_chance_comes_once_a_turn():
    assert rows_and_turns("N -;N red;N -;S -;N -", handicap="second_chance = true") == [
        "HK-01 HC-4 keep",
        "HK-02 keep",
        "HK-01 pass",
        "HK-01 pass",
        "HK-01 HC-4 keep",
    ]


def test_each_own_puck_earns_a_shot_where_that_is_agreed():
    # credit: 1 - 1 + 2 = 2, 2 - 1 = 1, 1 - 1 + 1 = 1, 1 - 1 = 0
    assert rows_and_turns("N 2*red;N -;N red;N green;S -", "shots_per_puck = true") == [
        "HK-02 LR-13 keep",
        "HK-01 LR-13 keep",
        "HK-02 keep",
        "HK-03 pass",
        "HK-01 pass",
    ]


def test_credit_is_spent_one_a_stroke():
    # 1 -1 +3 = 3; miss 2; miss 1; miss 0
    assert rows_and_turns("N 3*red;N -;N -;N -;S -", "shots_per_puck = true") == [
        "HK-02 LR-13 keep",
        "HK-01 LR-13 keep",
        "HK-01 LR-13 keep",
        "HK-01 pass",
        "HK-01 pass",
    ]


def test_a_fault_takes_all_credit():
    assert rows_and_turns("N 3*red;N striker", "shots_per_puck = true") == [
        "HK-02 LR-13 keep",
        "HK-07 pass",
    ]


def test_a_second_chance_comes_when_the_credit_is_gone():
    lines, both = "N 2*red;N -;N -;N -", "shots_per_puck = true"
    assert rows_and_turns(lines, both, "second_chance = true") == [
        "HK-02 LR-13 keep",
        "HK-01 LR-13 keep",
        "HK-01 HC-4 keep",
        "HK-01 pass",
    ]


def test_paying_an_old_debt_costs_no_credit():
    # the striker leaves one owed; 2 red pay one, and two shots are earned all the same
    lines = "N striker;S -;N 2*red;N -;N -"
    assert rows_and_turns(lines, "shots_per_puck = true")[2:] == [
        "HK-40 LR-13 keep",
        "HK-01 LR-13 keep",
        "HK-01 pass",
    ]


def test_only_the_first_try_at_the_jack_is_the_one_shot():
    # 12 in, six needed: after the penalty seven are in, and the side is still ready
    text = """rules = "hikone"
[options]
jack_one_shot = "penalty"
[handicap.N]
pucks_needed = 6
---
! set red pocketed=12
N -
S -
N -
S -
! set red pocketed=3
! set red pocketed=6
N -
"""
    rows = [step.ruling.rows for step in read_record(text).match.steps if step.ruling]
    assert rows == [
        ("HK-01", "LR-16a"),
        ("HK-01",),
        ("HK-01",),
        ("HK-01",),
        ("HK-01", "HC-3b", "LR-16a"),
    ]


def test_a_correction_that_leaves_a_side_ready_gives_it_no_second_try():
    tried = "N -;S -;! set red pocketed=7;! set green owed=1;N -"
    rows = rows_and_turns(
        f"! set red pocketed=12;{tried}", 'jack_one_shot = "penalty"', "pucks_needed = 6"
    )
    assert rows == ["HK-01 LR-16a pass", "HK-01 pass", "HK-01 pass"]


def test_the_mass_break_comes_once_on_each_board():
    text = """rules = "hikone"
[options]
opening = "mass_break"
best_of = 3
---
N 2*striker
N striker
S -
! resign S
S 2*striker green
S jack
"""
    steps = read_record(text).match.steps
    assert [step.ruling.rows[0] for step in steps if step.ruling] == [
        "LR-1",
        "HK-08",
        "HK-01",
        "LR-1",
        "HK-16",
    ]


def test_a_head_start_lies_in_the_pocket_and_can_be_given_back():
    text = 'rules = "hikone"\n[handicap.S]\nhead_start = 4\n---\nN -\nS striker\nN -\nS 9*green\n'
    counts = [step.state.position.counts[1].pocketed for step in read_record(text).match.steps]
    assert counts == [4, 3, 3, 12]
