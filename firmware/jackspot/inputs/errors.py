"""Why the pins cannot be used: one class for each failure, with its remedy."""

from __future__ import annotations


class GpioError(Exception):
    """The pins cannot be used. The message says what was found and what to do."""


class GpioLibraryMissing(GpioError):
    """The library that the chosen factory needs is not installed, or not for this machine."""


class UnknownPi(GpioError):
    """This machine is not a Raspberry Pi, or one that gpiozero does not know."""


class GpioRefused(GpioError):
    """The system refuses access to the pins."""


class PinBusy(GpioError):
    """Another program, or another part of the system, holds this pin."""


class PinUnusable(GpioError):
    """This pin cannot do what its wire needs."""
