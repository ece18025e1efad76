"""What only a colour head saw is a fall, doubtful and asked about; one piece is never two falls."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.core.pieces import Piece, Pocket
from jackspot.dialogue.state.dialogue_settings import Assistance, DialogueSettings
from jackspot.dialogue.state.entries import EntryKind, fall_body, read_fall
from jackspot.dialogue.state.view import Phase
from jackspot.readings.colours import ColourModel
from jackspot.readings.reading import rank
from jackspot.sensing.by_heads import (
    APART_NS,
    FEWEST,
    LONGEST_NS,
    MOST_PASSAGES,
    MOST_SPANS,
    REMEMBERED,
    ByHeads,
)
from jackspot.sensing.events import ColourSeen, Fall, Pulse
from jackspot.sensing.falls import Falls
from jackspot.sensing.limits import MS, SECOND, Limits
from jackspot.values import changed
from jackspot_sim.chance.laws import Even
from jackspot_sim.sensing.heads import SEES_ABOVE
from sensor_hub.strobe import Strobe
from tests.dialogue.playing import Table
from tests.readings.test_reading import scene

BEGIN_NS = 100 * SECOND
LIT = {Piece.RED: (6_000, 1_300, 1_150), Piece.GREEN: (1_400, 3_100, 1_600)}
LATE_NS = APART_NS - 20 * MS
"""How late a hub may report: what is left of the time until a passage is judged."""


def frame(at_ns: int, pocket: Pocket = Pocket.NE, piece: Piece = Piece.GREEN) -> ColourSeen:
    return ColourSeen(at_ns, pocket, *LIT[piece], 200)


def passing(
    at_ns: int = BEGIN_NS, count: int = 10, pocket: Pocket = Pocket.NE, piece: Piece = Piece.GREEN
) -> list[ColourSeen]:
    return [frame(at_ns + 4 * MS * n, pocket, piece) for n in range(count)]


class Hears:
    """Falls and heads as a board has them; ``told`` has the falls that it reports, in order."""

    def __init__(self) -> None:
        self.falls, self.heads = Falls.at_start(Limits()), ByHeads()
        self.told: list[Fall] = []
        self.broken: set[Pocket] = set()
        self.now_ns = 0

    def until(self, at_ns: int) -> Hears:
        while True:
            wake_ns = self.heads.next_wake_ns(self.broken)
            if wake_ns is None or wake_ns > at_ns:
                self.now_ns = at_ns
                return self
            self.heads, seen = self.heads.rest(max(wake_ns, self.now_ns), self.broken)
            for frames in seen:
                self.falls, fall = self.falls.seen_by_head(frames)
                self.told.append(fall)

    def frame(self, frame: ColourSeen) -> None:
        self.heads = self.heads.step(frame)

    def pulse(self, pulse: Pulse) -> None:
        self.falls, fall = self.falls.step(pulse)
        self.heads = self.heads.told_of(fall)
        self.broken.discard(pulse.pocket)
        self.told.append(fall)

    def play(self, *told: tuple[int, Callable[[], object]]) -> Hears:
        """Let things arrive, each at its time, in whatever order they are listed."""
        for at_ns, act in sorted(told, key=lambda each: each[0]):
            self.until(at_ns)
            act()
        return self.until(BEGIN_NS + 100 * SECOND)

    def numbers(self) -> set[int]:
        return {fall.number for fall in self.told}


def arrivals(
    hears: Hears, frames: Sequence[ColourSeen], late_ns: Iterable[int]
) -> Iterator[tuple[int, Callable[[], None]]]:
    for each, late in zip(frames, late_ns, strict=True):
        yield each.at_ns + late, partial(hears.frame, each)


counts = st.integers(FEWEST, 30)


def lateness(count: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, LATE_NS), min_size=count, max_size=count)


# --- one fall, and only one ---------------------------------------------------------------


@given(counts.flatmap(lambda n: st.tuples(st.just(n), lateness(n))))
def test_what_a_head_alone_saw_is_one_fall_however_late_it_is_told(drawn) -> None:
    count, late_ns = drawn
    hears, frames = Hears(), passing(count=count)
    [fall] = hears.play(*arrivals(hears, frames, late_ns)).told
    assert fall.by_head
    assert (fall.number, fall.pocket) == (1, Pocket.NE)
    assert fall.seen == tuple(frames[-len(fall.seen) :])
    assert (fall.start_ns, fall.end_ns) == (fall.seen[0].at_ns, fall.seen[-1].at_ns)


@given(
    counts.flatmap(lambda n: st.tuples(st.just(n), lateness(n))),
    st.integers(-40 * MS, 80 * MS), st.integers(2 * MS, 1_500 * MS), st.booleans(),
)  # fmt: skip
def test_what_beam_and_head_saw_is_one_fall_of_the_beam(drawn, after_ns, width_ns, knows) -> None:
    """This holds however the two are offset, even where the beam's edges arrive last of all."""
    count, late_ns = drawn
    hears, frames = Hears(), passing(count=count)
    begin_ns = min(BEGIN_NS + after_ns, frames[-1].at_ns)
    pulse = Pulse(Pocket.NE, begin_ns, begin_ns + width_ns)
    told_ns = pulse.end_ns if knows else max(pulse.end_ns, frames[-1].at_ns + 4 * APART_NS)
    breaks = (begin_ns, lambda: hears.broken.add(Pocket.NE) if knows else None)
    hears.play(*arrivals(hears, frames, late_ns), breaks, (told_ns, lambda: hears.pulse(pulse)))
    assert hears.numbers() == {1}
    assert hears.told[-1] == Fall(1, Pocket.NE, (pulse,)), "a beam's fall takes its place"
    assert len(hears.told) == 1 or not knows


