"""The hub's desk: what needs attention, corrections, moves, notices, boards and updates."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from jackspot.festival.messages import What
from jackspot.values import changed
from jackspot_hub.desk.entering import check_in, set_board
from jackspot_hub.desk.revising import correct, preview
from jackspot_hub.desk.state import CarriedRelease, DeskState, contest_of
from jackspot_hub.desk.updates import give_places
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.event.programme import NoShowRule
from jackspot_hub.event_file import programme_of
from tests.hub.halls import MINUTE_MS
from tests.hub.shown import PIN, ShownHall
from tests.hub.test_hub_goes_on import SetWall
from tests.hub.test_loose_results import played_freely

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route
from tests.browser.hub.conftest import LOST, match_on, sign_in, sit, url, who

pytestmark = pytest.mark.browser


def test_the_desk_asks_for_the_pin_and_lists_what_needs_somebody(page: Page, hall: ShownHall):
    page.goto(url(hall, "desk"))
    page.get_by_label("PIN", exact=True).fill("999999")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#wrong")).to_have_text("Wrong PIN.")
    expect(page.locator("#boards")).to_be_empty()
    page.get_by_label("PIN", exact=True).fill(PIN)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#needs")).to_have_text("Nothing: everything is running by itself.")
    expect(page.locator("#day")).to_contain_text("2 boards are free · 52 matches not called yet")
    sit(hall, 1, 2)
    hall.hall.say(1, What.STATUS, LOST)
    hall.hall.say(2, What.CALL, {"v": 1})
    hall.hall.match_says(3, hall.hall.desk.open_orders[3], "declined")
    hall.show()
    expect(page.locator("#needs li")).to_have_count(3)
    expect(page.locator("#needs li").nth(0)).to_contain_text("Board 2 has been asking you to come")
    expect(page.locator("#needs li").nth(1)).to_contain_text("Board 1 is away in a match")
    expect(page.locator("#needs li").nth(2)).to_contain_text("Board 3: others are sitting there")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("PIN", exact=True)).to_be_visible()
    expect(page.locator("#boards")).to_be_empty()


@pytest.mark.always
@pytest.mark.parametrize("begun", [True, False])
def test_the_desk_corrects_a_match_and_says_first_what_comes_of_it(page: Page, begun: bool):
    hall = ShownHall(8, 8)
    while "singles-ko-1-1" not in hall.hall.desk.results.get("singles", {}):
        hall.turn(ends=1, sits=1)
    if begun:
        sit(hall, *hall.hall.desk.open_orders)
    hall.pages.start()
    desk = hall.hall.desk
    first = desk.drawn("singles").tables["singles-A"][0].entrant
    sign_in(page, hall)
    page.get_by_label("Which matches").select_option("over")
    page.get_by_label("Name or number").fill("singles-A")

    def leads_elsewhere(key: str, loser: int) -> bool:
        """Return whether a knockout match gets other people if the winner here loses by far."""
        lost = Outcome(loser, (400 * (1 - loser), 400 * loser))
        seen = preview(desk, correct(desk, key, lost, ""))
        return bool(seen.conflicts if begun else seen.called_anew)

    key, loser = next(
        (key, 1 - at) for key, played in desk.results["singles"].items() for at in (0, 1)
        if first == played.sides[at] == played.winner() and leads_elsewhere(key, 1 - at)
    )  # fmt: skip
    page.locator(f"#matches [data-key={key}]").click()
    page.locator("[name=winner]").nth(loser).check()
    for at, side in enumerate(("first", "second")):
        page.get_by_label(f"Points of the {side} side").fill("400" if at == loser else "0")
    said = page.locator("#preview")
    expect(said).to_contain_text("Open singles · Knockout · 1-1")
    again = "Called again with the right people, since nobody has begun: Open singles · Knockout"
    if not begun:
        expect(said).to_contain_text(again)
    assert hall.hall.desk is desk
    with page.expect_response("**/do/correct*"):
        page.get_by_role("button", name="Save").click()
    conflict = "The results no longer lead to this match as it was played: Open singles · Knockout"
    if begun:
        expect(page.locator("#needs")).to_contain_text(f"{conflict} · 1-1")
    else:
        expect(page.locator("#preview")).to_be_hidden()
        expect(page.locator("#needs")).not_to_contain_text(conflict)
    outcome = hall.hall.desk.results["singles"][key].outcome
    assert outcome is not None
    assert (outcome.winner, outcome.points[loser]) == (loser, 400)
    hall.pages.stop()


@pytest.mark.long
def test_before_a_final_is_said_otherwise_the_desk_says_who_comes_first_then(
    page: Page, played: ShownHall
):
    desk = played.hall.desk
    final = desk.drawn("singles").final
    assert final is not None
    first, second = (names_of(desk, "singles", each) for each in (final.winner, final.loser))
    sign_in(page, played)
    page.get_by_label("Which matches").select_option("over")
    key = next(
        key for key, each in desk.results["singles"].items()
        if "-ko-" in key and set(each.sides) == {final.winner, final.loser}
    )  # fmt: skip
    page.get_by_label("Name or number").fill(key)
    page.locator(f"#matches [data-key={key}]").click()
    at = int(desk.results["singles"][key].sides[1] == final.loser)
    page.locator("[name=winner]").nth(at).check()
    expect(page.locator("#preview")).to_have_text(
        f"First in Open singles: {second} instead of {first}."
    )
    assert played.hall.desk is desk, "nothing was saved"


def names_of(desk: DeskState, contest: str, entrant: object) -> str:
    """Name an entrant as the desk does."""
    assert isinstance(entrant, int)
    return ", ".join(desk.programme.names(contest, entrant))


def test_the_desk_is_offered_the_match_of_those_who_are_here(page: Page) -> None:
    hall = ShownHall(8, 16)
    hall.hall.desk = changed(
        hall.hall.desk, programme=changed(hall.hall.desk.programme, no_show=NoShowRule(300_000))
    )
    hall.turn()
    singles = [
        board for board in hall.hall.desk.open_orders if match_on(hall, board).startswith("s")
    ]  # fmt: skip
    board, other = singles[:2]
    for each in (board, other):
        hall.hall.match_says(each, hall.hall.desk.open_orders[each], "offered")
    key, nobodies = match_on(hall, board), match_on(hall, other)
    order = hall.hall.desk.order_of(board)
    assert order is not None
    hall.hall.write(check_in(hall.hall.desk, order.sides[1], "desk"))
    hall.show()
    hall.pages.start()
    hall.live.wall = wall = SetWall()

    def passes(minutes: float) -> None:
        wall.ahead_ns = int(minutes * MINUTE_MS * 1_000_000)
        page.evaluate("dispatchEvent(new Event('online'))")

    sign_in(page, hall)
    expect(page.locator("#needs")).to_have_text("Nothing: everything is running by itself.")
    played_freely(hall.hall, "Xaver", "Zoe")  # less urgent than people who have not come
    hall.show()
    expect(page.locator("#needs")).to_contain_text("a result that nobody ordered")
    passes(6.5)
    one, two = who(hall, board)
    needed = page.locator(f"#needs [data-key={key}]")
    expect(needed).to_have_text(f"Board {board}: {one} – {two} have not come for 6 min")
    expect(page.locator("#needs li").last).to_contain_text("a result that nobody ordered")
    passes(8.5)
    expect(needed).to_have_text(
        f"Board {board}: not here for 8 min: {one}. By the rule {two} can win now"
    )
    needed.click()
    expect(page.locator("#match-state")).to_contain_text("by the rule of this event")
    page.get_by_role("button", name="Save").click()
    expect(needed).to_be_hidden()
    assert hall.hall.desk.results["singles"][key].outcome == Outcome(1, forfeit=True)
    page.locator(f"#needs [data-key={nobodies}]").click()
    expect(page.locator("#preview")).to_have_text("Say who is here, or that nobody wins.")
    page.route("**/api/hub/preview/correct*", lambda route: route.fulfill(status=409, json={}))
    page.get_by_label("nobody wins").check()
    expect(page.locator("#preview")).to_be_empty()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(f"#needs [data-key={nobodies}]")).to_be_hidden()
    assert hall.hall.desk.results["singles"][nobodies].outcome == Outcome(None, forfeit=True)
    hall.pages.stop()


@pytest.mark.long
def test_the_desk_moves_a_match_with_the_keyboard_alone(page: Page):
    hall = ShownHall(8, 8)
    for _ in range(2):
        hall.turn(ends=0, sits=1)
    hall.pages.start()
    free = next(board for board in range(1, 9) if board not in hall.hall.desk.open_orders)
    key = match_on(hall, 1)
    sign_in(page, hall)
    tile = page.locator(f"#boards [data-key={key}]")
    expect(tile).to_be_visible()
    reach(page, lambda: tile.evaluate("e => e === document.activeElement"))
    page.keyboard.press("Enter")
    expect(page.locator("#match")).to_be_visible()
    reach(page, lambda: page.locator("#move").evaluate("e => e === document.activeElement"))
    page.keyboard.press("Enter")
    goal = page.locator(f"#moves [data-to='{free}']")
    reach(page, lambda: goal.evaluate("e => e === document.activeElement"))
    page.keyboard.press("Enter")
    expect(page.locator("#match")).to_be_hidden()
    expect(page.locator(f"#boards [data-key={key}] b")).to_have_text(str(free))
    assert match_on(hall, free) == key
    hall.pages.stop()


def reach(page: Page, is_there: Callable[[], bool]) -> None:
    """Press Tab until something has the focus, checking after each press."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if is_there():
            return
    pytest.fail("nobody gets there with the Tab key")


