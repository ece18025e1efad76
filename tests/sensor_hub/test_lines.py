"""The sensor hub's lines: what is written is read back bit for bit, and nothing else is read."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from jackspot.core.pieces import Pocket, Seat
from jackspot.sensing.events import HIGHEST, DiscPeak
from jackspot.sensor_link.protocol.lines import (
    LONGEST,
    LONGEST_AGO_US,
    LONGEST_TICKS_US,
    MOST_COUNTED,
    SEQUENCES,
    HubAsk,
    HubError,
    HubFlaw,
    HubFrame,
    HubHealth,
    HubHello,
    HubKnock,
    HubLevels,
    HubLine,
    LineMistake,
    read_line,
    write_line,
)

FORMATS = Path(__file__).resolve().parents[2] / "firmware" / "FORMATS.md"

LEVEL = st.integers(0, HIGHEST)
AGO = st.integers(0, LONGEST_AGO_US)
COUNT = st.integers(0, MOST_COUNTED)
LEVELS = st.builds(HubLevels, LEVEL, LEVEL)


def some(kind: type[Pocket] | type[Seat]):
    return st.sets(st.sampled_from(kind)).map(
        lambda found: tuple(each for each in kind if each in found)
    )


MESSAGES = st.one_of(
    st.builds(
        HubHello, st.from_regex(r"[0-9a-f]{1,32}", fullmatch=True), LEVEL, some(Pocket),
        some(Seat), LEVELS,
    ),
    st.builds(HubFrame, st.sampled_from(Pocket), AGO, LEVEL, LEVEL, LEVEL, LEVEL),
    st.builds(HubKnock, AGO, st.tuples(*[st.builds(DiscPeak, LEVEL, LEVEL)] * 4)),
    st.builds(HubHealth, st.integers(0, 1_000), COUNT, COUNT),
    st.builds(HubError, st.from_regex(r"[a-z0-9_]{1,60}", fullmatch=True)),
    st.just(HubAsk()),
    LEVELS,
)  # fmt: skip
LINES = st.builds(
    HubLine,
    st.from_regex(r"[0-9a-f]{4}|pi", fullmatch=True),
    st.integers(0, SEQUENCES - 1),
    st.integers(0, LONGEST_TICKS_US),
    MESSAGES,
)


def summed(text: bytes) -> bytes:
    return b"%s %08x" % (text, zlib.crc32(text))


def flaw_of(data: bytes) -> HubFlaw:
    with pytest.raises(LineMistake) as refused:
        read_line(data)
    assert len(str(refused.value)) < 200
    assert str(refused.value).isprintable()
    return refused.value.flaw


@given(LINES)
def test_what_is_written_is_read_again(line: HubLine) -> None:
    data = write_line(line)
    assert data.endswith(b"\n")
    assert len(data) <= LONGEST + 1
    assert read_line(data.removesuffix(b"\n")) == line


@given(LINES, st.data())
def test_a_line_that_was_cut_or_changed_is_never_read(line: HubLine, data: st.DataObject) -> None:
    whole = write_line(line).removesuffix(b"\n")
    at = data.draw(st.integers(0, len(whole) - 1))
    other = data.draw(st.integers(0, 255).filter(lambda each: each != whole[at]))
    for damaged in (
        whole[:at],
        whole[at + 1 :],
        whole[:at] + whole[at + 1 :],
        whole[:at] + bytes([other]) + whole[at + 1 :],
    ):
        assert flaw_of(damaged) in (HubFlaw.TORN, HubFlaw.GARBAGE)


@given(st.binary(max_size=400))
def test_garbage_is_refused_in_words(data: bytes) -> None:
    assert flaw_of(data) in HubFlaw


@given(st.text("0123456789abcdef-, nesw_helofrmkct", max_size=80))
def test_a_line_whose_sum_fits_has_one_spelling_or_is_of_another_version(text: str) -> None:
    data = summed(b"js1 00aa 5 17 " + text.encode())
    try:
        line = read_line(data)
    except LineMistake:
        assert flaw_of(data) is HubFlaw.VERSION
    else:
        assert write_line(line) == data + b"\n"


@pytest.mark.parametrize(
    ("data", "flaw"),
    [
        (b"", HubFlaw.GARBAGE),
        (b"Traceback (most recent call last):", HubFlaw.GARBAGE),
        (b"\xff\x00\xfe", HubFlaw.GARBAGE),
        (b"js1 3fa9 17 92", HubFlaw.TORN),
        (b"812 0 130 220 95 340 0 0 1f00aa21", HubFlaw.TORN),
        (summed(b"js2 3fa9 17 92 frame ne red"), HubFlaw.VERSION),
        (summed(b"js1 3fa9 17 92 weight ne 3"), HubFlaw.VERSION),
        (summed(b"js1 3fa9 65536 92 ask"), HubFlaw.VERSION),
        (summed(b"js1 3fa9 017 92 ask"), HubFlaw.VERSION),
        (summed(b"js1 3fa9 17 92 ask me"), HubFlaw.VERSION),
        (summed(b"hello"), HubFlaw.GARBAGE),
        (b"js1 " + b"9" * 300, HubFlaw.TORN),
    ],
)
def test_each_way_of_being_no_line_has_its_name(data: bytes, flaw: HubFlaw) -> None:
    assert flaw_of(data) is flaw


def test_the_lines_that_the_formats_page_shows_are_read_and_are_of_every_kind() -> None:
    shown = re.findall(r"^js1 [0-9a-fp].+$", FORMATS.read_text(encoding="utf-8"), re.MULTILINE)
    lines = [read_line(each.encode()) for each in shown]
    assert [write_line(line).decode().strip() for line in lines] == shown
    kinds = {HubHello, HubFrame, HubKnock, HubHealth, HubError, HubAsk, HubLevels}
    assert {type(line.message) for line in lines} == kinds
