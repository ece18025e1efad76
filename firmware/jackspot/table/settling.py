"""What happens when something is confirmed, taken back or timed out.

The steps that the phases share: entering a stroke, going on after it, opening the next
proposal that waits, taking the last line back, putting lines back, 0:00.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from jackspot.core.agreement import option
from jackspot.core.directives import Entry
from jackspot.core.match import IllegalEntry, MatchState
from jackspot.core.pieces import Piece, Pocket
from jackspot.core.stroke import Stroke
from jackspot.table.answers import fit_to
from jackspot.table.dark import ask_about_a_beam, note_unseen
from jackspot.table.desk import Desk, Group, LastEntry, Line, Menu, MenuKind, Proposal, TimeDue
from jackspot.table.entries import Json, Kind
from jackspot.table.events import Fall
from jackspot.table.free_play import rest
from jackspot.table.hands import assume
from jackspot.table.legal import entries_of
from jackspot.table.phrases import _
from jackspot.table.proposals import (
    asked_of,
    outcome,
    read_anew,
    reopen,
    time_follows,
    unchanged,
)
from jackspot.table.queueing import is_hand, opened
from jackspot.table.talk import PLACED, TIME, Talk, put_back, taken_back, with_match
from jackspot.table.view import Phase, Sound

MILLISECOND_NS = 1_000_000
"""As exact as a record says when a stroke was settled."""


# --- entering --------------------------------------------------------------------------


def confirm(talk: Talk) -> None:
    """Enter what is proposed; a reopened line that says the same again is put back."""
    proposal = talk.proposal
    if unchanged(proposal):
        redo_all(talk)
        return
    if _asks_first(talk, proposal):
        return
    lying: tuple[Piece, ...] = ()
    falls = proposal.falls
    if outcome(talk.desk, proposal) is not None:
        _imply_placed(talk)
    if proposal.joining is not None and proposal.before is not None:
        if outcome(talk.desk, proposal) is None:
            talk.refuse(_("not possible here"))
            return
        falls = joined((*proposal.before.falls, *proposal.falls))
        lying = _placed_already(talk)
        _take_line_back(talk)
    by_people = proposal.edited is not None or not proposal.falls
    probability = None if by_people else proposal.reading.probability
    try:
        talk.enter(_entries(talk, proposal), falls, probability)
    except IllegalEntry as illegal:
        talk.refuse(_("not possible: {why}", why=str(illegal)))
        return
    if not falls:
        note_unseen(talk, talk.game.lines[-1].stroke)
    go_on(talk, lying)
    ask_about_a_beam(talk)


def _asks_first(talk: Talk, proposal: Proposal) -> bool:
    """Ask what the rules must know of a stroke before it can be entered, if there is anything."""
    question = asked_of(talk.desk, proposal)
    if question is None:
        return False
    opener = talk.button.place if talk.button else None
    talk.go(Phase.REVIEW)
    talk.change(menu=Menu(question, 0, talk.now_ns, opener))
    return True


def _entries(talk: Talk, proposal: Proposal) -> tuple[Entry, ...]:
    """Give what an OK enters: the stroke, after the misses that nobody pressed."""
    if not proposal.is_stroke:
        return ()
    match = talk.game.match
    stroke = fit_to(match, proposal.as_stroke(_used_ns(talk)))
    return entries_of(match, stroke, proposal.missed)


def _placed_already(talk: Talk) -> tuple[Piece, ...]:
    """Give what people have already put back for the last line."""
    line = talk.game.lines[-1]
    if PLACED not in line.entries:
        return ()
    steps = talk.game.match.steps[-len(line.entries) :]
    return tuple(piece for step in steps for piece in step.state.place)


def _used_ns(talk: Talk) -> int | None:
    """Give the match clock used when the stroke was settled; None without a limit."""
    clock = talk.game.clock
    if not clock.limit_ns:
        return None
    return clock.used_at(talk.now_ns) // MILLISECOND_NS * MILLISECOND_NS


def miss(talk: Talk) -> None:
    """Enter that the stroke is over and nothing fell."""
    seat = talk.game.match.state.next
    assert seat is not None, "a running board has a seat to shoot"
    talk.enter((Stroke(seat, used_ns=_used_ns(talk)),))
    go_on(talk)


def directive(talk: Talk, entry: Entry, *, join: bool = False) -> None:
    """Enter a directive as a line of its own, or beside the last one.

    What was open stays open: a review is read anew, placing and a pause go on.
    """
    board = talk.game.match.state.board
    try:
        if join:
            talk.join(entry)
        else:
            talk.enter((entry,))
    except IllegalEntry as illegal:
        talk.refuse(_("not possible: {why}", why=str(illegal)))
        return
    talk.change(menu=None)
    state = talk.game.match.state
    if state.result is not None or state.over:
        _clear_what_is_open(talk)
        end_board(talk)
    elif state.board != board:
        _clear_what_is_open(talk)
        talk.begin_clock()
        to_ready(talk)
    elif talk.desk.proposal is not None:
        seat = state.next or talk.desk.proposal.seat
        moved = replace(talk.desk.proposal, seat=seat, reopened=None)
        talk.change(proposal=read_anew(talk.desk, moved, talk.now_ns))
    elif talk.desk.phase is Phase.READY:
        to_ready(talk)


def _clear_what_is_open(talk: Talk) -> None:
    """Note falls that no stroke of a board that is no more can have made."""
    desk = talk.desk
    falls = _with_hands(talk, open_falls(desk, desk.proposal))
    if falls:
        talk.record(Kind.CLEARING, falls=[fall.number for fall in falls])
    talk.change(
        proposal=None,
        waiting=(),
        assumed=(),
        parked=(),
        place=(),
        fetch=(),
        over_ns=None,
        time_due=None,
    )


def open_falls(desk: Desk, shown: Proposal | None) -> tuple[Fall, ...]:
    """Give all falls that nobody settled yet, each once, those shown first."""
    groups = [_unsettled(shown) if shown is not None else ()]
    groups += [each.falls for each in desk.parked] + [each.falls for each in desk.waiting]
    return joined(fall for falls in groups for fall in falls)


def _with_hands(talk: Talk, falls: tuple[Fall, ...]) -> tuple[Fall, ...]:
    """Add the falls of hands that no OK has settled yet."""
    return joined((*falls, *(fall for group in talk.desk.assumed for fall in group.falls)))


def _unsettled(shown: Proposal) -> tuple[Fall, ...]:
    """Give a proposal's falls that no line has: of a reopened one, those that came later."""
    line = shown.reopened
    settled = {fall.number for fall in line.falls} if line is not None else set()
    return tuple(fall for fall in shown.falls if fall.number not in settled)


