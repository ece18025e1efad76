"""The Japanese championship rules, checked against their decision table, written by hand.

Every seat, red and green, plays every case, with two players and with four.
"""

from __future__ import annotations

import re
from pathlib import Path

from jackspot.core.agreement import HANDICAPS, OPTIONS
from jackspot.core.rules import RULES
from jackspot.core.settings import RuleSystem
from tests.conftest import each_of
from tests.core.rules.jack_cases import check_case, read_table, rulings

HIKONE, JAPAN = RULES[RuleSystem.HIKONE], RULES[RuleSystem.JAPAN]
RULES_PAGE = Path(__file__).parents[3] / "firmware/jackspot/core/rules/jack/japan.md"
ROWS = [f"JP-{number:02}" for number in range(1, 10)]
HIKONES = [f"HK-{number:02}" for number in range(1, 47)]
CASES, WATCHED = read_table("japan_rows.toml")
HIKONE_CASES, _ = read_table("hikone_rows.toml")
PLAYED = [(case, name) for case in CASES for name in case.tables]


# the engine against the table


@each_of(PLAYED)
def test_a_stroke_is_judged_as_the_table_says(case, table):
    """The winner has a hundred and the pucks, the loser the pucks alone."""
    for before, _, ruling in rulings(JAPAN, case, table):
        check_case(case, before, ruling, jack_points=100)


# where the Japanese rules are silent, Hikone's apply

SAME = [
    (case, name)
    for case in HIKONE_CASES
    for name in case.tables
    if case.row != "HK-19"  # the one stroke that both sources name and judge differently
]


@each_of(SAME)
def test_but_for_the_last_puck_with_the_jack_every_stroke_is_judged_as_in_hikone(case, table):
    pairs = zip(rulings(JAPAN, case, table), rulings(HIKONE, case, table), strict=True)
    for (_, _, japan), (_, _, hikone) in pairs:
        assert japan.place == hikone.place
        assert japan.after.counts == hikone.after.counts
        assert (japan.next, japan.keeps_turn) == (hikone.next, hikone.keeps_turn)
        assert japan.foul == hikone.foul
        assert (japan.result is None) == (hikone.result is None)
        assert japan.rows[1:] == hikone.rows[1:]
        assert japan.rows[0] in (*ROWS, hikone.rows[0])


# the table against itself and against the rules page


def test_every_row_has_a_case():
    cited = {case.row for case in CASES}
    assert cited >= set(ROWS)
    assert cited - set(ROWS) <= set(HIKONES) - set(WATCHED)


def test_each_row_of_the_rules_page_has_its_own_line_in_order():
    page = RULES_PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^\| (JP-\d\d) \|", page, re.MULTILINE) == ROWS
    assert set(re.findall(r"\bJP-\d\d\b", page)) == set(ROWS)


def test_the_rules_page_names_hikones_rows_that_are_cited_here():
    named = set(re.findall(r"\bHK-\d\d\b", RULES_PAGE.read_text(encoding="utf-8")))
    assert {case.row for case in CASES} - set(ROWS) <= named
    assert set(WATCHED) <= named


def test_the_rules_page_names_every_option_with_the_usual_value_first():
    page = RULES_PAGE.read_text(encoding="utf-8")
    named = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", page, re.MULTILINE))
    known = [option for option in OPTIONS.values() if RuleSystem.JAPAN in option.systems]
    assert list(named) == [option.name for option in known]
    for option in known:
        usual = option.defaults[RuleSystem.JAPAN]
        first = re.split(r"[,;: ]", named[option.name].replace("`", ""))[0]
        assert first == (str(usual).lower() if isinstance(usual, bool) else str(usual)), option.name


def test_the_rules_page_names_every_handicap_by_its_id():
    page = RULES_PAGE.read_text(encoding="utf-8")
    named = re.findall(r"^\| (HC-\d[ab]?) \| `(\w+)` \|", page, re.MULTILINE)
    assert [name for _, name in named] == [
        *("no_striker_penalty", "keep_turn_with_striker", "head_start", "pucks_needed"),
        *("second_chance", "second_chance_on_jack", "weak_hand", "called_pocket", "must_bank"),
    ]
    assert {name for _, name in named} == set(HANDICAPS)
    assert sorted({row[:4] for row, _ in named}) == [f"HC-{number}" for number in range(1, 8)]


def test_each_local_rule_has_its_own_line_on_the_rules_page_in_order():
    page = RULES_PAGE.read_text(encoding="utf-8")
    lines = re.findall(r"^\| (LR-\d+) \|", page, re.MULTILINE)
    assert lines == [f"LR-{number}" for number in range(1, 21)]
