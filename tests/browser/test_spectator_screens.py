"""An unattended screen, the page's own settings, and the overlay, in a real browser."""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib.resources.abc import Traversable

import pytest
from PIL import Image

from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import Phase
from jackspot.values import changed
from jackspot.web import files
from jackspot.web.files import PageFile
from jackspot.web.live import LiveBoard
from jackspot.web.server import WebDisplay, WebSettings
from tests.browser.accessible import grave_faults
from tests.browser.conftest import every, expect
from tests.conftest import new_context, thinned
from tests.web.samples import IDENTITY, OVER, PLACING, READY, REVIEW

# An unattended screen.


def test_an_unattended_screen_has_no_controls_and_no_cursor(page, board):
    page.goto(board.url + "?kiosk")
    expect(page, "#side-0 .count").to_have_text("5")
    expect(page, "#open-settings").to_be_hidden()
    assert page.evaluate("() => getComputedStyle(document.body).cursor") == "none"


BAR = """() => {
    const right = (one) => document.querySelector(one).getBoundingClientRect().right;
    const { left } = document.querySelector("#board").getBoundingClientRect();
    const { paddingRight } = getComputedStyle(document.querySelector(".top"));
    const end = right(".top") - parseFloat(paddingRight);
    return [end - right("#board"), left - right("#which .number")];
}"""
"""How far the board's name is from the end of the bar, and the board's number from that name."""


@pytest.mark.parametrize("query", thinned(["", "?kiosk"], {"?kiosk"}))
def test_the_boards_name_ends_the_bar_and_its_number_is_never_cut(page, board, query):
    page.goto(f"{board.url}{query}{'&' if query else '?'}lang=de")
    board.post(changed(READY, rules=RuleSystem.ICF, game=2, game_board=4, best_of=3, sequence=90))
    expect(page, "#which .number").to_have_text(" · Spiel 2 von 3, Board 4")
    for width, height in ((1920, 1080), (1080, 1920), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("new Promise(requestAnimationFrame)")
        from_the_end, apart = page.evaluate(BAR)
        assert -1 <= from_the_end <= 1, (width, from_the_end)
        assert apart > 0, (width, apart)
        cut = "(one) => one.scrollWidth > one.clientWidth"
        assert not page.locator("#which .number").evaluate(cut), width


def test_an_unattended_screen_asks_to_be_kept_awake(page, board):
    page.add_init_script(
        """window.asked = [];
           Object.defineProperty(navigator, "wakeLock", {
               value: { request: async (kind) => { window.asked.push(kind); } } });"""
    )
    page.goto(board.url + "?kiosk")
    page.wait_for_function("() => window.asked.includes('screen')")
    page.goto(board.url)
    expect(page, "#side-0 .count").to_have_text("5")
    assert page.evaluate("() => window.asked") == []


def test_an_unattended_screen_loads_itself_anew_when_any_file_of_its_page_is_another(
    page, board, monkeypatch
):
    page.goto(board.url + "?kiosk")
    expect(page, "#side-0 .count").to_have_text("5")
    port = int(board.url.rstrip("/").rpartition(":")[2])
    board.stop()
    expect(page, "#status").to_have_attribute("data-status", "lost")
    walk = files._walk

    def updated(folder: Traversable, prefix: str) -> Iterator[PageFile]:
        for file in walk(folder, prefix):
            is_it = file.path == "spectator.js"
            yield changed(file, content=file.content + b"window.after = 1;") if is_it else file

    monkeypatch.setattr(files, "_walk", updated)
    again = WebDisplay(LiveBoard(lambda: 0, lambda _: None, IDENTITY), WebSettings(port=port))
    again.start()
    again.post(OVER)
    try:
        page.wait_for_function("() => window.after === 1")
        expect(page, "#side-0 .count").to_have_text("12")
    finally:
        again.stop()


def test_an_unattended_screen_that_did_not_get_all_of_its_page_asks_for_it_again(page, board):
    page.clock.install()
    page.route("**/moments.js", lambda route: route.fulfill(status=429), times=1)
    page.goto(board.url + "?kiosk")
    expect(page, "#status").to_have_text("connecting")
    page.clock.fast_forward(30_000)
    expect(page, "#side-0 .count").to_have_text("5")


# The page's own settings.


def test_settings_are_reached_and_left_by_keyboard_and_remembered(page, board):
    page.goto(board.url)
    expect(page, "#side-0 .count").to_have_text("5")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page, "#settings").to_be_visible()
    led_to = [link.get_attribute("href") for link in every(page.locator("#settings a"))]
    assert len(led_to) == 5
    assert set(led_to) == {"/matches", "/referee", "/?kiosk", "/overlay", "/api"}
    assert grave_faults(page) == []
    page.get_by_role("radio", name="high contrast").focus()
    page.keyboard.press("Space")
    expect(page, "html").to_have_attribute("data-theme", "contrast")
    page.get_by_role("radio", name="nothing moves").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Escape")
    expect(page, "#settings").to_be_hidden()
    page.goto(board.url)
    expect(page, "html").to_have_attribute("data-theme", "contrast")
    expect(page, "html").to_have_attribute("data-motion", "less")


