"""Going on after something was entered: placing, the next that waits, the board's end, 0:00.

It holds what the phases share once a line is entered. Entering itself is in
:mod:`jackspot.dialogue.actions.entering`, taking back in
:mod:`jackspot.dialogue.actions.taking_back`.
"""

from __future__ import annotations

from itertools import takewhile

from jackspot.core.agreement import option
from jackspot.core.match import MatchState
from jackspot.core.pieces import Piece, Pocket
from jackspot.dialogue.proposals.hands import assume
from jackspot.dialogue.proposals.keeping import (
    Hindrance,
    enter_next,
    hindrance,
    time_again,
    time_is_missing,
    to_put_back,
    to_take_off,
    waits,
)
from jackspot.dialogue.proposals.open_falls import open_falls
from jackspot.dialogue.proposals.permitted import FORGOT, may_say
from jackspot.dialogue.proposals.placing import sent_back
from jackspot.dialogue.proposals.proposing import implies_placed, read_anew, reopen, time_follows
from jackspot.dialogue.proposals.queueing import is_hand, opened, opened_again
from jackspot.dialogue.state.dialogue_state import TimeDue
from jackspot.dialogue.state.entries import EntryKind, Json
from jackspot.dialogue.state.game import Keeping, Line
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.question import Paused
from jackspot.dialogue.state.transition import NEXT_BOARD, PLACED, TIME, MatchTransition
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.dialogue.words.line_words import kept_word
from jackspot.sensing.events import Fall
from jackspot.values import changed


def go_on_after_a_change(transition: MatchTransition) -> None:
    """Go on after an entry was left out with none in its place."""
    transition.drop()
    transition.change(menu=None, history=None, fetch=())
    _enter_time_if_due(transition)
    kept = waits(transition.dialogue)
    if kept is not None:
        keep_on(transition, kept)
    else:
        _come_to_rest(transition)


def go_on(transition: MatchTransition) -> None:
    """Go where the last line leads: later lines, board over, match over, placing, or ready."""
    transition.drop()
    transition.change(menu=None, history=None)
    _enter_time_if_due(transition)
    line = transition.game.lines[-1]
    _sound(transition, transition.game.match.state, line)
    transition.change(fetch=_to_fetch(transition, line))
    kept = waits(transition.dialogue)
    if kept is not None:
        keep_on(transition, kept)
    else:
        _come_to_rest(transition)


def _come_to_rest(transition: MatchTransition) -> None:
    """Go on after the last line, when no line waits to be entered again."""
    line = transition.game.lines[-1] if transition.game.lines else None
    state = transition.game.match.state
    if state.result is not None or state.over:
        end_board(transition, line)
        return
    transition.start_clock()
    if not _something_lies_wrong(transition):
        to_ready(transition)
    elif not people_went_on(transition):
        transition.go(Phase.PLACING)


def people_went_on(transition: MatchTransition) -> bool:
    """Open what people have shot since, before pieces are put back; False: at most hands wait.

    If it is the next stroke, the pieces are where they belong; if not, they are asked for after it.
    """
    dialogue = transition.dialogue
    read = (is_hand(opened(dialogue, group, transition.now_ns)) for group in dialogue.waiting)
    if not dialogue.parked and all(read):
        return False
    while not _open_next(transition):
        pass
    return True


def go_on_placing(transition: MatchTransition, shown: Proposal | None = None) -> None:
    """Go on after some of what was to be put back was let go: with the rest, or what comes next.

    ``shown`` is the open proposal; it is read again on the board as it is now.
    """
    kept = waits(transition.dialogue)
    if transition.game.match.state.result is not None:
        if kept is not None:
            keep_on(transition, kept)
        else:
            end_board(transition, transition.game.lines[-1])
        return
    wrong = _something_lies_wrong(transition)
    if shown is not None:
        transition.propose(read_anew(transition.dialogue, shown, transition.now_ns))
    elif wrong:
        transition.go(Phase.PLACING)
    else:
        to_ready(transition)


