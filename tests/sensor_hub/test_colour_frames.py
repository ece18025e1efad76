"""Colour frames, even late ones, join the fall they were seen in, and outlast a restart."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from jackspot.capture.tap import Recipient
from jackspot.capture.vcd_file import read_capture
from jackspot.config.load import Sources, load
from jackspot.core.pieces import Piece, Pocket
from jackspot.dialogue.state.entries import fall_body, read_fall
from jackspot.dialogue.state.view import Sound
from jackspot.replay import config_of
from jackspot.sensing.colours import LATE_NS, MOST_FRAMES, REMEMBERED, Colours
from jackspot.sensing.events import HIGHEST, ColourSeen, Fall, Pulse
from jackspot.sensing.limits import MS, SECOND
from jackspot.values import changed
from jackspot_sim.boards.rig import Onlookers, Rig
from jackspot_sim.clock import SimClock
from tests.sensor_hub.test_knocks_in_captures import OK, Glass, replayed, with_hub
from tests.sim.test_capture_and_replay import dump

BEGIN_NS = 100 * SECOND
END_NS = BEGIN_NS + 20 * MS


def fall(number: int = 1, begin_ns: int = BEGIN_NS, end_ns: int = END_NS) -> Fall:
    return Fall(number, Pocket.NE, (Pulse(Pocket.NE, begin_ns, end_ns),))


def frame(after_ns: int, red: int = 8_000, pocket: Pocket = Pocket.NE) -> ColourSeen:
    return ColourSeen(BEGIN_NS + after_ns, pocket, red, 900, 700, 200)


def after(frames: Iterable[ColourSeen], colours: Colours | None = None) -> Colours:
    colours = colours or Colours()
    for each in frames:
        colours = colours.step(each)
    return colours


levels = st.integers(0, HIGHEST)
frames = st.builds(
    ColourSeen, st.integers(BEGIN_NS, END_NS), st.just(Pocket.NE), levels, levels, levels, levels
)


def test_a_fall_carries_what_its_pockets_head_saw_between_its_beams_edges() -> None:
    seen = [frame(-1), frame(0), frame(4 * MS, 7_000), frame(20 * MS), frame(20 * MS + 1)]
    other = frame(5 * MS, pocket=Pocket.SW)
    _, told = after([*seen, other]).told_of(fall())
    assert told.seen == tuple(seen[1:4])


def test_a_late_frame_is_told_with_its_fall_once_no_more_can_come() -> None:
    colours, told = after([frame(4 * MS)]).told_of(fall())
    colours = after([frame(8 * MS), frame(12 * MS)], colours)
    assert colours.next_wake_ns() == END_NS + LATE_NS
    colours, grown = colours.rest(END_NS + LATE_NS - 1)
    assert grown == ()
    colours, [whole] = colours.rest(END_NS + LATE_NS)
    assert (whole.number, whole.pulses) == (told.number, told.pulses)
    assert [each.at_ns - BEGIN_NS for each in whole.seen] == [4 * MS, 8 * MS, 12 * MS]
    assert colours.next_wake_ns() is None
    assert after([frame(16 * MS)], colours).rest(END_NS + SECOND)[1] == ()


def test_the_first_frames_of_all_may_be_late_too() -> None:
    colours, told = Colours().told_of(fall())
    assert told == fall()
    assert colours.next_wake_ns() is None, "a board without heads sleeps as it did"
    [grown] = after([frame(MS)], colours).rest(END_NS + LATE_NS)[1]
    assert grown.seen == (frame(MS),)


def test_a_fall_that_is_told_whole_is_told_once() -> None:
    colours, _ = after([frame(4 * MS)]).told_of(fall())
    assert colours.rest(END_NS + LATE_NS)[1] == ()


def test_a_fall_that_grows_by_a_pulse_has_the_frames_of_both() -> None:
    colours, _ = after([frame(MS)]).told_of(fall())
    more = Pulse(Pocket.NE, END_NS + 5 * MS, END_NS + 15 * MS)
    grown = Fall(1, Pocket.NE, (*fall().pulses, more))
    _, told = after([frame(28 * MS)], colours).told_of(grown)
    assert told.seen == (frame(MS), frame(28 * MS))


@given(st.lists(frames, max_size=60), st.randoms(use_true_random=False))
def test_the_order_in_which_frames_are_told_does_not_matter(seen: list[ColourSeen], chance) -> None:
    shuffled = chance.sample(seen, len(seen))
    _, told = after(seen).told_of(fall())
    assert after(shuffled).told_of(fall())[1] == told
    assert len(told.seen) <= MOST_FRAMES
    late, _ = Colours().told_of(fall())
    again = changed(told, again=True)
    assert [*after(shuffled, late).rest(END_NS + LATE_NS)[1]] == [again] * bool(seen)


@given(st.lists(st.tuples(frames, st.sampled_from(Pocket)), max_size=80))
def test_a_head_that_babbles_fills_no_memory(seen: list[tuple[ColourSeen, Pocket]]) -> None:
    colours = Colours()
    for number, (each, pocket) in enumerate(seen):
        one = ColourSeen(each.at_ns, pocket, each.red, 0, 0, 0)
        colours, _ = colours.step(one).told_of(fall(number))
    assert all(len(kept) <= REMEMBERED for kept in colours.newest.values())
    assert len(colours.waiting) <= 8


@given(st.lists(frames, max_size=MOST_FRAMES))
def test_the_journal_keeps_what_a_fall_saw(seen: list[ColourSeen]) -> None:
    whole_us = [ColourSeen(e.at_ns // 1000 * 1000, e.pocket, e.red, e.green, e.blue, e.dark)
                for e in seen]  # fmt: skip
    _, told = after(whole_us).told_of(fall())
    body = json.loads(json.dumps(fall_body(told)))
    assert read_fall(body) == told
    assert ("seen" in body) == bool(seen)


@pytest.mark.parametrize("seen", [[[0, 1, 2, 3]], [[0, 1, 2, 3, -1]], [[0, 65_536, 2, 3, 4]], 7])
def test_a_journal_with_frames_that_are_none_is_refused(seen) -> None:
    with pytest.raises(ValueError, match=r"seen|frame"):
        read_fall({**fall_body(fall()), "seen": seen})


# --- a whole board ------------------------------------------------------------------------


class Ear(Glass):
    """An OLED that also notes the board's sounds."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[object] = []

    def post_sound(self, sound: object) -> None:
        self.heard.append(sound)


