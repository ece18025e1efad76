"""Results until the hub has them: none lost, none sent too often, whatever goes wrong."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any, cast

from hypothesis import given, settings, strategies as st

from jackspot.core.clock import SECOND_NS
from jackspot.dialogue.state.entries import EntryKind
from jackspot.festival.messages import ResultMessage
from jackspot.festival.results import (
    AGAIN_AT_MOST_NS,
    AGAIN_NS,
    ASKED_EACH_NS,
    Life,
    Lives,
    Outbox,
    lives_of,
    name_at,
)
from jackspot.storage.entries import StoredEntry
from tests.festival.test_messages import RESULT


def result(
    seq: int, match: int | None = None, revision: int = 1, journal: str = "j"
) -> ResultMessage:
    told: Any = {"id": f"b001-{journal}-{seq}", "journal": journal, "match_journal": journal}
    said = {**RESULT, **told, "seq": seq, "match": match or seq - 1, "revision": revision}
    return cast(ResultMessage, said)


def box(*seqs: int) -> Outbox:
    outbox = Outbox((Life(1, "j"),))
    outbox.add(map(result, seqs))
    return outbox


def test_a_result_is_sent_again_after_five_seconds_growing_to_a_minute() -> None:
    outbox, now_ns = box(10), 0
    sent: list[int] = []
    while len(sent) < 8:
        assert outbox.due(now_ns) is not None
        assert outbox.due(now_ns) is None
        sent.append(now_ns)
        due_ns = outbox.next_ns()
        assert due_ns is not None
        now_ns = due_ns
    pauses = [later - earlier for earlier, later in itertools.pairwise(sent)]
    assert pauses[:4] == [AGAIN_NS, 2 * AGAIN_NS, 4 * AGAIN_NS, 8 * AGAIN_NS]
    assert pauses[-1] == AGAIN_AT_MOST_NS


def test_a_younger_result_waits_for_the_older_since_the_hub_names_the_highest_only() -> None:
    outbox = box(10, 20)
    assert outbox.due(0) == result(10)
    assert outbox.due(0) is None
    assert outbox.acknowledged({"j": 10}, 1)
    assert outbox.due(1) == result(20)
    assert not outbox.acknowledged({"j": 10}, 2), "it was heard before"
    assert not outbox.acknowledged({"other": 99}, 2)
    assert outbox.acknowledged({"j": 20}, 3)
    assert (len(outbox), outbox.next_ns()) == (0, None)


def test_of_a_match_that_ended_twice_the_newest_end_is_sent() -> None:
    outbox = box(10)
    outbox.add([result(14, match=9, revision=2)])
    assert outbox.due(0) == result(14, match=9, revision=2)
    assert len(outbox) == 1


@settings(max_examples=100)
@given(seed=st.integers(0, 10**9), loss=st.floats(0, 0.9))
def test_every_result_is_there_once_whatever_is_lost_between(seed: int, loss: float) -> None:
    """A network that loses both ways, a hub that is killed, a board that starts again."""
    chance = random.Random(seed)
    matches = sorted(chance.sample(range(2, 400), chance.randint(1, 30)))
    disk: list[int] = []
    outbox, known, now_ns = Outbox((Life(1, "j"),)), 0, 0
    for _ in range(20_000):
        now_ns += chance.randrange(AGAIN_NS)
        if known < len(matches) and chance.random() < 0.3:
            outbox.add([result(matches[known])])
            known += 1
        if chance.random() < 0.02:  # the board starts again, and reads its journal
            outbox = Outbox((Life(1, "j"),))
            outbox.add(map(result, matches[:known]))
        if chance.random() < 0.05:
            outbox.begin_anew(now_ns)
        sent = outbox.due(now_ns)
        if sent is not None and chance.random() >= loss and sent["seq"] > max(disk, default=0):
            disk.append(sent["seq"])
        if disk and chance.random() >= loss and chance.random() < 0.5:
            outbox.acknowledged({"j": max(disk)}, now_ns)
        if known == len(matches) and not len(outbox):
            break
    assert disk == matches


def test_what_was_acknowledged_after_a_backup_says_nothing_of_what_is_played_after_a_restore() -> (
    None
):
    outbox = Outbox((Life(1, "j"), Life(21, "k")))
    outbox.add(map(result, (10, 20)))
    outbox.add(result(seq, journal="k") for seq in (30, 40))
    assert outbox.acknowledged({"j": 99}, 0)
    assert (outbox.seq, len(outbox)) == (20, 2)
    assert outbox.acknowledged({"j": 99, "k": 30}, 0)
    assert outbox.due(0) == result(40, journal="k")


def test_what_an_earlier_life_did_not_get_through_comes_first() -> None:
    outbox = Outbox((Life(1, "j"), Life(21, "k")))
    outbox.add((result(10), result(20), result(30, journal="k")))
    assert outbox.acknowledged({"j": 10}, 0)
    assert outbox.due(0) == result(20)
    assert outbox.acknowledged({"j": 20}, 0)
    assert outbox.due(0) == result(30, journal="k")


def test_what_the_journal_lost_after_its_match_had_ended_is_sent_until_the_hub_has_it() -> None:
    """The hub had 40; a bad card took all after 20, and the same numbers come again."""
    outbox = box(10, 20, 30, 40, 50)
    assert outbox.acknowledged({"j": 40}, 0)
    outbox.live((Life(1, "j"), Life(21, "k")))
    outbox.add((result(30, journal="k"), result(50, journal="k")))
    assert outbox.due(0) == result(50)
    assert outbox.acknowledged({"j": 50}, 0)
    assert outbox.due(0) == result(30, journal="k")
    assert outbox.acknowledged({"j": 50, "k": 50}, 0)
    assert not len(outbox)


class Hall:
    """A board whose journal is restored or loses its end, a hub, a network that loses both ways.

    The hub keeps results above the highest that it has of a journal's name, and names only that.
    """

    def __init__(self, seed: int, loss: float) -> None:
        self.chance = random.Random(seed)
        self.loss = loss
        self.journal: list[StoredEntry] = []
        self.copies: list[list[StoredEntry]] = []
        self.outbox = Outbox()
        self.now_ns = 0
        self.acks: list[Mapping[str, int]] = [{}]
        self.disk: list[ResultMessage] = []
        self.sent: dict[str, ResultMessage] = {}
        self.write(EntryKind.DESK)
        self.begin()

    def write(self, kind: EntryKind) -> None:
        """Write an entry that never existed before."""
        self.now_ns += 1
        seq = len(self.journal) + 1
        self.journal.append(
            StoredEntry(seq, "boot", self.now_ns, self.now_ns, False, kind, {}, "{}", b"")
        )

    @property
    def lives(self) -> Lives:
        marks = (EntryKind.RESTORED,)
        return lives_of(each for each in self.journal if each.seq == 1 or each.kind in marks)

    def results(self) -> list[ResultMessage]:
        """Return the results of the journal as it is; each says when its match ended."""
        ends = [each for each in self.journal if each.kind == EntryKind.MATCH_END]
        said = []
        for end in ends:
            name = name_at(self.lives, end.seq)
            told: Any = {"wall_ms": end.wall_ns}
            said.append(cast(ResultMessage, {**result(end.seq, journal=name), **told}))
        return said

    def begin(self) -> None:
        """Start the board, which knows what its journal says."""
        self.outbox = Outbox(self.lives)
        self.outbox.add(self.results())

    def restore(self) -> None:
        self.journal = [*self.chance.choice(self.copies)]
        self.write(EntryKind.RESTORED)
        self.begin()

    def lose(self, *, in_play: bool) -> None:
        """Let a bad card take the journal's end; in play the board knows what it had to send."""
        del self.journal[self.chance.randint(1, len(self.journal)) :]
        self.write(EntryKind.RESTORED)
        if in_play:
            self.outbox.live(self.lives)
        else:
            self.begin()

    def ask(self) -> None:
        """Let the hub ask for some results once more."""
        since = self.chance.randint(0, len(self.journal))
        self.outbox.ask([each for each in self.results() if each["seq"] > since], self.now_ns)

    def happen(self) -> None:
        """Do one thing that a board or its people do."""
        match self.chance.randrange(10):
            case 0 | 1:
                self.write(EntryKind.MATCH_END)
                self.outbox.add(self.results()[-1:])
            case 2 | 3:
                self.write(EntryKind.DESK)
            case 4:
                self.copies.append([*self.journal])
            case 5 if self.copies:
                self.restore()
            case 6:
                self.begin()
            case 7:
                self.ask()
            case 8 if self.chance.random() < 0.5:
                self.lose(in_play=self.chance.random() < 0.5)
            case _:
                self.outbox.begin_anew(self.now_ns)

    def tell(self, loss: float) -> None:
        """Let the board send what is due, and perhaps hear what the hub has, or had."""
        self.now_ns += self.chance.randrange(AGAIN_NS)
        said = self.outbox.due(self.now_ns)
        if said is not None:
            assert self.sent.setdefault(said["id"], said) == said, "an id that says two things"
            if self.chance.random() >= loss:
                self.hear(said)
        if self.chance.random() >= loss:
            self.outbox.acknowledged(self.chance.choice(self.acks[-3:]), self.now_ns)

    def hear(self, said: ResultMessage) -> None:
        has = self.acks[-1]
        if said["seq"] > has.get(said["journal"], 0):
            self.disk.append(said)
            self.acks.append({**has, said["journal"]: said["seq"]})


