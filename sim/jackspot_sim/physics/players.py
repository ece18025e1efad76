"""Computer players: which piece, which pocket, where the striker stands, how hard.

A player looks for straight shots: the striker must arrive where it touches the piece on the far
side of the line from piece to pocket (the *ghost*), and nothing may be in its way or in the
piece's. Of all such shots the player takes the one with the best chance for a hand as sure as its
own. Then the hand errs in direction and in force, by as much as its strength says. If there is no
such shot, it hits the nearest wanted piece hard and luck does the rest. It does not look for
combinations, and for cushions only where the match asks for one.

It keeps to what was agreed: the pocket that was called for the jack, a jack by a cushion, own pucks
that do not count beside the own seat, an own area that may be struck after all.

Pure and seeded: the same task, strength and seed give the same flick.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from jackspot.core.directives import RedPlace
from jackspot.core.match import MatchState
from jackspot.core.options import is_agreed
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.rules import rules_for
from jackspot.core.rules.jack.carom import OWN_SIDE_POCKETS
from jackspot.core.settings import Handicap, RuleSystem
from jackspot.core.stroke import Departure, Stroke
from jackspot_sim.chance.frequencies import Strength
from jackspot_sim.physics.boards import (
    GRAVITY_MM_S2,
    PhysicalBoard,
    board_of,
    disc_of,
    tips_within_mm,
)
from jackspot_sim.physics.figures import Figure, Figures, Source
from jackspot_sim.physics.places import (
    as_seen,
    bound_by_area,
    is_free,
    out_of_bounds,
    place_striker,
    placing,
    seen_from,
)
from jackspot_sim.physics.values import Flick, Lying

STRENGTHS = (Strength.BEGINNER, Strength.CLUB, Strength.MASTER)
"""The strengths that a computer player can have."""


class Hand(Struct, frozen=True):
    """How sure a hand is: standard deviations of its errors."""

    direction_deg: float
    force_share: float


_GUESS = Source.GUESS
FIGURES: Mapping[Strength, Figures] = {
    Strength.BEGINNER: {
        "direction_deg": Figure(2.8, "°", _GUESS, "Three strokes of ten pocket something."),
        "force_share": Figure(0.25, "", _GUESS, "A quarter too hard or too soft is usual."),
    },
    Strength.CLUB: {
        "direction_deg": Figure(1.1, "°", _GUESS, "Two strokes of five pocket an own piece."),
        "force_share": Figure(0.15, "", _GUESS, "A practised finger."),
    },
    Strength.MASTER: {
        "direction_deg": Figure(0.4, "°", _GUESS, "Straight shots are hardly missed."),
        "force_share": Figure(0.08, "", _GUESS, "A finger with much practice."),
    },
}
HANDS: Mapping[Strength, Hand] = {
    strength: Hand(figures["direction_deg"].value, figures["force_share"].value)
    for strength, figures in FIGURES.items()
}

THINNEST = 0.3
"""Cosine of the thinnest cut that is tried: thinner ones are luck."""
PLACES = 15
"""How many places along the line a player tries."""
SPARE_MM = 0.5
"""How much room a path needs on either side."""
ARRIVES_MM_S = 350.0
"""A piece should have this speed left at the pocket: it forgives a little friction."""


class Task(Struct, frozen=True):
    """The task that a player faces.

    ``wanted`` is what each piece (by number) is worth to pocket; ``forbidden`` are pieces that
    may not be struck directly. ``pockets`` has the pockets that count, for kinds for which not all
    do. ``banks``: a wanted piece must meet a cushion on its way.
    """

    system: RuleSystem
    seat: Seat
    lying: tuple[Lying, ...]
    wanted: Mapping[int, float]
    forbidden: frozenset[int] = frozenset()
    first: bool = False
    pockets: Mapping[Piece, tuple[Pocket, ...]] = field(default_factory=dict)
    banks: bool = False


class FlickChoice(Struct, frozen=True):
    """What a player does: the flick, and what it was meant to do (None: whatever happens)."""

    flick: Flick
    number: int | None
    pocket: Pocket | None
    chance: float


def task_of(
    state: MatchState, lying: Sequence[Lying], *, first: bool, called: Pocket | None = None
) -> Task:
    """Return what the seat that is to shoot wants; ``first``: its first shot of the board.

    ``called`` is the pocket that was named for the jack.
    """
    position, system = state.position, state.settings.rules
    bound = bound_by_area(state.settings, position.seat)
    forbidden = out_of_bounds(position.seat, lying) if bound else ()
    kinds = wanted_kinds(state, lying)
    handicap = state.settings.handicaps.get(position.side, Handicap())
    return Task(
        system, position.seat, tuple(lying),
        {each.number: kinds[each.piece] for each in lying if each.piece in kinds},
        frozenset(each.number for each in forbidden), first, _pockets(state, called),
        banks=handicap.must_bank and Piece.JACK in kinds,
    )  # fmt: skip


def must_call(state: MatchState, lying: Sequence[Lying]) -> bool:
    """Whether the seat that is to shoot plays the jack, and must use a pocket that was named."""
    handicap = state.settings.handicaps.get(state.position.side, Handicap())
    return handicap.called_pocket and Piece.JACK in wanted_kinds(state, lying)


def _pockets(state: MatchState, called: Pocket | None) -> dict[Piece, tuple[Pocket, ...]]:
    """Return the pockets that count, for each kind for which not all do."""
    position, settings = state.position, state.settings
    found: dict[Piece, tuple[Pocket, ...]] = {}
    if is_agreed(settings, "own_side_pockets", value=False):
        beside = OWN_SIDE_POCKETS[position.seat]
        found |= dict.fromkeys(
            rules_for(settings.rules).own(position),
            tuple(pocket for pocket in Pocket if pocket not in beside),
        )
    if called is not None:
        found[Piece.JACK] = (called,)
    return found


def wanted_kinds(state: MatchState, lying: Sequence[Lying]) -> Mapping[Piece, float]:
    """Return which kinds the seat that is to shoot wants to pocket, and what each is worth."""
    position, rules = state.position, rules_for(state.settings.rules)
    own = rules.own(position)
    if rules.red is Piece.JACK:
        handicap = state.settings.handicaps.get(position.side)
        needed = handicap.pucks_needed if handicap else position.pieces_each
        count = position.count(position.side)
        ready = count.pocketed >= needed and count.owed == 0
        return {Piece.JACK: 1.0} if ready else dict.fromkeys(own, 1.0)
    worth = {kind: 2.0 if kind is Piece.BROWN else 1.0 for kind in own}
    if position.red is not RedPlace.BOARD:
        return worth
    alone = Stroke(position.seat, (Departure(rules.red),))
    allowed = rules.judge(state.settings, position, alone).after.red is RedPlace.PENDING
    left = sum(each.piece in own for each in lying)
    if left <= 1 and allowed:
        return {rules.red: 1.0}
    return {**worth, rules.red: 1.5} if allowed else worth


def choose(task: Task, strength: Strength, seed: int | str = 0) -> FlickChoice:
    """Choose a shot and let the hand err; KeyError for a strength without a hand."""
    rng, hand = random.Random(f"player {seed}"), HANDS[strength]
    best = _best(task, hand)
    meant = best or _luck(task, rng)
    flick = meant.flick
    board = board_of(task.system)
    angle = flick.angle_rad + math.radians(rng.gauss(0.0, hand.direction_deg))
    speed = flick.speed_mm_s * math.exp(rng.gauss(0.0, hand.force_share))
    erred = Flick(flick.x_mm, flick.y_mm, min(speed, board.fastest_mm_s), angle)
    return FlickChoice(erred, meant.number, meant.pocket, meant.chance)


# --- straight shots --------------------------------------------------------------------------


class _Line(Struct, frozen=True):
    """A piece's free way to a pocket; ``way`` is the direction in which it sets out.

    ``apart_mm`` is the distance between the middles of striker and piece when they touch,
    ``needs_mm_s`` how fast the piece must set out to arrive.
    """

    each: Lying
    pocket: Pocket
    way: tuple[float, float]
    length_mm: float
    apart_mm: float
    needs_mm_s: float


class _Aim(Struct, frozen=True):
    """Where the striker must arrive to send a piece along its line, from one place.

    ``cut`` is the cosine of the angle between the striker's way and the line of the two middles.
    """

    ghost: tuple[float, float]
    far_mm: float
    angle_rad: float
    cut: float


def _best(task: Task, hand: Hand) -> FlickChoice | None:
    """Return the straight shot with the best chance, if there is any."""
    board = board_of(task.system)
    starts = list(_starts(task, board))
    found: list[tuple[float, float, _Line, tuple[float, float], _Aim]] = []
    for line in _lines(task, board):
        worth = task.wanted[line.each.number]
        for start in starts:
            aim = _aimed(board, line, start)
            if aim is None or not _leaves_forwards(task, start, aim.ghost):
                continue
            chance = _chance(board, line, aim, hand)
            if chance > 0.0:
                found.append((chance * worth, chance, line, start, aim))
    found.sort(key=lambda one: (-one[0], one[2].each.number, one[2].pocket, one[3]))
    for _value, chance, line, start, aim in found:
        if _is_clear(board, task.lying, Piece.STRIKER, start, aim.ghost, line.each.number):
            speed = _speed_for(board, line, aim)
            flick = Flick(start[0], start[1], speed, aim.angle_rad)
            return FlickChoice(flick, line.each.number, line.pocket, chance)
    return None


def _starts(task: Task, board: PhysicalBoard) -> Iterator[tuple[float, float]]:
    """Return free places on the player's line, as x and y."""
    where = placing(task.system, first=task.first)
    if where.tee:
        at = place_striker(task.system, task.seat, task.lying, (0.0, 0.0), first=True)
        if at is not None:
            yield at
        return
    radius = disc_of(board, Piece.STRIKER).radius_mm
    alongs = [where.along_mm * (2 * part / (PLACES - 1) - 1) for part in range(PLACES)]
    places = [(along, where.usual_mm) for along in alongs] + list(where.spots)
    for along, out in places:
        at = seen_from(task.seat, along, out)
        if is_free(board, task.lying, at, radius):
            yield at


