"""``jackspot hub run``, and commands for an event before it, between its runs and after it."""

from __future__ import annotations

import json
import logging
import signal
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from typing import Any
from unicodedata import normalize
from urllib.parse import urlsplit

import click
from rich.console import Console
from rich.table import Table

from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.noting import note_names
from jackspot.commands.terminal.output import fail
from jackspot.commands.terminal.speaking import lang_option
from jackspot.commands.terminal.steps import StepMode, asked_first, carry_out
from jackspot.displays.errors import DisplayError
from jackspot.displays.words import translator
from jackspot.festival.broker import Broker, NoBroker, free_port
from jackspot.festival.connection import Login
from jackspot.festival.messages import MOST_BYTES
from jackspot.festival.section import HUB_NAME, with_port
from jackspot.festival.updating import UPDATES
from jackspot.files import atomic_write
from jackspot.ops.backup.archive import look_at
from jackspot.ops.forgetting.rewriting import held
from jackspot.ops.garbage import seldom_searched
from jackspot.ops.ownership import as_owner_of, give_to_caller
from jackspot.ops.quiet_log import make_quiet
from jackspot.ops.update.release import ENDING, ReleaseError, claimed, only_one
from jackspot.storage.errors import (
    JournalBusy,
    JournalDamaged,
    JournalError,
    JournalUnwritable,
)
from jackspot.values import changed
from jackspot.web.addresses import is_ours, page_url
from jackspot.web.referee.kept import KeptFile
from jackspot.web.server import PortTaken, WebSettings
from jackspot_hub.copying import EventCopy
from jackspot_hub.desk.allowed import kept_as_drawn
from jackspot_hub.desk.people_list import BadPeople, people_entries
from jackspot_hub.desk.revising import correct, said_anew
from jackspot_hub.desk.state import (
    CarriedRelease,
    DeskEntry,
    DeskKind,
    DeskState,
    DoesNotFit,
    GivenOrder,
    contest_of,
    is_only_kept,
    sides_of,
)
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.programme import Programme
from jackspot_hub.event.standings import RankedEntrant, TieBreak
from jackspot_hub.event_file import BEGUN, BadEvent, facts, read_event, taken_since
from jackspot_hub.forgetting import ELSEWHERE, look
from jackspot_hub.results import RECORDS, files_of
from jackspot_hub.running import RunningHub, read_desk
from jackspot_hub.web.app import LIMITS, serve_hub

EVERYWHERE = "0.0.0.0"  # noqa: S104  phones and walls are other machines; the desk asks for a PIN


BROKER_PORT = 1883
"""The usual port of the hub's own broker, if it is free: boards find it there after a restart."""
PORT, PORTS = 8470, 10
"""The port of the pages, and how many ports are tried if it is taken."""
NAMES = frozenset({HUB_NAME})
KEPT_PIN = ".pin.json"
"""Name of the file, beside the journal, with the PIN and who has signed in."""


def _where(
    usual_port: int,
) -> Callable[[click.Context, click.Parameter, str | None], tuple[str, int] | None]:
    """Return what splits an address with a port: ``192.168.1.10:8470``, ``[fd00::7]``."""

    def take(
        _context: click.Context, _parameter: click.Parameter, value: str | None
    ) -> tuple[str, int] | None:
        if value is None:
            return None
        parts = urlsplit(f"//{value}")
        with suppress(ValueError):
            port = usual_port if parts.port is None else parts.port
            if parts.hostname and parts.netloc == value and "@" not in value:
                return parts.hostname, port
        raise click.BadParameter(
            f"expected an address like 192.168.1.10 or hub.local:8883, found {value!r}"
        )

    return take


PAGES = {"wall": "wall", "phones": "", "desk": "desk", "people": "people"}
"""The hub's pages, and where they are under its address."""


@click.command("run", epilog=examples("jackspot hub run festival37.toml --until-over"))
@click.argument("event", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--journal", type=click.Path(path_type=Path, dir_okay=False),
              help="The event's journal.  [default: beside EVENT]")  # fmt: skip
