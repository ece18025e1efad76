"""What holds in every match, whatever is shot: pieces, debts, undo, the record."""

from __future__ import annotations

from random import Random

import pytest

from jackspot.core.directives import SetOwed, SetPocketed
from jackspot.core.match import Match, MatchState, NothingToRedo, Step
from jackspot.core.record import read_record, write_record
from jackspot.core.scoring import score
from jackspot.core.stroke import Flag, Stroke
from tests.core.play import draw_settings, play

ENTRIES = 60
USUAL = range(200)
MANY = range(200, 2_200)


def the_states(match: Match) -> list[MatchState]:
    return [match.opened, *(step.state for step in match.steps)]


def running_strokes(match: Match) -> list[tuple[MatchState, Step]]:
    """Every stroke that did not end its board, with the state of that board before it."""
    pairs = []
    for before, step in zip(the_states(match), match.steps, strict=False):
        same_board = before.result is None and before.board == step.state.board
        if isinstance(step.entry, Stroke) and same_board and step.state.result is None:
            pairs.append((before, step))
    return pairs


def last_of(matches, start: Match) -> Match:
    match = start
    for each in matches:
        match = each
    return match


def check_pieces(match: Match) -> None:
    """What fell is in the pockets, what was placed is not: nothing appears or is lost."""
    for before, step in running_strokes(match):
        stroke, after = step.entry, step.state.position
        assert isinstance(stroke, Stroke)
        restored = Flag.AREA in stroke.flags and Flag.FOUL not in stroke.flags
        void = restored and step.state.settings.options.get("area_hit") != "foul"
        for side in after.sides:
            fell = 0 if void else stroke.pocketed(side.piece)
            flew = 0 if void else stroke.flown(side.piece)
            back = step.state.place.count(side.piece)
            was = before.position.count(side).pocketed
            assert after.count(side).pocketed == was + fell - (back - flew)
            assert 0 <= after.count(side).pocketed <= 12


def check_debts(match: Match) -> None:
    """Debts are never negative, and nobody owes while a puck of his is in a pocket."""
    corrected = -1
    for step in match.steps:
        if isinstance(step.entry, SetPocketed | SetOwed):
            corrected = step.state.board
        for side in step.state.position.sides:
            count = step.state.position.count(side)
            assert count.owed >= 0
            if step.state.result is None and corrected != step.state.board:
                assert not (count.owed and count.pocketed)


def check_undo_and_redo(match: Match) -> None:
    """Undo takes back exactly one entry, down to the first; redo brings each back."""
    states = the_states(match)
    back = match
    for depth in range(len(match.steps) - 1, -1, -1):
        later = back
        back = back.undo()
        assert back.state == states[depth]
        assert back.steps == match.steps[:depth]
        assert back.redo().state == later.state
    assert back.state == Match.begin(match.settings).state
    while back.undone:
        back = back.redo()
    assert back == match
    with pytest.raises(NothingToRedo):
        back.redo()


def check_record(match: Match) -> None:
    """The exported record reads back to the same settings, states and score."""
    text = write_record(match.settings, [step.entry for step in match.steps])
    record = read_record(text)
    assert record.settings == match.settings
    assert record.match.steps == match.steps
    assert write_record(record.settings, [step.entry for step in record.match.steps]) == text
    result = score(record)
    assert result["match"]["over"] == match.state.over
    assert result["match"]["points"] == dict(match.state.points)
    assert len(result["boards"]) == len(match.state.boards)


def check_all(seed: int) -> None:
    random = Random(seed)
    settings = draw_settings(random, usual=seed % 2 == 0)
    start = Match.begin(settings)
    match = last_of(play(random, start, ENTRIES), start)
    check_pieces(match)
    check_debts(match)
    check_undo_and_redo(match)
    check_record(match)


@pytest.mark.parametrize("seed", USUAL)
def test_in_a_random_match_pieces_debts_undo_and_record_hold(seed):
    check_all(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", MANY)
def test_in_many_random_matches_pieces_debts_undo_and_record_hold(seed):
    check_all(seed)
