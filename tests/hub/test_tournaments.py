"""Random tournaments: results, corrections, withdrawals and replays in any order.

Whatever happened on the way, the outcome is the same as if all had been entered right at once. On
the way nobody is at two boards, meets the same opponent twice while another is left, or waits again
before others have waited.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import combinations
from random import Random
from typing import Any

import networkx
import pytest

from jackspot.core.record import read_record
from jackspot.festival.messages import What, crc32
from jackspot.festival.names import board_id
from jackspot.values import changed
from jackspot_hub.desk.attaching import attach_free, loose_results, put_aside
from jackspot_hub.desk.entering import enter, withdraw
from jackspot_hub.desk.revising import correct
from jackspot_hub.desk.state import DeskEntry, DeskKind, DeskState, fold, outcome_body
from jackspot_hub.event.contest import (
    AT_ANY_TIME,
    IN_ROUNDS,
    Absence,
    AllAgainstAll,
    Contest,
    DoubleElimination,
    DrawnContest,
    Format,
    Groups,
    Knockout,
    OpenPlay,
    Partners,
    Swiss,
    draw,
    forfeits,
)
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.fixtures import Outcome, PlayedMatch, entrants_of
from jackspot_hub.event.programme import Person, PlayedClass, Programme
from jackspot_hub.event.schedule import FreeBoard
from tests.hub.halls import PlayedHall
from tests.hub.recount import Entered, Recount, played_in

FORMATS = (
    "groups", "knockout", "all", "swiss", "swiss and final", "double", "partners", "threes", "free",
)  # fmt: skip
COME_AND_GO = {"partners", "threes"}
MOST_TURNS = 2_000
CORRECTS, TAKES_BACK, REPLAYS, WITHDRAWS = 0.12, 0.06, 0.03, 0.02
BOTH = "d"
"""A knockout for the same people alongside the contest: nobody may be called twice at once."""


def form_of(random: Random, name: str, count: int) -> Format:
    rounds = random.randrange(1, max(2, count // 2))
    forms: dict[str, Callable[[], Format]] = {
        "groups": lambda: Groups(random.randrange(1, count // 2 + 1), random.randrange(4)),
        "knockout": Knockout,
        "all": AllAgainstAll,
        "swiss": lambda: Swiss(rounds),
        "swiss and final": lambda: Swiss(rounds, random.choice((2, 2, 3, 4)), rounds % 2 == 0),
        "partners": lambda: Partners(rounds),
        "threes": lambda: Partners(rounds, at_a_board=3),
        "free": lambda: OpenPlay(random.randrange(1, 3)),
        "double": DoubleElimination,
    }
    return forms[name]()


class Tournament:
    """One event with two contests of the same people, which goes on until nothing is left."""

    def __init__(self, name: str, seed: int) -> None:
        self.random = random = Random(f"{name} {seed}")
        self.name, count = name, random.randrange(4, 13)
        self.form = form_of(random, name, count)
        classes = {}
        for at, form in (("s", self.form), (BOTH, Knockout())):
            contest = Contest(at, tuple(range(count)), form, seed=str(seed))
            alone = {entrant: (entrant,) for entrant in range(count)}
            best_of_three = {"options": {"best_of": 3}} if getattr(form, "earlier", False) else {}
            classes[at] = PlayedClass(contest, alone, {"rules": "hikone"},
                                      knockout_header=best_of_three)  # fmt: skip
        people = {each: Person(each, f"P{each}") for each in range(count)}
        boards = tuple(FreeBoard(number) for number in range(1, random.randrange(2, 6)))
        self.hall = PlayedHall(Programme("T", "hall", people, classes, boards), random)
        self.entrants = [(f"P{entrant}",) for entrant in range(count)]
        self.gone: set[int] = set()
        self.free_left = random.randrange(5, 40) if name == "free" else 0
        self.freely: list[dict[str, Any]] = []
        """What was played without an order."""
        self.happened: Counter[str] = Counter()

    @property
    def desk(self) -> DeskState:
        return self.hall.desk

    def contest(self, name: str) -> Contest:
        return self.desk.programme.classes[name].contest

    def play(self) -> None:
        """Play the tournament to its end."""
        for _turn in range(MOST_TURNS):
            self.hall.tick()
            self.check_boards()
            self.happen()
            if not self.desk.open_orders and not self.left():
                return
        pytest.fail("it has not come to its end")

    def left(self) -> bool:
        return self.free_left > 0 or any(
            each.is_ready and not self.was_called(name, each.key)
            for name in self.desk.programme.classes for each in self.desk.drawn(name).fixtures
        )  # fmt: skip

    def was_called(self, name: str, key: str) -> bool:
        known = self.desk.results.get(name, {}).get(key)
        return known is not None and known.called

    def check_boards(self) -> None:
        orders = [self.desk.orders[number] for number in self.desk.open_orders.values()]
        people = Counter(person for each in orders for person in entrants_of(each.sides))
        assert set(people.values()) <= {1}, f"somebody is at two boards: {people}"
        assert len({each.key for each in orders}) == len(orders)

    def happen(self) -> None:
        """Let some of the open matches end, and now and then something else happen."""
        random = self.random
        for board in list(self.desk.open_orders):
            if random.random() < 0.6 and board in self.desk.open_orders:
                self.hall.sit_down(board)
                self.hall.result(board)
        for chance, does in ((CORRECTS, self.correct), (TAKES_BACK, self.take_back),
                             (REPLAYS, self.replay), (WITHDRAWS, self.withdraw)):  # fmt: skip
            often = 8 if does == self.withdraw and self.name in COME_AND_GO else 1
            if random.random() < often * chance:
                does()
        if self.free_left:
            self.free_left -= 1
            self.play_freely()
        for name in self.desk.programme.classes:
            self.decide(name)
            for entrant in self.gone:
                self.forfeit(name, entrant)
        self.write_forfeits()

    def over(self) -> list[tuple[str, PlayedMatch]]:
        return [
            (key, each) for results in self.desk.results.values()
            for key, each in sorted(results.items()) if each.outcome is not None
        ]  # fmt: skip

    def drawn_outcome(self, *, level: bool) -> Outcome:
        random = self.random
        winner = random.choice((0, 1, None) if level else (0, 1))
        points = random.randrange(13), random.randrange(13)
        return Outcome(winner, points, by_jack=winner is not None and random.random() < 0.3)

    def correct(self) -> None:
        """Correct the outcome of any match, however long ago it ended."""
        if found := self.over():
            key, _played = self.random.choice(found)
            level = self.name not in {"knockout", "double"} and key.startswith("s-")
            self.hall.write(correct(self.desk, key, self.drawn_outcome(level=level), "desk"))
            self.happened["corrected"] += 1

    def take_back(self) -> None:
        """Correct a match and correct it back; check that nothing has changed."""
        if not (found := self.over()):
            return
        key, played = self.random.choice(found)
        before = self.desk
        drawn = {name: before.drawn(name) for name in before.programme.classes}
        self.hall.write(correct(self.desk, key, self.drawn_outcome(level=True), "desk"))
        self.hall.write(correct(self.desk, key, played.outcome, "desk"))
        assert self.desk.results == before.results
        assert changed(self.desk, past=before.past, corrected=before.corrected) == before
        assert {name: self.desk.drawn(name) for name in drawn} == drawn
        self.happened["taken back"] += 1

    def replay(self) -> None:
        """Have any match played again."""
        if found := self.over():
            key, _played = self.random.choice(found)
            self.hall.write(correct(self.desk, key, None, "desk"))
            self.happened["to be played again"] += 1

    def play_freely(self) -> None:
        """Let two people play uncalled, or let UNDO change one of the last such matches."""
        random, number = self.random, len(self.freely) + 1
        if self.freely and random.random() < 0.2:
            before = random.choice(self.freely[-3:])
            same = [each for each in self.freely if each["match"] == before["match"]]
            names, revision, match = before["names"], len(same) + 1, before["match"]
        else:
            names, revision, match = [self.typed() for _seat in range(2)], 1, number
        text = f'rules = "hikone"\n[names]\nN = "{names[0]}"\nS = "{names[1]}"\n---\n'
        text += random.choice(
            ("N 12*red\nN jack\n", "N 2*red\nN -\nS 3*green\n! resign S\n", "! draw\n",
             "N -\nS 12*green\nS jack\n")
        )  # fmt: skip
        state = read_record(text).match.state
        board, seq = 1, 1_000_001 + 2 * number
        self.freely.append({"names": names, "match": match})
        self.hall.say(board, What.RESULT, {
            "v": 1, "id": f"{board_id(board)}-x-{seq}", "journal": "y", "seq": seq, "match": match,
            "revision": revision, "order": None, "winner": state.winner, "by": None,
            "points": dict(state.points), "boards": dict(state.boards_won), "record": text,
            "crc32": crc32(text), "wall_ms": 0, "synchronised": False,
        })  # fmt: skip
        for said in loose_results(self.desk):
            one, two = random.sample(range(len(self.entrants)), 2)
            if random.random() < 0.5:
                self.hall.write(attach_free(self.desk, said["id"], "s", (one, two), "desk"))
                self.happened["attached"] += 1
            elif random.random() < 0.3:
                self.hall.write(put_aside(self.desk, said["id"], "desk"))
                self.happened["put aside"] += 1

    def typed(self) -> str:
        """Return somebody's name as people type it, or their number, or a name nobody knows."""
        number = self.random.randrange(len(self.entrants))
        return self.random.choice((f"P{number}", f"P{number}", f"p{number}", str(number), "Zoe"))

    def withdraw(self) -> None:
        """Let somebody go home, or come back."""
        if self.name in COME_AND_GO:
            entrant = self.random.randrange(len(self.entrants))
            comes = entrant in self.contest("s").left
            with suppress(CannotBe):
                self.hall.write(enter(self.desk, "s", [entrant], "desk") if comes
                                else withdraw(self.desk, "s", entrant, "desk"))  # fmt: skip
                self.happened["came again" if comes else "went"] += 1
        elif len(self.gone) < 2:
            self.gone.add(self.random.randrange(len(self.entrants)))

    def forfeit(self, name: str, entrant: int) -> None:
        """Write down the forfeits of somebody who has gone home."""
        known = self.desk.results.get(name, {})
        for key, each in forfeits(self.contest(name), known, [Absence(entrant, 0)]).items():
            if known.get(key) != each:
                assert each.outcome is not None
                self.hall.write(correct(self.desk, key, each.outcome, "desk"))
                self.happened["forfeited"] += 1

    def write_forfeits(self) -> None:
        """Write down the matches lost by people who left before these were called again."""
        for key, each in self.desk.played("s").items():
            if each.outcome is not None and not self.was_called("s", key):
                self.hall.write(correct(self.desk, key, each.outcome, "desk"))
                self.happened["forfeited"] += 1

    def decide(self, name: str) -> None:
        """Say who has won each tied match that must have a winner."""
        form = self.contest(name).format
        for key, played in list(self.desk.results.get(name, {}).items()):
            has_winner = isinstance(form, Knockout | DoubleElimination) or "-ko-" in key
            if has_winner and played.outcome is not None and played.outcome.winner is None:
                won = changed(played.outcome, winner=self.random.randrange(2))
                self.hall.write(correct(self.desk, key, won, "desk"))


