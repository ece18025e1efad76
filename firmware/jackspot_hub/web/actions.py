"""What people at the desk ask for, as pages send it, and what needs them now. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from jackspot_hub.desk.revising import correct, preview
from jackspot_hub.desk.state import DeskEntry, DeskState
from jackspot_hub.desk.step import move
from jackspot_hub.event.entries import CannotBe
from jackspot_hub.event.fixtures import Outcome

Points = Annotated[int, Field(ge=0, le=10_000)]


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class CorrectAction(_Said):
    """How a match ended: who won, 0 or 1, null where it is tied; or that it is played again."""

    key: str
    winner: Literal[0, 1] | None = None
    points: Annotated[list[Points], Field(min_length=2, max_length=2)] = [0, 0]
    forfeit: bool = False
    again: bool = False

    def entries(self, desk: DeskState, by: str) -> tuple[DeskEntry, ...]:
        """Write it down."""
        if self.again:
            return correct(desk, self.key, None, by)
        one, two = self.points
        if self.winner is None and self.forfeit:
            raise CannotBe("somebody wins a forfeit: say who")
        points = (0, 0) if self.forfeit else (one, two)
        return correct(desk, self.key, Outcome(self.winner, points, forfeit=self.forfeit), by)


class MoveAction(_Said):
    """The match of one board goes on at another."""

    board: int
    to: int

    def entries(self, desk: DeskState, _by: str) -> tuple[DeskEntry, ...]:
        """Write it down."""
        return move(desk, self.board, self.to)


class DeskAction(Protocol):
    """Makes entries of what a page has sent, and of who has."""

    def __call__(
        self, desk: DeskState, *, said: Mapping[str, Any], by: str
    ) -> tuple[DeskEntry, ...]:
        """Make them; CannotBe."""


def _act(kind: type[CorrectAction | MoveAction]) -> DeskAction:
    def act(desk: DeskState, *, said: Mapping[str, Any], by: str) -> tuple[DeskEntry, ...]:
        try:
            asked = kind.model_validate(said)
        except ValidationError as wrong:
            first = wrong.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "what was sent"
            raise CannotBe(f"{where}: {first['msg'].lower()}") from None
        return asked.entries(desk, by)

    return act


ACTIONS: Mapping[str, DeskAction] = {"correct": _act(CorrectAction), "move": _act(MoveAction)}
"""By the last word of the address that they are sent to."""


def changes(desk: DeskState, entries: Iterable[DeskEntry]) -> dict[str, list[Any]]:
    """Say what would come of entries: other sides, new conflicts and other places."""
    seen = preview(desk, entries)
    return {
        "matches": list(seen.matches),
        "conflicts": [each.key for each in seen.conflicts],
        "places": [asdict(each) for each in seen.places],
    }


def needs(desk: DeskState) -> list[dict[str, Any]]:
    """Say what waits for the organiser, the most urgent first.

    ``tied``: a match that decides who goes on ended tied. ``loose``: a result that belongs to no
    order. ``conflict``: a match was played by others than results now lead to.
    """
    found: list[dict[str, Any]] = []
    for contest in desk.programme.classes:
        drawn, known = desk.drawn(contest), desk.played(contest)
        for fixture in drawn.fixtures:
            played = known.get(fixture.key)
            is_tied = played is not None and played.outcome is not None
            is_tied = is_tied and played is not None and played.winner() is None
            if is_tied and fixture.key.rpartition("-")[0].rpartition("-")[0] not in drawn.tables:
                found.append({"what": "tied", "key": fixture.key})
        found += [{"what": "conflict", "key": each.key} for each in drawn.conflicts]
    found += [
        {"what": "loose", "id": each["id"], "winner": each["winner"], "points": each["points"],
         "board": int(each["id"][1:4]), "record": each["record"]}
        for each in desk.unattached
    ]  # fmt: skip
    return found
