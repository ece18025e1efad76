"""A board that is killed at any moment goes on as if nothing had happened.

SIGKILL comes at moments drawn from a seed: before and after every write to the journal, and
at every view that is shown. People go on from where the board says the match is. The board is
whole: simulated pins, the real journal, the real OLED driver.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from jackspot.core.entry_text import write_entry
from jackspot.core.record import read_record

pytestmark = pytest.mark.live

HERE = Path(__file__).parent
RECORDS = HERE.parent / "records"


def lives(record: Path, first: int, last: int) -> list[dict[str, object]]:
    """Run the seeds of one record; return how the match of each ended."""
    run = subprocess.run(
        [sys.executable, str(HERE / "kill_runner.py"), str(record), str(first), str(last)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert [answer["seed"] for answer in answers] == list(range(first, last)), run.stderr
    return answers


def said(text: str) -> list[tuple[str, ...]]:
    """Return a record's entries in order, each with its tokens in any order, without times."""
    entries = [write_entry(step.entry).split() for step in read_record(text).match.steps]
    return [
        (words[0], *sorted(word for word in words[1:] if not word.startswith("t=")))
        for words in entries
        if words not in (["!", "placed"], ["!", "board"])
    ]


def check(record: Path, answers: list[dict[str, object]]) -> None:
    """Check that every match ended as the record says: nothing lost, nothing doubled."""
    text = record.read_text(encoding="utf-8")
    final = read_record(text).match.state
    for answer in answers:
        where = f"seed {answer['seed']}, died at {answer['died_at']} in {answer.get('died_in')}"
        assert "failed" not in answer, f"{where}: {answer.get('failed')}"
        played = str(answer["record"])
        assert said(played) == said(text), where
        state = read_record(played).match.state
        assert state.points == final.points, where
        assert state.position.counts == final.position.counts, where


def deaths(answers: list[dict[str, object]]) -> Counter[str]:
    """Count what the boards were doing when they died."""
    found: Counter[str] = Counter()
    for answer in answers:
        died_in = answer["died_in"]
        assert isinstance(died_in, list)
        found.update(died_in)
    return found


def phases(died: Counter[str]) -> set[str]:
    """Return the phases of some deaths, with "list" for every list."""
    return {each.partition(":")[0] for each in died}


EVERYWHERE = {"setup", "ready", "falling", "review", "placing", "paused", "board_over", "list"}
"""What a board can be doing in the middle of a match."""

LISTS = {"list: menu", "list: editing", "list: who resigns?"}
"""The lists that these matches open often; other tests cut the power in every list."""


def test_a_board_killed_at_any_moment_loses_no_stroke_and_doubles_none() -> None:
    """At the seats and at the box, each with all beams and with one that is dead."""
    record = RECORDS / "killed.carom"
    answers = lives(record, 0, 4)
    check(record, answers)
    assert len(deaths(answers)) >= 4, "the deaths are spread over the phases"


def test_a_board_killed_around_the_end_of_time_still_ends_its_match_right() -> None:
    record = RECORDS / "killed_on_time.carom"
    check(record, lives(record, 0, 2))


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_three_hundred_matches_killed_in_every_phase_come_out_right() -> None:
    died: Counter[str] = Counter()
    for name, first, last in (
        ("killed.carom", 4, 6),
        ("killed.carom", 1_000, 1_220),
        ("killed_on_time.carom", 1_000, 1_080),
    ):
        answers = lives(RECORDS / name, first, last)
        check(RECORDS / name, answers)
        died += deaths(answers)
    assert phases(died) >= EVERYWHERE, f"no death in {EVERYWHERE - phases(died)}"
    assert set(died) >= LISTS, f"no death in {LISTS - set(died)}"
    assert sum(died.values()) >= 300, dict(died)
