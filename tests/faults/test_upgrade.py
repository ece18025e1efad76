"""A journal of an earlier version is opened by this one, and its match goes on.

The journals under ``journals/`` were written by the real code of two earlier states of this
repository, not yet released: ``first_dialogue.db`` before readings spanned strokes (commit
fc013a2), ``whole_dialogue.db`` when they did (commit 40e6590). Each time the record
``tests/records/killed.carom`` was rehearsed with the people at the referee's box, by
``jackspot_sim.boards.rehearsal.rehearse`` with a ``Fate`` that sends SIGKILL to itself at the first
moment from the 70th (75th) on in which the phase is *review*; the log was then folded into the
file by ``PRAGMA wal_checkpoint(TRUNCATE)``. Five strokes are confirmed, and N's green puck in SE
waits to be confirmed.
"""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from jackspot.assembly import KINDS
from jackspot.core.entry_text import write_entry
from jackspot.core.pieces import Pocket
from jackspot.core.record import read_record
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Trouble
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall import SystemWall
from jackspot_sim.boards.rehearsal import exported, rehearse
from jackspot_sim.boards.rig import entered
from jackspot_sim.people.habits import Habits
from tests.faults.test_kill_board import said
from tests.test_board import Driven

HERE = Path(__file__).parent
RECORD = HERE.parent / "records" / "killed.carom"
OLD = ("first_dialogue.db", "whole_dialogue.db")


@pytest.fixture(params=OLD)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a copy of an old journal."""
    return Path(shutil.copy(HERE / "journals" / request.param, tmp_path / "journal.sqlite3"))


def test_an_old_journal_is_opened_as_it_is_with_every_stroke_and_nothing_set_aside(
    old: Path,
) -> None:
    with closing(Driven(old)) as driven:
        assert driven.keeper.notices == ()
        lines = [write_entry(entry) for entry in entered(driven.board)]
        assert [line for line in lines if line != "! placed"] == [
            "S striker@SW", "N green@NE", "N -", "S red@SE red@NE", "S jack@NW",
        ]  # fmt: skip


def test_what_lay_open_in_an_old_journal_lies_open_again(tmp_path: Path) -> None:
    old = Path(shutil.copy(HERE / "journals" / "whole_dialogue.db", tmp_path / "journal.sqlite3"))
    with closing(Driven(old)) as driven:
        assert (driven.view.phase, driven.troubles()) == (Phase.REVIEW, set())
        assert driven.board.dialogue.proposal is not None
        assert [fall.pocket for fall in driven.board.dialogue.proposal.falls] == [Pocket.SE]


def test_what_cannot_be_laid_out_again_is_told_and_its_falls_are_asked_about(
    tmp_path: Path,
) -> None:
    old = Path(shutil.copy(HERE / "journals" / "first_dialogue.db", tmp_path / "journal.sqlite3"))
    with closing(Driven(old)) as driven:
        assert (driven.view.phase, driven.view.waiting) == (Phase.PAUSED, 1)
        assert driven.troubles() == {Trouble.UNREAD}
        driven.press()
        assert driven.view.phase is Phase.REVIEW
        assert driven.view.proposal is not None
        assert [each.pocket for each in driven.view.proposal.departures] == [Pocket.SE]
        driven.press()
        assert (driven.view.phase, driven.troubles()) == (Phase.READY, set())
    kept = Keeper(old, KINDS, SystemWall())
    kept.close()
    lines = [entry.body for entry in kept.entries if entry.kind == EntryKind.LINE]
    assert lines[-1]["falls"] == [6], "the fall of the old version is in the new stroke"


def test_a_match_begun_by_an_old_version_is_played_to_its_end(tmp_path: Path) -> None:
    old = Path(shutil.copy(HERE / "journals" / "whole_dialogue.db", tmp_path / "journal.sqlite3"))
    record = read_record(RECORD.read_text(encoding="utf-8"))
    entries = [step.entry for step in record.match.steps]
    rig = rehearse(record.settings, entries, old, Habits(at_box=True))
    assert said(exported(rig)) == said(RECORD.read_text(encoding="utf-8"))
    assert rig.board.dialogue.phase is Phase.MATCH_OVER
