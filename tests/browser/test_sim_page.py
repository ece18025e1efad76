"""The simulated table's page in a real browser, with the whole firmware behind it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from jackspot.displays.words import LANGUAGES
from tests.browser.conftest import expect, leave_unanswered
from tests.browser.person import READ_CANVAS, Person
from tests.conftest import PATIENCE_S, new_context, open_page, thinned
from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route


@pytest.fixture
def playing(opened: Page, table: StandingTable) -> Person:
    """Somebody at a match that has just begun."""
    return begin(opened, table)


@pytest.fixture(scope="module")
def looked_at(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Yield the page as :func:`opened` has it, for tests that only look at it."""
    table = StandingTable(tmp_path_factory.mktemp("table"))
    with open_page(browser) as page:
        page.goto(table.session.url)
        expect(page, "#status").to_have_text("live")
        expect(page, "#phase").to_have_text("set-up")
        yield page
    table.close()


def begin(page: Page, table: StandingTable) -> Person:
    """Begin the match with the referee's OK."""
    person = Person(page, table)
    person.sit_down()
    person.key("OK")
    person.expect_phase("ready")
    return person


def lit_pixels(page: Page) -> int:
    """Count the lit pixels of the OLED on the page."""
    return page.evaluate(READ_CANVAS).count("1")


def test_the_page_opens_without_a_word_of_complaint(page, table):
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(table.session.url)
    expect(page, "#status").to_have_text("live")
    expect(page, "#phase").to_have_text("set-up")
    assert complaints == []


def test_a_click_on_a_pocket_breaks_the_beam_and_is_proposed_but_not_counted(playing, table):
    page = playing.page
    playing.let_fall("SW", "green")
    playing.wait_for_reading()
    expect(page, "#proposal small").to_contain_text("not counted yet")
    assert "pocket_sw" in {edge.wire for edge in table.session.edges(0)}
    expect(page, '[data-pocket="SW"]').to_have_class(re.compile("proposed"))
    expect(page, ".side-green .count").to_have_text("0")
    expect(page, ".side-green .really").to_contain_text("1")


@pytest.mark.long
def test_what_is_confirmed_is_counted_and_no_longer_looks_proposed(playing):
    page = playing.page
    playing.let_fall("NE", "red")
    playing.wait_for_reading()
    expect(page, ".side-red .maybe").to_have_count(1)
    playing.key("OK")
    expect(page, ".side-red .count").to_have_text("1")
    expect(page, ".side-red .maybe").to_have_count(0)
    expect(page, ".side-red .in").to_have_count(1)
    expect(page, "#proposal").to_be_hidden()


@pytest.mark.long
def test_the_list_of_pages_closes_as_lists_do(looked_at):
    pages = looked_at.locator(".pages")
    for closes in (
        lambda: looked_at.keyboard.press("Escape"),
        lambda: looked_at.click("#tab-how"),
        lambda: looked_at.click(".pages summary"),
    ):
        looked_at.click(".pages summary")
        assert pages.get_attribute("open") is not None
        closes()
        assert pages.get_attribute("open") is None


@pytest.mark.long
def test_the_record_stands_beside_the_boards_state_from_its_header_on(opened):
    expect(opened, "#written li:nth-last-child(3)").to_have_text('rules = "hikone"')
    expect(opened, "#written li:last-child").to_have_text("---")
    opened.select_option("#rules", "icf")
    expect(opened, "#written li:nth-last-child(3)").to_have_text('rules = "icf"')


def test_the_record_grows_beside_the_boards_state_and_shrinks_with_undo(playing):
    last = playing.page.locator("#written li").last
    playing.let_fall("NE", "red")
    playing.wait_for_reading()
    playing.key("OK")
    expect(playing.page, ".side-red .count").to_have_text("1")
    expect(playing.page, "#written li:last-child").to_have_text("N red@NE")
    assert last.is_visible()
    playing.key("UNDO")
    expect(playing.page, "#written li:last-child").to_have_text("---")


def test_the_oled_on_the_page_shows_the_pixels_that_went_over_the_bus(playing, table):
    playing.expect_headline("RED N to shoot")

    def on_the_glass() -> str:
        return "".join(f"{byte:08b}" for byte in table.session.picture().glass.bits)

    due_s = time.monotonic() + PATIENCE_S
    while playing.page.evaluate(READ_CANVAS) != on_the_glass() and time.monotonic() < due_s:
        playing.page.wait_for_timeout(30)
    assert playing.page.evaluate(READ_CANVAS) == on_the_glass()
    assert lit_pixels(playing.page) > 100


