"""A match of a soak on the page: its strokes beside the record, wound forward and back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from jackspot.core.settings import RuleSystem
from jackspot.values import changed
from jackspot.web.server import WebSettings
from jackspot_sim.chance.frequencies import Referee
from jackspot_sim.film.filming import film
from jackspot_sim.film.replay import Replay
from jackspot_sim.film.values import Film
from jackspot_sim.sensing.quality import Quality
from jackspot_sim.soak.running import Soak
from tests.browser.conftest import expect
from tests.browser.person import READ_CANVAS
from tests.conftest import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def wrong() -> Film:
    """Return a film of ten strokes before a careless referee, whose record ends wrong."""
    soak = Soak(1, 1, RuleSystem.HIKONE, Quality.DEFAULT, (Referee.CARELESS,))
    return film(changed(soak.job(14, Referee.CARELESS), most_shots=10))


@pytest.fixture
def replay(wrong: Film) -> Iterator[Replay]:
    replay = Replay(wrong, WebSettings(port=0))
    replay.pause(paused=True)
    replay.start()
    runs = threading.Thread(target=replay.run)
    runs.start()
    yield replay
    replay.close()
    runs.join(PATIENCE_S)


def test_a_wrong_match_is_looked_at_where_record_and_truth_part(
    page: Page, wrong: Film, replay: Replay
) -> None:
    page.goto(replay.url)
    expect(page, "#status").to_have_text("live")
    expect(page, "#film-result").to_have_text("The final score is wrong.")
    expect(page, ".film-stroke.differs").to_have_count(len(wrong.partings) + bool(wrong.left))
    expect(page, "#tab-play").to_be_hidden()
    for parting in wrong.partings[:2]:
        page.get_by_role("button", name="Next disagreement").click()
        expect(page, ".film-stroke[aria-current] .film-number").to_have_text(str(parting.number))
        shown = wrong.views.at(replay.now_ns())
        expect(page, "#headline").to_have_text(str(shown.headline))
        expect(page, ".film-stroke[aria-current] .film-told").to_contain_text("≠")
    page.get_by_role("button", name="Stroke before").click()
    before = wrong.partings[min(len(wrong.partings), 2) - 1].number - 1
    expect(page, ".film-stroke[aria-current] .film-number").to_have_text(str(before))


def test_it_runs_to_its_end_and_the_page_shows_what_the_board_counted(
    page: Page, wrong: Film, replay: Replay
) -> None:
    page.goto(replay.url)
    expect(page, "#film-pause").to_have_text("▶ Go on")
    page.click("#film-strokes .film-stroke:nth-child(9)")
    expect(page, ".film-stroke[aria-current] .film-number").to_have_text("9")
    replay.set_speed(40.0)
    page.click("#film-pause")
    expect(page, ".film-stroke[aria-current] .film-number").to_have_text("10")
    expect(page, "#film-pause").to_have_text("▶ Go on")
    assert replay.now_ns() == wrong.end_ns
    counts = wrong.found.position.counts_by_side()
    for side, count in counts.items():
        expect(page, f".side-{side} .count").to_have_text(str(count.pocketed))
    dots = page.evaluate(READ_CANVAS)
    assert dots == "".join(f"{eight:08b}" for eight in wrong.glass.at(wrong.end_ns))
