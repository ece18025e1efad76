"""Anything may be pressed at any time, and anything may fall: the dialogue never breaks."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import assume, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from jackspot.core.clock import SECOND_NS
from jackspot.core.options import CAROM
from jackspot.core.pieces import Pocket
from jackspot.core.rules import RULES
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.sensing.events import Button, FaultCleared, FaultRaised, Key, Place, Trouble
from jackspot.sensing.limits import SECOND
from tests.dialogue.dialogue_checks import (
    check_all,
    lead_on,
    watch_the_evidence,
    watch_the_presses,
    watch_the_question,
)
from tests.dialogue.playing import BOX_KEYS, SEAT_KEYS, Table

BUTTONS = [(place.value, key.value) for place in Place for key in
           (BOX_KEYS if place in (Place.REFEREE, Place.PAGE) else SEAT_KEYS)]  # fmt: skip
LIKELY = [("referee", "ok"), ("N", "ok"), ("referee", "fix"), ("referee", "undo")]
PAUSES_S = (0.05, 0.3, 0.45, 0.7, 1.0, 1.6, 3.1, 6.0, 12.0)
WIDTHS_MS = (3.0, 9.0, 9.0, 9.0, 12.0, 38.0, 90.0, 400.0, 1900.0, 2500.0)
TIMED: list[dict[str, object]] = [
    {"time_limit_s": 25, "time_end": end, "best_of": 3}
    for end in ("stop", "finish_stroke", "finish_turn", "finish_round")
]
ANYWHERE: list[dict[str, object]] = [
    {}, {"best_of": 3}, {"best_of": 3, "shot_clock_s": 10}, *TIMED,
]  # fmt: skip
WITH_A_JACK: list[dict[str, object]] = [
    *ANYWHERE,
    {"time_limit_s": 25, "timeout_tie": "sudden_death"},
    {"own_side_pockets": False, "shots_per_puck": True},
    {"striker_with_own": "two_keep", "jack_one_shot": "loss"},
    {"jack_one_shot": "penalty", "opening": "mass_break"},
    {"own_by_cushion": True},
]
OPTIONS: Mapping[RuleSystem, list[dict[str, object]]] = {
    RuleSystem.HIKONE: WITH_A_JACK,
    RuleSystem.JAPAN: WITH_A_JACK,
    RuleSystem.KAGW: [*ANYWHERE, {"off_board_is_foul": True, "cover": "turn"}],
    RuleSystem.GRUNDREGELN: [*ANYWHERE, {"target": 1, "queen_with_own": "pending"}],
    RuleSystem.ICF: [*ANYWHERE, {"target": 1, "max_boards": 1}],
    RuleSystem.POINTS: [
        *ANYWHERE,
        {"two_colours": True},
        {"void_returns_counters": True, "cover_order": "after"},
    ],
}
ALMOST = {
    RuleSystem.KAGW: ("WHITE in: ", "BLACK in: "),
    RuleSystem.GRUNDREGELN: ("WHITE in: ", "BLACK in: "),
    RuleSystem.ICF: ("WHITE in: ", "BLACK in: "),
}
"""Counts that are corrected at once, so that boards end soon."""
PLAYED = [(rules, options) for rules in RULES for options in OPTIONS[rules]]


class Anything(RuleBasedStateMachine):
    """People at a table who press whatever they like whenever they like."""

    table: Table

    @initialize(
        played=st.sampled_from(PLAYED),
        lineup=st.sampled_from(["NS", "NESW", "EW"]),
        quick=st.booleans(),
        confirm=st.sampled_from(list(Confirm)),
        started=st.booleans(),
        free_rest=st.sampled_from([False, False, True]),
        asked=st.booleans(),
        armed=st.booleans(),
    )
    def sit_down(
        self,
        played: tuple[RuleSystem, dict[str, object]],
        lineup: str,
        quick: bool,
        confirm: Confirm,
        started: bool,
        free_rest: bool,
        asked: bool,
        armed: bool,
    ) -> None:
        rules, options = played
        needed = {"pucks_needed": 1, "called_pocket": asked, "must_bank": asked}
        handicap = {lineup[0]: needed, lineup[1]: needed}
        self.table = Table(
            rules=rules.value,
            lineup=lineup,
            options=options,
            handicap=handicap if quick and rules in CAROM else None,
            dialogue_settings=DialogueSettings(
                unanswered_ns=30 * SECOND_NS,
                confirm=confirm,
                free_rest=free_rest,
                attract_ns=15 * SECOND,
                abandoned_ns=15 * SECOND,
                people=("Aiko", "Ben"),
            ),
            armed=armed,
        )
        self.table.watchers += [
            watch_the_question, watch_the_evidence(self.table), watch_the_presses(self.table),
        ]  # fmt: skip
        if started and not free_rest:
            self.table.started("referee")
            if quick and rules in ALMOST:
                self.almost_over(*ALMOST[rules])

    def almost_over(self, *counts: str) -> None:
        """Correct the counts so that both sides have all but one piece in."""
        self.table.hold("referee", "fix").wait(1.0).pick("correct the counts")
        for count in counts:
            for _ in range(8):
                self.table.pick(count)
        self.table.pick("the table is right").calm()

    @rule(button=st.sampled_from(BUTTONS + LIKELY * 3), times=st.integers(1, 3))
    def press(self, button: tuple[str, str], times: int) -> None:
        for _ in range(times):
            self.table.press(*button)

    @rule(place=st.sampled_from(["referee", "N"]), times=st.integers(0, 3))
    def something_is_entered_by_hand(self, place: str, times: int) -> None:
        self.table.wait(3.1).fix(place, 1 + times).wait(0.5).ok(place)

    @rule(times=st.integers(0, 9))
    def somebody_works_the_menu(self, times: int) -> None:
        self.table.wait(1.0).hold("referee", "fix").fix("referee", times).wait(0.5).ok("referee")

    @rule(line=st.integers(0, 3), times=st.integers(0, 9))
    def the_counts_are_corrected(self, line: int, times: int) -> None:
        table = self.table.wait(3.1).hold("referee", "fix").wait(0.1)
        if table.view.menu is None or "correct the counts" not in table.items:
            return
        table.fix("referee", table.items.index("correct the counts") - table.view.menu.chosen)
        table.wait(1.0).ok("referee").fix("referee", line)
        for _ in range(times):
            table.ok("referee").wait(0.9)
        table.hold("referee", "fix")

    @rule()
    def everybody_leaves(self) -> None:
        self.table.wait(16.0)

    @rule(button=st.sampled_from(BUTTONS + LIKELY))
    def hold(self, button: tuple[str, str]) -> None:
        self.table.hold(*button)

    @rule(place=st.sampled_from("NESW"))
    def chord(self, place: str) -> None:
        self.table.chord(place)

    @rule(
        one=st.sampled_from(BUTTONS), other=st.sampled_from(BUTTONS), gap_s=st.sampled_from(
            (0.0, 0.02, 0.3)
        ),
    )  # fmt: skip
    def two_hands(self, one: tuple[str, str], other: tuple[str, str], gap_s: float) -> None:
        assume(one != other)
        self.table.down(*one).wait(gap_s).down(*other).wait(0.1).up(*one).up(*other)

    @rule(pocket=st.sampled_from(list(Pocket)), ms=st.sampled_from(WIDTHS_MS))
    def fall(self, pocket: Pocket, ms: float) -> None:
        self.table.fall(pocket, ms)

    @rule(pockets=st.lists(st.sampled_from(list(Pocket)), min_size=2, max_size=4))
    def several_fall(self, pockets: list[Pocket]) -> None:
        self.table.falls_in(*pockets)

    @rule(pockets=st.lists(st.sampled_from(list(Pocket)), min_size=5, max_size=5))
    def people_shoot_on_without_pressing(self, pockets: list[Pocket]) -> None:
        for pocket in pockets:
            self.table.fall(pocket).wait(3.0)

    @rule()
    def nobody_presses_for_long(self) -> None:
        self.table.wait(31.0)

    @rule(pocket=st.sampled_from(list(Pocket)), gap_ms=st.sampled_from((4.0, 11.0, 60.0)))
    def one_tumbles(self, pocket: Pocket, gap_ms: float) -> None:
        self.table.fall(pocket, 5.0).wait(gap_ms / 1000).fall(pocket, 6.0)

    @rule(seconds=st.sampled_from(PAUSES_S))
    def wait(self, seconds: float) -> None:
        self.table.wait(seconds)

    @rule(
        key=st.sampled_from(list(Key)), pocket=st.sampled_from(list(Pocket)),
        ms=st.sampled_from((9.0, 500.0)),
    )  # fmt: skip
    def something_falls_under_a_finger(self, key: Key, pocket: Pocket, ms: float) -> None:
        self.table.down("referee", key).fall(pocket, ms).wait(0.05).up("referee", key)

    @rule(key=st.sampled_from(list(Key)), late=st.integers(0, 2))
    def a_page_answers_late(self, key: Key, late: int) -> None:
        self.table.short(key, max(1, self.table.view.ask - late))

    @rule(part=st.sampled_from(["pocket_ne", "referee_ok", "oled", "journal"]),
          trouble=st.sampled_from(list(Trouble)), well=st.booleans())  # fmt: skip
    def something_breaks(self, part: str, trouble: Trouble, well: bool) -> None:
        kind = FaultCleared if well else FaultRaised
        self.table.fault(kind(self.table.now_ns, part, trouble))

    @rule(sure=st.booleans())
    def ok_of_the_referee(self, sure: bool) -> None:
        self.table.wait(3.1)
        if sure:
            self.table.hold("referee", "ok")
        else:
            self.table.ok("referee")

    @rule(times=st.integers(0, 12), held=st.booleans())
    def something_is_picked_from_the_menu(self, times: int, held: bool) -> None:
        self.table.wait(3.1).hold("referee", "fix").wait(1.0).fix("referee", times)
        if held:
            self.table.hold("referee", "ok")
        else:
            self.table.ok("referee")

    @rule(times=st.integers(0, 12))
    def the_list_is_worked(self, times: int) -> None:
        self.table.fix("referee", times).ok("referee")

    @rule(back=st.integers(1, 5), other=st.integers(0, 3), keep=st.sampled_from(["ok", "fix"]))
    def something_further_back_is_corrected(self, back: int, other: int, keep: str) -> None:
        for _ in range(back):
            self.table.undo().wait(0.1)
        self.table.wait(1.0).fix("referee", other).wait(0.5).hold("referee", "ok").wait(1.0)
        self.table.press("referee", keep)

    @rule(line=st.integers(0, 6), other=st.integers(0, 3))
    def the_history_opens_an_entry(self, line: int, other: int) -> None:
        table = self.table.wait(1.0).hold("referee", "fix").wait(0.1)
        if table.view.menu is None or "history" not in table.items:
            return
        table.fix("referee", table.items.index("history") - table.view.menu.chosen).wait(1.0)
        table.ok("referee").fix("referee", line).wait(1.0).ok("referee").wait(1.0)
        table.fix("referee", other).wait(0.5).hold("referee", "ok").wait(1.0).ok("referee")

    @rule(reboot=st.booleans())
    def the_power_fails(self, reboot: bool) -> None:
        self.table.restart(reboot=reboot)

    @invariant()
    def everything_holds(self) -> None:
        if hasattr(self, "table"):
            check_all(self.table)

    def teardown(self) -> None:
        if hasattr(self, "table"):
            lead_on(self.table)
            check_all(self.table)


@pytest.mark.timeout(600)
def test_anything_pressed_at_any_time_leaves_a_desk_that_leads_on() -> None:
    Anything.TestCase.settings = settings(max_examples=12, stateful_step_count=25)
    Anything.TestCase().runTest()


@pytest.mark.long
def test_anything_at_all_for_a_long_time() -> None:
    class Longer(Anything):
        """The same table, with more patience."""

    Longer.TestCase.settings = settings(max_examples=150, stateful_step_count=60)
    Longer.TestCase().runTest()


def test_every_button_is_pressed_by_the_tests_of_anything() -> None:
    pressed = {Button(Place(place), Key(key)) for place, key in BUTTONS}
    assert {button.place for button in pressed} == set(Place)
    assert {button.key for button in pressed} == set(Key)
