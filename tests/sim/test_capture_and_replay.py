"""A capture of the simulated table plays back to the identical journal."""

from __future__ import annotations

import io
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from jackspot.capture.tap import Recipient
from jackspot.capture.vcd_file import read_capture
from jackspot.commands import main
from jackspot.config.model import Config
from jackspot.core.pieces import Pocket
from jackspot.core.record import read_record
from jackspot.replay import board_for, config_of
from jackspot.sensing.events import Button, Edge, Event, Key, Place
from jackspot.sensing.limits import MS, SECOND
from jackspot.storage.journal import read_checked
from jackspot.values import changed
from jackspot_sim.boards.rehearsal import Venue, board_config, rehearse
from jackspot_sim.boards.rig import Onlookers, Rig
from jackspot_sim.browser.captures import captures
from jackspot_sim.browser.control import Mishap
from jackspot_sim.clock import SimClock
from jackspot_sim.people.habits import Habits
from tests.conftest import PATIENCE_S, thinned
from tests.sim.standing import StandingTable

pytestmark = pytest.mark.live

OK = Button(Place.REFEREE, Key.OK)
RECORDS = Path(__file__).parents[1] / "records"


def dump(journal: Path) -> list[str]:
    return [entry.canonical() for entry in read_checked(journal, None)]


def captured(name: str, journal: Path, *, at_box: bool = True, entered: int | None = None) -> bytes:
    """Play a record on the simulated table, or its first entries; return what its pins did."""
    record = read_record((RECORDS / name).read_text(encoding="utf-8"))
    entries = [step.entry for step in record.match.steps][:entered]
    stream = io.StringIO()
    venue = Venue(board_config(record.settings, at_box=at_box), captured=Recipient(stream))
    rehearse(record.settings, entries, journal, Habits(at_box=at_box), venue=venue)
    return stream.getvalue().encode()


def taken(config: Config, journal: Path, script: Iterable[tuple[int, Event]]) -> bytes:
    """Let a board take events, each at the instant it comes; return what it captured."""
    clock, stream, end_ns = SimClock(None), io.StringIO(), 0
    config = changed(config, web=changed(config.web, enabled=False))
    rig = Rig(config, journal, clock, Onlookers(captured=Recipient(stream)))
    for at_ns, event in script:
        clock.at(at_ns, partial(clock.submit, event))
        end_ns = max(end_ns, at_ns + 10 * SECOND)
    clock.at(end_ns, clock.close)
    rig.run()
    return stream.getvalue().encode()


def replayed(data: bytes, journal: Path) -> list[str]:
    """Play a capture; return its journal."""
    capture = read_capture(io.BytesIO(data))
    with board_for(capture, config_of(capture), journal) as board:
        board.run()
    return dump(journal)


def pressed(at_ns: int, button: Button = OK) -> list[tuple[int, Event]]:
    edges = (Edge(at_ns, button, True), Edge(at_ns + 100 * MS, button, False))
    return [(edge.at_ns, edge) for edge in edges]


def fell(at_ns: int, pocket: Pocket, late_ns: int = 0) -> list[tuple[int, Event]]:
    """A piece falls for 11 ms; the edge when it begins comes late."""
    begins, ends = Edge(at_ns, pocket, True), Edge(at_ns + 11 * MS, pocket, False)
    return [(at_ns + late_ns, begins), (ends.at_ns, ends)]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The capture of a whole match; beside it is the board's journal, ``first.sqlite3``."""
    path = tmp_path_factory.mktemp("captured") / "match.vcd"
    path.write_bytes(captured("debts_and_jack.carom", path.with_name("first.sqlite3")))
    return path


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The capture of a match's first strokes."""
    path = tmp_path_factory.mktemp("captured") / "short.vcd"
    path.write_bytes(captured("debts_and_jack.carom", path.with_name("first.sqlite3"), entered=2))
    return path


PLAYED = [
    (name, at_box)
    for name in ("debts_and_jack.carom", "four_seats.carom")
    for at_box in (True, False)
]
KEPT = {("debts_and_jack.carom", True), ("four_seats.carom", False)}
"""Both matches and both kinds of buttons, each once."""


