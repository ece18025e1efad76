"""Whatever byte is flipped or end cut off, opening never raises and every loss is reported."""

from __future__ import annotations

import tempfile
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.storage.journal import Journal
from jackspot.storage.recovery import open_or_recover
from tests.storage.support import KINDS, FixedWall, files, numbers, stroke

COUNT = 60
NAME = "journal.db"
LOG = "journal.db-wal"
MARK = "journal.db.mark"


@cache
def closed_journal() -> dict[str, bytes]:
    """Return the files of a journal of several pages that was closed cleanly."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        with closing(Journal.open(path, KINDS, FixedWall())) as journal:
            for number in range(1, COUNT + 1):
                journal.append([stroke(number, text="x" * (number % 7) * 40)])
        return files(path.parent)


@cache
def killed_journal() -> dict[str, bytes]:
    """Return the files of a journal whose process was killed: most entries are in the log."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / NAME
        with closing(Journal.open(path, KINDS, FixedWall())) as journal:
            journal.append([stroke(number) for number in range(1, 21)])
        with closing(Journal.open(path, KINDS, FixedWall())) as journal:
            for number in range(21, COUNT + 1):
                journal.append([stroke(number, text="x" * (number % 7) * 40)])
            return files(path.parent)


def check_opening(damaged: dict[str, bytes], *, evidence: str) -> None:
    """Open what is left; all that is missing must be reported, and the evidence kept."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, data in damaged.items():
            (folder / file).write_bytes(data)
        opened = open_or_recover(folder / NAME, KINDS, FixedWall())
        with closing(opened.journal) as journal:
            found = numbers(opened.entries)
            assert found == list(range(1, len(found) + 1))
            if len(found) < COUNT:
                (notice,) = opened.notices
                assert notice.set_aside
                assert notice.kept == len(found)
            if opened.notices:
                kept = [path.read_bytes() for path in opened.notices[0].set_aside]
                assert damaged[evidence] in kept
            journal.append([stroke(99)])
        again = open_or_recover(folder / NAME, KINDS, FixedWall())
        with closing(again.journal):
            assert again.notices == ()
            assert numbers(again.entries) == [*found, 99]


def flip(data: bytes, place: int, mask: int) -> bytes:
    return data[:place] + bytes([data[place] ^ mask]) + data[place + 1 :]


places = st.integers(0, 2**20)
masks = st.integers(1, 255)


def flipping(journal: dict[str, bytes], file: str, place: int, mask: int) -> None:
    data = journal[file]
    check_opening(journal | {file: flip(data, place % len(data), mask)}, evidence=file)


def cutting(journal: dict[str, bytes], file: str, length: int) -> None:
    data = journal[file]
    check_opening(journal | {file: data[: length % len(data)]}, evidence=file)


@given(places, masks)
@settings(max_examples=150)
def test_any_flipped_byte_of_the_file_is_survived_and_said(place: int, mask: int) -> None:
    flipping(closed_journal(), NAME, place, mask)


@given(st.integers(0, 99), masks)
@settings(max_examples=60)
def test_any_flipped_byte_of_the_header_is_survived_and_said(place: int, mask: int) -> None:
    flipping(closed_journal(), NAME, place, mask)


@given(places)
@settings(max_examples=60)
def test_a_file_cut_off_anywhere_is_survived_and_said(length: int) -> None:
    cutting(closed_journal(), NAME, length)


@given(places, masks)
@settings(max_examples=80)
def test_any_flipped_byte_of_a_log_left_by_a_kill_is_survived_and_said(
    place: int, mask: int
) -> None:
    flipping(killed_journal(), LOG, place, mask)


@given(places)
@settings(max_examples=60)
def test_a_log_cut_off_anywhere_is_survived_and_said(length: int) -> None:
    cutting(killed_journal(), LOG, length)


@given(places, masks)
@settings(max_examples=60)
def test_a_flipped_byte_under_a_log_is_survived_and_said(place: int, mask: int) -> None:
    flipping(killed_journal(), NAME, place, mask)


@given(places, masks)
@settings(max_examples=40)
def test_a_flipped_byte_of_the_mark_loses_nothing(place: int, mask: int) -> None:
    flipping(closed_journal(), MARK, place, mask)


@pytest.mark.long
@pytest.mark.parametrize("part", range(16))
def test_every_single_byte_of_a_small_journal_can_flip(part: int) -> None:
    journal = closed_journal()
    for place in range(part, len(journal[NAME]), 16):
        flipping(journal, NAME, place, 1 << (place // 16 % 8))
