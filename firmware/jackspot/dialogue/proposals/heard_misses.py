"""Who has shot without anything falling, judged by what was heard since the last entry.

A miss leaves no trace at any beam. Where discs listen it is heard, and *ready* shows it, so that
nobody forgets the press it needs; pressing is up to people. What was heard is only evidence
(:mod:`jackspot.readings.shots`): this module enters nothing.
"""

from __future__ import annotations

from jackspot.core.pieces import Seat
from jackspot.dialogue.proposals.spanning import later_seats
from jackspot.dialogue.state.dialogue_state import DialogueState, InMatch
from jackspot.dialogue.state.view import Phase
from jackspot.readings.shots import WINDOW_NS, ShotModel
from jackspot.sensing.events import Shake
from jackspot.sensing.shaking import ENDLESS_NS

SURE = 0.8
"""Below this certainty that somebody shot, nothing is shown."""
MOST = 8
"""At most this many shakes are kept since the last entry."""
KEPT_IN = frozenset({Phase.READY, Phase.REVIEW})
"""Where shakes are kept: those while pieces fall belong to the stroke that is open."""


def with_shake(dialogue: InMatch, shake: Shake) -> tuple[Shake, ...]:
    """Return the shakes since the last entry, with one more that is over.

    None are left after one that was too long for a stroke: nobody heard who shot meanwhile.
    """
    if shake.last_ns >= shake.at_ns + ENDLESS_NS:
        return ()
    from_ns = max(dialogue.entered_ns or 0, dialogue.timing.shots_from_ns)
    kept = dialogue.phase in KEPT_IN and waits_for_shots(dialogue) and shake.at_ns >= from_ns
    if dialogue.settings.shots is None or not kept:
        return dialogue.shakes
    return (*dialogue.shakes, shake)[-MOST:]


def waits_for_shots(dialogue: DialogueState) -> bool:
    """Whether a shake can be a shot: people neither place pieces nor do anything else first."""
    if not isinstance(dialogue, InMatch) or dialogue.phase not in (*KEPT_IN, Phase.FALLING):
        return False
    first = dialogue.menu, dialogue.glance, dialogue.moved_to, dialogue.attract
    return all(each is None for each in first) and not dialogue.waits_for_gong


def who_shot(dialogue: InMatch) -> tuple[Seat, ...]:
    """Return the seats that have most likely shot and missed since the last entry, in order."""
    seats, weights = _weighed(dialogue)
    if not seats:
        return ()
    likeliest = max(range(1, len(weights)), key=weights.__getitem__)
    return seats[:likeliest] if weights[0] < (1 - SURE) * sum(weights) else ()


def shot_and_missed(dialogue: InMatch, now_ns: int) -> float:
    """Return how likely the seat to shoot, and nobody after it, has shot since the last entry.

    The longer nothing more is heard, the likelier: a seat that has not shot yet would have by then.
    """
    seats, weights = _weighed(dialogue, now_ns)
    return weights[1] / sum(weights) if seats else 0.0


def _weighed(dialogue: InMatch, by_ns: int = 0) -> tuple[tuple[Seat, ...], list[float]]:
    """Weigh that none, the first or both of the next two seats have shot and missed.

    Each shot is one of the shakes, or was not heard. It takes its time after the one before, for
    which somebody has usually pressed.
    """
    shots, shakes = dialogue.settings.shots, dialogue.shakes
    if shots is None or not shakes or dialogue.phase is not Phase.READY:
        return (), []
    position, seat = dialogue.game.match.state.position, dialogue.game.to_shoot
    seats = (seat, *later_seats(position, seat))[:2]
    spans, now_ns = dialogue.settings.spans, max(shakes[-1].last_ns, by_ns)
    entered_ns = dialogue.entered_ns
    begin_ns = round(shakes[0].at_ns - spans.shot_ns)  # nobody knows when the stroke before ended
    if entered_ns is not None and entered_ns - spans.pressed_ns < shakes[0].at_ns:
        begin_ns = entered_ns - spans.pressed_ns
    a_second = shots.others_a_second(shakes, max(now_ns - begin_ns, WINDOW_NS))
    ways = [(begin_ns, 1.0)]
    weights = [spans.not_yet_shot(now_ns - begin_ns)]
    for one in seats:
        fits = [shots.heard * shots.fits(each, one, still=True) / a_second for each in shakes]
        ways = [
            (shake.at_ns, weight * fit * spans.shot_a_second(shake.at_ns - last_ns))
            for last_ns, weight in ways
            for shake, fit in zip(shakes, fits, strict=True)
            if shake.at_ns > last_ns
        ]
        unpressed = spans.forgotten ** (len(weights) - 1)
        weights.append(unpressed * sum(w * spans.not_yet_shot(now_ns - at_ns) for at_ns, w in ways))
    unheard = (1 - shots.heard) * spans.forgotten * (1 - weights[0])
    return seats, [weights[0] + unheard, *weights[1:]]


def shakes_left(before: InMatch, after: InMatch) -> tuple[Shake, ...]:
    """Return the shakes still unexplained once something was entered or taken back.

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
    """Return the index of the shake most likely a seat's shot, when another one's came after it."""
    return max(
        range(len(shakes) - 1), key=lambda at: shots.fits(shakes[at], seat, still=True)
    )  # fmt: skip
