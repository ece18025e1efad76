"""Each result reaches the hub's disk once, whatever is killed, cut or full meanwhile.

The boards' journals and links, the broker and the network's connections are real. Boards and hub
are processes of their own and end by SIGKILL. What happens is drawn from a seed.
"""

from __future__ import annotations

import heapq
import inspect
import json
import os
import random
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from jackspot.dialogue.state.entries import EntryKind, JournalEntry
from jackspot.festival import link, results
from jackspot.festival.broker import Broker
from jackspot.festival.collecting import ResultCollector
from jackspot.festival.connection import BrokerConnection, Letter, Login
from jackspot.festival.hall import Hall
from jackspot.festival.link import HallLink
from jackspot.festival.messages import MOST_BYTES
from jackspot.festival.names import board_id
from jackspot.festival.results import lives_of, result_of
from jackspot.history.index import History
from jackspot.history.summary import summarise
from jackspot.storage.errors import JournalUnwritable
from jackspot.storage.journal import read_checked
from jackspot.values import changed
from jackspot_hub.desk.state import DeskKind
from jackspot_hub.event.programme import Programme
from jackspot_hub.event.schedule import FreeBoard
from jackspot_hub.running import KINDS, RunningHub
from tests.conftest import PATIENCE_S
from tests.festival.children import begun, killed, waits
from tests.festival.guests import HALL
from tests.festival.hub import Hub
from tests.festival.linked import LinkedBoard, Moment, recorded
from tests.festival.network import Network, Weather, Wire

SHORT = """\
# jackspot record 1
rules = "hikone"
seats = ["N", "S"]
---
N red@NE
! resign S
"""
AGAIN = 0.2
"""The share of matches that end, are taken back, and end again."""
HUBS = 0.2
"""How often the hub's wire is chosen, and not a board's."""


class Size(Struct, frozen=True):
    """How much is played and how much goes wrong.

    A board ends a match after ``each_s``; something goes wrong after ``gap_s`` and lasts up to
    ``lasts_s``, all drawn. ``only``: these mishaps alone, if any are named. ``hurry``: how many
    times shorter the link waits than usual.
    """

    boards: int
    matches: int
    mishaps: int
    each_s: float
    gap_s: float
    lasts_s: float
    hurry: int = 1
    only: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.boards} boards, {self.mishaps} mishaps"


SMALL = Size(6, 10, 30, each_s=0.9, gap_s=0.3, lasts_s=1.0, hurry=30)
LARGE = Size(100, 100, 1_000, each_s=9.0, gap_s=1.0, lasts_s=10.0)
KILLS = changed(LARGE, lasts_s=2.0, only=("the_hub_is_killed", "a_wire_is_cut"))


# --- a board, in its own process ----------------------------------------------------------------


class TrustingCollector(ResultCollector):
    """Does as other programs do: what the broker acknowledges counts as delivered.

    It keeps a file beside the journal that says how far that is.
    """

    def __init__(self, journal: Path, board: str, entries: int) -> None:
        super().__init__(journal, board, entries)
        self._kept = journal.with_name("acknowledged")

    def learn_lives(self) -> None:
        super().learn_lives()
        if self._kept.exists():
            seq = int(self._kept.read_text() or 0)  # the power may fail while it is written
            self.outbox.acknowledged({self.outbox.journal: seq}, time.monotonic_ns())

    def published(self, seq: int) -> None:
        self._kept.write_text(str(seq))
        self.outbox.acknowledged({self.outbox.journal: seq}, time.monotonic_ns())


class TrustingLink(HallLink):
    """A link whose results count as delivered once the broker has them."""

    def __init__(
        self, hall: Hall, journal: Path, *further: Any, entries: int = 0, **more: Any
    ) -> None:
        super().__init__(hall, journal, *further, entries=entries, **more)
        self._results = self._trusting = TrustingCollector(journal, hall.board, entries)

    def started(self, *told: Any) -> None:
        self._begun = TrustingConnection(self._trusting.published)
        self._thread.start()


