"""The remedy for a missing library or right, by the machine; asking the kernel about a line."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from jackspot.inputs.line_info import LineInfo, read_line
from jackspot.inputs.remedies import (
    Here,
    both_installed,
    files_gone,
    here,
    install_lgpio,
    install_rpi_gpio,
    rights,
)
from jackspot.inputs.stamps import on_our_clock
from jackspot.values import changed

PI = Here(
    apt=True, alone=False, python=(3, 11), model="Raspberry Pi 4 Model B Rev 1.4", user="aiko",
    groups=frozenset({"aiko"}), packages=frozenset(),
)  # fmt: skip


def on(**what: Any) -> Here:
    return changed(PI, **what)


def test_raspberry_pi_os_is_told_of_apt() -> None:
    assert install_lgpio(PI) == "sudo apt install python3-lgpio"


def test_a_system_without_apt_is_told_of_pip() -> None:
    assert install_lgpio(on(apt=False)) == "pip install 'jackspot[pi]'"


def test_an_environment_that_does_not_see_apts_packages_is_told_both_ways() -> None:
    words = install_lgpio(on(alone=True))
    assert words.startswith("pip install 'jackspot[pi]', or sudo apt install python3-lgpio")
    assert "--system-site-packages" in words


def test_python_3_13_for_which_lgpio_is_not_built_is_not_told_of_pip() -> None:
    assert "pip install" not in install_lgpio(on(alone=True, python=(3, 13)))


@pytest.mark.parametrize(
    ("model", "package"),
    [
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "python3-rpi.gpio"),
        ("Raspberry Pi Zero 2 W Rev 1.0", "python3-rpi.gpio"),
        ("Raspberry Pi 5 Model B Rev 1.0", "python3-rpi-lgpio"),
        ("Raspberry Pi 500 Rev 1.0", "python3-rpi-lgpio"),
        ("Raspberry Pi Compute Module 5 Rev 1.0", "python3-rpi-lgpio"),
    ],
)
def test_each_model_is_told_of_the_package_that_reaches_its_pins(model: str, package: str) -> None:
    assert install_rpi_gpio(on(model=model)) == f"sudo apt install {package}"


def test_two_packages_of_one_module_are_told_and_only_then() -> None:
    assert both_installed(on(packages=frozenset({"RPi.GPIO"}))) == ""
    words = both_installed(on(packages=frozenset({"RPi.GPIO", "rpi-lgpio"})))
    assert "pip uninstall RPi.GPIO rpi-lgpio" in words


def test_a_package_without_its_files_is_told_and_only_then() -> None:
    assert files_gone(PI) == ""
    assert "removing rpi-lgpio took its files" in files_gone(on(packages=frozenset({"RPi.GPIO"})))


def test_the_right_to_a_device_comes_with_its_group() -> None:
    assert "sudo usermod -aG gpio aiko" in rights("/dev/gpiochip0", "gpio", PI)
    assert "is in the group gpio already" in rights(
        "/dev/gpiochip0", "gpio", on(groups=frozenset({"gpio"}))
    )
    assert "belongs to root alone" in rights("/dev/gpiochip0", "root", PI)


def test_this_machine_is_looked_at_without_harm() -> None:
    assert here().user
    assert here().python >= (3, 11)


def test_a_stamp_is_taken_for_the_clock_that_it_is_nearer_to() -> None:
    now_ns, wall_ns = 90 * 10**9, 1_795_000_000 * 10**9
    assert on_our_clock(now_ns - 5, now_ns, wall_ns) == now_ns - 5
    assert on_our_clock(wall_ns - 5, now_ns, wall_ns) == now_ns - 5
    assert on_our_clock(now_ns - 5, now_ns, now_ns) == now_ns - 5, "a clock that was never set"


def test_the_kernel_is_asked_with_its_own_structure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    chip = tmp_path / "gpiochip0"
    chip.touch()
    asked: list[int] = []

    def ioctl(_file: object, number: int, packed: bytearray) -> int:
        asked.append(number)
        assert len(packed) == 256
        assert struct.unpack_from("=I", packed, 64) == (5,)
        packed[0:5] = b"GPIO5"
        packed[32:40] = b"gpio-fan"
        struct.pack_into("=Q", packed, 72, 1 | 1 << 2)
        return 0

    monkeypatch.setattr("fcntl.ioctl", ioctl)
    assert read_line(str(chip), 5) == LineInfo("GPIO5", used=True, consumer="gpio-fan")
    assert asked == [0xC100B405]


def test_a_chip_that_does_not_answer_is_no_failure(tmp_path: Path) -> None:
    assert read_line(str(tmp_path / "none"), 5) is None
    (tmp_path / "file").touch()
    assert read_line(str(tmp_path / "file"), 5) is None
