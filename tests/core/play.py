"""Random Hikone matches: agreements, strokes and directives drawn with a seeded generator.

Strokes are drawn from what lies on the board, so that they can have happened; they are far
from how people play, and closer to what breaks rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from jackspot.core.agreement import agree
from jackspot.core.directives import Entry, GiveTurn, Resign, Say, Saying, SetOwed, SetPocketed
from jackspot.core.match import IllegalEntry, Match, MatchState
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import MatchSettings
from jackspot.core.stroke import Departure, Flag, Stroke

SEATINGS = (
    ["N", "S"],
    ["W", "E"],
    ["N", "E", "S", "W"],
    ["S", "E", "N", "W"],
    ["E", "N", "S"],
    ["N", "W", "S"],
)
OPTIONS: dict[str, tuple[Any, ...]] = {
    "order3": ("bounce", "clockwise"),
    "striker_penalty": (0, 1, 2),
    "jack_penalty": (0, 2, 3, 5),
    "foul_with_puck": ("plus_one", "per_puck"),
    "last_puck_with_jack": ("plus_extra", "five", "win"),
    "jack_with_striker": ("foul", "jack_penalty", "win"),
    "debt": ("carry", "forgive"),
    "foul_returns_opponents": (True, False),
    "area_hit": ("restore", "foul"),
    "own_side_pockets": (True, False),
    "shots_per_puck": (False, True),
    "striker_with_own": ("foul", "two_keep"),
    "jack_one_shot": ("off", "penalty", "loss"),
    "opening": ("first", "mass_break"),
    "time_end": ("finish_stroke", "stop", "finish_turn", "finish_round"),
    "timeout_tie": ("draw", "sudden_death"),
}
HANDICAPS: dict[str, tuple[Any, ...]] = {
    "no_striker_penalty": (True,),
    "keep_turn_with_striker": (True,),
    "second_chance": (True,),
    "must_bank": (True,),
    "called_pocket": (True,),
}


def draw_settings(random: Random, *, usual: bool = False) -> MatchSettings:
    """Agree on something; ``usual`` leaves every option at its default."""
    data: dict[str, Any] = {"rules": "hikone", "seats": random.choice(SEATINGS)}
    options: dict[str, Any] = {"best_of": random.choice((1, 1, 3, 5))}
    if not usual:
        for name, values in OPTIONS.items():
            if random.random() < 0.2:
                options[name] = random.choice(values)
        seat = random.choice(data["seats"])
        given: dict[str, Any] = {name: True for name in HANDICAPS if random.random() < 0.15}
        if random.random() < 0.3:
            name, value = random.choice((("head_start", 4), ("pucks_needed", 6)))
            given[name] = value
        data["handicap"] = {seat: given} if given else {}
    return agree(data | {"options": options})


def draw_stroke(random: Random, state: MatchState) -> Stroke:
    """Draw a stroke of the seat in turn from what lies on the board."""
    assert state.next is not None
    position = state.position
    there: list[Piece] = [Piece.JACK, Piece.STRIKER]
    for side in position.sides:
        left = position.left(side) if state.result is None else 8
        there += [side.piece] * min(left, 12)
    if random.random() < 0.35 and state.result is None:
        there = [position.side.piece] * position.left(position.side) or [Piece.JACK]
    count = random.choices((0, 1, 2, 3, 7), (30, 45, 15, 8, 2))[0]
    gone = random.sample(there, min(count, len(there)))
    departures = []
    for piece in gone:
        off = random.random() < 0.12
        pocket = None if off else random.choice(list(Pocket))
        departures.append(Departure(piece, pocket, off))
    flags = set()
    if random.random() < 0.06:
        flags.add(Flag.FOUL)
    if random.random() < 0.04:
        flags.add(Flag.AREA)
    if random.random() < 0.1:
        flags.add(random.choice((Flag.BANKED, Flag.UNBANKED)))
    called = random.choice(list(Pocket)) if random.random() < 0.1 else None
    used_ns = random.randrange(10**12) if random.random() < 0.1 else None
    return Stroke(state.next, tuple(departures), frozenset(flags), called, used_ns)


def draw_directive(random: Random, state: MatchState) -> Entry:
    """Draw anything that is said."""
    side = random.choice(state.position.sides)
    seat: Seat = random.choice(state.settings.seats)
    return random.choice(
        (
            Say(Saying.PLACED),
            Say(Saying.TIME),
            Say(Saying.DRAW),
            Say(Saying.BOARD),
            GiveTurn(seat),
            GiveTurn(seat),
            Resign(seat),
            SetPocketed(side, random.randrange(13)),
            SetOwed(side, random.randrange(4)),
        )
    )


def play(random: Random, match: Match, entries: int, *, directives: bool = True) -> Iterator[Match]:
    """Give the match after each of some entries that could have happened."""
    for _ in range(entries):
        if match.state.over:
            return
        chance = 0.03 if directives else 0.0
        drawn = (
            draw_directive(random, match.state)
            if random.random() < chance
            else draw_stroke(random, match.state)
        )
        try:
            match = match.enter(drawn)
        except IllegalEntry:
            assert match.state.next is not None
            match = match.enter(Stroke(match.state.next))
        yield match
