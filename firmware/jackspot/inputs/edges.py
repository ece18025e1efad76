"""Raw edges of input wires, each with the instant that the pin itself stamped.

No ``gpiozero.Button`` (its hold thread polls ten times a second) and no ``bounce_time`` (its
filters swallow a whole fall): what is bounce and what is a press is decided by the table, from
these edges. Nothing is filtered here, repeats neither: the table puts them in order.

gpiozero calls back on a thread of its own, so a callback does as little as it can: one value,
one ``submit``. It keeps the callback as a weak reference only, which is why :class:`Inputs`
holds every :class:`_Input` for as long as it is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from jackspot.core.pieces import Pocket
from jackspot.inputs.errors import GpioError
from jackspot.inputs.factory import Gpio, Pin
from jackspot.inputs.pins import Active, Wire
from jackspot.table.events import Button, Edge, Event, FaultRaised, Trouble

Submit = Callable[[Event], None]

NS_PER_TICK = 1_000_000_000
"""gpiozero's ticks are seconds; see :mod:`jackspot.inputs.factory`."""


class _Input:
    """One wire that is listened to."""

    def __init__(self, wire: Wire, source: Pocket | Button, pin: Pin, submit: Submit) -> None:
        self._wire = wire
        self._source = source
        self._pin = pin
        self._submit = submit

    def active(self) -> bool:
        """Read the wire as it is now."""
        return self._means(self._pin.state)

    def listen(self) -> bool:
        """Report edges from now on. Gives the level they start from, read once they come."""
        self._pin.when_changed = self._changed
        return self.active()

    def stop(self) -> None:
        self._pin.when_changed = None

    def _means(self, level: float) -> bool:
        return bool(level) is (self._wire.active is Active.HIGH)

    def _changed(self, ticks: float, level: int) -> None:
        at_ns = round(ticks * NS_PER_TICK)
        self._submit(Edge(at_ns, self._source, self._means(level)))


class Inputs:
    """Some input wires of one board: claimed, listened to, and let go of at the end.

    A wire whose pin cannot be had becomes a fault, not the end of the board: a match can be
    played with any one input dead. ``now_ns`` stamps these faults.
    """

    def __init__(
        self, gpio: Gpio, wires: Iterable[Wire], submit: Submit, now_ns: Callable[[], int]
    ) -> None:
        self._inputs: dict[Pocket | Button, _Input] = {}
        for wire in wires:
            if wire.source is None:
                raise ValueError(f"{wire.name} is an output: only beams and buttons give edges")
            try:
                pin = gpio.input(wire)
            except GpioError as failure:
                submit(FaultRaised(now_ns(), wire.name, Trouble.GONE, str(failure)))
            else:
                self._inputs[wire.source] = _Input(wire, wire.source, pin, submit)

    def listen(self) -> Mapping[Pocket | Button, bool]:
        """Submit every edge from now on. Gives the levels at the start, True: active.

        What is active here (a blocked beam, a button held down) gave no edge and gives one
        only when it is let go.
        """
        return {source: found.listen() for source, found in self._inputs.items()}

    def levels(self) -> Mapping[Pocket | Button, bool]:
        """Read every wire as it is now; True: beam broken, button down."""
        return {source: found.active() for source, found in self._inputs.items()}

    def close(self) -> None:
        """Stop listening. The pins stay the factory's, which lets go of them."""
        for found in self._inputs.values():
            found.stop()
