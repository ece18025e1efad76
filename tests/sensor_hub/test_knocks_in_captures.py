"""A match with knocks replays bit for bit; one without is as it was before there were any."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jackspot.calibration.file import CalibratedBoard, Calibration, as_text, with_discs
from jackspot.calibration.measuring.flicks import FeltShake, MeasuredDiscs
from jackspot.capture.tap import Recipient
from jackspot.capture.vcd_file import Capture, read_capture
from jackspot.config.load import Sources, load
from jackspot.config.model import Config, Origin, check
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.dialogue.state.view import BoardView
from jackspot.displays.oled.layout import draw
from jackspot.displays.words import translator
from jackspot.replay import board_for, config_of, shots_of
from jackspot.sensing.events import (
    Button,
    DiscPeak,
    DiscsListen,
    Event,
    HubDiscs,
    Key,
    KnockHeard,
    Place,
)
from jackspot.sensing.limits import MS, SECOND
from jackspot.sensing.shaking import STILL_NS
from jackspot.values import changed
from jackspot_sim.boards.rig import Built, Onlookers, Rig
from jackspot_sim.clock import SimClock
from tests.conftest import thinned
from tests.sim.test_capture_and_replay import captured, dump, fell, pressed, taken

OK = Button(Place.REFEREE, Key.OK)
PEAKS = {Seat.N: (6_000, 2_500, 1_400, 2_500), Seat.S: (1_400, 2_500, 6_000, 2_500)}
LATE_NS = 25 * MS
"""How long after its beginning a knock is reported."""


class Glass:
    """An OLED that keeps what it was shown, dot by dot."""

    name = "glass"

    def __init__(self) -> None:
        self.shown: list[bytes] = []

    def start(self) -> None:
        """Nothing to start."""

    def post(self, view: BoardView) -> None:
        self.shown.append(draw(view, translator("en")).tobytes())

    def post_sound(self, sound: object) -> None:
        """Hear nothing."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        return True


def with_hub(config: Config) -> Config:
    hub = changed(config.sensor_hub, port="/dev/ttyACM7")
    web = changed(config.web, enabled=False)
    return changed(config, sensor_hub=hub, web=web)


def knock(at_ns: int, seat: Seat, part: float = 1.0) -> KnockHeard:
    return KnockHeard(at_ns, tuple(DiscPeak(round(part * each), 0) for each in PEAKS[seat]))


def calibrated() -> Calibration:
    """Return a calibration of the board's discs: soft flicks, at a table that is shaken a lot."""
    discs = MeasuredDiscs(HubDiscs("0b0b", tuple(Seat)), 60 * SECOND)
    thump = FeltShake((DiscPeak(2_000, 0),) * 4, 1)
    discs = changed(discs, quiet=(thump,) * 9)
    for seat in PEAKS:
        for _ in range(5):
            discs = discs.with_flick(seat, FeltShake(knock(0, seat).peaks, 3))
    config, made = with_hub(load(Sources(()))), datetime(2026, 11, 26, tzinfo=UTC)
    return with_discs(None, CalibratedBoard.of(config), made, discs)


