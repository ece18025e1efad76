"""``jackspot sim`` and ``jackspot watch``: the whole firmware on a simulated table.

With ``--play`` a match record is played on it automatically: in the browser at ``--speed``, or
with ``--fast`` without a page, as fast as the machine goes, ending with the board's record.
With ``--record`` computer players play, and what is seen becomes a GIF. With ``--hall`` there are
many boards, which report to a hall. ``watch`` shows a match of a soak, stroke by stroke beside the
board's record.
"""

from __future__ import annotations

import logging
import signal
import socket
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from click.core import ParameterSource
from rich.console import Console

from jackspot.capture.errors import CaptureError
from jackspot.capture.tap import Recipient
from jackspot.commands.terminal.board_options import FILE, NumberRange
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail
from jackspot.config import ConfigError, load
from jackspot.config.load import Sources
from jackspot.config.model import Config
from jackspot.core.record import Record, RecordError, read_record
from jackspot.core.rules import RULES
from jackspot.core.settings import USUAL_RULES, RuleSystem
from jackspot.displays.errors import DisplayError
from jackspot.festival.broker import NoBroker
from jackspot.festival.names import HALL, MOST_BOARDS
from jackspot.festival.section import FestivalSection
from jackspot.settings.section import read_section
from jackspot.storage.errors import JournalError
from jackspot.storage.recovery import refuse_unfit
from jackspot.values import changed
from jackspot.web.addresses import PAGES, is_loopback
from jackspot.web.server import WebSettings
from jackspot_sim.boards.rehearsal import Venue, board_config, exported, rehearse
from jackspot_sim.browser.captures import captures
from jackspot_sim.browser.orders import with_rules
from jackspot_sim.browser.session import Session
from jackspot_sim.chance.frequencies import Referee
from jackspot_sim.film.filming import film
from jackspot_sim.film.moving_picture import CannotRecord
from jackspot_sim.film.painting import Size
from jackspot_sim.film.recording import LONGEST_S, SECONDS, SEED, SHORTEST_S, recorded
from jackspot_sim.film.replay import Replay
from jackspot_sim.people.play import LostTrack
from jackspot_sim.sensing.quality import Quality
from jackspot_sim.soak.command import of_a_soak
from jackspot_sim.soak.report import replay_line
from jackspot_sim.soak.running import Soak, taught

PORT = 8462
"""The page's port, unless another is given or this one is taken."""


FAILURES = (
    CannotRecord, CaptureError, ConfigError, DisplayError, JournalError, LostTrack, NoBroker
)  # fmt: skip
"""What ends the command with a line that says what to do."""


@click.command(
    "sim",
    epilog=examples(
        "jackspot sim --rules kagw              play, by other rules",
        "jackspot sim --play match.carom        see a match record played",
        "jackspot sim --capture out.vcd         record the pins meanwhile",
        "jackspot sim --record table.gif        make a moving picture",
        "jackspot sim --hall 40                 forty boards that tell a hall",
    ),
)
@click.option("--config", "config_file", type=FILE, help="A config; its pins are simulated.")
@click.option("--port", type=click.IntRange(0, 65535), help=f"The page's port; 0: any. [{PORT}]")
@click.option("--journal", type=FILE, help="Keep the journal here, and go on with it next time.")
@click.option("--rules", type=click.Choice([system.value for system in RULES]), metavar="ID",
              help=f"Play by these rules: {', '.join(RULES)}. [as the config says, else "
              "hikone]")  # fmt: skip
@click.option("--sensors", type=click.Choice([each.value for each in Quality]), default="default",
              show_default=True, metavar="KIND",
              help=f"What the beams are like: {', '.join(Quality)}.")  # fmt: skip
@click.option("--speed", type=NumberRange(0.1, 100), default=1.0, show_default=True,
              help="So many times as fast as real time.")  # fmt: skip
@click.option("--capture", type=FILE, help="Record the pins here, as a Value Change Dump.")
@click.option("--play", "record_file", type=FILE, help="Play this match record (*.carom).")
@click.option("--fast", is_flag=True, help="With --play: no page, as fast as it goes.")
@click.option("--record", "gif_file", type=FILE,
              help="Record a match of computer players as a GIF: no page.")  # fmt: skip
@click.option("--seconds", type=NumberRange(SHORTEST_S, LONGEST_S), default=SECONDS,
              show_default=True, help="With --record: at most about so long.")  # fmt: skip
@click.option("--size", type=click.Choice([each.value for each in Size]), default="medium",
              show_default=True, help="With --record: how large the picture is.")  # fmt: skip
@click.option("--seed", type=int, default=SEED, show_default=True,
              help="With --record: which match.")  # fmt: skip
@click.option("--hall", "boards", type=click.IntRange(1, MOST_BOARDS), metavar="BOARDS",
              help="So many boards of one hall with people at each, by the config's [festival]; "
              "the page lists them.")  # fmt: skip
