"""The ICF laws, checked against their decision table, which was written by hand."""

from __future__ import annotations

import re

import pytest

from jackspot.core.agreement import agree
from jackspot.core.directives import Say, Saying
from jackspot.core.rules import IllegalDirective
from jackspot.core.settings import RuleSystem
from tests.conftest import each_of
from tests.core.rules.law_rows import (
    Table,
    check_case,
    check_pieces,
    check_the_page_names_every_option,
)

ICF = Table.read(RuleSystem.ICF)
AGREED = agree({"rules": "icf"})
ALL_ROWS = [f"IC-{number:02}" for number in range(1, 35)]
DEMAND = Say(Saying.DEMAND)

each_case = each_of(ICF.played)


@each_case
def test_every_seat_gets_the_ruling_that_the_table_says(case, table):
    for before, _, ruling in ICF.rulings(case, table):
        check_case(case, before, ruling)


@each_case
def test_the_extra_points_may_be_demanded_once_where_the_table_says_so(case, table):
    for before, _, ruling in ICF.rulings(case, table):
        if not case.extra:
            with pytest.raises(IllegalDirective, match="laws 75 to 85"):
                ICF.rules.direct(AGREED, ruling.after, DEMAND)
            continue
        assert ruling.result is not None
        demanded = ICF.rules.direct(AGREED, ruling.after, DEMAND)
        assert demanded.result is not None
        loser, winner = before.side, before.other(before.side)
        assert dict(demanded.result.points) == {
            winner: min(12, case.points + case.extra),
            loser: 0,
        }
        assert (demanded.result.winner, demanded.result.how) == (winner, ruling.result.how)
        with pytest.raises(IllegalDirective, match="once"):
            ICF.rules.direct(AGREED, demanded.after, DEMAND)


@each_of(case for case in ICF.cases if not case.ends)
def test_the_table_neither_makes_nor_loses_a_piece(case):
    for before, stroke, _ in ICF.rulings(case, "four"):
        if not (case.mine.pocketed and case.mine.owed):
            check_pieces(case, before, stroke)


def test_every_row_has_a_case():
    assert sorted({case.row for case in ICF.cases}) == ALL_ROWS


def test_the_rules_page_and_the_table_name_the_same_rows():
    assert set(re.findall(r"\bIC-\d\d\b", ICF.page)) == set(ALL_ROWS)


def test_each_row_of_the_rules_page_has_its_own_line_in_order():
    assert re.findall(r"^\| (IC-\d\d) \|", ICF.page, re.MULTILINE) == ALL_ROWS


def test_the_rules_page_names_every_option_with_the_usual_value_first():
    check_the_page_names_every_option(ICF)
