"""``jackspot sim --record``: the simulated table as a GIF, made without a browser."""

from __future__ import annotations

import io
import itertools
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from jackspot.commands import main
from jackspot.core.pieces import Piece, Seat
from jackspot.core.settings import RuleSystem
from jackspot.dialogue.state.view import Phase
from jackspot_sim.chance.frequencies import Referee, Strength
from jackspot_sim.film.colours import CARROM_WOOD, HIKONE_WOOD, TURNED, Wood, colour
from jackspot_sim.film.cutting import cut
from jackspot_sim.film.filming import film
from jackspot_sim.film.gif import COLOURS, gif
from jackspot_sim.film.moving import AIMS_NS, Pieces
from jackspot_sim.film.moving_picture import CannotRecord, record
from jackspot_sim.film.painting import Painter, Size
from jackspot_sim.film.values import Film, Track
from jackspot_sim.physics.boards import board_of, disc_of
from jackspot_sim.sensing.quality import Quality
from jackspot_sim.soak.counting import Job
from tests.conftest import thinned

PAGE = Path(__file__).resolve().parents[3] / "sim" / "jackspot_sim" / "page"
SECOND = 1_000_000_000


def job(seed: int = 38, shots: int = 6, system: RuleSystem = RuleSystem.HIKONE) -> Job:
    return Job(
        0, seed, system, Strength.MASTER, Referee.WATCHING, Quality.DEFAULT, most_shots=shots
    )


@pytest.fixture(scope="module")
def short() -> Film:
    """Six strokes: a break, a puck in, a striker in and two pucks that go back for it."""
    return film(job())


def called(*words: str) -> Result:
    return CliRunner().invoke(main, ["sim", *words])


# --- the file ---------------------------------------------------------------------------------


