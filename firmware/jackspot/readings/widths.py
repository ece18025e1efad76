"""Give densities of how long pieces and hands break a beam, to be weighed together.

Pure values; a calibration makes another :class:`WidthModel`. The densities are of the widths of a
fall's pulses and of the short gaps between them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct, field

from jackspot.core.pieces import Piece, Pocket
from jackspot.sensing.events import Fall
from jackspot.values import changed

MILLISECOND_NS = 1_000_000

LEAST = 1e-12
"""No density is less than this, so that no width makes anything impossible."""


class DiscTimes(NamedTuple):
    """How long a piece breaks the beam, relative to a disc of 30 mm that is 8 mm thick."""

    flat: float = 1.0
    edge: float = 1.0

    @classmethod
    def of(cls, diameter_mm: float) -> DiscTimes:
        """Return a disc of the same thickness: a little longer where it leans, more on edge.

        Computed for free fall, with the beam 30 mm below the pocket's edge.
        """
        size = diameter_mm / 30.0
        return cls(size**0.115, size**0.85)


PUCK = DiscTimes()
"""A puck or striker of carom: both 30 mm, as the town gives them."""

CAROM: Mapping[Piece, DiscTimes] = MappingProxyType({Piece.JACK: DiscTimes.of(34.0)})
"""Pieces of a board with a jack; those that are not named are :data:`PUCK`."""

CARROM: Mapping[Piece, DiscTimes] = MappingProxyType(
    {
        **dict.fromkeys((Piece.WHITE, Piece.BLACK, Piece.BROWN, Piece.QUEEN), DiscTimes.of(31.0)),
        Piece.STRIKER: DiscTimes(1.14, 1.31),
    }
)
"""Pieces of a board with a queen. The laws of carrom ask for men of 30.2 to 31.8 mm and 7 to 9 mm
thick, the queen like the others, and a striker of up to 41.3 mm; the striker's 9 mm are assumed. So
a striker on edge can be told from a man, and a flat one sometimes."""


class WidthModel(Struct, frozen=True):
    """How long each kind of piece breaks the beam, as a mixture of log-normals.

    Medians are in nanoseconds, spreads are standard deviations of the logarithm, and shares add up
    to one with what they leave out; unless noted, they are of the pieces that do not tip. The
    medians are computed from free fall with the beam 30 mm below the pocket's edge: a flat disc of
    8 mm that leans a little takes 11 ms, one of 30 mm on edge 32 ms, a jack of 34 mm on edge about
    34/30 of that. The spreads are a little wider than one board's own, so that a beam may be some
    millimetres higher or lower; one at 15 or 60 mm needs a calibration. How often pieces fall in
    which way is taken from the published table of traffic.

    A piece tips over the rim of its pocket before it falls, so it can pass the beam at any lean
    between flat and on edge, or with its rim alone; and while it turns, the beam may shine past it
    for a moment. The length of its whole passage is then bounded by its diameter: two pulses that
    together last longer than a piece on edge are two pieces. The ``tipping``, ``leaning``, ``rim``
    and ``turning`` fields weigh that, relative to a piece on edge; their numbers come from the
    simulated fall.
    """

    flat_ns: float = 11.0 * MILLISECOND_NS
    flat_spread: float = 0.16
    on_edge_ns: float = 32.4 * MILLISECOND_NS
    on_edge_spread: float = 0.18
    on_edge_share: float = 0.10
    tipping_share: float = 0.18
    """The share of all pieces that lean or turn. Each board has its own share, which a calibration
    finds. This one is high enough that such a piece is read right, and low enough that two at once
    are still noticed where pieces fall flat."""
    leaning_part: float = 0.75
    leaning_spread: float = 0.42
    rim_share: float = 0.14
    """Of those that tip: the beam meets only the rim, for ``rim_part`` of its time on edge."""
    rim_part: float = 0.17
    rim_spread: float = 0.6
    turning_share: float = 0.17
    """Of those that tip: the beam shines past it for a moment while it turns. That makes several
    pulses; from first to last they take ``turning_part`` of its time on edge, with the gaps
    anywhere in between."""
    turning_part: float = 0.90
    turning_spread: float = 0.28
    turning_again: float = 0.06
    """How often the beam shines past it once more, each time."""
    tumbling_share: float = 0.050
    """One piece that turns over: two pulses, each ``tumbling_part`` of its time on edge."""
    tumbling_part: float = 0.34
    tumbling_spread: float = 0.22
    tumbling_gap_ns: tuple[float, float] = (3.0 * MILLISECOND_NS, 12.0 * MILLISECOND_NS)
    flicker_share: float = 0.020
    """One piece with an extra short pulse of 2 to 5 ms before or after."""
    overlap_share: float = 0.60
    """Two pieces at once that make one pulse; otherwise they make two with a short gap."""
    overlap_of_flat: float = 1.60
    overlap_of_edge: float = 1.20
    """How long such a pulse is, relative to one flat piece or to one on edge."""
    overlap_edge_share: float = 0.20
    overlap_spread: float = 0.18
    jammed_share: float = 0.10
    """Two at once that jam in the pocket: much longer than free fall explains."""
    jammed_ns: float = 75.0 * MILLISECOND_NS
    jammed_spread: float = 0.5
    by_head_two: float = 0.25
    by_head_hand: float = 0.08
    by_head_flash: float = 0.30
    """What no beam saw has no width. These are the densities, against 1 for one piece, of two at
    once, a hand and nothing at all in front of a colour head for so short a time (one hand in
    twelve is that short)."""
    slow_share: float = 0.004
    """One piece that is held up in the pocket: longer than free fall explains."""
    slow_ns: float = 60.0 * MILLISECOND_NS
    slow_spread: float = 0.7
    hand_ns: float = 350.0 * MILLISECOND_NS
    hand_spread: float = 0.6
    flash_ns: float = 6.0 * MILLISECOND_NS
    """Nothing at all: a moth, the sun, a knock on the frame."""
    flash_spread: float = 0.8
    discs: Mapping[Piece, DiscTimes] = field(default_factory=lambda: CAROM)
    """The pieces on this board; those that are not named are :data:`PUCK`."""
    queens_discs: Mapping[Piece, DiscTimes] = field(default_factory=lambda: CARROM)
    """The pieces of a board with a queen."""
    beams: Mapping[Pocket, WidthModel] = field(default_factory=lambda: MappingProxyType({}))
    """What was calibrated for single pockets with the pieces on this board; see :meth:`at`."""
    queens_beams: Mapping[Pocket, WidthModel] = field(default_factory=lambda: MappingProxyType({}))
    """The same with the pieces of a board with a queen."""

    def of_board(self, red: Piece) -> WidthModel:
        """Return the same beams for the pieces of a board with this in its centre."""
        if red is Piece.JACK:
            return self
        return changed(self, discs=self.queens_discs, beams=self.queens_beams)

    def at(self, pocket: Pocket) -> WidthModel:
        """Return the widths of one pocket: its own if it was calibrated, else those of any beam."""
        return self.beams.get(pocket, self)

    def one(self, piece: Piece, fall: Fall) -> float:
        """Return the density of one piece making a fall."""
        if fall.by_head:
            return 1.0
        disc = self.discs.get(piece, PUCK)
        widths = fall.widths_ns
        if len(widths) == 1:
            return LEAST + self._single(widths[0], disc)
        gaps, turning = _gaps_density(fall), self._turning(fall, disc)
        calm = 1.0 - self.tipping_share
        if len(widths) == 2:
            tumbling = math.prod(self._part(width, disc) for width in widths)
            flicker = self._flicker(widths[0], widths[1], disc)
            return (
                LEAST * gaps
                + turning
                + calm * self.tumbling_share * tumbling * self._tumbling_gap(fall)
                + calm * self.flicker_share * flicker * gaps
            )
        others = _shattered(len(widths) - 1)
        return turning + gaps * others * (LEAST + self._single(max(widths), disc))

    def two(self, first: Piece, second: Piece, fall: Fall) -> float:
        """Return the density of two pieces that fall at once making a fall."""
        if fall.by_head:
            return self.by_head_two
        widths = fall.widths_ns
        if len(widths) == 1:
            return LEAST + self.overlap_share * self._overlapping(widths[0])
        long, short = sorted(widths, reverse=True)[:2]
        one, other = (self.discs.get(piece, PUCK) for piece in (first, second))
        pair = 0.5 * (
            self._single(long, one) * self._single(short, other)
            + self._single(short, one) * self._single(long, other)
        )
        others = _shattered(len(widths) - 2)
        return _gaps_density(fall) * others * (LEAST + (1.0 - self.overlap_share) * pair)

    def hand(self, fall: Fall) -> float:
        """Return the density of a hand making a fall."""
        if fall.by_head:
            return self.by_head_hand
        return self._no_piece(fall, self.hand_ns, self.hand_spread)

    def flash(self, fall: Fall) -> float:
        """Return the density of nothing at all making a fall."""
        if fall.by_head:
            return self.by_head_flash
        return self._no_piece(fall, self.flash_ns, self.flash_spread)

    def _no_piece(self, fall: Fall, median_ns: float, spread: float) -> float:
        one = LEAST + _log_normal(max(fall.widths_ns), median_ns, spread)
        more = len(fall.pulses) - 1
        return one * _gaps_density(fall) * _shattered(more) if more else one

    def kinds_of(self, width_ns: int) -> tuple[float, float, float]:
        """Weigh one pulse as a piece that is flat or leans, as one on edge, and as two at once.

        Two at once are assumed as usual as in the published priors: one in twenty.
        """
        calm = 1.0 - self.tipping_share
        flat = calm * (1.0 - self.on_edge_share) * self._flat(width_ns, PUCK)
        edge = calm * self.on_edge_share * self._on_edge(width_ns, PUCK)
        two = 0.05 * self.overlap_share * self._overlapping(width_ns)
        return flat + self._leaning(width_ns, PUCK), edge, two

    def single(self, piece: Piece, width_ns: int) -> float:
        """Return the density of one piece making exactly one pulse."""
        return self._single(width_ns, self.discs.get(piece, PUCK))

    def _single(self, width_ns: int, disc: DiscTimes) -> float:
        others = self.on_edge_share + self.tumbling_share + self.flicker_share + self.slow_share
        calm = (
            (1.0 - others) * self._flat(width_ns, disc)
            + self.on_edge_share * self._on_edge(width_ns, disc)
            + self.slow_share * _log_normal(width_ns, self.slow_ns, self.slow_spread)
        )
        return (1.0 - self.tipping_share) * calm + self._leaning(width_ns, disc)

    def _flat(self, width_ns: int, disc: DiscTimes) -> float:
        """Weigh a flat piece: all are equally thick, and lean on their rims."""
        return _log_normal(width_ns, self.flat_ns * disc.flat, self.flat_spread)

    def _on_edge(self, width_ns: int, disc: DiscTimes) -> float:
        """Weigh a piece on edge: it falls faster towards its end."""
        return _log_normal(width_ns, self.on_edge_ns * disc.edge, self.on_edge_spread)

    def _leaning(self, width_ns: int, disc: DiscTimes) -> float:
        """Weigh a piece at any lean, or of which the beam met the rim, including their share."""
        edge_ns = self.on_edge_ns * disc.edge
        leaning = _log_normal(width_ns, self.leaning_part * edge_ns, self.leaning_spread)
        rim = _log_normal(width_ns, self.rim_part * edge_ns, self.rim_spread)
        one = 1.0 - self.rim_share - self.turning_share
        return self.tipping_share * (one * leaning + self.rim_share * rim)

    def _turning(self, fall: Fall, disc: DiscTimes) -> float:
        """Weigh a piece that the beam shone past, including its share.

        The whole passage has a usual length. The beam can come and go anywhere in it: any two
        moments of a passage of S ms have a density of 2! / S², any four of 4! / S⁴.
        """
        whole_ns = fall.pulses[-1].end_ns - fall.pulses[0].start_ns
        times = 2 * (len(fall.pulses) - 1)
        usual = _log_normal(
            whole_ns, self.turning_part * self.on_edge_ns * disc.edge, self.turning_spread
        )
        share = self.tipping_share * self.turning_share
        share *= self.turning_again ** (len(fall.pulses) - 2)
        return share * usual * math.factorial(times) / (whole_ns / MILLISECOND_NS) ** times

    def _part(self, width_ns: int, disc: DiscTimes) -> float:
        median_ns = self.tumbling_part * self.on_edge_ns * disc.edge
        return _log_normal(width_ns, median_ns, self.tumbling_spread)

    def _tumbling_gap(self, fall: Fall) -> float:
        """Weigh the gap while the beam passes a piece's middle: hardly any other is possible."""
        shortest_ns, longest_ns = self.tumbling_gap_ns
        gap_ns = fall.pulses[1].start_ns - fall.pulses[0].end_ns
        usual = 1.0 / (longest_ns - shortest_ns) * MILLISECOND_NS
        return usual if shortest_ns <= gap_ns <= longest_ns else 0.1 * usual

    def _flicker(self, first_ns: int, second_ns: int, disc: DiscTimes) -> float:
        short = [1 / 3 if ns <= 5 * MILLISECOND_NS else 0.0 for ns in (first_ns, second_ns)]
        return 0.5 * (
            short[0] * self._flat(second_ns, disc) + short[1] * self._flat(first_ns, disc)
        )

    def _overlapping(self, width_ns: int) -> float:
        flat = _log_normal(width_ns, self.overlap_of_flat * self.flat_ns, self.overlap_spread)
        edge = _log_normal(width_ns, self.overlap_of_edge * self.on_edge_ns, self.overlap_spread)
        free = (1.0 - self.overlap_edge_share) * flat + self.overlap_edge_share * edge
        jammed = _log_normal(width_ns, self.jammed_ns, self.jammed_spread)
        return (1.0 - self.jammed_share) * free + self.jammed_share * jammed


def _gaps_density(fall: Fall) -> float:
    """Weigh the gaps within a fall: any length under 15 ms alike, for every account."""
    return (1 / 14) ** (len(fall.pulses) - 1)


def _shattered(pulses: int) -> float:
    """Weigh this many more pulses than an account has pieces for: rims and reflections."""
    return 0.0006**pulses


@lru_cache(maxsize=1_024)
def _log_normal(value_ns: float, median_ns: float, spread: float) -> float:
    """Return the log-normal density per millisecond; cached, as kinds of one size need the same."""
    z = math.log(max(value_ns, 1.0) / median_ns) / spread
    return math.exp(-0.5 * z * z) / (spread * 2.5066282746310002 * value_ns / MILLISECOND_NS)
