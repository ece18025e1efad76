"""Listeners to what a board takes, writes and shows: captures, and links to the outside."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from jackspot.core.pieces import Pocket
from jackspot.dialogue.state.entries import JournalEntry
from jackspot.dialogue.state.view import BoardView
from jackspot.sensing.events import Button, Event


class EventListener:
    """Hears what the board takes, writes and shows; a listener overrides the calls it wants.

    Every call comes from the loop, which waits for it: a listener that has work to do hands it to
    its own thread. A listener that raises is logged and no longer called; the game goes on.
    """

    def started(self, restored_ns: int, at_ns: int, active: Collection[Pocket | Button]) -> None:
        """Hear when the dialogue was restored, and from when the wires are watched.

        ``active`` are those that are already active.
        """

    def took(self, event: Event) -> None:
        """Hear of an event that is about to be taken."""

    def wrote(self, entries: Sequence[JournalEntry]) -> None:
        """Hear of entries that were handed to the journal, in its order, before they are shown."""

    def showed(self, view: BoardView) -> None:
        """Hear of a view that was given to the displays."""

    def stopped(self, at_ns: int) -> None:
        """Hear that the loop has ended."""
