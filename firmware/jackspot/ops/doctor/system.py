"""Checks of the machine itself: model, system, power, clock, service.

Sources: the Raspberry Pi documentation (get_throttled's bits), systemd's systemctl(1).
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from jackspot.files import from_json
from jackspot.ops.doctor.findings import Finding, broken, doubtful, well
from jackspot.ops.doctor.machine import Machine
from jackspot.ops.update import stages
from jackspot.ops.update.plan import UpdateEnd

OLDEST_PYTHON = (3, 11)
OLDEST_YEAR = 2026
"""This program is not older, so a clock that shows an earlier year is wrong."""
HOT_C = 75.0
"""A Pi throttles itself from 80 degrees on."""

SERVICE = "jackspot.service"

_THROTTLED = (
    (0, "the supply is too weak now", True),
    (16, "the supply was too weak since the start", False),
    (2, "the processor is slowed down now", True),
    (18, "the processor was slowed down since the start", False),
)
"""Bits of the firmware's ``get_throttled``, what they mean, and whether they hold now."""


def check_machine(machine: Machine) -> Iterator[Finding]:
    """Check model, system and Python."""
    model = machine.text("/proc/device-tree/model")
    if model is None:
        yield doubtful(
            "machine",
            "no Raspberry Pi: there is no /proc/device-tree/model",
            "on a laptop try `jackspot sim`; on a Pi use its own system",
        )
    else:
        yield well("machine", model)
    yield well("system", f"{_system(machine)}, kernel {machine.kernel()}")
    version = machine.python()
    number = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if number < OLDEST_PYTHON:
        yield broken("python", version, "Python 3.11 or later is needed: Raspberry Pi OS bookworm")
    else:
        yield well("python", version)


def _system(machine: Machine) -> str:
    for line in (machine.text("/etc/os-release") or "").splitlines():
        key, _, value = line.partition("=")
        if key == "PRETTY_NAME":
            return value.strip('"')
    return "unknown system"


def check_power(machine: Machine) -> Iterator[Finding]:
    """Check supply and temperature, if the machine reports them."""
    said = machine.run(["vcgencmd", "get_throttled"])
    if said is not None and said.startswith("throttled="):
        yield from _throttled(int(said.removeprefix("throttled="), 16))
    else:
        yield from _undervoltage(machine)
    millidegrees = machine.text("/sys/class/thermal/thermal_zone0/temp")
    if millidegrees is not None and millidegrees.lstrip("-").isdigit():
        degrees = int(millidegrees) / 1000
        if degrees >= HOT_C:
            yield doubtful(
                "temperature", f"{degrees:.0f} degrees", "give it air, or a heat sink, or shade"
            )
        else:
            yield well("temperature", f"{degrees:.0f} degrees")


def _throttled(bits: int) -> Iterator[Finding]:
    remedy = "use the supply made for this Pi and a short cable; power the LED sign on its own"
    told = False
    for bit, words, now in _THROTTLED:
        if bits >> bit & 1:
            told = True
            yield broken("power", words, remedy) if now else doubtful("power", words, remedy)
    if not told:
        yield well("power", "the supply has held since the start")


def _undervoltage(machine: Machine) -> Iterator[Finding]:
    """Ask the kernel's own supply monitor, when vcgencmd says nothing."""
    for name in machine.matching("/sys/class/hwmon/hwmon*/name"):
        alarm = machine.text(name.removesuffix("name") + "in0_lcrit_alarm")
        if machine.text(name) == "rpi_volt" and alarm is not None:
            yield from _throttled(int(alarm == "1") << 16)


def check_clock(machine: Machine) -> Iterator[Finding]:
    """Check where the wall clock comes from; matches do not depend on it."""
    if machine.is_clock_set() or machine.matching("/run/systemd/timesync/synchronized"):
        yield well("clock", "set by the network")
        return
    years = [*_years_of_own_clocks(machine)]
    if years and max(years) >= OLDEST_YEAR:
        yield well("clock", "a clock of its own (the network has not set it)")
        return
    own = f"its own clock says {max(years)}" if years else "no clock of its own"
    yield doubtful(
        "clock",
        f"no network time and {own}: dates in the history may be wrong",
        "connect it once, or set it by hand: sudo date -s 'YYYY-MM-DD HH:MM'",
    )


def _years_of_own_clocks(machine: Machine) -> Iterator[int]:
    """Yield the year that each clock with a battery shows; none for one that was never set."""
    for path in machine.matching("/sys/class/rtc/rtc*/since_epoch"):
        seconds = machine.text(path) or ""
        if seconds.isdigit():
            yield time.gmtime(int(seconds)).tm_year


def check_service(machine: Machine) -> Iterator[Finding]:
    """Check the service and its watchdog."""
    told = machine.run(
        [
            "systemctl",
            "show",
            SERVICE,
            "--property=LoadState,ActiveState,UnitFileState,NRestarts,WatchdogUSec",
        ]
    )
    if not told:
        yield doubtful("service", "systemd does not answer here", "start it by hand: jackspot run")
        return
    said = dict(line.split("=", 1) for line in told.splitlines() if "=" in line)
    if said.get("LoadState") != "loaded":
        yield doubtful(
            "service", "not installed", "install it as systemd/README.md says, so that it starts"
        )
        return
    state = said.get("ActiveState", "unknown")
    watchdog = said.get("WatchdogUSec", "0")
    if state == "active" and watchdog in ("0", "infinity", ""):
        yield doubtful(
            "service",
            "running without a watchdog: a board that hangs stays so",
            "sudo jackspot install brings its unit with WatchdogSec",
        )
    elif state == "active":
        yield well("service", f"running, watchdog {watchdog}")
    else:
        yield broken("service", state, f"see why: journalctl -u {SERVICE} -n 30")
    if said.get("UnitFileState") != "enabled":
        yield doubtful(
            "service", "does not start with the machine", f"sudo systemctl enable {SERVICE}"
        )
    restarts = said.get("NRestarts", "0")
    if restarts.isdigit() and int(restarts) > 0:
        yield doubtful(
            "service", f"was restarted {restarts} times", f"see why: journalctl -u {SERVICE}"
        )


def check_update(machine: Machine) -> Iterator[Finding]:
    """Report a last update that did not end with the new version; else nothing."""
    if machine.text(stages.STATE) is not None:
        yield doubtful("update", "one was cut off", "sudo jackspot update --go-on")
    elif (last := machine.text(stages.LAST)) is not None:
        try:
            said = from_json(last)
            end, why, wanted = said["end"], str(said["why"]), str(said["version"])
        except (ValueError, KeyError, TypeError):
            return
        if end != UpdateEnd.UPDATED:
            yield doubtful("update", f"{wanted} is not here: {why}", f"{stages.LOG} says more")
