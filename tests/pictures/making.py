"""How each picture of the README is made."""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from jackspot.config.load import Sources, load
from jackspot.core.record import read_record
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.values import changed
from jackspot.web.server import WebSettings
from jackspot_sim.browser.session import Session
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.film.colours import DARK, LIT
from jackspot_sim.film.filming import film
from jackspot_sim.film.moving_picture import record
from jackspot_sim.film.painting import Size
from jackspot_sim.film.recording import SECONDS, SEED, match_of
from jackspot_sim.film.values import Film
from jackspot_sim.sensing.quality import Quality
from tests.browser.person import arrive
from tests.browser.test_computer_players import Referee, let_the_computer_play
from tests.conftest import BROWSER_FLAGS, PATIENCE_MS, PATIENCE_S, find_browser, new_context
from tests.pictures.phases import phases
from tests.pictures.settling import by_evidence, presses, settling_curve, sureness
from tests.sim.standing import StandingTable

if TYPE_CHECKING:
    from playwright.sync_api import Page

PLAYED = """\
rules = "hikone"
[names]
N = "Aiko"
S = "Ben"
---
N 2*red@NE
N red@SW
N -
S green@NW
S 2*green@SE
S -
N 2*red@NE
N red@SE
N red@SE
"""
"""The match that the score page and the referee's page show."""
STROKES = 7
"""How many strokes are shot before the table is pictured."""
PULLS_PX = 78
"""How far the striker is pulled back."""


# --- without a browser ----------------------------------------------------------------------------


def moving_table(path: Path) -> None:
    """Record the table in play."""
    record(film(match_of(RuleSystem.HIKONE, SEED, Quality.DEFAULT)), path, SECONDS, Size.MEDIUM)


def oled(path: Path) -> None:
    """Show what the OLED had on it at four moments of matches."""
    films = [
        film(changed(match_of(RuleSystem.HIKONE, seed, Quality.DEFAULT), strength=Strength.CLUB))
        for seed in OLED_SEEDS
    ]
    moments: Sequence[Callable[[BoardView], int]] = (
        lambda view: max(s.owed for s in view.sides) if view.phase is Phase.READY else 0,
        lambda view: 1 if view.phase is Phase.REVIEW and _is_doubtful(view) else 0,
        lambda view: len(view.place) if view.phase is Phase.PLACING else 0,
        lambda view: 1 if view.phase is Phase.MATCH_OVER else 0,
    )
    scale, edge, apart = 3, 16, 12
    wide, high = 128 * scale, 64 * scale
    sheet = Image.new("RGB", (2 * (wide + edge) + apart, 2 * (high + edge) + apart), (28, 34, 52))
    for place, worth in enumerate(moments):
        bits = Image.frombytes("1", (128, 64), _best(films, worth))
        mask = bits.resize((wide, high), Image.Resampling.NEAREST)
        glass = Image.new("RGB", mask.size, DARK)
        glass.paste(LIT, None, mask)
        at = edge + place % 2 * (wide + apart), edge + place // 2 * (high + apart)
        sheet.paste(glass, at)
    sheet.quantize(8, dither=Image.Dither.NONE).save(path, optimize=True)


OLED_SEEDS = (43, 35)
"""Matches of club players in which somebody owes pieces, and in which many go back."""


def _best(films: Sequence[Film], worth: Callable[[BoardView], int]) -> bytes:
    """Return what the OLED showed when it was worth most, just before it changed again."""
    found: list[tuple[int, bytes]] = []
    for each in films:
        for at_ns in each.views.times():
            until_ns = each.views.next_after(at_ns) or each.end_ns
            if worth(each.views.at(at_ns)):
                found.append((worth(each.views.at(at_ns)), each.glass.at(until_ns - 1)))
    return max(reversed(found), key=lambda one: one[0])[1]


def _is_doubtful(view: BoardView) -> bool:
    return view.proposal is not None and view.proposal.doubtful and view.menu is None


# --- in a browser ---------------------------------------------------------------------------


def table(path: Path) -> None:
    """Show the simulated table's page while somebody pulls the striker back."""
    with _folder() as folder, _page(1360, 860) as page:
        standing = StandingTable(folder)
        try:
            person = arrive(page, standing)
            let_the_computer_play(page, "S", "club")
            _Some(person, standing).play_to_the_end()
            person.rest(6.0)
            standing.session.set_speed(1.0)
            page.wait_for_function("() => document.getElementById('speed').value === '1'")
            grip, board = page.locator("#grip"), page.locator("#board")
            at, around = grip.bounding_box(), board.bounding_box()
            assert at is not None
            assert around is not None
            x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
            page.mouse.move(x, y)
            page.mouse.down()
            outwards = -1 if y < around["y"] + around["height"] / 2 else 1
            page.mouse.move(x + 5, y + outwards * PULLS_PX, steps=5)
            page.wait_for_function("() => document.getElementById('aim-said').textContent")
            _picture(page, path)
            page.mouse.move(x, y)
            page.mouse.up()
        finally:
            standing.close()


