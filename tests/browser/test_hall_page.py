"""Joining a hall from a phone: by the text of a QR code, behind the board's PIN."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from jackspot.config import Sources, load
from jackspot.festival.joining import KeptHall, compact
from jackspot.festival.section import FestivalSection
from jackspot.values import changed
from jackspot.web.server import WebDisplay
from jackspot_sim.boards.rig import Rig
from tests.browser.accessible import grave_faults
from tests.browser.conftest import leave_unanswered
from tests.festival.conftest import standing
from tests.festival.linked import until

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
PIN = "246810"
HALL = FestivalSection(hall="hikone", broker=(("127.0.0.1", 1),))


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    """A board in no hall, whose page asks for a PIN."""
    config = load(Sources(()))
    config = changed(config, web=changed(config.web, port=0, pin=PIN))
    with standing(config, tmp_path / "journal.sqlite3") as rig:
        yield rig


def url(rig: Rig) -> str:
    """Return the address of the board's own pages, once they are served."""
    [page] = [each for each in rig.board._displays if isinstance(each, WebDisplay)]
    until(lambda: not page.url.endswith(":0/"))
    return page.url


def test_a_code_that_opens_the_page_takes_the_board_into_its_hall_by_the_pin(
    page: Page, rig: Rig, tmp_path: Path
) -> None:
    page.goto(f"{url(rig)}hall#{compact(HALL)}")
    told, join = page.locator("#told"), page.get_by_role("button", name="Join")
    expect(page.get_by_label("The code's text")).to_have_value(compact(HALL))
    assert not grave_faults(page)
    page.get_by_label("PIN", exact=True).fill("111111")
    join.click()
    expect(told).to_have_text("Wrong PIN.")
    page.get_by_label("PIN", exact=True).fill(PIN)
    join.click()
    expect(told).to_have_text("The board is in the hall hikone. Now set its number in its menu.")
    assert "#" not in page.url
    until(lambda: (place := rig.board.dialogue.hall_place) and place.hall == "hikone")
    kept = KeptHall(tmp_path / "journal.sqlite3", FestivalSection())
    assert kept.now().festival == HALL
    expect(page.get_by_label("PIN", exact=True)).to_be_hidden()
    page.get_by_label("The code's text").fill(compact(HALL)[:-3])
    join.click()
    expect(told).to_have_text("This is not the text of a hall's code, or not all of it.")
    assert kept.now().festival == HALL


def test_a_board_that_never_answers_is_said_to_whoever_would_join(page: Page, rig: Rig) -> None:
    page.goto(f"{url(rig)}hall#{compact(HALL)}")
    page.get_by_label("PIN", exact=True).fill(PIN)
    leave_unanswered(page, "**/api/session")
    page.get_by_role("button", name="Join").click()
    expect(page.locator("#told")).to_have_text("The board does not answer.")


@pytest.mark.parametrize(("behind", "text"), [("100%", "100%"), ("a%20b", "a b"), ("", "x")])
def test_whatever_stands_behind_the_address_can_be_sent(
    page: Page, board: WebDisplay, behind: str, text: str
) -> None:
    page.goto(f"{board.url}hall?lang=de#{behind}")
    page.wait_for_selector("body[data-ready]")
    if not behind:
        page.locator("#text").fill(text)
    expect(page.locator("#text")).to_have_value(text)
    page.locator("#form button").click()
    expect(page.locator("#told")).to_contain_text("Hier tritt man keiner Halle bei: ")
