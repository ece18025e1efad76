"""Turn clean downs and ups of buttons into presses, holds and chords.

Theory of operation. A *group* is one button, or the two of a place that can be held together. A
button that goes down becomes a *finger*. A finger that comes up before ``hold_ns`` gives a short
press. One that is still down then gives one held press and is *spent*: its release gives nothing
more. A finger that goes down while the other of its group is down, and not spent, makes a *chord*
with it. Both are then spent and the chord fires in their place: held when both have been down
together for ``hold_ns``, short when both are up again before that. Fingers that roll on the two
buttons before both are up belong to the same chord.

So each time a button goes down it makes at most one press. A press's ``down_ns`` is the ``at_ns``
of a :class:`ButtonDown` reported before it at the same place: of the button itself, or, for a
chord, of the second button. A short press is reported just before the :class:`ButtonUp` that
completed it.

What a press *means* follows from the keys of the place:

========================= =================== ====================================
keys of the place         one button          both together
========================= =================== ====================================
OK and FIX, no UNDO       itself              UNDO, short or held
OK and UNDO, no FIX       UNDO let go: FIX;   held: FIX held (the menu);
                          UNDO held: UNDO     let go before: nothing
any other                 itself              no chord: each acts for itself
========================= =================== ====================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeVar

from msgspec import Struct

from jackspot.sensing.contacts import ButtonMove, Contact, ContactMove, Told
from jackspot.sensing.events import (
    Button,
    ButtonDown,
    ButtonUp,
    Edge,
    Gesture,
    Key,
    Place,
    Press,
    SignalEvent,
)
from jackspot.sensing.limits import Limits
from jackspot.values import changed

Item = TypeVar("Item")

Meaning = tuple[Key, Gesture] | None
"""What a gesture counts as; None where it counts as nothing."""

Meanings = Mapping[tuple[Key | None, Gesture], Meaning]
"""What gestures on a place's buttons count as, by key; None is both keys together.

