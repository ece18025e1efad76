"""Checks of a hall's keys and of its broker: whether boards can reach it, and who is there.

The broker is asked as users that nobody else is, so that hub and boards stay connected. What a
check of the keys' folder explains is not reported again for the broker.
"""

from __future__ import annotations

import re
import time
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

from msgspec import Struct

from jackspot.festival.broker import NoBroker, program
from jackspot.festival.certificates import hall_of, wrong_with_server
from jackspot.festival.connection import BrokerConnection, Letter, Login, Unreachable
from jackspot.festival.hall import Hall
from jackspot.festival.joining import NAME, read_file
from jackspot.festival.keys import ACCESS, CERTIFICATE, KEY, PASSWORDS, SERVER
from jackspot.festival.messages import MOST_BYTES, PREFIX, BadMessage, What, read, read_topic
from jackspot.festival.probe import Failed, ProbeStep, probe
from jackspot.festival.section import HUB_NAME, FestivalSection
from jackspot.festival.users import (
    HUB,
    HUB_DOCTOR,
    OWN,
    access_list,
    board_passwords,
    boards_in,
    wrong_passwords,
)
from jackspot.files import read_text
from jackspot.ops.doctor.findings import Finding, broken, doubtful, well
from jackspot.ops.doctor.machine import Machine
from jackspot.settings.mistakes import ConfigError
from jackspot.values import changed
from jackspot_hub.desk.state import DeskState
from jackspot_hub.event.programme import Programme

OLDEST_MOSQUITTO = (2, 0)
PATIENCE_S = 3.0
SETTLES_S = 0.3
"""After this long without news, everything that the broker retains has come."""
PACKETS_AT_ONCE = 500
FILE_BYTES = 1 << 20

KEYS_AGAIN = "run jackspot hub install (or hub keys) again"
RESTART = "restart the broker: sudo systemctl restart mosquitto"
REMEDIES = {
    ProbeStep.NAME: "see whether avahi runs here, and libnss-mdns is installed; or take that name "
    "out: jackspot hub keys with the --address that is left",
    ProbeStep.NETWORK: "see whether this machine has that address now (ip address); if it has "
    f"another one, have the router give it the old one, or {KEYS_AGAIN} with --address",
    ProbeStep.PORT: "start the broker: sudo systemctl restart mosquitto; then see why: "
    "sudo journalctl -u mosquitto -n 30",
    ProbeStep.TLS: f"{KEYS_AGAIN}; then {RESTART}",
    ProbeStep.CERTIFICATE: f"another machine has that address, or the broker old keys: {RESTART}",
    ProbeStep.ADDRESS: RESTART,
    ProbeStep.PASSWORD: RESTART,
    ProbeStep.RIGHTS: RESTART,
}


def check_mosquitto(machine: Machine) -> Finding:
    """Check for Mosquitto, and its version."""
    try:
        told = machine.run([program(), "-h"]) or ""
    except NoBroker as missing:
        return broken("mosquitto", "not installed", str(missing).partition("; type: ")[2])
    found = re.search(r"version ((\d+)\.(\d+)[.\d]*)", told)
    if found is None:
        return doubtful("mosquitto", "it does not say its version", "see: mosquitto -h")
    if (int(found[2]), int(found[3])) < OLDEST_MOSQUITTO:
        return broken("mosquitto", found[1], "2.0 or later is needed: Debian 12 has it")
    return well("mosquitto", found[1])


class ReadKeys(Struct, frozen=True):
    """What was found of a hall's keys. It explains failures at the steps in ``explained``."""

    folder: Path
    findings: tuple[Finding, ...] = ()
    handed: FestivalSection | None = None
    boards: int = 0
    explained: frozenset[ProbeStep] = frozenset()


def check_keys(folder: Path, programme: Programme) -> ReadKeys:
    """Check the files of a hall's keys against each other and against the event."""
    names = (KEY, CERTIFICATE, SERVER, PASSWORDS, ACCESS, *(f"{user}.password" for user in OWN))
    try:
        handed = read_file(folder / NAME)
        text = {name: read_text(folder / name, FILE_BYTES) for name in names}
        hall = hall_of(text[CERTIFICATE])
    except PermissionError as error:
        unread = broken("keys", f"{error.filename}: may not be read", "run this as root")
        return ReadKeys(folder, (unread,))
    except (OSError, ValueError, ConfigError) as error:
        return ReadKeys(folder, (broken("keys", f"{folder}: {error}", KEYS_AGAIN),))
    if hall != programme.hall:
        found = f"{folder} is of the hall {hall!r}, the event is played in {programme.hall!r}"
        remedy = f"say hall = {hall!r} in the event's file"
        return ReadKeys(folder, (broken("keys", found, remedy),))
    if (handed.hall, handed.key, handed.ca) != (hall, text[KEY], text[CERTIFICATE]):
        found = f"{folder / NAME} does not belong to the other files there"
        return ReadKeys(folder, (broken("keys", found, KEYS_AGAIN),))
    boards = boards_in(text[ACCESS])
    wrong: dict[ProbeStep, Finding] = {}
    reached = [host for host, _ in handed.broker]
    if amiss := wrong_with_server(text[SERVER], text[CERTIFICATE], reached):
        again = broken("certificate", f"{folder / SERVER} {amiss}", f"{KEYS_AGAIN}, then {RESTART}")
        wrong[ProbeStep.CERTIFICATE] = wrong[ProbeStep.ADDRESS] = again
    own = {user: text[f"{user}.password"].strip() for user in OWN}
    users = wrong_passwords(text[PASSWORDS], {**own, **board_passwords(text[KEY], boards)})
    if users:
        found = f"{folder / PASSWORDS} has other passwords for {_some(users)}"
        wrong[ProbeStep.PASSWORD] = broken("passwords", found, f"{KEYS_AGAIN}, then {RESTART}")
    if boards < len(programme.boards):
        found = f"for {boards} boards, and the event has {len(programme.boards)}"
        wrong[ProbeStep.NUMBER] = broken("keys", found, f"{KEYS_AGAIN}, then {RESTART}")
    elif text[ACCESS] != access_list(hall, boards):
        found = f"{folder / ACCESS} gives other rights to hub, walls or boards than it should"
        wrong[ProbeStep.RIGHTS] = broken("rights", found, f"{KEYS_AGAIN}, then {RESTART}")
    findings = tuple(dict.fromkeys(wrong.values()))
    if not findings:
        findings = (well("keys", f"{folder}: of the hall {hall}, for {boards} boards"),)
    return ReadKeys(folder, findings, handed, boards, frozenset(wrong))


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def check_hall(
    keys: ReadKeys, programme: Programme, desk: DeskState | None
) -> Generator[Finding, None, bool]:
    """Try the boards' way to the broker, by each address; then ask it who is there.

    Returns whether a hub is connected.
    """
    if keys.handed is None:
        return False
    last = min(len(programme.boards), keys.boards)
    hall = Hall.of(changed(keys.handed, number=last))
    failed: dict[ProbeStep, list[tuple[Login, Failed]]] = {}
    goes: Login | None = None
    for login in hall.doctors_logins:
        try:
            probe(login, hall.topic("doctor"))
        except Failed as error:
            failed.setdefault(error.step, []).append((login, error))
        else:
            goes = goes or login
            yield well("broker", f"boards reach it at {login.where}")
    for step, those in failed.items():
        if step not in keys.explained:
            yield _failed(step, those)
    if goes is None:
        return False
    return (yield from _there(keys, goes, programme, desk))