def _let_later_falls_wait(talk: Talk) -> None:
    """Let the falls that joined a reopened line wait again, when that review is left."""
    shown = talk.desk.proposal
    later = _unsettled(shown) if shown is not None and shown.reopened is not None else ()
    if later:
        talk.change(waiting=(Group(later), *talk.desk.waiting))


def joined(falls: Iterable[Fall]) -> tuple[Fall, ...]:
    """Give falls in order, each number once; what came later of a fall takes its place."""
    return tuple({fall.number: fall for fall in falls}.values())


# --- going on --------------------------------------------------------------------------


def go_on(talk: Talk, lying: tuple[Piece, ...] = ()) -> None:
    """Go where the last line leads: board over, match over, placing, or ready.

    Of what it sends back the pieces in ``lying`` lie on the board already.
    """
    talk.change(proposal=None, menu=None)
    _enter_time_if_due(talk)
    state = talk.game.match.state
    line = talk.game.lines[-1]
    _sound(talk, state, line)
    place = _without(to_place(talk), lying) if line.entries else talk.desk.place
    talk.change(place=place, fetch=_to_fetch(talk, line))
    if state.result is not None or state.over:
        end_board(talk, line)
        return
    talk.start_clock()
    if not talk.desk.place:
        to_ready(talk)
    elif not _people_went_on(talk):
        talk.go(Phase.PLACING)


def _people_went_on(talk: Talk) -> bool:
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


def _imply_placed(talk: Talk) -> None:
    """Note that pieces were put back where people have shot on since."""
    proposal = talk.proposal
    if talk.desk.place and proposal.is_stroke and proposal.joining is None:
        talk.join(PLACED)
        talk.change(place=())


