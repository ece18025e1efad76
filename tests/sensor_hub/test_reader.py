"""The Pi's reader of a sensor hub: a real serial driver on a pseudo terminal."""

from __future__ import annotations

import os
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jackspot.displays.thread import Retry
from jackspot.inputs.queue import HUB_LIMIT, QUEUE_PART, EventQueue
from jackspot.sensing.events import (
    ColourSeen,
    DiscsListen,
    Event,
    FaultCleared,
    FaultRaised,
    KnockHeard,
    Tick,
    Trouble,
)
from jackspot.sensor_link.protocol.hearing import PART
from jackspot.sensor_link.protocol.lines import HubAsk, read_line
from jackspot.sensor_link.reader import SensorHubReader
from jackspot.sensor_link.section import SensorHubSection
from tests.conftest import PATIENCE_S
from tests.sensor_hub.speaking import FRAME, HEALTH, KNOCK, Speaking, hello

SOON = Retry(first_ns=5_000_000, longest_ns=20_000_000)


class Plugged:
    """A pseudo terminal whose name stays the same; a hub speaks at its far end."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self.far: int | None = None
        self.plug()

    def plug(self) -> None:
        self.far, near = os.openpty()
        tty.setraw(near)
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(os.ttyname(near))
        self._near = near

    def unplug(self) -> None:
        if self.far is not None:
            self.link.unlink()
            os.close(self.far)
            os.close(self._near)
            self.far = None

    def says(self, data: bytes) -> None:
        assert self.far is not None
        os.write(self.far, data)

    def hears(self) -> bytes:
        assert self.far is not None
        return os.read(self.far, 4096)


class Taken:
    """Takes events from any thread, and waits for some."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._changed = threading.Condition()

    def submit(self, event: Event) -> None:
        if isinstance(event, DiscsListen):
            return
        with self._changed:
            self.events.append(event)
            self._changed.notify_all()

    def wait_for(self, there: Callable[[list[Event]], object]) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: there(self.events), PATIENCE_S), self.events

    def has(
        self, trouble: Trouble, kind: type[FaultRaised] | type[FaultCleared] = FaultRaised
    ) -> None:
        self.wait_for(
            lambda events: [e for e in events if isinstance(e, kind) and e.trouble is trouble]
        )


@pytest.fixture
def cable(tmp_path: Path) -> Iterator[Plugged]:
    plugged = Plugged(tmp_path / "hub")
    yield plugged
    plugged.unplug()


@pytest.fixture
def taken(cable: Plugged) -> Iterator[Taken]:
    taken = Taken()
    reader = SensorHubReader(
        str(cable.link), SensorHubSection(), taken.submit, time.monotonic_ns, SOON
    )
    reader.start()
    yield taken
    reader.close()


def greet(cable: Plugged, hub: Speaking) -> None:
    asked = cable.hears()
    assert read_line(asked.splitlines()[0]).message == HubAsk()
    cable.says(hub.line(hello(), 1_000_000))


def test_what_the_hub_says_is_submitted(cable: Plugged, taken: Taken) -> None:
    hub = Speaking()
    greet(cable, hub)
    cable.says(hub.line(FRAME, 1_000_100) + hub.line(KNOCK, 1_000_200))
    taken.wait_for(lambda events: len(events) == 2)
    assert [type(each) for each in taken.events] == [ColourSeen, KnockHeard]
    assert all(each.at_ns <= time.monotonic_ns() for each in taken.events)


def test_a_hub_that_is_pulled_out_is_gone_and_taken_up_again(cable: Plugged, taken: Taken) -> None:
    greet(cable, Speaking())
    cable.unplug()
    taken.has(Trouble.GONE)
    cable.plug()
    again = Speaking("b0b0")
    greet(cable, again)
    taken.has(Trouble.GONE, FaultCleared)
    cable.says(again.line(FRAME, 1_000_100))
    taken.wait_for(lambda events: isinstance(events[-1], ColourSeen))


def test_a_port_that_another_program_has_is_in_use(cable: Plugged, tmp_path: Path) -> None:
    first, second = Taken(), Taken()
    readers = []
    for taken in (first, second):
        readers.append(
            SensorHubReader(
                str(cable.link), SensorHubSection(), taken.submit, time.monotonic_ns, SOON
            )
        )
        readers[-1].start()
        if taken is first:
            greet(cable, Speaking())
    second.has(Trouble.IN_USE)
    [fault, *_] = second.events
    assert isinstance(fault, FaultRaised)
    assert fault.part == PART
    for reader in readers:
        reader.close()


@pytest.mark.parametrize(
    ("data", "trouble"),
    [
        (b"\xff\x00rubbish\n", Trouble.GARBLED),
        (b"js1 3fa9 17 92\n", Trouble.TORN),
        (Speaking().line(HEALTH, 0), Trouble.REPEATED),
        (Speaking("b0b0").line(hello("aaaa"), 0), Trouble.RIVAL),
    ],
)
def test_what_is_wrong_on_the_line_has_its_name_and_the_rest_is_heard(
    cable: Plugged, taken: Taken, data: bytes, trouble: Trouble
) -> None:
    hub = Speaking()
    greet(cable, hub)
    cable.says(data)
    cable.says(hub.line(FRAME, 1_000_100))
    taken.has(trouble)
    taken.wait_for(lambda events: isinstance(events[-1], ColourSeen))


def test_a_hub_that_babbles_leaves_room_for_others_and_the_loss_is_told() -> None:
    queue = EventQueue()
    for number in range(HUB_LIMIT + 7):
        queue.submit(KnockHeard(number, ()))
    queue.submit(Tick(HUB_LIMIT + 10))
    lost = queue.next(0)
    assert isinstance(lost, FaultRaised)
    assert (lost.part, lost.trouble) == (QUEUE_PART, Trouble.OVERFLOW)
    assert lost.detail.startswith("7 events lost")
    taken = [queue.next(0) for _ in range(HUB_LIMIT + 1)]
    assert isinstance(taken[-1], Tick)
    queue.submit(KnockHeard(0, ()))
    assert isinstance(queue.next(0), KnockHeard), "there is room again"
