"""The flat faces of a mesh: triangles of one plane that lie beside each other are one polygon.

A face has an outer border and may have holes. Two faces that meet share their corners and edges, so
that together they close the body again: a corner stays where three faces meet or a border bends.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np
from manifold3d import Manifold
from msgspec import Struct
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Edge = tuple[int, int]
"""From corner to corner, as a triangle or a border runs: what it bounds is on its left."""

FLAT_MM = 1e-4
"""How far a corner may be off its face's plane, or off a straight border."""
_ALIKE = 0.99
"""Cosine between the normals of triangles of one face; between facets of a circle it is less."""
_TINY_MM2 = 1e-6
"""The normal of a smaller triangle is chance, so its corners alone decide."""


class Face(Struct, frozen=True):
    """A polygon: its normal outwards, and its borders by corners, the outer one first.

    Seen from outside the outer border runs counter-clockwise, those of holes clockwise.
    """

    normal: tuple[float, float, float]
    borders: tuple[tuple[int, ...], ...]


class Body(Struct, frozen=True, eq=False):
    """A closed body of one piece: the places of its corners in millimetres, and its faces."""

    corners: Floats
    faces: tuple[Face, ...]


def body(solid: Manifold) -> Body:
    """Return a solid as flat faces. ValueError: it is not of one piece without a cavity."""
    if len(solid.decompose()) != 1:
        raise ValueError(f"expected one body, found {len(solid.decompose())}")
    mesh = solid.to_mesh64()
    corners = np.asarray(mesh.vert_properties[:, :3], float)
    triangles = [(int(a), int(b), int(c)) for a, b, c in mesh.tri_verts]
    face_of, normals = _grown(corners, triangles)
    loops = _loops(triangles, face_of)
    straight = _straight(corners, loops)
    faces = []
    for number, borders in sorted(loops.items()):
        kept = [tuple(each for each in border if each not in straight) for border in borders]
        kept.sort(key=lambda border: -_area(corners[[*border]], normals[number]))
        x, y, z = map(float, normals[number])
        faces.append(Face((x, y, z), tuple(kept)))
    return Body(corners, tuple(faces))


def _grown(
    corners: Floats, triangles: list[tuple[int, int, int]]
) -> tuple[list[int], dict[int, Floats]]:
    """Return which face each triangle belongs to, and the normals of faces."""
    places = corners[np.array(triangles)]
    across = np.cross(places[:, 1] - places[:, 0], places[:, 2] - places[:, 0])
    areas = np.linalg.norm(across, axis=1) / 2
    beside = {edge: at for at, corner in enumerate(triangles) for edge in _edges(corner)}
    face_of, normals = [-1] * len(triangles), dict[int, Floats]()
    for seed in map(int, np.argsort(-areas, kind="stable")):
        if face_of[seed] >= 0:
            continue
        normal = normals[seed] = across[seed] / max(2 * areas[seed], 1e-300)
        ahead = [seed]
        while ahead:
            at = ahead.pop()
            if face_of[at] >= 0:
                continue
            is_alike = areas[at] < _TINY_MM2 or across[at] @ normal > _ALIKE * 2 * areas[at]
            is_flat = np.abs((places[at] - places[seed, 0]) @ normal).max() < FLAT_MM
            if at == seed or (is_alike and is_flat):
                face_of[at] = seed
                ahead += [beside[b, a] for a, b in _edges(triangles[at])]
    return face_of, normals


def _edges(border: tuple[int, ...]) -> Iterator[Edge]:
    yield from zip(border, (*border[1:], border[0]), strict=True)


def _loops(
    triangles: list[tuple[int, int, int]], face_of: list[int]
) -> Mapping[int, list[tuple[int, ...]]]:
    """Return the borders of each face.

    Where a face touches itself in a corner, its border goes on at the next edge around that corner.
    """
    beside = {edge: at for at, corner in enumerate(triangles) for edge in _edges(corner)}
    onward = {(a, b): (b, c) for t in triangles for a, b, c in (t, (*t[1:], t[0]), (t[2], *t[:2]))}

    def is_border(edge: Edge) -> bool:
        return face_of[beside[edge]] != face_of[beside[edge[::-1]]]

    found: dict[int, list[tuple[int, ...]]] = defaultdict(list)
    ahead = {edge: None for edge in beside if is_border(edge)}
    while ahead:
        start = edge = next(iter(ahead))
        border = []
        while edge in ahead:
            del ahead[edge]
            border.append(edge[0])
            edge = onward[edge]
            while not is_border(edge):
                edge = onward[edge[::-1]]
        found[face_of[beside[start]]].append(tuple(border))
    return found


def _straight(corners: Floats, loops: Mapping[int, list[tuple[int, ...]]]) -> set[int]:
    """Return the corners where two faces alone meet, along a straight line."""
    near: dict[int, set[int]] = defaultdict(set)
    for borders in loops.values():
        for border in borders:
            for a, b in _edges(border):
                near[a].add(b)
                near[b].add(a)
    found = set()
    for at, others in near.items():
        if len(others) != 2:
            continue
        one, two = (corners[each] - corners[at] for each in others)
        apart = float(np.linalg.norm(two - one))
        if one @ two < 0 and np.linalg.norm(np.cross(one, two)) < FLAT_MM / 10 * apart:
            found.add(at)
    return found


def _area(places: Floats, normal: Floats) -> float:
    return float(np.cross(places, np.roll(places, -1, axis=0)).sum(axis=0) @ normal) / 2
