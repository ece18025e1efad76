"""The plan of the cables: the board from above, and the way of each cable from the hub."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from hardware.generate.builds import BUILDS
from hardware.generate.harness import Run, harness
from hardware.generate.step import File, Step
from hardware.generate.svg import Sheet

Point = tuple[float, float]

_LEFT, _TOP, _SIDE, _FRAME = 250.0, 190.0, 460.0, 46.0
_RIGHT, _BOTTOM, _MIDDLE = _LEFT + _SIDE, _TOP + _SIDE, _LEFT + _SIDE / 2
_HALF = _TOP + _SIDE / 2
_HUB_Y = _BOTTOM - _FRAME / 2
_LANE = 6.0
"""Between two cables that run side by side under the frame."""
_REACH = 56.0
"""From the frame's edge to a box."""


def make() -> Iterator[File]:
    """Return the plan of the full build."""
    yield File("plan.svg", _plan())


def _plan() -> bytes:
    sheet = Sheet(960, 790, "Where the cables run")
    runs = {run.cable.name: run for run in harness(BUILDS[2])}
    sheet.text((24, 36), "Where the cables run, seen from above", size=20, bold=True)
    sheet.text(
        (24, 60),
        "Under the frame, never across the field. The lengths are those of the cut list.",
        fill="quiet",
    )
    sheet.rect((_LEFT, _TOP), (_SIDE, _SIDE), fill="brown-soft", stroke="brown", radius=6)
    inner = _SIDE - 2 * _FRAME
    sheet.rect((_LEFT + _FRAME, _TOP + _FRAME), (inner, inner), fill="panel", stroke="brown")
    for name, way in _ways().items():
        colour = "one" if name.startswith("pocket") else "green"
        for start, end in pairwise(way):
            sheet.line(start, end, "brown" if name == "oled" else colour)
        if name.startswith("pocket"):
            _pocket(sheet, way[-1], runs[name])
        else:
            _box(sheet, way[-1], runs[name])
    sheet.rect((_MIDDLE - 92, _HUB_Y - 17), (184, 34), fill="jack", stroke="jack")
    sheet.text((_MIDDLE, _HUB_Y + 5), "hub (the Pi)", fill="panel", anchor="middle")
    return sheet.content()


def _ways() -> dict[str, list[Point]]:
    """Return the corners of each cable's way, from the hub on; lanes are counted from outside."""

    def lane(number: int) -> tuple[float, float, float, float]:
        inwards = 9 + number * _LANE
        return _LEFT + inwards, _TOP + inwards, _RIGHT - inwards, _BOTTOM - inwards

    def start(bottom: float) -> Point:
        return _MIDDLE, bottom

    level = _TOP + 62
    ways: dict[str, list[Point]] = {}
    left, top, right, bottom = lane(0)
    ways["seat_n"] = [start(bottom), (left, bottom), (left, top), (_MIDDLE, top),
                      (_MIDDLE, _TOP - _REACH)]  # fmt: skip
    ways["pocket_ne"] = [start(bottom), (right, bottom), (right, level), (right - 42, level)]
    left, top, right, bottom = lane(1)
    ways["pocket_nw"] = [start(bottom), (left, bottom), (left, level), (left + 36, level)]
    ways["seat_e"] = [start(bottom), (right, bottom), (right, _HALF), (_RIGHT + _REACH, _HALF)]
    left, top, right, bottom = lane(2)
    ways["seat_w"] = [start(bottom), (left, bottom), (left, _HALF), (_LEFT - _REACH, _HALF)]
    ways["box"] = [start(bottom), (_RIGHT - 60, bottom), (_RIGHT - 60, _BOTTOM + _REACH),
                   (_RIGHT + 20, _BOTTOM + _REACH)]  # fmt: skip
    left, top, right, bottom = lane(3)
    ways["pocket_sw"] = [start(bottom), (left + 36, bottom), (left + 36, _BOTTOM - 62)]
    ways["pocket_se"] = [start(bottom), (right - 36, bottom), (right - 36, _BOTTOM - 62)]
    ways["seat_s"] = [(_MIDDLE - 66, _HUB_Y), (_MIDDLE - 66, _BOTTOM + _REACH)]
    ways["oled"] = [(_MIDDLE + 66, _HUB_Y), (_MIDDLE + 66, _BOTTOM + _REACH)]
    return ways


def _pocket(sheet: Sheet, place: Point, run: Run) -> None:
    x, y = place
    is_left, is_top = x < _MIDDLE, y < _HALF
    centre = (
        _LEFT + _FRAME + 22 if is_left else _RIGHT - _FRAME - 22,
        _TOP + _FRAME + 22 if is_top else _BOTTOM - _FRAME - 22,
    )
    sheet.circle(centre, 22, fill="one-soft", stroke="one")
    sheet.text((centre[0], centre[1] + 5), run.cable.name[-2:].upper(), anchor="middle", bold=True)
    side = 30 if is_left else -30
    down = 34 if is_top else -26
    _said(sheet, (centre[0] + side, centre[1] + down), run, "start" if is_left else "end")


def _box(sheet: Sheet, place: Point, run: Run) -> None:
    x, y = place
    width, height = 112.0, 44.0
    if x > _RIGHT:
        corner = (x, y - height / 2)
    elif x < _LEFT:
        corner = (x - width, y - height / 2)
    else:
        corner = (x - width / 2, y - height if y < _TOP else y)
    fill, stroke = ("brown-soft", "brown") if run.cable.name == "oled" else ("green-soft", "green")
    sheet.rect(corner, (width, height), fill=fill, stroke=stroke)
    _said(sheet, (corner[0] + width / 2, corner[1] + 19), run, "middle")


def _said(sheet: Sheet, place: Point, run: Run, anchor: str) -> None:
    sheet.text(place, run.cable.name, anchor=anchor, bold=True)
    poles = f"{run.length_mm / 1000:g} m, {len(run.cable.cores)} cores"
    sheet.text((place[0], place[1] + 16), poles, anchor=anchor, fill="quiet", size=12)


STEP = Step("plan", make, owns=("plan.svg",))
