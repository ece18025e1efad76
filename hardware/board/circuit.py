"""The parts of a printed hub board and their nets, derived from the pin and cable tables.

One board serves every build: what a build lacks is left out (:func:`fitted`). A wire that has
another GPIO in the other profile has a second place for its 1 kohm, and the one that is fitted
chooses the GPIO; leaving out the lamps' 1 kohm also frees their GPIOs for a build's buttons.

A net is named after what it carries: ``GPIO5`` on the Pi's side, the wire's own name on the
socket's side, ``5V_pocket_ne`` behind a socket's fuse. No places and no tracks are known here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from hardware.board.design import GROUND, BoardPart, Said, Wanted, designated, numbered
from hardware.generate.builds import Build
from jackspot.inputs.cables import BUS_GPIOS, BusLine, Cable, CableKind, Displays, cables
from jackspot.inputs.header import Rail, on_header
from jackspot.inputs.pins import (
    BUZZER,
    PROFILES,
    Active as Level,
    Wire,
    WireKind,
    wire_kind,
    wire_source,
)

RAW_5, FUSED_5, RAW_3, FUSED_3 = "5V_PI", "5V", "3V3", "3V3_OUT"
_RAILS = {Rail.V5: RAW_5, Rail.V3: RAW_3, Rail.GROUND: GROUND}
_PICO_GROUND = (3, 8, 13, 18, 23, 28, 33, 38)
HEADS, DISCS = ("ne", "se", "sw", "nw"), ("n", "e", "s", "w")
"""Colour heads and discs of the sensor hub, in the order of the multiplexer's wires."""

HEAD_LIGHTS = ("head_R", "head_G", "head_B")
"""What the driver pulls to ground while a light of the colour heads shines."""
REST = "rest"
"""Where discs rest: 3.3 V, divided."""

SENSORS, DRIVER, LIGHTS, LEVEL = "sensors", "driver", "lights", "level"
"""What parts belong to that serve no single wire or cable."""


def gpio_net(gpio: int) -> str:
    """Return the net of a GPIO of the Pi."""
    return f"GPIO{gpio}"


def gpios(wire: str) -> tuple[int, ...]:
    """Return every GPIO that a wire has in some profile, the first profile's first."""
    found = (profile.gpios.get(wire) for profile in PROFILES.values())
    return tuple(dict.fromkeys(gpio for gpio in found if gpio is not None))


@cache
def sockets() -> tuple[Cable, ...]:
    """Return the cable of every socket on the board, each once and whole."""
    names = dict.fromkeys(name for profile in PROFILES.values() for name in profile.gpios)
    wires = [Wire(n, wire_kind(n), gpios(n)[0], Level.LOW, source=wire_source(n)) for n in names]
    i2c = cables(wires, Displays(oled_i2c=True, matrix=1))
    spi = [c for c in cables(wires, Displays(oled_spi=True)) if c.kind is CableKind.OLED_SPI]
    return (*i2c, *(Cable("oled_spi", c.kind, c.cores) for c in spi))


@cache
def parts() -> tuple[BoardPart, ...]:
    """Return every part of the board, fitted or not."""
    return designated(_wanted())


def fitted(part: BoardPart, build: Build) -> bool:
    """Return whether a build has a part; nothing of the sensor hub is fitted in any build yet."""
    there = {wire.name: wire for wire in build.wires}
    if part.part == "link":
        return build.bare_beams
    if part.of in {name for profile in PROFILES.values() for name in profile.gpios}:
        wire = there.get(part.of)
        return wire is not None and part.gpio in {None, wire.gpio}
    count = build.counts()
    groups = {
        SENSORS: 0,
        DRIVER: count["switched"],
        LEVEL: count["matrix"],
        "oled": count["oled"],
        "oled_spi": count["oled_spi"],
    }
    if part.of in groups:
        return bool(groups[part.of])
    names = {cable.name for cable in build.cables}
    return part.of not in {cable.name for cable in sockets()} or part.of in names


def purpose(part: BoardPart) -> Said:
    """Return what is printed beside a socket or test pad; "" for any other part."""
    said = _purpose(part).replace("_", " ").upper()
    return said, (1.0, 0.8) if part.part == "test" or part.of == SENSORS else (1.5, 1.0)


def _purpose(part: BoardPart) -> str:
    if part.part == "test":
        return part.nets["1"]
    if part.part == "header":
        return "Raspberry Pi"
    if part.part == "pico":
        return "Raspberry Pi Pico"
    if not part.part.startswith(("jack", "kk", "qwiic")):
        return ""
    if part.of == SENSORS:
        return part.nets["1"]
    return part.of


def _two(first: str, second: str) -> dict[str, str]:
    return {"1": first, "2": second}


