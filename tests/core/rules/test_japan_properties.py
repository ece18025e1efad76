"""Whatever is shot, the Japanese rules judge as Hikone's do, except where they say otherwise.

The exceptions are the points of a win, the last puck with the jack, and the rows cited.
"""

from __future__ import annotations

from random import Random

from hypothesis import given, strategies as st

from jackspot.core.agreement import agree, number_option
from jackspot.core.match import Match, deal_points
from jackspot.core.pieces import Piece
from jackspot.core.position import Count
from jackspot.core.rules import RULES
from jackspot.core.ruling import BoardResult, How
from jackspot.core.settings import MatchSettings, OptionValue, RuleSystem
from jackspot.core.stroke import Flag, Stroke
from jackspot.values import changed
from tests.core.play import draw_settings, play

SEEDS = st.integers(0, 2**32)
ENTRIES = 40


def in_hikone(settings: MatchSettings) -> MatchSettings:
    """Return the same agreement by Hikone's rules, with Japan's differing defaults written out."""
    usual: dict[str, OptionValue] = {"last_puck_with_jack": "five", "time_limit_s": 300}
    return changed(settings, rules=RuleSystem.HIKONE, options={**usual, **dict(settings.options)})


def hundred_less(result: BoardResult | None) -> BoardResult | None:
    """Take the jack's hundred points off a result."""
    if result is None or result.how is not How.JACK or result.winner is None:
        return result
    points = {side: value - 100 * (side is result.winner) for side, value in result.points.items()}
    return changed(result, points=points)


@given(SEEDS)
def test_every_entry_leads_to_the_same_board_as_in_hikone_but_for_the_hundred(seed):
    random = Random(seed)
    settings = draw_settings(random, RuleSystem.JAPAN)
    options = {name: value for name, value in settings.options.items() if name != "flown_adds"}
    settings = changed(settings, options=options)
    hikone = Match.begin(in_hikone(settings))
    for match in play(random, Match.begin(settings), ENTRIES):
        hikone = hikone.enter(match.steps[-1].entry)
        ours, theirs = match.state, hikone.state
        assert ours.position.counts == theirs.position.counts
        assert ours.place == theirs.place
        assert (ours.next, ours.board, ours.time_up) == (theirs.next, theirs.board, theirs.time_up)
        assert hundred_less(ours.result) == theirs.result
        if ours.ruling and theirs.ruling:
            assert ours.ruling.foul == theirs.ruling.foul
            assert ours.ruling.keeps_turn == theirs.ruling.keeps_turn
            ids, theirs_too = set(ours.ruling.rows[1:]), set(theirs.ruling.rows[1:])
            assert ids ^ theirs_too <= {"A-04"}, "each cites what is not its own usual way"
        if ours.over != theirs.over or ours.winner != theirs.winner:
            return  # tied on boards, more points win a match: the extra hundred decides


PENALTIES = st.fixed_dictionaries(
    {},
    optional={
        "striker_penalty": st.sampled_from((0, 1, 2)),
        "jack_penalty": st.sampled_from((0, 2, 5)),
        "foul_with_puck": st.sampled_from(("plus_one", "per_puck")),
    },
)
AGREEMENTS = st.one_of(
    st.builds(
        lambda options, each: agree({"rules": "hikone", "options": options | {"plus_one": each}}),
        PENALTIES,
        st.sampled_from(("stroke", "each")),
    ),
    st.builds(
        lambda options, last, flown: agree(
            {
                "rules": "japan",
                "options": {**options, "last_puck_with_jack": last, "flown_adds": flown},
            }
        ),
        PENALTIES,
        st.sampled_from(("five", "plus_extra")),
        st.booleans(),
    ),
)


def what_a_stroke_costs(settings: MatchSettings, own: Piece, stroke: Stroke, count: Count) -> int:
    """Add up the penalties of a stroke by the two pages' words, without any handicap."""
    ready = count.pocketed == 12 and not count.owed

    def out(piece: Piece) -> bool:
        return any(each.piece is piece for each in stroke.departures)

    if Flag.FOUL in stroke.flags:
        return 1
    jack_at_fault = stroke.flown(Piece.JACK) > 0 or (stroke.pocketed(Piece.JACK) > 0 and not ready)
    penalties = [number_option(settings, "striker_penalty")] * out(Piece.STRIKER)
    penalties += [number_option(settings, "jack_penalty")] * jack_at_fault
    with_it = stroke.pocketed(own)
    last = count.pocketed < 12 == count.pocketed + with_it
    if settings.options.get("last_puck_with_jack") == "five" and len(penalties) == 1:
        with_it *= not (last and stroke.pocketed(Piece.JACK))
    if settings.options.get("flown_adds"):
        with_it += stroke.flown(own)
    if with_it and settings.options.get("foul_with_puck") != "per_puck":
        with_it = 1
    times = len(penalties) if settings.options.get("plus_one") == "each" else bool(penalties)
    return sum(penalties) + with_it * times


@given(AGREEMENTS, SEEDS)
def test_a_stroke_costs_what_its_penalties_add_up_to(settings, seed):
    before = Match.begin(settings).state
    for match in play(Random(seed), Match.begin(settings), ENTRIES):
        step = match.steps[-1]
        stroke, ruling, position = step.entry, step.ruling, before.position
        fresh = before.result is not None
        before = step.state
        if not isinstance(stroke, Stroke) or ruling is None or ruling.result or fresh:
            continue
        me = position.sides.index(position.side)
        count = position.counts[me]
        costs = what_a_stroke_costs(settings, position.side.piece, stroke, count)
        assert ruling.paid[me] + ruling.after.counts[me].owed == count.owed + costs


@given(SEEDS)
def test_a_board_that_runs_counts_the_pucks_that_are_in(seed):
    random = Random(seed)
    match = Match.begin(draw_settings(random, RuleSystem.JAPAN))
    for after in play(random, match, ENTRIES):
        state = after.state
        inside = {side: state.position.count(side).pocketed for side in state.position.sides}
        if state.result is None:
            assert dict(deal_points(state)) == inside
            continue
        points = dict(state.result.points)
        if state.result.how is How.JACK:
            assert state.result.winner is not None
            inside[state.result.winner] += 100
        if state.ruling and state.result.how is How.TIME and points != inside:
            level = min(points.values())  # sudden death: one point more than the tied score
            assert sorted(points.values()) == [level, level + 1]
        else:
            assert points == inside


def test_both_are_played_by_the_same_flags_pieces_and_calls():
    japan, hikone = RULES[RuleSystem.JAPAN], RULES[RuleSystem.HIKONE]
    assert (japan.pieces, japan.flags, japan.sides) == (hikone.pieces, hikone.flags, hikone.sides)
