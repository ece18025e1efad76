"""The journals of successive boards: one for all matches, and a separate one for each show.

A new match is set up in the journal as a board does it itself: the match before is put aside
first, in one write. ``j-show-2.sqlite3`` and so on are matches that played by themselves.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

from jackspot.assembly import dialogue_settings, plan
from jackspot.config.model import Config
from jackspot.dialogue.actions.taking_back import shelve
from jackspot.dialogue.proposals.open_falls import open_falls
from jackspot.dialogue.restart.restoring import restore
from jackspot.dialogue.restart.snapshots import snapshot
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.dialogue.state.layers import FreePlay
from jackspot.dialogue.state.plans import fingerprint
from jackspot.dialogue.state.timing import Timing
from jackspot.dialogue.state.transition import Transition, plays
from jackspot.storage.entries import Kinds
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import Wall
from jackspot.values import changed

WHY = "another match was set up"
"""Why the match that was on the board is put aside, as the journal says it."""


def of_a_show(journal: Path) -> Path:
    """Name a journal that is not there yet, for a show."""
    names = (journal.with_stem(f"{journal.stem}-show-{n}") for n in itertools.count(2))
    return next(path for path in names if not path.exists())


def opened_for_a_new_match(
    config: Config, now_ns: int, *, speaks: bool
) -> Callable[[Path, Kinds, Wall], Keeper]:
    """Return what opens a journal, its match put aside, in set-up as ``config`` says.

    ``speaks``: the config's language counts, whatever people had set.
    """

    def keep(path: Path, kinds: Kinds, wall: Wall) -> Keeper:
        before = Keeper(path, kinds, wall)
        before.append(_set_up_anew(before, config, now_ns, speaks=speaks))
        before.close()
        return Keeper(path, kinds, wall)

    return keep


def _set_up_anew(
    keeper: Keeper, config: Config, now_ns: int, *, speaks: bool
) -> tuple[JournalEntry, ...]:
    """Put aside the match that a journal has on the board, and write the next one's set-up."""
    settings, planned = dialogue_settings(config), plan(config)
    transition = Transition(restore(keeper.entries, settings, planned, now_ns).dialogue, now_ns)
    if plays(transition):
        game = transition.game
        untouched = not (game.lines or game.undone or transition.dialogue.parked)
        if untouched and not open_falls(transition.dialogue, transition.dialogue.proposal):
            transition.record(EntryKind.DISCARD)
        else:
            shelve(transition, WHY)
    preferences = transition.dialogue.preferences
    if speaks:
        preferences = changed(preferences, language=config.board.language)
    anew = DialogueState(
        settings, planned, previous=transition.dialogue.previous, preferences=preferences,
        origin=fingerprint(planned, settings.locked), timing=Timing.at(now_ns),
        free=FreePlay() if settings.free_rest else None,
    )  # fmt: skip
    return (*transition.records, JournalEntry(EntryKind.DESK, now_ns, snapshot(anew, now_ns)))
