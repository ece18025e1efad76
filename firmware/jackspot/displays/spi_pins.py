"""The extra pins of an SPI display (data/command, reset), for luma, from the board's own factory.

luma calls ``setup``, ``output`` and ``cleanup`` of its ``gpio``, as RPi.GPIO has them; this is
that part of RPi.GPIO on top of gpiozero.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from typing import Any

from jackspot.displays.errors import DisplayError
from jackspot.sensing.events import Trouble


class SpiPins:
    """The part of RPi.GPIO that luma uses. ``pin_factory`` is one of gpiozero's."""

    LOW = 0
    HIGH = 1
    OUT = 0

    def __init__(self, pin_factory: Any = None) -> None:
        self._pin_factory = pin_factory
        self._pins: dict[int, Any] = {}

    def setup(self, pin: int, direction: int) -> None:
        """Claim a pin as an output, high; raises DisplayError if it cannot be claimed."""
        from gpiozero import DigitalOutputDevice

        assert direction == self.OUT
        if pin in self._pins:
            return
        try:
            self._pins[pin] = DigitalOutputDevice(
                pin, initial_value=True, pin_factory=self._pin_factory
            )
        except Exception as error:  # each pin factory has errors of its own
            raise DisplayError(
                f"GPIO {pin} beside the SPI bus cannot be used: {error}; check oled_dc and "
                "oled_rst in [pins], and that no other program holds the pin",
                Trouble.IN_USE,
            ) from error

    def output(self, pin: int, level: int) -> None:
        """Set a pin's level."""
        self._pins[pin].value = bool(level)

    def cleanup(self, pins: Iterable[int] | None = None) -> None:
        """Release the named pins, or all."""
        for pin in list(self._pins) if pins is None else pins:
            taken = self._pins.pop(pin, None)
            if taken is not None:
                taken.close()

    def close(self) -> None:
        """Release all pins, whatever errors they raise."""
        with contextlib.ExitStack() as rest:
            for taken in self._pins.values():
                rest.callback(taken.close)
            self._pins = {}
