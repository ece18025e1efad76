"""A whole board on simulated devices: the firmware as it is, and the table around it.

Everything of the firmware is the real thing: inputs through gpiozero, the OLED through
luma's driver, the sign through pyserial, the journal on the disk. Only what is behind the wires
is simulated: pins, bus, sign, time.
"""

from __future__ import annotations

import logging
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from jackspot.assembly import KINDS, DeviceOverrides, assemble
from jackspot.board import Board, BoardParts, DisplayPort
from jackspot.capture.tap import Recipient, tap_for
from jackspot.config.model import Config
from jackspot.core.directives import Entry
from jackspot.core.pieces import Piece, Pocket
from jackspot.core.rules import rules_for
from jackspot.core.settings import USUAL_RULES, RuleSystem
from jackspot.core.stroke import Stroke
from jackspot.dialogue.state.plans import rules_of
from jackspot.displays.matrix.kind import MatrixSection
from jackspot.displays.oled.kind import OledDriver, OledInterface, OledSection
from jackspot.displays.oled.wire import OledChip
from jackspot.displays.signs.kind import SignKind, SignSection
from jackspot.ops.watchdog import Watchdog
from jackspot.readings.colours import ColourModel
from jackspot.readings.shots import ShotModel
from jackspot.sensing.events import Button, ButtonDown, ButtonUp, Place
from jackspot.storage.entries import Kinds
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import SystemWall, Wall
from jackspot.web.live import LiveBoard
from jackspot_sim.chance.pulses import MS
from jackspot_sim.clock import SimClock
from jackspot_sim.devices.bus import FakeI2C, FakeSpi
from jackspot_sim.devices.matrix_chain import MatrixChain
from jackspot_sim.devices.pins import OutputListener, SimFactory, sim_gpio
from jackspot_sim.devices.sensor_hub import SimulatedHub
from jackspot_sim.devices.sign import SimulatedSign
from jackspot_sim.devices.sign_decoders import AlphaDecoder, Decoder, PlainDecoder, SegmentDecoder
from jackspot_sim.table.steward import Steward
from jackspot_sim.table.table import LoggedEdge, SimTable

if TYPE_CHECKING:
    from jackspot.festival.asks import Look
    from jackspot.festival.updating import UpdateDoor

_logger = logging.getLogger(__name__)

BETWEEN_PIECES_NS = 120 * MS
"""Between two pieces that the same stroke sends into pockets."""


class Onlookers(Struct, frozen=True):
    """Who else is at a rig: further displays, pages, listeners for edges and outputs, a capture."""

    further: tuple[DisplayPort, ...] = ()
    pages: Callable[[LiveBoard], DisplayPort] | None = None
    on_edge: Callable[[LoggedEdge], None] = lambda _edge: None
    on_output: OutputListener = lambda _change: None
    captured: Recipient | None = None
    in_hall: bool = False
    """Whether a hall is told what happens at the rig, if the config names one."""
    doctor: Look | None = None
    """What examines the board when that hall asks for it."""
    door: UpdateDoor | None = None
    """What accepts newer versions that the hall offers."""


class Built(Struct, frozen=True):
    """The board of a rig: ``board`` makes it.

    ``shots`` and ``colours`` are those of a calibrated board. ``own_hub``: if its config names a
    sensor hub it gets a simulated one, whatever is at that port; otherwise it opens the port.
    """

    board: Callable[[BoardParts, Sequence[DisplayPort]], Board] = Board
    own_hub: bool = True
    shots: ShotModel = field(default_factory=ShotModel)
    colours: ColourModel = field(default_factory=ColourModel)
    calibration: str = ""
    """The text of the file that they come from, for a capture."""


