"""A flick on the simulated table: what runs, falls and comes to rest, and what the pins see."""

from __future__ import annotations

import contextlib
import math
import random
from collections import Counter

import pytest

from jackspot.config.load import Sources, load
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import RuleSystem
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.clock import SimClock
from jackspot_sim.devices.pins import SimFactory
from jackspot_sim.physics.boards import board_of
from jackspot_sim.physics.places import place_striker, seen_from
from jackspot_sim.physics.values import (
    STRIKER,
    Flick,
    Flown,
    Frame,
    Lying,
    PieceFall,
    Shot,
    Spot,
    TippingPiece,
)
from jackspot_sim.sensing.quality import QUALITIES, Quality, Sensors
from jackspot_sim.table import running
from jackspot_sim.table.running import Run, Runs
from jackspot_sim.table.table import PIECES, CannotHappen, SimTable

SOUTH = Flick(0.0, -204.0, 2_500.0, math.pi / 2)


class House:
    """A simulated table on which somebody flicks."""

    def __init__(
        self,
        rules: RuleSystem = RuleSystem.HIKONE,
        seed: int = 1,
        sensors: Sensors = QUALITIES[Quality.DEFAULT],
    ) -> None:
        self.clock = SimClock()
        factory = SimFactory(self.clock.now_ns)
        wires = load(Sources(())).wires
        self.table = SimTable(self.clock, factory, wires, rules, seed=seed)
        self.changes = 0
        self.runs = Runs(self.clock, self.table, self.count, seed, sensors)

    def count(self) -> None:
        self.changes += 1

    def run(self, seconds: float) -> None:
        """Let virtual time pass."""
        end_ns = self.clock.now_ns() + round(seconds * 1e9)
        while self.clock.next(end_ns) is not None or self.clock.now_ns() < end_ns:
            pass

    def keep(self, *kept: Lying) -> None:
        """Leave these pieces where the test wants them, and all others on the floor."""
        rules = self.table.rules
        self.table.lay(rules, Counter(each.piece for each in kept))
        numbers = [each.number for each in self.table.lying()]
        kinds = [each.piece for each in self.table.lying()]
        order = sorted(kept, key=lambda each: kinds.index(each.piece))
        self.table.rest(
            Lying(number, each.piece, each.x_mm, each.y_mm)
            for number, each in zip(numbers, order, strict=True)
        )

    def agrees(self) -> bool:
        """Return whether the pieces on the board match the counts, with none lost or doubled."""
        truth = self.table.truth()
        counted = Counter(truth.on_board)
        counted[Piece.STRIKER] = 0
        everywhere = Counter(truth.on_board) + Counter(truth.on_floor)
        for kinds in truth.in_pockets.values():
            everywhere += Counter(kinds)
        lying = Counter(each.piece for each in self.table.lying())
        return lying == +counted and everywhere == PIECES[self.table.rules]


def at_pocket(number: int, piece: Piece, pocket: Pocket) -> Lying:
    """Put a piece in front of a pocket, on the way from the middle."""
    x, y = board_of(RuleSystem.HIKONE).pocket_at(pocket)
    return Lying(number, piece, x * 0.88, y * 0.88)


def through(lying: Lying, speed_mm_s: float = 2_200.0) -> Flick:
    """Flick from the middle of the south line straight at a piece."""
    x, y = seen_from(Seat.S, 0.0, 204.0)
    return Flick(x, y, speed_mm_s, math.atan2(lying.y_mm - y, lying.x_mm - x))


@pytest.mark.parametrize("rules", RuleSystem)
def test_what_lies_there_is_what_is_counted_over_random_shots(rules: RuleSystem) -> None:
    shoot_at_random(rules, 6)


@pytest.mark.long
@pytest.mark.parametrize("rules", RuleSystem)
def test_what_lies_there_is_what_is_counted_over_many_random_shots(rules: RuleSystem) -> None:
    assert shoot_at_random(rules, 400) > 20


