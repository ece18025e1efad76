"""A desk and boards with random play, all as values, for tests."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Any

from jackspot.core.match import MatchState
from jackspot.core.record import read_record
from jackspot.festival.messages import What, crc32
from jackspot.festival.names import board_id
from jackspot.values import changed
from jackspot_hub.desk.state import DeskEntry, DeskState, fold, folded
from jackspot_hub.desk.step import hear, pass_time, told
from jackspot_hub.event.contest import Contest, Format, Knockout
from jackspot_hub.event.programme import Person, PlayedClass, Programme
from jackspot_hub.event.schedule import FreeBoard

MINUTE_MS = 60_000


def programme(boards: int = 3, rest_ms: int = 0, **formats: Format) -> Programme:
    """Return an event of eight people in each contest."""
    classes, people = {}, dict[int, Person]()
    for at, (name, form) in enumerate(formats.items()):
        own = tuple(range(8 * at, 8 * at + 8))
        people.update((each, Person(each, f"{name} {each - 8 * at}")) for each in own)
        classes[name] = PlayedClass(
            Contest(name, own, form), {each: (each,) for each in own}, {"rules": "hikone"}
        )
    numbers = tuple(FreeBoard(number) for number in range(1, boards + 1))
    return Programme("Test", "hikone", people, classes, numbers, rest_ms)


@lru_cache
def stood(text: str) -> MatchState:
    """Return a match's state by its record; cached, since it is asked for several times."""
    return read_record(text).match.state


class PlayedHall:
    """Boards that play what they are told, and a desk that writes down what they say."""

    def __init__(self, event: Programme, random: Random) -> None:
        self.random = random
        self.event = event
        self.desk = DeskState(event)
        self.entries: list[tuple[DeskEntry, int]] = []
        self.now_ms = 0
        self.seq = 0
        self.plays: dict[int, int] = {}
        self.alive = {each.number for each in event.boards}
        for number in self.alive:
            self.say(number, What.STATUS, {"v": 1, "state": "ready", "boot": "a", "n": 1})
            self.say(number, What.MATCH, {"v": 1, "order": None, "state": "none", "since_ms": 0})

    def write(self, entries: tuple[DeskEntry, ...]) -> None:
        """Write entries down and fold them."""
        for entry in entries:
            self.entries.append((entry, self.now_ms))
            self.desk = fold(self.desk, entry.kind, entry.body, self.now_ms)

    def say(self, board: int, what: What, said: dict[str, Any] | None) -> None:
        """Let the desk hear what a board says."""
        self.desk, entries = hear(self.desk, board, what, said, self.now_ms)
        self.write(entries)

    def tick(self, minutes: int = 1) -> None:
        """Let time pass at the desk."""
        self.now_ms += minutes * MINUTE_MS
        self.write(pass_time(self.desk, self.now_ms))

    def match_says(self, board: int, order: int | None, state: str) -> None:
        """Say what has become of an order."""
        said = {"v": 1, "order": order, "state": state, "since_ms": 0}
        self.say(board, What.MATCH, said)

    def sit_down(self, board: int) -> dict[str, Any] | None:
        """Begin what a board is told to play; return the order."""
        order = told(self.desk, board)[What.ORDER]
        if order["order"] is None:
            return None
        self.plays[board] = order["order"]
        self.match_says(board, order["order"], "playing")
        return order

    def result(self, board: int, lines: str = "", **changed: Any) -> dict[str, Any]:
        """End the match on a board, at random or with these lines; return the result."""
        order = self.desk.orders[self.plays[board]]
        text = (order.resume or order.header) + lines
        while not lines and not stood(text).over:
            text = self._board_more(text)
        state = stood(text)
        self.seq += 2
        said = {
            "v": 1, "id": f"{board_id(board)}-x-{self.seq}", "journal": "x", "seq": self.seq,
            "match": self.seq - 1, "revision": 1, "order": order.number, "winner": state.winner,
            "points": dict(state.points), "boards": dict(state.boards_won), "by": None,
            "record": text, "crc32": crc32(text), "wall_ms": 0, "synchronised": False, **changed,
        }  # fmt: skip
        self.match_says(board, order.number, "over")
        self.say(board, What.RESULT, said)
        return said

    def _board_more(self, text: str) -> str:
        """Play one more board of a match: the first to shoot takes all, or somebody resigns."""
        state = stood(text)
        assert state.next is not None
        won = f"{state.next} 12*{state.settings.sides[state.next].value}\n{state.next} jack\n"
        gives_up = f"! resign {self.random.choice(list(state.settings.sides))}\n"
        return text + (won if state.result else self.random.choice([gives_up, won]))

    def restarted(self) -> DeskState:
        """Fold the journal from its beginning."""
        journal = ((entry.kind, entry.body, at_ms) for entry, at_ms in self.entries)
        return changed(folded(self.event, journal), seen=self.desk.seen)


def hall(seed: int = 1, boards: int = 3, rest_ms: int = 0, **formats: object) -> PlayedHall:
    """Return a hall of an event of eight people in each contest, by default one knockout."""
    formats = formats or {"s": Knockout()}
    return PlayedHall(programme(boards, rest_ms, **formats), Random(seed))  # type: ignore[arg-type]
