"""A whole board of KAGW carroms and the start of the next, by hand on the simulated page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import every
from tests.browser.person import HOLD_S, Person, arrive
from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.mark.long
def test_a_board_of_carrom_is_played_on_the_page(page: Page, table: StandingTable) -> None:
    person = arrive(page, table)
    page.select_option("#rules", "kagw")
    page.click("#tab-how")
    expect(page.locator('.piece[data-kind="queen"]')).to_be_visible()
    expect(page.locator(".sides .side-white")).to_be_visible()
    person.sit_down()
    person.key("OK")
    person.expect_headline("WHITE N to shoot")
    pocket_the_queen_and_cover_her(person)
    pay_for_a_striker(person)
    pocket_the_other_eight(person)
    the_next_board_is_opened_by_black(person)


def pocket(person: Person, kind: str, into: str) -> None:
    """Let a piece fall into a pocket, and confirm it when it is proposed."""
    person.let_fall(into, kind)
    person.wait_for_reading()
    person.fix_until(f"{kind.upper()} {into}")
    person.key("OK")


def pocket_the_queen_and_cover_her(person: Person) -> None:
    """The queen is in and waits for her cover; with the next white piece she is white's."""
    pocket(person, "white", "NE")
    person.expect_headline("WHITE N: shoot again")
    pocket(person, "queen", "SW")
    queen = person.page.locator(".side-white .queen")
    expect(queen).to_have_text("must cover the queen")
    pocket(person, "white", "SE")
    expect(queen).to_have_text("has the queen")
    expect(person.page.locator(".side-white .count")).to_have_text("2")


def pay_for_a_striker(person: Person) -> None:
    """The striker falls: black puts one white piece back into the circle."""
    pocket(person, "striker", "NW")
    person.expect_phase("put back")
    expect(person.page.locator("#place")).to_contain_text("BLACK: in the circle")
    expect(person.page.locator("#place .loose canvas")).to_have_count(1)
    person.put_back()
    person.key("OK")
    person.expect_headline("BLACK S to shoot")
    person.on_page("#fetch")
    pocket(person, "black", "SW")
    person.key("OK")
    person.expect_headline("WHITE N to shoot")


def pocket_the_other_eight(person: Person) -> None:
    """Eight white pieces in two strokes win the board; the last OK is held."""
    for last in (False, True):
        person.let_fall("NE", "white", "white")
        person.drop_into("SE")
        person.wait_for_reading()
        person.fix_until("WHITE NE, WHITE NE, WHITE SE, WHITE SE")
        if last:
            person.type("1", HOLD_S)
            person.expect_phase("board over")
        else:
            person.key("OK")
            person.expect_headline("WHITE N: shoot again")
    person.expect_headline("WHITE wins")
    expect(person.page.locator(".side-white .count")).to_have_text("13")


def the_next_board_is_opened_by_black(person: Person) -> None:
    """The player who was black opens the next board as white; all pieces are on it again."""
    person.rest(3.5)
    person.key("OK")
    person.expect_headline("WHITE S to shoot")
    page = person.page
    expect(page.locator("#which")).to_have_text("board 2 of 3")
    first, second = every(page.locator(".sides .side"))
    expect(first).to_contain_text("B")
    expect(first.locator(".side-notes")).to_have_text("boards 1points 13")
    expect(second).to_contain_text("W")
    person.expect_truth_agrees()
    cells = page.locator("#truth tr td:last-child")
    expect(cells).to_have_text(["9", "9", "1"])
