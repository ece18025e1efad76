"""Changes of a programme: people, entries, withdrawals, merged classes, draws. Values to values.

Each function returns the changed programme, or raises :class:`CannotBe` if its arguments do not fit
it. Whether the change is wise at that time is for the desk to say.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from jackspot.core.agreement import MOST_IN_A_NAME
from jackspot.core.phrases import Phrase, Translate, _, _n
from jackspot.core.printable import MOST_MARKS, without_piles
from jackspot.values import changed
from jackspot_hub.event.contest import AT_ANY_TIME, LAST, Absence, Groups
from jackspot_hub.event.lots import drawn
from jackspot_hub.event.programme import Person, PlayedClass, Programme
from jackspot_hub.event.schedule import FreeBoard


class CannotBe(ValueError):
    """A request cannot be met; ``why`` says why and what can be done.

    As a phrase it is shown in the reader's language, as plain text in English. The error's own text
    is English.
    """

    def __init__(self, why: str | Phrase) -> None:
        super().__init__(str(why))
        self.why = why

    def said(self, translate: Translate) -> str:
        """Return it in the language of ``translate``."""
        return self.why.render(translate) if isinstance(self.why, Phrase) else self.why


LOST_LETTER = "\ufffd"
"""What stands for bytes that are no UTF-8, as of a table in Shift_JIS or Windows-1252."""
NOT_UTF_8 = _("expected text in UTF-8, found a sign for a lost letter: save the table as CSV UTF-8")


def wrong_with_name(word: str) -> Phrase | None:
    """Return what is wrong with a name, a reading or a club as displayed; None: nothing."""
    if word != word.strip() and word.isprintable():
        return _("expected no blank at the beginning or the end, found {found}",
                 found=repr(word[:MOST_IN_A_NAME]))  # fmt: skip
    if len(word) > MOST_IN_A_NAME or not word.isprintable():
        return _("expected at most {most} characters in one line, found {found}",
                 most=MOST_IN_A_NAME, found=repr(word[:MOST_IN_A_NAME]))  # fmt: skip
    if LOST_LETTER in word:
        return NOT_UTF_8
    if without_piles(word) != word:
        return _("expected at most {most} marks on a letter, found {found}",
                 most=MOST_MARKS, found=ascii(word)[:60])  # fmt: skip
    return None


def title_of(programme: Programme, contest: str) -> str:
    """Return what people call a class; without a title, its name."""
    played = programme.classes.get(contest)
    return (played.title if played is not None else "") or contest


def class_of(programme: Programme, contest: str) -> PlayedClass:
    """Return a class by its name."""
    if contest not in programme.classes:
        known = ", ".join(sorted(programme.classes))
        raise CannotBe(_("there is no contest {name}; there are {known}",
                         name=repr(contest), known=known))  # fmt: skip
    return programme.classes[contest]


def person_of(programme: Programme, number: int) -> Person:
    """Return somebody by their number."""
    if number not in programme.people:
        raise CannotBe(_("there is nobody with number {n}: register them first", n=number))
    return programme.people[number]


def registered(programme: Programme, person: Person) -> Programme:
    """Add a new person."""
    if person.number in programme.people:
        raise CannotBe(_("number {n} is {name}'s", n=person.number,
                         name=programme.people[person.number].name))  # fmt: skip
    return changed(programme, people={**programme.people, person.number: person})


def reworded(programme: Programme, person: Person) -> Programme:
    """Change the data of a known person."""
    person_of(programme, person.number)
    return changed(programme, people={**programme.people, person.number: person})


def entered(
    programme: Programme, contest: str, people: Sequence[int], came: int | None = None
) -> Programme:
    """Enter a person, or a pair; into what is drawn round by round from the round ``came`` on.

    Those who have left come back this way.
    """
    played = class_of(programme, contest)
    own, title = tuple(people), title_of(programme, contest)
    if len(own) != played.size or len(set(own)) != len(own):
        expected = _("one person") if played.size == 1 else _("two people")
        raise CannotBe(_("{title}: expected {expected} to enter, found {n}", title=title,
                         expected=expected, n=len(set(own))))  # fmt: skip
    if (again := _come_again(played, own, came)) is not None:
        return _with_class(programme, again)
    for each in own:
        person = person_of(programme, each)
        if played.has(each):
            raise CannotBe(_("{name} ({n}) is entered in {title} already; someone else of that "
                             "name needs another club or year of birth",
                             name=person.name, n=each, title=title))  # fmt: skip
    whole = changed(played.contest, entrants=(*played.contest.entrants, own[0]))
    if played.is_drawn:
        if not isinstance(whole.format, AT_ANY_TIME) or came is None:
            raise CannotBe(_("{title} is drawn: only rounds and free play take late entries; "
                             "undo its draw", title=title))  # fmt: skip
        apart = {**whole.kept_apart, **_kept_apart(programme, {own[0]: own})}
        whole = changed(whole, came={**whole.came, own[0]: came}, kept_apart=apart)
    return _with_class(
        programme, changed(played, contest=whole, people={**played.people, own[0]: own})
    )


def _kept_apart(programme: Programme, entrants: Mapping[int, tuple[int, ...]]) -> Mapping[int, str]:
    """Return the club or the family of each entrant who has one; of a pair, the first there is."""
    clubs = {
        entrant: [programme.people[each].club for each in own]
        for entrant, own in sorted(entrants.items())
    }
    return {entrant: next(filter(None, own)) for entrant, own in clubs.items() if any(own)}


def _come_again(played: PlayedClass, own: Sequence[int], came: int | None) -> PlayedClass | None:
    """Return a class with somebody back who had left it; None: they had not."""
    entrant = played.entrant_of(own)
    comes = isinstance(played.contest.format, AT_ANY_TIME) and entrant in played.contest.left
    if not comes or came is None:
        return None
    away = (
        changed(each, until=came) if each.entrant == entrant and each.until == LAST else each
        for each in played.contest.away
    )
    return changed(played, contest=changed(played.contest, away=tuple(away)))


def withdrawn(programme: Programme, contest: str, entrant: int, left: int) -> Programme:
    """Take an entrant out; from a drawn class, out of everything from round ``left`` on."""
    played = class_of(programme, contest)
    whole = played.contest
    if entrant not in played.people:
        raise CannotBe(_("{title}: number {n} is not entered",
                         title=title_of(programme, contest), n=entrant))  # fmt: skip
    if played.is_drawn:
        if entrant in whole.left:
            raise CannotBe(_("{title}: number {n} has withdrawn already",
                             title=title_of(programme, contest), n=entrant))  # fmt: skip
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
    """Let all of another class play in this one, also at the boards kept for that one.

    The other class no longer exists. Those entered in both, alone or with the same partner, are
    entered once.
    """
    into, gone = class_of(programme, contest), class_of(programme, other)
    if contest == other:
        raise CannotBe(_("{title}: expected another class to merge with it",
                         title=title_of(programme, contest)))  # fmt: skip
    if into.is_drawn or gone.is_drawn:
        title = title_of(programme, contest if into.is_drawn else other)
        raise CannotBe(_("{title} is drawn: undo the draw first", title=title))
    if into.size != gone.size:
        raise CannotBe(_("one of {title} and {other} is played alone, the other one in pairs",
                         title=title_of(programme, contest),
                         other=title_of(programme, other)))  # fmt: skip
    new = {each: own for each, own in gone.people.items() if into.entrant_of(own) is None}
    both = into.of(*into.people) & gone.of(*new)
    if both:
        names = ", ".join(programme.people[each].name for each in sorted(both))
        raise CannotBe(_("{names}: in both classes, with different partners; withdraw one pair",
                         names=names))  # fmt: skip
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
    """Take back the draw of a class; those who have withdrawn since are no longer in it."""
    played = class_of(programme, contest)
    if not played.is_drawn:
        raise CannotBe(_("{title} is not drawn", title=title_of(programme, contest)))
    whole = changed(played.contest, came={}, away=())
    programme = _with_class(programme, changed(played, contest=whole, is_drawn=False))
    for entrant in played.contest.left:
        programme = withdrawn(programme, contest, entrant, 0)
    return programme


def class_drawn(
    programme: Programme, contest: str, seed: str, seeded: Sequence[int] | None = None,
    groups: int | None = None,
) -> Programme:  # fmt: skip
    """Draw a class: first those who are ``seeded``, the best first, then all others by lot.

    The seeded are usually those whom the event's file names. ``groups`` is the number of groups, if
    not the one in the file. Clubs and families are kept apart as they are known now.
    """
    played, title = class_of(programme, contest), title_of(programme, contest)
    if played.is_drawn:
        raise CannotBe(_("{title} is drawn already: undo the draw first", title=title))
    first = tuple(played.seeded if seeded is None else seeded)
    strangers = [each for each in first if each not in played.people]
    if strangers or len(set(first)) != len(first):
        raise CannotBe(_("{title}: expected entrants as seeds, each once, found {found}",
                         title=title, found=str(list(first))))  # fmt: skip
    if len(played.people) < 2:
        raise CannotBe(_("{title}: expected {least} entrants or more, found {n}", title=title,
                         least=2, n=len(played.people)))  # fmt: skip
    form = played.contest.format
    if groups is not None:
        if not isinstance(form, Groups):
            raise CannotBe(_("{title} is not played in groups", title=title))
        form = changed(form, count=groups)
    apart = _kept_apart(programme, played.people)
    others = drawn(seed, (each for each in played.people if each not in first))
    whole = changed(
        played.contest, entrants=(*first, *others), format=form, seed=seed, kept_apart=apart
    )
    return _with_class(programme, changed(played, contest=whole, is_drawn=True))


def with_board(programme: Programme, board: FreeBoard) -> Programme:
    """Lock a board, unlock it, or keep it for contests."""
    if board.number not in {each.number for each in programme.boards}:
        raise CannotBe(_n("there is no board {board}; there is {n}",
                          "there is no board {board}; there are {n}",
                          board=board.number, n=len(programme.boards)))  # fmt: skip
    for each in sorted(board.kept_for):
        class_of(programme, each)
    boards = (board if each.number == board.number else each for each in programme.boards)
    return changed(programme, boards=tuple(boards))


def too_old_or_young(played: PlayedClass, people: Collection[Person]) -> Phrase | None:
    """Return who may not enter a class by their year of birth, and why; None: all may."""
    first, last = played.born
    for each in people if first or last else ():
        if each.born is None:
            return _("{whom}: the year in which {name} was born is not known",
                     whom=_born(played), name=each.name)  # fmt: skip
        if (first or each.born) > each.born or (last or each.born) < each.born:
            return _("{whom}: {name} was born in {year}", whom=_born(played), name=each.name,
                     year=each.born)  # fmt: skip
    return None


def _born(played: PlayedClass) -> Phrase:
    """Return for whom a class is that not everybody may enter."""
    first, last = played.born
    title = played.title or played.contest.name
    if first and last:
        return _("{title} is for those born {first} to {last}", title=title, first=first, last=last)
    if first:
        return _("{title} is for those born {first} or later", title=title, first=first)
    return _("{title} is for those born {last} or earlier", title=title, last=last or 0)


def _with_class(programme: Programme, played: PlayedClass) -> Programme:
    return changed(programme, classes={**programme.classes, played.contest.name: played})
