"""Pin captures: they read back as written, and a file that is not one is refused in words."""

from __future__ import annotations

import io
import json
from contextlib import suppress

import pytest
from hypothesis import given, strategies as st

from jackspot.capture.errors import CaptureError
from jackspot.capture.vcd_file import (
    LONGEST_NS,
    Capture,
    CaptureWriter,
    Opening,
    journal_lines,
    read_capture,
    rewritten,
)
from jackspot.core.pieces import Pocket, Seat
from jackspot.inputs.pins import BUTTONS
from jackspot.replay import ReplaySource, config_of
from jackspot.sensing.events import (
    Button,
    ColourSeen,
    DiscPeak,
    DiscsListen,
    Edge,
    HubEvent,
    Key,
    KnockHeard,
    Place,
    wire_name,
)
from jackspot.values import changed

WIRES: tuple[Pocket | Button, ...] = (*Pocket, *BUTTONS)
OPENING = Opening('name = "a $end of it"\n', ('{"kind": "match"}',), 5_000, 6_000)


def written(
    opening: Opening,
    edges: list[Edge],
    active: tuple[Pocket | Button, ...] = (),
    end_ns: int = 10**12,
) -> bytes:
    stream = io.StringIO()
    writer = CaptureWriter(stream, opening, WIRES, active)
    for edge in edges:
        writer.edge(edge)
    writer.close(end_ns)
    return stream.getvalue().encode()


def read(data: bytes) -> Capture:
    return read_capture(io.BytesIO(data))


@st.composite
def changes(draw: st.DrawFn) -> list[Edge]:
    """Draw edges in order of time, each of which changes its wire."""
    at_ns, levels, edges = 5_000, dict.fromkeys(WIRES, False), []
    for source in draw(st.lists(st.sampled_from(WIRES), max_size=40)):
        at_ns += draw(st.integers(0, 10**9))
        levels[source] = not levels[source]
        edges.append(Edge(max(at_ns, 5_001), source, levels[source]))
    return edges


@given(changes())
def test_what_is_written_is_read_again(edges):
    capture = read(written(OPENING, edges))
    assert capture.opening == OPENING
    assert sorted(capture.edges, key=str) == sorted(edges, key=str)
    assert [edge.at_ns for edge in capture.edges] == [edge.at_ns for edge in edges]
    assert capture.end_ns == max([10**12, *(edge.at_ns for edge in edges)])
    assert capture.warnings == ()


def test_edges_of_one_instant_keep_their_order():
    ok, fix = Button(Place.N, Key.OK), Button(Place.N, Key.FIX)
    edges = [Edge(7_000, fix, True), Edge(7_000, ok, True), Edge(7_000, fix, False)]
    assert list(read(written(OPENING, edges)).edges) == edges


def test_wires_that_are_active_at_the_start_are_no_edges():
    capture = read(written(OPENING, [Edge(9_000, Pocket.NE, False)], (Pocket.NE,)))
    assert capture.active == {Pocket.NE}
    assert capture.edges == (Edge(9_000, Pocket.NE, False),)


@pytest.mark.parametrize("late_ns", [1, 2, 3_999])
def test_an_edge_that_is_stamped_before_its_forerunner_keeps_its_instant_and_its_place(late_ns):
    """One that was lost is put back so; both its edges may come at one instant of the file."""
    late = [Edge(9_000 - late_ns + n, Pocket.SW, n == 0) for n in range(2)]
    edges = [Edge(9_000, Pocket.NE, True), *late, Edge(9_500, Pocket.NE, False)]
    assert list(read(written(OPENING, edges)).edges) == edges


@pytest.mark.parametrize("at_ns", [4_990, 5_000])
def test_an_edge_that_is_not_after_the_start_is_an_edge_all_the_same(at_ns):
    edges = [Edge(at_ns, Pocket.NE, True), Edge(9_000, Pocket.NE, False)]
    capture = read(written(OPENING, edges))
    assert capture.active == frozenset()
    assert capture.edges == (Edge(5_001, Pocket.NE, True), Edge(9_000, Pocket.NE, False))


def test_a_capture_ends_after_two_weeks_however_late_it_is_closed():
    edges = [Edge(9_000, Pocket.NE, True)]
    capture = read(written(OPENING, edges, end_ns=5_000 + 2 * LONGEST_NS))
    assert (list(capture.edges), capture.end_ns) == (edges, 5_000 + LONGEST_NS)


def test_the_names_are_those_of_the_wires():
    text = written(OPENING, []).decode()
    for wire in WIRES:
        assert f" {wire_name(wire)} $end" in text
    assert "$timescale 1 ns $end" in text
    assert "$scope module jackspot $end" in text


BARE = b"""$timescale 1 us $end
$scope module jackspot $end
$var wire 1 ! pocket_ne $end
$var wire 1 " coin_slot $end
$var wire 4 # pocket_se $end
$upscope $end
$enddefinitions $end
#0 $dumpvars 0! x" b0000 # $end
#10 1! 1"
#20 x!
"""


