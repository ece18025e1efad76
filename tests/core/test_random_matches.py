"""Properties of every match of every system, whatever is shot: pieces, debts, undo, the record."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from jackspot.core.directives import GiveTurn, RedPlace, Say, Saying, SetOwed, SetPocketed, SetRed
from jackspot.core.match import Match, MatchState, NothingToRedo, Step
from jackspot.core.options import text_option
from jackspot.core.pieces import Piece
from jackspot.core.record import read_record, write_record
from jackspot.core.rules import RULES, has_jack
from jackspot.core.scoring import score
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Flag, Stroke
from tests.core.play import Drawn, draw_record

ENTRIES = 60
USUAL = range(20)
MANY = [range(first, first + 50) for first in range(USUAL.stop, 2_200, 50)]
PAGES = Path(__file__).parents[2] / "firmware/jackspot/core/rules"
A_ROW = re.compile(r"[A-Z]{1,2}-[0-9]+[a-z]?")


def explained(system: RuleSystem) -> set[str]:
    """Return the rows, options and handicaps that a system's page explains.

    Where Japan's page is silent it leaves the matter to Hikone's, and says so.
    """
    pages = [system, RuleSystem.HIKONE] if system is RuleSystem.JAPAN else [system]
    text = "".join(next(PAGES.rglob(f"{name}.md")).read_text(encoding="utf-8") for name in pages)
    return set(A_ROW.findall(text))


KNOWN_IDS = {system: explained(system) for system in RULES}


def the_states(match: Match) -> list[MatchState]:
    return [match.opened, *(step.state for step in match.steps)]


def on_one_board(match: Match) -> Iterator[tuple[MatchState, Step]]:
    """Yield every entry with the state before it, where both are of the same running board."""
    for before, step in zip(the_states(match), match.steps, strict=False):
        if before.result is None and before.board == step.state.board:
            yield before, step


def running_strokes(match: Match) -> Iterator[tuple[MatchState, Step, Stroke]]:
    """Yield every stroke that did not end its board, with the state of that board before it."""
    for before, step in on_one_board(match):
        if isinstance(step.entry, Stroke) and step.state.result is None:
            yield before, step, step.entry


def is_void(state: MatchState, stroke: Stroke) -> bool:
    """Return whether everything was put back as it lay: an area hit that is no foul."""
    hit = Flag.AREA in stroke.flags and Flag.FOUL not in stroke.flags
    return hit and text_option(state.settings, "area_hit") == "restore"


def check_pieces(match: Match) -> None:
    """Check that fallen pieces are gone and placed ones are there: none appears or is lost."""
    rules = RULES[match.settings.rules]
    for before, step, stroke in running_strokes(match):
        was, there = rules.on_board(before.position), rules.on_board(step.state.position)
        for piece in was:
            left = stroke.pocketed(piece) + stroke.flown(piece)
            left = 0 if is_void(before, stroke) else left
            assert there[piece] == was[piece] - left + step.state.place.count(piece), piece
    for before, step in on_one_board(match):
        if isinstance(step.entry, GiveTurn) or step.entry == Say(Saying.TIME):
            was, there = rules.on_board(before.position), rules.on_board(step.state.position)
            for piece in was:
                assert there[piece] == was[piece] + step.state.place.count(piece), piece


def check_counts(match: Match) -> None:
    """Check that counts stay in bounds and agree with what is on the board."""
    rules = RULES[match.settings.rules]
    for state in the_states(match):
        position = state.position
        there = rules.on_board(position)
        assert set(there) == set(rules.pieces) - {Piece.STRIKER}
        assert all(count >= 0 for count in there.values())
        assert there[rules.red] <= 1
        for side in position.sides:
            assert position.count(side).owed >= 0
            assert position.count(side).pocketed >= 0
            if rules.id is not RuleSystem.POINTS:
                assert there[side.piece] == position.pieces_each - position.count(side).pocketed
        assert Piece.STRIKER not in state.place
        whose = position.red_side is not None
        assert whose == (position.red in (RedPlace.PENDING, RedPlace.COVERED))


def corrected_boards(match: Match) -> set[int]:
    """Return the boards on which a referee set counts as no stroke would."""
    corrections = (SetPocketed, SetOwed, SetRed)
    return {step.state.board for step in match.steps if isinstance(step.entry, corrections)}


def check_debts(match: Match) -> None:
    """Check that no side owes with a piece of its own pocketed; in kagw once the turn has ended."""
    corrected = corrected_boards(match)
    for _, step in on_one_board(match):
        state = step.state
        if state.result is not None or state.board in corrected:
            continue
        running = match.settings.rules is RuleSystem.KAGW and state.position.strokes_in_turn > 0
        for side in state.position.sides:
            count = state.position.count(side)
            assert running or not (count.owed and count.pocketed)


def check_turns(match: Match) -> None:
    """Check that a seat that keeps the turn shoots again, and else the next in order does."""
    for before, step, _ in running_strokes(match):
        ruling = step.ruling
        assert ruling is not None
        expected = before.position.turn if ruling.keeps_turn else before.position.following
        assert step.state.position.turn == expected
        assert ruling.keeps_turn or step.state.position.strokes_in_turn == 0


def check_rulings(match: Match) -> None:
    """Check that every ruling cites rows, options and handicaps that the system's page explains."""
    known = KNOWN_IDS[match.settings.rules]
    for step in match.steps:
        if step.ruling is not None:
            assert step.ruling.rows
            assert set(step.ruling.rows) <= known
            assert len(set(step.ruling.rows)) == len(step.ruling.rows)


