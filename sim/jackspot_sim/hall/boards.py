"""The boards of a hall, by number: each the real firmware from its wires to its link.

:class:`SimHall` starts, stops and kills them in this process. A board has two threads, its loop's
and its link's, and a folder of its own with its journal; a board that is started again goes on from
there. It has no OLED, sign or matrix, which would be most of its cost, and serves pages once
somebody asks for them.
"""

from __future__ import annotations

import logging
import resource
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from jackspot.board import Board, BoardParts, DisplayPort
from jackspot.config.model import Config
from jackspot.displays import TABLES
from jackspot.displays.oled.kind import OledDriver, OledSection
from jackspot.festival.connection import BrokerConnection, Unreachable
from jackspot.festival.guest import HallGuest
from jackspot.festival.link import HallLink
from jackspot.festival.names import board_id
from jackspot.values import changed
from jackspot.web.live import LiveBoard
from jackspot.web.server import WebDisplay, WebSettings
from jackspot_sim.boards.rig import Built, Onlookers, Rig
from jackspot_sim.clock import SimClock
from jackspot_sim.hall.people import HallPeople

_logger = logging.getLogger(__name__)

FILES_EACH, OTHER_FILES = 12, 200
"""How many files and sockets a board has open, and everything else: Debian allows 1,024."""
ENDS_S = 10.0
"""How long a board has to end."""


class LaterPages(WebDisplay):
    """A board's pages, served on any free port from when somebody asks for them."""

    def __init__(self, board: LiveBoard) -> None:
        super().__init__(board, WebSettings(port=0))
        self._opened = False

    def start(self) -> None:
        """Wait until somebody asks."""

    def open(self) -> str:
        """Serve the pages; return their address."""
        if not self._opened:
            self._opened = True
            super().start()
        return self.url


@dataclass
class HallBoard:
    """A running board, with its people."""

    rig: Rig
    people: HallPeople
    pages: LaterPages
    guests: Sequence[HallGuest]
    thread: threading.Thread


class SimHall:
    """Boards of one hall in this process, numbered as the hall numbers them.

    ``config`` is that of each of them except for its number; ``folder`` has their journals.
    ``speed`` is how many times as fast as real time they run, None: as fast as the machine goes.
    With ``friendly`` people also play where nobody ordered a match. Use it as a context manager.
    """

    def __init__(
        self, config: Config, folder: Path, speed: float | None = 1.0, *, friendly: bool = True
    ) -> None:
        self._config = _lean(config, sleeps=speed is None)
        self._folder = folder
        self._speed = speed
        self._friendly = friendly
        self.boards: dict[int, HallBoard] = {}
        """Those that run, by number."""

    def start(self, *numbers: int) -> None:
        """Start boards, each from where its journal ends. JournalError if it cannot be opened."""
        allow_files(len(self.boards) + len(numbers))
        for number in numbers:
            self.boards[number] = self._started(number)

    def stop(self, *numbers: int) -> None:
        """End boards in order."""
        ending = [self.boards.pop(number) for number in numbers]
        for board in ending:
            board.rig.clock.close()
        for board in ending:
            board.thread.join(ENDS_S)
            if board.thread.is_alive():
                _logger.warning("%s does not end, and is left behind", board.thread.name)

    def kill(self, *numbers: int) -> None:
        """End boards as a power cut does: what is written stays, and the hall is not told."""
        for number in numbers:
            for guest in self.boards[number].guests:
                if guest.link is not None:
                    _cut(guest.link)
        self.stop(*numbers)

    def unplug(self, *numbers: int) -> None:
        """Cut boards off the network: what is under way is lost, and they try in vain."""
        for connection in self._connections(numbers):
            connection.turn = _no_network  # type: ignore[method-assign, assignment]
            connection.open = _no_network  # type: ignore[method-assign, assignment]
            connection.wake()

    def plug_in(self, *numbers: int) -> None:
        """Give boards their network back; those that do not run are ignored."""
        for connection in self._connections(numbers):
            vars(connection).pop("turn", None)
            vars(connection).pop("open", None)

    def _connections(self, numbers: Sequence[int]) -> list[BrokerConnection]:
        running = [self.boards[number] for number in numbers if number in self.boards]
        links = [guest.link for board in running for guest in board.guests]
        begun = [link._begun for link in links if link is not None]  # noqa: SLF001  its wire
        return [each for each in begun if each is not None]

    def __enter__(self) -> SimHall:
        """Nothing runs yet."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all boards."""
        self.stop(*self.boards)

    def _started(self, number: int) -> HallBoard:
        folder = self._folder / board_id(number)
        folder.mkdir(parents=True, exist_ok=True)
        people = HallPeople(board_id(number), friendly=self._friendly)
        pages: list[LaterPages] = []
        guests: list[HallGuest] = []

        def served(live: LiveBoard) -> LaterPages:
            pages.append(LaterPages(live))
            return pages[0]

        def made(parts: BoardParts, displays: Sequence[DisplayPort]) -> Board:
            guests.extend(each for each in parts.listeners if isinstance(each, HallGuest))
            return Board(parts, displays)

        rig = Rig(
            self._numbered(number), folder / "journal.sqlite3", SimClock(self._speed),
            Onlookers((people,), pages=served, in_hall=True), seed=number, built=Built(made),
        )  # fmt: skip
        people.sit_down(rig)
        rig.lay_out()
        thread = threading.Thread(target=rig.run, name=board_id(number), daemon=True)
        thread.start()
        return HallBoard(rig, people, pages[0], guests, thread)

    def _numbered(self, number: int) -> Config:
        config = self._config
        return changed(
            config,
            board=changed(config.board, name=f"Board {number}"),
            festival=changed(config.festival, number=number),
        )


def allow_files(boards: int) -> None:
    """Allow this process, and what it starts, as many files and sockets as its boards need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OTHER_FILES + boards * FILES_EACH
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _lean(config: Config, *, sleeps: bool) -> Config:
    """Return a config without OLED, sign and matrix, pages for this machine, resting in set-up.

    ``sleeps``: no pictures of help are shown, which would never let time stand still.
    """
    shown = {name: kind() for name, kind in TABLES.items()}
    shown["oled"] = OledSection(driver=OledDriver.NONE)
    return changed(
        config,
        displays=shown,
        board=changed(config.board, free_play=False),
        dialogue=changed(config.dialogue, attract_ns=0) if sleeps else config.dialogue,
        web=changed(config.web, enabled=True, host="127.0.0.1", port=0),
    )


def _no_network(*_: object) -> None:
    raise Unreachable("there is no network")


def _cut(link: HallLink) -> None:
    """End a link without its last word: the broker announces "lost" for it."""
    connection = link._begun  # noqa: SLF001  a link knows only an orderly end
    if connection is not None:
        connection.close = lambda _last=None: connection.drop()  # type: ignore[method-assign, assignment]
    link.stopped(0)
