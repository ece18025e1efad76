"""A serial line to a display: opened exclusively, written with a time limit, in plain errors.

Only bytes pass here; what they mean is the business of each display. What a display sends is
thrown away: nothing is ever asked of one. But the line is listened to, because a line that has
ended says so there first.

A line is a device (best one of ``/dev/serial/by-id``) or one of pyserial's URLs:

- ``socket://HOST:PORT``: a serial server that passes bytes on as they are;
- ``rfc2217://HOST:PORT``: one that is told speed and parity too;
- ``hwgrep://PATTERN``: the first device whose description matches;
- ``spy://DEVICE?file=PATH``: a device, with all that is sent written to a file;
- ``alt://DEVICE?class=NAME``: a device by another of pyserial's classes;
- ``loop://``: nowhere at all, for trying a config without a sign.
"""

from __future__ import annotations

import contextlib
import errno
import termios
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import serial

from jackspot.displays.errors import DisplayError
from jackspot.table.events import Trouble

BY_ID = Path("/dev/serial/by-id")
"""Where the system names serial adapters so that the name stays with the adapter."""

LISTEN_NS = 10_000_000_000
"""How often a line that nothing is written to is listened to."""

ON_THE_NETWORK = frozenset({"socket", "rfc2217"})
OF_A_DEVICE = frozenset({"spy", "hwgrep", "alt"})
SCHEMES = (*sorted(ON_THE_NETWORK | OF_A_DEVICE), "loop")
"""The URL handlers of pyserial."""

_MOST_LISTENED = 4096
_MUCH_CAME_IN = 1024
_IN_USE = frozenset({errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK})


class Parity(StrEnum):
    """What the bit after the data bits says."""

    NONE = "none"
    EVEN = "even"
    ODD = "odd"
    MARK = "mark"
    SPACE = "space"


class Flow(StrEnum):
    """How a display says that it can take no more for a moment."""

    NONE = "none"
    RTSCTS = "rtscts"
    """By two further wires."""
    XONXOFF = "xonxoff"
    """By two bytes that it sends."""


_PARITIES = {
    Parity.NONE: serial.PARITY_NONE,
    Parity.EVEN: serial.PARITY_EVEN,
    Parity.ODD: serial.PARITY_ODD,
    Parity.MARK: serial.PARITY_MARK,
    Parity.SPACE: serial.PARITY_SPACE,
}


@dataclass(frozen=True, slots=True)
class Line:
    """How a line is set: 9600 8N1 unless said otherwise.

    ``stop_bits`` are 1, 1.5 or 2. ``write_timeout_s`` bounds how long a write waits for a
    device that takes nothing.
    """

    baud: int = 9600
    data_bits: int = serial.EIGHTBITS
    parity: Parity = Parity.NONE
    stop_bits: float = 1
    flow: Flow = Flow.NONE
    write_timeout_s: float = 1.0

    def __str__(self) -> str:
        """Write it as people do: ``9600 8N1``."""
        return f"{self.baud} {self.data_bits}{self.parity[0].upper()}{self.stop_bits:g}"


def scheme_of(port: str) -> str:
    """Give the URL scheme of a port, empty for a device."""
    return port.partition("://")[0].lower() if "://" in port else ""


def what_is_wrong(port: str) -> str:
    """Say what a port should have been, empty if it may be one; opens nothing.

    A device that is not there is no mistake: it may be plugged in later.
    """
    scheme = scheme_of(port)
    if not scheme:
        return (
            "" if port.startswith("/") else "the whole path of a device, as /dev/ttyUSB0, or a URL"
        )
    if scheme not in SCHEMES:
        return f"one of pyserial's URLs: {', '.join(f'{each}://' for each in SCHEMES)}"
    if scheme not in ON_THE_NETWORK:
        return ""
    try:
        parts = urlsplit(port)
        complete = bool(parts.hostname) and bool(parts.port)
    except ValueError:
        complete = False
    return "" if complete else f"a host and a port number, as {scheme}://192.0.2.7:4001"


