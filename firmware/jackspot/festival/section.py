"""``[festival]``: the hall that a board is played in."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer, StrictStr

from jackspot.festival.messages import HALL, MOST_BOARDS
from jackspot.settings.section import Section
from jackspot.settings.values import Text, Whole

PORT = 1883


def _hall(value: object) -> str:
    if not isinstance(value, str) or not (value == "" or HALL.fullmatch(value)):
        raise ValueError("a word of small letters, digits and hyphens")
    return value


def _broker(value: object) -> tuple[str, int]:
    """Read ``host`` or ``host:port``."""
    if isinstance(value, tuple):
        return value
    host, _, port = str(value).rpartition(":") if ":" in str(value) else (str(value), "", PORT)
    if isinstance(value, str) and host.strip() and str(port).isdecimal() and int(port) < 65_536:
        return host.strip(), int(port)
    raise ValueError('an address like "192.168.1.10" or "hub.local:1883"')


Broker = Annotated[
    tuple[str, int],
    BeforeValidator(_broker),
    PlainSerializer(lambda broker: f"{broker[0]}:{broker[1]}", return_type=str),
]
"""Where a broker is."""


class FestivalSection(Section):
    """``[festival]``: the hall that the board is played in."""

    hall: Annotated[StrictStr, BeforeValidator(_hall)] = ""
    """The hall's name, as its topics have it; empty: the board stands alone."""
    number: Annotated[int, BeforeValidator(Whole(1, MOST_BOARDS))] = 1
    """The board's number in the hall."""
    broker: Broker = ("127.0.0.1", PORT)
    """Where the hall's broker is: an address, and its port where that is not 1883."""
    key: Text | None = None
    """The hall's key, from which each board's password is made; unset: no password."""
