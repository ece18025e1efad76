"""Show a calibration in the board's own view, so that every display shows it in its own way."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from jackspot.calibration.measuring.flicks import strongest_side
from jackspot.calibration.measuring.measured import PIECES, DropPlace, PieceKind
from jackspot.calibration.measuring.quiet import Noise, noise_of
from jackspot.calibration.measuring.walk import (
    REFUSED,
    FlickMessage,
    FlickRemark,
    Remark,
    Walk,
    WalkMessage,
    WalkStage,
    can_be_kept,
)
from jackspot.calibration.measuring.wired_walk import Sitting
from jackspot.core.phrases import EMPTY, Phrase, _
from jackspot.core.pieces import Pocket
from jackspot.dialogue.show.showing import show
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.plans import Plan
from jackspot.dialogue.state.view import BoardView, CalibrationView, FaultView, PreferencesView
from jackspot.readings.widths import MILLISECOND_NS
from jackspot.sensing.events import Trouble
from jackspot.values import changed

SECOND_NS = 1_000_000_000

KIND_WORDS: Mapping[PieceKind, Phrase] = MappingProxyType(
    {
        PieceKind.PUCK: _("puck"),
        PieceKind.JACK: _("jack"),
        PieceKind.MAN: _("man"),
        PieceKind.QUEEN: _("queen"),
        PieceKind.STRIKER: _("striker"),
    }
)

NOISE_WORDS: Mapping[Noise, tuple[Phrase, Phrase]] = MappingProxyType(
    {
        Noise.QUIET: (_("all quiet"), _("now drop the pieces")),
        Noise.SPIKES: (_("spikes in {pocket}"), _("too short to count")),
        Noise.STRAY: (_("{pocket} was broken"), _("UNDO: listen again")),
        Noise.FLICKERS: (_("{pocket} flickers"), _("shade it, check plug")),
        Noise.BLOCKED: (_("{pocket} is blocked"), _("clear it, check wires")),
    }
)
"""What was heard in the quiet minute, and what to do."""


def show_sitting(sitting: Sitting, preferences: PreferencesView, sequence: int = 1) -> BoardView:
    """Return the view of a calibration."""
    walk = sitting.walk
    dialogue = DialogueState(
        DialogueSettings(preferences=preferences),
        Plan(),
        preferences=preferences,
        faults=sitting.faults,
    )
    dialogue = changed(dialogue, broken=tuple(pocket for pocket in Pocket if pocket in sitting.lit))
    view = show(dialogue, walk.now_ns)
    headline, detail, ok, fix = _words(walk)
    return changed(
        view, sequence=sequence, headline=headline, detail=detail, ok=ok, fix=fix,
        hints=(), lamps=frozenset(), calibration=_numbers(walk),
        faults=tuple(map(_with_remedy, view.faults)),
    )  # fmt: skip


def _with_remedy(fault: FaultView) -> FaultView:
    """Return a fault without FIX in what to do: here it enters nothing."""
    noise = _NOISES.get(fault.trouble)
    return fault if noise is None else changed(fault, remedy=NOISE_WORDS[noise][1])


_NOISES = {Trouble.BLOCKED: Noise.BLOCKED, Trouble.CHATTER: Noise.FLICKERS}


def _numbers(walk: Walk) -> CalibrationView:
    progress = walk.done / walk.total if walk.total else 1.0
    if walk.stage is WalkStage.QUIET:
        return CalibrationView(1.0 - walk.quiet_left_ns / walk.plan.quiet_ns)
    wanted, side, told = walk.wanted, walk.wanted_side, walk.told
    refused = told is not None and told.remark in REFUSED
    if told is not None and told.remark in (Remark.UNDONE, FlickRemark.UNDONE):
        told = None
    if walk.stage is WalkStage.FLICKS and side is not None:
        flick = told.felt if isinstance(told, FlickMessage) else None
        return CalibrationView(
            progress, len(walk.felt), walk.plan.flicks, refused=refused, side=side,
            felt=() if flick is None else flick.heights,
        )  # fmt: skip
    if walk.stage is not WalkStage.DROPS or wanted is None:
        return CalibrationView(progress)
    drops = walk.measured.at(*wanted)
    drop = told.drop if isinstance(told, WalkMessage) else None
    return CalibrationView(
        progress, len(drops), walk.plan.drops, tuple(max(drop.widths_ns) for drop in drops),
        None if drop is None else max(drop.widths_ns), refused=refused,
    )  # fmt: skip


def _words(walk: Walk) -> tuple[Phrase, Phrase, Phrase, Phrase]:
    """Return headline and detail, and what OK and FIX do."""
    match walk.stage:
        case WalkStage.BEGIN:
            return _("calibration"), _before(walk), _("begin"), EMPTY
        case WalkStage.QUIET:
            left = _("hands off: {n} s", n=-(-walk.quiet_left_ns // SECOND_NS))
            return left, _("do not drop anything"), EMPTY, EMPTY
        case WalkStage.HEARD:
            return *worst_heard(walk), _("go on"), EMPTY
        case WalkStage.FLICKS:
            side = walk.wanted_side
            assert side is not None, "a side is asked for"
            flick = _("flick from {seat}", seat=side.value)
            return flick, _told_or_asked(walk), EMPTY, _fix(walk)
        case WalkStage.DROPS:
            wanted = walk.wanted
            assert wanted is not None, "something is asked"
            return asked(wanted), _told_or_asked(walk), EMPTY, _fix(walk)
        case WalkStage.DONE:
            discs_alone = walk.discs is not None and not walk.total
            flicks = walk.discs.count if walk.discs is not None else 0
            measured = _("{n} flicks", n=flicks) if discs_alone else _(
                "all {n} dropped", n=walk.done
            )  # fmt: skip
            return _("calibrated"), measured, _("done"), EMPTY


def _before(walk: Walk) -> Phrase:
    if walk.done:
        return _("{n} of {m} dropped", n=walk.done, m=walk.total)
    return _("first a quiet minute") if walk.plan.quiet_ns else _("drop as shown")


def worst_heard(walk: Walk) -> tuple[Phrase, Phrase]:
    """Return what was worst in the quiet minute, and what to do.

    If all beams were quiet and the board was not, it reports the shakes.
    """
    order = list(Noise)
    heard = {p: noise_of(quiet) for p, quiet in walk.measured.quiet.items() if p in walk.ears}
    worst = max(heard, key=lambda pocket: order.index(heard[pocket]), default=None)
    noise = Noise.QUIET if worst is None else heard[worst]
    what, remedy = NOISE_WORDS[noise]
    if worst is None or noise is Noise.QUIET:
        if walk.discs is None or walk.listens is None or not walk.plan.flicks:
            return what, remedy
        if shakes := len(walk.discs.quiet):
            return _("shakes felt: {n}", n=shakes), _("UNDO: listen again")
        return what, _("now flick the striker")
    return Phrase(what.msgid, (("pocket", worst.value),)), remedy


def asked(place: DropPlace) -> Phrase:
    """Return the phrase for what to drop where."""
    return _("{piece} into {pocket}", piece=KIND_WORDS[place.kind], pocket=place.pocket.value)


def _told_or_asked(walk: Walk) -> Phrase:
    in_flicks = walk.stage is WalkStage.FLICKS
    if walk.told is None or isinstance(walk.told, FlickMessage) is not in_flicks:
        if in_flicks:
            return _("soft and hard, {n} times", n=walk.plan.flicks)
        return _("drop one, {n} times", n=walk.plan.drops)
    if isinstance(walk.told, WalkMessage) and _shows_colours(walk, walk.told):
        return _("{ms} ms; other colour next", ms=_in_ms_of(walk.told))
    return told_word(walk.told)


def _shows_colours(walk: Walk, told: WalkMessage) -> bool:
    """Whether a colour head saw a piece, and another colour of its kind is to be dropped now."""
    if told.remark is not Remark.TAKEN or told.kind is None or told.drop is None:
        return False
    again = walk.wanted == DropPlace(told.pocket, told.kind)
    return again and bool(told.drop.seen) and len(PIECES[walk.plan.pieces][told.kind]) > 1


def _fix(walk: Walk) -> Phrase:
    return _("keep it") if can_be_kept(walk.told) else _("hold: skip")


_TOLD_WORDS: Mapping[Remark, Phrase] = MappingProxyType(
    {
        Remark.TAKEN: _("{ms} ms"),
        Remark.KEPT: _("{ms} ms, kept"),
        Remark.TWO: _("two? drop it again"),
        Remark.HAND: _("a hand: not counted"),
        Remark.FAR: _("{ms} ms? drop again"),
        Remark.ELSEWHERE: _("that was {pocket}"),
        Remark.UNDONE: _("taken back"),
        Remark.SKIPPED: _("{pocket} left out"),
        Remark.BLOCKED: _("{pocket} is blocked"),
        Remark.FLICKERS: _("{pocket} flickers"),
    }
)


_FLICK_WORDS: Mapping[FlickRemark, Phrase] = MappingProxyType(
    {
        FlickRemark.TAKEN: _("felt at {seat}: {height}"),
        FlickRemark.KEPT: _("felt at {seat}, kept"),
        FlickRemark.THUMP: _("a thump? flick again"),
        FlickRemark.OTHER_SIDE: _("felt at {seat}? again"),
        FlickRemark.UNDONE: _("taken back"),
        FlickRemark.SKIPPED: _("{seat} left out"),
    }
)


def told_word(told: WalkMessage | FlickMessage) -> Phrase:
    """Return the phrase for what happened last: a drop, a flick, its undo, a skip, or a fault."""
    if isinstance(told, FlickMessage):
        seat = told.side if told.felt is None else strongest_side(told.felt)
        height = 0 if told.felt is None else max(told.felt.heights)
        blanks = (("seat", seat.value), ("height", height))
        return Phrase(_FLICK_WORDS[told.remark].msgid, blanks)
    said = (("ms", _in_ms_of(told)), ("pocket", told.pocket.value))
    return Phrase(_TOLD_WORDS[told.remark].msgid, said)


def _in_ms_of(told: WalkMessage) -> str:
    return in_ms(max(told.drop.widths_ns)) if told.drop is not None else ""


def in_ms(width_ns: int) -> str:
    """Format a width: ``11.2``."""
    return f"{width_ns / MILLISECOND_NS:.1f}"
