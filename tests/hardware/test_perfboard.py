"""The hole-by-hole layout joins what the printed board's net list joins, and nothing else."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from playwright.sync_api import Browser

from hardware.board.perfboard import (
    COLUMNS,
    FIRST,
    HIGH_MM,
    PITCH_MM,
    ROWS,
    SCREWS,
    SECOND,
    WIDE_MM,
    Box,
    Hole,
    Layout,
    Part,
    Wire,
    faults,
    groups,
    hole,
    in_holes,
    layout,
    named,
    nets_on,
    terminals,
    wanted,
)
from hardware.board.seat_board import counts, layouts
from hardware.generate.builds import BUILDS, Build
from hardware.generate.designators import placed
from hardware.generate.harness import leads_between
from hardware.generate.parts import parts
from hardware.generate.perfboard import (
    BOARDS,
    ETHERNET_MM,
    KEPT_MM,
    PERFBOARD,
    Board,
    drawn,
    reach_mm,
    sheet,
    steps,
    words,
)
from hardware.generate.quick_card import LANGUAGES, laid_out, what_stands_on_it
from hardware.prints.housings import computer_at, hub_layout
from hardware.prints.parameters import load
from jackspot.inputs.header import HEADER_PINS
from jackspot.values import changed
from tests.conftest import thinned
from tests.hardware.test_tables import runs_through

each_build = pytest.mark.parametrize("build", BUILDS, ids=lambda build: build.name)
each_board = pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
LEAST, FULL = (next(build for build in BUILDS if build.name == each) for each in ("least", "full"))
OF_LEAST = next(board for board in BOARDS if board.name == "least")
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1))


def aside(at: Hole, by: tuple[int, int]) -> Hole:
    return at[0] + by[0], at[1] + by[1]


def with_part(board: Layout, old: Part, *new: Part) -> Layout:
    return changed(board, parts=tuple(each for each in board.parts if each != old) + new)


def with_wire(board: Layout, old: Wire, *new: Wire) -> Layout:
    return changed(board, wires=tuple(each for each in board.wires if each != old) + new)


def without_one(board: Layout) -> Iterator[tuple[str, Layout]]:
    """Yield a board for each thing on it, without that thing."""
    for part in board.parts:
        yield part.ref, with_part(board, part)
        for leg in part.legs:
            legs = {each: at for each, at in part.legs.items() if each != leg}
            yield f"{part.ref} {leg}", with_part(board, part, changed(part, legs=legs))
    for wire in board.wires:
        yield f"{named(wire.start)} to {named(wire.end)}", with_wire(board, wire)
    for lead in board.leads:
        leads = {each: at for each, at in board.leads.items() if each != lead}
        yield str(lead), changed(board, leads=leads)


def with_one_moved(board: Layout) -> Iterator[tuple[str, Layout]]:
    """Yield a board for each leg, lead and end of a wire, put into each hole beside its own."""
    for by in AROUND:
        for part in board.parts:
            for leg, at in part.legs.items():
                moved = changed(part, legs={**part.legs, leg: aside(at, by)})
                yield f"{part.ref} {leg} {by}", with_part(board, part, moved)
            legs = {leg: aside(at, by) for leg, at in part.legs.items()}
            yield f"{part.ref} {by}", with_part(board, part, changed(part, legs=legs))
        for wire in board.wires:
            said = f"{named(wire.start)} to {named(wire.end)} {by}"
            start, end = aside(wire.start, by), aside(wire.end, by)
            yield "start of " + said, with_wire(board, wire, changed(wire, start=start))
            yield "end of " + said, with_wire(board, wire, changed(wire, end=end))
            yield said, with_wire(board, wire, changed(wire, start=start, end=end))
        for lead, at in board.leads.items():
            new = aside(at, by)
            if new not in in_holes(board) and any({at, new} <= {*w.joins} for w in board.wires):
                continue  # a free hole of its own wire is as good
            yield f"{lead} {by}", changed(board, leads={**board.leads, lead: aside(at, by)})


@each_build
def test_the_layout_joins_what_the_net_list_joins_and_nothing_else(build: Build) -> None:
    for board in layouts(build):
        assert list(faults(board, nets_on(board, wanted(build)))) == []


@each_build
def test_what_the_net_list_has_is_on_one_of_the_boards_and_leads_join_both(build: Build) -> None:
    boards = [dict(terminals(board)) for board in layouts(build)]
    everything = set().union(*wanted(build).values())
    supplies = ["5V", "GND", *(["3V3"] if build.counts()["matrix"] else [])]
    links = {(board, each) for board in (FIRST, SECOND) for each in supplies}
    assert set().union(*boards) == everything | (links if len(boards) > 1 else set())
    for first, second in [boards] if len(boards) > 1 else []:
        pins = {(each, pin) for each, pin in second if each == "Pi"}
        assert set(first) & set(second) == pins, "a pin's lead is the one thing on both"
        assert {int(pin) for _, pin in pins} == set(layout(build).led_away)
        assert leads_between(build) == len(pins) + len(supplies)
    assert counts(build)["perfboard"] == len(boards)
    assert bool(leads_between(build)) is (len(boards) > 1)


@each_board
def test_a_layout_without_any_one_leg_lead_or_wire_is_found(board: Board) -> None:
    nets = board.nets()
    mutants = dict(without_one(board.layout))
    assert len(mutants) > 60
    assert [said for said, each in mutants.items() if not any(faults(each, nets))] == []


@each_board
def test_a_layout_with_any_one_leg_lead_or_wire_moved_is_found(board: Board) -> None:
    nets = board.nets()
    mutants = dict(with_one_moved(board.layout))
    assert len(mutants) > 450
    assert [said for said, each in mutants.items() if not any(faults(each, nets))] == []


def test_a_closed_box_has_the_board_of_the_build_least_and_buttons_at_seats_take_a_second() -> None:
    closed = next(build for build in BUILDS if build.is_closed)
    assert layouts(closed) == layouts(LEAST)
    two = [build.name for build in BUILDS if len(layouts(build)) == 2]
    assert two == ["full", "matrix"]


def test_one_board_of_this_size_is_too_small_for_the_build_full() -> None:
    """Each wire from a pin ends in a hole of its own in row 3, and takes that hole's column.

    The corner for 5 V takes two columns, and the bus, 3.3 V and ground need one each as well.
    """
    columns = {HEADER_PINS[wire.gpio] for wire in FULL.wires} | {3, 5, 17, 25}
    assert len(columns) == 26
    assert len(columns) > COLUMNS - 2


@pytest.mark.parametrize("build", [each for each in BUILDS if len(layouts(each)) > 1],
                         ids=lambda build: build.name)  # fmt: skip
def test_the_second_board_has_room_on_the_lid_beside_the_first(build: Build) -> None:
    """It is turned by 90 degrees, row 1 at the short wall and row 18 over the Pi's USB sockets.

    This is in the printed case, whose middle is 0 in x and y; heights are from its floor up.
    """
    sizes = load()[1]
    case, (pi_x, pi_y) = hub_layout(sizes), computer_at(sizes)
    wall = case.width / 2 - sizes.print.wall_mm
    assert wall - (pi_x + WIDE_MM / 2 + 1.0) > HIGH_MM, "beside the first board"
    upper = case.depth / 2 - sizes.print.wall_mm - sizes.hub.socket_depth_mm
    assert 2 * upper > WIDE_MM, "between the cables' sockets"
    assert abs(pi_y) < upper
    usb_ends, usb_top = pi_x + 52.5 + 3.0, sizes.hub.post_mm + 1.4 + 16.0
    margin = (HIGH_MM - (ROWS - 1) * PITCH_MM) / 2
    for part in layouts(build)[1].parts:
        nearest = wall - margin - (part.body[3] - 1) * PITCH_MM
        if part.kind.startswith(("kk", "buzzer")):
            assert nearest > usb_ends + 5.0, "a socket with its plug, or the buzzer"
    joints, thick, transistor = 2.0, 1.6, 11.0
    assert sizes.hub.room_mm - joints - thick - transistor > usb_top + 5.0


@pytest.mark.parametrize("build", [each for each in BUILDS if len(layouts(each)) > 1],
                         ids=lambda build: build.name)  # fmt: skip
def test_the_second_board_has_room_on_the_lid_of_a_bought_case(build: Build) -> None:
    """The same way round; the computer is in the middle, and the board's edges lie over sockets.

    Heights are from the outside of the floor; the lid is assumed to be as thick as the floor.
    """
    sizes = load()[1]
    hub = sizes.hub
    wall, half = hub.case_width_mm / 2 - hub.case_floor_mm, hub.case_depth_mm / 2
    assert wall - (WIDE_MM / 2 + 1.0) > HIGH_MM, "beside the first board"
    corner = 9.0
    assert half - hub.case_floor_mm - corner > WIDE_MM / 2, "between the corners' screws"
    sockets = half - hub.case_floor_mm - hub.socket_depth_mm
    over = hub.case_height_mm - hub.case_floor_mm - 2.0 - 1.6
    assert over - (hub.case_height_mm / 2 + hub.socket_mm / 2) > 10.0, "over the sockets"
    floor = hub.case_floor_mm + sizes.print.floor_mm
    usb_top = floor + hub.post_mm + 1.4 + 16.0
    assert over - 11.0 > usb_top + 5.0, "a transistor over the Pi's USB sockets"
    margin = (HIGH_MM - (ROWS - 1) * PITCH_MM) / 2
    for part in layouts(build)[1].parts:
        left, _, right, bottom = ((each - 1) * PITCH_MM for each in part.body)
        middle = (COLUMNS - 1) * PITCH_MM / 2
        assert max(middle - left, right - middle) < sockets, f"{part.ref} is over a socket"
        if part.kind.startswith(("kk", "buzzer")):
            assert wall - margin - bottom > 52.5 + 3.0 + 5.0, "beside the USB sockets"


def test_every_part_of_the_order_table_that_is_soldered_in_the_hub_has_a_place() -> None:
    """The parts that a schematic shows on the hub's board are on this one, by the same names."""
    on_board = {"r_1k", "r_10k", "r_33", "fuse", "fuse_3v3", "transistor", "diode", "buzzer",
                "shifter", "c_100n", "kk4_socket", "kk5_socket", "kk7_socket"}  # fmt: skip
    for build in BUILDS:
        named_there = {each.designator for each in placed(build) if each.part in on_board}
        assert {part.ref for board in layouts(build) for part in board.parts} == named_there


