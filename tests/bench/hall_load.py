"""A whole hall at one broker: many boards that play, then many that are only connected.

For each board that plays, the real journal and the real link run, in processes of at most 500
boards: two cores cannot carry a thousand whole boards. A match that a whole board played once (its
entries and its views, at its pace) is written and shown again and again, at a stroke every twelve
seconds. The journals are in memory, since a thousand boards have a thousand disks. A desk hears
everything and acknowledges the results.

These figures are printed:

- the time from a stroke confirmed and written until the desk hears its record;
- what the broker takes (/proc);
- how soon after the broker came back with an empty memory the desk knows all boards again, and has
  the record of each;
- what a broker with idle connections takes.

Usage: ``python -m tests.bench.hall_load [--boards 999] [--minutes 60] [--idle 5000]``
"""

from __future__ import annotations

import heapq
import json
import logging
import os
import random
import selectors
import statistics
import sys
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from jackspot.festival.broker import Broker
from jackspot.festival.connection import KEEPALIVE_S
from jackspot.festival.hall import Hall
from jackspot.festival.messages import PREFIX, What, read_topic, write
from jackspot.festival.names import MOST_BOARDS, board_id
from jackspot_sim.hall.boards import allow_files
from tests.bench.processes import ROOT, resident_mib
from tests.festival.children import begun, killed, waits
from tests.festival.linked import LinkedBoard, recorded

HALL = "load"
MATCH = ROOT / "tests" / "records" / "short_hikone.carom"
STROKE_S = 12.0
AT_MOST = 500
"""How many boards are in one process."""
IN_MEMORY = "/dev/shm"
SETTLES_S = 10.0
"""How long everything is left alone before anything is measured."""
PATIENCE_S = 120.0
CONNECTS_EACH_S = 0.002
SWITCH_S = 0.05
"""How long a thread computes before another gets the interpreter. Each waiting thread wakes up this
often to ask for it: with the usual 5 ms, 500 boards that all come back do little else."""

Confirmed = tuple[str, int, float]
"""A board, its journal's last entry, and when that was written, by the machine's clock."""


# --- the boards, in their own processes ---------------------------------------------------------


def play(numbers: Sequence[int], broker: tuple[str, int], folder: Path, desk: Connection) -> None:
    """Play at these boards; whenever the desk sends a word, send what was confirmed so far."""
    sys.setswitchinterval(SWITCH_S)
    logging.disable(logging.WARNING)  # each would say that the broker is gone, and is back
    moments = recorded(MATCH.read_text(encoding="utf-8"))
    boards = {number: LinkedBoard(Hall(HALL, number, (broker,)), folder / board_id(number))
              for number in numbers}  # fmt: skip
    strokes = sum(each.confirms for each in moments)
    slower = strokes * STROKE_S * 1e9 / (moments[-1].at_ns - moments[0].at_ns)
    begun_s, chance = time.monotonic(), random.Random(numbers[0])
    after_s = [(each.at_ns - moments[0].at_ns) / 1e9 * slower for each in moments]
    due = [  # each somewhere in its match
        (begun_s + chance.uniform(0, STROKE_S), number, chance.randrange(len(moments)))
        for number in numbers
    ]
    heapq.heapify(due)
    confirmed: list[Confirmed] = []
    while True:
        if desk.poll():
            desk.recv()
            desk.send(confirmed)
        at_s, number, index = due[0]
        if (left_s := at_s - time.monotonic()) > 0:
            if not waits(min(left_s, 0.5)):
                return
            continue
        moment = moments[index]
        boards[number].live(moment)
        if moment.confirms:
            confirmed.append((board_id(number), boards[number].seq, time.monotonic()))
        further = (index + 1) % len(moments)
        more_s = after_s[further] - after_s[index] if further else STROKE_S
        heapq.heapreplace(due, (at_s + more_s, number, further))


def be_there(how_many: int, broker: tuple[str, int], desk: Connection) -> None:
    """Make ``how_many`` connections that only say that they are there; count those that end."""
    selector, gone = selectors.DefaultSelector(), 0
    clients: list[mqtt.Client] = []
    for number in range(how_many):
        client = mqtt.Client(CallbackAPIVersion.VERSION2, f"idle{number}", protocol=mqtt.MQTTv5)
        client.connect(*broker, keepalive=KEEPALIVE_S)
        selector.register(client.socket(), selectors.EVENT_READ, client)  # type: ignore[arg-type]
        clients.append(client)
        time.sleep(CONNECTS_EACH_S)
        turn(selector, 0.0)
    desk.send(how_many)
    while not desk.poll():
        turn(selector, 1.0)
        for client in clients:
            client.loop_misc()
    gone = sum(client.socket() is None for client in clients)
    desk.send(gone)


def turn(selector: selectors.BaseSelector, wait_s: float) -> None:
    """Let clients read what has come."""
    for key, _ in selector.select(wait_s):
        if key.data.loop_read():
            selector.unregister(key.fileobj)


# --- the desk -----------------------------------------------------------------------------------


