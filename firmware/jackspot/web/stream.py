"""Server-sent events: the newest state, again and again, for as long as somebody reads.

A reader gets what is newest when it can take it, never a backlog. One that takes nothing
for ``SLOW_READER_S`` is dropped; a browser comes back by itself.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable

from msgspec import Struct
from starlette.types import Receive, Scope, Send

from jackspot.web.feed import Closed, Feed

RETRY_MS = 1_000
"""How soon a browser that lost the stream asks again."""
KEEPALIVE_S = 15.0
"""How often a comment is sent when nothing happens, so that both ends notice a dead line."""
SLOW_READER_S = 5.0
"""How long a reader may take for what it was sent."""


class StreamEvent(Struct, frozen=True):
    """One event. ``data`` is one line; ``name`` is empty for a plain message."""

    data: str
    name: str = ""
    id: str = ""

    def encode(self) -> bytes:
        """Write it as the event-stream format has it."""
        lines = []
        if self.id:
            lines.append(f"id: {self.id}")
        if self.name:
            lines.append(f"event: {self.name}")
        lines.append(f"data: {self.data}")
        return ("\n".join(lines) + "\n\n").encode()


Read = Callable[[], Iterable[StreamEvent]]
"""Gives what is new to one reader since it was last called; everything at first."""


HELD_S = 30.0
"""So long a place is held in any case by one of many who come by one address."""


class Readers:
    """The places of who reads, ``limit`` of them.

    Who holds most of them gives one up for who holds fewer, so that nobody can take all. A hall
    full of phones may come by one address: there, who has read longest gives up a place for who
    comes, and comes back by itself; so whoever holds all places and does nothing shuts out nobody.
    """

    def __init__(self, limit: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.limit = limit
        self._clock = clock
        self._places: dict[StreamPlace, None] = {}

    @property
    def count(self) -> int:
        """How many read."""
        return len(self._places)

    def take(self, whose: str) -> StreamPlace | None:
        """Take a place; None where all are taken, and nobody is to give one up for this one."""
        now_s = self._clock()
        if len(self._places) >= self.limit:
            giving = self._giving_up(whose, now_s)
            if giving is None:
                return None
            self.leave(giving)
        taken = StreamPlace(self, whose, now_s)
        self._places[taken] = None
        return taken

    def _giving_up(self, whose: str, now_s: float) -> StreamPlace | None:
        """Return whose place is given up for one who comes: the newest of many, their own oldest.

        None where nobody holds more than one more than they do, and they hold one, or all of theirs
        are new.
        """
        held = Counter(place.whose for place in self._places)
        fullest, most = held.most_common(1)[0]
        if most > held[whose] + 1:
            return next(place for place in reversed(self._places) if place.whose == fullest)
        oldest = next((place for place in self._places if place.whose == whose), None)
        if oldest is None or held[whose] == 1 or now_s < oldest.since_s + HELD_S:
            return None
        return oldest

    def leave(self, place: StreamPlace) -> None:
        """Free a place; who reads there is sent nothing more."""
        self._places.pop(place, None)
        place.ended.set()

    def end(self, whose: str) -> None:
        """Free all places of somebody."""
        for place in [place for place in self._places if place.whose == whose]:
            self.leave(place)


class StreamPlace:
    """A place to read at: ``whose`` it is, since when, and whether it has ``ended``."""

    def __init__(self, readers: Readers, whose: str, since_s: float) -> None:
        self.whose = whose
        self.since_s = since_s
        self.ended = asyncio.Event()
        self._readers = readers

    def leave(self) -> None:
        """Return it back."""
        self._readers.leave(self)


class EventStream:
    """An ASGI response that sends what ``read`` gives, now and whenever ``feed`` says so.

    ``pause_s`` is the least time between two looks: what happens within it is sent as one.
    When nothing happens for ``beat_s`` the event ``beat`` is sent, else a comment.
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

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the reader goes, is too slow, loses its place, or the feed ends."""
        connection = scope.get("state", {}).get("connection")
        if connection is not None:
            connection.stays = True
        tasks = [
            asyncio.create_task(each)
            for each in (self._send(send), _gone(receive), self._place.ended.wait())
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
                if sent is not None:  # it was cut off, and has no end that could be waited for
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
            await _deliver(send, f"retry: {RETRY_MS}\n\n".encode())
            while True:
                version = self._feed.version
                events = b"".join(event.encode() for event in self._read())
                if events:
                    await _deliver(send, events)
                await self._wait(send, version)
        except Closed:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _wait(self, send: Send, version: int) -> None:
        if self._pause_s:
            await asyncio.sleep(self._pause_s)
        while True:
            try:
                async with asyncio.timeout(self._beat_s):
                    await self._feed.newer_than(version)
            except TimeoutError:
                await _deliver(send, self._beat().encode() if self._beat else b": still here\n\n")
            else:
                return


async def _deliver(send: Send, body: bytes) -> None:
    """Send one piece; raises TimeoutError when the reader takes too long to take it."""
    async with asyncio.timeout(SLOW_READER_S):
        await send({"type": "http.response.body", "body": body, "more_body": True})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
