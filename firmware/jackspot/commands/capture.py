"""``jackspot capture``: write down what happens on the pins of the running board."""

from __future__ import annotations

import signal
import socket
import threading
from pathlib import Path

import click

from jackspot.capture.tap import socket_beside
from jackspot.commands.terminal.board_options import FILE, NumberRange
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.noting import note_names
from jackspot.commands.terminal.output import fail, tell
from jackspot.config import ConfigError, find, load


@click.command(
    "capture",
    epilog=examples(
        "jackspot capture evening.vcd",
        "jackspot capture --seconds 60 minute.vcd",
    ),
)
@click.argument("out", metavar="OUT.vcd", type=FILE)
@click.option("--seconds", type=NumberRange(min=0.1), help="Stop after so long.")
@click.option("--journal", "journal", type=FILE, help="The journal of the board that is meant.")
@click.option("--config", "config_file", type=FILE, help="The file that all boards share.")
@click.option("--board-file", "board_file", type=FILE, help="What differs on this board.")
def command(
    out: Path,
    seconds: float | None,
    journal: Path | None,
    config_file: Path | None,
    board_file: Path | None,
) -> None:
    """Record the pins of the running board in a Value Change Dump.

    Until Ctrl-C. GTKWave, PulseView and sigrok open the file; `jackspot replay` plays it back.
    A capture from the board's very start: `jackspot run --capture OUT.vcd`.
    """
    try:
        path = journal or load(find(config_file, board_file)).journal.path
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            _connect(connection, socket_beside(path))
            with out.open("xb") as file:
                note_names(path, out)
                _stop_listening(connection, seconds)
                tell(f"capturing to {out}  (Ctrl-C ends)")
                size = 0
                while part := connection.recv(65536):
                    size += file.write(part)
    except ConfigError as error:
        fail(error)
    except FileExistsError:
        fail(f"{out} is there already; name a new file")
    except OSError as error:
        fail(f"{out}: {error.strerror or error}")
    tell(f"{out}: {size:,} bytes")


def _connect(connection: socket.socket, path: Path) -> None:
    try:
        connection.connect(str(path))
    except OSError as error:
        fail(
            f"no running board answers at {path} ({error.strerror}); start it, or name its "
            "journal with --journal, or run this as its user"
        )


def _stop_listening(connection: socket.socket, seconds: float | None) -> None:
    """Tell the board to stop, at Ctrl-C or when the time is over."""

    def enough(*_: object) -> None:
        try:
            connection.shutdown(socket.SHUT_WR)
        except OSError:
            return  # the board ended first

    for stopping in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stopping, enough)
    if seconds is not None:
        timer = threading.Timer(seconds, enough)
        timer.daemon = True
        timer.start()
