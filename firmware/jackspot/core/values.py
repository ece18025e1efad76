"""Frozen values: a changed copy of one, quickly, and a key that compares parts by identity.

The scorekeeper makes new states many times in every step, and a state has many fields. What is
here does what :mod:`dataclasses` does, in a fraction of the time, which a small board feels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from operator import attrgetter, is_
from typing import TYPE_CHECKING, Any

__all__ = ["IdentityKey", "changed", "same"]


if TYPE_CHECKING:
    from dataclasses import replace as changed  # a type checker holds each part to its field
else:

    def changed(value: Any, **parts: Any) -> Any:
        """Return a copy with some fields changed, as :func:`dataclasses.replace` does.

        Quick where the dataclass has slots and its fields are all there is to making one.
        TypeError if there is no such field.
        """
        of: Any = type(value)
        shape = _shape(of)
        if shape is None:
            return replace(value, **parts)
        held = list(shape.read(value))
        for name, part in parts.items():
            at = shape.places.get(name)
            if at is None:
                raise TypeError(f"{of.__name__} has no field {name!r}")
            held[at] = part
        copy = object.__new__(of)
        for write, part in zip(shape.writers, held, strict=True):
            write(copy, part)
        return copy


@dataclass(frozen=True, slots=True)
class _Shape:
    """How the fields of a class are read and written, all at once and in order."""

    places: dict[str, int]
    read: Callable[[Any], tuple[Any, ...]]
    writers: tuple[Callable[[Any, Any], None], ...]


@cache
def _shape(of: type[Any]) -> _Shape | None:
    """Say how a class is copied quickly; None: it must be made in its own way."""
    names = tuple(each.name for each in fields(of)) if is_dataclass(of) else ()
    own_way = "__post_init__" in dir(of) or not all(each.init for each in fields(of))
    slots = [getattr(of, name, None) for name in names]
    if len(names) < 2 or own_way or not all(hasattr(each, "__set__") for each in slots):
        return None
    writers = tuple(each.__set__ for each in slots if each is not None)
    return _Shape({name: at for at, name in enumerate(names)}, attrgetter(*names), writers)


class IdentityKey:
    """Some parts of a value, as a key to remember something by: the same if identical.

    It keeps its parts alive, so an identity is never another's. Parts that are equal but not
    identical make another key; whatever is remembered is then only worked out once more.
    """

    __slots__ = ("_hash", "parts")

    def __init__(self, parts: tuple[object, ...]) -> None:
        self.parts = parts
        self._hash = hash(tuple(map(id, parts)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdentityKey) and same(self.parts, other.parts)


def same(these: tuple[object, ...], those: tuple[object, ...]) -> bool:
    """Return whether two tuples hold the identical values."""
    return len(these) == len(those) and all(map(is_, these, those))
