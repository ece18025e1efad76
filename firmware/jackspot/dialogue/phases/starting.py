"""What presses do in set-up: who plays, who shoots first, the start; the last match comes back."""

from __future__ import annotations

from jackspot.core.agreement import Disagreement, number_option
from jackspot.core.clock import SECOND_NS, MatchClock
from jackspot.core.match import Match
from jackspot.core.phrases import _
from jackspot.core.pieces import Seat
from jackspot.core.record import write_record
from jackspot.dialogue.lists.item import refuse_locked
from jackspot.dialogue.state.controls import speak_for_all
from jackspot.dialogue.state.entries import Kind
from jackspot.dialogue.state.game import Game
from jackspot.dialogue.state.house import Lock
from jackspot.dialogue.state.plans import agreed, with_next_first, with_next_lineup
from jackspot.dialogue.state.talk import Talk
from jackspot.dialogue.state.view import Phase, Sound
from jackspot.dialogue.steps import free_play
from jackspot.dialogue.steps.guards import Action
from jackspot.dialogue.words.refusals import why_no_match


def start(talk: Talk) -> None:
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
        talk.refuse(why_no_match(wrong), str(wrong))
        return
    clock = MatchClock(number_option(settings, "time_limit_s") * SECOND_NS)
    talk.change(game=Game(match, clock=clock), over_ns=None, entered_ns=talk.now_ns)
    talk.begin_clock()
    talk.record(Kind.MATCH, header=write_record(settings, ()))
    talk.mark_entry()
    talk.sound(Sound.AGAIN)
    talk.go(Phase.READY)


def next_setting(talk: Talk) -> None:
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


def last_match_back(talk: Talk) -> None:
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
