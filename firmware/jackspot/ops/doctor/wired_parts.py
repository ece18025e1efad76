"""Checks of everything wired except the pins: buses, displays, the journal."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from jackspot.config.model import Config
from jackspot.dialogue.state.entries import EntryKind
from jackspot.displays.oled.kind import OledDriver, OledInterface, OledSection
from jackspot.displays.signs.kind import SignKind, SignSection
from jackspot.files import is_there
from jackspot.ops.doctor.findings import Finding, broken, doubtful, well
from jackspot.ops.doctor.machine import Machine
from jackspot.ops.ownership import RUN_AS
from jackspot.storage.errors import JournalDamaged, JournalError
from jackspot.storage.journal import read_checked

FASTEST_I2C_HZ = 400_000
"""The fastest that an SSD1306 is specified for (its data sheet, table 13-6)."""

REFERENCE_I2C_PORT = 1
"""The bus on pins 3 and 5 of the header."""

OLED_ADDRESSES = (0x3C, 0x3D)
"""The two addresses that the modules can be set to."""

OWN_NAME = "jackspot"
"""The kernel's name for a running board, which may hold the sign."""

LITTLE_ROOM_BYTES = 200 * 1024 * 1024


def _no_right(what: str, device: str, group: str, machine: Machine) -> Finding:
    remedy = f"sudo usermod -aG {group} {shlex.quote(machine.user())}, then log in again"
    if group in machine.groups():
        remedy = f"see who owns it: ls -l {device}"
    return broken(what, f"{device} may not be used by {machine.user()}", remedy)


def check_oled(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check the OLED's bus."""
    if config.of(OledSection).driver is OledDriver.NONE:
        return
    if config.of(OledSection).interface is OledInterface.SPI:
        yield from _spi(machine, config)
        return
    port = _i2c_port(config)
    bus = f"/dev/i2c-{port}"
    if not machine.matching(bus):
        yield broken("I2C", f"there is no {bus}", "sudo raspi-config nonint do_i2c 0, then reboot")
        return
    if not machine.may_use(bus):
        yield _no_right("I2C", bus, "i2c", machine)
        return
    speed = machine.data(f"/sys/class/i2c-adapter/i2c-{port}/of_node/clock-frequency")
    yield _i2c_speed(bus, int.from_bytes(speed, "big") if speed else None)
    yield _who_answers(machine, config)


def _i2c_port(config: Config) -> int:
    """Return the number of the bus that the OLED is on."""
    port = config.of(OledSection).port
    return REFERENCE_I2C_PORT if port is None else port


def _who_answers(machine: Machine, config: Config) -> Finding:
    """Look for the OLED, and for one at the other address that modules come with."""
    port, address = _i2c_port(config), config.of(OledSection).address
    what = f"{config.of(OledSection).driver} at 0x{address:02x}"
    answers = machine.answers_i2c(port, address)
    if answers is None:
        return doubtful("OLED", "the bus cannot be asked", f"see: i2cdetect -y {port}")
    if answers:
        return well("OLED", f"{what} answers")
    for other in OLED_ADDRESSES:
        if other != address and machine.answers_i2c(port, other):
            return broken(
                "OLED",
                f"nothing answers at 0x{address:02x}, but at 0x{other:02x}",
                f"set [oled] address = 0x{other:02x} in the config",
            )
    return broken(
        "OLED",
        f"nothing answers at 0x{address:02x}",
        "see its four wires: GND, VCC to 3.3 V, SCL to GPIO 3, SDA to GPIO 2",
    )


def _i2c_speed(bus: str, speed_hz: int | None) -> Finding:
    line = "dtparam=i2c_arm=on,i2c_arm_baudrate=400000"
    if speed_hz is None:
        return well("I2C", f"{bus}, speed unknown")
    if speed_hz > FASTEST_I2C_HZ:
        return doubtful(
            "I2C",
            f"{bus} at {speed_hz // 1000} kHz: faster than the OLED is made for",
            f"in /boot/firmware/config.txt: {line}",
        )
    if speed_hz < FASTEST_I2C_HZ:
        return doubtful(
            "I2C",
            f"{bus} at {speed_hz // 1000} kHz: a whole picture takes four times as long",
            f"in /boot/firmware/config.txt: {line}",
        )
    return well("I2C", f"{bus} at 400 kHz")


def _spi(machine: Machine, config: Config) -> Iterator[Finding]:
    device = f"/dev/spidev{config.of(OledSection).port}.{config.spi_device}"
    if not machine.matching(device):
        yield broken("SPI", f"there is no {device}", "sudo raspi-config nonint do_spi 0, reboot")
    elif not machine.may_use(device):
        yield _no_right("SPI", device, "spi", machine)
    else:
        yield well("SPI", device)


def check_sign(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check the sign's port."""
    sign = config.of(SignSection)
    if sign.kind is not SignKind.NONE:
        garbles = "two that write garble the sign"
        yield look_at_port("sign", "sign", str(sign.port), f"{sign.kind}", garbles, machine)


def look_at_port(
    what: str, table: str, port: str, kind: str, garbles: str, machine: Machine
) -> Finding:
    """Check a serial port; ``garbles`` says what a second program on it does."""
    if "://" in port:
        return well(what, f"{kind} at {port}")
    if not machine.matching(port):
        ports = machine.matching("/dev/serial/by-id/*")
        remedy = f"plug it in, or set [{table}] port to one of {', '.join(ports) or 'none here'}"
        return broken(what, f"there is no {port}", remedy)
    if not machine.may_use(port):
        return _no_right(what, port, "dialout", machine)
    if other := [each for each in machine.holders(port).known if each.name != OWN_NAME]:
        return doubtful(
            what,
            f"{port} is in use by {', '.join(map(str, other))}",
            f"stop that program, if it is not the board; {garbles}",
        )
    if not port.startswith("/dev/serial/by-id/"):
        return doubtful(
            what,
            f"{port} may be another adapter after the next start",
            f"name it by /dev/serial/by-id/ in [{table}] port",
        )
    return well(what, f"{kind} at {port}")


def check_room(machine: Machine, path: Path) -> Iterator[Finding]:
    """Check the room for the journal."""
    room = machine.free_bytes(str(path))
    if room is not None and room < LITTLE_ROOM_BYTES:
        yield doubtful(
            "disk", f"{room // 1024 // 1024} MiB left at {path.parent}", "make room on it"
        )
    elif room is not None:
        yield well("disk", f"{room / 1024**3:.1f} GiB left at {path.parent}")


def check_journal(machine: Machine, path: Path) -> Iterator[Finding]:
    """Check the journal and the room for it."""
    yield from check_room(machine, path)
    if not is_there(path):
        yield well("journal", f"none yet at {path}; the first match makes it")
        return
    try:
        entries = read_checked(path, None)
    except JournalDamaged as damage:
        yield broken(
            "journal",
            f"{path} is damaged after {len(damage.good)} entries",
            "start the board: it sets the file aside and goes on with what is good",
        )
    except JournalError as error:
        yield broken("journal", f"{path}: {error.short}", RUN_AS)
    else:
        yield well("journal", f"{path}: {len(entries):,} entries, each one checked")
        failed = [entry for entry in entries if entry.kind == EntryKind.FAILED]
        if failed:
            last = str(failed[-1].body["trace"]).strip().splitlines()[-1:]
            yield doubtful(
                "program",
                f"failed {len(failed)} times, changed nothing and played on; last: {last[0]}",
                "send the bundle of `jackspot support-bundle`: entry 'failed' says where",
            )
