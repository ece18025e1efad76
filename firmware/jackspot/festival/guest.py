"""The board as a guest of halls: it joins, leaves and changes its number while it is played on.

It is one more listener, which hands what it hears to the link of the hall that the board is in, if
any. People at the board ask for another number, to leave or to come back by an entry of the
journal. A hall's file from a stick or a page is reported as an event. Either way the old link is
cut off from the board at once and ends on its own, then the new one begins: the game waits for
neither.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from jackspot.core.pieces import Pocket
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.dialogue.state.listener import EventListener
from jackspot.dialogue.state.view import BoardView
from jackspot.festival.joining import HallHere, KeptHall
from jackspot.sensing.events import (
    Button,
    Event,
    FaultCleared,
    HallPlace,
    PlaceTold,
    Stick,
    StickTold,
    Trouble,
)

if TYPE_CHECKING:
    from jackspot.festival.asks import Look
    from jackspot.festival.link import HallLink
    from jackspot.festival.messages import AboutMessage
    from jackspot.festival.updating import UpdateDoor

_logger = logging.getLogger(__name__)


class HallGuest(EventListener):
    """Keeps at most one link, to the hall that the board is in.

    ``kept`` says which that is, ``about`` is what the board says of itself, ``entries`` is how many
    the journal has. ``clock_ns`` is the board's clock, ``submit`` puts events into its queue,
    ``doctor`` examines the board if the hall asks for it, ``door`` takes newer versions.
    """

    def __init__(
        self,
        kept: KeptHall,
        about: AboutMessage,
        clock_ns: Callable[[], int],
        submit: Callable[[Event], None],
        *,
        entries: int = 0,
        doctor: Look | None = None,
        door: UpdateDoor | None = None,
    ) -> None:
        self._kept = kept
        self._about = about
        self._clock_ns = clock_ns
        self._submit = submit
        self._doctor, self._door = doctor, door
        self._entries = self._seq = entries
        self._here = kept.now()
        self.link = self._linked(None)
        """The link to the hall; None: the board is in none."""

    def started(self, restored_ns: int, at_ns: int, active: Collection[Pocket | Button]) -> None:
        """Report which hall the board is in, and begin to look for it."""
        self._tell()
        if self.link is not None:
            self.link.started(restored_ns, at_ns, active)

    def took(self, event: Event) -> None:
        """Check the board's hall again, once a stick or a page has brought a hall's file."""
        if isinstance(event, StickTold) and event.stick is Stick.JOINED:
            self._move()

    def wrote(self, entries: Sequence[JournalEntry]) -> None:
        """Do what people at the board ask for."""
        self._seq += len(entries)
        if self.link is not None:
            self.link.wrote(entries)
        for entry in entries:
            if entry.kind is EntryKind.HALL:
                self._keep(entry)
                self._move()

    def showed(self, view: BoardView) -> None:
        """Pass on the newest view."""
        if self.link is not None:
            self.link.showed(view)

    def stopped(self, at_ns: int) -> None:
        """Say goodbye, if somebody listens."""
        if self.link is not None:
            self.link.stopped(at_ns)

    def _keep(self, entry: JournalEntry) -> None:
        number = entry.body.get("number")
        try:
            if isinstance(number, int):
                self._kept.set_number(number)
            elif entry.body.get("left"):
                self._kept.leave()
            else:
                self._kept.rejoin()
        except OSError as error:
            _logger.warning("hall: what was set is not kept: %s: %s", self._kept.here, error)

    def _move(self) -> None:
        """Go to the hall the board is said to be in now; if it is the same, do nothing."""
        here = self._kept.now()
        if here != self._here:
            before, self._here = self.link, here
            if before is not None:
                before.leave()
                part = before.board
                self._submit(FaultCleared(self._clock_ns(), part, Trouble.TWICE))
            self.link = self._linked(before)
            if self.link is not None:
                self.link.started(0, 0, ())
        self._tell()

    def _linked(self, before: HallLink | None) -> HallLink | None:
        for trouble in self._here.troubles:
            _logger.warning("hall: %s", trouble)
        if not self._here.is_in:
            return None
        from jackspot.festival.hall import Hall  # MQTT is not imported for a board alone
        from jackspot.festival.link import HallLink

        link = HallLink(
            Hall.of(self._here.festival), self._kept.journal, self._about, secrets.token_hex(4),
            self._clock_ns, self._submit, entries=self._entries, doctor=self._doctor,
            door=self._door,
        )  # fmt: skip
        link.follow(before, self._seq)
        return link

    def _tell(self) -> None:
        """Tell the dialogue where the board is."""
        self._submit(PlaceTold(self._clock_ns(), place_of(self._here)))


def place_of(here: HallHere) -> HallPlace:
    """Return a board's hall in the form that its dialogue uses."""
    return HallPlace(here.festival.hall, here.festival.number, here.left)
