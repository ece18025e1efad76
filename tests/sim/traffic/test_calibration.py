"""What a calibration is worth: readings of falls through beams at a depth other than usual."""

from __future__ import annotations

import pytest

from jackspot.calibration.measuring.fit import calibrated
from jackspot.calibration.measuring.measured import PieceSet
from jackspot.core.settings import RuleSystem
from jackspot.readings.widths import WidthModel
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.traffic.drops import dropped
from jackspot_sim.traffic.measure import TEST_SEEDS, Figures, board_reader, measure
from tests.conftest import thinned

SETS = {RuleSystem.HIKONE: PieceSet.CAROM, RuleSystem.ICF: PieceSet.CARROM}


def first_readings(
    rules: RuleSystem, strength: Strength, depth_mm: float, strokes: int, drops: int
) -> Figures:
    """Measure first readings with a calibration of this many drops of each kind per pocket."""
    widths = calibrated(WidthModel(), [dropped(SETS[rules], drops, depth_mm, 7)] if drops else [])
    *_, figures = measure(strength, TEST_SEEDS, strokes, board_reader(widths), depth_mm, rules)
    return figures


@pytest.mark.parametrize("depth_mm", thinned([15.0, 60.0], {60.0}))
@pytest.mark.parametrize(
    ("rules", "strength"),
    [(RuleSystem.HIKONE, Strength.MASTER), (RuleSystem.ICF, Strength.CHILD)],
)
def test_ten_drops_of_each_kind_bring_readings_near_the_ceiling(
    rules: RuleSystem, strength: Strength, depth_mm: float
) -> None:
    before, after = (first_readings(rules, strength, depth_mm, 120, n) for n in (0, 10))
    larger_strikers = rules is RuleSystem.ICF
    assert after.behind <= (0.5 if larger_strikers else 1.0) * before.behind
    assert after.behind < 0.02


@pytest.mark.long
@pytest.mark.parametrize("depth_mm", [15.0, 30.0, 60.0])
@pytest.mark.parametrize("strength", Strength)
@pytest.mark.parametrize("rules", SETS)
def test_a_calibrated_board_reads_within_a_point_and_a_half_of_the_ceiling(
    rules: RuleSystem, strength: Strength, depth_mm: float
) -> None:
    figures = first_readings(rules, strength, depth_mm, 4_000, 10)
    assert figures.behind + 2 * figures.behind_error < 0.015
