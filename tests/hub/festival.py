"""A festival on virtual time: the desk's real steps and journal, with boards that play quickly.

A match is random strokes through the real core, and 0:00 after five minutes. A :class:`Plan` says
how long people and desk take for the rest: with a hub, or with paper.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from jackspot.core.directives import Say, Saying
from jackspot.core.match import Match
from jackspot.core.record import read_record, write_record
from jackspot.festival.messages import What, crc32, write
from jackspot.festival.names import board_id
from jackspot.values import changed
from jackspot_hub.desk.revising import correct
from jackspot_hub.desk.state import DeskEntry, DeskState, fold
from jackspot_hub.desk.step import pass_time, told
from jackspot_hub.event.contest import Absence, Contest, Format, Groups, Knockout, draw, forfeits
from jackspot_hub.event.fixtures import Outcome, PlayedMatch
from jackspot_hub.event.programme import Person, PlayedClass, Programme
from jackspot_hub.event.schedule import FreeBoard
from jackspot_hub.figures import DayFigures, figures
from jackspot_hub.running import RunningHub
from jackspot_sim.practice.organiser import Organiser
from tests.core.play import play
from tests.hub.recount import Entered, Name, Recount, played_in

SECOND_MS, MINUTE_MS = 1_000, 60_000
MATCH_S = 300
REST_S = 120
STROKE_S = 8, 16
"""From stroke to stroke, as in a hall of simulated people: about twelve seconds."""


# --- what a day takes besides play ---------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """How long calls and results take, in seconds.

    Each of the ``announcers`` and ``clerks`` does one thing at a time. Without clerks a result is
    known at once.
    """

    walks_s: tuple[int, int]
    """Everybody walks through the same hall to the board that was called."""
    sits_s: int
    """Sitting down, setting up the pieces, deciding who begins."""
    announces_s: int = 0
    announcers: int = 0
    carries_s: tuple[int, int] = (0, 0)
    enters_s: int = 0
    clerks: int = 0


WALKS_S = 30, 120
"""A hall of 72 boards is some 40 m long and full; people stand anywhere in it."""
SITS_S = 40
"""Nineteen pieces are set up for the opening."""
SLIP_S = 10
"""Before a match is called, a slip is written with two names, board and round."""
ANNOUNCES_S = 12
"""Two names and a board, read out twice so that they are understood."""
CARRIES_S = 40, 120
"""Both sign the slip; somebody carries it to the desk and queues there."""
ENTERS_S = 25
"""The slip is read and copied into the group's sheet, where the next match is looked up."""
ANNOUNCERS, CLERKS = 1, 3
"""One microphone; three at the desk, one for about 25 boards."""

WITH_HUB = Plan(WALKS_S, SITS_S)
"""A call is on the display, the wall and phones at once; a result is at the desk at once."""


def with_paper() -> Plan:
    """Return the plan of the same day with paper."""
    return Plan(WALKS_S, SITS_S, SLIP_S + ANNOUNCES_S, ANNOUNCERS, CARRIES_S, ENTERS_S, CLERKS)


# --- the event -----------------------------------------------------------------------------------


def championship(
    singles: int, groups: int, pairs: int, boards: int, *, seed: str = "36"
) -> Programme:
    """Return an event like Hikone's: groups of singles, a knockout for three of each, and pairs."""
    people = {number: Person(number, f"Player {number}") for number in range(1, singles + 1)}
    match = {"rules": "hikone", "options": {"time_limit_s": MATCH_S}}
    alone = [(each,) for each in people]
    together = [(each, each + 1) for each in range(1, 2 * pairs, 2)]
    return Programme(
        "36th championship", "hikone", people,
        {
            "singles": _class("singles", alone, Groups(groups, 3), match, seed),
            "pairs": _class("pairs", together, Knockout(), match, seed),
        },
        tuple(FreeBoard(number) for number in range(1, boards + 1)), REST_S * SECOND_MS,
    )  # fmt: skip


