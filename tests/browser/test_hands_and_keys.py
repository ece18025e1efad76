"""Fingers and keys on the simulated table's page, in orders that nobody thinks of."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pytest

from jackspot.core.pieces import Piece, Pocket
from jackspot.core.settings import RuleSystem
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.physics.boards import board_of, disc_of
from jackspot_sim.physics.values import Flick, Lying
from jackspot_sim.table.running import check
from tests.browser.conftest import expect
from tests.browser.finger import pixel
from tests.browser.person import AIM_S, Person, arrive
from tests.conftest import new_context, thinned
from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Page

BAND_MM, CIRCLE_MM = 182.5, 219.1
"""Distances from the middle of a carrom board's base line: a striker's last place on the line, and
its place on the circle at the end. It may not be placed between the two."""


def begin(page: Page, table: StandingTable, rules: RuleSystem = RuleSystem.HIKONE) -> Person:
    page.goto(table.session.url)
    if rules is not RuleSystem.HIKONE:
        table.session.new_match(rules)
        expect(page, "#rules").to_have_value(rules)
    person = Person(page, table)
    person.sit_down()
    person.key("OK")
    person.expect_phase("ready")
    return person


def test_the_circles_at_the_line_s_ends_are_reached_and_left_with_the_arrow_keys(page, table):
    begin(page, table, RuleSystem.ICF)
    slider = page.get_by_role("slider", name="Place")
    slider.focus()

    def along() -> float:
        return float(slider.input_value())

    page.keyboard.press("End")
    assert along() == pytest.approx(CIRCLE_MM, abs=0.6)
    page.keyboard.press("ArrowLeft")
    assert along() == pytest.approx(BAND_MM, abs=0.6)
    expect(page, "#aim.illegal").to_have_count(0)
    page.keyboard.press("ArrowLeft")
    assert along() == pytest.approx(BAND_MM - 1, abs=0.6)
    page.keyboard.press("ArrowRight")
    assert along() == pytest.approx(BAND_MM, abs=0.6)
    page.keyboard.press("ArrowRight")
    assert along() == pytest.approx(CIRCLE_MM, abs=0.6)
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    assert along() == pytest.approx(-BAND_MM, abs=0.6)
    page.keyboard.press("ArrowDown")
    assert along() == pytest.approx(-CIRCLE_MM, abs=0.6)
    expect(page, "#aim.illegal").to_have_count(0)


def test_a_key_that_was_held_comes_up_whatever_it_means_by_then(page, table):
    person = arrive(page, table)
    with person.sent():
        page.keyboard.down("Digit1")
    table.let_pass(0.1)
    assert "referee_ok" in table.session.picture().active
    page.keyboard.down("Shift")
    with person.sent():
        page.dispatch_event("body", "keyup", {"key": "!", "code": "Digit1", "shiftKey": True})
    table.let_pass(0.1)
    assert "referee_ok" not in table.session.picture().active
    expect(page, ".cap.held").to_have_count(0)
    page.keyboard.up("Shift")


@pytest.mark.long
def test_after_a_drop_that_was_refused_a_tap_lays_the_piece_down(browser, table):
    context = new_context(browser, has_touch=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    person = arrive(page, table, touch=True)
    person.click("OK")
    person.expect_phase("ready")
    person.rest(AIM_S)
    table.session.hands.drop(Pocket.NE, [Piece.RED, Piece.STRIKER], Manner.CLEAN)
    person.wait_for_reading()
    person.fix_until("RED NE, STRIKER NE")
    person.click("OK")
    person.expect_phase("put back")
    person.on_page("#tab-play")
    chip = page.locator("#put-tray .put-chip")
    chip.scroll_into_view_if_needed()
    box = chip.bounding_box()
    assert box is not None
    touch = context.new_cdp_session(page)
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    beside = pixel(page, 0, 330)
    for kind, (x, y) in (("touchStart", middle), ("touchMove", (middle[0], middle[1] - 20)),
                         ("touchMove", beside)):  # fmt: skip
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
    with page.expect_response(re.compile("/sim/do/put")) as refused:
        touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert refused.value.status == 409
    with page.expect_response(re.compile("/sim/do/put")) as laid:
        chip.tap()
    assert laid.value.status == 204
    expect(page, "#put-tray").to_be_hidden()
    context.close()


@pytest.mark.long
def test_enter_during_a_drag_puts_the_piece_down_and_the_drag_is_over(page, table):
    person = begin(page, table)
    lain = table.session.picture().lying[3]
    page.click("#hands-on")
    page.mouse.move(*pixel(page, lain.x_mm, lain.y_mm))
    page.mouse.down()
    page.mouse.move(*pixel(page, -100, -180))
    expect(page, "#hand-said").to_contain_text("in hand")
    with person.sent("move"):
        page.keyboard.press("Enter")
    page.mouse.move(*pixel(page, -60, -120))
    page.mouse.up()
    expect(page, "#hand-said").to_have_text("")
    at = {each.number: each for each in table.session.picture().lying}[lain.number]
    assert math.dist((at.x_mm, at.y_mm), (-100, -180)) < 3


ROOM = """async ([kind, x, y, line]) => {
    const [{ inTheWay }, { boardOf }] = await Promise.all(
        ["reach", "boards"].map((name) => import(`/sim/${name}.js`)));
    const board = boardOf(document.getElementById("rules").value);
    const told = (mm) => Math.round(mm * 10) / 10;
    const piece = { kind, x: told(x), y: told(y) };
    return inTheWay([0, line], board.diameters_mm.striker / 2, board, [piece]) === undefined;
}"""


@pytest.mark.parametrize(
    "rules", thinned([RuleSystem.HIKONE, RuleSystem.KAGW], {RuleSystem.KAGW}), ids=str
)
def test_where_the_page_finds_room_for_a_striker_the_table_does(page, table, rules):
    begin(page, table, rules)
    board = board_of(rules)
    line = board.line_from_middle_mm
    kind = next(each.piece for each in table.session.picture().lying if each.number == 2)
    touches = disc_of(board, Piece.STRIKER).radius_mm + disc_of(board, kind).radius_mm
    found = []
    for hundredth in range(-40, 41):
        apart = touches + hundredth / 100
        at = Lying(2, kind, apart * 0.8, line - apart * 0.6)
        found.append(page.evaluate(ROOM, [kind, at.x_mm, at.y_mm, line]))
        if found[-1]:
            check(rules, [at], Flick(0.0, line, 900.0, 1.5))
    assert (found[0], found[-1]) == (False, True)
