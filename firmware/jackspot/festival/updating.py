"""A release that the hall's hub offers, fetched by the board and handed to root once it is free.

Theory of operation. An offer is a goal, so it is checked again and again, and the current state
decides: waiting, fetching, taken, trial, then an end. A file is fetched in a thread of its own,
from where a transfer was cut off, never beyond the announced size; a file with the wrong checksum
is thrown away. Root, who does the rest, checks whether it is signed: nothing here can install
anything (:mod:`jackspot.ops.update.offered`).
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from msgspec import Struct

from jackspot.core.clock import SECOND_NS
from jackspot.dialogue.state.view import BoardView, OrderState
from jackspot.festival.messages import ENDED, LONGEST_WHY, UpdateMessage, UpdateStep
from jackspot.festival.outgoing import match_of

_logger = logging.getLogger(__name__)

UPDATES = "/update/"
"""The path of the file on the hub's pages."""
LOOKS_NS = SECOND_NS // 2
"""How often the machine's report on an update is checked."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
SILENT_S = 20.0
"""A transfer that is silent for this long was cut off."""
PIECE = 1 << 16
SPARE_BYTES = 32 << 20
"""This much stays free on the board's disk."""
NOT_BEGUN = "it was not begun, and is offered no more"
NOT_BY_APT = "Jackspot is not here by apt's packages; with a checkout: git pull, make install"


class UpdateFound(Struct, frozen=True):
    """What the machine says of an offer that was handed over."""

    step: UpdateStep
    why: str = ""


class HandedOver(Struct, frozen=True):
    """What was handed over to root: for which offer, and of which release."""

    offer: int
    sha256: str
    release: str

    @classmethod
    def of(cls, offer: dict[str, Any]) -> HandedOver:
        """Return it for an offer that was read."""
        return cls(offer["offer"], offer["sha256"], offer["release"])


class UpdateDoor(Protocol):
    """Where a board without privileges leaves a file for root, and sees what happens to it."""

    folder: Path
    """The board's own folder, for what is fetched."""

    def version(self) -> str:
        """Return the version of the installed packages; empty: there are none."""

    def hand_over(self, file: Path, offer: HandedOver) -> None:
        """Leave a file of the folder for root. Raises OSError."""

    def last(self) -> HandedOver | None:
        """Return what was handed over last, even before the board's last start."""

    def found(self, offer: HandedOver) -> UpdateFound | None:
        """Return what has become of an offer; None: it was not handed over."""


class _Torn(Exception):
    """A transfer that did not bring what was announced; the text says why."""


def is_free(view: BoardView | None) -> bool:
    """Whether nobody plays, and nobody is called to the board."""
    if view is None or view.free is not None:
        return False
    return match_of(view, 0)["state"] in (OrderState.NONE, OrderState.OVER)


class Updating:
    """Takes what is offered. ``door`` None: this board cannot; ``wake`` says that there is news.

    What was handed over is reported to its end, even after the board's restart, and when the hub no
    longer offers anything.
    """

    def __init__(self, door: UpdateDoor | None, wake: Callable[[], None]) -> None:
        self._door, self._wake = door, wake
        self._offer: dict[str, Any] | None = None
        self._handed = None if door is None else door.last()
        self._host = ""
        self._fetch: _Fetch | None = None
        self._before: _Fetch | None = None
        self._said: UpdateMessage | None = None
        self._looked_ns = 0
        self._version: str | None = None

    def take(self, offer: dict[str, Any] | None, host: str) -> None:
        """Take an offer of the hub, which is reached at ``host``; None: there is none."""
        if (offer, host) == (self._offer, self._host):
            return
        self.stop()
        self._offer, self._host, self._looked_ns, self._version = offer, host, 0, None
        if offer is None and self._said is not None and self._said["step"] in (
            UpdateStep.WAITING, UpdateStep.FETCHING,
        ):  # fmt: skip
            self._said = None

    def stop(self) -> None:
        """Fetch nothing more; what has come is kept."""
        if self._fetch is not None:
            self._fetch.stop()
            self._fetch, self._before = None, self._fetch

    def look(self, view: BoardView | None, now_ns: int) -> UpdateMessage | None:
        """Do what is next, and return the progress; None: nothing to report."""
        about = self._handed if self._offer is None else HandedOver.of(self._offer)
        if about is None or now_ns < self._looked_ns + LOOKS_NS:
            return self._said
        self._looked_ns = now_ns
        try:
            step, percent, why = self._next(about, is_free(view))
        except OSError as error:
            step, percent, why = UpdateStep.FETCHING, 0, f"{error.filename}: {error.strerror}"
        if step in ENDED:
            self._handed = None
        self._said = {
            "v": 1, "offer": about.offer, "release": about.release,
            "step": step, "percent": percent, "why": why[:LONGEST_WHY],
        }  # fmt: skip
        return self._said

    def waits_ns(self) -> int | None:
        """Return after how long to look again; None: nothing is offered or in hand."""
        return None if self._offer is None and self._handed is None else LOOKS_NS

    def _next(self, about: HandedOver, free: bool) -> tuple[UpdateStep, int, str]:
        offer, door = self._offer, self._door
        if self._version is None:
            self._version = "" if door is None else door.version()
        if door is None or not self._version:
            return UpdateStep.REFUSED, 0, NOT_BY_APT
        found = door.found(about)
        if found is not None:
            return found.step, 100, found.why
        if offer is None or self._version == about.release:
            is_here = self._version == about.release
            return (UpdateStep.DONE, 100, "") if is_here else (UpdateStep.REFUSED, 100, NOT_BEGUN)
        if not free:
            self.stop()
            return UpdateStep.WAITING, 0, ""
        if self._fetch is None:
            self._fetch = _Fetch(offer, self._host, door.folder, self._wake, self._before)
        if not self._fetch.is_whole:
            return UpdateStep.FETCHING, self._fetch.percent, self._fetch.why
        door.hand_over(self._fetch.part, about)
        self._fetch, self._handed = None, about
        return UpdateStep.TAKEN, 100, ""


