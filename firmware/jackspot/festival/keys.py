"""A hall's keys as a folder: what its broker is given, and ``festival.toml`` for its boards.

The hall's key, its authority and the passwords that cannot be derived are made once and stay;
everything else is made from them. The folder stays where it is: Mosquitto's config names its files
by their paths.
"""

from __future__ import annotations

import os
import pwd
import secrets
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from jackspot.festival.broker import PROGRAM
from jackspot.festival.joining import NAME, OWNERS_ALONE, write
from jackspot.festival.section import TLS_PORT, FestivalSection
from jackspot.festival.users import (
    OWN,
    access_list,
    board_passwords,
    broker_config,
    password_file,
)
from jackspot.files import atomic_write

if TYPE_CHECKING:
    from jackspot.festival.certificates import Pair

CONFIG = "mosquitto.conf"
KEY, CERTIFICATE, SECRET = "key", "hall.crt", "hall.key"
PASSWORDS, ACCESS, SERVER = "passwords", "access", "server.crt"
FOR_ALL = 0o644
"""The permissions of what is no secret."""
ENTERED = stat.S_IXGRP | stat.S_IXOTH


class OtherHall(ValueError):
    """A folder has the keys of another hall."""


class BrokerUser(Struct, frozen=True):
    """The user that a broker runs as, who reads what is written for it."""

    name: str
    number: int
    group: int

    @property
    def is_another(self) -> bool:
        """Whether it is another user than the one who runs this."""
        return self.number != os.getuid()


class HallKeys(Struct, frozen=True):
    """What a hall's keys are for: this many boards, which reach its broker at these addresses.

    ``here`` are further addresses, unknown to boards, by which the hub reaches it.
    """

    hall: str
    boards: int
    reached: tuple[str, ...]
    port: int = TLS_PORT
    here: tuple[str, ...] = ()


def broker_user() -> BrokerUser:
    """Return whom Mosquitto runs as: its own user if started by root, else the caller."""
    own = pwd.getpwuid(os.getuid())
    if own.pw_uid == 0:
        with suppress(KeyError):  # Mosquitto is not installed, or has no user of its own
            own = pwd.getpwnam(PROGRAM)
    return BrokerUser(own.pw_name, own.pw_uid, own.pw_gid)


def write_keys(
    folder: Path, keys: HallKeys, runs: BrokerUser, root: Path = Path("/")
) -> FestivalSection:
    """Write a hall's keys for a broker; return what its boards get.

    ``root`` is that of the system the broker runs on. OSError; OtherHall, or ValueError if what is
    kept is incomplete.
    """
    from jackspot.festival.certificates import make_server

    _make_folder(folder, runs, root)
    key, pair = _kept(folder, keys.hall)
    own = {user: _own_password(folder / f"{user}.password") for user in OWN}
    server = make_server(pair, (*keys.reached, *keys.here))
    place = f"/{folder.resolve().relative_to(root.resolve())}"
    for name, text in {
        SERVER: server.certificate,
        "server.key": server.key,
        PASSWORDS: password_file({**own, **board_passwords(key, keys.boards)}, secrets.token_bytes),
        ACCESS: access_list(keys.hall, keys.boards),
        CONFIG: broker_config(place, keys.port, runs.name),
    }.items():
        atomic_write(folder / name, text, OWNERS_ALONE)
        if runs.is_another:
            os.chown(folder / name, runs.number, runs.group)
    handed = FestivalSection(
        hall=keys.hall,
        broker=tuple((each, keys.port) for each in keys.reached),
        key=key,
        ca=pair.certificate,
    )
    atomic_write(folder / NAME, write(handed), OWNERS_ALONE)
    return handed


def _make_folder(folder: Path, runs: BrokerUser, root: Path) -> None:
    """Make the folder, and make sure that the broker's user can enter it. OSError if not."""
    for above in folder.resolve().parents:
        if above == root.resolve():
            break
        if runs.is_another and above.exists() and not above.stat().st_mode & stat.S_IXOTH:
            raise PermissionError(
                f"started by root the broker runs as {runs.name}, which may not enter {above}; "
                f"choose a folder like /etc/{PROGRAM}/hall, or run this and the broker as "
                "yourself, without sudo"
            )
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if runs.is_another:
        folder.chmod(stat.S_IMODE(folder.stat().st_mode) | ENTERED)


def _kept(folder: Path, hall: str) -> tuple[str, Pair]:
    """Return the hall's key and its authority, which are made once, since boards have them."""
    from jackspot.festival.certificates import Pair, hall_of, make_authority

    kept = [folder / KEY, folder / CERTIFICATE, folder / SECRET]
    lost = [each.name for each in kept if not each.exists()]
    if len(lost) == len(kept):
        authority = make_authority(hall)
        made = (secrets.token_hex(16), authority.certificate, authority.key)
        for path, text in zip(kept, made, strict=True):
            atomic_write(path, text, OWNERS_ALONE)
    elif lost:
        raise ValueError(
            f"has no {' and no '.join(lost)}, and boards may have what belongs to it; bring it "
            "back, or choose another folder and give all boards its keys"
        )
    for path in kept:  # a stick that brought them knows no permissions
        path.chmod(OWNERS_ALONE)
    key, certificate, secret = (each.read_text(encoding="ascii") for each in kept)
    if (found := hall_of(certificate)) != hall:
        raise OtherHall(
            f"{folder} has the keys of the hall {found!r}; name that one, or another folder"
        )
    kept[1].chmod(FOR_ALL)  # boards get it, and need not be root to read it
    return key, Pair(certificate, secret)


def _own_password(path: Path) -> str:
    """Return a password that cannot be derived, from its file; made if there is none."""
    secret = path.read_text(encoding="ascii").strip() if path.exists() else ""
    if not secret:
        secret = secrets.token_hex(16)
        atomic_write(path, secret, OWNERS_ALONE)
    path.chmod(OWNERS_ALONE)
    return secret
