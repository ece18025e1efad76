"""From the journal back to the desk.

The desk is the fold of the journal's entries. A board that starts with a journal comes
back in the phase it was in, with its clock stopped and undo behind it; before play goes on
people are asked to compare table and counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from jackspot.core.agreement import option
from jackspot.core.clock import MatchClock
from jackspot.core.directives import Entry
from jackspot.core.match import IllegalEntry, Match
from jackspot.core.record import RecordError, read_entry_line, read_record
from jackspot.table.desk import SECOND_NS, Customs, Desk, Game, Line, Plan
from jackspot.table.entries import Kind, read_fall
from jackspot.table.events import Fall
from jackspot.table.snapshots import Unfit, laid_out
from jackspot.table.talk import put_back, taken_back
from jackspot.table.view import Phase


class Kept(Protocol):
    """An entry as the journal gives it back."""

    @property
    def kind(self) -> str:
        """Which kind."""

    @property
    def body(self) -> Mapping[str, Any]:
        """What it says."""


@dataclass(frozen=True, slots=True)
class Restored:
    """A desk from a journal, the next fall's number, and what could not be read."""

    desk: Desk
    next_fall: int
    troubles: tuple[str, ...] = ()


@dataclass(slots=True)
class _Fold:
    """The fold while it runs."""

    game: Game | None = None
    previous: Game | None = None
    falls: dict[int, Fall] = field(default_factory=dict)
    desk_body: Mapping[str, Any] | None = None
    used_ns: int = 0
    troubles: list[str] = field(default_factory=list)


def restore(entries: Iterable[Kept], customs: Customs, plan: Plan, now_ns: int) -> Restored:
    """Fold a journal into a desk.

    Entries that do not fit what went before are left out and named; they stay in the
    journal. A journal without a match gives a board in set-up.
    """
    fold = _Fold()
    for entry in entries:
        try:
            _take(fold, entry)
        except (IllegalEntry, RecordError, KeyError, ValueError, TypeError, IndexError) as wrong:
            fold.troubles.append(f"entry {entry.kind!r} left out: {wrong}")
    desk = Desk(customs, plan, game=fold.game, previous=fold.previous, now_ns=now_ns)
    desk = _laid_out(fold, desk, now_ns)
    return Restored(desk, max(fold.falls, default=0) + 1, tuple(fold.troubles))


def _laid_out(fold: _Fold, desk: Desk, now_ns: int) -> Desk:
    """Lay out what was open; where that cannot be, go by the match alone."""
    if desk.game is not None:
        clock = replace(desk.game.clock, used_ns=fold.used_ns, since_ns=None)
        desk = replace(desk, game=replace(desk.game, clock=clock), clock_noted_ns=now_ns)
    if fold.desk_body is not None:
        try:
            desk = laid_out(desk, fold.desk_body, fold.falls, now_ns)
        except Unfit as unfit:
            fold.troubles.append(f"what was open could not be laid out again: {unfit}")
            desk = replace(desk, phase=_phase_of(desk))
    else:
        desk = replace(desk, phase=_phase_of(desk))
    if desk.game is None or desk.phase in (Phase.SETUP, Phase.BOARD_OVER, Phase.MATCH_OVER):
        return desk
    phase = Phase.PAUSED if desk.phase is Phase.READY else desk.phase
    return replace(desk, phase=phase, glance=True)


def _phase_of(desk: Desk) -> Phase:
    """Say which phase a match without open work is in."""
    if desk.game is None:
        return Phase.SETUP
    state = desk.game.match.state
    if state.over:
        return Phase.MATCH_OVER
    return Phase.BOARD_OVER if state.result is not None else Phase.READY


def _take(fold: _Fold, entry: Kept) -> None:
    """Fold one entry in; the kinds that only tell (faults, presses) change nothing."""
    fold_one = _FOLDS.get(Kind(entry.kind))
    if fold_one is not None:
        fold_one(fold, entry.body)


def _match(fold: _Fold, body: Mapping[str, Any]) -> None:
    settings = read_record(str(body["header"])).settings
    limit = option(settings, "time_limit_s")
    fold.game = Game(Match.begin(settings), clock=MatchClock(int(limit) * SECOND_NS))
    fold.used_ns = 0


def _fall(fold: _Fold, body: Mapping[str, Any]) -> None:
    fall = read_fall(body)
    fold.falls[fall.number] = fall


def _undo(fold: _Fold, _body: Mapping[str, Any]) -> None:
    game = _game(fold)
    line = game.lines[-1]
    fold.game = replace(
        game, match=taken_back(game.match, line), lines=game.lines[:-1],
        undone=(*game.undone, line),
    )  # fmt: skip


def _redo(fold: _Fold, _body: Mapping[str, Any]) -> None:
    game = _game(fold)
    line = game.undone[-1]
    fold.game = replace(
        game, match=put_back(game.match, line), lines=(*game.lines, line),
        undone=game.undone[:-1],
    )  # fmt: skip


def _shelve(fold: _Fold, _body: Mapping[str, Any]) -> None:
    game = _game(fold)
    fold.previous = replace(game, clock=replace(game.clock, used_ns=fold.used_ns))
    fold.game = None


def _discard(fold: _Fold, _body: Mapping[str, Any]) -> None:
    fold.game = None


def _back(fold: _Fold, _body: Mapping[str, Any]) -> None:
    fold.game, fold.previous = fold.previous, None
    fold.used_ns = _game(fold).clock.used_ns


def _desk(fold: _Fold, body: Mapping[str, Any]) -> None:
    fold.desk_body = body
    fold.used_ns = int(body["used_ns"])


def _clock(fold: _Fold, body: Mapping[str, Any]) -> None:
    fold.used_ns = int(body["used_ns"])


def _time_up(fold: _Fold, _body: Mapping[str, Any]) -> None:
    fold.used_ns = _game(fold).clock.limit_ns


def _game(fold: _Fold) -> Game:
    if fold.game is None:
        raise ValueError("there is no match on the board")
    return fold.game


def _read_entries(game: Game, texts: Iterable[Any]) -> tuple[Entry, ...]:
    rules = game.match.settings.rules
    return tuple(read_entry_line(str(text), rules) for text in texts)


def _take_line(fold: _Fold, body: Mapping[str, Any]) -> None:
    game = _game(fold)
    entries = _read_entries(game, body["entries"])
    falls = tuple(fold.falls[number] for number in body["falls"])
    line = Line(entries, falls, body.get("probability"))
    fold.game = replace(
        game, match=put_back(game.match, line), lines=(*game.lines, line), undone=()
    )


def _take_join(fold: _Fold, body: Mapping[str, Any]) -> None:
    game = _game(fold)
    entries = _read_entries(game, body["entries"])
    match = put_back(game.match, Line(entries))
    last = game.lines[-1]
    joined = replace(last, entries=(*last.entries, *entries))
    fold.game = replace(game, match=match, lines=(*game.lines[:-1], joined), undone=())


_FOLDS: Mapping[Kind, Callable[[_Fold, Mapping[str, Any]], None]] = {
    Kind.MATCH: _match,
    Kind.FALL: _fall,
    Kind.LINE: _take_line,
    Kind.JOIN: _take_join,
    Kind.UNDO: _undo,
    Kind.REDO: _redo,
    Kind.SHELVE: _shelve,
    Kind.DISCARD: _discard,
    Kind.BACK: _back,
    Kind.DESK: _desk,
    Kind.CLOCK: _clock,
    Kind.TIME_UP: _time_up,
}
"""How each kind of entry is folded in."""
