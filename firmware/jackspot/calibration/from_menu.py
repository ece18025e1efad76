"""Run a calibration from the board's menu: on its OLED, with its buttons.

The board releases its wires and displays meanwhile and takes them back afterwards. Whatever goes
wrong here is reported, and the board comes back.
"""

from __future__ import annotations

import logging

from jackspot.assembly import BoardInputs, displays_beside_play
from jackspot.board import WatchdogPort
from jackspot.calibration import file
from jackspot.calibration.file import CalibrationError, OtherVersion
from jackspot.calibration.live import Bench, begun, keeping_for, live_sitting, plan_for
from jackspot.calibration.measuring.measured import PieceSet
from jackspot.calibration.measuring.walk import CalibrationPlan, Walk
from jackspot.calibration.sitting import CalibrationTarget
from jackspot.config.model import Config
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.plans import rules_of
from jackspot.displays.errors import DisplayError
from jackspot.displays.oled.kind import OledDriver, OledSection
from jackspot.inputs.errors import GpioError
from jackspot.inputs.factory import open_gpio
from jackspot.inputs.queue import EventSource
from jackspot.sensing.events import Key

_logger = logging.getLogger(__name__)

IDLE_NS = 180_000_000_000
"""After this long without anybody the board comes back on its own."""


def can_be_led(config: Config) -> bool:
    """Whether the board can guide people: it has an OLED to read and an OK to press."""
    has_ok = any(button.key is Key.OK for button in config.buttons)
    return has_ok and config.of(OledSection).driver is not OledDriver.NONE


def calibrate_from_menu(
    config: Config, dialogue: DialogueState, source: EventSource, watchdog: WatchdogPort
) -> Walk | None:
    """Guide people through a calibration; None, with a fault on the board, if none began.

    It is shown as people have set the board in ``dialogue``.
    """
    keeping = keeping_for(config)
    try:
        plan = plan_for(config, _pieces(dialogue))
        file.refuse_unwritable(keeping.path)
        walk = _begun(plan, keeping, config)
        gpio = open_gpio(config.gpio.factory, config.gpio.chip)
        bench = Bench(
            source,
            BoardInputs(config, gpio, source, config.sensor_hub.port),
            displays_beside_play(config, gpio, source),
        )
    except (CalibrationError, GpioError, DisplayError) as error:
        source.submit(file.fault(CalibrationError(str(error)), source.now_ns()))
        return None
    live = live_sitting(config, bench, keeping, dialogue.preferences)
    live.alive, live.alive_ns, live.idle_ns = (
        watchdog.feed,
        watchdog.interval_ns,
        IDLE_NS,
    )
    ended = live.run(walk)
    if live.trouble:
        source.submit(file.fault(CalibrationError(live.trouble), source.now_ns()))
    return ended


def _pieces(dialogue: DialogueState) -> PieceSet:
    """Return the set of pieces of the match that is on, or is set up."""
    game = dialogue.game
    return file.pieces_for(rules_of(dialogue.plan) if game is None else game.match.settings.rules)


def _begun(plan: CalibrationPlan, keeping: CalibrationTarget, config: Config) -> Walk:
    """Continue an interrupted calibration, or begin a new one beside one that does not fit.

    People at the board cannot move files. Raises CalibrationError.
    """
    try:
        return begun(plan, keeping, config)
    except OtherVersion:
        raise
    except CalibrationError as error:
        _logger.warning("%s", error)
        file.put_unfinished_aside(keeping.path)
        return Walk.begin(plan, 0)
