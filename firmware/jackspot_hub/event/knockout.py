"""Knockouts: an entrant is out after losing once, or, in a double elimination, twice.

Entrants come in the order of their seeds. The first two can meet only in the last match, the first
four not before the last but one, and so on. Byes go to the first seeds.
"""

from __future__ import annotations

from collections.abc import Sequence

from jackspot_hub.event.fixtures import BYE, Bye, Drawing, Slot, Ways


def knockout(
    drawing: Drawing, name: str, entrants: Sequence[Slot], *, third_place: bool = False
) -> Ways:
    """Draw a knockout; return who wins and who loses its final.

    ``third_place``: those who lose the semi-finals meet, too. ValueError below two entrants.
    """
    rounds = _rounds(drawing, name, entrants)
    (final,) = rounds[-1]
    if third_place and len(rounds) > 1:
        one, two = rounds[-2]
        drawing.meet(f"{name}-third", len(rounds), one.loser, two.loser)
    return final


def double_elimination(
    drawing: Drawing, name: str, entrants: Sequence[Slot], *, second_final: bool = True
) -> Ways:
    """Draw a double elimination; return who wins and who loses it.

    An entrant who loses in a round of the upper bracket joins the lower one. ``second_final``: if
    the winner of the lower bracket wins the final, both have lost once, and they meet again.
    """
    upper = _rounds(drawing, f"{name}-upper", entrants)
    low: list[Slot | Bye] = [each.loser for each in upper[0]]
    number, key = 1, f"{name}-lower"
    for joining in upper[1:]:
        low = _round(drawing, key, number, low)
        # From the other half, so that those who met in the upper bracket do not meet at once.
        new = [each.loser for each in joining]
        half = len(new) // 2
        turned = [*new[half:], *new[:half]] if number % 4 == 1 else [*reversed(new)]
        low = _round(drawing, key, number + 1, [each for pair in zip(low, turned, strict=True)
                                                for each in pair])  # fmt: skip
        number += 2
    (top,), (last,) = upper[-1], low
    final = drawing.meet(f"{name}-final", number, top.winner, last)
    if not second_final or final.winner == top.winner or not isinstance(final.winner, int):
        return final
    if {final.winner, final.loser} != {top.winner, last}:  # others are to play it by now
        return final
    return drawing.meet(f"{name}-second-final", number + 1, final.loser, final.winner)


def _rounds(drawing: Drawing, name: str, entrants: Sequence[Slot]) -> list[list[Ways]]:
    if len(entrants) < 2:
        raise ValueError(f"a knockout needs at least 2 entrants, found {len(entrants)}")
    size = 1 << (len(entrants) - 1).bit_length()
    slots: list[Slot | Bye] = [
        entrants[seed] if seed < len(entrants) else BYE for seed in seeded(size)
    ]
    rounds: list[list[Ways]] = []
    while len(slots) > 1:
        number = len(rounds) + 1
        rounds.append(
            [
                drawing.meet(f"{name}-{number}-{at // 2 + 1}", number, slots[at], slots[at + 1])
                for at in range(0, len(slots), 2)
            ]
        )
        slots = [each.winner for each in rounds[-1]]
    return rounds


def _round(
    drawing: Drawing, name: str, number: int, slots: Sequence[Slot | Bye]
) -> list[Slot | Bye]:
    """Let neighbours meet, and return who wins."""
    return [
        drawing.meet(f"{name}-{number}-{at // 2 + 1}", number, slots[at], slots[at + 1]).winner
        for at in range(0, len(slots), 2)
    ]


def seeded(size: int) -> list[int]:
    """Return the seeds from 0, from the top of a bracket to its bottom: 0 3 1 2 for four.

    ``size`` is a power of two.
    """
    seeds = [0]
    while len(seeds) < size:
        last = 2 * len(seeds) - 1
        seeds = [each for seed in seeds for each in (seed, last - seed)]
    return seeds
