"""A hall in play behind the hub's pages, and helpers that use those pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from jackspot_hub.event_file import programme_of
from tests.hub.shown import PIN, ShownHall

if TYPE_CHECKING:
    from playwright.sync_api import Page

LOST = {"v": 1, "state": "lost", "boot": "a", "n": 1}

READY = {"v": 1, "state": "ready", "boot": "a", "n": 2}


@pytest.fixture
def hall() -> Iterator[ShownHall]:
    """Eight boards and sixteen people; all have been called and nobody has come."""
    hall = ShownHall(8, 16)
    hall.turn()
    hall.pages.start()
    yield hall
    hall.pages.stop()


def url(hall: ShownHall, path: str = "") -> str:
    return hall.pages.url + path


def sit(hall: ShownHall, *boards: int) -> None:
    """Let the people called to these boards come and play."""
    for board in boards:
        hall.hall.sit_down(board)
        hall.score(board)
    hall.show()


def who(hall: ShownHall, board: int) -> list[str]:
    """Return the names of the people called to a board, those of its first side first."""
    order = hall.hall.desk.order_of(board)
    assert order is not None
    programme = hall.hall.desk.programme
    return [name for side in order.sides for name in programme.names(order.contest, side)]


def sign_in(page: Page, hall: ShownHall, path: str = "desk") -> None:
    page.goto(url(hall, path))
    page.get_by_label("PIN", exact=True).fill(PIN)
    page.get_by_label("Your name").fill("Aiko")
    page.keyboard.press("Enter")
    expect(page.locator("#sign-in")).to_be_hidden()


def sign_in_by_post(page: Page, hall: ShownHall) -> None:
    signed = page.request.post(url(hall, "api/session"), data={"pin": PIN, "name": "Aiko"})
    assert signed.ok


def match_on(hall: ShownHall, board: int) -> str:
    order = hall.hall.desk.order_of(board)
    assert order is not None
    return order.key


@pytest.fixture(scope="session")
def played() -> Iterator[ShownHall]:
    """A finished event of 32 people."""
    hall = ShownHall(12, 32)
    while hall.hall.desk.open_orders or not hall.hall.desk.orders:
        hall.turn(ends=1, sits=1)
    hall.pages.start()
    yield hall
    hall.pages.stop()


DAY = {
    "name": "Day", "hall": "day", "boards": 2, "seed": "1",
    "contest": [
        {"name": "free", "title": "Table of the day", "format": "free",
         "entrants": ["Aiko", "Ben", "Chie"]},
        {"name": "drawn", "title": "Drawn partners", "format": "partners", "rounds": 3,
         "entrants": ["Dirk", "Emi", "Frieda", "Goro", "Hana"]},
    ],
}  # fmt: skip


@pytest.fixture
def day() -> Iterator[ShownHall]:
    """Free play, and five people whose partners are drawn, so that one of them waits."""
    hall = ShownHall(2, 8, played=programme_of(DAY))
    hall.turn(sits=0)
    hall.pages.start()
    yield hall
    hall.pages.stop()
