"""A serial line to a display: opened exclusively, written with a time limit, with plain errors.

Only bytes pass here; each display knows what they mean. What a display sends is thrown away:
displays are never asked anything. But the line is still read, because that is where the end of a
line shows first. A sensor hub's line is read with :meth:`SerialPort.read`.

:mod:`jackspot.displays.signs.serial_line` has the settings and addresses of lines.
"""

from __future__ import annotations

import contextlib
import errno
import termios
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import serial

from jackspot.displays.errors import DisplayError
from jackspot.displays.signs.serial_line import (
    OF_A_DEVICE,
    ON_THE_NETWORK,
    Flow,
    Parity,
    SerialSettings,
    scheme_of,
)
from jackspot.sensing.events import Trouble

BY_ID = Path("/dev/serial/by-id")
"""Where the system gives serial adapters names that stay with the adapter."""

LISTEN_NS = 10_000_000_000
"""How often a line that nothing is written to is checked."""

AGAIN_NS = 30_000_000_000
"""How often a display is sent again what it shows: no display says what a spark, or its own loose
plug, made of it. A wrong number stands no longer than this, and the line is hardly ever busy."""

_MOST_LISTENED = 4096
_MUCH_CAME_IN = 1024
_IN_USE = frozenset({errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK})


_PARITIES = {
    Parity.NONE: serial.PARITY_NONE,
    Parity.EVEN: serial.PARITY_EVEN,
    Parity.ODD: serial.PARITY_ODD,
    Parity.MARK: serial.PARITY_MARK,
    Parity.SPACE: serial.PARITY_SPACE,
}


class OnALine:
    """What all displays on a serial line have in common. All calls come from one thread.

    ``again_ns`` is how often they are sent again what they show; 0: never.
    """

    def __init__(
        self, port: str, line: SerialSettings | None, clock: Callable[[], int], again_ns: int
    ) -> None:
        self._port = SerialPort(port, line, clock)
        self._interrupted = threading.Event()
        self._clock = clock
        self._again_ns = again_ns
        self._whole_at_ns = 0

    def open(self) -> None:
        """Connect."""
        self._interrupted.clear()
        self._port.open()
        self._whole_at_ns = self._clock()

    def rest_ns(self) -> int | None:
        """Return how long the line can be left alone."""
        rest_ns = self._port.rest_ns()
        if rest_ns is None or not self._again_ns:
            return rest_ns
        return max(0, min(rest_ns, self._whole_at_ns + self._again_ns - self._clock()))

    def tend(self) -> None:
        """Check whether the line is still there, and send everything again if that is due."""
        self._port.listen()
        is_due = 0 < self._again_ns <= self._clock() - self._whole_at_ns
        if is_due and self._send_again():
            self._whole_at_ns = self._clock()

    def _send_again(self) -> bool:
        """Send what the display shows, or a part, as far as that cannot make it blink.

        Return whether that was all of it.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Release the line; the display keeps showing what it holds."""
        self._port.close()

    def interrupt(self) -> None:
        """Cut short a slow write, or a wait for the display."""
        self._interrupted.set()
        self._port.interrupt()