class SerialPort:
    """One serial line. ``port`` is a device or a URL, see the module.

    A device is locked, so that no second program writes into the same display. ``clock`` gives
    monotonic nanoseconds.
    """

    def __init__(
        self,
        port: str,
        line: Line | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self.port = port
        self.line = line or Line()
        self._clock = clock
        self._open: serial.SerialBase | None = None
        self._heard_ns = 0

    @property
    def is_open(self) -> bool:
        """Whether the line was opened and not closed since."""
        return self._open is not None

    def open(self) -> None:
        """Open the line; DisplayError says why not, and what else is plugged in."""
        self.close()
        try:
            self._open = serial.serial_for_url(self.port, **self._settings())
        # SerialException is an OSError; a line that refuses the settings is a termios.error.
        except (OSError, ValueError, termios.error) as error:
            raise self._refused(error) from error
        self._heard_ns = self._clock()

    def _settings(self) -> dict[str, Any]:
        line = self.line
        is_device = not scheme_of(self.port) or scheme_of(self.port) in OF_A_DEVICE
        return {
            "baudrate": line.baud,
            "bytesize": line.data_bits,
            "parity": _PARITIES[line.parity],
            "stopbits": line.stop_bits,
            "rtscts": line.flow is Flow.RTSCTS,
            "xonxoff": line.flow is Flow.XONXOFF,
            # pyserial has none for RFC 2217; its socket gives up after five seconds.
            "write_timeout": None if scheme_of(self.port) == "rfc2217" else line.write_timeout_s,
            "timeout": 0,
            "exclusive": True if is_device else None,
        }

    def write(self, data: bytes) -> None:
        """Send all of ``data``; DisplayError if the device is gone or takes nothing."""
        if self._open is None:
            raise DisplayError(f"{self.port} is not open; it is tried again")
        try:
            if scheme_of(self.port) in ON_THE_NETWORK or self._open.in_waiting > _MUCH_CAME_IN:
                self.listen()  # a server that has gone says so there, and not when it is written to
            self._open.write(data)
            self._heard_ns = self._clock()
        except serial.SerialTimeoutException as error:
            raise DisplayError(
                f"{self.port} took nothing for {self.line.write_timeout_s:g} s ({self.line}, "
                f"flow {self.line.flow}); check the display's power and [sign] flow"
            ) from error
        except (OSError, termios.error) as error:
            raise DisplayError(f"cannot write to {self.port}: {error}; {_advice()}") from error

    def rest_ns(self) -> int | None:
        """Give how long the line need not be listened to; None: it is not open."""
        if self._open is None:
            return None
        return max(0, self._heard_ns + LISTEN_NS - self._clock())

    def listen(self) -> None:
        """Throw away what came in; DisplayError if the line has ended."""
        self._heard_ns = self._clock()
        if self._open is None:
            raise DisplayError(f"{self.port} is not open; it is tried again")
        try:
            self._open.read(max(1, min(self._open.in_waiting, _MOST_LISTENED)))
        except (OSError, termios.error, TypeError) as error:
            raise DisplayError(f"{self.port} has ended: {error}; {_advice()}") from error

    def close(self) -> None:
        """Close the line, also one whose device is gone."""
        line, self._open = self._open, None
        if line is not None:
            with contextlib.suppress(OSError, termios.error):
                line.close()

    def interrupt(self) -> None:
        """Make a write that is under way on another thread return."""
        line = self._open
        cancel = getattr(line, "cancel_write", None)  # not every URL handler has it
        if cancel is not None:
            with contextlib.suppress(OSError, TypeError):  # closed at this very moment
                cancel()

    def _refused(self, error: Exception) -> DisplayError:
        """Say in one line why the line cannot be opened, and what to do."""
        code = getattr(error, "errno", None)
        what = f"cannot open {self.port} ({self.line}): {error}; "
        if code in _IN_USE or "exclusively lock" in str(error):
            remedy = f"another program uses it: fuser -v {self.port} names it; stop that program"
            return DisplayError(what + remedy, Trouble.IN_USE)
        if code in (errno.EACCES, errno.EPERM):
            remedy = "put the board's user into the group dialout, then start it anew"
            return DisplayError(what + remedy, Trouble.REFUSED)
        if isinstance(error, ValueError | termios.error) or code == errno.EINVAL:
            remedy = (
                "the line cannot be set so: choose another baud, bits, parity or stop in [sign]"
            )
            return DisplayError(what + remedy, Trouble.REFUSED)
        if scheme_of(self.port) in ON_THE_NETWORK:
            return DisplayError(what + "check host and port, and that the serial server is on")
        return DisplayError(what + _advice())


def with_defaults(line: Line, **given: Any) -> Line:
    """Give a line with what was given instead of its own; None leaves its own."""
    return replace(line, **{key: value for key, value in given.items() if value is not None})


def _advice() -> str:
    """Say what to do, naming the adapters that are there."""
    try:
        found = sorted(str(path) for path in BY_ID.iterdir())
    except OSError:
        found = []
    if not found:
        return f"plug the adapter in (none is listed in {BY_ID})"
    return f"plug it in, or set the port to one that is there: {', '.join(found)}"