def test_two_wires_that_are_changed_over_in_the_pin_table_are_found() -> None:
    nets = dict(wanted(LEAST))
    nets["GPIO5"], nets["GPIO6"] = (
        nets[one] - {("Pi", pin)} | {("Pi", other)}
        for one, pin, other in (("GPIO5", "29", "31"), ("GPIO6", "31", "29"))
    )
    assert [each for each in faults(layout(LEAST), nets) if "in 2 pieces" in each]


@pytest.mark.parametrize(
    ("wire", "said"),
    [
        (Wire(hole("G4"), hole("G5")), "where nothing is"),
        (Wire(hole("F4"), hole("H4")), "GPIO17 and GPIO18 are joined"),
        (Wire(hole("F4"), hole("H5")), "is not straight"),
        (Wire(hole("C2"), hole("C3")), "is below the header's socket"),
        (Wire(hole("A8"), hole("A10")), "is under a screw's head"),
        (Wire(hole("V14"), (25, 14)), "is not on the board"),
        (Wire(hole("P14"), hole("P3"), bare=False, above=True), "lies on P4"),
        (Wire(hole("B9"), hole("B12"), bare=False), "5 V in A8 is beside B9"),
        (Wire(hole("F4"), hole("F6"), bare=False, above=True), "F6 is under R8"),
        (Wire(hole("F4"), hole("H4"), bare=False), "F4 is used twice"),
    ],
)
def test_a_wire_too_many_is_found(wire: Wire, said: str) -> None:
    board = layout(LEAST)
    found = list(faults(changed(board, wires=(*board.wires, wire)), wanted(LEAST)))
    assert [each for each in found if said in each], found


