"""What people at the desk ask for, as sent by pages. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal, Protocol, TypeVar, cast

from msgspec import to_builtins
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from jackspot.core.phrases import _
from jackspot.values import changed
from jackspot_hub.desk.attaching import attach, attach_free, put_aside
from jackspot_hub.desk.entering import (
    check_in,
    draw_class,
    enter,
    known_or_new,
    merge,
    missing,
    register,
    reword,
    set_board,
    withdraw,
)
from jackspot_hub.desk.people_list import people_entries
from jackspot_hub.desk.revising import correct, preview, said_anew, undo, undo_draw
from jackspot_hub.desk.state import DeskEntry, DeskState, Entries, after
from jackspot_hub.desk.step import call_round, give_notice, move, strike, take_notice_back
from jackspot_hub.desk.updates import offer_update, take_offer_back
from jackspot_hub.event.entries import CannotBe, class_of, title_of
from jackspot_hub.event.fixtures import Outcome
from jackspot_hub.event.programme import Person
from jackspot_hub.event.schedule import FreeBoard

Points = Annotated[int, Field(ge=0, le=10_000)]
Number = Annotated[int, Field(ge=1)]
Text = Annotated[str, Field(max_length=200)]


class _Said(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


T = TypeVar("T", bound=_Said)


class CorrectAction(_Said):
    """How a match ended: who won, 0 or 1, null if it is tied; or that it is played again.

    A ``forfeit`` without a winner: neither side has come. ``jack``: it was won by the jack; null:
    as it was, if the same side had won.
    """

    key: str
    winner: Literal[0, 1] | None = None
    points: Annotated[list[Points], Field(min_length=2, max_length=2)] = [0, 0]
    forfeit: bool = False
    jack: bool | None = None
    again: bool = False

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        if self.again:
            return correct(desk, self.key, None, by)
        one, two = self.points
        if self.forfeit and "winner" not in self.model_fields_set:
            raise CannotBe(_("who wins a forfeit: say who, or null: nobody"))
        outcome = (
            Outcome(self.winner, forfeit=True) if self.forfeit
            else said_anew(desk, self.key, self.winner, (one, two), self.jack)
        )  # fmt: skip
        return correct(desk, self.key, outcome, by)


class AttachAction(_Said):
    """A loose result belongs to a match; ``first`` is the record's side that is first there."""

    result: Text
    key: str
    first: Text

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        return attach(desk, self.result, self.key, self.first, by)


class AttachFreeAction(_Said):
    """A loose result belongs to free play: who its sides were, in the order of its record."""

    result: Text
    contest: Text
    entrants: Annotated[list[Number], Field(min_length=2, max_length=2)]

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        one, two = self.entrants
        return attach_free(desk, self.result, self.contest, (one, two), by)


class PutAsideAction(_Said):
    """A loose result belongs to no match."""

    result: Text

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        return put_aside(desk, self.result, by)


class MoveAction(_Said):
    """The match of one board goes on at another."""

    board: int
    to: int

    def entries(self, desk: DeskState, _by: str) -> Entries:
        """Return its entries."""
        return move(desk, self.board, self.to)


class _Words(_Said):
    """The data of a person."""

    name: Text
    kana: Text = ""
    club: Text = ""
    born: int | None = None

    def words(self) -> dict[str, Any]:
        """Return what tells them apart from others of that name."""
        return {"kana": self.kana, "club": self.club, "born": self.born}


class PartnerWords(_Words):
    """Somebody's partner: registered already, or new."""


class RegisterAction(_Words):
    """A new person, who plays in these classes; ``forced``: though they do not fit.

    With a ``partner`` they are a pair in the classes that are played in pairs; either may be known.
    """

    contests: list[str] = []
    partner: PartnerWords | None = None
    forced: Text | None = None

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        if self.partner is None:
            found = register(desk, self.name, by, **self.words())
            pair = [found[0].body["person"]]
        else:
            one, found = known_or_new(desk, self.name, by, **self.words())
            two, more = known_or_new(
                after(desk, found), self.partner.name, by, **self.partner.words()
            )
            found, pair = found + more, [one, two]
        then = after(desk, found)
        for contest in self.contests:
            size = class_of(desk.programme, contest).size
            found += enter(then, contest, pair[:size], by, forced=self.forced)
        return found


