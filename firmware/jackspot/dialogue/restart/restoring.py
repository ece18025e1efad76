"""From the journal back to the dialogue.

The dialogue is the fold of the journal's entries. A board that starts with a journal comes
back in the phase it was in, with its clock stopped and UNDO available. Before play goes on,
people are asked to compare table and counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Protocol

from msgspec import Struct, field

from jackspot.core.agreement import number_option
from jackspot.core.clock import SECOND_NS, MatchClock
from jackspot.core.directives import Entry
from jackspot.core.match import IllegalEntry, Match
from jackspot.core.phrases import _
from jackspot.core.record import RecordError, read_entry_line, read_record
from jackspot.dialogue.actions.gathering import gathered
from jackspot.dialogue.lists.menu import marked_again
from jackspot.dialogue.restart.snapshots import laid_out
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.dialogue_state import DialogueState, Glance, InMatch, with_game
from jackspot.dialogue.state.entries import EntryKind, read_fall
from jackspot.dialogue.state.game import Game, Line
from jackspot.dialogue.state.layers import FreePlay
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.plans import Plan, disagreed, fingerprint
from jackspot.dialogue.state.proposal import FallGroup
from jackspot.dialogue.state.question import AtRest, Paused, RestingPhase
from jackspot.dialogue.state.timing import Timing
from jackspot.dialogue.state.transition import (
    agreed,
    left_out,
    line_put_back,
    put_back,
    taken_back,
    with_line,
    with_match,
    without_last,
)
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Fall
from jackspot.values import changed


class KeptEntry(Protocol):
    """An entry as the journal returns it."""

    @property
    def kind(self) -> str:
        """Which kind it is."""

    @property
    def body(self) -> Mapping[str, Any]:
        """What it says."""


class Restored(Struct, frozen=True):
    """A dialogue from a journal, the next fall's number, and what could not be read."""

    dialogue: DialogueState
    next_fall: int
    troubles: tuple[str, ...] = ()


class _Chapter(Struct):
    """The entries of one match that change anything; its order, and whether it waits for gongs."""

    header: str
    order: int | None = None
    armed: bool = False
    entries: list[KeptEntry] = field(default_factory=list)


class _Fold(Struct):
    """One match while its entries are folded."""

    game: Game
    falls: dict[int, Fall] = field(default_factory=dict)


class _Journal(Struct):
    """A journal read once from end to end: the match on the board, the one before, what was open.

    Only these two matches are folded, so that a long season does not delay the start.
    """

    current: _Chapter | None = None
    previous: _Chapter | None = None
    open_work: Mapping[str, Any] | None = None
    unasked: list[KeptEntry] = field(default_factory=list)
    """The falls of the match that was on the board last: they may be waiting in set-up."""
    newest_fall: int = 0
    settled: set[int] = field(default_factory=set)
    """The falls that some entry settles: they are no longer open."""
    troubles: list[str] = field(default_factory=list)


def restore(
    entries: Iterable[KeptEntry], dialogue_settings: DialogueSettings, plan: Plan, now_ns: int
) -> Restored:
    """Fold a journal into a dialogue.

    Entries that do not fit what came before are left out and named; they stay in the journal.
    A journal without a match restores a board in set-up.
    """
    journal = _Journal()
    for entry in entries:
        try:
            _read_on(journal, entry)
        except (KeyError, ValueError, TypeError) as wrong:
            journal.troubles.append(f"entry {entry.kind!r} left out: {wrong}")
    previous = _folded(journal, journal.previous)
    fold = _folded(journal, journal.current)
    dialogue = DialogueState(
        dialogue_settings, plan, previous=previous.game if previous else None,
        preferences=dialogue_settings.preferences,
        origin=fingerprint(plan, dialogue_settings.locked), configured=plan,
        timing=Timing.at(now_ns),
    )  # fmt: skip
    dialogue = with_game(dialogue, fold.game) if fold else dialogue
    falls = fold.falls if fold else {
        fall.number: fall for fall in (read_fall(entry.body) for entry in journal.unasked)
    }  # fmt: skip
    dialogue = _laid_out(journal, dialogue, falls, now_ns)
    return Restored(dialogue, journal.newest_fall + 1, tuple(journal.troubles))