def check_results(match: Match) -> None:
    """Check that a finished board counts for the match, and nobody is next once that is over."""
    sides = RULES[match.settings.rules].sides
    for state in the_states(match):
        sums, won = dict.fromkeys(sides, 0), dict.fromkeys(sides, 0)
        for board in state.boards:
            side_of = {board.seat_sides[seat]: side for seat, side in match.settings.sides.items()}
            for colour, points in board.result.points.items():
                sums[side_of[colour]] += points
            if board.result.winner is not None:
                won[side_of[board.result.winner]] += 1
        assert dict(state.points) == sums
        assert dict(state.boards_won) == won
        assert state.over == (state.next is None)
        assert state.winner is None or state.over


def check_undo_and_redo(match: Match) -> None:
    """Check that undo takes back exactly one entry, down to the first, and redo brings it back."""
    states = the_states(match)
    back = Match(match.settings, match.opened, match.steps)
    for depth in range(len(match.steps) - 1, -1, -1):
        later = back
        back = back.undo()
        assert back.state == states[depth]
        assert back.steps == match.steps[:depth]
        assert back.redo().state == later.state
    assert back.state == Match.begin(match.settings).state
    while back.undone:
        back = back.redo()
    assert back.steps == match.steps
    with pytest.raises(NothingToRedo):
        back.redo()


def check_record(drawn: Drawn) -> None:
    """Check that the record reads back as what was played, and the one exported from it too."""
    record, match = read_record(drawn.text), drawn.match
    assert record.settings == match.settings
    assert record.match.steps == match.steps
    assert [line.number for line in record.lines] == [line.number for line in drawn.lines]
    exported = write_record(match.settings, [step.entry for step in match.steps])
    again = read_record(exported)
    assert again.settings == match.settings
    assert again.match.steps == match.steps
    assert write_record(again.settings, [step.entry for step in again.match.steps]) == exported
    first, second = score(record), score(again)
    for entry in (*first["entries"], *second["entries"]):
        assert entry.pop("line") > 0
    assert first == second
    assert json.loads(json.dumps(first)) == first
    assert len(first["boards"]) == len(match.state.boards)


def check_all(system: RuleSystem, seed: int) -> None:
    drawn = draw_record(Random(f"{system} {seed}"), system, ENTRIES, usual=seed % 3 == 0)
    match = drawn.match
    check_pieces(match)
    check_counts(match)
    check_debts(match)
    check_turns(match)
    check_rulings(match)
    check_results(match)
    check_undo_and_redo(match)
    check_record(drawn)


@pytest.mark.parametrize("seed", USUAL)
@pytest.mark.parametrize("system", RULES)
def test_in_a_random_match_pieces_debts_turns_undo_and_record_hold(system, seed):
    check_all(system, seed)


@pytest.mark.long
@pytest.mark.parametrize("seeds", MANY, ids=str)
@pytest.mark.parametrize("system", RULES)
def test_in_many_random_matches_pieces_debts_turns_undo_and_record_hold(system, seeds):
    for seed in seeds:
        check_all(system, seed)


SEARCHED = range(200)
"""Everything that can happen occurs in this many matches, and most of it in a few dozen."""


@pytest.mark.parametrize("system", RULES)
def test_the_random_matches_come_to_all_that_can_be(system):
    """Boards that end, every kind of piece, flag and directive that the system knows."""
    rules, own = RULES[system], SAID_ONLY_IN.get(system, set())
    wanted = {*rules.pieces, *rules.flags, *own, "time", "resign", "draw"}
    wanted.add("jack" if has_jack(system) else "pieces")
    seen: set[object] = set()
    for seed in SEARCHED:
        drawn = draw_record(Random(f"{system} {seed}"), system, ENTRIES, usual=seed % 3 == 0)
        for step in drawn.match.steps:
            if isinstance(step.entry, Stroke):
                seen |= set(step.entry.flags) | {each.piece for each in step.entry.departures}
            elif isinstance(step.entry, Say):
                seen.add(step.entry.what)
            if step.state.result is not None:
                seen.add(step.state.result.how)
        if wanted <= seen and seed >= USUAL[-1]:
            break
    assert wanted <= seen, wanted - seen
    assert ({"forgot", "waive", "demand"} & seen) == own


SAID_ONLY_IN = {
    RuleSystem.KAGW: {"forgot"},
    RuleSystem.GRUNDREGELN: {"waive"},
    RuleSystem.ICF: {"waive", "demand"},
}
