"""What people see when they open the simulated table's page for the first time."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect as expect_that

import jackspot
import jackspot_sim
from jackspot.displays.words import LANGUAGES
from tests.browser.conftest import every, expect
from tests.browser.person import AIM_S, Person, arrive
from tests.conftest import thinned
from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Page

LAPTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
TABS = ("play", "how", "mishaps", "edges", "truth", "break")
PAGE = Path(jackspot_sim.__file__).parent / "page"


def test_one_large_button_starts_the_match(opened, table):
    person = Person(opened, table)
    person.sit_down()
    start = opened.get_by_role("button", name="Start: press OK")
    box = start.bounding_box()
    assert box["height"] >= 48
    assert box["width"] >= 200
    start.hover()
    with person.sent():
        opened.mouse.down()
    table.let_pass(0.1)
    with person.sent():
        opened.mouse.up()
    person.expect_phase("ready")
    expect(opened, "#stage").to_be_hidden()


def test_who_finds_the_board_asleep_is_told_how_to_wake_it(opened, table):
    table.let_pass(600)
    expect(opened, "#stage-ok").to_have_text("Press any button")
    expect(opened, "#play-note").to_have_text("Press any button")


def test_who_would_rather_look_on_first_is_shown_a_match(opened, table):
    look_on = opened.get_by_role("button", name="Watch a short match first")
    look_on.click()
    expect(opened, "#caption").to_be_visible()
    expect_that(look_on).to_be_hidden()  # here a show is over in a second, and its end is shown


def test_nothing_lies_under_the_fold_of_a_small_laptop(opened, table):
    opened.set_viewport_size({"width": 1280, "height": 800})
    for phase in ("set-up", "ready"):
        if phase == "ready":
            person = Person(opened, table)
            person.sit_down()
            person.key("OK")
            person.expect_phase("ready")
        for selector in (".palette", ".table", ".score", ".box", ".under", "#new"):
            box = opened.locator(selector).bounding_box()
            assert box["y"] + box["height"] <= 801, selector
        inner, outer = opened.evaluate(
            "() => [document.body.scrollHeight, document.documentElement.clientHeight]"
        )
        assert inner <= outer


@pytest.mark.long
def test_who_drops_pieces_is_told_how_and_not_how_to_shoot(opened, table):
    person = Person(opened, table)
    person.sit_down()
    person.key("OK")
    person.expect_phase("ready")
    expect(opened, "#play-note").to_contain_text("Pull it back")
    opened.click("#tab-how")
    expect(opened, "#play-note").to_have_text("Choose what falls, then click a pocket.")
    opened.click("#tab-play")
    expect(opened, "#play-note").to_contain_text("Pull it back")


CUT_CHOICES = """() => [...document.querySelectorAll(".bar select, .palette select")]
    .filter((one) => one.checkVisibility()).flatMap((one) => {
        const pen = document.createElement("canvas").getContext("2d");
        const { font, paddingLeft, paddingRight } = getComputedStyle(one);
        pen.font = font;
        const arrow = 20;
        const room = one.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
        const tooLong = ({ text }) => pen.measureText(text).width > room;
        return [...one.options].filter(tooLong).map(({ text }) => text);
    })"""
"""Choices that do not fit into their list's own box."""


@pytest.mark.parametrize("language", thinned(LANGUAGES, {"de"}))
def test_nothing_is_cut_off_in_any_language_on_a_small_laptop(page, table, language):
    page.set_viewport_size(LAPTOP)
    person = arrive_in(page, table, language)
    expect_nothing_cut_off(page, ".bar", ".guide", ".palette")
    one_line = [".status", "#show", ".pages summary", *(f"#tab-{each}" for each in TABS)]
    heights = page.evaluate(
        "all => all.map((one) => document.querySelector(one).offsetHeight)", one_line
    )
    assert max(heights) < 42
    assert page.evaluate(CUT_CHOICES) == []
    right = page.locator("#show").bounding_box()
    assert right["x"] + right["width"] <= LAPTOP["width"]
    person.type("1")
    person.rest(AIM_S)
    person.let_fall("NE", "red")
    person.rest(2)
    expect(page, "#proposal").to_be_visible()
    expect_nothing_cut_off(page, ".palette", ".belief", ".guide")
    page.click("#tab-mishaps")
    expect_nothing_cut_off(page, ".palette")


@pytest.mark.parametrize(
    ("language", "size"),
    thinned(product(LANGUAGES, ("laptop", "phone")), {("de", "phone")}),
)
def test_every_caption_of_a_show_has_room(page, table, language, size):
    page.set_viewport_size({"laptop": LAPTOP, "phone": PHONE}[size])
    arrive_in(page, table, language)
    said = re.findall(r'say\("([^"]+)"', (PAGE / "show.js").read_text())
    cut_off = page.evaluate(
        """async (said) => {
            const { say } = await import("/words.js");
            const [caption, guide] = ["#caption", ".guide"]
                .map((one) => document.querySelector(one));
            caption.hidden = false;
            document.getElementById("play-note").hidden = true;
            const side = "Friederike & Maximilian";
            return said.map((words) => say(words, { side })).filter((words) => {
                caption.textContent = words;
                const { scrollHeight, clientHeight, scrollWidth, clientWidth } = guide;
                return scrollHeight > clientHeight || scrollWidth > clientWidth;
            });
        }""",
        said,
    )
    assert len(said) >= 12
    assert cut_off == []