def test_a_result_of_no_match_is_given_to_one_by_the_desk(page: Page, hall: ShownHall) -> None:
    board, key = 1, match_on(hall, 1)
    hall.hall.sit_down(board)
    hall.do(lambda desk: correct(desk, key, Outcome(1, (2, 9)), "desk")).result()
    hall.hall.result(board, "N 12*red\nN jack\n")
    hall.show()
    sign_in(page, hall)
    page.get_by_text(f"Board {board} reports").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_label("It is the result of")).to_have_value(key)
    sheet.get_by_text("It counts for this match").click()
    expect(page.get_by_text("Board 1 reports")).to_be_hidden()
    results = hall.hall.desk.results[key.partition("-")[0]]
    assert results[key].winner() == hall.hall.desk.newest(key).sides[0]


def test_of_two_matches_of_the_same_people_each_is_given_the_sides_by_names(page: Page) -> None:
    twice = {"name": "twice", "format": "all", "cycles": 2, "entrants": ["Aiko", "Ben"]}
    event = {"name": "Day", "hall": "day", "boards": 2, "contest": [twice]}
    hall = ShownHall(0, 0, played=programme_of(event))
    hall.turn(sits=0)
    hall.pages.start()
    played_freely(hall.hall, "Aiko", "Ben")
    hall.show()
    sign_in(page, hall)
    page.get_by_text("has a result that nobody ordered: Aiko 12 : 0 Ben").click()
    sheet = page.get_by_role("dialog")
    for fixture in hall.hall.desk.drawn("twice").fixtures * 2:
        one = names_of(hall.hall.desk, "twice", fixture.sides[0])
        sheet.get_by_label("It is the result of").select_option(fixture.key)
        expect(sheet).to_contain_text(f"Which side was {one}?")
        expect(sheet.get_by_role("radio", name=one)).to_be_checked()
    hall.pages.stop()


