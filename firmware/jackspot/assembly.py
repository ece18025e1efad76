"""Assemble a board from its config: the one place that knows every part.

The simulated table uses it too, with its own pins, buses and clock: it runs the same board that
runs on a Pi.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field
from msgspec.structs import asdict

from jackspot import __version__
from jackspot.board import Board, BoardParts, DisplayPort, WatchdogPort
from jackspot.config import ConfigError, hotspot
from jackspot.config.model import Config, short_pin
from jackspot.config.sections import BoardSection, ClockStart
from jackspot.core.agreement import agree
from jackspot.core.pieces import Pocket, Seat
from jackspot.core.rules import RULES
from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.entries import EntryKind, JournalEntry, check
from jackspot.dialogue.state.listener import EventListener
from jackspot.dialogue.state.plans import Plan
from jackspot.dialogue.state.preferences import Lock
from jackspot.dialogue.state.view import PreferencesView
from jackspot.displays import DISPLAYS, DisplayKind, Mount, make_displays
from jackspot.displays.buzzer import BUZZER, BuzzerSection
from jackspot.displays.lamps import LAMPS
from jackspot.displays.oled.hotspot import Network
from jackspot.displays.oled.kind import OLED
from jackspot.displays.oled.sign_in import SignInAddress
from jackspot.displays.thread import DirectDisplay, DisplayThread
from jackspot.festival.joining import KeptHall, read_either
from jackspot.history.on_demand import LaterHistory
from jackspot.inputs.break_beams import open_beams
from jackspot.inputs.buttons import open_buttons
from jackspot.inputs.edges import Inputs as Wires
from jackspot.inputs.factory import Gpio
from jackspot.inputs.pins import Active, WireKind, lamp_wire
from jackspot.inputs.queue import EventSource
from jackspot.readings.colours import ColourModel
from jackspot.readings.shots import ShotModel
from jackspot.readings.usual import AS_PUBLISHED, Times
from jackspot.readings.widths import WidthModel
from jackspot.sensing.buttons import earliest
from jackspot.sensing.events import Button, HubDiscs, Stick, StickTold
from jackspot.storage.entries import Kinds
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import GivenWall
from jackspot.values import changed
from jackspot.web.addresses import PAGES, is_loopback, page_url

if TYPE_CHECKING:  # the pages' library is opened only when there are pages
    from jackspot.festival.asks import Look
    from jackspot.festival.messages import AboutMessage
    from jackspot.festival.updating import UpdateDoor
    from jackspot.sensor_link.reader import SensorHubReader
    from jackspot.web.live import LiveBoard
    from jackspot.web.referee.kept import KeptFile

_logger = logging.getLogger(__name__)

KINDS: Kinds = {kind.value: partial(check, kind.value) for kind in EntryKind}
"""Every kind of journal entry with its check."""


class DeviceOverrides(Struct, frozen=True):
    """Devices that replace the machine's own, such as those of the simulated table.

    ``buses`` open the buses of displays and ``ports`` say where they are, by their tables of the
    config. ``ports`` also has the sensor hub's, empty for none. ``direct`` shows each view before
    the next event is taken, so that every run is the same. ``pages`` serves the pages in place of
    the board's own server; it is given the live board to serve. ``further`` are additional displays
    of the caller. ``listeners`` hear all events.

    ``widths`` are those that readings use. ``shots`` and ``colours`` are the models by which they
    weigh knocks and frames if there is a sensor hub. A calibrated board has its own of all three.
    ``times`` are what a board that may learn has learnt.

    ``in_hall``: it is the board that its hall knows, not a replay or a simulated table with its
    config, and it reports to the hall what happens. Its ``doctor`` examines it when the hall asks,
    its ``door`` takes newer versions that the hall offers. ``wall`` is the machine's wall clock.
    ``calibrates``: the menu has a calibration, and the code that runs the board guides people
    through it. ``board`` makes the board of its parts and displays.
    """

    buses: Mapping[str, Callable[[], Any]] = field(default_factory=lambda: MappingProxyType({}))
    ports: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    direct: bool = False
    pages: Callable[[LiveBoard], DisplayPort] | None = None
    further: tuple[DisplayPort, ...] = ()
    listeners: tuple[EventListener, ...] = ()
    widths: WidthModel = field(default_factory=WidthModel)
    shots: ShotModel = field(default_factory=ShotModel)
    colours: ColourModel = field(default_factory=ColourModel)
    times: Times = field(default_factory=lambda: AS_PUBLISHED)
    in_hall: bool = False
    doctor: Look | None = None
    door: UpdateDoor | None = None
    wall: GivenWall | None = None
    calibrates: bool = False
    board: Callable[[BoardParts, Sequence[DisplayPort]], Board] = Board


class BoardInputs:
    """Beams and buttons of a board, opened when the loop starts, and a sensor hub at ``hub_port``.

    Code that only looks at wires, like the doctor, opens no hub, because the board may be reading
    it. ``calibrated`` are the discs with which the board was calibrated.
    """

    def __init__(
        self, config: Config, gpio: Gpio, source: EventSource, hub_port: str | None = None,
        calibrated: HubDiscs | None = None,
    ) -> None:  # fmt: skip
        self._calibrated = calibrated
        self._hub: SensorHubReader | None = None
        self._hub_port = hub_port
        self._config = config
        self._gpio = gpio
        self._source = source
        self._open: list[Wires] = []

    def start(self) -> Collection[Pocket | Button]:
        """Claim and watch the wires; return those that are active already."""
        wires, source = self._config.wires, self._source
        self._open = [
            open_beams(self._gpio, wires, source.submit, source.now_ns),
            open_buttons(self._gpio, wires, source.submit, source.now_ns),
        ]
        levels = [level for opened in self._open for level in opened.listen().items()]
        if self._hub_port is not None:
            from jackspot.sensor_link.reader import SensorHubReader

            self._hub = SensorHubReader(
                self._hub_port, self._config.sensor_hub, source.submit, source.now_ns,
                calibrated=self._calibrated,
            )  # fmt: skip
            self._hub.start()
        return frozenset(source for source, active in levels if active)

    def look(self, now_ns: int) -> int | None:
        """Find edges that were lost; return when to look again, if at all."""
        return earliest(opened.look(now_ns) for opened in self._open)

    def close(self) -> None:
        """Stop watching, and release the pins."""
        if self._hub is not None:
            self._hub.close()
        for opened in self._open:
            opened.close()
        self._gpio.close()


def assemble(
    config: Config,
    gpio: Gpio,
    source: EventSource,
    keeper: Keeper,
    watchdog: WatchdogPort,
    overrides: DeviceOverrides | None = None,
) -> Board:
    """Assemble a board. Nothing is opened yet but the journal and the pin factory.

    Raises DisplayError where a display's library is missing.
    """
    overrides = overrides or DeviceOverrides()
    door = _door(config, keeper.path)
    wires = tuple(wire.source for wire in config.wires if wire.source is not None)
    hub_port = overrides.ports.get("sensor_hub", config.sensor_hub.port)
    parts = BoardParts(
        source=source, keeper=keeper,
        inputs=BoardInputs(config, gpio, source, hub_port or None, overrides.shots.learnt_with),
        watchdog=watchdog, wires=wires, hold_offs=config.hold_offs, limits=config.limits,
        dialogue_settings=changed(
            dialogue_settings(
                config, overrides.widths, overrides.times, overrides.shots, overrides.colours
            ),
            calibrates=overrides.calibrates,
            has_hotspot=_network(config, keeper.path) is not None,
            made_its_pin=door.made is not None,
        ),
        plan=plan(config),
        listeners=(
            *(() if door.made is None else (_PinMaker(door.made),)),
            *(_hall(config, source, keeper, overrides) if overrides.in_hall else ()),
            *overrides.listeners,
        ),
    )  # fmt: skip
    return overrides.board(parts, _displays(config, gpio, source, overrides, door))


def dialogue_settings(
    config: Config, widths: WidthModel | None = None, times: Times = AS_PUBLISHED,
    shots: ShotModel | None = None, colours: ColourModel | None = None,
) -> DialogueSettings:  # fmt: skip
    """Return how the board is set to behave.

    ``widths``, ``shots`` and ``colours`` are those of a calibrated board, ``times`` what it has
    learnt from its strokes. Without a sensor hub neither knocks nor colours are weighed.
    """
    return DialogueSettings(
        **asdict(config.dialogue),
        confirm=Confirm(config.confirm.value),
        places=config.places,
        buttons=config.pressed,
        free_rest=config.board.free_play,
        preferences=preferences(config),
        name=config.board.name if config.board.name != BoardSection().name else "",
        people=config.people.names,
        locked=config.board.locked,
        has_referees_page=config.web.enabled and not is_loopback(config.web.host),
        widths=widths or WidthModel(),
        times=times,
        further=() if config.sensor_hub.port is None else (colours or ColourModel(),),
        shots=None if config.sensor_hub.port is None else shots or ShotModel(),
    )


def preferences(config: Config) -> PreferencesView:
    """Return the board's own settings until people change them."""
    buzzer = config.of(BuzzerSection)
    volume = 0 if buzzer.silent else buzzer.volume
    return PreferencesView(config.board.language, config.board.brightness, volume)


