"""Joins a hall by the text of its QR code, which a phone has read and a referee sends.

The page does not know what the text means or where it is kept.
"""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from jackspot.web.guard import refuse
from jackspot.web.live import LiveBoard
from jackspot.web.presses import BadPress, read_object
from jackspot.web.referee.access import Access, Unknown
from jackspot.web.referee.sessions import COOKIE

LONGEST_TEXT = 3_000
"""The longest text: a code has less than a thousand characters, the file little more."""


class HallRoutes:
    """Takes the board into a hall; ``access`` knows who has signed in."""

    def __init__(self, board: LiveBoard, access: Access) -> None:
        self._board = board
        self._access = access

    def routes(self) -> list[BaseRoute]:
        """Return the one route."""
        return [Route("/api/hall", self._join, methods=["POST"])]

    async def _join(self, request: Request) -> Response:
        try:
            self._access.demand(request.cookies.get(COOKIE))
        except Unknown as unknown:
            return refuse(401, str(unknown))
        text = read_object(await request.body()).get("text")
        if not isinstance(text, str) or not 0 < len(text) <= LONGEST_TEXT:
            raise BadPress(f'"text" must be a text of 1 to {LONGEST_TEXT} characters')
        if self._board.join is None:
            return refuse(
                409,
                "no hall is joined by this page: the organiser locked it, or it is simulated",
            )
        try:
            hall = await asyncio.to_thread(self._board.join, text)
        except ValueError as wrong:
            raise BadPress(str(wrong)) from wrong
        except OSError as error:
            return refuse(507, f"the hall cannot be kept: {error.strerror}")
        return JSONResponse({"hall": hall}, headers={"cache-control": "no-store"})
