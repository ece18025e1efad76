"""The doctor of a hub: checks its event, machine, keys, broker and boards, line by line.

Nothing is changed, and a running hub is not disturbed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import time
import urllib.error
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from http.client import HTTPException
from pathlib import Path

from msgspec import Struct

from jackspot.ops.doctor.findings import Finding, broken, doubtful, well
from jackspot.ops.doctor.machine import Machine
from jackspot.ops.doctor.running_board import THIS_MACHINE
from jackspot.ops.doctor.system import check_clock, check_power
from jackspot.ops.doctor.wired_parts import check_room
from jackspot.ops.install.plan import HUB_UNIT
from jackspot.ops.ownership import as_owner_of
from jackspot.storage.errors import JournalDamaged, JournalError
from jackspot.storage.journal import read_checked
from jackspot_hub.desk.allowed import kept_as_drawn
from jackspot_hub.desk.state import DeskState, DoesNotFit
from jackspot_hub.event.programme import Programme
from jackspot_hub.event_file import BadEvent, read_event, taken_since
from jackspot_hub.running import KINDS, desk_of
from jackspot_hub.upkeep.broker_checks import check_hall, check_keys, check_mosquitto

PAGES_PORT = 8470
SLOW_S = 1.0
"""Writing something to the disk takes less, or the desk is held up."""
PATIENCE_S = 3.0
BACK_S = 60.0
"""How far a clock may be behind the journal's newest entry."""
FILE_BYTES = 1 << 20
ROOM = 2
"""A stick has room for this many journals: a copy is whole before it replaces the last one."""


class ExaminedHub(Struct, frozen=True):
    """What to examine. ``keys`` None: there are none; ``copy`` None: none is wanted.

    ``port`` is that of its pages on this machine. ``is_service``: it starts with the machine.
    """

    event: Path
    journal: Path
    keys: Path | None = None
    copy: Path | None = None
    port: int = PAGES_PORT
    is_service: bool = False


def examine(machine: Machine, hub: ExaminedHub) -> Iterator[Finding]:
    """Run all checks."""
    yield from check_power(machine)
    programme, event = _event(hub)
    yield event
    yield from check_room(machine, hub.journal)
    yield _writes(hub.journal.parent)
    journal = _read_journal(hub, programme)
    yield from journal.findings
    yield from _copy(hub)
    yield from _clock(machine, journal.newest_ns)
    yield check_mosquitto(machine)
    online = False
    if hub.keys is None:
        yield doubtful("keys", "none: its broker is its own, which no board in the hall reaches",
                       "jackspot hub install makes them, or jackspot hub keys")  # fmt: skip
    elif programme is not None:
        keys = check_keys(hub.keys, programme)
        yield from keys.findings
        online = yield from check_hall(keys, programme, journal.desk)
    if hub.is_service:
        yield from _service(machine)
    yield _pages(hub, programme, is_connected=online)


# --- the event and its journal -----------------------------------------------------------


def _event(hub: ExaminedHub) -> tuple[Programme | None, Finding]:
    try:
        programme = read_event(hub.event, hub.journal)
    except BadEvent as wrong:
        return None, broken("event", str(wrong), "correct the file")
    except OSError as error:
        found = f"{hub.event}: cannot be read: {error.strerror}"
        return None, broken("event", found, "bring it back, or run this as root")
    boards, classes = len(programme.boards), len(programme.classes)
    return programme, well(
        "event", f"{programme.name}, hall {programme.hall}; boards: {boards}, classes: {classes}"
    )


def _writes(folder: Path) -> Finding:
    """Write something into the journal's folder and force it to disk."""
    begun_s = time.monotonic()
    try:
        with as_owner_of(folder):
            _try_to_write(folder)
    except OSError as error:
        found = f"{folder}: nothing can be written: {error.strerror}"
        return broken("folder", found, "make room, or give the folder to the hub's user")
    took_s = time.monotonic() - begun_s
    if took_s > SLOW_S:
        return doubtful("folder", f"{folder}: writing took {took_s:.1f} s",
                        "take a better card or disk")  # fmt: skip
    return well("folder", f"{folder}: written and on the disk in {took_s * 1_000:.0f} ms")


def _try_to_write(folder: Path) -> None:
    """Write 4 KiB into a folder and force it to disk; OSError if that fails."""
    with tempfile.TemporaryFile(dir=folder) as tried:
        tried.write(b"jackspot" * 512)
        tried.flush()
        os.fsync(tried.fileno())


class ReadJournal(Struct, frozen=True):
    """What was found of a journal; ``newest_ns`` is when its last entry was written, 0: none."""

    findings: tuple[Finding, ...] = ()
    desk: DeskState | None = None
    newest_ns: int = 0


def _read_journal(hub: ExaminedHub, programme: Programme | None) -> ReadJournal:
    path = hub.journal
    try:
        with as_owner_of(path.parent):
            if not path.exists():
                return ReadJournal((well("journal", f"none yet at {path}; hub run makes it"),))
            entries = read_checked(path, KINDS)
    except JournalDamaged as damage:
        found = f"{path} is damaged after {len(damage.good)} entries"
        remedy = "put it aside, and go on with the copy: jackspot hub run in that folder"
        return ReadJournal((broken("journal", found, remedy),))
    except (JournalError, OSError) as error:
        said = error.short if isinstance(error, JournalError) else error.strerror
        return ReadJournal((broken("journal", f"{path}: {said}", "run this as root"),))
    newest_ns = entries[-1].wall_ns if entries else 0
    whole = well("journal", f"{path}: {len(entries):,} entries, each one checked")
    if programme is None:
        return ReadJournal((whole,), None, newest_ns)
    try:
        desk = desk_of(programme, entries)
        if desk.past:
            with as_owner_of(path.parent):
                taken_since(path, programme, partial(kept_as_drawn, desk))
    except (BadEvent, DoesNotFit) as wrong:
        unfit = broken("event", str(wrong), "put the event's file back as it was")
        return ReadJournal((whole, unfit), None, newest_ns)
    return ReadJournal((whole,), desk, newest_ns)


