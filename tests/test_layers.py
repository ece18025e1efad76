"""The layers of the house, read from the imports of every module: who may import whom.

The core and the table are pure: values in, values out. They import nothing that could read
a clock, a file, a random number or the environment, and call nothing that does. Inputs,
displays and storage know the core, the table and their own library, never each other. The
simulated table stands on the firmware, and so do the generators of ``hardware/``; the firmware
does not know of them. And no two modules import each other in a circle.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = {
    "jackspot": ROOT / "firmware" / "jackspot",
    "jackspot_sim": ROOT / "sim" / "jackspot_sim",
    "hardware": ROOT / "hardware",
}

PURE_STDLIB = frozenset(
    [
        "__future__",
        "abc",
        "array",
        "base64",
        "bisect",
        "collections",
        "copy",
        "dataclasses",
        "datetime",
        "decimal",
        "difflib",
        "enum",
        "fractions",
        "functools",
        "heapq",
        "itertools",
        "json",
        "keyword",
        "math",
        "numbers",
        "operator",
        "re",
        "statistics",
        "string",
        "textwrap",
        "tomllib",
        "types",
        "typing",
        "unicodedata",
        "zlib",
    ]
)
"""What a pure module may import of the standard library (of datetime, all but the clock)."""

IMPURE_NAMES = frozenset(
    ["open", "print", "input", "exec", "eval", "compile", "breakpoint", "__import__", "globals"]
)
IMPURE_ATTRIBUTES = frozenset(["now", "today", "utcnow"])


@dataclass(frozen=True)
class Layer:
    """What the modules of one package may import.

    ``knows`` are our own packages and modules, with everything in them; ``libraries`` are
    other people's; a pure layer has only the pure part of the standard library.
    """

    knows: tuple[str, ...]
    libraries: tuple[str, ...] = ()
    pure: bool = False


VALUES = ("jackspot.core", "jackspot.table")
DEVICES = ("jackspot.inputs", "jackspot.displays", "jackspot.storage")
LAYERS = {
    "jackspot.core": Layer(knows=("jackspot.core",), pure=True),
    "jackspot.table": Layer(knows=VALUES, pure=True),
    "jackspot.files": Layer(knows=()),
    "jackspot.inputs": Layer(
        knows=(*VALUES, "jackspot.inputs"), libraries=("gpiozero", "lgpio", "RPi")
    ),
    "jackspot.displays": Layer(
        knows=(*VALUES, "jackspot.files", "jackspot.displays"),
        libraries=(
            "anyio",
            "gpiozero",
            "itsdangerous",
            "luma",
            "PIL",
            "segno",
            "serial",
            "smbus2",
            "starlette",
            "uvicorn",
        ),
    ),
    "jackspot.storage": Layer(knows=(*VALUES, "jackspot.files", "jackspot.storage")),
    "jackspot.config": Layer(
        knows=(
            *VALUES,
            "jackspot.files",
            "jackspot.inputs",
            "jackspot.displays",
            "jackspot.config",
        ),
        libraries=("pydantic", "pydantic_core"),
    ),
    "jackspot.rulebook": Layer(knows=("jackspot.core", "jackspot.rulebook")),
    # Only who changes sentences runs this; no other module imports it.
    "jackspot.locale": Layer(
        knows=("jackspot.displays.words", "jackspot.locale"), libraries=("babel",)
    ),
    "jackspot.board": Layer(knows=(*VALUES, "jackspot.inputs", "jackspot.storage")),
    "jackspot.assembly": Layer(
        knows=(*VALUES, *DEVICES, "jackspot.config", "jackspot.board", "jackspot.service")
    ),
    "jackspot.service": Layer(
        knows=(
            *VALUES,
            *DEVICES,
            "jackspot.files",
            "jackspot.config",
            "jackspot.board",
            "jackspot.assembly",
            "jackspot.service",
        ),
        libraries=("pydantic", "rich", "smbus2", "vcd"),
    ),
    "jackspot.commands": Layer(
        knows=(
            *VALUES,
            *DEVICES,
            "jackspot.files",
            "jackspot.config",
            "jackspot.rulebook",
            "jackspot.board",
            "jackspot.assembly",
            "jackspot.service",
            "jackspot.commands",
        ),
        libraries=("click", "PIL", "rich", "segno"),
    ),
    "jackspot": Layer(knows=()),
    "jackspot_sim": Layer(
        knows=("jackspot", "jackspot_sim"),
        libraries=(
            "click",
            "gpiozero",
            "luma",
            "PIL",
            "pymunk",
            "rich",
            "serial",
            "smbus2",
            "starlette",
            "uvicorn",
        ),
    ),
    "hardware": Layer(
        knows=("jackspot", "hardware"),
        libraries=(
            "PIL",
            "click",
            "graphviz",
            "manifold3d",
            "numpy",
            "playwright",
            "pydantic",
            "pypdf",
            "schemdraw",
            "trimesh",
            "wireviz",
            "yaml",
        ),
    ),
}
"""From the innermost package outwards; a module belongs to the first that it lies in."""


def within(module: str, package: str) -> bool:
    """Tell whether ``module`` is ``package`` or lies in it."""
    return module == package or module.startswith(package + ".")


def imports(module: str, tree: ast.AST, *, is_package: bool = False) -> Iterator[tuple[int, str]]:
    """Give line and full name of everything imported; ``from a import b`` gives ``a.b``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parts = module.split(".")
                up = parts[: len(parts) - node.level + (1 if is_package else 0)]
                base = ".".join([*up, base] if base else up)
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"


