"""Partners who are drawn anew each round, while people come and go."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, strategies as st

from jackspot_hub.event.partners import PartnersRound, drawn_partners


def rounds(count: int, many: int, seed: str = "a") -> list[PartnersRound]:
    before: list[PartnersRound] = []
    for _ in range(many):
        before.append(drawn_partners(range(count), before, seed=seed))
    return before


@given(st.lists(st.sets(st.integers(0, 25), max_size=26), max_size=8), st.text(max_size=4))
def test_everybody_who_is_there_plays_once_or_waits(attended: list[set[int]], seed: str) -> None:
    before: list[PartnersRound] = []
    waited: Counter[int] = Counter()
    for there in attended:
        drawn = drawn_partners(sorted(there), before, seed=seed)
        seated = [each for board in drawn.boards for each in board.players]
        assert sorted([*seated, *drawn.waits]) == sorted(there)
        assert len(drawn.waits) == len(there) % 4
        longest = max((waited[each] for each in drawn.waits), default=0)
        assert all(waited[each] >= longest for each in seated)
        waited.update(drawn.waits)
        before.append(drawn)


def test_eight_have_seven_partners_in_seven_rounds() -> None:
    partners = Counter(
        frozenset(pair) for each in rounds(8, 7) for board in each.boards
        for pair in (board.one, board.two)
    )  # fmt: skip
    assert len(partners) == 28
    assert set(partners.values()) == {1}


def test_opponents_change_too() -> None:
    met = Counter(
        frozenset((a, b)) for each in rounds(16, 5) for board in each.boards
        for a in board.one for b in board.two
    )  # fmt: skip
    assert max(met.values()) <= 2


def test_another_seed_draws_otherwise_and_the_same_one_the_same() -> None:
    assert rounds(12, 2) == rounds(12, 2)
    assert rounds(12, 2) != rounds(12, 2, seed="b")


def test_partners_face_each_other() -> None:
    (board,) = drawn_partners([1, 2, 3, 4], [], seed="a").boards
    assert {board.players[0], board.players[2]} == set(board.one)
    assert {board.players[1], board.players[3]} == set(board.two)
