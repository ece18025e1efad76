"""The printed boards connect what the pin and cable tables say, for every build."""

from __future__ import annotations

import math
import re
from collections import Counter

import pytest

from hardware.board.circuit import (
    FUSED_3,
    FUSED_5,
    RAW_3,
    RAW_5,
    fitted,
    gpio_net,
    parts,
    sockets,
)
from hardware.board.design import GROUND, KINDS, Design
from hardware.board.kicad import lands
from hardware.board.place import HIGH_MM, HUB, PI_Y_MM
from hardware.board.pocket_board import EMITTER, POCKET, RECEIVER
from hardware.board.route import CLEARANCE_MM, THIN_MM, Land, Router
from hardware.board.shapes import outline_of, pads_of
from hardware.board.silk import placed
from hardware.generate import electrical, light
from hardware.generate.board import DESIGNS
from hardware.generate.builds import BUILDS
from hardware.generate.step import FOLDER
from hardware.prints import bought
from hardware.prints.bought import MODULE_HIGH_MM
from hardware.prints.catalogue import solids
from hardware.prints.parameters import load
from hardware.prints.pocket import RAIL_MM, TIE_MM, bracket_axes, pad_in_place
from jackspot.inputs.cables import BUS_GPIOS, BusLine, CableKind
from jackspot.inputs.header import HEADER_PINS, RAIL_PINS, Rail
from jackspot.inputs.pins import BUZZER, WireKind

each_design = pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
each_build = pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.name)

THROUGH = {"r_1k", "r_100"}
"""Parts that a signal passes on its way from the header to a socket."""


def committed(design: Design) -> dict[str, set[tuple[str, str]]]:
    """Read the nets of the committed net list, without the program that wrote it."""
    path = FOLDER / f"{design.folder}/{design.name}.net"
    content = path.read_text(encoding="utf-8")
    found = {}
    for name, nodes in re.findall(
        r'\(net \(code "\d+"\) \(name "([^"]+)"\) (.*)\)$', content, re.MULTILINE
    ):
        found[name] = set(re.findall(r'\(node \(ref "(\w+)"\) \(pin "(\w+)"\)\)', nodes))
    return found


def reached(build, start: str) -> set[tuple[str, str]]:
    """Return the pads of fitted parts that a net reaches through fitted series resistors."""
    there = {part.ref: part for part in parts() if fitted(part, build)}
    listed = committed(HUB)
    seen, ahead = set(), [start]
    pads: set[tuple[str, str]] = set()
    while ahead:
        net = ahead.pop()
        if net in seen:
            continue
        seen.add(net)
        for ref, pad in listed[net]:
            if ref not in there:
                continue
            pads.add((ref, pad))
            if there[ref].part in THROUGH:
                ahead += there[ref].nets.values()
    return pads


@each_design
def test_the_committed_net_list_is_that_of_the_tables(design):
    assert committed(design) == {net: set(pads) for net, pads in design.nets().items()}


def test_the_socket_for_the_pi_has_every_pin_of_the_header_on_its_net():
    [header] = [part for part in parts() if part.part == "header"]
    for gpio, pin in HEADER_PINS.items():
        assert header.nets[str(pin)] == gpio_net(gpio)
    for rail, net in ((Rail.V5, RAW_5), (Rail.V3, RAW_3), (Rail.GROUND, GROUND)):
        assert {header.nets[str(pin)] for pin in RAIL_PINS[rail]} == {net}
    assert len(header.nets) == 40


