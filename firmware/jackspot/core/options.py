"""The options of the rule systems: values, defaults, and which systems know them.

This is section 10 of the rules page as a table. Records, boards and menus all read it. Pure data
and look-ups; the effect of a value is up to the rule system.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from jackspot.core.settings import MatchSettings, OptionValue, RuleSystem

_HIKONE, _JAPAN = RuleSystem.HIKONE, RuleSystem.JAPAN
_KAGW, _POINTS = RuleSystem.KAGW, RuleSystem.POINTS
_GRUND, _ICF = RuleSystem.GRUNDREGELN, RuleSystem.ICF

ALL = tuple(RuleSystem)
CAROM = (_HIKONE, _JAPAN)
"""The systems with Hikone's options."""


class Option(Struct, frozen=True):
    """One thing that can be agreed before a match.

    ``allowed`` lists the values (a ``range`` for numbers). ``defaults`` has one value for
    each system that knows the option.
    """

    name: str
    allowed: tuple[OptionValue, ...] | range
    defaults: Mapping[RuleSystem, OptionValue]
    meaning: str

    @property
    def systems(self) -> tuple[RuleSystem, ...]:
        """The systems that know the option."""
        return tuple(self.defaults)

    def allows(self, value: object) -> bool:
        """Return whether a value is in the list; ``true`` is not the number one."""
        return any(type(value) is type(known) for known in self.allowed[:1]) and (
            value in self.allowed
        )

    def list_values(self) -> str:
        """Return the allowed values as an error message shows them."""
        return list_values(self.allowed)


