"""``python -m jackspot_sim.traffic``: prints the table, and measures."""

from __future__ import annotations

from click.testing import CliRunner

from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.traffic.__main__ import main
from jackspot_sim.traffic.page import page


def test_the_table_is_printed() -> None:
    result = CliRunner().invoke(main, ["table"])
    assert (result.exit_code, result.stdout) == (0, page())


def test_readings_are_measured_for_each_strength_with_seed_and_date() -> None:
    arguments = ["readings", "--strokes", "40", "--seed", "3", "--date", "2026-11-21"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code in (0, 1), "of so few strokes a strength may be behind"
    assert "First readings, 2026-11-21, seeds from 3" in " ".join(result.stdout.split())
    for strength in Strength:
        assert strength.value in result.stdout


def test_a_measurement_without_a_date_is_refused() -> None:
    result = CliRunner().invoke(main, ["readings"])
    assert result.exit_code == 2
    assert "--date" in result.output
