"""Signed cookies: who has signed in, under which name, and until when.

The cookie itself carries the session, signed by itsdangerous with the board's key and the PIN, so
another PIN ends all sessions and a restart ends none. A second cookie, for 400 days, opens nothing:
it says that its device has signed in with this PIN before, so that it does not wait for others who
guess. After a change of PIN it means nothing: who knew the old one may be who guesses.

The age of a session is measured with the machine's clock of its running time, because the wall
clock of a board without a battery jumps when the network comes. After a restart of the machine the
wall clock is used, if both instants were known; else a session is valid over the next two starts,
so that a power cut signs nobody out.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections.abc import Callable
from typing import Protocol

from itsdangerous import BadSignature, URLSafeSerializer
from msgspec import Struct

from jackspot.web.referee.kept import KeptFile, door_code

COOKIE = "jackspot_referee"
"""The cookie of a session at a board; a hub has another, because a browser gives both to either of
them if they are on one machine."""
DEVICE_SUFFIX = "_device"
"""What follows in the name of the second cookie."""
DEVICE_S = 400 * 24 * 3600
"""How long a device is known; browsers do not keep cookies longer."""
LASTS_S = 16 * 3600
"""How long a session is valid: a long day at the board."""
NAME_LENGTH = 40


class WallClock(Protocol):
    """The machine's wall clock, as far as it is needed here."""

    def now_ns(self) -> int:
        """Return nanoseconds since 1970, right or wrong."""

    def synchronised(self) -> bool:
        """Return whether that time is known to be right."""

    def boot(self) -> str:
        """Return a name for this start of the machine."""


class NoWall:
    """No wall clock at all; every start of the program counts as one of the machine."""

    def __init__(self) -> None:
        self._boot = secrets.token_hex(8)

    def now_ns(self) -> int:
        """Return 1970."""
        return 0

    def synchronised(self) -> bool:
        """Return False: it is not right."""
        return False

    def boot(self) -> str:
        """Return a name for this start."""
        return self._boot


def running_s() -> float:
    """Return the seconds since the machine was started, including sleep."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class SignIn(Struct, frozen=True):
    """Somebody who signed in. ``name`` is what they called themselves, or empty."""

    number: str
    name: str = ""


class Sessions:
    """Opens sessions and reads their cookies. ``pin`` is the PIN that opens them.

    None: the PIN in the kept file, which may change while the board runs.
    """

    def __init__(
        self,
        kept: KeptFile,
        pin: str | None,
        wall: WallClock | None = None,
        clock: Callable[[], float] = running_s,
    ) -> None:
        self._kept = kept
        self._wall = wall or NoWall()
        self._clock = clock
        self._kept.note_boot(self._wall.boot())
        self._given_pin = pin

    @property
    def pin(self) -> str:
        """The PIN that opens sessions now."""
        return self._kept.now.pin if self._given_pin is None else self._given_pin

    @property
    def code(self) -> str:
        """The code that the display's QR code has now in place of the PIN."""
        return door_code(self._kept.now.key, self.pin)

    def _signer(self, what: str) -> URLSafeSerializer:
        """Return the signer of one kind of cookie, for the current key and PIN."""
        key = hmac.digest(bytes.fromhex(self._kept.now.key), self.pin.encode(), "sha256")
        return URLSafeSerializer(key, salt=f"jackspot {what}")

    def open(self, name: str = "") -> tuple[SignIn, str]:
        """Open a session; return it with the text of its cookie."""
        session = SignIn(secrets.token_urlsafe(12), name)
        wall_s = self._wall.now_ns() // 10**9 if self._wall.synchronised() else None
        stamp = [self._wall.boot(), int(self._clock()), wall_s]
        text = self._signer("referee").dumps([session.number, session.name, *stamp])
        return session, str(text)

    def read(self, cookie: str) -> SignIn | None:
        """Return a cookie's session; None if it is not the board's, has ended, or is too old."""
        try:
            said = self._signer("referee").loads(cookie)
        except BadSignature:
            return None
        if not isinstance(said, list) or len(said) != 5:
            return None  # signed by another version of this program
        number, name, *stamp = said
        if number in self._kept.now.ended or not self._holds(*stamp):
            return None
        return SignIn(str(number), str(name))

    def device(self, cookie: str | None) -> str:
        """Return the device of a cookie from :meth:`new_device`; empty: the cookie is invalid."""
        try:
            return str(self._signer("device").loads(cookie)) if cookie else ""
        except BadSignature:
            return ""

    def new_device(self) -> str:
        """Return the text of a cookie that identifies a device, until the PIN changes."""
        return str(self._signer("device").dumps(secrets.token_urlsafe(12)))

    def end(self, session: SignIn) -> None:
        """End a session: its cookie is no longer valid, whoever has a copy of it."""
        self._kept.end_session(session.number)

    def _holds(self, boot: str, at_s: int, wall_s: int | None) -> bool:
        if boot == self._wall.boot():
            return 0 <= self._clock() - at_s <= LASTS_S
        if wall_s is not None and self._wall.synchronised():
            return 0 <= self._wall.now_ns() // 10**9 - wall_s <= LASTS_S
        return boot in self._kept.now.boots
