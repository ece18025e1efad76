"""Presses in set-up: who plays, who shoots first, the start, and bringing the last match back."""

from __future__ import annotations

from functools import partial

from jackspot.core.agreement import Disagreement, number_option
from jackspot.core.clock import SECOND_NS, MatchClock
from jackspot.core.directives import Entry
from jackspot.core.match import Match
from jackspot.core.order import Begins, MatchOrder
from jackspot.core.phrases import _
from jackspot.core.pieces import Seat
from jackspot.core.record import write_record
from jackspot.core.stroke import Stroke
from jackspot.dialogue.actions import free_play
from jackspot.dialogue.actions.guards import Action
from jackspot.dialogue.actions.settling import go_on_after_a_change, lies_wrong, to_ready
from jackspot.dialogue.lists.item import refuse_locked
from jackspot.dialogue.proposals.open_falls import open_falls
from jackspot.dialogue.state.controls import speak_for_all
from jackspot.dialogue.state.dialogue_state import Glance
from jackspot.dialogue.state.entries import EntryKind, Json, fall_body
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.hall_state import Answer
from jackspot.dialogue.state.plans import agreed, with_next_first, with_next_lineup
from jackspot.dialogue.state.preferences import Lock
from jackspot.dialogue.state.transition import (
    PLACED,
    TIME,
    MatchTransition,
    Transition,
    plan_so,
    take_up,
)
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.dialogue.words.refusals import why_no_match
from jackspot.values import changed


def start(transition: Transition) -> None:
    """Start the match: the seat that pressed shoots first; from box or page, the seat shown."""
    begin(transition, _own_seat(transition) or transition.dialogue.plan.first)


def begin(transition: Transition, first: Seat) -> None:
    """Start the match that is planned, with ``first`` to shoot first."""
    plan = transition.dialogue.plan
    if first not in plan.lineup:
        transition.refuse(_("{seat} does not play", seat=first.value))
        return
    try:
        settings = agreed(plan, first)
        match = Match.begin(settings)
    except (Disagreement, LookupError) as wrong:
        transition.refuse(why_no_match(wrong), str(wrong))
        return
    clock = MatchClock(number_option(settings, "time_limit_s") * SECOND_NS)
    transition.change(over_ns=None, entered_ns=transition.now_ns)
    game = Game(match, clock=clock, order=_begun(transition), armed=plan.armed)
    take_up(transition, game, _begin)


def go_on_here(transition: Transition, order: MatchOrder) -> None:
    """Go on with a match from where another board had it: strokes entered, clock stopped.

    Falls in set-up came while people laid the table out.
    """
    falls = open_falls(transition.dialogue, None)
    if falls:
        transition.record(EntryKind.CLEARING, falls=[fall.number for fall in falls])
    transition.change(waiting=(), over_ns=None)
    clock = MatchClock(number_option(order.settings, "time_limit_s") * SECOND_NS)
    armed = order.begins is Begins.GONG
    match = Match.begin(order.settings)
    game = Game(match, clock=clock, order=_begun(transition), armed=armed)
    take_up(transition, game, partial(_enter_all, order))


def _enter_all(order: MatchOrder, transition: MatchTransition) -> None:
    _write_the_start(transition)
    for entry in order.entries:
        if entry in (PLACED, TIME):
            transition.join(entry)
        else:
            transition.enter((entry,), kept=True)
        used_ns = _used_at(transition.game.clock, entry)
        if used_ns is not None:
            _set_clock(transition, used_ns)
    if order.used_ns is not None:
        _set_clock(transition, order.used_ns)
    game = transition.game
    waits = game.armed and game.clock.limit_ns and not game.clock.used_ns
    armed = game.match.state.board if waits and game.match.state.result is None else None
    transition.change(armed=armed, entered_ns=None, glance=Glance.MOVED)
    go_on_after_a_change(transition)
    if transition.game.match.state.result is not None:
        transition.change(glance=None, note=_("goes on here"))


def _used_at(clock: MatchClock, entry: Entry) -> int | None:
    """Return what was used of the clock after an entry; None: the entry does not say."""
    if entry == TIME:
        return clock.limit_ns
    return entry.used_ns if isinstance(entry, Stroke) else None


