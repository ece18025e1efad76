"""The routes: live state, its schema, its stream, presses, and the spectators' page."""

from __future__ import annotations

import gettext
import json
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from jackspot.displays.web.feed import Feed
from jackspot.displays.web.files import page_files
from jackspot.displays.web.guard import refuse
from jackspot.displays.web.presses import (
    BadPress,
    PageEvent,
    PagePresses,
    Refused,
    read_press,
)
from jackspot.displays.web.state import Identity, Json, live_state, published_schema
from jackspot.displays.web.stream import EventStream, Read, Readers, StreamEvent
from jackspot.table.phrases import Translate
from jackspot.table.view import BoardView

READERS = 200
"""How many streams may be open at once."""


@dataclass(slots=True)
class LiveBoard:
    """The newest view and everything needed to say it: what the routes answer from.

    :meth:`show` is called from the game's thread; the rest from the server's.
    """

    clock_ns: Callable[[], int]
    submit: Callable[[PageEvent], None]
    identity: Identity = field(default_factory=Identity)
    translate: Translate = gettext.gettext
    run: str = field(default_factory=lambda: secrets.token_hex(4))
    feed: Feed = field(default_factory=Feed)
    readers: Readers = field(default_factory=lambda: Readers(READERS))
    view: BoardView | None = None
    presses: PagePresses = field(init=False)
    _feeds: tuple[Feed, ...] = ()
    _said: tuple[BoardView, Json] | None = None

    def __post_init__(self) -> None:
        self.presses = PagePresses(self.submit, self.clock_ns, self.run)
        self._feeds = (self.feed,)

    def tell(self, feed: Feed) -> None:
        """Have one more feed told of every view; call it before the first."""
        self._feeds += (feed,)

    def start_anew(self) -> None:
        """Say that the board was started again: what was asked before no longer counts."""
        self.run = secrets.token_hex(4)
        self.presses = PagePresses(self.submit, self.clock_ns, self.run)
        self._said = None

    def show(self, view: BoardView) -> None:
        """Take the newest view, from any thread, without waiting."""
        self.view = view
        for feed in self._feeds:
            feed.notify()

    def state(self) -> Json | None:
        """Give the live state now, None before the first view."""
        view = self.view
        return None if view is None else self._say(view)

    def reader(self) -> Read:
        """Start to read: gives the state when it is another than this reader was given."""
        given: BoardView | None = None

        def read() -> Sequence[StreamEvent]:
            nonlocal given
            view = self.view
            if view is None or view is given:
                return ()
            given = view
            return (StreamEvent(compact(self._say(view)), id=str(view.sequence)),)

        return read

    def _say(self, view: BoardView) -> Json:
        if self._said is None or self._said[0] is not view:
            state = live_state(view, self.identity, self.translate, run=self.run, now_ns=0)
            self._said = (view, state)
        return {**self._said[1], "now_ns": self.clock_ns()}


def compact(value: object) -> str:
    """Write JSON on one line without blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def make_app(board: LiveBoard, extra: Sequence[BaseRoute] = ()) -> ASGIApp:
    """Make the application. ``extra`` routes are served beside its own, before its pages."""
    files = page_files("jackspot.displays.web", "pages")
    return Starlette(
        routes=[
            Route("/api/state", _state(board), methods=["GET"]),
            Route("/api/schema", _schema, methods=["GET"]),
            Route("/api/events", Streamed(board.feed, board.reader, board.readers)),
            Route("/api/press", _press(board), methods=["POST"]),
            *extra,
            *(file.route("/") for file in files),
        ],
        exception_handlers={HTTPException: _http_error, BadPress: bad_press},
    )


class Streamed:
    """An ASGI endpoint that opens one event stream a request."""

    def __init__(
        self, feed: Feed, reader: Callable[[], Read], readers: Readers, *, pause_s: float = 0.0
    ) -> None:
        self._feed = feed
        self._reader = reader
        self._readers = readers
        self._pause_s = pause_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a stream, or say that too many are open."""
        answer: ASGIApp
        if scope["method"] != "GET":
            answer = refuse(405, "a stream is read with GET", allow="GET")
        elif self._readers.full:
            answer = refuse(503, f"{self._readers.limit} pages read this already", retry_after="10")
        else:
            answer = EventStream(self._feed, self._reader(), self._readers, pause_s=self._pause_s)
        await answer(scope, receive, send)


Endpoint = Callable[[Request], Awaitable[Response]]


def _state(board: LiveBoard) -> Endpoint:
    async def state(_: Request) -> Response:
        found = board.state()
        if found is None:
            return refuse(503, "the board is still starting", retry_after="1")
        return Response(
            compact(found),
            media_type="application/json",
            headers={"cache-control": "no-store"},
        )

    return state


async def _schema(_: Request) -> Response:
    return JSONResponse(published_schema(), media_type="application/schema+json")


def _press(board: LiveBoard) -> Endpoint:
    async def press(request: Request) -> Response:
        try:
            board.presses.take(read_press(await request.body()), board.view)
        except Refused as refused:
            return refuse(409, str(refused))
        return Response(status_code=204)

    return press


async def bad_press(_: Request, error: Exception) -> Response:
    """Answer a request whose content makes no sense."""
    return refuse(getattr(error, "status", 422), str(error))


async def _http_error(_: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 500)
    return refuse(status, getattr(error, "detail", "") or "cannot do that")
