"""A whole board with a sensor hub at its serial port: it plays on whatever happens to the hub."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from jackspot.capture.tap import Recipient
from jackspot.capture.vcd_file import read_capture
from jackspot.config.load import Sources, load
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.sensing.events import Button, ColourSeen, Key, KnockHeard, Place, Trouble
from jackspot.sensor_link.protocol.hearing import PART
from jackspot.values import changed
from jackspot_sim.boards.rig import Built, Onlookers, Rig
from jackspot_sim.clock import SimClock
from tests.conftest import PATIENCE_S
from tests.sensor_hub.speaking import FRAME, KNOCK, Speaking
from tests.sensor_hub.test_reader import Plugged, cable, greet

__all__ = ["cable"]

OK = Button(Place.REFEREE, Key.OK)


class Running:
    """A board that runs in real time, and its onlooker."""

    name = "onlooker"

    def __init__(self, port: Path, folder: Path) -> None:
        config = load(Sources(()))
        web = changed(config.web, enabled=False)
        hub = changed(config.sensor_hub, port=str(port))
        self.clock = SimClock(1.0)
        self.text = io.StringIO()
        self.rig = Rig(
            changed(config, web=web, sensor_hub=hub),
            folder / "journal.sqlite3",
            self.clock,
            Onlookers(further=(self,), captured=Recipient(self.text, flush=False)),
            built=Built(own_hub=False),
        )
        self._changed = threading.Condition()
        self._views: list[BoardView] = []
        self._thread = threading.Thread(target=self.rig.run)

    def __enter__(self) -> Running:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.clock.close()
        self._thread.join(PATIENCE_S)

    def start(self) -> None:
        """Nothing to start."""

    def post(self, view: BoardView) -> None:
        with self._changed:
            self._views.append(view)
            self._changed.notify_all()

    def post_sound(self, sound: object) -> None:
        """Hear nothing."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        return True

    def wait_for(self, shows: Callable[[BoardView], object]) -> None:
        with self._changed:
            there = self._changed.wait_for(
                lambda: self._views and shows(self._views[-1]), PATIENCE_S
            )
            assert there, self._views[-1:]

    def presses(self) -> None:
        self.clock.after(0, lambda: self.rig.table.press(OK))


def troubles(view: BoardView) -> list[Trouble]:
    return [fault.trouble for fault in view.faults if fault.part == PART]


def test_a_hub_that_is_pulled_out_is_shown_and_the_board_plays_on_and_takes_it_up_again(
    cable: Plugged, tmp_path: Path
) -> None:
    with Running(cable.link, tmp_path) as board:
        greet(cable, Speaking())
        cable.unplug()
        board.wait_for(lambda view: troubles(view) == [Trouble.GONE])
        board.presses()
        board.wait_for(lambda view: view.phase is Phase.READY)
        cable.plug()
        greet(cable, Speaking("b0b0"))
        board.wait_for(lambda view: not troubles(view))


def test_garbage_of_a_hub_is_shown_and_changes_nothing(cable: Plugged, tmp_path: Path) -> None:
    with Running(cable.link, tmp_path) as board:
        greet(cable, Speaking())
        cable.says(b"\xffrubbish\n")
        board.wait_for(lambda view: troubles(view) == [Trouble.GARBLED])
        board.presses()
        board.wait_for(lambda view: view.phase is Phase.READY)


def test_a_capture_of_a_board_has_what_the_hub_told(cable: Plugged, tmp_path: Path) -> None:
    with Running(cable.link, tmp_path) as board:
        hub = Speaking()
        greet(cable, hub)
        cable.says(hub.line(FRAME, 1_000_000) + hub.line(KNOCK, 1_000_100))
        cable.says(b"rubbish\n")
        board.wait_for(lambda view: troubles(view) == [Trouble.GARBLED])
    capture = read_capture(io.BytesIO(board.text.getvalue().encode()))
    [frame] = [each for each in capture.happened if isinstance(each, ColourSeen)]
    [knock] = [each for each in capture.happened if isinstance(each, KnockHeard)]
    assert (frame.red, knock.peaks) == (FRAME.red, KNOCK.peaks)


@pytest.mark.parametrize("port", [None])
def test_a_board_without_a_hub_has_no_thread_for_one(port: None, tmp_path: Path) -> None:
    config = load(Sources(()))
    assert config.sensor_hub.port is port
    clock = SimClock()
    rig = Rig(changed(config, web=changed(config.web, enabled=False)),
              tmp_path / "journal.sqlite3", clock)  # fmt: skip
    names: list[str] = []
    clock.after(0, lambda: names.extend(each.name for each in threading.enumerate()))
    clock.after(1, clock.close)
    rig.run()
    assert "sensor-hub" not in names
