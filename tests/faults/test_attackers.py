"""A stranger on the network must not touch the game, whatever they do to the pages.

The board plays on in time and feeds its watchdog while others hold its connections, read its
streams, send requests, guess PINs and talk nonsense. Its handles and memory stay bounded, and
within ten seconds of the end all is as before.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

import httpx
import pytest

from jackspot.config import find, load
from jackspot.config.model import Config
from tests.bench.bench_edge import SETTINGS, Stroke
from tests.bench.bench_spectators import Unhurried, middles
from tests.conftest import ATTEMPTS, PATIENCE_S
from tests.faults.attackers import MODES
from tests.faults.test_board_process import Running, board

ROOT = Path(__file__).resolve().parents[2]
PIN = "246810"
SETTLED_S = 10.0
"""How soon after an attack all is as before."""
LONGEST_S = 60.0
UNDER_WAY_S = 6.0
ROUNDS, STROKES = 6, 4
RATIO = 1.1
"""How much longer an edge may take to reach the OLED than in quiet."""
WATCHED_S = 2
HANDLES = 700
MORE_MIB = 64


@contextmanager
def attacked(port: int, mode: str, for_s: float = LONGEST_S) -> Iterator[None]:
    """Attack during the block, once the strangers have used up the bursts that all may make."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.faults.attackers", str(port), mode, str(for_s)], cwd=ROOT
    ) as process:
        time.sleep(UNDER_WAY_S)
        try:
            yield
        finally:
            process.terminate()


def handles(process: int) -> int:
    return sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())


def memory_mib(process: int) -> float:
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024


def longest_silence_s(running: Running, for_s: float) -> float:
    """Listen to the watchdog's feeds for this long; return the longest time without any."""
    begun_s = last_s = time.monotonic()
    longest_s = 0.0
    while last_s - begun_s < for_s:
        assert running.manager.socket.recv(200) == b"WATCHDOG=1"
        now_s = time.monotonic()
        longest_s, last_s = max(longest_s, now_s - last_s), now_s
    return longest_s


def press_ok(referee: httpx.Client, base: str) -> None:
    """Press OK on what is asked now."""
    ask = referee.get(f"{base}/api/state").json()["ask"]
    press = {"button": "ok", "gesture": "short", "ask": ask}
    assert referee.post(f"{base}/api/press", json=press).status_code == 204


def entered(referee: httpx.Client, base: str) -> int:
    """Count the lines of the match that is being played."""
    return referee.get(f"{base}/api/record").text.partition("---\n")[2].count("\n")


def sign_in_and_play(base: str) -> None:
    """Sign in as a referee who was not here before, read, and enter a stroke of the match.

    Like a browser, try again when cut off.
    """
    due_s = time.monotonic() + SETTLED_S
    own = httpx.HTTPTransport(local_address="127.9.9.9")
    with httpx.Client(transport=own, timeout=SETTLED_S) as referee:
        while True:
            try:
                signed = referee.post(f"{base}/api/session", json={"pin": PIN})
                assert signed.status_code == 200
                with referee.stream("GET", f"{base}/api/referee/events") as stream:
                    assert stream.status_code == 200
                if not entered(referee, base):
                    press_ok(referee, base)
                while not entered(referee, base):
                    assert time.monotonic() < due_s, "a press is not entered"
            except httpx.TransportError:
                assert time.monotonic() < due_s, "a referee does not get in"
            else:
                return


def start_a_match(running: Running) -> None:
    """Sign in and start the match that is played while strangers attack."""
    with httpx.Client(timeout=PATIENCE_S) as referee:
        assert referee.post(f"{running.base}/api/session", json={"pin": PIN}).status_code == 200
        press_ok(referee, running.base)
        running.until("ready")


def endure(folder: Path, mode: str, for_s: float) -> None:
    """Attack a board that has the handles of a usual process; check that it is none the worse."""
    settings = f'pin = "{PIN}"\n'
    limit_us = str(WATCHED_S * 1_000_000)
    with board(folder, web=settings, WATCHDOG_USEC=limit_us) as running:
        number, port = running.process.pid, int(running.base.rpartition(":")[2])
        resource.prlimit(number, resource.RLIMIT_NOFILE, (1_024, 1_024))
        start_a_match(running)
        before = handles(number), memory_mib(number)
        with attacked(port, mode):
            assert longest_silence_s(running, for_s) < WATCHED_S
            during = handles(number), memory_mib(number)
            sign_in_and_play(running.base)
        assert during[0] < HANDLES
        assert during[1] < before[1] + MORE_MIB
        due_s = time.monotonic() + SETTLED_S
        while handles(number) > before[0] + 4:
            assert time.monotonic() < due_s, f"{handles(number)} handles, {before[0]} before"
            time.sleep(0.2)
        assert running.state()["phase"] == "ready"
        assert memory_mib(number) < before[1] + MORE_MIB
        running.process.terminate()
        _out, log = running.process.communicate(timeout=PATIENCE_S)
    assert len(log) < 10_000, log[:2_000]
    assert "Traceback" not in log


@pytest.mark.long
@pytest.mark.alone
def test_two_thousand_idle_connections_do_not_end_the_board(tmp_path: Path) -> None:
    endure(tmp_path, "idle", 5.0)


@pytest.mark.long
@pytest.mark.alone
@pytest.mark.parametrize("mode", MODES)
def test_a_board_that_is_attacked_is_fed_and_level_and_soon_as_before(
    tmp_path: Path, mode: str
) -> None:
    endure(tmp_path, mode, 30.0)


@pytest.mark.long
@pytest.mark.alone
@pytest.mark.parametrize("mode", MODES)
def test_from_edge_to_oled_it_takes_no_longer_while_strangers_attack(
    tmp_path: Path, mode: str
) -> None:
    """Strokes in quiet and under attack take turns, so that both meet the same machine.

    If a busy machine makes their median doubtful, more strokes are taken.
    """
    (tmp_path / "jackspot.toml").write_text(
        SETTINGS.replace("enabled = false", f'port = 0\npin = "{PIN}"'), encoding="utf-8"
    )
    config = load(find(tmp_path / "jackspot.toml"))
    tried: list[list[float]] = []
    costs: dict[bool, list[Stroke]] = {False: [], True: []}
    while len(tried) < ATTEMPTS:
        take_strokes(costs, config, tmp_path / str(len(tried)), mode)
        pairs = zip(middles(costs[True]), middles(costs[False]), strict=True)
        tried.append([round(loud.total_us / quiet.total_us, 3) for loud, quiet in pairs])
        if max(tried[-1]) <= RATIO:
            return
    pytest.fail(f"{tried}")


def take_strokes(costs: dict[bool, list[Stroke]], config: Config, folder: Path, mode: str) -> None:
    """Take strokes under attack and in quiet, and add what they cost."""
    folder.mkdir()
    for number in range(ROUNDS):
        for is_attacked in sorted(costs, reverse=bool(number % 2)):
            bench = Unhurried(config, folder / f"journal-{number}-{is_attacked}.db")
            with closing(bench):
                bench.begin()
                with attacked(bench.port, mode) if is_attacked else nullcontext():
                    costs[is_attacked] += [bench.stroke() for _ in range(STROKES)]
