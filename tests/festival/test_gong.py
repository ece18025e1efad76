"""The common gong of many boards behind a bad network: all strike at one instant.

The boards' links are real and each has a clock of its own, up to an hour ahead. The tests measure
when the gong is struck in the game: the instant that the link puts into the board's queue, or the
instant of its arrival there if that is later.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from jackspot.festival.broker import Broker
from jackspot.festival.hall import Hall
from jackspot.festival.names import board_id
from jackspot.sensing.events import Event, GongTold
from tests.festival.guests import HALL
from tests.festival.hub import Hub
from tests.festival.linked import LinkedBoard, until
from tests.festival.network import Network, Weather

_logger = logging.getLogger(__name__)

JITTER_S, LOSS = 0.2, 0.02
SPREAD_MS = 50.0
HOUR_NS = 3_600_000_000_000
ANSWERS = 40
"""How many answers of each board are heard before the first gong."""
AHEAD_S = 3.0
"""How long before the strike the hub announces a gong."""


class Struck:
    """A board whose gongs are noted as instants of this machine's clock."""

    def __init__(self, number: int, network: Network, folder: Path) -> None:
        self.id = board_id(number)
        self.instants_ns: list[int] = []
        self._ahead_ns = random.Random(number).randrange(HOUR_NS)
        hall = Hall(HALL, number, (network.address,))
        self.board = LinkedBoard(hall, folder / self.id, clock_ns=self._now_ns, submit=self._submit)

    def _now_ns(self) -> int:
        return time.monotonic_ns() + self._ahead_ns

    def _submit(self, event: Event) -> None:
        if isinstance(event, GongTold):
            self.instants_ns.append(max(event.strike_ns - self._ahead_ns, time.monotonic_ns()))


def asking(hub: Hub, boards: list[str], each_s: float, ended: threading.Event) -> None:
    """Ask all boards for their clocks, again and again."""
    while not ended.wait(each_s):
        hub.ask_the_clocks(boards)


def all_have(there: list[Struck], gongs: int) -> bool:
    return all(len(each.instants_ns) == gongs for each in there)


@pytest.mark.parametrize(
    ("boards", "gongs", "each_s"),
    [(8, 2, 0.2), pytest.param(100, 200, 0.7, marks=[pytest.mark.long, pytest.mark.alone])],
)
def test_boards_behind_a_bad_network_strike_the_gong_together(
    tmp_path: Path, broker: Broker, boards: int, gongs: int, each_s: float
) -> None:
    with ExitStack() as around:
        bad = Weather(most_s=JITTER_S, loss=LOSS)
        network = around.enter_context(Network(broker.address, bad))
        hub = Hub(broker.address, HALL, tmp_path / "hub.jsonl")
        around.callback(hub.close)
        there = [Struck(number, network, tmp_path) for number in range(1, boards + 1)]
        for each in there:
            around.callback(each.board.stop)
        ids, ended = [each.id for each in there], threading.Event()
        hub.until(lambda heard: all(f"{board} status" in heard for board in ids))
        asks = threading.Thread(target=asking, args=(hub, ids, each_s, ended))
        around.callback(asks.join)
        around.callback(ended.set)
        asks.start()
        until(lambda: hub.count["answer"] >= ANSWERS * boards)
        spreads_ms = []
        for number in range(1, gongs + 1):
            hub.gong(AHEAD_S)
            until(partial(all_have, there, number))
            latest = [each.instants_ns[-1] for each in there]
            spreads_ms.append((max(latest) - min(latest)) / 1e6)
    spreads_ms.sort()
    p50, p99 = (spreads_ms[gongs * share // 100] for share in (50, 99))
    _logger.info(
        "%d boards, %d gongs: spread p50 %.1f ms, p99 %.1f ms, most %.1f ms; doubts up to %.1f ms",
        boards, gongs, p50, p99, spreads_ms[-1], max(hub.doubts_ms.values()),
    )  # fmt: skip
    assert p99 <= SPREAD_MS, spreads_ms
