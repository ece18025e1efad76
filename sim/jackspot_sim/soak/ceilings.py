"""The best that could be read, learnt: what was in a stroke that looked like this, most often.

The physics has no densities that could be written down, so the ceiling is learnt. Strokes are
sorted by what a reader can know before anybody presses: who is playing how well, what is aimed
at, how much is left, which pockets were passed in which order, and how long the beams were
broken. From one half of the matches the commonest content of each sort is learnt, and the other
half is read by it; then the halves change places. A sort that is too rare is widened. So the
figure is what somebody reads who has seen half of all this happen: the true ceiling is a little
above.

The same with a colour sensor in each pocket adds the kind of the first piece of each passage,
known with :data:`COLOUR_KNOWN`.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from jackspot_sim.traffic.frequencies import Kind, Strength
from jackspot_sim.traffic.laws import MS
from jackspot_sim.traffic.matches import Shot
from jackspot_sim.traffic.passing import Cause, Passage
from jackspot_sim.traffic.shots import BESIDE, Stand

COLOUR_KNOWN = 0.99
"""How often a colour sensor names the piece it sees."""
FEWEST = 12
"""A sort with fewer strokes than this is widened."""
WIDTHS_MS = (8, 14, 20, 28, 36, 44, 60, 100)
"""Where one sort of pulse ends and the next begins."""

Key = tuple[Hashable, ...]


class Sample(NamedTuple):
    """One stroke of which a beam saw something.

    ``sorts`` are its sorts from the narrowest to the widest, each as a number that is the same
    in every process; ``colours`` the same with a colour sensor. ``right``: whether the board's
    first reading was.
    """

    match: int
    sorts: tuple[int, ...]
    colours: tuple[int, ...]
    content: str
    right: bool


def sample_of(match: int, strength: Strength, shot: Shot, *, right: bool) -> Sample:
    """Look at one stroke as a reader does."""
    stand, passages = shot.stand, shot.falls
    content = " ".join(
        sorted(
            f"{_kind(stand, each.piece)}@{each.pocket}"
            for each in shot.at_first
            if each.pocket is not None
        )
    )
    who = (strength.value, stand.aim.value)
    left = tuple(min(stand.left[kind], 4) for kind in Kind)
    pockets = tuple(each.pocket.value for each in passages)
    near = tuple(each.pocket in BESIDE[stand.seat] for each in passages)
    shapes = tuple(_shape(each) for each in passages)
    sorts: tuple[Key, ...] = (
        (who, left[:2], near, pockets, shapes),
        (who, left[0] > 2, near, pockets, shapes),
        (who, near, pockets, shapes),
        (who, pockets, shapes),
        (stand.aim.value, pockets, tuple(len(each.pulses) for each in passages)),
        (stand.aim.value, pockets),
    )
    seen = _colours(passages, f"{match} {shot.stroke} {shot.over_ns}")
    colours = tuple((*sort, seen) for sort in (*sorts, (pockets,)))
    return Sample(match, _numbered(sorts), _numbered(colours), content, right)


def _numbered(sorts: Sequence[Key]) -> tuple[int, ...]:
    """Give each sort a number of 64 bits, its level among it."""
    return tuple(
        int.from_bytes(hashlib.blake2b(repr(each).encode(), digest_size=8).digest())
        for each in enumerate(sorts)
    )


def _kind(stand: Stand, piece: object) -> str:
    return next(kind.value for kind, known in stand.pieces.items() if known is piece)


def _shape(passage: Passage) -> Key:
    """Sort one passage by how long its pulses are."""
    widths = (sum(each.width_ns > edge * MS for edge in WIDTHS_MS) for each in passage.pulses)
    return tuple(widths)


def _colours(passages: Sequence[Passage], seed: str) -> tuple[str, ...]:
    """Say what a colour sensor names in each passage: the kind of its first piece, mostly."""
    rng = random.Random(seed)
    named: list[str] = []
    for each in passages:
        if each.cause is not Cause.PIECES:
            named.append("hand")
            continue
        wrong = rng.random() >= COLOUR_KNOWN
        kind = rng.choice([k for k in Kind if k is not each.kinds[0]]) if wrong else each.kinds[0]
        named.append(kind.value)
    return tuple(named)


def right_at_best(samples: Sequence[Sample], *, colours: bool = False) -> tuple[bool, ...]:
    """Say of each stroke whether what was learnt from the other half names it right."""
    halves = [[s for s in samples if s.match % 2 == half] for half in (0, 1)]
    books = [_learnt(half, colours=colours) for half in halves]
    return tuple(_read(s, books[1 - s.match % 2], colours=colours) == s.content for s in samples)


_Book = dict[int, Counter[str]]


def _learnt(samples: Iterable[Sample], *, colours: bool) -> _Book:
    book: _Book = defaultdict(Counter)
    for each in samples:
        for key in each.colours if colours else each.sorts:
            book[key][each.content] += 1
    return book


def _read(sample: Sample, book: _Book, *, colours: bool) -> str | None:
    keys = sample.colours if colours else sample.sorts
    for key in keys:
        found = book.get(key)
        if found and (sum(found.values()) >= FEWEST or key == keys[-1]):
            return min(found, key=lambda content: (-found[content], content))
    return None