@each_build
def test_every_contact_of_a_builds_sockets_reaches_its_pin(build):
    wires = {wire.name: wire for wire in build.wires}
    jacks = {part.of: part for part in parts() if part.part.startswith(("jack", "kk"))}
    [header] = [part for part in parts() if part.part == "header"]
    for cable in build.cables:
        if cable.kind is CableKind.SIGN:
            continue
        jack = jacks["oled_spi" if cable.kind is CableKind.OLED_SPI else cable.name]
        assert fitted(jack, build)
        for core in cable.cores:
            net = jack.nets[str(core.contact)]
            if core.signal is Rail.V5:
                assert net == f"5V_{cable.name}"
            elif isinstance(core.signal, Rail):
                assert net == (FUSED_3 if core.signal is Rail.V3 else GROUND)
            elif cable.kind is CableKind.MATRIX:
                assert net == f"matrix_{core.signal}"
            elif core.signal.startswith("lamp"):
                assert net == core.signal
            else:
                bus = isinstance(core.signal, BusLine)
                gpio = BUS_GPIOS[core.signal] if bus else wires[core.signal].gpio
                pads = {pad for ref, pad in reached(build, net) if ref == header.ref}
                assert pads == {str(HEADER_PINS[gpio])}


@each_build
def test_every_lamp_and_the_buzzer_hang_on_the_driver_behind_their_pin(build):
    [driver] = [part for part in parts() if part.part == "driver"]
    for wire in build.wires:
        if wire.kind in {WireKind.LAMP, WireKind.BUZZER}:
            [into] = {pad for ref, pad in reached(build, gpio_net(wire.gpio)) if ref == driver.ref}
            out = driver.nets[str(19 - int(into))]
            assert out == ("buzzer_low" if wire.name == BUZZER else wire.name)


@each_build
def test_no_gpio_of_a_build_has_two_fitted_users(build):
    users = Counter(
        net
        for part in parts()
        if part.part in THROUGH and fitted(part, build)
        for net in part.nets.values()
        if net.startswith("GPIO")
    )
    assert [net for net, count in users.items() if count > 1] == []


def test_every_input_has_its_protection_on_the_sockets_side():
    inputs = {
        wire.name
        for build in BUILDS
        for wire in build.wires
        if wire.kind in {WireKind.BEAM, WireKind.BUTTON}
    }
    for name in inputs:
        own = [part for part in parts() if name in part.nets.values()]
        kinds = Counter(part.part for part in own)
        assert kinds["tvs"] == 1
        assert kinds["r_10k"] == 1
        assert kinds["r_1k"] >= 1
        [pull] = [part for part in own if part.part == "r_10k"]
        assert set(pull.nets.values()) == {name, RAW_3}


def test_no_supply_leaves_the_board_but_through_a_fuse():
    fuses = {net for part in parts() if part.part.startswith("ptc") for net in part.nets.values()}
    for part in parts():
        if part.part.startswith(("jack", "kk", "qwiic")):
            supplies = {net for net in part.nets.values() if net.startswith(("5V", "3V3"))}
            assert supplies <= fuses - {RAW_5, RAW_3}
    for cable in sockets():
        if cable.kind in {CableKind.POCKET, CableKind.SEAT}:
            assert {f"5V_{cable.name}", FUSED_5} <= fuses


@each_design
def test_no_net_ends_nowhere_and_no_pad_is_on_two(design):
    pads = [pad for there in design.nets().values() for pad in there]
    assert len(pads) == len(set(pads))
    assert [net for net, there in design.nets().items() if len(there) < 2] == []


def test_every_kind_of_part_is_on_a_board():
    assert {part.part for design in DESIGNS for part in design.parts} == set(KINDS)


def test_an_amber_light_follows_each_beam_without_software():
    [gates] = [part for part in parts() if part.part == "xor"]
    for a, b, y in (("1", "2", "3"), ("4", "5", "6"), ("9", "10", "8"), ("12", "13", "11")):
        assert gates.nets[b] == "whole_is_low"
        assert gates.nets[a].startswith("GPIO")
        assert gates.nets[y].startswith("light_pocket")


def test_of_the_fitted_links_only_home_made_beams_have_one():
    [link] = [part for part in parts() if part.part == "link"]
    assert {build.name for build in BUILDS if fitted(link, build)} == {"pocket-money"}


def pcb(design: Design) -> str:
    """Read a committed board."""
    return (FOLDER / f"{design.folder}/{design.name}.kicad_pcb").read_text(encoding="utf-8")