@settings(max_examples=200)
@given(seed=st.integers(0, 10**9), loss=st.floats(0, 0.9))
def test_every_result_is_there_once_however_often_the_board_is_restored(
    seed: int, loss: float
) -> None:
    """The board goes back to any state that it was in, and plays other matches from there."""
    hall = Hall(seed, loss)
    for _ in range(hall.chance.randrange(1, 120)):
        hall.happen()
        for _ in range(hall.chance.randrange(4)):
            hall.tell(loss)
    while len(hall.outbox):
        hall.tell(0.0)
    times = Counter(each["id"] for each in hall.disk)
    assert set(times.values()) <= {1}
    assert [each for each in hall.results() if each not in hall.disk] == []


def test_what_the_hub_asks_for_is_sent_once_more_also_if_it_was_acknowledged() -> None:
    outbox = box(10, 20, 30)
    outbox.acknowledged({"j": 20}, 0)
    outbox.ask([result(10), result(20)], 0)
    sent, now_ns = [], 0
    for _ in range(4):
        told = outbox.due(now_ns)
        assert told is not None
        sent.append(told["seq"])
        assert outbox.due(now_ns) is None
        due_ns = outbox.next_ns()
        assert due_ns is not None
        now_ns = due_ns
    assert sent == [10, 20, 30, 30]
    outbox.acknowledged({"j": 30}, now_ns)
    assert outbox.next_ns() is None