class RewordAction(_Said):
    """Somebody's data changes."""

    person: Number
    name: Text
    kana: Text = ""
    club: Text = ""
    born: int | None = None

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        person = Person(self.person, self.name, self.kana, self.club, self.born)
        return reword(desk, person, by)


class EnterAction(_Said):
    """A person, or a pair, plays in a class; ``forced`` says why, if their age does not fit.

    A ``partner`` may be a new person.
    """

    contest: str
    people: Annotated[list[Number], Field(min_length=1, max_length=2)]
    partner: PartnerWords | None = None
    forced: Text | None = None

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        found: Entries = ()
        people = list(self.people)
        if self.partner is not None:
            mate, found = known_or_new(desk, self.partner.name, by, **self.partner.words())
            people.append(mate)
        then = after(desk, found)
        return found + enter(then, self.contest, people, by, forced=self.forced)


class TableAction(_Said):
    """People from a table, as a spreadsheet writes it."""

    text: str

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        return people_entries(desk, self.text, by)


class CheckInAction(_Said):
    """Somebody has come, or has not."""

    person: Number
    there: bool = True

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        return check_in(desk, self.person, by, there=self.there)


class WithdrawAction(_Said):
    """An entrant leaves a class."""

    contest: str
    entrant: int

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        return withdraw(desk, self.contest, self.entrant, by)


class MergeAction(_Said):
    """All of another class play in this one; ``forced``: though the age of some does not fit."""

    contest: str
    other: str
    forced: Text | None = None

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        return merge(desk, self.contest, self.other, by, forced=self.forced)


class DrawAction(_Said):
    """A class is drawn by a published seed, in this many groups; null: as the file says.

    ``missing`` are those who are not here, as seen by the person who draws; null: whoever they are.
    """

    contest: str
    seed: Text
    groups: Number | None = None
    missing: list[Number] | None = None

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        if self.missing is not None:
            unseen = set(missing(desk, self.contest)).difference(self.missing)
            if unseen:
                names = ", ".join(desk.programme.people[each].name for each in sorted(unseen))
                title = title_of(desk.programme, self.contest)
                raise CannotBe(_("{title}: {names}: not here either, as it stands now; look again, "
                                 "and draw it then", title=title, names=names))  # fmt: skip
        return draw_class(desk, self.contest, self.seed, by, groups=self.groups)


class UndrawAction(_Said):
    """The draw of a class is taken back."""

    contest: str

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        return undo_draw(desk, self.contest, by)


class BoardAction(_Said):
    """A board is locked or not, and kept for contests or not; all else of it stays as it is."""

    board: Number
    locked: bool | None = None
    kept_for: dict[str, bool] = {}

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        boards = {each.number: each for each in desk.programme.boards}
        before = boards.get(self.board, FreeBoard(self.board))
        locked = before.locked if self.locked is None else self.locked
        kept_for = {**dict.fromkeys(before.kept_for, True), **self.kept_for}
        kept = [contest for contest, is_kept in kept_for.items() if is_kept]
        return set_board(desk, self.board, by, locked=locked, kept_for=kept)


class GongAction(_Said):
    """The gong sounds for all who wait for it."""

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        return strike(desk, by)


