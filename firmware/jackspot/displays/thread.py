"""Keeps a display showing the newest view, without ever delaying the game.

Theory of operation. A display is *closed*, *well* or *broken*. The game posts views and
sounds; posting stores a value under a lock that is never held while a display works, so it
takes microseconds whatever state the display is in. The display's own thread takes the
newest view (older ones are skipped, never queued) and shows it::

    closed --open, show--> well --DisplayError--> broken --wait, open, show whole--> well

- While the display is well and idle, the thread sleeps. It has a timeout only if a clock runs,
  which the thread redraws each second on its own, or if the display asks to be tended
  (:class:`Tended`): after some seconds without a view it checks whether its device is there. A
  view in which nothing changed that this display shows (:class:`Choosy`) does not wake the thread,
  nor does a clock that it does not show.
- A broken display has been closed and is tried again after a wait that doubles up to a bound. Only
  then does a timer run. The wait is short again once the display has been well for a while, so
  that one with a loose plug cannot keep the machine busy.
- One fault is reported when the display breaks, and one clearing when it shows a view again. A
  display calls nothing else: it never reaches into the game.
- An exception that no display should raise is a fault like any other, and is logged with its
  traceback, as it is a bug.
- Stopping shows the view that is still waiting, closes the display and ends the thread. A display
  that hangs is left behind: its thread is a daemon and does not keep the process alive.

This module owns threads and locks; it may not know any library of any display.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Protocol, runtime_checkable

from msgspec import Struct

from jackspot.dialogue.state.view import BoardView, ClockView, Sound
from jackspot.displays.errors import DisplayError
from jackspot.sensing.events import FaultCleared, FaultRaised
from jackspot.values import changed

_logger = logging.getLogger(__name__)

Report = Callable[[FaultRaised | FaultCleared], None]
"""Takes a fault to the board's queue; called on the display's thread."""

Clock = Callable[[], int]
"""Returns the monotonic time in nanoseconds."""

SOUNDS_KEPT = 4
"""The most sounds that wait while another is played; beyond that the oldest are dropped."""

TICKS_AFTER_NS = 15_000_000
"""How long after a clock's second it is shown: what the board does at that instant, such as noting
the clock, comes first, and neither waits for the other."""

STOP_TIMEOUT_S = 1.0
"""How long stopping waits for a display that is busy."""


class Display(Protocol):
    """Something that shows the board. All calls come from one thread, never two at once.

    Each method raises :class:`DisplayError` when the device does not answer; ``close`` is
    called afterwards, and ``open`` starts anew. ``close`` may be called at any time.
    """

    @property
    def name(self) -> str:
        """The display's name in the config and in faults."""
        ...

    def open(self) -> None:
        """Connect to the device and forget what it showed: the next view is drawn whole."""
        ...

    def show(self, view: BoardView) -> None:
        """Show the view; send only what differs from what the device shows."""
        ...

    def close(self) -> None:
        """Release the device. Never raises for a device that is gone."""
        ...


@runtime_checkable
class SoundingDisplay(Protocol):
    """A display that can also make a noise."""

    def play(self, sound: Sound) -> None:
        """Play one sound; returns when it has ended."""
        ...


@runtime_checkable
class Choosy(Protocol):
    """A display that shows only part of a view, and sleeps through changes of the rest."""

    def cares(self, view: BoardView) -> object:
        """Return that part as a small value; a view with an equal value need not be shown.

        Called on the game's thread with every view, so it must be quick and not use the device.
        """
        ...


@runtime_checkable
class Tended(Protocol):
    """A display that wants to be called after a while without a view."""

    def rest_ns(self) -> int | None:
        """Return for how long it can be left alone from now, in nanoseconds; None: for ever."""
        ...

    def tend(self) -> None:
        """Do what is due, such as checking whether the device is still there."""
        ...


