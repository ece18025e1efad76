"""The sensor hub that a maker solders is wired as its program and the printed board have it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from hardware.board.circuit import DISCS, HEADS, SENSORS, parts
from hardware.board.perfboard import Layout, Wire, faults, groups, hole
from hardware.board.sensor_board import layout, nets_by_wire, used, wanted
from hardware.generate import electrical, sensing
from hardware.generate.additions import ADDITIONS
from hardware.generate.bom import added
from hardware.generate.parts import parts as all_parts
from hardware.generate.sensor_hub import GPIO_PINS, _said
from hardware.generate.step import FOLDER
from jackspot.ops.doctor.sensor_hub import check_sensor_hub
from jackspot_sim.physics.discs import FIGURES as DISC_FIGURES
from sensor_hub.hub import PROGRAM as PROGRAM_NUMBER

PAGE = (FOLDER / "guide" / "sensor-hub.md").read_text(encoding="utf-8")
PROGRAM = FOLDER.parent / "firmware" / "sensor_hub" / "main.py"
SOURCE = PROGRAM.read_text(encoding="utf-8")
CHANNELS = ("13", "14", "15", "12", "1", "5", "2", "4")
"""The 74HC4051's pins of its lines 0 to 7, by its data sheet; 3 is common, 11 to 9 select."""

each_extent = pytest.mark.parametrize("heads", [False, True], ids=["knocks", "colours"])


def constant(name: str) -> object:
    """Return what the hub's program sets a name to; it cannot be imported without a Pico."""
    for node in ast.parse(SOURCE).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return ast.literal_eval(node.value)
    raise AssertionError(name)


def program_pins() -> dict[str, int]:
    """Return the GP numbers that the program uses, by the net that each is on."""
    [select] = re.findall(r"for number in \((\d+), (\d+), (\d+)\)", SOURCE)
    found = {f"select_{i}": int(number) for i, number in enumerate(select)}
    found |= {
        f"strobe_{name[0]}": int(number)
        for name, number in re.findall(r"(RED|GREEN|BLUE): machine.Pin\((\d+),", SOURCE)
    }
    [adc] = re.findall(r"machine.ADC\((\d+)\)", SOURCE)
    return found | {"sensed": int(adc)}


def boards() -> dict[str, list]:
    printed = [part for part in parts() if part.of == SENSORS or part.part == "driver"]
    return {"printed": printed, "holes": list(used())}


def of_kind(board: str, *kinds: str) -> dict[str, str]:
    [part] = [part for part in boards()[board] if part.part in kinds]
    return dict(part.nets)


@pytest.mark.parametrize("board", ["printed", "holes"])
def test_the_pico_and_the_multiplexer_are_wired_as_the_program_has_it(board):
    pico = of_kind(board, "pico")
    assert len(program_pins()) == 7
    for net, gpio in program_pins().items():
        assert pico[str(GPIO_PINS[gpio])] == net
    mux = of_kind(board, "multiplexer", "mux_dip")
    assert [mux[pad] for pad in ("3", "11", "10", "9")] == [
        "sensed",
        "select_0",
        "select_1",
        "select_2",
    ]
    on = [f"head_{at}_in" for at in HEADS] + [f"disc_{at}_in" for at in DISCS]
    assert [mux[pad] for pad in CHANNELS] == on
    assert [mux[pad] for pad in ("6", "7", "8", "16")] == ["GND"] * 3 + ["3V3_PICO"]
    assert constant("WIRES") == [*HEADS, *DISCS]


def test_gp_numbers_are_at_the_pins_of_a_pico():
    known = {0: 1, 2: 4, 4: 6, 5: 7, 6: 9, 8: 11, 15: 20, 16: 21, 22: 29, 26: 31, 28: 34}
    assert known.items() <= GPIO_PINS.items()


@pytest.mark.parametrize("board", ["printed", "holes"])
def test_each_light_goes_through_its_driver_to_all_heads(board):
    driver = of_kind(board, "driver", "driver_dip")
    for light in "RGB":
        [into] = [int(pad) for pad, net in driver.items() if net == f"strobe_{light}"]
        assert driver[str(19 - into)] == f"head_{light}"  # ULN2803A: 1 to 8 in, 18 to 11 out
    for part in boards()[board]:
        if part.part.startswith("kk6") and part.of in {SENSORS, "heads"}:
            assert [part.nets[str(i)] for i in range(2, 7)] == [
                "GND",
                "head_R",
                "head_G",
                "head_B",
                "5V",
            ]


@each_extent
def test_the_layout_joins_what_the_net_list_joins_and_nothing_else(heads):
    assert list(faults(layout(heads=heads), wanted(heads=heads))) == []


@each_extent
def test_a_wire_too_many_or_too_few_is_found(heads):
    board, nets = layout(heads=heads), wanted(heads=heads)
    more = Wire(hole("A1"), hole("E1"), bare=False) if heads else Wire(hole("C1"), hole("E1"))
    for wires in (board.wires[1:], (*board.wires, more)):
        assert list(faults(Layout(board.parts, {}, wires, {}), nets))


def test_each_disc_is_kept_between_the_supplies_behind_its_resistor():
    board = layout(heads=False)
    number = groups(board)
    legs = {(part.ref, leg): at for part in board.parts for leg, at in part.legs.items()}
    diodes = [part for part in used() if part.part == "schottky_dip"]
    for at in DISCS:
        wire = f"disc_{at}_in"
        assert {tuple(sorted(p.nets.items())) for p in diodes if wire in p.nets.values()} == {
            (("1", wire), ("2", "GND")), (("1", "3V3_PICO"), ("2", wire)),
        }  # fmt: skip
        [series] = [p for p in used() if p.part == "r_10k" and wire in p.nets.values()]
        ends = {number[legs[series.ref, leg]] for leg in ("1", "2")}
        assert len(ends) == 2


