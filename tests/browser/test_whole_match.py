"""A whole Hikone match on the simulated table's page, played as a person at it can.

Only clicks on pieces, pockets and buttons, keys, and a finger on a telephone reach the table. What
the page shows decides what is pressed next: FIX until the proposal is what fell, then OK. At chosen
moments the OLED's canvas is compared with a golden picture.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from jackspot.core.entry_text import write_entry
from jackspot.core.record import read_record
from jackspot.core.stroke import Stroke
from tests.browser.person import (
    AIM_S,
    PASS_REST_S,
    REST_S,
    SETTLED_S,
    Person,
    arrive,
)
from tests.conftest import new_context, watch_faults
from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PLAYED = """\
N striker@NE
S green@SE green@SW
S -
N red@NW
N red@NE red@NE red@SE
N striker@SE
S green@NW
S jack@SW
N red@NE red@SE red@SW
N foul
S -
N red@NW red^
N red@NE red@NE red@NW
N red@SE red@SE red@SW
N red@NE
N jack@SE
"""
"""The match of the first test as the board has it in the end."""


# --- the whole match -------------------------------------------------------------------


@pytest.mark.always
def test_a_whole_match_is_played_on_the_page(page: Page, table: StandingTable) -> None:
    person = arrive(page, table)
    agree_who_begins(person)
    run_into_debt_and_pay_it(person)
    take_back_across_a_turn(person)
    pocket_the_jack_too_early(person)
    foul_and_lose_a_piece(person)
    pocket_twelve_and_the_jack(person)
    assert played(page) == PLAYED
    page.get_by_role("tab", name="Actual").click()
    for row, out in enumerate((12, 0, 1), start=1):
        cells = page.locator(f"#truth tr:nth-child({row}) td")
        expect(cells.nth(0)).to_have_text(str(out))
        expect(cells.nth(1)).to_have_text(str(out))
    person.expect_truth_agrees()


def agree_who_begins(person: Person) -> None:
    """Use the referee's box alone: FIX names the other seat, OK begins."""
    person.expect_headline("N shoots first")
    person.click("FIX")
    person.expect_headline("S shoots first")
    person.expect_oled("setup")
    person.click("FIX")
    person.expect_headline("N shoots first")
    person.click("OK")
    person.expect_headline("RED N to shoot")


def run_into_debt_and_pay_it(person: Person) -> None:
    """A striker falls with nothing in; the first red in goes straight back."""
    person.let_fall("NE", "striker")
    person.wait_for_reading()
    person.fix_until("STRIKER NE")
    person.click("OK")
    person.expect_headline("GREEN S to shoot")
    person.expect_owed("red", 1)
    expect(person.page.locator("#place")).to_have_text("Striker in NE")
    person.expect_oled("debt")
    person.on_page("#fetch")
    person.let_fall("SW", "green")
    person.let_fall("SE", "green", manner="edge")
    person.wait_for_reading()
    person.fix_until("GREEN SW, GREEN SE", by_key=True)
    person.key("OK")
    person.expect_headline("GREEN S: shoot again")
    person.key("S OK")
    person.expect_headline("RED N to shoot")
    person.expect_counts(0, 2)
    person.let_fall("NW", "red")
    person.wait_for_reading()
    person.fix_until("RED NW")
    person.click("OK")
    person.expect_phase("put back")
    expect(person.page.locator("#place .pile canvas")).to_have_count(1)
    person.put_back()
    person.click("OK")
    person.expect_headline("RED N: shoot again")
    person.expect_owed("red", 0)
    person.expect_counts(0, 2)