Point = tuple[float, float, int]
"""Millimetres from the left and the top, and the layer: 0 above, 1 below."""


def copper(design: Design) -> dict[str, list[tuple[Point, Point]]]:
    """Read the committed board's tracks and vias by net, each from one end to the other."""
    content = pcb(design)
    names = dict(re.findall(r'^  \(net (\d+) "([^"]*)"\)$', content, re.MULTILINE))
    found: dict[str, list[tuple[Point, Point]]] = {}
    pattern = (
        r"\(segment \(start (\S+) (\S+)\) \(end (\S+) (\S+)\) \(width \S+\)"
        r' \(layer "([FB])\.Cu"\) \(net (\d+)\)'
    )
    for x, y, x2, y2, side, net in re.findall(pattern, content):
        layer = "FB".index(side)
        ends = ((float(x), float(y), layer), (float(x2), float(y2), layer))
        found.setdefault(names[net], []).append(ends)
    for x, y, net in re.findall(r"\(via \(at (\S+) (\S+)\) .* \(net (\d+)\)", content):
        found.setdefault(names[net], []).append(((float(x), float(y), 0), (float(x), float(y), 1)))
    return found


@each_design
def test_the_committed_board_has_every_pad_on_the_net_of_the_tables(design):
    content = pcb(design)
    found = {}
    for block in content.split("\n  (footprint ")[1:]:
        ref = re.search(r'"Reference" "(\w+)"', block)
        for name, net in re.findall(r'\(pad "(\w+)" .*\(net \d+ "([^"]+)"\)', block):
            assert ref
            found[ref[1], name] = net
    assert found == {pad: net for net, pads in design.nets().items() for pad in pads}


@each_design
def test_the_committed_tracks_join_all_pads_of_every_net_the_ground_too(design):
    tracks = copper(design)
    for net, pads in by_net(design).items():
        if len(pads) < 2:
            continue
        joined = [points(*ends) for ends in tracks[net]]
        for land in pads:
            on = {
                end
                for ends in tracks[net]
                for end in points(*ends)
                if end[2] in land.layers
                and abs(end[0] - land.x) <= land.half_wide
                and abs(end[1] - land.y) <= land.half_high
            }
            assert on, f"{net}: nothing reaches the pad at {land.x}, {land.y}"
            joined.append(on)
        whole = joined.pop()
        while (near := [each for each in joined if each & whole]) and joined:
            joined = [each for each in joined if not each & whole]
            whole = whole.union(*near)
        assert joined == [], net


def points(start: Point, end: Point) -> set[Point]:
    """Return the places on the router's grid that a track or a via takes."""
    steps = max(1, round(max(abs(b - a) for a, b in zip(start[:2], end[:2], strict=True)) / 0.25))
    ways = [i / steps for i in range(steps + 1)]
    layers = {start[2], end[2]}
    return {
        (
            round(start[0] + t * (end[0] - start[0]), 3),
            round(start[1] + t * (end[1] - start[1]), 3),
            z,
        )
        for t in ways
        for z in layers
    }


def by_net(design: Design) -> dict[str, list[Land]]:
    found: dict[str, list[Land]] = {}
    for land in lands(design):
        if land.net:
            found.setdefault(land.net, []).append(land)
    return found


@each_design
def test_no_two_pads_of_different_nets_touch_and_all_are_on_the_board(design):
    there = list(lands(design))
    for i, a in enumerate(there):
        assert a.half_wide <= a.x <= design.wide_mm - a.half_wide
        assert a.half_high <= a.y <= design.high_mm - a.half_high
        for b in there[i + 1 :]:
            if (a.net and a.net == b.net) or not set(a.layers) & set(b.layers):
                continue
            apart = max(
                abs(a.x - b.x) - a.half_wide - b.half_wide,
                abs(a.y - b.y) - a.half_high - b.half_high,
            )
            assert apart >= 0.2, (a, b)


def test_a_plug_has_45_mm_at_the_pis_supply_socket():
    assert pytest.approx(HIGH_MM - (PI_Y_MM + 56)) == 45


