"""The config as a whole: every table checked, then what depends on several of them.

Works on data and reads no file. A table with mistakes does not hide those of the others: its
valid keys are kept for the checks that look at several tables, so that one run of
``jackspot check-config`` names every mistake.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from jackspot.config.pins import (
    PinsChoices,
    PinsSection,
    ProfileName,
    WireSetting,
    wires,
    wrong_anywhere,
)
from jackspot.config.sections import (
    BoardSection,
    CalibrationSection,
    ConfirmSetting,
    DialogueSection,
    GpioSection,
    HotspotSection,
    JournalSection,
    LearntSection,
    PeopleSection,
    SensingSection,
    StickSection,
    WebSection,
)
from jackspot.core.agreement import HANDICAPS, KEYS, At, Disagreement, agree
from jackspot.core.options import OPTIONS
from jackspot.core.pieces import Pocket, Seat
from jackspot.core.settings import USUAL_RULES
from jackspot.dialogue.state.controls import whole_places
from jackspot.displays import DISPLAYS, TABLES as DISPLAY_TABLES
from jackspot.displays.kind import Tables
from jackspot.displays.matrix.kind import MatrixSection
from jackspot.displays.oled.kind import OledDriver, OledInterface, OledSection
from jackspot.displays.signs.kind import SignKind, SignSection
from jackspot.displays.signs.serial_line import what_is_wrong
from jackspot.festival.section import FestivalSection
from jackspot.inputs.pins import DISPLAY_SELECT, SELECTS, SPI_PINS, WIRE_NAMES, Wire, WireKind
from jackspot.sensing.events import Button, Key, Place
from jackspot.sensing.limits import SECOND, Limits
from jackspot.sensor_link.section import SensorHubSection
from jackspot.settings.mistakes import (
    SECRETS,
    ConfigError,
    Mistake,
    nearest,
    told_key,
    told_table,
    written,
)
from jackspot.settings.section import Section, SectionT, keys_of, pick, read_section
from jackspot.values import changed
from jackspot.web.addresses import is_loopback

MATCH_TABLE = "match"
KNOWN_IN_MATCH = frozenset((*KEYS, *Seat, *OPTIONS, *HANDICAPS))
"""Every key that [match] and the tables in it may have."""
DEFAULT_MATCH: Mapping[str, object] = MappingProxyType({"rules": USUAL_RULES.value})

_DISPLAY_BY_PROFILE = {
    ProfileName.FULL_I2C: OledInterface.I2C,
    ProfileName.SPI: OledInterface.SPI,
}


class Config(Struct, frozen=True):
    """Everything the owner decides, checked. ``wires`` are all wires that are connected.

    ``match`` is a record's header as data. ``displays`` are the displays' own tables; ``interface``
    and ``port`` of ``[oled]`` are filled in.
    """

    board: BoardSection
    match: Mapping[str, object]
    people: PeopleSection
    dialogue: DialogueSection
    sensing: SensingSection
    pins: PinsChoices
    gpio: GpioSection
    displays: Tables
    web: WebSection
    hotspot: HotspotSection
    stick: StickSection
    journal: JournalSection
    calibration: CalibrationSection
    learnt: LearntSection
    festival: FestivalSection
    sensor_hub: SensorHubSection
    wires: tuple[Wire, ...]

    def of(self, kind: type[SectionT]) -> SectionT:
        """Return a display's table by its kind: ``config.of(OledSection)``."""
        return pick(self.displays.values(), kind)

    @property
    def confirm(self) -> ConfirmSetting:
        """Whose presses count, with ``auto`` decided: referee, anyone or opponent."""
        if self.board.confirm is not ConfirmSetting.AUTO:
            return self.board.confirm
        return (
            ConfirmSetting.REFEREE
            if Place.REFEREE in whole_places(self.buttons)
            else ConfirmSetting.ANYONE
        )

    @property
    def places(self) -> frozenset[Place]:
        """Where there are buttons, the page among them."""
        wired = {button.place for button in self.buttons}
        return frozenset(wired | {Place.PAGE} if self.web.enabled else wired)

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The buttons that are wired."""
        return tuple(w.source for w in self.wires if isinstance(w.source, Button))

    @property
    def pressed(self) -> frozenset[Button]:
        """The buttons that can be pressed: the wired ones and the page's."""
        page = {Button(Place.PAGE, key) for key in Key} if self.web.enabled else set[Button]()
        return frozenset({*self.buttons, *page})

    def wire(self, name: str) -> Wire | None:
        """Return the wire of this name, or None."""
        return next((wire for wire in self.wires if wire.name == name), None)

    @property
    def hold_offs(self) -> Mapping[Pocket | Button, int]:
        """For how long each input must be inactive to count as released, in nanoseconds."""
        return {w.source: w.hold_off_ns for w in self.wires if w.source is not None}

    def of_kind(self, kind: WireKind) -> tuple[Wire, ...]:
        """Return the wires of one kind."""
        return tuple(wire for wire in self.wires if wire.kind is kind)

    @property
    def limits(self) -> Limits:
        """The limits of sensing."""
        return _limits(self.sensing, self.dialogue)

    @property
    def spi_device(self) -> int:
        """The chip select of an SPI display on its bus: 0 or 1."""
        select = self.wire(DISPLAY_SELECT)
        return SELECTS[select.gpio][1] if select else 0