@click.option("--broker", metavar="HOST:PORT",
              help="With --hall: tell this broker. [one of its own, on a free port]")  # fmt: skip
@click.option("--hall-name", metavar="NAME",
              help="With --hall: its name. [as the config says, else sim]")  # fmt: skip
@click.option("--state", type=click.Path(file_okay=False, path_type=Path),
              help="With --hall: keep the journals here, and go on with them.")  # fmt: skip
@click.option("--verbose", is_flag=True, help="Log what the board does.")
def command(
    config_file: Path | None,
    port: int | None,
    journal: Path | None,
    rules: str | None,
    sensors: str,
    speed: float,
    capture: Path | None,
    record_file: Path | None,
    gif_file: Path | None,
    seconds: float,
    size: str,
    seed: int,
    boards: int | None,
    broker: str | None,
    hall_name: str | None,
    state: Path | None,
    *,
    fast: bool,
    verbose: bool,
) -> None:
    """Play on a simulated table in the browser.

    Runs the whole firmware; only the pins are simulated. The page is on this machine only. Ctrl-C
    ends. Exit status 1, with a line that says what to do, where config, record, journal, port or
    broker cannot be had.

    With --hall people play at each board until the hall orders a match: they break off what nobody
    ordered, say that they are here, and play it to its end.
    """
    _log(verbose=verbose)
    if boards is not None:
        _check_hall()
    if fast and record_file is None:
        raise click.UsageError("--fast plays a record: name one with --play FILE.carom")
    if rules is not None and record_file is not None:
        raise click.UsageError("--play plays by the record's own rules: leave --rules out")
    if record_file is not None and _is_given("sensors"):
        raise click.UsageError("--play lets its pieces fall as records say: leave --sensors out")
    _check_belongings()
    if gif_file is not None:
        _check_gif(gif_file, [config_file, journal, record_file, capture])
    quality = Quality(sensors)
    system = RuleSystem(rules) if rules is not None else None
    try:
        if boards is not None:
            _run_hall(_config(config_file, system), boards, broker, hall_name, state, speed, port)
            return
        if gif_file is not None:
            played = RuleSystem(rules or USUAL_RULES)
            recorded(gif_file, played, seed, quality, seconds, Size(size))
            return
        record = _read(record_file) if record_file else None
        with _journal(journal) as kept, captures(capture) as following:
            if record is not None and fast:
                _play_fast(record, kept, following())
            else:
                config = _config(config_file, system)
                settings = WebSettings(port=_free(port))
                session = Session(config, kept, settings, record, None, following, quality)
                session.set_speed(speed)
                _serve(session, "play" if record is None else "see the record played")
    except FAILURES as failure:
        fail(failure)


