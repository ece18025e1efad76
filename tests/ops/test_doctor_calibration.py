"""The doctor's line of the calibration."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jackspot.calibration.file import CalibratedBoard, Calibration, save
from jackspot.calibration.measuring.measured import PieceSet, Quiet
from jackspot.config.model import Config, Origin, check
from jackspot.core.pieces import Pocket
from jackspot.ops.doctor.calibrated import check_calibration
from jackspot.ops.doctor.findings import Severity
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
    save(replace(other, board=replace(other.board, name="x")), config.calibration.path)
    [finding] = check_calibration(config)
    assert (finding.mark, finding.remedy) == (Severity.DOUBTFUL, "jackspot calibrate")


def test_one_made_beside_a_beam_that_flickers_is_doubtful(config: Config) -> None:
    save(made(config, Quiet(60 * 10**9, storms=2)), config.calibration.path)
    _well, finding = check_calibration(config)
    assert finding.mark is Severity.DOUBTFUL
    assert finding.remedy.endswith("jackspot calibrate --pockets SW")
