"""Run a calibration from its wires: pulses, falls, frames, presses and shakes drive the walk.

Signals, falls and shaking process them exactly as in a match, so what is measured is what readings
will get. Pure: one frozen value, and time comes with events.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec import Struct, field

from jackspot.calibration.measuring.flicks import FeltShake
from jackspot.calibration.measuring.walk import (
    Act,
    Acted,
    Felt,
    Walk,
    WalkEvent,
    step as walk_step,
)
from jackspot.core.pieces import Pocket
from jackspot.sensing.colours import Colours
from jackspot.sensing.events import (
    BeamBroken,
    Button,
    ButtonDown,
    ButtonUp,
    ColourSeen,
    DiscsListen,
    Edge,
    Event,
    FaultCleared,
    FaultRaised,
    Gesture,
    Key,
    KnockHeard,
    Press,
    Pulse,
    Shaken,
    SignalEvent,
    Tick,
)
from jackspot.sensing.falls import Falls
from jackspot.sensing.limits import Limits
from jackspot.sensing.shaking import Shaking
from jackspot.sensing.signals import Signals
from jackspot.values import changed

ACTS = {
    (Key.OK, Gesture.SHORT): Act.GO_ON,
    (Key.OK, Gesture.HOLD): Act.STOP,
    (Key.FIX, Gesture.SHORT): Act.KEEP,
    (Key.FIX, Gesture.HOLD): Act.SKIP,
    (Key.UNDO, Gesture.SHORT): Act.UNDO,
    (Key.UNDO, Gesture.HOLD): Act.UNDO,
}
"""What each button does; FOUL and OFF do nothing."""


class Sitting(Struct, frozen=True):
    """Wires, falls and the walk of one calibration. Begin with :meth:`begin`.

    ``lit`` has the pockets where something is falling, ``faults`` what is wrong now.
    """

    walk: Walk
    signals: Signals
    falls: Falls
    lit: frozenset[Pocket] = frozenset()
    faults: tuple[FaultRaised, ...] = ()
    shaking: Shaking = field(default_factory=Shaking)
    first_knock: KnockHeard | None = None
    """The first knock of the shake under way."""
    colours: Colours = field(default_factory=Colours)

    @classmethod
    def begin(
        cls,
        walk: Walk,
        wires: Iterable[Pocket | Button],
        at_ns: int,
        active: Collection[Pocket | Button] = (),
    ) -> Sitting:
        """Begin with these wires, some of which are ``active`` already."""
        limits: Limits = walk.plan.limits
        for source in active:
            walk = walk_step(walk, Edge(at_ns, source, active=True))
        signals = Signals.at_start(limits, tuple(wires), at_ns, active, walk.plan.hold_offs)
        return cls(walk, signals, Falls.at_start(limits))

    def next_wake_ns(self) -> int | None:
        """Return when the next tick is wanted."""
        times = (
            self.walk.next_wake_ns(), self.signals.next_wake_ns(), self.shaking.next_wake_ns(),
            self.colours.next_wake_ns(),
        )  # fmt: skip
        return min((time for time in times if time is not None), default=None)


def step(sitting: Sitting, event: Event) -> Sitting:
    """Take one event of the board's queue."""
    match event:
        case Press() | FaultRaised() | FaultCleared():
            return _heard(sitting, event)
        case DiscsListen() | KnockHeard():
            return _shaken(sitting, event)
        case ColourSeen():
            return changed(sitting, colours=sitting.colours.step(event))
        case Edge() | ButtonDown() | ButtonUp() | Tick():
            signals, made = sitting.signals.step(event)
        case _:
            return sitting
    sitting = changed(sitting, signals=signals)
    for signal in made:
        sitting = _heard(sitting, signal)
    if isinstance(event, Tick):
        sitting = _rested(sitting, event)
    if isinstance(event, (Edge, Tick)):
        sitting = _walked(sitting, event)
    if isinstance(event, Edge) and not event.active:
        sitting = changed(sitting, lit=sitting.lit - {event.source})
    return sitting


def _rested(sitting: Sitting, tick: Tick) -> Sitting:
    """Let time pass for what a hub reports: shakes end, and falls get all their frames."""
    shaking, over = sitting.shaking.rest(tick.at_ns)
    colours, grown = sitting.colours.rest(tick.at_ns)
    sitting = _lies_still(changed(sitting, shaking=shaking, colours=colours), over)
    for fall in grown:
        sitting = _walked(sitting, fall)
    return sitting


def _heard(sitting: Sitting, signal: SignalEvent) -> Sitting:
    match signal:
        case BeamBroken():
            return changed(sitting, lit=sitting.lit | {signal.pocket})
        case Pulse():
            falls, fall = sitting.falls.step(signal)
            colours, fall = sitting.colours.told_of(fall)
            lit = sitting.lit - {signal.pocket}
            return _walked(changed(sitting, falls=falls, colours=colours, lit=lit), fall)
        case Press():
            act = ACTS.get((signal.button.key, signal.gesture))
            return sitting if act is None else _walked(sitting, Acted(signal.at_ns, act))
        case FaultRaised():
            return _walked(changed(sitting, faults=(*_others(sitting, signal), signal)), signal)
        case FaultCleared():
            return _walked(changed(sitting, faults=_others(sitting, signal)), signal)
        case _:
            return sitting


def _shaken(sitting: Sitting, event: DiscsListen | KnockHeard) -> Sitting:
    """Group knocks into shakes; the first knock of a shake is kept until the shake is over."""
    shaking, over = sitting.shaking.step(event)
    sitting = _lies_still(changed(sitting, shaking=shaking), over)
    if isinstance(event, DiscsListen):
        return _walked(sitting, event)
    began = shaking.under_way is not None and shaking.under_way.knocks == 1
    return changed(sitting, first_knock=event) if began else sitting


def _lies_still(sitting: Sitting, told: Iterable[Shaken | KnockHeard | DiscsListen]) -> Sitting:
    for shaken in told:
        if not isinstance(shaken, Shaken):
            continue
        assert sitting.first_knock is not None, "a shake begins with a knock"
        felt = FeltShake.of(sitting.first_knock, shaken.shake)
        sitting = _walked(sitting, Felt(shaken.at_ns, shaken.shake.at_ns, felt))
    return sitting


def _others(sitting: Sitting, fault: FaultRaised | FaultCleared) -> tuple[FaultRaised, ...]:
    return tuple(
        each for each in sitting.faults if (each.part, each.trouble) != (fault.part, fault.trouble)
    )


def _walked(sitting: Sitting, event: WalkEvent) -> Sitting:
    return changed(sitting, walk=walk_step(sitting.walk, event))
