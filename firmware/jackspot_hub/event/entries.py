"""Changes of a programme: people, entries, withdrawals, merged classes, draws. Values to values.

Each function returns the programme as it is afterwards, or raises :class:`CannotBe` where what it
is given does not fit what is there. Whether it is wise at that time is for the desk to say.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from jackspot.core.agreement import MOST_IN_A_NAME
from jackspot.core.printable import MOST_MARKS, without_piles
from jackspot.values import changed
from jackspot_hub.event.contest import AT_ANY_TIME, LAST, Absence, Groups
from jackspot_hub.event.lots import drawn
from jackspot_hub.event.programme import Person, PlayedClass, Programme
from jackspot_hub.event.schedule import FreeBoard


class CannotBe(ValueError):
    """What somebody asked for cannot be; the text says why and what can be done."""


def wrong_with_name(word: str) -> str:
    """Say what is wrong with a name, a reading or a club as it would be shown; empty: nothing."""
    if word != word.strip() and word.isprintable():
        return f"expected no blank at the beginning or the end, found {word[:MOST_IN_A_NAME]!r}"
    if len(word) > MOST_IN_A_NAME or not word.isprintable():
        return (f"expected at most {MOST_IN_A_NAME} characters in one line, "
                f"found {word[:MOST_IN_A_NAME]!r}")  # fmt: skip
    if without_piles(word) != word:
        return f"expected at most {MOST_MARKS} marks on a letter, found {ascii(word)[:60]}"
    return ""


def class_of(programme: Programme, contest: str) -> PlayedClass:
    """Return a class by its name."""
    if contest not in programme.classes:
        known = ", ".join(sorted(programme.classes))
        raise CannotBe(f"there is no contest {contest!r}; there are {known}")
    return programme.classes[contest]


def person_of(programme: Programme, number: int) -> Person:
    """Return somebody by their number."""
    if number not in programme.people:
        raise CannotBe(f"there is nobody with number {number}: register them first")
    return programme.people[number]


def registered(programme: Programme, person: Person) -> Programme:
    """Add somebody who is new."""
    if person.number in programme.people:
        raise CannotBe(f"number {person.number} is {programme.people[person.number].name}'s")
    return changed(programme, people={**programme.people, person.number: person})


def reworded(programme: Programme, person: Person) -> Programme:
    """Put other words to somebody who is known."""
    person_of(programme, person.number)
    return changed(programme, people={**programme.people, person.number: person})


def entered(
    programme: Programme, contest: str, people: Sequence[int], came: int | None = None
) -> Programme:
    """Enter somebody, or a pair; into what is drawn round by round from the round ``came`` on.

    Who has left comes again so.
    """
    played = class_of(programme, contest)
    own = tuple(people)
    if len(own) != played.size or len(set(own)) != len(own):
        expected = "one person" if played.size == 1 else "two people"
        raise CannotBe(f"{contest}: expected {expected} to enter, found {len(set(own))}")
    if (again := _come_again(played, own, came)) is not None:
        return _with_class(programme, again)
    for each in own:
        person = person_of(programme, each)
        if each in played.of(*played.people):
            raise CannotBe(f"{person.name} ({each}) is entered in {contest} already; somebody "
                           "else of that name needs another club or year of birth")  # fmt: skip
    whole = changed(played.contest, entrants=(*played.contest.entrants, own[0]))
    if played.is_drawn:
        if not isinstance(whole.format, AT_ANY_TIME) or came is None:
            raise CannotBe(
                f"{contest} is drawn: only rounds and free play take late entries; undo its draw"
            )
        apart = {**whole.kept_apart, **_kept_apart(programme, {own[0]: own})}
        whole = changed(whole, came={**whole.came, own[0]: came}, kept_apart=apart)
    return _with_class(
        programme, changed(played, contest=whole, people={**played.people, own[0]: own})
    )


def _kept_apart(programme: Programme, entrants: Mapping[int, tuple[int, ...]]) -> Mapping[int, str]:
    """Return the club or the family of each entrant who has one, of a pair the first that is."""
    clubs = {
        entrant: [programme.people[each].club for each in own]
        for entrant, own in sorted(entrants.items())
    }
    return {entrant: next(filter(None, own)) for entrant, own in clubs.items() if any(own)}


def _come_again(played: PlayedClass, own: Sequence[int], came: int | None) -> PlayedClass | None:
    """Return a class with somebody again who had left it; None: they had not."""
    entrant = next((at for at, them in played.people.items() if set(them) == set(own)), None)
    comes = isinstance(played.contest.format, AT_ANY_TIME) and entrant in played.contest.left
    if not comes or came is None:
        return None
    away = (
        changed(each, until=came) if each.entrant == entrant and each.until == LAST else each
        for each in played.contest.away
    )
    return changed(played, contest=changed(played.contest, away=tuple(away)))


def withdrawn(programme: Programme, contest: str, entrant: int, left: int) -> Programme:
    """Take an entrant out; from a class that is drawn, whatever is left from round ``left`` on."""
    played = class_of(programme, contest)
    whole = played.contest
    if entrant not in played.people:
        raise CannotBe(f"{contest}: number {entrant} is not entered")
    if played.is_drawn:
        if entrant in whole.left:
            raise CannotBe(f"{contest}: number {entrant} has withdrawn already")
        whole = changed(whole, away=(*whole.away, Absence(entrant, left)))
        return _with_class(programme, changed(played, contest=whole))
    return _with_class(
        programme,
        changed(
            played,
            contest=changed(whole, entrants=_but(whole.entrants, entrant)),
            people={each: own for each, own in played.people.items() if each != entrant},
            seeded=_but(played.seeded, entrant),
        ),
    )


def _but(entrants: Sequence[int], gone: int) -> tuple[int, ...]:
    return tuple(each for each in entrants if each != gone)


def merged(programme: Programme, contest: str, other: str) -> Programme:
    """Let all of another class play in this one, also at the boards that are kept for that one.

    The other one is no more. Who is entered in both, alone or with the same partner, is entered
    once.
    """
    into, gone = class_of(programme, contest), class_of(programme, other)
    if contest == other:
        raise CannotBe(f"{contest}: expected another class to merge with it")
    if into.is_drawn or gone.is_drawn:
        raise CannotBe(f"{contest if into.is_drawn else other} is drawn: undo the draw first")
    if into.size != gone.size:
        raise CannotBe(f"one of {contest} and {other} is played alone, the other one in pairs")
    known = [set(own) for own in into.people.values()]
    new = {each: own for each, own in gone.people.items() if set(own) not in known}
    both = into.of(*into.people) & gone.of(*new)
    if both:
        names = ", ".join(programme.people[each].name for each in sorted(both))
        raise CannotBe(f"{names}: in both classes, with different partners; withdraw one pair")
    entrants = (*into.contest.entrants, *(each for each in gone.contest.entrants if each in new))
    classes = {name: each for name, each in programme.classes.items() if name != other}
    seeded = (*into.seeded, *(each for each in gone.seeded if each in new))
    whole = changed(
        into, contest=changed(into.contest, entrants=entrants), people={**into.people, **new},
        seeded=seeded,
    )  # fmt: skip
    boards = (
        changed(board, kept_for=(board.kept_for - {other}) | {contest})
        if other in board.kept_for else board
        for board in programme.boards
    )  # fmt: skip
    return _with_class(changed(programme, classes=classes, boards=tuple(boards)), whole)


def undrawn(programme: Programme, contest: str) -> Programme:
    """Take back the draw of a class; who has withdrawn since is not in it any more."""
    played = class_of(programme, contest)
    if not played.is_drawn:
        raise CannotBe(f"{contest} is not drawn")
    whole = changed(played.contest, came={}, away=())
    programme = _with_class(programme, changed(played, contest=whole, is_drawn=False))
    for entrant in played.contest.left:
        programme = withdrawn(programme, contest, entrant, 0)
    return programme


def class_drawn(
    programme: Programme, contest: str, seed: str, seeded: Sequence[int] | None = None,
    groups: int | None = None,
) -> Programme:  # fmt: skip
    """Draw a class: first who is ``seeded``, the best first, then all others by their lots.

    Who is seeded is as a rule whom the event's file names. ``groups`` is how many there are to be,
    if not as many as the file says. Clubs and families are kept apart as they are known now.
    """
    played = class_of(programme, contest)
    if played.is_drawn:
        raise CannotBe(f"{contest} is drawn already: undo the draw first")
    first = tuple(played.seeded if seeded is None else seeded)
    strangers = [each for each in first if each not in played.people]
    if strangers or len(set(first)) != len(first):
        raise CannotBe(f"{contest}: expected entrants as seeds, each once, found {list(first)}")
    if len(played.people) < 2:
        raise CannotBe(f"{contest}: expected 2 entrants or more, found {len(played.people)}")
    form = played.contest.format
    if groups is not None:
        if not isinstance(form, Groups):
            raise CannotBe(f"{contest} is not played in groups")
        form = changed(form, count=groups)
    apart = _kept_apart(programme, played.people)
    others = drawn(seed, (each for each in played.people if each not in first))
    whole = changed(
        played.contest, entrants=(*first, *others), format=form, seed=seed, kept_apart=apart
    )
    return _with_class(programme, changed(played, contest=whole, is_drawn=True))


def with_board(programme: Programme, board: FreeBoard) -> Programme:
    """Lock a board, let it go, or keep it for contests."""
    if board.number not in {each.number for each in programme.boards}:
        raise CannotBe(f"there is no board {board.number}; there are {len(programme.boards)}")
    for each in sorted(board.kept_for):
        class_of(programme, each)
    boards = (board if each.number == board.number else each for each in programme.boards)
    return changed(programme, boards=tuple(boards))


def too_old_or_young(played: PlayedClass, people: Collection[Person]) -> str:
    """Say who may not enter a class by their year of birth, and why; empty: all may."""
    first, last = played.born
    if first is None and last is None:
        return ""
    wanted = " and ".join(
        ([f"in {first} or later"] if first else []) + ([f"in {last} or earlier"] if last else [])
    )
    for each in people:
        if each.born is None:
            return f"{each.name}: expected a birth {wanted}, and the year is not known"
        if (first or each.born) > each.born or (last or each.born) < each.born:
            return f"{each.name}: expected a birth {wanted}, found {each.born}"
    return ""


def _with_class(programme: Programme, played: PlayedClass) -> Programme:
    return changed(programme, classes={**programme.classes, played.contest.name: played})
