"""When a press counts, and whose.

A press means what was asked when the button went down. What it answered may have ended or
changed before it is complete; two people may acknowledge the same thing; some buttons may
not decide. This module answers one question: is there a reason to swallow this press?
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce

from jackspot.core.phrases import Phrase, _
from jackspot.core.pieces import Seat
from jackspot.core.values import same
from jackspot.dialogue.proposals.dark import pockets_listed
from jackspot.dialogue.proposals.permitted import (
    asks_in_time,
    break_is_asked,
    may_be_demanded,
    question_of_placing,
)
from jackspot.dialogue.proposals.proposing import asked_of, ends_board
from jackspot.dialogue.state.controls import referee_sits, whole_places
from jackspot.dialogue.state.customs import Confirm
from jackspot.dialogue.state.desk import Asked, Desk, Down, still_parts
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase
from jackspot.dialogue.steps.absent import may_stand_in
from jackspot.sensing.events import Button, ButtonDown, Gesture, Key, Place, Press


class Action(StrEnum):
    """What a press says, whatever button said it."""

    OK = "ok"
    OK_HELD = "ok_held"
    FIX = "fix"
    FIX_HELD = "fix_held"
    FOUL = "foul"
    OFF = "off"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class Swallowed:
    """Why a press does nothing. ``objects``: a seat that may not decide pressed FIX."""

    why: Phrase
    objects: bool = False
    quiet: bool = False
    """It did something that everybody sees: no beep, no remark."""


def action_of(press: Press) -> Action:
    """Name what a press says; only OK and FIX mean another thing when held."""
    held = press.gesture is Gesture.HOLD
    match press.button.key:
        case Key.OK:
            return Action.OK_HELD if held else Action.OK
        case Key.FIX:
            return Action.FIX_HELD if held else Action.FIX
        case Key.FOUL:
            return Action.FOUL
        case Key.OFF:
            return Action.OFF
        case Key.UNDO:
            return Action.UNDO


MOST_DOWNS = 64
"""More goings-down than that are not kept: every button there is, and a page's fingers."""


def gone_down(desk: Desk, event: ButtonDown) -> tuple[Down, ...]:
    """Note that a button went down, and what it was asked at that instant.

    What went down at a place is kept until all its buttons are up: a chord is told when the
    last of them comes up and means what was asked when its second button went down.
    """
    busy = {down.button.place for down in desk.downs if down.held}
    kept = tuple(down for down in desk.downs if down.button.place in busy)
    ask = event.ask if event.ask is not None else desk.asked.token
    fresh = _just_changed(desk, event.button, event.at_ns)
    with_it = [down for down in kept if down.held and down.button.place is event.button.place]
    woke = desk.attract is not None or any(down.woke for down in with_it)
    falling = desk.phase is Phase.FALLING
    down = Down(event.button, event.at_ns, ask, fresh, falling, woke)
    return (*kept, down)[-MOST_DOWNS:]


def _just_changed(desk: Desk, button: Button, down_ns: int) -> bool:
    """Whether another hand or a sensor changed the question just before a button went down.

    Or just after: a button is told of as soon as it is sure to be down, some milliseconds late.
    """
    asked = desk.asked
    if asked.by is not None and asked.by.place is button.place:
        return False
    return down_ns - asked.since_ns < desk.customs.changed_guard_ns


def _down_for(desk: Desk, press: Press) -> Down | None:
    """Find the going-down a press belongs to; a chord's is that of its second button."""
    place = [down for down in desk.downs if down.button.place is press.button.place]
    same = [down for down in place if down.down_ns == press.down_ns]
    mine = [down for down in same if down.button == press.button]
    return next(iter(mine or same), None)


def said_by(desk: Desk, press: Press) -> Action:
    """Say what a press means here: an OK held since pieces fell is an OK, and ends no board."""
    action, down = action_of(press), _down_for(desk, press)
    if action is Action.OK_HELD and down is not None and down.falling:
        return Action.OK
    return action