@pytest.mark.parametrize(("name", "at_box"), thinned(PLAYED, KEPT))
def test_a_replay_writes_the_journal_of_the_board_that_was_captured(name, at_box, tmp_path):
    first, again = tmp_path / "first.sqlite3", tmp_path / "again.sqlite3"
    capture = read_capture(io.BytesIO(captured(name, first, at_box=at_box)))
    assert capture.opening is not None
    assert capture.opening.from_start
    assert capture.warnings == ()
    with board_for(capture, config_of(capture), again) as board:
        board.run()
    assert dump(again) == dump(first)
    assert len(dump(first)) > 50


def test_what_the_simulated_table_captures_is_replayed(tmp_path):
    stream = io.StringIO()
    table = StandingTable(tmp_path, captures=lambda: Recipient(stream))
    table.let_pass(3.0)
    table.close()
    path = tmp_path / "table.vcd"
    path.write_text(stream.getvalue(), encoding="ascii")
    assert replay(path).exit_code == 0, replay(path).output


def test_a_table_is_captured_on_after_a_power_cut_and_over_a_new_match(tmp_path, capsys):
    path = tmp_path / "table.vcd"
    (tmp_path / "table-3.vcd").write_text("somebody's")
    with captures(path) as following:
        table = StandingTable(tmp_path, captures=following)
        table.run_on()
        cut_off = partial(table.session.mishap, Mishap.POWER_CUT)
        for next_board in (cut_off, table.session.new_match):
            table.let_pass(1.0)
            table.session.rig.table.down(OK)
            table.let_pass(0.2)
            table.session.rig.table.up(OK)
            table.let_pass(3.0)
            table.exchange_board(next_board)
        table.let_pass(3.0)
        table.close()
    files = [path, tmp_path / "table-2.vcd", tmp_path / "table-4.vcd"]
    told = capsys.readouterr().err.splitlines()
    assert [line.rpartition(" goes on in ")[2] for line in told] == list(map(str, files[1:]))
    for number, file in enumerate(files):
        again = tmp_path / f"again-{number}.sqlite3"
        result = replay(file, "--journal", again)
        assert result.exit_code == 0, result.output
    assert dump(again) == dump(tmp_path / "journal.sqlite3")


def test_a_capture_that_goes_on_with_a_journal_replays_from_it(file, tmp_path):
    """The board is started again on its journal, and its second run is captured."""
    first, again = tmp_path / "first.sqlite3", tmp_path / "again.sqlite3"
    shutil.copytree(file.parent, tmp_path, dirs_exist_ok=True)
    before = dump(first)
    data = captured("debts_and_jack.carom", first)
    capture = read_capture(io.BytesIO(data))
    assert capture.opening is not None
    assert list(capture.opening.journal) == before
    with board_for(capture, config_of(capture), again) as board:
        board.run()
    assert dump(again) == dump(first)


def replay(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["replay", *map(str, arguments)])


def test_the_command_tells_dumps_and_draws_what_the_board_did(file, tmp_path):
    journal, frames, gif = tmp_path / "j.sqlite3", tmp_path / "frames", tmp_path / "oled.gif"
    result = replay(file, "--journal", journal, "--frames", frames, "--gif", gif)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "match_over" in result.stdout.splitlines()[-1]
    pictures = sorted(frames.glob("*.png"))
    assert len(pictures) > 20
    with Image.open(pictures[0]) as picture, Image.open(gif) as animation:
        assert picture.size == (512, 256)
        assert animation.format == "GIF"
        animation.seek(1)  # there is a second picture
    dumped = replay(file, "--dump")
    assert dumped.stdout.splitlines() == dump(journal) == dump(file.with_name("first.sqlite3"))


def test_a_capture_without_an_opening_plays_on_the_reference_board(tmp_path):
    bare = tmp_path / "bare.vcd"
    bare.write_text(
        "$timescale 1 ms $end\n$scope module jackspot $end\n"
        "$var wire 1 ! referee_ok $end\n$var wire 1 ? left_flap $end\n$upscope $end\n"
        "$enddefinitions $end\n#0\n0!\n#1000\n1!\n#1080\n0!\n#9000\n"
    )
    result = replay(bare)
    assert result.exit_code == 0
    assert "carries no config; played on the reference board" in result.stderr
    assert "wire left_flap left out" in result.stderr
    assert "ready" in result.stdout


