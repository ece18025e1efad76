"""A table of the config as a value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict


def _in_the_file(name: str) -> str:
    """Return a field's key: durations are seconds in the file, nanoseconds in the program."""
    return f"{name.removesuffix('_ns')}_s" if name.endswith("_ns") else name


class Section(BaseModel):
    """A table of the file: frozen, and a key that nobody reads is a mistake."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=_in_the_file,
        defer_build=True,  # most boards have few tables: what checks one is built for it alone
    )  # fmt: skip
    meant_by: ClassVar[type | None] = None
    """Which type's fields these are, where another one says what they mean."""


class Blame(NamedTuple):
    """What is wrong with one key of a table; ``words`` follow the key's name: ``= 3: expected``."""

    table: str
    key: str
    words: str


SectionT = TypeVar("SectionT", bound=Section)


def pick(sections: Iterable[Section], kind: type[SectionT]) -> SectionT:
    """Return the one table of this kind; LookupError if there is none."""
    for section in sections:
        if isinstance(section, kind):
            return section
    raise LookupError(f"there is no {kind.__name__} among these tables")