def _wanted() -> Iterator[Wanted]:
    yield "header", "Pi", {str(pin): _on_pin(pin, what) for pin, what in on_header().items()}, None
    yield from _supplies()
    for cable in sockets():
        yield from _socket(cable)
    yield from _inputs()
    yield from _switched()
    yield from _bus()
    yield from _memory()
    yield from _sensors()
    for net in (RAW_5, FUSED_5, RAW_3, FUSED_3, GROUND, GROUND):
        yield "test", "checklist", {"1": net}, None


def _on_pin(pin: int, what: int | Rail) -> str:
    if isinstance(what, int):
        return gpio_net(what)
    return _RAILS.get(what) or {27: "ID_SD", 28: "ID_SC"}[pin]


def _supplies() -> Iterator[Wanted]:
    yield "ptc_075", "5 V", _two(RAW_5, FUSED_5), None
    yield "surge", "5 V", _two(FUSED_5, GROUND), None
    yield "ptc_02", "3.3 V", _two(RAW_3, FUSED_3), None
    yield "ptc_15", LEVEL, _two(RAW_5, "5V_matrix"), None


_JACKS = {
    CableKind.POCKET: "jack_3",
    CableKind.SEAT: "jack_5",
    CableKind.BOX: "kk6",
    CableKind.OLED: "kk4",
    CableKind.OLED_SPI: "kk7",
    CableKind.MATRIX: "kk5",
}
_SHELLED = {CableKind.POCKET, CableKind.SEAT}


def _socket(cable: Cable) -> Iterator[Wanted]:
    contacts = {str(core.contact): _at_contact(cable, core.signal) for core in cable.cores}
    shell = {"S": GROUND} if cable.kind in _SHELLED else {}
    yield _JACKS[cable.kind], cable.name, contacts | shell, None
    if cable.kind in _SHELLED and Rail.V5 in {core.signal for core in cable.cores}:
        yield "ptc_02", cable.name, _two(FUSED_5, f"5V_{cable.name}"), None


def _at_contact(cable: Cable, signal: str | BusLine | Rail) -> str:
    if signal is Rail.V5:
        return f"5V_{cable.name}"
    if signal is Rail.V3:
        return FUSED_3
    if signal is Rail.GROUND:
        return GROUND
    if cable.kind in {CableKind.OLED, CableKind.MATRIX}:
        return f"{cable.name}_{signal}"
    if isinstance(signal, BusLine):
        return gpio_net(BUS_GPIOS[signal])
    return gpio_net(gpios(signal)[0]) if cable.kind is CableKind.OLED_SPI else signal


def _inputs() -> Iterator[Wanted]:
    """On the socket's side each input has its TVS and 10 kohm to 3.3 V, then 1 kohm to the Pi."""
    wires = dict.fromkeys(name for profile in PROFILES.values() for name in profile.gpios)
    inputs = [n for n in wires if wire_kind(n) in {WireKind.BEAM, WireKind.BUTTON}]
    for name in inputs:
        yield "tvs", name, _two(name, GROUND), None
        yield "r_10k", name, _two(name, RAW_3), None
        for gpio in gpios(name):
            yield "r_1k", name, _two(name, gpio_net(gpio)), gpio
    beams = [name for name in inputs if wire_kind(name) is WireKind.BEAM]
    for name in beams:  # alight while the beam is whole, also before any program runs
        yield "r_1k", name, _two(f"light_{name}", f"amber_{name}"), None
        yield "amber", name, _two(GROUND, f"amber_{name}"), None
        yield "test", name, {"1": name}, None
    seen = [gpio_net(gpios(name)[0]) for name in beams]
    lights = [f"light_{name}" for name in beams]
    polarity = "whole_is_low"
    gates = numbered(
        seen[0], polarity, lights[0], seen[1], polarity, lights[1], GROUND,
        lights[2], seen[2], polarity, lights[3], seen[3], polarity, RAW_3,
    )  # fmt: skip
    yield "xor", LIGHTS, gates, None
    yield "c_100n", LIGHTS, _two(RAW_3, GROUND), None
    yield "r_10k", LIGHTS, _two(polarity, GROUND), None
    yield "link", LIGHTS, _two(polarity, RAW_3), None


