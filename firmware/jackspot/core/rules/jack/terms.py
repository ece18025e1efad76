"""What was agreed, as ``hikone`` and ``japan`` read it, and what they remember between strokes.

Options are looked up once, when a board begins, and travel in the position's memo.
"""

from __future__ import annotations

from dataclasses import dataclass

from jackspot.core.options import (
    OPTIONS,
    is_agreed,
    number_option,
    text_option,
    yes_no_option,
)
from jackspot.core.pieces import Pocket, Seat, Side
from jackspot.core.position import Position
from jackspot.core.settings import Handicap, MatchSettings

PUCKS_EACH = 12
SIDES = (Side.RED, Side.GREEN)
OWN_SIDE_POCKETS = {
    Seat.N: frozenset({Pocket.NW, Pocket.NE}),
    Seat.E: frozenset({Pocket.NE, Pocket.SE}),
    Seat.S: frozenset({Pocket.SE, Pocket.SW}),
    Seat.W: frozenset({Pocket.SW, Pocket.NW}),
}
"""The two pockets beside each seat (LR-11)."""


@dataclass(frozen=True, slots=True)
class JackTerms:
    """Options and handicaps of one match. ``handicaps`` are in the order of the sides.

    ``jack_points`` is what the jack adds to the winner's pucks. ``usual_last`` is the
    system's own answer to the last puck that comes with the jack (A-04).
    """

    jack_points: int
    striker_penalty: int
    jack_penalty: int
    per_puck: bool
    plus_one_each: bool
    flown_adds: bool
    last_puck_with_jack: str
    usual_last: object
    jack_with_striker: str
    forgive_debt: bool
    foul_returns_opponents: bool
    area_hit_is_foul: bool
    own_side_pockets: bool
    shots_per_puck: bool
    two_keep: bool
    jack_one_shot: str
    mass_break: bool
    sudden_death: bool
    handicaps: tuple[Handicap, Handicap]


def read_terms(settings: MatchSettings, sides: tuple[Side, Side], *, jack_points: int) -> JackTerms:
    """Look all options up."""
    none = Handicap()
    return JackTerms(
        jack_points=jack_points,
        striker_penalty=number_option(settings, "striker_penalty"),
        jack_penalty=number_option(settings, "jack_penalty"),
        per_puck=text_option(settings, "foul_with_puck") == "per_puck",
        plus_one_each=is_agreed(settings, "plus_one", "each"),
        flown_adds=is_agreed(settings, "flown_adds", value=True),
        last_puck_with_jack=text_option(settings, "last_puck_with_jack"),
        usual_last=OPTIONS["last_puck_with_jack"].defaults[settings.rules],
        jack_with_striker=text_option(settings, "jack_with_striker"),
        forgive_debt=text_option(settings, "debt") == "forgive",
        foul_returns_opponents=yes_no_option(settings, "foul_returns_opponents"),
        area_hit_is_foul=text_option(settings, "area_hit") == "foul",
        own_side_pockets=yes_no_option(settings, "own_side_pockets"),
        shots_per_puck=yes_no_option(settings, "shots_per_puck"),
        two_keep=text_option(settings, "striker_with_own") == "two_keep",
        jack_one_shot=text_option(settings, "jack_one_shot"),
        mass_break=text_option(settings, "opening") == "mass_break",
        sudden_death=text_option(settings, "timeout_tie") == "sudden_death",
        handicaps=(
            settings.handicaps.get(sides[0], none),
            settings.handicaps.get(sides[1], none),
        ),
    )


def area_rule_holds(settings: MatchSettings, side: Side) -> bool:
    """Whether section 8 holds: the area rule, for players with a partner."""
    partners = list(settings.sides.values()).count(side)
    return partners > 1 and yes_no_option(settings, "area_rule")


def area_may_be_called(settings: MatchSettings, side: Side) -> bool:
    """Whether a forbidden piece can be hit: by section 8, or by LR-17, unless three play."""
    by_cushion = len(settings.seats) != 3 and yes_no_option(settings, "own_by_cushion")
    return by_cushion or area_rule_holds(settings, side)


@dataclass(frozen=True, slots=True)
class JackMemo:
    """What a board with a jack remembers beside the counts.

    ``credit``: shots left in this turn (only LR-13 lets it exceed one). ``second_chance``:
    this turn's second chance is still to be had (HC-4). ``jack_tried``: by side, the first
    stroke since it became ready has been made (LR-16). ``broken``: the mass break has been
    made (LR-1). ``level_at``: the pucks of each side when time ran out level and sudden
    death began, else None.
    """

    terms: JackTerms
    credit: int = 1
    second_chance: bool = True
    jack_tried: tuple[bool, bool] = (False, False)
    broken: bool = False
    level_at: int | None = None


def memo_of(position: Position) -> JackMemo:
    """Return the memo of a position with a jack."""
    memo = position.memo
    assert isinstance(memo, JackMemo)
    return memo
