"""Taking the last line back and opening it again, putting lines back, putting a match aside."""

from __future__ import annotations

from collections import Counter

from jackspot.core.phrases import _
from jackspot.core.pieces import Piece
from jackspot.dialogue.actions.free_play import rest
from jackspot.dialogue.actions.settling import (
    go_on,
    go_on_placing,
    lies_wrong,
    pause_again,
    to_play,
)
from jackspot.dialogue.proposals.keeping import leave_out, let_later_wait, waits
from jackspot.dialogue.proposals.open_falls import let_later_falls_wait, open_falls, with_hands
from jackspot.dialogue.proposals.placing import let_go_by, let_go_in, sent_back, without
from jackspot.dialogue.proposals.proposing import reopen
from jackspot.dialogue.state.dialogue_state import TimeDue, without_game
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.game import Line
from jackspot.dialogue.state.hall_state import Answer
from jackspot.dialogue.state.plans import planned_again
from jackspot.dialogue.state.proposal import FallGroup
from jackspot.dialogue.state.question import Paused
from jackspot.dialogue.state.timing import LastEntry
from jackspot.dialogue.state.transition import (
    PLACED,
    TIME,
    MatchTransition,
    Transition,
    agreed,
    holds_a_stroke,
    line_put_back,
    plan_for_anyone,
    taken_back,
    with_match,
    without_last,
)
from jackspot.dialogue.state.view import Phase
from jackspot.values import changed


def take_back(transition: MatchTransition) -> None:
    """Take the last line back and open its review; a fresh proposal is parked.

    An unconfirmed entry by hand is dropped instead: nothing was sensed, and it is itself the last
    thing that was said.
    """
    open_now = transition.dialogue.proposal
    fresh = open_now is not None and open_now.reopened is None
    if transition.dialogue.history is not None and transition.game.undone and not fresh:
        redo_all(transition)
        return
    if open_now is not None and fresh and not open_now.falls:
        transition.change_timing(last_undo=LastEntry(transition.now_ns, transition.button))
        to_play(transition)
        return
    if not transition.game.lines:
        _before_the_first(transition)
        return
    _park(transition)
    let_later_falls_wait(transition)
    let_go_at = _let_go_at(transition)
    if let_go_at is not None:
        _ask_for_placing_again(transition, let_go_at)
        return
    take_line_back(transition)
    transition.change_timing(last_undo=LastEntry(transition.now_ns, transition.button))
    _reopen(transition, transition.game.undone[-1])


def open_last_stroke(transition: MatchTransition) -> None:
    """Open the last stroke again, together with all that was said since, which comes back later."""
    _park(transition)
    let_later_falls_wait(transition)
    take_line_back(transition)
    while not holds_a_stroke(transition.game.undone[-1]) and transition.game.lines:
        take_line_back(transition)
    transition.change_timing(last_undo=LastEntry(transition.now_ns, transition.button))
    _reopen(transition, transition.game.undone[-1])


def _let_go_at(transition: MatchTransition) -> int | None:
    """Return where in the last line something was let go that is no longer on the board.

    0: it was there, and has been taken off for a waiver that is a line of its own.
    """
    line = transition.game.lines[-1]
    off = _to_take_off(transition) and not transition.dialogue.take
    return 0 if off else let_go_in(line)


def _to_take_off(transition: MatchTransition) -> tuple[Piece, ...]:
    """Return what the last line has taken off the board, if it is a waiver of its own."""
    line, match = transition.game.lines[-1], transition.game.match
    if line.stroke is not None or match.state.result is not None:
        return ()
    return let_go_by(match, len(line.entries))


def _park(transition: MatchTransition) -> None:
    """Put aside what is open while something before it is asked about again.

    A review of a confirmed line comes back on its own.
    """
    shown = transition.dialogue.proposal
    if shown is not None and shown.reopened is None:
        transition.change(parked=(shown, *transition.dialogue.parked))


