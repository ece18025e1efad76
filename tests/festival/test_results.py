"""Results until the hub has them: none lost, none sent too often, whatever goes wrong between."""

from __future__ import annotations

import itertools
import random
from typing import Any, cast

from hypothesis import given, settings, strategies as st

from jackspot.festival.messages import ResultMessage
from jackspot.festival.results import AGAIN_AT_MOST_NS, AGAIN_NS, Outbox
from tests.festival.test_messages import RESULT


def result(seq: int, match: int | None = None, revision: int = 1) -> ResultMessage:
    said: Any = {**RESULT, "seq": seq, "match": match or seq - 1, "revision": revision}
    return cast(ResultMessage, said)


def box(*seqs: int) -> Outbox:
    outbox = Outbox("j")
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
    """A network that loses both ways, a hub that is killed, a board that starts anew."""
    chance = random.Random(seed)
    matches = sorted(chance.sample(range(2, 400), chance.randint(1, 30)))
    disk: list[int] = []
    outbox, known, now_ns = Outbox("j"), 0, 0
    for _ in range(20_000):
        now_ns += chance.randrange(AGAIN_NS)
        if known < len(matches) and chance.random() < 0.3:
            outbox.add([result(matches[known])])
            known += 1
        if chance.random() < 0.02:  # the board starts anew, and reads its journal
            outbox = Outbox("j")
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
    outbox.ask([result(10), result(20)], 0)
    outbox.ask([result(20)], 0)
    first = outbox.due(0)
    assert first is not None
    assert (first["seq"], outbox.next_ns()) == (20, None)


def test_what_is_asked_for_comes_once_also_where_it_was_never_acknowledged() -> None:
    outbox, sent = box(10, 20), []
    assert outbox.due(0) == result(10)
    outbox.ask([result(5), result(10), result(20)], 1)
    now_ns = 1
    while now_ns < AGAIN_NS:
        sent.append(outbox.due(now_ns))
        now_ns = outbox.next_ns() or AGAIN_NS
    assert sent == [result(5), result(10), result(20)]
    assert outbox.due(now_ns + AGAIN_AT_MOST_NS) == result(10)
