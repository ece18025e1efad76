"""Guide a person through a calibration: what is asked, and what each event changes.

Theory of operation. One frozen :class:`Walk` holds everything; :func:`step` takes an event
and gives the next::

    BEGIN --go on--> QUIET --the minute is over--> HEARD --go on--> DROPS --all dropped--> DONE
                                                     |      |        ^ |                    |
                                                     |      v        | +-------undo---------+
                                                     |    FLICKS --all flicked
                                                     +--undo: again

In QUIET every beam and every disc is listened to at once. FLICKS exists only if discs of a sensor
hub listen when the minute is over: the striker is flicked from one side after the other, and each
shake is judged once the board is still. In DROPS one kind after the other is dropped into one
pocket after the other. A drop is judged when the pocket has been quiet for a moment, so that
everything that belongs to it is judged together.

A drop that was not a single piece, or a flick that came through the table or from another side, is
reported and not counted: it can be kept, or is done again. Pressing a button shakes the board, and
that shake is not a flick. UNDO takes back what was reported last. What is asked next depends only
on what was measured and skipped, so an interrupted walk continues from those alone.

No clock: time comes with events, and :meth:`Walk.next_wake_ns` says when a tick is wanted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct, field

from jackspot.calibration.measuring.doubts import Doubt, doubt
from jackspot.calibration.measuring.flicks import (
    MOST_SHAKES,
    FeltShake,
    FlickDoubt,
    MeasuredDiscs,
    doubt_of,
)
from jackspot.calibration.measuring.measured import Drop, DropPlace, Measured, PieceKind, PieceSet
from jackspot.calibration.measuring.quiet import MINUTE_NS, Ear
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.readings.widths import WidthModel
from jackspot.sensing.events import (
    Button,
    DiscsListen,
    Edge,
    Fall,
    FaultCleared,
    FaultRaised,
    HubDiscs,
    Tick,
    Trouble,
    beam_wire,
)
from jackspot.sensing.limits import MS, Limits
from jackspot.values import changed

SETTLE_NS = 400 * MS
"""After a pocket has been quiet for this long, its drop is complete."""
HAND_NS = 100 * MS
"""Among several pulses in one drop, one this long is a hand that fetches the piece."""
FLICKS = 5
"""This many flicks from each side move the guesses about halfway (``readings.shots.IMAGINED``)."""
PRESS_NS = 300 * MS
"""A shake that begins up to this long after a press is the hand at the button."""


class WalkStage(StrEnum):
    """Where the walk is."""

    BEGIN = "begin"
    QUIET = "quiet"
    HEARD = "heard"
    """The quiet minute is over; what was heard is shown."""
    FLICKS = "flicks"
    DROPS = "drops"
    DONE = "done"


class Act(StrEnum):
    """What a person can do, by key or button."""

    GO_ON = "go_on"
    UNDO = "undo"
    """Take back what was reported last; after the quiet minute: listen again."""
    KEEP = "keep"
    """Keep what was refused last: it was one piece after all."""
    SKIP = "skip"
    """Leave out this pocket, this side or the quiet minute."""
    STOP = "stop"
    """Enough for now: what was measured is kept."""


class Acted(Struct, frozen=True):
    """A person did something."""

    at_ns: int
    act: Act


class Felt(Struct, frozen=True):
    """The board is still again; it had been shaken since ``began_ns``."""

    at_ns: int
    began_ns: int
    shake: FeltShake


class FlickFrom(NamedTuple):
    """A flick that was counted."""

    side: Seat


class Remark(StrEnum):
    """The outcome of the last thing about a pocket: a drop, its beam, a skip, or an undo."""

    TAKEN = "taken"
    KEPT = "kept"
    TWO = "two"
    HAND = "hand"
    FAR = "far"
    ELSEWHERE = "elsewhere"
    """Something fell into a pocket other than the requested one."""
    UNDONE = "undone"
    SKIPPED = "skipped"
    BLOCKED = "blocked"
    FLICKERS = "flickers"


class FlickRemark(StrEnum):
    """The outcome of the last thing about a side: a flick, a skip, or an undo."""

    TAKEN = "taken"
    KEPT = "kept"
    THUMP = "thump"
    OTHER_SIDE = "other_side"
    """Another side felt the flick most."""
    UNDONE = "undone"
    SKIPPED = "skipped"


REFUSED: frozenset[Remark | FlickRemark] = frozenset(
    {Remark.TWO, Remark.HAND, Remark.FAR, FlickRemark.THUMP, FlickRemark.OTHER_SIDE}
)
COUNTED: frozenset[Remark | FlickRemark] = frozenset(
    {Remark.TAKEN, Remark.KEPT, FlickRemark.TAKEN, FlickRemark.KEPT}
)
_FLICK_DOUBTS = {
    FlickDoubt.NONE: FlickRemark.TAKEN,
    FlickDoubt.THUMP: FlickRemark.THUMP,
    FlickDoubt.OTHER_SIDE: FlickRemark.OTHER_SIDE,
}
_DOUBTS = {Doubt.TWO: Remark.TWO, Doubt.HAND: Remark.HAND, Doubt.FAR: Remark.FAR}
_TROUBLES = {Trouble.BLOCKED: Remark.BLOCKED, Trouble.CHATTER: Remark.FLICKERS}


class WalkMessage(Struct, frozen=True):
    """The report on the last thing about a pocket. ``drop`` is the drop, if it was one fall."""

    remark: Remark
    pocket: Pocket
    kind: PieceKind | None = None
    drop: Drop | None = None


class FlickMessage(Struct, frozen=True):
    """The report on the last thing about a side. ``felt`` is the flick itself, if any."""

    remark: FlickRemark
    side: Seat
    felt: FeltShake | None = None


class CalibrationPlan(Struct, frozen=True):
    """What is to be measured: ``drops`` of each kind into each of ``pockets``, at least one.

    ``flicks`` is the number from each side if discs listen; 0: none. ``has_hub``: the board has a
    sensor hub, so what it hears in the quiet minute is wanted too. ``quiet_ns`` 0: no quiet minute.
    ``widths`` are those that a board starts with, ``hold_offs`` those of single wires; see
    :class:`jackspot.sensing.signals.Signals`.
    """

    pieces: PieceSet
    pockets: tuple[Pocket, ...] = tuple(Pocket)
    drops: int = 10
    quiet_ns: int = MINUTE_NS
    flicks: int = FLICKS
    has_hub: bool = False
    limits: Limits = field(default_factory=Limits)
    widths: WidthModel = field(default_factory=WidthModel)
    hold_offs: Mapping[Pocket | Button, int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def base(self) -> WidthModel:
        """The widths that a board with these pieces starts with."""
        centre = Piece.JACK if self.pieces is PieceSet.CAROM else Piece.QUEEN
        return self.widths.of_board(centre)


WalkEvent = Edge | Fall | FaultRaised | FaultCleared | Acted | DiscsListen | Felt | Tick


class Walk(Struct, frozen=True):
    """A calibration under way. Begin with :meth:`begin`."""

    plan: CalibrationPlan
    measured: Measured
    stage: WalkStage = WalkStage.BEGIN
    now_ns: int = 0
    skipped: frozenset[Pocket] = frozenset()
    left_out: frozenset[Seat] = frozenset()
    """Sides from which no flicks are wanted."""
    history: tuple[DropPlace | Pocket | FlickFrom | Seat, ...] = ()
    """What UNDO takes back: drops and flicks, pockets and sides that were skipped."""
    gathered: tuple[Fall, ...] = ()
    """The falls of the drop that is still to be judged."""
    told: WalkMessage | FlickMessage | None = None
    discs: MeasuredDiscs | None = None
    """What discs felt; None if none has listened."""
    listens: HubDiscs | None = None
    """The discs that listen now."""
    listens_ns: int = 0
    """When they began to listen."""
    flicking: bool = False
    """Flicks are asked for: discs listened when the quiet minute was over."""
    acted_ns: int = 0
    """When a person last did something."""
    ears: Mapping[Pocket, Ear] = field(default_factory=lambda: MappingProxyType({}))
    since_ns: int = 0
    """When the quiet minute began."""
    ended: bool = False
    """The person stopped, or everything is done and seen."""

    @classmethod
    def begin(
        cls,
        plan: CalibrationPlan,
        at_ns: int,
        measured: Measured | None = None,
        skipped: frozenset[Pocket] = frozenset(),
        discs: MeasuredDiscs | None = None,
        left_out: frozenset[Seat] = frozenset(),
    ) -> Walk:
        """Begin, or continue from what was measured before, with the same pieces and discs."""
        measured = measured or Measured(plan.pieces)
        places: list[DropPlace | FlickFrom] = [
            FlickFrom(side) for side in Seat for _ in (discs.of(side) if discs else ())
        ]
        places += [
            DropPlace(pocket, kind)
            for pocket in plan.pockets
            for kind in plan.pieces.kinds
            for _ in measured.at(pocket, kind)
        ]
        ears = MappingProxyType({pocket: Ear(at_ns) for pocket in plan.pockets})
        return cls(
            plan, measured, now_ns=at_ns, skipped=skipped, left_out=left_out,
            history=tuple(places), ears=ears, discs=discs,
        )  # fmt: skip

    @property
    def wanted_side(self) -> Seat | None:
        """The side from which the next flick is wanted; None if none is."""
        return self.lacking_side if self.flicking else None

    @property
    def lacking_side(self) -> Seat | None:
        """The first side that lacks flicks, whether or not discs listen; None if none does."""
        if self.discs is None:
            return None
        there = (side for side in Seat if side not in self.left_out)
        return next((s for s in there if len(self.discs.of(s)) < self.plan.flicks), None)

    @property
    def has_all_flicks(self) -> bool:
        """Whether flicks were asked for, and measured from every side that was not left out."""
        return self.plan.flicks > 0 and self.has_discs and self.lacking_side is None

    @property
    def has_discs(self) -> bool:
        """Whether any flick was measured."""
        return self.discs is not None and self.discs.count > 0

    @property
    def felt(self) -> tuple[FeltShake, ...]:
        """The flicks so far from the side that is asked for."""
        side = self.wanted_side
        return () if side is None or self.discs is None else self.discs.of(side)

    @property
    def wanted(self) -> DropPlace | None:
        """What to drop where next; None when everything is dropped."""
        for pocket in self.plan.pockets:
            if pocket in self.skipped:
                continue
            for kind in self.plan.pieces.kinds:
                if len(self.measured.at(pocket, kind)) < self.plan.drops:
                    return DropPlace(pocket, kind)
        return None

    @property
    def total(self) -> int:
        """How many drops are wanted in all."""
        there = [pocket for pocket in self.plan.pockets if pocket not in self.skipped]
        return len(there) * len(self.plan.pieces.kinds) * self.plan.drops

    @property
    def done(self) -> int:
        """How many of them are done."""
        return sum(
            min(self.plan.drops, len(self.measured.at(pocket, kind)))
            for pocket in self.plan.pockets
            if pocket not in self.skipped
            for kind in self.plan.pieces.kinds
        )

    @property
    def quiet_from_ns(self) -> int:
        """The instant from which discs have listened in the quiet minute."""
        return max(self.since_ns, self.listens_ns)

    @property
    def quiet_left_ns(self) -> int:
        """How much of the quiet minute is left."""
        return max(0, self.since_ns + self.plan.quiet_ns - self.now_ns)

    def next_wake_ns(self) -> int | None:
        """Return when the next tick is wanted; None while nothing is due."""
        if self.stage is WalkStage.QUIET:
            return self.since_ns + self.plan.quiet_ns
        if self.stage is WalkStage.DROPS and self.gathered:
            return _last_ns(self) + SETTLE_NS
        return None


def step(walk: Walk, event: WalkEvent) -> Walk:
    """Take one event. Beams that are not in the plan are ignored."""
    if not isinstance(event, Fall):
        walk = _due(changed(walk, now_ns=max(walk.now_ns, event.at_ns)))
    match event:
        case Edge(source=Pocket() as pocket) if pocket in walk.ears:
            return _edge(walk, event, pocket)
        case Fall() if walk.stage is WalkStage.DROPS and event.pocket in walk.ears:
            return _fall(walk, event)
        case FaultRaised() | FaultCleared():
            return _fault(walk, event)
        case DiscsListen() | Felt():
            return _by_discs(walk, event)
        case Acted():
            return _ACTS[event.act](changed(walk, acted_ns=walk.now_ns))
        case _:
            return walk


# --- what beams say ----------------------------------------------------------------


def _edge(walk: Walk, edge: Edge, pocket: Pocket) -> Walk:
    ear = walk.ears[pocket].edge(edge.at_ns, walk.plan.limits.min_pulse_ns, active=edge.active)
    return changed(walk, ears=MappingProxyType({**walk.ears, pocket: ear}))


def _fault(walk: Walk, fault: FaultRaised | FaultCleared) -> Walk:
    """Report a beam's fault until it is over."""
    pocket = next((each for each in walk.ears if beam_wire(each) == fault.part), None)
    remark = _TROUBLES.get(fault.trouble)
    if pocket is None or remark is None:
        return walk
    if isinstance(fault, FaultCleared):
        return changed(walk, told=None) if walk.told == WalkMessage(remark, pocket) else walk
    if fault.trouble is Trouble.CHATTER:
        ears = {**walk.ears, pocket: walk.ears[pocket].storm()}
        walk = changed(walk, ears=MappingProxyType(ears))
    told = WalkMessage(remark, pocket) if walk.stage is WalkStage.DROPS else walk.told
    return changed(walk, told=told)


