"""How knocks become shakes: which belong together, and what was heard before a fall."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from jackspot.core.pieces import Pocket, Seat
from jackspot.sensing.events import DiscPeak, DiscsListen, Fall, KnockHeard, Pulse, Shake, Shaken
from jackspot.sensing.limits import MS, SECOND
from jackspot.sensing.shaking import BEFORE_NS, ENDLESS_NS, LOUDER, REMEMBERED, STILL_NS, Shaking
from jackspot.values import changed

LISTENS = DiscsListen(0, tuple(Seat))
BEGIN_NS = 100 * SECOND


def knock(at_ns: int, n: int = 1_000, e: int = 900, s: int = 2_000, w: int = 900) -> KnockHeard:
    return KnockHeard(at_ns, tuple(DiscPeak(each, 0) for each in (n, e, s, w)))


def fall(at_ns: int, number: int = 1) -> Fall:
    return Fall(number, Pocket.NE, (Pulse(Pocket.NE, at_ns, at_ns + 9 * MS),))


def after(*events: KnockHeard | DiscsListen) -> tuple[Shaking, list[Shake]]:
    shaking, over = Shaking(), []
    for event in (LISTENS, *events):
        shaking, told = shaking.step(event)
        over += [each.shake for each in told if isinstance(each, Shaken)]
    return shaking, over


def test_knocks_close_after_each_other_are_one_shake_which_is_over_when_all_lies_still() -> None:
    shaking, over = after(*(knock(BEGIN_NS + n * SECOND) for n in range(3)))
    assert over == []
    assert shaking.next_wake_ns() == BEGIN_NS + 2 * SECOND + STILL_NS
    assert shaking.rest(BEGIN_NS + 2 * SECOND + STILL_NS - 1)[1] == ()
    shaking, [told] = shaking.rest(BEGIN_NS + 2 * SECOND + STILL_NS)
    assert (told.shake.at_ns, told.shake.knocks) == (BEGIN_NS, 3)
    assert told.at_ns == told.shake.last_ns + STILL_NS
    assert shaking.next_wake_ns() is None


def test_a_later_knock_is_another_shake() -> None:
    _, over = after(knock(BEGIN_NS), knock(BEGIN_NS + STILL_NS))
    assert [each.at_ns for each in over] == [BEGIN_NS]


def test_a_much_louder_knock_is_another_shake_so_a_lean_hides_no_shot() -> None:
    shaking, over = after(knock(BEGIN_NS), knock(BEGIN_NS + 300 * MS, s=2_000 * LOUDER))
    assert [each.at_ns for each in over] == [BEGIN_NS]
    assert shaking.under_way is not None
    assert shaking.under_way.at_ns == BEGIN_NS + 300 * MS


def test_each_knock_is_told_but_for_those_of_what_shakes_the_board_without_an_end() -> None:
    shaking, _ = after()
    told = []
    for number in range(20):
        event = knock(BEGIN_NS + number * SECOND)
        shaking, new = shaking.step(event)
        told += [each for each in new if each == event]
    assert len(told) == 1 + ENDLESS_NS // SECOND


def test_without_discs_nothing_is_heard_and_a_fall_is_as_it_was() -> None:
    shaking, told = Shaking().step(knock(BEGIN_NS))
    assert (shaking, told) == (Shaking(), ())
    assert shaking.told_of(fall(BEGIN_NS)) == (shaking, fall(BEGIN_NS))


def test_a_fall_knows_what_had_shaken_the_board_before_and_not_its_own_knock() -> None:
    shaking, _ = after(knock(BEGIN_NS), knock(BEGIN_NS + SECOND))
    at_ns = BEGIN_NS + 2 * SECOND
    shaking, _ = shaking.step(knock(at_ns + STILL_NS - BEFORE_NS // 2))
    _, told = shaking.told_of(fall(at_ns + STILL_NS))
    assert told.heard is not None
    assert [(each.at_ns, each.knocks) for each in told.heard] == [(BEGIN_NS, 1)]


def test_a_fall_in_quiet_has_heard_nothing_which_is_not_the_same_as_not_listening() -> None:
    shaking, _ = after()
    assert shaking.told_of(fall(BEGIN_NS))[1].heard == ()
    shaking, _ = shaking.step(DiscsListen(BEGIN_NS, ()))
    assert shaking.told_of(fall(BEGIN_NS + SECOND))[1].heard is None


def test_discs_that_listen_only_just_now_say_nothing_of_before() -> None:
    shaking, _ = Shaking().step(DiscsListen(BEGIN_NS, tuple(Seat)))
    assert shaking.told_of(fall(BEGIN_NS + ENDLESS_NS - 1))[1].heard is None
    assert shaking.told_of(fall(BEGIN_NS + ENDLESS_NS))[1].heard == ()


def test_of_the_later_falls_of_a_stroke_knocks_say_nothing_more() -> None:
    shaking, _ = after(knock(BEGIN_NS))
    shaking, first = shaking.told_of(fall(BEGIN_NS + SECOND))
    shaking, second = shaking.told_of(fall(BEGIN_NS + 2 * SECOND, 2))
    assert first.heard
    assert second.heard is None


def test_a_fall_that_grows_keeps_what_was_heard_of_it() -> None:
    shaking, _ = after(knock(BEGIN_NS))
    shaking, first = shaking.told_of(fall(BEGIN_NS + SECOND))
    grown = Fall(
        1, Pocket.NE, (*first.pulses, Pulse(Pocket.NE, first.end_ns + MS, first.end_ns + 9 * MS))
    )
    shaking, _ = shaking.step(knock(BEGIN_NS + 1_100 * MS))
    assert shaking.told_of(grown)[1].heard == first.heard


@pytest.mark.parametrize("others", [1, 3])
@pytest.mark.parametrize("grows", [0, 1])
def test_a_fall_that_grows_after_others_keeps_what_was_heard_of_it(others: int, grows: int) -> None:
    """Pieces fall through several pockets; then another pulse of one of the falls comes."""
    shaking, _ = after(knock(BEGIN_NS))
    falls = []
    for number, pocket in enumerate((*Pocket,)[: others + 1]):
        at_ns = BEGIN_NS + SECOND + 5 * number * MS
        pulse = Pulse(pocket, at_ns, at_ns + 10 * MS)
        shaking, told = shaking.told_of(Fall(number + 1, pocket, (pulse,)))
        falls.append(told)
    assert [bool(each.heard) for each in falls] == [True, *[False] * others]
    for _ in range(2):
        end_ns = falls[grows].end_ns
        pulse = Pulse(falls[grows].pocket, end_ns + 9 * MS, end_ns + 18 * MS)
        heard, falls[grows] = (
            falls[grows].heard,
            changed(falls[grows], pulses=(*falls[grows].pulses, pulse), heard=None),
        )
        shaking, falls[grows] = shaking.told_of(falls[grows])
        assert falls[grows].heard == heard


def test_where_music_never_ends_nothing_is_known() -> None:
    beats = (knock(BEGIN_NS + n * 500 * MS) for n in range(40))
    shaking, _ = after(*beats)
    assert shaking.told_of(fall(BEGIN_NS + 19_600 * MS))[1].heard is None


@given(st.lists(st.tuples(st.integers(1, 5_000), st.integers(0, 60_000)), max_size=80))
def test_whatever_knocks_every_knock_is_of_one_shake_and_memory_is_bounded(knocks) -> None:
    at_ns, shaking, over = BEGIN_NS, Shaking(), []
    shaking, _ = shaking.step(LISTENS)
    for wait_ms, height in knocks:
        at_ns += wait_ms * MS
        shaking, told = shaking.step(knock(at_ns, s=height))
        over += [each.shake for each in told if isinstance(each, Shaken)]
    shaking, told = shaking.rest(at_ns + STILL_NS)
    over += [each.shake for each in told]
    assert sum(each.knocks for each in over) == len(knocks)
    assert all(one.last_ns < other.at_ns for one, other in pairwise(over))
    assert len(shaking.over) <= REMEMBERED