class Origin(Struct, frozen=True):
    """Which file each key came from: ``files`` by table and key, else ``default``."""

    default: str
    files: Mapping[tuple[str, str], str]

    def of(self, table: str, key: str = "") -> str:
        """Return the file to name for a mistake at this key."""
        return self.files.get((table, key)) or self.files.get((table, "")) or self.default


SECTIONS: Mapping[str, type[Section]] = MappingProxyType(
    {
        "board": BoardSection,
        "people": PeopleSection,
        "dialogue": DialogueSection,
        "sensing": SensingSection,
        "pins": PinsSection,
        "gpio": GpioSection,
        **DISPLAY_TABLES,
        "web": WebSection,
        "hotspot": HotspotSection,
        "stick": StickSection,
        "journal": JournalSection,
        "calibration": CalibrationSection,
        "learnt": LearntSection,
        "festival": FestivalSection,
        "sensor_hub": SensorHubSection,
    }
)
TABLES: tuple[str, ...] = ("board", MATCH_TABLE, *list(SECTIONS)[1:])
"""Every table of the file, in the order of the documentation."""


def has_secret(table: str) -> bool:
    """Return whether a table of the file has a key whose value is shown to nobody."""
    kind = SECTIONS.get(table)
    return kind is not None and not set(SECRETS).isdisjoint(keys_of(kind))


class _Checker:
    """One pass over the data that collects mistakes instead of stopping at the first."""

    def __init__(self, data: Mapping[str, object], origin: Origin) -> None:
        self._data = data
        self.origin = origin
        self.mistakes: list[Mistake] = []

    def blame(self, table: str, key: str, words: str) -> None:
        self.mistakes.append(Mistake(self.origin.of(table, key), table, key, words))

    def unknown_tables(self) -> None:
        for name, found in self._data.items():
            if name not in TABLES:
                told, hint = told_table(name, found, TABLES), nearest(name, TABLES)
                self.mistakes.append(
                    Mistake(self.origin.of(name), "", f"[{told}]", f"is not a table here; {hint}")
                )

    def table(self, name: str) -> Mapping[str, object]:
        """Return a table's keys; anything but a table is a mistake and counts as empty."""
        found = self._data.get(name, {})
        if isinstance(found, Mapping):
            return found
        said = "" if has_secret(name) else f"= {written(found)}"
        words = f"{said}: expected a table, [{name}]"
        self.mistakes.append(Mistake(self.origin.of(name), "", name, words))
        return {}

    def section(self, name: str, model: type[SectionT]) -> tuple[SectionT, frozenset[str]]:
        """Check one table; return it without its bad keys, and their names."""
        table = self.table(name)
        section, wrong = read_section(model, table)
        for key, found in wrong.items():
            file, told = self.origin.of(name, key), told_key(key, table[key], keys_of(model))
            self.mistakes += (Mistake(file, name, told, words) for words in found)
        return section, frozenset(wrong)


