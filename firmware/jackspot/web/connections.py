"""Caps the connections accepted at the port, in all and by address.

Nothing from the network may take what journal, pins, displays or watchdog need. So there is a limit
on connections, which leaves :data:`RESERVE` file handles of the process untouched, and a limit on
accepts in a second; connections that come faster wait in the kernel, where they cost nothing. When
all places are taken, the address that holds most of them gives one up, the idlest first. A
connection that carries a stream stays, and is not counted against its address
(:mod:`jackspot.web.stream` has places of its own).
"""

from __future__ import annotations

import asyncio
import logging
import resource
import socket
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Collection

from jackspot.web.addresses import household
from jackspot.web.guard import Budget, ClientLimits

RESERVE = 256
"""File handles that the network never gets."""
FEWEST = 16
"""Connections that are allowed in any case."""
ROUND = 8
"""Connections that are accepted in one go; then other work has its turn."""
TURNED_AWAY = 32
"""Connections that are refused in one go, which costs little: those behind them are seen sooner."""
REST_S = 0.04
"""How long the port then rests."""
SHORTAGE_S = 1.0
"""How long it rests when the machine has no handle or memory left."""

_logger = logging.getLogger(__name__)


class Guest(asyncio.Protocol, ABC):
    """A connection, as the door knows it."""

    @property
    @abstractmethod
    def worth(self) -> int | None:
        """How much is lost if it is closed, lowest first; None: it stays."""

    @abstractmethod
    def leave(self) -> None:
        """Close at once."""


class Door:
    """Accepts connections at one bound socket, as long as there is room."""

    def __init__(self, limits: ClientLimits) -> None:
        self._limits = limits
        self._make: Callable[[], Guest] | None = None
        self._pace = Budget(
            (limits.connects_per_s, limits.connects_at_once),
            (limits.all_connects_per_s, limits.all_connects_at_once),
            limits,
        )
        self._guests: dict[Guest, str] = {}
        self._held: Counter[str] = Counter()
        self._coming: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bound: socket.socket | None = None
        self._rest: asyncio.TimerHandle | None = None

    @property
    def most(self) -> int:
        """The most connections, limited by the files that the process may open."""
        soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        room = (
            self._limits.connections if soft == resource.RLIM_INFINITY else soft - RESERVE - ROUND
        )
        return max(FEWEST, min(self._limits.connections, room))

    def open(self, bound: socket.socket, make: Callable[[], Guest]) -> None:
        """Listen, and make each connection with ``make``; call it in the server's loop."""
        bound.setblocking(False)
        self._make = make
        self._bound, self._loop = bound, asyncio.get_running_loop()
        self._listen()

    def close(self) -> None:
        """Accept no more connections."""
        if self._rest is not None:
            self._rest.cancel()
        if self._bound is not None and self._loop is not None:
            self._loop.remove_reader(self._bound)
        self._bound = None

    def left(self, guest: Guest) -> None:
        """Note that a connection is closed."""
        address = self._guests.pop(guest, None)
        if address is not None:
            self._held[address] -= 1
            if not self._held[address]:
                del self._held[address]

    def _listen(self) -> None:
        self._rest = None
        if self._bound is not None and self._loop is not None:
            self._loop.add_reader(self._bound, self._accept)

    def _pause(self, for_s: float) -> None:
        if self._bound is not None and self._loop is not None:
            self._loop.remove_reader(self._bound)
            self._rest = self._loop.call_later(for_s, self._listen)

    def _accept(self) -> None:
        rest_s = REST_S
        let_in = 0
        for _ in range(TURNED_AWAY):
            try:
                if self._bound is None:
                    return
                accepted, peer = self._bound.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                break
            except OSError as error:
                _logger.warning("pages: no more connections for now: %s", error.strerror)
                rest_s = SHORTAGE_S
                break
            address = household(str(peer[0]))
            if self._has_room(address):
                self._let_in(accepted, address)
                let_in += 1
                if let_in == ROUND:
                    break
            else:
                accepted.close()
        self._pause(rest_s)

    def _has_room(self, address: str) -> bool:
        """Return whether one more may come in; the address that holds most may give up a place."""
        if not self._pace.allows(address):
            return False
        if self._held[address] >= self._limits.connections_of_one:
            return self._make_room({address})
        if self._held.total() < self.most:
            return True
        may_leave = Counter(where for guest, where in self._guests.items() if _may_leave(guest))
        most = max(may_leave.values(), default=0)
        fullest = {where for where, held in may_leave.items() if held == most}
        return most > may_leave[address] and self._make_room(fullest)

    def _make_room(self, addresses: Collection[str]) -> bool:
        """Close one connection of these addresses, if any may leave: the idlest, oldest first."""
        theirs = [
            guest
            for guest, where in self._guests.items()
            if where in addresses and _may_leave(guest)
        ]
        if not theirs:
            return False
        guest = min(theirs, key=lambda each: each.worth or 0)
        self.left(guest)
        guest.leave()
        return True

    def _let_in(self, accepted: socket.socket, address: str) -> None:
        assert self._loop is not None
        assert self._make is not None
        guest = self._make()
        self._guests[guest] = address
        self._held[address] += 1
        task = self._loop.create_task(self._enter(self._loop, accepted, guest))
        self._coming.add(task)
        task.add_done_callback(self._coming.discard)

    async def _enter(
        self, loop: asyncio.AbstractEventLoop, accepted: socket.socket, guest: Guest
    ) -> None:
        try:
            await loop.connect_accepted_socket(lambda: guest, accepted)
        except OSError:
            accepted.close()
            self.left(guest)


def _may_leave(guest: Guest) -> bool:
    return guest.worth is not None
