"""Helpers for frozen values: a changed copy, and a key that compares parts by identity.

Values are msgspec's structs: like dataclasses, but made in C. A board makes thousands of them for
every stroke, and three hundred kinds of them at its start, which is noticeable on a small Pi.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import is_
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple

import msgspec

__all__ = ["IdentityKey", "changed", "remember_newest", "same"]

Parts = TypeVarTuple("Parts")
Made = TypeVar("Made")
NEWEST = 3


if TYPE_CHECKING:
    from dataclasses import replace as changed  # a type checker checks each part against its field
elif tuple(map(int, msgspec.__version__.split(".")[:2])) >= (0, 21):
    from msgspec.structs import replace as changed
else:  # Debian 13's does not check a copy

    def changed(value: Any, **parts: Any) -> Any:
        """Return a checked copy with some fields changed. TypeError if there is no such field."""
        copy = msgspec.structs.replace(value, **parts)
        if hasattr(copy, "__post_init__"):
            copy.__post_init__()
        return copy


class IdentityKey:
    """Some parts of a value as a cache key: equal if the parts are identical.

    It keeps its parts alive, so an identity is never reused. Parts that are equal but not identical
    make another key; the cached result is then only computed once more.
    """

    __slots__ = ("parts",)

    def __init__(self, parts: tuple[object, ...]) -> None:
        self.parts = parts

    def __hash__(self) -> int:
        return hash(tuple(map(id, self.parts)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdentityKey) and same(self.parts, other.parts)


def same(these: tuple[object, ...], those: tuple[object, ...]) -> bool:
    """Return whether two tuples hold the identical values."""
    return len(these) == len(those) and all(map(is_, these, those))


def remember_newest(make: Callable[[str, *Parts], Made]) -> Callable[[str, *Parts], Made]:
    """Cache, by name, a function's results for its few newest parts, compared by identity."""
    kept: dict[str, tuple[tuple[tuple[object, ...], Made], ...]] = {}

    @wraps(make)
    def remembered(name: str, *parts: *Parts) -> Made:
        for known, made in kept.get(name, ()):
            if same(known, parts):
                return made
        made = make(name, *parts)
        kept[name] = ((parts, made), *kept.get(name, ()))[:NEWEST]
        return made

    return remembered
