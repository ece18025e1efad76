"""The board as a process: started, pressed on its page, stopped, killed, started again.

The test plays the service manager: it receives READY and WATCHDOG on the notification socket,
so nothing here waits by the clock.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from jackspot.commands import main
from jackspot.commands.run import RENEWED
from jackspot.ops.stick.notify_board import stick_socket, tell_board
from jackspot.ops.switch_off import SHUT_DOWN
from jackspot.sensing.events import Stick
from tests.conftest import ATTEMPTS, PATIENCE_S
from tests.history.journals import Book

pytestmark = pytest.mark.live

ROOT = Path(__file__).resolve().parents[2]
WAIT_S = PATIENCE_S


class Manager:
    """A service manager with one board. ``heard`` has the messages so far."""

    def __init__(self, folder: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(folder / "notify"))
        self.socket.settimeout(WAIT_S)
        self.heard: list[str] = []

    def wait_for(self, message: str) -> None:
        """Wait for a message."""
        while message not in self.heard:
            self.heard.append(self.socket.recv(200).decode())


def free_port() -> int:
    """Return a port that is free just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Running:
    """One running board and how to reach it."""

    def __init__(self, process: subprocess.Popen[str], manager: Manager, port: int) -> None:
        self.process = process
        self.manager = manager
        self.base = f"http://127.0.0.1:{port}"

    def state(self) -> dict[str, object]:
        """Get the live state."""
        with urllib.request.urlopen(f"{self.base}/api/state", timeout=WAIT_S) as answer:
            found: dict[str, object] = json.load(answer)
        return found

    def events(self) -> Iterator[dict[str, Any]]:
        """Follow the stream of states."""
        with urllib.request.urlopen(f"{self.base}/api/events", timeout=WAIT_S) as stream:
            for line in stream:
                if line.startswith(b"data:"):
                    yield json.loads(line[5:])

    def until(self, phase: str) -> dict[str, object]:
        """Follow the stream until the board is in a phase."""
        return next(state for state in self.events() if state["phase"] == phase)

    def press(self, key: str, *gestures: str, ask: str = "") -> None:
        """Press and let go of a button of the page, or make other gestures with it."""
        ask = ask or str(self.state()["ask"])
        for motion in gestures or ("down", "up"):
            body = json.dumps({"button": key, "gesture": motion, "ask": ask}).encode()
            request = urllib.request.Request(
                f"{self.base}/api/press",
                data=body,
                headers={"Content-Type": "application/json", "Origin": self.base},
                method="POST",
            )
            urllib.request.urlopen(request, timeout=WAIT_S).close()


