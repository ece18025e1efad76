"""The simulated table's sensor hub: its own program, behind a real serial driver."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from jackspot.board import Board
from jackspot.config.load import Sources, load
from jackspot.core.pieces import Piece, Seat
from jackspot.core.settings import RuleSystem
from jackspot.sensing.events import Event, KnockHeard, Trouble
from jackspot.sensor_link.protocol.hearing import PART
from jackspot.values import changed
from jackspot_sim.boards.rig import Built, Onlookers, Rig
from jackspot_sim.browser.parts import HUB, Parts
from jackspot_sim.clock import SimClock
from jackspot_sim.physics import shoot
from jackspot_sim.physics.boards import board_of, disc_of
from jackspot_sim.physics.discs import Blow, blow_at, blows_of_shot
from jackspot_sim.physics.places import opening
from jackspot_sim.physics.values import Flick, Lying, Touch
from jackspot_sim.refusal import CannotHappen
from jackspot_sim.sensing.knocks import KNOCK_ABOVE, knocks_of
from jackspot_sim.table.running import Runs
from jackspot_sim.table.table import Breakage
from tests.conftest import PATIENCE_S

HIKONE = board_of(RuleSystem.HIKONE)
MASS_G = disc_of(HIKONE, Piece.STRIKER).mass_g
FROM = {
    Seat.S: Flick(20.0, -204.0, 2_000.0, math.pi / 2),
    Seat.N: Flick(20.0, 204.0, 2_000.0, -math.pi / 2),
    Seat.E: Flick(204.0, 20.0, 2_000.0, math.pi),
    Seat.W: Flick(-204.0, 20.0, 2_000.0, 0.0),
}


def blows(flick: Flick, lying: tuple[Lying, ...] = ()) -> tuple[Blow, ...]:
    shot = shoot(HIKONE, lying, flick)
    return blows_of_shot(HIKONE, flick, MASS_G, shot.contacts)


# --- what the discs feel ----------------------------------------------------------------


def test_a_meeting_passes_the_momentum_of_what_met() -> None:
    shot = shoot(HIKONE, (), Flick(0.0, 0.0, 1_000.0, 0.0))
    cushion = next(each for each in shot.contacts if each.touch is Touch.FRAME)
    expected = MASS_G * cushion.speed_mm_s / 1000 * (1 + HIKONE.frame_bounce)
    assert cushion.impulse_mns == pytest.approx(expected)


def test_two_pieces_pass_on_what_one_of_them_loses() -> None:
    shot = shoot(HIKONE, (Lying(1, Piece.RED, 40.0, 0.0),), Flick(0.0, 0.0, 2_000.0, 0.0))
    [click, *_] = [each for each in shot.contacts if each.touch is Touch.PIECES]
    expected = MASS_G / 2 * click.speed_mm_s / 1000 * (1 + HIKONE.piece_bounce)
    assert click.impulse_mns == pytest.approx(expected, rel=0.01)


@given(
    st.floats(-290, 290), st.floats(-290, 290), st.floats(0.1, 30), st.floats(1.1, 10)
)  # fmt: skip
def test_a_harder_blow_at_the_same_place_is_felt_more_everywhere(x, y, impulse, times) -> None:
    weak, strong = (blow_at(HIKONE, 0, x, y, each) for each in (impulse, impulse * times))
    for one, other in zip(weak.heights, strong.heights, strict=True):
        assert other == pytest.approx(times * one)


@pytest.mark.parametrize("seat", list(Seat))
def test_the_first_knock_of_a_shot_is_highest_at_the_shooters_side(seat: Seat) -> None:
    first, *_ = knocks_of(blows(FROM[seat], opening(RuleSystem.HIKONE)))
    heights = [peak.height for peak in first.peaks]
    assert heights.index(max(heights)) == list(Seat).index(seat)
    assert min(heights) > KNOCK_ABOVE


def test_a_shot_is_a_knock_and_others_after_it_and_then_quiet() -> None:
    told = knocks_of(blows(FROM[Seat.S], opening(RuleSystem.HIKONE)))
    assert len(told) >= 2
    assert told[0].at_ns < 5_000_000
    assert all(later.at_ns - one.at_ns >= 20_000_000 for one, later in pairwise(told))


def test_a_touch_too_light_for_the_hub_is_no_knock() -> None:
    assert knocks_of([blow_at(HIKONE, 1_000_000, 0.0, -290.0, 0.3)]) == ()


# --- behind its serial line -------------------------------------------------------------


class Heard(Board):
    """A board that lets the test see what it takes."""

    def __init__(self, parts, displays) -> None:
        super().__init__(parts, displays)
        [self.noted] = [each for each in displays if isinstance(each, Noted)]

    def take(self, event: Event) -> None:
        super().take(event)
        self.noted.took(event)


class Noted:
    """A display that notes views, and what the board takes."""

    name = "onlooker"

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.knocks: list[KnockHeard] = []
        self.troubles: list[Trouble] = []

    def took(self, event: Event) -> None:
        if isinstance(event, KnockHeard):
            with self._changed:
                self.knocks.append(event)
                self._changed.notify_all()

    def start(self) -> None:
        """Nothing to start."""

    def post(self, view) -> None:
        with self._changed:
            self.troubles = [each.trouble for each in view.faults if each.part == PART]
            self._changed.notify_all()

    def post_sound(self, sound: object) -> None:
        """Hear nothing."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        return True

    def wait_for(self, there) -> None:
        with self._changed:
            assert self._changed.wait_for(there, PATIENCE_S)