def played(journal: Path, ear: Ear | None = None) -> bytes:
    """Let pieces fall in front of the heads, one of which reports late; return the capture."""
    clock, stream = SimClock(None), io.StringIO()
    rig = Rig(with_hub(load(Sources(()))), journal, clock,
              Onlookers(further=(ear,) if ear else (), captured=Recipient(stream)))  # fmt: skip
    begin_ns = clock.now_ns()

    def at(at_ns: int, act: Callable[[], object]) -> None:
        clock.at(begin_ns + at_ns, act)

    def drop(at_ns: int, pocket: Pocket, piece: Piece, late_ns: int) -> None:
        at(at_ns, lambda: rig.table.drop(pocket, [piece]))
        for after_ns in range(0, 600 * MS, 4 * MS):  # as a hand in front of the head is seen
            happened_ns = at_ns + after_ns
            red, green = (8_000, 1_000) if piece is Piece.RED else (1_500, 5_000)
            seen = ColourSeen(begin_ns + happened_ns, pocket, red, green, 900, 200)
            at(happened_ns + late_ns, partial(clock.submit, seen))

    at(2 * SECOND, lambda: rig.table.press(OK))
    drop(15 * SECOND, Pocket.NE, Piece.GREEN, MS)
    at(20 * SECOND, lambda: rig.table.press(OK))
    drop(30 * SECOND, Pocket.SW, Piece.RED, 40 * MS)
    at(35 * SECOND, lambda: rig.table.press(OK))
    at(50 * SECOND, clock.close)
    rig.run()
    return stream.getvalue().encode()


def test_a_match_with_colours_replays_to_the_same_journal(tmp_path: Path) -> None:
    capture = read_capture(io.BytesIO(played(tmp_path / "first.sqlite3")))
    first = dump(tmp_path / "first.sqlite3")
    again, _shown = replayed(capture, config_of(capture), tmp_path / "again.sqlite3")
    assert again == first
    falls = [json.loads(line)["body"] for line in first if '"kind":"fall"' in line]
    assert {each["number"] for each in falls} == {1, 2}
    last = {each["number"]: each.get("seen", []) for each in falls}
    assert len(last[1]) >= 2
    assert len(last[2]) >= 2, "those that came late, too"


def test_a_fall_of_which_more_is_seen_is_no_further_fall(tmp_path: Path) -> None:
    ear = Ear()
    played(tmp_path / "first.sqlite3", ear)
    assert ear.heard.count(Sound.TICK) == 2
    journal = dump(tmp_path / "first.sqlite3")
    lines = [json.loads(line)["body"] for line in journal if '"kind":"line"' in line]
    assert [each["falls"] for each in lines] == [[1], [2]]
