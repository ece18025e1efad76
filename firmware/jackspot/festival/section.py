"""``[festival]``: the hall that a board is played in."""

from __future__ import annotations

import ipaddress
import re
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from jackspot.festival.names import HALL, MOST_BOARDS
from jackspot.settings.section import Section
from jackspot.settings.values import Form, Text, Whole

PORT, TLS_PORT = 1883, 8883
_LABEL = "[0-9a-z](?:[0-9a-z-]{0,61}[0-9a-z])?"
_NAME = re.compile(
    rf"(?=.{{1,253}}$)(?:{_LABEL}\.)*(?=[0-9-]*[a-z]){_LABEL}", re.IGNORECASE | re.ASCII
)
"""A machine's name: its last part has a letter, else it is half an address."""
_BROKER = re.compile(r"(?:\[(?P<six>[^]]*:[^]]*)\]|(?P<machine>[^:]+))(?::(?P<port>[0-9]{1,5}))?")


def _hall(value: object) -> str:
    if not isinstance(value, str) or not (value == "" or HALL.fullmatch(value)):
        raise ValueError("a word of small letters, digits and hyphens")
    return value


def machine(text: str) -> str:
    """Read the address or name of a machine, without a port; ValueError if it is none."""
    if _NAME.fullmatch(text):
        return text
    found = ipaddress.ip_address(text)
    if found.is_unspecified or "%" in text:
        raise ValueError("no machine that others reach by it")
    return str(found)


def with_port(host: str, port: int) -> str:
    """Return a machine and its port as one text; 0: no port. IPv6 addresses get brackets."""
    shown = f"[{host}]" if ":" in host else host
    return f"{shown}:{port}" if port else shown


def _broker(value: object) -> tuple[str, int]:
    """Read what :func:`with_port` writes, or an IPv6 address alone; 0 is the usual port."""
    if isinstance(value, tuple):
        return value
    with suppress(ValueError):
        text = str(value).strip()
        found = _BROKER.fullmatch(text)
        port = int(found["port"] or 0) if found else 0
        if isinstance(value, str) and port < 65_536:
            return machine((found["six"] or found["machine"]) if found else text), port
    raise ValueError('an address like "192.168.1.10", "hub.local:8883" or "[fd00::7]:8883"')


MOST_BROKERS = 8
HUB_NAME = "jackspot-hub.local"
"""The name by which an installed hub is found in its network, whatever its address is."""


def _brokers(value: object) -> tuple[tuple[str, int], ...]:
    """Read one address, or a list of them."""
    match value:
        case (str(), int()):
            return (_broker(value),)
        case list() | tuple() if 0 < len(value) <= MOST_BROKERS:
            return tuple(dict.fromkeys(_broker(each) for each in value))
        case list() | tuple():
            raise ValueError(f"an address, or a list of 1 to {MOST_BROKERS}")
    return (_broker(value),)


def _written(brokers: tuple[tuple[str, int], ...]) -> str | list[str]:
    texts = [with_port(*each) for each in brokers]
    return texts[0] if len(texts) == 1 else texts


Brokers = Annotated[
    tuple[tuple[str, int], ...],
    Form(_brokers, _written),
]
"""Where a broker is, by one address or by several, each with its port; 0 is the usual one."""

PEM = "-----BEGIN CERTIFICATE-----"
"""How a certificate in the file itself begins."""


def _certificate(value: object) -> str | Path:
    """Read a certificate as PEM, or the path of its file."""
    if isinstance(value, Path):
        return value
    if isinstance(value, str) and value.strip():
        text = value.strip()
        if not text.startswith("-----"):
            return Path(value)
        with suppress(OSError, ValueError, TypeError):  # SSLError; characters that are not allowed
            import ssl  # slow to import, and a board alone needs none

            ssl.create_default_context(cadata=text)
            return text + "\n"
    raise ValueError(f"a certificate as text from {PEM} to its END, or the path of its file")


Certificate = Annotated[
    str | Path,
    Form(_certificate, str),
]


class FestivalSection(Section, frozen=True):
    """``[festival]``: the hall that the board is played in."""

    hall: Annotated[str, Form(_hall)] = ""
    """The hall's name, as its topics have it; empty: the board stands alone."""
    number: Annotated[int | None, Form(Whole(1, MOST_BOARDS))] = None
    """The board's number in the hall; unset: it is set in the board's menu."""
    broker: Brokers = (("127.0.0.1", 0),)
    """Where the hall's broker is: an address, with its port where that is not the usual one, or a
    list of some by which boards reach it, tried in turn."""
    key: Text | None = None
    """The hall's key, from which each board's password is made; unset: no password."""
    ca: Certificate | None = None
    """The hall's own certificate, by which the broker's is checked, as text or the path of its
    file; unset: in the clear, which only a broker on this machine may be."""

    home_assistant: bool = False
    """Whether the board tells a Home Assistant that reads the same broker what it can show."""

    @property
    def addresses(self) -> tuple[tuple[str, int], ...]:
        """Where the broker is, the first address first, with the port of each."""
        usual = PORT if self.ca is None else TLS_PORT
        return tuple((host, port or usual) for host, port in self.broker)
