"""Strangers at a hall's broker, with a board's key, the wall's password or nothing.

They attack a board in the middle of a match, at a broker set up by ``jackspot hub keys``. What
they may write and read at all is in the table of FORMATS.md (``test_keys.py``). Nothing they do
reaches the game except a named fault, and the hall's desk reaches the board as before.
"""

from __future__ import annotations

import logging
import random
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from jackspot.config import Sources, load
from jackspot.dialogue.state.listener import EventListener
from jackspot.dialogue.state.view import Phase
from jackspot.festival.messages import MOST_BYTES, What
from jackspot.festival.section import FestivalSection
from jackspot.festival.users import HUB, WALL, doctor_of
from jackspot.ops.quiet_log import make_quiet
from jackspot.sensing.events import (
    DeskTold,
    Event,
    FaultCleared,
    FaultRaised,
    OrderTold,
    Tick,
    Trouble,
)
from jackspot.values import changed
from jackspot_sim.boards.rig import Rig
from tests.festival.conftest import standing
from tests.festival.guests import HALL, Guest, secret_of
from tests.festival.hub import Hub
from tests.festival.linked import started, until
from tests.festival.test_link import ORDERED
from tests.festival.test_messages import shown

BOARD, OTHER = "b001", "b002"
FLOOD = 3_000
SOCKETS = 100
MOST_EVENTS = 20
"""Each named fault is written into the journal and shown."""
MOST_LINES = 40
"""A longer log helps nobody and wears out a card."""
GARBAGE = (
    b"",
    b"{",
    b"\xff\x00",
    b"[" * 30_000,
    b'{"v":2}',
    b'{"v":1,"boot":null}',
    b"x" * MOST_BYTES,
)


class Strangers:
    """The attacks, each under a name that says what it does; ``hub`` hears what boards say."""

    def __init__(self, folder: Path, port: int, hub: Hub) -> None:
        self.folder, self.port, self.hub = folder, port, hub
        self.chance = random.Random(1)

    def guest(self, user: str, will: str = "") -> Guest:
        return Guest(self.folder, self.port, user, secret_of(self.folder, user), user, will)

    def nobody_talks_nonsense(self) -> None:
        held = []
        for number in range(SOCKETS):
            one = socket.create_connection(("127.0.0.1", self.port))
            with suppress(OSError):
                one.sendall(b"\x16\x03\x01\x02\x00" if number % 2 else self.chance.randbytes(2_000))
            held.append(one)
        for one in held:
            one.close()

    def the_wall_speaks(self) -> None:
        self.says_everything(WALL, set())

    def another_board_speaks_for_this_one_and_for_the_hub(self) -> None:
        self.says_everything(OTHER, set())

    def says_everything(self, user: str, may: set[What]) -> None:
        guest = self.guest(user)
        for what in What:
            topic = what.topic(HALL, BOARD)
            assert guest.may_write(topic, shown(what)) == (what in may), topic
            assert guest.may_write(topic, b"") == (what in may), topic
        guest.close()

    def last_words_are_left_for_others(self) -> None:
        for what in What:
            topic = what.topic(HALL, BOARD)
            with suppress(AssertionError, OSError):  # it may be refused at once
                self.guest(OTHER, will=topic).die()
        self.guest(OTHER, will=What.STATUS.topic(HALL, OTHER)).die()
        until(lambda: self.hub.refused)
        assert [each.split(": ")[0] for each in self.hub.refused] == [
            What.STATUS.topic(HALL, OTHER)
        ]

    def messages_are_far_too_large(self) -> None:
        guest = self.guest(OTHER)
        guest.flood(What.STATE.topic(HALL, OTHER), bytes(10_000_000), 1)
        guest.until(lambda: "gone" in guest.heard)
        guest.close()

    def a_flood_of_a_boards_own(self) -> None:
        guest = self.guest(OTHER)
        for what in (What.STATE, What.RESULT, What.STATUS):
            guest.flood(what.topic(HALL, OTHER), b"{", FLOOD)
        guest.may_write(What.STATE.topic(HALL, OTHER), b"{")
        guest.close()

    def the_key_lets_one_be_the_boards_doctor_and_leave_garbage(self) -> None:
        topic = What.TWICE.topic(HALL, BOARD)
        guest = self.guest(doctor_of(BOARD))
        for garbage in (*GARBAGE, shown(What.TWICE), b""):
            assert guest.may_write(topic, garbage)
        guest.flood(topic, b"{", FLOOD)
        for _ in range(FLOOD // 10):
            guest.flood(topic, shown(What.TWICE), 1)
            guest.flood(topic, b"", 1)
        guest.may_write(topic, b"")
        guest.close()

    def the_key_lets_one_be_the_board_and_leave_garbage(self) -> None:
        for garbage in (*GARBAGE, shown(What.STATUS)):
            guest = self.guest(BOARD)
            for what in (What.TWICE, What.STATUS):  # meanwhile the board itself comes back
                guest.may_write(what.topic(HALL, BOARD), garbage)
            guest.close()


ATTACKS: list[Callable[[Strangers], None]] = [
    each for name, each in vars(Strangers).items()
    if not name.startswith("_") and name not in {"guest", "says_everything"}
]  # fmt: skip


class Taken(EventListener):
    """What reached the game."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def took(self, event: Event) -> None:
        if not isinstance(event, Tick):
            self.events.append(event)


def is_named(event: Event) -> bool:
    """Return whether an event says that a number is used twice or the desk is away.

    A stranger who connects as the board ends its link.
    """
    is_fault = isinstance(event, FaultRaised | FaultCleared) and event.trouble is Trouble.TWICE
    return is_fault or isinstance(event, DeskTold)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda each: each.__name__)
def test_nothing_that_strangers_do_reaches_the_game_but_a_named_fault(
    hall: tuple[Path, int, str], tmp_path: Path, caplog: pytest.LogCaptureFixture,
    attack: Callable[[Strangers], None],
) -> None:  # fmt: skip
    make_quiet()  # as `jackspot run` does
    folder, port, key = hall
    config = load(Sources(()))
    web = changed(config.web, enabled=False)
    festival = FestivalSection(
        hall=HALL, number=1, broker=(("127.0.0.1", port),), key=key, ca=folder / "hall.crt"
    )
    hub = Hub(
        ("127.0.0.1", port), HALL, tmp_path / "hub.jsonl", ca=folder / "hall.crt",
        secret=secret_of(folder, HUB),
    )  # fmt: skip
    with standing(changed(config, festival=festival, web=web), tmp_path / "journal") as rig:
        until(lambda: started(rig))
        hub.until(lambda heard: heard.get(f"{BOARD} record"))
        until(lambda: (told := rig.board.dialogue.hall) and not told.away)
        taken, before = Taken(), stands(rig)
        rig.board._listeners += (taken,)
        caplog.clear()
        attack(Strangers(folder, port, hub))
        hub.order(BOARD, 17, ORDERED)
        until(lambda: any(isinstance(event, OrderTold) for event in taken.events))
        assert stands(rig) == before
        further = [event for event in taken.events if not is_named(event)]
        assert [type(event) for event in further] == [OrderTold]
        assert len(taken.events) < MOST_EVENTS
    hub.close()
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR], caplog.text
    assert len(caplog.records) < MOST_LINES, caplog.text[:5_000]


def stands(rig: Rig) -> tuple[Phase, object]:
    """Return the state of the match on a board."""
    dialogue = rig.board.dialogue
    assert dialogue.game is not None
    return dialogue.phase, dialogue.game.match.state