def test_a_second_question_takes_the_place_of_the_first() -> None:
    outbox = box()
    outbox.acknowledged({"j": 20}, 0)
    outbox.ask([result(10), result(20)], 0)
    outbox.ask([result(20)], 0)
    first = outbox.due(0)
    assert first is not None
    assert (first["seq"], outbox.next_ns()) == (20, None)


def test_what_is_asked_for_and_was_never_acknowledged_comes_one_at_a_time_as_ever() -> None:
    """A younger result that arrives before an older one would say that both have."""
    outbox = box(20)
    outbox.acknowledged({"j": 10}, 0)
    outbox.ask([result(5), result(15), result(20)], 0)
    assert outbox.due(0) == result(5)
    assert outbox.due(ASKED_EACH_NS) == result(15)
    assert outbox.due(2 * ASKED_EACH_NS) is None
    assert outbox.due(ASKED_EACH_NS + AGAIN_NS) == result(15)
    assert outbox.acknowledged({"j": 15}, 0)
    assert outbox.due(0) == result(20)


def test_what_is_asked_for_and_the_hub_has_lost_comes_until_it_has_it_and_in_order() -> None:
    outbox = box()
    outbox.acknowledged({"j": 40}, 0)
    outbox.acknowledged({"j": 10}, 0)  # it goes on from an older copy
    outbox.ask([result(20), result(30), result(40)], 0)
    assert outbox.due(0) == result(20)
    assert not outbox.acknowledged({"j": 20}, 0)
    assert outbox.due(0) == result(30)
    assert outbox.due(AGAIN_NS - 1) is None
    outbox.begin_anew(SECOND_NS)  # it was lost with the connection
    assert outbox.due(SECOND_NS) == result(30)
    outbox.acknowledged({"j": 20}, SECOND_NS)
    assert outbox.due(SECOND_NS + AGAIN_NS) == result(30)
    outbox.acknowledged({"j": 30}, 10 * SECOND_NS)
    assert outbox.due(10 * SECOND_NS) == result(40)
    outbox.acknowledged({"j": 40}, 10 * SECOND_NS)
    assert outbox.next_ns() is None
