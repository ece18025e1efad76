"""What there is to do for an installation, and for its removal, in order.

Each step checks the machine first, so a second installation changes nothing. What the owner has
written, the config and the journal, is never replaced, and is removed only on request.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from jackspot.ops.install import boot_config
from jackspot.ops.install.parts import (
    SYSUSERS,
    SYSUSERS_FILE,
    UNITS,
    USER,
    WANTED,
    carried_file,
    command_link,
    gone,
    gone_command,
    gone_folder,
    gone_user,
    has_package,
    is_at,
    own_user,
    packages,
    started,
    stopped,
)
from jackspot.ops.install.program import BY_APT, HOME, is_from_apt, program
from jackspot.ops.install.steps import InstallStep, StepFailed, done
from jackspot.ops.install.system import System

UNIT = "jackspot.service"
CONFIG = "/etc/jackspot/jackspot.toml"
STATE = "/var/lib/jackspot"
HUB_UNIT = "jackspot-hub.service"
"""The service of a hall's hub, which may be on the same machine and has the same program."""

TMPFILES = "/etc/tmpfiles.d/jackspot.conf"
UDEV = "/etc/udev/rules.d/60-jackspot.rules"
MODULES = "/etc/modules-load.d/jackspot.conf"
UNIT_PLACE = f"{UNITS}/{UNIT}"

STICK_UDEV = "/etc/udev/rules.d/90-jackspot-stick.rules"
STICK_UNIT = f"{UNITS}/jackspot-stick@.service"

APTS_UNIT = f"/usr/lib/systemd/system/{UNIT}"
"""Exists if apt has installed the board too, and not only what boards and hubs share."""

CARRIED = {
    SYSUSERS: SYSUSERS_FILE,
    TMPFILES: "jackspot.tmpfiles.conf",
    UDEV: "60-jackspot.rules",
    MODULES: "jackspot.modules.conf",
    UNIT_PLACE: UNIT,
    STICK_UDEV: "90-jackspot-stick.rules",
    STICK_UNIT: "jackspot-stick@.service",
    CONFIG: "jackspot.toml",
}
"""Where each file goes, and what it is called in the folder ``files``."""

ENABLED = f"{WANTED}/{UNIT}"

NEEDED = ("python3-venv", "python3-lgpio", "python3-spidev")
"""Packages without which a board does not run on a Pi."""
LEGACY, LEGACY_NOW = "python3-rpi.gpio", "python3-rpi-lgpio"
"""A system has one of these two: the second replaces the first on any Pi."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the person who installs has chosen to leave out."""

    packages: bool = True
    i2c: bool = True
    start: bool = True


def carried(place: str) -> str:
    """Return the text that this version puts at a place."""
    return carried_file(CARRIED[place])


def installing(system: System, checkout: Path | None, wishes: Wishes) -> list[InstallStep]:
    """Return the steps of an installation. Raises StepFailed if it cannot begin."""
    if not system.at("/etc").is_dir():
        raise StepFailed(f"{system.root}: expected the root of a system, found no etc in it")
    if is_from_apt() and not is_at(system, APTS_UNIT):
        raise StepFailed("the board is a package of its own; type: sudo apt-get install jackspot")
    steps = [
        _packages(system) if wishes.packages else done("packages", "left to you"),
        program(system, checkout),
        command_link(system),
        own_user(system),
        _directories(system),
        _devices(system),
        _config(system),
        _unit(system),
        _i2c(system) if wishes.i2c else done("I2C", "left as it is"),
    ]
    return [*steps, _start(system, wishes, any(step.act and step.changes for step in steps))]


def _packages(system: System) -> InstallStep:
    what = "packages"
    if is_from_apt():
        return done(what, BY_APT)
    if system.asked("dpkg-query", "--version") is None:
        return done(what, "no Debian: the GPIO library lgpio is left to you")
    # a system that has RPi.GPIO may have programs that need it
    further = () if has_package(system, LEGACY) else (LEGACY_NOW,)
    return packages(system, NEEDED, further, _ELSEWHERE)


_ELSEWHERE = (
    "not known to apt here (it is on Raspberry Pi OS); pins need lgpio, which may be had by "
    f"{HOME}/bin/pip install lgpio"
)


def _directories(system: System) -> InstallStep:
    config = str(Path(CONFIG).parent)
    if is_from_apt():
        return done("directories", f"{config}, {STATE}, {BY_APT}")
    there = system.at(config).is_dir() and system.at(STATE).is_dir()
    if there and _is_carried(system, TMPFILES):
        return done("directories", f"{config}, {STATE}")

    def act() -> None:
        system.write(TMPFILES, carried(TMPFILES))
        system.run_on_root("systemd-tmpfiles", "--create", Path(TMPFILES).name)

    words = f"{config} for settings, {STATE} for the journal ({TMPFILES})"
    return InstallStep("directories", words, act)


