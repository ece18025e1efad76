"""Illegal entries are refused, left out by FIX, and never entered on another board."""

from __future__ import annotations

import pytest

from jackspot.core.rules import RULES
from jackspot.dialogue.state.menu_kinds import MenuKind
from jackspot.dialogue.state.view import Phase
from tests.dialogue.playing import Table

CARROM = ("kagw", "icf", "grundregeln")


def missed_break(rules: str) -> Table:
    """Enter that the first stroke did not touch the group."""
    table = Table(rules=rules).started("N")
    return table.ok("referee").wait(1.0).fix("referee").calm()


@pytest.mark.parametrize("rules", CARROM)
def test_a_missed_break_is_mended_by_undo_fix_ok(rules: str) -> None:
    table = missed_break(rules)
    assert table.entries == ["N nobreak"]
    table.undo().calm().must_be(Phase.REVIEW).fix("referee").calm()
    assert table.proposed == "MISSED", "the same without the remark comes next"
    table.ok("referee").calm()
    assert table.dialogue.menu is not None
    assert table.dialogue.menu.kind is MenuKind.TOUCHED
    table.ok("referee").calm()
    assert table.entries == ["N -"]


@pytest.mark.parametrize("rules", CARROM)
def test_a_missed_break_is_mended_by_the_history(rules: str) -> None:
    table = missed_break(rules)
    table.hold("referee", "fix").pick("history").wait(1.0)
    table.pick("1 N").calm().must_be(Phase.REVIEW).fix("referee").calm()
    table.ok("referee").calm().ok("referee").calm()
    assert table.entries == ["N -"]


def add_a_striker(table: Table) -> None:
    """Add a piece to the stroke being edited, and change its kind until it is a striker."""
    table.pick("add a piece").wait(1.0)
    numbers = [item.split(":")[0] for item in table.items if item.startswith("piece ")]
    for _ in range(6):
        kind = next(item for item in table.items if item.startswith(f"{numbers[-1]}: "))
        if "STRIKER" in kind:
            return
        table.pick(kind).wait(1.0)
    raise AssertionError(f"no striker can be added: {table.items}")


@pytest.mark.parametrize("rules", [each.value for each in RULES])
def test_two_strikers_are_refused_and_left_out_by_fix(rules: str) -> None:
    table = Table(rules=rules).started("N").review("NE")
    table.hold("referee", "fix").wait(1.0)
    for _ in range(2):
        add_a_striker(table)
    table.pick("done").calm().must_be(Phase.REVIEW)
    assert table.proposed.count("STRIKER") == 2
    before = table.game
    for press in (table.ok, lambda place: table.hold(place, "ok")):
        press("referee").calm().must_be(Phase.REVIEW)
        assert table.game == before, "nothing is entered"
        assert str(table.dialogue.note).startswith("not possible")
    table.fix("referee").calm()
    assert table.proposed.count("STRIKER") < 2
    table.hold("referee", "ok").calm()
    assert len(table.game.lines) == 1


@pytest.mark.parametrize("rules", [each.value for each in RULES])
@pytest.mark.parametrize("lineup", ["NESW", "EW"])
@pytest.mark.parametrize("time_end", ["finish_turn", "finish_stroke", "finish_round"])
def test_after_time_stepping_the_shooter_keeps_the_pieces_and_offers_nothing_impossible(
    rules: str, lineup: str, time_end: str
) -> None:
    options: dict[str, object] = {"time_limit_s": 30, "time_end": time_end, "best_of": 3}
    table = Table(rules=rules, lineup=lineup, options=options).started(lineup[0])
    table.wait(31.0).calm()
    if table.phase is not Phase.READY:
        return  # the board ended with its time
    table.review("NE").hold("referee", "fix").wait(1.0)
    pieces = [each for each in table.items if each.startswith("piece")]
    seen = set()
    for _ in range(8):
        table.pick("shooter").calm()
        assert len([each for each in table.items if each.startswith("piece")]) == len(pieces)
        seen.add(next(each for each in table.items if each.startswith("shooter")))
    if time_end == "finish_turn":
        assert seen == {f"shooter {lineup[0]}"}, "the board would end with any other turn"
    table.pick("done").calm()
    before = len(table.game.lines)
    table.hold("referee", "ok").calm()
    assert len(table.game.lines) == before + 1


@pytest.mark.parametrize("rules", [each.value for each in RULES])
def test_after_time_another_seats_stroke_is_not_the_next_boards_first(rules: str) -> None:
    options: dict[str, object] = {"time_limit_s": 30, "time_end": "finish_turn", "best_of": 3}
    table = Table(rules=rules, lineup="NESW", options=options).started("N")
    table.wait(31.0).must_be(Phase.READY)
    board = table.game.match.state.board
    table.review("NE").hold("referee", "fix").wait(1.0).pick("shooter").calm()
    table.pick("done").calm()
    before = table.game.lines
    table.hold("referee", "ok").calm()
    if table.game.lines != before:
        assert table.game.match.state.result is None
        assert table.game.match.state.board == board, "it is no stroke of the next board"
    else:
        assert table.phase is Phase.REVIEW
        table.fix("referee").calm().hold("referee", "ok").calm()
        assert table.phase is not Phase.REVIEW
