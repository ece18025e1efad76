"""Whole matches from pin to display, played by people who see only what is shown.

They use the referee's box alone, then the seats' buttons alone. In each the referee once confirms a
wrong reading, notices it after the other side has played, and mends it with UNDO.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from jackspot.commands.dump import command
from jackspot.core.entry_text import write_entry
from jackspot.core.pieces import Piece, Side
from jackspot.core.record import read_record
from jackspot.core.stroke import Stroke
from jackspot.dialogue.state.view import BoardView, Phase, Sound
from jackspot_sim.boards.rehearsal import exported, rehearse
from jackspot_sim.people.habits import Habits
from tests.conftest import thinned

RECORDS = Path(__file__).parents[1] / "records"
EARLY_JACK, FOUL_ON_TURN = 6, 11
"""Entries of the whole match whose first reading is wrong."""


class Witness:
    """A display that remembers what it was shown."""

    name = "witness"

    def __init__(self) -> None:
        self.views: list[BoardView] = []
        self.sounds: list[Sound] = []

    def start(self) -> None:
        """Nothing to start."""

    def post(self, view: BoardView) -> None:
        """See a view."""
        self.views.append(view)

    def post_sound(self, sound: Sound) -> None:
        """Hear a sound."""
        self.sounds.append(sound)

    def stop(self, timeout_s: float = 1.0) -> bool:
        """Nothing to stop."""
        del timeout_s
        return True


def strokes(text: str) -> list[tuple[str, ...]]:
    """Return the strokes of a record, each with its tokens in any order."""
    entries = [step.entry for step in read_record(text).match.steps]
    written = [write_entry(entry).split() for entry in entries if isinstance(entry, Stroke)]
    return [(words[0], *sorted(words[1:])) for words in written]


@pytest.mark.parametrize("at_box", thinned([True, False], {True}))
def test_a_whole_match_comes_out_as_it_was_played(tmp_path: Path, *, at_box: bool) -> None:
    text = (RECORDS / "whole_match.carom").read_text(encoding="utf-8")
    record = read_record(text)
    witness = Witness()
    rig = rehearse(
        record.settings, [step.entry for step in record.match.steps], tmp_path / "journal.sqlite3",
        Habits(at_box=at_box), further=[witness],
    )  # fmt: skip
    assert strokes(exported(rig)) == strokes(text)
    last = witness.views[-1]
    assert (last.phase, last.winner, last.result_points) == (Phase.MATCH_OVER, Side.RED, (12, 1))
    assert last.record == exported(rig)
    shown = [view.place for view in witness.views if view.phase is Phase.PLACING]
    assert (Piece.GREEN, Piece.GREEN, Piece.JACK) in shown, "the jack on top of the penalty"
    holds = [view for view in witness.views if view.proposal and view.proposal.ends_board]
    assert str(holds[-1].ok) == "hold: yes", "the win wants OK held"
    assert {Sound.TICK, Sound.AGAIN, Sound.PASS, Sound.FOUL, Sound.WIN} <= set(witness.sounds)


@pytest.mark.parametrize("at_box", thinned([True, False], {False}))
def test_a_wrong_ok_noticed_across_a_turn_is_mended_with_undo(
    tmp_path: Path, *, at_box: bool
) -> None:
    text = (RECORDS / "whole_match.carom").read_text(encoding="utf-8")
    record = read_record(text)
    slips = {EARLY_JACK: 1, FOUL_ON_TURN: 0}
    witness = Witness()
    rig = rehearse(
        record.settings, [step.entry for step in record.match.steps], tmp_path / "journal.sqlite3",
        Habits(at_box=at_box, slips=slips), further=[witness],
    )  # fmt: skip
    undone = [line for line in read_journal(tmp_path / "journal.sqlite3") if '"undo"' in line]
    assert len(undone) == 3, "two lines back for the first slip, one for the second"
    assert strokes(exported(rig)) == strokes(text)
    assert witness.views[-1].winner is Side.RED


def test_four_players_play_a_match_in_turn(tmp_path: Path) -> None:
    text = (RECORDS / "four_seats.carom").read_text(encoding="utf-8")
    record = read_record(text)
    rig = rehearse(
        record.settings, [step.entry for step in record.match.steps], tmp_path / "journal.sqlite3"
    )
    without = [re.sub("@..", "", str(stroke)) for stroke in strokes(exported(rig))]
    assert without == [re.sub("@..", "", str(stroke)) for stroke in strokes(text)]
    assert read_record(exported(rig)).match.state.points == record.match.state.points


def test_the_same_match_gives_the_same_journal_twice(tmp_path: Path) -> None:
    text = (RECORDS / "killed.carom").read_text(encoding="utf-8")
    record = read_record(text)
    entries = [step.entry for step in record.match.steps]
    for name in ("first", "second"):
        rehearse(record.settings, entries, tmp_path / f"{name}.sqlite3")
    first, second = (read_journal(tmp_path / f"{name}.sqlite3") for name in ("first", "second"))
    assert first == second


def read_journal(path: Path) -> list[str]:
    """Return the canonical dump of a journal."""
    result = CliRunner().invoke(command, ["--journal", str(path)])
    assert result.exit_code == 0, result.output
    return result.output.splitlines()