def take_back_across_a_turn(person: Person) -> None:
    """N's striker is confirmed as a green puck; a stroke of S before anybody notices is kept."""
    person.let_fall("NE", "red", "red")
    person.let_fall("SE", "red")
    person.wait_for_reading()
    person.fix_until("RED NE, RED NE, RED SE")
    person.key("OK")
    person.expect_counts(3, 2)
    person.let_fall("SE", "striker")
    person.wait_for_reading()
    person.fix_until("GREEN SE", by_key=True)
    person.key("OK")
    person.expect_headline("GREEN S to shoot")
    expect(person.page.locator(".side-green .wrong")).to_have_text("board is off by 1")
    person.let_fall("NW", "green", manner="noisy")
    person.wait_for_reading()
    person.fix_until("GREEN NW")
    person.click("OK")
    person.expect_counts(3, 4)
    person.click("UNDO")
    person.expect_phase("review")
    expect(person.page.locator("#proposal b")).to_have_text("GREEN NW")
    person.expect_counts(3, 3)
    person.click("UNDO")
    expect(person.page.locator("#proposal b")).to_have_text(re.compile("^GREEN SE"))
    person.expect_counts(3, 2)
    person.expect_oled("taken_back")
    person.fix_until("STRIKER SE")
    person.click("OK")
    expect(person.page.locator("#proposal b")).to_have_text("keep 1 later stroke?")
    person.click("OK")
    person.expect_phase("put back")
    person.expect_counts(2, 3)
    person.on_page("#put-back")
    person.on_page("#fetch")
    person.click("OK")
    person.expect_headline("GREEN S: shoot again")
    person.expect_counts(2, 3)
    person.expect_truth_agrees()


def pocket_the_jack_too_early(person: Person) -> None:
    """The jack goes on top of all three greens, and two more are owed."""
    person.let_fall("SW", "jack")
    person.wait_for_reading()
    person.fix_until("JACK SW")
    person.click("OK")
    person.expect_phase("put back")
    place = person.page.locator("#place")
    expect(place).to_contain_text("bottom → top")
    expect(place.locator(".pile canvas")).to_have_count(4)
    person.expect_oled("put_back")
    person.put_back()
    person.click("OK")
    person.expect_headline("RED N to shoot")
    person.expect_counts(2, 0)
    person.expect_owed("green", 2)


def foul_and_lose_a_piece(person: Person) -> None:
    person.let_fall("NE", "red")
    person.let_fall("SE", "red")
    person.let_fall("SW", "red")
    person.wait_for_reading()
    person.fix_until("RED NE, RED SE, RED SW")
    person.click("OK")
    person.expect_counts(5, 0)
    person.rest(AIM_S)
    person.key("FOUL")
    person.expect_phase("review")
    expect(person.page.locator("#proposal b")).to_have_text("foul")
    person.expect_oled("foul")
    person.key("OK")
    person.expect_phase("put back")
    person.put_back()
    person.key("OK")
    person.expect_headline("GREEN S to shoot")
    person.expect_counts(4, 0)
    person.click("OK")
    person.expect_headline("RED N to shoot")
    person.choose("red")
    person.on_page("#fly")
    person.let_fall("NW", "red")
    person.wait_for_reading()
    person.fix_until("RED NW")
    person.click("OFF")
    expect(person.page.locator("#proposal b")).to_have_text("RED NW, STRIKER off")
    person.click("OFF")
    expect(person.page.locator("#proposal b")).to_have_text("RED NW, RED off")
    person.click("OK")
    person.expect_phase("put back")
    person.put_back()
    person.click("OK")
    person.expect_headline("RED N: shoot again")
    person.expect_counts(5, 0)


def pocket_twelve_and_the_jack(person: Person) -> None:
    """Seven more; then the jack wins, but only with OK held for a second."""
    for pockets, now_in in ((("NE", "NE", "NW"), 8), (("SE", "SE", "SW"), 11), (("NE",), 12)):
        for pocket in dict.fromkeys(pockets):
            person.let_fall(pocket, *["red"] * pockets.count(pocket))
        person.wait_for_reading()
        person.fix_until(", ".join(f"RED {pocket}" for pocket in pockets), by_key=True)
        person.key("OK")
        person.expect_counts(now_in, 0)
    person.let_fall("SE", "jack")
    person.wait_for_reading()
    person.fix_until("JACK SE")
    person.expect_oled("to_win")
    person.click("OK")
    expect(person.page.locator("#sounding")).to_have_text(re.compile("not taken"))
    person.expect_phase("review")
    expect(person.page.locator("#proposal b")).to_have_text("JACK SE")
    person.rest(REST_S)
    button = person.button("OK")
    button.hover()
    with person.sent():
        person.page.mouse.down()
    person.expect_phase("match over")
    expect(button).to_have_attribute("aria-pressed", "true")
    person.page.mouse.up()
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(person.page.locator(".sides .side-red")).to_have_class(re.compile("won"))
    person.expect_oled("won")


