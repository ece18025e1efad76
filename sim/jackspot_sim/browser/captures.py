"""Captures of a simulated table: a file for each board that is put on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import count, repeat
from pathlib import Path

from jackspot.capture.errors import CaptureError
from jackspot.capture.tap import Recipient, captured
from jackspot.commands.terminal.output import tell

NextCapture = Callable[[], Recipient | None]
"""Returns who receives the next board's pins; None: nobody."""


@contextmanager
def captures(path: Path | None) -> Iterator[NextCapture]:
    """Capture the first board to ``path``, and each further one to a file beside it.

    A capture begins and ends with its board: at a power cut, and when a new match brings another
    board. Raises CaptureError if the first file cannot be written; errors of further files go to
    standard error.
    """
    with ExitStack() as open_file:
        each = repeat(None) if path is None else _of_each_board(path, open_file)
        yield partial(next, each)


def _of_each_board(path: Path, open_file: ExitStack) -> Iterator[Recipient | None]:
    yield from open_file.enter_context(captured(path))
    for number in count(2):
        further = path.with_stem(f"{path.stem}-{number}")
        if further.exists():
            continue
        open_file.close()
        try:
            [recipient] = open_file.enter_context(captured(further))
        except CaptureError as error:
            tell(f"the capture ends with the board before: {error}")
            yield None
        else:
            tell(f"another board, or this one after a power cut: the capture goes on in {further}")
            yield recipient
