"""Who has shot without anything falling, by what was heard since the last entry.

A miss leaves no trace at any beam. Where discs listen it is heard, and *ready* says so, so that
nobody forgets the press that it needs; the press is people's. What was heard is evidence alone
(:mod:`jackspot.readings.shots`): it enters nothing.
"""

from __future__ import annotations

from jackspot.core.pieces import Seat
from jackspot.dialogue.proposals.spanning import later_seats
from jackspot.dialogue.state.dialogue_state import InMatch
from jackspot.dialogue.state.view import Phase
from jackspot.readings.shots import WINDOW_NS, ShotModel
from jackspot.sensing.events import Shake

SURE = 0.8
"""Less sure that somebody shot nothing is said."""
MOST = 8
"""So many shakes are kept since the last entry."""
KEPT_IN = frozenset({Phase.READY, Phase.REVIEW, Phase.PLACING})
"""Where people may shoot on; what shakes the board while pieces fall is the stroke that is open."""


def with_shake(dialogue: InMatch, shake: Shake) -> tuple[Shake, ...]:
    """Return what has shaken the board since the last entry, with one more that is over."""
    entered_ns = dialogue.entered_ns
    belongs = entered_ns is not None and shake.at_ns < entered_ns
    if dialogue.settings.shots is None or dialogue.phase not in KEPT_IN or belongs:
        return dialogue.shakes
    return (*dialogue.shakes, shake)[-MOST:]


def who_shot(dialogue: InMatch) -> tuple[Seat, ...]:
    """Return the seats that have most likely shot and missed since the last entry, in order."""
    seats, weights = _weighed(dialogue)
    if not seats:
        return ()
    likeliest = max(range(1, len(weights)), key=weights.__getitem__)
    return seats[:likeliest] if weights[0] < (1 - SURE) * sum(weights) else ()


def shot_and_missed(dialogue: InMatch) -> float:
    """Return how likely who is to shoot has, and nobody after them, since the last entry."""
    seats, weights = _weighed(dialogue)
    return weights[1] / sum(weights) if seats else 0.0


def _weighed(dialogue: InMatch) -> tuple[tuple[Seat, ...], list[float]]:
    """Weigh that none, one, two... of the seats that come have shot and missed: none is 1."""
    shots, shakes = dialogue.settings.shots, dialogue.shakes
    if shots is None or not shakes or dialogue.phase is not Phase.READY:
        return (), []
    position, seat = dialogue.game.match.state.position, dialogue.game.to_shoot
    seats = (seat, *later_seats(position, seat))
    since_ns = shakes[0].at_ns - WINDOW_NS if dialogue.entered_ns is None else dialogue.entered_ns
    over_ns = max(shakes[-1].last_ns - since_ns, WINDOW_NS)
    a_second = shots.others_a_second(shakes, over_ns)
    forgotten = dialogue.settings.spans.forgotten
    weights = [1.0]
    for count in range(1, min(len(seats), len(shakes)) + 1):
        heard = shots.in_order(seats[:count], shakes, over_ns, a_second, still=True)
        weights.append(heard * forgotten ** (count - 1))
    return seats, weights


def shakes_left(before: InMatch, after: InMatch) -> tuple[Shake, ...]:
    """Return what is still to be told of once something was entered, or taken back.

    Where two seats have shot and the first one's miss was entered, the second is left.
    """
    lines, shots = after.game.lines, after.settings.shots
    if before.game.lines == lines:
        return after.shakes
    missed = lines[:-1] == before.game.lines and not lines[-1].falls
    shot = who_shot(before)
    if shots is None or not missed or len(shot) < 2:
        return ()
    return after.shakes[_first_shot(shots, after.shakes, shot[0]) + 1 :]


def _first_shot(shots: ShotModel, shakes: tuple[Shake, ...], seat: Seat) -> int:
    """Return which shake was likeliest a seat's shot, when another one's came after it."""
    return max(
        range(len(shakes) - 1), key=lambda at: shots.fits(shakes[at], seat, still=True)
    )  # fmt: skip
