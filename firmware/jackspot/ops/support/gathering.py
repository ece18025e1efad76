"""Reading what a support bundle holds, as far as it is readable; nothing is changed."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator, Sequence
from pathlib import Path

from jackspot import files
from jackspot.config import ConfigError, Sources, load
from jackspot.config.load import read
from jackspot.config.show import as_said, as_toml
from jackspot.ops.doctor import Machine
from jackspot.ops.support.bundle import BundleContents, free_name, newest
from jackspot.storage.entries import Sealed
from jackspot.storage.errors import JournalDamaged, JournalError
from jackspot.storage.journal import read_checked

UNIT = "jackspot.service"
LOG_LINES = 5_000
KERNEL_LINES = 500
CAPTURES = 3
"""This many of the newest captures beside the journal."""
LARGEST_CAPTURE_BYTES = 50 * files.MIB
LARGEST_TEXT_BYTES = 4 * files.MIB

PROGRAMS = {
    "system.log": ("journalctl", f"--unit={UNIT}", f"--lines={LOG_LINES}"),
    "kernel.log": ("journalctl", "--dmesg", f"--lines={KERNEL_LINES}"),
}
HOW = ("--no-pager", "--no-hostname", "--output=short-iso")

PACKAGES = (
    "jackspot",
    "click",
    "gpiozero",
    "lgpio",
    "luma.core",
    "luma.led_matrix",
    "luma.oled",
    "pillow",
    "pydantic",
    "pyserial",
    "RPi.GPIO",
    "rpi-lgpio",
    "smbus2",
    "spidev",
    "starlette",
    "uvicorn",
)


def gather(
    machine: Machine,
    sources: Sources,
    journal: Path,
    extra: Sequence[Path],
    findings: Sequence[dict[str, str]],
) -> BundleContents:
    """Read everything. ``extra`` are captures that were requested by name."""
    missing: list[str] = []
    texts: dict[str, str] = {"files.txt": _listing(journal.parent)}
    for name, program in PROGRAMS.items():
        told = machine.run([*program, *HOW])
        if told:
            texts[name] = told + "\n"
        else:
            missing.append(f"{name}: {program[0]} tells nothing here")
    return BundleContents(
        entries=_journal(journal, missing),
        settings=_settings(sources, missing),
        texts=texts,
        data={"versions.json": _versions(machine), "doctor.json": {"findings": list(findings)}},
        captures=_captures(journal.parent, extra, missing),
        missing=tuple(missing),
    )


def _journal(path: Path, missing: list[str]) -> Sealed:
    if not files.is_there(path):
        missing.append(f"journal: there is none at {path}")
        return ()
    try:
        return read_checked(path, None)
    except JournalDamaged as damage:
        missing.append(f"journal after entry {len(damage.good)}: {damage}")
        return damage.good
    except JournalError as error:
        missing.append(f"journal: {error}")
        return ()


def _settings(sources: Sources, missing: list[str]) -> dict[str, str]:
    """Return the effective settings and the calibration; with mistakes, what each file says."""
    try:
        config = load(sources)
    except ConfigError as error:
        missing.append(f"settings.toml: {error}")
        return dict(_as_said(sources, missing))
    found = {"settings.toml": as_toml(config)}
    path = config.calibration.path
    if files.is_there(path):
        try:
            found[path.name] = files.read_text(path, LARGEST_TEXT_BYTES)
        except OSError as error:
            missing.append(f"{path}: {error.strerror}")
        except UnicodeDecodeError as error:
            missing.append(f"{path}: {error}")
    return found


def _as_said(sources: Sources, missing: list[str]) -> Iterator[tuple[str, str]]:
    """Yield what each settings file says; in one that is no TOML no secret could be told."""
    for path in sources.paths:
        try:
            yield path.name, as_said(read(path))
        except ConfigError:
            missing.append(f"{path.name}: it cannot be read, or is no TOML")


def _versions(machine: Machine) -> dict[str, object]:
    packages = {name: machine.package(name) for name in PACKAGES}
    return {
        "jackspot": importlib.metadata.version("jackspot"),
        "python": machine.python(),
        "kernel": machine.kernel(),
        "system": machine.text("/etc/os-release"),
        "model": machine.text("/proc/device-tree/model"),
        "packages": {name: found for name, found in packages.items() if found},
    }


def _listing(folder: Path) -> str:
    """List the contents of a folder and its subfolders: size and name."""
    lines = []
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        try:
            size = path.stat().st_size
        except OSError:
            continue
        lines.append(f"{size:>12} {path.relative_to(folder)}\n")
    return "".join(lines) or "nothing\n"


def _captures(folder: Path, extra: Sequence[Path], missing: list[str]) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    wanted = [*extra, *newest(folder.glob("*.vcd"), CAPTURES)]
    for path in dict.fromkeys(each.absolute() for each in wanted):
        try:
            found[free_name(path.name, found)] = files.read_bytes(path, LARGEST_CAPTURE_BYTES)
        except files.TooLong:
            missing.append(f"{path.name}: it is larger than 50 MiB; send it by itself")
        except OSError as error:
            missing.append(f"{path.name}: {error.strerror}")
    return found
