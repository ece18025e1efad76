"""``jackspot hub practice``: a whole festival in one terminal, to learn on and to show."""

from __future__ import annotations

import logging
import signal
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from jackspot.commands.terminal.board_options import NumberRange
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail
from jackspot.config.load import Sources, load
from jackspot.config.model import Config
from jackspot.displays.errors import DisplayError
from jackspot.festival.broker import LOOPBACK, Broker, NoBroker
from jackspot.festival.connection import Login
from jackspot.festival.messages import MOST_BYTES
from jackspot.festival.names import MOST_BOARDS
from jackspot.festival.section import FestivalSection, with_port
from jackspot.storage.errors import JournalError
from jackspot.storage.wall_clock import SystemWall
from jackspot.values import changed
from jackspot.web.referee.kept import KeptFile
from jackspot_hub.command import line, serve_pages, tables
from jackspot_hub.desk.state import DeskEntry, DeskState
from jackspot_hub.event.programme import Programme
from jackspot_hub.event_file import BadEvent, read_event
from jackspot_hub.figures import DayFigures, WrittenEntry, figures
from jackspot_hub.running import MILLISECOND_NS, RunningHub
from jackspot_sim.hall.boards import SimHall, allow_files
from jackspot_sim.hall.pages import BoardsPage
from jackspot_sim.hall.running import hears_all
from jackspot_sim.practice.made_up import made_up
from jackspot_sim.practice.mishaps import HallMishaps
from jackspot_sim.practice.organiser import Organiser, left_out

BOARDS, SPEED, SEED = 8, 20.0, "1"
LOAD_EACH_S, FULL = 5.0, 0.9


class FasterWall:
    """The machine's clock, running ``speed`` times as fast from when it is made."""

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._machine = SystemWall()
        self.began_ns = self._machine.now_ns()
        self._since_ns = time.monotonic_ns()

    def now_ns(self) -> int:
        """Return nanoseconds since 1970, as this clock has them."""
        return self.began_ns + int((time.monotonic_ns() - self._since_ns) * self._speed)

    def synchronised(self) -> bool:
        """Return False: nobody may believe it."""
        return False

    def boot(self) -> str:
        """Return the machine's."""
        return self._machine.boot()


@click.command(
    "practice",
    epilog=examples(
        "jackspot hub practice                  eight boards, twenty times as fast",
        "jackspot hub practice 40 --speed 10",
        "jackspot hub practice --event cup.toml",
    ),
)
@click.argument("boards", type=click.IntRange(1, MOST_BOARDS), required=False)
@click.option("--speed", type=NumberRange(1, 60), default=SPEED, show_default=True,
              help="So many times as fast as real time.")  # fmt: skip
@click.option("--event", type=click.Path(path_type=Path, dir_okay=False, exists=True),
              help="The event to play.  [default: one that suits so many boards]")  # fmt: skip
@click.option("--seed", default=SEED, show_default=True, help="Draws lots and mishaps.")
@click.option("--quiet-network", is_flag=True, help="Let no network, board or broker fail.")
def command(
    boards: int | None, speed: float, event: Path | None, seed: str, *, quiet_network: bool
) -> None:
    """Practise a festival at BOARDS simulated boards.

    Each board is the real firmware with people at it, whose sensors err as real ones do. Networks
    fail, boards die, the broker is killed; what an organiser would do about it is done, and said.
    Classes that are drawn later are drawn at once, where they have people. Nothing of it is kept.
    Ctrl-C ends.
    """
    logging.basicConfig(level=logging.ERROR, format="%(message)s")
    if event is not None and boards is not None:
        raise click.UsageError("--event says how many boards there are: leave BOARDS out")
    ended = threading.Event()
    for stopping in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(stopping) is not signal.SIG_IGN:  # as nohup has it
            signal.signal(stopping, lambda *_: ended.set())
    try:
        programme = made_up(boards or BOARDS, seed) if event is None else read_event(event)
        Day(programme, speed, seed, ended).run(faults=not quiet_network)
    except (BadEvent, NoBroker, JournalError, DisplayError, OSError) as error:
        fail(error)


class _Load:
    """How busy this process is: its threads share about one processor."""

    def __init__(self) -> None:
        self._before = time.monotonic(), time.process_time()
        self._full = False

    def is_full(self) -> bool:
        """Whether it was busy nearly all of the last seconds."""
        real_s, used_s = time.monotonic() - self._before[0], time.process_time() - self._before[1]
        if real_s >= LOAD_EACH_S:
            self._full = used_s > FULL * real_s
            self._before = time.monotonic(), time.process_time()
        return self._full


