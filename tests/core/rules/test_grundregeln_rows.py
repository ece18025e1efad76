"""The German basic rules, checked against their decision table, which was written by hand."""

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

GRUND = Table.read(RuleSystem.GRUNDREGELN)
AGREED = agree({"rules": "grundregeln"})
ALL_ROWS = [f"GR-{number:02}" for number in range(1, 20)]
MISSED_BREAK = "IC-34"
"""The basic rules have no row of their own for it: they follow the laws."""

each_case = each_of(GRUND.played)


@each_case
def test_every_seat_gets_the_ruling_that_the_table_says(case, table):
    for before, _, ruling in GRUND.rulings(case, table):
        check_case(case, before, ruling)


@each_of(case for case in GRUND.cases if case.ends)
def test_no_board_has_an_extra_point_to_be_demanded(case):
    for _, _, ruling in GRUND.rulings(case, "two"):
        with pytest.raises(IllegalDirective, match="belongs to icf"):
            GRUND.rules.direct(AGREED, ruling.after, Say(Saying.DEMAND))


@each_of(case for case in GRUND.cases if not case.ends)
def test_the_table_neither_makes_nor_loses_a_piece(case):
    for before, stroke, _ in GRUND.rulings(case, "four"):
        check_pieces(case, before, stroke)


def test_every_row_has_a_case():
    assert sorted({case.row for case in GRUND.cases}) == [*ALL_ROWS, MISSED_BREAK]


def test_the_rules_page_and_the_table_name_the_same_rows():
    named = set(re.findall(r"\b(?:GR|IC)-\d\d\b", GRUND.page))
    assert named == {*ALL_ROWS, MISSED_BREAK}


def test_the_rules_page_reads_every_open_sentence():
    named = set(re.findall(r"\bC-\d\d\b", GRUND.page))
    assert named == {f"C-{number:02}" for number in range(1, 10)}


def test_each_row_of_the_rules_page_has_its_own_line_in_order():
    lines = re.findall(r"^\| (GR-\d\d|IC-34) \|", GRUND.page, re.MULTILINE)
    assert lines == [*ALL_ROWS, MISSED_BREAK]


def test_the_rules_page_names_every_option_with_the_usual_value_first():
    check_the_page_names_every_option(GRUND)
