"""A writer killed at any moment loses nothing that was acknowledged as written."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from jackspot.storage.journal import read_checked
from jackspot.storage.recovery import open_or_recover
from tests.storage.support import KINDS, FixedWall, numbers

WRITER = """
import sys
from pathlib import Path
from jackspot.storage.keeper import Keeper
from tests.storage.support import KINDS, FixedWall, stroke
keeper = Keeper(Path(sys.argv[1]), KINDS, FixedWall())
assert not keeper.notices, keeper.notices
number = len(keeper.entries)
while True:
    count = 1 + number % 4
    assert not keeper.append([stroke(number + 1 + i, text="x" * 50) for i in range(count)])
    number += count
    sys.stdout.write(f"{number}\\n")
    sys.stdout.flush()
    if number % 37 == 0:
        keeper.back_up()
"""


def kill_once(path: Path, chance: random.Random) -> int:
    """Start a writer, kill it a moment later and return the last number it acknowledged."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)],
        stdout=subprocess.PIPE,
        env={"PYTHONPATH": ":".join(sys.path)},
    ) as writer:
        assert writer.stdout is not None
        first = writer.stdout.readline()
        time.sleep(chance.uniform(0, 0.03))  # the only real time in this test: when to kill
        writer.kill()
        said = first + writer.stdout.read()
    whole = said[: said.rindex(b"\n")]
    return int(whole.split()[-1])


def kill_many(path: Path, count: int, seed: int) -> None:
    chance = random.Random(seed)
    for turn in range(count):
        acknowledged = kill_once(path, chance)
        found = numbers(read_checked(path, KINDS))
        assert found == list(range(1, len(found) + 1)), f"seed {seed}, kill {turn}"
        assert acknowledged <= len(found) <= acknowledged + 4, f"seed {seed}, kill {turn}"
    opened = open_or_recover(path, KINDS, FixedWall())
    with closing(opened.journal):
        assert opened.notices == ()


def test_a_writer_killed_at_any_moment_loses_no_acknowledged_entry(tmp_path: Path) -> None:
    kill_many(tmp_path / "journal.db", 12, seed=2)


@pytest.mark.long
@pytest.mark.timeout(1200)
def test_hundreds_of_kills_lose_no_acknowledged_entry(tmp_path: Path) -> None:
    for series in range(10):
        kill_many(tmp_path / f"journal-{series}.db", 30, seed=100 + series)
