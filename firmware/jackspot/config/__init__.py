"""What the owner decides: one TOML file, checked as a whole, and what differs on each board.

:func:`load` returns a frozen :class:`Config` or raises :class:`ConfigError` with every mistake.
"""

from __future__ import annotations

from jackspot.config.load import BUILT_IN, Sources, find, load
from jackspot.config.model import Config
from jackspot.config.sections import ConfirmSetting
from jackspot.inputs.factory import GpioFactory
from jackspot.settings.mistakes import ConfigError, Mistake

__all__ = [
    "BUILT_IN",
    "Config",
    "ConfigError",
    "ConfirmSetting",
    "GpioFactory",
    "Mistake",
    "Sources",
    "find",
    "load",
]
