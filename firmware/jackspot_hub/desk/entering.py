"""Who plays where, entered at the desk: people, entries, check-in, withdrawals, draws, boards.

Each function returns entries for the journal; CannotBe says what is wrong, and what can be done.
Nothing has happened until the entries are written and folded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any
from unicodedata import normalize

from jackspot.core.phrases import Phrase, _, _n
from jackspot.values import changed
from jackspot_hub.desk.allowed import OrganiserAction, Verdict, judge, require
from jackspot_hub.desk.state import (
    DeskEntry,
    DeskKind,
    DeskState,
    DoesNotFit,
    Entries,
    fold,
    person_body,
)
from jackspot_hub.event.contest import AT_ANY_TIME, IN_ROUNDS, Partners, knockout_of
from jackspot_hub.event.entries import (
    CannotBe,
    class_of,
    person_of,
    title_of,
    too_old_or_young,
    wrong_with_name,
)
from jackspot_hub.event.fixtures import entrants_of
from jackspot_hub.event.programme import Person, PlayedClass

BIRTH_YEARS = range(1900, 2200)


def register(
    desk: DeskState, name: str, by: str, *, kana: str = "", club: str = "", born: int | None = None
) -> Entries:
    """Register a new person with the next number; CannotBe if these words fit a known one."""
    _refuse_another(name, _meant(desk.programme.people.values(), name, kana, club, born))
    return _new(desk, by, name, kana, club, born)


def known_or_new(
    desk: DeskState, name: str, by: str, *, kana: str = "", club: str = "",
    born: int | None = None, named: Iterable[Person] | None = None,
) -> tuple[int, Entries]:  # fmt: skip
    """Return the number of the person meant, and the entry that registers them if they are new.

    ``named`` are the people of that name; None: look for them.
    """
    people = desk.programme.people.values() if named is None else named
    meant = _meant(people, name, kana, club, born)
    if len(meant) > 1:
        raise CannotBe(_n("there is {n} person named '{name}': say which by club or year of birth",
                          "there are {n} people named '{name}': say which by club or year of birth",
                          n=len(meant), name=name))  # fmt: skip
    if meant:
        return meant[0], ()
    found = _new(desk, by, name, kana, club, born)
    return found[0].body["person"], found


def _new(desk: DeskState, by: str, name: str, kana: str, club: str, born: int | None) -> Entries:
    """Register a person with the next number."""
    number = max(desk.programme.people, default=0) + 1
    return _person(desk, DeskKind.REGISTERED, Person(number, name, kana, club, born), by)


def _refuse_another(name: str, meant: Sequence[int]) -> None:
    """Refuse somebody who could not be told apart from people who are registered."""
    if meant:
        known = ", ".join(map(str, meant))
        raise CannotBe(_n("{name} is registered already, as number {known}; someone else of that "
                          "name needs a club or a year of birth that tells them apart",
                          "{name} is registered already, as numbers {known}; someone else of that "
                          "name needs a club or a year of birth that tells them apart",
                          n=len(meant), name=name, known=known))  # fmt: skip


def _meant(
    people: Iterable[Person], name: str, kana: str, club: str, born: int | None
) -> list[int]:
    """Return the numbers of those whom these words fit."""
    return [each.number for each in people if each.meant_by(name, kana, club, born)]


def reword(desk: DeskState, person: Person, by: str) -> Entries:
    """Change a known person's name, reading, club and year of birth from now on."""
    before = person_of(desk.programme, person.number)
    if (person.name, person.club, person.born) != (before.name, before.club, before.born):
        meant = _meant(desk.programme.people.values(), person.name, person.kana, person.club,
                       person.born)  # fmt: skip
        _refuse_another(person.name, [each for each in meant if each != person.number])
    for contest, played in desk.programme.classes.items():
        if played.has(person.number):
            require(desk, OrganiserAction.REWORD, contest)
    return _person(desk, DeskKind.REWORDED, person, by)


