"""A real Mosquitto, and boards that are played in its hall."""

from __future__ import annotations

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from jackspot.config.model import Config
from jackspot.core.record import read_record
from jackspot.festival.asks import Look
from jackspot.festival.broker import Broker, NoBroker, free_port, program, reached
from jackspot.festival.section import FestivalSection
from jackspot.festival.updating import UpdateDoor
from jackspot.values import changed
from jackspot_sim.boards.rehearsal import Venue, board_config, rehearse
from jackspot_sim.boards.rig import Onlookers, Rig
from jackspot_sim.clock import SimClock
from jackspot_sim.people.habits import Habits
from tests.festival.guests import HALL, make
from tests.festival.hub import Hub

RECORDS = Path(__file__).parents[1] / "records"


@pytest.fixture
def mosquitto() -> None:
    """Skip the test if Mosquitto is not installed."""
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
    hub.wait_for_the_broker()
    yield hub
    hub.close()


def in_the_hall(config: Config, broker: Broker, number: int = 7) -> Config:
    """Return the config of a board that is played in the hall."""
    section = FestivalSection(hall=HALL, number=number, broker=(broker.address,))
    web = changed(config.web, port=0)
    return changed(config, festival=section, web=web)


def play(name: str, journal: Path, broker: Broker, number: int = 7) -> str:
    """Play one of the tests' records on a board in the hall at full speed; return its text."""
    text = (RECORDS / f"{name}.carom").read_text(encoding="utf-8")
    match = read_record(text).match
    config = in_the_hall(board_config(match.settings, at_box=True), broker, number)
    entries = [step.entry for step in match.steps]
    rehearse(
        match.settings, entries, journal, Habits(at_box=True), venue=Venue(config, in_hall=True)
    )
    return text


@contextmanager
def standing(
    config: Config, journal: Path, *, in_hall: bool = True, doctor: Look | None = None,
    door: UpdateDoor | None = None,
) -> Iterator[Rig]:  # fmt: skip
    """A board that runs on from its journal in real time, with its pages on any port."""
    config = changed(config, web=changed(config.web, port=0))
    clock = SimClock(1.0)
    rig = Rig(config, journal, clock, Onlookers(in_hall=in_hall, doctor=doctor, door=door))
    thread = threading.Thread(target=rig.run)
    thread.start()
    try:
        yield rig
    finally:
        clock.close()
        thread.join()


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that Mosquitto's own user may enter, unlike those of pytest."""
    with TemporaryDirectory(prefix="jackspot-hall-") as name:
        Path(name).chmod(0o711)
        yield Path(name)


@pytest.fixture
def hall(mosquitto: None, place: Path) -> Iterator[tuple[Path, int, str]]:
    """A broker with a hall's keys: their folder, its port, the hall's key."""
    folder, port = place / "hall", free_port()
    key = make(folder, "--boards", "2", "--port", str(port))
    words = [program(), "-c", str(folder / "mosquitto.conf")]
    with (
        (place / "log").open("wb") as log,
        subprocess.Popen(words, stdout=log, stderr=log) as running,
    ):
        assert reached(("127.0.0.1", port), lambda: running.poll() is None)
        yield folder, port, key
        running.terminate()
