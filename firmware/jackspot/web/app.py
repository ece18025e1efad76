"""The routes: live state, its schema, its stream, presses, and the spectators' page."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from jackspot.displays.words import LANGUAGES
from jackspot.web.api.routes import api_routes
from jackspot.web.banner import Banner
from jackspot.web.feed import Closed, Feed
from jackspot.web.files import TYPES, PageFile, page_files
from jackspot.web.guard import refuse, whence
from jackspot.web.live import LiveBoard, compact
from jackspot.web.matches import MatchRoutes
from jackspot.web.presses import CLAIM_S, BadPress, PageButton, Refused, read_press
from jackspot.web.readers import Read, Readers
from jackspot.web.referee.access import Access, Unknown
from jackspot.web.referee.clock import ClockRoutes, SettableWall
from jackspot.web.referee.hall import HallRoutes
from jackspot.web.referee.routes import RefereeRoutes
from jackspot.web.referee.sessions import COOKIE
from jackspot.web.stream import EventStream
from jackspot.web.words import asked_language, words


def make_app(
    board: LiveBoard,
    access: Access,
    extra: Sequence[BaseRoute] = (),
    wall: SettableWall | None = None,
) -> ASGIApp:
    """Make the application; ``access`` decides who may press, ``wall`` can be set to the time.

    ``extra`` routes are served beside its own and take precedence over its pages.
    """
    files = {file.path: file for file in page_files("jackspot.web", "pages")}
    missing = files.pop("missing.html")
    return Starlette(
        routes=[
            Route("/api/state", _state(board), methods=["GET"]),
            Route("/api/schema", _schema, methods=["GET"]),
            Route("/api/events", Streamed(board.feed, _reader(board), board.readers)),
            Route("/api/words", words(lambda: board.language), methods=["GET"]),
            Route("/api/press", _press(board, access), methods=["POST"]),
            *RefereeRoutes(board, access).routes(),
            *ClockRoutes(wall, access).routes(),
            *HallRoutes(board, access).routes(),
            *api_routes(),
            *MatchRoutes(lambda: board.matches, compact).routes(),
            *_banner_routes(board.banner),
            *extra,
            *(file.route("/") for file in files.values()),
        ],
        exception_handlers={HTTPException: _http_error(missing), BadPress: bad_press},
    )


def _banner_routes(banner: Banner) -> list[Route]:
    """Return the routes of the banner: ``event.json``, and the logo if there is one.

    The logo's address changes with its content, so that pages that stay open load another one.
    """
    files = []
    logo = ""
    if banner.logo is not None:
        name, content = banner.logo
        files.append(PageFile(name, content, TYPES["." + name.rpartition(".")[2]]))
        logo = f"/{name}?v={hashlib.sha256(content).hexdigest()[:8]}"
    said = compact({"event": banner.event, "logo": logo}).encode()
    files.append(PageFile("event.json", said, TYPES[".json"]))
    return [file.route("/") for file in files]


class Streamed:
    """An ASGI endpoint that opens one event stream for each request, with its ``reader``.

    ``whose`` returns the owner of the place that it takes; all places of an owner can be ended.
    """

    def __init__(
        self,
        feed: Feed,
        reader: Callable[[Request], Read],
        readers: Readers,
        *,
        pause_s: float = 0.0,
        whose: Callable[[Request], str] = whence,
    ) -> None:
        self._feed = feed
        self._reader = reader
        self._whose = whose
        self._readers = readers
        self._pause_s = pause_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a stream, or say that too many are open."""
        answer: ASGIApp
        if scope["method"] != "GET":
            answer = refuse(405, "a stream is read with GET", allow="GET")
        else:
            request = Request(scope)
            read = self._reader(request)
            place = self._readers.take(self._whose(request))
            answer = (
                refuse(503, f"{self._readers.limit} pages read this already", retry_after="10")
                if place is None
                else EventStream(self._feed, read, place, pause_s=self._pause_s)
            )
        await answer(scope, receive, send)


Endpoint = Callable[[Request], Awaitable[Response]]


def _state(board: LiveBoard) -> Endpoint:
    async def state(request: Request) -> Response:
        found = board.state(asked_language(request))
        if found is None:
            return refuse(503, "the board is still starting", retry_after="1")
        return Response(
            found,
            media_type="application/json",
            headers={"cache-control": "no-store"},
        )

    return state


def _reader(board: LiveBoard) -> Callable[[Request], Read]:
    return lambda request: board.reader(asked_language(request))


def _schema(_: Request) -> Response:
    from jackspot.web.state_types import published_schema  # made when it is requested

    return JSONResponse(published_schema(), media_type="application/schema+json")


def _press(board: LiveBoard, access: Access) -> Endpoint:
    async def press(request: Request) -> Response:
        try:
            session = access.demand(request.cookies.get(COOKIE))
            press = read_press(await request.body())
            await _while_rivalled(board, press, session.number)
            board.presses.take(press, board.view, session.number, session.name)
        except Unknown as unknown:
            return refuse(401, str(unknown))
        except Refused as refused:
            speak = board.speak(asked_language(request) or LANGUAGES[0])
            return refuse(409, refused.why.render(speak))
        return Response(status_code=204)

    return press


async def _while_rivalled(board: LiveBoard, press: PageButton, session: str) -> None:
    """Wait until the game has handled another's press, but no longer than a press may."""
    with suppress(TimeoutError, Closed):
        async with asyncio.timeout(CLAIM_S):
            while left_s := board.presses.rival_s(press, session):
                version = board.feed.version
                if board.presses.is_stale(press, board.view):
                    return
                with suppress(TimeoutError):
                    async with asyncio.timeout(left_s):
                        await board.feed.newer_than(version)


async def bad_press(_: Request, error: Exception) -> Response:
    """Answer a request whose content makes no sense."""
    return refuse(getattr(error, "status", 422), str(error))


def _http_error(missing: PageFile) -> Callable[[Request, Exception], Awaitable[Response]]:
    """Answer failed requests: people who typed an address get a page, programs get JSON."""

    async def answer(request: Request, error: Exception) -> Response:
        status = getattr(error, "status_code", 500)
        headers = getattr(error, "headers", None) or {}
        if status == 404 and _is_read_by_people(request):
            return Response(missing.content, 404, headers, missing.media_type)
        return refuse(status, getattr(error, "detail", "") or "cannot do that", **headers)

    return answer


def _is_read_by_people(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "text/html" in accepted and not request.url.path.startswith("/api/")
