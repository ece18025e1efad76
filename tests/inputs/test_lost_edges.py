"""Edges that the kernel or a library lost: noticed, reported and made good."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from hypothesis import given, strategies as st

from jackspot.core.pieces import Pocket
from jackspot.inputs.edges import DOUBT_NS, FIRST_LOOK_NS, LAST_LOOK_NS, Inputs
from jackspot.inputs.factory import Gpio, GpioFactory
from jackspot.inputs.pins import Active, Pull, Wire, WireKind
from jackspot.sensing.events import Edge, Event, FaultRaised, Pulse, SignalEvent, Trouble
from jackspot.sensing.limits import MS, SECOND, Limits
from jackspot.sensing.signals import Signals
from jackspot_sim.devices.pins import SimFactory

NE = Pocket.NE
BEAM = Wire("pocket_ne", WireKind.BEAM, 5, Active.LOW, Pull.UP, NE)
START_NS = 1_000 * SECOND


class DeadPin(Exception):
    """A pin that cannot be read any more."""


class Kernel:
    """A pin whose edges are passed on or lost, as a test decides."""

    edges = ""

    def __init__(self) -> None:
        self.state: int | None = 1
        self.when_changed: Callable[[float, int], None] | None = None
        self.now_ns = START_NS

    def input_with_pull(self, pull: str) -> None:
        assert pull == "up"

    def moves(self, *, broken: bool, after_ns: int, told: bool = True) -> Edge:
        """Move the wire and return the edge as it really was."""
        self.now_ns += after_ns
        self.state = int(not broken)
        if told:
            assert self.when_changed is not None
            self.when_changed(self.now_ns / SECOND, self.state)
        return Edge(self.now_ns, NE, broken)


class Factory(SimFactory):
    """One pin for every number."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(lambda: kernel.now_ns)
        self.kernel = kernel

    def pin(self, name, **kwargs):
        return self.kernel


class Listening:
    """A beam that is listened to, and what was submitted."""

    def __init__(self, kind: GpioFactory = GpioFactory.LGPIO) -> None:
        self.kernel = Kernel()
        self.events: list[Event] = []
        gpio = Gpio(Factory(self.kernel), kind, (DeadPin,))
        self.inputs = Inputs(gpio, [BEAM], self.events.append, lambda: self.kernel.now_ns)
        self.inputs.listen()

    @property
    def edges(self) -> list[Edge]:
        return [event for event in self.events if isinstance(event, Edge)]

    @property
    def losses(self) -> list[str]:
        return [event.detail for event in self.events if isinstance(event, FaultRaised)]

    def look(self, after_ns: int) -> int | None:
        """Let time pass and look; return how long it is until the next look."""
        self.kernel.now_ns += after_ns
        again_ns = self.inputs.look(self.kernel.now_ns)
        return None if again_ns is None else again_ns - self.kernel.now_ns

    def pulses(self) -> list[Pulse]:
        """Return the pulses that the table makes of all edges."""
        signals = Signals.at_start(Limits(), [NE], START_NS)
        made: list[SignalEvent] = []
        for edge in self.edges:
            signals, events = signals.step(edge)
            made += events
        return [each for each in made if isinstance(each, Pulse)]


def test_two_breaks_in_a_row_are_two_pulses_and_a_fault_that_counts() -> None:
    beam = Listening()
    first = beam.kernel.moves(broken=True, after_ns=SECOND)
    beam.kernel.moves(broken=False, after_ns=8 * MS, told=False)
    second = beam.kernel.moves(broken=True, after_ns=5 * MS)
    end = beam.kernel.moves(broken=False, after_ns=9 * MS)
    assert beam.pulses() == [
        Pulse(NE, first.at_ns, second.at_ns),
        Pulse(NE, second.at_ns, end.at_ns),
    ]
    assert beam.losses == ["1 edge lost on pocket_ne: the kernel dropped them, perhaps more"]
    fault = next(event for event in beam.events if isinstance(event, FaultRaised))
    assert (fault.part, fault.trouble) == ("pocket_ne", Trouble.LOST)


def test_a_piece_of_which_only_the_end_was_told_is_a_short_pulse_and_not_lost() -> None:
    beam = Listening()
    beam.kernel.moves(broken=True, after_ns=SECOND)
    beam.kernel.moves(broken=False, after_ns=9 * MS)
    beam.kernel.moves(broken=True, after_ns=SECOND, told=False)
    end = beam.kernel.moves(broken=False, after_ns=9 * MS)
    assert beam.pulses()[1:] == [Pulse(NE, end.at_ns - 2 * MS, end.at_ns)]
    assert len(beam.losses) == 1


