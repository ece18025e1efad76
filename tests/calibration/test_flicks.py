"""Flicks in a calibration, on virtual time: from a hub's knocks to how readings weigh them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.calibration.file import (
    CalibratedBoard,
    CalibratedDiscs,
    Calibration,
    CalibrationError,
    Unfinished,
    as_text,
    merged,
    parse,
    with_discs,
)
from jackspot.calibration.measuring.board_view import show_sitting
from jackspot.calibration.measuring.flicks import (
    FeltShake,
    FlickDoubt,
    MeasuredDiscs,
    doubt_of,
    strongest_side,
)
from jackspot.calibration.measuring.measured import Measured, PieceKind, PieceSet
from jackspot.calibration.measuring.walk import (
    PRESS_NS,
    CalibrationPlan,
    FlickRemark,
    Walk,
    WalkStage,
)
from jackspot.calibration.measuring.wired_walk import Sitting
from jackspot.core.pieces import Pocket, Seat
from jackspot.dialogue.state.view import PreferencesView
from jackspot.displays.oled.layout import draw
from jackspot.readings.shots import ShotModel
from jackspot.sensing.events import (
    ColourSeen,
    DiscPeak,
    DiscsListen,
    Edge,
    Gesture,
    HubDiscs,
    Key,
    KnockHeard,
)
from jackspot.sensing.limits import MS, SECOND
from jackspot.sensing.shaking import STILL_NS
from jackspot.values import changed
from jackspot_sim.traffic.drops import dropped
from tests.calibration.test_walk import Person

HUB = "51b0a7d51b0a7d00"
ALL = HubDiscs(HUB, tuple(Seat))
MADE = datetime(2026, 11, 26, 8, 5, tzinfo=UTC)
BOARD = CalibratedBoard("Jackspot", "full-i2c", {"pocket_ne": 5})


def peaks_from(side: Seat, height: int = 6_000) -> tuple[DiscPeak, ...]:
    """Return what four discs feel of a flick: half as much beside, a quarter across, and later."""
    far = [(seat - side) % 4 for side in [list(Seat).index(side)] for seat in range(4)]
    return tuple(DiscPeak(height // (1, 2, 4, 2)[n], (0, 1_000, 2_000, 1_000)[n]) for n in far)


THUMP = tuple(DiscPeak(2_000, 0) for _ in Seat)


class Flicker(Person):
    """Somebody at a board with a sensor hub while it is being calibrated, and their clock."""

    @property
    def discs(self) -> MeasuredDiscs:
        assert self.walk.discs is not None
        return self.walk.discs

    def knocks(self, peaks: tuple[DiscPeak, ...], times: int = 1) -> None:
        """Shake the board ``times`` times, each knock reported 25 ms late; then leave it still."""
        for _ in range(times):
            begin_ns = self.now_ns
            self.wait(25 * MS)
            self.event(KnockHeard(begin_ns, peaks))
            self.wait(200 * MS)
        self.wait(STILL_NS)

    def flicks(self, side: Seat, height: int = 6_000, times: int = 3) -> None:
        self.wait(2 * PRESS_NS)
        self.knocks(peaks_from(side, height), times)

    def listens(self, discs: HubDiscs = ALL) -> None:
        self.event(DiscsListen(self.now_ns, discs.sides, hub=discs.hub))


def begun(flicks: int = 2, quiet_s: int = 0, pockets: tuple[Pocket, ...] = (Pocket.NE,)) -> Flicker:
    plan = CalibrationPlan(PieceSet.CAROM, pockets, 1, quiet_s * SECOND, flicks)
    return Flicker(Sitting.begin(Walk.begin(plan, 0), list(Pocket), 0))


def at_flicks(flicks: int = 2) -> Flicker:
    someone = begun(flicks)
    someone.listens()
    someone.says(Key.OK)
    assert someone.walk.stage is WalkStage.FLICKS
    return someone


def test_what_a_head_sees_of_a_drop_is_kept_with_it_also_where_it_is_told_late() -> None:
    someone = begun()
    someone.says(Key.OK)
    began_ns = someone.now_ns
    someone.event(Edge(began_ns, Pocket.NE, active=True))
    someone.event(ColourSeen(began_ns + 3 * MS, Pocket.NE, 5_000, 1_000, 900, 200))
    someone.wait(11 * MS)
    someone.event(Edge(someone.now_ns, Pocket.NE, active=False))
    someone.event(ColourSeen(began_ns + 7 * MS, Pocket.NE, 5_100, 1_000, 900, 200))
    someone.event(ColourSeen(began_ns + 40 * MS, Pocket.NE, 900, 900, 900, 200))
    someone.wait(SECOND)
    [drop] = someone.walk.measured.at(Pocket.NE, PieceKind.PUCK)
    assert [(each.at_ns, each.red) for each in drop.seen] == [(3 * MS, 5_000), (7 * MS, 5_100)]


# --- who is asked -----------------------------------------------------------------------


def test_each_side_is_asked_for_in_turn_and_then_the_drops() -> None:
    someone = at_flicks()
    asked = []
    while (side := someone.walk.wanted_side) is not None:
        asked.append(side)
        someone.flicks(side)
    assert asked == [side for side in Seat for _ in range(2)]
    assert someone.walk.stage is WalkStage.DROPS
    assert {side: len(felt) for side, felt in someone.discs.flicks.items()} == dict.fromkeys(
        Seat, 2
    )


def test_a_flick_is_kept_as_it_was_felt() -> None:
    someone = at_flicks()
    someone.flicks(Seat.N, 5_001, times=4)
    [felt] = someone.discs.of(Seat.N)
    assert felt == FeltShake(peaks_from(Seat.N, 5_001), 4)


def test_without_discs_nobody_is_asked_to_flick() -> None:
    someone = begun(quiet_s=10)
    someone.says(Key.OK)
    someone.wait(10 * SECOND)
    someone.says(Key.OK)
    assert (someone.walk.stage, someone.walk.discs) == (WalkStage.DROPS, None)


def test_a_hub_without_discs_has_nobody_asked_to_flick() -> None:
    someone = begun()
    someone.event(DiscsListen(someone.now_ns, (), hub=""))
    someone.says(Key.OK)
    assert someone.walk.stage is WalkStage.DROPS


def test_no_flicks_are_asked_for_where_the_plan_has_none() -> None:
    someone = begun(flicks=0)
    someone.listens()
    someone.says(Key.OK)
    assert someone.walk.stage is WalkStage.DROPS


# --- what is not counted ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("peaks", "remark"),
    [(THUMP, FlickRemark.THUMP), (peaks_from(Seat.E), FlickRemark.OTHER_SIDE)],
)
def test_what_is_no_flick_of_the_side_is_told_and_not_counted_unless_it_is_kept(
    peaks: tuple[DiscPeak, ...], remark: FlickRemark
) -> None:
    someone = at_flicks()
    someone.wait(SECOND)
    someone.knocks(peaks)
    assert (someone.remark, someone.discs.count) == (remark, 0)
    someone.says(Key.FIX)
    assert (someone.remark, someone.discs.count) == (FlickRemark.KEPT, 1)
    someone.says(Key.FIX)
    assert someone.discs.count == 1, "it is kept once"


def test_who_presses_a_button_shakes_the_board_and_that_is_no_flick() -> None:
    someone = at_flicks()
    someone.knocks(peaks_from(Seat.N))
    assert (someone.remark, someone.discs.count) == (None, 0)
    someone.flicks(Seat.N)
    assert someone.discs.count == 1


def test_where_a_disc_is_missing_no_flick_is_doubted() -> None:
    two = HubDiscs(HUB, (Seat.N, Seat.S))
    felt = FeltShake(peaks_from(Seat.S), 2)
    assert doubt_of(felt, Seat.N, two) is FlickDoubt.NONE
    assert doubt_of(felt, Seat.N, ALL) is FlickDoubt.OTHER_SIDE
    assert strongest_side(felt) is Seat.S


# --- undo, leave out, stop --------------------------------------------------------------


def test_undo_takes_the_last_flick_back_across_sides_and_from_the_drops() -> None:
    someone = at_flicks(flicks=1)
    for side in Seat:
        someone.flicks(side)
    assert someone.walk.stage is WalkStage.DROPS
    for side in reversed(Seat):
        someone.says(Key.UNDO)
        assert (someone.walk.stage, someone.walk.wanted_side) == (WalkStage.FLICKS, side)
        assert someone.remark is FlickRemark.UNDONE
    assert someone.discs.count == 0


def test_undo_after_a_refused_flick_takes_nothing_good_back() -> None:
    someone = at_flicks()
    someone.flicks(Seat.N)
    someone.flicks(Seat.W)
    someone.says(Key.UNDO)
    assert (someone.discs.count, someone.walk.told) == (1, None)
    someone.says(Key.UNDO)
    assert someone.discs.count == 0


def test_a_flick_taken_back_is_drawn_no_more() -> None:
    someone = at_flicks()
    someone.flicks(Seat.N)
    someone.says(Key.UNDO)
    numbers = show_sitting(someone.sitting, PreferencesView()).calibration
    assert numbers is not None
    assert (numbers.count, numbers.felt) == (0, ())


def test_without_the_hub_undo_takes_no_flick_back_that_nobody_could_repeat() -> None:
    first = at_flicks()
    first.flicks(Seat.N)
    plan = first.walk.plan
    walk = Walk.begin(plan, 0, first.walk.measured, discs=first.discs)
    later = Flicker(Sitting.begin(walk, list(Pocket), 0))
    later.says(Key.OK)
    later.drops(Pocket.NE, 11.0)
    for _ in range(2):
        later.says(Key.UNDO)
    assert (later.stage, later.walk.measured.count) == (WalkStage.DROPS, 0)
    assert later.discs.count == 1
    later.listens()
    later.says(Key.UNDO)
    assert (later.stage, later.discs.count) == (WalkStage.FLICKS, 0)


def test_a_side_can_be_left_out_and_taken_in_again() -> None:
    someone = at_flicks()
    someone.says(Key.FIX, Gesture.HOLD)
    assert (someone.walk.wanted_side, someone.remark) == (Seat.E, FlickRemark.SKIPPED)
    someone.says(Key.UNDO)
    assert someone.walk.wanted_side is Seat.N


def test_holding_ok_stops_and_what_was_felt_is_there() -> None:
    someone = at_flicks()
    someone.flicks(Seat.N)
    someone.says(Key.OK, Gesture.HOLD)
    assert someone.walk.ended
    assert someone.discs.count == 1


def test_what_was_interrupted_goes_on_where_it_was() -> None:
    before = at_flicks()
    before.flicks(Seat.N)
    before.says(Key.FIX, Gesture.HOLD)
    walk = before.walk
    again = Walk.begin(walk.plan, 0, walk.measured, walk.skipped, walk.discs, walk.left_out)
    someone = Flicker(Sitting.begin(again, list(Pocket), 0))
    someone.listens()
    someone.says(Key.OK)
    assert (someone.walk.wanted_side, someone.discs.count) == (Seat.E, 1)


def test_what_other_discs_felt_before_is_left_out() -> None:
    someone = at_flicks()
    someone.flicks(Seat.N)
    someone.event(DiscsListen(someone.now_ns, ()))
    someone.listens(HubDiscs("0b0b", tuple(Seat)))
    assert (someone.discs.count, someone.discs.discs.hub) == (0, "0b0b")
    someone.says(Key.UNDO)
    assert someone.walk.stage is WalkStage.FLICKS


def test_a_hub_that_is_pulled_out_and_returns_loses_no_flick() -> None:
    someone = at_flicks()
    someone.flicks(Seat.N)
    someone.event(DiscsListen(someone.now_ns, ()))
    assert someone.walk.stage is WalkStage.FLICKS
    someone.listens()
    someone.flicks(Seat.N)
    assert (someone.discs.count, someone.walk.wanted_side) == (2, Seat.E)


# --- the quiet minute -------------------------------------------------------------------


def test_what_shakes_the_board_in_the_quiet_minute_is_counted_to_its_end() -> None:
    someone = begun(quiet_s=10)
    someone.listens()
    someone.says(Key.OK)
    someone.wait(SECOND)
    someone.knocks(THUMP, times=2)
    someone.wait(10 * SECOND - (someone.now_ns - someone.walk.since_ns) - 100 * MS)
    someone.knocks(THUMP)
    someone.knocks(THUMP)
    assert someone.walk.stage is WalkStage.HEARD
    assert someone.discs.quiet_ns == 10 * SECOND
    assert [each.knocks for each in someone.discs.quiet] == [2, 1], "the last came after it"


def test_a_quiet_minute_can_be_listened_to_again() -> None:
    someone = begun(quiet_s=10)
    someone.listens()
    someone.says(Key.OK)
    someone.knocks(THUMP)
    someone.wait(10 * SECOND)
    someone.says(Key.UNDO)
    someone.wait(10 * SECOND)
    assert someone.discs.quiet == ()


def test_only_the_time_in_which_discs_listened_counts_as_quiet() -> None:
    someone = begun(quiet_s=10)
    someone.says(Key.OK)
    someone.wait(4 * SECOND)
    someone.listens()
    someone.knocks(THUMP)
    someone.event(DiscsListen(someone.now_ns, ()))
    someone.listens()
    left_ns = someone.walk.quiet_left_ns
    someone.wait(10 * SECOND)
    assert (someone.discs.quiet_ns, someone.discs.quiet) == (left_ns, ())


def test_a_minute_at_whose_end_no_disc_listens_was_not_heard() -> None:
    someone = begun(quiet_s=10)
    someone.listens()
    someone.says(Key.OK)
    someone.event(DiscsListen(someone.now_ns, ()))
    someone.wait(10 * SECOND)
    assert someone.discs.quiet_ns == 0


# --- anything ---------------------------------------------------------------------------

actions = st.one_of(
    st.tuples(st.just("flick"), st.sampled_from(Seat), st.integers(400, 65_535)),
    st.tuples(st.just("thump"), st.integers(1, 5), st.none()),
    st.tuples(st.just("press"), st.sampled_from(Key), st.sampled_from(Gesture)),
    st.tuples(st.just("wait"), st.integers(1, 30), st.none()),
    st.tuples(st.just("hub"), st.sampled_from(["", HUB, "0b0b"]), st.none()),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(actions, max_size=40), st.integers(0, 5))
def test_whatever_people_do_every_flick_can_be_taken_back_and_all_can_be_drawn_and_kept(
    done: list[tuple[str, object, object]], quiet_s: int
) -> None:
    someone = begun(quiet_s=quiet_s)
    for what, first, second in done:
        match what, first, second:
            case "flick", Seat(), int():
                someone.flicks(first, second)
            case "thump", int(), _:
                someone.knocks(THUMP, first)
            case "press", Key(), Gesture():
                someone.says(first, second)
            case "wait", int(), _:
                someone.wait(first * SECOND)
            case "hub", str(), _:
                sides = tuple(Seat) if first else ()
                someone.event(DiscsListen(someone.now_ns, sides, hub=first))
        draw(show_sitting(someone.sitting, PreferencesView()), lambda text: text)
        discs = someone.walk.discs
        flicks = [each for each in someone.walk.history if not isinstance(each, str)]
        assert len(flicks) == (discs.count if discs else 0) + someone.walk.measured.count
        if discs is not None:
            made = Calibration(BOARD, MADE, (), None, CalibratedDiscs(MADE, discs))
            assert parse(as_text(made)).discs == made.discs or discs.quiet_ns % MS


# --- what is made of it -----------------------------------------------------------------


def measured_discs(discs: HubDiscs = ALL, sides: tuple[Seat, ...] = tuple(Seat)) -> MeasuredDiscs:
    found = MeasuredDiscs(discs, 60 * SECOND, (FeltShake(THUMP, 1),) * 6)
    for side in sides:
        for height in (1_500, 3_000, 6_000, 12_000, 20_000):
            found = found.with_flick(side, FeltShake(peaks_from(side, height), 3))
    return found


def test_flicks_and_a_quiet_minute_move_what_readings_weigh_by() -> None:
    shots, guessed = measured_discs().shots(), ShotModel()
    assert shots.learnt_with == ALL
    assert shots.others_a_minute > guessed.others_a_minute + 3
    for side in Seat:
        flick = FeltShake(peaks_from(side), 3).shake(tuple(Seat))
        assert shots.fits(flick, side) > guessed.fits(flick, side)
        strange = changed(flick, strange=True)
        assert shots.fits(strange, side) == guessed.fits(flick, side), "others were learnt with"
        assert shots.others_a_second([strange], SECOND) == guessed.others_a_second([flick], SECOND)


felt = st.builds(
    FeltShake,
    st.tuples(*[st.builds(DiscPeak, st.integers(0, 65_535), st.integers(0, 65_535))] * 4),
    st.integers(1, 65_535),
)
some_discs = st.builds(
    HubDiscs,
    st.text("0123456789abcdef", min_size=1, max_size=32),
    st.lists(st.sampled_from(Seat), min_size=1, unique=True).map(
        lambda each: tuple(seat for seat in Seat if seat in each)
    ),
)
felt_by_discs = st.builds(
    MeasuredDiscs,
    some_discs,
    st.integers(0, 3_600_000).map(lambda ms: ms * MS),
    st.lists(felt, max_size=5).map(tuple),
    st.dictionaries(st.sampled_from(Seat), st.lists(felt, min_size=1, max_size=4).map(tuple)),
)


@given(felt_by_discs, st.none() | st.integers(0, 1_000), st.frozensets(st.sampled_from(Seat)))
def test_what_is_written_is_read_back(
    measured: MeasuredDiscs, flicks: int | None, left_out: frozenset[Seat]
) -> None:
    rest = Unfinished(3, frozenset(), flicks, left_out)
    made = Calibration(BOARD, MADE, (), rest, CalibratedDiscs(MADE, measured))
    text = as_text(made)
    assert "version = 2" in text
    again = parse(text)
    assert (again.discs, again.unfinished) == (made.discs, rest)
    assert again.shots() == made.shots()


def test_a_file_without_discs_is_of_version_1_as_before() -> None:
    made = Calibration(BOARD, MADE, (dropped(PieceSet.CAROM, 1, 30.0, 1),), Unfinished(3))
    text = as_text(made)
    assert "version = 1" in text
    assert not any(word in text for word in ("discs", "flicks", "left_out"))
    assert parse(text).shots() == ShotModel()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('sides = "NESW"', 'sides = "WN"'), "discs.sides: string should match"),
        (('sides = "NESW"', 'sides = ""'), "discs.sides: "),
        ((f'hub = "{HUB}"', 'hub = "../x"'), "discs.hub: string should match"),
        (("quiet = [[1, ", "quiet = [[0, "), "at least 1 knock"),
        (("quiet = [[1, ", "quiet = [[-1, "), "discs.quiet.0.0: "),
        (("quiet = [[1, ", "quiet = [["), "discs.quiet.0: list should have at least 9 items"),
        (('side = "E"', 'side = "N"'), "a side stands there twice: N N S W"),
        (('side = "E"', 'side = "X"'), "discs.flicks.1.side: "),
    ],
)
def test_each_mistake_is_named_with_its_place(change: tuple[str, str], says: str) -> None:
    made = Calibration(BOARD, MADE, (), None, CalibratedDiscs(MADE, measured_discs()))
    text = as_text(made).replace(*change, 1)
    assert text != as_text(made)
    with pytest.raises(CalibrationError) as raised:
        parse(text)
    assert says in str(raised.value)
    assert str(raised.value).endswith("calibrate again")


# --- what was there before --------------------------------------------------------------

LATER = datetime(2026, 12, 1, tzinfo=UTC)


def test_discs_are_laid_over_a_calibration_and_its_drops_stay() -> None:
    before = Calibration(BOARD, MADE, (dropped(PieceSet.CAROM, 1, 30.0, 1),))
    made = with_discs(before, BOARD, LATER, measured_discs())
    assert (made.made, made.measured) == (MADE, before.measured)
    assert made.discs == CalibratedDiscs(LATER, measured_discs())
    again = merged(made, BOARD, LATER, Measured(PieceSet.CAROM), [Pocket.NE])
    assert again.discs == made.discs, "new drops leave discs as they are"


def test_sides_from_which_nobody_flicked_anew_stay_unless_it_is_another_hub() -> None:
    before = with_discs(None, BOARD, MADE, measured_discs(sides=(Seat.N, Seat.E)))
    same = with_discs(before, BOARD, LATER, changed(measured_discs(sides=(Seat.E,)), quiet_ns=0))
    assert same.discs is not None
    assert list(same.discs.measured.flicks) == [Seat.N, Seat.E]
    assert same.discs.measured.quiet_ns == 60 * SECOND
    other = measured_discs(HubDiscs("0b0b", tuple(Seat)), (Seat.S,))
    found = with_discs(before, BOARD, LATER, other)
    assert found.discs is not None
    assert found.discs.measured == other


def test_discs_of_another_board_are_left_out() -> None:
    before = with_discs(None, BOARD, MADE, measured_discs())
    other = changed(BOARD, name="Board 7")
    assert merged(before, other, LATER, Measured(PieceSet.CAROM), []).discs is None
    assert with_discs(before, other, LATER, measured_discs()).measured == ()
