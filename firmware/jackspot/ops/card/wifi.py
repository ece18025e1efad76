"""A Wi-Fi network for a board, as a NetworkManager profile that its card brings along.

The password is stored as the key derived from it, as the Raspberry Pi Imager does too.

Source: nm-settings-keyfile(5); IEEE 802.11i, annex H.4, for the key.
"""

from __future__ import annotations

import hashlib
import re
import uuid

from msgspec import Struct

NAME = "jackspot-wifi"
_ROUNDS, _KEY_BYTES = 4096, 32
_PASSWORD = re.compile(r"[ -~]{8,63}")
_KEY = re.compile(r"[0-9a-fA-F]{64}")
_COUNTRY = re.compile(r"[A-Z]{2}")


class NoWifi(Exception):
    """A network that is not possible; says why."""


class Wifi(Struct, frozen=True):
    """A network to join; the country decides its radio's channels. No password: open."""

    network: str
    password: str
    country: str

    def profile(self) -> str:
        """Return it as a NetworkManager profile."""
        octets = self.network.encode()
        text = (
            f"# Made by `jackspot sd-card`.\n[connection]\nid={NAME}\n"
            f"uuid={uuid.uuid5(uuid.NAMESPACE_DNS, octets.hex() + '.jackspot')}\n"
            "type=wifi\nautoconnect=true\n\n"
            f"[wifi]\nmode=infrastructure\nssid={''.join(f'{each};' for each in octets)}\n\n"
        )
        if self.password:
            text += f"[wifi-security]\nkey-mgmt=wpa-psk\npsk={self._key(octets)}\n\n"
        return f"{text}[ipv4]\nmethod=auto\n\n[ipv6]\nmethod=auto\n"

    def _key(self, octets: bytes) -> str:
        if _KEY.fullmatch(self.password):
            return self.password.lower()
        password = self.password.encode()
        return hashlib.pbkdf2_hmac("sha1", password, octets, _ROUNDS, _KEY_BYTES).hex()


def checked_wifi(network: str, password: str, country: str) -> Wifi:
    """Return a network to join. Raises NoWifi if it is not possible."""
    size = len(network.encode())
    if not 1 <= size <= 32 or not network.isprintable():
        raise NoWifi(f"the network's name {network!r}: expected 1 to 32 bytes, found {size}")
    if password and not _PASSWORD.fullmatch(password) and not _KEY.fullmatch(password):
        raise NoWifi(
            "the network's password: expected 8 to 63 letters, digits and signs of ASCII, found "
            f"{len(password)} characters, or others; empty for an open network"
        )
    if not _COUNTRY.fullmatch(country):
        raise NoWifi(
            f"the country {country!r}: expected two capital letters, as DE, JP or GB; a Pi's Wi-Fi "
            "stays off without it: give it with --country"
        )
    return Wifi(network, password, country)