@click.command(
    "watch",
    epilog=examples(
        "jackspot watch 17                      match 17 of `jackspot soak`",
        "jackspot watch 17 --seed 4 --rules icf --referee careless",
    ),
)
@click.argument("number", type=click.IntRange(0))
@of_a_soak
@click.option("--referee", type=click.Choice([each.value for each in Referee]), metavar="KIND",
              default=Referee.WATCHING.value, show_default=True,
              help=f"Who referees: {', '.join(Referee)}.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), help=f"The page's port; 0: any. [{PORT}]")
@click.option("--speed", type=NumberRange(0.1, 100), default=1.0, show_default=True,
              help="So many times as fast as real time.")  # fmt: skip
@click.option("--verbose", is_flag=True, help="Log what the board does.")
def watch(
    soak: Soak,
    number: int,
    referee: str,
    port: int | None,
    speed: float,
    *,
    verbose: bool,
) -> None:
    """Show match NUMBER of a soak in the browser, stroke by stroke.

    Beside the board's record. The options are those of the soak: its report has the whole line for
    each match that went wrong. Ctrl-C ends.
    """
    _log(verbose=verbose)
    who = Referee(referee)
    soak = changed(soak, referees=(who,))
    try:
        with Console(stderr=True).status(f"playing match {number}"):
            shown = film(soak.job(number, who, taught(soak)))
        name = replay_line(soak, number, who)
        _serve(Replay(shown, WebSettings(port=_free(port)), speed, name), "see the match")
    except FAILURES as failure:
        fail(failure)


def _log(*, verbose: bool) -> None:
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(message)s")


_BELONGINGS = {
    "seconds": "--record", "size": "--record", "seed": "--record",
    "broker": "--hall", "hall_name": "--hall", "state": "--hall",
}  # fmt: skip
"""Options that mean something only together with another one."""
_NAMES = {"gif_file": "record", "boards": "hall", "record_file": "play"}
"""Parameters whose names differ from their options'."""
_NOT_IN_A_HALL = ("journal", "sensors", "capture", "record_file", "fast", "gif_file")


def _check_belongings() -> None:
    """Check that no option is given that would have no effect."""
    given = {f"--{name}" for each, name in _NAMES.items() if _is_given(each)}
    for parameter, other in _BELONGINGS.items():
        if _is_given(parameter) and other not in given:
            option = f"--{parameter.replace('_', '-')}"
            raise click.UsageError(
                f"{option} counts only with {other}: add {other}, or leave {option} out"
            )


def _check_hall() -> None:
    """Check that no option is given that is only for a single table."""
    for parameter in _NOT_IN_A_HALL:
        if _is_given(parameter):
            raise click.UsageError(
                f"--hall runs boards at which people play by themselves: leave --"
                f"{_NAMES.get(parameter, parameter)} out"
            )


def _is_given(parameter: str) -> bool:
    """Whether somebody gave an option, even with its default value."""
    source = click.get_current_context().get_parameter_source(parameter)
    return source is not None and source is not ParameterSource.DEFAULT


def _check_gif(path: Path, others: Sequence[Path | None]) -> None:
    """Check that a moving picture can be made as it was asked for."""
    if path.suffix.lower() != ".gif":
        raise click.UsageError(
            f"--record makes a GIF: expected a name that ends in .gif, not {path}"
        )
    if any(each is not None for each in others):
        raise click.UsageError(
            "--record plays a match of its own: leave out --config, --journal, --play and --capture"
        )


def _read(path: Path) -> Record:
    """Read a record; its errors end the command, one a line, as ``jackspot score`` has them."""
    try:
        return read_record(path.read_text(encoding="utf-8"))
    except RecordError as wrong:
        fail("\n".join(f"{path}:{e.line}:{e.column}: {e.message}" for e in wrong.errors))
    except (OSError, UnicodeDecodeError) as wrong:
        fail(f"{path} cannot be read: {wrong}")


@contextmanager
def _journal(path: Path | None) -> Iterator[Path]:
    """Return where to keep the journal: for good, or for this run.

    Raises JournalError if it cannot be kept there.
    """
    if path is not None:
        refuse_unfit(path)
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="jackspot-sim-") as folder:
        yield Path(folder) / "journal.sqlite3"


def _play_fast(record: Record, journal: Path, listener: Recipient | None) -> None:
    """Play a record to its end and print the record that the board exports."""
    entries = [step.entry for step in record.match.steps]
    venue = Venue(board_config(record.settings, at_box=True), captured=listener)
    rig = rehearse(record.settings, entries, journal, venue=venue)
    click.echo(exported(rig), nl=False)
    rig.keeper.refuse_loss()


def _free(port: int | None) -> int:
    """Return the port that was asked for; else the usual one, or any where it is taken."""
    if port is not None:
        return port
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", PORT))
        except OSError:
            return 0
    return PORT


def _config(config_file: Path | None, rules: RuleSystem | None) -> Config:
    config = load(Sources((config_file,) if config_file else ()))
    return config if rules is None else with_rules(config, rules)


def _run_hall(
    config: Config,
    boards: int,
    broker: str | None,
    hall_name: str | None,
    state: Path | None,
    speed: float,
    port: int | None,
) -> None:
    """Run a hall of boards, for its own broker or for the one that was named."""
    from jackspot_sim.hall.running import run_hall

    where = None
    if state is not None:
        try:
            state.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            fail(f"--state {state} cannot be made: {error.strerror}; name another folder")
    if broker is not None:
        named, wrong = read_section(FestivalSection, {"broker": broker})
        if wrong:
            raise click.UsageError(
                f"--broker {broker}: expected an address like 192.168.1.10, hub.local:8883 or "
                "[fd00::7]:8883"
            )
        [where] = named.broker
        if config.festival.ca is None and not is_loopback(where[0]):
            fail(
                f"--broker {broker} is on another machine, and would be told in the clear: name a "
                "--config that has [festival] ca, from `jackspot hub keys`"
            )
    if hall_name is not None and not HALL.fullmatch(hall_name):
        raise click.UsageError(
            f"--hall-name {hall_name}: expected small letters, digits and dashes, like hikone"
        )
    festival = changed(config.festival, hall=hall_name or config.festival.hall)
    config = changed(config, festival=festival)
    run_hall(config, boards, where, state, speed, _free(port))


def _serve(session: Session | Replay, aim: str) -> None:
    """Serve the page until Ctrl-C or the terminal's end, and say what to do with its address."""
    session.start()
    for stopping in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(stopping) is not signal.SIG_IGN:  # as nohup sets it
            signal.signal(stopping, lambda *_: session.close())
    click.echo(f"Open {session.url} in a browser on this machine to {aim}; Ctrl-C ends.")
    board = session.url.removesuffix("sim/")
    for page, path in PAGES.items():
        click.echo(f"  {page:9}{board}{path}")
    session.run()
