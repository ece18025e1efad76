"""A whole board to measure, in a process of its own, on pins and a bus without hardware.

Everything of ``jackspot run`` on the machine's own clock, down to OLED, pages and watchdog;
only the pins are simulated and the OLED's bus decodes what it is sent. It reads commands from
standard input, one a line, and answers each with a line: ``phase`` prints the board's phase,
``press WIRE`` presses a button for a tenth of a second, and the end of input stops it.

Usage: ``python -m tests.bench.board_program CONFIG JOURNAL``
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

from jackspot.assembly import KINDS, DeviceOverrides, assemble
from jackspot.config import find, load
from jackspot.config.model import Config
from jackspot.inputs.pins import Active
from jackspot.inputs.queue import EventQueue
from jackspot.ops.garbage import TidyWatchdog
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import SystemWall
from jackspot_sim.devices.bus import FakeI2C
from jackspot_sim.devices.pins import SimFactory, sim_gpio

PRESS_S = 0.1


def press(config: Config, factory: SimFactory, name: str) -> None:
    """Press a button as a finger does."""
    wire = config.wire(name)
    assert wire is not None, f"there is no wire {name}"
    down = wire.active is Active.HIGH
    for level in (down, not down):
        factory.drive(wire.gpio, level, time.monotonic_ns())
        time.sleep(PRESS_S)


def main(config_file: Path, journal: Path) -> None:
    config = load(find(config_file))
    source, bus = EventQueue(), FakeI2C()
    factory = SimFactory(source.now_ns)
    keeper = Keeper(journal, KINDS, SystemWall())
    overrides = DeviceOverrides(buses={"oled": bus.serial})
    board = assemble(config, sim_gpio(factory), source, keeper, TidyWatchdog(), overrides)
    loop = threading.Thread(target=board.run, name="loop")
    loop.start()
    for line in sys.stdin:
        match line.split():
            case ["press", name]:
                press(config, factory, name)
                print(flush=True)
            case ["phase"]:
                print(board.dialogue.phase, flush=True)
    source.close()
    loop.join()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