def _fall(walk: Walk, fall: Fall) -> Walk:
    wanted = walk.wanted
    if wanted is None:
        return walk
    if fall.pocket is not wanted.pocket:
        return changed(walk, told=WalkMessage(Remark.ELSEWHERE, fall.pocket))
    others = tuple(each for each in walk.gathered if each.number != fall.number)
    return changed(walk, gathered=(*others, fall))


def _last_ns(walk: Walk) -> int:
    return max(fall.end_ns for fall in walk.gathered)


# --- what discs say ----------------------------------------------------------------


def _by_discs(walk: Walk, event: DiscsListen | Felt) -> Walk:
    return _felt(walk, event) if isinstance(event, Felt) else _listening(walk, event)


def _listening(walk: Walk, event: DiscsListen) -> Walk:
    """Record which discs listen; what other discs felt before is dropped."""
    if not event.discs:
        return changed(walk, listens=None)
    listens = HubDiscs(event.hub, event.discs)
    walk = changed(walk, listens=listens, listens_ns=event.at_ns)
    if walk.discs is not None and walk.discs.discs == listens:
        return _unheard(walk) if walk.stage is WalkStage.QUIET else walk
    history = tuple(each for each in walk.history if not isinstance(each, FlickFrom))
    told = None if isinstance(walk.told, FlickMessage) else walk.told
    return _onwards(changed(walk, discs=MeasuredDiscs(listens), history=history, told=told))


