"""``jackspot replay``: play a pin capture to the whole firmware, as fast as the machine goes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from PIL import Image
from rich.console import Console
from rich.progress import Progress

from jackspot.capture.errors import CaptureError
from jackspot.capture.vcd_file import Capture, read_capture
from jackspot.commands.dump import write
from jackspot.commands.terminal.board_options import FILE
from jackspot.commands.terminal.help import examples
from jackspot.commands.terminal.output import fail, tell
from jackspot.dialogue.state.view import BoardView, Sound
from jackspot.displays.oled.layout import draw
from jackspot.displays.thread import STOP_TIMEOUT_S
from jackspot.replay import board_for, config_of
from jackspot.storage.errors import JournalError
from jackspot.storage.journal import read_checked

MANY_EDGES = 2_000
"""From this many edges on, a terminal shows a progress bar."""

SCALE = 4
"""The width of a frame's pixel in drawn pixels."""

FRAME_MS = 700
"""How long each frame of the animation stays."""


@click.command(
    "replay",
    epilog=examples(
        "jackspot replay evening.vcd",
        "jackspot replay evening.vcd --gif oled.gif --quiet",
    ),
)
@click.argument(
    "file", metavar="IN.vcd", type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--journal", type=FILE, help="Keep the journal here; the file must be new.")
@click.option("--dump", is_flag=True, help="Print the journal, as `jackspot dump` does.")
@click.option(
    "--frames",
    type=click.Path(file_okay=False, path_type=Path),
    help="Write each picture of the OLED into this folder, as PNG.",
)
@click.option("--gif", type=FILE, help="Write the OLED's pictures as an animation.")
@click.option("--quiet", is_flag=True, help="Print nothing of what the board shows.")
def command(
    file: Path,
    journal: Path | None,
    frames: Path | None,
    gif: Path | None,
    *,
    dump: bool,
    quiet: bool,
) -> None:
    """Play a pin capture to the whole firmware.

    On virtual time; prints what the board did. Exit status 1 where the file is no capture, or
    the journal or pictures cannot be written.
    """
    try:
        with file.open("rb") as stream:
            capture = read_capture(stream)
        for warning in capture.warnings:
            tell(f"{file}: {warning}")
        _tell_of_the_start(file, capture)
        with _journal(journal) as kept:
            watcher = _Watcher(capture, silent=quiet or dump, pictures=bool(frames or gif))
            _play(capture, kept, watcher)
            if dump:
                write(read_checked(kept, None))
    except (CaptureError, JournalError) as error:
        fail(f"{file}: {error}")
    except OSError as error:
        fail(f"{error.filename or file}: {error.strerror}")
    for target, save in ((frames, _save_frames), (gif, _save_film)):
        try:
            if target is not None:
                save(_large(watcher.pictures), target)
        except OSError as error:  # on a full disk, Python does not say which file
            fail(f"{error.filename or target}: cannot be written: {error.strerror}")


def _tell_of_the_start(file: Path, capture: Capture) -> None:
    if capture.opening is None:
        tell(f"{file}: carries no config; played on the reference board")
    elif not capture.opening.from_start:
        tell(f"{file}: begun while the board ran; the replay begins as after a restart")


@contextmanager
def _journal(path: Path | None) -> Iterator[Path]:
    """Yield where to keep the journal: for good, or for this replay only."""
    if path is not None and path.exists():
        raise CaptureError(f"{path} is there already; name a new file for the journal")
    if path is not None:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="jackspot-replay-") as folder:
        yield Path(folder) / "journal.sqlite3"


def _play(capture: Capture, journal: Path, watcher: _Watcher) -> None:
    """Play a capture, with a bar on the terminal when there is much in it."""
    errors = Console(stderr=True)
    bar = Progress(console=errors, transient=True)
    shown = errors.is_terminal and len(capture.edges) >= MANY_EDGES
    task = bar.add_task("Replaying", total=len(capture.edges))
    with board_for(
        capture, config_of(capture), journal, [watcher], lambda: bar.advance(task)
    ) as board:
        watcher.now_ns = lambda: board.dialogue.timing.now_ns
        if shown:
            with bar:
                board.run()
        else:
            board.run()


class _Watcher:
    """A display that records what the board shows: as lines, and as the OLED's pictures."""

    name = "replay"

    def __init__(self, capture: Capture, *, silent: bool, pictures: bool) -> None:
        self.pictures: list[Image.Image] = []
        self.now_ns: Callable[[], int] = lambda: 0
        self._began_ns = capture.opening.began_ns if capture.opening else 0
        self._silent = silent
        self._draws = pictures
        self._told = ""

    def start(self) -> None:
        """Do nothing: there is nothing to open."""

    def post(self, view: BoardView) -> None:
        """Note a view."""
        if self._draws:
            picture = draw(view, _english)
            if not self.pictures or picture.tobytes() != self.pictures[-1].tobytes():
                self.pictures.append(picture)
        told = _in_words(view)
        if not self._silent and told != self._told:
            self._told = told
            seconds = (self.now_ns() - self._began_ns) / 1e9
            click.echo(f"{seconds:10.3f} s  {told}")

    def post_sound(self, sound: Sound) -> None:
        """Ignore sounds."""

    def stop(self, timeout_s: float = STOP_TIMEOUT_S) -> bool:
        """Do nothing: there is nothing to close."""
        del timeout_s
        return True


def _english(text: str) -> str:
    return text


def _in_words(view: BoardView) -> str:
    """Return in one line what a view shows."""
    counts = ", ".join(
        f"{side.side} {side.pocketed}" + (f" owes {side.owed}" if side.owed else "")
        for side in view.sides
    )
    words = [str(view.headline), str(view.detail)]
    return f"{view.phase:<10}  {counts:<24}  " + " · ".join(word for word in words if word)


def _large(pictures: list[Image.Image]) -> list[Image.Image]:
    return [
        picture.convert("L").resize((picture.width * SCALE, picture.height * SCALE))
        for picture in pictures
    ]


def _save_frames(pictures: list[Image.Image], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, picture in enumerate(pictures, start=1):
        picture.save(folder / f"{number:05}.png")


def _save_film(pictures: list[Image.Image], gif: Path) -> None:
    for first in pictures[:1]:
        first.save(
            gif, format="GIF", save_all=True, append_images=pictures[1:], duration=FRAME_MS, loop=0
        )