def _person(desk: DeskState, kind: DeskKind, person: Person, by: str) -> Entries:
    name, kana, club = (normalize("NFC", each) for each in (person.name, person.kana, person.club))
    person = changed(person, name=name, kana=kana, club=club)
    said = ((_("name"), name), (_("kana"), kana), (_("club"), club))
    for what, word in said:
        if wrong := wrong_with_name(word):
            raise CannotBe(_("{what}: {why}", what=what, why=wrong))
    if not person.name:
        raise CannotBe(_("expected a name, found none"))
    if person.born is not None and person.born not in BIRTH_YEARS:
        raise CannotBe(no_year(str(person.born)))
    return _checked(desk, kind, {**person_body(person), "by": by})


def no_year(found: str) -> Phrase:
    """Return the phrase that something is no year of birth."""
    return _("expected a year of birth such as 1984, found {found}", found=found)


def enter(
    desk: DeskState, contest: str, people: Sequence[int], by: str, *, forced: str | None = None
) -> Entries:
    """Enter one person or a pair; once rounds are drawn, from the next round on.

    People who have left return this way. Anybody whose age does not fit the class is refused,
    unless ``forced`` says why they may enter.
    """
    played = class_of(desk.programme, contest)
    form = played.contest.format
    action = entering_now(played)
    is_late = action is OrganiserAction.ENTER_LATE
    require(desk, action, contest)
    unfit = too_old_or_young(played, [person_of(desk.programme, each) for each in people])
    if unfit and not forced:
        raise CannotBe(_("{why}; say why they may play all the same", why=unfit))
    number = 1 if is_late else None
    if is_late and isinstance(form, IN_ROUNDS):
        number = first_round(desk, contest)
        if number is None:
            title = title_of(desk.programme, contest)
            raise CannotBe(_("{title}: its last round has begun", title=title))
    body = {
        "contest": contest, "people": list(people), "round": number,
        "forced": forced if unfit else None, "by": by,
    }  # fmt: skip
    return _checked(desk, DeskKind.ENTERED, body)


def first_round(desk: DeskState, contest: str) -> int | None:
    """Return the first round of people who now enter a class that is drawn in rounds.

    None if nothing is drawn in rounds, or if the last round has begun.
    """
    played = class_of(desk.programme, contest)
    form = played.contest.format
    if not played.is_drawn or not isinstance(form, IN_ROUNDS):
        return None
    number = _next_round(desk, contest)
    return number if number <= form.rounds else None


def entering_verdict(desk: DeskState, contest: str) -> Verdict:
    """Return whether a class takes somebody now."""
    played = class_of(desk.programme, contest)
    if played.is_drawn and isinstance(played.contest.format, IN_ROUNDS):
        return Verdict.WARNED if first_round(desk, contest) is not None else Verdict.REFUSED
    return judge(desk, entering_now(played), contest).verdict


def entering_now(played: PlayedClass) -> OrganiserAction:
    """Return which action enters a class now."""
    is_late = played.is_drawn and isinstance(played.contest.format, AT_ANY_TIME)
    return OrganiserAction.ENTER_LATE if is_late else OrganiserAction.ENTER


def check_in(desk: DeskState, person: int, by: str, *, there: bool = True) -> Entries:
    """Record that somebody has come, or has not."""
    return _checked(desk, DeskKind.ARRIVED, {"person": person, "there": there, "by": by})


def missing(desk: DeskState, contest: str) -> tuple[int, ...]:
    """Return who is entered in a class, has not withdrawn, and has not checked in; by number."""
    played = class_of(desk.programme, contest)
    left = played.contest.left
    there = (each for each in played.people if each not in left)
    return tuple(sorted(played.of(*there) - desk.arrived))


def withdraw(desk: DeskState, contest: str, entrant: int, by: str) -> Entries:
    """Take an entrant out of a class; once it is drawn, they forfeit all that is left."""
    require(desk, OrganiserAction.WITHDRAW, contest)
    in_rounds = isinstance(class_of(desk.programme, contest).contest.format, IN_ROUNDS)
    number = _first_round_without(desk, contest, entrant) if in_rounds else 0
    body = {"contest": contest, "entrant": entrant, "round": number, "by": by}
    return _checked(desk, DeskKind.WITHDRAWN, body)