def _switched() -> Iterator[Wanted]:
    """One ULN2803A switches lamps and buzzer; its last three channels strobe the heads' lights."""
    wires = PROFILES["full-i2c"].gpios
    names = [n for n in wires if wire_kind(n) is WireKind.LAMP] + [BUZZER]
    for name in names:
        [gpio] = gpios(name)
        yield "r_1k", name, _two(gpio_net(gpio), f"on_{name}"), None
    inputs = [*(f"on_{name}" for name in names), "strobe_R", "strobe_G", "strobe_B"]
    outputs = [*(n if n != BUZZER else "buzzer_low" for n in names), *HEAD_LIGHTS]
    yield "driver", DRIVER, numbered(*inputs, GROUND, FUSED_5, *reversed(outputs)), None
    yield "r_33", BUZZER, _two(FUSED_5, "buzzer_high"), None
    yield "buzzer", BUZZER, _two("buzzer_high", "buzzer_low"), None


def _bus() -> Iterator[Wanted]:
    for line in (BusLine.SDA, BusLine.SCL):
        yield "r_100", "I2C", _two(gpio_net(BUS_GPIOS[line]), f"oled_{line}"), None
        yield "tvs", "I2C", _two(f"oled_{line}", GROUND), None
    yield "qwiic", "I2C", numbered(GROUND, FUSED_3, "oled_SDA", "oled_SCL") | {"MP": GROUND}, None
    mosi, select, clock = (
        (gpio_net(BUS_GPIOS[line]), f"matrix_{line}")
        for line in (BusLine.MOSI, BusLine.CE1, BusLine.SCLK)
    )
    shifter = numbered(
        GROUND, *mosi, GROUND, *select, GROUND, clock[1], clock[0], GROUND,
        None, GROUND, "5V_matrix", "5V_matrix",
    )  # fmt: skip
    yield "shifter", LEVEL, shifter, None
    yield "c_100n", LEVEL, _two("5V_matrix", GROUND), None


def _memory() -> Iterator[Wanted]:
    """Yield the HAT+ memory; its write protection is lifted by joining the test pad with ground."""
    ground = (GROUND,) * 4
    yield "eeprom", "memory", numbered(*ground, "ID_SD", "ID_SC", "protect", RAW_3), None
    yield "c_100n", "memory", _two(RAW_3, GROUND), None
    for net, part in (("ID_SD", "r_3k9"), ("ID_SC", "r_3k9"), ("protect", "r_10k")):
        yield part, "memory", _two(RAW_3, net), None
    yield "test", "memory", {"1": "protect"}, None


def _sensors() -> Iterator[Wanted]:
    """Yield a Pico with four colour heads and four discs, and its serial line to the Pi.

    A disc rests a little above ground, and a pair of diodes keeps its wire between the supplies.
    """
    pico = {str(pad): GROUND for pad in _PICO_GROUND}
    pico |= {"1": "pico_TX", "2": "pico_RX", "4": "select_0", "5": "select_1", "6": "select_2"}
    pico |= {"9": "strobe_R", "10": "strobe_G", "11": "strobe_B"}
    pico |= {"31": "sensed", "36": "3V3_PICO", "39": "5V_PICO"}
    yield "pico", SENSORS, pico, None
    yield "schottky", SENSORS, {"1": "5V_PICO", "2": FUSED_5}, None
    yield "r_1k", SENSORS, _two("pico_TX", gpio_net(15)), None
    yield "r_1k", SENSORS, _two("pico_RX", gpio_net(BUS_GPIOS[BusLine.TXD])), None
    head, disc = [f"head_{at}_in" for at in HEADS], [f"disc_{at}_in" for at in DISCS]
    both = numbered(
        disc[0], disc[2], "sensed", disc[3], disc[1], GROUND, GROUND, GROUND,
        "select_2", "select_1", "select_0", head[3], head[0], head[1], head[2], "3V3_PICO",
    )  # fmt: skip
    yield "multiplexer", SENSORS, both, None
    yield "c_100n", SENSORS, _two("3V3_PICO", GROUND), None
    yield "r_6k8", SENSORS, _two("3V3_PICO", REST), None
    yield "r_1k", SENSORS, _two(REST, GROUND), None
    yield "c_100n", SENSORS, _two(REST, GROUND), None
    for at in HEADS:
        yield "kk6", SENSORS, numbered(*head_lines(at)), None
        yield "r_1k", SENSORS, _two(f"head_{at}", f"head_{at}_in"), None
    for at in DISCS:
        yield "kk2", SENSORS, numbered(f"disc_{at}", GROUND), None
        yield "r_10k", SENSORS, _two(f"disc_{at}", f"disc_{at}_in"), None
        yield "r_100k", SENSORS, _two(f"disc_{at}_in", REST), None
        yield "clamp", SENSORS, numbered(GROUND, "3V3_PICO", f"disc_{at}_in"), None


def head_lines(at: str) -> tuple[str, ...]:
    """Return what a colour head's cable carries, by contact: ground is where the box's is."""
    return f"head_{at}", GROUND, *HEAD_LIGHTS, FUSED_5