@contextmanager
def board(
    folder: Path,
    port: int | None = None,
    settings: str = "",
    web: str = "",
    command: tuple[str, ...] = ("from jackspot.commands import main; main()",),
    **more: str,
) -> Iterator[Running]:
    """Start `jackspot run` on mock pins, with its page, and wait until it is ready.

    ``settings`` are added to its config, ``web`` to the section of its pages and ``more`` to its
    environment. ``command`` is the program and its first arguments.
    """
    folder.mkdir(exist_ok=True)
    port = port or free_port()
    config = folder / "jackspot.toml"
    config.write_text(
        f'[gpio]\nfactory = "mock"\n[web]\nport = {port}\n{web}[oled]\ndriver = "none"\n'
        f'[journal]\npath = "{folder / "journal.sqlite3"}"\n{settings}',
        encoding="utf-8",
    )
    (folder / "notify").unlink(missing_ok=True)
    manager = Manager(folder)
    process = subprocess.Popen(
        [sys.executable, "-c", *command, "run",
         "--config", str(config)],
        env={**os.environ, "NOTIFY_SOCKET": str(folder / "notify"), **more},
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        manager.wait_for("READY=1")
        yield Running(process, manager, port)
    finally:
        process.kill()
        _out, log = process.communicate()
        manager.socket.close()
    assert "nothing was changed" not in (log or ""), log  # what the board's net has caught


GUARD_S = 0.6
"""An OK within half a second after a list has moved is not taken."""


def pick(running: Running, wanted: str, gesture: str) -> None:
    """Choose a line of the open list, and press until the board has moved on from it.

    A press that comes too late or too early for what is shown is not taken: look again.
    """
    with suppress(OSError):  # the board has stopped
        while True:
            state = running.state()
            menu, ask = state["menu"], str(state["ask"])
            if not isinstance(menu, dict) or wanted not in menu["items"]:
                return
            chosen = menu["items"][menu["chosen"]] == wanted
            if chosen:
                time.sleep(GUARD_S)
            with suppress(urllib.error.HTTPError):
                running.press(*(("ok", gesture) if chosen else ("fix", "short")), ask=ask)


def shut_down(running: Running) -> None:
    """Go through the menu until the board has stopped; it closes on its own on a slow machine."""
    due_s = time.monotonic() + WAIT_S
    while running.process.poll() is None and time.monotonic() < due_s:
        with suppress(OSError):  # the board has stopped, or did not take a late press
            menu = running.state()["menu"]
            lines = menu["items"] if isinstance(menu, dict) else ()
            if "safe shutdown" in lines:
                pick(running, "safe shutdown", "hold")
            elif "the board itself" in lines:
                pick(running, "the board itself", "short")
            else:
                running.press("fix", "hold")
                time.sleep(GUARD_S)


def test_a_board_that_people_shut_down_says_so_by_its_status(tmp_path: Path) -> None:
    with board(tmp_path) as running:
        running.press("ok")
        running.until("ready")
        shut_down(running)
        assert running.process.wait(WAIT_S) == SHUT_DOWN
        running.manager.wait_for("STOPPING=1")


def test_a_board_that_runs_is_told_of_sticks_and_takes_its_socket_away(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    with board(tmp_path) as running:
        assert tell_board(journal, Stick.WRITTEN)
        assert running.state()["phase"] == "setup"
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(WAIT_S) == 0
    assert not stick_socket(journal).exists()


def test_a_newer_version_is_taken_in_set_up_and_when_a_match_is_over_but_never_in_one(
    tmp_path: Path,
) -> None:
    def is_on(*lines: str) -> Path:
        folder = tmp_path / str(len(lines))
        folder.mkdir()
        with Book(folder / "journal.sqlite3") as book:
            book.play("\n".join(('rules = "hikone"', "---", *lines, "")))
        return folder

    match = ("N -", "S 12*green", "S jack")
    with board(is_on(*match[:2]), WATCHDOG_USEC="200000") as running:
        assert running.state()["phase"] == "paused"
        running.process.send_signal(RENEWED)
        for _feeding in range(3):
            running.manager.heard.clear()
            running.manager.wait_for("WATCHDOG=1")
        assert running.state()["phase"] == "paused"
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(WAIT_S) == 0
    for folder, phase in ((tmp_path / "new", "setup"), (is_on(*match), "match_over")):
        with board(folder) as running:
            assert running.state()["phase"] == phase
            running.process.send_signal(RENEWED)
            assert running.process.wait(WAIT_S) == 0
            running.manager.wait_for("STOPPING=1")


FROM_APT = """
import sys
sys.path.insert(0, sys.argv.pop(1))
opened = sys.argv.pop(1)
from jackspot.commands import main, run
from jackspot.ops.install import program
program.APTS_HOME, run.WHOLE_AFTER_S = sys.path[0], 0.0
whole = run.open_whole
run.open_whole = lambda: (whole(), open(opened, "w").close())
main()
"""


def test_a_board_whose_files_are_replaced_goes_on_with_all_its_pages(tmp_path: Path) -> None:
    """apt replaces them; here they are simply gone."""
    program, opened = tmp_path / "program", tmp_path / "opened"
    shutil.copytree(ROOT / "firmware" / "jackspot", program / "jackspot")
    command = (FROM_APT, str(program), str(opened))
    with board(tmp_path / "board", command=command) as running:
        until_s = time.monotonic() + WAIT_S
        while not opened.exists():
            assert time.monotonic() < until_s
            time.sleep(0.05)
        assert running.state()["phase"] == "setup"
        shutil.rmtree(program)
        running.press("ok")
        assert running.until("ready")["turn"] == "N"
        for page in ("", "overlay", "referee", "matches", "api", "api/openapi.json",
                     "api/state", "api/schema", "api/matches"):  # fmt: skip
            with urllib.request.urlopen(f"{running.base}/{page}", timeout=WAIT_S) as answer:
                assert answer.status == 200, page
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(WAIT_S) == 0


def test_a_sensor_hub_that_is_not_plugged_in_is_among_the_parts_with_what_is_wrong(
    tmp_path: Path,
) -> None:
    hub = f'[sensor_hub]\nport = "{tmp_path / "nothing"}"\n'
    with board(tmp_path, settings=hub) as running:
        state = next(state for state in running.events() if state["faults"])
    told = {part["part"]: (part["kind"], part["trouble"]) for part in state["health"]}
    assert told["sensor_hub"] == ("sensor_hub", "gone")


def test_a_board_stops_within_a_second_of_being_told(tmp_path: Path) -> None:
    """A machine on which boards take long to start may take as long to stop one."""

    def is_quick(folder: Path) -> bool:
        begun_s = time.monotonic()
        with board(folder) as running:
            started_s = time.monotonic() - begun_s
            assert running.state()["phase"] == "setup"
            told_s = time.monotonic()
            running.process.send_signal(signal.SIGTERM)
            assert running.process.wait(WAIT_S) == 0
            took_s = time.monotonic() - told_s
            running.manager.wait_for("STOPPING=1")
            return took_s < max(1.0, started_s)

    assert any(is_quick(tmp_path / str(number)) for number in range(ATTEMPTS))


@pytest.mark.long
def test_the_loop_feeds_the_watchdog(tmp_path: Path) -> None:
    """The test of a newer version that has to wait checks this too."""
    with board(tmp_path, WATCHDOG_USEC="400000") as running:
        running.manager.wait_for("WATCHDOG=1")


def test_a_board_killed_comes_back_with_its_match_and_asks_for_a_glance(tmp_path: Path) -> None:
    with board(tmp_path) as running:
        running.press("ok")
        assert running.until("ready")["turn"] == "N"
        running.process.send_signal(signal.SIGKILL)
        running.process.wait(WAIT_S)
    with board(tmp_path) as running:
        state = running.state()
        assert state["phase"] == "paused"
        prompts = state["prompts"]
        assert isinstance(prompts, dict)
        assert prompts["headline"] == "power was off"
        running.press("ok")
        assert running.until("ready")["turn"] == "N"


@pytest.mark.always
def test_a_stop_keeps_the_match_too(tmp_path: Path) -> None:
    with board(tmp_path) as running:
        running.press("ok")
        running.until("ready")
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(WAIT_S) == 0
    with board(tmp_path) as running:
        assert running.state()["phase"] == "paused"


def test_a_second_board_on_the_same_journal_is_refused_with_the_reason(tmp_path: Path) -> None:
    with board(tmp_path):
        config = tmp_path / "second.toml"
        config.write_text(
            f'[gpio]\nfactory = "mock"\n[web]\nport = {free_port()}\n'
            f'[journal]\npath = "{tmp_path / "journal.sqlite3"}"\n',
            encoding="utf-8",
        )
        second = run_to_its_end(config)
    assert second.returncode == 1
    assert "journal.sqlite3" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_port_that_is_taken_is_told_with_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        config = tmp_path / "jackspot.toml"
        config.write_text(
            f'[gpio]\nfactory = "mock"\n[web]\nport = {taken.getsockname()[1]}\n'
            f'[journal]\npath = "{tmp_path / "journal.sqlite3"}"\n',
            encoding="utf-8",
        )
        failed = run_to_its_end(config)
    assert failed.returncode == 1
    assert str(taken) != failed.stderr
    assert "port" in failed.stderr
    assert "Traceback" not in failed.stderr


def test_a_board_that_has_no_pins_says_why_in_a_line(tmp_path: Path) -> None:
    config = tmp_path / "jackspot.toml"
    config.write_text("[gpio]\nfactory = 'lgpio'\n", encoding="utf-8")
    failed = run_to_its_end(config)
    assert failed.returncode == 1
    assert "lgpio" in failed.stderr
    assert "Traceback" not in failed.stderr


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[gpio]\nfactroy = 'mock'\n", "factory"),
        ("[match]\nrules = 'hikoen'\n", "hikone"),
        ("[pins]\npocket_ne = 17\n", "referee_undo"),
        ("not toml", "TOML"),
    ],
)
def test_a_config_that_cannot_be_taken_says_why_in_a_line(
    tmp_path: Path, text: str, told: str
) -> None:
    config = tmp_path / "jackspot.toml"
    config.write_text(text, encoding="utf-8")
    failed = CliRunner().invoke(main, ["run", "--config", str(config)])
    assert (failed.exit_code, type(failed.exception)) == (1, SystemExit)
    assert told in failed.stderr


