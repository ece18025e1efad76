"""The card that turns a Pi into a board: what is put onto it, and what is refused.

What the Pi makes of it is tested by ``make deb-test ARGS=card``, and by ``ARGS=start`` on a
machine of its own.
"""

from __future__ import annotations

import base64
import io
import os
import re
import shutil
import subprocess
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from jackspot.commands import sd_card
from jackspot.commands.sd_card import command
from jackspot.config import Sources, load
from jackspot.dialogue.words.stick_words import stick_notice
from jackspot.festival.joining import read_file, write
from jackspot.festival.section import FestivalSection
from jackspot.ops.card import filling
from jackspot.ops.card.boot_files import CLOUD_INIT, LONGEST_LINE, command_line, user_data
from jackspot.ops.card.packages import index, read_package, whole_set
from jackspot.ops.card.wifi import checked_wifi
from jackspot.ops.install.parts import carried_file
from jackspot.sensing.events import Stick
from tests.ops.test_stick_joining import section

__all__ = ["section"]

CMDLINE = (
    "console=serial0,115200 console=tty1 root=PARTUUID=9d2fc5f5-02 rootfstype=ext4 "
    "fsck.repair=yes rootwait resize ds=nocloud;i=rpi-imager-1764550000000\n"
)
USER_DATA = "#cloud-config\nhostname: board-7\npackages:\n- avahi-daemon\n\nruncmd:\n  - [ true ]\n"


def deb(folder: Path, name: str, **fields: str) -> Path:
    """Write a package's file by hand, so that it can be made without dpkg."""
    said = {"Package": name, "Version": "0.2.0", "Architecture": "all", "Priority": "optional"}
    said |= {key.replace("_", "-"): value for key, value in fields.items()}
    control = "".join(f"{key}: {value}\n" for key, value in said.items()).encode()
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as tar:
        entry = tarfile.TarInfo("./control")
        entry.size = len(control)
        tar.addfile(entry, io.BytesIO(control))
    parts = {"debian-binary": b"2.0\n", "control.tar.xz": packed.getvalue(), "data.tar": b""}
    data = b"!<arch>\n"
    for part, inside in parts.items():
        data += f"{part:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(inside):<10}`\n".encode()
        data += inside + b"\n" * (len(inside) % 2)
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}_{said['Version']}_{said['Architecture']}.deb"
    path.write_bytes(data)
    return path


