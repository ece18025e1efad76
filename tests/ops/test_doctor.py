"""The doctor reports each thing that can be wrong with a board, with its remedy."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from jackspot.capture.tap import Tap, TapServer, socket_beside
from jackspot.commands import doctor as doctor_command, main
from jackspot.core.pieces import Pocket
from jackspot.inputs.errors import GpioRefused
from jackspot.inputs.factory import Gpio
from jackspot.ops.doctor import Finding, RealMachine, Severity, wires
from jackspot.ops.doctor.buses import check_i2c, check_serial
from jackspot.ops.doctor.holders import Holder, Holders
from jackspot.ops.doctor.pins import check_pins
from jackspot.ops.doctor.system import (
    check_clock,
    check_machine,
    check_power,
    check_service,
    check_update,
)
from jackspot.ops.doctor.wired_parts import check_journal, check_oled, check_sign
from jackspot.ops.doctor.wires import check_wires
from jackspot.sensing.events import Button, Edge, Key, Place, Tick
from tests.conftest import PATIENCE_S
from tests.ops.written_machine import Written, config, told


def look(machine: Written, **tables: object) -> list[Finding]:
    """Run all checks that need no wires; return the findings that are not well."""
    settings = config(**tables)
    findings = [
        *check_machine(machine), *check_power(machine), *check_clock(machine),
        *check_service(machine), *check_update(machine), *check_pins(machine, settings),
        *check_oled(machine, settings),
        *check_i2c(machine, settings), *check_serial(machine, settings),
        *check_sign(machine, settings), *check_journal(machine, Path("/nowhere/journal.sqlite3")),
    ]  # fmt: skip
    assert findings
    return [finding for finding in findings if finding.mark is not Severity.WELL]


def test_a_board_on_which_all_is_well_has_nothing_to_mend():
    assert look(Written()) == []


@pytest.mark.parametrize(
    "machine",
    [
        Written(clock_set=True),
        Written(files={"/sys/class/rtc/rtc0/since_epoch": b"1780000000\n", "/dev/rtc0": b""}),
    ],
)
def test_a_clock_that_some_program_set_or_that_goes_on_its_own_is_well(machine: Written) -> None:
    machine.gone.add("/run/systemd/timesync/synchronized")
    assert look(machine) == []


@pytest.mark.parametrize("said", [b'{"end": "updated", "version": "1.1", "why": ""}', b"{", b"[]"])
def test_an_update_that_succeeded_or_left_nothing_to_read_is_nothing_to_mend(said: bytes) -> None:
    assert look(Written(files={"/var/lib/jackspot-update/last.json": said})) == []


SIGN = {"kind": "alpha", "port": "/dev/serial/by-id/usb-FTDI"}


@pytest.mark.parametrize(
    ("machine", "mark", "what", "remedy"),
    [
        (Written(gone={"/proc/device-tree/model"}), Severity.DOUBTFUL, "machine", "jackspot sim"),
        (Written(version="3.9.2"), Severity.BROKEN, "python", "bookworm"),
        (Written(programs={"vcgencmd": "throttled=0x50005"}), Severity.BROKEN, "power", "supply"),
        (Written(programs={"vcgencmd": "throttled=0x50000"}), Severity.DOUBTFUL, "power", "supply"),
        (
            Written(files={"/sys/class/thermal/thermal_zone0/temp": b"81000"}),
            Severity.DOUBTFUL, "temperature", "shade",
        ),
        (
            Written(files={"/var/lib/jackspot-update/last.json":
                           b'{"end": "returned", "version": "1.1", "why": "trial: it failed"}'}),
            Severity.DOUBTFUL, "update", "/var/lib/jackspot-update/log",
        ),
        (
            Written(files={"/var/lib/jackspot-update/state.json": b"{}"}),
            Severity.DOUBTFUL, "update", "sudo jackspot update --go-on",
        ),
        (
            Written(gone={"/run/systemd/timesync/synchronized"}),
            Severity.DOUBTFUL, "clock", "date -s",
        ),
        (
            Written(
                files={"/sys/class/rtc/rtc0/since_epoch": b"86411\n", "/dev/rtc0": b""},
                gone={"/run/systemd/timesync/synchronized"},
            ),
            Severity.DOUBTFUL, "clock", "date -s",
        ),
        (Written(programs={"systemctl": ""}), Severity.DOUBTFUL, "service", "jackspot run"),
        (
            Written(programs={"systemctl": "LoadState=not-found"}),
            Severity.DOUBTFUL, "service", "README",
        ),
        (
            Written(programs={"systemctl": "LoadState=loaded\nActiveState=failed\n"
                              "UnitFileState=enabled"}),
            Severity.BROKEN, "service", "journalctl",
        ),
        (
            Written(programs={"systemctl": "LoadState=loaded\nActiveState=active\n"
                              "UnitFileState=disabled\nWatchdogUSec=10s"}),
            Severity.DOUBTFUL, "service", "systemctl enable",
        ),
        (
            Written(programs={"systemctl": "LoadState=loaded\nActiveState=active\n"
                              "UnitFileState=enabled\nNRestarts=3\nWatchdogUSec=10s"}),
            Severity.DOUBTFUL, "service", "journalctl",
        ),
        (
            Written(packages={"RPi.GPIO": "0.7.1", "rpi-lgpio": "0.6"}),
            Severity.BROKEN, "pin library", "pip uninstall",
        ),
        (Written(gone={"/dev/gpiochip0"}), Severity.BROKEN, "pins", "Raspberry Pi"),
        (Written(held={5: "gpio-fan"}), Severity.BROKEN, "pocket_ne", "another GPIO (free: none)"),
        (
            Written(gone={"/dev/gpiochip0"}, files={"/dev/gpiochip10": b""}),
            Severity.BROKEN, "pins", "set [gpio] chip to one of 10",
        ),
        (Written(status=0x08), Severity.DOUBTFUL, "OLED", '[oled] driver = "sh1106"'),
        (
            Written(programs={"systemctl": "LoadState=loaded\nActiveState=active\n"
                              "UnitFileState=enabled\nWatchdogUSec=0"}),
            Severity.DOUBTFUL, "service", "WatchdogSec",
        ),
        (
            Written(programs={"vcgencmd": "VCHI initialization failed"}, files={
                "/sys/class/hwmon/hwmon1/name": b"rpi_volt\n",
                "/sys/class/hwmon/hwmon1/in0_lcrit_alarm": b"1\n"}),
            Severity.DOUBTFUL, "power", "supply",
        ),
        (
            Written(locked={"/dev/gpiochip0"}, in_groups=set()),
            Severity.BROKEN, "pins", "usermod -aG gpio aiko",
        ),
        (Written(locked={"/dev/gpiochip0"}), Severity.BROKEN, "pins", "ls -l /dev/gpiochip0"),
        (Written(gone={"/dev/i2c-1"}), Severity.BROKEN, "I2C", "raspi-config"),
        (Written(locked={"/dev/i2c-1"}, in_groups=set()), Severity.BROKEN, "I2C", "-aG i2c aiko"),
        (
            Written(files={"/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency":
                           (100_000).to_bytes(4, "big")}),
            Severity.DOUBTFUL, "I2C", "baudrate=400000",
        ),
        (
            Written(files={"/sys/class/i2c-adapter/i2c-1/of_node/clock-frequency":
                           (1_000_000).to_bytes(4, "big")}),
            Severity.DOUBTFUL, "I2C", "baudrate=400000",
        ),
        (Written(answering=set()), Severity.BROKEN, "OLED", "four wires"),
        (Written(answering={0x3D}), Severity.BROKEN, "OLED", "address = 0x3d"),
        (Written(room=10**6), Severity.DOUBTFUL, "disk", "room"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_machine_is_told_with_what_mends_it(machine, mark, what, remedy):
    found = look(machine)
    assert [(each.mark, each.what) for each in found][:1] == [(mark, what)]
    assert remedy in found[0].remedy


@pytest.mark.parametrize(
    ("machine", "sign", "remedy"),
    [
        (Written(), SIGN, "plug it in"),
        (Written(files={SIGN["port"]: b""}, locked={SIGN["port"]}, in_groups=set()), SIGN,
         "-aG dialout aiko"),
        (Written(files={"/dev/ttyUSB0": b""}), SIGN | {"port": "/dev/ttyUSB0"}, "by-id"),
    ],
)  # fmt: skip
def test_a_sign_that_cannot_be_reached_is_told(machine, sign, remedy):
    [finding] = look(machine, sign=sign)
    assert finding.what == "sign"
    assert remedy in finding.remedy


def test_a_sign_at_its_lasting_name_is_well():
    assert look(Written(files={SIGN["port"]: b""}), sign=SIGN) == []


MINICOM, BOARD = Holder(812, "minicom"), Holder(813, "jackspot")


def test_another_program_that_holds_the_signs_port_is_named():
    held = Holders((MINICOM, BOARD))
    [finding] = look(Written(files={SIGN["port"]: b""}, holding={SIGN["port"]: held}), sign=SIGN)
    assert (finding.mark, finding.what) == (Severity.DOUBTFUL, "sign")
    assert "in use by minicom (process 812)" in finding.found
    assert "813" not in finding.found
    assert "stop that program" in finding.remedy


def test_the_board_itself_may_hold_the_signs_port():
    held = {SIGN["port"]: Holders((BOARD,))}
    assert look(Written(files={SIGN["port"]: b""}, holding=held), sign=SIGN) == []


@pytest.mark.parametrize(
    ("held", "told"),
    [
        (Holders(), "usb-FTDI (the sign's)"),
        (Holders((MINICOM,)), "usb-FTDI (the sign's, in use by minicom (process 812))"),
        (Holders((), all_seen=False), "usb-FTDI (the sign's); which programs use them is not seen"
                                      " in full without sudo"),
    ],
)  # fmt: skip
def test_a_serial_port_is_listed_with_who_has_it_open(held, told):
    machine = Written(files={SIGN["port"]: b""}, holding={SIGN["port"]: held})
    [finding] = check_serial(machine, config(sign=SIGN))
    assert finding.found.endswith(told)


def test_an_oled_by_spi_is_looked_for_on_its_own_bus():
    oled = {"interface": "spi"}
    [finding] = look(Written(), oled=oled, pins={"profile": "spi"})
    assert (finding.what, finding.mark) == ("SPI", Severity.BROKEN)
    there = Written(files={"/dev/spidev0.0": b""})
    assert look(there, oled=oled, pins={"profile": "spi"}) == []


def test_who_answers_on_the_bus_is_listed():
    findings = list(check_i2c(Written(answering={0x3C, 0x68}), config()))
    assert findings == [Finding(Severity.WELL, "I2C", "on /dev/i2c-1 answers: 0x3c, 0x68")]


def test_serial_adapters_are_listed_with_what_uses_them():
    ports = {SIGN["port"]: b"", "/dev/serial/by-id/usb-Arduino": b""}
    [finding] = check_serial(Written(files=ports), config(sign=SIGN))
    assert "usb-FTDI (the sign's)" in finding.found
    assert "usb-Arduino" in finding.found


def test_a_damaged_journal_is_told(tmp_path):
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(b"SQLite format 3\0 and then nothing that is any good")
    [finding] = told(check_journal(Written(), path))
    assert finding.mark is Severity.BROKEN
    assert "start the board" in finding.remedy


OK, FIX = Button(Place.REFEREE, Key.OK), Button(Place.REFEREE, Key.FIX)


@pytest.fixture
def watched(tmp_path):
    """Yield a function that has things happen at a running board while the doctor watches it."""
    journal = tmp_path / "journal.sqlite3"
    settings = config(gpio={"factory": "mock"}, pins={"seats": []})
    wires = [wire.source for wire in settings.wires if wire.source is not None]
    came, done = threading.Semaphore(0), threading.Event()
    tap = Tap(wires, lambda: ("", ()))
    server = TapServer(socket_beside(journal), tap, came.release)
    assert server.start()

    def happen(active: Sequence[Pocket | Button], edges: Sequence[Edge]) -> list[Finding]:
        tap.started(0, 0, active)

        def loop() -> None:
            assert came.acquire(timeout=PATIENCE_S)
            tap.took(Tick(1))
            for edge in edges:
                tap.took(edge)
            if edges:
                tap.stopped(10**9)  # the board ends it, so that all are reported, however slowly
            else:
                while came.acquire(timeout=PATIENCE_S) and not done.is_set():
                    tap.took(Tick(10**9))  # until the doctor has watched for long enough

        thread = threading.Thread(target=loop)
        thread.start()
        seconds = PATIENCE_S if edges else 0.01
        findings = list(check_wires(settings, journal, seconds, lambda _edge: None))
        done.set()
        came.release()
        thread.join()
        return findings

    yield happen
    server.close()


def test_a_running_board_is_asked_what_its_wires_do(watched):
    flicker = [Edge(100 + n, Pocket.SW, n % 2 == 0) for n in range(40)]
    press = [Edge(500, OK, True), Edge(600, OK, False)]
    through = [Edge(700, Pocket.NE, True), Edge(800, Pocket.NE, False)]
    findings = {each.what: each for each in watched([Pocket.SE, FIX], flicker + press + through)}
    connected = "GPIO {}, low when broken, pull up"
    quiet = f"quiet ({connected.format(19)})"
    assert findings["pocket_nw"] == Finding(Severity.WELL, "pocket_nw", quiet)
    seen = f"broken and whole again, 2 edges ({connected.format(5)})"
    assert findings["pocket_ne"].found == seen
    assert "flickers: 40 edges" in findings["pocket_sw"].found
    assert findings["pocket_se"].found == f"blocked ({connected.format(6)})"
    assert findings["referee_ok"].found == "pressed and let go"
    assert findings["referee_fix"].found == "held down"
    assert "referee_undo" in findings["buttons"].found


def test_a_running_board_is_left_when_it_has_been_watched_long_enough(watched):
    findings = {each.what: each for each in watched([Pocket.SE], [])}
    assert findings["pocket_nw"].found.startswith("quiet")
    assert findings["pocket_se"].found.startswith("blocked")


def test_without_a_running_board_the_pins_are_opened(tmp_path):
    settings = config(gpio={"factory": "mock"})
    findings = list(check_wires(settings, tmp_path / "j.sqlite3", 0.05, lambda _edge: None))
    assert {each.what for each in findings} >= {"pocket_ne", "pocket_nw", "buttons"}


def test_pins_that_cannot_be_opened_are_told(tmp_path, monkeypatch):
    def refused(*_: object) -> Gpio:
        raise GpioRefused("cannot open /dev/gpiochip0")

    monkeypatch.setattr(wires, "open_gpio", refused)
    settings = config(gpio={"factory": "mock"})
    [finding] = check_wires(settings, tmp_path / "j.sqlite3", 0.05, lambda _edge: None)
    assert (finding.what, finding.mark) == ("wires", Severity.BROKEN)


def test_a_terminal_without_ticks_is_told_in_letters():
    for encoding, sign in (("utf-8", "\N{CHECK MARK}"), ("ascii", "ok")):
        stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        console = Console(file=stream, width=80)
        plain = not console.encoding.startswith("utf")
        console.print(
            doctor_command.finding_line(Finding(Severity.WELL, "pins", "well"), plain=plain)
        )
        stream.flush()
        stream.seek(0)
        assert stream.read().startswith(sign)


def test_the_command_ends_by_what_it_found_and_speaks_json(tmp_path, monkeypatch):
    monkeypatch.setattr(doctor_command, "RealMachine", Written)
    file = tmp_path / "jackspot.toml"
    file.write_text('[gpio]\nfactory = "mock"\n')
    run = ["doctor", "--config", str(file), "--journal", str(tmp_path / "j"), "--seconds", "0"]
    well = CliRunner().invoke(main, run)
    assert well.exit_code == 0
    assert "Raspberry Pi Zero 2 W" in well.stdout
    file.write_text('[gpio]\nfactory = "moc"\n')
    bad = CliRunner().invoke(main, [*run, "--json"])
    assert bad.exit_code == 1
    findings = json.loads(bad.stdout)["findings"]
    assert findings[-1]["mark"] == "broken"
    assert "moc" in findings[-1]["found"]


def test_the_real_machine_answers_whatever_it_is_asked(tmp_path):
    machine = RealMachine(tmp_path)
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/os-release").write_text("X=1\n")
    assert machine.text("/etc/os-release") == "X=1"
    assert machine.data("/etc/nowhere") is None
    assert machine.matching("/etc/*") == ["/etc/os-release"]
    assert machine.may_use("/etc/os-release")
    assert machine.run(["no-such-program-at-all"]) is None
    assert machine.run(["echo", "yes"]) == "yes"
    assert machine.package("no-such-package") is None
    assert machine.package("gpiozero")
    assert not machine.has_module("no_such_module")
    assert machine.answers_i2c(77, 0x3C) is None
    assert machine.i2c_status(77, 0x3C) is None
    assert machine.line("/dev/gpiochip0", 5) is None
    assert machine.owner("/etc/nowhere") is None
    assert machine.holders("/etc/nowhere") == Holders()
    assert machine.owner("/etc/os-release")
    assert machine.here().user
    free = machine.free_bytes("/not/yet/there")
    assert free is not None
    assert free > 0
    assert machine.python().startswith("3.")
    assert machine.kernel()
    assert machine.user()
    assert isinstance(machine.groups(), set)
