"""The page on how people and the board talk, sentence by sentence: nothing sensed is dropped.

This includes what a dead beam asks of people, and readings. One test for each sentence, in order.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackspot.core.pieces import Piece, Pocket
from jackspot.dialogue.state.dialogue_settings import Confirm, DialogueSettings
from jackspot.dialogue.state.entries import EntryKind
from jackspot.dialogue.state.view import Phase, QueuedKind
from tests.dialogue.in_phase import in_falling, in_pause, in_placing, in_ready, in_review
from tests.dialogue.playing import Table


def question(table: Table) -> str:
    """Return the open question or list; empty if there is none."""
    return str(table.view.menu.title) if table.view.menu else ""


def shown(table: Table) -> list[str]:
    """Return the readings that FIX goes through."""
    return [str(each.what) for each in table.view.readings]


# --- the queue -------------------------------------------------------------------------


@pytest.mark.parametrize("opened", ["review", "placing", "paused", "menu", "editing"])
def test_falls_that_come_while_something_else_is_open_wait_in_a_queue(opened: str) -> None:
    makers: dict[str, Callable[[], Table]] = {
        "review": in_review,
        "placing": in_placing,
        "paused": in_pause,
        "menu": lambda: in_ready().hold("N", "fix"),
        "editing": lambda: in_review().hold("N", "fix"),
    }
    table = makers[opened]()
    asked = (table.phase, table.view.menu, table.view.proposal and table.proposed)
    table.fall("NE").wait(5.0).fall("SE").wait(3.0)
    assert (table.phase, table.view.menu, table.view.proposal and table.proposed) == asked
    assert table.view.waiting == 2, "+2"


def test_what_waits_may_be_the_same_stroke() -> None:
    table = in_ready().fall("NE").wait(0.6).fix("N").choose("RED NE").fall("SE").wait(2.0)
    assert table.ok("N").must_be(Phase.REVIEW).proposed == "replace N's last stroke: RED NE, RED SE"


def test_what_waits_may_be_the_next_stroke() -> None:
    table = in_review().wait(7.0).fall("SE").wait(2.0).ok("N").must_be(Phase.REVIEW)
    assert table.proposed == "RED SE"


def test_what_waits_may_be_a_hand_that_reaches_in() -> None:
    table = in_review().wait(2.0).fall("NE", 600).wait(2.0)
    assert [each.kind for each in table.view.queue] == [QueuedKind.HAND]


def test_they_are_ranked_by_delay() -> None:
    def before(delay_s: float) -> float:
        table = in_review().wait(delay_s).fall("SE").wait(2.0).ok("N")
        return sum(each.probability for each in table.view.readings if each.before)

    soon, late = before(0.5), before(2.5)
    assert soon > late > 0


def hand_in(table: Table, pocket: str, ms: float) -> float:
    """Return how likely it is that a fall now is a hand."""
    table.fall(pocket, ms)
    assert table.dialogue.proposal is not None
    return sum(each.probability for each in table.dialogue.proposal.readings if not each.stroke)


def test_they_are_ranked_by_width() -> None:
    narrow, wide = (hand_in(in_ready(), "SW", ms) for ms in (9, 120))
    assert narrow < 0.01 < wide


def test_they_are_ranked_by_repetition() -> None:
    def again(pocket: str) -> float:
        table = in_ready().shot("STRIKER SW", "SW").fall("SW", 300).wait(1.7)
        return hand_in(table, pocket, 60)

    assert again("SW") > 5 * again("NE")


def test_they_are_ranked_by_what_must_be_fetched_and_the_list_lasts_into_ready() -> None:
    table = in_ready().shot("STRIKER SW", "SW").must_be(Phase.READY).wait(2.0)
    assert table.view.fetch == (Pocket.SW,)
    assert hand_in(table, "SW", 80) > 0.5


def test_penalty_pieces_are_fetched_too() -> None:
    assert hand_in(in_placing().ok("N").wait(1.0), "NE", 80) > hand_in(in_ready(), "NE", 80)


def test_ok_settles_the_first_and_opens_the_next() -> None:
    table = in_review()
    for pocket in ("SE", "SW"):
        table.wait(8.0).fall(pocket)
    table.wait(2.0)
    asked = [table.proposed, *(table.ok("N").wait(1.0).proposed for _ in range(2))]
    assert asked == ["RED NE", "RED SE", "RED SW"]
    assert table.ok("N").must_be(Phase.READY).view.waiting == 0


def test_if_a_later_one_reads_as_the_next_stroke_placed_is_implied() -> None:
    table = in_ready().shot("RED NE", "NE").wait(3.0).review("SW").choose("STRIKER SW")
    table.wait(7.0).fall("SE").wait(2.0).ok("N").must_be(Phase.REVIEW).wait(1.0).ok("N")
    assert table.entries == ["N red@NE", "N striker@SW", "! placed", "S green@SE"]


def test_one_that_is_a_hand_with_0_9_and_more_is_shown_not_asked() -> None:
    table = in_ready().shot("STRIKER SW", "SW").fall("SW", 300).wait(2.0).must_be(Phase.READY)
    assert str(table.view.detail) == "hand in SW"


def test_it_settles_with_the_next_ok() -> None:
    table = in_ready().shot("STRIKER SW", "SW").fall("SW", 300).wait(3.2)
    assert EntryKind.CLEARING not in table.kinds()
    assert table.ok("S").last(EntryKind.CLEARING)["falls"] == [2]
    assert table.entries == ["N striker@SW", "S -"]


def test_players_who_shoot_on_without_pressing_lose_nothing() -> None:
    table = in_ready()
    for pocket in ("NE", "SE", "SW", "NW"):
        table.fall(pocket).wait(8.0)
    for _ in range(4):
        table.must_be(Phase.REVIEW).ok("N").wait(1.0)
    assert table.must_be(Phase.READY).entries == ["N red@NE", "N red@SE", "N red@SW", "N red@NW"]


def test_fetching_costs_no_press() -> None:
    table = in_ready().shot("STRIKER SW", "SW").fall("SW", 400).wait(3.2).review("NE")
    assert table.choose("GREEN NE").wait(0.5).ok("S").entries == ["N striker@SW", "S green@NE"]


# --- the stroke before -----------------------------------------------------------------


def just_entered() -> Table:
    """N's green puck has just been confirmed: S is to shoot."""
    return in_ready().review("NE").choose("GREEN NE").wait(0.5).ok("referee").wait(1.0)