class TrustingConnection(BrokerConnection):
    """Reports which results the broker has acknowledged."""

    def __init__(self, told: Callable[[int], None]) -> None:
        super().__init__()
        self._told = told

    def publish(self, letter: Letter) -> None:
        if not letter.topic.endswith("/result") or self._client is None:
            super().publish(letter)
            return
        seq = json.loads(letter.payload)["seq"]
        self._client.on_publish = lambda *_: None
        sent = self._client.publish(letter.topic, letter.payload, letter.qos, letter.retain)

        def published(_client: Any, _data: Any, number: int, *_: Any) -> None:
            if number == sent.mid:
                self._told(seq)

        self._client.on_publish = published


def be_a_board(
    hall: Hall, folder: Path, size: Size, match: tuple[Moment, ...], trusts: bool
) -> None:
    """End matches until there are enough; make a file once all of them are delivered."""
    hurry(size.hurry)
    board = LinkedBoard(hall, folder, link=TrustingLink if trusts else HallLink)
    chance, told = random.Random(f"{folder} {board.seq}"), folder / "told"
    kinds = Counter(each.kind for each in board.keeper.entries)
    done = kinds[EntryKind.MATCH_END] - kinds[EntryKind.UNDO]
    while waits(size.each_s * chance.expovariate(1.0)):
        if done < size.matches:
            for moment in match:
                board.live(moment)
            done += 1
            if chance.random() < AGAIN:
                board.live(again(match))
        elif board.link._results.outbox.seq >= board.ended:
            told.touch()


# --- a hub, in its own process ------------------------------------------------------------------


def be_the_hub(address: tuple[str, int], disk: Path) -> None:
    """Run the small hub: a line of a file for each result."""
    while_it_waits(Hub(address, HALL, disk))


def be_a_hub_that_says_nothing(address: tuple[str, int], disk: Path) -> None:
    while_it_waits(Hub(address, HALL, disk, acks=False))


def while_it_waits(hub: Hub) -> None:
    while waits(1.0):
        pass
    hub.close()


def be_the_organisers_hub(address: tuple[str, int], disk: Path) -> None:
    """Run the hub of ``jackspot hub``, whose journal has an entry for each result.

    If its disk is full when it starts, it ends, and its service starts it again.
    """
    boards = tuple(FreeBoard(number) for number in range(1, LARGE.boards + 1))
    event, hub = Programme("T", HALL, {}, {}, boards), None
    while hub is None and waits(0.1):
        with suppress(JournalUnwritable):
            hub = RunningHub(event, disk, lambda *_: None)
    if hub is not None:
        hub.run(Login(*address, "hub", "", MOST_BYTES), lambda: not waits(0.0))
        hub.close()


def kept_by(hub: Callable[..., None], disk: Path) -> Counter[str]:
    """Return how often each result is on the disk of such a hub."""
    if hub is be_the_organisers_hub:
        entries = read_checked(disk, KINDS)
        return Counter(e.body["message"]["id"] for e in entries if e.kind == DeskKind.RESULT)
    return Counter(json.loads(line)["id"] for line in disk.read_text().splitlines())


def hurry(times: int) -> None:
    """Make the waits of a link in this process shorter than usual."""
    for module, name in (
        (link, "FIRST_PAUSE_S"), (link, "LONGEST_PAUSE_S"), (link, "ACK_FIRST_NS"),
        (results, "AGAIN_NS"), (results, "AGAIN_AT_MOST_NS"),
    ):  # fmt: skip
        usual = getattr(module, name)
        setattr(module, name, type(usual)(usual / times))


def again(match: tuple[Moment, ...]) -> Moment:
    """Return UNDO after the end of a match, and the same end again."""
    last = next(each.entries for each in reversed(match) if each.entries)
    assert [each.kind for each in last][::3] == [EntryKind.LINE, EntryKind.DESK]
    return Moment((JournalEntry(EntryKind.UNDO, last[0].at_ns, {}), *last), None)


# --- what happens to them -----------------------------------------------------------------------


Undo = Callable[[], None]