def _unheard(walk: Walk) -> Walk:
    """Return the walk without what discs felt in a quiet minute, which begins anew."""
    if walk.discs is None:
        return walk
    return changed(walk, discs=changed(walk.discs, quiet_ns=0, quiet=()))


def _felt(walk: Walk, event: Felt) -> Walk:
    """Count a shake of the quiet minute, or a flick, or report what it was."""
    if walk.discs is None:
        return walk
    if walk.stage in (WalkStage.QUIET, WalkStage.HEARD):
        within = walk.quiet_from_ns <= event.began_ns < walk.since_ns + walk.plan.quiet_ns
        if not within or len(walk.discs.quiet) >= MOST_SHAKES:
            return walk
        return changed(walk, discs=changed(walk.discs, quiet=(*walk.discs.quiet, event.shake)))
    side = walk.wanted_side
    is_hand = event.began_ns <= walk.acted_ns + PRESS_NS
    if walk.stage is not WalkStage.FLICKS or side is None or is_hand:
        return walk
    remark = _FLICK_DOUBTS[doubt_of(event.shake, side, walk.discs.discs)]
    told = FlickMessage(remark, side, event.shake)
    return _flicked(walk, told) if remark is FlickRemark.TAKEN else changed(walk, told=told)


def _flicked(walk: Walk, told: FlickMessage) -> Walk:
    assert told.felt is not None, "a flick was felt"
    assert walk.discs is not None, "discs felt it"
    walk = changed(
        walk, discs=walk.discs.with_flick(told.side, told.felt), told=told,
        history=(*walk.history, FlickFrom(told.side)),
    )  # fmt: skip
    return _onwards(walk)


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
    walk = changed(walk, measured=measured, stage=WalkStage.HEARD)
    if walk.discs is None or walk.listens is None:
        return _unheard(walk)
    quiet_ns = max(0, until_ns - walk.quiet_from_ns)
    return changed(walk, discs=changed(walk.discs, quiet_ns=quiet_ns))


