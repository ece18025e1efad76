"""Pins through gpiozero, with the factory that the config names and no other.

gpiozero would try its factories one after the other and only warn. A board that fell back to one
with other timing, or to none, would look well and score badly. So the factory is chosen
explicitly, and if it lacks something, the start fails with the remedy. gpiozero and the library
behind the factory are imported when they are needed, not before.

Ticks. Every factory's ``when_changed`` is called with ``(ticks, state)``, and in all of them ticks
are seconds of the monotonic clock as a float (gpiozero 2.0.1): lgpio divides the kernel's
interrupt stamp by 10**9; RPi.GPIO, native and mock read ``time.monotonic`` when the callback
runs. So does rpi-lgpio, although lgpio gives it the kernel's stamp: the callbacks of RPi.GPIO,
which it replaces, have no room for one. A float holds ticks exactly for three weeks of uptime,
and within a nanosecond for a hundred days.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from jackspot.inputs.errors import (
    GpioError,
    GpioLibraryMissing,
    GpioRefused,
    PinBusy,
    PinUnusable,
    UnknownPi,
)
from jackspot.inputs.line_info import read_line
from jackspot.inputs.pins import Pull, Wire
from jackspot.inputs.remedies import (
    among,
    both_installed,
    files_gone,
    here,
    install_lgpio,
    install_rpi_gpio,
    no_right,
)
from jackspot.sensing.events import Stamps

_logger = logging.getLogger(__name__)


DEVICES = Path("/dev")


class GpioFactory(StrEnum):
    """The libraries that reach the pins: gpiozero's factories, by their names in the config."""

    LGPIO = "lgpio"
    """The kernel's character device, for any Raspberry Pi; used by the reference board."""
    RPIGPIO = "rpigpio"
    """RPi.GPIO (Pi 4 and older) or its stand-in rpi-lgpio."""
    NATIVE = "native"
    """gpiozero's own, without a library, with 100 wake-ups a second; Pi 4 and older."""
    MOCK = "mock"
    """No pins at all, for a dialogue without a Pi."""


_TELL_LEVELS = (GpioFactory.LGPIO, GpioFactory.MOCK)
"""Factories that pass on the interrupt's instant and level. The others read the level and the clock
when they get round to it, so an edge that they lose cannot be noticed."""

_LGPIO_CONSUMER = "lg"
"""The kernel's name for every program that uses lgpio."""

_PULLS = {Pull.UP: "up", Pull.DOWN: "down", Pull.NONE: "floating"}


class Pin(Protocol):
    """The part of a gpiozero pin that the firmware uses."""

    edges: str
    state: Any
    when_changed: Callable[[float, int], None] | None
    """gpiozero keeps only a weak reference: the caller must hold what it sets."""

    def input_with_pull(self, pull: str) -> None:
        """Make it an input with this pull: ``up``, ``down`` or ``floating``."""


class PinFactory(Protocol):
    """The part of a gpiozero pin factory that the firmware uses."""

    pins: dict[Any, Any]

    def pin(self, name: int) -> Pin:
        """Return the pin with a GPIO number."""

    def close(self) -> None:
        """Release every pin."""


class Gpio:
    """The pins of one board. ``factory`` is gpiozero's, for gpiozero's output devices.

    ``failures`` are the errors that the library behind it raises when the system refuses; ``chip``
    is the kernel's device that the pins belong to.
    """

    def __init__(
        self,
        factory: PinFactory,
        kind: GpioFactory,
        failures: tuple[type[Exception], ...] = (),
        chip: str = "/dev/gpiochip0",
    ) -> None:
        from gpiozero.exc import GPIOZeroError

        self.factory = factory
        self.kind = kind
        self.chip = chip
        self._failures = (GPIOZeroError, OSError, RuntimeError, ValueError, *failures)

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """The errors that using a pin can raise."""
        return self._failures

    @property
    def stamps(self) -> Stamps:
        """Who stamps an edge."""
        return Stamps.KERNEL if self.kind in _TELL_LEVELS else Stamps.ARRIVAL

    @property
    def tells_levels(self) -> bool:
        """Whether an edge comes with the level it went to, not with one that is read later."""
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
            raise self.explained(wire, failure) from failure
        if self.kind is GpioFactory.NATIVE:
            # The native factory looks a changed pin up by its number but keeps it by its
            # description, so no edge would ever arrive (gpiozero issue 1137).
            self.factory.pins[wire.gpio] = pin
        return pin

    def explained(self, wire: Wire, failure: Exception) -> GpioError:
        """Return an error that says what a failure of a wire's pin means, and how to fix it."""
        place, words = f"{wire.name} on GPIO {wire.gpio}", str(failure).strip("'")
        if "busy" in words.lower():
            return PinBusy(
                f"{place} is held by {_holder(self.chip, wire.gpio)} ({words}); stop the other "
                "program, or free the pin in /boot/firmware/config.txt, or choose another GPIO"
            )
        if "edge detection" in words:
            return PinUnusable(
                f"{place} gives no edges ({words}): RPi.GPIO finds none on Linux 6.6 and later; "
                'choose [gpio] factory = "lgpio"'
            )
        return PinUnusable(f"{place} cannot be an input with pull {wire.pull}: {words}")

    def close(self) -> None:
        """Release every pin."""
        self.factory.close()