def list_values(allowed: tuple[OptionValue, ...] | range) -> str:
    """Return values as text for people: ``0 to 12``, ``true or false``, ``a, b or c``."""
    if isinstance(allowed, range):
        return f"{allowed[0]} to {allowed[-1]}"
    words = [_written(value) for value in allowed]
    if len(words) > 8:
        return f"{', '.join(words[:4])} ... {words[-1]}"
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _written(value: OptionValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _option(
    name: str,
    allowed: tuple[OptionValue, ...] | range,
    meaning: str,
    *,
    systems: tuple[RuleSystem, ...] = ALL,
    default: OptionValue | None = None,
    **differing: OptionValue,
) -> tuple[str, Option]:
    """Return a row of the table; the default is the first value unless one is given."""
    usual = allowed[0] if default is None else default
    defaults = {system: differing.get(system.value, usual) for system in systems}
    return name, Option(name, allowed, MappingProxyType(defaults), meaning)


_YES_NO = (True, False)
_NO_YES = (False, True)

OPTIONS: Mapping[str, Option] = MappingProxyType(
    dict(
        [
            _option(
                "direction",
                ("cw", "ccw"),
                "how the turn passes with four seats, seen from above",
                grundregeln="ccw",
                icf="ccw",
            ),
            _option("order3", ("bounce", "clockwise"), "three players (2.1)", systems=CAROM),
            _option(
                "striker_penalty",
                range(13),
                "pucks for a striker in or off",
                systems=CAROM,
                default=1,
            ),
            _option(
                "jack_penalty",
                range(13),
                "pucks for an early jack or a jack off (LR-8)",
                systems=CAROM,
                default=5,
            ),
            _option(
                "foul_with_puck",
                ("plus_one", "per_puck"),
                "what an own puck in a faulty stroke adds (A-01)",
                systems=CAROM,
            ),
            _option(
                "plus_one",
                ("stroke", "each"),
                "that addition where a stroke has two penalties (A-01)",
                systems=(_HIKONE,),
            ),
            _option(
                "flown_adds",
                _NO_YES,
                "an own puck off the board in a faulty stroke adds one too (A-08)",
                systems=(_JAPAN,),
            ),
            _option(
                "last_puck_with_jack",
                ("plus_extra", "five", "win"),
                "the last own puck and the jack in one stroke (A-04, LR-15)",
                systems=CAROM,
                japan="five",
            ),
            _option(
                "jack_with_striker",
                ("foul", "jack_penalty", "win"),
                "all in, then jack and striker in one stroke (A-05)",
                systems=CAROM,
            ),
            _option(
                "debt",
                ("carry", "forgive"),
                "a penalty that cannot be paid at once (A-02)",
                systems=CAROM,
            ),
            _option(
                "foul_returns_opponents",
                _YES_NO,
                "an obvious foul brings the opponent's pucks back too (A-06)",
                systems=CAROM,
            ),
            _option(
                "area_hit",
                ("restore", "foul"),
                "a forbidden piece in the own area was hit (A-07)",
                systems=CAROM,
            ),
            _option("area_rule", _YES_NO, "the area rule of doubles (LR-12)", systems=CAROM),
            _option(
                "own_by_cushion",
                _NO_YES,
                "own pucks in the opponent's area only by a cushion (LR-17)",
                systems=CAROM,
            ),
            _option(
                "own_side_pockets",
                _YES_NO,
                "own pucks in the two pockets of the own side count (LR-11)",
                systems=CAROM,
            ),
            _option("shots_per_puck", _NO_YES, "n own pucks, n more shots (LR-13)", systems=CAROM),
            _option(
                "striker_with_own",
                ("foul", "two_keep"),
                "striker and own puck: give two back and shoot again (LR-14)",
                systems=CAROM,
            ),
            _option(
                "jack_one_shot",
                ("off", "penalty", "loss"),
                "all in, and the jack missed at the first try (LR-16)",
                systems=CAROM,
            ),
            _option("opening", ("first", "mass_break"), "who breaks (LR-1)", systems=CAROM),
            _option(
                "time_limit_s",
                range(86_401),
                "match clock of one board, in seconds; 0: none",
                japan=300,
            ),
            _option(
                "time_end",
                ("finish_stroke", "stop", "finish_turn", "finish_round"),
                "what is still played after time",
            ),
            _option(
                "timeout_tie",
                ("draw", "sudden_death"),
                "tied when time is up",
                systems=CAROM,
            ),
            _option(
                "shot_clock_s",
                (0, *range(10, 305, 5)),
                "shown and sounded only, in seconds; 0: off",
            ),
            _option(
                "break_attempts",
                range(1, 10),
                "tries for the break",
                systems=(_KAGW, _GRUND, _ICF),
                default=3,
            ),
            _option(
                "off_board_is_foul",
                _NO_YES,
                "a piece that leaves the board is a foul (B-05)",
                systems=(_KAGW,),
            ),
            _option(
                "cover",
                ("next", "turn"),
                "what covers the queen: this stroke and the next, or the whole turn (B-04)",
                systems=(_KAGW,),
            ),
            _option(
                "decider",
                ("aggregate", "games"),
                "what decides at one game each (B-06)",
                systems=(_KAGW,),
            ),
            _option(
                "best_of",
                range(1, 100),
                "boards of a match; icf and grundregeln: games",
                default=1,
                kagw=3,
                icf=3,
            ),
            _option(
                "target", range(1, 1000), "points of a game", systems=(_GRUND, _ICF), default=25
            ),
            _option(
                "max_boards",
                range(100),
                "boards of a game; 0: any number",
                systems=(_GRUND, _ICF),
                default=8,
            ),
            _option(
                "queen_points",
                range(100),
                "what the queen counts",
                systems=(_KAGW, _GRUND, _ICF, _POINTS),
                default=3,
                kagw=5,
                points=50,
            ),
            _option(
                "queen_cap",
                range(1000),
                "from this score the queen counts nothing; 0: never",
                systems=(_GRUND, _ICF),
                default=22,
            ),
            _option(
                "early_queen",
                ("keep", "pass"),
                "the turn after a queen pocketed too early (C-01)",
                systems=(_GRUND, _ICF),
                icf="pass",
            ),
            _option(
                "queen_with_striker",
                ("pass", "keep"),
                "the turn after queen and striker in one stroke (C-02)",
                systems=(_GRUND, _ICF),
                icf="keep",
            ),
            _option(
                "cover_with_striker",
                ("back", "pending"),
                "own piece and striker in the stroke that is to cover the queen (C-05)",
                systems=(_GRUND,),
            ),
            _option(
                "queen_with_own",
                ("covered", "pending"),
                "the queen and own pieces in one stroke (C-06)",
                systems=(_GRUND,),
            ),
            _option(
                "void_returns_counters",
                _NO_YES,
                "the counters of a void turn come back (D-05)",
                systems=(_POINTS,),
            ),
            _option(
                "cover_order",
                ("any", "after"),
                "which counter of the queen's own stroke covers her (D-01)",
                systems=(_POINTS,),
            ),
            _option(
                "two_colours",
                _NO_YES,
                "each side has its own colour (D-03)",
                systems=(_POINTS,),
            ),
        ]
    )
)
"""Every option by name, in the order of the rules page."""


def option(settings: MatchSettings, name: str) -> OptionValue:
    """Return what was agreed for an option, or the system's default.

    Raises KeyError if there is no such option or the system does not know it.
    """
    given = settings.options.get(name)
    if given is not None:
        return given
    try:
        return OPTIONS[name].defaults[settings.rules]
    except KeyError:
        raise KeyError(f"{settings.rules} has no option {name}; is_agreed says so") from None


def is_agreed(settings: MatchSettings, name: str, value: OptionValue) -> bool:
    """Return whether an option has this value; it has none if the system does not know it."""
    return settings.rules in OPTIONS[name].defaults and option(settings, name) == value


def text_option(settings: MatchSettings, name: str) -> str:
    """Return an option whose values are words."""
    value = option(settings, name)
    assert isinstance(value, str), name
    return value


def number_option(settings: MatchSettings, name: str) -> int:
    """Return an option whose values are numbers."""
    value = option(settings, name)
    assert isinstance(value, int), name
    return value


def yes_no_option(settings: MatchSettings, name: str) -> bool:
    """Return an option that is true or false."""
    value = option(settings, name)
    assert isinstance(value, bool), name
    return value
