"""Jackspot on a guest: its wires, its displays and its state, as a person at it sees them.

The board is as it was installed and runs under its own unit. It is touched only from outside:
pulses on the lines of the GPIO chip, plugs, its config file, the service manager.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from PIL import Image

from jackspot.inputs.pins import FULL_I2C
from jackspot_sim.devices.sign_decoders import AlphaDecoder
from tests.kernel.hub import TalkingHub
from tests.kernel.qemu import PATIENCE_S, Machine, MachineError, wait_until

MS = 1_000_000
SECOND = 1_000_000_000
OLED = "/sys/kernel/debug/oled"
SIGN = "sign"
SIGN_PORT = "/dev/serial/by-id/usb-QEMU_QEMU_USB_SERIAL_SIGN-if00-port0"
SIGN_CONFIG = f'[sign]\nkind = "alpha"\nport = "{SIGN_PORT}"\n'
HUB = "hub"
HUB_PORT = "/dev/serial/by-id/usb-QEMU_QEMU_USB_SERIAL_HUB-if00-port0"
HUB_CONFIG = f'[sensor_hub]\nport = "{HUB_PORT}"\n'
RESTING, ACTIVE = 1, 0
"""The levels of a wire: beams and buttons pull it low against its pull-up."""

JOURNAL = "/var/lib/jackspot/journal.sqlite3"

Step = tuple[int, int, int]
"""What the guest's driver takes: nanoseconds since the step before, GPIO, level."""


class Driven(Struct, frozen=True):
    """A level that was put on a wire, and when (guest's monotonic)."""

    at_ns: int
    gpio: int
    level: int


class Transfer(Struct, frozen=True):
    """Bytes that crossed the OLED's bus, and when the last of them had (guest's monotonic)."""

    ended_ns: int
    size: int


