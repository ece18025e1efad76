"""How fast the simulated table's time passes, and whether a show is paused."""

from __future__ import annotations

from collections.abc import Callable

from jackspot_sim.browser.show_me import Audience
from jackspot_sim.clock import SimClock

STANDING = 1e-9
"""The speed of a paused clock: one second of the table's time in thirty years."""


class Pace:
    """The speed that the page asks for, kept across the clocks of successive boards.

    ``show_speed`` is how fast a show of the ``audience`` runs; None: as the page says.
    ``changed`` is called when the speed of time changes.
    """

    def __init__(
        self, audience: Audience, changed: Callable[[], None], show_speed: float | None = None
    ) -> None:
        self._audience = audience
        self._changed = changed
        self._show_speed = show_speed
        self._asked = 1.0
        self._paused = False
        self._clock = SimClock(self._asked)

    @property
    def asked(self) -> float:
        """How many times as fast as real time the page has asked for."""
        return self._asked

    @property
    def paused(self) -> bool:
        """Whether the show is paused."""
        return self._paused

    @property
    def speed(self) -> float:
        """How fast the table runs, or would run if it were not paused."""
        return self._usual if self._paused else self._clock.speed or self._asked

    def next_clock(self, *, staged: bool) -> SimClock:
        """Start the clock of another board; ``staged``: a show with a referee is played on it."""
        self._paused = False
        self._clock = SimClock(self._show_speed or self._asked if staged else self._asked)
        return self._clock

    def ask(self, speed: float) -> None:
        """Run the table at this many times real time."""
        self._asked = speed
        self._clock.set_speed(STANDING if self._paused else speed)
        self._changed()

    def pause(self) -> None:
        """Stop time."""
        self._paused = True
        self._clock.set_speed(STANDING)
        self._changed()

    def go_on(self) -> None:
        """Let time pass again."""
        self._paused = False
        self._clock.set_speed(self._usual)
        self._changed()

    @property
    def _usual(self) -> float:
        """How fast the table runs while it is not paused."""
        shows = self._audience.referee is not None
        return self._show_speed or self._asked if shows else self._asked
