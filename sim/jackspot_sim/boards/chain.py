"""The board without wires, displays and disk: edges in, views out, on virtual time.

The whole pure chain as the board's loop drives it: edges become signals, pulses become falls,
all of it goes to the scorekeeper, which is woken whenever it asked to be. Later events can be
scheduled (:meth:`Chain.later`), so that pieces go on falling while somebody presses. Nothing here
sleeps; a whole match takes a fraction of a second.
"""

from __future__ import annotations

import heapq
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from typing import Self

from jackspot.core.pieces import Pocket, Seat
from jackspot.dialogue.phases.deadlines import next_wake_ns
from jackspot.dialogue.phases.scorekeeper import DialogueEvent, step
from jackspot.dialogue.restart.restoring import KeptEntry, restore
from jackspot.dialogue.show.showing import show
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.entries import JournalEntry
from jackspot.dialogue.state.plans import Plan
from jackspot.dialogue.state.view import BoardView, Phase, Sound
from jackspot.sensing.by_heads import ByHeads
from jackspot.sensing.colours import Colours
from jackspot.sensing.events import (
    Button,
    ButtonDown,
    ButtonUp,
    ColourSeen,
    Edge,
    Gesture,
    HubEvent,
    Key,
    Place,
    Press,
    Pulse,
    Tick,
)
from jackspot.sensing.falls import Falls
from jackspot.sensing.limits import MS, SECOND, Limits
from jackspot.sensing.shaking import Shaking
from jackspot.sensing.signals import Signals, Source

LIMITS = Limits()
SEAT_KEYS = (Key.OK, Key.FIX)
BOX_KEYS = tuple(Key)
TAP_MS = 60.0
"""How long a short press lasts."""
SETTLED_MS = 12.0
"""How long after its contact opens a button is sure to be up."""
MOST_WAKES = 1_000_000
"""A wait with more wake-ups than this would never end."""

FOR_GOOD_NS = 1 << 60
"""A beam that is broken for this long, some thirty years, is never whole again."""

Watcher = Callable[[DialogueState, DialogueEvent, DialogueState], None]
"""Called for every step with the dialogue before it, the event, and the dialogue after it."""


def wires(seats: Iterable[str] = "NESW", *, box: bool = True, fix: bool = True) -> list[Source]:
    """Return the wires of a board: four beams, seat buttons, the referee's box."""
    keys = SEAT_KEYS if fix else (Key.OK, Key.UNDO)
    listed: list[Source] = list(Pocket)
    listed += [Button(Place(seat), key) for seat in seats for key in keys]
    if box:
        listed += [Button(Place.REFEREE, key) for key in BOX_KEYS]
    return listed


def plan_of(
    lineup: str = "NS",
    options: Mapping[str, object] | None = None,
    handicap: Mapping[str, object] | None = None,
    rules: str = "hikone",
) -> Plan:
    """Return what set-up proposes: who plays by which rules, the first one shoots first."""
    header: dict[str, object] = {"rules": rules}
    if options:
        header["options"] = dict(options)
    if handicap:
        header["handicap"] = dict(handicap)
    order = tuple(Seat(seat) for seat in lineup)
    return Plan(header, order, order[0])


class PulsesInWait(ABC):
    """Beams of a board that will be broken for a while."""

    def __init__(self) -> None:
        self._dark: set[Pocket] = set()

    @abstractmethod
    def later(self, at_ns: int, act: Callable[[], None]) -> Self:
        """Schedule an action for an instant."""

    @abstractmethod
    def _drive(self, source: Source, *, active: bool) -> None:
        """Change a wire, now."""

    def pulse_later(self, pocket: Pocket, start_ns: int, end_ns: int) -> Self:
        """Break a beam from ``start_ns`` to ``end_ns``.

        One that is broken for :data:`FOR_GOOD_NS` stays so, whatever else is scheduled for it.
        """
        if end_ns - start_ns >= FOR_GOOD_NS:
            return self.later(start_ns, lambda: self._darken(pocket))
        self.later(start_ns, lambda: self._light(pocket, active=True))
        return self.later(end_ns, lambda: self._light(pocket, active=False))

    def _darken(self, pocket: Pocket) -> None:
        self._light(pocket, active=True)
        self._dark.add(pocket)

    def _light(self, pocket: Pocket, *, active: bool) -> None:
        if pocket not in self._dark:
            self._drive(pocket, active=active)


