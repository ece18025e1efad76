"""Notifies many readers in an event loop of something newer from another thread.

There is no queue: a slow reader misses what was replaced before it looked, and the thread that
notifies never waits.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio


class Closed(Exception):
    """The feed has ended; there will be nothing newer."""


class Feed:
    """Notifies readers that there is something newer.

    :meth:`notify` may be called from any thread and takes microseconds; the rest belongs to the
    loop that :meth:`attach` names. Notices that come faster than the loop can run become one.
    While nobody waits for a notice, it does not wake the loop: it is counted when somebody looks.
    Readers are told ``after_s`` seconds after the first notice, so that others who work on the
    same news go first.
    """

    def __init__(self, after_s: float = 0.0) -> None:
        self._after_s = after_s
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._pending = False
        self._missed = False
        self._waiting = 0
        self._version = 0
        self._closed = False
        self._changed: asyncio.Event | None = None

    @property
    def version(self) -> int:
        """The number of notices so far, as far as the loop has seen them."""
        with self._lock:
            missed, self._missed = self._missed, False
        self._version += missed
        return self._version

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        """Set the loop whose readers are notified; call it in that loop."""
        from asyncio import Event  # a board is ready before asyncio is imported

        self._changed = Event()
        with self._lock:
            self._loop = loop
            self._pending = False
            self._closed = False

    def detach(self) -> None:
        """End all readers; call it in the loop. Later notices do nothing."""
        with self._lock:
            self._loop = None
        self._closed = True
        self._wake()

    def notify(self) -> None:
        """Notify the readers, from any thread; does nothing while no loop is attached."""
        with self._lock:
            if self._loop is None or self._pending:
                return
            if not self._waiting:
                self._missed = True
                return
            self._pending = True
            self._loop.call_soon_threadsafe(self._noticed)

    async def newer_than(self, version: int) -> int:
        """Wait until there is something newer than ``version``; return the new version.

        Raises :class:`Closed` when the feed ends.
        """
        assert self._changed is not None, "attach comes first"
        self._wait_for_notices(1)
        try:
            while self.version <= version and not self._closed:
                await self._changed.wait()
        finally:
            self._wait_for_notices(-1)
        if self._closed:
            raise Closed
        return self._version

    def _wait_for_notices(self, more: int) -> None:
        with self._lock:
            self._waiting += more

    def _noticed(self) -> None:
        if self._after_s and self._loop is not None:
            self._loop.call_later(self._after_s, self._arrived)
        else:
            self._arrived()

    def _arrived(self) -> None:
        with self._lock:
            self._pending = False
        self._version += 1
        self._wake()

    def _wake(self) -> None:
        if self._changed is not None:
            self._changed.set()
            self._changed = type(self._changed)()