def reason_to_swallow(desk: Desk, press: Press) -> Swallowed | None:
    """Say why a press does nothing; None: it counts."""
    action, button = action_of(press), press.button
    down = _down_for(desk, press)
    if desk.attract is not None or (down is not None and down.woke):
        return Swallowed(_("only woke the board"), quiet=True)
    ask = down.ask if down is not None else press.ask
    if ask is not None and ask != desk.asked.token:
        return Swallowed(_("already settled"))
    fresh = down.fresh if down is not None else _just_changed(desk, button, press.down_ns)
    if fresh:
        return Swallowed(_("it just changed"))
    if action in (Action.OK, Action.OK_HELD) and _deaf(desk, press):
        return Swallowed(_("just confirmed"))
    if action is Action.UNDO and _second_undo(desk, press):
        return Swallowed(_("just taken back"))
    return _not_allowed(desk, press, action)


def stands_in(desk: Desk, press: Press) -> bool:
    """Whether a press counts only because nobody who may has answered."""
    seat, action = press.button.place.seat, action_of(press)
    if seat is None or action is not Action.OK_HELD or _may(desk, press.button, action):
        return False
    return may_stand_in(desk, seat, press.down_ns)


def may_decide(desk: Desk, press: Press) -> bool:
    """Whether who pressed is one of those whose presses count just now."""
    return _may(desk, press.button, action_of(press))


def _second_undo(desk: Desk, press: Press) -> bool:
    """Whether another hand has just taken the same thing back."""
    last = desk.last_undo
    if last is None or last.button == press.button:
        return False
    return press.down_ns < last.at_ns + desk.customs.undo_pair_ns


COUNTED_BY_OK = frozenset({MenuKind.COUNTS, MenuKind.OWED})
"""Lists in which each OK counts one more, as fast as a finger is: none of them is an echo."""


def _deaf(desk: Desk, press: Press) -> bool:
    """Whether an OK comes so soon after an entry that it can only mean that entry."""
    last = desk.last_entry
    if last is None or (desk.menu is not None and desk.menu.kind in COUNTED_BY_OK):
        return False
    if last.button == press.button and not _board_begins(desk):
        return press.down_ns < last.at_ns + desk.customs.deaf_ns
    if desk.menu is None and desk.phase in (Phase.READY, Phase.BOARD_OVER, Phase.MATCH_OVER):
        return press.down_ns < last.at_ns + desk.customs.pass_guard_ns
    return False


def _board_begins(desk: Desk) -> bool:
    """Return whether nothing was shot yet: so soon nobody can have missed."""
    if desk.phase is not Phase.READY or desk.menu is not None or desk.game is None:
        return False
    match = desk.game.match
    return match.state.result is not None or not match.steps


def _not_allowed(desk: Desk, press: Press, action: Action) -> Swallowed | None:
    """Say why this place may not say this now; None: it may."""
    button = press.button
    opener = desk.menu.opener if desk.menu is not None else None
    if opener is not None and opener in whole_places(desk.customs.buttons):
        if opener is button.place:
            return None
        return Swallowed(_("{seat} has the list open", seat=opener.value))
    if _may(desk, button, action) or stands_in(desk, press):
        return None
    seat = button.place.value
    if action is Action.FIX:
        return Swallowed(_("{seat} objects", seat=seat), objects=True)
    return Swallowed(decided_by(_who_may(desk, action), button.place))


def decided_by(places: Iterable[Place], not_by: Place) -> Phrase:
    """Say who decides what a seat has just tried to say: these seats; the referee where none."""
    seats: list[str | Phrase] = [each.value for each in places if each.seat is not None]
    who = reduce(_either, seats) if seats else _("the referee")
    return _("{who} decides, not {seat}", who=who, seat=not_by.value)


def _either(one: str | Phrase, other: str | Phrase) -> Phrase:
    return _("{one} or {other}", one=one, other=other)


def _who_may(desk: Desk, action: Action) -> list[Place]:
    """Give the places that may say this now and have the buttons for it."""
    whole = sorted(whole_places(desk.customs.buttons), key=list(Place).index)
    return [place for place in whole if _may(desk, Button(place, Key.OK), action)]


def _may(desk: Desk, button: Button, action: Action) -> bool:
    """Whether this place may say this now."""
    seat = button.place.seat
    if desk.phase is Phase.SETUP or seat is None:
        return True
    if _passes_the_turn(desk, action) and seat in _turn_neighbours(desk):
        return True
    match desk.customs.confirm:
        case Confirm.ANYONE:
            return True
        case Confirm.REFEREE:
            return not referee_sits(desk.customs.buttons)
        case Confirm.OPPONENT:
            return _opposes(desk, seat, action)


