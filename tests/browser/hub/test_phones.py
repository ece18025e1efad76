"""The hub's page on phones: people find their name and see where to go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from jackspot_hub.desk.entering import register
from jackspot_hub.event.fixtures import entrants_of
from jackspot_hub.event_file import programme_of
from tests.hub.shown import ShownHall

if TYPE_CHECKING:
    from playwright.sync_api import Page
from tests.browser.hub.conftest import sit, url, who

pytestmark = pytest.mark.browser


def test_a_phone_finds_a_name_as_people_type_it_keeps_it_and_shows_the_call(
    page: Page, hall: ShownHall
):
    board, name = next(
        (board, name) for board in range(1, 9) for name in who(hall, board)
        if set(name) & set("üäß")
    )  # fmt: skip
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(url(hall))
    typed = name.lower().replace("ü", "u").replace("ä", "a").replace("ß", "ss")
    page.get_by_label("Who are you?").fill(typed)
    page.get_by_role("button", name=name).click()
    expect(page.locator(".called b")).to_have_text(str(board))
    assert page.locator(".called b").evaluate("e => e.clientHeight") > 100
    page.reload()
    expect(page.locator("#me")).to_have_text(name)
    expect(page.locator(".called b")).to_have_text(str(board))
    sit(hall, board)
    expect(page.locator(".waiting")).to_have_text("You play now.")
    page.get_by_role("button", name="Someone else").click()
    expect(page.get_by_label("Who are you?")).to_be_visible()


def test_a_phone_says_that_a_name_is_not_found_and_how_many_more_are(page: Page) -> None:
    hall = ShownHall(8, 40)
    hall.turn()
    hall.pages.start()
    page.goto(url(hall))
    more = page.get_by_role("status").filter(visible=True)
    expect(more).to_have_text("10 others")
    name = page.get_by_label("Who are you?")
    name.fill("Xaver")
    expect(more).to_have_text("No name found: names stand here once their class is drawn.")
    name.fill(who(hall, 1)[0])
    expect(more).to_have_count(0)
    hall.pages.stop()


def test_a_phone_says_that_one_waits_and_with_whom_one_plays(page: Page, day: ShownHall) -> None:
    drawn = day.hall.desk.drawn("drawn")
    (waits,), (fixture,) = drawn.waits, drawn.fixtures
    people = day.hall.desk.programme.people
    me, mate = (people[each].name for each in entrants_of(fixture.sides)[:2])
    for name, says in ((people[waits.entrant].name, "You sit out this round."),
                       ("Chie", "Play whom you like"), (me, f"with {mate}, against")):  # fmt: skip
        page.goto(url(day))
        page.evaluate("name => localStorage.setItem('jackspot-me', name)", name)
        page.reload()
        expect(page.locator("#mine")).to_contain_text(says)
    page.goto(url(day, "print"))
    expect(page.locator(".waits")).to_have_text(f"Waits: {people[waits.entrant].name}")


CLASSES = {
    "name": "Day", "hall": "day", "boards": 3, "seed": "1",
    "contest": [
        {"name": "s", "title": "Singles", "format": "all", "entrants": ["Aiko Mori", "Ben Ito"]},
        {"name": "k", "title": "Kids", "format": "all", "names": "initials",
         "entrants": ["Aiko Mori", "Chie Abe"]},
        {"name": "p", "title": "Pairs", "format": "all",
         "entrants": [["Dirk Xu", "Ben Ito"], ["Emi Oda", "Goro Ueda"]]},
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("kept", "name", "then", "titles"),
    [
        ("", "A. M.", "Aiko Mori", ["Singles", "Kids"]),
        ("", "Aiko Mori", "Aiko Mori", ["Singles", "Kids"]),
        ("", "C. A.", "C. A. (3)", ["Kids"]),
        ("", "Ben Ito", "Ben Ito", ["Singles", "Pairs"]),
        ("A. M.", "A. M.", "Aiko Mori", ["Singles", "Kids"]),
        ('{"event": "Another", "ids": ["2"], "name": "C. A."}', "C. A.", "C. A. (3)", ["Kids"]),
    ],
)
def test_a_phone_knows_its_player_in_all_classes_however_names_are_shown(
    page: Page, kept: str, name: str, then: str, titles: list[str]
) -> None:
    hall = ShownHall(0, 0, played=programme_of(CLASSES))
    hall.turn(sits=0)
    hall.pages.start()
    page.goto(url(hall))
    if kept:
        page.evaluate("kept => localStorage.setItem('jackspot-me', kept)", kept)
        page.reload()
    else:
        page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator("#me")).to_have_text(name)
    expect(page.locator("#matches h3")).to_have_text(titles)
    expect(page.locator("#tables .is-me")).to_have_count(len(titles))
    for other in ("Akira Mita", "Cem Arslan"):
        hall.do(lambda desk, other=other: register(desk, other, "desk")).result()
    expect(page.locator("#me")).to_have_text(then)
    page.reload()
    expect(page.locator("#me")).to_have_text(then)
    expect(page.locator("#matches h3")).to_have_text(titles)
    expect(page.locator("#tables .is-me")).to_have_count(len(titles))
    hall.pages.stop()