def _lines(task: Task, board: PhysicalBoard) -> Iterator[_Line]:
    """Return every wanted piece's free ways to pockets."""
    reach = disc_of(board, Piece.STRIKER).radius_mm
    for each in task.lying:
        if each.number not in task.wanted or each.number in task.forbidden or each.level:
            continue
        apart = reach + disc_of(board, each.piece).radius_mm
        for pocket in task.pockets.get(each.piece, tuple(Pocket)):
            if task.banks:
                yield from _by_cushions(task, board, each, pocket, apart)
                continue
            at_x, at_y = board.pocket_at(pocket)
            dx, dy = at_x - each.x_mm, at_y - each.y_mm
            length = math.hypot(dx, dy)
            if length < 1.0:
                continue
            way = (dx / length, dy / length)
            start = (each.x_mm, each.y_mm)
            if _is_clear(board, task.lying, each.piece, start, (at_x, at_y), each.number):
                needs = math.sqrt(ARRIVES_MM_S**2 + _slows(board) * length)
                yield _Line(each, pocket, way, length, apart, needs)


def _by_cushions(
    task: Task, board: PhysicalBoard, each: Lying, pocket: Pocket, apart_mm: float
) -> Iterator[_Line]:
    """Return a piece's free ways to a pocket by one cushion.

    The frame returns a part of the speed across it, and its friction takes away from that along
    it: a third, until the piece rolls along the frame, or what friction can.
    """
    most = board.frame_friction * (1 + board.frame_bounce)
    rolls, wall = 3 * most, board.half_mm - disc_of(board, each.piece).radius_mm
    for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1)):
        here = (each.x_mm, each.y_mm)
        there = board.pocket_at(pocket)
        to, back = wall - sign * here[axis], wall - sign * there[axis]
        aside = there[1 - axis] - here[1 - axis]
        if to < 1.0 or back < board.half_mm:
            continue
        steep = abs(aside) / (to + back * 2 / (3 * board.frame_bounce))
        if steep > rolls:
            steep = (abs(aside) + back * most / board.frame_bounce) / (
                to + back / board.frame_bounce
            )
        left = steep * 2 / 3 if steep <= rolls else steep - most
        met = [0.0, 0.0]
        met[axis], met[1 - axis] = sign * wall, here[1 - axis] + math.copysign(steep * to, aside)
        at = (met[0], met[1])
        clear = _is_clear(board, task.lying, each.piece, here, at, each.number) and _is_clear(
            board, task.lying, each.piece, at, there, each.number
        )
        first, second = math.dist(here, at), math.dist(at, there)
        if not clear or abs(met[1 - axis]) > wall - board.pocket_mm:
            continue
        kept = (board.frame_bounce**2 + left**2) / (1 + steep**2)
        slows = _slows(board)
        needs = math.sqrt((ARRIVES_MM_S**2 + slows * second) / kept + slows * first)
        way = ((at[0] - here[0]) / first, (at[1] - here[1]) / first)
        yield _Line(each, pocket, way, first + second, apart_mm, needs)


