"""The board's outputs: OLED, LED sign, matrix, buzzer, lamps and pages, each in its own way.

A display is a class with ``name``, ``open``, ``show``, ``close`` (see
:class:`jackspot.displays.thread.Display`). To add one, write a file or folder here that ends in
a :class:`~jackspot.displays.kind.DisplayKind`, and add its line to :data:`DISPLAYS`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from jackspot.displays.buzzer import BUZZER
from jackspot.displays.errors import DisplayError
from jackspot.displays.kind import DisplayKind, Mount
from jackspot.displays.lamps import LAMPS
from jackspot.displays.matrix.kind import MATRIX
from jackspot.displays.oled.kind import OLED
from jackspot.displays.signs.kind import SIGN
from jackspot.displays.thread import Display
from jackspot.settings.section import Section

__all__ = ["DISPLAYS", "TABLES", "DisplayKind", "Mount", "make_displays"]

DISPLAYS: tuple[DisplayKind, ...] = (OLED, SIGN, MATRIX, LAMPS, BUZZER)
"""Every kind of display, in the order in which they are told of."""

TABLES: Mapping[str, type[Section]] = MappingProxyType(
    {name: section for kind in DISPLAYS for name, section in kind.tables.items()}
)
"""The displays' tables in the config."""


def make_displays(mount: Mount, kinds: tuple[DisplayKind, ...] = DISPLAYS) -> Iterator[Display]:
    """Make each display that the config has; open nothing yet.

    Raises DisplayError where a display's library is not installed.
    """
    for kind in kinds:
        try:
            display = kind.make(mount)
        except ImportError as error:
            raise DisplayError(
                f"the display {kind.name} needs a library that is not installed ({error}); "
                "install Jackspot with all it depends on"
            ) from error
        if display is not None:
            yield display
