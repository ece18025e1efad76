"""The pages of the history in a browser: from the list to a match, and its card on paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jackspot.core.agreement import MOST_IN_A_NAME
from jackspot.dialogue.state.entries import Kind
from jackspot.history.later import LaterHistory
from jackspot.web.live import LiveBoard
from jackspot.web.server import WebDisplay, WebSettings
from tests.browser.conftest import expect
from tests.history.journals import Book
from tests.web.samples import IDENTITY, READY

RECORD = Path(__file__).parents[1] / "records" / "whole_match.carom"
A6_POINTS = (298, 420)


@pytest.fixture
def board(tmp_path) -> Iterator[WebDisplay]:
    path = tmp_path / "journal.sqlite3"
    names = '[names]\nN = "Aiko"\nS = "Ben"\n---\n'
    with Book(path) as book:
        book.play(RECORD.read_text(encoding="utf-8").replace("---\n", names, 1))
        book.shelve()
        book.match(names={"N": "Chika", "S": "Ben"})
        book.line("N red@NE")
        book.write(Kind.UNDO)
        book.line("N green@NE")
    live = LiveBoard(lambda: 0, lambda _: None, IDENTITY)
    live.matches = LaterHistory(path, "Board 7", initials=False)
    display = WebDisplay(live, WebSettings(port=0))
    display.start()
    display.post(READY)
    yield display
    display.stop()


def test_a_match_is_found_by_its_player_and_read_stroke_by_stroke(page, board):
    page.goto(f"{board.url}matches")
    expect(page, ".match").to_have_count(2)
    page.locator("#player").select_option("Chika")
    expect(page, ".match").to_have_count(1)
    expect(page, "#players tbody tr").to_have_count(1)
    assert "player=Chika" in page.url
    page.locator(".match").click()
    expect(page, "#title").to_have_text("Match 2")
    expect(page, "#strokes tr.gone").to_have_count(1)
    expect(page, "#corrected").to_contain_text("1 line was taken back")
    expect(page, "#course svg polyline").to_have_count(2)
    with page.expect_download() as download:
        page.get_by_role("link", name="Record (.carom)").click()
    assert download.value.suggested_filename == "2026-05-02-match-0002.carom"


def test_a_score_card_has_the_jacks_hundred_and_fits_on_one_small_sheet(page, board):
    page.goto(f"{board.url}slip?number=1")
    expect(page, ".total").to_have_text(["112", "1"])
    expect(page, "#card tbody td").to_have_text(["1", "1", "12", "112", "–", "1", "1"])
    sheet = page.pdf(prefer_css_page_size=True)
    [(width, height)] = re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", sheet)
    assert (int(float(width)), int(float(height))) == A6_POINTS
    page.emulate_media(media="print")
    assert not page.locator("#print").is_visible()


def test_an_address_of_no_match_says_so(page, board):
    page.goto(f"{board.url}match?number=99")
    expect(page, "#trouble").to_have_text("there is no match 99")
    page.goto(f"{board.url}match?number=x")
    expect(page, "#trouble").to_have_text("This address names no match.")


@pytest.mark.parametrize("width", [320, 1280])
def test_the_longest_names_that_a_record_may_have_make_no_page_wider(tmp_path, page, width):
    path, long = tmp_path / "journal.sqlite3", "W" * MOST_IN_A_NAME
    with Book(path) as book:
        names = {"N": f"{long[:-1]}N", "S": f"{long[:-1]}S"}
        book.match(names=names)
        book.line("N red@NE")
    live = LiveBoard(lambda: 0, lambda _: None, IDENTITY)
    live.matches = LaterHistory(path, "Board 7", initials=False)
    display = WebDisplay(live, WebSettings(port=0))
    display.start()
    first, second = (
        replace(side, names=tuple(names[seat.value] for seat in side.seats)) for side in READY.sides
    )
    display.post(replace(READY, sides=(first, second)))
    page.set_viewport_size({"width": width, "height": 700})
    shown_at = {"": "#headline", "matches": ".match", "match?number=1": "#strokes"}
    for address, shown in shown_at.items():
        page.goto(f"{display.url}{address}")
        expect(page, shown).to_be_visible()
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, address
    display.stop()
