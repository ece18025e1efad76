"""The spectators' page in a real browser: it shows what counts, and what is only proposed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count, pairwise
from typing import TYPE_CHECKING

import pytest

from jackspot.core.directives import RedPlace
from jackspot.core.phrases import EMPTY, _
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import ClockView, NoticeView, Phase, PlaceView, SideView
from jackspot.dialogue.words.wording import side_word
from jackspot.values import changed
from jackspot.web.live import LiveBoard
from jackspot.web.server import WebDisplay, WebSettings
from tests.browser.conftest import expect
from tests.conftest import open_page
from tests.dialogue.playing import Table
from tests.web.samples import (
    ARMED,
    ATTRACT,
    FAULTY,
    FREE,
    IDENTITY,
    OVER,
    PLACING,
    QUESTION,
    QUEUE,
    READY,
    REVIEW,
)

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PAGES = WebSettings(port=0)
NUMBERS = count(1_000)
"""Sequence numbers that tell when the kept page shows what a test begins with."""


@pytest.fixture(scope="module")
def kept(browser: Browser) -> Iterator[tuple[Page, WebDisplay]]:
    """Yield one page that is open at one board, for tests that only watch."""
    display = WebDisplay(LiveBoard(lambda: 5_000_000_000, lambda _: None, IDENTITY), PAGES)
    display.start()
    display.post(READY)
    with open_page(browser) as page:
        page.goto(display.url)
        yield page, display
    display.stop()


@pytest.fixture
def board(kept: tuple[Page, WebDisplay]) -> WebDisplay:
    _page, display = kept
    display.post(READY)
    return display


@pytest.fixture
def opened(kept: tuple[Page, WebDisplay], board: WebDisplay) -> Page:
    page, _display = kept
    number = next(NUMBERS)
    board.post(changed(READY, sequence=number))
    expect(page, "body").to_have_attribute("data-sequence", str(number))
    expect(page, "#headline").to_have_text("Aiko to shoot")
    return page


def test_counts_names_turn_and_the_boards_name_are_there(opened):
    expect(opened, "#board").to_have_text("Festival 3")
    expect(opened, "#side-0 .count").to_have_text("5")
    expect(opened, "#side-1 .count").to_have_text("3")
    expect(opened, "#side-0 .name").to_have_text("Aiko")
    expect(opened, "#side-0").to_have_class(re.compile("shoots"))
    expect(opened, "#side-1").not_to_have_class(re.compile("shoots"))
    expect(opened, "#side-0 .pucks .in").to_have_count(5)
    expect(opened, "#side-0 .pucks .left").to_have_count(7)


def test_what_is_proposed_is_a_small_dashed_chip_and_counts_nothing(opened, board):
    board.post(REVIEW)
    expect(opened, "#proposal").to_contain_text("being confirmed")
    expect(opened, "#proposal .piece.maybe").to_have_count(1)
    expect(opened, "#headline").to_have_text("Aiko to shoot")
    expect(opened, "#side-0 .count").to_have_text("5")
    expect(opened, "#side-0 .pucks .maybe").to_have_count(1)
    dashes = opened.evaluate(
        """() => ["in", "maybe"].map((name) => getComputedStyle(
            document.querySelector(`#side-0 .pucks .${name} .body`)).strokeDasharray)"""
    )
    assert dashes[0] == "none"
    assert dashes[1] != "none"
    chip, digit = opened.evaluate(
        """() => [document.getElementById("proposal"), document.querySelector("#side-0 .count")]
            .map((one) => [getComputedStyle(one).borderStyle, one.clientHeight])"""
    )
    assert chip[0] == "dashed"
    assert chip[1] < digit[1] / 5


def test_a_line_of_the_halls_desk_stands_below_the_head_and_goes(opened, board):
    told = changed(READY, notice=NoticeView(_("lunch until 13:30"), everywhere=True))
    for sequence, view in ((101, told), (102, changed(told, sequence=102, notice=None))):
        board.post(changed(view, sequence=sequence))
        expect(opened, "body").to_have_attribute("data-sequence", str(sequence))
        shown = expect(opened, "#notice")
        if view.notice is None:
            shown.to_be_hidden()
        else:
            shown.to_have_text("lunch until 13:30")
            low, high = (opened.locator(each).bounding_box() for each in ("#notice", "#score"))
            assert low["y"] + low["height"] <= high["y"] + 1
    board.post(changed(told, sequence=103, notice=NoticeView(_("results on the stick"), EMPTY)))
    expect(opened, "body").to_have_attribute("data-sequence", "103")
    expect(opened, "#notice").to_be_hidden()


@pytest.mark.parametrize(
    "words", ["昼" * 28, "lunch until 13:30 " * 4, ""], ids=["kanji", "en", "no"]
)
def test_a_long_line_of_the_desk_covers_nothing_of_the_score_on_a_narrow_phone(page, board, words):
    page.set_viewport_size({"width": 320, "height": 568})
    notice = NoticeView(_(words), everywhere=True) if words else None
    board.post(changed(READY, sequence=101, notice=notice))
    page.goto(board.url)
    expect(page, "body").to_have_attribute("data-sequence", "101")
    boxes = [
        page.locator(each).bounding_box()
        for each in (".top", "#notice", "#side-0 .name", "#side-1 .count", ".now")
        if words or each != "#notice"
    ]
    for above, below in pairwise(boxes):
        assert above["y"] + above["height"] <= below["y"] + 1
    last = boxes[-1]
    assert abs(last["y"] + last["height"] - 568) <= 1


def test_the_page_tells_nothing_of_sensors_menus_and_what_waits(opened, board):
    for view in (FAULTY, QUEUE, QUESTION):
        board.post(changed(view, sequence=view.sequence + 100))
        expect(opened, "body").to_have_attribute("data-sequence", str(view.sequence + 100))
        said = opened.locator("body").inner_text()
        for word in ("NE", "beam", "menu", "HAND", "keep", "ms in", "RED", "GREEN"):
            assert word not in said


def test_what_goes_back_is_drawn_and_told_by_the_name_of_who_puts_it_there(opened, board):
    board.post(PLACING)
    expect(opened, "#place").to_contain_text("to be put back")
    expect(opened, "#place .stack .piece").to_have_count(3)
    expect(opened, "#place .stack").to_have_text(re.compile("red, red, jack"))
    by = PlaceView((Piece.GREEN,), _("GREEN"), _("on the jack spot"))
    board.post(changed(PLACING, sequence=13, place=(Piece.GREEN,), placing=(by,)))
    expect(opened, "#place .by").to_have_text("Ben puts back")


def test_in_german_too_the_placer_is_told_by_name(page, board):
    sides = (
        changed(carrom_side(Side.WHITE, 5), names=("Aiko",)),
        changed(carrom_side(Side.BLACK, 3), names=("Ben",)),
    )
    by = PlaceView((Piece.BLACK,), side_word(Side.WHITE), _("in the circle"))
    icf = changed(PLACING, rules=RuleSystem.ICF, sides=sides, place=by.pieces, placing=(by,))
    board.post(changed(icf, sequence=13))
    page.goto(f"{board.url}?lang=de")
    expect(page, "#place .by").to_contain_text("Aiko")


def test_the_slots_of_a_late_piece_of_the_last_stroke_are_its_own_alone(opened, board):
    table = Table()
    table.started().fall("NE").wait(2).choose("RED NE").wait(0.6).ok("referee").wait(1)
    table.fall("SW").wait(2)
    while (proposal := table.view.proposal) and not proposal.before:
        table.fix("referee")
    board.post(changed(table.view, sequence=14))
    expect(opened, "#proposal .piece").to_have_count(2)
    expect(opened, "#side-0 .pucks .in").to_have_count(1)
    expect(opened, "#side-0 .pucks .maybe").to_have_count(1)


def test_the_clock_runs_on_by_itself_and_stands_when_it_stands(opened, board):
    first = opened.locator("#clock").inner_text()
    opened.wait_for_function(
        "first => document.getElementById('clock').textContent < first", arg=first
    )
    board.post(changed(READY, sequence=8, clock=changed(READY.clock, running=False)))
    expect(opened, "#clock").to_have_class(re.compile("stopped"))
    expect(opened, "#clock").to_have_text("3:42")


def test_queen_debts_games_points_and_the_shot_clock_are_said(opened, board):
    sides = (
        carrom_side(Side.WHITE, 5, shoots=True, games_won=1, game_points=17),
        carrom_side(Side.BLACK, 3, owed=2, game_points=9),
    )
    icf = changed(
        READY, rules=RuleSystem.ICF, sides=sides, game=2, game_board=4, best_of=3, sequence=70,
        red=RedPlace.PENDING, red_side=Side.WHITE,
        shot=ClockView(15_000_000_000, 15_000_000_000, False, 5_000_000_000),
    )  # fmt: skip
    board.post(icf)
    expect(opened, "#which").to_have_text("International carrom · game 2 of 3, board 4")
    expect(opened, "#side-0 .count").to_have_text("17")
    expect(opened, "#side-0 .notes").to_contain_text("must cover")
    expect(opened, "#side-1 .notes").to_have_text("owes 2")
    expect(opened, "#standing .tally").to_have_text(["1games0"])
    expect(opened, "#side-0 .pucks .in").to_have_count(5)
    expect(opened, "#shot").to_have_text("15 s")
    board.post(changed(icf, sequence=71, red=RedPlace.COVERED, shot=None))
    expect(opened, "#side-0 .queen").to_contain_text("has the queen")
    expect(opened, "#shot").to_be_hidden()


def test_a_board_after_a_void_one_is_not_called_the_fourth_of_three(opened, board):
    board.post(changed(READY, sequence=72, board=2, best_of=3))
    expect(opened, "#which").to_have_text("Hikone carom · board 2 of 3")
    board.post(changed(READY, sequence=73, board=4, best_of=3))
    expect(opened, "#which").to_have_text("Hikone carom · board 4")


def test_white_and_black_pieces_keep_their_shade_by_day_and_by_night(page, board):
    sides = (carrom_side(Side.WHITE, 5), carrom_side(Side.BLACK, 3))
    board.post(changed(READY, rules=RuleSystem.KAGW, sides=sides, sequence=70))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(board.url)
        expect(page, "#side-1 .pucks .in").to_have_count(3)
        white, black = (
            page.evaluate(
                """side => {
                    const piece = document.querySelector(`#side-${side} .pucks .in .body`);
                    const [r, g, b] = getComputedStyle(piece).fill.match(/\\d+/g);
                    return Number(r) + Number(g) + Number(b);
                }""",
                side,
            )
            for side in (0, 1)
        )
        assert white > 680
        assert black < 80


def test_points_carrom_shows_points_large_and_pieces_small(opened, board):
    one = changed(
        carrom_side(Side.ONE, 3), pieces=(Piece.BLACK, Piece.BROWN), board_points=125, shoots=True
    )
    two = changed(carrom_side(Side.TWO, 1), pieces=(Piece.BLACK, Piece.BROWN), board_points=-3)
    board.post(changed(READY, rules=RuleSystem.POINTS, sides=(one, two), sequence=70))
    expect(opened, "#side-0 .count").to_have_text("125")
    expect(opened, "#side-1 .count").to_have_text("-3")
    expect(opened, "#side-0 .pucks").to_have_attribute("aria-label", "3 in")
    expect(opened, "#side-0 .pucks .in").to_have_count(3)


def test_points_carrom_of_several_boards_shows_the_running_boards_points_large(opened, board):
    kinds = (Piece.BLACK, Piece.BROWN)
    one = changed(carrom_side(Side.ONE, 1, shoots=True), pieces=kinds, board_points=5)
    two = changed(carrom_side(Side.TWO, 0), pieces=kinds, points=10, boards_won=1)
    view = changed(READY, rules=RuleSystem.POINTS, sides=(one, two), board=2, best_of=3)
    board.post(changed(view, sequence=71))
    expect(opened, "#side-0 .count").to_have_text("5")
    expect(opened, "#side-1 .count").to_have_text("0")
    expect(opened, "#standing .tally").to_have_text(["0boards1", "0points10"])
    expect(opened, "#told").to_have_text("Side one 5, Side two 0")


def carrom_side(kind, pocketed, **changes):
    """Return one side of a singles match of carrom."""
    seat = Seat.N if kind in {Side.WHITE, Side.ONE} else Seat.S
    pieces = () if kind in {Side.ONE, Side.TWO} else (kind.piece,)
    return SideView(
        side=kind, seats=(seat,), names=(), pocketed=pocketed,
        left=9 - pocketed, owed=changes.pop("owed", 0), points=0, boards_won=0,
        shoots=changes.pop("shoots", False), all_in=False, pieces=pieces, **changes,
    )  # fmt: skip


def test_a_lost_connection_is_shown_and_comes_back_with_what_counts_by_then(page):
    board = WebDisplay(LiveBoard(lambda: 0, lambda _: None, IDENTITY), PAGES)
    board.start()
    board.post(READY)
    page.goto(board.url)
    expect(page, "#headline").to_have_text("Aiko to shoot")
    port = int(board.url.rstrip("/").rpartition(":")[2])
    board.stop()
    expect(page, "#status").to_have_text("connection lost, trying again")
    again = WebDisplay(LiveBoard(lambda: 0, lambda _: None, IDENTITY), WebSettings(port=port))
    again.start()
    again.post(OVER)
    try:
        expect(page, "#side-0 .count").to_have_text("12")
        expect(page, "#status").to_have_text("")
    finally:
        again.stop()


def streams(page) -> list[str]:
    """Return a list that grows with each stream that the page opens."""
    opened: list[str] = []

    def note(asked) -> None:
        if "/api/events" in asked.url:
            opened.append(asked.url)

    page.on("request", note)
    return opened


def test_a_device_that_is_on_the_network_again_asks_anew_and_is_shown_what_counts(opened, board):
    asked = streams(opened)
    opened.evaluate("() => window.dispatchEvent(new Event('online'))")
    opened.wait_for_function("() => document.getElementById('status').textContent === ''")
    board.post(OVER)
    expect(opened, "#side-0 .count").to_have_text("12")
    assert len(asked) == 1


def test_a_stream_that_has_long_been_silent_is_opened_anew(page, board):
    page.clock.install()
    asked = streams(page)
    page.goto(board.url)
    expect(page, "#side-0 .count").to_have_text("5")
    page.clock.fast_forward(41_000)
    board.post(changed(OVER, sequence=91))
    expect(page, "#side-0 .count").to_have_text("12")
    assert len(asked) == 2


def test_a_device_whose_own_time_stood_still_while_it_slept_asks_anew_when_it_wakes(page, board):
    page.clock.install()
    page.goto(board.url)
    expect(page, "#side-0 .count").to_have_text("5")
    turns = """state => {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(turns, "hidden")
    page.clock.set_system_time(page.evaluate("Date.now() / 1_000 + 8"))
    with page.expect_request("**/api/events*"):
        page.evaluate(turns, "visible")


DIGITS = """() => {
    const ink = document.createElement("canvas").getContext("2d");
    const count = getComputedStyle(document.querySelector("#side-0 .count"));
    ink.font = `${count.fontWeight} ${count.fontSize} ${count.fontFamily}`;
    const widths = [..."0123456789"].map((digit) => ink.measureText(digit).width);
    const ascent = ink.measureText("1").actualBoundingBoxAscent;
    return [ascent, Math.max(...widths) - Math.min(...widths)];
}"""


def test_the_score_fits_its_screen_and_its_digits_are_large_and_equally_wide(page, board):
    page.goto(board.url)
    expect(page, "#side-0 .count").to_have_text("5")
    page.evaluate("document.fonts.ready")
    for width, height, share in (
        (1280, 720, 0.45), (1920, 1080, 0.45), (3840, 2160, 0.45), (1080, 1920, 0.17),
        (390, 844, 0.2),
    ):  # fmt: skip
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("new Promise(requestAnimationFrame)")
        wide, high = page.evaluate(
            "() => [document.documentElement.scrollWidth, document.body.scrollHeight]"
        )
        assert wide <= width
        assert high <= height
        ink, differ = page.evaluate(DIGITS)
        assert ink >= height * share
        assert differ == 0, (width, height)


def test_free_play_names_colours_and_not_seats(opened, board):
    board.post(FREE)
    expect(opened, "#side-0 .name").to_have_text("red")
    expect(opened, "#side-0 .turn").to_have_text("")
    expect(opened, "#headline").to_have_text("free play")


def test_a_board_that_sleeps_before_a_match_shows_which_it_is_and_nothing_to_press(opened, board):
    board.post(changed(ATTRACT, phase=Phase.SETUP, last=None))
    expect(opened, "#idle h2").to_have_text("Festival 3")
    expect(opened, "#idle .ring .piece").to_have_count(13)
    assert "button" not in opened.locator("body").inner_text()
    board.post(changed(READY, sequence=40))
    expect(opened, "#idle").to_be_hidden()


def test_a_result_is_still_seen_while_the_board_sleeps(opened, board):
    board.post(changed(OVER, sequence=41, attract=1))
    expect(opened, "#win").to_be_visible()
    expect(opened, "#idle").to_be_hidden()


def test_an_armed_clock_says_so_and_stands(opened, board):
    board.post(ARMED)
    expect(opened, "#clock").to_have_text("5:00")
    expect(opened, "#clock").to_have_class(re.compile("armed"))
