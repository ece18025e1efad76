"""Pins through gpiozero, by the factory that the config names and by no other.

gpiozero would try its factories one after the other and only warn; a board that fell back to
one with other timing, or to none, would look well and score badly. So the factory is chosen
in words, and what it lacks ends the start with its remedy. gpiozero and the library behind
the factory are imported when they are needed, not before.

Ticks. Every factory's ``when_changed`` is called with ``(ticks, state)``, and ticks are seconds
of the monotonic clock as a float in all of them (gpiozero 2.0.1): lgpio divides the kernel's
interrupt stamp by 10**9; RPi.GPIO, native and mock read ``time.monotonic`` when the callback
runs. So does rpi-lgpio, though lgpio hands it the kernel's stamp: the callbacks of RPi.GPIO,
whose place it takes, have no room for one. A float holds ticks exactly for three weeks of uptime,
within a nanosecond for a hundred days.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, Protocol

from jackspot.inputs.errors import (
    GpioError,
    GpioLibraryMissing,
    GpioRefused,
    PinBusy,
    PinUnusable,
    UnknownPi,
)
from jackspot.inputs.pins import Pull, Wire
from jackspot.inputs.stamps import Stamps


class GpioFactory(StrEnum):
    """What reaches the pins: gpiozero's factories, by their names in the config."""

    LGPIO = "lgpio"
    """The kernel's character device; any Raspberry Pi. The reference board's."""
    RPIGPIO = "rpigpio"
    """RPi.GPIO (Pi 4 and older) or its stand-in rpi-lgpio."""
    NATIVE = "native"
    """gpiozero's own, without a library; Pi 4 and older, and 100 wake-ups a second."""
    MOCK = "mock"
    """No pins at all: for a desk without a Pi."""


_REMEDIES = {
    GpioFactory.LGPIO: "sudo apt install python3-lgpio, or pip install 'jackspot[pi]'",
    GpioFactory.RPIGPIO: "sudo apt install python3-rpi-lgpio, or on a Pi 4 or older "
    "pip install 'jackspot[pi-legacy]'",
    GpioFactory.NATIVE: 'choose [gpio] factory = "lgpio"',
    GpioFactory.MOCK: "install gpiozero again",
}

_TELL_LEVELS = (GpioFactory.LGPIO, GpioFactory.MOCK)
"""Factories that pass on what the interrupt saw, instant and level. The others read the level
and the clock when they get round to it, so an edge that they lose cannot be noticed."""

_PULLS = {Pull.UP: "up", Pull.DOWN: "down", Pull.NONE: "floating"}


class Pin(Protocol):
    """What we use of a gpiozero pin."""

    edges: str
    state: Any
    when_changed: Callable[[float, int], None] | None
    """Kept by gpiozero as a weak reference only: the caller must hold what it sets."""

    def input_with_pull(self, pull: str) -> None:
        """Make it an input with this pull: ``up``, ``down`` or ``floating``."""


class PinFactory(Protocol):
    """What we use of a gpiozero pin factory."""

    pins: dict[Any, Any]

    def pin(self, name: int) -> Pin:
        """Give the pin of a GPIO number."""

    def close(self) -> None:
        """Let go of every pin."""


