"""Every rule system played on whole simulated boards by people who see only what is shown."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from jackspot.core.entry_text import write_entry
from jackspot.core.match import Match
from jackspot.core.pieces import Piece
from jackspot.core.record import read_record
from jackspot.core.rules import RULES, rules_for
from jackspot.core.settings import RuleSystem
from jackspot_sim.boards.rehearsal import exported, rehearse
from jackspot_sim.boards.rig import Rig
from jackspot_sim.people.habits import Habits

RECORDS = Path(__file__).parents[1] / "records"
BY_ITSELF = frozenset({"! placed", "! board"})
"""What a board enters on its own if people need not say it."""


def said(match: Match) -> list[list[str]]:
    """Return what people played and said, each line's tokens in any order."""
    lines = [write_entry(step.entry) for step in match.steps]
    tokens = [line.split() for line in lines if line not in BY_ITSELF]
    return [sorted(word for word in line if not word.startswith("t=")) for line in tokens]


def play(match: Match, folder: Path, *, at_box: bool) -> Rig:
    """Play a match on a board of its own."""
    entries = [step.entry for step in match.steps]
    return rehearse(match.settings, entries, folder / "journal.sqlite3", Habits(at_box=at_box))


def counted_on_board(match: Match) -> Counter[Piece]:
    """Return what lies on the board by the rules' count."""
    state = match.state
    return +Counter(dict(rules_for(state.settings.rules).on_board(state.position)))


def lying(rig: Rig) -> Counter[Piece]:
    """Return what truly lies on the board, strikers left out."""
    truth: Counter[Piece] = Counter(dict(rig.table.truth().on_board))
    del truth[Piece.STRIKER]
    return +truth


@pytest.mark.parametrize("rules", RULES)
def test_a_short_match_comes_out_as_it_is_written(tmp_path: Path, rules: RuleSystem) -> None:
    match = read_record((RECORDS / f"short_{rules}.carom").read_text(encoding="utf-8")).match
    assert match.state.over, "a short match ends with a winner"
    rig = play(match, tmp_path, at_box=True)
    played = read_record(exported(rig)).match
    assert said(played) == said(match)
    assert (played.state.winner, played.state.points) == (match.state.winner, match.state.points)
    assert rig.table.rules is rules
    assert lying(rig) == counted_on_board(match)


@pytest.mark.parametrize("name", ["kagw_told", "icf_told"])
def test_what_only_people_can_say_is_said_with_the_buttons_of_seats(
    tmp_path: Path, name: str
) -> None:
    match = read_record((RECORDS / f"{name}.carom").read_text(encoding="utf-8")).match
    rig = play(match, tmp_path, at_box=False)
    played = read_record(exported(rig)).match
    by_steps = [["!", "black", f"pocketed={n}", "set"] for n in range(2, 8)]
    assert [line for line in said(played) if line not in by_steps] == said(match)
    assert played.state.points == match.state.points
    if name == "icf_told":
        assert lying(rig) == counted_on_board(match), "the second board was laid out anew"