def test_the_address_says_a_theme_before_what_was_chosen(page, board):
    page.goto(board.url + "?theme=sun")
    expect(page, "html").to_have_attribute("data-theme", "sun")
    page.goto(board.url + "?theme=pink")
    expect(page, "#side-0 .count").to_have_text("5")
    assert page.locator("html").get_attribute("data-theme") is None


@pytest.mark.parametrize("how", thinned(["device", "chosen"], {"chosen"}))
def test_nothing_moves_where_that_is_asked_for(page, board, how):
    if how == "device":
        page.emulate_media(reduced_motion="reduce")
    page.goto(board.url + ("?motion=less" if how == "chosen" else ""))
    expect(page, "#side-0 .count").to_have_text("5")
    longest = page.evaluate(
        """() => {
            const count = document.querySelector("#side-0 .count");
            count.classList.add("changed");
            return parseFloat(getComputedStyle(count).animationDuration);
        }"""
    )
    assert longest < 0.01


# The overlay.


def open_overlay(browser, board, address: str = ""):
    page = new_context(browser, viewport={"width": 1280, "height": 720}).new_page()
    page.goto(f"{board.url}overlay{address}")
    expect(page, "#overlay").to_be_visible()
    return page


def test_the_overlay_paints_nothing_but_its_bar(browser, board):
    page = open_overlay(browser, board)
    picture = Image.open(io.BytesIO(page.screenshot(omit_background=True))).getchannel("A")
    box = page.locator("#overlay").bounding_box()
    assert picture.getpixel((5, 5)) == 0
    assert picture.getpixel((int(box["x"]) - 30, int(box["y"]) + 20)) == 0
    middle = (int(box["x"] + box["width"] / 2), int(box["y"] + box["height"] - 8))
    assert picture.getpixel(middle) == 255
    page.context.close()


def test_the_overlay_lies_where_and_as_large_as_the_address_says(browser, board):
    page = open_overlay(browser, board, "?at=top-right&margin=10&width=600")
    box = page.locator("#overlay").bounding_box()
    assert (box["y"], round(box["x"] + box["width"]), box["width"]) == (10, 1270, 600)
    page.goto(f"{board.url}overlay?at=bottom-left&margin=0&size=0.5")
    expect(page, "#overlay").to_be_visible()
    small = page.locator("#overlay").bounding_box()
    assert (small["x"], round(small["y"] + small["height"])) == (0, 720)
    assert small["height"] < box["height"]
    page.context.close()


def test_the_overlay_says_what_of_its_address_makes_no_sense(browser, board):
    page = open_overlay(browser, board, "?size=9&at=middle&theme=light")
    expect(page, "#wrong").to_contain_text("size=9: expected 0.5 … 4")
    expect(page, "#wrong").to_contain_text("at=middle: expected top-left")
    expect(page, "html").to_have_attribute("data-at", "bottom")
    page.context.close()


def test_the_overlay_shows_counts_turn_and_what_is_proposed_dashed(browser, board):
    page = open_overlay(browser, board)
    expect(page, "#side-0 .count").to_have_text("5")
    expect(page, "#side-0 .mark").to_have_attribute("aria-label", "to shoot")
    expect(page, "#headline").to_have_text("Aiko to shoot")
    board.post(REVIEW)
    expect(page, "#proposal").to_contain_text("being confirmed")
    chip = page.evaluate("() => getComputedStyle(document.getElementById('proposal')).borderStyle")
    assert chip == "dashed"
    expect(page, "#side-0 .count").to_have_text("5")
    board.post(PLACING)
    expect(page, "#place .piece").to_have_count(3)
    page.goto(f"{board.url}overlay?show=score")
    expect(page, "#overlay").to_be_visible()
    expect(page, "#now").to_be_hidden()
    page.context.close()


def test_japanese_is_never_left_as_boxes_not_even_with_the_font_from_the_cache(page, board):
    """A Japanese character is as wide as it is high; the box for a missing one is narrow."""
    board.post(changed(READY, phase=Phase.PAUSED, sequence=60))
    page.goto(f"{board.url}?lang=ja")
    for _ in range(3):
        expect(page, "#headline").to_have_text("休止中")
        page.wait_for_function(
            """() => {
                const headline = document.getElementById("headline");
                const all = document.createRange();
                all.selectNodeContents(headline);
                const size = parseFloat(getComputedStyle(headline).fontSize);
                return all.getBoundingClientRect().width > 2.9 * size;
            }"""
        )
        page.reload()