def test_a_capture_of_somebody_elses_analyser_is_read_with_warnings():
    capture = read(BARE)
    assert capture.opening is None
    assert capture.edges == (Edge(10_000, Pocket.NE, True), Edge(20_000, Pocket.NE, False))
    assert len(capture.warnings) == 2
    assert "coin_slot" in capture.warnings[0]
    assert "pocket_se" in capture.warnings[1]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", r"line 1: expected \$enddefinitions, found the end"),
        (BARE[:90], r"line 3: expected \$enddefinitions, found the end: it is cut off before its"),
        (b"\x00\x01rubbish", r"line 1: expected a line of a Value Change Dump, found '\\x00\\x01"),
        (b"$enddefinitions $end\n", "no wire of a board"),
        (BARE + b"#5\n", "line 11: time runs backwards: expected 20 or more, found 5; copy it ag"),
        (BARE + b"\n\n?!\n", "line 13: expected a line of a Value Change Dump, found '\\?!'; "),
        (b"$comment jackspot capture 7\n{} $end\n" + BARE, "version 1, found one of version '7'"),
        (b"$comment jackspot capture 1 {" + b"x" * 90_000 + b" $end\n" + BARE, "of version '1 {xx"),
        (b"$comment jackspot capture 1\n" + b"[" * 50_000 + b" $end\n" + BARE, "at most 32 tables"),
        (b"$scope \x1b[2J" + b"x" * 9_000 + b" a $end\n" + BARE, "a line of a Value Change Dump"),
        (BARE + b"#%d #5\n" % 10**4_000, "expected 10{10,}[.]+0+ or more, found 5;"),
        (b"$comment jackspot capture 1\n{ $end\n" + BARE, "is damaged: expected JSON, found ''"),
        (b"$comment jackspot capture 1\n{} $end\n" + BARE, "expected began_ns, found none"),
        (b"$comment jackspot capture 1\n[1] $end\n" + BARE, "damaged: expected an object, found"),
        (b"\xff" + BARE, "line 1: expected a line of a Value Change Dump, found"),
        (BARE.replace(b"us", b"\xff"), "line 1: expected a line of a Value Change Dump, found"),
    ],
)
def test_what_is_no_capture_is_refused_in_words(data, words):
    with pytest.raises(CaptureError, match=words) as refusal:
        read(data)
    assert len(str(refusal.value)) < 400
    assert str(refusal.value).isprintable()


def headed(**changes: object) -> bytes:
    """Return a capture with these changes to its comment."""
    said = {"config": "", "journal": [], "began_ns": 0, "started_ns": 0, "from_start": True}
    return f"$comment jackspot capture 1\n{json.dumps(said | changes)} $end\n".encode() + BARE


@pytest.mark.parametrize(
    "found",
    [float("inf"), float("nan"), 1e30, 1.0, 2**63 - 1, 10**25, -1, 10**3_000, True, "1", None, [0]],
)
@pytest.mark.parametrize("name", ["began_ns", "started_ns"])
def test_an_instant_that_no_board_has_seen_is_named(name: str, found: object) -> None:
    data = headed(**{name: found}).replace(b"Infinity", b"1e999")
    with pytest.raises(CaptureError, match=rf"damaged: .*{name}: expected .* found") as refusal:
        read(data)
    assert len(str(refusal.value)) < 300


def test_a_config_that_is_no_toml_is_told_in_words() -> None:
    with pytest.raises(CaptureError) as refusal:
        config_of(read(headed(config="[board]\nname = = 1")))
    words = "config in the capture cannot be used: expected TOML, found none at line 2, column 8"
    assert str(refusal.value) == f"the {words}"


def test_wires_are_first_watched_within_the_capture() -> None:
    assert read(headed(began_ns=7, started_ns=7 + LONGEST_NS)).end_ns == 20_007
    with pytest.raises(CaptureError, match="started_ns: expected nanoseconds from 7 to"):
        read(headed(began_ns=7, started_ns=8 + LONGEST_NS))
    with pytest.raises(CaptureError, match="started_ns: expected nanoseconds from 7 to"):
        read(headed(began_ns=7, started_ns=6))


