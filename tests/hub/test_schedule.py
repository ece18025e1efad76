"""Giving matches to boards: nobody at two, rests, kept boards, whole rounds by one gong."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, strategies as st

from jackspot.values import changed
from jackspot_hub.event.schedule import (
    DueMatch,
    FreeBoard,
    Occupied,
    Seating,
    next_free,
    whole_round,
)


def due(key: str, *people: int, contest: str = "singles", at: int = 1) -> DueMatch:
    return DueMatch(contest, key, at, frozenset(people))


BOARDS = [FreeBoard(1), FreeBoard(2), FreeBoard(3, frozenset({"pairs"}))]


def seats(seated: tuple[Seating, ...]) -> dict[int, str]:
    return {each.board: each.match.key for each in seated}


def test_the_lower_round_comes_first_and_in_it_matches_by_their_numbers() -> None:
    matches = [due("a-1-2", 1, 2, at=2), due("a-1-10", 3, 4), due("a-1-9", 5, 6)]
    assert seats(next_free(matches, BOARDS, Occupied(), 20)) == {1: "a-1-9", 2: "a-1-10"}


def test_nobody_plays_at_two_boards_and_who_rests_is_not_called() -> None:
    matches = [due("a", 1, 2), due("b", 2, 3), due("c", 4, 5), due("d", 6, 7)]
    hall = Occupied(playing={4}, rested_ms={7: 1_000})
    assert seats(next_free(matches, BOARDS, hall, 999)) == {1: "a"}
    assert seats(next_free(matches, BOARDS, hall, 1_000)) == {1: "a", 2: "d"}


def test_a_board_is_kept_for_its_contest() -> None:
    matches = [due("s", 1, 2), due("p", 3, 4, 5, 6, contest="pairs")]
    assert seats(next_free(matches, BOARDS, Occupied(), 0)) == {1: "s", 3: "p"}
    assert seats(next_free(matches[:1], BOARDS[2:], Occupied(), 0)) == {}


def test_boards_are_used_in_the_organisers_order_and_a_final_takes_the_first() -> None:
    boards = [FreeBoard(7), FreeBoard(2), FreeBoard(1)]
    matches = [due("a", 1, 2), due("b", 3, 4), changed(due("f", 5, 6, at=4), is_final=True)]
    assert seats(next_free(matches, boards, Occupied(), 0)) == {7: "f", 2: "a", 1: "b"}
    assert seats(next_free(matches, boards[:2], Occupied(), 0)) == {7: "a", 2: "b"}
    kept = [FreeBoard(7, frozenset({"pairs"})), *boards[1:]]
    assert seats(next_free(matches, kept, Occupied(), 0)) == {2: "a", 1: "b"}


def test_a_round_that_is_larger_than_the_hall_starts_in_parts() -> None:
    matches = [due(str(n), 2 * n, 2 * n + 1) for n in range(5)]
    assert [seats(start) for start in whole_round(matches, BOARDS)] == [
        {1: "0", 2: "1"}, {1: "2", 2: "3"}, {1: "4"},
    ]  # fmt: skip
    with pytest.raises(ValueError, match="found none that singles may use"):
        whole_round(matches, BOARDS[2:])


KEPT_FOR = st.sampled_from([(), ("pairs",), ("singles",), ("singles", "pairs")])
MATCHES = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from(["singles", "pairs"]),
              st.booleans()), max_size=20,
)  # fmt: skip


@given(MATCHES, st.lists(KEPT_FOR, max_size=8), st.randoms())
def test_a_final_changes_which_board_a_match_gets_and_not_which_are_given(
    drawn: list[tuple[int, int, str, bool]], kept: list[tuple[str, ...]], random: Random
) -> None:
    boards = [FreeBoard(n, frozenset(only)) for n, only in enumerate(kept)]
    random.shuffle(boards)
    matches = [
        changed(due(str(n), one, two, contest=of), is_final=is_final)
        for n, (one, two, of, is_final) in enumerate(drawn)
    ]
    plain = [changed(each, is_final=False) for each in matches]
    seated = next_free(matches, boards, Occupied(), 0)
    usual = next_free(plain, boards, Occupied(), 0)
    assert {each.match.key for each in seated} == {each.match.key for each in usual}
    at = {board.number: place for place, board in enumerate(boards)}
    for one in seated:
        kept_for = boards[at[one.board]].kept_for
        assert not kept_for or one.match.contest in kept_for
        for other in seated:
            if one.match.is_final > other.match.is_final and not any(kept):
                assert at[one.board] < at[other.board]


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from(["singles", "pairs"])),
             max_size=20),
    st.lists(st.booleans(), min_size=1, max_size=8),
)  # fmt: skip
def test_every_match_is_seated_once_and_nobody_twice_at_a_time(
    drawn: list[tuple[int, int, str]], kept: list[bool]
) -> None:
    matches = [due(str(n), one, two, contest=of) for n, (one, two, of) in enumerate(drawn)]
    boards = [FreeBoard(n, frozenset({"pairs"} if only else ())) for n, only in enumerate(kept)]
    if all(kept):
        boards.append(FreeBoard(99))
    starts = whole_round(matches, boards)
    assert sorted(each.match.key for start in starts for each in start) == sorted(
        match.key for match in matches
    )
    for start in starts:
        people = [each for seating in start for each in seating.match.people]
        assert len(people) == len(set(people))
        used = [each.board for each in start]
        assert len(used) == len(set(used))
        for seating in start:
            board = next(each for each in boards if each.number == seating.board)
            assert not board.kept_for or seating.match.contest in board.kept_for
