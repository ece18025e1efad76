"""The walk through a calibration, on virtual time: from edges on wires to what was measured."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.calibration.measuring.board_view import show_sitting
from jackspot.calibration.measuring.measured import DropPlace, PieceKind, PieceSet
from jackspot.calibration.measuring.quiet import Noise, noise_of
from jackspot.calibration.measuring.walk import (
    SETTLE_NS,
    CalibrationPlan,
    FlickRemark,
    Remark,
    Walk,
    WalkStage,
)
from jackspot.calibration.measuring.wired_walk import Sitting, step
from jackspot.core.pieces import Pocket
from jackspot.dialogue.state.view import PreferencesView
from jackspot.displays.oled.layout import draw
from jackspot.sensing.events import (
    Button,
    ColourSeen,
    Edge,
    Event,
    FaultRaised,
    Gesture,
    Key,
    Place as Where,
    Press,
    Tick,
    Trouble,
    beam_wire,
)

MS = 1_000_000
SECOND = 1_000 * MS


@dataclass
class Person:
    """Somebody at a board that is being calibrated, and their clock."""

    sitting: Sitting
    now_ns: int = SECOND
    seen: list[Walk] = field(default_factory=list)

    @property
    def walk(self) -> Walk:
        return self.sitting.walk

    @property
    def stage(self) -> WalkStage:
        return self.sitting.walk.stage

    @property
    def remark(self) -> Remark | FlickRemark | None:
        return self.walk.told.remark if self.walk.told else None

    def event(self, event: Event) -> None:
        self.sitting = step(self.sitting, event)
        self.seen.append(self.walk)

    def wait(self, ns: int) -> None:
        until_ns = self.now_ns + ns
        while (wake_ns := self.sitting.next_wake_ns()) is not None and wake_ns <= until_ns:
            self.now_ns = max(self.now_ns, wake_ns)
            self.event(Tick(self.now_ns))
        self.now_ns = until_ns

    def says(self, key: Key, gesture: Gesture = Gesture.SHORT) -> None:
        button = Button(Where.PAGE, key)
        self.event(Press(self.now_ns, self.now_ns, button, gesture))

    def breaks(self, pocket: Pocket, *spans_ms: float) -> None:
        """Break a beam: pulse, gap, pulse ... in milliseconds."""
        for index, span_ms in enumerate(spans_ms):
            if index % 2 == 0:
                self.event(Edge(self.now_ns, pocket, active=True))
            self.wait(round(span_ms * MS))
            if index % 2 == 0:
                self.event(Edge(self.now_ns, pocket, active=False))

    def drops(self, pocket: Pocket, *spans_ms: float) -> None:
        self.breaks(pocket, *spans_ms)
        self.wait(SETTLE_NS + MS)


def person(
    pieces: PieceSet = PieceSet.CAROM, pockets: tuple[Pocket, ...] = (Pocket.NE, Pocket.SW),
    drops: int = 2, quiet_s: int = 0, active: Iterable[Pocket] = (),
) -> Person:  # fmt: skip
    plan = CalibrationPlan(pieces, pockets, drops, quiet_s * SECOND)
    sitting = Sitting.begin(Walk.begin(plan, 0), list(Pocket), 0, list(active))
    return Person(sitting)


def at_drops(drops: int = 2) -> Person:
    someone = person(drops=drops)
    someone.says(Key.OK)
    assert someone.stage is WalkStage.DROPS
    return someone


# --- from the beginning to the end -------------------------------------------------------


@pytest.mark.parametrize("pieces", PieceSet)
def test_every_kind_is_dropped_into_every_pocket(pieces: PieceSet) -> None:
    someone = person(pieces, quiet_s=60)
    someone.says(Key.OK)
    stages = [someone.stage]
    someone.wait(60 * SECOND)
    stages.append(someone.stage)
    someone.says(Key.OK)
    assert stages == [WalkStage.QUIET, WalkStage.HEARD]
    rng = random.Random(1)
    asked = []
    while (wanted := someone.walk.wanted) is not None:
        asked.append(wanted)
        someone.drops(wanted.pocket, rng.uniform(10.0, 12.0))
    assert asked == [
        DropPlace(pocket, kind)
        for pocket in (Pocket.NE, Pocket.SW)
        for kind in pieces.kinds
        for _ in range(2)
    ]
    assert (someone.stage, someone.walk.done, someone.walk.total) == (WalkStage.DONE, 12, 12)
    someone.says(Key.OK)
    assert someone.walk.ended


def test_a_width_is_kept_to_the_nanosecond() -> None:
    someone = at_drops()
    someone.drops(Pocket.NE, 11.234567)
    [drop] = someone.walk.measured.at(Pocket.NE, PieceKind.PUCK)
    assert drop.spans_ns == (11_234_567,)
    assert someone.remark is Remark.TAKEN


def test_a_piece_that_turns_over_is_one_drop() -> None:
    someone = at_drops()
    someone.drops(Pocket.NE, 9.0, 8.0, 13.5)
    assert someone.remark in (Remark.TAKEN, Remark.TWO)
    someone.says(Key.FIX)
    [drop] = someone.walk.measured.at(Pocket.NE, PieceKind.PUCK)
    assert drop.spans_ns == (9 * MS, 8 * MS, 13_500_000)


# --- what is not counted -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("spans", "remark"),
    [
        ((11, 120, 11), Remark.TWO),
        ((18.5,), Remark.TWO),
        ((400,), Remark.HAND),
        ((150, 200, 300), Remark.HAND),
        ((2.2,), Remark.FAR),
    ],
)
def test_what_is_no_single_piece_is_told_and_not_counted(
    spans: tuple[float, ...], remark: Remark
) -> None:
    someone = at_drops(drops=10)
    for _ in range(6):
        someone.drops(Pocket.NE, 11)
    someone.drops(Pocket.NE, *spans)
    assert (someone.remark, someone.walk.done) == (remark, 6)
    someone.drops(Pocket.NE, 11)
    assert (someone.remark, someone.walk.done) == (Remark.TAKEN, 7)


def test_spikes_are_no_drops() -> None:
    someone = at_drops()
    for _ in range(5):
        someone.drops(Pocket.NE, 0.9)
    assert (someone.walk.done, someone.walk.told) == (0, None)


def test_a_refused_drop_can_be_kept() -> None:
    someone = at_drops(drops=10)
    for _ in range(6):
        someone.drops(Pocket.NE, 11)
    someone.drops(Pocket.NE, 18.5)
    someone.says(Key.FIX)
    assert (someone.remark, someone.walk.done) == (Remark.KEPT, 7)
    someone.says(Key.FIX)
    assert someone.walk.done == 7, "it is kept once"


def test_a_fall_into_another_pocket_is_told_and_not_counted() -> None:
    someone = at_drops()
    someone.drops(Pocket.SW, 11)
    assert (someone.remark, someone.walk.done) == (Remark.ELSEWHERE, 0)


@pytest.mark.parametrize("has_head", [False, True])
def test_where_a_head_sees_pieces_both_colours_are_asked_for(has_head: bool) -> None:
    someone = at_drops(drops=2)

    def detail_after(width_ms: float) -> str:
        if has_head:
            someone.event(ColourSeen(someone.now_ns + 3 * MS, Pocket.NE, 700, 200, 100, 9))
        someone.drops(Pocket.NE, width_ms)
        return str(show_sitting(someone.sitting, PreferencesView()).detail)

    other = "; other colour next" if has_head else ""
    assert detail_after(11.2) == f"11.2 ms{other}"
    assert detail_after(11.4) == "11.4 ms", "a jack comes next, and there is one"
    assert someone.walk.wanted == DropPlace(Pocket.NE, PieceKind.JACK)
    assert detail_after(9.0) == "9.0 ms", "jacks look alike"


def test_a_pocket_that_is_not_measured_is_not_listened_to() -> None:
    someone = at_drops()
    someone.drops(Pocket.SE, 11)
    assert (someone.remark, someone.walk.done) == (None, 0)


# --- undo, skip, stop --------------------------------------------------------------------


def test_undo_takes_the_last_drop_back_across_kinds_and_pockets() -> None:
    someone = at_drops(drops=1)
    places = []
    while (wanted := someone.walk.wanted) is not None:
        places.append(wanted)
        someone.drops(wanted.pocket, 11)
    for place in reversed(places):
        someone.says(Key.UNDO)
        assert (someone.walk.wanted, someone.stage) == (place, WalkStage.DROPS)
    assert someone.walk.measured.count == 0
    someone.says(Key.UNDO)
    assert someone.walk.measured.count == 0


def test_undo_after_a_refused_drop_takes_nothing_good_back() -> None:
    someone = at_drops()
    someone.drops(Pocket.NE, 11)
    someone.drops(Pocket.NE, 400)
    someone.says(Key.UNDO)
    assert (someone.walk.done, someone.walk.told) == (1, None)
    someone.says(Key.UNDO)
    assert someone.walk.done == 0


def test_a_pocket_can_be_left_out_and_taken_in_again() -> None:
    someone = at_drops(drops=1)
    someone.says(Key.FIX, Gesture.HOLD)
    assert someone.walk.wanted == (Pocket.SW, PieceKind.PUCK)
    assert someone.walk.total == 3
    someone.says(Key.UNDO)
    assert someone.walk.wanted == (Pocket.NE, PieceKind.PUCK)
    assert someone.walk.total == 6


def test_holding_ok_stops_for_now() -> None:
    someone = at_drops()
    someone.drops(Pocket.NE, 11)
    someone.says(Key.OK, Gesture.HOLD)
    assert someone.walk.ended
    assert someone.walk.measured.count == 1


def test_what_was_interrupted_goes_on_where_it_was() -> None:
    before = at_drops()
    for _ in range(3):
        before.drops(Pocket.NE, 11)
    walk = before.walk
    again = Walk.begin(walk.plan, 5 * SECOND, walk.measured, walk.skipped)
    someone = Person(Sitting.begin(again, list(Pocket), 5 * SECOND), 5 * SECOND)
    someone.says(Key.OK)
    assert someone.walk.wanted == walk.wanted
    someone.says(Key.UNDO)
    assert someone.walk.done == 2


# --- the quiet minute --------------------------------------------------------------------


def heard(someone: Person, pocket: Pocket = Pocket.NE) -> Noise:
    return noise_of(someone.walk.measured.quiet[pocket])


def test_a_quiet_minute_is_quiet() -> None:
    someone = person(quiet_s=60)
    someone.says(Key.OK)
    someone.wait(60 * SECOND)
    assert heard(someone) is Noise.QUIET
    assert someone.walk.measured.quiet[Pocket.NE].lasted_ns == 60 * SECOND


def test_noise_is_counted_and_named_by_its_beam() -> None:
    someone = person(quiet_s=60)
    someone.says(Key.OK)
    someone.breaks(Pocket.NE, 0.5, 500, 0.7)
    someone.breaks(Pocket.SW, 30)
    someone.wait(60 * SECOND)
    assert (heard(someone), heard(someone, Pocket.SW)) == (Noise.SPIKES, Noise.STRAY)
    quiet = someone.walk.measured.quiet[Pocket.NE]
    assert (quiet.spikes, quiet.pulses) == (2, 0)


def test_a_beam_that_changes_all_the_time_flickers() -> None:
    someone = person(quiet_s=60)
    someone.says(Key.OK)
    for _ in range(40):
        someone.breaks(Pocket.NE, 3, 400)
    someone.wait(60 * SECOND)
    assert heard(someone) is Noise.FLICKERS


@pytest.mark.parametrize("from_start", [True, False])
def test_a_beam_that_stays_broken_is_blocked(from_start: bool) -> None:
    someone = person(quiet_s=60, active=[Pocket.NE] if from_start else [])
    someone.says(Key.OK)
    if not from_start:
        someone.event(Edge(someone.now_ns, Pocket.NE, active=True))
    someone.wait(60 * SECOND)
    assert heard(someone) is Noise.BLOCKED
    assert heard(someone, Pocket.SW) is Noise.QUIET


def test_the_minute_can_be_listened_to_again() -> None:
    someone = person(quiet_s=10)
    someone.says(Key.OK)
    someone.breaks(Pocket.NE, 30)
    someone.wait(10 * SECOND)
    someone.says(Key.UNDO)
    assert someone.stage is WalkStage.QUIET
    someone.wait(10 * SECOND)
    assert heard(someone) is Noise.QUIET


def test_a_blocked_beam_is_told_while_pieces_are_dropped() -> None:
    someone = at_drops()
    someone.event(Edge(someone.now_ns, Pocket.NE, active=True))
    someone.wait(3 * SECOND)
    assert someone.remark is Remark.BLOCKED
    assert [fault.trouble for fault in someone.sitting.faults] == [Trouble.BLOCKED]
    someone.event(Edge(someone.now_ns, Pocket.NE, active=False))
    someone.wait(SECOND)
    assert (someone.sitting.faults, someone.walk.done) == ((), 0)
    assert someone.sitting.lit == frozenset()
    assert someone.walk.told is None


def test_what_was_told_of_a_drop_stays_when_another_beam_is_whole_again() -> None:
    someone = at_drops()
    someone.event(Edge(someone.now_ns, Pocket.SW, active=True))
    someone.wait(3 * SECOND)
    someone.drops(Pocket.NE, 11.0)
    someone.event(Edge(someone.now_ns, Pocket.SW, active=False))
    someone.wait(SECOND)
    assert (someone.sitting.faults, someone.remark) == ((), Remark.TAKEN)


@pytest.mark.parametrize(("trouble", "remedy"), [
    (Trouble.BLOCKED, "clear it, check wires"), (Trouble.CHATTER, "shade it, check plug"),
])  # fmt: skip
def test_no_fault_has_people_press_fix_which_keeps_a_drop_here(
    trouble: Trouble, remedy: str
) -> None:
    someone = at_drops()
    someone.event(FaultRaised(someone.now_ns, beam_wire(Pocket.SW), trouble))
    [fault] = show_sitting(someone.sitting, PreferencesView()).faults
    assert str(fault.remedy) == remedy


def test_a_drop_taken_back_is_drawn_no_more() -> None:
    someone = at_drops()
    someone.drops(Pocket.NE, 11.0)
    someone.says(Key.UNDO)
    numbers = show_sitting(someone.sitting, PreferencesView()).calibration
    assert numbers is not None
    assert (numbers.count, numbers.last_ns) == (0, None)


def test_a_pin_that_cannot_be_had_is_a_fault() -> None:
    someone = person()
    someone.event(
        FaultRaised(someone.now_ns, beam_wire(Pocket.NE), Trouble.GONE, "held by another program")
    )
    assert [fault.part for fault in someone.sitting.faults] == ["pocket_ne"]


# --- anything ----------------------------------------------------------------------------

actions = st.one_of(
    st.tuples(st.just("drop"), st.sampled_from(Pocket), st.floats(0.1, 700)),
    st.tuples(st.just("press"), st.sampled_from(Key), st.sampled_from(Gesture)),
    st.tuples(st.just("wait"), st.integers(1, 30), st.none()),
)


@settings(max_examples=60)
@given(st.lists(actions, max_size=40), st.integers(0, 5))
def test_whatever_people_do_nothing_measured_is_lost_and_all_can_be_drawn(
    done: list[tuple[str, object, object]], quiet_s: int
) -> None:
    someone = person(quiet_s=quiet_s)
    for what, first, second in done:
        if what == "drop":
            assert isinstance(first, Pocket)
            assert isinstance(second, float)
            someone.drops(first, second)
        elif what == "press":
            assert isinstance(first, Key)
            assert isinstance(second, Gesture)
            someone.says(first, second)
        else:
            assert isinstance(first, int)
            someone.wait(first * SECOND)
        draw(show_sitting(someone.sitting, PreferencesView()), lambda text: text)
        places = [each for each in someone.walk.history if isinstance(each, DropPlace)]
        assert len(places) == someone.walk.measured.count, "every drop can be taken back"
    for before, after in itertools.pairwise(someone.seen):
        assert after.measured.count >= before.measured.count - 1
        assert 0 <= after.done <= after.total or not after.total


@given(st.lists(st.floats(9, 13), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_it_does_not_matter_how_late_a_tick_comes(widths: list[float], rng: random.Random) -> None:
    prompt, late = at_drops(drops=4), at_drops(drops=4)
    for width in widths:
        for each in (prompt, late):
            wanted = each.walk.wanted
            if wanted is not None:
                each.drops(wanted.pocket, width) if each is prompt else late_drop(each, width, rng)
    late.wait(SECOND)
    assert prompt.walk.measured == late.walk.measured


def late_drop(someone: Person, width_ms: float, rng: random.Random) -> None:
    """Drop a piece; the loop is asleep and takes its tick up to a second late."""
    wanted = someone.walk.wanted
    assert wanted is not None
    someone.event(Edge(someone.now_ns, wanted.pocket, active=True))
    someone.now_ns += round(width_ms * MS)
    someone.event(Edge(someone.now_ns, wanted.pocket, active=False))
    someone.now_ns += SETTLE_NS + rng.randint(1, 10**9)
    someone.event(Tick(someone.now_ns))
