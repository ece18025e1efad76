"""Turn a contact's edges into clean downs and ups, and find a button that is stuck.

A contact bounces when it closes and when it opens. A button is down from its first edge, so that no
press is lost, and up from the last opening after which it stayed open for its hold-off
(``debounce_ns``, unless its wire has one of its own). Both are reported a hold-off after they
happened, so that the moves of two buttons are reported in the order in which they happened.

    up --edge--> rising --> down --open for 10 ms--> up
                   | under 2 ms in all: noise        | 60 s: told to ignore
                   +--> up                           +--> ignored --open for 10 ms--> up

A button that is found down, at the start or after a storm, is ignored at once and is a fault.
"""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from jackspot.sensing.events import Button, FaultCleared, FaultRaised, Trouble
from jackspot.sensing.limits import Limits
from jackspot.sensing.lines import WireState
from jackspot.values import changed


class ContactStage(StrEnum):
    """The stage that a contact is in."""

    UP = "up"
    RISING = "rising"
    """An edge came; it may still be noise."""
    DOWN = "down"
    FOUND = "found"
    """It was found down; nobody saw it go down."""
    IGNORED = "ignored"
    """Down, and a fault until it comes up."""


class ContactMove(StrEnum):
    """What a contact did."""

    DOWN = "down"
    UP = "up"
    LOST = "lost"
    """It was down, and what it did after that is unknown."""


class ButtonMove(Struct, frozen=True):
    """A clean move of a button, at the instant it really happened."""

    at_ns: int
    move: ContactMove


Told = ButtonMove | FaultRaised | FaultCleared
"""What a contact reports."""


class Contact(Struct, frozen=True):
    """The state of one button's contact. ``down_ns`` is when it last went down.

    ``hold_off_ns`` is how long it must be open to be up.
    """

    button: Button
    line: WireState
    born_ns: int
    hold_off_ns: int
    stage: ContactStage = ContactStage.UP
    down_ns: int = 0

    @classmethod
    def at_start(cls, button: Button, at_ns: int, hold_off_ns: int) -> Contact:
        """Return a button that is up."""
        return cls(button, WireState.at_start(at_ns), at_ns, hold_off_ns)

    def hear(self, at_ns: int, active: bool, limits: Limits) -> tuple[Contact, list[Told]]:
        """Take one edge. Call :meth:`fall_due` for everything due before it first."""
        stormed = self.line.storms
        line, changes = self.line.hear(at_ns, active, limits.button_edges, limits)
        contact = changed(self, line=line)
        if line.storms and not stormed:
            return _storm(contact)
        for change in changes:
            if change.active and contact.stage is ContactStage.UP:
                found = change.at_ns <= self.born_ns
                stage = ContactStage.FOUND if found else ContactStage.RISING
                contact = changed(contact, stage=stage, down_ns=change.at_ns)
        return contact, []

    def wake_ns(self, limits: Limits) -> int | None:
        """Return when something is due; None while nothing is."""
        if self.line.storms:
            return self.line.quiet_ns(limits)
        opens_ns = None if self.line.active else self.line.since_ns + self.hold_off_ns
        settles_ns = self.down_ns + self.hold_off_ns
        match self.stage:
            case ContactStage.UP:
                return None
            case ContactStage.RISING:
                return settles_ns
            case ContactStage.FOUND:
                return settles_ns if opens_ns is None else opens_ns
            case ContactStage.DOWN | ContactStage.IGNORED:
                return opens_ns

    def fall_due(self, limits: Limits) -> tuple[Contact, list[Told]]:
        """Let the one thing happen that :meth:`wake_ns` announced."""
        if self.line.storms:
            return _calmed(self, limits)
        opened_ns = self.line.since_ns
        up = changed(self, stage=ContactStage.UP)
        match self.stage:
            case ContactStage.RISING if (
                self.line.active or opened_ns - self.down_ns >= limits.min_pulse_ns
            ):
                down = changed(self, stage=ContactStage.DOWN)
                return down, [ButtonMove(self.down_ns, ContactMove.DOWN)]
            case ContactStage.DOWN:
                return up, [ButtonMove(opened_ns, ContactMove.UP)]
            case ContactStage.FOUND if self.line.active:
                return self.ignored(self.down_ns + self.hold_off_ns)
            case ContactStage.IGNORED:
                return up, [FaultCleared(opened_ns, self.button.wire, Trouble.STUCK)]
            case _:
                return up, []

    def ignored(self, at_ns: int) -> tuple[Contact, list[Told]]:
        """Return the contact of a button that is stuck: nothing counts until it comes up."""
        stuck = FaultRaised(at_ns, self.button.wire, Trouble.STUCK)
        return changed(self, stage=ContactStage.IGNORED), [stuck]


def _storm(contact: Contact) -> tuple[Contact, list[Told]]:
    at_ns, wire = contact.line.heard_ns, contact.button.wire
    told: list[Told] = []
    if contact.stage is ContactStage.DOWN:
        told.append(ButtonMove(at_ns, ContactMove.LOST))
    if contact.stage is ContactStage.IGNORED:
        told.append(FaultCleared(at_ns, wire, Trouble.STUCK))
    told.append(FaultRaised(at_ns, wire, Trouble.CHATTER))
    return changed(contact, stage=ContactStage.UP), told


def _calmed(contact: Contact, limits: Limits) -> tuple[Contact, list[Told]]:
    calm_ns = contact.line.heard_ns + limits.chatter_quiet_ns
    line = contact.line.calmed(calm_ns)
    stage = ContactStage.FOUND if line.active else ContactStage.UP
    cleared = FaultCleared(calm_ns, contact.button.wire, Trouble.CHATTER)
    return changed(contact, line=line, stage=stage, down_ns=calm_ns), [cleared]
