"""A hall's order at the board: it is offered before a match, and people answer it.

OK at a seat that plays says that the order's players are here, FIX that the people here are
others. An order never interrupts a match: one that arrives during a match waits for its end. A
match may go on at another board. Its strokes come to that board with the order, and on this one a
pause asks whether the match has moved.
"""

from __future__ import annotations

from collections.abc import Collection

from jackspot.core.order import Begins, MatchOrder, MovedAway
from jackspot.core.phrases import EMPTY, _
from jackspot.core.pieces import Seat
from jackspot.dialogue.actions import desk_words
from jackspot.dialogue.actions.free_play import rest
from jackspot.dialogue.actions.taking_back import shelve
from jackspot.dialogue.phases.starting import begin, go_on_here
from jackspot.dialogue.state.controls import whole_places
from jackspot.dialogue.state.hall_state import Answer, HallState
from jackspot.dialogue.state.plans import ordered
from jackspot.dialogue.state.transition import MatchTransition, Transition, plays, unseat
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import (
    DeskComes,
    DeskTold,
    GongTold,
    HallEvent,
    HallPlace,
    IdentifyTold,
    NoticeTold,
    OrderTold,
    Place,
    PlaceTold,
)
from jackspot.values import changed


def hear_the_hall(transition: Transition, told: HallEvent) -> None:
    """Take the hall's latest message: about what is to be played here, or from its desk."""
    hall = transition.dialogue.hall or HallState()
    match told:
        case OrderTold(order=order, moved=moved):
            hall = changed(hall, moved=None if _stays(hall, moved) else moved)
            _take_order(transition, hall, order)
        case DeskTold():
            transition.change(hall=changed(hall, away=told.away, unsent=told.unsent))
        case GongTold():
            transition.change(hall=changed(hall, gong_ns=told.strike_ns))
        case DeskComes():
            if hall.call is not None:
                transition.change(hall=changed(hall, call=None), note=_("the desk is coming"))
        case PlaceTold(place=place):
            _be_there(transition, place)
        case NoticeTold() | IdentifyTold():
            desk_words.hear(transition, hall, told)


def _be_there(transition: Transition, place: HallPlace) -> None:
    """Move to another place; what the hall that the board has left said is dropped.

    Open lists about that hall have no lines any more, and close. On a start, answers that people
    gave before it remain. When the board returns to a hall that it left, the order whose match is
    on the board is not offered again.
    """
    before, game = transition.dialogue.hall_place, transition.dialogue.game
    if place == before:
        return
    transition.change(hall_place=place)
    if before is not None or not place.is_in:
        unseat(transition)
        transition.change(hall=None)
    is_back = before is not None and place.is_in and before.hall == place.hall
    if is_back and game is not None and game.order is not None:
        transition.change(hall=HallState(number=game.order, answer=Answer.BEGUN))


def _take_order(transition: Transition, hall: HallState, order: MatchOrder | None) -> None:
    transition.change(hall=changed(hall, order=order))
    if order is None:
        unseat(transition)
    new = transition.dialogue.hall
    if new is not None and new.offered is not None and new.offered != hall.offered:
        if not plays(transition):
            transition.change(attract=None, free=None)
        if transition.dialogue.offered is not None:  # a remark would hide whom the order calls
            transition.change(note=EMPTY)


def we_are_here(transition: Transition, order: MatchOrder) -> None:
    """Set up the ordered match for its players; a match that begins at once is started."""
    seat = transition.button.place.seat if transition.button is not None else None
    if seat is not None and seat not in _who_may(transition, order):
        transition.refuse(_("{seat} does not play", seat=seat.value))
        return
    if plays(transition):
        shelve(transition, "match over")
    _answer(transition, order, Answer.SEATED)
    transition.change(plan=ordered(order), free=None)
    if order.entries:
        go_on_here(transition, order)
    elif order.begins is Begins.NOW:
        begin(transition, order.settings.seats[0])


def not_us(transition: Transition, order: MatchOrder) -> None:
    """Leave the order to the hall's desk: the people here are not those who were called."""
    unseat(transition)
    _answer(transition, order, Answer.DECLINED)
    transition.change(note=_("the desk is told"))
    if transition.dialogue.phase is Phase.SETUP:
        rest(transition)


def put_aside(transition: MatchTransition) -> None:
    """Put aside the match that goes on at another board; UNDO in set-up brings it back."""
    shelve(transition, "went on at another board")


def stay(transition: MatchTransition) -> None:
    """Go on here, whatever the desk has said."""
    hall = transition.dialogue.hall or HallState()
    transition.change(hall=changed(hall, moved=None, stays=transition.game.order))


def _stays(hall: HallState, moved: MovedAway | None) -> bool:
    return moved is not None and moved.order == hall.stays


def _who_may(transition: Transition, order: MatchOrder) -> Collection[Seat]:
    """Return the seats that may answer: those that play, or any where none of these has buttons."""
    whole = whole_places(transition.dialogue.settings.buttons)
    seats = order.settings.seats
    return seats if any(Place(seat.value) in whole for seat in seats) else tuple(Seat)


def _answer(transition: Transition, order: MatchOrder, answer: Answer) -> None:
    hall = transition.dialogue.hall or HallState()
    transition.change(hall=changed(hall, number=order.number, answer=answer))
    transition.mark_entry()
