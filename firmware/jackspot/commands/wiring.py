"""``jackspot wiring``: the 40-pin header with what this board has on it, and its cables.

It opens no pin and no device, so it runs anywhere: at the bench, before anything is soldered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jackspot.commands.terminal.board_options import FILE
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail
from jackspot.config import Config, ConfigError, find, load
from jackspot.config.cautions import cautions, needs
from jackspot.config.uses import displays_of
from jackspot.inputs.cables import (
    BUS_GPIOS,
    BusLine,
    Cable,
    CableKind,
    Core,
    cables,
    pins_of,
)
from jackspot.inputs.header import Rail, on_header
from jackspot.inputs.pins import PROFILES, Wire, WireKind
from jackspot.inputs.pins_page import what

WIDTH = 80
"""Every terminal has this many columns, and wider lines do not help here."""

_STYLES: Mapping[WireKind | Rail, str] = MappingProxyType(
    {
        WireKind.BEAM: "blue",
        WireKind.BUTTON: "green",
        WireKind.LAMP: "yellow",
        WireKind.BUZZER: "magenta",
        WireKind.DISPLAY: "cyan",
        Rail.V5: "red",
        Rail.V3: "bright_red",
        Rail.GROUND: "dim",
        Rail.EEPROM: "dim",
    }
)
_BUS_STYLE = "cyan"
_PLUGS: Mapping[CableKind, str] = MappingProxyType(
    {CableKind.POCKET: "DIN 3", CableKind.SEAT: "DIN 5", CableKind.BOX: "DIN 6"}
)
"""The plug of each kind of cable as on the hardware's pages; others: by their contacts."""