def bare(contest: Contest, results: Any) -> DrawnContest:
    return draw(contest, {key: each for key, each in results.items() if "-ko-" not in key})


def check(tournament: Tournament) -> None:
    """Check the outcome of a tournament."""
    desk, random = tournament.desk, tournament.random
    entries = [(each.kind.value, each.body, at) for each, at in tournament.hall.entries]
    form = tournament.form
    entered = {
        "s": Entered("s", tournament.entrants, tournament.name,
                     getattr(form, "count", 0), getattr(form, "upper", 0),
                     tournament.contest("s").seed, meetings=getattr(form, "meetings", 0)),
        BOTH: Entered(BOTH, tournament.entrants, "knockout"),
    }  # fmt: skip
    played = played_in(entries, entered)
    for name in desk.programme.classes:
        contest, drawn = tournament.contest(name), desk.drawn(name)
        results = desk.results.get(name, {})
        own = {key: each for key, each in played.items() if key.split("-")[0] == name}
        Recount(entered[name], own, drawn, bare(contest, results)).check()
        if not isinstance(contest.format, IN_ROUNDS):
            assert results == desk.played(name), "nobody has left"
        assert at_once(desk, name, random).drawn(name) == drawn, "entered right at once"
        if not drawn.conflicts and not isinstance(contest.format, AT_ANY_TIME):
            assert from_the_start(contest, results) == told(drawn), "played right from the start"
    if isinstance(form, Swiss) and not tournament.happened["to be played again"]:
        check_rematches(desk.drawn("s"), len(tournament.entrants))


