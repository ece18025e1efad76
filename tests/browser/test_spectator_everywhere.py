"""The spectators' page and the overlay on every screen, in every theme and language."""

from __future__ import annotations

from itertools import product

import pytest

from jackspot.core.directives import RedPlace
from jackspot.core.pieces import Piece, Seat, Side
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.displays.words import LANGUAGES
from jackspot.values import changed
from jackspot.web.server import WebDisplay
from tests.browser.accessible import grave_faults
from tests.browser.conftest import expect
from tests.conftest import new_context, thinned, watch_faults
from tests.web.samples import (
    ATTRACT,
    FAULTY,
    FREE,
    OVER,
    PLACING,
    QUEUE,
    READY,
    side,
)

SCREENS = {
    "tv": (1920, 1080),
    "small-tv": (1280, 720),
    "phone": (390, 844),
    "phone-on-its-side": (844, 390),
    "tablet": (820, 1180),
}
THEMES = ("light", "dark", "contrast", "sun")
PAIRS = changed(
    READY,
    sequence=50,
    shooter=Seat.S,
    best_of=3,
    sides=(
        side(Side.RED, Seat.N, 11, seats=(Seat.N, Seat.S), names=("Aiko Yamada", "Bernhardine"),
             owed=2, shoots=True),
        side(Side.GREEN, Seat.E, 12, seats=(Seat.E, Seat.W), names=("", ""), owed=1),
    ),
)  # fmt: skip
COUNTERS = (Piece.BLACK, Piece.BROWN)
SETUP = changed(READY, phase=Phase.SETUP)
POINTS = changed(
    READY,
    sequence=51,
    rules=RuleSystem.POINTS,
    best_of=3,
    sides=(
        changed(PAIRS.sides[0], pieces=COUNTERS, points=115, board_points=-115),
        changed(PAIRS.sides[1], pieces=COUNTERS, points=95, board_points=1205),
    ),
)  # fmt: skip
VIEWS = {
    "ready": READY, "queue": QUEUE, "placing": PLACING, "faulty": FAULTY, "over": OVER,
    "free": FREE, "attract": ATTRACT, "pairs": PAIRS, "points": POINTS, "setup": SETUP,
}  # fmt: skip
CUT_OR_COVERED = """() => {
    const parts = [".bar > *", ".bar > * > *", ".headline > *"]
        .flatMap((which) => [...document.querySelectorAll(which)]);
    return parts.filter((part) => part.checkVisibility()).filter((part) => {
        const box = part.getBoundingClientRect();
        const around = part.parentElement.getBoundingClientRect();
        return part.clientWidth > 0 && part.scrollWidth > part.clientWidth + 1
            || box.width > 0 && (box.left < around.left - 1 || box.right > around.right + 1);
    }).map((part) => part.className || part.tagName);
}"""
OVERFLOW = """() => {
    const { scrollWidth } = document.documentElement;
    const cut = [...document.querySelectorAll(".side, .middle, .now, .bottom")].filter(
        (one) => one.checkVisibility()
            && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1));
    return [scrollWidth, document.body.scrollHeight, cut.map((one) => one.className)];
}"""


def look(browser, board: WebDisplay, view: BoardView, screen: str, address: str):
    """Open a page for a view on a screen; return it, in a context to close, and its faults."""
    board.post(view)
    width, height = SCREENS[screen]
    page = new_context(browser, viewport={"width": width, "height": height}).new_page()
    faults = watch_faults(page)
    page.goto(board.url + address)
    expect(page, "#board").to_have_text("Festival 3")
    return page, faults


def check_fits(page, screen: str) -> None:
    width, height = SCREENS[screen]
    scrolled_width, scrolled_height, cut = page.evaluate(OVERFLOW)
    assert scrolled_width <= width
    assert scrolled_height <= height
    assert cut == []


def check(browser, board, view: BoardView, screen: str, address: str) -> None:
    """Check that a page fits, that nothing is cut off, and that axe finds nothing grave."""
    page, faults = look(browser, board, view, screen, address)
    if not address.startswith("overlay"):
        check_fits(page, screen)
    assert grave_faults(page) == []
    assert faults == []
    page.context.close()


@pytest.mark.parametrize(
    ("name", "screen", "address"),
    [
        ("queue", "tv", "?theme=light"),
        ("points", "phone", "?theme=sun&lang=de"),
        ("placing", "phone-on-its-side", "?theme=dark&lang=de"),
        ("points", "small-tv", "?theme=contrast&lang=ja"),
        ("faulty", "tv", "overlay"),
    ],
)
def test_a_page_fits_and_can_be_used_by_everybody(browser, board, name, screen, address):
    check(browser, board, VIEWS[name], screen, address)


