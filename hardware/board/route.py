"""Tracks for the hub's board: every net of two or more pads joined, on a grid of two layers.

One net after another takes the cheapest way (A*). Pads of others cannot be crossed; tracks of
others can, at a price that grows with each round, and what was crossed is taken up and routed
again, until nothing crosses. The order is fixed, so the same board gives the same tracks.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

STEP_MM, CLEARANCE_MM, THIN_MM, WIDE_MM, VIA_MM = 0.25, 0.2, 0.25, 0.6, 0.6
ROUNDS = 4000
Node = tuple[int, int, int]
"""Layer (0 above, 1 below), row and column of the grid."""


@dataclass(frozen=True, slots=True)
class Land:
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
        self, wide: float, high: float, lands: Iterable[Land], broad: Iterable[str], poured: str
    ) -> None:
        self.rows, self.columns = round(high / STEP_MM) + 1, round(wide / STEP_MM) + 1
        self.lands: dict[str, list[Land]] = defaultdict(list)
        self._broad = set(broad)
        self._poured = poured
        self.paths: dict[str, list[list[Node]]] = {}
        everything = list(lands)
        for land in everything:
            if land.net:
                self.lands[land.net].append(land)
        self._number = {net: i + 1 for i, net in enumerate(self.lands)}
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
            (a, b): _disc(a + b + CLEARANCE_MM)
            for a in (THIN_MM / 2, WIDE_MM / 2)
            for b in (THIN_MM / 2, WIDE_MM / 2)
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

    def _half(self, net: str) -> float:
        return (WIDE_MM if net in self._broad else THIN_MM) / 2

    def _mark(self, net: str, by: int) -> None:
        for path in self.paths.get(net, []):
            for at, (layer, row, column) in enumerate(path):
                via = (at > 0 and path[at - 1][0] != layer) or (
                    at + 1 < len(path) and path[at + 1][0] != layer
                )
                half = VIA_MM / 2 if via else self._half(net)
                for size, other in enumerate((THIN_MM / 2, WIDE_MM / 2)):
                    dy, dx = self._discs[half, other]
                    self._used[size][layer, row + dy, column + dx] += by

    def run(self) -> list[str]:
        """Route everything; return the nets that could not be routed without crossing."""
        order = sorted(
            self.lands,
            key=lambda net: (net != self._poured, len(self.lands[net]) > 20, self._extent(net)),
        )
        waiting = [net for net in order if len(self.lands[net]) > 1]
        price = 4.0
        for _ in range(ROUNDS):
            if not waiting:
                way = self._way_of_the_pour(price)
                if way is None:
                    return []
                self._mark(self._poured, -1)
                self.paths[self._poured].append(way)
                self._take_up(self._poured, waiting)
                continue
            net = waiting.pop(0)
            self._mark(net, -1)
            self.paths.pop(net, None)
            found = self._route(net, price)
            if found is None:
                return [net, *waiting]
            self.paths[net] = found
            self._take_up(net, waiting)
            price = min(price * 1.01, 60.0)
        return waiting

    def _take_up(self, net: str, waiting: list[str]) -> None:
        """Take up all that a net's new paths cross, to be routed again."""
        for other in self._crossed(net):
            self._mark(other, -1)
            self.paths.pop(other)
            waiting.append(other)
        self._mark(net, 1)

    def _pour(self) -> tuple[np.ndarray, Joined, dict[tuple[int, int], list[Node]], list[int]]:
        """Return the pieces of the pour, which belong together, by which vias, and each pad's.

        What tracks leave free on each layer is copper. Pieces belong together by a pad, by a path
        of ground, and by a via wherever there is room for one above both.
        """
        own = self._number[self._poured]
        self._mark(self._poured, -1)
        copper = np.stack([
            ((self._hard[0][layer] == 0) | (self._hard[0][layer] == own))
            & (self._used[0][layer] == 0) for layer in (0, 1)
        ])  # fmt: skip
        room = ~self._no_via
        for layer in (0, 1):
            hard = self._hard[1][layer]
            room &= ((hard == 0) | (hard == own)) & (self._used[1][layer] == 0)
        self._mark(self._poured, 1)
        piece, count = _pieces(copper)
        joined = Joined(count + 1)
        for path in self.paths[self._poured]:
            ends = [int(piece[node]) for node in path if piece[node]]
            for each in ends[1:]:
                joined.put(ends[0], each)
        pads = [self._piece_of(joined, piece, land) for land in self.lands[self._poured]]
        vias: dict[tuple[int, int], list[Node]] = {}
        for row, column in np.argwhere(room & (piece[0] > 0) & (piece[1] > 0)).tolist():
            above, below = int(piece[0, row, column]), int(piece[1, row, column])
            if joined.find(above) != joined.find(below):
                joined.put(above, below)
                vias[above, below] = [(0, row, column), (1, row, column)]
        return piece, joined, vias, pads

    def _piece_of(self, joined: Joined, piece: np.ndarray, land: Land) -> int:
        """Return a piece of the pour that a pad touches, and join all that it does; 0: none."""
        rows, columns = self._box(land, 0.3)
        found = sorted(
            {int(each) for layer in land.layers for each in np.unique(piece[layer, rows, columns])}
            - {0}
        )
        for each in found[1:]:
            joined.put(found[0], each)
        return found[0] if found else 0

    def _way_of_the_pour(self, price: float) -> list[Node] | None:
        """Return a path that joins a part of the pour with the rest; None: it is one, stitched."""
        if self._poured not in self.paths:
            return None
        piece, joined, vias, pads = self._pour()
        parts = Counter(joined.find(each) for each in pads if each)
        (main, _), *others = parts.most_common()
        if not others:
            self.paths[self._poured] += vias.values()
            return None
        least = others[-1][0]
        belongs = np.array([joined.find(each) for each in range(piece.max() + 1)])
        part = np.where(piece > 0, belongs[piece], 0)
        start = set(map(tuple, np.argwhere(part == least).tolist()))
        goal = dict.fromkeys(map(tuple, np.argwhere(part == main).tolist()), 0)
        return self._way(start, goal, self._grids(self._poured, price))

    def _extent(self, net: str) -> float:
        xs, ys = [land.x for land in self.lands[net]], [land.y for land in self.lands[net]]
        return max(xs) - min(xs) + max(ys) - min(ys)

    def _crossed(self, net: str) -> list[str]:
        cells = np.zeros((2, 2, self.rows, self.columns), bool)
        for path in self.paths[net]:
            for at, (layer, row, column) in enumerate(path):
                via = (at > 0 and path[at - 1][0] != layer) or (
                    at + 1 < len(path) and path[at + 1][0] != layer
                )
                half = VIA_MM / 2 if via else self._half(net)
                self._past[layer, row, column] += 0.5 * bool(self._used[0][layer, row, column])
                for size, other in enumerate((THIN_MM / 2, WIDE_MM / 2)):
                    dy, dx = self._discs[half, other]
                    cells[size, layer, row + dy, column + dx] = True
        hit = []
        for name, paths in self.paths.items():
            if name != net and any(self._hits(cells, name, path) for path in paths):
                hit.append(name)
        return hit

    def _hits(self, cells: np.ndarray, net: str, path: list[Node]) -> bool:
        size = int(net in self._broad)
        for at, (layer, row, column) in enumerate(path):
            via = (at + 1 < len(path) and path[at + 1][0] != layer) or (
                at > 0 and path[at - 1][0] != layer
            )
            if cells[1 if via else size, layer, row, column]:
                return True
        return False

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
            via_cost += price * np.minimum(self._used[1][layer], 3)
        return (free.ravel().tolist(), cost.ravel().tolist(),
                 via_free.ravel().tolist(), via_cost.ravel().tolist())  # fmt: skip

    def _route(self, net: str, price: float) -> list[list[Node]] | None:
        grids = self._grids(net, price)
        groups = [self._own_cells(land) for land in self.lands[net]]
        joined, left = set(groups[0]), groups[1:]
        paths = []
        if net == self._poured:  # each pad on the surface goes down to the pour below
            for group in (
                g for g, land in zip(groups, self.lands[net], strict=True) if 1 not in land.layers
            ):
                path = self._way(set(group), {}, grids)
                if path is None:
                    return None
                paths.append(path)
            return paths
        while left:
            path = self._way(joined, {cell: i for i, g in enumerate(left) for cell in g}, grids)
            if path is None:
                return None
            end = path[-1]
            reached = next(i for i, group in enumerate(left) if end in group)
            joined.update(left.pop(reached))
            joined.update(path)
            paths.append(path)
        return paths

    def _way(  # noqa: C901 - one loop, kept whole for its speed
        self, start: set[Node], goal: Mapping[Node, int], grids: tuple[list[Any], ...]
    ) -> list[Node] | None:
        """Return the cheapest way, to any cell of the layer below where there is no goal."""
        free, cost, via_free, via_cost = grids
        wide, area = self.columns, self.rows * self.columns
        targets = {layer * area + row * wide + column for layer, row, column in goal}
        low_r, high_r = (
            min((g[1] for g in goal), default=0),
            max((g[1] for g in goal), default=self.rows),
        )
        low_c, high_c = (
            min((g[2] for g in goal), default=0),
            max((g[2] for g in goal), default=wide),
        )

        def ahead(row: int, column: int) -> float:
            dy = max(low_r - row, 0, row - high_r)
            dx = max(low_c - column, 0, column - high_c)
            return max(dx, dy) + 0.414 * min(dx, dy)

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
            if cell in targets or (not targets and cell >= area):
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
                against = 1.5 if (axis == 1) == (layer == 0) and axis != 2 else 1.0
                total = spent + length * against * cost[after]
                if total < best.get(after, 1e18):
                    best[after], came[after] = total, cell
                    flat = after % area
                    heapq.heappush(heap, (total + ahead(flat // wide, flat % wide), after))
            flat = cell % area
            if via_free[flat]:
                after = cell + area if layer == 0 else cell - area
                total = spent + 8.0 + via_cost[flat]
                if after not in done and total < best.get(after, 1e18):
                    best[after], came[after] = total, cell
                    heapq.heappush(heap, (total + ahead(flat // wide, flat % wide), after))
        return None


class Joined:
    """Numbers from 0 that belong together."""

    def __init__(self, count: int) -> None:
        self._above = list(range(count))

    def find(self, each: int) -> int:
        """Return the one number for all that belong together with this one."""
        while self._above[each] != each:
            self._above[each] = self._above[self._above[each]]
            each = self._above[each]
        return each

    def put(self, one: int, other: int) -> None:
        """Put two together."""
        self._above[self.find(other)] = self.find(one)


def _pieces(copper: np.ndarray) -> tuple[np.ndarray, int]:
    """Number the pieces of each layer from 1; 0 is where there is no copper."""
    piece = np.zeros(copper.shape, np.int32)
    count = 0
    for layer, row, column in np.argwhere(copper).tolist():
        if piece[layer, row, column]:
            continue
        count += 1
        piece[layer, row, column] = count
        line = [(row, column)]
        while line:
            r, c = line.pop()
            for near in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
                if copper[layer][near] and not piece[layer][near]:
                    piece[layer][near] = count
                    line.append(near)
    return piece, count


def _disc(radius: float) -> tuple[np.ndarray, np.ndarray]:
    n = int(radius / STEP_MM) + 1
    dy, dx = np.mgrid[-n : n + 1, -n : n + 1]
    inside = np.hypot(dy, dx) * STEP_MM < radius - 1e-6
    return dy[inside], dx[inside]
