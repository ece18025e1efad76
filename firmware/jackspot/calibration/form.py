"""The form of a calibration's file; pydantic is imported only if there is such a file."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from jackspot.calibration.measuring.flicks import MOST_SHAKES
from jackspot.calibration.measuring.measured import (
    LONGEST_SPAN_NS,
    MOST_KEPT,
    MOST_SPANS,
    PieceKind,
    PieceSet,
)
from jackspot.core.pieces import Pocket, Seat
from jackspot.core.printable import in_a_sentence
from jackspot.sensing.events import HIGHEST


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


MOST_FOUND = 60
"""How many characters are shown of what was found in place of what is expected."""

_Count = Annotated[int, Field(ge=0, le=10**9)]
_LONGEST_US = LONGEST_SPAN_NS // 1_000
_Span = Annotated[int, Field(gt=0, le=_LONGEST_US)]
_Felt = Annotated[list[Annotated[int, Field(ge=0, le=65_535)]], Field(min_length=9, max_length=9)]
_Level = Annotated[int, Field(ge=0, le=HIGHEST)]
_After = Annotated[int, Field(ge=0, le=_LONGEST_US)]
_Frame = Annotated[tuple[_After, _Level, _Level, _Level, _Level], Field(strict=False)]
_Sides = Annotated[str, Field(pattern="^N?E?S?W?$", min_length=1)]


class _PinsForm(_Strict):
    profile: str
    beams: dict[str, int]


class DropsForm(_Strict):
    """The drops of one kind into one pocket."""

    pieces: PieceSet = Field(strict=False)
    pocket: Pocket = Field(strict=False)
    kind: PieceKind = Field(strict=False)
    us: list[Annotated[list[_Span], Field(min_length=1, max_length=MOST_SPANS)]]
    seen: list[Annotated[list[_Frame], Field(max_length=MOST_KEPT)]] = []


class _QuietForm(_Strict):
    pieces: PieceSet = Field(strict=False)
    pocket: Pocket = Field(strict=False)
    lasted_ms: _Count
    spikes: _Count
    pulses: _Count
    storms: _Count
    blocked_ms: _Count


class _FlicksForm(_Strict):
    side: Seat = Field(strict=False)
    felt: Annotated[list[_Felt], Field(max_length=1_000)]


class DiscsForm(_Strict):
    """What discs felt."""

    hub: Annotated[str, Field(pattern="^[0-9a-f]{1,32}$")]
    sides: _Sides
    made: datetime
    quiet_ms: _Count
    quiet: Annotated[list[_Felt], Field(max_length=MOST_SHAKES)]
    flicks: list[_FlicksForm] = []


class _UnfinishedForm(_Strict):
    drops: Annotated[int, Field(ge=1, le=1_000)]
    skipped: list[Annotated[Pocket, Field(strict=False)]]
    flicks: Annotated[int, Field(ge=0, le=1_000)] | None = None
    left_out: list[Annotated[Seat, Field(strict=False)]] = []


class CalibrationForm(_Strict):
    """The whole file."""

    schema_name: Literal["jackspot calibration"] = Field(alias="schema")
    version: Literal[1, 2, 3]
    board: str
    made: datetime
    pins: _PinsForm
    drops: list[DropsForm] = []
    quiet: list[_QuietForm] = []
    unfinished: _UnfinishedForm | None = None
    discs: DiscsForm | None = None


def read_form(said: Mapping[str, object]) -> CalibrationForm:
    """Check the content of a file; ValueError says where it is wrong and what is expected."""
    try:
        return CalibrationForm.model_validate(said)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(each) for each in first["loc"])
        found = repr(first["input"])[:MOST_FOUND]
        raise ValueError(f"{place}: {in_a_sentence(first['msg'])}, found {found}") from None
