"""Steps shared by the installations of a board and of a hall's hub, and how each is undone."""

from __future__ import annotations

import re
import shutil
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from jackspot.ops.install.program import BY_APT, HOME, command_place, is_from_apt
from jackspot.ops.install.steps import InstallStep, StepFailed, done
from jackspot.ops.install.system import System

COMMAND = "/usr/local/bin/jackspot"
USER = "jackspot"
GROUPS = ("gpio", "i2c", "spi", "dialout")
SYSUSERS = "/etc/sysusers.d/jackspot.conf"
SYSUSERS_FILE = "jackspot.sysusers.conf"
UNITS = "/etc/systemd/system"
WANTED = f"{UNITS}/multi-user.target.wants"


def carried_file(name: str) -> str:
    """Return the text of a file that comes with this version, by its name in ``files``."""
    return (files(__package__) / "files" / name).read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class OwnLines:
    """Our lines in a file of others: added once at its end, and removed without a trace."""

    begin: str
    lines: str
    end: str

    def added_to(self, text: str) -> str:
        """Return the text with our lines at its end, once."""
        text = self.taken_from(text)
        parted = "" if not text or text.endswith("\n") else "\n"
        return f"{text}{parted}{self.begin}\n{self.lines}{self.end}\n"

    def taken_from(self, text: str) -> str:
        """Return the text without our lines."""
        pattern = rf"^{re.escape(self.begin)}\r?\n.*?^{re.escape(self.end)}(?:\r?\n|\Z)"
        return re.sub(pattern, "", text, flags=re.MULTILINE | re.DOTALL)


# --- packages ----------------------------------------------------------------------------


def has_package(system: System, name: str) -> bool:
    """Whether apt's package is installed."""
    status = system.asked("dpkg-query", "--show", "--showformat=${db:Status-Status}", name)
    return status == "installed"


def packages(
    system: System, needed: Sequence[str], further: Sequence[str], elsewhere: str
) -> InstallStep:
    """Return the step that installs apt's packages: the ``further`` ones only if apt has them.

    ``elsewhere`` says what to do if apt does not know one that is needed.
    """
    what = "packages"
    wanted = [*needed, *further]
    missing = [name for name in wanted if not has_package(system, name)]
    unknown = [name for name in missing if not _apt_knows(system, name)]
    missing = [name for name in missing if name not in unknown]
    there = [name for name in wanted if name not in (*missing, *unknown)]
    words = [f"{', '.join(there)}: there"] if there else []
    words += [f"{', '.join(unknown)}: {elsewhere}"] if unknown else []
    if not missing:
        return done(what, "; ".join(words))

    def act() -> None:
        system.run("apt-get", "-qq", "update")
        known = [name for name in missing if system.asked("apt-cache", "show", name)]
        if absent := [name for name in missing if name not in known and name in needed]:
            raise StepFailed(f"{', '.join(absent)}: {elsewhere}; then add --no-packages")
        system.run("apt-get", "-y", "--no-install-recommends", "install", *known)

    return InstallStep(what, "; ".join([f"apt install {' '.join(missing)}", *words]), act)


def _apt_knows(system: System, name: str) -> bool:
    """Whether apt has a package of this name, or has never looked."""
    looked = any(system.at("/var/lib/apt/lists").glob("*_Packages*"))
    return not looked or bool(system.asked("apt-cache", "show", name))


# --- the command, the user ---------------------------------------------------------------


def command_link(system: System) -> InstallStep:
    """Return the step that makes `jackspot` a command that can be typed."""
    what, aim = "command", command_place()
    if is_from_apt():
        return done(what, f"{aim}, {BY_APT}")
    link = system.at(COMMAND)
    if link.is_symlink() and str(link.readlink()) == aim:
        return done(what, f"{COMMAND} is there")
    if link.is_symlink() or link.exists():
        return done(what, f"{COMMAND} is not ours and stays as it is; ours is {aim}")

    def act() -> None:
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(aim)

    return InstallStep(what, f"{COMMAND}, so that `jackspot` can be typed", act, changes=False)


