"""What a board learns about its knocks before play: from a quiet minute and a few flicks."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache

from jackspot.core.pieces import Piece, Seat
from jackspot.core.settings import RuleSystem
from jackspot.readings.shots import ShotModel
from jackspot.sensing.events import DiscsListen, KnockHeard, Shake, Shaken
from jackspot.sensing.shaking import STILL_NS, Shaking
from jackspot_sim.chance.frequencies import Room
from jackspot_sim.chance.shaking import MINUTE_NS, draw_disturbances
from jackspot_sim.physics import board_of, opening, shoot
from jackspot_sim.physics.boards import disc_of
from jackspot_sim.physics.discs import blow_of, blows_of_shot, flick_from
from jackspot_sim.sensing.knocks import knocks_of

FLICKS = 5
"""How often each side flicks by default."""


@cache
def listened(system: RuleSystem, room: Room, seed: str, flicks: int = FLICKS) -> ShotModel:
    """Return what a board in this room has learnt; nobody touches it in the quiet minute.

    Without ``flicks`` it was not calibrated.
    """
    if not flicks:
        return ShotModel()
    board, rng = board_of(system), random.Random(f"listening {room} {seed}")
    around = draw_disturbances(room, 0, MINUTE_NS, rng, f"listening {seed}")
    untouched = (blow_of(board, each) for each in around if each.at is None)
    quiet = _shakes(knocks_of(untouched, f"quiet {seed}"))
    return ShotModel().learnt(
        MINUTE_NS, quiet, {seat: _flicks(system, seat, flicks, seed, rng) for seat in Seat}
    )  # fmt: skip


def _flicks(
    system: RuleSystem, seat: Seat, flicks: int, seed: str, rng: random.Random
) -> list[Shake]:
    """Flick at a laid-out board from along a side's line, sometimes softly and sometimes hard."""
    board = board_of(system)
    mass_g = disc_of(board, Piece.STRIKER).mass_g
    found = []
    for number in range(flicks):
        flick = flick_from(board, seat, rng)
        name = f"flick {seed} {seat} {number}"
        shot = shoot(board, opening(system), flick, name)
        found += _shakes(knocks_of(blows_of_shot(board, flick, mass_g, shot.contacts), name))[:1]
    return found


def _shakes(knocks: Iterable[KnockHeard]) -> list[Shake]:
    """Put knocks together as a board does."""
    shaking, _ = Shaking().step(DiscsListen(0, tuple(Seat)))
    found: list[Shake] = []
    last_ns = 0
    for knock in knocks:
        shaking, over = shaking.step(knock)
        found += [each.shake for each in over if isinstance(each, Shaken)]
        last_ns = knock.at_ns
    return found + [each.shake for each in shaking.rest(last_ns + STILL_NS)[1]]
