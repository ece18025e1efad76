"""What happens when something is confirmed, taken back or timed out.

The steps that the phases share: entering a stroke, going on after it, opening the next
proposal that waits, taking the last line back, putting lines back, 0:00.
"""

from __future__ import annotations

from dataclasses import replace

from jackspot.core.agreement import option
from jackspot.core.directives import Entry, GiveTurn
from jackspot.core.match import IllegalEntry, MatchState
from jackspot.core.pieces import Piece
from jackspot.core.stroke import Stroke
from jackspot.table.desk import LastEntry, Line, Proposal
from jackspot.table.entries import Json, Kind
from jackspot.table.phrases import _
from jackspot.table.proposals import propose, reopen, unchanged
from jackspot.table.talk import NEXT_BOARD, PLACED, TIME, Talk, put_back, taken_back
from jackspot.table.view import Phase, Sound

MILLISECOND_NS = 1_000_000
"""As exact as a record says when a stroke was settled."""

HAND_SETTLES_ITSELF = 0.9
"""A group of falls that is a hand with this probability is shown, not asked."""


def confirm(talk: Talk) -> None:
    """Enter what is proposed; a reopened line that says the same again is put back."""
    proposal = talk.desk.proposal
    assert proposal is not None, "only a proposal can be confirmed"
    if unchanged(proposal):
        redo_all(talk)
        return
    entries: list[Entry] = []
    if proposal.is_stroke:
        if talk.game.match.state.next is not proposal.seat:
            entries.append(GiveTurn(proposal.seat))
        entries.append(proposal.as_stroke(_used_ns(talk)))
    try:
        talk.enter(tuple(entries), proposal.falls, proposal.reading.probability)
    except IllegalEntry as illegal:
        talk.refuse(_("not possible: {why}", why=str(illegal)))
        return
    go_on(talk)


def _used_ns(talk: Talk) -> int | None:
    """Give the match clock used when the stroke was settled; None without a limit."""
    clock = talk.game.clock
    return clock.used_at(talk.now_ns) // MILLISECOND_NS * MILLISECOND_NS if clock.limit_ns else None


def miss(talk: Talk) -> None:
    """Enter that the stroke is over and nothing fell."""
    seat = talk.game.match.state.next
    assert seat is not None, "a running board has a seat to shoot"
    talk.enter((Stroke(seat, used_ns=_used_ns(talk)),))
    go_on(talk)


def go_on(talk: Talk) -> None:
    """Go where the last line leads: board over, match over, placing, or ready."""
    talk.change(proposal=None, menu=None)
    if talk.desk.time_due and talk.game.match.state.result is None:
        talk.change(time_due=False)
        talk.join(TIME)
    state = talk.game.match.state
    line = talk.game.lines[-1]
    _sound(talk, state, line)
    fallen = line.stroke.departures if line.stroke else ()
    fetch = tuple(each.pocket for each in fallen if each.piece is Piece.STRIKER)
    talk.change(place=to_place(talk), fetch=fetch)
    if state.result is not None or state.over:
        end_board(talk, line)
        return
    talk.start_clock()
    if talk.desk.place:
        talk.go(Phase.PLACING)
    else:
        to_ready(talk)


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


def end_board(talk: Talk, line: Line) -> None:
    """Stop the clock at the stroke that ended the board, and say so."""
    state = talk.game.match.state
    talk.stop_clock(line.falls[0].start_ns if line.falls else None)
    talk.change(over_ns=talk.now_ns, time_due=False, place=())
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
    """Go to *ready*, by way of what waits: parked proposals, falls, the glance."""
    talk.change(place=(), menu=None, proposal=None)
    while talk.desk.parked or talk.desk.waiting:
        if _open_next(talk):
            return
    if talk.desk.glance:
        talk.go(Phase.PAUSED)
        return
    talk.go(Phase.READY)


def _open_next(talk: Talk) -> bool:
    """Open the next proposal that waits; False where it was a hand and settled itself."""
    desk = talk.desk
    if desk.parked:
        old = desk.parked[0]
        seat = talk.game.match.state.next or old.seat
        fresh = propose(desk, old.falls, talk.now_ns, like=replace(old, seat=seat))
        talk.change(parked=desk.parked[1:], proposal=replace(fresh, edited=old.edited))
    else:
        fresh = propose(desk, desk.waiting[0], talk.now_ns)
        talk.change(waiting=desk.waiting[1:])
        if is_hand(fresh):
            clear_away(talk, fresh)
            return False
        talk.change(proposal=fresh)
    talk.go(Phase.REVIEW)
    return True