def _ask_for_placing_again(transition: MatchTransition, at: int) -> None:
    """Take back that pieces were let go: they are to be put back, as they were before that.

    What a correction still has to ask for stays asked for. Lines that UNDO had taken back were on a
    board without those pieces. They wait as later lines, since they may no longer fit.
    """
    game = transition.game
    line = game.lines[-1]
    gone = line.entries[at:]
    lying, missing = transition.dialogue.lying, transition.dialogue.missing
    if not at or PLACED in line.entries[:at]:
        missing = (*missing, *let_go_by(game.match, len(gone)))
    elif PLACED in gone:
        lying = (*lying, *sent_back(game.match, len(line.entries)))
    transition.change_timing(last_undo=LastEntry(transition.now_ns, transition.button))
    transition.put(without_last(game, len(gone)))
    transition.change(
        place=(), take=(), lying=lying, missing=missing, menu=None, over_ns=None,
        entered_ns=None,
    )  # fmt: skip
    if game.undone:
        let_later_wait(transition, game, replaced=0)
        transition.change_game(undone=())
        transition.record(EntryKind.UNDO, entries=len(gone), kept=True)
    else:
        transition.record(EntryKind.UNDO, entries=len(gone))
    if TIME in gone:
        board, lines = transition.game.match.state.board, len(transition.game.lines)
        transition.change(time_due=TimeDue(board, transition.now_ns, after=lines))
    go_on_placing(transition)


def take_back_to(transition: MatchTransition, number: int) -> bool:
    """Take back to a line of the history and open it; False if it is no stroke.

    An open proposal is put aside as by UNDO. ``number`` counts the match's lines from 0.
    """
    asked = transition.dialogue.question
    opened_in = asked if isinstance(asked, Paused) else asked.phase
    _park(transition)
    let_later_falls_wait(transition)
    while len(transition.game.lines) > number:
        take_line_back(transition)
    line = transition.game.undone[-1]
    transition.change_timing(last_undo=LastEntry(transition.now_ns, transition.button))
    transition.change(history=transition.dialogue.history or opened_in)
    if transition.game.match.state.result is not None:
        _reopen(transition, line)
        return True
    if line.stroke is None and not line.falls:
        transition.go(Phase.READY)
        return False
    transition.review(reopen(transition.dialogue, line, transition.now_ns))
    return True


def _before_the_first(transition: MatchTransition) -> None:
    """Go back to set-up from *ready*, or from the review of the first stroke.

    A match whose lines were all taken back is put aside, so that UNDO brings it back; lines that
    wait to be entered again would be lost with it. Falls that nobody confirmed, even if they had
    entered themselves, wait in set-up until a match starts or until that one is back.
    """
    if waits(transition.dialogue) is not None:
        transition.refuse(_("confirm this first: later strokes wait"))
        return
    transition.change_timing(last_undo=LastEntry(transition.now_ns, transition.button))
    _park(transition)
    let_later_falls_wait(transition)
    dialogue = transition.dialogue
    alone = (FallGroup(each.falls) for each in reversed(dialogue.game.undone) if each.alone)
    parked = (FallGroup(each.falls, each.hands, each.gap_ns) for each in dialogue.parked)
    unasked = tuple(group for group in (*alone, *parked, *dialogue.waiting) if group.falls)
    transition.drop()
    transition.change(parked=(), waiting=())
    _seat_again(transition)
    if transition.game.undone:
        shelve(transition, "taken back")
    else:
        hands = with_hands(transition, ())
        if hands:
            transition.record(EntryKind.CLEARING, falls=[fall.number for fall in hands])
        transition.record(EntryKind.DISCARD)
        _to_setup(transition)
    if unasked:
        transition.change(waiting=unasked, note=_("asked again after the start"))


def shelve(transition: MatchTransition, why: str) -> None:
    """Put the match aside, over or not; set-up can bring it back."""
    falls = with_hands(transition, open_falls(transition.dialogue, transition.dialogue.proposal))
    if falls:
        transition.record(EntryKind.CLEARING, falls=[fall.number for fall in falls])
    if transition.dialogue.kept is not None:
        leave_out(transition, transition.dialogue.kept)
    transition.stop_clock()
    transition.record(EntryKind.CLOCK, used_ns=transition.game.clock.used_ns)
    transition.record(EntryKind.SHELVE, why=why)
    transition.change(previous=transition.game)
    if transition.game.order is not None and not transition.dialogue.seated:
        plan_for_anyone(transition)
    _to_setup(transition)


