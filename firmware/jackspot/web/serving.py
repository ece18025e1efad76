"""uvicorn, as the pages' thread runs it: stopped from another thread, and asleep until then.

Without a request the loop sleeps: uvicorn's own main loop wakes ten times a second, so it is
replaced by an event that is set when the server is to stop.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, cast

import uvicorn
from anyio import to_thread
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from jackspot.web.addresses import LOOPBACK_NAMES, is_loopback
from jackspot.web.connections import Door, Guest
from jackspot.web.feed import Feed
from jackspot.web.guard import ClientLimits, Guard
from jackspot.web.referee.access import ON_THE_DISPLAY, Access
from jackspot.web.referee.kept import KeptFile
from jackspot.web.referee.sessions import Sessions

if TYPE_CHECKING:
    from jackspot.web.server import WebSettings

HEAD_S = 10.0
"""How long a connection may take to send a request; uvicorn itself would wait for ever."""
THREADS = 2
"""How many requests may read the journal at the same time."""
AHEAD_BYTES = 16_384
"""How much of a stream the kernel may hold for its reader, who is else sent what is long past."""
DEAD_MS = 30_000
"""How long what was sent on a stream may stay unconfirmed by the other end, which is then gone."""
STREAMS_END_S = 0.4
"""How long streams may take to end before they are cut off."""


def make_server(app: ASGIApp, settings: WebSettings, feeds: Sequence[Feed]) -> Server:
    """Make the pages' server, with a guard before the application."""
    guarded = Guard(
        app,
        names=_names(settings),
        any_number=not is_loopback(settings.address),
        limits=settings.limits,
    )
    return Server(guarded, feeds, settings.limits or ClientLimits())


class Connection(H11Protocol, Guest):
    """A connection that is closed when a request is not sent in time, or an answer not read.

    Connections are few: without this, a program that opens them and sends nothing, or reads
    nothing, would keep everybody else out. A request reaches its connection through
    ``scope["state"]["connection"]``.
    """

    door: Door | None = None
    stays = False
    """Whether it carries a stream, which has a place of its own."""
    _asked: asyncio.TimerHandle | None = None
    _is_open = False
    _unread = 0
    """How many bytes waited to be read at the last check."""

    @property
    def worth(self) -> int | None:
        """0: no request yet, 1: idle, 2: in a request; None: not open yet, or it stays."""
        if self.stays or not self._is_open:
            return None
        never_asked = self.cycle is None
        return 0 if never_asked else 1 if self.cycle.response_complete else 2

    def leave(self) -> None:
        """Close at once."""
        self.transport.abort()

    def stay(self) -> None:
        """Carry a stream: what is new waits until the reader takes it, not in a buffer."""
        self.stays = True
        self.transport.set_write_buffer_limits(0)
        accepted = self.transport.get_extra_info("socket")
        with suppress(OSError):  # it is closed already
            accepted.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, AHEAD_BYTES)
            if timeout := getattr(socket, "TCP_USER_TIMEOUT", None):  # Linux has it
                accepted.setsockopt(socket.IPPROTO_TCP, timeout, DEAD_MS)

    @property
    def unread(self) -> int:
        """How many bytes wait to be taken by the other end."""
        return self.transport.get_write_buffer_size()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the checks of how long it takes."""
        super().connection_made(cast("asyncio.Transport", transport))
        self._is_open = True
        self.app_state = {"connection": self}
        self._asked = self.loop.call_later(HEAD_S, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the checks."""
        if self._asked is not None:
            self._asked.cancel()
        if self.door is not None:
            self.door.left(self)
        super().connection_lost(exc)

    def resume_writing(self) -> None:
        """Note that the other end reads what was sent."""
        super().resume_writing()
        self._unread = 0

    def _look(self) -> None:
        never_asked = self.cycle is None
        half_asked = not never_asked and self.cycle.response_complete and self.conn.trailing_data[0]
        if never_asked or half_asked:
            self.transport.close()
        elif not self.stays and 0 < self._unread <= self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self._unread = self.transport.get_write_buffer_size()
            self._asked = self.loop.call_later(HEAD_S, self._look)


class Server(uvicorn.Server):
    """uvicorn's server, stopped from another thread and asleep until then."""

    def __init__(self, app: Guard, feeds: Sequence[Feed], limits: ClientLimits) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                loop="asyncio",
                http=Connection,
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=False,
                proxy_headers=False,
                backlog=64,
                timeout_keep_alive=10,
                timeout_graceful_shutdown=1,
                h11_max_incomplete_event_size=16_384,
            )
        )
        self._feeds = tuple(feeds)
        self._limits = limits
        self._doors: list[Door] = []
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending = asyncio.Event()

    def end(self) -> None:
        """Ask the server to stop, from any thread."""
        with self._lock:
            self.should_exit = True
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._ending.set)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open a door at each socket; asyncio's own server would let everybody in."""
        await self.lifespan.startup()
        loop = asyncio.get_running_loop()
        to_thread.current_default_thread_limiter().total_tokens = THREADS
        for bound in sockets or ():
            door = Door(self._limits)
            door.open(bound, partial(self._connection, loop, door))
            self._doors.append(door)
        self.servers = []
        self.started = True

    def _connection(self, loop: asyncio.AbstractEventLoop, door: Door) -> Connection:
        made = Connection(self.config, self.server_state, self.lifespan.state, loop)
        made.door = door
        return made

    async def main_loop(self) -> None:
        """Sleep until the server is asked to stop."""
        loop = asyncio.get_running_loop()
        for feed in self._feeds:
            feed.attach(loop)
        with self._lock:
            self._loop = loop
            if self.should_exit:
                return
        await self._ending.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the streams, then everything else; connections that do not end are cut off."""
        with self._lock:
            self._loop = None
        for feed in self._feeds:
            feed.detach()
        for door in self._doors:
            door.close()
        for bound in sockets or ():
            bound.close()
        for connection in tuple(self.server_state.connections):
            connection.shutdown()
        if self.server_state.tasks:
            await asyncio.wait(tuple(self.server_state.tasks), timeout=STREAMS_END_S)
        for connection in tuple(self.server_state.connections):
            connection.transport.abort()


def access_of(settings: WebSettings, pin_is: str = ON_THE_DISPLAY) -> Access:
    """Return who may write, by the PIN of these pages; ``pin_is`` says where it can be read."""
    sessions = Sessions(settings.kept or KeptFile(), settings.pin, settings.wall)
    return Access(sessions, pin_is=pin_is)


def _names(settings: WebSettings) -> frozenset[str]:
    """Return the host names under which the pages may be requested."""
    names = LOOPBACK_NAMES | settings.names
    if is_loopback(settings.address):
        return names
    host = socket.gethostname()
    return names | {host, f"{host.partition('.')[0]}.local", settings.address}
