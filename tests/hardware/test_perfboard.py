"""The layout hole by hole joins what the printed board's net list joins, and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest
from playwright.sync_api import Browser

from hardware.board.perfboard import (
    FITTING,
    SCREWS,
    Box,
    Hole,
    Layout,
    NoLayout,
    Part,
    Wire,
    faults,
    hole,
    layout,
    named,
    wanted,
)
from hardware.generate.builds import BUILDS, Build
from hardware.generate.designators import placed
from hardware.generate.perfboard import DRAWN, PERFBOARD, drawn, sheet, steps
from hardware.generate.quick_card import LANGUAGES, laid_out, what_stands_on_it
from jackspot.values import changed
from tests.conftest import thinned
from tests.hardware.test_tables import runs_through

each_build = pytest.mark.parametrize("build", FITTING, ids=lambda build: build.name)
each_board = pytest.mark.parametrize("build", DRAWN, ids=lambda build: build.name)
LEAST = next(build for build in FITTING if build.name == "least")
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
            yield f"{lead} {by}", changed(board, leads={**board.leads, lead: aside(at, by)})


@each_build
def test_the_layout_joins_what_the_net_list_joins_and_nothing_else(build: Build) -> None:
    assert list(faults(layout(build), wanted(build))) == []


@each_board
def test_a_layout_without_any_one_leg_lead_or_wire_is_found(build: Build) -> None:
    nets = wanted(build)
    mutants = dict(without_one(layout(build)))
    assert len(mutants) > 60
    assert [said for said, board in mutants.items() if not any(faults(board, nets))] == []


@each_board
def test_a_layout_with_any_one_leg_lead_or_wire_moved_is_found(build: Build) -> None:
    nets = wanted(build)
    mutants = dict(with_one_moved(layout(build)))
    assert len(mutants) > 450
    assert [said for said, board in mutants.items() if not any(faults(board, nets))] == []


def test_a_closed_box_has_the_board_of_the_build_least_and_larger_builds_have_none() -> None:
    closed = next(build for build in BUILDS if build.is_closed)
    assert layout(closed) == layout(LEAST)
    for build in BUILDS:
        if build not in FITTING:
            with pytest.raises(NoLayout, match="has no column on the board of holes"):
                layout(build)


def test_every_part_of_the_order_table_that_is_soldered_in_the_hub_has_a_place() -> None:
    """What a schematic shows on the hub's board is on this one, by the same name."""
    on_board = {"r_1k", "r_10k", "fuse", "fuse_3v3", "kk4_socket"}
    for build in FITTING:
        named_there = {each.designator for each in placed(build) if each.part in on_board}
        assert {part.ref for part in layout(build).parts} == named_there


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


@each_build
def test_every_leg_lead_and_wire_is_on_the_list(build: Build) -> None:
    board = layout(build)
    listed = [row for rows in steps(build).values() for row in rows]
    holes = [set(re.findall(r"\b[A-X]\d+\b", row.split(": ")[-1])) for row in listed]
    for part in board.parts:
        assert [row for row in listed if row.startswith(f"{part.ref} ") or f"{part.ref}:" in row]
        legs = sorted(part.legs.values())
        assert {named(legs[0]), named(legs[-1])} in holes
    for wire in board.wires:
        assert {named(wire.start), named(wire.end)} in holes
    for (cable, contact), at in board.leads.items():
        assert f"{cable} {contact}: {named(at)}" in listed
    assert len(listed) == (
        len(SCREWS) + len(board.parts) + len(board.wires) + len(board.leads)
        + len(board.soldered_pins())
    )  # fmt: skip


def texts(build: Build, *, above: bool) -> list[tuple[str, Box]]:
    """Return the words of a drawing with about where they stand: left, top, right, bottom."""
    pattern = r'<text x="([\d.]+)" y="([\d.]+)"[^>]*font-size="([\d.]+)" text-anchor="(\w+)"[^>]*>'
    found = []
    drawing = drawn(build, above=above).decode()
    for x, y, size, anchor, word in re.findall(pattern + "([^<]+)", drawing):
        wide = 0.58 * float(size) * len(word)
        left = float(x) - wide * {"start": 0, "middle": 0.5, "end": 1}[anchor]
        found.append((word, (left, float(y) - 0.75 * float(size), left + wide, float(y))))
    return found


@each_build
@pytest.mark.parametrize("above", [True, False])
def test_no_words_of_the_drawing_meet_others_or_a_line(build: Build, *, above: bool) -> None:
    found = texts(build, above=above)
    for (one, a), (two, b) in combinations(found, 2):
        meet = a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
        assert not meet, f"{one} meets {two}"
    pattern = r'<line x1="([\d.]+)" y1="([\d.]+)" x2="([\d.]+)" y2="([\d.]+)"[^>]*width="[47]"'
    drawing = drawn(build, above=above).decode()
    lines = [tuple(map(float, each)) for each in re.findall(pattern, drawing)]
    assert len(lines) > 8
    for x, y, to_x, to_y in lines:
        struck = [word for word, box in found if runs_through((x, y), (to_x, to_y), box)]
        assert [word for word in struck if not word.isdigit()] == []


@each_build
def test_the_drawing_names_every_part_lead_and_soldered_pin(build: Build) -> None:
    board = layout(build)
    told = Counter(word for word, _ in texts(build, above=True))
    below = Counter(word for word, _ in texts(build, above=False))
    for part in board.parts:
        assert told[part.ref] == below[part.ref] == 1
    for cable, contact in board.leads:
        short = cable.removeprefix("pocket_").upper() if "pocket" in cable else cable
        assert told[f"{short} {contact}"] == 1 or told[short] >= 1
    assert {str(pin) for pin in board.soldered_pins()} <= set(told)


def test_from_below_left_and_right_are_changed_over() -> None:
    above, below = (
        {word: (box[0] + box[2]) / 2 for word, box in texts(LEAST, above=each)}
        for each in (True, False)
    )
    for word in ("A", "X", "R1", "R13", "F1", "J6"):
        assert above[word] + below[word] == pytest.approx(above["A"] + above["X"], abs=0.1), word


@pytest.mark.parametrize("language", thinned(LANGUAGES, {"de"}))
@pytest.mark.parametrize("build", DRAWN, ids=lambda build: build.name)
def test_the_sheet_is_two_pages_of_a4_and_everything_on_it_fits(
    browser: Browser, build: Build, language: str
) -> None:
    path = PERFBOARD / f"{build.name}-{language}.pdf"
    pages = what_stands_on_it(path.read_bytes())
    assert [size for _, size in pages] == [(0, 0, 595, 842)] * 2
    told = "".join(text for text, _ in pages)
    assert [row for rows in steps(build).values() for row in rows
            if "".join(row.split()) not in told] == [], "run `make hardware`"  # fmt: skip
    opened = browser.new_page(viewport={"width": 794, "height": 2246})
    try:
        with laid_out(sheet(build, language), PERFBOARD) as address:
            opened.goto(address)
            opened.evaluate("document.fonts.ready")
            too_large = opened.evaluate("""() =>
              [...document.querySelectorAll("section, ul, ul li")].filter((each) =>
                each.scrollHeight > each.clientHeight + 1
                || each.scrollWidth > each.clientWidth + 1).map((each) => each.textContent)""")
    finally:
        opened.close()
    assert too_large == []
