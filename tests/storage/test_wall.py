"""The time of day: the machine's, or what somebody gave while the machine does not know it."""

from __future__ import annotations

import pytest

from jackspot.storage.wall_clock import GivenWall
from tests.storage.support import FixedWall


class Machine(FixedWall):
    """A machine whose clock is wrong until the network is up."""

    known = False
    at_ns = 5

    def now_ns(self) -> int:
        return self.at_ns

    def synchronised(self) -> bool:
        return self.known


@pytest.fixture
def machine() -> Machine:
    return Machine()


def test_what_was_given_is_carried_on_by_the_running_clock(machine):
    passed = [100]
    wall = GivenWall(machine, lambda: passed[0])
    assert (wall.now_ns(), wall.synchronised()) == (5, False)
    wall.give(1_000_000)
    passed[0] += 42
    assert (wall.now_ns(), wall.synchronised()) == (1_000_042, True)
    assert wall.boot() == machine.boot()


def test_once_the_machine_knows_the_time_it_is_believed(machine):
    wall = GivenWall(machine, lambda: 0)
    wall.give(1_000_000)
    machine.known, machine.at_ns = True, 2_000_000
    assert (wall.now_ns(), wall.synchronised()) == (2_000_000, True)


def test_the_machines_own_clock_is_asked_where_nobody_gave_anything():
    wall = GivenWall()
    assert wall.now_ns() > 1_577_836_800_000_000_000
    assert wall.boot()