NAMED = changed(
    READY,
    sides=(
        side(Side.RED, Seat.N, 5, shoots=True, names=("Jürgen Ägypten",)),
        side(Side.GREEN, Seat.S, 3, names=("Maximiliane von Hohenstein-Sonnenburg-Joggsching",)),
    ),
)  # fmt: skip
CUT_BELOW = """() => [...document.querySelectorAll(
    ".side .name, .headline > :last-child, .by, .event, .which, .top h1, .win h2, .result .name",
)].filter((one) => one.checkVisibility() && getComputedStyle(one).overflowY !== "visible")
    .filter((one) => {
        const style = getComputedStyle(one);
        const pen = document.createElement("canvas").getContext("2d");
        pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
        // The last line's baseline: its letters' box ends as far below it as the font reaches.
        const letters = document.createRange();
        letters.selectNodeContents(one);
        const lines = [...letters.getClientRects()];
        const inside = one.getBoundingClientRect().bottom;
        const ends = lines.map((line) => line.bottom);
        const last = Math.max(...ends.filter((end) => end < inside + 99));
        const { fontBoundingBoxDescent: reach, actualBoundingBoxDescent: ink }
            = pen.measureText("gjpqy");
        return last - reach + ink > inside + 0.5;
    }).map((one) => one.className || one.tagName)"""


OVERLAYS = (("phone", ""), ("tv", "&width=300"), ("tv", "&size=2"), ("tv", ""))


@pytest.mark.parametrize("language", thinned(LANGUAGES, {"de"}))
@pytest.mark.parametrize(
    ("name", "overlay"),
    thinned(
        product(("setup", "ready", "points"), OVERLAYS),
        {("points", each) for each in OVERLAYS[::2]} | {("setup", OVERLAYS[1])},
    ),
)
def test_no_overlay_cuts_or_covers_anything(browser, board, overlay, name, language):
    screen, asked = overlay
    page, _faults = look(browser, board, VIEWS[name], screen, f"overlay?lang={language}{asked}")
    expect(page, "#headline").not_to_be_empty()
    expect(page, "#headline").to_be_visible()
    assert page.evaluate(CUT_OR_COVERED) == []
    page.context.close()


@pytest.mark.parametrize("screen", thinned(["tv", "phone"], {"phone"}))
def test_no_letter_loses_what_it_has_below_its_line(browser, board, screen):
    page, _faults = look(browser, board, NAMED, screen, "?lang=de")
    expect(page, "#headline").to_have_text("Jürgen Ägypten ist am Zug")
    assert page.evaluate(CUT_BELOW) == []
    page.context.close()


@pytest.mark.parametrize("name", thinned(["points", "pairs"], {"pairs"}))
def test_notes_lie_beside_each_other_and_none_is_cut_off(browser, board, name):
    view = changed(VIEWS[name], red=RedPlace.COVERED, red_side=Side.RED)
    page, _faults = look(browser, board, view, "tv", "?lang=de")
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".notes, .notes > *")].filter(
            (one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"""
    )
    assert cut == []
    page.context.close()


def test_each_side_has_its_piece_beside_its_name_before_one_is_in(browser, board):
    view = changed(READY, sides=(side(Side.RED, Seat.N), side(Side.GREEN, Seat.S)))
    page, _faults = look(browser, board, view, "tv", "")
    expect(page, "#side-0 .emblem.piece-red").to_be_visible()
    expect(page, "#side-1 .emblem.piece-green").to_be_visible()
    page.context.close()


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("name", VIEWS)
def test_every_page_fits_and_can_be_used_by_everybody(
    browser, board, name, screen, theme, language
):
    check(browser, board, VIEWS[name], screen, f"?theme={theme}&lang={language}")
    check(browser, board, VIEWS[name], screen, f"overlay?theme={theme}&lang={language}")


@pytest.mark.parametrize(
    ("address", "theme"),
    thinned(
        [("api", "light"), *product(("matches", "no-such-page", "referee"), ("light", "dark"))],
        # test_referee_page.py checks the referee's page
        {("api", "light"), ("matches", "dark"), ("no-such-page", "light")},
    ),
)
def test_the_other_pages_can_be_used_by_everybody_too(browser, board, address, theme):
    page = new_context(browser, viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"{board.url}{address}?theme={theme}")
    page.wait_for_load_state("load")
    expect(page, "h1").to_be_visible()
    assert grave_faults(page) == []
    page.context.close()
