"""What somebody sees who opens the simulated table's page for the first time."""

from __future__ import annotations

import re

import pytest

from tests.browser.conftest import expect
from tests.browser.person import Person, arrive
from tests.sim.standing import StandingTable


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


@pytest.mark.parametrize("selector", [".palette", ".table", ".score", ".box", ".under", "#new"])
def test_nothing_lies_under_the_fold_of_a_small_laptop(opened, table, selector):
    opened.set_viewport_size({"width": 1280, "height": 800})
    for phase in ("set-up", "ready"):
        if phase == "ready":
            person = Person(opened, table)
            person.sit_down()
            person.key("OK")
            person.expect_phase("ready")
        box = opened.locator(selector).bounding_box()
        assert box["y"] + box["height"] <= 801
        inner, outer = opened.evaluate(
            "() => [document.body.scrollHeight, document.documentElement.clientHeight]"
        )
        assert inner <= outer


def test_the_boards_own_pages_are_one_click_away(opened, table):
    opened.click(".pages summary")
    links = opened.locator(".pages a")
    paths = [link.get_attribute("href") for link in links.all()]
    assert paths == ["/", "/?kiosk", "/overlay", "/referee", "/matches"]
    for path in paths:
        assert opened.request.get(table.session.url.replace("/sim/", path)).ok


def test_the_question_that_puts_a_match_aside_is_the_pages_own(page, table):
    person = arrive(page, table)
    person.key("OK")
    person.expect_phase("ready")
    page.on("dialog", lambda _: pytest.fail("a dialog of the browser"))
    page.select_option("#rules", "icf")
    expect(page, "#put-aside").to_be_visible()
    page.get_by_role("button", name="Play on").click()
    expect(page, "#put-aside").to_be_hidden()
    expect(page, "#rules").to_have_value("hikone")
    page.select_option("#rules", "icf")
    page.get_by_role("button", name="Stop it").click()
    expect(page, "#rules").to_have_value("icf")


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
    assert table.session.shown.house.language == "de"