@pytest.mark.parametrize("of_the_last", thinned([200, 2_000], {200}))
def test_a_capture_that_a_power_cut_cut_off_at_any_byte_is_replayed_up_to_there(
    file, tmp_path, of_the_last
):
    data = file.read_bytes()
    whole = read_capture(io.BytesIO(data))
    for length in range(len(data) - of_the_last, len(data)):
        capture = read_capture(io.BytesIO(data[:length]))
        assert capture.opening == whole.opening
        assert capture.happened == whole.happened[: len(capture.happened)]
        assert len(capture.warnings) == int(not data[:length].endswith(b"\n"))
    cut = tmp_path / "cut.vcd"
    last = data.rindex(b"#")
    cut.write_bytes(data[: last + 5])
    result = replay(cut, "--dump")
    assert result.exit_code == 0
    said = data[last : last + 5].decode()
    assert result.stderr == f"{cut}: cut off in the middle of a line: '{said}' is left out\n"
    assert result.stdout


def test_what_cannot_be_replayed_is_told_in_a_line(short, tmp_path):
    rubbish = tmp_path / "rubbish.vcd"
    rubbish.write_bytes(b"\x00\xff")
    result = replay(rubbish)
    assert result.exit_code == 1
    assert "line 1: expected a line of a Value Change Dump, found '\\x00" in result.stderr
    there = tmp_path / "there"
    there.write_text("mine")
    taken = replay(short, "--journal", there)
    assert taken.exit_code == 1
    assert "is there already" in taken.stderr
    unwritable = replay(short, "--quiet", "--gif", tmp_path / "nowhere" / "oled.gif")
    assert unwritable.exit_code == 1
    assert "No such file or directory" in unwritable.stderr
    assert replay(tmp_path / "nowhere.vcd").exit_code == 2


@pytest.mark.parametrize(
    ("folder", "asked"), [(True, "--frames"), (False, "--gif")], ids=["frames", "gif"]
)
def test_pictures_that_cannot_be_written_are_named(folder, asked, short, tmp_path):
    target = tmp_path / "file"
    target.touch()
    target = target / "frames" if folder else Path("/dev/full")
    result = replay(short, "--quiet", asked, target)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"{target}: cannot be written: ")


@pytest.mark.parametrize(
    "call",
    ["replay --quiet --journal NEW CAPTURE", "sim --fast --journal NEW --play RECORD"],
    ids=["replay", "sim"],
)
def test_a_journal_that_the_disk_does_not_take_is_no_success(call, file, tmp_path):
    """The board plays on without its disk; what it should have kept is lost when it ends."""
    names = {
        "NEW": tmp_path / "new.sqlite3",
        "CAPTURE": file,
        "RECORD": RECORDS / "debts_and_jack.carom",
    }
    words = [str(names.get(word, word)) for word in call.split()]
    start = "from jackspot.commands import main; main()"
    blocks = 'ulimit -f 100; exec "$@"'  # no file may have more than 51,200 bytes
    ended = subprocess.run(
        ["sh", "-c", blocks, "sh", sys.executable, "-c", start, *words],
        capture_output=True, text=True, check=False, timeout=PATIENCE_S,
    )  # fmt: skip
    assert ended.returncode == 1, ended.stderr
    assert "entries could not be written" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_replay_that_is_told_to_end_leaves_nothing_behind(tmp_path):
    long = tmp_path / "long.vcd"
    long.write_text(
        "$timescale 1 s $end\n$scope module jackspot $end\n$var wire 1 ! referee_ok $end\n"
        "$upscope $end\n$enddefinitions $end\n#0\n0!\n#1000000\n1!\n"
    )
    start = "from jackspot.commands import main; main()"
    program = [sys.executable, "-c", start, "replay", str(long)]
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    place = {**os.environ, "TMPDIR": str(temporary), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(program, stdout=subprocess.PIPE, env=place) as running:
        assert running.stdout is not None
        running.stdout.readline()
        assert list(temporary.iterdir())
        running.send_signal(signal.SIGTERM)
        assert running.wait(PATIENCE_S) == -signal.SIGTERM
    assert list(temporary.iterdir()) == []