def test_the_oled_on_the_page_says_its_lines_in_words_and_says_them_anew(playing):
    oled = playing.page.locator("#oled")
    playing.expect_headline("RED N to shoot")
    label = "OLED display. red 0 N, green 0. RED N to shoot. OK: missed. FIX: enter it"
    expect(playing.page, "#oled").to_have_attribute("aria-label", label)
    playing.let_fall("NE", "red")
    playing.wait_for_reading()
    expect(playing.page, "#oled").to_have_attribute("aria-label", re.compile("RED NE. .*OK: yes"))
    playing.key("OK")
    expect(playing.page, "#oled").to_have_attribute("aria-label", re.compile("red 1 N, green 0"))
    assert oled.get_attribute("role") == "img"


def test_a_seat_stands_in_a_box_and_a_side_in_a_disc(looked_at):
    def radius(selector: str) -> str:
        return looked_at.locator(selector).first.evaluate(
            "one => getComputedStyle(one).borderRadius"
        )

    expect(looked_at, ".players b").to_have_count(2)
    assert radius(".side .letter") == "50%"
    assert radius(".players b") != "50%"


def test_a_button_is_down_for_as_long_as_the_mouse_holds_it(opened, table):
    table.run_on()
    button = opened.get_by_role("button", name="Referee UNDO")
    box = button.bounding_box()
    opened.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    opened.mouse.down()
    expect(opened, '[data-wire="referee_undo"]').to_have_attribute("aria-pressed", "true")
    assert "referee_undo" in table.session.picture().active
    opened.mouse.up()
    expect(opened, '[data-wire="referee_undo"]').to_have_attribute("aria-pressed", "false")


def test_two_keys_held_are_a_chord_on_the_wires(opened, table):
    table.run_on()
    opened.keyboard.down("a")
    opened.keyboard.down("s")
    expect(opened, '[data-wire="seat_s_ok"]').to_have_attribute("aria-pressed", "true")
    expect(opened, '[data-wire="seat_s_fix"]').to_have_attribute("aria-pressed", "true")
    assert {"seat_s_ok", "seat_s_fix"} <= table.session.picture().active
    opened.keyboard.up("a")
    opened.keyboard.up("s")
    expect(opened, '[data-wire="seat_s_ok"]').to_have_attribute("aria-pressed", "false")


@pytest.mark.long
def test_shift_and_click_keeps_a_button_down_until_the_next(opened, table):
    table.run_on()
    opened.click('[data-wire="seat_n_ok"]', modifiers=["Shift"])
    expect(opened, '[data-wire="seat_n_ok"]').to_have_attribute("aria-pressed", "true")
    opened.click('[data-wire="seat_n_fix"]', modifiers=["Shift"])
    expect(opened, '[data-wire="seat_n_fix"]').to_have_attribute("aria-pressed", "true")
    assert {"seat_n_ok", "seat_n_fix"} <= table.session.picture().active
    opened.click('[data-wire="seat_n_ok"]', modifiers=["Shift"])
    opened.click('[data-wire="seat_n_fix"]', modifiers=["Shift"])
    expect(opened, '[data-wire="seat_n_fix"]').to_have_attribute("aria-pressed", "false")


def test_a_page_that_loses_the_keyboard_lets_every_button_go(opened, table):
    table.run_on()
    opened.keyboard.down("5")
    expect(opened, '[data-wire="referee_undo"]').to_have_attribute("aria-pressed", "true")
    opened.evaluate("window.dispatchEvent(new Event('blur'))")
    expect(opened, '[data-wire="referee_undo"]').to_have_attribute("aria-pressed", "false")


@pytest.mark.long
def test_a_focused_button_is_held_with_the_space_bar(opened, table):
    table.run_on()
    opened.get_by_role("button", name="Referee FOUL").focus()
    opened.keyboard.down(" ")
    expect(opened, '[data-wire="referee_foul"]').to_have_attribute("aria-pressed", "true")
    opened.keyboard.up(" ")
    expect(opened, '[data-wire="referee_foul"]').to_have_attribute("aria-pressed", "false")


@pytest.mark.long
def test_pieces_that_are_asked_for_are_put_back_with_one_click(playing):
    page = playing.page
    playing.let_fall("NE", "red")
    playing.wait_for_reading()
    playing.fix_until("RED NE")
    playing.key("OK")
    playing.expect_counts(1, 0)
    playing.let_fall("NW", "jack")
    playing.wait_for_reading()
    playing.fix_until("JACK NW", by_key=True)
    playing.key("OK")
    playing.expect_phase("put back")
    expect(page, "#place .pile canvas").to_have_count(2)
    page.click("#put-back")
    expect(page, "#truth tr:nth-child(3) td:nth-child(2)").to_have_text("0")
    playing.key("OK")
    playing.expect_owed("red", 4)


