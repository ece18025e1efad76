"""Who hears what a board takes, writes and shows: captures, and links to the outside."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from jackspot.core.pieces import Pocket
from jackspot.dialogue.state.entries import JournalEntry
from jackspot.dialogue.state.view import BoardView
from jackspot.sensing.events import Button, Event


class EventListener:
    """Who hears what the board takes, writes and shows; a listener overrides what it wants.

    Every call comes from the loop, which waits for it: a listener that has work to do gives it to
    a thread of its own. One that raises is logged and heard no more; the game goes on.
    """

    def started(self, restored_ns: int, at_ns: int, active: Collection[Pocket | Button]) -> None:
        """Hear that the dialogue was laid out at one instant, and the wires watched from another.

        ``active`` are those that are active already.
        """

    def took(self, event: Event) -> None:
        """Hear of an event that is about to be taken."""

    def wrote(self, entries: Sequence[JournalEntry]) -> None:
        """Hear of entries that were handed to the journal, in its order, before they are shown."""

    def showed(self, view: BoardView) -> None:
        """Hear of a view that the displays were given."""

    def stopped(self, at_ns: int) -> None:
        """Hear that the loop has ended."""
