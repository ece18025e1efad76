"""Find the sentences in Python, in the pages' modules and in the pages.

A sentence that a tool cannot find cannot be translated, so a computed sentence is a mistake:
:class:`BadCatalogue` says where. Babel's own readers silently lose a sentence in another's blanks:
Python is read as a syntax tree instead, and in the pages' modules each ``say(`` must be followed by
a plain string, which is searched for literally.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, BinaryIO, Final

from babel.messages.catalog import Catalog
from babel.messages.extract import extract

KEYWORDS: Final[Mapping[str, Any]] = {
    "_": None,
    "_c": ((1, "c"), 2),
    "_n": (1, 2),
    "say": None,
    "sayCount": (1, 2),
    "data-say": None,
}
"""The markers of sentences, and which of their arguments are sentences."""

COMMENT: Final = "Translators:"
"""The start of a comment for translators, in the line before the sentence."""

Found = tuple[int, str, Any, list[str]]
"""A message in Babel's terms: its line, its marker, the sentence or sentences, comments."""


class BadCatalogue(ValueError):
    """A catalogue or a marked sentence cannot be used; the message says where and why."""


def collect(*packages: Path) -> Catalog:
    """Return every sentence below some folders, with the files in which it is."""
    catalogue = Catalog(project="jackspot", charset="utf-8", fuzzy=False)
    for package, path in ((each, path) for each in packages for path in sorted(each.rglob("*"))):
        if path.suffix not in METHODS:
            continue
        where = path.relative_to(package.parent).as_posix()
        for sentence, comments, context in sentences(path, where):
            known = catalogue.get(sentence, context)
            if known is not None and isinstance(known.id, str) != isinstance(sentence, str):
                raise BadCatalogue(
                    f"{where}: {known.id!r} is one sentence here and another with a plural "
                    "elsewhere; say one of them in other words"
                )
            catalogue.add(sentence, locations=[(where, 0)], auto_comments=comments, context=context)
    return catalogue


def sentences(path: Path, where: str) -> list[tuple[str | tuple[str, ...], list[str], str | None]]:
    """Return the sentences of one file: each, or both its forms, with comments and context."""
    with path.open("rb") as file:
        try:
            found = extract(
                METHODS[path.suffix], file, KEYWORDS, (COMMENT,), strip_comment_tags=True
            )
            return [(sentence, comments, context) for _line, sentence, comments, context in found]
        except BadCatalogue as error:
            raise BadCatalogue(f"{where}:{error}") from error


_MARKED = re.compile(rb"\b(?:%s)[\s\\]*\(" % "|".join(KEYWORDS).encode())


def _python(file: BinaryIO, *_: Any, **_options: Any) -> Iterator[Found]:
    """Read Python; a marked sentence must be in quotes and not in an f-string."""
    source = file.read()
    if _MARKED.search(source) is None:
        return  # most modules say nothing, and reading one word by word takes long
    nodes = list(ast.walk(ast.parse(source)))
    inside = {each for node in nodes if isinstance(node, ast.JoinedStr) for each in ast.walk(node)}
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    lines = source.decode().split("\n")
    for node in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        needed = {"_": 1, "_c": 2, "_n": 2}.get(name, 0)
        given = (*node.args, *[None] * needed)[:needed]
        parts = tuple(getattr(each, "value", None) for each in given)
        if not all(isinstance(part, str) and part for part in parts) or (needed and node in inside):
            raise BadCatalogue(
                f"{node.lineno}: {name}() takes a sentence in quotes that is not empty, and "
                "stands in no f-string, so that tools can find it; put what varies into {blanks}"
            )
        if needed:
            yield node.lineno, name, parts, _comment(lines, node.lineno)


_COMMENT = re.compile(rf"(?:#|//)\s*({COMMENT}.*)$")


def _comment(lines: list[str], line: int) -> list[str]:
    """Return the comment for translators in the line before a sentence's."""
    comment = _COMMENT.search(lines[line - 2]) if line > 1 else None
    return [comment[1]] if comment else []


_QUOTED = r'"(?:[^"\\\n]|\\.)+"'
_SENTENCE = rf"\s*(?P<%s>{_QUOTED}(?:\s*\+\s*{_QUOTED})*)\s*"
_SAY = re.compile(r"(?<!function )\b(?P<name>say|sayCount)\(")
_SAID: Final = {
    "say": re.compile(_SENTENCE % "one" + r"[,)]"),
    "sayCount": re.compile(_SENTENCE % "one" + "," + _SENTENCE % "many" + ","),
}


def _javascript(file: BinaryIO, *_: Any, **_options: Any) -> Iterator[Found]:
    """Read a module of a page; each ``say(`` takes plain strings in double quotes."""
    source = file.read().decode("utf-8")
    lines = source.splitlines()
    for call in _SAY.finditer(source):
        line = source.count("\n", 0, call.start()) + 1
        if lines[line - 1].lstrip().startswith(("//", "/*", "*")):
            continue
        said = _SAID[call["name"]].match(source, call.end())
        if said is None:
            raise BadCatalogue(
                f"{line}: {call['name']}() takes its sentence in double quotes, so that tools can "
                "find it; put what varies into {blanks}"
            )
        parts = tuple(
            "".join(json.loads(part) for part in re.findall(_QUOTED, text))
            for text in said.groups()
        )
        yield line, call["name"], parts, _comment(lines, line)


class _Marked(HTMLParser):
    """Collect what is marked ``data-say``: an element's text, or the attributes it names."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[Found] = []
        self._open: tuple[int, str] | None = None
        self._text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self.getpos()[0]
        if self._open is not None:
            raise BadCatalogue(f"{line}: <{tag}> stands in a sentence; mark only elements of text")
        values = dict(attrs)
        if "data-say" not in values:
            return
        for what in (values["data-say"] or "text").split():
            if what == "text":
                self._open, self._text = (line, tag), ""
            elif values.get(what):
                self.found.append((line, "data-say", values[what], []))
            else:
                raise BadCatalogue(f"{line}: <{tag}> has no {what} that could be said")

    def handle_data(self, data: str) -> None:
        self._text += data

    def handle_endtag(self, tag: str) -> None:
        if self._open is not None and self._open[1] == tag:
            text = " ".join(self._text.split())
            if not text:
                raise BadCatalogue(f"{self._open[0]}: <{tag}> is marked and says nothing")
            self.found.append((self._open[0], "data-say", text, []))
            self._open = None


def _html(file: BinaryIO, *_: Any, **_options: Any) -> Iterator[Found]:
    """Read a page: elements marked ``data-say``, in English as written."""
    marked = _Marked()
    marked.feed(file.read().decode("utf-8"))
    marked.close()
    yield from marked.found


METHODS: Final[Mapping[str, Any]] = {
    ".py": _python,
    ".js": _javascript,
    ".html": _html,
}
"""How each kind of file is read."""
