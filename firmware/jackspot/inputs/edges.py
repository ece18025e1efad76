"""Raw edges of input wires, each with the instant that the pin itself stamped.

No ``gpiozero.Button`` (its hold thread polls ten times a second) and no ``bounce_time`` (its
filters swallow a whole fall): what is bounce and what is a press is decided by the table, from
these edges. Nothing is filtered here.

Theory of operation. gpiozero calls back on a thread of its own, so a callback does as little as
it can: one value, one ``submit``. It keeps the callback as a weak reference only, which is why
:class:`Inputs` holds every :class:`_Input` for as long as it is open.

Lost edges. Nobody tells us of an edge that the kernel or a library dropped, but it can be seen.
Where the factory says of each edge which way it went, two of the same kind in a row have lost
the one between: it is put back, so that what was sensed is neither lost nor one piece for two.
An edge lost at the end leaves the wire otherwise than was told: the loop calls :meth:`Inputs.look`
now and then, more often soon after an edge, and a level that contradicts the last edge twice, a
tenth of a second apart with no edge between, becomes an edge too. So no beam stays blocked and no
button held that is not. Each loss is a fault that counts what can be seen; of an even number that
was dropped together nothing can.
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
"""gpiozero's ticks are seconds; see :mod:`jackspot.inputs.factory`."""

SHORTEST_NS = 2_000_000
"""How long a wire is taken to have been active where only its end was told: what just counts."""

DOUBT_NS = 100_000_000
"""For how long a level must contradict the last edge: drivers pass an edge on much sooner."""

FIRST_LOOK_NS = 250_000_000
LAST_LOOK_NS = 10_000_000_000
"""How soon an active wire is looked at, and how often at least; between them whenever it has
been active half as long again."""

TOLD_EVERY_NS = 1_000_000_000
"""A wire that goes on losing edges says so once a second."""


class InputsPort(Protocol):
    """The wires that come in, as the loop knows them."""

    def start(self) -> Collection[Pocket | Button]:
        """Watch the wires; give those that are active already."""

    def look(self, now_ns: int) -> int | None:
        """Submit what the wires' levels say that no edge said; give when to look again."""

    def close(self) -> None:
        """Let go of the wires."""


class _Input:
    """One wire that is listened to. Edges come on the library's thread, looks on the loop's."""

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
        """Report edges from now on. Gives the level they start from, read once they come."""
        self._pin.when_changed = self._changed
        active = self.active()
        with self._gate:
            if self._level is None:
                self._level, self._since_ns = active, self._now_ns()
        return active

    def stop(self) -> None:
        self._pin.when_changed = None

    def look(self, now_ns: int) -> int | None:
        """Compare the wire with what was told of it; give when to look again, None: no need."""
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
        """Return whether an edge must have been lost since the last one; a first doubt waits."""
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
            # An edge from before the wire was first read is no repetition of what was read.
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
        # The wall clock may be set back between two edges; the order they came in stays.
        self._moved_ns = max(on_our_clock(stamp_ns, now_ns, time.time_ns()), self._moved_ns)
        return self._moved_ns

    def _tell(self, now_ns: int) -> None:
        """Raise the fault of edges that were lost, but not too often."""
        with self._gate:
            soon = self._told_ns is not None and now_ns < self._told_ns + TOLD_EVERY_NS
            if self._lost == self._told or soon:
                return
            self._told, self._told_ns, lost = self._lost, now_ns, self._lost
        self._submit(
            lost_edges(now_ns, self._source, lost, "the kernel dropped them, perhaps more")
        )


class Inputs:
    """Some input wires of one board: claimed, listened to, and let go of at the end.

    A wire whose pin cannot be had becomes a fault, not the end of the board: a match can be
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
        """Submit every edge from now on. Gives the levels at the start, True: active.

        What is active here (a blocked beam, a button held down) gave no edge and gives one
        only when it is let go.
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
        """Find edges that were lost, by reading the wires; give when to look again, if at all."""
        looks = [found.look(now_ns) for found in self._inputs.values()]
        return min((at_ns for at_ns in looks if at_ns is not None), default=None)

    def close(self) -> None:
        """Stop listening. The pins stay the factory's, which lets go of them."""
        for found in self._inputs.values():
            found.stop()