def at_once(desk: DeskState, name: str, random: Random) -> DeskState:
    """Enter the final results into an empty desk, in any order."""
    found = DeskState(desk.programme)
    results = list(desk.played(name).items())
    random.shuffle(results)
    for key, each in results:
        assert each.outcome is not None
        body = {"contest": name, "key": key, "sides": list(each.sides), "by": "desk",
                "outcome": outcome_body(each.outcome)}  # fmt: skip
        entry = DeskEntry(DeskKind.CORRECTED, body)
        found = fold(found, entry.kind, entry.body, 0)
    return found


def from_the_start(contest: Contest, results: Any) -> Any:
    """Play a contest from the start, each match with its final result once its two are known."""
    found: dict[str, PlayedMatch] = {}
    while True:
        ready = [each for each in draw(contest, found).fixtures
                 if each.is_ready and each.key not in found]  # fmt: skip
        if not ready:
            return told(draw(contest, found))
        for each in ready:
            assert set(each.sides) == set(results[each.key].sides), each.key
            found[each.key] = results[each.key]


def told(drawn: DrawnContest) -> Any:
    """Return a draw without the order of its fixtures."""
    fixtures = {each.key: (each.round, frozenset(each.sides)) for each in drawn.fixtures}
    return fixtures, dict(drawn.tables), drawn.final, drawn.waits, drawn.conflicts


