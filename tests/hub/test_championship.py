"""A whole championship on virtual time, recounted from its records at every point.

Matches are corrected long afterwards, people go home, boards die during a match, and the hub is
killed between any two entries. The day is also compared with the same day with paper.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest

from jackspot.festival.broker import Broker
from jackspot.storage.journal import Journal
from jackspot.storage.wall_clock import SystemWall
from jackspot.values import changed
from jackspot_hub.desk.revising import correct
from jackspot_hub.desk.state import DeskState, fold
from jackspot_hub.desk.step import move
from jackspot_hub.event.contest import Absence, draw, forfeits
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.event.programme import Programme
from jackspot_hub.event_file import read_event
from jackspot_hub.running import KINDS, MILLISECOND_NS, RunningHub
from jackspot_sim.hall.boards import SimHall
from jackspot_sim.practice.organiser import Organiser
from tests.festival.conftest import broker, mosquitto  # noqa: F401  fixtures
from tests.festival.test_simulated_hall import config_of
from tests.hub.festival import (
    MINUTE_MS,
    WITH_HUB,
    Festival,
    Recounting,
    championship,
    entered_in,
    with_paper,
)
from tests.hub.recount import Name, Recount, played_in

SMALL = 30, 5, 12, 8
"""Entrants, groups, pairs, boards."""
HIKONE = 145, 24, 67, 72
FOLDED_EACH = 25
"""How many entries there are between two folds of the journal from its beginning."""


def eventful(
    folder: Path, size: tuple[int, int, int, int], seed: int, *, minutes: int, corrections: int,
    withdrawals: int, deaths: int, kills: int, recounts_each: int = 1,
) -> tuple[Festival, Recounting]:  # fmt: skip
    """Play a day on which all this happens in its first ``minutes``; recount it throughout."""
    recounting = Recounting()

    def checked(festival: Festival) -> None:
        if len(festival.entries) % recounts_each == 0:
            recounting.check(festival)
        if len(festival.entries) % FOLDED_EACH == 0:
            assert festival.fold_anew() == changed(
                festival.desk, seen={}, started_ms=0, started_order=0
            )

    festival = Festival(championship(*size), WITH_HUB, folder, seed, checked)
    random = Random(f"{seed} plan")
    for times, does in (
        (corrections, festival.correct_one), (withdrawals, festival.withdraw),
        ((deaths + 1) // 2, lambda: festival.die(comes_back=True)),
        (deaths // 2, lambda: festival.die(comes_back=False)),
        ((kills + 1) // 2, festival.kill_hub), (kills // 2, festival.kill_hub_at_a_result),
    ):  # fmt: skip
        for _ in range(times):
            festival.after(random.uniform(2, minutes) * 60, does)
    try:
        festival.run()
    except BaseException as wrong:
        wrong.add_note(f"seed {seed}; " + "\n".join(festival.happened))
        raise
    recounting.check(festival)
    for name, places in recounting.places.items():
        assert set(places) == {1, 2, 3, 4}, name
    return festival, recounting


def test_a_small_championship_is_right_at_every_point_and_each_time_the_same(
    tmp_path: Path,
) -> None:
    days = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        festival, recounting = eventful(
            tmp_path / name, SMALL, 1, minutes=100, corrections=8, withdrawals=2, deaths=3, kills=6,
            recounts_each=1 if name == "one" else 1_000,
        )  # fmt: skip
        days.append(festival.entries)
    assert recounting.times
    assert days[0] == days[1]
    assert sum("died" in each for each in festival.happened) == 3
    assert sum("the hub was killed" in each for each in festival.happened) == 6
    assert sum("was corrected" in each for each in festival.happened) == 8


@pytest.mark.long
@pytest.mark.parametrize("seed", range(40))
def test_many_small_championships_are_right_at_every_point(tmp_path: Path, seed: int) -> None:
    eventful(tmp_path, SMALL, 100 + seed, minutes=100, corrections=10, withdrawals=3, deaths=4,
             kills=6)  # fmt: skip


@pytest.mark.long
def test_hikones_championship_is_right_at_every_point(tmp_path: Path) -> None:
    festival, _recounting = eventful(
        tmp_path, HIKONE, 36, minutes=80, corrections=20, withdrawals=4, deaths=6, kills=10
    )
    assert sum("died" in each for each in festival.happened) == 6
    assert sum("the hub was killed" in each for each in festival.happened) == 10


def plans(folder: Path, size: tuple[int, int, int, int]) -> dict[str, tuple[float, float, float]]:
    """Play an uneventful day with a hub and with paper.

    Return for both the minutes, the share of time in which nobody played at a board, and the median
    number of minutes from call to first stroke.
    """
    found = {}
    for name, plan in (("hub", WITH_HUB), ("paper", with_paper())):
        (folder / name).mkdir()
        festival = Festival(championship(*size), plan, folder / name, 1)
        day = festival.run()
        assert day.to_first_stroke is not None
        still = 1 - festival.played_ms / (day.minutes * MINUTE_MS * len(festival.boards))
        found[name] = day.minutes, still, day.to_first_stroke
    return found


def test_a_day_takes_less_with_a_hub_than_with_paper(tmp_path: Path) -> None:
    days = plans(tmp_path, SMALL)
    (hub, hub_still, hub_begins), (paper, paper_still, paper_begins) = days["hub"], days["paper"]
    assert hub < paper
    assert hub_still < paper_still
    assert hub_begins <= paper_begins


@pytest.mark.long
def test_hikones_day_takes_less_with_a_hub_than_with_paper(
    tmp_path: Path,
) -> None:
    days = plans(tmp_path, HIKONE)
    assert days["hub"][0] < 0.8 * days["paper"][0], days


# --- the real firmware at each board, and a hub that is a process ------------------------------


FILE = """\
name = "36th championship"
hall = "hikone"
boards = {boards}
seed = "36"
rest_s = 0

