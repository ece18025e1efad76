"""Whatever is corrected, keeping the rest gives the match as if it had been entered right."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from jackspot.core.directives import Entry, GiveTurn, Say
from jackspot.core.match import Match
from jackspot.core.pieces import Seat
from jackspot.core.stroke import Stroke
from jackspot.dialogue.state.game import Line
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.dialogue_checks import check_all, falls_on
from tests.dialogue.playing import Table

SHOTS = st.one_of(
    st.none(),
    st.tuples(
        st.lists(st.sampled_from(["NE", "SE", "SW", "NW"]), min_size=1, max_size=2),
        st.integers(0, 5),
    ),
)
"""A miss, or the pockets that pieces fell into and how often FIX is pressed."""


def play(table: Table, shot: tuple[list[str], int] | None) -> None:
    """Shoot, find some reading with FIX, confirm it, and put back what has to go back."""
    if shot is None:
        table.miss()
    else:
        pockets, fixes = shot
        table.falls_in(*pockets).wait(1.6)
        if table.phase is Phase.REVIEW:
            table.fix("referee", fixes).wait(0.5).hold("referee", "ok").calm()
    settle(table)


def settle(table: Table) -> None:
    """Answer what is still asked, until a seat can shoot."""
    for _ in range(40):
        if table.phase is Phase.READY and table.dialogue.menu is None:
            return
        table.wait(1.0).hold("referee", "ok").calm()
    raise AssertionError(f"no end: {table.view}")


def entered_right(before: tuple[Line, ...], corrected: Line, later: tuple[Line, ...]) -> Match:
    """Enter the match as it should have been, with ``! turn`` where a seat shot out of turn."""
    table = Table().started("N")
    match = Match.begin(table.game.match.settings)
    for line in (*before, corrected):
        for entry in line.entries:
            match = match.enter(entry)
    for line in later:
        for entry in strokes_of(line):
            if isinstance(entry, Stroke) and entry.seat is not match.state.next:
                match = match.enter(GiveTurn(entry.seat))
            match = match.enter(entry)
    return match


def strokes_of(line: Line) -> tuple[Entry, ...]:
    """Return the entries of a line, without turns and placing that only follow from it."""
    return tuple(each for each in line.entries if not isinstance(each, GiveTurn | Say))


def correct_and_compare(
    shots: list[tuple[list[str], int] | None], at: int, other: int, *, by_history: bool
) -> None:
    table = Table().started("N")
    for shot in shots:
        play(table, shot)
    lines = table.game.lines
    falls = sorted(falls_on(table.dialogue))
    if not lines:
        return
    at %= len(lines)
    if by_history:
        table.hold("referee", "fix").pick("history").wait(0.5)
        table.fix("referee", len(lines) - 1 - at).wait(1.0).ok("referee")
    else:
        for _ in range(len(lines) - at):
            table.undo().wait(0.1)
    if table.phase is Phase.READY:
        table.fix("referee")
    table.must_be(Phase.REVIEW).wait(1.0).fix("referee", other).wait(0.5).hold("referee", "ok")
    if table.dialogue.menu is not None and table.dialogue.menu.kind is MenuKind.KEEP:
        assert len(table.items) == len(lines) - 1 - at
        corrected = table.game.lines[at]
        table.wait(1.0).ok("referee").calm()
    else:
        corrected = table.game.lines[at] if at < len(table.game.lines) else lines[at]
    settle(table)
    wanted = entered_right(lines[:at], corrected, lines[at + 1 :])
    state = table.game.match.state
    assert (state.position, state.next, state.board) == (
        wanted.state.position, wanted.state.next, wanted.state.board,
    )  # fmt: skip
    assert len(table.game.lines) == len(lines)
    assert sorted(falls_on(table.dialogue)) == falls, "nothing sensed is lost or doubled"
    check_all(table)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    shots=st.lists(SHOTS, min_size=2, max_size=7), at=st.integers(0, 6),
    other=st.integers(1, 5), by_history=st.booleans(),
)  # fmt: skip
def test_correcting_any_stroke_and_keeping_the_rest_is_the_match_entered_right(
    shots: list[tuple[list[str], int] | None], at: int, other: int, by_history: bool
) -> None:
    correct_and_compare(shots, at, other, by_history=by_history)


@pytest.mark.long
@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    shots=st.lists(SHOTS, min_size=2, max_size=14), at=st.integers(0, 13),
    other=st.integers(1, 5), by_history=st.booleans(),
)  # fmt: skip
def test_correcting_any_stroke_of_a_long_match_and_keeping_the_rest(
    shots: list[tuple[list[str], int] | None], at: int, other: int, by_history: bool
) -> None:
    correct_and_compare(shots, at, other, by_history=by_history)


@pytest.mark.parametrize("board_goes_on", [False, True], ids=["the match ends", "a new board"])
def test_lines_that_were_taken_back_are_asked_for_where_a_word_ends_the_board(board_goes_on):
    table = Table().started("N").shot("RED NE", "NE").miss("N").miss("S")
    table.undo("referee").wait(1.0).undo("referee").wait(1.0)
    table.hold("referee", "fix").wait(1.0)
    if board_goes_on:
        table.pick("void the board", held=True).wait(1.0)
    else:
        table.pick("resign").wait(1.0).pick("N resigns", held=True).wait(1.0)
    assert table.dialogue.menu is not None
    assert table.dialogue.kept is not None
    assert table.dialogue.menu.kind is MenuKind.KEEP
    later = [entry for each in table.dialogue.kept.lines for entry in strokes_of(each.line)]
    assert later == [Stroke(Seat.N), Stroke(Seat.S)]
    check_all(table)
