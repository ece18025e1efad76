"""A flick of the striker on the simulated table: computed ahead, then carried out on its clock.

Theory of operation. The physics computes a whole shot in a few hundredths of a second. From then
on it is a plan on the table's clock. Each piece falls at its own instant through the beam of its
pocket, which sees what such a beam sees of it; when nothing moves any more the pieces lie where
they came to rest. A piece that hangs at an edge may fall later still, unless another shot begins
first. Pieces that are taken away or laid out anew meanwhile drop out of the plan. The firmware is
told nothing about it.

One shot runs at a time. Wrong play is not refused; the table refuses only what no hand could do,
such as placing the striker on another piece.
"""

from __future__ import annotations

import itertools
import math
import random
import threading
from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct

from jackspot.core.directives import Entry
from jackspot.core.phrases import _
from jackspot.core.pieces import Piece, Seat
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import BoardView
from jackspot.dialogue.words.wording import piece_name
from jackspot.values import changed
from jackspot_sim.chance.pulses import Edges
from jackspot_sim.clock import SimClock
from jackspot_sim.physics import shoot
from jackspot_sim.physics.boards import PhysicalBoard, board_of, disc_of
from jackspot_sim.physics.discs import Blow, blows_of_shot
from jackspot_sim.physics.places import opening
from jackspot_sim.physics.values import STRIKER, Flick, Flown, Lying, PieceFall, Shot
from jackspot_sim.refusal import CannotHappen
from jackspot_sim.sensing.quality import QUALITIES, Quality, Sensors
from jackspot_sim.sensing.wires import SECOND, sense
from jackspot_sim.table.table import SimTable
from jackspot_sim.table.turns import LastShot

WITHOUT_PHYSICS = _(
    "flicking a striker needs the library pymunk, which is not installed here: "
    "pip install 'jackspot[sim]'; pieces can be dropped into pockets without it"
)
TOUCHES_MM = 0.1
"""How much closer than touching a striker may be to a piece: pages are sent positions in tenths
of a millimetre, and where a page finds room the table refuses nothing."""


class Run(Struct, frozen=True):
    """A shot on the table's clock; ``number`` counts them from 1.

    ``before`` is what lay on the board when it began. ``over``: nothing moves any more.
    """

    number: int
    begun_ns: int
    flick: Flick
    before: tuple[Lying, ...]
    shot: Shot
    over: bool = False


class Runs:
    """The shots on one table; ``changed`` is called when one begins or has come to rest.

    ``sensors`` say what the pockets' beams see of the pieces that fall, ``shaken`` is called, ahead
    of time, with what each shot does to the board.
    """

    def __init__(
        self,
        clock: SimClock,
        table: SimTable,
        changed: Callable[[], None],
        seed: int = 0,
        sensors: Sensors = QUALITIES[Quality.DEFAULT],
        shaken: Callable[[Sequence[Blow]], None] = lambda _blows: None,
    ) -> None:
        self._shaken = shaken
        self._clock = clock
        self._table = table
        self._changed = changed
        self._seed = seed
        self._sensors = sensors
        self._rng = random.Random(f"beams {seed}")
        self._numbers = itertools.count(1)
        self._laid = table.laid
        self._last: Run | None = None
        self._gone = table.strikers_gone
        self._shooters: set[Seat] = set()
        self._last_shot: LastShot | None = None
        self._begun = len(table.lying()) < len(opening(table.rules))
        self._lock = threading.Lock()

    @property
    def last(self) -> Run | None:
        """The shot in progress, or the last one if no pieces have been laid out since.

        Its striker lies on the board until one falls or flies off.
        """
        run = self._last
        if run is None or self._laid != self._table.laid:
            return None
        if run.over and run.shot.striker_at is not None and self._gone != self._table.strikers_gone:
            run = self._last = changed(run, shot=changed(run.shot, striker_at=None))
        return run

    @property
    def running(self) -> bool:
        """Whether pieces are moving now."""
        return self.last is not None and not self.last.over

    def lying(self) -> tuple[Lying, ...]:
        """Return what lies on the table."""
        return self._table.lying()

    def is_first(self, seat: Seat | None) -> bool:
        """Whether a seat has not shot on this board yet, as far as the table has seen."""
        if self._laid != self._table.laid:
            return True
        return not self._begun and seat not in self._shooters

    @property
    def striker_lies(self) -> bool:
        """Whether the striker of the last shot lies on the board."""
        run = self.last
        return run is not None and (not run.over or run.shot.striker_at is not None)

    def has_shot(self, view: BoardView) -> bool:
        """Whether the stroke that a board asks for has been shot on this table already."""
        shot = self._last_shot
        return shot is not None and self._laid == self._table.laid and shot.is_open(view)

    def see(self, view: BoardView) -> None:
        """See what has been entered, each time that this changes."""
        with self._lock:
            if self._last_shot is not None:
                self._last_shot = self._last_shot.seen(view)

    def flick(self, flick: Flick, seat: Seat | None = None, entered: Sequence[Entry] = ()) -> Run:
        """Shoot for a seat; ``entered`` is what the board has entered by now.

        CannotHappen while pieces move, and where no striker could be placed.
        """
        with self._lock:
            if self.running:
                raise CannotHappen(_("pieces are still moving; wait until they stop"))
            run = self._begin(flick)
            if seat is not None:
                self._shooters.add(seat)
                self._last_shot = LastShot(seat, tuple(entered))
        self._changed()
        return run

    def _begin(self, flick: Flick) -> Run:
        lying = self._table.lying()
        check(self._table.rules, lying, flick)
        self._table.take_striker()
        number = next(self._numbers)
        shot = _computed(self._table.rules, lying, flick, f"{self._seed} {number}")
        run = Run(number, self._clock.now_ns(), flick, lying, shot)
        if self._laid != self._table.laid:
            self._laid, self._begun = self._table.laid, False
            self._shooters.clear()
            self._last_shot = None
        self._last, self._gone = run, self._table.strikers_gone
        for fall in shot.falls:
            self._at(run, fall.at_s, partial(self._fall, run, fall))
        for flown in shot.flown:
            self._at(run, flown.at_s, partial(self._fly, flown))
        self._at(run, shot.duration_s, self._rest)
        board = board_of(self._table.rules)
        mass_g = disc_of(board, Piece.STRIKER).mass_g
        blows = blows_of_shot(board, flick, mass_g, shot.contacts)
        self._shaken([each.later(run.begun_ns) for each in blows])
        return run

    def take_over(self, before: Runs) -> None:
        """Take over what was shot on this board before the power was cut."""
        if before._laid == before._table.laid:
            self._begun = self._begun or before._begun
            self._shooters |= before._shooters
            self._last_shot = before._last_shot

    def settle(self) -> None:
        """End everything that is moving at once, unseen by any beam."""
        run = self.last
        if run is None or run.over:
            return
        for fall in run.shot.falls:
            if self._is_there(fall.number):
                self._table.sink(fall.number, fall.pocket)
        for flown in run.shot.flown:
            self._fly(flown)
        self._table.rest(run.shot.resting)
        self._last = changed(run, over=True)

    def _at(self, run: Run, at_s: float, action: Callable[[], None]) -> None:
        def act() -> None:
            current = self.last
            if current is not None and current.number == run.number:
                action()
                self._changed()

        self._clock.at(run.begun_ns + round(at_s * 1e9), act)

    def _fall(self, run: Run, fall: PieceFall) -> None:
        hung = hanging_on(run, {fall.number} if fall.late else set())
        if self._is_there(fall.number) and self._lie(hung):
            edges = _edges(board_of(self._table.rules), fall, self._sensors, self._rng)
            self._table.sink(fall.number, fall.pocket, edges)

    def _fly(self, flown: Flown) -> None:
        if self._is_there(flown.number):
            self._table.leave(flown.number)

    def _is_there(self, number: int) -> bool:
        """Whether a piece has not left the board yet; of strikers only the last shot's lies on it.

        The table keeps watch on all the others itself.
        """
        return number != STRIKER or self._gone == self._table.strikers_gone

    def _lie(self, hung: Sequence[Lying]) -> bool:
        """Whether pieces still lie where they hung; a hand may have moved them."""
        lying = {(each.number, each.x_mm, each.y_mm) for each in self._table.lying()}
        return all((each.number, each.x_mm, each.y_mm) in lying for each in hung)

    def _rest(self) -> None:
        assert self._last is not None, "a shot that comes to rest has begun"
        shot = self._last.shot
        hanging = {fall.number for fall in shot.falls if fall.late}
        self._table.rest([*shot.resting, *hanging_on(self._last, hanging)])
        self._last = changed(self._last, over=True)


