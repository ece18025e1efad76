"""A real Mosquitto, and boards that are played in its hall."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from jackspot.config.model import Config
from jackspot.core.record import read_record
from jackspot.festival.broker import Broker, NoBroker, program
from jackspot.festival.section import FestivalSection
from jackspot_sim.boards.rehearsal import Venue, board_config, rehearse
from jackspot_sim.boards.rig import Onlookers, Rig
from jackspot_sim.clock import SimClock
from jackspot_sim.people.habits import Habits
from tests.festival.hub import Hub

RECORDS = Path(__file__).parents[1] / "records"
HALL = "hikone"


@pytest.fixture
def mosquitto() -> None:
    """Do without where it is not installed and could not be."""
    try:
        program()
    except NoBroker as missing:
        pytest.skip(str(missing))


@pytest.fixture
def broker(mosquitto: None) -> Iterator[Broker]:
    with Broker() as broker:
        yield broker


@pytest.fixture
def hub(broker: Broker, tmp_path: Path) -> Iterator[Hub]:
    hub = Hub(broker.address, HALL, tmp_path / "hub.jsonl")
    yield hub
    hub.close()


def in_the_hall(config: Config, broker: Broker, number: int = 7) -> Config:
    """Return the config of a board that is played in the hall."""
    section = FestivalSection(hall=HALL, number=number, broker=broker.address)
    web = config.web.model_copy(update={"port": 0})
    return replace(config, festival=section, web=web)


def play(name: str, journal: Path, broker: Broker, number: int = 7) -> str:
    """Play a record of the tests on a board in the hall, as fast as it goes; give its text."""
    text = (RECORDS / f"{name}.carom").read_text(encoding="utf-8")
    match = read_record(text).match
    config = in_the_hall(board_config(match.settings, at_box=True), broker, number)
    entries = [step.entry for step in match.steps]
    rehearse(
        match.settings, entries, journal, Habits(at_box=True), venue=Venue(config, in_hall=True)
    )
    return text


@contextmanager
def standing(config: Config, journal: Path, *, in_hall: bool = True) -> Iterator[Rig]:
    """A board that goes on in real time, from where its journal stands."""
    clock = SimClock(1.0)
    rig = Rig(config, journal, clock, Onlookers(in_hall=in_hall))
    thread = threading.Thread(target=rig.run)
    thread.start()
    try:
        yield rig
    finally:
        clock.close()
        thread.join()
