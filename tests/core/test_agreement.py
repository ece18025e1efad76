"""Agreements: the table of options as the rules page has it, and mistakes as values."""

from __future__ import annotations

import pytest

from jackspot.core.agreement import (
    HANDICAPS,
    OPTIONS,
    AgreementMistake,
    At,
    Disagreement,
    agree,
    option,
)
from jackspot.core.pieces import Seat, Side
from jackspot.core.rules import RULES
from jackspot.core.settings import RuleSystem

H, J, K, G, P, L = (
    RuleSystem.HIKONE,
    RuleSystem.JAPAN,
    RuleSystem.KAGW,
    RuleSystem.GRUNDREGELN,
    RuleSystem.POINTS,
    RuleSystem.ICF,
)
ALL, JACK, ICF = {H, J, K, G, P, L}, {H, J}, {G, L}

# written down from section 10: name, values (a range: from, to), systems, defaults
TABLE = [
    ("direction", ["cw", "ccw"], ALL, {H: "cw", J: "cw", K: "cw", P: "cw", G: "ccw", L: "ccw"}),
    ("order3", ["bounce", "clockwise"], JACK, "bounce"),
    ("striker_penalty", (0, 12), JACK, 1),
    ("jack_penalty", (0, 12), JACK, 5),
    ("foul_with_puck", ["plus_one", "per_puck"], JACK, "plus_one"),
    ("plus_one", ["stroke", "each"], {H}, "stroke"),
    ("flown_adds", [True, False], {J}, False),
    ("last_puck_with_jack", ["plus_extra", "five", "win"], JACK, {H: "plus_extra", J: "five"}),
    ("jack_with_striker", ["foul", "jack_penalty", "win"], JACK, "foul"),
    ("debt", ["carry", "forgive"], JACK, "carry"),
    ("foul_returns_opponents", [True, False], JACK, True),
    ("area_hit", ["restore", "foul"], JACK, "restore"),
    ("area_rule", [True, False], JACK, True),
    ("own_by_cushion", [True, False], JACK, False),
    ("own_side_pockets", [True, False], JACK, True),
    ("shots_per_puck", [True, False], JACK, False),
    ("striker_with_own", ["foul", "two_keep"], JACK, "foul"),
    ("jack_one_shot", ["off", "penalty", "loss"], JACK, "off"),
    ("opening", ["first", "mass_break"], JACK, "first"),
    ("time_limit_s", (0, 86_400), ALL, {H: 0, J: 300, K: 0, P: 0, G: 0, L: 0}),
    ("time_end", ["finish_stroke", "stop", "finish_turn", "finish_round"], ALL, "finish_stroke"),
    ("timeout_tie", ["draw", "sudden_death"], JACK, "draw"),
    ("shot_clock_s", [0, 10, 15, 20, 30, 300], ALL, 0),
    ("break_attempts", (1, 9), {K, G, L}, 3),
    ("off_board_is_foul", [True, False], {K}, False),
    ("cover", ["next", "turn"], {K}, "next"),
    ("decider", ["aggregate", "games"], {K}, "aggregate"),
    ("best_of", (1, 99), ALL, {H: 1, J: 1, K: 3, P: 1, G: 1, L: 3}),
    ("target", (1, 999), ICF, 25),
    ("max_boards", (0, 99), ICF, 8),
    ("queen_points", (0, 99), {K, G, L, P}, {K: 5, G: 3, L: 3, P: 50}),
    ("queen_cap", (0, 999), ICF, 22),
    ("early_queen", ["keep", "pass"], ICF, {G: "keep", L: "pass"}),
    ("queen_with_striker", ["pass", "keep"], ICF, {G: "pass", L: "keep"}),
    ("cover_with_striker", ["back", "pending"], {G}, "back"),
    ("queen_with_own", ["covered", "pending"], {G}, "covered"),
    ("void_returns_counters", [True, False], {P}, False),
    ("cover_order", ["any", "after"], {P}, "any"),
    ("two_colours", [True, False], {P}, False),
]


@pytest.mark.parametrize(("name", "values", "systems", "defaults"), TABLE)
def test_an_option_is_as_the_rules_page_has_it(name, values, systems, defaults):
    known = OPTIONS[name]
    assert set(known.systems) == systems
    for system in systems:
        expected = defaults[system] if isinstance(defaults, dict) else defaults
        assert option(agree({"rules": system.value}), name) == expected
    inside = values if isinstance(values, list) else [*values]
    outside = ["maybe", 1.5, None, [], -1, 100_000]
    if isinstance(values, tuple):
        outside += [values[0] - 1, values[1] + 1, True]
    assert all(known.allows(value) for value in inside)
    assert not any(known.allows(value) for value in outside)