def faults(module: str, source: str, *, is_package: bool = False) -> list[str]:
    """Give each way in which a module breaks its layer, with its line."""
    layer = next(layer for package, layer in LAYERS.items() if within(module, package))
    tree = ast.parse(source, filename=module)
    found = [
        f"{module}:{line} imports {name}"
        for line, name in imports(module, tree, is_package=is_package)
        if not may_import(layer, name)
    ]
    if layer.pure:
        found += [f"{module}:{line} uses {what}" for line, what in impurities(tree)]
    return found


def may_import(layer: Layer, name: str) -> bool:
    """Tell whether a layer may import the module, or the thing in a module, of this name."""
    top = name.split(".", maxsplit=1)[0]
    if top in SOURCES:
        known = any(within(name, package) for package in layer.knows)
        return known or (name == "jackspot.__version__" and not layer.pure)
    if top in sys.stdlib_module_names:
        return not layer.pure or top in PURE_STDLIB
    return top in layer.libraries


def impurities(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Give line and name of what reads or writes the world without an import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in IMPURE_NAMES:
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and node.attr in IMPURE_ATTRIBUTES:
            yield node.lineno, f".{node.attr}"


def modules() -> dict[str, Path]:
    """Give every module of both packages by its full name."""
    found = {}
    for package, folder in SOURCES.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join([package, *(part for part in parts if part != "__init__")])] = path
    return found


def circle(edges: dict[str, set[str]]) -> list[str]:
    """Give the modules of one circle of imports in order, or nothing."""
    done: set[str] = set()

    def walk(module: str, path: list[str]) -> list[str]:
        if module in path:
            return [*path[path.index(module) :], module]
        if module in done:
            return []
        for other in sorted(edges.get(module, ())):
            if found := walk(other, [*path, module]):
                return found
        done.add(module)
        return []

    return next((found for module in sorted(edges) if (found := walk(module, []))), [])


def edges_of(module: str, tree: ast.Module, known: dict[str, Path]) -> set[str]:
    """Give the modules that must be there before ``module`` can be imported."""
    top_level = ast.Module([node for node in tree.body if not isinstance(node, ast.If)], [])
    # What a function imports is imported when it is called; walk only what runs at once.
    for node in ast.walk(top_level):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            node.body = []
    is_package = known[module].name == "__init__.py"
    found = set()
    for _line, name in imports(module, top_level, is_package=is_package):
        target = name if name in known else name.rpartition(".")[0]
        if target in known and target != module:
            found.add(target)
    return found


def test_every_module_keeps_to_its_layer() -> None:
    found = [
        fault
        for module, path in modules().items()
        for fault in faults(
            module, path.read_text(encoding="utf-8"), is_package=path.name == "__init__.py"
        )
    ]
    assert not found, "\n".join(found)


