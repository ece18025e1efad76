"""The thread that serves the pages: to the board it is a display like the others.

Theory of operation: the port is bound in the thread that calls :meth:`WebDisplay.start`, so that a
port in use is known at once. A thread of its own then runs an event loop with uvicorn. Views come
in through :meth:`WebDisplay.post`, which stores one reference and wakes that loop; presses go out
through the ``submit`` callback. At the end the streams are closed first, then the connections;
nothing waits for a slow client.

uvicorn and starlette are imported by that thread: a board keeps score before its pages are up, and
clients that come meanwhile wait at the bound port.
"""

from __future__ import annotations

import errno
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from jackspot.dialogue.state.view import BoardView, Sound
from jackspot.displays.errors import DisplayError
from jackspot.web.feed import Feed
from jackspot.web.live import LiveBoard

if TYPE_CHECKING:  # the server's libraries are imported by its thread
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp

    from jackspot.web.guard import ClientLimits
    from jackspot.web.referee.clock import SettableWall
    from jackspot.web.referee.kept import KeptFile
    from jackspot.web.serving import Server

SWITCH_S = 0.000_5
"""How soon a thread of the game that has work gets the interpreter from this one, which may have
much to do: an order of magnitude sooner than by default."""
WAITING = 256
"""The most connections that may wait in the kernel for the port."""
STOP_S = 0.8
"""How long stopping may take before the thread is left behind."""


class WebSettings(Struct, frozen=True):
    """Where the pages are served.

    On loopback, the default, the pages are for this machine only. On another address they are
    reached by any of its addresses, its host name, that name in ``.local``, and the further
    ``names``. ``port`` 0 takes any free one. ``limits`` None are the usual ones. ``pin`` is what
    referees sign in with; empty: nobody has to; None: the one in ``kept``. ``kept`` is what
    outlasts a restart, ``wall`` the machine's wall clock.
    """

    address: str = "127.0.0.1"
    port: int = 8462
    names: frozenset[str] = frozenset()
    limits: ClientLimits | None = None
    pin: str | None = ""
    kept: KeptFile | None = None
    wall: SettableWall | None = None


class PageServer:
    """Serves an application from a thread of its own.

    ``make`` makes it, in that thread, so that its libraries are imported there; ``feeds`` are the
    feeds that its streams wait for.
    """

    def __init__(
        self, settings: WebSettings, make: Callable[[], ASGIApp], feeds: Sequence[Feed]
    ) -> None:
        self._settings = settings
        self._make = make
        self._feeds = tuple(feeds)
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        # Both below are guarded by ``_lock``.
        self._server: Server | None = None
        self._is_ending = False
        self._port = settings.port

    @property
    def url(self) -> str:
        """The address to open in a browser, once started."""
        address = self._settings.address
        host = f"[{address}]" if ":" in address else address
        return f"http://{host}:{self._port}/"

    @property
    def port(self) -> int:
        """The port, once started."""
        return self._port

    def start(self) -> None:
        """Bind the port and serve; raises :class:`DisplayError` when the port is taken."""
        bound = _bind(self._settings)
        self._port = bound.getsockname()[1]
        self._is_ending = False
        self._thread = threading.Thread(target=self._serve, args=(bound,), name="page", daemon=True)
        self._thread.start()

    def _serve(self, bound: socket.socket) -> None:
        sys.setswitchinterval(SWITCH_S)
        from jackspot.web.serving import make_server

        with bound:
            server = make_server(self._make(), self._settings, self._feeds)
            with self._lock:
                if self._is_ending:
                    return
                self._server = server
            server.run([bound])

    def drain(self, timeout_s: float = STOP_S) -> bool:
        """Return whether pages are served; it does not matter here who has read them."""
        del timeout_s  # nothing is ever waiting
        return self._thread is not None and self._thread.is_alive()

    def stop(self, timeout_s: float = STOP_S) -> bool:
        """End within ``timeout_s``, whoever still reads; False if the thread is left behind."""
        if self._thread is None:
            return True
        with self._lock:
            self._is_ending = True
            if self._server is not None:
                self._server.end()
        self._thread.join(timeout_s)
        ended = not self._thread.is_alive()
        self._server = self._thread = None
        return ended


class WebDisplay(PageServer):
    """Serves the live state and the pages of a board.

    ``extra_routes`` are served beside the board's own; ``extra_feeds`` are the feeds that their
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
        settings = settings or WebSettings()
        super().__init__(settings, self._app, (board.feed, *extra_feeds))
        self._board = board
        self._extra_routes = tuple(extra_routes)

    def _app(self) -> ASGIApp:
        from jackspot.web.app import make_app
        from jackspot.web.serving import access_of

        settings = self._settings
        return make_app(self._board, access_of(settings), self._extra_routes, wall=settings.wall)

    def post(self, view: BoardView) -> None:
        """Show a view; called from the game's thread, never waits."""
        self._board.show(view)

    def post_sound(self, sound: Sound) -> None:
        """Play a sound on the pages that play them."""
        self._board.sound(sound)


class PortTaken(DisplayError):
    """Another program has the port of the pages."""


def _bind(settings: WebSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    # With its protocol named: only then does asyncio send an answer's body without delay.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((settings.address, settings.port))
        bound.listen(WAITING)
    except OSError as error:
        bound.close()
        kind = PortTaken if error.errno == errno.EADDRINUSE else DisplayError
        raise kind(_bind_error(settings, error)) from error
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