def merge(
    desk: DeskState, contest: str, other: str, by: str, *, forced: str | None = None
) -> Entries:
    """Let all of another class play in this one; if ``forced``, even those of the wrong age."""
    for each in (contest, other):
        require(desk, OrganiserAction.MERGE, each)
    into, gone = class_of(desk.programme, contest), class_of(desk.programme, other)
    come = [person_of(desk.programme, each) for each in sorted(gone.of(*gone.people))]
    unfit = too_old_or_young(into, come)
    if unfit and not forced:
        raise CannotBe(_("{why}; say why they may play all the same", why=unfit))
    body = {
        "contest": contest, "other": other, "forced": forced if unfit else None, "by": by,
    }  # fmt: skip
    return _checked(desk, DeskKind.MERGED, body)


def draw_class(
    desk: DeskState, contest: str, seed: str, by: str, *, seeded: Sequence[int] | None = None,
    groups: int | None = None,
) -> Entries:  # fmt: skip
    """Draw a class by a published seed; its matches are due from now on.

    Those ``seeded`` come first, in this order; if None, those whom the event's file names. All
    others follow by lot. ``groups`` is the number of groups, if not the one in the file.
    """
    require(desk, OrganiserAction.DRAW, contest)
    body = {
        "contest": contest, "seed": seed, "groups": groups, "by": by,
        "seeded": None if seeded is None else list(seeded),
    }  # fmt: skip
    entries = _checked(desk, DeskKind.DRAWN, body)
    try:
        drawn = fold(desk, DeskKind.DRAWN, body, 0).drawn(contest)
    except ValueError as wrong:
        title = title_of(desk.programme, contest)
        raise CannotBe(_("{what}: {why}", what=title, why=str(wrong))) from wrong
    played = class_of(desk.programme, contest)
    if isinstance(form := played.contest.format, Partners) and not drawn.fixtures:
        raise CannotBe(_("{title}: expected {least} entrants or more, found {n}",
                         title=title_of(desk.programme, contest), least=form.at_a_board,
                         n=len(played.people)))  # fmt: skip
    return entries


def set_board(
    desk: DeskState, board: int, by: str, *, locked: bool = False, kept_for: Collection[str] = ()
) -> Entries:
    """Lock a board, so that it gets no more matches, unlock it, or keep it for contests."""
    body = {"board": board, "locked": locked, "kept_for": sorted(kept_for), "by": by}
    return _checked(desk, DeskKind.BOARD, body)


def _checked(desk: DeskState, kind: DeskKind, body: Mapping[str, Any]) -> Entries:
    """Return an entry, checked against what is entered."""
    try:
        fold(desk, kind, body, 0)
    except DoesNotFit as wrong:
        cause = wrong.__cause__
        raise CannotBe(cause.why if isinstance(cause, CannotBe) else str(cause)) from wrong
    return (DeskEntry(kind, body),)


def _round_now(desk: DeskState, contest: str) -> int:
    """Return the round being played; a knockout comes after all of them."""
    drawn = desk.drawn(contest)
    after = f"{knockout_of(desk.programme.classes[contest].contest)}-"
    rounds = (each.round for each in drawn.fixtures if not each.key.startswith(after))
    return max(rounds, default=1)


def _next_round(desk: DeskState, contest: str) -> int:
    """Return the first round in which nothing has been called."""
    now = _round_now(desk, contest)
    return now + any(key.startswith(f"{contest}-{now}-") for key in desk.played(contest))


def _first_round_without(desk: DeskState, contest: str, entrant: int) -> int:
    """Return the first round without an entrant who leaves now.

    An entrant who waits in a round keeps it as won if anything of it was called.
    """
    now, played = _round_now(desk, contest), desk.played(contest)
    own = [
        each.key for each in desk.drawn(contest).fixtures
        if each.key.startswith(f"{contest}-{now}-") and entrant in entrants_of(each.sides)
    ]  # fmt: skip
    if not own:
        return now + any(key.startswith(f"{contest}-{now}-") for key in played)
    return now + any(key in played and played[key].outcome is not None for key in own)