def _judged(walk: Walk) -> Walk:
    """Count a drop if it was one piece, or report what it was."""
    falls, wanted = walk.gathered, walk.wanted
    walk = changed(walk, gathered=())
    if wanted is None:
        return walk
    told = judge(walk.plan, walk.measured, wanted, falls)
    return _taken(walk, told) if told.remark is Remark.TAKEN else changed(walk, told=told)


def judge(
    plan: CalibrationPlan, measured: Measured, place: DropPlace, falls: Sequence[Fall]
) -> WalkMessage:
    """Return what a drop was, given what was measured: one piece, or something else.

    ``falls`` has what was sensed until the pocket had been quiet for :data:`SETTLE_NS`.
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
    walk = changed(
        walk, measured=walk.measured.with_drop(place, told.drop), told=told,
        history=(*walk.history, place),
    )  # fmt: skip
    return _onwards(walk)


def _onwards(walk: Walk) -> Walk:
    """Go on to drops after all flicks, to DONE after all drops, and back when some are undone."""
    if walk.stage not in (WalkStage.FLICKS, WalkStage.DROPS, WalkStage.DONE):
        return walk
    if walk.wanted_side is not None:
        return changed(walk, stage=WalkStage.FLICKS)
    return changed(walk, stage=WalkStage.DROPS if walk.wanted else WalkStage.DONE)


def _measure(walk: Walk) -> Walk:
    """Begin with flicks if discs listen, otherwise with drops."""
    flicking = walk.plan.flicks > 0 and walk.listens is not None
    return _onwards(changed(walk, stage=WalkStage.DROPS, told=None, flicking=flicking))


# --- what people say ---------------------------------------------------------------


def _go_on(walk: Walk) -> Walk:
    match walk.stage:
        case WalkStage.BEGIN if walk.plan.quiet_ns and not _is_heard(walk):
            return _listen(walk)
        case WalkStage.BEGIN | WalkStage.HEARD:
            return _measure(walk)
        case WalkStage.DONE:
            return changed(walk, ended=True)
        case _:
            return walk


def _is_heard(walk: Walk) -> bool:
    has_felt = walk.discs is not None and walk.discs.quiet_ns > 0
    return (has_felt or not walk.plan.has_hub) and all(
        pocket in walk.measured.quiet for pocket in walk.plan.pockets
    )


def _listen(walk: Walk) -> Walk:
    ears = {p: Ear(walk.now_ns, dark_ns=ear.dark_ns) for p, ear in walk.ears.items()}
    walk = changed(walk, stage=WalkStage.QUIET, since_ns=walk.now_ns, ears=MappingProxyType(ears))
    return _unheard(walk)


def _undo(walk: Walk) -> Walk:
    if walk.stage is WalkStage.HEARD:
        return _listen(walk)
    if walk.stage not in (WalkStage.FLICKS, WalkStage.DROPS, WalkStage.DONE):
        return walk
    if walk.gathered or (walk.told is not None and walk.told.remark in REFUSED):
        return changed(walk, gathered=(), told=None)
    if not walk.history:
        return walk
    *others, last = walk.history
    if walk.stage is not WalkStage.FLICKS and walk.listens is None and (
        isinstance(last, FlickFrom | Seat)
    ):  # fmt: skip
        return walk
    return _onwards(_without(changed(walk, history=tuple(others)), last))


def _without(walk: Walk, last: DropPlace | Pocket | FlickFrom | Seat) -> Walk:
    match last:
        case DropPlace():
            told = WalkMessage(Remark.UNDONE, *last, walk.measured.at(*last)[-1])
            return changed(walk, measured=walk.measured.without_last(last), told=told)
        case Pocket():
            message = WalkMessage(Remark.UNDONE, last)
            return changed(walk, skipped=walk.skipped - {last}, told=message)
        case FlickFrom(side):
            assert walk.discs is not None, "discs felt it"
            undone = FlickMessage(FlickRemark.UNDONE, side, walk.discs.of(side)[-1])
            return changed(
                walk, discs=walk.discs.without_last(side), told=undone, flicking=True
            )  # fmt: skip
        case Seat():
            undone = FlickMessage(FlickRemark.UNDONE, last)
            return changed(walk, left_out=walk.left_out - {last}, told=undone, flicking=True)


def _keep(walk: Walk) -> Walk:
    told = walk.told
    if not can_be_kept(told):
        return walk
    if isinstance(told, FlickMessage) and walk.stage is WalkStage.FLICKS:
        return _flicked(walk, changed(told, remark=FlickRemark.KEPT))
    if isinstance(told, WalkMessage) and walk.stage is WalkStage.DROPS and not walk.gathered:
        return _taken(walk, changed(told, remark=Remark.KEPT))
    return walk


def can_be_kept(told: WalkMessage | FlickMessage | None) -> bool:
    """Whether what was reported last was refused and may still be counted."""
    if told is None or told.remark not in REFUSED:
        return False
    return (told.felt if isinstance(told, FlickMessage) else told.drop) is not None


def _skip(walk: Walk) -> Walk:
    if walk.stage in (WalkStage.BEGIN, WalkStage.QUIET):
        return _measure(_unheard(walk) if walk.stage is WalkStage.QUIET else walk)
    side = walk.wanted_side
    if walk.stage is WalkStage.FLICKS and side is not None:
        walk = changed(
            walk, left_out=walk.left_out | {side}, told=FlickMessage(FlickRemark.SKIPPED, side),
            history=(*walk.history, side),
        )  # fmt: skip
        return _onwards(walk)
    wanted = walk.wanted
    if walk.stage is not WalkStage.DROPS or wanted is None:
        return walk
    walk = changed(
        walk, skipped=walk.skipped | {wanted.pocket}, gathered=(),
        told=WalkMessage(Remark.SKIPPED, wanted.pocket), history=(*walk.history, wanted.pocket),
    )  # fmt: skip
    return _onwards(walk)


def _stop(walk: Walk) -> Walk:
    return changed(walk, ended=True)


_ACTS = {
    Act.GO_ON: _go_on,
    Act.UNDO: _undo,
    Act.KEEP: _keep,
    Act.SKIP: _skip,
    Act.STOP: _stop,
}
