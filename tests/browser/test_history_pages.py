"""The history pages in a browser: from the list to a match, and its card on paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jackspot.core.agreement import MOST_IN_A_NAME
from jackspot.dialogue.state.entries import EntryKind
from jackspot.displays.words import LANGUAGES
from jackspot.history.on_demand import LaterHistory
from jackspot.values import changed
from jackspot.web.live import LiveBoard
from jackspot.web.server import WebDisplay, WebSettings
from tests.browser.accessible import grave_faults
from tests.browser.conftest import every, expect
from tests.conftest import thinned
from tests.history.journals import Book
from tests.web.samples import IDENTITY, READY

if TYPE_CHECKING:
    from playwright.sync_api import Route

RECORDS = Path(__file__).parents[1] / "records"
RECORD = RECORDS / "whole_match.carom"
A6_POINTS = (298, 420)


@pytest.fixture(scope="module")
def board(tmp_path_factory) -> Iterator[WebDisplay]:
    path = tmp_path_factory.mktemp("board") / "journal.sqlite3"
    names = '[names]\nN = "Aiko"\nS = "Ben"\n---\n'
    with Book(path) as book:
        book.play(RECORD.read_text(encoding="utf-8").replace("---\n", names, 1))
        book.shelve()
        book.match(names={"N": "Chika", "S": "Ben"})
        book.line("N red@NE")
        book.write(EntryKind.UNDO)
        book.line("N green@NE")
    live = LiveBoard(lambda: 0, lambda _: None, IDENTITY)
    live.matches = LaterHistory(path, "Board 7", initials=False)
    display = WebDisplay(live, WebSettings(port=0))
    display.start()
    display.post(READY)
    yield display
    display.stop()


def test_a_match_is_found_by_its_player_and_read_stroke_by_stroke(page, board):
    page.goto(f"{board.url}matches")
    expect(page, ".match").to_have_count(2)
    page.locator("#player").select_option("Chika")
    expect(page, ".match").to_have_count(1)
    expect(page, "#players tbody tr").to_have_count(1)
    assert "player=Chika" in page.url
    page.locator(".match").click()
    expect(page, "#title").to_have_text("Match 2")
    expect(page, "#strokes tr.gone").to_have_count(1)
    expect(page, "#corrected").to_contain_text("1 line was taken back")
    expect(page, "#course svg polyline").to_have_count(2)
    with page.expect_download() as download:
        page.get_by_role("link", name="Record (.carom)").click()
    assert download.value.suggested_filename == "2026-05-02-match-0002.carom"


@pytest.mark.parametrize("comes", [True, False], ids=["a list", "an error"])
def test_what_comes_late_for_one_filter_is_not_shown_under_another(page, board, comes):
    page.goto(f"{board.url}matches")
    expect(page, ".match").to_have_count(2)
    late: list[Route] = []

    def hold(route: Route) -> None:
        late.append(route)

    page.route("**/api/matches?*player=Chika*", hold)
    page.locator("#player").select_option("Chika")
    page.locator("#player").select_option("Aiko")
    expect(page, "#count").to_have_text("1 match")
    if comes:
        with page.expect_response("**/api/matches?*player=Chika*"):
            late[0].continue_()
    else:
        with page.expect_event("requestfailed"):
            late[0].abort()
    page.evaluate("new Promise((then) => { setTimeout(then, 100); })")
    expect(page, ".match").to_contain_text("Aiko")
    expect(page, "#trouble").to_be_hidden()


def test_a_player_of_whom_there_is_no_match_is_what_the_filter_shows(page, board):
    page.goto(f"{board.url}matches?player=Dirk")
    expect(page, "#count").to_have_text("No matches yet.")
    expect(page, "#player").to_have_value("Dirk")


def test_the_number_of_a_match_is_its_name_and_not_parted(page, board):
    def renumber(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('"number":1,', '"number":1234,'))

    page.route("**/api/matches*", renumber)
    page.route("**/api/matches/*", renumber)
    for path, where in (("match", "#title"), ("slip", "#card"), ("matches", ".match >> nth=-1")):
        page.goto(f"{board.url}{path}?number=1")
        expect(page, where).to_contain_text("Match 1234")


def test_a_score_card_without_points_has_jack_and_pucks_and_fits_on_one_small_sheet(page, board):
    page.goto(f"{board.url}slip?number=1")
    expect(page, "#card tbody td").to_have_text(["1", "●", "12", "–", "1"])
    expect(page, "#card thead").to_contain_text("Pucks")
    said = page.locator("#card").inner_text()
    assert "112" not in said
    assert "Points" not in said
    sheet = page.pdf(prefer_css_page_size=True)
    [(width, height)] = re.findall(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", sheet)
    assert (int(float(width)), int(float(height))) == A6_POINTS
    page.emulate_media(media="print")
    assert not page.locator("#print").is_visible()


@pytest.fixture(scope="module")
def systems(tmp_path_factory) -> Iterator[WebDisplay]:
    """Return the pages of a board on which a match of a system with points was played."""
    path = tmp_path_factory.mktemp("systems") / "journal.sqlite3"
    with Book(path) as book:
        book.play((RECORDS / "japan_three_games.carom").read_text(encoding="utf-8"))
    live = LiveBoard(lambda: 0, lambda _: None, IDENTITY)
    live.matches = LaterHistory(path, "Board 7", initials=False)
    display = WebDisplay(live, WebSettings(port=0))
    display.start()
    yield display
    display.stop()


def test_a_score_card_with_points_has_the_jacks_hundred_and_a_total(page, systems):
    page.goto(f"{systems.url}slip?number=1")
    expect(page, "#card thead").to_contain_text("Jack: 100")
    expect(page, ".total").to_have_count(2)


BROKEN_WORDS = """() => {
    const broken = [];
    for (const cell of document.querySelectorAll("#card th:not([scope=colgroup])")) {
        for (const { 0: word, index } of cell.textContent.matchAll(/\\S+/g)) {
            const range = document.createRange();
            range.setStart(cell.firstChild, index);
            range.setEnd(cell.firstChild, index + word.length);
            const tops = new Set([...range.getClientRects()].map((one) => one.top));
            if (tops.size > 1) broken.push(word);
        }
    }
    const table = document.querySelector("#card table");
    const over = table.getBoundingClientRect().right - document.getElementById("card").clientWidth;
    return [broken, Math.max(0, Math.floor(over - table.offsetLeft))];
}"""
A6_INSIDE_PX = 336
"""The width of A6 paper between its margins."""


@pytest.mark.parametrize(
    ("game", "language"),
    thinned(product(("systems", "board"), LANGUAGES), {("systems", "de")}),
)
def test_no_heading_of_a_score_card_is_broken_within_a_word(page, request, game, language):
    shown = request.getfixturevalue(game)
    page.set_viewport_size({"width": A6_INSIDE_PX, "height": 480})
    page.emulate_media(media="print")
    page.goto(f"{shown.url}slip?number=1&lang={language}")
    expect(page, "html").to_have_attribute("lang", language)
    expect(page, "#card").to_be_visible()
    assert page.evaluate(BROKEN_WORDS) == [[], 0]


@pytest.mark.parametrize(
    ("address", "language"),
    thinned(
        product(("matches", "player?name=Aiko"), LANGUAGES),
        {("player?name=Aiko", "ja")},
    ),
)
def test_on_a_phone_no_figure_of_a_player_is_cut(page, systems, language, address):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{systems.url}{address}{'&' if '?' in address else '?'}lang={language}")
    expect(page, ".people td").not_to_have_count(0)
    assert (
        page.evaluate(
            """() => [...document.querySelectorAll(".scrolls, .people td")]
            .filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
            .map((one) => one.textContent)"""
        )
        == []
    )


def test_no_letter_on_a_score_card_is_smaller_than_nine_points_and_no_cell_has_a_box(page, board):
    page.goto(f"{board.url}slip?number=1")
    page.emulate_media(media="print")
    expect(page, "#card").to_be_visible()
    least, boxes = page.evaluate(
        """() => {
            const all = [...document.querySelectorAll("#card *")].filter((one) => one.textContent);
            const sizes = all.map((one) => parseFloat(getComputedStyle(one).fontSize));
            const sides = all.filter((one) => one.matches("td, th")).filter((one) =>
                parseFloat(getComputedStyle(one).borderLeftWidth) > 0);
            return [Math.min(...sizes) * 0.75, sides.length];
        }"""
    )
    assert least >= 9
    assert boxes == 0


def test_the_chart_of_times_has_room_for_strokes_alone(page, tmp_path):
    with Book(tmp_path / "journal.sqlite3") as book:
        book.match()
        for entry in ("N -", "! turn N", "! set red pocketed=2", "N -"):
            book.line(entry)
    live = LiveBoard(lambda: 0, lambda _: None, IDENTITY)
    live.matches = LaterHistory(book.path, "Board 7", initials=False)
    display = WebDisplay(live, WebSettings(port=0))
    display.start()
    page.goto(f"{display.url}match?number=1")
    bars = page.locator("#times svg rect")
    expect(page, "#times svg rect").to_have_count(2)
    first, second = (bars.nth(at).bounding_box() for at in (0, 1))
    display.stop()
    assert second["x"] - first["x"] < 1.5 * first["width"], "nothing is drawn between them"


def test_a_game_without_points_has_no_chart_of_points(page, board):
    page.goto(f"{board.url}match?number=1")
    expect(page, "#course").to_contain_text("Pieces in, entry by entry")
    assert "Points" not in page.locator("#match").inner_text()


def test_a_pocket_tells_what_was_entered_and_apart_from_it_what_its_beam_saw(page, board):
    page.goto(f"{board.url}match?number=1")
    for panel in every(page.locator("#pockets .pocket")):
        _entered, saw = panel.locator("p").all_inner_texts()
        assert saw.startswith("the beam saw ")
        assert "fell" not in panel.inner_text()


def test_a_row_of_the_list_looks_like_a_link_and_tells_how_long_it_took(page, board):
    page.goto(f"{board.url}matches")
    expect(page, ".match").to_have_count(2)
    row = page.locator(".match").last
    expect(page, ".match >> nth=1").to_contain_text("Aiko won, by the jack")
    expect(page, ".match time >> nth=1").to_have_text(re.compile(r"· \d+ s$"))
    name, arrow = row.evaluate(
        """(row) => [getComputedStyle(row.querySelector(".player")).textDecorationLine,
                     getComputedStyle(row, "::after").content]"""
    )
    assert name == "underline"
    assert "›" in arrow


@pytest.mark.parametrize(
    ("reader", "day"),
    thinned(
        [
            ("en-GB", "2 May 2026"),
            ("en-US", "May 2, 2026"),
            ("de-CH", "02.05.2026"),
            ("ja-JP", "2026/05/02"),
        ],
        {("en-US", "May 2, 2026"), ("ja-JP", "2026/05/02")},
    ),
)
def test_dates_are_written_as_the_reader_writes_them(browser, board, reader, day):
    context = browser.new_context(locale=reader, timezone_id="UTC")
    page = context.new_page()
    page.goto(f"{board.url}matches")
    page.wait_for_selector("body[data-ready]")
    said = page.locator(".match time").first.inner_text()
    context.close()
    assert said.startswith(day)


def test_a_player_has_a_page_with_figures_opponents_and_matches(page, board):
    page.goto(f"{board.url}match?number=1")
    page.locator("#sides").get_by_role("link", name="Ben").click()
    expect(page, "#name").to_have_text("Ben")
    expect(page, "#figures tbody tr").to_have_count(1)
    expect(page, "#against tbody tr td:first-child").to_have_text(["Chika", "Aiko"])
    expect(page, "#against tbody tr td:last-child").to_have_text(["0 of 0", "0 of 1"])
    expect(page, ".match").to_have_count(2)
    page.locator("#against").get_by_role("link", name="Chika").click()
    expect(page, "#name").to_have_text("Chika")
    assert grave_faults(page) == []


def test_a_player_is_nobodys_own_opponent_however_the_name_is_written(page, tmp_path):
    with Book(tmp_path / "journal.sqlite3") as book:
        for name, other in (("J\u00fcrgen", "Gro\u00df"), ("Ju\u0308rgen", "GROSS"),
                            ("J\u00dcRGEN ", "gross")):  # fmt: skip
            book.match(names={"N": name, "S": other})
            book.line("! resign S")
    live = LiveBoard(lambda: 0, lambda _: None, IDENTITY)
    live.matches = LaterHistory(book.path, "Board 7", initials=False)
    display = WebDisplay(live, WebSettings(port=0))
    display.start()
    page.goto(f"{display.url}player?name=J%C3%BCrgen")
    expect(page, "#against tbody tr").to_have_count(1)
    gross = re.compile("gro", re.IGNORECASE)
    expect(page, "#against tbody td").to_have_text([gross, "3", "3 of 3"])
    display.stop()


def test_a_name_that_nobody_has_says_so(page, board):
    page.goto(f"{board.url}player?name=Nobody")
    expect(page, "#trouble").to_have_text("Nobody of this name has played here.")


@pytest.mark.parametrize(
    ("address", "theme"),
    thinned(
        product(("match?number=1", "player?name=Ben", "slip?number=1"), ("light", "dark")),
        {("match?number=1", "dark"), ("player?name=Ben", "light"), ("slip?number=1", "light")},
    ),
)
def test_the_pages_of_a_match_can_be_used_by_everybody(page, board, address, theme):
    page.goto(f"{board.url}{address}&theme={theme}")
    page.wait_for_selector("body[data-ready]")
    assert grave_faults(page) == []


def test_an_address_of_no_match_says_so(page, board):
    page.goto(f"{board.url}match?number=99")
    expect(page, "#trouble").to_have_text("This address names no match.")
    page.goto(f"{board.url}match?number=x")
    expect(page, "#trouble").to_have_text("This address names no match.")


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (404, "Diese Adresse nennt keine Partie."),
        (429, "Zu viel auf einmal. Warte einen Moment."),
        (500, "Das geht am Brett gerade nicht."),
        (503, "Die Partien lassen sich gerade nicht lesen."),
        (None, "Das Brett antwortet nicht."),
    ],
)
def test_why_nothing_is_shown_is_said_in_the_readers_language(page, board, status, words):
    def answer(route: Route) -> None:
        if status is None:
            route.abort()
        else:
            route.fulfill(status=status, json={"error": "in English"})

    page.route("**/api/matches**", answer)
    for address in ("match?number=1", "slip?number=1", "matches?", "player?name=Aiko"):
        page.goto(f"{board.url}{address}&lang=de")
        expect(page, "#trouble").to_have_text(words)


@pytest.mark.parametrize("width", thinned([320, 1280], {320}))
def test_the_longest_names_that_a_record_may_have_make_no_page_wider(tmp_path, page, width):
    path, long = tmp_path / "journal.sqlite3", "W" * MOST_IN_A_NAME
    with Book(path) as book:
        names = {"N": f"{long[:-1]}N", "S": f"{long[:-1]}S"}
        book.match(names=names)
        book.line("N red@NE")
    live = LiveBoard(lambda: 0, lambda _: None, IDENTITY)
    live.matches = LaterHistory(path, "Board 7", initials=False)
    display = WebDisplay(live, WebSettings(port=0))
    display.start()
    first, second = (
        changed(side, names=tuple(names[seat.value] for seat in side.seats)) for side in READY.sides
    )
    display.post(changed(READY, sides=(first, second)))
    page.set_viewport_size({"width": width, "height": 700})
    shown_at = {
        "": "#headline", "matches": ".match", "match?number=1": "#strokes",
        f"player?name={long[:-1]}N": "#figures", "slip?number=1": "#card",
    }  # fmt: skip
    for address, shown in shown_at.items():
        page.goto(f"{display.url}{address}")
        expect(page, shown).to_be_visible()
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, address
    display.stop()


def luminance(colour: str) -> float:
    """Return the relative luminance of ``rgb(r, g, b)``, as WCAG 2.2 defines it."""
    parts = [int(each) / 255 for each in re.findall(r"\d+", colour)[:3]]
    linear = [
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("path", thinned(["matches", "match?number=1"], {"matches"}))
def test_the_disc_of_green_who_won_keeps_a_letter_that_stands_out(page, tmp_path, path):
    journal = tmp_path / "green.sqlite3"
    with Book(journal) as book:
        book.play((RECORDS / "japan_three_games.carom").read_text(encoding="utf-8"))
    live = LiveBoard(lambda: 0, lambda _: None, IDENTITY)
    live.matches = LaterHistory(journal, "Board 7", initials=False)
    display = WebDisplay(live, WebSettings(port=0))
    display.start()
    page.goto(f"{display.url}{path}")
    disc = page.locator(".won .piece-green").first
    fill, ink = (
        luminance(disc.locator(part).evaluate("(part) => getComputedStyle(part).fill"))
        for part in (".body", ".letter-on")
    )
    display.stop()
    assert (max(fill, ink) + 0.05) / (min(fill, ink) + 0.05) >= 4.5
