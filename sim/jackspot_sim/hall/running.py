"""A hall that runs until somebody ends it, with one line of status."""

from __future__ import annotations

import logging
import signal
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console
from rich.live import Live

from jackspot.config.model import Config
from jackspot.dialogue.state.view import OrderState, Phase
from jackspot.festival.broker import Broker
from jackspot.festival.messages import PREFIX
from jackspot.festival.names import board_id
from jackspot.festival.section import FestivalSection, with_port
from jackspot.festival.users import HUB_DOCTOR
from jackspot.values import changed
from jackspot_sim.hall.boards import SimHall, allow_files
from jackspot_sim.hall.pages import BoardsPage

NAME = "sim"
"""The hall's name where the config has none."""
LOOKS_S = 1.0
"""How often the line is written anew."""
ALIKE_S = 60.0
BETWEEN = frozenset({Phase.SETUP, Phase.MATCH_OVER})


def run_hall(
    config: Config,
    boards: int,
    broker: tuple[str, int] | None,
    state: Path | None,
    speed: float,
    port: int,
) -> None:
    """Run ``boards`` boards until SIGINT, SIGTERM or SIGHUP, then end them and what was started.

    ``config`` is that of each board, ``broker`` where they report; None: one of our own.
    ``state`` is where the journals are, ``port`` serves the list of boards. Raises NoBroker,
    DisplayError and JournalError.
    """
    ended = threading.Event()
    for stopping in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(stopping) is not signal.SIG_IGN:  # as nohup sets it
            signal.signal(stopping, lambda *_: ended.set())
    with ExitStack() as around:
        festival = config.festival
        allow_files(boards)  # the broker has a socket for each
        if broker is None:  # it listens in the clear, and asks nobody who they are
            broker = around.enter_context(Broker()).address
            festival = changed(festival, ca=None)
        hall_name = festival.hall or NAME
        festival = changed(festival, hall=hall_name, broker=(broker,))
        if state is None:
            forgotten = tempfile.TemporaryDirectory(prefix="jackspot-hall-")
            state = Path(around.enter_context(forgotten))
        hall = around.enter_context(SimHall(changed(config, festival=festival), state, speed))
        page = BoardsPage(hall).display(port)
        page.start()
        around.callback(page.stop)
        click.echo(f"{boards} boards of the hall {hall_name}; Ctrl-C ends.")
        click.echo(f"  broker    {with_port(*festival.addresses[0])}")
        click.echo(f"  hear all  {hears_all(festival)}")
        click.echo(f"  look on   {page.url}")
        live = around.enter_context(Live(console=Console(stderr=True), auto_refresh=False))
        _log_above()
        for number in range(1, boards + 1):
            if ended.is_set():
                return
            hall.start(number)
            live.update(f"started {board_id(number)}", refresh=True)
        live.update(told(hall), refresh=True)
        while not ended.wait(LOOKS_S):
            live.update(told(hall), refresh=True)


def hears_all(festival: FestivalSection) -> str:
    """Return the line to type that shows every message."""
    (host, port), ca = festival.addresses[0], festival.ca
    if ca is None:
        return f"mosquitto_sub -V mqttv5 -v -h {host} -p {port} -t 'jackspot/#'"
    keys = f'--cafile hall.crt -u {HUB_DOCTOR} -P "$(cat {HUB_DOCTOR}.password)"'
    return f"mosquitto_sub -V mqttv5 -v -h {host} -p {port} {keys} -t '{PREFIX}/{festival.hall}/#'"


def _log_above() -> None:
    """Write the log above the line, and what many boards log alike once a minute."""
    for handler in logging.getLogger().handlers:
        handler.addFilter(_Alike())
        if isinstance(handler, logging.StreamHandler):
            handler.setStream(sys.stderr)


class _Alike(logging.Filter):
    """Lets a text through once a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._said_s: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        text, now_s = record.getMessage(), time.monotonic()
        self._said_s = {each: at for each, at in self._said_s.items() if now_s < at + ALIKE_S}
        return self._said_s.setdefault(text, now_s) == now_s


def told(hall: SimHall) -> str:
    """Return the status of a hall in one line."""
    boards = list(hall.boards.values())
    views = [view for each in boards if (view := each.people.view) is not None]
    halls = [view.hall for view in views if view.hall is not None]
    ordered = sum(each.order is not None and each.state is OrderState.PLAYING for each in halls)
    play = sum(view.phase not in BETWEEN for view in views)
    over, unsent = sum(each.people.matches for each in boards), sum(each.unsent for each in halls)
    hub = "away" if not halls or any(each.away for each in halls) else "there"
    return (
        f"{play} of {len(boards)} boards play, {ordered} by order; {over} matches over, "
        f"{unsent} results wait; hub {hub}"
    )