def pause_again(transition: MatchTransition, paused: Paused) -> None:
    """Go back to a pause or a time-out, unless people must answer something first."""
    if transition.dialogue.phase in (Phase.READY, Phase.PLACING, Phase.PAUSED):
        transition.stop_clock()
        transition.change(question=paused)


def imply_placed(transition: MatchTransition, proposal: Proposal) -> None:
    """Note that pieces were put back if people have shot on since."""
    if implies_placed(transition.dialogue, proposal):
        transition.join(PLACED)
        transition.change(place=(), take=(), lying=(), missing=())


def lies_wrong(transition: MatchTransition) -> bool:
    """Note what must be put back, and what is there for strokes that no longer count."""
    back = to_place(transition)
    place, take = to_put_back(transition.dialogue, back), to_take_off(transition.dialogue, back)
    transition.change(place=place, take=take)
    return bool(place or take)


def _something_lies_wrong(transition: MatchTransition) -> bool:
    """Note what lies wrong, as :func:`lies_wrong` does; where nothing does, all is placed.

    The pieces that the last stroke sends back may be there already; then they count as placed.
    """
    if lies_wrong(transition):
        return True
    if to_place(transition):
        transition.join(PLACED)
    transition.change(lying=(), missing=())
    return False


def _to_fetch(transition: MatchTransition, line: Line) -> tuple[Pocket | None, ...]:
    """Return where strikers must be fetched; falls of no stroke may have been the fetching."""
    if line.stroke is None:
        return _not_in(transition.dialogue.fetch, line.falls)
    strikers = (each for each in line.stroke.departures if each.piece is Piece.STRIKER)
    return tuple(each.pocket for each in strikers)


def _not_in(fetch: tuple[Pocket | None, ...], falls: tuple[Fall, ...]) -> tuple[Pocket | None, ...]:
    pockets = {fall.pocket for fall in falls}
    return tuple(pocket for pocket in fetch if pocket not in pockets)


def to_place(transition: MatchTransition) -> tuple[Piece, ...]:
    """Return what the last stroke sends back, bottom to top, unless it counts as placed.

    Falls that were no stroke, counts and turns since do not change it. What was placed beside a
    line that UNDO has taken back is on the board.
    """
    game = transition.game
    since = takewhile(lambda line: line.stroke is None, reversed(game.undone))
    if any(PLACED in line.entries for line in since):
        return ()
    count = 0
    for line in reversed(game.lines):
        if PLACED in line.entries or NEXT_BOARD in line.entries:
            break
        count += len(line.entries)
        if line.stroke is not None:
            break
    return sent_back(game.match, count)


def _sound(transition: MatchTransition, state: MatchState, line: Line) -> None:
    """Sound what the rules said."""
    if state.result is not None or state.over:
        transition.sound(Sound.WIN)
    elif line.stroke and state.ruling:
        if state.ruling.foul:
            transition.sound(Sound.FOUL)
        else:
            transition.sound(Sound.AGAIN if state.ruling.keeps_turn else Sound.PASS)


def end_board(transition: MatchTransition, line: Line | None = None) -> None:
    """Stop the clock at the stroke that ended the board, and say so.

    Falls that still wait came before the end: the board asks whether they belonged to it.
    """
    late = open_falls(transition.dialogue, None)
    transition.change(
        over_ns=transition.now_ns, time_due=None, waiting=(), parked=(),
        menu=Menu(MenuKind.LATE, 0, transition.now_ns, None, late) if late else None,
    )  # fmt: skip
    _say_it_is_over(transition, line)


def _say_it_is_over(transition: MatchTransition, line: Line | None) -> None:
    """Stop the clock where the board ended, and write the end down."""
    state = transition.game.match.state
    first_ns = line.falls[0].start_ns if line is not None and line.falls else transition.now_ns
    transition.stop_clock(min(first_ns, transition.now_ns))
    transition.change(place=(), take=())
    _write_the_end(transition)
    transition.go(Phase.MATCH_OVER if state.over else Phase.BOARD_OVER)


def stop_at_an_end(transition: MatchTransition) -> None:
    """Stop the clock now if a correction has just ended the board: play went on until then."""
    if transition.game.match.state.result is not None:
        transition.stop_clock()


