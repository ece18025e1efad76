"""A table of the config as a value, and how it is read from the file."""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import (
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from msgspec import Struct

from jackspot.settings.mistakes import SECRETS, nearest, written
from jackspot.settings.values import BadItems, Form, OneOf, as_bool


class Section(Struct, frozen=True):
    """A table of the file. The type of a field says its form; see :func:`read_section`."""

    meant_by: ClassVar[type | None] = None
    """The type whose fields these are, if another one documents them."""


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


def key_of(field: str) -> str:
    """Return a field's key: durations are seconds in the file, nanoseconds in the program."""
    return f"{field.removesuffix('_ns')}_s" if field.endswith("_ns") else field


def keys_of(kind: type[Section]) -> tuple[str, ...]:
    """Return the keys of a table."""
    return tuple(map(key_of, forms_of(kind)))


@cache
def forms_of(kind: type[Section]) -> Mapping[str, Form]:
    """Return the form of each field of a table."""
    types_of = get_type_hints(kind, include_extras=True)
    return MappingProxyType({name: form_of(types_of[name]) for name in kind.__struct_fields__})


def form_of(of: Any) -> Form:
    """Return the form that a type has in the file: its own, true or false, or one of a few."""
    origin, parts = get_origin(of), get_args(of)
    if origin in (types.UnionType, Union):  # None cannot appear in a file
        return form_of(next(each for each in parts if each is not type(None)))
    if origin is Annotated:
        return next(each for each in parts[1:] if isinstance(each, Form))
    if origin is Literal:
        return Form(OneOf(parts))
    if isinstance(of, type) and issubclass(of, StrEnum):
        return Form(OneOf(tuple(of)))
    if of is bool:
        return Form(as_bool)
    raise TypeError(f"{of} has no form in a file")


def read_section(
    kind: type[SectionT], keys: Mapping[str, object]
) -> tuple[SectionT, Mapping[str, tuple[str, ...]]]:
    """Read a table. Returns it without its bad keys, and all that is wrong with each of those.

    The mistakes are worded to follow the key's name.
    """
    if not keys:
        return kind(), MappingProxyType({})
    wrong: dict[str, tuple[str, ...]] = {}
    good: dict[str, object] = {}
    forms = forms_of(kind)
    for field, form in forms.items():
        if (key := key_of(field)) in keys:
            try:
                good[field] = form.read(keys[key])
            except BadItems as bad:
                wrong[key] = tuple(f"= {written(it)}: expected {what}" for it, what in bad.items)
            except ValueError as error:
                found = "" if key in SECRETS else f"= {written(keys[key])}"
                wrong[key] = (f"{found}: expected {error}",)
    known = keys_of(kind)
    for key in keys:
        if key not in known:
            wrong[key] = (f"is not a key of this table; {nearest(key, known)}",)
    return kind(**good), wrong


def write_section(section: Section) -> Iterator[tuple[str, object]]:
    """Yield each key with its value as written in a file; None: it is not set."""
    for field, form in forms_of(type(section)).items():
        value = getattr(section, field)
        yield key_of(field), None if value is None else form.write(value)
