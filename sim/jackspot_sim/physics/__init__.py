"""The board as a world of discs: what a flick of the striker does to the pieces.

- :class:`Lying` is one piece at rest (x to the east, y to the north, millimetres from the
  middle), :class:`Flick` where the striker is placed and how it leaves;
- ``shoot(board_of(system), lying, flick, seed)`` computes the whole :class:`Shot` ahead, in a few
  tens of milliseconds: frames for a page to play back, falls at their exact instants for the
  simulated beams, what flew off, what lies on the board afterwards;
- ``opening(system)`` is the pattern that a board begins with; ``placing`` says where a striker
  may stand, ``place_striker`` finds the free place nearest to a wish, ``out_of_bounds`` what a
  seat of a pair may not strike; ``put_back`` lays pieces back where the rules want them;
- ``choose(task_of(state, lying, first=...), strength, seed)`` is a computer player's flick, of one
  of three ``STRENGTHS``.

``sim/PHYSICS.md`` lists every size and friction with its source; ``python -m
jackspot_sim.sensing`` prints it. Pure values and seeded chance: no clock, no rules of scoring.
Only a shot needs pymunk: without it, the rest works.
"""

from collections.abc import Sequence

from jackspot_sim.physics.boards import (
    CARROM_BOARD,
    HIKONE_BOARD,
    Disc,
    PhysicalBoard,
    board_of,
    disc_of,
)
from jackspot_sim.physics.places import (
    Placing,
    as_seen,
    level_at,
    opening,
    out_of_bounds,
    place_striker,
    placing,
    put_back,
    seen_from,
)
from jackspot_sim.physics.players import STRENGTHS, FlickChoice, Task, choose, task_of
from jackspot_sim.physics.values import (
    FRAMES_A_SECOND,
    STRIKER,
    Flick,
    Flown,
    Frame,
    Knock,
    Lying,
    PieceFall,
    Shot,
    Spot,
    TippingPiece,
    Touch,
)

__all__ = [
    "CARROM_BOARD",
    "FRAMES_A_SECOND",
    "HIKONE_BOARD",
    "STRENGTHS",
    "STRIKER",
    "Disc",
    "Flick",
    "FlickChoice",
    "Flown",
    "Frame",
    "Knock",
    "Lying",
    "PhysicalBoard",
    "PieceFall",
    "Placing",
    "Shot",
    "Spot",
    "Task",
    "TippingPiece",
    "Touch",
    "as_seen",
    "board_of",
    "choose",
    "disc_of",
    "level_at",
    "opening",
    "out_of_bounds",
    "place_striker",
    "placing",
    "put_back",
    "seen_from",
    "shoot",
    "task_of",
]


def shoot(board: PhysicalBoard, lying: Sequence[Lying], flick: Flick, seed: int | str = 0) -> Shot:
    """Compute a whole shot ahead: see :func:`jackspot_sim.physics.shooting.shoot`.

    ModuleNotFoundError if pymunk is not installed.
    """
    from jackspot_sim.physics import shooting

    return shooting.shoot(board, lying, flick, seed)