class _Some(Referee):
    """A player who makes some strokes, and stops when the north is to shoot."""

    def _watch_a_shot(self, view: BoardView) -> None:
        if self.played >= STROKES and view.shooter is self._settings.seats[0]:
            self.stop()
        else:
            super()._watch_a_shot(view)


def score(path: Path) -> None:
    """Show the score page as a television has it."""
    with _played() as url, _page(1280, 720) as page:
        page.goto(f"{url}/")
        _until_shown(page, "Aiko")
        _picture(page, path)


def referee(path: Path) -> None:
    """Show the referee's page on a telephone, in German."""
    with _played() as url, _page(420, 800, "de-DE") as page:
        page.goto(f"{url}/referee")
        _until_shown(page, "am Zug")
        _picture(page, path)


def wall(path: Path) -> None:
    """Record the wall of a hall in which people practise at a few boards."""
    frames = list[Image.Image]()
    with _practised() as url, _page(1280, 720) as page:
        page.goto(url)
        page.wait_for_timeout(WALL_BEGINS_MS)
        for _ in range(WALL_FRAMES):
            frames.append(Image.open(io.BytesIO(page.screenshot())).resize(WALL_SIZE))
            page.wait_for_timeout(WALL_FRAME_MS)
    some = Image.new("RGB", (WALL_SIZE[0], WALL_SIZE[1] * len(frames[::5])))
    for at, frame in enumerate(frames[::5]):
        some.paste(frame, (0, at * WALL_SIZE[1]))
    palette = some.quantize(WALL_COLOURS, Image.Quantize.MEDIANCUT)
    few = [
        each.convert("RGB").quantize(palette=palette, dither=Image.Dither.NONE) for each in frames
    ]
    few[0].save(path, save_all=True, append_images=few[1:], duration=WALL_FRAME_MS, loop=0)


WALL_BEGINS_MS, WALL_FRAMES, WALL_FRAME_MS = 20_000, 50, 1_000
WALL_SIZE, WALL_COLOURS = (800, 450), 48


@contextmanager
def _practised() -> Iterator[str]:
    """Run a practice festival; yield the address of its wall."""
    command = [str(Path(sys.executable).with_name("jackspot")), "hub", "practice", "8"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as festival:
        assert festival.stdout is not None
        try:
            yield next(line for line in festival.stdout if line.startswith("wall")).split()[1]
        finally:
            festival.terminate()
            festival.stdout.read()


@contextmanager
def _played() -> Iterator[str]:
    """Play the match on a simulated table; yield the address of its pages."""
    with _folder() as folder:
        shown = read_record(PLAYED)
        config = load(Sources(()))
        session = Session(config, folder / "journal.sqlite3", WebSettings(port=0), shown)
        session.set_speed(15.0)
        session.start()
        thread = threading.Thread(target=session.run)
        thread.start()
        try:
            _wait_for(lambda: _entered(session) == len(shown.match.steps))
            yield session.url.removesuffix("/sim/")
        finally:
            session.close()
            thread.join(PATIENCE_S)


def _entered(session: Session) -> int:
    view = session.shown
    settled = view is not None and view.phase is Phase.READY and view.written is not None
    return len(view.written.entries) if settled and view and view.written else 0


def _wait_for(happened: Callable[[], bool]) -> None:
    """Wait until something has happened."""
    pause, waited = threading.Event(), 0.0
    while not happened():
        pause.wait(0.1)
        waited += 0.1
        assert waited < PATIENCE_S


def _until_shown(page: Page, words: str) -> None:
    page.get_by_text(words).first.wait_for(timeout=PATIENCE_MS)


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="jackspot-pictures-") as name:
        yield Path(name)


@contextmanager
def _page(width: int, height: int, language: str = "en-GB") -> Iterator[Page]:
    """Open a page of this size in the browser of the tests."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_browser(), headless=True, args=list(BROWSER_FLAGS)
        )
        size = {"width": width, "height": height}
        context = new_context(browser, language, viewport=size, reduced_motion="reduce")
        yield context.new_page()
        browser.close()


def _picture(page: Page, path: Path) -> None:
    """Take a picture in the few colours that such a page has, for a third of the size."""
    page.evaluate("() => document.fonts.ready")
    page.screenshot(path=path)
    with Image.open(path) as taken:
        few = taken.convert("RGB").quantize(256, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


PICTURES: Mapping[str, Callable[[Path], None]] = {
    "hands-off.svg": by_evidence,
    "oled.png": oled,
    "phases.svg": phases,
    "presses.svg": presses,
    "presses-and-wrong.svg": settling_curve,
    "referee.png": referee,
    "score.png": score,
    "sure-and-right.svg": sureness,
    "table.gif": moving_table,
    "table.png": table,
    "wall.gif": wall,
}
"""Every picture of the pages by its name, and what makes it."""
