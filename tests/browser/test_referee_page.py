"""The referee's page in a real browser: a match from the page alone, two referees, no network.

The table's time stands still except where a test lets it pass. Presses reach the board as they do
from a tablet.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from jackspot.core.pieces import Piece, Pocket
from jackspot.dialogue.state.view import Phase
from jackspot.storage.wall_clock import GivenWall
from jackspot.values import changed
from jackspot.web.referee.kept import KeptFile, door_code
from jackspot.web.server import WebSettings
from jackspot_sim.chance.pulses import Manner
from tests.browser.accessible import grave_faults
from tests.browser.conftest import every
from tests.conftest import thinned
from tests.sim.standing import StandingTable
from tests.web.samples import READY

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser
PIN = "246810"
REST_S, SETTLED_S = 3.2, 2.3
USABLE = changed(READY, sequence=90, can=frozenset({"ok"}))
"""A view in which OK does something."""


@pytest.fixture
def locked(tmp_path) -> Iterator[StandingTable]:
    """A table whose page asks for a PIN."""
    table = StandingTable(tmp_path, settings=WebSettings(port=0, pin=PIN))
    yield table
    table.close()


class Referee:
    """A referee with a tablet or a phone."""

    def __init__(self, page: Page, table: StandingTable) -> None:
        self.page = page
        self.table = table
        page.goto(table.session.url.replace("/sim/", "/referee"))

    def sign_in(self, pin: str = PIN, name: str = "") -> Referee:
        self.page.get_by_label("PIN", exact=True).fill(pin)
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Sign in").click()
        return self

    def key(self, name: str) -> Locator:
        return self.page.locator(f'[data-button="{name}"]')

    def press(self, name: str) -> Referee:
        """Press a button, see it arrive, and rest as people do."""
        expect(self.key(name)).to_be_enabled()
        with self.page.expect_response("**/api/press*") as answer:
            self.key(name).click()
        assert answer.value.status == 204
        return self.rest()

    def tap(self, target: Locator) -> Referee:
        with self.page.expect_response("**/api/press*") as answer:
            target.click()
        assert answer.value.status == 204
        return self.rest()

    def hold(self, target: Locator) -> Referee:
        target.hover()
        with self.page.expect_response("**/api/press*") as answer:
            self.page.mouse.down()
        self.page.mouse.up()
        assert answer.value.status == 204
        assert '"hold"' in (answer.value.request.post_data or "")
        return self.rest()

    def rest(self) -> Referee:
        """Rest as people do, until the page shows what the board asks now."""
        self.table.let_pass(REST_S)
        ask = self.page.request.get(self.page.url.replace("/referee", "/api/state")).json()["ask"]
        expect(self.page.locator("[data-ask]")).to_have_attribute("data-ask", ask)
        return self

    def line(self, words: str) -> Locator:
        return self.page.locator(".line", has_text=words)

    def falls(self, pocket: Pocket, piece: Piece) -> Referee:
        self.table.let_pass(REST_S)
        self.table.session.hands.drop(pocket, [piece], Manner.CLEAN)
        self.table.let_pass(SETTLED_S)
        self.asks("review")
        return self

    def asks(self, phase: str) -> Referee:
        expect(self.page.locator("#phase")).to_have_text(phase)
        return self

    def headline(self, words: str | re.Pattern[str]) -> Referee:
        expect(self.page.locator("#headline")).to_have_text(words)
        return self


@pytest.fixture
def referee(page: Page, table: StandingTable) -> Referee:
    referee = Referee(page, table).asks("set-up")
    expect(page.locator("#status")).to_have_text("")
    table.let_pass(1.0)
    return referee


@pytest.mark.always
def test_a_match_is_refereed_from_the_page_alone(referee, page):
    referee.tap(page.locator(".key-menu")).tap(referee.line("names"))
    referee.tap(referee.line("N: "))
    page.get_by_label("another name").fill("Aiko")
    referee.tap(page.get_by_role("button", name="Save"))
    expect(page.locator(".side-red .player")).to_have_text("Aiko")
    referee.tap(page.locator(".key-menu"))

    referee.press("ok").headline("RED N to shoot")
    referee.falls(Pocket.NE, Piece.RED).headline("RED NE")
    green = page.locator(".reading", has_text="GREEN NE").first
    expect(green).to_have_attribute("aria-pressed", "false")
    referee.tap(green).headline(re.compile("^GREEN NE"))
    referee.press("ok").headline("GREEN S to shoot")
    expect(page.locator(".side-green .count")).to_have_text("1")

    # It was red after all: go back and correct it piece by piece.
    referee.press("undo").headline(re.compile("^GREEN NE"))
    referee.tap(page.locator(".key-menu"))
    referee.tap(page.get_by_role("group", name="piece 1: GREEN").get_by_text("RED", exact=True))
    referee.tap(page.get_by_role("group", name="piece 1: in NE").get_by_text("in SW"))
    referee.tap(referee.line("done")).headline("RED SW")
    referee.press("ok").headline("RED N: shoot again")
    expect(page.locator(".side-red .count")).to_have_text("1")

    referee.press("ok").headline("GREEN S to shoot")
    referee.tap(page.locator(".key-menu")).tap(referee.line("correct the counts"))
    referee.tap(page.get_by_role("group", name="GREEN in: 0").get_by_text("+1"))
    referee.tap(page.get_by_role("group", name="GREEN in: 1").get_by_text("+1"))
    referee.tap(page.get_by_role("group", name="GREEN in: 2").get_by_text("-1"))
    referee.tap(referee.line("the table is right"))
    expect(page.locator(".side-green .count")).to_have_text("1")

    referee.tap(page.locator(".key-menu")).tap(referee.line("history"))
    referee.tap(referee.line("RED SW")).headline("RED SW").press("undo")
    referee.asks("ready").headline("GREEN S to shoot")

    referee.tap(page.locator(".key-menu")).tap(referee.line("resign"))
    referee.hold(referee.line("S resigns")).asks("match over")
    record = page.request.get(page.url.replace("/referee", "/api/record"))
    assert "attachment" in record.headers["content-disposition"]
    lines = record.text().splitlines()
    assert lines[lines.index("---") + 1 :] == [
        "N red@SW", "N -", "! set green pocketed=1", "! set green pocketed=2",
        "! set green pocketed=1", "! resign S",
    ]  # fmt: skip


def test_the_page_says_which_board_it_is_and_who_shoots_as_the_score_does(page, board):
    page.goto(f"{board.url}referee")
    shooter = page.locator(".side.shoots .remarks")
    expect(page.locator("#which")).to_have_text("Hikone carom")
    expect(shooter).to_have_text("to shoot")
    board.post(changed(READY, sequence=8, board=4, best_of=3, phase=Phase.SETUP))
    expect(page.locator("#which")).to_have_text("Hikone carom · board 4")
    expect(shooter).to_have_count(0)


def test_by_keys_alone_and_every_button_has_a_name(referee, page):
    for name in ("OK", "FIX", "UNDO", "FOUL", "OFF"):
        expect(page.get_by_role("button", name=re.compile(f"^{name}"))).to_have_count(1)
    for button in every(page.get_by_role("button")):
        assert button.is_hidden() or button.evaluate(
            "e => (e.getAttribute('aria-label') || e.textContent).trim()"
        )

    def typed(key: str) -> None:
        with page.expect_response("**/api/press*") as answer:
            page.keyboard.press(key)
        assert answer.value.status == 204
        referee.rest()

    typed("1")
    referee.asks("ready").falls(Pocket.NE, Piece.RED)
    typed("2")
    referee.headline(re.compile("^GREEN NE"))
    page.locator(".reading").first.focus()
    typed("Enter")
    referee.headline("RED NE")
    typed("1")
    referee.headline("RED N: shoot again")
    page.locator(".key-menu").focus()
    typed(" ")
    expect(page.locator(".line").first).to_be_visible()


@pytest.mark.long
def test_a_hold_fills_the_ring_and_what_is_let_go_early_is_a_short_press(referee, page):
    referee.press("ok").asks("ready")
    referee.hold(referee.key("fix")).headline("menu")
    referee.press("undo").asks("ready")
    expect(page.locator(".lines")).to_have_count(0)
    referee.key("ok").hover()
    page.mouse.down()
    expect(referee.key("ok")).to_have_class(re.compile("holding"))
    page.mouse.move(5, 5)  # a finger that slides away presses nothing
    page.mouse.up()
    expect(referee.key("ok")).not_to_have_class(re.compile("holding"))
    referee.headline("RED N to shoot")


def test_a_line_under_a_finger_stays_while_the_list_changes_and_a_touch_is_no_hold(page, table):
    page.clock.install()
    referee = Referee(page, table).asks("set-up")
    expect(page.locator("#status")).to_have_text("")
    table.let_pass(1.0)
    referee.tap(page.locator(".key-menu")).tap(referee.line("the board itself"))
    sent: list[str | None] = []
    page.on("request", lambda each: sent.append(each.post_data) if "press" in each.url else None)

    def touch(line: Locator, falls: Pocket) -> None:
        """Press a line for less than a moment, while the list gets a note, which moves it down."""
        page.clock.pause_at(page.evaluate("Date.now() / 1_000 + 0.1"))
        line.hover(position={"x": 40, "y": 45})
        page.mouse.down()
        table.session.hands.drop(falls, [Piece.RED], Manner.CLEAN)
        table.let_pass(SETTLED_S)
        expect(page.locator("#detail")).to_contain_text(str(falls))
        page.mouse.up()
        page.clock.run_for(1_500)
        page.clock.resume()

    touch(referee.line("safe shutdown"), Pocket.NE)
    assert sent == []
    expect(page.locator("#told")).to_have_text("Hold it until the ring is full.")
    touch(referee.line("sensor test"), Pocket.SW)
    expect(page.locator("#headline")).not_to_have_text("the board itself")
    assert [json.loads(each or "")["gesture"] for each in sent] == ["short"]


def test_the_pin_opens_the_page_and_a_wrong_one_does_not(locked, page):
    referee = Referee(page, locked)
    page.set_viewport_size({"width": 320, "height": 568})
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert dialog.evaluate("e => e.scrollWidth <= e.clientWidth"), "all of the form is seen"
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_visible()
    referee.sign_in("000000")
    expect(page.locator("#wrong")).to_have_text("Wrong PIN.")
    referee.sign_in(name="Anna")
    expect(page.get_by_role("dialog")).to_be_hidden()
    locked.let_pass(1.0)
    referee.asks("set-up").press("ok").asks("ready")
    page.reload()
    referee.asks("ready")
    page.get_by_role("button", name="More").click()
    expect(page.locator("#who")).to_have_text("Signed in as Anna.")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("PIN", exact=True)).to_be_visible()


@pytest.mark.parametrize(
    ("language", "title"),
    thinned([("en", "Referee"), ("de", "Schiedsrichter")], {("de", "Schiedsrichter")}),
)
def test_the_tab_is_named_in_the_readers_language(locked, page, language, title):
    page.goto(locked.session.url.replace("/sim/", f"/referee?lang={language}"))
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page).to_have_title(title)


def test_who_has_scanned_the_displays_code_needs_no_pin_and_an_old_code_asks_for_it(tmp_path, page):
    kept = KeptFile()
    table = StandingTable(tmp_path, settings=WebSettings(port=0, pin=PIN, kept=kept))
    referee = Referee(page, table)
    page.goto("about:blank")
    page.goto(table.session.url.replace("/sim/", f"/referee#{door_code(kept.now.key, PIN)}"))
    expect(page.get_by_label("PIN", exact=True)).to_be_hidden()
    page.get_by_label("Your name").fill("Anna")
    page.get_by_role("button", name="Sign in").click()
    referee.asks("set-up")
    assert "#" not in page.url, "the code stays in no history"
    page.context.clear_cookies()
    page.goto("about:blank")
    page.goto(table.session.url.replace("/sim/", "/referee#an-old-code"))
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#wrong")).to_have_text("Wrong PIN.")
    referee.sign_in().asks("set-up")
    table.close()


@pytest.mark.long
def test_of_two_referees_who_press_at_once_the_second_is_told(locked, browser: Browser):
    contexts = [browser.new_context() for _each in range(2)]
    anna, ben = (Referee(each.new_page(), locked) for each in contexts)
    anna.sign_in(name="Anna").asks("set-up")
    ben.sign_in(name="Ben").asks("set-up")
    locked.let_pass(1.0)
    anna.press("ok").asks("ready")
    ben.asks("ready")
    newest = ben.page.request.get(ben.page.url.replace("/referee", "/api/state")).json()["ask"]
    expect(ben.page.locator("#keys")).to_have_attribute("data-ask", newest)
    # Ben's finger is down while Anna's press arrives; however long that takes here, it is no hold.
    ben.page.evaluate("async () => (await import('/finger.js')).holdFor(600_000)")
    ben.key("ok").hover()
    ben.page.mouse.down()
    anna.press("ok").headline("GREEN S to shoot")
    with ben.page.expect_response("**/api/press*") as answer:
        ben.page.mouse.up()
    assert answer.value.status == 409
    expect(ben.page.locator("#told")).to_contain_text("already answered by Anna with OK")
    ben.headline("GREEN S to shoot")
    for each in contexts:
        each.close()


def test_without_the_network_nothing_is_pressed_then_or_later(referee, page):
    referee.press("ok").asks("ready")
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if "press" in request.url else None)
    page.context.set_offline(True)
    expect(page.locator("#lost")).to_be_visible()
    expect(referee.key("ok")).to_be_disabled()
    page.keyboard.press("1")
    referee.key("fix").click(force=True)
    page.context.set_offline(False)
    expect(page.locator("#lost")).to_be_hidden()
    expect(referee.key("ok")).to_be_enabled()
    referee.headline("RED N to shoot")
    assert sent == []
    referee.press("ok").headline("GREEN S to shoot")


def test_who_cannot_hold_is_asked_by_the_page_itself(referee, page):
    referee.press("ok").tap(page.locator(".key-menu"))
    line = page.locator("#list button:has(.ring)").first
    line.dispatch_event("click")
    expect(page.locator("#sure-what")).to_contain_text("really?")
    assert grave_faults(page) == []
    page.locator("#sure").get_by_role("button", name="No").click()
    expect(page.locator("#sure")).to_be_hidden()
    expect(line).to_be_visible()
    line.dispatch_event("click")
    page.locator("#sure").get_by_role("button", name="Yes").click()
    expect(line).to_have_count(0)


@pytest.mark.parametrize("theme", thinned(["light", "dark"], {"dark"}))
def test_nothing_grave_stands_in_anybodys_way(referee, page, theme):
    page.emulate_media(color_scheme=theme)
    assert grave_faults(page) == []
    referee.press("ok").falls(Pocket.NE, Piece.RED)
    assert grave_faults(page) == []
    referee.tap(page.locator(".key-menu"))
    assert grave_faults(page) == []
    referee.tap(page.locator(".key-menu"))
    page.get_by_role("button", name="More").click()
    assert grave_faults(page) == []


SCREENS = {"small phone": (320, 568), "phone": (390, 844), "phone lying": (844, 390),
           "tablet": (1180, 820)}  # fmt: skip


def test_thumbs_find_every_button_whatever_the_screen(referee, page):
    referee.press("ok").falls(Pocket.NE, Piece.RED)
    for name, (width, height) in SCREENS.items():
        page.set_viewport_size({"width": width, "height": height})
        for button in every(page.locator(".keys button, .reading")):
            box = button.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= 44, (name, button.inner_text())
        for button in every(page.locator(".keys button")):
            expect(button).to_be_in_viewport(ratio=1)
        expect(page.locator("#headline")).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


class Clockless(GivenWall):
    """A board whose machine never knows the time."""

    class Machine:
        def now_ns(self) -> int:
            return 0

        def synchronised(self) -> bool:
            return False

        def boot(self) -> str:
            return "boot"

    def __init__(self) -> None:
        super().__init__(self.Machine())


def test_a_board_without_a_clock_is_offered_the_phones_time_and_takes_it_when_told(tmp_path, page):
    wall = Clockless()
    table = StandingTable(tmp_path, settings=WebSettings(port=0, wall=wall))
    try:
        Referee(page, table).asks("set-up")
        expect(page.locator("#offer-words")).to_contain_text("does not know what time it is")
        assert not wall.synchronised()
        page.get_by_role("button", name="Set the board's time").click()
        expect(page.locator("#told")).to_have_text("The board's time is set.")
        assert abs(wall.now_ns() - page.evaluate("Date.now()") * 1_000_000) < 600_000_000_000
        page.reload()
        expect(page.locator("#phase")).to_have_text("set-up")
        expect(page.locator("#offer")).to_be_hidden()
    finally:
        table.close()


SOUNDS = """async () => {
  const { Notes } = await import("/notes.js");
  const began = [];
  let now = 0;
  let timer = null;
  window.AudioContext = class { state = "running"; get currentTime() { return now; } };
  window.GainNode = class {
    gain = { setValueAtTime() {}, linearRampToValueAtTime() {} };
    connect() {}
  };
  window.OscillatorNode = class {
    constructor(context, { frequency }) { this.frequency = frequency; }
    connect() { return this; }
    start(at) { began.push([this.frequency, at]); }
    stop() {}
  };
  const really = window.setTimeout;
  window.setTimeout = (then, milliseconds) => { timer = [then, milliseconds]; };
  const notes = new Notes(document.createElement("button"));
  notes.wake();
  notes.play([[880, 100], [0, 50], [660, 100]]);
  for (let hertz = 101; hertz <= 108; hertz += 1) { notes.play([[hertz, 50]]); }
  while (timer !== null) {
    const [then, milliseconds] = timer;
    timer = null;
    now += milliseconds / 1000;
    then();
  }
  window.setTimeout = really;
  return began;
}"""


def test_sounds_at_once_are_played_one_after_the_other_and_the_newest_are_kept(referee: Referee):
    began = referee.page.evaluate(SOUNDS)
    assert [hertz for hertz, _ in began] == [880, 660, 105, 106, 107, 108]
    assert [at for _, at in began] == pytest.approx([0, 0.15, 0.4, 0.6, 0.8, 1.0])


SLEPT = """async ({ sleptMs, board }) => {
  const { listen } = await import("/live.js");
  const { Presses } = await import("/referee-press.js");
  let now = 1000;
  let day = 1e12;
  let visible = "visible";
  let source = null;
  let sent = null;
  const told = [];
  performance.now = () => now;
  Date.now = () => day;
  Object.defineProperty(document, "visibilityState", { get: () => visible });
  window.EventSource = class {
    constructor() { source = this; this.handlers = {}; }
    addEventListener(name, handle) { this.handlers[name] = handle; }
    close() {}
  };
  window.fetch = async (_, { body }) => { sent = JSON.parse(body).sent_ms; return { ok: true }; };
  const presses = new Presses({ tell: (words) => told.push(words), signedOut() {}, lost() {} });
  const heard = (at) => source.handlers.beat({ data: JSON.stringify({ server_ms: at }) });
  listen("/x", { beat: (each) => presses.beat(each) }, (status) => {
    presses.connection(status === "connected");
  }, 600_000);
  source.onopen();
  heard(board.before);
  for (const [state, ms] of [["hidden", sleptMs], ["visible", 0]]) {
    visible = state;
    document.dispatchEvent(new Event("visibilitychange"));
    day += ms;
    now += ms;
  }
  const held = await presses.send("ok", "short", "1");
  source.onopen();
  heard(board.after);
  await presses.send("ok", "short", "1");
  return [held, told.length, sent];
}"""


@pytest.mark.parametrize("before", [50_000_000, 60_000], ids=["started anew", "the same"])
def test_a_phone_that_slept_presses_nothing_until_it_has_heard_the_boards_clock_anew(
    page, board, before
):
    page.goto(f"{board.url}overlay")
    clocks = {"before": before, "after": 660_000}
    found = page.evaluate(SLEPT, {"sleptMs": 600_000, "board": clocks})
    assert found == [False, 1, 660_000]


def test_how_far_the_boards_clock_is_ahead_follows_two_clocks_that_part(page, board):
    page.goto(f"{board.url}overlay")
    parted = page.evaluate(
        """async () => {
            const { Presses } = await import("/referee-press.js");
            let now = 0;
            let sent = null;
            performance.now = () => now;
            window.fetch = async (_, { body }) => {
                sent = JSON.parse(body).sent_ms;
                return { ok: true };
            };
            const presses = new Presses({ tell() {}, signedOut() {}, lost() {} });
            presses.connection(true);
            const beats = 16 * 3600 / 2;
            for (let at = 1; at <= beats; at += 1) {
                now = at * 2000 * 1.0002;
                presses.beat({ server_ms: at * 2000 });
            }
            await presses.send("ok", "short", "1");
            return sent - beats * 2000;
        }"""
    )
    assert abs(parted) < 100


TOUCHED = """async () => {
  const { Notes } = await import("/notes.js");
  let begun = 0;
  let made = null;
  window.AudioContext = class {
    constructor() { made = this; this.state = "suspended"; this.currentTime = 0; }
    async resume() { this.state = "running"; }
  };
  window.GainNode = class {
    gain = { setValueAtTime() {}, linearRampToValueAtTime() {} };
    connect() {}
  };
  window.OscillatorNode = class {
    connect() { return this; }
    start() { begun += 1; }
    stop() {}
  };
  const notes = new Notes(document.createElement("button"));
  const heard = async () => {
    begun = 0;
    notes.play([[880, 1]]);
    await new Promise((then) => { setTimeout(then, 200); });
    return begun;
  };
  const touch = (kind) => document.dispatchEvent(new Event(kind));
  const found = [await heard()];
  touch("pointerdown");
  found.push(made === null);
  touch("pointerup");
  found.push(await heard());
  made.state = "interrupted";
  found.push(await heard());
  touch("pointerup");
  found.push(await heard());
  made.state = "suspended";
  touch("keydown");
  return [...found, await heard()];
}"""


def test_sounds_are_heard_once_a_finger_was_lifted_and_again_after_a_sleep(page, board):
    page.goto(f"{board.url}overlay")
    assert page.evaluate(TOUCHED) == [0, True, 1, 0, 1, 1]


def test_that_the_connection_is_lost_is_seen_though_the_board_slept(page, board):
    board.post(changed(READY, sequence=90, attract=0))
    page.goto(f"{board.url}referee")
    expect(page.locator("#asleep")).to_be_visible()
    board.stop()
    expect(page.locator("#lost")).to_be_visible()
    expect(page.locator("#asleep")).to_be_hidden()


def test_a_code_behind_the_address_goes_and_the_language_changes_in_any_case(page, board):
    page.goto(f"{board.url}referee#scanned")
    expect(page.locator("#phase")).to_have_text("ready")
    assert "#" not in page.url
    page.evaluate("location.hash = 'else'")
    page.locator("#more-open").click()
    page.locator("#switch select").select_option("de")
    expect(page.locator("html")).to_have_attribute("lang", "de")


def test_a_phone_whose_browser_has_no_timeouts_presses_and_loses_its_patience(page, board):
    page.add_init_script("delete AbortSignal.timeout;")
    board.post(USABLE)
    page.goto(f"{board.url}referee?lang=de")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert not page.evaluate("'timeout' in AbortSignal")
    with page.expect_response("**/api/press*") as answer:
        page.locator('[data-button="ok"]').click()
    assert answer.value.status == 204
    ended = """async () => {
        const { patience } = await import("/words.js");
        const signal = patience(1);
        await new Promise((then) => { signal.onabort = then; });
        return signal.aborted;
    }"""
    assert page.evaluate(ended)


def test_who_would_sign_out_is_told_that_the_board_is_away(locked, page):
    Referee(page, locked).sign_in().asks("set-up")
    page.route("**/api/session/end", lambda route: route.abort())
    page.locator("#more-open").click()
    page.locator("#sign-out").click()
    expect(page.locator("#told")).to_have_text("The board does not answer.")
    expect(page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.parametrize("where", ["#more", "#sure"])
def test_no_key_presses_behind_an_open_dialog(page, board, where):
    board.post(USABLE)
    page.goto(f"{board.url}referee")
    expect(page.locator('[data-button="ok"]')).to_be_enabled()
    sent: list[str] = []
    page.on("request", lambda each: sent.append(each.url) if "press" in each.url else None)
    page.evaluate(f"document.querySelector('{where}').showModal(); document.activeElement.blur()")
    for key in "12345":
        page.keyboard.press(key)
    page.evaluate(f"document.querySelector('{where}').close()")
    assert sent == []
    with page.expect_request("**/api/press*"):
        page.keyboard.press("1")


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (409, "as the board says it"),
        (422, "Das geht am Brett gerade nicht."),
        (429, "Zu viel auf einmal. Warte einen Moment."),
    ],
)
def test_why_a_press_was_refused_is_said_in_the_readers_language(page, board, status, words):
    board.post(USABLE)
    page.goto(f"{board.url}referee?lang=de")
    refusal = {"error": "as the board says it"}
    page.route("**/api/press*", lambda route: route.fulfill(status=status, json=refusal))
    page.locator('[data-button="ok"]').click()
    expect(page.locator("#told")).to_have_text(words)


def test_a_time_that_the_board_does_not_take_is_told_in_the_readers_language(page, board):
    page.route(
        "**/api/clock",
        lambda route: (
            route.fulfill(json={"known": False})
            if route.request.method == "GET"
            else route.fulfill(status=409, json={"error": "in English"})
        ),
    )
    page.goto(f"{board.url}referee?lang=de")
    page.locator("#offer-yes").click()
    expect(page.locator("#told")).to_have_text("Das Brett weiß inzwischen, wie spät es ist.")