def test_the_table_has_every_option_and_no_other():
    assert list(OPTIONS) == [row[0] for row in TABLE]


def test_what_was_agreed_goes_before_the_default():
    settings = agree({"rules": "hikone", "options": {"best_of": 5, "area_rule": False}})
    assert option(settings, "best_of") == 5
    assert option(settings, "area_rule") is False


def test_an_option_that_a_system_does_not_know_cannot_be_asked_for():
    with pytest.raises(KeyError):
        option(agree({"rules": "hikone"}), "target")


def test_every_mistake_is_told_at_once_as_a_value():
    with pytest.raises(Disagreement) as refused:
        agree(
            {
                "rules": "hikone",
                "seats": ["N", "E"],
                "names": {"N": 3},
                "options": {"best_off": 1, "debt": "never", "target": 3},
                "handicap": {"N": {"head_start": 4, "pucks_needed": 6}},
                "evnt": "Cup",
            }
        )
    assert refused.value.mistakes == (
        AgreementMistake(("evnt",), "unknown key 'evnt'; did you mean 'event'?", At.KEY),
        AgreementMistake(
            ("seats",),
            'two players face each other: expected N and S or E and W, found ["N", "E"]',
        ),
        AgreementMistake(
            ("options", "best_off"), "unknown option 'best_off'; did you mean 'best_of'?", At.KEY
        ),
        AgreementMistake(("options", "debt"), 'expected "carry" or "forgive", found "never"'),
        AgreementMistake(
            ("options", "target"),
            "hikone has no option 'target'; it belongs to grundregeln, icf",
            At.KEY,
        ),
        AgreementMistake(
            ("handicap", "N", "pucks_needed"),
            "head_start and pucks_needed below 12 exclude each other (HC-3a or HC-3b)",
            At.KEY,
        ),
        AgreementMistake(("names", "N"), "expected text in quotes, found 3"),
    )


@pytest.mark.parametrize("system", list(RuleSystem))
def test_every_system_can_be_agreed_on_with_nothing_else(system):
    settings = agree({"rules": system.value})
    assert len(settings.seats) == RULES[system].facts.seats[0]
    assert len(set(settings.sides.values())) == 2


def test_three_players_play_with_a_jack_only():
    assert agree({"rules": "japan", "seats": ["N", "E", "S"]}).sides[Seat.E] is Side.GREEN
    with pytest.raises(Disagreement, match="three players play hikone or japan, not icf"):
        agree({"rules": "icf", "seats": ["N", "E", "S"]})


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("head_start", [0, 11], [12, -1, True]),
        ("pucks_needed", [1, 12], [0, 13]),
        ("no_striker_penalty", [True, False], [1, "yes"]),
        ("keep_turn_with_striker", [True, False], [1]),
        ("second_chance", [True, False], [0]),
        ("called_pocket", [True, False], ["NE"]),
        ("must_bank", [True, False], [1]),
        ("weak_hand", [True, False], ["left"]),
    ],
)
def test_a_handicap_has_its_values(name, good, bad):
    for value in good:
        agree({"rules": "hikone", "handicap": {"N": {name: value}}})
    for value in bad:
        with pytest.raises(Disagreement, match=f"handicap.N.{name}: expected"):
            agree({"rules": "hikone", "handicap": {"N": {name: value}}})


def test_no_handicap_is_forgotten_here():
    assert set(HANDICAPS) == {
        "head_start",
        "pucks_needed",
        "no_striker_penalty",
        "keep_turn_with_striker",
        "second_chance",
        "second_chance_on_jack",
        "called_pocket",
        "must_bank",
        "weak_hand",
    }


def test_partners_together_must_make_sense():
    table = {"rules": "hikone", "seats": ["N", "E", "S", "W"]}
    agree(
        table | {"handicap": {"N": {"second_chance_on_jack": True}, "S": {"second_chance": True}}}
    )
    with pytest.raises(Disagreement, match="exclude each other"):
        agree(table | {"handicap": {"N": {"head_start": 2}, "S": {"pucks_needed": 6}}})
