"""The learnt file: counts as TOML, and what is refused."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from jackspot.calibration.learnt import (
    LARGEST_BYTES,
    LearntError,
    as_text,
    fault,
    parse,
    save,
    usable,
)
from jackspot.capture.errors import CaptureError
from jackspot.capture.vcd_file import Capture, Opening
from jackspot.config.model import Config, Origin, check
from jackspot.dialogue.proposals.learnt import Learnt
from jackspot.readings.usual import Aim
from jackspot.replay import times_of
from jackspot.sensing.events import Trouble
from jackspot.values import changed

MADE = datetime.datetime(2026, 11, 22, 12, 0, tzinfo=datetime.UTC)
PUCK, JACK = (Aim.PIECES, (1, 0, 0, 0)), (Aim.JACK, (0, 0, 0, 1))
BOTH = (Aim.JACK, (0, 0, 1, 1))
SOME = Learnt(3, 240, {PUCK: 60, JACK: 2, BOTH: 0}, {PUCK: 72.5, JACK: 1.25, BOTH: 0.5})


def config(path: Path, *, use: bool = True) -> Config:
    return check({"learnt": {"use": use, "path": str(path)}}, Origin("test", {}))


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_what_is_written_reads_the_same(board: str) -> None:
    assert parse(as_text(SOME, board, MADE)) == SOME


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: raw.decode("latin-1")))
def test_anything_else_is_refused_in_words(text: str) -> None:
    with pytest.raises(LearntError, match="learn again: jackspot learn"):
        parse(text)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("version = 1", "version = 2", "version"),
        ("seen = 60", "seen = -1", "row.0.seen"),
        ("seen = 60", 'seen = "many"', "row.0.seen"),
        ("expected = 72.500000000", "expected = nan", "row.0.expected"),
        ("expected = 72.500000000", "expected = -72.5", "row.0.expected"),
        ('aim = "pieces"', 'aim = "luck"', "row.0.aim"),
        ("own = 1", "own = 99", "row.0.own"),
        ("matches = 3", "matches = 3\nplayers = ['Aiko']", "players"),
        ("strikers = 1\ncentre = 1", "centre = 1", "is there twice"),
        ("version = 1", f"version = 0x{'f' * 4_000}", "found a number beyond all bounds"),
        ("version = 1", "version = 1 #" + "x" * 4_096, "at most 4,096 characters"),
        ("matches = 3", "a" + ".a" * 2_000 + " = 1", "a key of at most 32 parts"),
        ("matches = 3", "matches = " + "[" * 50_000, "at most 32 tables or lists"),
    ],
)
def test_what_is_wrong_is_named(before: str, after: str, said: str) -> None:
    text = as_text(SOME, "Board 1", MADE)
    assert before in text
    with pytest.raises(LearntError, match=said):
        parse(text.replace(before, after, 1))


def test_a_board_uses_it_only_where_its_owner_says_so(tmp_path: Path) -> None:
    path = tmp_path / "learnt.toml"
    assert usable(config(path)) == "", "there is none yet"
    save(as_text(SOME, "Board 1", MADE), path)
    assert parse(usable(config(path))) == SOME
    assert usable(config(path, use=False)) == ""


@pytest.mark.parametrize("content", [b"\xff\xfe", b"schema = 1", b"#" * (LARGEST_BYTES + 1)])
def test_a_file_that_cannot_be_used_is_a_fault_of_the_board(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "learnt.toml"
    path.write_bytes(content)
    with pytest.raises(LearntError) as refused:
        usable(config(path))
    assert str(path) in str(refused.value)
    shown = fault(refused.value, 7)
    assert (shown.at_ns, shown.part, shown.trouble) == (7, "learnt", Trouble.MISFIT)


def test_what_cannot_be_written_leaves_the_file_before(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(LearntError, match="cannot be written"):
        save(as_text(SOME, "Board 1", MADE), blocked / "learnt.toml")
    assert blocked.read_text() == ""


def test_a_capture_carries_what_the_board_had_learnt() -> None:
    opening = Opening("", learnt=as_text(SOME, "Board 1", MADE))
    capture = Capture(opening, frozenset(), (), 0, (), ())
    assert times_of(capture) == SOME.times()
    assert times_of(changed(capture, opening=Opening(""))) == {}
    with pytest.raises(CaptureError, match="what the board had learnt"):
        times_of(changed(capture, opening=Opening("", learnt="nonsense")))
