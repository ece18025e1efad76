"""Handicaps and former local rules under the Japanese championship rules.

Each line of the table is a stroke in a state set by hand. The expected result was worked out
from the rules page. What the end of a board is worth is given here in full.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jackspot.core.agreement import Disagreement, agree
from jackspot.core.match import IllegalEntry, Match
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.record import RecordError, read_record
from jackspot.core.rules import RULES
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Flag, Stroke
from tests.conftest import each_of
from tests.core.rules.agreed_cases import Case, check_case, read_lines, shot

RULES_PAGE = Path(__file__).parents[3] / "firmware/jackspot/core/rules/jack/japan.md"
WATCHED = {"HC-5", *(f"LR-{row}" for row in (2, 3, 4, 5, 6, 7, 9, 10, 18, 19))}
"""What only players watch."""
TAKES_A_CALL_AWAY = {"LR-12"}

LINES = [line.partition("|")[::2] for line in read_lines("japan_options.txt")]
CASES = [(name.strip(), Case.read(line)) for name, line in LINES]


@each_of(CASES)
def test_what_was_agreed_decides_the_stroke(name, case):
    check_case("japan", case)


@pytest.mark.parametrize("owed", [0, 1, 5])
@pytest.mark.parametrize("rules", ["hikone", "japan"])
def test_last_is_what_brings_a_side_to_the_pucks_it_needs_whatever_it_owes(rules, owed):
    for needed in range(1, 13):
        for own in range(1, 13):
            case = Case(f"N.pucks_needed={needed}", f"0+{owed} 0", f"{own}*red jack")
            ruling = shot(rules, case).state.ruling
            assert ruling is not None
            last = own >= needed
            assert (ruling.rows[0] in {"HK-19", "JP-06"}) == last
            due = 5 if last and rules == "japan" else 6
            assert ruling.paid[0] + ruling.after.counts[0].owed == owed + due


def test_each_handicap_and_local_rule_of_the_page_has_a_case_or_is_watched():
    page = RULES_PAGE.read_text(encoding="utf-8")
    on_page = set(re.findall(r"^\| ((?:HC|LR)-\d+[ab]?) \|", page, re.MULTILINE))
    played = {name for name, _ in CASES if name[:2] in ("HC", "LR")}
    assert played | WATCHED | TAKES_A_CALL_AWAY == on_page
    assert not played & WATCHED


def test_the_page_says_of_each_rule_that_is_watched_that_players_do():
    page = RULES_PAGE.read_text(encoding="utf-8")
    for row in WATCHED - {"HC-5"}:
        line = re.search(rf"^\| {row} \|.*\| players", page, re.MULTILINE)
        assert line, row
    assert "LR-16c players" in page
    assert "players watch it" in page


# how a board ends, and what it is worth


def played(lines: str, head: str = "") -> Match:
    return read_record('rules = "japan"\n' + head + "\n---\n" + "\n".join(lines.split(";"))).match


def result_of(lines: str, head: str = "") -> tuple[str | None, str, int, int]:
    """Return the winner, how, and the points of red and green."""
    result = played(lines, head).state.result
    assert result is not None
    red, green = result.points.values()
    return result.winner, result.how, red, green


TWELVE_FOUR = "! set red pocketed=12;! set green pocketed=8"
SIX = "[handicap.N]\npucks_needed = 6"
SUDDEN = '[options]\ntimeout_tie = "sudden_death"'
ENDS = {
    "the source's own sums, 112 and 12 - 4 = 8": (f"{TWELVE_FOUR};N jack", "", "red jack 112 8"),
    "six suffice: 106": ("! set red pocketed=6;N jack", SIX, "red jack 106 0"),
    "seven with the jack: 107": ("! set red pocketed=6;N jack red", SIX, "red jack 107 0"),
    "a head start counts: 112": (
        "N 8*red;N jack",
        "[handicap.N]\nhead_start = 4",
        "red jack 112 0",
    ),
    "a debtor has nothing": ("N striker;S 12*green;S jack", "", "green jack 0 112"),
    "resigned without the hundred": (f"{TWELVE_FOUR};! resign S", "", "red resign 12 8"),
    "who is ahead may resign too": (f"{TWELVE_FOUR};! resign N", "", "green resign 12 8"),
    "a draw as it stands": (f"{TWELVE_FOUR};! draw", "", "None draw 12 8"),
    "time: the pucks in": ("N red;N -;! time;S -", "", "red time 1 0"),
    "time, level": ("N -;! time;S -", "", "None time 0 0"),
    "the stroke under way counts, its jack too": (
        f"{TWELVE_FOUR};! time;N jack",
        "",
        "red jack 112 8",
    ),
    "sudden death: one point": ("N -;! time;S -;N red", SUDDEN, "red time 1 0"),
    "sudden death: own pucks count as one": (
        "! set red pocketed=3;! set green pocketed=3;N -;! time;S -;N 2*red",
        SUDDEN,
        "red time 4 3",
    ),
    "sudden death: no fault, no gift": (
        "N green;S red;! time;N -;S striker green;N green;S green",
        SUDDEN,
        "green time 1 2",
    ),
    "sudden death: the jack": (
        "! set red pocketed=12;! set green pocketed=12;N -;! time;S -;N jack",
        SUDDEN,
        "red jack 112 12",
    ),
    "all in and missed, the game is lost": (
        "! set red pocketed=12;! set green pocketed=2;N -",
        '[options]\njack_one_shot = "loss"',
        "green foul 12 2",
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_board_is_worth(name):
    lines, head, expected = ENDS[name]
    assert " ".join(str(each) for each in result_of(lines, head)) == expected


def test_a_running_board_counts_the_pucks_in():
    match = played("N 3*red;N green;S striker")
    assert match.state.position.counts[1].pocketed == 0
    assert [count.pocketed for count in match.state.position.counts] == [3, 0]


# refused


@pytest.mark.parametrize(
    ("agreed", "before", "stroke", "words"),
    [
        ("area_rule=false pairs", "3 0", "area", "area_rule = false"),
        ("-", "3 0", "area", "the area rule is for doubles"),
        ("own_by_cushion=false", "3 0", "area", "the area rule is for doubles"),
        ("own_side_pockets=false", "3 0", "red", "the pocket must be named"),
        ("N.called_pocket=true", "12 0", "jack@NE", "'call@' and the pocket named is missing"),
        ("N.called_pocket=true", "12 0", "jack call@NE", "the jack fell in is missing"),
        ("N.must_bank=true", "12 0", "jack", "'banked' or 'unbanked' is missing"),
        ("-", "12 0", "jack banked", "goes with the handicap must_bank"),
        ("-", "12 0", "jack@NE call@NE", "goes with the handicap called_pocket"),
        ("opening=mass_break", "0 0", "foul", "no 'foul' in a mass break"),
        ("-", "0 0", "2*striker", "one striker"),
        ("-", "0 0", "13*red", "too many red pieces: a board has 12"),
        ("-", "0 0", "2*jack", "too many jack pieces"),
    ],
)
def test_what_was_agreed_forbids(agreed, before, stroke, words):
    with pytest.raises(RecordError, match=words):
        check_case("japan", Case(agreed, before, stroke))


@pytest.mark.parametrize(
    ("stroke", "words"),
    [
        (Stroke(Seat.N, flags=frozenset({Flag.NOBREAK})), "no duty to break"),
        (Stroke(Seat.N, flags=frozenset({Flag.AREA})), "the area rule is for doubles"),
        (Stroke(Seat.N, called=Pocket.NE), "goes with the handicap called_pocket"),
        (Stroke(Seat.N, (Departure(Piece.QUEEN),)), "there is no queen"),
    ],
)
def test_what_no_record_could_say_is_refused_of_a_stroke_too(stroke, words):
    with pytest.raises(IllegalEntry, match=words):
        Match.begin(agree({"rules": "japan"})).enter(stroke)


def test_a_head_start_and_fewer_pucks_needed_exclude_each_other():
    data = {"rules": "japan", "handicap": {"N": {"head_start": 4, "pucks_needed": 6}}}
    with pytest.raises(Disagreement, match="exclude each other"):
        agree(data)


def test_a_head_start_leaves_that_much_less_on_the_board():
    match = played("", "[handicap.S]\nhead_start = 4")
    lies = RULES[RuleSystem.JAPAN].on_board(match.state.position)
    assert dict(lies) == {Piece.RED: 12, Piece.GREEN: 8, Piece.JACK: 1}


def test_the_jack_only_at_the_second_chance_must_be_agreed_with_the_chance_itself():
    data = {"rules": "japan", "handicap": {"N": {"second_chance_on_jack": True}}}
    with pytest.raises(Disagreement, match="goes with second_chance"):
        agree(data)


def rows_and_turns(lines: str, options: str = "", handicap: str = "") -> list[str]:
    """Return what each stroke cites, and whether it keeps the turn."""
    match = played(lines, f"[options]\n{options}\n[handicap.N]\n{handicap}")
    return [
        " ".join((*step.ruling.rows, "keep" if step.ruling.keeps_turn else "pass"))
        for step in match.steps
        if step.ruling
    ]


def test_credit_goes_on_after_a_striker_that_a_handicap_lets_pass():
    # 1 - 1 + 2 = 2; with striker and puck 2 - 1 + 1 = 2; then 1, then 0
    lines = "N 2*red;N striker red;N -;N -"
    assert rows_and_turns(lines, "shots_per_puck = true", "keep_turn_with_striker = true") == [
        "HK-02 LR-13 keep",
        "JP-07 HC-2 LR-13 keep",
        "HK-01 LR-13 keep",
        "HK-01 pass",
    ]


def test_a_wrong_pocket_ends_the_turn_with_shots_left():
    lines, agreed = "N 3*red;N jack@NE call@SE", "pucks_needed = 2\ncalled_pocket = true"
    assert rows_and_turns(lines, "shots_per_puck = true", agreed) == [
        "HK-05 LR-13 keep",
        "HK-21 HC-3b HC-6 pass",
    ]


def four(lines: str, options: str) -> list[str]:
    """Return what each stroke of two pairs cites."""
    match = played(lines, f'seats = ["N", "E", "S", "W"]\n[options]\n{options}')
    return [" ".join(step.ruling.rows) for step in match.steps if step.ruling]


def test_an_area_hit_ends_the_turn_with_shots_left():
    assert four("N 3*red;N area;E -", "shots_per_puck = true") == ["HK-02 LR-13", "HK-43", "HK-01"]


def test_an_area_hit_is_not_the_one_shot_at_the_jack():
    lines = "! set red pocketed=12;N area;E -;S -"
    assert four(lines, 'jack_one_shot = "penalty"') == ["HK-43", "HK-01", "HK-01 LR-16a"]


def test_a_side_made_ready_by_a_gift_has_its_one_shot_at_its_own_turn():
    lines = "! set red pocketed=11;N -;S red;N -;S -"
    assert rows_and_turns(lines, 'jack_one_shot = "penalty"') == [
        "HK-01 pass",
        "JP-05 pass",
        "HK-01 LR-16a pass",
        "HK-01 pass",
    ]


def test_each_time_a_side_becomes_ready_it_has_one_shot():
    lines = "! set red pocketed=12;N -;S 5*red;N -;S -"
    assert rows_and_turns(lines, 'jack_one_shot = "penalty"') == [
        "HK-01 LR-16a pass",
        "JP-05 pass",
        "HK-01 LR-16a pass",
        "HK-01 pass",
    ]


def test_the_mass_break_of_three_has_three_strikers_and_comes_on_each_board():
    head = 'seats = ["E", "S", "N"]\n[options]\nopening = "mass_break"\nbest_of = 3'
    match = played("E 3*striker red;E -;! resign S;S 3*striker;S -", head)
    rows = [step.ruling.rows[0] for step in match.steps if step.ruling]
    assert rows == ["LR-1", "HK-01", "LR-1", "HK-01"]
    with pytest.raises(RecordError, match="3 strikers"):
        played("E 4*striker", head)


# three players


def order_of_play(head: str, misses: int) -> str:
    """Return the seats that shoot when nobody pockets anything."""
    match, order = played("", head), ""
    for _ in range(misses):
        assert match.state.next is not None
        order += match.state.next
        match = match.enter(Stroke(match.state.next))
    return order


@pytest.mark.parametrize(
    ("seats", "order3", "order"),
    [
        ('"E", "S", "N"', "bounce", "ESENESEN"),  # E plays alone: S D1 S D2
        ('"E", "N", "S"', "bounce", "ENESENES"),
        ('"E", "S", "N"', "clockwise", "ESNESN"),
        ('"N", "E", "S"', "bounce", "NESENESE"),  # D2 S D1 S: entered at the seat listed first
        ('"N", "S", "W"', "bounce", "NWSWNWSW"),  # W alone, then N: entered at D1
        ('"N", "S", "W"', "clockwise", "NSWNSW"),
    ],
)
def test_three_play_to_and_fro_or_round(seats, order3, order):
    head = f'seats = [{seats}]\n[options]\norder3 = "{order3}"'
    assert order_of_play(head, len(order)) == order


def test_a_round_of_three_to_and_fro_has_four_turns():
    head = 'seats = ["E", "S", "N"]\n[options]\ntime_end = "finish_round"'
    match = played("E -;! time;S -;E -", head)
    assert match.state.result is None
    assert match.enter(Stroke(Seat.N)).state.result is not None


def test_the_two_of_three_share_a_colour_and_the_area_rule():
    match = played("E red;E -;S area green;E -;N green", 'seats = ["E", "S", "N"]')
    assert [count.pocketed for count in match.state.position.counts] == [1, 1]
    with pytest.raises(RecordError, match="the area rule is for doubles"):
        played("E area", 'seats = ["E", "S", "N"]')


@pytest.mark.parametrize(
    ("options", "line"), [("", "E area"), ("area_rule = false", "S area"), ("", "E red area")]
)
def test_the_cushion_is_for_singles_and_pairs_not_for_three(options, line):
    head = f'seats = ["E", "S", "N"]\n[options]\nown_by_cushion = true\n{options}'
    with pytest.raises(RecordError, match="area"):
        played(line if line[0] == "E" else f"E -;{line}", head)


def test_partners_share_their_handicaps():
    head = 'seats = ["N", "E", "S", "W"]\n[handicap.S]\nno_striker_penalty = true'
    match = played("N red;N striker", head)
    assert match.state.ruling is not None
    assert match.state.ruling.rows == ("JP-01", "HC-1")
    assert match.state.position.counts[0].pocketed == 1
