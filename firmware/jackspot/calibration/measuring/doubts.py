"""Judge whether a beam sensed the one piece that was dropped, or it should be dropped again.

How deep the beam is, and whether pieces tip as they fall into this pocket, is unknown before
anything is dropped and becomes clearer with each drop. So a drop is weighed at many depths and with
few or many pieces that tip, each as likely as the earlier drops make it: the first piece may take
any time that a piece can take, the tenth only what the nine before it allow.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from enum import StrEnum

from jackspot.calibration.measuring.fit import DEPTH_SPREAD, DEPTHS_MM, at_depth, deeper
from jackspot.calibration.measuring.measured import PIECES, Drop, PieceKind, PieceSet
from jackspot.core.pieces import Pocket
from jackspot.readings.widths import MILLISECOND_NS, WidthModel
from jackspot.values import changed

TWO_SHARE = 0.06
"""Two pieces where one was asked for: a person who drops one rarely drops two."""
HAND_SHARE = 0.02
FAR_SHARE = 0.01
"""Anything else, such as a sleeve or a piece that hangs on the rim."""
OWN_SPREAD = 0.8
"""A board's spreads allow for its depth; at a single depth drops spread by this share of them."""
TIPPING = (0.01, 0.60)
"""How many pieces may tip as they fall: hardly any, or most."""
FAR_NS, FAR_SPREAD = 20.0 * MILLISECOND_NS, 1.3


class Doubt(StrEnum):
    """What a drop was if not one piece."""

    NONE = "none"
    """It was one piece."""
    TWO = "two"
    """Two pieces."""
    HAND = "hand"
    """A hand, or a piece that hung in the pocket."""
    FAR = "far"
    """Far from what one piece or two do here: unknown."""


def doubt(
    base: WidthModel,
    pieces: PieceSet,
    earlier: Iterable[tuple[PieceKind, Drop]],
    kind: PieceKind,
    drop: Drop,
) -> Doubt:
    """Return what a drop of this kind was, given the earlier ones into the same pocket.

    ``base`` is the model that a board starts with, for the pieces that are dropped.
    """
    kinds, pocket = PIECES[pieces], Pocket.NE  # any: uncalibrated beams are alike
    falls = [(kinds[each][0], other.fall(pocket)) for each, other in earlier]
    fall, piece = drop.fall(pocket), kinds[kind][0]
    narrow = changed(
        base,
        flat_spread=OWN_SPREAD * base.flat_spread,
        on_edge_spread=OWN_SPREAD * base.on_edge_spread,
    )
    boards = [(depth_mm, tipping) for depth_mm in DEPTHS_MM for tipping in TIPPING]
    models = [
        changed(deeper(narrow, depth_mm), tipping_share=tipping) for depth_mm, tipping in boards
    ]
    logs = [
        -0.5 * (at_depth(depth_mm)[0] / DEPTH_SPREAD) ** 2
        + sum(math.log(model.one(other, sensed)) for other, sensed in falls)
        for (depth_mm, _tipping), model in zip(boards, models, strict=True)
    ]
    most = max(logs)
    chances = [math.exp(each - most) for each in logs]
    whole = sum(chances)
    one = sum(c * m.one(piece, fall) for c, m in zip(chances, models, strict=True)) / whole
    two = sum(c * m.two(piece, piece, fall) for c, m in zip(chances, models, strict=True)) / whole
    weights = {
        Doubt.NONE: one,
        Doubt.TWO: TWO_SHARE * two,
        Doubt.HAND: HAND_SHARE * base.hand(fall),
        Doubt.FAR: FAR_SHARE * _anything(drop),
    }
    return max(weights, key=lambda each: weights[each])


def _anything(drop: Drop) -> float:
    """Return the density of pulses that are anything at all, per millisecond of each."""
    density = (1 / 14) ** len(drop.gaps_ns)
    for width_ns in drop.widths_ns:
        z = math.log(width_ns / FAR_NS) / FAR_SPREAD
        density *= math.exp(-0.5 * z * z) / (
            FAR_SPREAD * math.sqrt(2 * math.pi) * width_ns / MILLISECOND_NS
        )
    return density
