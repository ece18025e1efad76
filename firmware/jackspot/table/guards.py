"""When a press counts, and whose.

A press means what was asked when the button went down. What it answered may have ended or
changed before it is complete; two people may acknowledge the same thing; some buttons may
not decide. This module answers one question: is there a reason to swallow this press?
"""

from __future__ import annotations

from enum import StrEnum

from jackspot.core.pieces import Seat
from jackspot.table.desk import Asked, Confirm, Desk, Down
from jackspot.table.events import Button, ButtonDown, Gesture, Key, Place, Press
from jackspot.table.phrases import Phrase, _
from jackspot.table.view import Phase


class Action(StrEnum):
    """What a press says, whatever button said it."""

    OK = "ok"
    OK_HELD = "ok_held"
    FIX = "fix"
    FIX_HELD = "fix_held"
    FOUL = "foul"
    OFF = "off"
    UNDO = "undo"


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


def gone_down(desk: Desk, event: ButtonDown) -> tuple[Down, ...]:
    """Note that a button went down, and what it was asked at that instant."""
    asked = desk.asked
    recent = event.at_ns - asked.since_ns < desk.customs.changed_guard_ns
    fresh = recent and asked.by != event.button
    others = tuple(down for down in desk.downs if down.button != event.button)
    ask = event.ask if event.ask is not None else asked.token
    return (*others, Down(event.button, event.at_ns, ask, fresh))


def _down_for(desk: Desk, press: Press) -> Down | None:
    """Find the going-down a press belongs to; a chord's is that of its first button."""
    place = [down for down in desk.downs if down.button.place is press.button.place]
    same = [down for down in place if down.down_ns == press.down_ns]
    return next(iter(same or [down for down in place if down.button == press.button]), None)


def reason_to_swallow(desk: Desk, press: Press) -> Phrase | None:
    """Say why a press does nothing; None: it counts."""
    action, button = action_of(press), press.button
    down = _down_for(desk, press)
    if down is not None and down.ask != desk.asked.token:
        return _("that was settled")
    if down is not None and down.fresh:
        return _("it had just changed")
    if action in (Action.OK, Action.OK_HELD) and _deaf(desk, press):
        return _("just confirmed")
    if action is Action.UNDO and _second_undo(desk, press):
        return _("just taken back")
    if not _may(desk, button, action):
        return _not_allowed(button, action)
    return None


def _second_undo(desk: Desk, press: Press) -> bool:
    """Whether another hand has just taken the same thing back."""
    last = desk.last_undo
    if last is None or last.button == press.button:
        return False
    return press.down_ns < last.at_ns + desk.customs.undo_pair_ns


def _deaf(desk: Desk, press: Press) -> bool:
    """Whether an OK comes so soon after an entry that it can only mean that entry."""
    last = desk.last_entry
    if last is None or last.button is None:
        return False
    if last.button == press.button:
        return press.down_ns < last.at_ns + desk.customs.deaf_ns
    if desk.phase in (Phase.READY, Phase.BOARD_OVER, Phase.MATCH_OVER):
        return press.down_ns < last.at_ns + desk.customs.pass_guard_ns
    return False


def _may(desk: Desk, button: Button, action: Action) -> bool:
    """Whether this place may say this now."""
    seat = button.place.seat
    if desk.phase is Phase.SETUP or seat is None:
        return True
    if desk.menu is not None and desk.menu.opener is button.place:
        return True
    if desk.phase is Phase.READY and action is Action.OK and seat in _turn_neighbours(desk):
        return True
    match desk.customs.confirm:
        case Confirm.ANYONE:
            return True
        case Confirm.REFEREE:
            return False
        case Confirm.OPPONENT:
            return _opposes(desk, seat)


def _turn_neighbours(desk: Desk) -> tuple[Seat, ...]:
    """Give the shooter and the next seat: both may say that the stroke is over."""
    if desk.game is None:
        return ()
    position = desk.game.match.state.position
    return (position.seat, position.order[position.following])


def _opposes(desk: Desk, seat: Seat) -> bool:
    """Whether a seat plays against the one whose stroke is open."""
    if desk.game is None:
        return False
    position = desk.game.match.state.position
    shooter = desk.proposal.seat if desk.proposal else position.seat
    side = position.seat_sides.get(seat)
    return side is not None and side is not position.seat_sides.get(shooter)


def _not_allowed(button: Button, action: Action) -> Phrase:
    if action is Action.FIX and button.place is not Place.PAGE:
        return _("{seat} objects", seat=button.place.value)
    return _("{seat} may not decide this", seat=button.place.value)


def asked_next(before: Desk, after: Desk, now_ns: int, by: Button | None) -> Asked:
    """Give the question after a step: a new token only when what a button means changed."""
    if meaning(before) == meaning(after):
        return after.asked
    return Asked(after.asked.token + 1, now_ns, by)


def meaning(desk: Desk) -> tuple[object, ...]:
    """Give what the buttons mean now, as a value to compare."""
    if desk.menu is not None:
        return ("menu", desk.menu, desk.proposal and desk.proposal.departures)
    if desk.proposal is not None:
        shown = desk.proposal
        numbers = tuple(fall.number for fall in shown.falls)
        content = (shown.seat, shown.departures, shown.flags, shown.is_stroke, numbers)
        return ("proposal", *content, shown.reopened is None)
    if desk.game is None:
        return (desk.phase, desk.plan)
    return (desk.phase, len(desk.game.lines), len(desk.game.undone), desk.game.match.state.next)
