"""Real matches of every system as spectators see them: each moment fits, and says what it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from jackspot.core.match import Match
from jackspot.core.record import read_record
from jackspot.core.rules import RULES
from jackspot.dialogue.state.view import BoardView, ClockView, Phase, Sound
from jackspot.displays.words import LANGUAGES
from jackspot.values import changed
from jackspot.web.live import LiveBoard
from jackspot.web.server import WebDisplay, WebSettings
from jackspot_sim.boards.rehearsal import rehearse
from jackspot_sim.people.habits import Habits
from tests.browser.conftest import expect
from tests.browser.test_spectator_everywhere import SCREENS, check_fits
from tests.conftest import new_context, watch_faults
from tests.web.samples import IDENTITY

RECORDS = Path(__file__).parents[1] / "records"
PAIRS = "four_seats"
LOW = ClockView(300_000_000_000, 8_000_000_000, running=False, as_of_ns=0)


class Onlooker:
    """A display that keeps each view that differs in kind from those before."""

    name = "onlooker"

    def __init__(self) -> None:
        self.moments: dict[object, BoardView] = {}

    def start(self) -> None:
        """Begin to watch."""

    def post(self, view: BoardView) -> None:
        """Keep the first view of each kind."""
        kind = (
            view.phase, view.red, bool(view.place), bool(view.menu), bool(view.fetch),
            any(side.owed for side in view.sides), view.proposal and view.proposal.ends_board,
        )  # fmt: skip
        self.moments.setdefault(kind, view)

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Look away."""
        return True


def moments(match: Match, folder: Path) -> list[BoardView]:
    """Play a match on a whole board; return one view of each kind of moment."""
    onlooker = Onlooker()
    entries = [step.entry for step in match.steps]
    rehearse(
        match.settings, entries, folder / "journal.sqlite3", Habits(at_box=True),
        further=(onlooker,),
    )  # fmt: skip
    return list(onlooker.moments.values())


def match_called(name: str) -> Match:
    file = name if name == PAIRS else f"short_{name}"
    return read_record((RECORDS / f"{file}.carom").read_text(encoding="utf-8")).match


@pytest.fixture
def board() -> Iterator[WebDisplay]:
    display = WebDisplay(LiveBoard(lambda: 0, lambda _: None, IDENTITY), WebSettings(port=0))
    display.start()
    yield display
    display.stop()


def watch(browser, board: WebDisplay, views: list[BoardView], screen: str, language: str) -> None:
    """Show moment after moment on one page; check that each fits and shows its numbers."""
    width, height = SCREENS[screen]
    page = new_context(browser, viewport={"width": width, "height": height}).new_page()
    faults = watch_faults(page)
    board.post(changed(views[0], sequence=1))
    page.goto(f"{board.url}?lang={language}")
    for number, view in enumerate(views, start=2):
        board.post(changed(view, sequence=number, clock=LOW if number % 2 else view.clock))
        expect(page, "body").to_have_attribute("data-sequence", str(number))
        check_fits(page, screen)
        for index, side in enumerate(view.sides):
            if len(side.pieces) == 1:
                expect(page, f"#side-{index} .pucks .in").to_have_count(side.pocketed)
            if side.owed:
                expect(page, f"#side-{index} .owed").to_contain_text(str(side.owed))
        placed = sum(len(group.pieces) for group in view.placing) or len(view.place)
        expect(page, "#place .stack .piece").to_have_count(placed)
    assert views[-1].phase is Phase.MATCH_OVER
    assert faults == []
    page.context.close()


def test_a_match_of_carrom_as_spectators_see_it(browser, board, tmp_path):
    watch(browser, board, moments(match_called("icf"), tmp_path), "tv", "en")


@pytest.mark.long
@pytest.mark.parametrize("name", [*(rules.value for rules in RULES), PAIRS])
def test_a_match_of_every_system_as_spectators_see_it(browser, board, tmp_path, name):
    views = moments(match_called(name), tmp_path)
    for screen in SCREENS:
        for language in LANGUAGES:
            watch(browser, board, views, screen, language)
