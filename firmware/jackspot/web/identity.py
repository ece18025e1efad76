"""What the live state says about the board itself: its name and its parts."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from jackspot.sensing.events import Stamps
from jackspot.sensing.limits import MS, Limits


class PartKind(StrEnum):
    """The kind of a part that the board watches."""

    BEAM = "beam"
    BUTTON = "button"
    DISPLAY = "display"
    SENSOR_HUB = "sensor_hub"


class Part(Struct, frozen=True):
    """A part of this board, under the name that faults use."""

    name: str
    kind: PartKind
    stamps: Stamps | None = None
    """Who stamps its events; None: it is not a wire."""


class Identity(Struct, frozen=True):
    """What the state says about the board itself: its name and its parts.

    ``hold_ms``: how long a button is down before it is held, on its pages too.
    """

    board: str = "Jackspot"
    parts: tuple[Part, ...] = ()
    hold_ms: int = Limits().hold_ns // MS