@each_extent
def test_the_order_table_has_every_part_of_the_board(heads):
    [addition] = [each for each in ADDITIONS if each.heads is heads]
    lines = {line.part.id: line.quantity for line in added(addition)}
    for name, refs in addition.designators().items():
        assert lines[name] == len(refs), name
        assert f"`{name}`" in PAGE
    assert lines["strip_20"] == 2
    assert lines["kk_contact"] == 2 * len(DISCS) + 6 * len(HEADS) * heads
    assert ("driver_dip" in lines) is heads


MATERIALS = {
    "hot glue": "glue", "contact glue": "contact_glue", "tape": "tape", "sleeve of": "shrink",
    "case": "sensor_case", "cable tie": "cable_tie", "filament": "filament", "screw": "screw_",
    "usb cable": "cable_usb",
}  # fmt: skip
"""Materials that a page's words may ask for, and the part that each is."""


def not_in_the_table(page: str) -> set[str]:
    """Return the parts that the page asks for but the larger of its order tables has not."""
    there = {line.part.id for line in added(ADDITIONS[-1])}
    rows = re.sub(r"^\|.*$", "", page, flags=re.MULTILINE)
    words = re.sub(r"[`_]", " ", re.sub(r"```.*?```", "", rows, flags=re.DOTALL)).lower()
    asked = {part for word, part in MATERIALS.items() if re.search(rf"\b{word}s?\b", words)}
    named = {code for code in re.findall(r"`(\w+)`", page) if code in all_parts()}
    return (asked | named) - there


def test_whatever_the_page_asks_for_is_in_its_order_table():
    assert not_in_the_table(PAGE) == set()
    assert "in no table" not in PAGE
    for addition in ADDITIONS:
        there = {line.part.id for line in added(addition)}
        assert {"glue", "contact_glue", "tape", "sensor_case", "shrink", "cable_tie"} <= there


def test_what_the_page_asks_for_beside_the_table_is_found():
    asked = "| a | b |\nTwo screws and a `fuse`.\n```\nx\n```\nTape, hot glue."
    assert not_in_the_table(asked) == {"screw_", "fuse"}


def test_the_ohms_between_discs_that_the_page_asks_for_tell_a_sound_board_from_a_bridge():
    """The multimeter's current goes through a diode to 3V3, by the divider, and up another."""
    series, apart = sensing.DISC_SERIES, sensing.DISC_REST
    upper, lower = sensing.REST_UPPER, sensing.REST_LOWER
    dividers = electrical.parallel(upper, apart) + electrical.parallel(lower, apart)
    to_ground = electrical.parallel(upper, apart) + lower
    page = " ".join(PAGE.split())
    asked = re.findall(r"more than (\d+) kohm; about (\d+) kohm or less is a bridge", page)
    [between, ground] = [(int(least) * 1e3, int(most) * 1e3) for least, most in asked]
    assert 2 * series + dividers > between[0] > between[1] == 2 * series
    assert series + to_ground > ground[0] > ground[1] == series


def test_the_pico_goes_onto_its_strips_after_the_measurements():
    assert "strip_20" in {line.part.id for line in added(ADDITIONS[0])}
    assert "Solder the Pico" not in PAGE
    assert "Push the Pico onto its strips last, after the measurements below" in PAGE


def test_the_case_is_drilled_and_cables_are_put_through_before_their_plugs_are_made():
    page = " ".join(PAGE.split())
    before = {
        "Put each cable through its hole": "into a `kk2_plug`",
        "Put the cable's other end through its hole": "| contact of `kk6_plug` |",
        "Drill the `sensor_case` before anything is in it": "Fix the board in the case",
    }
    for first, then in before.items():
        assert page.index(first) < page.index(then)
    assert "a hole of 12 mm for the USB cable" in page  # whose plugs are moulded on


def test_every_wire_of_the_table_is_on_the_board_and_the_other_way_round():
    for heads in (False, True):
        told = [wire for wires in nets_by_wire(heads=heads).values() for wire in wires]
        assert sorted(map(str, told)) == sorted(map(str, layout(heads=heads).wires))
    for wires in nets_by_wire(heads=True).values():
        for wire in wires:
            assert _said([wire]) in PAGE


def test_every_sum_of_a_disc_holds_and_is_that_of_the_program():
    claims = list(sensing.discs())
    assert [claim.what for claim in claims if not claim.holds] == []
    assert constant("SETTLE_US") == pytest.approx(sensing.SETTLE_S * 1e6)
    rest = sensing.REST / electrical.V3 * sensing.FULL
    assert rest == pytest.approx(DISC_FIGURES["rest"].value, rel=0.1)


def test_the_page_asks_for_what_program_and_doctor_know():
    assert "HEADS = []" in PAGE
    assert isinstance(constant("HEADS"), list)
    words = Path(check_sensor_hub.__code__.co_filename).read_text(encoding="utf-8")
    assert constant("DISCS") == list(DISCS)
    discs = " ".join(DISCS)
    assert f"`…, program {PROGRAM_NUMBER}; heads none; discs {discs}`" in PAGE
    assert "program {hello.program}; heads {heads}; discs {discs}" in words
    for said in re.findall(r"^\| `([^`…]+?)(?:…)?` \|", PAGE.split("| it says |")[1], re.MULTILINE):
        assert said.strip() in words, said
    assert "{{" not in PAGE
    for path in re.findall(r"\]\(([^)#]+)", PAGE):
        assert (FOLDER / "guide" / path).exists(), path