def _passes_the_turn(desk: Desk, action: Action) -> bool:
    """Whether a press only says that a stroke is over and nothing fell."""
    if desk.menu is not None and desk.menu.kind is MenuKind.TOUCHED and desk.proposal is None:
        return action in (Action.OK, Action.OK_HELD, Action.FIX)
    idle = desk.phase is Phase.READY and desk.menu is None
    pending = desk.waits_for_gong or desk.game is None or bool(desk.game.undone)
    return idle and action in (Action.OK, Action.OK_HELD) and not pending


def _turn_neighbours(desk: Desk) -> tuple[Seat, ...]:
    """Give the shooter and the next seat: both may say that the stroke is over."""
    if desk.game is None:
        return ()
    position = desk.game.match.state.position
    return (position.seat, position.order[position.following])


def _opposes(desk: Desk, seat: Seat, action: Action) -> bool:
    """Whether a seat plays against the one whose stroke is decided on.

    Partners are one side, and so is who plays alone against two. Where no stroke is decided
    on (a pause, a result) every seat that plays counts. Where no opponent has the buttons to
    decide, anybody may.
    """
    game = desk.game
    if game is None:
        return False
    sides = game.match.state.position.seat_sides
    if desk.phase in (Phase.PAUSED, Phase.BOARD_OVER, Phase.MATCH_OVER):
        return seat in sides
    shooter = game.match.state.position.seat
    back = desk.phase is Phase.PLACING or (desk.phase is Phase.READY and action is Action.UNDO)
    last = game.lines[-1].stroke if game.lines else None
    if desk.proposal is not None:
        shooter = desk.proposal.shooter
    elif back and last is not None:
        shooter = last.seat
    opponents = [each for each in sides if sides[each] is not sides.get(shooter)]
    whole = whole_places(desk.customs.buttons)
    return seat in opponents or not any(Place(each.value) in whole for each in opponents)


def asked_next(
    before: Desk,
    after: Desk,
    now_ns: int,
    by: Button | None,
    lines: Callable[[Desk], tuple[str, ...]],
) -> Asked:
    """Give the question after a step: a new token only when what a button means changed.

    ``lines`` returns the lines of the list that is open.
    """
    if same(still_parts(before), still_parts(after)):
        return after.asked
    if meaning(before) == meaning(after) and (
        after.attract is not None or lines(before) == lines(after)
    ):
        return after.asked
    return Asked(after.asked.token + 1, now_ns, by)


def meaning(desk: Desk) -> tuple[object, ...]:
    """Give what the buttons mean now, as a value to compare.

    *falling* and *review* mean the same thing by the same pieces: the stroke that an OK
    enters is the one that is shown.
    """
    if desk.attract is not None:
        return ("asleep",)
    if desk.menu is None:
        return _meaning_beneath(desk)
    menu = desk.menu
    numbers = tuple(fall.number for fall in menu.falls)
    about = (menu.opener, numbers, menu.pocket, menu.about, pockets_listed(desk), desk.house)
    return ("list", menu.kind, menu.chosen, about, desk.gathered, _meaning_beneath(desk))


def _meaning_beneath(desk: Desk) -> tuple[object, ...]:
    """Give what the buttons mean where no list lies over the phase."""
    game = desk.game
    if game is None:
        return (desk.phase, desk.plan, desk.previous is None, desk.free)
    state = game.match.state
    counts = state.position.counts
    stands = (len(game.lines), len(game.undone), state.next, state.time_up, counts)
    shown = desk.proposal
    if shown is not None:
        numbers = tuple(fall.number for fall in shown.falls)
        replaces = shown.joining is not None
        implied = bool(desk.place)
        content = (implied, shown.as_stroke(None), shown.is_stroke, replaces, shown.missed, numbers)
        held = asked_of(desk, shown) or ends_board(desk, shown)  # a question comes before a hold
        back = (shown.reopened is None, desk.history is None)
        return ("proposal", content, back, held, *stands)
    idle = desk.phase is Phase.READY and desk.menu is None
    gong = desk.waits_for_gong and not game.undone
    falling = idle and bool(desk.broken) and not gong
    offered = desk.assumed[-1:] if desk.phase is Phase.READY else ()
    hand = tuple(fall.number for group in offered for fall in group.falls)
    asks = (break_is_asked(desk), question_of_placing(desk), asks_in_time(desk),
            may_be_demanded(desk)) if desk.menu is None else ()  # fmt: skip
    return (desk.phase, desk.glance, falling, idle and gong, hand, *asks, *stands)
