"""`jackspot calibrate` on the simulated table and from captures, and the calls it refuses."""

from __future__ import annotations

import errno
import json
import os
import shlex
import socket
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jackspot.calibration.file import (
    Calibration,
    CalibrationError,
    parse,
    refuse_unwritable,
    save_unfinished,
)
from jackspot.calibration.live import keeping_for
from jackspot.calibration.measuring.flicks import FeltShake, MeasuredDiscs
from jackspot.calibration.measuring.measured import PieceKind, PieceSet
from jackspot.calibration.measuring.walk import CalibrationPlan, Walk
from jackspot.calibration.measuring.wired_walk import Sitting
from jackspot.calibration.sitting import LiveSitting, unfinished
from jackspot.capture.tap import socket_beside
from jackspot.capture.vcd_file import CaptureWriter, Opening
from jackspot.commands import main
from jackspot.config import find, load
from jackspot.config.model import Origin, check
from jackspot.core.pieces import Piece, Pocket, Seat
from jackspot.core.settings import RuleSystem
from jackspot.sensing.events import DiscPeak, Edge, HubDiscs
from jackspot_sim.boards import calibration as simulated_boards
from jackspot_sim.chance.pulses import CHANCE, MS, Manner, fall_edges, size_of

CONFIG = check({}, Origin("test", {}))


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["calibrate", *map(str, arguments)])


def simulated(out: Path, *more: str) -> Result:
    """Calibrate on the simulated table, a thousand times as fast as people."""
    quick = ("--simulate", "--speed", "1000", "--drops", "2", "--quiet", "1")
    return call(*quick, "--out", out, *more)


def discs_from(side: Seat) -> MeasuredDiscs:
    """Return what discs felt of one flick from a side."""
    felt = FeltShake(tuple(DiscPeak(height, 0) for height in (6_000, 2_000, 1_000, 2_000)), 2)
    discs = MeasuredDiscs(HubDiscs("51b0a7d51b0a7d00", tuple(Seat)), 60_000 * MS)
    return discs.with_flick(side, felt)


def read(path: Path) -> Calibration:
    return parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("rules", [RuleSystem.HIKONE, RuleSystem.ICF])
def test_a_board_is_calibrated_on_the_simulated_table(tmp_path: Path, rules: RuleSystem) -> None:
    out = tmp_path / "calibration.toml"
    result = simulated(out, "--rules", rules.value, "--depth", "15", "--pockets", "NE,SW")
    assert result.exit_code == 0, result.output
    pieces = PieceSet.CAROM if rules is RuleSystem.HIKONE else PieceSet.CARROM
    measured = read(out).of(pieces)
    assert measured is not None
    assert {place: len(drops) for place, drops in measured.drops.items()} == {
        (pocket, kind): 2 for pocket in (Pocket.NE, Pocket.SW) for kind in pieces.kinds
    }
    assert set(measured.quiet) == {Pocket.NE, Pocket.SW}
    assert f"{pieces.kinds[0]} and striker" in result.output
    assert [each.name for each in tmp_path.iterdir()] == ["calibration.toml"]


def test_results_are_printed_as_json(tmp_path: Path) -> None:
    out = tmp_path / "calibration.toml"
    result = simulated(out, "--pockets", "NE", "--json")
    assert result.exit_code == 0, result.output
    said = json.loads(result.stdout)
    pocket = said["pieces"]["carom"]["NE"]
    assert said["finished"] is True
    assert pocket["quiet"]["noise"] == "quiet"
    assert [kind["count"] for kind in pocket["kinds"].values()] == [2, 2, 2]
    assert {each["first"] for each in pocket["told_apart"]} == {"puck", "jack"}
    shown = call("--show", "--json", "--out", out)
    assert json.loads(shown.stdout) == said


def test_pockets_that_are_not_asked_for_stay(tmp_path: Path) -> None:
    out = tmp_path / "calibration.toml"
    simulated(out, "--pockets", "NE")
    before = read(out).of(PieceSet.CAROM)
    simulated(out, "--pockets", "SW", "--seed", "4")
    after = read(out).of(PieceSet.CAROM)
    assert before is not None
    assert after is not None
    assert after.at(Pocket.NE, PieceKind.JACK) == before.at(Pocket.NE, PieceKind.JACK)
    assert len(after.at(Pocket.SW, PieceKind.JACK)) == 2
    assert (tmp_path / "calibration.toml.1").exists()


