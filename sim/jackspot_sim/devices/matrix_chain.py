"""A chain of MAX7219 chips with 8x8 modules: words on SPI in, lit dots out.

Written from the data sheet (MAX7219/MAX7221, 19-4452 rev. 4): sixteen bits a chip, shifted
through the chain, taken over by all chips when the select line rises. It knows nothing of the
firmware; it may not know how the modules are mounted.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from PIL import Image

_DECODE, _INTENSITY, _SCAN_LIMIT, _SHUTDOWN, _TEST = 0x09, 0x0A, 0x0B, 0x0C, 0x0F


@dataclass
class MatrixChip:
    """One chip's registers, as they are after power-on: shut down, one digit scanned."""

    digits: list[int] = field(default_factory=lambda: [0] * 8)
    decode: int = 0
    intensity: int = 0
    scan_limit: int = 0
    running: bool = False
    test: bool = False

    def take(self, register: int, value: int) -> None:
        """Take a word over."""
        register &= 0x0F
        if 1 <= register <= 8:
            self.digits[register - 1] = value
        elif register == _DECODE:
            self.decode = value
        elif register == _INTENSITY:
            self.intensity = value & 0x0F
        elif register == _SCAN_LIMIT:
            self.scan_limit = value & 7
        elif register == _SHUTDOWN:
            self.running = bool(value & 1)
        elif register == _TEST:
            self.test = bool(value & 1)

    def picture(self) -> Image.Image:
        """Return the module's dots: digit by digit from the left, the lowest bit on top."""
        image = Image.new("1", (8, 8), 255 if self.test else 0)
        if self.test or not self.running:
            return image
        for x, dots in enumerate(self.digits[: self.scan_limit + 1]):
            for y in range(8):
                if not self.decode and dots >> y & 1:
                    image.putpixel((x, y), 255)
        return image


class MatrixChain:
    """Chips in a chain on an SPI bus. Chip 0 is the one that the wire goes into first."""

    def __init__(self, modules: int) -> None:
        self._modules = modules
        self._shift: list[tuple[int, int]] = []
        self._has_bus = True
        self.writes = 0
        self.chips: list[MatrixChip] = []
        self.power_on()

    def power_on(self) -> None:
        """Lose all registers, as a chain that was unplugged for a moment does."""
        self.chips = [MatrixChip() for _module in range(self._modules)]
        self._shift = [(0, 0)] * self._modules

    def remove_bus(self) -> None:
        """Remove the bus: from now on, sending is an error, and so is opening."""
        self._has_bus = False

    def give_bus(self) -> None:
        """Put the bus back; the chain has been without power."""
        self._has_bus = True
        self.power_on()

    def serial(self) -> Any:
        """Open it as luma opens ``/dev/spidev0.0``."""
        from luma.core.interface.serial import noop, spi

        return spi(spi=_SpiDev(self), gpio=noop(), gpio_DC=None, gpio_RST=None)

    def check(self) -> None:
        """Raise what ``spidev`` raises where there is no bus."""
        if not self._has_bus:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "/dev/spidev0.0")

    def frame(self, payload: Sequence[int]) -> None:
        """Shift bytes through while the select line is low, then let all chips take over."""
        self.check()
        if len(payload) % 2:
            raise ValueError(f"{len(payload)} bytes are no whole words of sixteen bits")
        self.writes += 1
        for at in range(0, len(payload), 2):
            self._shift = [(payload[at], payload[at + 1]), *self._shift[:-1]]
        for chip, (register, value) in zip(self.chips, self._shift, strict=True):
            chip.take(register, value)

    def pictures(self) -> list[Image.Image]:
        """Return each module's dots, in the order of the chain."""
        return [chip.picture() for chip in self.chips]


class _SpiDev:
    """``spidev.SpiDev`` as luma uses it."""

    def __init__(self, chain: MatrixChain) -> None:
        self._chain = chain
        self.max_speed_hz = 0
        self.mode = 0

    def open(self, bus: int, device: int) -> None:
        del bus, device
        self._chain.check()

    def writebytes(self, payload: Sequence[int]) -> None:
        self._chain.frame(payload)

    def close(self) -> None:
        pass
