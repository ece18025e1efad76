"""What there is to do for an installation, and for taking it off again, in order.

Each step looks at the machine first: taken twice, an installation changes nothing. What the
owner has written, the config and the journal, is never replaced, and goes only when it is
asked for.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from jackspot.ops.install import boot_config
from jackspot.ops.install.program import HOME, program
from jackspot.ops.install.steps import InstallStep, StepFailed, done
from jackspot.ops.install.system import System

UNIT = "jackspot.service"
CONFIG = "/etc/jackspot/jackspot.toml"
STATE = "/var/lib/jackspot"
COMMAND = "/usr/local/bin/jackspot"
USER = "jackspot"
GROUPS = ("gpio", "i2c", "spi", "dialout")

SYSUSERS = "/etc/sysusers.d/jackspot.conf"
TMPFILES = "/etc/tmpfiles.d/jackspot.conf"
UDEV = "/etc/udev/rules.d/60-jackspot.rules"
MODULES = "/etc/modules-load.d/jackspot.conf"
UNIT_PLACE = f"/etc/systemd/system/{UNIT}"

STICK_UDEV = "/etc/udev/rules.d/90-jackspot-stick.rules"
STICK_UNIT = "/etc/systemd/system/jackspot-stick@.service"

CARRIED = {
    SYSUSERS: "jackspot.sysusers.conf",
    TMPFILES: "jackspot.tmpfiles.conf",
    UDEV: "60-jackspot.rules",
    MODULES: "jackspot.modules.conf",
    UNIT_PLACE: UNIT,
    STICK_UDEV: "90-jackspot-stick.rules",
    STICK_UNIT: "jackspot-stick@.service",
    CONFIG: "jackspot.toml",
}
"""Where each file goes, and what it is called in the folder ``files``."""

ENABLED = f"/etc/systemd/system/multi-user.target.wants/{UNIT}"

NEEDED = ("python3-venv", "python3-lgpio", "python3-spidev")
"""Packages without which a board does not run on a Pi."""
LEGACY, LEGACY_NOW = "python3-rpi.gpio", "python3-rpi-lgpio"
"""Two packages of which a system has one: the second is the first's drop-in on any Pi."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What whoever installs has left out."""

    packages: bool = True
    i2c: bool = True
    start: bool = True


def carried(place: str) -> str:
    """Return the text that this version puts at a place."""
    return (files(__package__) / "files" / CARRIED[place]).read_text(encoding="utf-8")


def installing(system: System, checkout: Path | None, wishes: Wishes) -> list[InstallStep]:
    """Return the steps of an installation. StepFailed where it cannot be begun."""
    if not system.at("/etc").is_dir():
        raise StepFailed(f"{system.root}: expected the root of a system, found no etc in it")
    steps = [
        _packages(system) if wishes.packages else done("packages", "left to you"),
        program(system, checkout),
        _command(system),
        _user(system),
        _directories(system),
        _devices(system),
        _config(system),
        _unit(system),
        _i2c(system) if wishes.i2c else done("I2C", "left as it is"),
    ]
    return [*steps, _start(system, wishes, any(step.act and step.changes for step in steps))]


def _packages(system: System) -> InstallStep:
    what = "packages"
    if system.asked("dpkg-query", "--version") is None:
        return done(what, "no Debian: the GPIO library lgpio is left to you")
    wanted = [*NEEDED]
    if not _has_package(system, LEGACY):  # who has RPi.GPIO may have programs that want it
        wanted.append(LEGACY_NOW)
    missing = [name for name in wanted if not _has_package(system, name)]
    unknown = [name for name in missing if not _apt_knows(system, name)]
    missing = [name for name in missing if name not in unknown]
    there = [name for name in wanted if name not in (*missing, *unknown)]
    words = [f"{', '.join(there)}: there"] if there else []
    words += [f"{', '.join(unknown)}: {_ELSEWHERE}"] if unknown else []
    if not missing:
        return done(what, "; ".join(words))

    def act() -> None:
        system.run("apt-get", "-qq", "update")
        known = [name for name in missing if system.asked("apt-cache", "show", name)]
        if absent := [name for name in missing if name not in known and name in NEEDED]:
            raise StepFailed(f"{', '.join(absent)}: {_ELSEWHERE}; then add --no-packages")
        system.run("apt-get", "-y", "--no-install-recommends", "install", *known)

    return InstallStep(what, "; ".join([f"apt install {' '.join(missing)}", *words]), act)


_ELSEWHERE = (
    "not known to apt here (it is on Raspberry Pi OS); pins need lgpio, which may be had by "
    f"{HOME}/bin/pip install lgpio"
)


def _apt_knows(system: System, name: str) -> bool:
    """Whether apt has a package of this name, or has never looked."""
    looked = any(system.at("/var/lib/apt/lists").glob("*_Packages*"))
    return not looked or bool(system.asked("apt-cache", "show", name))


def _has_package(system: System, name: str) -> bool:
    status = system.asked("dpkg-query", "--show", "--showformat=${db:Status-Status}", name)
    return status == "installed"


def _command(system: System) -> InstallStep:
    what, aim = "command", f"{HOME}/bin/jackspot"
    link = system.at(COMMAND)
    if link.is_symlink() and str(link.readlink()) == aim:
        return done(what, f"{COMMAND} is there")
    if link.is_symlink() or link.exists():
        return done(what, f"{COMMAND} is not ours and stays as it is; ours is {aim}")

    def act() -> None:
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(aim)

    return InstallStep(what, f"{COMMAND}, so that `jackspot` can be typed", act, changes=False)


