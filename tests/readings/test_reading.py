"""Readings: every way to understand what was sensed, with probabilities that add up."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings, strategies as st

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.stroke import Departure
from jackspot.readings.reading import (
    KEPT_ACCOUNTS,
    Reading,
    Role,
    Scene,
    WidthModel,
    _Account,
    _Board,
    _with,
    likeliest_first,
    rank,
)
from jackspot.readings.usual import AT_ONCE, FLASH, PLACE, pocket_share
from jackspot.sensing.events import Fall, Pulse
from jackspot.sensing.limits import MS
from jackspot.values import changed

ROLES = {
    Piece.RED: Role.OWN,
    Piece.GREEN: Role.OPPONENT,
    Piece.JACK: Role.JACK_EARLY,
    Piece.STRIKER: Role.STRIKER,
}
READY_ROLES = {**ROLES, Piece.JACK: Role.JACK_READY}


def scene(
    red: int = 12, green: int = 12, jack: int = 1, *, ready: bool = False,
    hands: dict[Pocket, float] | None = None,
) -> Scene:  # fmt: skip
    """Return a board with these pieces on it, red to shoot."""
    available = {Piece.RED: red, Piece.GREEN: green, Piece.JACK: jack, Piece.STRIKER: 1}
    return Scene(available, READY_ROLES if ready else ROLES, hands or {})


def fall(*widths_ms: float, pocket: Pocket = Pocket.NE, number: int = 1, at_ms: float = 0) -> Fall:
    """Return a fall of pulses this wide, 5 ms apart."""
    pulses, start_ms = [], at_ms
    for width_ms in widths_ms:
        pulses.append(Pulse(pocket, round(start_ms * MS), round((start_ms + width_ms) * MS)))
        start_ms += width_ms + 5
    return Fall(number, pocket, tuple(pulses))


def pieces(reading: Reading) -> tuple[Piece, ...]:
    return tuple(each.piece for each in reading.departures)


def chance(readings: tuple[Reading, ...], *wanted: Piece) -> float:
    """Return the probability that exactly these pieces fell, in any order."""
    return sum(each.probability for each in readings if sorted(pieces(each)) == sorted(wanted))


def by_enumeration(scene: Scene, falls: tuple[Fall, ...]) -> dict[tuple[str, ...], float]:
    """Return the probability of each content, from every order of all that can have made falls."""
    board, found = _Board(scene), defaultdict[tuple[str, ...], float](float)
    shares = board._shares()

    def add(account: _Account, left: tuple[Fall, ...]) -> None:
        if not left:
            often = board.usual.in_order(account.pocketed, striker_last=account.striker_last)
            usual = often / board.anything if account.departures else 1.0
            found[content_of(account.departures)] += account.fit * usual
            return
        sensed, terms = left[0], scene.evidence(left[0].pocket)
        pocket = sensed.pocket
        hand = prod(each.hand(sensed) for each in scene.terms) * board._hand_odds(account, pocket)
        flash = FLASH / len(Pocket) * prod(each.flash(sensed) for each in scene.terms)
        nothing = account.fit * (hand + flash)
        add(changed(account, fit=nothing, hand=pocket), left[1:])
        apart = 1.0 - AT_ONCE if account.before is pocket else 1.0
        for fell in (*((one,) for one in board.kinds), *product(board.kinds, repeat=2)):
            places = tuple(PLACE[scene.roles[each]] for each in fell)
            fit = account.fit * apart * prod(shares[each] for each in fell)
            fit *= pocket_share(places[0], pocket, scene.seat, account.before)
            if len(fell) == 1:
                fit *= prod(each.one(fell[0], sensed) for each in terms)
            else:
                fit *= AT_ONCE * pocket_share(places[1], pocket, scene.seat, pocket)
                fit *= prod(each.two(fell[0], fell[1], sensed) for each in terms)
            departures = (*account.departures, *(Departure(each, pocket) for each in fell))
            last = fell[-1] is Piece.STRIKER
            grown = _Account(
                0.0, fit, _with(account.pocketed, places), last, pocket, None, departures, 0
            )
            if sum(each.piece is Piece.STRIKER for each in departures) <= 1:
                add(grown, left[1:])

    add(board.begin(()), falls)
    return {content: weight / sum(found.values()) for content, weight in found.items()}


def content_of(departures: tuple[Departure, ...]) -> tuple[str, ...]:
    """Return what fell where, in any order."""
    return tuple(sorted(f"{each.piece.value}@{each.pocket}" for each in departures))


COUNTERS = {
    Piece.BLACK: Role.OWN, Piece.BROWN: Role.OWN,
    Piece.QUEEN: Role.QUEEN_EARLY, Piece.STRIKER: Role.STRIKER,
}  # fmt: skip


@pytest.mark.parametrize("seat", [None, Seat.N])
@pytest.mark.parametrize("in_order", [False, True])
@pytest.mark.parametrize("roles", [ROLES, COUNTERS], ids=["carom", "points"])
@pytest.mark.parametrize(
    "sensed",
    [
        (fall(18),),
        (fall(11, 13),),
        (fall(11), fall(18, pocket=Pocket.SW, number=2, at_ms=300)),
        (fall(18), fall(11, pocket=Pocket.SW, number=2, at_ms=300)),
        (fall(18), fall(11, number=2, at_ms=300)),
        (fall(11, 13), fall(12, pocket=Pocket.SW, number=2, at_ms=300)),
        (fall(11, 13), fall(9, 12, pocket=Pocket.SW, number=2, at_ms=300)),
    ],
    ids=["long", "two pulses", "then long", "long first", "one pocket", "two first", "two, two"],
)  # fmt: skip
def test_readings_are_as_likely_as_all_that_can_have_been_says(
    sensed: tuple[Fall, ...], roles: dict[Piece, Role], in_order: bool, seat: Seat | None
) -> None:
    """Whatever the order that does not matter: the bounds on the work cost less than 1 %."""
    counts = dict.fromkeys(roles, 10) | {Piece.JACK: 1, Piece.QUEEN: 1, Piece.STRIKER: 1}
    available = {piece: counts[piece] for piece in roles}
    board = Scene(available, roles, seat=seat, in_order=in_order)
    ranked = defaultdict[tuple[str, ...], float](float)
    for reading in rank(board, sensed):
        ranked[content_of(reading.departures)] += reading.probability
    exact = by_enumeration(board, sensed)
    off = sum(abs(ranked[content] - exact.get(content, 0.0)) for content in {*ranked, *exact}) / 2
    assert off < 0.01


WIDTHS = st.floats(2.0, 1_999.0, allow_nan=False)
FALLS = st.lists(
    st.builds(
        lambda widths, pocket: (widths, pocket),
        st.lists(WIDTHS, min_size=1, max_size=4),
        st.sampled_from(list(Pocket)),
    ),
    min_size=1,
    max_size=8,
)


@given(
    st.permutations([Piece.WHITE, Piece.BROWN, Piece.QUEEN, Piece.STRIKER]),
    st.lists(WIDTHS, min_size=2, max_size=3),
)
def test_which_of_two_pieces_is_named_first_says_nothing_of_their_widths(
    pair: list[Piece], widths: list[float]
) -> None:
    model, (one, other, *_) = WidthModel().of_board(Piece.QUEEN), pair
    assert model.two(one, other, fall(*widths)) == model.two(other, one, fall(*widths))


SCENES = st.builds(
    scene,
    st.integers(0, 12), st.integers(0, 12), st.integers(0, 1), ready=st.booleans(),
    hands=st.dictionaries(st.sampled_from(list(Pocket)), st.sampled_from([0.35, 0.9])),
)  # fmt: skip


@settings(max_examples=60)
@given(SCENES, FALLS)
def test_whatever_falls_probabilities_add_up_and_nothing_impossible_is_proposed(
    board: Scene, sensed: list[tuple[list[float], Pocket]]
) -> None:
    falls = tuple(
        fall(*widths, pocket=pocket, number=number, at_ms=3_000 * number)
        for number, (widths, pocket) in enumerate(sensed, start=1)
    )
    readings = rank(board, falls)
    assert 1 <= len(readings) <= KEPT_ACCOUNTS
    assert sum(each.probability for each in readings) == pytest.approx(1.0)
    assert all(0.0 <= each.probability <= 1.0 for each in readings)
    order = [likeliest_first(each.probability) for each in readings]
    assert order == sorted(order)
    for reading in readings:
        for piece in set(pieces(reading)):
            assert pieces(reading).count(piece) <= board.available[piece]
        assert reading.stroke == bool(reading.departures)
        assert {each.pocket for each in reading.departures} <= {each.pocket for each in falls}
    accounts = [each.departures for each in readings]
    assert len(accounts) == len(set(accounts)), "one account, one reading"
    assert readings == rank(board, falls), "the order is always the same"


def test_no_fall_is_nothing_with_certainty() -> None:
    readings = rank(scene(), ())
    assert [(each.departures, each.probability) for each in readings] == [((), 1.0)]


def test_a_flat_pulse_is_most_likely_an_own_puck() -> None:
    readings = rank(scene(), (fall(9),))
    assert readings[0].departures == (Departure(Piece.RED, Pocket.NE),)
    assert 0.7 < readings[0].probability < 0.85
    assert [pieces(each) for each in readings[:4]] == [
        (Piece.RED,), (Piece.GREEN,), (Piece.STRIKER,), (Piece.JACK,),
    ]  # fmt: skip


def test_a_side_that_is_all_in_more_likely_pocketed_the_jack_than_a_puck() -> None:
    readings = rank(scene(red=0, ready=True), (fall(9.5),))
    assert pieces(readings[0]) == (Piece.JACK,)
    assert chance(readings, Piece.JACK) > chance(readings, Piece.GREEN)
    early = rank(scene(red=1), (fall(9.5),))
    assert chance(early, Piece.JACK) < chance(early, Piece.GREEN)


def test_a_pulse_as_long_as_a_hand_in_a_pocket_to_be_fetched_from_is_a_hand() -> None:
    readings = rank(scene(hands={Pocket.NE: 0.9}), (fall(350),))
    assert not readings[0].stroke
    assert readings[0].probability > 0.9


def test_a_piece_in_a_pocket_to_be_fetched_from_is_no_hand() -> None:
    readings = rank(scene(hands={Pocket.NE: 0.9}), (fall(9),))
    assert readings[0].stroke


def test_an_ordinary_pulse_is_hardly_a_hand() -> None:
    hand = next(each for each in rank(scene(), (fall(9),)) if not each.stroke)
    assert hand.probability < 0.01


@pytest.mark.parametrize("sensed", [fall(8, 9), fall(19)], ids=["two pulses", "a long pulse"])
def test_two_pulses_or_a_long_one_may_be_two_pieces(sensed: Fall) -> None:
    one = chance(rank(scene(), (fall(9),)), Piece.RED, Piece.RED)
    two = chance(rank(scene(), (sensed,)), Piece.RED, Piece.RED)
    assert two > 20 * one
    assert two > 0.01


def test_two_pulses_may_be_one_piece_that_tumbles() -> None:
    assert chance(rank(scene(), (fall(5, 6),)), Piece.RED) > 0.05


def test_a_piece_on_edge_is_still_one_piece() -> None:
    readings = rank(scene(), (fall(37),))
    assert pieces(readings[0]) == (Piece.RED,)


def test_the_fewer_pucks_are_left_the_less_likely_one_fell() -> None:
    many, few = (chance(rank(scene(red=n), (fall(9),)), Piece.RED) for n in (12, 1))
    assert few < many


def test_no_puck_that_is_not_there_is_proposed() -> None:
    readings = rank(scene(red=0, green=1, jack=0), (fall(9), fall(9, number=2, at_ms=500)))
    found = {piece for each in readings for piece in pieces(each)}
    assert found <= {Piece.GREEN, Piece.STRIKER}
    assert all(pieces(each).count(Piece.GREEN) <= 1 for each in readings)


def test_an_empty_board_leaves_a_hand_or_the_striker() -> None:
    readings = rank(Scene({Piece.STRIKER: 0}, {Piece.STRIKER: Role.STRIKER}), (fall(9),))
    assert [each.stroke for each in readings] == [False]
    assert readings[0].probability == 1.0


def test_what_is_known_of_the_stroke_begins_every_reading() -> None:
    known = (Departure(Piece.JACK, Pocket.SE),)
    readings = rank(scene(), (fall(9),), known)
    assert all(each.departures[:1] == known for each in readings)
    assert all(pieces(each).count(Piece.JACK) == 1 for each in readings)


def test_pieces_stand_in_the_order_they_fell() -> None:
    falls = (fall(9, pocket=Pocket.SW), fall(9, number=2, at_ms=400, pocket=Pocket.NE))
    first = rank(scene(), falls)[0]
    assert [each.pocket for each in first.departures] == [Pocket.SW, Pocket.NE]


def test_eight_falls_of_many_pulses_stay_within_bounds() -> None:
    falls = tuple(
        fall(*[7.0] * 16, number=number, at_ms=900 * number, pocket=list(Pocket)[number % 4])
        for number in range(1, 9)
    )
    readings = rank(scene(), falls)
    assert len(readings) <= KEPT_ACCOUNTS
    assert sum(each.probability for each in readings) == pytest.approx(1.0)


def why(*sensed: Fall, index: int = 0, jack: int = 1) -> str:
    return str(rank(scene(jack=jack), sensed)[index].why)


def test_the_reason_names_what_was_sensed_what_it_can_be_and_how_usual_that_is() -> None:
    assert why(fall(9.2), jack=0) == "9 ms in NE: puck or striker; own puck likely"
    assert why(fall(9.2), jack=0, index=1) == (
        "9 ms in NE: puck or striker; opponent's puck sometimes"
    )
    assert why(fall(9.2)) == "9 ms in NE: puck, striker or jack; own puck likely"


def test_the_reason_says_what_a_long_pulse_or_two_may_be() -> None:
    assert why(fall(33)) == "33 ms in NE: on edge; own puck likely"
    assert why(fall(15)).startswith("15 ms in NE: one, or two at once; ")
    assert why(fall(38)) == "38 ms in NE: on edge, or two at once; own puck likely"
    assert why(fall(17)).startswith("17 ms in NE: one, or two at once; ")
    flat = changed(scene(), widths=WidthModel(tipping_share=0.0))
    where_none_tip = str(rank(flat, (fall(19),))[0].why)
    assert where_none_tip.startswith("19 ms in NE: two at once, or one; ")
    assert why(fall(12, 9)).startswith("12 ms and 9 ms in NE: tumbled, or two close together; ")
    assert why(fall(9, 4, 7)).startswith("3 pulses in NE, longest 9 ms: a broken pulse; ")
    assert why(fall(400), fall(9, number=2, at_ms=900)).startswith(
        "400 ms in NE: as long as a hand"
    )


def test_the_reason_of_a_hand_says_whether_there_is_something_to_fetch() -> None:
    there = rank(scene(hands={Pocket.SW: 0.9}), (fall(350, pocket=Pocket.SW),))[0]
    assert str(there.why) == "350 ms in SW: a hand picking something up"
    assert why(fall(350)) == "350 ms in NE: a hand, or nothing"


def test_the_reason_of_several_falls_describes_the_first_two() -> None:
    two = (fall(9), fall(10, number=2, at_ms=500, pocket=Pocket.SW))
    each = "9 ms in NE: puck or striker; 10 ms in SW: puck or striker"
    assert why(*two, jack=0) == f"{each}; 2 own pucks sometimes"
    three = (*two, fall(9, number=3, at_ms=900))
    assert why(*three, jack=0) == f"{each}; 1 more; 3 own pucks unlikely"


class Colours:
    """A sensor that is this sure of the kind it saw, wherever it saw anything."""

    def __init__(self, seen: Piece | None, sure: float) -> None:
        self.seen, self.sure = seen, sure

    def of_board(self, red: Piece) -> Colours:
        del red
        return self

    def at(self, pocket: Pocket) -> Colours:
        return self if pocket is Pocket.NE else Colours(None, 0.0)

    def one(self, piece: Piece, fall: Fall) -> float:
        del fall
        return 1.0 if self.seen in (None, piece) else 1.0 - self.sure

    def two(self, first: Piece, second: Piece, fall: Fall) -> float:
        return (self.one(first, fall) * self.one(second, fall)) ** 0.5

    def hand(self, fall: Fall) -> float:
        del fall
        return 1.0 if self.seen is None else 1.0 - self.sure

    flash = hand


def test_what_another_sensor_saw_multiplies_what_the_beam_says():
    falls = (fall(11),)
    usual = {each.departures: each.probability for each in rank(scene(), falls)}
    told = rank(changed(scene(), further=(Colours(Piece.RED, 0.99),)), falls)
    assert told[0].departures == (Departure(Piece.RED, Pocket.NE),)
    red = told[0].departures
    for each in told:
        if len(each.departures) == 1 and each.departures != red:
            beam = usual[each.departures] / usual[red]
            assert each.probability / told[0].probability == pytest.approx(0.01 * beam)


@given(st.integers(1, 900), st.sampled_from(Pocket))
def test_a_sensor_that_saw_nothing_changes_no_reading(width_ms, pocket):
    falls = (fall(width_ms, pocket=pocket),)
    assert rank(changed(scene(), further=(Colours(None, 0.0),)), falls) == rank(scene(), falls)
