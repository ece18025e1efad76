"""Buttons on a page: several people may press the same one at once.

A page sends clean downs and ups, so nothing is debounced here; holds work as they do on a wire.
Each finger carries the ask its page showed when it went down; the press carries it on. A page that
vanishes with a finger down (a closed tab, a lost network) is forgotten after ``stuck_ns``: nobody
can mend it, so it is no fault.
"""

from __future__ import annotations

from msgspec import Struct

from jackspot.sensing.events import Button, ButtonDown, ButtonUp, Gesture, Press, SignalEvent
from jackspot.sensing.limits import Limits
from jackspot.values import changed

MOST_FINGERS = 16
"""How many fingers one page button tells apart; one more drops the oldest."""


class PageFinger(Struct, frozen=True):
    """Somebody's finger on a page's button."""

    down_ns: int
    ask: int | None
    held: bool = False


class PageButtonState(Struct, frozen=True):
    """The state of one button of all pages together; fingers in the order they came."""

    button: Button
    fingers: tuple[PageFinger, ...] = ()

    def down(self, event: ButtonDown, limits: Limits) -> tuple[PageButtonState, list[SignalEvent]]:
        """Take a finger that goes down."""
        page, events = self.until(event.at_ns, limits)
        if len(page.fingers) == MOST_FINGERS:
            events.append(ButtonUp(event.at_ns, self.button, page.fingers[0].ask))
            page = changed(page, fingers=page.fingers[1:])
        events.append(event)
        finger = PageFinger(event.at_ns, event.ask)
        return changed(page, fingers=(*page.fingers, finger)), events

    def up(self, event: ButtonUp, limits: Limits) -> tuple[PageButtonState, list[SignalEvent]]:
        """Take a finger that comes up: the oldest of its ask, or else the oldest of all.

        An up without a finger (its down was forgotten) is ignored.
        """
        page, events = self.until(event.at_ns, limits)
        if not page.fingers:
            return page, events
        same = [i for i, finger in enumerate(page.fingers) if finger.ask == event.ask]
        index = same[0] if same else 0
        finger = page.fingers[index]
        at_ns = max(event.at_ns, finger.down_ns)
        if not finger.held:
            events.append(Press(at_ns, finger.down_ns, self.button, Gesture.SHORT, finger.ask))
        events.append(ButtonUp(at_ns, self.button, finger.ask))
        return changed(page, fingers=page.fingers[:index] + page.fingers[index + 1 :]), events

    def until(self, at_ns: int, limits: Limits) -> tuple[PageButtonState, list[SignalEvent]]:
        """Let everything happen that is due at ``at_ns``."""
        if not self.fingers:
            return self, []
        events: list[SignalEvent] = []
        fingers: list[PageFinger] = []
        for finger in self.fingers:
            hold_ns = finger.down_ns + limits.hold_ns
            if not finger.held and hold_ns <= at_ns:
                press = Press(hold_ns, finger.down_ns, self.button, Gesture.HOLD, finger.ask)
                events.append(press)
            if finger.down_ns + limits.stuck_ns <= at_ns:
                gone_ns = finger.down_ns + limits.stuck_ns
                events.append(ButtonUp(gone_ns, self.button, finger.ask))
            else:
                fingers.append(changed(finger, held=finger.held or hold_ns <= at_ns))
        return changed(self, fingers=tuple(fingers)), events

    def wake_ns(self, limits: Limits) -> int | None:
        """Return when something is due; None while nothing is."""
        if not self.fingers:
            return None
        return min(
            finger.down_ns + (limits.stuck_ns if finger.held else limits.hold_ns)
            for finger in self.fingers
        )
