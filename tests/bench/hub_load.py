"""A hub with a whole hall: boards that play what they are told, phones and walls that watch.

The hub is the real command in a process of its own, with its journal on the disk and its pages
served; the broker is a real one. The boards are one client that sends what boards send, in the real
messages and at their pace: a stroke every twelve seconds, results that are acknowledged. Phones and
walls read the event streams in a process of their own; one more wall is measured.

It prints how long a stroke takes from a board to the wall, and what the hub takes (/proc).

Usage: ``python -m tests.bench.hub_load [--boards 999] [--minutes 5] [--phones 200] [--walls 10]``
"""

from __future__ import annotations

import heapq
import itertools
import json
import random
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from jackspot.core.record import read_record
from jackspot.festival.broker import Broker
from jackspot.festival.messages import PREFIX, What, crc32, read_topic, write
from jackspot.festival.names import board_id
from jackspot_sim.hall.boards import allow_files
from tests.bench.hall_load import cpu_s
from tests.bench.processes import resident_mib

HALL = "load"
STROKE_S = 12.0
STROKES = (20, 30)
SITS_S = (5.0, 40.0)
AGAIN_S = 5.0
SETTLES_S = 20.0
PAGES = re.compile(r"phones\s+http://[^:]+:(\d+)/")
EVENT = """\
name = "Load"
hall = "load"
boards = {boards}
"""
CONTEST = """
[[contest]]
name = "{name}"
format = "groups"
groups = {groups}
upper = 3
entrants = {names}
match = {{ rules = "hikone", options = {{ time_limit_s = 300 }} }}
"""


