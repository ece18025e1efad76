"""A calibration in the board's own view, so that every display shows it in its own way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from jackspot.calibration.measuring.measured import DropPlace, PieceKind
from jackspot.calibration.measuring.quiet import Noise, noise_of
from jackspot.calibration.measuring.sitting import Sitting
from jackspot.calibration.measuring.walk import REFUSED, Remark, Walk, WalkMessage, WalkStage
from jackspot.core.phrases import EMPTY, Phrase, _
from jackspot.core.pieces import Pocket
from jackspot.dialogue.show.showing import show
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.plans import Plan
from jackspot.dialogue.state.view import BoardView, CalibrationView, PreferencesView
from jackspot.readings.widths import MILLISECOND_NS

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


def show_sitting(sitting: Sitting, house: PreferencesView, sequence: int = 1) -> BoardView:
    """Make the view of a calibration."""
    walk = sitting.walk
    dialogue = DialogueState(
        DialogueSettings(house=house), Plan(), house=house, faults=sitting.faults
    )
    dialogue = replace(dialogue, broken=tuple(pocket for pocket in Pocket if pocket in sitting.lit))
    view = show(dialogue, walk.now_ns)
    headline, detail, ok, fix = _words(walk)
    return replace(
        view, sequence=sequence, headline=headline, detail=detail, ok=ok, fix=fix,
        hints=(), lamps=frozenset(), calibration=_numbers(walk),
    )  # fmt: skip


def _numbers(walk: Walk) -> CalibrationView:
    progress = walk.done / walk.total if walk.total else 1.0
    if walk.stage is WalkStage.QUIET:
        return CalibrationView(1.0 - walk.quiet_left_ns / walk.plan.quiet_ns)
    wanted = walk.wanted
    if walk.stage is not WalkStage.DROPS or wanted is None:
        return CalibrationView(progress)
    drops = walk.measured.at(*wanted)
    told = walk.told
    last = max(told.drop.widths_ns) if told is not None and told.drop is not None else None
    return CalibrationView(
        progress, len(drops), walk.plan.drops, tuple(max(drop.widths_ns) for drop in drops),
        last, refused=told is not None and told.remark in REFUSED,
    )  # fmt: skip


def _words(walk: Walk) -> tuple[Phrase, Phrase, Phrase, Phrase]:
    """Say headline and detail, and what OK and FIX do."""
    match walk.stage:
        case WalkStage.BEGIN:
            return _("calibration"), _before(walk), _("begin"), EMPTY
        case WalkStage.QUIET:
            left = _("hands off: {n} s", n=-(-walk.quiet_left_ns // SECOND_NS))
            return left, _("do not drop anything"), EMPTY, EMPTY
        case WalkStage.HEARD:
            return *worst_heard(walk), _("go on"), EMPTY
        case WalkStage.DROPS:
            wanted = walk.wanted
            assert wanted is not None, "something is asked"
            return asked(wanted), _told_or_asked(walk), EMPTY, _fix(walk)
        case WalkStage.DONE:
            return _("calibrated"), _("all {n} dropped", n=walk.done), _("done"), EMPTY


def _before(walk: Walk) -> Phrase:
    if walk.done:
        return _("{n} of {m} dropped", n=walk.done, m=walk.total)
    return _("first a quiet minute") if walk.plan.quiet_ns else _("drop as shown")


def worst_heard(walk: Walk) -> tuple[Phrase, Phrase]:
    """Say what was worst in the quiet minute, and what to do."""
    order = list(Noise)
    heard = {p: noise_of(quiet) for p, quiet in walk.measured.quiet.items() if p in walk.ears}
    worst = max(heard, key=lambda pocket: order.index(heard[pocket]), default=None)
    if worst is None:
        return NOISE_WORDS[Noise.QUIET]
    what, remedy = NOISE_WORDS[heard[worst]]
    if heard[worst] is Noise.QUIET:
        return what, remedy
    return Phrase(what.msgid, (("pocket", worst.value),)), remedy


def asked(place: DropPlace) -> Phrase:
    """Say what is to be dropped where."""
    return _("{piece} into {pocket}", piece=KIND_WORDS[place.kind], pocket=place.pocket.value)


def _told_or_asked(walk: Walk) -> Phrase:
    if walk.told is None:
        return _("drop one, {n} times", n=walk.plan.drops)
    return told_word(walk.told)


def _fix(walk: Walk) -> Phrase:
    told = walk.told
    can_keep = told is not None and told.remark in REFUSED and told.drop is not None
    return _("keep it") if can_keep else _("hold: skip")


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


def told_word(told: WalkMessage) -> Phrase:
    """Say what the last thing came to."""
    ms = in_ms(max(told.drop.widths_ns)) if told.drop is not None else ""
    return Phrase(_TOLD_WORDS[told.remark].msgid, (("ms", ms), ("pocket", told.pocket.value)))


def in_ms(width_ns: int) -> str:
    """Write a width: ``11.2``."""
    return f"{width_ns / MILLISECOND_NS:.1f}"
