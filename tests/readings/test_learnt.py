"""What a board learns from its own confirmed strokes, and what that does to its readings."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, strategies as st

from jackspot.core.agreement import agree
from jackspot.core.match import Match, Step
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.record import read_record
from jackspot.core.settings import RuleSystem
from jackspot.core.stroke import Departure, Stroke
from jackspot.dialogue.proposals.learnt import HELD_BY, NOTHING_LEARNT, Learnt, learnt_from
from jackspot.dialogue.proposals.scenes import scene_in
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.transition import NEXT_BOARD
from jackspot.readings.reading import rank
from jackspot.readings.usual import HABITS, Aim, Pocketed
from jackspot.sensing.events import Fall, Pulse
from jackspot.values import changed
from jackspot_sim.chance.frequencies import Referee, Strength
from jackspot_sim.traffic.matches import play
from tests.core.play import draw_settings, play as play_anything

OWN: Pocketed = (1, 0, 0, 0)
STRIKER: Pocketed = (0, 0, 1, 0)
MS = 1_000_000
RECORDS = Path(__file__).parents[1] / "records"
ROWS = [(aim, pocketed) for aim, habits in HABITS.items() for pocketed in habits.strokes]


@cache
def played(seed: int, rules: str = "hikone", strength: Strength = Strength.CLUB) -> Match:
    """Return a generated match at its end."""
    *_, last = play(agree({"rules": rules}), strength, Referee.WATCHING, seed)
    return last.after


def fall(width_ms: float = 11) -> Fall:
    return Fall(1, Pocket.NE, (Pulse(Pocket.NE, 0, round(width_ms * MS)),))


counted = st.dictionaries(
    st.sampled_from(ROWS),
    st.tuples(st.integers(0, 10_000), st.floats(1e-6, 10_000)),
    max_size=len(ROWS),
).map(
    lambda rows: Learnt(
        1, 1, {r: seen for r, (seen, _) in rows.items()}, {r: exp for r, (_, exp) in rows.items()}
    )
)


def test_a_board_without_a_stroke_has_learnt_nothing() -> None:
    match = Match.begin(agree({"rules": "hikone"}))
    assert learnt_from(match) == changed(NOTHING_LEARNT, matches=1)
    assert not NOTHING_LEARNT.times()


def test_strokes_are_counted_by_what_was_aimed_at() -> None:
    match = Match.begin(agree({"rules": "hikone"}))
    match = match.enter(Stroke(Seat.N, (Departure(Piece.RED, Pocket.NE),)))
    match = match.enter(Stroke(Seat.N))
    match = match.enter(Stroke(Seat.S, (Departure(Piece.RED, Pocket.SW),)))
    learnt = learnt_from(match)
    assert (learnt.matches, learnt.strokes) == (1, 3)
    seen = {row: n for row, n in learnt.seen.items() if n}
    assert seen == {(Aim.PIECES, OWN): 1, (Aim.PIECES, (0, 1, 0, 0)): 1}
    assert 0.3 < learnt.expected[Aim.PIECES, OWN] < 1.5


def test_what_flew_off_is_not_pocketed() -> None:
    match = Match.begin(agree({"rules": "hikone"}))
    match = match.enter(Stroke(Seat.N, (Departure(Piece.STRIKER, flew_off=True),)))
    assert not any(learnt_from(match).seen.values())


@pytest.mark.parametrize("rules", ["hikone", "icf"])
def test_no_more_is_seen_than_there_were_strokes(rules: str) -> None:
    match = played(3, rules)
    learnt = learnt_from(match)
    strokes = sum(isinstance(step.entry, Stroke) for step in match.steps)
    assert learnt.strokes == strokes > 20
    assert 0 < sum(learnt.seen.values()) <= strokes
    assert 0 < sum(learnt.expected.values()) < strokes


@pytest.mark.parametrize("rules", ["hikone", "icf"])
def test_strokes_that_are_left_out_count_for_nothing_but_are_played(rules: str) -> None:
    match = played(3, rules)
    steps = range(len(match.steps))
    whole, parts = learnt_from(match), [learnt_from(match, steps[at::3]) for at in range(3)]
    halves = [learnt_from(match, {*steps} - {*steps[at::2]}) for at in range(2)]
    assert sum(each.strokes for each in halves) == whole.strokes
    assert sum(each.strokes for each in parts) == 2 * whole.strokes
    for row, expected in whole.expected.items():
        assert sum(each.seen.get(row, 0) for each in halves) == whole.seen.get(row, 0)
        assert sum(each.expected.get(row, 0.0) for each in halves) == pytest.approx(expected)
    assert learnt_from(match, steps) == changed(NOTHING_LEARNT, matches=1)


@pytest.mark.parametrize("record", sorted(RECORDS.glob("*.carom")), ids=lambda path: path.stem)
def test_matches_of_every_system_can_be_learnt_from(record: Path) -> None:
    match = read_record(record.read_text(encoding="utf-8")).match
    learnt = learnt_from(match)
    assert learnt.strokes == sum(isinstance(step.entry, Stroke) for step in match.steps)
    assert sum(learnt.seen.values()) > 0.5 * sum(
        any(not each.flew_off for each in step.entry.departures)
        for step in match.steps
        if isinstance(step.entry, Stroke)
    )


def opens_a_board(match: Match, step: Step) -> bool:
    """Whether a stroke is the first one after a finished board."""
    return isinstance(step.entry, Stroke) and match.state.result is not None


def all_opened_by_word(match: Match) -> Match:
    """Return a match with a word before each stroke that opens a board."""
    said = Match.begin(match.settings)
    for step in match.steps:
        if opens_a_board(said, step):
            said = said.enter(NEXT_BOARD)
        said = said.enter(step.entry)
    return said


@pytest.mark.parametrize("system", RuleSystem)
def test_a_stroke_that_opens_a_board_is_counted_as_one_on_that_board(system: RuleSystem) -> None:
    opened = 0
    for seed in range(8):
        chance = Random(f"{seed}{system}")
        begun = Match.begin(draw_settings(chance, system, usual=True))
        *_, match = begun, *play_anything(chance, begun, 100)
        assert learnt_from(match) == learnt_from(all_opened_by_word(match))
        before = (Match(begun.settings, begun.opened, match.steps[:at]) for at in range(100))
        opened += sum(map(opens_a_board, before, match.steps))
    assert opened


JACK = 'rules = "hikone"\n[options]\nbest_of = 3\n---\n! set red pocketed=12\nN jack\n'
QUEEN = 'rules = "icf"\n---\nN 8*white\nN queen\nN white\n'


@pytest.mark.parametrize(
    ("board", "stroke", "row"),
    [
        (JACK, "S jack", (Aim.PIECES, (0, 0, 0, 1))),
        (QUEEN, "S queen", (Aim.PIECES, (0, 0, 0, 1))),
        (QUEEN, "S white", (Aim.PIECES, OWN)),
    ],
)
def test_what_opens_a_board_is_judged_by_what_lies_on_it_then(
    board: str, stroke: str, row: tuple[Aim, Pocketed]
) -> None:
    before, after = (learnt_from(read_record(text).match) for text in (board, f"{board}{stroke}\n"))
    gained = {each: after.seen.get(each, 0) - before.seen.get(each, 0) for each in after.expected}
    assert [each for each, more in gained.items() if more] == [row]


def test_an_entry_that_was_taken_back_is_not_learnt() -> None:
    match = played(3)
    assert learnt_from(match.undo()) == learnt_from(
        Match(match.settings, match.opened, match.steps[:-1])
    )


@given(counted, counted)
def test_counts_add_up_in_any_order(one: Learnt, other: Learnt) -> None:
    both, turned = one + other, other + one
    assert both == turned
    assert one + NOTHING_LEARNT == NOTHING_LEARNT + one
    for row, seen in both.seen.items():
        assert seen == one.seen.get(row, 0) + other.seen.get(row, 0)


@given(counted)
def test_numbers_move_towards_what_was_seen_and_never_past_it(learnt: Learnt) -> None:
    times = learnt.times()
    for (aim, pocketed), expected in learnt.expected.items():
        seen = learnt.seen[aim, pocketed]
        moved = times[aim][pocketed]
        low, high = sorted((1.0, seen / expected))
        assert low - 1e-9 <= moved <= high * (1 + 1e-9)
        assert moved > 0.0
        if seen + expected < 0.1 * HELD_BY:
            assert 0.9 < moved < 1.1, "next to nothing was seen"


@pytest.mark.long
def test_a_board_on_which_people_play_as_published_learns_next_to_nothing() -> None:
    matches = [played(seed, strength=strength) for seed in range(1, 26) for strength in Strength]
    learnt = sum(map(learnt_from, matches), NOTHING_LEARNT)
    times = learnt.times()[Aim.PIECES]
    assert learnt.seen[Aim.PIECES, OWN] > 500
    assert times[OWN] == pytest.approx(1.0, abs=0.2), "it holds unknown people for better at first"
    assert times[0, 1, 0, 0] == pytest.approx(1.0, abs=0.25)
    assert times[STRIKER] == pytest.approx(1.0, abs=0.25)


@given(counted, st.floats(1.5, 300.0))
def test_whatever_was_learnt_probabilities_add_up(learnt: Learnt, width_ms: float) -> None:
    match = Match.begin(agree({"rules": "hikone"}))
    readings = rank(
        scene_in(match, Seat.N, DialogueSettings(times=learnt.times())), (fall(width_ms),)
    )
    assert sum(each.probability for each in readings) == pytest.approx(1.0)
    assert all(0.0 <= each.probability <= 1.0 for each in readings)


def test_where_strikers_mostly_fall_a_striker_is_read_first() -> None:
    match = Match.begin(agree({"rules": "hikone"}))
    seen = {(Aim.PIECES, OWN): 30, (Aim.PIECES, STRIKER): 300}
    learnt = Learnt(10, 1_000, seen, {(Aim.PIECES, OWN): 300.0, (Aim.PIECES, STRIKER): 30.0})
    plain, own = (
        rank(scene_in(match, Seat.N, DialogueSettings(times=times)), (fall(),))[0]
        for times in ({}, learnt.times())
    )
    assert [each.piece for each in plain.departures] == [Piece.RED]
    assert [each.piece for each in own.departures] == [Piece.STRIKER]