@pytest.mark.long
def test_the_desk_says_who_has_played_freely_under_another_name(page: Page, day: ShownHall) -> None:
    played_freely(day.hall, "Aika", "Ben")
    day.show()
    sign_in(page, day)
    page.get_by_text("has a result that nobody ordered: Aika 12 : 0 Ben").click()
    sheet = page.get_by_role("dialog")
    counts = sheet.get_by_role("button", name="It counts for this match")
    expect(sheet.get_by_label("It is the result of")).to_have_value("free free")
    expect(sheet.get_by_label("Ben 0")).to_have_value("2")
    expect(counts).to_be_disabled()
    sheet.get_by_label("Aika 12").select_option(label="Aiko")
    expect(counts).to_be_enabled()
    sheet.get_by_role("button", name="Close").click()
    page.get_by_text("has a result that nobody ordered: Aika 12 : 0 Ben").click()
    expect(sheet.get_by_label("Aika 12")).to_have_value("")
    expect(counts).to_be_disabled()
    sheet.get_by_label("Aika 12").select_option(label="Aiko")
    counts.click()
    expect(sheet).to_be_hidden()
    expect(page.locator("#needs")).to_contain_text("Nothing")
    (played,) = day.hall.desk.results["free"].values()
    assert (played.sides, played.winner()) == ((1, 2), 1)


