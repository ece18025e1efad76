"""A network of the board's own, where there is none: an access point by NetworkManager.

Raspberry Pi OS has had NetworkManager since 2023. The access point is one of its profiles, a file
that only root can read, so that the password appears in no list of processes. The profile comes up
with the machine until it is removed. Phones that join get their addresses from the board.

Source: nm-settings-keyfile(5), nmcli(1).
"""

from __future__ import annotations

import configparser
import json
import re
import secrets
import uuid
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from jackspot.config.hotspot import ADDRESS, told, told_beside
from jackspot.ops.install.steps import InstallStep, StepFailed, done
from jackspot.ops.install.system import System
from jackspot.ops.ownership import as_owner_of

PROFILE = "jackspot-hotspot"
FOLDER = Path("/etc/NetworkManager/system-connections")
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Characters that nobody mistakes for another when a password is read out."""
PASSWORD_LENGTH = 12
UP_S = 45
"""How long NetworkManager may take to bring it up."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,31}")
_PASSWORD = re.compile(r"[!#-:<-\[\]-~](?:[ !#-:<-\[\]-~]{6,61})[!#-:<-\[\]-~]")


class NoHotspot(Exception):
    """An access point that is not possible; says why, and what to do."""


class Hotspot(Struct, frozen=True):
    """The network: its name, its password, and the radio it uses."""

    name: str
    password: str
    device: str

    def profile(self) -> str:
        """Return it as a NetworkManager profile."""
        return (
            "# Made by `jackspot hotspot`; `jackspot hotspot --off` takes it off.\n"
            f"[connection]\nid={PROFILE}\nuuid={uuid.uuid5(uuid.NAMESPACE_DNS, PROFILE)}\n"
            f"type=wifi\ninterface-name={self.device}\nautoconnect=true\n"
            "autoconnect-priority=100\n\n"
            f"[wifi]\nmode=ap\nssid={self.name}\nband=bg\n\n"
            "[wifi-security]\nkey-mgmt=wpa-psk\nproto=rsn;\npairwise=ccmp;\ngroup=ccmp;\n"
            f"psk={self.password}\n\n"
            f"[ipv4]\nmethod=shared\naddress1={ADDRESS}/24\n\n[ipv6]\nmethod=disabled\n"
        )


def checked(name: str, password: str, device: str) -> Hotspot:
    """Return a network with this name and password. Raises NoHotspot if it is not possible."""
    if not _NAME.fullmatch(name):
        raise NoHotspot(
            f"the network's name is {name!r}; expected 1 to 32 letters, digits, blanks, dots, "
            "hyphens: give one with --name"
        )
    if not _PASSWORD.fullmatch(password):
        raise NoHotspot(
            "the password is not one that every phone takes; expected 8 to 63 letters, digits and "
            'signs of ASCII but for ; " and \\, no blank at either end'
        )
    return Hotspot(name, password, device)


def usual_name(board: str) -> str:
    """Return a network name made from the board's, as much of it as phones show."""
    plain = re.sub(r"[^A-Za-z0-9 ._-]+", "-", board).strip(" .-_")
    return plain[:32].rstrip() or "Jackspot"


