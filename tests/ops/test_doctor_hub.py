"""The doctor reports what a sensor hub says about itself, with the remedy."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import RuleSystem
from jackspot.inputs.queue import SourceClosed
from jackspot.ops.doctor import Finding, RealMachine, Severity, running_board
from jackspot.ops.doctor.holders import Holder, Holders
from jackspot.ops.doctor.running_board import check_running
from jackspot.ops.doctor.sensor_hub import check_sensor_hub
from jackspot_sim.chance.pulses import MS
from jackspot_sim.clock import SimClock
from jackspot_sim.devices.sensor_hub import CHIP, SimulatedHub
from jackspot_sim.physics.boards import board_of
from jackspot_sim.physics.discs import blow_at
from tests.conftest import ATTEMPTS, PATIENCE_S
from tests.ops.written_machine import Written, config, told

pytestmark = pytest.mark.live

PORT = "/dev/serial/by-id/usb-Pico"
BROKEN_HEAD = "head_sw_is_blinded"


class Bench:
    """A simulated hub, and a doctor that listens to it; ``lines`` has what it prints meanwhile."""

    def __init__(self, clock: SimClock, hub: SimulatedHub) -> None:
        self.clock = clock
        self.hub = hub
        self.lines: list[str] = []

    def examined(self, count: int, try_it: Callable[[], None] | None = None) -> list[Finding]:
        """Let the doctor listen for ``count`` findings: on a busy machine a hub may be late."""
        found: list[Finding] = []
        for _ in range(ATTEMPTS):
            self.lines.clear()
            found = self._heard(try_it)
            if len(found) == count:
                break
        return found

    def _heard(self, try_it: Callable[[], None] | None) -> list[Finding]:
        def tell(words: str) -> None:
            self.lines.append(words)
            if try_it is not None and len(self.lines) == 1:
                try_it()

        settings = config(sensor_hub={"port": str(self.hub.link)})
        seconds = 0.1 if try_it else 0
        found = list(check_sensor_hub(RealMachine(), settings, seconds, tell))
        assert found[0].found.startswith(f"{self.hub.link} may be another adapter")
        return found[1:]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    clock = SimClock(1.0)

    def run() -> None:
        with contextlib.suppress(SourceClosed):
            while True:
                clock.next(None)

    hub = SimulatedHub(clock, tmp_path / "hub")
    thread = threading.Thread(target=run)
    thread.start()
    yield Bench(clock, hub)
    clock.close()
    thread.join(PATIENCE_S)
    hub.close()


def test_who_the_hub_is_is_told(bench: Bench) -> None:
    [finding] = bench.examined(1)
    assert finding.mark is Severity.WELL
    assert finding.found == f"{CHIP}, program 1; heads NE SE SW NW; discs N E S W"


@pytest.mark.parametrize("pocket", list(Pocket))
def test_a_head_that_does_not_answer_is_named_with_what_to_do(bench: Bench, pocket: Pocket) -> None:
    words = BROKEN_HEAD.replace("sw", pocket.lower())
    bench.hub._hub.wrong([words, "disc_e_floats"])
    bench.hub._tell()
    for _again in range(2):  # the hub said it before anybody listened
        _hub, head, disc = bench.examined(3)
        assert head.mark is disc.mark is Severity.BROKEN
        assert head.found == f"it says: {words.replace('_', ' ')}"
        assert head.remedy.startswith(f"colour head {pocket}: see its plug")
        assert disc.remedy.startswith("disc E: see its plug")


@pytest.mark.parametrize("pocket", list(Pocket))
def test_a_head_that_is_tried_is_told_by_its_own_name(bench: Bench, pocket: Pocket) -> None:
    edges = ((0, True), (300 * MS, False))
    _hub, noticed, silent = bench.examined(3, lambda: bench.hub.see(pocket, [Piece.RED], edges))
    assert noticed.found == f"noticed something: head {pocket}"
    others = [f"head {each}" for each in Pocket if each is not pocket]
    discs = [f"disc {each}" for each in Seat]
    assert silent.mark is Severity.DOUBTFUL
    assert silent.found.endswith(f": {', '.join(others + discs)}")
    assert bench.lines[0].startswith("Hold a piece before each head, knock at")
    assert bench.lines[1:] == [f"   head {pocket}"]


def test_a_knock_is_told_of_the_discs_that_felt_it(bench: Bench) -> None:
    def knock() -> None:
        now_ns = bench.clock.now_ns()
        bench.hub.shake([blow_at(board_of(RuleSystem.HIKONE), now_ns, 0.0, -290.0, 30.0)])

    _hub, noticed, silent = bench.examined(3, knock)
    assert noticed.found == "noticed something: disc N, disc E, disc S, disc W"
    assert silent.found.endswith(": head NE, head SE, head SW, head NW")


def test_heads_that_a_hub_has_not_are_told(bench: Bench) -> None:
    bench.hub._hub._heads = ["se", "nw"]
    hub, missing = bench.examined(2)
    assert "heads SE NW;" in hub.found
    assert (missing.mark, missing.found) == (Severity.WELL, "it has no head NE, head SW")
    assert "HEADS" in missing.remedy


def test_a_hub_that_says_nothing_is_broken(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    link = tmp_path / "hub"
    link.symlink_to(os.ttyname(theirs))
    [_port, silent] = check_sensor_hub(RealMachine(), config(sensor_hub={"port": str(link)}))
    os.close(ours)
    os.close(theirs)
    assert (silent.mark, silent.found) == (Severity.BROKEN, "it does not say who it is")
    assert "main.py" in silent.remedy


def test_a_line_that_cannot_be_had_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "hub").write_text("")
    port = str(tmp_path / "hub")
    _port, refused = check_sensor_hub(RealMachine(), config(sensor_hub={"port": port}))
    assert refused.mark is Severity.BROKEN
    assert refused.found.startswith(f"cannot open {port}")


def test_a_hub_that_a_board_hears_is_left_to_it() -> None:
    machine = Written(files={PORT: b""}, holding={PORT: Holders((Holder(77, "jackspot"),))})
    _port, left = check_sensor_hub(machine, config(sensor_hub={"port": PORT}), 5)
    assert left.mark is Severity.WELL
    assert left.found.startswith("not asked: jackspot (process 77) has its port open")
    assert "sudo systemctl stop jackspot" in left.remedy


def test_a_hub_that_is_not_plugged_in_is_told_with_its_setting() -> None:
    [gone] = check_sensor_hub(Written(), config(sensor_hub={"port": PORT}))
    assert (gone.mark, gone.what) == (Severity.BROKEN, "sensor hub")
    assert "[sensor_hub] port" in gone.remedy


def test_a_board_without_a_sensor_hub_is_told_nothing_of_one() -> None:
    assert list(check_sensor_hub(Written(), config(), 5)) == []


def test_another_program_at_the_port_is_left_alone() -> None:
    machine = Written(files={PORT: b""}, holding={PORT: Holders((Holder(9, "minicom"),))})
    [found] = check_sensor_hub(machine, config(sensor_hub={"port": PORT}), 5)
    assert found.mark is Severity.DOUBTFUL
    assert "minicom" in found.found


@pytest.mark.parametrize(
    ("detail", "remedy"),
    [
        ("sensor hub: head nw is blinded (3 times)", "colour head NW"),
        ("sensor hub: it is busy for 95 % of its time", "load firmware/sensor_hub"),
    ],
)
def test_a_defect_that_a_board_shows_is_not_sent_back_to_the_doctor(
    monkeypatch: pytest.MonkeyPatch, detail: str, remedy: str
) -> None:
    fault = {
        "part": "sensor_hub", "trouble": "defect", "what": "sensor hub defect",
        "remedy": "run jackspot doctor", "detail": detail,
    }  # fmt: skip
    monkeypatch.setattr(running_board, "_state", lambda _config: {"faults": [fault]})
    [finding] = told(check_running(config()))
    assert remedy in finding.remedy
    assert "jackspot doctor" not in finding.remedy