class Board:
    """The board on a machine; nothing runs until :meth:`start`."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.config = ""
        self.started_ns = 0
        """When it was told to start, by the guest's monotonic clock."""
        self.driven: list[Driven] = []
        """What has been put on its wires since then."""
        self.journal_then: tuple[str, ...] = ()
        """What its journal held when it was started, as ``jackspot dump`` prints it."""
        self._sign_out: Path | None = None
        self._hub: TalkingHub | None = None
        self._hubs = 0

    # --- running it -------------------------------------------------------------------

    def start(self, config: str = "") -> None:
        """Start it with a config in place of the example, and wait until it can be played on."""
        self.machine.write("/etc/jackspot/jackspot.toml", config)
        self.config = config
        self._start()

    def _start(self) -> None:
        self.begins_anew()
        try:
            self.machine.run("systemctl", "restart", "jackspot", timeout_s=300)
        except MachineError as error:
            raise MachineError(f"{error}\nthe board's log:\n{self.log()}") from error
        self.wait_for("the board to answer", bool)

    def restart(self) -> None:
        """Stop it, start it with the config it had, and wait until it can be played on."""
        self.stop()
        self._start()

    def begins_anew(self) -> None:
        """Note that it starts again, from what its journal holds, with nothing on its wires."""
        there = self.machine.run("test", "-e", JOURNAL, check=False).status == 0
        self.journal_then = tuple(self.jackspot("dump").splitlines()) if there else ()
        self.started_ns = round(float(self.machine.read("/proc/uptime").split()[0]) * SECOND)
        self.driven.clear()

    def stop(self) -> None:
        """Stop it."""
        self.machine.run("systemctl", "stop", "jackspot", timeout_s=120)

    def log(self) -> str:
        """Return what it has logged since the guest started."""
        return self.machine.run("journalctl -b -u jackspot --no-pager -o short-monotonic").text

    def jackspot(self, *words: str) -> str:
        """Return what one of its commands prints when the board's user types it."""
        return self.machine.run(
            "setpriv", "--reuid=jackspot", "--regid=jackspot", "--init-groups",
            "jackspot", *words, timeout_s=300,
        ).text  # fmt: skip

    def dump(self) -> list[dict[str, Any]]:
        """Return the journal's entries."""
        return [json.loads(line) for line in self.jackspot("dump").splitlines()]

    # --- what it says -----------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return the live state, or nothing while the board does not answer."""
        asked = self.machine.run(
            "exec 3<>/dev/tcp/127.0.0.1/8080 && "
            r"printf 'GET /api/state HTTP/1.0\r\nHost: 127.0.0.1:8080\r\n\r\n' >&3 && cat <&3",
            check=False,
        )
        head, _, body = asked.out.partition(b"\r\n\r\n")
        state: dict[str, Any] = json.loads(body) if head.split(b" ")[1:2] == [b"200"] else {}
        return state

    def wait_for(
        self, what: str, holds: Callable[[dict[str, Any]], bool], patience_s: float = PATIENCE_S
    ) -> dict[str, Any]:
        """Wait until something is true of the live state; return that state."""

        def look() -> dict[str, Any]:
            state = self.state()
            return state if state and holds(state) else {}

        return wait_until(
            f"{what} (phase and faults: see the log)", look, patience_s=patience_s, every_s=0.5
        )

    def wait_for_phase(self, phase: str) -> dict[str, Any]:
        """Wait for a phase."""
        return self.wait_for(f"phase {phase}", lambda state: state["phase"] == phase)

    def wait_for_faults(self, *parts: str) -> dict[str, Any]:
        """Wait until these parts have faults, and no others."""
        return self.wait_for(
            f"faults of {parts or 'nothing'}",
            lambda state: {fault["part"] for fault in state["faults"]} == set(parts),
        )

    # --- its wires --------------------------------------------------------------------

    def drive(self, steps: Sequence[Step]) -> list[int]:
        """Take steps on the lines; return the guest's monotonic ns of each."""
        seconds = sum(wait_ns for wait_ns, _gpio, _level in steps) / SECOND
        ended = self.machine.run(  # whatever else runs in the guest, nothing on its wires is late
            "chrt", "--fifo", "1", "python3", "-I", "-S", "/usr/local/lib/test/drive.py",
            given=json.dumps(steps), timeout_s=4 * seconds + 120,
        )  # fmt: skip
        stamps: list[int] = json.loads(ended.out)
        for at_ns, (_wait_ns, gpio, level) in zip(stamps, steps, strict=True):
            self.driven.append(Driven(at_ns, gpio, level))
        return stamps

    def press(self, button: str, for_ns: int = 100 * MS) -> None:
        """Push a button, and let it go."""
        self.drive(pulse(button, for_ns))

    def drop(self, pocket: str, width_ns: int = 10 * MS) -> None:
        """Let a piece fall through a pocket's beam."""
        self.drive(pulse(f"pocket_{pocket.lower()}", width_ns))

    # --- its displays -----------------------------------------------------------------

    def oled(self) -> Image.Image:
        """Return what the OLED's memory holds now, as a picture of mode ``1``; dark: black."""
        if self.machine.read(f"{OLED}/lit").strip() != b"Y":
            return Image.new("1", (128, 64))
        return picture(self.machine.read(f"{OLED}/memory"))

    def transfers(self) -> list[Transfer]:
        """Return the last 4096 transfers on the OLED's bus, the oldest first."""
        data = self.machine.read(f"{OLED}/transfers")
        values = memoryview(data).cast("Q")
        pairs = zip(values[::2], values[1::2], strict=True)
        return sorted(
            (Transfer(ended, size) for ended, size in pairs if ended), key=lambda t: t.ended_ns
        )

    def plug_oled(self, present: bool) -> None:
        """Plug the OLED in, or pull it out."""
        self.machine.run(f"echo {int(present)} >{OLED}/present")

    def plug_sign(self) -> None:
        """Plug the sign's adapter in; it has forgotten nothing, but its line starts afresh."""
        self._sign_out = self.machine.plug_serial(SIGN, "SIGN")

    def pull_sign(self) -> None:
        """Pull the sign's adapter out."""
        self.machine.pull(SIGN)

    # --- its sensor hub ---------------------------------------------------------------

    def plug_hub(self) -> TalkingHub:
        """Plug a sensor hub in: it starts."""
        self._hubs += 1
        far = self.machine.plug_talking_serial(HUB, "HUB")
        self._hub = TalkingHub(far, f"{self._hubs:04x}")
        return self._hub

    def pull_hub(self) -> None:
        """Pull the sensor hub out."""
        assert self._hub is not None, "it is plugged in"
        self.machine.pull(HUB)
        self._hub.close()
        self._hub = None

    def close(self) -> None:
        """Let go of the host's end of what is still plugged in."""
        if self._hub is not None:
            self._hub.close()

    def hub_is_gone(self) -> bool:
        """Return whether the hub is gone now, according to the board's journal."""
        told = [
            entry["kind"]
            for entry in self.dump()
            if entry["kind"] in ("fault", "cleared")
            and (entry["body"]["part"], entry["body"]["trouble"]) == ("sensor_hub", "gone")
        ]
        return told[-1:] == ["fault"]

    def sign(self) -> AlphaDecoder:
        """Return what a sign makes of the bytes since it was plugged in."""
        decoder = AlphaDecoder()
        if self._sign_out is not None and self._sign_out.exists():
            decoder.feed(self._sign_out.read_bytes())
        return decoder


def gpio_of(wire: str) -> int:
    """Return the GPIO of the reference board's wire."""
    return FULL_I2C.gpios[wire]


def pulse(wire: str, width_ns: int, after_ns: int = 20 * MS) -> list[Step]:
    """Return the steps of one pulse on a wire."""
    gpio = gpio_of(wire)
    return [(after_ns, gpio, ACTIVE), (width_ns, gpio, RESTING)]


def picture(memory: bytes) -> Image.Image:
    """Return an SSD1306's memory as a picture, by its data sheet: eight rows a byte."""
    image = Image.new("1", (128, 64))
    for index, byte in enumerate(memory):
        for bit in range(8):
            if byte >> bit & 1:
                image.putpixel((index % 128, index // 128 * 8 + bit), 1)
    return image
