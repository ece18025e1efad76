"""The routes of the hub's pages: the event in parts as a stream, and what the desk asks for.

Everybody may watch, with names in the form that the organiser allows. The desk's own stream and its
actions require the PIN.
"""

from __future__ import annotations

import asyncio
import io
import operator
import zipfile
from collections.abc import Awaitable, Callable, Iterable, Mapping
from concurrent.futures import Future
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import segno
from msgspec import Struct, field
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from jackspot.core.phrases import Translate
from jackspot.displays.words import LANGUAGES, translator
from jackspot.ops.backup.archive import put
from jackspot.storage.errors import JournalUnwritable
from jackspot.storage.wall_clock import SystemWall, Wall
from jackspot.web.app import Streamed, bad_press
from jackspot.web.feed import Feed
from jackspot.web.files import page_files
from jackspot.web.guard import ClientLimits, refuse, whence
from jackspot.web.live import compact
from jackspot.web.presses import BadPress, read_object
from jackspot.web.readers import Read, Readers, StreamEvent
from jackspot.web.referee.access import Access, Unknown
from jackspot.web.referee.routes import SignInRoutes
from jackspot.web.server import PageServer, WebSettings
from jackspot.web.serving import access_of
from jackspot.web.words import PAGES, asked_language, words
from jackspot_hub.desk.page_parts import NewestParts, PartsOfEvent, before_a_public
from jackspot_hub.desk.state import DeskState
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.results import RECORDS, files_of
from jackspot_hub.running import MILLISECOND_NS, Make, RunningHub
from jackspot_hub.web.actions import ACTIONS, changes, question_of
from jackspot_hub.web.organising import (
    boards_part,
    classes_part,
    day_part,
    gong_part,
    late_part,
    needs,
    people_part,
    rota_part,
    steps_part,
    update_part,
)

READERS, HELPERS = 600, 32
"""How many may watch at once, and how many at the desk."""
LIMITS = ClientLimits(
    body_bytes=1 << 18, reads_per_s=200.0, reads_at_once=6_000, all_reads_per_s=400.0,
    all_reads_at_once=8_000, connections=900, connections_of_one=700, connects_per_s=60.0,
    connects_at_once=1_500, all_connects_per_s=120.0, all_connects_at_once=2_000,
)  # fmt: skip
"""A table of a thousand people is sent at once.

All phones of a hall may have one address: it may have all streams, and besides them the connections
by which pages are loaded.
"""
PAUSE_S, SELDOM_S = 0.1, 1.0
"""Changes within this time are sent as one: of boards, and of matches, to many phones."""
COOKIE = "jackspot_desk"
"""The cookie of a session: not a board's, which may be on the same machine."""
PRINTED = "in the terminal where the hub was started"
"""Where to read the PIN."""
SENTENCES = "hub.json"
"""The texts of the hub's pages beyond those of the board's own pages."""
SHARED = ("theme.css", "dom.js", "live.js", "words.js", "look.js", "icon.svg", "referee-session.js")
"""What they share with the board's own pages, besides its fonts."""

MOST_STEPS = 100_000
"""How many steps a page may ask for: more than any event has."""
PACKED = "records.zip"
"""All match records, to download."""
MEDIA_TYPES = {".csv": "text/csv", ".json": "application/json", ".txt": "text/plain"}
"""Of result files, by the endings of their names."""

OwnPart = tuple[Callable[[DeskState], object], Callable[[DeskState], tuple[object, ...]]]
OWN_PARTS: Mapping[str, OwnPart] = {
    "needs": (needs, lambda desk: (desk,)),
    "late": (late_part, lambda desk: (desk.programme, desk.arrived, desk.open_orders, desk.seen,
                                      desk.started_ms)),
    "gong": (gong_part, lambda desk: (desk,)),
    "people": (people_part, lambda desk: (desk.programme, desk.arrived)),
    "classes": (classes_part, lambda desk: (desk.programme, desk.arrived, desk.orders,
                                            desk.results)),
    "steps": (steps_part, lambda desk: (desk.past,)),
    "day": (day_part, lambda desk: (desk.seen, desk.open_orders, desk.places, desk.programme)),
    "rota": (rota_part, lambda desk: (desk.programme, desk.open_orders)),
    "set": (boards_part, lambda desk: (desk.programme,)),
    "update": (update_part, lambda desk: (desk.carried, desk.offers, desk.versions, desk.updates,
                                          desk.places)),
}  # fmt: skip
"""What only the desk is shown, and what of the desk each part is made from."""


