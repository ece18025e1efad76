"""When a press counts, and whose.

A press means what was asked when the button went down. What it answers may have ended or changed
before the press is complete; two people may acknowledge the same thing; some buttons may not
decide. This module answers one question: is there a reason to swallow this press?
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import reduce

from msgspec import Struct

from jackspot.core.order import MatchOrder
from jackspot.core.phrases import Phrase, _
from jackspot.core.pieces import Seat
from jackspot.dialogue.actions.absent import may_stand_in
from jackspot.dialogue.proposals.dark import pockets_listed
from jackspot.dialogue.proposals.permitted import (
    asks_in_time,
    break_is_asked,
    may_be_demanded,
    question_of_placing,
)
from jackspot.dialogue.proposals.proposing import asked_of, ends_board, stroke_of
from jackspot.dialogue.state.controls import referee_sits, whole_places
from jackspot.dialogue.state.dialogue_settings import Confirm
from jackspot.dialogue.state.dialogue_state import DialogueState, InMatch, only_time_passed
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.timing import Asked, Down
from jackspot.dialogue.state.transition import NEXT_BOARD
from jackspot.dialogue.state.view import Phase
from jackspot.dialogue.words.fault_words import place_word
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


class Swallowed(Struct, frozen=True):
    """Why a press does nothing. ``objects``: a seat that may not decide pressed FIX."""

    why: Phrase
    objects: bool = False
    quiet: bool = False
    """It did something that everybody sees, so there is no beep and no remark."""


def action_of(press: Press) -> Action:
    """Return what a press says; only OK and FIX mean something else when held."""
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
"""At most this many buttons going down are kept: every button there is, and a page's fingers."""


def gone_down(dialogue: DialogueState, event: ButtonDown) -> tuple[Down, ...]:
    """Note that a button went down, and what it was asked at that instant.

    Buttons that went down at a place are kept until all of that place are up: a chord is reported
    when the last of them comes up, and means what was asked when its second button went down.
    """
    busy = {down.button.place for down in dialogue.timing.downs if down.held}
    kept = tuple(down for down in dialogue.timing.downs if down.button.place in busy)
    ask = event.ask if event.ask is not None else dialogue.timing.asked.token
    fresh = _just_changed(dialogue, event.button, event.at_ns)
    with_it = [down for down in kept if down.held and down.button.place is event.button.place]
    woke = dialogue.attract is not None or any(down.woke for down in with_it)
    falling = dialogue.phase is Phase.FALLING
    down = Down(event.button, event.at_ns, ask, fresh, falling, woke)
    return (*kept, down)[-MOST_DOWNS:]


def _just_changed(dialogue: DialogueState, button: Button, down_ns: int) -> bool:
    """Whether nobody could know yet what a button that went down means.

    Another hand or a sensor has changed the question just before. Or just after: a button is
    reported once it is surely down, some milliseconds late. Or the picture of it was held back:
    then only UNDO means at the same place what it meant, and OK in a list that counts.
    """
    asked = dialogue.timing.asked
    counts = button.key is Key.OK and _counts_each(dialogue)
    if down_ns < asked.shown_ns and not counts and button.key is not Key.UNDO:
        return True
    if asked.by is not None and asked.by.place is button.place:
        return False
    since_ns = max(asked.since_ns, asked.shown_ns)
    return down_ns - since_ns < dialogue.settings.changed_guard_ns


def _down_for(dialogue: DialogueState, press: Press) -> Down | None:
    """Find when the button of a press went down; for a chord, its second button."""
    place = [down for down in dialogue.timing.downs if down.button.place is press.button.place]
    same = [down for down in place if down.down_ns == press.down_ns]
    mine = [down for down in same if down.button == press.button]
    return next(iter(mine or same), None)