def _set_clock(transition: MatchTransition, used_ns: int) -> None:
    """Set the running board's clock, stopped; 0:00 is still to come unless it was entered."""
    state, clock = transition.game.match.state, transition.game.clock
    if not clock.limit_ns:
        return
    open_yet = state.time_up is None and state.result is None
    used_ns = min(used_ns, clock.limit_ns - open_yet)
    transition.change_game(clock=MatchClock(clock.limit_ns, used_ns))
    transition.record(EntryKind.CLOCK, used_ns=used_ns)


def _begun(transition: Transition) -> int | None:
    """Return the number of the order whose players sit here; its match begins."""
    hall = transition.dialogue.hall
    if hall is None or not transition.dialogue.seated:
        return None
    transition.change(hall=changed(hall, answer=Answer.BEGUN))
    return hall.number


def _begin(transition: MatchTransition) -> None:
    transition.begin_clock()
    _write_the_start(transition)
    _tell_falls_again(transition)
    transition.mark_entry()
    transition.sound(Sound.AGAIN)
    if transition.dialogue.waiting:
        to_ready(transition)
    else:
        transition.go(Phase.READY)


def _write_the_start(transition: MatchTransition) -> None:
    game = transition.game
    body: dict[str, Json] = {"header": write_record(game.match.settings, ())}
    if game.order is not None:
        body["order"] = game.order
    if game.armed:
        body["gong"] = True
    transition.record(EntryKind.MATCH, **body)


def _tell_falls_again(transition: Transition) -> None:
    """Write down again, in the match they now belong to, the falls that waited in set-up."""
    for fall in open_falls(transition.dialogue, None):
        transition.record(EntryKind.FALL, **fall_body(fall))


def next_setting(transition: Transition) -> None:
    """FIX at a seat changes the line-up; FIX on the box or the page changes who is first."""
    if _own_seat(transition) is None:
        transition.change(plan=with_next_first(transition.dialogue.plan))
    elif Lock.PLAYERS in transition.dialogue.settings.locked:
        refuse_locked(transition)
    else:
        plan_so(transition, with_next_lineup(transition.dialogue.plan))


def _own_seat(transition: Transition) -> Seat | None:
    """Return the seat that pressed for itself; None where the press speaks for all."""
    dialogue = transition.dialogue
    if transition.button is None or speak_for_all(dialogue.settings.buttons, dialogue.plan.lineup):
        return None
    return transition.button.place.seat


def last_match_back(transition: Transition) -> None:
    """Bring the last match back; in free play, first take away what was counted last."""
    free = transition.dialogue.free
    if free is not None and (free.falls or transition.dialogue.previous is None):
        free_play.work(transition, free, Action.UNDO)
        return
    if transition.dialogue.previous is None:
        transition.refuse(_("no match before this"))
        return
    previous, falls = transition.dialogue.previous, open_falls(transition.dialogue, None)
    if falls and (previous.lines or not previous.undone):  # they fell in another match
        transition.record(EntryKind.CLEARING, falls=[fall.number for fall in falls])
        transition.change(waiting=())
    stands = {fall.number for line in previous.undone for fall in line.falls}
    waiting = tuple(
        group for group in transition.dialogue.waiting
        if not any(fall.number in stands for fall in group.falls)
    )  # fmt: skip
    transition.change(previous=None, free=None, waiting=waiting)
    if previous.order is not None and previous.undone and not previous.lines:
        _begun_again(transition, previous.order)
    take_up(transition, previous, _go_on)


def _begun_again(transition: Transition, order: int) -> None:
    """Note that an order whose start was taken back is played, unless another one was answered."""
    hall = transition.dialogue.hall
    if hall is not None and (
        hall.number in (None, order) or (hall.order is not None and hall.order.number == order)
    ):
        transition.change(hall=changed(hall, number=order, answer=Answer.BEGUN))


def _go_on(transition: MatchTransition) -> None:
    transition.record(EntryKind.BACK)
    _tell_falls_again(transition)
    state = transition.game.match.state
    if state.over:
        transition.go(Phase.MATCH_OVER)
    elif state.result is not None:
        transition.go(Phase.BOARD_OVER)
    else:
        lies_wrong(transition)
        transition.go(Phase.PAUSED)
