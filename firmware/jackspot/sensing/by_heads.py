"""Make falls from frames alone: what passed a pocket's colour head while its beam saw nothing.

Theory of operation. A beam can be dead, dirty, or missed by a piece. Frames of one head that follow
each other closely are one *passage*. Once no more frames have come for :data:`APART_NS` and the
beam is whole, the passage is a fall, seen by the head alone, unless

- the beam saw a fall that near to it: then it is that fall, late or early;
- it is not a piece: it is too long (a hand, a sleeve, a lamp that flickers all the time), has fewer
  than :data:`FEWEST` whole frames in a row, or has many that are not whole. A frame is whole if all
  three lights came back and the dark level moved less than they did. Sun through leaves changes
  from one light to the next and a shadow from one frame to the next; a piece does neither;
- the head babbles: passages of every kind are counted, and after more than :data:`MOST_PASSAGES`
  close together the head is believed again only after it has been quiet for :data:`BABBLE_NS`.

A frame that is reported late is sorted in among the others; one that comes after its passage was
judged belongs to that passage and makes no new one.

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
"""Frames further apart are not of one piece; a hub may report a frame this late."""
LONGEST_NS = 150 * MS
"""No piece stays in front of a head longer: one on edge falls past it in 50 ms, and may turn."""
FEWEST = 4
"""A piece gives at least this many whole frames in a row."""
IN_A_ROW_NS = 6 * MS
"""Frames no further apart than this are consecutive: a hub makes one every 4 ms."""
WHOLE_SHARE = 0.7
"""At least this share of a piece's frames is whole; in the others it came or went between two
lights."""
NO_LIGHT, NOISE = 0.06, 200
"""A light whose share of the total is at most this is missing; and how far a level may be off."""
MOST_PASSAGES = 3
BABBLE_NS = 2 * SECOND
REMEMBERED = 64
"""At most this many waiting frames are kept for each pocket, the newest."""
MOST_SPANS = 8
"""This many reported falls and passages are remembered for each pocket, the newest."""

Frames = tuple[ColourSeen, ...]


class ToldSpan(NamedTuple):
    """The span of something in a pocket that has already been reported or judged."""

    start_ns: int
    end_ns: int

    def is_near(self, other: ToldSpan) -> bool:
        """Whether both may be of the same piece."""
        return max(other.start_ns - self.end_ns, self.start_ns - other.end_ns) < APART_NS

    def has(self, other: ToldSpan) -> bool:
        """Whether this span contains the other."""
        return self.start_ns <= other.start_ns and other.end_ns <= self.end_ns


class OneHead(Struct, frozen=True):
    """One pocket: the waiting frames, in order, and what has been judged.

    ``alone`` has the ends of the latest passages that no beam saw, each soon after the one before.
    """

    waiting: Frames = ()
    judged: tuple[ToldSpan, ...] = ()
    alone: tuple[int, ...] = ()

    def due_ns(self) -> int | None:
        """Return when the first waiting passage is over; None if none waits."""
        first = next(_passages(self.waiting), None)
        return None if first is None else first[-1].at_ns + APART_NS

    def with_span(self, span: ToldSpan) -> OneHead:
        """Record something that has been reported or judged."""
        others = tuple(each for each in self.judged if not span.has(each))
        return changed(self, judged=(*others, span)[-MOST_SPANS:])

    def rest(self, at_ns: int) -> tuple[OneHead, tuple[Frames, ...]]:
        """Let time pass; return the passages that are falls."""
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
        """Record a passage of any kind that no beam saw."""
        soon = self.alone and span.start_ns < self.alone[-1] + BABBLE_NS
        before = self.alone[-MOST_PASSAGES:] if soon else ()
        return changed(self, alone=(*before, span.end_ns))

    @property
    def is_believed(self) -> bool:
        """Whether the head is believed, as it does not babble."""
        return len(self.alone) <= MOST_PASSAGES


class ByHeads(Struct, frozen=True):
    """What each head has seen that no beam has reported."""

    heads: Mapping[Pocket, OneHead] = field(default_factory=lambda: MappingProxyType({}))

    def step(self, frame: ColourSeen) -> ByHeads:
        """Take a frame; frames may come in any order."""
        head = self.heads.get(frame.pocket, OneHead())
        waiting = in_order((*head.waiting, frame))[-REMEMBERED:]
        return self._with(frame.pocket, changed(head, waiting=waiting))

    def told_of(self, fall: Fall) -> ByHeads:
        """Record a fall that a beam saw, new or grown."""
        head = self.heads.get(fall.pocket, OneHead())
        return self._with(fall.pocket, head.with_span(ToldSpan(fall.start_ns, fall.end_ns)))

    @property
    def waits(self) -> bool:
        """Whether any frames wait; without heads none ever do."""
        return any(head.waiting for head in self.heads.values())

    def next_wake_ns(self, broken: Collection[Pocket]) -> int | None:
        """Return when the next passage is over, except where a beam is ``broken``."""
        due = (head.due_ns() for pocket, head in self.heads.items() if pocket not in broken)
        return min((each for each in due if each is not None), default=None)

    def rest(self, at_ns: int, broken: Collection[Pocket]) -> tuple[ByHeads, tuple[Frames, ...]]:
        """Let time pass; return what only heads saw, the frames of one fall in each item."""
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
    """Split frames, in order, wherever nothing was seen for a while."""
    begin = 0
    for at, (before, after) in enumerate(pairwise(frames), start=1):
        if after.at_ns - before.at_ns >= APART_NS:
            yield frames[begin:at]
            begin = at
    if frames:
        yield frames[begin:]


def _is_piece(passage: Frames) -> bool:
    """Whether a passage can be a piece; otherwise it is a hand, the sun, or nothing."""
    if passage[-1].at_ns - passage[0].at_ns > LONGEST_NS:
        return False
    moved = [abs(b.dark - a.dark) for a, b in pairwise(passage)]
    beside = zip(passage, [*moved, *moved[-1:]], strict=False)
    whole = [each for each, by in beside if _is_whole(each, by)]
    return len(whole) >= WHOLE_SHARE * len(passage) and _longest_row(whole) >= FEWEST


def _longest_row(frames: Iterable[ColourSeen]) -> int:
    """Return the length of the longest run of consecutive frames."""
    longest = row = 0
    last_ns: int | None = None
    for each in frames:
        follows = last_ns is not None and 0 < each.at_ns - last_ns <= IN_A_ROW_NS
        row = row + 1 if follows else 1
        longest, last_ns = max(longest, row), each.at_ns
    return longest


def _is_whole(frame: ColourSeen, moved: int) -> bool:
    """Whether all three lights came back and the sun has ``moved`` less than they did."""
    levels = [each - frame.dark for each in (frame.red, frame.green, frame.blue)]
    is_lit = min(levels) >= NO_LIGHT * sum(levels) - NOISE
    return is_lit and moved <= max(levels) / 2 + NOISE