def test_the_same_match_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.gif", "other.gif"):
        record(film(job(shots=2)), tmp_path / name, 5.0, Size.SMALL)
    one, other = ((tmp_path / name).read_bytes() for name in ("one.gif", "other.gif"))
    assert one == other
    record(film(job(seed=39, shots=2)), tmp_path / "third.gif", 5.0, Size.SMALL)
    assert one != (tmp_path / "third.gif").read_bytes()
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("size", "wide"),
    thinned([(Size.SMALL, 362), (Size.MEDIUM, 724)], {(Size.MEDIUM, 724)}),
)
def test_the_picture_moves_in_the_size_that_was_asked_for(
    short: Film, tmp_path: Path, size: Size, wide: int
) -> None:
    told: list[tuple[int, int]] = []
    path = tmp_path / "table.gif"
    written = record(short, path, 5.0, size, lambda *done: told.append(done))
    assert written == path.stat().st_size < 400_000
    with Image.open(path) as picture:
        assert picture.size == (wide, wide * 220 // 362)
        assert getattr(picture, "n_frames", 1) > 10
        assert picture.info["loop"] == 0
    assert told[-1] == (len(told), len(told))


def test_what_is_read_back_is_what_was_painted() -> None:
    """Frames hold only what changed; put together again they equal the given frames."""
    sheet = Image.new("P", (20, 10))
    sheet.putpalette([value for grey in range(COLOURS) for value in (grey, grey, 255 - grey)])
    frames = [sheet.copy() for _ in range(4)]
    frames[1].putpixel((3, 4), 200)
    frames[2].putpixel((3, 4), 200)
    frames[3].putpixel((17, 9), 120)
    data = b"".join(gif(frames, 60, 1_000))
    path = Image.open(io.BytesIO(data))
    read, lasts = [], []
    for number in itertools.count():
        try:
            path.seek(number)
        except EOFError:
            break
        read.append(path.convert("RGB").tobytes())
        lasts.append(path.info["duration"])
    assert read == [frames[number].convert("RGB").tobytes() for number in (0, 1, 3)]
    assert lasts == [60, 120, 1_060], "frames that are alike are one that stands longer"


# --- what is on it ------------------------------------------------------------------------------


def test_it_shows_a_break_a_piece_in_and_a_striker_that_costs_and_ends_on_a_still(
    short: Film,
) -> None:
    spans = cut(short, 21 * SECOND)
    shown = [
        each.number
        for each in short.strokes
        if any(s.start_ns <= each.at_ns < s.end_ns for s in spans)
    ]
    assert {1, 3, 4} <= set(shown)
    assert any(short.scenes.at(span.end_ns - 1).back for span in spans), "pucks go back"
    last = short.views.at(spans[-1].end_ns - 1)
    assert last.phase in (Phase.READY, Phase.BOARD_OVER, Phase.MATCH_OVER)
    assert all(one.end_ns <= other.start_ns for one, other in itertools.pairwise(spans))
    pressed = [edge for edge in short.edges if edge.wire == "referee_ok" and edge.active]
    seen = [edge for edge in pressed if any(s.start_ns < edge.at_ns < s.end_ns for s in spans)]
    assert len(seen) >= 4


def test_less_time_shows_less_and_never_more_than_that(short: Film) -> None:
    lengths = [sum(span.length_ns for span in cut(short, s * SECOND)) for s in (2, 8, 14)]
    assert lengths == sorted(lengths)
    assert all(0 < found <= s * SECOND for found, s in zip(lengths, (2, 8, 14), strict=True))


def test_the_pieces_are_drawn_where_the_physics_has_them(short: Film) -> None:
    pieces, run = Pieces(short), short.runs[0]
    aimed = pieces.aimed(run.begun_ns - AIMS_NS // 2)
    assert aimed == run.flick
    half = len(run.shot.frames) // 2
    spots = {spot.number: spot for frame in run.shot.frames[: half + 1] for spot in frame.spots}
    at_ns = run.begun_ns + round((half + 1.5) / 60 * 1e9)
    found = {(round(p.x_mm, 6), round(p.y_mm, 6)) for p in pieces.drawn(at_ns)}
    assert {(round(s.x_mm, 6), round(s.y_mm, 6)) for s in spots.values()} <= found
    assert len(found) == 26, "25 on the board, and the striker"


def test_every_piece_is_somewhere_at_every_instant(short: Film) -> None:
    for at_ns in short.scenes.times():
        scene = short.scenes.at(at_ns)
        away = sum(
            count
            for kinds in (*scene.in_pockets.values(), scene.on_floor)
            for piece, count in kinds.items()
            if piece is not Piece.STRIKER
        )
        assert len(scene.lying) + away == 25


def test_the_board_ends_with_the_counts_of_the_pieces(short: Film) -> None:
    assert short.found.position.counts == short.true.position.counts
    assert not short.partings
    assert not short.left


def test_the_oled_in_the_picture_is_the_firmwares_own(short: Film) -> None:
    painter = Painter(short, Size.SMALL)
    at_ns = short.strokes[2].at_ns - 1
    picture = painter.paint(at_ns)
    glass = picture.crop((224, 10, 224 + 128, 10 + 64)).convert("L").point(lambda v: 255 * (v > 90))
    bits = Image.frombytes("1", (128, 64), short.glass.at(at_ns))
    assert glass.tobytes() == bits.convert("L").tobytes()


@pytest.mark.parametrize("system", thinned([RuleSystem.JAPAN, RuleSystem.ICF], {RuleSystem.ICF}))
def test_other_rules_are_recorded_on_their_own_board(system: RuleSystem, tmp_path: Path) -> None:
    written = record(film(job(2, 2, system)), tmp_path / "other.gif", 5.0, Size.SMALL)
    assert written > 10_000


def test_a_track_gives_each_look_until_the_next() -> None:
    track = Track("first")
    track.add(10, "second")
    track.add(10, "third")
    track.add(30, "fourth")
    assert [track.at(ns) for ns in (-1, 0, 9, 10, 29, 30, 99)] == [
        "first", "first", "first", "third", "third", "fourth", "fourth",
    ]  # fmt: skip
    assert [track.next_after(ns) for ns in (0, 10, 30)] == [10, 30, None]
    assert track.since(29) == 10


# --- the same colours as the page -----------------------------------------------------------------


def test_the_pieces_have_the_colours_of_the_page() -> None:
    text = (PAGE / "pieces.js").read_text(encoding="utf-8")
    found = {
        Piece(kind): tuple(colour(each) for each in re.findall(r"#[0-9a-f]{6}", shades))
        for kind, shades in re.findall(r"^  (\w+): \[(.*)\],$", text, re.MULTILINE)
    }
    assert found == TURNED


@pytest.mark.parametrize(("name", "wood", "system"), [
    ("HIKONE", HIKONE_WOOD, RuleSystem.HIKONE), ("CARROM", CARROM_WOOD, RuleSystem.ICF),
])  # fmt: skip
def test_the_boards_have_the_wood_and_the_sizes_of_the_page(
    name: str, wood: Wood, system: RuleSystem
) -> None:
    text = (PAGE / "boards.js").read_text(encoding="utf-8")
    [text] = re.findall(rf"export const {name} = \{{(.*?)^\}};", text, re.DOTALL | re.MULTILINE)
    numbers = {key: float(value) for key, value in re.findall(r"(\w+): ([\d.]+),", text)}
    board = board_of(system)
    assert numbers["field_mm"] == board.field_mm
    assert numbers["pocket_mm"] == board.pocket_mm
    assert numbers["circle_mm"] == board.circle_mm
    assert numbers["frame_mm"] == wood.frame_mm
    assert numbers["planks"] == wood.planks
    shades = [colour(each) for each in re.findall(r"#[0-9a-f]{6}", text)]
    assert shades == [*wood.field, *(wood.frame[seat] for seat in _order(text))]
    if name == "HIKONE":
        assert numbers["area_line_mm"] == board.line_mm
        assert numbers["area_line_reach_mm"] == 2 * board.line_reach_mm
        assert numbers["jack_spot_mm"] == disc_of(board, Piece.JACK).diameter_mm
        assert numbers["tee_mm"] == disc_of(board, Piece.STRIKER).diameter_mm
    else:
        assert numbers["base_circle_mm"] == board.line_width_mm
        assert numbers["base_reach_mm"] == pytest.approx(
            2 * board.end_circle_mm + board.line_width_mm
        )


def _order(text: str) -> list[Seat]:
    [sides] = re.findall(r"lacquer: \{(.*?)\}", text)
    return [Seat(side) for side in re.findall(r"([NESW]):", sides)]


# --- calls that are wrong -----------------------------------------------------------------------


def test_the_command_writes_a_gif_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "table.gif"
    result = called("--record", str(path), "--seconds", "5", "--size", "small", "--seed", "7")
    assert result.exit_code == 0, result.output
    assert f"{path}: 0." in result.stdout
    assert "match 7" in result.stdout
    with Image.open(path) as picture:
        assert picture.format == "GIF"
        assert picture.size == (362, 220)


def test_a_picture_that_cannot_be_written_is_told_and_loses_nothing(
    short: Film, tmp_path: Path
) -> None:
    with pytest.raises(CannotRecord, match=r"nowhere/table\.gif cannot be written.*name a file"):
        record(short, tmp_path / "nowhere" / "table.gif", 5.0, Size.SMALL)
    folder = tmp_path / "folder.gif"
    folder.mkdir()
    with pytest.raises(CannotRecord, match="cannot be written"):
        record(short, folder, 5.0, Size.SMALL)
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--record", "table.png"], "ends in .gif"),
        (["--record", "table.gif", "--seconds", "0"], "5.0<=x<=120.0"),
        (["--record", "table.gif", "--seconds", "many"], "not a valid float"),
        (["--record", "table.gif", "--size", "huge"], "'small', 'medium', 'large'"),
        (["--record", "table.gif", "--seed", "x"], "not a valid integer"),
        (["--record", "table.gif", "--rules", "chess"], "hikone"),
        (["--record", "table.gif", "--journal", "kept.sqlite3"], "leave out"),
    ],
)
def test_a_call_that_cannot_be_meant_is_told(words: list[str], said: str) -> None:
    result = called(*words)
    assert result.exit_code == 2
    assert said in result.output
