"""Fit width models to drops: one for each pocket into which something was dropped.

Theory of operation. The model that a board starts with
(:class:`jackspot.readings.widths.WidthModel`) is the prior, and drops move it. The fit estimates
the logarithms of four medians for each pocket: how much longer than usual a flat piece takes, how
much longer one on edge, and by how much each kind differs from what its size predicts for these.
The first mostly says how deep the beam is, and so, by free fall, what to expect of pieces on edge,
which are few. Each has a normal prior around the usual, so without drops nothing changes and a few
change little. One flat puck moves a pocket most of the way, since beams may be at any depth; a
striker and a puck need several drops each to be considered different, since they mostly are not.

How a single drop fell (flat, on edge, at some lean, turning over, or otherwise) is unknown, so it
counts for each in proportion to how well it fits: expectation maximisation, from the depth that
fits best. A drop that fits none of them counts for nothing, so outliers do not disturb the fit. How
many pieces tip as they fall depends on the pockets' rims and is also estimated, for all pockets
together. The other shares are left as they are, because hands drop pieces differently from strokes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType

from msgspec import Struct, field

from jackspot.calibration.measuring.measured import (
    PIECES,
    Drop,
    DropPlace,
    Measured,
    PieceKind,
    PieceSet,
)
from jackspot.core.pieces import Piece, Pocket
from jackspot.readings.widths import MILLISECOND_NS, PUCK, DiscTimes, WidthModel
from jackspot.values import changed

GRAVITY_MM_S2 = 9_806.65
USUAL_DEPTH_MM = 30.0
"""The depth that a board's own widths are for; see :class:`WidthModel`."""
FLAT_MM, EDGE_MM = 9.04, 30.0
"""The height of a puck that falls flat and leans a little, and of one on edge."""
DEPTHS_MM = (4.0, 6.0, 8.0, 11.0, 15.0, 20.0, 25.0, 30.0, 37.0, 45.0, 55.0, 70.0, 90.0, 120.0)
"""The depths at which the search for a beam's depth begins."""

DEPTH_SPREAD = 0.35
"""How much longer or shorter than usual a flat piece may take in a pocket: 10 to 80 mm deep."""
EDGE_BY_FLAT = 0.80
"""If flat pieces take longer by some share, those on edge do by this part of it: free fall."""
EDGE_SPREAD = 0.08
"""How far pieces on edge may deviate from that: a beam beside the middle, another thickness."""
KIND_SPREAD = 0.04
"""How much a kind may differ from what its size predicts, in all pockets alike."""
KIND_HERE_SPREAD = 0.015
"""How much it may differ in one pocket from the others."""
SPREAD_IN_DROPS = 16.0
"""How many drops the spreads that a board starts with are worth."""
SPREAD_HERE_IN_DROPS = 12.0
"""How many drops the board's own spreads are worth in one pocket."""
LEAST_SPREAD = 0.05

SHARES = MappingProxyType({"flat": 0.80, "edge": 0.12, "tumbling": 0.04, "flicker": 0.02})
"""How a dropped piece falls if it does not tip; the rest is anything else."""
TIPPING_IN_DROPS = 6.0
"""How many drops the usual share of tipping pieces is worth: it is hardly known."""
ANYTHING_NS, ANYTHING_SPREAD = 20.0 * MILLISECOND_NS, 1.2
FLICKER_AT_MOST_NS = 5 * MILLISECOND_NS

STEPS_AT_MOST, INNER_STEPS = 80, 8
CLOSE_ENOUGH = 1e-4
"""The fit ends when no logarithm moves by more than this, which is a microsecond."""


def calibrated(base: WidthModel, measured: Iterable[Measured]) -> WidthModel:
    """Return widths fitted to each pocket that was measured; the others stay as they are."""
    for each in measured:
        beams = MappingProxyType(fitted(base, each))
        if each.pieces is PieceSet.CAROM:
            base = changed(base, beams=beams)
        else:
            base = changed(base, queens_beams=beams)
    return base


def fitted(base: WidthModel, measured: Measured) -> dict[Pocket, WidthModel]:
    """Return the widths of each pocket into which something was dropped."""
    base = changed(base.of_board(_centre(measured.pieces)), beams=MappingProxyType({}))
    fit = _Fit(base, measured)
    fit.run()
    return {pocket: fit.model(pocket) for pocket in fit.pockets}


def free_fall_ns(height_mm: float, depth_mm: float) -> float:
    """Return how long something this tall breaks a beam this deep, falling from rest."""
    seconds = math.sqrt(2 / GRAVITY_MM_S2) * (math.sqrt(depth_mm + height_mm) - math.sqrt(depth_mm))
    return seconds * 1e9


