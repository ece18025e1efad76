"""The files that make up the service, each checked by the tool that reads it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from jackspot.commands.run import RENEWED
from jackspot.config import Sources, load
from jackspot.ops.install.parts import carried_file
from jackspot.ops.install.plan import CARRIED, STATE, STICK_UDEV, STICK_UNIT, UNIT_PLACE, carried
from jackspot.ops.install.program import HOME
from jackspot.ops.switch_off import COMMAND_FAILED, COMMAND_RUN, SHUT_DOWN
from jackspot.ops.update import offered, stages
from jackspot.ops.update.stages import UNIT_FILE
from jackspot.storage.wall_clock import BOOT_ID
from jackspot.web.connections import RESERVE, ROUND
from jackspot.web.guard import ClientLimits

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "systemd"
UNIT = FOLDER / "jackspot.service"
EXPOSURE_AT_MOST = 20
"""Tenths, as ``systemd-analyze security`` gives them; less is better."""
STICK_EXPOSURE_AT_MOST = 25


def unit() -> dict[str, list[str]]:
    """Return the values of each key of the unit."""
    found: dict[str, list[str]] = {}
    for line in UNIT.read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def told_by(*program: str) -> tuple[int, str] | None:
    """Run a tool; return its status and all its output, or None where it is not installed."""
    found = shutil.which(program[0])
    if found is None:
        return None
    done = subprocess.run([found, *program[1:]], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_service_reports_its_start_is_watched_and_comes_back() -> None:
    said = unit()
    assert said["Type"] == ["notify"]
    assert int(said["WatchdogSec"][0]) >= 2
    assert said["Restart"] == ["always"]
    assert said["StartLimitIntervalSec"] == ["0"]
    assert "NotifyAccess" not in said, "only the board's own process feeds the watchdog"


def test_the_unit_raises_the_limit_so_that_all_connections_leave_the_reserve() -> None:
    assert int(unit()["LimitNOFILE"][0]) >= ClientLimits().connections + ROUND + RESERVE
    assert int(unit()["LogRateLimitBurst"][0]) > 0


def test_nothing_but_the_boards_loop_feeds_the_watchdog() -> None:
    firmware = ROOT / "firmware" / "jackspot"
    feeding = [
        str(path.relative_to(firmware))
        for path in sorted(firmware.rglob("*.py"))
        if "watchdog.feed)" in path.read_text(encoding="utf-8")
        or "WATCHDOG=1" in path.read_text(encoding="utf-8")
    ]
    assert feeding == ["board.py", "ops/watchdog.py"]


def test_a_board_that_people_shut_down_stays_down_and_the_machine_is_switched_off() -> None:
    said = unit()
    ends = (SHUT_DOWN, COMMAND_RUN, COMMAND_FAILED)
    assert said["RestartPreventExitStatus"] == [" ".join(map(str, ends))]
    assert said["SuccessExitStatus"] == [f"{SHUT_DOWN} {COMMAND_RUN}"]
    [after] = said["ExecStopPost"]
    assert after.startswith("+/bin/sh -c '")
    assert after.endswith("'")
    script = after.removeprefix("+/bin/sh -c '").removesuffix("'")
    said_off = script.replace("exec systemctl", "echo systemctl")
    for status in (0, 1, SHUT_DOWN, COMMAND_RUN, COMMAND_FAILED, "TERM", "ABRT", ""):
        done = subprocess.run(
            ["/bin/sh", "-c", said_off],
            env={"EXIT_STATUS": str(status)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert bool(done.stdout) is (status == SHUT_DOWN), status


def test_a_reload_tells_the_board_of_a_newer_version_and_ends_nothing() -> None:
    [tells] = unit()["ExecReload"]
    told = tells.removeprefix("/bin/sh -c '").removesuffix("'")  # not every Debian has /bin/kill
    assert told == f"kill -{RENEWED.name.removeprefix('SIG')} $MAINPID"


def test_the_service_works_in_a_directory_of_its_own_and_may_write_its_journal() -> None:
    said = unit()
    assert said["WorkingDirectory"] == [f"/run/{said['RuntimeDirectory'][0]}"]
    assert said["RuntimeDirectoryMode"] == ["0750"]
    assert said["StateDirectoryMode"] == ["0750"]
    journal = load(Sources(())).journal.path
    assert str(journal.parent) == STATE == f"/var/lib/{said['StateDirectory'][0]}"


def test_the_service_starts_the_program_where_an_installation_puts_it() -> None:
    assert unit()["ExecStart"] == [f"{HOME}/bin/jackspot run"]


def test_the_service_reaches_pins_i2c_spi_and_serial_ports_and_no_other_device() -> None:
    said = unit()
    assert said["DevicePolicy"] == ["closed"]
    devices = {value.split()[0] for value in said["DeviceAllow"]}
    serial = {"char-ttyAMA", "char-ttyS", "char-ttyUSB", "char-ttyACM"}
    assert devices == {"char-gpiochip", "char-i2c", "char-spi", "/dev/gpiomem", *serial}


def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    path = tmp_path / UNIT.name
    text = carried(UNIT_PLACE)
    path.write_text(text.replace(f"{HOME}/bin/jackspot", "/bin/true"), encoding="utf-8")
    assert told_by("systemd-analyze", "verify", str(path)) in (None, (0, ""))


def test_the_units_exposure_is_at_most_two() -> None:
    told = told_by(
        "systemd-analyze",
        "security",
        "--offline=yes",
        "--no-pager",
        f"--threshold={EXPOSURE_AT_MOST}",
        str(UNIT),
    )
    assert told is None or told[0] == 0, told[1][-200:]


@pytest.mark.parametrize("unit", sorted(FOLDER.glob("*.service")), ids=lambda path: path.name)
def test_no_unit_hides_where_the_start_of_the_machine_is_read(unit: Path) -> None:
    """``ProcSubset=pid`` hides the boot's id, without which no journal begins."""
    assert BOOT_ID.is_relative_to("/proc/sys")
    assert "ProcSubset" not in unit.read_text(encoding="utf-8")


