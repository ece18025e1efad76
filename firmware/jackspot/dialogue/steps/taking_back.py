"""Taking the last line back and opening it again, putting lines back, putting a match aside."""

from __future__ import annotations

from dataclasses import replace

from jackspot.core.phrases import _
from jackspot.dialogue.proposals.keeping import leave_out
from jackspot.dialogue.proposals.open_falls import let_later_falls_wait, open_falls, with_hands
from jackspot.dialogue.proposals.placing import let_go_in, sent_back
from jackspot.dialogue.proposals.proposing import reopen
from jackspot.dialogue.state.desk import LastEntry, TimeDue
from jackspot.dialogue.state.entries import Kind
from jackspot.dialogue.state.game import Line
from jackspot.dialogue.state.talk import (
    PLACED,
    TIME,
    Talk,
    put_back,
    taken_back,
    with_match,
    without_last,
)
from jackspot.dialogue.state.view import Phase
from jackspot.dialogue.steps.free_play import rest
from jackspot.dialogue.steps.settling import go_on, go_on_placing, to_ready


def take_back(talk: Talk) -> None:
    """Take the last line back and open its review; a fresh proposal is parked.

    A manual entry that nobody confirmed is dropped instead: nothing was sensed, and it is
    itself the last thing that was said.
    """
    open_now = talk.desk.proposal
    fresh = open_now is not None and open_now.reopened is None
    if talk.desk.history is not None and talk.game.undone and not fresh:
        redo_all(talk)
        return
    if open_now is not None and fresh and not open_now.falls:
        talk.change(last_undo=LastEntry(talk.now_ns, talk.button))
        to_ready(talk)
        return
    if not talk.game.lines:
        _before_the_first(talk)
        return
    _park(talk)
    let_later_falls_wait(talk)
    if let_go_in(talk.game.lines[-1]) is not None:
        _ask_for_placing_again(talk)
        return
    take_line_back(talk)
    talk.change(last_undo=LastEntry(talk.now_ns, talk.button))
    _reopen(talk, talk.game.undone[-1])


def _park(talk: Talk) -> None:
    """Put aside what is open while something before it is asked about again.

    A review of what was confirmed comes back by itself.
    """
    shown = talk.desk.proposal
    if shown is not None and shown.reopened is None:
        talk.change(parked=(shown, *talk.desk.parked))


def _ask_for_placing_again(talk: Talk) -> None:
    """Take back that pieces were let go: they are to be put back, as they were before that."""
    game = talk.game
    line = game.lines[-1]
    at = let_go_in(line)
    assert at is not None, "something was let go"
    gone = line.entries[at:]
    lies = sent_back(game.match, len(line.entries)) if PLACED in gone else ()
    talk.change(
        game=without_last(game, len(gone)), last_undo=LastEntry(talk.now_ns, talk.button),
        place=(), take=(), lying=lies, missing=(), menu=None, proposal=None, over_ns=None,
        entered_ns=None,
    )  # fmt: skip
    talk.record(Kind.UNDO, entries=len(gone))
    if TIME in gone:
        board, lines = talk.game.match.state.board, len(talk.game.lines)
        talk.change(time_due=TimeDue(board, talk.now_ns, after=lines))
    go_on_placing(talk)


def take_back_to(talk: Talk, number: int) -> bool:
    """Take back to a line of the history and open it; False where it is no stroke.

    What lay open is put aside as by UNDO. ``number`` counts the match's lines from 0.
    """
    came_from = talk.desk.phase
    _park(talk)
    let_later_falls_wait(talk)
    while len(talk.game.lines) > number:
        take_line_back(talk)
    line = talk.game.undone[-1]
    talk.change(
        last_undo=LastEntry(talk.now_ns, talk.button), history=talk.desk.history or came_from
    )
    if talk.game.match.state.result is not None:
        _reopen(talk, line)
        return True
    if line.stroke is None and not line.falls:
        talk.go(Phase.READY)
        return False
    talk.change(proposal=reopen(talk.desk, line, talk.now_ns))
    talk.go(Phase.REVIEW)
    return True


