"""Boards that run only their real journal and link: hundreds fit on a machine.

What a real board wrote and showed in a match is recorded once (:func:`recorded`). Each
:class:`LinkedBoard` writes the same into its own journal and shows it to its own link.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from jackspot.assembly import KINDS
from jackspot.core.record import read_record
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.dialogue.state.listener import EventListener
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.festival.hall import Hall
from jackspot.festival.link import HallLink
from jackspot.festival.messages import AboutMessage
from jackspot.sensing.events import Button, Event, Key, Place
from jackspot.storage.entries import EntryToKeep
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import SystemWall
from jackspot_sim.boards.rehearsal import rehearse
from jackspot_sim.boards.rig import Rig
from jackspot_sim.people.habits import Habits
from tests.conftest import PATIENCE_S

ABOUT: AboutMessage = {
    "v": 1, "name": "Board", "version": "0.1.0", "rules": [], "pages": [], "parts": []
}  # fmt: skip


class Moment(Struct, frozen=True):
    """What a board wrote at one event and then showed; None: nothing new."""

    entries: tuple[JournalEntry, ...]
    view: BoardView | None
    at_ns: int = 0
    """By the board's clock."""

    @property
    def confirms(self) -> bool:
        """Whether people have confirmed a line."""
        return any(each.kind is EntryKind.LINE for each in self.entries)


class _Recorder(EventListener):
    def __init__(self, now_ns: Callable[[], int]) -> None:
        self.moments: list[Moment] = []
        self._now_ns = now_ns

    def wrote(self, entries: Sequence[JournalEntry]) -> None:
        self.moments.append(Moment(tuple(entries), None, self._now_ns()))

    def showed(self, view: BoardView) -> None:
        before = self.moments.pop() if self.moments and not self.moments[-1].view else None
        self.moments.append(Moment(before.entries if before else (), view, self._now_ns()))


def recorded(record: str) -> tuple[Moment, ...]:
    """Play a match record on a real board, and return what it wrote and showed."""
    match = read_record(record).match
    recorders = []

    def meet(rig: Rig) -> None:
        recorders.append(_Recorder(rig.clock.now_ns))
        rig.board._listeners += tuple(recorders)

    with TemporaryDirectory() as folder:
        rehearse(
            match.settings, [step.entry for step in match.steps], Path(folder) / "journal",
            Habits(at_box=True), meet=meet,
        )  # fmt: skip
    return tuple(recorders[0].moments)


class LinkedBoard:
    """A journal with a link to the hall. ``link`` is the class of that link.

    ``clock_ns`` is the board's clock; ``submit`` receives what the hall says.
    """

    def __init__(
        self,
        hall: Hall,
        folder: Path,
        *,
        link: type[HallLink] = HallLink,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        submit: Callable[[Event], None] = lambda _event: None,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.keeper = Keeper(folder / "journal.sqlite3", KINDS, SystemWall())
        self.seq = self.ended = 0
        """The last entry of the journal, and the last that ended a match; 0: none."""
        self._count(self.keeper.entries)
        self.link = link(
            hall, self.keeper.path, ABOUT, secrets.token_hex(4), clock_ns, submit, entries=self.seq
        )
        self.link.started(0, 0, ())

    def live(self, moment: Moment) -> None:
        """Write a moment into the journal, then show it, as a board does."""
        if moment.entries:
            self.keeper.append(moment.entries)
            self._count(moment.entries)
            self.link.wrote(moment.entries)
        if moment.view is not None:
            self.link.showed(moment.view)

    def _count(self, entries: Sequence[EntryToKeep]) -> None:
        for each in entries:
            self.seq += 1
            if each.kind == EntryKind.MATCH_END:
                self.ended = self.seq

    def stop(self) -> None:
        """Stop cleanly."""
        self.link.stopped(0)
        self.keeper.close()


def until(what: Callable[[], object]) -> None:
    """Wait until something is true."""
    due_s = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < due_s
        time.sleep(0.01)


def is_acknowledged(board: LinkedBoard) -> bool:
    """Return whether the board knows that the hub has all its results."""
    return board.link._results.outbox.seq == board.ended


def started(rig: Rig) -> bool:
    """Press OK in set-up; return whether that counted: a press too soon after a change does not."""
    if rig.board.dialogue.phase is Phase.SETUP:
        rig.table.press(Button(Place.REFEREE, Key.OK))
        time.sleep(0.5)
    return rig.board.dialogue.phase is Phase.READY