@given(st.permutations(range(12)))
def test_frames_in_any_order_before_they_are_judged_are_the_same_fall(order: list[int]) -> None:
    frames = passing(count=12)
    hears, other = Hears(), Hears()
    for each in frames:
        hears.frame(each)
    for at in order:
        other.frame(frames[at])
    assert hears.play().told == other.play().told


def test_frames_that_come_when_their_passage_is_judged_make_no_other_fall() -> None:
    hears, frames = Hears(), passing(count=20)
    late_ns = [0] * 8 + [SECOND] * 12
    [fall] = hears.play(*arrivals(hears, frames, late_ns)).told
    assert fall.seen == tuple(frames[:8])


def test_two_pieces_one_after_the_other_and_in_two_pockets_are_as_many_falls() -> None:
    hears = Hears()
    again = passing(BEGIN_NS + 40 * MS + 2 * APART_NS)
    other = passing(BEGIN_NS + 10 * MS, pocket=Pocket.SW)
    frames = [*passing(), *again, *other]
    hears.play(*arrivals(hears, frames, [MS] * len(frames)))
    assert [(each.number, each.pocket) for each in hears.told] == [
        (1, Pocket.NE), (2, Pocket.SW), (3, Pocket.NE),
    ]  # fmt: skip


def test_a_piece_that_follows_a_beams_fall_and_misses_the_beam_is_a_second_one() -> None:
    hears = Hears()
    pulse = Pulse(Pocket.NE, BEGIN_NS + 10 * MS, BEGIN_NS + 20 * MS)
    frames = [*passing(), *passing(BEGIN_NS + 40 * MS + 2 * APART_NS)]
    beam = (pulse.end_ns, lambda: hears.pulse(pulse))
    hears.play(*arrivals(hears, frames, [MS] * len(frames)), beam)
    assert [each.by_head for each in hears.told] == [False, True]


# --- what is no piece ---------------------------------------------------------------------


def told_of(frames: Sequence[ColourSeen], late_ns: int = MS) -> list[Fall]:
    hears = Hears()
    return hears.play(*arrivals(hears, frames, [late_ns] * len(frames))).told


