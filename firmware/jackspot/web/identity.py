"""What the live state says of the board itself: its name, and the parts it is made of."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from jackspot.sensing.events import Stamps
from jackspot.sensing.limits import MS, Limits


class PartKind(StrEnum):
    """What sort of part the board watches."""

    BEAM = "beam"
    BUTTON = "button"
    DISPLAY = "display"
    SENSOR_HUB = "sensor_hub"


class Part(Struct, frozen=True):
    """A part of this board, under the name that faults give it."""

    name: str
    kind: PartKind
    stamps: Stamps | None = None
    """Who says when something happened there; None: no wire."""


class Identity(Struct, frozen=True):
    """What the state says of the board itself: its name and the parts it is made of.

    ``hold_ms``: how long a button is down before it is held, its pages' buttons too.
    """

    board: str = "Jackspot"
    parts: tuple[Part, ...] = ()
    hold_ms: int = Limits().hold_ns // MS
