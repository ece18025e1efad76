"""All of the hub's pages: everybody can use them, in any language."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from jackspot.displays.words import LANGUAGES, translator
from jackspot.festival.messages import What
from jackspot_hub.desk.entering import check_in
from jackspot_hub.event_file import programme_of
from tests.browser.accessible import grave_faults
from tests.conftest import new_context, thinned
from tests.hub.shown import ShownHall

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
from tests.browser.hub.conftest import LOST, sign_in, sign_in_by_post, sit, url

pytestmark = pytest.mark.browser

PAGES = ("", "wall", "desk", "announcer", "referees", "print")

UNSAID = """() => {
    const all = [...document.querySelectorAll("body, body *")];
    const own = all.flatMap((each) => [...each.childNodes, ...each.attributes])
        .filter((each) => each.nodeType !== Node.ELEMENT_NODE)
        .map((each) => each.nodeValue ?? "");
    const blanks = own.filter((text) => /\\{\\w+\\}|undefined|\\[object|NaN/.test(text));
    const unsaid = all.filter((each) => "say" in each.dataset).map((each) => each.outerHTML);
    return [...blanks, ...unsaid];
}"""
"""Lists placeholders that were not filled and text that was not translated."""


SHADES = {
    "": "dark",
    "desk": "light",
    "announcer": "dark",
    "referees": "dark",
    "print": "light",
}
"""The shade in which each page is checked by default; the long run checks both."""


@pytest.mark.parametrize(
    ("path", "theme"),
    thinned(product(SHADES, ("light", "dark")), set(SHADES.items())),
)
def test_people_who_see_hear_or_move_differently_can_use_a_page(
    page: Page, hall: ShownHall, path: str, theme: str
):
    sit(hall, 1, 2)
    hall.hall.say(1, What.STATUS, LOST)
    hall.hall.say(2, What.CALL, {"v": 1})
    hall.show()
    if path in {"desk", "referees"}:
        sign_in(page, hall, path)
        expect(page.locator(".card, .spot").first).to_be_visible()
    else:
        page.goto(url(hall, path))
        expect(page.locator("#event")).not_to_be_empty()
    page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
    assert not grave_faults(page)


@pytest.mark.parametrize("language", thinned(LANGUAGES, {"ja"}))
def test_nothing_is_left_unsaid_in_any_language(browser: Browser, hall: ShownHall, language: str):
    sit(hall, 1)
    context = new_context(browser, locale=language)
    page = context.new_page()
    sign_in_by_post(page, hall)
    found = []
    for path in PAGES:
        page.goto(url(hall, path))
        expect(page.locator("html")).to_have_attribute("lang", language)
        page.wait_for_function("() => window.stream?.readyState === 1")
        if path != "referees":
            expect(page.locator("#event")).to_have_text(hall.hall.desk.programme.name)
        found += [f"{path}: {each}" for each in page.evaluate(UNSAID)]
    context.close()
    assert not found


@pytest.mark.parametrize(
    ("path", "language"),
    thinned(
        product(("desk", "people", "referees", "announcer", "print"), LANGUAGES),
        {
            ("desk", "ja"),
            ("people", "de"),
        },
    ),
)
def test_pages_of_the_desk_fit_a_phone_and_name_themselves_in_the_readers_language(
    browser: Browser, played: ShownHall, path: str, language: str
) -> None:
    context = new_context(browser, locale=language, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(url(played, path))
    expect(page).to_have_title(re.compile(f"^{translator(language)(path.capitalize())}"))
    sign_in_by_post(page, played)
    page.reload()
    expect(page.locator("h1")).not_to_have_text("")
    page.evaluate("document.fonts.ready.then(() => null)")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def test_no_page_is_wider_than_a_small_phone_by_a_name_without_a_break(page: Page):
    names = ["W" * 64, "x" * 64, "y" * 64, "z" * 64]
    contest = {"name": "open", "format": "knockout", "entrants": names}
    hall = ShownHall(0, 0, played=programme_of(
        {"name": "Cup", "hall": "hall", "boards": 2, "contest": [contest]}
    ))  # fmt: skip
    hall.turn(ends=0, sits=1)
    hall.hall.write(check_in(hall.hall.desk, 1, there=True, by="desk"))
    hall.show()
    hall.pages.start()
    page.set_viewport_size({"width": 320, "height": 640})
    sign_in_by_post(page, hall)
    page.goto(url(hall))
    page.evaluate("name => localStorage.setItem('jackspot-me', name)", names[0])
    for path, shown in (("", "#me"), ("desk", "#matches .row"), ("people", "#steps li")):
        page.goto(url(hall, path))
        expect(page.locator(shown).first).to_be_visible()
        wide = page.evaluate("document.scrollingElement.scrollWidth")
        assert wide <= 320, (path, wide)
    page.locator("[data-person='1']").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator("h2")).to_contain_text(names[0])
    assert sheet.evaluate("e => e.scrollWidth <= e.clientWidth")
    page.goto(url(hall))
    box = page.get_by_role("button", name="Someone else").bounding_box()
    assert box
    assert box["x"] + box["width"] <= 320
    hall.pages.stop()