def _class(
    name: str, entrants: Sequence[tuple[int, ...]], form: Format, match: dict[str, Any], seed: str
) -> PlayedClass:
    people = {own[0]: own for own in entrants}
    contest = Contest(name, tuple(people), form, seed=seed)
    return PlayedClass(contest, people, match, size=len(entrants[0]))


def entered_in(programme: Programme) -> dict[str, Entered]:
    """Return what the organiser's lists say."""
    found = {}
    for name, each in programme.classes.items():
        names: list[Name] = [programme.names(name, one) for one in each.contest.entrants]
        form = each.contest.format
        if isinstance(form, Groups):
            found[name] = Entered(
                name, names, "groups", form.count, form.upper, each.contest.seed,
                each.contest.entrants,
            )  # fmt: skip
        else:
            found[name] = Entered(
                name, names, "knockout", seed=each.contest.seed, numbers=each.contest.entrants
            )
    return found


# --- boards --------------------------------------------------------------------------------------


class StoppedWall:
    """A clock that stands still until somebody moves it."""

    now_ms = 1_795_000_000_000

    def now_ns(self) -> int:
        return self.now_ms * 1_000_000

    def synchronised(self) -> bool:
        return True

    def boot(self) -> str:
        return "virtual"


@dataclass
class LightBoard:
    """A board that says what a real one says; what its people do is random."""

    number: int
    there: bool = True
    order: int | None = None
    state: str = "none"
    match: Match | None = None
    due: int = 0
    """Plans made under a lower number are dropped."""
    seq: int = 0
    outbox: list[dict[str, Any]] = field(default_factory=list)
    asked: dict[str, Any] = field(default_factory=dict)


