"""Beams and buttons on gpiozero's pins: polarity, pulls, stamps, faults, and no polling."""

from __future__ import annotations

import gc
import threading
import time
from typing import Any

import pytest
from hypothesis import given, strategies as st

from jackspot.core.pieces import Pocket
from jackspot.inputs.break_beams import open_beams
from jackspot.inputs.buttons import open_buttons
from jackspot.inputs.edges import Inputs
from jackspot.inputs.factory import Gpio, GpioFactory, open_gpio
from jackspot.inputs.pins import Active, Pull, Wire, WireKind
from jackspot.sensing.events import Button, Edge, Event, FaultRaised, Key, Place, Trouble
from jackspot_sim.devices.pins import SimFactory, sim_gpio

OK = Button(Place.N, Key.OK)


def beam(gpio: int = 5, active: Active = Active.LOW, pull: Pull = Pull.UP) -> Wire:
    return Wire("pocket_ne", WireKind.BEAM, gpio, active, pull, Pocket.NE)


def button(gpio: int = 4, active: Active = Active.LOW, pull: Pull = Pull.UP) -> Wire:
    return Wire("seat_n_ok", WireKind.BUTTON, gpio, active, pull, OK)


class Board:
    """Inputs on simulated pins, and what they submitted."""

    def __init__(self, *wires: Wire) -> None:
        self.factory = SimFactory(lambda: 0)
        self.events: list[Event] = []
        self.inputs = Inputs(sim_gpio(self.factory), wires, self.events.append, lambda: 0)


def test_a_broken_beam_is_an_active_edge_with_the_pins_own_instant() -> None:
    board = Board(beam())
    board.inputs.listen()
    board.factory.drive(5, False, 1_234_567_891)
    board.factory.drive(5, True, 1_243_567_892)
    assert board.events == [
        Edge(1_234_567_891, Pocket.NE, active=True),
        Edge(1_243_567_892, Pocket.NE, active=False),
    ]


@pytest.mark.parametrize("active", Active)
def test_what_is_active_is_said_by_the_polarity(active: Active) -> None:
    resting = active is Active.LOW
    board = Board(button(active=active, pull=Pull.UP if resting else Pull.DOWN))
    board.inputs.listen()
    board.factory.drive(4, not resting, 10)
    board.factory.drive(4, resting, 20)
    assert board.events == [Edge(10, OK, active=True), Edge(20, OK, active=False)]


@pytest.mark.parametrize(("pull", "level"), [(Pull.UP, True), (Pull.DOWN, False)])
def test_a_wire_that_nothing_drives_rests_at_its_pull(pull: Pull, level: bool) -> None:
    board = Board(beam(active=Active.LOW, pull=pull))
    assert board.inputs.listen() == {Pocket.NE: not level}


def test_what_is_active_at_the_start_gives_a_level_and_no_edge() -> None:
    factory = SimFactory(lambda: 0)
    factory.drive(4, False, 0)
    events: list[Event] = []
    inputs = Inputs(sim_gpio(factory), [beam(), button()], events.append, lambda: 0)
    assert inputs.listen() == {Pocket.NE: False, OK: True}
    assert events == []
    factory.drive(4, True, 99)
    assert events == [Edge(99, OK, active=False)]
    assert inputs.levels() == {Pocket.NE: False, OK: False}


def test_callbacks_outlive_a_garbage_collection() -> None:
    board = Board(beam(), button())
    board.inputs.listen()
    gc.collect()
    board.factory.drive(5, False, 7)
    assert board.events == [Edge(7, Pocket.NE, active=True)]


def test_nothing_is_submitted_once_closed() -> None:
    board = Board(beam())
    board.inputs.listen()
    board.inputs.close()
    board.factory.drive(5, False, 7)
    assert board.events == []


def test_edges_closer_than_any_bounce_filter_all_arrive() -> None:
    board = Board(beam())
    board.inputs.listen()
    for at_ns in range(100):
        board.factory.drive(5, at_ns % 2 == 1, at_ns)
    assert [e.at_ns for e in board.events] == list(range(100))


def test_listening_starts_no_thread() -> None:
    before = threading.active_count()
    board = Board(beam(), button())
    board.inputs.listen()
    assert threading.active_count() == before


@given(st.integers(min_value=0, max_value=100 * 24 * 3600 * 10**9))
def test_ticks_in_seconds_keep_every_nanosecond_for_a_hundred_days(at_ns: int) -> None:
    assert abs(round(at_ns / 1_000_000_000 * 1_000_000_000) - at_ns) <= 1


def test_beams_and_buttons_are_told_apart_by_their_kind() -> None:
    gpio = sim_gpio(SimFactory(lambda: 0))
    wires = [beam(), button(), Wire("lamp_n", WireKind.LAMP, 16, Active.HIGH)]
    events: list[Event] = []
    assert list(open_beams(gpio, wires, events.append, lambda: 0).levels()) == [Pocket.NE]
    assert list(open_buttons(gpio, wires, events.append, lambda: 0).levels()) == [OK]


def test_an_output_cannot_be_listened_to() -> None:
    lamp = Wire("lamp_n", WireKind.LAMP, 16, Active.HIGH)
    with pytest.raises(ValueError, match="lamp_n is an output"):
        Board(lamp)


class LibraryError(Exception):
    """An exception of a GPIO library's own."""


class BusyFactory(SimFactory):
    """A pin factory with GPIO 5 held by another program."""

    def pin(self, name: int, **kwargs: Any) -> Any:
        if name == 5:
            raise LibraryError("'GPIO busy'")
        return super().pin(name, **kwargs)


def test_a_pin_that_is_busy_is_a_fault_and_the_others_play_on() -> None:
    factory = BusyFactory(lambda: 0)
    gpio = Gpio(factory, GpioFactory.MOCK, (LibraryError,))
    events: list[Event] = []
    inputs = Inputs(gpio, [beam(), button()], events.append, lambda: 42)
    inputs.listen()
    fault = events.pop()
    assert isinstance(fault, FaultRaised)
    assert (fault.at_ns, fault.part, fault.trouble) == (42, "pocket_ne", Trouble.GONE)
    assert "pocket_ne on GPIO 5 is held by another program" in fault.detail
    factory.drive(4, False, 7)
    assert events == [Edge(7, OK, active=True)]


def test_a_fixed_pull_up_that_is_asked_to_pull_down_is_a_fault() -> None:
    board = Board(button(gpio=2, pull=Pull.DOWN))
    fault = board.events[0]
    assert isinstance(fault, FaultRaised)
    assert "seat_n_ok on GPIO 2 cannot be an input with pull down" in fault.detail


def test_gpiozeros_own_mock_stamps_with_the_machines_monotonic_clock() -> None:
    gpio = open_gpio(GpioFactory.MOCK)
    events: list[Event] = []
    inputs = Inputs(gpio, [beam()], events.append, time.monotonic_ns)
    inputs.listen()
    before_ns = time.monotonic_ns()
    pin: Any = gpio.factory.pin(5)
    pin.drive_low()
    edge = events[0]
    assert isinstance(edge, Edge)
    assert before_ns - 1000 <= edge.at_ns <= time.monotonic_ns() + 1000
    gpio.close()