def test_for_5_s_foul_offers_the_stroke_before_first() -> None:
    assert just_entered().foul().proposed == "replace N's last stroke: foul, GREEN NE"


def test_fix_says_this_seat() -> None:
    table = just_entered().foul().fix("referee")
    assert (table.proposed, table.shooter) == ("foul", "S")


def test_for_5_s_off_offers_the_stroke_before_first() -> None:
    assert just_entered().off().proposed == "replace N's last stroke: GREEN NE, STRIKER off"


def test_for_5_s_a_fall_offers_the_stroke_before_too() -> None:
    table = just_entered().fall("SE").wait(1.6)
    assert "replace N's last stroke: GREEN NE, RED SE" in shown(table)


def test_later_than_that_it_is_this_seats() -> None:
    table = just_entered().wait(4.5).foul()
    assert (table.proposed, shown(table)[0]) == ("foul", "foul")


def test_after_the_new_shooters_first_fall_it_is_no_longer_the_one_before() -> None:
    table = just_entered().fall("SE").wait(0.5).foul()
    assert table.proposed == "foul, GREEN SE"


def test_confirming_it_replaces_that_entry_turn_included() -> None:
    table = in_ready().review("NE").wait(0.5).ok("referee").wait(1.0).foul().wait(1.0)
    assert table.shooter == "N"
    table.ok("referee")
    assert table.entries == ["N red@NE foul"]
    assert table.game.match.state.next == "S"


# --- misses that nobody pressed --------------------------------------------------------


def fell_after(seconds: float, lineup: str = "NS") -> Table:
    table = Table(lineup=lineup, box=False).ok("N").wait(seconds).fall("NE").wait(1.6)
    return table.must_be(Phase.REVIEW)


def test_readings_weigh_that_the_seats_before_missed_and_nobody_pressed() -> None:
    def missed(seconds: float) -> float:
        proposal = fell_after(seconds).dialogue.proposal
        assert proposal is not None
        return sum(each.probability for each in proposal.readings if each.missed)

    assert missed(3.0) < missed(10.0) < missed(20.0)


def test_up_to_one_round() -> None:
    proposal = fell_after(90.0, "NESW").dialogue.proposal
    assert proposal is not None
    assert max(len(each.missed) for each in proposal.readings) <= 3


def test_the_seat_that_presses_is_evidence() -> None:
    assert fell_after(15.0).fix("S").proposed == "S (N missed): GREEN NE"


def test_confirming_it_records_the_misses_that_went_before() -> None:
    table = fell_after(15.0).fix("S").wait(1.0).ok("S")
    assert table.entries == ["N -", "S green@NE"]