def contents(root: Path) -> dict[str, bytes | None]:
    """Return every file below a folder with its bytes, and every folder."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
        for path in root.rglob("*")
    }


@pytest.fixture
def debs(tmp_path: Path) -> Path:
    folder = tmp_path / "debs"
    deb(folder, "jackspot-common", Depends="python3-new | python3-pil (>= 10.1), python3")
    deb(folder, "jackspot", Depends="jackspot-common (= 0.2.0), python3-lgpio | python3-rpi, udev")
    deb(folder, "python3-pil", Architecture="arm64", Provides="python3-pillow")
    return folder


@pytest.fixture
def card(tmp_path: Path) -> Path:
    place = tmp_path / "bootfs"
    place.mkdir()
    (place / "config.txt").write_text("dtparam=audio=on\n")
    (place / "cmdline.txt").write_text(CMDLINE)
    (place / "user-data").write_text(USER_DATA)
    return place


@pytest.fixture
def made(card: Path, debs: Path) -> Callable[..., Result]:
    def run(*words: str | Path, place: Path = card, packages: Path = debs) -> Result:
        call = [str(place), "--packages", str(packages), "--yes", *map(str, words)]
        return CliRunner().invoke(command, call)

    return run


def test_a_card_gets_packages_settings_hall_and_wifi(
    card: Path, made: Callable[..., Result], tmp_path: Path, section: FestivalSection
) -> None:
    shared = tmp_path / "hall.toml"
    shared.write_text('[match]\nrules = "kagw"\n')
    handed = tmp_path / "festival.toml"
    handed.write_text(write(section))
    done = made(
        "--name", "Board 7", "--lang", "de", "--number", "7", "--config", shared,
        "--hall", handed,
        "--wifi", "Clubhaus", "--wifi-password", "geheim123", "--country", "DE",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    folder = card / "jackspot"
    assert sorted(path.name for path in folder.iterdir()) == [
        "board.toml", "festival.toml", "first-boot", "jackspot-first-boot.service",
        "jackspot.toml", "packages", "wifi.nmconnection",
    ]  # fmt: skip
    config = load(Sources((folder / "jackspot.toml", folder / "board.toml")))
    assert (config.board.name, config.board.language) == ("Board 7", "de")
    assert (config.festival.number, config.match["rules"]) == (7, "kagw")
    assert read_file(folder / "festival.toml") == section
    assert "geheim123" not in (folder / "wifi.nmconnection").read_text()
    assert "cfg80211.ieee80211_regdom=DE" in (card / "cmdline.txt").read_text()
    assert "i2c_arm=on" in (card / "config.txt").read_text()
    assert not list(card.rglob("*.part"))
    assert "python3, python3-lgpio, udev" in " ".join(done.output.split())


@pytest.mark.parametrize("below", ["", "packages", "mine/new", "link"])
def test_packages_in_the_cards_own_folder_are_refused_and_stay(
    card: Path, debs: Path, made: Callable[..., Result], below: str
) -> None:
    there = card / "jackspot" / below
    there.parent.mkdir(exist_ok=True, parents=True)
    if below == "link":
        there = card.parent / below
        there.symlink_to(card / "jackspot")
        debs.rename(card / "jackspot")
    else:
        debs.rename(there)
    before = contents(card)
    done = made(packages=there)
    assert done.exit_code == 1
    assert f"{card / 'jackspot'}: is made anew; name packages that are elsewhere" in done.stderr
    assert contents(card) == before


@pytest.mark.parametrize("number", range(3))
def test_packages_that_are_gone_before_they_are_copied_are_named(
    card: Path, debs: Path, made: Callable[..., Result], number: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    path, look = sorted(debs.iterdir())[number], filling.filling

    def lost(*told: Any) -> object:
        steps = look(*told)
        path.unlink()
        return steps

    monkeypatch.setattr(sd_card, "filling", lost)
    done = made()
    assert isinstance(done.exception, SystemExit), done.exception
    assert (done.exit_code, f"{path}: cannot be read: No such file" in done.stderr) == (1, True)
    assert not (card / "jackspot" / "first-boot").exists()


def test_the_card_says_to_systemd_and_to_cloud_init_what_to_start(
    card: Path, made: Callable[..., Result]
) -> None:
    assert made().exit_code == 0
    words = (card / "cmdline.txt").read_text().split(" ")
    assert words[: len(CMDLINE.split())] == CMDLINE.split(), "what was there stays as it was"
    [unit] = [word for word in words if word.startswith("systemd.set_credential_binary=")]
    named, _, coded = unit.partition("=")[2].partition(":")
    assert named == "systemd.extra-unit.jackspot-first-boot.service"
    assert base64.b64decode(coded).decode() == carried_file("jackspot-first-boot.service")
    assert words[-1].strip() == "systemd.wants=jackspot-first-boot.service"
    assert (card / "user-data").read_text() == CLOUD_INIT.added_to(USER_DATA)
    script = card / "jackspot" / "first-boot"
    assert subprocess.run(["sh", "-n", str(script)], check=False).returncode == 0
    assert (card / "cmdline.txt.before-jackspot").read_text() == CMDLINE


def test_made_again_a_card_has_the_new_folder_alone_and_each_line_once(
    card: Path, made: Callable[..., Result]
) -> None:
    assert made("--name", "Board 1", "--wifi", "A", "--wifi-password", "12345678",
                "--country", "GB").exit_code == 0  # fmt: skip
    (card / "jackspot" / "RESULT.txt").write_text("It was said.")
    assert made("--wifi", "A", "--wifi-password", "12345678", "--country", "JP").exit_code == 0
    once = contents(card)
    assert made("--wifi", "A", "--wifi-password", "12345678", "--country", "JP").exit_code == 0
    assert contents(card) == once
    assert not (card / "jackspot" / "board.toml").exists()
    assert not (card / "jackspot" / "RESULT.txt").exists()
    line = (card / "cmdline.txt").read_text()
    assert line.count("systemd.wants") == line.count("regdom") == 1
    assert "regdom=JP" in line
    assert (card / "cmdline.txt.before-jackspot").read_text() == CMDLINE


def test_a_dry_run_writes_nothing(card: Path, debs: Path) -> None:
    before = contents(card)
    call = [str(card), "--packages", str(debs), "--dry-run"]
    assert CliRunner().invoke(command, call).exit_code == 0
    assert contents(card) == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--lang", "fr"], "'fr' is not one of 'en', 'de', 'ja'"),
        (["--number", "0"], "0 is not in the range 1<=x<=999"),
        (["--number", "seven"], "'seven' is not a valid integer range"),
        (["--name", "  "], "--name: [board] name"),
        (["--name", "x" * 200], "--name: [board] name"),
        (["--country", "DE"], "add --wifi NAME"),
        (["--wifi", "A", "--wifi-password", "12345678"], "expected two capital letters"),
        (["--wifi", "A", "--wifi-password", "short", "--country", "DE"], "8 to 63 letters"),
        (["--wifi", "x" * 33, "--wifi-password", "", "--country", "DE"], "1 to 32 bytes"),
        (["--wifi", "A", "--country", "DE"], "add --wifi-password"),
        (["--config", "no-such.toml"], "no-such.toml"),
        (["--hall", "no-such.toml"], "no-such.toml"),
    ],
)
def test_wrong_words_change_nothing(
    card: Path, made: Callable[..., Result], words: list[str], said: str
) -> None:
    before = contents(card)
    done = made(*words)
    assert done.exit_code in (1, 2)
    assert said in " ".join(done.output.split())
    assert contents(card) == before


def test_mistakes_in_settings_and_hall_are_named_with_their_file(
    card: Path, made: Callable[..., Result], tmp_path: Path
) -> None:
    before = contents(card)
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('[board]\nnam = "x"\n')
    done = made("--config", wrong)
    assert done.exit_code == 1
    assert f"{wrong}: [board] nam is not a key" in done.output
    assert f"{wrong}: [festival]" in made("--hall", wrong).output
    wrong.write_text("[board")
    assert f"{wrong}: is not TOML" in made("--config", wrong).output
    assert contents(card) == before


def test_only_a_boot_partition_that_can_be_written_is_taken(
    card: Path, made: Callable[..., Result], tmp_path: Path
) -> None:
    assert "no such folder" in made(place=tmp_path / "none").output
    other = tmp_path / "other"
    other.mkdir()
    assert "found no config.txt and no cmdline.txt in it" in made(place=other).output
    (card / "cmdline.txt").unlink()
    assert "found no cmdline.txt in it" in made().output


@pytest.mark.needs_root
def test_a_card_that_is_read_only_or_full_is_refused(
    card: Path, made: Callable[..., Result], mounted_card: Callable[..., Path]
) -> None:
    assert "is read-only; slide its little switch" in made(place=mounted_card("ro")).output
    small = made(place=mounted_card("size=8m"))
    assert "expected room for 33 MB, found 7 MB" in small.output


@pytest.fixture
def mounted_card(card: Path, tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Mount the card's files as a file system of their own; it is unmounted after the test."""
    if os.geteuid():
        pytest.skip("mounting needs root")
    mounts: list[Path] = []

    def mount(options: str) -> Path:
        place = tmp_path / f"mounted-{len(mounts)}"
        place.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", str(place)], check=True)
        mounts.append(place)
        shutil.copytree(card, place, dirs_exist_ok=True)
        subprocess.run(["mount", "-o", f"remount,{options}", str(place)], check=True)
        return place

    yield mount
    for place in mounts:
        subprocess.run(["umount", str(place)], check=True)


