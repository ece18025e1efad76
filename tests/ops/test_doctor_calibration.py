"""The doctor's line about the calibration."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from jackspot.calibration.file import CalibratedBoard, Calibration, save, with_discs
from jackspot.calibration.measuring.flicks import FeltShake, MeasuredDiscs
from jackspot.calibration.measuring.measured import PieceSet, Quiet
from jackspot.config.model import Config, Origin, check
from jackspot.core.pieces import Pocket, Seat
from jackspot.ops.doctor.calibrated import check_calibration
from jackspot.ops.doctor.findings import Severity
from jackspot.sensing.events import DiscPeak, HubDiscs
from jackspot.values import changed
from jackspot_sim.traffic.drops import dropped


@pytest.fixture
def config(tmp_path: Path) -> Config:
    path = str(tmp_path / "calibration.toml")
    return check({"calibration": {"path": path}}, Origin("test", {}))


def made(config: Config, quiet: Quiet) -> Calibration:
    measured = dropped(PieceSet.CAROM, 2, 30.0, 1, (Pocket.NE, Pocket.SW))
    measured = measured.with_quiet(Pocket.SW, quiet)
    return Calibration(CalibratedBoard.of(config), datetime(2026, 5, 2, tzinfo=UTC), (measured,))


def test_a_board_without_one_is_well(config: Config) -> None:
    [finding] = check_calibration(config)
    assert finding.mark is Severity.WELL
    assert "jackspot calibrate" in finding.found


def test_one_that_is_used_is_well(config: Config) -> None:
    save(made(config, Quiet(60 * 10**9)), config.calibration.path)
    [finding] = check_calibration(config)
    assert finding.mark is Severity.WELL
    assert finding.found == "12 drops of carom pieces into NE, SW, 2026-05-02"


def test_one_of_another_board_is_doubtful(config: Config) -> None:
    other = made(config, Quiet(60 * 10**9))
    save(changed(other, board=changed(other.board, name="x")), config.calibration.path)
    [finding] = check_calibration(config)
    assert (finding.mark, finding.remedy) == (Severity.DOUBTFUL, "jackspot calibrate")


def test_one_with_other_pieces_than_the_configured_match_has_is_doubtful(config: Config) -> None:
    save(made(config, Quiet(60 * 10**9)), config.calibration.path)
    [finding] = check_calibration(changed(config, match={"rules": "icf"}))
    assert (finding.mark, finding.remedy) == (Severity.DOUBTFUL, "jackspot calibrate")
    assert finding.found == (
        "is for carom pieces, the configured match is played with carrom pieces"
    )


def test_one_made_beside_a_beam_that_flickers_is_doubtful(config: Config) -> None:
    save(made(config, Quiet(60 * 10**9, storms=2)), config.calibration.path)
    _well, finding = check_calibration(config)
    assert finding.mark is Severity.DOUBTFUL
    assert finding.remedy.endswith("jackspot calibrate --pockets SW")


# --- the discs of a sensor hub -----------------------------------------------------------


def flicked() -> MeasuredDiscs:
    flick = FeltShake((DiscPeak(2_000, 0),) * 4, 1)
    found = MeasuredDiscs(HubDiscs("e6614c311b7e8f35", tuple(Seat)), 60 * 10**9)
    return found.with_flick(Seat.N, flick).with_flick(Seat.S, flick)


@pytest.fixture
def with_hub(config: Config) -> Config:
    hub = changed(config.sensor_hub, port="/dev/serial/by-id/hub")
    return changed(config, sensor_hub=hub)


@pytest.mark.parametrize("drops", [False, True])
def test_discs_that_were_never_calibrated_are_told(with_hub: Config, *, drops: bool) -> None:
    if drops:
        save(made(with_hub, Quiet(60 * 10**9)), with_hub.calibration.path)
    _beams, finding = check_calibration(with_hub)
    assert (finding.mark, finding.what) == (Severity.WELL, "discs")
    assert finding.found.startswith("never calibrated")
    assert finding.found.endswith("jackspot calibrate --discs")


def test_when_discs_were_calibrated_is_told_with_their_hub(with_hub: Config) -> None:
    day = datetime(2026, 11, 26, tzinfo=UTC)
    board = CalibratedBoard.of(with_hub)
    save(with_discs(None, board, day, flicked()), with_hub.calibration.path)
    beams, finding = check_calibration(with_hub)
    assert beams.found.startswith("none;")
    assert finding.found == (
        "calibrated on 2026-11-26: 2 flicks from NS, 60 s quiet, sensor hub e6614c311b7e8f35"
    )


def test_without_a_sensor_hub_nothing_is_told_of_discs(config: Config) -> None:
    board = CalibratedBoard.of(config)
    save(with_discs(made(config, Quiet(60 * 10**9)), board, datetime.now(UTC), flicked()),
         config.calibration.path)  # fmt: skip
    assert [each.what for each in check_calibration(config)] == ["calibration"]
