"""Whether the board works: its services stay up for a minute, and the doctor finds nothing new."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jackspot.ops.install.plan import UNIT
from jackspot.ops.install.steps import StepFailed
from jackspot.ops.install.system import System

TRIAL_S = 60
COMMAND = "/usr/bin/jackspot"
DOCTOR_S = 120
_BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Trial:
    """How a new version is tried; ``wait`` passes the seconds."""

    seconds: int = TRIAL_S
    wait: Callable[[float], None] = time.sleep


def running(system: System, units: Sequence[str]) -> tuple[str, ...]:
    """Return which of these services are running."""
    return tuple(unit for unit in units if _shown(system, unit).get("ActiveState") == "active")


def control(system: System, verb: str, units: Sequence[str]) -> None:
    """Have systemd start, stop or restart services. Raises StepFailed."""
    if units:
        system.run_on_root("systemctl", verb, *units)


def try_out(
    system: System, units: Sequence[str], broken_before: Sequence[str], trial: Trial
) -> None:
    """Start the services and watch them. StepFailed says what went wrong.

    systemd has noted that a service reported that it is up. A service that failed, or that its
    watchdog ended, has another process afterwards.
    """
    if not units:
        return
    system.run_on_root("systemctl", "daemon-reload")
    control(system, "restart", units)
    first = {unit: _shown(system, unit) for unit in units}
    for second in range(trial.seconds + 1):
        for unit in units:
            now = _shown(system, unit)
            if now.get("ActiveState") != "active" or now != first[unit]:
                raise StepFailed(
                    f"{unit} did not stay up: after {second} s it is {now.get('ActiveState')}, "
                    f"restarts: {now.get('NRestarts')}"
                )
        if second < trial.seconds:
            trial.wait(1)
    if UNIT in units:
        new = [each for each in broken(system) if each not in broken_before]
        if new:
            raise StepFailed(f"the doctor finds broken what was not: {', '.join(new)}")


def broken(system: System) -> tuple[str, ...]:
    """Return what the board's own doctor finds broken. StepFailed if it cannot be asked."""
    words = [str(system.at(COMMAND)), "doctor", "--json", "--seconds", "0"]
    try:
        done = subprocess.run(
            words, capture_output=True, check=False, text=True, timeout=DOCTOR_S, errors="replace"
        )
        findings = json.loads(done.stdout)["findings"]
        return tuple(str(each["what"]) for each in findings if each["mark"] == _BROKEN)
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError) as error:
        raise StepFailed(f"{' '.join(words)}: gives no findings: {error}") from error


def _shown(system: System, unit: str) -> dict[str, str]:
    told = system.asked_on_root(
        "systemctl", "show", "--property=ActiveState,NRestarts,MainPID", unit
    )
    return dict(line.split("=", 1) for line in (told or "").splitlines() if "=" in line)
