"""The layers, read from the imports of every module: which may import which.

Core, sensing, readings and dialogue are pure: values in, values out. They import nothing that
could read a clock, a file, a random number or the environment, and call nothing that does. A
room knows only rooms above it in the table; inputs, displays and storage never know each other.
The simulated table is built on the firmware, and so are the generators of ``hardware/``; the
firmware does not know them. No two modules import each other in a circle.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from jackspot.core.settings import RuleSystem

ROOT = Path(__file__).resolve().parents[1]
SOURCES = {
    "jackspot": ROOT / "firmware" / "jackspot",
    "jackspot_hub": ROOT / "firmware" / "jackspot_hub",
    "sensor_hub": ROOT / "firmware" / "sensor_hub",
    "jackspot_sim": ROOT / "sim" / "jackspot_sim",
    "hardware": ROOT / "hardware",
}

OF_VALUES = ("msgspec", "jackspot.values")
"""What values are made of; any module may import it, as it may the standard library."""

PURE_STDLIB = frozenset(
    [
        "__future__",
        "abc",
        "array",
        "base64",
        "bisect",
        "collections",
        "copy",
        "csv",
        "dataclasses",
        "datetime",
        "decimal",
        "difflib",
        "enum",
        "fractions",
        "functools",
        "hashlib",
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


DIALOGUE = "jackspot.dialogue"
STATE, WORDS = f"{DIALOGUE}.state", f"{DIALOGUE}.words"
FACTS = ("jackspot.core", "jackspot.sensing")
VALUES = (*FACTS, "jackspot.readings")
ASKED = (*VALUES, STATE, f"{DIALOGUE}.proposals")
SHOWN = (*FACTS, STATE, WORDS)
SIMULATED = (
    "jackspot", "jackspot_sim.refusal", "jackspot_sim.clock", "jackspot_sim.chance",
    "jackspot_sim.physics", "jackspot_sim.sensing",
)  # fmt: skip


def room(name: str, *, knows: tuple[str, ...] = (), libraries: tuple[str, ...] = (),
         pure: bool = False) -> tuple[str, Layer]:  # fmt: skip
    """Make a room, which knows itself too."""
    return name, Layer((*knows, name), libraries, pure)


LAYERS = dict(
    [
        room("jackspot.core", pure=True),
        room("jackspot.values", pure=True),
        room("jackspot.files"),
        room("jackspot.sensing", knows=("jackspot.core",), pure=True),
        room(
            "jackspot.settings",
            knows=FACTS,
        ),
        room("jackspot.readings", knows=FACTS, pure=True),
        room(STATE, knows=VALUES, pure=True),
        room(f"{DIALOGUE}.proposals", knows=(*VALUES, STATE), pure=True),
        room(WORDS, knows=ASKED, pure=True),
        room(f"{DIALOGUE}.actions", knows=(*ASKED, WORDS), pure=True),
        room(f"{DIALOGUE}.lists", knows=(*ASKED, WORDS, f"{DIALOGUE}.actions"), pure=True),
        room(
            f"{DIALOGUE}.restart",
            knows=(*ASKED, f"{DIALOGUE}.actions", f"{DIALOGUE}.lists"),
            pure=True,
        ),
        room(
            f"{DIALOGUE}.phases",
            knows=(
                *ASKED,
                WORDS,
                f"{DIALOGUE}.actions",
                f"{DIALOGUE}.lists",
                f"{DIALOGUE}.restart",
            ),
            pure=True,
        ),
        room(
            f"{DIALOGUE}.show",
            knows=(
                *ASKED,
                WORDS,
                f"{DIALOGUE}.actions",
                f"{DIALOGUE}.lists",
                f"{DIALOGUE}.phases",
            ),
            pure=True,
        ),
        room(DIALOGUE, pure=True),
        room("jackspot.inputs", knows=FACTS, libraries=("gpiozero", "lgpio", "RPi")),
        room(
            "jackspot.displays",
            knows=(*SHOWN, "jackspot.settings"),
            libraries=("gpiozero", "luma", "PIL", "segno", "serial", "smbus2"),
        ),
        room(
            "jackspot.web",
            knows=(*SHOWN, "jackspot.files", "jackspot.displays"),
            libraries=(
                "anyio", "itsdangerous", "pydantic", "pydantic_core", "segno", "starlette",
                "typing_extensions", "uvicorn",
            ),
        ),
        room("jackspot.sensor_link.protocol", knows=FACTS, pure=True),
        room(
            "jackspot.sensor_link",
            knows=(
                *FACTS, "jackspot.settings", "jackspot.displays", "jackspot.sensor_link.protocol",
            ),
        ),
        room("jackspot.storage", knows=("jackspot.sensing", "jackspot.files")),
        room(
            "jackspot.history",
            knows=("jackspot.core", STATE, WORDS, "jackspot.storage"),
            libraries=("rich",),
        ),
        room(
            "jackspot.festival",
            knows=(
                *FACTS, STATE, WORDS, "jackspot.files", "jackspot.settings", "jackspot.storage",
                "jackspot.history",
            ),
            libraries=("cryptography", "paho", "pydantic", "typing_extensions"),
        ),
        room(
            "jackspot.config",
            knows=(
                *FACTS, STATE, "jackspot.files", "jackspot.settings", "jackspot.inputs",
                "jackspot.displays", "jackspot.sensor_link", "jackspot.web", "jackspot.festival",
            ),
        ),
        room(
            "jackspot.capture",
            knows=(
                *FACTS, STATE, "jackspot.files", "jackspot.inputs", "jackspot.storage",
                "jackspot.config",
            ),
            libraries=("vcd",),
        ),
        room("jackspot.rulebook", knows=("jackspot.core",)),
        # Only people who change sentences run this; no other module imports it.
        room("jackspot.locale", knows=("jackspot.displays.words",), libraries=("babel",)),
        room(
            "jackspot.board",
            knows=(
                *FACTS, STATE, WORDS, f"{DIALOGUE}.restart", f"{DIALOGUE}.phases",
                f"{DIALOGUE}.show", "jackspot.inputs", "jackspot.storage",
            ),
        ),
        room(
            "jackspot.assembly",
            knows=(
                *VALUES, STATE, "jackspot.inputs", "jackspot.displays", "jackspot.sensor_link",
                "jackspot.web",
                "jackspot.storage", "jackspot.history", "jackspot.festival", "jackspot.config",
                "jackspot.board",
            ),
        ),
        room(
            "jackspot.calibration.measuring",
            knows=(*VALUES, STATE, f"{DIALOGUE}.show"),
            pure=True,
        ),
        room(
            "jackspot.calibration",
            knows=(
                *ASKED, "jackspot.files", "jackspot.inputs", "jackspot.displays",
                "jackspot.history", "jackspot.config", "jackspot.capture", "jackspot.board",
                "jackspot.assembly", "jackspot.calibration.measuring",
            ),
            libraries=("pydantic", "rich"),
        ),
        room(
            "jackspot.ops",
            knows=(
                *FACTS, STATE, f"{DIALOGUE}.restart", "jackspot.files", "jackspot.settings",
                "jackspot.inputs", "jackspot.displays", "jackspot.storage", "jackspot.history",
                "jackspot.festival", "jackspot.config", "jackspot.capture", "jackspot.assembly",
                "jackspot.calibration", "jackspot.calibration.measuring",
                "jackspot.sensor_link.protocol",
            ),
            libraries=("smbus2",),
        ),
        room(
            "jackspot.replay",
            knows=(
                *VALUES, "jackspot.files", "jackspot.inputs", "jackspot.storage",
                "jackspot.config", "jackspot.capture", "jackspot.board", "jackspot.assembly",
                "jackspot.calibration", "jackspot.ops",
            ),
        ),
        room(
            "jackspot.commands",
            knows=(
                *ASKED, WORDS, "jackspot.files", "jackspot.inputs", "jackspot.displays",
                "jackspot.web", "jackspot.storage", "jackspot.history", "jackspot.config",
                "jackspot.festival", "jackspot.capture", "jackspot.rulebook", "jackspot.board",
                "jackspot.assembly",
                "jackspot.calibration", "jackspot.calibration.measuring", "jackspot.ops",
                "jackspot.replay",
            ),
            libraries=("click", "PIL", "rich", "segno"),
        ),
        ("jackspot", Layer(knows=())),
        room("jackspot_hub.event", knows=("jackspot.core",), libraries=("networkx",), pure=True),
        room(
            "jackspot_hub.desk",
            knows=("jackspot.core", STATE, "jackspot.festival.messages", "jackspot_hub.event"),
            pure=True,
        ),
        room(
            "jackspot_hub.event_file",
            knows=(
                "jackspot.core", "jackspot.files", "jackspot.festival.messages",
                "jackspot.festival.names", "jackspot_hub.event",
            ),
            libraries=("pydantic",),
        ),
        room("jackspot_hub.figures", knows=("jackspot_hub.desk",), pure=True),
        room(
            "jackspot_hub.running",
            knows=(
                "jackspot.core", "jackspot.festival", "jackspot.storage", "jackspot_hub.event",
                "jackspot_hub.desk",
            ),
        ),
        room("jackspot_hub.copying", knows=("jackspot.storage", "jackspot_hub.desk")),
        room(
            "jackspot_hub.results",
            knows=(
                "jackspot.core", "jackspot.history", "jackspot.festival", "jackspot_hub.event",
                "jackspot_hub.desk",
            ),
            libraries=("pydantic", "typing_extensions"),
        ),
        room(
            "jackspot_hub.forgetting",
            knows=(
                "jackspot.core", "jackspot.files", "jackspot.festival.messages",
                "jackspot.storage", "jackspot.ops", "jackspot_hub.event", "jackspot_hub.desk",
                "jackspot_hub.event_file", "jackspot_hub.running",
            ),
        ),
        room(
            "jackspot_hub.web",
            knows=(
                STATE, "jackspot.core", "jackspot.storage", "jackspot.displays", "jackspot.web",
                "jackspot.ops.backup.archive", "jackspot_hub.event", "jackspot_hub.desk",
                "jackspot_hub.running", "jackspot_hub.results",
            ),
            libraries=("pydantic", "segno", "starlette"),
        ),
        room(
            "jackspot_hub.command",
            knows=(
                "jackspot.files", "jackspot.festival", "jackspot.storage", "jackspot.displays",
                "jackspot.web", "jackspot.ops", "jackspot.commands", "jackspot_hub.event",
                "jackspot_hub.desk",
                "jackspot_hub.event_file", "jackspot_hub.running", "jackspot_hub.copying",
                "jackspot_hub.results", "jackspot_hub.forgetting", "jackspot_hub.web",
            ),
            libraries=("click", "rich"),
        ),
        room(
            "jackspot_hub.upkeep",
            knows=(
                "jackspot.files", "jackspot.settings", "jackspot.festival", "jackspot.storage",
                "jackspot.ops", "jackspot.commands", "jackspot_hub.event", "jackspot_hub.desk",
                "jackspot_hub.event_file", "jackspot_hub.running",
            ),
            libraries=("click", "rich"),
        ),
        ("jackspot_hub", Layer(knows=())),
        # MicroPython on a chip of its own: it knows nobody, and only main.py knows pins.
        room("sensor_hub", libraries=("machine", "micropython", "uos", "uselect", "utime")),
        room("jackspot_sim.refusal", knows=("jackspot",)),
        room("jackspot_sim.clock", knows=("jackspot",)),
        room("jackspot_sim.chance", knows=("jackspot",)),
        room(
            "jackspot_sim.physics",
            knows=("jackspot", "jackspot_sim.chance"),
            libraries=("pymunk",),
        ),
        room(
            "jackspot_sim.sensing",
            knows=("jackspot", "jackspot_sim.chance", "jackspot_sim.physics", "sensor_hub"),
        ),
        room(
            "jackspot_sim.devices",
            knows=(*SIMULATED, "sensor_hub"),
            libraries=("gpiozero", "luma", "PIL", "smbus2"),
        ),
        room("jackspot_sim.table", knows=(*SIMULATED, "jackspot_sim.devices")),
        room("jackspot_sim.people", knows=(*SIMULATED, "jackspot_sim.table")),
        room(
            "jackspot_sim.boards",
            knows=(*SIMULATED, "jackspot_sim.devices", "jackspot_sim.table", "jackspot_sim.people"),
        ),
        room(
            "jackspot_sim.traffic",
            knows=(*SIMULATED, "jackspot_sim.people", "jackspot_sim.boards"),
            libraries=("click", "rich"),
        ),
        room(
            "jackspot_sim.soak",
            knows=(
                *SIMULATED, "jackspot_sim.table", "jackspot_sim.boards", "jackspot_sim.traffic",
            ),
            libraries=("click", "rich"),
        ),
        room(
            "jackspot_sim.browser",
            knows=(
                *SIMULATED, "jackspot_sim.devices", "jackspot_sim.table", "jackspot_sim.people",
                "jackspot_sim.boards",
            ),
            libraries=("starlette",),
        ),
        room(
            "jackspot_sim.film",
            knows=(
                *SIMULATED, "jackspot_sim.devices", "jackspot_sim.table", "jackspot_sim.boards",
                "jackspot_sim.traffic", "jackspot_sim.soak", "jackspot_sim.browser",
            ),
            libraries=("click", "PIL", "rich"),
        ),
        room(
            "jackspot_sim.hall",
            knows=(*SIMULATED, "jackspot_sim.table", "jackspot_sim.people", "jackspot_sim.boards"),
            libraries=("click", "rich", "starlette"),
        ),
        room(
            "jackspot_sim.practice",
            knows=(
                "jackspot", "jackspot_hub.event", "jackspot_hub.desk", "jackspot_hub.event_file",
                "jackspot_hub.figures", "jackspot_hub.running", "jackspot_hub.command",
                "jackspot_sim.hall",
            ),
            libraries=("click", "rich"),
        ),
        room(
            "jackspot_sim.command",
            knows=(
                *SIMULATED, "jackspot_sim.people", "jackspot_sim.boards", "jackspot_sim.soak",
                "jackspot_sim.browser", "jackspot_sim.film", "jackspot_sim.hall",
            ),
            libraries=("click", "rich"),
        ),
        ("jackspot_sim", Layer(knows=())),
        room(
            "hardware",
            knows=("jackspot",),
            libraries=(
                "PIL", "click", "graphviz", "manifold3d", "numpy", "playwright", "pydantic",
                "pypdf", "schemdraw", "trimesh", "wireviz", "yaml",
            ),
        ),
    ]
)  # fmt: skip
"""From the innermost room outwards; a module belongs to the first that contains it."""
FRONT_DOORS = frozenset(["jackspot", DIALOGUE, "jackspot_hub", "jackspot_sim"])
"""Packages that are rooms only for what is in them."""


def within(module: str, package: str) -> bool:
    """Return whether ``module`` is ``package`` or is in it."""
    return module == package or module.startswith(package + ".")


@dataclass(frozen=True)
class Said:
    """What tests need to know of a module's source, with a line number before each name.

    ``at_once`` are the names that it imports while it is itself imported.
    """

    imports: tuple[tuple[int, str], ...]
    at_once: tuple[tuple[int, str], ...]
    impure: tuple[tuple[int, str], ...]
    systems: tuple[tuple[int, str], ...]
    types: tuple[str, ...]


def read(module: str, source: str, *, is_package: bool = False) -> Said:
    """Return what the source of a module says."""
    tree = ast.parse(source, filename=module)
    nodes = [*ast.walk(tree)]
    return Said(
        tuple(imports(module, nodes, is_package=is_package)),
        tuple(imports(module, run_at_once(tree), is_package=is_package)),
        tuple(impurities(nodes)),
        tuple(systems_named(nodes)),
        tuple(
            node.name
            for node in tree.body
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
        ),
    )


@cache
def read_all() -> dict[str, Said]:
    """Return what each module says, by its full name."""
    return {
        module: read(
            module, path.read_text(encoding="utf-8"), is_package=path.name == "__init__.py"
        )
        for module, path in modules().items()
    }


def run_at_once(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield what runs when a module is imported, so nothing inside a function.

    Imports under a condition at the top, such as for types only, are left out.
    """
    waiting: list[ast.AST] = [node for node in tree.body if not isinstance(node, ast.If)]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            waiting += ast.iter_child_nodes(node)


