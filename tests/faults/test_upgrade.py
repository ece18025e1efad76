"""A journal of an earlier version, or of a later one, is opened, and its match goes on.

The journals under ``journals/`` were written by the real code of two earlier states of this
repository, not yet released: ``first_dialogue.db`` before readings spanned strokes (commit
fc013a2), ``whole_dialogue.db`` when they did (commit 40e6590). Each time
``jackspot_sim.boards.rehearsal.rehearse`` rehearsed the record ``tests/records/killed.carom`` with
the people at the referee's box. Its ``Fate`` sent SIGKILL to itself at the first moment from the
70th (75th) on in which the phase was *review*. The log was then folded into the file by
``PRAGMA wal_checkpoint(TRUNCATE)``. Five strokes are confirmed, and N's green puck in SE waits to
be confirmed.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from jackspot.assembly import KINDS
from jackspot.commands import main
from jackspot.core.entry_text import write_entry
from jackspot.core.pieces import Pocket
from jackspot.core.record import read_record
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase
from jackspot.sensing.events import Trouble
from jackspot.storage.entries import Kinds
from jackspot.storage.journal import Journal, read_checked
from jackspot.storage.keeper import Keeper
from jackspot.storage.recovery import restore
from jackspot.storage.wall_clock import SystemWall
from jackspot_sim.boards.rehearsal import exported, rehearse
from jackspot_sim.boards.rig import entered
from jackspot_sim.people.habits import Habits
from tests.faults.test_kill_board import said
from tests.storage.support import Entry
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


def anything(_body: Mapping[str, Any]) -> None:
    """Accept any body, as a version that knows more of them does."""


LATER: Kinds = dict.fromkeys((*KINDS, "weather", "crowd"), anything)


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """Return a journal in whose match a later version wrote kinds and bodies of its own."""
    path = Path(shutil.copy(HERE / "journals" / "whole_dialogue.db", tmp_path / "journal.sqlite3"))
    with closing(Journal.open(path, LATER, SystemWall())) as journal:
        journal.append([
            Entry("weather", 1, {"rain": True}),
            Entry("clock", 2, {"played": "long"}),  # a kind that is known, with another body
            Entry("crowd", 3, {"people": [1, 2, {"of": "them"}]}),
            Entry("weather", 4, {"rain": False}),
        ])  # fmt: skip
    return path


def test_an_older_version_goes_on_with_a_newer_journal_says_what_it_skips_and_loses_nothing(
    newer: Path,
) -> None:
    before = read_checked(newer, None)
    with closing(Driven(newer)) as driven:
        assert driven.keeper.notices == (), "nothing was set aside"
        assert (driven.view.phase, driven.troubles()) == (Phase.REVIEW, {Trouble.UNREAD})
        [fault] = driven.board.dialogue.faults
        for words in ("'weather': 2 left out", "'clock': 1 left out", "'crowd': 1 left out"):
            assert words in str(fault)
        driven.press()
        driven.press()  # people have compared table and counts
        assert driven.view.phase is Phase.READY
    after = read_checked(newer, None)
    assert after[: len(before)] == before
    assert len(after) > len(before)
    assert not list(newer.parent.glob("*.aside*"))


def test_the_newer_version_finds_its_own_entries_and_those_of_the_older_one(newer: Path) -> None:
    with closing(Driven(newer)) as driven:
        driven.press()
    found = read_checked(newer, LATER)
    assert [entry.kind for entry in found].count("weather") == 2
    assert not any(entry.unknown for entry in found)


def test_a_match_with_entries_of_a_newer_version_is_played_to_its_end(newer: Path) -> None:
    record = read_record(RECORD.read_text(encoding="utf-8"))
    entries = [step.entry for step in record.match.steps]
    rig = rehearse(record.settings, entries, newer, Habits(at_box=True))
    assert said(exported(rig)) == said(RECORD.read_text(encoding="utf-8"))
    assert rig.board.dialogue.phase is Phase.MATCH_OVER
    shown = CliRunner().invoke(main, ["history", "--journal", str(newer)])
    assert shown.exit_code == 0, shown.output


def test_a_backup_that_a_newer_version_wrote_is_restored_whole(newer: Path) -> None:
    copy = newer.with_name("copy.db")
    shutil.copy(newer, copy)
    place = newer.with_name("fresh.sqlite3")
    kept = restore(place, copy, KINDS, SystemWall()).kept
    assert kept == len(read_checked(newer, None))
    *before, last = read_checked(place, None)
    assert (tuple(before), last.kind) == (read_checked(newer, None), "restored")
