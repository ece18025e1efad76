"""A desk that takes people's requests, for events of every format, with boards that play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from jackspot.values import changed
from jackspot_hub.desk.entering import draw_class, enter, register
from jackspot_hub.desk.state import DeskState, Entries
from jackspot_hub.event.programme import Programme
from jackspot_hub.event_file import programme_of
from tests.hub.halls import PlayedHall

FORMS: Mapping[str, Mapping[str, Any]] = {
    "g": {"format": "groups", "groups": 2, "upper": 1},
    "k": {"format": "knockout"},
    "w": {"format": "swiss", "rounds": 3},
    "a": {"format": "all"},
    "p": {"format": "double", "pairs": True},
    "d": {"format": "partners", "rounds": 3},
    "h": {"format": "threes", "rounds": 4},
    "o": {"format": "free"},
    "q": {"format": "knockout", "pairs": True},
    "s": {"format": "swiss", "rounds": 3, "pairs": True},
    "e": {"format": "double"},
}


def event(*contests: str, boards: int = 2, **more: Any) -> Programme:
    """Return an event whose classes are drawn by hand."""
    tables = [{"name": name, "draw": "later", **FORMS[name], **more} for name in contests]
    return programme_of({"name": "A", "hall": "a", "boards": boards, "contest": tables})


class Desk:
    """A desk that takes people's requests, with boards that play."""

    def __init__(self, programme: Programme, seed: int = 1) -> None:
        self.hall = PlayedHall(programme, Random(seed))

    @property
    def state(self) -> DeskState:
        return self.hall.desk

    def say(self, ask: Callable[..., Entries], *words: Any, **more: Any) -> None:
        """Ask the desk for something, and write the entries down."""
        self.hall.write(ask(self.state, *words, "desk", **more))

    def people(self, count: int, **words: Any) -> list[int]:
        for _ in range(count):
            self.say(register, f"P{len(self.state.programme.people) + 1}", **words)
        return sorted(self.state.programme.people)[-count:]

    def enter(self, contest: str, count: int) -> list[int]:
        people = self.people(count)
        for each in people:
            self.say(enter, contest, [each])
        return people

    def play(self, board: int, lines: str = "! resign S\n") -> None:
        self.hall.sit_down(board)
        self.hall.result(board, lines)


def facts(desk: DeskState) -> DeskState:
    """Return a desk without the history of how it came to be."""
    return changed(desk, past=(), seen={})


def called() -> Desk:
    """Return a drawn knockout of four with one match called; entry 9 drew it."""
    desk = Desk(event("k", "a", boards=1))
    desk.enter("k", 4)
    desk.say(draw_class, "k", "37")
    desk.hall.tick()
    return desk
