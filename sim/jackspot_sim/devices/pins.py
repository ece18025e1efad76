"""Simulated pins: gpiozero's mock factory on virtual time.

The firmware opens these through the same gpiozero interface as real ones and cannot tell the
difference: levels, pulls and edges are the mock's own. Only time is added. The mock stamps a
change with the machine's clock; here whoever drives a pin gives the virtual instant, and
``when_changed`` is called with exactly that. Outputs (lamps, the buzzer) are reported to
a listener, with the tone's frequency.

Nothing here knows what a pin is for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

from gpiozero.exc import GPIOPinInUse
from gpiozero.pins.mock import MockFactory, MockPWMPin, PinState
from msgspec import Struct

from jackspot.inputs.factory import Gpio, GpioFactory

NS_PER_TICK = 1_000_000_000
"""gpiozero's ticks are seconds."""

REVISION = "a02082"
"""The Pi that is simulated: a 3B, as gpiozero's own mock."""

KEPT_STATES = 64
"""How many of its last states a pin remembers."""


class OutputChange(Struct, frozen=True):
    """An output took a new value: 0 or 1, or a duty cycle with its tone's frequency."""

    at_ns: int
    gpio: int
    value: float
    frequency_hz: float | None


OutputListener = Callable[[OutputChange], None]


class SimPin(MockPWMPin):
    """One pin. The world's side of it is :meth:`SimFactory.drive`, the rest the firmware's."""

    _state: float

    @property
    def gpio(self) -> int:
        """The pin's GPIO number."""
        return int(self._number)

    def world_sets(self, level: bool) -> None:
        """Put an input at a level; it stays there whatever pull the firmware asks for."""
        if self.function != "input":
            raise RuntimeError(f"{self!r} is an output; only inputs can be driven from outside")
        if level:
            self.drive_high()
        else:
            self.drive_low()

    def clear_states(self) -> None:
        """Forget past states; see gpiozero's MockPin."""
        self._last_change = self._factory.ticks()
        self.states = deque([PinState(0.0, self._state)], maxlen=KEPT_STATES)

    def _change_state(self, value: float) -> bool:
        if self._state == value:
            return False
        ticks = self._factory.ticks()
        self._state = value
        self.states.append(PinState(ticks - self._last_change, value))
        self._last_change = ticks
        if self.function == "output":
            self._factory.report(self)
        return True

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        level = self._factory.level(self._number)
        if level is not None:
            self.world_sets(level)

    def _set_frequency(self, value: float | None) -> None:
        before = self.frequency
        super()._set_frequency(value)
        if self.function == "output" and value != before:
            self._factory.report(self)


class SimFactory(MockFactory):
    """The pins of one simulated board. ``clock`` gives the virtual instant.

    What the world drives outlives :meth:`close`: a firmware that starts anew on the same
    factory finds every level as it is.
    """

    def __init__(
        self, clock: Callable[[], int], on_output: OutputListener = lambda _change: None
    ) -> None:
        super().__init__(revision=REVISION, pin_class=SimPin)
        self._clock = clock
        self._on_output = on_output
        self._levels: dict[int, bool] = {}
        self._burnt: set[int] = set()
        self._found: dict[int, object] = {}
        self._driving_ns: int | None = None

    def drive(self, gpio: int, level: bool, at_ns: int) -> None:
        """Put an input at a level at a virtual instant: an edge, if that changes it.

        The firmware's callback runs before this returns, on this thread. RuntimeError for a
        pin that the firmware uses as an output.
        """
        self._levels[gpio] = level
        self._driving_ns = at_ns
        try:
            self.pin(gpio).world_sets(level)
        finally:
            self._driving_ns = None

    def burn(self, gpio: int) -> None:
        """Break an output pin: opening it reports from now on that it does not answer."""
        self._burnt.add(gpio)

    def pin(self, name: int, **kwargs: Any) -> Any:
        """Return a pin, as gpiozero asks for it; GPIOPinInUse where it is broken."""
        pin = self.pins.get(self._found.get(name))
        if pin is None:  # gpiozero looks through the whole header for one
            pin = super().pin(name, **kwargs)
            self._found[name] = pin.info
        if pin.gpio in self._burnt:
            raise GPIOPinInUse(f"GPIO{pin.gpio} does not answer")
        return pin

    def level(self, gpio: int) -> bool | None:
        """Return the level the world holds a pin at, None where it leaves it to the pull."""
        return self._levels.get(gpio)

    def report(self, pin: SimPin) -> None:
        """Tell the listener what an output does now."""
        change = OutputChange(self._now_ns(), pin.gpio, float(pin.state), pin.frequency)
        self._on_output(change)

    def ticks(self) -> float:
        """Return the virtual instant in gpiozero's unit, seconds."""
        return self._now_ns() / NS_PER_TICK

    def _now_ns(self) -> int:
        return self._clock() if self._driving_ns is None else self._driving_ns


def sim_gpio(factory: SimFactory) -> Gpio:
    """Return simulated pins as the firmware's inputs and displays take them."""
    return Gpio(factory, GpioFactory.MOCK)
