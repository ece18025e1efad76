"""A sensor hub calibrated on the simulated table by the whole firmware, and a match read by it."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner

from jackspot.calibration import from_menu
from jackspot.calibration.file import Calibration, Unfinished, parse, save_unfinished, usable
from jackspot.calibration.live import keeping_for, live_sitting, plan_for
from jackspot.calibration.measuring.flicks import MeasuredDiscs
from jackspot.calibration.measuring.measured import Measured, PieceSet
from jackspot.calibration.measuring.walk import Walk, WalkStage
from jackspot.calibration.sitting import CalibrationTarget
from jackspot.commands import main
from jackspot.config.model import Config, Origin, check
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.dialogue_settings import DialogueSettings
from jackspot.dialogue.state.dialogue_state import DialogueState
from jackspot.dialogue.state.plans import Plan
from jackspot.dialogue.state.view import BoardView, Phase
from jackspot.ops.watchdog import Watchdog
from jackspot.readings.colours import ColourModel
from jackspot.readings.shots import ShotModel, Strongest
from jackspot.sensing.events import Button, HubDiscs, Key, Place, Trouble
from jackspot.sensing.limits import SECOND
from jackspot.sensor_link.protocol.hearing import PART
from jackspot.values import changed
from jackspot_sim.boards.calibration import simulated_bench
from jackspot_sim.boards.rig import Built, Onlookers, Rig
from jackspot_sim.chance.pulses import Manner
from jackspot_sim.chance.shaking import Disturbance
from jackspot_sim.clock import SimClock
from jackspot_sim.devices.pins import SimFactory, sim_gpio
from jackspot_sim.devices.sensor_hub import CHIP, SimulatedHub
from jackspot_sim.physics.discs import blow_of
from jackspot_sim.table.running import Runs
from jackspot_sim.table.table import SimTable
from tests.conftest import ATTEMPTS, PATIENCE_S
from tests.sim.test_simulated_hub import FROM, HIKONE, blows

pytestmark = pytest.mark.live

OK = Button(Place.REFEREE, Key.OK)
FIX = Button(Place.REFEREE, Key.FIX)
FAST = 5.0
"""How many times real time a serial line keeps up with on a slow machine where knocks count."""
FAST_FOR_FRAMES = 2.0
"""The same where frames count: one that comes 60 ms of the table's time after its fall is late."""


def config(folder: Path, port: object = "/dev/ttyACM7") -> Config:
    tables = {
        "oled": {"driver": "none"},
        "web": {"enabled": False},
        "calibration": {"path": str(folder / "calibration.toml")},
        **({} if port is None else {"sensor_hub": {"port": str(port)}}),
    }
    return check(tables, Origin("test", {}))


def discs_of(path: Path) -> MeasuredDiscs:
    discs = parse(path.read_text(encoding="utf-8")).discs
    assert discs is not None
    return discs.measured


# --- calibrated, then played ------------------------------------------------------------


class Onlooker:
    """A display that waits for what it is shown."""

    name = "onlooker"

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.views: list[BoardView] = []

    def start(self) -> None:
        """Nothing to start."""

    def post(self, view: BoardView) -> None:
        with self._changed:
            self.views.append(view)
            self._changed.notify_all()

    def post_sound(self, sound: object) -> None:
        """Hear nothing."""

    def stop(self, timeout_s: float = 1.0) -> bool:
        return True

    def wait_for(self, shows) -> None:
        with self._changed:
            there = self._changed.wait_for(lambda: self.views and shows(self.views[-1]), PATIENCE_S)
            assert there, self.views[-1:]


class Match:
    """A match on the simulated table, its board calibrated by a file."""

    def __init__(self, folder: Path, shots: ShotModel, colours: ColourModel | None = None) -> None:
        self.clock = SimClock(4.0 if colours is None else 1.0)
        self.seen = Onlooker()
        self.rig = Rig(
            config(folder), folder / "journal.sqlite3", self.clock,
            Onlookers(further=(self.seen,)),
            built=Built(shots=shots, colours=colours or ColourModel()),
        )  # fmt: skip
        assert self.rig.hub is not None
        self.hub = self.rig.hub
        self.runs = Runs(self.clock, self.rig.table, lambda: None, shaken=self.hub.shake)
        self._thread = threading.Thread(target=self.rig.run)

    def __enter__(self) -> Match:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.clock.close()
        self._thread.join(PATIENCE_S)

    def begins(self) -> None:
        """Start the match once the hub is heard."""
        assert self.hub.asked.wait(PATIENCE_S)
        self.seen.wait_for(lambda view: not [each for each in view.faults if each.part == PART])
        self.presses()
        self.seen.wait_for(lambda view: view.phase is Phase.READY)

    def presses(self) -> None:
        self.clock.after(0, lambda: self.rig.table.press(OK))

    def drops(self, piece: Piece) -> None:
        """Let a piece fall on edge: some eight frames long."""
        self.rig.table.drop(Pocket.NE, [piece], Manner.EDGE)

    def shoots(self, seat: Seat) -> None:
        """Let a seat flick, and a piece fall a second later."""
        self.clock.after(9 * SECOND, lambda: self.hub.shake(
            [each.later(self.clock.now_ns()) for each in blows(FROM[seat])]
        ))  # fmt: skip
        self.clock.after(10 * SECOND, lambda: self.rig.table.drop(Pocket.NE, [Piece.GREEN]))


