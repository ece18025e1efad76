"""What each setting says of itself: the text that stands under it in the code, by its key."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from itertools import pairwise

from jackspot.settings.section import Section, forms_of, key_of
from jackspot.settings.values import Form, OneOf, Seconds, Whole


def help_of(table: type[Section]) -> Mapping[str, str]:
    """Return what the keys of a table are for, and what they may be.

    Where another type says what its values mean (``meant_by``), that is asked first.
    """
    ours = [kind for kind in reversed(table.mro()) if issubclass(kind, Section)]
    kinds = [table.meant_by, *ours] if table.meant_by else ours
    said = {name: words for kind in kinds for name, words in _said_in(kind)}
    found: dict[str, str] = {}
    for name, form in forms_of(table).items():
        words, expected = said.get(name, "").replace("``", "").rstrip("."), _expected(form)
        found[key_of(name)] = f"{words} ({expected})" if words and expected else words
    return found


def _expected(form: Form) -> str:
    """Return what a value may be, where it has bounds or is one of a few; else nothing."""
    match form.read:
        case Seconds() | Whole() as within:
            return within.expected
        case OneOf(known=known):
            return ", ".join(map(str, known))
    return ""


def _said_in(kind: type) -> Iterator[tuple[str, str]]:
    """Return the fields that a class declares itself, each with the text under it."""
    try:
        (declared,) = ast.parse(inspect.getsource(kind)).body
    except (OSError, TypeError):  # made by the program, or not written in Python
        return
    assert isinstance(declared, ast.ClassDef)
    for field, text in pairwise(declared.body):
        match field, text:
            case (
                ast.AnnAssign(target=ast.Name(name)),
                ast.Expr(value=ast.Constant(value=str() as words)),
            ):
                yield name, " ".join(words.split())
