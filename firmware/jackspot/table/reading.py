"""Ways to understand what was sensed, the likeliest first.

A beam knows where something fell and for how long it was broken; never what it was. A
reading is one account of it: these pieces fell, in this order, into these pockets, or it
was no stroke at all (a hand, sunlight). Each has a probability, and all of them together
add up to one.

The model is small and its numbers stand in one table, :data:`PRIORS` and
:data:`WidthModel`: how often each kind of piece falls by itself, times how well the widths
fit, for every assignment of pieces to falls that the board allows (no thirteenth puck, one
jack, one striker). Falls are taken one after the other and only the likeliest partial
accounts are carried on, so the work is bounded however many falls there are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Departure
from jackspot.table.events import Fall
from jackspot.table.phrases import Phrase, _

MILLISECOND_NS = 1_000_000

KEPT_ACCOUNTS = 96
"""Partial accounts carried from one fall to the next, and readings given at most."""

DOUBTFUL_BELOW = 0.55
"""A reading less likely than this is shown with a question mark."""


class Role(StrEnum):
    """What a piece is to the seat that shoots."""

    OWN = "own"
    OPPONENT = "opponent"
    JACK_EARLY = "jack_early"
    JACK_READY = "jack_ready"
    STRIKER = "striker"


PRIORS: Mapping[Role, float] = MappingProxyType(
    {
        Role.OWN: 0.74,
        Role.OPPONENT: 0.15,
        Role.STRIKER: 0.08,
        Role.JACK_EARLY: 0.03,
        Role.JACK_READY: 0.60,
    }
)
"""Relative frequency of what falls first, per fall. A guess of ordinary club play: players
aim at their own pieces and hit them more often than not. It is replaced by what is counted
on real boards."""

TWO_IN_ONE = 0.04
"""How often two pieces go through one pocket so close together that they are one fall."""

HAND_IN_PLAY = 0.015
"""How often a fall during play is no piece at all."""

SECOND_STRIKER_FOLLOWS = 2.0
"""A striker follows its piece into the pocket more often than it falls by itself."""


@dataclass(frozen=True, slots=True)
class WidthModel:
    """How long each kind of piece breaks the beam, as a mixture of two log-normals.

    Medians in nanoseconds. A flat 8 mm disc in free fall 15 to 60 mm below the pocket's
    edge takes 7 to 13 ms, one on edge 26 to 52 ms (computed from free fall). A jack of
    34 mm on edge takes 34/30 of a puck. ``spread`` is the standard deviation of the
    logarithm.
    """

    flat_ns: float = 9.5 * MILLISECOND_NS
    flat_spread: float = 0.20
    on_edge_ns: float = 37.0 * MILLISECOND_NS
    on_edge_spread: float = 0.26
    on_edge_share: float = 0.15
    hand_ns: float = 350.0 * MILLISECOND_NS
    hand_spread: float = 0.9
    size: Mapping[Piece, float] = field(
        default_factory=lambda: MappingProxyType({Piece.JACK: 34.0 / 30.0})
    )

    def single(self, piece: Piece, width_ns: int) -> float:
        """Give the density of one piece breaking the beam this long."""
        size = self.size.get(piece, 1.0)
        return (1 - self.on_edge_share) * _log_normal(
            width_ns, self.flat_ns * math.sqrt(size), self.flat_spread
        ) + self.on_edge_share * _log_normal(width_ns, self.on_edge_ns * size, self.on_edge_spread)

    def overlapping(self, width_ns: int) -> float:
        """Give the density of two pieces that break the beam without a gap."""
        return 0.7 * _log_normal(width_ns, 2.0 * self.flat_ns, 0.35) + 0.3 * _log_normal(
            width_ns, 1.9 * self.on_edge_ns, 0.35
        )

    def hand(self, width_ns: int) -> float:
        """Give the density of a hand that reaches in."""
        return _log_normal(width_ns, self.hand_ns, self.hand_spread)


def _log_normal(value: float, median: float, spread: float) -> float:
    """Give the log-normal density, per unit of log time: comparable between widths."""
    z = (math.log(max(value, 1.0)) - math.log(median)) / spread
    return math.exp(-0.5 * z * z) / spread + 1e-9


@dataclass(frozen=True, slots=True)
class Scene:
    """What can have fallen: the board's side of the question.

    ``available`` counts the pieces still on the board by kind (a striker is one of them);
    ``roles`` says what each kind is to the shooter. ``hands`` gives, for a pocket where
    somebody has something to fetch just now, how likely a fall there is a hand.
    """

    available: Mapping[Piece, int]
    roles: Mapping[Piece, Role]
    hands: Mapping[Pocket, float] = field(default_factory=lambda: MappingProxyType({}))
    widths: WidthModel = field(default_factory=WidthModel)


@dataclass(frozen=True, slots=True)
class Reading:
    """One account of what was sensed. ``stroke`` False: it was no stroke at all."""

    departures: tuple[Departure, ...]
    probability: float
    why: Phrase
    stroke: bool = True
    joins: bool = False
    """The pieces complete the stroke that was confirmed last, and begin with its own."""
    seat: Seat | None = None
    """Whose stroke it was, where not that of the seat whose turn it is."""
    missed: tuple[Seat, ...] = ()
    """Seats that missed before it without anybody pressing."""
    flown: tuple[Piece, ...] = ()
    """What was marked as flown off, as it is where ``seat`` shot."""


@dataclass(frozen=True, slots=True)
class _Account:
    departures: tuple[Departure, ...]
    used: tuple[Piece, ...]
    weight: float


def rank(
    scene: Scene, falls: tuple[Fall, ...], fallen: tuple[Departure, ...] = ()
) -> tuple[Reading, ...]:
    """Rank the ways to understand some falls of one stroke.

    ``fallen`` are pieces of the same stroke that people know of already; every reading
    begins with them. Returns at least one reading; their probabilities add up to one. With
    no falls at all the only reading is that nothing fell.
    """
    if not falls:
        return (Reading((), 1.0, _("nothing was sensed")),)
    used = tuple(each.piece for each in fallen)
    accounts: tuple[_Account, ...] = (_Account(fallen, used, 1.0),)
    for fall in falls:
        accounts = _extend(scene, accounts, fall)
    merged: dict[tuple[Departure, ...], float] = {}
    for account in accounts:
        merged[account.departures] = merged.get(account.departures, 0.0) + account.weight
    total = sum(merged.values())
    why = _reason(falls)
    ordered = sorted(merged.items(), key=lambda item: (-item[1], str(item[0])))
    return tuple(
        Reading(departures, weight / total, why, stroke=bool(departures))
        for departures, weight in ordered
    )


def _extend(scene: Scene, accounts: tuple[_Account, ...], fall: Fall) -> tuple[_Account, ...]:
    """Add one fall to every account, and keep the likeliest."""
    hand = scene.hands.get(fall.pocket, HAND_IN_PLAY)
    hand_fit = hand * math.prod(scene.widths.hand(width) for width in fall.widths_ns)
    singles = {
        piece: scene.widths.single(piece, max(fall.widths_ns)) * _tumbling(fall)
        for piece in scene.available
    }
    double_fit = (1 - hand) * TWO_IN_ONE * _double(scene, fall)
    grown: list[_Account] = []
    for account in accounts:
        grown.append(
            _Account(account.departures, account.used, account.weight * max(hand_fit, 1e-12))
        )
        shares = _shares(scene, account.used)
        for piece, share in shares.items():
            departures = (*account.departures, Departure(piece, fall.pocket))
            used = (*account.used, piece)
            fit = (1 - hand) * (1 - TWO_IN_ONE) * share * singles[piece]
            grown.append(_Account(departures, used, account.weight * fit))
            for second, second_share in _shares(scene, used).items():
                if _before(scene, second, piece):
                    continue
                follows = SECOND_STRIKER_FOLLOWS if second is Piece.STRIKER else 1.0
                grown.append(
                    _Account(
                        (*departures, Departure(second, fall.pocket)),
                        (*used, second),
                        account.weight * double_fit * share * second_share * follows,
                    )
                )
    grown.sort(key=lambda account: -account.weight)
    kept = grown[:KEPT_ACCOUNTS]
    likeliest = kept[0].weight
    return tuple(replace(each, weight=each.weight / likeliest) for each in kept)


def _shares(scene: Scene, used: tuple[Piece, ...]) -> dict[Piece, float]:
    """Say how likely each kind is to fall next, given what fell before in this stroke."""
    weights = {
        piece: PRIORS[scene.roles[piece]] * min(1.0, 0.4 + 0.1 * (count - used.count(piece)))
        if scene.roles[piece] in (Role.OWN, Role.OPPONENT)
        else PRIORS[scene.roles[piece]]
        for piece, count in scene.available.items()
        if count > used.count(piece)
    }
    total = sum(weights.values()) or 1.0
    return {piece: weight / total for piece, weight in weights.items()}


def _tumbling(fall: Fall) -> float:
    """Weigh one piece making several pulses: it tumbles, or its rim flickers."""
    return 0.12 ** (len(fall.pulses) - 1)


def _double(scene: Scene, fall: Fall) -> float:
    """Weigh two pieces making this fall: one long pulse, or two of single width."""
    if len(fall.pulses) == 1:
        return scene.widths.overlapping(fall.widths_ns[0])
    longest = sorted(fall.widths_ns, reverse=True)[:2]
    return math.prod(scene.widths.single(Piece.STRIKER, width) for width in longest) * 2.0


def _before(scene: Scene, second: Piece, first: Piece) -> bool:
    """Keep one order for two pieces that fall together, so that no account is doubled."""
    kinds = list(scene.available)
    return kinds.index(second) < kinds.index(first)


def _reason(falls: tuple[Fall, ...]) -> Phrase:
    """Say in words what was sensed: ``9 ms in NE``."""
    first = falls[0]
    width_ms = round(max(first.widths_ns) / MILLISECOND_NS)
    if len(falls) > 1:
        return _("{n} falls, first {ms} ms in {pocket}",
                 n=len(falls), ms=width_ms, pocket=first.pocket.value)  # fmt: skip
    if len(first.pulses) > 1:
        return _("{n} pulses in {pocket}, longest {ms} ms",
                 n=len(first.pulses), pocket=first.pocket.value, ms=width_ms)  # fmt: skip
    return _("{ms} ms in {pocket}", ms=width_ms, pocket=first.pocket.value)
