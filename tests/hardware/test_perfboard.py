"""The layout hole by hole joins what the printed board's net list joins, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from hardware.board.perfboard import (
    FITTING,
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
from hardware.generate.harness import IN_THE_WALL

each_build = pytest.mark.parametrize("build", FITTING, ids=lambda build: build.name)
LEAST = next(build for build in FITTING if build.name == "least")
AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1))


def aside(at: Hole, by: tuple[int, int]) -> Hole:
    return at[0] + by[0], at[1] + by[1]


def with_part(board: Layout, old: Part, *new: Part) -> Layout:
    return replace(board, parts=tuple(each for each in board.parts if each != old) + new)


def with_wire(board: Layout, old: Wire, *new: Wire) -> Layout:
    return replace(board, wires=tuple(each for each in board.wires if each != old) + new)


def without_one(board: Layout) -> Iterator[tuple[str, Layout]]:
    """Yield a board for each thing on it, without that thing."""
    for part in board.parts:
        yield part.ref, with_part(board, part)
        for leg in part.legs:
            legs = {each: at for each, at in part.legs.items() if each != leg}
            yield f"{part.ref} {leg}", with_part(board, part, replace(part, legs=legs))
    for wire in board.wires:
        yield f"{named(wire.start)} to {named(wire.end)}", with_wire(board, wire)
    for lead in board.leads:
        leads = {each: at for each, at in board.leads.items() if each != lead}
        yield str(lead), replace(board, leads=leads)


def with_one_moved(board: Layout) -> Iterator[tuple[str, Layout]]:
    """Yield a board for each leg, lead and end of a wire, put into each hole beside its own."""
    for by in AROUND:
        for part in board.parts:
            for leg, at in part.legs.items():
                moved = replace(part, legs={**part.legs, leg: aside(at, by)})
                yield f"{part.ref} {leg} {by}", with_part(board, part, moved)
            legs = {leg: aside(at, by) for leg, at in part.legs.items()}
            yield f"{part.ref} {by}", with_part(board, part, replace(part, legs=legs))
        for wire in board.wires:
            said = f"{named(wire.start)} to {named(wire.end)} {by}"
            start, end = aside(wire.start, by), aside(wire.end, by)
            yield "start of " + said, with_wire(board, wire, replace(wire, start=start))
            yield "end of " + said, with_wire(board, wire, replace(wire, end=end))
            yield said, with_wire(board, wire, replace(wire, start=start, end=end))
        for lead, at in board.leads.items():
            yield f"{lead} {by}", replace(board, leads={**board.leads, lead: aside(at, by)})


@each_build
def test_the_layout_joins_what_the_net_list_joins_and_nothing_else(build: Build) -> None:
    assert faults(layout(build), wanted(build)) == []


@each_build
def test_a_layout_without_any_one_leg_lead_or_wire_is_found(build: Build) -> None:
    mutants = dict(without_one(layout(build)))
    assert len(mutants) > 60
    assert [said for said, board in mutants.items() if not faults(board, wanted(build))] == []


@each_build
def test_a_layout_with_any_one_leg_lead_or_wire_moved_is_found(build: Build) -> None:
    mutants = dict(with_one_moved(layout(build)))
    assert len(mutants) > 450
    assert [said for said, board in mutants.items() if not faults(board, wanted(build))] == []
