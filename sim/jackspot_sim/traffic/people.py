"""What people press for a stroke, and whose hands reach where: plans, not actions.

A plan says what somebody will do about one stroke: when they press, where, twice or not at
all, whether they will accept a wrong first reading, and when a mistake is noticed. It never
depends on what a display shows, so that whoever drives a board can carry out the same plan on
any board. Nothing here presses anything.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence

from msgspec import Struct

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot_sim.chance import frequencies as table
from jackspot_sim.chance.frequencies import Referee, Strength
from jackspot_sim.chance.laws import MS
from jackspot_sim.traffic.passing import Passage, draw_ghost, draw_hand

AFTER_A_MISS_NS = 2_000 * MS
"""When a stroke that pocketed nothing has come to rest, from the shot."""


class StrokePlan(Struct, frozen=True):
    """What people do about one stroke.

    ``press_ns`` is when somebody settles it, from the shot; None: nobody does before the next
    shot. ``seat`` is whose button it is if the board has seat buttons (with a box, the box's).
    ``double_ns`` is when the same finger presses again, ``second`` who else presses the same
    thing and when, all from the shot.
    """

    press_ns: int | None
    seat: Seat
    double_ns: int | None = None
    second: tuple[Seat, int] | None = None
    overlooks: bool = False
    """Whether a wrong first reading is confirmed as it is; else it is corrected before OK."""
    spoils: bool = False
    """Whether a right first reading is made wrong, and confirmed."""
    noticed_after: int | None = None
    """After how many further strokes a wrong entry is noticed and mended; None: never."""


def draw_plan(
    referee: Referee,
    seat: Seat,
    seats: Sequence[Seat],
    ends_ns: Sequence[int],
    rng: random.Random,
) -> StrokePlan:
    """Draw what people do about a stroke of ``seat``.

    ``ends_ns`` are the ends of its falls, those included that no beam saw.
    """
    fell = bool(ends_ns)
    forgets = (table.FORGETS_STROKE if fell else table.FORGETS_MISS).of(referee)
    forgotten = rng.random() < forgets
    over_ns = max(ends_ns) if fell else AFTER_A_MISS_NS
    press_ns = over_ns + table.PRESS_DELAY[referee].draw_ns(rng)
    if fell and rng.random() < table.EARLY_OK.of(referee):
        press_ns = min(ends_ns) + table.EARLY_AFTER_NS
    wrong = rng.random() < table.WRONG_SEAT.of(referee)
    others = [each for each in seats if each is not seat]
    by = rng.choice(others) if wrong else seat
    doubled = rng.random() < table.DOUBLED.of(referee)
    double_ns = press_ns + table.DOUBLED_GAP.draw_ns(rng)
    both = rng.random() < table.BOTH_PRESS.of(referee)
    second = (rng.choice(others), press_ns + table.BOTH_GAP.draw_ns(rng))
    overlooks = rng.random() < table.OVERLOOKS.of(referee)
    spoils = rng.random() < table.SPOILS.of(referee)
    noticed = rng.random() < table.NOTICES.of(referee)
    after = _geometric(1.0 / table.NOTICED_AFTER.of(referee), rng)
    return StrokePlan(
        None if forgotten else press_ns, by,
        double_ns if doubled else None, second if both else None,
        overlooks, spoils, after if noticed else None,
    )  # fmt: skip


def _geometric(chance: float, rng: random.Random) -> int:
    """Draw after how many tries, at least one, something of this chance happens."""
    if chance >= 1.0:
        return 1
    return 1 + int(math.log(1.0 - rng.random()) / math.log(1.0 - chance))


Lying = Mapping[Piece, tuple[Pocket, ...]]
"""Where the pieces that are out of play lie."""


def fetched_from(
    place: Sequence[Piece], lying: Lying, rng: random.Random
) -> tuple[list[tuple[Pocket, Piece]], Lying]:
    """Draw the pockets from which the pieces to be placed are taken; what flew off is in none."""
    left = {piece: list(pockets) for piece, pockets in lying.items()}
    taken: list[tuple[Pocket, Piece]] = []
    for piece in place:
        pockets = left.get(piece)
        if pockets:
            taken.append((pockets.pop(rng.randrange(len(pockets))), piece))
    return taken, {piece: tuple(pockets) for piece, pockets in left.items()}


def draw_hands(
    strength: Strength,
    over_ns: int,
    strikers: Sequence[Pocket],
    taken: Sequence[tuple[Pocket, Piece]],
    rng: random.Random,
) -> tuple[Passage, ...]:
    """Draw every passage that is no stroke between one stroke and the next shot.

    ``strikers`` are pockets from which a striker must be fetched, ``taken`` is what is taken out
    to be placed. Times are from the shot; ``over_ns`` is when its last fall had ended.
    """
    found: list[Passage] = []
    pockets = [*strikers]
    for pocket in Pocket:
        pieces = sum(each is pocket for each, _ in taken)
        pockets += [pocket] * math.ceil(pieces / table.PIECES_A_HAND)
    for pocket in pockets:
        start_ns = over_ns + table.FETCH_DELAY.draw_ns(rng)
        if rng.random() < table.FETCH_IS_SEEN:
            found += draw_hand(pocket, start_ns, rng)
    if rng.random() < table.STRAY_HAND.of(strength):
        pocket = rng.choice(list(Pocket))
        found += draw_hand(pocket, over_ns + table.STRAY_DELAY.draw_ns(rng), rng)
    if rng.random() < table.GHOST.of(strength):
        pocket = rng.choice(list(Pocket))
        found.append(draw_ghost(pocket, over_ns + table.STRAY_DELAY.draw_ns(rng), rng))
    return _one_at_a_time(sorted(found, key=lambda each: (each.start_ns, each.pocket)))


def _one_at_a_time(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """Drop passages that begin in a pocket while another hand is there: only one hand fits."""
    kept: list[Passage] = []
    for passage in passages:
        before = [each for each in kept if each.pocket is passage.pocket]
        if not before or passage.start_ns > before[-1].end_ns + 20 * MS:
            kept.append(passage)
    return tuple(kept)
