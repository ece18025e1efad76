"""Which referee looks after which boards: neighbours in one block, and who stands in for whom.

Nobody is a referee while they play, so no match has a referee who plays in it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

Blocks = Mapping[str, tuple[int, ...]]
"""The boards of each referee, by name, from one end of the hall to the other."""


def blocks(referees: Sequence[str], boards: Collection[int]) -> Blocks:
    """Divide boards among referees, in the order of their numbers and as evenly as possible."""
    numbers, count = sorted(boards), len(referees)
    return {
        name: tuple(numbers[len(numbers) * at // count : len(numbers) * (at + 1) // count])
        for at, name in enumerate(referees)
    }


def on_duty(whole: Blocks, playing: Collection[str]) -> Blocks:
    """Return the boards of each referee now: those who play have none.

    Each of their boards goes to the nearest block whose referee is free; if two are equally near,
    to the one with fewer boards. If all play, nobody has any.
    """
    at = {name: place for place, name in enumerate(whole)}
    free = [name for name in whole if name not in playing]
    now = {name: list(whole[name]) for name in free}
    for gone in whole:
        for board in whole[gone] if free and gone in playing else ():
            nearest = min(free, key=lambda name: (abs(at[name] - at[gone]), len(now[name])))
            now[nearest].append(board)
    return {name: tuple(sorted(now.get(name, ()))) for name in whole}