def plan(config: Config) -> Plan:
    """Return what set-up proposes."""
    lineup = agree(config.match).seats
    return Plan(config.match, lineup, lineup[0], config.board.clock is ClockStart.GONG)


def _network(config: Config, journal: Path | None) -> Network | None:
    """Return the board's own network, if phones can reach its page there."""
    found = hotspot.told(journal) if journal is not None else None
    if found is None or not config.web.enabled or is_loopback(config.web.host):
        return None
    return Network(*found, page_url(hotspot.ADDRESS, config.web.port))


class _Door(Struct, frozen=True):
    """How people sign in on the pages.

    Referees use ``pin`` (empty for none, None for the one that the board made), or scan the code
    made of it. ``kept`` None: nothing is stored. ``journal`` has the matches that are shown; None:
    none are.
    """

    pin: str | None = ""
    kept: KeptFile | None = None
    journal: Path | None = None

    @property
    def made(self) -> KeptFile | None:
        """The file with the PIN that the board made itself, if it did."""
        return self.kept if self.pin is None else None

    def address(self, url: str) -> SignInAddress:
        """Return what a display shows of the current way to sign in."""
        if self.kept is None:
            return SignInAddress(url, self.pin or "")
        from jackspot.web.referee.kept import door_code

        now = self.kept.now
        pin = now.pin if self.pin is None else self.pin
        return SignInAddress(url, pin, door_code(now.key, pin))


