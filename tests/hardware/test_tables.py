"""Bill of materials, harness, cut list and drawings say the same, for every build."""

from __future__ import annotations

import csv
import hashlib
import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError

from hardware.board.design import KINDS
from hardware.board.perfboard import PIN_5, wanted
from hardware.board.seat_board import layouts
from hardware.generate.additions import ADDITIONS
from hardware.generate.bom import BOARDS, added, bill, euros
from hardware.generate.builds import BUILDS, CUT_CORNERS, Build
from hardware.generate.designators import designators
from hardware.generate.harness import cut_list, far_end, harness, near_end
from hardware.generate.look import COLOURS, words
from hardware.generate.parts import Group, parts, read
from hardware.generate.printed import (
    HUB,
    IN_BOUGHT,
    grams,
    instead,
    plate_files,
    printed,
    screws,
)
from hardware.generate.step import FOLDER
from hardware.generate.wiring import drawing
from hardware.generate.wiring_drawing import source_words
from hardware.prints import bought
from hardware.prints.catalogue import PRINTED, SCREWS
from hardware.prints.parameters import load
from jackspot.inputs.cables import CableKind, without_cable
from jackspot.inputs.header import HEADER_PINS, Rail, on_header
from jackspot.inputs.pins import PROFILES, WireKind

each_build = pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.name)

THEME = FOLDER.parent / "firmware/jackspot/web/pages/theme.css"


def quantities(build: Build) -> dict[str, float]:
    return {line.part.id: line.quantity for line in bill(build)}


