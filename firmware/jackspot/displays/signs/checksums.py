"""The checksums that serial displays require: bytes in, a number of one or two bytes out.

Pure. Each has the name that its protocol's page gives it. The parameters of a CRC (polynomial,
start, reflection, final exclusive or) follow Williams, "A Painless Guide to CRC Error Detection
Algorithms", and each is tested by its known value for the nine bytes ``123456789``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from operator import xor
from types import MappingProxyType

from msgspec import Struct


class Checksum(Struct, frozen=True):
    """One kind: its name, how many bytes it has, and how it is computed."""

    name: str
    size: int
    compute: Callable[[bytes], int]


class Crc(Struct, frozen=True):
    """A cyclic redundancy check of ``size`` bytes; ``reflected``: lowest bit first."""

    size: int
    polynomial: int
    start: int = 0
    reflected: bool = False
    turned: int = 0
    """The final exclusive or."""

    def __call__(self, data: bytes) -> int:
        """Compute it."""
        step = self._low_first if self.reflected else self._high_first
        return reduce(step, data, self.start) ^ self.turned

    def _high_first(self, value: int, byte: int) -> int:
        bits = 8 * self.size
        value ^= byte << (bits - 8)
        for _bit in range(8):
            carry = value >> (bits - 1)
            value = (value << 1) & ((1 << bits) - 1)
            value ^= self.polynomial if carry else 0
        return value

    def _low_first(self, value: int, byte: int) -> int:
        value ^= byte
        polynomial = int(f"{self.polynomial:0{8 * self.size}b}"[::-1], 2)
        for _bit in range(8):
            value = value >> 1 ^ (polynomial if value & 1 else 0)
        return value


_KINDS = (
    Checksum("sum8", 1, lambda data: sum(data) & 0xFF),
    Checksum("sum16", 2, lambda data: sum(data) & 0xFFFF),
    Checksum("lrc", 1, lambda data: -sum(data) & 0xFF),
    Checksum("xor", 1, lambda data: reduce(xor, data, 0)),
    Checksum("crc8", 1, Crc(1, 0x07)),
    Checksum("crc8-maxim", 1, Crc(1, 0x31, reflected=True)),
    Checksum("crc16-arc", 2, Crc(2, 0x8005, reflected=True)),
    Checksum("crc16-modbus", 2, Crc(2, 0x8005, 0xFFFF, reflected=True)),
    Checksum("crc16-ccitt", 2, Crc(2, 0x1021, 0xFFFF)),
    Checksum("crc16-xmodem", 2, Crc(2, 0x1021)),
    Checksum("crc16-kermit", 2, Crc(2, 0x1021, reflected=True)),
    Checksum("crc16-x25", 2, Crc(2, 0x1021, 0xFFFF, reflected=True, turned=0xFFFF)),
)

CHECKSUMS: Mapping[str, Checksum] = MappingProxyType({kind.name: kind for kind in _KINDS})
"""Every kind by its name; ``lrc`` is the sum's two's complement, ``xor`` the exclusive or."""
