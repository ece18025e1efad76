"""A wrong OK, unnoticed for three strokes, is corrected on the page and the later ones are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.person import AIM_S, REST_S, Person, arrive
from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Page

LATER = ["N RED SE", "N MISSED", "S GREEN SW"]


@pytest.fixture
def person(page: Page, table: StandingTable) -> Person:
    """Somebody at a match in which two red pucks in NE were confirmed as one, four strokes ago."""
    person = arrive(page, table)
    person.click("OK")
    person.expect_headline("RED N to shoot")
    stroke(person, "RED NE", "NE", "red", "red", manner="double")
    stroke(person, "RED SE", "SE", "red")
    person.rest(AIM_S)
    person.click("OK")
    person.expect_headline("GREEN S to shoot")
    stroke(person, "GREEN SW", "SW", "green")
    person.expect_counts(2, 1)
    expect(person.page.locator(".side-red .wrong")).to_have_text("board is off by 1")
    return person


def stroke(person: Person, what: str, pocket: str, *kinds: str, manner: str = "clean") -> None:
    """Let pieces fall, and confirm what the referee takes them for."""
    person.let_fall(pocket, *kinds, manner=manner)
    person.wait_for_reading()
    person.fix_until(what)
    person.click("OK")
    person.expect_phase("ready")


def go_back(person: Person, what: str) -> None:
    """Press UNDO until the review of a stroke is open."""
    said = person.page.locator("#proposal b")
    for _ in range(4):
        person.click("UNDO")
        person.rest(REST_S)
    expect(said).to_have_text(what)


def test_a_wrong_ok_is_mended_three_strokes_later_and_the_later_ones_are_kept(
    person: Person,
) -> None:
    go_back(person, "RED NE")
    person.expect_counts(0, 0)
    person.fix_until("RED NE, RED NE")
    person.click("OK")
    question = person.page.locator("#proposal")
    expect(question.locator("b")).to_have_text("keep 3 later strokes?")
    expect(person.page.locator("#queue .queued-kept .what")).to_have_text(LATER)
    person.expect_counts(2, 0)
    person.click("OK")
    person.expect_phase("ready")
    person.expect_headline("GREEN S: shoot again")
    person.expect_counts(3, 1)
    expect(person.page.locator("#proposal")).to_be_hidden()
    person.expect_truth_agrees()


@pytest.mark.long
def test_later_strokes_that_nobody_wants_are_left_out_with_fix(person: Person) -> None:
    go_back(person, "RED NE")
    person.fix_until("RED NE, RED NE")
    person.click("OK")
    expect(person.page.locator("#proposal b")).to_have_text("keep 3 later strokes?")
    person.rest(REST_S)
    person.click("FIX")
    person.expect_phase("ready")
    person.expect_counts(2, 0)
    expect(person.page.locator("#headline")).to_have_text("RED N: shoot again")


@pytest.mark.long
def test_a_wrong_ok_that_was_right_after_all_is_put_back_with_what_came_after(
    person: Person,
) -> None:
    go_back(person, "RED NE")
    person.click("OK")
    person.expect_phase("ready")
    person.expect_counts(2, 1)
    person.expect_headline("GREEN S: shoot again")
