"""Writes the pin table as a page: which wire goes to which pin of the header.

``make hardware`` updates it, with the pictures. It reads the table and nothing else.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from jackspot.core.pieces import Pocket
from jackspot.inputs.cables import Displays, cables
from jackspot.inputs.header import HEADER_PINS
from jackspot.inputs.pins import (
    DISPLAY_SELECT,
    PROFILES,
    USABLE,
    Active,
    Profile,
    Wire,
    WireKind,
    wire_kind,
    wire_source,
)
from jackspot.sensing.events import Button

_OTHER_END = {
    WireKind.BEAM: "the receiver's open collector, pulled up to 3.3 V, never to 5 V",
    WireKind.BUTTON: "to ground",
    WireKind.BUZZER: "buzzer, through a transistor",
    WireKind.LAMP: "lamp, through a transistor",
    WireKind.DISPLAY: "the display's line of that name",
}

_INTRODUCTION = """\
# Pins

GPIO numbers are those of the Broadcom chip; header numbers are positions on the 40-pin header.
Choose the profile with `[pins] profile`. You can move any wire there: `pocket_ne = 17`.
`jackspot wiring` prints the header of a board as configured; a clash is refused.

This page is made from the table in `jackspot/inputs/pins.py`, which the firmware's defaults and
the simulated table read too. The header on each Pi is here:

![The header on Zero 2 W, 3, 4 and 5, with pin 1](header/boards.svg)
"""


def page() -> str:
    """Return the whole page as Markdown."""
    sections = ["\n".join(_section(profile)) for profile in PROFILES.values()]
    return "\n".join([_INTRODUCTION, *sections])


def _section(profile: Profile) -> Iterator[str]:
    yield f"## `{profile.name}`\n"
    yield f"![The header with the wires of {profile.name}](header/{profile.name}.svg)\n"
    yield "| wire | what | GPIO | header | cable, contact | other end |"
    yield "|---|---|---|---|---|---|"
    contacts = _contacts(profile)
    for name, gpio in profile.gpios.items():
        place, end = contacts.get(name, "-"), _OTHER_END[wire_kind(name)]
        yield f"| `{name}` | {what(name)} | {gpio} | {HEADER_PINS[gpio]} | {place} | {end} |"
    yield ""
    taken = [f"{gpio} {why}" for gpio, why in profile.taken.items()]
    yield f"Taken by others: {', '.join(taken)}."
    used = {*profile.gpios.values(), *profile.taken}
    free = [str(gpio) for gpio in USABLE if gpio not in used]
    yield f"Free: {', '.join(free) or 'none'}.\n"


def _contacts(profile: Profile) -> dict[str, str]:
    """Return the cable of each wire, and the contact of its plug."""
    wires = [Wire(name, wire_kind(name), gpio, Active.LOW) for name, gpio in profile.gpios.items()]
    displays = Displays(oled_spi=DISPLAY_SELECT in profile.gpios)
    return {
        str(core.signal): f"`{cable.name}` {core.contact}"
        for cable in cables(wires, displays)
        for core in cable.cores
    }


def what(name: str) -> str:
    """Return in a few words what a wire is for."""
    source = wire_source(name)
    if isinstance(source, Pocket):
        return f"beam of the {source} pocket"
    if isinstance(source, Button):
        seat = source.place.seat
        return f"{source.key.upper()} at {f'seat {seat}' if seat else 'the referee box'}"
    if wire_kind(name) is WireKind.LAMP:
        return f"turn lamp of seat {name[-1].upper()}"
    return "buzzer" if wire_kind(name) is WireKind.BUZZER else "SPI display"


if __name__ == "__main__":
    sys.stdout.write(page())
