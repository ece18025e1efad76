"""A person at the simulated table's page, who clicks, taps or types.

What the page shows decides what is pressed next. Time is the table's own: it stands still while
the person looks and the page draws. It passes while a button is down, while pieces fall and while
somebody waits, for as long as that takes at a table, however busy the machine is.

The OLED's canvas is compared pixel by pixel with a picture in ``golden/whole_match/``. After an
intended change, make the pictures again with
``JACKSPOT_REGOLDEN=1 pytest tests/browser/test_whole_match.py`` and look at them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

GOLDEN = Path(__file__).parent / "golden" / "whole_match"
SITS_DOWN_S = 1.0
PRESS_S = 0.08
"""How long a finger stays on a button, and the least time that it is off it."""
HOLD_S = 1.2
"""How long it stays on a button that is held."""
BETWEEN_PIECES_S = 0.15
"""The time from one piece of a stroke to the next."""
REST_S, PASS_REST_S = 0.9, 3.2
"""How long OK is deaf after an entry: on the same button, and on another."""
AIM_S = 5.2
"""A piece that falls sooner after an entry may have been part of the stroke before."""
SETTLED_S = 0.5
"""People wait this long before they answer a question that a sensor has just changed."""
LOOKS_S, GIVES_UP_S = 0.2, 20.0
"""How often a person who waits for the board looks at it, and for how long."""

BUTTONS = {
    "OK": "Referee OK", "FIX": "Referee FIX", "FOUL": "Referee FOUL", "OFF": "Referee OFF",
    "UNDO": "Referee UNDO", "S OK": "South OK",
}  # fmt: skip
KEYS = {"OK": "1", "FIX": "2", "FOUL": "3", "OFF": "4", "UNDO": "5", "S OK": "a"}

READ_CANVAS = """() => {
    const pen = document.getElementById("oled").getContext("2d");
    const data = pen.getImageData(0, 0, 128, 64).data;
    let dots = "";
    for (let at = 0; at < data.length; at += 4) dots += data[at] > 128 ? "1" : "0";
    return dots;
}"""
HAS_CAUGHT_UP = """() => new Promise((answer) => {
    const fresh = new PlainEventSource(stream.url);
    const timeless = (data) => data?.replace(/,"now_ns":\\d+}$/, "}");
    let same = true;
    const end = (caughtUp) => {
        fresh.close();
        answer(caughtUp);
    };
    fresh.onerror = () => end(false);
    for (const name of ["state", "table", "truth", "lying", "happenings"]) {
        fresh.addEventListener(name, ({ data }) => {
            same &&= timeless(stream.heard[name]) === timeless(data);
            if (name === "happenings") {
                end(same);
            }
        });
    }
})"""
"""Returns whether the page has received everything that a page opened now would receive."""
PHASES = {"set-up": "setup", "put back": "placing", "board over": "board_over",
          "match over": "match_over"}  # fmt: skip
"""The live state's names of the phases for which the page has other words."""


def look(page: Page) -> None:
    """Wait until the page shows the table as it is now.

    The table's time stands still but the browser's does not: the page learns of what a test has
    let happen a moment later, and on a busy machine much later.
    """
    page.wait_for_function(HAS_CAUGHT_UP, polling=30)