def test_the_shooter_can_be_changed_in_review() -> None:
    table = in_review().hold("N", "fix").wait(1.0).pick("shooter N", "N").pick("done", "N")
    assert table.shooter == "S"


# --- one question instead --------------------------------------------------------------


def with_waiting(n: int) -> Table:
    table = in_review()
    for _ in range(n):
        table.wait(8.0).fall("SE")
    return table.wait(2.0)


def test_when_more_than_four_wait_the_board_asks_one_question_instead() -> None:
    assert question(with_waiting(4)) == ""
    assert question(with_waiting(5)) == "RED 6, GREEN 0?"


def test_when_more_fall_than_pieces_are_on_the_board_it_asks_it_too() -> None:
    handicap = {"N": {"head_start": 11}, "S": {"head_start": 11}}
    table = Table(handicap=handicap).started("N").review("NE")
    for _ in range(3):
        table.wait(8.0).fall("SE")
    assert question(table.wait(2.0)).endswith("?")


def test_when_nobody_pressed_for_three_minutes_it_asks_it_too() -> None:
    table = with_waiting(1)
    assert question(table.wait(160.0)) == ""
    assert question(table.wait(20.0)) == "RED 2, GREEN 0?"


def test_the_details_stay_there_to_open() -> None:
    table = with_waiting(5).pick("one by one").must_be(Phase.REVIEW)
    assert table.view.waiting == 5
    lines = with_waiting(5).ok("N").calm().game.lines
    assert len(lines) == 6, "and what was entered together is opened one by one"


@pytest.mark.parametrize("left_in", [in_ready, in_review, in_placing, in_pause])
def test_an_abandoned_match_is_ended_unfinished_from_the_menu(left_in: Callable[[], Table]) -> None:
    left = left_in().wait(3600.0).ok("N").calm().hold("N", "fix").wait(1.0)
    if left.phase is Phase.REVIEW:
        left.pick("menu", "N").wait(1.0)
    left.pick("end this match", "N", held=True).must_be(Phase.SETUP)


def test_the_attract_picture_is_a_layer_and_the_press_that_wakes_it_does_nothing_else() -> None:
    table = in_review().wait(700.0)
    pictures = [table.view.attract, table.ok("N").must_be(Phase.REVIEW).view.attract]
    assert pictures[0] is not None
    assert (pictures[1], table.entries) == (None, [])


# --- a dead beam, a dead button --------------------------------------------------------


def by_hand(table: Table) -> Table:
    return table.must_be(Phase.READY).fix("N").wait(0.5).ok("N").calm()


def test_a_stuck_beam_shows_itself() -> None:
    table = in_ready().edge(Pocket.NE, True).wait(2.5)
    assert [str(each.what) for each in table.view.faults] == ["pocket NE blocked"]


def test_two_manual_entries_for_a_pocket_offer_to_mark_it_by_hand() -> None:
    table = by_hand(in_ready())
    assert question(table) == ""
    table = by_hand(table)
    assert question(table) == "which beam misses?"
    assert table.items[:4] == ["NE manual", "SE manual", "SW manual", "NW manual"]


def test_ready_then_shows_nw_by_hand() -> None:
    table = by_hand(by_hand(in_ready())).pick("NW manual", "N").must_be(Phase.READY)
    assert table.view.by_hand == (Pocket.NW,)
    assert "NW manual" in str(table.calm().ok("N").view.detail)


def test_readings_then_include_and_one_in_nw() -> None:
    table = by_hand(by_hand(in_ready())).pick("NW manual", "N").calm().review("NE")
    table.choose("RED NE, RED NW")


def test_manual_entry_asks_the_pocket_where_the_rules_need_it() -> None:
    table = Table(options={"own_side_pockets": False}).started("N").fix("N").wait(0.5).ok("N")
    assert question(table) == "into which pocket?"


# --- readings --------------------------------------------------------------------------


def test_readings_are_ranked_by_probability_and_add_up_to_one() -> None:
    table = in_falling()
    assert table.dialogue.proposal is not None
    readings = table.dialogue.proposal.readings
    strokes = [each.probability for each in readings if each.stroke]
    assert strokes == sorted(strokes, reverse=True)
    assert sum(each.probability for each in readings) == pytest.approx(1.0)
    assert "NOT A STROKE" in shown(table), "however unlikely, FIX reaches it"


def test_they_say_how_long_the_beam_was_broken() -> None:
    assert str(in_review().view.readings[0].why).startswith("9 ms in NE: ")


