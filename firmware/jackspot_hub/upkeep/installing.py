"""What there is to do for a hub that starts with its machine, and for its removal.

Each step checks the machine first, so a second installation changes nothing. A hall's keys, and
events with their journals, are never removed.
"""

from __future__ import annotations

import ipaddress
import os
import re
import shlex
from contextlib import suppress
from functools import partial
from pathlib import Path

from msgspec import Struct

from jackspot.festival.broker import PROGRAM as MOSQUITTO
from jackspot.festival.certificates import addresses_of
from jackspot.festival.joining import NAME, read_file
from jackspot.festival.keys import (
    ACCESS,
    CONFIG,
    PASSWORDS,
    SERVER,
    BrokerUser,
    HallKeys,
    OtherHall,
    write_keys,
)
from jackspot.festival.section import HUB_NAME, MOST_BROKERS, TLS_PORT, FestivalSection
from jackspot.festival.users import OWN, access_list, boards_in, broker_config
from jackspot.files import read_text
from jackspot.ops.forgetting.places import note_export
from jackspot.ops.install.parts import (
    UNITS,
    USER,
    OwnLines,
    carried_file,
    command_link,
    gone,
    gone_command,
    gone_folder,
    has_package,
    is_at,
    own_user,
    packages,
    started,
    stopped,
)
from jackspot.ops.install.plan import HUB_UNIT, UNIT_PLACE as BOARDS_UNIT
from jackspot.ops.install.program import HOME, command_place, is_from_apt, program
from jackspot.ops.install.steps import InstallStep, StepFailed, done
from jackspot.ops.install.system import System
from jackspot.ops.ownership import as_owner_of
from jackspot.settings.mistakes import ConfigError
from jackspot.storage.errors import JournalError
from jackspot.storage.journal import copy_journal
from jackspot_hub.desk.allowed import kept_as_drawn
from jackspot_hub.desk.state import DoesNotFit
from jackspot_hub.event.programme import Programme
from jackspot_hub.event_file import BadEvent, KeptAsDrawn, read_event, taken_since
from jackspot_hub.running import read_desk

STATE = "/var/lib/jackspot-hub"
"""Events with their journals."""
KEYS = "/etc/mosquitto/hall"
UNIT_PLACE = f"{UNITS}/{HUB_UNIT}"
RUNS = f"{UNIT_PLACE}.d/event.conf"
"""What the service runs: one event."""
ENABLED = f"{UNITS}/multi-user.target.wants/{HUB_UNIT}"
BROKER = "/etc/mosquitto/conf.d/hall.conf"
CHRONY = "/etc/chrony/conf.d/jackspot-hall.conf"
AVAHI = "/etc/avahi/avahi-daemon.conf"
SERVICES = "/etc/avahi/services/jackspot-hub.service"

CARRIED = {
    UNIT_PLACE: HUB_UNIT,
    CHRONY: "jackspot-hall.chrony.conf",
    SERVICES: "jackspot-hub.avahi.service",
}
"""Where each file goes, and its name among the files that come with this version."""
VENV = "python3-venv"
NEEDED = (MOSQUITTO, "chrony", "avahi-daemon", "libnss-mdns", VENV)
"""Debian packages without which a hall has no hub."""
HERE = "127.0.0.1"
"""The address by which the hub reaches its broker, whatever happens to the network."""
NAMED = OwnLines(
    "# Begin of what `jackspot hub install` wrote: the name by which a hall finds its hub.",
    f"[server]\nhost-name={HUB_NAME.removesuffix('.local')}\n",
    "# End of what `jackspot hub install` wrote.",
)
"""In avahi's config, where a later section overrides an earlier one."""
PLAIN = re.compile(r"[\w./ +-]+")
"""Paths that systemd takes literally between quotes."""
UNSEEN = ("home", "root", "tmp", "run")
"""Below these folders the service cannot see others' files."""
MOST_BYTES = 1 << 20
MOST_OWN = 3
"""At most this many of this machine's addresses are handed out."""
JOURNAL = ".sqlite3"
"""The ending of an event's journal, beside its file."""
DIRECTORY_MODE, EVENT_MODE = 0o750, 0o640


class HubWishes(Struct, frozen=True):
    """What the hub is to be: the event, its file, and the choices of the person who installs.

    ``addresses`` empty: those that boards have already, or those of this machine. ``copy`` is where
    a copy is always made. ``packages``: apt may install; ``start``: now.
    """

    event: Path
    programme: Programme
    addresses: tuple[str, ...] = ()
    copy: Path | None = None
    packages: bool = True
    start: bool = True

    @property
    def place(self) -> str:
        """Where the event's file is once it is installed."""
        return f"{STATE}/{self.event.name}"


