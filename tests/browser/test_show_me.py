"""The match that plays on its own: aimed shots are seen, and captions can be read."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from jackspot_sim.people.opponents import AIMS_NS
from jackspot_sim.physics.boards import board_of
from tests.browser.conftest import expect
from tests.conftest import PATIENCE_MS
from tests.festival.linked import until
from tests.sim.standing import STANDING, StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Page

READ_MS = 2_500
"""The least time for which a caption is shown."""
MOST_SHIFT = 0.01

WATCH = """() => {
    window.shift = 0;
    window.begun = Infinity;
    new PerformanceObserver((list) => {
        for (const { hadRecentInput, startTime, value } of list.getEntries()) {
            window.shift += hadRecentInput || startTime < window.begun ? 0 : value;
        }
    }).observe({ type: "layout-shift" });
    const caption = document.getElementById("caption");
    window.told = [];
    new MutationObserver(() => {
        if (caption.textContent !== window.told.at(-1)?.[0]) {
            window.told.push([caption.textContent, performance.now()]);
        }
    }).observe(caption, { childList: true });
}"""
"""Adds up what shifts on the page without input, and records each caption with its time."""

HAS_BEGUN = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
    window.begun = performance.now();
    done();
})))"""
"""Marks the start: earlier shifts answer the press for the show, however slow the machine is."""


@pytest.fixture
def motion() -> str:
    """Show hands and pieces as they move."""
    return "no-preference"


@pytest.fixture
def table(tmp_path) -> Iterator[StandingTable]:
    table = StandingTable(tmp_path, show_speed=3.0)
    yield table
    table.close()


@pytest.fixture
def shown(opened: Page) -> Page:
    """Return a page on which the match has just begun to play on its own."""
    opened.set_viewport_size({"width": 1280, "height": 800})
    opened.evaluate(WATCH)
    opened.get_by_role("button", name="Show me").click()
    expect(opened, "#caption").to_be_visible()
    opened.evaluate(HAS_BEGUN)
    return opened


@pytest.mark.long
def test_a_show_is_read_in_peace_and_ends_with_a_winner(shown):
    expect(shown, "#phase").to_have_text(
        "match over", timeout=5 * PATIENCE_MS
    )  # a whole match is shown
    expect(shown, "#stage-words").to_have_text(re.compile("(Aiko|Ben) wins!"))
    expect(shown, "#burst i").not_to_have_count(0)
    expect(shown, "#caption").to_contain_text("then the jack: won")
    expect(shown, "#stage-ok").to_have_text("Play again")
    told = [each for each in shown.evaluate("window.told") if each[0]]
    assert len({words for words, _ in told}) >= 5
    stood = [after[1] - before[1] for before, after in itertools.pairwise(told)]
    assert min(stood) >= READ_MS
    assert shown.evaluate("window.shift") < MOST_SHIFT


def test_the_hand_that_aims_is_seen_and_shoots_as_it_aimed(shown, table):
    table.session.set_speed(0.75)
    expect(shown, ".aim-hand").to_be_visible()
    aim = table.session.picture().aim
    assert aim is not None
    table.session.set_speed(3.0)
    assert aim.shoots_ns - aim.begun_ns < AIMS_NS
    until(lambda: (run := table.session.picture().run) and run.begun_ns >= aim.shoots_ns)
    run = table.session.picture().run  # before a slow page has seen it
    assert run.flick == aim.flick
    expect(shown, ".aim-hand").to_be_hidden()
    assert run.flick.speed_mm_s <= board_of(table.session.picture().rules).fastest_mm_s


@pytest.mark.long
def test_a_show_stands_still_and_goes_on_step_by_step(shown, table):
    shown.click("#show-pause")
    expect(shown, "#show-pause").to_have_text("▶ Go on")
    expect(shown, "#speed").to_have_value("3")
    assert table.session.clock.speed == STANDING
    phases = []
    for _ in range(3):
        shown.click("#show-step")
        expect(shown, "#show-pause").to_have_text("❚❚ Pause")
        expect(shown, "#show-pause").to_have_text("▶ Go on")
        view = table.session.shown
        phases.append((view.phase, view.shooter, len(view.written.entries)))
    assert len(set(phases)) == 3
    shown.click("#show-pause")
    expect(shown, "#show-pause").to_have_text("❚❚ Pause")
    assert table.session.clock.speed != STANDING
    shown.click("#show")
    expect(shown, "#caption").to_be_hidden()
    expect(shown, "#show-step").to_be_disabled()
    assert shown.evaluate("window.shift") < MOST_SHIFT
