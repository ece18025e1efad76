"""Checks of what answers on the I2C bus, which kind of OLED it is, and which serial ports exist.

They only read. The kind of an OLED is guessed from the low half of its status byte. That is a rule
of thumb: the chips have no register that names them, and nobody promises what these bits are. So it
is reported as a doubt, beside what a picture drawn for the wrong kind looks like.
"""

from __future__ import annotations

from collections.abc import Iterator

from jackspot.config.model import Config
from jackspot.displays.oled.kind import OledDriver, OledInterface, OledSection
from jackspot.displays.signs.kind import SignSection
from jackspot.ops.doctor.findings import Finding, doubtful, well
from jackspot.ops.doctor.holders import Holders
from jackspot.ops.doctor.machine import Machine

ADDRESSES = range(0x08, 0x78)
"""Addresses that a device on the bus may have; the rest are reserved."""

_KINDS = {0x3: "ssd1306", 0x6: "ssd1306", 0x8: "sh1106"}
"""The guess: which kind each low half of the status byte stands for. Others are not guessed."""

_GUESSED = (OledDriver.SSD1306, OledDriver.SH1106)


def check_i2c(machine: Machine, config: Config) -> Iterator[Finding]:
    """Report what answers on the OLED's bus, and whether the OLED looks like its set kind."""
    oled = config.of(OledSection)
    if oled.driver is OledDriver.NONE or oled.interface is OledInterface.SPI:
        return
    port = 1 if oled.port is None else oled.port
    bus = f"/dev/i2c-{port}"
    if not machine.matching(bus) or not machine.may_use(bus):
        return
    found = [address for address in ADDRESSES if machine.answers_i2c(port, address)]
    names = ", ".join(f"0x{address:02x}" for address in found)
    yield well("I2C", f"on {bus} answers: {names or 'nothing'}")
    if oled.address not in found or oled.driver not in _GUESSED:
        return
    status = machine.i2c_status(port, oled.address)
    looks = None if status is None else _KINDS.get(status & 0x0F)
    if looks is not None and looks != oled.driver:
        yield doubtful(
            "OLED",
            f"set to {oled.driver}, but it looks like a {looks}",
            f'if its picture is torn or shifted by two dots, set [oled] driver = "{looks}"',
        )


def check_serial(machine: Machine, config: Config) -> Iterator[Finding]:
    """Report which serial adapters there are, who owns them, and which programs use them."""
    ports = machine.matching("/dev/serial/by-id/*")
    if not ports:
        return
    held = {port: machine.holders(port) for port in ports}
    owners = {config.of(SignSection).port: "sign", config.sensor_hub.port: "sensor hub"}
    told = [_told(port, held[port], owners.get(port)) for port in ports]
    unseen = any(not each.known and not each.all_seen for each in held.values())
    without = "; which programs use them is not seen in full without sudo" if unseen else ""
    yield well("serial ports", ", ".join(told) + without)


def _told(port: str, holders: Holders, owner: str | None) -> str:
    """Name a port, and in brackets what is known of it."""
    known = [f"the {owner}'s"] if owner else []
    if holders.known:
        known.append(f"in use by {', '.join(map(str, holders.known))}")
    return f"{port} ({', '.join(known)})" if known else port
