"""What goes out: OLED, LED sign, buzzer, lamps and pages, each in its own way.

A display is a class with ``name``, ``open``, ``show``, ``close`` (see
:class:`jackspot.displays.thread.Display`). To add one: one file here, one line in
:data:`DISPLAYS`. Its library is opened only when it is chosen.
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from jackspot.displays.errors import DisplayError

if TYPE_CHECKING:
    from jackspot.displays.thread import Display

DISPLAYS: Mapping[str, str] = MappingProxyType(
    {
        "oled": "jackspot.displays.oled.driver:Oled",
        "alpha_sign": "jackspot.displays.signs.alpha:AlphaSign",
        "segment": "jackspot.displays.signs.segment:SegmentDisplay",
        "template": "jackspot.displays.signs.template_sign:TemplateSign",
        "matrix": "jackspot.displays.matrix.driver:LedMatrix",
        "buzzer": "jackspot.displays.buzzer:Buzzer",
        "lamps": "jackspot.displays.lamps:Lamps",
    }
)
"""Each display's module and class by the name it has in the config."""


def build_display(name: str, /, **settings: Any) -> Display:
    """Make a display; ``settings`` are the keyword arguments of its class.

    Nothing is opened yet. ValueError for a name that no display has and for settings that
    the display refuses, DisplayError where its library is not installed.
    """
    place = DISPLAYS.get(name)
    if place is None:
        near = difflib.get_close_matches(name, DISPLAYS, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise ValueError(f"no display is called {name!r}; there are {', '.join(DISPLAYS)}{hint}")
    module, _, kind = place.partition(":")
    try:
        make = getattr(importlib.import_module(module), kind)
    except ImportError as error:
        raise DisplayError(
            f"the display {name} needs a library that is not installed ({error}); "
            "install Jackspot with all it depends on"
        ) from error
    display: Display = make(**settings)
    return display
