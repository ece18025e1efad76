"""The scorekeeper: what people and the board say to each other, as a table.

Theory of operation. The board is always in one of eight phases. *setup* agrees who shoots
first; *ready* waits for a stroke; when a beam sees a fall it is *falling* until pockets have
been quiet for a while; then the likeliest reading lies in *review* until somebody confirms
it; what the ruling sends back is put on the table in *placing*; *paused* stops the clock;
*board_over* and *match_over* show results. A list (the menu, editing, a question) may lie
over a phase and takes the presses meanwhile. Faults are no phase: they are shown over any.

:data:`TABLE` says what each press does in each phase, :data:`FALLS` what a fall does. A pair
that is not in the table does nothing but a low beep. :func:`step` takes one event to the
next desk and its effects: what to write down (before anything is shown as confirmed) and
what to let be heard. :func:`next_wake_ns` says when the desk wants to be woken; whatever was
due before an event is done before it, so late wake-ups change nothing.

Pure: no clock, no file, no thread. Time comes from events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from jackspot.core.agreement import Disagreement, number_option
from jackspot.core.clock import SECOND_NS, MatchClock
from jackspot.core.match import Match
from jackspot.core.pieces import Piece, Seat
from jackspot.core.record import write_record
from jackspot.core.stroke import Departure, Flag
from jackspot.table import attract, free_play
from jackspot.table.absent import question_of, with_objection
from jackspot.table.choosing import next_reading
from jackspot.table.controls import speak_for_all
from jackspot.table.deadlines import next_wake_ns, run_until
from jackspot.table.desk import Desk
from jackspot.table.entering import confirm, directive, miss
from jackspot.table.entries import JournalEntry, Kind
from jackspot.table.events import (
    BeamBroken,
    Button,
    ButtonDown,
    ButtonUp,
    Fall,
    FaultCleared,
    FaultRaised,
    Press,
    Tick,
    beam_wire,
)
from jackspot.table.game import Game
from jackspot.table.gathering import ask_if_due
from jackspot.table.guards import (
    Action,
    action_of,
    asked_next,
    gone_down,
    may_decide,
    reason_to_swallow,
    stands_in,
)
from jackspot.table.hands import offer
from jackspot.table.house import Lock
from jackspot.table.keeping import let_later_wait
from jackspot.table.lists.corrections import resume
from jackspot.table.lists.editing import next_flag
from jackspot.table.lists.impossible import offer_corrections
from jackspot.table.lists.item import open_list, refuse_locked
from jackspot.table.lists.sensors import is_trying, try_button
from jackspot.table.lists.told import ask_for_the_point, ask_of_placing
from jackspot.table.menu import work
from jackspot.table.menu_kinds import MenuKind
from jackspot.table.permitted import asks_in_time, break_is_asked
from jackspot.table.phrases import EMPTY, _
from jackspot.table.plans import agreed, with_next_first, with_next_lineup
from jackspot.table.proposal import Proposal
from jackspot.table.proposing import (
    also_before,
    asked_of,
    by_hand,
    ends_board,
    find_reading,
    match_before,
    read_anew,
)
from jackspot.table.reading import Role
from jackspot.table.scenes import scene_in
from jackspot.table.sensed import FALLS, take_fall
from jackspot.table.settling import people_went_on, time_goes_on, to_ready
from jackspot.table.shot_clock import shot_after
from jackspot.table.snapshots import open_work, snapshot
from jackspot.table.spanning import flown_for, late_now
from jackspot.table.taking_back import redo_all, shelve, take_back
from jackspot.table.talk import NEXT_BOARD, PLACED, Talk
from jackspot.table.view import Phase, Sound

__all__ = ["FALLS", "TABLE", "DeskEvent", "Effects", "next_wake_ns", "step"]

DeskEvent = BeamBroken | Fall | ButtonDown | ButtonUp | Press | FaultRaised | FaultCleared | Tick
"""What reaches the scorekeeper."""


@dataclass(frozen=True, slots=True)
class Effects:
    """What the loop must do, in this order: write, then show, then sound."""

    records: tuple[JournalEntry, ...] = ()
    sounds: tuple[Sound, ...] = ()


def step(desk: Desk, event: DeskEvent) -> tuple[Desk, Effects]:
    """Take one event to the next desk."""
    at_ns = event.end_ns if isinstance(event, Fall) else event.at_ns
    talk = Talk(desk, max(desk.now_ns, at_ns))
    run_until(talk)
    before = talk.desk
    if attract.touches(event):
        talk.change(touched_ns=talk.now_ns)
    _take(talk, event)
    time_goes_on(talk)
    ask_if_due(talk)
    talk.change(shot=shot_after(talk.desk, talk.now_ns))
    if desk.objections and question_of(desk) != question_of(talk.desk):
        talk.change(objections=())
    talk.change(now_ns=talk.now_ns, asked=asked_next(before, talk.desk, talk.now_ns, talk.button))
    _note_desk(talk, desk)
    if talk.desk != desk:
        talk.change(sequence=desk.sequence + 1)
    return talk.desk, Effects(tuple(talk.records), tuple(talk.sounds))


def _note_desk(talk: Talk, before: Desk) -> None:
    """Write down what is open, where that changed or anything else was written."""
    entered = any(record.kind in FOLLOWED_BY_DESK for record in talk.records)
    if entered or open_work(talk.desk) != open_work(before):
        talk.record(Kind.DESK, **snapshot(talk.desk, talk.now_ns))


FOLLOWED_BY_DESK = frozenset(
    {Kind.MATCH, Kind.LINE, Kind.JOIN, Kind.UNDO, Kind.REDO, Kind.TIME_UP, Kind.LEFT_OUT}
)
"""Entries that change what the open work refers to, or that time is noted with."""


def _take(talk: Talk, event: DeskEvent) -> None:
    match event:
        case Press():
            talk.button = event.button
            _press(talk, event)
            talk.change(attract=None)
        case Fall():
            talk.change(attract=None)
            take_fall(talk, event)
        case ButtonDown():
            talk.change(downs=gone_down(talk.desk, event), attract=None)
        case ButtonUp():
            _button_up(talk, event.button)
        case BeamBroken():
            talk.change(broken=tuple(dict.fromkeys((*talk.desk.broken, event.pocket))))
        case FaultRaised():
            _fault(talk, event)
        case FaultCleared():
            _well_again(talk, event)
        case Tick():
            pass


# --- presses ---------------------------------------------------------------------------


def _press(talk: Talk, press: Press) -> None:
    """Let a press mean what its phase says, unless there is a reason to swallow it."""
    if is_trying(talk.desk) and try_button(talk, press):
        return
    if _swallowed(talk, press):
        return
    if talk.desk.note != EMPTY:
        talk.change(note=EMPTY)
    said = action_of(press)
    action = said if talk.desk.menu is None else work(talk, said)
    if action is None:
        return
    if talk.desk.free is not None and (talk.desk.phase, action) not in BENEATH_FREE_PLAY:
        free_play.work(talk, action)
        return
    handler = TABLE.get((talk.desk.phase, action)) or TABLE.get((talk.desk.phase, _plain(action)))
    if handler is None:
        talk.refuse(_("not now"))
        return
    handler(talk)


def _swallowed(talk: Talk, press: Press) -> bool:
    """Swallow a press that there is a reason for, and note who is there; tell whether."""
    swallowed = reason_to_swallow(talk.desk, press)
    if swallowed is None and stands_in(talk.desk, press):
        talk.record(Kind.STOOD_IN, wire=press.button.wire)
    if may_decide(talk.desk, press):
        talk.change(answered_ns=talk.now_ns)
    if swallowed is None:
        return False
    if swallowed.objects:
        talk.record(Kind.OBJECTION, wire=press.button.wire)
        talk.change(objections=with_objection(talk.desk, press.button.place.seat))
    if swallowed.quiet:
        talk.note_swallowed(swallowed.why)
    else:
        talk.refuse(swallowed.why)
    return True


def _plain(action: Action) -> Action:
    """Take a held OK for an OK where holding says nothing more; never a held FIX."""
    return Action.OK if action is Action.OK_HELD else action


def _button_up(talk: Talk, button: Button) -> None:
    downs = tuple(
        replace(down, held=False) if down.button == button else down for down in talk.desk.downs
    )
    talk.change(downs=downs)


def _menu(talk: Talk) -> None:
    open_list(talk, MenuKind.MENU)


# setup


def _start(talk: Talk) -> None:
    """Start the match: that seat shoots first; from box and page, the seat shown."""
    plan = talk.desk.plan
    seat = _own_seat(talk)
    first = seat or plan.first
    if first not in plan.lineup:
        talk.refuse(_("{seat} does not play", seat=first.value))
        return
    try:
        settings = agreed(plan, first)
        match = Match.begin(settings)
    except (Disagreement, LookupError) as wrong:
        talk.refuse(_("not possible: {why}", why=str(wrong)))
        return
    clock = MatchClock(number_option(settings, "time_limit_s") * SECOND_NS)
    talk.change(game=Game(match, clock=clock), over_ns=None, entered_ns=talk.now_ns)
    talk.begin_clock()
    talk.record(Kind.MATCH, header=write_record(settings, ()))
    talk.mark_entry()
    talk.sound(Sound.AGAIN)
    talk.go(Phase.READY)


def _next_setting(talk: Talk) -> None:
    """FIX of a seat lets others play; FIX of the box or the page picks who is first."""
    if _own_seat(talk) is None:
        talk.change(plan=with_next_first(talk.desk.plan))
    elif Lock.PLAYERS in talk.desk.customs.locked:
        refuse_locked(talk)
    else:
        talk.change(plan=with_next_lineup(talk.desk.plan))


def _own_seat(talk: Talk) -> Seat | None:
    """Give the seat that pressed for itself; None where a press speaks for all."""
    desk = talk.desk
    if talk.button is None or speak_for_all(desk.customs.buttons, desk.plan.lineup):
        return None
    return talk.button.place.seat


def _last_match_back(talk: Talk) -> None:
    """Bring the last match back; in free play take what was counted last away first."""
    free = talk.desk.free
    if free is not None and (free.falls or talk.desk.previous is None):
        free_play.work(talk, Action.UNDO)
        return
    if talk.desk.previous is None:
        talk.refuse(_("no match before this"))
        return
    talk.change(game=talk.desk.previous, previous=None, free=None)
    talk.record(Kind.BACK)
    state = talk.game.match.state
    if state.over:
        talk.go(Phase.MATCH_OVER)
    else:
        talk.go(Phase.BOARD_OVER if state.result is not None else Phase.PAUSED)


# ready


def _stroke_over(talk: Talk) -> None:
    """Nothing fell; after an undo, put back what was taken back; or the gong."""
    if talk.desk.waits_for_gong and not talk.game.undone:
        _gong(talk)
    elif talk.desk.broken:
        talk.refuse(_("something falls just now"))
    elif talk.game.undone:
        redo_all(talk)
    elif break_is_asked(talk.desk):
        open_list(talk, MenuKind.TOUCHED)
    else:
        miss(talk)


def _gong(talk: Talk) -> None:
    """Start the clock that was armed."""
    talk.change(armed=None)
    talk.start_clock()
    talk.record(Kind.GONG)
    talk.mark_entry()
    talk.sound(Sound.AGAIN)


def _enter_by_hand(talk: Talk) -> None:
    """Open what was taken for a hand; else something that no beam saw."""
    if talk.desk.assumed:
        offer(talk)
        return
    _review(talk, by_hand(talk.desk, talk.now_ns))


def _foul(talk: Talk) -> None:
    """Review a foul: soon after an entry of the stroke before first, unless it has one."""
    flags = frozenset({Flag.FOUL})
    stroke = talk.game.lines[-1].stroke if talk.game.lines else None
    late = late_now(talk.desk, talk.now_ns) and stroke is not None and not flags <= stroke.flags
    fresh = by_hand(talk.desk, talk.now_ns, flags=flags)
    _review(talk, also_before(talk.desk, fresh) if late else fresh)


def _piece_off(talk: Talk) -> None:
    """Review what likeliest flew off: soon after an entry what the stroke before allows."""
    marked = (by_hand(talk.desk, talk.now_ns, flown=(kind,)) for kind in _kinds_off(talk))
    if not late_now(talk.desk, talk.now_ns):
        _review(talk, next(marked))
        return
    spanning = [also_before(talk.desk, fresh) for fresh in marked]
    allowed = (each for each in spanning if any(one.joins for one in each.readings))
    _review(talk, next(allowed, spanning[0]))


def _review(talk: Talk, proposal: Proposal) -> None:
    talk.change(proposal=proposal)
    talk.go(Phase.REVIEW)


def _kinds_off(talk: Talk) -> tuple[Piece, ...]:
    """Give the kinds that can fly off now, what flies most often first.

    That is the striker, which is the fastest; then the shooter's own pieces, the opponent's,
    and all others.
    """
    game, shown = talk.game, talk.desk.proposal
    match = match_before(game, shown) if shown else game.match
    seat = shown.shooter if shown else match.state.position.seat
    scene = scene_in(match, seat, talk.desk.customs.widths)
    fell = [each.piece for each in shown.departures if not each.flew_off] if shown else []
    left = [piece for piece, n in scene.available.items() if n > fell.count(piece)]
    return tuple(sorted(left, key=lambda piece: FLIES.get(scene.roles[piece], len(FLIES))))


FLIES = {Role.STRIKER: 0, Role.OWN: 1, Role.OPPONENT: 2}
"""What flies off most often first; the rest comes after it."""


# falling and review


def _ok_falling(talk: Talk) -> None:
    """Confirm what has stood for a while; else settle now."""
    proposal = talk.proposal
    stood = talk.now_ns - proposal.changed_ns >= talk.desk.customs.stand_ns
    if stood and not talk.desk.broken and not ends_board(talk.desk, proposal):
        confirm(talk)
    else:
        talk.go(Phase.REVIEW)


def _ok_review(talk: Talk) -> None:
    if offer_corrections(talk):
        return
    asked = asked_of(talk.desk, talk.proposal)
    if asked is None and ends_board(talk.desk, talk.proposal):
        talk.refuse(_("hold OK: it ends the board"))
    else:
        confirm(talk)


def _ok_held_review(talk: Talk) -> None:
    if not offer_corrections(talk):
        confirm(talk)


def _next_reading(talk: Talk) -> None:
    """Show the next reading; where there is none, FIX still ends *falling*."""
    by = talk.button.place.seat if talk.button is not None else None
    turned = next_reading(talk.desk, talk.proposal, by, talk.now_ns)
    if turned is not None:
        talk.change(proposal=turned)
    elif talk.desk.phase is Phase.REVIEW:
        talk.refuse(_("no other reading"))
    talk.go(Phase.REVIEW)


def _next_flag(talk: Talk) -> None:
    next_flag(talk)


def _next_off(talk: Talk) -> None:
    """Mark the next kind of piece as flown off; after the last kind, none."""
    proposal = talk.proposal
    kinds = _kinds_off(talk)
    last = proposal.flown_now[-1] if proposal.flown else None
    at = kinds.index(last) + 1 if last in kinds else 0
    match = talk.game.match
    flown = flown_for(match, kinds[at : at + 1], proposal.shooter, proposal.seat)
    marked = replace(proposal, flown=flown, edited=_not_flown(proposal.edited))
    fresh = read_anew(talk.desk, marked, talk.now_ns)
    if proposal.reading.seat is not None and marked.edited is None:
        chosen, edited = find_reading(fresh, proposal.reading)
        fresh = replace(fresh, chosen=chosen, edited=edited)
    talk.change(proposal=replace(fresh, opened_ns=proposal.opened_ns))


def _not_flown(edited: tuple[Departure, ...] | None) -> tuple[Departure, ...] | None:
    """Leave out the pieces that were edited to have flown off: they are marked anew."""
    return edited and tuple(each for each in edited if not each.flew_off)


def _undo_falling(talk: Talk) -> None:
    talk.go(Phase.REVIEW)
    take_back(talk)


def _edit(talk: Talk) -> None:
    talk.go(Phase.REVIEW)
    open_list(talk, MenuKind.EDIT)


# placing, pauses, ends


def _placed(talk: Talk) -> None:
    """Note that it was put back; where it matters when, what people shot since opens first."""
    if asks_in_time(talk.desk) and people_went_on(talk):
        return
    before = talk.game
    talk.join(PLACED)
    if before.undone:
        let_later_wait(talk, before, replaces=False)
    talk.change(lying=(), missing=())
    talk.mark_entry()
    to_ready(talk)


def _go_on(talk: Talk) -> None:
    resume(talk)


def _paused_fix(talk: Talk) -> None:
    open_list(talk, MenuKind.COUNTS if talk.desk.glance else MenuKind.MENU)


def _next_board(talk: Talk) -> None:
    """Begin the next board; after an undo, put back what was taken back."""
    talk.change(over_ns=None)
    if talk.game.undone:
        redo_all(talk)
    else:
        directive(talk, NEXT_BOARD)


def _again(talk: Talk) -> None:
    shelve(talk, "match over")


def _hold_for_again(talk: Talk) -> None:
    talk.refuse(_("hold OK to play again"))


Handler = Callable[[Talk], None]

TABLE: Mapping[tuple[Phase, Action], Handler] = {
    (Phase.SETUP, Action.OK): _start,
    (Phase.SETUP, Action.FIX): _next_setting,
    (Phase.SETUP, Action.FIX_HELD): _menu,
    (Phase.SETUP, Action.UNDO): _last_match_back,
    (Phase.READY, Action.OK): _stroke_over,
    (Phase.READY, Action.FIX): _enter_by_hand,
    (Phase.READY, Action.FIX_HELD): _menu,
    (Phase.READY, Action.FOUL): _foul,
    (Phase.READY, Action.OFF): _piece_off,
    (Phase.READY, Action.UNDO): take_back,
    (Phase.FALLING, Action.OK): _ok_falling,
    (Phase.FALLING, Action.FIX): _next_reading,
    (Phase.FALLING, Action.FIX_HELD): _edit,
    (Phase.FALLING, Action.FOUL): _next_flag,
    (Phase.FALLING, Action.OFF): _next_off,
    (Phase.FALLING, Action.UNDO): _undo_falling,
    (Phase.REVIEW, Action.OK): _ok_review,
    (Phase.REVIEW, Action.OK_HELD): _ok_held_review,
    (Phase.REVIEW, Action.FIX): _next_reading,
    (Phase.REVIEW, Action.FIX_HELD): _edit,
    (Phase.REVIEW, Action.FOUL): _next_flag,
    (Phase.REVIEW, Action.OFF): _next_off,
    (Phase.REVIEW, Action.UNDO): take_back,
    (Phase.PLACING, Action.OK): _placed,
    (Phase.PLACING, Action.FIX): ask_of_placing,
    (Phase.PLACING, Action.FIX_HELD): _menu,
    (Phase.PLACING, Action.UNDO): take_back,
    (Phase.PAUSED, Action.OK): _go_on,
    (Phase.PAUSED, Action.FIX): _paused_fix,
    (Phase.PAUSED, Action.FIX_HELD): _menu,
    (Phase.BOARD_OVER, Action.OK): _next_board,
    (Phase.BOARD_OVER, Action.FIX): ask_for_the_point,
    (Phase.BOARD_OVER, Action.FIX_HELD): _menu,
    (Phase.BOARD_OVER, Action.UNDO): take_back,
    (Phase.MATCH_OVER, Action.OK): _hold_for_again,
    (Phase.MATCH_OVER, Action.OK_HELD): _again,
    (Phase.MATCH_OVER, Action.FIX): _menu,
    (Phase.MATCH_OVER, Action.FIX_HELD): _menu,
    (Phase.MATCH_OVER, Action.UNDO): take_back,
}
"""What each press does in each phase. What is missing does nothing but a low beep."""

BENEATH_FREE_PLAY = frozenset({(Phase.SETUP, Action.FIX_HELD), (Phase.SETUP, Action.UNDO)})
"""What presses do in set-up also while free play lies over it."""


# --- faults ----------------------------------------------------------------------------


def _fault(talk: Talk, fault: FaultRaised) -> None:
    others = tuple(
        each
        for each in talk.desk.faults
        if (each.part, each.trouble) != (fault.part, fault.trouble)
    )
    whole = tuple(each for each in talk.desk.broken if beam_wire(each) != fault.part)
    talk.change(faults=(*others, fault), broken=whole)
    talk.record(Kind.FAULT, part=fault.part, trouble=fault.trouble.value, detail=fault.detail)


def _well_again(talk: Talk, fault: FaultCleared) -> None:
    left = tuple(
        each
        for each in talk.desk.faults
        if (each.part, each.trouble) != (fault.part, fault.trouble)
    )
    if left != talk.desk.faults:
        talk.change(faults=left)
        talk.record(Kind.CLEARED, part=fault.part, trouble=fault.trouble.value)
