"""What a calibration leaves in its files: drops, flicks and the other pieces, on virtual time."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from jackspot.calibration import file
from jackspot.calibration.live import begun, keeping_for
from jackspot.calibration.measuring.flicks import FeltShake, MeasuredDiscs
from jackspot.calibration.measuring.measured import (
    Drop,
    DropPlace,
    Measured,
    PieceKind,
    PieceSet,
)
from jackspot.calibration.measuring.walk import CalibrationPlan, Walk, WalkStage
from jackspot.calibration.sitting import (
    CalibrationTarget,
    LiveSitting,
    start_over,
    unfinished,
    write,
)
from jackspot.config.model import Origin, check
from jackspot.core.pieces import Pocket, Seat
from jackspot.sensing.events import (
    Button,
    DiscsListen,
    Edge,
    Event,
    Gesture,
    Key,
    KnockHeard,
    Place,
    Press,
)
from jackspot.sensing.limits import MS, SECOND
from jackspot.values import changed
from jackspot_sim.clock import SimClock
from tests.calibration.test_flicks import ALL, HUB, peaks_from

CONFIG = check({}, Origin("test", {}))


class NoWires:
    """Inputs that submit nothing."""

    def start(self) -> frozenset[Pocket | Button]:
        return frozenset()

    def look(self, now_ns: int) -> int | None:
        return None

    def close(self) -> None:
        """Nothing to release."""


class Evening:
    """One sitting: what people do in it, one thing after the other, and what was measured.

    One drop of each kind into each pocket is asked for, and one flick from each side.
    """

    def __init__(
        self, keeping: CalibrationTarget, pieces: PieceSet = PieceSet.CAROM,
        pockets: tuple[Pocket, ...] = (Pocket.NE,), flicks: int = 1,
    ) -> None:  # fmt: skip
        self._clock = SimClock(None)
        self._after_ns = SECOND
        plan = CalibrationPlan(pieces, pockets, drops=1, quiet_ns=0, flicks=flicks)
        self._walk = begun(plan, keeping, CONFIG, as_before=False)
        self.live = LiveSitting(self._clock, NoWires(), list(Pocket), keeping)

    def then(self, act: Callable[[], object], wait_ns: int = SECOND) -> None:
        self._clock.after(self._after_ns, act)
        self._after_ns += wait_ns

    def _event(self, made: Callable[[int], Event], wait_ns: int = SECOND) -> None:
        self.then(lambda: self._clock.submit(made(self._clock.now_ns())), wait_ns)

    def press(self, key: Key = Key.OK, gesture: Gesture = Gesture.SHORT) -> None:
        self._event(lambda now_ns: Press(now_ns, now_ns, Button(Place.PAGE, key), gesture))

    def listens(self) -> None:
        self._event(lambda now_ns: DiscsListen(now_ns, tuple(Seat), hub=HUB))

    def flick(self, *sides: Seat) -> None:
        for side in sides:
            self._event(partial(KnockHeard, peaks=peaks_from(side)), 20 * SECOND)

    def drop(self, times: int = 1, pocket: Pocket = Pocket.NE) -> None:
        for _ in range(times):
            self._event(lambda now_ns: Edge(now_ns, pocket, active=True), 11 * MS)
            self._event(lambda now_ns: Edge(now_ns, pocket, active=False), 2 * SECOND)

    def stop(self) -> Walk:
        self.press(gesture=Gesture.HOLD)
        return self.live.run(self._walk)

    def leave(self) -> Walk:
        self.live.idle_ns = 180 * SECOND
        return self.live.run(self._walk)

    def finish(self) -> None:
        self.press()
        walk = self.live.run(self._walk)
        assert (walk.stage, self.live.trouble) == (WalkStage.DONE, "")


@pytest.fixture
def keeping(tmp_path: Path) -> CalibrationTarget:
    return keeping_for(CONFIG, tmp_path / "calibration.toml")


def finished(keeping: CalibrationTarget) -> file.Calibration:
    found = file.read(keeping.path)
    assert found is not None
    return found


def interrupted(keeping: CalibrationTarget) -> file.Calibration | None:
    return file.read(file.unfinished_path(keeping.path))


def counts(calibration: file.Calibration | None) -> dict[PieceSet, int]:
    """Return how many drops of each set of pieces a calibration has."""
    return {} if calibration is None else {m.pieces: m.count for m in calibration.measured}


def sides(calibration: file.Calibration | None) -> list[Seat]:
    """Return the sides from which discs felt flicks."""
    if calibration is None or calibration.discs is None:
        return []
    return list(calibration.discs.measured.flicks)


# --- flicks ------------------------------------------------------------------------------


def test_flicks_from_some_sides_outlive_drops_at_a_board_whose_hub_is_gone(
    keeping: CalibrationTarget,
) -> None:
    first = Evening(keeping)
    first.listens()
    first.press()
    first.flick(Seat.N, Seat.E)
    assert first.stop().stage is WalkStage.FLICKS
    second = Evening(keeping)
    second.press()
    second.drop(3)
    second.finish()
    assert counts(finished(keeping)) == {PieceSet.CAROM: 3}
    assert (sides(finished(keeping)), sides(interrupted(keeping))) == ([], [Seat.N, Seat.E])
    third = Evening(keeping)
    third.listens()
    third.press()
    third.flick(Seat.S, Seat.W)
    third.drop(3)
    third.finish()
    assert (counts(finished(keeping)), sides(finished(keeping))) == (
        {PieceSet.CAROM: 3},
        list(Seat),
    )
    assert interrupted(keeping) is None


def test_flicks_from_some_sides_outlive_a_calibration_of_discs_alone_without_the_hub(
    keeping: CalibrationTarget,
) -> None:
    first = Evening(keeping, pockets=())
    first.listens()
    first.press()
    first.flick(Seat.N)
    first.stop()
    second = Evening(keeping, pockets=())
    second.press()
    second.finish()
    assert sides(interrupted(keeping)) == [Seat.N]


def test_the_last_flick_beside_drops_that_wait_is_saved_with_them(
    keeping: CalibrationTarget,
) -> None:
    first = Evening(keeping)
    first.press()
    first.drop(2)
    first.stop()
    second = Evening(keeping)
    second.listens()
    second.press()
    second.flick(Seat.N, Seat.E, Seat.S)
    second.stop()
    third = Evening(keeping, pockets=())
    third.listens()
    third.press()
    third.flick(Seat.W)
    third.leave()
    assert sides(finished(keeping)) == list(Seat)
    assert counts(interrupted(keeping)) == {PieceSet.CAROM: 2}
    assert sides(interrupted(keeping)) == list(Seat)


@pytest.mark.parametrize("all_dropped", [True, False])
def test_flicks_that_a_full_disk_refused_are_written_once_it_has_room(
    *, all_dropped: bool, keeping: CalibrationTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    force, full = os.fsync, [False]

    def refusing(descriptor: int) -> None:
        if full[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        force(descriptor)

    monkeypatch.setattr(os, "fsync", refusing)
    evening = Evening(keeping)
    evening.listens()
    evening.press()
    evening.flick(Seat.N, Seat.E, Seat.S)
    evening.then(lambda: full.append(not full.pop()))
    evening.flick(Seat.W)
    evening.then(lambda: full.append(not full.pop()))
    if all_dropped:
        evening.drop(3)
        evening.finish()
    else:
        assert evening.stop().stage is WalkStage.DROPS
        assert evening.live.trouble == ""
    assert sides(finished(keeping)) == list(Seat)


def test_drops_and_flicks_are_saved_while_the_finished_file_cannot_be_written(
    keeping: CalibrationTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_made: file.Calibration, path: Path) -> None:
        raise file.CalibrationError(f"{path}: cannot be written")

    monkeypatch.setattr(file, "save", refused)
    evening = Evening(keeping)
    evening.listens()
    evening.press()
    evening.flick(*Seat)
    evening.drop(2)
    evening.stop()
    assert evening.live.trouble
    assert counts(interrupted(keeping)) == {PieceSet.CAROM: 2}
    assert sides(interrupted(keeping)) == list(Seat)


def test_flicks_that_nobody_asks_for_any_more_replace_none_of_a_finished_calibration(
    keeping: CalibrationTarget,
) -> None:
    first = Evening(keeping)
    first.listens()
    first.press()
    first.flick(*Seat)
    first.drop(3)
    first.finish()
    before = finished(keeping).discs
    second = Evening(keeping)
    second.listens()
    second.press()
    second.flick(Seat.N)
    second.stop()
    third = Evening(keeping, flicks=0)
    third.press()
    third.drop(3)
    third.finish()
    assert finished(keeping).discs == before
    assert sides(interrupted(keeping)) == [Seat.N]


def test_flicks_that_wait_outlive_a_calibration_from_captures(keeping: CalibrationTarget) -> None:
    first = Evening(keeping)
    first.listens()
    first.press()
    first.flick(Seat.N)
    first.stop()
    measured = Measured(PieceSet.CAROM).with_drop(
        DropPlace(Pocket.NE, PieceKind.PUCK), Drop((11 * MS,))
    )
    write(keeping, Walk.begin(CalibrationPlan(PieceSet.CAROM), 0, measured))
    assert counts(finished(keeping)) == {PieceSet.CAROM: 1}
    assert sides(interrupted(keeping)) == [Seat.N]


def test_what_a_full_disk_refused_is_tried_again_when_people_have_gone(
    keeping: CalibrationTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    save, full = file.save_unfinished, [True]

    def refusing(made: file.Calibration, path: Path) -> None:
        if full[0]:
            raise file.CalibrationError("no room")
        save(made, path)

    monkeypatch.setattr(file, "save_unfinished", refusing)
    evening = Evening(keeping)
    evening.press()
    evening.drop(2)
    evening.then(lambda: full.append(not full.pop()))
    evening.leave()
    assert counts(interrupted(keeping)) == {PieceSet.CAROM: 2}
    assert evening.live.trouble == ""


@pytest.mark.parametrize(("pieces", "ends"), [(40, False), (80, True)])
def test_pieces_that_are_refused_keep_it_open_for_a_while(
    *, pieces: int, ends: bool, keeping: CalibrationTarget
) -> None:
    evening = Evening(keeping, pockets=(Pocket.NE, Pocket.SW))
    evening.press()
    for _ in range(pieces):
        evening.drop(1, Pocket.SW)
        evening.then(lambda: None, 10 * SECOND)
    evening.drop(1)
    walk = evening.leave()
    assert (walk.measured.count == 0) is ends


def test_of_unfinished_calibrations_that_fit_no_more_the_newest_three_are_kept(
    keeping: CalibrationTarget,
) -> None:
    unfinished = file.unfinished_path(keeping.path)
    for number in range(4):
        unfinished.write_text(f"# {number}\n", encoding="utf-8")
        file.put_unfinished_aside(keeping.path)
    kept = [file.backup_path(unfinished, n).read_text(encoding="utf-8") for n in (1, 2, 3)]
    assert kept == ["# 3\n", "# 2\n", "# 1\n"]


# --- the other pieces --------------------------------------------------------------------


def test_drops_of_one_set_of_pieces_outlive_a_calibration_with_the_other(
    keeping: CalibrationTarget,
) -> None:
    for pieces in PieceSet:
        evening = Evening(keeping, pieces)
        evening.press()
        evening.drop(2)
        evening.stop()
    assert counts(interrupted(keeping)) == {PieceSet.CAROM: 2, PieceSet.CARROM: 2}
    for pieces, left in ((PieceSet.CARROM, {PieceSet.CAROM: 2}), (PieceSet.CAROM, {})):
        evening = Evening(keeping, pieces)
        evening.press()
        evening.drop(1)
        evening.finish()
        assert counts(interrupted(keeping)) == left
    assert counts(finished(keeping)) == {PieceSet.CAROM: 3, PieceSet.CARROM: 3}
    assert not file.unfinished_path(keeping.path).exists()


@pytest.mark.parametrize(
    ("plan", "left", "felt"),
    [
        (CalibrationPlan(PieceSet.CAROM), {PieceSet.CARROM: 2}, [Seat.N]),
        (CalibrationPlan(PieceSet.CAROM, has_hub=True), {PieceSet.CARROM: 2}, []),
        (CalibrationPlan(PieceSet.CAROM, flicks=0, has_hub=True), {PieceSet.CARROM: 2}, [Seat.N]),
        (CalibrationPlan(PieceSet.CAROM, (), has_hub=True), dict.fromkeys(PieceSet, 2), []),
    ],
    ids=["no hub", "drops and flicks", "drops alone", "flicks alone"],
)
def test_starting_over_forgets_what_is_measured_again_and_nothing_else(
    keeping: CalibrationTarget,
    plan: CalibrationPlan,
    left: dict[PieceSet, int],
    felt: list[Seat],
) -> None:
    for pieces in PieceSet:
        evening = Evening(keeping, pieces)
        evening.press()
        evening.drop(2)
        evening.stop()
    flick = MeasuredDiscs(ALL, 0).with_flick(Seat.N, FeltShake(peaks_from(Seat.N), 1))
    discs = file.CalibratedDiscs(keeping.now(), flick)
    made = interrupted(keeping)
    assert made is not None
    file.save_unfinished(changed(made, discs=discs), keeping.path)
    start_over(keeping, plan)
    assert (counts(interrupted(keeping)), sides(interrupted(keeping))) == (left, felt)
    if Seat.N not in felt:
        for pieces in left:
            start_over(keeping, CalibrationPlan(pieces))
        assert not file.unfinished_path(keeping.path).exists()


def interrupt_both(keeping: CalibrationTarget) -> None:
    """Interrupt a calibration of three pockets, of which the last was left out, with each set."""
    for pieces in PieceSet:
        evening = Evening(keeping, pieces, (Pocket.NE, Pocket.SW, Pocket.SE))
        evening.press()
        evening.drop(len(pieces.kinds))
        evening.drop(1, Pocket.SW)
        evening.stop()
    made = interrupted(keeping)
    assert made is not None
    unfinished = file.Unfinished(7, frozenset({Pocket.NE, Pocket.SE}), flicks=8)
    flick = MeasuredDiscs(ALL, 0).with_flick(Seat.N, FeltShake(peaks_from(Seat.N), 1))
    discs = file.CalibratedDiscs(keeping.now(), flick)
    file.save_unfinished(changed(made, unfinished=unfinished, discs=discs), keeping.path)


def by_pocket(calibration: file.Calibration | None, pieces: PieceSet) -> dict[Pocket, int]:
    """Return how many drops a calibration has of a set of pieces in each pocket."""
    measured = None if calibration is None else calibration.of(pieces)
    each = ((pocket, len(list(measured.into(pocket)))) for pocket in Pocket if measured)
    return {pocket: drops for pocket, drops in each if drops}


ALL_DROPS = {Pocket.NE: 3, Pocket.SW: 1}


@pytest.mark.parametrize("pieces", PieceSet)
@pytest.mark.parametrize(
    ("pockets", "left", "skipped"),
    [
        ((Pocket.NE,), {Pocket.SW: 1}, {Pocket.SE}),
        ((Pocket.SW,), {Pocket.NE: 3}, {Pocket.NE, Pocket.SE}),
        ((Pocket.SE, Pocket.NE), {Pocket.SW: 1}, set()),
        ((Pocket.NW,), ALL_DROPS, {Pocket.NE, Pocket.SE}),
        (tuple(Pocket), {}, set()),
        ((), ALL_DROPS, {Pocket.NE, Pocket.SE}),
    ],
)
def test_starting_over_with_some_pockets_forgets_what_was_dropped_into_these_alone(
    keeping: CalibrationTarget, pockets: tuple[Pocket, ...], left: dict[Pocket, int],
    skipped: set[Pocket], pieces: PieceSet,
) -> None:  # fmt: skip
    interrupt_both(keeping)
    start_over(keeping, CalibrationPlan(pieces, pockets))
    made = interrupted(keeping)
    assert made is not None
    [other] = [each for each in PieceSet if each is not pieces]
    assert by_pocket(made, other) == ALL_DROPS
    assert by_pocket(made, pieces) == left
    assert made.unfinished is not None
    assert made.unfinished.skipped == skipped


@pytest.mark.parametrize("has_old", [False, True])
@pytest.mark.parametrize("anew", [False, True])
def test_what_was_dropped_elsewhere_stays_unfinished_when_some_pockets_are_finished(
    keeping: CalibrationTarget, anew: bool, has_old: bool
) -> None:
    pieces, asked = PieceSet.CAROM, (Pocket.SE, Pocket.NE)
    if has_old:
        evening = Evening(keeping, pieces, (Pocket.NE, Pocket.SW))
        evening.press()
        for pocket in (Pocket.NE, Pocket.SW):
            evening.drop(3, pocket)
        evening.finish()
    interrupt_both(keeping)
    if anew:
        start_over(keeping, CalibrationPlan(pieces, asked))
    evening = Evening(keeping, pieces, asked)
    evening.press()
    evening.drop(3, Pocket.SE)
    evening.drop(3 * anew, Pocket.NE)
    evening.finish()
    done = by_pocket(finished(keeping), pieces)
    assert done == {Pocket.NE: 3, Pocket.SE: 3, Pocket.SW: 3 if has_old else 1}
    assert by_pocket(interrupted(keeping), pieces) == {Pocket.SW: 1}
    assert by_pocket(interrupted(keeping), PieceSet.CARROM) == ALL_DROPS


@pytest.mark.parametrize("as_before", [False, True])
@pytest.mark.parametrize(
    ("pockets", "has_hub"), [((), True), ((), False), ((Pocket.NE,), False), ((Pocket.NE,), True)]
)
def test_kept_drops_and_flicks_ask_for_as_many_as_before_where_none_are_measured_now(
    keeping: CalibrationTarget, pockets: tuple[Pocket, ...], has_hub: bool, as_before: bool
) -> None:
    interrupt_both(keeping)
    plan = CalibrationPlan(PieceSet.CAROM, pockets, has_hub=has_hub)
    if not as_before:
        start_over(keeping, plan)
    walk = begun(plan, keeping, CONFIG, as_before=as_before)
    made = unfinished(keeping, walk).unfinished
    assert made is not None
    assert made.drops == (7 if as_before or not pockets else plan.drops)
    if as_before or not has_hub:
        assert made.flicks == 8
    else:
        assert walk.plan.flicks == plan.flicks


def test_a_pocket_that_was_left_out_with_one_set_of_pieces_is_asked_for_with_the_other(
    keeping: CalibrationTarget,
) -> None:
    both = (Pocket.NE, Pocket.SW)
    first = Evening(keeping, PieceSet.CAROM, both)
    first.press()
    first.drop(1)
    first.stop()
    second = Evening(keeping, PieceSet.CARROM, both)
    second.press()
    second.drop(3)
    second.press(Key.FIX, Gesture.HOLD)
    second.finish()
    third = Evening(keeping, PieceSet.CAROM, both)
    third.press()
    third.drop(2)
    walk = third.stop()
    assert walk.wanted is not None
    assert walk.wanted.pocket is Pocket.SW
