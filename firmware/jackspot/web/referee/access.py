"""Whether a request may write: the PIN, the cookie and the patience together.

A board without a PIN lets every page of its own write. The config allows that on loopback only.
The guard checks for the same origin (:mod:`jackspot.web.guard`).
"""

from __future__ import annotations

import hmac
from math import ceil

from jackspot.web.referee.patience import WrongPins
from jackspot.web.referee.sessions import Sessions, SignIn

ANYBODY = SignIn("", "")
"""Who presses where no PIN is required."""


class Unknown(Exception):
    """Somebody who has not signed in; the message says what to do."""


class TooSoon(Exception):
    """A PIN that came before the wait after wrong ones was over."""

    def __init__(self, wait_s: float) -> None:
        self.wait_s = ceil(wait_s)
        super().__init__(f"too many wrong PINs; try again in {self.wait_s} s")


ON_THE_DISPLAY = "on the board's display"


class Access:
    """Who may write. If the PIN of the sessions is empty: everybody who reaches the pages.

    ``pin_is`` says where people can read the PIN.
    """

    def __init__(
        self, sessions: Sessions, wrong: WrongPins | None = None, pin_is: str = ON_THE_DISPLAY
    ) -> None:
        self._sessions = sessions
        self._wrong = wrong or WrongPins()
        self._pin_is = pin_is

    @property
    def asks(self) -> bool:
        """Whether a PIN is required at all."""
        return bool(self._sessions.pin)

    def session(self, cookie: str | None) -> SignIn | None:
        """Return the session that a cookie names; None: nobody has signed in."""
        if not self.asks:
            return ANYBODY
        return self._sessions.read(cookie) if cookie else None

    def demand(self, cookie: str | None) -> SignIn:
        """Return the session; raises :class:`Unknown` if there is none."""
        session = self.session(cookie)
        if session is None:
            raise Unknown(f"sign in first, with the PIN {self._pin_is}")
        return session

    def sign_in(
        self, pin: str, address: str, name: str = "", *, code: str = "", device: str | None = None
    ) -> tuple[SignIn, str]:
        """Open a session; return it with its cookie's text.

        ``code`` is the one in the display's QR code, which needs no PIN with it; ``device`` is the
        cookie that identifies a device. Raises :class:`Unknown` for a wrong PIN, :class:`TooSoon`
        after too many of them.
        """
        if self.asks and code and hmac.compare_digest(_bytes(code), _bytes(self._sessions.code)):
            return self._sessions.open(name)
        if self.asks and code and not pin:
            raise Unknown(f"this code is an old one; scan the one {self._pin_is}")
        known = self._sessions.device(device)
        whose = f"device {known}" if known else address
        wait_s = self._wrong.wait_s(whose, known=bool(known))
        if wait_s > 0:
            raise TooSoon(wait_s)
        if self.asks and not hmac.compare_digest(_bytes(pin), _bytes(self._sessions.pin)):
            self._wrong.wrong(whose, known=bool(known))
            raise Unknown(f"this is not the PIN; it is {self._pin_is}")
        self._wrong.right(whose)
        return self._sessions.open(name)

    def device(self, cookie: str | None) -> str:
        """Return the cookie of a device that has just signed in: its own, else a new one."""
        return cookie if cookie and self._sessions.device(cookie) else self._sessions.new_device()

    def sign_out(self, cookie: str | None) -> SignIn | None:
        """End the session that a cookie names, and return it; None if it names none."""
        session = self.session(cookie)
        if session is None or session is ANYBODY:
            return None
        self._sessions.end(session)
        return session


def _bytes(text: str) -> bytes:
    """Return a text's bytes, whatever characters are in it."""
    return text.encode("utf-8", "surrogatepass")
