"""What a kind of display consists of: its config tables, their checks, and its factory.

The config and the assembly loop over :data:`jackspot.displays.DISPLAYS` and name no display. This
module imports no display's library.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from jackspot.core.pieces import Seat
from jackspot.settings.section import Blame, Section, SectionT, pick

if TYPE_CHECKING:  # it imports drawing code
    from jackspot.displays.oled.hotspot import Network
    from jackspot.displays.oled.sign_in import SignInAddress
    from jackspot.displays.thread import Display

Tables = Mapping[str, Section]
"""Tables of the config by name, checked."""

Flawed = Mapping[str, frozenset[str]]
"""The keys of each table in which a mistake was found already; they have their defaults."""


class Mount(Struct, frozen=True, kw_only=True):
    """What a board provides for the displays that are mounted on it.

    ``outputs`` are GPIO numbers by the wire's name, ``lamps`` by seat; ``lamps_shine_high`` is the
    level at which they shine. ``spi_device`` is the chip select of the OLED. ``pin_factory`` is one
    of gpiozero's, ``clock`` returns monotonic nanoseconds. ``buses`` and ``ports`` replace the
    machine's own, by the display's table; the simulated table sets them. ``unhurried`` False:
    nothing may take time. ``door`` returns where the referee's page is, ``network`` the board's own
    network, if it has one.
    """

    tables: Tables
    outputs: Mapping[str, int]
    lamps: Mapping[Seat, int]
    lamps_shine_high: bool
    spi_device: int
    pin_factory: Any
    clock: Callable[[], int]
    door: Callable[[], SignInAddress]
    network: Callable[[], Network | None]
    buses: Mapping[str, Callable[[], Any]] = field(default_factory=lambda: MappingProxyType({}))
    ports: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    unhurried: bool = True

    def of(self, kind: type[SectionT]) -> SectionT:
        """Return the table of this kind."""
        return pick(self.tables.values(), kind)


def _nothing(_tables: Tables, _flawed: Flawed) -> Iterable[Blame]:
    return ()


class DisplayKind(Struct, frozen=True):
    """A kind of display.

    ``tables`` are its config tables, by name. ``make`` returns the display, or None if the config
    has none; it imports the display's driver, but opens nothing. ``check`` finds what is wrong
    with tables whose keys are each valid on their own.
    """

    name: str
    tables: Mapping[str, type[Section]]
    make: Callable[[Mount], Display | None]
    check: Callable[[Tables, Flawed], Iterable[Blame]] = _nothing
