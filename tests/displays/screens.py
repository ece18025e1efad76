"""Displays in memory that can be slow, absent, unplugged or broken, and what they remember."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from jackspot.dialogue.state.view import BoardView, Sound
from jackspot.displays.errors import DisplayError
from jackspot.displays.thread import DisplayThread, Retry
from tests.conftest import PATIENCE_S

SOON = Retry(first_ns=1_000_000, longest_ns=4_000_000)


class Journal:
    """Remembers what happened, and lets a test wait for it."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.entries: list[Any] = []

    def add(self, entry: Any) -> None:
        with self._changed:
            self.entries.append(entry)
            self._changed.notify_all()

    def wait_for(self, true: Callable[[list[Any]], object]) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: true(self.entries), PATIENCE_S), self.entries

    def of(self, kind: type) -> list[Any]:
        with self._changed:
            return [entry for entry in self.entries if isinstance(entry, kind)]


class Screen:
    """A display in memory that can be slow, absent, unplugged or broken by a mistake."""

    name = "screen"

    def __init__(self) -> None:
        self.log = Journal()
        self.gate = threading.Event()
        self.gate.set()
        self.entered = threading.Event()
        self.plugged = True
        self.mistake = False
        self.open_now = False
        self.picture: BoardView | None = None

    def open(self) -> None:
        self.log.add("open")
        if not self.plugged:
            raise DisplayError("nothing at 0x3c")
        self.open_now = True
        self.picture = None

    def show(self, view: BoardView) -> None:
        assert self.open_now
        self.entered.set()
        self.gate.wait(PATIENCE_S)
        if self.mistake:
            raise ZeroDivisionError("a mistake of ours")
        if not self.plugged:
            raise DisplayError("write failed")
        self.picture = view
        self.log.add(view)

    def close(self) -> None:
        self.open_now = False
        self.log.add("close")


class Speaker(Screen):
    name = "speaker"

    def play(self, sound: Sound) -> None:
        self.entered.set()
        self.gate.wait(PATIENCE_S)
        if not self.plugged:
            raise DisplayError("no answer")
        self.log.add(sound)


class Picky(Screen):
    """Shows one side's count and nothing else; it makes a mistake when asked about an eighth."""

    name = "picky"

    def cares(self, view: BoardView) -> object:
        count = view.sides[0].pocketed
        return count, 1 / (8 - count)


class Hanging(Screen):
    name = "hanging"

    def interrupt(self) -> None:
        self.log.add("interrupt")
        self.gate.set()


class Anxious(Screen):
    """Wants to be tended after a rest: at once, or never."""

    name = "anxious"
    rest: int | None = 0

    def rest_ns(self) -> int | None:
        return self.rest if self.open_now and self.picture is not None else None

    def tend(self) -> None:
        self.log.add("tend")
        if not self.plugged:
            raise DisplayError("no answer")


Start = Callable[..., DisplayThread]


class Clock:
    """Virtual time."""

    now_ns = 0

    def __call__(self) -> int:
        return self.now_ns


def is_interrupted(thread: DisplayThread) -> bool:
    """Stop a thread whose display would be busy for an hour; return whether it ended nevertheless.

    On a busy machine it may end somewhat after it was interrupted.
    """
    return thread.stop(1.0) or thread.stop(PATIENCE_S)