class Rig:
    """One simulated board on a clock of its own; one at full speed is the same each time.

    ``direct`` shows each view before the next event is taken. ``keep`` opens the journal.
    Raises JournalBusy where another board has it.
    """

    def __init__(
        self,
        config: Config,
        journal: Path,
        clock: SimClock,
        onlookers: Onlookers | None = None,
        *,
        direct: bool = True,
        seed: int = 0,
        keep: Callable[[Path, Kinds, Wall], Keeper] = Keeper,
        built: Built | None = None,
    ) -> None:
        onlookers, built = onlookers or Onlookers(), built or Built()
        self.config = config
        self.clock = clock
        self.factory = SimFactory(clock.now_ns, onlookers.on_output)
        rules = RuleSystem(str(config.match.get("rules", USUAL_RULES)))
        self.table = SimTable(
            clock, self.factory, config.wires, rules, seed=seed, on_edge=onlookers.on_edge
        )
        self.steward = Steward(self.table)
        self.bus = _bus(config)
        self.matrix = MatrixChain(config.of(MatrixSection).columns * config.of(MatrixSection).rows)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.sign = self._sign(config.of(SignSection).kind)
        has_hub = config.sensor_hub.port is not None and built.own_hub
        self.hub = self._hub(seed) if has_hub else None
        if self.hub is not None:
            self.table.passed = self.hub.see
        if not (self.sign or self.hub):
            self._forget_ports()
        ports = {"sign": str(self.sign.link)} if self.sign else {}
        if has_hub:
            ports["sensor_hub"] = str(self.hub.link) if self.hub else ""
        self.keeper = keep(journal, KINDS, SystemWall())
        overrides = DeviceOverrides(
            buses={"oled": self.bus.serial, "matrix": self.matrix.serial},
            ports=ports,
            direct=direct,
            pages=onlookers.pages,
            further=(self.steward, *onlookers.further),
            listeners=(tap_for(config, journal, onlookers.captured, calibration=built.calibration),)
            if onlookers.captured
            else (),
            shots=built.shots,
            colours=built.colours,
            board=built.board,
            in_hall=onlookers.in_hall,
            doctor=onlookers.doctor,
            door=onlookers.door,
        )
        self.board: Board = assemble(
            config, sim_gpio(self.factory), clock, self.keeper, Watchdog({}), overrides
        )

    def _sign(self, kind: SignKind) -> SimulatedSign | None:
        """Put up the sign that the config names; None if no pseudo terminal is available."""
        if kind is SignKind.NONE:
            return None
        decoder: Decoder = _DECODERS[kind]()
        try:
            return SimulatedSign(decoder, self._ports / "sign")
        except OSError as error:
            _logger.warning(
                "the LED sign is left out: it needs a pseudo terminal (%s); mount /dev/pts", error
            )
            return None

    def _hub(self, seed: int) -> SimulatedHub | None:
        """Lay a sensor hub under the board; None if none is available."""
        if self.clock.speed is None:
            _logger.warning(
                "the sensor hub is left out: a serial line takes real time, and this table runs "
                "as fast as it can"
            )
            return None
        try:
            return SimulatedHub(self.clock, self._ports / "sensor-hub", seed)
        except OSError as error:
            _logger.warning(
                "the sensor hub is left out: it needs a pseudo terminal (%s); mount /dev/pts", error
            )
            return None

    def _forget_ports(self) -> None:
        """Remove the names of the serial devices."""
        if self._folder is not None:
            self._folder.cleanup()

    @property
    def _ports(self) -> Path:
        """The folder of the names by which serial devices are opened."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="jackspot-ports-")
        return Path(self._folder.name)

    def run(self) -> None:
        """Run the board until its clock is closed."""
        try:
            self.board.run()
        finally:
            for device in (self.sign, self.hub):
                if device is not None:
                    device.close()
            self._forget_ports()

    def lay_out(self, current: Entry | None = None) -> None:
        """Lay the pieces as a board that was restarted has them.

        ``current`` is the stroke that may be open in a review. Pocketed pieces lie on the floor
        here: it does not matter where they are put back from.
        """
        dialogue = self.board.dialogue
        if dialogue.game is None:
            self.table.set_up(rules_of(dialogue.plan))
            return
        state = dialogue.game.match.state
        rules = state.settings.rules
        out = Counter(dialogue.place)
        if dialogue.proposal is not None and isinstance(current, Stroke):
            out.update(each.piece for each in current.departures)
        self.table.lay(rules, Counter(rules_for(rules).on_board(state.position)) - out)


_DECODERS: Mapping[SignKind, Callable[[], Decoder]] = {
    SignKind.ALPHA: AlphaDecoder,
    SignKind.OPENSEGMENT: SegmentDecoder,
    SignKind.TEMPLATE: PlainDecoder,
}


def _bus(config: Config) -> FakeI2C | FakeSpi:
    driver = config.of(OledSection).driver
    chip = OledChip(driver.value) if driver is not OledDriver.NONE else OledChip.SSD1306
    if config.of(OledSection).interface is OledInterface.SPI:
        return FakeSpi(chip)
    return FakeI2C(chip, config.of(OledSection).address)


class RigHands:
    """Hands at the table of a rig, as the people who play a record use them.

    ``asked`` returns the token of the question that a page shows.
    """

    def __init__(
        self, clock: SimClock, table: SimTable, asked: Callable[[], int | None] = lambda: None
    ) -> None:
        self._clock = clock
        self._table = table
        self._asked = asked

    def drop(self, pocket: Pocket, pieces: Sequence[Piece]) -> None:
        """Let pieces fall into a pocket, one after the other."""
        for index, piece in enumerate(pieces):
            self._clock.after(index * BETWEEN_PIECES_NS, _dropping(self._table, pocket, piece))

    def fly_off(self, pieces: Sequence[Piece]) -> None:
        """Let pieces fly off the board."""
        self._table.fly_off(pieces)

    def put_back(self, pieces: Sequence[Piece]) -> None:
        """Put pieces back on the board."""
        self._table.put_back(pieces)

    def fetch_strikers(self) -> None:
        """Take the strikers out of the pockets."""
        self._table.take_striker()

    def press(self, button: Button) -> None:
        """Push a button down; a page's goes straight to the board."""
        if button.place is Place.PAGE:
            self._clock.submit(ButtonDown(self._clock.now_ns(), button, self._asked()))
        else:
            self._table.down(button)

    def release(self, button: Button) -> None:
        """Let it go."""
        if button.place is Place.PAGE:
            self._clock.submit(ButtonUp(self._clock.now_ns(), button))
        else:
            self._table.up(button)


def _dropping(table: SimTable, pocket: Pocket, piece: Piece) -> Callable[[], None]:
    def drop() -> None:
        table.drop(pocket, [piece])

    return drop


def entered(board: Board) -> tuple[Entry, ...]:
    """Return the entries that a board has confirmed, in order."""
    game = board.dialogue.game
    if game is None:
        return ()
    return tuple(entry for line in game.lines for entry in line.entries)