@pytest.mark.long
def test_what_is_put_back_takes_the_sliders_room_and_moves_nothing(opened, table):
    opened.set_viewport_size(LAPTOP)
    person = Person(opened, table)
    person.sit_down()
    person.key("OK")
    person.expect_phase("ready")
    before = opened.locator("#new").bounding_box()
    person.let_fall("NE", "red", "striker")
    person.wait_for_reading()
    person.fix_until("RED NE, STRIKER NE")
    person.key("OK")
    person.expect_phase("put back")
    opened.click("#tab-play")
    expect(opened, "#put-tray").to_be_visible()
    expect(opened, "#place-at").to_be_hidden()
    assert opened.locator("#new").bounding_box() == before
    tray, players = (opened.locator(each).bounding_box() for each in ("#put-tray", "#players"))
    assert tray["y"] + tray["height"] <= players["y"]


def test_on_a_phone_every_choice_is_read_and_the_pages_are_there(page, table):
    page.set_viewport_size(PHONE)
    arrive_in(page, table, "de")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert min(page.locator(f"#{each}").bounding_box()["width"] for each in ("rules", "speed")) > 80
    page.click(".pages summary")
    for link in every(page.locator(".pages a")):
        box = link.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= PHONE["width"]
    box, tab = (page.locator(each).bounding_box() for each in ("#box", "#tab-how"))
    assert tab["y"] + tab["height"] <= box["y"]


def arrive_in(page: Page, table: StandingTable, language: str) -> Person:
    """Open the page in a language."""
    page.goto(f"{table.session.url}?lang={language}")
    person = Person(page, table)
    expect(page, "#stage-ok").to_be_visible()
    person.rest(1)
    return person


def expect_nothing_cut_off(page: Page, *selectors: str) -> None:
    """Expect parts of the page to have room for all that is in them."""
    for selector in selectors:
        inner, outer = page.evaluate(
            """(selector) => {
                const one = document.querySelector(selector);
                return [[one.scrollWidth, one.scrollHeight], [one.clientWidth, one.clientHeight]];
            }""",
            selector,
        )
        assert inner <= outer, selector


def test_the_boards_own_pages_are_one_click_away(opened, table):
    opened.click(".pages summary")
    links = opened.locator(".pages a")
    paths = [link.get_attribute("href") for link in every(links)]
    assert paths == ["/", "/?kiosk", "/overlay", "/referee", "/matches"]
    for path in paths:
        assert opened.request.get(table.session.url.replace("/sim/", path)).ok


def test_no_page_asks_by_a_box_of_the_browser() -> None:
    scripts = [*PAGE.glob("*.js"), *(Path(jackspot.__file__).parent / "web" / "pages").glob("*.js")]
    boxes = re.compile(r"(?<![\w.])(confirm|alert|prompt)\(")
    assert [each.name for each in scripts if boxes.search(each.read_text(encoding="utf-8"))] == []


def test_the_question_that_puts_a_match_aside_is_the_pages_own(page, table):
    person = arrive(page, table)
    person.key("OK")
    person.expect_phase("ready")
    page.on("dialog", lambda _: pytest.fail("a dialog of the browser"))
    page.select_option("#rules", "icf")
    expect(page, "#put-aside").to_be_visible()
    page.get_by_role("button", name="Go on playing").click()
    expect(page, "#put-aside").to_be_hidden()
    expect(page, "#rules").to_have_value("hikone")
    page.select_option("#rules", "icf")
    page.get_by_role("button", name="Start a new match").click()
    expect(page, "#rules").to_have_value("icf")


@pytest.mark.long
def test_the_computers_striker_is_seen_while_it_aims(page, table: StandingTable):
    person = arrive(page, table)
    with page.expect_response(re.compile("/sim/do/player")):
        page.get_by_role("combobox", name="Who plays N").select_option("master")
    person.key("OK")
    person.expect_phase("ready")
    person.rest(1.5)
    expect(page, ".aim-hand").to_be_visible()
    expect(page, "#grip").to_be_hidden()


def test_who_reads_another_language_is_offered_that_the_board_speaks_it_too(page, table):
    page.goto(f"{table.session.url}?lang=de")
    expect(page, "#stage-ok").to_have_text("Start: OK drücken")
    offer = page.get_by_role("button", name="Auch das Brett Deutsch sprechen lassen")
    offer.click()
    expect(page, "#stage-language").to_be_hidden()
    assert table.session.shown.preferences.language == "de"
