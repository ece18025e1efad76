"""What people may agree on beside the town's rules: options, handicaps, old local rules.

Each case is a line of a record in a state set by hand; what must follow was worked out from
the rules page, sections 2, 10 and 11. N plays red and shoots, S plays green.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from jackspot.core.match import Match, MatchState
from jackspot.core.record import read_record

PAIRS = 'seats = ["N", "E", "S", "W"]'


@dataclass(frozen=True)
class Case:
    """``mine`` and ``his``: pucks in (and owed) before; ``red`` and ``green`` after."""

    options: str
    mine: str
    stroke: str
    rows: str
    turn: str
    red: str
    place: str = ""
    his: str = "4"
    green: str = "4"
    handicap: str = ""
    header: str = ""
    foul: bool = True


def set_up(case: Case) -> str:
    lines = []
    for side, count in (("red", case.mine), ("green", case.his)):
        pocketed, _, owed = count.partition("+")
        lines.append(f"! set {side} pocketed={pocketed}")
        if owed:
            lines.append(f"! set {side} owed={owed}")
    return (
        f'rules = "hikone"\n{case.header}\n[options]\n{case.options}\n'
        f"[handicap.N]\n{case.handicap}\n---\n" + "\n".join(lines) + "\n"
    )


def shot(case: Case) -> Match:
    return read_record(f"{set_up(case)}N {case.stroke}\n").match


def shown(state: MatchState, index: int) -> str:
    count = state.position.counts[index]
    return f"{count.pocketed}+{count.owed}" if count.owed else f"{count.pocketed}"


def turn_of(state: MatchState) -> str:
    if state.result is not None:
        return f"{state.result.winner} wins by {state.result.how}"
    assert state.ruling is not None
    return "keep" if state.ruling.keeps_turn else "pass"


SHOT_FIVE = Case("", "7", "jack", "HK-15", "pass", "2", "red red red red red jack")

CASES = [
    SHOT_FIVE,
    # each own puck of the stroke comes back
    Case('foul_with_puck = "per_puck"', "3", "striker 2*red", "HK-11 A-01", "pass", "2", "red red red"),
    Case('foul_with_puck = "per_puck"', "3", "striker red", "HK-09", "pass", "2", "red red"),
    # what cannot be paid is forgotten
    Case('debt = "forgive"', "3", "jack", "HK-16 A-02", "pass", "0", "red red red jack"),
    Case('debt = "forgive"', "7", "jack", "HK-15", "pass", "2", "red red red red red jack"),
    # A-04 and LR-15: the last puck and the jack
    Case("", "11", "red jack", "HK-19", "pass", "6", "red red red red red red jack"),
    Case('last_puck_with_jack = "five"', "11", "red jack", "HK-19 A-04", "pass", "7", "red red red red red jack"),
    Case('last_puck_with_jack = "five"', "10", "2*red jack", "HK-19 A-04", "pass", "7", "red red red red red jack"),
    Case('last_puck_with_jack = "five"', "7", "red jack", "HK-18", "pass", "2", "red red red red red red jack"),
    Case('last_puck_with_jack = "five"', "11", "red jack striker", "HK-26", "pass", "5", "red red red red red red red jack"),
    Case('last_puck_with_jack = "win"', "11", "red jack", "HK-19 LR-15", "red wins by jack", "12", foul=False),
    Case('last_puck_with_jack = "win"', "10", "2*red jack green^", "HK-19 LR-15", "red wins by jack", "12", foul=False),
    Case('last_puck_with_jack = "win"', "10", "red jack", "HK-18", "pass", "5", "red red red red red red jack"),
    Case('last_puck_with_jack = "win"', "11", "red jack striker", "HK-26", "pass", "5", "red red red red red red red jack"),
    Case('last_puck_with_jack = "win"\njack_with_striker = "win"', "11", "red jack striker", "HK-26 LR-15", "red wins by jack", "12"),
    # all in, jack and striker
    Case("", "12", "jack striker", "HK-24", "pass", "11", "red jack"),
    Case("", "12", "jack striker^", "HK-24", "pass", "11", "red jack"),
    Case('jack_with_striker = "jack_penalty"', "12", "jack striker", "HK-24 A-05", "pass", "6", "red red red red red red jack"),
    Case('jack_with_striker = "win"', "12", "jack striker", "HK-24 A-05", "red wins by jack", "12"),
    Case("striker_penalty = 0", "12", "jack striker", "HK-24 LR-20", "red wins by jack", "12"),
    Case("striker_penalty = 0\njack_with_striker = \"jack_penalty\"", "12", "jack striker", "HK-24 LR-20 A-05", "pass", "7", "red red red red red jack"),
    # an obvious foul leaves the opponent's pucks
    Case("foul_returns_opponents = false", "3", "foul red green", "HK-36 A-06", "pass", "2", "red red", green="5"),
    Case("foul_returns_opponents = false", "3", "foul green^", "HK-38", "pass", "2", "green red"),
    # an area hit
    Case("", "3", "area red jack", "HK-43", "pass", "3", header=PAIRS, foul=False),
    Case("", "3", "area red striker", "HK-43", "pass", "2", "red", header=PAIRS),
    Case("", "3", "area foul red", "HK-35", "pass", "2", "red red", header=PAIRS),
    Case('area_hit = "foul"', "3", "area red", "HK-43 A-07", "pass", "2", "red red", header=PAIRS),
    # LR-8, LR-20: other penalties; a penalty of nothing is a fault all the same
    Case("jack_penalty = 3", "7", "jack", "HK-15 LR-8", "pass", "4", "red red red jack"),
    Case("jack_penalty = 4", "7", "jack^", "HK-27 LR-20", "pass", "3", "red red red red jack"),
    Case("jack_penalty = 0", "7", "jack", "HK-15 LR-20", "pass", "7", "jack"),
    Case("jack_penalty = 0", "7", "jack red", "HK-18 LR-20", "pass", "7", "red jack"),
    Case("striker_penalty = 2", "7", "striker", "HK-07 LR-20", "pass", "5", "red red"),
    Case("striker_penalty = 0", "7", "striker", "HK-07 LR-20", "pass", "7"),
    Case("striker_penalty = 0", "7", "striker red", "HK-09 LR-20", "pass", "7", "red"),
    # LR-11: own pucks in the own side's pockets come back
    Case("own_side_pockets = false", "3", "red@NE", "HK-01 LR-11", "pass", "3", "red", foul=False),
    Case("own_side_pockets = false", "3", "red@NW red@SE", "HK-02 LR-11", "keep", "4", "red", foul=False),
    Case("own_side_pockets = false", "3", "green@NE", "HK-03", "pass", "3", green="5", foul=False),
    Case("own_side_pockets = false", "3", "striker@NE red@NE", "HK-07 LR-11", "pass", "2", "red red"),
    Case("own_side_pockets = false", "11", "red@NE jack", "HK-15 LR-11", "pass", "6", "red red red red red red jack"),
    # LR-14: striker and own puck, two back and the turn is kept
    Case('striker_with_own = "two_keep"', "3", "striker red", "HK-09 LR-14", "keep", "2", "red red"),
    Case('striker_with_own = "two_keep"', "3", "striker 3*red", "HK-11 LR-14", "keep", "4", "red red"),
    Case('striker_with_own = "two_keep"', "0", "striker red", "HK-10 LR-14", "pass", "0", "red"),
    Case('striker_with_own = "two_keep"', "0", "striker 2*red", "HK-11 LR-14", "keep", "0", "red red"),
    Case('striker_with_own = "two_keep"', "0+1", "striker 2*red", "HK-11 LR-14", "pass", "0", "red red"),
    Case('striker_with_own = "two_keep"', "0+3", "striker red", "HK-10 LR-14", "pass", "0+2", "red"),
    Case('striker_with_own = "two_keep"', "3", "striker^ red", "HK-14", "pass", "2", "red red"),
    Case('striker_with_own = "two_keep"', "7", "striker red jack", "HK-26", "pass", "1", "red red red red red red red jack"),
    # LR-16: one shot at the jack
    Case('jack_one_shot = "penalty"', "12", "-", "HK-01 LR-16a", "pass", "7", "red red red red red"),
    Case('jack_one_shot = "penalty"', "12", "striker", "HK-07 LR-16a", "pass", "6", "red red red red red red"),
    Case('jack_one_shot = "penalty"\njack_penalty = 2', "12", "jack^", "HK-28 LR-8 LR-16a", "pass", "5", "red red red red red red red jack"),
    Case('jack_one_shot = "penalty"', "12", "jack", "HK-21", "red wins by jack", "12", foul=False),
    Case('jack_one_shot = "penalty"', "11", "-", "HK-01", "pass", "11", foul=False),
    Case('jack_one_shot = "penalty"', "12", "area", "HK-43", "pass", "12", header=PAIRS, foul=False),
    Case('jack_one_shot = "loss"', "12", "green", "HK-03 LR-16b", "green wins by foul", "12", green="5"),
    # HC-1: no penalty for a striker
    Case("", "3", "striker", "HK-07 HC-1", "pass", "3", handicap="no_striker_penalty = true"),
    Case("", "3", "striker^ red", "HK-14 HC-1", "pass", "4", handicap="no_striker_penalty = true"),
    Case("", "7", "striker red jack", "HK-26 HC-1", "pass", "2", "red red red red red red jack", handicap="no_striker_penalty = true"),
    Case("", "12", "striker jack", "HK-24 HC-1", "red wins by jack", "12", handicap="no_striker_penalty = true"),
    Case("", "3", "foul striker", "HK-38", "pass", "2", "red", handicap="no_striker_penalty = true"),
    # HC-2: striker and own puck keep the turn, the penalty stands
    Case("", "3", "striker red", "HK-09 HC-2", "keep", "2", "red red", handicap="keep_turn_with_striker = true"),
    Case("", "3", "striker^ red", "HK-14", "pass", "2", "red red", handicap="keep_turn_with_striker = true"),
    Case("", "3", "striker", "HK-07", "pass", "2", "red", handicap="keep_turn_with_striker = true"),
    Case("", "3", "striker red", "HK-09 HC-1 HC-2", "keep", "4", handicap="keep_turn_with_striker = true\nno_striker_penalty = true"),
    # HC-3b: six suffice
    Case("", "6", "jack", "HK-21 HC-3b", "red wins by jack", "6", handicap="pucks_needed = 6", foul=False),
    Case("", "6", "jack red", "HK-21 HC-3b", "red wins by jack", "7", handicap="pucks_needed = 6", foul=False),
    Case("", "5", "jack red", "HK-19", "pass", "0", "red red red red red red jack", handicap="pucks_needed = 6"),
    Case("", "12", "jack", "HK-21", "red wins by jack", "12", handicap="pucks_needed = 6", foul=False),
    Case("striker_penalty = 0", "6", "jack red striker", "HK-24 LR-20 HC-3b", "pass", "6", "red jack", handicap="pucks_needed = 6"),
    # HC-4: a second chance
    Case("", "3", "-", "HK-01 HC-4", "keep", "3", handicap="second_chance = true", foul=False),
    Case("", "3", "green", "HK-03 HC-4", "keep", "3", green="5", handicap="second_chance = true", foul=False),
    Case("", "3", "striker", "HK-07", "pass", "2", "red", handicap="second_chance = true"),
    Case("", "12", "-", "HK-01", "pass", "12", handicap="second_chance = true", foul=False),
    Case("", "12", "-", "HK-01 HC-4b", "keep", "12", handicap="second_chance = true\nsecond_chance_on_jack = true", foul=False),
    Case("", "3", "area", "HK-43", "pass", "3", header=PAIRS, handicap="second_chance = true", foul=False),
    # HC-6: the pocket named beforehand
    Case("", "12", "jack@NE call@NE", "HK-21", "red wins by jack", "12", handicap="called_pocket = true", foul=False),
    Case("", "12", "jack@NE call@SE", "HK-21 HC-6", "pass", "12", "jack", handicap="called_pocket = true", foul=False),
    Case("", "12", "jack@NE striker call@SE", "HK-24 HC-6", "pass", "11", "red jack", handicap="called_pocket = true"),
    Case("", "7", "jack call@SE", "HK-15", "pass", "2", "red red red red red jack", handicap="called_pocket = true"),
    # HC-7: the jack by a cushion
    Case("", "12", "jack banked", "HK-21", "red wins by jack", "12", handicap="must_bank = true", foul=False),
    Case("", "12", "jack unbanked", "HK-21 HC-7", "pass", "12", "jack", handicap="must_bank = true", foul=False),
    Case("", "7", "jack banked", "HK-15", "pass", "2", "red red red red red jack", handicap="must_bank = true"),
    # LR-1: all break at once
    Case('opening = "mass_break"', "0", "3*red 2*green striker striker jack red^ green^", "LR-1", "keep", "3", "green red jack", his="0", green="2", foul=False),
    Case('opening = "mass_break"', "0", "-", "LR-1", "keep", "0", his="0", green="0", foul=False),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=str)
def test_what_was_agreed_decides_the_stroke(case):
    state = shot(case).state
    assert state.ruling is not None
    assert " ".join(state.ruling.rows) == case.rows
    assert turn_of(state) == case.turn
    assert (shown(state, 0), shown(state, 1)) == (case.red, case.green)
    assert " ".join(state.place) == case.place
    assert state.ruling.foul == case.foul


# refused strokes: options, handicap, state, stroke, words
REFUSED = [
    ("area_rule = false", "", "3", "area", "area_rule = false"),
    ("own_side_pockets = false", "", "3", "red", "the pocket must be named"),
    ("own_side_pockets = false", "", "3", "green", "the pocket must be named"),
    ("", "called_pocket = true", "12", "jack@NE", "'call@' and the pocket named is missing"),
    ("", "called_pocket = true", "12", "jack call@NE", "the pocket the jack fell in is missing"),
    ("", "must_bank = true", "12", "jack", "'banked' or 'unbanked' is missing"),
    ("", "must_bank = true", "12", "jack banked unbanked", "exclude each other"),
    ('opening = "mass_break"', "", "0", "foul", "no 'foul' in a mass break"),
    ('opening = "mass_break"', "", "0", "5*striker", "4 strikers at most"),
]


@pytest.mark.parametrize(("options", "handicap", "mine", "stroke", "words"), REFUSED)
def test_what_was_agreed_forbids(options, handicap, mine, stroke, words):
    case = Case(options, mine, stroke, "", "", "", handicap=handicap, header=PAIRS)
    with pytest.raises(ValueError, match=words):
        shot(case)


@pytest.mark.parametrize("flag", ["area", "banked", "call@NE"])
def test_the_single_player_of_three_and_the_other_side_have_no_such_flag(flag):
    text = (
        'rules = "hikone"\nseats = ["E", "N", "S"]\n[handicap.N]\nmust_bank = true\n'
        f"called_pocket = true\n---\nE {flag}\n"
    )
    with pytest.raises(ValueError, match="doubles|goes with the handicap"):
        read_record(text)


def test_the_pair_of_three_has_the_area_rule():
    text = 'rules = "hikone"\nseats = ["N", "E", "S"]\n---\nN area\n'
    assert read_record(text).match.steps[0].ruling.rows == ("HK-43",)


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
    # 12 in, six needed: after the penalty seven are in, and the side is ready still
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
        ("HK-01", "LR-16a"),
    ]


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
