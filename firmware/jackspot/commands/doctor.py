"""``jackspot doctor``: examine the board, and report what is wrong and what fixes it."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NoReturn

import click
from msgspec.structs import asdict
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jackspot.commands.terminal.board_options import FILE, NumberRange
from jackspot.commands.terminal.help import examples
from jackspot.config import ConfigError, find, load
from jackspot.config.model import Config
from jackspot.ops.doctor import Finding, Machine, RealMachine, Severity
from jackspot.ops.doctor.buses import check_i2c, check_serial
from jackspot.ops.doctor.calibrated import check_calibration
from jackspot.ops.doctor.findings import broken, well
from jackspot.ops.doctor.hall import check_hall
from jackspot.ops.doctor.pins import check_pins
from jackspot.ops.doctor.running_board import check_running
from jackspot.ops.doctor.sensor_hub import check_sensor_hub
from jackspot.ops.doctor.system import (
    check_clock,
    check_machine,
    check_power,
    check_service,
    check_update,
)
from jackspot.ops.doctor.wired_parts import check_journal, check_oled, check_sign
from jackspot.ops.doctor.wires import check_wires
from jackspot.sensing.events import Edge, wire_name

SIGNS = {
    Severity.WELL: ("\N{CHECK MARK}", "ok", "green"),
    Severity.DOUBTFUL: ("!", "!", "yellow"),
    Severity.BROKEN: ("\N{MULTIPLICATION SIGN}", "X", "bold red"),
}
"""How a line begins, also in ASCII; lines can be told apart without colour too."""

WATCHED_S = 5.0


@click.command(
    "doctor",
    epilog=examples(
        "sudo jackspot doctor",
        "sudo jackspot doctor --seconds 30      more time to press every button",
    ),
)
@click.option("--config", "config_file", type=FILE, help="The file that all boards share.")
@click.option("--board-file", "board_file", type=FILE, help="What differs on this board.")
@click.option("--journal", "journal", type=FILE, help="The journal, in place of the config's.")
@click.option(
    "--seconds",
    type=NumberRange(0, 600),
    default=WATCHED_S,
    show_default=True,
    help="How long to watch beams, buttons, heads and discs; 0: not at all.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(
    config_file: Path | None,
    board_file: Path | None,
    journal: Path | None,
    seconds: float,
    *,
    as_json: bool,
) -> None:
    """Check the board: machine, pins, beams, buttons, journal.

    Each line says how to fix what is wrong. Exit status 0 when nothing is broken, else 1.
    """
    console = Console(highlight=False, stderr=as_json)
    config = find_config(config_file, board_file)
    report(examine(RealMachine(), config, journal, seconds, console), console, as_json=as_json)


def report(found: Iterable[Finding], console: Console, *, as_json: bool) -> NoReturn:
    """Show findings as they come, or all as one JSON object; exit with 1 if one is broken."""
    findings = []
    for finding in found:
        findings.append(finding)
        if not as_json:
            console.print(finding_line(finding, plain=not console.encoding.startswith("utf")))
    if as_json:
        click.echo(json.dumps({"findings": [plain(each) for each in findings]}))
    sys.exit(any(finding.mark is Severity.BROKEN for finding in findings))


def find_config(config_file: Path | None, board_file: Path | None) -> Config | Finding:
    """Load the config; return a finding that says what is wrong if that fails."""
    sources = find(config_file, board_file)
    try:
        return load(sources)
    except ConfigError as error:
        return broken("config", str(error), "fix it, then: jackspot check-config")


def examine(
    machine: Machine,
    config: Config | Finding,
    journal: Path | None,
    seconds: float,
    console: Console,
) -> Iterator[Finding]:
    """Run all checks, first those that need no config."""
    for check in (check_machine, check_power, check_clock, check_service, check_update):
        yield from check(machine)
    if isinstance(config, Finding):
        yield config
        return
    yield well("config", f'board "{config.board.name}"')
    yield from check_pins(machine, config)
    yield from check_oled(machine, config)
    yield from check_i2c(machine, config)
    yield from check_sign(machine, config)
    yield from check_sensor_hub(machine, config, seconds, partial(_dim, console))
    yield from check_serial(machine, config)
    path = journal or config.journal.path
    yield from check_journal(machine, path)
    yield from check_calibration(config)
    yield from check_hall(config, path)
    yield from check_running(config)
    if seconds:
        yield from _watched(config, path, seconds, console)


def _watched(config: Config, journal: Path, seconds: float, console: Console) -> Iterable[Finding]:
    """Watch the wires; on a terminal each press and each broken beam is reported at once."""
    _dim(console, f"Press each button once; nothing should fall ({seconds:g} s) ...")

    def tell(edge: Edge) -> None:
        if edge.active:
            _dim(console, f"   {wire_name(edge.source)}")

    return check_wires(config, journal, seconds, tell)


def _dim(console: Console, words: str) -> None:
    """Tell a person at a terminal what to do, or what was noticed."""
    if console.is_terminal:
        console.print(Text(words, "dim"))


def finding_line(finding: Finding, *, plain: bool) -> Table:
    """Return a finding as one line, with what to do under it; ``plain``: in ASCII."""
    sign, word, style = SIGNS[finding.mark]
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=2)
    table.add_column(width=14)
    table.add_column(overflow="fold")
    words = Text(finding.found)
    if finding.remedy:
        words.append(f"\n-> {finding.remedy}", "bold")
    table.add_row(Text(word if plain else sign, style), finding.what, words)
    return table


def plain(finding: Finding) -> dict[str, str]:
    """Return a finding as the JSON has it."""
    return {key: str(value) for key, value in asdict(finding).items()}
