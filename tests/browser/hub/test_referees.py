"""The hub's page of referees: where to go next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from jackspot.festival.messages import What
from tests.hub.shown import ShownHall

if TYPE_CHECKING:
    from playwright.sync_api import Page
from tests.browser.hub.conftest import LOST, READY, sign_in, sit, who

pytestmark = pytest.mark.browser


def test_a_referee_sees_where_to_go_and_the_phone_shakes_for_what_is_new(
    page: Page, hall: ShownHall
):
    page.add_init_script("window.shakes = 0; Navigator.prototype.vibrate = () => { shakes += 1; };")
    page.set_viewport_size({"width": 390, "height": 844})
    sit(hall, 1, 2, 3)
    hall.hall.say(1, What.STATUS, LOST)
    hall.show()
    sign_in(page, hall, "referees")
    numbers = page.locator(".card b")
    expect(numbers).to_have_text(["1"])
    assert page.evaluate("shakes") == 0
    hall.hall.say(2, What.CALL, {"v": 1})
    hall.show()
    expect(numbers).to_have_text(["2", "1"])
    expect(page.locator(".card").first).to_contain_text("asks for you")
    expect(page.locator(".card").first).to_contain_text(who(hall, 2)[0])
    assert page.evaluate("shakes") == 1
    assert numbers.first.evaluate("e => e.clientHeight") > 60
    hall.hall.say(2, What.CALL, None)
    hall.hall.say(1, What.STATUS, READY)
    hall.hall.now_ms -= 5 * 60_000
    hall.score(3)
    hall.show()
    expect(page.locator(".card")).to_contain_text(["no stroke for 5 min"])
    expect(numbers).to_have_text(["3"])
