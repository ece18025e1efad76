"""A hall to look at: ``python -m tests.hub.shown BOARDS ENTRANTS TURNS [PORT]`` serves its pages.

Its boards are values and play at random; the pages are the real ones, on a real server.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import Future
from random import Random
from typing import Any

from jackspot.festival.messages import What
from jackspot.web.server import PageServer, WebSettings
from jackspot.web.serving import access_of
from jackspot_hub.desk.state import DeskEntry, DeskState
from jackspot_hub.event.contest import Contest, Groups, Swiss, letters
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.programme import Person, PlayedClass, Programme
from jackspot_hub.event.schedule import FreeBoard
from jackspot_hub.web.app import LIMITS, PRINTED, HubPages, LiveHub
from tests.hub.halls import PlayedHall

PIN = "123456"
GIVEN = (
    "Aiko", "Ben", "Chie", "Dirk", "Emi", "Frieda", "Goro", "Hana", "Ines", "Jun", "Kaito", "Lena",
    "Mio", "Noah", "Otto", "Priya", "Rin", "Sora", "Taro", "Uta", "Vikram", "Yui", "Zoe", "Daiki",
)  # fmt: skip
FAMILY = (
    "Tanaka", "Müller", "Sato", "Ito", "Frei", "Mori", "Schmidt-Wächter", "Iyer", "Kobayashi",
    "Weiß", "Rao", "Suzuki", "Lehmann", "Yamamoto",
)  # fmt: skip
KANJI = ("田中 愛子", "佐藤 蓮", "小林 陽菜", "鈴木 大輝", "山本 結衣", "伊藤 五郎", "中村 咲良")


def people(count: int, random: Random) -> list[str]:
    """Return different names in three languages; one that comes up again gets a middle initial."""
    found: dict[str, None] = {}
    for at in range(count):
        if random.random() < 0.3:
            name = random.choice(KANJI) + random.choice(("", "", "子", "美", "郎", "太", "介"))
        else:
            name = f"{random.choice(GIVEN)} {random.choice(FAMILY)}"
        given, _, family = name.partition(" ")
        found[name if name not in found else f"{given} {letters(at)}. {family}"] = None
    return list(found)


def event(boards: int, entrants: int, random: Random) -> Programme:
    """Return an event of singles in groups of about six, and pairs."""
    names = people(entrants, random)
    options: dict[str, Any] = {"rules": "hikone", "options": {"time_limit_s": 300}}
    known = {at: Person(at, name) for at, name in enumerate(names, start=1)}
    singles = PlayedClass(
        Contest("singles", tuple(known), Groups(max(1, entrants // 6), 2), seed="37"),
        {at: (at,) for at in known}, options, "Open singles",
    )  # fmt: skip
    pairs = list(known)[: max(4, entrants // 4 // 2 * 2 * 2)]
    couples = {one: (one, two) for one, two in zip(pairs[::2], pairs[1::2], strict=True)}
    doubles = PlayedClass(
        Contest("pairs", tuple(couples), Swiss(4), seed="37"), couples, options, "Pairs", size=2
    )
    numbers = tuple(FreeBoard(number) for number in range(1, boards + 1))
    classes = {"singles": singles, "pairs": doubles}
    return Programme("彦根 Spring festival", "hikone", known, classes, numbers)


class ShownHall:
    """A played hall with its web pages."""

    def __init__(
        self, boards: int, entrants: int, seed: int = 1, port: int = 0,
        played: Programme | None = None,
    ) -> None:  # fmt: skip
        self.random = Random(seed)
        played = played or event(boards, entrants, self.random)
        self.hall = PlayedHall(played, self.random)
        self.hall.now_ms = time.time_ns() // 1_000_000
        self.serve(port)

    def serve(self, port: int) -> None:
        """Make its pages, as a restarted hub does."""
        self.asked: list[tuple[int, str, Any]] = []
        self.live = LiveHub(self.hall.desk, self.do, self.ask)
        settings = WebSettings(port=port, pin=PIN, limits=LIMITS)
        self.pages = PageServer(
            settings,
            lambda: HubPages(self.live, access_of(settings, PRINTED)).app(),
            [self.live.feed],
        )

    def do(self, make: Any) -> Future[None]:
        """Do what the desk asks for, at once."""
        done: Future[None] = Future()
        try:
            entries: tuple[DeskEntry, ...] = make(self.hall.desk)
            self.hall.write(entries)
        except CannotBe as wrong:
            done.set_exception(wrong)
        else:
            done.set_result(None)
            self.live.show(self.hall.desk)
        return done

    def ask(self, board: int, what: str, more: Any) -> Future[dict[str, Any]]:
        """Let a board answer at once; the doctor finds something."""
        self.asked.append((board, what, more))
        answer: Future[dict[str, Any]] = Future()
        finding = {"mark": "warning", "what": "temperature", "found": "78 degrees",
                   "remedy": "give it air, or a heat sink, or shade"}  # fmt: skip
        answer.set_result({"what": what, "findings": [finding] if what == "doctor" else []})
        return answer

    def show(self) -> DeskState:
        """Show the current state."""
        self.live.show(self.hall.desk)
        return self.hall.desk

    def score(self, board: int) -> None:
        """Let a board report a score of its match."""
        order = self.hall.desk.order_of(board)
        assert order is not None
        who = [self.hall.desk.programme.names(order.contest, each) for each in order.sides]
        sat = self.hall.desk.programme.seats(order.contest, order.sides)
        seats = [[seat.value for seat in side] for side in sat]
        sides = [
            {"side": side, "seats": seats[at], "names": list(who[at]),
             "score": self.random.randrange(13), "owed": 0, "boards": 0}
            for at, side in enumerate(("red", "green"))
        ]  # fmt: skip
        self.hall.say(board, What.STATE, {
            "v": 1, "rules": "hikone", "phase": "ready", "board": 1, "best_of": 1, "sides": sides,
            "turn": self.random.choice(seats)[0],
            "clock": {"limit_ms": 300_000, "remaining_ms": self.random.randrange(300_000),
                      "running": True, "at_ms": 0},
            "proposed": {"stroke": "N red", "probability": 0.9}
                        if self.random.random() < 0.2 else None,
            "winner": None, "points": None, "faults": [],
        })  # fmt: skip

    def turn(self, ends: float = 0.3, sits: float = 0.7) -> None:
        """Let something happen on every board."""
        hall = self.hall
        hall.now_ms = time.time_ns() // 1_000_000
        for board in list(hall.desk.open_orders):
            seen = hall.desk.seen[board]
            if hall.plays.get(board) == hall.desk.open_orders[board] and seen.order is not None:
                if self.random.random() < ends:
                    hall.result(board)
                else:
                    self.score(board)
            elif self.random.random() < sits:
                hall.sit_down(board)
                self.score(board)
        hall.tick(0)
        self.show()


def main() -> None:
    """Serve a hall that keeps playing."""
    boards, entrants, turns = (int(word) for word in sys.argv[1:4])
    shown = ShownHall(boards, entrants, port=int(sys.argv[4]) if len(sys.argv) > 4 else 0)
    shown.pages.start()
    for _ in range(turns):
        shown.turn()
    sys.stdout.write(f"{shown.pages.url}\n")
    sys.stdout.flush()
    lost = shown.random.sample(range(1, boards + 1), max(1, boards // 12))
    for board in lost:
        shown.hall.say(board, What.STATUS, {"v": 1, "state": "lost", "boot": "a", "n": 1})
    while True:
        time.sleep(2)
        shown.turn(ends=0.02, sits=0.2)


if __name__ == "__main__":
    main()
