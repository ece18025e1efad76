"""What one shot does to the pieces: which fall, in which order, into which pockets.

Everything drawn here has its chance beside it, computed from the same numbers, so that the
ceiling cannot disagree with the generator. Nothing here knows about beams or people.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import permutations
from types import MappingProxyType
from typing import TypeVar

from msgspec import Struct

from jackspot.core.directives import RedPlace
from jackspot.core.match import MatchState
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.rules import rules_for
from jackspot.core.stroke import Departure, Stroke
from jackspot.readings.own_pieces import counts_by_colour
from jackspot_sim.chance import frequencies as table
from jackspot_sim.chance.frequencies import AimedAt, FrequencyRow, Outcome, PieceRole, Strength

BESIDE: Mapping[Seat, tuple[Pocket, Pocket]] = MappingProxyType(
    {
        Seat.N: (Pocket.NW, Pocket.NE),
        Seat.E: (Pocket.NE, Pocket.SE),
        Seat.S: (Pocket.SE, Pocket.SW),
        Seat.W: (Pocket.SW, Pocket.NW),
    }
)
"""The two pockets beside each seat; the others are across the board from it."""

OUTCOMES: Mapping[AimedAt, Mapping[Outcome, FrequencyRow]] = MappingProxyType(
    {
        AimedAt.PIECES: table.STROKES,
        AimedAt.JACK: table.STROKES_READY,
        AimedAt.QUEEN_TOO: {**table.STROKES, **table.QUEEN_TOO},
        AimedAt.QUEEN_FIRST: table.QUEEN_FIRST,
    }
)
"""The table of outcomes, by what everybody aims at."""

MISS: Outcome = ()

Thing = TypeVar("Thing")


class Stand(Struct, frozen=True):
    """What a shot depends on: who shoots, what is on the board, and what the jack would do.

    ``left`` counts what can fall by kind (the striker is one of them), ``pieces`` gives each
    kind its name on this board; ``aim`` is what everybody aims at. If colours belong to no side,
    the more valuable pieces stand for the own ones, since they are the ones to aim at.
    """

    seat: Seat
    left: Mapping[PieceRole, int]
    pieces: Mapping[PieceRole, Piece]
    aim: AimedAt
    pieces_each: int = 12

    @property
    def queen(self) -> bool:
        """Whether it is a board with a queen."""
        return self.pieces[PieceRole.JACK] is Piece.QUEEN


def stand_of(state: MatchState) -> Stand:
    """Return the stand of a board that waits for a stroke; ValueError if none can follow."""
    if state.result is not None:
        raise ValueError("the board is over: enter '! board' before the next shot")
    position, rules = state.position, rules_for(state.settings.rules)
    own, others = _colours(state)
    pieces = {
        PieceRole.OWN: own,
        PieceRole.OPPONENTS: others,
        PieceRole.STRIKER: Piece.STRIKER,
        PieceRole.JACK: rules.red,
    }
    left = {kind: on_board(state).get(piece, 1) for kind, piece in pieces.items()}
    return Stand(position.seat, left, pieces, _aim(state), position.pieces_each)


def on_board(state: MatchState) -> Mapping[Piece, int]:
    """Count what is on the board, by kind, without strikers."""
    return rules_for(state.settings.rules).on_board(state.position)


def _colours(state: MatchState) -> tuple[Piece, Piece]:
    """Return the shooter's colour and the other; if they are no side's, the more valuable first."""
    position, rules = state.position, rules_for(state.settings.rules)
    if counts_by_colour(rules):
        return position.side.piece, position.other(position.side).piece
    own = rules.own(position)
    first = Piece.BROWN if Piece.BROWN in own else Piece.BLACK
    return first, Piece.BLACK if first is Piece.BROWN else Piece.BROWN


def _aim(state: MatchState) -> AimedAt:
    """Return what the seat that is to shoot aims at."""
    position, rules = state.position, rules_for(state.settings.rules)
    side = position.side
    if rules.red is Piece.JACK:
        handicap = state.settings.handicaps.get(side)
        needed = handicap.pucks_needed if handicap else position.pieces_each
        count = position.count(side)
        ready = count.pocketed >= needed and count.owed == 0
        return AimedAt.JACK if ready else AimedAt.PIECES
    if position.red is not RedPlace.BOARD:
        return AimedAt.PIECES
    alone = Stroke(position.seat, (Departure(rules.red),))
    if rules.judge(state.settings, position, alone).after.red is not RedPlace.PENDING:
        return AimedAt.PIECES
    lies = on_board(state)
    left = sum(lies[piece] for piece in rules.own(position))
    return AimedAt.QUEEN_FIRST if left == 1 else AimedAt.QUEEN_TOO


def outcome_chances(stand: Stand, strength: Strength) -> Mapping[Outcome, float]:
    """Return the chance of everything a shot can pocket, nothing included; they add up to one."""
    left = tuple(stand.left[kind] for kind in PieceRole)
    return _outcome_chances(left, stand.pieces_each, strength, stand.aim)


@cache
def _outcome_chances(
    left: tuple[int, ...], pieces_each: int, strength: Strength, aim: AimedAt
) -> Mapping[Outcome, float]:
    count = dict(zip(PieceRole, left, strict=True))
    chances: dict[Outcome, float] = {}
    for outcome, row in OUTCOMES[aim].items():
        if any(outcome.count(kind) > count[kind] for kind in outcome):
            continue
        chance = row.of(strength)
        for kind in outcome:
            chance *= fewer(kind, count[kind], pieces_each, strength)
        chances[outcome] = chance
    return MappingProxyType({MISS: 1.0 - sum(chances.values()), **chances})


def fewer(kind: PieceRole, left: int, pieces_each: int, strength: Strength) -> float:
    """Return the factor of an outcome's chance for one of its pieces, with ``left`` of it left."""
    least = table.FEWER[kind].of(strength)
    share = left / pieces_each if kind in (PieceRole.OWN, PieceRole.OPPONENTS) else 1.0
    return least + (1.0 - least) * min(share, 1.0)


