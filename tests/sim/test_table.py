"""The simulated table keeps the truth, and the firmware's own inputs see the right edges."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from jackspot.config import Config, Sources, load
from jackspot.core.pieces import Piece, Pocket
from jackspot.core.settings import RuleSystem
from jackspot.inputs.edges import Inputs
from jackspot.inputs.pins import Active, Pull, Wire, WireKind
from jackspot.sensing.events import (
    Button,
    Edge,
    FaultRaised,
    Gesture,
    Key,
    Place,
    Press,
    Pulse,
    SignalEvent,
    Tick,
    Trouble,
)
from jackspot.sensing.limits import Limits
from jackspot.sensing.signals import Signals
from jackspot_sim.chance.pulses import MS, Manner
from jackspot_sim.clock import START_NS, SimClock
from jackspot_sim.devices.pins import SimFactory, sim_gpio
from jackspot_sim.table.table import PIECES, Breakage, CannotHappen, LoggedEdge, SimTable

SECOND = 1_000 * MS
N_OK, N_FIX = Button(Place.N, Key.OK), Button(Place.N, Key.FIX)


class House:
    """A simulated table, and the firmware's inputs and signals on its pins."""

    def __init__(self, *, seed: int = 1, rules: RuleSystem = RuleSystem.HIKONE) -> None:
        config: Config = load(Sources(()))
        self.clock = SimClock()
        self.factory = SimFactory(self.clock.now_ns)
        self.heard: list[LoggedEdge] = []
        self.table = SimTable(
            self.clock,
            self.factory,
            config.wires,
            rules,
            seed=seed,
            on_edge=self.heard.append,
        )
        wires = [wire for wire in config.wires if wire.source is not None]
        gpio = sim_gpio(self.factory)
        self.inputs = Inputs(gpio, wires, self.clock.submit, self.clock.now_ns)
        levels = self.inputs.listen()
        self.signals = Signals.at_start(
            Limits(), levels, self.clock.now_ns(), [s for s, active in levels.items() if active]
        )
        self.run(0.1)
        self.begin_ns = self.clock.now_ns()

    def run(self, seconds: float) -> list[SignalEvent]:
        """Let virtual time pass; return what the firmware's signals made of the edges."""
        end_ns = self.clock.now_ns() + round(seconds * SECOND)
        found: list[SignalEvent] = []
        while True:
            wake_ns = self.signals.next_wake_ns()
            event = self.clock.next(end_ns if wake_ns is None else min(wake_ns, end_ns))
            if isinstance(event, Edge):
                self.signals, made = self.signals.step(event)
            else:
                assert event is None
                self.signals, made = self.signals.step(Tick(self.clock.now_ns()))
            found += made
            if event is None and self.clock.now_ns() >= end_ns:
                return found

    def run_edges(self, seconds: float) -> list[Edge]:
        """Let virtual time pass; return the bare edges."""
        end_ns = self.clock.now_ns() + round(seconds * SECOND)
        found = []
        while (event := self.clock.next(end_ns)) is not None:
            assert isinstance(event, Edge)
            found.append(event)
        return found


def pulses(events: list[SignalEvent]) -> list[Pulse]:
    return [event for event in events if isinstance(event, Pulse)]


def presses(events: list[SignalEvent]) -> list[Press]:
    return [event for event in events if isinstance(event, Press)]


def everything(table: SimTable) -> Counter[Piece]:
    truth = table.truth()
    found = Counter(truth.on_board) + Counter(truth.on_floor)
    for pieces in truth.in_pockets.values():
        found += Counter(pieces)
    return found


def test_a_puck_that_falls_is_one_pulse_in_its_pocket_at_its_exact_instant() -> None:
    house = House()
    end_ns = house.table.drop(Pocket.NE, [Piece.RED])
    [pulse] = pulses(house.run(1))
    assert (pulse.pocket, pulse.start_ns, pulse.end_ns) == (Pocket.NE, house.begin_ns, end_ns)
    assert 6 * MS < pulse.width_ns < 16 * MS


def test_the_truth_follows_a_piece_into_its_pocket_and_back() -> None:
    table = House().table
    table.drop(Pocket.SW, [Piece.RED, Piece.STRIKER])
    truth = table.truth()
    assert truth.on_board[Piece.RED] == 11
    assert truth.in_pockets == {Pocket.SW: {Piece.RED: 1, Piece.STRIKER: 1}}
    table.put_back([Piece.RED])
    table.take_striker()
    assert table.truth().in_pockets == {}
    assert table.truth().on_board == PIECES[RuleSystem.HIKONE]