class _Fetch:
    """One file, fetched in a thread of its own until it is whole or nobody wants it."""

    def __init__(
        self, offer: dict[str, Any], host: str, folder: Path, wake: Callable[[], None],
        before: _Fetch | None,
    ) -> None:  # fmt: skip
        self._offer, self._host, self._wake = offer, host, wake
        self._before = before
        self.part = folder / f"{offer['sha256']}.part"
        self.is_whole = False
        self.why = ""
        self._has = 0
        self._stopped = threading.Event()
        self.thread = threading.Thread(target=self._run, name="update", daemon=True)
        self.thread.start()

    @property
    def percent(self) -> int:
        """The percentage that is here."""
        return int(100 * self._has // self._offer["size"])

    def stop(self) -> None:
        """End soon, and keep what has come."""
        self._stopped.set()

    def _run(self) -> None:
        if self._before is not None:  # it may still write
            self._before.thread.join()
            self._before = None
        from http.client import HTTPException  # imported only if there is something to fetch

        pause_s = FIRST_PAUSE_S
        while not self._stopped.is_set():
            before = self._has
            try:
                self._get()
            except (OSError, HTTPException, _Torn) as error:
                self.why = (
                    f"{self._host}:{self._offer['port']}: {str(error) or type(error).__name__}"
                )
                _logger.warning("hall: update: %s", self.why)
                self._wake()
                pause_s = FIRST_PAUSE_S if self._has > before else min(2 * pause_s, LONGEST_PAUSE_S)
                self._stopped.wait(pause_s)
            else:
                return

    def _get(self) -> None:
        """Fetch what is missing, and check whether it is what was offered."""
        part, size = self.part, self._offer["size"]
        part.parent.mkdir(mode=0o700, exist_ok=True)
        for other in part.parent.glob("*.part"):
            if other != part:
                other.unlink()
        with part.open("ab") as file:
            self._has = file.tell()
            if self._has < size:
                self._fill(file, size)
            if self._stopped.is_set():
                return
            file.flush()
            os.fsync(file.fileno())
        with part.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != self._offer["sha256"] or self._has != size:
            part.unlink()
            self._has = 0
            raise _Torn("what came is not what was offered, and is thrown away")
        self.why, self.is_whole = "", True
        self._wake()

    def _fill(self, file: Any, size: int) -> None:
        if shutil.disk_usage(self.part.parent).free < size - self._has + SPARE_BYTES:
            raise _Torn(f"expected room for {(size + SPARE_BYTES) >> 20} MB on the board's disk")
        from http.client import OK, PARTIAL_CONTENT, HTTPConnection

        asked = HTTPConnection(self._host, self._offer["port"], timeout=SILENT_S)
        try:
            asked.connect()
            where = asked.sock.getpeername()[0].partition("%")[0]  # by no name that it may not know
            host = f"[{where}]" if ":" in where else where
            asked.putrequest("GET", f"{UPDATES}{self._offer['file']}", skip_host=True)
            asked.putheader("Host", f"{host}:{self._offer['port']}")
            asked.putheader("Range", f"bytes={self._has}-")
            asked.endheaders()
            answer = asked.getresponse()
            if answer.status == OK:  # it begins at the beginning
                file.truncate(0)
                self._has = 0
            elif answer.status != PARTIAL_CONTENT:
                raise _Torn(f"{answer.status} {answer.reason}")
            while self._has < size and not self._stopped.is_set():
                piece = answer.read1(min(PIECE, size - self._has))
                if not piece:
                    raise _Torn(f"cut off after {self._has} of {size} bytes")
                file.write(piece)
                self._has += len(piece)
        finally:
            with suppress(OSError):
                asked.close()
