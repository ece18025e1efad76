"""The page shows what is on the table and what the board says now, and nothing older."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jackspot.config.load import Sources, load
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import RuleSystem
from jackspot.values import changed
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.physics.values import Flick
from tests.browser.conftest import expect
from tests.browser.person import AIM_S, PRESS_S, Person, arrive
from tests.conftest import thinned
from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Page

RUNS_S = 8.0
"""Longer than any of these shots."""


@pytest.fixture
def player(page: Page, table: StandingTable) -> Person:
    """Somebody in the north, whose turn it is."""
    person = arrive(page, table)
    person.key("OK")
    person.expect_phase("ready")
    return person


@pytest.mark.long
def test_what_the_wires_did_on_the_board_before_is_forgotten_with_it(player, table):
    page = player.page
    assert page.locator("#edges li").count() > 0
    table.session.new_match()
    player.expect_phase("set-up")
    expect(page, "#edges li").to_have_count(0)


@pytest.mark.long
def test_a_striker_that_fell_by_hand_lies_nowhere_else(player, table):
    page = player.page
    table.session.hands.flick(Flick(0.0, 204.0, 300.0, 0.4))
    player.rest(RUNS_S)
    assert table.session.picture().run.shot.striker_at is not None
    table.session.hands.drop(Pocket.SE, [Piece.STRIKER], Manner.CLEAN)
    player.wait_for_reading()
    assert table.session.picture().run.shot.striker_at is None
    player.fix_until("STRIKER SE")
    player.key("OK")
    player.expect_phase("ready")
    expect(page, "#play-note").to_have_text("The striker is in a pocket: pick it up.")
    expect(page, "#grip").to_be_hidden()
    expect(page, "#place").to_contain_text("Striker in SE")
    with player.sent("fetch"):
        page.click("#fetch")
    expect(page, "#place").to_be_hidden()
    expect(page, "#grip").to_be_visible()


@pytest.mark.long
def test_what_was_not_put_back_is_asked_for_until_it_is(player, table):
    page = player.page
    player.let_fall("NE", "red", "striker")
    player.wait_for_reading()
    player.fix_until("RED NE, STRIKER NE")
    player.key("OK")
    player.expect_phase("put back")
    player.key("OK")
    player.expect_phase("ready")
    expect(page, "#put-back.asked").to_have_count(1)
    with player.sent("put-back"):
        page.click("#put-back")
    expect(page, "#put-back.asked").to_have_count(0)


@pytest.mark.long
def test_readings_stand_in_the_order_of_their_chances_three_at_first(player):
    page = player.page
    player.let_fall("NE", "red")
    player.wait_for_reading()
    for _ in range(3):
        readings = page.locator("#proposal .readings").first.locator(".reading")
        expect(page, "#proposal > .readings .reading").to_have_count(3)
        shares = readings.evaluate_all(
            "all => all.map((one) => parseFloat(one.style.getPropertyValue('--share')))"
        )
        assert shares[:2] == sorted(shares[:2], reverse=True)
        expect(page, "#proposal > .readings .shown").to_have_count(1)
        player.click("FIX")
        player.rest(1)
    page.click("#proposal .more-readings summary")
    shares = page.locator("#proposal .more-readings .reading").evaluate_all(
        "all => all.map((one) => parseFloat(one.style.getPropertyValue('--share')))"
    )
    assert shares == sorted(shares, reverse=True)


@pytest.mark.long
def test_two_quick_oks_at_the_start_leave_the_turn_where_it_was(page, table):
    person = arrive(page, table)
    person.push("OK")
    person.push("OK")
    person.rest(AIM_S + PRESS_S)
    person.expect_headline("RED N to shoot")


@pytest.mark.parametrize("seat", thinned([Seat.N, Seat.S], {Seat.S}))
def test_the_sliders_move_the_striker_as_the_board_is_seen(page, table, seat):
    person = arrive(page, table)
    if seat is Seat.S:
        person.key("FIX")
        person.rest(1)
    person.key("OK")
    person.expect_phase("ready")
    box = page.locator("#grip").bounding_box()
    page.get_by_role("slider", name="Place").focus()
    page.keyboard.press("End")
    moved = page.locator("#grip").bounding_box()
    assert moved["x"] > box["x"] + 20
    assert float(page.locator("#place-at").input_value()) > 0


@pytest.mark.long
def test_a_longer_hint_moves_no_slider(player):
    page = player.page
    top = page.locator("#place-at").bounding_box()["y"]
    page.evaluate("document.getElementById('play-note').textContent = 'word '.repeat(60)")
    assert page.locator("#place-at").bounding_box()["y"] == top


@pytest.mark.parametrize(
    ("rules", "setting_up", "playing"),
    [
        (RuleSystem.ICF, "game 1 of 3", "game 1 of 3, board 1"),
        pytest.param(RuleSystem.HIKONE, "", "", marks=pytest.mark.long),
    ],
)
def test_board_and_game_are_called_the_same_before_and_in_play(
    page, tmp_path, rules, setting_up, playing
):
    config = changed(load(Sources(())), match={"rules": rules.value})
    table = StandingTable(tmp_path, config=config)
    try:
        person = arrive(page, table)
        expect(page, "#which").to_contain_text(setting_up)
        assert "board 1 of 3" not in page.locator("#which").inner_text()
        person.key("OK")
        person.expect_phase("ready")
        expect(page, "#which").to_contain_text(playing)
    finally:
        table.close()
