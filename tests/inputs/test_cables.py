"""Which wire runs in which cable, and what is on each pin of the header."""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory

from jackspot.config import Sources, load
from jackspot.config.uses import displays_of
from jackspot.inputs.cables import BusLine, CableKind, Displays, cables, gpio_of, pins_of
from jackspot.inputs.header import HEADER_PINS, PIN_COUNT, RAIL_PINS, Rail, on_header
from jackspot.inputs.pins import Wire, WireKind

REFERENCE = load(Sources(()))


def test_every_pin_of_the_header_is_what_gpiozero_says_it_is():
    pins = MockFactory().board_info.headers["J8"].pins
    names = {Rail.V5: "5V", Rail.V3: "3V3", Rail.GROUND: "GND"}
    for number, found in on_header().items():
        if found is Rail.EEPROM:
            assert pins[number].name in {"GPIO0", "GPIO1"}
        else:
            said = names[found] if isinstance(found, Rail) else f"GPIO{found}"
            assert pins[number].name == said


def test_the_header_has_forty_pins_and_none_twice():
    rails = [pin for pins in RAIL_PINS.values() for pin in pins]
    assert sorted([*HEADER_PINS.values(), *rails]) == list(range(1, PIN_COUNT + 1))


def test_the_reference_board_has_a_cable_to_each_place_and_one_to_the_display():
    found = cables(REFERENCE.wires, displays_of(REFERENCE))
    assert [cable.name for cable in found] == [
        "pocket_ne", "pocket_se", "pocket_sw", "pocket_nw",
        "seat_n", "seat_e", "seat_s", "seat_w", "box", "oled",
    ]  # fmt: skip


def test_a_seat_without_a_lamp_takes_no_5_volts_and_keeps_its_contacts():
    wires = [wire for wire in REFERENCE.wires if wire.kind is not WireKind.LAMP]
    seat = next(c for c in cables(wires, Displays()) if c.kind is CableKind.SEAT)
    assert [(core.contact, core.signal) for core in seat.cores] == [
        (1, "seat_n_ok"), (2, Rail.GROUND), (3, "seat_n_fix"),
    ]  # fmt: skip


def test_a_box_with_two_buttons_keeps_their_contacts():
    wires = [wire for wire in REFERENCE.wires if wire.name in {"referee_ok", "referee_undo"}]
    [box] = cables(wires, Displays())
    assert [core.contact for core in box.cores] == [1, 2, 6]


def test_a_place_without_wires_has_no_cable():
    assert cables([], Displays()) == ()


def test_a_wire_that_was_moved_is_on_its_new_pin():
    wires = [Wire("pocket_ne", WireKind.BEAM, 17, REFERENCE.wires[0].active)]
    assert pins_of("pocket_ne", wires) == (HEADER_PINS[17],)
    assert gpio_of(BusLine.SDA, wires) == 2
    assert gpio_of(Rail.GROUND, wires) is None
    assert pins_of(Rail.V3, wires) == (1, 17)


def test_a_matrix_takes_the_chip_select_of_its_device():
    for device, select in ((0, BusLine.CE0), (1, BusLine.CE1)):
        [cable] = cables([], Displays(matrix=device))
        assert cable.contact(select) == 4