@cache
def order_chances(outcome: Outcome) -> Mapping[Outcome, float]:
    """Return the chance of every order in which the pieces of an outcome can fall."""
    orders = sorted(
        set(permutations(outcome)), key=lambda order: [list(PieceRole).index(k) for k in order]
    )
    if PieceRole.STRIKER not in outcome or len(outcome) == 1:
        return MappingProxyType({order: 1.0 / len(orders) for order in orders})
    last = [order for order in orders if order[-1] is PieceRole.STRIKER]
    other = len(orders) - len(last)
    return MappingProxyType(
        {
            order: table.STRIKER_LAST / len(last)
            if order[-1] is PieceRole.STRIKER
            else (1.0 - table.STRIKER_LAST) / other
            for order in orders
        }
    )


def pocket_chance(kind: PieceRole, pocket: Pocket, seat: Seat, before: Pocket | None) -> float:
    """Return the chance of a pocket for a piece; ``before`` is that of the piece before it."""
    far = table.FAR_POCKETS[kind]
    habit = (1.0 - far if pocket in BESIDE[seat] else far) / 2
    if before is None:
        return habit
    same = table.SAME_POCKET[kind]
    return same * (pocket is before) + (1.0 - same) * habit


def draw_pieces(
    stand: Stand, strength: Strength, rng: random.Random
) -> tuple[tuple[PieceRole, Pocket], ...]:
    """Draw what one shot pockets, in the order in which it falls."""
    outcome = drawn(outcome_chances(stand, strength), rng)
    order = drawn(order_chances(outcome), rng)
    fallen: list[tuple[PieceRole, Pocket]] = []
    before: Pocket | None = None
    for kind in order:
        chances = {each: pocket_chance(kind, each, stand.seat, before) for each in Pocket}
        before = drawn(chances, rng)
        fallen.append((kind, before))
    return tuple(fallen)


def draw_flown(
    stand: Stand, strength: Strength, fallen: Sequence[PieceRole], rng: random.Random
) -> PieceRole | None:
    """Draw which piece flies off the board besides those that fell, if any."""
    flies = rng.random() < table.FLIES_OFF.of(strength)
    return _if_there(stand, drawn(table.FLOWN, rng), fallen) if flies else None


def draw_late(
    stand: Stand, strength: Strength, gone: Sequence[PieceRole], rng: random.Random
) -> tuple[PieceRole, Pocket] | None:
    """Draw which piece drops into which pocket after the stroke has come to rest, if any."""
    hangs = rng.random() < table.LATE_FALL.of(strength)
    kind = _if_there(stand, drawn(table.LATE_PIECE, rng), gone) if hangs else None
    return None if kind is None else (kind, rng.choice(list(Pocket)))


def _if_there(stand: Stand, kind: PieceRole, gone: Sequence[PieceRole]) -> PieceRole | None:
    return kind if list(gone).count(kind) < stand.left[kind] else None


def drawn(chances: Mapping[Thing, float], rng: random.Random) -> Thing:
    """Draw a key by its chance."""
    return rng.choices(list(chances), list(chances.values()))[0]
