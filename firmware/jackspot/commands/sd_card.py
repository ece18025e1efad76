"""``jackspot sd-card``: make a card that turns a Pi into a board at its first start."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from jackspot.commands.terminal.board_options import FILE
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail
from jackspot.commands.terminal.steps import StepMode, asked_first, carry_out
from jackspot.config import Config, ConfigError, Sources, find, load
from jackspot.config.load import read
from jackspot.config.model import Origin, check
from jackspot.dialogue.state.preferences import LANGUAGES
from jackspot.festival.joining import read_file, write
from jackspot.festival.names import MOST_BOARDS
from jackspot.files import MIB, read_text
from jackspot.ops.card.filling import CardWishes, filling, refuse_other_places
from jackspot.ops.card.packages import whole_set
from jackspot.ops.card.wifi import NoWifi, Wifi, checked_wifi
from jackspot.ops.install.steps import StepFailed
from jackspot.ops.stick.notify_board import tell_board
from jackspot.sensing.events import Stick

DEBS = Path("dist/card-arm64")
"""Where `make deb ARGS=card` puts them."""
_BOARDS_FILE = "board.toml"


@click.command(
    "sd-card",
    epilog=examples(
        'jackspot sd-card /media/me/bootfs --name "Board 7" --lang de',
        "jackspot sd-card /media/me/bootfs --hall festival.toml --number 7",
        "jackspot sd-card /media/me/bootfs --wifi Clubhouse --country DE",
    ),
)
@click.argument("place", metavar="FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--packages",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEBS,
    show_default=True,
    help="The folder with Jackspot's packages and what they need.",
)
@click.option("--config", "config_file", type=FILE, help="The settings, as jackspot.toml.")
@click.option("--hall", "hall_file", type=FILE, help="The hall's festival.toml.")
@click.option("--name", help="What the board is called.")
@click.option("--lang", type=click.Choice(LANGUAGES), help="What its displays speak.")
@click.option("--number", type=click.IntRange(1, MOST_BOARDS), help="Its number in the hall.")
@click.option("--wifi", "network", help="A Wi-Fi to join, by its name.")
@click.option("--wifi-password", "password", help="Its password. [asked for]")
@click.option("--country", default="", help="Where it is: two letters, as DE or JP.")
@asked_first
@click.option("--failed", is_flag=True, hidden=True, help="Tell the board that runs of it.")
def command(
    place: Path,
    packages: Path,
    config_file: Path | None,
    hall_file: Path | None,
    name: str | None,
    lang: str | None,
    number: int | None,
    network: str | None,
    password: str | None,
    country: str,
    *,
    dry_run: bool,
    yes: bool,
    failed: bool,
) -> None:
    """Make an SD card that turns a Pi into a board.

    First write Raspberry Pi OS (64-bit, of 2025 or later) onto it with the Raspberry Pi Imager.
    FOLDER is where this computer shows the card's partition "bootfs". Into it comes a folder
    with packages and settings; everything is checked first. With its first start the Pi
    installs it, without a network, and the display shows the board's name. If something fails,
    RESULT.txt in that folder says what; the next start tries again.
    """
    if failed:
        _tell()
        return
    try:
        refuse_other_places(place)
        board = _board_tables(config_file, name, lang, number)
        wishes = CardWishes(
            whole_set(packages),
            read_text(config_file, MIB, "utf-8-sig") if config_file else "",
            write(read_file(hall_file)) if hall_file else "",
            board,
            _wifi(network, password, country),
        )
        steps = filling(place, wishes)
    except (ConfigError, NoWifi, StepFailed) as error:
        fail(error)
    carry_out(steps, f"sd-card {place}", StepMode(dry_run=dry_run, yes=yes, as_root=False))


def _board_tables(
    config_file: Path | None, name: str | None, lang: str | None, number: int | None
) -> dict[str, dict[str, str | int]]:
    """Return the board's own tables, once they and the settings are valid. Raises ConfigError."""
    board: dict[str, dict[str, str | int]] = {}
    if name is not None:
        board.setdefault("board", {})["name"] = name
    if lang is not None:
        board.setdefault("board", {})["language"] = lang
    if number is not None:
        board["festival"] = {"number": number}
    shared = read(config_file) if config_file else {}
    _checked(config_file, shared, board)
    return board


def _checked(
    config_file: Path | None,
    shared: dict[str, object],
    board: dict[str, dict[str, str | int]],
) -> Config:
    """Check the settings with the board's own on top. ConfigError says whose mistake it is."""
    merged = dict(shared)
    ours: dict[tuple[str, str], str] = {}
    for table, keys in board.items():
        below = shared.get(table)
        merged[table] = {**below, **keys} if isinstance(below, dict) else keys
        ours |= {(table, key): f"--{'lang' if key == 'language' else key}" for key in keys}
    return check(merged, Origin(str(config_file or _BOARDS_FILE), ours))


def _wifi(network: str | None, password: str | None, country: str) -> Wifi | None:
    if network is None:
        if password or country:
            raise click.UsageError("--wifi-password and --country are for a Wi-Fi: add --wifi NAME")
        return None
    if password is None:
        if not sys.stdin.isatty():
            raise click.UsageError("there is no terminal to ask on: add --wifi-password")
        password = click.prompt(
            f"Password of {network} (none: open)", default="", hide_input=True, show_default=False
        )
    return checked_wifi(network, password, country)


def _tell() -> None:
    """Have the running board show that its card was not completely installed."""
    try:
        journal = load(find()).journal.path
    except ConfigError:
        journal = load(Sources(())).journal.path
    tell_board(journal, Stick.CARD_FAILED)