def _without(place: tuple[Piece, ...], lying: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Leave out pieces that lie on the board already, from the bottom up."""
    there = list(lying)
    left: list[Piece] = []
    for piece in place:
        if piece in there:
            there.remove(piece)
        else:
            left.append(piece)
    return tuple(left)


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
    """Give what the last line sends back, bottom to top, unless it lies there already."""
    line = talk.game.lines[-1]
    if PLACED in line.entries or not line.entries:
        return ()
    steps = talk.game.match.steps[-len(line.entries) :]
    return tuple(piece for step in steps for piece in step.state.place)


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
    state = talk.game.match.state
    first_ns = line.falls[0].start_ns if line is not None and line.falls else talk.now_ns
    talk.stop_clock(min(first_ns, talk.now_ns))
    late = open_falls(talk.desk, None)
    talk.change(
        over_ns=talk.now_ns, time_due=None, place=(), proposal=None, waiting=(), parked=(),
        menu=Menu(MenuKind.LATE, 0, talk.now_ns, None, late) if late else None,
    )  # fmt: skip
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
    talk.go(Phase.MATCH_OVER if state.over else Phase.BOARD_OVER)


def to_ready(talk: Talk) -> None:
    """Go to *ready*, by way of what waits: parked proposals, falls, 0:00, the glance."""
    talk.change(place=(), menu=None, proposal=None)
    while talk.desk.parked or talk.desk.waiting:
        if _open_next(talk):
            return
    if _enter_time_if_due(talk) and talk.game.match.state.result is not None:
        talk.sound(Sound.WIN)
        end_board(talk)
    elif talk.desk.glance:
        talk.go(Phase.PAUSED)
    else:
        talk.go(Phase.READY)


def _open_next(talk: Talk) -> bool:
    """Open the next proposal that waits; False where it was a hand and settled itself."""
    desk = talk.desk
    if desk.parked:
        old = desk.parked[0]
        seat = talk.game.match.state.next or old.seat
        misses = old.misses if seat is old.seat else ()
        fresh = read_anew(desk, replace(old, seat=seat, misses=misses), talk.now_ns)
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


# --- taking back -----------------------------------------------------------------------


def take_back(talk: Talk) -> None:
    """Take the last line back and open its review; a fresh proposal is parked.

    A manual entry that nobody confirmed is dropped instead: nothing was sensed, and it is
    itself the last thing that was said.
    """
    open_now = talk.desk.proposal
    fresh = open_now is not None and open_now.reopened is None
    if open_now is not None and fresh and not open_now.falls:
        talk.change(last_undo=LastEntry(talk.now_ns, talk.button))
        to_ready(talk)
        return
    if not talk.game.lines:
        _before_the_first(talk)
        return
    if open_now is not None and fresh:
        talk.change(parked=(open_now, *talk.desk.parked))
    _let_later_falls_wait(talk)
    _take_line_back(talk)
    _reopen(talk, talk.game.undone[-1])


def _before_the_first(talk: Talk) -> None:
    """Go back to set-up from *ready*, where nothing came before.

    A match whose lines were all taken back is put aside, so that UNDO brings it back.
    """
    if talk.desk.proposal is not None:
        talk.refuse(_("nothing to take back"))
        return
    talk.change(last_undo=LastEntry(talk.now_ns, talk.button))
    if talk.game.undone or talk.desk.parked:
        shelve(talk, "taken back")
        return
    talk.record(Kind.DISCARD)
    talk.change(game=None)
    _to_setup(talk)


def shelve(talk: Talk, why: str) -> None:
    """Put the match aside, over or not; set-up can bring it back."""
    falls = _with_hands(talk, open_falls(talk.desk, talk.desk.proposal))
    if falls:
        talk.record(Kind.CLEARING, falls=[fall.number for fall in falls])
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
    )  # fmt: skip
    rest(talk)
    talk.mark_entry()
    talk.go(Phase.SETUP)


def _take_line_back(talk: Talk) -> None:
    """Undo the last line; where 0:00 stood beside it, it is due again in its place."""
    game = talk.game
    line = game.lines[-1]
    game = with_match(game, taken_back(game.match, line), talk.now_ns, fresh=False)
    talk.change(
        game=replace(game, lines=game.lines[:-1], undone=(*game.undone, line)),
        last_undo=LastEntry(talk.now_ns, talk.button),
        place=(), fetch=(), menu=None, proposal=None, over_ns=None, entered_ns=None,
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
    shown = talk.desk.proposal
    if shown is not None and shown.reopened is None and shown.falls:
        talk.change(parked=(shown, *talk.desk.parked))
    _let_later_falls_wait(talk)
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
    go_on(talk)


# --- 0:00 ------------------------------------------------------------------------------


def time_is_up(talk: Talk, at_ns: int) -> None:
    """Note 0:00; enter it now, or after what began before it.

    A stroke in *review* goes before it; one in *falling* goes before it under ``stop``,
    after it otherwise.
    """
    talk.stop_clock(at_ns)
    talk.record(Kind.TIME_UP)
    talk.sound(Sound.HORN)
    stops = option(talk.game.match.settings, "time_end") == "stop"
    desk = talk.desk
    open_first = desk.phase is Phase.REVIEW or (desk.phase is Phase.FALLING and stops)
    talk.change(time_due=TimeDue(talk.game.match.state.board, at_ns))
    if not open_first and _enter_time_if_due(talk) and talk.game.match.state.result is not None:
        talk.sound(Sound.WIN)
        end_board(talk)


def _enter_time_if_due(talk: Talk) -> bool:
    """Enter ``! time`` beside the last line, if its place has come; tell whether."""
    game = talk.game
    if not time_follows(talk.desk, len(game.lines)) or game.undone:
        return False
    talk.change(time_due=None)
    if game.match.state.result is not None:
        return False
    talk.join(TIME)
    return True
