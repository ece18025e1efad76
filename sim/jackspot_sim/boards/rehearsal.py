"""Play a match record through a whole simulated board, as fast as the machine goes.

Used by ``jackspot sim --play FILE --fast`` and by the tests that kill the board at any
moment: when a record is played again on the same journal, the people take the match up where
the board says it is. A :class:`Fate` counts the moments that a power cut could hit: before and
after every write to the journal, and at every view that is shown.
"""

from __future__ import annotations

import os
import signal
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from jackspot.board import DisplayPort
from jackspot.capture.tap import Recipient
from jackspot.config.model import Config, Origin, check
from jackspot.core.directives import Entry
from jackspot.core.record import write_record
from jackspot.core.settings import MatchSettings
from jackspot.dialogue.state.view import BoardView, Sound
from jackspot.storage.entries import EntryToKeep, Kinds
from jackspot.storage.keeper import Change, Keeper
from jackspot.storage.wall_clock import Wall
from jackspot.web.live import LiveBoard
from jackspot_sim.boards.rig import Onlookers, Rig, RigHands, entered
from jackspot_sim.clock import SimClock
from jackspot_sim.people.habits import Habits
from jackspot_sim.people.lists import EDIT_DONE
from jackspot_sim.people.play import Player


class Fate:
    """Counts the moments that a power cut could hit, and ends the process at one of them."""

    def __init__(self, die_at: int | None, epitaph: Path | None = None) -> None:
        self.moments = 0
        self.doing = "starting"
        """What the board was doing, for the epitaph: a phase, or the list that is open."""
        self._die_at = die_at
        self._epitaph = epitaph

    def moment(self) -> None:
        """Count a moment; kill the process if it is the fatal one."""
        self.moments += 1
        if self.moments == self._die_at:
            if self._epitaph is not None:
                self._epitaph.write_text(self.doing, encoding="utf-8")
            os.kill(os.getpid(), signal.SIGKILL)


class FatedKeeper(Keeper):
    """A journal whose every write is two moments."""

    def __init__(self, path: Path, kinds: Kinds, wall: Wall, fate: Fate) -> None:
        self._fate = fate
        super().__init__(path, kinds, wall)

    def append(self, entries: Sequence[EntryToKeep], *, forced: bool = True) -> tuple[Change, ...]:
        """Write, with a moment before it and one after it."""
        if entries:
            self._fate.moment()
        changes = super().append(entries, forced=forced)
        if entries:
            self._fate.moment()
        return changes


def _doing(view: BoardView) -> str:
    """Name what a board does: its phase, or the list that is open."""
    if view.menu is None:
        return view.phase.value
    editing = view.menu.items[0].msgid == EDIT_DONE
    return "list: editing" if editing else f"list: {view.menu.title.msgid}"


class Onlooker:
    """The display that the player watches, made before the rig that it belongs to."""

    name = "people"

    def __init__(self, fate: Fate) -> None:
        self._fate = fate
        self.player: Player | None = None

    def start(self) -> None:
        """Begin to watch."""
        if self.player is not None:
            self.player.start()

    def post(self, view: BoardView) -> None:
        """See a view."""
        self._fate.doing = _doing(view)
        self._fate.moment()
        if self.player is not None:
            self.player.post(view)

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Stop watching."""
        return self.player is None or self.player.stop(timeout_s)


def match_table(settings: MatchSettings) -> dict[str, object]:
    """Return a record's header, what was agreed, as the data of a config's ``[match]``."""
    header, _, _ = write_record(settings, ()).partition("\n---")
    return tomllib.loads(header)


def board_config(settings: MatchSettings, *, at_box: bool = True) -> Config:
    """Return a board set to what a record agreed, without pages.

    It has the referee's box alone, or the seats' buttons alone.
    """
    match = match_table(settings)
    pins: dict[str, object] = {"seats": []} if at_box else {"box": False}
    data = {"match": match, "pins": pins, "web": {"enabled": False}}
    return check(data, Origin("rehearsal", {}))


class Venue(Struct, frozen=True):
    """A board to play on. ``pages`` serves its pages in place of its own server.

    ``captured`` receives its pins. ``in_hall``: its config's hall is told what happens.
    """

    config: Config
    pages: Callable[[LiveBoard], DisplayPort] | None = None
    captured: Recipient | None = None
    in_hall: bool = False


def rehearse(
    settings: MatchSettings,
    entries: Sequence[Entry],
    journal: Path,
    habits: Habits | None = None,
    fate: Fate | None = None,
    further: Sequence[DisplayPort] = (),
    meet: Callable[[Rig], None] = lambda _rig: None,
    venue: Venue | None = None,
) -> Rig:
    """Play a record to its end on one board, going on where its journal ends.

    ``meet`` is shown the rig before it runs. ``venue`` replaces the board that people with
    these habits need.
    """
    fate, habits = fate or Fate(None), habits or Habits()
    people = Onlooker(fate)
    clock = SimClock(None)

    def keep(path: Path, kinds: Kinds, wall: Wall) -> Keeper:
        return FatedKeeper(path, kinds, wall, fate)

    venue = venue or Venue(board_config(settings, at_box=habits.at_box))
    onlookers = Onlookers(
        (people, *further), venue.pages, captured=venue.captured, in_hall=venue.in_hall
    )
    rig = Rig(venue.config, journal, clock, onlookers, keep=keep)
    hands = RigHands(clock, rig.table, lambda: rig.board.dialogue.timing.asked.token)
    player = Player(settings, entries, hands, clock, habits, clock.close)
    player.resume(entered(rig.board))
    rig.lay_out(player.current)
    people.player = player
    meet(rig)
    rig.run()
    return rig


def exported(rig: Rig) -> str:
    """Return the match record that a board exports."""
    game = rig.board.dialogue.game
    if game is None:
        return ""
    return write_record(game.match.settings, entered(rig.board))
