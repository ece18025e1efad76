"""The sums of the circuit hold, and would be seen not to."""

from __future__ import annotations

import pytest

from hardware.generate import electrical
from hardware.generate.builds import BUILDS
from hardware.generate.electrical_page import claims_by_section
from hardware.generate.step import FOLDER
from jackspot.displays.sounds import SOUNDS
from jackspot.sensing.limits import Limits

PAGE = (FOLDER / "ELECTRICAL.md").read_text(encoding="utf-8")


def broken() -> list[str]:
    """Return the sums that do not hold."""
    return [
        claim.what for claims in claims_by_section().values() for claim in claims if not claim.holds
    ]


def test_every_sum_holds():
    assert broken() == []


def test_every_sum_names_its_source_and_is_on_the_page():
    for claims in claims_by_section().values():
        assert claims
        for claim in claims:
            assert claim.source
            assert f"| **{claim.result}** |" in PAGE


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("CABLE_PER_METRE", 50e-9, "from low to high"),
        ("PULL_UP", 100.0, "phototransistor"),
        ("EMITTER_SERIES", 2e3, "phototransistor"),
        ("LAMP_AMPERE", 0.03, "current of a lamp"),
        ("I2C_MODULE", 500e-12, "rise time"),
        ("MODULE_PULL_UP", 1e3, "pull a line low"),
        ("SERIES", 50e3, "pressed button"),
        ("FUSE_HOLDS", 0.1, "through the fuse"),
        ("NOISE_S", 1e-5, "from low to high"),
        ("COPPER", 1.0, "voltage lost"),
    ],
)
def test_a_figure_that_would_not_do_is_found(
    monkeypatch: pytest.MonkeyPatch, name: str, value: float, says: str
):
    monkeypatch.setattr(electrical, name, value)
    monkeypatch.setattr(
        electrical,
        "PULLED_LOW",
        (electrical.V3 - electrical.LOW_MOST) / electrical.PULL_UP,
    )
    if name == "EMITTER_SERIES":
        monkeypatch.setattr(
            electrical, "EMITTER_AMPERE", (electrical.V5 - electrical.EMITTER_FORWARD) / value
        )
    assert [what for what in broken() if says in what]


def test_every_build_has_a_supply_that_gives_half_as_much_again_as_it_takes():
    for build in BUILDS:
        assert sum(electrical.consumers(build).values()) * 1.5 < electrical.pi_of(build)[2]


def test_the_noise_limit_is_the_firmwares():
    assert Limits().min_pulse_ns / 1e9 == electrical.NOISE_S


def test_the_diode_is_done_before_the_next_half_wave_of_the_highest_tone():
    highest = max(note.hz for notes in SOUNDS.values() for note in notes)
    seconds = electrical.COIL_HENRY / (electrical.COIL + electrical.COIL_SERIES)
    assert 5 * seconds < 1 / highest / 2


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [(0.0203, "A", "20 mA"), (2.6e-6, "s", "2.6 µs"), (1.1, "A", "1.1 A"), (0, "A", "0 A")],
)
def test_values_are_written_with_a_prefix(value: float, unit: str, said: str):
    assert electrical.written(value, unit) == said
