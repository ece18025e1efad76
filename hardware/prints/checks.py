"""Looks whether a part can be printed, from the mesh that a printer's program would read.

A part is refused that is open or not one body, thinner than a wall can be, larger than the
bed, not standing on it, or hanging in the air more steeply than 45 degrees where that is not
named. Everything is measured on the mesh, nothing taken from how it was made.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import trimesh
from manifold3d import Manifold, Mesh
from numpy.typing import NDArray

THINNEST_MM = 1.2
"""Three lines of a 0.4 mm nozzle."""

STEEPEST = -math.cos(math.radians(45.0 - 0.5))
"""The normal's z of a face that hangs at 45 degrees, with half a degree for rounding."""

TOUCHES_MM = 0.02
BLUNT = math.cos(math.radians(75.0))
"""An edge of two faces at 75 degrees or more is no thin wall, however near to it one measures."""

RAYS = 1_500
"""How many places a wall is measured at."""

Floats = NDArray[np.float64]


def read_stl(path: Path) -> trimesh.Trimesh:
    """Read an STL file; its corners that lie on each other are one."""
    mesh = trimesh.load_mesh(path, file_type="stl")
    assert isinstance(mesh, trimesh.Trimesh)
    return mesh


def mesh_of(solid: Manifold) -> trimesh.Trimesh:
    """Return a solid's mesh."""
    mesh = solid.to_mesh()
    return trimesh.Trimesh(mesh.vert_properties[:, :3], mesh.tri_verts, process=True)


def mistakes(mesh: trimesh.Trimesh, bed_mm: float, overhang_mm2: float = 0.0) -> list[str]:
    """Return what keeps a mesh from being printed as it stands; none where all is well.

    ``overhang_mm2`` is how much may hang in the air: the bridges that a part's page names.
    """
    if found := [*_open(mesh)]:
        return found  # what follows needs a closed body
    return [*_bed(mesh, bed_mm), *_hanging(mesh, overhang_mm2), *_thin(mesh)]


def _open(mesh: trimesh.Trimesh) -> Iterator[str]:
    if not mesh.is_watertight:
        yield "not closed: some edges have not exactly two faces"
    elif not mesh.is_winding_consistent:
        yield "faces are turned in different ways"
    elif mesh.volume <= 0:
        yield f"inside out: its volume is {mesh.volume:.1f} mm3"
    elif (bodies := len(solid_of(mesh).decompose())) != 1:
        yield f"{bodies} bodies in place of one"


def _bed(mesh: trimesh.Trimesh, bed_mm: float) -> Iterator[str]:
    low, high = mesh.bounds
    for axis, size in zip("xyz", high - low, strict=True):
        if size > bed_mm:
            yield f"{size:.1f} mm along {axis}: larger than the bed of {bed_mm:g} mm"
    if abs(low[2]) > TOUCHES_MM:
        yield f"its lowest point is at {low[2]:.2f} mm, not on the bed"
    elif (area := float(mesh.area_faces[_on_bed(mesh)].sum())) < 20.0:
        yield f"only {area:.0f} mm2 of it stand on the bed"


def _on_bed(mesh: trimesh.Trimesh) -> NDArray[np.bool_]:
    heights: Floats = mesh.triangles[:, :, 2].max(axis=1)
    return np.asarray(heights < TOUCHES_MM)


def hanging_mm2(mesh: trimesh.Trimesh) -> float:
    """Return the area that hangs in the air at less than 45 degrees from the horizontal."""
    steep = (mesh.face_normals[:, 2] < STEEPEST) & ~_on_bed(mesh)
    return float(mesh.area_faces[steep].sum())


def _hanging(mesh: trimesh.Trimesh, allowed_mm2: float) -> Iterator[str]:
    area = hanging_mm2(mesh)
    if area > allowed_mm2 + 0.1:
        yield f"{area:.1f} mm2 hang in the air; {allowed_mm2:g} are named"


def solid_of(mesh: trimesh.Trimesh) -> Manifold:
    """Return the solid that a closed mesh bounds."""
    return Manifold(Mesh(np.asarray(mesh.vertices, np.float32), np.asarray(mesh.faces, np.uint32)))


def thinnest(mesh: trimesh.Trimesh, rays: int = RAYS) -> tuple[float, Floats]:
    """Measure the thinnest wall: from places all over the surface straight into the body.

    Gives its thickness and where it was measured.

    Places lie in the middle of every face and, the more the larger it is, spread over it by a
    sequence without chance, so that the same mesh gives the same answer.
    """
    solid = solid_of(mesh)
    starts, normals = _places(mesh, rays)
    far = float(np.linalg.norm(mesh.extents)) + 1.0
    least, where = math.inf, np.zeros(3)
    for start, normal in zip(starts - 1e-3 * normals, normals, strict=True):
        hits = solid.ray_cast(tuple(start), tuple(start - far * normal))
        if not hits or np.dot(hits[0].normal, normal) > -BLUNT:
            continue  # beside an edge that is not sharp, which no wall is
        if hits[0].distance * far < least:
            least, where = hits[0].distance * far, start
    return least, where


def _places(mesh: trimesh.Trimesh, rays: int) -> tuple[Floats, Floats]:
    large = mesh.area_faces > 0.05
    shares = mesh.area_faces[large].cumsum() / mesh.area_faces[large].sum()
    faces = np.flatnonzero(large)
    index = np.arange(rays)
    chosen = faces[np.searchsorted(shares, (index + 0.5) / rays)]
    # A sequence that spreads evenly over the unit square (its steps are those of the plastic
    # number), folded into a triangle.
    u, v = (0.5 + index * 0.7548776662) % 1, (0.5 + index * 0.5698402910) % 1
    outside = u + v > 1
    u, v = np.where(outside, 1 - u, u), np.where(outside, 1 - v, v)
    chosen = np.concatenate([chosen, faces])
    third = np.full(len(faces), 1 / 3)
    u, v = np.concatenate([u, third]), np.concatenate([v, third])
    corner, second, last = (mesh.triangles[chosen, i] for i in range(3))
    starts = corner + u[:, None] * (second - corner) + v[:, None] * (last - corner)
    return np.asarray(starts), np.asarray(mesh.face_normals[chosen])


def _thin(mesh: trimesh.Trimesh) -> Iterator[str]:
    least, where = thinnest(mesh)
    if least < THINNEST_MM - 0.01:
        place = ", ".join(f"{each:.1f}" for each in where)
        yield f"a wall is {least:.2f} mm thin at {place}; the least that prints is {THINNEST_MM:g}"