def check_rematches(drawn: DrawnContest, count: int) -> None:
    """Check that two meet again only in a round that could not be paired otherwise."""
    nobody = -1
    rounds: dict[int, list[tuple[int, int]]] = {}
    for each in drawn.fixtures:
        if "-ko-" not in each.key:
            number = int(each.key.split("-")[1])
            rounds.setdefault(number, []).append(each.sides)  # type: ignore[arg-type]
    for wait in drawn.waits:
        rounds.setdefault(wait.round, []).append((wait.entrant, nobody))
    met: set[frozenset[int]] = set()
    there = [*range(count), *[nobody] * (count % 2)]
    for number in sorted(rounds):
        pairs = {frozenset(each) for each in rounds[number]}
        if pairs & met:
            free = [pair for pair in combinations(there, 2) if frozenset(pair) not in met]
            graph = networkx.Graph(free)
            most = networkx.max_weight_matching(graph, maxcardinality=True)
            assert 2 * len(most) < len(there), f"round {number}: {pairs & met} meet again"
        met |= pairs


def run(name: str, seed: int) -> Counter[str]:
    """Play a tournament and check it; a failure names it."""
    tournament = Tournament(name, seed)
    try:
        tournament.play()
        check(tournament)
    except BaseException as wrong:
        size = len(tournament.entrants)
        happened = dict(tournament.happened)
        wrong.add_note(f"tournament {name} {seed}: {tournament.form}, {size} entrants, {happened}")
        raise
    return tournament.happened


@pytest.mark.parametrize("name", FORMATS)
def test_what_stands_at_the_end_is_what_was_right_whatever_happened(name: str) -> None:
    for seed in range(12):
        run(name, seed)


@pytest.mark.long
@pytest.mark.parametrize("part", range(5))
@pytest.mark.parametrize("name", FORMATS)
def test_thousands_of_tournaments_end_right(name: str, part: int) -> None:
    """A hundred at a time: 500 of each format."""
    for seed in range(100 * part, 100 * part + 100):
        run(name, 1_000 + seed)