# --- from captures -----------------------------------------------------------------------


def captured(path: Path, pieces: list[Piece], manner: Manner = Manner.CLEAN) -> Path:
    """Write a capture in which these pieces fall into every pocket, one every two seconds."""
    import random

    rng = random.Random(3)
    at_ns = 10**9
    with path.open("w", encoding="ascii") as stream:
        writer = CaptureWriter(stream, Opening("", began_ns=0), list(Pocket), ())
        for piece in pieces:
            for pocket in Pocket:
                sizes = [size_of(piece, RuleSystem.HIKONE)]
                for offset_ns, active in fall_edges(sizes, manner, rng, CHANCE):
                    writer.edge(Edge(at_ns + offset_ns, pocket, active))
                at_ns += 2_000 * MS
        writer.close(at_ns)
    return path


def test_captures_make_a_calibration(tmp_path: Path) -> None:
    out = tmp_path / "calibration.toml"
    pucks = captured(tmp_path / "pucks.vcd", [Piece.RED] * 5)
    jacks = captured(tmp_path / "jacks.vcd", [Piece.JACK] * 4)
    hands = captured(tmp_path / "hands.vcd", [Piece.RED] * 2, Manner.HAND)
    result = call(
        "--out", out, "--from-capture", f"puck={pucks}", "--from-capture", f"jack={jacks}",
        "--from-capture", f"striker={hands}", "--from-capture", f"quiet={hands}",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    measured = read(out).of(PieceSet.CAROM)
    assert measured is not None
    for pocket in Pocket:
        assert len(measured.at(pocket, PieceKind.PUCK)) == 5
        assert len(measured.at(pocket, PieceKind.JACK)) == 4
        assert measured.at(pocket, PieceKind.STRIKER) == ()
        assert measured.quiet[pocket].pulses > 0
    assert "left out: NE striker" in result.output


def test_of_a_capture_that_was_cut_off_the_rest_counts_and_that_is_told(tmp_path: Path) -> None:
    pucks = captured(tmp_path / "pucks.vcd", [Piece.RED])
    pucks.write_bytes(pucks.read_bytes()[:-4])
    result = call("--out", tmp_path / "calibration.toml", "--from-capture", f"puck={pucks}")
    assert result.exit_code == 0, result.output
    first, *_ = result.stderr.splitlines()
    assert first.startswith(f"{pucks}: cut off in the middle of a line: '#")


def test_a_capture_is_named_when_it_is_none(tmp_path: Path) -> None:
    bad = tmp_path / "bad.vcd"
    bad.write_text("nothing")
    for path in (bad, tmp_path / "gone.vcd"):
        out = tmp_path / "calibration.toml"
        result = call("--out", out, "--from-capture", f"puck={path}")
        assert (result.exit_code, out.exists()) == (1, False)
        assert result.stderr.startswith(f"{path}: ")


@pytest.mark.parametrize("said", ["pucks.vcd", "cube=pucks.vcd"])
def test_a_capture_without_its_kind_is_a_wrong_call(said: str) -> None:
    result = call("--from-capture", said)
    assert result.exit_code == 2
    assert "KIND=FILE.vcd" in result.stderr


def test_a_kind_of_the_other_pieces_is_refused(tmp_path: Path) -> None:
    pucks = captured(tmp_path / "pucks.vcd", [Piece.RED])
    result = call("--from-capture", f"man={pucks}", "--out", tmp_path / "calibration.toml")
    assert result.exit_code == 1
    assert "there is no man among carom pieces" in result.stderr


# --- refused -----------------------------------------------------------------------------


def test_a_running_board_is_not_disturbed(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite3"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as board:
        board.bind(str(socket_beside(journal)))
        board.listen()
        result = call("--journal", journal, "--out", tmp_path / "calibration.toml")
    assert result.exit_code == 1
    assert "sudo systemctl stop jackspot" in result.stderr


def test_what_is_simulated_never_takes_the_place_of_the_boards_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "own.toml"
    assert simulated(own).exit_code == 0
    before = own.read_text(encoding="utf-8")
    config = tmp_path / "jackspot.toml"
    config.write_text(f'[calibration]\npath = "{own}"\n')
    quick = ("--simulate", "--speed", "1000", "--drops", "1", "--quiet", "1")
    result = call("--config", config, *quick)
    assert result.exit_code == 0, result.output
    assert own.read_text(encoding="utf-8") == before
    assert read(tmp_path / "calibration-simulated.toml").measured
    assert f"written to calibration-simulated.toml; `jackspot run` uses {own}" in result.stderr


def test_a_calibration_that_cannot_be_read_is_told_of_before_its_pockets_are_lost(
    tmp_path: Path,
) -> None:
    out = tmp_path / "calibration.toml"
    assert simulated(out).exit_code == 0
    torn = out.read_text(encoding="utf-8")[:900]
    out.write_text(torn, encoding="utf-8")
    result = simulated(out, "--pockets", "NE")
    assert result.exit_code == 0, result.output
    assert f"nothing of it is taken over, and it is kept as {out}.1" in result.stderr
    assert (tmp_path / "calibration.toml.1").read_text(encoding="utf-8") == torn


@pytest.mark.parametrize("version", ["4", '"3"', "true", "2.0", "-1"])
def test_a_calibration_of_another_version_is_told_and_left_as_it_is(
    tmp_path: Path, version: str
) -> None:
    out = tmp_path / "calibration.toml"
    assert simulated(out, "--pockets", "NE").exit_code == 0
    newer = out.read_text(encoding="utf-8").replace("version = 1", f"version = {version}")
    out.write_text(newer, encoding="utf-8")
    pucks = captured(tmp_path / "pucks.vcd", [Piece.RED])
    for result in (
        simulated(out, "--pockets", "NE"), call("--show", "--out", out),
        call("--from-capture", f"puck={pucks}", "--out", out),
    ):  # fmt: skip
        assert result.exit_code == 1
        assert result.stderr.startswith(f"{out}: expected a version from 1 to 3, found ")
        assert result.stderr.endswith(
            "; use the program that wrote it, or move it away and calibrate again\n"
        )
    with pytest.raises(CalibrationError, match="expected a version from 1 to 3"):
        refuse_unwritable(out)  # as the board's menu asks before it begins
    assert sorted(each.name for each in tmp_path.iterdir()) == ["calibration.toml", "pucks.vcd"]
    assert out.read_text(encoding="utf-8") == newer


def test_one_drop_is_one_drop_and_the_call_that_goes_on_has_the_same_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "my board.toml"
    config.write_text('[board]\nname = "Board 7"\n')
    quick = ("--simulate", "--speed", "1000", "--drops", "1", "--quiet", "1")
    options = ("--config", config, "--out", tmp_path / "c.toml", "--pockets", "NE,SE", *quick)
    run = LiveSitting.run

    def run_for_one(live: LiveSitting, walk: Walk) -> Walk:
        watch = live.tell

        def tell(sitting: Sitting) -> None:
            watch(sitting)
            if sitting.walk.done:
                live.end()

        live.tell = tell
        return run(live, walk)

    monkeypatch.setattr(LiveSitting, "run", run_for_one)
    result = call(*options)
    assert result.exit_code == 1
    assert "\n1 drop of carom pieces\n" in result.stdout
    call_again = f"jackspot calibrate --config '{config}' --out {tmp_path / 'c.toml'} "
    assert f"go on with: {call_again}--pockets NE,SE --drops 1 --quiet 1.0" in result.stderr
    assert result.stderr.endswith(" --simulate --speed 1000.0\n")
    monkeypatch.undo()
    again = call(*shlex.split(result.stderr.rpartition("go on with: ")[2])[2:])
    assert again.exit_code == 0, again.output
    assert "going on with 1 drop (--anew starts over)" in again.stderr


def test_without_pins_the_simulated_table_is_named(tmp_path: Path) -> None:
    config = tmp_path / "jackspot.toml"
    config.write_text('[gpio]\nfactory = "mock"\n')
    result = call("--config", config, "--out", tmp_path / "calibration.toml")
    assert result.exit_code == 1
    assert "jackspot calibrate --simulate" in result.stderr


def test_a_place_that_cannot_be_written_is_told_before_anything_is_dropped(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = simulated(tmp_path / "file" / "calibration.toml")
    assert result.exit_code == 1
    assert "cannot be written" in result.stderr
    assert "--out" in result.stderr


def test_what_was_interrupted_on_another_board_is_not_gone_on_with(tmp_path: Path) -> None:
    out, config = tmp_path / "calibration.toml", tmp_path / "jackspot.toml"
    simulated(out, "--pockets", "NE")
    unfinished = tmp_path / "calibration.toml.unfinished"
    text = out.read_text().replace("[pins]", "[unfinished]\ndrops = 2\nskipped = []\n\n[pins]", 1)
    unfinished.write_text(text)
    config.write_text('[board]\nname = "Board 7"\n')
    result = simulated(out, "--config", str(config))
    assert result.exit_code == 1
    assert 'is of board "Jackspot", this is board "Board 7"' in result.stderr
    assert "jackspot calibrate --anew" in result.stderr
    assert simulated(out, "--config", str(config), "--anew", "--pockets", "NE").exit_code == 0


def test_what_was_interrupted_is_gone_on_with(tmp_path: Path) -> None:
    out = tmp_path / "calibration.toml"
    simulated(out, "--pockets", "NE")
    text = out.read_text().replace("[pins]", "[unfinished]\ndrops = 2\nskipped = []\n\n[pins]", 1)
    out.unlink()
    (tmp_path / "calibration.toml.unfinished").write_text(text)
    result = simulated(out, "--pockets", "NE,SE")
    assert result.exit_code == 0, result.output
    assert "going on with 6 drops" in result.stderr
    assert read(out).measured[0].count == 12


def test_discs_alone_are_not_finished_without_a_hub_and_the_flicks_so_far_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_pseudo_terminal(*_: object) -> None:
        raise OSError

    monkeypatch.setattr(simulated_boards, "SimulatedHub", no_pseudo_terminal)
    config, out = tmp_path / "jackspot.toml", tmp_path / "c.toml"
    config.write_text('[sensor_hub]\nport = "/dev/ttyACM7"\n')
    keeping = keeping_for(load(find(config, None)), out)
    plan = CalibrationPlan(PieceSet.CAROM, ())
    save_unfinished(unfinished(keeping, Walk.begin(plan, 0, discs=discs_from(Seat.N))), out)
    result = simulated(out, "--config", str(config), "--discs")
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    assert f"1 flick, kept in {out}.unfinished; go on with: " in result.stderr
    assert not out.exists()


def test_a_capture_counts_only_for_the_pockets_that_are_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "calibration.toml"
    pucks = captured(tmp_path / "pucks.vcd", [Piece.RED] * 2)
    result = call(
        "--out", out, "--from-capture", f"puck={pucks}", "--from-capture", f"quiet={pucks}",
        "--pockets", "NE,SW",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    measured = read(out).of(PieceSet.CAROM)
    assert measured is not None
    there = [Pocket.NE, Pocket.SW]
    assert ([place.pocket for place in measured.drops], list(measured.quiet)) == (there, there)


def test_what_is_no_file_is_refused_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    pucks = captured(tmp_path / "pucks.vcd", [Piece.RED])
    for result in (
        simulated(pipe), call("--from-capture", f"puck={pucks}", "--out", pipe),
    ):  # fmt: skip
        assert result.exit_code == 1
        assert result.stderr.endswith(": is no file; name another with --out\n")
        assert result.stderr.count("\n") == 1
    assert pipe.is_fifo()


def test_a_full_disk_is_no_matter_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, _data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(CalibrationError, match=r"left on device; free space on disk, or name"):
        refuse_unwritable(tmp_path / "calibration.toml")


def test_there_is_nothing_to_show_before(tmp_path: Path) -> None:
    result = call("--show", "--out", tmp_path / "calibration.toml")
    assert result.exit_code == 1
    assert "there is no calibration yet; make one: jackspot calibrate" in result.stderr


def test_an_unknown_pocket_is_a_wrong_call() -> None:
    result = call("--pockets", "NE,X")
    assert (result.exit_code, "there is no pocket X" in result.stderr) == (2, True)