def _before_the_first(talk: Talk) -> None:
    """Go back to set-up from *ready*, or from the review of the first line, taken back.

    A match whose lines were all taken back is put aside, so that UNDO brings it back.
    """
    shown = talk.desk.proposal
    if shown is not None and shown.reopened is None:
        talk.refuse(_("nothing to take back"))
        return
    talk.change(last_undo=LastEntry(talk.now_ns, talk.button))
    if talk.game.undone or talk.desk.parked:
        shelve(talk, "taken back")
        return
    hands = with_hands(talk, ())
    if hands:
        talk.record(Kind.CLEARING, falls=[fall.number for fall in hands])
    talk.record(Kind.DISCARD)
    talk.change(game=None)
    _to_setup(talk)


def shelve(talk: Talk, why: str) -> None:
    """Put the match aside, over or not; set-up can bring it back."""
    falls = with_hands(talk, open_falls(talk.desk, talk.desk.proposal))
    if falls:
        talk.record(Kind.CLEARING, falls=[fall.number for fall in falls])
    leave_out(talk)
    talk.stop_clock()
    talk.record(Kind.CLOCK, used_ns=talk.game.clock.used_ns)
    talk.record(Kind.SHELVE, why=why)
    talk.change(previous=talk.game, game=None)
    _to_setup(talk)


def _to_setup(talk: Talk) -> None:
    """Clear the desk for the next match."""
    talk.change(
        menu=None, proposal=None, waiting=(), assumed=(), parked=(), place=(), fetch=(),
        glance=False, time_due=None, over_ns=None, armed=None, called=None,
        take=(), kept=None, lying=(), missing=(), history=None,
    )  # fmt: skip
    rest(talk)
    talk.mark_entry()
    talk.go(Phase.SETUP)


def take_line_back(talk: Talk) -> None:
    """Undo the last line; where 0:00 stood beside it, it is due again in its place."""
    game = talk.game
    line = game.lines[-1]
    game = with_match(game, taken_back(game.match, line), talk.now_ns, fresh=False)
    talk.change(
        game=replace(game, lines=game.lines[:-1], undone=(*game.undone, line)),
        place=(), take=(), fetch=(), menu=None, proposal=None, over_ns=None,
        entered_ns=None,
    )  # fmt: skip
    talk.record(Kind.UNDO)
    if TIME in line.entries:
        board = game.match.state.board
        talk.change(time_due=TimeDue(board, talk.now_ns, after=len(game.lines)))


def _reopen(talk: Talk, line: Line) -> None:
    """Go to where a line that was taken back can be looked at and put back or changed."""
    state = talk.game.match.state
    if state.result is not None:
        talk.go(Phase.MATCH_OVER if state.over else Phase.BOARD_OVER)
    elif line.falls or not _says_nothing_fell(line):
        talk.change(proposal=reopen(talk.desk, line, talk.now_ns))
        talk.go(Phase.REVIEW)
    else:
        talk.start_clock()
        talk.go(Phase.READY)


def _says_nothing_fell(line: Line) -> bool:
    """Whether a line without falls has no pieces and no calls: a miss, or a directive."""
    stroke = line.stroke
    return stroke is None or not (stroke.departures or stroke.flags)


def redo_all(talk: Talk) -> None:
    """Put back the line last taken back and all that were taken back after it."""
    _park(talk)
    let_later_falls_wait(talk)
    while talk.game.undone:
        game = talk.game
        line = game.undone[-1]
        game = with_match(game, put_back(game.match, line), talk.now_ns, fresh=False)
        talk.change(game=replace(game, lines=(*game.lines, line), undone=game.undone[:-1]))
        talk.record(Kind.REDO)
        if TIME in line.entries:
            talk.change(time_due=None)
    talk.change(entered_ns=talk.now_ns)
    talk.mark_entry()
    was_paused = talk.desk.history is Phase.PAUSED
    go_on(talk)
    if was_paused and talk.desk.phase is Phase.READY:
        talk.stop_clock()
        talk.go(Phase.PAUSED)