def rows(path: str) -> list[dict[str, str]]:
    return list(csv.DictReader((FOLDER / path).read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_every_wire_of_a_profile_is_in_a_build_on_the_pin_of_the_table(profile):
    built = {
        (wire.name, wire.gpio)
        for build in BUILDS
        if build.config.pins.profile == profile.name
        for wire in build.wires
    }
    assert set(profile.gpios.items()) <= built


@each_build
def test_every_wire_of_a_build_runs_in_one_cable_or_stays_at_the_hub(build):
    carried = Counter(
        core.signal
        for cable in build.cables
        for core in cable.cores
        if core.signal in {wire.name for wire in build.wires}
    )
    at_the_hub = Counter(wire.name for wire in without_cable(build.wires))
    assert carried + at_the_hub == Counter(wire.name for wire in build.wires)


@each_build
def test_every_wire_is_on_its_page_drawing_and_picture_with_its_pin(build):
    page = (FOLDER / "WIRING.md").read_text(encoding="utf-8")
    section = page.split(f"\n## {build.title}\n")[1].split("\n## ")[0]
    drawn = yaml.safe_load(drawing(build))["connectors"]
    picture = (FOLDER / f"wiring/{build.name}.svg").read_bytes()
    for wire in build.wires:
        pin = f"pin {HEADER_PINS[wire.gpio]}"
        line = next(line for line in section.splitlines() if f"| `{wire.name}` |" in line)
        assert f"| {pin} " in line
        if wire in without_cable(build.wires):
            continue
        [name] = [key for key, each in drawn.items() if wire.name in each["pinlabels"]]
        place = drawn[name]["pinlabels"].index(wire.name)
        assert drawn["J" + name[1:]]["pinlabels"][place].startswith(pin)
        assert wire.name in words(picture)
        [cable] = [each for each in build.cables if each.contact(wire.name)]
        assert near_end(build, cable, wire.name) in words(picture)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_the_picture_of_the_header_has_every_wire_and_every_use_of_a_profile(profile):
    told = words((FOLDER / f"header/{profile.name}.svg").read_bytes())
    assert set(profile.gpios) <= set(told)
    for use in profile.taken.values():
        assert any(use in each for each in told), use
    assert {f"GPIO {gpio}" for gpio in HEADER_PINS} <= set(told)
    assert {str(pin) for pin in range(1, 41)} <= set(told)


@each_build
def test_the_schematic_has_every_wire_with_its_pin_and_its_contact(build):
    told = words((FOLDER / f"schematic/{build.name}.svg").read_bytes())
    for wire in build.wires:
        pin = f"pin {HEADER_PINS[wire.gpio]}"
        if wire.kind is WireKind.DISPLAY:
            assert f"{pin} {wire.name}" in told
        else:
            assert wire.name in told
            assert f"{pin}, GPIO {wire.gpio}" in told
    for cable in build.cables:
        for core in cable.cores:
            if not isinstance(core.signal, Rail):
                assert f"{cable.name} {core.contact}" in told


@each_build
def test_the_schematic_names_every_part_as_the_order_table_does(build):
    told = " ".join(words((FOLDER / f"schematic/{build.name}.svg").read_bytes()))
    there = quantities(build)
    named = designators(build)
    ordered = {row["id"]: row["designators"].split() for row in rows(f"bom/{build.name}.csv")}
    for part, names in named.items():
        assert len(names) == there[part], part
        assert ordered[part] == names
        if parts()[part].group is not Group.CONNECTORS or part.startswith("kk"):
            assert [name for name in names if not re.search(rf"\b{name}\b", told)] == [], part
    counted = [name for names in named.values() for name in names]
    assert len(counted) == len(set(counted))
    # Every part that stays on a board or in a box has a name, unless it is bought by the piece.
    by_the_piece = {"perfboard", "header_socket", "bridge_wire", "bought_case", "spacer",
                    "kk_contact"}  # fmt: skip
    soldered = {part for part in there if parts()[part].group in {Group.BEAMS, Group.HUB}}
    assert soldered - by_the_piece - {"hook_up"} <= set(named)


@each_build
def test_the_schematic_draws_both_halves_of_every_beam(build):
    told = words((FOLDER / f"schematic/{build.name}.svg").read_bytes())
    emitters = "both emitters" if build.crossed_beams else "emitter"
    assert told.count(emitters) == len(build.config.of_kind(WireKind.BEAM))
    for cable in build.of_kind(CableKind.POCKET):
        assert {f"{cable.name} {contact}" for contact in (1, 2, 3)} <= set(told)


@each_build
def test_the_schematic_speaks_of_no_seat_or_buzzer_that_a_build_lacks(build):
    told = words((FOLDER / f"schematic/{build.name}.svg").read_bytes())
    [fed] = [each for each in told if each.startswith("5 V of ")]
    count = build.counts()
    assert ("seats" in fed) is bool(count["lamp"])
    assert ("buzzer" in fed) is bool(count["buzzer"])
    assert "pockets" in fed
    assert ("Lamps and buzzer" in told) is bool(count["lamp"])
    assert any("MF-R020" in each for each in told) is bool(count["oled"] + count["oled_spi"])


@each_build
def test_the_schematic_takes_each_supply_from_the_pin_that_the_board_takes_it_from(build):
    told = words((FOLDER / f"schematic/{build.name}.svg").read_bytes())
    pins = {each for each in told if re.fullmatch(r"pin \d+ 5 V", each)}
    soldered = {pin for board in layouts(build) for pin in board.soldered_pins()}
    fives = {pin for pin, what in on_header().items() if what is Rail.V5}
    assert pins == {f"pin {pin} 5 V" for pin in soldered & fives}
    before_fuse = next(place for place, each in enumerate(told) if each in pins)
    assert told[before_fuse] == f"pin {PIN_5} 5 V"


@each_build
def test_the_schematic_has_the_buzzers_parts_in_the_boards_order(build):
    """Transistor, coil with the diode across it alone, resistor, 5 V."""
    drawn = (FOLDER / f"schematic/{build.name}.svg").read_text(encoding="utf-8")
    named = designators(build)
    for ref in named.get("buzzer", []):
        [resistor], [diode] = named["r_33"], named["diode"]
        left = {word.split()[0]: box[0] for word, box in written_in(drawn) if " " in word}
        assert left[diode] == pytest.approx(left[ref], abs=5)
        assert left[resistor] > left[ref] + 40
        nets = {frozenset(each for each, _ in those) for those in wanted(build).values()}
        assert frozenset({resistor, ref, diode}) in nets, "the resistor is at the 5 V's side"


@each_build
def test_no_line_of_a_schematic_runs_through_its_words(build):
    drawn = (FOLDER / f"schematic/{build.name}.svg").read_text(encoding="utf-8")
    assert len(list(written_in(drawn))) > 50
    assert struck_through(drawn) == []


def test_words_that_a_line_runs_through_are_found():
    drawn = (FOLDER / "schematic/least.svg").read_text(encoding="utf-8")
    x, y = next((box[0], (box[1] + box[3]) / 2) for word, box in written_in(drawn) if "F1" in word)
    struck = drawn.replace("</svg>", f'<path d="M {x - 5},{y} L {x + 50},{y}" /></svg>')
    assert [word for word in struck_through(struck) if word.startswith("F1 ")]


Box = tuple[float, float, float, float]


def written_in(drawn: str) -> Iterator[tuple[str, Box]]:
    """Yield the words of a schematic with roughly where they are: left, top, right, bottom."""
    pattern = (
        r'<text x="([\d.-]+)" y="([\d.-]+)"[^>]*font-size="([\d.]+)"[^>]*text-anchor="(\w+)"[^>]*>'
        r"\s*<tspan[^>]*>([^<]*)"
    )
    for x, y, size, anchor, word in re.findall(pattern, drawn):
        wide = 0.52 * float(size) * len(word)
        left = float(x) - wide * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        yield word, (left, float(y) + 0.3 * float(size), left + wide, float(y) + 0.9 * float(size))


def struck_through(drawn: str) -> list[str]:
    """Return the words that a line runs through."""
    lines = []
    for path in re.findall(r'<path d="([^"]*)"', drawn):
        points = [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", path)]
        lines += list(pairwise(points))
    return [
        word
        for word, box in written_in(drawn)
        if any(runs_through(start, end, box) for start, end in lines)
    ]


def runs_through(start: tuple[float, float], end: tuple[float, float], box: Box) -> bool:
    across, down = zip(start, end, strict=True)
    if min(across) >= box[2] or max(across) <= box[0]:
        return False
    if min(down) >= box[3] or max(down) <= box[1]:
        return False
    steps = [i / 40 for i in range(41)]
    places = ((start[0] + t * (end[0] - start[0]), start[1] + t * (end[1] - start[1]))
              for t in steps)  # fmt: skip
    return any(box[0] < x < box[2] and box[1] < y < box[3] for x, y in places)


@each_build
def test_the_picture_says_what_its_source_says(build):
    assert words((FOLDER / f"wiring/{build.name}.svg").read_bytes()) == source_words(build)


@each_build
def test_both_ends_of_every_cable_are_in_the_bill_with_their_number(build):
    there = quantities(build)
    plugs = Counter(run.plug for run in harness(build))
    sockets = Counter(run.socket for run in harness(build))
    assert {part: there[part] for part in plugs} == plugs
    assert {part: there[part] for part in sockets} == sockets
    beams = len(build.config.of_kind(WireKind.BEAM))
    buttons = len(build.config.of_kind(WireKind.BUTTON))
    lamps = len(build.config.of_kind(WireKind.LAMP))
    pairs = beams * (2 if build.crossed_beams else 1)
    assert there.get("beam_pair", 0) + there.get("detector", 0) == pairs
    assert there.get("emitter", 0) == there.get("r_100", 0) == there.get("detector", 0)
    assert there["button"] == buttons
    assert there.get("lamp", 0) == there.get("r_150", 0) == lamps
    assert there["r_10k"] == beams
    assert there["r_1k"] == len([w for w in build.wires if w.kind is not WireKind.DISPLAY])


@each_build
def test_a_cable_has_as_many_cores_as_its_plug_has_use_for(build):
    for run in harness(build):
        poles = int(parts()[run.plug].name.split(", ")[1].split()[0])
        cores = int(parts()[run.part].number.split(" x ")[0].split()[-1])
        assert len(run.cable.cores) <= min(poles, cores)
        assert max(core.contact for core in run.cable.cores) <= poles


@each_build
def test_the_cut_list_adds_up_to_the_metres_of_the_bill(build):
    millimetres: Counter[str] = Counter()
    for row in rows(f"wiring/{build.name}-cut-list.csv"):
        millimetres[row["part"]] += int(row["pieces"]) * int(row["length mm"])
    bought = {row["id"]: float(row["for 1 board"]) for row in rows(f"bom/{build.name}.csv")}
    assert {part: mm / 1000 for part, mm in millimetres.items()} == {
        part: bought[part] for part in millimetres
    }
    assert {part for part in bought if part.startswith("cable_") and part != "cable_tie"} | {
        "hook_up"
    } == set(millimetres)


@each_build
def test_the_order_table_has_every_part_once_and_twenty_times_as_much_for_twenty_boards(build):
    table = rows(f"bom/{build.name}.csv")
    assert [row["id"] for row in table] == [line.part.id for line in bill(build)]
    for row in table:
        one, twenty = float(row["for 1 board"]), float(row[f"for {BOARDS} boards"])
        assert twenty == pytest.approx(BOARDS * one)
        assert row["source 1"]
        assert row["source 2"]


@each_build
def test_the_tubing_of_the_bill_is_a_sleeve_for_each_joint_that_hangs_free(build):
    """Each contact in the hub's wall, each core in its plug, each splice at a pocket, each lamp.

    A lamp hangs with its resistor between two cores: three joints.
    """
    in_plugs = {CableKind.POCKET, CableKind.SEAT, CableKind.BOX}
    cores = [len(cable.cores) for cable in build.cables if cable.kind in in_plugs]
    spliced = [len(cable.cores) for cable in build.of_kind(CableKind.POCKET)]
    legs = 2 * (build.counts()["made_beam"] == 0) * (2 * build.counts()["pocket"])
    wanted = 2 * sum(cores) + sum(spliced) + legs + 3 * build.counts()["lamp"]
    assert quantities(build)["shrink"] == pytest.approx(0.03 * wanted)
    if build.name == "least":
        assert wanted == 48


def test_every_part_of_the_table_is_needed_by_some_build_or_addition():
    needed = {line.part.id for build in (*BUILDS, CUT_CORNERS) for line in bill(build)}
    needed |= {line.part.id for addition in ADDITIONS for line in added(addition)}
    assert set(parts()) - needed == set()


def test_nothing_that_is_bought_has_the_name_of_a_printed_part():
    assert set(parts()) & set(PRINTED) == set()
    assert set(SCREWS) <= set(parts())


@each_build
def test_the_hubs_case_is_printed_or_bought_with_its_plate_and_the_lists_say_which(build):
    """At a closed box it is printed: its ears hold it to the laths."""
    assert {name for name in PRINTED if name.startswith("hub_")} == {*HUB, *IN_BOUGHT}
    assert set(HUB) <= set(printed(build))
    assert set(instead(build)) == (set() if build.is_closed else set(IN_BOUGHT))
    assert ("bought_case" in quantities(build)) == bool(instead(build))
    page = "closed-box" if build.is_closed else "README"
    told = (FOLDER / f"guide/{page}.md").read_text(encoding="utf-8")
    for names, where in ((HUB, "no case is bought"), (IN_BOUGHT, "a case is bought")):
        for name in names:
            row = rf"^\| \[`{name}`\]\(.*\) \| 1, where {where} \|"
            assert bool(re.search(row, told, re.MULTILINE)) == bool(instead(build))


def test_the_hubs_case_and_its_plate_are_among_the_plates():
    assert {f"hub-{i}.3mf" for i in (1, 2)} | {"hub-plate-1.3mf"} <= set(plate_files())


@each_build
def test_every_screw_of_the_printed_parts_has_an_order_row_with_its_number(build):
    there = quantities(build)
    for screw, count in screws(build).items():
        assert there[screw] == count
        assert parts()[screw].name.startswith(SCREWS[screw].name)
        assert parts()[screw].group is Group.FIXING
    assert {part for part in there if part.startswith("screw_")} == set(screws(build))
    assert there["filament"] == pytest.approx(grams(printed(build)) / 1000, abs=0.01)
    assert {"felt", "glue"} <= set(there)


@each_build
def test_each_socket_in_the_hubs_wall_has_its_two_screws(build):
    there = quantities(build)
    in_wall = sum(there.get(each, 0) for each in ("din3_socket", "din5_socket", "din6_socket"))
    assert there["screw_socket"] == 2 * in_wall
    if build.name == "full":
        assert in_wall == 9


def test_no_substitute_of_a_socket_in_the_hubs_wall_is_a_jack_of_the_printed_board():
    jacks = [kind.value for name, kind in KINDS.items() if name.startswith("jack_")]
    assert jacks == ["SDS-30J", "SDS-50J"]
    for name in ("din3_socket", "din5_socket", "din6_socket"):
        said = "; ".join(parts()[name].substitutes)
        assert jacks[0][:4] not in said, name  # right-angled, without a flange


def test_a_substitute_that_does_not_fit_as_it_is_says_so_in_its_row():
    page = " ".join((FOLDER / "BOM.md").read_text(encoding="utf-8").split())
    assert "A substitute fits the circuit as it is, unless its row says otherwise." in page
    for said in parts()["transistor"].substitutes[1:]:
        assert said.endswith("not in the holes as drawn"), said


def test_what_distributors_sell_has_an_order_code():
    """Buyers have to search for a maker's number that has no seller's code."""
    by_code = {"Mouser", "DigiKey", "Adafruit", "Parts Express"}
    bare = [
        part.id
        for part in parts().values()
        if any(source.at in by_code for source in part.sources)
        and not any(source.code for source in part.sources)
    ]
    assert bare == []


def test_every_part_is_on_the_page_with_its_number():
    page = (FOLDER / "BOM.md").read_text(encoding="utf-8")
    for part in parts().values():
        assert f"| {part.name} | {part.maker} {part.number}" in page
    for group in Group:
        assert f"\n## {group.value.capitalize()}\n" in page


def test_pocket_money_costs_the_least_and_full_more_than_twice_as_much():
    cost = {build.name: euros(build) for build in BUILDS}
    assert min(cost, key=cost.__getitem__) == "pocket-money"
    assert cost["least"] < cost["full"]
    assert cost["full"] > 2 * cost["pocket-money"]
    assert euros(BUILDS[2], without="sign") == cost["full"] - 60
    assert euros(BUILDS[0], without="sign") == 0


def test_the_plan_has_every_cable_with_its_length():
    told = words((FOLDER / "plan.svg").read_bytes())
    for run in harness(BUILDS[2]):
        assert run.cable.name in told
        assert f"{run.length_mm / 1000:g} m, {len(run.cable.cores)} cores" in told


@each_build
def test_what_would_end_a_pi_is_designed_out(build):
    there = quantities(build)
    assert there["spacer"] == 4, "the hub's board does not go on a row aside"
    displays = there.get("oled", 0) + there.get("oled_spi", 0)
    assert there.get("fuse_3v3", 0) == displays
    ends = [near_end(build, run.cable, core.signal) for run in harness(build)
            for core in run.cable.cores]  # fmt: skip
    # Each supply that leaves the hub is behind a fuse, except the matrix's at the hub itself.
    fused = {"5 V behind the fuse", "3.3 V behind its own fuse", "5 V, pin 4"}
    assert {each for each in ends if each.startswith(("5 V", "3.3 V"))} <= fused


def test_pictures_show_the_beams_that_are_bought():
    made, bare = (build for build in BUILDS[1::-1])
    assert "beam_pair" in quantities(made)
    assert "detector" in quantities(bare)
    beam = load()[1].beam
    for receiver, wires in ((True, {"red", "black", "white"}), (False, {"red", "black"})):
        shown = bought.module(beam, receiver=receiver)
        colours = {each.colour for each in shown}
        assert {name for name, colour in bought.WIRES.items() if colour in colours} == wires
        box = shown[1].solid.bounding_box()
        sides = sorted(box[i + 3] - box[i] for i in range(3))
        assert sides == pytest.approx([8, 10, 20]), "the housing of 20 by 10 by 8 that is sold"


def test_the_detectors_base_is_in_no_net_and_is_said_to_stay_open():
    bare = next(build for build in BUILDS if build.bare_beams)
    assert "three legs, the base stays open" in parts()["detector"].name
    for run in harness(bare):
        if run.cable.kind is CableKind.POCKET:
            ends = [far_end(bare, run.cable, core.signal) for core in run.cable.cores]
            assert "phototransistor's collector; base open" in ends
            assert sum("phototransistor" in end for end in ends) == 2
    told = words((FOLDER / f"schematic/{bare.name}.svg").read_bytes())
    assert any("base open" in each for each in told)


def test_what_beginners_must_be_told_is_told():
    shown = " ".join(words((FOLDER / "guide/legs.svg").read_bytes()))
    for leg in ("anode", "cathode", "collector", "emitter", "base"):
        assert leg in shown, leg
    guide = (FOLDER / "guide/README.md").read_text(encoding="utf-8")
    sums = (FOLDER / "ELECTRICAL.md").read_text(encoding="utf-8")
    assert shown.count("data sheet draws") == 2, "the base's too: nobody has looked"
    assert "(legs.svg)" in guide
    for page in (guide, sums, parts()["filament"].name):
        assert "remote control" in page
    for page in (guide, sums):
        assert "phone's camera" in page
        assert "striker" in page
    assert "ground also to the socket's metal" in guide
    assert "close the hub: its lid with four `screw_lid`" in guide


def test_the_manifest_names_every_printed_part_and_only_files_that_are_there():
    manifest = tomllib.loads((FOLDER / "okh.toml").read_text(encoding="utf-8"))
    for key in ("okhv", "name", "license", "licensor", "function", "version"):
        assert manifest[key]
    assert manifest["license"] == "CERN-OHL-P-2.0"
    assert "CERN Open Hardware Licence Version 2 - Permissive" in (FOLDER / "LICENSE").read_text()
    named = [*manifest["bom"], *manifest["manufacturing-instructions"], *manifest["user-manual"]]
    named += [*manifest["source"], manifest["readme"], manifest["image"][0]["location"]]
    for part in manifest["part"]:
        for key in ("source", "export", "image"):
            named += [part[key]] if isinstance(part[key], str) else part[key]
    assert [path for path in named if not (FOLDER / path).is_file()] == []
    exports = {part["export"] for part in manifest["part"] if part["tsdc"] == "3DP"}
    assert exports == {f"prints/stl/{name}.stl" for name in PRINTED}


def test_home_made_beams_are_never_crossed():
    """Two beams that are low while whole cannot share a wire."""
    assert not any(build.bare_beams and build.crossed_beams for build in BUILDS)


def test_the_front_page_has_every_build():
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    for build in BUILDS:
        assert f"| [{build.title.lower()}](builds/{build.name}.toml) |" in page


def test_the_licence_is_unmodified():
    """The text is as SPDX has it; CERN allows its use in unmodified form only."""
    found = hashlib.sha256((FOLDER / "LICENSE").read_bytes()).hexdigest()
    assert found == "eeecc593866fa1c3b80189c7e3dc0ceb77740557fa92f81771f891cc54c579cb"


def test_no_plug_goes_where_5_volts_would_meet_a_gpio():
    """Only a pocket's plug goes into another kind of socket, a seat's."""
    pocket, seat = (
        next(c for c in BUILDS[2].cables if c.kind is kind)
        for kind in (CableKind.POCKET, CableKind.SEAT)
    )
    supplied = {core.contact for core in seat.cores if core.signal == "5 V"}
    assert supplied.isdisjoint(core.contact for core in pocket.cores)
    ground = pocket.contact("ground")
    assert ground == seat.contact("ground")


def test_the_same_contact_is_the_same_colour_and_no_colour_is_there_twice():
    for build in BUILDS:
        for run in harness(build):
            colours = [run.colour(core) for core in run.cable.cores]
            assert len(set(colours)) == len(colours)


def test_lengths_grow_with_the_way_round_the_board():
    runs = {run.cable.name: run.length_mm for run in harness(BUILDS[2])}
    assert runs["pocket_se"] < runs["seat_e"] < runs["pocket_ne"] < runs["seat_n"]
    assert all(cut.pieces > 0 and cut.length_mm > 0 for cut in cut_list(BUILDS[2]))


def test_a_build_has_all_that_the_next_cheaper_one_of_its_kind_has():
    for less, more in pairwise(build for build in BUILDS if build.name in {"least", "full"}):
        assert {wire.name for wire in less.wires} <= {wire.name for wire in more.wires}


def test_the_colours_are_those_of_the_pages():
    theme = THEME.read_text(encoding="utf-8").split("@media")[0]
    strange = [name for name, value in COLOURS.items() if f"--{name}: {value};" not in theme]
    assert strange == []


PART = """
[[part]]
id = "x"
group = "hub"
name = "a thing"
maker = "M"
number = "1"
per = { board = 1 }
price = "a"
sources = [{ at = "A" }, { at = "B" }]
substitutes = ["another"]
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('price = "a"', 'price = "z"', "price"),
        ("per = { board = 1 }", "per = {}", "per"),
        ("per = { board = 1 }", "per = { board = -1 }", "per.board"),
        (', { at = "B" }', "", "sources"),
        ('substitutes = ["another"]', "substitutes = []", "substitutes"),
        ('group = "hub"', 'group = "club"', "group"),
        ('maker = "M"', 'makre = "M"', "makre"),
    ],
)
def test_a_mistake_in_the_parts_table_is_named(tmp_path: Path, old: str, new: str, said: str):
    path = tmp_path / "parts.toml"
    path.write_text(PART, encoding="utf-8")
    assert list(read(path)) == ["x"]
    path.write_text(PART.replace(old, new), encoding="utf-8")
    with pytest.raises(ValidationError, match=said):
        read(path)


def test_two_parts_of_one_id_are_refused(tmp_path: Path):
    path = tmp_path / "parts.toml"
    path.write_text(PART + PART, encoding="utf-8")
    with pytest.raises(ValueError, match="two parts have the id x"):
        read(path)


def test_what_a_part_is_counted_by_exists():
    known = set(BUILDS[0].counts()) | {key for each in ADDITIONS for key in each.counts()}
    known |= {f"{end}:{kind}" for end in ("plug", "socket") for kind in CableKind}
    known |= {f"metre:{part}" for part in parts()}
    known |= {f"screw:{screw}" for screw in SCREWS} | {"kilogram", "perfboard"}
    assert {key for part in parts().values() for key in part.per} <= known


def test_a_part_for_some_builds_only_names_builds_that_exist():
    names = {build.name for build in (*BUILDS, CUT_CORNERS)}
    assert all(set(part.builds or ()) <= names for part in parts().values())
