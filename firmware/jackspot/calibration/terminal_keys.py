"""Turn a terminal's keys into presses of a page's buttons; the terminal is restored afterwards."""

from __future__ import annotations

import contextlib
import os
import re
import select
import sys
import termios
import threading
import tty
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType

from jackspot.sensing.events import Button, Event, Gesture, Key, Place, Press

KEYS: Mapping[str, tuple[Key, Gesture]] = MappingProxyType(
    {
        "\r": (Key.OK, Gesture.SHORT),
        "\n": (Key.OK, Gesture.SHORT),
        " ": (Key.OK, Gesture.SHORT),
        "u": (Key.UNDO, Gesture.SHORT),
        "\x7f": (Key.UNDO, Gesture.SHORT),
        "k": (Key.FIX, Gesture.SHORT),
        "s": (Key.FIX, Gesture.HOLD),
        "q": (Key.OK, Gesture.HOLD),
        "\x03": (Key.OK, Gesture.HOLD),
        "\x04": (Key.OK, Gesture.HOLD),
    }
)
"""What each key presses: Enter goes on, u takes back, k keeps, s skips, q stops for now."""

LOOKS_EVERY_S = 0.5
AT_ONCE = 1_024
"""This many bytes are read at once, so that a function key comes whole."""


_FUNCTION_KEY = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|O.|.)?", re.DOTALL)
"""What a terminal sends for a function key; its letters are no keys of their own."""


def presses_of(read: bytes, at_ns: int) -> Iterator[Press]:
    """Yield the presses for what was read at once; other keys press nothing."""
    for character in _FUNCTION_KEY.sub("", read.decode("latin-1")):
        if character.lower() in KEYS:
            key, gesture = KEYS[character.lower()]
            yield Press(at_ns, at_ns, Button(Place.PAGE, key), gesture)


@contextmanager
def pressed(submit: Callable[[Event], None], now_ns: Callable[[], int]) -> Iterator[bool]:
    """Submit a press for each key until the end; False if there is no terminal to read."""
    if not sys.stdin.isatty():
        yield False
        return
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    ending = threading.Event()

    def listen() -> None:
        with contextlib.suppress(OSError):
            while not ending.is_set():
                if select.select([number], [], [], LOOKS_EVERY_S)[0]:
                    read = os.read(number, AT_ONCE)
                    for press in presses_of(read, now_ns()):
                        submit(press)
                    if not read:
                        return

    tty.setcbreak(number)
    thread = threading.Thread(target=listen, name="keys", daemon=True)
    thread.start()
    try:
        yield True
    finally:
        ending.set()
        thread.join(2 * LOOKS_EVERY_S)
        termios.tcsetattr(number, termios.TCSADRAIN, before)
