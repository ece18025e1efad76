"""The turn lamps."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory

from jackspot.core.pieces import Seat
from jackspot.displays.errors import DisplayError
from jackspot.displays.lamps import Lamps
from tests.displays.views import board

PINS = {Seat.N: 5, Seat.E: 6, Seat.S: 13, Seat.W: 19}
SETS = [frozenset(lit) for count in range(5) for lit in itertools.combinations(Seat, count)]


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    mock = MockFactory()
    yield mock
    mock.close()


@pytest.mark.parametrize("active_high", [True, False])
def test_the_lamps_of_the_view_are_lit_and_no_others(
    factory: MockFactory, *, active_high: bool
) -> None:
    lamps = Lamps(PINS, active_high=active_high, pin_factory=factory)
    lamps.open()
    for lit in SETS:
        lamps.show(board(lamps=lit))
        high = {seat for seat, pin in PINS.items() if bool(factory.pin(pin).state) == active_high}
        assert high == lit
    lamps.close()


def test_all_are_dark_until_the_first_view(factory: MockFactory) -> None:
    lamps = Lamps(PINS, active_high=False, pin_factory=factory)
    lamps.open()
    assert all(factory.pin(pin).state for pin in PINS.values())
    lamps.close()


def test_a_board_with_fewer_lamps_lights_those_it_has(factory: MockFactory) -> None:
    lamps = Lamps({Seat.S: 13}, pin_factory=factory)
    lamps.open()
    lamps.show(board(lamps=frozenset(Seat)))
    assert factory.pin(13).state
    lamps.close()


def test_closing_puts_them_out_and_frees_the_pins(factory: MockFactory) -> None:
    lamps = Lamps(PINS, pin_factory=factory)
    lamps.open()
    lamps.show(board(lamps=frozenset(Seat)))
    lamps.close()
    assert not any(factory.pin(pin).state for pin in PINS.values())
    lamps.open()
    lamps.close()


def test_a_pin_that_is_taken_is_named_and_the_others_are_freed(factory: MockFactory) -> None:
    first = Lamps({Seat.S: 13}, pin_factory=factory)
    first.open()
    second = Lamps(PINS, pin_factory=factory)
    with pytest.raises(DisplayError, match="GPIO 13 for seat S cannot be used"):
        second.open()
    second.close()
    first.close()
    second.open()
    second.close()


def test_nothing_but_the_lamps_of_a_view_wakes_them() -> None:
    lamps = Lamps(PINS)
    lit, dark = board(lamps=frozenset({Seat.N})), board(lamps=frozenset())
    assert lamps.cares(lit) == lamps.cares(board(red=8, lamps=frozenset({Seat.N})))
    assert lamps.cares(lit) != lamps.cares(dark)
