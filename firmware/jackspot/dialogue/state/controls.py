"""Which buttons a board has, and what they let each place say.

A board may have any of its buttons, down to two. What matters is the places from which
everything can be said: a *whole* place has an OK and a way to say "no, the next one". UNDO and
the menu follow from these two (:mod:`jackspot.sensing.buttons`), and all else is in the menu.
The buttons of other places do only what is written on them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from jackspot.core.pieces import Seat
from jackspot.sensing.events import Button, Key, Place


def whole_places(buttons: Iterable[Button]) -> frozenset[Place]:
    """Return the places from which everything can be said: OK with FIX, or OK with UNDO."""
    keys: dict[Place, set[Key]] = {}
    for button in buttons:
        keys.setdefault(button.place, set()).add(button.key)
    return frozenset(
        place for place, has in keys.items() if Key.OK in has and has & {Key.FIX, Key.UNDO}
    )


@lru_cache(maxsize=4)
def referee_sits(buttons: frozenset[Button]) -> bool:
    """Whether there is a box or a page from which a referee can say everything."""
    return bool(whole_places(buttons) & {Place.REFEREE, Place.PAGE})


def every_button() -> frozenset[Button]:
    """Return the buttons of a board that has all of them, including those of its page."""
    seats = {Button(place, key) for place in Place if place.seat for key in (Key.OK, Key.FIX)}
    others = {Button(place, key) for place in Place if not place.seat for key in Key}
    return frozenset(seats | others)


def speak_for_all(buttons: Collection[Button], lineup: Collection[Seat]) -> bool:
    """Whether seats' buttons speak for everybody at the table, as the box's do.

    They do where no box does and some player has no OK.
    """
    if Place.REFEREE in whole_places(buttons):
        return False
    return any(Button(Place(seat.value), Key.OK) not in buttons for seat in lineup)
