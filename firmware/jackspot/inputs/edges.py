"""Raw edges of input wires, each with the instant that the pin itself stamped it with.

``gpiozero.Button`` is not used (its hold thread polls ten times a second), nor is ``bounce_time``
(its filters swallow a whole fall): the table decides from these edges what is bounce and what is a
press. Nothing is filtered here.

Theory of operation. gpiozero calls back on a thread of its own, so a callback does as little as
possible: one value, one ``submit``. gpiozero keeps only a weak reference to the callback, which is
why :class:`Inputs` holds every :class:`_Input` for as long as it is open.

Lost edges. The kernel or a library may drop an edge without a report, but a loss can be detected:

- If the factory says which way each edge went, two of the same kind in a row have lost the one
  between. It is put back, so that nothing sensed is lost and two pieces do not become one.
- If the last edge is lost, the wire's level differs from what was reported. The loop calls
  :meth:`Inputs.look` now and then, more often soon after an edge. A level that contradicts the last
  edge twice, a tenth of a second apart with no edge between, becomes an edge too. So no beam stays
  blocked and no button held that is not.

Each loss is a fault that counts what can be detected; an even number of edges that were dropped
together cannot.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Protocol

from jackspot.core.pieces import Pocket
from jackspot.inputs.crowding import lost_edges
from jackspot.inputs.errors import GpioError
from jackspot.inputs.factory import Gpio, Pin
from jackspot.inputs.pins import Active, Wire
from jackspot.inputs.stamps import FAR_NS, on_our_clock
from jackspot.sensing.events import Button, Edge, Event, FaultRaised, Stamps, Trouble

Submit = Callable[[Event], None]

NS_PER_TICK = 1_000_000_000
"""Nanoseconds in a gpiozero tick, which is a second; see :mod:`jackspot.inputs.factory`."""

SHORTEST_NS = 2_000_000
"""How long a wire is assumed active if only the end was reported: just enough to count."""

DOUBT_NS = 100_000_000
"""How long a level must contradict the last edge: drivers pass an edge on much sooner."""

FIRST_LOOK_NS = 250_000_000
LAST_LOOK_NS = 10_000_000_000
"""How soon an active wire is first read, and how often at least; in between, whenever it has been
active half as long again."""

TOLD_EVERY_NS = 1_000_000_000
"""A wire that keeps losing edges reports it once a second."""


class InputsPort(Protocol):
    """The input wires, as the loop knows them."""

    def start(self) -> Collection[Pocket | Button]:
        """Watch the wires; return those that are active already."""

    def look(self, now_ns: int) -> int | None:
        """Submit the changes that only the wires' levels show; return when to look again."""

    def close(self) -> None:
        """Release the wires."""


