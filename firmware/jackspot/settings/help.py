"""What each setting says of itself: the text that stands under it in the code, by its key."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from enum import StrEnum
from itertools import pairwise
from typing import Literal, get_args, get_origin

from pydantic import BaseModel, BeforeValidator
from pydantic.fields import FieldInfo

from jackspot.settings.section import Section
from jackspot.settings.values import Seconds, Whole


def help_of(table: type[Section]) -> Mapping[str, str]:
    """Return what the keys of a table are for, and what they may be.

    Where another type says what its values mean (``meant_by``), that is asked first.
    """
    ours = [kind for kind in reversed(table.mro()) if not issubclass(BaseModel, kind)]
    kinds = [table.meant_by, *ours] if table.meant_by else ours
    said = {name: words for kind in kinds for name, words in _said_in(kind)}
    found: dict[str, str] = {}
    for name, field in table.model_fields.items():
        words, expected = said.get(name, "").replace("``", "").rstrip("."), _expected(field)
        found[field.alias or name] = f"{words} ({expected})" if words and expected else words
    return found


def _expected(field: FieldInfo) -> str:
    """Return what a value may be, where it has bounds or is one of a few; else nothing."""
    kinds = (field.annotation, *get_args(field.annotation))
    for each in (*field.metadata, *(meta for kind in kinds for meta in get_args(kind)[1:])):
        if isinstance(each, BeforeValidator) and isinstance(each.func, Seconds | Whole):
            return each.func.expected
    for kind in kinds:
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            return ", ".join(kind)
        if get_origin(kind) is Literal:
            return ", ".join(map(str, get_args(kind)))
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