class NoticeAction(_Said):
    """A line for all displays, in some languages, for this many seconds."""

    text: dict[str, Text]
    seconds: Annotated[int, Field(ge=60, le=86_400)] = 1_800

    def entries(self, _desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        lines = {name: text.strip() for name, text in self.text.items()}
        return give_notice({name: line for name, line in lines.items() if line}, self.seconds, by)


class NoNoticeAction(_Said):
    """The line for all displays is taken back."""

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        return take_notice_back(desk, by)


class UpdateAction(_Said):
    """The hub's release is offered to these boards; null: to all that do not have it."""

    boards: Annotated[list[Number], Field(min_length=1)] | None = None

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        return offer_update(desk, self.boards, by)


class NoUpdateAction(_Said):
    """Nothing is offered any more."""

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        return take_offer_back(desk, by)


class RoundAction(_Said):
    """The next round that begins by the gong is called now."""

    def entries(self, desk: DeskState, _by: str) -> Entries:
        """Return its entries."""
        return call_round(desk)


class UndoAction(_Said):
    """An entry of the journal is taken back."""

    entry: Number

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries."""
        return undo(desk, self.entry, by)


class AskAction(_Said):
    """A board is asked to show its number, a line or that somebody comes, or how it is."""

    board: Number
    what: Literal["identify", "coming", "line", "doctor"]
    text: Text = ""

    def more(self) -> dict[str, Any]:
        """Return the question's further data. CannotBe if it has too little."""
        if self.what == "line":
            if not self.text.strip():
                raise CannotBe(_("expected a line to show, found none"))
            line = self.text.strip()
            return {"text": {"en": line}, "seconds": LINE_S}
        return {"seconds": IDENTIFY_S} if self.what == "identify" else {}


LINE_S, IDENTIFY_S = 60, 20
"""How long a board shows a line, or its number."""


def question_of(said: Mapping[str, Any]) -> tuple[int, str, dict[str, Any]]:
    """Return what a page asks of which board. CannotBe if the question is unknown."""
    asked = _read(AskAction, said)
    return asked.board, asked.what, asked.more()


class DeskAction(Protocol):
    """Makes entries from what a page has sent, and from who sent it."""

    def __call__(self, desk: DeskState, *, said: Mapping[str, Any], by: str) -> Entries:
        """Return the entries, or raise CannotBe."""


class _Kind(Protocol):
    """What pages send, parsed and checked."""

    def entries(self, desk: DeskState, by: str) -> Entries:
        """Return its entries, or raise CannotBe."""


def _read(kind: type[T], said: Mapping[str, Any]) -> T:
    try:
        return kind.model_validate(said)
    except ValidationError as wrong:
        first = wrong.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "what was sent"
        raise CannotBe(f"{where}: {first['msg'][:1].lower()}{first['msg'][1:]}") from None


def _act(kind: type[_Said]) -> DeskAction:
    def act(desk: DeskState, *, said: Mapping[str, Any], by: str) -> Entries:
        return cast(_Kind, _read(kind, said)).entries(desk, by)

    return act


ACTIONS: Mapping[str, DeskAction] = {
    "correct": _act(CorrectAction),
    "attach": _act(AttachAction),
    "attach-free": _act(AttachFreeAction),
    "put-aside": _act(PutAsideAction),
    "move": _act(MoveAction),
    "register": _act(RegisterAction),
    "reword": _act(RewordAction),
    "enter": _act(EnterAction),
    "table": _act(TableAction),
    "check-in": _act(CheckInAction),
    "withdraw": _act(WithdrawAction),
    "merge": _act(MergeAction),
    "draw": _act(DrawAction),
    "undraw": _act(UndrawAction),
    "board": _act(BoardAction),
    "round": _act(RoundAction),
    "gong": _act(GongAction),
    "notice": _act(NoticeAction),
    "no-notice": _act(NoNoticeAction),
    "update": _act(UpdateAction),
    "no-update": _act(NoUpdateAction),
    "undo": _act(UndoAction),
}
"""By the last word of the address to which they are sent."""


def changes(desk: DeskState, entries: Iterable[DeskEntry]) -> dict[str, list[Any]]:
    """Return the effect of entries, with conflicts by the keys of their matches."""
    seen = preview(desk, entries)
    said = to_builtins(changed(seen, conflicts=()))
    return {**said, "conflicts": [each.key for each in seen.conflicts]}