class _Input:
    """One watched wire. Edges come on the library's thread, looks on the loop's."""

    def __init__(
        self, wire: Wire, source: Pocket | Button, pin: Pin, gpio: Gpio, submit: Submit,
        now_ns: Callable[[], int],
    ) -> None:  # fmt: skip
        self.wire = wire
        self._source = source
        self._pin = pin
        self._gpio = gpio
        self._submit = submit
        self._now_ns = now_ns
        self._gate = threading.Lock()
        self._level: bool | None = None
        self._since_ns = 0
        self._moved_ns = 0
        self._doubt_ns: int | None = None
        self._lost = 0
        self._told = 0
        self._told_ns: int | None = None

    def active(self) -> bool:
        """Read the wire as it is now."""
        return self._means(self._pin.state)

    def listen(self) -> bool:
        """Report edges from now on. Return the level they start from, read once reporting is on."""
        self._pin.when_changed = self._changed
        active = self.active()
        with self._gate:
            if self._level is None:
                self._level, self._since_ns = active, self._now_ns()
        return active

    def stop(self) -> None:
        self._pin.when_changed = None

    def look(self, now_ns: int) -> int | None:
        """Compare the wire with its last edge; return when to look again, None: no need."""
        active = self._read()
        with self._gate:
            if active is None or self._level is None:
                return None
            lost = self._contradicts(active, now_ns)
            again_ns = self._next_look_ns(now_ns)
        if lost:
            self._submit(Edge(now_ns, self._source, active))
        self._tell(now_ns)
        return again_ns

    def _read(self) -> bool | None:
        try:
            return self.active()
        except self._gpio.failures:
            return None

    def _contradicts(self, active: bool, now_ns: int) -> bool:
        """Return whether an edge must have been lost since the last; a first doubt waits."""
        if active is self._level:
            self._doubt_ns = None
            return False
        if self._doubt_ns is None:
            self._doubt_ns = now_ns
        if now_ns - self._doubt_ns < DOUBT_NS:
            return False
        self._level, self._since_ns, self._doubt_ns = active, now_ns, None
        self._lost += 1
        return True

    def _next_look_ns(self, now_ns: int) -> int | None:
        if self._doubt_ns is not None:
            return self._doubt_ns + DOUBT_NS
        if not self._level:
            return None
        age_ns = now_ns - self._since_ns
        return now_ns + min(max(age_ns // 2, FIRST_LOOK_NS), LAST_LOOK_NS)

    def _means(self, level: float) -> bool:
        return bool(level) is (self.wire.active is Active.HIGH)

    def _changed(self, ticks: float, level: int) -> None:
        at_ns, active = round(ticks * NS_PER_TICK), self._means(level)
        if self._gpio.stamps is Stamps.KERNEL:
            at_ns = self._on_our_clock(at_ns)
        with self._gate:
            before_ns = self._since_ns
            # An edge from before the wire was first read does not repeat what was read.
            repeats = self._gpio.tells_levels and active is self._level and at_ns > before_ns
            self._level, self._since_ns = active, at_ns
            self._doubt_ns = None
            self._lost += repeats
        if repeats:
            missing_ns = at_ns if active else max(before_ns, at_ns - SHORTEST_NS)
            self._submit(Edge(min(missing_ns, at_ns), self._source, not active))
        self._submit(Edge(at_ns, self._source, active))
        if repeats:
            self._tell(at_ns)

    def _on_our_clock(self, stamp_ns: int) -> int:
        now_ns = self._now_ns()
        if stamp_ns - now_ns < FAR_NS:
            return stamp_ns
        # The wall clock may be set back between two edges; their order must stay.
        self._moved_ns = max(on_our_clock(stamp_ns, now_ns, time.time_ns()), self._moved_ns)
        return self._moved_ns

    def _tell(self, now_ns: int) -> None:
        """Report the fault of lost edges, but not too often."""
        with self._gate:
            soon = self._told_ns is not None and now_ns < self._told_ns + TOLD_EVERY_NS
            if self._lost == self._told or soon:
                return
            self._told, self._told_ns, lost = self._lost, now_ns, self._lost
        self._submit(
            lost_edges(now_ns, self._source, lost, "the kernel dropped them, perhaps more")
        )


class Inputs:
    """Some input wires of one board: claimed, watched, and released at the end.

    A wire whose pin cannot be claimed is a fault, but does not stop the board: a match can be
    played with any one input dead. ``now_ns`` stamps these faults.
    """

    def __init__(
        self, gpio: Gpio, wires: Iterable[Wire], submit: Submit, now_ns: Callable[[], int]
    ) -> None:
        self._gpio = gpio
        self._submit = submit
        self._now_ns = now_ns
        self._inputs: dict[Pocket | Button, _Input] = {}
        for wire in wires:
            if wire.source is None:
                raise ValueError(f"{wire.name} is an output: only beams and buttons give edges")
            try:
                pin = gpio.input(wire)
            except GpioError as failure:
                self._gone(wire, failure)
            else:
                self._inputs[wire.source] = _Input(wire, wire.source, pin, gpio, submit, now_ns)

    def listen(self) -> Mapping[Pocket | Button, bool]:
        """Submit every edge from now on. Return the levels at the start, True: active.

        A wire that is active here (a blocked beam, a button held down) gave no edge and gives one
        only when it is released.
        """
        levels: dict[Pocket | Button, bool] = {}
        for source, found in list(self._inputs.items()):
            try:
                levels[source] = found.listen()
            except self._gpio.failures as failure:
                del self._inputs[source]
                self._gone(found.wire, self._gpio.explained(found.wire, failure))
        return levels

    def _gone(self, wire: Wire, failure: GpioError) -> None:
        self._submit(FaultRaised(self._now_ns(), wire.name, Trouble.GONE, str(failure)))

    def levels(self) -> Mapping[Pocket | Button, bool]:
        """Read every wire as it is now; True: beam broken, button down."""
        return {source: found.active() for source, found in self._inputs.items()}

    def look(self, now_ns: int) -> int | None:
        """Find lost edges by reading the wires; return when to look again, if at all."""
        looks = [found.look(now_ns) for found in self._inputs.values()]
        return min((at_ns for at_ns in looks if at_ns is not None), default=None)

    def close(self) -> None:
        """Stop watching. The pins stay with the factory, which releases them."""
        for found in self._inputs.values():
            found.stop()
