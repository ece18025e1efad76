"""The parts of a board that are broken on purpose: devices, wires and the power."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from jackspot.core.phrases import _
from jackspot_sim.boards.rig import Rig
from jackspot_sim.refusal import CannotHappen
from jackspot_sim.table.table import Breakage

OLED, SIGN, HUB = "oled", "sign", "sensor_hub"


class _Plug(Protocol):
    """The cable of a display or of the sensor hub."""

    def unplug(self) -> None:
        """Pull it out."""

    def plug(self) -> None:
        """Put it in."""


class Parts:
    """The devices, wires and power of one board, which begins with all of them whole.

    :meth:`break_part` and :meth:`mend_part` are called on the server's thread.
    """

    def __init__(self, rig: Rig, changed: Callable[[], None]) -> None:
        self._rig = rig
        self._changed = changed
        self._unplugged: set[str] = set()
        self._powered = True

    @property
    def powered(self) -> bool:
        """Whether the board has power."""
        return self._powered

    @property
    def faulty(self) -> Mapping[str, Breakage]:
        """What is broken, and how."""
        unplugged = dict.fromkeys(self._unplugged, Breakage.UNPLUGGED)
        return {**self._rig.table.faulty(), **unplugged}

    def break_part(self, part: str, how: Breakage) -> None:
        """Unplug a device; block a beam, jam a button, or cut the wire of either."""
        plug = self._plug(part)
        if (plug is not None) is not (how is Breakage.UNPLUGGED):
            raise CannotHappen(_("{part} cannot be {how}", part=part, how=how.value))
        if plug is not None:
            self._unplugged.add(part)
            plug.unplug()
        elif how is Breakage.DEAD:
            self._rig.table.kill(part)
        else:
            self._rig.table.jam(part)
        self._changed()

    def mend_part(self, part: str) -> None:
        """Undo :meth:`break_part`; a piece that is stuck in a beam is freed too."""
        plug = self._plug(part)
        if plug is not None:
            self._unplugged.discard(part)
            if self._powered:
                plug.plug()
        else:
            self._rig.table.mend(part)
        self._changed()

    def cut_power(self) -> None:
        """Cut the power; it comes back with another board."""
        self._powered = False

    def demand_power(self) -> None:
        """Refuse, with CannotHappen, while the power is off."""
        if not self._powered:
            raise CannotHappen(_("the power is off; wait until it is back"))

    def take_over(self, before: Parts) -> None:
        """Unplug what was unplugged when the power went; the wires belong to the table."""
        for part in before._unplugged:
            self._unplugged.add(part)
            if (plug := self._plug(part)) is not None:
                plug.unplug()

    def _plug(self, part: str) -> _Plug | None:
        """Return the plug of a device; None for a wire, and where there is no such device."""
        plugs: Mapping[str, _Plug | None] = {
            OLED: self._rig.bus, SIGN: self._rig.sign, HUB: self._rig.hub
        }  # fmt: skip
        return plugs.get(part)