def said_by(dialogue: DialogueState, press: Press) -> Action:
    """Return what a press means here: an OK held since pieces fell is an OK, and ends no board."""
    action, down = action_of(press), _down_for(dialogue, press)
    if action is Action.OK_HELD and down is not None and down.falling:
        return Action.OK
    return action


def reason_to_swallow(dialogue: DialogueState, press: Press) -> Swallowed | None:
    """Return why a press does nothing; None: it counts."""
    action, button = action_of(press), press.button
    down = _down_for(dialogue, press)
    if dialogue.attract is not None or (down is not None and down.woke):
        return Swallowed(_("only woke the board"), quiet=True)
    ask = down.ask if down is not None else press.ask
    if ask is not None and ask != dialogue.timing.asked.token:
        return Swallowed(_("already settled"))
    fresh = down.fresh if down is not None else _just_changed(dialogue, button, press.down_ns)
    if fresh:
        return Swallowed(_("it just changed"))
    if action in (Action.OK, Action.OK_HELD) and _deaf(dialogue, press):
        return Swallowed(_("just confirmed"))
    if action is Action.UNDO and _second_undo(dialogue, press):
        return Swallowed(_("just taken back"))
    return _not_allowed(dialogue, press, action)


def stands_in(dialogue: DialogueState, press: Press) -> bool:
    """Whether a press counts only because nobody who may has answered."""
    seat, action = press.button.place.seat, action_of(press)
    if seat is None or action is not Action.OK_HELD or _may(dialogue, press.button, action):
        return False
    return may_stand_in(dialogue, seat, press.down_ns)


def may_decide(dialogue: DialogueState, press: Press) -> bool:
    """Whether the press comes from somebody whose presses count now."""
    return _may(dialogue, press.button, action_of(press))


def _second_undo(dialogue: DialogueState, press: Press) -> bool:
    """Whether another hand has just taken the same thing back, or nobody could see that yet."""
    last = dialogue.timing.last_undo
    if last is None:
        return False
    if last.button == press.button:
        return press.down_ns < last.shown_ns
    return press.down_ns < last.seen_ns + dialogue.settings.undo_pair_ns


COUNTED_BY_OK = frozenset({MenuKind.COUNTS, MenuKind.OWED})
"""Lists in which each OK adds one, as fast as a finger can press: none of them is an echo."""


def _counts_each(dialogue: DialogueState) -> bool:
    return dialogue.menu is not None and dialogue.menu.kind in COUNTED_BY_OK


def _deaf(dialogue: DialogueState, press: Press) -> bool:
    """Whether an OK comes so soon after an entry that it can only mean that entry."""
    last, asked = dialogue.timing.last_entry, dialogue.timing.asked
    if _asks_whether_touched(dialogue) and asked.by is not None:
        other = asked.by.place is not press.button.place
        return other and press.down_ns < asked.since_ns + dialogue.settings.pass_guard_ns
    if last is None or dialogue.by_itself is not None or _counts_each(dialogue):
        return False
    if last.button == press.button and not _board_begins(dialogue):
        return press.down_ns < last.seen_ns + dialogue.settings.ok_deaf_ns
    if dialogue.menu is None and dialogue.phase in (
        Phase.READY,
        Phase.BOARD_OVER,
        Phase.MATCH_OVER,
    ):
        return press.down_ns < last.seen_ns + dialogue.settings.pass_guard_ns
    return False


def _board_begins(dialogue: DialogueState) -> bool:
    """Return whether nothing was entered on this board yet: nobody can have missed so soon."""
    if dialogue.phase is not Phase.READY or dialogue.menu is not None or dialogue.game is None:
        return False
    lines = dialogue.game.lines
    over = dialogue.game.match.state.result is not None
    return over or not lines or NEXT_BOARD in lines[-1].entries


