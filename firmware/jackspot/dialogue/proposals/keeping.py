"""Keeping later strokes: what was entered after a stroke that is corrected.

After a change further back (UNDO several times, or the history, then another reading) the lines
entered since wait as ``Later`` lines of the dialogue's state until people say whether to keep them.
Then they are entered again one by one, as they were, with the falls they were made of. A seat whose
turn it no longer is keeps its stroke, with a ``! turn`` before it. A line that is no longer legal,
or now ends a board it did not end before, is shown to people; the rest wait behind it.

This module says which lines wait, whether the next one fits and how it is entered.
:mod:`jackspot.dialogue.actions.settling` asks the questions and goes on afterwards.
"""

from __future__ import annotations

from collections import Counter
from enum import StrEnum

from jackspot.core.directives import Entry, GiveTurn
from jackspot.core.match import IllegalEntry, Match, MatchState
from jackspot.core.pieces import Piece
from jackspot.core.record import write_entry
from jackspot.core.stroke import Stroke
from jackspot.dialogue.proposals.legal import match_with
from jackspot.dialogue.proposals.permitted import DEMAND
from jackspot.dialogue.proposals.placing import sent_back
from jackspot.dialogue.state.dialogue_state import InMatch, TimeDue
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.game import Game, Keeping, Later, Line
from jackspot.dialogue.state.transition import (
    NEXT_BOARD,
    PLACED,
    TIME,
    MatchTransition,
    put_back,
)
from jackspot.readings.own_pieces import ONE_OF_A_KIND
from jackspot.values import changed


class Hindrance(StrEnum):
    """Why the next line that waits cannot simply be entered again."""

    ILLEGAL = "illegal"
    """The stroke cannot have happened, or the board's end changes: people must look at it."""
    BOARD_OVER = "board_over"
    """The board ended before it."""
    BOARD_RUNS = "board_runs"
    """It began the next board, but this board is not over."""
    MISFIT = "misfit"
    """A directive that means nothing here."""


# --- what waits ------------------------------------------------------------------------


def waits(dialogue: InMatch) -> Keeping | None:
    """Return the lines that wait to be entered again; None: none do."""
    return dialogue.kept if dialogue.kept is not None and dialogue.kept.lines else None


def open_later(dialogue: InMatch) -> Keeping | None:
    """Return what waits, if the review of its first line is open because it no longer fits."""
    kept, shown = waits(dialogue), dialogue.proposal
    if kept is None or shown is None or shown.reopened is None or dialogue.game.undone:
        return None
    reopened = changed(shown.reopened, alone=False)  # as it waits
    return kept if reopened == kept.lines[0].line else None


def behind(dialogue: InMatch) -> int:
    """Count the lines that wait behind the current question."""
    if dialogue.kept is None:
        return 0
    return len(dialogue.kept.lines) - (open_later(dialogue) is not None)


def later_lines(game: Game) -> tuple[Later, ...]:
    """Return the lines that UNDO took back, in the order they were entered, and what they did."""
    match, listed = game.match, []
    for line in reversed(game.undone):
        entered = put_back(match, line)
        listed.append(_later(match, line, entered))
        match = entered
    return tuple(listed)


def _later(before: Match, line: Line, after: Match) -> Later:
    state = after.state
    placed = _placed(before, line, after) if PLACED in line.entries else ()
    rows = state.ruling.rows if line.stroke and state.ruling else ()
    began = before.state.result is not None and before.state.board != state.board
    ended = state.result is not None and bool(line.entries)
    line = changed(line, alone=False)  # keeping it confirms it
    return Later(line, before.state.board, began, ended, rows, state.next, placed)


def _placed(before: Match, line: Line, after: Match) -> tuple[Piece, ...]:
    """Return what a line says is placed; one that is no stroke may say it of the stroke before."""
    count = len(after.steps) - len(before.steps)
    for step in reversed(before.steps if line.stroke is None else ()):
        if step.entry in (PLACED, NEXT_BOARD):
            break
        count += 1
        if isinstance(step.entry, Stroke):
            break
    return sent_back(after, count)


def _sent_back(before: Match, after: Match) -> tuple[Piece, ...]:
    """Return what the entries between two matches send back to the board, bottom to top."""
    return sent_back(after, len(after.steps) - len(before.steps))


