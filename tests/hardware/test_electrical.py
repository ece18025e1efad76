"""The sums of the circuit hold, and any that did not would be found."""

from __future__ import annotations

import pytest

from hardware.generate import colour, electrical, light
from hardware.generate.additions import ADDITIONS
from hardware.generate.builds import BUILDS
from hardware.generate.electrical_page import claims_by_section
from hardware.generate.parts import parts
from hardware.generate.step import FOLDER
from hardware.prints import sight
from hardware.prints.catalogue import THREE_MM, solids
from hardware.prints.parameters import load
from hardware.prints.pocket import bracket_axes
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
        ("I2C_MOST_FARAD", 100e-12, "capacitance of the bus"),
        ("FUSE_OHM", (2.0, 5.0), "lost in the fuse"),
        ("FUSE_V3_OHM", (5.0, 20.0), "behind the display's own fuse"),
        ("MADE_REACH", 0.2, "behind the smaller holes"),
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


# The light of home-made beams, through the bracket as it is drawn.

FIRST_EDITION = light.Light(way_m=0.0585, share=(3 / 5) ** 4)
"""Holes of 3 mm; the emitters had 180 ohm."""


@pytest.mark.parametrize("beams", [1, 2])
def test_as_many_rays_pass_the_drawn_holes_as_is_reckoned(beams: int):
    sizes = load()[1]
    kind = {1: "single", 2: "crossed"}[beams]
    for name, board in sizes.boards.items():
        axis, *_others = bracket_axes(sizes, board, beams)
        passed = sight.light_share(solids()[f"{name}_{kind}"], axis, sizes.beam.led_mm)
        # A hole has a small roof above its round part, which lets a little more through.
        assert 0.93 < passed / sizes.beam.light_share(beams) < 1.25


def test_the_way_of_the_light_is_that_of_the_widest_bracket():
    sizes = load()[1]
    ways = [2 * bracket_axes(sizes, board, 1)[0].start[0] for board in sizes.boards.values()]
    assert light.drawn().way_m * 1000 == pytest.approx(max(ways))
    assert light.drawn().way_m > 0.06


def test_the_worst_parts_pull_the_wire_low_twice_over():
    assert light.worst_ampere(light.drawn()) > 2 * electrical.PULLED_LOW


def test_of_beams_at_random_hardly_one_is_not_seen():
    for seed in range(3):
        found = light.margins(light.drawn(), seed=seed)
        assert light.unseen_share(found) < 1e-3
        assert found[len(found) // 100] > 2


def test_the_first_editions_holes_and_resistor_would_not_do():
    share = light.unseen_share(light.margins(FIRST_EDITION, series=180.0))
    assert 0.02 < share < 0.1
    amps = (electrical.V5 - electrical.EMITTER_FORWARD) / 180
    least = FIRST_EDITION.ampere(amps, 0.8, 3e-3)
    assert 0.15e-3 < least < 0.2e-3 < electrical.PULLED_LOW


def test_a_beam_at_random_is_the_same_for_the_same_seed():
    assert light.margins(light.drawn(), seed=1) == light.margins(light.drawn(), seed=1)
    assert light.margins(light.drawn(), seed=1) != light.margins(light.drawn(), seed=2)


def test_beams_of_half_the_reach_are_offered_for_single_beams_alone():
    """Adafruit 2167 in prints for 3 mm: three times the light it needs, but in no closed box."""
    sizes = load(THREE_MM)[1]
    single, boxed = (
        (electrical.MADE_REACH / 2 / through.way_m) ** 2 * through.share
        for through in (light.light(sizes), light.closed(sizes))
    )
    assert boxed < 3 < single
    [said] = parts()["beam_pair"].substitutes
    assert "only for single beams, in prints for 3 mm" in said


def test_no_weaker_part_is_offered_for_a_home_made_beam():
    """A third of the current, as of a TEFT4300, or half of the light is too little."""
    assert light.worst_ampere(light.drawn()) / 3 < electrical.PULLED_LOW
    assert light.worst_ampere(light.drawn()) / 2 < 2 * electrical.PULLED_LOW
    for name in ("emitter", "detector"):
        [said] = parts()[name].substitutes
        assert said.startswith("none known"), name


def test_a_clear_striker_is_not_seen_and_wood_is():
    amps = light.typical_ampere(light.drawn())
    most = (electrical.V3 - electrical.HIGH_LEAST) / electrical.PULL_UP / amps
    for passes, is_seen in ((0.92, False), (0.3, False), (0.001, True)):  # acrylic, tinted, wood
        assert (passes < most) is is_seen
    assert f"**{most:.1%}**" in PAGE


# Cables and fuses.


def test_a_slow_bus_reaches_as_far_as_its_capacitance_lets_it():
    metres = electrical.i2c_longest_m(electrical.I2C_SLOW_RISE)
    assert metres == pytest.approx(2.33, abs=0.01)
    assert electrical.i2c_farad(metres) == pytest.approx(400e-12)
    assert f"100 kHz\n{metres:.1f} m, where the bus has its 400 pF" in PAGE
    assert electrical.i2c_longest_m(electrical.I2C_FAST_RISE) < metres


def test_the_fuses_drop_is_on_the_page():
    amps = max(electrical.fused_ampere(build) for build in BUILDS)
    new, tripped = (ohm * amps * 1e3 for ohm in electrical.FUSE_OHM)
    assert f"**{new:.0f} to {tripped:.0f} mV**" in PAGE


def test_every_build_has_a_supply_that_gives_half_as_much_again_as_it_takes():
    for build in BUILDS:
        takes = sum(electrical.consumers(build).values())
        for more in (0.0, *(sum(hub.values()) for hub in hubs())):
            assert (takes + more) * 1.5 < electrical.pi_of(build)[2]


def hubs() -> list[dict[str, float]]:
    """Return what each addition takes."""
    return [colour.hub_consumers(heads=addition.heads) for addition in ADDITIONS]


def test_whatever_is_added_to_a_build_is_in_the_table_of_the_supply():
    """Each has its share, its sum for every build, and where its current is from."""
    supply = PAGE.split("## Supply", 1)[1].split("\n## ", 1)[0]
    for addition, hub in zip(ADDITIONS, hubs(), strict=True):
        assert len(hub) == 1 + addition.heads
        for who, amps in hub.items():
            row = " | ".join([electrical.written(amps, "A")] * len(BUILDS))
            assert f"| *{who}* | {row} |" in supply
        sums = (sum(electrical.consumers(build).values()) + sum(hub.values()) for build in BUILDS)
        row = " | ".join(f"**{electrical.written(amps, 'A')}**" for amps in sums)
        assert f"| together, with *{addition.title.lower()}* | {row} |" in supply
    assert colour.PICO in supply


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
