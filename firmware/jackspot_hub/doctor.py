"""``jackspot hub doctor``: look a hub over before a festival, and say what mends what is wrong.

What a hub rests upon is looked at one by one: the room on the disk, the clock, the event and its
journal, the broker and the hall's keys, the copy, and, where it runs, which boards it sees.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from jackspot.commands.doctor import finding_line, plain
from jackspot.commands.terminal.help import examples
from jackspot.config import ConfigError
from jackspot.festival.broker import NoBroker, program
from jackspot.festival.joining import NAME, read_file
from jackspot.festival.link import Hall
from jackspot.festival.probe import Failed, ProbeStep, probe
from jackspot.festival.section import FestivalSection
from jackspot.festival.users import OWN, is_password
from jackspot.ops.doctor import Finding, Machine, RealMachine, Severity
from jackspot.ops.doctor.findings import broken, doubtful, well
from jackspot.ops.doctor.parts import check_room
from jackspot.storage.errors import JournalDamaged, JournalError
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.programme import Programme
from jackspot_hub.event_file import BadEvent, read_event
from jackspot_hub.running import read_desk

PAGES_PORT = 8470
ASKS_S = 3.0
AGAIN = "run jackspot hub keys again, with all addresses, and restart the broker"
REMEDIES: Mapping[ProbeStep, str] = {
    ProbeStep.CA: AGAIN,
    ProbeStep.NAME: "install avahi-daemon and libnss-mdns, or give boards an address instead",
    ProbeStep.NETWORK: "see whether this machine has that address (ip address)",
    ProbeStep.PORT: "start it: sudo systemctl restart mosquitto, or by the line of jackspot hub "
    "keys",
    ProbeStep.TLS: "another program listens there: stop it, or choose another --port for the keys",
    ProbeStep.PLAIN: AGAIN,
    ProbeStep.CERTIFICATE: "another hall's broker listens there: stop it, or name its keys",
    ProbeStep.ADDRESS: AGAIN,
    ProbeStep.PASSWORD: AGAIN,
    ProbeStep.NUMBER: AGAIN,
    ProbeStep.RIGHTS: AGAIN,
}


@click.command(
    "doctor",
    epilog=examples(
        "jackspot hub doctor cup.toml",
        "sudo jackspot hub doctor cup.toml --keys /etc/mosquitto/hall --copy /media/stick",
    ),
)
@click.argument("event", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--journal", type=click.Path(path_type=Path, dir_okay=False),
              help="Where everything is written down.  [default: beside EVENT]")  # fmt: skip
@click.option("--keys", type=click.Path(path_type=Path, file_okay=False),
              help="The folder that `jackspot hub keys` wrote.")  # fmt: skip
@click.option("--copy", type=click.Path(path_type=Path, file_okay=False),
              help="The folder that is to have a copy.")  # fmt: skip
@click.option("--port", type=click.IntRange(1, 65_535), default=PAGES_PORT, show_default=True,
              help="Where its pages are served.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(
    event: Path, journal: Path | None, keys: Path | None, copy: Path | None, port: int, *,
    as_json: bool,
) -> None:  # fmt: skip
    """Check a hub: disk, clock, event, journal, broker, keys, boards.

    Each line says how to fix what is wrong. Exit status 0 when nothing is broken, else 1.
    """
    where = journal or event.with_suffix(".sqlite3")
    console, findings = Console(highlight=False, stderr=as_json), list[Finding]()
    for finding in examine(RealMachine(), event, where, keys, copy, port):
        findings.append(finding)
        if not as_json:
            ascii_only = not console.encoding.startswith("utf")
            console.print(finding_line(finding, plain=ascii_only))
    if as_json:
        click.echo(json.dumps({"findings": [plain(each) for each in findings]}))
    sys.exit(any(finding.mark is Severity.BROKEN for finding in findings))


def examine(
    machine: Machine, event: Path, journal: Path, keys: Path | None, copy: Path | None, port: int
) -> Iterator[Finding]:
    """Go through all checks."""
    yield from check_room(machine, journal)
    yield from check_time(machine)
    try:
        programme = read_event(event)
    except (BadEvent, OSError) as error:
        yield broken("event", str(error), "correct the file")
        return
    people = len(programme.people)
    yield well("event", f"{programme.name}: {people} people, {len(programme.boards)} boards")
    yield from check_journal(programme, journal)
    yield from check_broker()
    if keys is not None:
        yield from check_keys(programme, keys)
    if copy is not None:
        yield from check_copy(journal, copy)
    yield from check_hub(programme, port)


def check_time(machine: Machine) -> Iterator[Finding]:
    """Look at the clock, which all boards take the gong from, and at who sets it."""
    told = machine.run(("timedatectl", "show", "--property=NTPSynchronized", "--value"))
    if told is not None and told.strip() == "yes":
        yield well("clock", "set by the network")
    else:
        yield doubtful(
            "clock", "nothing has set it: times in results may be wrong; the gong does not need it",
            "connect it once, or set it: sudo date -s '2026-11-21 10:00'",
        )  # fmt: skip


def check_journal(programme: Programme, journal: Path) -> Iterator[Finding]:
    """Look at whether the journal is whole and this event's, and may be written."""
    may_write = os.access(journal if journal.exists() else journal.parent, os.W_OK)
    if not may_write:
        yield broken("journal", f"{journal} may not be written by this user",
                     "choose another --journal, or give it its rights")  # fmt: skip
        return
    if not journal.exists():
        yield well("journal", f"none yet at {journal}: the first start makes it")
        return
    try:
        desk = read_desk(programme, journal)
    except JournalDamaged as error:
        yield broken("journal", str(error), "put it aside, and go on with the copy")
    except (JournalError, CannotBe) as error:
        yield broken("journal", str(error), "put the event's file back as it was when it began")
    else:
        over = sum(
            each.outcome is not None for some in desk.results.values() for each in some.values()
        )
        yield well("journal", f"whole, {len(desk.past):,} entries, {over:,} matches are over")