def _failed(step: ProbeStep, those: list[tuple[Login, Failed]]) -> Finding:
    found = "; ".join(error.found for _, error in those)
    remedy = REMEDIES.get(step, KEYS_AGAIN)
    if step is ProbeStep.NETWORK and all(login.host == HUB_NAME for login, _ in those):
        remedy = REMEDIES[ProbeStep.NAME]
    if step is ProbeStep.NAME and any(login.host != HUB_NAME for login, _ in those):
        remedy = f"{KEYS_AGAIN}, with addresses that are known"
    return broken("broker", found, remedy)


def _there(
    keys: ReadKeys, goes: Login, programme: Programme, desk: DeskState | None
) -> Generator[Finding, None, bool]:
    """Ask the broker for the hub and the boards; return whether the hub is connected."""
    root = f"{PREFIX}/{programme.hall}"
    doctor = _login(goes, keys.folder, HUB_DOCTOR)
    try:
        statuses = _kept(doctor, root)
    except Unreachable as error:
        if ProbeStep.PASSWORD not in keys.explained:
            yield broken("passwords", f"{HUB_DOCTOR} is not let in: {error}", RESTART)
        return False
    is_ready = statuses.pop(What.HUB.topic(programme.hall, ""), "") == "ready"
    if is_ready:
        yield well("hub", "is connected to the broker")
    else:
        try:
            probe(_login(goes, keys.folder, HUB), f"{root}/doctor")
        except Failed as error:
            if error.step not in keys.explained:
                yield broken("hub", error.found, RESTART)
        else:
            yield well("hub", "does not run; the broker would let it in")
    yield _boards(statuses, programme, desk)
    return is_ready


def _login(goes: Login, folder: Path, user: str) -> Login:
    secret = read_text(folder / f"{user}.password", FILE_BYTES).strip()
    return Login(goes.host, goes.port, user, secret, MOST_BYTES, goes.ca)


def _kept(login: Login, root: str) -> dict[str, str]:
    """Return by topic the presence of hub and boards, as retained by the broker.

    Unreachable if the broker refuses the login.
    """
    connection = BrokerConnection(at_once=PACKETS_AT_ONCE)
    found: dict[str, str] = {}
    asked = False
    try:
        connection.open(login, Letter(f"{root}/doctor", b"{}", 0, retain=False))
        until_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < until_s:
            connection.turn(SETTLES_S / 3)
            if connection.is_up and not asked:
                connection.subscribe([f"{root}/all/hub", f"{root}/board/+/status"])
                asked = True
                continue
            news = connection.arrived()
            if news:
                until_s = time.monotonic() + SETTLES_S
            elif asked and connection.is_subscribed:
                until_s = min(until_s, time.monotonic() + SETTLES_S)
            found |= {topic: _state(topic, payload) for topic, payload in news}
        connection.close()
    finally:
        connection.end()
    return found


def _state(topic: str, payload: bytes) -> str:
    with suppress(BadMessage):
        return str(read(read_topic(topic).what, payload)["state"])
    return ""


def _boards(statuses: dict[str, str], programme: Programme, desk: DeskState | None) -> Finding:
    """Report which boards are there, and which have never been heard from."""
    numbers = {each.number for each in programme.boards}
    said = {int(topic.split("/")[4][1:]): state for topic, state in statuses.items()}
    there = {number for number, state in said.items() if state == "ready"} & numbers
    heard = ({*said, *(desk.on_disk if desk is not None else ())} & numbers) | there
    found = f"{len(there)} of {len(numbers)} are here, {len(heard)} have been heard"
    never = sorted(numbers - heard)
    if not never:
        return well("boards", found)
    return doubtful("boards", f"{found}; never: {_some(list(map(str, never)))}",
                    "switch them on; each needs festival.toml and its number")  # fmt: skip