def _slows(board: PhysicalBoard) -> float:
    """Return what the square of a piece's speed loses with each millimetre."""
    return 2 * board.board_friction * GRAVITY_MM_S2


def _aimed(board: PhysicalBoard, line: _Line, start: tuple[float, float]) -> _Aim | None:
    """Find where the striker must arrive, allowing for friction between the two.

    In a cut the striker's rim drags the piece along: it leaves not along the line of the two
    middles but turned by an angle whose tangent is the ratio of the impulses: ``tan(cut) / 3 (1
    + e)`` while they come to roll on each other, and the coefficient of friction at most.
    None for cuts that are too thin, and if the frame is in the way.
    """
    turned = 0.0
    for _ in range(3):
        cos, sin = math.cos(turned), math.sin(turned)
        nx = line.way[0] * cos - line.way[1] * sin
        ny = line.way[0] * sin + line.way[1] * cos
        ghost = (line.each.x_mm - nx * line.apart_mm, line.each.y_mm - ny * line.apart_mm)
        dx, dy = ghost[0] - start[0], ghost[1] - start[1]
        far = math.hypot(dx, dy)
        if far < 1.0:
            return None
        cut = (dx * nx + dy * ny) / far
        if cut < THINNEST:
            return None
        aside = (nx * dy - ny * dx) / far
        drag = min(abs(aside) / cut / (3 * (1 + board.piece_bounce)), board.piece_friction)
        turned = -math.copysign(math.atan(drag), aside)
    room = board.half_mm - disc_of(board, Piece.STRIKER).radius_mm
    if abs(ghost[0]) > room or abs(ghost[1]) > room:
        return None
    return _Aim(ghost, far, math.atan2(dy, dx), cut)


