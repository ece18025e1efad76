"""A changed copy differs only in what was named; a key of parts knows them by identity."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import asdict

from jackspot.values import NEWEST, IdentityKey, changed, remember_newest, same


class Point(Struct, frozen=True):
    x: int
    y: int = 2
    names: tuple[str, ...] = ()


class Deep(Point, frozen=True):
    z: int = 3


class Checked(Struct, frozen=True):
    x: int
    y: int = 2

    def __post_init__(self) -> None:
        if self.y < 0:
            raise ValueError("y is below 0")


@pytest.mark.parametrize(
    "value",
    [Point(1), Deep(1, names=("a",)), Checked(1)],
    ids=lambda value: type(value).__name__,
)
def test_a_changed_copy_differs_in_what_was_named_alone(value: Point) -> None:
    copy = changed(value, y=7)
    assert copy == type(value)(**{**asdict(value), "y": 7})
    assert type(copy) is type(value)
    assert value.y == 2


def test_a_copy_is_frozen_as_well() -> None:
    made: Any = changed(Point(1), x=2)
    with pytest.raises(AttributeError):
        made.x = 3


def test_a_field_that_is_not_there_is_refused() -> None:
    with pytest.raises(TypeError, match="'w'"):
        changed(Point(1), w=3)  # type: ignore[call-arg]


def test_a_class_that_checks_itself_checks_a_changed_copy_too() -> None:
    with pytest.raises(ValueError, match="below 0"):
        changed(Checked(1), y=-1)


def test_parts_are_the_same_only_if_they_are_identical() -> None:
    one, other = [1], [1]
    assert IdentityKey((one, None)) == IdentityKey((one, None))
    assert hash(IdentityKey((one, None))) == hash(IdentityKey((one, None)))
    assert IdentityKey((one,)) != IdentityKey((other,))
    assert IdentityKey((one,)) != (one,)
    assert not same((one,), (one, one))


def test_what_was_made_of_a_names_newest_identical_parts_is_remembered() -> None:
    made: list[str] = []

    @remember_newest
    def twice(name: str, one: Point, two: Point) -> str:
        made.append(name)
        return f"{name} {one.x + two.x}"

    points = [Point(number) for number in range(NEWEST + 1)]
    assert [twice("a", points[0], each) for each in points[:NEWEST]] == ["a 0", "a 1", "a 2"]
    assert twice("b", *points[:2]) == "b 1"
    assert made == ["a"] * NEWEST + ["b"], "each name has its own"
    assert twice("a", *points[:2]) == "a 1"
    assert len(made) == NEWEST + 1
    assert twice("a", points[0], Point(1)) == "a 1"
    assert len(made) == NEWEST + 2, "an equal one is not that one"
    assert twice("a", points[0], points[0]) == "a 0"
    assert len(made) == NEWEST + 3, "the oldest is forgotten"
