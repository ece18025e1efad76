"""Which match goes to which board, and when: nobody at two boards, and time to rest in between.

Either each free board takes the next match, or whole rounds start by one gong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct, field


class FreeBoard(Struct, frozen=True):
    """A board at which nobody plays, by its number.

    ``kept_for`` names the contests that it is kept for; empty: for any. A ``locked`` board gets
    nothing.
    """

    number: int
    kept_for: frozenset[str] = frozenset()
    locked: bool = False


class DueMatch(Struct, frozen=True):
    """A match whose sides are known, by the key of its fixture, with the people of both sides.

    ``is_final``: it decides who is first in its contest.
    """

    contest: str
    key: str
    round: int
    people: frozenset[int]
    is_final: bool = False


class Occupied(Struct, frozen=True):
    """Who cannot be called: those who play now, and those who rest, until when."""

    playing: Collection[int] = ()
    rested_ms: Mapping[int, int] = field(default_factory=dict)


class Seating(Struct, frozen=True):
    """A match at a board."""

    board: int
    match: DueMatch


def next_free(
    due: Iterable[DueMatch], boards: Sequence[FreeBoard], occupied: Occupied, now_ms: int
) -> tuple[Seating, ...]:
    """Give free boards the matches that can be played now, the most urgent first.

    A lower round is more urgent, so that no group runs ahead; then come contests by their names and
    matches by their numbers. A board that is kept for a contest gets its matches before other
    boards do, in the order of ``boards``, the best first. Of matches given at once, finals have the
    first choice.
    """
    resting = {each for each, until_ms in occupied.rested_ms.items() if until_ms > now_ms}
    kept_off = resting.union(occupied.playing)
    rested = sorted((match for match in due if kept_off.isdisjoint(match.people)), key=_urgent)
    seated = _seated(rested, boards)
    finals = [each.match for each in seated if each.match.is_final]
    if finals:
        others = [each.match for each in seated if not each.match.is_final]
        chosen = _seated([*finals, *others], boards)
        seated = chosen if len(chosen) == len(seated) else seated
    return seated


def _seated(matches: Iterable[DueMatch], boards: Sequence[FreeBoard]) -> tuple[Seating, ...]:
    """Assign boards to matches, in their order."""
    busy: set[int] = set()
    free = [board for board in boards if not board.locked]
    seated: list[Seating] = []
    for match in matches:
        board = None if busy & match.people else _board_for(match, free)
        if board is not None:
            free.remove(board)
            busy |= match.people
            seated.append(Seating(board.number, match))
    return tuple(seated)


def whole_round(
    due: Iterable[DueMatch], boards: Sequence[FreeBoard]
) -> tuple[tuple[Seating, ...], ...]:
    """Divide a round into starts by one gong each: as many matches at once as there are boards.

    ValueError if a match has no board that it may be played at.
    """
    left = list(due)
    starts: list[tuple[Seating, ...]] = []
    while left:
        start = next_free(left, boards, Occupied(), 0)
        if not start:
            names = ", ".join(sorted({match.contest for match in left}))
            raise ValueError(f"expected a board for each match, found none that {names} may use")
        starts.append(start)
        seated = {each.match for each in start}
        left = [match for match in left if match not in seated]
    return tuple(starts)


def _urgent(match: DueMatch) -> tuple[int, str, tuple[tuple[int, str], ...]]:
    """Return what orders matches; of their keys, numbers count as such: 2 comes before 10."""
    parts = match.key.split("-")
    numbers = tuple((int(each) if each.isdecimal() else 0, each) for each in parts)
    return match.round, match.contest, numbers


def _board_for(match: DueMatch, free: Sequence[FreeBoard]) -> FreeBoard | None:
    """Return the first board that is kept for the contest, else the first that is for any."""
    own = (board for board in free if match.contest in board.kept_for)
    any_board = (board for board in free if not board.kept_for)
    return next(own, None) or next(any_board, None)
