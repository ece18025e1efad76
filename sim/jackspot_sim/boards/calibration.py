"""A calibration on the simulated table: its pins, its OLED, and a hand that drops pieces.

The hand does what it is asked, no better than people do: now and then it drops two pieces, or
fetches one out of the pocket, which breaks the beam too. If the config names a sensor hub, there is
one under the board: the hand flicks from each side, and now and then thumps the table. While the
board should be quiet the hand stays away, but the room still shakes it. The calibration itself is
the one that runs on a Pi.
"""

from __future__ import annotations

import logging
import random
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path

from jackspot.assembly import BoardInputs, DeviceOverrides, displays_beside_play
from jackspot.calibration.live import Bench
from jackspot.calibration.measuring.measured import PIECES, DropPlace, PieceSet
from jackspot.calibration.measuring.walk import WalkStage
from jackspot.calibration.measuring.wired_walk import Sitting
from jackspot.config.model import Config
from jackspot.core.pieces import Piece, Seat
from jackspot.core.settings import RuleSystem
from jackspot.displays.oled.kind import OledDriver, OledSection
from jackspot.displays.oled.wire import OledChip
from jackspot.sensing.events import Button, Gesture, Key, Place as Where, Press
from jackspot.sensing.limits import SECOND
from jackspot.sensing.shaking import STILL_NS
from jackspot.values import changed
from jackspot_sim.chance.frequencies import Room
from jackspot_sim.chance.pulses import CHANCE, MS, Manner, random_manner
from jackspot_sim.chance.shaking import Disturbance, draw_disturbances
from jackspot_sim.clock import SimClock
from jackspot_sim.devices.bus import FakeI2C
from jackspot_sim.devices.pins import SimFactory, sim_gpio
from jackspot_sim.devices.sensor_hub import SimulatedHub
from jackspot_sim.physics import board_of, opening, shoot
from jackspot_sim.physics.boards import disc_of
from jackspot_sim.physics.discs import Blow, blow_of, blows_of_shot, flick_from
from jackspot_sim.table.table import PIECES as ON_TABLE, SimTable

DROP_AFTER_NS = 700 * MS
"""From the last drop's end to the next one."""
FLICK_AFTER_NS = 1_000 * MS
"""From one flick's end to the next: it is reported at once, its shake once the board lies still."""
PRESS_AFTER_NS = 300 * MS
TWO_SHARE = 0.03
"""How often the hand drops two where one was asked for."""
FETCH_SHARE = 0.10
"""How often it fetches a piece through the beam."""
THUMP_SHARE = 0.05
"""How often it thumps the table where a flick was asked for."""

_logger = logging.getLogger(__name__)

_RULES = {PieceSet.CAROM: RuleSystem.HIKONE, PieceSet.CARROM: RuleSystem.ICF}


