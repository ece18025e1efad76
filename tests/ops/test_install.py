"""Installing into a root folder with systemd's own tools, and uninstalling.

The root holds the parts of a fresh system that the steps look at. The program itself counts as
already there; packages and the virtual environment are tried on whole systems (tests/trixie,
tests/kernel).
"""

from __future__ import annotations

import os
import shlex
import shutil
import stat
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jackspot.commands import install
from jackspot.commands.terminal.steps import StepMode, carry_out
from jackspot.config import Sources, load
from jackspot.ops.install import boot_config
from jackspot.ops.install.plan import CARRIED, CONFIG, ENABLED, STATE, UNIT_PLACE, carried
from jackspot.ops.install.program import HOME, find_checkout
from jackspot.ops.install.steps import InstallStep, StepFailed
from jackspot.ops.install.system import System

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("systemd-sysusers", "systemd-tmpfiles", "systemctl", "userdel")
CAN_INSTALL = all(map(shutil.which, TOOLS))
"""Otherwise the command says what is missing, which is checked too."""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the root of a fresh Pi system on which the program was put by hand."""
    for folder in ("etc", "boot/firmware", "usr/local/bin", "var/lib", HOME.lstrip("/")):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "etc/passwd").write_text("root:x:0:0:root:/:/bin/sh\n", encoding="utf-8")
    (tmp_path / "etc/group").write_text("root:x:0:\ndialout:x:20:anna\n", encoding="utf-8")
    (tmp_path / "boot/firmware/config.txt").write_text("[pi4]\narm_boost=1\n", encoding="utf-8")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / HOME.lstrip("/")))
    monkeypatch.setattr(install, "find_checkout", lambda: None)
    return tmp_path


def run_install(root: Path, *more: str) -> Result:
    arguments = [f"--root={root}", *(more or ("--yes",))]
    result = CliRunner().invoke(install.command, arguments)
    if "--dry-run" not in more and not CAN_INSTALL:
        assert result.exit_code == 1
        assert result.stderr
        pytest.fail(f"these tests need {', '.join(TOOLS)}: {result.stderr}")
    return result


def run_uninstall(root: Path, *more: str) -> Result:
    return CliRunner().invoke(install.uninstall, [f"--root={root}", "--yes", *more])


def contents(root: Path) -> dict[str, str]:
    """Return every file and link below a root, as text, and every folder."""
    found = {}
    for path in sorted(root.rglob("*")):
        name = str(path.relative_to(root))
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        else:
            found[name] = path.read_text(encoding="utf-8") if path.is_file() else "folder"
    return found


@pytest.mark.needs_root
def test_an_installed_system_has_user_rights_directories_settings_and_an_enabled_unit(
    root: Path,
) -> None:
    result = run_install(root)
    assert result.exit_code == 0, result.output
    passwd = (root / "etc/passwd").read_text(encoding="utf-8")
    assert ":/var/lib/jackspot:/usr/sbin/nologin\n" in passwd
    groups = {
        line.split(":")[0]: line.split(":")[3]
        for line in (root / "etc/group").read_text(encoding="utf-8").splitlines()
    }
    assert groups["dialout"] == "anna,jackspot"
    assert [groups[name] for name in ("gpio", "i2c", "spi")] == ["jackspot"] * 3
    number = int(passwd.split("jackspot:x:")[1].split(":")[0])
    state = (root / STATE.lstrip("/")).stat()
    assert (state.st_uid, stat.S_IMODE(state.st_mode)) == (number, 0o750)
    assert load(Sources((root / CONFIG.lstrip("/"),))).wires
    assert (root / ENABLED.lstrip("/")).readlink() == Path(UNIT_PLACE)
    assert (root / "usr/local/bin/jackspot").readlink() == Path(f"{HOME}/bin/jackspot")


@pytest.mark.needs_root
def test_installing_twice_changes_nothing_and_says_so(root: Path) -> None:
    run_install(root)
    before = contents(root)
    again = run_install(root)
    assert "Nothing to do." in again.stdout
    assert "->" not in again.stdout.split("->: will be done")[0]
    assert contents(root) == before


def test_a_dry_run_says_all_that_would_be_done_and_does_none_of_it(root: Path) -> None:
    before = contents(root)
    result = run_install(root, "--dry-run")
    assert result.exit_code == 0
    for place in CARRIED:
        assert place in result.stdout.replace("\n", " ")
    assert contents(root) == before


@pytest.mark.parametrize(
    "typed",
    [
        "jackspot install --root /mnt --no-i2c",
        "/opt/bin/jackspot uninstall '--root=/mnt/my card' --purge",
        "jackspot update --downgrade -- 'a file'",
    ],
)
def test_who_is_not_root_is_told_to_type_the_same_with_every_option(
    typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(sys, "argv", shlex.split(typed))
    step = InstallStep("unit", "it", lambda: pytest.fail("it was done"))
    with pytest.raises(SystemExit):
        carry_out([step], typed.split()[1], StepMode(dry_run=False, yes=True))
    assert capsys.readouterr().err == f"this needs root; type: sudo {typed}\n"


def test_nothing_is_done_where_nobody_can_be_asked(root: Path) -> None:
    before = contents(root)
    result = CliRunner().invoke(install.command, [f"--root={root}"])
    assert result.exit_code == 1
    assert ("--yes" if os.geteuid() == 0 else "needs root") in result.stderr
    assert contents(root) == before


@pytest.mark.needs_root
def test_the_owners_settings_and_other_peoples_command_are_never_replaced(root: Path) -> None:
    config, other = root / CONFIG.lstrip("/"), root / "usr/local/bin/jackspot"
    config.parent.mkdir()
    config.write_text('[board]\nname = "Mine"\n', encoding="utf-8")
    other.write_text("#!/bin/sh\n", encoding="utf-8")
    result = run_install(root)
    assert result.exit_code == 0
    assert config.read_text(encoding="utf-8") == '[board]\nname = "Mine"\n'
    assert other.read_text(encoding="utf-8") == "#!/bin/sh\n"
    assert "stays as it is" in result.stdout


@pytest.mark.needs_root
def test_an_older_unit_is_replaced_and_a_missing_file_is_put_back(root: Path) -> None:
    run_install(root)
    unit = root / UNIT_PLACE.lstrip("/")
    unit.write_text("[Service]\nExecStart=/bin/true\n", encoding="utf-8")
    (root / "etc/udev/rules.d/60-jackspot.rules").unlink()
    result = run_install(root)
    assert "replace /etc/systemd/system/jackspot.service" in result.stdout.replace("\n", " ")
    assert unit.read_text(encoding="utf-8") == carried(UNIT_PLACE)
    assert (root / "etc/udev/rules.d/60-jackspot.rules").exists()


@pytest.mark.needs_root
def test_uninstalling_keeps_settings_and_journal_and_purging_leaves_nothing(root: Path) -> None:
    before = contents(root)
    run_install(root)
    journal = root / "var/lib/jackspot/journal.sqlite3"
    journal.write_text("what people played", encoding="utf-8")
    assert run_uninstall(root).exit_code == 0
    left = set(contents(root)) - set(before)
    assert {name for name in left if "jackspot" in name} == {
        "boot/firmware/config.txt.before-jackspot",
        "etc/jackspot",
        "etc/jackspot/jackspot.toml",
        "etc/sysusers.d/jackspot.conf",
        "var/lib/jackspot",
        "var/lib/jackspot/journal.sqlite3",
    }
    assert contents(root)["boot/firmware/config.txt"] == before["boot/firmware/config.txt"]
    assert run_uninstall(root, "--purge").exit_code == 0
    left = set(contents(root)) - set(before)
    assert {name for name in left if "jackspot" in name} == {
        "boot/firmware/config.txt.before-jackspot"
    }
    assert "jackspot" not in (root / "etc/passwd").read_text(encoding="utf-8")
    assert not run_uninstall(root, "--purge").stderr


@pytest.mark.needs_root
def test_i2c_is_switched_on_for_every_model_and_the_old_file_is_kept(root: Path) -> None:
    place = root / "boot/firmware/config.txt"
    result = run_install(root)
    assert boot_config.is_wanted(place.read_text(encoding="utf-8"))
    kept = place.with_name("config.txt.before-jackspot")
    assert kept.read_text(encoding="utf-8") == "[pi4]\narm_boost=1\n"
    assert result.stdout.rstrip().endswith("sudo reboot")


@pytest.mark.needs_root
def test_i2c_is_left_alone_where_that_is_asked_for(root: Path) -> None:
    run_install(root, "--yes", "--no-i2c")
    assert (root / "boot/firmware/config.txt").read_text(encoding="utf-8") == "[pi4]\narm_boost=1\n"


@pytest.mark.needs_root
def test_a_step_that_fails_says_which_how_far_it_came_and_what_to_do(root: Path) -> None:
    (root / "etc/udev").write_text("a file where a folder must be\n", encoding="utf-8")
    result = run_install(root)
    assert result.exit_code == 1
    assert "devices: " in result.stderr
    assert "cannot be written" in result.stderr
    assert "3 of 8 steps are done; fix this, then install again" in result.stderr
    (root / "etc/udev").unlink()
    assert run_install(root).exit_code == 0


def test_a_folder_that_is_no_root_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(install.command, [f"--root={tmp_path}", "--dry-run"])
    assert result.exit_code == 1
    assert "expected the root of a system, found no etc in it" in result.stderr


def test_a_system_without_python_is_refused(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    result = CliRunner().invoke(install.command, [f"--root={tmp_path}", "--dry-run"])
    assert result.exit_code == 1
    assert "expected Python 3.11 or later, found none" in result.stderr


def test_a_program_that_is_missing_or_fails_is_named_with_its_status() -> None:
    with pytest.raises(StepFailed, match=r"sh -c 'exit 7': ended with status 7"):
        System().run("sh", "-c", "exit 7")
    with pytest.raises(StepFailed, match="no-such-program: cannot be started"):
        System().run("no-such-program")


def test_the_checkout_is_found_and_the_files_carried_are_those_of_its_folder() -> None:
    assert find_checkout() == ROOT
    for place, name in CARRIED.items():
        assert carried(place) == (ROOT / "systemd" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n", True),
        ("dtparam=i2c_arm=on\ndtparam=i2c_arm_baudrate=400000\n", True),
        ("dtparam=i2c=on\n[pi4]\narm_boost=1\n[all]\ndtparam=i2c_baudrate=400000\n", True),
        ("dtparam=i2c_arm=on\n", False),
        ("#dtparam=i2c_arm=on,i2c_arm_baudrate=400000\n", False),
        ("dtparam=i2c_arm=on,i2c_arm_baudrate=100000\n", False),
        ("[pi5]\ndtparam=i2c_arm=on,i2c_arm_baudrate=400000\n", False),
        ("dtparam=i2c_arm=on,i2c_arm_baudrate=400000\ndtparam=i2c_arm=off\n", False),
        ("", False),
    ],
)
def test_i2c_counts_as_on_only_for_every_model_and_at_400_khz(text: str, wanted: bool) -> None:
    assert boot_config.is_wanted(text) is wanted
    assert boot_config.is_wanted(boot_config.OURS.added_to(text))


@pytest.mark.parametrize("text", ["", "a=1", "a=1\n", "[pi4]\nb=2\n"])
def test_our_lines_come_once_and_go_without_a_trace(text: str) -> None:
    once = boot_config.OURS.added_to(text)
    assert boot_config.OURS.added_to(once) == once
    assert boot_config.OURS.taken_from(once).rstrip("\n") == text.rstrip("\n")
    more = once + "gpu_mem=16\n"
    assert boot_config.OURS.taken_from(more).endswith("gpu_mem=16\n")
