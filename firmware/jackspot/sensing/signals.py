"""Edges to what they mean: pulses of beams, presses of buttons, and faults of both.

One frozen :class:`Signals` holds the state of every wire of a board; :meth:`Signals.step`
takes an edge, a page's button or a tick and gives the next state with what was sensed. No
clock is read here: what is due by time alone (a hold, a blocked beam) happens at a
:class:`Tick`, and :meth:`Signals.next_wake_ns` says when the next one is wanted.

Wires know nothing of each other but for the two buttons of a chord, so a wire that storms
never disturbs the rest. Every event carries the instant it happened, not the instant it became
certain: however late a tick comes, the same events come with the same times.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from jackspot.core.pieces import Pocket
from jackspot.sensing.beams import Beam
from jackspot.sensing.buttons import ButtonGroup, earliest, groups_of
from jackspot.sensing.events import (
    Button,
    ButtonDown,
    ButtonUp,
    Edge,
    Key,
    Place,
    Pulse,
    SignalEvent,
    Tick,
)
from jackspot.sensing.limits import Limits
from jackspot.sensing.pages import PageButtonState

Source = Pocket | Button
"""What a wire belongs to."""

Step = tuple["Signals", tuple[SignalEvent, ...]]
"""The next state, and what was sensed on the way to it."""


@dataclass(frozen=True, slots=True)
class Signals:
    """The state of all wires of a board. Begin with :meth:`at_start`."""

    limits: Limits
    beams: tuple[Beam, ...]
    groups: tuple[ButtonGroup, ...]
    pages: tuple[PageButtonState, ...]
    group_of: Mapping[Button, int]

    @classmethod
    def at_start(
        cls,
        limits: Limits,
        wires: Iterable[Source],
        at_ns: int,
        active: Collection[Source] = (),
        hold_offs: Mapping[Source, int] = MappingProxyType({}),
    ) -> Signals:
        """Return the state at the start: which wires exist, and which are active already.

        What the buttons of a place mean follows from which of them exist (the table in
        :mod:`jackspot.sensing.buttons`). Page buttons always exist. An active edge stamped no
        later than ``at_ns`` counts as a level found at the start, like those in ``active``.
        ``hold_offs`` says of a wire for how long, in nanoseconds, it must be let go to count as
        let go: a beam not at all and a button ``debounce_ns`` where nothing is said.
        """
        sources = dict.fromkeys(wires)
        buttons = (source for source in sources if isinstance(source, Button))

        def hold_off(button: Button) -> int:
            return hold_offs.get(button, limits.debounce_ns)

        groups = tuple(groups_of(buttons, at_ns, hold_off))
        signals = cls(
            limits,
            tuple(
                Beam.at_start(s, at_ns, hold_offs.get(s, 0))
                for s in sources
                if isinstance(s, Pocket)
            ),
            groups,
            tuple(PageButtonState(Button(Place.PAGE, key)) for key in Key),
            MappingProxyType({c.button: i for i, g in enumerate(groups) for c in g.contacts}),
        )
        for source in active:
            signals, _ = signals.step(Edge(at_ns, source, active=True))
        return signals

    def step(self, event: Edge | ButtonDown | ButtonUp | Tick) -> Step:
        """Take one event. Downs and ups are those of pages; an unknown wire is ignored.

        An edge moves only its own wire on in time, a tick all of them, so edges may come
        late. ValueError for a ready-made down or up of a button that has a wire.
        """
        match event:
            case Tick():
                return self._tick(event.at_ns)
            case Edge(source=Pocket()):
                return self._beam_edge(event)
            case Edge():
                return self._button_edge(event)
            case _:
                return self._page(event)

    def next_wake_ns(self) -> int | None:
        """Tell when a tick is wanted next; None while all is quiet.

        After a tick this lies in the future. After an edge that came late it may not.
        """
        units: tuple[Beam | ButtonGroup | PageButtonState, ...] = (
            *self.beams,
            *self.groups,
            *self.pages,
        )
        return earliest([unit.wake_ns(self.limits) for unit in units])

    def _tick(self, at_ns: int) -> Step:
        events: list[SignalEvent] = []
        beams, groups, pages = list(self.beams), list(self.groups), list(self.pages)
        for i, beam in enumerate(beams):
            beams[i], due = beam.until(at_ns, self.limits)
            events += due
        for i, group in enumerate(groups):
            groups[i], due = group.until(at_ns, self.limits)
            events += due
        for i, page in enumerate(pages):
            pages[i], due = page.until(at_ns, self.limits)
            events += due
        after = replace(self, beams=tuple(beams), groups=tuple(groups), pages=tuple(pages))
        return after, tuple(sorted(events, key=instant_ns))

    def _beam_edge(self, edge: Edge) -> Step:
        for i, beam in enumerate(self.beams):
            if beam.pocket is edge.source:
                moved, events = beam.take(edge, self.limits)
                beams = (*self.beams[:i], moved, *self.beams[i + 1 :])
                return replace(self, beams=beams), tuple(events)
        return self, ()

    def _button_edge(self, edge: Edge) -> Step:
        assert isinstance(edge.source, Button)
        index = self.group_of.get(edge.source)
        if index is None:
            return self, ()
        group, events = self.groups[index].take(edge, self.limits)
        groups = (*self.groups[:index], group, *self.groups[index + 1 :])
        return replace(self, groups=groups), tuple(events)

    def _page(self, event: ButtonDown | ButtonUp) -> Step:
        for i, page in enumerate(self.pages):
            if page.button == event.button:
                if isinstance(event, ButtonDown):
                    moved, events = page.down(event, self.limits)
                else:
                    moved, events = page.up(event, self.limits)
                pages = (*self.pages[:i], moved, *self.pages[i + 1 :])
                return replace(self, pages=pages), tuple(events)
        raise ValueError(
            f"expected a button of a page, found {event.button.wire}: "
            "a button with a wire sends edges"
        )


def instant_ns(event: SignalEvent) -> int:
    """Tell when something sensed was complete: a pulse when it ended."""
    return event.end_ns if isinstance(event, Pulse) else event.at_ns
