"""Moments seen across a hall: a foul, the queen, the last piece, the win; and how things move."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from jackspot.core.directives import RedPlace
from jackspot.core.phrases import EMPTY, _
from jackspot.core.pieces import Piece, Pocket, Seat, Side
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Flag
from jackspot.dialogue.state.view import BoardView, ClockView, LastRuling, Phase
from jackspot.values import changed
from jackspot.web.banner import Banner
from jackspot.web.live import LiveBoard
from jackspot.web.server import WebDisplay, WebSettings
from tests.browser.conftest import expect
from tests.browser.test_spectator_page import carrom_side
from tests.conftest import thinned
from tests.dialogue.playing import Table
from tests.web.samples import IDENTITY, OVER, READY, RED_NE, REVIEW, entered

if TYPE_CHECKING:
    from playwright.sync_api import Route

SHOWN_MS = 2_800
CARROM = changed(
    READY, rules=RuleSystem.ICF,
    sides=(
        changed(carrom_side(Side.WHITE, 5, shoots=True), names=("Aiko",)),
        changed(carrom_side(Side.BLACK, 3), names=("Ben",)),
    ),
)  # fmt: skip


def proposed(view: BoardView, *pieces: Piece, flags: frozenset[Flag] = frozenset()) -> BoardView:
    """Return the view with a proposal that these pieces fell."""
    fell = tuple(Departure(piece, Pocket.NE) for piece in pieces)
    reading = changed(RED_NE, departures=fell, flags=flags)
    return changed(view, phase=Phase.REVIEW, proposal=reading, readings=(reading,))


def ruled(
    view: BoardView, *pieces: Piece, seat: Seat = Seat.N, foul: bool = False, **changes
) -> BoardView:
    """Return the view after one more stroke than it has, in which these pieces fell."""
    fell = tuple(Departure(piece, Pocket.NE) for piece in pieces)
    last = LastRuling(("X-1",), EMPTY, seat, fell, foul)
    count = len(view.written.entries) if view.written else 0
    return entered(changed(view, last=last, **changes), count + 1)


def shown(page, board, *views: BoardView) -> None:
    """Post views one after the other, and wait until the page has shown each."""
    for view in views:
        number = int(page.locator("body").get_attribute("data-sequence")) + 1
        board.post(changed(view, sequence=number))
        expect(page, "body").to_have_attribute("data-sequence", str(number))


@pytest.fixture
def opened(page, board):
    page.goto(board.url)
    expect(page, "#headline").to_have_text("Aiko to shoot")
    return page


def pocketed(view: BoardView, first: int, second: int, men: int) -> BoardView:
    counts = zip(view.sides, (first, second), strict=True)
    sides = tuple(changed(side, pocketed=n, left=men - n, all_in=n == men) for side, n in counts)
    return changed(view, sides=(sides[0], sides[1]))


@pytest.mark.parametrize(
    "fell",
    [
        (Piece.RED, Piece.STRIKER),
        *(pytest.param(fell, marks=pytest.mark.long) for fell in ((Piece.JACK,), ())),
    ],
    ids=str,
)
def test_a_foul_by_the_rules_is_seen_with_the_name_of_who_made_it_and_goes_by_itself(
    page, board, fell
):
    page.clock.install()
    page.goto(board.url)
    expect(page, "#headline").to_have_text("Aiko to shoot")
    shown(page, board, proposed(READY, *fell), ruled(READY, *fell, foul=True))
    expect(page, "#moment").to_be_visible()
    expect(page, "#moment b").to_have_text("Foul")
    expect(page, "#moment .below").to_have_text("Aiko")
    height = page.locator("#moment").bounding_box()["height"]
    assert height > page.viewport_size["height"] * 0.3
    page.clock.fast_forward(SHOWN_MS)
    expect(page, "#moment").to_be_hidden()


@pytest.mark.long
def test_the_line_below_says_a_foul_and_a_miss_before_who_is_next(opened, board):
    ben = changed(
        READY, sides=(changed(READY.sides[0], shoots=False), changed(READY.sides[1], shoots=True))
    )
    shown(opened, board, READY, ruled(ben))
    expect(opened, "#headline .past").to_have_text("missed")
    expect(opened, "#headline > :last-child").to_have_text("Ben to shoot")
    striker = ruled(READY, Piece.STRIKER, seat=Seat.S, foul=True)
    shown(opened, board, proposed(ben, Piece.STRIKER), striker)
    expect(opened, "#headline .past").to_have_text("Foul")
    shown(opened, board, proposed(READY, Piece.RED), ruled(pocketed(READY, 6, 3, 12), Piece.RED))
    expect(opened, "#headline .past").to_have_count(0)


@pytest.mark.long
def test_an_own_piece_and_a_miss_are_no_moments(opened, board):
    again = ruled(pocketed(READY, 6, 3, 12), Piece.RED)
    shown(opened, board, proposed(READY, Piece.RED), again)
    expect(opened, "#headline").to_contain_text("Aiko shoots again")
    expect(opened, "#headline .piece").to_have_count(1)
    expect(opened, "#moment").to_be_hidden()
    shown(opened, board, ruled(again))
    expect(opened, "#moment").to_be_hidden()


@pytest.mark.long
def test_a_striker_and_a_flag_that_the_rules_let_pass_are_no_foul(opened, board):
    flags = frozenset({Flag.AREA})
    shown(opened, board, proposed(READY, Piece.RED, Piece.STRIKER, flags=flags))
    shown(opened, board, ruled(pocketed(READY, 6, 3, 12), Piece.RED, Piece.STRIKER))
    expect(opened, "#side-0 .count").to_have_text("6")
    expect(opened, "#moment").to_be_hidden()


@pytest.mark.long
def test_a_stroke_that_is_taken_back_is_no_foul(opened, board):
    owing = (changed(READY.sides[0], owed=2), READY.sides[1])
    shown(opened, board, proposed(ruled(READY, foul=True, sides=owing), Piece.RED, Piece.STRIKER))
    expect(opened, "#moment").to_be_hidden()


def test_a_miss_that_is_taken_back_leaves_the_stroke_before_it(opened, board):
    table = Table()
    table.started().fall("NE").wait(2).choose("RED NE").wait(0.6)
    shown(opened, board, table.view)
    table.ok("referee").calm()
    shown(opened, board, table.view)
    expect(opened, "#headline").to_have_text(re.compile("redRed shoots again$"))
    table.ok("referee").calm()
    shown(opened, board, table.view)
    expect(opened, "#headline").to_have_text("missedGreen to shoot")
    table.undo().calm()
    shown(opened, board, table.view)
    expect(opened, "#headline").to_have_text(re.compile("redRed shoots again$"))


def test_a_foul_is_not_seen_again_when_the_miss_after_it_is_taken_back(page, board):
    page.clock.install()
    page.goto(board.url)
    expect(page, "#headline").to_have_text("Aiko to shoot")
    table = Table()
    table.started().foul().wait(0.6)
    shown(page, board, table.view)
    table.ok("referee").calm()
    shown(page, board, table.view)
    expect(page, "#moment b").to_have_text("Foul")
    page.clock.fast_forward(SHOWN_MS)
    expect(page, "#moment").to_be_hidden()
    table.ok("referee").calm()
    shown(page, board, table.view)
    expect(page, "#headline .past").to_have_text("missed")
    table.undo().calm()
    shown(page, board, table.view)
    assert page.locator("#moment").is_hidden()


def test_a_foul_is_not_seen_again_when_what_it_sends_back_is_placed(page, board):
    page.clock.install()
    page.goto(board.url)
    expect(page, "#headline").to_have_text("Aiko to shoot")
    table = Table()
    table.started().review("NE").foul().wait(0.6)
    shown(page, board, table.view)
    table.ok("referee").calm()
    shown(page, board, table.view)
    assert table.phase is Phase.PLACING
    expect(page, "#moment b").to_have_text("Foul")
    page.clock.fast_forward(SHOWN_MS)
    expect(page, "#moment").to_be_hidden()
    table.ok("referee").calm()
    shown(page, board, table.view)
    expect(page, "#headline .past").to_contain_text("Foul")
    assert page.locator("#moment").is_hidden()


def test_the_queen_and_her_cover_are_seen(opened, board):
    shown(opened, board, CARROM, proposed(CARROM, Piece.QUEEN))
    pending = ruled(CARROM, Piece.QUEEN, red=RedPlace.PENDING, red_side=Side.WHITE)
    shown(opened, board, pending)
    expect(opened, "#moment b").to_have_text("Queen")
    expect(opened, "#moment .below").to_have_text("Aiko must cover")
    covered = ruled(pending, Piece.WHITE, red=RedPlace.COVERED)
    shown(opened, board, proposed(pending, Piece.WHITE), covered)
    expect(opened, "#moment b").to_have_text("Queen covered")
    expect(opened, "#moment .piece-queen").to_have_count(1)


def test_the_last_piece_and_all_in_are_seen(opened, board):
    shown(opened, board, proposed(pocketed(READY, 10, 3, 12), Piece.RED))
    shown(opened, board, ruled(pocketed(READY, 11, 3, 12), Piece.RED))
    expect(opened, "#moment b").to_have_text("One to go")
    shown(opened, board, proposed(pocketed(READY, 11, 3, 12), Piece.RED))
    shown(opened, board, ruled(pocketed(READY, 12, 3, 12), Piece.RED))
    expect(opened, "#moment b").to_have_text("All in")
    expect(opened, "#moment .below").to_have_text("Aiko plays for the jack")
    expect(opened, "#moment .piece-jack").to_have_count(1)


@pytest.mark.long
def test_a_board_of_a_longer_match_is_won_by_name(opened, board):
    over = ruled(
        READY, Piece.GREEN, phase=Phase.BOARD_OVER, best_of=3, winner=Side.GREEN,
        result_points=(5, 12), shooter=None,
    )  # fmt: skip
    shown(opened, board, proposed(READY, Piece.GREEN), over)
    expect(opened, "#moment b").to_have_text("Ben wins the board")
    expect(opened, "#moment .below").to_have_text("boards 0 : 0")
    expect(opened, "#moment .piece-green").to_have_count(1)
    expect(opened, "#headline").to_have_text("Ben wins the board")
    shown(opened, board, changed(READY, phase=Phase.SETUP, best_of=3, board=2, last=None))
    expect(opened, "#moment").to_be_hidden()


@pytest.mark.long
def test_a_page_that_is_opened_in_the_middle_shows_no_moment(opened, board):
    shown(opened, board, proposed(READY, Piece.STRIKER), ruled(READY, Piece.STRIKER, foul=True))
    expect(opened, "#moment").to_be_visible()
    opened.reload()
    expect(opened, "#headline").to_have_text("FoulAiko to shoot")
    expect(opened, "#moment").to_be_hidden()


def listens_anew(page, board, *views: BoardView) -> None:
    """Let the page open its stream anew, and post these views before it begins."""

    def begin(route: Route) -> None:
        for view in views:
            board.post(view)
        route.continue_()

    page.route("**/api/events*", begin, times=1)
    page.evaluate("() => window.dispatchEvent(new Event('online'))")


@pytest.mark.parametrize("path", ["", "overlay"])
def test_of_several_strokes_that_a_page_slept_through_none_is_shown_with_a_wrong_name(
    page, board, path
):
    ben = changed(
        READY, sides=(changed(READY.sides[0], shoots=False), changed(READY.sides[1], shoots=True))
    )
    page.goto(board.url + path)
    expect(page, "#headline").to_have_text("Aiko to shoot")
    missed = ruled(ben, sequence=11, ask=4)
    board.post(missed)
    expect(page, "#headline .past").to_have_text("missed")
    listens_anew(page, board, changed(missed, sequence=12, best_of=3))
    expect(page, "#standing").not_to_be_empty()
    expect(page, "#headline .past").to_have_text("missed")
    aiko = changed(ruled(missed), sides=READY.sides, sequence=13, ask=5)
    foul = ruled(pocketed(aiko, 5, 4, 12), seat=Seat.S, foul=True, sequence=14, ask=6)
    listens_anew(page, board, aiko, foul)
    expect(page, "#side-1 .count").to_have_text("4")
    expect(page, "#headline").to_have_text("FoulAiko to shoot")
    expect(page, "#moment").to_be_hidden()


@pytest.mark.parametrize(("width", "height"), thinned([(1920, 1080), (390, 844)], {(390, 844)}))
def test_who_wins_the_match_fills_the_screen_by_name(page, board, width, height):
    page.set_viewport_size({"width": width, "height": height})
    names = zip(OVER.sides, ("Aiko", "Ben"), strict=True)
    first, second = (changed(side, names=(name,)) for side, name in names)
    board.post(changed(OVER, sides=(first, second), detail=_("by the jack")))
    page.goto(board.url)
    expect(page, "#win h2").to_have_text("Aiko wins")
    expect(page, "#win .how").to_contain_text("by the jack")
    expect(page, "#win .result b").to_have_text(["12", "8"])
    assert page.locator("#win").bounding_box() == {"x": 0, "y": 0, "width": width, "height": height}
    assert "RED" not in page.locator("body").inner_text()
    board.post(changed(READY, sequence=120))
    expect(page, "#win").to_be_hidden()


@pytest.mark.long
def test_a_side_in_turn_is_its_whole_colour_and_nobody_is_before_the_match(opened, board):
    fields = """() => [0, 1].map((side) =>
        getComputedStyle(document.getElementById(`side-${side}`), "::before").opacity)"""
    assert opened.evaluate(fields) == ["1", "0"]
    shown(opened, board, changed(READY, phase=Phase.SETUP, last=None))
    opened.wait_for_function(f"({fields})().join() === '0,0'")
    expect(opened, "#headline").to_have_text("The match is about to begin")


def test_the_clock_grows_in_its_last_minute_and_again_in_its_last_seconds(opened, board):
    def height(seconds: int) -> float:
        clock = ClockView(300_000_000_000, seconds * 1_000_000_000, running=False)
        shown(opened, board, changed(READY, clock=clock))
        return opened.evaluate(
            "() => parseFloat(getComputedStyle(document.getElementById('clock')).fontSize)"
        )

    plain, minute, seconds = height(61), height(60), height(9)
    expect(opened, "#clock").to_have_text("9")
    assert plain * 1.5 < minute < seconds


@pytest.mark.parametrize(
    ("language", "letters"),
    thinned([("en", "WBQ"), ("de", "WSQ"), ("ja", "白黒Q")], {("ja", "白黒Q")}),
)
def test_discs_have_the_letters_of_the_readers_language(page, board, language, letters):
    board.post(changed(CARROM, sequence=60, red=RedPlace.COVERED, red_side=Side.WHITE))
    page.goto(f"{board.url}?lang={language}")
    found = (".piece-white", ".piece-black", ".piece-queen")
    for kind, letter in zip(found, letters, strict=True):
        expect(page, f"{kind} .letter-on >> nth=0").to_have_text(letter)


def test_brown_and_black_have_different_letters_in_every_language(opened):
    for language in ("en", "de", "ja"):
        opened.goto(f"{opened.url.split('?')[0]}?lang={language}")
        expect(opened, "html").to_have_attribute("lang", language)
        black, brown = opened.evaluate(
            """async () => {
                const { discLetter } = await import("/names.js");
                return [discLetter("black"), discLetter("brown")];
            }"""
        )
        assert black != brown


@pytest.fixture
def banner() -> Iterator[WebDisplay]:
    """Return the pages of a board that has an event and a logo."""
    live = LiveBoard(lambda: 0, lambda _event: None, IDENTITY)
    logo = (
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 3"><path d="M0 0h9v3H0z"/></svg>'
    )
    live.banner = Banner("Spring festival", ("logo.svg", logo))
    display = WebDisplay(live, WebSettings(port=0))
    display.start()
    display.post(READY)
    yield display
    display.stop()


def test_the_event_its_logo_and_the_boards_name_stand_above_the_score(page, banner):
    page.goto(banner.url)
    expect(page, "#event").to_have_text("Spring festival")
    expect(page, "#board").to_have_text("Festival 3")
    page.wait_for_function("() => document.getElementById('logo').naturalWidth > 0")
    expect(page, "#logo").to_be_visible()


@pytest.mark.long
def test_without_an_event_there_is_no_room_kept_for_one(opened):
    expect(opened, "#which").to_have_text("Hikone carom")
    expect(opened, "#event").to_be_hidden()
    expect(opened, "#logo").to_be_hidden()


class TestMoving:
    """Motion on the page, for people who have not asked for less of it."""

    @pytest.fixture
    def motion(self):
        return "no-preference"

    def test_each_piece_flies_into_its_slot_and_is_gone_from_the_air(self, opened, board):
        shown(opened, board, REVIEW, ruled(pocketed(READY, 6, 3, 12), Piece.RED))
        expect(opened, "#flight .piece-red").to_have_count(1)
        expect(opened, "#side-0 .pucks .in").to_have_count(6)
        expect(opened, "#side-0 .pucks .lands").to_have_count(1)
        expect(opened, "#flight .piece").to_have_count(0)

    @pytest.mark.long
    def test_counts_that_people_set_do_not_fly(self, opened, board):
        shown(opened, board, pocketed(READY, 12, 3, 12))
        expect(opened, "#side-0 .pucks .in").to_have_count(12)
        expect(opened, "#flight .piece").to_have_count(0)

    def test_nothing_is_animated_but_transform_and_opacity(self, opened, board):
        moved = """() => document.getAnimations().flatMap((one) => one.effect.getKeyframes()
            .flatMap((frame) => Object.keys(frame)))"""
        opened.evaluate("() => document.getAnimations().forEach((one) => one.finish())")
        shown(opened, board, proposed(READY, Piece.RED, Piece.STRIKER))
        sides = (READY.sides[0], changed(READY.sides[1], shoots=True))
        turned = pocketed(
            changed(READY, sides=(changed(sides[0], shoots=False), sides[1])), 6, 3, 12
        )
        shown(opened, board, ruled(turned, Piece.RED, Piece.STRIKER))
        found = set(opened.evaluate(moved))
        board.post(changed(OVER, sequence=300))
        expect(opened, "#win").to_be_visible()
        found |= set(opened.evaluate(moved))
        about = {"offset", "computedOffset", "easing", "composite"}
        assert found - about == {"transform", "opacity"}
        expect(opened, "#win").to_have_class(re.compile("side-red"))
