"""A serial cable of the simulated table: a pseudo terminal whose near end stays in this program."""

from __future__ import annotations

import contextlib
import os
import select
import termios
import threading
import tty
from collections.abc import Callable
from pathlib import Path


def link_to(cable: SerialCable, link: Path) -> None:
    """Link a name to a cable's far end, as ``/dev/serial/by-id`` links one to an adapter."""
    fresh = link.with_name(link.name + ".new")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(cable.path)
    fresh.replace(link)


class SerialCable:
    """One pseudo terminal and the thread that reads it, which sleeps while nothing comes.

    ``feed`` is given what the firmware writes, on that thread. Only the firmware holds the
    terminal's far end. While it is not open, reading fails; the edge-triggered wait sleeps through
    that.
    """

    def __init__(self, feed: Callable[[bytes], None]) -> None:
        self._feed = feed
        self._ours, theirs = os.openpty()
        tty.setraw(theirs)
        self.path = os.ttyname(theirs)
        os.close(theirs)
        os.set_blocking(self._ours, False)
        self._wake_read, self._wake = os.pipe()
        self._epoll = select.epoll()
        self._epoll.register(self._ours, select.EPOLLIN | select.EPOLLET)
        self._epoll.register(self._wake_read, select.EPOLLIN)
        self._closing = False
        self._frozen = False
        self._thread = threading.Thread(target=self._run, name="simulated-cable", daemon=True)
        self._thread.start()

    def write(self, data: bytes) -> None:
        """Send bytes to the firmware; those that find no room there are lost, as on a bare wire."""
        with contextlib.suppress(OSError):
            os.write(self._ours, data)

    def freeze(self) -> None:
        """Take no more bytes."""
        self._frozen = True

    def thaw(self) -> None:
        """Take bytes again."""
        self._frozen = False
        os.write(self._wake, b"x")

    def close(self) -> None:
        """Pull it out: whoever has the far end open sees it end."""
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
        that an error when nothing else is asked, as when it is opened a second time with the same
        settings. So the speed, which means nothing here, is turned back.
        """
        settings = termios.tcgetattr(self._ours)
        if settings[5] != termios.B300:
            settings[4] = settings[5] = termios.B300
            termios.tcsetattr(self._ours, termios.TCSANOW, settings)
