"""The turn lamps: one light at each seat, lit while that seat is to shoot."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from jackspot.core.pieces import Seat
from jackspot.dialogue.state.view import BoardView
from jackspot.displays.errors import DisplayError
from jackspot.displays.kind import DisplayKind, Mount


class Lamps:
    """Lamps on pins, as a display of the board. All calls come from one thread.

    ``pins`` maps each seat that has a lamp to its GPIO number. ``active_high`` False is for lamps
    that light when the pin is low. ``pin_factory`` is one of gpiozero's.
    """

    def __init__(
        self,
        pins: Mapping[Seat, int],
        *,
        active_high: bool = True,
        pin_factory: Any = None,
        name: str = "lamps",
    ) -> None:
        self.name = name
        self._pins = dict(pins)
        self._active_high = active_high
        self._pin_factory = pin_factory
        self._lamps: dict[Seat, Any] = {}

    def open(self) -> None:
        """Claim the pins, with all lamps dark."""
        from gpiozero import DigitalOutputDevice

        for seat, pin in self._pins.items():
            try:
                self._lamps[seat] = DigitalOutputDevice(
                    pin, active_high=self._active_high, pin_factory=self._pin_factory
                )
            except Exception as error:  # each pin factory has errors of its own
                raise DisplayError(
                    f"{self.name}: GPIO {pin} for seat {seat} cannot be used: {error}; "
                    "check the pin in the config, and that no other program holds it"
                ) from error

    def cares(self, view: BoardView) -> object:
        """Return the part of a view that lamps show."""
        return view.lamps

    def show(self, view: BoardView) -> None:
        """Light the lamps of the view, and only those."""
        for seat, lamp in self._lamps.items():
            lamp.value = seat in view.lamps

    def close(self) -> None:
        """Switch the lamps off and release the pins."""
        lamps, self._lamps = self._lamps, {}
        with contextlib.ExitStack() as rest:  # all are tried, even if one of them fails
            for lamp in lamps.values():
                rest.callback(lamp.close)
                rest.callback(lamp.off)


def _make(mount: Mount) -> Lamps | None:
    if not mount.lamps:
        return None
    high, pins = mount.lamps_shine_high, mount.lamps
    return Lamps(pins, active_high=high, pin_factory=mount.pin_factory)


LAMPS = DisplayKind("lamps", MappingProxyType({}), _make)
