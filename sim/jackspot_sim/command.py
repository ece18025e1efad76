"""``jackspot sim``: the whole firmware on a simulated table, in the browser.

With ``--play`` a match record is played on it by itself: in the browser at ``--speed``, or
with ``--fast`` without a page, as fast as the machine goes, ending with the board's record.
With ``--record`` computer players play, and what is seen of it becomes a GIF. With ``--replay``
a match of a soak is shown in the browser, stroke by stroke beside the board's record.
"""

from __future__ import annotations

import logging
import signal
import socket
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import click
from click.core import ParameterSource
from rich.console import Console

from jackspot.capture.tap import Recipient, captured
from jackspot.capture.vcd_file import CaptureError
from jackspot.commands.check_config import FILE
from jackspot.commands.output import fail
from jackspot.config import ConfigError, load
from jackspot.config.load import Sources
from jackspot.config.model import Config
from jackspot.core.record import Record, RecordError, read_record
from jackspot.core.rules import RULES
from jackspot.core.settings import USUAL_RULES, RuleSystem
from jackspot.displays.errors import DisplayError
from jackspot.storage.errors import JournalError
from jackspot.web.server import WebSettings
from jackspot_sim.boards.rehearsal import Venue, board_config, exported, rehearse
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
from jackspot_sim.soak.command import agreed
from jackspot_sim.soak.report import replay_line
from jackspot_sim.soak.running import Soak, taught

PORT = 8462
"""Where the page is unless it is told otherwise or somebody else is there."""


FAILURES = (CannotRecord, CaptureError, ConfigError, DisplayError, JournalError, LostTrack)
"""What ends the command with a line that says what to do."""


@click.command("sim")
@click.option("--config", "config_file", type=FILE, help="A config; its pins are simulated.")
@click.option("--port", type=click.IntRange(0, 65535), help=f"The page's port; 0: any. [{PORT}]")
@click.option("--journal", type=FILE, help="Keep the journal here, and go on with it next time.")
@click.option("--play", "record_file", type=FILE, help="Play this match record (*.carom).")
@click.option("--rules", type=click.Choice([system.value for system in RULES]),
              help="Set the board to these rules. [as the config says, else hikone]")  # fmt: skip
@click.option("--speed", type=click.FloatRange(0.1, 100), default=1.0, show_default=True,
              help="So many times as fast as real time.")  # fmt: skip
@click.option("--fast", is_flag=True, help="With --play: no page, as fast as it goes.")
@click.option("--record", "gif_file", type=FILE,
              help="Record a match of computer players as a GIF: no page.")  # fmt: skip
@click.option("--seconds", type=click.FloatRange(SHORTEST_S, LONGEST_S), default=SECONDS,
              show_default=True, help="With --record: at most about so long.")  # fmt: skip
@click.option("--size", type=click.Choice([each.value for each in Size]), default="medium",
              show_default=True, help="With --record: how large the picture is.")  # fmt: skip
@click.option("--replay", type=click.IntRange(0), metavar="NUMBER",
              help="Show this match of a soak, in the browser.")  # fmt: skip
@click.option("--seed", type=int,
              help=f"Which match --record plays [{SEED}]; the seed of the soak [1].")  # fmt: skip
@click.option("--sensors", type=click.Choice([each.value for each in Quality]), default="default",
              show_default=True, help="What the beams are like, on the page too.")  # fmt: skip
@click.option("--referee", type=click.Choice([each.value for each in Referee]),
              default=Referee.WATCHING.value, show_default=True,
              help="With --replay: who minds the board.")  # fmt: skip
@click.option("--drops", type=click.IntRange(0, 200), default=0, show_default=True,
              help="With --replay: as the soak was calibrated.")  # fmt: skip
@click.option("--learn", type=click.IntRange(0, 10_000), default=0, show_default=True,
              help="With --replay: so many matches the soak learnt from.")  # fmt: skip
@click.option("--seats", "lineups", multiple=True, metavar="SEATS",
              help="With --replay: as the soak was given them.")  # fmt: skip
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE",
              help="With --replay: as the soak was given them.")  # fmt: skip
