"""The printed hub board connects what the pin and cable tables say, for every build."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from hardware.board.circuit import (
    FUSED_3,
    FUSED_5,
    GROUND,
    KINDS,
    RAW_3,
    RAW_5,
    fitted,
    gpio_net,
    nets,
    parts,
    sockets,
)
from hardware.generate.builds import BUILDS
from hardware.generate.step import FOLDER
from jackspot.inputs.cables import BUS_GPIOS, BusLine, CableKind
from jackspot.inputs.header import HEADER_PINS, RAIL_PINS, Rail
from jackspot.inputs.pins import BUZZER, WireKind

each_build = pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.name)

THROUGH = {"r_1k", "r_100"}
"""What a signal passes on its way from the header to a socket."""


def committed() -> dict[str, set[tuple[str, str]]]:
    """Read the nets of the committed net list, without the program that wrote it."""
    content = (FOLDER / "board/hub.net").read_text(encoding="utf-8")
    found = {}
    for name, nodes in re.findall(
        r'\(net \(code "\d+"\) \(name "([^"]+)"\) (.*)\)$', content, re.MULTILINE
    ):
        found[name] = set(re.findall(r'\(node \(ref "(\w+)"\) \(pin "(\w+)"\)\)', nodes))
    return found


def reached(build, start: str) -> set[tuple[str, str]]:
    """Return the pads of fitted parts that a net reaches through fitted series resistors."""
    there = {part.ref: part for part in parts() if fitted(part, build)}
    listed = committed()
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


def test_the_committed_net_list_is_that_of_the_tables():
    assert committed() == {net: set(pads) for net, pads in nets().items()}


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


def test_no_net_ends_nowhere_and_no_pad_is_on_two():
    pads = [pad for there in nets().values() for pad in there]
    assert len(pads) == len(set(pads))
    assert [net for net, there in nets().items() if len(there) < 2] == []
    assert {part.part for part in parts()} == set(KINDS)


def test_an_amber_light_follows_each_beam_without_software():
    [gates] = [part for part in parts() if part.part == "xor"]
    for a, b, y in (("1", "2", "3"), ("4", "5", "6"), ("9", "10", "8"), ("12", "13", "11")):
        assert gates.nets[b] == "whole_is_low"
        assert gates.nets[a].startswith("GPIO")
        assert gates.nets[y].startswith("light_pocket")


def test_of_the_fitted_links_only_home_made_beams_have_one():
    [link] = [part for part in parts() if part.part == "link"]
    assert {build.name for build in BUILDS if fitted(link, build)} == {"pocket-money"}