def test_a_beam_whose_last_edge_was_lost_is_whole_again_after_two_looks() -> None:
    beam = Listening()
    begin = beam.kernel.moves(broken=True, after_ns=SECOND)
    beam.kernel.moves(broken=False, after_ns=9 * MS, told=False)
    assert beam.look(FIRST_LOOK_NS) == DOUBT_NS
    assert beam.edges == [begin]
    assert beam.look(DOUBT_NS) is None
    assert beam.edges == [begin, Edge(beam.kernel.now_ns, NE, active=False)]
    assert [pulse.start_ns for pulse in beam.pulses()] == [begin.at_ns]
    assert len(beam.losses) == 1


def test_a_beam_whose_break_was_lost_is_broken_after_two_looks() -> None:
    beam = Listening()
    beam.kernel.moves(broken=True, after_ns=SECOND, told=False)
    beam.look(FIRST_LOOK_NS)
    beam.look(DOUBT_NS)
    assert [edge.active for edge in beam.edges] == [True]


def test_an_edge_that_is_only_late_is_no_loss() -> None:
    beam = Listening()
    beam.kernel.moves(broken=True, after_ns=SECOND)
    beam.kernel.moves(broken=False, after_ns=9 * MS, told=False)
    late_ns = beam.kernel.now_ns
    beam.look(FIRST_LOOK_NS)
    assert beam.kernel.when_changed is not None
    beam.kernel.when_changed(late_ns / SECOND, 1)
    assert beam.look(DOUBT_NS) is None
    assert (len(beam.edges), beam.losses) == (2, [])


def test_a_broken_beam_is_looked_at_ever_more_seldom_and_a_whole_one_never() -> None:
    beam = Listening()
    assert beam.look(SECOND) is None
    beam.kernel.moves(broken=True, after_ns=SECOND)
    waits: list[int] = []
    for _ in range(20):
        wait_ns = beam.look(waits[-1] if waits else 0)
        assert wait_ns is not None
        waits.append(wait_ns)
    assert waits[0] == FIRST_LOOK_NS
    assert all(later >= earlier for earlier, later in pairwise(waits))
    assert waits[-1] == LAST_LOOK_NS


def test_a_pin_that_cannot_be_read_is_not_guessed_at() -> None:
    beam = Listening()
    begin = beam.kernel.moves(broken=True, after_ns=SECOND)

    class Unread(Kernel):
        @property
        def state(self) -> int:
            raise DeadPin

        @state.setter
        def state(self, value: int | None) -> None:
            """Ignore the value."""

    beam.kernel.__class__ = Unread
    assert beam.look(SECOND) is None
    assert beam.edges == [begin]


def test_an_edge_from_before_the_first_look_that_is_told_after_it_is_no_loss() -> None:
    beam = Listening()
    beam.kernel.moves(broken=False, after_ns=-MS)
    assert beam.losses == []


def test_an_edge_that_was_lost_before_any_was_told_is_a_loss() -> None:
    beam = Listening()
    beam.kernel.moves(broken=True, after_ns=SECOND, told=False)
    beam.kernel.moves(broken=False, after_ns=9 * MS)
    assert [pulse.width_ns for pulse in beam.pulses()] == [2 * MS]
    assert len(beam.losses) == 1


def test_a_library_that_reads_the_level_later_repeats_it_without_a_loss() -> None:
    beam = Listening(GpioFactory.RPIGPIO)
    for _ in range(3):
        beam.kernel.moves(broken=True, after_ns=MS)
    assert [edge.active for edge in beam.edges] == [True, True, True]
    assert beam.losses == []


def test_a_wire_that_goes_on_losing_edges_counts_them_once_a_second() -> None:
    beam = Listening()
    for _ in range(301):
        beam.kernel.moves(broken=True, after_ns=10 * MS)
    assert [told.split()[0] for told in beam.losses] == ["1", "101", "201"]
    beam.look(SECOND)
    assert beam.losses[-1].split()[0] == "300"


moves = st.lists(st.tuples(st.integers(3, 60), st.booleans()), min_size=2, max_size=40)


@given(moves)
def test_whatever_is_lost_the_table_ends_with_the_true_level_and_no_piece_of_the_told_is_gone(
    script: list[tuple[int, bool]],
) -> None:
    """Each move takes the wire to its other level; True means that its edge is passed on."""
    beam = Listening()
    broken = False
    for after_ms, told in script:
        broken = not broken
        beam.kernel.moves(broken=broken, after_ns=after_ms * MS, told=told)
    passed_on = [i % 2 == 0 for i, (_, told) in enumerate(script) if told]
    beam.look(FIRST_LOOK_NS)
    beam.look(DOUBT_NS)
    levels = [edge.active for edge in beam.edges]
    assert all(one is not other for one, other in pairwise(levels)), "levels take turns"
    assert (levels[-1] if levels else False) is broken
    stamps = [edge.at_ns for edge in beam.edges]
    assert stamps == sorted(stamps)
    starts = sum(1 for active in levels if active)
    assert starts >= sum(passed_on), "every break that was told is a break of its own"