def test_they_know_which_pieces_are_still_on_the_board() -> None:
    table = in_ready()
    for _ in range(12):
        table.shot("RED NE", "NE")
    table.review("SE")
    assert table.dialogue.proposal is not None
    for reading in table.dialogue.proposal.readings:
        own = [each for each in reading.departures if each.piece is Piece.RED]
        assert not own or reading.joins or reading.missed


def test_a_jack_when_eleven_pucks_are_in_is_dearer_than_a_puck() -> None:
    table = in_ready()
    for _ in range(11):
        table.shot("RED NE", "NE")
    table.calm().wait(3.0).review("SE")
    words = shown(table)
    assert words.index("RED SE") < words.index("JACK SE")
    table.ok("N").calm().wait(3.0).review("SE")
    assert table.proposed == "JACK SE", "with twelve in it wins"


def test_the_shooters_colour_counts() -> None:
    assert in_ready().review("NE").proposed == "RED NE"
    assert in_ready().miss().wait(3.0).review("NE").proposed == "GREEN NE"


def test_one_pulse_may_be_two_pieces_a_hand_or_nothing_at_all() -> None:
    table = in_ready().fall("NE", 22)
    assert table.dialogue.proposal is not None
    found = {len(each.departures) for each in table.dialogue.proposal.readings}
    assert {0, 1, 2} <= found


def test_two_pulses_may_be_one_tumbling_piece() -> None:
    table = in_ready().fall("NE", 6).wait(0.005).fall("NE", 7)
    assert table.dialogue.proposal is not None
    assert len(table.dialogue.proposal.falls) == 1
    assert 1 in {len(each.departures) for each in table.dialogue.proposal.readings}


def test_the_first_six_readings_are_reached_by_fix() -> None:
    table = in_review()
    said = [table.proposed, *(table.fix("N").proposed for _ in range(5))]
    assert len(set(said)) == 6
    assert table.fix("N").proposed == said[0]


def test_every_other_legal_reading_is_reached_by_editing_piece_by_piece() -> None:
    table = in_review().hold("N", "fix").wait(1.0).pick("add a piece", "N")
    table.pick("piece 2: RED", "N").pick("piece 2: pocket not known", "N").pick("done", "N")
    assert table.proposed == "RED NE, GREEN off"


def test_low_confidence_shows() -> None:
    table = in_ready().miss().wait(4.0).fall("NE", 22).wait(1.6)
    first = table.view.readings[0]
    assert first.doubtful == (first.probability < 0.55)
    while not table.view.proposal or not table.view.proposal.doubtful:
        table.fix("N")
    assert in_review().view.readings[0].doubtful is False


def test_auto_confirm_is_off() -> None:
    in_ready().fall("NE").wait(100.0).must_be(Phase.REVIEW)


def test_auto_confirm_is_a_probability_above_which_a_reading_settles_itself() -> None:
    table = (
        Table(dialogue_settings=DialogueSettings(auto_confirm=0.6))
        .started("N")
        .fall("NE")
        .wait(1.6)
    )
    assert table.must_be(Phase.READY).entries == ["N red@NE"]


def test_never_one_that_ends_a_board() -> None:
    table = Table(
        dialogue_settings=DialogueSettings(auto_confirm=0.3, confirm=Confirm.ANYONE),
        options={"time_limit_s": 20, "time_end": "finish_stroke"},
    ).started("N")
    table.wait(20.0).fall("NE").wait(3.0).must_be(Phase.REVIEW)


def test_when_counts_become_impossible_the_board_says_so_and_offers_a_correction() -> None:
    table = in_ready()
    for _ in range(12):
        table.shot("RED NE", "NE")
    table.fix("N").wait(1.0).hold("N", "fix").wait(1.0)
    while table.proposed != "RED":
        table.pick(table.lines_of(1)[0], "N").wait(0.3)
    table.pick("done", "N")
    assert question(table) == "RED: 1 too many"
    assert table.item.endswith("N RED NE?"), "the likeliest mistake"
    assert "set RED in: 11" in table.items


def test_a_count_that_is_one_off_is_corrected_in_five_presses_at_most() -> None:
    table = in_ready().hold("referee", "fix").wait(1.0).ok("referee").wait(1.0).fix("referee")
    table.wait(1.0).ok("referee").wait(1.0).hold("referee", "fix").must_be(Phase.READY)
    assert (table.counts, table.view.menu) == ((0, 1), None), "FIX held, OK, FIX, OK, FIX held"
