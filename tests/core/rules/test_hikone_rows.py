"""Hikone carom, checked against its decision table, which was written by hand.

Every seat, red and green, plays every case, with two players and with four.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jackspot.core.agreement import HANDICAPS, OPTIONS, agree
from jackspot.core.pieces import Seat, Side
from jackspot.core.rules import RULES
from jackspot.core.ruling import IllegalStroke
from jackspot.core.settings import RuleSystem
from tests.conftest import each_of
from tests.core.rules.jack_cases import (
    TABLES,
    check_case,
    position_for,
    read_table,
    rulings,
    settings_for,
)
from tests.core.rules.words import colours, stroke_of

HIKONE = RULES[RuleSystem.HIKONE]
RULES_PAGE = Path(__file__).parents[3] / "firmware/jackspot/core/rules/jack/hikone.md"
ALL_ROWS = [f"HK-{number:02}" for number in range(1, 47)]
CASES, WATCHED = read_table("hikone_rows.toml")
PLAYED = [(case, name) for case in CASES for name in case.tables]


# the engine against the table


@each_of(PLAYED)
def test_a_stroke_is_judged_as_the_table_says(case, table):
    for before, _, ruling in rulings(HIKONE, case, table):
        check_case(case, before, ruling, jack_points=0)


@pytest.mark.parametrize("tokens", ["area", "area own", "area striker"])
def test_the_area_rule_is_for_doubles(tokens):
    settings = agree({"rules": "hikone", "seats": ["N", "S"]})
    position = HIKONE.opening(settings, (), Seat.N)
    with pytest.raises(IllegalStroke, match="area"):
        HIKONE.judge(settings, position, stroke_of(position, tokens))


# the table against itself and against the rules page


def test_every_row_has_a_case_or_is_only_watched():
    assert sorted({case.row for case in CASES} | set(WATCHED)) == ALL_ROWS
    assert not {case.row for case in CASES} & set(WATCHED)


def test_every_row_that_is_not_for_doubles_only_is_played_by_two_and_by_four():
    played = {(case.row, table) for case, table in PLAYED}
    for row in ALL_ROWS:
        if row not in WATCHED:
            assert (row, "four") in played
            assert row == "HK-43" or (row, "two") in played


SETTLED = [case for case in CASES if case.turn != "win" and case.row != "HK-43"]
"""Neither a win, which puts nothing back, nor an area hit, which puts all back as it lay."""


@each_of(SETTLED)
def test_the_table_neither_makes_nor_loses_a_puck(case):
    """The board then has what was on it, less what left it, plus what was put back."""
    settings = settings_for(HIKONE, case, "four")
    position = position_for(HIKONE, case, settings, Seat.N)
    stroke = stroke_of(position, case.stroke)
    for word, before, after in (("own", case.mine, case.me), ("opp", case.his, case.him)):
        piece = colours(position)[word]
        left = stroke.pocketed(piece) + stroke.flown(piece)
        assert before.pocketed + left - case.place.count(word) == after.pocketed
        assert not (after.owed and after.pocketed), "a debt is paid as soon as it can be"


def test_red_and_green_both_play_every_case():
    for table, seats in TABLES.items():
        settings = agree({"rules": "hikone", "seats": seats})
        assert {settings.sides[seat] for seat in settings.seats} == {Side.RED, Side.GREEN}, table


def test_the_rules_page_and_the_table_name_the_same_rows():
    named = set(re.findall(r"\bHK-\d\d\b", RULES_PAGE.read_text(encoding="utf-8")))
    assert named == set(ALL_ROWS)
    in_table = {case.row for case in CASES} | set(WATCHED)
    assert named <= in_table


def test_each_row_of_the_rules_page_has_its_own_line_in_order():
    lines = re.findall(r"^\| (HK-\d\d) \|", RULES_PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert lines == ALL_ROWS


def test_the_rules_page_names_every_option_and_handicap_with_the_usual_value_first():
    page = RULES_PAGE.read_text(encoding="utf-8")
    named = dict(re.findall(r"^\| `(\w+)`(?: \([^|]*\))? \| ([^|]+) \|", page, re.MULTILINE))
    known = [option for option in OPTIONS.values() if RuleSystem.HIKONE in option.systems]
    assert set(named) == {option.name for option in known} | set(HANDICAPS)
    for option in known:
        usual = option.defaults[RuleSystem.HIKONE]
        first = re.split(r"[,: ]", named[option.name].replace("`", ""))[0]
        assert first == (str(usual).lower() if isinstance(usual, bool) else str(usual)), option.name