class _PinMaker(EventListener):
    """Make another PIN when people ask for it, before anything shows the new one."""

    def __init__(self, kept: KeptFile) -> None:
        self._kept = kept

    def wrote(self, entries: Sequence[JournalEntry]) -> None:
        """Make another PIN if one of the entries asks for it."""
        if any(entry.kind is EntryKind.NEW_PIN for entry in entries):
            self._kept.renew_pin()


def _door(config: Config, journal: Path) -> _Door:
    """Return the config's PIN, or on a network one that the board makes and stores.

    The same if the config's PIN is too short for a network: the board starts, and says so.
    """
    web = config.web
    if not web.enabled or web.pin == "" or (web.pin is None and is_loopback(web.host)):
        return _Door(journal=journal)
    from jackspot.web.referee.kept import KEPT_NAME, KeptFile

    kept = KeptFile(journal.with_name(KEPT_NAME))
    if too_short := short_pin(web):
        _logger.warning("%s", too_short)
    return _Door(None if too_short else web.pin, kept, journal)


def _hall(
    config: Config, source: EventSource, keeper: Keeper, overrides: DeviceOverrides
) -> tuple[EventListener, ...]:
    """Return the listener that keeps the link to the board's hall, while it is in one."""
    from jackspot.festival.guest import HallGuest

    about: AboutMessage = {
        "v": 1,
        "name": config.board.name,
        "version": __version__,
        "rules": list(RULES),
        "pages": _addresses(config),
        "parts": [wire.name for wire in config.wires],
    }
    kept = KeptHall(keeper.path, config.festival)
    return (
        HallGuest(
            kept, about, source.now_ns, source.submit, entries=keeper.last,
            doctor=overrides.doctor, door=overrides.door,
        ),
    )  # fmt: skip


def _joins(kept: KeptHall, source: EventSource) -> Callable[[str], str]:
    """Return a function that takes the board into the hall of a text that a page sends."""

    def join(text: str) -> str:
        try:
            section = read_either(text)
        except ConfigError as wrong:
            raise ValueError(str(wrong)) from wrong
        kept.join(section)
        number = kept.now().festival.number
        source.submit(StickTold(source.now_ns(), Stick.JOINED, section.hall, number))
        return section.hall

    return join


