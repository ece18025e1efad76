"""The numbers for what a flat simulation cannot compute: tipping, hopping, hanging.

Discs slide in a plane; a piece that tips over a pocket's edge, is knocked off the wood or lies
on another leaves that plane. What happens then is computed from these, each with its source.
"""

from __future__ import annotations

from msgspec import Struct

from jackspot_sim.physics.figures import Figure, Figures, Source, values

_COMPUTED, _GUESS = Source.COMPUTED, Source.GUESS

FIGURES: Figures = {
    "sunk_mm": Figure(
        2.0,
        "mm",
        _GUESS,
        "A piece whose leading edge is a quarter of its "
        "thickness below the rim does not come out again.",
    ),
    "tip_share": Figure(
        0.4,
        "radii",
        _GUESS,
        "A piece this far past the edge drops freely; nearer "
        "to it, it tips more slowly the better it is balanced.",
    ),
    "tip_least": Figure(0.05, "g", _GUESS, "The slowest tipping: balanced on the edge."),
    "hang_falls": Figure(
        0.25,
        "",
        _GUESS,
        "Chance that a piece which hangs over an edge and is all but "
        "tipping falls before the next shot; boards shake.",
    ),
    "hang_mean_s": Figure(2.0, "s", _GUESS, "How long it hangs then, on average."),
    "hang_least_s": Figure(0.4, "s", _GUESS, "Before this nobody calls it late."),
    "hung_sinks_mm_s": Figure(
        100.0, "mm/s", _GUESS, "How fast the middle of a piece sinks that hung and now tips."
    ),
    "hung_leans_rad": Figure(0.2, "rad", _GUESS, "How far such a piece leans by then: 11°."),
    "hung_turns_rad_s": Figure(
        8.0, "rad/s", _GUESS, "How fast it turns over; sinks over half a radius, roughly."
    ),
    "hop_from_mm_s": Figure(1_500, "mm/s", _GUESS, "Pieces that meet more gently stay flat."),
    "hop_chance": Figure(
        0.08,
        "",
        _GUESS,
        "Chance that a rim catches under another in such a "
        "meeting: pieces have bevelled rims and boards have grit.",
    ),
    "hop_share": Figure(
        0.35,
        "",
        _GUESS,
        "At most this share of the closing speed turns upwards; "
        "over a frame of 20 mm it takes 630 mm/s.",
    ),
    "lands_mm_s": Figure(
        800.0,
        "mm/s",
        _GUESS,
        "How fast a piece lands below its pocket: free fall from the beam to a drawer, "
        "3 cm further down.",
    ),
    "stack_drag": Figure(
        2.0,
        "",
        _COMPUTED,
        "For each piece on top of it, a piece is held by its load from below and from above.",
    ),
}


class EffectSizes(Struct, frozen=True):
    """The bare numbers; see ``FIGURES``."""

    sunk_mm: float
    tip_share: float
    tip_least: float
    hang_falls: float
    hang_mean_s: float
    hang_least_s: float
    hung_sinks_mm_s: float
    hung_leans_rad: float
    hung_turns_rad_s: float
    hop_from_mm_s: float
    hop_chance: float
    hop_share: float
    lands_mm_s: float
    stack_drag: float


EFFECTS = EffectSizes(**values(FIGURES))
