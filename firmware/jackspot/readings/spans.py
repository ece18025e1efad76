"""How readings weigh what lies between a fall and the entry before it: numbers only.

A fall can belong to the stroke confirmed last, to the seat whose turn it is, to a later seat
(the ones before it missed and nobody pressed), or to no stroke. These numbers say how much
speaks for each. None of them has been measured on a board; each says why it is what it is.
"""

from __future__ import annotations

import math

from msgspec import Struct

from jackspot.core.clock import SECOND_NS


class Spans(Struct, frozen=True):
    """The numbers of readings that span strokes. Shares are 0 to 1."""

    late: float = 0.006
    """One stroke in so many has a piece that falls after all the others: it hung on a
    pocket's mouth, or rolled on slowly."""
    late_ns: float = 3.5 * SECOND_NS
    """Median time from a stroke's last fall to such a piece."""
    late_spread: float = 0.6
    """Standard deviation of that time's logarithm."""
    late_at_least: float = 0.01
    """While a fall is late the stroke before is never less likely than this: the referee may
    have taken long to press."""
    hung: float = 0.001
    """Later than that a fall that ends the board is of the stroke before as seldom as this: the
    last piece hung at a pocket's edge, and nobody has shot since."""
    runs_ns: int = 1_400_000_000
    """Pieces of one stroke hardly fall further apart than this; nobody shoots so soon."""
    at_once: float = 0.97
    """A fall sooner than that after a stroke's last one is part of that stroke."""
    pressed_ns: int = 2 * SECOND_NS
    """A miss is entered about this long after its pieces stopped."""
    marks_before: float = 0.7
    """FOUL or OFF soon after an entry means the stroke before: the new shooter has hardly
    had time for a foul."""
    pockets: float = 0.45
    """So many strokes pocket something."""
    forgotten: float = 0.05
    """A seat missed and nobody pressed: every second stroke pockets nothing, and one press
    in ten is forgotten. So it is at first; who minds this board shows in its strokes."""
    held: float = 40.0
    """So many strokes more are imagined, of which that share is forgotten."""
    found_out: float = 4.0
    """Where a forgotten miss is found out, so many stood wrong: who forgets to press does not
    look either, and a turn that is wrong stays so until somebody sees it."""
    at_most: float = 0.5
    """Nobody forgets more."""
    shot_ns: float = 8.5 * SECOND_NS
    """Median time from one stroke to the next: walk, aim, shoot."""
    shot_spread: float = 0.5
    """Standard deviation of that time's logarithm."""
    pause_share: float = 0.05
    """So often a stroke comes after a pause of any length, of which time says nothing."""
    pause_ns: int = 20 * SECOND_NS
    """Every second such pause lasts longer."""
    word_of_a_seat: float = 20.0
    """Who presses FIX at a seat was more often the one who shot, by this factor."""
    hand_fetching: float = 0.9
    """A fall in a pocket where somebody has something to fetch is a hand."""
    hand_in_review: float = 0.35
    """A fall while people look at the stroke before is a hand."""
    hand_after_placing: float = 0.2
    """A fall just after pieces were put back is a hand: somebody pressed before the last one
    was fetched from its pocket."""
    hand_again: float = 0.8
    """A fall where a hand has just been is that hand on its way out."""
    hand_again_ns: int = 4 * SECOND_NS
    """How long a hand is still on its way out, or still fetching what was put back."""

    def same_stroke(self, gap_ns: int) -> float:
        """Say how likely a fall so long after a stroke's last one is part of that stroke."""
        if gap_ns < self.runs_ns:
            return self.at_once
        late = self.late * _log_normal(gap_ns, self.late_ns, self.late_spread)
        next_one = self.pockets * _log_normal(gap_ns, self.shot_ns, self.shot_spread)
        return max(late / (late + next_one), self.late_at_least)

    def forgotten_of(self, strokes: int, forgotten: int) -> float:
        """Say how often a seat misses and nobody presses.

        ``forgotten`` is how often that was found out in so many strokes of the match.
        """
        stood_wrong = self.held * self.forgotten + self.found_out * forgotten
        return min(stood_wrong / (self.held + strokes), self.at_most)

    def missed(self, seats: int, gap_ns: int | None, forgotten: float) -> float:
        """Weigh that so many seats missed and nobody pressed, against none: 1.

        ``forgotten`` is how often that happens, see :meth:`forgotten_of`.
        """
        return forgotten**seats * self._strokes(seats + 1, gap_ns) / self._strokes(1, gap_ns)

    def shot_a_second(self, gap_ns: int) -> float:
        """Return the density of the next shot so long after a stroke's end, in 1/s."""
        quick = _log_normal(gap_ns, self.shot_ns, self.shot_spread) / math.sqrt(math.tau)
        pause = SECOND_NS / self.pause_ns / (1 + max(gap_ns, 0) / self.pause_ns) ** 2
        seconds = max(gap_ns, 1) / SECOND_NS
        return (1 - self.pause_share) * quick / seconds + self.pause_share * pause

    def not_yet_shot(self, gap_ns: int) -> float:
        """Say how likely nobody has shot so long after a stroke's end."""
        z = math.log(max(gap_ns, 1.0) / self.shot_ns) / self.shot_spread
        pause = 1 / (1 + max(gap_ns, 0) / self.pause_ns)
        quick = 0.5 * math.erfc(z / math.sqrt(2))
        return (1 - self.pause_share) * quick + self.pause_share * pause

    def _strokes(self, strokes: int, gap_ns: int | None) -> float:
        """Weigh so many strokes within a time; without a known time each weighs the same."""
        if gap_ns is None:
            return 1.0
        spread = self.shot_spread / math.sqrt(strokes)
        likely = _log_normal(gap_ns, self.shot_ns * strokes, spread)
        return (1 - self.pause_share) * likely + self.pause_share


def _log_normal(value: float, median: float, spread: float) -> float:
    """Return the log-normal density per unit of log time, but for its constant."""
    z = math.log(max(value, 1.0) / median) / spread
    return math.exp(-0.5 * z * z) / spread