def test_what_is_pressed_while_its_numbers_change_is_opened(page: Page, hall: ShownHall) -> None:
    sit(hall, 1)
    hall.hall.say(2, What.CALL, {"v": 1, "by": "N", "since_ms": 1})
    hall.show()
    page.clock.install()
    sign_in(page, hall)
    asks = page.locator("#needs button")
    said = asks.inner_text()
    asks.hover()
    page.mouse.down()
    page.clock.run_for(30_000)
    expect(asks).not_to_have_text(said)
    page.mouse.up()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("Board 2")
    sheet.get_by_role("button", name="Close").click()
    clock = page.locator(f"#boards [data-key={match_on(hall, 1)}] small")
    said = clock.inner_text()
    clock.hover()
    page.mouse.down()
    hall.score(1)
    hall.show()
    expect(clock).not_to_have_text(said)
    page.mouse.up()
    expect(sheet).to_contain_text("It is at board 1.")


def test_a_notice_is_on_the_wall_and_on_phones_until_it_is_taken_back(
    page: Page, hall: ShownHall
) -> None:
    sign_in(page, hall)
    page.get_by_role("button", name="Notice to all").click()
    page.get_by_label("English").fill("Lunch until 13:30")
    page.get_by_role("dialog").get_by_role("button", name="Show it").click()
    expect(page.locator("#noticed")).to_have_text("Lunch until 13:30")
    for path, where in (("wall", "#far"), ("", "#notice")):
        page.goto(url(hall, path))
        expect(page.locator(where)).to_have_text("Lunch until 13:30")
    page.goto(url(hall, "desk"))
    expect(page.locator("#noticed")).to_have_text("Lunch until 13:30")
    page.get_by_role("button", name="Notice to all").click()
    page.get_by_role("button", name="Take it back").click()
    expect(page.locator("#noticed")).to_be_hidden()


def test_a_board_says_what_its_doctor_has_found(page: Page, hall: ShownHall) -> None:
    hall.hall.say(1, What.CALL, {"v": 1, "by": "N", "since_ms": 1})
    hall.show()
    sign_in(page, hall)
    page.get_by_text("Board 1 has been asking you to come").click()
    sheet = page.get_by_role("dialog", name="Board 1")
    sheet.get_by_role("button", name="Tell it that someone is coming").click()
    expect(sheet.get_by_text("It says that someone is coming.")).to_be_visible()
    sheet.get_by_role("button", name="Check it").click()
    expect(sheet.locator("#findings")).to_contain_text("temperature: 78 degrees")
    assert [asked[:2] for asked in hall.asked] == [(1, "coming"), (1, "doctor")]


def test_a_newer_version_is_offered_to_one_board_or_to_all_and_the_desk_sees_how_far_they_are(
    page: Page, hall: ShownHall
) -> None:
    def runs(board: int, version: str = "0.1.0") -> None:
        about = {"v": 1, "name": "x", "version": version, "rules": [], "pages": [], "parts": []}
        hall.hall.say(board, What.ABOUT, about)

    def told(board: int, step: str, why: str = "") -> None:
        hall.hall.desk = give_places(hall.hall.desk, hall.hall.now_ms)
        said = {"v": 1, "offer": hall.hall.desk.offers[board], "release": "0.2.0", "step": step,
                "percent": 40, "why": why}  # fmt: skip
        hall.hall.say(board, What.UPDATE, said)
        hall.hall.desk = give_places(hall.hall.desk, hall.hall.now_ms)
        hall.show()

    free = next(n for n in range(1, 9) if n not in hall.hall.desk.open_orders)
    for board in range(1, 9):
        runs(board)
    hall.show()
    sign_in(page, hall)
    expect(page.get_by_role("button", name="Update boards")).to_be_hidden()
    page.locator(f"#boards [data-board='{free}']").click()
    sheet = page.get_by_role("dialog", name=f"Board {free}")
    expect(sheet.get_by_text("It runs Jackspot 0.1.0.")).to_be_visible()
    carried = CarriedRelease("0.2.0", "jackspot-0.2.0.update", 9, "0" * 64, 8470)
    hall.hall.desk = changed(hall.hall.desk, carried=carried)
    hall.show()
    sheet.get_by_role("button", name="Offer it Jackspot 0.2.0").click()
    expect(sheet.get_by_text("waits for its turn")).to_be_visible()
    told(free, "fetching")
    expect(sheet.get_by_text("downloads it: 40 %")).to_be_visible()
    told(free, "back", "trial: jackspot.service did not stay up: after 3 s it is failed")
    expect(sheet.get_by_text("went back to the version before: trial")).to_be_visible()
    sheet.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Update boards").click()
    sheet = page.get_by_role("dialog", name="Update boards")
    hall.hall.now_ms += 1
    sheet.get_by_role("button", name="Offer it to all boards").click()
    expect(sheet.get_by_text("waits for its turn")).to_have_count(8)
    told(free, "done")
    runs(free, "0.2.0")
    hall.show()
    expect(sheet.get_by_role("listitem").filter(has_text="0.2.0")).to_contain_text("has it")
    sheet.get_by_role("button", name="Stop offering it").click()
    expect(sheet.get_by_text("waits for its turn")).to_have_count(0)


