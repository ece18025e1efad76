"""The thread that serves the pages: a display like the others to the board.

Theory of operation: the port is bound in the thread that calls :meth:`WebDisplay.start`,
so that a port in use is known at once. A thread of its own then runs an event loop with
uvicorn in it. Views come in through :meth:`WebDisplay.post`, which stores one reference and
wakes that loop; presses go out through the ``submit`` callback. At the end the streams are
closed first, then the connections; nothing waits for a slow client.

Without a request the loop sleeps: uvicorn's own main loop wakes ten times a second, so it
is replaced by an event that is set when the server shall end.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field

import uvicorn
from starlette.routing import BaseRoute

from jackspot.displays.errors import DisplayError
from jackspot.displays.web.app import LiveBoard, make_app
from jackspot.displays.web.feed import Feed
from jackspot.displays.web.guard import LOOPBACK_NAMES, Guard, Limits
from jackspot.table.view import BoardView, Sound

STOP_S = 0.8
"""How long the end may take before the thread is left behind."""
CONNECTIONS = 400
"""How many connections may be open; more are told to come back."""


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Where the pages are served.

    On loopback, which is the default, the pages are for this machine only. On another
    address they are reached by any of its addresses, its host name, that name in ``.local``,
    and the further ``names``. ``port`` 0 takes any free one.
    """

    address: str = "127.0.0.1"
    port: int = 8462
    names: frozenset[str] = frozenset()
    limits: Limits = field(default_factory=Limits)


class WebDisplay:
    """Serves the live state and the pages from a thread of its own.

    ``extra_routes`` are served beside the board's own; ``extra_feeds`` are what their
    streams wait for, attached to the server's loop with the board's own feed.
    """

    name = "page"

    def __init__(
        self,
        board: LiveBoard,
        settings: WebSettings | None = None,
        *,
        extra_routes: Sequence[BaseRoute] = (),
        extra_feeds: Sequence[Feed] = (),
    ) -> None:
        self._board = board
        self._settings = settings or WebSettings()
        self._extra_routes = tuple(extra_routes)
        self._feeds = (board.feed, *extra_feeds)
        self._thread: threading.Thread | None = None
        self._server: _Server | None = None
        self._port = self._settings.port

    @property
    def url(self) -> str:
        """The address to open in a browser, once started."""
        address = self._settings.address
        host = f"[{address}]" if ":" in address else address
        return f"http://{host}:{self._port}/"

    def start(self) -> None:
        """Bind the port and serve; raises :class:`DisplayError` when it is taken."""
        bound = _bind(self._settings)
        self._port = bound.getsockname()[1]
        guarded = Guard(
            make_app(self._board, self._extra_routes),
            names=_names(self._settings),
            any_number=not _is_loopback(self._settings.address),
            limits=self._settings.limits,
        )
        self._server = _Server(guarded, self._feeds)
        self._thread = threading.Thread(
            target=self._server.run, args=([bound],), name="page", daemon=True
        )
        self._thread.start()

    def post(self, view: BoardView) -> None:
        """Show a view; called from the game's thread, never waits."""
        self._board.show(view)

    def post_sound(self, sound: Sound) -> None:
        """Do nothing: pages make no noise of their own accord."""

    def drain(self, timeout_s: float = STOP_S) -> bool:
        """Say whether pages are served; who reads them when is not the board's business."""
        del timeout_s  # nothing is ever waiting
        return self._thread is not None and self._thread.is_alive()

    def stop(self, timeout_s: float = STOP_S) -> bool:
        """End within ``timeout_s``, whoever still reads; False if the thread is left behind."""
        if self._server is None or self._thread is None:
            return True
        self._server.end()
        self._thread.join(timeout_s)
        ended = not self._thread.is_alive()
        self._server = self._thread = None
        return ended


class _Server(uvicorn.Server):
    """uvicorn's server, ended from another thread and asleep until then."""

    def __init__(self, app: Guard, feeds: Sequence[Feed]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                loop="asyncio",
                http="h11",
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=False,
                proxy_headers=False,
                backlog=64,
                limit_concurrency=CONNECTIONS,
                timeout_keep_alive=10,
                timeout_graceful_shutdown=1,
                h11_max_incomplete_event_size=16_384,
            )
        )
        self._feeds = tuple(feeds)
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending = asyncio.Event()

    def end(self) -> None:
        """Ask the server to end, from any thread."""
        with self._lock:
            self.should_exit = True
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._ending.set)

    async def main_loop(self) -> None:
        """Sleep until the end."""
        loop = asyncio.get_running_loop()
        for feed in self._feeds:
            feed.attach(loop)
        with self._lock:
            self._loop = loop
            if self.should_exit:
                return
        await self._ending.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the streams, then everything else; who does not follow is cut off."""
        with self._lock:
            self._loop = None
        for feed in self._feeds:
            feed.detach()
        for server in self.servers:
            server.close()
        for bound in sockets or ():
            bound.close()
        for connection in tuple(self.server_state.connections):
            connection.shutdown()
        if self.server_state.tasks:
            await asyncio.wait(tuple(self.server_state.tasks), timeout=STOP_S / 2)
        for connection in tuple(self.server_state.connections):
            connection.transport.abort()


def _is_loopback(address: str) -> bool:
    return address in LOOPBACK_NAMES


def _names(settings: WebSettings) -> frozenset[str]:
    """Give the names under which the pages may be asked for."""
    names = LOOPBACK_NAMES | settings.names
    if _is_loopback(settings.address):
        return names
    host = socket.gethostname()
    return names | {host, f"{host.partition('.')[0]}.local", settings.address}


def _bind(settings: WebSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((settings.address, settings.port))
        bound.listen(64)
    except OSError as error:
        bound.close()
        raise DisplayError(_bind_error(settings, error)) from error
    return bound


def _bind_error(settings: WebSettings, error: OSError) -> str:
    where = f"pages at {settings.address} port {settings.port}"
    if error.errno == errno.EADDRINUSE:
        return f"{where}: another program uses this port; choose another port, or end it"
    if error.errno == errno.EACCES:
        return f"{where}: this user may not use this port; choose one above 1023"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{where}: this machine has no such address; choose 127.0.0.1 or one of its own"
    return f"{where}: {error.strerror}; choose another address or port"