def own_user(system: System) -> InstallStep:
    """Return the step that creates the service's user."""
    if is_from_apt():
        return done("user", f"{USER}, {BY_APT}")
    if system.read(SYSUSERS) == carried_file(SYSUSERS_FILE) and has_user(system):
        return done("user", f"{USER}, in {', '.join(GROUPS)}")

    def act() -> None:
        system.write(SYSUSERS, carried_file(SYSUSERS_FILE))
        system.run_on_root("systemd-sysusers", Path(SYSUSERS).name)

    return InstallStep("user", f"{USER}, in the groups {', '.join(GROUPS)} ({SYSUSERS})", act)


def has_user(system: System) -> bool:
    """Whether the service's user exists and is in all its groups."""
    users = [line.split(":")[0] for line in (system.read("/etc/passwd") or "").splitlines()]
    members = {
        line.split(":")[0]: line.split(":")[-1].split(",")
        for line in (system.read("/etc/group") or "").splitlines()
    }
    return USER in users and all(USER in members.get(group, ()) for group in GROUPS)


# --- a service that starts with the machine ----------------------------------------------


def started(
    system: System, unit: str, start: str, again: str, before: Collection[str] = ()
) -> InstallStep:
    """Return the step that enables and starts a unit; if nothing can be started, only enables it.

    ``start``: "now" if it is to start now, "" if not, "anew" if it is to restart even if it runs.
    ``again`` says what happens to a unit that runs. Units of ``before`` start first.
    """
    enabled = system.at(f"{WANTED}/{unit}").is_symlink()
    if not system.live or not start:
        when = "with the machine's next start"
        if enabled:
            return done("start", f"{unit} starts {when}")
        return InstallStep(
            "start",
            f"{unit}, {when}",
            lambda: system.run_on_root("systemctl", "enable", unit),
        )
    active = (system.asked("systemctl", "is-active", unit) or "").strip() == "active"
    if enabled and active and start != "anew":
        return done("start", f"{unit} runs, and starts with the machine")

    def act() -> None:
        system.run("systemctl", "daemon-reload")
        for each in before:
            system.run("systemctl", "restart", each)
        system.run("systemctl", "enable", unit)
        system.run("systemctl", "restart", unit)

    words = f"again; {again}" if active else "now, and with the machine"
    return InstallStep("start", f"{', '.join((*before, unit))}, {words}", act)


# --- removal -----------------------------------------------------------------------------


def stopped(system: System, unit: str) -> InstallStep:
    """Return the step that stops a unit and keeps it from starting with the machine."""
    if not system.live or (system.asked("systemctl", "is-active", unit) is None):
        return done("stop", f"{unit} does not run")
    return InstallStep("stop", unit, lambda: system.run("systemctl", "disable", "--now", unit))


def gone(system: System, what: str, places: Sequence[str]) -> InstallStep:
    """Return the step that removes files."""
    there = [place for place in places if is_at(system, place)]
    if not there:
        return done(what, f"{places[0]} is not there")

    def act() -> None:
        for place in there:
            system.remove(place)
        if system.live:
            system.run("systemctl", "daemon-reload")

    return InstallStep(what, f"remove {', '.join(there)}", act)


def is_at(system: System, place: str) -> bool:
    """Whether a file or a link exists, even a link that leads nowhere."""
    return system.at(place).is_symlink() or system.at(place).exists()


def gone_command(system: System) -> InstallStep:
    """Return the step that removes the command `jackspot` if it is ours."""
    link = system.at(COMMAND)
    if link.is_symlink() and str(link.readlink()).startswith(f"{HOME}/"):
        return gone(system, "command", [COMMAND])
    return done("command", f"{COMMAND} is not ours, or not there")


def gone_folder(system: System, what: str, place: str) -> InstallStep:
    """Return the step that removes a folder with all that is in it."""
    if not system.at(place).is_dir():
        return done(what, f"{place} is not there")

    def act() -> None:
        try:
            shutil.rmtree(system.at(place))
        except OSError as error:
            raise StepFailed(f"{place}: cannot be removed: {error}") from error

    return InstallStep(what, f"remove {place} and all that is in it", act)


def gone_user(system: System) -> InstallStep:
    """Return the step that removes the service's user."""
    if not is_at(system, SYSUSERS) and not has_user(system):
        return done("user", f"{USER} is not there")

    def act() -> None:
        system.remove(SYSUSERS)
        if has_user(system):
            system.run_on_root("userdel", USER)

    return InstallStep("user", f"remove {USER} and {SYSUSERS}", act)