def _addresses(config: Config) -> list[str]:
    """Return the addresses of the board's pages that others can reach."""
    web = config.web
    if not web.enabled or not web.port or is_loopback(web.host):
        return []
    return [page_url(web.host, web.port, path) for path in PAGES.values()]


def _displays(
    config: Config,
    gpio: Gpio,
    source: EventSource,
    overrides: DeviceOverrides,
    door: _Door,
    kinds: tuple[DisplayKind, ...] = DISPLAYS,
) -> tuple[DisplayPort, ...]:
    mount = _mount(config, gpio, source, overrides, door)
    plain = tuple(make_displays(mount, kinds))
    runner = (
        DirectDisplay if overrides.direct else partial(DisplayThread, counts=source.is_real_time)
    )
    shown: list[DisplayPort] = [runner(display, source.submit, source.now_ns) for display in plain]
    shown += overrides.further
    if config.web.enabled:
        shown.append(_pages(config, gpio, source, overrides, [each.name for each in plain], door))
    return tuple(shown)


def _mount(
    config: Config, gpio: Gpio, source: EventSource, overrides: DeviceOverrides, door: _Door
) -> Mount:
    return Mount(
        tables=config.displays,
        outputs={wire.name: wire.gpio for wire in config.wires if wire.source is None},
        lamps={seat: w.gpio for seat in Seat if (w := config.wire(lamp_wire(seat))) is not None},
        lamps_shine_high=config.pins.lamp_active is Active.HIGH,
        spi_device=config.spi_device,
        pin_factory=gpio.factory,
        clock=source.now_ns,
        door=lambda: door.address(page_url(config.web.host, config.web.port, "referee")),
        network=lambda: _network(config, door.journal),
        buses=overrides.buses,
        ports=overrides.ports,
        unhurried=not overrides.direct,
    )


def displays_beside_play(
    config: Config, gpio: Gpio, source: EventSource, overrides: DeviceOverrides | None = None
) -> tuple[DisplayPort, ...]:
    """Return only OLED, lamps and buzzer, for work on a board while nobody plays.

    Raises DisplayError where a display's library is missing.
    """
    small = changed(config, web=changed(config.web, enabled=False))
    kinds = (OLED, LAMPS, BUZZER)
    return _displays(small, gpio, source, overrides or DeviceOverrides(), _Door(), kinds)


def _pages(
    config: Config,
    gpio: Gpio,
    source: EventSource,
    overrides: DeviceOverrides,
    displays: Sequence[str],
    door: _Door,
) -> DisplayPort:
    from jackspot.web.banner import read_banner
    from jackspot.web.identity import Identity, Part, PartKind
    from jackspot.web.live import LiveBoard
    from jackspot.web.server import WebDisplay, WebSettings

    kinds = {WireKind.BEAM: PartKind.BEAM, WireKind.BUTTON: PartKind.BUTTON}
    parts = [Part(w.name, kinds[w.kind], gpio.stamps) for w in config.wires if w.kind in kinds]
    parts += [Part(name, PartKind.DISPLAY) for name in displays]
    if config.sensor_hub.port is not None:
        from jackspot.sensor_link.protocol.hearing import PART

        parts.append(Part(PART, PartKind.SENSOR_HUB))
    hold_ms = config.dialogue.hold_ns // 1_000_000
    identity = Identity(config.board.name, tuple(parts), hold_ms)
    live = LiveBoard(source.now_ns, source.submit, identity)
    live.banner = read_banner(config.web.event, config.web.logo)
    if door.journal is not None:
        hides = config.web.hides_names
        live.matches = LaterHistory(door.journal, config.board.name, initials=hides)
    if overrides.in_hall and door.journal is not None and Lock.HALL not in config.board.locked:
        live.join = _joins(KeptHall(door.journal, config.festival), source)
    if overrides.pages is not None:
        return overrides.pages(live)
    settings = WebSettings(
        config.web.host, config.web.port, pin=door.pin, kept=door.kept, wall=overrides.wall
    )
    return WebDisplay(live, settings)
