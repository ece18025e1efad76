"""The time of day, from a referee's phone, for a board that does not know it.

A Raspberry Pi without a network does not know what time it is. The page offers the phone's time,
and somebody confirms it. A time that the board knows on its own cannot be changed here.
"""

from __future__ import annotations

from typing import Protocol

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from jackspot.web.guard import refuse
from jackspot.web.presses import BadPress, read_object
from jackspot.web.referee.access import Access, Unknown
from jackspot.web.referee.sessions import COOKIE, WallClock

EARLIEST_MS = 1_577_836_800_000
"""2020: a phone with an earlier time does not know it either."""
LATEST_MS = 4_102_444_800_000
"""2100."""


class SettableWall(WallClock, Protocol):
    """A wall clock that can be told the time."""

    def give(self, wall_ns: int) -> None:
        """Set the current time, in nanoseconds since 1970."""


class ClockRoutes:
    """Whether the board knows the time, and setting it; ``wall`` None: it cannot be set."""

    def __init__(self, wall: SettableWall | None, access: Access) -> None:
        self._wall = wall
        self._access = access

    def routes(self) -> list[BaseRoute]:
        """Return both routes."""
        return [
            Route("/api/clock", self._read, methods=["GET"]),
            Route("/api/clock", self._give, methods=["POST"]),
        ]

    async def _read(self, _request: Request) -> Response:
        known = self._wall is None or self._wall.synchronised()
        return JSONResponse({"known": known}, headers={"cache-control": "no-store"})

    async def _give(self, request: Request) -> Response:
        try:
            self._access.demand(request.cookies.get(COOKIE))
        except Unknown as unknown:
            return refuse(401, str(unknown))
        found = read_object(await request.body()).get("unix_ms")
        is_whole = isinstance(found, int) and not isinstance(found, bool)
        if found is None or not is_whole or not EARLIEST_MS <= found <= LATEST_MS:
            raise BadPress('"unix_ms" must be milliseconds since 1970, of the years 2020 to 2099')
        if self._wall is None or self._wall.synchronised():
            return refuse(409, "the board knows what time it is")
        self._wall.give(found * 1_000_000)
        return Response(status_code=204)