def _chance(board: PhysicalBoard, line: _Line, aim: _Aim, hand: Hand) -> float:
    """Estimate how likely a hand is to pocket a piece so; 0 if no finger is strong enough."""
    if _speed_for(board, line, aim) > board.fastest_mm_s:
        return 0.0
    disc = disc_of(board, line.each.piece)
    opening_rad = max(tips_within_mm(board, disc) - 1.0, 1.0) / line.length_mm
    off_rad = math.radians(hand.direction_deg) * aim.far_mm / (line.apart_mm * aim.cut)
    chance = math.erf(opening_rad / (off_rad * math.sqrt(2.0)))
    follows = 0.12 if aim.cut > 0.995 else 0.0  # the striker runs on into the pocket
    return chance * (1.0 - follows)


def _speed_for(board: PhysicalBoard, line: _Line, aim: _Aim) -> float:
    """Compute how fast the striker must leave for the piece to arrive."""
    striker, struck = disc_of(board, Piece.STRIKER), disc_of(board, line.each.piece)
    passed_on = (1 + board.piece_bounce) * striker.mass_g / (striker.mass_g + struck.mass_g)
    return math.sqrt((line.needs_mm_s / (passed_on * aim.cut)) ** 2 + _slows(board) * aim.far_mm)


def _leaves_forwards(task: Task, start: tuple[float, float], to: tuple[float, float]) -> bool:
    """Whether the striker crosses its line away from the player, if the rules ask for it."""
    if placing(task.system).backwards:
        return True
    _along, before = as_seen(task.seat, *start)
    _along, after = as_seen(task.seat, *to)
    return after < before - 5.0


def _is_clear(
    board: PhysicalBoard, lying: Sequence[Lying], piece: Piece, start: tuple[float, float],
    end: tuple[float, float], but: int,
) -> bool:  # fmt: skip
    """Whether a disc's way is free, except for the piece with one number."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy)
    if length == 0.0:
        return True
    ux, uy = dx / length, dy / length
    mine = disc_of(board, piece).radius_mm + SPARE_MM
    for each in lying:
        if each.number == but:
            continue
        px, py = each.x_mm - start[0], each.y_mm - start[1]
        along = px * ux + py * uy
        beside = abs(px * uy - py * ux)
        room = mine + disc_of(board, each.piece).radius_mm
        if beside < room and -room < along < length + room:
            nearest = min(max(along, 0.0), length)
            if math.hypot(px - nearest * ux, py - nearest * uy) < room:
                return False
    return True


# --- and where there is none --------------------------------------------------------------------


def _luck(task: Task, rng: random.Random) -> FlickChoice:
    """Hit the nearest wanted piece that may be hit, or anything, hard."""
    board = board_of(task.system)
    starts = list(_starts(task, board)) or [seen_from(task.seat, 0.0, board.line_from_middle_mm)]
    start = rng.choice(starts)
    allowed = [each for each in task.lying if each.number not in task.forbidden]
    forwards = [
        each for each in allowed if _leaves_forwards(task, start, (each.x_mm, each.y_mm))
    ] or allowed
    wanted = [each for each in forwards if each.number in task.wanted] or forwards
    speed = board.fastest_mm_s * rng.uniform(0.5, 0.9)
    if not wanted:
        angle = math.atan2(-start[1], -start[0])
        return FlickChoice(Flick(*start, speed, angle), None, None, 0.0)
    free = [
        each
        for each in wanted
        if _is_clear(board, task.lying, Piece.STRIKER, start, (each.x_mm, each.y_mm), each.number)
    ] or wanted
    nearest = min(free, key=lambda e: (math.dist(start, (e.x_mm, e.y_mm)), e.number))
    angle = math.atan2(nearest.y_mm - start[1], nearest.x_mm - start[0])
    return FlickChoice(Flick(*start, speed, angle), None, None, 0.0)
