"""Pages speak their reader's language: by the address, the switch, the browser, the board."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from jackspot.dialogue.state.view import PreferencesView
from jackspot.values import changed
from jackspot.web.live import LiveBoard
from jackspot.web.server import WebDisplay, WebSettings
from tests.browser.conftest import expect
from tests.web.samples import IDENTITY, READY

JAPANESE = changed(READY, preferences=PreferencesView(language="ja"))


@pytest.fixture
def board() -> Iterator[WebDisplay]:
    display = WebDisplay(LiveBoard(lambda: 0, lambda _: None, IDENTITY), WebSettings(port=0))
    display.start()
    display.post(JAPANESE)
    yield display
    display.stop()


@pytest.fixture
def spoken(browser, board):
    """Yield a function that opens the page in a browser of a given language and returns it."""
    contexts = []

    def open_page(locale: str, address: str = ""):
        context = browser.new_context(locale=locale)
        contexts.append(context)
        page = context.new_page()
        page.goto(board.url + address)
        expect(page, "#side-0 .count").to_have_text("5")
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.mark.parametrize(
    ("browsers", "address", "language"),
    [("de-CH", "", "de"), ("fr-FR", "", "ja"), ("de-CH", "?lang=en", "en")],
)
def test_the_page_speaks_as_it_is_asked_else_as_the_browser_else_as_the_board(
    spoken, browsers, address, language
):
    expect(spoken(browsers, address), "html").to_have_attribute("lang", language)


def test_a_language_that_was_chosen_is_remembered(spoken, board):
    page = spoken("de-CH", "?lang=ja")
    page.locator("#open-settings").click()
    page.get_by_role("combobox").select_option("en")
    expect(page, "html").to_have_attribute("lang", "en")
    expect(page, "#side-0 .turn").to_have_text("to shoot")
    page.goto(board.url)
    expect(page, "html").to_have_attribute("lang", "en")


def test_words_that_a_page_did_not_get_are_asked_for_again(page, board):
    page.route("**/api/words*", lambda route: route.fulfill(status=429), times=1)
    page.goto(board.url + "?lang=de")
    expect(page, "html").to_have_attribute("lang", "de")


def test_a_page_that_gets_no_words_is_english_after_a_while(page, board):
    page.clock.install()
    page.route("**/api/words*", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.goto(board.url + "?lang=de", wait_until="commit")
    page.clock.fast_forward(6_000)
    expect(page, "#side-0 .count").to_have_text("5")
    expect(page, "html").to_have_attribute("lang", "en")


def test_an_unattended_screen_asks_for_its_words_until_it_has_them(page, board):
    page.clock.install()
    page.route("**/api/words*", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.goto(board.url + "?kiosk&lang=de", wait_until="commit")
    with page.expect_event("requestfailed"):
        page.clock.fast_forward(6_000)
    page.unroute("**/api/words*")
    page.clock.fast_forward(6_000)
    expect(page, "html").to_have_attribute("lang", "de")


def test_numbers_and_counted_words_are_said_in_the_form_of_the_language(spoken):
    page = spoken("en")
    said = page.evaluate(
        """async () => {
            const { sayCount, say } = await import("/words.js");
            return [1, 2, 0].map((n) => sayCount("{n} piece", "{n} pieces", n))
                .concat(say("{a} of {b}, {c}", { a: 1234.5, b: "x" }));
        }"""
    )
    assert said == ["1 piece", "2 pieces", "0 pieces", "1,234.5 of x, {c}"]
