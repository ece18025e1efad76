"""Writes a printed part as a STEP file, for CAD programs: flat faces, edges and corners (AP214).

What is round in a drawing is of flat facets here too, as in the STL: a program that reads it can
place, measure and cut the part, but finds no cylinder to change the radius of.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from manifold3d import Manifold

from hardware.prints.faces import Body, Face, Floats, body

_HEAD = """ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('Printed part of Jackspot, in flat faces; CERN-OHL-P-2.0'),'2;1');
FILE_NAME('{name}.step','',(''),(''),'','Jackspot','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN {{ 1 0 10303 214 1 1 1 1 }}'));
ENDSEC;
DATA;"""


def step(solid: Manifold, name: str, revision: int) -> bytes:
    """Write a solid as a STEP file, in millimetres."""
    return _Writer().written(body(solid), name, revision)


class _Writer:
    """Entities as they are numbered; the same one is written once."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._lines: dict[tuple[int, int], str] = {}

    def _add(self, entity: str) -> str:
        return f"#{self._numbers.setdefault(entity, len(self._numbers) + 1)}"

    def written(self, body: Body, name: str, revision: int) -> bytes:
        """Return the file."""
        add = self._add
        context = add("APPLICATION_CONTEXT('automotive design')")
        add("APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,"
            f"{context})")  # fmt: skip
        of_product = add(f"PRODUCT_CONTEXT('',{context},'mechanical')")
        product = add(f"PRODUCT('{name}','{name}','revision {revision}',({of_product}))")
        add(f"PRODUCT_RELATED_PRODUCT_CATEGORY('part',$,({product}))")
        formation = add(f"PRODUCT_DEFINITION_FORMATION('{revision}','',{product})")
        of_design = add(f"PRODUCT_DEFINITION_CONTEXT('part definition',{context},'design')")
        definition = add(f"PRODUCT_DEFINITION('design','',{formation},{of_design})")
        shape = add(f"PRODUCT_DEFINITION_SHAPE('','',{definition})")
        solid = add(f"MANIFOLD_SOLID_BREP('{name}',{self._shell(body)})")
        axes = self._axes((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
        space = self._space()
        whole = add(f"ADVANCED_BREP_SHAPE_REPRESENTATION('{name}',({axes},{solid}),{space})")
        add(f"SHAPE_DEFINITION_REPRESENTATION({shape},{whole})")
        data = [f"#{number}={entity};" for entity, number in self._numbers.items()]
        lines = [_HEAD.format(name=name), *data, "ENDSEC;", "END-ISO-10303-21;", ""]
        return "\n".join(lines).encode("ascii")

    def _space(self) -> str:
        length = self._add("(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))")
        angle = self._add("(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))")
        solid = self._add("(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())")
        near = self._add(
            f"UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-03),{length},"
            "'distance_accuracy_value','')"
        )
        return self._add(
            "(GEOMETRIC_REPRESENTATION_CONTEXT(3)"
            f"GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT(({near}))"
            f"GLOBAL_UNIT_ASSIGNED_CONTEXT(({length},{angle},{solid}))"
            "REPRESENTATION_CONTEXT('',''))"
        )

    def _shell(self, body: Body) -> str:
        faces = ",".join([self._face(body.corners, face) for face in body.faces])
        return self._add(f"CLOSED_SHELL('',({faces}))")

    def _face(self, corners: Floats, face: Face) -> str:
        bounds = []
        for kind, border in zip(_kinds(face), face.borders, strict=True):
            edges = zip(border, (*border[1:], border[0]), strict=True)
            loop = ",".join([self._edge(corners, start, end) for start, end in edges])
            loop = self._add(f"EDGE_LOOP('',({loop}))")
            bounds.append(self._add(f"{kind}('',{loop},.T.)"))
        first, second = (corners[each] for each in face.borders[0][:2])
        axes = self._axes(first, face.normal, second - first)
        plane = self._add(f"PLANE('',{axes})")
        return self._add(f"ADVANCED_FACE('',({','.join(bounds)}),{plane},.T.)")

    def _edge(self, corners: Floats, start: int, end: int) -> str:
        """Add an edge, which both of its faces run along, one to either side."""
        low, high = min(start, end), max(start, end)
        if (low, high) not in self._lines:
            places = [self._point(corners[at]) for at in (low, high)]
            ends = ",".join([self._add(f"VERTEX_POINT('',{place})") for place in places])
            vector = self._add(f"VECTOR('',{self._direction(corners[high] - corners[low])},1.)")
            line = self._add(f"LINE('',{places[0]},{vector})")
            self._lines[low, high] = self._add(f"EDGE_CURVE('',{ends},{line},.T.)")
        along = ".T." if start == low else ".F."
        return self._add(f"ORIENTED_EDGE('',*,*,{self._lines[low, high]},{along})")

    def _axes(self, at: Iterable[float], z: Iterable[float], x: Iterable[float]) -> str:
        place, z_way, x_way = self._point(at), self._direction(z), self._direction(x)
        return self._add(f"AXIS2_PLACEMENT_3D('',{place},{z_way},{x_way})")

    def _point(self, at: Iterable[float]) -> str:
        return self._add(f"CARTESIAN_POINT('',({_real(at, 6)}))")

    def _direction(self, way: Iterable[float]) -> str:
        along = [*way]
        length = math.hypot(*along)
        return self._add(f"DIRECTION('',({_real([each / length for each in along], 9)}))")


def _kinds(face: Face) -> list[str]:
    return ["FACE_OUTER_BOUND", *["FACE_BOUND"] * (len(face.borders) - 1)]


def _real(numbers: Iterable[float], digits: int) -> str:
    """Write numbers as STEP wants them: with a point, and no zeros behind what is said."""
    written = (f"{each:.{digits}f}".rstrip("0") for each in numbers)
    return ",".join("0." if each == "-0." else each for each in written)
