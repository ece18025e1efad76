"""A simulated table whose time stands still unless a test lets it pass.

Nothing then depends on how busy the machine is: a press, and a pause between two strokes, lasts
as long as the test says.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from jackspot.config.load import Sources, load
from jackspot.config.model import Config
from jackspot.web.server import WebSettings
from jackspot_sim.browser.captures import NextCapture
from jackspot_sim.browser.session import Session
from jackspot_sim.physics.values import Lying
from jackspot_sim.sensing.quality import Quality
from tests.conftest import PATIENCE_S

STANDING = 1e-9
"""The speed of time that stands still: one second of the table's time in thirty years."""
RUNNING = 4.0
"""The speed of time when a test needs it to run on its own."""
BRISK_SHOW = 40.0


class StandingTable:
    """A session in a thread of its own, at a table whose time stands still."""

    def __init__(
        self,
        folder: Path,
        port: int = 0,
        *,
        show_speed: float = BRISK_SHOW,
        settings: WebSettings | None = None,
        config: Config | None = None,
        quality: Quality = Quality.DEFAULT,
        captures: NextCapture = lambda: None,
    ) -> None:
        self.session = Session(
            config or load(Sources(())),
            folder / "journal.sqlite3",
            settings or WebSettings(port=port),
            None,
            show_speed,
            captures,
            quality,
        )
        self.session.start()
        self.session.set_speed(STANDING)
        self._thread = threading.Thread(target=self.session.run)
        self._thread.start()

    def let_pass(self, seconds: float) -> None:
        """Let exactly this much of the table's time pass, as fast as possible.

        If the board is put away meanwhile, its time has ended, and nothing is waited for.
        """
        clock = self.session.clock
        passed = threading.Event()

        def stand() -> None:
            clock.set_speed(STANDING)
            passed.set()

        clock.after(int(seconds * 1e9), stand)
        clock.set_speed(None)
        due_s = time.monotonic() + PATIENCE_S
        while not passed.wait(0.1) and self.session.clock is clock:
            assert time.monotonic() < due_s

    def exchange_board(self, act: Callable[[], None]) -> None:
        """Do something that brings another board, and wait for that board."""
        clock, due_s = self.session.clock, time.monotonic() + PATIENCE_S
        act()
        while self.session.clock is clock:
            assert time.monotonic() < due_s
            time.sleep(0.01)

    def lay(self, resting: Iterable[Lying]) -> None:
        """Lay the pieces of the board at these places, in sight of the page."""
        self.session.rig.table.rest(resting)
        self.session.set_speed(STANDING)  # which tells the page

    def run_on(self) -> None:
        """Let time run on its own from now on."""
        self.session.set_speed(RUNNING)

    def close(self) -> None:
        """End the session."""
        self.session.close()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()