@click.option("--capture", type=FILE, help="Write the pins down here, as a Value Change Dump.")
@click.option("--verbose", is_flag=True, help="Log what the board does.")
def command(
    config_file: Path | None,
    port: int | None,
    journal: Path | None,
    record_file: Path | None,
    rules: str | None,
    speed: float,
    gif_file: Path | None,
    seconds: float,
    size: str,
    replay: int | None,
    seed: int | None,
    sensors: str,
    referee: str,
    drops: int,
    learn: int,
    lineups: tuple[str, ...],
    options: tuple[str, ...],
    capture: Path | None,
    *,
    fast: bool,
    verbose: bool,
) -> None:
    """Run the whole firmware on a simulated table, with a page to play on.

    The page is on this machine only. Ctrl-C ends. Exit status 1, with a line that says what
    to do, where config, record, journal or port cannot be had.
    """
    logging.basicConfig(level=logging.INFO if verbose else logging.WARNING, format="%(message)s")
    if fast and record_file is None:
        raise click.UsageError("--fast plays a record: name one with --play FILE.carom")
    if rules is not None and record_file is not None:
        raise click.UsageError("--play plays by the record's own rules: leave --rules out")
    _check_belongings({"--record": gif_file, "--replay": replay})
    if record_file is not None and _is_given("sensors"):
        raise click.UsageError("--play lets its pieces fall as records say: leave --sensors out")
    if gif_file is not None or replay is not None:
        _check_film(gif_file, replay, [config_file, journal, record_file, capture])
    played, quality = RuleSystem(rules or USUAL_RULES), Quality(sensors)
    try:
        if gif_file is not None:
            of = seed if seed is not None else SEED
            recorded(gif_file, played, of, quality, seconds, Size(size))
            return
        if replay is not None:
            who, of = Referee(referee), seed if seed is not None else 1
            soak = Soak(
                1, of, played, quality, (who,), drops=drops, lineups=lineups,
                options=agreed(played, lineups, options), learn=learn,
            )  # fmt: skip
            with Console(stderr=True).status(f"playing match {replay}"):
                shown = film(soak.job(replay, who, taught(soak)))
            name = replay_line(soak, replay, who)
            _serve(Replay(shown, WebSettings(port=_free(port)), speed, name))
            return
        record = _read(record_file) if record_file else None
        with _journal(journal) as kept, captured(capture) as listeners:
            listener = next(iter(listeners), None)
            if record is not None and fast:
                _play_fast(record, kept, listener)
            else:
                system = RuleSystem(rules) if rules is not None else None
                config = _config(config_file, system)
                settings = WebSettings(port=_free(port))
                session = Session(config, kept, settings, record, None, listener, quality)
                session.set_speed(speed)
                _serve(session)
    except FAILURES as failure:
        fail(failure)


_BELONGINGS = (
    ("seconds", "--seconds", ("--record",)),
    ("size", "--size", ("--record",)),
    ("seed", "--seed", ("--record", "--replay")),
    ("referee", "--referee", ("--replay",)),
    ("drops", "--drops", ("--replay",)),
    ("learn", "--learn", ("--replay",)),
    ("lineups", "--seats", ("--replay",)),
    ("options", "--option", ("--replay",)),
)
"""Options that mean something only beside another: parameter, name, beside which."""


def _check_belongings(modes: Mapping[str, object]) -> None:
    """See to it that nothing is given that would count for nothing."""
    for parameter, option, beside in _BELONGINGS:
        if _is_given(parameter) and all(modes[each] is None for each in beside):
            which = " or ".join(beside)
            raise click.UsageError(
                f"{option} counts only with {which}: give {which} too, or leave {option} out"
            )


def _is_given(parameter: str) -> bool:
    """Whether somebody gave an option, be it what it is by itself."""
    source = click.get_current_context().get_parameter_source(parameter)
    return source is not None and source is not ParameterSource.DEFAULT


def _check_film(path: Path | None, replay: int | None, others: Sequence[Path | None]) -> None:
    """See to it that a film can be made or shown as it was asked for."""
    if path is not None and path.suffix.lower() != ".gif":
        raise click.UsageError(
            f"--record makes a GIF: expected a name that ends in .gif, not {path}"
        )
    if any(each is not None for each in others):
        raise click.UsageError(
            "--record and --replay play matches of their own: leave out --config, --journal, "
            "--play and --capture"
        )
    if path is not None and replay is not None:
        raise click.UsageError("--record makes a file, --replay shows a page: choose one of them")


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
    """Give where to keep the journal: for good, or for this run."""
    if path is not None:
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
    """Give the port that was asked for; else the usual one, or any where it is taken."""
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


def _serve(session: Session | Replay) -> None:
    """Serve the page until Ctrl-C."""
    session.start()
    for stopping in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stopping, lambda *_: session.close())
    click.echo(f"The simulated table is at {session.url}  (Ctrl-C ends)")
    session.run()
