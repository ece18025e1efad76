"""What must outlast a restart for referees' pages: the PIN, the signing key, who signed out.

It is kept in one small JSON file beside the journal, which only the board's own user may read. A
file that cannot be read is replaced: referees sign in again, and nothing else is lost.
"""

from __future__ import annotations

import base64
import hmac
import json
import logging
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from msgspec import Struct, field
from msgspec.structs import asdict

from jackspot.files import read_text
from jackspot.values import changed

KEPT_NAME = "referee.json"
"""The file's name, beside the journal."""
FORMAT = 1
PIN_DIGITS = 6
"""The digits of a PIN that the board makes."""
KEY_BYTES = 32
MOST_BYTES = 1 << 16
CODE_BYTES = 9
"""Makes twelve letters, so that address and code fit into one small QR code."""
ENDED_KEPT = 256
"""How many sessions that were signed out are remembered, the newest ones."""
BOOTS_KEPT = 3
"""How many starts of the machine are remembered, the newest ones."""

_logger = logging.getLogger(__name__)


def new_pin() -> str:
    """Return a random PIN."""
    return "".join(secrets.choice("0123456789") for _digit in range(PIN_DIGITS))


class KeptSignIns(Struct, frozen=True):
    """The file's content. ``pin`` is one that the board made; the config's is not written here.

    ``ended`` are the numbers of sessions that were signed out, ``boots`` the kernel's names for the
    newest starts of the machine, oldest first.
    """

    key: str = field(default_factory=lambda: secrets.token_hex(KEY_BYTES))
    pin: str = field(default_factory=new_pin)
    ended: tuple[str, ...] = ()
    boots: tuple[str, ...] = ()


def door_code(key: str, pin: str) -> str:
    """Return the code in the display's QR code, which is beside the PIN; it cannot be guessed.

    It changes with key and PIN, and reveals nothing about either.
    """
    made = hmac.digest(bytes.fromhex(key), b"the way in " + pin.encode(), "sha256")
    return base64.urlsafe_b64encode(made[:CODE_BYTES]).decode()


class KeptFile:
    """Reads and writes :class:`KeptSignIns`; without a path, keeps them until the program ends."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = Lock()  # pages sign out on their threads, the loop renews the PIN on its own
        self._now = self._read()

    @property
    def now(self) -> KeptSignIns:
        """The current content."""
        return self._now

    def end_session(self, number: str) -> None:
        """Remember that a session was signed out."""
        self._change(lambda now: changed(now, ended=(*now.ended, number)[-ENDED_KEPT:]))

    def note_boot(self, boot: str) -> None:
        """Remember this start of the machine."""
        if boot not in self._now.boots:
            self._change(lambda now: changed(now, boots=(*now.boots, boot)[-BOOTS_KEPT:]))

    def renew_pin(self) -> None:
        """Make another PIN: every session that was opened with the previous one is over."""
        pin = new_pin()
        while pin == self._now.pin:
            pin = new_pin()
        self._change(lambda now: changed(now, pin=pin))

    def _change(self, change: Callable[[KeptSignIns], KeptSignIns]) -> None:
        with self._lock:
            self._write(change(self._now))

    def _read(self) -> KeptSignIns:
        if self._path is None:
            return KeptSignIns()
        try:
            return _kept(read_text(self._path, MOST_BYTES))
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as wrong:
            _logger.warning("%s: %s; a new one is made, referees sign in again", self._path, wrong)
        fresh = KeptSignIns()
        self._write(fresh)
        return fresh

    def _write(self, kept: KeptSignIns) -> None:
        self._now = kept
        if self._path is None:
            return
        text = json.dumps({"format": FORMAT, **asdict(kept)}, indent=1)
        beside = self._path.with_name(self._path.name + ".new")
        try:
            beside.unlink(missing_ok=True)
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self._path)
        except OSError as wrong:
            _logger.warning("%s: %s; referees sign in again after a restart", self._path, wrong)


def _kept(text: str) -> KeptSignIns:
    """Return the content of the file's text; ValueError if this program did not write it."""
    said = json.loads(text)
    if not isinstance(said, dict) or said.get("format") != FORMAT:
        raise ValueError(f"not of format {FORMAT}")
    key, pin = said.get("key"), said.get("pin")
    if not isinstance(key, str) or len(bytes.fromhex(key)) != KEY_BYTES:
        raise ValueError("no signing key in it")
    if not isinstance(pin, str) or not (pin.isascii() and pin.isdigit()):
        raise ValueError("no PIN in it")
    return KeptSignIns(key, pin, _texts(said.get("ended")), _texts(said.get("boots")))


def _texts(said: object) -> tuple[str, ...]:
    if not isinstance(said, list) or not all(isinstance(each, str) for each in said):
        raise ValueError("a list of texts was expected")
    return tuple(said)