A gesture on one key that is not listed counts as itself.
"""

CHORD_IS_UNDO: Meanings = MappingProxyType(
    {
        (None, Gesture.SHORT): (Key.UNDO, Gesture.SHORT),
        (None, Gesture.HOLD): (Key.UNDO, Gesture.HOLD),
    }
)
"""OK and FIX without UNDO."""

UNDO_IS_FIX: Meanings = MappingProxyType(
    {
        (Key.UNDO, Gesture.SHORT): (Key.FIX, Gesture.SHORT),
        (Key.UNDO, Gesture.HOLD): (Key.UNDO, Gesture.SHORT),
        (None, Gesture.SHORT): None,
        (None, Gesture.HOLD): (Key.FIX, Gesture.HOLD),
    }
)
"""OK and UNDO without FIX."""

ITSELF: Meanings = MappingProxyType({})
"""Any other place."""


class Finger(Struct, frozen=True):
    """A button down since ``down_ns``; ``spent`` once it can no longer make a press."""

    down_ns: int
    spent: bool = False


class Chord(Struct, frozen=True):
    """Two buttons went down together, the second at ``down_ns``."""

    down_ns: int
    over: bool = False
    """One finger has left, so the chord can no longer be held."""
    fired: bool = False

    @property
    def may_be_held(self) -> bool:
        """Return whether it still waits for its hold."""
        return not self.over and not self.fired


class ButtonGroup(Struct, frozen=True):
    """The state of one button, or of the two of a place that can make a chord."""

    contacts: tuple[Contact, ...]
    meanings: Meanings
    fingers: tuple[Finger | None, ...]
    chord: Chord | None = None

    @classmethod
    def at_start(
        cls,
        buttons: tuple[Button, ...],
        meanings: Meanings,
        at_ns: int,
        hold_off: Callable[[Button], int],
    ) -> ButtonGroup:
        """Return buttons that are up; ``hold_off`` gives the nanoseconds of each.

        The longest applies to all of them, so that their events come in order.
        """
        hold_off_ns = max(hold_off(button) for button in buttons)
        contacts = tuple(Contact.at_start(button, at_ns, hold_off_ns) for button in buttons)
        return cls(contacts, meanings, (None,) * len(buttons))

    def take(self, edge: Edge, limits: Limits) -> tuple[ButtonGroup, list[SignalEvent]]:
        """Take one edge of a button of this group."""
        group, events = self.until(edge.at_ns, limits)
        index = next(i for i, c in enumerate(group.contacts) if c.button == edge.source)
        contact, told = group.contacts[index].hear(edge.at_ns, edge.active, limits)
        return _told(group, index, contact, told, events), events

    def until(self, at_ns: int, limits: Limits) -> tuple[ButtonGroup, list[SignalEvent]]:
        """Let everything happen that is due at ``at_ns``, in the order it happened."""
        group, events = self, list[SignalEvent]()
        while True:
            gesture_ns = group.gesture_wake_ns(limits)
            contact_ns, index = group.contact_wake_ns(limits)
            if gesture_ns is not None and (contact_ns is None or gesture_ns <= contact_ns):
                if gesture_ns > at_ns:
                    return group, events
                group = _gesture_due(group, gesture_ns - group.hold_off_ns, limits, events)
            elif contact_ns is not None and contact_ns <= at_ns:
                contact, told = group.contacts[index].fall_due(limits)
                group = _told(group, index, contact, told, events)
            else:
                return group, events

    def wake_ns(self, limits: Limits) -> int | None:
        """Return when something is due; None while nothing is."""
        contact_ns = self.contact_wake_ns(limits)[0]
        if self.chord is None and not any(self.fingers):  # as nearly always
            return contact_ns
        return earliest((self.gesture_wake_ns(limits), contact_ns))

    def contact_wake_ns(self, limits: Limits) -> tuple[int | None, int]:
        """Return when the next contact has something to report, and its index."""
        due_ns, index = None, 0
        for i, contact in enumerate(self.contacts):
            wake_ns = contact.wake_ns(limits)
            if wake_ns is not None and (due_ns is None or wake_ns < due_ns):
                due_ns, index = wake_ns, i
        return due_ns, index

    def gesture_wake_ns(self, limits: Limits) -> int | None:
        """Return when a gesture is due: a hold-off late, as contacts report an up."""
        due = [
            finger.down_ns + (limits.stuck_ns if finger.spent else limits.hold_ns)
            for finger in self.fingers
            if finger
        ]
        if self.chord and self.chord.may_be_held:
            due.append(self.chord.down_ns + limits.hold_ns)
        return min(due) + self.hold_off_ns if due else None

    @property
    def hold_off_ns(self) -> int:
        """The hold-off of its buttons, which is the same for all of them."""
        return self.contacts[0].hold_off_ns


def _gesture_due(
    group: ButtonGroup, at_ns: int, limits: Limits, events: list[SignalEvent]
) -> ButtonGroup:
    """Fire what is due at ``at_ns``: a hold, a held chord, or a stuck button."""
    chord = group.chord
    if chord and chord.may_be_held and chord.down_ns + limits.hold_ns == at_ns:
        events += _press(group, 0, None, Gesture.HOLD, chord.down_ns, at_ns)
        return changed(group, chord=changed(chord, fired=True))
    for i, finger in enumerate(group.fingers):
        if finger and not finger.spent and finger.down_ns + limits.hold_ns == at_ns:
            key = group.contacts[i].button.key
            events += _press(group, i, key, Gesture.HOLD, finger.down_ns, at_ns)
            return _with_finger(group, i, changed(finger, spent=True))
        if finger and finger.spent and finger.down_ns + limits.stuck_ns == at_ns:
            contact, told = group.contacts[i].ignored(at_ns)
            return _told(group, i, contact, [ButtonMove(at_ns, ContactMove.LOST), *told], events)
    raise AssertionError(f"nothing is due at {at_ns}")


def _told(
    group: ButtonGroup, index: int, contact: Contact, told: list[Told], events: list[SignalEvent]
) -> ButtonGroup:
    """Take in what a contact reported."""
    group = changed(group, contacts=_with(group.contacts, index, contact))
    for what in told:
        if not isinstance(what, ButtonMove):
            events.append(what)
        elif what.move is ContactMove.DOWN:
            events.append(ButtonDown(what.at_ns, contact.button))
            group = _down(group, index, what.at_ns)
        else:
            group = _up(group, index, what, events)
            events.append(ButtonUp(what.at_ns, contact.button))
    return group


def _down(group: ButtonGroup, index: int, at_ns: int) -> ButtonGroup:
    """Put a finger down; it makes or joins a chord where it can."""
    if group.chord:
        return _with_finger(group, index, Finger(at_ns, spent=True))
    if not any(finger and not finger.spent for finger in group.fingers):
        return _with_finger(group, index, Finger(at_ns))
    spent = tuple(finger and changed(finger, spent=True) for finger in group.fingers)
    group = changed(group, fingers=spent, chord=Chord(at_ns))
    return _with_finger(group, index, Finger(at_ns, spent=True))


def _up(
    group: ButtonGroup, index: int, moved: ButtonMove, events: list[SignalEvent]
) -> ButtonGroup:
    """Take a finger away; fire its short press, or the chord's when it was the last one."""
    finger, chord = group.fingers[index], group.chord
    assert finger is not None
    lost = moved.move is ContactMove.LOST
    group = _with_finger(group, index, None)
    if not finger.spent and not lost:
        key = group.contacts[index].button.key
        events += _press(group, index, key, Gesture.SHORT, finger.down_ns, moved.at_ns)
    if chord is None:
        return group
    chord = changed(chord, over=True, fired=chord.fired or lost)
    if any(group.fingers):
        return changed(group, chord=chord)
    if not chord.fired:
        at_ns = max(chord.down_ns, moved.at_ns)  # edges may be told in another order than they came
        events += _press(group, index, None, Gesture.SHORT, chord.down_ns, at_ns)
    return changed(group, chord=None)