def _seat_again(transition: MatchTransition) -> None:
    """Seat the players of an order again, as before the start that is taken back.

    If the hall has another order by now, or the board has left it, nobody is seated for this one.
    """
    hall, game = transition.dialogue.hall, transition.game
    if game.order is None or transition.dialogue.seated:
        return
    if hall is None or hall.number != game.order:
        plan_for_anyone(transition)
        return
    plan = planned_again(transition.dialogue.plan, game.match.settings, game.armed)
    transition.change(hall=changed(hall, answer=Answer.SEATED), plan=plan)


def _to_setup(transition: Transition) -> None:
    """Clear the dialogue for the next match."""
    transition.dialogue = without_game(transition.dialogue)
    transition.change(
        menu=None, waiting=(), assumed=(), parked=(), place=(), fetch=(),
        glance=None, time_due=None, over_ns=None, armed=None, called=None,
        take=(), kept=None, lying=(), missing=(), history=None, details=False, gathered=None,
        objections=(),
    )  # fmt: skip
    rest(transition)
    transition.mark_entry()
    transition.go(Phase.SETUP)


def take_line_back(transition: MatchTransition) -> None:
    """Undo the last line; if 0:00 was beside it, 0:00 is due again in its place."""
    game = transition.game
    line = game.lines[-1]
    lying = without(transition.dialogue.lying, Counter(_to_take_off(transition)))
    game = with_match(game, taken_back(game.match, line), transition.now_ns, fresh=False)
    transition.put(changed(game, lines=game.lines[:-1], undone=(*game.undone, line)))
    transition.change(
        place=(), take=(), fetch=(), menu=None, over_ns=None,
        entered_ns=None, lying=tuple(lying),
    )  # fmt: skip
    transition.record(EntryKind.UNDO)
    if TIME in line.entries:
        board = game.match.state.board
        transition.change(time_due=TimeDue(board, transition.now_ns, after=len(game.lines)))


def _reopen(transition: MatchTransition, line: Line) -> None:
    """Go to where a line that was taken back can be looked at, and put back or changed."""
    state = transition.game.match.state
    if state.result is not None:
        transition.go(Phase.MATCH_OVER if state.over else Phase.BOARD_OVER)
    elif line.falls or not _says_nothing_fell(line):
        transition.review(reopen(transition.dialogue, line, transition.now_ns))
    else:
        transition.start_clock()
        placing = line.stroke is None and waits(transition.dialogue) is None
        still = placing and lies_wrong(transition)
        transition.go(Phase.PLACING if still else Phase.READY)


def _says_nothing_fell(line: Line) -> bool:
    """Whether a line without falls has no pieces and no calls: a miss, or a directive."""
    stroke = line.stroke
    return stroke is None or not (stroke.departures or stroke.flags)


def people_agree(transition: MatchTransition) -> None:
    """Note that people have said that the last line, which entered itself, is right."""
    wire = transition.button.wire if transition.button is not None else ""
    transition.put(agreed(transition.game))
    transition.record(EntryKind.AGREED, wire=wire)


def redo_all(transition: MatchTransition, *, confirmed: bool = False) -> None:
    """Put back every line that was taken back, the one taken back last first.

    ``confirmed``: people have looked at that line and said that it is right.
    """
    _park(transition)
    let_later_falls_wait(transition)
    while transition.game.undone:
        line = transition.game.undone[-1]
        transition.put(line_put_back(transition.game, transition.now_ns))
        transition.record(EntryKind.REDO)
        if confirmed and line.alone:
            people_agree(transition)
        confirmed = False
        if TIME in line.entries:
            transition.change(time_due=None)
        if PLACED not in line.entries:
            transition.change(lying=(*transition.dialogue.lying, *_to_take_off(transition)))
    transition.change(entered_ns=transition.now_ns)
    transition.mark_entry()
    opened_in = transition.dialogue.history
    go_on(transition)
    if isinstance(opened_in, Paused):
        pause_again(transition, opened_in)
