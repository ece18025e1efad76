"""Which addresses are this machine's own, and where others reach its pages."""

from __future__ import annotations

import ipaddress
import socket
from functools import lru_cache

PAGES = {
    "score": "",
    "kiosk": "?kiosk",
    "overlay": "overlay",
    "referee": "referee",
    "matches": "matches",
}
"""The board's pages, and their paths under its address."""
LOOPBACK_NAMES = frozenset({"127.0.0.1", "localhost", "::1"})
"""The names under which a machine reaches itself."""


def is_loopback(address: str) -> bool:
    """Return whether only this machine itself can reach what listens on an address."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return address.lower() == "localhost"


@lru_cache(maxsize=1024)
def household(address: str) -> str:
    """Return what counts as one client: an address, or for IPv6 the network of one machine.

    An IPv4 address in IPv6 notation counts as the IPv4 address.
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), 64), strict=False))


def is_every_address(address: str) -> bool:
    """Return whether this means every address of the machine."""
    try:
        return ipaddress.ip_address(address).is_unspecified
    except ValueError:
        return False


def page_url(address: str, port: int, path: str = "") -> str:
    """Return the current address to open on another machine.

    If the board listens on every address, it is the one it would use to reach the network; without
    any network, its name in ``.local``.
    """
    host = _own_address() if is_every_address(address) else address
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}{'' if port == 80 else f':{port}'}/{path}"


def _own_address() -> str:
    """Return the address that the kernel would use; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))  # an address reserved for documentation
            return str(asking.getsockname()[0])
        except OSError:
            return f"{socket.gethostname().partition('.')[0]}.local"


def is_ours(name: str) -> bool:
    """Return whether a name resolves to this machine itself; nothing is sent to it."""
    try:
        found = socket.getaddrinfo(name, 0, socket.AF_INET, socket.SOCK_DGRAM)
        for *_, where in found:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as tried:
                tried.bind(where)
    except OSError:
        return False
    return bool(found)