def let_later_wait(transition: MatchTransition, before: Game, *, replaced: int) -> None:
    """Queue the lines that had been taken back before something else was entered.

    ``before`` is the match as it was then. The new entry takes the place of the first ``replaced``
    of them, and the pieces put back for those are on the board.
    """
    taken = later_lines(before)
    gone, later = taken[:replaced], taken[replaced:]
    for each in gone:
        transition.change(lying=(*transition.dialogue.lying, *each.placed))
    now_in = {fall.number for line in transition.game.lines for fall in line.falls}
    others = (each.line for each in gone if each.line.falls)
    note_left_out(transition, tuple(e for e in others if not now_in & {f.number for f in e.falls}))
    due = transition.dialogue.time_due
    if due is not None and due.after is not None and any(_has_time(each) for each in later):
        transition.change(time_due=None)
    older = transition.dialogue.kept.lines if transition.dialogue.kept is not None else ()
    lines = (*later, *older)
    transition.change(kept=Keeping(lines) if lines else None)


def _has_time(later: Later) -> bool:
    return TIME in later.line.entries


# --- entering again --------------------------------------------------------------------


def hindrance(match: Match, later: Later) -> Hindrance | None:
    """Return why a line that waits cannot simply be entered; None: it fits."""
    if not later.line.entries:
        return None
    misplaced = _misplaced(match.state, later)
    if misplaced is not None:
        return misplaced
    look = Hindrance.ILLEGAL if later.line.stroke else Hindrance.MISFIT
    try:
        entries = entries_again(match, later.line)
    except IllegalEntry:
        return look
    ended = put_back(match, Line(entries)).state.result is not None
    return look if later.line.stroke and ended != later.ended else None


def _misplaced(state: MatchState, later: Later) -> Hindrance | None:
    """Return why a line is on the wrong side of a board's end; None: it is not."""
    over = state.result is not None
    if later.line.entries == (DEMAND,):
        return None if over else Hindrance.MISFIT
    if state.over or (over and not later.began):
        return Hindrance.BOARD_OVER
    if later.began and not over:
        return Hindrance.BOARD_RUNS
    return Hindrance.MISFIT if not later.began and later.board != state.board else None


def entries_again(match: Match, line: Line) -> tuple[Entry, ...]:
    """Return the entries of a line as they must be now; raises IllegalEntry where they cannot be.

    A ``! turn`` comes before a stroke that is not that seat's turn, and only there. ``! time``
    keeps its place beside the stroke. What the stroke sends back counts as placed, because play
    went on after it (pieces that are not there are asked for at the end).
    """
    before, entries = match, list[Entry]()
    for entry in line.entries:
        if entry == PLACED or (isinstance(entry, GiveTurn) and line.stroke):
            continue
        if entry == TIME and match.state.result is not None:
            continue
        if isinstance(entry, Stroke) and match.state.next is not entry.seat:
            entries.append(GiveTurn(entry.seat))
            match = match_with(match, entries[-1])
        entries.append(entry)
        match = match.enter(entry)
    if _sent_back(before, match) and match.state.result is None:
        entries.append(PLACED)
    return tuple(entries)


def enter_next(transition: MatchTransition, kept: Keeping) -> Keeping:
    """Enter the next line that waits again, with its falls, and return what waits after it.

    The line must have no hindrance.
    """
    before, later = transition.game.match, kept.lines[0]
    entries = entries_again(before, later.line)
    transition.enter(entries, later.line.falls, later.line.probability, kept=True)
    after = transition.game.match
    if before.state.result is not None and after.state.result is None:
        transition.change(lying=(), missing=())
    elif after.state.result is None:
        _account(transition, later, _sent_back(before, after))
    if _has_time(later):
        transition.change(time_due=None)
    new = _later(before, transition.game.lines[-1], after)
    same = (new.rows, new.next, new.ended) == (later.rows, later.next, later.ended)
    number = len(transition.game.lines) - 1
    differing = kept.differing if same else (*kept.differing, number)
    left = changed(kept, lines=kept.lines[1:], entered=kept.entered + 1, differing=differing)
    transition.change(kept=left)
    return left


