"""Decides who may send requests to the board, how much and how often.

The board has no password for reading. It is protected by letting only pages that it served itself
talk to it: requests under a foreign host name (one that was rebound to this address) and writes
from another site's page are refused, on loopback too.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from urllib.parse import urlsplit

from msgspec import Struct, field
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from jackspot.web.addresses import LOOPBACK_NAMES, household

WRITTEN_IN_A_PAGE = "sha256-96yhANx5GIdNnkb3Mv09LIgtBIlFVRS1Pk735IXs/qg="
"""The hash of the one script that is written in a page, because it must come with it."""
SECURITY_HEADERS = {
    "content-security-policy": (
        f"default-src 'none'; script-src 'self' '{WRITTEN_IN_A_PAGE}'; style-src 'self'; "
        "img-src 'self' data:; connect-src 'self'; font-src 'self'; media-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}


class ClientLimits(Struct, frozen=True):
    """The limits for clients."""

    body_bytes: int = 4_096
    """The longest request body."""
    path_letters: int = 500
    """The longest path; the server bounds what follows the question mark."""
    writes_per_s: float = 20.0
    """Writes a second from one address, over time: five fingers press fewer."""
    writes_at_once: int = 80
    """Writes from one address at once."""
    reads_per_s: float = 40.0
    """Reads a second from one address, over time: a page requests twenty files once."""
    reads_at_once: int = 600
    """Reads from one address at once: a hall full of phones behind one access point."""
    all_reads_per_s: float = 200.0
    """Reads a second from all addresses, over time; then each has its :attr:`spare_at_once`."""
    all_reads_at_once: int = 2_000
    """Reads from all addresses at once."""
    all_writes_per_s: float = 60.0
    """The same of writes."""
    all_writes_at_once: int = 400
    """The same of writes."""
    all_connects_per_s: float = 60.0
    """The same of new connections."""
    all_connects_at_once: int = 1_500
    """The same of new connections."""
    history_per_s: float = 2.0
    """Reads of the history, which costs more, from one address, over time."""
    history_at_once: int = 60
    """The same at once."""
    all_history_per_s: float = 5.0
    """The same from all, over time."""
    all_history_at_once: int = 100
    """The same at once."""
    spare_per_s: float = 0.5
    """What an address may do of each a second, over time, while others use up the common limit."""
    spare_at_once: int = 40
    """The same at once: a page and a sign-in."""
    body_s: float = 10.0
    """How long a request body may take to arrive."""
    clients: int = 1_024
    """How many addresses are remembered."""
    connections: int = 400
    """How many connections may be open in all, if the process may open as many."""
    connections_of_one: int = 256
    """How many of them may be from one address."""
    connects_per_s: float = 20.0
    """New connections a second from one address, over time."""
    connects_at_once: int = 600
    """New connections from one address at once: a page opens six."""


HISTORY = "/api/matches"
_TOO_MANY = "too many requests at once; wait a second"
_PRESSES = "too many presses at once; wait a second"


def refuse(status: int, why: str, **headers: str) -> Response:
    """Return the answer to a request that cannot be fulfilled, with the reason in words."""
    return JSONResponse(
        {"error": why}, status, headers={name.replace("_", "-"): v for name, v in headers.items()}
    )


def whence(request: Scope | Request) -> str:
    """Return where a request comes from, as one client is counted."""
    client = request.get("client")
    return household(client[0]) if client else ""


class _Bucket(Struct):
    tokens: float
    at_s: float


class Rate(Struct):
    """A token bucket for each address; the least recently seen of ``clients`` are forgotten."""

    per_s: float
    at_once: int
    clients: int
    clock: Callable[[], float] = time.monotonic
    _buckets: OrderedDict[str, _Bucket] = field(default_factory=OrderedDict)

    def allows(self, address: str) -> bool:
        """Take one token from this address's bucket; return whether there was one."""
        now_s = self.clock()
        bucket = self._buckets.pop(address, None) or _Bucket(self.at_once, now_s)
        earned = (now_s - bucket.at_s) * self.per_s
        bucket.tokens = min(self.at_once, bucket.tokens + earned)
        bucket.at_s = now_s
        self._buckets[address] = bucket
        if len(self._buckets) > self.clients:
            self._buckets.popitem(last=False)
        if bucket.tokens < 1:
            return False
        bucket.tokens -= 1
        return True


