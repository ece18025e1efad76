"""Server-sent events: the newest state, repeatedly, for as long as somebody reads.

A reader gets the newest state when it can take it, never a backlog. One that takes nothing for
``SLOW_READER_S`` is dropped; a browser reconnects automatically.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from starlette.types import Receive, Scope, Send

from jackspot.web.feed import Closed, Feed
from jackspot.web.readers import Read, StreamEvent, StreamPlace

RETRY_MS = 1_000
"""How soon a browser that lost the stream reconnects."""
KEEPALIVE_S = 15.0
"""How often a comment is sent when nothing happens, so that both ends notice a dead connection."""
SLOW_READER_S = 5.0
"""How long a reader may take nothing of what it was sent."""


class EventStream:
    """An ASGI response that sends what ``read`` returns, now and whenever ``feed`` notifies it.

    It calls ``read`` at most once in each ``pause_s``: what happens within it is sent together.
    When nothing happens for ``beat_s``, the event of ``beat`` is sent if given, else a comment.
    """

    def __init__(
        self,
        feed: Feed,
        read: Read,
        place: StreamPlace,
        *,
        pause_s: float = 0.0,
        beat: Callable[[], StreamEvent] | None = None,
        beat_s: float = KEEPALIVE_S,
    ) -> None:
        self._feed = feed
        self._read = read
        self._place = place
        self._pause_s = pause_s
        self._beat = beat
        self._beat_s = beat_s
        self._connection: Any = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the reader goes, is too slow, loses its place, or the feed ends."""
        self._connection = connection = scope.get("state", {}).get("connection")
        if connection is not None:
            connection.stay()
        ended = asyncio.Event()
        self._place.when_ended(ended.set)
        tasks = [
            asyncio.create_task(each) for each in (self._send(send), _gone(receive), ended.wait())
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._place.leave()
            for task in tasks:
                task.cancel()
            sent = (await asyncio.gather(*tasks, return_exceptions=True))[0]
            if connection is not None:
                connection.stays = False
                if sent is not None:  # it was cut off, so there is no end to wait for
                    connection.leave()
                    await asyncio.sleep(0)

    async def _send(self, send: Send) -> None:
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [
                    (b"content-type", b"text/event-stream; charset=utf-8"),
                    (b"cache-control", b"no-store"),
                    (b"x-accel-buffering", b"no"),
                ],
            }
        )
        try:
            await self._deliver(send, f"retry: {RETRY_MS}\n\n".encode())
            while True:
                await self._deliver(send, b"")  # returns once all before it is on its way
                version = self._feed.version
                events = b"".join(event.encode() for event in self._read())
                if events:
                    await self._deliver(send, events)
                await self._wait(send, version)
        except Closed:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _wait(self, send: Send, version: int) -> None:
        if self._pause_s:  # all readers with the same pause wake together
            await asyncio.sleep(self._pause_s - asyncio.get_running_loop().time() % self._pause_s)
        while True:
            try:
                async with asyncio.timeout(self._beat_s):
                    await self._feed.newer_than(version)
            except TimeoutError:
                said = self._beat().encode() if self._beat else b": still here\n\n"
                await self._deliver(send, said)
            else:
                return

    async def _deliver(self, send: Send, body: bytes) -> None:
        """Send one piece; raises TimeoutError when the reader takes nothing for too long."""
        while True:
            unread = self._unread()
            try:
                async with asyncio.timeout(SLOW_READER_S):  # the server waits before it takes any
                    return await send(
                        {"type": "http.response.body", "body": body, "more_body": True}
                    )
            except TimeoutError:
                if self._unread() >= unread:
                    raise

    def _unread(self) -> int:
        """Return how many bytes wait for the reader on this side."""
        return 0 if self._connection is None else self._connection.unread


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
