"""The steps that prepare a card: a folder on its boot partition, and some lines beside it.

The lines that make the Pi use the folder are written last: a card that is pulled out too early
starts as if nothing had been put there.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from jackspot.files import MIB, read_text, toml_quoted
from jackspot.ops.card.boot_files import (
    SCRIPT,
    SCRIPT_FILE,
    UNIT_FILE,
    command_line,
    user_data,
)
from jackspot.ops.card.packages import CardPackage, index, left_to_the_system
from jackspot.ops.card.wifi import Wifi
from jackspot.ops.install import boot_config
from jackspot.ops.install.parts import carried_file
from jackspot.ops.install.steps import InstallStep, StepFailed, done

FOLDER = "jackspot"
CONFIG_TXT, COMMAND_LINE, USER_DATA = "config.txt", "cmdline.txt", "user-data"
SPARE_BYTES = 32 * MIB
"""This much stays free on the partition: a kernel upgrade needs room there, too."""
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class CardWishes(Struct, frozen=True):
    """What is to be on the card. ``settings`` and ``hall`` are texts of files; empty: none.

    ``board`` has the board's own tables, as in its file board.toml.
    """

    packages: tuple[CardPackage, ...]
    settings: str = ""
    hall: str = ""
    board: Mapping[str, Mapping[str, str | int]] = field(default_factory=dict)
    wifi: Wifi | None = None


def refuse_other_places(place: Path) -> None:
    """Raise StepFailed for a folder that is not a Pi's boot partition, or cannot be written."""
    if not place.is_dir():
        raise StepFailed(f"{place}: no such folder; is the card in, and mounted?")
    lacking = [name for name in (CONFIG_TXT, COMMAND_LINE) if not (place / name).is_file()]
    if lacking:
        raise StepFailed(
            f"{place}: expected the boot partition of a card with Raspberry Pi OS, found no "
            f"{' and no '.join(lacking)} in it; name the folder under which this computer shows "
            "the card's partition `bootfs`"
        )
    trial = place / "jackspot.try"
    try:
        trial.write_bytes(b"")
        trial.unlink()
    except OSError as error:
        raise StepFailed(f"{place}: {_why(error)}") from error


def filling(place: Path, wishes: CardWishes) -> list[InstallStep]:
    """Return the steps that prepare the card. Raises StepFailed if it cannot be prepared."""
    refuse_other_places(place)
    folder = place / FOLDER
    texts = _texts(wishes)
    above = {parent for each in wishes.packages for parent in each.path.resolve().parents}
    if folder.exists() and any(map(folder.samefile, above)):
        raise StepFailed(f"{folder}: is made anew; name packages that are elsewhere, by --packages")
    _refuse_no_room(place, folder, wishes.packages)
    line = _command_line(place, wishes.wifi)
    data = _user_data(place)
    return [
        _packages(folder, wishes.packages),
        *(_file(folder, name, *each) for name, each in texts.items()),
        _i2c(place),
        _beginning(place, line, data),
    ]


def _texts(wishes: CardWishes) -> dict[str, tuple[str, str]]:
    """Return the files beside the packages: what each is for, and its text."""
    found = {}
    if wishes.settings:
        found["jackspot.toml"] = ("settings", wishes.settings)
    if wishes.board:
        found["board.toml"] = ("board", _as_toml(wishes.board))
    if wishes.hall:
        found["festival.toml"] = ("hall", wishes.hall)
    if wishes.wifi is not None:
        found["wifi.nmconnection"] = ("Wi-Fi", wishes.wifi.profile())
    return found


def _as_toml(tables: Mapping[str, Mapping[str, str | int]]) -> str:
    lines = ["# What differs on this board; written by `jackspot sd-card`."]
    for table, keys in tables.items():
        lines += ["", f"[{table}]"]
        for key, value in keys.items():
            lines.append(f"{key} = {toml_quoted(value) if isinstance(value, str) else value}")
    return "\n".join((*lines, ""))


def _refuse_no_room(place: Path, folder: Path, packages: Sequence[CardPackage]) -> None:
    old = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    needed = sum(each.size for each in packages) + SPARE_BYTES
    free = shutil.disk_usage(place).free + old
    if free < needed:
        raise StepFailed(
            f"{place}: expected room for {needed // MIB + 1:,} MB, found {free // MIB:,} MB; take "
            "a card that the Raspberry Pi Imager has just written, or fewer packages"
        )