def test_a_board_is_locked_and_kept_for_a_class_on_its_sheet(page: Page, hall: ShownHall) -> None:
    sign_in(page, hall)
    key = match_on(hall, 2)
    page.locator(f"#boards [data-key={key}]").click()
    page.get_by_role("button", name="Its board").click()
    page.get_by_label("kept for Open singles").check()
    page.get_by_role("button", name="Close").click()
    page.locator(f"#boards [data-key={key}]").click()
    page.get_by_role("button", name="Its board").click()
    page.get_by_label("locked: it gets no match").check()
    page.get_by_role("button", name="Close").click()
    page.locator(f"#boards [data-key={key}]").click()
    page.get_by_role("button", name="Its board").click()
    expect(page.get_by_label("locked: it gets no match")).to_be_checked()
    (board,) = (each for each in hall.hall.desk.programme.boards if each.number == 2)
    assert (board.locked, board.kept_for) == (True, frozenset({"singles"}))
    expect(page.get_by_label("kept for Open singles")).to_be_checked()
    page.get_by_role("button", name="Close").click()
    sit(hall, 2)
    tile = page.locator("#boards button").nth(1)
    expect(tile).not_to_contain_text("locked")
    hall.hall.result(2)
    hall.show()
    expect(tile).to_contain_text("locked")
    expect(page.locator("#day")).to_contain_text("2 boards are free")


def test_a_board_whose_match_is_over_has_its_sheet_too(page: Page, hall: ShownHall) -> None:
    key = match_on(hall, 2)
    sit(hall, 2)
    hall.hall.result(2)
    hall.show()
    sign_in(page, hall)
    tile = page.locator("#boards button").nth(1)
    expect(tile).to_contain_text("over")
    tile.click()
    expect(page.locator("#match-state")).to_contain_text("It ended ")
    page.get_by_role("button", name="Its board").click()
    sheet = page.get_by_role("dialog", name="Board 2 of the hall")
    sheet.get_by_label("locked: it gets no match").check()
    expect(tile).to_contain_text("locked")
    sheet.get_by_role("button", name="Close").click()
    page.get_by_label("Which matches").select_option("over")
    page.locator(f"#matches [data-key={key}]").click()
    expect(page.get_by_role("button", name="Its board")).to_be_hidden()


def test_an_open_board_sheet_shows_what_another_desk_has_set_and_keeps_it(
    page: Page, hall: ShownHall
) -> None:
    free = next(n for n in range(1, 9) if n not in hall.hall.desk.open_orders)
    sign_in(page, hall)
    page.locator(f"#boards [data-board='{free}']").click()
    locked = page.get_by_label("locked: it gets no match")
    expect(locked).not_to_be_checked()
    hall.do(lambda desk: set_board(desk, free, "other", locked=True)).result()
    expect(locked).to_be_checked()
    with page.expect_response("**/do/board*"):
        page.get_by_label("kept for Open singles").check()
    (board,) = (each for each in hall.hall.desk.programme.boards if each.number == free)
    assert (board.locked, board.kept_for) == (True, frozenset({"singles"}))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/hub/do/board*", hold)
    with page.expect_request("**/do/board*"):
        page.get_by_label("kept for Open singles").uncheck()
    while not held:  # the route is told of it later than the page
        page.evaluate("null")
    hall.do(lambda desk: set_board(desk, free, "other", kept_for=["singles", "pairs"])).result()
    with page.expect_response("**/do/board*"):
        held[0].continue_()
    (board,) = (each for each in hall.hall.desk.programme.boards if each.number == free)
    assert (board.locked, board.kept_for) == (False, frozenset({"pairs"})), "each its own tick"
    expect(locked).not_to_be_checked()
    page.unroute("**/api/hub/do/board*")
    hall.do(lambda desk: set_board(desk, free, "other", locked=True)).result()
    expect(locked).to_be_checked()
    page.route("**/api/hub/do/board*", lambda route: route.abort())
    locked.click()
    expect(page.locator("#refused")).to_have_text("The hub does not answer; nothing was changed.")
    expect(locked).to_be_checked()