class Festival:
    """A day from its first call to its last result.

    ``checked`` is called with the festival after each entry that the hub has written.
    """

    def __init__(
        self, programme: Programme, plan: Plan, folder: Path, seed: int,
        checked: Callable[[Festival], None] = lambda _festival: None,
    ) -> None:  # fmt: skip
        self.programme, self.plan, self._journal = programme, plan, folder / "hub.sqlite3"
        self.random = Random(seed)
        self.wall = StoppedWall()
        self.entries: list[tuple[str, Mapping[str, Any], int]] = []
        self.begun_ms: dict[int, int] = {}
        self.boards = {each.number: LightBoard(each.number) for each in programme.boards}
        self.gone: list[int] = []
        self.happened: list[str] = []
        self.played_ms = 0
        """How long boards were in play, from the first stroke of a match to its last."""
        self._deaths_at_results = 0
        self._checked = checked
        self._numbers = count()
        self._agenda: list[tuple[int, int, Callable[[], None]]] = []
        self._free_ms = {"announcer": [0] * plan.announcers, "clerk": [0] * plan.clerks}
        self._organiser = Organiser(str(seed))
        self.hub = self._opened()
        self._greet()

    # --- the hub --------------------------------------------------------------------------

    @property
    def desk(self) -> DeskState:
        return self.hub.desk

    def _opened(self) -> RunningHub:
        return RunningHub(self.programme, self._journal, self._wrote, self.wall)

    def _wrote(self, desk: DeskState, entry: DeskEntry) -> None:
        self.entries.append((entry.kind.value, entry.body, self.wall.now_ms))
        self._checked(self)

    def kill_hub(self) -> None:
        """Kill the hub at once, and start it again with what is on its disk."""
        before = self.desk
        self.hub.close()
        self.hub = self._opened()
        as_begun = changed(
            before, seen={}, started_ms=self.desk.started_ms,
            started_order=self.desk.started_order,
        )  # fmt: skip
        assert self.desk == as_begun, "folded anew it is what it was"
        self.happened.append("the hub was killed")
        self._greet()

    def fold_anew(self) -> DeskState:
        """Return the desk of a hub that would start after the newest entry."""
        desk = DeskState(self.programme)
        for kind, body, at_ms in self.entries:
            desk = fold(desk, kind, body, at_ms)
        return desk

    def enter(self, *entries: DeskEntry) -> None:
        self.hub.enter(entries)

    def _greet(self) -> None:
        """Repeat all that boards have said, as a broker would."""
        for board in self.boards.values():
            self._say_status(board)
            self._say_match(board)
            self._say_record(board)
            for result in board.outbox:
                self._say(board, What.RESULT, result)

    def _say(self, board: LightBoard, what: What, said: dict[str, Any]) -> None:
        self.hub._hear(what.topic(self.programme.hall, board_id(board.number)), write(said))

    def _say_status(self, board: LightBoard) -> None:
        state = "ready" if board.there else "lost"
        self._say(board, What.STATUS, {"v": 1, "state": state, "boot": "a", "n": 1})

    def _say_match(self, board: LightBoard) -> None:
        said = {"v": 1, "order": board.order, "state": board.state, "since_ms": 0}
        self._say(board, What.MATCH, said)

    def _say_record(self, board: LightBoard) -> None:
        if board.match is not None:
            text = text_of(board.match)
            self._say(board, What.RECORD, {"v": 1, "journal": "j", "seq": board.seq, "record": text,
                                           "crc32": crc32(text)})  # fmt: skip

    # --- time -----------------------------------------------------------------------------

    def after(self, seconds: float, does: Callable[[], None]) -> None:
        at_ms = self.wall.now_ms + round(seconds * SECOND_MS)
        heapq.heappush(self._agenda, (at_ms, next(self._numbers), does))

    def later(self, board: LightBoard, seconds: float, does: Callable[[LightBoard], None]) -> None:
        """Plan what a board will do, unless something else happens to it first."""
        due = board.due

        def do() -> None:
            if board.due == due and board.there:
                does(board)

        self.after(seconds, do)

    def run(self, most_hours: int = 24) -> DayFigures:
        """Run the day until everything is played; return its figures."""
        end_ms = self.wall.now_ms + most_hours * 60 * MINUTE_MS
        self.look()
        while not self.is_over():
            if not self._agenda:
                self.after(30, lambda: None)
            at_ms, _, does = heapq.heappop(self._agenda)
            assert at_ms < end_ms, f"not over: {self.desk.open_orders}"
            self.wall.now_ms = max(self.wall.now_ms, at_ms)
            does()
            self.look()
        self.hub.close()
        return figures(self.entries, len(self.boards), self.begun_ms)

    def is_over(self) -> bool:
        return (
            not self.desk.open_orders and self.hub.is_over
            and not self._organiser.has_to_decide(self.desk)
        )  # fmt: skip

    def look(self) -> None:
        """Let desk and organiser do what is due, and tell the boards."""
        now_ms = self.wall.now_ms
        while entries := self._organiser.look(self.desk, now_ms):
            self.enter(*entries)
        self._forfeit()
        self.hub._write(pass_time(self.desk, now_ms))
        if not self.desk.open_orders and not self.is_over():
            self._settle()
        for board in self.boards.values():
            if board.there:
                self._hear(board)

    def _settle(self) -> None:
        """Have conflicting matches played again, where nothing else can go on before that."""
        waiting = any(at > self.wall.now_ms for at in self._rested())
        for name in self.programme.classes:
            conflicts = [] if waiting else list(self.desk.drawn(name).conflicts)
            for conflict in conflicts:
                self.enter(*correct(self.desk, conflict.key, None, "organiser"))
                self.happened.append(f"{conflict.key}: again, since it conflicts")

    def _rested(self) -> list[int]:
        return [at + self.programme.rest_ms for at in self.desk.ended_ms.values()]

    def _queued(self, who: str, seconds: float, after_s: float = 0) -> float:
        """Return in how many seconds one of them will have finished another piece of work."""
        free, now_ms = self._free_ms[who], self.wall.now_ms
        if not free:
            return after_s
        first = free.index(min(free))
        free[first] = max(free[first], now_ms + round(after_s * 1_000)) + round(seconds * 1_000)
        return (free[first] - now_ms) / SECOND_MS

    # --- boards ---------------------------------------------------------------------------

    def _hear(self, board: LightBoard) -> None:
        """Let a board hear what the hub says, if it is new."""
        said = told(self.desk, board.number)
        journals = said[What.ACK]["journals"]
        board.outbox = [each for each in board.outbox if each["seq"] > journals.get("j", 0)]
        order = said[What.ORDER]
        if order == board.asked:
            return
        board.asked = order
        if order["order"] == board.order and board.state != "over":
            return
        gone = board.order is not None and order.get("moved", {}).get("order") == board.order
        if order["order"] is None and (board.state == "over" and not gone):
            return
        board.due += 1
        board.match, board.order, board.state = None, order["order"], "none"
        if order["order"] is not None:
            board.state = "offered"
            text = order["resume"]["record"] if "resume" in order else order["header"]
            board.match = read_record(text).match
            called_s = self._queued("announcer", self.plan.announces_s)
            walks_s = self.random.uniform(*self.plan.walks_s)
            self.later(board, called_s + walks_s + self.plan.sits_s, self._begin)
        self._say_match(board)

    def _begin(self, board: LightBoard) -> None:
        """Let people begin, or go on."""
        assert board.match is not None
        board.state = "playing"
        self._say_match(board)
        self.later(board, self.random.uniform(*STROKE_S), self._first)

    def _first(self, board: LightBoard) -> None:
        """Let them shoot once, and plan the match: half of it, then the rest."""
        assert board.order is not None
        self.begun_ms.setdefault(board.order, self.wall.now_ms)
        half_s = self.random.uniform(60, MATCH_S / 2)
        self._stroke(board, 1)
        self.later(board, half_s, lambda at: self._half(at, half_s))

    def _half(self, board: LightBoard, half_s: float) -> None:
        self._stroke(board, round(half_s / 12))
        self.later(board, self.random.uniform(0.7, 1.1) * (MATCH_S - half_s), self._end)

    def _stroke(self, board: LightBoard, strokes: int) -> None:
        assert board.match is not None
        for match in play(self.random, board.match, strokes, directives=False):
            if match.state.over:
                break
            board.match = match
        self._say_record(board)

    def _end(self, board: LightBoard) -> None:
        """Play the rest, and send the result to the desk."""
        assert board.match is not None
        match = ended(self.random, board.match)
        board.match, board.state = match, "over"
        assert board.order is not None
        self.played_ms += self.wall.now_ms - self.begun_ms.get(board.order, self.wall.now_ms)
        state = match.state
        board.seq += 2
        text = text_of(match)
        said = {
            "v": 1, "id": f"{board_id(board.number)}-j-{board.seq}", "journal": "j",
            "seq": board.seq, "match": board.seq - 1, "revision": 1, "order": board.order,
            "winner": state.winner, "points": dict(state.points),
            "boards": dict(state.boards_won), "by": None, "record": text, "crc32": crc32(text),
            "wall_ms": 0, "synchronised": False,
        }  # fmt: skip
        carries_s = self.random.uniform(*self.plan.carries_s)

        def tell() -> None:
            board.outbox.append(said)
            if self._deaths_at_results:
                self._deaths_at_results -= 1
                self.kill_hub()
            elif board.there:
                self._say_match(board)
                self._say(board, What.RESULT, said)

        self.after(self._queued("clerk", self.plan.enters_s, carries_s), tell)

    # --- what goes wrong ------------------------------------------------------------------

    def die(self, comes_back: bool) -> None:
        """Let a board die while people play at it."""
        playing = [each for each in self.boards.values() if each.there and each.state == "playing"]
        if not playing:
            self.after(60, lambda: self.die(comes_back))
            return
        board = self.random.choice(playing)
        board.there = False
        self._say_status(board)
        self.happened.append(f"board {board.number} died")
        if comes_back:
            self.after(self.random.uniform(60, 400), lambda: self._revive(board))

    def _revive(self, board: LightBoard) -> None:
        board.there, board.asked = True, {"order": board.order}
        board.due += 1
        self._say_status(board)
        self._say_match(board)
        if board.state == "playing":
            self.later(board, self.random.uniform(60, 200), self._end)
        else:
            board.asked = {}
        self.happened.append(f"board {board.number} came back")

    def kill_hub_at_a_result(self) -> None:
        """Kill the hub when a result has come, before it is on the disk: it comes again."""
        self._deaths_at_results += 1

    def correct_one(self) -> None:
        """Correct a match's outcome, or have it played again, however long ago it ended."""
        over = [
            (name, key, each) for name, results in self.desk.results.items()
            for key, each in sorted(results.items()) if each.outcome is not None
        ]  # fmt: skip
        if not over:
            self.after(60, self.correct_one)
            return
        name, key, played = self.random.choice(over)
        points = self.random.randrange(13), self.random.randrange(13)
        outcome = Outcome(self.random.randrange(2), points)
        what = None if self.random.random() < 0.2 else outcome
        self.enter(*correct(self.desk, key, what, "organiser"))
        self.happened.append(f"{key} was corrected: {played.outcome} was {what}")
        for conflict in self.desk.drawn(name).conflicts:
            if self.random.random() < 0.5:
                self.enter(*correct(self.desk, conflict.key, None, "organiser"))
                self.happened.append(f"{conflict.key}: again, since it conflicts")

    def withdraw(self) -> None:
        """Let somebody go home: from now on they forfeit what they have left to play."""
        entrants = self.programme.classes["singles"].contest.entrants
        self.gone.append(self.random.choice([each for each in entrants if each not in self.gone]))
        self.happened.append(f"{self.gone[-1]} went home")

    def _forfeit(self) -> None:
        name = "singles"
        known = self.desk.results.get(name, {})
        for entrant in self.gone:
            left = any(
                entrant in each.sides and each.is_ready
                and not ((at := known.get(each.key)) is not None and at.outcome is not None)
                for each in self.desk.drawn(name).fixtures
            )  # fmt: skip
            if left:
                found = forfeits(self.programme.classes[name].contest, known, [Absence(entrant, 0)])
                for key, each in found.items():
                    if known.get(key) != each:
                        assert each.outcome is not None
                        self.enter(*correct(self.desk, key, each.outcome, "organiser"))
                known = self.desk.results.get(name, {})