@click.option("--broker", callback=_where(8883), metavar="HOST:PORT",
              help="The hall's broker.  [default: one of its own on this machine]")  # fmt: skip
@click.option("--keys", type=click.Path(path_type=Path, file_okay=False, exists=True),
              help="The folder that `jackspot hub keys` wrote.")  # fmt: skip
@click.option("--copy", type=click.Path(path_type=Path, file_okay=False),
              help="A folder, best on a stick, that always has a copy of the event: `jackspot hub "
              "run` goes on from it, on any machine.")  # fmt: skip
@click.option("--update", type=click.Path(path_type=Path, exists=True), metavar="FOLDER",
              help="A signed release, or its folder: the desk can offer it to boards, which look "
              "for it on the broker's machine.  [default: one beside EVENT]")  # fmt: skip
@click.option("--pages", callback=_where(PORT), metavar="ADDRESS:PORT",
              help="Where pages are served; 127.0.0.1 for this machine only.  "
              f"[default: {EVERYWHERE}:{PORT}, or the next port that is free]")  # fmt: skip
@click.option("--until-over", is_flag=True, help="End once everything is played.")
def command(
    event: Path, journal: Path | None, broker: tuple[str, int] | None, keys: Path | None,
    copy: Path | None, update: Path | None, pages: tuple[str, int] | None, until_over: bool,
) -> None:  # fmt: skip
    """Run an event: draw it, call people to boards, collect, rank.

    EVENT is a TOML file that says who is entered, how matches are drawn and how many boards there
    are. A hub that is killed and started again goes on where it was.
    """
    logging.basicConfig(format="%(message)s")
    make_quiet()
    where = journal or event.with_suffix(".sqlite3")
    if copy is not None and copy.resolve() == where.parent.resolve():
        raise click.UsageError(f"--copy {copy}: that is where the journal is; name another folder")
    try:
        with ExitStack() as around:
            login = _login(around, broker, keys)
            shown, copies = Console(highlight=False), list[EventCopy]()

            def say(desk: DeskState, entry: DeskEntry) -> None:
                for each in copies:
                    each.wrote()
                if text := line(desk, entry):
                    shown.print(text, markup=False)

            hub = around.enter_context(closing(opened(event, where, say)))
            programme = hub.desk.programme
            if copy is not None:
                note_names(where, copy)
                beside = [where.with_suffix(each) for each in (BEGUN, KEPT_PIN)]
                made = EventCopy(
                    copy, event, where, beside=beside, results=lambda: hub.desk.on_disk
                )
                copies.append(around.enter_context(closing(made)))
                hub.acknowledges = made.kept
            ended = _ended()
            played = sum(one.called for each in hub.desk.results.values() for one in each.values())
            click.echo(f"{programme.name}: hall {programme.hall}, "
                       f"broker {with_port(login.host, login.port)}; "
                       f"{played} matches were called before. Ctrl-C ends.")  # fmt: skip
            if broker is None:
                click.echo("Only this machine reaches that broker: boards of a hall need "
                           "`jackspot hub install`.")  # fmt: skip
            kept = KeptFile(where.with_suffix(KEPT_PIN))
            serve_pages(around, hub, pages, kept, update=handed_out(update, event),
                        copy_fails=lambda: "; ".join(each.trouble for each in copies))  # fmt: skip
            with seldom_searched():
                hub.run(login, lambda: ended.is_set() or (until_over and hub.is_over))
            for table in tables(hub.desk):
                shown.print(table)
    except (
        BadEvent,
        CannotBe,
        NoBroker,
        JournalError,
        DisplayError,
        ReleaseError,
        OSError,
    ) as error:
        fail(error)


def handed_out(place: Path | None, event: Path) -> Path | None:
    """Return the release that boards may be offered; None: there is none beside the event's file.

    Boards check its signature, each by its own key; a hub only passes it on. Raises ReleaseError if
    a named folder does not hold exactly one.
    """
    if place is not None:
        return only_one(place, place) if place.is_dir() else place
    try:
        found = only_one(event.parent, event.parent)
        claimed(found)
    except ReleaseError as error:
        if list(event.parent.glob(f"*{ENDING}")):
            click.echo(f"Boards are offered nothing: {error}", err=True)
        return None
    return found