def _holder(chip: str, gpio: int) -> str:
    line = read_line(chip, gpio)
    if line is None or not line.consumer:
        return "another program or by the kernel"
    if line.consumer == _LGPIO_CONSUMER:
        return f'another program through lgpio ("{line.consumer}"), perhaps a second Jackspot'
    return f'"{line.consumer}"'


def open_gpio(kind: GpioFactory, chip: int | None = None) -> Gpio:
    """Open the pins with the named factory; ``chip`` is lgpio's, None: that of the Pi's model.

    Raises :class:`GpioLibraryMissing`, :class:`UnknownPi` or :class:`GpioRefused`.
    """
    from gpiozero.exc import PinUnknownPi

    chosen = f'[gpio] factory = "{kind}"'
    try:
        return _OPENERS[kind](chip)
    except ModuleNotFoundError as failure:
        raise GpioLibraryMissing(f"{chosen}: {_missing(kind, failure)}") from failure
    except PinUnknownPi as failure:
        raise _unknown_pi(chosen, failure) from failure
    except (ImportError, RuntimeError) as failure:
        if "only be run on a Raspberry Pi" in str(failure) and not here().model:
            raise _unknown_pi(chosen, failure) from failure
        raise GpioLibraryMissing(
            f"{chosen} does not work on this machine: {failure}; {_remedy(kind)}"
        ) from failure
    except OSError as failure:
        raise GpioRefused(f"{chosen}: {failure}") from failure


def _unknown_pi(chosen: str, failure: Exception) -> UnknownPi:
    return UnknownPi(
        f"{chosen}: this is no Raspberry Pi that gpiozero and its libraries know "
        f'({failure}); without a Pi choose factory = "mock", or start `jackspot sim`'
    )


def _missing(kind: GpioFactory, failure: ModuleNotFoundError) -> str:
    """Return what to do about a missing module."""
    at = here()
    gone = files_gone(at) if kind is GpioFactory.RPIGPIO else ""
    if gone and (failure.name or "").startswith("RPi"):
        return f"there is no Python module {failure.name}: {gone}"
    return f"the Python module {failure.name} is not installed; {_remedy(kind)}"


def _remedy(kind: GpioFactory) -> str:
    """Return what to do about a library that is missing or does not work."""
    match kind:
        case GpioFactory.LGPIO:
            return install_lgpio(here())
        case GpioFactory.RPIGPIO:
            return f'{install_rpi_gpio(here())}; or choose factory = "lgpio"'
        case GpioFactory.NATIVE:
            return 'choose factory = "lgpio"'
        case GpioFactory.MOCK:
            return "install gpiozero again"


def _cannot_open(chip: int | None, failure: Exception) -> OSError:
    """Return why a GPIO chip cannot be opened: it is missing, or this user may not use it."""
    name = str(DEVICES / f"gpiochip{chip or 0}")
    chips = sorted(str(path) for path in DEVICES.glob("gpiochip[0-9]*"))
    if name not in chips:
        return OSError(f"there is no {name}; {among(chips)}")
    if not os.access(name, os.R_OK | os.W_OK):
        return OSError(f"{name} may not be used; {no_right(name, here())}")
    return OSError(f"cannot open {name}: {failure}; see what holds it: sudo fuser -v {name}")


def _lgpio(chip: int | None) -> Gpio:
    from gpiozero.pins.lgpio import LGPIOFactory
    from lgpio import error

    try:
        factory = LGPIOFactory(chip=chip)
    except error as failure:
        raise _cannot_open(chip, failure) from failure
    return Gpio(factory, GpioFactory.LGPIO, (error,), f"/dev/gpiochip{factory.chip}")


def _rpigpio(_chip: int | None) -> Gpio:
    from gpiozero.pins.rpigpio import RPiGPIOFactory
    from RPi import GPIO

    at = here()
    if at.is_pi_5 and not stands_on_lgpio(GPIO):
        raise RuntimeError(f"RPi.GPIO cannot reach the pins of a {at.model}")
    if doubles := both_installed(at):
        _logger.warning("pins: %s", doubles)
    if not stands_on_lgpio(GPIO):
        return Gpio(RPiGPIOFactory(), GpioFactory.RPIGPIO)
    from lgpio import error

    try:
        return Gpio(RPiGPIOFactory(), GpioFactory.RPIGPIO, (error,))
    except error as failure:
        raise _cannot_open(None, failure) from failure


def stands_on_lgpio(module: object) -> bool:
    """Return whether a module ``RPi.GPIO`` is that of rpi-lgpio."""
    return hasattr(module, "lgpio")


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
