"""May this request write? The PIN, the cookie and the patience, put together.

A board that asks for no PIN lets every page of its own write: that is for loopback alone, and
the config sees to it. Same-origin is the guard's business (:mod:`jackspot.displays.web.guard`).
"""

from __future__ import annotations

import hmac
from math import ceil

from jackspot.displays.web.referee.patience import WrongPins
from jackspot.displays.web.referee.sessions import Session, Sessions

ANYBODY = Session("", "")
"""Who presses where no PIN is asked."""


class Unknown(Exception):
    """Somebody who has not signed in; the message says what to do."""


class TooSoon(Exception):
    """A PIN that came before the wait after wrong ones was over."""

    def __init__(self, wait_s: float) -> None:
        self.wait_s = ceil(wait_s)
        super().__init__(f"too many wrong PINs; try again in {self.wait_s} s")


class Access:
    """Who may write. ``pin`` empty: everybody who reaches the board."""

    def __init__(self, pin: str, sessions: Sessions, wrong: WrongPins | None = None) -> None:
        self._pin = pin
        self._sessions = sessions
        self._wrong = wrong or WrongPins()

    @property
    def asks(self) -> bool:
        """Whether a PIN is asked at all."""
        return bool(self._pin)

    def session(self, cookie: str | None) -> Session | None:
        """Give the session that a cookie names; None: nobody has signed in."""
        if not self.asks:
            return ANYBODY
        return self._sessions.read(cookie) if cookie else None

    def demand(self, cookie: str | None) -> Session:
        """Give the session; raises :class:`Unknown` where there is none."""
        session = self.session(cookie)
        if session is None:
            raise Unknown("sign in on the referee's page, with the PIN on the board's display")
        return session

    def sign_in(self, pin: str, address: str, name: str = "") -> tuple[Session, str]:
        """Open a session; give it with its cookie's text.

        Raises :class:`Unknown` for a wrong PIN, :class:`TooSoon` after too many of them.
        """
        wait_s = self._wrong.wait_s(address)
        if wait_s > 0:
            raise TooSoon(wait_s)
        if self.asks and not hmac.compare_digest(_bytes(pin), _bytes(self._pin)):
            self._wrong.wrong(address)
            raise Unknown("this is not the PIN; it is on the board's display")
        self._wrong.right(address)
        return self._sessions.open(name)

    def sign_out(self, cookie: str | None) -> None:
        """End the session that a cookie names, if it names one."""
        session = self.session(cookie)
        if session is not None and session is not ANYBODY:
            self._sessions.end(session)


def _bytes(text: str) -> bytes:
    """Give a text's bytes, whatever strange letters are in it."""
    return text.encode("utf-8", "surrogatepass")
