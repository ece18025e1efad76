"""Telling the service manager that the loop is alive.

systemd's notification protocol (``sd_notify(3)``): one datagram to the socket that the
environment names. Only the board's loop feeds it, so a loop that hangs is restarted.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

MICROSECOND_NS = 1_000


class Watchdog:
    """Feeds the service manager's watchdog; without one it does nothing.

    ``interval_ns`` is how often to feed: half of what the manager allows; None where it
    watches nothing.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("NOTIFY_SOCKET", "")
        limit_us = environment.get("WATCHDOG_USEC", "")
        mine = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        watched = bool(self._address) and limit_us.isdigit() and mine
        self.interval_ns: int | None = int(limit_us) * MICROSECOND_NS // 2 if watched else None

    @property
    def manager(self) -> bool:
        """Whether there is a service manager, which starts a board again that ended."""
        return bool(self._address)

    def ready(self) -> None:
        """Say that the board is up."""
        self._tell("READY=1")

    def feed(self) -> None:
        """Say that the loop is alive."""
        self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        """Say that the board is going down in order."""
        self._tell("STOPPING=1")

    def _tell(self, message: str) -> None:
        if not self._address:
            return
        address = self._address
        if address.startswith("@"):
            address = "\0" + address[1:]
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
                channel.sendto(message.encode(), address)
        except OSError:
            # A service manager that is gone cannot be told; the game goes on.
            return