def check(data: Mapping[str, object], origin: Origin) -> Config:
    """Check a whole config; raises ConfigError with every mistake."""
    checker = _Checker(data, origin)
    checker.unknown_tables()
    checked = {name: checker.section(name, kind) for name, kind in SECTIONS.items()}
    own = {name: each for name, (each, _) in checked.items() if name not in DISPLAY_TABLES}
    displays = {name: checked[name][0] for name in DISPLAY_TABLES}
    flawed = {name: bad for name, (_, bad) in checked.items()}
    pins, sensing = pick(own.values(), PinsSection), pick(own.values(), SensingSection)
    web, dialogue = pick(own.values(), WebSection), pick(own.values(), DialogueSection)
    match = _match(checker)
    found: tuple[Wire, ...] = ()
    if "profile" not in flawed["pins"]:
        found = _wires(checker, pins, flawed["pins"], sensing)
        _enough_buttons(checker, found, web, pick(own.values(), BoardSection))
        if not flawed["oled"] & {"driver", "interface"}:
            displays["oled"] = _oled(checker, pick(displays.values(), OledSection), pins)
    else:
        for complaint in wrong_anywhere(pins):
            checker.blame("pins", complaint.key, complaint.words)
    _web(checker, web)
    _festival(checker, pick(own.values(), FestivalSection))
    _kept_files(checker, own)
    _sensor_hub(checker, pick(own.values(), SensorHubSection), pick(displays.values(), SignSection))
    _matrix(checker, displays, found)
    for kind in DISPLAYS:
        for blame in kind.check(displays, flawed):
            checker.blame(*blame)
    _dependent(checker, sensing, dialogue)
    if checker.mistakes:
        raise ConfigError(sorted(checker.mistakes, key=_in_order))
    parts: dict[str, Any] = own
    return Config(match=match, displays=MappingProxyType(displays), wires=found, **parts)


def _in_order(mistake: Mistake) -> int:
    table = mistake.table.partition(".")[0]
    return TABLES.index(table) if table in TABLES else -1


def _match(checker: _Checker) -> Mapping[str, object]:
    """Check what is agreed before a match, in the way a record's header is checked."""
    header = MappingProxyType({**DEFAULT_MATCH, **checker.table(MATCH_TABLE)})
    try:
        agree(header)
    except Disagreement as disagreement:
        for found in disagreement.mistakes:
            *above, key = found.path
            table = ".".join((MATCH_TABLE, *above))
            file = checker.origin.of(MATCH_TABLE, found.path[0])
            if found.at is At.KEY:
                value: object = header
                for each in found.path:
                    value = value.get(each) if isinstance(value, Mapping) else None
                told = told_key(key, value, KNOWN_IN_MATCH)
                mistake = Mistake(file, table, "", found.message.replace(f"'{key}'", f"'{told}'"))
            else:
                mistake = Mistake(file, table, key, f": {found.message}")
            checker.mistakes.append(mistake)
    return header


def _wires(
    checker: _Checker, pins: PinsChoices, bad: frozenset[str], sensing: SensingSection
) -> tuple[Wire, ...]:
    """Return every wire; wires whose keys are wrong already are not checked for clashes."""
    unclear: dict[str, Any] = dict.fromkeys(bad & set(WIRE_NAMES), WireSetting(absent=True))
    found, complaints = wires(changed(pins, **unclear), sensing)
    for complaint in complaints:
        checker.blame("pins", complaint.key, complaint.words)
    return found


def _enough_buttons(
    checker: _Checker, found: tuple[Wire, ...], web: WebSection, board: BoardSection
) -> None:
    """Check that people can answer everything: with two buttons of one place, or on the page."""
    if web.enabled:
        return
    buttons = [wire.source for wire in found if isinstance(wire.source, Button)]
    whole = whole_places(buttons)
    if whole and board.confirm is ConfirmSetting.REFEREE and Place.REFEREE not in whole:
        checker.blame(
            "board",
            "confirm",
            '= "referee", but the box has not both OK and FIX (or OK and UNDO), and [web] '
            'enabled = false: nobody could decide; choose "anyone" or "opponent"',
        )
    if len(buttons) < 2:
        checker.blame(
            "pins",
            "",
            f"leaves {len(buttons)} buttons, and [web] enabled = false: "
            "expected at least two buttons or the page",
        )
    elif not any(button.key is Key.OK for button in buttons):
        checker.blame(
            "pins", "", "leaves no OK button, and [web] enabled = false: expected one or the page"
        )
    elif not whole:
        checker.blame(
            "pins",
            "",
            "leaves no place with both OK and FIX (or OK and UNDO), and [web] enabled = false: "
            "expected a seat or the box from which everything can be said, or the page",
        )


def _oled(checker: _Checker, oled: OledSection, pins: PinsChoices) -> OledSection:
    """Fill in how the display is wired, and check it against the profile."""
    wired = _DISPLAY_BY_PROFILE[pins.profile]
    if oled.interface not in (None, wired) and oled.driver is not OledDriver.NONE:
        other = next(p for p, kind in _DISPLAY_BY_PROFILE.items() if kind is oled.interface)
        checker.blame(
            "oled",
            "interface",
            f'= "{oled.interface}" does not go with [pins] profile = "{pins.profile}"; '
            f'choose profile = "{other}" or interface = "{wired}"',
        )
    port = oled.port if oled.port is not None else (1 if wired is OledInterface.I2C else 0)
    return changed(oled, interface=wired, port=port)