def test_a_double_click_is_meant_for_what_its_first_click_met(page: Page, hall: ShownHall) -> None:
    sign_in(page, hall)
    row = page.locator("#matches button").first
    row.dblclick()
    expect(page.locator("#match")).to_be_visible()
    assert page.locator("[name=winner]:checked").count() == 0
    page.locator("[name=winner]").first.check()
    with page.expect_response("**/do/correct*"):
        page.get_by_role("button", name="Save").dblclick()
    expect(page.get_by_role("dialog")).to_have_count(0)
    row.click()
    expect(page.locator("#match")).to_be_visible()


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (None, "The hub does not answer; nothing was changed."),
        ({"status": 500, "body": "Internal Server Error"},
         "The hub does not answer; nothing was changed."),
        ({"status": 409, "json": {"error": "it was taken back"}}, "it was taken back"),
    ],
)  # fmt: skip
def test_a_match_that_cannot_be_played_again_says_why(
    page: Page, hall: ShownHall, answer: dict[str, Any] | None, says: str
) -> None:
    key = match_on(hall, 1)
    hall.do(lambda desk: correct(desk, key, Outcome(1, (2, 9)), "desk")).result()
    sign_in(page, hall)
    page.get_by_label("Which matches").select_option("over")
    page.locator(f"#matches [data-key={key}]").click()
    page.route(
        "**/api/hub/*/correct*",
        lambda route: route.abort() if answer is None else route.fulfill(**answer),
    )
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="Play it again").click()
    expect(sheet.get_by_role("alert")).to_have_text(says)
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_be_hidden()
    expect(page.get_by_role("alert")).to_have_text(says)
    page.unroute("**/api/hub/*/correct*")
    page.locator(f"#matches [data-key={key}]").click()
    sheet.get_by_role("button", name="Play it again").click()
    expect(sheet).to_contain_text("What was played of it no longer counts.")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_an_open_match_sheet_says_what_comes_of_it_after_what_another_desk_did(page: Page) -> None:
    contest = {"name": "ko", "format": "knockout", "entrants": ["Aiko", "Ben", "Chie", "Dirk"]}
    event = {"name": "Day", "hall": "day", "boards": 2, "seed": "1", "contest": [contest]}
    hall = ShownHall(0, 0, played=programme_of(event))
    hall.turn(sits=0)
    first, second, final, *_ = (each.key for each in hall.hall.desk.drawn("ko").fixtures)

    def ends(key: str, winner: int) -> None:
        outcome = Outcome(winner, (9, 2) if winner == 0 else (2, 9))
        hall.do(lambda desk: correct(desk, key, outcome, "other")).result()

    ends(first, 0)
    ends(second, 0)
    hall.pages.start()
    sign_in(page, hall)
    page.get_by_label("Which matches").select_option("all")
    page.locator(f"#matches [data-key={first}]").click()
    page.locator("[name=winner]").nth(1).check()
    said = page.locator("#preview")
    expect(said).to_contain_text("This changes who plays in")
    ends(first, 1)
    expect(said).to_be_empty()
    page.get_by_role("button", name="Play it again").click()
    expect(said).to_contain_text("What was played of it no longer counts. This changes who")
    before = said.inner_text()
    ends(first, 0)
    expect(said).not_to_have_text(before)
    expect(said).to_contain_text("What was played of it no longer counts. This changes who")
    expect(page.get_by_role("button", name="Yes, put it aside")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    page.locator(f"#matches [data-key={final}]").click()
    side = page.locator("#side-0")
    before = side.inner_text()
    ends(first, 1)
    expect(side).not_to_have_text(before)
    hall.pages.stop()


def test_the_form_for_the_pin_stays_however_often_escape_is_pressed(
    page: Page, hall: ShownHall
) -> None:
    page.goto(url(hall, "desk"))
    pin = page.get_by_label("PIN", exact=True)
    for _ in range(4):
        pin.press("Escape")
    expect(pin).to_be_visible()
    pin.fill(PIN)
    pin.press("Enter")
    expect(page.locator("#boards button").first).to_be_visible()
    expect(pin).to_be_hidden()


@pytest.mark.parametrize("form", ["free", "all", "knockout", "swiss", "groups"])
def test_a_result_that_nobody_ordered_is_opened_while_nothing_is_drawn(
    page: Page, form: str
) -> None:
    whole = {"name": "late", "title": "Later", "format": form, "draw": "later"}
    more = {"swiss": {"rounds": 3}, "groups": {"groups": 2}}.get(form, {})
    hall = ShownHall(0, 0, played=programme_of(
        {"name": "Day", "hall": "day", "boards": 1, "contest": [{**whole, **more}]}
    ))  # fmt: skip
    hall.turn(sits=0)
    hall.pages.start()
    played_freely(hall.hall, "Aiko", "Ben")
    hall.show()
    sign_in(page, hall)
    page.get_by_text("has a result that nobody ordered: Aiko 12 : 0 Ben").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_label("It is the result of")).to_have_value("")
    expect(sheet.get_by_role("button", name="It counts for this match")).to_be_disabled()
    later = sheet.get_by_text("Later: not drawn yet. Draw it on the page of people")
    expect(later).to_be_visible(visible=form == "free")
    sheet.get_by_role("button", name="It counts for no match").click()
    expect(page.locator("#needs")).to_contain_text("Nothing")
    hall.pages.stop()


