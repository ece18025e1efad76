"""The hub's announcer page: the newest call first, and a voice that says each call once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.hub.shown import ShownHall

if TYPE_CHECKING:
    from playwright.sync_api import Page
from tests.browser.hub.conftest import sit, url, who

pytestmark = pytest.mark.browser

VOICE = """
window.uttered = [];
class Utterance {
    constructor(text) { this.text = text; }
}
const voices = [
    { name: "Ada", lang: "en-GB", localService: true, default: true },
    { name: "Cloud", lang: "en-US", localService: false },
    { name: "Uwe", lang: "de-DE", localService: true },
];
Object.defineProperty(window, "speechSynthesis", { value: {
    getVoices: () => voices, addEventListener() {}, cancel() {},
    speak(said) { uttered.push(said); },
} });
window.SpeechSynthesisUtterance = Utterance;
"""
"""A machine with voices: the browser of the tests has none."""


def test_the_announcer_reads_the_newest_call_and_takes_what_was_said_away(
    page: Page, hall: ShownHall
):
    page.goto(url(hall, "announcer"))
    expect(page.get_by_role("button", name="Speak")).to_be_disabled()
    expect(page.locator("#trouble")).to_contain_text("no voice")
    newest = max(hall.hall.desk.orders)
    board = hall.hall.desk.orders[newest].board
    large = page.locator(".call")
    expect(large.locator(".board")).to_have_text(f"Board no. {board}")
    expect(large.locator(".who span")).to_have_text(who(hall, board))
    others = page.locator("#others li")
    left = others.count()
    page.get_by_role("button", name="Said: next").click()
    expect(others).to_have_count(left - 1)
    expect(page.locator("#said li")).to_contain_text([f"Board {board}: {who(hall, board)[0]}"])
    page.reload()
    expect(others).to_have_count(left - 1)
    expect(page.locator("#said li")).to_have_count(1)


def test_the_voice_says_each_new_call_once_and_leaves_who_has_come(page: Page):
    page.add_init_script(VOICE)
    hall = ShownHall(4, 16)
    hall.turn()
    hall.pages.start()
    page.goto(url(hall, "announcer"))
    expect(page.locator(".call")).to_be_visible()
    assert page.evaluate("uttered.length") == 0
    page.get_by_label("How fast").fill("1.2")
    expect(page.locator("#voices option")).to_have_text(["Ada"])
    page.get_by_role("button", name="Speak").click()
    board = hall.hall.desk.orders[max(hall.hall.desk.orders)].board

    def uttered() -> list[str]:
        return page.evaluate("uttered.map((each) => each.text)")

    one, other = who(hall, board)
    first = f"Board {board}: {one} against {other}"
    assert uttered() == [first]
    assert page.evaluate("[uttered[0].voice.name, uttered[0].rate, uttered[0].lang]") == [
        "Ada", 1.2, "en",
    ]  # fmt: skip
    # While it speaks, two matches end and four people are called; two of them come at once.
    sit(hall, 1, 2)
    before = max(hall.hall.desk.orders)
    hall.hall.result(1)
    hall.hall.result(2)
    hall.hall.tick(0)
    new = [hall.hall.desk.orders[each] for each in hall.hall.desk.orders if each > before]
    assert [each.board for each in new] == [1, 2]
    sit(hall, 2)
    expect(page.locator("#others li")).to_have_count(2)
    expect(page.locator("#others li").first).to_have_text(f"1{' – '.join(who(hall, 1))}")
    assert uttered() == [first]
    page.evaluate("uttered[0].onend()")
    second = f"Board 1: {who(hall, 1)[0]} against {who(hall, 1)[1]}"
    assert uttered() == [first, second]
    page.evaluate("uttered[1].onend()")
    # Neither a hub that was away nor a reloaded page makes it repeat a call.
    port = hall.pages.port
    hall.pages.stop()
    expect(page.locator("#status")).to_be_visible()
    hall.serve(port)
    hall.pages.start()
    expect(page.locator("#status")).to_be_hidden()
    assert uttered() == [first, second]
    page.reload()
    expect(page.locator("#said li")).to_have_count(2)
    page.get_by_role("button", name="Speak").click()
    assert first not in uttered()
    assert second not in uttered()
    assert page.evaluate("uttered[0]?.rate ?? 1.2") == 1.2
    hall.pages.stop()


def test_who_has_not_come_two_minutes_after_a_call_is_called_again(page: Page):
    hall = ShownHall(1, 4)
    hall.turn(sits=0)
    hall.live.pace = 600
    hall.pages.start()
    page.goto(url(hall, "announcer"))
    page.get_by_role("button", name="Said: next").click()
    expect(page.locator(".call")).to_contain_text("They have not come: call them again.")
    sit(hall, 1)
    expect(page.get_by_text("Nobody is waiting to be called.")).to_be_visible()
    hall.pages.stop()