def shoot_at_random(rules: RuleSystem, shots: int) -> int:
    """Flick anyhow from anywhere; check what lies there all the while.

    Return the sum, over all shots, of the pieces that were off the board after the shot.
    """
    rng = random.Random(f"shots {rules}")
    house = House(rules)
    fallen = 0
    for shot in range(shots):
        seat = rng.choice(list(Seat))
        at = place_striker(
            rules, seat, house.table.lying(), (rng.uniform(-200, 200), rng.uniform(-200, 200))
        )
        assert at is not None
        angle = rng.uniform(-math.pi, math.pi)
        house.runs.flick(Flick(*at, rng.uniform(300, 5_000), angle), seat)
        for _ in range(rng.randint(1, 6)):
            house.run(rng.uniform(0.0, 1.0))
            assert house.agrees(), f"shot {shot}"
        if house.runs.running:
            house.run(25)
        assert house.agrees(), f"shot {shot}"
        move_each_away_and_back(house.table)
        out = Counter(PIECES[rules]) - Counter(house.table.truth().on_board)
        fallen += out.total()
        if out and rng.random() < 0.3:
            house.table.put_back([rng.choice(list(out.elements()))])
        assert house.agrees(), f"shot {shot}"
    half = board_of(rules).half_mm
    assert all(max(abs(one.x_mm), abs(one.y_mm)) < half for one in house.table.lying())
    return fallen


def move_each_away_and_back(table: SimTable) -> None:
    """Move each piece somewhere else by hand, and back to where it came to rest."""
    before = {each.number: each for each in table.lying()}
    for number in before:
        for at_mm in ((180.0, -150.0), (-180.0, -150.0), (0.0, 0.0), (100.0, -20.0)):
            with contextlib.suppress(CannotHappen):
                table.move(number, *at_mm)
                break
        if table.moved:
            table.move_back()
        assert {each.number: each for each in table.lying()} == before


def test_a_beam_breaks_at_the_instant_at_which_its_piece_falls() -> None:
    house = House()
    red = at_pocket(1, Piece.RED, Pocket.NW)
    house.keep(red)
    run = house.runs.flick(through(red))
    [fall] = [each for each in run.shot.falls if each.piece is Piece.RED]
    due_ns = run.begun_ns + round(fall.at_s * 1e9)
    house.run(fall.at_s - 0.001)
    assert not house.table.edges()
    assert house.table.truth().on_board[Piece.RED] == 1
    house.run(3)
    first = next(edge for edge in house.table.edges() if edge.wire == "pocket_nw")
    assert 0 <= first.at_ns - due_ns < 100_000_000
    assert house.table.truth().in_pockets[Pocket.NW][Piece.RED] == 1


def test_a_second_flick_waits_until_the_pieces_rest() -> None:
    house = House()
    house.runs.flick(SOUTH)
    with pytest.raises(CannotHappen, match="still moving"):
        house.runs.flick(SOUTH)
    house.run(25)
    assert not house.runs.running
    at = place_striker(RuleSystem.HIKONE, Seat.S, house.table.lying(), (0.0, -204.0))
    assert at is not None
    assert house.runs.flick(Flick(*at, 100.0, 0.0)).number == 2


@pytest.mark.parametrize(
    ("flick", "why"),
    [
        (Flick(0.0, -290.0, 100.0, 0.0), "inside the frame"),
        (Flick(0.0, -204.0, 0.0, 0.0), "0 to 5 m/s"),
        (Flick(0.0, -204.0, 5_001.0, 0.0), "0 to 5 m/s"),
        (Flick(0.0, 10.0, 100.0, 0.0), r"a piece lies there \(jack\)"),
    ],
)
def test_what_no_hand_can_do_is_refused_with_the_reason(flick: Flick, why: str) -> None:
    house = House()
    before = house.table.lying()
    with pytest.raises(CannotHappen, match=why):
        house.runs.flick(flick)
    assert (house.table.lying(), house.runs.last) == (before, None)


def test_a_striker_in_a_pocket_is_fetched_for_the_next_flick() -> None:
    house = House()
    house.table.drop(Pocket.NE, [Piece.STRIKER])
    house.runs.flick(SOUTH)
    assert house.table.truth().in_pockets == {}
    assert house.agrees()


def test_pieces_that_are_laid_out_anew_run_no_more() -> None:
    house = House()
    red = at_pocket(1, Piece.RED, Pocket.NW)
    house.keep(red)
    house.runs.flick(through(red))
    house.table.set_up(RuleSystem.ICF)
    assert house.runs.last is None
    house.run(25)
    assert house.table.truth().in_pockets == {}
    assert house.agrees()


def test_a_piece_taken_away_while_it_runs_does_not_fall_twice() -> None:
    house = House()
    red = at_pocket(1, Piece.RED, Pocket.NW)
    house.keep(red)
    house.runs.flick(through(red))
    house.table.drop(Pocket.SE, [Piece.RED])
    house.run(25)
    assert house.table.truth().in_pockets == {Pocket.SE: {Piece.RED: 1}}
    assert house.agrees()