def played(page: Page) -> str:
    """Return the strokes of the board's record, their pieces in alphabetical order."""
    record = page.evaluate("async () => (await (await fetch('/api/state')).json()).record")
    entries = [step.entry for step in read_record(record).match.steps]
    written = [write_entry(entry) for entry in entries if isinstance(entry, Stroke)]
    lines = ""
    for seat, *pieces in (text.split() for text in written):
        each = [piece for many in pieces for piece in several(many)]
        lines += f"{' '.join([seat, *sorted(each)])}\n"
    return lines


def several(pieces: str) -> list[str]:
    """Return ``2*red@NE`` as two pieces."""
    count, times, piece = pieces.partition("*")
    return [piece] * int(count) if times else [pieces]


# --- other hands -----------------------------------------------------------------------


@pytest.mark.long
def test_the_first_strokes_are_played_with_a_finger_on_a_telephone(
    browser: Browser, table: StandingTable
) -> None:
    context = new_context(
        browser, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = context.new_page()
    faults = watch_faults(page)
    person = arrive(page, table, touch=True)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 390
    agree_who_begins(person)
    person.let_fall("NE", "striker")
    person.wait_for_reading()
    person.fix_until("STRIKER NE")
    person.click("OK")
    person.expect_owed("red", 1)
    person.on_page("#fetch")
    person.click("S OK")
    person.expect_headline("RED N to shoot")
    person.let_fall("NW", "red")
    person.wait_for_reading()
    person.fix_until("RED NW")
    person.click("OK")
    person.expect_phase("put back")
    person.put_back()
    person.click("OK")
    person.expect_owed("red", 0)
    person.click("UNDO")
    expect(page.locator("#proposal b")).to_have_text("RED NW")
    person.expect_owed("red", 1)
    context.close()
    assert not faults, "\n".join(faults)


def test_the_first_strokes_are_played_on_the_keyboard_alone(
    page: Page, table: StandingTable
) -> None:
    person = arrive(page, table)
    person.key("FIX")
    person.expect_headline("S shoots first")
    person.key("FIX")
    person.expect_headline("N shoots first")
    person.key("OK")
    person.expect_headline("RED N to shoot")
    walk_to(page, "#tab-play")
    page.keyboard.press("ArrowRight")
    walk_to(page, '[data-kind="striker"]')
    page.keyboard.press("Enter")
    walk_to(page, '[data-manner="clean"]')
    page.keyboard.press("ArrowDown")
    expect(page.locator('[data-manner="edge"]')).to_have_attribute("aria-checked", "true")
    walk_to(page, '[data-pocket="SW"]')
    with person.sent("drop"):
        page.keyboard.press("Space")
    person.wait_for_reading()
    person.fix_until("STRIKER SW", by_key=True)
    person.key("OK")
    person.expect_owed("red", 1)
    walk_to(page, "#fetch")
    page.keyboard.press("Enter")
    expect(page.locator("#fetch")).not_to_have_class(re.compile("asked"))
    walk_to(page, '[data-wire="seat_s_ok"]')
    person.rest(PASS_REST_S)
    person.type("Space")
    person.expect_headline("RED N to shoot")
    person.rest(SETTLED_S)
    person.key("UNDO")
    person.expect_headline("taken back: 1")
    expect(page.locator(".seat-s")).to_have_class(re.compile("lit"))


def walk_to(page: Page, selector: str) -> None:
    """Press Tab until something has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            return
    pytest.fail(f"{selector} cannot be reached with Tab")