def test_systemd_finds_nothing_wrong_with_the_unit_for_sticks(tmp_path: Path) -> None:
    path = tmp_path / "jackspot-stick@.service"
    text = carried(STICK_UNIT)
    assert f"\nExecStart={HOME}/bin/jackspot stick /dev/%I\n" in text
    path.write_text(text.replace(f"{HOME}/bin/jackspot", "/bin/true"), encoding="utf-8")
    instance = path.with_name("jackspot-stick@sda1.service")
    instance.symlink_to(path)
    assert told_by("systemd-analyze", "verify", str(instance)) in (None, (0, ""))


def test_systemd_finds_nothing_wrong_with_the_unit_that_goes_on_with_an_update(
    tmp_path: Path,
) -> None:
    path = tmp_path / UNIT_FILE
    text = carried_file(UNIT_FILE)
    assert f"\nConditionPathExists={stages.STATE}\n" in text
    started = f"/usr/bin/python3 -P {stages.GO_ON}"
    assert f"\nExecStart={started}\n" in text
    path.write_text(text.replace(started, "/bin/true"), encoding="utf-8")
    assert told_by("systemd-analyze", "verify", str(path)) in (None, (0, ""))


def test_the_exposure_of_the_unit_for_sticks_is_small_for_one_that_mounts() -> None:
    told = told_by(
        "systemd-analyze", "security", "--offline=yes", "--no-pager",
        f"--threshold={STICK_EXPOSURE_AT_MOST}", str(FOLDER / CARRIED[STICK_UNIT]),
    )  # fmt: skip
    assert told is None or told[0] == 0, told[1][-200:]


def test_only_a_usb_disk_that_is_plugged_in_starts_the_unit_for_sticks() -> None:
    """Its partitions do, or the whole disk if it is not empty and has no partition table."""
    path = FOLDER / CARRIED[STICK_UDEV]
    told = told_by("udevadm", "verify", "--resolve-names=never", str(path))
    if told is not None and "Unknown command verb" not in told[1]:  # systemd 254 and later
        assert told[0] == 0, told[1]
    rules = [line for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]
    partition, disk = (set(rule.split(", ")) for rule in rules)
    assert partition & disk == {
        'ACTION=="add"', 'SUBSYSTEM=="block"', 'SUBSYSTEMS=="usb"', 'TAG+="systemd"',
        'ENV{SYSTEMD_WANTS}+="jackspot-stick@%k.service"',
    }  # fmt: skip
    assert 'ENV{DEVTYPE}=="partition"' in partition
    assert disk - partition == {
        'ENV{DEVTYPE}=="disk"', 'ATTR{size}!="0"', 'ENV{ID_PART_TABLE_TYPE}!="?*"',
    }  # fmt: skip


def test_systemd_understands_the_users_and_groups(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    path = FOLDER / "jackspot.sysusers.conf"
    lines = path.read_text(encoding="utf-8").splitlines()
    written = [line for line in lines if line and not line.startswith("#")]
    told = told_by("systemd-sysusers", f"--root={tmp_path}", "--dry-run", "--inline", *written)
    assert told is None or (told[0] == 0 and "jackspot" in told[1])


def test_udev_finds_nothing_wrong_with_the_rules() -> None:
    path = FOLDER / "60-jackspot.rules"
    told = told_by("udevadm", "verify", "--resolve-names=never", str(path))
    if told is not None and "Unknown command verb" not in told[1]:  # systemd 254 and later
        assert told[0] == 0, told[1]
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            assert line.endswith('MODE="0660"')
            assert 'GROUP="' in line


@pytest.mark.parametrize("name", sorted(CARRIED.values()))
def test_each_file_is_carried_in_the_package_and_read_in_its_folder(name: str) -> None:
    assert (FOLDER / name).is_file()
    assert (FOLDER / name).read_text(encoding="utf-8").startswith("#")


def test_root_watches_the_boards_folder_and_starts_the_usual_command(tmp_path: Path) -> None:
    path, service = (FOLDER / f"jackspot-offered.{kind}" for kind in ("path", "service"))
    watched = f"PathExists={offered.SPOOL}/{offered.NAME}"
    assert watched in path.read_text(encoding="utf-8").splitlines()
    assert f"{STATE}/" in watched, "the board may write it"
    started = f"ExecStart={HOME}/bin/jackspot update --offered"
    text = service.read_text(encoding="utf-8")
    assert started in text.splitlines()
    assert "User=" not in text
    (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / service.name).write_text(text.replace(started, "ExecStart=/bin/true"))
    found = told_by("systemd-analyze", "verify", *map(str, tmp_path.iterdir()))
    assert found in (None, (0, ""))
