"""Leads a person through a calibration: what is asked, and what each event makes of it.

Theory of operation. One frozen :class:`Walk` holds everything; :func:`step` takes an event
and gives the next::

    BEGIN --go on--> QUIET --the minute is over--> HEARD --go on--> DROPS --all dropped--> DONE
                                                     |                 ^                    |
                                                     +--undo: again    +--------undo--------+

In QUIET every beam is listened to at once. In DROPS one kind after the other is dropped into one
pocket after the other; what was sensed there is judged when the pocket has been quiet for a
moment, so that whatever belongs to one drop is judged together. A drop that was no single piece
is told and not counted: it can be kept, or is dropped again. UNDO takes back what was told
last. What is asked next follows from what was measured and skipped, so a walk that was
interrupted goes on from those alone.

No clock: time comes with events, and :meth:`Walk.next_wake_ns` says when a tick is wanted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from jackspot.calibration.measuring.doubts import Doubt, doubt
from jackspot.calibration.measuring.measured import Drop, DropPlace, Measured, PieceKind, PieceSet
from jackspot.calibration.measuring.quiet import MINUTE_NS, Ear
from jackspot.core.pieces import Piece, Pocket
from jackspot.readings.widths import WidthModel
from jackspot.sensing.events import (
    Button,
    Edge,
    Fall,
    FaultCleared,
    FaultRaised,
    Tick,
    Trouble,
    beam_wire,
)
from jackspot.sensing.limits import MS, Limits

SETTLE_NS = 400 * MS
"""A pocket that was quiet for so long has seen all of one drop."""
HAND_NS = 100 * MS
"""Of several pulses in one drop, one this long is a hand that fetches the piece."""


class WalkStage(StrEnum):
    """Where the walk is."""

    BEGIN = "begin"
    QUIET = "quiet"
    HEARD = "heard"
    """The quiet minute is over; what was heard is shown."""
    DROPS = "drops"
    DONE = "done"


class Act(StrEnum):
    """What a person can say, by key or button."""

    GO_ON = "go_on"
    UNDO = "undo"
    """Take back what was told last; after the quiet minute: listen again."""
    KEEP = "keep"
    """What was refused last was one piece after all."""
    SKIP = "skip"
    """Leave this pocket, or the quiet minute, out."""
    STOP = "stop"
    """Enough for now: what was measured is kept."""


@dataclass(frozen=True, slots=True)
class Acted:
    """A person said something."""

    at_ns: int
    act: Act


class Remark(StrEnum):
    """What the last thing came to."""

    TAKEN = "taken"
    KEPT = "kept"
    TWO = "two"
    HAND = "hand"
    FAR = "far"
    ELSEWHERE = "elsewhere"
    """Something fell into another pocket than was asked."""
    UNDONE = "undone"
    SKIPPED = "skipped"
    BLOCKED = "blocked"
    FLICKERS = "flickers"


REFUSED = frozenset({Remark.TWO, Remark.HAND, Remark.FAR})
_DOUBTS = {Doubt.TWO: Remark.TWO, Doubt.HAND: Remark.HAND, Doubt.FAR: Remark.FAR}
_TROUBLES = {Trouble.BLOCKED: Remark.BLOCKED, Trouble.CHATTER: Remark.FLICKERS}


@dataclass(frozen=True, slots=True)
class WalkMessage:
    """What is told of the last thing. ``drop`` is what it was about, if it was one fall."""

    remark: Remark
    pocket: Pocket
    kind: PieceKind | None = None
    drop: Drop | None = None


@dataclass(frozen=True, slots=True)
class CalibrationPlan:
    """What is to be measured. ``drops`` of each kind into each of ``pockets``; at least one.

    ``quiet_ns`` 0: no quiet minute. ``widths`` are those a board starts with, ``hold_offs`` those
    of single wires; see :class:`jackspot.sensing.signals.Signals`.
    """

    pieces: PieceSet
    pockets: tuple[Pocket, ...] = tuple(Pocket)
    drops: int = 10
    quiet_ns: int = MINUTE_NS
    limits: Limits = field(default_factory=Limits)
    widths: WidthModel = field(default_factory=WidthModel)
    hold_offs: Mapping[Pocket | Button, int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def base(self) -> WidthModel:
        """What a board with these pieces starts with."""
        centre = Piece.JACK if self.pieces is PieceSet.CAROM else Piece.QUEEN
        return self.widths.of_board(centre)


WalkEvent = Edge | Fall | FaultRaised | FaultCleared | Acted | Tick


@dataclass(frozen=True, slots=True)
class Walk:
    """A calibration under way. Begin with :meth:`begin`."""

    plan: CalibrationPlan
    measured: Measured
    stage: WalkStage = WalkStage.BEGIN
    now_ns: int = 0
    skipped: frozenset[Pocket] = frozenset()
    history: tuple[DropPlace | Pocket, ...] = ()
    """What UNDO takes back: drops, and pockets that were skipped."""
    gathered: tuple[Fall, ...] = ()
    """What was sensed of the drop that is still to be judged."""
    told: WalkMessage | None = None
    ears: Mapping[Pocket, Ear] = field(default_factory=lambda: MappingProxyType({}))
    since_ns: int = 0
    """When the quiet minute began."""
    ended: bool = False
    """The person has had enough, or all is done and seen."""

    @classmethod
    def begin(
        cls,
        plan: CalibrationPlan,
        at_ns: int,
        measured: Measured | None = None,
        skipped: frozenset[Pocket] = frozenset(),
    ) -> Walk:
        """Begin, or go on from what was measured before with the same pieces."""
        measured = measured or Measured(plan.pieces)
        places = [
            DropPlace(pocket, kind)
            for pocket in plan.pockets
            for kind in plan.pieces.kinds
            for _ in measured.at(pocket, kind)
        ]
        ears = MappingProxyType({pocket: Ear(at_ns) for pocket in plan.pockets})
        return cls(plan, measured, now_ns=at_ns, skipped=skipped, history=tuple(places), ears=ears)

    @property
    def wanted(self) -> DropPlace | None:
        """What is to be dropped where next; None when all is dropped."""
        for pocket in self.plan.pockets:
            if pocket in self.skipped:
                continue
            for kind in self.plan.pieces.kinds:
                if len(self.measured.at(pocket, kind)) < self.plan.drops:
                    return DropPlace(pocket, kind)
        return None

    @property
    def total(self) -> int:
        """How many drops there are to be."""
        there = [pocket for pocket in self.plan.pockets if pocket not in self.skipped]
        return len(there) * len(self.plan.pieces.kinds) * self.plan.drops

    @property
    def done(self) -> int:
        """How many of them there are."""
        return sum(
            min(self.plan.drops, len(self.measured.at(pocket, kind)))
            for pocket in self.plan.pockets
            if pocket not in self.skipped
            for kind in self.plan.pieces.kinds
        )

    @property
    def quiet_left_ns(self) -> int:
        """How much of the quiet minute is left."""
        return max(0, self.since_ns + self.plan.quiet_ns - self.now_ns)

    def next_wake_ns(self) -> int | None:
        """Tell when a tick is wanted next; None while nothing is due."""
        if self.stage is WalkStage.QUIET:
            return self.since_ns + self.plan.quiet_ns
        if self.stage is WalkStage.DROPS and self.gathered:
            return _last_ns(self) + SETTLE_NS
        return None


def step(walk: Walk, event: WalkEvent) -> Walk:
    """Take one event. Beams that are not in the plan are ignored."""
    if not isinstance(event, Fall):
        walk = _due(replace(walk, now_ns=max(walk.now_ns, event.at_ns)))
    match event:
        case Edge(source=Pocket() as pocket) if pocket in walk.ears:
            return _edge(walk, event, pocket)
        case Fall() if walk.stage is WalkStage.DROPS and event.pocket in walk.ears:
            return _fall(walk, event)
        case FaultRaised():
            return _fault(walk, event)
        case Acted():
            return _ACTS[event.act](walk)
        case _:
            return walk


# --- what beams say ----------------------------------------------------------------


def _edge(walk: Walk, edge: Edge, pocket: Pocket) -> Walk:
    ear = walk.ears[pocket].edge(edge.at_ns, walk.plan.limits.min_pulse_ns, active=edge.active)
    return replace(walk, ears=MappingProxyType({**walk.ears, pocket: ear}))


def _fault(walk: Walk, fault: FaultRaised) -> Walk:
    pocket = next((each for each in walk.ears if beam_wire(each) == fault.part), None)
    remark = _TROUBLES.get(fault.trouble)
    if pocket is None or remark is None:
        return walk
    if fault.trouble is Trouble.CHATTER:
        ears = {**walk.ears, pocket: walk.ears[pocket].storm()}
        walk = replace(walk, ears=MappingProxyType(ears))
    told = WalkMessage(remark, pocket) if walk.stage is WalkStage.DROPS else walk.told
    return replace(walk, told=told)


def _fall(walk: Walk, fall: Fall) -> Walk:
    wanted = walk.wanted
    if wanted is None:
        return walk
    if fall.pocket is not wanted.pocket:
        return replace(walk, told=WalkMessage(Remark.ELSEWHERE, fall.pocket))
    others = tuple(each for each in walk.gathered if each.number != fall.number)
    return replace(walk, gathered=(*others, fall))


def _last_ns(walk: Walk) -> int:
    return max(fall.end_ns for fall in walk.gathered)


# --- what time says ----------------------------------------------------------------


def _due(walk: Walk) -> Walk:
    if walk.stage is WalkStage.QUIET and not walk.quiet_left_ns:
        return _heard(walk)
    if walk.gathered and walk.now_ns >= _last_ns(walk) + SETTLE_NS:
        return _judged(walk)
    return walk


def _heard(walk: Walk) -> Walk:
    until_ns = walk.since_ns + walk.plan.quiet_ns
    measured = walk.measured
    for pocket, ear in walk.ears.items():
        measured = measured.with_quiet(pocket, ear.heard(until_ns))
    return replace(walk, measured=measured, stage=WalkStage.HEARD)


def _judged(walk: Walk) -> Walk:
    """Count a drop if it was one piece, else say what it was."""
    falls, wanted = walk.gathered, walk.wanted
    walk = replace(walk, gathered=())
    if wanted is None:
        return walk
    told = judge(walk.plan, walk.measured, wanted, falls)
    return _taken(walk, told) if told.remark is Remark.TAKEN else replace(walk, told=told)


def judge(
    plan: CalibrationPlan, measured: Measured, place: DropPlace, falls: Sequence[Fall]
) -> WalkMessage:
    """Say what a drop was, after what was measured: one piece, or what else.

    ``falls`` are what was sensed until the pocket had been quiet for :data:`SETTLE_NS`.
    """
    if len(falls) > 1:
        longest_ns = max(width for fall in falls for width in fall.widths_ns)
        return WalkMessage(Remark.HAND if longest_ns >= HAND_NS else Remark.TWO, *place)
    drop = Drop.of_fall(falls[0])
    found = doubt(plan.base, plan.pieces, measured.into(place.pocket), place.kind, drop)
    return WalkMessage(_DOUBTS.get(found, Remark.TAKEN), *place, drop)


def _taken(walk: Walk, told: WalkMessage) -> Walk:
    assert told.kind is not None, "a drop has a kind"
    assert told.drop is not None, "a drop was taken"
    place = DropPlace(told.pocket, told.kind)
    walk = replace(
        walk, measured=walk.measured.with_drop(place, told.drop), told=told,
        history=(*walk.history, place),
    )  # fmt: skip
    return _onwards(walk)


def _onwards(walk: Walk) -> Walk:
    """Be done when all is dropped; begin anew when something is taken back."""
    if walk.stage in (WalkStage.DROPS, WalkStage.DONE):
        return replace(walk, stage=WalkStage.DROPS if walk.wanted else WalkStage.DONE)
    return walk


# --- what people say ---------------------------------------------------------------


def _go_on(walk: Walk) -> Walk:
    match walk.stage:
        case WalkStage.BEGIN if walk.plan.quiet_ns and not _is_heard(walk):
            return _listen(walk)
        case WalkStage.BEGIN | WalkStage.HEARD:
            return _onwards(replace(walk, stage=WalkStage.DROPS, told=None))
        case WalkStage.DONE:
            return replace(walk, ended=True)
        case _:
            return walk


def _is_heard(walk: Walk) -> bool:
    return all(pocket in walk.measured.quiet for pocket in walk.plan.pockets)


def _listen(walk: Walk) -> Walk:
    ears = {p: Ear(walk.now_ns, dark_ns=ear.dark_ns) for p, ear in walk.ears.items()}
    return replace(walk, stage=WalkStage.QUIET, since_ns=walk.now_ns, ears=MappingProxyType(ears))


def _undo(walk: Walk) -> Walk:
    if walk.stage is WalkStage.HEARD:
        return _listen(walk)
    if walk.stage not in (WalkStage.DROPS, WalkStage.DONE):
        return walk
    if walk.gathered or (walk.told is not None and walk.told.remark in REFUSED):
        return replace(walk, gathered=(), told=None)
    if not walk.history:
        return walk
    *others, last = walk.history
    walk = replace(walk, history=tuple(others))
    if isinstance(last, DropPlace):
        told = WalkMessage(Remark.UNDONE, *last, walk.measured.at(*last)[-1])
        walk = replace(walk, measured=walk.measured.without_last(last), told=told)
    else:
        walk = replace(walk, skipped=walk.skipped - {last}, told=WalkMessage(Remark.UNDONE, last))
    return _onwards(walk)


def _keep(walk: Walk) -> Walk:
    told = walk.told
    refused = told is not None and told.remark in REFUSED and told.drop is not None
    if walk.stage is not WalkStage.DROPS or not refused or walk.gathered:
        return walk
    assert told is not None
    return _taken(walk, replace(told, remark=Remark.KEPT))


def _skip(walk: Walk) -> Walk:
    if walk.stage in (WalkStage.BEGIN, WalkStage.QUIET):
        return _onwards(replace(walk, stage=WalkStage.DROPS, told=None))
    wanted = walk.wanted
    if walk.stage is not WalkStage.DROPS or wanted is None:
        return walk
    walk = replace(
        walk, skipped=walk.skipped | {wanted.pocket}, gathered=(),
        told=WalkMessage(Remark.SKIPPED, wanted.pocket), history=(*walk.history, wanted.pocket),
    )  # fmt: skip
    return _onwards(walk)


def _stop(walk: Walk) -> Walk:
    return replace(walk, ended=True)


_ACTS = {
    Act.GO_ON: _go_on,
    Act.UNDO: _undo,
    Act.KEEP: _keep,
    Act.SKIP: _skip,
    Act.STOP: _stop,
}