def test_a_display_unplugged_on_the_page_goes_dark_and_is_named(opened, table):
    person = Person(opened, table)
    person.break_part("Unplug the OLED")
    expect(opened, "#oled").to_have_class(re.compile("unplugged"))
    begin(opened, table)
    expect(opened, "#faults li").to_have_count(1)
    person.break_part("Unplug the OLED")
    expect(opened, "#faults li").to_have_count(0)
    expect(opened, "#oled").not_to_have_class(re.compile("unplugged"))
    assert lit_pixels(opened) > 100


def test_what_cannot_be_is_said_to_the_person_who_tried(opened):
    opened.click("#put-back")
    expect(opened, "#toasts").to_contain_text("does not ask for anything back")


def test_a_table_that_never_answers_is_said_to_the_person_who_tried(opened):
    leave_unanswered(opened, "**/sim/do/fetch*")
    opened.click("#fetch")
    expect(opened, "#toasts").to_have_text("The table does not answer.")


def test_the_page_comes_back_by_itself_when_the_board_was_restarted(page, tmp_path):
    first = StandingTable(tmp_path)
    port = int(first.session.url.split(":")[2].split("/")[0])
    page.goto(first.session.url)
    person = begin(page, first)
    person.let_fall("NE", "red")
    person.wait_for_reading()
    person.fix_until("RED NE")
    person.key("OK")
    person.expect_counts(1, 0)
    first.close()
    expect(page, "#status").to_contain_text("connection lost")
    second = StandingTable(tmp_path, port)
    try:
        expect(page, "#status").to_have_text("live")
        expect(page, ".side-red .count").to_have_text("1")
        expect(page, ".side-red .wrong").to_have_count(0)
    finally:
        second.close()


@pytest.mark.long
def test_the_speed_of_the_table_is_chosen_on_the_page(opened, table):
    opened.select_option("#speed", "10")
    expect(opened, "#speed").to_have_value("10")
    before_ns = Person(opened, table).state()["now_ns"]
    opened.wait_for_function(
        "async due => (await (await fetch('/api/state')).json()).now_ns >= due",
        arg=before_ns + 2_000_000_000,
    )
    assert table.session.picture().speed == 10


@pytest.mark.long
def test_show_me_plays_a_match_to_its_end(opened):
    opened.get_by_role("button", name="Show me").click()
    expect(opened, "#caption").to_be_visible()
    expect(opened, "#phase").to_have_text("match over")
    expect(opened, "#stage-words").to_contain_text("wins!")
    expect(opened, "#show").to_have_text("▶ Show me")
    expect(opened, "#caption").to_contain_text("then the jack: won")
    opened.get_by_role("button", name="New match").click()
    expect(opened, "#phase").to_have_text("set-up")
    expect(opened, "#caption").to_be_hidden()


def test_nothing_can_be_pressed_before_the_page_can_answer(page, table):
    asked: list[Route] = []

    def hold(route: Route) -> None:
        asked.append(route)

    page.route("**/sim/words?*", hold)
    page.goto(table.session.url)
    page.wait_for_function("document.body.inert")
    asked[0].continue_()
    page.get_by_role("button", name="Show me").click()
    expect(page, "#caption").to_be_visible()


@pytest.mark.long
def test_a_show_that_is_stopped_leaves_no_caption(page, tmp_path):
    table = StandingTable(tmp_path, show_speed=1.0)
    try:
        page.goto(table.session.url)
        page.get_by_role("button", name="Show me").click()
        expect(page, "#caption").to_be_visible()
        page.get_by_role("button", name="Stop").click()
        expect(page, "#show").to_have_text("▶ Show me")
        expect(page, "#caption").to_be_hidden()
    finally:
        table.close()


@pytest.mark.long
def test_a_match_that_is_played_is_put_aside_only_after_a_question(opened, table):
    begin(opened, table)
    opened.get_by_role("button", name="New match").click()
    opened.get_by_role("button", name="Go on playing").click()
    expect(opened, "#phase").to_have_text("ready")
    opened.get_by_role("button", name="New match").click()
    opened.get_by_role("button", name="Start a new match").click()
    expect(opened, "#phase").to_have_text("set-up")