class Chain(PulsesInWait):
    """A board on virtual time; see the module."""

    def __init__(
        self,
        listed: Iterable[Source],
        dialogue_settings: DialogueSettings,
        plan: Plan,
        start_ns: int = 1_000 * SECOND,
    ) -> None:
        self.wires = list(listed)
        self.dialogue_settings = dialogue_settings
        self.plan = plan
        self.now_ns = start_ns
        self.watchers: list[Watcher] = []
        self._later: list[tuple[int, int, Callable[[], None]]] = []
        self._order = count()
        super().__init__()
        self._seen: tuple[DialogueState, int, BoardView] | None = None
        self.start(())

    def start(self, entries: Iterable[KeptEntry]) -> None:
        """Start the board with what its journal says."""
        restored = restore(entries, self.dialogue_settings, self.plan, self.now_ns)
        self.troubles = restored.troubles
        self.dialogue = restored.dialogue
        self.falls = Falls.at_start(LIMITS, restored.next_fall)
        self.signals = Signals.at_start(LIMITS, self.wires, self.now_ns)
        self.shaking = Shaking()
        self.colours = Colours()
        self.by_heads = ByHeads()
        self.now_ns += MS  # an edge at the very start would be a level found at the start

    # what goes in

    def wait(self, seconds: float) -> Self:
        """Let time pass, with every wake-up that was asked for."""
        return self.wait_until(self.now_ns + round(seconds * SECOND))

    def wait_until(self, until_ns: int) -> Self:
        """Let time pass up to an instant, with everything that is scheduled."""
        for _ in range(MOST_WAKES):
            wake_ns = self._wake_ns()
            at_ns = self._later[0][0] if self._later else until_ns + 1
            if min(wake_ns, at_ns) > until_ns:
                self.now_ns = max(self.now_ns, until_ns)
                return self
            self.now_ns = max(self.now_ns, min(wake_ns, at_ns))
            if at_ns <= wake_ns:
                heapq.heappop(self._later)[2]()
            else:
                self._take(Tick(self.now_ns))
                after_ns = next_wake_ns(self.dialogue)
                if after_ns is not None and after_ns <= self.now_ns:
                    raise AssertionError("a wake-up must settle what was due")
        raise AssertionError(f"the wake-ups do not end in {self.dialogue.phase}")

    def _wake_ns(self) -> int:
        times = (
            next_wake_ns(self.dialogue), self.signals.next_wake_ns(), self.shaking.next_wake_ns(),
            self.colours.next_wake_ns(), self.by_heads.next_wake_ns(self.signals.broken),
        )  # fmt: skip
        return min((each for each in times if each is not None), default=1 << 80)

    def later(self, at_ns: int, act: Callable[[], None]) -> Self:
        """Schedule an action for an instant; one that has passed is due when time next passes."""
        heapq.heappush(self._later, (at_ns, next(self._order), act))
        return self

    def _drive(self, source: Source, *, active: bool) -> None:
        self._take(Edge(self.now_ns, source, active=active))

    @property
    def idle(self) -> bool:
        """Whether nothing more is scheduled."""
        return not self._later

    def _take(self, event: Edge | ButtonDown | ButtonUp | Tick) -> None:
        self.signals, signals = self.signals.step(event)
        for signal in signals:
            if isinstance(signal, Pulse):
                self.falls, fall = self.falls.step(signal)
                self.shaking, fall = self.shaking.told_of(fall)
                self.colours, fall = self.colours.told_of(fall)
                self.by_heads = self.by_heads.told_of(fall)
                self.give(fall)
            else:
                self.give(signal)
        if isinstance(event, Tick):
            self.shaking, shaken = self.shaking.rest(event.at_ns)
            self.colours, grown = self.colours.rest(event.at_ns)
            made: tuple[DialogueEvent, ...] = (*shaken, *grown)
            for each in made:
                self.give(each)
            self.by_heads, passed = self.by_heads.rest(event.at_ns, self.signals.broken)
            for frames in passed:
                self.falls, fall = self.falls.seen_by_head(frames)
                self.shaking, fall = self.shaking.told_of(fall)
                self.give(fall)
            self.give(event)

    def hear(self, event: HubEvent) -> Self:
        """Take what a sensor hub reports."""
        if isinstance(event, ColourSeen):
            self.colours = self.colours.step(event)
            self.by_heads = self.by_heads.step(event)
            return self
        self.shaking, shaken = self.shaking.step(event)
        for each in shaken:
            self.give(each)
        return self

    def give(self, event: DialogueEvent) -> Self:
        """Hand the scorekeeper an event as it is."""
        before = self.dialogue
        self.dialogue, effects = step(before, event)
        for entry in effects.records:
            self.noted(entry)
        for sound in effects.sounds:
            self.heard(sound)
        for watch in self.watchers:
            watch(before, event, self.dialogue)
        return self

    def noted(self, entry: JournalEntry) -> None:
        """Take what the board writes down; it is not kept here."""

    def heard(self, sound: Sound) -> None:
        """Take a sound that the board makes; nobody listens here."""

    def edge(self, source: Source, active: bool) -> Self:
        """Change a wire, now; a page's button sends clean downs and ups."""
        if isinstance(source, Button) and source.place is Place.PAGE:
            ask = self.view.ask if active else None
            event = (ButtonDown if active else ButtonUp)(self.now_ns, source, ask)
            self._take(event)
        else:
            self._take(Edge(self.now_ns, source, active))
        return self

    def down(self, place: str, key: str) -> Self:
        """Put a finger on a button."""
        return self.edge(Button(Place(place), Key(key)), True)

    def up(self, place: str, key: str) -> Self:
        """Take the finger away, and let the contact settle."""
        return self.edge(Button(Place(place), Key(key)), False).wait(SETTLED_MS / 1000)

    def press(self, place: str, key: str) -> Self:
        """Press a button and let it go."""
        return self.down(place, key).wait(TAP_MS / 1000).up(place, key)

    def hold(self, place: str, key: str, seconds: float = 1.1) -> Self:
        """Hold a button until its hold has fired, and let it go."""
        return self.down(place, key).wait(seconds).up(place, key)

    def chord(self, place: str) -> Self:
        """Press OK and FIX of a seat together: UNDO."""
        self.down(place, "ok").wait(0.02).down(place, "fix").wait(TAP_MS / 1000)
        return self.up(place, "ok").up(place, "fix")

    def undo(self, place: str) -> Self:
        """Press UNDO: its button where the place has one, else OK and FIX together."""
        if Button(Place(place), Key.UNDO) in self.wires or place == "page":
            return self.press(place, "undo")
        return self.chord(place)

    def short(self, key: str, ask: int | None = None) -> Self:
        """Let a page send a whole press at once, in answer to what it showed."""
        button = Button(Place.PAGE, Key(key))
        asked = self.view.ask if ask is None else ask
        return self.give(Press(self.now_ns, self.now_ns, button, Gesture.SHORT, asked))

    def fall(self, pocket: str, ms: float = 9.0) -> Self:
        """Break a pocket's beam for ``ms`` milliseconds."""
        return self.edge(Pocket(pocket), True).wait(ms / 1000).edge(Pocket(pocket), False)

    # what is there

    @property
    def view(self) -> BoardView:
        """What everybody sees now."""
        seen = self._seen
        if seen is None or seen[0] is not self.dialogue or seen[1] != self.now_ns:
            seen = (self.dialogue, self.now_ns, show(self.dialogue, self.now_ns))
            self._seen = seen
        return seen[2]

    @property
    def phase(self) -> Phase:
        """The phase that the dialogue is in."""
        return self.dialogue.phase