def test_bodies_that_overlap_or_stand_out_and_5_volts_beside_a_pin_are_found() -> None:
    board = layout(LEAST)
    [fuse] = [part for part in board.parts if part.kind == "fuse"]
    for places, said in ((("B7", "B9"), "F1 and a screw overlap"), (("A18", "A20"), "stands out"),
                         (("E6", "E8"), "R8 and F1 overlap")):  # fmt: skip
        moved = changed(fuse, legs=dict(zip(("1", "2"), map(hole, places), strict=True)))
        found = list(faults(with_part(board, fuse, moved), wanted(LEAST)))
        assert [each for each in found if said in each], (said, found)
    near = {**board.leads, ("pocket_ne", "1"): hole("B8")}
    found = list(faults(changed(board, leads=near), wanted(LEAST)))
    assert [each for each in found if each.startswith("5 V in ")]


# The drawing, the list and the sheet.


@each_board
def test_every_leg_lead_and_wire_is_on_the_list(board: Board) -> None:
    listed = [row for rows in steps(board).values() for row in rows]
    made = board.layout
    holes = [set(re.findall(r"\b[A-X]\d+\b", row.split(": ")[-1])) for row in listed]
    for part in made.parts:
        assert [row for row in listed if row.startswith(f"{part.ref} ") or f"{part.ref}:" in row]
        legs = sorted(part.legs.values())
        ends = legs if len(legs) == 3 else (legs[0], legs[-1])
        if part.kind == "shifter":
            ends = part.legs["1"], part.legs["8"]
        assert {*map(named, ends)} in holes
    for wire in made.wires:
        assert {named(wire.start), named(wire.end)} in holes
    for (cable, contact), at in made.leads.items():
        assert f"{cable} {contact}: {named(at)}" in listed
    assert len(listed) == (
        (len(SCREWS) + 1) * bool(made.header) + len(made.parts) + len(made.wires) + len(made.leads)
        + len(made.soldered_pins())
    )  # fmt: skip


