"""The hub's paper: sheets, slips, cards, certificates, and results to take away."""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Error, expect

from jackspot.displays.words import LANGUAGES, translator
from jackspot_hub.desk.entering import reword
from jackspot_hub.desk.revising import correct
from jackspot_hub.event.contest import DoubleElimination
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.event.programme import Person
from jackspot_hub.event_file import programme_of
from jackspot_hub.results import files_of, newspaper
from tests.browser.conftest import every
from tests.conftest import ATTEMPTS, new_context, thinned
from tests.hub.halls import programme
from tests.hub.shown import ShownHall

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
from tests.browser.hub.conftest import sign_in_by_post, url

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[3]


def choose(page: Page, what: str) -> None:
    page.get_by_label(what).check()


def test_paper_has_every_match_every_board_and_every_place(page: Page, played: ShownHall):
    desk = played.hall.desk
    page.goto(url(played, "print"))
    sheets = page.locator(".paper")
    expect(sheets.first.locator("h2")).to_have_text("Open singles · Group A")
    group = page.locator(".crossed").first
    rows = len(desk.drawn("singles").tables["singles-A"])
    expect(group.locator("tbody tr")).to_have_count(rows)
    expect(group.locator(".self")).to_have_count(rows)
    expect(page.locator(".tree")).to_have_count(1)
    choose(page, "Score slips")
    expect(sheets).to_have_count(0)
    page.get_by_label("Which matches").select_option("all")
    count = sum(len(desk.drawn(each).fixtures) for each in desk.programme.classes)
    expect(page.locator(".slip")).to_have_count(count)
    expect(sheets).to_have_count(-(-count // 4))
    page.get_by_label("Name or number").fill("singles-ko-third")
    expect(page.locator(".slip")).to_have_count(1)
    choose(page, "Board cards")
    expect(page.locator(".board-card .number")).to_have_text([str(each) for each in range(1, 13)])
    expect(page.locator("#leads")).to_contain_text("only this machine")
    page.get_by_label("From board").fill("3")
    page.get_by_label("To board").fill("5")
    expect(page.locator(".board-card .number")).to_have_text(["3", "4", "5"])
    choose(page, "Certificates")
    final = desk.drawn("singles").final
    assert final is not None
    assert isinstance(final.winner, int)
    names = page.locator(".certificate .name")
    expect(names).to_have_count(3 + 3 * 2)
    expect(names.first).to_have_text(desk.programme.names("singles", final.winner)[0])
    page.get_by_label("Down to place").fill("1")
    page.get_by_label("Class").select_option("singles")
    expect(names).to_have_count(1)


def test_people_who_are_called_alike_all_have_their_certificate_and_the_wall_its_bracket(
    page: Page,
):
    """Two have the same initials in public, and their class has the name of a part of a bracket."""
    names = ["Aiko Tanaka", "Akira Tamura", "Ben Abe", "Chie Baba"]
    contest = {"name": "final", "format": "knockout", "names": "initials", "entrants": names}
    hall = ShownHall(0, 0, played=programme_of(
        {"name": "Cup", "hall": "hall", "boards": 2, "contest": [contest]}
    ))  # fmt: skip
    while hall.hall.desk.still_open("final"):
        hall.turn(ends=1, sits=1)
    hall.pages.start()
    page.goto(url(hall, "print"))
    choose(page, "Certificates")
    page.get_by_label("Down to place").fill("4")
    called = page.locator(".certificate .name")
    expect(called).to_have_count(4)
    assert sorted(called.all_inner_texts()) == ["A. T. (1)", "A. T. (2)", "B. A.", "C. B."]
    page.goto(url(hall, "wall?scene=bracket"))
    expect(page.locator(".bracket .match")).to_have_count(4)
    page.goto(url(hall, "wall"))
    expect(page.locator(".winner p")).to_have_count(3)
    hall.pages.stop()


CARD = tomllib.loads((ROOT / "hardware/quick-card/words.toml").read_text("utf-8"))

ON_BOTH = ("usual", "wrong", "nothing", "placing", "undo")

ON_SHEETS = {
    "For players": (*ON_BOTH, "together", "hold", "start"),
    "For referees": (*ON_BOTH, "foul", "off", "menu", "referee"),
}
"""Which lines of the quick card are on which sheet."""


@pytest.mark.parametrize(
    ("what", "language"),
    thinned(product(ON_SHEETS, LANGUAGES), {("For referees", "ja")}),
)
def test_sheets_for_people_say_how_to_press_as_the_quick_card_does(
    browser: Browser, played: ShownHall, what: str, language: str
):
    context = new_context(browser, locale=language)
    page = context.new_page()
    page.goto(url(played, "print"))
    page.locator(f"[value={what.removeprefix('For ')}]").check()
    lines = [line.inner_text() for line in every(page.locator(".guide li"))]
    said = ["".join(line.split()) for line in lines]
    for key in ON_SHEETS[what]:
        wanted = re.sub(r"[{}\s]", "", CARD[key][language])
        assert wanted in said, (wanted, said)
    leads = "/phones.svg" if what == "For players" else "/referees.svg"
    expect(page.locator(".guide img")).to_have_attribute("src", leads)
    context.close()


def test_the_codes_on_sheets_lead_to_the_pages_that_they_name(page: Page, played: ShownHall):
    for name, path in (("phones", ""), ("referees", "referees")):
        page.goto(url(played, f"{name}.svg"))
        assert code_on(page) == url(played, path)


def code_on(page: Page) -> str:
    """Return what a phone reads: it keeps looking until it has seen a code."""
    for _ in range(ATTEMPTS):
        with suppress(Error):  # of a picture that has only just been opened there may be no shot
            if read := zxingcpp.read_barcodes(Image.open(io.BytesIO(page.screenshot()))):
                return read[0].text
        page.wait_for_timeout(100)
    return "no code"


def test_standings_are_copied_as_text(page: Page, played: ShownHall):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(url(played, "print"))
    choose(page, "Standings")
    expect(page.locator("#text")).not_to_have_value("")
    page.get_by_role("button", name="Copy").click()
    expect(page.locator("#copied")).to_have_text("Copied.")
    text = page.evaluate("navigator.clipboard.readText()")
    final = played.hall.desk.drawn("singles").final
    assert final is not None
    assert isinstance(final.winner, int)
    [winner] = played.hall.desk.programme.names("singles", final.winner)
    assert f"\n1. {winner}\n2. " in text.replace("\r", "")
    assert "Group A" in text


def test_names_have_room_in_printed_results_beside_who_won_without_points(page: Page):
    names = ["Friederike Schmidt-Wächter", "Goro Yamamoto", "Aiko Tanaka", "Ben Müller"]
    contest = {"name": "ko", "format": "knockout", "entrants": names}
    hall = ShownHall(0, 0, played=programme_of(
        {"name": "Cup", "hall": "hall", "boards": 2, "contest": [contest]}
    ))  # fmt: skip
    while ready := [each for each in hall.hall.desk.still_open("ko") if each.is_ready]:
        for each in ready:
            forfeited = Outcome(0, forfeit=True)
            hall.hall.write(correct(hall.hall.desk, each.key, forfeited, "desk"))
    hall.show()
    hall.pages.start()
    page.goto(url(hall, "print"))
    choose(page, "Standings")
    expect(page.locator(".results .meeting b").first).to_contain_text("won")
    for line in every(page.locator(".results .meeting")):
        meet, ended = (line.locator(each).bounding_box() for each in ("span", "b"))
        whole = line.bounding_box()
        assert meet
        assert ended
        assert whole
        assert meet["width"] >= 0.45 * whole["width"] - 1
        assert ended["x"] + ended["width"] <= whole["x"] + whole["width"] + 1
    hall.pages.stop()


def test_brackets_have_their_names_in_the_readers_language_where_a_match_is_told(browser: Browser):
    shown = ShownHall(4, 2, played=programme(4, s=DoubleElimination()))
    shown.pages.start()
    shown.turn(ends=0, sits=1)
    page = new_context(browser, locale="de").new_page()
    page.goto(url(shown, "print"))
    choose(page, "Spielzettel")
    page.get_by_label("Welche Partien").select_option("all")
    expect(page.locator(".slip").first.locator("h2")).to_have_text("Siegerrunde 1-1")
    choose(page, "Auslosung")
    expect(page.locator(".awaited", has_text="Sieger von Siegerrunde 1-1")).to_have_count(1)
    expect(page.locator(".awaited", has_text=re.compile(r"\b(upper|lower|final)\b"))).to_have_count(
        0
    )
    shown.pages.stop()


@pytest.mark.parametrize("each", [2, 4])
def test_the_longest_names_leave_a_slip_its_lines_for_signatures(page: Page, each: int):
    names = [("Maximiliane-Theodora von Hohenzollern-Sigmaringen " * 2)[:62] + f" {at}"
             for at in range(8)]  # fmt: skip
    pairs = [list(pair) for pair in zip(names[::2], names[1::2], strict=True)]
    contest = {"name": "open", "format": "knockout", "entrants": pairs}
    hall = ShownHall(0, 0, played=programme_of(
        {"name": "Cup", "hall": "hall", "boards": 2, "contest": [contest]}
    ))  # fmt: skip
    hall.turn(sits=0)
    hall.pages.start()
    page.goto(url(hall, "print"))
    choose(page, "Score slips")
    page.get_by_label("On a sheet").select_option(str(each))
    expect(page.locator(f".slips[data-each='{each}']")).to_have_count(1)
    expect(page.locator(".slip")).to_have_count(2)
    for slip in every(page.locator(".slip")):
        whole, sheet = slip.bounding_box(), page.locator(".slips").bounding_box()
        assert whole
        assert sheet
        assert whole["height"] <= sheet["height"] / 2 + 1
        assert slip.evaluate("e => e.scrollHeight <= e.clientHeight + 1")
    hall.pages.stop()


@pytest.mark.parametrize(
    ("form", "people", "sheets"),
    [("knockout", 32, 1), ("knockout", 64, 3), ("double", 16, 2), ("double", 32, 3)],
)
def test_a_bracket_is_on_as_many_pages_as_it_has_sheets_and_names_have_room(
    page: Page, form: str, people: int, sheets: int
):
    names = [f"Friederike Schmidt-Wächter {at}" if at % 3 else f"P {at}" for at in range(people)]
    contest = {"name": "open", "title": "Open", "format": form, "entrants": names}
    event = {"name": "Cup", "hall": "hall", "boards": 16, "seed": "1", "contest": [contest]}
    hall = ShownHall(0, 0, played=programme_of(event))
    while hall.hall.desk.still_open("open"):
        hall.turn(ends=1, sits=1)
    hall.pages.start()
    page.goto(url(hall, "print"))
    expect(page.locator(".tree")).to_have_count(sheets)
    expect(page.locator("#count")).to_have_text(f"{sheets} sheet{'s' if sheets > 1 else ''}")
    page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
    printed = page.pdf(prefer_css_page_size=True)
    assert printed.count(b"/Type /Page\n") == sheets
    narrowest = page.evaluate(
        "Math.min(...[...document.querySelectorAll('.tree .box span')].map((e) =>"
        " e.getBoundingClientRect().width / e.closest('.paper').getBoundingClientRect().width))"
    )
    assert 210 * narrowest > 13
    hall.pages.stop()


@pytest.mark.parametrize(
    ("what", "pages"),
    [
        ("Draw sheets", 7),
        ("Board cards", 6),
        ("Certificates", 9),
        ("Score slips", 0),
        pytest.param("For players", 1, marks=pytest.mark.long),
        pytest.param("For referees", 1, marks=pytest.mark.long),
    ],
)
def test_a_sheet_is_a_page(page: Page, played: ShownHall, what: str, pages: int):
    page.goto(url(played, "print"))
    choose(page, what)
    if what == "Score slips":
        page.get_by_label("Which matches").select_option("all")
        desk = played.hall.desk
        count = sum(len(desk.drawn(each).fixtures) for each in desk.programme.classes)
        pages = -(-count // 4)
    expect(page.locator(".paper")).to_have_count(pages)
    printed = page.pdf(prefer_css_page_size=True)
    assert printed.count(b"/Type /Page\n") == pages
    assert b"/MediaBox [0 0 594.95996 841.91998]" in printed


CUP = {
    "name": "Cup", "hall": "hall", "boards": 2, "seed": "1",
    "contest": [
        {"name": "swiss", "format": "swiss", "rounds": 3, "entrants": ["Aiko", "Ben", "Chie"]},
        {"name": "all", "format": "all", "entrants": ["Dirk", "Emi", "Frieda", "Goro"]},
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def cup() -> Iterator[ShownHall]:
    """Each of three waits once; of four, two pairs are tied and their own matches decide."""
    hall = ShownHall(0, 0, played=programme_of(CUP))
    beats = {(1, 2), (1, 3), (4, 1), (2, 3), (2, 4), (3, 4)}
    first = min(hall.hall.desk.programme.classes["all"].people)
    while any(hall.hall.desk.still_open(each) for each in ("swiss", "all")):
        for name in ("swiss", "all"):
            for each in hall.hall.desk.still_open(name):
                if each.is_ready:
                    one, two = (cast("int", side) - first + 1 for side in each.sides)
                    winner = 0 if name == "swiss" or (one, two) in beats else 1
                    ended = Outcome(winner, (5, 5) if name == "all" else (9 * (1 - winner), 1))
                    hall.hall.write(correct(hall.hall.desk, each.key, ended, "desk"))
    hall.show()
    hall.pages.start()
    yield hall
    hall.pages.stop()


@pytest.mark.parametrize("language", LANGUAGES)
def test_paper_says_who_is_before_whom_and_by_what_as_the_wall_does(
    browser: Browser, cup: ShownHall, language: str
):
    context = new_context(browser, locale=language)
    page = context.new_page()
    page.goto(url(cup, "wall?scene=tables"))
    wall = page.locator(".standing", has=page.get_by_role("heading", name="all", exact=True))
    told = wall.locator(".reason").first.inner_text()
    assert re.search(r"1\D+2", told)
    page.goto(url(cup, "print"))
    page.locator("input[value=standings]").check()
    sheet = page.locator(".paper", has=page.get_by_role("heading", name="all", exact=True))
    expect(sheet.locator(".reason").first).to_have_text(told)
    expect(sheet.locator(".reason").last).to_have_text(re.compile(r"3\D+4"))
    expect(sheet.locator("td small")).to_have_count(0)
    context.close()


def test_whoever_waited_is_shown_with_what_they_won_in_play_and_the_round_beside_it(
    page: Page, cup: ShownHall
):
    """A round in which somebody waited counts as a win, but not as played."""
    legend = "won / played + waited: a round waited counts as a win"
    rows = cup.hall.desk.drawn("swiss").tables["swiss"]
    wanted = [f"{each.tally.won - 1}/2 +1" for each in rows]
    assert all(each.tally.waited == 1 and each.tally.played == 2 for each in rows)
    page.goto(url(cup, "wall?scene=tables"))
    shown = page.locator(".standing", has=page.get_by_role("heading", name="swiss", exact=True))
    expect(shown.locator("td:nth-child(3)")).to_have_text(wanted)
    expect(shown.locator(".reason").first).to_have_text(legend)
    page.goto(url(cup))
    page.get_by_role("button", name="Aiko").click()
    expect(page.locator(".standing td:nth-child(3)")).to_have_text(wanted)
    expect(page.locator(".standing .reason").first).to_have_text(legend)
    page.goto(url(cup, "print"))
    sheet = page.locator(".paper", has=page.get_by_role("heading", name="swiss", exact=True))
    expect(sheet.locator(".ranking i").first).to_contain_text(wanted[0])
    expect(sheet.locator(".reason")).to_have_text([legend])
    choose(page, "Standings")
    expect(sheet.locator(".ranked td:nth-child(3)")).to_have_text(wanted)
    expect(sheet.locator(".reason").first).to_have_text(legend)
    paper = newspaper(cup.hall.desk, translator("en"))
    assert legend in paper
    assert (
        page.locator("#text").input_value().strip().split("\n")[2:]
        == (paper.strip().split("\n")[2:])
    )
    others = page.locator(".paper", has=page.get_by_role("heading", name="all", exact=True))
    expect(others.get_by_text("waited")).to_have_count(0)


@pytest.mark.parametrize("shown", ["initials", "number"])
def test_certificates_carry_names_in_full_for_the_desk_and_for_nobody_else(page: Page, shown: str):
    names = ["Aiko Tanaka", "Ben Abe", "Chie Baba"]
    contest = {"name": "kids", "format": "all", "names": shown, "entrants": names}
    hall = ShownHall(0, 0, played=programme_of(
        {"name": "Cup", "hall": "hall", "boards": 2, "contest": [contest]}
    ))  # fmt: skip
    while hall.hall.desk.still_open("kids"):
        hall.turn(ends=1, sits=1)
    hall.pages.start()
    heard: list[str] = []
    page.on("response", lambda answer: heard.append(answer.url))
    page.goto(url(hall, "print"))
    choose(page, "Certificates")
    expect(page.locator(".certificate")).to_have_count(3)
    expect(page.locator("#known")).to_contain_text("as the public sees them")
    assert not any(name in page.content() for name in names)
    assert not [each for each in heard if "results" in each]
    assert page.request.get(url(hall, "api/hub/results/results.json")).status == 401
    sign_in_by_post(page, hall)
    page.goto(url(hall, "print"))
    choose(page, "Certificates")
    expect(page.locator("#known")).to_contain_text("also where the public sees less")
    expect(page.locator(".certificate .name")).to_have_count(len(names))
    assert sorted(page.locator(".certificate .name").all_inner_texts()) == names
    for what in ("Draw sheets", "Standings"):
        choose(page, what)
        expect(page.locator(".paper").first).to_be_visible()
        expect(page.get_by_text("Tanaka")).to_have_count(0)
    hall.pages.stop()


def test_certificates_carry_the_names_as_they_are_when_they_are_printed(page: Page) -> None:
    contest = {"name": "kids", "format": "all", "names": "initials",
               "entrants": ["Aiko Tanaka", "Ben Abe", "Chie Baba"]}  # fmt: skip
    event = {"name": "Cup", "hall": "hall", "boards": 2, "contest": [contest]}
    hall = ShownHall(0, 0, played=programme_of(event))
    while hall.hall.desk.still_open("kids"):
        hall.turn(ends=1, sits=1)
    hall.pages.start()
    page.goto(url(hall, "print"))
    choose(page, "Certificates")
    expect(page.locator(".certificate")).to_have_count(3)
    expect(page.get_by_text("Aiko Tanaka")).to_have_count(0)
    sign_in_by_post(page, hall)
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.get_by_text("Aiko Tanaka")).to_be_visible()
    hall.do(lambda desk: reword(desk, Person(1, "Aika Tanaka"), "desk")).result()
    page.evaluate("() => { print = () => { document.title = 'printed'; }; }")
    page.get_by_role("button", name="Print").click()
    expect(page).to_have_title("printed")
    expect(page.get_by_text("Aika Tanaka")).to_be_visible()
    page.request.post(url(hall, "api/session/end"), data={})
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.get_by_text("Aika Tanaka")).to_have_count(0)
    hall.pages.stop()


@pytest.mark.parametrize("what", ["draws", "cards", "standings", "certificates", "players"])
def test_a_whole_sheet_is_seen_on_a_phone(browser: Browser, played: ShownHall, what: str):
    context = new_context(browser, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(url(played, "print"))
    page.locator(f"input[value={what}]").check()
    expect(page.locator(f".paper.of-{what}").first).to_be_visible()
    wide = page.evaluate(
        "() => Math.max(...[...document.querySelectorAll('.paper')]"
        ".map(each => each.getBoundingClientRect().right))"
    )
    assert wide <= 390
    context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_sign_a_certificate_in_every_language(
    browser: Browser, played: ShownHall, language: str
):
    context = new_context(browser, locale=language)
    page = context.new_page()
    page.goto(url(played, "print"))
    page.locator("input[value=certificates]").check()
    expect(page.locator(".certificate").first.locator(".signs p")).to_have_count(2)
    context.close()


@pytest.mark.parametrize("what", ["cards", "players", "referees"])
def test_what_leads_players_nowhere_says_so_before_it_is_printed(
    page: Page, played: ShownHall, what: str
):
    """A page that was opened as 127.0.0.1 prints an address that leads each phone to itself."""
    page.goto(url(played, "print"))
    page.locator(f"input[value={what}]").check()
    said = page.locator(".note.alone")
    expect(said).to_contain_text("which only this machine reaches")
    expect(said).to_be_visible()
    page.emulate_media(media="print")
    expect(said).to_be_hidden()


@pytest.mark.parametrize("language", thinned(LANGUAGES, {"de"}))
def test_results_are_downloaded_at_the_desk_and_the_newspaper_gets_what_the_print_page_says(
    browser: Browser, played: ShownHall, language: str
):
    context = new_context(browser, locale=language, accept_downloads=True)
    page = context.new_page()
    files = files_of(played.hall.desk, translator(language))
    sign_in_by_post(page, played)
    page.goto(url(played, "people"))
    found = {}
    for link in every(page.locator("#results a")):
        with page.expect_download() as coming:
            link.click()
        found[coming.value.suggested_filename] = coming.value.path()
    packed = found.pop("records.zip")
    assert packed.stat().st_size > 1_000
    assert {name: path.read_bytes().decode() for name, path in found.items()} == {
        name: text for name, text in files.items() if "/" not in name
    }
    page.goto(url(played, "print"))
    page.locator("input[value=standings]").check()
    page.wait_for_function("() => document.getElementById('text').value !== ''")
    text = page.locator("#text").input_value()
    assert text.strip().split("\n")[2:] == files["standings.txt"].strip().split("\n")[2:]
    context.close()
