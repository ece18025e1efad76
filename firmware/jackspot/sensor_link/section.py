"""``[sensor_hub]`` of the config."""

from __future__ import annotations

from typing import Annotated, Literal

from jackspot.sensing.events import HIGHEST
from jackspot.settings.section import Section
from jackspot.settings.values import Form, Text, Whole

Reading = Annotated[int, Form(Whole(0, HIGHEST))]
"""A reading of a head or a disc."""


class SensorHubSection(Section, frozen=True):
    """``[sensor_hub]``: the microcontroller that sees colours and hears knocks."""

    port: Text | None = None
    """A ``/dev/serial/by-id`` path, or a URL of pyserial's; unset: there is no sensor hub."""
    baud: Literal[9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600] = 115200
    """Bits a second; over USB it does not matter."""
    see: Reading | None = None
    """How far above dark a colour is something before a head; unset: as its program has it."""
    knock: Reading | None = None
    """How far from rest a disc reads a knock; unset: as its program has it."""