def imports(
    module: str, nodes: Iterable[ast.AST], *, is_package: bool = False
) -> Iterator[tuple[int, str]]:
    """Return line and full name of everything imported; ``from a import b`` gives ``a.b``."""
    for node in nodes:
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


def faults(module: str, said: Said) -> list[str]:
    """Return each way in which a module breaks its layer, with its line."""
    layer = next(layer for package, layer in LAYERS.items() if within(module, package))
    found = [
        f"{module}:{line} imports {name}"
        for line, name in said.imports
        if not may_import(layer, name)
    ]
    if layer.pure:
        found += [f"{module}:{line} uses {what}" for line, what in said.impure]
    return found


def may_import(layer: Layer, name: str) -> bool:
    """Return whether a layer may import the module, or the thing in a module, of this name."""
    top = name.split(".", maxsplit=1)[0]
    if any(within(name, each) for each in OF_VALUES):
        return True
    if top in SOURCES:
        known = any(within(name, package) for package in layer.knows)
        return known or (name == "jackspot.__version__" and not layer.pure)
    if top in sys.stdlib_module_names:
        return not layer.pure or top in PURE_STDLIB
    return top in layer.libraries


def impurities(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Return line and name of what reads or writes the world without an import."""
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in IMPURE_NAMES:
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute) and node.attr in IMPURE_ATTRIBUTES:
            yield node.lineno, f".{node.attr}"


def modules() -> dict[str, Path]:
    """Return every module of all packages by its full name."""
    found = {}
    for package, folder in SOURCES.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join([package, *(part for part in parts if part != "__init__")])] = path
    return found


def circle(edges: dict[str, set[str]]) -> list[str]:
    """Return the modules of one circle of imports in order, or nothing."""
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


def edges_of(module: str, said: Said, known: Collection[str]) -> set[str]:
    """Return the modules that must be there before ``module`` can be imported."""
    found = set()
    for _line, name in said.at_once:
        target = name if name in known else name.rpartition(".")[0]
        if target in known and target != module:
            found.add(target)
    return found


def test_every_module_keeps_to_its_layer() -> None:
    found = [fault for module, said in read_all().items() for fault in faults(module, said)]
    assert not found, "\n".join(found)


def test_the_architecture_page_says_the_same_of_each_package() -> None:
    page = (ROOT / "firmware" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    room = r"(jackspot(?:_sim|_hub)?/[\w/]+?|sensor_hub|hardware)(?:/|\.py|/generate/)"
    rows = re.findall(rf"^\| `(?:sim/)?{room}` \| .* \| (.*) \|$", page, re.MULTILINE)
    told = {name.replace("/", "."): set(re.findall(r"`([\w.]+)`", may)) for name, may in rows}
    order = [name for name in LAYERS if name not in FRONT_DOORS]
    assert list(told) == order
    for name, layer in zip(told, map(LAYERS.get, order), strict=True):
        assert layer is not None
        known = {
            re.sub(r"^jackspot(_sim|_hub)?\.", "", each) for each in layer.knows if each != name
        }
        assert told[name] == known | set(layer.libraries), name


def test_the_architecture_page_names_every_file_of_the_rules() -> None:
    page = (ROOT / "firmware" / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:`(\w+)/`)? ?\| (`\w+\.py`.*?) \|", page, re.MULTILINE)
    families = SOURCES["jackspot"] / "core" / "rules"
    told: dict[str, set[str]] = {}
    for family, files in rows:
        told.setdefault(family or next(reversed(told)), set()).update(
            re.findall(r"`(\w+)\.py`", files)
        )
    for family in ("jack", "queen", "points"):
        there = {path.stem for path in (families / family).glob("*.py")} - {"__init__"}
        assert told[family] == there, family


def test_every_room_has_a_layer() -> None:
    divided = {SOURCES["jackspot"]: "jackspot", SOURCES["jackspot_sim"]: "jackspot_sim",
               SOURCES["jackspot_hub"]: "jackspot_hub",
               SOURCES["jackspot"] / "dialogue": DIALOGUE}  # fmt: skip
    rooms = {
        f"{package}.{path.stem}"
        for folder, package in divided.items()
        for path in folder.iterdir()
        if path.stem not in {"__init__", "__main__", "__pycache__"}
        and (path.suffix == ".py" or any(path.glob("*.py")))
    }
    inner = {"jackspot.calibration.measuring", "jackspot.sensor_link.protocol"}
    assert rooms | inner == {name for name in LAYERS if "." in name}


def test_a_room_knows_only_those_above_it() -> None:
    above: list[str] = []
    for name, layer in LAYERS.items():
        others = {each for each in layer.knows if each != name}
        strangers = {each for each in others if not any(within(each, known) for known in above)}
        assert not strangers, name
        above.append(name)


def test_the_families_of_rules_do_not_know_each_other() -> None:
    families = {f"jackspot.core.rules.{family}" for family in ("jack", "queen", "points")}
    for module, said in read_all().items():
        own = {family for family in families if within(module, family)}
        if own:
            named = {name for _line, name in said.imports}
            assert not {n for n in named for family in families - own if within(n, family)}, module


SYSTEMS = frozenset(system.value for system in RuleSystem)
TABLES_OF_SYSTEMS = frozenset(["jackspot.core.settings", "jackspot.core.options"])
"""What is agreed before a match: it lists the systems, and which option belongs to which."""


def systems_named(nodes: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    """Return line and name of each rule system that a module names."""
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id == "RuleSystem" and node.attr.lower() in SYSTEMS:
                yield node.lineno, node.attr
        elif isinstance(node, ast.Constant) and node.value in SYSTEMS - {"points"}:
            yield node.lineno, str(node.value)


def test_only_the_rules_know_which_systems_there_are() -> None:
    """Code that needs to know something about a system asks its facts; so does a new display."""
    found = [
        f"{module}:{line} names {name}"
        for module, said in read_all().items()
        if within(module, "jackspot")
        and not within(module, "jackspot.core.rules")
        and module not in TABLES_OF_SYSTEMS
        for line, name in said.systems
    ]
    assert not found, "\n".join(found)


def test_a_system_that_is_named_is_found() -> None:
    said = "a = RuleSystem.ICF\nb = {'kagw': 1}\nc = RuleSystem('x')\nd = 'points'"
    assert list(read("jackspot.new", said).systems) == [(1, "ICF"), (2, "kagw")]


def test_no_modules_import_each_other_in_a_circle() -> None:
    known = read_all()
    edges = {module: edges_of(module, said, known) for module, said in known.items()}
    assert not circle(edges), " -> ".join(circle(edges))


def types() -> Iterator[tuple[str, str]]:
    """Yield each public type of the firmware and the simulated table with its module."""
    for module, said in read_all().items():
        if not within(module, "hardware"):
            yield from ((name, module) for name in said.types)


def test_no_two_types_share_a_name() -> None:
    named: dict[str, list[str]] = {}
    for name, module in types():
        named.setdefault(name, []).append(module)
    assert {name: found for name, found in named.items() if len(found) > 1} == {}


def test_the_glossary_names_types_that_there_are() -> None:
    page = (ROOT / "firmware" / "GLOSSARY.md").read_text(encoding="utf-8")
    cited = set(re.findall(r"`([A-Z]\w+)`", page))
    assert cited
    assert cited - dict(types()).keys() == set()


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
        ("jackspot.core.match", "from jackspot import sensing"),
        ("jackspot.core.match", "from jackspot.dialogue import state"),
        ("jackspot.core.match", "from ..sensing import events"),
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
        ("jackspot.displays.oled.driver", "import starlette"),
        ("jackspot.storage.journal", "import jackspot.displays.oled.driver"),
        ("jackspot.storage.journal", "import gpiozero"),
        ("jackspot.board", "import jackspot_sim"),
        ("jackspot.board", "import numpy"),
        ("jackspot.board", "from jackspot.displays import oled"),
        ("jackspot.config.load", "from jackspot.ops import hotspot"),
        ("jackspot.ops.watchdog", "from jackspot.commands import run"),
        ("jackspot.assembly", "import jackspot.commands"),
        ("jackspot.rulebook", "from jackspot.dialogue import state"),
        ("jackspot.commands.sim", "def main():\n    from jackspot_sim.devices.pins import Pins"),
        ("jackspot_sim.boards.rig", "import numpy"),
        ("jackspot.commands.wiring", "from hardware.generate import step"),
        ("hardware.generate.step", "import jackspot_sim"),
    ],
)
def test_a_module_that_breaks_its_layer_is_found(module: str, source: str) -> None:
    assert len(faults(module, read(module, source))) == 1


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
        ("jackspot.storage.journal", "import sqlite3\nfrom jackspot.sensing.events import Edge"),
        (
            "jackspot.assembly",
            "from jackspot.displays import oled\nfrom jackspot.inputs import pins",
        ),
        ("jackspot_sim.boards.rig", "from jackspot.board import Board"),
    ],
)
def test_a_module_that_keeps_to_its_layer_is_let_be(module: str, source: str) -> None:
    assert faults(module, read(module, source)) == []


def test_a_relative_import_in_a_package_counts_from_the_package_itself() -> None:
    inner, outer = (
        read("jackspot.core", source, is_package=True)
        for source in ("from . import stroke", "from .. import sensing")
    )
    assert faults("jackspot.core", inner) == []
    assert faults("jackspot.core", outer) != []


def test_a_circle_is_found_over_any_number_of_modules() -> None:
    assert circle({"a": {"b"}, "b": {"c"}, "c": set()}) == []
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]


def test_an_import_inside_a_function_makes_no_circle() -> None:
    known = {"jackspot.board", "jackspot.config"}
    late, early = (
        read("jackspot.board", f"{outer}:\n    from jackspot.config import Config")
        for outer in ("def f()", "class A")
    )
    assert edges_of("jackspot.board", late, known) == set()
    assert edges_of("jackspot.board", early, known) == {"jackspot.config"}
