"""What the board makes of its sensor hub's bytes: each fault has a name, and nothing is guessed."""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import pytest
from hypothesis import given, strategies as st

from jackspot.core.pieces import Pocket, Seat
from jackspot.sensing.events import (
    ColourSeen,
    DiscsListen,
    FaultCleared,
    FaultRaised,
    HubDiscs,
    KnockHeard,
    Trouble,
)
from jackspot.sensing.limits import MS, SECOND
from jackspot.sensor_link.protocol.hearing import (
    ASK_NS,
    PART,
    QUIET_NS,
    SILENT_NS,
    Hearing,
    HubTold,
)
from jackspot.sensor_link.protocol.lines import (
    SEQUENCES,
    HubAsk,
    HubError,
    HubHealth,
    HubLevels,
    read_line,
)
from tests.sensor_hub.speaking import FRAME, HEALTH, KNOCK, Speaking, hello

START_NS = 50 * SECOND


class Talk:
    """A hub and its hearing on one clock: a line arrives a millisecond after it was sent."""

    def __init__(self, hearing: Hearing | None = None) -> None:
        self.hearing = hearing or Hearing()
        self.now_ns = START_NS
        self.told: list[HubTold] = []
        self.listens: list[DiscsListen] = []
        self.hub = Speaking()
        self.hearing.opened(self.now_ns)

    @property
    def ticks_us(self) -> int:
        return (self.now_ns - START_NS) // 1_000

    def says(self, *messages, hub: Speaking | None = None) -> None:
        for message in messages:
            self.bytes((hub or self.hub).line(message, self.ticks_us))

    def bytes(self, data: bytes) -> None:
        self.now_ns += MS
        self.takes(self.hearing.feed(data, self.now_ns))

    def takes(self, told: Iterable[HubTold]) -> None:
        for each in told:
            if isinstance(each, DiscsListen):
                self.listens.append(each)
            else:
                self.told.append(each)

    def passes(self, ns: int, *, healthy: bool = True) -> None:
        for _ in range(ns // SECOND):
            self.now_ns += SECOND
            if healthy:
                self.says(HEALTH)
            self.takes(self.hearing.look(self.now_ns))

    def troubles(self) -> list[Trouble]:
        return [each.trouble for each in self.told if isinstance(each, FaultRaised)]

    def cleared(self) -> list[Trouble]:
        return [each.trouble for each in self.told if isinstance(each, FaultCleared)]


def greeted() -> Talk:
    talk = Talk()
    talk.says(hello())
    assert talk.told == []
    return talk


def seen(told: Iterable[HubTold]) -> list[ColourSeen | KnockHeard]:
    return [each for each in told if isinstance(each, ColourSeen | KnockHeard)]


def test_frames_and_knocks_come_out_at_the_instant_when_they_happened() -> None:
    talk = greeted()
    talk.says(FRAME, KNOCK)
    frame, knock = talk.told
    assert isinstance(frame, ColourSeen)
    assert isinstance(knock, KnockHeard)
    assert (frame.pocket, frame.red, frame.dark) == (Pocket.NE, 8123, 233)
    assert frame.at_ns == START_NS + 2 * MS - 250_000
    assert knock.at_ns == START_NS + 3 * MS - 1_000_000
    assert knock.peaks == KNOCK.peaks


@given(st.lists(st.integers(1, 40), max_size=30))
def test_however_the_bytes_are_cut_the_same_is_heard(cuts: list[int]) -> None:
    hub = Speaking()
    data = b"".join(hub.line(each, 0) for each in (hello(), FRAME, KNOCK, HEALTH, FRAME))
    hearing, told = Hearing(), []
    hearing.opened(START_NS)
    for cut in cuts:
        told += hearing.feed(data[:cut], START_NS)
        data = data[cut:]
    told += hearing.feed(data, START_NS)
    assert len(seen(told)) == 3
    assert len(told) == 4, "and that its discs listen"


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_reader_that_starts_in_the_middle_finds_its_feet_at_the_next_line(cut: int) -> None:
    talk = Talk()
    talk.bytes(talk.hub.line(HEALTH, 0)[cut:])
    talk.says(hello(), FRAME)
    assert len(seen(talk.told)) == len(talk.told) == 1


def test_that_its_discs_listen_is_told_once_and_again_when_they_do_not() -> None:
    talk = greeted()
    talk.passes(20 * SECOND)
    talk.says(hello())
    assert [each.discs for each in talk.listens] == [tuple(Seat)]
    talk.passes(10 * SECOND, healthy=False)
    assert [each.discs for each in talk.listens] == [tuple(Seat), ()]
    talk.says(hello())
    talk.takes(talk.hearing.failed(talk.now_ns, Trouble.GONE, "no such device"))
    assert [each.discs for each in talk.listens] == [tuple(Seat), ()] * 2


# --- the discs that the board was calibrated with ------------------------------------------

CALIBRATED = HubDiscs("e6614c311b7e8f35", tuple(Seat))


def test_the_discs_of_the_calibration_are_no_fault_and_not_strange() -> None:
    talk = Talk(Hearing(calibrated=CALIBRATED))
    talk.says(hello())
    assert talk.told == []
    [listens] = talk.listens
    assert (listens.hub, listens.discs, listens.strange) == (CALIBRATED.hub, tuple(Seat), False)


@pytest.mark.parametrize(
    ("calibrated", "words"),
    [
        (HubDiscs("0b0b", tuple(Seat)), "hub 0b0b with discs under N E S W"),
        (HubDiscs(CALIBRATED.hub, (Seat.N, Seat.S)), "with discs under N S,"),
    ],
)
def test_other_discs_than_those_of_the_calibration_are_told_once_for_as_long_as_they_are_there(
    calibrated: HubDiscs, words: str
) -> None:
    talk = Talk(Hearing(calibrated=calibrated))
    talk.says(hello())
    assert [each.strange for each in talk.listens] == [True]
    for _ in range(12):
        talk.passes(10 * SECOND)
        talk.says(hello())
    [fault] = talk.told
    assert isinstance(fault, FaultRaised)
    assert (fault.part, fault.trouble) == (PART, Trouble.MISFIT)
    assert words in fault.detail
    assert f"this is hub {CALIBRATED.hub}" in fault.detail


def test_a_hub_that_is_changed_for_the_calibrated_one_clears_the_fault() -> None:
    talk = Talk(Hearing(calibrated=CALIBRATED))
    talk.says(hello("0b0b"))
    talk.takes(talk.hearing.failed(talk.now_ns, Trouble.GONE, "no such device"))
    assert talk.cleared() == [Trouble.MISFIT]
    talk.hearing.opened(talk.now_ns)
    talk.says(hello(), hub=Speaking("b0b0"))
    assert [each.strange for each in talk.listens] == [True, False, False]
    assert Trouble.MISFIT not in talk.troubles()[1:]


def test_until_a_hub_has_said_who_it_is_it_is_asked_and_not_believed() -> None:
    talk = Talk()
    asked = talk.hearing.say(talk.now_ns)
    assert read_line(asked.strip()).message == HubAsk()
    assert talk.hearing.say(talk.now_ns + ASK_NS - 1) == b""
    assert talk.hearing.say(talk.now_ns + ASK_NS) != b""
    talk.says(FRAME)
    assert talk.told == []
    talk.says(hello(), FRAME)
    assert len(talk.told) == 1
    assert talk.hearing.say(talk.now_ns + 10 * ASK_NS) == b""


def test_a_hub_that_has_other_levels_than_the_config_is_sent_them_until_it_has() -> None:
    talk = Talk(Hearing(see=700))
    talk.says(hello())
    sent = talk.hearing.say(talk.now_ns)
    assert read_line(sent.strip()).message == HubLevels(700, 900)
    assert talk.hearing.say(talk.now_ns + 1) == b""


def test_garbage_is_a_fault_of_its_own_and_over_when_none_came_for_a_while() -> None:
    talk = greeted()
    talk.bytes(b"\xff\xfe\x00rubbish\n")
    talk.says(FRAME)
    assert talk.troubles() == [Trouble.GARBLED]
    assert len(seen(talk.told)) == 1, "and what comes after it is heard"
    talk.passes(QUIET_NS + SECOND)
    assert talk.cleared() == [Trouble.GARBLED]


def test_a_flood_without_line_ends_is_one_fault_and_takes_no_room() -> None:
    talk = greeted()
    for _ in range(1_000):
        talk.bytes(b"x" * 1_000)
    assert talk.troubles() == [Trouble.GARBLED]
    assert len(talk.hearing._buffer) < 2_000
    talk.bytes(b"\n")
    talk.says(FRAME)
    assert len(seen(talk.told)) == 1


def test_a_torn_line_is_a_fault_of_its_own_and_so_is_the_gap_that_it_leaves() -> None:
    talk = greeted()
    talk.bytes(talk.hub.line(FRAME, talk.ticks_us)[:30] + b"\n")
    talk.says(FRAME)
    assert set(talk.troubles()) == {Trouble.TORN}
    assert len(seen(talk.told)) == 1


def test_numbers_that_are_left_out_are_counted() -> None:
    talk = greeted()
    talk.hub.sequence += 7
    talk.says(FRAME)
    fault = talk.told[0]
    assert isinstance(fault, FaultRaised)
    assert (fault.part, fault.trouble) == (PART, Trouble.TORN)
    assert fault.detail == "sensor hub: 7 lines missing before line 8 (7 times)"


def test_the_numbers_begin_anew_after_the_last() -> None:
    talk = Talk()
    talk.hub.sequence = SEQUENCES - 2
    talk.says(hello(), FRAME, FRAME, FRAME)
    assert len(seen(talk.told)) == len(talk.told) == 3


def test_what_is_said_again_is_dropped_and_named() -> None:
    talk = greeted()
    data = talk.hub.line(FRAME, talk.ticks_us) + talk.hub.line(KNOCK, talk.ticks_us)
    talk.bytes(data)
    talk.bytes(data)
    assert talk.troubles() == [Trouble.REPEATED]
    assert len(seen(talk.told)) == 2


def test_a_clock_that_goes_back_is_named_and_what_follows_is_stamped_anew() -> None:
    talk = greeted()
    talk.passes(8 * SECOND)
    start_ns = talk.now_ns
    talk.bytes(talk.hub.line(FRAME, 17))
    talk.bytes(talk.hub.line(FRAME, 1_017))
    assert talk.troubles() == [Trouble.CLOCK]
    assert all(start_ns <= each.at_ns <= talk.now_ns for each in seen(talk.told))


def test_a_second_hub_on_the_same_line_is_named_and_not_believed() -> None:
    talk = greeted()
    other = Speaking("b0b0")
    talk.says(hello("aaaa"), FRAME, hub=other)
    talk.says(KNOCK)
    assert talk.troubles() == [Trouble.RIVAL]
    assert [type(each) for each in seen(talk.told)] == [KnockHeard]


def test_another_hub_in_its_place_is_taken_up() -> None:
    talk = greeted()
    talk.now_ns += ASK_NS + MS
    talk.says(hello("aaaa"), FRAME, hub=Speaking("b0b0"))
    assert talk.troubles() == []
    assert len(seen(talk.told)) == 1
    assert talk.hearing.hello == hello("aaaa")


def test_a_hub_that_was_started_again_is_taken_up_at_once() -> None:
    talk = greeted()
    talk.passes(3 * SECOND)
    again = Speaking("b0b0")
    talk.bytes(again.line(hello(), 12))
    talk.bytes(again.line(FRAME, 1_012))
    assert talk.troubles() == []
    assert len(seen(talk.told)) == 1


def test_a_hub_that_was_started_again_is_asked_when_its_hello_is_torn() -> None:
    talk = greeted()
    again = Speaking("b0b0")
    talk.bytes(again.line(hello(), 12)[20:])
    talk.says(KNOCK, hub=again)
    assert read_line(talk.hearing.say(talk.now_ns).strip()).message == HubAsk()
    talk.says(hello(), FRAME, hub=again)
    assert talk.troubles() == [Trouble.TORN]
    assert len(seen(talk.told)) == 1


@pytest.mark.parametrize(
    "data", [b"js2 3fa9 0 0 hello 8b1d1dbb", b"js1 3fa9 0 0 weigh ne 9c4d1b7e"]
)
def test_a_hub_of_another_version_is_named(data: bytes) -> None:

    text = data.rpartition(b" ")[0]
    talk = Talk()
    talk.bytes(b"\n%s %08x\n" % (text, zlib.crc32(text)))
    talk.now_ns += SILENT_NS - SECOND
    talk.takes(talk.hearing.look(talk.now_ns))
    assert talk.troubles() == [Trouble.VERSION]


def test_another_program_that_speaks_the_same_lines_is_named_and_heard() -> None:
    talk = Talk()
    talk.says(hello(program=2), FRAME)
    assert talk.troubles() == [Trouble.VERSION]
    assert len(seen(talk.told)) == 1


def test_a_hub_that_falls_silent_is_gone_until_it_speaks_again() -> None:
    talk = greeted()
    talk.passes(2 * SILENT_NS, healthy=False)
    assert talk.troubles() == [Trouble.GONE]
    talk.says(hello())
    assert talk.cleared() == [Trouble.GONE]


def test_a_hub_of_which_only_garbage_comes_is_believed_no_more_until_it_says_who_it_is() -> None:
    talk = greeted()
    for _ in range(SILENT_NS // SECOND):
        talk.bytes(b"rubbish\n")
        talk.passes(SECOND, healthy=False)
    assert talk.hearing.hello is None
    assert [each.discs for each in talk.listens] == [tuple(Seat), ()]
    assert talk.troubles() == [Trouble.GARBLED]
    talk.says(hello(), FRAME)
    assert talk.listens[-1].discs == tuple(Seat)
    assert len(seen(talk.told)) == 1


@pytest.mark.parametrize("trouble", [Trouble.IN_USE, Trouble.REFUSED])
def test_a_port_that_is_ours_again_but_silent_is_gone_and_no_longer_in_use(trouble) -> None:
    talk = Talk()
    talk.takes(talk.hearing.failed(talk.now_ns, trouble, "minicom has it"))
    talk.hearing.opened(talk.now_ns)
    talk.passes(2 * SILENT_NS, healthy=False)
    assert talk.troubles() == [trouble, Trouble.GONE]
    assert talk.cleared() == [trouble]


def test_a_port_that_fails_is_told_once_and_with_its_own_name() -> None:
    talk = greeted()
    talk.bytes(b"rubbish\n")
    for _ in range(3):
        talk.takes(talk.hearing.failed(talk.now_ns, Trouble.GONE, "no such device"))
    assert talk.troubles() == [Trouble.GARBLED, Trouble.GONE]
    talk.takes(talk.hearing.failed(talk.now_ns, Trouble.IN_USE, "minicom has it"))
    assert talk.cleared() == [Trouble.GARBLED, Trouble.GONE]
    talk.hearing.opened(talk.now_ns)
    talk.says(hello())
    assert talk.cleared() == [Trouble.GARBLED, Trouble.GONE, Trouble.IN_USE]


@pytest.mark.parametrize("silent_s", [0, 2 * SILENT_NS // SECOND])
@pytest.mark.parametrize("failure", [Trouble.GONE, Trouble.IN_USE, Trouble.REFUSED])
def test_a_hub_that_cannot_be_reached_has_no_faults_of_its_own(silent_s, failure) -> None:
    """It may have fallen silent before, as one that hangs does before it is pulled out."""
    talk = Talk(Hearing(calibrated=HubDiscs("0a0a", tuple(Seat))))
    talk.says(hello(), HEALTH, HubError("head_ne_always_lit"), HubHealth(10, 4, 1))
    talk.bytes(b"rubbish\n")
    talk.passes(silent_s * SECOND, healthy=False)
    for _ in range(3):
        talk.now_ns += SECOND
        talk.takes(talk.hearing.failed(talk.now_ns, failure, "cannot be opened"))
    standing: set[Trouble] = set()
    for each in talk.told:
        if isinstance(each, FaultRaised):
            standing.add(each.trouble)
        elif isinstance(each, FaultCleared):
            standing.remove(each.trouble)
    assert {Trouble.DEFECT, Trouble.TORN, Trouble.GARBLED, Trouble.MISFIT} < {*talk.troubles()}
    assert standing == {failure}


@pytest.mark.parametrize(
    ("message", "trouble"),
    [
        (HubError("head_ne_always_lit"), Trouble.DEFECT),
        (HubHealth(950, 0, 0), Trouble.DEFECT),
        (HubHealth(10, 4, 0), Trouble.TORN),
        (HubHealth(10, 0, 1), Trouble.GARBLED),
        (HubAsk(), Trouble.GARBLED),
    ],
)
def test_what_the_hub_says_is_wrong_with_it_is_a_fault(message, trouble) -> None:
    talk = greeted()
    talk.says(HEALTH, message)
    assert talk.troubles() == [trouble]


def test_each_error_of_a_hub_is_told_beside_those_before() -> None:
    talk = greeted()
    for words in ("head_ne_always_lit", "disc_s_floats", "head_ne_always_lit"):
        talk.says(HubError(words))
    details = [each.detail for each in talk.told if isinstance(each, FaultRaised)]
    assert details == [
        "sensor hub: head ne always lit",
        "sensor hub: head ne always lit, disc s floats",
    ]
    for number in range(50):
        talk.says(HubError(f"made_up_{number}"))
    assert len(talk.told) < 7, "a hub that makes up errors does not flood the journal"


def test_an_error_that_is_told_no_more_is_over() -> None:
    """The hub reports it every five seconds while it lasts."""
    talk = greeted()
    both, one = ("head_ne_is_blinded", "disc_s_is_stuck"), ("disc_s_is_stuck",)
    for errors in (both, both, one, one, one):
        for words in errors:
            talk.says(HubError(words))
        talk.passes(5 * SECOND)
    assert talk.hearing.errors == ("disc s is stuck",)
    details = [each.detail for each in talk.told if isinstance(each, FaultRaised)]
    assert details[-1] == "sensor hub: disc s is stuck"
    talk.passes(6 * SECOND)
    assert talk.cleared() == [Trouble.DEFECT]


def test_a_fault_that_goes_on_is_told_at_each_tenfold_only() -> None:
    talk = greeted()
    for _ in range(150):
        talk.bytes(b"rubbish\n")
    details = [each.detail for each in talk.told if isinstance(each, FaultRaised)]
    assert [detail.rpartition(" (")[2] for detail in details[1:]] == ["10 times)", "100 times)"]


@given(st.lists(st.one_of(st.binary(max_size=60), st.sampled_from(["f", "k", "h", "x"]))))
def test_no_bytes_whatever_end_it_or_make_a_frame_of_the_wrong_time(parts) -> None:
    talk = Talk()
    said = {"f": FRAME, "k": KNOCK, "h": hello(), "x": HEALTH}
    for part in parts:
        if isinstance(part, str):
            talk.says(said[part])
        else:
            talk.bytes(part)
        talk.takes(talk.hearing.look(talk.now_ns))
    assert all(each.at_ns <= talk.now_ns for each in talk.told)
