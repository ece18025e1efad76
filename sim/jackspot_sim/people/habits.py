"""What people who play a record need: hands at the table, time to act in, and habits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from msgspec import Struct, field

from jackspot.core.pieces import Piece, Pocket
from jackspot.sensing.events import Button

MILLISECOND_NS = 1_000_000


class Hands(Protocol):
    """What hands can do at the table."""

    def drop(self, pocket: Pocket, pieces: Sequence[Piece]) -> None:
        """Let pieces fall into a pocket, one after the other."""

    def fly_off(self, pieces: Sequence[Piece]) -> None:
        """Let pieces fly off the board."""

    def put_back(self, pieces: Sequence[Piece]) -> None:
        """Put pieces back on the board."""

    def fetch_strikers(self) -> None:
        """Take the strikers out of the pockets."""

    def press(self, button: Button) -> None:
        """Push a button down."""

    def release(self, button: Button) -> None:
        """Let it go."""


class Agenda(Protocol):
    """Virtual time to act in."""

    def after(self, delay_ns: int, action: Callable[[], None]) -> None:
        """Do something later."""


class Habits(Struct, frozen=True):
    """How these people play, in nanoseconds of virtual time.

    ``looks_ns`` is how often they look at the display, ``press_ns`` how long a short press
    lasts, ``hold_ns`` a long one, ``aims_ns`` how long a player takes before a shot,
    ``rests_ns`` how long a finger rests after an answer that was taken.
    ``at_box``: the referee's box decides everything; else whoever is to act presses the
    buttons of their own seat. ``buttons`` are all those within reach, for when one is dead;
    if none are given: those of the box, or of the seats.
    """

    looks_ns: int = 250 * MILLISECOND_NS
    press_ns: int = 90 * MILLISECOND_NS
    hold_ns: int = 1_150 * MILLISECOND_NS
    aims_ns: int = 3_200 * MILLISECOND_NS
    rests_ns: int = 800 * MILLISECOND_NS
    at_box: bool = True
    buttons: frozenset[Button] = frozenset()
    slips: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    """Entries (by index) at which the first reading is confirmed without looking, and after how
    many further entries that is noticed and mended with UNDO; a right one needs no mending."""
