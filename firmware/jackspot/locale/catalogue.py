"""Reads sentences out of source, and reads and writes gettext's files. No library needed.

Deterministic: the same source gives the same template, byte for byte. What is read and
written is the plain part of the format: comments, ``msgid`` and ``msgstr``; the product has
no plural forms and no contexts.

Source: GNU gettext manual, "The Format of PO Files" and "The Format of GNU MO Files".
"""

from __future__ import annotations

import ast
import re
import string
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

HEADER: Final = (
    "Project-Id-Version: jackspot\n"
    "MIME-Version: 1.0\n"
    "Content-Type: text/plain; charset=UTF-8\n"
    "Content-Transfer-Encoding: 8bit\n"
)
_MO_MAGIC: Final = 0x950412DE
_QUOTED = re.compile(r'^(msgid|msgstr)?\s*"((?:[^"\\]|\\.)*)"$')
_ESCAPES: Final = {"\\": "\\", '"': '"', "n": "\n", "t": "\t", "r": "\r"}


class BadCatalogue(ValueError):
    """A catalogue or a marked sentence cannot be used; the message says where and why."""


def sentences(source: str, where: str) -> set[str]:
    """Give every sentence marked ``_("...")`` in Python source; BadCatalogue if one is computed."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        if node.func.id != "_":
            continue
        first = node.args[0] if node.args else None
        if not (isinstance(first, ast.Constant) and isinstance(first.value, str) and first.value):
            raise BadCatalogue(
                f"{where}:{node.lineno}: _() takes one sentence in quotes that is not empty, so "
                "that tools can find it; put what varies into {blanks}"
            )
        found.add(first.value)
    return found


def collect(package: Path) -> dict[str, tuple[str, ...]]:
    """Give every sentence below a folder, with the files it stands in, sorted."""
    places: dict[str, list[str]] = {}
    for path in sorted(package.rglob("*.py")):
        where = path.relative_to(package.parent).as_posix()
        for sentence in sentences(path.read_text(encoding="utf-8"), where):
            places.setdefault(sentence, []).append(where)
    return {sentence: tuple(sorted(places[sentence])) for sentence in sorted(places)}


def blanks(sentence: str) -> set[str]:
    """Give the names of a sentence's blanks; BadCatalogue if its braces do not match."""
    try:
        return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}
    except ValueError as error:
        raise BadCatalogue(f"{sentence!r}: {error}") from error


def check(catalogue: Mapping[str, str], where: str) -> None:
    """Raise BadCatalogue if a translation has other blanks than its sentence."""
    for sentence, translation in catalogue.items():
        if sentence and translation and blanks(sentence) != blanks(translation):
            raise BadCatalogue(
                f"{where}: {translation!r} must have the blanks of {sentence!r}: "
                f"{sorted(blanks(sentence))}, not {sorted(blanks(translation))}"
            )


def write_po(places: Mapping[str, Iterable[str]], known: Mapping[str, str] | None = None) -> str:
    """Give a .po file with every sentence of ``places``; a template, where nothing is known."""
    known = known or {}
    blocks = [f"msgid {_quote('')}\nmsgstr {_quote(known.get('', HEADER))}\n"]
    for sentence, files in places.items():
        lines = [f"#: {file}" for file in files]
        if blanks(sentence):
            lines.append("#, python-brace-format")
        lines += [f"msgid {_quote(sentence)}", f"msgstr {_quote(known.get(sentence, ''))}"]
        blocks.append("\n".join(lines) + "\n")
    return "\n".join(blocks)


def read_po(text: str, where: str) -> dict[str, str]:
    """Read a .po file: sentence to translation, the header under the empty sentence."""
    catalogue: dict[str, str] = {}
    parts = {"msgid": "", "msgstr": ""}
    field = ""

    def store() -> None:
        if field == "msgstr":
            catalogue[parts["msgid"]] = parts["msgstr"]

    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        match = _QUOTED.match(line)
        if match is None or not (match[1] or field):
            raise BadCatalogue(
                f'{where}:{number}: expected msgid "..." or msgstr "...", found {line!r}'
            )
        if match[1] == "msgid":
            store()
            parts = {"msgid": "", "msgstr": ""}
        field = match[1] or field
        parts[field] += re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[0]), match[2])
    store()
    return catalogue


def write_mo(catalogue: Mapping[str, str]) -> bytes:
    """Give the .mo file of a catalogue; sentences without a translation are left out."""
    pairs = [
        (sentence.encode(), catalogue[sentence].encode())
        for sentence in sorted(catalogue)
        if catalogue[sentence]
    ]
    count = len(pairs)
    at = 28 + 16 * count
    tables: list[bytes] = []
    texts = b""
    for column in range(2):
        for pair in pairs:
            tables.append(struct.pack("<II", len(pair[column]), at + len(texts)))
            texts += pair[column] + b"\0"
    header = struct.pack("<7I", _MO_MAGIC, 0, count, 28, 28 + 8 * count, 0, at)
    return header + b"".join(tables) + texts


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t")
    lines = escaped.replace("\r", "\\r").split("\n")
    if len(lines) == 1:
        return f'"{escaped}"'
    quoted = [f'"{line}\\n"' for line in lines[:-1]] + ([f'"{lines[-1]}"'] if lines[-1] else [])
    return '""\n' + "\n".join(quoted)