class Table:
    """A simulated table with a sensor hub, in its own time, with all threads of the product."""

    def __init__(self, folder: Path, speed: float | None = 1.0) -> None:
        config = load(Sources(()))
        web = changed(config.web, enabled=False)
        hub = changed(config.sensor_hub, port="/dev/ttyACM7")
        self.clock = SimClock(speed)
        self.noted = Noted()
        self.rig = Rig(
            changed(config, web=web, sensor_hub=hub),
            folder / "journal.sqlite3",
            self.clock,
            Onlookers(further=(self.noted,)),
            built=Built(Heard),
        )
        shaken = self.rig.hub.shake if self.rig.hub else lambda _blows: None
        self.runs = Runs(self.clock, self.rig.table, lambda: None, shaken=shaken)
        self.parts = Parts(self.rig, lambda: None)
        self._thread = threading.Thread(target=self.rig.run)

    def __enter__(self) -> Table:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.clock.close()
        self._thread.join(PATIENCE_S)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with Table(tmp_path) as running:
        yield running


def test_a_shot_is_heard_by_the_board_through_the_real_reader(table: Table) -> None:
    hub = table.rig.hub
    assert hub is not None
    assert hub.asked.wait(PATIENCE_S)
    run = table.runs.flick(FROM[Seat.S])
    table.noted.wait_for(lambda: len(table.noted.knocks) >= 2)
    heights = [peak.height for peak in table.noted.knocks[0].peaks]
    assert heights.index(max(heights)) == list(Seat).index(Seat.S)
    assert table.noted.knocks[0].at_ns >= run.begun_ns


def test_a_hub_that_is_pulled_out_is_a_fault_and_is_taken_up_again(table: Table) -> None:
    table.parts.break_part(HUB, Breakage.UNPLUGGED)
    table.noted.wait_for(lambda: table.noted.troubles == [Trouble.GONE])
    assert table.parts.faulty[HUB] is Breakage.UNPLUGGED
    table.parts.mend_part(HUB)
    table.noted.wait_for(lambda: not table.noted.troubles)
    assert HUB not in table.parts.faulty


def test_a_table_without_a_hub_has_none_to_pull_out(tmp_path: Path) -> None:
    config = load(Sources(()))
    rig = Rig(changed(config, web=changed(config.web, enabled=False)),
              tmp_path / "journal.sqlite3", SimClock())  # fmt: skip
    with closing(rig.keeper):
        assert rig.hub is None
        with pytest.raises(CannotHappen):
            Parts(rig, lambda: None).break_part(HUB, Breakage.UNPLUGGED)


def test_a_table_as_fast_as_it_goes_has_no_serial_line_and_says_so(tmp_path: Path, caplog) -> None:
    table = Table(tmp_path, None)
    with closing(table.rig.keeper):
        assert table.rig.hub is None
        assert "takes real time" in caplog.text


def test_the_knock_is_stamped_when_it_was(table: Table) -> None:
    del table  # the stamp needs no line: the knock's beginning, to within two looks at the discs
    told = knocks_of([blow_at(HIKONE, 500_000_000, 0.0, -200.0, 8.0)])
    [knock] = told
    assert isinstance(knock, KnockHeard)
    assert 0 <= knock.at_ns - 500_000_000 <= 2_000_000
