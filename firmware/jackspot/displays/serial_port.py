"""A serial line to a display: opened exclusively, written with a time limit, in plain errors.

Only bytes pass here; what they mean is the business of each display. The line is never read.
"""

from __future__ import annotations

import contextlib
import termios
from pathlib import Path

import serial

from jackspot.displays.errors import DisplayError

BY_ID = Path("/dev/serial/by-id")
"""Where the system names serial adapters so that the name stays with the adapter."""


class SerialPort:
    """One serial line.

    ``port`` is a device (best one of ``/dev/serial/by-id``) or a pyserial URL such as
    ``socket://192.0.2.7:4001``. A device is locked, so that no second program writes into
    the same display. ``write_timeout_s`` bounds how long a write waits for a device that
    takes nothing.
    """

    def __init__(
        self,
        port: str,
        *,
        baudrate: int = 9600,
        bytesize: int = serial.EIGHTBITS,
        parity: str = serial.PARITY_NONE,
        write_timeout_s: float = 1.0,
    ) -> None:
        self.port = port
        self._baudrate = baudrate
        self._bytesize = bytesize
        self._parity = parity
        self._write_timeout_s = write_timeout_s
        self._line: serial.SerialBase | None = None

    def open(self) -> None:
        """Open the line; DisplayError says why not, and what else is plugged in."""
        self.close()
        try:
            self._line = serial.serial_for_url(
                self.port,
                baudrate=self._baudrate,
                bytesize=self._bytesize,
                parity=self._parity,
                stopbits=serial.STOPBITS_ONE,
                write_timeout=self._write_timeout_s,
                timeout=0,
                exclusive=None if "://" in self.port else True,
            )
        # SerialException is an OSError; a line that refuses the settings is a termios.error.
        except (OSError, ValueError, termios.error) as error:
            raise DisplayError(f"cannot open {self.port}: {error}; {_advice()}") from error

    def write(self, data: bytes) -> None:
        """Send all of ``data``; DisplayError if the device is gone or takes nothing."""
        if self._line is None:
            raise DisplayError(f"{self.port} is not open; it is tried again")
        try:
            self._line.write(data)
        except OSError as error:
            raise DisplayError(f"cannot write to {self.port}: {error}; {_advice()}") from error

    def close(self) -> None:
        """Close the line, also one whose device is gone."""
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(OSError):
                line.close()

    def interrupt(self) -> None:
        """Make a write that is under way on another thread return."""
        line = self._line
        cancel = getattr(line, "cancel_write", None)  # not every URL handler has it
        if cancel is not None:
            with contextlib.suppress(OSError, TypeError):  # closed at this very moment
                cancel()


def _advice() -> str:
    """Say what to do, naming the adapters that are there."""
    try:
        found = sorted(str(path) for path in BY_ID.iterdir())
    except OSError:
        found = []
    if not found:
        return f"plug the adapter in (none is listed in {BY_ID})"
    return f"plug it in, or set the port to one that is there: {', '.join(found)}"
