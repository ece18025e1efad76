"""The simulated table served to a browser, and hands on its page."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jackspot.config.load import Sources, load
from jackspot.displays.web.server import WebSettings
from jackspot_sim.session import Session
from jackspot_sim.show_me import ShowSpeeds

if TYPE_CHECKING:
    from playwright.sync_api import Page

SPEED = 4.0
"""A press that takes a quarter of a second here is a held one there: no faster than this."""
PATIENCE_MS = 15_000


class Table:
    """A session in a thread of its own."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        self.session = Session(
            load(Sources(())),
            folder / "journal.sqlite3",
            WebSettings(port=port),
            None,
            ShowSpeeds(40.0, 40.0),
        )
        self.session.start()
        self.session.set_speed(SPEED)
        self._thread = threading.Thread(target=self.session.run)
        self._thread.start()

    def close(self) -> None:
        self.session.close()
        self._thread.join(20)
        assert not self._thread.is_alive()


@pytest.fixture
def table(tmp_path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.close()


@pytest.fixture
def opened(page: Page, table: Table) -> Page:
    page.goto(table.session.url)
    expect(page, "#status").to_have_text("live")
    expect(page, "#phase").to_have_text("set-up")
    return page


def expect(page: Page, selector: str):
    from playwright.sync_api import expect as expecting

    expecting.set_options(timeout=PATIENCE_MS)
    return expecting(page.locator(selector))


def start_match(page: Page) -> None:
    page.keyboard.press("1", delay=20)
    expect(page, "#phase").to_have_text("ready")
