"""Where every piece is drawn at an instant of a film, including those that move and fall."""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterator, Sequence

from msgspec import Struct

from jackspot.core.pieces import Piece
from jackspot_sim.film.values import Film, FilmScene
from jackspot_sim.physics.boards import board_of, disc_of
from jackspot_sim.physics.values import FRAMES_A_SECOND, STRIKER, Flick, Shot, Spot
from jackspot_sim.table.running import Run

FALLS_NS = 300_000_000
"""How long a piece is seen to sink into its pocket."""
LAID_NS = 350_000_000
"""How long a piece is seen to be put down."""
AIMS_NS = 1_100_000_000
"""How long before a shot the striker is where it is flicked from."""
BESIDE = 1.15
"""A piece that flies off goes this many times as far out as where it left the board."""


class Drawn(Struct, frozen=True):
    """A piece in a picture: ``lift`` in its own thicknesses, ``size`` and ``clear`` as shares."""

    piece: Piece
    x_mm: float
    y_mm: float
    lift: float = 0.0
    size: float = 1.0
    clear: float = 0.0


class _Gone(Struct, frozen=True):
    """A piece that has left the board: when, and into what (None: over the frame)."""

    number: int
    piece: Piece
    at_ns: int
    to_mm: tuple[float, float] | None


class Pieces:
    """The pieces of a film, instant by instant."""

    def __init__(self, film: Film) -> None:
        self._film = film
        self._board = board_of(film.job.system)
        self._played: tuple[Shot, Sequence[dict[int, Spot]]] | None = None

    def drawn(self, at_ns: int) -> list[Drawn]:
        """Return the pieces, the lowest first."""
        scene = self._film.scenes.at(at_ns)
        found = [] if scene.run is None else [*self._sinking(scene.run, at_ns)]
        found += self._on_board(scene, at_ns)
        striker = self._striker(scene.run, at_ns)
        found += [] if striker is None else [striker]
        return sorted(found, key=lambda each: each.lift)

    def aimed(self, at_ns: int) -> Flick | None:
        """Return the flick that somebody is about to make, None while nobody aims."""
        runs = self._film.runs
        index = bisect.bisect_right(runs, at_ns, key=lambda run: run.begun_ns)
        aims = index < len(runs) and runs[index].begun_ns - at_ns <= AIMS_NS
        return runs[index].flick if aims else None

    def _on_board(self, scene: FilmScene, at_ns: int) -> Iterator[Drawn]:
        run = scene.run
        spots = {} if run is None or run.over else self._spots(run, at_ns)
        since_ns = at_ns - self._film.scenes.since(at_ns)
        for each in scene.lying:
            spot = spots.get(each.number)
            if spot is not None:
                yield self._moving(each.piece, spot)
            else:
                hand = max(1 - since_ns / LAID_NS, 0.0) if each.number in scene.back else 0.0
                yield Drawn(each.piece, each.x_mm, each.y_mm, each.level + 2.2 * hand)

    def _moving(self, piece: Piece, spot: Spot) -> Drawn:
        thick = disc_of(self._board, piece).thickness_mm
        return Drawn(piece, spot.x_mm, spot.y_mm, max(spot.lift_mm, 0.0) / thick)

    def _striker(self, run: Run | None, at_ns: int) -> Drawn | None:
        flick = self.aimed(at_ns)
        if flick is not None:
            return Drawn(Piece.STRIKER, flick.x_mm, flick.y_mm, 0.3)
        if run is None or any(each.number == STRIKER for each in self._gone(run, at_ns)):
            return None
        if run.over:
            at = run.shot.striker_at
            return None if at is None else Drawn(Piece.STRIKER, *at)
        start = Spot(STRIKER, run.flick.x_mm, run.flick.y_mm, 0.0)
        return self._moving(Piece.STRIKER, self._spots(run, at_ns).get(STRIKER, start))

    def _gone(self, run: Run, at_ns: int) -> Iterator[_Gone]:
        """Return what has left the board by then."""
        left: list[_Gone] = [
            _Gone(each.number, each.piece, run.begun_ns + round(each.at_s * 1e9),
                  self._board.pocket_at(each.pocket))
            for each in run.shot.falls
        ]  # fmt: skip
        left += [
            _Gone(each.number, each.piece, run.begun_ns + round(each.at_s * 1e9), None)
            for each in run.shot.flown
        ]
        yield from (each for each in left if each.at_ns <= at_ns)

    def _sinking(self, run: Run, at_ns: int) -> Iterator[Drawn]:
        """Return the pieces that are sinking into their pockets, or leave over the frame."""
        still_there = {each.number for each in self._film.scenes.at(at_ns).lying}
        for gone in self._gone(run, at_ns):
            part = (at_ns - gone.at_ns) / FALLS_NS
            spot = self._spots(run, gone.at_ns).get(gone.number)
            if part >= 1 or spot is None or gone.number in still_there:
                continue
            x, y = gone.to_mm or (spot.x_mm * BESIDE, spot.y_mm * BESIDE)
            share = min(part * 3, 1.0)
            at = (spot.x_mm + (x - spot.x_mm) * share, spot.y_mm + (y - spot.y_mm) * share)
            yield Drawn(gone.piece, *at, -1.0, 0.94 - part * 0.3, part)

    def _spots(self, run: Run, at_ns: int) -> dict[int, Spot]:
        """Return where the pieces that have moved since the flick are."""
        frames = run.shot.frames
        index = min(math.floor((at_ns - run.begun_ns) / 1e9 * FRAMES_A_SECOND), len(frames)) - 1
        if index < 0:
            return {}
        if self._played is None or self._played[0] is not run.shot:
            places: list[dict[int, Spot]] = []
            for frame in frames:
                moved = {spot.number: spot for spot in frame.spots}
                places.append({**places[-1], **moved} if places else moved)
            self._played = (run.shot, places)
        return self._played[1][index]