def test_a_piece_that_flies_off_breaks_no_beam() -> None:
    house = House()
    house.table.fly_off([Piece.JACK])
    assert house.run_edges(1) == []
    assert house.table.truth().on_floor == {Piece.JACK: 1}
    assert Piece.JACK not in house.table.truth().on_board


def test_a_piece_that_is_not_on_the_board_cannot_fall() -> None:
    table = House().table
    table.drop(Pocket.NE, [Piece.JACK])
    with pytest.raises(CannotHappen, match="expected 1 jack on the board, found 0"):
        table.drop(Pocket.NE, [Piece.JACK])
    with pytest.raises(CannotHappen, match="expected 13 red"):
        table.drop(Pocket.NE, [Piece.RED] * 13)
    with pytest.raises(CannotHappen, match="queen"):
        table.drop(Pocket.NE, [Piece.QUEEN])


def test_what_cannot_happen_leaves_the_table_as_it_was() -> None:
    house = House()
    before = house.table.truth()
    for impossible in ([Piece.RED] * 13, [Piece.RED, Piece.QUEEN], []):
        with pytest.raises(CannotHappen):
            house.table.drop(Pocket.NE, impossible)
    with pytest.raises(CannotHappen):
        house.table.put_back([Piece.RED])
    with pytest.raises(CannotHappen):
        house.table.drop(Pocket.NE, [Piece.RED], Manner.HAND)
    assert house.table.truth() == before
    assert house.run_edges(1) == []


@pytest.mark.parametrize("rules", RuleSystem)
def test_pieces_are_conserved_whatever_hands_and_strokes_do(rules: RuleSystem) -> None:
    house = House(rules=rules)
    rng = random.Random(7)
    for _ in range(300):
        on_board = list(Counter(house.table.truth().on_board).elements())
        out = list((Counter(PIECES[rules]) - Counter(on_board)).elements())
        some = rng.sample(on_board, min(len(on_board), rng.randint(1, 3)))
        match rng.randrange(4):
            case 0 if some:
                house.table.drop(rng.choice(list(Pocket)), some, rng.choice(list(Manner)[:4]))
            case 1 if some:
                house.table.fly_off(some)
            case 2:
                house.table.put_back(rng.sample(out, min(len(out), 2)), reaching_in=True)
            case _:
                house.table.take_striker()
        assert everything(house.table) == PIECES[rules]
        house.run_edges(0.5)


@pytest.mark.parametrize(
    ("manner", "count", "expected"),
    [
        (Manner.CLEAN, 1, 1),
        (Manner.CLEAN, 3, 3),
        (Manner.EDGE, 1, 1),
        (Manner.TUMBLING, 1, 2),
        (Manner.DOUBLE, 2, 1),
        (Manner.NOISY, 1, 1),
        (Manner.MISSED, 1, 0),
    ],
)
def test_the_firmware_senses_as_many_pulses_as_the_manner_makes(
    manner: Manner, count: int, expected: int
) -> None:
    for seed in range(20):
        house = House(seed=seed)
        house.table.drop(Pocket.SE, [Piece.GREEN] * count, manner)
        assert len(pulses(house.run(5))) == expected, f"seed {seed}"


def test_two_pieces_that_fall_into_one_pocket_together_are_one_pulse() -> None:
    house = House()
    house.table.drop(Pocket.NW, [Piece.RED])
    house.clock.after(5 * MS, lambda: house.table.drop(Pocket.NW, [Piece.GREEN]))
    [pulse] = pulses(house.run(1))
    assert pulse.width_ns > 11 * MS


def test_a_piece_that_sticks_blocks_its_beam_until_it_is_freed() -> None:
    house = House()
    house.table.drop(Pocket.NE, [Piece.RED], Manner.STUCK)
    events = house.run(5)
    faults = [e for e in events if isinstance(e, FaultRaised)]
    assert [(f.part, f.trouble) for f in faults] == [("pocket_ne", Trouble.BLOCKED)]
    assert house.table.faulty() == {"pocket_ne": Breakage.JAMMED}
    assert house.table.active() == {"pocket_ne"}
    house.table.mend("pocket_ne")
    house.run(1)
    assert house.table.faulty() == {}
    assert house.table.active() == frozenset()


def test_a_piece_freed_before_it_reaches_the_beam_does_not_stick() -> None:
    house = House()
    house.table.drop(Pocket.NE, [Piece.RED, Piece.RED], Manner.STUCK)
    house.table.mend("pocket_ne")
    house.run_edges(5)
    assert house.table.active() == frozenset()


def test_a_dead_beam_sees_nothing_and_the_piece_is_still_gone() -> None:
    house = House()
    house.table.kill("pocket_ne")
    house.table.drop(Pocket.NE, [Piece.RED])
    assert house.run_edges(1) == []
    assert house.table.truth().on_board[Piece.RED] == 11
    house.table.mend("pocket_ne")
    house.table.drop(Pocket.NE, [Piece.RED])
    assert len(house.run_edges(1)) == 2