@pytest.mark.parametrize(("scale", "most"), [("1 ns", LONGEST_NS), ("10 ms", LONGEST_NS // 10**7)])
def test_no_capture_is_longer_than_two_weeks(scale: str, most: int) -> None:
    data = BARE.replace(b"1 us", scale.encode())
    assert scale.encode() in data
    assert read(data + b"#%d 1!\n" % most).end_ns == LONGEST_NS
    for instant in (most + 1, most * 365, 10**400):
        said = f"up to {most}, two weeks after the start of the capture, found {str(instant)[:10]}"
        for change in (b"", b" 1!"):
            with pytest.raises(CaptureError, match=said) as refusal:
                read(data + b"#%d%b\n" % (instant, change))
            assert len(str(refusal.value)) < 200


def test_a_capture_that_is_cut_off_anywhere_is_read_up_to_there_or_refused_in_words() -> None:
    edges = [Edge(9_000 + 111 * n, Pocket.NE, n % 2 == 0) for n in range(20)]
    data = written(OPENING, edges)
    head = data.index(b"$enddefinitions $end\n") + len(b"$enddefinitions $end\n")
    for length in range(1, len(data)):
        if length < head:
            with pytest.raises(CaptureError, match=r"^line \d+: expected .* found .*; copy it"):
                read(data[:length])
            continue
        capture = read(data[:length])
        assert list(capture.edges) == edges[: len(capture.edges)]
        torn = data[:length].rpartition(b"\n")[2].decode()
        said = [f"cut off in the middle of a line: {torn!r} is left out"] if torn else []
        assert list(capture.warnings) == said
        assert read(data[:length] + bytes(500)).edges == capture.edges


@given(st.integers(0, 2_000), st.binary(max_size=8))
def test_damage_is_refused_or_read_but_never_anything_else(place, garbage):
    data = written(OPENING, [Edge(9_000, Pocket.NE, True), Edge(9_100, Pocket.NE, False)])
    damaged = data[: place % len(data)] + garbage + data[place % len(data) + 3 :]
    with suppress(CaptureError):
        read(damaged)


@pytest.mark.parametrize(
    "line",
    [
        '{"kind": "match"}',
        "[" * 50_000,
        '{"kind": "match", "at_ns": 1e999, "body": {}}',
        f'{{"kind": "match", "at_ns": {10**20}, "body": {{}}}}',
        f'{{"kind": "match", "at_ns": {10**4_000}, "body": {{}}}}',
        f'{{"kind": "match", "at_ns": 1, "body": {{"a": {"[" * 500}{"]" * 500}}}}}',
    ],
)
def test_entries_of_the_journal_that_are_none_are_named(line: str) -> None:
    with pytest.raises(CaptureError, match="entry 1 of the journal") as refusal:
        list(journal_lines(changed(OPENING, journal=(line,))))
    assert len(str(refusal.value)) < 300
    with pytest.raises(CaptureError):
        rewritten(written(changed(OPENING, journal=(line * 2,)), []), str, dict)


# --- with a sensor hub -----------------------------------------------------------------


LEVELS = st.integers(0, 65_535)
HUB_EVENTS = st.one_of(
    st.builds(ColourSeen, st.just(0), st.sampled_from(Pocket), LEVELS, LEVELS, LEVELS, LEVELS),
    st.builds(KnockHeard, st.just(0), st.tuples(*[st.builds(DiscPeak, LEVELS, LEVELS)] * 4)),
    st.builds(
        lambda sides, strange: DiscsListen(0, tuple(s for s in Seat if s in sides), strange),
        st.sets(st.sampled_from(Seat)),
        st.booleans(),
    ),
)


@given(changes(), st.data())
def test_what_a_sensor_hub_told_is_read_again_in_its_place_and_at_its_instant(edges, data):
    happened: list[Edge | HubEvent] = []
    for edge in [*edges, None]:
        for event in data.draw(st.lists(HUB_EVENTS, max_size=4)):
            early_ns = data.draw(st.integers(0, 10_000_000))
            told = changed(event, at_ns=max(0, (edge.at_ns if edge else 10**11) - early_ns))
            happened += [told] * data.draw(st.integers(1, 2))
        if edge is not None:
            happened.append(edge)
    stream = io.StringIO()
    writer = CaptureWriter(stream, OPENING, WIRES, (), has_hub=True)
    for each in happened:
        if isinstance(each, Edge):
            writer.edge(each)
        else:
            writer.heard(each)
    writer.close(10**12)
    capture = read(stream.getvalue().encode())
    assert list(capture.happened) == happened
    assert list(capture.edges) == edges
    assert capture.warnings == ()
    source = ReplaySource(capture)
    assert [source.next(10**12) for _ in happened] == happened
    again = rewritten(stream.getvalue().encode(), lambda text: text, lambda entry: entry)
    assert read(again).happened == capture.happened


def test_a_capture_of_a_board_without_a_sensor_hub_says_nothing_of_one():
    stream = io.StringIO()
    writer = CaptureWriter(stream, OPENING, WIRES, ())
    writer.heard(ColourSeen(7_000, Pocket.NE, 1, 2, 3, 4))
    writer.edge(Edge(9_000, Pocket.NE, True))
    writer.close(10**12)
    assert stream.getvalue().encode() == written(OPENING, [Edge(9_000, Pocket.NE, True)])
    assert not read(stream.getvalue().encode()).has_hub
