"""The hub's page of people: who comes, who leaves, and who plays in which class."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from jackspot.values import changed
from jackspot_hub.desk.attaching import put_aside
from jackspot_hub.desk.entering import check_in, enter, register, reword, withdraw
from jackspot_hub.event.contest import Contest, Knockout
from jackspot_hub.event.programme import PlayedClass
from jackspot_hub.event_file import programme_of
from tests.conftest import new_context
from tests.hub.shown import ShownHall
from tests.hub.test_loose_results import played_freely

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
from tests.browser.hub.conftest import sign_in, sign_in_by_post, url

pytestmark = pytest.mark.browser


def test_who_has_left_comes_again_by_a_tap_on_the_page_of_people(
    page: Page, day: ShownHall
) -> None:
    sign_in(page, day, "people")
    page.locator("[data-person='5']").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="Withdraw").click()
    expect(sheet.locator("#entries .preview")).to_contain_text("Over from then on: ")
    assert not day.hall.desk.programme.classes["drawn"].contest.away
    sheet.get_by_role("button", name="Withdraw: what is left is forfeited").click()
    expect(sheet).to_contain_text("withdrawn")
    (away,) = day.hall.desk.programme.classes["drawn"].contest.away
    assert away.entrant == 5
    sheet.get_by_role("button", name="Comes again").click()
    expect(sheet.get_by_role("button", name="Withdraw")).to_be_visible()
    assert not day.hall.desk.programme.classes["drawn"].contest.left


def test_nothing_is_undone_or_withdrawn_before_what_comes_of_it_was_read(
    page: Page, day: ShownHall
) -> None:
    day.do(lambda desk: withdraw(desk, "drawn", 5, "other")).result()
    before = day.hall.desk
    sign_in(page, day, "people")
    page.route("**/api/hub/preview/*", lambda route: route.abort())
    undo = page.locator("#steps li").first.get_by_role("button", name="Undo")
    undo.click()
    refused = page.locator("#refused")
    expect(refused).to_have_text("The hub does not answer; nothing was changed.")
    page.locator("[data-person='6']").click()
    sheet = page.get_by_role("dialog")
    expect(refused).to_be_hidden()
    sheet.get_by_role("button", name="Withdraw").click()
    expect(refused).to_have_text("The hub does not answer; nothing was changed.")
    expect(sheet.get_by_role("button", name="Withdraw")).to_have_text("Withdraw")
    assert day.hall.desk is before
    page.unroute("**/api/hub/preview/*")
    sheet.get_by_role("button", name="Withdraw").click()
    expect(sheet.get_by_role("button", name="Withdraw: what is left is forfeited")).to_be_visible()
    expect(refused).to_be_hidden()
    sheet.get_by_role("button", name="Close").click()
    undo.click()
    expect(page.get_by_role("button", name="Undo it")).to_be_focused()


def test_an_open_sheet_of_a_person_keeps_what_another_desk_has_written(
    page: Page, day: ShownHall
) -> None:
    known = day.hall.desk.programme.people[5]
    sign_in(page, day, "people")
    page.locator("[data-person='5']").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Reading in kana").fill("はな")
    day.do(lambda desk: reword(desk, changed(known, name="Hanna", club="Kyoto"), "other")).result()
    expect(sheet).to_contain_text("Hanna, number 5")
    expect(sheet.get_by_label("Club or family")).to_have_value("Kyoto")
    with page.expect_response("**/do/reword*"):
        sheet.get_by_role("button", name="Save").click()
    now = day.hall.desk.programme.people[5]
    assert (now.name, now.kana, now.club) == ("Hanna", "はな", "Kyoto")


def test_who_does_not_fit_a_class_by_age_is_entered_with_the_reason_seen(
    page: Page, hall: ShownHall
) -> None:
    desk = hall.hall.desk
    kids = PlayedClass(
        Contest("kids", (), Knockout()), {}, {"rules": "hikone"}, "Children", born=(2015, None),
        is_drawn=False,
    )  # fmt: skip
    classes = {**desk.programme.classes, "kids": kids}
    hall.hall.desk = changed(desk, programme=changed(desk.programme, classes=classes))
    hall.show()
    sign_in(page, hall)
    page.goto(url(hall, "people"))
    new = page.locator("#register")
    new.get_by_label("Name").fill("Old Oskar")
    new.get_by_label("Year of birth", exact=True).fill("1950")
    new.get_by_label("Children").check()
    new.get_by_role("button", name="Register").click()
    expect(new.get_by_text("Children is for those born 2015 or later: Old Oskar")).to_be_visible()
    expect(new.get_by_label("Why they may play all the same")).to_be_focused()
    page.keyboard.type("a class of one otherwise")
    page.keyboard.press("Enter")
    expect(page.locator("#steps")).to_contain_text("whatever their age: a class of one otherwise")
    expect(new.get_by_label("Why they may play all the same")).to_be_hidden()
    name = hall.hall.desk.programme.people[1].name
    page.locator("#people").get_by_role("button", name=name).last.click()
    sheet = page.locator("#person")
    sheet.get_by_label("Class").select_option("Children")
    sheet.get_by_role("button", name="Enter").click()
    sheet.get_by_label("Why they may play all the same").fill("asked for it")
    sheet.get_by_role("button", name="Enter").click()
    expect(sheet.locator("#entries")).to_contain_text("Children")
    sheet.locator("#entries li", has_text="Singles").get_by_role("button").click()
    again = sheet.get_by_role("button", name="Withdraw: what is left is forfeited")
    expect(again).to_be_visible()
    assert not hall.hall.desk.programme.classes["singles"].contest.left
    again.click()
    expect(sheet.locator("#entries")).to_contain_text("withdrawn")


LATER = {
    "name": "Later", "hall": "later", "boards": 2, "seed": "37",
    "contest": [
        {"name": "pairs", "title": "Pairs", "format": "groups", "groups": 4, "draw": "later",
         "pairs": True},
        {"name": "young", "title": "Young", "format": "all", "draw": "later", "born": [2010, 0]},
        {"name": "grown", "title": "Grown", "format": "all", "draw": "later"},
    ],
}  # fmt: skip


@pytest.fixture
def later() -> Iterator[ShownHall]:
    """Two classes that are not drawn; Lena, born 2011, and Otto, 1950, play in the second."""
    hall = ShownHall(2, 8, played=programme_of(LATER))
    for number, (name, born) in enumerate((("Lena", 2011), ("Otto", 1950)), start=1):
        hall.do(lambda desk, name=name, born=born: register(desk, name, "desk", born=born)).result()
        hall.do(lambda desk, number=number: enter(desk, "grown", [number], "desk")).result()
    hall.pages.start()
    yield hall
    hall.pages.stop()


def test_the_page_of_people_asks_before_classes_of_other_ages_merge_and_before_a_draw_without_them(
    page: Page, later: ShownHall
) -> None:
    sign_in(page, later, "people")
    young = page.locator(".class").filter(has=page.get_by_role("heading", name="Young"))
    young.get_by_role("button", name="Merge Grown into it").click()
    expect(young).to_contain_text("Otto does not fit")
    assert "grown" in later.hall.desk.programme.classes
    young.get_by_label("Why they may play all the same").fill("too few")
    young.get_by_role("button", name="Merge Grown into it").last.click()
    expect(page.locator("#steps")).to_contain_text("Grown was merged into Young")
    young.get_by_role("button", name="Draw").click()
    assert not later.hall.desk.programme.classes["young"].is_drawn
    young.get_by_role("button", name="2 are not here: draw all the same").click()
    expect(young).to_contain_text("drawn with the seed 37")
    steps = page.locator("#steps li")
    steps.first.get_by_role("button", name="Undo").click()
    expect(steps.first).to_contain_text("Young is not drawn any more.")
    steps.first.get_by_role("button", name="Leave it").click()
    expect(steps.first.get_by_role("button")).to_have_text("Undo")
    expect(young).to_contain_text("drawn with the seed 37")
    steps.first.get_by_role("button", name="Undo").click()
    steps.first.get_by_role("button", name="Undo it").click()
    expect(steps.first).to_contain_text("Taken back: Young was drawn")
    steps.nth(2).get_by_role("button", name="Undo").click()
    expect(steps.nth(2)).to_contain_text("Grown is a class of its own, 2 entries.")
    expect(steps.nth(2)).to_contain_text("Young: 0 entries instead of 2.")
    steps.nth(2).get_by_role("button", name="Leave it").click()
    page.locator("#register").get_by_label("Name", exact=True).fill("Lena")
    page.locator("#register").get_by_role("button", name="Register").click()
    expect(page.locator("#refused")).to_contain_text("Lena is registered already, as number 1")


@pytest.mark.long
def test_a_late_pair_is_entered_as_a_late_person_and_drawn_in_as_many_groups_as_fit(
    page: Page, later: ShownHall
) -> None:
    sign_in(page, later, "people")
    new = page.locator("#register")
    partner = new.get_by_label("Partner", exact=True)
    for one, two in (("Aiko", "Ben"), ("Chie", "Otto")):
        new.get_by_label("Name", exact=True).fill(one)
        expect(partner).to_be_hidden()
        new.get_by_label("Pairs").check()
        partner.fill(two)
        expect(new.get_by_label("Partner's year of birth")).to_be_visible(visible=two != "Otto")
        new.get_by_role("button", name="Register").click()
        expect(page.locator("#steps")).to_contain_text(f"{one}, {two} play in Pairs")
    pairs = page.locator(".class").filter(has=page.get_by_role("heading", name="Pairs"))
    page.get_by_role("button", name="Lena").last.click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_label("Partner")).to_be_visible()
    sheet.get_by_label("Partner").fill("Dirk")
    sheet.get_by_role("button", name="Enter").click()
    expect(sheet.locator("#entries")).to_contain_text("Pairs with Dirk")
    sheet.get_by_label("Class").select_option("Grown")
    expect(sheet.get_by_label("Partner")).to_be_hidden()
    sheet.get_by_role("button", name="Close").click()
    pairs.get_by_role("button", name="Draw").click()
    expect(pairs.get_by_label("Groups")).to_have_value("1")
    pairs.get_by_role("button", name="Do not draw").click()
    expect(pairs.get_by_label("Groups")).to_have_count(0)
    pairs.get_by_role("button", name="Draw").click()
    pairs.get_by_role("button", name="6 are not here: draw all the same").click()
    expect(pairs).to_contain_text("1 group")
    expect(new.locator(".choice", has_text="Pairs")).to_contain_text("drawn: undo its draw first")
    expect(new.get_by_label("Pairs")).to_be_disabled()
    pairs.get_by_role("button", name="Undo the draw").click()
    expect(page.locator("#steps")).to_contain_text("Taken back: Pairs was drawn")
    expect(new.get_by_label("Pairs")).to_be_enabled()
    assert not later.hall.desk.programme.classes["pairs"].is_drawn


@pytest.mark.long
def test_of_two_people_of_one_name_a_partner_is_chosen_by_number(
    page: Page, later: ShownHall
) -> None:
    later.do(lambda desk: register(desk, "Otto", "desk", club="Kyoto")).result()
    sign_in(page, later, "people")
    page.get_by_role("button", name="Lena").last.click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="Enter").click()
    expect(sheet).to_contain_text("It is played in pairs: say who the partner is.")
    expect(sheet.get_by_label("Partner")).to_be_focused()
    sheet.get_by_label("Partner").fill("Otto")
    sheet.get_by_role("button", name="Enter").click()
    expect(sheet.get_by_role("alert")).to_contain_text("there are 2 people named 'Otto'")
    sheet.get_by_label("Partner").fill("Otto, number 3")
    sheet.get_by_role("button", name="Enter").click()
    expect(sheet.locator("#entries")).to_contain_text("Pairs with Otto")
    assert later.hall.desk.programme.classes["pairs"].people == {1: (1, 3)}


@pytest.mark.parametrize(("language", "label"), [("en", None), ("de", "Die Tabelle"), ("ja", "表")])
def test_a_table_is_called_as_what_is_written_and_no_furniture(
    browser: Browser, day: ShownHall, language: str, label: str | None
) -> None:
    context = new_context(browser, locale=language)
    page = context.new_page()
    sign_in_by_post(page, day)
    page.goto(url(day, "people"))
    expect(page.get_by_label(label or "The table to enter", exact=True)).to_have_attribute(
        "id", "text"
    )
    context.close()


def test_every_step_can_be_reached_and_says_which_result_was_put_aside(
    page: Page, day: ShownHall
) -> None:
    for seq, name in enumerate(("Xaver", "Yvonne"), start=1):
        played_freely(day.hall, name, "Zoe", seq=seq)
    for each in list(day.hall.desk.unattached):
        day.do(lambda desk, each=each: put_aside(desk, each["id"], "Aiko")).result()
    for at in range(130):
        day.do(lambda desk, at=at: check_in(desk, 1, "Aiko", there=at % 2 == 0)).result()
    sign_in(page, day, "people")
    steps = page.locator("#steps li")
    expect(steps).to_have_count(60)
    page.get_by_role("button", name="Older steps").click()
    expect(steps).to_have_count(132)
    expect(page.get_by_role("button", name="Older steps")).to_be_hidden()
    board = day.hall.desk.past[-132].entry
    assert board.kind == "attached"
    expect(steps.nth(131)).to_contain_text("Xaver 12 : 0 Zoe, counts for no match")
    expect(steps.nth(130)).to_contain_text("The result of board 2, Yvonne 12 : 0 Zoe")
    steps.nth(131).get_by_role("button", name="Undo").click()
    expect(steps).to_have_count(133)
    expect(steps.last).to_have_class(re.compile("is-undone"))


def test_the_sheet_of_somebody_begins_at_its_top_and_offers_what_they_do_not_play_yet(
    browser: Browser, later: ShownHall
) -> None:
    later.do(lambda desk: enter(desk, "young", [1], "desk")).result()
    context = new_context(browser, viewport={"width": 390, "height": 500})
    page = context.new_page()
    sign_in(page, later, "people")
    page.get_by_role("button", name="Lena").last.click()
    sheet = page.locator("#person")
    expect(sheet.get_by_role("heading", name="Lena")).to_be_in_viewport(ratio=1)
    expect(sheet.get_by_role("heading", name="Lena")).to_be_focused()
    expect(sheet.get_by_label("Class")).to_have_value("pairs")
    sheet.get_by_role("button", name="Close").click()
    later.do(lambda desk: enter(desk, "pairs", [1, 2], "desk")).result()
    page.get_by_role("button", name="Otto").last.click()
    expect(sheet.get_by_label("Class")).to_have_value("young")
    context.close()
