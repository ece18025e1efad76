"""``jackspot hub``: what the organiser of many boards needs."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from pathlib import Path

import click
import segno

from jackspot.commands.terminal.help import AddedCommands, examples
from jackspot.commands.terminal.output import fail
from jackspot.festival.broker import PROGRAM, NoBroker, program
from jackspot.festival.joining import NAME, OWNERS_ALONE, compact
from jackspot.festival.keys import CONFIG, HallKeys, OtherHall, broker_user, write_keys
from jackspot.festival.names import HALL, MOST_BOARDS
from jackspot.festival.section import TLS_PORT, FestivalSection, machine
from jackspot.festival.users import HOME, HUB, HUB_DOCTOR, WALL
from jackspot.files import atomic_write

DRAWN = "festival.svg"
"""What boards get, as a QR code to print."""
KEYS = "jackspot hub keys hall --hall hikone --boards 124 --address 192.168.7.10"


class _HubCommands(AddedCommands):
    """The commands that a hall needs on every machine, and those of the hub's own package."""

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
    wanted = HallKeys(hall, boards, tuple(reached), port)
    try:
        handed = write_keys(folder, wanted, broker_user())
        code = _code(handed, page) if qr or page else None
        if code is not None:
            drawn = io.BytesIO()
            code.save(drawn, kind="svg", scale=4)
            atomic_write(folder / DRAWN, drawn.getvalue().decode(), OWNERS_ALONE)
    except OtherHall as other:
        fail(f"--hall {hall!r}: {other}")
    except (OSError, ValueError) as error:
        fail(f"{folder}: {error}")
    broker = PROGRAM
    with suppress(NoBroker):
        broker = program()
    click.echo(f"{folder}: all that the broker of {hall} needs, for {boards} boards")
    click.echo("               it stays where it is: mosquitto.conf names its files by their place")
    click.echo(f"(re)start it:  {broker} -c {folder.resolve() / CONFIG}")
    click.echo(f"to each board: {folder / NAME}, by a USB stick, or to /etc/jackspot;")
    click.echo("               its number is set in its menu")
    if code is not None:
        click.echo(f"by its code:   {folder / DRAWN}, and here in {code.symbol_size()[0]} columns:")
        code.terminal(compact=True)
    click.echo(f"on no board:   {HUB}.password and {WALL}.password, to see what all of them say")
    click.echo(f"               {HOME}.password, for a Home Assistant that shows them")
    click.echo(f"               {HUB_DOCTOR}.password, for `jackspot hub doctor`")


def _code(handed: FestivalSection, page: str) -> segno.QRCode:
    """Return what boards get as a QR code: its text alone, or after the address of a page."""
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


@command.command(
    "schema", epilog=examples("jackspot hub schema", "jackspot hub schema > hall.json")
)
def schema() -> None:
    """Print all messages as an AsyncAPI 3 document.

    JSON: the topics, who sends what, and a JSON Schema of each message.
    """
    from jackspot.festival.description import description

    click.echo(json.dumps(description(), indent=2, ensure_ascii=False))
