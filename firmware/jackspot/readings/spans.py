"""Weigh what happened between a fall and the entry before it: numbers only.

A fall can belong to the stroke confirmed last, to the seat whose turn it is, to a later seat (the
ones before it missed and nobody pressed), or to no stroke. These numbers weigh the four. None of
them has been measured on a board; each gives its reason.
"""

from __future__ import annotations

import math

from msgspec import Struct

from jackspot.core.clock import SECOND_NS


class Spans(Struct, frozen=True):
    """The numbers of readings that span strokes. Shares are 0 to 1."""

    late: float = 0.006
    """The share of strokes with a piece that falls after all the others: it hung at a pocket's
    mouth, or rolled on slowly."""
    late_ns: float = 3.5 * SECOND_NS
    """Median time from a stroke's last fall to such a piece."""
    late_spread: float = 0.6
    """Standard deviation of that time's logarithm."""
    late_at_least: float = 0.01
    """For a late fall the stroke before is never less likely than this: the referee may have been
    slow to press."""
    hung: float = 0.001
    """A still later fall that ends the board belongs to the stroke before this rarely: the last
    piece hung at a pocket's edge, and nobody has shot since."""
    runs_ns: int = 1_400_000_000
    """Pieces of one stroke hardly ever fall further apart than this; nobody shoots so soon."""
    at_once: float = 0.97
    """A fall sooner than that after a stroke's last one is part of that stroke."""
    pressed_ns: int = 2 * SECOND_NS
    """A miss is entered about this long after its pieces stopped."""
    marks_before: float = 0.7
    """The probability that FOUL or OFF soon after an entry means the stroke before: the new shooter
    has hardly had time for a foul."""
    pockets: float = 0.45
    """The share of strokes that pocket something."""
    forgotten: float = 0.05
    """How often a seat misses and nobody presses, at first: every second stroke pockets nothing,
    and one press in ten is forgotten. How often people forget at this board shows in its
    strokes."""
    held: float = 40.0
    """So many more strokes are assumed, with that share forgotten."""
    found_out: float = 4.0
    """Each forgotten miss that is found out counts as this many wrong turns: people who forget to
    press do not look either, and a wrong turn stays until somebody sees it."""
    at_most: float = 0.5
    """The upper limit of how often people forget."""
    shot_ns: float = 8.5 * SECOND_NS
    """Median time from one stroke to the next: walk, aim, shoot."""
    shot_spread: float = 0.5
    """Standard deviation of that time's logarithm."""
    pause_share: float = 0.05
    """How often a stroke comes after a pause of any length, about which time says nothing."""
    pause_ns: int = 20 * SECOND_NS
    """The median length of such a pause."""
    word_of_a_seat: float = 20.0
    """The person who presses FIX at a seat is this many times likelier to be the one who shot."""
    hand_fetching: float = 0.9
    """How likely a fall is a hand in a pocket where somebody has something to fetch."""
    hand_in_review: float = 0.35
    """How likely a fall is a hand while people look at the stroke before."""
    hand_after_placing: float = 0.2
    """How likely a fall is a hand just after pieces were put back: somebody pressed before the last
    one was fetched from its pocket."""
    hand_again: float = 0.8
    """How likely a fall where a hand has just been is that hand on its way out."""
    hand_again_ns: int = 4 * SECOND_NS
    """How long a hand is still on its way out, or still fetching what was put back."""

    def same_stroke(self, gap_ns: int) -> float:
        """Return the probability that a fall this long after a stroke's last one is part of it."""
        if gap_ns < self.runs_ns:
            return self.at_once
        late = self.late * _log_normal(gap_ns, self.late_ns, self.late_spread)
        next_one = self.pockets * _log_normal(gap_ns, self.shot_ns, self.shot_spread)
        return max(late / (late + next_one), self.late_at_least)

    def forgotten_of(self, strokes: int, forgotten: int) -> float:
        """Return how often a seat misses and nobody presses.

        ``forgotten`` is how often that was found out in ``strokes`` strokes of the match.
        """
        stood_wrong = self.held * self.forgotten + self.found_out * forgotten
        return min(stood_wrong / (self.held + strokes), self.at_most)

    def missed(self, seats: int, gap_ns: int | None, forgotten: float) -> float:
        """Weigh that so many seats missed and nobody pressed, against none, which is 1.

        ``forgotten`` is how often that happens, see :meth:`forgotten_of`.
        """
        return forgotten**seats * self._strokes(seats + 1, gap_ns) / self._strokes(1, gap_ns)

    def shot_a_second(self, gap_ns: int) -> float:
        """Return the density of the next shot this long after a stroke's end, in 1/s."""
        quick = _log_normal(gap_ns, self.shot_ns, self.shot_spread) / math.sqrt(math.tau)
        pause = SECOND_NS / self.pause_ns / (1 + max(gap_ns, 0) / self.pause_ns) ** 2
        seconds = max(gap_ns, 1) / SECOND_NS
        return (1 - self.pause_share) * quick / seconds + self.pause_share * pause

    def not_yet_shot(self, gap_ns: int) -> float:
        """Return the probability that nobody has shot this long after a stroke's end."""
        z = math.log(max(gap_ns, 1.0) / self.shot_ns) / self.shot_spread
        pause = 1 / (1 + max(gap_ns, 0) / self.pause_ns)
        quick = 0.5 * math.erfc(z / math.sqrt(2))
        return (1 - self.pause_share) * quick + self.pause_share * pause

    def _strokes(self, strokes: int, gap_ns: int | None) -> float:
        """Weigh a number of strokes within a time; without a known time all weigh the same."""
        if gap_ns is None:
            return 1.0
        spread = self.shot_spread / math.sqrt(strokes)
        likely = _log_normal(gap_ns, self.shot_ns * strokes, spread)
        return (1 - self.pause_share) * likely + self.pause_share


def _log_normal(value: float, median: float, spread: float) -> float:
    """Return the log-normal density per unit of log time, without its constant."""
    z = math.log(max(value, 1.0) / median) / spread
    return math.exp(-0.5 * z * z) / spread
