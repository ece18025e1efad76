"""Checks of a board while it plays: quick ones that touch no pin, bus or display it uses.

The board's own state reports its parts; these checks cover what it cannot see from inside.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from msgspec.structs import asdict

from jackspot.config.model import Config
from jackspot.festival.messages import FindingJson
from jackspot.ops.doctor.calibrated import check_calibration
from jackspot.ops.doctor.findings import Finding
from jackspot.ops.doctor.machine import Machine
from jackspot.ops.doctor.system import check_clock, check_machine, check_power, check_service
from jackspot.ops.doctor.wired_parts import check_room


def look_beside(machine: Machine, config: Config, journal: Path) -> list[FindingJson]:
    """Check the machine, its supply, clock and service, the disk and the calibration."""
    return [cast(FindingJson, asdict(each)) for each in _checks(machine, config, journal)]


def _checks(machine: Machine, config: Config, journal: Path) -> Iterator[Finding]:
    for check in (check_machine, check_power, check_clock, check_service):
        yield from check(machine)
    yield from check_room(machine, journal)
    yield from check_calibration(config)
