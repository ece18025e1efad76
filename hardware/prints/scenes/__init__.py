"""The pictures of the guide: parts put together, cut open, and in their places at a board.

A board lies face down in all pictures where it is worked on, as it does on a maker's table. Each
picture is a function that gives its things and its numbers; the page names what each number is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from hardware.prints.render import Scene
from hardware.prints.scenes import box, closed_box, cut_corners, hub, pockets, sensor_hub, table

SCENES: Mapping[str, Callable[[], Scene]] = MappingProxyType(
    {
        each.__name__: each
        for room in (hub, box, pockets, table, closed_box, cut_corners, sensor_hub)
        for each in room.ALL
    }
)
"""The guide's pictures by name."""