class Mishaps:
    """A hall in which things go wrong. Each mishap returns what undoes it."""

    def __init__(
        self, folder: Path, size: Size, seed: int, *, hub: Callable[..., None] = be_the_hub,
        trusts: bool = False,
    ) -> None:  # fmt: skip
        self.folder, self.size, self.trusts = folder, size, trusts
        self.hub = hub
        self.chance = random.Random(seed)
        self.match = tuple(Moment(each.entries, None) for each in recorded(SHORT) if each.entries)
        self.disk = folder / "hub"
        self.numbers = range(1, size.boards + 1)
        self.happened: Counter[str] = Counter()
        self._runs: dict[int, BaseProcess] = {}
        """By the board's number; 0: the hub."""
        self._broker = Broker()
        self._boards, self._hubs = (Network(self._broker.address, seed=seed) for _ in range(2))
        self._is_well = True  # the broker

    def __enter__(self) -> Mishaps:
        """Begin with everything well."""
        with ExitStack() as around:
            for each in (self._broker, self._boards, self._hubs):
                around.enter_context(each)
            around.callback(self._end)
            for number in (0, *self.numbers):
                self._start(number)
            self._around = around.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """End everything."""
        self._around.close()

    def _end(self) -> None:
        for number in list(self._runs):
            self._kill(number)

    def _start(self, number: int) -> None:
        if number:
            hall = Hall(HALL, number, (self._boards.address,))
            self._runs[number] = begun(
                be_a_board, hall, self._of(number), self.size, self.match, self.trusts
            )
        else:
            self._runs[0] = begun(self.hub, self._hubs.address, self.disk)

    def _kill(self, number: int) -> None:
        killed(self._runs.pop(number))

    def _of(self, number: int) -> Path:
        return self.folder / board_id(number)

    # --- the mishaps: each returns what ends it, or None if it cannot happen now ----------------

    def a_board_is_killed(self) -> Undo | None:
        return self._dead(self.chance.choice(self.numbers))

    def the_hub_is_killed(self) -> Undo | None:
        return self._dead(0)

    def _dead(self, number: int) -> Undo | None:
        if number not in self._runs:
            return None
        self._kill(number)
        return partial(self._start, number)

    def the_broker_is_killed(self) -> Undo | None:
        return self._unwell(self._broker.kill, self._broker.start)

    def the_broker_stands_still(self) -> Undo | None:
        if not self._is_well:
            return None
        there = self._broker.process
        return self._unwell(
            partial(os.kill, there, signal.SIGSTOP), partial(os.kill, there, signal.SIGCONT)
        )

    def _unwell(self, begin: Undo, end: Undo) -> Undo | None:
        def well() -> None:
            end()
            self._is_well = True

        if not self._is_well:
            return None
        begin()
        self._is_well = False
        return well

    def the_hubs_disk_is_full(self) -> Undo | None:
        """The kernel lets its file grow by half a line; a journal takes nothing at all."""
        if 0 not in self._runs:
            return None
        there = self._runs[0].pid
        assert there is not None
        _, hard = resource.prlimit(there, resource.RLIMIT_FSIZE)
        most = 200
        if self.hub is not be_the_organisers_hub and self.disk.exists():
            most += self.disk.stat().st_size

        def free() -> None:
            with suppress(ProcessLookupError):
                resource.prlimit(there, resource.RLIMIT_FSIZE, (hard, hard))

        resource.prlimit(there, resource.RLIMIT_FSIZE, (most, hard))
        return free

    def a_wire_is_cut(self) -> Undo | None:
        wire = self._wire()
        return None if wire is None else wire.cut

    def a_wire_is_slow(self) -> Undo | None:
        return self._in(Weather(most_s=0.5, bytes_s=500.0))

    def a_wire_drips(self) -> Undo | None:
        return self._in(Weather(bytes_s=1.0))

    def a_wire_stands_still(self) -> Undo | None:
        return self._in(Weather(held=True))

    def acknowledgements_are_lost(self) -> Undo | None:
        """What the hub says, or what a board hears, is held and then lost."""
        wire = self._wire()
        if wire is None:
            return None
        if wire in self._hubs.wires:
            wire.up = Weather(held=True)
        else:
            wire.down = Weather(held=True)
        return wire.cut

    def _wire(self) -> Wire | None:
        """Draw a wire of the hub or, more often, of the boards."""
        network = self._hubs if self.chance.random() < HUBS else self._boards
        return self.chance.choice([None, *network.wires])

    def _in(self, weather: Weather) -> Undo | None:
        wire = self._wire()
        if wire is None:
            return None
        wire.up = wire.down = weather

        def clear_up() -> None:
            if wire.down is weather:  # and no other has come since
                wire.up = wire.down = Weather()

        return clear_up

    # --- all of it ------------------------------------------------------------------------------

    def happen(self) -> None:
        """Let everything happen, undo it, and wait until all boards have delivered."""
        due: list[tuple[float, int, Undo]] = []
        for number in range(self.size.mishaps):
            undo = self._draw()
            lasts_s = self.chance.uniform(0, self.size.lasts_s)
            heapq.heappush(due, (time.monotonic() + lasts_s, number, undo))
            goes_on_s = time.monotonic() + self.size.gap_s * self.chance.expovariate(1.0)
            while due and due[0][0] < goes_on_s:
                self._undo(due)
            time.sleep(max(goes_on_s - time.monotonic(), 0))
        while due:
            self._undo(due)
        until_s = time.monotonic() + PATIENCE_S + 600 / self.size.hurry
        while not all((self._of(each) / "told").exists() for each in self.numbers):
            assert time.monotonic() < until_s, self.happened
            time.sleep(0.1)
        self._end()

    def _draw(self) -> Undo:
        """Draw until something can happen."""
        while True:
            name = self.chance.choice(self.size.only or MISHAPS)
            undo: Undo | None = getattr(self, name)()
            if undo is not None:
                self.happened[name] += 1
                return undo

    @staticmethod
    def _undo(due: list[tuple[float, int, Undo]]) -> None:
        at_s, _, undo = heapq.heappop(due)
        time.sleep(max(at_s - time.monotonic(), 0))
        undo()

    def ended(self) -> tuple[set[str], set[str]]:
        """Return the results that the journals have: those that stand, and all there ever were."""
        stand, ever = set[str](), set[str]()
        for number in self.numbers:
            history, board = (
                History(self._of(number) / "journal.sqlite3", summarise),
                board_id(number),
            )
            lives = lives_of(history.beginnings())
            assert len(lives) == 1
            for match in history.after(0):
                entries = history.entries(match)
                result = result_of(entries, board, lives)
                if result is not None:
                    stand.add(result["id"])
                ends = [each.seq for each in entries if each.kind == EntryKind.MATCH_END]
                ever |= {f"{board}-{lives[0].name}-{seq}" for seq in ends}
        return stand, ever

    def lost(self) -> set[str]:
        """Return the results that are not on the hub's disk; check that none is there twice."""
        stand, ever = self.ended()
        assert len(stand) == self.size.boards * self.size.matches
        kept = kept_by(self.hub, self.disk)
        assert [each for each, times in kept.items() if times > 1] == []
        assert set(kept) <= ever
        return stand - set(kept)


