"""What happens when something is confirmed, taken back or timed out.

The steps that the phases share: entering a stroke, going on after it, opening the next
proposal that waits, taking the last line back, putting lines back, 0:00.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from jackspot.core.agreement import option
from jackspot.core.directives import Entry, GiveTurn
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
from jackspot.table.keeping import (
    Hindrance,
    enter_next,
    hindrance,
    leave_out,
    let_later_wait,
    look_at,
    open_later,
    settled,
    time_is_missing,
    to_put_back,
    to_take_off,
    waits,
)
from jackspot.table.legal import entries_of
from jackspot.table.line_words import kept_word
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
    if unchanged(proposal) and talk.game.undone:
        redo_all(talk)
        return
    if _asks_first(talk, proposal):
        return
    looked_at = open_later(talk.desk)
    falls = proposal.falls
    if outcome(talk.desk, proposal) is not None:
        _imply_placed(talk)
    if proposal.joining is not None and proposal.before is not None:
        if outcome(talk.desk, proposal) is None:
            talk.refuse(_("not possible here"))
            return
        falls = joined((*proposal.before.falls, *proposal.falls))
        _take_line_back(talk)
    by_people = proposal.edited is not None or not proposal.falls
    probability = None if by_people else proposal.reading.probability
    before = talk.game
    try:
        talk.enter(_entries(talk, proposal), falls, probability)
    except IllegalEntry as illegal:
        talk.refuse(_("not possible: {why}", why=str(illegal)))
        return
    if not falls and looked_at is None:
        note_unseen(talk, talk.game.lines[-1].stroke)
    if looked_at is not None:
        settled(talk, looked_at)
    else:
        let_later_wait(talk, before, replaces=True)
    go_on(talk)
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
    stroke = fit_to(match, proposal.as_stroke(_used_before(proposal) or _used_ns(talk)))
    return entries_of(match, stroke, proposal.missed)


def _used_before(proposal: Proposal) -> int | None:
    """Give the match clock at which a reopened stroke was settled the first time."""
    line = proposal.reopened
    return line.stroke.used_ns if line is not None and line.stroke is not None else None


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

    What was open stays open: a review is read anew, placing and a pause go on. Where lines
    were taken back it comes before them, or takes the place of one that was no stroke.
    """
    before = talk.game
    board = before.match.state.board
    try:
        if join:
            talk.join(entry)
        else:
            talk.enter((entry,))
    except IllegalEntry as illegal:
        talk.refuse(_("not possible: {why}", why=str(illegal)))
        return
    talk.change(menu=None, history=None)
    shown = talk.desk.proposal
    reviewed = shown is not None and shown.reopened is not None
    if before.undone:
        said = before.undone[-1].stroke is None and not before.undone[-1].falls
        let_later_wait(talk, before, replaces=said and not (reviewed or join))
    state = talk.game.match.state
    if state.board != board:
        talk.change(lying=(), missing=())
    if waits(talk.desk) and (state.result is not None or state.board != board):
        _let_later_falls_wait(talk)
        talk.change(proposal=None)
        keep_on(talk)
    elif state.result is not None or state.over:
        _clear_what_is_open(talk)
        end_board(talk)
    elif state.board != board:
        _clear_what_is_open(talk)
        talk.begin_clock()
        to_ready(talk)
    elif talk.desk.proposal is not None:
        open_now = talk.desk.proposal
        given = open_now.reopened is None or isinstance(entry, GiveTurn)
        seat = (state.next if given else None) or open_now.seat
        moved = replace(open_now, seat=seat)
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
    wrong = talk.desk.place or talk.desk.take
    if wrong and proposal.is_stroke and proposal.joining is None:
        talk.join(PLACED)
        talk.change(place=(), take=(), lying=(), missing=())


def _something_lies_wrong(talk: Talk) -> bool:
    """Say what must be put back, and what lies there for strokes that count no longer.

    What the last stroke sends back may lie there already; then it counts as placed.
    """
    sent_back = to_place(talk)
    place, take = to_put_back(talk.desk, sent_back), to_take_off(talk.desk, sent_back)
    talk.change(place=place, take=take)
    if place or take:
        return True
    if sent_back:
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
    sent_back = to_place(talk)
    if sent_back and talk.game.match.state.result is None:
        talk.change(missing=(*talk.desk.missing, *sent_back))
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
    if open_now is not None and fresh:
        talk.change(parked=(open_now, *talk.desk.parked))
    _let_later_falls_wait(talk)
    _take_line_back(talk)
    _reopen(talk, talk.game.undone[-1])


def take_back_to(talk: Talk, number: int) -> bool:
    """Take back to a line of the history and open it; False where it is no stroke.

    What lay open is put aside as by UNDO. ``number`` counts the match's lines from 0.
    """
    open_now, came_from = talk.desk.proposal, talk.desk.phase
    if open_now is not None and open_now.reopened is None:
        talk.change(parked=(open_now, *talk.desk.parked))
    _let_later_falls_wait(talk)
    while len(talk.game.lines) > number:
        _take_line_back(talk)
    line = talk.game.undone[-1]
    talk.change(history=talk.desk.history or came_from)
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


def _take_line_back(talk: Talk) -> None:
    """Undo the last line; where 0:00 stood beside it, it is due again in its place."""
    game = talk.game
    line = game.lines[-1]
    game = with_match(game, taken_back(game.match, line), talk.now_ns, fresh=False)
    talk.change(
        game=replace(game, lines=game.lines[:-1], undone=(*game.undone, line)),
        last_undo=LastEntry(talk.now_ns, talk.button),
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
    was_paused = talk.desk.history is Phase.PAUSED
    go_on(talk)
    if was_paused and talk.desk.phase is Phase.READY:
        talk.stop_clock()
        talk.go(Phase.PAUSED)


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
    if open_first or not _enter_time_if_due(talk):
        return
    if talk.game.match.state.result is not None:
        talk.sound(Sound.WIN)
        end_board(talk)
    elif desk.proposal is not None:
        fresh = read_anew(talk.desk, desk.proposal, talk.now_ns)
        since = (desk.proposal.opened_ns, desk.proposal.changed_ns)
        talk.change(proposal=replace(fresh, opened_ns=since[0], changed_ns=since[1]))


def _enter_time_if_due(talk: Talk) -> bool:
    """Enter ``! time`` beside the last line, if its place has come; tell whether."""
    game, desk = talk.game, talk.desk
    up = time_is_missing(game.match.state, clock_is_up=game.clock.is_up_at(talk.now_ns))
    if up and desk.time_due is None and not (waits(desk) or game.undone):
        talk.change(time_due=TimeDue(game.match.state.board, talk.now_ns))
    if not time_follows(talk.desk, len(game.lines)) or game.undone:
        return False
    talk.change(time_due=None)
    if game.match.state.result is not None:
        return False
    talk.join(TIME)
    return True
