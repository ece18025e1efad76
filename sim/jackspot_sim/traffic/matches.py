"""Whole matches of traffic: a true game, what beams see of it, and what people press.

The true game is a :class:`jackspot.core.match.Match` that is entered stroke by stroke as it
really happened, so that whatever is drawn next is possible. What a board makes of it is not
decided here. Chance comes from two seeded generators, one for pieces and one for people: the
same seed plays the same strokes before any kind of referee.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from jackspot.core.agreement import option
from jackspot.core.directives import Say, Saying
from jackspot.core.match import IllegalEntry, Match
from jackspot.core.options import is_agreed
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import MatchSettings, RuleSystem
from jackspot.core.stroke import Departure, Flag, Stroke
from jackspot.sensing.events import ColourSeen, Pulse
from jackspot_sim.chance import frequencies as table
from jackspot_sim.chance.frequencies import DEPTH_MM, PieceRole, Referee, Strength
from jackspot_sim.physics.discs import Blow
from jackspot_sim.traffic.passing import (
    Cause,
    Passage,
    draw_hand,
    draw_passages,
    draw_spikes,
)
from jackspot_sim.traffic.people import (
    AFTER_A_MISS_NS,
    Lying,
    StrokePlan,
    draw_hands,
    draw_plan,
    fetched_from,
)
from jackspot_sim.traffic.shots import Stand, draw_flown, draw_late, draw_pieces, stand_of

Strengths = Strength | Mapping[Seat, Strength]
"""One strength for everybody, or one for each seat."""


class TimedShot(Struct, frozen=True):
    """One shot. Every time is in nanoseconds from the shot itself.

    ``stroke`` is the whole truth, including late and unseen pieces and flags; ``at_first`` is what
    fell before the stroke came to rest. ``falls`` are the passages of the stroke in order, a hasty
    hand's included; ``late`` is that of a piece that dropped afterwards.
    """

    stand: Stand
    strength: Strength
    aiming_ns: int
    """The time from the rest of the stroke before to this shot."""
    stroke: Stroke
    at_first: tuple[Departure, ...]
    falls: tuple[Passage, ...]
    missed: tuple[Departure, ...]
    """What fell and no beam saw."""
    flown: Piece | None
    late: Passage | None
    spikes: tuple[Pulse, ...]
    """Noise on the wires, each pulse far under 2 ms; none of it may arrive."""
    by_heads: tuple[ColourSeen, ...] = ()
    """What colour heads saw of pieces that no beam saw."""
    unseen_ns: tuple[int, ...] = ()
    """When the pieces of ``missed`` fell: people see them."""

    @property
    def ends_ns(self) -> tuple[int, ...]:
        """When each fall was over, as people see it."""
        return (*(each.end_ns for each in self.falls), *self.unseen_ns)

    @property
    def over_ns(self) -> int:
        """When the stroke has come to rest."""
        return max(self.ends_ns, default=AFTER_A_MISS_NS)


class TimedTurn(Struct, frozen=True):
    """One shot in its match, with everything that people do until the next one.

    ``hands`` are passages of hands and of nothing at all after the stroke, ``plan`` is what is
    pressed for it; their times are from the shot too.
    """

    before: Match
    after: Match
    shot: TimedShot
    hands: tuple[Passage, ...]
    plan: StrokePlan
    rest_ns: int
    """When the last hand is out again, from the shot; nobody shoots before that."""
    blows: tuple[Blow, ...] = ()
    """What the shot did to the board, if that was computed; times are from the shot too."""


def draw_shot(
    match: Match, strength: Strength, rng: random.Random, depth_mm: float = DEPTH_MM
) -> TimedShot:
    """Draw one shot of the seat whose turn it is; ValueError if no stroke can follow."""
    stand = stand_of(match.state)
    aiming_ns = table.AIMING[strength].draw_ns(rng)
    fallen = draw_pieces(stand, strength, rng)
    sensed = draw_passages(fallen, rng, depth_mm, queen=stand.queen)
    at_first = tuple(Departure(stand.pieces[kind], pocket) for kind, pocket in fallen)
    kinds = [kind for kind, _ in fallen]
    flown = draw_flown(stand, strength, kinds, rng)
    off = () if flown is None else (Departure(stand.pieces[flown], flew_off=True),)
    flags = draw_flags(match, stand, strength, rng)
    stroke = as_legal(match, Stroke(stand.seat, (*at_first, *off), flags))
    falls = (*sensed.passages, *draw_hasty_hand(fallen, sensed.passages, strength, rng))
    gone = kinds if flown is None else [*kinds, flown]
    over_ns = falls[-1].end_ns if falls else AFTER_A_MISS_NS
    late, late_passage = draw_late(stand, strength, gone, rng), None
    if late is not None and match.enter(stroke).state.result is None:
        dropped = draw_passages([late], rng, depth_mm, queen=stand.queen)
        delay_ns = table.LATE_DELAY.draw_ns(rng)
        late_passage = moved(dropped.passages[0], over_ns + delay_ns) if dropped.passages else None
        longer = Departure(stand.pieces[late[0]], late[1])
        stroke = Stroke(stand.seat, (*at_first, longer, *off), flags)
    return TimedShot(
        stand, strength, aiming_ns, stroke, at_first, falls,
        tuple(Departure(stand.pieces[kind], pocket) for kind, pocket in sensed.missed),
        None if flown is None else stand.pieces[flown], late_passage,
        draw_spikes(falls, rng), unseen_ns=(over_ns,) * len(sensed.missed),
    )  # fmt: skip


def draw_hasty_hand(
    fallen: Sequence[tuple[PieceRole, Pocket]],
    passages: Sequence[Passage],
    strength: Strength,
    rng: random.Random,
) -> tuple[Passage, ...]:
    """Draw a hand that reaches after the striker while the board still listens."""
    pockets = [pocket for kind, pocket in fallen if kind is PieceRole.STRIKER]
    if not pockets or not passages or rng.random() >= table.HASTY_HAND.of(strength):
        return ()
    end_ns = max(each.end_ns for each in passages)
    return draw_hand(pockets[0], end_ns + table.HASTY_DELAY.draw_ns(rng), rng)


def draw_flags(
    match: Match, stand: Stand, strength: Strength, rng: random.Random
) -> frozenset[Flag]:
    """Draw what a referee calls about a stroke."""
    flags: set[Flag] = set()
    if rng.random() < table.OBVIOUS_FOUL.of(strength):
        flags.add(Flag.FOUL)
    hit = rng.random() < table.AREA_HIT.of(strength)
    if hit and not stand.queen and is_agreed(match.settings, "area_rule", True):
        flags.add(Flag.AREA)
    side = match.state.position.seat_sides[stand.seat]
    partners = sum(each is side for each in match.state.position.seat_sides.values())
    return frozenset(flags if partners > 1 else flags - {Flag.AREA})


def as_legal(match: Match, stroke: Stroke) -> Stroke:
    """Return the stroke, without flags if the rules have no room for them beside its pieces."""
    try:
        match.enter(stroke)
    except IllegalEntry:
        return Stroke(stroke.seat, stroke.departures)
    return stroke


def moved(passage: Passage, start_ns: int) -> Passage:
    """Return a passage as it is when it begins at another time."""
    by_ns = start_ns - passage.start_ns
    pulses = tuple(
        Pulse(each.pocket, each.start_ns + by_ns, each.end_ns + by_ns) for each in passage.pulses
    )
    return Passage(passage.cause, passage.pocket, passage.kinds, pulses)


def play(
    settings: MatchSettings,
    strengths: Strengths,
    referee: Referee,
    seed: int | str,
    most_shots: int = 1_000,
    depth_mm: float = DEPTH_MM,
) -> Iterator[TimedTurn]:
    """Play a match shot by shot until it is over, or up to a number of shots.

    Further boards begin automatically. ValueError for rules or handicaps that the table has no
    numbers for: it has only hikone, without called pockets, cushions or a mass break, and icf.
    """
    _check(settings)
    pieces = random.Random(f"pieces {seed}")
    people = random.Random(f"people {referee} {seed}")
    match, lying = Match.begin(settings), NOTHING_OUT
    for _ in range(most_shots):
        if match.state.over:
            return
        if match.state.result is not None:
            match, lying = match.enter(Say(Saying.BOARD)), NOTHING_OUT
        seat = match.state.position.seat
        strength = strengths if isinstance(strengths, Strength) else strengths[seat]
        shot = draw_shot(match, strength, pieces, depth_mm)
        after = match.enter(shot.stroke)
        lying = fallen_into(lying, shot.stroke)
        taken, lying = fetched_from(after.state.place, lying, pieces)
        strikers = strikers_to_fetch(shot)
        ended = after.state.result is not None
        rest_from_ns = shot.late.end_ns if shot.late else shot.over_ns
        hands = () if ended else draw_hands(strength, rest_from_ns, strikers, taken, pieces)
        plan = draw_plan(referee, seat, settings.seats, shot.ends_ns, people)
        rest_ns = max([rest_from_ns, *(each.end_ns for each in hands)])
        yield TimedTurn(match, after, shot, hands, plan, rest_ns)
        match = after


NOTHING_OUT: Lying = {}
"""No piece is in a pocket."""


def fallen_into(lying: Lying, stroke: Stroke) -> Lying:
    """Return where pieces lie in pockets after a stroke."""
    after = dict(lying)
    for each in stroke.departures:
        if each.pocket is not None and each.piece is not Piece.STRIKER:
            after[each.piece] = (*after.get(each.piece, ()), each.pocket)
    return after


def strikers_to_fetch(shot: TimedShot) -> list[Pocket]:
    """Return the pockets with a striker that no hasty hand has taken out already."""
    taken = {each.pocket for each in shot.falls if each.cause is Cause.HAND}
    return [
        each.pocket
        for each in shot.stroke.departures
        if each.piece is Piece.STRIKER and each.pocket is not None and each.pocket not in taken
    ]


def _check(settings: MatchSettings) -> None:
    if settings.rules is RuleSystem.ICF:
        return
    if settings.rules is not RuleSystem.HIKONE:
        raise ValueError(f"traffic has numbers for hikone and icf, not for {settings.rules}")
    if option(settings, "opening") != "first":
        raise ValueError(
            "traffic has numbers for opening = first, not for opening = "
            f"{option(settings, 'opening')}"
        )
    for side, handicap in settings.handicaps.items():
        if handicap.called_pocket or handicap.must_bank:
            raise ValueError(
                f"traffic has no numbers for the handicap of {side}: leave out called_pocket and "
                "must_bank"
            )