def _matrix(checker: _Checker, displays: Tables, found: tuple[Wire, ...]) -> None:
    """Check that the matrix has the SPI bus, and a chip select of its own."""
    matrix, oled = pick(displays.values(), MatrixSection), pick(displays.values(), OledSection)
    if matrix.driver == "none" or matrix.port != 0:
        return
    inside = next((w for w in found if w.gpio in SPI_PINS and w.kind is not WireKind.DISPLAY), None)
    if inside is not None:
        checker.blame(
            "matrix",
            "driver",
            f'= "{matrix.driver}" needs {SPI_PINS[inside.gpio]} on GPIO {inside.gpio}, where '
            f'{inside.name} is; choose [pins] profile = "spi", or move that wire',
        )
    select = next((w for w in found if w.name == DISPLAY_SELECT), None)
    if select is None or select.gpio not in SELECTS or oled.driver is OledDriver.NONE:
        return
    if SELECTS[select.gpio][1] == matrix.device:
        other = 1 - matrix.device
        checker.blame(
            "matrix",
            "device",
            f"= {matrix.device} is the OLED's chip select (GPIO {select.gpio}); "
            f"choose device = {other}",
        )


NETWORK_PIN = 6
"""The fewest digits of the PIN of a board on the network: guessing six takes months."""


def short_pin(web: WebSection) -> str:
    """Return that a PIN is too short for the network, and so not used; empty: it is long enough."""
    digits = len(web.pin or "")
    if not web.enabled or not 0 < digits < NETWORK_PIN or is_loopback(web.host):
        return ""
    return (
        f"[web] pin has {digits} digits, which somebody on the network of host = "
        f"{written(web.host)} finds by trying: it is not used, the board has made one and shows "
        "it; choose 6 to 12 digits, or leave it out"
    )


def _web(checker: _Checker, web: WebSection) -> None:
    """Check that a board on the network asks for a PIN."""
    if web.enabled and web.pin == "" and not is_loopback(web.host):
        checker.blame(
            "web",
            "pin",
            f'= "" lets everybody on the network of host = {written(web.host)} press; choose 6 to '
            "12 digits, or leave it out: then the board makes one and shows it. No PIN goes with "
            'host = "127.0.0.1" only',
        )


def _festival(checker: _Checker, festival: FestivalSection) -> None:
    """Check that nobody on the network can read passwords and results."""
    others = [host for host, _ in festival.broker if not is_loopback(host)]
    if festival.hall and festival.ca is None and others:
        checker.blame(
            "festival",
            "broker",
            f"= {written(others[0])} is another machine, and without ca all is said in the clear; "
            "name the file of the hall's certificate: ca",
        )


def _kept_files(checker: _Checker, tables: Mapping[str, Section]) -> None:
    """Check that journal, calibration and what is learnt are three files."""
    paths = {
        "journal": pick(tables.values(), JournalSection).path,
        "calibration": pick(tables.values(), CalibrationSection).path,
        "learnt": pick(tables.values(), LearntSection).path,
    }
    taken: dict[Path, str] = {}
    for table, path in paths.items():
        other = taken.setdefault(path, table)
        if other != table:
            words = f"= {written(str(path))} is [{other}] path; expected one of its own"
            checker.blame(table, "path", words)


def _sensor_hub(checker: _Checker, hub: SensorHubSection, sign: SignSection) -> None:
    """Check that the sensor hub's port is a valid one, and not the sign's."""
    if hub.port is not None and (wrong := what_is_wrong(hub.port)):
        checker.blame("sensor_hub", "port", f"= {written(hub.port)}: expected {wrong}")
    elif hub.port is not None and sign.kind is not SignKind.NONE and hub.port == sign.port:
        words = f"= {written(hub.port)} is the sign's port; expected one of its own"
        checker.blame("sensor_hub", "port", words)


def _dependent(checker: _Checker, sensing: SensingSection, dialogue: DialogueSection) -> None:
    if dialogue.settle_ns > dialogue.settle_at_most_ns:
        checker.blame(
            "dialogue",
            "settle_s",
            f"= {dialogue.settle_ns / SECOND:g}: expected at most settle_at_most_s, "
            f"which is {dialogue.settle_at_most_ns / SECOND:g}",
        )
    try:
        _limits(sensing, dialogue)
    except ValueError as failure:
        checker.blame("sensing", "", f"contradicts itself (nanoseconds): {failure}")


def _limits(sensing: SensingSection, dialogue: DialogueSection) -> Limits:
    return Limits(**asdict(sensing), hold_ns=dialogue.hold_ns)