def _press(
    group: ButtonGroup, index: int, key: Key | None, gesture: Gesture, down_ns: int, at_ns: int
) -> list[Press]:
    """Return the press that a gesture (``key`` None: a chord) counts as; none for nothing."""
    itself = (key, gesture) if key else None
    meaning = group.meanings.get((key, gesture), itself)
    place = group.contacts[index].button.place
    return [Press(at_ns, down_ns, Button(place, meaning[0]), meaning[1])] if meaning else []


def _with_finger(group: ButtonGroup, index: int, finger: Finger | None) -> ButtonGroup:
    return changed(group, fingers=_with(group.fingers, index, finger))


def groups_of(
    buttons: Iterable[Button], at_ns: int, hold_off: Callable[[Button], int]
) -> list[ButtonGroup]:
    """Sort a board's buttons into groups, according to the keys of each place."""
    groups: list[ButtonGroup] = []
    by_place: dict[Place, set[Key]] = {}
    for button in buttons:
        by_place.setdefault(button.place, set()).add(button.key)
    for place, keys in sorted(by_place.items()):
        pair, meanings = _pair_of(keys)
        if pair:
            chord = tuple(Button(place, key) for key in pair)
            groups.append(ButtonGroup.at_start(chord, meanings, at_ns, hold_off))
        groups += [
            ButtonGroup.at_start((Button(place, key),), ITSELF, at_ns, hold_off)
            for key in Key
            if key in keys and key not in pair
        ]
    return groups


def _pair_of(keys: set[Key]) -> tuple[tuple[Key, ...], Meanings]:
    if {Key.OK, Key.FIX} <= keys and Key.UNDO not in keys:
        return (Key.OK, Key.FIX), CHORD_IS_UNDO
    if {Key.OK, Key.UNDO} <= keys and Key.FIX not in keys:
        return (Key.OK, Key.UNDO), UNDO_IS_FIX
    return (), ITSELF


def earliest(times_ns: Iterable[int | None]) -> int | None:
    """Return the earliest of some instants, None when there is none."""
    first_ns = None
    for at_ns in times_ns:
        if at_ns is not None and (first_ns is None or at_ns < first_ns):
            first_ns = at_ns
    return first_ns


def _with(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    return (*items[:index], item, *items[index + 1 :])