class DroppingHand:
    """A hand at the simulated table that drops what a calibration asks for.

    ``alone``: nobody else is there, so it presses OK too.
    """

    def __init__(
        self, clock: SimClock, table: SimTable, seed: int, *, alone: bool,
        hub: SimulatedHub | None = None, room: Room = Room.ALONE,
    ) -> None:  # fmt: skip
        self._clock = clock
        self._table = table
        self._seed = seed
        self._rng = random.Random(seed)
        self._alone = alone
        self._hub = hub
        self._room = room
        self._quiet_ns: int | None = None
        self._busy = False
        self._turns = count()
        self._pressed: WalkStage | None = None

    def watch(self, sitting: Sitting) -> None:
        """Do what is asked, unless it is being done."""
        walk = sitting.walk
        waits = self._hub is not None and walk.listens is None
        if self._alone and not waits and walk.stage is not self._pressed and walk.stage in (
            WalkStage.BEGIN, WalkStage.HEARD, WalkStage.DONE
        ):  # fmt: skip
            self._pressed = walk.stage
            self._clock.after(PRESS_AFTER_NS, self._press)
        if self._hub and walk.stage is WalkStage.QUIET and self._quiet_ns != walk.since_ns:
            self._quiet_ns = walk.since_ns
            self._let_be(walk.since_ns, walk.since_ns + walk.plan.quiet_ns, walk.plan.pieces)
        side = walk.wanted_side
        if walk.stage is WalkStage.FLICKS and side is not None and not self._busy:
            self._busy = True
            self._clock.after(FLICK_AFTER_NS, lambda: self._flick(side, walk.plan.pieces))
        if walk.stage is not WalkStage.DROPS or walk.wanted is None or self._busy:
            return
        self._busy = True
        place = walk.wanted
        self._clock.after(DROP_AFTER_NS, lambda: self._drop(place, walk.plan.pieces))

    def _press(self) -> None:
        now_ns = self._clock.now_ns()
        button = Button(Where.PAGE, Key.OK)
        self._clock.submit(Press(now_ns, now_ns, button, Gesture.SHORT))

    def _let_be(self, begin_ns: int, end_ns: int, pieces: PieceSet) -> None:
        """Shake the board as its room does while nobody touches it."""
        drawn = draw_disturbances(self._room, begin_ns, end_ns, self._rng, str(self._seed))
        board = board_of(_RULES[pieces])
        self._shake(*(blow_of(board, each) for each in drawn if each.at is None))

    def _shake(self, *blows: Blow) -> None:
        if self._hub is not None:
            self._hub.shake(blows)

    def _flick(self, side: Seat, pieces: PieceSet) -> None:
        system, now_ns = _RULES[pieces], self._clock.now_ns()
        board = board_of(system)
        if self._rng.random() < THUMP_SHARE:
            blows: tuple[Blow, ...] = (blow_of(board, Disturbance(0, 4_000.0)),)
        else:
            flick = flick_from(board, side, self._rng)
            shot = shoot(board, opening(system), flick, f"flick {self._rng.random()}")
            blows = blows_of_shot(board, flick, disc_of(board, Piece.STRIKER).mass_g, shot.contacts)
        self._shake(*(each.later(now_ns) for each in blows))
        ends_ns = now_ns + max(each.at_ns for each in blows)
        self._clock.at(ends_ns + STILL_NS + SECOND, self._again)

    def _drop(self, place: DropPlace, pieces: PieceSet) -> None:
        there = [each for each in PIECES[pieces][place.kind] if each in ON_TABLE[_RULES[pieces]]]
        piece = there[next(self._turns) % len(there)]
        two = self._rng.random() < TWO_SHARE and piece not in (Piece.JACK, Piece.QUEEN)
        dropped = [piece, piece] if two else [piece]
        manner = Manner.DOUBLE if two else random_manner(self._rng)
        end_ns = self._table.drop(place.pocket, dropped, manner)
        self._clock.at(end_ns + DROP_AFTER_NS, lambda: self._fetch(dropped))

    def _fetch(self, dropped: list[Piece]) -> None:
        through = self._rng.random() < FETCH_SHARE
        end_ns = self._table.put_back(dropped, reaching_in=through)
        self._clock.at(end_ns + DROP_AFTER_NS, self._again)

    def _again(self) -> None:
        """Wake the calibration with a button that it ignores, to be asked again."""
        self._busy = False
        now_ns = self._clock.now_ns()
        self._clock.submit(Press(now_ns, now_ns, Button(Where.PAGE, Key.FOUL), Gesture.SHORT))


def simulated_bench(
    config: Config,
    pieces: PieceSet,
    *,
    depth_mm: float = CHANCE.depth_mm,
    speed: float | None = 1.0,
    seed: int = 0,
    alone: bool = True,
    room: Room = Room.ALONE,
) -> Bench:
    """Set up the simulated table for a calibration; ``speed`` None: as fast as it goes.

    A sensor hub's serial line takes real time: above about twenty times real time its knocks
    arrive too late to be put together.
    """
    clock = SimClock(speed)
    factory = SimFactory(clock.now_ns)
    chance = changed(CHANCE, depth_mm=depth_mm)
    table = SimTable(clock, factory, config.wires, _RULES[pieces], seed=seed, chance=chance)
    gpio = sim_gpio(factory)
    driver = config.of(OledSection).driver
    chip = OledChip(driver.value) if driver is not OledDriver.NONE else OledChip.SSD1306
    bus = FakeI2C(chip, config.of(OledSection).address)
    displays = displays_beside_play(
        config, gpio, clock, DeviceOverrides(buses={"oled": bus.serial}, direct=speed is None)
    )
    hub, close = (None, lambda: None) if speed is None else _hub(config, clock, seed)
    if hub is not None:
        table.passed = hub.see
    hand = DroppingHand(clock, table, seed, alone=alone, hub=hub, room=room)
    inputs = BoardInputs(config, gpio, clock, str(hub.link) if hub else None)
    return Bench(clock, inputs, displays, hand.watch, close)


def _hub(
    config: Config, clock: SimClock, seed: int
) -> tuple[SimulatedHub | None, Callable[[], None]]:
    """Lay a sensor hub under the board if the config names one; return what removes it."""
    if config.sensor_hub.port is None:
        return None, lambda: None
    folder = tempfile.TemporaryDirectory(prefix="jackspot-ports-")
    try:
        hub = SimulatedHub(clock, Path(folder.name) / "sensor-hub", seed)
    except OSError as error:
        _logger.warning("the sensor hub is left out: it needs a pseudo terminal (%s)", error)
        return None, folder.cleanup

    def close() -> None:
        hub.close()
        folder.cleanup()

    return hub, close
