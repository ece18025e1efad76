"""The simulated table served to a browser, and hands on its page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def table(tmp_path) -> Iterator[StandingTable]:
    table = StandingTable(tmp_path)
    yield table
    table.close()


@pytest.fixture
def opened(page: Page, table: StandingTable) -> Page:
    page.goto(table.session.url)
    expect(page, "#status").to_have_text("live")
    expect(page, "#phase").to_have_text("set-up")
    return page


def expect(page: Page, selector: str):
    from playwright.sync_api import expect as expecting

    return expecting(page.locator(selector))