def _carried(update: Path) -> CarriedRelease:
    """Return what boards are told of a release. Raises ReleaseError if it is none."""
    version, file = claimed(update).version, look_at(update)
    return CarriedRelease(version, f"jackspot-{version}{ENDING}", file.size, file.digest, 0)


def opened(event: Path, journal: Path, wrote: Callable[[DeskState, DeskEntry], None]) -> RunningHub:
    """Open an event's hub: what its file says must be as it was when the event began.

    Raises BadEvent, JournalError and OSError, each with what to do.
    """
    programme = read_event(event, journal)
    try:
        hub = RunningHub(programme, journal, wrote)
    except DoesNotFit as error:
        taken = taken_since(journal, programme, lambda _contest: "put it back")
        raise BadEvent("\n".join([str(error), *([CHANGED, *taken] if taken else [])])) from error
    except JournalBusy as error:
        found = str(error).removeprefix(f"{error.path}: ")
        raise JournalBusy(error.path, f"{found}; {IN_USE}") from error
    except JournalUnwritable as error:
        found = str(error).removeprefix(f"{error.path}: ")
        raise JournalUnwritable(error.path, f"{found}; {ELSEWHERE_TO}", error.short) from error
    except JournalDamaged as error:
        found = str(error).removeprefix(f"{error.path}: ")
        raise JournalDamaged(error.path, f"{found}\n{DAMAGED}", error.good) from error
    try:
        if taken := _taken(hub.desk, journal, programme):
            click.echo("\n".join([f"{event}: {CHANGED}", *taken]), err=True)
        kept, now = journal.with_suffix(BEGUN), json.dumps(facts(programme))
        if not kept.exists() or kept.read_text(encoding="utf-8") != now:
            atomic_write(kept, now)
    except BaseException:
        hub.close()
        raise
    return hub


def _taken(desk: DeskState, journal: Path, programme: Programme) -> list[str]:
    """Return what was changed in the file of an event under way; BadEvent, also OSError."""
    if not desk.past:
        return []
    return taken_since(journal, programme, partial(kept_as_drawn, desk))


CHANGED = "changed since it was last run, and taken:"
IN_USE = "while the hub runs, enter and correct on its pages /people and /desk"
ELSEWHERE_TO = "put the event's file into a folder of your own, or name one with --journal"
DAMAGED = ("Put it aside, and go on with the copy that --copy has made: `jackspot hub run` in that "
           "folder. Without one, `jackspot dump` shows what is whole of it.")  # fmt: skip


def _ended() -> threading.Event:
    """Return an event that is set once somebody ends the program."""
    ended = threading.Event()
    for stopping in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(stopping) is not signal.SIG_IGN:  # as under nohup
            signal.signal(stopping, lambda *_: ended.set())
    return ended


def serve_pages(
    around: ExitStack, hub: RunningHub, where: tuple[str, int] | None, kept: KeptFile,
    pace: float = 1.0, copy_fails: Callable[[], str] = str, update: Path | None = None,
) -> None:  # fmt: skip
    """Serve the pages, and print where they are; ``where`` None: at a free port.

    DisplayError if the port is taken, ReleaseError if ``update`` is no release.
    """
    carried = None if update is None else _carried(update)
    files = {} if carried is None or update is None else {f"{UPDATES}{carried.file}": update}
    address, first = where or (EVERYWHERE, PORT)
    for port in range(first, first + (1 if where else PORTS)):
        settings = WebSettings(address, port, NAMES, pin=None, kept=kept, limits=LIMITS)
        try:
            pages = serve_hub(hub, settings, pace, copy_fails, files)
            break
        except PortTaken:
            if where or port == PORT + PORTS - 1:
                raise
    around.callback(pages.stop)
    if carried is not None:
        hub.carry(changed(carried, port=pages.port))
        click.echo(f"Boards can be offered Jackspot {carried.release} at the desk.")
    if pages.port != first and first:
        click.echo(f"Port {first} is taken: the pages are at {pages.port}.")
    has_only_a_name = str(urlsplit(page_url(address, pages.port)).hostname).endswith(".local")
    host = HUB_NAME if has_only_a_name and is_ours(HUB_NAME) else address
    for name, path in PAGES.items():
        click.echo(f"{name:9}{page_url(host, pages.port, path)}")
    click.echo(f"The desk asks for the PIN {kept.now.pin}.")


