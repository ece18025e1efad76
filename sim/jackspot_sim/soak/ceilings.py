"""The best that could be read, learnt: what strokes that looked like this most often contained.

The physics has no densities that could be written down, so the ceiling is learnt. Strokes are
sorted by what a reader can know before anybody presses:

- whose turn it is by what was entered, and how long ago that was;
- how well they play, what is aimed at, and how much is left;
- which pockets were passed in which order, and how long the beams were broken.

The commonest content of each sort is learnt from one half of the matches, and the other half is
read by it; then the halves change places. A sort that is too rare is widened. So the figure is what
a reader achieves who has seen half of all this happen: the true ceiling is a little above.

Two more readers know what no beam and no button reports. One is told who shot: if somebody missed
and nobody pressed for it, the board takes the next player's stroke for that seat's, and the own
pieces for the opponent's. The other is told who shot too, and has a colour sensor in each pocket,
which adds the kind of the first piece of each passage, known with :data:`COLOUR_KNOWN`.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from jackspot_sim.chance.frequencies import PieceRole, Strength
from jackspot_sim.chance.laws import MS
from jackspot_sim.traffic.matches import TimedShot
from jackspot_sim.traffic.measures import First
from jackspot_sim.traffic.passing import Cause, Passage
from jackspot_sim.traffic.shots import BESIDE, Stand, stand_of

COLOUR_KNOWN = 0.99
"""How often a colour sensor names the piece it sees."""
FEWEST = 12
"""A sort with fewer strokes than this is widened."""
WIDTHS_MS = (8, 14, 20, 28, 36, 44, 60, 100)
"""Where one sort of pulse ends and the next begins."""

GAPS_S = (6, 9, 13, 18, 25, 40)
"""Where one sort of time since whatever came before ends and the next begins."""

Key = tuple[Hashable, ...]


class ReaderKnowledge(StrEnum):
    """What the best possible reader knows."""

    SENSED = "what beams and buttons say"
    SHOOTER = "who shot, too"
    COLOURS = "who shot, and the colours"


Sorts = tuple[int, ...]
"""The sorts of a stroke from the narrowest to the widest, each as a number that is the same in
every process."""


class Sample(NamedTuple):
    """One stroke of which a beam saw something.

    ``content`` names the pieces by what they are to the seat whose turn it is by what was
    entered, and says so if another seat shot; ``shot`` names them by what they are to the seat
    that did. ``right``: whether the board's first reading was right.
    """

    match: int
    sensed: Sorts
    content: str
    known: Sorts
    shot: str
    colours: Sorts
    right: bool

    def seen(self, told: ReaderKnowledge) -> tuple[Sorts, str]:
        """Return the sorts that a reader of this kind knows, and what is to be named."""
        if told is ReaderKnowledge.SENSED:
            return self.sensed, self.content
        return self.known if told is ReaderKnowledge.SHOOTER else self.colours, self.shot


def sample_of(match: int, strength: Strength, shot: TimedShot, first: First) -> Sample:
    """Look at one stroke as a reader does. ``first`` is what the board read and knew."""
    turn, passages = stand_of(first.state), shot.falls
    other = "" if turn.seat is shot.stand.seat else f"{shot.stand.seat}: "
    sensed = (*_timed(strength, turn, first.gap_ns, passages), *_sorts(strength, turn, passages))
    known = _sorts(strength, shot.stand, passages)
    named = _colours(passages, f"{match} {shot.stroke} {shot.over_ns}")
    pockets = tuple(each.pocket.value for each in passages)
    colours = tuple((*sort, named) for sort in (*known, (pockets,)))
    return Sample(
        match, _numbered(sensed), other + _content(turn, shot), _numbered(known),
        _content(shot.stand, shot), _numbered(colours), first.right,
    )  # fmt: skip


def _content(stand: Stand, shot: TimedShot) -> str:
    return " ".join(
        sorted(
            f"{_kind(stand, each.piece)}@{each.pocket}"
            for each in shot.at_first
            if each.pocket is not None
        )
    )


def _sorts(strength: Strength, stand: Stand, passages: Sequence[Passage]) -> tuple[Key, ...]:
    """Sort a stroke of this seat by everything except when it came."""
    who = (strength.value, stand.aim.value)
    left = tuple(min(stand.left[kind], 4) for kind in PieceRole)
    pockets = tuple(each.pocket.value for each in passages)
    near = tuple(each.pocket in BESIDE[stand.seat] for each in passages)
    shapes = tuple(_shape(each) for each in passages)
    return (
        (who, left[:2], near, pockets, shapes),
        (who, left[0] > 2, near, pockets, shapes),
        (who, near, pockets, shapes),
        (who, pockets, shapes),
        (stand.aim.value, pockets, tuple(len(each.pulses) for each in passages)),
        (stand.aim.value, pockets),
    )


def _timed(
    strength: Strength, stand: Stand, gap_ns: int | None, passages: Sequence[Passage]
) -> tuple[Key, ...]:
    """Sort it by when it came, and where: that can suggest another seat."""
    who = (strength.value, stand.aim.value, stand.seat.value)
    gap = None if gap_ns is None else sum(gap_ns > edge * 1000 * MS for edge in GAPS_S)
    pockets = tuple(each.pocket.value for each in passages)
    shapes = tuple(_shape(each) for each in passages)
    return ((who, gap, stand.left[PieceRole.OWN] > 2, pockets, shapes), (who, gap, pockets, shapes))


def _numbered(sorts: Sequence[Key]) -> tuple[int, ...]:
    """Return a 64-bit number for each sort, which includes its level."""
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
    """Return what a colour sensor names in each passage: mostly the kind of its first piece."""
    rng = random.Random(seed)
    named: list[str] = []
    for each in passages:
        if each.cause is not Cause.PIECES:
            named.append("hand")
            continue
        wrong = rng.random() >= COLOUR_KNOWN
        kind = (
            rng.choice([k for k in PieceRole if k is not each.kinds[0]]) if wrong else each.kinds[0]
        )
        named.append(kind.value)
    return tuple(named)


def right_at_best(
    samples: Sequence[Sample], told: ReaderKnowledge = ReaderKnowledge.SENSED
) -> tuple[bool, ...]:
    """Return for each stroke whether what was learnt from the other half names it right."""
    halves = [[s for s in samples if half_of(s.match) == half] for half in (0, 1)]
    books = [_learnt(half, told) for half in halves]
    return tuple(_is_read(s, books[1 - half_of(s.match)], told) for s in samples)


@cache
def half_of(match: int) -> int:
    """Return in which half a match is, by lot: 0 or 1.

    Strengths, line-ups and boxes take turns by the number, so even and odd numbers would not be
    alike: with one strength, the one half would be all pairs.
    """
    return hashlib.blake2b(str(match).encode(), digest_size=1).digest()[0] & 1


_Book = dict[int, Counter[str]]


def _learnt(samples: Iterable[Sample], told: ReaderKnowledge) -> _Book:
    book: _Book = defaultdict(Counter)
    for each in samples:
        sorts, content = each.seen(told)
        for key in sorts:
            book[key][content] += 1
    return book


def _is_read(sample: Sample, book: _Book, told: ReaderKnowledge) -> bool:
    keys, content = sample.seen(told)
    for key in keys:
        found = book.get(key)
        if found and (sum(found.values()) >= FEWEST or key == keys[-1]):
            return content == min(found, key=lambda each: (-found[each], each))
    return False