[[contest]]
name = "singles"
format = "groups"
groups = {groups}
upper = 3
entrants = {singles}
match = {{ rules = "hikone", options = {{ time_limit_s = {match_s} }} }}

[[contest]]
name = "pairs"
format = "knockout"
entrants = {pairs}
match = {{ rules = "hikone", options = {{ time_limit_s = {match_s} }} }}
"""


class RealDay:
    """Boards of the real firmware in this process; the hub in one of its own, killed by SIGKILL.

    While the hub is away the organiser corrects, moves and forfeits matches in its journal, as
    ``jackspot hub correct`` does; then the hub starts again. ``speed`` is how fast boards play.
    """

    def __init__(
        self, folder: Path, broker: Broker, size: tuple[int, int, int, int], speed: float,  # noqa: F811
        match_s: int,
    ) -> None:  # fmt: skip
        singles, groups, pairs, boards = size
        people = [f"Player {number}" for number in range(1, singles + 1)]
        together = [[people[2 * at], people[2 * at + 1]] for at in range(pairs)]
        self.file, self.journal = folder / "cup.toml", folder / "cup.sqlite3"
        self.file.write_text(FILE.format(boards=boards, groups=groups, singles=people,
                                         pairs=together, match_s=match_s))  # fmt: skip
        self.programme: Programme = read_event(self.file)
        self.random, self.organiser = Random(36), Organiser("36")
        self.hall = SimHall(config_of(broker), folder, speed, friendly=False)
        self.boards = range(1, boards + 1)
        self.dead: set[int] = set()
        self.gone: list[int] = []
        self.happened: list[str] = []
        self._call = [
            sys.executable, "-c", "from jackspot_hub.command import command; command()",
            str(self.file), "--until-over", "--broker", ":".join(map(str, broker.address)),
            "--pages", "127.0.0.1:0",
        ]  # fmt: skip
        self._hub: subprocess.Popen[bytes] | None = None

    def begin_hub(self) -> None:
        self._hub = subprocess.Popen(
            self._call, stdout=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip

    def kill_hub(self) -> None:
        assert self._hub is not None
        self._hub.kill()
        self._hub.wait()

    def has_ended(self) -> bool:
        return self._hub is not None and self._hub.poll() is not None

    def at_the_desk(self, does: Callable[[RunningHub], None]) -> None:
        """Do something in the journal of a hub that is away, then recount the journal."""
        with closing(RunningHub(self.programme, self.journal, lambda *_: None)) as hub:
            does(hub)
            for entrant in self.gone:
                self._forfeit(hub, entrant)
            for now_ms in (0, 10 * MINUTE_MS):  # a knockout's ties are decided
                for _ in range(1_000):
                    if not (entries := self.organiser.look(hub.desk, now_ms)):
                        break
                    hub.enter(entries)
        self.recount()

    def _forfeit(self, hub: RunningHub, entrant: int) -> None:
        known = hub.desk.results.get("singles", {})
        contest = self.programme.classes["singles"].contest
        for key, each in forfeits(contest, known, [Absence(entrant, 0)]).items():
            if known.get(key) != each:
                assert each.outcome is not None
                hub.enter(correct(hub.desk, key, each.outcome, "organiser"))

    def correct_one(self, hub: RunningHub) -> None:
        over = [
            (name, key) for name, results in hub.desk.results.items()
            for key, each in sorted(results.items()) if each.outcome is not None
        ]  # fmt: skip
        if over:
            name, key = self.random.choice(over)
            points = self.random.randrange(13), self.random.randrange(13)
            hub.enter(correct(hub.desk, key, Outcome(self.random.randrange(2), points), "desk"))
            self.happened.append(f"{key} was corrected")
            for conflict in hub.desk.drawn(name).conflicts:
                hub.enter(correct(hub.desk, conflict.key, None, "desk"))

    def withdraw(self) -> None:
        entrants = self.programme.classes["singles"].contest.entrants
        self.gone.append(self.random.choice([each for each in entrants if each not in self.gone]))
        self.happened.append(f"{self.gone[-1]} went home")

    def move_from_dead(self, hub: RunningHub) -> None:
        """Move the matches of dead boards elsewhere."""
        free = [at for at in self.boards if at not in hub.desk.open_orders and at not in self.dead]
        for board in self.dead & set(hub.desk.open_orders):
            with suppress(CannotBe, IndexError):
                hub.enter(move(hub.desk, board, free.pop()))

    def recount(self) -> dict[str, dict[int, Name]]:
        """Recount the journal on the disk, and check the hub that would start with it."""
        with closing(Journal.open(self.journal, KINDS, SystemWall())) as journal:
            kept = [(e.kind, e.body, e.wall_ns // MILLISECOND_NS) for e in journal.load()]
        desk = DeskState(self.programme)
        for kind, body, at_ms in kept:
            desk = fold(desk, kind, body, at_ms)
        entered = entered_in(self.programme)
        played = played_in(kept, entered)
        places = {}
        for name, list_of in entered.items():
            own = {key: each for key, each in played.items() if key.split("-")[0] == name}
            results = desk.results.get(name, {})
            groups = {key: each for key, each in results.items() if "-ko-" not in key}
            bare = draw(self.programme.classes[name].contest, groups)
            places[name] = Recount(list_of, own, desk.drawn(name), bare).check().places
        return places

    def run(self, *, kills: int, corrections: int, withdrawals: int, deaths: int, each_s: float,
            most_s: float) -> dict[str, dict[int, Name]]:  # fmt: skip
        """Play the day to its end; something happens every ``each_s`` seconds on average."""
        left = ["kill"] * kills + ["death"] * deaths + ["revive"] * (deaths // 2)
        left += ["withdraw"] * withdrawals
        self.random.shuffle(left)
        ended_s = time.monotonic() + most_s
        with self.hall:
            self.hall.start(*self.boards)
            self.begin_hub()
            wait = threading.Event().wait
            try:
                while not (self.has_ended() and not left):
                    assert time.monotonic() < ended_s, f"not over: {self.happened}"
                    wait(self.random.uniform(0.5, 1.5) * each_s)
                    if left:
                        self._happen(left.pop(), corrections / max(kills, 1))
                    elif not self.has_ended():  # ties are decided, matches moved
                        self._happen("kill", 0)
                assert self._hub is not None
                assert self._hub.returncode == 0, f"the hub gave up: {self.happened}"
                return self.recount()
            finally:
                self.kill_hub()

    def _happen(self, what: str, corrections: float) -> None:
        there = [each for each in self.boards if each not in self.dead]
        if what == "death" and len(there) > 1:
            board = self.random.choice(there)
            self.dead.add(board)
            self.hall.kill(board)
            self.happened.append(f"board {board} died")
        elif what == "revive" and self.dead:
            board = self.random.choice(sorted(self.dead))
            self.dead.remove(board)
            self.hall.start(board)
            self.happened.append(f"board {board} came back")
        elif what == "withdraw":
            self.withdraw()
        elif what == "kill":
            over = self.has_ended()
            self.kill_hub()
            self.happened.append("the hub was killed")
            whole, more = divmod(corrections, 1)
            many = 0 if over else round(whole) + (self.random.random() < more)

            def does(hub: RunningHub) -> None:
                for _ in range(many):
                    self.correct_one(hub)
                self.move_from_dead(hub)

            self.at_the_desk(does)
            self.begin_hub()


@pytest.mark.long
@pytest.mark.alone
def test_a_small_championship_of_real_boards_is_right_though_the_hub_is_killed(
    tmp_path: Path, broker: Broker,  # noqa: F811
) -> None:  # fmt: skip
    day = RealDay(tmp_path, broker, (6, 2, 3, 3), 60.0, 60)
    places = day.run(kills=4, corrections=4, withdrawals=1, deaths=1, each_s=4, most_s=600)
    known = {name: set(each) for name, each in places.items()}
    assert known == {"singles": {1, 2, 3, 4}, "pairs": {1, 2, 3}}, (places, day.happened)


@pytest.mark.long
@pytest.mark.alone
def test_hikones_championship_of_real_boards_is_right_though_the_hub_is_killed(
    tmp_path: Path, broker: Broker,  # noqa: F811
) -> None:  # fmt: skip
    """72 boards of the real firmware at ten times real time: about a quarter of an hour."""
    day = RealDay(tmp_path, broker, HIKONE, 10.0, 300)
    places = day.run(kills=10, corrections=20, withdrawals=4, deaths=6, each_s=25, most_s=3_400)
    assert all(set(each) == {1, 2, 3, 4} for each in places.values()), (places, day.happened)