def installing(system: System, checkout: Path | None, wishes: HubWishes) -> list[InstallStep]:
    """Return the steps of an installation. Raises StepFailed if it cannot begin."""
    if not system.at("/etc").is_dir():
        raise StepFailed(f"{system.root}: expected the root of a system, found no etc in it")
    keys, link = _keys(system, wishes), _broker(system)
    named, timed = _named(system), _timed(system)
    steps = [
        _packages(system, wishes),
        program(system, checkout),
        command_link(system),
        own_user(system),
        _event(system, wishes),
        keys,
        link,
        named,
        timed,
        _unit(system, wishes),
    ]
    before = [name for name, step in (("avahi-daemon", named), ("chrony", timed)) if step.act]
    if keys.act or link.act:
        before.append(MOSQUITTO)
    changed = any(step.act and step.changes for step in steps)
    start = "" if not wishes.start else "anew" if changed else "now"
    return [*steps, started(system, HUB_UNIT, start, "the event goes on where it was", before)]


def _packages(system: System, wishes: HubWishes) -> InstallStep:
    what, needed = "packages", [each for each in NEEDED if each != VENV or not is_from_apt()]
    if system.asked("dpkg-query", "--version") is None:
        return done(what, f"no Debian: {', '.join(needed)} are left to you")
    if wishes.packages:
        return packages(system, needed, (), "not known to apt here; a hub needs them")
    missing = [name for name in needed if not has_package(system, name)]
    if missing:
        raise StepFailed(
            f"{', '.join(missing)}: not installed; type: "
            f"sudo apt-get install -y {' '.join(missing)}"
        )
    return done(what, f"{', '.join(needed)}: there")


def _event(system: System, wishes: HubWishes) -> InstallStep:
    """Return the step that puts the event's file beside its journal, as the service's own user.

    A journal beside the file, as on a stick, is copied too if there is none yet.
    """
    what, place = "event", wishes.place
    if not PLAIN.fullmatch(place):
        raise StepFailed(
            f"{wishes.event.name!r}: expected a file's name of letters, digits, spaces, . _ + and -"
        )
    text = read_text(wishes.event, MOST_BYTES)
    journal = wishes.event.with_suffix(JOURNAL)
    brings = journal.exists() and not is_at(system, str(Path(place).with_suffix(JOURNAL)))
    if system.read(place) == text and not brings:
        return done(what, f"{wishes.programme.name!r}, in {place}")
    there = system.at(place).with_suffix(JOURNAL)
    try:
        programme = read_event(wishes.event, there)
        taken_since(there, programme, _kept_by(there, programme))
    except BadEvent as wrong:
        raise StepFailed(f"{wishes.event}: {wrong}") from wrong

    def act() -> None:
        folder = system.at(STATE)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(DIRECTORY_MODE)
            owner = _user(system, USER)
            os.chown(folder, owner.number, owner.group)
            if brings:
                target = system.at(place).with_suffix(JOURNAL)
                copy_journal(journal, target)
                os.chown(target, owner.number, owner.group, follow_symlinks=False)
                note_export(target, journal.parent)  # names remain there, too
        except (JournalError, OSError) as error:
            raise StepFailed(f"{folder}: {error}") from error
        with as_owner_of(folder):
            system.write(place, text, EVENT_MODE)

    again = "put it in place of the one in" if is_at(system, place) else "into"
    along = ", with the journal beside it" if brings else ""
    return InstallStep(what, f"{wishes.programme.name!r}{along}, {again} {place}", act)


def _kept_by(journal: Path, programme: Programme) -> KeptAsDrawn:
    """Return what says why a contest keeps its draw; without a readable journal all keep it."""
    with suppress(DoesNotFit, JournalError), as_owner_of(journal.parent):
        if journal.exists():
            return partial(kept_as_drawn, read_desk(programme, journal))
    return lambda _contest: "put it back"


def _user(system: System, name: str) -> BrokerUser:
    """Return a user of that system. StepFailed if there is none."""
    for line in (system.read("/etc/passwd") or "").splitlines():
        found = line.split(":")
        if found[0] == name:
            return BrokerUser(name, int(found[2]), int(found[3]))
    raise StepFailed(f"{system.at('/etc/passwd')}: expected the user {name}, found none")


# --- the broker --------------------------------------------------------------------------