Ask = Callable[[int, str, Mapping[str, Any]], Future[dict[str, Any]]]


class LiveHub(Struct):
    """A hub as its pages see it: ``desk`` is the newest, ``do`` lets the hub write entries.

    :meth:`show` is called from the hub's thread, the rest from the pages'.
    """

    desk: DeskState
    do: Callable[[Make], Future[None]]
    ask: Ask
    """Asks a board: its number, what, and the question's further data."""
    wall: Wall = field(default_factory=SystemWall)
    pace: float = 1.0
    """The speed of its clock, as a multiple of real time."""
    files: Mapping[str, Path] = field(default_factory=dict)
    """Files that it serves, by their addresses."""
    troubles: Callable[[], Mapping[str, str]] = dict
    """What keeps it from its work now, and why."""
    public: Callable[[DeskState, DeskState | None], Mapping[str, str]] = field(
        default_factory=lambda: PartsOfEvent(before_a_public).of
    )
    """Returns what anybody may see, by its parts: of a desk, and the contests of another."""
    contests: DeskState | None = None
    """The desk for the tables and rounds that are shown in public; None: the newest."""
    feed: Feed = field(default_factory=Feed)
    readers: Readers = field(default_factory=lambda: Readers(READERS))
    helpers: Readers = field(default_factory=lambda: Readers(HELPERS))

    def show(self, desk: DeskState, contests: DeskState | None = None) -> None:
        """Take the newest state, from any thread, without waiting."""
        self.desk, self.contests = desk, contests
        self.feed.notify()


def serve_hub(
    hub: RunningHub, settings: WebSettings, pace: float = 1.0,
    copy_fails: Callable[[], str] = str, files: Mapping[str, Path] | None = None,
) -> PageServer:  # fmt: skip
    """Serve a hub's pages until they are stopped. DisplayError if the port is taken.

    ``copy_fails`` returns why no copy is made; empty: it is made, or none is wanted. ``files`` are
    served by their addresses.
    """

    def troubles() -> Mapping[str, str]:
        copy = copy_fails()
        return {**hub.troubles, **({"copy": copy} if copy else {})}

    live = LiveHub(hub.desk, hub.do, hub.ask, hub.wall, pace, files or {}, troubles, hub.public)
    pages = PageServer(
        settings, lambda: HubPages(live, access_of(settings, PRINTED)).app(), [live.feed]
    )
    pages.start()
    hub.shows = live.show
    return pages