@runtime_checkable
class Interruptible(Protocol):
    """A display whose slow calls can be cut short from another thread."""

    def interrupt(self) -> None:
        """Make a running call return soon. Never raises, never waits."""
        ...


class Retry(Struct, frozen=True):
    """How long to wait before a broken display is tried again.

    The wait doubles from ``first_ns`` to ``longest_ns``; it starts at ``first_ns`` again
    after the display was well for ``steady_ns``.
    """

    first_ns: int = 250_000_000
    longest_ns: int = 5_000_000_000
    steady_ns: int = 10_000_000_000


_NOTHING_YET = object()
_SHORTEST_REST_S = 0.01
"""The shortest rest, however soon a display wants to be tended: its thread never spins."""


class _Keeper:
    """Opens, shows and recovers one display. It has no thread of its own and never waits."""

    def __init__(self, display: Display, report: Report, clock: Clock, retry: Retry) -> None:
        self._display = display
        self._report = report
        self._clock = clock
        self._retry = retry
        self._is_open = False
        self._shown: BoardView | None = None
        self._part: object = _NOTHING_YET
        self._cares = display.cares if isinstance(display, Choosy) else None
        self._sounding = display if isinstance(display, SoundingDisplay) else None
        self._wait_ns = retry.first_ns
        self._well_since_ns: int | None = None
        self._trouble: DisplayError | None = None
        self._tended = display if isinstance(display, Tended) else None

    @property
    def is_broken(self) -> bool:
        """Whether the last attempt failed."""
        return self._trouble is not None

    def attempt(self, view: BoardView | None, sound: Sound | None) -> int:
        """Open if need be, show and play; return 0, or the nanoseconds to wait after a failure.

        Sounds are for this moment: a display that is being recovered does not play one.
        """
        mending = not self._is_open
        try:
            if mending:
                self._is_open = True
                self._display.open()
            if view is not None and view is not self._shown:
                part = self.part_of(view)
                if part != self._part:
                    self._display.show(view)
                self._shown, self._part = view, part
            if self._tended is not None and self.rest_ns() == 0:
                self._tended.tend()
            if sound is not None and not mending and self._sounding is not None:
                self._sounding.play(sound)
        except DisplayError as error:
            return self._broke(error)
        except Exception as error:
            _logger.exception("display %s failed in a way it should not", self._display.name)
            return self._broke(DisplayError(f"{type(error).__name__}: {error}"))
        self._is_well()
        return 0

    @property
    def plays(self) -> bool:
        """Whether the display can make a noise."""
        return self._sounding is not None

    def part_of(self, view: BoardView) -> object:
        """Return what the display shows of a view; a failure is handled when the view is shown."""
        if self._cares is None:
            return object()
        try:
            return self._cares(view)
        except Exception:
            _logger.exception("display %s cannot say what it shows", self._display.name)
            return object()

    def rest_ns(self) -> int | None:
        """Return for how long the display can be left alone, in nanoseconds; None: for ever."""
        if self._tended is None:
            return None
        try:
            return self._tended.rest_ns()
        except Exception:
            _logger.exception("display %s cannot say how long it can rest", self._display.name)
            return None

    def close(self) -> None:
        """Close the display whatever state it is in."""
        if not self._is_open:
            return
        self._is_open = False
        self._shown, self._part = None, _NOTHING_YET
        try:
            self._display.close()
        except Exception:
            _logger.exception("display %s could not be closed", self._display.name)

    def _broke(self, error: DisplayError) -> int:
        now_ns = self._clock()
        self.close()
        before = self._trouble
        if before is None:
            since_ns = self._well_since_ns
            if since_ns is not None and now_ns - since_ns >= self._retry.steady_ns:
                self._wait_ns = self._retry.first_ns
        if str(error) != str(before):
            again = "" if before is None else "still "
            _logger.warning("display %s is %snot well: %s", self._display.name, again, error)
        if before is not None and before.trouble is not error.trouble:
            self._say(FaultCleared(now_ns, self._display.name, before.trouble))
        if before is None or before.trouble is not error.trouble:
            self._say(FaultRaised(now_ns, self._display.name, error.trouble, str(error)))
        self._trouble = error
        wait_ns = self._wait_ns
        self._wait_ns = min(2 * wait_ns, self._retry.longest_ns)
        return wait_ns

    def _is_well(self) -> None:
        if self._trouble is not None:
            over, self._trouble = self._trouble, None
            _logger.info("display %s is well again", self._display.name)
            self._well_since_ns = self._clock()
            self._say(FaultCleared(self._well_since_ns, self._display.name, over.trouble))
        elif self._well_since_ns is None:
            self._well_since_ns = self._clock()

    def _say(self, event: FaultRaised | FaultCleared) -> None:
        try:
            self._report(event)
        except Exception:
            _logger.exception("the board did not take %r", event)