MISHAPS = [
    name for name, each in vars(Mishaps).items()
    if inspect.isfunction(each) and each.__annotations__.get("return") == "Undo | None"
    and not name.startswith("_")
]  # fmt: skip


LONG = [pytest.mark.long, pytest.mark.alone]


@pytest.mark.usefixtures("mosquitto")
@pytest.mark.parametrize("hub", [be_the_organisers_hub, pytest.param(be_the_hub, marks=LONG)])
@pytest.mark.parametrize("size", [SMALL, pytest.param(LARGE, marks=LONG)], ids=str)
def test_every_result_is_on_the_hubs_disk_once(
    tmp_path: Path, size: Size, hub: Callable[..., None]
) -> None:
    with Mishaps(tmp_path, size, seed=4, hub=hub) as hall:
        hall.happen()
        assert hall.lost() == set(), hall.happened


@pytest.mark.long
@pytest.mark.alone
@pytest.mark.usefixtures("mosquitto")
def test_every_result_is_there_once_after_a_thousand_kills_of_hub_and_wires(tmp_path: Path) -> None:
    with Mishaps(tmp_path, KILLS, seed=5, hub=be_the_organisers_hub) as hall:
        hall.happen()
        assert hall.lost() == set(), hall.happened


@pytest.mark.long
@pytest.mark.alone
@pytest.mark.usefixtures("mosquitto")
@pytest.mark.parametrize("size", [SMALL, LARGE], ids=str)
def test_with_the_brokers_acknowledgement_for_the_hubs_results_are_lost(
    tmp_path: Path, size: Size
) -> None:
    """The control: these mishaps are bad enough to lose results that are not waited for."""
    with Mishaps(tmp_path, size, seed=4, hub=be_a_hub_that_says_nothing, trusts=True) as hall:
        hall.happen()
        assert hall.lost() != set(), hall.happened