def test_what_is_as_long_as_a_hand_is_no_fall() -> None:
    assert told_of(passing(count=LONGEST_NS // (4 * MS)))
    assert not told_of(passing(count=LONGEST_NS // (4 * MS) + 2))


def test_few_frames_and_frames_with_a_light_missing_are_no_fall() -> None:
    assert not told_of(passing(count=FEWEST - 1))
    assert not told_of([changed(each, blue=200) for each in passing()]), "its blue light is dead"


def test_what_is_told_a_second_later_is_no_fall_any_more() -> None:
    assert not told_of(passing(), SECOND), "one by one, long after their passage is over"


def test_a_shadow_that_leaves_a_head_to_the_sun_is_no_fall() -> None:
    """Each light sees more sun than the one before, and so does the dark of the next frame."""
    suns = range(200, 12 * 3_600, 3_600)
    rising = [
        ColourSeen(each.at_ns, each.pocket, sun + 900, sun + 1_800, sun + 2_700, sun)
        for each, sun in zip(passing(count=12), suns, strict=True)
    ]
    assert not told_of(rising)


def test_a_head_that_babbles_is_believed_again_when_it_was_quiet() -> None:
    apart_ns = 300 * MS
    babble = [f for n in range(9) for f in passing(BEGIN_NS + n * apart_ns)]
    later = passing(BEGIN_NS + 9 * apart_ns + 2 * SECOND)
    assert len(told_of([*babble, *later])) == MOST_PASSAGES + 1


def sunlight(on_ms: Even, off_ms: Even, high: int, rng: random.Random) -> Iterator[int]:
    """Yield how bright it is, millisecond by millisecond."""
    while True:
        yield from [high] * max(1, on_ms.draw_ns(rng) // MS)
        yield from [300] * max(1, off_ms.draw_ns(rng) // MS)


@pytest.mark.parametrize("high", [3_000, 30_000])
@pytest.mark.parametrize(("shortest", "longest"), [(1, 3), (2, 8), (5, 30), (20, 100), (90, 500)])
def test_the_sun_between_leaves_makes_no_fall(high: int, shortest: int, longest: int) -> None:
    """The sun shines for a minute; the hub's own program reads the light."""
    rng, strobe, hears = random.Random(11), Strobe(1), Hears()
    times = Even(shortest, longest)
    seen = 0
    for ms, light in zip(range(60_000), sunlight(times, times, high, rng), strict=False):
        at_ns = BEGIN_NS + ms * MS
        reading = round(max(light + rng.gauss(0, 120), 0))
        for _, *levels in strobe.step([reading], SEES_ABOVE):
            seen += 1
            hears.until(at_ns).frame(ColourSeen(at_ns, Pocket.NE, *levels))
    assert seen > 50, "the head does see something"
    assert not hears.play().told


@settings(max_examples=30)
@given(st.lists(st.tuples(st.integers(0, 2**40), st.sampled_from(Pocket), st.booleans())))
def test_nothing_fills_the_memory(happened) -> None:
    hears = Hears()
    for at_ns, pocket, is_frame in happened:
        if is_frame:
            hears.frame(frame(at_ns, pocket))
        else:
            hears.pulse(Pulse(pocket, at_ns, at_ns + 9 * MS))
    for head in hears.heads.heads.values():
        assert len(head.waiting) <= REMEMBERED
        assert len(head.judged) <= MOST_SPANS
        assert len(head.alone) <= MOST_PASSAGES + 1


# --- how it is read and asked -------------------------------------------------------------


def by_head(piece: Piece) -> Fall:
    seen = tuple(passing(piece=piece))
    pulse = Pulse(Pocket.NE, seen[0].at_ns, seen[-1].at_ns)
    return Fall(1, Pocket.NE, (pulse,), None, seen, by_head=True)


@pytest.mark.parametrize("piece", LIT)
def test_its_colour_speaks_for_its_kind_and_its_length_for_nothing(piece: Piece) -> None:
    on_board = changed(scene(), further=(ColourModel(),))
    first = rank(on_board, (by_head(piece),))[0]
    assert [each.piece for each in first.departures] == [piece]
    assert "NE: seen by colour only" in str(first.why)
    fall = by_head(piece)
    longer = changed(fall, pulses=(Pulse(Pocket.NE, BEGIN_NS, BEGIN_NS + 120 * MS),))
    assert rank(on_board, (longer,)) == rank(on_board, (fall,))


def test_the_journal_keeps_that_only_a_head_saw_it() -> None:
    body = json.loads(json.dumps(fall_body(by_head(Piece.RED))))
    assert read_fall(body) == by_head(Piece.RED)
    seen_by_beam = changed(by_head(Piece.RED), by_head=False)
    assert "by_head" not in fall_body(seen_by_beam)
    with pytest.raises(ValueError, match="by_head"):
        read_fall({**body, "by_head": 1})


def hear(table: Table, frame: ColourSeen) -> None:
    table.hear(frame)


def seeing(table: Table, piece: Piece, *, beam: bool) -> Table:
    """Let a piece fall in front of a head, and through its beam or past it."""
    begin_ns = table.now_ns + 10 * MS
    for each in passing(begin_ns, piece=piece):
        table.later(each.at_ns + MS, partial(hear, table, each))
    if beam:
        table.pulse_later(Pocket.NE, begin_ns + 15 * MS, begin_ns + 26 * MS)
    return table.wait(0.5)


def table_with_heads() -> Table:
    asks = DialogueSettings(hands=Assistance.ASSIST, auto_confirm=0.5, further=(ColourModel(),))
    return Table(dialogue_settings=asks).started("N")


def test_it_is_asked_as_doubtful_and_never_enters_itself() -> None:
    table = seeing(table_with_heads(), Piece.RED, beam=False).must_be(Phase.FALLING).wait(3.0)
    table.must_be(Phase.REVIEW)
    [fall] = [entry for entry in table.records if entry.kind == EntryKind.FALL]
    assert fall.body["by_head"] is True
    assert table.proposed == "RED NE"
    assert table.view.readings[0].doubtful
    table.ok("referee").must_be(Phase.READY)
    assert table.entries == ["N red@NE"]


def test_the_same_through_a_beam_is_one_fall_that_enters_itself() -> None:
    table = seeing(table_with_heads(), Piece.RED, beam=True).wait(3.0).must_be(Phase.READY)
    falls = [entry for entry in table.records if entry.kind == EntryKind.FALL]
    assert {each.body["number"] for each in falls} == {1}
    assert not any("by_head" in each.body for each in falls)
    assert table.entries == ["N red@NE"]


def test_it_is_no_sign_that_the_beam_sees_again() -> None:
    table = table_with_heads()
    table.dialogue = changed(table.dialogue, dark=(Pocket.NE,))
    seeing(table, Piece.RED, beam=False)
    assert Pocket.NE in table.dialogue.dark
    seeing(table, Piece.RED, beam=True)
    assert Pocket.NE not in table.dialogue.dark
