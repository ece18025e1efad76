"""A served board and a client that talks to it over real sockets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from jackspot.web.guard import ClientLimits
from jackspot.web.live import LiveBoard
from jackspot.web.presses import PageEvent
from jackspot.web.referee.kept import KeptFile
from jackspot.web.server import WebDisplay, WebSettings
from tests.conftest import PATIENCE_S
from tests.web.samples import IDENTITY


@dataclass
class Served:
    """A running server, what was pressed on it, and the board's clock."""

    now_ns: int = 5_000_000_000
    pressed: list[PageEvent] = field(default_factory=list)
    limits: ClientLimits = field(default_factory=ClientLimits)
    address: str = "127.0.0.1"
    pin: str | None = ""
    kept: KeptFile | None = None
    wall: Any = None

    def __post_init__(self) -> None:
        self.board = LiveBoard(lambda: self.now_ns, self.pressed.append, IDENTITY, run="r1")
        settings = WebSettings(
            self.address, 0, limits=self.limits, pin=self.pin, kept=self.kept, wall=self.wall
        )
        self.display = WebDisplay(self.board, settings)
        self.display.start()
        self.client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}/", timeout=PATIENCE_S)

    @property
    def port(self) -> int:
        return int(self.display.url.rstrip("/").rpartition(":")[2])

    def close(self) -> None:
        self.client.close()
        self.display.stop()

    def press(self, **content: object) -> httpx.Response:
        return self.client.post("/api/press", json=content)


@pytest.fixture
def served() -> Iterator[Served]:
    served = Served()
    yield served
    served.close()
