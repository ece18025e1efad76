"""Boards to back up and restore, on a journal that the simulated table wrote."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jackspot.calibration import file as calibration
from jackspot.core.record import read_record
from jackspot_sim.boards.rehearsal import rehearse
from jackspot_sim.people.habits import Habits
from tests.ops.whole_board import RECORD, Here


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the journal of a match that was played."""
    journal = tmp_path_factory.mktemp("played") / "journal.sqlite3"
    record = read_record(RECORD.read_text(encoding="utf-8"))
    rehearse(record.settings, [step.entry for step in record.match.steps], journal, Habits())
    return journal


@pytest.fixture
def board(tmp_path: Path, played: Path) -> Here:
    """Return a board with settings, a calibration and a match in its journal."""
    here = Here(tmp_path / "one")
    here.set_up("Board 1")
    board = calibration.CalibratedBoard("Board 1", "reference", {})
    made = datetime(2026, 5, 2, tzinfo=UTC)
    calibration.save(calibration.Calibration(board, made, ()), here.calibration)
    shutil.copy(played, here.journal)
    return here


@pytest.fixture
def other(tmp_path: Path) -> Here:
    """Return another board, with settings of its own and no match yet."""
    here = Here(tmp_path / "two")
    here.set_up("Board 2")
    return here