def new_password() -> str:
    """Make a random password: 59 bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(PASSWORD_LENGTH))


def telling(journal: Path, hotspot: Hotspot | None) -> InstallStep:
    """Return the step that tells the board about its network, or that it no longer has one."""
    what, file = "OLED", told_beside(journal)
    if not file.parent.is_dir():
        return done(what, f"no board has its journal in {file.parent}")
    with as_owner_of(file.parent):
        same = told(journal) == (hotspot and (hotspot.name, hotspot.password))
    if same:
        return done(what, f"{file} is the same" if hotspot else "shows no codes")

    def act() -> None:
        try:
            with as_owner_of(file.parent):
                file.unlink(missing_ok=True)
                if hotspot is not None:
                    file.touch(0o640)
                    said = {"name": hotspot.name, "password": hotspot.password}
                    file.write_text(json.dumps(said) + "\n", encoding="utf-8")
        except OSError as error:
            raise StepFailed(f"{file}: cannot be written: {error.strerror}") from error

    anew = "The OLED's menu follows: sudo systemctl restart jackspot"
    return InstallStep(what, f"codes in the menu of the OLED ({file})", act, afterwards=anew)


class NetworkManager:
    """What is asked of NetworkManager; ``folder`` is where its profiles are."""

    def __init__(self, system: System, folder: Path = FOLDER) -> None:
        self._system = system
        self._file = folder / f"{PROFILE}.nmconnection"

    def refuse_absent(self) -> None:
        """Raise NoHotspot if NetworkManager does not run."""
        running = self._system.asked("nmcli", "--terse", "--fields", "RUNNING", "general")
        if running is None or running.strip() != "running":
            raise NoHotspot(
                "NetworkManager does not run here; on Raspberry Pi OS it comes with the system "
                "since 2023, else: sudo apt install network-manager"
            )

    def device(self) -> str:
        """Return the radio to use. Raises NoHotspot if there is none."""
        told = self._system.asked("nmcli", "--terse", "--fields", "DEVICE,TYPE,STATE", "device")
        radios = [line.split(":") for line in (told or "").splitlines()]
        usable = [each[0] for each in radios if each[1:2] == ["wifi"] and each[2] != "unmanaged"]
        if not usable:
            raise NoHotspot(
                "no Wi-Fi that NetworkManager may use was found; on a Pi without it, plug in an "
                "adapter that can be an access point"
            )
        return usable[0]

    def now(self) -> tuple[str, str]:
        """Return name and password of the existing profile; empty if there is none."""
        parser = configparser.RawConfigParser(strict=False)
        try:
            parser.read_string(self._system.read(str(self._file)) or "")
            return parser["wifi"]["ssid"], parser["wifi-security"]["psk"]
        except (configparser.Error, KeyError):
            return "", ""

    def switching_on(self, hotspot: Hotspot) -> Iterator[InstallStep]:
        """Return the steps that bring a network up; steps taken already do nothing."""
        radio = self._system.asked("nmcli", "radio", "wifi") or ""
        if radio.strip() == "enabled":
            yield done("radio", "Wi-Fi is on")
        else:
            yield InstallStep(
                "radio", "switch Wi-Fi on", lambda: self._nmcli("radio", "wifi", "on")
            )
        same = self._system.read(str(self._file)) == hotspot.profile()
        if same:
            yield done("profile", f"{self._file} is the same")
        else:
            yield InstallStep("profile", f"{self._file}", lambda: self._write(hotspot))
        if same and self._is_up():
            yield done("network", f"{hotspot.name!r} is up")
        else:
            words = f"bring {hotspot.name!r} up on {hotspot.device}; other Wi-Fi ends there"
            yield InstallStep("network", words, self._up)

    def switching_off(self) -> Iterator[InstallStep]:
        """Return the steps that remove the network."""
        if self._is_up():
            down = ("--wait", "15", "connection", "down", "id", PROFILE)
            yield InstallStep("network", "take it down", lambda: self._nmcli(*down))
        else:
            yield done("network", "none of the board's own is up")
        if self._system.read(str(self._file)) is not None:
            yield InstallStep("profile", f"remove {self._file}", self._remove)
        else:
            yield done("profile", "there is none")

    def _is_up(self) -> bool:
        told = self._system.asked(
            "nmcli", "--terse", "--fields", "NAME", "connection", "show", "--active"
        )
        return PROFILE in (told or "").splitlines()

    def _write(self, hotspot: Hotspot) -> None:
        self._system.write(str(self._file), hotspot.profile(), 0o600)
        self._nmcli("connection", "load", str(self._file))

    def _remove(self) -> None:
        self._system.remove(str(self._file))
        self._nmcli("connection", "reload")

    def _up(self) -> None:
        try:
            self._nmcli("--wait", str(UP_S), "connection", "up", "id", PROFILE)
        except StepFailed as error:
            raise StepFailed(
                f"{error}. A Pi's Wi-Fi stays off until its country is set: "
                "sudo raspi-config nonint do_wifi_country DE (or JP, ...). Another programme may "
                "hold the radio: nmcli device"
            ) from error

    def _nmcli(self, *arguments: str) -> None:
        self._system.run("nmcli", *arguments)
