"""The hub's own program, run by MicroPython, against the board's: the same lines both ways.

The interpreter is MicroPython's own for Unix, locked with what the tests need. It comes ready built
for x86-64 only; elsewhere these tests are skipped by name.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from jackspot.core.pieces import Pocket, Seat
from jackspot.sensing.events import HIGHEST, ColourSeen, DiscPeak, DiscsListen, KnockHeard
from jackspot.sensor_link.protocol import hearing
from jackspot.sensor_link.protocol.lines import (
    BOARD,
    LONGEST,
    LONGEST_TICKS_US,
    SEQUENCES,
    HubAsk,
    HubError,
    HubFrame,
    HubHealth,
    HubHello,
    HubKnock,
    HubLevels,
    HubLine,
    read_line,
    write_line,
)

ROOT = Path(__file__).resolve().parents[2]
CHIP = "e6614c311b7e8f35"
IS_HERE = platform.machine() == "x86_64"

pytestmark = pytest.mark.skipif(
    not IS_HERE, reason=f"there is no MicroPython ready built for {platform.machine()}"
)


def asked(*commands: list[Any]) -> list[Any]:
    """Have MicroPython carry out commands in one process; return its answer to each."""
    found = find_spec("micropython_unix")
    assert found is not None, "MicroPython is missing here: `make test` installs it"
    done = subprocess.run(
        [sys.executable, str(found.origin), str(Path(__file__).with_name("asked_on_hub.py"))],
        input="".join(f"{json.dumps(each)}\n" for each in commands),
        env={**os.environ, "MICROPYPATH": str(ROOT / "firmware")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def lines_of(text: str) -> list[HubLine]:
    return [read_line(each.encode()) for each in text.splitlines()]


def bytes_of(data: bytes) -> list[int]:
    return list(data)


def test_it_is_micropython_that_runs_here() -> None:
    assert asked(["interpreter"]) == ["micropython"]


@settings(max_examples=5, suppress_health_check=list(HealthCheck), deadline=None)
@given(
    st.lists(
        st.tuples(
            st.from_regex(r"[0-9a-f]{4}", fullmatch=True),
            st.integers(0, SEQUENCES - 1),
            st.integers(0, LONGEST_TICKS_US),
            st.builds(HubHealth, st.integers(0, 1_000), st.integers(0, 999), st.integers(0, 999)),
        ),
        min_size=50,
        max_size=50,
    )
)
def test_both_write_a_line_with_the_same_bytes(said) -> None:
    ours = [write_line(HubLine(*each)).decode() for each in said]
    theirs = asked(
        *(
            ["write", tag, number, at, f"health {each.busy} {each.lost} {each.unread}"]
            for tag, number, at, each in said
        )
    )
    assert theirs == ours


def test_the_hub_reads_what_the_board_says_and_nothing_else() -> None:
    ask = write_line(HubLine(BOARD, 0, 52_117_000, HubAsk())).strip()
    levels = write_line(HubLine(BOARD, 1, 52_119_000, HubLevels(700, 900))).strip()
    none = [
        b"", b"rubbish", b"\xff\xfe 00000000", ask[:-1], ask[1:], ask + b"0", b"x" * (LONGEST + 1),
        ask.replace(b"ask", b"asK"), write_line(HubLine("3fa9", 0, 0, HubAsk())).strip(),
        b" ".join([*ask.split()[:-1], b"+" + ask.split()[-1]]),
    ]  # fmt: skip
    answers = asked(*(["read", bytes_of(each)] for each in (ask, levels, *none)))
    assert answers == [["ask"], ["set", "700", "900"], *[None] * len(none)]


def test_all_that_the_hub_says_is_read_by_the_board() -> None:
    peaks = [[812, 0], [130, 220], [95, 340], [0, 0]]
    *_, said = asked(
        ["frame", 1_000, 0, 8123, 640, 511, 233], ["knock", 2_000, peaks],
        ["wrong", ["head_sw_is_blinded"]], ["lines", 1_000_000],
    )  # fmt: skip
    lines = lines_of(said)
    assert [line.sequence for line in lines] == list(range(5))
    assert {(line.tag, line.ticks_us) for line in lines} == {("3fa9", 1_000_000)}
    assert [line.message for line in lines] == [
        HubHello(CHIP, hearing.PROGRAM, tuple(Pocket), tuple(Seat),
                 HubLevels(400, 900)),
        HubHealth(0, 0, 0),
        HubError("head_sw_is_blinded"),
        HubFrame(Pocket.NE, 999_000, 8123, 640, 511, 233),
        HubKnock(998_000, tuple(DiscPeak(*each) for each in peaks)),
    ]  # fmt: skip


def test_the_two_talk_until_the_hub_has_the_levels_that_the_board_wants() -> None:
    heard = hearing.Hearing(see=700)
    heard.opened(0)
    asks = heard.say(0)
    first = asked(["hear", bytes_of(asks)], ["lines", 50_000])[-1]
    assert heard.feed(first.encode(), 60_000_000) == [
        DiscsListen(60_000_000, tuple(Seat), hub=CHIP)
    ]
    sets = heard.say(3_000_000_000)
    answers = asked(
        ["hear", bytes_of(asks)], ["lines", 50_000], ["hear", bytes_of(sets[:9])],
        ["hear", bytes_of(sets[9:])], ["levels"], ["frame", 60_000, 1, 1, 2, 3, 4],
        ["lines", 70_000],
    )  # fmt: skip
    assert answers[4] == [700, 900]
    told = heard.feed(answers[-1].encode(), 80_000_000)
    assert told == [ColourSeen(70_000_000, Pocket.SE, 1, 2, 3, 4)]
    assert heard.say(6_000_000_000) == b"", "and then there is nothing left to say"


def test_errors_are_told_again_when_the_board_asks_and_each_five_seconds_while_they_last() -> None:
    ask = write_line(HubLine(BOARD, 0, 52_117_000, HubAsk()))
    errors = ["head_sw_is_blinded", "disc_n_is_stuck_at_an_end"]
    answers = asked(
        ["wrong", errors], ["lines", 1_000], ["wrong", errors], ["lines", 2_000],
        ["hear", bytes_of(ask)], ["lines", 3_000], ["lines", 5_002_000],
        ["lines", 5_004_000], ["wrong", errors[1:]], ["lines", 10_005_000], ["wrong", []],
        ["lines", 16_000_000],
    )  # fmt: skip
    told = [
        [each.message.words for each in lines_of(text) if isinstance(each.message, HubError)]
        for text in answers if isinstance(text, str)
    ]  # fmt: skip
    assert told == [errors, [], errors, [], errors, errors[1:], []]


def test_a_wire_that_stays_at_an_end_for_a_second_is_wrong_until_it_leaves_it() -> None:
    """A knock lasts for milliseconds; in front of a head it may be quite dark."""
    steps: list[list[Any]] = [
        ["stuck", 0, [65535]], ["stuck", 900_000, [0]], ["are stuck"], ["stuck", 950_000, [8402]],
        ["stuck", 1_000_000, [0]], ["stuck", 1_999_999, [3]], ["are stuck"],
        ["stuck", 2_000_000, [0]], ["are stuck"], ["stuck", 2_001_000, [8000]], ["are stuck"],
        ["blinded", 0, [0, 65535]], ["blinded", 1_000_000, [0, 65000]], ["are blinded"],
        ["blinded", 1_004_000, [0, 64000]], ["are blinded"],
    ]  # fmt: skip
    answers = [said for step, said in zip(steps, asked(*steps), strict=True) if len(step) == 1]
    stuck, blinded = ["disc_n_is_stuck_at_an_end"], ["head_se_is_blinded"]
    assert answers == [[], [], stuck, [], blinded, []]


def test_what_the_hub_cannot_read_is_counted_and_a_flood_takes_no_room() -> None:
    *_, said = asked(
        *[["hear", bytes_of(b"y" * 5_000)]] * 20, ["hear", bytes_of(b"\nrubbish\n")],
        ["lines", 1_000_000],
    )  # fmt: skip
    assert lines_of(said)[1].message == HubHealth(0, 0, 2)


def test_frames_that_find_no_room_are_counted() -> None:
    *_, said = asked(*[["frame", 0, 1, 1, 2, 3, 4]] * 300, ["lines", 1_000_000])
    lines = lines_of(said)
    assert lines[1].message == HubHealth(0, 44, 0)
    assert len([each for each in lines if isinstance(each.message, HubFrame)]) == 256


def test_the_strobe_lights_in_turn_and_tells_what_is_lit_beyond_the_dark() -> None:
    turn = [[100, 5_000], [900, 5_100], [150, 5_050], [120, 5_080]]  # a red piece, and the sun
    steps = [each for reading in turn for each in (["light"], ["strobe", reading, 400])]
    answers = asked(*steps, ["light"])
    assert answers[::2] == [0, 1, 2, 3, 0]
    assert answers[1::2] == [[], [], [], [[0, 900, 150, 120, 100]]]


def test_a_knock_is_told_once_with_its_first_disc_first_and_rings_on_unheard() -> None:
    rest, at_us, steps = [30_000, 31_000, 29_000, 30_500], 0, []
    for _ in range(100):
        steps.append(["feel", at_us, rest, 900])
        at_us += 1_000
    begin_us = at_us
    ringing = {0: [33_000, 0, 0, 0], 1: [-34_000, 2_000, 0, 0], 2: [3_000, 1_500, 950, 0]}
    for step in range(80):
        swing = ringing.get(step, [1_000 if step < 40 else 0, 0, 0, 0])
        felt = [min(max(a + b, 0), HIGHEST) for a, b in zip(rest, swing, strict=True)]
        steps.append(["feel", at_us, felt, 900])
        at_us += 1_000
    steps.append(["feel", at_us, [30_000, 31_000, 35_000, 30_500], 900])
    told = [each for each in asked(*steps) if each]
    assert told == [[begin_us, [[33_000, 0], [2_000, 1_000], [950, 2_000], [0, 0]]]]


def test_a_rest_that_wanders_with_the_warmth_is_no_knock() -> None:
    steps = [["feel", step * 1_000, [30_000 + step] * 4, 200] for step in range(2_000)]
    assert [each for each in asked(*steps) if each] == []


@pytest.mark.parametrize(
    ("before", "after"), [([33_000, 30_000], [30_000] * 2), ([30_000] * 2, [31_500, 30_000])]
)
def test_a_rest_that_jumps_is_learnt_anew_and_knocks_are_heard_again(before, after) -> None:
    """At a start while a disc rings, or with a loose wire, a rest is wrong at once."""
    others, knock_us = [29_000] * 2, 1_000_000
    felt = [before + others] + [after + others] * 999
    felt += [[after[0], after[1] + 12_000, *others]] * 3 + [after + others] * 97
    steps = [["feel", at * 1_000, each, 900] for at, each in enumerate(felt)]
    told = [each for each in asked(*steps) if each]
    assert [began_us for began_us, _peaks in told] == [1_000, knock_us]
    assert told[1][1] == [[0, 0], [12_000, 0], [0, 0], [0, 0]]


def test_ticks_that_begin_at_0_again_go_on() -> None:
    wrap = 1 << 30
    counters = [5, wrap - 1, 10, 20]
    assert asked(*(["ticks", each] for each in counters)) == [5, wrap - 1, wrap + 10, wrap + 20]


def test_the_knocks_of_a_hub_are_heard_at_their_instant() -> None:
    *_, said = asked(["lines", 1], ["knock", 40_000, [[900, 0], [800, 90], [0, 0], [0, 0]]],
                     ["lines", 62_000])  # fmt: skip
    heard = hearing.Hearing()
    heard.opened(0)
    first, *_ = asked(["lines", 1])
    assert heard.feed(first.encode(), 1_000) == [DiscsListen(1_000, tuple(Seat), hub=CHIP)]
    [knock] = heard.feed(said.encode(), 63_000_000)
    assert isinstance(knock, KnockHeard)
    assert knock.at_ns == 40_000_000
