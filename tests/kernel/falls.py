"""Many falls at once: how they are driven, what the board made of each, and how long it took.

Nothing here judges a time. The measurements are written down for people, with the machine they
were made on: the guest counts time in instructions, so the numbers are for a processor of 500
million instructions a second, whatever the host has to do meanwhile.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from jackspot.core.pieces import Pocket
from tests.kernel import image
from tests.kernel.board import ACTIVE, MS, RESTING, Board, Driven, Step, Transfer, gpio_of

WIDTHS_NS = (2 * MS, 60 * MS)
"""From the narrowest pulse that counts to a piece on edge."""
APART_NS = 30 * MS
"""The least time between two pieces in one pocket: closer ones may be one piece."""
SPREAD_NS = 250 * MS
"""All pieces of a stroke begin to fall within this."""
REST_NS = 350 * MS
"""From the last piece of a stroke to the next stroke."""
BATCH = 40
"""Strokes after which the bus's log is read, which keeps the last 4096 transfers."""


class Fall(Struct, frozen=True):
    """One pulse of a beam: broken and whole again, in the guest's monotonic nanoseconds."""

    pocket: Pocket
    broken_ns: int
    whole_ns: int


def strokes(count: int, rng: random.Random) -> Iterator[list[Step]]:
    """Return the steps of strokes with one to four falls each, ``count`` falls in all."""
    while count:
        falls = min(rng.randint(1, 4), count)
        count -= falls
        yield _stroke(falls, rng)


def _stroke(falls: int, rng: random.Random) -> list[Step]:
    """Return the steps of one stroke; in different pockets pieces may fall at the same time."""
    free_ns = dict.fromkeys(Pocket, 0)
    levels: list[tuple[int, int, int]] = []
    for _ in range(falls):
        pocket = rng.choice(list(Pocket))
        broken_ns = max(rng.randint(0, SPREAD_NS), free_ns[pocket])
        whole_ns = broken_ns + rng.randint(*WIDTHS_NS)
        free_ns[pocket] = whole_ns + APART_NS
        gpio = gpio_of(f"pocket_{pocket.value.lower()}")
        levels += [(broken_ns, gpio, ACTIVE), (whole_ns, gpio, RESTING)]
    levels.sort()
    waits = [REST_NS, *(later[0] - sooner[0] for sooner, later in pairwise(levels))]
    return [(wait, gpio, level) for wait, (_at, gpio, level) in zip(waits, levels, strict=True)]


def drive_all(
    board: Board, every: Sequence[list[Step]]
) -> tuple[list[list[Driven]], list[Transfer]]:
    """Drive all strokes; return the levels of each, and what crossed the OLED's bus."""
    transfers: set[Transfer] = set()
    begun = len(board.driven)
    for first in range(0, len(every), BATCH):
        board.drive([step for stroke in every[first : first + BATCH] for step in stroke])
        transfers |= set(board.transfers())
    driven = iter(board.driven[begun:])
    by_stroke = [[next(driven) for _ in stroke] for stroke in every]
    return by_stroke, sorted(transfers, key=lambda transfer: transfer.ended_ns)


def driven_falls(driven: Sequence[Driven]) -> list[Fall]:
    """Return the falls that were driven, each pocket's in order."""
    found = []
    for pocket in Pocket:
        gpio = gpio_of(f"pocket_{pocket.value.lower()}")
        ours = [each for each in driven if each.gpio == gpio]
        for broken, whole in zip(ours[::2], ours[1::2], strict=True):
            assert (broken.level, whole.level) == (ACTIVE, RESTING)
            found.append(Fall(pocket, broken.at_ns, whole.at_ns))
    return found


def journaled_falls(board: Board) -> list[Fall]:
    """Return the falls of the board's journal, each pocket's in order."""
    lines = board.machine.run(
        "cd /run/jackspot && runuser -u jackspot /opt/jackspot/bin/jackspot dump"
        """ | grep '"kind":"fall"'""",
        timeout_s=600,
    ).text.splitlines()
    found = []
    for line in lines:
        body = json.loads(line)["body"]
        pulses = body["pulses"]
        found.append(Fall(Pocket(body["pocket"]), pulses[0][0], pulses[-1][1]))
    order = list(Pocket)
    return sorted(found, key=lambda fall: (order.index(fall.pocket), fall.broken_ns))


def until_shown(stroke: Sequence[Driven], end_ns: int, transfers: Sequence[Transfer]) -> int | None:
    """Return the time from a stroke's last edge to the last byte that it sent to the OLED.

    ``end_ns`` is when the next stroke begins. None if nothing was sent.
    """
    last_ns = stroke[-1].at_ns
    sent = [each.ended_ns for each in transfers if last_ns < each.ended_ns < end_ns]
    return max(sent) - last_ns if sent else None


def wrong_by_ns(driven: Sequence[Fall], seen: Sequence[Fall]) -> list[int]:
    """Return the error in the width of each driven fall that was seen."""
    found = []
    for fall in driven:
        for each in seen:
            if each.pocket is fall.pocket and fall.broken_ns <= each.broken_ns < fall.whole_ns:
                width_ns, true_ns = (one.whole_ns - one.broken_ns for one in (each, fall))
                found.append(abs(width_ns - true_ns))
    return found


def told(what: str, times_ns: Sequence[int]) -> str:
    """Return a line with the percentiles of some times, in milliseconds."""
    ordered = sorted(times_ns)
    if not ordered:
        return f"{what}: none"

    def at(percent: int) -> str:
        return f"{ordered[(len(ordered) - 1) * percent // 100] / MS:.2f}"

    numbers = "  ".join(f"p{percent} {at(percent)}" for percent in (50, 90, 99, 100))
    return f"{what}: {numbers} ms ({len(ordered)} of them)"


def report(name: str, *lines: str) -> None:
    """Write lines where people find them, and print them."""
    image.CACHE.mkdir(parents=True, exist_ok=True)
    (image.CACHE / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print("", *lines, sep="\n")
