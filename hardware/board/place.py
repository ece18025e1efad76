"""Where every part of the hub's board stands, in millimetres from its top left corner, y down.

The board lies above the Pi, on its header, as a HAT does: the Pi's header is at the top edge, its
USB sockets stand out past the right edge, and below its USB-C socket 45 mm are free to the edge.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from functools import partial

from hardware.board.circuit import LEVEL, SENSORS, fitted, parts, purpose
from hardware.board.design import BoardPart, Design, Place
from hardware.generate.builds import BUILDS
from jackspot.inputs.cables import CableKind

WIDE_MM, HIGH_MM = 160.0, 101.5
PI_X_MM, PI_Y_MM = 95.0, 0.5
"""Where the Pi's corner with the SD card and the header lies."""

HOLES: tuple[tuple[float, float, float], ...] = (
    *((PI_X_MM + x, PI_Y_MM + y, 2.7) for x in (3.5, 61.5) for y in (3.5, 26.5, 52.5)),
    *((x, y, 3.2) for x, y in ((28.0, 4.0), (4.0, 70.0))),
    (156.0, 72.0, 3.2),
)
"""Holes: those of the Pi 4 (58 x 49) and the Zero (58 x 23), and the board's own."""

_LOWER = ("pocket_ne", "pocket_se", "pocket_sw", "pocket_nw", "seat_n", "seat_e")
_UPPER = ("seat_s", "seat_w", "box")


def _places() -> Mapping[str, Place]:
    """Return the place of every part by its designator."""
    found: dict[str, Place] = {}
    grouped: dict[tuple[str, str], list[BoardPart]] = defaultdict(list)
    for part in parts():
        grouped[part.of, part.part].append(part)
    for i, name in enumerate(_LOWER):
        _cell(found, grouped, name, 14.0 + 26 * i, upper=False)
    for i, name in enumerate(_UPPER):
        _cell(found, grouped, name, 15.0 + 26 * i, upper=True)
    for key, spots in _SPOTS.items():
        for part, spot in zip(grouped[key], spots, strict=True):
            found[part.ref] = spot
    return found


def _cell(
    found: dict[str, Place],
    grouped: Mapping[tuple[str, str], list[BoardPart]],
    name: str,
    middle: float,
    *,
    upper: bool,
) -> None:
    """Place a socket at an edge, and behind it what stands between its contacts and the Pi."""

    def put(ref: str, x: float, deep: float, turn: int) -> None:
        if upper:
            found[ref] = (middle - x, deep, (turn + 180) % 360)
        else:
            found[ref] = (middle + x, HIGH_MM - deep, turn)

    kind = CableKind(name.split("_", maxsplit=1)[0])
    jack = next(p for (of, _), those in grouped.items() if of == name for p in those
                if p.part.startswith(("jack", "kk")))  # fmt: skip
    put(jack.ref, *((-6.35, 4.5) if kind is CableKind.BOX else (0.0, 1.75)), 0)
    for fuse in grouped.get((name, "ptc_02"), []):
        put(fuse.ref, -8.0 if kind is CableKind.POCKET else 1.5, 22.0, 90)
    signals = [
        net for _, net in sorted(jack.nets.items()) if ("GND" not in net and "5V" not in net)
    ]
    columns = {CableKind.POCKET: (8.0,), CableKind.SEAT: (8.0, -8.0)}.get(kind)
    columns = columns or (11.0, 5.5, 0.0, -5.5, -11.0)
    for signal, x in zip([s for s in signals if not s.startswith("lamp")], columns, strict=True):
        beside = x + 2.7 if kind is CableKind.SEAT and x < 0 else x - 2.7
        put(grouped[signal, "tvs"][0].ref, x, 21.5, 90)
        put(grouped[signal, "r_10k"][0].ref, beside, 21.5, 90)
        series = [p for p in grouped[signal, "r_1k"] if p.gpio is not None]
        for part, at in zip(series, (x, beside), strict=False):
            put(part.ref, at, 27.0, 90)
        if kind is CableKind.POCKET:
            light = next(p for p in grouped[signal, "r_1k"] if p.gpio is None)
            put(light.ref, 0.0, 26.0, 0)
            put(grouped[signal, "amber"][0].ref, 0.0, 22.5, 0)
            put(grouped[signal, "test"][0].ref, 5.0, 26.5, 0)