def is_hand(proposal: Proposal) -> bool:
    """Whether falls are a hand so surely that nobody need be asked."""
    reading = proposal.reading
    return not proposal.is_stroke and reading.probability >= HAND_SETTLES_ITSELF


def clear_away(talk: Talk, proposal: Proposal) -> None:
    """Note falls that belong to no stroke; what was to be fetched there is fetched."""
    pockets = tuple(fall.pocket for fall in proposal.falls)
    talk.record(Kind.CLEARING, falls=[fall.number for fall in proposal.falls])
    names = " ".join(sorted({pocket.value for pocket in pockets}))
    talk.change(
        note=_("hand in {pocket}", pocket=names),
        fetch=tuple(pocket for pocket in talk.desk.fetch if pocket not in pockets),
    )


def take_back(talk: Talk) -> None:
    """Take the last line back and open its review; a fresh proposal is parked."""
    desk = talk.desk
    open_now = desk.proposal
    if open_now is not None and open_now.reopened is None:
        if not open_now.falls:
            talk.change(last_undo=LastEntry(talk.now_ns, talk.button))
            to_ready(talk)
            return
        if talk.game.lines:
            talk.change(parked=(open_now, *desk.parked))
    if not talk.game.lines:
        if open_now is not None or talk.game.undone:
            talk.refuse(_("nothing to take back"))
        else:
            talk.record(Kind.DISCARD)
            talk.change(game=None, glance=False)
            talk.go(Phase.SETUP)
        return
    line = talk.game.lines[-1]
    talk.change_game(
        match=taken_back(talk.game.match, line),
        lines=talk.game.lines[:-1],
        undone=(*talk.game.undone, line),
    )
    talk.record(Kind.UNDO)
    talk.change(
        last_undo=LastEntry(talk.now_ns, talk.button),
        place=(), fetch=(), menu=None, proposal=None, over_ns=None,
        time_due=_time_is_due(talk),
    )  # fmt: skip
    _reopen(talk, line)


def _time_is_due(talk: Talk) -> bool:
    """Whether 0:00 has come and its directive was taken back with the line beside it."""
    state = talk.game.match.state
    up = talk.game.clock.is_up_at(talk.now_ns)
    return up and state.time_up is None and state.result is None


def _reopen(talk: Talk, line: Line) -> None:
    """Go to where a line that was taken back can be looked at and put back or changed."""
    stroke = line.stroke
    if NEXT_BOARD in line.entries:
        talk.go(Phase.MATCH_OVER if talk.game.match.state.over else Phase.BOARD_OVER)
    elif (stroke is None and line.entries) or _is_miss(line):
        talk.go(Phase.READY)
    else:
        talk.change(proposal=reopen(talk.desk, line, talk.now_ns))
        talk.go(Phase.REVIEW)


def _is_miss(line: Line) -> bool:
    """Whether a line says that nothing fell and nothing was called."""
    stroke = line.stroke
    return stroke is not None and not (stroke.departures or stroke.flags or line.falls)


def redo_all(talk: Talk) -> None:
    """Put back the line last taken back and all that were taken back after it."""
    while talk.game.undone:
        line = talk.game.undone[-1]
        talk.change_game(
            match=put_back(talk.game.match, line),
            lines=(*talk.game.lines, line),
            undone=talk.game.undone[:-1],
        )
        talk.record(Kind.REDO)
        talk.change(time_due=talk.desk.time_due and TIME not in line.entries)
    talk.mark_entry()
    go_on(talk)


def time_is_up(talk: Talk, at_ns: int) -> None:
    """Note 0:00; enter it now, or after the stroke that is open."""
    talk.stop_clock(at_ns)
    talk.record(Kind.TIME_UP)
    talk.sound(Sound.HORN)
    stops = option(talk.game.match.settings, "time_end") == "stop"
    open_first = talk.desk.phase is Phase.REVIEW or (talk.desk.phase is Phase.FALLING and stops)
    if open_first or talk.game.undone:
        talk.change(time_due=True)
        return
    talk.join(TIME)
    if talk.game.match.state.result is not None or talk.game.match.state.over:
        end_board(talk, Line(()))


def directive(talk: Talk, entry: Entry, *, join: bool = False) -> None:
    """Enter a directive as a line of its own, or beside the last one, and go on."""
    try:
        if join:
            talk.join(entry)
        else:
            talk.enter((entry,))
    except IllegalEntry as illegal:
        talk.refuse(_("not possible: {why}", why=str(illegal)))
        return
    state = talk.game.match.state
    place = to_place(talk)
    talk.change(menu=None, proposal=None, place=place)
    if state.result is not None or state.over:
        end_board(talk, Line(()))
    elif place:
        talk.go(Phase.PLACING)
    else:
        to_ready(talk)