def at_depth(depth_mm: float) -> tuple[float, float]:
    """Return how much longer than usual flat pieces and those on edge take, as logarithms."""
    return (
        math.log(free_fall_ns(FLAT_MM, depth_mm) / free_fall_ns(FLAT_MM, USUAL_DEPTH_MM)),
        math.log(free_fall_ns(EDGE_MM, depth_mm) / free_fall_ns(EDGE_MM, USUAL_DEPTH_MM)),
    )


def deeper(base: WidthModel, depth_mm: float) -> WidthModel:
    """Return the widths of a beam of this depth that is otherwise as usual."""
    flat, edge = at_depth(depth_mm)
    return changed(
        base, flat_ns=base.flat_ns * math.exp(flat), on_edge_ns=base.on_edge_ns * math.exp(edge)
    )


def _centre(pieces: PieceSet) -> Piece:
    return Piece.JACK if pieces is PieceSet.CAROM else Piece.QUEEN


class _Sum(Struct):
    """Weighted logarithms, relative to the usual: their weight, sum and squares.

    ``tight`` counts those that also say something about the spread.
    """

    weight: float = 0.0
    total: float = 0.0
    tight: float = 0.0
    tight_total: float = 0.0
    tight_squares: float = 0.0

    def add(self, share: float, value: float, variance: float) -> None:
        """Add a value that is known with this variance."""
        self.weight += share / variance
        self.total += share * value / variance

    def add_tight(self, share: float, value: float) -> None:
        """Add a value to those from which the spread is computed."""
        self.tight += share
        self.tight_total += share * value
        self.tight_squares += share * value * value

    def squares_around(self, middle: float) -> float:
        """Return the sum of squared distances from a middle."""
        around = self.tight_squares - 2 * middle * self.tight_total + middle * middle * self.tight
        return max(0.0, around)


class _Law(Struct):
    """One manner of falling, flat or on edge: the estimates for all pockets.

    ``here`` is by pocket, ``kinds`` by kind, ``places`` by both: logarithms relative to the usual.
    ``spreads`` is by pocket; ``unsure`` is the variance with which ``here`` is known.
    """

    usual_spread: float
    here: dict[Pocket, float] = field(default_factory=dict)
    kinds: dict[PieceKind, float] = field(default_factory=dict)
    places: dict[DropPlace, float] = field(default_factory=dict)
    spreads: dict[Pocket, float] = field(default_factory=dict)
    unsure: dict[Pocket, float] = field(default_factory=dict)
    sums: dict[DropPlace, _Sum] = field(default_factory=dict)

    def middle(self, place: DropPlace) -> float:
        """Return the median at a place."""
        return self.here[place.pocket] + self.places[place]

    def values(self) -> list[float]:
        """Return all estimates, to see whether they still move."""
        return [*self.here.values(), *self.places.values(), *self.spreads.values()]

    def update_kinds(self) -> None:
        """Move kinds towards what the sums say of them in all pockets, with their prior."""
        for kind in self.kinds:
            weight, total = 1 / KIND_SPREAD**2, 0.0
            for place, found in self.sums.items():
                if place.kind is kind:
                    share = _within(found)
                    weight += share * found.weight
                    total += share * (found.total - found.weight * self.here[place.pocket])
            self.kinds[kind] = total / weight

    def update_places(self) -> None:
        """Move each kind in each pocket towards what was dropped there."""
        within = 1 / KIND_HERE_SPREAD**2
        for place, found in self.sums.items():
            pull = found.total - found.weight * self.here[place.pocket]
            pull += self.kinds[place.kind] * within
            self.places[place] = pull / (found.weight + within)

    def pull_of(self, pocket: Pocket) -> tuple[float, float]:
        """Return the weight with which a pocket's drops give its estimate, and that times it.

        A kind counts less because it may differ a little in this pocket.
        """
        weight = total = 0.0
        for place, found in self.sums.items():
            if place.pocket is pocket:
                share = _within(found)
                weight += share * found.weight
                total += share * (found.total - found.weight * self.kinds[place.kind])
        return weight, total

    def update_spreads(self) -> None:
        """Compute the spreads: of the board, with the usual one as prior, then of each pocket."""
        usual = SPREAD_IN_DROPS * self.usual_spread**2
        count = sum(found.tight for found in self.sums.values())
        around = {
            place: found.squares_around(self.middle(place))
            + found.tight * self.unsure[place.pocket]
            for place, found in self.sums.items()
        }
        board = (usual + sum(around.values())) / (SPREAD_IN_DROPS + count)
        for pocket in self.spreads:
            places = [place for place in self.sums if place.pocket is pocket]
            count = sum(self.sums[place].tight for place in places)
            squares = SPREAD_HERE_IN_DROPS * board + sum(around[place] for place in places)
            spread = math.sqrt(squares / (SPREAD_HERE_IN_DROPS + count))
            self.spreads[pocket] = max(LEAST_SPREAD, spread)


