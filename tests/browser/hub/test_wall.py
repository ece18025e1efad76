"""The hub's wall: who is called where, how boards stand, and nothing sticks out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from jackspot.festival.messages import What
from jackspot_hub.desk.revising import correct
from jackspot_hub.desk.step import give_notice
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.event_file import programme_of
from tests.conftest import thinned
from tests.hub.shown import ShownHall
from tests.hub.test_hub_goes_on import SetWall
from tests.hub.test_loose_results import played_freely

if TYPE_CHECKING:
    from playwright.sync_api import Page
from tests.browser.hub.conftest import LOST, READY, sign_in, sit, url, who

pytestmark = pytest.mark.browser

MINUTE_MS = 60_000
TURN_MS = 12_000
SCREENS = ((1920, 1080), (3840, 2160), (1080, 1920))

HALLS = thinned(((8, 8, 4), (16, 32, 8), (72, 145, 8)), {(72, 145, 8)})

IS_CUT = """() => {
    const whole = document.getElementById("scene").getBoundingClientRect();
    return [...document.querySelectorAll("#scene p, #scene h2")].filter((each) => {
        const { right, bottom } = each.getBoundingClientRect();
        return right > whole.right + 1 || bottom > whole.bottom + 1;
    }).map((each) => each.textContent);
}"""
"""What of a scene is below its edge, or right of it."""

STICKS_OUT = """() => {
    const found = [];
    const { scrollWidth, scrollHeight } = document.scrollingElement;
    if (scrollWidth > innerWidth || scrollHeight > innerHeight) {
        found.push(`the page is ${scrollWidth} by ${scrollHeight}`);
    }
    for (const each of document.querySelectorAll("body *")) {
        const { left, top, right, bottom, width, height } = each.getBoundingClientRect();
        const isOut = left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
        if (width > 0 && height > 0 && isOut) {
            found.push(`${each.tagName} ${each.className} ${each.textContent.slice(0, 30)}`);
        }
    }
    for (const tile of document.querySelectorAll(".tile, .overview, .turning, .calls, .rounds")) {
        if (tile.scrollHeight > tile.clientHeight + 1) {
            found.push(`cut: ${tile.className} ${tile.textContent.slice(0, 50)}`);
        }
    }
    for (const head of document.querySelectorAll(".tile header")) {
        const [number, said] = [...head.children].map((each) => each.getBoundingClientRect());
        if (said.right > head.getBoundingClientRect().right + 1 || said.left < number.right + 3) {
            found.push(`no room: ${head.textContent}`);
        }
    }
    return found;
}"""


def test_the_wall_says_who_is_called_where_and_how_boards_stand(page: Page, hall: ShownHall):
    page.goto(url(hall, "wall?scene=boards"))
    called = page.locator("#called li")
    for board in (1, 2):
        row = called.filter(has=page.locator("b", has_text=f"{board}"))
        for name in who(hall, board):
            expect(row).to_contain_text(name)
    sit(hall, 1)
    tile = page.locator(".tile").filter(has=page.get_by_role("heading", name="1", exact=True))
    score = hall.hall.desk.seen[1].score
    assert score is not None
    expect(tile).to_have_class("tile is-playing")
    expect(tile.locator(".row b")).to_have_text([str(each["score"]) for each in score["sides"]])
    hall.hall.say(1, What.STATUS, LOST)
    hall.show()
    expect(tile).to_have_class("tile is-away")
    expect(tile.locator("header")).to_contain_text("away")
    pale = tile.evaluate("e => getComputedStyle(e).color")
    assert pale != page.evaluate("getComputedStyle(document.body).color")
    hall.hall.say(1, What.STATUS, READY)
    hall.show()
    expect(tile).to_have_class("tile is-playing")


@pytest.mark.parametrize(
    ("by", "before", "own", "words"),
    [
        ("meeting", 2, 0, "won their match"),
        pytest.param("meeting", 4, 2, "wins among those tied, 2 to 1", marks=pytest.mark.long),
        ("meeting", 3, 1, "wins among those tied, 1½ to ½"),
        ("opponents", 14, 11, "opponents' wins, 7 to 5½"),
        pytest.param("opponents", 1, 0, "opponents' wins, ½ to 0", marks=pytest.mark.long),
        ("difference", 24, -3, "difference +24 to −3"),
        ("wins", 4, 2, ""),
    ],
)
def test_what_decided_is_said_as_people_count(
    page: Page, hall: ShownHall, by: str, before: int, own: int, words: str
):
    page.goto(url(hall, "wall?scene=boards"))
    expect(page.locator("#called li")).not_to_have_count(0)
    decided = {"by": by, "before": before, "own": own}
    said = page.evaluate(
        "async decided => (await import('/told.js')).decided({ decided })", decided
    )
    assert said == words


@pytest.mark.parametrize(
    ("people", "short"),
    [
        (["Aiko Tanaka", "Ben Müller"], ["Aiko", "Ben"]),
        (["Girl Three", "Girl Two"], ["Girl Th.", "Girl Two"]),
        (["Girl Three", "Girl Two", "Girl One"], ["Girl Th.", "Girl Two", "Girl O."]),
        (["田中 愛子", "田中 蓮"], ["田中 愛子", "田中 蓮"]),
        (["田中 愛子美", "田中 蓮"], ["田中 愛", "田中 蓮"]),
        (["Otto", "Otto Weiß"], ["Otto", "Otto W."]),
        (["Ann Lee", "Ann Lee-Smith"], ["Ann Lee", "Ann Lee-."]),
        (["Otto (1)", "Otto (12)"], ["Otto (1)", "Otto (12)"]),
        (["3", "12"], ["3", "12"]),
    ],
)
def test_names_in_small_fields_are_as_short_as_they_can_be_told_apart(
    page: Page, hall: ShownHall, people: list[str], short: list[str]
):
    page.goto(url(hall, "wall?scene=boards"))
    expect(page.locator("#called li")).not_to_have_count(0)
    said = page.evaluate(
        "async names => { const { shortIn } = await import('/told.js');"
        " const sides = names.map(name => [name]); return sides.map(shortIn(sides)); }",
        people,
    )
    assert said == short
    assert len(set(said)) == len(said)


@pytest.mark.parametrize(
    "people", [("Aiko", "Ben"), ("\u05d0\u05d1", "Ben"), ("\u05d0\u05d1", "\u0645\u0646")]
)
def test_the_first_number_of_a_result_stands_first_whatever_way_names_are_written(
    page: Page, hall: ShownHall, people: tuple[str, str]
):
    page.goto(url(hall, "wall?scene=boards"))
    expect(page.locator("#called li")).not_to_have_count(0)
    said, first, second = page.evaluate(
        """async ([one, two]) => {
            const { resultOf } = await import("/told.js");
            const line = document.createElement("p");
            line.textContent = resultOf(
                [{ names: [one], points: 12 }, { names: [two], points: 7 }]
            );
            document.body.append(line);
            const left = (part) => {
                const range = document.createRange();
                const at = line.textContent.indexOf(part);
                range.setStart(line.firstChild, at);
                range.setEnd(line.firstChild, at + part.length);
                return range.getBoundingClientRect().left;
            };
            return [line.textContent, left("12"), left("7")];
        }""",
        people,
    )
    assert first < second
    assert people != ("Aiko", "Ben") or said == "Aiko 12 : 7 Ben"


def test_two_of_one_first_name_are_told_apart_on_the_wall_and_at_the_desk(page: Page):
    contest = {"name": "girls", "format": "all", "entrants": ["Girl Two", "Girl Three"]}
    event = {"name": "Cup", "hall": "hall", "boards": 1, "contest": [contest]}
    hall = ShownHall(0, 0, played=programme_of(event))
    hall.turn()
    hall.pages.start()
    page.goto(url(hall, "wall?scene=boards"))
    expect(page.locator(".tile .name")).to_have_count(2)
    assert sorted(page.locator(".tile .name").all_inner_texts()) == ["Girl Th.", "Girl Two"]
    sign_in(page, hall)
    expect(page.locator(".spot .line")).to_have_count(2)
    assert sorted(page.locator(".spot .line span").all_inner_texts()) == ["Girl Th.", "Girl Two"]
    hall.pages.stop()


def test_the_wall_comes_back_by_itself_when_the_hub_does(page: Page, hall: ShownHall):
    page.goto(url(hall, "wall?scene=boards"))
    expect(page.locator(".tile.is-called")).not_to_have_count(0)
    port = hall.pages.port
    hall.pages.stop()
    expect(page.locator("#status")).to_have_text("The hub is away; this is how it stood.")
    expect(page.locator(".tile")).to_have_count(8)
    sit(hall, 1)
    hall.serve(port)
    hall.pages.start()
    expect(page.locator("#status")).to_be_hidden()
    expect(page.locator(".tile.is-playing")).to_have_count(1)


def test_clocks_go_on_by_the_hub_when_the_clock_of_the_device_is_set(page: Page, hall: ShownHall):
    sit(hall, 1, 2)
    page.clock.install()
    page.goto(url(hall, "wall?scene=boards"))
    clocks = page.locator(".tile.is-playing .beside-number")
    expect(clocks).to_have_count(2)
    page.clock.pause_at(page.evaluate("Date.now() / 1_000 + 1"))
    shown = clocks.all_inner_texts()
    assert "0:00" not in shown
    for jump_s in (600, -600):
        page.clock.set_system_time(page.evaluate("by => Date.now() / 1_000 + by", jump_s))
        page.evaluate("dispatchEvent(new Event('resize'))")
        assert clocks.all_inner_texts() == shown


def test_clocks_follow_a_hub_whose_own_clock_is_set_back(page: Page, hall: ShownHall):
    page.goto(url(hall, "wall?scene=boards"))
    expect(page.locator(".tile")).to_have_count(8)
    now = "async () => (await import('/parts.js')).now()"
    before_ms = page.evaluate(now)
    hall.live.wall = SetWall()
    hall.live.wall.ahead_ns = -10 * MINUTE_MS * 1_000_000
    sit(hall, 1)
    expect(page.locator(".tile.is-playing")).to_have_count(1)
    assert page.evaluate(now) < before_ms - 9 * MINUTE_MS


def cup(boards: int, *contests: dict[str, Any], name: str = "Cup") -> ShownHall:
    event = {"name": name, "hall": "hall", "boards": boards, "seed": "1", "contest": list(contests)}
    return ShownHall(0, 0, played=programme_of(event))


def test_the_winners_of_many_classes_all_come_and_none_is_cut(page: Page):
    names = ["Friederike Schmidt-Wächter", "Aiko Tanaka", "Ben Müller", "Chie Sato"]
    hall = cup(12, *(
        {"name": f"c{at}", "title": f"Class {at}", "format": "knockout",
         "entrants": [f"{name} {at}" for name in names]}
        for at in range(6)
    ))  # fmt: skip
    while any(hall.hall.desk.still_open(f"c{at}") for at in range(6)):
        hall.turn(ends=1, sits=1)
    hall.pages.start()
    page.clock.install()
    page.goto(url(hall, "wall"))
    expect(page.locator("body")).to_have_attribute("data-scene", "winners")
    page.clock.pause_at(page.evaluate("Date.now() / 1_000 + 1"))
    shown = []
    for width, height in ((1920, 1080), (1080, 1920), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("dispatchEvent(new Event('resize'))")
        assert page.evaluate(IS_CUT) == []
    for _ in range(2):
        shown += page.locator(".winner h2").all_inner_texts()
        page.clock.run_for(TURN_MS)
    assert shown == [f"Class {at}" for at in range(6)]
    hall.pages.stop()


def test_a_notice_and_the_clock_stand_whole_beside_a_long_name_of_an_event(page: Page):
    contest = {"name": "open", "format": "all", "entrants": ["Aiko", "Ben"]}
    hall = cup(1, contest, name="Deutsche Carrom-Meisterschaft der Jugend und Senioren 2026 Köln")
    text = "Lunch at 12:30, finals start at 14:00!"
    hall.hall.write(give_notice({"en": text}, 600, "desk"))
    hall.show()
    hall.pages.start()
    page.goto(url(hall, "wall"))
    expect(page.locator("#far")).to_have_text(text)
    hall.pages.stop()
    expect(page.locator("#status")).to_be_visible()
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("dispatchEvent(new Event('resize'))")
        cut = "e => e.scrollWidth > e.clientWidth + 1"
        assert not page.locator("#far").evaluate(cut), width
        for each in ("#far", "#status", "#time"):
            box = page.locator(each).bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width


def test_where_no_result_has_room_there_is_no_heading_of_results(page: Page):
    people = ["Aiko", "Ben", "Chie", "Dirk"]
    hall = cup(2, {"name": "open", "title": "Open", "format": "all", "entrants": people})
    hall.turn(sits=0)
    hall.turn(ends=1, sits=1)
    hall.turn(ends=1, sits=1)
    sit(hall, *hall.hall.desk.open_orders)
    hall.pages.start()
    page.goto(url(hall, "wall?scene=boards"))
    heading = page.locator("#turning h2", has_text="Latest results")
    expect(heading).to_be_visible()
    seen = set()
    for height in range(500, 0, -20):
        lower = "(e, height) => { e.style.maxHeight = `${height}px`; }"
        page.locator("#turning").evaluate(lower, height)
        page.evaluate("dispatchEvent(new Event('resize'))")
        has_results = page.locator("#turning .latest li").count() > 0
        assert (heading.count() > 0) == has_results, height
        seen.add(has_results)
    assert seen == {True, False}
    hall.pages.stop()


@pytest.mark.parametrize(
    ("form", "last", "title"),
    [
        ("knockout", "open-third", "Open · Third place"),
        ("knockout", "open-2-1", "Open · Final"),
        ("all", "open-3-2", "Open"),
    ],
)
def test_the_last_match_is_called_a_final_only_where_it_is_one(
    page: Page, form: str, last: str, title: str
):
    people = ["Aiko", "Ben", "Chie", "Dirk"]
    hall = cup(2, {"name": "open", "title": "Open", "format": form, "entrants": people})
    hall.turn(sits=0)
    for _ in people:
        for board, at in list(hall.hall.desk.open_orders.items()):
            if hall.hall.desk.orders[at].key != last:
                hall.hall.sit_down(board)
                hall.hall.result(board)
        hall.hall.tick(0)
    [board] = hall.hall.desk.open_orders
    sit(hall, board)
    hall.pages.start()
    page.goto(url(hall, "wall"))
    expect(page.locator(".final h2")).to_have_text(title)
    hall.pages.stop()


@pytest.mark.parametrize("people", [2, 4])
def test_both_finals_of_two_brackets_stand_on_the_wall_and_on_the_draw_sheet(
    page: Page, people: int
) -> None:
    names = ["Aiko", "Ben", "Chie", "Dirk"][:people]
    hall = cup(2, {"name": "open", "title": "Open", "format": "double", "entrants": names})
    while any(each.key != "open-final" for each in hall.hall.desk.still_open("open")):
        hall.hall.tick(0)
        key = next(each.key for each in hall.hall.desk.still_open("open"))
        hall.hall.write(correct(hall.hall.desk, key, Outcome(0, (5, 1)), "desk"))
    hall.show()
    hall.pages.start()
    for titles in (["Final"], ["Final", "Second final"]):
        page.goto(url(hall, "print"))
        expect(page.locator(".last-matches h3")).to_have_text(titles)
        page.goto(url(hall, "wall?scene=bracket"))
        beside = page.locator(".bracket .beside h3")
        expect(beside).to_have_text(titles, timeout=2 * TURN_MS)
        hall.do(lambda desk: correct(desk, "open-final", Outcome(1, (1, 5)), "desk")).result()
    hall.pages.stop()


def test_free_play_is_not_won_while_it_runs_and_the_wall_shows_its_boards(page: Page) -> None:
    hall = cup(2, {"name": "free", "title": "Free", "format": "free", "entrants": ["Aiko", "Ben"]})
    played_freely(hall.hall, "Aiko", "Ben")
    assert hall.hall.desk.results["free"]
    hall.show()
    hall.pages.start()
    page.clock.install()
    page.goto(url(hall, "wall"))
    expect(page.locator("body")).to_have_attribute("data-scene", "boards")
    page.clock.pause_at(page.evaluate("Date.now() / 1_000 + 1"))
    shown = set()
    for _ in range(4):
        shown.add(page.locator("body").get_attribute("data-scene"))
        page.clock.run_for(TURN_MS)
    assert shown == {"boards", "tables"}
    hall.pages.stop()


@pytest.mark.parametrize(("boards", "people", "turns"), HALLS)
def test_nothing_sticks_out_of_the_wall(page: Page, boards: int, people: int, turns: int):
    hall = ShownHall(boards, people)
    for _ in range(turns):
        hall.turn()
    hall.hall.now_ms -= 12 * MINUTE_MS
    for board in range(5, boards + 1, 5):
        hall.hall.say(board, What.STATUS, LOST)
    hall.show()
    hall.pages.start()
    found = []
    for scene in ("boards", "boards&lang=de", "boards&lang=ja", "bracket", "tables"):
        page.goto(url(hall, f"wall?scene={scene}"))
        expect(page.locator("#scene")).not_to_be_empty()
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("new Promise(requestAnimationFrame)")
            found += [f"{scene} {width}: {each}" for each in page.evaluate(STICKS_OUT)]
    hall.pages.stop()
    assert not found, "\n".join(found[:20])