class DisplayThread:
    """A display with a thread and a mailbox that holds only the newest view.

    ``report`` is called on the display's thread, stamped by ``clock``. The waits between attempts
    to recover a display are in real time, whatever ``clock`` says. ``counts``: the thread shows
    each second of a clock on its own, which needs a ``clock`` of real time.
    """

    def __init__(
        self,
        display: Display,
        report: Report,
        clock: Clock = time.monotonic_ns,
        retry: Retry | None = None,
        *,
        counts: bool = True,
    ) -> None:
        self._display = display
        self._clock = clock
        self._keeper = _Keeper(display, report, clock, retry or Retry())
        self._counts = counts
        self._mail = threading.Condition()
        # All below are guarded by ``_mail``.
        self._cared: object = _NOTHING_YET
        self._view: BoardView | None = None
        self._ticks_at_ns: int | None = None
        self._sounds: deque[Sound] = deque(maxlen=SOUNDS_KEPT)
        self._posted = 0
        self._done = 0
        self._is_broken = False
        self._is_stopping = False
        self._thread = threading.Thread(
            target=self._run, name=f"display-{display.name}", daemon=True
        )

    @property
    def name(self) -> str:
        """The display's name."""
        return self._display.name

    def start(self) -> None:
        """Start the thread; it opens the display, and reports a fault if it cannot."""
        self._thread.start()

    def post(self, view: BoardView) -> None:
        """Show this view as soon as possible, instead of any that still waits."""
        cared = self._keeper.part_of(view)
        ticks_at_ns = self._first_tick_of(view, cared)
        with self._mail:
            begins = ticks_at_ns is not None and self._ticks_at_ns is None
            self._view, self._ticks_at_ns = view, ticks_at_ns
            if cared == self._cared and not begins:
                return
            self._cared = cared
            self._posted += 1
            self._mail.notify_all()

    def _first_tick_of(self, view: BoardView, cared: object) -> int | None:
        """Return when a clock that the display shows ticks next; None: it shows none that runs."""
        ticks_at_ns = view.ticks_at_ns if self._counts else None
        if ticks_at_ns is None:
            return None
        without = changed(view, clock=ClockView(), shot=None)
        return None if self._keeper.part_of(without) == cared else ticks_at_ns

    def post_sound(self, sound: Sound) -> None:
        """Play this sound, if the display can, after the few that may still be waiting."""
        if not self._keeper.plays:
            return
        with self._mail:
            self._sounds.append(sound)
            self._posted += 1
            self._mail.notify_all()

    def drain(self, timeout_s: float = STOP_TIMEOUT_S) -> bool:
        """Wait until what was posted so far has been shown.

        Return False if the display is broken, was stopped, or takes longer than ``timeout_s``.
        """
        with self._mail:
            goal = self._posted
            self._mail.wait_for(
                lambda: self._done >= goal or self._is_broken or self._is_stopping, timeout_s
            )
            return self._done >= goal and not self._is_broken

    def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> bool:
        """Show what waits, close the display, end the thread.

        Return False if the display is still busy after ``timeout_s``; it is then left behind and
        ends with the process. A call that takes more than half of that time is interrupted.
        """
        with self._mail:
            self._is_stopping = True
            self._sounds.clear()
            self._mail.notify_all()
        if not self._thread.is_alive():
            return True
        self._thread.join(timeout_s / 2)
        if isinstance(self._display, Interruptible) and self._thread.is_alive():
            self._display.interrupt()
        self._thread.join(timeout_s / 2)
        return not self._thread.is_alive()

    def _run(self) -> None:
        goal = 0
        wait_ns = self._keeper.attempt(None, None)
        while True:
            with self._mail:
                if not wait_ns:
                    self._done = goal
                self._is_broken = self._keeper.is_broken
                self._mail.notify_all()
                if wait_ns:
                    self._mail.wait_for(lambda: self._is_stopping, wait_ns / 1e9)
                    if self._is_stopping:
                        break
                    self._sounds.clear()  # their moment has passed
                elif not self._await_mail():
                    break
                view = self._view = self._ticked()
                sound = self._sounds.popleft() if self._sounds else None
                goal = self._done if self._sounds else self._posted
            wait_ns = self._keeper.attempt(view, sound)
        self._keeper.close()

    def _await_mail(self) -> bool:
        """Sleep until there is something to do; False when there is nothing more to show."""
        rest_ns = self._keeper.rest_ns()
        if self._ticks_at_ns is not None:
            tick_ns = max(0, self._ticks_at_ns + TICKS_AFTER_NS - self._clock())
            rest_ns = tick_ns if rest_ns is None else min(rest_ns, tick_ns)
        rest_s = None if rest_ns is None else max(rest_ns / 1e9, _SHORTEST_REST_S)
        self._mail.wait_for(lambda: self._is_stopping or self._done < self._posted, rest_s)
        return self._done < self._posted or not self._is_stopping

    def _ticked(self) -> BoardView | None:
        """Return the view to show, with its clocks as they are now if one has ticked."""
        view, now_ns = self._view, self._clock()
        if view is None or self._ticks_at_ns is None or now_ns < self._ticks_at_ns:
            return view
        view = view.at(now_ns)
        self._ticks_at_ns = view.ticks_at_ns
        self._cared = _NOTHING_YET  # what was posted is not what is shown any more
        return view