class Day:
    """One day of practice, until it is over or ``ended`` is set."""

    def __init__(
        self, programme: Programme, speed: float, seed: str, ended: threading.Event
    ) -> None:
        self._programme, self._speed, self._seed, self._ended = programme, speed, seed, ended
        self._console = Console(highlight=False)
        self._wall = FasterWall(speed)
        self._organiser = Organiser(seed)
        self._written: list[WrittenEntry] = []
        self._load = _Load()

    def run(self, *, faults: bool) -> None:
        """Play it, then show the result. Raises NoBroker and JournalError."""
        numbers = [each.number for each in self._programme.boards]
        with ExitStack() as around:
            allow_files(len(numbers))
            broker = around.enter_context(Broker())
            folder = Path(around.enter_context(tempfile.TemporaryDirectory(prefix="jackspot-day-")))
            hall = around.enter_context(
                SimHall(_config(self._programme, broker), folder, self._speed, friendly=False)
            )
            hub = RunningHub(self._programme, folder / "hub.sqlite3", self._wrote, self._wall)
            around.callback(hub.close)
            page = BoardsPage(hall).display(0)
            page.start()
            around.callback(page.stop)
            self._introduce(broker, page.url)
            kept = KeptFile(folder / "pin.json")
            serve_pages(around, hub, (LOOPBACK, 0), kept, self._speed)
            progress = around.enter_context(
                Progress(
                    MofNCompleteColumn(), BarColumn(), TextColumn("{task.description}"),
                    console=self._console, transient=True,
                )
            )  # fmt: skip
            task = progress.add_task("")
            mishaps = around.enter_context(
                HallMishaps(
                    hall, broker, numbers, self._seed, self._speed, self._say, faults=faults
                )
            )

            def turn() -> bool:
                """Do what an organiser does, show the status, and return whether it is over."""
                mishaps.check()
                entries = self._organiser.look(hub.desk, self._now_ms())
                if entries:
                    hub.enter(entries)
                known, over = counted(hub.desk)
                progress.update(task, total=known, completed=over,
                                description=self._stand(hub.desk, mishaps))  # fmt: skip
                return self._ended.is_set() or self._organiser.is_over(hub.desk)

            hub.run(Login(*broker.address, "hub", "", MOST_BYTES), turn)
            progress.update(task, visible=False)
            self._conclude(hub.desk, mishaps)

    def _introduce(self, broker: Broker, page: str) -> None:
        programme = self._programme
        entered = ", ".join(
            f"{name}: {len(each.people)} entrants" for name, each in programme.classes.items()
        )
        click.echo(f"{programme.name}: {len(programme.boards)} boards at {self._speed:g} times "
                   f"real time, seed {self._seed}; {entered}. Ctrl-C ends.")  # fmt: skip
        if left := left_out(DeskState(programme)):
            why = "; ".join(f"{name} ({each})" for name, each in left.items())
            click.echo(f"Not played here: {why}. Practice plays what has people in the event's "
                       "file, also what is drawn later.")  # fmt: skip
        click.echo(f"  broker    {with_port(*broker.address)}")
        click.echo(f"  hear all  {hears_all(_section(programme, broker))}")
        click.echo(f"  boards    {page}")

    def _say(self, text: str) -> None:
        minutes = (self._now_ms() - self._began_ms) // 60_000
        self._console.print(f"{minutes // 60}:{minutes % 60:02}  {text}", markup=False)

    def _now_ms(self) -> int:
        return self._wall.now_ns() // MILLISECOND_NS

    @property
    def _began_ms(self) -> int:
        return self._wall.began_ns // MILLISECOND_NS

    def _wrote(self, desk: DeskState, entry: DeskEntry) -> None:
        self._written.append((entry.kind, entry.body, self._now_ms()))
        if text := line(desk, entry):
            self._say(text)

    def _stand(self, desk: DeskState, mishaps: HallMishaps) -> str:
        busy, boards = len(desk.open_orders), len(desk.programme.boards)
        there = sum(each.there for each in desk.seen.values())
        text = f"boards: {busy} busy, {max(there - busy, 0)} idle"
        if mishaps.started < boards:
            return f"{text}; {mishaps.started} of {boards} started"
        slow = "; this machine is at its limit, choose a lower --speed" * self._load.is_full()
        return f"{text}, {len(mishaps.dead)} dead{slow}"

    def _conclude(self, desk: DeskState, mishaps: HallMishaps) -> None:
        for table in tables(desk):
            self._console.print(table)
        found = figures(self._written, len(desk.programme.boards), self._organiser.begun_ms)
        for text in (*sentences(found), mishaps.told):
            click.echo(text)


def counted(desk: DeskState) -> tuple[int, int]:
    """Return how many matches are known, and how many of them are over."""
    known = over = 0
    for name in desk.programme.classes:
        results = desk.results.get(name, {})
        fixtures = desk.drawn(name).fixtures
        known += len(fixtures)
        over += sum(each.key in results and results[each.key].outcome is not None
                    for each in fixtures)  # fmt: skip
    return known, over


def sentences(found: DayFigures) -> list[str]:
    """Return the figures of a day as sentences."""
    hours, minutes = divmod(round(found.minutes), 60)
    begins = "nobody has begun" if found.to_first_stroke is None else (
        f"{found.to_first_stroke:.1f} minutes from a call to the first stroke, half of them less"
    )  # fmt: skip
    return [
        f"The day took {hours}:{minutes:02}: {found.results} results, {found.calls} calls, "
        f"{found.corrections} corrections.",
        f"Boards had no match in {found.idle:.0%} of it; {begins}.",
    ]


def _section(programme: Programme, broker: Broker) -> FestivalSection:
    return FestivalSection(hall=programme.hall, broker=(broker.address,))


def _config(programme: Programme, broker: Broker) -> Config:
    return changed(load(Sources(())), festival=_section(programme, broker))
