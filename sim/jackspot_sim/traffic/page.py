"""The published table as a page: every number of ``frequencies`` with its reason.

``python -m jackspot_sim.traffic table`` prints it; ``sim/TRAFFIC.md`` is what it printed. The
reasons are the docstrings and the rows themselves, so the page cannot say anything but what the
module says.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping

from jackspot_sim.chance import frequencies
from jackspot_sim.chance.frequencies import FrequencyRow, PieceRole, Referee, Strength
from jackspot_sim.chance.laws import Even, Skewed

HEAD = """# Traffic: how often people at a board do what

This page is made from `sim/jackspot_sim/chance/frequencies.py` by
`python -m jackspot_sim.traffic table`; a test holds the two together. The generator of traffic
draws from these numbers and from no others. None has been counted on a board yet: they are
assumptions about ordinary play, each with its reason, and were written down before any reading
was tuned to them. Durations are in milliseconds. Each is a usual value, the spread of its
logarithm, and the limits where it is cut off, or a range in which every value is equally likely.

There are four strengths: **child**, **beginner**, **club**, **master**. There are three kinds of
referee: **watching** (sees every piece fall, reads the display before each press), **table only**
(looks at the pieces and rarely at the display), **careless** (talks, forgets, presses when it
comes to mind).
"""


def page() -> str:
    """Write the whole page in Markdown."""
    return HEAD + "".join(_sections())


def _sections() -> Iterator[str]:
    source = inspect.getsource(frequencies)
    headings = {
        number: line.strip("# -\n").capitalize()
        for number, line in enumerate(source.splitlines(), start=1)
        if line.startswith("# ---")
    }
    body = ast.parse(source).body
    started = 0
    for index, node in enumerate(body):
        for number in [each for each in headings if started < each <= node.lineno]:
            yield f"\n## {headings[number]}\n"
        started = node.lineno
        if not headings or node.lineno < min(headings):
            continue
        if isinstance(node, ast.FunctionDef):
            yield f"\n- `{node.name}`: {_one_line(ast.get_docstring(node) or '')}\n"
        for name in _names(node):
            yield _entry(name, getattr(frequencies, name), _said_of(body, index))


def _names(node: ast.stmt) -> list[str]:
    """Return the names a statement publishes, including the parts of a tuple."""
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    if isinstance(node, ast.Assign):
        return [each.id for each in node.targets if isinstance(each, ast.Name)]
    return []


def _said_of(body: list[ast.stmt], index: int) -> str:
    """Return the docstring that follows a statement, on one line."""
    after = body[index + 1] if index + 1 < len(body) else None
    if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
        return _one_line(str(after.value.value))
    return ""


def _entry(name: str, value: object, said: str) -> str:
    title = f"\n### {_words(name)}\n" if isinstance(value, FrequencyRow | Mapping) else ""
    if isinstance(value, FrequencyRow):
        return title + f"\n{said}\n\n" + _table({"": value})
    if isinstance(value, Mapping):
        if all(isinstance(row, FrequencyRow) for row in value.values()):
            rows = {_key(key, name): row for key, row in value.items()}
            return title + f"\n{said}\n\n" + _table(rows)
        lines = "".join(f"| {_key(key, name)} | {_number(each)} |\n" for key, each in value.items())
        return title + f"\n{said}\n\n| | |\n|---|---|\n{lines}"
    number = _number(value).replace(" ms", "") if name.endswith("_HEIGHT") else _number(value)
    return f"\n- **{_words(name)}: {number}.** {said}".rstrip() + "\n"


def _table(rows: Mapping[str, FrequencyRow]) -> str:
    """Write rows with their reasons."""
    who: type[Strength] | type[Referee] = Strength
    if len(next(iter(rows.values())).values) == len(Referee):
        who = Referee
    heads = [_words(each.value) for each in who]
    lines = [f"| | {' | '.join(heads)} | why |", "|---|" + "---:|" * len(heads) + "---|"]
    for name, row in rows.items():
        numbers = " | ".join(_number(each) for each in row.values)
        lines.append(f"| {name} | {numbers} | {_one_line(row.why)} |")
    return "\n".join(lines) + "\n"


def _key(key: object, of: str) -> str:
    """Name what a line is about; on a board with a queen the middle piece is the queen."""
    words = " + ".join(map(str, key)) if isinstance(key, tuple) else _words(str(key))
    return words.replace(PieceRole.JACK, "queen") if "QUEEN" in of else words


def _words(name: str) -> str:
    return name.lower().replace("_ns", "").replace("_mm", "").replace("_", " ")


def _number(value: object) -> str:
    match value:
        case Even() | Skewed():
            return str(value)
        case tuple():
            return " to ".join(str(each) for each in value)
        case int() if value >= 1_000_000:
            return f"{value // 1_000_000} ms"
        case float() | int():
            return f"{value:g}"
    return str(value)


def _one_line(text: str) -> str:
    return " ".join(text.split())