@click.command(
    "correct",
    epilog=examples(
        "jackspot hub correct cup.toml singles-ko-1-1 --winner Aiko --points 12 7",
        "jackspot hub correct cup.toml singles-A-2-1 --again",
    ),
)
@click.argument("event", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.argument("match")
@click.option("--journal", type=click.Path(path_type=Path, dir_okay=False),
              help="The event's journal.  [default: beside EVENT]")  # fmt: skip
@click.option("--winner", help="Who has won it: one of its people, by name.")
@click.option("--tied", is_flag=True, help="It ended tied.")
@click.option("--again", is_flag=True, help="It is to be played again.")
@click.option("--points", type=click.IntRange(0), nargs=2, default=(0, 0),
              help="The points of its first and its second side.")  # fmt: skip
@click.option(
    "--jack/--no-jack",
    default=None,
    help="Won by the jack, or not.  [default: as it was, if the same side had won]",
)
def correct_command(
    event: Path, match: str, journal: Path | None, winner: str | None, tied: bool, again: bool,
    points: tuple[int, int], jack: bool | None,
) -> None:  # fmt: skip
    """Say how a match ended, whatever was said before.

    MATCH is named as `jackspot hub run` prints it. A knockout match that ended tied waits for
    this: the hub never picks a winner. End the hub first and start it again afterwards; it goes on
    where it was.
    """
    if (winner is not None) + tied + again != 1:
        raise click.UsageError("expected one of --winner, --tied and --again")
    if jack and winner is None:
        raise click.UsageError("--jack: expected --winner, who has won by the jack")
    try:
        where = journal or event.with_suffix(".sqlite3")
        with closing(opened(event, where, lambda _desk, _entry: None)) as hub:
            contest = contest_of(hub.desk, match)
            one, two = (
                hub.desk.programme.names(contest, side) for side in sides_of(hub.desk, match)
            )
            outcome = (
                None if again else said_anew(hub.desk, match, _won(winner, one, two), points, jack)
            )
            hub.enter(correct(hub.desk, match, outcome, "terminal"))
            conflicts, played = hub.desk.drawn(contest).conflicts, hub.desk.played(contest)
    except (BadEvent, CannotBe, JournalError, OSError) as error:
        fail(error)
    click.echo(f"{match}: {'to be played again' if again else 'corrected'}")
    for each in conflicts:
        click.echo(
            f"{each.key}: the results no longer lead to it as it was "
            + (
                "played; it stands as played"
                if played[each.key].outcome is not None
                else "called; it is called again where nobody has begun it"
            )
        )


@click.command("enter", epilog=examples("jackspot hub enter cup.toml people.csv"))
@click.argument("event", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.argument("people", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--journal", type=click.Path(path_type=Path, dir_okay=False),
              help="The event's journal.  [default: beside EVENT]")  # fmt: skip
def enter_command(event: Path, people: Path, journal: Path | None) -> None:
    """Enter people into an event, from a table.

    PEOPLE is CSV in UTF-8, by ; or , with a first line that names its columns: name, and any of
    kana, club, born (a year), class and partner. Where there is a mistake, all of them are named
    and nobody is entered. A class takes entries until it is drawn: give it draw = "later".
    """
    try:
        text = people.read_text(encoding="utf-8-sig")
        where = journal or event.with_suffix(".sqlite3")
        with closing(opened(event, where, lambda _desk, _entry: None)) as hub:
            entries = people_entries(hub.desk, text, "terminal")
            hub.enter(entries)
    except UnicodeDecodeError as error:
        fail(f"{people}: expected UTF-8: {error}; save it as CSV UTF-8")
    except BadPeople as error:
        fail(f"{people}: nobody is entered\n{error}")
    except (BadEvent, CannotBe, JournalError, OSError) as error:
        fail(error)
    kinds = Counter(each.kind for each in entries)
    click.echo(f"{kinds[DeskKind.REGISTERED]} people are new, {kinds[DeskKind.ENTERED]} entries")


@click.command(
    "export",
    epilog=examples(
        "jackspot hub export cup.toml results",
        "jackspot hub export cup.toml results --lang ja",
    ),
)
@click.argument("event", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--journal", type=click.Path(path_type=Path, dir_okay=False),
              help="The event's journal.  [default: beside EVENT]")  # fmt: skip
@lang_option
def export_command(event: Path, folder: Path, journal: Path | None, lang: str) -> None:
    """Write all results of an event into a folder.

    FOLDER gets matches, standings and places as CSV, all of it as JSON, standings as text for a
    newspaper, and the record of each match, which `jackspot score` reads. Names are those that the
    desk knows. It may be done at any time, also while the hub runs. No file is overwritten.
    """
    where = journal or event.with_suffix(".sqlite3")
    try:
        programme = read_event(event, where)
        if not where.exists():
            fail(f"{where}: expected the event's journal, found none; `jackspot hub run {event}` "
                 "makes one, --journal names another")  # fmt: skip
        desk = read_desk(programme, where)
        _taken(desk, where, programme)
        files = files_of(desk, translator(lang))
        if folder.exists() and any(folder.iterdir()):
            fail(f"{folder}: expected a new folder or an empty one, found files in it")
        made = [each for each in (folder, *folder.parents) if not each.exists()]
        folder.mkdir(parents=True, exist_ok=True)
        note_names(where, folder)  # before the first file: a full stick keeps what it has of them
        for name, text in files.items():
            target = folder / name
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(text.encode())
        for each in (*made, *folder.rglob("*")):
            give_to_caller(each)
    except (BadEvent, CannotBe, JournalError, OSError) as error:
        fail(error)
    records = sum(name.startswith(RECORDS) for name in files)
    click.echo(f"{folder}: {len(files) - records} files, and {records} match records in {RECORDS}")


@click.command(
    "forget",
    epilog=examples(
        "jackspot hub forget --dry-run cup.toml       say what would be done",
        "jackspot hub forget cup.toml --copy /media/stick",
    ),
)
@click.argument("event", type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--journal", type=click.Path(path_type=Path, dir_okay=False),
              help="The event's journal.  [default: beside EVENT]")  # fmt: skip
@click.option("--copy", "copies", multiple=True,
              type=click.Path(path_type=Path, file_okay=False, exists=True),
              help="A folder with a copy of the event, from which names are taken, too; may be "
              "given more than once. Those that `run --copy` wrote to are known.")  # fmt: skip
@asked_first
def forget_command(
    event: Path, journal: Path | None, copies: tuple[Path, ...], *, dry_run: bool, yes: bool
) -> None:
    """Take all names out of an event that is over.

    People, clubs and families are called by numbers from then on, in the journal, in EVENT itself
    and in copies; readings, years of birth and who did what at the desk go. Draws, tables and
    records stay. It cannot be undone: write the results first (`jackspot hub export`). What cannot
    be reached is listed.
    """
    where = journal or event.with_suffix(".sqlite3")
    try:
        if not where.exists():
            fail(f"{where}: expected the event's journal, found none; --journal names another")
        with ExitStack() as around:
            with as_owner_of(where.parent):
                around.enter_context(held(where))
            found = look(event, where, copies)
            if found.steps:
                carry_out(found.steps, "forget", StepMode(dry_run, yes, as_root=False))
            else:
                click.echo(f"no names are left in {event} and {where}")
            left = found if dry_run else look(event, where, copies)
    except JournalBusy:
        fail(f"{where}: a hub is running with it; end it first")
    except (BadEvent, CannotBe, JournalError, OSError) as error:
        fail(f"{event}: {error}")
    for each in (*left.unreached, *ELSEWHERE):
        click.echo(f"not reached: {each}")
    if not dry_run and (left.steps or left.unread):
        fail("names are left: see above")


def _won(winner: str | None, one: tuple[str, ...], two: tuple[str, ...]) -> int | None:
    """Return which side somebody is on; None: nobody has won. CannotBe if they do not play."""
    if winner is None:
        return None
    composed = partial(normalize, "NFC")
    found = [
        at for at, side in enumerate((one, two)) if composed(winner) in map(composed, side)
    ]  # fmt: skip
    if len(found) != 1:
        who = "plays on both sides of it" if found else "does not play in it"
        raise CannotBe(f"{winner!r} {who}; there are {', '.join((*one, *two))}")
    return found[0]


def _login(around: ExitStack, broker: tuple[str, int] | None, keys: Path | None) -> Login:
    """Return how the hub connects, to a broker of its own if none is named."""
    if broker is None:
        own = around.enter_context(Broker(free_port(BROKER_PORT)))
        return Login(*own.address, "hub", "", MOST_BYTES)
    if keys is None:
        return Login(*broker, "hub", "", MOST_BYTES)
    password = (keys / "hub.password").read_text(encoding="utf-8").strip()
    return Login(*broker, "hub", password, MOST_BYTES, keys / "hall.crt")


def line(desk: DeskState, entry: DeskEntry) -> str:
    """Return an entry in one line; empty if it is no news."""
    body = entry.body
    match entry.kind:
        case DeskKind.ORDERED:
            order = desk.orders[body["order"]]
            return f"board {order.board}: {_who(desk, order)} is called"
        case DeskKind.RESULT:
            return _result_line(desk, body)
        case DeskKind.CORRECTED:
            return f"{body['key']} was corrected by {body['by']}"
        case DeskKind.DRAWN:
            return f"{body['contest']} is drawn, by the seed {body['seed']!r}"
        case DeskKind.UNDONE:
            return f"entry {body['entry']} was taken back by {body['by']}"
    return ""


def _result_line(desk: DeskState, body: Mapping[str, Any]) -> str:
    outcome, said = body["outcome"], body["message"]
    if said["order"] is None or is_only_kept(body):
        return ""
    if outcome is None:
        return f"board {body['board']}: result {said['id']} belongs to no match"
    one, two = outcome["points"]
    differs = f"  ({body['differs']})" if body["differs"] else ""
    who = _who(desk, desk.orders[said["order"]])
    return f"board {body['board']}: {who}  {one} : {two}{differs}"


def _who(desk: DeskState, order: GivenOrder) -> str:
    names = (desk.programme.names(order.contest, side) for side in order.sides)
    return f"{order.key}  {' - '.join(map(', '.join, names))}"


def tables(desk: DeskState) -> list[Table]:
    """Return every standing as a table, and the winners of finals."""
    shown = []
    for name, played in desk.programme.classes.items():
        names = {each: desk.programme.names(name, each) for each in played.people}
        drawn = desk.drawn(name)
        for title, ranks in drawn.tables.items():
            shown.append(_table(title, ranks, names))
        final = drawn.final
        if final is not None and isinstance(final.winner, int):
            won = Table(title=name, show_header=False)
            won.add_row("1", ", ".join(names[final.winner]))
            if isinstance(final.loser, int):
                won.add_row("2", ", ".join(names[final.loser]))
            shown.append(won)
    return shown


def _table(
    title: str, ranks: tuple[RankedEntrant, ...], names: Mapping[int, tuple[str, ...]]
) -> Table:
    table = Table("", "", "played", "won", "points", "decided by", title=title)
    for each in ranks:
        tally, decided = each.tally, each.decided
        why = "" if decided is None else f"{decided.by} {decided.own} : {decided.before}"
        if decided is not None and decided.by is TieBreak.LOT:
            why = decided.by.value
        table.add_row(str(each.place), ", ".join(names[each.entrant]), str(tally.played),
                      str(tally.won), f"{tally.points} : {tally.against}", why)  # fmt: skip
    return table