@click.command(
    "wiring",
    epilog=examples(
        "jackspot wiring",
        "jackspot wiring --config jackspot.toml",
    ),
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for programs.")
@click.option("--config", "config_file", type=FILE, help="The file that all boards share.")
@click.option("--board-file", "board_file", type=FILE, help="What differs on this board.")
def command(config_file: Path | None, board_file: Path | None, *, as_json: bool) -> None:
    """Print the 40-pin header with every wire of this board.

    And which cable each runs in. Seen from above on the Pi's parts side: pin 1, in square
    brackets, is in the inner row at the end of the microSD card. Warns of what a wire will do
    that nobody wants, such as a lamp that shines while the Pi starts.
    """
    sources = find(config_file, board_file)
    try:
        config = load(sources)
    except ConfigError as error:
        fail(error)
    board = _Board(config)
    if as_json:
        click.echo(json.dumps(board.as_data(), indent=2, ensure_ascii=False))
        return
    console = Console(highlight=False, markup=False)
    console.width = min(console.width, WIDTH) if console.is_terminal else WIDTH
    board.show(console, str(sources))


class _Board:
    """What one board has on its header."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._cables = cables(config.wires, displays_of(config))
        self._by_gpio = {wire.gpio: wire for wire in config.wires}

    def show(self, console: Console, sources: str) -> None:
        """Print header, cables, and warnings."""
        profile = self._config.pins.profile
        console.print(Text.assemble((f"{self._config.board.name}", "bold"), f", profile {profile}"))
        console.print(Text(sources, "dim"))
        console.print()
        console.print(self._header())
        console.print()
        console.print(self._cable_table())
        for wire in self._config.wires:
            if self._place(wire) is None:
                said = f"{wire.name} has no cable: it stands beside the Pi"
                console.print(Text(said, "dim"))
        if self._config.sensor_hub.port is not None:
            said = f"sensor_hub is not on the header: it is at {self._config.sensor_hub.port}"
            console.print(Text(said, "dim"))
        self._lists(console)

    def as_data(self) -> dict[str, object]:
        """Return everything in the form of the JSON."""
        port = self._config.sensor_hub.port
        return {
            "board": self._config.board.name,
            "profile": str(self._config.pins.profile),
            "pins": [self._pin_data(pin, found) for pin, found in on_header().items()],
            "cables": [self._cable_data(cable) for cable in self._cables],
            "cautions": [
                {"wire": each.wire.name, "gpio": each.wire.gpio, "words": each.words}
                for each in cautions(self._config)
            ],
            "needs": list(needs(self._config)),
            **({"sensor_hub": port} if port is not None else {}),
        }

    def _header(self) -> Table:
        table = Table.grid(padding=(0, 1))
        table.add_column(justify="right", width=24, no_wrap=True)
        table.add_column(justify="right", width=7, no_wrap=True)
        table.add_column(width=8, no_wrap=True)
        table.add_column(width=7, no_wrap=True)
        table.add_column(width=24, no_wrap=True)
        pins_of_header = list(on_header().items())
        rows = zip(pins_of_header[::2], pins_of_header[1::2], strict=True)
        for (left, on_left), (right, on_right) in rows:
            inner = f"[{left:>2}]" if left == 1 else f"({left:>2})"
            pins = Text.assemble((inner, self._style(on_left)), "")
            pins.append(f"({right:>2})", self._style(on_right))
            one, other = (self._said(found) for found in (on_left, on_right))
            table.add_row(
                Text(one[1], self._style(on_left)), Text(one[0], "dim"), pins,
                Text(other[0], "dim"), Text(other[1], self._style(on_right)),
            )  # fmt: skip
        return table

    def _said(self, found: int | Rail) -> tuple[str, str]:
        """Return the text next to a pin, and the text beyond it."""
        if isinstance(found, Rail):
            return "", str(found)
        wire = self._by_gpio.get(found)
        if wire is None:
            return f"GPIO {found}", self._bus(found)
        place = self._place(wire)
        where = f", {place[0].name} {place[1].contact}" if place else ""
        return f"GPIO {found}", f"{wire.name}{where}"

    def _bus(self, gpio: int) -> str:
        """Return which bus a pin without a wire belongs to, if one is in use there."""
        ends = [
            (core.signal, f"{cable.name} {core.contact}")
            for cable in self._cables
            for core in cable.cores
            if isinstance(core.signal, BusLine) and BUS_GPIOS[core.signal] == gpio
        ]
        if ends:
            return ", ".join([str(ends[0][0]), *(end for _signal, end in ends)])
        taken = PROFILES[self._config.pins.profile].taken.get(gpio, "free")
        return taken.removeprefix("the ")

    def _style(self, found: int | Rail) -> str:
        if isinstance(found, Rail):
            return _STYLES[found]
        wire = self._by_gpio.get(found)
        if wire is not None:
            return _STYLES[wire.kind]
        return "dim" if self._bus(found) == "free" else _BUS_STYLE

    def _place(self, wire: Wire) -> tuple[Cable, Core] | None:
        """Return the cable and the core that a wire runs in."""
        for cable in self._cables:
            for core in cable.cores:
                if core.signal == wire.name:
                    return cable, core
        return None

    def _cable_table(self) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        table.add_column("cable", no_wrap=True)
        table.add_column("plug", no_wrap=True)
        table.add_column("contacts")
        for cable in self._cables:
            plug = _PLUGS.get(cable.kind, f"{len(cable.cores)} poles")
            told = [f"{core.contact}:{core.signal}" for core in cable.cores]
            table.add_row(cable.name, plug, _in_lines(told, WIDTH - 20))
        return table

    def _lists(self, console: Console) -> None:
        for title, style, lines in (
            ("Watch out", "bold yellow", [str(each) for each in cautions(self._config)]),
            ("In /boot/firmware/config.txt", "bold", list(needs(self._config))),
        ):
            if lines:
                console.print()
                console.print(Text(title, style))
            for line in lines:
                row = Table.grid(padding=(0, 1, 0, 0))
                row.add_row("-", Text(line))
                console.print(row)

    def _pin_data(self, pin: int, found: int | Rail) -> dict[str, object]:
        if isinstance(found, Rail):
            return {"pin": pin, "rail": str(found)}
        data: dict[str, object] = {"pin": pin, "gpio": found}
        wire = self._by_gpio.get(found)
        if wire is None:
            return data | {"use": self._bus(found)}
        data |= {"wire": wire.name, "use": what(wire.name), "active": str(wire.active)}
        if wire.source is not None:
            data["pull"] = str(wire.pull)
        if place := self._place(wire):
            data |= {"cable": place[0].name, "contact": place[1].contact}
        return data

    def _cable_data(self, cable: Cable) -> dict[str, object]:
        return {
            "name": cable.name,
            "kind": str(cable.kind),
            "cores": list(self._core_data(cable)),
        }

    def _core_data(self, cable: Cable) -> Iterator[dict[str, object]]:
        for core in cable.cores:
            pins = pins_of(core.signal, self._config.wires)
            yield {"contact": core.contact, "signal": str(core.signal), "pins": list(pins)}


def _in_lines(words: list[str], width: int) -> Text:
    """Join words with two spaces, in lines of this width; no word is broken, even with a space."""
    lines = [""]
    for word in words:
        longer = f"{lines[-1]}  {word}" if lines[-1] else word
        if len(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return Text("\n".join(lines))