def test_the_page_of_the_house_says_the_same_of_each_room() -> None:
    page = (ROOT / "firmware" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(?:sim/)?([\w/]+?)(?:/|\.py)` \| .* \| (.*) \|$", page, re.MULTILINE)
    told = {name.replace("/", "."): set(re.findall(r"`([\w.]+)`", may)) for name, may in rows}
    rooms = {name for name in LAYERS if name != "jackspot"}
    assert {"hardware" if name.startswith("hardware") else name for name in told} == rooms
    for name, layer in LAYERS.items():
        if name not in told:
            continue
        known = {each.removeprefix("jackspot.") for each in layer.knows if each != name}
        assert told[name] == known | set(layer.libraries), name


def test_every_room_has_a_layer() -> None:
    rooms = {
        ".".join(["jackspot", path.stem])
        for path in SOURCES["jackspot"].iterdir()
        if path.stem not in {"__init__", "__main__", "__pycache__"}
        and (path.is_dir() or path.suffix == ".py")
    }
    assert rooms == {name for name in LAYERS if name.startswith("jackspot.")}


def test_no_modules_import_each_other_in_a_circle() -> None:
    known = modules()
    edges = {
        module: edges_of(module, ast.parse(path.read_text(encoding="utf-8"), str(path)), known)
        for module, path in known.items()
    }
    assert not circle(edges), " -> ".join(circle(edges))


def test_the_modules_of_all_packages_are_found() -> None:
    found = modules()
    assert {
        "jackspot",
        "jackspot.core.stroke",
        "jackspot.dialogue.state.view",
        "jackspot_sim",
    } <= set(found)
    assert "hardware.generate.step" in found


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("jackspot.core.match", "import time"),
        ("jackspot.core.match", "import os.path"),
        ("jackspot.core.match", "from random import choice"),
        ("jackspot.core.match", "import logging"),
        ("jackspot.core.match", "import sqlite3"),
        ("jackspot.core.match", "import threading"),
        ("jackspot.core.match", "from pathlib import Path"),
        ("jackspot.core.match", "import socket"),
        ("jackspot.core.match", "def f():\n    import importlib"),
        ("jackspot.core.match", "import pydantic"),
        ("jackspot.core.match", "import jackspot"),
        ("jackspot.core.match", "from jackspot import table"),
        ("jackspot.core.match", "from jackspot.table import view"),
        ("jackspot.core.match", "from ..table import view"),
        (
            "jackspot.core.match",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import os",
        ),
        ("jackspot.core.match", "with open('x') as file: pass"),
        ("jackspot.core.match", "def f(x):\n    print(x)"),
        ("jackspot.core.match", "import datetime\nx = datetime.datetime.now()"),
        ("jackspot.core.rules.jack.hikone", "write = print"),
        ("jackspot.sensing.signals", "from time import monotonic_ns"),
        ("jackspot.sensing.signals", "import jackspot.inputs.buttons"),
        ("jackspot.sensing.signals", "from jackspot.config import Config"),
        ("jackspot.sensing.signals", "import gpiozero"),
        ("jackspot.inputs.buttons", "from jackspot.displays import oled"),
        ("jackspot.inputs.buttons", "from jackspot import storage"),
        ("jackspot.inputs.buttons", "from jackspot.board import Board"),
        ("jackspot.displays.oled.driver", "from jackspot.inputs.pins import PINS"),
        ("jackspot.displays.oled.driver", "import pydantic"),
        ("jackspot.storage.journal", "import jackspot.displays.oled.driver"),
        ("jackspot.storage.journal", "import gpiozero"),
        ("jackspot.board", "import jackspot_sim"),
        ("jackspot.board", "import numpy"),
        ("jackspot.board", "from jackspot.displays import oled"),
        ("jackspot.config.load", "from jackspot.service import hotspot"),
        ("jackspot.ops.watchdog", "from jackspot.commands import run"),
        ("jackspot.assembly", "import jackspot.commands"),
        ("jackspot.rulebook", "from jackspot.table import view"),
        ("jackspot.commands.sim", "def main():\n    from jackspot_sim.devices.pins import Pins"),
        ("jackspot_sim.page", "import numpy"),
        ("jackspot.commands.wiring", "from hardware.generate import step"),
        ("hardware.generate.step", "import jackspot_sim"),
    ],
)
def test_a_module_that_breaks_its_layer_is_found(module: str, source: str) -> None:
    assert len(faults(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("jackspot.core.match", "from dataclasses import dataclass\nimport collections.abc"),
        ("jackspot.core.match", "from jackspot.core.stroke import Stroke\nfrom . import pieces"),
        ("jackspot.core.match", "import datetime\nday = datetime.date(2026, 11, 20)"),
        ("jackspot.readings.reading", "from jackspot.core import match"),
        ("jackspot.inputs.buttons", "import gpiozero, time, threading"),
        (
            "jackspot.displays.oled.driver",
            "from jackspot.dialogue.state.view import Bar\nimport luma.oled",
        ),
        ("jackspot.storage.journal", "import sqlite3\nfrom jackspot.core.stroke import Stroke"),
        (
            "jackspot.assembly",
            "from jackspot.displays import oled\nfrom jackspot.inputs import pins",
        ),
        ("jackspot_sim.page", "from jackspot.board import Board"),
    ],
)
def test_a_module_that_keeps_to_its_layer_is_let_be(module: str, source: str) -> None:
    assert faults(module, source) == []


def test_a_relative_import_in_a_package_counts_from_the_package_itself() -> None:
    assert faults("jackspot.core", "from . import stroke", is_package=True) == []
    assert faults("jackspot.core", "from .. import table", is_package=True) != []


def test_a_circle_is_found_over_any_number_of_modules() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


def test_an_import_inside_a_function_makes_no_circle() -> None:
    known = {"jackspot.board": Path("board.py"), "jackspot.config": Path("config.py")}
    late = ast.parse("def f():\n    from jackspot.config import Config")
    early = ast.parse("class A:\n    from jackspot.config import Config")
    assert edges_of("jackspot.board", late, known) == set()
    assert edges_of("jackspot.board", early, known) == {"jackspot.config"}
