"""The colour head: its board, its place at a bracket, and what it reads of pieces."""

from __future__ import annotations

import math

import numpy as np
import pytest
from manifold3d import Manifold

from hardware.board.circuit import FUSED_5, HEAD_LIGHTS, HEADS, SENSORS, head_lines, parts
from hardware.board.design import GROUND, KINDS
from hardware.board.head_board import DIODE_X_MM, HEAD, LIGHTS_X_MM
from hardware.generate import colour, sensing
from hardware.generate.harness import DIN_47100
from hardware.generate.parts import parts as bought_parts
from hardware.generate.step import FOLDER
from hardware.prints import bought, head
from hardware.prints.catalogue import solids
from hardware.prints.parameters import load
from hardware.prints.pocket import bracket_axes, tube_radius
from hardware.prints.scenes.sensor_hub import ALL, OFF_MM, PAD, board, head_cores
from hardware.prints.solids import turned
from jackspot.core.pieces import Piece
from jackspot.sensing.limits import MS
from jackspot_sim.sensing import heads as simulated
from sensor_hub.hub import Hub
from tests.hardware.test_sensor_hub import constant

PAGE = (FOLDER / "guide" / "sensor-hub.md").read_text(encoding="utf-8")
SIZES = load()[1]
each_bracket = pytest.mark.parametrize(
    ("name", "kind", "beams"),
    [(name, kind, n) for name in SIZES.boards for n, kind in ((1, "single"), (2, "crossed"))],
)


def nets_of(kind: str) -> list[dict[str, str]]:
    return [dict(part.nets) for part in HEAD.parts if part.part == kind]


def test_a_heads_board_takes_each_core_at_its_contact():
    [one, two] = nets_of("cores")
    holes = [cores[pad] for cores in (one, two) for pad in "123"]
    assert holes == ["head", *head_lines("ne")[1:]]
    assert holes[1:] == [GROUND, *HEAD_LIGHTS, FUSED_5]
    [first, second] = [HEAD.places[p.ref] for p in HEAD.parts if p.part == "cores"]
    assert second[0] - first[0] == pytest.approx(3 * 2.54)


def test_each_light_has_the_resistor_of_the_sums_in_its_line():
    [led] = nets_of("rgb")
    assert led["1"] == FUSED_5
    legs = {"red": "4", "green": "3", "blue": "2"}  # ASMB-MTB0-0A3A2
    for (name, lamp), line in zip(sensing.LIGHTS.items(), HEAD_LIGHTS, strict=True):
        assert nets_of(f"r_{name}") == [{"1": led[legs[name]], "2": line}]
        assert KINDS[f"r_{name}"].value == f"{lamp.series:g}"
        assert line[-1].lower() == name[0]


def test_the_photodiode_draws_current_out_of_the_amplifiers_input():
    [diode], [amplifier] = nets_of("photodiode"), nets_of("amplifier")
    assert diode == {"1": amplifier["4"], "2": GROUND}  # cathode at the inverting input
    assert (amplifier["2"], amplifier["5"]) == (GROUND, FUSED_5)
    for kind in ("r_feedback", "c_22p"):
        assert nets_of(kind) == [{"1": amplifier["4"], "2": amplifier["1"]}]
    assert nets_of("r_5k6") == [{"1": amplifier["1"], "2": "head"}]
    assert nets_of("r_10k") == [{"1": "head", "2": GROUND}]
    assert KINDS["r_feedback"].value == f"{sensing.FEEDBACK / 1e6:g} M"
    for kind in ("rgb", "photodiode", "amplifier"):
        assert KINDS[kind].value == bought_parts()[kind].number


def test_every_sum_of_a_head_holds():
    assert [claim.what for claim in colour.claims() if not claim.holds] == []
    levels = [colour.reading(lamp, colour.BEST_MM) for lamp in sensing.LIGHTS.values()]
    assert max(levels) < 1.1 * min(levels)  # white paper alike in all three lights
    best = max((0, 1, 2, 3, 4, 6, 10), key=colour.lux_per_candela)
    assert best == colour.BEST_MM


def test_figures_are_those_of_the_program_and_of_the_simulator():
    assert constant("STEP_US") == colour.STEP_S * 1e6 == simulated.SIZES.light_ms * 1e3
    assert constant("SETTLE_US") == 20
    assert 20e-6 * len(HEADS) < colour.READ_S
    assert Hub("", "", [], []).see == simulated.SEES_ABOVE == colour.SEES_ABOVE
    assert simulated.SIZES.noise == colour.NOISE
    assert simulated.SIZES.behind_mm == head.BEHIND_MM
    hole = SIZES.print.wall_mm + SIZES.print.fit_mm
    half = math.degrees(math.atan2(head.DIODE_MM / 2, head.BEHIND_MM - hole))
    assert half == pytest.approx(simulated.SIZES.spot_deg, abs=2.0)
    shares = (*simulated.USUAL.values(), *simulated.STRIKERS)
    assert max(map(max, shares)) == colour.LIGHTEST
    assert min(simulated.USUAL[Piece.JACK]) == colour.DARKEST
    assert simulated.LIGHT_NS == MS


