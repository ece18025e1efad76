"""The hub's pages before a played hall: the wall, phones, the desk, announcer, referees, paper."""

from __future__ import annotations

import io
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from jackspot.displays.words import LANGUAGES, translator
from jackspot.festival.messages import What
from jackspot_hub.desk.entering import enter, register
from jackspot_hub.desk.revising import correct, preview
from jackspot_hub.desk.state import CarriedRelease, contest_of
from jackspot_hub.desk.updates import give_places
from jackspot_hub.event.contest import Contest, Knockout
from jackspot_hub.event.fixtures import Outcome, entrants_of
from jackspot_hub.event.programme import PlayedClass
from jackspot_hub.event_file import programme_of
from jackspot_hub.results import files_of
from tests.browser.accessible import grave_faults
from tests.browser.conftest import every
from tests.conftest import ATTEMPTS, new_context, thinned
from tests.hub.shown import PIN, ShownHall
from tests.hub.test_desk import played_freely

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
ROOT = Path(__file__).resolve().parents[2]
LOST = {"v": 1, "state": "lost", "boot": "a", "n": 1}
READY = {"v": 1, "state": "ready", "boot": "a", "n": 2}
SCREENS = ((1920, 1080), (3840, 2160), (1080, 1920))
HALLS = thinned(((8, 8, 4), (16, 32, 8), (72, 145, 8)), {(8, 8, 4), (72, 145, 8)})
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
    return found;
}"""
UNSAID = """() => {
    const all = [...document.querySelectorAll("body, body *")];
    const own = all.flatMap((each) => [...each.childNodes, ...each.attributes])
        .filter((each) => each.nodeType !== Node.ELEMENT_NODE)
        .map((each) => each.nodeValue ?? "");
    const blanks = own.filter((text) => /\\{\\w+\\}|undefined|\\[object|NaN/.test(text));
    const unsaid = all.filter((each) => "say" in each.dataset).map((each) => each.outerHTML);
    return [...blanks, ...unsaid];
}"""
"""Blanks that nobody filled, and what was to be translated and was not."""
VOICE = """
window.uttered = [];
class Utterance {
    constructor(text) { this.text = text; }
}
const voices = [
    { name: "Ada", lang: "en-GB", localService: true, default: true },
    { name: "Cloud", lang: "en-US", localService: false },
    { name: "Uwe", lang: "de-DE", localService: true },
];
Object.defineProperty(window, "speechSynthesis", { value: {
    getVoices: () => voices, addEventListener() {}, cancel() {},
    speak(said) { uttered.push(said); },
} });
window.SpeechSynthesisUtterance = Utterance;
"""
"""A machine with voices: the browser of the tests has none."""


@pytest.fixture
def hall() -> Iterator[ShownHall]:
    """Eight boards and sixteen people; all have been called, nobody has come."""
    hall = ShownHall(8, 16)
    hall.turn()
    hall.pages.start()
    yield hall
    hall.pages.stop()


def url(hall: ShownHall, path: str = "") -> str:
    return hall.pages.url + path


def sit(hall: ShownHall, *boards: int) -> None:
    """Let those who are called to boards come and play."""
    for board in boards:
        hall.hall.sit_down(board)
        hall.score(board)
    hall.show()


def who(hall: ShownHall, board: int) -> list[str]:
    """Return who is called to a board, its first side first."""
    order = hall.hall.desk.order_of(board)
    assert order is not None
    programme = hall.hall.desk.programme
    return [name for side in order.sides for name in programme.names(order.contest, side)]


def sign_in(page: Page, hall: ShownHall, path: str = "desk") -> None:
    page.goto(url(hall, path))
    page.get_by_label("PIN", exact=True).fill(PIN)
    page.get_by_label("Your name").fill("Aiko")
    page.keyboard.press("Enter")
    expect(page.locator("#sign-in")).to_be_hidden()


def sign_in_by_post(page: Page, hall: ShownHall) -> None:
    signed = page.request.post(url(hall, "api/session"), data={"pin": PIN, "name": "Aiko"})
    assert signed.ok


def match_on(hall: ShownHall, board: int) -> str:
    order = hall.hall.desk.order_of(board)
    assert order is not None
    return order.key


# --- the wall ----------------------------------------------------------------------------


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


@pytest.mark.parametrize(("boards", "people", "turns"), HALLS)
def test_nothing_sticks_out_of_the_wall(page: Page, boards: int, people: int, turns: int):
    hall = ShownHall(boards, people)
    for _ in range(turns):
        hall.turn()
    hall.pages.start()
    found = []
    for scene in ("boards", "bracket", "tables"):
        page.goto(url(hall, f"wall?scene={scene}"))
        expect(page.locator("#scene")).not_to_be_empty()
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate("new Promise(requestAnimationFrame)")
            found += [f"{scene} {width}: {each}" for each in page.evaluate(STICKS_OUT)]
    hall.pages.stop()
    assert not found, "\n".join(found[:20])


# --- phones ------------------------------------------------------------------------------


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


# --- the desk ----------------------------------------------------------------------------


def test_the_desk_asks_for_the_pin_and_lists_what_needs_somebody(page: Page, hall: ShownHall):
    page.goto(url(hall, "desk"))
    page.get_by_label("PIN", exact=True).fill("999999")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#wrong")).to_have_text("Wrong PIN.")
    expect(page.locator("#boards")).to_be_empty()
    page.get_by_label("PIN", exact=True).fill(PIN)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#needs")).to_have_text("Nothing: all goes by itself.")
    sit(hall, 1, 2)
    hall.hall.say(1, What.STATUS, LOST)
    hall.hall.say(2, What.CALL, {"v": 1})
    hall.hall.match_says(3, hall.hall.desk.open_orders[3], "declined")
    hall.show()
    expect(page.locator("#needs li")).to_have_count(3)
    expect(page.locator("#needs li").nth(0)).to_contain_text("Board 2 asks you to come")
    expect(page.locator("#needs li").nth(1)).to_contain_text("Board 1 is away in a match")
    expect(page.locator("#needs li").nth(2)).to_contain_text("Board 3: others sit there")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("PIN", exact=True)).to_be_visible()
    expect(page.locator("#boards")).to_be_empty()


def test_the_desk_corrects_a_match_and_says_first_what_comes_of_it(page: Page):
    hall = ShownHall(8, 8)
    while "singles-ko-1-1" not in hall.hall.desk.results.get("singles", {}):
        hall.turn(ends=1, sits=1)
    hall.pages.start()
    desk = hall.hall.desk
    first = desk.drawn("singles").tables["singles-A"][0].entrant
    sign_in(page, hall)
    page.get_by_label("Which matches").select_option("over")
    page.get_by_label("Name or number").fill("singles-A")

    def leads_elsewhere(key: str, loser: int) -> bool:
        """Whether a knockout's match conflicts once who has won here has lost by far."""
        lost = Outcome(loser, (400 * (1 - loser), 400 * loser))
        return bool(preview(desk, correct(desk, key, lost, "")).conflicts)

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
    assert hall.hall.desk is desk
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#needs")).to_contain_text(
        "Played by others than results lead to now: Open singles · Knockout · 1-1"
    )
    outcome = hall.hall.desk.results["singles"][key].outcome
    assert outcome is not None
    assert (outcome.winner, outcome.points[loser]) == (loser, 400)
    hall.pages.stop()


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
    """Press Tab until something has the focus; each press shows where it is."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if is_there():
            return
    pytest.fail("nobody gets there with the Tab key")


# --- the announcer -----------------------------------------------------------------------


def test_the_announcer_reads_the_newest_call_and_takes_what_was_said_away(
    page: Page, hall: ShownHall
):
    page.goto(url(hall, "announcer"))
    expect(page.get_by_role("button", name="Speak")).to_be_disabled()
    expect(page.locator("#trouble")).to_contain_text("no voice")
    newest = max(hall.hall.desk.orders)
    board = hall.hall.desk.orders[newest].board
    large = page.locator(".call")
    expect(large.locator(".board")).to_have_text(f"Board no. {board}")
    expect(large.locator(".who span")).to_have_text(who(hall, board))
    others = page.locator("#others li")
    left = others.count()
    page.get_by_role("button", name="Said: next").click()
    expect(others).to_have_count(left - 1)
    expect(page.locator("#said li")).to_contain_text([f"Board {board}: {who(hall, board)[0]}"])
    page.reload()
    expect(others).to_have_count(left - 1)
    expect(page.locator("#said li")).to_have_count(1)


def test_the_voice_says_each_new_call_once_and_leaves_who_has_come(page: Page):
    page.add_init_script(VOICE)
    hall = ShownHall(4, 16)
    hall.turn()
    hall.pages.start()
    page.goto(url(hall, "announcer"))
    expect(page.locator(".call")).to_be_visible()
    assert page.evaluate("uttered.length") == 0
    page.get_by_label("How fast").fill("1.2")
    expect(page.locator("#voices option")).to_have_text(["Ada"])
    page.get_by_role("button", name="Speak").click()
    board = hall.hall.desk.orders[max(hall.hall.desk.orders)].board

    def uttered() -> list[str]:
        return page.evaluate("uttered.map((each) => each.text)")

    one, other = who(hall, board)
    first = f"Board {board}: {one} against {other}"
    assert uttered() == [first]
    assert page.evaluate("[uttered[0].voice.name, uttered[0].rate, uttered[0].lang]") == [
        "Ada", 1.2, "en",
    ]  # fmt: skip
    # While it speaks two matches end, and four people are called; two of them come at once.
    sit(hall, 1, 2)
    before = max(hall.hall.desk.orders)
    hall.hall.result(1)
    hall.hall.result(2)
    hall.hall.tick(0)
    new = [hall.hall.desk.orders[each] for each in hall.hall.desk.orders if each > before]
    assert [each.board for each in new] == [1, 2]
    sit(hall, 2)
    expect(page.locator("#others li")).to_have_count(2)
    expect(page.locator("#others li").first).to_have_text(f"1{' – '.join(who(hall, 1))}")
    assert uttered() == [first]
    page.evaluate("uttered[0].onend()")
    second = f"Board 1: {who(hall, 1)[0]} against {who(hall, 1)[1]}"
    assert uttered() == [first, second]
    page.evaluate("uttered[1].onend()")
    # Neither a hub that was away nor a page that was loaded anew makes it say a call again.
    port = hall.pages.port
    hall.pages.stop()
    expect(page.locator("#status")).to_be_visible()
    hall.serve(port)
    hall.pages.start()
    expect(page.locator("#status")).to_be_hidden()
    assert uttered() == [first, second]
    page.reload()
    expect(page.locator("#said li")).to_have_count(2)
    page.get_by_role("button", name="Speak").click()
    assert first not in uttered()
    assert second not in uttered()
    assert page.evaluate("uttered[0]?.rate ?? 1.2") == 1.2
    hall.pages.stop()


# --- referees ----------------------------------------------------------------------------


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


# --- paper -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played() -> Iterator[ShownHall]:
    """An event of 32 that is over."""
    hall = ShownHall(12, 32)
    while hall.hall.desk.open_orders or not hall.hall.desk.orders:
        hall.turn(ends=1, sits=1)
    hall.pages.start()
    yield hall
    hall.pages.stop()


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


CARD = tomllib.loads((ROOT / "hardware/quick-card/words.toml").read_text("utf-8"))
ON_BOTH = ("usual", "wrong", "nothing", "placing", "undo")
ON_SHEETS = {
    "For players": (*ON_BOTH, "together", "hold", "start"),
    "For referees": (*ON_BOTH, "foul", "off", "menu", "referee"),
}
"""Which lines of the quick card stand on which sheet."""


@pytest.mark.parametrize(
    ("what", "language"),
    thinned(product(ON_SHEETS, LANGUAGES), set(zip(ON_SHEETS, ("de", "ja"), strict=True))),
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
    """What a phone reads: it looks on until it has seen a code."""
    for _ in range(ATTEMPTS):
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


@pytest.mark.parametrize(
    ("what", "pages"),
    [
        ("Draw sheets", 7),
        ("Board cards", 6),
        ("Certificates", 9),
        ("Score slips", 0),
        ("For players", 1),
        ("For referees", 1),
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


# --- all of them -------------------------------------------------------------------------


PAGES = ("", "wall", "desk", "announcer", "referees", "print")


@pytest.mark.parametrize("path", [each for each in PAGES if each != "wall"])
def test_people_who_see_hear_or_move_differently_can_use_a_page(
    page: Page, hall: ShownHall, path: str
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
    for theme in ("light", "dark"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        assert not grave_faults(page), theme


@pytest.mark.parametrize("language", thinned(LANGUAGES, {"de", "ja"}))
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


def test_a_result_of_no_match_is_given_to_one_by_the_desk(page: Page, hall: ShownHall) -> None:
    board, key = 1, match_on(hall, 1)
    hall.hall.sit_down(board)
    hall.do(lambda desk: correct(desk, key, Outcome(1, (2, 9)), "desk")).result()
    hall.hall.result(board, "N 12*red\nN jack\n")
    hall.show()
    sign_in(page, hall)
    page.get_by_text(f"Board {board} says").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_label("It is the match")).to_have_value(key)
    sheet.get_by_text("It counts for this match").click()
    expect(page.get_by_text("Board 1 says")).to_be_hidden()
    results = hall.hall.desk.results[key.partition("-")[0]]
    assert results[key].winner() == hall.hall.desk.newest(key).sides[0]


DAY = {
    "name": "Day", "hall": "day", "boards": 2, "seed": "1",
    "contest": [
        {"name": "free", "title": "Table of the day", "format": "free",
         "entrants": ["Aiko", "Ben", "Chie"]},
        {"name": "drawn", "title": "Drawn partners", "format": "partners", "rounds": 3,
         "entrants": ["Dirk", "Emi", "Frieda", "Goro", "Hana"]},
    ],
}  # fmt: skip


@pytest.fixture
def day() -> Iterator[ShownHall]:
    """Free play, and five people with partners that are drawn: one of them waits."""
    hall = ShownHall(2, 8, played=programme_of(DAY))
    hall.turn(sits=0)
    hall.pages.start()
    yield hall
    hall.pages.stop()


def test_the_desk_says_who_has_played_freely_under_another_name(page: Page, day: ShownHall) -> None:
    played_freely(day.hall, "Aika", "Ben")
    day.show()
    sign_in(page, day)
    page.get_by_text("has a result that nobody ordered: Aika 12 : 0 Ben").click()
    sheet = page.get_by_role("dialog")
    counts = sheet.get_by_role("button", name="It counts for this match")
    expect(sheet.get_by_label("It is the match")).to_have_value("free free")
    expect(sheet.get_by_label("Ben 0")).to_have_value("2")
    expect(counts).to_be_disabled()
    sheet.get_by_label("Aika 12").select_option(label="Aiko")
    expect(counts).to_be_enabled()
    counts.click()
    expect(sheet).to_be_hidden()
    expect(page.locator("#needs")).to_contain_text("Nothing")
    (played,) = day.hall.desk.results["free"].values()
    assert (played.sides, played.winner()) == ((1, 2), 1)


def test_a_phone_says_that_one_waits_and_with_whom_one_plays(page: Page, day: ShownHall) -> None:
    drawn = day.hall.desk.drawn("drawn")
    (waits,), (fixture,) = drawn.waits, drawn.fixtures
    people = day.hall.desk.programme.people
    me, mate = (people[each].name for each in entrants_of(fixture.sides)[:2])
    for name, says in ((people[waits.entrant].name, "You wait in this round."),
                       ("Chie", "Play whom you like"), (me, f"with {mate}, against")):  # fmt: skip
        page.goto(url(day))
        page.evaluate("name => localStorage.setItem('jackspot-me', name)", name)
        page.reload()
        expect(page.locator("#mine")).to_contain_text(says)
    page.goto(url(day, "print"))
    expect(page.locator(".waits")).to_have_text(f"Waits: {people[waits.entrant].name}")


def test_who_has_left_comes_again_by_a_tap_on_the_page_of_people(
    page: Page, day: ShownHall
) -> None:
    sign_in(page, day, "people")
    page.locator("[data-person='5']").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="Withdraw").click()
    assert not day.hall.desk.programme.classes["drawn"].contest.away
    sheet.get_by_role("button", name="Withdraw: what is left is forfeited").click()
    expect(sheet).to_contain_text("withdrawn")
    (away,) = day.hall.desk.programme.classes["drawn"].contest.away
    assert away.entrant == 5
    sheet.get_by_role("button", name="Comes again").click()
    expect(sheet.get_by_role("button", name="Withdraw")).to_be_visible()
    assert not day.hall.desk.programme.classes["drawn"].contest.left


def test_who_does_not_fit_a_class_by_age_is_entered_with_the_reason_seen(
    page: Page, hall: ShownHall
) -> None:
    desk = hall.hall.desk
    kids = PlayedClass(
        Contest("kids", (), Knockout()), {}, {"rules": "hikone"}, "Children", born=(2015, None),
        is_drawn=False,
    )  # fmt: skip
    classes = {**desk.programme.classes, "kids": kids}
    hall.hall.desk = replace(desk, programme=replace(desk.programme, classes=classes))
    hall.show()
    sign_in(page, hall)
    page.goto(url(hall, "people"))
    new = page.locator("#register")
    new.get_by_label("Name").fill("Old Oskar")
    new.get_by_label("Year of birth").fill("1950")
    new.get_by_label("Children").check()
    new.get_by_role("button", name="Register").click()
    expect(new.get_by_text("Children is for those born 2015 or later: Old Oskar")).to_be_visible()
    expect(new.get_by_label("Why they may all the same")).to_be_focused()
    page.keyboard.type("a class of one otherwise")
    page.keyboard.press("Enter")
    expect(page.locator("#steps")).to_contain_text("whatever their age: a class of one otherwise")
    expect(new.get_by_label("Why they may all the same")).to_be_hidden()
    name = hall.hall.desk.programme.people[1].name
    page.locator("#people").get_by_role("button", name=name).last.click()
    sheet = page.locator("#person")
    sheet.get_by_label("Class").select_option("Children")
    sheet.get_by_role("button", name="Enter").click()
    sheet.get_by_label("Why they may all the same").fill("asked for it")
    sheet.get_by_role("button", name="Enter").click()
    expect(sheet.locator("#entries")).to_contain_text("Children")
    sheet.locator("#entries li", has_text="Singles").get_by_role("button").click()
    again = sheet.get_by_role("button", name="Withdraw: what is left is forfeited")
    expect(again).to_be_visible()
    assert not hall.hall.desk.programme.classes["singles"].contest.left
    again.click()
    expect(sheet.locator("#entries")).to_contain_text("withdrawn")


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
    page.get_by_text("Board 1 asks you to come").click()
    sheet = page.get_by_role("dialog", name="Board 1")
    sheet.get_by_role("button", name="Tell it that someone is coming").click()
    expect(sheet.get_by_text("It says so.")).to_be_visible()
    sheet.get_by_role("button", name="Look it over").click()
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
    hall.hall.desk = replace(hall.hall.desk, carried=carried)
    hall.show()
    sheet.get_by_role("button", name="Offer it Jackspot 0.2.0").click()
    expect(sheet.get_by_text("waits for its turn")).to_be_visible()
    told(free, "fetching")
    expect(sheet.get_by_text("downloads it: 40 %")).to_be_visible()
    told(free, "back", "trial: jackspot.service is failed after 3 s")
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
    sheet.get_by_role("button", name="Offer it to no more boards").click()
    expect(sheet.get_by_text("waits for its turn")).to_have_count(0)


def test_a_board_is_locked_and_kept_for_a_class_on_its_sheet(page: Page, hall: ShownHall) -> None:
    sign_in(page, hall)
    key = match_on(hall, 2)
    page.locator(f"#boards [data-key={key}]").click()
    page.get_by_role("button", name="Its board").click()
    page.get_by_label("kept for Open singles").check()
    page.get_by_label("locked: it gets no match").check()
    page.get_by_role("button", name="Close").click()
    page.locator(f"#boards [data-key={key}]").click()
    page.get_by_role("button", name="Its board").click()
    expect(page.get_by_label("locked: it gets no match")).to_be_checked()
    (board,) = (each for each in hall.hall.desk.programme.boards if each.number == 2)
    assert (board.locked, board.kept_for) == (True, frozenset({"singles"}))


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
    expect(sheet).to_contain_text(" won.")
    sheet.get_by_role("button", name="Play it again").click()
    expect(sheet).to_contain_text("What was played of it counts no more.")
    assert hall.hall.desk.played(contest_of(hall.hall.desk, key))[key].outcome is not None
    sheet.get_by_role("button", name="Yes, put it aside").click()
    expect(sheet).to_be_hidden()
    expect(page.locator(f"#matches [data-key={key}]")).to_be_hidden()


LATER = {
    "name": "Later", "hall": "later", "boards": 2, "seed": "37",
    "contest": [
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
    young.get_by_role("button", name="Take in Grown").click()
    expect(young).to_contain_text("Otto does not fit")
    assert "grown" in later.hall.desk.programme.classes
    young.get_by_label("Why they may all the same").fill("too few")
    young.get_by_role("button", name="Take in Grown").last.click()
    expect(page.locator("#steps")).to_contain_text("Grown plays in Young")
    young.get_by_role("button", name="Draw").click()
    assert not later.hall.desk.programme.classes["young"].is_drawn
    young.get_by_role("button", name="2 are not here: draw all the same").click()
    expect(young).to_contain_text("drawn with the seed 37")
    steps = page.locator("#steps li")
    steps.first.get_by_role("button", name="Undo").click()
    expect(steps.first).to_contain_text("Taken back: Young was drawn")
    page.locator("#register").get_by_label("Name", exact=True).fill("Lena")
    page.locator("#register").get_by_role("button", name="Register").click()
    expect(page.locator("#refused")).to_contain_text("Lena is registered already, as number 1")


@pytest.mark.parametrize(
    ("path", "language"),
    thinned(
        product(("desk", "people", "referees", "announcer", "print"), LANGUAGES),
        {
            ("desk", "ja"),
            ("people", "de"),
            ("referees", "en"),
            ("announcer", "ja"),
            ("print", "de"),
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
