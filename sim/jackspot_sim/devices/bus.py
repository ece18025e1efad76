"""The buses between the simulated board and its OLED, and the controller at their far end.

The firmware's real driver talks to these as to the system's buses; what it sends is decoded
back into the controller's memory, and the picture is read from there: what you see is what
went over the wire. Bytes and transactions are counted, and the time that they would take on
a real wire is computed, not waited for.

The controllers understand what luma.oled's drivers for the SSD1306 and the SH1106 send, and
refuse a command that the data sheet does not have (ValueError): a driver's mistake is found
here, not on the glass.
"""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from msgspec import Struct
from PIL import Image

from jackspot.displays.oled.bus import OledSerial
from jackspot.displays.oled.wire import OledChip
from jackspot_sim.devices.oled_controller import Controller

I2C_ADDRESS = 0x3C
_CONTROL_COMMAND = 0x00
_CONTROL_DATA = 0x40


class Traffic(Struct, frozen=True):
    """What has gone over a bus.

    ``transferred`` counts control bytes and payload, as a driver hands them over; ``bits``
    are clock periods on the wire: on I2C also the address, the acknowledge bits, start and
    stop.
    """

    transactions: int = 0
    transferred: int = 0
    bits: int = 0

    def __sub__(self, earlier: Traffic) -> Traffic:
        """Return what went over the bus since ``earlier``."""
        return Traffic(
            self.transactions - earlier.transactions,
            self.transferred - earlier.transferred,
            self.bits - earlier.bits,
        )

    def wire_time_ns(self, bit_rate_hz: int) -> int:
        """Compute how long this keeps a wire of that speed busy."""
        return self.bits * 1_000_000_000 // bit_rate_hz


class Bus(Protocol):
    """What the simulated table needs of either bus."""

    @property
    def traffic(self) -> Traffic:
        """All that has gone over it so far."""
        ...

    def serial(self) -> OledSerial:
        """Open it as luma opens the system's bus: the OLED's ``serial_factory``."""
        ...

    def picture(self) -> Image.Image:
        """Return what can be seen on the glass now: 128x64, mode ``1``."""
        ...

    def unplug(self) -> None:
        """Pull the display's plug."""
        ...

    def plug(self) -> None:
        """Put it back in: a display that has forgotten everything."""
        ...


class _Line:
    """One display on one bus: its controller, its plug and its traffic."""

    def __init__(self, chip: OledChip, seed: int) -> None:
        self._chip = OledChip(chip)
        self._chance = random.Random(seed)
        self._controller: Controller | None = Controller(self._chip, self._chance)
        self._traffic = Traffic()
        self._watchers: list[Callable[[], None]] = []

    @property
    def traffic(self) -> Traffic:
        """All that has gone over the bus so far."""
        return self._traffic

    @property
    def controller(self) -> Controller | None:
        """The controller that is plugged in, None without one."""
        return self._controller

    def picture(self) -> Image.Image:
        """Return what can be seen on the glass now; black while it is unplugged."""
        controller = self._controller  # another thread may pull the plug
        return Image.new("1", (128, 64)) if controller is None else controller.picture()

    def unplug(self) -> None:
        """Pull the plug; the glass goes dark and the controller forgets everything."""
        self._controller = None
        self._tell()

    def plug(self) -> None:
        """Plug in a display with power-on registers and garbage in its memory."""
        if self._controller is None:
            self._controller = Controller(self._chip, self._chance)
        self._tell()

    def watch(self, watcher: Callable[[], None]) -> None:
        """Call ``watcher`` after each transaction, on the thread that sends it."""
        self._watchers.append(watcher)

    def _count(self, transferred: int, bits: int) -> None:
        now = self._traffic
        self._traffic = Traffic(
            now.transactions + 1, now.transferred + transferred, now.bits + bits
        )

    def _take(
        self, controller: Controller | None, payload: Iterable[int], *, is_data: bool
    ) -> None:
        if controller is not None:
            if is_data:
                controller.data(payload)
            else:
                controller.commands(payload)
        self._tell()

    def _tell(self) -> None:
        for watcher in self._watchers:
            watcher()