def test_a_frame_of_a_pieces_fall_has_all_its_lights_settled():
    settles = sensing.FEEDBACK * sensing.FEEDBACK_FARAD * math.log(sensing.FULL)
    assert settles < colour.STEP_S - colour.READ_S


def test_of_heads_at_random_hardly_one_is_too_dim_or_too_bright():
    found = colour.heads()
    dim = [each for each in found if max(each.darkest.values()) < colour.SEES_ABOVE]
    full = [each for each in found if max(each.lightest.values()) > colour.room()]
    assert len(dim) < 0.01 * len(found)
    assert len(full) < 0.001 * len(found)
    assert colour.heads(1) != found


def test_a_head_whose_holes_were_narrow_would_not_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(colour, "DIODE_MM", 1.0)
    colour.lux_per_candela.cache_clear()
    try:
        found = colour.heads()
    finally:
        colour.lux_per_candela.cache_clear()
    assert sum(max(each.darkest.values()) < colour.SEES_ABOVE for each in found) > len(found) / 2


@each_bracket
def test_a_head_has_its_place_at_both_brackets_and_no_beam_loses_room(name, kind, beams):
    its, bracket = SIZES.boards[name], solids()[f"{name}_{kind}"]
    there = head.in_place(SIZES, its, beams, solids()[f"{name}_head"])
    assert (there ^ bracket).volume() < 1e-6
    assert there.bounding_box()[2] > SIZES.print.ear_mm * (beams == 2)
    hole = head.drilled(SIZES, its, beams)
    for i, axis in enumerate(bracket_axes(SIZES, its, beams)):
        wide = SIZES.beam.opening_mm(beams) / 2
        light = bought.light(axis.start, axis.end, wide)
        assert (light ^ there).volume() < 1e-6
        far = math.hypot(*axis.start[:2])
        for each in (bought.module, bought.board):
            for turn in (90.0 * i, 90.0 * i + 180.0):
                for thing in each(SIZES.beam, receiver=True)[:2]:
                    solid = turned(thing.solid.translate((far, 0.0, 0.0)), turn)
                    assert (solid.translate((0.0, 0.0, axis.start[2])) ^ there).volume() < 1e-6
    taken = bracket ^ hole  # out of the tube's wall alone, and once through it
    inner = tube_radius(its, SIZES.beam)
    box = turned(taken, -head.angle_deg(beams)).bounding_box()
    assert inner - 3.0 < box[0] < box[3] < inner + SIZES.print.wall_mm + 0.1
    assert box[2] >= SIZES.print.ear_mm
    assert box[5] < its.below_mm(beams) + SIZES.beam.skirt_mm


@each_bracket
def test_the_window_is_at_the_beams_depth_and_nothing_is_before_it(name, kind, beams):
    its = SIZES.boards[name]
    inner = tube_radius(its, SIZES.beam)
    there = head.in_place(SIZES, its, beams, solids()[f"{name}_head"])
    bracket = solids()[f"{name}_{kind}"] - head.drilled(SIZES, its, beams)
    for y, wide in zip(head.eyes_mm(), (head.DIODE_MM, head.LIGHTS_MM), strict=True):
        ends = ((0.0, y, head.window_z(SIZES)), (inner + 4.4, y, head.window_z(SIZES)))
        way = head.in_place(SIZES, its, beams, bought.light(*ends, wide / 2 - 0.2))
        assert (way ^ (there + bracket)).volume() < 1e-6
        box = way.bounding_box()
        assert (box[2] + box[5]) / 2 == pytest.approx(its.below_mm(beams))
    assert abs(sum(head.eyes_mm())) < 0.5
    assert head.eyes_mm()[0] - head.eyes_mm()[1] == pytest.approx(LIGHTS_X_MM - DIODE_X_MM)


def test_the_board_slides_into_its_holder():
    sizes = load()[1]
    holder = solids()["carrom_head"]
    for thing in board():
        box = thing.solid.bounding_box()
        if box[3] - box[0] < 3.0:  # not the cable
            assert (thing.solid ^ holder).volume() < 1e-6
            assert box[2] > sizes.print.wall_mm