def _not_allowed(dialogue: DialogueState, press: Press, action: Action) -> Swallowed | None:
    """Return why this place may not say this now; None: it may."""
    button = press.button
    opener = dialogue.menu.opener if dialogue.menu is not None else None
    if opener is not None and opener in whole_places(dialogue.settings.buttons):
        if opener is button.place:
            return None
        return Swallowed(_("{place} has the list open", place=place_word(opener)))
    if _may(dialogue, button, action) or stands_in(dialogue, press):
        return None
    seat = button.place.value
    if action is Action.FIX:
        return Swallowed(_("{seat} objects", seat=seat), objects=True)
    return Swallowed(decided_by(_who_may(dialogue, action), button.place))


def decided_by(places: Iterable[Place], not_by: Place) -> Phrase:
    """Say who decides what a seat has just tried to say: these seats, or the referee if none."""
    seats: list[str | Phrase] = [each.value for each in places if each.seat is not None]
    who = reduce(_either, seats) if seats else _("the referee")
    return _("{who} decides, not {seat}", who=who, seat=not_by.value)


def _either(one: str | Phrase, other: str | Phrase) -> Phrase:
    return _("{one} or {other}", one=one, other=other)


def _who_may(dialogue: DialogueState, action: Action) -> list[Place]:
    """Return the places that may say this now and have the buttons for it."""
    whole = sorted(whole_places(dialogue.settings.buttons), key=list(Place).index)
    return [place for place in whole if _may(dialogue, Button(place, Key.OK), action)]


def _may(dialogue: DialogueState, button: Button, action: Action) -> bool:
    """Whether this place may say this now."""
    seat = button.place.seat
    if dialogue.phase is Phase.SETUP or seat is None:
        return True
    if _offered(dialogue) is not None and action in (Action.OK, Action.OK_HELD, Action.FIX):
        return True
    if _passes_the_turn(dialogue, action) and seat in _turn_neighbours(dialogue):
        return True
    match dialogue.settings.confirm:
        case Confirm.ANYONE:
            return True
        case Confirm.REFEREE:
            return not referee_sits(dialogue.settings.buttons)
        case Confirm.OPPONENT:
            return _opposes(dialogue, seat, action)


def _passes_the_turn(dialogue: DialogueState, action: Action) -> bool:
    """Whether a press only says that a stroke is over and nothing fell."""
    if _asks_whether_touched(dialogue):
        return action in (Action.OK, Action.OK_HELD, Action.FIX)
    idle = dialogue.phase is Phase.READY and dialogue.menu is None
    pending = dialogue.waits_for_gong or dialogue.game is None or bool(dialogue.game.undone)
    pending |= dialogue.by_itself is not None and bool(dialogue.by_itself.falls)
    return idle and action in (Action.OK, Action.OK_HELD) and not pending


def _asks_whether_touched(dialogue: DialogueState) -> bool:
    """Whether the board asks if a miss was a break."""
    asks = dialogue.menu is not None and dialogue.menu.kind is MenuKind.TOUCHED
    return asks and dialogue.proposal is None


def _turn_neighbours(dialogue: DialogueState) -> tuple[Seat, ...]:
    """Return the shooter and the next seat: both may say that the stroke is over."""
    if dialogue.game is None:
        return ()
    position, alone = dialogue.game.match.state.position, dialogue.by_itself
    if alone is not None and alone.stroke is not None:
        return (alone.stroke.seat, position.seat)
    return (position.seat, position.order[position.following])


def _opposes(dialogue: DialogueState, seat: Seat, action: Action) -> bool:
    """Whether a seat plays against the one whose stroke is decided on.

    Partners are one side, and so is a player alone against two. Where no stroke is decided on (a
    pause, a result) every seat that plays counts. Where no opponent has the buttons to decide,
    anybody may.
    """
    game = dialogue.game
    if game is None:
        return False
    sides = game.match.state.position.seat_sides
    if dialogue.phase in (Phase.PAUSED, Phase.BOARD_OVER, Phase.MATCH_OVER):
        return seat in sides
    shooter = game.match.state.position.seat
    back = dialogue.phase is Phase.PLACING or (
        dialogue.phase is Phase.READY and (action is Action.UNDO or dialogue.by_itself is not None)
    )
    last = game.lines[-1].stroke if game.lines else None
    if dialogue.proposal is not None:
        shooter = dialogue.proposal.shooter
    elif back and last is not None:
        shooter = last.seat
    opponents = [each for each in sides if sides[each] is not sides.get(shooter)]
    whole = whole_places(dialogue.settings.buttons)
    return seat in opponents or not any(Place(each.value) in whole for each in opponents)