def test_three_players_are_offered_only_where_the_rules_know_them(opened):
    expect(opened, "#lineup option").to_have_count(7)
    opened.select_option("#lineup", "N,E,S")
    expect(opened, "#players .player").to_have_count(3)
    opened.select_option("#rules", "kagw")
    expect(opened, "#players .player").to_have_count(2)
    expect(opened, "#lineup option").to_have_count(3)


def test_a_missed_piece_falls_without_breaking_the_beam(opened, table):
    opened.click("#tab-how")
    opened.locator('.manner[data-manner="missed"]').click()
    Person(opened, table).drop_into("NE")
    expect(opened, '.pocket[data-pocket="NE"]').to_have_attribute("aria-label", "Pocket NE: 1 red")
    expect(opened, "#phase").to_have_text("set-up")


@pytest.mark.long
def test_where_there_is_no_room_a_further_tap_adds_one_more(opened):
    opened.set_viewport_size({"width": 390, "height": 844})
    opened.click("#tab-how")
    red = opened.locator('.piece[data-kind="red"]')
    red.click()
    red.click()
    expect(opened, '.piece[data-kind="red"]').to_have_attribute("data-count", "3")


@pytest.mark.parametrize("language", thinned(LANGUAGES, {"de"}))
def test_nothing_is_cut_off_sideways_on_any_screen(page, table, language):
    page.goto(f"{table.session.url}?lang={language}")
    expect(page, "#stage-ok").to_be_visible()
    widths = (1920, 1440, 1401, 1400, 1280, 1201, 1200, 1024, 1001, 1000, 600, 390, 320)
    for width, height in (*((width, 800) for width in widths), (932, 430), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("new Promise(requestAnimationFrame)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, width
        board = page.locator("#board").bounding_box()
        assert board["width"] >= min(width, height) * 0.4, width
        assert board["x"] >= 0, width
        assert board["x"] + board["width"] <= width, width


def test_everything_that_can_be_pressed_has_a_name(looked_at):
    nameless = looked_at.evaluate(
        """() => [...document.querySelectorAll("button, select, canvas[role]")]
            .filter((one) => !(one.ariaLabel || one.textContent.trim() || one.labels?.length))
            .map((one) => one.outerHTML)"""
    )
    assert nameless == []


def test_the_board_is_drawn_from_positions_in_millimetres(looked_at):
    shares, seen = looked_at.evaluate(
        """async () => {
            const { BoardDrawing } = await import("/sim/board.js");
            const { HIKONE } = await import("/sim/boards.js");
            const canvas = document.createElement("canvas");
            canvas.style.cssText = "position: fixed; top: 0; left: 0";
            canvas.style.width = canvas.style.height = "692px";
            document.body.append(canvas);
            const drawing = new BoardDrawing(canvas, HIKONE);
            const pixel = () => [...canvas.getContext("2d").getImageData(
                Math.round(canvas.width * 0.5 + 100 * drawing.scale),
                Math.round(canvas.height * 0.5 - 40 * drawing.scale), 1, 1).data];
            const wood = pixel();
            drawing.show([{ kind: "red", x: 100, y: -40 }]);
            const red = pixel();
            canvas.remove();
            return [[[0, 0], [346, 346], [-346, -346]].map((at) => drawing.share(at)), [wood, red]];
        }"""
    )
    assert shares == [[0.5, 0.5], [1, 1], [0, 0]]
    wood, red = seen
    assert wood[1] > 120
    assert red[0] > 2 * red[1]


@pytest.mark.long
def test_nobody_who_asks_for_less_motion_sees_pieces_run(browser, table):
    context = new_context(browser, reduced_motion="reduce")
    page = context.new_page()
    page.goto(table.session.url)
    person = begin(page, table)
    person.let_fall("NE", "red")
    person.wait_for_reading()
    running = page.evaluate(
        "() => document.getAnimations().filter((one) => one.playState === 'running').length"
    )
    context.close()
    assert running == 0


def test_a_finger_holds_a_button_and_two_fingers_chord(browser, table):
    table.run_on()
    context = new_context(browser, has_touch=True, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(table.session.url)
    expect(page, "#phase").to_have_text("set-up")
    wires = ["seat_n_ok", "seat_n_fix"]
    boxes = [page.locator(f'[data-wire="{wire}"]').bounding_box() for wire in wires]
    points = [
        {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "id": index}
        for index, box in enumerate(boxes)
        if box is not None
    ]
    touch = context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
    for wire in wires:
        expect(page, f'[data-wire="{wire}"]').to_have_attribute("aria-pressed", "true")
    assert set(wires) <= table.session.picture().active
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    for wire in wires:
        expect(page, f'[data-wire="{wire}"]').to_have_attribute("aria-pressed", "false")
    context.close()
