"""Turn edges into what they mean: pulses of beams, presses of buttons, and faults of both.

One frozen :class:`Signals` holds the state of every wire of a board; :meth:`Signals.step` takes an
edge, a page's button or a tick and returns the next state with what was sensed. No clock is read
here: what is due by time alone (a hold, a blocked beam) happens at a :class:`Tick`, and
:meth:`Signals.next_wake_ns` says when the next one is wanted.

Wires are independent, except for the two buttons of a chord, so a wire that storms never disturbs
the rest. Every event carries the instant it happened, not the instant it became certain: however
late a tick comes, the same events result, with the same times.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from msgspec import Struct

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
    wire_name,
)
from jackspot.sensing.limits import Limits
from jackspot.sensing.pages import PageButtonState

Source = Pocket | Button
"""What a wire belongs to."""

Step = tuple["Signals", tuple[SignalEvent, ...]]
"""The next state, and what was sensed on the way to it."""

Unit = Beam | ButtonGroup | PageButtonState
"""What moves on in time on its own: a beam, the buttons that can make a chord, a page's button."""


class Signals(Struct, frozen=True):
    """The state of all wires of a board. Begin with :meth:`at_start`."""

    limits: Limits
    units: tuple[Unit, ...]
    due_ns: tuple[int | None, ...]
    """When something is due at each of them; None while nothing is."""
    unit_of: Mapping[Source, int]

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

        The meaning of a place's buttons depends on which of them exist (see the table in
        :mod:`jackspot.sensing.buttons`). Page buttons always exist. An active edge stamped no later
        than ``at_ns`` counts as a level found at the start, like those in ``active``. ``hold_offs``
        gives for a wire how long, in nanoseconds, it must be inactive to count as released; by
        default zero for a beam and ``debounce_ns`` for a button.
        """
        sources = dict.fromkeys(wires)
        buttons = (source for source in sources if isinstance(source, Button))

        def hold_off(button: Button) -> int:
            return hold_offs.get(button, limits.debounce_ns)

        groups = groups_of(buttons, at_ns, hold_off)
        beams = [
            Beam.at_start(source, at_ns, hold_offs.get(source, 0))
            for source in sources
            if isinstance(source, Pocket)
        ]
        pages = (PageButtonState(Button(Place.PAGE, key)) for key in Key)
        units: tuple[Unit, ...] = (*beams, *groups, *pages)
        due_ns = tuple(unit.wake_ns(limits) for unit in units)
        unit_of = {source: i for i, unit in enumerate(units) for source in _sources(unit)}
        signals = cls(limits, units, due_ns, MappingProxyType(unit_of))
        for source in active:
            signals, _ = signals.step(Edge(at_ns, source, active=True))
        return signals

    def step(self, event: Edge | ButtonDown | ButtonUp | Tick) -> Step:
        """Take one event. Downs and ups are those of pages; an unknown wire is ignored.

        An edge moves only its own wire on in time and a tick moves all of them, so edges may come
        late. Raises ValueError for a ready-made down or up of a button that has a wire.
        """
        if isinstance(event, Tick):
            return self._tick(event.at_ns)
        source = event.source if isinstance(event, Edge) else event.button
        index = self.unit_of.get(source)
        unit = None if index is None else self.units[index]
        moved: Unit
        match unit, event:
            case (Beam() | ButtonGroup(), Edge()):
                moved, events = unit.take(event, self.limits)
            case (PageButtonState(), ButtonDown()):
                moved, events = unit.down(event, self.limits)
            case (PageButtonState(), ButtonUp()):
                moved, events = unit.up(event, self.limits)
            case (_, Edge()):
                return self, ()
            case _:
                raise ValueError(
                    f"expected a button of a page, found {wire_name(source)}: "
                    "a button with a wire sends edges"
                )
        assert index is not None
        units, due_ns = [*self.units], [*self.due_ns]
        units[index], due_ns[index] = moved, moved.wake_ns(self.limits)
        return self._with(units, due_ns), tuple(events)

    @property
    def broken(self) -> frozenset[Pocket]:
        """The pockets whose beams are broken, and not for so long that they are blocked."""
        beams = [unit for unit in self.units if isinstance(unit, Beam) and unit.dark is not None]
        return frozenset([each.pocket for each in beams if each.dark and not each.dark.blocked])

    def next_wake_ns(self) -> int | None:
        """Return when the next tick is wanted; None while all is quiet.

        After a tick this is in the future. After an edge that came late it may not be.
        """
        return earliest(self.due_ns)

    def _tick(self, at_ns: int) -> Step:
        wake_ns = self.next_wake_ns()
        if wake_ns is None or wake_ns > at_ns:
            return self, ()
        events: list[SignalEvent] = []
        units, due_ns = [*self.units], [*self.due_ns]
        for i, due in enumerate(self.due_ns):
            if due is not None and due <= at_ns:
                units[i], told = units[i].until(at_ns, self.limits)
                due_ns[i] = units[i].wake_ns(self.limits)
                events += told
        return self._with(units, due_ns), tuple(sorted(events, key=instant_ns))

    def _with(self, units: Iterable[Unit], due_ns: Iterable[int | None]) -> Signals:
        return Signals(self.limits, tuple(units), tuple(due_ns), self.unit_of)


def _sources(unit: Unit) -> tuple[Source, ...]:
    """Return the wires, or the button of pages, that move a unit."""
    if isinstance(unit, Beam):
        return (unit.pocket,)
    if isinstance(unit, ButtonGroup):
        return tuple(contact.button for contact in unit.contacts)
    return (unit.button,)


def instant_ns(event: SignalEvent) -> int:
    """Return when something sensed was complete: for a pulse, when it ended."""
    return event.end_ns if isinstance(event, Pulse) else event.at_ns