def text_of(match: Match) -> str:
    return write_record(match.settings, [step.entry for step in match.steps])


def ended(random: Random, match: Match) -> Match:
    """Play a match to its end: some more strokes, then 0:00 and what is played after it."""
    for after in play(random, match, random.randrange(5, 20), directives=False):
        match = after
    if not match.state.over:
        match = match.enter(Say(Saying.TIME))
    while not match.state.over:
        (match,) = play(random, match, 1, directives=False)
    return match


# --- the recount ---------------------------------------------------------------------------------


class Recounting:
    """Recounts a festival as often as it is asked to."""

    def __init__(self) -> None:
        self.times = 0
        self.places: dict[str, dict[int, Name]] = {}
        self._bare: dict[str, tuple[dict[str, PlayedMatch], Any]] = {}

    def check(self, festival: Festival) -> None:
        """Check the hub's draws and tables against the records."""
        self.times += 1
        entered = entered_in(festival.programme)
        played = played_in(festival.entries, entered)
        for name, list_of in entered.items():
            own = {key: each for key, each in played.items() if key.split("-")[0] == name}
            bare = self._drawn_bare(festival, name) if list_of.format == "groups" else None
            recount = Recount(list_of, own, festival.desk.drawn(name), bare).check()
            self.places[name] = recount.places

    def _drawn_bare(self, festival: Festival, name: str) -> Any:
        results = {
            key: each for key, each in festival.desk.results.get(name, {}).items()
            if "-ko-" not in key
        }  # fmt: skip
        known = self._bare.get(name)
        if known is None or known[0] != results:
            contest = festival.programme.classes[name].contest
            self._bare[name] = results, draw(contest, results)
        return self._bare[name][1]