class PlayedBoard:
    """One board's match: its order, the strokes so far and those to come."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.order: int | None = None
        self.header = ""
        self.strokes = self.left = self.seq = 0
        self.unacknowledged: dict[str, Any] | None = None


class Hall:
    """All boards at one broker; ``said`` is when each of them sent which score."""

    def __init__(self, broker: tuple[str, int], boards: int) -> None:
        self.boards = {number: PlayedBoard(number) for number in range(1, boards + 1)}
        self.said: dict[tuple[int, int], float] = {}
        self.results = self.strokes = 0
        self._due: list[tuple[float, int, int, Callable[[PlayedBoard], None]]] = []
        self._numbers = itertools.count()
        self._lock = threading.Condition()
        self._random = random.Random(boards)
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, "boards", protocol=mqtt.MQTTv5)
        self._client.max_inflight_messages_set(0)
        self._client.on_message = self._heard
        self._client.connect(*broker)
        self._client.subscribe([(f"{PREFIX}/{HALL}/to/+/{leaf}", 1) for leaf in ("order", "ack")])
        self._client.loop_start()
        for number in self.boards:
            self._say(number, What.STATUS, {"v": 1, "state": "ready", "boot": "a", "n": 1})
            self._match(self.boards[number], "none")
        threading.Thread(target=self._play, daemon=True).start()

    def _say(self, number: int, what: What, said: dict[str, Any]) -> None:
        topic = what.topic(HALL, board_id(number))
        self._client.publish(topic, write(said), what.qos, what.retained)

    def _match(self, board: PlayedBoard, state: str) -> None:
        self._say(board.number, What.MATCH,
                  {"v": 1, "order": board.order, "state": state, "since_ms": 0})  # fmt: skip

    def _heard(self, _client: Any, _data: Any, message: mqtt.MQTTMessage) -> None:
        address, said = read_topic(message.topic), json.loads(message.payload)
        board = self.boards[int(address.board[1:])]
        if address.what is What.ACK:
            waits = board.unacknowledged
            if waits is not None and said["journals"].get("x", 0) >= waits["seq"]:
                board.unacknowledged = None
        elif said["order"] not in (None, board.order):
            board.order, board.header = said["order"], said["header"]
            self._match(board, "offered")
            self._later(board, self._random.uniform(*SITS_S), self._begin)

    def _later(
        self, board: PlayedBoard, seconds: float, does: Callable[[PlayedBoard], None]
    ) -> None:
        with self._lock:
            due = (time.monotonic() + seconds, next(self._numbers), board.number, does)
            heapq.heappush(self._due, due)
            self._lock.notify()

    def _play(self) -> None:
        while True:
            with self._lock:
                while not self._due or self._due[0][0] > time.monotonic():
                    left_s = self._due[0][0] - time.monotonic() if self._due else 1.0
                    self._lock.wait(max(left_s, 0.0))
                _, _, number, does = heapq.heappop(self._due)
            does(self.boards[number])

    def _begin(self, board: PlayedBoard) -> None:
        board.strokes, board.left = 0, self._random.randint(*STROKES)
        self._match(board, "playing")
        self._later(board, self._random.uniform(0, STROKE_S), self._stroke)

    def _stroke(self, board: PlayedBoard) -> None:
        board.strokes += 1
        board.left -= 1
        board.seq += 1
        self.strokes += 1
        text = board.header + "N -\nS -\n" * (board.strokes // 2)
        self._say(board.number, What.RECORD, {"v": 1, "journal": "x", "seq": board.seq,
                                              "record": text, "crc32": crc32(text)})  # fmt: skip
        score = 1_000 * ((board.order or 0) % 99) + board.strokes  # unique among its last orders
        sides = [{"side": side, "seats": [seat], "names": [f"Player {board.number}"],
                  "score": score, "owed": 0, "boards": 0}
                 for side, seat in (("red", "N"), ("green", "S"))]  # fmt: skip
        self.said[board.number, score] = time.monotonic()
        self._say(board.number, What.STATE, {
            "v": 1, "rules": "hikone", "phase": "ready", "board": 1, "best_of": 1, "sides": sides,
            "turn": "N", "proposed": None, "winner": None, "points": None, "faults": [],
            "clock": {"limit_ms": 300_000, "remaining_ms": 12_000 * board.left, "running": True,
                      "at_ms": 1_000 * board.seq},
        })  # fmt: skip
        self._later(board, STROKE_S, self._stroke if board.left else self._end)

    def _end(self, board: PlayedBoard) -> None:
        text = board.header + self._random.choice(["! resign N\n", "N 12*red\nN jack\n"])
        state = read_record(text).match.state
        board.seq += 1
        self._match(board, "over")
        board.unacknowledged = {
            "v": 1, "id": f"{board_id(board.number)}-x-{board.seq}", "journal": "x",
            "seq": board.seq, "match": board.seq, "revision": 1, "order": board.order,
            "winner": state.winner, "points": dict(state.points),
            "boards": dict(state.boards_won), "by": None, "record": text, "crc32": crc32(text),
            "wall_ms": 0, "synchronised": False,
        }  # fmt: skip
        self.results += 1
        self._send(board)

    def _send(self, board: PlayedBoard) -> None:
        """Send a result until it is acknowledged."""
        if board.unacknowledged is not None:
            self._say(board.number, What.RESULT, board.unacknowledged)
            self._later(board, AGAIN_S, self._send)


class MeasuredWall:
    """A wall that notes when it received which score of which board."""

    def __init__(self, port: int) -> None:
        self.told: dict[tuple[int, int], float] = {}
        self._stream = HTTPConnection("127.0.0.1", port, timeout=60)
        self._stream.request("GET", "/api/hub/events")
        self._answer = self._stream.getresponse()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while line := self._answer.readline():
            if not line.startswith(b"data: "):
                continue
            now_s = time.monotonic()
            for name, part in json.loads(line[6:]).items():
                if name.startswith("board/") and part is not None and "score" in part:
                    self.told.setdefault((part["n"], part["score"][0]), now_s)


def hub(around: ExitStack, folder: Path, broker: Broker, boards: int) -> tuple[int, int]:
    """Start the hub; return its process and the port of its pages."""
    text = EVENT.format(boards=boards)
    for name in ("one", "two"):
        names = json.dumps([f"{name} {number}" for number in range(1, boards + 1)])
        text += CONTEST.format(name=name, groups=boards // 6, names=names)
    (folder / "event.toml").write_text(text, encoding="utf-8")
    process = around.enter_context(subprocess.Popen(
        [Path(sys.executable).with_name("jackspot"), "hub", "run", folder / "event.toml",
         "--broker", f"{broker.address[0]}:{broker.address[1]}", "--pages", "127.0.0.1:0"],
        stdout=subprocess.PIPE, text=True,
    ))  # fmt: skip
    around.callback(process.terminate)
    assert process.stdout is not None
    for line in process.stdout:
        if found := PAGES.match(line):
            threading.Thread(target=process.stdout.read, daemon=True).start()
            return process.pid, int(found[1])
    raise AssertionError("the hub did not start")


@click.command()
@click.option("--boards", default=999)
@click.option("--minutes", default=5.0)
@click.option("--phones", default=200)
@click.option("--walls", default=10)
def main(boards: int, minutes: float, phones: int, walls: int) -> None:
    """Measure a hub with so many boards for so long."""
    allow_files(boards + phones + walls)
    with ExitStack() as around:
        folder = Path(around.enter_context(TemporaryDirectory(dir=Path(__file__).parent)))
        broker = around.enter_context(Broker())
        pid, port = hub(around, folder, broker, boards)
        for path, how_many in (("/api/hub/matches", phones), ("/api/hub/events", walls)):
            if how_many:
                onlookers = around.enter_context(subprocess.Popen(
                    [sys.executable, "-m", "tests.bench.onlookers", str(port), str(how_many), path],
                    stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                ))  # fmt: skip
                around.callback(onlookers.kill)
                assert onlookers.stdout is not None
                onlookers.stdout.readline()
        hall, wall = Hall(broker.address, boards), MeasuredWall(port)
        time.sleep(SITS_S[1] + STROKE_S + SETTLES_S)
        print(f"{boards} boards play, {phones} phones and {walls} walls look on", flush=True)
        since_s, before = time.monotonic(), (cpu_s(pid), hall.strokes, hall.results)
        time.sleep(minutes * 60)
        until_s = time.monotonic()
        took_s = until_s - since_s
        print(f"the hub takes {(cpu_s(pid) - before[0]) / took_s:.1%} of a core and "
              f"{resident_mib(pid):.1f} MiB; {hall.strokes - before[1]} strokes, "
              f"{hall.results - before[2]} results")  # fmt: skip
        time.sleep(2.0)
        said = {key: at_s for key, at_s in list(hall.said.items()) if since_s < at_s < until_s}
        took_ms = sorted(1_000 * (wall.told[key] - at_s)
                         for key, at_s in said.items() if key in wall.told)  # fmt: skip
        cuts = statistics.quantiles(took_ms, n=100, method="inclusive")
        print(f"{len(said) - len(took_ms)} strokes not seen on the wall; "
              f"p50 {cuts[49]:.0f} ms, p99 {cuts[98]:.0f} ms")  # fmt: skip
        open_results = sum(each.unacknowledged is not None for each in hall.boards.values())
        print(f"{open_results} results not acknowledged yet")


if __name__ == "__main__":
    main()