def _edges(board: PhysicalBoard, fall: PieceFall, sensors: Sensors, rng: random.Random) -> Edges:
    """Return what a pocket's beam makes of a piece, from when it tips over the edge."""
    [sensed] = sense(board, [changed(fall, at_s=0.0)], sensors, rng, apart_ns=SECOND)
    return tuple(
        (at_ns, active)
        for pulse in sensed.pulses
        for at_ns, active in ((pulse.start_ns, True), (pulse.end_ns, False))
    )


def hanging_on(run: Run, numbers: set[int]) -> list[Lying]:
    """Return the pieces that will fall late, where they hang until then."""
    lying = {each.number: each for each in run.before if each.number in numbers}
    for frame in run.shot.frames:
        for spot in frame.spots:
            if spot.number in lying:
                lying[spot.number] = changed(
                    lying[spot.number], x_mm=spot.x_mm, y_mm=spot.y_mm, level=0
                )
    return list(lying.values())


def check(rules: RuleSystem, lying: Sequence[Lying], flick: Flick) -> None:
    """Check that a hand could do this. CannotHappen, with the reason, if not."""
    board = board_of(rules)
    radius = disc_of(board, Piece.STRIKER).radius_mm
    if max(abs(flick.x_mm), abs(flick.y_mm)) > board.half_mm - radius:
        raise CannotHappen(_("the striker is placed on the board, inside the frame"))
    if not 0 < flick.speed_mm_s <= board.fastest_mm_s:
        raise CannotHappen(
            _(
                "a finger flicks with 0 to {most} m/s, not {speed}",
                most=f"{board.fastest_mm_s / 1000:g}",
                speed=f"{flick.speed_mm_s / 1000:g}",
            )
        )
    for each in lying:
        apart = math.dist((each.x_mm, each.y_mm), (flick.x_mm, flick.y_mm))
        if apart < radius + disc_of(board, each.piece).radius_mm - TOUCHES_MM:
            raise CannotHappen(
                _(
                    "a piece lies there ({piece}); place the striker beside it",
                    piece=piece_name(each.piece),
                )
            )


def _computed(rules: RuleSystem, lying: Sequence[Lying], flick: Flick, seed: str) -> Shot:
    try:
        return shoot(board_of(rules), lying, flick, seed)
    except ModuleNotFoundError as missing:
        raise CannotHappen(WITHOUT_PHYSICS) from missing