class Person:
    """A person at the page, who clicks or types and sees what came of it."""

    def __init__(self, page: Page, table: StandingTable, *, touch: bool = False) -> None:
        self.page = page
        self._table = table
        self._glass = page.context.new_cdp_session(page) if touch else None
        self._just_confirmed = False

    def rest(self, seconds: float) -> None:
        """Let the table's own time pass, and see what came of it."""
        self._table.let_pass(seconds)
        look(self.page)
        self._just_confirmed = False

    def sit_down(self) -> None:
        """Take a moment at a table that has just been set up."""
        self.expect_phase("set-up")
        self.rest(SITS_DOWN_S)

    def wait_until(self, happened: Callable[[dict[str, Any]], bool]) -> None:
        """Let time pass until the live state meets a condition; none passes if it already does."""
        waited_s = 0.0
        while not happened(self.state()) and waited_s < GIVES_UP_S:
            self._table.let_pass(LOOKS_S)
            waited_s += LOOKS_S

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=BUTTONS[name], exact=True)

    def click(self, name: str) -> None:
        """Press a button of the table with the mouse, or a finger on the glass."""
        self._get_ready_for(name)
        self.push(name)

    def push(self, name: str, seconds: float = PRESS_S) -> None:
        """Press a button for this long, ready or not."""
        button = self.button(name)
        if self._glass is None:
            button.hover()
            with self.sent():
                self.page.mouse.down()
            self._table.let_pass(seconds)
            with self.sent():
                self.page.mouse.up()
        else:
            button.scroll_into_view_if_needed()
            box = button.bounding_box()
            assert box is not None
            finger = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
            with self.sent():
                self._touch("touchStart", finger)
            self._table.let_pass(seconds)
            with self.sent():
                self._touch("touchEnd")
        self._table.let_pass(PRESS_S)
        look(self.page)

    def _touch(self, kind: str, *fingers: dict[str, float]) -> None:
        assert self._glass is not None
        self._glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(fingers)})

    def key(self, name: str) -> None:
        """Press a button of the table with its key."""
        self._get_ready_for(name)
        self.type(KEYS[name])

    def type(self, key: str, seconds: float = PRESS_S) -> None:
        """Hold a key of the keyboard, and with it a button of the table, for this long."""
        with self.sent():
            self.page.keyboard.down(key)
        self._table.let_pass(seconds)
        with self.sent():
            self.page.keyboard.up(key)
        self._table.let_pass(PRESS_S)
        look(self.page)

    @contextmanager
    def sent(self, what: str = "button") -> Iterator[None]:
        """Wait until what is done in this block has reached the table."""
        with self.page.expect_response(re.compile(rf"/sim/do/{what}(\?|$)")):
            yield

    def _get_ready_for(self, name: str) -> None:
        """Wait as people do: an OK right after an OK would not be taken."""
        if name.endswith("OK"):
            if self._just_confirmed:
                self.rest(REST_S if name == "OK" else PASS_REST_S)
            self._just_confirmed = True

    def on_page(self, selector: str) -> None:
        """Click or tap something on the page that is not a button of the table."""
        found = self.page.locator(selector)
        found.click() if self._glass is None else found.tap()

    def let_fall(self, pocket: str, *kinds: str, manner: str = "clean") -> None:
        """Aim, choose pieces and a manner, and click the pocket."""
        if self._just_confirmed:
            self.rest(AIM_S)
        self.on_page("#tab-how")
        self.choose(*kinds)
        self.on_page(f'[data-manner="{manner}"]')
        self.drop_into(pocket)

    def drop_into(self, pocket: str) -> None:
        """Click a pocket, so that the chosen pieces fall into it."""
        with self.sent("drop"):
            self.on_page(f'[data-pocket="{pocket}"]')
        self._table.let_pass(BETWEEN_PIECES_S)
        look(self.page)

    def choose(self, *kinds: str) -> None:
        first, *others = kinds
        self.on_page(f'[data-kind="{first}"]')
        for kind in others:
            self.on_page(f'.piece-pair:has([data-kind="{kind}"]) .more')

    def wait_for_reading(self) -> None:
        self.expect_phase("review")
        self.rest(SETTLED_S)

    def mishap(self, name: str) -> None:
        """Let something go wrong, by its button."""
        self.on_page("#tab-mishaps")
        with self.sent("mishap"):
            self.on_page(f'[data-mishap="{name}"]')

    def break_part(self, name: str) -> None:
        """Press one of the buttons that break things, such as ``NE dead``."""
        self.on_page("#tab-break")
        with self.sent("fault"):
            self.page.get_by_role("button", name=name, exact=True).click()

    def state(self) -> dict[str, Any]:
        """Read the live state as another program would."""
        return self.page.evaluate("async () => (await fetch('/api/state')).json()")

    def put_back(self) -> None:
        """Put the pieces that the board asks for where they belong."""
        self.on_page("#put-back")
        self.expect_truth_agrees()

    def fix_until(self, what: str, by_key: bool = False) -> None:
        """Press FIX until the board proposes what happened, in whatever order it fell."""
        proposal = self.page.locator("#proposal b")
        for _ in range(12):
            shown = proposal.inner_text()
            if sorted(shown.removesuffix(" ?").split(", ")) == sorted(what.split(", ")):
                return
            self.key("FIX") if by_key else self.click("FIX")
            expect(proposal).not_to_have_text(shown)
        pytest.fail(f"the board never proposed {what}; the last was {shown}")

    def expect_truth_agrees(self) -> None:
        """Expect the board's counts to match what is in the pockets and on the floor."""
        expect(self.page.locator("#truth tr")).to_have_count(3)
        expect(self.page.locator("#truth .differs")).to_have_text([])

    # --- what is shown -----------------------------------------------------------------

    def expect_phase(self, phase: str) -> None:
        self.wait_until(lambda state: state["phase"] == PHASES.get(phase, phase))
        expect(self.page.locator("#phase")).to_have_text(phase)

    def expect_headline(self, words: str) -> None:
        self.wait_until(lambda state: state["prompts"]["headline"] == words)
        expect(self.page.locator("#headline")).to_have_text(words)

    def expect_counts(self, red: int, green: int) -> None:
        expect(self.page.locator(".side-red .count")).to_have_text(str(red))
        expect(self.page.locator(".side-green .count")).to_have_text(str(green))

    def expect_owed(self, side: str, owed: int) -> None:
        debt = self.page.locator(f".side-{side} .owed")
        if owed:
            expect(debt).to_have_text(f"owes {owed}")
        else:
            expect(debt).to_have_count(0)

    def expect_oled(self, name: str) -> None:
        """Expect the OLED on the page to become its golden picture."""
        path = GOLDEN / f"{name}.png"
        self.rest(REST_S)
        if os.environ.get("JACKSPOT_REGOLDEN"):
            GOLDEN.mkdir(parents=True, exist_ok=True)
            _picture(self._steady_canvas()).save(path, optimize=True)
        with Image.open(path) as golden:
            assert (golden.mode, golden.size) == ("1", (128, 64))
            wanted = "".join(f"{eight:08b}" for eight in golden.tobytes())
        try:
            self.page.wait_for_function(
                f"wanted => ({READ_CANVAS})() === wanted", arg=wanted, polling=30
            )
        except Exception as late:
            shown = self.page.evaluate(READ_CANVAS)
            differing = sum(a != b for a, b in zip(shown, wanted, strict=True))
            message = f"{path.name}: {differing} of 8192 pixels differ:\n{_drawn(shown)}"
            raise AssertionError(message) from late

    def _steady_canvas(self) -> str:
        self.page.wait_for_function(
            f"() => {{ const before = window.dots; window.dots = ({READ_CANVAS})();"
            " return window.dots === before; }",
            polling=300,
        )
        return self.page.evaluate(READ_CANVAS)


def _picture(dots: str) -> Image.Image:
    return Image.frombytes("1", (128, 64), int(dots, 2).to_bytes(len(dots) // 8, "big"))


def _drawn(dots: str) -> str:
    """Draw a picture in letters, for a failed test."""
    rows = [dots[at : at + 128] for at in range(0, len(dots), 128)]
    return "\n".join(row.replace("0", "·").replace("1", "█") for row in rows)


def arrive(page: Page, table: StandingTable, *, touch: bool = False) -> Person:
    page.goto(table.session.url)
    person = Person(page, table, touch=touch)
    person.sit_down()
    return person