def asked_next(
    before: DialogueState,
    after: DialogueState,
    now_ns: int,
    by: Button | None,
    lines: Callable[[DialogueState], tuple[str, ...]],
) -> Asked:
    """Return the question after a step: a new token only when what a button means changed.

    ``lines`` returns the lines of the list that is open.
    """
    if only_time_passed(before, after):
        return after.timing.asked
    if meaning(before) == meaning(after) and (
        after.attract is not None or lines(before) == lines(after)
    ):
        return after.timing.asked
    return Asked(after.timing.asked.token + 1, now_ns, by)


def meaning(dialogue: DialogueState) -> tuple[object, ...]:
    """Return what the buttons mean now, as a value to compare.

    *falling* and *review* mean the same for the same pieces: an OK enters the stroke that is shown.
    """
    if dialogue.attract is not None:
        return ("asleep",)
    if dialogue.menu is None:
        return _meaning_beneath(dialogue)
    menu = dialogue.menu
    numbers = tuple(fall.number for fall in menu.falls)
    about = (
        menu.opener,
        numbers,
        menu.pocket,
        menu.about,
        pockets_listed(dialogue),
        dialogue.preferences,
    )
    return ("list", menu.kind, menu.chosen, about, dialogue.gathered, _meaning_beneath(dialogue))


def _meaning_beneath(dialogue: DialogueState) -> tuple[object, ...]:
    """Return what the buttons mean where no list is open over the phase."""
    if not isinstance(dialogue, InMatch):
        settled = (dialogue.plan, dialogue.previous is None, dialogue.free)
        return (dialogue.phase, _offered(dialogue), *settled)
    game, state = dialogue.game, dialogue.game.match.state
    counts = state.position.counts
    stands = (len(game.lines), len(game.undone), state.next, state.time_up, counts)
    shown = dialogue.proposal
    if shown is not None:
        numbers = tuple(fall.number for fall in shown.falls)
        replaces = shown.joining is not None
        implied = bool(dialogue.place)
        content = (
            implied,
            stroke_of(game, shown),
            shown.is_stroke,
            replaces,
            shown.missed,
            numbers,
        )
        held = asked_of(dialogue, shown) or ends_board(
            dialogue, shown
        )  # a question comes before a hold
        back = (shown.reopened is None, dialogue.history is None)
        return ("proposal", content, back, held, *stands)
    idle = dialogue.phase is Phase.READY and dialogue.menu is None
    gong = dialogue.waits_for_gong and not game.undone
    falling = idle and bool(dialogue.broken) and not gong
    offered = dialogue.assumed[-1:] if dialogue.phase is Phase.READY else ()
    hand = tuple(fall.number for group in offered for fall in group.falls)
    asks = (break_is_asked(dialogue), question_of_placing(dialogue), asks_in_time(dialogue),
            may_be_demanded(dialogue)) if dialogue.menu is None else ()  # fmt: skip
    alone = dialogue.by_itself is not None and dialogue.menu is None
    idle_as = (dialogue.glance, dialogue.moved_to, falling, idle and gong, hand, alone)
    return (dialogue.phase, _offered(dialogue), *idle_as, *asks, *stands)


def _offered(dialogue: DialogueState) -> MatchOrder | None:
    """Return the order that the buttons answer; none while they work a list."""
    return dialogue.offered if dialogue.menu is None else None