def _read_on(journal: _Journal, entry: KeptEntry) -> None:
    """Read one entry: which match it belongs to, and what was open after it."""
    match EntryKind(entry.kind):
        case EntryKind.MATCH:
            order = entry.body.get("order")
            journal.current = _Chapter(
                str(entry.body["header"]),
                None if order is None else int(order),
                bool(entry.body.get("gong", False)),
            )
        case EntryKind.SHELVE:
            journal.unasked = _falls_of(journal.current)
            journal.previous, journal.current = journal.current, None
        case EntryKind.DISCARD:
            journal.unasked = _falls_of(journal.current)
            journal.current = None
        case EntryKind.BACK:
            journal.current, journal.previous = journal.previous, None
        case kind:
            if kind is EntryKind.DESK:
                journal.open_work = entry.body
            elif kind is EntryKind.FALL:
                journal.newest_fall = max(journal.newest_fall, int(entry.body["number"]))
            if kind in _SETTLING:
                journal.settled.update(entry.body.get("falls", ()))
            if journal.current is not None and kind in _FOLDS:
                journal.current.entries.append(entry)


def _falls_of(chapter: _Chapter | None) -> list[KeptEntry]:
    entries = chapter.entries if chapter is not None else []
    return [entry for entry in entries if entry.kind == EntryKind.FALL]


def _folded(journal: _Journal, chapter: _Chapter | None) -> _Fold | None:
    """Fold the entries of one match; None where there is none, or it cannot be begun."""
    if chapter is None:
        return None
    try:
        match = _begun(chapter.header)
    except (RecordError, LookupError, ValueError) as wrong:
        journal.troubles.append(f"a match cannot be taken up again: {wrong}")
        return None
    limit_ns = number_option(match.settings, "time_limit_s") * SECOND_NS
    clock = MatchClock(limit_ns)
    fold = _Fold(Game(match, clock=clock, order=chapter.order, armed=chapter.armed))
    for entry in chapter.entries:
        try:
            _FOLDS[EntryKind(entry.kind)](fold, entry.body)
        except (IllegalEntry, RecordError, KeyError, ValueError, TypeError, IndexError) as wrong:
            journal.troubles.append(f"entry {entry.kind!r} left out: {wrong}")
    return fold


@lru_cache(maxsize=4)
def _begun(header: str) -> Match:
    """Begin the match of a header; raises what :func:`_folded` catches."""
    return Match.begin(read_record(header, bounded=False).settings)


def _laid_out(
    journal: _Journal, dialogue: DialogueState, falls: Mapping[int, Fall], now_ns: int
) -> DialogueState:
    """Restore what was open; where that is impossible, go by the match alone."""
    at_rest = changed(dialogue, question=AtRest(phase_of(dialogue)))
    if journal.open_work is None:
        rests = FreePlay() if dialogue.game is None and dialogue.settings.free_rest else None
        return _stopped(journal, changed(at_rest, free=rests), dialogue)
    try:
        opened = laid_out(dialogue, journal.open_work, falls, now_ns)
        kind = opened.menu.kind if opened.menu is not None else None
        if isinstance(opened, InMatch) and kind is MenuKind.GATHERED:
            opened = changed(opened, gathered=gathered(opened, now_ns))
        return _on_the_same_line(_stopped(journal, opened, dialogue), journal.open_work)
    except Exception as unfit:  # noqa: BLE001  the board starts whatever is wrong with it
        journal.troubles.append(f"what was open could not be laid out again: {unfit}")
        return _stopped(journal, _with_open_falls(journal, at_rest, falls), dialogue)


def _stopped(
    journal: _Journal, dialogue: DialogueState, configured: DialogueState
) -> DialogueState:
    """Stop play until people have compared the counts; drop a plan that no longer fits."""
    try:
        wrong = disagreed(dialogue.plan) - CHANGED_IN_SET_UP
    except ValueError as unreadable:
        wrong = frozenset({str(unreadable)})
    if wrong:
        listed = ", ".join(sorted(wrong))
        journal.troubles.append(f"what was set for the next match no longer fits: {listed}")
        dialogue = changed(dialogue, plan=configured.plan)
    hall = dialogue.hall
    if hall is not None and dialogue.seated and dialogue.plan is configured.plan:
        dialogue = changed(dialogue, hall=changed(hall, number=None, answer=None))  # asked again
    if dialogue.game is None:
        return dialogue
    if dialogue.phase in (Phase.BOARD_OVER, Phase.MATCH_OVER):
        return changed(dialogue, note=_("power was off"))
    question = Paused() if dialogue.phase is Phase.READY else dialogue.question
    return changed(dialogue, question=question, glance=Glance.POWER)


def _on_the_same_line(
    dialogue: DialogueState, open_work: Mapping[str, Any] | None
) -> DialogueState:
    """Mark the same line of an open list as before, by its name: the lines may have changed.

    A list written by an earlier version has no name for its line; it is closed.
    """
    if dialogue.menu is None or open_work is None:
        return dialogue
    return marked_again(dialogue, str((open_work.get("menu") or {}).get("line", "")))


CHANGED_IN_SET_UP = frozenset({"handicap"})
"""What people can set so that it does not fit: OK says so, and the list of set-up corrects it."""


