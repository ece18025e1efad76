"""The learnt file: what this board's confirmed strokes say about what usually happens, as TOML.

The file holds counts for each line of the published table: how often seen, how often expected.
Neither names nor matches can be recovered from it. ``jackspot learn`` writes it from the board's
journal. A board uses it if ``[learnt] use`` says so, from its start on: a match is read by the same
counts from beginning to end, and a capture carries them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from jackspot import files
from jackspot.calibration.file import text_of
from jackspot.config.model import Config
from jackspot.core.printable import in_a_sentence
from jackspot.dialogue.proposals.learnt import Learnt, Row
from jackspot.files import atomic_write
from jackspot.readings.usual import Aim
from jackspot.sensing.events import FaultRaised, Trouble

SCHEMA = "jackspot learnt"
VERSION = 1
PART = "learnt"
"""The part to which the fault of a file that cannot be used belongs."""
AGAIN = "learn again: jackspot learn"
LARGEST_BYTES = 200_000
"""No file is this large: a hundred lines of the table, a hundred bytes each."""


class LearntError(ValueError):
    """A learnt file that cannot be used or written. The message says what to do."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


_Count = Annotated[int, Field(ge=0, le=10**9)]
_Few = Annotated[int, Field(ge=0, le=24)]


class _RowForm(_Strict):
    aim: Aim = Field(strict=False)
    own: _Few = 0
    opponents: _Few = 0
    strikers: _Few = 0
    centre: _Few = 0
    seen: _Count
    expected: Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)]


class _Form(_Strict):
    schema_name: Literal["jackspot learnt"] = Field(alias="schema")
    version: Literal[1]
    board: str
    made: datetime
    matches: _Count
    strokes: _Count
    row: list[_RowForm] = []


def as_text(learnt: Learnt, board: str, made: datetime) -> str:
    """Write what was learnt as TOML."""
    return "\n".join(_lines(learnt, board, made)) + "\n"


def _lines(learnt: Learnt, board: str, made: datetime) -> Iterator[str]:
    yield "# What `jackspot learn` counted: how often strokes pocketed what, and were expected to."
    yield f'schema = "{SCHEMA}"'
    yield f"version = {VERSION}"
    yield f"board = {files.toml_quoted(board)}"
    yield f"made = {made.isoformat()}"
    yield f"matches = {learnt.matches}"
    yield f"strokes = {learnt.strokes}"
    for (aim, pocketed), expected in learnt.expected.items():
        yield "\n[[row]]"
        yield f'aim = "{aim}"'
        names = ("own", "opponents", "strikers", "centre")
        yield from (f"{name} = {n}" for name, n in zip(names, pocketed, strict=True) if n)
        yield f"seen = {learnt.seen.get((aim, pocketed), 0)}"
        yield f"expected = {max(expected, 1e-9):.9f}"


def parse(text: str) -> Learnt:
    """Parse the text of a file; LearntError says what is wrong with it."""
    try:
        form = _Form.model_validate(files.toml(text))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(each) for each in first["loc"])
        raise LearntError(f"{place}: {in_a_sentence(first['msg'])}; {AGAIN}") from None
    except files.UnfitFile as error:
        raise LearntError(f"{error}; {AGAIN}") from None
    except ValueError as error:
        raise LearntError(f"is not TOML: {error}; {AGAIN}") from None
    seen: dict[Row, int] = {}
    expected: dict[Row, float] = {}
    for each in form.row:
        row = (each.aim, (each.own, each.opponents, each.strikers, each.centre))
        if row in expected:
            raise LearntError(f"row: {each.aim} {row[1]} is there twice; {AGAIN}")
        seen[row], expected[row] = each.seen, each.expected
    return Learnt(form.matches, form.strokes, seen, expected)


def read_text(path: Path) -> str | None:
    """Read a file's text; None if there is none. LearntError if it cannot be a learnt file."""
    return text_of(path, LARGEST_BYTES, LearntError, "counts", AGAIN)


def usable(config: Config) -> str:
    """Return the text of the file to use, empty for none; LearntError if it is unusable."""
    if not config.learnt.use:
        return ""
    text = read_text(config.learnt.path)
    if text is None:
        return ""
    try:
        parse(text)
    except LearntError as error:
        raise LearntError(f"{config.learnt.path}: {error}") from None
    return text


def save(text: str, path: Path) -> None:
    """Write a whole file in place of the previous one; LearntError if it fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, text)
    except OSError as error:
        raise LearntError(
            f"{path}: cannot be written: {error.strerror}; run this as the board's user "
            "(sudo -u jackspot jackspot learn), or name another file with --out"
        ) from None


def fault(error: LearntError, at_ns: int) -> FaultRaised:
    """Return the fault that the board shows for a file that it does not use."""
    return FaultRaised(at_ns, PART, Trouble.MISFIT, str(error))