def test_only_a_whole_set_of_packages_for_a_pi_is_taken(
    made: Callable[..., Result], debs: Path, tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "found none; have them made: make deb ARGS=card" in made(packages=empty).output
    assert "cannot be read" in made(packages=tmp_path / "none").output
    half = debs / "python3-half_1_all.deb"
    half.write_bytes((debs / "python3-pil_0.2.0_arm64.deb").read_bytes()[:150])
    assert "half of one" in made().output
    half.write_text("no package")
    assert f"{half}: expected a Debian package" in made().output
    half.unlink()
    other = deb(debs, "python3-x", Architecture="amd64")
    assert "found python3-x_0.2.0_amd64.deb for amd64" in made().output
    other.unlink()
    other = deb(debs, "python3-x", Architecture="armhf")
    assert "expected packages for one kind of system" in made().output
    other.unlink()
    other = deb(debs, "python3-pil", Version="11", Architecture="arm64")
    assert "more than one package of python3-pil" in made().output
    other.unlink()
    (debs / "jackspot-common_0.2.0_all.deb").unlink()
    assert "jackspot-common is missing" in made().output
    deb(debs, "jackspot-common", Version="0.1.0")
    assert "found 0.1.0, 0.2.0" in made().output


def test_the_list_for_apt_is_the_one_that_debians_tool_makes(debs: Path) -> None:
    said = {each.split("\n")[0]: set(each.strip().split("\n")) for each in index(
        whole_set(debs)
    ).split("\n\n")}  # fmt: skip
    assert len(said) == 3
    for package in whole_set(debs):
        lines = said[f"Package: {package.name}"]
        assert {f"Size: {package.size}", f"SHA256: {package.sha256}"} <= lines
        assert f"Filename: ./{package.path.name}" in lines


def test_a_package_is_read_as_dpkg_reads_it(debs: Path) -> None:
    if shutil.which("dpkg-deb") is None:
        pytest.skip("there is no dpkg here")
    path = debs / "jackspot_0.2.0_all.deb"
    told = subprocess.run(
        ["dpkg-deb", "--field", str(path)], capture_output=True, text=True, check=True
    )
    assert read_package(path).control == told.stdout
    assert read_package(path).depends == {
        ("jackspot-common",), ("python3-lgpio", "python3-rpi"), ("udev",),
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "#!/bin/sh\ntrue\n",
        "#cloud-config\nbootcmd:\n- true\n",
        "",
        "Content-Type: multipart/mixed\n",
    ],
)
def test_where_cloud_inits_file_is_anothers_the_command_line_alone_says_it(
    card: Path, made: Callable[..., Result], text: str
) -> None:
    (card / "user-data").write_text(text)
    assert user_data(text) is None
    assert made().exit_code == 0
    assert (card / "user-data").read_text() == text
    assert "systemd.wants" in (card / "cmdline.txt").read_text()


