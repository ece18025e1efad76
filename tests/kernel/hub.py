"""A sensor hub at the far end of a machine's USB serial adapter: its own program, no pins.

Its time is the host's. A busy host makes the guest's slower, so the board may say that the hub's
clock is off; that is not tested here.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Sequence

from sensor_hub.hub import Hub

CHIP = "51b0a7d51b0a7d01"
LOOK_S = 0.05


class TalkingHub:
    """A hub with four discs that speaks into ``far`` until it is closed."""

    def __init__(self, far: socket.socket, tag: str) -> None:
        self._far = far
        self._hub = Hub(CHIP, tag, [], ["n", "e", "s", "w"])
        self._lock = threading.Lock()
        self._began_s = time.monotonic()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="talking-hub", daemon=True)
        far.settimeout(LOOK_S)
        self._thread.start()

    def knocks(self, heights: Sequence[int]) -> None:
        """Report that the discs N, E, S and W felt a knock now."""
        with self._lock:
            self._hub.knock(self._now_us(), [(height, 0) for height in heights])

    def close(self) -> None:
        """Fall silent."""
        self._ending.set()
        self._thread.join()
        self._far.close()

    def _now_us(self) -> int:
        return int((time.monotonic() - self._began_s) * 1e6)

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                heard = self._far.recv(4096)
            except TimeoutError:
                heard = b""
            except OSError:
                return
            with self._lock:
                self._hub.hear(heard)
                said = b"".join(iter(lambda: self._hub.line(self._now_us()), b""))
            try:
                self._far.sendall(said)
            except OSError:
                return