class FakeI2C(_Line):
    """A bus object with the methods of ``smbus2.SMBus`` that luma uses, and one display.

    Unplugged, every write raises OSError (EREMOTEIO), as the kernel does when nobody
    acknowledges the address. ``serial()`` takes luma's path for the system's bus, where a
    block of data is one message (``luma.core.interface.serial.i2c(bus=...)`` would cut it
    into blocks of 32 bytes).
    """

    def __init__(
        self, chip: OledChip = OledChip.SSD1306, address: int = I2C_ADDRESS, seed: int = 0
    ) -> None:
        super().__init__(chip, seed)
        self._address = address

    def serial(self) -> OledSerial:
        """Open the bus as luma opens ``/dev/i2c-1``."""
        from luma.core.interface.serial import i2c

        serial = i2c(bus=self, address=self._address)
        # What luma sets when it has opened the system's bus itself; a message is its two parts.
        vars(serial).update(_managed=True, _i2c_msg_write=_message_of)
        opened: OledSerial = serial
        return opened

    def write_i2c_block_data(
        self, i2c_addr: int, register: int, data: Sequence[int], force: bool | None = None
    ) -> None:
        """Write a block as one message: address, ``register``, ``data``."""
        del force
        if len(data) > 32:
            raise ValueError(f"an SMBus block holds 32 bytes, not {len(data)}")
        self._message(i2c_addr, bytes([register, *data]))

    def i2c_rdwr(self, *messages: tuple[int, bytes]) -> None:
        """Write messages: an address and what goes there."""
        for address, payload in messages:
            self._message(address, payload)

    def close(self) -> None:
        """Close the bus; a fake one stays usable."""

    def _message(self, address: int, payload: bytes) -> None:
        # Start, nine bits for the address and for each byte, stop. A message that is not
        # acknowledged ends after its address.
        controller = self._controller
        if address != self._address or controller is None:
            self._count(0, 11)
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        self._count(len(payload), 2 + 9 * (1 + len(payload)))
        control, body = payload[0], payload[1:]
        if control not in {_CONTROL_COMMAND, _CONTROL_DATA}:
            raise ValueError(f"control byte 0x{control:02X}: expected 0x00 or 0x40")
        self._take(controller, body, is_data=control == _CONTROL_DATA)


def _message_of(address: int, block: Sequence[int]) -> tuple[int, bytes]:
    """Stand in for ``smbus2.i2c_msg.write``, whose buffers only the system's bus needs."""
    return address, bytes(block)


class FakeSpi(_Line):
    """An SPI bus with a data/command and a reset wire, and one display.

    SPI has no acknowledge: what is sent to an unplugged display is silently lost, as on a
    real one. ``remove_bus`` takes the bus itself away (SPI switched off in the
    system), which raises on opening.
    """

    DC = 24
    RST = 25

    def __init__(self, chip: OledChip = OledChip.SSD1306, seed: int = 0) -> None:
        super().__init__(chip, seed)
        self._levels: dict[int, int] = {}
        self._has_bus = True

    def remove_bus(self) -> None:
        """Switch SPI off in the system: opening fails from now on."""
        self._has_bus = False

    def serial(self) -> OledSerial:
        """Open the bus as luma opens ``/dev/spidev0.0``."""
        from luma.core.interface.serial import spi

        opened: OledSerial = spi(
            spi=_SpiDev(self), gpio=_Lines(self), gpio_DC=self.DC, gpio_RST=self.RST
        )
        return opened

    def opened(self) -> None:
        """Raise what ``spidev`` raises where there is no bus."""
        if not self._has_bus:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "/dev/spidev0.0")

    def drive(self, pin: int, level: int) -> None:
        """Set the level of one of the two further wires."""
        was, controller = self._levels.get(pin), self._controller
        self._levels[pin] = level
        if pin == self.RST and was == 0 and level == 1 and controller is not None:
            controller.reset()
            self._tell()

    def write(self, payload: Sequence[int]) -> None:
        """Clock bytes out, eight bits each."""
        self._count(len(payload), 8 * len(payload))
        self._take(self._controller, payload, is_data=self._levels.get(self.DC, 0) == 1)


class _SpiDev:
    """``spidev.SpiDev`` as luma uses it."""

    def __init__(self, bus: FakeSpi) -> None:
        self._bus = bus
        self.max_speed_hz = 0
        self.mode = 0

    def open(self, bus: int, device: int) -> None:
        del bus, device
        self._bus.opened()

    def writebytes(self, payload: Sequence[int]) -> None:
        if len(payload) > 4096:
            raise OverflowError(f"spidev takes 4096 bytes at once, not {len(payload)}")
        self._bus.write(payload)

    def close(self) -> None:
        pass


class _Lines:
    """``RPi.GPIO`` as luma uses it, for the two further wires."""

    LOW = 0
    HIGH = 1
    OUT = 0

    def __init__(self, bus: FakeSpi) -> None:
        self._bus = bus

    def setup(self, pin: int, direction: int) -> None:
        del pin, direction

    def output(self, pin: int, level: int) -> None:
        self._bus.drive(pin, level)

    def cleanup(self, pins: Sequence[int] | None = None) -> None:
        del pins