def test_a_stale_press_is_refused_with_the_reason(tmp_path: Path) -> None:
    with board(tmp_path) as running:
        old = running.state()["ask"]
        running.press("ok")
        running.until("ready")
        body = json.dumps({"button": "ok", "gesture": "down", "ask": old}).encode()
        request = urllib.request.Request(
            f"{running.base}/api/press", data=body, method="POST",
            headers={"Content-Type": "application/json", "Origin": running.base},
        )  # fmt: skip
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=WAIT_S)
        assert refused.value.code == 409
        refused.value.close()


def run_to_its_end(config: Path) -> subprocess.CompletedProcess[str]:
    """Run a board that cannot start."""
    return subprocess.run(
        [sys.executable, "-c", "from jackspot.commands import main; main()", "run",
         "--config", str(config)],
        capture_output=True, text=True, timeout=WAIT_S, check=False,
    )  # fmt: skip


PIPES = (
    "journal.sqlite3",
    "journal.sqlite3-wal",
    "journal.sqlite3-shm",
    "journal.sqlite3-journal",
    "journal.sqlite3.mark",
    "journal.sqlite3.lock",
    "journal.sqlite3.starts",
    "journal.sqlite3.history",
    "journal.sqlite3.history-journal",
    "referee.json",
    "referee.json.new",
    "hotspot.json",
    "logo.png",
    "calibration.toml",
    "learnt.toml",
)
"""Files beside the journal and in the config that somebody may have replaced by a pipe."""


WITHOUT_JOURNAL = PIPES[PIPES.index("journal.sqlite3.mark") :]
"""The ones that leave the journal as it is: none hides that another one blocks the board."""


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(PIPES[:1], id="the journal"),
        pytest.param(WITHOUT_JOURNAL, id="all that leave it"),
        *(pytest.param((name,), id=name, marks=pytest.mark.long) for name in PIPES[1:]),
    ],
)
def test_a_pipe_in_place_of_a_file_holds_neither_the_start_nor_the_end(
    tmp_path: Path, names: Sequence[str]
) -> None:
    for name in names:
        os.mkfifo(tmp_path / name)
    files = "".join(
        f'[{part}]\npath = "{tmp_path / part}.toml"\n' for part in ("calibration", "learnt")
    )
    logo = f'logo = "{tmp_path / "logo.png"}"\n'
    with board(tmp_path, settings=f"{files}use = true\n", web=logo) as running:
        assert running.state()["phase"] == "setup"
        with urllib.request.urlopen(f"{running.base}/api/matches", timeout=WAIT_S) as answer:
            assert answer.status == 200
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(WAIT_S) == 0
    with board(tmp_path, settings=f"{files}use = true\n") as running:
        assert running.state()["phase"] == "setup"
