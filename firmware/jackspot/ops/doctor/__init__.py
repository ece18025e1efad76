"""The doctor: examines a board and reports, line by line, what is well and what to do.

Each check reads the machine through a :class:`Machine` and yields findings; none changes anything.
Each fault comes with the one command or action that fixes it.
"""

from __future__ import annotations

from jackspot.ops.doctor.findings import Finding, Severity
from jackspot.ops.doctor.machine import Machine, RealMachine

__all__ = ["Finding", "Machine", "RealMachine", "Severity"]
