"""Serial signs on the simulated table: a real serial driver on one end, a sign on the other.

The firmware opens a pseudo terminal as it would open ``/dev/ttyUSB0``. A decoder of the protocol
is behind it (:mod:`jackspot_sim.devices.sign_decoders`). The terminal is reached through a
symbolic link, as a serial adapter is through ``/dev/serial/by-id``. Unplugging removes link and
terminal; plugging in again makes a new terminal under the same name.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from jackspot_sim.devices.serial_cable import SerialCable, link_to
from jackspot_sim.devices.sign_decoders import Decoder


class SimulatedSign:
    """A decoder at the end of a pseudo terminal whose name stays the same.

    ``link`` is the path that the firmware opens. It is plugged in when made. All methods may be
    called from any thread.
    """

    def __init__(self, decoder: Decoder, link: Path) -> None:
        self.decoder = decoder
        self.link = link
        self._changed = threading.Condition()
        self._bytes = 0
        self._frozen = False
        self._cable: SerialCable | None = None
        self._watchers: list[Callable[[], None]] = []
        self.plug()

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call ``watcher`` whenever the sign may show something else, on any thread."""
        self._watchers.append(watcher)

    @property
    def text(self) -> str:
        """What a person reads on the sign now."""
        with self._changed:
            return self.decoder.text

    def picture(self) -> dict[str, object]:
        """Return what the sign shows as plain values, and whether it is plugged in."""
        with self._changed:
            return {"plugged": self._cable is not None, **self.decoder.picture()}

    @property
    def bytes_taken(self) -> int:
        """How many bytes have arrived since the start."""
        with self._changed:
            return self._bytes

    def wait_for(self, shows: Callable[[Decoder], bool], timeout_s: float = 5.0) -> bool:
        """Wait until the sign shows what is wanted; return False if it does not in time."""
        with self._changed:
            return self._changed.wait_for(lambda: shows(self.decoder), timeout_s)

    def unplug(self) -> None:
        """Pull the plug: the terminal is gone, and so is its name."""
        with self._changed:
            cable, self._cable = self._cable, None
        if cable is not None:
            self.link.unlink(missing_ok=True)
            cable.close()
            with self._changed:
                self.decoder.power_off()
                self._changed.notify_all()
            self._tell()

    def plug(self) -> None:
        """Plug it in: a new terminal under the same name."""
        if self._cable is not None:
            return
        cable = SerialCable(self._feed)
        with self._changed:
            self._cable = cable
            if self._frozen:
                cable.freeze()
        link_to(cable, self.link)
        self._tell()

    def freeze(self) -> None:
        """Take no more bytes: writers fill the line and then block."""
        with self._changed:
            self._frozen = True
            if self._cable is not None:
                self._cable.freeze()

    def thaw(self) -> None:
        """Take bytes again."""
        with self._changed:
            self._frozen = False
            if self._cable is not None:
                self._cable.thaw()

    def close(self) -> None:
        """Remove everything."""
        self.unplug()

    def _feed(self, data: bytes) -> None:
        with self._changed:
            self._bytes += len(data)
            self.decoder.feed(data)
            self._changed.notify_all()
        self._tell()

    def _tell(self) -> None:
        for watcher in self._watchers:
            watcher()
