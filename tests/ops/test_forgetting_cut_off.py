"""Forgetting that a power cut ended: nothing is lost, and the next time finishes it."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any, NoReturn

import pytest

from jackspot.assembly import KINDS
from jackspot.commands import forget
from jackspot.history.archive import Archive
from jackspot.history.index import index_path
from jackspot.ops.forgetting import places, retention
from jackspot.ops.forgetting.names import Taking
from jackspot.ops.forgetting.places import (
    BoardFiles,
    look,
)
from jackspot.ops.forgetting.retention import forget_old
from jackspot.ops.forgetting.rewriting import DRAFT
from jackspot.storage.backups import Backups
from jackspot.storage.journal import Journal, read_checked
from tests.conftest import PATIENCE_S
from tests.history.journals import Book, StillWall
from tests.ops.forgetting_bench import (
    NAME,
    holding,
    run,
    said,
    write_matches,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite3"


KILLED = """
    import os, shutil, signal, sys
    from itertools import count
    from pathlib import Path
    from jackspot.ops.forgetting.names import Taking
    from jackspot.ops.forgetting.rewriting import held, rewrite_copy, rewrite_journal, copies

    taking = Taking.of("Aiko")
    whole, moments = Path(sys.argv[1]), 0
    change = lambda entry: taking.body(entry.body)

    def forget(journal, die_at):
        def look(event, arguments):
            # Every change of the file system is a moment at which the power can fail.
            global moments
            if event in ("os.rename", "os.remove", "sqlite3.connect", "open"):
                moments += 1
                if moments == die_at:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(look)
        with held(journal):
            rewrite_journal(journal, change)
            for path in copies(journal):
                rewrite_copy(path, change)

    for die_at in count(1):
        folder = whole.parent.with_name(str(die_at))
        shutil.copytree(whole.parent, folder)
        if not os.fork():
            forget(folder / whole.name, die_at)
            break
        status = os.wait()[1]
        if not (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL):
            print(die_at - 1)
            sys.exit(status != 0)
"""
"""Forgets in one process for each moment, which is killed then, in a copy of the folder that is
named after the moment. Prints how many were killed before one came to its end."""


def test_a_crash_at_any_moment_loses_nothing_and_is_finished_the_next_time(
    tmp_path: Path,
) -> None:
    first = tmp_path / "whole" / "journal.sqlite3"
    write_matches(first)
    whole = said(read_checked(first, KINDS))
    program = [sys.executable, "-c", textwrap.dedent(KILLED), str(first)]
    ended = subprocess.run(
        program, capture_output=True, text=True, timeout=PATIENCE_S, check=False, env=os.environ
    )
    assert ended.returncode == 0, ended.stderr
    moments = int(ended.stdout)
    assert moments > 8
    for moment in range(1, moments + 1):
        path = tmp_path / str(moment) / "journal.sqlite3"
        journal = Journal.open(path, KINDS, StillWall())  # as the next start of the board does
        journal.close()
        assert said(read_checked(path, KINDS)) == whole
        assert Backups(path).newest_good(KINDS) is not None
        done = run(path, NAME, "--yes")
        assert done.exit_code == 0, done.output
        assert holding(path.parent) == [], moment
        assert not list(path.parent.glob(f"*{DRAFT}*"))
        assert said(read_checked(path, KINDS)) == whole


class PowerCut(BaseException):
    """The power is gone at this point."""


def cut_off(*_arguments: object) -> NoReturn:
    raise PowerCut


def test_an_index_is_gone_before_the_journal_is_rewritten_and_whenever_it_has_the_name(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_matches(path)
    Archive(path).matches()
    index = index_path(path)
    with_names = index.read_bytes()
    act = look(BoardFiles(path), Taking.of(NAME), lambda: None).steps[0].act
    assert act is not None
    with monkeypatch.context() as cut:
        cut.setattr(places, "rewrite_journal", cut_off)
        with pytest.raises(PowerCut):
            act()
    assert not index.exists()
    assert run(path, NAME, "--yes").exit_code == 0
    index.write_bytes(with_names)  # somebody read the matches before the power was cut
    assert "the list of matches" in run(path, NAME, "--yes").stdout
    assert holding(path.parent) == []


def test_old_names_are_gone_from_the_index_before_they_go_from_the_journal(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_matches(path, days=40)
    now = StillWall(read_checked(path, None)[-1].wall_ns)
    Archive(path).matches()
    assert forget_old(path, now, 60) == 0
    assert index_path(path).exists()
    monkeypatch.setattr(retention, "rewrite_journal", cut_off)
    with pytest.raises(PowerCut):
        forget_old(path, now, 30)
    assert not index_path(path).exists()


@pytest.mark.parametrize("end", [".new", DRAFT, ".tmp"])
def test_what_a_power_cut_left_beside_a_journal_without_the_name_goes_too(
    end: str, path: Path
) -> None:
    write_matches(path)
    old = path.read_bytes()
    assert run(path, NAME, "--yes").exit_code == 0
    left_over = path.with_name(path.name + end)
    left_over.write_bytes(old)
    done = run(path, NAME, "--yes")
    assert done.exit_code == 0, done.output
    assert "left over" in done.stdout
    assert not left_over.exists()


def test_what_a_power_cut_left_is_no_name_that_was_found(path: Path) -> None:
    write_matches(path)
    Archive(path).matches()
    path.with_name(path.name + DRAFT).touch()
    done = run(path, "Aik", "--yes")
    assert done.exit_code == 0, done.output
    assert "nothing on this board names 'Aik'\ndid you mean Aiko, Chika?" in done.stdout
    assert index_path(path).exists()


def test_what_a_running_board_is_writing_was_not_left_by_a_power_cut(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_matches(path)
    draft = path.with_name(path.name + ".backups") / "9.db.tmp"
    draft.touch()
    with Book(path):
        done = run(path, "Nobody", "--yes")
    assert done.exit_code == 0, done.output
    assert "nothing on this board names 'Nobody'" in done.stdout
    assert draft.exists()
    forget_all = forget._forget

    def started_again(*given: Any, **options: Any) -> None:
        forget_all(*given, **options)
        draft.touch()

    monkeypatch.setattr(forget, "_forget", started_again)
    done = run(path, NAME, "--yes")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize("end", [".new", DRAFT, ".tmp"])
def test_what_is_of_another_journal_stays(end: str, path: Path) -> None:
    write_matches(path)
    other = path.with_name(f"{path.name}-club.sqlite3{end}")
    other.touch()
    assert run(path, NAME, "--yes").exit_code == 0
    assert other.exists()