def test_what_runs_when_the_power_fails_comes_to_rest_unseen() -> None:
    house = House()
    red = at_pocket(1, Piece.RED, Pocket.NW)
    house.keep(red)
    house.runs.flick(through(red))
    house.runs.settle()
    assert house.table.truth().in_pockets[Pocket.NW][Piece.RED] == 1
    assert not house.runs.running
    assert house.table.edges() == ()


def strikers(table: SimTable) -> tuple[int, int]:
    """Count the strikers in hands, and those in pockets and on the floor."""
    truth = table.truth()
    out = [*truth.in_pockets.values(), truth.on_floor]
    held = truth.on_board.get(Piece.STRIKER, 0)
    return held, sum(kinds.get(Piece.STRIKER, 0) for kinds in out)


def with_a_shot(house: House, shot: Shot, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Flick what the physics makes this of."""
    monkeypatch.setattr(running, "_computed", lambda *_: shot)
    return house.runs.flick(SOUTH)


def leaving(number: int, piece: Piece, *, flies: bool) -> Shot:
    """Return a shot of two seconds in which one piece leaves the board after half a second."""
    tips = TippingPiece(-20.0, -20.0, 0.0, 0.0, 10.0, 0.1, 1.0, 0.8, 0.0)
    falls = () if flies else (PieceFall(number, piece, Pocket.NE, 0.5, tips),)
    flown = (Flown(number, piece, 0.5),) if flies else ()
    return Shot((), falls, flown, (), (), 2.0, None, None, by_frame=False)


@pytest.mark.parametrize("is_cut", [False, True])
@pytest.mark.parametrize("after_s", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("flies", [False, True])
@pytest.mark.parametrize("piece", [Piece.STRIKER, Piece.RED])
def test_what_leaves_the_board_leaves_it_once(
    monkeypatch: pytest.MonkeyPatch, piece: Piece, flies: bool, after_s: float, is_cut: bool
) -> None:
    house = House()
    [number, *_] = [each.number for each in house.table.lying() if each.piece is Piece.RED]
    number = STRIKER if piece is Piece.STRIKER else number
    with_a_shot(house, leaving(number, piece, flies=flies), monkeypatch)
    house.run(after_s)
    if is_cut:
        house.runs.settle()
    house.run(5)
    assert strikers(house.table) == ((3, 1) if piece is Piece.STRIKER else (4, 0))
    assert [each.pieces for each in house.table.happenings()] == [(piece,)]
    assert house.agrees()


@pytest.mark.parametrize("is_cut", [False, True])
@pytest.mark.parametrize("flies", [False, True])
@pytest.mark.parametrize("by_hand", ["fly_off", "drop"])
def test_a_striker_that_a_hand_takes_away_while_it_runs_does_not_leave_twice(
    monkeypatch: pytest.MonkeyPatch, by_hand: str, flies: bool, is_cut: bool
) -> None:
    house = House()
    with_a_shot(house, leaving(STRIKER, Piece.STRIKER, flies=flies), monkeypatch)
    house.run(0.2)
    if by_hand == "drop":
        house.table.drop(Pocket.SW, [Piece.STRIKER])
    else:
        house.table.fly_off([Piece.STRIKER])
    if is_cut:
        house.runs.settle()
    house.run(5)
    assert strikers(house.table) == (3, 1)
    assert house.agrees()


def test_a_striker_that_a_hand_takes_away_while_it_runs_does_not_lie_there_at_rest() -> None:
    house = House()
    house.runs.flick(Flick(0.0, -204.0, 300.0, math.pi / 2 + 1.2))
    house.table.fly_off([Piece.STRIKER])
    house.run(6)
    assert not house.runs.running
    assert not house.runs.striker_lies


def hanging(house: House, monkeypatch: pytest.MonkeyPatch) -> Lying:
    """Flick, and let everything rest but one piece that hangs and falls two seconds later."""
    [lying, *_] = [each for each in house.table.lying() if each.piece is Piece.RED]
    number = lying.number
    x, y = board_of(RuleSystem.HIKONE).pocket_at(Pocket.NE)
    tips = TippingPiece(-20.0, -20.0, 0.0, 0.0, 10.0, 0.1, 1.0, 0.8, 0.0)
    frames = (Frame(0.5, (Spot(number, x - 15.0, y - 15.0, 0.0),)),)
    fall = PieceFall(number, Piece.RED, Pocket.NE, 3.0, tips, late=True)
    shot = Shot(frames, (fall,), (), (), (), 1.0, None, None, by_frame=False)
    with_a_shot(house, shot, monkeypatch)
    house.run(1.5)
    [hung] = [each for each in house.table.lying() if each.number == number]
    assert (hung.x_mm, hung.y_mm) == (x - 15.0, y - 15.0)
    return hung


@pytest.mark.parametrize(
    ("moves", "falls"), [((), True), (("away",), False), (("away", "back"), True)]
)
def test_a_piece_that_hangs_falls_late_unless_a_hand_moves_it_away(
    monkeypatch: pytest.MonkeyPatch, moves: tuple[str, ...], falls: bool
) -> None:
    house = House()
    hung = hanging(house, monkeypatch)
    for move in moves:
        if move == "away":
            house.table.move(hung.number, 150.0, -150.0)
        else:
            house.table.move_back()
    house.run(5)
    lying = {each.number: (each.x_mm, each.y_mm) for each in house.table.lying()}
    assert (hung.number not in lying) is falls
    assert falls or lying[hung.number] == (150.0, -150.0)
    assert len(house.table.happenings()) == falls
    assert house.agrees()


def test_a_piece_that_hung_is_put_back_over_its_edge_and_then_the_moves_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house = House()
    hung = hanging(house, monkeypatch)
    before = house.table.lying()
    other = next(each.number for each in before if each.piece is Piece.GREEN)
    house.table.move(other, -150.0, -150.0)
    house.table.move(hung.number, 150.0, -150.0)
    house.table.move_back()
    house.table.move_back()
    assert set(house.table.lying()) == set(before)
    assert house.table.moved == 0


def test_each_seats_first_shot_of_a_board_is_known() -> None:
    house = House()
    assert house.runs.is_first(Seat.S)
    house.runs.flick(SOUTH, Seat.S)
    house.run(25)
    assert not house.runs.is_first(Seat.S)
    assert house.runs.is_first(Seat.N)
    house.table.set_up(RuleSystem.HIKONE)
    assert house.runs.is_first(Seat.S)


def test_the_same_seed_gives_the_same_shots() -> None:
    ends = []
    for _ in range(2):
        house = House(seed=5)
        house.runs.flick(SOUTH)
        house.run(25)
        ends.append((house.table.lying(), house.table.edges()))
    assert ends[0] == ends[1]


def test_pieces_are_put_down_on_the_pile_or_beside_each_other() -> None:
    house = House()
    house.table.fly_off([Piece.RED, Piece.GREEN])
    house.table.put(Piece.RED, 5.0, 3.0)
    assert house.table.lying()[-1].level == 1
    assert (house.table.lying()[-1].x_mm, house.table.lying()[-1].y_mm) == (0.0, 0.0)
    with pytest.raises(CannotHappen, match="off the pockets"):
        house.table.put(Piece.GREEN, 270.0, 270.0)
    with pytest.raises(CannotHappen, match="expected 1 red"):
        house.table.put(Piece.RED, 0.0, 0.0)
    carrom = House(RuleSystem.ICF)
    carrom.table.fly_off([Piece.WHITE])
    with pytest.raises(CannotHappen, match="another piece lies there"):
        carrom.table.put(Piece.WHITE, 5.0, 3.0)
    assert house.agrees()
    assert carrom.agrees()


def test_the_striker_lies_on_the_board_until_one_falls() -> None:
    house = House()
    house.runs.flick(Flick(0.0, -204.0, 300.0, math.pi / 2 + 1.2))
    house.run(6)
    lay = house.runs.striker_lies
    house.table.drop(Pocket.SE, [Piece.STRIKER], Manner.CLEAN)
    house.run(1)
    assert (lay, house.runs.striker_lies) == (True, False)
    assert house.agrees()


@pytest.mark.parametrize("aside_rad", [0.0, 0.05, 0.1])
def test_a_break_spreads_the_ring_as_far_as_the_figures_say(aside_rad: float) -> None:
    house = House()
    before = {each.number: (each.x_mm, each.y_mm) for each in house.table.lying()}
    speed = board_of(RuleSystem.HIKONE).fastest_mm_s * 0.86**1.5
    house.runs.flick(Flick(0.0, -204.0, speed, math.pi / 2 + aside_rad))
    house.run(8)
    lying = house.table.lying()
    moved = [math.dist(before[each.number], (each.x_mm, each.y_mm)) > 50 for each in lying]
    assert 3 <= sum(moved) <= 9
