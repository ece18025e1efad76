"""One match from physics: computer players, a board of discs, beams; turns as traffic has them.

The result is turns like those that :mod:`jackspot_sim.traffic.matches` draws from its table, so
everything that plays those before a referee plays these. Pieces, pockets, times and pulses are
computed; what people do with their hands and fingers is drawn from the table of traffic.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial

from msgspec import Struct

from jackspot.core.directives import Say, Saying
from jackspot.core.match import Match, MatchState
from jackspot.core.options import is_agreed
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.rules import rules_for
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.sensing.limits import SECOND
from jackspot.values import changed
from jackspot_sim import physics
from jackspot_sim.chance import frequencies as table
from jackspot_sim.chance.frequencies import PieceRole, Referee, Strength
from jackspot_sim.chance.laws import MS
from jackspot_sim.physics import (
    Flick,
    Flown,
    Lying,
    PieceFall,
    board_of,
    choose,
    opening,
    put_back,
    shoot,
    task_of,
)
from jackspot_sim.physics.boards import disc_of
from jackspot_sim.physics.discs import Blow, blows_of_shot
from jackspot_sim.sensing import SensedFalls, sense
from jackspot_sim.sensing.heads import BoardHeads, Heads
from jackspot_sim.sensing.quality import Sensors
from jackspot_sim.soak.beams import dirtied, gone_dark, in_the_sun
from jackspot_sim.traffic.matches import (
    NOTHING_OUT,
    TimedShot,
    TimedTurn,
    as_legal,
    draw_flags,
    draw_hasty_hand,
    fallen_into,
    strikers_to_fetch,
)
from jackspot_sim.traffic.passing import APART_NS, Cause, Passage, draw_spikes
from jackspot_sim.traffic.people import AFTER_A_MISS_NS, draw_hands, draw_plan, fetched_from
from jackspot_sim.traffic.shots import Stand, stand_of

CALLED_LATE_NS = 1_500 * MS
"""A piece that falls sooner than this after the rest is part of the stroke to everybody."""


class Played(Struct, frozen=True):
    """One shot as the pieces went: the flick, what was on the board before, and what it did.

    ``resting`` is what is on the board when everything is over, late falls included, ``after`` the
    same once people have put back what the rules send back.
    """

    before: tuple[Lying, ...]
    flick: Flick
    shot: physics.Shot
    resting: tuple[Lying, ...]
    after: tuple[Lying, ...]


Camera = Callable[[Played], None]
"""Called for each shot once its pieces have been put back."""


def unseen(played: Played) -> None:
    """Watch nothing."""
    del played


@dataclass(slots=True)
class _Table:
    """The pieces of one board: what lies on the wood, and what is out, by kind."""

    lying: tuple[Lying, ...]
    out: dict[Piece, list[int]] = field(default_factory=dict)
    shot: set[Seat] = field(default_factory=set)
    """Who has had a first shot."""
    moved: bool = False
    """Whether the opening has been broken."""
    flicked: tuple[Flick, physics.Shot] = field(init=False)
    """The last flick, and what it did."""

    def take_out(self, gone: Iterable[PieceFall | Flown]) -> None:
        """Keep what has left the board beside it; strikers are not counted."""
        for each in gone:
            if each.piece is not Piece.STRIKER:
                self.out.setdefault(each.piece, []).append(each.number)


def play(
    settings: MatchSettings, strength: Strength, referee: Referee, seed: str, sensors: Sensors,
    most_shots: int, camera: Camera = unseen, heads: Heads | None = None,
) -> Iterator[TimedTurn]:  # fmt: skip
    """Play a match shot by shot until it is over, or up to a number of shots."""
    board_heads = None if heads is None else BoardHeads(heads, seed)
    people = random.Random(f"people {referee} {seed}")
    chance = random.Random(f"hands {seed}")
    match, fallen = Match.begin(settings), 0
    lying, on = NOTHING_OUT, _laid_out(match)
    for number in range(most_shots):
        if match.state.over:
            return
        if match.state.result is not None:
            match = match.enter(Say(Saying.BOARD))
            lying, on = NOTHING_OUT, _laid_out(match)
        now = dirtied(sensors, match, fallen)
        before, out = on.lying, {piece: list(numbers) for piece, numbers in on.out.items()}
        shot, after = _shoot(match, on, strength, f"{seed} {number}", now, chance, board_heads)
        if _is_void(settings, shot.stroke):
            on.lying, on.out = before, out
        fallen += len(shot.stroke.departures)
        lying = fallen_into(lying, shot.stroke)
        taken, lying = fetched_from(after.state.place, lying, chance)
        rest_ns = shot.late.end_ns if shot.late else shot.over_ns
        ended = after.state.result is not None
        hands = () if ended else draw_hands(
            strength, rest_ns, strikers_to_fetch(shot), taken, chance
        )  # fmt: skip
        shot, hands = in_the_sun(now, shot, hands, chance)
        hands = (*hands, *gone_dark(sensors, match, after, shot))
        if board_heads is not None:
            shot = changed(shot, falls=_seen_by(board_heads, shot.falls))
            hands = _seen_by(board_heads, hands)
        seat = shot.stroke.seat
        plan = draw_plan(referee, seat, settings.seats, shot.ends_ns, people)
        rest_ns = max([rest_ns, *(each.end_ns for each in hands if each.cause is Cause.HAND)])
        yield TimedTurn(match, after, shot, hands, plan, rest_ns, _blows(settings, on))
        resting = on.lying
        _place(match, after, on, shot)
        camera(Played(before, *on.flicked, resting, on.lying))
        match = after


def _blows(settings: MatchSettings, on: _Table) -> tuple[Blow, ...]:
    """Return what the last flick did to the board."""
    board, (flick, done) = board_of(settings.rules), on.flicked
    mass_g = disc_of(board, Piece.STRIKER).mass_g
    return blows_of_shot(board, flick, mass_g, done.contacts)


def _is_void(settings: MatchSettings, stroke: Stroke) -> bool:
    """Whether everything goes back to where it was (a piece of the own area was hit)."""
    return Flag.AREA in stroke.flags and is_agreed(settings, "area_hit", "restore")


def _laid_out(match: Match) -> _Table:
    """Lay the pieces out for a board."""
    state = match.state
    system, position = state.settings.rules, state.position
    counts = Counter({each.piece: 0 for each in opening(system)})
    counts.update(each.piece for each in opening(system))
    here = rules_for(system).on_board(position)
    without = {kind: count - here.get(kind, 0) for kind, count in counts.items()}
    return _Table(opening(system, state.opener, without))


def _shoot(
    match: Match, on: _Table, strength: Strength, seed: str, sensors: Sensors, rng: random.Random,
    heads: BoardHeads | None,
) -> tuple[TimedShot, Match]:  # fmt: skip
    """Let the seat whose turn it is shoot, and move the pieces on the table."""
    board = board_of(match.state.settings.rules)
    stand = stand_of(match.state)
    task = task_of(match.state, on.lying, first=stand.seat not in on.shot)
    done = _flicked(on, choose(task, strength, seed).flick, board, seed)
    flags = _flags(match, on, done, task.forbidden, draw_flags(match, stand, strength, rng))
    on.moved = on.moved or done.first_hit is not None
    on.shot.add(stand.seat)
    look = partial(sense, board, sensors=sensors, rng=rng, apart_ns=APART_NS, heads=heads)
    in_time, sensed = _in_time(done, look)
    hung = [each for each in done.falls if each not in in_time]
    passages = _passages(sensed, stand)
    at_first = tuple(Departure(each.piece, each.pocket) for each in in_time)
    off = tuple(Departure(each.piece, flew_off=True) for each in done.flown)
    stroke = as_legal(match, Stroke(stand.seat, (*at_first, *off), flags))
    falls = (*passages, *_hasty(in_time, stand, passages, strength, rng))
    gone: list[PieceFall | Flown] = [*in_time, *done.flown]
    last: Passage | None = None
    dropped: tuple[SensedFalls, ...] = ()
    if hung and match.enter(stroke).state.result is None:
        fall, *hung = hung
        gone.append(fall)
        longer = (*at_first, Departure(fall.piece, fall.pocket), *off)
        stroke = as_legal(match, Stroke(stand.seat, longer, stroke.flags))
        dropped = look([fall])
        last = _as_one(_passages(dropped, stand))
    on.lying = (*done.resting, *_left_hanging(hung, on.lying, board))
    on.take_out(gone)
    unseen = [fall for each in sensed if not each.pulses for fall in each.falls]
    missed = tuple(Departure(fall.piece, fall.pocket) for fall in unseen)
    flown = done.flown[0].piece if done.flown else None
    shot = TimedShot(
        stand, strength, table.AIMING[strength].draw_ns(rng), stroke, at_first, falls, missed,
        flown, last, draw_spikes(passages, rng, {each: sensors[each].spikes for each in sensors}),
        tuple(f for each in (*sensed, *dropped) if not each.pulses for f in each.seen),
        tuple(round(fall.at_s * SECOND) for fall in unseen),
    )  # fmt: skip
    return shot, match.enter(stroke)


def _flags(
    match: Match, on: _Table, done: physics.Shot, forbidden: frozenset[int], drawn: Set[Flag]
) -> frozenset[Flag]:
    """Return the flags of a stroke: those that the physics decides are taken from there."""
    settings = match.state.settings
    known, flags = rules_for(settings.rules).flags, set(drawn) - {Flag.AREA}
    if Flag.AREA in known and is_agreed(settings, "area_rule", value=True):
        hit = done.first_hit in forbidden and not done.by_frame
        flags |= {Flag.AREA} if hit else set()
    if Flag.NOBREAK in known and not on.moved:
        flags |= {Flag.NOBREAK} if done.first_hit is None else set()
    return frozenset(flags)


def _in_time(
    done: physics.Shot, look: Callable[[Sequence[PieceFall]], tuple[SensedFalls, ...]]
) -> tuple[list[PieceFall], tuple[SensedFalls, ...]]:
    """Return what everybody takes to have fallen in the stroke, and what the beams see of it."""
    in_time = [each for each in done.falls if not each.late]
    sensed = look(in_time)
    ends_ns = [each.pulses[-1].end_ns for each in sensed if each.pulses]
    ends_ns += [round(f.at_s * SECOND) for each in sensed if not each.pulses for f in each.falls]
    until_ns = max(ends_ns, default=AFTER_A_MISS_NS) + CALLED_LATE_NS
    soon = [each for each in done.falls if each.late and each.at_s * 1e9 < until_ns]
    if soon:
        in_time += soon
        sensed = look(in_time)
    return in_time, sensed


def _flicked(on: _Table, flick: Flick, board: physics.PhysicalBoard, seed: str) -> physics.Shot:
    done = shoot(board, on.lying, flick, seed)
    on.flicked = flick, done
    return done


def _left_hanging(
    still: Sequence[PieceFall], before: Sequence[Lying], board: physics.PhysicalBoard
) -> Iterator[Lying]:
    """Return pieces that keep hanging after all: two do not fall late in one turn."""
    for fall in still:
        x, y = board.pocket_at(fall.pocket)
        piece = next(each.piece for each in before if each.number == fall.number)
        yield Lying(fall.number, piece, x + fall.drop.x_mm, y + fall.drop.y_mm)


def kind_of(piece: Piece, stand: Stand) -> PieceRole:
    """Return what a piece is to the seat that shoots."""
    return next(kind for kind, known in stand.pieces.items() if known is piece)


def _passages(sensed: Sequence[SensedFalls], stand: Stand) -> tuple[Passage, ...]:
    return tuple(
        Passage(
            Cause.PIECES, each.pocket, tuple(kind_of(f.piece, stand) for f in each.falls),
            each.pulses, each.seen,
        )
        for each in sensed
        if each.pulses
    )  # fmt: skip


def _seen_by(heads: BoardHeads, passages: Iterable[Passage]) -> tuple[Passage, ...]:
    """Let colour heads see the hands among some passages; they have seen the pieces already."""
    return tuple(
        changed(each, seen=heads.of_hand(each.pulses)) if each.cause is Cause.HAND else each
        for each in passages
    )


def _as_one(found: Sequence[Passage]) -> Passage | None:
    """Return all the pulses of one piece together: it may tumble through a beam twice."""
    pulses = tuple(pulse for each in found for pulse in each.pulses)
    seen = tuple(frame for each in found for frame in each.seen)
    return changed(found[0], pulses=pulses, seen=seen) if found else None


def _hasty(
    falls: Sequence[PieceFall], stand: Stand, passages: Sequence[Passage], strength: Strength,
    rng: random.Random,
) -> tuple[Passage, ...]:  # fmt: skip
    fallen: list[tuple[PieceRole, Pocket]] = [(kind_of(f.piece, stand), f.pocket) for f in falls]
    return draw_hasty_hand(fallen, passages, strength, rng)


def sent_back(
    state: MatchState, lying: Sequence[Lying], out: Mapping[Piece, list[int]]
) -> list[tuple[int, Piece]]:
    """Take from what is ``out`` the pieces that go back on the board, bottom to top.

    After a stroke that was restored some of them are there again, and are left.
    """
    short = Counter(dict(rules_for(state.settings.rules).on_board(state.position)))
    short -= Counter(each.piece for each in lying)
    back: list[tuple[int, Piece]] = []
    for piece in state.place:
        if short[piece] > 0:
            short[piece] -= 1
            back.append((out[piece].pop(), piece))
    return back


def _place(match: Match, after: Match, on: _Table, shot: TimedShot) -> None:
    """Put back what the rules send back, and check the table against the counts."""
    system = after.state.settings.rules
    back = sent_back(after.state, on.lying, on.out)
    on.lying = put_back(system, on.lying, back)
    if after.state.result is None:
        have = Counter(each.piece for each in on.lying)
        wanted = Counter(dict(rules_for(system).on_board(after.state.position)))
        if +have != +wanted:
            raise AssertionError(
                f"after {shot.stroke}: {dict(have)} on the table, {dict(wanted)} by the rules "
                f"(before: {match.state.position.counts})"
            )
