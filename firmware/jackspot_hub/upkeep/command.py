"""``jackspot hub install``, ``uninstall`` and ``doctor``: setting up and checking a hub."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from jackspot.commands.doctor import report
from jackspot.commands.install import FOLDER
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail
from jackspot.commands.terminal.steps import StepMode, asked_first, carry_out
from jackspot.festival.section import machine
from jackspot.ops.doctor import RealMachine
from jackspot.ops.install.program import find_checkout
from jackspot.ops.install.steps import StepFailed
from jackspot.ops.install.system import System
from jackspot_hub.event_file import BadEvent, read_event
from jackspot_hub.upkeep.doctor import PAGES_PORT, ExaminedHub, examine
from jackspot_hub.upkeep.installing import (
    KEYS,
    HubWishes,
    installed,
    installing,
    removing,
)

EVENT = click.Path(path_type=Path, dir_okay=False, exists=True)


@click.command(
    "install",
    epilog=examples(
        "jackspot hub install cup.toml --dry-run      say what would be done",
        "sudo jackspot hub install cup.toml --address 192.168.7.10 --copy /mnt/stick",
    ),
)
@click.argument("event", type=EVENT)
@asked_first
@click.option("--address", "addresses", multiple=True,
              help="An address of this machine, as boards reach it; may be given more than once.  "
              "[default: those that boards have, or this machine's now]")  # fmt: skip
@click.option("--copy", type=click.Path(path_type=Path, file_okay=False),
              help="A folder, best on a stick, that always has a copy of the event.")  # fmt: skip
@click.option("--no-packages", is_flag=True, help="Leave installing apt's packages to you.")
@click.option("--no-start", is_flag=True, help="Start it when the machine starts next, not now.")
@click.option("--root", type=FOLDER, default=Path("/"), show_default=True,
              help="The root of the system to install on: for building images.")  # fmt: skip
def install_command(
    event: Path, addresses: tuple[str, ...], copy: Path | None, root: Path, *,
    dry_run: bool, yes: bool, no_packages: bool, no_start: bool,
) -> None:  # fmt: skip
    """Set this machine up as the hub of a hall.

    Mosquitto with the hall's keys, the name jackspot-hub.local, the time for the hall, and a
    service that runs EVENT when the machine starts. Says first what it will do. Run again, it does
    only what is missing: a corrected event, another address, more boards. Keys and journals stay.
    """
    system = System(root)
    try:
        wishes = HubWishes(
            event, read_event(event), tuple(map(_machine, addresses)), copy,
            packages=not no_packages, start=not no_start,
        )  # fmt: skip
        steps = installing(system, find_checkout(), wishes)
    except (BadEvent, StepFailed, OSError) as error:
        fail(error)
    carry_out(steps, f"hub install {event}", StepMode(dry_run=dry_run, yes=yes))


def _machine(address: str) -> str:
    try:
        return machine(address)
    except ValueError:
        fail(f"--address {address!r}: expected an address or a name of this machine, without a "
             "port")  # fmt: skip


@click.command("uninstall", epilog=examples("sudo jackspot hub uninstall"))
@asked_first
@click.option("--root", type=FOLDER, default=Path("/"), show_default=True, help="As for install.")
def uninstall_command(root: Path, *, dry_run: bool, yes: bool) -> None:
    """Remove what `jackspot hub install` made.

    The hall's keys, events and their journals stay. Says first what it will do.
    """
    carry_out(removing(System(root)), "hub uninstall", StepMode(dry_run=dry_run, yes=yes))


@click.command(
    "doctor",
    epilog=examples(
        "sudo jackspot hub doctor                     the hub that is installed here",
        "jackspot hub doctor cup.toml --keys hall     one that you start yourself",
    ),
)
@click.argument("event", type=EVENT, required=False)
@click.option("--journal", type=click.Path(path_type=Path, dir_okay=False),
              help="The event's journal.  [default: beside EVENT]")  # fmt: skip
@click.option("--keys", type=click.Path(path_type=Path, file_okay=False),
              help="The folder that `jackspot hub keys` wrote.")  # fmt: skip
@click.option("--copy", type=click.Path(path_type=Path, file_okay=False),
              help="The folder that has a copy.")  # fmt: skip
@click.option("--port", type=click.IntRange(1, 65_535), default=PAGES_PORT, show_default=True,
              help="Where its pages are.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def doctor_command(
    event: Path | None, journal: Path | None, keys: Path | None, copy: Path | None, port: int, *,
    as_json: bool,
) -> None:  # fmt: skip
    """Check a hall's hub: event, journal, disk, clock, keys, broker.

    The hub may be running meanwhile. Each line says how to fix what is wrong. Exit status 0 when
    nothing is broken, else 1.
    """
    here = installed(System())
    if event is None and here is None:
        fail("no hub is installed here; name its event: jackspot hub doctor cup.toml --keys FOLDER")
    is_service = here is not None and event in (None, here.event)
    if is_service:
        assert here is not None
        event, keys, copy = here.event, keys or Path(KEYS), copy or here.copy
    assert event is not None
    where = journal or event.with_suffix(".sqlite3")
    hub = ExaminedHub(event, where, keys, copy, port, is_service=is_service)
    report(examine(RealMachine(), hub), Console(highlight=False, stderr=as_json), as_json=as_json)