class Desk:
    """Hears everything, acknowledges results, and notes when each record came."""

    def __init__(self, broker: tuple[str, int]) -> None:
        self.came: dict[str, list[tuple[int, float]]] = {}
        self.ready: set[str] = set()
        self.messages = self.bytes = 0
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, "hub", protocol=mqtt.MQTTv5)
        self._client.on_message = self._heard
        self._client.connect(*broker)
        self._client.subscribe(f"{PREFIX}/{HALL}/board/#", 1)
        self._client.loop_start()

    def _heard(self, _client: Any, _data: Any, message: mqtt.MQTTMessage) -> None:
        now_s, address = time.monotonic(), read_topic(message.topic)
        self.messages += 1
        self.bytes += len(message.payload)
        if address.what in {What.RECORD, What.RESULT, What.STATUS}:
            said = json.loads(message.payload)
        match address.what:
            case What.RECORD:
                self.came.setdefault(address.board, []).append((said["seq"], now_s))
            case What.RESULT:
                ack = write({"v": 1, "journals": {said["journal"]: said["seq"]}})
                self._client.publish(What.ACK.topic(HALL, address.board), ack, 1, retain=True)
            case What.STATUS if said["state"] == "ready":
                self.ready.add(address.board)

    def awaits(self, boards: int, *of_them: Collection[str]) -> str:
        """Wait until ``boards`` boards are in each; say how long that took, or how far it got."""
        begun_s, said = time.monotonic(), []
        for each in of_them:
            while len(each) < boards and time.monotonic() < begun_s + PATIENCE_S:
                time.sleep(0.01)
            said.append(f"{len(each)} of {boards} boards after {time.monotonic() - begun_s:.1f} s")
        return ", ".join(said)

    def took_ms(self, confirmed: Iterable[Confirmed]) -> list[float]:
        """Return how long each stroke took to reach the desk, shortest first."""
        found = []
        for board, seq, at_s in confirmed:
            came = [when_s for known, when_s in self.came.get(board, ()) if known >= seq]
            if came and at_s > self.since_s:
                found.append((min(came) - at_s) * 1_000)
        return sorted(found)

    since_s = 0.0
    """Strokes before this instant are not counted."""

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def cpu_s(process: int) -> float:
    """Read how much processor time a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def measured(broker: Broker, *others: BaseProcess) -> Iterator[None]:
    """Print what the broker takes meanwhile, and what the boards do."""

    def spent_s() -> list[float]:
        return [cpu_s(each) for each in (broker.process, *(each.pid or 0 for each in others))]

    before, begun_s = spent_s(), time.monotonic()
    yield
    took_s = time.monotonic() - begun_s
    own, *theirs = [(now - then) / took_s for now, then in zip(spent_s(), before, strict=True)]
    print(f"the broker takes {own:.1%} of a core and {resident_mib(broker.process):.1f} MiB; "
          f"the boards' processes {[f'{each:.0%}' for each in theirs]}", flush=True)  # fmt: skip


def load(boards: int, minutes: float) -> None:
    """Let ``boards`` boards play for ``minutes``, then kill the broker once."""
    with ExitStack() as around:
        folder = Path(around.enter_context(TemporaryDirectory(dir=IN_MEMORY)))
        broker = around.enter_context(Broker())
        desk, tells, processes = Desk(broker.address), [], []
        for first in range(1, boards + 1, AT_MOST):
            here, there = Pipe()
            numbers = range(first, min(first + AT_MOST, boards + 1))
            process = begun(play, numbers, broker.address, folder, there)
            around.callback(killed, process)
            tells.append(here)
            processes.append(process)
        print(f"in {len(tells)} processes: {desk.awaits(boards, desk.ready)}", flush=True)
        time.sleep(SETTLES_S)
        desk.since_s, before = time.monotonic(), (desk.messages, desk.bytes)
        with measured(broker, *processes):
            time.sleep(minutes * 60)
        took_s = time.monotonic() - desk.since_s
        messages, size = desk.messages - before[0], desk.bytes - before[1]
        print(f"{messages / took_s:.0f} messages and {size / took_s / 1e3:.0f} kB a second")
        until_s, confirmed = time.monotonic(), []
        for each in tells:
            each.send(None)
            confirmed += [one for one in each.recv() if one[2] < until_s - 1.0]
        strokes = sum(one[2] > desk.since_s for one in confirmed)
        took_ms = desk.took_ms(confirmed)
        cuts = statistics.quantiles(took_ms, n=100, method="inclusive")
        print(f"{strokes} strokes, {strokes - len(took_ms)} of them not heard; to the desk: "
              f"p50 {cuts[49]:.1f} ms, p99 {cuts[98]:.1f} ms", flush=True)  # fmt: skip
        desk.close()
        broker.kill()
        broker.start()
        again = Desk(broker.address)
        print("the broker came back empty; there, and with their records: "
              f"{again.awaits(boards, again.ready, again.came)}", flush=True)  # fmt: skip
        again.close()


def idle(how_many: int, minutes: float) -> None:
    """Keep ``how_many`` connections open for ``minutes``, without a message."""
    with Broker() as broker:
        here, there = Pipe()
        process = begun(be_there, how_many, broker.address, there)
        print(f"{here.recv()} are connected and idle")
        with measured(broker, process):
            time.sleep(minutes * 60)
        here.send(None)
        print(f"{here.recv()} of them are gone")
        killed(process)


@click.command()
@click.option("--boards", default=MOST_BOARDS)
@click.option("--minutes", default=60.0)
@click.option("--idle", "idlers", default=5_000)
def main(boards: int, minutes: float, idlers: int) -> None:
    """Measure a hall of so many boards for so long, then a broker with idle connections."""
    allow_files(max(boards, idlers))
    if boards:
        load(boards, minutes)
    if idlers:
        idle(idlers, min(minutes, 2.0))


if __name__ == "__main__":
    main()