class SerialPort:
    """One serial line. ``port`` is a device or a URL.

    A device is locked, so that no second program writes to the same display. ``clock`` returns
    monotonic nanoseconds. ``reads``: the line is a sensor hub's, and what comes in is kept for
    :meth:`read`.
    """

    def __init__(
        self,
        port: str,
        line: SerialSettings | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        *,
        reads: bool = False,
    ) -> None:
        self._reads = reads
        self._table = "sensor_hub" if reads else "sign"
        self.port = port
        self.line = line or SerialSettings()
        self._clock = clock
        self._open: serial.Serial | None = None
        self._heard_ns = 0

    @property
    def is_open(self) -> bool:
        """Whether the line is open."""
        return self._open is not None

    def open(self) -> None:
        """Open the line; raises DisplayError with the reason, and with what else is plugged in."""
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
        """Send all of ``data``; raises DisplayError if the device is gone or accepts nothing."""
        if self._open is None:
            raise DisplayError(f"{self.port} is not open; it is tried again")
        try:
            is_server = scheme_of(self.port) in ON_THE_NETWORK
            if not self._reads and (is_server or self._open.in_waiting > _MUCH_CAME_IN):
                self.listen()  # a server that is gone shows when read from, not when written to
            self._open.write(data)
            self._heard_ns = self._clock()
        except serial.SerialTimeoutException as error:
            raise DisplayError(
                f"{self.port} took nothing for {self.line.write_timeout_s:g} s ({self.line}, "
                f"flow {self.line.flow}); check its power and [{self._table}]"
            ) from error
        except (OSError, termios.error) as error:
            raise DisplayError(f"cannot write to {self.port}: {error}; {_advice()}") from error

    def rest_ns(self) -> int | None:
        """Return for how many nanoseconds the line need not be checked; None: it is not open."""
        if self._open is None:
            return None
        return max(0, self._heard_ns + LISTEN_NS - self._clock())

    def listen(self) -> None:
        """Throw away what came in; raises DisplayError if the line has ended."""
        self._heard_ns = self._clock()
        if self._open is None:
            raise DisplayError(f"{self.port} is not open; it is tried again")
        try:
            self._open.read(max(1, min(self._open.in_waiting, _MOST_LISTENED)))
        except (OSError, termios.error, TypeError) as error:
            raise DisplayError(f"{self.port} has ended: {error}; {_advice()}") from error

    def read(self, wait_s: float) -> bytes:
        """Return what came in, up to a few kilobytes, after waiting for at most ``wait_s``.

        Raises DisplayError if the line has ended.
        """
        if self._open is None:
            raise DisplayError(f"{self.port} is not open; it is tried again")
        try:
            if self._open.timeout != wait_s:
                self._open.timeout = wait_s
            first: bytes = self._open.read(1)
            more = min(self._open.in_waiting, _MOST_LISTENED) if first else 0
            return first + self._open.read(more) if more else first
        except (OSError, termios.error, TypeError) as error:
            raise DisplayError(f"{self.port} has ended: {error}; {_advice()}") from error

    def close(self) -> None:
        """Close the line, even if its device is gone."""
        line, self._open = self._open, None
        if line is None:
            return
        # pyserial does not close the socket of a server that is gone already.
        connection = getattr(line, "_socket", None)
        with contextlib.suppress(OSError, termios.error):
            line.close()
        if connection is not None:
            with contextlib.suppress(OSError):
                connection.close()

    def interrupt(self) -> None:
        """Make a write on another thread return."""
        line = self._open
        cancel = getattr(line, "cancel_write", None)  # not every URL handler has it
        if cancel is not None:
            with contextlib.suppress(OSError, TypeError):  # closed at this very moment
                cancel()

    def _refused(self, error: Exception) -> DisplayError:
        """Return an error that says in one line why the line cannot be opened, and what to do."""
        code = getattr(error, "errno", None)
        what = f"cannot open {self.port} ({self.line}): {error}; "
        if code in _IN_USE or "exclusively lock" in str(error):
            remedy = f"another program uses it: fuser -v {self.port} names it; stop that program"
            return DisplayError(what + remedy, Trouble.IN_USE)
        if code in (errno.EACCES, errno.EPERM):
            remedy = "put the board's user into the group dialout, then restart it"
            return DisplayError(what + remedy, Trouble.REFUSED)
        if isinstance(error, ValueError | termios.error) or code == errno.EINVAL:
            remedy = (
                "the line cannot be set so: choose another baud, bits, parity or stop in "
                f"[{self._table}]"
            )
            return DisplayError(what + remedy, Trouble.REFUSED)
        if scheme_of(self.port) in ON_THE_NETWORK:
            return DisplayError(what + "check host and port, and that the serial server is on")
        return DisplayError(what + _advice())


def _advice() -> str:
    """Return what to do, naming the adapters that are there."""
    try:
        found = sorted(str(path) for path in BY_ID.iterdir())
    except OSError:
        found = []
    if not found:
        return f"plug the adapter in (none is listed in {BY_ID})"
    return f"plug it in, or set the port to one that is there: {', '.join(found)}"
