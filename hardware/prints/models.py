"""Writes solids as STL files, and tells whether two files or two pictures show the same."""

from __future__ import annotations

import io
import struct
from dataclasses import dataclass

import numpy as np
import trimesh
from manifold3d import Manifold
from PIL import Image

_RECORD = np.dtype([("floats", "<f4", (4, 3)), ("attribute", "<u2")])


def stl(solid: Manifold) -> bytes:
    """Write a solid as a binary STL file, in millimetres."""
    mesh = solid.to_mesh()
    corners = np.asarray(mesh.vert_properties[:, :3], np.float32)[mesh.tri_verts]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    faces = np.zeros(len(corners), _RECORD)
    faces["floats"][:, 0] = np.divide(
        normals, lengths, out=np.zeros_like(normals), where=lengths > 0
    )
    faces["floats"][:, 1:] = corners
    header = b"Jackspot, CERN-OHL-P-2.0, millimetres".ljust(80)
    return header + struct.pack("<I", len(faces)) + faces.tobytes()


@dataclass(frozen=True, eq=False)
class Shape:
    """What a model is, however its faces are cut: equal within a hundredth of a millimetre."""

    numbers: np.typing.NDArray[np.float64]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Shape):
            return NotImplemented
        return bool(np.allclose(self.numbers, other.numbers, rtol=2e-4, atol=0.01))

    __hash__ = None  # type: ignore[assignment]  # no hash agrees with "nearly equal"


def shape_of(content: bytes) -> Shape:
    """Return an STL file's size, volume, surface, and where its middle is."""
    mesh = trimesh.load_mesh(io.BytesIO(content), file_type="stl")
    assert isinstance(mesh, trimesh.Trimesh)
    return shape_of_mesh(mesh)


def shape_of_mesh(mesh: trimesh.Trimesh) -> Shape:
    """Return a mesh's size, volume, surface, and where its middle is."""
    numbers = [*mesh.bounds.ravel(), *mesh.center_mass, mesh.volume, mesh.area]
    return Shape(np.array(numbers, float))


@dataclass(frozen=True, eq=False)
class Look:
    """What a picture shows, coarsely: equal where nothing moved or changed its colour."""

    size: tuple[int, int]
    points: np.typing.NDArray[np.float64]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Look):
            return NotImplemented
        if self.size != other.size:
            return False
        return bool(np.abs(self.points - other.points).max() <= 6.0)

    __hash__ = None  # type: ignore[assignment]  # no hash agrees with "nearly equal"


def look_of(content: bytes) -> Look:
    """Return a picture's size, and its colours in squares of 16 points."""
    picture = Image.open(io.BytesIO(content)).convert("RGB")
    small = picture.resize((picture.width // 16, picture.height // 16), Image.Resampling.BOX)
    return Look(picture.size, np.asarray(small, float))


def png(picture: Image.Image) -> bytes:
    """Write a picture with few colours, small."""
    few = picture.quantize(128, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG", optimize=True)
    return out.getvalue()
