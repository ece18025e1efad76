"""Serial signs on the simulated table: a real serial driver on one end, a sign on the other.

The firmware opens a pseudo terminal as it would open ``/dev/ttyUSB0``. Behind it stands a
decoder of the protocol (:mod:`jackspot_sim.devices.sign_decoders`). The terminal is reached
through a symbolic link, as a serial adapter is through ``/dev/serial/by-id``; unplugging takes
link and terminal away, plugging in again makes a new terminal under the same name.
"""

from __future__ import annotations

import contextlib
import os
import select
import termios
import threading
from collections.abc import Callable
from pathlib import Path

from jackspot_sim.devices.sign_decoders import Decoder


class SimulatedSign:
    """A decoder at the end of a pseudo terminal whose name stays the same.

    ``link`` is the path that the firmware opens. Made plugged in. All methods may be called
    from any thread.
    """

    def __init__(self, decoder: Decoder, link: Path) -> None:
        self.decoder = decoder
        self.link = link
        self._changed = threading.Condition()
        self._bytes = 0
        self._frozen = False
        self._cable: _Cable | None = None
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
        """Wait until the sign shows what is wanted; False if it does not in time."""
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
        cable = _Cable(self._feed)
        with self._changed:
            self._cable = cable
            if self._frozen:
                cable.freeze()
        fresh = self.link.with_name(self.link.name + ".new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(cable.path)
        fresh.replace(self.link)
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
        """Take everything away."""
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


class _Cable:
    """One pseudo terminal and the thread that reads it; sleeps while nothing comes.

    The terminal's far end is held by nobody but the firmware. While it has it not open,
    reading fails; the edge-triggered wait sleeps through that.
    """

    def __init__(self, feed: Callable[[bytes], None]) -> None:
        self._feed = feed
        self._ours, theirs = os.openpty()
        self.path = os.ttyname(theirs)
        os.close(theirs)
        os.set_blocking(self._ours, False)
        self._wake_read, self._wake = os.pipe()
        self._epoll = select.epoll()
        self._epoll.register(self._ours, select.EPOLLIN | select.EPOLLET)
        self._epoll.register(self._wake_read, select.EPOLLIN)
        self._closing = False
        self._frozen = False
        self._thread = threading.Thread(target=self._run, name="simulated-sign", daemon=True)
        self._thread.start()

    def freeze(self) -> None:
        self._frozen = True

    def thaw(self) -> None:
        self._frozen = False
        os.write(self._wake, b"x")

    def close(self) -> None:
        self._closing = True
        os.write(self._wake, b"x")
        self._thread.join()
        self._epoll.close()
        for end in (self._ours, self._wake_read, self._wake):
            os.close(end)

    def _run(self) -> None:
        while not self._closing:
            for descriptor, _ in self._epoll.poll():
                if descriptor == self._wake_read:
                    os.read(self._wake_read, 64)
            self._drain()

    def _drain(self) -> None:
        """Take all bytes that are there."""
        # An error means: none there now, or nobody has the other end open.
        with contextlib.suppress(OSError):
            while not self._frozen and (data := os.read(self._ours, 4096)):
                self._leave_something_to_set()
                self._feed(data)

    def _leave_something_to_set(self) -> None:
        """Let the terminal be opened again.

        A pseudo terminal keeps to eight bits whatever is asked of it. Some C libraries call
        that an error when nothing else is asked, as at the second opening with the same
        settings; so the speed, which means nothing here, is turned back.
        """
        settings = termios.tcgetattr(self._ours)
        if settings[5] != termios.B300:
            settings[4] = settings[5] = termios.B300
            termios.tcsetattr(self._ours, termios.TCSANOW, settings)