def played(
    journal: Path, glass: Glass, calibration: Calibration | None = None, *, strange: bool = False
) -> bytes:
    """Let two people shoot at a board that listens; return its capture."""
    clock, stream = SimClock(None), io.StringIO()
    config = with_hub(load(Sources(())))
    onlookers = Onlookers(further=(glass,), captured=Recipient(stream))
    built = (
        Built(shots=calibration.shots(), calibration=as_text(calibration)) if calibration else None
    )
    rig = Rig(config, journal, clock, onlookers, built=built)
    begin_ns = clock.now_ns()

    def at(seconds: float, act: Callable[[], object]) -> None:
        clock.at(begin_ns + round(seconds * SECOND), act)

    def told(seconds: float, event: Event) -> None:
        at(seconds + LATE_NS / SECOND, lambda: clock.submit(event))

    def shot(seconds: float, seat: Seat) -> None:
        for n, part in enumerate((1.0, 0.5, 0.4)):
            begins = seconds + 0.4 * n
            told(begins, knock(begin_ns + round(begins * SECOND), seat, part))

    told(0.5, DiscsListen(begin_ns + SECOND // 2, tuple(Seat), strange))
    at(2, lambda: rig.table.press(OK))
    shot(15, Seat.N)
    shot(22, Seat.S)
    at(23.1, lambda: rig.table.drop(Pocket.NE, [Piece.GREEN]))
    at(27, lambda: rig.table.press(OK))
    shot(35, Seat.S)
    at(39, lambda: rig.table.press(OK))
    at(45, lambda: rig.table.drop(Pocket.SW, [Piece.RED]))
    told(46, DiscsListen(begin_ns + 46 * SECOND, ()))
    at(49, lambda: rig.table.press(OK))
    at(60, clock.close)
    rig.run()
    return stream.getvalue().encode()


def replayed(capture: Capture, config: Config, journal: Path) -> tuple[list[str], list[bytes]]:
    glass = Glass()
    with board_for(capture, config, journal, (glass,)) as board:
        board.run()
    return dump(journal), glass.shown


def test_a_match_with_knocks_replays_to_the_same_journal(tmp_path: Path) -> None:
    capture = read_capture(io.BytesIO(played(tmp_path / "first.sqlite3", Glass())))
    first = dump(tmp_path / "first.sqlite3")
    again, _shown = replayed(capture, config_of(capture), tmp_path / "again.sqlite3")
    assert again == first
    falls = [line for line in first if '"kind":"fall"' in line]
    assert len(falls) == 2
    assert all('"heard":[[' in line for line in falls)
    assert any("N -" in line and "S green@NE" in line for line in first), "N had missed"


@pytest.mark.parametrize("hands", ["assist", "free"])
@pytest.mark.parametrize("late_ns", [0, 20 * MS, 26 * MS])
@pytest.mark.parametrize("ago_ns", [0, 5 * MS, 26 * MS])
def test_a_knock_that_is_reported_after_a_tick_replays_after_it(
    hands: str, late_ns: int, ago_ns: int, tmp_path: Path
) -> None:
    """Around the ticks at which a shake is over and at which a fall has been quiet for long."""
    hub = {"port": "/dev/ttyACM7"}
    config = check({"sensor_hub": hub, "dialogue": {"hands": hands}}, Origin("test", {}))
    fell_ns = 20 * SECOND
    quiet_ns = fell_ns + 11 * MS + config.dialogue.settle_ns - ago_ns
    shots = (fell_ns - 600 * MS, quiet_ns, quiet_ns + 8 * SECOND, quiet_ns + 8 * SECOND + STILL_NS)
    script: list[tuple[int, Event]] = [
        (4 * SECOND, DiscsListen(4 * SECOND, tuple(Seat))),
        *pressed(5 * SECOND),
        *fell(fell_ns, Pocket.SE),
        *((at_ns - ago_ns + late_ns, knock(at_ns - ago_ns, Seat.N)) for at_ns in shots),
    ]
    data = taken(config, tmp_path / "first.sqlite3", script)
    first = dump(tmp_path / "first.sqlite3")
    capture = read_capture(io.BytesIO(data))
    assert replayed(capture, config, tmp_path / "again.sqlite3")[0] == first


def probabilities(journal: list[str]) -> list[float]:
    """Return how sure the board was of each line."""
    lines = [json.loads(line) for line in journal if '"kind":"line"' in line]
    return [line["body"]["probability"] for line in lines]


def test_a_match_of_a_board_with_calibrated_discs_replays_by_what_they_felt(tmp_path: Path) -> None:
    played(tmp_path / "guessed.sqlite3", Glass())
    guessed = dump(tmp_path / "guessed.sqlite3")
    capture = read_capture(io.BytesIO(played(tmp_path / "first.sqlite3", Glass(), calibrated())))
    first = dump(tmp_path / "first.sqlite3")
    assert shots_of(capture, config_of(capture)) == calibrated().shots()
    again, _shown = replayed(capture, config_of(capture), tmp_path / "again.sqlite3")
    assert again == first
    assert probabilities(first) != probabilities(guessed), "the same knocks weigh otherwise"


def test_knocks_that_other_discs_feel_weigh_as_if_nothing_was_calibrated(tmp_path: Path) -> None:
    played(tmp_path / "guessed.sqlite3", Glass())
    guessed = dump(tmp_path / "guessed.sqlite3")
    data = played(tmp_path / "first.sqlite3", Glass(), calibrated(), strange=True)
    first = dump(tmp_path / "first.sqlite3")
    assert all('"NESW",true]' in line for line in first if '"kind":"fall"' in line)
    assert probabilities(first) == probabilities(guessed)
    capture = read_capture(io.BytesIO(data))
    assert replayed(capture, config_of(capture), tmp_path / "again.sqlite3")[0] == first


MATCHES = ("debts_and_jack.carom", "four_seats.carom")


@pytest.mark.parametrize("name", thinned(MATCHES, {"debts_and_jack.carom"}))
def test_without_knocks_a_match_is_the_same_whether_a_hub_is_set_or_not(
    name: str, tmp_path: Path
) -> None:
    capture = read_capture(io.BytesIO(captured(name, tmp_path / "first.sqlite3", at_box=True)))
    config = config_of(capture)
    assert config.sensor_hub.port is None
    without, seen = replayed(capture, config, tmp_path / "without.sqlite3")
    silent, seen_silent = replayed(capture, with_hub(config), tmp_path / "silent.sqlite3")
    assert without == silent == dump(tmp_path / "first.sqlite3")
    assert seen == seen_silent
    assert not any("heard" in line for line in without)