class Budget:
    """What one address may do, and all together; an address that does little always may."""

    def __init__(
        self,
        own: tuple[float, int],
        all_of_them: tuple[float, int],
        limits: ClientLimits,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._own = Rate(*own, limits.clients, clock)
        self._all = Rate(*all_of_them, 1, clock)
        self._spare = Rate(limits.spare_per_s, limits.spare_at_once, limits.clients, clock)

    def allows(self, address: str) -> bool:
        """Count one request of this address; return whether it may."""
        if not self._own.allows(address):
            return False
        return self._all.allows("") or self._spare.allows(address)


class Guard:
    """Guards the application: refuses requests it should not see, and adds security headers.

    ``names`` are the host names that reach this board, without a port. With ``any_number`` every
    numeric address counts too: only names can be rebound.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        names: frozenset[str] = LOOPBACK_NAMES,
        any_number: bool = False,
        limits: ClientLimits | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._names = frozenset(name.lower() for name in names)
        self._any_number = any_number
        self._limits = limits or ClientLimits()
        most = self._limits
        self._writes = Budget(
            (most.writes_per_s, most.writes_at_once),
            (most.all_writes_per_s, most.all_writes_at_once),
            most,
            clock,
        )
        self._history = Budget(
            (most.history_per_s, most.history_at_once),
            (most.all_history_per_s, most.all_history_at_once),
            most,
            clock,
        )
        self._reads = Budget(
            (most.reads_per_s, most.reads_at_once),
            (most.all_reads_per_s, most.all_reads_at_once),
            most,
            clock,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope)
        answer: ASGIApp = refusal or self._app
        if scope["method"] == "POST":
            # The body of a refused request is read too: closing with unread data resets the
            # connection, and the answer is lost with it.
            try:
                async with asyncio.timeout(self._limits.body_s):
                    body = await self._body(receive)
            except TimeoutError:
                answer = refusal or refuse(408, "the body did not arrive", connection="close")
            else:
                if body is None:
                    answer = refusal or refuse(413, f"send at most {self._limits.body_bytes} bytes")
                else:
                    receive = _replay(body, receive)
        await answer(scope, receive, _with_headers(send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_known(_host_name(host)):
            known = ", ".join(sorted(self._names))
            return refuse(403, f"nothing here is called {host!r}; open it as one of: {known}")
        if len(scope["path"]) > self._limits.path_letters:
            return refuse(414, f"no path here is longer than {self._limits.path_letters} letters")
        address = whence(scope)
        if scope["method"] in {"GET", "HEAD"}:
            is_history = scope["path"].startswith(HISTORY)
            if self._reads.allows(address) and (not is_history or self._history.allows(address)):
                return None
            return refuse(429, _TOO_MANY, retry_after="1", connection="close")
        if scope["method"] != "POST":
            return refuse(405, "use GET or POST", allow="GET, HEAD, POST")
        return self._write_refusal(address, headers, host)

    def _is_known(self, name: str) -> bool:
        return name in self._names or (self._any_number and _is_number(name))

    def _write_refusal(self, address: str, headers: Headers, host: str) -> Response | None:
        origin = headers.get("origin")
        if origin is not None and origin.lower() not in {
            f"http://{host.lower()}",
            f"https://{host.lower()}",
        }:
            return refuse(403, f"a page of {origin} may not press buttons here")
        if headers.get("sec-fetch-site", "same-origin") not in {"same-origin", "none"}:
            return refuse(403, "a page of another site may not press buttons here")
        if headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
            return refuse(415, "send JSON, with content-type: application/json")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._limits.body_bytes:
            return refuse(413, f"send at most {self._limits.body_bytes} bytes")
        if not self._writes.allows(address):
            return refuse(429, _PRESSES, retry_after="1", connection="close")
        return None

    async def _body(self, receive: Receive) -> bytes | None:
        """Return the whole body, or None when it is too long."""
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return bytes(body)
            body += message.get("body", b"")
            if len(body) > self._limits.body_bytes:
                return None
            if not message.get("more_body", False):
                return bytes(body)


def _host_name(host: str) -> str:
    """Return a Host header without its port; an empty string when it makes no sense."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_number(name: str) -> bool:
    """Return whether this is a numeric address, not a name."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _replay(body: bytes, receive: Receive) -> Receive:
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in SECURITY_HEADERS.items():
                headers[name] = value
        await send(message)

    return send_with_headers