class HubPages:
    """The routes of a hub; ``access`` says who may act."""

    def __init__(self, hub: LiveHub, access: Access) -> None:
        self._hub = hub
        self._access = access
        own = PartsOfEvent()
        self._public = NewestParts(lambda desk: hub.public(desk, hub.contests).items())
        self._own = NewestParts(lambda desk: chain(own.of(desk).items(), self._desk_parts(desk)))
        self._kept: dict[str, tuple[tuple[object, ...], str]] = {}

    def app(self) -> ASGIApp:
        """Make the application."""
        own = {file.path: file for file in page_files("jackspot_hub.web", "pages")}
        shared = (
            file for file in page_files("jackspot.web", "pages")
            if file.path in SHARED or file.path.startswith("fonts/")
        )  # fmt: skip
        hub = self._hub
        return Starlette(
            routes=[
                Route("/api/hub/events", Streamed(hub.feed, self._looks_on, hub.readers,
                                                  pause_s=PAUSE_S)),
                Route("/api/hub/matches", Streamed(hub.feed, self._wants_no_board, hub.readers,
                                                   pause_s=SELDOM_S)),
                Route("/api/hub/desk", Streamed(hub.feed, self._helps, hub.helpers,
                                                pause_s=PAUSE_S, whose=self._helper)),
                Route("/api/hub/do/{action}", self._do, methods=["POST"]),
                Route("/api/hub/preview/{action}", self._preview, methods=["POST"]),
                Route("/api/hub/ask", self._ask, methods=["POST"]),
                Route("/api/hub/steps", self._steps, methods=["GET"]),
                Route("/api/hub/results/{file}", self._results, methods=["GET"]),
                *(Route(at, _file(path), methods=["GET"]) for at, path in hub.files.items()),
                Route("/api/words", words(_english, (PAGES, SENTENCES)), methods=["GET"]),
                Route("/phones.svg", _code_of("/"), methods=["GET"]),
                Route("/referees.svg", _code_of("/referees"), methods=["GET"]),
                *SignInRoutes(self._access, hub.helpers, COOKIE).routes(),
                *(file.route("/") for file in (*own.values(), *shared)),
            ],
            exception_handlers={BadPress: bad_press, HTTPException: _http_error},
        )  # fmt: skip

    def _looks_on(self, _request: Request) -> Read:
        return _reading(self._hub, self._public, beside=self._contests)

    def _wants_no_board(self, _request: Request) -> Read:
        return _reading(self._hub, self._public, wants_boards=False, beside=self._contests)

    def _contests(self) -> object:
        """Return the identity of the desk by which contests are shown."""
        return id(self._hub.contests)

    def _demand_session(self, request: Request) -> None:
        """Refuse people who have not signed in."""
        if self._access.session(request.cookies.get(COOKIE)) is None:
            raise HTTPException(401, "sign in first, with the PIN that the hub has printed")

    def _helps(self, request: Request) -> Read:
        self._demand_session(request)
        return _reading(self._hub, self._own, beside=lambda: tuple(self._hub.troubles().items()))

    def _desk_parts(self, desk: DeskState) -> Iterable[tuple[str, str]]:
        """Yield what only the desk is shown: the same text if nothing has changed it."""
        for name, (part, of) in OWN_PARTS.items():
            yield name, self._kept_text(name, of(desk), partial(part, desk))
        troubles = dict(self._hub.troubles())
        yield "troubles", self._kept_text("troubles", (), lambda: troubles)

    def _kept_text(self, name: str, made_of: tuple[object, ...], make: Callable[[], object]) -> str:
        """Return a part's text, cached while ``made_of`` is the same; empty: look each time."""
        before, text = self._kept.get(name, ((), ""))
        if text and made_of and all(map(operator.is_, before, made_of)):
            return text
        new = compact(make())
        self._kept[name] = made_of, text if text == new else new
        return self._kept[name][1]

    def _helper(self, request: Request) -> str:
        """Return who reads at the desk, as signing out names them."""
        session = self._access.session(request.cookies.get(COOKIE))
        return (session.number if session is not None else "") or whence(request)

    async def _do(self, request: Request) -> Response:
        """Do what the desk asks for; 409 says why that is not possible."""
        return await self._answer(request, self._done)

    async def _preview(self, request: Request) -> Response:
        """Return the effect that it would have."""
        return await self._answer(request, self._previewed)

    async def _ask(self, request: Request) -> Response:
        """Ask a board what the desk asks, and return its answer; 409 says why there is none."""
        self._demand_session(request)
        try:
            board, what, more = question_of(read_object(await request.body()))
            return JSONResponse(await asyncio.wrap_future(self._hub.ask(board, what, more)))
        except CannotBe as wrong:
            return refuse(409, wrong.said(_translate(request)))

    async def _answer(
        self, request: Request, answer: Callable[[Make], Awaitable[Response]]
    ) -> Response:
        try:
            session = self._access.demand(request.cookies.get(COOKIE))
        except Unknown as unknown:
            return refuse(401, str(unknown))
        act = ACTIONS.get(request.path_params["action"])
        if act is None:
            raise HTTPException(404, f"expected one of {', '.join(ACTIONS)}")
        said = read_object(await request.body())
        try:
            return await answer(partial(act, said=said, by=session.name or "desk"))
        except CannotBe as wrong:
            return refuse(409, wrong.said(_translate(request)))
        except JournalUnwritable as wrong:
            return refuse(507, str(wrong))

    async def _steps(self, request: Request) -> Response:
        """Return as many of the last steps as requested: for the desk only."""
        self._demand_session(request)
        count = request.query_params.get("count", "")
        is_number = count.isascii() and count.isdecimal() and len(count) <= len(str(MOST_STEPS))
        if not (is_number and 1 <= int(count) <= MOST_STEPS):
            raise HTTPException(422, f"count: expected a number from 1 to {MOST_STEPS}")
        steps = await run_in_threadpool(steps_part, self._hub.desk, int(count))
        return JSONResponse(steps, headers={"cache-control": "no-store"})

    async def _results(self, request: Request) -> Response:
        """Return a file of results, with full names: for the desk only."""
        self._demand_session(request)
        files = await run_in_threadpool(files_of, self._hub.desk, _translate(request))
        name = request.path_params["file"]
        headers = {
            "content-disposition": f'attachment; filename="{name}"',
            "cache-control": "no-store",
        }
        if name == PACKED:
            return Response(_packed(files), media_type="application/zip", headers=headers)
        if name not in files:
            known = (each for each in files if not each.startswith(RECORDS))
            raise HTTPException(404, f"expected one of {', '.join(known)}, {PACKED}")
        kind = MEDIA_TYPES[Path(name).suffix]
        return Response(files[name], media_type=kind, headers=headers)

    async def _done(self, make: Make) -> Response:
        await asyncio.wrap_future(self._hub.do(make))
        return Response(status_code=204)

    async def _previewed(self, make: Make) -> Response:
        desk = self._hub.desk
        return JSONResponse(await run_in_threadpool(lambda: changes(desk, make(desk))))


