"""A whole Hikone match played on the page: debts, a stack, undo across a turn, the jack.

The pictures in ``golden`` are what the OLED on the page showed. After a change that is meant,
make them again with ``JACKSPOT_REGOLDEN=1 pytest tests/browser`` and look at each one.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from jackspot.core.pieces import Side
from jackspot.core.record import read_record
from tests.browser.conftest import Table, expect, start_match

if TYPE_CHECKING:
    from playwright.sync_api import Page

GOLDEN = Path(__file__).parent / "golden"
READINGS = 12
"""More than there are for any one fall."""


class Match:
    """Hands on the page of one match, and what they see there."""

    def __init__(self, page: Page, table: Table) -> None:
        self.page = page
        self.table = table

    def press(self, key: str) -> None:
        """Press a button of the referee's box by its key, once what it answers stands still."""
        self.page.keyboard.press(key, delay=20)

    def breathe(self) -> None:
        """Let a second of the table's time pass: right after an entry its OK is deaf."""
        until_ns = self.table.session._now_ns() + 1_000_000_000
        while self.table.session._now_ns() < until_ns:
            self.page.wait_for_timeout(20)

    def reads(self, selector: str, words: str) -> None:
        """Wait, from one drawn picture to the next, until an element says something."""
        self.page.wait_for_function(
            "([selector, words]) => document.querySelector(selector)?.textContent.includes(words)",
            arg=[selector, words],
        )

    def phase(self, phase: str) -> None:
        self.reads("#phase", phase)

    def headline(self, words: str) -> None:
        self.reads("#headline", words)

    def stroke(self, piece: str, pocket: str) -> None:
        """Let a piece fall and confirm it, asking for further readings until it is shown."""
        self.page.click(f'[data-kind="{piece}"]')
        self.page.click(f'[data-pocket="{pocket}"]')
        self.phase("review")
        wanted = f"{piece.upper()} {pocket}"
        for _ in range(READINGS):
            shown = self.page.inner_text("#proposal b")
            if shown.removesuffix(" ?") == wanted:
                break
            self.press("2")
            self.page.wait_for_function(
                "shown => document.querySelector('#proposal b')?.textContent !== shown", arg=shown
            )
        else:
            raise AssertionError(f"{wanted} never came to be proposed")

    def confirm(self) -> None:
        self.press("1")
        self.page.wait_for_function("() => document.getElementById('proposal').hidden")

    def counts(self, red: int, green: int) -> None:
        self.page.wait_for_function(
            """wanted => [...document.querySelectorAll(".count")]
                .map((count) => count.textContent).join() === wanted""",
            arg=f"{red},{green}",
        )

    def owes(self, words: str) -> None:
        self.reads(".owed", words)

    def put_back(self) -> None:
        """Put back what is asked for, and say so."""
        self.phase("put back")
        self.page.click("#put-back")
        self.breathe()
        self.press("1")
        self.phase("ready")

    def glass(self) -> Image.Image:
        """Read the OLED's pixels from the page."""
        bits = self.page.evaluate(
            """() => {
                const pen = document.getElementById("oled").getContext("2d");
                const data = pen.getImageData(0, 0, 128, 64).data;
                return [...Array(128 * 64).keys()].map((pixel) => data[pixel * 4] > 128 ? 1 : 0);
            }"""
        )
        picture = Image.new("1", (128, 64))
        picture.putdata(bits)
        return picture

    def looks_like(self, name: str) -> None:
        """Compare the OLED on the page with a golden picture, once it has been drawn."""
        path = GOLDEN / f"{name}.png"
        if os.environ.get("JACKSPOT_REGOLDEN"):
            self.page.wait_for_timeout(500)
            self.glass().save(path, optimize=True)
        with Image.open(path) as golden:
            wanted = golden.tobytes()
        for _ in range(50):
            if self.glass().tobytes() == wanted:
                return
            self.page.wait_for_timeout(20)
        self.glass().save(path.with_suffix(".found.png"))
        raise AssertionError(f"the OLED shows {path.stem}.found.png instead of {path.name}")


def test_a_whole_match_is_played_on_the_page(opened, table):
    match = Match(opened, table)
    start_match(opened)

    match.stroke("striker", "NW")
    match.confirm()
    match.headline("GREEN S")
    match.owes("owes 1")
    opened.click("#fetch")

    match.stroke("green", "SW")
    match.confirm()
    match.counts(0, 1)
    match.headline("GREEN S")
    match.breathe()
    match.press("1")
    match.headline("RED N")

    match.stroke("red", "NE")
    match.confirm()
    match.put_back()
    match.counts(0, 1)
    expect(opened, ".owed").to_have_count(0)

    for pocket, count in (("NE", 1), ("SE", 2)):
        match.stroke("red", pocket)
        match.confirm()
        match.counts(count, 1)

    match.stroke("jack", "NW")
    match.looks_like("jack_proposed")
    match.confirm()
    match.phase("put back")
    expect(opened, "#place .pile canvas").to_have_count(3)
    assert table.session._live.state()["place"] == ["red", "red", "jack"]
    match.looks_like("stack")
    match.put_back()
    match.counts(0, 1)
    match.owes("owes 3")
    match.headline("GREEN S")

    match.breathe()
    match.press("5")
    match.phase("review")
    expect(opened, "#proposal b").to_have_text("JACK NW")
    match.counts(2, 1)
    match.breathe()
    match.confirm()
    match.phase("ready")
    match.owes("owes 3")
    match.headline("GREEN S")
    match.breathe()
    match.press("1")
    match.headline("RED N")

    for paid in (1, 2, 3):
        match.stroke("red", "NE")
        match.confirm()
        match.put_back()
        match.counts(0, 1)
        assert opened.locator(".owed").count() == (0 if paid == 3 else 1)
    for count in range(1, 13):
        match.stroke("red", ("NE", "SE", "SW", "NW")[count % 4])
        match.confirm()
        match.counts(count, 1)

    match.stroke("jack", "SE")
    opened.keyboard.press("1", delay=20)
    match.phase("review")
    opened.keyboard.down("1")
    match.phase("match over")
    opened.keyboard.up("1")
    match.headline("RED wins")

    record = read_record(table.session._live.state()["record"])
    assert record.match.state.over
    assert record.match.state.winner is Side.RED