def test_no_plug_of_the_sensor_hub_does_harm_in_another_socket():
    sockets = [part for part in parts() if part.part.startswith("kk")]
    [box] = [part for part in sockets if part.of == "box"]
    heads = [part for part in sockets if part.of == SENSORS and part.part == "kk6"]
    assert not any(net.startswith(("5V", "3V3")) for net in box.nets.values())
    for part in heads:
        grounds = [{pad for pad, net in each.nets.items() if net == GROUND} for each in (part, box)]
        assert grounds[0] == grounds[1] == {"2"}
        assert part.nets["6"] == FUSED_5  # the fuse protects against a short there
    assert {part.part for part in sockets if part.of != SENSORS} & {"kk2"} == set()


def test_the_pages_of_the_boards_say_what_the_tables_say():
    page = (FOLDER / "board" / "README.md").read_text(encoding="utf-8")
    assert f"A board of {HEAD.wide_mm:g} x {HEAD.high_mm:g} mm for the [sensor hub]" in page
    assert f"rests at {sensing.REST:.2f} V" in page
    assert f"amplifier with {sensing.FEEDBACK / 1e6:g} Mohm" in page
    errata = (FOLDER / "ERRATA.md").read_text(encoding="utf-8")
    assert f"rests at {sensing.REST:.2f} V" in errata
    assert "colour ring" not in errata.split("## Open")[1]


@pytest.mark.parametrize("beams", [1, 2])
def test_each_bracket_that_takes_a_head_is_shown_drilled_and_with_it(beams):
    """In its place, or moved straight away from it."""
    kind, its = ("single", "crossed")[beams - 1], SIZES.carrom
    bracket = solids()[f"carrom_{kind}"] - head.drilled(SIZES, its, beams)
    holder = head.in_place(SIZES, its, beams, solids()["carrom_head"])
    turn = math.radians(head.angle_deg(beams))
    shown = [
        draw.__name__ for draw in ALL for things in [draw().things]
        if any(alike(thing.solid, bracket) for thing in things)
        and any(
            alike(thing.solid, holder.translate((off * math.cos(turn), off * math.sin(turn), 0.0)))
            for thing in things for off in (0.0, OFF_MM)
        )
    ]  # fmt: skip
    assert shown == [("head_single", "head_at_pocket")[beams - 1]]
    assert f"(pictures/{shown[0]}.png)" in PAGE


def alike(one: Manifold, other: Manifold) -> bool:
    close = one.bounding_box() == pytest.approx(other.bounding_box(), abs=1e-3)
    return close and one.volume() == pytest.approx(other.volume())


def test_the_picture_of_the_cores_is_what_the_one_who_solders_sees():
    """From behind, contact 1 at the right, each core in its colour, 1 and 4 at square pads."""
    scene = head_cores()
    right = scene.view.axes()[0]
    at = [float(right @ np.array(number.at)) for number in scene.numbers]
    assert at == sorted(at, reverse=True)
    assert len(at) == 6
    seen = [(thing.colour, float(right @ np.array(middle(thing.solid)))) for thing in scene.things]
    pads = [thing for thing in scene.things if thing.colour == PAD]
    cores = {colour: x for colour, x in seen if colour in bought.WIRES.values()}
    assert [*cores] == [bought.WIRES[name] for name in DIN_47100[:6]]
    assert [*cores.values()] == sorted(cores.values(), reverse=True)
    assert [thing.solid.num_tri() == 12 for thing in pads] == [True, False, False] * 2
    assert scene.view.axes()[2][0] > 0.8, "from behind: the parts look to -x"
    assert ", ".join(f"{name} ({i})" for i, name in enumerate(DIN_47100[:6], 1)) in PAGE


def middle(solid: Manifold) -> list[float]:
    box = solid.bounding_box()
    return [(box[i] + box[i + 3]) / 2 for i in range(3)]


def test_every_picture_of_a_sensor_hub_has_numbers():
    assert [draw.__name__ for draw in ALL if not draw().numbers] == []


def test_the_page_shows_every_picture_and_links_the_board():
    for name in (each.__name__ for each in ALL):
        assert f"(pictures/{name}.png)" in PAGE
        assert (FOLDER / f"guide/pictures/{name}.png").exists()
    for part in ("carrom_head", "hikone_head", "cable_7", "kk6_plug"):
        assert f"`{part}`" in PAGE
    for i, core in enumerate(DIN_47100[:6], 1):
        assert sum(line.startswith(f"| {i} | {core} | ") and line.endswith(f" | {i} |")
                   for line in PAGE.splitlines()) == 1  # fmt: skip
