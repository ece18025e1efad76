"""Signing in and out, and the stream that the referee's page listens to.

The stream has the live state, the sounds as the buzzer plays them, and a beat every two seconds: a
page that receives none disables its buttons. Every event has the time of the server's clock, so
that a press can say when it was made; a press that was delayed on its way is refused. A stream ends
by its next beat when its session is over, because of another PIN or its age.
"""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable, Sequence

import segno
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from jackspot.web.guard import refuse, whence
from jackspot.web.live import LiveBoard, compact
from jackspot.web.presses import BadPress, read_object, server_ms
from jackspot.web.readers import Read, Readers, StreamEvent
from jackspot.web.referee.access import ON_THE_DISPLAY, Access, TooSoon, Unknown
from jackspot.web.referee.sessions import COOKIE, DEVICE_S, DEVICE_SUFFIX, LASTS_S, NAME_LENGTH
from jackspot.web.stream import EventStream
from jackspot.web.words import asked_language

BEAT_S = 2.0
"""How often a listening page is told that the board is there."""
RECORD_SUFFIX = ".carom"
PIN_LENGTH = 64
"""The longest PIN; anything longer is not compared."""

Endpoint = Callable[[Request], Awaitable[Response]]


class SignInRoutes:
    """Signing in and out; signing out ends a place among ``readers``.

    ``cookie`` is the name of the session's cookie.
    """

    def __init__(self, access: Access, readers: Readers, cookie: str = COOKIE) -> None:
        self._access = access
        self._readers = readers
        self._cookie = cookie
        self._device_cookie = f"{cookie}{DEVICE_SUFFIX}"

    def routes(self) -> list[BaseRoute]:
        """Return the routes that a page needs to ask for the PIN."""
        return [
            Route("/api/session", self._who, methods=["GET"]),
            Route("/api/session", self._sign_in, methods=["POST"]),
            Route("/api/session/end", self._sign_out, methods=["POST"]),
        ]

    async def _who(self, request: Request) -> Response:
        session = self._access.session(request.cookies.get(self._cookie))
        said = {
            "pin": self._access.asks,
            "signed_in": session is not None,
            "name": session.name if session is not None else "",
        }
        return JSONResponse(said, headers={"cache-control": "no-store"})

    async def _sign_in(self, request: Request) -> Response:
        fields = read_object(await request.body())
        pin, name = fields.get("pin", ""), fields.get("name", "")
        if not isinstance(pin, str) or len(pin) > PIN_LENGTH:
            raise BadPress(f'"pin" must be a text of at most {PIN_LENGTH} characters')
        if not isinstance(name, str) or len(name) > NAME_LENGTH:
            raise BadPress(f'"name" must be a text of at most {NAME_LENGTH} characters')
        code, device = fields.get("code", ""), request.cookies.get(self._device_cookie)
        if not isinstance(code, str) or len(code) > PIN_LENGTH:
            raise BadPress(f'"code" must be a text of at most {PIN_LENGTH} characters')
        try:
            session, cookie = self._access.sign_in(
                pin, whence(request), name.strip(), code=code, device=device
            )
        except TooSoon as soon:
            return refuse(429, str(soon), retry_after=str(soon.wait_s))
        except Unknown as unknown:
            return refuse(401, str(unknown))
        answer = JSONResponse({"name": session.name}, headers={"cache-control": "no-store"})
        if self._access.asks:
            answer.set_cookie(self._cookie, cookie, LASTS_S, httponly=True, samesite="strict")
            answer.set_cookie(
                self._device_cookie, self._access.device(device), DEVICE_S,
                path="/api/session", httponly=True, samesite="strict",
            )  # fmt: skip
        return answer

    async def _sign_out(self, request: Request) -> Response:
        session = self._access.sign_out(request.cookies.get(self._cookie))
        if session is not None:
            self._readers.end(session.number)
        answer = Response(status_code=204)
        answer.delete_cookie(self._cookie, httponly=True, samesite="strict")
        return answer


class RefereeRoutes:
    """The routes of one board; ``access`` knows who has signed in."""

    def __init__(self, board: LiveBoard, access: Access) -> None:
        self._board = board
        self._access = access

    def routes(self) -> list[BaseRoute]:
        """Return the routes that only the referee's page needs."""
        return [
            *SignInRoutes(self._access, self._board.referees).routes(),
            Route("/api/record", self._record, methods=["GET"]),
            Route("/api/referee/code.svg", self._code, methods=["GET"]),
            Route("/api/referee/events", RefereeStream(self._board, self._access)),
        ]

    async def _record(self, _request: Request) -> Response:
        record = self._board.record()
        if record is None:
            return refuse(404, "there is no match to write down yet")
        name = f'attachment; filename="match{RECORD_SUFFIX}"'
        return Response(
            record,
            media_type="text/plain; charset=utf-8",
            headers={"content-disposition": name, "cache-control": "no-store"},
        )

    async def _code(self, request: Request) -> Response:
        """Draw this page's address, as the reader reached it, for the next referee's phone."""
        drawn = io.BytesIO()
        code = segno.make(str(request.url.replace(path="/referee", query="")))
        code.save(drawn, kind="svg", scale=4, border=4, xmldecl=False, svgns=True)
        headers = {"cache-control": "no-store"}
        return Response(drawn.getvalue(), media_type="image/svg+xml", headers=headers)


class RefereeStream:
    """An ASGI endpoint: the state, the sounds and the beat, for referees who have signed in."""

    def __init__(self, board: LiveBoard, access: Access) -> None:
        self._board = board
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a stream, or say why not."""
        await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> ASGIApp:
        if request.method != "GET":
            return refuse(405, "a stream is read with GET", allow="GET")
        cookie = request.cookies.get(COOKIE)
        session = self._access.session(cookie)
        if session is None:
            return refuse(401, f"sign in first, with the PIN {ON_THE_DISPLAY}")
        board, language = self._board, asked_language(request)
        place = board.referees.take(session.number or whence(request))
        if place is None:
            limit = board.referees.limit
            return refuse(503, f"{limit} referees read this already", retry_after="10")

        def is_over() -> bool:
            if self._access.session(cookie) is None:
                place.leave()
            return place.is_ended

        def beat() -> StreamEvent:
            is_over()
            return _beat()

        read = self._reader(language, is_over)
        return EventStream(board.feed, read, place, beat=beat, beat_s=BEAT_S)

    def _reader(self, language: str | None, is_over: Callable[[], bool]) -> Read:
        state = self._board.reader(language)
        heard = self._board.sounds.newest

        def read() -> Sequence[StreamEvent]:
            nonlocal heard
            if is_over():
                return ()
            found = [StreamEvent(event.data, "state", event.id) for event in state()]
            sounds = self._board.sounds.since(heard)
            heard = self._board.sounds.newest
            if sounds:
                found.append(StreamEvent(compact(sounds), "sounds"))
            return [_beat(), *found] if found else ()

        return read


def _beat() -> StreamEvent:
    return StreamEvent(compact({"server_ms": server_ms()}), "beat")
