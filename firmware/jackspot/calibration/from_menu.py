"""Run a calibration from the board's menu: on its OLED, with its buttons.

The board releases its wires and displays meanwhile and takes them back afterwards. Whatever goes
wrong here is reported, and the board comes back.
"""

from __future__ import annotations

from jackspot.assembly import BoardInputs, displays_beside_play
from jackspot.board import WatchdogPort
from jackspot.calibration import file
from jackspot.calibration.file import CalibrationError
from jackspot.calibration.live import Bench, begun, keeping_for, live_sitting, plan_for
from jackspot.calibration.measuring.walk import Walk
from jackspot.config.model import Config
from jackspot.displays.errors import DisplayError
from jackspot.displays.oled.kind import OledDriver, OledSection
from jackspot.inputs.errors import GpioError
from jackspot.inputs.factory import open_gpio
from jackspot.inputs.queue import EventSource
from jackspot.sensing.events import Key

IDLE_NS = 180_000_000_000
"""After this long without anybody the board comes back on its own."""


def can_be_led(config: Config) -> bool:
    """Whether the board can guide people: it has an OLED to read and an OK to press."""
    has_ok = any(button.key is Key.OK for button in config.buttons)
    return has_ok and config.of(OledSection).driver is not OledDriver.NONE


def calibrate_from_menu(config: Config, source: EventSource, watchdog: WatchdogPort) -> Walk | None:
    """Guide people through a calibration; None, with a fault on the board, if none began."""
    keeping = keeping_for(config)
    try:
        plan = plan_for(config, file.pieces_of(config))
        file.refuse_unwritable(keeping.path)
        walk = begun(plan, keeping, config)
        gpio = open_gpio(config.gpio.factory, config.gpio.chip)
        bench = Bench(
            source,
            BoardInputs(config, gpio, source, config.sensor_hub.port),
            displays_beside_play(config, gpio, source),
        )
    except (CalibrationError, GpioError, DisplayError) as error:
        source.submit(file.fault(CalibrationError(str(error)), source.now_ns()))
        return None
    live = live_sitting(config, bench, keeping)
    live.alive, live.alive_ns, live.idle_ns = (
        watchdog.feed,
        watchdog.interval_ns,
        IDLE_NS,
    )
    ended = live.run(walk)
    if live.trouble:
        source.submit(file.fault(CalibrationError(live.trouble), source.now_ns()))
    return ended
