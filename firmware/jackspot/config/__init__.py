"""What the owner decides: one TOML file, checked as a whole, and what differs on each board.

:func:`load` gives a frozen :class:`Config` or raises :class:`ConfigError` with every mistake.
"""

from __future__ import annotations

from jackspot.config.load import BUILT_IN, Sources, find, load
from jackspot.config.mistakes import ConfigError, Mistake
from jackspot.config.model import Config
from jackspot.config.sections import (
    Confirm,
    Language,
    OledDriver,
    OledInterface,
    SignKind,
)
from jackspot.inputs.factory import GpioFactory

__all__ = [
    "BUILT_IN",
    "Config",
    "ConfigError",
    "Confirm",
    "GpioFactory",
    "Language",
    "Mistake",
    "OledDriver",
    "OledInterface",
    "SignKind",
    "Sources",
    "find",
    "load",
]
