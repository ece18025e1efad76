"""Telling the service manager that the loop is alive.

This is systemd's notification protocol (``sd_notify(3)``): one datagram to the socket that the
environment names. Only the board's loop feeds it, so a loop that hangs is restarted. The socket is
opened once and kept: a process that has no file handle left is still alive.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping

MICROSECOND_NS = 1_000

_logger = logging.getLogger(__name__)


class Watchdog:
    """Feeds the service manager's watchdog; without one it does nothing.

    ``interval_ns`` is how often to feed: half of what the manager allows; None if it watches
    nothing.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        limit_us = environment.get("WATCHDOG_USEC", "")
        mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        watched = bool(address) and limit_us.isdigit() and mine
        self.interval_ns: int | None = int(limit_us) * MICROSECOND_NS // 2 if watched else None
        self._channel: socket.socket | None = None
        if address:
            self._channel = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._channel.setblocking(False)  # a manager that hangs holds up no game
        self._is_told = True

    @property
    def manager(self) -> bool:
        """Whether there is a service manager, which restarts a board that has ended."""
        return self._channel is not None

    def ready(self) -> None:
        """Report that the board is up."""
        self._tell("READY=1")

    def feed(self) -> None:
        """Report that the loop is alive."""
        self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """Report an orderly shutdown."""
        self._tell("STOPPING=1")

    def close(self) -> None:
        """Close the socket; nothing is reported any more."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None

    def _tell(self, message: str) -> None:
        if self._channel is None:
            return
        try:
            self._channel.sendto(message.encode(), self._address)
        except OSError as error:
            # A service manager that is gone cannot be told; the game goes on.
            if self._is_told:
                _logger.warning("the service manager cannot be told: %s", error)
            self._is_told = False
        else:
            self._is_told = True