def _write_the_end(transition: MatchTransition) -> None:
    """Write down that a board is over, and the match too if it is."""
    state = transition.game.match.state
    if state.result is not None:
        result = state.result
        points: dict[str, Json] = {side.value: each for side, each in result.points.items()}
        winner = result.winner.value if result.winner else None
        transition.record(EntryKind.BOARD_END, winner=winner, how=result.how.value, points=points)
    if state.over:
        total: dict[str, Json] = {side.value: each for side, each in state.points.items()}
        won: dict[str, Json] = {side.value: each for side, each in state.boards_won.items()}
        winner = state.winner.value if state.winner else None
        transition.record(EntryKind.MATCH_END, winner=winner, points=total, boards_won=won)
        if transition.dialogue.hall is not None:  # the link counts the results anew
            transition.change(hall=changed(transition.dialogue.hall, unsent=None))


def to_play(transition: MatchTransition) -> None:
    """Go back to what is still to be put back; to *ready* if nothing is."""
    if transition.dialogue.place or transition.dialogue.take:
        transition.go(Phase.PLACING)
    else:
        to_ready(transition)


def to_ready(transition: MatchTransition) -> None:
    """Go to *ready* by way of what waits: later lines, proposals, falls, 0:00, the glance.

    While lines are taken back the proposals go on waiting, because they came after those lines.
    """
    transition.drop()
    transition.change(place=(), take=(), menu=None)
    kept = waits(transition.dialogue)
    if kept is not None and not transition.game.undone:
        keep_on(transition, kept)
        return
    while (
        transition.dialogue.parked or transition.dialogue.waiting
    ) and not transition.game.undone:
        if _open_next(transition):
            return
    if _enter_time_if_due(transition) and transition.game.match.state.result is not None:
        transition.sound(Sound.WIN)
        end_board(transition)
    else:
        transition.go(Phase.PAUSED if transition.dialogue.glance else Phase.READY)


# --- later strokes ---------------------------------------------------------------------


def keep_on(transition: MatchTransition, kept: Keeping) -> None:
    """Ask whether later lines are kept; then enter them again for as long as they fit."""
    if not kept.agreed:
        _ask_over_the_table(transition, MenuKind.KEEP)
        return
    if kept.lines:
        transition.change(place=(), take=())
        _reckon_with_the_change(transition)
    while kept.lines:
        later = kept.lines[0]
        match hindrance(transition.game.match, later):
            case None:
                kept = enter_next(transition, kept)
                if kept.lines and transition.game.match.state.result is not None:
                    _write_the_end(transition)
            case Hindrance.ILLEGAL:
                time_again(transition, later)
                transition.change(menu=None)
                transition.review(reopen(transition.dialogue, later.line, transition.now_ns))
                return
            case _:
                _ask_over_the_table(transition, MenuKind.STOPPED)
                return
    _all_kept(transition, kept)


def _reckon_with_the_change(transition: MatchTransition) -> None:
    """Account at the end for what the changed stroke sends back: play went on after it."""
    back = to_place(transition)
    if back and transition.game.match.state.result is None:
        transition.change(missing=(*transition.dialogue.missing, *back))
        transition.join(PLACED)


def _ask_over_the_table(transition: MatchTransition, kind: MenuKind) -> None:
    """Ask something about later lines; anybody who may decide answers it."""
    state = transition.game.match.state
    transition.change(place=(), take=())
    if state.result is not None:
        _say_it_is_over(transition, transition.game.lines[-1] if transition.game.lines else None)
    else:
        transition.go(Phase.PAUSED if transition.dialogue.glance else Phase.READY)
    transition.change(menu=Menu(kind, 0, transition.now_ns))


