"""``jackspot hub``: what the organiser of many boards needs."""

from __future__ import annotations

import json
import os
import pwd
import re
import secrets
from pathlib import Path

import click

from jackspot.commands.terminal.help import GroupedCommands, examples
from jackspot.commands.terminal.output import fail
from jackspot.festival.messages import HALL, MOST_BOARDS
from jackspot.festival.section import TLS_PORT
from jackspot.festival.users import access_list, broker_config, password_file
from jackspot.files import atomic_write, toml_quoted

ADDRESS = re.compile(r"[0-9A-Za-z](?:[0-9A-Za-z.:-]{0,251}[0-9A-Za-z])?")


KEYS = "jackspot hub keys hall --hall hikone --boards 124 --address 192.168.7.10"


@click.group("hub", cls=GroupedCommands, epilog=examples(KEYS))
def command() -> None:
    """Set up a hall of many boards."""


@command.command(
    "keys",
    epilog=examples(
        KEYS,
    ),
)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--hall", required=True, help="The hall's name: small letters, digits, hyphens.")
@click.option(
    "--boards",
    type=click.IntRange(1, MOST_BOARDS),
    required=True,
    help="How many boards there are.",
)
@click.option(
    "--address", "addresses", multiple=True, required=True,
    help="An address or name of the broker's machine, as boards reach it; may be said again.",
)  # fmt: skip
@click.option("--port", type=click.IntRange(1, 65_535), default=TLS_PORT, show_default=True,
              help="Where the broker listens.")  # fmt: skip
def keys(folder: Path, hall: str, boards: int, addresses: tuple[str, ...], port: int) -> None:
    """Write a hall's keys: for its broker and boards.

    FOLDER gets Mosquitto's config, its passwords and who may what, the hall's own certificate and
    the broker's, and festival.toml, which every board gets beside its number. Said again, for more
    boards or another address, the hall's key and certificate stay: boards that have them need
    nothing new.
    """
    os.umask(0o077)
    if not HALL.fullmatch(hall):
        fail(f"--hall {hall!r}: expected a word of small letters, digits and hyphens")
    for address in addresses:
        if not ADDRESS.fullmatch(address):
            fail(f"--address {address!r}: expected an address or name of a machine")
    from jackspot.festival.certificates import Pair, make_authority, make_server

    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        kept = [folder / "key", folder / "hall.crt", folder / "hall.key"]
        if not all(each.exists() for each in kept):
            authority = make_authority(hall)
            made = (secrets.token_hex(16), authority.certificate, authority.key)
            for path, text in zip(kept, made, strict=True):
                atomic_write(path, text)
        key, certificate, authority_key = (each.read_text(encoding="ascii") for each in kept)
        server = make_server(Pair(certificate, authority_key), addresses)
        owner = pwd.getpwuid(os.getuid()).pw_name
        for name, text in {
            "server.crt": server.certificate,
            "server.key": server.key,
            "passwords": password_file(key, boards, secrets.token_bytes),
            "access": access_list(hall, boards),
            "mosquitto.conf": broker_config(str(folder.resolve()), port, owner),
            "festival.toml": _for_boards(hall, addresses[0], port, key),
        }.items():
            atomic_write(folder / name, text)
    except (OSError, ValueError) as error:
        fail(f"{folder}: {error}")
    click.echo(f"{folder}: what the broker of {hall} needs, for {boards} boards")
    click.echo(f"start it:      mosquitto -c {folder / 'mosquitto.conf'}")
    click.echo(
        f"on each board: the table in {folder / 'festival.toml'}, with its number, and hall.crt"
    )


@command.command(
    "schema", epilog=examples("jackspot hub schema", "jackspot hub schema > hall.json")
)
def schema() -> None:
    """Print all messages as an AsyncAPI 3 document.

    JSON: the topics, who sends what, and a JSON Schema of each message.
    """
    from jackspot.festival.description import description

    click.echo(json.dumps(description(), indent=2, ensure_ascii=False))


def _for_boards(hall: str, address: str, port: int, key: str) -> str:
    """Return the table of the config that all boards share."""
    return "\n".join(
        (
            "[festival]",
            f"hall = {toml_quoted(hall)}",
            f"broker = {toml_quoted(f'{address}:{port}')}",
            f"key = {toml_quoted(key)}",
            'ca = "/etc/jackspot/hall.crt"',
            "# number = 7  # each board its own",
            "",
        )
    )