def calibrated_by(folder: Path, *words: str, speed: float = FAST) -> str:
    """Calibrate on the simulated table by `jackspot calibrate`; return what it prints."""
    text = (
        '[oled]\ndriver = "none"\n[web]\nenabled = false\n[sensor_hub]\nport = "/dev/ttyACM7"\n'
        f'[calibration]\npath = "{folder / "calibration.toml"}"\n'
    )
    (folder / "jackspot.toml").write_text(text, encoding="utf-8")
    call = ["calibrate", "--config", str(folder / "jackspot.toml"), "--simulate"]
    call += ["--out", str(folder / "calibration.toml")]
    result = CliRunner().invoke(main, [*call, "--speed", str(speed), *words])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a file that `jackspot calibrate --discs` wrote on the table."""
    folder = tmp_path_factory.mktemp("discs")
    said = calibrated_by(folder, "--discs", "--flicks", "3", "--quiet", "5")
    assert "12 flicks" in said
    return folder


def test_discs_are_calibrated_on_the_simulated_table(made: Path) -> None:
    measured = discs_of(made / "calibration.toml")
    assert measured.discs == HubDiscs(CHIP, tuple(Seat))
    assert {side: len(felt) for side, felt in measured.flicks.items()} == dict.fromkeys(Seat, 3)
    assert measured.quiet_ns > 4 * SECOND
    assert not (made / "calibration.toml.unfinished").exists()


def test_what_heads_see_of_drops_teaches_them_both_colours(tmp_path: Path) -> None:
    asked = ("--drops", "4", "--quiet", "0", "--flicks", "0", "--pockets", "NE,SW")
    said = calibrated_by(tmp_path, *asked, speed=FAST_FOR_FRAMES)
    shown = said.partition("Colours, as the heads see them")[2]
    assert [line.split()[0] for line in shown.split("\n") if "%" in line] == [
        "red",
        "green",
        "jack",
    ]
    calibration = usable(config(tmp_path))
    assert calibration is not None
    colours = calibration.colours()
    assert colours.heads.keys() == {Pocket.NE, Pocket.SW}
    moved = {kind for kind, each in colours.kinds.items() if each != ColourModel().kinds[kind]}
    assert moved == {Piece.RED, Piece.GREEN, Piece.JACK}
    read = (read_of_a_green_one(tmp_path / f"match-{each}", colours) for each in range(ATTEMPTS))
    assert Piece.GREEN in read, "a busy machine hears of frames too late, but not each time"


def read_of_a_green_one(folder: Path, colours: ColourModel) -> Piece:
    """Drop a green puck in a match in real time; return what the board takes it for."""
    folder.mkdir()
    with Match(folder, ShotModel(), colours) as match:
        match.begins()
        match.clock.after(3 * SECOND, lambda: match.drops(Piece.GREEN))
        match.seen.wait_for(lambda view: view.phase is Phase.REVIEW)
        proposal = match.rig.board.dialogue.proposal
        assert proposal is not None
        assert any(fall.seen for fall in proposal.falls)
        assert match.rig.board.dialogue.settings.further == (colours,)
        [first] = proposal.readings[0].departures
        return first.piece


def test_a_match_after_it_is_read_by_what_the_discs_felt(made: Path, tmp_path: Path) -> None:
    calibration = usable(config(made))
    assert calibration is not None
    shots = calibration.shots()
    with Match(tmp_path, shots) as match:
        match.begins()
        match.shoots(Seat.S)
        match.seen.wait_for(lambda _view: match.rig.board.dialogue.proposal is not None)
        proposal = match.rig.board.dialogue.proposal
        assert proposal is not None
        [fall] = proposal.falls
        assert match.rig.board.dialogue.settings.shots == shots
        assert fall.heard
        assert not any(each.strange for each in fall.heard)
        assert shots.made_by(Seat.S, fall) > max(1.0, shots.made_by(Seat.N, fall))
        learnt, guessed = (each.shots[Seat.S].sides[Strongest.S] for each in (shots, ShotModel()))
        assert learnt > guessed, "three flicks, each felt most at S, say nothing of how loud"
        match.seen.wait_for(lambda view: not [each for each in view.faults if each.part == PART])


def test_a_match_with_another_hub_than_was_calibrated_says_so(made: Path, tmp_path: Path) -> None:
    measured = discs_of(made / "calibration.toml")
    other = changed(measured, discs=HubDiscs("0b0b", tuple(Seat))).shots()
    with Match(tmp_path, other) as match:
        match.seen.wait_for(
            lambda view: [e.trouble for e in view.faults if e.part == PART] == [Trouble.MISFIT]
        )


# --- from the board's menu --------------------------------------------------------------


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MenuTable]:
    clock = SimClock(FAST)
    hub = SimulatedHub(clock, tmp_path / "hub")
    yield MenuTable(clock, hub, config(tmp_path, hub.link), monkeypatch)
    hub.close()


class MenuTable:
    """A board with a sensor hub, its buttons and the people around it."""

    def __init__(
        self, clock: SimClock, hub: SimulatedHub, board: Config, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.clock, self.hub, self.config = clock, hub, board
        factory = SimFactory(clock.now_ns)
        self.table = SimTable(clock, factory, board.wires, RuleSystem.HIKONE, seed=2)
        monkeypatch.setattr(from_menu, "open_gpio", lambda *_: sim_gpio(factory))
        self._acts: list[tuple[float, Callable[[], object]]] = []
        self.at_s = 3.0

    def calibrated(self) -> Walk | None:
        """Calibrate, while people do what was planned; they begin when the hub has been asked."""
        threading.Thread(target=self._begin).start()
        return from_menu.calibrate_from_menu(
            self.config, DialogueState(DialogueSettings(), Plan()), self.clock, Watchdog({})
        )

    def _begin(self) -> None:
        if not self.hub.asked.wait(PATIENCE_S):
            self.clock.close()
        for at_s, act in self._acts:
            self.clock.after(round(at_s * SECOND), act)

    def then(self, act: Callable[[], object], wait_s: float = 4.0) -> None:
        self._acts.append((self.at_s, act))
        self.at_s += wait_s

    def press(self, button: Button = OK, wait_s: float = 3.0) -> None:
        self.then(lambda: self.table.press(button), wait_s)

    def hold(self, button: Button) -> None:
        self.then(lambda: self.table.down(button), 2.0)
        self.then(lambda: self.table.up(button), 3.0)

    def flick(self, seat: Seat) -> None:
        self.then(lambda: self.hub.shake(
            [each.later(self.clock.now_ns()) for each in blows(FROM[seat])]
        ))  # fmt: skip

    def thump(self) -> None:
        self.then(lambda: self.hub.shake(
            [blow_of(HIKONE, Disturbance(self.clock.now_ns(), 4_000.0))]
        ))  # fmt: skip


def test_people_calibrate_discs_from_the_menu_with_buttons_and_flicks_alone(
    table: MenuTable,
) -> None:
    keeping = keeping_for(table.config)
    save_unfinished(
        Calibration(
            keeping.board, keeping.now(), (Measured(PieceSet.CAROM),), Unfinished(2, flicks=1)
        ),
        keeping.path,
    )
    table.press(wait_s=20.0)
    table.thump()
    table.at_s = 66.0
    table.press()
    table.flick(Seat.N)
    table.thump()
    table.flick(Seat.S)
    table.flick(Seat.E)
    table.hold(FIX)
    table.flick(Seat.W)
    table.hold(OK)
    ended = table.calibrated()
    assert ended is not None
    assert (ended.stage, ended.left_out) == (WalkStage.DROPS, frozenset({Seat.S}))
    measured = discs_of(table.config.calibration.path)
    assert list(measured.flicks) == [Seat.N, Seat.E, Seat.W]
    assert (len(measured.quiet), measured.quiet_ns) == (1, 60 * SECOND)
    assert usable(table.config) is not None, "what discs felt is used though nothing was dropped"
    unfinished = keeping.path.with_name("calibration.toml.unfinished")
    assert parse(unfinished.read_text()).unfinished == Unfinished(
        2, frozenset(), 1, frozenset({Seat.S})
    )


# --- without a hub ----------------------------------------------------------------------


class Counting(Onlooker):
    """A display that counts what it is shown and told."""

    sounds = 0

    def post_sound(self, sound: object) -> None:
        self.sounds += 1


def test_without_a_sensor_hub_a_calibration_is_what_it_was_before_there_were_any(
    tmp_path: Path,
) -> None:
    board = config(tmp_path, None)
    seen = Counting()
    bench = simulated_bench(board, PieceSet.CAROM, depth_mm=15.0, speed=None, seed=5)
    keeping = keeping_for(board)
    made = datetime(2026, 5, 2, 14, 5, tzinfo=UTC)
    keeping = CalibrationTarget(keeping.path, keeping.board, lambda: made)
    live = live_sitting(board, changed(bench, displays=(seen,)), keeping)
    walk = live.run(Walk.begin(changed(plan_for(board, PieceSet.CAROM), drops=2), 0))
    assert walk.stage is WalkStage.DONE
    assert (len(seen.views), seen.sounds) == (238, 28)
    written = hashlib.sha256(keeping.path.read_bytes()).hexdigest()
    assert written == "32c55ac33753a7544ecaeacdcdc027f02cf60f0e93b9bfe32d60f0eacba76fec"
