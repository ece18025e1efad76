"""Checks of what reaches the pins: the library and its duplicates, the chip, permissions, lines.

A running board holds its lines itself, and lgpio names every user of it ``lg``: such lines are as
they should be. Every other holder is named.
"""

from __future__ import annotations

from collections.abc import Iterator

from jackspot.config.model import Config
from jackspot.config.pins import free_gpios
from jackspot.inputs.factory import GpioFactory
from jackspot.inputs.pins import Wire
from jackspot.inputs.remedies import (
    RPI_LGPIO,
    Here,
    both_installed,
    files_gone,
    install_lgpio,
    install_rpi_gpio,
    rights,
)
from jackspot.ops.doctor.findings import Finding, broken, doubtful, well
from jackspot.ops.doctor.machine import Machine

OURS = ("lg", "jackspot", "")
"""How a running board's lines are held. A line of RPi.GPIO is held by nobody."""

_MODULES = {GpioFactory.LGPIO: "lgpio", GpioFactory.RPIGPIO: "RPi"}
_CHOOSE_LGPIO = 'set [gpio] factory = "lgpio"'


def check_pins(machine: Machine, config: Config) -> Iterator[Finding]:
    """Check the pin library, its duplicates, the right to use the pins, and who holds them."""
    kind, at = config.gpio.factory, machine.here()
    yield from _library(machine, kind, at)
    if doubles := both_installed(at):
        yield broken("pin library", "RPi.GPIO and rpi-lgpio are both installed", doubles)
    if kind is GpioFactory.MOCK:
        yield doubtful("pins", "simulated: no wire is read", _CHOOSE_LGPIO)
        return
    yield from _stamps(kind)
    if kind is GpioFactory.RPIGPIO and at.packages != {RPI_LGPIO}:
        yield from _memory(machine)
    else:
        yield from _chip(machine, config, at)


def _library(machine: Machine, kind: GpioFactory, at: Here) -> Iterator[Finding]:
    module = _MODULES.get(kind)
    if module is not None and not machine.has_module(module):
        remedy = install_lgpio(at) if kind is GpioFactory.LGPIO else install_rpi_gpio(at)
        gone = files_gone(at) if kind is GpioFactory.RPIGPIO else ""
        yield broken("pin library", f"the Python module {module} is not there", gone or remedy)
        return
    said = [f"gpiozero {machine.package('gpiozero')}"]
    said += [f"{name} {number}" for name in ("lgpio", *sorted(at.packages))
             if (number := machine.package(name))]  # fmt: skip
    old = kind is GpioFactory.NATIVE or (
        kind is GpioFactory.RPIGPIO and RPI_LGPIO not in at.packages
    )
    if old and at.is_pi_5:
        yield broken("pin library", f"{kind} cannot reach a {at.model}", _CHOOSE_LGPIO)
    else:
        yield well("pin library", f"{kind} ({', '.join(said)})")


def _stamps(kind: GpioFactory) -> Iterator[Finding]:
    if kind is GpioFactory.LGPIO:
        yield well("time stamps", "by the kernel, in the pin's interrupt; lost edges are noticed")
    else:
        yield doubtful(
            "time stamps",
            f"{kind} stamps on arrival: a busy machine makes widths wrong and loses edges unseen",
            _CHOOSE_LGPIO,
        )


def _memory(machine: Machine) -> Iterator[Finding]:
    """Check the device through which RPi.GPIO writes the chip's registers."""
    device = "/dev/gpiomem"
    if not machine.matching(device):
        yield broken("pins", f"there is no {device}", f"{_CHOOSE_LGPIO}, or use a Pi 4 or older")
    elif not machine.may_use(device):
        yield broken(
            "pins",
            f"{device} may not be used by {machine.user()}",
            rights(device, machine.owner(device) or "gpio", machine.here()),
        )
    else:
        yield well("pins", device)


def _chip(machine: Machine, config: Config, at: Here) -> Iterator[Finding]:
    chips = machine.matching("/dev/gpiochip*")
    if not chips:
        yield broken("pins", "there is no /dev/gpiochip*", "run this on a Raspberry Pi")
        return
    chip = _used_chip(config, chips, at)
    if chip not in chips:
        numbers = ", ".join(each.removeprefix("/dev/gpiochip") for each in chips)
        yield broken("pins", f"there is no {chip}", f"set [gpio] chip to one of {numbers}")
    elif not machine.may_use(chip):
        yield broken(
            "pins",
            f"{chip} may not be used by {machine.user()}",
            rights(chip, machine.owner(chip) or "gpio", at),
        )
    else:
        yield well("pins", chip)
        yield from _held(machine, config, chip)


def _used_chip(config: Config, chips: list[str], at: Here) -> str:
    """Return the chip that gpiozero takes: on a Pi 5 with an older kernel it is the fifth."""
    if config.gpio.chip is not None:
        return f"/dev/gpiochip{config.gpio.chip}"
    fifth = "/dev/gpiochip4"
    return fifth if at.is_pi_5 and fifth in chips else "/dev/gpiochip0"


def _held(machine: Machine, config: Config, chip: str) -> Iterator[Finding]:
    """Look for lines that somebody else holds."""
    held: list[tuple[Wire, str]] = []
    for wire in config.wires:
        line = machine.line(chip, wire.gpio)
        if line is not None and line.used and line.consumer not in OURS:
            held.append((wire, line.consumer))
    free = ", ".join(str(gpio) for gpio in free_gpios(config.pins, config.wires)) or "none"
    for wire, consumer in held:
        yield broken(
            wire.name,
            f'GPIO {wire.gpio} is held by "{consumer}"',
            f"stop that program or overlay, or move the wire: [pins] {wire.name} = "
            f"another GPIO (free: {free})",
        )