def test_a_jammed_beam_is_blocked_until_it_is_mended() -> None:
    house = House()
    house.table.jam("pocket_sw")
    house.table.drop(Pocket.SW, [Piece.RED])
    assert [edge.active for edge in house.run_edges(1)] == [True]
    house.table.mend("pocket_sw")
    assert [edge.active for edge in house.run_edges(1)] == [False]


def test_what_is_jammed_before_the_firmware_starts_is_a_level_at_the_start() -> None:
    house = House()
    house.table.jam("seat_n_ok")
    house.run_edges(1)
    again = Inputs(
        sim_gpio(house.factory),
        [Wire("seat_n_ok", WireKind.BUTTON, 4, Active.LOW, Pull.UP, N_OK)],
        house.clock.submit,
        house.clock.now_ns,
    )
    assert again.listen() == {N_OK: True}


def test_a_short_press_is_one_press_however_the_contact_bounces() -> None:
    for seed in range(30):
        house = House(seed=seed)
        house.table.press(N_OK)
        [press] = presses(house.run(2))
        assert (press.button, press.gesture) == (N_OK, Gesture.SHORT), f"seed {seed}"
        assert press.down_ns == house.begin_ns


def test_a_held_button_is_one_hold() -> None:
    house = House()
    house.table.hold(N_OK)
    assert [(p.button, p.gesture) for p in presses(house.run(3))] == [(N_OK, Gesture.HOLD)]


def test_ok_and_fix_of_one_seat_together_are_an_undo() -> None:
    house = House()
    house.table.chord(N_OK, N_FIX)
    [press] = presses(house.run(3))
    assert press.button == Button(Place.N, Key.UNDO)


def test_a_finger_stays_down_until_it_is_taken_off() -> None:
    house = House()
    house.table.down(N_OK)
    house.table.down(N_OK)
    house.run_edges(1)
    assert house.table.active() == {"seat_n_ok"}
    house.table.up(N_OK)
    house.table.up(N_OK)
    house.run_edges(1)
    assert house.table.active() == frozenset()


@pytest.mark.parametrize("seed", range(8))
def test_a_finger_that_leaves_while_the_contact_still_bounces_leaves_it_open(seed: int) -> None:
    house = House(seed=seed)
    house.table.down(N_OK)
    house.table.up(N_OK)
    house.run(1)
    assert house.table.active() == frozenset()


def test_a_hand_that_puts_pieces_back_breaks_each_pockets_beam_in_turn() -> None:
    house = House()
    for pocket in (Pocket.NE, Pocket.NW):
        house.table.drop(pocket, [Piece.RED])
    house.run(1)
    house.table.put_back([Piece.RED, Piece.RED], reaching_in=True)
    sources = [pulse.pocket for pulse in pulses(house.run(10))]
    assert list(dict.fromkeys(sources)) == [Pocket.NE, Pocket.NW]


def test_a_control_this_board_has_not_is_named() -> None:
    with pytest.raises(CannotHappen, match="this board has no page_ok"):
        House().table.press(Button(Place.PAGE, Key.OK))


def test_the_log_has_every_edge_that_the_firmware_saw() -> None:
    house = House()
    house.table.drop(Pocket.NE, [Piece.RED, Piece.GREEN], Manner.NOISY)
    house.table.press(N_OK)
    seen = [(e.at_ns, e.active) for e in house.run_edges(5)]
    log = house.table.edges()
    assert [(e.at_ns, e.active) for e in log] == seen
    assert [e.number for e in log] == list(range(1, len(seen) + 1))
    assert house.heard == list(log)
    assert house.table.edges(since=3) == log[3:]


def test_one_seed_is_one_evening() -> None:
    def evening(seed: int) -> tuple[LoggedEdge, ...]:
        house = House(seed=seed)
        for pocket, manner in zip(Pocket, list(Manner)[:4], strict=True):
            house.table.drop(pocket, [Piece.RED, Piece.GREEN], manner)
            house.table.press(N_OK)
            house.run(2)
        return house.table.edges()

    assert evening(11) == evening(11)
    assert evening(11) != evening(12)


def test_a_board_without_a_beam_lets_pieces_fall_unseen() -> None:
    clock = SimClock()
    table = SimTable(clock, SimFactory(clock.now_ns), [])
    table.drop(Pocket.NE, [Piece.RED])
    assert clock.next(START_NS + SECOND) is None
    assert table.truth().in_pockets == {Pocket.NE: {Piece.RED: 1}}