def _devices(system: System) -> InstallStep:
    places = (UDEV, STICK_UDEV, MODULES)
    if is_from_apt():
        return done("devices", BY_APT)
    if all(_is_carried(system, place) for place in places):
        return done("devices", ", ".join(places))

    def act() -> None:
        for place in places:
            system.write(place, carried(place))
        if system.live:
            system.asked(
                "modprobe", "-a", "i2c-dev", "usbserial", "cdc_acm"
            )  # not all of it exists: no fault
            system.run("udevadm", "control", "--reload")
            for subsystem in ("gpio", "i2c-dev", "spidev"):
                system.run("udevadm", "trigger", f"--subsystem-match={subsystem}")

    words = f"pins and buses for their groups, sticks for results ({', '.join(places)})"
    return InstallStep("devices", words, act)


def _config(system: System) -> InstallStep:
    if system.at(CONFIG).exists():
        return done("settings", f"{CONFIG} is yours and stays as it is")
    return InstallStep(
        "settings",
        f"{CONFIG}, an example to change",
        lambda: system.write(CONFIG, carried(CONFIG)),
    )


def _unit(system: System) -> InstallStep:
    places = (UNIT_PLACE, STICK_UNIT)
    if is_from_apt():
        return done("service", f"{APTS_UNIT}, {BY_APT}")
    wanted = [place for place in places if not _is_carried(system, place)]
    if not wanted:
        return done("service", ", ".join(places))

    def act() -> None:
        for place in wanted:
            system.write(place, carried(place))

    words = (f"{'replace' if system.at(place).exists() else 'write'} {place}" for place in wanted)
    return InstallStep(
        "service", f"{', '.join(words)} (your own changes: systemctl edit jackspot)", act
    )


def _i2c(system: System) -> InstallStep:
    place, text = _boot_config(system)
    if place is None:
        return done("I2C", "no Raspberry Pi: there is no config.txt to switch it on in")
    if boot_config.is_wanted(text):
        return done("I2C", f"on, at 400 kHz, by {place}")

    def act() -> None:
        kept = f"{place}.before-jackspot"
        if not system.at(kept).exists():
            system.write(kept, text)
        system.write(place, boot_config.OURS.added_to(text))

    words = f"switch it on, at 400 kHz, in {place}; it takes a new start of the Pi"
    anew = "Restart the Pi, so that I2C is on: sudo reboot"
    return InstallStep("I2C", words, act, changes=False, afterwards=anew)


def _boot_config(system: System) -> tuple[str | None, str]:
    """Return the place and text of the Pi's config.txt."""
    for place in boot_config.PLACES:
        text = system.read(place)
        if text is not None:
            return place, text
    return None, ""


def _start(system: System, wishes: Wishes, changed: bool) -> InstallStep:
    start = "" if not wishes.start else "anew" if changed else "now"
    return started(system, UNIT, start, "the match goes on where it was")


def _is_carried(system: System, place: str) -> bool:
    return system.read(place) == carried(place)


def removing(system: System, *, purge: bool) -> list[InstallStep]:
    """Return the steps that remove an installation, except for what a hub here needs.

    Raises StepFailed if apt has installed the board.
    """
    if is_from_apt():
        raise StepFailed(
            f"the board is here {BY_APT}; type: sudo apt-get {'purge' if purge else 'remove'} "
            "jackspot"
        )
    is_hub_here = is_at(system, f"{UNITS}/{HUB_UNIT}")
    stays = f"stays: {HUB_UNIT} needs it (sudo jackspot hub uninstall)"
    written = [
        gone(system, "service", [UNIT_PLACE, STICK_UNIT, ENABLED]),
        gone(system, "devices", [UDEV, STICK_UDEV, MODULES]),
        gone(system, "directories", [TMPFILES]),
        done("command", stays) if is_hub_here else gone_command(system),
        _i2c_gone(system),
    ]
    last = [
        gone_folder(system, "settings", str(Path(CONFIG).parent)),
        gone_folder(system, "journal", STATE),
        done("user", stays) if is_hub_here else gone_user(system),
    ]
    kept = [
        done("settings", f"{Path(CONFIG).parent} stays (--purge removes it)"),
        done("journal", f"{STATE} stays, and {USER}, whose it is (--purge removes both)"),
    ]
    others = done("packages", "what apt installed stays; others may use it")
    program_gone = (  # last: this may run from it
        done("program", stays) if is_hub_here else gone_folder(system, "program", HOME)
    )
    return [stopped(system, UNIT), *written, *(last if purge else kept), others, program_gone]


def _i2c_gone(system: System) -> InstallStep:
    place, text = _boot_config(system)
    cleaned = boot_config.OURS.taken_from(text)
    if place is None or cleaned == text:
        return done("I2C", "left as it is")
    return InstallStep(
        "I2C", f"take our lines out of {place}", lambda: system.write(place, cleaned)
    )