@pytest.mark.long
def test_all_results_that_nobody_ordered_are_put_aside_by_a_second_press(
    page: Page, day: ShownHall
) -> None:
    for seq, name in enumerate(("Xaver", "Yvonne"), start=1):
        played_freely(day.hall, name, "Zoe", seq=seq)
    day.show()
    sign_in(page, day)
    page.get_by_role("button", name="Put aside all that nobody ordered").click()
    assert len(day.hall.desk.unattached) == 2
    page.get_by_role("button", name="Yes: 2 results count for no match").click()
    expect(page.locator("#needs")).to_contain_text("Nothing")
    assert not day.hall.desk.unattached


@pytest.mark.long
def test_a_match_is_played_again_only_once_it_was_read_what_comes_of_it(
    page: Page, hall: ShownHall
) -> None:
    key = match_on(hall, 1)
    hall.do(lambda desk: correct(desk, key, Outcome(1, (2, 9)), "desk")).result()
    sign_in(page, hall)
    page.get_by_label("Which matches").select_option("over")
    page.locator(f"#matches [data-key={key}]").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text("It ended 2 : 9:")
    expect(sheet).to_contain_text(" won. What you save here replaces that.")
    sheet.get_by_role("button", name="Play it again").click()
    expect(sheet).to_contain_text("What was played of it no longer counts.")
    assert hall.hall.desk.played(contest_of(hall.hall.desk, key))[key].outcome is not None
    sheet.get_by_role("button", name="Yes, put it aside").click()
    expect(sheet).to_be_hidden()
    expect(page.locator(f"#matches [data-key={key}]")).to_be_hidden()


def test_a_correction_of_points_keeps_that_a_match_was_won_by_the_jack(
    page: Page, hall: ShownHall
) -> None:
    key = match_on(hall, 1)
    sides = hall.hall.desk.newest(key).sides
    hall.hall.sit_down(1)
    hall.hall.result(1, "N 12*red\nN jack\n")
    hall.show()
    contest = contest_of(hall.hall.desk, key)
    sign_in(page, hall)
    jack = page.get_by_label("won by the jack")
    for ticked in (True, False):
        page.get_by_label("Which matches").select_option("over")
        page.locator(f"#matches [data-key={key}]").click()
        expect(jack).to_be_checked()
        page.get_by_label("Points of the first side").fill("9")
        jack.set_checked(ticked)
        with page.expect_response("**/do/correct*"):
            page.get_by_role("button", name="Save").click()
        played = hall.hall.desk.results[contest][key]
        assert played.outcome is not None
        assert (played.winner(), played.outcome.points) == (sides[0], (9, 0))
        assert played.outcome.by_jack is ticked