def _within(found: _Sum) -> float:
    """Return how much drops of a kind into one pocket say about that kind in all pockets."""
    within = 1 / KIND_HERE_SPREAD**2
    return within / (found.weight + within)


class _Fit:
    """One fit of all pockets: the drops and the estimates."""

    def __init__(self, base: WidthModel, measured: Measured) -> None:
        self.base = base
        self.measured = measured
        self.pockets = tuple(p for p in Pocket if any(measured.into(p)))
        self.discs = {
            kind: base.discs.get(pieces[0], PUCK)
            for kind, pieces in PIECES[measured.pieces].items()
        }
        self.tipping, self.tipped = base.tipping_share, 0.0
        self.flat, self.edge = _Law(base.flat_spread), _Law(base.on_edge_spread)
        for law in (self.flat, self.edge):
            law.kinds = dict.fromkeys(measured.pieces.kinds, 0.0)
            law.places = {DropPlace(p, k): 0.0 for p in self.pockets for k in law.kinds}
            law.spreads = dict.fromkeys(self.pockets, law.usual_spread)
            law.unsure = dict.fromkeys(self.pockets, 0.0)
        for pocket in self.pockets:
            self.flat.here[pocket], self.edge.here[pocket] = self._begin(pocket)

    def _begin(self, pocket: Pocket) -> tuple[float, float]:
        """Return the logarithms at the depth that fits a pocket's drops best, as a start."""
        best, likeliest = (0.0, 0.0), -math.inf
        for flat, edge in map(at_depth, DEPTHS_MM):
            self.flat.here[pocket], self.edge.here[pocket] = flat, edge
            fits = -0.5 * (flat / DEPTH_SPREAD) ** 2
            for kind, drop in self.measured.into(pocket):
                fits += _log_sum(list(self._accounts(DropPlace(pocket, kind), drop)))
            if fits > likeliest:
                best, likeliest = (flat, edge), fits
        return best

    def run(self) -> None:
        """Iterate until nothing moves any more."""
        for _step in range(STEPS_AT_MOST):
            before = [*self.flat.values(), *self.edge.values()]
            self._weigh()
            for _again in range(INNER_STEPS):
                self._update_depths()
                self.flat.update_kinds()
                self.edge.update_kinds()
            self.flat.update_places()
            self.edge.update_places()
            self.flat.update_spreads()
            self.edge.update_spreads()
            after = [*self.flat.values(), *self.edge.values()]
            moved = (abs(a - b) for a, b in zip(after, before, strict=True))
            if max(moved, default=0.0) < CLOSE_ENOUGH:
                return

    def _accounts(self, place: DropPlace, drop: Drop) -> Iterator[float]:
        """Weigh the ways in which a drop can have fallen, as logarithms.

        The order is flat, on edge, turning over, flat with a flicker, anything else; then those
        that tip: at some lean, shone past.
        """
        logs = [math.log(width) for width in drop.widths_ns]
        flat_at, edge_at = self._medians(place)
        flat_s, edge_s = self.flat.spreads[place.pocket], self.edge.spreads[place.pocket]
        single, pair = len(logs) == 1, len(logs) == 2
        longest = max(logs)
        part_at, part_s = edge_at + math.log(self.base.tumbling_part), self.base.tumbling_spread
        yield self._calm("flat", [(longest, flat_at, flat_s)]) if single else -math.inf
        yield self._calm("edge", [(longest, edge_at, edge_s)]) if single else -math.inf
        turned = [(value, part_at, part_s) for value in logs]
        yield self._calm("tumbling", turned) if pair else -math.inf
        flickers = pair and min(drop.widths_ns) <= FLICKER_AT_MOST_NS
        yield self._calm("flicker", [(longest, flat_at, flat_s)]) if flickers else -math.inf
        anything = [(value, math.log(ANYTHING_NS), ANYTHING_SPREAD) for value in logs]
        yield self._calm("", anything)
        base, tips = self.base, math.log(self.tipping)
        leaning = (longest, edge_at + math.log(base.leaning_part), base.leaning_spread)
        yield tips + _normal(*leaning) if single else -math.inf
        yield tips + self._turned(drop, edge_at) if pair else -math.inf

    def _calm(self, manner: str, values: Sequence[tuple[float, float, float]]) -> float:
        """Weigh one manner of falling without tipping; an empty name is any other."""
        share = SHARES[manner] if manner else 1.0 - sum(SHARES.values())
        weight = math.log((1.0 - self.tipping) * share)
        return weight + sum(_normal(*each) for each in values)

    def _turned(self, drop: Drop, edge_at: float) -> float:
        """Weigh two pulses as one piece that the beam shone past.

        Like :meth:`WidthModel.one`, but as a density of two logarithms, and with a gap that the
        other manners take as one of nine milliseconds.
        """
        first_ns, second_ns = drop.widths_ns
        whole_ns = sum(drop.spans_ns)
        middle = edge_at + math.log(self.base.turning_part)
        whole = _normal(math.log(whole_ns), middle, self.base.turning_spread)
        anywhere = 18.0 * MILLISECOND_NS * first_ns * second_ns / whole_ns**3
        share = self.base.turning_share * math.sqrt(2 * math.pi)
        return math.log(share * anywhere) + whole

    def _medians(self, place: DropPlace) -> tuple[float, float]:
        disc = self.discs[place.kind]
        return (
            math.log(self.base.flat_ns * disc.flat) + self.flat.middle(place),
            math.log(self.base.on_edge_ns * disc.edge) + self.edge.middle(place),
        )

    def _weigh(self) -> None:
        """Divide each drop among the ways in which it can have fallen, and sum them up."""
        self.flat.sums = {place: _Sum() for place in self.flat.places}
        self.edge.sums = {place: _Sum() for place in self.edge.places}
        self.tipped = 0.0
        for place in self.flat.places:
            for drop in self.measured.drops.get(place, ()):
                self._add(place, drop)
        count = sum(map(len, self.measured.drops.values()))
        usual = TIPPING_IN_DROPS * self.base.tipping_share
        self.tipping = (usual + self.tipped) / (TIPPING_IN_DROPS + count)

    def _add(self, place: DropPlace, drop: Drop) -> None:
        accounts = list(self._accounts(place, drop))
        whole = _log_sum(accounts)
        flat, edge, tumbling, flicker, _other, leaning, turned = (
            math.exp(each - whole) for each in accounts
        )
        self.tipped += leaning + turned
        disc = self.discs[place.kind]
        as_flat = math.log(max(drop.widths_ns) / (self.base.flat_ns * disc.flat))
        as_edge = math.log(max(drop.widths_ns) / (self.base.on_edge_ns * disc.edge))
        flats, edges = self.flat.sums[place], self.edge.sums[place]
        flats.add(flat + flicker, as_flat, self.flat.spreads[place.pocket] ** 2)
        flats.add_tight(flat + flicker, as_flat)
        edges.add(edge, as_edge, self.edge.spreads[place.pocket] ** 2)
        edges.add_tight(edge, as_edge)
        as_leaning = as_edge - math.log(self.base.leaning_part)
        edges.add(leaning, as_leaning, self.base.leaning_spread**2)
        if tumbling > 0.0:
            usual = self.base.on_edge_ns * disc.edge * self.base.tumbling_part
            for width in drop.widths_ns:
                edges.add(tumbling, math.log(width / usual), self.base.tumbling_spread**2)

    def _update_depths(self) -> None:
        """Move each pocket's medians: the usual is the prior of flat, and flat that of edge."""
        usual, joined = 1 / DEPTH_SPREAD**2, 1 / EDGE_SPREAD**2
        for pocket in self.pockets:
            weight, total = self.flat.pull_of(pocket)
            total += EDGE_BY_FLAT * self.edge.here[pocket] * joined
            weight += usual + EDGE_BY_FLAT**2 * joined
            self.flat.here[pocket], self.flat.unsure[pocket] = total / weight, 1 / weight
            weight, total = self.edge.pull_of(pocket)
            total += EDGE_BY_FLAT * self.flat.here[pocket] * joined
            weight += joined
            self.edge.here[pocket], self.edge.unsure[pocket] = total / weight, 1 / weight

    def model(self, pocket: Pocket) -> WidthModel:
        """Return the widths of one pocket; their spreads include the uncertainty of the medians."""
        discs = dict(self.base.discs)
        for kind, pieces in PIECES[self.measured.pieces].items():
            place, disc = DropPlace(pocket, kind), self.discs[kind]
            own = DiscTimes(
                disc.flat * math.exp(self.flat.places[place]),
                disc.edge * math.exp(self.edge.places[place]),
            )
            discs |= dict.fromkeys(pieces, own)
        return changed(
            self.base,
            flat_ns=self.base.flat_ns * math.exp(self.flat.here[pocket]),
            flat_spread=math.hypot(self.flat.spreads[pocket], math.sqrt(self.flat.unsure[pocket])),
            on_edge_ns=self.base.on_edge_ns * math.exp(self.edge.here[pocket]),
            on_edge_spread=math.hypot(
                self.edge.spreads[pocket], math.sqrt(self.edge.unsure[pocket])
            ),
            tipping_share=self.tipping,
            discs=MappingProxyType(discs),
        )


def _normal(value: float, middle: float, spread: float) -> float:
    """Return the logarithm of a normal density, without the constant that all have in common."""
    return -0.5 * ((value - middle) / spread) ** 2 - math.log(spread)


def _log_sum(logs: Sequence[float]) -> float:
    most = max(logs)
    return most + math.log(sum(math.exp(each - most) for each in logs))
