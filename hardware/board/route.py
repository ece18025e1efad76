"""Tracks for the hub's board: every net of two or more pads joined, on a grid of two layers.

Each piece of a net takes a cheap way to another (A*), the ground's too, which so is whole
before anything is poured. Pads of others cannot be crossed; tracks of others can, at a price. In
rounds, every way that crosses another is taken up and sought anew; the price of crossing grows
with each round, and a place that was fought over stays dearer for good (as in PathFinder: McMurchie
and Ebeling, 1995). The order is fixed, so the same board gives the same tracks.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from msgspec import Struct

STEP_MM, CLEARANCE_MM, THIN_MM, WIDE_MM, VIA_MM = 0.25, 0.2, 0.25, 0.6, 0.6
HOLES_MM = 0.6
"""How far apart the middles of two vias of one net are at least."""
ROUNDS = 120
AGAINST, VIA, HURRY = 1.5, 8.0, 1.3
"""The prices, in steps, of a step across a layer's direction (rows above, columns below) and of a
via; and how much dearer what is ahead is taken to be than it may be, which halves the search."""
Node = tuple[int, int, int]
"""Layer (0 above, 1 below), row and column of the grid."""
Way = list[Node]
"""A track from node to node; where the layer changes is a via."""


class Land(Struct, frozen=True):
    """A pad on the board: its middle, half sizes, net ("" for none), and its layers."""

    net: str
    x: float
    y: float
    half_wide: float
    half_high: float
    layers: tuple[int, ...]


class Router:
    """The grid, and what stands on it."""

    def __init__(
        self, wide: float, high: float, lands: Iterable[Land], broad: Iterable[str]
    ) -> None:
        self.rows, self.columns = round(high / STEP_MM) + 1, round(wide / STEP_MM) + 1
        self.paths: dict[str, list[Way]] = {}
        self._lands: dict[str, list[Land]] = defaultdict(list)
        self._broad = set(broad)
        everything = list(lands)
        for land in everything:
            if land.net:
                self._lands[land.net].append(land)
        self._number = {net: i + 1 for i, net in enumerate(self._lands)}
        shape = (2, self.rows, self.columns)
        self._hard = [np.zeros(shape, np.int16) for _ in (0, 1)]
        self._used = [np.zeros(shape, np.int16) for _ in (0, 1)]
        self._past = np.zeros(shape, np.float32)
        self._no_via = np.zeros((self.rows, self.columns), bool)
        for size, half in enumerate((THIN_MM / 2, WIDE_MM / 2)):
            self._edges(self._hard[size], half)
            for land in everything:
                self._block(self._hard[size], land, half + CLEARANCE_MM)
        for land in everything:
            rows, columns = self._box(land, VIA_MM / 2 + 0.1)
            self._no_via[rows, columns] = True
        self._discs = {
            (a, b): _disc((wide_a + wide_b) / 2 + CLEARANCE_MM)
            for a, wide_a in enumerate((THIN_MM, WIDE_MM))
            for b, wide_b in enumerate((THIN_MM, WIDE_MM))
        }

    def _edges(self, hard: np.ndarray, half: float) -> None:
        n = math.ceil((half + 0.55) / STEP_MM)
        hard[:, :n] = hard[:, -n:] = -1
        hard[:, :, :n] = hard[:, :, -n:] = -1

    def _box(self, land: Land, more: float) -> tuple[slice, slice]:
        def span(middle: float, half: float) -> slice:
            first = math.ceil((middle - half - more) / STEP_MM - 1e-6)
            return slice(max(first, 0), math.floor((middle + half + more) / STEP_MM + 1e-6) + 1)

        return span(land.y, land.half_high), span(land.x, land.half_wide)

    def _block(self, hard: np.ndarray, land: Land, more: float) -> None:
        rows, columns = self._box(land, more)
        own = self._number.get(land.net, -1)
        for layer in land.layers:
            part = hard[layer, rows, columns]
            part[(part != 0) & (part != own)] = -1
            part[part == 0] = own

    def _places(self, net: str, way: Way) -> Iterator[tuple[int, np.ndarray]]:
        """Yield the nodes of a way that are thin (0), and those that are broad or vias (1)."""
        nodes = np.array(way)
        changes = nodes[1:, 0] != nodes[:-1, 0]
        broad = np.append(changes, False) | np.append(False, changes) | (net in self._broad)
        yield 0, nodes[~broad]
        yield 1, nodes[broad]

    def _flat(self, nodes: np.ndarray) -> np.ndarray:
        flat: np.ndarray = (nodes[:, 0] * self.rows + nodes[:, 1]) * self.columns + nodes[:, 2]
        return flat

    def _mark(self, net: str, by: int) -> None:
        """Add to, or take from, the places that another net's middle must keep away from."""
        for way in self.paths.get(net, []):
            for size, nodes in self._places(net, way):
                for other in (0, 1):
                    dy, dx = self._discs[size, other]
                    cells = self._flat(nodes)[:, None] + (dy * self.columns + dx)
                    self._used[other].reshape(-1)[np.unique(cells)] += by

    def run(self) -> list[str]:
        """Route everything; return the nets that could not be routed without crossing."""
        order = sorted(
            (net for net, lands in self._lands.items() if len(lands) > 1),
            key=lambda net: (len(self._lands[net]) > 20, self._extent(net)),
        )
        waiting, price = order, 1.0
        for _ in range(ROUNDS):
            for net in waiting:
                if not self._join(net, price):
                    return [net]
            waiting = [net for net in order if self._fought_over(net)]
            if not waiting:
                break
            price = min(price * 1.2, 60.0)
        return waiting

    def _extent(self, net: str) -> float:
        xs, ys = [land.x for land in self._lands[net]], [land.y for land in self._lands[net]]
        return max(xs) - min(xs) + max(ys) - min(ys)

    def _crossing(self, net: str, way: Way) -> np.ndarray:
        """Return where a way is too near to another net's, once its own net is not marked."""
        there = [
            cells[self._used[size].reshape(-1)[cells] > 0]
            for size, nodes in self._places(net, way)
            for cells in [self._flat(nodes)]
        ]
        return np.concatenate(there)

    def _fought_over(self, net: str) -> bool:
        """Return whether a net crosses another, and make the places dearer where it does."""
        self._mark(net, -1)
        cells = np.concatenate([self._crossing(net, way) for way in self.paths[net]])
        self._past.reshape(-1)[cells] += 1.0
        self._mark(net, 1)
        return bool(cells.size)

    def _join(self, net: str, price: float) -> bool:
        """Take up the ways of a net that cross others, and join its pads anew."""
        self._mark(net, -1)
        pads = [self._own_cells(land) for land in self._lands[net]]
        kept = [way for way in self.paths.get(net, []) if not self._crossing(net, way).size]
        ways = self.paths[net] = _trimmed(kept, {cell for pad in pads for cell in pad})
        groups: list[set[Node]] = []
        for cells in map(set, [*pads, *ways]):
            groups = _together(groups, cells)
        while len(groups) > 1:
            groups.sort(key=len)
            start, *others = groups
            way = self._way(start, set().union(*others), self._grids(net, price))
            if way is None:
                return False
            ways.append(way)
            groups = _together(groups, set(way))
        self._mark(net, 1)
        return True

    def _own_cells(self, land: Land) -> list[Node]:
        # Of a round pad only what lies well inside: its corners are no copper.
        inside = 0.4 * min(land.half_wide, land.half_high) if 1 in land.layers else 0.05
        rows, columns = self._box(land, -inside)
        return [
            (layer, row, column)
            for layer in land.layers
            for row in range(rows.start, rows.stop)
            for column in range(columns.start, columns.stop)
        ]

    def _grids(self, net: str, price: float) -> tuple[list[Any], ...]:
        """Return where a net may go, at which price, and the same of its vias."""
        size, own = int(net in self._broad), self._number[net]
        hard = self._hard[size]
        free = (hard == 0) | (hard == own)
        cost = 1.0 + self._past + price * np.minimum(self._used[size], 3)
        via_free = ~self._no_via
        via_cost = np.zeros(via_free.shape, np.float32)
        for layer in (0, 1):
            there = self._hard[1][layer]
            via_free &= (there == 0) | (there == own)
            via_cost += price * np.minimum(self._used[1][layer], 3) + self._past[layer]
        for row, column in self._vias(net):
            via_free[row + _APART[0], column + _APART[1]] = False
        return (free.ravel().tolist(), cost.ravel().tolist(),
                via_free.ravel().tolist(), via_cost.ravel().tolist())  # fmt: skip

    def _vias(self, net: str) -> Iterator[tuple[int, int]]:
        for way in self.paths.get(net, []):
            for before, (layer, row, column) in pairwise(way):
                if before[0] != layer:
                    yield row, column

    def _way(  # noqa: C901 - one loop, kept whole for its speed
        self, start: set[Node], goal: set[Node], grids: tuple[list[Any], ...]
    ) -> Way | None:
        """Return a cheap way from one piece to any other, or None."""
        free, cost, via_free, via_cost = grids
        wide, area = self.columns, self.rows * self.columns
        targets = {layer * area + row * wide + column for layer, row, column in goal}
        low_r, high_r = min(g[1] for g in goal), max(g[1] for g in goal)
        low_c, high_c = min(g[2] for g in goal), max(g[2] for g in goal)

        def ahead(row: int, column: int) -> float:
            dy = max(low_r - row, 0, row - high_r)
            dx = max(low_c - column, 0, column - high_c)
            return HURRY * (max(dx, dy) + 0.414 * min(dx, dy))

        best: dict[int, float] = {}
        came: dict[int, int] = {}
        heap = []
        for layer, row, column in sorted(start):
            cell = layer * area + row * wide + column
            if free[cell]:
                best[cell] = 0.0
                heap.append((ahead(row, column), cell))
        heapq.heapify(heap)
        steps = [(-wide, 1.0, 1), (wide, 1.0, 1), (-1, 1.0, 0), (1, 1.0, 0)]
        steps += [
            (-wide - 1, 1.415, 2),
            (1 - wide, 1.415, 2),
            (wide - 1, 1.415, 2),
            (wide + 1, 1.415, 2),
        ]
        done = set()
        while heap:
            _, cell = heapq.heappop(heap)
            if cell in done:
                continue
            done.add(cell)
            if cell in targets:
                way = [cell]
                while cell in came:
                    cell = came[cell]
                    way.append(cell)
                return [(c // area, c % area // wide, c % wide) for c in reversed(way)]
            layer, spent = cell // area, best[cell]
            for move, length, axis in steps:
                after = cell + move
                if after in done or not free[after]:
                    continue
                against = AGAINST if (axis == 1) == (layer == 0) and axis != 2 else 1.0
                total = spent + length * against * cost[after]
                if total < best.get(after, 1e18):
                    best[after], came[after] = total, cell
                    flat = after % area
                    heapq.heappush(heap, (total + ahead(flat // wide, flat % wide), after))
            flat = cell % area
            if via_free[flat]:
                after = cell + area if layer == 0 else cell - area
                total = spent + VIA + via_cost[flat]
                if after not in done and total < best.get(after, 1e18):
                    best[after], came[after] = total, cell
                    heapq.heappush(heap, (total + ahead(flat // wide, flat % wide), after))
        return None


def _together(groups: list[set[Node]], cells: set[Node]) -> list[set[Node]]:
    """Put all pieces into one that some cells touch, with those cells."""
    apart = [group for group in groups if group.isdisjoint(cells)]
    return [*apart, cells.union(*(group for group in groups if not group.isdisjoint(cells)))]


def _trimmed(ways: list[Way], pads: set[Node]) -> list[Way]:
    """Cut off what leads nowhere since other ways were taken up."""
    count = Counter(node for way in ways for node in way)
    before = -1
    while before != (before := sum(map(len, ways))):
        for way in ways:
            for end in (0, -1):
                while way and count[way[end]] == 1 and way[end] not in pads:
                    del count[way.pop(end)]
            if len(way) == 1:
                count[way.pop()] -= 1
    return [way for way in ways if way]


def _disc(radius: float) -> tuple[np.ndarray, np.ndarray]:
    n = int(radius / STEP_MM) + 1
    dy, dx = np.mgrid[-n : n + 1, -n : n + 1]
    inside = np.hypot(dy, dx) * STEP_MM < radius - 1e-6
    return dy[inside], dx[inside]


_APART = _disc(HOLES_MM)