def _file(path: Path) -> Callable[[Request], Response]:
    """Serve a file as it is, or the requested part of it."""
    return lambda _request: FileResponse(path, media_type="application/octet-stream")


def _packed(files: Mapping[str, str]) -> bytes:
    """Pack the match records into one file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            if name.startswith(RECORDS):
                put(archive, name, text)
    return packed.getvalue()


def _code_of(path: str) -> Callable[[Request], Response]:
    """Draw the address of a page, as the reader reached this one."""

    def drawn(request: Request) -> Response:
        made = io.BytesIO()
        address = str(request.url.replace(path=path, query=""))
        segno.make(address).save(made, kind="svg", scale=4, border=2, xmldecl=False, svgns=True)
        return Response(made.getvalue(), media_type="image/svg+xml")

    return drawn


def _translate(request: Request) -> Translate:
    """Translate into the language given by ``?lang=``, else not at all."""
    return translator(asked_language(request) or LANGUAGES[0])


def _english() -> str:
    return LANGUAGES[0]


def _reading(
    hub: LiveHub, parts: NewestParts, *, wants_boards: bool = True,
    beside: Callable[[], object] = lambda: None,
) -> Read:  # fmt: skip
    """Return at each call the parts that have changed since the last, with the hub's time."""
    count = 0

    def read() -> Iterable[StreamEvent]:
        nonlocal count
        count, changed = parts.since(hub.desk, count, beside())
        told = [
            f',"{name}":{"null" if text is None else text}' for name, text in changed.items()
            if wants_boards or not name.startswith("board/")
        ]  # fmt: skip
        if told:
            said = f'"now":{hub.wall.now_ns() // MILLISECOND_NS},"pace":{hub.pace:g}'
            yield StreamEvent(f"{{{said}{''.join(told)}}}")

    return read


async def _http_error(_request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 500)
    return JSONResponse({"error": getattr(error, "detail", "")}, status)