def _account(transition: MatchTransition, later: Later, back: tuple[Piece, ...]) -> None:
    """Account for what is on the board and what is missing there, now a line is entered again.

    A jack or queen that a later stroke pocketed had been put back, whoever did it.
    """
    dialogue, stroke = transition.dialogue, later.line.stroke
    lying, missing = dialogue.lying, dialogue.missing
    if stroke is not None:
        fell = {each.piece for each in stroke.departures} & ONE_OF_A_KIND
        lying = tuple(piece for piece in lying if piece not in fell)
        missing = tuple(piece for piece in missing if piece not in fell)
    transition.change(lying=(*lying, *later.placed), missing=(*missing, *back))


def time_again(transition: MatchTransition, later: Later) -> None:
    """Make the ``! time`` of a line that people must look at due again in its place."""
    if _has_time(later):
        game = transition.game
        transition.change(
            time_due=TimeDue(game.match.state.board, transition.now_ns, len(game.lines) + 1)
        )


def settled(transition: MatchTransition, kept: Keeping, before: Game) -> None:
    """Note that people have settled the line that did not fit; the rest follow it.

    ``before`` is the match as it was then. If the line was made part of the stroke before, that was
    taken back, and the pieces put back for it are on the board.
    """
    gone = (*later_lines(before), kept.lines[0])
    transition.change(
        kept=changed(kept, lines=kept.lines[1:], entered=kept.entered + 1),
        lying=(*transition.dialogue.lying, *(piece for each in gone for piece in each.placed)),
    )


def leave_out(transition: MatchTransition, kept: Keeping, count: int | None = None) -> Keeping:
    """Leave out the next lines that wait, by default all; return what still waits.

    The lines are written down. A ``! time`` among them is due again where it was: the same number
    of lines further on.
    """
    gone = kept.lines[:count]
    note_left_out(transition, tuple(each.line for each in gone))
    begins = any(each.began for each in gone)
    placed = tuple(piece for each in gone for piece in each.placed)
    left = changed(kept, lines=kept.lines[len(gone) :])
    transition.change(
        kept=left,
        lying=() if begins else (*transition.dialogue.lying, *placed),
        missing=() if begins else transition.dialogue.missing,
    )
    time = next((at for at, each in enumerate(gone, start=1) if _has_time(each)), None)
    if time is not None and not begins:
        board, lines = transition.game.match.state.board, len(transition.game.lines)
        transition.change(time_due=TimeDue(board, transition.now_ns, after=lines + time))
    return left


def note_left_out(
    transition: MatchTransition, lines: tuple[Line, ...], *, taken_back: bool = False
) -> None:
    """Write down lines that will not be entered again; their falls stay as evidence.

    ``taken_back``: UNDO had taken them back, and nothing it took back can be put back any more.
    """
    if lines:
        transition.record(
            EntryKind.LEFT_OUT,
            entries=[write_entry(entry) for line in lines for entry in line.entries],
            falls=[fall.number for line in lines for fall in line.falls],
            taken_back=taken_back,
        )


def until_next_board(kept: Keeping) -> int:
    """Count the lines that wait before the one that began the next board."""
    return next((at for at, each in enumerate(kept.lines) if each.began), len(kept.lines))


# --- what lies on the board ------------------------------------------------------------


def to_put_back(dialogue: InMatch, now_back: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Return what must still be put back, bottom to top, without what is there already.

    A queen comes first, on the centre; a jack last, on top of all.
    """
    there = Counter(dialogue.lying)
    left: list[Piece] = []
    for piece in (*dialogue.missing, *now_back):
        if there[piece]:
            there[piece] -= 1
        else:
            left.append(piece)
    queens = [piece for piece in left if piece is Piece.QUEEN]
    jacks = [piece for piece in left if piece is Piece.JACK]
    return (*queens, *(piece for piece in left if piece not in ONE_OF_A_KIND), *jacks)


def to_take_off(dialogue: InMatch, now_back: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Return the pieces on the board for strokes that no longer count: they belong off it."""
    left = Counter(dialogue.lying) - Counter((*dialogue.missing, *now_back))
    return tuple(left.elements())


def time_is_missing(state: MatchState, *, clock_is_up: bool) -> bool:
    """Whether 0:00 has passed on a running board that has no ``! time``."""
    return clock_is_up and state.result is None and state.time_up is None
