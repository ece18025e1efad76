"""Frames to falls of their own: what went past a pocket's colour head while its beam saw nothing.

Theory of operation. A beam can be dead, dirty, or missed by a piece. Frames of one head that come
close after each other are one *passage*. Once nothing more came of it for :data:`APART_NS` and the
beam is whole, it is a fall, seen by the head alone, unless

- the beam saw a fall so near to it: then it is that one, late or early;
- it is no piece: too long (a hand, a sleeve, a lamp that flickers all the time), or fewer than
  :data:`FEWEST` whole frames in a row, or many that are not. Whole is one in which all three lights
  came back and the dark moved less than they. The sun between leaves changes from one light to the
  next and a shadow from one frame to the next; a piece does neither;
- the head babbles: each passage of whatever kind counts, and after more than :data:`MOST_PASSAGES`
  close to each other it is believed again only once it was quiet for :data:`BABBLE_NS`.

A frame that is told late is put in order with the others; one that comes after its passage was
judged belongs to that and makes no other.

Frozen values; time comes with the events.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct, field

from jackspot.core.pieces import Pocket
from jackspot.sensing.colours import MOST_FRAMES, in_order
from jackspot.sensing.events import ColourSeen, Fall
from jackspot.sensing.limits import MS, SECOND
from jackspot.values import changed

APART_NS = 60 * MS
"""What is further apart is not of one piece, and so late a hub may tell of it."""
LONGEST_NS = 150 * MS
"""No piece is before a head for longer: one on edge falls past it in 50 ms, and may turn."""
FEWEST = 4
"""So many whole frames in a row a piece gives at least."""
IN_A_ROW_NS = 6 * MS
"""Frames that are no further apart follow each other: a hub makes one in 4 ms."""
WHOLE_SHARE = 0.7
"""So many of a piece's frames are whole; in others it came or went between two lights."""
NO_LIGHT, NOISE = 0.06, 200
"""A light of which only that part of all came back, or less, is missing; and how far a level may
be wrong."""
MOST_PASSAGES = 3
BABBLE_NS = 2 * SECOND
REMEMBERED = 64
"""Frames of one pocket that wait, the newest."""
MOST_SPANS = 8
"""Of so many falls and passages of one pocket it is known that they were told, the newest."""

Frames = tuple[ColourSeen, ...]


class ToldSpan(NamedTuple):
    """From when until when something happened in a pocket that is told, or judged, already."""

    start_ns: int
    end_ns: int

    def is_near(self, other: ToldSpan) -> bool:
        """Whether both may be of the same piece."""
        return max(other.start_ns - self.end_ns, self.start_ns - other.end_ns) < APART_NS

    def has(self, other: ToldSpan) -> bool:
        """Whether the other is a part of this."""
        return self.start_ns <= other.start_ns and other.end_ns <= self.end_ns


class OneHead(Struct, frozen=True):
    """One pocket: frames that wait, in order, and what is judged.

    ``alone`` says when each of the last passages ended that no beam saw, each soon after another.
    """

    waiting: Frames = ()
    judged: tuple[ToldSpan, ...] = ()
    alone: tuple[int, ...] = ()

    def due_ns(self) -> int | None:
        """Say when the first passage that waits is over; None: none waits."""
        first = next(_passages(self.waiting), None)
        return None if first is None else first[-1].at_ns + APART_NS

    def with_span(self, span: ToldSpan) -> OneHead:
        """Take note of something that is told or judged."""
        others = tuple(each for each in self.judged if not span.has(each))
        return changed(self, judged=(*others, span)[-MOST_SPANS:])

    def rest(self, at_ns: int) -> tuple[OneHead, tuple[Frames, ...]]:
        """Let time pass; give the passages that are falls."""
        over = [each for each in _passages(self.waiting) if each[-1].at_ns + APART_NS <= at_ns]
        head = changed(self, waiting=self.waiting[sum(map(len, over)) :])
        found: list[Frames] = []
        for passage in over:
            span = ToldSpan(passage[0].at_ns, passage[-1].at_ns)
            if not any(each.is_near(span) for each in head.judged):
                head = head.with_passage(span)
                if head.is_believed and _is_piece(passage):
                    found.append(passage[-MOST_FRAMES:])
            head = head.with_span(span)
        return head, tuple(found)

    def with_passage(self, span: ToldSpan) -> OneHead:
        """Take note of a passage that no beam saw, of whatever kind."""
        soon = self.alone and span.start_ns < self.alone[-1] + BABBLE_NS
        before = self.alone[-MOST_PASSAGES:] if soon else ()
        return changed(self, alone=(*before, span.end_ns))

    @property
    def is_believed(self) -> bool:
        """Whether it does not babble."""
        return len(self.alone) <= MOST_PASSAGES