def _command_line(place: Path, wifi: Wifi | None) -> str:
    path = place / COMMAND_LINE
    try:
        return command_line(_read(path), wifi.country if wifi else "")
    except ValueError as error:
        raise StepFailed(f"{path}: {error}; write the card again with the Imager") from error


def _user_data(place: Path) -> str | None:
    path = place / USER_DATA
    return user_data(_read(path)) if path.is_file() else None


# --- the steps ---------------------------------------------------------------------------


def _packages(folder: Path, packages: Sequence[CardPackage]) -> InstallStep:
    size = sum(each.size for each in packages)
    version = next(each.field("Version") for each in packages if each.name == "jackspot")
    needs = ", ".join(left_to_the_system(packages)) or "nothing"

    def act() -> None:
        try:
            (folder / SCRIPT).unlink(missing_ok=True)  # first: a half-written folder is not used
            shutil.rmtree(folder, ignore_errors=True)
            (folder / "packages").mkdir(parents=True)
        except OSError as error:
            raise StepFailed(f"{folder}: {_why(error)}") from error
        for each in packages:
            try:
                data = each.path.read_bytes()
            except OSError as error:
                raise StepFailed(f"{each.path}: cannot be read: {error.strerror}") from error
            _write(folder / "packages" / each.path.name, data)
        _write(folder / "packages" / "Packages", index(packages).encode())

    words = (
        f"Jackspot {version} and what it needs, {len(packages)} files, {size / MIB:.0f} MB; the "
        f"system on the card has to have: {needs}"
    )
    return InstallStep("packages", words, act)


def _file(folder: Path, name: str, what: str, text: str) -> InstallStep:
    return InstallStep(what, f"{FOLDER}/{name}", lambda: _write(folder / name, text.encode()))


def _i2c(place: Path) -> InstallStep:
    path = place / CONFIG_TXT
    text = _read(path)
    if boot_config.is_wanted(text):
        return done("I2C", f"on, at 400 kHz, by {CONFIG_TXT}")
    wanted = boot_config.OURS.added_to(text)
    words = f"switch it on, at 400 kHz, in {CONFIG_TXT}: the display is on it"
    return InstallStep("I2C", words, lambda: _change(path, text, wanted))


def _beginning(place: Path, line: str, data: str | None) -> InstallStep:
    folder = place / FOLDER
    ways = f"{COMMAND_LINE} and {USER_DATA}" if data is not None else COMMAND_LINE

    def act() -> None:
        _write(folder / UNIT_FILE, carried_file(UNIT_FILE).encode())
        _write(folder / SCRIPT, carried_file(SCRIPT_FILE).encode())
        _change(place / COMMAND_LINE, _read(place / COMMAND_LINE), line)
        if data is not None:
            _change(place / USER_DATA, _read(place / USER_DATA), data)

    again = (
        "Let the computer eject the card, put it into the Pi, switch on. Until the display shows "
        f"the board's name leave the power on; {FOLDER}/RESULT.txt on the card says how it went."
    )
    return InstallStep("first start", f"have it taken up, by {ways}", act, afterwards=again)


# --- files on the card -------------------------------------------------------------------


def _read(path: Path) -> str:
    try:
        return read_text(path, MIB)
    except OSError as error:
        raise StepFailed(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise StepFailed(
            f"{path}: is not UTF-8 at byte {error.start + 1}; write the card again with the Imager"
        ) from error


def _change(path: Path, before: str, after: str) -> None:
    """Write one of the system's own files; its first original is kept beside it."""
    kept = path.with_name(f"{path.name}.before-jackspot")
    if before == after:
        return
    if not kept.exists():
        _write(kept, before.encode())
    _write(path, after.encode())


def _write(path: Path, data: bytes) -> None:
    """Write a whole file, and force it to the card."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError as error:
        raise StepFailed(f"{path}: {_why(error)}") from error


def _why(error: OSError) -> str:
    if error.errno == errno.EROFS:
        return "the card is read-only; slide its little switch, or mount it for writing"
    if error.errno in _FULL:
        return "the partition is full; write the card again with the Raspberry Pi Imager"
    if error.errno in (errno.EACCES, errno.EPERM):
        return "this user may not write there; mount it for yourself, or use sudo"
    return f"cannot be written: {error.strerror}"