def _keys(system: System, wishes: HubWishes) -> InstallStep:
    what, hall = "keys", wishes.programme.hall
    folder = system.at(KEYS)
    kept = _handed(folder)
    boards = len(wishes.programme.boards)
    with suppress(OSError, UnicodeDecodeError):
        boards = max(boards, boards_in(read_text(folder / ACCESS, MOST_BYTES, "ascii")))
    keys = HallKeys(hall, boards, _reached(system, wishes, kept), TLS_PORT, (HERE,))
    if kept is not None and kept.hall != hall:
        raise StepFailed(
            f"{KEYS} has the keys of the hall {kept.hall!r}, and the event is played in "
            f"{hall!r}: say hall = {kept.hall!r} in {wishes.event}, or move {KEYS} away and give "
            "all boards new keys"
        )
    if kept is not None and _is_whole(system, keys, kept):
        return done(what, f"of the hall {hall}, for {boards} boards, in {KEYS}")

    def act() -> None:
        try:
            write_keys(folder, keys, _user(system, MOSQUITTO), system.root)
        except OtherHall as error:
            raise StepFailed(str(error)) from error
        except (OSError, ValueError) as error:
            raise StepFailed(f"{KEYS}: {error}") from error

    words = f"of the hall {hall}, for {boards} boards, which reach it at {', '.join(keys.reached)}"
    bring = f"To each board, by a USB stick: {KEYS}/{NAME}; its number is set in its menu."
    if kept is not None and kept.broker[0][0] in keys.reached:
        bring = ""
    return InstallStep(what, f"{words} ({KEYS})", act, afterwards=bring)


def _handed(folder: Path) -> FestivalSection | None:
    """Return what boards were given; None if nothing was."""
    if not (folder / NAME).exists():
        return None
    try:
        return read_file(folder / NAME)
    except ConfigError as error:
        raise StepFailed(str(error)) from error


def _reached(system: System, wishes: HubWishes, kept: FestivalSection | None) -> tuple[str, ...]:
    """Return the addresses that boards get: those given, those they have, or this machine's."""
    if wishes.addresses:
        said = wishes.addresses
    elif kept is not None:
        return tuple(host for host, _ in kept.broker)
    else:
        said = own_addresses(system)[:MOST_OWN]
    return tuple(dict.fromkeys((*said, HUB_NAME)))[:MOST_BROKERS]


def own_addresses(system: System) -> tuple[str, ...]:
    """Return this machine's current IPv4 addresses, except loopback and link-local ones."""
    found = []
    for word in (system.asked("hostname", "-I") or "").split():
        with suppress(ValueError):
            address = ipaddress.ip_address(word)
            if address.version == 4 and not address.is_loopback and not address.is_link_local:
                found.append(str(address))
    return tuple(found)


def _is_whole(system: System, keys: HallKeys, kept: FestivalSection) -> bool:
    """Whether the folder has everything to be written for these keys, readable for Mosquitto."""
    folder = system.at(KEYS)
    try:
        broker = _user(system, MOSQUITTO).number
        theirs = {(folder / name).stat().st_uid for name in (ACCESS, CONFIG, SERVER, PASSWORDS)}
        access, config = (read_text(folder / name, MOST_BYTES) for name in (ACCESS, CONFIG))
        names = addresses_of(read_text(folder / SERVER, MOST_BYTES))
    except (OSError, ValueError, StepFailed):
        return False
    return (
        theirs == {broker}
        and tuple(host for host, _ in kept.broker) == keys.reached
        and access == access_list(keys.hall, keys.boards)
        and config == broker_config(KEYS, keys.port, MOSQUITTO)
        and set(names) >= {*keys.reached, *keys.here}
        and all((folder / f"{user}.password").exists() for user in OWN)
    )


def _broker(system: System) -> InstallStep:
    what, aim = "broker", f"{KEYS}/{CONFIG}"
    link = system.at(BROKER)
    if link.is_symlink() and str(link.readlink()) == aim:
        return done(what, f"Mosquitto reads {aim}, by {BROKER}")
    if link.is_symlink() or link.exists():
        raise StepFailed(f"{BROKER}: expected a link to {aim}, found something else; move it away")

    def act() -> None:
        try:
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(aim)
        except OSError as error:
            raise StepFailed(f"{BROKER}: cannot be made: {error.strerror}") from error

    return InstallStep(what, f"let Mosquitto read {aim}, by {BROKER}", act)


# --- the name, the time ------------------------------------------------------------------


def _named(system: System) -> InstallStep:
    what = "name"
    text = system.read(AVAHI) or ""
    wanted = NAMED.added_to(text)
    if text == wanted and system.read(SERVICES) == carried_file(CARRIED[SERVICES]):
        return done(what, f"{HUB_NAME}, by {AVAHI}")

    def act() -> None:
        system.write(AVAHI, NAMED.added_to(system.read(AVAHI) or ""))
        system.write(SERVICES, carried_file(CARRIED[SERVICES]))

    return InstallStep(what, f"{HUB_NAME} ({AVAHI}, {SERVICES})", act)


def _timed(system: System) -> InstallStep:
    what = "time"
    if system.read(CHRONY) == carried_file(CARRIED[CHRONY]):
        return done(what, f"given to the hall, by {CHRONY}")
    return InstallStep(
        what,
        f"give it to the hall, also without internet ({CHRONY})",
        lambda: system.write(CHRONY, carried_file(CARRIED[CHRONY])),
    )