def test_the_kernel_takes_the_whole_line() -> None:
    assert len(command_line(CMDLINE, "DE")) <= LONGEST_LINE
    with pytest.raises(ValueError, match="has no room"):
        command_line(CMDLINE + "x" * 500)


def test_a_networks_key_is_the_one_of_the_standard() -> None:
    profile = checked_wifi("IEEE", "password", "US").profile()  # 802.11i, annex H.4.3
    assert "psk=f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e\n" in profile
    assert "ssid=73;69;69;69;\n" in profile
    assert "wifi-security" not in checked_wifi("Offen", "", "DE").profile()


def test_what_the_card_lacked_is_shown_on_the_display() -> None:
    notice = stick_notice(Stick.CARD_FAILED)
    assert (str(notice.what), notice.good) == ("card not all taken", False)


LAYER = Path(__file__).resolve().parents[2] / "systemd" / "image" / "layer" / "jackspot.yaml"


def test_the_image_builders_layer_declares_what_its_steps_use() -> None:
    """Its grammar is that of rpi-image-gen, whose ``ig metadata --lint`` has found no fault."""
    head, _, body = LAYER.read_text(encoding="utf-8").partition("# METAEND\n---\n")
    lines = head.removeprefix("# METABEGIN\n").splitlines()
    assert all(re.match(r"# X-Env-[A-Za-z0-9-]+:|#  \S|#$", line) for line in lines), lines
    declared = set(re.findall(r"^# X-Env-Var-([a-z]+):$", head, re.MULTILINE))
    assert set(re.findall(r"IGconf_jackspot_([a-z]+)", body)) == declared == {"packages", "config"}
    assert "# X-Env-VarPrefix: jackspot" in lines
    steps = re.findall(r"    - \|-\n((?:      .*\n)+)", body)
    assert len(steps) == 3
    for step in steps:
        done = subprocess.run(["sh", "-n"], input=step, text=True, check=False)
        assert done.returncode == 0, step
        assert step.split()[:2] == ["set", "-eu"]
