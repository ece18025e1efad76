"""What a printed board is to the programs that draw, route, print on and pack it, whichever it is.

A board is a :class:`Design`: its parts with their nets, where they stand, and for whom each is
fitted. :data:`KINDS` are the parts that boards are made of.
"""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from hardware.board.shapes import Box
from hardware.generate import electrical as e, sensing
from hardware.generate.parts import parts as bought

GROUND = "GND"
"""The net that fills what is free on both sides of a board."""


class BoardPart(Struct, frozen=True):
    """One part: ``of`` is the wire, cable or group it serves; ``nets`` are by the pad's name.

    ``gpio`` tells the two places of one wire's 1 kohm apart and is None elsewhere.
    """

    ref: str
    part: str
    of: str
    nets: Mapping[str, str]
    gpio: int | None = None


class Kind(Struct, frozen=True):
    """What is bought for a part: its letter, value, and footprint in KiCad 9's library."""

    letter: str
    value: str
    footprint: str


_R, _SO = "Resistor_SMD:R_0805_2012Metric", "Package_SO:SOIC-"
_TVS, _KK = "Diode_SMD:D_SOD-323", "Connector_Molex:Molex_KK-254_AE-6410-"
_DIN = "Jackspot:DIN_CUI_SDS-"

# ruff: noqa: E501

KINDS: Mapping[str, Kind] = {
    "header": Kind("J", "2 x 20 socket, below", "Connector_PinSocket_2.54mm:PinSocket_2x20_P2.54mm_Vertical"),
    "jack_3": Kind("J", "SDS-30J", _DIN + "30J"),
    "jack_5": Kind("J", "SDS-50J", _DIN + "50J"),
    **{f"kk{n}": Kind("J", f"KK 254, {n}", f"{_KK}0{n}A_1x0{n}_P2.54mm_Vertical") for n in (2, 4, 5, 6, 7)},
    "qwiic": Kind("J", "SM04B-SRSS-TB", "Connector_JST:JST_SH_SM04B-SRSS-TB_1x04-1MP_P1.00mm_Horizontal"),
    "pico": Kind("U", "Raspberry Pi Pico, socketed", "Module:RaspberryPi_Pico_Common_THT"),
    "r_1k": Kind("R", "1 k", _R),
    "r_10k": Kind("R", "10 k", _R),
    "r_100": Kind("R", "100", _R),
    "r_3k9": Kind("R", "3.9 k", _R),
    "r_6k8": Kind("R", "6.8 k", _R),
    "r_100k": Kind("R", "100 k", _R),
    "r_33": Kind("R", "33, 0.25 W", "Resistor_SMD:R_1206_3216Metric"),
    "link": Kind("R", "0 ohm", _R),
    "c_100n": Kind("C", "100 nF", "Capacitor_SMD:C_0805_2012Metric"),
    "tvs": Kind("D", "PESD5V0S1BA", _TVS),
    "surge": Kind("D", "SMAJ5.0A", "Diode_SMD:D_SMA"),
    "schottky": Kind("D", "SS14", "Diode_SMD:D_SMA"),
    "clamp": Kind("D", "BAT54S", "Package_TO_SOT_SMD:SOT-23"),
    "amber": Kind("D", "amber LED", "LED_SMD:LED_0805_2012Metric"),
    "ptc_02": Kind("F", "PTC, holds 0.2 A", "Fuse:Fuse_1206_3216Metric"),
    "ptc_075": Kind("F", "PTC, holds 0.75 A", "Fuse:Fuse_1812_4532Metric"),
    "ptc_15": Kind("F", "PTC, holds 1.5 A", "Fuse:Fuse_1812_4532Metric"),
    "driver": Kind("U", "ULN2803A", _SO + "18W_7.5x11.6mm_P1.27mm"),
    "shifter": Kind("U", "74AHCT125", _SO + "14_3.9x8.7mm_P1.27mm"),
    "xor": Kind("U", "74HC86", _SO + "14_3.9x8.7mm_P1.27mm"),
    "multiplexer": Kind("U", "74HC4051", _SO + "16_3.9x9.9mm_P1.27mm"),
    "eeprom": Kind("U", "24C32", _SO + "8_3.9x4.9mm_P1.27mm"),
    "buzzer": Kind("LS", "CEM-1203(42)", "Buzzer_Beeper:Buzzer_12x9.5RM7.6"),
    "lens": Kind("D", f"{bought()['emitter'].number} or {bought()['detector'].number}, below", "LED_THT:LED_D5.0mm"),
    "r_emitter": Kind("R", f"{e.EMITTER_SERIES:g}, 0.25 W", "Resistor_SMD:R_1206_3216Metric"),
    "r_dark": Kind("R", f"{e.BOARD_PULL_UP / 1e3:g} k", _R),
    "npn": Kind("Q", "BC847", "Package_TO_SOT_SMD:SOT-23"),
    "rgb": Kind("D", bought()["rgb"].number, "LED_SMD:LED_Avago_PLCC4_3.2x2.8mm_CW"),
    "photodiode": Kind("D", bought()["photodiode"].number, "OptoDevice:Osram_SMD-DIL2_4.5x4.0mm"),
    "amplifier": Kind("U", bought()["amplifier"].number, "Package_TO_SOT_SMD:SOT-23-5"),
    **{f"r_{name}": Kind("R", f"{light.series:g}", _R) for name, light in sensing.LIGHTS.items()},
    "r_feedback": Kind("R", f"{sensing.FEEDBACK / 1e6:g} M", _R),
    "r_5k6": Kind("R", f"{sensing.DIVIDER[0] / 1e3:g} k", _R),
    "c_22p": Kind("C", "22 pF, C0G", "Capacitor_SMD:C_0805_2012Metric"),
    "cores": Kind("J", "three cores of a cable", "Connector_PinHeader_2.54mm:PinHeader_1x03_P2.54mm_Vertical"),
    "test": Kind("TP", "test pad", "TestPoint:TestPoint_Pad_D1.5mm"),
}  # fmt: skip