def test_ways_that_would_cross_end_apart():
    ends = {"a": (1.5, 5, 8.5, 5), "b": (5, 1.5, 5, 8.5), "c": (1.5, 3, 8.5, 7), "d": (3, 8, 7, 2)}
    router = Router(10, 10, [
        Land(net, x, y, 0.5, 0.5, (0,)) for net, (a, b, c, d) in ends.items()
        for x, y in ((a, b), (c, d))
    ], [])  # fmt: skip
    assert router.run() == []
    nodes = [(net, node) for net, ways in router.paths.items() for way in ways for node in way]
    near = [
        (net, other)
        for net, (layer, row, column) in nodes
        for other, (layer2, row2, column2) in nodes
        if net != other and layer == layer2
        and 0.25 * math.hypot(row - row2, column - column2) < THIN_MM + CLEARANCE_MM
    ]  # fmt: skip
    assert near == []


def test_a_router_goes_round_what_is_in_its_way_and_says_what_has_no_way():
    ends = [Land("a", 2, 5, 0.5, 0.5, (0,)), Land("a", 18, 5, 0.5, 0.5, (0,))]
    wall = Land("", 10, 4, 0.5, 3.0, (0, 1))
    router = Router(20, 10, [*ends, wall], [])
    assert router.run() == []
    assert all(abs(c * 0.25 - 10) > 0.5 or r * 0.25 > 7 for _, r, c in router.paths["a"][0])
    whole = Land("", 10, 5, 0.5, 5.0, (0, 1))
    assert Router(20, 10, [*ends, whole], []).run() == ["a"]


# The board at a pocket.


def nets_of(kind: str) -> list[dict[str, str]]:
    """Return the nets of the pocket board's parts of one kind, by pad."""
    return [dict(part.nets) for part in POCKET.parts if part.part == kind]


@each_build
def test_a_pocket_board_takes_each_core_of_a_pockets_cable_at_its_contact_and_hands_it_on(build):
    for cable in build.cables:
        if cable.kind is CableKind.POCKET:
            rails = {Rail.GROUND: GROUND, Rail.V5: FUSED_5}
            wanted = {str(c.contact): rails.get(c.signal, "beam") for c in cable.cores}
            assert nets_of("cores") == [wanted, wanted]


def test_an_emitters_board_has_the_resistor_of_the_sums_and_nothing_on_the_wire():
    there = [part for part in POCKET.parts if POCKET.fitted[EMITTER](part)]
    assert {part.part for part in there} == {"lens", "r_emitter", "cores"}
    assert KINDS["r_emitter"].value.startswith(f"{electrical.EMITTER_SERIES:g},")
    assert nets_of("r_emitter") == [{"1": FUSED_5, "2": nets_of("lens")[0]["1"]}]
    assert {part.part for part in there if "beam" in part.nets.values()} == {"cores"}


def test_a_receivers_board_pulls_the_wire_low_while_its_phototransistor_is_dark():
    there = {part.part for part in POCKET.parts if POCKET.fitted[RECEIVER](part)}
    assert there == {"lens", "r_dark", "npn", "cores"}
    lit = nets_of("lens")[0]["1"]
    assert nets_of("lens") == [{"1": lit, "2": GROUND}]
    assert nets_of("r_dark") == [{"1": FUSED_5, "2": lit}]
    assert nets_of("npn") == [{"1": lit, "2": GROUND, "3": "beam"}]  # base, emitter, collector
    assert KINDS["r_dark"].value == electrical.ohm(electrical.BOARD_PULL_UP).removesuffix("ohm")


def test_pocket_boards_see_every_beam_that_is_drawn_also_crossed_ones():
    sizes = load()[1]
    needed = (electrical.V5 - electrical.BASE_OFF[0]) / electrical.BOARD_PULL_UP
    for through in (light.drawn(), light.light(sizes, 2), light.closed(sizes)):
        assert light.worst_ampere(through) > 2 * needed
        assert light.unseen_share(light.margins(through, needed=light.on_a_board)) < 1e-3
    bare = light.margins(light.light(sizes, 2))
    assert light.unseen_share(bare) > 1e-3  # without their transistor, crossed beams would not do