class Gpio:
    """The pins of one board. ``factory`` is gpiozero's, for its output devices.

    ``failures`` are what the library behind it raises when the system refuses.
    """

    def __init__(
        self,
        factory: PinFactory,
        kind: GpioFactory,
        failures: tuple[type[Exception], ...] = (),
    ) -> None:
        from gpiozero.exc import GPIOZeroError

        self.factory = factory
        self.kind = kind
        self._failures = (GPIOZeroError, OSError, RuntimeError, ValueError, *failures)

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """What using a pin can raise."""
        return self._failures

    @property
    def stamps(self) -> Stamps:
        """Who stamps an edge."""
        return Stamps.KERNEL if self.kind in _TELL_LEVELS else Stamps.ARRIVAL

    @property
    def tells_levels(self) -> bool:
        """Whether an edge comes with the level it went to, and not with the one read later."""
        return self.kind in _TELL_LEVELS

    def input(self, wire: Wire) -> Pin:
        """Claim a wire's pin as an input with its pull, ready to report both edges.

        Raises :class:`PinBusy` or :class:`PinUnusable`.
        """
        try:
            pin = self.factory.pin(wire.gpio)
            pin.input_with_pull(_PULLS[wire.pull])
            pin.edges = "both"
        except self._failures as failure:
            raise _explained(wire, failure) from failure
        if self.kind is GpioFactory.NATIVE:
            # The native factory looks a changed pin up by its number but keeps it by its
            # description, so no edge would ever arrive (gpiozero issue 1137).
            self.factory.pins[wire.gpio] = pin
        return pin

    def close(self) -> None:
        """Let go of every pin."""
        self.factory.close()


def _explained(wire: Wire, failure: Exception) -> GpioError:
    place = f"{wire.name} on GPIO {wire.gpio}"
    words = str(failure)
    if "busy" in words.lower():
        return PinBusy(
            f"{place} is held by another program or by the kernel ({words}); stop the other "
            "program, or free the pin in /boot/firmware/config.txt, or choose another GPIO"
        )
    return PinUnusable(f"{place} cannot be an input with pull {wire.pull}: {words}")


def open_gpio(kind: GpioFactory, chip: int | None = None) -> Gpio:
    """Open the pins by the named factory; ``chip`` is lgpio's, None: as the model has it.

    Raises :class:`GpioLibraryMissing`, :class:`UnknownPi` or :class:`GpioRefused`.
    """
    from gpiozero.exc import PinUnknownPi

    try:
        return _OPENERS[kind](chip)
    except ModuleNotFoundError as failure:
        raise GpioLibraryMissing(
            f'[gpio] factory = "{kind}": the Python module {failure.name} is not installed; '
            f"{_REMEDIES[kind]}"
        ) from failure
    except PinUnknownPi as failure:
        raise UnknownPi(
            f'[gpio] factory = "{kind}": this is no Raspberry Pi that gpiozero knows '
            f'({failure}); without a Pi choose factory = "mock", or start `jackspot sim`'
        ) from failure
    except (ImportError, RuntimeError) as failure:
        raise GpioLibraryMissing(
            f'[gpio] factory = "{kind}" does not work on this machine: {failure}; {_REMEDIES[kind]}'
        ) from failure
    except OSError as failure:
        raise GpioRefused(
            f'[gpio] factory = "{kind}": {failure}; '
            "the user needs the group gpio: sudo usermod -aG gpio USER, then log in again"
        ) from failure


def _lgpio(chip: int | None) -> Gpio:
    from gpiozero.pins.lgpio import LGPIOFactory
    from lgpio import error

    try:
        return Gpio(LGPIOFactory(chip=chip), GpioFactory.LGPIO, (error,))
    except error as failure:
        name = "/dev/gpiochip*" if chip is None else f"/dev/gpiochip{chip}"
        raise OSError(f"cannot open {name}: {failure}") from failure


def _rpigpio(_chip: int | None) -> Gpio:
    from gpiozero.pins.rpigpio import RPiGPIOFactory

    return Gpio(RPiGPIOFactory(), GpioFactory.RPIGPIO)


def _native(_chip: int | None) -> Gpio:
    from gpiozero.pins.native import NativeFactory

    return Gpio(NativeFactory(), GpioFactory.NATIVE)


def _mock(_chip: int | None) -> Gpio:
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    return Gpio(MockFactory(pin_class=MockPWMPin), GpioFactory.MOCK)


_OPENERS: dict[GpioFactory, Callable[[int | None], Gpio]] = {
    GpioFactory.LGPIO: _lgpio,
    GpioFactory.RPIGPIO: _rpigpio,
    GpioFactory.NATIVE: _native,
    GpioFactory.MOCK: _mock,
}
