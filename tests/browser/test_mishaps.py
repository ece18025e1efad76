"""The usual mishaps, caused by the page's buttons, with the whole firmware behind them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from jackspot.core.pieces import Piece, Pocket
from jackspot_sim.browser.control import Mishap
from jackspot_sim.chance.pulses import Manner
from tests.browser.person import AIM_S, PASS_REST_S, PRESS_S, REST_S, Person, arrive
from tests.conftest import new_context
from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def person(page: Page, table: StandingTable) -> Person:
    """Somebody at a match that has just begun: N is to shoot and plays red."""
    person = arrive(page, table)
    person.click("OK")
    person.expect_headline("RED N to shoot")
    person.rest(AIM_S)
    return person


def edges(table: StandingTable, wire: str) -> int:
    """Count the edges on a wire."""
    return sum(edge.wire == wire for edge in table.session.edges(0))


def in_truth(person: Person, *chips: str) -> None:
    """Check what the page says has really happened since everything was settled."""
    expect(person.page.locator("#happened .happened")).to_have_text(list(chips))


def test_every_mishap_has_a_button_that_says_what_it_does(opened: Page) -> None:
    opened.click("#tab-mishaps")
    buttons = opened.locator("[data-mishap]")
    named = buttons.evaluate_all("all => all.map((one) => one.dataset.mishap)")
    assert sorted(named) == sorted(mishap.value for mishap in Mishap)
    for label, title in buttons.evaluate_all("all => all.map((o) => [o.textContent, o.title])"):
        assert label
        assert len(title) > len(label)


# --- people ----------------------------------------------------------------------------


def test_three_strokes_that_nobody_pressed_for_all_wait_and_oks_settle_them(
    person: Person,
) -> None:
    person.mishap("shoot_on")
    person.wait_for_reading()
    person.wait_until(lambda state: state["waiting"] == 2)
    expect(person.page.locator("#queue")).to_be_visible()
    assert person.state()["waiting"] == 2
    in_truth(person, "red NE", "red SE", "red SW")
    person.rest(2)
    expect(person.page.locator("#proposal b")).to_have_text(re.compile("RED NE"))
    person.expect_counts(0, 0)
    for settled in (1, 2, 3):
        person.click("OK")
        person.expect_counts(settled, 0)
    person.expect_phase("ready")
    expect(person.page.locator("#queue")).to_be_hidden()
    person.expect_truth_agrees()


def test_a_miss_that_nobody_presses_is_found_when_the_next_seats_puck_falls(
    person: Person,
) -> None:
    person.mishap("forgotten_press")
    person.wait_for_reading()
    in_truth(person, "green NE")
    person.expect_counts(0, 0)
    person.fix_until("S (N missed): GREEN NE")
    person.click("OK")
    person.expect_counts(0, 1)
    person.expect_headline("GREEN S: shoot again")
    person.expect_truth_agrees()


@pytest.mark.long
def test_an_ok_that_does_not_count_is_remarked_beside_the_proposal(person: Person) -> None:
    person.let_fall("NE", "red")
    person.wait_for_reading()
    person.click("S OK")
    expect(person.page.locator("#proposal .remark")).to_have_text("the referee decides, not S")
    expect(person.page.locator("#proposal .proposal-said")).to_contain_text("RED NE")
    person.expect_counts(0, 0)


@pytest.mark.parametrize("mishap", ["double_press", "two_press"])
def test_two_presses_for_the_same_thing_enter_one_stroke(person: Person, mishap: str) -> None:
    person.mishap(mishap)
    person.expect_headline("GREEN S to shoot")
    person.rest(PASS_REST_S)
    person.expect_headline("GREEN S to shoot")
    person.click("UNDO")
    person.expect_headline("taken back: 1")


def test_two_people_at_two_pages_press_at_once_and_one_stroke_is_entered(
    browser: Browser, table: StandingTable, person: Person
) -> None:
    other = new_context(browser).new_page()
    other.goto(table.session.url)
    expect(other.locator("#headline")).to_have_text("RED N to shoot")
    person.page.keyboard.down("1")
    other.keyboard.down("a")
    pressed = '[data-wire="{}"][aria-pressed="true"]'
    expect(person.page.locator(pressed.format("seat_s_ok"))).to_have_count(1)
    expect(other.locator(pressed.format("referee_ok"))).to_have_count(1)
    person.rest(PRESS_S)
    person.page.keyboard.up("1")
    other.keyboard.up("a")
    person.expect_headline("GREEN S to shoot")
    person.rest(PASS_REST_S)
    expect(other.locator("#headline")).to_have_text("GREEN S to shoot")
    person.click("UNDO")
    expect(other.locator("#headline")).to_have_text("taken back: 1")
    other.context.close()


def test_a_hand_that_fetches_the_striker_is_seen_and_costs_no_stroke(
    person: Person, table: StandingTable
) -> None:
    person.let_fall("SW", "striker")
    person.wait_for_reading()
    person.fix_until("STRIKER SW")
    person.click("OK")
    person.expect_owed("red", 1)
    person.rest(AIM_S)
    seen = edges(table, "pocket_sw")
    person.mishap("fetch_hand")
    expect(person.page.locator("#fetch")).not_to_have_class(re.compile("asked"))
    person.rest(3)
    assert edges(table, "pocket_sw") > seen
    person.expect_counts(0, 0)
    assert person.state()["turn"] == "S"


@pytest.mark.long
def test_there_is_no_striker_to_fetch_before_one_fell(person: Person) -> None:
    person.mishap("fetch_hand")
    expect(person.page.locator("#toasts")).to_contain_text("no striker lies in a pocket")


def test_a_stray_hand_breaks_a_beam_and_moves_no_piece(
    person: Person, table: StandingTable
) -> None:
    person.mishap("stray_hand")
    in_truth(person, "NE · a hand")
    person.rest(3)
    assert edges(table, "pocket_ne") >= 2
    expect(person.page.locator("#truth td:nth-child(2)")).to_have_text(["0", "0", "0"])


# --- pieces ----------------------------------------------------------------------------


def test_a_late_fall_is_asked_about_after_its_stroke_was_confirmed(person: Person) -> None:
    person.mishap("late_fall")
    person.expect_headline("GREEN S to shoot")
    person.expect_phase("review")
    person.fix_until("replace N's last stroke: RED NE")
    person.click("OK")
    person.expect_counts(1, 0)
    person.expect_headline("RED N: shoot again")
    person.expect_truth_agrees()


@pytest.mark.parametrize(
    ("mishap", "edges_made", "truth"),
    [("tumble", 4, "red NE · tumbling"), ("two_at_once", 2, "red, red NE · all at once")],
)
def test_one_piece_may_make_two_pulses_and_two_pieces_one(
    person: Person, table: StandingTable, mishap: str, edges_made: int, truth: str
) -> None:
    person.mishap(mishap)
    in_truth(person, truth)
    person.wait_for_reading()
    assert edges(table, "pocket_ne") == edges_made
    fallen = truth.count("red")
    person.fix_until(", ".join(["RED NE"] * fallen))
    person.click("OK")
    person.expect_counts(fallen, 0)
    person.expect_truth_agrees()


def test_a_piece_beside_the_beam_is_told_in_truth_and_entered_by_hand(
    person: Person, table: StandingTable
) -> None:
    person.mishap("beside_beam")
    in_truth(person, "red NE · beside the beam")
    expect(person.page.locator(".side-red .wrong")).to_have_text("board is off by 1")
    person.rest(2)
    assert edges(table, "pocket_ne") == 0
    person.expect_phase("ready")
    person.click("FIX")
    person.expect_phase("review")
    person.fix_until("RED")
    person.click("OK")
    person.expect_counts(1, 0)
    person.expect_truth_agrees()


# --- wires and power -------------------------------------------------------------------


def test_a_loose_contact_is_named_and_heals(person: Person) -> None:
    person.mishap("chatter")
    person.wait_until(lambda state: state["faults"] != [])
    expect(person.page.locator("#faults .fault")).to_have_text(re.compile("flickers"))
    expect(person.page.locator("#faults .by-hand")).to_have_text("NE manual")
    person.rest(5)
    expect(person.page.locator("#faults li")).to_have_count(0)
    person.expect_counts(0, 0)


def test_after_a_power_cut_the_table_is_as_it_was_and_the_counts_are_asked(
    person: Person, table: StandingTable
) -> None:
    person.let_fall("NE", "red")
    person.wait_for_reading()
    person.fix_until("RED NE")
    person.click("OK")
    person.expect_counts(1, 0)
    table.session.set_speed(0.2)  # so that the dark lasts and the page cannot miss it
    person.mishap("power_cut")
    expect(person.page.locator("body")).to_have_class(re.compile("unpowered"))
    table.run_on()
    expect(person.page.locator("body")).not_to_have_class(re.compile("unpowered"))
    person.expect_phase("paused")
    person.expect_headline("power was off")
    person.expect_counts(1, 0)
    person.expect_truth_agrees()
    person.rest(REST_S)
    person.click("OK")
    person.expect_headline("RED N: shoot again")


COVERED = """() => {
    const over = document.querySelector("#happened").getBoundingClientRect();
    const rows = [...document.querySelectorAll(".belief :is(.reading, .queued)")];
    return rows.filter((row) => {
        const { top, bottom, width } = row.getBoundingClientRect();
        return width > 0 && bottom > over.top + 1 && top < over.bottom - 1;
    }).map((row) => row.textContent);
}"""
"""Returns the readings and queued rows that are covered by what really happened."""


@pytest.mark.long
def test_what_really_happened_covers_no_reading_and_nothing_that_waits(
    person: Person, table: StandingTable
) -> None:
    person.page.set_viewport_size({"width": 1_280, "height": 800})
    table.session.hands.drop(Pocket.NE, [Piece.RED, Piece.GREEN], Manner.TUMBLING)
    table.session.hands.drop(Pocket.SW, [Piece.RED], Manner.TUMBLING)
    person.rest(4)
    table.session.hands.drop(Pocket.SE, [Piece.GREEN], Manner.CLEAN)
    person.rest(4)
    person.page.click(".more-readings summary")
    assert person.page.locator(".belief .reading").count() > 3
    expect(person.page.locator(".belief .queued")).to_have_count(1)
    expect(person.page.locator("#happened")).to_be_visible()
    for scrolled in (0, 100, 10_000):
        person.page.eval_on_selector(
            ".belief", "(panel, to) => { panel.scrollTop = to; }", scrolled
        )
        assert person.page.evaluate(COVERED) == [], scrolled


def test_a_dead_beam_sees_nothing_until_it_is_well_again(
    person: Person, table: StandingTable
) -> None:
    person.break_part("NE dead")
    expect(person.page.locator('[data-pocket="NE"]')).to_have_class(re.compile("dead"))
    person.let_fall("NE", "red")
    in_truth(person, "red NE")
    person.rest(2)
    assert edges(table, "pocket_ne") == 0
    person.expect_phase("ready")
    person.break_part("NE OK")
    person.let_fall("NE", "red")
    person.wait_for_reading()
    assert edges(table, "pocket_ne") == 2


def test_a_blocked_beam_is_named_until_it_is_well_again(person: Person) -> None:
    person.break_part("SW blocked")
    person.rest(2.5)
    expect(person.page.locator("#faults .fault")).to_have_text(re.compile("pocket SW blocked"))
    person.break_part("SW OK")
    person.rest(1)
    expect(person.page.locator("#faults li")).to_have_count(0)


def test_a_dead_button_presses_nothing_and_the_others_still_do(person: Person) -> None:
    person.break_part("box OK dead")
    person.push("OK")
    person.rest(1)
    person.expect_headline("RED N to shoot")
    person.click("S OK")
    person.expect_headline("GREEN S to shoot")


def test_a_button_that_is_stuck_is_named_after_a_minute(person: Person) -> None:
    person.break_part("S OK stuck")
    expect(person.page.locator('[data-wire="seat_s_ok"]')).to_have_attribute("aria-pressed", "true")
    person.rest(61)
    expect(person.page.locator("#faults .fault")).to_have_text(re.compile("S OK is stuck"))
    person.break_part("S OK OK")
    person.rest(1)
    expect(person.page.locator("#faults li")).to_have_count(0)


def test_a_sign_that_is_unplugged_is_named_and_comes_back(person: Person) -> None:
    person.break_part("Unplug the LED sign")
    expect(person.page.locator("#sign")).to_have_class(re.compile("unplugged"))
    person.click("OK")
    expect(person.page.locator("#faults .fault")).to_have_text(re.compile("is gone"))
    person.break_part("Unplug the LED sign")
    expect(person.page.locator("#faults li")).to_have_count(0)
    expect(person.page.locator("#sign")).not_to_have_class(re.compile("unplugged"))


# --- what is shown ---------------------------------------------------------------------


def test_readings_are_shown_with_their_probabilities_and_reasons(person: Person) -> None:
    person.let_fall("NE", "red")
    person.wait_for_reading()
    for _ in range(2):
        state = person.state()
        proposal = state["proposal"]
        ranked = sorted(state["readings"], key=lambda each: -each["probability"])
        shown = person.page.locator("#proposal .reading")
        expect(shown.locator(".what")).to_have_text([each["what"] for each in ranked])
        expect(shown.locator(".share")).to_have_text(
            [share(each["probability"]) for each in ranked]
        )
        expect(person.page.locator("#proposal > .why")).to_have_text(proposal["why"])
        expect(shown.locator(".why")).to_have_text(
            [each["why"] for each in ranked if each["why"] != proposal["why"]]
        )
        expect(person.page.locator("#proposal small")).to_contain_text(
            share(proposal["probability"])
        )
        expect(person.page.locator(".reading.shown .what")).to_have_text(proposal["what"])
        longest, second = shown.evaluate_all(
            "all => all.slice(0, 2).map((one) => parseFloat(one.style.getPropertyValue('--share')))"
        )
        assert longest == pytest.approx(ranked[0]["probability"] * 100)
        assert second == pytest.approx(ranked[1]["probability"] * 100)
        person.click("FIX")
        expect(person.page.locator(".reading.shown .what")).not_to_have_text(proposal["what"])
        person.rest(REST_S)


@pytest.mark.long
def test_what_waits_is_shown_as_the_live_state_has_it_and_never_solid(person: Person) -> None:
    person.let_fall("NE", "red")
    person.wait_for_reading()
    person.let_fall("SW", "green")
    person.rest(4)
    state = person.state()
    assert state["waiting"] == 1
    rows = person.page.locator("#queue .queued:not(.rest)")
    expect(rows.locator(".what")).to_have_text([each["what"] for each in state["queue"]])
    expect(rows.locator(".share")).to_have_text(
        [share(each["probability"]) for each in state["queue"]]
    )
    expect(rows.locator(".why")).to_have_text([each["why"] for each in state["queue"]])
    borders = person.page.locator("#queue li").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).borderTopStyle)"
    )
    assert set(borders) <= {"dashed", "dotted"}
    person.expect_counts(0, 0)


def share(probability: float) -> str:
    """Write a probability as the page does."""
    percent = int(probability * 100 + 0.5)
    return "<1 %" if percent == 0 and probability > 0 else f"{percent} %"