@each_build
def test_the_fuse_carries_pocket_boards_where_it_is_said_and_nowhere_else(build):
    is_carried = electrical.fused_ampere(build, boards=True) < electrical.FUSE_HOLDS / 2
    assert is_carried is electrical.can_have_boards(build)


def test_a_pocket_board_is_as_large_as_the_housing_and_its_lens_is_where_that_has_it():
    beam = load()[1].beam
    assert (POCKET.wide_mm, POCKET.high_mm) == (beam.module_width_mm, MODULE_HIGH_MM)
    [lens] = [part for part in POCKET.parts if part.part == "lens"]
    x, y, turn = POCKET.places[lens.ref]
    middle = [(x + pad.x, y + pad.y) for pad in pads_of("lens")]
    assert turn == 0
    assert [sum(each) / 2 for each in zip(*middle, strict=True)] == [beam.module_width_mm / 2] * 2


@pytest.mark.parametrize("kind", ["single", "crossed"])
def test_a_pocket_board_stands_in_its_holder_with_its_pad_before_the_cable_tie(kind):
    sizes = load()[1]
    for name, board in sizes.boards.items():
        axis = bracket_axes(sizes, board, 1 if kind == "single" else 2)[0]
        stands = [thing.solid for thing in bought.board(sizes.beam, receiver=True)[1:2]]
        stands.append(pad_in_place(sizes, solids()["board_pad"]))
        for solid in stands:
            there = solid.translate(axis.start)
            assert (there ^ solids()[f"{name}_{kind}"]).volume() < 1e-6
            assert there.bounding_box()[2] > 0  # off the wood
        back = max(solid.bounding_box()[3] for solid in stands) - sizes.beam.led_length_mm
        holes_mm = sizes.beam.module_depth_mm + 3.0 - 1.6 - TIE_MM, TIE_MM
        assert holes_mm[0] < back < holes_mm[0] + TIE_MM - 1.2  # a tie is 1.2 mm thick


def test_what_lies_against_the_bracket_has_no_hole_but_the_lens():
    covered = load()[1].beam.module_width_mm + 1.0
    for part in POCKET.parts:
        if any(pad.drill for pad in pads_of(part.part)) and part.part != "lens":
            assert POCKET.places[part.ref][1] - 0.85 > covered


def test_parts_and_joints_of_a_pocket_board_stand_in_the_pads_channel():
    sizes = load()[1]
    for part in POCKET.parts:
        x, y, turn = POCKET.places[part.ref]
        left, top, right, _bottom = placed(outline_of(part.part), (x, y, turn))
        if top < sizes.beam.module_width_mm:
            assert RAIL_MM < left < right < POCKET.wide_mm - RAIL_MM


def test_the_round_buzzer_has_room_though_it_is_drawn_narrower():
    """It is 12 mm across; its outline is too narrow by 2.5 mm until the board is redrawn."""
    [buzzer] = [part.ref for part in parts() if part.part == "buzzer"]
    x, y, turn = HUB.places[buzzer]
    assert turn == 0
    [first, second] = pads_of("buzzer")
    middle = (x + (first.x + second.x) / 2, y)
    for part in parts():
        if part.ref == buzzer:
            continue
        at_x, at_y, turned = HUB.places[part.ref]
        left, top, right, bottom = outline_of(part.part)
        around = [
            complex(a, b) * 1j ** (-turned / 90) for a in (left, right) for b in (top, bottom)
        ]
        xs, ys = [at_x + each.real for each in around], [at_y + each.imag for each in around]
        beside = max(min(xs) - middle[0], middle[0] - max(xs), 0.0)
        above = max(min(ys) - middle[1], middle[1] - max(ys), 0.0)
        assert math.hypot(beside, above) > 6.0 + 0.2, part.ref