@each_board
def test_what_has_a_way_round_is_listed_with_the_hole_of_its_leg_1_first(board: Board) -> None:
    listed = [row for rows in steps(board).values() for row in rows]
    for part in board.layout.parts:
        if not part.kind.startswith(("r_", "c_", "fuse")):
            [row] = [row for row in listed if row.startswith(f"{part.ref}:")]
            assert re.findall(r"\b[A-X]\d+\b", row.split(": ")[1])[0] == named(part.legs["1"])


def test_the_flat_side_of_a_transistor_is_drawn_and_its_row_is_said() -> None:
    """Seen from its flat side, a BC337 has its legs C, B, E from left to right."""
    for board in BOARDS:
        found = [part for part in board.layout.parts if part.kind == "transistor"]
        flats = re.findall(r'<line [^>]*stroke-width="5"', drawn(board, above=True).decode())
        assert len(flats) == len(found)
        for part in found:
            legs = list(part.legs.values())
            assert [x for x, _ in legs] == sorted(x for x, _ in legs), "seen from the row below"
            for language in LANGUAGES:
                assert str(legs[0][1] + 1) in words()["transistors"][language]


@each_board
def test_no_board_comes_down_on_the_ethernet_socket_of_its_builds_pi(board: Board) -> None:
    """The socket is higher than the spacers; a Zero has none, but may be replaced."""
    whole = reach_mm((WIDE_MM - (COLUMNS - 1) * PITCH_MM) / 2)
    assert whole == pytest.approx(67.5, abs=0.1)
    assert whole > ETHERNET_MM
    told = [row for rows in steps(board).values() for row in rows if row.startswith("X: ")]
    if board.layout.header:
        assert told == [f"X: {KEPT_MM:g} mm"]
        assert next(rows for rows in steps(board).values() if rows)[0] == told[0], "the first step"
        assert reach_mm(KEPT_MM) < ETHERNET_MM - 1
        screw = max(x for x, _ in SCREWS)
        assert reach_mm(KEPT_MM) - reach_mm(0.0) - (screw - COLUMNS) * PITCH_MM - 1.6 > 1.2
    else:
        assert told == []


def test_the_step_goes_by_the_socket_and_not_by_the_pi() -> None:
    """On a 3 B+ and a 5 the socket is at the other end of that edge than on a 4."""
    for language, socket in (("en", "Ethernet"), ("de", "Ethernet"), ("ja", "LAN")):
        told = words()["saw_and_drill"][language]
        assert socket in told
        assert not re.search(r"Pi ?[345]", told)
        assert "Zero" in told
    others = [each for each in parts()["pi_zero"].substitutes if "any Raspberry Pi" in each]
    assert others
    assert all("Ethernet" in each and "step 4" in each for each in others)


