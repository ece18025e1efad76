"""What a page is told about the pieces on the board, and about a shot that it plays back.

Pure: values in, JSON out. Positions are in tenths of a millimetre from the middle of the board, x
to the east and y to the north; times in milliseconds from the flick.
"""

from __future__ import annotations

from collections.abc import Sequence

from jackspot.core.pieces import Seat
from jackspot.core.settings import RuleSystem
from jackspot.files import Json
from jackspot_sim.physics.boards import board_of, disc_of
from jackspot_sim.physics.places import out_of_bounds, placing
from jackspot_sim.physics.values import FRAMES_A_SECOND, Lying, Shot
from jackspot_sim.table.running import Run
from jackspot_sim.table.table import PIECES


def lying_view(lying: Sequence[Lying], run: Run | None, area: Seat | None = None) -> Json:
    """Return what lies where; ``running`` is the number of the shot that is moving it.

    ``striker`` is where the striker of the last shot came to rest, None where it is in a hand,
    in a pocket or on the floor. ``area`` is the seat that may not strike what lies in its own
    area, ``forbidden`` are the numbers of those pieces.
    """
    at_rest = run.shot.striker_at if run is not None and run.over else None
    return {
        "pieces": [
            [each.number, each.piece.value, _tenths(each.x_mm), _tenths(each.y_mm), each.level]
            for each in lying
        ],
        "striker": None if at_rest is None else [_tenths(at_rest[0]), _tenths(at_rest[1])],
        "running": run.number if run is not None and not run.over else None,
        "area": None if area is None else area.value,
        "forbidden": [] if area is None else [each.number for each in out_of_bounds(area, lying)],
    }


def shot_view(run: Run, now_ns: int) -> Json:
    """Return a whole shot to play back.

    ``tracks`` has, for each piece that moves, its number, its kind, its first frame (60 a second)
    and then x, y and height above the wood for every frame until it rests, falls or flies.
    """
    shot = run.shot
    kinds = {each.number: each.piece.value for each in run.before}
    return {
        "number": run.number,
        "elapsed_ms": round((now_ns - run.begun_ns) / 1e6),
        "duration_ms": round(shot.duration_s * 1e3),
        "frame_ms": 1e3 / FRAMES_A_SECOND,
        "tracks": [
            [number, kinds.get(number, "striker"), first, spots]
            for number, (first, spots) in _tracks(shot).items()
        ],
        "falls": [
            [fall.number, fall.pocket.value, round(fall.at_s * 1e3)]
            for fall in shot.falls
            if not fall.late
        ],
        "flown": [[flown.number, round(flown.at_s * 1e3)] for flown in shot.flown],
        "contacts": [
            [round(each.at_s * 1e3), each.touch.value, round(each.speed_mm_s)]
            for each in shot.contacts
        ],
    }


def rules_view(rules: RuleSystem, *, first: bool) -> Json:
    """Return where a striker may stand as its player sees it, and how fast a finger is.

    *out* is from the middle of the board towards the player, *along* to the player's right.
    ``first``: it is the player's first shot of the board.
    """
    where = placing(rules, first=first)
    return {
        "along_mm": where.along_mm,
        "out_mm": [where.out_least_mm, where.usual_mm, where.out_most_mm],
        "spots": [list(spot) for spot in where.spots],
        "tee": where.tee,
        "backwards": where.backwards,
        "fastest_mm_s": board_of(rules).fastest_mm_s,
    }


def sizes_view(rules: RuleSystem) -> Json:
    """Return how large the pieces of a rule system are: the diameter of each kind."""
    board = board_of(rules)
    return {piece.value: disc_of(board, piece).diameter_mm for piece in PIECES[rules]}


def _tracks(shot: Shot) -> dict[int, tuple[int, list[int]]]:
    tracks: dict[int, tuple[int, list[int]]] = {}
    for index, frame in enumerate(shot.frames):
        for spot in frame.spots:
            first, spots = tracks.setdefault(spot.number, (index, []))
            rested = index - first - len(spots) // 3
            spots += spots[-3:] * rested
            spots += (_tenths(spot.x_mm), _tenths(spot.y_mm), _tenths(spot.lift_mm))
    return tracks


def _tenths(mm: float) -> int:
    return round(mm * 10)