# --- the service -------------------------------------------------------------------------


def runs_what(wishes: HubWishes) -> str:
    """Return the text that says what the service runs."""
    words = [f"{command_place()} hub run", f'"{wishes.place}"', f"--broker {HERE}:{TLS_PORT}",
             "--keys %d"]  # fmt: skip
    lines = ["# The event of this hall, as `jackspot hub install` wrote it.", "[Service]"]
    if wishes.copy is not None:
        copy = str(wishes.copy)
        if not PLAIN.fullmatch(copy) or not wishes.copy.is_absolute():
            raise StepFailed(f"--copy {copy!r}: expected a path from / of letters, digits and ./-")
        if wishes.copy.parts[1:2] and wishes.copy.parts[1] in UNSEEN:
            raise StepFailed(
                f"--copy {copy}: the service sees nothing below /{wishes.copy.parts[1]}; name a "
                "folder below /media, /mnt or /srv"
            )
        words.append(f'--copy "{copy}"')
        lines.append(f'ReadWritePaths="-{copy}"')
    return "\n".join([*lines, f"ExecStart={' '.join(words)}", ""])


def _unit(system: System, wishes: HubWishes) -> InstallStep:
    what, wanted = "service", {RUNS: runs_what(wishes)}
    if not is_from_apt():  # it has a unit of its own
        wanted = {UNIT_PLACE: carried_file(HUB_UNIT), **wanted}
    missing = [place for place, text in wanted.items() if system.read(place) != text]
    if not missing:
        return done(what, ", ".join(wanted))

    def act() -> None:
        for place in missing:
            system.write(place, wanted[place])

    words = (f"{'replace' if is_at(system, place) else 'write'} {place}" for place in missing)
    return InstallStep(what, ", ".join(words), act, afterwards=NEXT)


NEXT = (
    "The PIN of the desk: sudo journalctl -u jackspot-hub -g PIN\n"
    "Look it all over: sudo jackspot hub doctor"
)


class InstalledHub(Struct, frozen=True):
    """What the service of this machine runs: the event's file, and where its copy is made."""

    event: Path
    copy: Path | None


def installed(system: System) -> InstalledHub | None:
    """Return what the service runs; None if there is none."""
    for line in (system.read(RUNS) or "").splitlines():
        if line.startswith("ExecStart="):
            words = shlex.split(line.removeprefix("ExecStart="))
            copy = words[words.index("--copy") + 1] if "--copy" in words else None
            return InstalledHub(Path(words[3]), None if copy is None else Path(copy))
    return None


# --- removal -----------------------------------------------------------------------------


def removing(system: System) -> list[InstallStep]:
    """Return the steps that remove what an installation made; what people made stays."""
    is_board_here = is_at(system, BOARDS_UNIT)
    stays = "stays: a board is installed here, too"
    return [
        stopped(system, HUB_UNIT),
        _unit_gone(system),
        gone(system, "broker", [BROKER]),
        gone(system, "time", [CHRONY]),
        _unnamed(system),
        done("keys", f"{KEYS} stays: boards have them"),
        done("events", f"{STATE} stays, with all journals, and {USER}, whose they are"),
        done("packages", "what apt installed stays; others may use it"),
        done("command", stays) if is_board_here else gone_command(system),
        _others_anew(system),
        done("program", stays) if is_board_here else gone_folder(system, "program", HOME),
    ]


def _unit_gone(system: System) -> InstallStep:
    """Return the step that removes the service; what people wrote beside it stays."""
    step = gone(system, "service", [UNIT_PLACE, RUNS, ENABLED])
    act = step.act
    if act is None:
        return step

    def act_and_tidy() -> None:
        act()
        with suppress(OSError):  # not empty, or missing
            system.at(RUNS).parent.rmdir()

    return InstallStep(step.what, step.words, act_and_tidy)


def _unnamed(system: System) -> InstallStep:
    text = system.read(AVAHI)
    there = [place for place in (SERVICES,) if is_at(system, place)]
    if text is None or NAMED.taken_from(text) == text:
        return gone(system, "name", [SERVICES])

    def act() -> None:
        system.write(AVAHI, NAMED.taken_from(text))
        for place in there:
            system.remove(place)

    return InstallStep("name", f"take our lines out of {AVAHI}, remove {SERVICES}", act)


def _others_anew(system: System) -> InstallStep:
    """Return the step that restarts whichever of Mosquitto, chrony and avahi has our files."""
    theirs = {MOSQUITTO: BROKER, "chrony": CHRONY, "avahi-daemon": SERVICES}
    names = [name for name, place in theirs.items() if is_at(system, place)]
    if not system.live or not names:
        return done("start", "nothing to start again")

    def act() -> None:
        for name in names:
            system.run("systemctl", "try-restart", name)

    return InstallStep("start", f"{', '.join(names)}, again without it", act)