@each_build
def test_every_chip_has_a_capacitor_between_its_supplies_and_near_them(build: Build) -> None:
    for board in layouts(build):
        group = groups(board)
        for chip in (part for part in board.parts if part.kind == "shifter"):
            supplies = {group[chip.legs["14"]], group[chip.legs["7"]]}
            [near] = [part for part in board.parts if part.kind == "c_100n"
                      and {group[at] for at in part.legs.values()} == supplies]  # fmt: skip
            assert min(math.dist(at, chip.legs["14"]) for at in near.legs.values()) < 4


def texts(board: Board, *, above: bool) -> list[tuple[str, Box]]:
    """Return the words of a drawing with roughly where they are: left, top, right, bottom."""
    pattern = r'<text x="([\d.]+)" y="([\d.]+)"[^>]*font-size="([\d.]+)" text-anchor="(\w+)"[^>]*>'
    found = []
    drawing = drawn(board, above=above).decode()
    for x, y, size, anchor, word in re.findall(pattern + "([^<]+)", drawing):
        wide = 0.58 * float(size) * len(word)
        left = float(x) - wide * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        found.append((word, (left, float(y) - 0.75 * float(size), left + wide, float(y))))
    return found


@each_board
@pytest.mark.parametrize("above", [True, False])
def test_no_words_of_the_drawing_meet_others_or_a_line(board: Board, *, above: bool) -> None:
    found = texts(board, above=above)
    for (one, a), (two, b) in combinations(found, 2):
        meet = a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
        assert not meet, f"{one} meets {two}"
    pattern = r'<line x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)"[^>]*width="[47]"'
    drawing = drawn(board, above=above).decode()
    lines = [tuple(map(float, each)) for each in re.findall(pattern, drawing)]
    assert len(lines) > 8 or (above and not board.layout.header)
    for x, y, to_x, to_y in lines:
        struck = [word for word, box in found if runs_through((x, y), (to_x, to_y), box)]
        assert [word for word in struck if not word.isdigit()] == []


@each_board
def test_the_drawing_names_every_part_lead_and_soldered_pin(board: Board) -> None:
    told = Counter(word for word, _ in texts(board, above=True))
    below = Counter(word for word, _ in texts(board, above=False))
    made = board.layout
    for part in made.parts:
        assert told[part.ref] == below[part.ref] == 1
    for cable, contact in made.leads:
        kind, _, place = cable.partition("_")
        short = place.upper() if kind in {"pocket", "seat"} else cable
        short = {FIRST: "1st", SECOND: "2nd"}.get(cable, short)
        assert told[f"{short} {contact}"] == 1 or told[short] >= 1
    assert {str(pin) for pin in made.soldered_pins()} <= set(told)


def test_from_below_left_and_right_are_changed_over() -> None:
    above, below = (
        {word: (box[0] + box[2]) / 2 for word, box in texts(OF_LEAST, above=each)}
        for each in (True, False)
    )
    for word in ("A", "X", "R1", "R13", "F1", "J6"):
        assert above[word] + below[word] == pytest.approx(above["A"] + above["X"], abs=0.1), word


@pytest.mark.parametrize("language", thinned(LANGUAGES, {"de"}))
@each_board
def test_the_sheet_is_two_pages_of_a4_and_everything_on_it_fits(
    browser: Browser, board: Board, language: str
) -> None:
    path = PERFBOARD / f"{board.name}-{language}.pdf"
    pages = what_stands_on_it(path.read_bytes())
    assert [size for _, size in pages] == [(0, 0, 595, 842)] * 2
    told = "".join(text for text, _ in pages)
    assert [row for rows in steps(board).values() for row in rows
            if "".join(row.split()) not in told] == [], "run `make hardware`"  # fmt: skip
    opened = browser.new_page(viewport={"width": 794, "height": 2246})
    try:
        with laid_out(sheet(board, language), PERFBOARD) as address:
            opened.goto(address)
            opened.evaluate("document.fonts.ready")
            too_large = opened.evaluate("""() =>
              [...document.querySelectorAll("section, ul, ul li")].filter((each) =>
                each.scrollHeight > each.clientHeight + 1
                || each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)""")
    finally:
        opened.close()
    assert too_large == []