_SPOTS: Mapping[tuple[str, str], tuple[Place, ...]] = {
    ("Pi", "header"): ((PI_X_MM + 8.37, PI_Y_MM + 3.5, 0),),
    ("5 V", "ptc_075"): ((107.0, 12.0, 0),),
    ("5 V", "surge"): ((107.0, 17.0, 0),),
    ("3.3 V", "ptc_02"): ((99.0, 12.0, 90),),
    (LEVEL, "ptc_15"): ((116.0, 12.0, 0),),
    (LEVEL, "shifter"): ((130.0, 50.0, 0),),
    (LEVEL, "c_100n"): ((130.0, 44.0, 0),),
    ("matrix", "kk5"): ((138.0, 64.0, 0),),
    ("oled", "kk4"): ((97.0, 64.0, 0),),
    ("oled_spi", "kk7"): ((112.0, 64.0, 0),),
    ("I2C", "qwiic"): ((156.5, 62.0, 90),),
    ("I2C", "r_100"): ((100.0, 32.0, 90), (103.0, 32.0, 90)),
    ("I2C", "tvs"): ((100.0, 38.0, 90), (103.0, 38.0, 90)),
    ("memory", "eeprom"): ((141.0, 14.0, 0),),
    ("memory", "c_100n"): ((147.0, 10.5, 0),),
    ("memory", "r_3k9"): ((134.5, 12.0, 90), (131.5, 12.0, 90)),
    ("memory", "r_10k"): ((147.0, 14.0, 0),),
    ("memory", "test"): ((151.5, 17.5, 0),),
    ("driver", "driver"): ((146.0, 31.0, 0),),
    ("buzzer", "r_1k"): ((135.0, 36.0, 0),),
    **{(f"lamp_{s}", "r_1k"): ((135.0, 26.0 + 2.5 * i, 0),) for i, s in enumerate("nesw")},
    ("buzzer", "r_33"): ((152.0, 41.0, 0),),
    ("buzzer", "buzzer"): ((141.0, 47.5, 0),),
    ("lights", "xor"): ((118.0, 30.0, 0),),
    ("lights", "c_100n"): ((118.0, 24.0, 0),),
    ("lights", "r_10k"): ((125.0, 27.0, 90),),
    ("lights", "link"): ((125.0, 32.0, 90),),
    (SENSORS, "pico"): ((14.0, 44.9, 0),),
    (SENSORS, "schottky"): ((28.0, 31.5, 0),),
    (SENSORS, "r_1k"): ((8.0, 62.0, 90), (12.0, 62.0, 90), (62.2, 64.3, 90),
                        *((67.0, 34.0 + 8 * n, 90) for n in range(4))),
    (SENSORS, "multiplexer"): ((52.0, 64.0, 90),),
    (SENSORS, "c_100n"): ((43.0, 64.0, 90), (61.0, 69.3, 0)),
    (SENSORS, "kk6"): tuple((71.5, 34.0 + 8 * n, 0) for n in range(4)),
    (SENSORS, "kk2"): tuple((90.5, 34.0 + 8 * n, 0) for n in range(4)),
    (SENSORS, "r_6k8"): ((59.5, 64.3, 90),),
    (SENSORS, "r_100k"): tuple((68.0 + 6 * n, 64.3, 90) for n in range(4)),
    (SENSORS, "r_10k"): tuple((65.0 + 6 * n, 64.3, 90) for n in range(4)),
    (SENSORS, "clamp"): tuple((66.5 + 6 * n, 69.3, 90) for n in range(4)),
    ("checklist", "test"): ((99.0, 18.0, 0), (112.0, 18.0, 0), (99.0, 22.0, 0),
                            (103.0, 22.0, 0), (126.0, 20.0, 0), (130.0, 20.0, 0)),
}  # fmt: skip

HUB = Design(
    name="hub",
    folder="board",
    title=("JACKSPOT HUB BOARD 1", (1.5,)),
    title_at=(75.0, 28.0, 75.0, 28.0),
    wide_mm=WIDE_MM,
    high_mm=HIGH_MM,
    parts=parts(),
    places=_places(),
    holes=HOLES,
    fitted={build.name: partial(fitted, build=build) for build in BUILDS},
    purpose=purpose,
)