def _user(system: System) -> InstallStep:
    if _is_carried(system, SYSUSERS) and _has_user(system):
        return done("user", f"{USER}, in {', '.join(GROUPS)}")

    def act() -> None:
        system.write(SYSUSERS, carried(SYSUSERS))
        system.run_on_root("systemd-sysusers", Path(SYSUSERS).name)

    return InstallStep("user", f"{USER}, in the groups {', '.join(GROUPS)} ({SYSUSERS})", act)


def _has_user(system: System) -> bool:
    users = [line.split(":")[0] for line in (system.read("/etc/passwd") or "").splitlines()]
    members = {
        line.split(":")[0]: line.split(":")[-1].split(",")
        for line in (system.read("/etc/group") or "").splitlines()
    }
    return USER in users and all(USER in members.get(group, ()) for group in GROUPS)


def _directories(system: System) -> InstallStep:
    config = str(Path(CONFIG).parent)
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
    if all(_is_carried(system, place) for place in places):
        return done("devices", ", ".join(places))

    def act() -> None:
        for place in places:
            system.write(place, carried(place))
        if system.live:
            system.asked(
                "modprobe", "-a", "i2c-dev", "usbserial", "cdc_acm"
            )  # not all there: no fault
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
        system.write(place, boot_config.with_i2c(text))

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
    enabled = system.at(ENABLED).is_symlink()
    if not system.live or not wishes.start:
        when = "with the machine's next start"
        if enabled:
            return done("start", f"{UNIT} starts {when}")
        return InstallStep(
            "start",
            f"{UNIT}, {when}",
            lambda: system.run_on_root("systemctl", "enable", UNIT),
        )
    active = (system.asked("systemctl", "is-active", UNIT) or "").strip() == "active"
    if enabled and active and not changed:
        return done("start", f"{UNIT} runs, and starts with the machine")

    def act() -> None:
        system.run("systemctl", "daemon-reload")
        system.run("systemctl", "enable", UNIT)
        system.run("systemctl", "restart", UNIT)

    again = "again; the match goes on where it was" if active else "now, and with the machine"
    return InstallStep("start", f"{UNIT}, {again}", act)


def _is_carried(system: System, place: str) -> bool:
    return system.read(place) == carried(place)


def removing(system: System, *, purge: bool) -> list[InstallStep]:
    """Return the steps that take off what an installation made."""
    written = [
        _gone(system, "service", [UNIT_PLACE, STICK_UNIT, ENABLED]),
        _gone(system, "devices", [UDEV, STICK_UDEV, MODULES]),
        _gone(system, "directories", [TMPFILES]),
        _gone_command(system),
        _i2c_gone(system),
    ]
    last = [
        _gone_folder(system, "settings", str(Path(CONFIG).parent)),
        _gone_folder(system, "journal", STATE),
        _user_gone(system),
    ]
    kept = [
        done("settings", f"{Path(CONFIG).parent} stays (--purge removes it)"),
        done("journal", f"{STATE} stays, and {USER}, whose it is (--purge removes both)"),
    ]
    packages = done("packages", "what apt installed stays; others may use it")
    program_gone = _gone_folder(system, "program", HOME)  # last: this may run from it
    return [_stop(system), *written, *(last if purge else kept), packages, program_gone]


def _stop(system: System) -> InstallStep:
    if not system.live or (system.asked("systemctl", "is-active", UNIT) is None):
        return done("stop", f"{UNIT} does not run")
    return InstallStep("stop", UNIT, lambda: system.run("systemctl", "disable", "--now", UNIT))


def _gone(system: System, what: str, places: list[str]) -> InstallStep:
    there = [place for place in places if _is_at(system, place)]
    if not there:
        return done(what, f"{places[0]} is not there")

    def act() -> None:
        for place in there:
            system.remove(place)
        if system.live:
            system.run("systemctl", "daemon-reload")

    return InstallStep(what, f"remove {', '.join(there)}", act)


def _is_at(system: System, place: str) -> bool:
    return system.at(place).is_symlink() or system.at(place).exists()


def _gone_command(system: System) -> InstallStep:
    link = system.at(COMMAND)
    if link.is_symlink() and str(link.readlink()).startswith(f"{HOME}/"):
        return _gone(system, "command", [COMMAND])
    return done("command", f"{COMMAND} is not ours, or not there")


def _gone_folder(system: System, what: str, place: str) -> InstallStep:
    if not system.at(place).is_dir():
        return done(what, f"{place} is not there")

    def act() -> None:
        try:
            shutil.rmtree(system.at(place))
        except OSError as error:
            raise StepFailed(f"{place}: cannot be removed: {error}") from error

    return InstallStep(what, f"remove {place} and all that is in it", act)


def _i2c_gone(system: System) -> InstallStep:
    place, text = _boot_config(system)
    cleaned = boot_config.without_ours(text)
    if place is None or cleaned == text:
        return done("I2C", "left as it is")
    return InstallStep(
        "I2C", f"take our lines out of {place}", lambda: system.write(place, cleaned)
    )


def _user_gone(system: System) -> InstallStep:
    if not _is_at(system, SYSUSERS) and not _has_user(system):
        return done("user", f"{USER} is not there")

    def act() -> None:
        system.remove(SYSUSERS)
        if _has_user(system):
            system.run_on_root("userdel", USER)

    return InstallStep("user", f"remove {USER} and {SYSUSERS}", act)
