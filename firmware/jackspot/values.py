"""Frozen values: a changed copy of one, and a key that compares parts by identity.

Values are msgspec's structs: what dataclasses are, made in C. A board makes thousands of them for
every stroke, and three hundred kinds of them at its start, which a small Pi feels.
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
    from dataclasses import replace as changed  # a type checker holds each part to its field
elif tuple(map(int, msgspec.__version__.split(".")[:2])) >= (0, 21):
    from msgspec.structs import replace as changed
else:  # Debian 13's does not check a copy

    def changed(value: Any, **parts: Any) -> Any:
        """Return a checked copy with some fields changed. TypeError: no such field."""
        copy = msgspec.structs.replace(value, **parts)
        if hasattr(copy, "__post_init__"):
            copy.__post_init__()
        return copy


class IdentityKey:
    """Some parts of a value, as a key to remember something by: the same if identical.

    It keeps its parts alive, so an identity is never another's. Parts that are equal but not
    identical make another key; whatever is remembered is then only worked out once more.
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
    """Remember, by name, what a function made of its newest few parts; identical ones alone."""
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
