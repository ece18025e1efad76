"""``[festival]``: the hall that a board is played in."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer, StrictStr

from jackspot.festival.messages import HALL, MOST_BOARDS
from jackspot.settings.section import Section
from jackspot.settings.values import FilePath, Text, Whole

PORT, TLS_PORT = 1883, 8883


def _hall(value: object) -> str:
    if not isinstance(value, str) or not (value == "" or HALL.fullmatch(value)):
        raise ValueError("a word of small letters, digits and hyphens")
    return value


def _broker(value: object) -> tuple[str, int]:
    """Read ``host`` or ``host:port``; 0 is the usual port."""
    if isinstance(value, tuple):
        return value
    host, _, port = str(value).rpartition(":") if ":" in str(value) else (str(value), "", "0")
    if isinstance(value, str) and host.strip() and port.isdecimal() and int(port) < 65_536:
        return host.strip(), int(port)
    raise ValueError('an address like "192.168.1.10" or "hub.local:8883"')


Broker = Annotated[
    tuple[str, int],
    BeforeValidator(_broker),
    PlainSerializer(lambda it: f"{it[0]}:{it[1]}" if it[1] else it[0], return_type=str),
]
"""Where a broker is."""


class FestivalSection(Section):
    """``[festival]``: the hall that the board is played in."""

    hall: Annotated[StrictStr, BeforeValidator(_hall)] = ""
    """The hall's name, as its topics have it; empty: the board stands alone."""
    number: Annotated[int, BeforeValidator(Whole(1, MOST_BOARDS))] = 1
    """The board's number in the hall."""
    broker: Broker = ("127.0.0.1", 0)
    """Where the hall's broker is: an address, with its port where that is not the usual one."""
    key: Text | None = None
    """The hall's key, from which each board's password is made; unset: no password."""
    ca: FilePath | None = None
    """The hall's own certificate, by which the broker's is checked; unset: in the clear, which
    only a broker on this machine may be."""

    @property
    def address(self) -> tuple[str, int]:
        """Where the broker is."""
        host, port = self.broker
        return host, port or (PORT if self.ca is None else TLS_PORT)
