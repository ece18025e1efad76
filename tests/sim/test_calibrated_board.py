"""A board and its calibration: asked for in the menu, used by readings, refused with a fault."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jackspot.assembly import KINDS, BoardInputs, DeviceOverrides, assemble
from jackspot.calibration import from_menu
from jackspot.calibration.file import (
    CalibratedBoard,
    Calibration,
    Unfinished,
    as_text,
    parse,
    save,
    save_unfinished,
    unfinished_path,
)
from jackspot.calibration.live import Bench, begun, keeping_for, live_sitting, plan_for
from jackspot.calibration.measuring.measured import PIECES, Measured, PieceSet
from jackspot.calibration.measuring.walk import Walk, WalkStage
from jackspot.capture.vcd_file import Capture, Opening
from jackspot.commands import run
from jackspot.config.model import Config, Origin, check
from jackspot.core.pieces import Piece, Pocket
from jackspot.core.rules import rules_for
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.plans import Plan
from jackspot.dialogue.state.view import BoardView, Phase, PreferencesView
from jackspot.inputs.queue import EventQueue
from jackspot.ops.watchdog import Watchdog
from jackspot.readings.widths import WidthModel
from jackspot.replay import widths_of
from jackspot.sensing.events import (
    Button,
    Edge,
    Event,
    FaultRaised,
    Gesture,
    Key,
    Place,
    Press,
    Trouble,
)
from jackspot.storage.keeper import Keeper
from jackspot.storage.wall_clock import SystemWall
from jackspot.values import changed
from jackspot_sim.chance.pulses import CHANCE, MS, Manner
from jackspot_sim.clock import SimClock
from jackspot_sim.devices.pins import SimFactory, sim_gpio
from jackspot_sim.table.table import SimTable
from jackspot_sim.traffic.drops import dropped
from tests.dialogue.playing import Table
from tests.test_board import Seen

SECOND = 1_000 * MS
OK = Button(Place.REFEREE, Key.OK)
FIX = Button(Place.REFEREE, Key.FIX)
PLAIN = DialogueState(DialogueSettings(), Plan())


@pytest.fixture
def config(tmp_path: Path) -> Config:
    tables = {
        "oled": {"driver": "none"},
        "web": {"enabled": False},
        "calibration": {"path": str(tmp_path / "calibration.toml")},
    }
    return check(tables, Origin("test", {}))


class Simulated:
    """The simulated table of a board, on virtual time that jumps."""

    def __init__(
        self, config: Config, monkeypatch: pytest.MonkeyPatch, depth_mm: float,
        clock: SimClock | None = None,
    ) -> None:  # fmt: skip
        self.clock = clock or SimClock(None)
        self.factory = SimFactory(self.clock.now_ns)
        chance = changed(CHANCE, depth_mm=depth_mm, speed_spread=0.04)
        self.table = SimTable(
            self.clock, self.factory, config.wires, RuleSystem.HIKONE, seed=2, chance=chance
        )
        monkeypatch.setattr(from_menu, "open_gpio", lambda *_: sim_gpio(self.factory))

    def press(self, after_s: float, button: Button = OK) -> None:
        self.clock.after(round(after_s * SECOND), lambda: self.table.press(button))

    def drop(self, after_s: float, pocket: Pocket, piece: Piece) -> None:
        def fall() -> None:
            self.table.drop(pocket, [piece], Manner.CLEAN)
            self.table.put_back([piece])

        self.clock.after(round(after_s * SECOND), fall)


def test_people_calibrate_from_the_menu_with_buttons_and_pieces_alone(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = Simulated(config, monkeypatch, depth_mm=15.0)
    keeping = keeping_for(config)
    unfinished = Calibration(
        keeping.board, keeping.now(), (Measured(PieceSet.CAROM),), Unfinished(drops=2)
    )
    save_unfinished(unfinished, keeping.path)
    simulated.press(1)
    simulated.press(70)
    at_s = 75.0
    for pocket in Pocket:
        for kind in PieceSet.CAROM.kinds:
            for _ in range(2):
                simulated.drop(at_s, pocket, PIECES[PieceSet.CAROM][kind][0])
                at_s += 2
    simulated.press(at_s + 2)
    ended = from_menu.calibrate_from_menu(config, PLAIN, simulated.clock, Watchdog({}))
    assert ended is not None
    assert (ended.stage, ended.done) == (WalkStage.DONE, 24)
    made = parse(config.calibration.path.read_text())
    assert made.widths().at(Pocket.SE).flat_ns > 1.2 * WidthModel().flat_ns
    assert not config.calibration.path.with_name("calibration.toml.unfinished").exists()


def test_only_a_board_with_an_oled_and_an_ok_leads_through_it() -> None:
    pageless = {"seats": [], "box": False, "lamps": False}
    assert from_menu.can_be_led(check({}, Origin("test", {})))
    assert not from_menu.can_be_led(check({"pins": pageless}, Origin("test", {})))
    assert not from_menu.can_be_led(check({"oled": {"driver": "none"}}, Origin("test", {})))


def test_when_nobody_is_there_the_board_comes_back(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = Simulated(config, monkeypatch, depth_mm=30.0)
    simulated.press(1)
    simulated.drop(80, Pocket.NE, Piece.RED)
    ended = from_menu.calibrate_from_menu(config, PLAIN, simulated.clock, Watchdog({}))
    assert ended is not None
    assert ended.stage is WalkStage.HEARD
    assert 242 * SECOND < simulated.clock.now_ns() < 243 * SECOND
    assert not config.calibration.path.exists()


def test_the_board_comes_back_from_drops_three_minutes_after_the_last_press(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = Simulated(config, monkeypatch, depth_mm=30.0)
    simulated.press(1)
    simulated.press(70)
    simulated.drop(100, Pocket.NE, Piece.RED)
    ended = from_menu.calibrate_from_menu(config, PLAIN, simulated.clock, Watchdog({}))
    assert ended is not None
    assert (ended.stage, ended.done) == (WalkStage.DROPS, 1)
    assert 280 * SECOND < simulated.clock.now_ns() < 282 * SECOND


def test_a_loose_wire_is_nobody(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    simulated = Simulated(config, monkeypatch, depth_mm=30.0)
    simulated.press(1)
    simulated.press(70)

    def spike(pocket: Pocket, *, active: bool) -> None:
        simulated.clock.submit(Edge(simulated.clock.now_ns(), pocket, active))
        after_ns = 700_000 if active else 30 * SECOND
        simulated.clock.after(after_ns, lambda: spike(pocket, active=not active))

    simulated.clock.after(80 * SECOND, lambda: spike(Pocket.SW, active=True))
    simulated.clock.after(600 * SECOND, simulated.clock.close)
    ended = from_menu.calibrate_from_menu(config, PLAIN, simulated.clock, Watchdog({}))
    assert ended is not None
    assert ended.stage is WalkStage.DROPS
    assert 250 * SECOND < simulated.clock.now_ns() < 252 * SECOND


def test_a_calibration_that_cannot_be_written_is_a_fault_of_the_board(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = Simulated(config, monkeypatch, depth_mm=30.0)
    config.calibration.path.parent.joinpath("file").write_text("")
    path = config.calibration.path.parent / "file" / "calibration.toml"
    blocked = changed(config, calibration=changed(config.calibration, path=path))
    assert from_menu.calibrate_from_menu(blocked, PLAIN, simulated.clock, Watchdog({})) is None
    fault = simulated.clock.next(simulated.clock.now_ns() + SECOND)
    assert isinstance(fault, FaultRaised)
    assert (fault.part, fault.trouble) == ("calibration", Trouble.MISFIT)
    assert "cannot be written" in fault.detail


def test_it_is_shown_as_people_have_set_the_board(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = Simulated(config, monkeypatch, depth_mm=30.0)
    seen = Seen()
    monkeypatch.setattr(from_menu, "displays_beside_play", lambda *_: (seen,))
    simulated.press(1)
    set_by_people = PreferencesView("ja", brightness=20, volume=0)
    dialogue = changed(PLAIN, preferences=set_by_people)
    from_menu.calibrate_from_menu(config, dialogue, simulated.clock, Watchdog({}))
    assert {view.preferences for view in seen.views} == {set_by_people}


@pytest.mark.parametrize("rules", RuleSystem)
def test_the_pieces_of_the_match_that_people_have_set_are_dropped_and_used_from_then_on(
    rules: RuleSystem, config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = Simulated(config, monkeypatch, depth_mm=15.0)
    keeping = keeping_for(config)
    dialogue = changed(PLAIN, plan=Plan({"rules": rules.value}))
    pieces = PieceSet.of_board(rules_for(rules).red)
    one_each = changed(dropped(pieces, 1, 15.0, 1), quiet={})
    unfinished = Calibration(keeping.board, keeping.now(), (one_each,), Unfinished(drops=1))
    save_unfinished(unfinished, keeping.path)
    simulated.press(1)
    simulated.press(70)
    simulated.press(75)
    ended = from_menu.calibrate_from_menu(config, dialogue, simulated.clock, Watchdog({}))
    assert ended is not None
    assert (ended.plan.pieces, ended.stage) == (pieces, WalkStage.DONE)
    found = run._calibration(config, EventQueue())
    assert found is not None
    assert found.of(pieces) is not None


def test_while_a_match_is_on_its_pieces_are_dropped(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = Simulated(config, monkeypatch, depth_mm=30.0)
    in_match = changed(Table(rules="icf").started().dialogue, plan=Plan())
    ended = from_menu.calibrate_from_menu(config, in_match, simulated.clock, Watchdog({}))
    assert ended is not None
    assert ended.plan.pieces is PieceSet.CARROM


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace('board = "Jackspot"', 'board = "Board 7"'),
        lambda text: text.replace("pocket_ne = ", "pocket_ne = 2"),
        lambda text: text[:60],
    ],
)
def test_what_was_interrupted_and_does_not_fit_is_put_aside_for_a_new_calibration(
    damage: Callable[[str], str], config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = Simulated(config, monkeypatch, depth_mm=30.0)
    keeping = keeping_for(config)
    measured = dropped(PieceSet.CAROM, 1, 30.0, 1)
    half = Calibration(keeping.board, keeping.now(), (measured,), Unfinished(drops=1))
    text = damage(as_text(half))
    unfinished_path(keeping.path).write_text(text)
    ended = from_menu.calibrate_from_menu(config, PLAIN, simulated.clock, Watchdog({}))
    assert ended is not None
    assert ended.done == 0
    assert unfinished_path(keeping.path).with_suffix(".unfinished.1").read_text() == text
    assert not unfinished_path(keeping.path).exists()


def test_what_a_later_program_interrupted_is_left_and_is_a_fault(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = Simulated(config, monkeypatch, depth_mm=30.0)
    unfinished = unfinished_path(config.calibration.path)
    unfinished.write_text('schema = "jackspot calibration"\nversion = 9\n')
    assert from_menu.calibrate_from_menu(config, PLAIN, simulated.clock, Watchdog({})) is None
    assert "version = 9" in unfinished.read_text()


class Impatient(SimClock):
    """A clock on which somebody presses Ctrl-C after this many events."""

    left = 60

    def next(self, deadline_ns: int | None) -> Event | None:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt
        return super().next(deadline_ns)


def test_ctrl_c_loses_nothing_that_was_measured(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated = Simulated(config, monkeypatch, depth_mm=30.0, clock=Impatient(None))
    plan = changed(plan_for(config, PieceSet.CAROM), quiet_ns=0)
    simulated.press(1)
    for number in range(30):
        simulated.drop(5 + 2 * number, Pocket.NE, Piece.RED)
    inputs = BoardInputs(config, sim_gpio(simulated.factory), simulated.clock)
    dialogue = live_sitting(config, Bench(simulated.clock, inputs), keeping_for(config))
    ended = dialogue.run(Walk.begin(plan, 0))
    assert 3 < ended.done < 30
    again = begun(plan, keeping_for(config), config)
    assert in_us(again.measured) == in_us(ended.measured)
    assert again.wanted == ended.wanted


def in_us(measured: Measured) -> dict[object, list[list[int]]]:
    """Return drops in microseconds, as the file has them."""
    return {
        place: [[round(ns / 1000) for ns in drop.spans_ns] for drop in drops]
        for place, drops in measured.drops.items()
    }


# --- the board ---------------------------------------------------------------------------


class Chooser(Seen):
    """A display and a person in front of it, who goes to the calibration in the menu."""

    def __init__(self, clock: SimClock) -> None:
        super().__init__()
        self._clock = clock

    def post(self, view: BoardView) -> None:
        super().post(view)
        if view.menu is None:
            self._press(FIX, Gesture.HOLD)
        elif str(view.menu.items[view.menu.chosen]) in ("the board itself", "calibration"):
            self._press(OK, Gesture.HOLD)
        else:
            self._press(FIX, Gesture.SHORT)

    def _press(self, button: Button, gesture: Gesture) -> None:
        def press() -> None:
            now_ns = self._clock.now_ns()
            self._clock.submit(Press(now_ns, now_ns, button, gesture))

        self._clock.after(5 * SECOND, press)


def test_a_board_ends_for_a_calibration_without_saying_goodbye(
    config: Config, tmp_path: Path
) -> None:
    clock = SimClock(None)
    seen = Chooser(clock)
    factory = SimFactory(clock.now_ns)
    keeper = Keeper(tmp_path / "journal.sqlite3", KINDS, SystemWall())
    overrides = DeviceOverrides(direct=True, further=(seen,), calibrates=True)
    told: list[str] = []

    class Told(Watchdog):
        def stopping(self) -> None:
            told.append("stopping")

    board = assemble(config, sim_gpio(factory), clock, keeper, Told({}), overrides)
    board.run()
    assert board.wants_calibration
    assert not board.was_shut_down
    assert not seen.views[-1].farewell
    assert seen.views[-1].phase is Phase.SETUP
    assert told == [], "the service goes on"


def calibration(config: Config) -> Calibration:
    measured = dropped(PieceSet.CAROM, 4, 60.0, 1)
    return Calibration(CalibratedBoard.of(config), keeping_for(config).now(), (measured,))


def test_a_board_that_runs_uses_what_was_measured_on_it(config: Config) -> None:
    save(calibration(config), config.calibration.path)
    found = run._calibration(config, EventQueue())
    assert found is not None
    assert found.widths().at(Pocket.NE).flat_ns < 0.85 * WidthModel().flat_ns


def test_a_calibration_of_another_board_is_a_fault_and_the_board_goes_on(config: Config) -> None:
    other = changed(calibration(config), board=changed(CalibratedBoard.of(config), name="another"))
    save(other, config.calibration.path)
    source = EventQueue()
    assert run._calibration(config, source) is None
    fault = source.next(None)
    assert isinstance(fault, FaultRaised)
    assert (fault.part, fault.trouble) == ("calibration", Trouble.MISFIT)
    assert 'is of board "another", this is board "Jackspot"' in fault.detail


def test_a_capture_carries_the_calibration_that_its_readings_used(config: Config) -> None:
    text = as_text(calibration(config))
    capture = Capture(Opening("", calibration=text), frozenset(), (), 0)
    default = check({}, Origin("capture", {}))
    assert widths_of(capture, default).at(Pocket.NE).flat_ns < 0.85 * WidthModel().flat_ns
    without = Capture(Opening(""), frozenset(), (), 0)
    assert widths_of(without, default) == WidthModel()
