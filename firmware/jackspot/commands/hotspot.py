"""``jackspot hotspot``: a Wi-Fi network of the board's own, where there is none."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from segno import make_qr
from segno.helpers import make_wifi_data

from jackspot.commands.terminal.board_options import FILE
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail
from jackspot.commands.terminal.steps import StepMode, asked_first, carry_out
from jackspot.config import ConfigError, find, load
from jackspot.config.hotspot import ADDRESS
from jackspot.config.model import Config
from jackspot.ops.hotspot import (
    Hotspot,
    NetworkManager,
    NoHotspot,
    checked,
    new_password,
    telling,
    usual_name,
)
from jackspot.ops.install.system import System
from jackspot.web.addresses import is_loopback


@click.command(
    "hotspot",
    epilog=examples(
        "sudo jackspot hotspot",
        'sudo jackspot hotspot --name "Board 1"',
        "sudo jackspot hotspot --off",
    ),
)
@click.option("--off", is_flag=True, help="Take the network off again.")
@click.option("--name", default="", help="The network's name. [as the config says, else the board]")
@click.option("--new-password", "anew", is_flag=True, help="Make another password.")
@asked_first
@click.option("--config", "config_file", type=FILE, help="The file that all boards share.")
@click.option("--board-file", "board_file", type=FILE, help="What differs on this board.")
def command(
    name: str,
    config_file: Path | None,
    board_file: Path | None,
    *,
    off: bool,
    anew: bool,
    dry_run: bool,
    yes: bool,
) -> None:
    """Make this Pi a Wi-Fi access point for phones.

    So they reach the board's page without a network. WPA2; the password is the config's, else
    random and kept. The access point starts with the machine until --off. Anyone connected to
    the Pi by the same Wi-Fi loses that connection.
    """
    try:
        config = load(find(config_file, board_file))
        manager = NetworkManager(System())
        manager.refuse_absent()
        if off:
            steps = [*manager.switching_off(), telling(config.journal.path, None)]
            carry_out(steps, "hotspot --off", StepMode(dry_run, yes))
            return
        hotspot = _wanted(config, manager, manager.device(), name, anew=anew)
        steps = [*manager.switching_on(hotspot), telling(config.journal.path, hotspot)]
        carry_out(steps, "hotspot", StepMode(dry_run, yes))
    except (ConfigError, NoHotspot) as error:
        fail(error)
    if not dry_run:
        _tell(config, hotspot)


def _wanted(
    config: Config, manager: NetworkManager, device: str, name: str, *, anew: bool
) -> Hotspot:
    """Return the network: from the call, else the config, else the existing one, else a new one."""
    if anew and config.hotspot.password:
        raise NoHotspot("the password is set in [hotspot] of the settings; change it there")
    there, password = manager.now()
    chosen = config.hotspot.password or ("" if anew else password) or new_password()
    called = name or config.hotspot.name or there or usual_name(config.board.name)
    return checked(called, chosen, device)


def _tell(config: Config, hotspot: Hotspot) -> None:
    """Print how to join it, as text and as a code for phones."""
    page = f"http://{ADDRESS}:{config.web.port}/"
    click.echo(f"\nnetwork   {hotspot.name}\npassword  {hotspot.password}")
    _code(make_wifi_data(ssid=hotspot.name, password=hotspot.password, security="WPA"))
    if not config.web.enabled or is_loopback(config.web.host):
        click.echo(
            'the page is for this machine only: set host = "0.0.0.0" in [web], then: '
            "sudo systemctl restart jackspot"
        )
        return
    click.echo(f"page      {page}")
    _code(page)


def _code(text: str) -> None:
    """Draw a QR code, if a terminal can show it."""
    if sys.stdout.isatty():
        make_qr(text, error="m").terminal(compact=True)