def _with_open_falls(
    journal: _Journal, dialogue: DialogueState, falls: Mapping[int, Fall]
) -> DialogueState:
    """Queue the falls that nobody has settled yet, grouped as falls of one stroke would be.

    What people were in the middle of is lost, but nothing that was sensed.
    """
    if dialogue.phase is not Phase.READY:
        return dialogue
    groups: list[FallGroup] = []
    for number in sorted(falls.keys() - journal.settled):
        fall = falls[number]
        gap_ns = fall.start_ns - groups[-1].falls[-1].end_ns if groups else None
        if gap_ns is not None and abs(gap_ns) < dialogue.settings.settle_ns:
            groups[-1] = FallGroup((*groups[-1].falls, fall))
        else:
            groups.append(FallGroup((fall,)))
    return changed(dialogue, waiting=tuple(groups))


def phase_of(dialogue: DialogueState) -> RestingPhase:
    """Return the phase of a match without open work."""
    if dialogue.game is None:
        return Phase.SETUP
    state = dialogue.game.match.state
    if state.over:
        return Phase.MATCH_OVER
    return Phase.BOARD_OVER if state.result is not None else Phase.READY


def _fall(fold: _Fold, body: Mapping[str, Any]) -> None:
    fall = read_fall(body)
    fold.falls[fall.number] = fall


def _undo(fold: _Fold, body: Mapping[str, Any]) -> None:
    if body.get("entries"):
        game = without_last(fold.game, int(body["entries"]))
        fold.game = changed(game, undone=()) if body.get("kept", False) else game
        return
    line = fold.game.lines[-1]
    game = with_match(fold.game, taken_back(fold.game.match, line), 0, fresh=False)
    fold.game = changed(game, lines=game.lines[:-1], undone=(*game.undone, line))


def _redo(fold: _Fold, _body: Mapping[str, Any]) -> None:
    fold.game = line_put_back(fold.game)


def _agreed(fold: _Fold, _body: Mapping[str, Any]) -> None:
    fold.game = agreed(fold.game)


def _used(fold: _Fold, body: Mapping[str, Any]) -> None:
    clock = MatchClock(fold.game.clock.limit_ns, int(body["used_ns"]))
    fold.game = changed(fold.game, clock=clock)


def _time_up(fold: _Fold, _body: Mapping[str, Any]) -> None:
    limit_ns = fold.game.clock.limit_ns
    fold.game = changed(fold.game, clock=MatchClock(limit_ns, limit_ns))


def _read_entries(game: Game, texts: Iterable[Any]) -> tuple[Entry, ...]:
    rules = game.match.settings.rules
    return tuple(read_entry_line(str(text), rules) for text in texts)


def _line(fold: _Fold, body: Mapping[str, Any]) -> None:
    entries = _read_entries(fold.game, body["entries"])
    falls = tuple(fold.falls[number] for number in body["falls"])
    kept, chance = bool(body.get("kept", False)), body.get("probability")
    alone = chance is not None and body.get("by", "") is None and not kept
    line = Line(entries, falls, chance, alone)
    game = with_match(fold.game, put_back(fold.game.match, line), 0, fresh=not kept)
    fold.game = with_line(game, line, kept=kept)


def _join(fold: _Fold, body: Mapping[str, Any]) -> None:
    entries = _read_entries(fold.game, body["entries"])
    match = put_back(fold.game.match, Line(entries))
    last = fold.game.lines[-1]
    longer = changed(last, entries=(*last.entries, *entries))
    fold.game = changed(fold.game, match=match, lines=(*fold.game.lines[:-1], longer), undone=())


def _left_out(fold: _Fold, body: Mapping[str, Any]) -> None:
    if body.get("taken_back", False):
        fold.game = left_out(fold.game)


def _gong(fold: _Fold, _body: Mapping[str, Any]) -> None:
    """Know from a gong that the match waits for them: earlier versions did not say so."""
    fold.game = changed(fold.game, armed=True)


_FOLDS: Mapping[EntryKind, Callable[[_Fold, Mapping[str, Any]], None]] = {
    EntryKind.FALL: _fall,
    EntryKind.LINE: _line,
    EntryKind.JOIN: _join,
    EntryKind.AGREED: _agreed,
    EntryKind.UNDO: _undo,
    EntryKind.REDO: _redo,
    EntryKind.LEFT_OUT: _left_out,
    EntryKind.DESK: _used,
    EntryKind.CLOCK: _used,
    EntryKind.TIME_UP: _time_up,
    EntryKind.GONG: _gong,
}
"""How each kind of entry is folded into its match."""

_SETTLING = frozenset({EntryKind.LINE, EntryKind.LEFT_OUT, EntryKind.CLEARING})
"""The kinds of entries that name the falls they settle."""