def _all_kept(transition: MatchTransition, kept: Keeping) -> None:
    """Say how things are now that no line waits any more, and go on.

    Strokes that came out differently than before are shown first, as a list to look at.
    """
    transition.change(kept=None)
    ended = transition.game.match.state.result is not None
    if ended or not kept.differing:
        _come_to_rest(transition)
    else:
        transition.start_clock()
        if _something_lies_wrong(transition):
            transition.go(Phase.PLACING)
        else:
            transition.go(Phase.PAUSED if transition.dialogue.glance else Phase.READY)
    if (
        transition.dialogue.menu is not None
        or transition.dialogue.proposal is not None
        or not kept.entered
    ):
        return
    if kept.differing:
        transition.change(kept=kept, menu=Menu(MenuKind.KEPT, 0, transition.now_ns))
    else:
        transition.change(note=kept_word(transition.dialogue, kept))


def _open_next(transition: MatchTransition) -> bool:
    """Open the next proposal that waits; False if it was a hand and settled itself."""
    dialogue = transition.dialogue
    if dialogue.parked:
        fresh = opened_again(dialogue, dialogue.parked[0], transition.now_ns)
        transition.change(parked=dialogue.parked[1:])
    else:
        group = dialogue.waiting[0]
        fresh = opened(dialogue, group, transition.now_ns)
        transition.change(waiting=dialogue.waiting[1:])
        if is_hand(fresh):
            assume(transition, group)
            return False
    transition.review(fresh)
    return True


# --- 0:00 ------------------------------------------------------------------------------


def time_is_up(transition: MatchTransition, at_ns: int) -> None:
    """Note 0:00; enter it now, or after what began before it.

    A stroke in *review* goes before it. A stroke in *falling*, or in a beam just then, goes before
    it under ``stop``, after it otherwise.
    """
    transition.stop_clock(at_ns)
    transition.record(EntryKind.TIME_UP)
    transition.sound(Sound.HORN)
    stops = option(transition.game.match.settings, "time_end") == "stop"
    dialogue = transition.dialogue
    open_first = dialogue.phase is Phase.REVIEW or (dialogue.phase is Phase.FALLING and stops)
    beams = dialogue.broken if stops else ()
    transition.change(time_due=_after_what_waits(transition, at_ns, beams))
    if open_first or not _enter_time_if_due(transition):
        return
    if transition.game.match.state.result is not None:
        transition.sound(Sound.WIN)
        end_board(transition)
    elif dialogue.proposal is not None:
        fresh = read_anew(transition.dialogue, dialogue.proposal, transition.now_ns)
        since = (dialogue.proposal.opened_ns, dialogue.proposal.changed_ns)
        transition.propose(changed(fresh, opened_ns=since[0], changed_ns=since[1]))


def time_goes_on(transition: MatchTransition) -> None:
    """Enter 0:00 once the beams broken at that time are whole and nothing they saw is open."""
    dialogue = transition.dialogue
    due = dialogue.time_due
    if due is None or not due.beams:
        return
    still = tuple(each for each in due.beams if each in dialogue.broken)
    transition.change(time_due=changed(due, beams=still))
    if still or dialogue.phase not in (Phase.READY, Phase.PLACING):
        return
    if _enter_time_if_due(transition) and transition.game.match.state.result is not None:
        transition.sound(Sound.WIN)
        end_board(transition)


def _after_what_waits(
    transition: MatchTransition, at_ns: int, beams: tuple[Pocket, ...] = ()
) -> TimeDue:
    """Return 0:00: what waits came first, by this or an earlier clock."""
    began = tuple(fall.number for fall in open_falls(transition.dialogue, None))
    return TimeDue(transition.game.match.state.board, at_ns, beams=beams, began=began)


def _enter_time_if_due(transition: MatchTransition) -> bool:
    """Enter ``! time`` beside the last line, if its place has come; return whether it was."""
    game, dialogue = transition.game, transition.dialogue
    up = time_is_missing(game.match.state, clock_is_up=game.clock.is_up_at(transition.now_ns))
    if up and dialogue.time_due is None and not (waits(dialogue) or game.undone):
        transition.change(time_due=_after_what_waits(transition, transition.now_ns))
    if not time_follows(transition.dialogue, len(game.lines)) or game.undone:
        return False
    if dialogue.place and may_say(game.match, FORGOT):
        return False  # people must first say whether it was forgotten
    transition.change(time_due=None)
    if game.match.state.result is not None:
        return False
    transition.join(TIME)
    return True
