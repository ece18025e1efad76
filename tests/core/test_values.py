"""A changed copy is what dataclasses would make; a key of parts knows them by identity."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, field, replace
from typing import Any

import pytest

from jackspot.core.values import IdentityKey, changed, same


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 2
    names: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Deep(Point):
    z: int = 3


@dataclass(frozen=True)
class WithoutSlots:
    x: int
    y: int = 2


@dataclass(frozen=True, slots=True)
class Checked:
    x: int
    y: int = 2

    def __post_init__(self) -> None:
        if self.y < 0:
            raise ValueError("y is below 0")


@pytest.mark.parametrize(
    "value",
    [Point(1), Deep(1, names=("a",)), WithoutSlots(1), Checked(1)],
    ids=lambda value: type(value).__name__,
)
def test_a_changed_copy_is_the_one_that_dataclasses_make(value: Point) -> None:
    copy = changed(value, y=7)
    assert copy == replace(value, y=7)
    assert type(copy) is type(value)
    assert value.y == 2


def test_what_is_not_compared_is_copied_and_changed_too() -> None:
    assert changed(Deep(1, names=("a",)), z=4).names == ("a",)
    assert changed(Deep(1), names=("b",)).names == ("b",)


def test_a_copy_is_frozen_as_well() -> None:
    made: Any = changed(Point(1), x=2)
    with pytest.raises(FrozenInstanceError):
        made.x = 3


def test_a_field_that_is_not_there_is_refused() -> None:
    with pytest.raises(TypeError, match="Point has no field 'w'"):
        changed(Point(1), w=3)  # type: ignore[call-arg]


def test_a_class_that_checks_itself_is_made_in_its_own_way() -> None:
    with pytest.raises(ValueError, match="below 0"):
        changed(Checked(1), y=-1)


def test_parts_are_the_same_only_if_they_are_identical() -> None:
    one, other = [1], [1]
    assert IdentityKey((one, None)) == IdentityKey((one, None))
    assert hash(IdentityKey((one, None))) == hash(IdentityKey((one, None)))
    assert IdentityKey((one,)) != IdentityKey((other,))
    assert IdentityKey((one,)) != (one,)
    assert not same((one,), (one, one))
