"""Going on after something was entered: placing, the next that waits, the board's end, 0:00.

The steps that the phases share once a line is entered. Entering itself is in
:mod:`jackspot.dialogue.steps.entering`, taking back in :mod:`jackspot.dialogue.steps.taking_back`.
"""

from __future__ import annotations

from dataclasses import replace

from jackspot.core.agreement import option
from jackspot.core.match import MatchState
from jackspot.core.pieces import Piece, Pocket
from jackspot.dialogue.proposals.hands import assume
from jackspot.dialogue.proposals.keeping import (
    Hindrance,
    enter_next,
    hindrance,
    look_at,
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
from jackspot.dialogue.state.desk import TimeDue
from jackspot.dialogue.state.entries import Json, Kind
from jackspot.dialogue.state.game import Line
from jackspot.dialogue.state.menu_kinds import Menu, MenuKind
from jackspot.dialogue.state.proposal import Proposal
from jackspot.dialogue.state.talk import PLACED, TIME, Talk
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.dialogue.words.line_words import kept_word
from jackspot.sensing.events import Fall


def go_on_after_a_change(talk: Talk) -> None:
    """Go on where an entry was left out and none was entered in its place."""
    talk.change(proposal=None, menu=None, history=None, fetch=())
    _enter_time_if_due(talk)
    if waits(talk.desk):
        keep_on(talk)
    else:
        _come_to_rest(talk)


def go_on(talk: Talk) -> None:
    """Go where the last line leads: later lines, board over, match over, placing, or ready."""
    talk.change(proposal=None, menu=None, history=None)
    _enter_time_if_due(talk)
    line = talk.game.lines[-1]
    _sound(talk, talk.game.match.state, line)
    talk.change(fetch=_to_fetch(talk, line))
    if waits(talk.desk):
        keep_on(talk)
    else:
        _come_to_rest(talk)


def _come_to_rest(talk: Talk) -> None:
    """Go on after the last line, when no line waits to be entered again."""
    line = talk.game.lines[-1] if talk.game.lines else None
    state = talk.game.match.state
    if state.result is not None or state.over:
        end_board(talk, line)
        return
    talk.start_clock()
    if not _something_lies_wrong(talk):
        to_ready(talk)
    elif not people_went_on(talk):
        talk.go(Phase.PLACING)


def people_went_on(talk: Talk) -> bool:
    """Open what people shot since, before pieces are put back; False: only hands wait, if any.

    If it is the next stroke, the pieces lie where they belong; if not, they are asked for
    after it.
    """
    desk = talk.desk
    read = (is_hand(opened(desk, group, talk.now_ns)) for group in desk.waiting)
    if not desk.parked and all(read):
        return False
    while not _open_next(talk):
        pass
    return True


def go_on_placing(talk: Talk, shown: Proposal | None = None) -> None:
    """Go on after some of what was to be put back was let go: with the rest, or what comes next.

    ``shown`` is what lies open; it is read anew on the board as it is now.
    """
    if talk.game.match.state.result is not None:
        end_board(talk, talk.game.lines[-1])
        return
    wrong = _something_lies_wrong(talk)
    if shown is not None:
        talk.change(proposal=read_anew(talk.desk, shown, talk.now_ns))
    elif wrong:
        talk.go(Phase.PLACING)
    else:
        to_ready(talk)


def imply_placed(talk: Talk) -> None:
    """Note that pieces were put back where people have shot on since."""
    if implies_placed(talk.desk, talk.proposal):
        talk.join(PLACED)
        talk.change(place=(), take=(), lying=(), missing=())


def _something_lies_wrong(talk: Talk) -> bool:
    """Say what must be put back, and what lies there for strokes that count no longer.

    What the last stroke sends back may lie there already; then it counts as placed.
    """
    back = to_place(talk)
    place, take = to_put_back(talk.desk, back), to_take_off(talk.desk, back)
    talk.change(place=place, take=take)
    if place or take:
        return True
    if back:
        talk.join(PLACED)
    talk.change(lying=(), missing=())
    return False


def _to_fetch(talk: Talk, line: Line) -> tuple[Pocket | None, ...]:
    """Say which strikers are to be fetched; falls that were no stroke may have been it."""
    if line.stroke is None:
        return _not_in(talk.desk.fetch, line.falls)
    strikers = (each for each in line.stroke.departures if each.piece is Piece.STRIKER)
    return tuple(each.pocket for each in strikers)


def _not_in(fetch: tuple[Pocket | None, ...], falls: tuple[Fall, ...]) -> tuple[Pocket | None, ...]:
    pockets = {fall.pocket for fall in falls}
    return tuple(pocket for pocket in fetch if pocket not in pockets)


def to_place(talk: Talk) -> tuple[Piece, ...]:
    """Give what the last stroke sends back, bottom to top, unless it counts as placed.

    Falls that were no stroke change nothing of it.
    """
    line = next((each for each in reversed(talk.game.lines) if each.entries), Line(()))
    if PLACED in line.entries or not line.entries:
        return ()
    return sent_back(talk.game.match, len(line.entries))


def _sound(talk: Talk, state: MatchState, line: Line) -> None:
    """Let people hear what the rules said."""
    if state.result is not None or state.over:
        talk.sound(Sound.WIN)
    elif line.stroke and state.ruling:
        if state.ruling.foul:
            talk.sound(Sound.FOUL)
        else:
            talk.sound(Sound.AGAIN if state.ruling.keeps_turn else Sound.PASS)


def end_board(talk: Talk, line: Line | None = None) -> None:
    """Stop the clock at the stroke that ended the board, and say so.

    Falls that still wait came before the end: the board asks whether they were part of it.
    """
    late = open_falls(talk.desk, None)
    talk.change(
        over_ns=talk.now_ns, time_due=None, proposal=None, waiting=(), parked=(),
        menu=Menu(MenuKind.LATE, 0, talk.now_ns, None, late) if late else None,
    )  # fmt: skip
    _say_it_is_over(talk, line)


def _say_it_is_over(talk: Talk, line: Line | None) -> None:
    """Stop the clock where the board ended, and write the end down."""
    state = talk.game.match.state
    first_ns = line.falls[0].start_ns if line is not None and line.falls else talk.now_ns
    talk.stop_clock(min(first_ns, talk.now_ns))
    talk.change(place=(), take=())
    _write_the_end(talk)
    talk.go(Phase.MATCH_OVER if state.over else Phase.BOARD_OVER)


def _write_the_end(talk: Talk) -> None:
    """Write down that a board is over, and the match with it where it is."""
    state = talk.game.match.state
    if state.result is not None:
        result = state.result
        points: dict[str, Json] = {side.value: each for side, each in result.points.items()}
        winner = result.winner.value if result.winner else None
        talk.record(Kind.BOARD_END, winner=winner, how=result.how.value, points=points)
    if state.over:
        total: dict[str, Json] = {side.value: each for side, each in state.points.items()}
        won: dict[str, Json] = {side.value: each for side, each in state.boards_won.items()}
        winner = state.winner.value if state.winner else None
        talk.record(Kind.MATCH_END, winner=winner, points=total, boards_won=won)


def to_ready(talk: Talk) -> None:
    """Go to *ready*, by way of what waits: later lines, proposals, falls, 0:00, the glance.

    While lines are taken back the proposals go on waiting: they came after those.
    """
    talk.change(place=(), take=(), menu=None, proposal=None)
    if waits(talk.desk) and not talk.game.undone:
        keep_on(talk)
        return
    while (talk.desk.parked or talk.desk.waiting) and not talk.game.undone:
        if _open_next(talk):
            return
    if _enter_time_if_due(talk) and talk.game.match.state.result is not None:
        talk.sound(Sound.WIN)
        end_board(talk)
    elif talk.desk.glance:
        talk.go(Phase.PAUSED)
    else:
        talk.go(Phase.READY)


# --- later strokes ---------------------------------------------------------------------


def keep_on(talk: Talk) -> None:
    """Ask whether later lines are kept; then enter them again as long as they fit."""
    if talk.desk.kept is not None and not talk.desk.kept.agreed:
        _ask_over_the_table(talk, MenuKind.KEEP)
        return
    if waits(talk.desk):
        talk.change(place=(), take=())
        _reckon_with_the_change(talk)
    while waits(talk.desk):
        match hindrance(talk.desk):
            case None:
                enter_next(talk)
                if waits(talk.desk) and talk.game.match.state.result is not None:
                    _write_the_end(talk)
            case Hindrance.ILLEGAL:
                later = look_at(talk)
                talk.change(proposal=reopen(talk.desk, later.line, talk.now_ns), menu=None)
                talk.go(Phase.REVIEW)
                return
            case _:
                _ask_over_the_table(talk, MenuKind.STOPPED)
                return
    _all_kept(talk)


def _reckon_with_the_change(talk: Talk) -> None:
    """Reckon at the end with what the changed stroke sends back: play went on after it."""
    back = to_place(talk)
    if back and talk.game.match.state.result is None:
        talk.change(missing=(*talk.desk.missing, *back))
        talk.join(PLACED)


def _ask_over_the_table(talk: Talk, kind: MenuKind) -> None:
    """Ask something about later lines; whoever may decide answers it."""
    state = talk.game.match.state
    talk.change(proposal=None, place=(), take=())
    if state.result is not None:
        _say_it_is_over(talk, talk.game.lines[-1] if talk.game.lines else None)
    else:
        talk.go(Phase.PAUSED if talk.desk.glance else Phase.READY)
    talk.change(menu=Menu(kind, 0, talk.now_ns))


def _all_kept(talk: Talk) -> None:
    """Say how it stands now that no line waits any more, and go on.

    What came out otherwise than before is shown first, as a list to look at.
    """
    kept = talk.desk.kept
    assert kept is not None, "lines waited"
    talk.change(kept=None)
    ended = talk.game.match.state.result is not None
    if ended or not kept.differing:
        _come_to_rest(talk)
    else:
        talk.start_clock()
        quiet = Phase.PAUSED if talk.desk.glance else Phase.READY
        talk.go(Phase.PLACING if _something_lies_wrong(talk) else quiet)
    if talk.desk.menu is not None or talk.desk.proposal is not None or not kept.entered:
        return
    if kept.differing:
        talk.change(kept=kept, menu=Menu(MenuKind.KEPT, 0, talk.now_ns))
    else:
        talk.change(note=kept_word(talk.desk, kept))


def _open_next(talk: Talk) -> bool:
    """Open the next proposal that waits; False where it was a hand and settled itself."""
    desk = talk.desk
    if desk.parked:
        fresh = opened_again(desk, desk.parked[0], talk.now_ns)
        talk.change(parked=desk.parked[1:], proposal=fresh)
    else:
        group = desk.waiting[0]
        fresh = opened(desk, group, talk.now_ns)
        talk.change(waiting=desk.waiting[1:])
        if is_hand(fresh):
            assume(talk, group)
            return False
        talk.change(proposal=fresh)
    talk.go(Phase.REVIEW)
    return True


# --- 0:00 ------------------------------------------------------------------------------


def time_is_up(talk: Talk, at_ns: int) -> None:
    """Note 0:00; enter it now, or after what began before it.

    A stroke in *review* goes before it; one in *falling*, or in a beam just then, goes
    before it under ``stop``, after it otherwise.
    """
    talk.stop_clock(at_ns)
    talk.record(Kind.TIME_UP)
    talk.sound(Sound.HORN)
    stops = option(talk.game.match.settings, "time_end") == "stop"
    desk = talk.desk
    open_first = desk.phase is Phase.REVIEW or (desk.phase is Phase.FALLING and stops)
    beams = desk.broken if stops else ()
    talk.change(time_due=TimeDue(talk.game.match.state.board, at_ns, beams=beams))
    if open_first or not _enter_time_if_due(talk):
        return
    if talk.game.match.state.result is not None:
        talk.sound(Sound.WIN)
        end_board(talk)
    elif desk.proposal is not None:
        fresh = read_anew(talk.desk, desk.proposal, talk.now_ns)
        since = (desk.proposal.opened_ns, desk.proposal.changed_ns)
        talk.change(proposal=replace(fresh, opened_ns=since[0], changed_ns=since[1]))


def time_goes_on(talk: Talk) -> None:
    """Enter 0:00 once the beams that were broken at it are whole and nothing of them is open."""
    desk = talk.desk
    due = desk.time_due
    if due is None or not due.beams:
        return
    still = tuple(each for each in due.beams if each in desk.broken)
    talk.change(time_due=replace(due, beams=still))
    if still or desk.phase not in (Phase.READY, Phase.PLACING):
        return
    if _enter_time_if_due(talk) and talk.game.match.state.result is not None:
        talk.sound(Sound.WIN)
        end_board(talk)


def _enter_time_if_due(talk: Talk) -> bool:
    """Enter ``! time`` beside the last line, if its place has come; tell whether."""
    game, desk = talk.game, talk.desk
    up = time_is_missing(game.match.state, clock_is_up=game.clock.is_up_at(talk.now_ns))
    if up and desk.time_due is None and not (waits(desk) or game.undone):
        talk.change(time_due=TimeDue(game.match.state.board, talk.now_ns))
    if not time_follows(talk.desk, len(game.lines)) or game.undone:
        return False
    if desk.place and may_say(game.match, FORGOT):
        return False  # whether it was forgotten must be said first
    talk.change(time_due=None)
    if game.match.state.result is not None:
        return False
    talk.join(TIME)
    return True
