"""A calibration on the simulated table: its pins, its OLED, and a hand that drops pieces.

The hand does what it is asked and no more than people do: now and then it drops two, and it
fetches a piece out of the pocket, which breaks the beam too. It stays away while it should be
quiet. What runs is the calibration as it runs on a Pi.
"""

from __future__ import annotations

import random
from dataclasses import replace

from jackspot.assembly import BoardInputs, DeviceOverrides, displays_beside_play
from jackspot.calibration.live import Bench
from jackspot.calibration.measuring.measured import PIECES, DropPlace, PieceSet
from jackspot.calibration.measuring.sitting import Sitting
from jackspot.calibration.measuring.walk import WalkStage
from jackspot.config.model import Config
from jackspot.core.pieces import Piece
from jackspot.core.settings import RuleSystem
from jackspot.displays.oled.kind import OledDriver, OledSection
from jackspot.displays.oled.wire import OledChip
from jackspot.sensing.events import Button, Gesture, Key, Place as Where, Press
from jackspot_sim.chance.pulses import CHANCE, MS, Manner, random_manner
from jackspot_sim.clock import SimClock
from jackspot_sim.devices.bus import FakeI2C
from jackspot_sim.devices.pins import SimFactory, sim_gpio
from jackspot_sim.table.table import SimTable

DROP_AFTER_NS = 700 * MS
"""From the last drop's end to the next one."""
PRESS_AFTER_NS = 300 * MS
TWO_SHARE = 0.03
"""How often the hand drops two where one was asked for."""
FETCH_SHARE = 0.10
"""How often it fetches a piece through the beam."""

_RULES = {PieceSet.CAROM: RuleSystem.HIKONE, PieceSet.CARROM: RuleSystem.ICF}


class DroppingHand:
    """A hand at the simulated table that drops what a calibration asks for.

    ``alone``: nobody else is there, so it presses OK too.
    """

    def __init__(self, clock: SimClock, table: SimTable, seed: int, *, alone: bool) -> None:
        self._clock = clock
        self._table = table
        self._rng = random.Random(seed)
        self._alone = alone
        self._busy = False
        self._pressed: WalkStage | None = None

    def watch(self, sitting: Sitting) -> None:
        """Do what is asked, unless it is being done."""
        walk = sitting.walk
        if self._alone and walk.stage is not self._pressed and walk.stage in (
            WalkStage.BEGIN, WalkStage.HEARD, WalkStage.DONE
        ):  # fmt: skip
            self._pressed = walk.stage
            self._clock.after(PRESS_AFTER_NS, self._press)
        if walk.stage is not WalkStage.DROPS or walk.wanted is None or self._busy:
            return
        self._busy = True
        place = walk.wanted
        self._clock.after(DROP_AFTER_NS, lambda: self._drop(place, walk.plan.pieces))

    def _press(self) -> None:
        now_ns = self._clock.now_ns()
        button = Button(Where.PAGE, Key.OK)
        self._clock.submit(Press(now_ns, now_ns, button, Gesture.SHORT))

    def _drop(self, place: DropPlace, pieces: PieceSet) -> None:
        piece = PIECES[pieces][place.kind][0]
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
        """Wake the calibration by a button that says nothing to it, to be asked again."""
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
) -> Bench:
    """Set up the simulated table for a calibration; ``speed`` None: as fast as it goes."""
    clock = SimClock(speed)
    factory = SimFactory(clock.now_ns)
    chance = replace(CHANCE, depth_mm=depth_mm)
    table = SimTable(clock, factory, config.wires, _RULES[pieces], seed=seed, chance=chance)
    gpio = sim_gpio(factory)
    driver = config.of(OledSection).driver
    chip = OledChip(driver.value) if driver is not OledDriver.NONE else OledChip.SSD1306
    bus = FakeI2C(chip, config.of(OledSection).address)
    displays = displays_beside_play(
        config, gpio, clock, DeviceOverrides(buses={"oled": bus.serial}, direct=speed is None)
    )
    hand = DroppingHand(clock, table, seed, alone=alone)
    return Bench(clock, BoardInputs(config, gpio, clock), displays, hand.watch)
