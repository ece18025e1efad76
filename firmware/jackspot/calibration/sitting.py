"""The loop of a calibration: events in, pictures out, and what was measured saved at once.

One thread owns the sitting, as the board's loop owns its dialogue. Keys of the terminal come in as
presses of a page's buttons, so all input from people takes one path.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from jackspot.board import DisplayPort
from jackspot.calibration import file
from jackspot.calibration.file import CalibratedDiscs, Calibration, CalibrationError, Unfinished
from jackspot.calibration.measuring.board_view import show_sitting
from jackspot.calibration.measuring.measured import Measured, PieceSet
from jackspot.calibration.measuring.walk import (
    COUNTED,
    REFUSED,
    CalibrationPlan,
    Remark,
    Walk,
    WalkStage,
)
from jackspot.calibration.measuring.wired_walk import Sitting, step
from jackspot.core.pieces import Pocket
from jackspot.dialogue.state.view import PreferencesView, Sound
from jackspot.inputs.edges import FIRST_LOOK_NS, InputsPort
from jackspot.inputs.queue import EventSource, SourceClosed
from jackspot.sensing.buttons import earliest
from jackspot.sensing.events import Button, Edge, Event, Tick
from jackspot.values import changed

_logger = logging.getLogger(__name__)

SECOND_NS = 1_000_000_000
REFUSALS = 4
"""So many times the idle time a calibration stays open while all that falls is refused."""


class CalibrationTarget(Struct, frozen=True):
    """Where a calibration is written: the file, and its board. ``now`` gives the date."""

    path: Path
    board: file.CalibratedBoard
    now: Callable[[], datetime]


class LiveSitting:
    """Everything around one calibration. ``tell`` is called with each new state of it.

    ``alive`` is called at least every ``alive_ns`` (None: never), for a watchdog.
    """

    def __init__(
        self,
        source: EventSource,
        inputs: InputsPort,
        wires: Sequence[Pocket | Button],
        keeping: CalibrationTarget,
        displays: Sequence[DisplayPort] = (),
        preferences: PreferencesView | None = None,
    ) -> None:
        self._source = source
        self._inputs = inputs
        self._wires = tuple(wires)
        self._keeping = keeping
        self._displays = tuple(displays)
        self._preferences = preferences or PreferencesView()
        self._sequence = 0
        self._enough = False
        self._others: tuple[Measured, ...] = ()
        self._owes_discs = False
        """What discs felt is complete and not written yet."""
        self._look_ns: int | None = 0
        self._touched_ns = self._acted_ns = 0
        """When people last seemed to do something, and when they surely did."""
        self.alive: Callable[[], None] = lambda: None
        self.alive_ns: int | None = None
        self.idle_ns: int | None = None
        """This long after people last did something it ends on its own; None: never."""
        self.tell: Callable[[Sitting], None] = lambda _sitting: None
        self.trouble = ""
        """Why what was measured cannot be saved; empty while it can."""

    def end(self) -> None:
        """End the calibration at the next event that it takes."""
        self._enough = True

    def run(self, walk: Walk) -> Walk:
        """Guide a person through it; return where they ended. Ctrl-C ends it as a person does.

        The calibration is written when everything is dropped. What was measured is saved after
        every drop, so that neither Ctrl-C nor a power cut loses it.
        """
        for display in self._displays:
            display.start()
        self._others = others_unfinished(self._keeping, walk.plan.pieces)
        sitting = Sitting.begin(walk, self._wires, self._source.now_ns())
        try:
            active = self._inputs.start()
            sitting = Sitting.begin(walk, self._wires, self._source.now_ns(), active)
            sitting = self._show(sitting)
            self._touched_ns = self._acted_ns = self._source.now_ns()
            while not (sitting.walk.ended or self._enough or self._is_idle(sitting.walk)):
                event = self._next(sitting)
                before, sitting = sitting, step(sitting, event)
                self._notice_people(before.walk, sitting.walk)
                self._keep(before.walk, sitting.walk)
                self._sound(before.walk, sitting)
                sitting = self._show(sitting)
                self.alive()
        except (SourceClosed, KeyboardInterrupt):
            _logger.info("stopping")
        finally:
            if self.trouble:
                self._save(sitting.walk)
            self._stop()
        return sitting.walk

    def _next(self, sitting: Sitting) -> Event:
        """Wait for the next event; the countdown of the quiet minute continues meanwhile."""
        now_ns = self._source.now_ns()
        times = [sitting.next_wake_ns(), self._look_ns]
        if sitting.walk.stage is WalkStage.QUIET:
            times.append(now_ns + SECOND_NS)
        elif self.idle_ns is not None:
            times.append(self._idle_from_ns(self.idle_ns))
        if self.alive_ns is not None:
            times.append(now_ns + self.alive_ns)
        wake_ns = min((time for time in times if time is not None), default=None)
        event = self._source.next(wake_ns)
        if isinstance(event, Edge):
            self._look_ns = earliest((self._look_ns, event.at_ns + FIRST_LOOK_NS))
        if event is not None:
            return event
        self._look()
        return Tick(max(wake_ns or 0, sitting.walk.now_ns))

    def _look(self) -> None:
        """Look for lost edges when that is due."""
        now_ns = self._source.now_ns()
        if self._look_ns is not None and now_ns >= self._look_ns:
            self._look_ns = self._inputs.look(now_ns)

    def _is_idle(self, walk: Walk) -> bool:
        """Whether people have gone away; in the quiet minute they are not expected to act."""
        if self.idle_ns is None or walk.stage is WalkStage.QUIET:
            return False
        return self._source.now_ns() >= self._idle_from_ns(self.idle_ns)

    def _idle_from_ns(self, idle_ns: int) -> int:
        """Return when it ends unless people do something.

        What was refused may be a loose wire's: it alone keeps the calibration open only so long.
        """
        return min(self._touched_ns + idle_ns, self._acted_ns + REFUSALS * idle_ns)

    def _notice_people(self, before: Walk, walk: Walk) -> None:
        told = None if before.told is walk.told else walk.told
        if _done_by_people(before) != _done_by_people(walk):
            self._touched_ns = self._acted_ns = self._source.now_ns()
        elif told is not None and told.remark in {*REFUSED, Remark.ELSEWHERE}:
            self._touched_ns = self._source.now_ns()

    def _show(self, sitting: Sitting) -> Sitting:
        self._sequence += 1
        view = show_sitting(sitting, self._preferences, self._sequence)
        for display in self._displays:
            display.post(view)
        self.tell(sitting)
        return sitting

    def _sound(self, before: Walk, sitting: Sitting) -> None:
        sound = sound_of(before, sitting.walk)
        if sound is not None:
            for display in self._displays:
                display.post_sound(sound)

    def _keep(self, before: Walk, walk: Walk) -> None:
        """Save what was measured; write the calibration once it is complete.

        What discs felt is written once all flicks are done, whatever becomes of the drops. What
        could not be written is tried again with the next change, and at the end.
        """
        if _kept(before) == _kept(walk) and before.stage is walk.stage:
            return
        self._owes_discs |= before.stage is WalkStage.FLICKS
        self._owes_discs &= walk.stage is not WalkStage.FLICKS
        self._save(walk)

    def _save(self, walk: Walk) -> None:
        """Save the drops first: what discs felt is among them until it is written too."""
        try:
            done = walk.stage is WalkStage.DONE
            drops = bool(walk.measured.count)
            finishes = done and (bool(walk.plan.pockets) if drops else walk.has_discs)
            if not finishes:
                made = unfinished(self._keeping, walk, self._others)
                file.save_unfinished(made, self._keeping.path)
            if self._owes_discs:
                write_discs(self._keeping, walk)
                self._owes_discs = False
            if finishes:
                finish = write if drops else _leave
                finish(self._keeping, walk, self._others)
        except CalibrationError as error:
            if not self.trouble:
                _logger.warning("%s", error)
            self.trouble = str(error)
        else:
            self.trouble = ""

    def _stop(self) -> None:
        for display in self._displays:
            if not display.stop():
                _logger.warning("display %s did not stop in time", display.name)
        self._inputs.close()


def _done_by_people(walk: Walk) -> tuple[object, ...]:
    """Return what changes when people do something, or may again after the quiet minute.

    Edges do not count: a loose wire makes them with nobody there, and so does the next board's
    play, which shakes the same table.
    """
    return walk.acted_ns, walk.history, walk.stage


def _kept(walk: Walk) -> tuple[object, ...]:
    return walk.measured, walk.skipped, walk.discs, walk.left_out


def unfinished(
    keeping: CalibrationTarget, walk: Walk, others: Sequence[Measured] = ()
) -> Calibration:
    """Return what was measured so far, and with ``others`` before, as unfinished."""
    now, plan = keeping.now(), walk.plan
    rest = Unfinished(plan.drops, walk.skipped)
    if walk.discs is None:
        return Calibration(keeping.board, now, (*others, walk.measured), rest)
    rest = changed(rest, flicks=plan.flicks or None, left_out=walk.left_out)
    discs = CalibratedDiscs(now, walk.discs)
    return Calibration(keeping.board, now, (*others, walk.measured), rest, discs)


def others_unfinished(keeping: CalibrationTarget, pieces: PieceSet) -> tuple[Measured, ...]:
    """Return what an interrupted calibration of this board measured with other pieces."""
    before = _unfinished_before(keeping)
    there = () if before is None else before.measured
    return tuple(each for each in there if each.pieces is not pieces)


def start_over(keeping: CalibrationTarget, plan: CalibrationPlan) -> None:
    """Forget what an interrupted calibration measured of all that is to be measured now.

    What is measured with other pieces or into other pockets stays, and so do flicks if none are
    asked for. What is another board's or cannot be read is forgotten as a whole. Raises
    CalibrationError.
    """
    before = _unfinished_before(keeping) or Calibration(keeping.board, keeping.now(), ())
    measured, discs = before.measured, before.discs
    rest = before.unfinished or Unfinished(plan.drops)
    if plan.pockets:
        others = others_unfinished(keeping, plan.pieces)
        measured = (*others, _elsewhere(before, plan))
        rest = changed(rest, skipped=rest.skipped - set(plan.pockets))
    if plan.flicks and plan.has_hub:
        discs, rest = None, changed(rest, flicks=None, left_out=frozenset())
    if discs is None and not any(each.count for each in measured):
        file.forget_unfinished(keeping.path)
    else:
        left = Calibration(keeping.board, keeping.now(), measured, rest, discs)
        file.save_unfinished(left, keeping.path)


def _elsewhere(before: Calibration | None, plan: CalibrationPlan) -> Measured:
    """Return what was measured with the same pieces in pockets that are not asked for now."""
    measured = None if before is None else before.of(plan.pieces)
    return Measured(plan.pieces) if measured is None else measured.outside(plan.pockets)


def _unfinished_before(keeping: CalibrationTarget) -> Calibration | None:
    before = _readable(file.unfinished_path(keeping.path))
    return before if before is not None and before.board == keeping.board else None


def _leave(keeping: CalibrationTarget, walk: Walk, others: Sequence[Measured]) -> None:
    """Keep only what a finished calibration leaves undone: other pieces, pockets and sides.

    Raises CalibrationError.
    """
    measured = _elsewhere(_unfinished_before(keeping), walk.plan)
    rest = changed(walk, measured=measured, skipped=walk.skipped - set(walk.plan.pockets))
    lacking = walk.has_discs and not walk.has_all_flicks
    made = unfinished(keeping, rest if lacking else changed(rest, discs=None), others)
    before = _unfinished_before(keeping) if walk.discs is None else None
    if before is not None and before.discs is not None:
        made = changed(made, discs=before.discs, unfinished=before.unfinished)
    if made.discs is None and not any(each.count for each in made.measured):
        file.forget_unfinished(keeping.path)
    else:
        file.save_unfinished(made, keeping.path)


def _readable(path: Path) -> Calibration | None:
    try:
        return file.read(path)
    except CalibrationError:
        return None  # what cannot be read is kept beside it, like every earlier file


def write_discs(keeping: CalibrationTarget, walk: Walk) -> None:
    """Merge what discs felt of flicks into the file. Raises CalibrationError."""
    if walk.discs is not None and walk.has_discs:
        before = _readable(keeping.path)
        made = file.with_discs(before, keeping.board, keeping.now(), walk.discs)
        file.save(made, keeping.path)


def write(keeping: CalibrationTarget, walk: Walk, others: Sequence[Measured] = ()) -> Calibration:
    """Write a finished calibration over the previous one; CalibrationError if it fails.

    ``others`` was measured with other pieces and stays unfinished.
    """
    before = _readable(keeping.path)
    anew = [pocket for pocket in walk.plan.pockets if pocket not in walk.skipped]
    made = file.merged(before, keeping.board, keeping.now(), walk.measured, anew)
    if walk.discs is not None and walk.has_all_flicks:
        made = file.with_discs(made, keeping.board, made.made, walk.discs)
    file.save(made, keeping.path)
    _leave(keeping, walk, others)
    return made


def sound_of(before: Walk, walk: Walk) -> Sound | None:
    """Return the sound to play: a tick for a drop, a low beep for one that is not counted."""
    if walk.stage is WalkStage.DONE and before.stage is not WalkStage.DONE:
        return Sound.WIN
    if walk.told is before.told or walk.told is None:
        return None
    if walk.told.remark in REFUSED or walk.told.remark is Remark.ELSEWHERE:
        return Sound.REFUSED
    if walk.told.remark not in COUNTED:
        return None
    wanted = (walk.wanted_side, walk.wanted)
    return Sound.TICK if wanted == (before.wanted_side, before.wanted) else Sound.AGAIN
