"""Options and handicaps in words, short enough that one line of a small display holds most."""

from __future__ import annotations

from collections.abc import Mapping

from jackspot.core.phrases import Phrase, _, _c
from jackspot.core.settings import OptionValue

_OPTIONS: Mapping[str, Phrase] = {
    "direction": _("turn passes"),
    "order3": _("order of three"),
    "striker_penalty": _("striker costs"),
    "jack_penalty": _("jack costs"),
    "foul_with_puck": _("foul with puck"),
    "plus_one": _("two penalties"),
    "flown_adds": _("flown adds one"),
    "last_puck_with_jack": _("last with jack"),
    "jack_with_striker": _("jack+striker"),
    "debt": _("debt"),
    "foul_returns_opponents": _("foul returns opp."),
    "area_hit": _("area hit"),
    "area_rule": _("area rule"),
    "own_by_cushion": _("own by cushion"),
    "own_side_pockets": _("own pockets"),
    "shots_per_puck": _("shot per puck"),
    "striker_with_own": _("striker+own"),
    "jack_one_shot": _("jack one try"),
    "opening": _("opening"),
    "time_limit_s": _("time limit"),
    "time_end": _("at 0:00"),
    "timeout_tie": _("tied on time"),
    "shot_clock_s": _("shot clock"),
    "break_attempts": _("break tries"),
    "off_board_is_foul": _("off is a foul"),
    "cover": _("cover in"),
    "decider": _("decider"),
    "best_of": _("best of"),
    "target": _("target"),
    "max_boards": _("most boards"),
    "queen_points": _("queen points"),
    "queen_cap": _("no queen from"),
    "early_queen": _("early queen"),
    "queen_with_striker": _("queen+striker"),
    "cover_with_striker": _("cover+striker"),
    "queen_with_own": _("queen+own"),
    "void_returns_counters": _("void returns"),
    "cover_order": _("cover by"),
    "two_colours": _("two colours"),
}

_HANDICAPS: Mapping[str, Phrase] = {
    "head_start": _("head start"),
    "pucks_needed": _("pucks needed"),
    "no_striker_penalty": _("striker free"),
    "keep_turn_with_striker": _("striker keeps"),
    "second_chance": _("second chance"),
    "second_chance_on_jack": _("and on jack"),
    "called_pocket": _("called pocket"),
    "must_bank": _("must bank"),
    "weak_hand": _("weak hand"),
}

_VALUES: Mapping[str, Phrase] = {
    "cw": _("clockwise"),
    "ccw": _("counter"),
    "bounce": _("bounce"),
    "clockwise": _("clockwise"),
    "plus_one": _("one more"),
    "per_puck": _("each"),
    "stroke": _("one for both"),
    "each": _("one for each"),
    "plus_extra": _("and one"),
    "five": _("five"),
    "win": _("wins"),
    "foul": _("foul"),
    "jack_penalty": _("jack penalty"),
    "carry": _("stays"),
    "forgive": _("forgiven"),
    "restore": _("restore"),
    "two_keep": _("two, again"),
    "off": _("off"),
    "penalty": _("penalty"),
    "loss": _("loses"),
    "first": _("first"),
    "mass_break": _("mass break"),
    "finish_stroke": _("stroke"),
    "stop": _("stop"),
    "finish_turn": _("turn"),
    "finish_round": _("round"),
    "draw": _("draw"),
    "sudden_death": _("next puck"),
    "aggregate": _c("won, not games", "points"),
    "games": _c("won, not points", "games"),
    "keep": _("keep"),
    "pass": _("pass"),
    "back": _c("the queen goes back", "back"),
    "pending": _("next stroke"),
    "covered": _("covered"),
    "next": _("next stroke"),
    "turn": _("the same turn"),
    "any": _c("which counter covers", "any"),
    "after": _c("which counter covers", "after her"),
}


def option_word(name: str) -> Phrase:
    """Name an option."""
    return _OPTIONS[name]


def handicap_word(name: str) -> Phrase:
    """Name a handicap."""
    return _HANDICAPS[name]


def named_setting(name: str) -> Phrase | None:
    """Name an option or a handicap; None: nothing has this name."""
    return _OPTIONS.get(name) or _HANDICAPS.get(name)


_OFF_AT_0 = ("queen_cap", "max_boards", "shot_clock_s")


def option_value(name: str, value: OptionValue) -> Phrase:
    """Say what an option is set to; 0 of what is a limit is none."""
    if name in _OFF_AT_0 and not value:
        return _VALUES["off"]
    return value_word(value)


def value_word(value: OptionValue) -> Phrase:
    """Say what a setting is set to."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int):
        return _("{n}", n=value)
    return _VALUES[value]