def _copy(hub: ExaminedHub) -> Iterator[Finding]:
    """Check the folder in which a copy is to be."""
    if hub.copy is None:
        return
    try:
        is_same = hub.copy.stat().st_dev == hub.journal.parent.stat().st_dev
        with as_owner_of(hub.journal.parent):
            _try_to_write(hub.copy)
            size = hub.journal.stat().st_size if hub.journal.exists() else 0
        free = shutil.disk_usage(hub.copy).free
    except OSError as error:
        found = f"{hub.copy}: no copy can be made: {error.strerror}"
        yield broken("copy", found, "plug the stick in, make room on it, or give the folder to the "
                     "hub's user")  # fmt: skip
        return
    if free < ROOM * size:
        found = f"{free // 1024:,} KiB left at {hub.copy}; the journal has {size // 1024:,} KiB"
        yield (broken if free < size else doubtful)("copy", found, "make room on it")
    elif is_same:
        yield doubtful("copy", f"{hub.copy} is on the same disk as the journal",
                       "plug the stick in that belongs there, or name a folder on one")  # fmt: skip
    else:
        yield well("copy", f"{hub.copy}, on a disk of its own")


# --- the clock ---------------------------------------------------------------------------


def _clock(machine: Machine, newest_ns: int) -> Iterator[Finding]:
    """Check the time: whether it is right, and served to the hall."""
    now = time.time()
    if now < newest_ns / 1e9 - BACK_S:
        shown, newest = (
            datetime.fromtimestamp(each, UTC).strftime("%F %T") for each in (now, newest_ns / 1e9)
        )
        yield broken("clock", f"it shows {shown} UTC, before the journal's newest entry, {newest}",
                     "set it: sudo date -s 'YYYY-MM-DD HH:MM'")  # fmt: skip
        return
    told = machine.run(["chronyc", "-n", "tracking"])
    if not told:
        yield from check_clock(machine)
        return
    said = dict(re.findall(r"^(\S[^:]*?)\s*: (.*)$", told, re.MULTILINE))
    if said.get("Reference ID", "").startswith("7F7F0101"):
        shown = datetime.fromtimestamp(now, UTC).strftime("%F %T")
        yield doubtful("clock", f"no time from outside; chrony gives the hall its own: {shown} UTC",
                       "if that is wrong: sudo date -s 'YYYY-MM-DD HH:MM'")  # fmt: skip
    elif said.get("Leap status") in ("Normal", "Insert second", "Delete second"):
        yield well("clock", f"set by chrony, stratum {said.get('Stratum', '?')}, and given on")
    else:
        yield broken("clock", "chrony has not found the time yet",
                     "wait a minute; without internet: sudo jackspot hub install")  # fmt: skip


# --- what runs ---------------------------------------------------------------------------


def _service(machine: Machine) -> Iterator[Finding]:
    told = machine.run(["systemctl", "show", HUB_UNIT,
                        "--property=LoadState,ActiveState,UnitFileState"])  # fmt: skip
    said = dict(line.split("=", 1) for line in (told or "").splitlines() if "=" in line)
    if said.get("ActiveState") == "active":
        yield well("service", "running")
    else:
        state = said.get("ActiveState", "systemd does not answer")
        yield broken("service", state, f"see why: sudo journalctl -u {HUB_UNIT} -n 30")
    if said and said.get("UnitFileState") != "enabled":
        yield doubtful("service", "does not start with the machine",
                       f"sudo systemctl enable {HUB_UNIT}")  # fmt: skip


def _pages(hub: ExaminedHub, programme: Programme | None, *, is_connected: bool) -> Finding:
    """Check who answers at the port of the pages."""
    address = f"http://127.0.0.1:{hub.port}/api/hub/matches"
    try:
        with THIS_MACHINE.open(address, timeout=PATIENCE_S) as answer:
            event = _first_event(answer)
    except urllib.error.HTTPError:
        event = None
    except urllib.error.URLError as error:
        if isinstance(error.reason, ConnectionRefusedError):
            if is_connected:
                return doubtful("pages", f"nothing answers at port {hub.port}, and a hub runs",
                                "if it was started with --pages, say the same here")  # fmt: skip
            return well("pages", f"port {hub.port} is free")
        event = None
    except (OSError, HTTPException):
        event = None
    if event is None:
        return broken("pages", f"another program has port {hub.port}",
                      f"see which: sudo ss -ltnp 'sport = :{hub.port}'; or hub run --pages "
                      "0.0.0.0:8471")  # fmt: skip
    if programme is not None and event != programme.name:
        found = f"port {hub.port} belongs to the hub of {event!r}"
        return broken("pages", found, "end that one first")
    return well("pages", f"answered by the hub at port {hub.port}")


def _first_event(lines: Iterable[bytes]) -> str | None:
    """Return the name of the event that a stream of a hub's pages begins with."""
    for line in lines:
        word, _, data = line.partition(b":")
        if word == b"data":
            with suppress(ValueError, KeyError, TypeError):
                return str(json.loads(data)["event"]["name"])
            return None
    return None
