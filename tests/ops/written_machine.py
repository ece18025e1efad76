"""A made-up machine for the doctor to look at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jackspot.config.model import Config, Origin, check
from jackspot.inputs.line_info import LineInfo
from jackspot.inputs.remedies import Here
from jackspot.ops.doctor import Finding, Severity
from jackspot.ops.doctor.holders import Holders
from jackspot.values import changed

ON_A_PI = Here(
    apt=True, alone=False, python=(3, 11), model="Raspberry Pi Zero 2 W Rev 1.0", user="aiko",
    groups=frozenset(), packages=frozenset(),
)  # fmt: skip


@dataclass
class Written:
    """A made-up machine: a Pi on which all is well, except for what a test says."""

    files: dict[str, bytes] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    locked: set[str] = field(default_factory=set)
    programs: dict[str, str] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)
    modules: set[str] = field(default_factory=lambda: {"lgpio"})
    in_groups: set[str] = field(default_factory=lambda: {"gpio", "i2c", "dialout"})
    answering: set[int] = field(default_factory=lambda: {0x3C})
    version: str = "3.11.2"
    room: int = 10**10
    clock_set: bool = False
    at: Here = ON_A_PI
    held: dict[int, str] = field(default_factory=dict)
    status: int | None = 0x43
    group: str = "gpio"
    holding: dict[str, Holders] = field(default_factory=dict)

    def _all(self) -> dict[str, bytes]:
        usual = {
            "/proc/device-tree/model": b"Raspberry Pi Zero 2 W Rev 1.0\0",
            "/etc/os-release": b'NAME="Debian"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n',
            "/sys/class/thermal/thermal_zone0/temp": b"48312\n",
            "/run/systemd/timesync/synchronized": b"",
            "/dev/gpiochip0": b"",
            "/dev/i2c-1": b"",
            "/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency": (400_000).to_bytes(4, "big"),
        }
        return {name: data for name, data in (usual | self.files).items() if name not in self.gone}

    def text(self, path: str) -> str | None:
        data = self.data(path)
        return None if data is None else data.decode().strip("\0\n ")

    def data(self, path: str) -> bytes | None:
        return self._all().get(path)

    def matching(self, pattern: str) -> list[str]:
        return sorted(name for name in self._all() if Path(name).match(pattern))

    def may_use(self, path: str) -> bool:
        return path not in self.locked

    def groups(self) -> set[str]:
        return self.in_groups

    def user(self) -> str:
        return "aiko"

    def run(self, program: Sequence[str]) -> str | None:
        usual = {
            "vcgencmd": "throttled=0x0",
            "systemctl": "LoadState=loaded\nActiveState=active\nUnitFileState=enabled\n"
            "NRestarts=0\nWatchdogUSec=10s",
        }
        return (usual | self.programs).get(program[0])

    def python(self) -> str:
        return self.version

    def kernel(self) -> str:
        return "6.1.21-v8+ aarch64"

    def package(self, name: str) -> str | None:
        return ({"gpiozero": "2.0.1"} | self.packages).get(name)

    def has_module(self, name: str) -> bool:
        return name in self.modules

    def answers_i2c(self, bus: int, address: int) -> bool | None:
        return address in self.answering if bus == 1 else None

    def i2c_status(self, bus: int, address: int) -> int | None:
        return self.status

    def here(self) -> Here:
        both = frozenset(self.packages) & {"RPi.GPIO", "rpi-lgpio"}
        groups = frozenset(self.in_groups)
        return changed(self.at, groups=groups, packages=both)

    def line(self, chip: str, gpio: int) -> LineInfo | None:
        assert chip in self.matching("/dev/gpiochip*")
        return LineInfo("", used=gpio in self.held, consumer=self.held.get(gpio, ""))

    def owner(self, path: str) -> str | None:
        return self.group

    def holders(self, path: str) -> Holders:
        return self.holding.get(path, Holders())

    def is_clock_set(self) -> bool:
        return self.clock_set

    def free_bytes(self, path: str) -> int | None:
        return self.room


def config(**tables: object) -> Config:
    return check(tables, Origin("test", {}))


def told(findings: Iterable[Finding]) -> list[Finding]:
    return [each for each in findings if each.mark is not Severity.WELL]
