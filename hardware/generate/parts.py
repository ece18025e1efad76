"""The parts table ``hardware/parts.toml``, read and checked.

A mistake in the table names its part and what was expected; nothing is guessed.
"""

from __future__ import annotations

import tomllib
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field

from hardware.generate.step import FOLDER

TABLE = FOLDER / "parts.toml"


class Price(Struct, frozen=True):
    """A price class, in euros for one piece or metre; ``middle`` is what sums are made with."""

    words: str
    middle: float

    def __str__(self) -> str:
        """Say it in words."""
        return self.words


PRICES = {
    "a": Price("under 1 €", 0.3),
    "b": Price("1 to 5 €", 2.5),
    "c": Price("5 to 15 €", 9),
    "d": Price("15 to 40 €", 25),
    "e": Price("40 to 100 €", 60),
}


class Group(StrEnum):
    """The headings of the bill of materials, in its order."""

    COMPUTER = "computer"
    BEAMS = "beams"
    HUB = "hub"
    CONNECTORS = "connectors"
    CABLES = "cables"
    BUTTONS = "buttons and lamps"
    DISPLAYS = "displays"
    SENSORS = "knocks and colours"
    FIXING = "screws, plastic and glue"


Word = Annotated[str, Field(min_length=1, max_length=120)]


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Source(_Row):
    """Who sells a part. ``code`` is the seller's own; ``seen`` in a public list, else recalled."""

    at: Word
    code: str = ""
    seen: bool = False


class Part(_Row):
    """One row of the table."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    group: Group
    name: Word
    maker: Word
    number: Word
    per: Annotated[dict[str, Annotated[float, Field(gt=0)]], Field(min_length=1)]
    builds: tuple[str, ...] | None = None
    """The builds that have it; all, where this is left out."""
    unit: Annotated[str, Field(pattern=r"^(piece|m|kg)$")] = "piece"
    price: Annotated[str, Field(pattern=r"^[a-e]$")]
    sources: Annotated[tuple[Source, ...], Field(min_length=2)]
    substitutes: Annotated[tuple[Word, ...], Field(min_length=1)]
    unchecked: str = ""


class _Table(_Row):
    part: tuple[Part, ...]


def read(path: Path = TABLE) -> dict[str, Part]:
    """Return the parts by their ids. ValueError where the table is wrong."""
    table = _Table.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    found: dict[str, Part] = {}
    for part in table.part:
        if part.id in found:
            raise ValueError(f"{path.name}: two parts have the id {part.id}; rename one")
        found[part.id] = part
    return found


@cache
def parts() -> dict[str, Part]:
    """Return the parts of ``hardware/parts.toml`` by their ids."""
    return read()