Place = tuple[float, float, int]
"""Middle or first pad of a part, and by how many degrees it is turned, counter-clockwise."""

Wanted = tuple[str, str, Mapping[str, str], int | None]
"""A part before it has a designator: its kind, and the rest as in :class:`BoardPart`."""

Said = tuple[str, tuple[float, ...]]
"""A text and how high its letters may be in millimetres, the best first."""


class Design(Struct, frozen=True, eq=False):
    """A board: ``folder`` and ``name`` say where its files are, ``title`` is printed on it.

    ``fitted`` are those who fit it differently, each with which parts it has; ``purpose`` gives
    what is printed beside a part, "" for nothing. Holes are x, y and drill. ``cores`` gives what
    the cores of a cable are called that are soldered into a part's holes, by pad.
    """

    name: str
    folder: str
    title: Said
    title_at: Box
    wide_mm: float
    high_mm: float
    parts: tuple[BoardPart, ...]
    places: Mapping[str, Place]
    holes: tuple[tuple[float, float, float], ...]
    fitted: Mapping[str, Callable[[BoardPart], bool]]
    purpose: Callable[[BoardPart], Said]
    cores: Callable[[BoardPart], Mapping[str, str]] = lambda _part: {}

    def nets(self) -> Mapping[str, tuple[tuple[str, str], ...]]:
        """Return the pads on every net, each as designator and pad."""
        found: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for part in self.parts:
            for pad, net in part.nets.items():
                found[net].append((part.ref, pad))
        return {net: tuple(pads) for net, pads in sorted(found.items())}


def designated(wanted: Iterable[Wanted]) -> tuple[BoardPart, ...]:
    """Return parts with their designators, counted by their letters."""
    counted: Counter[str] = Counter()
    found = []
    for part, of, nets, gpio in wanted:
        letter = KINDS[part].letter
        counted[letter] += 1
        found.append(BoardPart(f"{letter}{counted[letter]}", part, of, nets, gpio))
    return tuple(found)


def numbered(*names: str | None) -> dict[str, str]:
    """Return nets by pad, from pad 1 on; None is a pad without a net."""
    return {str(pad): net for pad, net in enumerate(names, 1) if net is not None}


def unique_id(name: str) -> str:
    """Return an identifier that is the same for the same name."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"jackspot-board/{name}"))


def broad(net: str) -> bool:
    """Return whether a net carries a supply of 5 V, and so has broad tracks."""
    return net.startswith("5V") and net != "5V_PICO"
