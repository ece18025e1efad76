"""What the players of a soak agree on: who sits where, and the options of the match.

Checked by the same :func:`jackspot.core.agreement.agree` as a record and a board's config. What
simulated people cannot do is refused before anything is played.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence

from jackspot.core.agreement import agree, option, yes_no_option
from jackspot.core.options import OPTIONS
from jackspot.core.rules import facts_of, rules_for
from jackspot.core.settings import MatchSettings, OptionValue, RuleSystem
from jackspot.readings.own_pieces import counts_by_colour

Options = tuple[tuple[str, OptionValue], ...]
"""Names of options with the values agreed on."""

LINEUPS = ("NS", "NESW")
"""Who plays by default: two, and two pairs."""


def usual_lineups(system: RuleSystem) -> tuple[str, ...]:
    """Return the line-ups that take turns by default."""
    two, four = LINEUPS
    return two, (four[0] + four[:0:-1] if facts_of(system).to_the_right else four)


def read_options(given: Sequence[str]) -> Options:
    """Read ``NAME=VALUE`` as a record has it; a word needs no quotes. ValueError for another form.

    :func:`settings_of` checks whether there is such an option, and whether it has such a value.
    """
    options: dict[str, OptionValue] = {}
    for each in given:
        name, equals, text = (part.strip() for part in each.partition("="))
        if not (name and equals and text):
            raise ValueError(f"expected NAME=VALUE such as best_of=3, found '{each}'")
        if name in options:
            raise ValueError(f"{name} is given twice")
        options[name] = _value(text)
    return tuple(options.items())


def _value(text: str) -> OptionValue:
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
    return value if isinstance(value, str | int | bool) else text


def settings_of(system: RuleSystem, lineup: str, options: Options) -> MatchSettings:
    """Return what is agreed, without a match clock: nobody here hurries.

    :class:`jackspot.core.agreement.Disagreement` (a ValueError) for what no board would accept,
    ValueError for what simulated people cannot do.
    """
    agreed: dict[str, object] = {"time_limit_s": 0, **dict(options)}
    if OPTIONS["time_limit_s"].defaults[system] == 0 and "time_limit_s" not in dict(options):
        del agreed["time_limit_s"]
    settings = agree({"rules": system.value, "seats": list(lineup), "options": agreed})
    if option(settings, "time_limit_s"):
        raise ValueError("options.time_limit_s: nobody here plays against the clock; expected 0")
    if "opening" in settings.options and option(settings, "opening") != "first":
        raise ValueError(
            "options.opening: computer players shoot one after the other; expected first"
        )
    return settings


def owned(settings: MatchSettings) -> bool:
    """Whether each side has a colour of its own."""
    colours = counts_by_colour(rules_for(settings.rules))
    return colours or yes_no_option(settings, "two_colours")


def written(options: Options) -> tuple[str, ...]:
    """Write options as :func:`read_options` reads them."""
    return tuple(
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in options
    )
