"""The doctor: looks a board over and says, line by line, what is well and what to do.

Each check reads the machine through a :class:`Machine` and gives findings; none changes
anything. What is wrong comes with the one command or act that mends it.
"""

from __future__ import annotations

from jackspot.ops.doctor.findings import Finding, Severity
from jackspot.ops.doctor.machine import Machine, RealMachine

__all__ = ["Finding", "Machine", "RealMachine", "Severity"]