class ByHeads(Struct, frozen=True):
    """What each head has seen and no beam has told of."""

    heads: Mapping[Pocket, OneHead] = field(default_factory=lambda: MappingProxyType({}))

    def step(self, frame: ColourSeen) -> ByHeads:
        """Take a frame; frames may come in any order."""
        head = self.heads.get(frame.pocket, OneHead())
        waiting = in_order((*head.waiting, frame))[-REMEMBERED:]
        return self._with(frame.pocket, changed(head, waiting=waiting))

    def told_of(self, fall: Fall) -> ByHeads:
        """Take note of what a beam saw, new or grown."""
        head = self.heads.get(fall.pocket, OneHead())
        return self._with(fall.pocket, head.with_span(ToldSpan(fall.start_ns, fall.end_ns)))

    @property
    def waits(self) -> bool:
        """Whether frames wait: where there are no heads none ever does."""
        return any(head.waiting for head in self.heads.values())

    def next_wake_ns(self, broken: Collection[Pocket]) -> int | None:
        """Say when the next passage is over, but where a beam is ``broken``: that will tell."""
        due = (head.due_ns() for pocket, head in self.heads.items() if pocket not in broken)
        return min((each for each in due if each is not None), default=None)

    def rest(self, at_ns: int, broken: Collection[Pocket]) -> tuple[ByHeads, tuple[Frames, ...]]:
        """Let time pass; give what went past heads alone, each the frames of one fall."""
        heads, found = self, list[Frames]()
        for pocket, head in self.heads.items():
            if head.waiting and pocket not in broken:
                rested, falls = head.rest(at_ns)
                heads = heads._with(pocket, rested)
                found += falls
        return heads, tuple(sorted(found, key=lambda frames: frames[0].at_ns))

    def _with(self, pocket: Pocket, head: OneHead) -> ByHeads:
        return ByHeads(MappingProxyType({**self.heads, pocket: head}))


def _passages(frames: Frames) -> Iterator[Frames]:
    """Part frames, in order, where nothing was seen for a while."""
    begin = 0
    for at, (before, after) in enumerate(pairwise(frames), start=1):
        if after.at_ns - before.at_ns >= APART_NS:
            yield frames[begin:at]
            begin = at
    if frames:
        yield frames[begin:]


def _is_piece(passage: Frames) -> bool:
    """Whether a passage can be one of a piece; else it is a hand, the sun, or nothing."""
    if passage[-1].at_ns - passage[0].at_ns > LONGEST_NS:
        return False
    moved = [abs(b.dark - a.dark) for a, b in pairwise(passage)]
    beside = zip(passage, [*moved, *moved[-1:]], strict=False)
    whole = [each for each, by in beside if _is_whole(each, by)]
    return len(whole) >= WHOLE_SHARE * len(passage) and _longest_row(whole) >= FEWEST


def _longest_row(frames: Iterable[ColourSeen]) -> int:
    """Count the frames that follow each other, where they are most."""
    longest = row = 0
    last_ns: int | None = None
    for each in frames:
        follows = last_ns is not None and 0 < each.at_ns - last_ns <= IN_A_ROW_NS
        row = row + 1 if follows else 1
        longest, last_ns = max(longest, row), each.at_ns
    return longest


def _is_whole(frame: ColourSeen, moved: int) -> bool:
    """Whether all three lights came back, and the sun has ``moved`` by less than they."""
    levels = [each - frame.dark for each in (frame.red, frame.green, frame.blue)]
    is_lit = min(levels) >= NO_LIGHT * sum(levels) - NOISE
    return is_lit and moved <= max(levels) / 2 + NOISE
