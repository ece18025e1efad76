"""``jackspot hub``: what the organiser of many boards needs."""

from __future__ import annotations

import io
import json
import os
import pwd
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click
import segno

from jackspot.commands.terminal.help import AddedCommands, examples
from jackspot.commands.terminal.output import fail
from jackspot.festival.broker import PROGRAM, NoBroker, program
from jackspot.festival.joining import NAME, compact, write
from jackspot.festival.messages import HALL, MOST_BOARDS
from jackspot.festival.section import TLS_PORT, FestivalSection, machine
from jackspot.festival.users import (
    HOME,
    HUB,
    OWN,
    WALL,
    access_list,
    board_passwords,
    broker_config,
    password_file,
)
from jackspot.files import atomic_write

if TYPE_CHECKING:
    from jackspot.festival.certificates import Pair

DRAWN = "festival.svg"
"""What boards get, as a QR code to print."""
KEYS = "jackspot hub keys hall --hall hikone --boards 124 --address 192.168.7.10"


class _HubCommands(AddedCommands):
    """What a hall needs on every machine, and what the hub's own package adds."""

    entry_points = "jackspot.hub"
    get_libraries = (
        "a hub needs more than a board: sudo apt-get install -y python3-networkx mosquitto, or, "
        "in a virtual environment, pip install networkx"
    )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take ``hub --practice 40`` for ``hub practice 40``."""
        if args[:1] == ["--practice"]:
            args = ["practice", *args[1:]]
        return super().parse_args(ctx, args)


@click.group("hub", cls=_HubCommands, epilog=examples(KEYS, "jackspot hub practice 40"))
def command() -> None:
    """Set up a hall of many boards."""


@command.command(
    "keys",
    epilog=examples(
        KEYS,
        "jackspot hub keys hall ... --qr --page http://10.42.0.1:8462/hall",
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
@click.option(
    "--qr",
    is_flag=True,
    help="Print what boards get as a QR code, too, and draw it in festival.svg.",
)
@click.option(
    "--page",
    metavar="URL",
    default="",
    help="The code opens this page of a board, which then asks for its PIN: "
    "http://10.42.0.1:8462/hall is every board's that has a Wi-Fi of its own.",
)
def keys(
    folder: Path,
    hall: str,
    boards: int,
    addresses: tuple[str, ...],
    port: int,
    page: str,
    *,
    qr: bool,
) -> None:
    """Write a hall's keys: for its broker and boards.

    FOLDER gets Mosquitto's config, its passwords and who may what, the hall's own certificate and
    the broker's, the passwords of the hub, of walls and of a Home Assistant, and festival.toml, the
    one file that every board gets: by a USB stick, or beside its config. Each board's number is set
    at the board. Run it on the broker's machine: FOLDER stays where it is. As root it is for
    Mosquitto's own user, else for whoever runs this.

    Run again, for more boards or another address, the hall's key, certificate and passwords stay:
    boards that have them need nothing new while the first address stays, too. Then restart the
    broker.
    """
    if not HALL.fullmatch(hall):
        fail(f"--hall {hall!r}: expected a word of small letters, digits and hyphens")
    reached = [_machine(each) for each in addresses]
    runs = _broker_user()
    try:
        _make_folder(folder, runs)
        key, pair = _kept(folder, hall)
        own = {user: _own_password(folder / f"{user}.password") for user in OWN}
        from jackspot.festival.certificates import make_server

        server = make_server(pair, reached)
        salt = secrets.token_bytes
        for name, text in {
            "server.crt": server.certificate,
            "server.key": server.key,
            "passwords": password_file({**own, **board_passwords(key, boards)}, salt),
            "access": access_list(hall, boards),
            "mosquitto.conf": broker_config(str(folder.resolve()), port, runs.pw_name),
        }.items():
            atomic_write(folder / name, text)
            if runs.pw_uid != os.getuid():
                os.chown(folder / name, runs.pw_uid, runs.pw_gid)
        handed = FestivalSection(
            hall=hall, broker=tuple((each, port) for each in reached), key=key, ca=pair.certificate
        )
        atomic_write(folder / NAME, write(handed))
        code = _code(handed, page) if qr or page else None
        if code is not None:
            drawn = io.BytesIO()
            code.save(drawn, kind="svg", scale=4)
            atomic_write(folder / DRAWN, drawn.getvalue().decode())
    except (OSError, ValueError) as error:
        fail(f"{folder}: {error}")
    broker = PROGRAM
    with suppress(NoBroker):
        broker = program()
    click.echo(f"{folder}: all that the broker of {hall} needs, for {boards} boards")
    click.echo("               it stays where it is: mosquitto.conf names its files by their place")
    click.echo(f"(re)start it:  {broker} -c {folder.resolve() / 'mosquitto.conf'}")
    click.echo(f"to each board: {folder / NAME}, by a USB stick, or to /etc/jackspot;")
    click.echo("               its number is set in its menu")
    if code is not None:
        click.echo(f"by its code:   {folder / DRAWN}, and here in {code.symbol_size()[0]} columns:")
        code.terminal(compact=True)
    click.echo(f"on no board:   {HUB}.password and {WALL}.password, to see what all of them say")
    click.echo(f"               {HOME}.password, for a Home Assistant that shows them")


def _code(handed: FestivalSection, page: str) -> segno.QRCode:
    """Return what boards get as a QR code: its text alone, or behind the address of a page."""
    text = compact(handed)
    return segno.make_qr(f"{page}#{text}" if page else text, error="l", boost_error=False)


def _machine(address: str) -> str:
    try:
        return machine(address)
    except ValueError:
        fail(
            f"--address {address!r}: expected an address or a name of a machine, without a port "
            "(--port is the broker's)"
        )


def _broker_user() -> pwd.struct_passwd:
    """Return as whom Mosquitto runs: started by root as its own user, else as who starts it."""
    who = pwd.getpwuid(os.getuid())
    with suppress(KeyError):  # Mosquitto is not installed, or has no user of its own
        return pwd.getpwnam(PROGRAM) if who.pw_uid == 0 else who
    return who


def _make_folder(folder: Path, runs: pwd.struct_passwd) -> None:
    """Make the folder, and see to it that who runs the broker enters it. OSError where not."""
    is_another = runs.pw_uid != os.getuid()
    for above in folder.resolve().parents:
        if is_another and above.exists() and not above.stat().st_mode & stat.S_IXOTH:
            raise PermissionError(
                f"started by root the broker runs as {runs.pw_name}, which may not enter {above}; "
                f"choose a folder like /etc/{PROGRAM}/hall, or run this and the broker as "
                "yourself, without sudo"
            )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.umask(0o077)
    if is_another:
        folder.chmod(stat.S_IMODE(folder.stat().st_mode) | stat.S_IXGRP | stat.S_IXOTH)


def _kept(folder: Path, hall: str) -> tuple[str, Pair]:
    """Return the hall's key and its authority, which are made once: boards have them.

    ValueError where they are another hall's, or not whole.
    """
    from jackspot.festival.certificates import Pair, hall_of, make_authority

    kept = [folder / "key", folder / "hall.crt", folder / "hall.key"]
    lost = [each.name for each in kept if not each.exists()]
    if len(lost) == len(kept):
        authority = make_authority(hall)
        made = (secrets.token_hex(16), authority.certificate, authority.key)
        for path, text in zip(kept, made, strict=True):
            atomic_write(path, text)
    elif lost:
        raise ValueError(
            f"has no {' and no '.join(lost)}, and boards may have what belongs to it; bring it "
            "back, or choose another folder and give all boards its keys"
        )
    key, certificate, secret = (each.read_text(encoding="ascii") for each in kept)
    if (found := hall_of(certificate)) != hall:
        fail(
            f"--hall {hall!r}: {folder} has the keys of the hall {found!r}; "
            "name that one, or another folder"
        )
    kept[1].chmod(0o644)  # no secret: boards get it, and need not read it as root
    return key, Pair(certificate, secret)


def _own_password(path: Path) -> str:
    """Return a password that nothing else gives, from its file; made where there is none."""
    secret = path.read_text(encoding="ascii").strip() if path.exists() else ""
    if not secret:
        secret = secrets.token_hex(16)
        atomic_write(path, secret)
    return secret


@command.command(
    "schema", epilog=examples("jackspot hub schema", "jackspot hub schema > hall.json")
)
def schema() -> None:
    """Print all messages as an AsyncAPI 3 document.

    JSON: the topics, who sends what, and a JSON Schema of each message.
    """
    from jackspot.festival.description import description

    click.echo(json.dumps(description(), indent=2, ensure_ascii=False))
