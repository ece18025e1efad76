"""The simulated table served to a browser, and helpers for its page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from jackspot.web.live import LiveBoard
from jackspot.web.server import WebDisplay, WebSettings
from tests.sim.standing import StandingTable
from tests.web.samples import IDENTITY, READY

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


@pytest.fixture
def table(tmp_path) -> Iterator[StandingTable]:
    table = StandingTable(tmp_path)
    yield table
    table.close()


@pytest.fixture
def board() -> Iterator[WebDisplay]:
    """Return the pages of a board that shows one view after the other, as they are posted."""
    live = LiveBoard(lambda: 5_000_000_000, lambda _: None, IDENTITY)
    display = WebDisplay(live, WebSettings(port=0))
    display.start()
    display.post(READY)
    yield display
    display.stop()


@pytest.fixture
def opened(page: Page, table: StandingTable) -> Page:
    page.goto(table.session.url)
    expect(page, "#status").to_have_text("live")
    expect(page, "#phase").to_have_text("set-up")
    return page


def expect(page: Page, selector: str):
    from playwright.sync_api import expect as expecting

    return expecting(page.locator(selector))


def leave_unanswered(page: Page, url: str) -> None:
    """Have requests to a URL wait for ever; the page loses its patience at once."""
    page.route(url, lambda _route: None)
    page.evaluate(
        """() => {
            const after = AbortSignal.timeout.bind(AbortSignal);
            AbortSignal.timeout = () => after(1);
        }"""
    )


def every(found: Locator) -> list[Locator]:
    """Return what a locator finds, once the page has drawn any of it: `all()` does not wait."""
    from playwright.sync_api import expect as expecting

    expecting(found).not_to_have_count(0)
    return found.all()
