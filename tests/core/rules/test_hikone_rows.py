"""Hikone carom held against its decision table, which was written down by hand.

Every case is played by every seat, red and green, at a board of two and at a board of four.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jackspot.core.agreement import HANDICAPS, OPTIONS, agree
from jackspot.core.directives import RedPlace
from jackspot.core.pieces import Seat, Side
from jackspot.core.rules import RULES
from jackspot.core.ruling import How, IllegalStroke
from jackspot.core.settings import RuleSystem
from tests.core.rules.jack_cases import (
    TABLES,
    colours,
    position_for,
    read_table,
    rulings,
    settings_for,
    stroke_of,
)

HIKONE = RULES[RuleSystem.HIKONE]
RULES_PAGE = Path(__file__).parents[3] / "firmware/jackspot/core/rules/jack/hikone.md"
ALL_ROWS = [f"HK-{number:02}" for number in range(1, 47)]


CASES, WATCHED = read_table("hikone_rows.toml")
PLAYED = [(case, name) for case in CASES for name in case.tables]


each_case = pytest.mark.parametrize(
    ("case", "table"), PLAYED, ids=[f"{case}, {table}" for case, table in PLAYED]
)


# the engine against the table


@each_case
def test_the_ruling_cites_the_row_it_follows(case, table):
    for _, _, ruling in rulings(HIKONE, case, table):
        assert ruling.rows == (case.row, *case.also)


@each_case
def test_what_goes_back_lies_in_the_tables_order_from_bottom_to_top(case, table):
    for before, _, ruling in rulings(HIKONE, case, table):
        words = colours(before)
        assert ruling.place == tuple(words[word] for word in case.place)


@each_case
def test_both_sides_have_in_and_owe_what_the_table_says(case, table):
    for before, _, ruling in rulings(HIKONE, case, table):
        assert ruling.after.count(before.side) == case.me
        assert ruling.after.count(before.other(before.side)) == case.him


@each_case
def test_the_turn_is_kept_or_passed_as_the_table_says(case, table):
    for before, _, ruling in rulings(HIKONE, case, table):
        assert ruling.keeps_turn == (case.turn == "keep")
        if case.turn == "keep":
            assert ruling.next is before.seat
        if case.turn == "pass":
            places = len(before.order)
            assert ruling.next is before.order[(before.turn + 1) % places]


@each_case
def test_the_board_ends_for_the_shooter_where_the_table_says_so_and_nowhere_else(case, table):
    for before, _, ruling in rulings(HIKONE, case, table):
        if case.turn != "win":
            assert ruling.result is None
            assert ruling.after.red is RedPlace.BOARD
            continue
        assert ruling.result is not None
        assert (ruling.result.winner, ruling.result.how) == (before.side, How.JACK)
        assert ruling.result.points[before.side] == case.me.pocketed
        assert ruling.result.points[before.other(before.side)] == case.him.pocketed
        assert ruling.after.red is RedPlace.POCKETED


@each_case
def test_a_foul_is_called_a_foul_and_nothing_else_is(case, table):
    for _, _, ruling in rulings(HIKONE, case, table):
        assert ruling.foul == case.foul


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


@pytest.mark.parametrize("case", SETTLED, ids=str)
def test_the_table_neither_makes_nor_loses_a_puck(case):
    """What was on the board, less what left it, and what was put back, is there after it."""
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