def check_broker() -> Iterator[Finding]:
    """Look for the program of the broker."""
    try:
        yield well("mosquitto", program())
    except NoBroker as error:
        found, _, remedy = str(error).partition("; ")
        yield broken("mosquitto", found, remedy.removeprefix("type: "))


def check_keys(programme: Programme, keys: Path) -> Iterator[Finding]:
    """Look at a hall's keys, and go a board's way to the broker by each address that boards get."""
    try:
        handed = read_file(keys / NAME)
        hashes = _hashes((keys / "passwords").read_text(encoding="utf-8"))
    except (ConfigError, OSError) as error:
        yield broken("keys", str(error), "name the folder that jackspot hub keys wrote, with sudo")
        return
    boards = sum(re.fullmatch(r"b[0-9]{3}", user) is not None for user in hashes)
    if handed.hall != programme.hall:
        yield broken("keys", f"they are of the hall {handed.hall!r}, the event of "
                     f"{programme.hall!r}", "name that hall's keys, or correct the event's "
                     "hall")  # fmt: skip
        return
    if boards < len(programme.boards):
        yield broken("keys", f"for {boards} boards, the event has {len(programme.boards)}", AGAIN)
        return
    if lost := [user for user in OWN if not _fits(keys / f"{user}.password", hashes.get(user))]:
        yield broken("keys", f"{lost[0]}.password is not the broker's", AGAIN)
        return
    yield well("keys", f"hall {handed.hall}, {boards} boards")
    yield from _ways(handed)


def _hashes(text: str) -> dict[str, str]:
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)


def _fits(kept: Path, hashed: str | None) -> bool:
    with suppress(OSError):
        return hashed is not None and is_password(kept.read_text(encoding="ascii").strip(), hashed)
    return False


def _ways(handed: FestivalSection) -> Iterator[Finding]:
    """Go a board's way to the broker; as its doctor, so that a board that is there stays."""
    first = Hall(handed.hall, 1, handed.addresses, handed.key, handed.ca)
    for login in first.doctors_logins:
        try:
            probe(login, first.topic("doctor"))
        except Failed as failed:
            yield broken("broker", failed.found, REMEDIES[failed.step])
        else:
            yield well("broker", f"{login.where} takes what boards say")


def check_copy(journal: Path, copy: Path) -> Iterator[Finding]:
    """Look at whether a copy would outlast this disk."""
    if not copy.is_dir() or not os.access(copy, os.W_OK):
        yield broken("copy", f"{copy} is no folder that may be written", "plug the stick in")
    elif copy.stat().st_dev == journal.parent.stat().st_dev:
        yield doubtful("copy", f"{copy} is on the journal's own disk", "choose a stick")
    else:
        yield well("copy", str(copy))


def check_hub(programme: Programme, port: int) -> Iterator[Finding]:
    """Ask the hub that runs here which boards it sees."""
    try:
        parts = _first_news(port)
    except ConnectionRefusedError:
        yield doubtful("hub", f"none serves pages at port {port}",
                       "start it, for its boards to be looked at: jackspot hub run")  # fmt: skip
        return
    except (OSError, ValueError) as error:
        remedy = f"stop it, or choose another port: jackspot hub run --pages 0.0.0.0:{port + 1}"
        yield broken("hub", f"another program listens at port {port}: {error}", remedy)
        return
    name = parts["event"]["name"]
    if name != programme.name:
        yield broken("hub", f"it runs {name!r}", f"end it, and start {programme.name!r}")
        return
    yield well("hub", f"it runs; its pages are at port {port}")
    boards = [parts.get(f"board/{number}", {}) for number in parts["event"]["boards"]]
    lost = [str(each["n"]) for each in boards if each.get("state") in {"absent", "away"}]
    if lost:
        shown = ", ".join(lost[:12]) + (" …" if len(lost) > 12 else "")
        found = f"{len(boards) - len(lost)} of {len(boards)} are there; not {shown}"
        yield doubtful("boards", found, "on each: menu, the hall; or sudo jackspot doctor")
    else:
        yield well("boards", f"all {len(boards)} are there")


def _first_news(port: int) -> dict[str, Any]:
    """Return what a hub tells whoever looks on. OSError, or ValueError where it is no hub."""
    asking = HTTPConnection("127.0.0.1", port, timeout=ASKS_S)
    try:
        asking.connect()
        asking.request("GET", "/api/hub/events")
        answer = asking.getresponse()
        while line := answer.readline():
            if line.startswith(b"data: "):
                said: dict[str, Any] = json.loads(line[6:])
                if "event" in said:
                    return said
        raise ValueError(f"it answers with status {answer.status}")
    except TimeoutError as error:
        raise OSError("it does not answer") from error
    finally:
        asking.close()