class DirectDisplay:
    """A display without a thread, for runs in virtual time that must be reproducible.

    Each view is shown before ``post`` returns. A broken display is tried again with the
    first post after its wait, measured by ``clock``.
    """

    def __init__(
        self, display: Display, report: Report, clock: Clock, retry: Retry | None = None
    ) -> None:
        self._display = display
        self._clock = clock
        self._keeper = _Keeper(display, report, clock, retry or Retry())
        self._retry_at_ns = 0
        self._view: BoardView | None = None

    @property
    def name(self) -> str:
        """The display's name."""
        return self._display.name

    def start(self) -> None:
        """Open the display, and report a fault if it does not answer."""
        self._attempt(None)

    def post(self, view: BoardView) -> None:
        """Show this view now, or keep it for a display that is broken."""
        self._view = view
        self._attempt(None)

    def post_sound(self, sound: Sound) -> None:
        """Play this sound now, if the display can and is well."""
        if self._keeper.plays:
            self._attempt(sound)

    def drain(self, timeout_s: float = STOP_TIMEOUT_S) -> bool:
        """Return whether the last view is shown: False if the display is broken."""
        del timeout_s  # nothing is ever waiting
        return not self._keeper.is_broken

    def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> bool:
        """Close the display."""
        del timeout_s  # nothing is ever waiting
        self._keeper.close()
        return True

    def _attempt(self, sound: Sound | None) -> None:
        if self._keeper.is_broken and self._clock() < self._retry_at_ns:
            return
        wait_ns = self._keeper.attempt(self._view, sound)
        self._retry_at_ns = self._clock() + wait_ns
