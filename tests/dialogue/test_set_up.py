"""Set-up: what can be set for a match, who locks it, and what it outlasts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from jackspot.core.agreement import HANDICAPS
from jackspot.core.match import Match
from jackspot.core.options import CAROM, OPTIONS
from jackspot.core.pieces import Seat, Side
from jackspot.core.rules import RULES
from jackspot.core.rules.common import single_player
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.plans import (
    STEPS,
    Plan,
    agreed,
    lineups_of,
    planned,
    rules_of,
    with_next_first,
    with_next_lineup,
    with_rules,
)
from jackspot.dialogue.state.preferences import Lock
from jackspot.dialogue.state.view import Phase, PreferencesView
from jackspot.dialogue.words.option_words import handicap_word, option_word
from jackspot.dialogue.words.sides import sides_before, sides_in
from jackspot.sensing.events import HallPlace, PlaceTold
from jackspot.values import changed
from tests.dialogue.dialogue_checks import check_a_restart
from tests.dialogue.playing import Table
from tests.dialogue.set_up_menu import PREFERENCES, labels, menu, preferences


def locking(*locks: Lock) -> DialogueSettings:
    return DialogueSettings(preferences=PREFERENCES, locked=frozenset(locks))


def test_the_menu_of_setup() -> None:
    assert menu().items == [
        "seats N S", "no time limit", "boards: best of 1", "clock: at once", "names", "handicaps",
        "rules and options", "free play", "manual pockets", "the board itself", "close",
    ]  # fmt: skip


# --- rules and options -----------------------------------------------------------------


def test_every_option_that_hikone_knows_goes_through_its_values_and_comes_round() -> None:
    table = menu().pick("rules and options", by="N")
    known = [each for each in OPTIONS.values() if RuleSystem.HIKONE in each.systems]
    listed = [each for each in known if each.name not in ("time_limit_s", "best_of")]
    assert len(table.items) == len(listed) + 2, "the rules, the options, and the way back"
    for option in listed:
        offered = STEPS.get(option.name, option.allowed)
        word = str(option_word(option.name))
        seen = []
        for _ in offered:
            table.pick(f"{word}: ", by="N")
            seen.append(planned(table.dialogue.plan, option.name))
            assert option.allows(seen[-1])
        assert set(seen) == set(offered), option.name
        assert seen[-1] == option.defaults[RuleSystem.HIKONE], "once round is as before"


def test_a_match_is_played_with_the_options_that_were_set() -> None:
    table = menu().pick("rules and options", by="N").pick("striker costs: 1", by="N")
    table.pick("debt: stays", by="N").pick("back", by="N").pick("close", by="N")
    table.calm().ok("N").must_be(Phase.READY)
    options = dict(table.game.match.settings.options)
    assert options == {"striker_penalty": 2, "debt": "forgive"}


def test_the_direction_turns_the_order_of_four_players() -> None:
    table = menu(lineup="NESW").pick("rules and options", by="N")
    table.pick("turn passes: clockwise", by="N").pick("back", by="N").pick("close", by="N")
    table.calm().ok("E").must_be(Phase.READY)
    assert "".join(table.game.match.settings.seats) == "ENWS"


def test_a_time_limit_that_the_config_gave_is_shown_to_the_second() -> None:
    table = Table(box=False, options={"time_limit_s": 90}).wait(1.0).hold("N", "fix").wait(1.0)
    assert labels(table, "time", 2) == ["time 1:30 min", "time 3 min"]


# --- the other systems -----------------------------------------------------------------


def setting(rules: str = "hikone", **given: Any) -> Table:
    """The list of rules and options, opened at a seat."""
    table = Table(box=False, rules=rules, **given).wait(1.0).hold("N", "fix").wait(1.0)
    return table.pick("rules and options", by="N").wait(1.0)


def test_every_system_that_is_played_can_be_set() -> None:
    table = setting()
    seen = [str(rules_of(table.pick("rules ", by="N").dialogue.plan)) for _ in RULES]
    assert sorted(seen) == sorted(RULES)
    assert seen[-1] == "hikone", "once round is as before"


@pytest.mark.parametrize("rules", RULES)
def test_every_option_of_every_system_goes_through_its_values(rules: RuleSystem) -> None:
    table = setting(rules.value)
    known = [each for each in OPTIONS.values() if rules in each.systems]
    listed = [each for each in known if each.name not in ("time_limit_s", "best_of")]
    assert len(table.items) == len(listed) + 2, "the rules, the options, and the way back"
    for option in listed:
        offered = STEPS.get(option.name, option.allowed)
        assert option.defaults[rules] in offered
        word = str(option_word(option.name))
        seen = []
        for _ in offered:
            table.pick(f"{word}: ", by="N")
            seen.append(planned(table.dialogue.plan, option.name))
            assert option.allows(seen[-1])
        assert set(seen) == set(offered), option.name


@pytest.mark.parametrize("rules", RULES)
def test_a_match_of_every_system_starts_as_it_was_set(rules: RuleSystem) -> None:
    table = setting()
    while rules_of(table.dialogue.plan) is not rules:
        table.pick("rules ", by="N")
    table.pick("back", by="N").pick("close", by="N").calm().ok("S").must_be(Phase.READY)
    settings = table.game.match.settings
    assert settings.rules is rules
    assert table.shooter == "S"
    assert settings.side_of(Seat.S) is RULES[rules].sides[0], "who opens plays the first colour"


def test_changing_the_system_drops_what_it_does_not_know_and_says_so() -> None:
    options = {"jack_penalty": 3, "time_limit_s": 60}
    table = setting(options=options, handicap={"N": {"head_start": 2}})
    while rules_of(table.dialogue.plan) in CAROM:
        table.pick("rules ", by="N")
    assert str(table.view.detail) == "dropped: jack costs, handicaps"
    assert table.view.menu is not None
    assert str(table.view.menu.note) == "dropped: jack costs, handicaps"
    assert table.dialogue.plan.header["options"] == {"time_limit_s": 60}
    table.fix("N")
    assert table.view.menu is not None
    assert str(table.view.menu.note) == "", "the next press takes the remark away"


def test_three_players_are_two_where_three_cannot_play() -> None:
    table = setting(lineup="NES")
    while rules_of(table.dialogue.plan) in CAROM:
        table.pick("rules ", by="N")
    assert "three players" in str(table.view.detail)
    assert len(table.dialogue.plan.lineup) == 2
    table.pick("back", by="N")
    sizes = {len(table.pick("seats", by="N").dialogue.plan.lineup) for _ in range(8)}
    assert sizes == {2, 4}


@pytest.mark.parametrize("rules", RULES)
def test_only_the_systems_with_a_jack_have_handicaps(rules: RuleSystem) -> None:
    table = Table(box=False, rules=rules.value).wait(1.0).hold("N", "fix").wait(1.0)
    assert ("handicaps" in table.items) is (rules in CAROM)
    of_games = rules in OPTIONS["max_boards"].systems
    assert any(item.startswith("games: best of") for item in table.items) is of_games


def test_the_order_of_four_turns_with_the_direction_of_the_system() -> None:
    table = setting(lineup="NESW")
    while rules_of(table.dialogue.plan) is not RuleSystem.ICF:
        table.pick("rules ", by="N")
    assert "".join(table.dialogue.plan.lineup) == "NWSE", "to the right, as the laws say"
    while rules_of(table.dialogue.plan) is not RuleSystem.KAGW:
        table.pick("rules ", by="N")
    assert "".join(table.dialogue.plan.lineup) == "NESW"


def test_colours_that_the_config_gave_go_with_the_rules_they_were_for() -> None:
    plan = Plan({"rules": "hikone", "colours": {"N": "green"}}, (Seat.N, Seat.S), Seat.N)
    other = with_rules(plan, RuleSystem.KAGW)
    assert "colours" not in other.header
    assert agreed(other, Seat.N).side_of(Seat.N) is Side.WHITE
    assert "colours" in with_rules(plan, RuleSystem.JAPAN).header


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("of_the_first", [None, 0, 1], ids=["usual", "the first", "the second"])
def test_set_up_shows_each_side_in_the_place_and_colour_that_it_will_have(
    rules: RuleSystem, of_the_first: int | None
) -> None:
    names = {seat.value: f"player {seat}" for seat in Seat}
    for lineup in lineups_of(rules):
        for first in lineup:
            header: dict[str, Any] = {"rules": rules.value, "names": names}
            if of_the_first is not None:
                header["colours"] = {lineup[0].value: RULES[rules].sides[of_the_first].value}
            plan = Plan(header, lineup, first)
            before = sides_before(plan, rules)
            match = sides_in(Match.begin(agreed(plan, first)), first)
            for each, later in zip(before, match, strict=True):
                assert (each.side, each.seats, each.names, each.shoots, each.pieces) == (
                    (later.side, later.seats, later.names, later.shoots, later.pieces)
                )


def test_rules_that_were_set_outlast_a_power_cut() -> None:
    table = setting(options={"jack_penalty": 3}, lineup="NESW")
    while rules_of(table.dialogue.plan) is not RuleSystem.ICF:
        table.pick("rules ", by="N")
    table.pick("target: ", by="N")
    before = table.dialogue.plan
    check_a_restart(table)
    table.restart()
    assert table.dialogue.plan == before


# --- who plays -------------------------------------------------------------------------


def test_names_are_picked_from_the_list_and_nobody_sits_at_two_seats() -> None:
    table = menu(dialogue_settings=DialogueSettings(people=("Aiko", "Ben", "Chie"))).pick(
        "names", by="N"
    )
    table.pick("N: -", by="N")
    assert table.items == ["N: Aiko", "N: Ben", "N: Chie", "N: -", "back"]
    table.pick("N: Ben", by="N").pick("S: -", by="N").pick("S: Ben", by="N")
    assert table.items == ["N: -", "S: Ben", "back"]
    table.pick("back", by="N").pick("close", by="N").calm().ok("N").must_be(Phase.READY)
    assert dict(table.game.match.settings.names) == {"S": "Ben"}


def test_handicaps_are_set_for_a_side_and_shown_in_setup() -> None:
    table = menu(lineup="NESW").pick("handicaps", by="N")
    assert table.items == ["N S: 0 set", "E W: 0 set", "back"]
    table.pick("E W", by="N").pick("head start: 0", by="N").pick("head start: 1", by="N")
    table.pick("back", by="N")
    assert table.items[1] == "E W: 1 set"
    table.pick("back", by="N").pick("close", by="N")
    assert [side.pocketed for side in table.view.sides] == [0, 2]
    table.calm().ok("N").must_be(Phase.READY)
    assert table.counts == (0, 2)


def test_every_handicap_goes_through_its_values_and_comes_round() -> None:
    table = menu().pick("handicaps", by="N").pick("S: ", by="N")
    for name, allowed in HANDICAPS.items():
        word = f"{handicap_word(name)}: "
        first = next(each for each in table.items if each.startswith(word))
        said = labels(table, word, len(allowed))
        assert len(set(said)) == len(allowed), name
        assert said[0] == first
        assert next(each for each in table.items if each.startswith(word)) == first
    table.pick("back", by="N").pick("back", by="N").pick("close", by="N")
    table.calm().ok("N").must_be(Phase.READY)


def test_a_handicap_that_excludes_another_takes_it_away() -> None:
    table = menu().pick("handicaps", by="N").pick("S: ", by="N")
    table.pick("head start: 0", by="N").pick("pucks needed: 12", by="N")
    assert table.dialogue.plan.header["handicap"] == {"S": {"pucks_needed": 11}}
    table.pick("and on jack: no", by="N")
    assert table.dialogue.plan.header["handicap"] == {
        "S": {"pucks_needed": 11, "second_chance": True, "second_chance_on_jack": True}
    }
    table.pick("second chance: yes", by="N")
    assert table.dialogue.plan.header["handicap"] == {"S": {"pucks_needed": 11}}


def test_what_was_set_outlasts_a_power_cut() -> None:
    table = (
        menu(dialogue_settings=DialogueSettings(people=("Aiko", "Ben")))
        .pick("names", by="N")
        .pick("N: -", by="N")
    )
    table.pick("N: Aiko", by="N").pick("back", by="N").pick("clock: at once", by="N")
    table.pick("handicaps", by="N").pick("N: ", by="N").pick("must bank: no", by="N")
    before = table.dialogue.plan
    check_a_restart(table)
    table.restart()
    assert table.dialogue.plan == before
    assert table.view.sides[0].names == ("Aiko",)


def test_a_changed_configuration_wins_over_what_was_set_before_it() -> None:
    table = menu().pick("no time limit", by="N").pick("boards", by="N").pick("close", by="N")
    table.plan = changed(table.plan, header={**table.plan.header, "options": {"best_of": 5}})
    table.restart()
    assert table.dialogue.plan == table.plan


# --- locked settings -------------------------------------------------------------------

LOCKED_ITEMS: Iterable[tuple[Lock, tuple[str, ...], str]] = (
    (Lock.PLAYERS, (), "seats"),
    (Lock.TIME, (), "no time limit"),
    (Lock.TIME, (), "clock: at once"),
    (Lock.BOARDS, (), "boards: best of 1"),
    (Lock.NAMES, (), "names"),
    (Lock.HANDICAPS, ("handicaps", "N: "), "head start: 0"),
    (Lock.RULES, ("rules and options",), "striker costs: 1"),
    (Lock.TIME, ("rules and options",), "at 0:00: stroke"),
    (Lock.LANGUAGE, ("the board itself",), "language English"),
    (Lock.BRIGHTNESS, ("the board itself",), "brightness 100 %"),
    (Lock.VOLUME, ("the board itself",), "volume 50 %"),
    (Lock.SHUTDOWN, ("the board itself",), "safe shutdown"),
    (Lock.HALL, ("the board itself",), "board number: none"),
)


@pytest.mark.parametrize(("lock", "way", "item"), LOCKED_ITEMS)
def test_a_locked_item_is_shown_as_locked_and_does_nothing_but_say_so(
    lock: Lock, way: tuple[str, ...], item: str
) -> None:
    table = menu(dialogue_settings=locking(lock))
    table.give(PlaceTold(table.now_ns, HallPlace()))
    for step in way:
        table.pick(step, by="N")
    before = (table.dialogue.plan, table.dialogue.preferences)
    table.pick(f"locked: {item}", by="N", held=lock is Lock.SHUTDOWN)
    assert str(table.view.ok) == "locked"
    assert str(table.view.detail) == "locked by organiser"
    assert (table.dialogue.plan, table.dialogue.preferences) == before
    assert EntryKind.SHUTDOWN not in table.kinds()


def test_every_lock_locks_something() -> None:
    assert {lock for lock, _way, _item in LOCKED_ITEMS} == set(Lock)


def test_fix_in_setup_changes_no_locked_players_but_still_says_who_is_first() -> None:
    table = Table(dialogue_settings=locking(Lock.PLAYERS)).wait(1.0)
    table.fix("N")
    assert str(table.view.detail) == "locked by organiser"
    assert [side.seats for side in table.view.sides] == [("N",), ("S",)]
    table.wait(1.0).fix("referee")
    assert table.shooter == "S"


def test_what_is_locked_is_as_the_configuration_says_whatever_was_set_before() -> None:
    table = preferences().pick("language", by="N").pick("volume", by="N")
    table.dialogue_settings = changed(table.dialogue_settings, locked=frozenset({Lock.LANGUAGE}))
    table.restart()
    assert table.view.preferences == PreferencesView("en", 100, 25)


def test_what_was_set_before_a_lock_is_as_the_configuration_says_again() -> None:
    table = menu().pick("no time limit", by="N").pick("close", by="N")
    table.dialogue_settings = changed(table.dialogue_settings, locked=frozenset({Lock.TIME}))
    table.restart()
    assert table.dialogue.plan == table.plan


def test_the_sides_of_a_match_are_as_set_up_showed_them() -> None:
    for lineup in ("NS", "EW", "NESW", "NES", "WNE"):
        table = Table(lineup=lineup).wait(1.0)
        shown = [set(side.seats) for side in table.view.sides]
        table.started("referee")
        assert [set(side.seats) for side in table.view.sides] == shown, lineup
        assert table.view.sides[0].side is Side.RED


def test_of_three_who_plays_alone_is_proposed_first_and_red() -> None:
    plan = Table().dialogue.plan
    seen = set()
    for _ in lineups_of(RuleSystem.HIKONE):
        plan = with_next_lineup(plan)
        alone = single_player(plan.lineup)
        if alone is None:
            continue
        seen.add(alone)
        settings = agreed(plan, plan.first)
        assert plan.first is alone
        assert (settings.seats[0], settings.sides[alone]) == (alone, Side.RED)
        assert settings.seats[1] is alone.clockwise, "D1 sits clockwise of who plays alone"
    assert seen == set(Seat)
    assert with_next_first(plan).first is not plan.first, "and may be changed"
