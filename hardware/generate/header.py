"""Pictures of the 40-pin header: what is on each pin, and where the header lies on each Pi."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from hardware.generate.step import File, Step
from hardware.generate.svg import Sheet
from jackspot.inputs.header import PIN_COUNT, Rail, on_header
from jackspot.inputs.pins import PROFILES, Profile, WireKind, wire_kind
from jackspot.inputs.pins_page import what

_ROW, _TOP, _MIDDLE = 32, 96, 420
_KINDS = {
    WireKind.BEAM: ("one", "one-soft", "beam"),
    WireKind.BUTTON: ("green", "green-soft", "button"),
    WireKind.LAMP: ("accent", "warn-soft", "lamp"),
    WireKind.BUZZER: ("two", "two-soft", "buzzer"),
    WireKind.DISPLAY: ("brown", "brown-soft", "display"),
}
_RAILS = {
    Rail.V5: ("red", "red-soft"),
    Rail.V3: ("warn", "red-soft"),
    Rail.GROUND: ("jack", "sunk"),
    Rail.EEPROM: ("line", "panel"),
}


def make() -> Iterator[File]:
    """Return one picture for each profile, and one of the boards."""
    for profile in PROFILES.values():
        yield File(f"header/{profile.name}.svg", _header(profile))
    yield File("header/boards.svg", _boards())


def _header(profile: Profile) -> bytes:
    sheet = Sheet(2 * _MIDDLE, _TOP + 20 * _ROW + 44, f"The header, profile {profile.name}")
    sheet.text((24, 36), f"The header, profile {profile.name}", size=20, bold=True)
    sheet.text(
        (24, 60),
        "Seen from above on the Pi's parts side; the board's edge is on the right, "
        "pin 1 has a square pad.",
        fill="quiet",
    )
    sheet.rect((_MIDDLE - 34, _TOP - 22), (68, 20 * _ROW + 12), fill="jack", stroke="jack")
    wires = {gpio: name for name, gpio in profile.gpios.items()}
    for pin, found in on_header().items():
        _pin(sheet, pin, found, wires, profile)
    y = _TOP + 20 * _ROW + 20
    x = 24.0
    for stroke, fill, words in _KINDS.values():
        sheet.circle((x + 7, y - 4), 7, fill=fill, stroke=stroke)
        sheet.text((x + 20, y), words, fill="quiet")
        x += 90
    return sheet.content()


def _pin(
    sheet: Sheet, pin: int, found: int | Rail, wires: dict[int, str], profile: Profile
) -> None:
    row, is_right = (pin - 1) // 2, pin % 2 == 0
    y = _TOP + row * _ROW
    way = 1 if is_right else -1
    anchor = "start" if is_right else "end"
    stroke, fill, name, about = _label(found, wires, profile)
    centre = (_MIDDLE + way * 17, y)
    if pin == 1:
        sheet.rect((centre[0] - 11, y - 11), (22, 22), fill=fill, stroke=stroke, radius=2)
    else:
        sheet.circle(centre, 11, fill=fill, stroke=stroke)
    sheet.text((centre[0], y + 4), str(pin), anchor="middle", size=11)
    sheet.line((_MIDDLE + way * 34, y), (_MIDDLE + way * 52, y), stroke)
    gpio = f"GPIO {found}" if not isinstance(found, Rail) else ""
    if gpio:
        sheet.text((_MIDDLE + way * 60, y + 4), gpio, anchor=anchor, fill="quiet", size=12)
    x = _MIDDLE + way * (124 if gpio else 60)
    sheet.text((x, y + (-1 if about else 4)), name, anchor=anchor, bold=bool(about))
    if about:
        sheet.text((x, y + 12), about, anchor=anchor, fill="quiet", size=11)


def _label(found: int | Rail, wires: dict[int, str], profile: Profile) -> tuple[str, str, str, str]:
    """Return the colours of a pin, its name and a few words about it."""
    if isinstance(found, Rail):
        words = "add-on boards' memory" if found is Rail.EEPROM else str(found)
        return *_RAILS[found], words, ""
    taken = profile.taken.get(found)
    if found in wires:
        stroke, fill, _kind = _KINDS[wire_kind(wires[found])]
        shared = f", {taken}" if taken else ""
        return stroke, fill, wires[found], what(wires[found]) + shared
    return "quiet", "panel", taken or "free", ""


class _Board(Struct, frozen=True):
    """A Pi seen from above, the header at the upper edge; millimetres."""

    name: str
    size: tuple[float, float]
    power: tuple[str, float]
    """The socket that feeds it, and how far from the left its middle is."""
    right: tuple[tuple[str, float, float], ...] = ()
    """What stands at the right edge: its name, from where to where, from above."""


_LARGE = (85.0, 56.0)
_MODELS = (
    _Board("Zero 2 W", (65.0, 30.0), ("Micro USB (PWR)", 54.0)),
    _Board(
        "3 B, 3 B+", _LARGE, ("Micro USB", 10.6),
        (("USB", 2.0, 17.0), ("USB", 20.0, 35.0), ("Ethernet", 38.0, 54.0)),
    ),
    _Board(
        "4 B", _LARGE, ("USB-C", 11.2),
        (("Ethernet", 2.0, 18.0), ("USB 3", 21.0, 36.0), ("USB 2", 39.0, 54.0)),
    ),
    _Board(
        "5", _LARGE, ("USB-C", 11.2),
        (("USB 2", 2.0, 17.0), ("USB 3", 20.0, 35.0), ("Ethernet", 38.0, 54.0)),
    ),
)  # fmt: skip
_SCALE = 4.2


def _boards() -> bytes:
    sheet = Sheet(860, 740, "Where the header lies on each Raspberry Pi")
    sheet.text((24, 36), "Where the header lies, and which way round", size=20, bold=True)
    sheet.text(
        (24, 60),
        "Parts side up, header at the upper edge: pin 1 is at the left in the inner row, pin 2 "
        "above it at the edge.",
        fill="quiet",
    )
    for number, board in enumerate(_MODELS):
        _draw_board(sheet, board, (40 + number % 2 * 420, 130 + number // 2 * 330))
    return sheet.content()


def _draw_board(sheet: Sheet, board: _Board, corner: tuple[float, float]) -> None:
    x, y = corner
    width, height = (each * _SCALE for each in board.size)
    sheet.text((x, y - 30), f"Raspberry Pi {board.name}", bold=True, size=15)
    sheet.rect(corner, (width, height), fill="green-soft", stroke="green", radius=10)
    first, pitch = (32.5 - 24.13) * _SCALE, 2.54 * _SCALE
    sheet.rect(
        (x + first - pitch * 0.6, y + pitch * 0.25), (pitch * 20.2, pitch * 2.2), fill="jack",
        stroke="jack", radius=2,
    )  # fmt: skip
    for pin in range(1, PIN_COUNT + 1):
        column, is_outer = (pin - 1) // 2, pin % 2 == 0
        place = (x + first + column * pitch, y + pitch * (0.85 if is_outer else 1.85))
        colour = "red" if pin == 1 else "gold"
        sheet.circle(place, 3.2, fill=colour, stroke="jack")
    sheet.text((x + first - 4, y + pitch * 2.5 + 16), "1", fill="red", bold=True)
    sheet.text((x + first - 4, y - 6), "2", fill="quiet")
    end = x + first + 19 * pitch
    sheet.text((end - 8, y + pitch * 2.5 + 16), "39", fill="quiet")
    sheet.text((end - 8, y - 6), "40", fill="quiet")
    name, from_left = board.power
    sheet.rect(
        (x + from_left * _SCALE - 18, y + height - 16), (36, 20), fill="sunk", stroke="quiet"
    )
    sheet.text(
        (x + from_left * _SCALE, y + height + 22), f"power: {name}", anchor="middle", size=11
    )
    for words, top, bottom in board.right:
        size = (17 * _SCALE, (bottom - top) * _SCALE)
        sheet.rect((x + width - 14 * _SCALE, y + top * _SCALE), size, fill="sunk", stroke="quiet")
        sheet.text(
            (x + width - 5.5 * _SCALE, y + (top + bottom) / 2 * _SCALE + 4), words,
            anchor="middle", size=11,
        )  # fmt: skip


STEP = Step("header", make, owns=("header/*.svg",))
