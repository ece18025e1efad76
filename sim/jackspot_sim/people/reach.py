"""Which button people press: their own, or another when theirs does nothing.

People see on the display which button is stuck. They find out about a dead one by pressing it:
they look, and the question has not changed. After some tries they give it up and go to the next
place that has the same key.
"""

from __future__ import annotations

from collections.abc import Collection

from jackspot.core.pieces import Seat
from jackspot.dialogue.state.view import BoardView
from jackspot.sensing.events import Button, Key, Place, Trouble

TRIES = 3
"""How often people press a button in vain before they give it up."""


SOMEBODY_ELSES_LIST = "{place} has the list open"
"""A press was heard, but it was not meant for this list, which closes by itself."""


class Reach:
    """The buttons of a board as people know them.

    ``buttons`` are those within reach; ``at_box``: a referee at the box decides, otherwise
    whoever is to act.
    """

    def __init__(self, buttons: Collection[Button], *, at_box: bool) -> None:
        self._buttons = frozenset(buttons)
        self._at_box = at_box
        self._stuck: frozenset[str] = frozenset()
        self._tried: tuple[Button, ...] = ()
        self._last: Button | None = None
        self._at_list: Place | None = None  # where the list that is open was opened
        self._in_vain = 0
        self._ask = 0
        self.left: set[Button] = set()
        """Buttons that people have given up."""

    def look(self, view: BoardView) -> None:
        """See which buttons are stuck, and whether the last press did anything."""
        self._stuck = frozenset(f.part for f in view.faults if f.trouble is Trouble.STUCK)
        if view.menu is None:
            self._at_list = None
        elif self._at_list is None and self._last is not None:
            self._at_list = self._last.place
        if not self._tried:
            return
        if view.ask != self._ask or view.detail.msgid == SOMEBODY_ELSES_LIST:
            self._in_vain = 0
        elif self._in_vain >= TRIES:
            self.left |= set(self._tried)
            self._in_vain = 0
        self._tried = ()

    def pressed(self, buttons: tuple[Button, ...], view: BoardView) -> None:
        """Note what was pressed, and what was asked then."""
        if buttons[0] != self._last:
            self._in_vain = 0
        self._last = buttons[0]
        self._tried, self._ask = buttons, view.ask
        self._in_vain += 1

    def find(self, key: Key, seat: Seat) -> Button | None:
        """Find the nearest button of this key that may work; None: there is none."""
        for place in self._places(seat):
            button = Button(place, key)
            if self._may_work(button) and self._goes_on(button):
                return button
        return None

    def _goes_on(self, button: Button) -> bool:
        """Whether a list that this button opens can be worked from the button's place."""
        ok = Button(button.place, Key.OK)
        return button.key is not Key.FIX or ok not in self._buttons or self._may_work(ok)

    def for_all(self, key: Key) -> Button | None:
        """Find a button of this key that belongs to no seat: the box's, or the page's."""
        found = (Button(place, key) for place in (Place.REFEREE, Place.PAGE))
        return next((button for button in found if self._may_work(button)), None)

    def pair(self, seat: Seat) -> tuple[Button, Button] | None:
        """Find FIX and OK of a place where both together mean UNDO."""
        for place in self._places(seat):
            fix, ok = Button(place, Key.FIX), Button(place, Key.OK)
            alone = Button(place, Key.UNDO) not in self._buttons
            if alone and self._may_work(fix) and self._may_work(ok):
                return fix, ok
        return None

    def _may_work(self, button: Button) -> bool:
        known = button in self._buttons
        return known and button not in self.left and button.wire not in self._stuck

    def _places(self, seat: Seat) -> tuple[Place, ...]:
        """Return the places in the order in which people try them."""
        nearest = self._nearest(seat)
        if self._at_list is None:
            return nearest
        return (self._at_list, *(place for place in nearest if place is not self._at_list))

    def _nearest(self, seat: Seat) -> tuple[Place, ...]:
        own = Place(seat.value)
        seats = (own, *(place for place in Place if place.seat and place is not own))
        if self._at_box:
            return (Place.REFEREE, Place.PAGE, *seats)
        return (*seats, Place.REFEREE, Place.PAGE)


def usual_buttons(*, at_box: bool) -> frozenset[Button]:
    """Return the buttons of a box, or those of all seats."""
    if at_box:
        return frozenset(Button(Place.REFEREE, key) for key in Key)
    seats = [place for place in Place if place.seat]
    return frozenset(Button(place, key) for place in seats for key in (Key.OK, Key.FIX))
