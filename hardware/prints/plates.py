"""Plates: what is printed for a build, laid out on the bed, as files that a slicer opens whole.

3MF, core specification 1.3: a zip archive with one XML model, in millimetres. Written here, because
trimesh's writer gives every object a random identifier, so that no two runs agree.
"""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree as Xml

import numpy as np
import trimesh
from manifold3d import Manifold
from msgspec import Struct

from hardware.prints.catalogue import PRINTED
from hardware.prints.models import Shape, shape_of_mesh

APART_MM = 4.0
_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_MODEL = "3D/3dmodel.model"
_OTHERS = {
    "[Content_Types].xml": (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="model" '
        'ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>'
    ),
    "_rels/.rels": (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="model" Target="/{_MODEL}" '
        'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
    ),
}


class Placed(Struct, frozen=True):
    """A part on a plate: its lower left corner in mm; ``turned`` by 90 degrees."""

    part: str
    x: float
    y: float
    turned: bool


Plate = tuple[Placed, ...]


def plates(
    pieces: Mapping[str, int], solids: Mapping[str, Manifold], bed_mm: float
) -> Mapping[Plate, int]:
    """Lay pieces out in rows, the deepest first, each plate of one material.

    Give each plate, and how often it is printed. ValueError for a part larger than the bed.
    """
    found: Counter[Plate] = Counter()
    for material in dict.fromkeys(PRINTED[part].material for part in pieces):
        of_it = [
            part
            for part, count in pieces.items()
            if PRINTED[part].material == material
            for _ in range(count)
        ]
        found.update(_laid(of_it, solids, bed_mm))
    return found


class _Row(Struct):
    """A row of parts on a plate: from ``y`` up, taken up to ``x``, in mm."""

    plate: int
    y: float
    deep: float
    x: float = 0.0


def _laid(parts: Sequence[str], solids: Mapping[str, Manifold], bed_mm: float) -> list[Plate]:
    filled: list[list[Placed]] = []
    rows: list[_Row] = []
    for part in sorted(parts, key=lambda each: min(size(solids[each])), reverse=True):
        deep, wide = sorted(size(solids[part]))
        if wide > bed_mm:
            raise ValueError(f"{part}: {wide:.0f} mm is more than the bed's {bed_mm:g}")
        row = _row_for(rows, wide, deep, bed_mm)
        if row.plate == len(filled):
            filled.append([])
        filled[row.plate].append(Placed(part, row.x, row.y, size(solids[part])[0] < wide))
        row.x += wide + APART_MM
    return [tuple(each) for each in filled]


def _row_for(rows: list[_Row], wide: float, deep: float, bed_mm: float) -> _Row:
    """Return the first row that has room, else a new one on the first plate that has."""
    for row in rows:
        if deep <= row.deep and row.x + wide <= bed_mm:
            return row
    ends = {row.plate: row.y + row.deep + APART_MM for row in rows}
    plate = next((each for each, y in ends.items() if y + deep <= bed_mm), len(ends))
    rows.append(_Row(plate, ends.get(plate, 0.0), deep))
    return rows[-1]


def size(solid: Manifold) -> tuple[float, float]:
    """Return how wide and how deep a part is on the bed, in mm."""
    left, front, _low, right, back, _high = solid.bounding_box()
    return right - left, back - front


def threemf(plate: Plate, solids: Mapping[str, Manifold], title: str, version: str) -> bytes:
    """Write a plate as a 3MF file: each part once, and where its pieces lie."""
    model = Xml.Element("model", {"unit": "millimeter", "xml:lang": "en", "xmlns": _CORE})
    for name, said in (
        ("Title", title),
        ("Designer", "Jackspot"),
        ("Description", f"Jackspot's hardware, version {version}"),
        ("LicenseTerms", "CERN-OHL-P-2.0"),
    ):
        Xml.SubElement(model, "metadata", {"name": name}).text = said
    resources, build = Xml.SubElement(model, "resources"), Xml.SubElement(model, "build")
    numbers = {part: str(n) for n, part in enumerate(dict.fromkeys(p.part for p in plate), 1)}
    for part, number in numbers.items():
        about = {"id": number, "type": "model", "name": f"{part} {version}"}
        _add_mesh(Xml.SubElement(resources, "object", about), solids[part])
    for each in plate:
        place = {"objectid": numbers[each.part], "transform": _transform(each, solids[each.part])}
        Xml.SubElement(build, "item", place)
    return _zipped({**_OTHERS, _MODEL: Xml.tostring(model, "unicode", xml_declaration=True)})


def _add_mesh(of: Xml.Element, solid: Manifold) -> None:
    mesh = Xml.SubElement(of, "mesh")
    vertices, triangles = Xml.SubElement(mesh, "vertices"), Xml.SubElement(mesh, "triangles")
    said = solid.to_mesh()
    for point in np.round(said.vert_properties[:, :3].astype(float), 3) + 0.0:
        Xml.SubElement(vertices, "vertex", dict(zip("xyz", map("{:g}".format, point), strict=True)))
    for corners in said.tri_verts:
        names = zip(("v1", "v2", "v3"), map(str, corners), strict=True)
        Xml.SubElement(triangles, "triangle", dict(names))


def _transform(placed: Placed, solid: Manifold) -> str:
    """Say how a part is moved from where it was made: its rows turn x, y and z, the last shifts."""
    left, front, low, _right, back, _high = solid.bounding_box()
    if placed.turned:
        turn, shift = "0 1 0 -1 0 0 0 0 1", (placed.x + back, placed.y - left, -low)
    else:
        turn, shift = "1 0 0 0 1 0 0 0 1", (placed.x - left, placed.y - front, -low)
    return " ".join([turn, *(f"{round(each, 3) + 0.0:g}" for each in shift)])


def _zipped(members: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


class Laid(Struct, frozen=True):
    """What a file of :func:`threemf` holds: two are the same where they print the same."""

    title: str
    shapes: Mapping[str, Shape]
    items: Sequence[tuple[str, str]]
    """The name of each piece, and its transform."""


def laid_of(content: bytes) -> Laid:
    """Read a file of :func:`threemf`."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        model = Xml.fromstring(archive.read(_MODEL))  # noqa: S314  written here
    core = {"": _CORE}
    names = {each.get("id", ""): each.get("name", "") for each in model.iterfind(".//object", core)}
    shapes = {}
    for each in model.iterfind(".//object", core):
        points = [[float(p.get(a, "nan")) for a in "xyz"] for p in each.iterfind(".//vertex", core)]
        faces = [
            [int(t.get(v, "-1")) for v in ("v1", "v2", "v3")]
            for t in each.iterfind(".//triangle", core)
        ]
        shapes[names[each.get("id", "")]] = shape_of_mesh(trimesh.Trimesh(points, faces))
    items = [
        (names[item.get("objectid", "")], item.get("transform", ""))
        for item in model.iterfind("build/item", core)
    ]
    return Laid(model.findtext("metadata[@name='Title']", "", core), shapes, items)
